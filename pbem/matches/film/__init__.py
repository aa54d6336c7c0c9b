"""The film of a turn: its scenes, its summary, and the drawing on the map.

One source for pages, emails and programs.
"""
