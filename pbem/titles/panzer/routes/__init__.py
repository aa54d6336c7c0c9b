"""4.5.1.1, 6.6 Where a unit can go, and a wish for a move turned into steps."""
