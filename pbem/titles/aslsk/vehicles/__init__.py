"""7 Vehicles: movement, fire, armour, and what becomes of their crews."""
