"""4.5, 39, 40 War of Nerves: the weeks before the war.

The markers are the rulebook's; the numbers are house values.
"""
