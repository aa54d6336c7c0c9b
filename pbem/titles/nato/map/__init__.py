"""2.2 The map: the grid, the ground of every hex and hexside, and the areas drawn on it.

grid      hex numbers, neighbours, distance
ground    the features of hexes and hexsides
atlas     the whole map, indexed for the rules
reading   the map files and the corrections laid over them
"""
