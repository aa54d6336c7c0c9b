"""2.0 Scenarios, and the preparations before the first turn."""
