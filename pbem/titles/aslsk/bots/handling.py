"""Random choices about weapons: recovery, transfer, repair, charges, and weapons that fire on their own.

sample_rally      3.1 recovery, transfer, repair, DM
sample_gifts      3.7 weapons that are handed over or dropped before an advance
sample_weapons    4.2-4.5 flamethrowers, light anti-tank weapons and mortars of Infantry
sample_turns      3.2.4/covered-arc weapons that turn at the end of a fire phase
sample_burdens    4.0, 4.3 the weapons and charges that a moving stack picks up, drops and places
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.play.choice import Choice
from pbem.titles.aslsk.fire.components import component
from pbem.titles.aslsk.orders import Attempt, FireOrder, Leg, RallyOrders
from pbem.titles.aslsk.ordnance.arcs import facing_of
from pbem.titles.aslsk.player.checks import too_far
from pbem.titles.aslsk.player.idle_words import BLASTS
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit, Weapon, of_seat, piece_of, units_at
from pbem.titles.aslsk.weapons.possession import lying_in

SOLITARY = ("ft", "baz", "psk", "piat", "mortar", "atr")
"""Infantry weapons that fire alone, or may do so."""


def able_units(situation: Situation, seat: str) -> list[Unit]:
    return [unit for unit in of_seat(situation.state, seat) if unit.at and situation.good_order(unit)]


def sample_rally(situation: Situation, seat: str, choice: Choice) -> RallyOrders:
    """3.1 Pick up most unpossessed weapons, hand over some weapons, and repair some broken armaments."""
    units = able_units(situation, seat)
    found = [
        Attempt(unit.id, weapon.id) for unit in units for weapon in lying_in(situation, unit.at) if choice.below(3)
    ]
    broken = [weapon.id for weapon in situation.state.weapons.values() if weapon.malfunctioned and choice.below(2)]
    own = [id for id in broken if holder_is(situation, id, seat)]
    shaken = [unit.id for unit in of_seat(situation.state, seat) if unit.dm and not choice.below(4)]
    return RallyOrders(
        recover=tuple({attempt.other: attempt for attempt in found}.values()),
        transfer=tuple(sample_transfers(situation, seat, choice)),
        repair=tuple(own),
        shed_dm=tuple(shaken),
    )


def holder_is(situation: Situation, weapon: str, seat: str) -> bool:
    """Whether a unit or vehicle of a seat has a weapon on the map."""
    holder = piece_of(situation.state, situation.state.weapons[weapon].holder)
    return holder is not None and holder.seat == seat and bool(holder.at)


def sample_transfers(situation: Situation, seat: str, choice: Choice) -> Iterator[Attempt]:
    """3.1/d-transfer Occasionally let a unit hand a weapon to another unit in its hex."""
    for unit in able_units(situation, seat):
        others = [one for one in units_at(situation.state, unit.at, seat) if one.id != unit.id]
        for weapon in situation.weapons(unit):
            if others and not choice.below(6):
                yield Attempt(choice.one_of(others).id, weapon.id)


def sample_gifts(situation: Situation, seat: str, choice: Choice) -> Iterator[Attempt]:
    """3.7 Hand over or drop some weapons before an advance."""
    yield from sample_transfers(situation, seat, choice)
    for unit in able_units(situation, seat):
        for weapon in situation.weapons(unit):
            if not choice.below(20):
                yield Attempt("", weapon.id)


def sample_weapons(situation: Situation, seat: str, choice: Choice, enemies: Sequence[str]) -> Iterator[FireOrder]:
    """4.2-4.5 Fire weapons that may fire alone at enemies in range (mortars also smoke or WP), and destroy a few."""
    for unit in able_units(situation, seat):
        for weapon in situation.weapons(unit):
            card, one = situation.weapon_card(weapon), component(situation, weapon.id)
            if one is None or weapon.malfunctioned:
                continue
            if not choice.below(60):
                yield FireOrder((weapon.id,), (), destroy=True)
            near = [at for at in enemies if not too_far(situation, one, at)]
            if card.kind in SOLITARY and near and choice.below(2):
                how = choice.one_of(["", "", "smoke", "WP"]) if card.kind == "mortar" else ""
                blast = card.kind in BLASTS and not choice.below(2)
                yield FireOrder((weapon.id,), (choice.one_of(near),), how=how, blast=blast)
            if situation.ife_of(weapon) and near and not choice.below(2):
                yield FireOrder((f"{weapon.id}ife",), (choice.one_of(near),))


def sample_turns(situation: Situation, seat: str, choice: Choice, enemies: Sequence[str]) -> Iterator[FireOrder]:
    """3.2.4/covered-arc Turn Guns and vehicle weapons towards an enemy at the end of the phase."""
    for weapon in situation.state.weapons.values():
        own = holder_is(situation, weapon.id, seat) and facing_of(situation, weapon) >= 0
        if own and enemies and not choice.below(6):
            yield FireOrder((weapon.id,), (), face=choice.one_of(list(enemies)))


def sample_burdens(situation: Situation, units: Sequence[Unit], at: str, choice: Choice) -> list[Leg]:
    """4.0, 4.3 Let a stack pick up a weapon in its hex, drop one, or place a charge in an adjacent hex."""
    found = [Leg("recover", weapon=weapon.id) for weapon in lying_in(situation, at) if choice.below(2)]
    for unit in units:
        for weapon in situation.weapons(unit):
            if situation.weapon_card(weapon).kind == "dc":
                found += charge_legs(situation, unit, weapon, at, choice)
            elif not choice.below(12):
                found.append(Leg("drop", weapon=weapon.id))
    return found


def charge_legs(situation: Situation, unit: Unit, weapon: Weapon, at: str, choice: Choice) -> list[Leg]:
    """4.3/placement Place a charge against an adjacent enemy tank or hex, or occasionally in an empty hex."""
    for hex in situation.ground.neighbours(at):
        tanks = [one.id for one in situation.enemy_vehicles(hex, unit.seat)]
        if tanks and choice.below(3):
            return [Leg("place", hex, weapon=weapon.id, target=tanks[0])]
        if situation.enemies_at(hex, unit.seat) or tanks:
            return [Leg("place", hex, weapon=weapon.id)]
    near = situation.ground.neighbours(at)
    return [] if choice.below(3) else [Leg("place", choice.one_of(list(near)), weapon=weapon.id)]
