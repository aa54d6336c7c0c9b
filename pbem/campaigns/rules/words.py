"""C2 The order language of campaigns, and its help page."""

from __future__ import annotations

from typing import Final

from pbem.engine.text.grammar import Language

BATTLES: Final = "battles"
"""C1.3 The word for a tree's battles in orders: `appoint british2 to battles`."""

GRAMMAR: Final = r"""
orders: "send" "all" -> send_all
      | "send" WORD+ -> send
      | "repair" "all" -> repair_all
      | "repair" WORD+ -> repair
      | "buy" [NUMBER] WORD -> buy
      | "assign" WORD+ "to" WORD -> assign
      | "move" WORD "to" WORD -> move
      | "appoint" WORD "to" WORD -> appoint
      | "attack" -> attack
      | "idle" -> idle
      | "hold" -> hold
choice: "none" -> none
      | NUMBER -> number
NUMBER: /\d+/
WORD: /[a-z][a-z0-9_-]*/
%import common.WS
%ignore WS
"""
LANGUAGE: Final = Language(
    lambda: GRAMMAR,
    ("orders", "choice"),
    {
        "SEND": "send",
        "REPAIR": "repair",
        "BUY": "buy",
        "ASSIGN": "assign",
        "MOVE": "move",
        "APPOINT": "appoint",
        "ATTACK": "attack",
        "IDLE": "idle",
        "HOLD": "hold",
        "ALL": "all",
        "TO": "to",
        "NUMBER": "a number",
        "WORD": "a name",
    },
    ("WORD", "NUMBER"),
    "C2",
)

HELP: Final = """
One line for each order; lines that begin with # are remarks.

    send g101 g104 g233      these units go into the battle, in this order: the first take the front line
    send all                 every unit that is able, undamaged ones first, up to the room there is
    repair g105              it is out of action until it is repaired, and costs points
    repair all               as many as your points pay for, the cheapest repairs first
    buy 2 pz4h               new units with green crews; they arrive when the dice say so
    idle                     rest: points for doing nothing; if both sides rest there is no battle
    attack                   seek the battle (the usual order, where sides may rest)
    hold                     no orders but the usual ones

    appoint german2 to battles  another commander leads your battles, and chooses the units for them

On a map of provinces:

    move north to vodyanoye  a battlegroup goes to a neighbouring province
    assign g101 to north     a unit joins a battlegroup
    appoint german2 to north another commander leads a battlegroup, and its battles

The commander in chief may give all of these. A commander moves the battlegroups under their command; one who leads
the battles of a side may send units. The chief's order counts where the commander gives none. Without a line `send`
all units go that are able.
"""
