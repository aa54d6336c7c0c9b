"""The pure kernel: rules as generators, asks, named dice, findings, replay, geometry.

No I/O, no clock, no randomness of its own, no floats in decisions, no unordered iteration.

    rules       ask, refusals, findings, state, table, title    what a title is written with
    play        run, resolve, dice, bots                        the rules at work; answers and replay
    geometry    hexes, plane, paths                             exact integer geometry
    text        grammar, sentences, sheets                      orders, reports and unit sheets as text
"""
