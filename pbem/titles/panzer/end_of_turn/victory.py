"""3.6 Control of objectives, and victory.

    3.6          armed_in; PanzerData.closed: a hex that no unit may enter
    3.6 R-03     note_occupants (start of a turn), update_control (End Turn Step), is_contested
    3.6 R-04     score, verdict, end_match
    4.6.2 R-18   is_over: the last turn, or earlier if the scenario says so

Unarmed vehicles cannot take objectives. Control lasts until the other side takes the objective.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from pbem.engine.geometry.hexes import Hex, neighbours
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.setup.file_schemas import Takers
from pbem.titles.panzer.setup.scenario_file import Objective
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import PanzerState, Status

BOTH: Final = "both"
"""R-03 The value of `held_at_start` if both sides were in the objective at the start of the turn."""


# --- 3.6 control ---------------------------------------------------------------------------------------------


def armed_in(situation: Situation, hexes: Iterable[Hex], by: Takers = "units") -> list[str]:
    """3.6 The sides with an armed unit (or vehicle) in one of these hexes, in scenario order."""
    data, state = situation.data, situation.state
    inside = frozenset(hexes)
    present = {
        vehicle.side
        for vehicle in state.vehicles.values()
        if vehicle.alive and vehicle.hex in inside and data.armed(vehicle) and (by == "units" or data.drives(vehicle))
    }
    return [side for side in state.sides if side in present]


def note_occupants(situation: Situation) -> None:
    """3.6 Record the occupants of each objective at the start of a turn; for turn 1, the set-up (R-03)."""
    state = situation.state
    for objective in situation.data.scenario.objectives:
        sides = armed_in(situation, objective.hexes, objective.by)
        state.objectives[objective.id].held_at_start = BOTH if len(sides) > 1 else "".join(sides)


def update_control(table: Table[PanzerState]) -> None:
    """3.6 In the End Turn Step, decide which objectives are taken and which are contested (R-03)."""
    for objective in table.data.scenario.objectives:
        finding = judge(table, objective)
        now = table.state.objectives[objective.id]
        before, now.controller = now.controller, str(finding.result)
        if before != now.controller or finding.inputs["held_at_end"]:
            inputs = {"objective": objective.id, "before": before}
            table.find("3.6", inputs=inputs, result=now.controller, children=[finding])


def judge(situation: Situation, objective: Objective) -> Finding:
    """3.6 The side that controls an objective now, and the rule that decides it."""
    now = situation.state.objectives[objective.id]
    held_at_end = armed_in(situation, objective.hexes, objective.by)
    inputs = {"objective": objective.id, "held_at_start": now.held_at_start, "held_at_end": held_at_end}
    if is_contested(situation, objective):
        return Finding(rule=ledger_row(situation.data.edition, "3.6/contested"), inputs=inputs, result="")
    taker = taken_by(objective, now.held_at_start, held_at_end)
    return Finding(
        rule=ledger_row(situation.data.edition, "3.6/occupation"), inputs=inputs, result=taker or now.controller
    )


def taken_by(objective: Objective, held_at_start: str, held_at_end: list[str]) -> str:
    """3.6 The side with any vehicle on the objective at start and end of a turn, and no enemy at the end (R-03)."""
    if len(held_at_end) != 1:
        return ""
    side = held_at_end[0]
    stayed = held_at_start in (side, BOTH) or objective.taken == "end_of_turn"
    return side if stayed else ""


def is_contested(situation: Situation, objective: Objective) -> bool:
    """3.6 Whether the objective cannot be entered and both sides have armed vehicles around it (R-03)."""
    data, state = situation.data, situation.state
    if not all(data.closed(state, hex) for hex in objective.hexes):
        return False
    around = {other for hex in objective.hexes for other in neighbours(hex)}
    return len(armed_in(situation, around)) > 1


# --- 3.6 victory points --------------------------------------------------------------------------------------


class Score(msgspec.Struct, frozen=True):
    """R-04 A side's victory points."""

    objectives: int
    eliminated: int
    exited: int
    start: int = 0

    @property
    def total(self) -> int:
        return self.objectives + self.eliminated + self.exited + self.start

    @property
    def parts(self) -> dict[str, int]:
        """The points by their source; those at the start only if the scenario gives any."""
        parts: dict[str, int] = msgspec.structs.asdict(self)
        return parts if self.start else {name: count for name, count in parts.items() if name != "start"}


def score(situation: Situation, side: str) -> Score:
    """3.6 Points at the start, for objectives, for enemies eliminated, and for exits by a named edge (R-04)."""
    data, state = situation.data, situation.state
    scenario, vehicles = data.scenario, state.vehicles.values()
    held = [row for row in scenario.objectives if state.objectives[row.id].controller == side]
    lost = [vehicle.id for vehicle in vehicles if vehicle.lost]
    gone = [vehicle.exit_edge for vehicle in vehicles if vehicle.status is Status.EXITED and vehicle.side == side]
    return Score(
        objectives=sum(objective.vp.get(side, 0) for objective in held),
        eliminated=sum(unit.vp for unit in scenario.units if unit.id in lost and unit.side != side)
        + data.support_lost(state, side),
        exited=sum(exit.vp * gone.count(exit.edge) for exit in scenario.exits if exit.side == side),
        start=scenario.start.get(side, 0),
    )


def verdict(scores: dict[str, Score]) -> str | None:
    """3.6 The higher total wins; equal totals are a draw (R-04)."""
    best = max(points.total for points in scores.values())
    winners = [side for side, points in scores.items() if points.total == best]
    return winners[0] if len(winners) == 1 else None


def is_over(situation: Situation) -> bool:
    """4.6.2 Whether the match is over, as it is after the last turn, or earlier if the scenario says so (R-18)."""
    data, state = situation.data, situation.state
    if state.turn >= data.scenario.turns:
        return True
    return data.scenario.early_end == "side_gone" and any(is_gone(state, side) for side in state.sides)


def is_gone(state: PanzerState, side: str) -> bool:
    """R-18 Whether a side has no vehicle on the map or still to come; an abandoned vehicle is lost (5.15)."""
    present = (Status.ON_MAP, Status.RESERVE)
    own = (vehicle for vehicle in state.vehicles.values() if vehicle.side == side and not vehicle.lost)
    return not any(vehicle.status in present for vehicle in own)


def end_match(table: Table[PanzerState]) -> None:
    """4.6.2 Evaluate the victory conditions, with the level of victory if the scenario names any."""
    scores = {side: score(table, side) for side in table.state.sides}
    winner = verdict(scores)
    totals = sorted((points.total for points in scores.values()), reverse=True)
    level = table.data.scenario.level(totals[0] - totals[-1]) if winner else ""
    said = ", ".join(f"{side} {points.total}" for side, points in scores.items())
    points = [
        Finding(
            rule=ledger_row(table.data.edition, "3.6/victory-points"),
            inputs={"side": side, **points.parts},
            result=points.total,
        )
        for side, points in scores.items()
    ]
    table.find("4.6.2", inputs={"turn": table.state.turn, "level": level}, result=winner, children=points)
    table.end("4.6.2", winner, f"{said}: {level}" if level else said)
