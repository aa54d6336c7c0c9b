"""Tournaments: entries, rounds, pairings, results and standings.

A tournament arranges matches and counts their results. It has its own stream of events, as matches do. Pairing,
standings and tie-breaks are pure functions of the folded record.
"""
