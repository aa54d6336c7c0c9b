"""Automatic notices to other servers: webhooks."""
