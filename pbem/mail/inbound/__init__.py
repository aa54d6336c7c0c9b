"""Mail coming in: listeners, limits, parsing, and what each message does."""
