"""1.2 The map as a picture, and its description in words."""
