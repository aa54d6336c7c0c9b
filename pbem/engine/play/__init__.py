"""Playing a match: the rules at work, answers and replay, named dice, bots."""
