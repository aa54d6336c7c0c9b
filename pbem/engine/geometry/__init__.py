"""Exact integer geometry: hexes, the plane, cheapest paths."""
