"""Commands for those who run a server on more than a laptop."""
