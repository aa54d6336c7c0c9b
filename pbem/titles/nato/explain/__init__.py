"""Explanations: units, hexes, supply and tracks as findings, each number with its rule."""
