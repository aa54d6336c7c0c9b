"""T2 Crew, upgrade and critical cards, and the keywords on tank cards."""
