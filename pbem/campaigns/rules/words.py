"""C2 The order language of campaigns, and its help page."""

from __future__ import annotations

from typing import Final

from pbem.engine.text.grammar import Language
from pbem.engine.text.messages import say

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

HELP: Final = say(
    """
Write one order per line; # starts a comment.

    send g101 g104 g233      send these units into battle in this order; the first ones take the front line
    send all                 send every unit that can fight, undamaged ones first, as far as there is room
    repair g105              repair this unit for points; it is out of action until the repair is done
    repair all               repair as many as you can pay for, the cheapest first
    buy 2 pz4h               new units with green crews; the dice decide when they arrive
    idle                     rest and gain points; if both sides rest, there is no battle
    attack                   seek battle (the usual order where sides may rest)
    hold                     no special orders in this stage

    appoint german2 to battles  another commander leads your battles and chooses the units for them

On a map of provinces:

    move north to vodyanoye  move a battlegroup to a neighbouring province
    assign g101 to north     a unit joins a battlegroup
    appoint german2 to north another commander leads a battlegroup and its battles

The commander in chief may give all of these orders. A commander moves the battlegroups under their command; the
commander who leads the side's battles may send units. The chief's orders are used where the commander gives none.
Without a `send` line, all units that can fight are sent.
"""
)
