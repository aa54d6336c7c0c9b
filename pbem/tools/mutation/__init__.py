"""The mutation ledger: do the tests notice when a rule is broken?

breaking    the mutants of a rule
forking     a process that runs tests in forked children
patching    functions that are broken while they are loaded
reach       the tests that run a function and might notice
running     a copy of the tree in which one mutant at a time is tested
ledger      the results per row: mutants made, mutants that survived, and the reason if a mutant is allowed to survive
"""
