"""T3 The table as a picture, with its margins and an example for new matches."""
