"""6.5.2 AP fire: shots, their modifiers and the effect of a hit."""
