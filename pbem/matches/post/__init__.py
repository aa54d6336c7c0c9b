"""Mail that has come in, mail that is owed, and the tokens in reply addresses."""
