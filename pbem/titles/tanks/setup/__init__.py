"""T3, T4 Set-up: platoons, terrain, roles and deployment."""
