"""Explanations of units, hexes, supply and tracks as findings, with the rule behind each number."""
