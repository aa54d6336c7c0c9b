"""6.5.1 Indirect fire, its observers, and what burns afterwards."""
