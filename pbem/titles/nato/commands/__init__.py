"""35.8 Several players on a side: command, pools, loans and deputies."""
