"""The site's pages."""
