"""2.0 Scenarios, and what happens before the first turn."""
