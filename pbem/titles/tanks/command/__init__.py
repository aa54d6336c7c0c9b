"""T8 The Command Phase."""
