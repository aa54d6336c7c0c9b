"""The parts of the map picture.

situation   the units, markers, movements and battles to show
canvas      coordinates of hexes and hexsides in the picture
ground      sea, terrain, rivers, borders, cities and names
counters    units with their symbols, factors and markers
overlays    control, the front line, strikes, movements and battles
words       a description in plain text, and a map in characters
"""
