"""Playing a match: running the rules, answers and replay, named dice, bots."""
