"""3.1 The Rally Phase."""
