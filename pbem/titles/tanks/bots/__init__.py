"""Bots, and the prospects of a shot or a place."""
