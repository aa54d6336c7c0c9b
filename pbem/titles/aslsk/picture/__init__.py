"""1.1, 1.2 The picture of the map with its counters and the sighting thread, and its description in words."""
