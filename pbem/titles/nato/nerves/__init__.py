"""4.5, 39, 40 War of Nerves: the weeks before the war.

The markers are those of the rulebook; the numbers are our own.
"""
