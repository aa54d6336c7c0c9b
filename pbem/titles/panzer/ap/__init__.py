"""6.5.2 AP fire: shots, their modifiers, and what a hit does."""
