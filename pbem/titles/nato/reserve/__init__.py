"""28 The Reserve Phase."""
