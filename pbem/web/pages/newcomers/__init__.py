"""Pages for newcomers: how a game works, a guided first game, guests."""
