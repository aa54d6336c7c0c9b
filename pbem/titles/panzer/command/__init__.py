"""4.2, 4.3, 6.2, 6.3 Commands, initiative and morale."""
