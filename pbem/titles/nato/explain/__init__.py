"""Why something is as it is: units, hexes, supply and tracks as findings, each number with its rule."""
