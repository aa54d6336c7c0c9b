"""Reference sheets: a unit with its numbers, the odds of its shots, and the orders it can be given."""
