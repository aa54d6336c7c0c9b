"""Players of our own, and set-ups by chance."""
