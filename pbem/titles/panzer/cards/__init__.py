"""1.2-1.6 The map, the charts and the cards, and what they say about a unit."""
