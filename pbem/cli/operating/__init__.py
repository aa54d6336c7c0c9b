"""Commands for operators of servers larger than a laptop."""
