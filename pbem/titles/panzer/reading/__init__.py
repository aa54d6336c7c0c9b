"""4.2.1 The order language: lines read in the light of a seat's view."""
