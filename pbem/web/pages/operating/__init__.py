"""Pages for and about the operators of the server."""
