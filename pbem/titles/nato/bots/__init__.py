"""Bots for both sides: they attack at good odds, hold cities and ground, and keep their units in supply."""
