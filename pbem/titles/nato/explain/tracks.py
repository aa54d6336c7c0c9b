"""1, 4.3, 5, 7.1, 34 The match as a whole: seats, turn, tracks, displays and points, each with its rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.engine.rules.findings import Finding
from pbem.titles.nato.air.points import tactical_points
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.charts import CHART_FILES
from pbem.titles.nato.cards.units import Side, UnitType
from pbem.titles.nato.commands.powers import commands
from pbem.titles.nato.data_set import NatoData
from pbem.titles.nato.map.atlas import WEST_BERLIN
from pbem.titles.nato.movement.lift import sea_open
from pbem.titles.nato.movement.rail import capacity, entrained_steps
from pbem.titles.nato.phases import JOINT, PHASES
from pbem.titles.nato.state import SRB
from pbem.titles.nato.victory import (
    city_value,
    forward_defense,
    lost_divisions,
    nato_city_points,
    nato_points,
    wp_cities,
    wp_points,
)


def match_reasons(board: Board) -> Iterator[Finding]:
    """4.3, 34 Yield everything there is to know about a match."""
    yield from frame_reasons(board)
    yield from turn_reasons(board)
    yield from track_reasons(board)
    yield from box_reasons(board)
    yield from victory_reasons(board)
    yield from seat_reasons(board)
    yield from sequence_reasons(board.state.side)


def track_finding(rule: str, result: Any, **inputs: Any) -> Finding:
    return Finding(rule, inputs=inputs, result=result)


def frame_reasons(board: Board) -> Iterator[Finding]:
    """1.0, 5.1, 5.3 Yield the sides, the scenario, its year and its length."""
    scenario = board.data.scenario
    yield track_finding("1.0/players", {str(side): list(board.data.seats_of(side)) for side in Side})
    yield track_finding("5.1", {"scenario": scenario.id, "year": scenario.year})
    yield track_finding("3.7.1", sorted({card.pool for card in board.data.units.values()}))
    yield track_finding("5.3", scenario.turns)
    yield track_finding("35.1", scenario.turns)
    yield track_finding("5.4", ["joint", "wp", "nato"])
    yield track_finding("2.5", len(scenario.arrivals))
    yield track_finding("2.3", sorted(CHART_FILES))
    yield track_finding("35.9", {"placed": len(scenario.placements), "arriving": len(scenario.arrivals)})
    yield track_finding("10.8", scenario.supply.automatic_until)
    yield track_finding("34.5", scenario.victory.division)
    yield track_finding("7.1/no-hidden-information", True)
    for side in Side:
        areas = {area: sea_open(board, side, area, lift=False) for area in ("north_sea", "baltic")}
        yield track_finding("14.2.4", areas, side=side)


def turn_reasons(board: Board) -> Iterator[Finding]:
    """7.1 Yield the turn, the phase and the phasing player."""
    state = board.state
    yield track_finding("4.4.1", state.turn)
    yield track_finding("4.4.2", state.phase)
    yield track_finding("7.1.2", str(state.side))
    yield track_finding("6.0/phasing-player", str(state.side))
    yield track_finding("6.0/non-phasing-player", str(state.side.enemy))
    yield track_finding("6.0/player-turn", "joint" if state.phase == "joint" else str(state.side))
    if state.first_use:
        yield track_finding("4.4.3", state.first_use)
        yield track_finding("22.2.4", state.turn - state.first_use + 1)


def track_reasons(board: Board) -> Iterator[Finding]:
    """4.3 Yield air points, chemical points, Supply Points and victory points."""
    state = board.state
    for side in Side:
        air = {"tactical": tactical_points(state, side), "operational": state.operational.get(side, 0)}
        yield track_finding("4.3.1", air, side=side)
        yield track_finding("23.1", air, side=side)
        yield track_finding("4.3.2", state.chemical_points.get(side, 0), side=side)
        yield track_finding("4.3.4", state.points.get(side, 0), side=side)
        yield track_finding("13.3", [entrained_steps(board, side), capacity(board, side)], side=side)
    yield track_finding("4.3.3", state.supply_points)


def box_reasons(board: Board) -> Iterator[Finding]:
    """2.2.5, 2.2.6 Yield the boxes beside the map: reserves, reinforcements, Lift Commands."""
    state = board.state
    for side in Side:
        yield track_finding("2.2.5", [unit.id for unit in board.of(side) if unit.at == SRB], side=side)
        boxes = {unit.at for unit in board.of(side) if unit.at.startswith("sector")}
        yield track_finding(
            "33.1", {box: [unit.id for unit in board.at(box, side)] for box in sorted(boxes)}, side=side
        )
        ready, used = state.lift_ready.get(side, {}), state.lift_used.get(side, {})
        yield track_finding("2.2.6", {"ready": dict(ready), "recovery": dict(used)}, side=side)
        yield track_finding(
            "3.8", {kind: ready.get(kind, 0) + used.get(kind, 0) for kind in sorted({*ready, *used})}, side=side
        )
        yield track_finding(
            "3.8.1" if side is Side.WP else "3.8.2", sum(ready.values()) + sum(used.values()), side=side
        )
    yield track_finding("33.2", list(state.awaited))


def victory_reasons(board: Board) -> Iterator[Finding]:
    """34 Yield the points that both sides would have if the match ended now, part by part."""
    cities = {hex: city_value(board, hex) for hex in wp_cities(board)}
    yield track_finding("34.2", wp_points(board), cities=cities)
    yield track_finding("5.5", wp_points(board) - nato_points(board))
    yield track_finding(
        "34.3", nato_points(board), cities=nato_city_points(board), divisions=len(lost_divisions(board))
    )
    if WEST_BERLIN in board.atlas.places:
        held = board.controller(WEST_BERLIN) is Side.NATO
        yield track_finding("31.1.4", "2 points at the end, and a victory if it is relieved")
        yield track_finding("34.3.2", board.data.charts.number("berlin_vp") if held else 0)
        yield track_finding("31.1.5", forward_defense(board))


def seat_reasons(board: Board) -> Iterator[Finding]:
    """35.8.1, 35.8.2 Yield the units of each seat."""
    for side in Side:
        seats = board.data.seats_of(side)
        orders = {seat: [unit.id for unit in board.of(side) if commands(board, seat, unit.card)] for seat in seats}
        yield track_finding("35.8.1" if side is Side.WP else "35.8.2", orders, side=side)
        yield track_finding("35.8/seats", len(seats), side=side)


ZONES = {"baltap": "35.8.2.1", "northag": "35.8.2.2", "centag": "35.8.2.3"}


def command_reason(data: NatoData, card: UnitType) -> Finding:
    """35.8.2.1 to 35.8.2.3 Return the seat that orders a unit, with the rule that assigns it."""
    seat = data.commander_of(card)
    side = "35.8.1" if card.side is Side.WP else "35.8.2"
    return track_finding(ZONES.get(seat, side), seat, unit=card.id, formation=card.formation)


SEGMENTS = (
    "commit",
    "response",
    "defensive strike",
    "attack helicopters",
    "battle",
    "defender results",
    "attacker results",
    "return",
    "combat supply",
)
"""7.1.6 The segments of a battle cycle."""


def sequence_reasons(side: Side) -> Iterator[Finding]:
    """7.0, 7.1 Yield the sequence of a game turn, of a player turn and of a battle cycle."""
    at = 0 if side is Side.WP else 1
    phases = [title for *numbers, title in PHASES.values() if numbers[at].count(".") == 1]
    yield track_finding("7.0", ["joint", "wp", "nato"])
    yield track_finding("7.1.1", 3)
    yield track_finding("7.1.3", [title for number, title in JOINT.values() if number.count(".") == 1])
    yield track_finding("7.1.4", phases, side=side)
    yield track_finding("7.1.6", [PHASES[name][2] for name in SEGMENTS if PHASES[name][at]], side=side)
    yield track_finding("7.1", len(phases), side=side)
