"""Findings and markers in words."""
