"""Incoming mail: listeners, limits, parsing, and handling each message."""
