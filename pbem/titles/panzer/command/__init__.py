"""4.2, 4.3, 6.2, 6.3 Commands, initiative, and the state of mind of units."""
