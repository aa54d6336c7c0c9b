"""12 Ground movement: costs, modes, reach and the Movement Phase."""
