"""What a title writes its rules with: asks, refusals, findings, the table, the state and the title's contract."""
