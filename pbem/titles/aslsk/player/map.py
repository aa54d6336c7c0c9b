"""1.1, 1.2 The map as a viewer may see it: counters with their markers, and markers on hexes."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.text.messages import Message
from pbem.titles.aslsk.picture.scene import scene
from pbem.titles.aslsk.picture.words import Sign, Token, describe
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit
from pbem.titles.aslsk.telling.markers import vehicle_markers
from pbem.titles.aslsk.victory import holder_of

FIRED = {"prep": "Prep Fire", "first": "First Fire", "final": "Final Fire", "intensive": "Intensive Fire"}


def markers(unit: Unit) -> tuple[str, ...]:
    """11 C The markers on a unit, as words."""
    found = [word for word, on in (("DM", unit.dm), ("Pin", unit.pinned), ("CX", unit.cx)) if on]
    found += ["Wounded"] if unit.wounded else []
    return (*found, FIRED[unit.fired]) if unit.fired else tuple(found)


def tokens(situation: Situation, viewer: str) -> Iterator[Token]:
    """1.2 Every counter on the map; a weapon is shown with the unit that possesses it."""
    state = situation.state
    for unit in state.units.values():
        if not unit.at:
            continue
        own = unit.seat == viewer
        yield Token(
            unit.id, unit.card, unit.at, unit.seat, own, unit.broken, markers=markers(unit), hidden=unit.hidden
        )
        for weapon in situation.weapons(unit):
            fired = (FIRED[weapon.fired],) if weapon.fired else ()
            yield Token(
                weapon.id,
                weapon.card,
                unit.at,
                unit.seat,
                own,
                weapon.malfunctioned,
                facing=weapon.facing,
                holder=unit.id,
                markers=fired,
                hidden=unit.hidden,
            )
    for vehicle in state.vehicles.values():
        if vehicle.at:
            yield Token(
                vehicle.id,
                vehicle.card,
                vehicle.at,
                vehicle.seat,
                vehicle.seat == viewer,
                facing=vehicle.vca,
                turret=vehicle.tca if situation.vehicle_card(vehicle).turret != "NT" else -1,
                markers=vehicle_markers(vehicle),
            )
    for wreck in state.wrecks:
        yield Token(wreck.id, wreck.card, wreck.at, wreck.seat, broken=True)
    for weapon in state.weapons.values():
        if weapon.at:
            yield Token(weapon.id, weapon.card, weapon.at, "", broken=weapon.malfunctioned)


def signs(situation: Situation) -> Iterator[Sign]:
    """1.2 The markers on hexes: Smoke, Residual FP, Melee, charges, acquired targets, and the places that decide
    the match.
    """
    state = situation.state
    for hex in sorted(state.smoke):
        yield Sign(hex, "smoke", f"+{situation.smoke_in(hex)}")
    for hex, strength in sorted(state.residual.items()):
        yield Sign(hex, "residual", str(strength))
    yield from (Sign(hex, "melee") for hex in state.melee)
    yield from (Sign(charge.at, "charge") for charge in state.charges)
    for weapon in state.weapons.values():
        if weapon.acquisition:
            yield Sign(weapon.acquired, "acquired", f"-{weapon.acquisition}")
    for goal in situation.data.scenario.victory:
        for place in (*goal.buildings, *goal.hexes):
            hexes = situation.ground.building_hexes(place) if place in situation.ground.buildings else (place,)
            yield Sign(hexes[0], "goal", place)
            if holder := holder_of(situation, place):
                yield Sign(hexes[0], "control", side=holder)


def map_in_words(situation: Situation, viewer: str = "public") -> list[Message]:
    """1.1 Describe the map as a viewer may see it."""
    data, names = situation.data, names_of_sides(situation)
    return list(describe(data.ground, data.deck, tokens(situation, viewer), signs(situation), names))


def names_of_sides(situation: Situation) -> dict[str, str]:
    """1.3 The sides' names in the scenario."""
    return {side.id: side.name for side in situation.data.scenario.sides}


def picture(situation: Situation, viewer: str = "public") -> str:
    """Draw the map as a viewer may see it."""
    data, view = situation.data, situation.state
    areas: dict[str, list[str]] = {}
    if view.phase == "setup":
        for group in data.scenario.groups:
            areas.setdefault(group.side, []).extend(group.area or group.entry)
    return scene(
        data.ground,
        data.deck,
        list(tokens(situation, viewer)),
        list(signs(situation)),
        title=data.scenario.name,
        areas=areas,
        colours={side.id: data.deck.nations[side.nation].paper for side in data.scenario.sides},
        names=names_of_sides(situation),
    )
