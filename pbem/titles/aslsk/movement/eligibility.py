"""3.3 Which units may move, and which steps they may take next.

3.3                          mover_objections
3.3.1                        entry_objections: one hex
3.3/entry-exit               entering and leaving the map
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.movement.allowance import MF, cost_of, left_of
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit

OFF_MAP = "off"
"""3.3/entry-exit The word in a path that means leaving the map."""


def mover_objections(situation: Situation, unit: Unit) -> Iterator[Objection]:
    """3.3 Object to moving a unit that fired or directed fire in the PFPh, or that is broken, pinned or in Melee."""
    if unit.broken:
        yield Objection("3.3", say("{unit} is broken", unit=unit.id))
    if unit.pinned:
        yield Objection("3.2.3/pin", say("{unit} is pinned", unit=unit.id))
    if situation.in_melee(unit):
        yield Objection("3.8/melee", say("{unit} is in Melee", unit=unit.id))
    if unit.fired or any(weapon.fired == "prep" for weapon in situation.weapons(unit)):
        yield Objection("3.3", say("{unit} has fired in the Prep Fire Phase", unit=unit.id))
    if unit.moved:
        yield Objection("3.3.1/declaration", say("{unit} has already moved", unit=unit.id))
    if not unit.at and not situation.data.may_enter(unit, situation.state.turn):
        yield Objection("3.3/entry-exit", say("{unit} does not enter this turn", unit=unit.id))


def step_cost(situation: Situation, unit: Unit, to: str, *, cover: bool = False) -> int:
    """3.3.1 The cost in half MF of entering a hex (or leaving the map) from the unit's present hex."""
    if to == OFF_MAP:
        return MF
    if unit.at:
        return cost_of(situation, unit.at, to, cover=cover)
    if situation.ground[to].road and not cover:
        return MF
    return cost_of(situation, to, to)


def entry_objections(
    situation: Situation, units: Sequence[Unit], to: str, *, cover: bool = False
) -> Iterator[Objection]:
    """3.3.1 Object to a stack entering a hex that is not adjacent, holds enemies, has no room, or costs too much."""
    first = units[0]
    if to == OFF_MAP:
        yield from exit_objections(situation, units)
    elif to not in situation.ground:
        yield Objection("1.1", say("{to} is not on the map", to=to))
        return
    elif not first.at:
        if any(to not in situation.data.entry_hexes(unit) for unit in units):
            yield Objection("3.3/entry-exit", say("{to} is not in the entry area", to=to))
    elif not situation.ground.adjacent(first.at, to):
        yield Objection("3.3.1", say("{to} is not adjacent to {at}", to=to, at=first.at))
        return
    if to != OFF_MAP:
        if situation.enemies_at(to, first.seat) or situation.enemy_vehicles(to, first.seat):
            yield Objection("3.3", say("an enemy is in {to}", to=to))
        yield from situation.room_objections(to, first.seat, list(units))
    yield from cost_objections(situation, units, to, cover=cover)


def exit_objections(situation: Situation, units: Sequence[Unit]) -> Iterator[Objection]:
    """3.3/entry-exit Object to leaving the map except from a hex where the side may do so to meet its goals."""
    for unit in units:
        if unit.at not in situation.data.exit_hexes(unit.seat):
            yield Objection(
                "3.3/entry-exit", say("{unit} cannot leave the map from {at}", unit=unit.id, at=unit.at or "there")
            )


def cost_objections(situation: Situation, units: Sequence[Unit], to: str, *, cover: bool) -> Iterator[Objection]:
    """3.3.1/mf-bonus Yield an objection for each unit in the stack that cannot pay the whole cost."""
    for unit in units:
        going = unit.going
        if going is None:
            continue
        cost = step_cost(situation, unit, to, cover=cover)
        road = bool(unit.at) and to != OFF_MAP and situation.ground.road_between(unit.at, to) and not cover
        road = road and not situation.state.smoke.get(to)
        left = left_of(going, by_road=road)
        if cost > left:
            yield Objection(
                "3.3.1",
                say(
                    "{unit} has {left} MF left and needs {cost} for {to}",
                    unit=unit.id,
                    left=mf_in_words(left),
                    cost=mf_in_words(cost),
                    to=to,
                ),
            )
        elif going.assault and (going.hexes or going.spent + cost >= going.allowance):
            yield Objection(
                "3.3.1/assault-movement",
                say("in Assault Movement, {unit} can move only one hex and must not use all its MF", unit=unit.id),
            )


def action_objections(units: Sequence[Unit], cost: int, rule: str) -> Iterator[Objection]:
    """3.3.1 Yield an objection for each unit that cannot pay for an action in its present hex."""
    for unit in units:
        going = unit.going
        if going is None:
            continue
        left = left_of(going, by_road=going.hexes > 0)
        if cost > left:
            yield Objection(
                rule,
                say(
                    "{unit} has {left} MF left and needs {cost}",
                    unit=unit.id,
                    left=mf_in_words(left),
                    cost=mf_in_words(cost),
                ),
            )
        elif going.assault and going.spent + cost >= going.allowance:
            yield Objection(
                "3.3.1/assault-movement", say("{unit} must not use all its MF in Assault Movement", unit=unit.id)
            )


def mf_in_words(halves: int) -> str:
    """An amount in half MF as players write it: 3 or 1.5 MF."""
    return str(halves // 2) if halves % 2 == 0 else f"{halves // 2}.5"
