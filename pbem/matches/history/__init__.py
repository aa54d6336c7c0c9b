"""The history of a match: its record, replay, dice ladders, receipts, and exports."""
