"""3.0, 35.9 Units, charts and scenarios, read from `data/`, with the origin of every value."""
