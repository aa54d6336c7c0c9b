"""T6, T7 The table: geometry, terrain and lines of sight."""
