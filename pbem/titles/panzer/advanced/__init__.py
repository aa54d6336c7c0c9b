"""Chapters 5 to 7: the advanced game and the optional rules, on top of the basic game.

    state              units of all kinds, missions, aircraft, what lies on the map
    data_set           the frozen data of an advanced match
    sequence           6.0 which step follows which
    title              the steps, asks and checks of an advanced match

One module for each chapter of the book; the basic game's modules are used wherever its rules hold unchanged.
"""
