"""6.5 What combat does to units and terrain: suppression, damage, losses, and who gets out."""
