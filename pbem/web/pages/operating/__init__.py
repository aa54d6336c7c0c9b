"""Pages for and about those who run the server."""
