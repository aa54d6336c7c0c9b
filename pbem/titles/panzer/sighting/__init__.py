"""4.1, 6.1 Who spots whom, and what lies between them."""
