"""25, 27 Ground combat: the battle cycle from commitment to advance."""
