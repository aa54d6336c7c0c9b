"""6.4, 6.7 Aircraft and anti-aircraft fire."""
