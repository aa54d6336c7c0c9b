"""Bots: players that use only a seat's view."""
