"""1.2 The map as a picture: an SVG of the viewer's knowledge, and the same in words.

    1.7          counters: nation, kind of vehicle, facing, command, markers
    3.6          objectives
    4.1.4.1.8    wrecks and smoke
    words        describe, unit_card: for tooltips and for readers who cannot see the map

The picture is made only from a view, and contains its own description in words (`desc`). Styles are attributes, never
CSS, so that the same bytes work on a page with a strict content policy, in an image file and in an email. Shapes come
from `data/symbols.svg`. The ground is in `ground`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, Final, TypeVar

from pbem.engine.geometry.hexes import Hex, Side, hex_name, neighbour, parse_hex
from pbem.engine.text.compass import COMPASS
from pbem.engine.text.messages import Message, Value, say, say_n, several, term
from pbem.titles.panzer.cards.cards import Card
from pbem.titles.panzer.picture.ground import (
    FONT,
    INK,
    NOBODY,
    ORIGIN,
    Point,
    Signs,
    U,
    V,
    command_sign,
    frame,
    ground,
    group_at,
    hex_words,
    map_frame,
    numbers,
    outline,
    point,
    side_line,
    text,
    use,
)
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, PanzerState, Spot, Status, Unit
from pbem.titles.panzer.telling.words.codes import COMMANDS
from pbem.titles.panzer.view import knows_command

if TYPE_CHECKING:
    from pbem.titles.panzer.data_set import PanzerData
    from pbem.titles.panzer.setup.scenario_file import Objective

NATIONS: Final = {
    "german": "#b4bdb8",
    "italian": "#b3cb9a",
    "british": "#e6c68f",
    "soviet": "#dba48c",
    "us": "#bcb98f",
}
COMMAND_SIGNS: Final = {
    Command.FIRE: "F",
    Command.MOVE: "M",
    Command.SHORT_HALT: "H",
    Command.OVERWATCH: "O",
    Command.NO_COMMAND: "–",
}
PIECES: Final = "<!--pieces-->"
"""The comment between the ground, which is the same in all pictures of a map, and what is on it."""
SPOT_MARKERS: Final = {Spot.FIRE: say("fire marker"), Spot.MOVE: say("move marker")}
"""4.1.3 The Spot markers in words."""
VERBS: Final = "hold;fire {unit};short-halt {unit}, move {hex};move {hex};road {hex};overwatch"
"""Orders that can be given with a pointer; the page fills in the unit or hex that is clicked."""
DIRECTIONS: Final = ("", "north", "north-east", "south-east", "south", "south-west", "north-west")


def svg(situation: Situation, *, viewer: str) -> str:
    """The map as the viewer may see it."""
    return drawing(
        situation,
        describe(situation, viewer=viewer),
        (
            *set_up_areas(situation, viewer),
            *objectives(situation),
            *wrecks(situation.state),
            *counters(situation, viewer),
            *objective_names(situation.data),
        ),
    )


def drawing(
    situation: Situation,
    words: Iterable[Message],
    pieces: Iterable[str],
    more: Signs = (),
    verbs: str = VERBS,
) -> str:
    """The ground with the pieces on it, and a description of the map in words."""
    data, view = situation.data, situation.state
    board = data.board
    names = tuple((kind, terrain.name) for kind, terrain in data.charts.terrains.items())
    left, top, width, height = frame(board, more)
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {width} {height}" width="{width}" '
            f'height="{height}" role="img" font-family="{FONT}" aria-label="Map of {escape(board.name)}, turn '
            f'{view.turn}" data-verbs="{verbs}" data-map="{numbers(map_frame(board))}" '
            f'data-focus="{numbers(focus(situation))}"><title>{escape(board.name)}, turn {view.turn}</title>',
            f"<desc>{escape(chr(10).join(map(str, words)))}</desc>",
            ground(board, data.edition, names, more),
            PIECES,
            *pieces,
            "</svg>",
        )
    )


def focus(situation: Situation) -> tuple[int, int, int, int]:
    """The part of the map with pieces on it, shown first in a small window."""
    hexes = [
        vehicle.hex for vehicle in situation.state.vehicles.values() if vehicle.alive and vehicle.hex is not None
    ]
    hexes += [hex for objective in situation.data.scenario.objectives for hex in objective.hexes]
    if not hexes:
        return map_frame(situation.data.board)
    xs, ys = [point(hex).x for hex in hexes], [point(hex).y for hex in hexes]
    left, top = min(xs) - 3 * U, min(ys) - 2 * V
    return left, top, max(xs) + 3 * U - left, max(ys) + 2 * V - top


# --- 3.6 objectives and set-up areas -------------------------------------------------------------------------


def border(hexes: Iterable[Hex], origin: Point = ORIGIN) -> str:
    """The line around some hexes."""
    inside = frozenset(hexes)
    sides = {
        side
        for hex in sorted(inside)
        for way in range(1, 7)
        if neighbour(hex, way) not in inside
        for side in [Side(hex, way) if way <= 3 else Side(neighbour(hex, way), way - 3)]
    }
    return "".join(side_line(side, origin) for side in sorted(sides))


def side_colour(data: PanzerData, side: str) -> str:
    """The colour of a side's first vehicle."""
    cards = (data.cards[unit.card] for unit in data.scenario.units if unit.side == side and unit.card in data.cards)
    nation = next((card.nation for card in cards), "")
    return NATIONS.get(nation, NOBODY)


def side_name(data: PanzerData, side: str) -> str:
    return next((found.name for found in data.scenario.sides if found.id == side), side)


def objectives(situation: Situation) -> Iterator[str]:
    """3.6 Each objective's border, and a flag in the controller's colour; the name is drawn above the counters."""
    data, view = situation.data, situation.state
    for objective in data.scenario.objectives:
        controller = view.objectives[objective.id].controller if objective.id in view.objectives else ""
        colour = side_colour(data, controller) if controller else NOBODY
        x, y = point(label_hex(objective))
        words = escape(str(objective_words(situation, objective)))
        yield f'<g data-objective="{escape(objective.id)}"><title>{words}'
        yield '</title><path fill="none" stroke="#8c1c13" stroke-width="4.5" stroke-linecap="round" d="'
        yield f'{border(objective.hexes)}"/><g fill="{colour}">{use("flag", Point(x - 36, y + 8))}</g></g>'


def label_hex(objective: Objective) -> Hex:
    """The lowest hex of an objective, where its flag and name are drawn."""
    return max(objective.hexes, key=lambda hex: (hex.y, -hex.x))


def objective_names(data: PanzerData) -> Iterator[str]:
    """3.6 Each objective's name and points, where no counter covers them; a click goes through to the hex below."""
    for objective in data.scenario.objectives:
        x, y = point(label_hex(objective))
        yield text(
            Point(x, y + V - 1),
            f"{objective.name} · {points_words(objective)}",
            ' font-size="13" font-weight="700" fill="#8c1c13" text-anchor="middle" stroke="#fdf8ea" '
            'stroke-width="4" paint-order="stroke" stroke-linejoin="round" pointer-events="none"',
        )


def points_words(objective: Objective) -> str:
    values = sorted(set(objective.vp.values()))
    return f"{values[0]} VP" if len(values) == 1 else "/".join(str(vp) for vp in objective.vp.values()) + " VP"


def objective_words(situation: Situation, objective: Objective) -> Message:
    data, view = situation.data, situation.state
    controller = view.objectives[objective.id].controller if objective.id in view.objectives else ""
    held = say("held by {side}", side=side_name(data, controller)) if controller else say("not held")
    worth = [
        say_n("{n} point for {side}", "{n} points for {side}", n=vp, side=side_name(data, side))
        for side, vp in objective.vp.items()
        if vp
    ]
    return say(
        "Objective {objective} ({hexes}): {facts}",
        objective=objective.name,
        hexes=several(map(hex_name, objective.hexes), "unit"),
        facts=several([held, *([several(worth, "unit")] if worth else [])], "clauses"),
    )


def set_up_areas(situation: Situation, viewer: str) -> Iterator[str]:
    """R-02 Where a side may still place its vehicles; the areas are public."""
    data, view = situation.data, situation.state
    held_back = (unit for unit in data.scenario.units if unit.area and unit.id in view.vehicles)
    waiting = {unit.area for unit in held_back if view.vehicles[unit.id].status is Status.RESERVE}
    for area in sorted(waiting):
        side, hexes = data.scenario.areas[area].side, data.scenario.areas[area].hexes
        colour = side_colour(data, side)
        yield f"<g><title>Set-up area {escape(area)} of {escape(side_name(data, side))}</title>"
        yield f'<path fill="{colour}" fill-opacity=".28" d="{"".join(map(outline, hexes))}"/><path fill="none" '
        yield f'stroke="{INK}" stroke-width="3.5" stroke-dasharray="12 7" d="{border(hexes)}"/></g>'


# --- 4.1.4.1.8 wrecks ----------------------------------------------------------------------------------------


def wrecks(view: PanzerState) -> Iterator[str]:
    for name, wreck in sorted(view.wrecks.items()):
        smoke = use("smoke", ORIGIN) if wreck.brewed_up else ""
        drawn = f"<title>{escape(str(wreck_words(name, wreck.brewed_up)))}</title>{use('wreck', ORIGIN)}{smoke}"
        yield group_at(point(parse_hex(name)), drawn)


def wreck_words(name: str, brewed_up: bool) -> Message:
    return say("{hex}: a brewed-up wreck, smoking", hex=name) if brewed_up else say("{hex}: a wreck", hex=name)


# --- 1.7 counters --------------------------------------------------------------------------------------------

PLACES: Final[dict[int, tuple[int, tuple[tuple[int, int], ...]]]] = {
    1: (116, ((0, 4),)),
    2: (88, ((-27, 4), (27, 4))),
    3: (66, ((-24, -13), (24, -13), (0, 29))),
    4: (66, ((-24, -13), (24, -13), (-24, 29), (24, 29))),
}
"""The offsets of the counters in a stack, and their size in percent: side by side, so that all are legible."""
CROWD: Final = (48, tuple((column * 26 - 26, row * 28 - 26) for row in range(3) for column in range(3)))


AnyVehicle = TypeVar("AnyVehicle", bound=Unit)


def stack_positions(vehicles: Iterable[AnyVehicle]) -> Iterator[tuple[AnyVehicle, Point, int]]:
    """1.7 Each vehicle on the map with its position and size in the picture, stack by stack."""
    stacks: dict[Hex, list[AnyVehicle]] = {}
    for vehicle in vehicles:
        if vehicle.alive and vehicle.hex is not None:
            stacks.setdefault(vehicle.hex, []).append(vehicle)
    for hex, stack in sorted(stacks.items()):
        size, places = PLACES.get(len(stack), CROWD)
        for index, vehicle in enumerate(stack):
            dx, dy = places[index % len(places)]
            yield vehicle, Point(point(hex).x + dx, point(hex).y + dy), size


def counters(situation: Situation, viewer: str) -> Iterator[str]:
    """1.7 Every vehicle on the map, stack by stack."""
    for vehicle, at, size in stack_positions(situation.state.vehicles.values()):
        yield counter(situation, vehicle, viewer, at, size)


def counter(situation: Situation, vehicle: Unit, viewer: str, at: Point, size: int) -> str:
    """1.7 One counter: the wedge shows its facing, the corners its markers."""
    card = situation.data.cards[vehicle.card]
    assert vehicle.hex is not None
    own = ' data-own=""' if vehicle.side == viewer else ""
    return (
        f'<g data-unit="{escape(vehicle.id)}"{own} data-at="{hex_name(vehicle.hex)}" '
        f'data-spots="{escape(" ".join(situation.state.spotted.get(vehicle.id, [])))}" '
        f'transform="translate({at.x} {at.y})scale({size / 100})">'
        f"<title>{escape(unit_card(situation, vehicle, viewer))}</title>"
        f'<path d="M-10-26L0-39 10-26z" fill="{INK}" stroke="#fff" stroke-width="1.4" '
        f'transform="rotate({60 * (vehicle.facing - 1)})"/>'
        f'<rect x="-25" y="-25" width="50" height="50" rx="4" fill="{NATIONS[card.nation]}" stroke="{INK}" '
        f'stroke-width="1.6"/><path d="M-22.5 22.500v-45h45" fill="none" stroke="#fff" stroke-opacity=".6"/>'
        f"{silhouette(card, vehicle.facing)}"
        f'<g text-anchor="middle" fill="{INK}" font-weight="700"><text y="22" font-size="11.5">{escape(vehicle.id)}'
        f'</text><text y="-15.5" font-size="{name_size(vehicle.name)}">{escape(vehicle.name)}</text></g>'
        f"{use(f'n-{card.nation}', Point(18, 18))}{''.join(markers(situation.state, vehicle, viewer))}</g>"
    )


def name_size(name: str) -> str:
    """The largest font size with which a name fits on its counter."""
    return "8.6" if len(name) <= 9 else "7.2" if len(name) <= 11 else "6"


def silhouette(card: Card, facing: int) -> str:
    """1.6 The vehicle from above; the barrel length shows the gun's range."""
    reach = max((weapon.maximum_range for weapon in card.weapons), default=0)
    barrel = f'<path d="M0-3v-{6 + min(reach, 36) // 3}" stroke="{INK}" stroke-width="2.2"/>' if reach else ""
    return (
        f'<g transform="translate(0 1)rotate({60 * (facing - 1)})scale(.92)" fill="{INK}" color="{INK}">'
        f'<use href="#v-{shape(card)}"/>{barrel}</g>'
    )


def shape(card: Card) -> str:
    """1.6 The kind of vehicle a card describes."""
    if card.traction == "W":
        return "car" if card.armed else "truck"
    if card.traction == "H":
        return "half"
    if not any(weapon.turreted for weapon in card.ap_weapons):
        return "open" if card.open_topped else "gun"
    return "heavy" if card.size > 0 else "tank"


def markers(view: PanzerState, vehicle: Unit, viewer: str) -> Iterator[str]:
    """4.2.1 The command counter, 4.1.3 the Spot marker, 4.1 whether an enemy sees the vehicle, 4.4.3.2.6 damage."""
    if vehicle.command is not None:
        yield command_counter(vehicle, viewer)
    if vehicle.marker is not Spot.NONE:
        yield use(f"m-{vehicle.marker.value}", Point(20, -32))
    if seen_by(view, vehicle):
        yield use("m-seen", Point(27, 0))
    if vehicle.damaged:
        yield use("m-damaged", Point(-26, 0))


def command_counter(vehicle: Unit, viewer: str) -> str:
    """4.2.1 The command's symbol for viewers who know it, otherwise a question mark."""
    assert vehicle.command is not None
    sign = COMMAND_SIGNS[vehicle.command] if knows_command(vehicle, viewer) else "?"
    return command_sign(sign, Point(-20, -32), face_down=not vehicle.revealed)


# --- words ---------------------------------------------------------------------------------------------------


def seen_by(view: PanzerState, vehicle: Unit) -> list[str]:
    """4.1 The enemies that spotted a vehicle; the matrix is public."""
    return sorted(spotter for spotter, targets in view.spotted.items() if vehicle.id in targets)


def command_words(vehicle: Unit, viewer: str) -> Message | None:
    """4.2.1 The command in words, as far as the viewer knows it; None if the vehicle has none."""
    if vehicle.command is None:
        return None
    if not knows_command(vehicle, viewer):
        return say("command face down")
    command = COMMANDS[vehicle.command.value]
    if vehicle.revealed:
        return say("command {command} (revealed)", command=command)
    return say("command {command} (face down)", command=command)


def unit_card(situation: Situation, vehicle: Unit, viewer: str) -> str:
    """1.6 A vehicle and its card in a few lines."""
    view = situation.state
    card = situation.data.cards[vehicle.card]
    assert vehicle.hex is not None
    told = [
        f"{vehicle.id} {vehicle.name} · {card.name}",
        f"in {hex_name(vehicle.hex)}, facing {vehicle.facing} ({DIRECTIONS[vehicle.facing]})",
        ", ".join(map(str, filter(None, [command_words(vehicle, viewer), *condition(vehicle)]))),
        f"movement {card.cross_country}{card.traction} {card.path}-{card.road}, size {card.size:+d}, "
        f"armour {card.front} front {card.rear} rear" + (", open-topped" if card.open_topped else ""),
        *(weapon_words(card)),
        f"spots {', '.join(view.spotted[vehicle.id])}" if view.spotted.get(vehicle.id) else "",
        f"spotted by {', '.join(seen)}" if (seen := seen_by(view, vehicle)) else "",
    ]
    return "\n".join(filter(None, told))


def condition(vehicle: Unit) -> Iterator[Message]:
    if vehicle.damaged:
        yield term("marker", "damaged")
    if vehicle.marker is not Spot.NONE:
        yield SPOT_MARKERS[vehicle.marker]
    if vehicle.fired:
        yield say("has fired")
    if vehicle.moved:
        yield say("has moved")


def weapon_words(card: Card) -> Iterator[str]:
    for weapon in card.weapons:
        if weapon.has_ap:
            ranges, holes = ("/".join(map(str, row)) for row in (weapon.ranges, weapon.penetration))
            yield f"{weapon.name}: range {ranges}, penetration {holes}"
        else:
            yield f"{weapon.name}: no AP"


def describe(situation: Situation, *, viewer: str) -> list[Message]:
    """The map in words, one line for each item on it."""
    data, view = situation.data, situation.state
    names = {kind: terrain.name for kind, terrain in data.charts.terrains.items()}
    lines = [heading(situation)]
    for side in data.scenario.sides:
        lines += [vehicle_line(data, names, view, vehicle, viewer) for vehicle in view.of(side.id)]
        lines += reserve_lines(situation, side.id)
    lines += [sentence(wreck_words(name, wreck.brewed_up)) for name, wreck in sorted(view.wrecks.items())]
    lines += [sentence(objective_words(situation, objective)) for objective in data.scenario.objectives]
    return lines


def heading(situation: Situation) -> Message:
    """3.2 The map and the turn."""
    turn, turns = situation.state.turn, situation.data.scenario.turns
    return say("{map}, turn {turn} of {turns}.", map=situation.data.board.name, turn=turn, turns=turns)


def sentence(facts: Value) -> Message:
    """A line of the map in words, from facts that tooltips show without a full stop."""
    return say("{facts}.", facts=facts)


def facing_words(vehicle: Unit) -> Message:
    direction = COMPASS[DIRECTIONS[vehicle.facing]]
    return say("facing {facing} {direction}", facing=vehicle.facing, direction=direction)


def spotted_words(view: PanzerState, vehicle: Unit) -> Iterator[Message]:
    """4.1 The enemies that spotted a vehicle, if any."""
    if seen := seen_by(view, vehicle):
        yield say("spotted by {units}", units=several(seen, "unit"))


def vehicle_line(
    data: PanzerData, names: Mapping[str, str], view: PanzerState, vehicle: Unit, viewer: str
) -> Message:
    """`ge1 PzIIIJ-1 (German) in E5: Clear, level 1; facing 3 south-east; command face down; spotted by br1.`"""
    assert vehicle.hex is not None
    place, command = hex_words(data.board, names, vehicle.hex), command_words(vehicle, viewer)
    told = [place, facing_words(vehicle), *filter(None, [command]), *condition(vehicle)]
    return unit_sentence(data, vehicle, [*told, *spotted_words(view, vehicle)])


def unit_sentence(data: PanzerData, unit: Unit, facts: Iterable[Message]) -> Message:
    """A unit with its side, and facts that begin with its place."""
    return say(
        "{unit} {name} ({side}) in {facts}.",
        unit=unit.id,
        name=unit.name,
        side=side_name(data, unit.side),
        facts=several(facts, "clauses"),
    )


def reserve_lines(situation: Situation, side: str) -> Iterator[Message]:
    """R-02 Vehicles still to be set up, and reinforcements with their turn and hexes of entry."""
    data, view = situation.data, situation.state
    for unit in data.scenario.units:
        if unit.side == side and unit.id in view.vehicles and view.vehicles[unit.id].status is Status.RESERVE:
            who = {"unit": unit.id, "name": unit.name, "side": side_name(data, side)}
            if unit.area:
                yield say("{unit} {name} ({side}): to be set up in {area}.", **who, area=unit.area)
            else:
                yield say(
                    "{unit} {name} ({side}): not on the map, from turn {turn} at {hexes}.",
                    **who,
                    turn=unit.turn,
                    hexes=several(map(hex_name, unit.entry), "unit"),
                )
