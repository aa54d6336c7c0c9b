"""Accounts: addresses, preferences, sessions, API tokens, rate limits, reliability, privacy."""
