"""T2 Cards: crew and upgrades, criticals, keywords."""
