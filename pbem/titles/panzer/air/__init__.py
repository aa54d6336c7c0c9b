"""6.4, 6.7 Aircraft, and fire at them."""
