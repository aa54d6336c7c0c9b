"""7.29 Bogging down: soft ground may hold vehicles that try to leave it or act in it.

    7.29      bog_range, bog_modifiers, needs_check, bog_check, free_bogged
    7.36.3    mud doubles the ranges; in snow or mud a heavy gun in tow matters more

A vehicle checks once in each hex of a move, just before it first leaves the hex, turns, searches or enters a
building. Vehicles following a path or road and hidden vehicles (7.2) do not check. A bogged vehicle stays for the
rest of the turn; passengers may mount and dismount.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from pbem.engine.geometry.hexes import Hex, hex_name, neighbour
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.movement.steps.acts import Overrun, Search, read_act
from pbem.titles.panzer.movement.steps.driving import LEFT, RIGHT, travel
from pbem.titles.panzer.movement.steps.unit_steps import DRIVING, March, UnitMover
from pbem.titles.panzer.obstacles.waters import STREAM, water_of
from pbem.titles.panzer.sighting.terrain import board_now, features_in
from pbem.titles.panzer.sighting.weather import bog_factor, ground_here
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import PanzerState, Unit

BOGGED: Final = "bogged"
ACTING: Final = (*DRIVING, "in", "out", "f-in", Search.CODE, Overrun.CODE)
"""7.29 The steps that leave a hex or act in it."""
LINKS: Final = ("road", "path")


# --- 7.29 the range --------------------------------------------------------------------------------------------


def bog_range(situation: Situation, unit: Unit, hex: Hex) -> int:
    """7.29 The highest roll that bogs a vehicle down in a hex; 0 on firm ground, such as a bridge or ice."""
    data = situation.data
    board = board_now(situation)
    if board.is_bridge(hex):
        return 0
    given, ice = data.scenario.conditions.bog, water_of(data, unit).ice
    names = [name for name in board.terrain(hex) if not (ice and name == STREAM)]
    ranges = [given.get(name, data.advanced.terrains[name].bog.value) for name in names]
    counters = (data.advanced.features.get(feature.type) for feature in features_in(situation.state, hex))
    ranges += [row.bog.value for row in counters if row is not None and row.bog is not None]
    return max(ranges, default=0) * bog_factor(data, board, hex)


def bog_modifiers(situation: Situation, unit: Unit, hex: Hex) -> list[dict[str, Any]]:
    """7.29, 7.36.3 Modifiers for the vehicle's own bog number and for towing; each row says how often it applies."""
    data = situation.data
    guns = [passenger for passenger in situation.state.passengers(unit) if passenger.kind == "towed"]
    soft = bool(ground_here(data, board_now(situation), hex))
    times = {
        "vehicle": data.vehicle(unit).bog,
        "towing": int(bool(guns) and not soft),
        "towing_in_snow_or_mud": sum(data.towed(gun).passenger.value[0] for gun in guns) if soft else 0,
    }
    rows = data.advanced.modifiers["bog"]
    return [msgspec.to_builtins(row) | {"times": times[row.when]} for row in rows if times[row.when]]


# --- 7.29 the check --------------------------------------------------------------------------------------------


def needs_check(mover: UnitMover, march: March, step: str) -> bool:
    """7.29 Whether a vehicle must make a bog check before this step."""
    unit, hex = mover.unit, march.hex
    if not mover.data.plays("bogging_down") or unit.kind != "vehicle" or unit.hidden:
        return False
    if hex is None or march.firm or read_act(step).code not in ACTING or follows_road(mover, march, step):
        return False
    return bog_range(mover.situation, unit, hex) > 0


def follows_road(mover: UnitMover, march: March, step: str) -> bool:
    """7.29 Whether this is path or road movement, which never bogs down: at its rate, along it, or turning on it."""
    if march.mode == "road" or (step in (LEFT, RIGHT) and march.link in LINKS):
        return True
    assert march.hex is not None
    if step not in DRIVING or step in (LEFT, RIGHT):
        return False
    target = neighbour(march.hex, travel(march.facing, step))
    return mover.land.board.link(march.hex, target) in LINKS


def bog_check(table: Table[PanzerState], mover: UnitMover, march: March) -> March:
    """7.29 Roll d100 with modifiers: within the range, the vehicle is stuck for the rest of the turn."""
    unit, hex = mover.unit, march.hex
    assert hex is not None
    rows = bog_modifiers(table, unit, hex)
    limit = bog_range(table, unit, hex)
    roll = table.roll(100, "7.29", unit.id)
    total = roll + sum(row["value"] * row["times"] for row in rows)
    stuck = total <= limit
    table.find(
        "7.29",
        inputs={"unit": unit.id, "hex": hex_name(hex), "total": total},
        modifiers=rows,
        cell=limit,
        dice=[roll],
        result=BOGGED if stuck else "firm",
        children=_mud(table, unit, hex, rows),
    )
    if not stuck:
        return msgspec.structs.replace(march, firm=True)
    unit.flags = (*unit.flags, BOGGED)
    return msgspec.structs.replace(march, over="7.29")


def _mud(situation: Situation, unit: Unit, hex: Hex, rows: list[dict[str, Any]]) -> list[Finding]:
    """7.36.3 The additional effects of mud, and of snow on towing vehicles."""
    factor = bog_factor(situation.data, board_now(situation), hex)
    heavy = [row["value"] * row["times"] for row in rows if row["rule"] == "7.36.3"]
    if factor == 1 and not heavy:
        return []
    inputs = {"unit": unit.id, "times": factor, "towing": sum(heavy)}
    return [Finding("7.36.3/mud", inputs=inputs, result=bog_range(situation, unit, hex))]


def free_bogged(unit: Unit) -> None:
    """7.29 Free a bogged vehicle for the next turn; it may move again, after a new check."""
    unit.flags = tuple(flag for flag in unit.flags if flag != BOGGED)
