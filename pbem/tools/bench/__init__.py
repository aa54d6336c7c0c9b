"""The costs of the server, the site, the store and whole matches, as ratios."""
