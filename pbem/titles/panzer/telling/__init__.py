"""Findings in words, and the map as a picture."""
