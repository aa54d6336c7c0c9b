"""6.6.3-6.6.9, 7.29-7.34 Obstacles to moves, and works used by them."""
