"""Bots: players that know only what a seat's view shows."""
