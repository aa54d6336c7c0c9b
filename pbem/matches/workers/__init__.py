"""Worker processes that play turns, so that no page waits for one."""

ADVANCE, CHECK, KEEP = "advance", "check", "keep"
"""The names of the jobs; see `jobs`."""
