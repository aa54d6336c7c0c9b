"""The building blocks of a title's rules: asks, refusals, findings, the table, the state and the title's contract."""
