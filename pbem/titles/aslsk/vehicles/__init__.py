"""7 Vehicles: movement, fire, armour and crews."""
