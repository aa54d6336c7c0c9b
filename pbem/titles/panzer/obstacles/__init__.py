"""6.6.3-6.6.9, 7.29-7.34 What stands in the way of a move, or is used by it."""
