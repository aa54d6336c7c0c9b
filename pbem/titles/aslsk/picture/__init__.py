"""1.1, 1.2 Draw the map with its counters and the sighting thread, and describe it in words."""
