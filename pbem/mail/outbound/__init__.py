"""Outgoing mail: composing and sending."""
