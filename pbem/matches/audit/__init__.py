"""Audit: verify an export, judge its procedure, compare and pack exports, search, and test the dice."""
