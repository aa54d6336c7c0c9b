"""Bots, and what a shot or a place promises."""
