"""Incoming email, queued email, and the tokens in reply addresses."""
