"""The pure kernel: rules as generators, asks, named dice, findings, replay, geometry.

No I/O, no clock, no randomness of its own, no floats in decisions, no unordered iteration.

    asks      Ask, Together, Step              what the rules want to know
    refusals  Objection, Refusal, Illegal ...  an order that is not accepted
    findings  Finding, seen_by                 results that explain themselves
    dice      Dice, die, rung                  named rolls from two ladders
    state     State, NextStep, Outcome         what lies between two steps
    table     Table                            what a step works on
    title     Title, Rules, Reply, Submission  what a title gives to the kernel
    run       Run, Mark                        the rules at work; resuming inside a step
    resolve   resolve, replay                  from one waiting ask to the next
    hexes, plane, paths                        exact integer geometry
"""
