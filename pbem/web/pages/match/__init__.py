"""The pages of one match."""
