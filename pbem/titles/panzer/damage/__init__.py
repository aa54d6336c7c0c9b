"""6.5 The effects of combat on units and terrain: suppression, damage, losses and bail-outs."""
