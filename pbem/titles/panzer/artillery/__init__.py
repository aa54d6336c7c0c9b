"""6.5.1 Indirect fire, its observers, and fires."""
