"""1.2-1.6 The map, the charts and the cards, and the unit properties derived from them."""
