"""1.1, 1.2 The map as players of the game know it: boards, counters, the sighting thread; and all of it in words."""
