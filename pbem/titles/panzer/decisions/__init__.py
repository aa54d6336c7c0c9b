"""Decisions: one class for each kind of ask."""
