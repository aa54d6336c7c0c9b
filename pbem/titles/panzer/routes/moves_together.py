"""6.2.1.1.4 The moves ordered for units that share a command, before the turn is played.

parted_moves    the moves that would end too far from units that move earlier under the same command
kept_together   all moves, with the nearest possible ones instead of those
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from pbem.engine.geometry.hexes import Hex, parse_hex
from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.movement.shared_moves import companions, group_objections
from pbem.titles.panzer.movement.steps.acts import Mount, Overrun, To, acts_of, read_act
from pbem.titles.panzer.movement.steps.unit_steps import mover_of, start
from pbem.titles.panzer.player.plan import STAY, AssaultWish, MarchWish, usual_order
from pbem.titles.panzer.routes.itineraries import check_march, itinerary, marches, walk_on
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import PanzerState, Status, Unit

GOING_ON: Final = ("f", "b", "1", "2", "3", "4", "5", "6", "exit", "exit-b", "leave", "push")
"""Acts after a goal with which a unit leaves that hex again."""


class Parted(NamedTuple):
    """6.2.1.1.4 A move that ends too far from the unit's group: its refusal, and the nearest move that does not."""

    unit: str
    refusal: Refusal
    nearest: MarchWish


def parted_moves(
    situation: Situation, moves: Mapping[str, MarchWish], assaults: Mapping[str, AssaultWish], order: Iterable[str]
) -> Iterator[Parted]:
    """6.2.1.1.4 The moves that would end too far from units under the same command.

    Attacks come first, then the moves in the order in which they will be made. A unit without a goal of its own goes
    wherever its group goes.
    """
    units = dict(situation.state.vehicles)
    then = Situation(situation.data, msgspec.structs.replace(situation.state, vehicles=units))
    for id, attack in assaults.items():
        hex = parse_hex(attack.hex) if attack.hex else units[id].hex
        units[id] = msgspec.structs.replace(units[id], hex=hex, assaulted=True)
    for id in order:
        unit, wish = units[id], moves[id]
        if wish.mode == STAY or not wish.acts or not companions(then.state, unit):
            continue
        if (refusal := parting(then, unit, wish)) is not None:
            wish = nearest_together(then, unit, wish)
            yield Parted(id, refusal, wish)
        units[id] = moved(then, unit, wish) if wish.acts else unit


def kept_together(
    situation: Situation, moves: Mapping[str, MarchWish], assaults: Mapping[str, AssaultWish], order: Sequence[str]
) -> dict[str, MarchWish]:
    """6.2.1.1.4 The moves, with the nearest possible ones for units that would leave their group."""
    everybody = dict.fromkeys((*(id for id in order if id in moves), *usual_order(moves)))
    mended = {found.unit: found.nearest for found in parted_moves(situation, moves, assaults, everybody)}
    return {id: mended.get(id, wish) for id, wish in moves.items()}


def nearest_together(then: Situation, unit: Unit, wish: MarchWish) -> MarchWish:
    """6.2.1.1.4 The move closest to an ordered one that keeps the unit with its group; without acts if none does."""
    for answer in marches(then, unit, wish):
        near = MarchWish(answer["mode"], answer["steps"], stop=wish.stop)
        if near.acts and parting(then, unit, near) is None:
            return near
    return MarchWish()


def parting(then: Situation, unit: Unit, wish: MarchWish) -> Refusal | None:
    """6.2.1.1.4 The refusal of a move that ends too far from the unit's group, or None."""
    hex = end_of(then, unit, wish)
    if hex is None or not any(group_objections(then.data, mates(then.state, unit, wish), unit, hex, by_road(wish))):
        return None
    try:
        check_march(then, unit, wish)
    except Refusal as refusal:
        return refusal
    return None


def mates(view: PanzerState, unit: Unit, wish: MarchWish) -> Sequence[Unit]:
    """6.2.1.1.4 The units that must keep together with a unit, without those that it picks up."""
    taken_up = [act.unit for act in acts_of(Mount, wish.acts)]
    return [mate for mate in companions(view, unit) if mate.id not in taken_up]


def by_road(wish: MarchWish) -> bool:
    return wish.mode == "road"


def end_of(then: Situation, unit: Unit, wish: MarchWish) -> Hex | None:
    """6.6 The hex in which an ordered move ends; None if it leaves the map, or if an overrun decides."""
    if any(acts_of(Overrun, wish.acts)):
        return None
    goals = [number for number, act in enumerate(wish.acts) if isinstance(read_act(act), To)]
    if goals and not any(read_act(act).code in GOING_ON for act in wish.acts[goals[-1] + 1 :]):
        return parse_hex(next(acts_of(To, [wish.acts[goals[-1]]])).hex)
    found = itinerary(then, unit, wish)
    mover = mover_of(then, unit, found.mode == "quick")
    after = walk_on(mover, start(mover, found.mode), found.steps)
    march = after[0] if isinstance(after, tuple) else after
    return None if march.exit else march.hex


def moved(then: Situation, unit: Unit, wish: MarchWish) -> Unit:
    """6.6 A unit as it is after its ordered move; a unit that leaves the map no longer limits its group."""
    hex = end_of(then, unit, wish)
    if hex is not None:
        return msgspec.structs.replace(unit, hex=hex, moved=True, status=Status.ON_MAP)
    if any(acts_of(Overrun, wish.acts)):
        return unit
    return msgspec.structs.replace(unit, status=Status.EXITED)
