"""Several seats on a side: a formation, or a group of units, for each of them."""
