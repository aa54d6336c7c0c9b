"""What a tournament reads and writes: entry lists, pairings, TRF, tables, feeds and bundles."""
