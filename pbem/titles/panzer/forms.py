"""Order forms: lines ready to edit and send back, readable on a telephone.

    4.2.1       command_form: each own unit with what it may be told, and whom it can fire at
    R-02        placing_form
    4.4, 4.5    answer_form: the asks within a turn, when they are put to a person

A line that is left as it is says what would happen anyway. Everything after # is a remark.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.rules.ask import Ask
from pbem.titles.panzer.ap_fire import a_shot, aspect_of, effect_of, stronger_aspect
from pbem.titles.panzer.commands import legal_commands
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.deployment import default_place, to_place
from pbem.titles.panzer.direct_fire import Possible, still_obliged
from pbem.titles.panzer.movement import movable
from pbem.titles.panzer.movement_costs import allowances
from pbem.titles.panzer.orders import CHOICES
from pbem.titles.panzer.prospects import WORD_OF, own_units, shots_under, watch_prospects
from pbem.titles.panzer.state import Command, PanzerState, Vehicle

WIDTH: Final = 40

HELP: Final = """\
g1 fire b2 b3     targets, best first
g1 fire b2 with 1     with weapon 1
g1 short-halt b2, move D5 face 3
g1 move E7 face 2     cheapest way
g1 move f f r b     step by step
g1 road K12     by path or road
g1 reverse 2 / g1 exit west
g9 enter A5 move C5     a reserve
g1 overwatch range<=8 hit>=40 only b2
g1 hold     no command
rest overwatch     all not named
first / second     if you win initiative
show g1 always / never / matters
order of moves: g4, g1
... stop when hit     ends a move line
"""
"""The order language on one screen."""


def command_form(data: PanzerData, view: PanzerState, seat: str) -> str:
    """4.2.1 Every own unit on hold, with remarks on what else it may be told."""
    head = [*remark(f"Turn {view.turn} of {data.scenario.turns}, {seat}. Edit the lines; # is a remark.")]
    body = [line for vehicle in own_units(view, seat) for line in unit_lines(data, view, vehicle)]
    foot = ["", *remark("Also: first or second; show UNIT always, never or matters; order of moves: UNITS")]
    return "\n".join([*head, *body, *foot]) + "\n"


def unit_lines(data: PanzerData, view: PanzerState, vehicle: Vehicle) -> Iterator[str]:
    """4.2.1 One unit: where it is, what it may be told, whom it can fire at, and a line to edit."""
    yield ""
    yield from remark(f"{vehicle.id} {vehicle.name} {place_of(data, vehicle)}")
    legal = legal_commands(data, view, vehicle)
    yield from remark("may " + ", ".join(WORD_OF[command] for command in legal))
    if Command.FIRE in legal:
        shots = best_by_target(shots_under(data, view, vehicle, Command.FIRE))
        yield from remark("fire at " + ", ".join(shot_said(data, view, shot) for shot in shots))
    yield f"{vehicle.id} hold"


def place_of(data: PanzerData, vehicle: Vehicle) -> str:
    """Where a vehicle is, which way it faces and how far it can go."""
    card = data.cards[vehicle.card]
    if vehicle.hex is None:
        entry = next(unit.entry for unit in data.scenario.units if unit.id == vehicle.id)
        return f"in reserve, enters {' or '.join(map(hex_name, entry))}"
    usable = allowances(card, vehicle)
    moves = f"moves {usable.cross}/{usable.path}/{usable.road}"
    return f"{hex_name(vehicle.hex)} facing {vehicle.facing}, {moves}{', damaged' if vehicle.damaged else ''}"


def best_by_target(shots: list[Possible]) -> list[Possible]:
    """The best shot at each target, best first."""
    found: dict[str, Possible] = {}
    for shot in shots:
        found.setdefault(shot.target, shot)
    return list(found.values())


def shot_said(data: PanzerData, view: PanzerState, shot: Possible) -> str:
    """4.4.3.2 Target, range, hit number and what a hit would do."""
    aimed = a_shot(data, view, view.vehicles[shot.firer], shot.weapon, view.vehicles[shot.target])
    effect = effect_of(aimed, aspect_of(aimed) or stronger_aspect(aimed))
    return f"{shot.target} range {shot.distance} hit {shot.hit_number} {effect}"


def remark(text: str) -> list[str]:
    """A remark in lines no wider than a telephone."""
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)


# --- the other asks ------------------------------------------------------------------------------------------


def placing_form(data: PanzerData, view: PanzerState, seat: str) -> str:
    """R-02 Every unit to be placed, where the scenario has it."""
    units = to_place(data.scenario, seat)
    areas = dict.fromkeys(unit.area for unit in units)
    head = [*remark(f"Set-up, {seat}. Areas: {', '.join(areas)}. Edit the lines; # is a remark."), ""]
    lines = [
        f"{unit.id} {hex_name(default_place(data, view, unit))} face {unit.facing} # {unit.name}" for unit in units
    ]
    return "\n".join([*head, *lines]) + "\n"


def answer_form(data: PanzerData, view: PanzerState, ask: Ask) -> str:
    """4.4, 4.5 What is asked, what can be said, and the default ready to send."""
    match ask.kind:
        case "fire":
            obliged = still_obliged(data, view, ask.seat, ask.about.get("engaged", ()))
            lines = [line for shots in obliged.values() for line in firing_lines(data, view, shots, "")]
            lines = lines or ["done"]
        case "overwatch":
            windows = watch_prospects(data, view, ask)
            lines = [line for shots in windows.values() for line in firing_lines(data, view, shots, "# ")] + ["done"]
        case "move":
            waiting = movable(view, ask.seat)
            lines = [line for vehicle in waiting for line in moving_lines(data, vehicle)] + ["done"]
        case _:
            lines = [*remark(f"say {' or '.join(CHOICES[ask.kind])}"), default_said(ask)]
    about = f"{ask.kind} {ask.subject}".strip()
    return "\n".join([*remark(f"Turn {view.turn}, {ask.seat}: {about} ({ask.rule})"), *lines]) + "\n"


def firing_lines(data: PanzerData, view: PanzerState, shots: list[Possible], mark: str) -> list[str]:
    """4.4.1 One unit's shots, the best ready to send."""
    best = best_by_target(shots)
    said = ", ".join(shot_said(data, view, shot) for shot in best)
    return [*remark(said), f"{mark}{best[0].firer} fire {best[0].target}"]


def moving_lines(data: PanzerData, vehicle: Vehicle) -> list[str]:
    """4.5.1 One unit's move, a no-move unless edited."""
    return [*remark(f"{vehicle.id} {vehicle.name} {place_of(data, vehicle)}"), f"# {vehicle.id} move"]


def default_said(ask: Ask) -> str:
    """The default of a small ask in the order language."""
    match ask.kind:
        case "show":
            return "yes" if ask.default else "no"
        case "reroute":
            return "go on"
    return str(ask.default)
