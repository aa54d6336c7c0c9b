"""Mail going out: composing and sending."""
