"""20 to 23 The strikes that a side orders, checked together.

21 to 23   strike_objections: the strikes of one seat, or of all seats of a side
23.7       deep_objections
----       random_strike, for random play
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from pbem.engine.play.choice import Choice
from pbem.engine.rules.refusals import Objection, locate_objections
from pbem.engine.text.messages import say
from pbem.titles.nato.air.sites import site_objections, site_of
from pbem.titles.nato.air.strike_decisions import (
    hex_objections,
    named_objections,
    points_objections,
    reach_objections,
)
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.nuclear.atomic import nuclear_objections
from pbem.titles.nato.nuclear.chemicals import chemical_objections
from pbem.titles.nato.player.orders import AIRFIELD, VISTULA, AirStrike, Chemical, FightOrders
from pbem.titles.nato.state import NatoState


def deep_objections(view: NatoState, side: Side, answer: FightOrders) -> Iterator[Objection]:
    """23.7 Object unless NATO spends one to three operational points, all left over from its other strikes."""
    if not answer.deep:
        return
    if side is not Side.NATO:
        yield Objection("23.7", say("only NATO can make deep strikes"))
    spent = sum(strike.operational for strike in (*answer.air, *answer.interdict))
    if not 1 <= answer.deep <= 3 or answer.deep + spent > view.operational.get(side, 0):
        yield Objection("23.7", say("you cannot spend {deep} operational points on a deep strike", deep=answer.deep))


def random_strike(orders: FightOrders, choice: Choice, hex: HexId, sites: Mapping[str, HexId]) -> FightOrders:
    """Return the orders with one more strike of any kind on a hex, legal or not."""
    replace = msgspec.structs.replace
    match choice.below(6):
        case 0:
            return replace(orders, air=(*orders.air, AirStrike(hex, choice.below(2) == 0)))
        case 1:
            return replace(orders, interdict=(*orders.interdict, AirStrike(hex, choice.below(2) == 0)))
        case 2:
            target = choice.one_of([hex, hex, AIRFIELD, VISTULA])
            return replace(orders, nuclear=(*orders.nuclear, target)) if choice.below(12) == 0 else orders
        case 3:
            gas = Chemical(hex, choice.one_of(["tactical", "operational", "artillery"]), choice.below(2) == 0)
            return replace(orders, chemical=(*orders.chemical, gas))
        case 4 if sites:
            site = choice.one_of(sorted(sites))
            return replace(orders, air=(*orders.air, AirStrike(sites[site], choice.below(2) == 0, (site,))))
        case _:
            return replace(orders, deep=1 + choice.below(3))


def strike_objections(
    board: Board, side: Side, orders: FightOrders, shares: Mapping[str, int] | None = None
) -> Iterator[Objection]:
    """21 to 23 Yield all objections to the strikes of a side: those of one seat, or of all seats together."""
    strikes = [*orders.air, *orders.interdict]
    gas = sum(one.delivery == "tactical" for one in orders.chemical) if side is Side.NATO else 0
    yield from points_objections(board.state, side, strikes, besides=gas, shares=shares)  # 22.2.2
    for name, given in (("air", orders.air), ("interdict", orders.interdict)):
        for number, strike in enumerate(given):
            yield from locate_objections((name, number), reach_objections(board, side, strike))
    yield from site_objections(board, side, orders.air)
    yield from named_objections(board, side, orders.air)
    on_units = [strike for strike in orders.air if not site_of(board.state, strike.targets)]
    for hex in dict.fromkeys(strike.hex for strike in on_units):
        here = [strike for strike in on_units if strike.hex == hex]
        at = ("air", orders.air.index(here[0]))
        yield from locate_objections(at, hex_objections(board, side, hex, here))
    for number, target in enumerate(orders.nuclear):
        earlier = orders.nuclear[:number]
        yield from locate_objections(("nuclear", number), nuclear_objections(board, side, target, earlier))
    yield from chemical_objections(board, side, orders.chemical)
    yield from deep_objections(board.state, side, orders)
    if any(strike.targets for strike in orders.interdict):
        yield Objection("23.8", say("an interdiction zone covers a hex and has no targets"))
    marked = [strike.hex for strike in orders.interdict]
    if len(set(marked)) < len(marked):
        yield Objection("23.8", say("only one interdiction marker can be placed in a hex"))
