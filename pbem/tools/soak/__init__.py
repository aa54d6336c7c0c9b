"""Long runs: bot matches in memory and on a server, mixed mail, and hostile mail."""
