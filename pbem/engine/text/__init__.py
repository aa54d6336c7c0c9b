"""Orders as text, findings as sentences, unit sheets."""
