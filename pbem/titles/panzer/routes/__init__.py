"""4.5.1.1, 6.6 Where a unit can go, and how an ordered move becomes steps."""
