"""4.5, 6.6 Moves: their costs, routes and execution."""
