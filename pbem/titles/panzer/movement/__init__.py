"""4.5, 6.6 Moves: what they cost, where they lead, and how they are carried out."""
