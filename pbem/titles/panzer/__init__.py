"""Panzer in two editions of one system: North Africa 2024 and Panzer 2016.

One machine plays both games; the basic game is a match that plays none of the rules of chapters 5 to 7. The steps of
a turn, by chapter, are in `advanced`. What they stand on:

    1.0           freezing            what a match is made of, as named blobs
    1.0           data_set            map, charts, cards and scenario of a match
    1.2           board               the map
    1.4           charts              the tables, the switches between the editions
    1.6           cards               vehicle cards
    1.6           naming              units by their names
    2.0           scenario            set-ups
    3.4           state               units, wrecks, the spotting matrix, objectives, missions, aircraft
    3.6           victory             objectives and victory points
    4.1.4         line_of_sight       whether the line between two hexes is open
    4.4.3         shots               range, field of fire, hit number, aspect, penetration
    4.5.1.1       movement_progress   one step of a move, and where a move may end
    4.5.1.1       movement_routes     where a vehicle can go
    4.5.1.1       whole_moves         a route as a whole: checked, and cut short
    4.5.1.1.1-2   movement_costs      allowances and the price of every step
                  numbering           the numbers under which each edition and each game knows a rule

What players read and write:

    title         scenarios and choices; the rules bound to a match are in `advanced.binding`
    vocabulary    the words of the order language
    clauses       standing orders
    proposals     what a refusal proposes: whole lines that were tried
    briefing      what a player is told before the first turn
    tell          findings of chapters 1 to 4 in words
    picture       the map

`advanced_*` are the tables and cards of the advanced game. `ledger.csv` lists every numbered
rule of both books with its state here, `NOTES.md` speaks to players, `data/` holds all numbers with their sources.
"""
