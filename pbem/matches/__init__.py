"""A match's life, from its creation to its proof.

The log and what it means:

    house       House                       one server: store, titles, key
    record      Record, fold                what the events of a match say, without the rules
    position    Position, load, replay      the record and the rules at work: replay, snapshots
    ladders     Ladder                      the server's secrets behind the dice

What can be done to a match:

    acts        create, seal, close, resolve ...
    rulings     reopen, recompute, correct  a game master's decisions, which append
    trials, on_paper                        what a ruling would change, before it is made
    privileged, attention                   the game master's looks and acts, each an event
    endings, disputes, press, substitutes   what players agree on, object to, write, hand over
    doctrine                                standing orders as text, and their trial on past turns

Proof:

    receipts    Receipt, SignedHead         what a player can keep
    export      export, archive             the chain with the parts that a viewer may see
    verify      verify_export               chain, parts, commitments, ladders, rolls, replay
    fairness                                statistics of a match's dice

Time:

    timing, deadlines, absences, extensions, closing

People and letters:

    accounts, sessions, profiles, own_data, api_tokens, limits, reliability
    tokens, invitations, inbox, outbox, announcing, words

For the edges:

    desk        submit, take, tick ...      the one facade of mail, site and command line
    viewing     status, report, form        what a viewer is shown
    bots, health
"""
