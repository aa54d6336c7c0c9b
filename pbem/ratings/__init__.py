"""Ratings of players, and the balance of scenarios, from recorded results."""
