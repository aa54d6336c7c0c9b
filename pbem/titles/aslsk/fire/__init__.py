"""3.2 Fire attacks: firepower, modifiers, the fire table, morale and Residual FP."""
