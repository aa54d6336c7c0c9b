"""4.2.1 The order language: lines interpreted against a seat's view."""
