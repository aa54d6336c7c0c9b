"""T7 Shooting."""
