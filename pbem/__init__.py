"""A play-by-email server for board wargames."""

__version__ = "0.2.0"
