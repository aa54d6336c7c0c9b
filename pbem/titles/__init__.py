"""One package per title; its modules follow the rulebook's chapters."""
