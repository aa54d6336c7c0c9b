"""1.6, 5.0 Units and other things on the map in words: for tooltips, sheets, and readers who cannot see it.

    5.0          unit_card: a unit in a few lines; card_lines: everything on its card
    6.0          condition, place_words, command_words
    describe     the whole map, one line for each item

Everything comes from a view and reveals no more than the view does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.rules.title import Stand
from pbem.engine.text.ground import ground_lines
from pbem.titles.panzer.cards.card_rows import CoverDefence
from pbem.titles.panzer.cards.chart_rows import Shot
from pbem.titles.panzer.cards.weapons import Armament, weapons_left
from pbem.titles.panzer.picture.ground import hex_words, terrain_words
from pbem.titles.panzer.picture.vehicles import (
    DIRECTIONS,
    command_words,
    objective_words,
    reserve_lines,
    seen_by,
    side_name,
    wreck_words,
)
from pbem.titles.panzer.sighting.camouflage import finders_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import (
    AircraftState,
    Cloud,
    Damage,
    Feature,
    HiddenCounter,
    HullDown,
    Inside,
    Marker,
    Mission,
    Spot,
    Unit,
)

if TYPE_CHECKING:
    from pbem.titles.panzer.data_set import PanzerData
    from pbem.titles.panzer.state import PanzerState

LABELS: Final = {
    "chq": "company HQ",
    "bhq": "battalion HQ",
    "rhq": "regimental HQ",
    "fo": "forward observer",
    "recon": "recon",
    "engineer": "engineers",
}
TYPES: Final = {"A": "armoured", "P": "partly armoured", "S": "soft"}
FLAGS: Final = {
    "hidden": "hidden",
    "camouflaged": "camouflaged",
    "hesitating-on": "hesitating",
    "hesitating-off": "hesitating",
    "broken-on": "broken",
    "broken-off": "broken",
    "bogged": "bogged down",
    "pushed": "pushed off the road",
}
DAMAGE: Final = {Damage.TURRET: "turret damaged", Damage.HULL: "hull damaged", Damage.WHOLE: "damaged"}


# --- one unit ------------------------------------------------------------------------------------------------


def card_name(data: PanzerData, unit: Unit) -> str:
    """1.6 The name on the unit's card."""
    if unit.kind == "vehicle":
        return data.vehicle(unit).card.name
    return (data.leg(unit) if unit.kind == "leg" else data.towed(unit)).name


def nation_of(data: PanzerData, unit: Unit) -> str:
    """1.6 The unit's nation."""
    if unit.kind == "vehicle":
        return data.vehicle(unit).nation
    return (data.leg(unit) if unit.kind == "leg" else data.towed(unit)).nation


def unit_card(situation: Situation, unit: Unit, viewer: str) -> str:
    """1.6 A unit in a few lines."""
    name = f"{unit.id} {unit.name} · {card_name(situation.data, unit)}"
    return "\n".join(filter(None, [name, *facts(situation, unit, viewer)]))


def facts(situation: Situation, unit: Unit, viewer: str) -> Iterator[str]:
    """5.0 A unit's position, condition and capabilities."""
    data, view = situation.data, situation.state
    yield place_words(view, unit)
    yield formation_words(data, unit)
    yield ", ".join(filter(None, [counter_words(unit, viewer), *condition(view, unit)]))
    yield body_words(data, unit)
    yield from (weapon_words(arm, rated=data.plays("rate_of_fire")) for arm in weapons_left(data, unit))
    if view.spotted.get(unit.id):
        yield f"spots {', '.join(view.spotted[unit.id])}"
    if seen := seen_by(view, unit):
        yield f"spotted by {', '.join(seen)}"


def place_words(view: PanzerState, unit: Unit) -> str:
    """6.6.7 The unit's hex and facing, or its carrier."""
    if unit.hex is None:
        return "not on the map"
    where = f"in {hex_name(unit.hex)}"
    if unit.aboard:
        return f"{where}, aboard {unit.aboard}"
    riders = [passenger.id for passenger in view.passengers(unit)]
    carries = f", carrying {' and '.join(riders)}" if riders else ""
    return f"{where}, facing {unit.facing} ({DIRECTIONS[unit.facing]}){carries}"


def formation_words(data: PanzerData, unit: Unit) -> str:
    """5.8, 5.9 Describe a unit's formation, grade and labels."""
    formation = data.scenario.formations.get(unit.formation)
    labels = ", ".join(LABELS[label] for label in unit.labels)
    grade = unit.grade if data.plays("unit_grades") else ""
    return ", ".join(filter(None, [formation.name if formation else "", grade, labels]))


def counter_words(unit: Unit, viewer: str) -> str:
    """4.2.1, 6.2.1.1.3 The unit's command, and the unit it shares a counter with."""
    said = command_words(unit, viewer)
    return f"{said}, shared with {unit.shares}" if said and unit.shares else said


def condition(view: PanzerState, unit: Unit) -> Iterator[str]:
    """5.7, 5.10, 5.15, 6.1.4, 6.5.2.2 Everything that the unit's markers show."""
    if unit.suppression is not Marker.NONE:
        yield f"suppressed ({unit.suppression.value})"
    if unit.damage is not Damage.NONE:
        yield DAMAGE[unit.damage]
    if unit.track_hit:
        yield "track hit"
    if unit.bailed_out:
        yield "abandoned by its crew"
    if unit.full_cover:
        yield "in full cover"
    if unit.crawling:
        yield "crawling"
    if unit.hull_down is not HullDown.NONE:
        yield "hull down" if unit.hull_down is HullDown.HD else "partially hull down"
    if unit.inside is not Inside.NO:
        yield "upstairs" if unit.inside is Inside.UP else "inside a building"
    if unit.position in view.features:
        yield f"in {feature_name(view.features[unit.position])}"
    if unit.marker is not Spot.NONE:
        small = " (small arms)" if unit.small_arms or unit.pending_small_arms else ""
        yield f"{unit.marker.value} marker{small}"
    yield from (FLAGS.get(flag, flag.replace("-", " ")) for flag in unit.flags)
    yield from (f"found by {finder}" for finder in finders_of(unit))
    if unit.fired:
        yield "has fired"
    if unit.moved:
        yield "has moved"


def body_words(data: PanzerData, unit: Unit) -> str:
    """1.6, 5.1, 5.2 Movement, size, GP defence; for vehicles also type and a summary of the armour."""
    if unit.kind == "vehicle":
        card = data.vehicle(unit)
        basic = card.card
        armour = f", armour {basic.front} front {basic.rear} rear" if card.armour else ""
        movement = f"movement {basic.cross_country}{basic.traction} {basic.path}-{basic.road}"
        if data.basic:
            return f"armour {basic.front} front {basic.rear} rear, {movement}, size {basic.size:+d}"
        return (
            f"{TYPES[card.type]} ({card.type}-type), {movement}, size {basic.size:+d}, GP defence {card.defence}"
            f"{armour}{', open-topped' if basic.open_topped else ''}"
        )
    if unit.kind == "towed":
        gun = data.towed(unit)
        return f"towed gun, moved by hand {gun.movement.value}, {defence_words(gun.defence, gun.full_cover.value)}"
    leg = data.leg(unit)
    riding = "" if leg.mount == "foot" else f" on {leg.mount}s" if leg.mount != "cavalry" else " on horseback"
    size = leg.size.replace("_", "-")
    return f"{size}{riding}, movement {leg.movement.value}, {defence_words(leg.defence, leg.full_cover.value)}"


def defence_words(defence: CoverDefence, full: int) -> str:
    """6.5.4.2.2 Describe the GP defence in each class of cover."""
    rows = "/".join(str(cell.value) for cell in (defence.none, defence.light, defence.medium, defence.heavy))
    return f"GP defence {rows} (none/light/medium/heavy cover), full cover +{full}"


def weapon_words(arm: Armament, *, rated: bool = True) -> str:
    """6.5 A weapon with its rows from the card."""
    told = []
    if arm.weapon.has_ap:
        rate = f", rate {arm.rate}" if rated else ""
        told.append(f"AP {row(arm.weapon.ranges)} penetration {row(arm.weapon.penetration)}{rate}")
    told += [f"{ammo.type} {row(ammo.ranges.value)} penetration {row(ammo.penetration.value)}" for ammo in arm.ammo]
    if arm.gp is not None:
        small = " small arms" if arm.small_arms else ""
        told.append(f"GP {row(arm.gp.ranges.value)} factors {row(arm.gp.factors.value)}{small}")
    if arm.indirect is not None:
        told.append(f"indirect {row(arm.indirect.ranges.value)} factors {row(arm.indirect.factors.value)}")
    if arm.aa is not None:
        told.append(f"against aircraft {row(arm.aa.ranges.value)} factors {row(arm.aa.factors.value)}")
    told += ["smoke"] if arm.smoke else []
    told += [f"limit {letter} {limit}" for letter, limit in sorted(arm.limits.items())]
    return f"{arm.index}: {arm.name}: {'; '.join(told) or 'for close combat only'}"


def row(numbers: tuple[int, ...]) -> str:
    return "/".join(map(str, numbers))


def card_lines(data: PanzerData, unit: Unit) -> Iterator[str]:
    """1.6 The back of a card: armour by angle and slope, transport, notes."""
    if unit.kind != "vehicle":
        passenger = data.leg(unit).passenger if unit.kind == "leg" else data.towed(unit).passenger
        if passenger is not None:
            yield f"takes {passenger.value[0]}-{passenger.value[1]} of a transport"
        if unit.transport:
            yield f"its transport is {unit.transport}"
        return
    card = data.vehicle(unit)
    if card.armour is not None:
        for slope in Shot:
            ends = " ".join(f"{place.value} {armour}" for place, armour in card.armour.ends[slope].items())
            sides = " ".join(f"{place.value} {armour}" for place, armour in card.armour.sides[slope].items())
            yield f"armour, {slope.value} shot: ends {ends}; from the sides {sides}"
        yield f"deck armour {card.armour.deck}"
    if any(card.transport):
        yield f"carries {card.transport[0]}-{card.transport[1]}"
    if card.notes:
        yield f"notes: {', '.join(note.replace('_', ' ') for note in sorted(card.notes))}"


# --- the map -------------------------------------------------------------------------------------------------


def feature_name(feature: Feature) -> str:
    """6.1.4.3 The name of a terrain counter."""
    name = feature.type.replace("_", " ")
    digging = feature.type == "hasty_entrenchment" and feature.stage < 4
    return f"{name} (stage {feature.stage} of 4)" if digging else name


def feature_words(data: PanzerData, feature: Feature) -> str:
    """6.1.4.3 A terrain counter and its hex."""
    whose = f" of {side_name(data, feature.side)}" if feature.side else ""
    holder = f", held by {feature.holder}" if feature.holder else ""
    return f"{hex_name(feature.hex)}: {feature_name(feature)}{whose}{holder}"


def cloud_words(cloud: Cloud) -> str:
    """6.1.4.3.10 Describe a cloud: smoke, barrage or dust."""
    thin = ", thinning out" if cloud.marker is Marker.OFF else ""
    return f"{cloud.type.capitalize()} over {', '.join(map(hex_name, cloud.hexes))}{thin}"


def mission_words(data: PanzerData, mission: Mission) -> str:
    """6.5.1 A fire mission under way."""
    firers = f" by {', '.join(mission.firers)}" if mission.firers else ""
    observer = f", observed by {mission.observer}" if mission.observer else ""
    whose = f"{mission.id} of {side_name(data, mission.side)}"
    return f"Fire mission {whose} on {hex_name(mission.point)}{firers}{observer}"


def describe(situation: Situation, *, viewer: str) -> list[str]:
    """The map in words, one line for each item on it."""
    data, view = situation.data, situation.state
    names = {kind: terrain.name for kind, terrain in data.charts.terrains.items()}
    lines = [f"{data.board.name}, turn {view.turn} of {data.scenario.turns}."]
    for side in data.scenario.sides:
        lines += [unit_line(data, names, view, unit, viewer) for unit in view.of(side.id)]
        lines += reserve_lines(situation, side.id)
    lines += support_lines(situation)
    lines += [f"{feature_words(data, feature)}." for feature in view.features.values()]
    lines += [f"{hidden_words(data, hidden)}." for hidden in view.hidden_counters.values()]
    lines += [f"{cloud_words(cloud)}." for cloud in view.clouds.values()]
    lines += [f"{mission_words(data, mission)}." for mission in view.missions.values()]
    lines += [f"{wreck_words(name, wreck.brewed_up)}." for name, wreck in sorted(view.wrecks.items())]
    lines += [f"{objective_words(situation, objective)}." for objective in data.scenario.objectives]
    hexes = {hex_name(hex): terrain_words(data.board, names, hex) for hex in data.board.hexes}
    return [*lines, *ground_lines(hexes)]


def hidden_words(data: PanzerData, hidden: HiddenCounter) -> str:
    """7.2.1 A hidden counter; only its owner's view shows its contents, and to others dummies look the same."""
    moved = ", has moved" if hidden.marker else ""
    under = f": {', '.join(hidden.units)}" if hidden.units else ""
    return f"{hidden.id} hidden counter ({side_name(data, hidden.side)}) in {hex_name(hidden.hex)}{moved}{under}"


def unit_line(data: PanzerData, names: Mapping[str, str], view: PanzerState, unit: Unit, viewer: str) -> str:
    """`ge1 Rifle 1 (Battlegroup): E5: Woods; facing 3 south-east; command face down; suppressed (on).`"""
    assert unit.hex is not None
    seen = seen_by(view, unit)
    where = f"aboard {unit.aboard}" if unit.aboard else f"facing {unit.facing} {DIRECTIONS[unit.facing]}"
    told = [
        f"{hex_words(data.board, names, unit.hex)}; {where}",
        counter_words(unit, viewer),
        *condition(view, unit),
        f"spotted by {', '.join(seen)}" if seen else "",
    ]
    return f"{unit.id} {unit.name} ({side_name(data, unit.side)}) in {'; '.join(filter(None, told))}."


def stands(situation: Situation) -> Iterator[Stand]:
    """3.4, 6.7.2 Every unit on the map and aircraft over it, with markers; passengers are with their carriers."""
    data, view = situation.data, situation.state
    for side in data.scenario.sides:
        for unit in view.of(side.id):
            if unit.hex is None:
                continue
            formation = data.scenario.formations.get(unit.formation)
            aboard = (f"aboard {unit.aboard}",) if unit.aboard else ()
            yield Stand(
                unit.id,
                card_name(data, unit),
                unit.side,
                hex_name(unit.hex),
                None if unit.aboard or unit.kind == "leg" else unit.facing,
                (*aboard, *condition(view, unit)),
                formation.name if formation else "",
            )
    for counter in view.hidden_counters.values():
        moved = ("moved",) if counter.marker else ()
        yield Stand(counter.id, "hidden counter", counter.side, hex_name(counter.hex), None, moved)  # 7.2.2
    for aircraft in view.aircraft.values():
        if (flight := aircraft.flight) is not None:
            hurt = [("suppressed", bool(aircraft.suppression)), ("damaged", aircraft.damaged)]
            marks = (f"{flight.altitude} altitude", *(word for word, holds in hurt if holds))
            yield Stand(aircraft.id, aircraft.name, aircraft.side, hex_name(flight.hex), flight.facing, marks)


def support_lines(situation: Situation) -> Iterator[str]:
    """5.3, 5.4 Off-map batteries, with the points that the viewer may know, and aircraft."""
    data, view = situation.data, situation.state
    for battery in view.batteries.values():
        points = f"; registered on {', '.join(battery.registered)}" if battery.registered else ""
        yield f"{battery.id} {battery.name} ({side_name(data, battery.side)}), off the map{points}."
    for aircraft in view.aircraft.values():
        yield f"{aircraft.id} {aircraft.name} ({side_name(data, aircraft.side)}), {aircraft_words(aircraft)}."


def aircraft_words(aircraft: AircraftState) -> str:
    """6.7.2 An aircraft's position and condition."""
    if aircraft.shot_down:
        return "shot down"
    hurt = ", damaged" if aircraft.damaged else ""
    if aircraft.flight is None:
        return f"not over the map{hurt}"
    flight = aircraft.flight
    where = hex_name(flight.hex)
    return f"over {where} at {flight.altitude} altitude, flying {flight.facing} {DIRECTIONS[flight.facing]}{hurt}"
