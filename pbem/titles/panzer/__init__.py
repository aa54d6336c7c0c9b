"""Panzer in two editions of one system: North Africa 2024 and Panzer 2016.

The rules of the basic game, by chapter; `advanced` has those of the advanced game:

    1.2           board               the map
    1.4           charts              the tables, the switches between the editions
    1.6           cards               vehicle cards
    2.0           scenario            set-ups
    2.0           deployment          the state before the first turn, placing units
    3.6           victory             objectives and victory points
    3.8           stacking            how many vehicles a hex holds
    4.0           title               the sequence of play, and everything bound together
    4.1           spotting            who spots whom, the Spotting Phase
    4.1.4         line_of_sight       whether the line between two hexes is open
    4.2           commands            the Command Phase
    4.3           initiative          the Initiative Phase
    4.4.1         direct_fire         the Direct Fire Step
    4.4.2         overwatch           overwatch fire, in the Combat and in the Movement Phase
    4.4.3         ap_fire             one shot: range, modifiers, roll, aspect, damage
    4.5           movement            the Movement Phase, one vehicle's move
    4.5.1.1       movement_progress   one step of a move, and where a move may end
    4.5.1.1       movement_routes     where a vehicle can go
    4.5.1.1.1-2   movement_costs      allowances and the price of every step
    4.6           adjustment          the Adjustment Phase

What they stand on:

    state         vehicles, wrecks, the spotting matrix, objectives
    view          what each viewer may know of it
    data_set      map, charts, cards and scenario of a match, frozen
    numbering     the numbers under which each edition knows a rule
    flaws         what can never be true of a match

What players read and write:

    orders, language, plan     the order language
    prospects                  what a seat can order and expect
    proposals                  what a refusal proposes: whole lines that were tried
    doctrine                   answers from the orders of the turn and from standing orders
    forms                      lines ready to edit
    briefing                   what a player is told before the first turn
    tell                       findings in words
    picture, sheets            the map, and one unit, as a viewer may see them
    bot                        players of our own

`advanced_*` are the tables and cards of the advanced game. `ledger.csv` lists every numbered
rule of both books with its state here, `NOTES.md` speaks to players, `data/` holds all numbers with their sources.
"""
