"""4.4, 6.5.2-6.5.4 Direct and overwatch fire, and its effects."""
