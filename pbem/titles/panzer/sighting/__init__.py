"""4.1, 6.1 Spotting and lines of sight."""
