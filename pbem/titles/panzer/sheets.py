"""1.6 What a player looks up while he makes up his mind: a unit's sheet, and what can be seen from a hex.

    1.6          unit_sheet: the card, who could fire at the unit, and its orders
    2.0          places
    4.2.1        command_choices: each command with its targets and goals, or with what is against it
    3.5.2        range_bands
    4.1.4        sight: what can be seen from a hex, and why another one can or cannot
    4.4, 4.5     answer_choices: the asks within a turn, when they are put to a person
    4.2.1        roll_call: the units that an ask is about

All of it comes from a view, so that a sheet tells nobody more than he may know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from pbem.engine.geometry.hexes import Hex, distance, hex_name
from pbem.engine.rules.ask import Ask
from pbem.engine.text.sheets import Choice, Sheet, Sight
from pbem.titles.panzer.ap_fire import a_shot, aspect_of, effect_of, stronger_aspect
from pbem.titles.panzer.board import on_map
from pbem.titles.panzer.commands import command_objections, commandable
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.deployment import FACINGS, placing_objections, to_place
from pbem.titles.panzer.direct_fire import Possible, legal_shots
from pbem.titles.panzer.line_of_sight import OPEN, line_of_sight, sight_table
from pbem.titles.panzer.movement import movable
from pbem.titles.panzer.movement_progress import mover_of
from pbem.titles.panzer.movement_routes import reachable, ways_out
from pbem.titles.panzer.overwatch import watch_shots
from pbem.titles.panzer.picture import unit_card
from pbem.titles.panzer.plan import Mode
from pbem.titles.panzer.prospects import WORD_OF, commanded, shots_under
from pbem.titles.panzer.state import Command, PanzerState, Vehicle
from pbem.titles.panzer.tell import tell_tree

BAND_NAMES: Final = ("point blank", "short", "medium", "long", "extreme")
"""4.4.3.2.1 The columns of the R row."""

Hexes = dict[str, tuple[int, ...]]
"""Hexes by name, each with the facings possible there."""


def roll_call(data: PanzerData, view: PanzerState, ask: Ask) -> dict[str, str]:
    """4.2.1, R-02 The units that may be told something in answer to this ask, in the order of their ids."""
    match ask.kind:
        case "deploy":
            return {unit.id: unit.name for unit in to_place(data.scenario, ask.seat)}
        case "commands":
            vehicles = commandable(view, ask.seat)
        case "move":
            vehicles = movable(view, ask.seat)
        case _:
            vehicles = [vehicle for vehicle in view.of(ask.seat) if any(answer_choices(data, view, vehicle, ask))]
    return {vehicle.id: vehicle.name for vehicle in vehicles}


# --- 1.6 one unit --------------------------------------------------------------------------------------------


def unit_sheet(data: PanzerData, view: PanzerState, viewer: str, ask: Ask | None, unit: str) -> Sheet | None:
    """1.6 A unit as the viewer may know it; None if there is none of this name in play."""
    vehicle = view.vehicles.get(unit)
    if vehicle is None or (vehicle.hex is None and vehicle not in commandable(view, vehicle.side)):
        return None
    return Sheet(
        unit=vehicle.id,
        name=f"{vehicle.name} · {data.cards[vehicle.card].name}",
        side=vehicle.side,
        at=hex_name(vehicle.hex) if vehicle.hex is not None else "",
        own=vehicle.side == viewer,
        facts=facts(data, view, vehicle, viewer),
        choices=tuple(choices(data, view, vehicle, ask)) if ask is not None and ask.seat == vehicle.side else (),
        threats=threats(data, view, vehicle),
        bands=range_bands(data, vehicle),
        band_names=BAND_NAMES,
    )


def facts(data: PanzerData, view: PanzerState, vehicle: Vehicle, viewer: str) -> tuple[str, ...]:
    """1.6 What its card and its counter say, without the name."""
    if vehicle.hex is None:
        return ("not on the map: it may enter now" if vehicle.entry_turn else "to be set up",)
    return tuple(unit_card(data, view, vehicle, viewer).splitlines()[1:])


def threats(data: PanzerData, view: PanzerState, vehicle: Vehicle) -> dict[str, str]:
    """4.4.1 The enemies that spotted this vehicle and could fire at it, were they told to."""
    enemies = [e for e in view.vehicles.values() if e.alive and vehicle.id in view.spotted.get(e.id, ())]
    shots = (shot for enemy in enemies for shot in shots_under(data, view, enemy, Command.FIRE))
    found: dict[str, str] = {}
    for shot in shots:
        if shot.target == vehicle.id:
            found.setdefault(shot.firer, expected(data, view, shot))
    return found


def expected(data: PanzerData, view: PanzerState, shot: Possible, command: Command | None = None) -> str:
    """4.4.3.2 Range, hit number and what a hit would do."""
    aimed = a_shot(data, view, view.vehicles[shot.firer], shot.weapon, view.vehicles[shot.target], command)
    effect = effect_of(aimed, aspect_of(aimed) or stronger_aspect(aimed))
    return f"hit {shot.hit_number}, range {shot.distance}, {effect}"


def range_bands(data: PanzerData, vehicle: Vehicle) -> dict[str, int]:
    """3.5.2 The hexes in sight that its longest gun reaches, by the column of the R row."""
    guns = data.cards[vehicle.card].ap_weapons
    if not guns or vehicle.hex is None or not vehicle.alive:
        return {}
    gun = max(guns, key=lambda weapon: weapon.maximum_range)
    table, here = sight_table(data.board, data.charts), vehicle.hex
    found = {}
    for hex in data.board.hexes:
        factor = gun.range_factor(distance(here, hex)) if hex != here else None
        if factor is not None and table.sees(here, hex):
            found[hex_name(hex)] = [gun.range_factor(limit) for limit in gun.ranges].index(factor)
    return found


# --- 4.2.1 the orders of one unit ----------------------------------------------------------------------------


def choices(data: PanzerData, view: PanzerState, vehicle: Vehicle, ask: Ask) -> Iterator[Choice]:
    """What the vehicle may be told in answer to this ask."""
    if ask.kind == "deploy":
        return places(data, view, vehicle)
    if ask.kind == "commands":
        return command_choices(data, view, vehicle)
    return answer_choices(data, view, vehicle, ask)


def places(data: PanzerData, view: PanzerState, vehicle: Vehicle) -> Iterator[Choice]:
    """2.0 Where the vehicle may be set up (R-02)."""
    for unit in to_place(data.scenario, vehicle.side):
        if unit.id == vehicle.id:
            area = data.scenario.areas[unit.area].hexes
            legal = [hex for hex in area if not any(placing_objections(data, view, unit, hex))]
            hexes = dict.fromkeys(map(hex_name, legal), tuple(FACINGS))
            yield Choice("place", "{hex}", hexes=hexes, facing=unit.facing)


def command_choices(data: PanzerData, view: PanzerState, vehicle: Vehicle) -> Iterator[Choice]:
    """4.2.1 The five commands: what each could do, or everything that is against it."""
    for command in Command:
        if against := tuple(command_objections(data, view, vehicle, command)):
            yield Choice(WORD_OF[command], against=against)
        else:
            yield from under(data, view, commanded(vehicle, command), command)


def under(data: PanzerData, view: PanzerState, vehicle: Vehicle, command: Command) -> Iterator[Choice]:
    """4.2 What a vehicle can do under a command that it may be given."""
    match command:
        case Command.FIRE:
            yield Choice("fire", "fire {unit}", units=targets(data, view, legal_shots(data, view, vehicle), command))
        case Command.SHORT_HALT:
            shots, goals = legal_shots(data, view, vehicle), goals_of(data, view, vehicle, "cross")
            line = "short-halt {unit}, move {hex}" if goals else "short-halt {unit}"
            yield Choice("short-halt", line, units=targets(data, view, shots, command), hexes=goals)
        case Command.MOVE:
            yield from moves(data, view, vehicle)
        case _:
            yield Choice(WORD_OF[command], WORD_OF[command])


def moves(data: PanzerData, view: PanzerState, vehicle: Vehicle) -> Iterator[Choice]:
    """4.5.1 Across country, 4.5.1.1.5 along a path or road, 4.5.1.1.9 off the map."""
    yield Choice("move", "move {hex}", hexes=goals_of(data, view, vehicle, "cross"))
    if along := goals_of(data, view, vehicle, "road"):
        yield Choice("road", "road {hex}", hexes=along)
    for edge in ways_out(mover_of(data, view, vehicle)):
        yield Choice(f"exit {edge}", f"exit {edge}")


def targets(data: PanzerData, view: PanzerState, shots: Iterable[Possible], command: Command) -> dict[str, str]:
    """4.4.1 Each target with its best shot, the most promising first."""
    found: dict[str, str] = {}
    for shot in shots:
        found.setdefault(shot.target, expected(data, view, shot, command))
    return found


def goals_of(data: PanzerData, view: PanzerState, vehicle: Vehicle, mode: Mode) -> Hexes:
    """4.5.1.1 Where its move may end, the cheapest facing first."""
    found: Hexes = {}
    for hex, facing in reachable(mover_of(data, view, vehicle), mode):
        if (hex, facing) != (vehicle.hex, vehicle.facing):
            found[hex_name(hex)] = (*found.get(hex_name(hex), ()), facing)
    return found


def answer_choices(data: PanzerData, view: PanzerState, vehicle: Vehicle, ask: Ask) -> Iterator[Choice]:
    """4.4, 4.5 One unit in an ask within a turn."""
    if ask.kind in ("fire", "overwatch"):
        watching = ask.kind == "overwatch"
        shots = (
            watch_shots(data, view, vehicle, ask.about["targets"])
            if watching
            else legal_shots(data, view, vehicle, ask.about.get("engaged", ()))
        )
        if shots:
            command = Command.OVERWATCH if watching else vehicle.command or Command.FIRE
            yield Choice("fire", "fire {unit}", units=targets(data, view, shots, command))
    elif ask.kind == "move" and vehicle in movable(view, ask.seat):
        yield from moves(data, view, vehicle)


# --- 4.1.4 sight ---------------------------------------------------------------------------------------------


def sight(data: PanzerData, view: PanzerState, start: str, end: str = "") -> Sight | None:
    """4.1.4 What can be seen from a hex; None if the map has no such hex."""
    known: dict[Hex, None] = dict.fromkeys(data.board.hexes)
    try:
        here = on_map(start, known)
        there = on_map(end, known) if end else None
    except ValueError:
        return None
    table = sight_table(data.board, data.charts)
    seen = tuple(hex_name(hex) for hex in data.board.hexes if hex == here or table.sees(here, hex))
    if there is None:
        return Sight(hex_name(here), seen)
    finding = line_of_sight(data.board, data.charts, here, there, view.wrecks)
    return Sight(hex_name(here), seen, hex_name(there), finding.result == OPEN, tuple(tell_tree(finding)))
