"""Words and fixed sentences of findings."""
