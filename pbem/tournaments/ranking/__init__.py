"""The order of the entrants: crosstable, tie-breaks, standings."""
