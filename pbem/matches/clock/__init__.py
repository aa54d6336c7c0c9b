"""Deadlines: how they are computed, announced and moved."""
