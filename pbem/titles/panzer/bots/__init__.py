"""Bots and random set-ups."""
