"""Bots, and the expected value of a shot or a place."""
