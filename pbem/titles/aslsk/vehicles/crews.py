"""7.7, 7.12 Exposed crews as targets: attacks on the fire table, and collateral attacks.

3.2.3      strike_crews
7.12       collateral
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pbem.titles.aslsk.chance import roll_two
from pbem.titles.aslsk.fire.drm import Modifier, rows, total
from pbem.titles.aslsk.fire.modifiers import crew_cover
from pbem.titles.aslsk.fire.table import Cell
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Vehicle
from pbem.titles.aslsk.tabletop import AslskTable
from pbem.titles.aslsk.vehicles.status import button_up, crew_check, crew_drm, crew_morale, stun


class Exposed(msgspec.Struct, frozen=True):
    """7.7 An exposed crew, with the modifiers to an attack on it."""

    vehicle: Vehicle
    modifiers: tuple[Modifier, ...]

    @property
    def drm(self) -> int:
        return total(self.modifiers)


def exposed_in(situation: Situation, seat: str, hex: str) -> list[Vehicle]:
    """7.7 The enemy vehicles in a hex that have exposed crews.

    In the MPh, the defender's fire affects only moving vehicles, so the others are left out.
    """
    state = situation.state
    found = [one for one in situation.enemy_vehicles(hex, seat) if one.ce]
    if state.phase == "movement" and seat != state.attacker:
        return [one for one in found if state.mover is not None and one.id in state.mover.stack]
    return found


def strike_crews(table: AslskTable, column: int, original: int, crews: Sequence[Exposed]) -> dict[str, Cell]:
    """3.2.3, 7.10 Apply the result to each exposed crew by its own Final DR; KIA and K count as STUN."""
    fire_table = table.situation.data.fire_table
    cells: dict[str, Cell] = {}
    for one in crews:
        if one.vehicle.id not in table.state.vehicles:
            continue
        cell = cells[one.vehicle.id] = fire_table.cell(column, original + one.drm)
        suffer(table, one.vehicle, cell)
    return cells


def suffer(table: AslskTable, vehicle: Vehicle, cell: Cell) -> None:
    """3.2.3 Apply one fire table result to an exposed crew."""
    if cell.kind in ("kia", "k"):
        stun(table, vehicle, hard=True)
    elif cell.kind == "mc":
        rule = "3.2.3/mc" if cell.number else "3.2.3/nmc"
        crew_check(table, vehicle, [Modifier(rule, str(cell), cell.number)] if cell.number else [], rule)
    elif cell.kind == "ptc":
        pin_check(table, vehicle)


def pin_check(table: AslskTable, vehicle: Vehicle) -> None:
    """3.2.3/ptc Make a crew take a Pin Task Check; if it fails, it buttons up."""
    drm, morale = crew_drm(vehicle), crew_morale(table.situation, vehicle)
    dice = roll_two(table, "3.2.3/ptc", vehicle.id)
    passed = dice.total + total(drm) <= morale
    table.find(
        "3.2.3/ptc",
        inputs={"unit": vehicle.id, "morale": morale},
        modifiers=rows(drm),
        dice=dice.pair,
        result="passed" if passed else "pinned",
    )
    if not passed:
        button_up(table, vehicle, "3.2.3/pin")


def collateral(table: AslskTable, vehicle: Vehicle, column: int, original: int) -> None:
    """7.12 Attack the exposed crew of an AFV that a hit left in action, with the same Original DR."""
    spared = vehicle.id in table.state.vehicles and vehicle.ce and not vehicle.shock and not vehicle.stun
    if not spared or not column:
        return
    cover = crew_cover(table.situation, vehicle)
    cell = table.situation.data.fire_table.cell(column, original + cover.value)
    table.find(
        "7.12",
        inputs={"vehicle": vehicle.id, "rolled": original},
        modifiers=rows([cover]),
        cell={"column": column, "used": column},
        result=str(cell),
    )
    suffer(table, vehicle, cell)
