"""Tournaments: entries, rounds, pairings, results and standings.

A tournament arranges matches and counts their results. It is a stream of events beside the matches' streams. Pairing,
standings and tie-breaks are pure functions of the folded record.
"""
