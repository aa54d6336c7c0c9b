"""6.6.1, 6.6.10 Assaults, hand-to-hand combat and overruns."""
