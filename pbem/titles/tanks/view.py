"""T2.4 The knowledge of each viewer: everything on the table, and a seat's own crew and upgrade cards.

    T2.4    hide_cards: a face-down card of another seat shows only the points on its back
    ----    only the seat itself knows its sealed orders

A view is itself a `TanksState`, so that legality can also be checked on a view.
"""

from __future__ import annotations

from pbem.engine.rules.findings import MASTER
from pbem.engine.rules.state import copy
from pbem.titles.tanks.state import Held, Tank, TanksState


def view_of(state: TanksState, viewer: str) -> TanksState:
    """T2.4 The state as a seat, the public or the game master may see it."""
    seen = copy(state)
    if viewer != MASTER:
        seen.orders = {seat: orders for seat, orders in seen.orders.items() if seat == viewer}
        for tank in seen.tanks.values():
            if tank.seat != viewer:
                hide_cards(tank)
    return seen


def hide_cards(tank: Tank) -> None:
    """T2.4 Put open cards first, then only the backs of the others, in an order that reveals nothing."""
    shown = sorted((held for held in tank.cards if held.up), key=lambda held: (held.id, held.gone, held.used))
    backs = sorted(held.points for held in tank.cards if not held.up)
    tank.cards = shown + [Held("", points) for points in backs]
