"""One exchange from asking to resolving: creating matches, seats, sealing, closing, resolving."""
