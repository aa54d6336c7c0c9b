"""TANKS, a skirmish on a table without hexes: initiative order, hidden crew cards, exact geometry.

    data_set     tank, crew, upgrade and critical cards, terrain, scenarios
    geometry     hulls and moves in whole tenths of a millimetre
    T1 … T9      a module for each chapter; `ledger.csv` lists every rule and how far it is implemented

`NOTES.md` describes the order language, the rulings on doubtful rules and the pace of a turn.
"""
