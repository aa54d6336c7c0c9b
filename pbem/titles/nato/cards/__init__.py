"""3.0, 35.9 What is printed: units, charts and scenarios, read from `data/`, every value with its origin."""
