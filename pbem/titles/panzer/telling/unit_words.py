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
from pbem.engine.text.compass import COMPASS
from pbem.engine.text.ground import ground_lines
from pbem.engine.text.messages import Message, as_message, fill, pattern, say, several, term
from pbem.titles.panzer.cards.card_rows import CoverDefence
from pbem.titles.panzer.cards.chart_rows import Shot
from pbem.titles.panzer.cards.weapons import Armament, weapons_left
from pbem.titles.panzer.picture.ground import hex_words, terrain_words
from pbem.titles.panzer.picture.vehicles import (
    DIRECTIONS,
    SPOT_MARKERS,
    command_words,
    facing_words,
    heading,
    objective_words,
    reserve_lines,
    seen_by,
    sentence,
    side_name,
    spotted_words,
    unit_sentence,
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
from pbem.titles.panzer.telling.words.codes import WORDS

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
    "hidden": say("hidden"),
    "camouflaged": say("camouflaged"),
    "hesitating-on": say("hesitating"),
    "hesitating-off": say("hesitating"),
    "broken-on": say("broken"),
    "broken-off": say("broken"),
    "bogged": say("bogged down"),
    "pushed": say("pushed off the road"),
}
DAMAGE: Final = {
    Damage.TURRET: term("marker", "turret damaged"),
    Damage.HULL: term("marker", "hull damaged"),
    Damage.WHOLE: term("marker", "damaged"),
}
SUPPRESSED: Final = {Marker.ON: say("suppressed (on)"), Marker.OFF: say("suppressed (off)")}
SMALL_ARMS: Final = {
    Spot.FIRE: say("fire marker (small arms)"),
    Spot.MOVE: say("move marker (small arms)"),
}
FEATURES: Final = {
    "barrage": term("panzer counter", "barrage"),
    "block": term("panzer counter", "block"),
    "bridge": term("panzer counter", "bridge"),
    "wire": term("panzer counter", "wire"),
    "rooftop": term("panzer counter", "rooftop"),
    "hasty_mines": term("panzer counter", "hasty mines"),
    "deliberate_mines": term("panzer counter", "deliberate mines"),
    "wood_rubble": term("panzer counter", "wood rubble"),
    "brick_rubble": term("panzer counter", "brick rubble"),
    "stone_rubble": term("panzer counter", "stone rubble"),
    "bridge_rubble": term("panzer counter", "bridge rubble"),
    "position_rubble": term("panzer counter", "position rubble"),
    "improved_position": term("panzer counter", "improved position"),
    "hasty_entrenchment": term("panzer counter", "hasty entrenchment"),
}
"""6.1.4.3 Terrain counters in words."""
CLOUDS: Final = {
    "smoke": pattern("Smoke over {hexes}"),
    "barrage": pattern("Barrage over {hexes}"),
    "dust": pattern("Dust over {hexes}"),
    "light": pattern("Light over {hexes}"),
}


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
    yield ", ".join(map(str, filter(None, [counter_words(unit, viewer), *condition(view, unit)])))
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


def counter_words(unit: Unit, viewer: str) -> Message | None:
    """4.2.1, 6.2.1.1.3 The unit's command, and the unit it shares a counter with; None without a command."""
    said = command_words(unit, viewer)
    return say("{command}, shared with {unit}", command=said, unit=unit.shares) if said and unit.shares else said


def condition(view: PanzerState, unit: Unit) -> Iterator[Message]:
    """5.7, 5.10, 5.15, 6.1.4, 6.5.2.2 Everything that the unit's markers show."""
    if unit.suppression is not Marker.NONE:
        yield SUPPRESSED[unit.suppression]
    if unit.damage is not Damage.NONE:
        yield DAMAGE[unit.damage]
    if unit.track_hit:
        yield say("track hit")
    if unit.bailed_out:
        yield say("abandoned by its crew")
    if unit.full_cover:
        yield say("in full cover")
    if unit.crawling:
        yield say("crawling")
    if unit.hull_down is not HullDown.NONE:
        yield say("hull down") if unit.hull_down is HullDown.HD else say("partially hull down")
    if unit.inside is not Inside.NO:
        yield say("upstairs") if unit.inside is Inside.UP else say("inside a building")
    if unit.position in view.features:
        yield say("in {counter}", counter=feature_name(view.features[unit.position]))
    if unit.marker is not Spot.NONE:
        small = unit.small_arms or unit.pending_small_arms
        yield SMALL_ARMS[unit.marker] if small else SPOT_MARKERS[unit.marker]
    yield from (FLAGS.get(flag) or as_message(flag.replace("-", " ")) for flag in unit.flags)
    yield from (say("found by {unit}", unit=finder) for finder in finders_of(unit))
    if unit.fired:
        yield say("has fired")
    if unit.moved:
        yield say("has moved")


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


def feature_name(feature: Feature) -> Message:
    """6.1.4.3 The name of a terrain counter."""
    name = FEATURES.get(feature.type) or as_message(feature.type.replace("_", " "))
    digging = feature.type == "hasty_entrenchment" and feature.stage < 4
    return say("{counter} (stage {stage} of 4)", counter=name, stage=feature.stage) if digging else name


def feature_words(data: PanzerData, feature: Feature) -> Message:
    """6.1.4.3 A terrain counter and its hex."""
    told = [feature_name(feature)]
    if feature.side:
        told = [say("{counter} of {side}", counter=told[0], side=side_name(data, feature.side))]
    if feature.holder:
        told.append(say("held by {unit}", unit=feature.holder))
    return say("{hex}: {facts}", hex=hex_name(feature.hex), facts=several(told, "unit"))


def cloud_words(cloud: Cloud) -> Message:
    """6.1.4.3.10 Describe a cloud: smoke, barrage or dust."""
    over = fill(CLOUDS[cloud.type], {"hexes": several(map(hex_name, cloud.hexes), "unit")})
    return say("{cloud}, thinning out", cloud=over) if cloud.marker is Marker.OFF else over


def mission_words(data: PanzerData, mission: Mission) -> Message:
    """6.5.1 A fire mission under way."""
    about = {"mission": mission.id, "side": side_name(data, mission.side), "hex": hex_name(mission.point)}
    firers = several(mission.firers, "unit")
    if mission.firers and mission.observer:
        return say(
            "Fire mission {mission} of {side} on {hex} by {units}, observed by {observer}",
            **about,
            units=firers,
            observer=mission.observer,
        )
    if mission.firers:
        return say("Fire mission {mission} of {side} on {hex} by {units}", **about, units=firers)
    if mission.observer:
        return say(
            "Fire mission {mission} of {side} on {hex}, observed by {observer}", **about, observer=mission.observer
        )
    return say("Fire mission {mission} of {side} on {hex}", **about)


def describe(situation: Situation, *, viewer: str) -> list[Message]:
    """The map in words, one line for each item on it."""
    data, view = situation.data, situation.state
    names = {kind: terrain.name for kind, terrain in data.charts.terrains.items()}
    lines = [heading(situation)]
    for side in data.scenario.sides:
        lines += [unit_line(data, names, view, unit, viewer) for unit in view.of(side.id)]
        lines += reserve_lines(situation, side.id)
    lines += support_lines(situation)
    lines += [sentence(feature_words(data, feature)) for feature in view.features.values()]
    lines += [sentence(hidden_words(data, hidden)) for hidden in view.hidden_counters.values()]
    lines += [sentence(cloud_words(cloud)) for cloud in view.clouds.values()]
    lines += [sentence(mission_words(data, mission)) for mission in view.missions.values()]
    lines += [sentence(wreck_words(name, wreck.brewed_up)) for name, wreck in sorted(view.wrecks.items())]
    lines += [sentence(objective_words(situation, objective)) for objective in data.scenario.objectives]
    hexes = {hex_name(hex): terrain_words(data.board, names, hex) for hex in data.board.hexes}
    return [*lines, *ground_lines(hexes)]


def hidden_words(data: PanzerData, hidden: HiddenCounter) -> Message:
    """7.2.1 A hidden counter; only its owner's view shows its contents, and to others dummies look the same."""
    told = say(
        "{counter} hidden counter ({side}) in {hex}",
        counter=hidden.id,
        side=side_name(data, hidden.side),
        hex=hex_name(hidden.hex),
    )
    if hidden.marker:
        told = say("{counter}, has moved", counter=told)
    return say("{counter}: {units}", counter=told, units=several(hidden.units, "unit")) if hidden.units else told


def unit_line(data: PanzerData, names: Mapping[str, str], view: PanzerState, unit: Unit, viewer: str) -> Message:
    """`ge1 Rifle 1 (Battlegroup) in E5: Woods; facing 3 south-east; command face down; suppressed (on).`"""
    assert unit.hex is not None
    place, command = hex_words(data.board, names, unit.hex), counter_words(unit, viewer)
    where = say("aboard {unit}", unit=unit.aboard) if unit.aboard else facing_words(unit)
    told = [place, where, *filter(None, [command]), *condition(view, unit), *spotted_words(view, unit)]
    return unit_sentence(data, unit, told)


def stands(situation: Situation) -> Iterator[Stand]:
    """3.4, 6.7.2 Every unit on the map and aircraft over it, with markers; passengers are with their carriers."""
    data, view = situation.data, situation.state
    for side in data.scenario.sides:
        for unit in view.of(side.id):
            if unit.hex is None:
                continue
            formation = data.scenario.formations.get(unit.formation)
            aboard = (say("aboard {unit}", unit=unit.aboard),) if unit.aboard else ()
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
        moved = (say("moved"),) if counter.marker else ()
        yield Stand(counter.id, "hidden counter", counter.side, hex_name(counter.hex), None, moved)  # 7.2.2
    for aircraft in view.aircraft.values():
        if (flight := aircraft.flight) is not None:
            hurt = [(say("suppressed"), bool(aircraft.suppression)), (DAMAGE[Damage.WHOLE], aircraft.damaged)]
            altitude = say("{altitude} altitude", altitude=WORDS[flight.altitude])
            marks = (altitude, *(words for words, holds in hurt if holds))
            yield Stand(aircraft.id, aircraft.name, aircraft.side, hex_name(flight.hex), flight.facing, marks)


def support_lines(situation: Situation) -> Iterator[Message]:
    """5.3, 5.4 Off-map batteries, with the points that the viewer may know, and aircraft."""
    data, view = situation.data, situation.state
    for battery in view.batteries.values():
        about = {"unit": battery.id, "name": battery.name, "side": side_name(data, battery.side)}
        if battery.registered:
            points = several(battery.registered, "unit")
            yield say("{unit} {name} ({side}), off the map; registered on {hexes}.", **about, hexes=points)
        else:
            yield say("{unit} {name} ({side}), off the map.", **about)
    for aircraft in view.aircraft.values():
        yield say(
            "{unit} {name} ({side}), {facts}.",
            unit=aircraft.id,
            name=aircraft.name,
            side=side_name(data, aircraft.side),
            facts=aircraft_words(aircraft),
        )


def aircraft_words(aircraft: AircraftState) -> Message:
    """6.7.2 An aircraft's position and condition."""
    if aircraft.shot_down:
        return say("shot down")
    if (flight := aircraft.flight) is None:
        told = say("not over the map")
    else:
        told = say(
            "over {hex} at {altitude} altitude, flying {facing} {direction}",
            hex=hex_name(flight.hex),
            altitude=WORDS[flight.altitude],
            facing=flight.facing,
            direction=COMPASS[DIRECTIONS[flight.facing]],
        )
    return say("{aircraft}, damaged", aircraft=told) if aircraft.damaged else told
