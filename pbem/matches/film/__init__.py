"""The film of a turn: its scenes, its summary, and the drawing on the map.

Pages, emails and programs all use this one source.
"""
