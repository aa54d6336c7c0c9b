"""File formats of tournaments: entry lists, pairings, TRF, tables and bundles; and trial runs."""
