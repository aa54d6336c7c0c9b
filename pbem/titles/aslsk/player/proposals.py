"""Orders for many units at once: complete lines for a selection of units, each legal as written.

3.2.2    fire: the units of each hex fire at one target
3.3.1    move: each stack moves as near to a goal as its MF allow
3.7      advance
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator
from typing import Any

import msgspec

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal, each
from pbem.engine.rules.title import Proposal, Wish
from pbem.engine.text.messages import Message, fill, pattern, several
from pbem.titles.aslsk.fire.components import components
from pbem.titles.aslsk.movement.allowance import MF, allowance_of, cost_of
from pbem.titles.aslsk.orders import NO_ORDERS, AdvanceOrder, FireOrder, Leg, MoveOrder, Orders
from pbem.titles.aslsk.ordnance.to_hit import is_ordnance
from pbem.titles.aslsk.player.checks import section_objections
from pbem.titles.aslsk.player.wording import order_lines
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit, Vehicle, piece_of

MOST_SQUADS = 3
"""3.3.1/stacking The maximum number of squads in a hex."""
BROKEN = pattern("broken: {units}")
ENGAGED = pattern("in melee: {units}")
UNABLE = pattern("cannot do that now: {units}")
SECTIONS = {"orders": "prep", "rally_prep": "prep", "final_fire": "final", "advancing_fire": "advancing"}


def propose(situation: Situation, ask: Ask, wish: Wish, kept: Orders = NO_ORDERS) -> Proposal:
    """Return lines for a wish such as `move` to a goal or `fire` at a hex, and the units that are left out.

    The lines are legal together with `kept`, the orders already written.
    """
    data, view = situation.data, situation.state
    units = [view.units[id] for id in wish.units if id in view.units and view.units[id].seat == ask.seat]
    target = data.ground.find(wish.goal or wish.target) or ""
    if wish.target in view.units:
        target = view.units[wish.target].at
    lines: list[str] = []
    used: list[str] = []
    whole = kept
    for stack in (*by_hex([unit for unit in units if unit.at]), *waves(situation, units)):
        ends = full_hexes(situation, whole, stack)
        for orders, ids in candidates(situation, ask.kind, wish.verb, stack, target, ends):
            together = join_orders(whole, orders)
            if not any(section_objections(situation, ask.seat, ask.kind, together)):
                lines += order_lines(orders, ask.kind)
                used += ids
                whole = together
                break
    left = tuple(id for id in wish.units if id not in used)
    return Proposal(
        tuple(lines), left, tuple(reasons_for(situation, [unit for unit in units if unit.id in left], left))
    )


def join_orders(one: Orders, other: Orders) -> Orders:
    """11 G Join the lines of two sets of orders, section by section."""
    listed = [name for name in one.__struct_fields__ if isinstance(getattr(one, name), tuple)]
    return msgspec.structs.replace(one, **{name: getattr(one, name) + getattr(other, name) for name in listed})


def full_hexes(situation: Situation, orders: Orders, stack: list[Unit]) -> set[str]:
    """3.3.1/stacking The hexes that will have no room for a stack once the ordered moves have ended there.

    Stacks that enter the map must end in different hexes.
    """
    there: dict[str, int] = {}
    for move in orders.moves:
        units = [situation.state.units[id] for id in move.units if id in situation.state.units]
        squads = sum(map(situation.is_mmc, units))
        if (end := end_of(move)) and squads:
            there[end] = there.get(end, 0) + squads
    coming = sum(map(situation.is_mmc, stack)) if stack[0].at else MOST_SQUADS
    return {hex for hex, squads in there.items() if squads + coming > MOST_SQUADS}


def end_of(move: MoveOrder) -> str:
    """3.3.1 The last hex that a move enters; empty if it enters none."""
    return next((leg.hex for leg in reversed(move.legs) if leg.do == "enter"), "")


def reasons_for(situation: Situation, known: Collection[Unit], left: Collection[str]) -> Iterator[Message]:
    """Say why units are left out, grouped by reason; `known` holds the seat's own units among them."""
    broken = [unit.id for unit in known if unit.broken]
    engaged = [unit.id for unit in known if not unit.broken and situation.in_melee(unit)]
    others = [id for id in left if id not in broken and id not in engaged]
    for units, say_why in ((broken, BROKEN), (engaged, ENGAGED), (others, UNABLE)):
        if units:
            yield fill(say_why, {"units": several(units, "unit")})


def by_hex(units: list[Unit]) -> list[list[Unit]]:
    return [[unit for unit in units if unit.at == hex] for hex in dict.fromkeys(unit.at for unit in units)]


def waves(situation: Situation, units: list[Unit]) -> Iterator[list[Unit]]:
    """3.3/entry-exit, 3.3.1/stacking Yield the units off the map in stacks, each with a leader if possible."""
    waiting = [unit for unit in units if not unit.at]
    for entry in dict.fromkeys(situation.data.entry_hexes(unit) for unit in waiting):
        here = [unit for unit in waiting if situation.data.entry_hexes(unit) == entry]
        leaders = [unit for unit in here if not situation.is_mmc(unit)]
        others = [unit for unit in here if unit not in leaders]
        parts = [others[at : at + MOST_SQUADS] for at in range(0, len(others), MOST_SQUADS)] or [[]]
        for number, part in enumerate(parts):
            yield leaders[number :: len(parts)] + part


def candidates(
    situation: Situation, kind: str, verb: str, stack: list[Unit], target: str, ends: set[str]
) -> Iterator[tuple[Orders, list[str]]]:
    """Yield orders for one stack, best first."""
    able = [unit for unit in stack if not unit.broken and not situation.in_melee(unit)]
    if not able or not target:
        return
    ids = [unit.id for unit in able]
    if verb == "fire" and kind in SECTIONS:
        found = firing_ids(situation, able)
        if found:
            yield sections(SECTIONS[kind], FireOrder(found, (target,))), ids
    elif verb == "move" and kind in ("orders", "wave", "go_on"):
        path = path_towards(situation, able, target, ends)
        if path:
            yield sections("moves", MoveOrder(tuple(ids), tuple(Leg("enter", hex) for hex in path))), ids
    elif verb == "advance" and kind in ("orders", "advancing_fire", "close"):
        yield sections("advances", AdvanceOrder(tuple(ids), target)), ids


def sections(name: str, order: FireOrder | MoveOrder | AdvanceOrder) -> Orders:
    """Return orders with a single line, in the section of this name."""
    return msgspec.structs.replace(NO_ORDERS, **{name: (order,)})


def firing_ids(situation: Situation, units: list[Unit]) -> tuple[str, ...]:
    """3.2.2 The inherent FP of each MMC and one MG for each, without ordnance."""
    ids: list[str] = []
    for unit in units:
        weapons = [weapon.id for weapon in situation.weapons(unit) if not weapon.malfunctioned]
        guns = [one.id for one in components(situation, weapons) if not is_ordnance(situation, one)]
        if situation.is_squad(unit):
            ids += [unit.id, *guns[:1]]
        elif situation.is_mmc(unit):
            ids += guns[:1] or [unit.id]
    return tuple(ids)


def path_towards(situation: Situation, units: list[Unit], goal: str, ends: Collection[str] = ()) -> list[str]:
    """3.3.1 The hexes of the cheapest path to a goal, as far as the MF of the whole stack allow.

    Units off the map enter it (3.3/entry-exit), and stop short of a hex where other entering units end.
    """
    start, seat = units[0].at, units[0].seat
    entries = situation.data.entry_hexes(units[0]) if not start else ()
    heap: list[tuple[int, str, tuple[str, ...]]] = [(0, start, ())] if start else []
    heap += [(cost_of(situation, hex, hex), hex, (hex,)) for hex in entries if hex not in ends]
    heapq.heapify(heap)
    done: set[str] = set()
    while heap:
        cost, hex, path = heapq.heappop(heap)
        if hex in done:
            continue
        done.add(hex)
        if hex == goal:
            kept = within_allowance(situation, units, path)
            while kept and kept[-1] in ends:
                kept.pop()
            return kept
        for near in situation.ground.neighbours(hex):
            if near not in done and not situation.enemies_at(near, seat):
                heapq.heappush(heap, (cost + cost_of(situation, hex, near), near, (*path, near)))
    return []


def within_allowance(situation: Situation, units: list[Unit], path: tuple[str, ...]) -> list[str]:
    """3.3.1/mf-bonus The part of a path that every unit in the stack can pay for."""
    left = min(allowance_of(situation, unit, units) for unit in units)
    kept: list[str] = []
    at = units[0].at or path[0]
    for hex in path:
        left -= cost_of(situation, at, hex)
        if left < 0:
            break
        kept.append(hex)
        at = hex
    return kept


def refused_preview(refusal: Refusal) -> dict[str, Any]:
    """Return the reasons why a line is refused, and lines to send instead."""
    found = each(refusal)
    against = [str(objection) for one in found for objection in one.objections]
    return {"accepted": False, "objections": against, "instead": [line for one in found for line in one.instead]}


def ways_ahead(situation: Situation, answer: Any) -> Iterator[dict[str, Any]]:
    """3.3.1, 3.3.2 Yield each stack that an order moves, with the hexes of its path and its allowance in MF or MP."""
    for move in answer.get("moves", ()) if isinstance(answer, dict) else ():
        pieces = [piece for id in move["units"] if (piece := piece_of(situation.state, id)) is not None]
        stack = [piece for piece in pieces if isinstance(piece, Unit)]
        double = bool(move.get("double"))
        if stack:
            allowed = min(allowance_of(situation, unit, stack, double=double) for unit in stack) // MF
        else:
            allowed = min((situation.vehicle_card(one).mp for one in pieces if isinstance(one, Vehicle)), default=0)
        path = [leg["hex"] for leg in move["legs"] if leg["do"] in ("enter", "push") and leg.get("hex")]
        yield {"units": list(move["units"]), "path": path, "allowance": allowed}
