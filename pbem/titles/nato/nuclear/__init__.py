"""21, 22 Nuclear and chemical warfare."""
