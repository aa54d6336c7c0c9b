"""T5 Movement."""
