"""A match's life, from its creation to its proof.

    house     House                      one server: store, titles, key
    record    Record, fold               what the events of a match say, without the rules
    position  Position, load             the record and the rules at work: replay, snapshots
    acts      create, seal, close ...    what can be done to a match
    rulings   reopen, recompute, correct a game master's decisions, which append
    receipts  Receipt, SignedHead        what a player can keep as proof
    export    export, archive            the chain with the parts that a viewer may see
    verify    verify                     check an export: chain, parts, commitments, ladders, rolls
    ladders   Ladder                     the server's secrets behind the dice
"""
