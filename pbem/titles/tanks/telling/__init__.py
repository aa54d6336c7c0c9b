"""Findings for readers: sentences, happenings on the table, and recipes that recompute them."""
