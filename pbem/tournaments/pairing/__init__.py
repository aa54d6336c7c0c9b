"""Formats and their pairings. Everything here is pure: it takes a `Field` and gives a `Draw`."""
