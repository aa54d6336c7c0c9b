"""The map as a picture, piece by piece.

situation   what is to be shown: units, markers, movements and battles
canvas      where hexes and hexsides lie in the picture
ground      sea, terrain, rivers, borders, cities and names
counters    units with their symbols, factors and markers
overlays    control, the front line, strikes, movements and battles
words       the same in lines of words, and as a map of letters
"""
