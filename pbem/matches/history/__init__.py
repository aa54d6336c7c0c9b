"""What a match's events say: the record, replay, dice ladders, receipts, and exports."""
