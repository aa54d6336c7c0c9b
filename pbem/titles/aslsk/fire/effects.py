"""3.2.3 Applying the results of the fire table to the targets of one attack.

3.2.3          strike: casualties, then breaks, then checks, then lost leaders
3.2.3/dm-placement    could_check: whether an attack could have caused an NMC
4.0/weapon-destruction    destroy_weapons
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import msgspec

from pbem.engine.rules.happenings import Change
from pbem.titles.aslsk.chance import draw, roll_one
from pbem.titles.aslsk.fire.modifiers import Modifier, rows, total
from pbem.titles.aslsk.fire.morale import (
    Aftermath,
    break_unit,
    eliminate,
    in_check_order,
    leader_losses,
    morale_check,
    note_leaders,
    pin_check,
    reduce_casualties,
)
from pbem.titles.aslsk.fire.table import Cell, FireTable
from pbem.titles.aslsk.state import Unit
from pbem.titles.aslsk.tabletop import AslskTable
from pbem.titles.aslsk.weapons.breakdown import wreck


class Aimed(msgspec.Struct, frozen=True):
    """One target of an attack, with the modifiers against it."""

    unit: Unit
    modifiers: tuple[Modifier, ...]

    @property
    def drm(self) -> int:
        return total(self.modifiers)


def strike(
    table: AslskTable,
    column: int,
    original: int,
    targets: Sequence[Aimed],
    *,
    spare: Sequence[str] = (),
    drawn: list[str] | None = None,
    in_close_combat: bool = False,
) -> dict[str, Cell]:
    """3.2.3 Apply the results to all targets; targets with the same Final DR share a result and its random
    selection.

    The units that are selected for a KIA or K are added to `drawn`, if it is given.
    """
    fire_table = table.situation.data.fire_table
    cells = {aimed.unit.id: fire_table.cell(column, original + aimed.drm) for aimed in targets}
    before = note_leaders(table.situation, (aimed.unit for aimed in targets))
    aftermath = Aftermath(before=before, in_close_combat=in_close_combat)
    for group in groups_by_final(targets):
        cell = cells[group[0].unit.id]
        weapons = {aimed.unit.id: table.situation.weapons(aimed.unit) for aimed in group}
        selected = casualties(table, cell, [aimed.unit for aimed in group], aftermath)
        if drawn is not None:
            drawn += [unit.id for unit in selected]
        if cell.kind == "kia":
            for aimed in group:
                exposed = [one.id for one in weapons[aimed.unit.id] if one.id not in spare]  # 6.7
                destroy_weapons(table, exposed, column, aimed)
    checks(table, cells, targets, aftermath)
    leader_losses(table, aftermath)
    return cells


def groups_by_final(targets: Sequence[Aimed]) -> list[list[Aimed]]:
    """3.2.3/random-selection Group targets by Final DR, worst hit first; each group has its own random selection."""
    drms = sorted({aimed.drm for aimed in targets})
    return [[aimed for aimed in targets if aimed.drm == drm] for drm in drms]


def casualties(table: AslskTable, cell: Cell, units: list[Unit], aftermath: Aftermath) -> list[Unit]:
    """3.2.3/kia, 3.2.3/k Apply eliminations or the single casualty, then the automatic breaks.

    Return the units that were selected.
    """
    if cell.kind == "k":
        hurt = draw(table, "3.2.3/k", units, 1, *(one.id for one in units))
        for unit in hurt:
            table.find("3.2.3/k", inputs={"unit": unit.id}, result=str(cell))
            reduce_casualties(table, unit, aftermath)
        return hurt
    if cell.kind != "kia":
        return []
    dead = draw(table, "3.2.3/kia", units, cell.number, *(one.id for one in units))
    for unit in dead:
        eliminate(table, unit, "3.2.3/kia", aftermath)
    for unit in units:
        if unit in dead:
            continue
        if unit.broken:
            reduce_casualties(table, unit, aftermath)
        else:
            break_unit(table, unit, aftermath, by_table=True)
    return dead


def checks(table: AslskTable, cells: Mapping[str, Cell], targets: Sequence[Aimed], aftermath: Aftermath) -> None:
    """3.2.3/nmc, 3.2.3/ptc Let the survivors take their checks, leaders first."""
    situation, state = table.situation, table.state
    due = [
        aimed.unit
        for aimed in targets
        if aimed.unit.id in state.units
        and (
            cells[aimed.unit.id].kind in ("mc", "k")
            or (cells[aimed.unit.id].kind == "ptc" and not aimed.unit.broken and not aimed.unit.pinned)
        )
    ]
    aftermath.waiting = [unit.id for unit in due]
    for unit in in_check_order(situation, due):
        cell = cells[unit.id]
        if unit.id not in state.units:
            continue
        if cell.kind == "ptc":
            pin_check(table, unit, (), aftermath)
        else:
            rule = "3.2.3/mc" if cell.number else "3.2.3/nmc"
            extra = [Modifier(rule, str(cell), cell.number)] if cell.number else []
            morale_check(table, unit, extra, aftermath, rule)


def destroy_weapons(table: AslskTable, weapons: Sequence[str], column: int, aimed: Aimed) -> None:
    """4.0/weapon-destruction Roll a dr for each weapon of a unit that suffered a KIA result: a KIA destroys the
    weapon, and a K breaks it.
    """
    for id in weapons:
        weapon = table.state.weapons[id]
        die = roll_one(table, "4.0/weapon-destruction", id)
        cell = table.situation.data.fire_table.cell(column, die + aimed.drm)
        rule, modifiers, used = "4.0/weapon-destruction", rows(aimed.modifiers), {"column": column, "used": column}
        if cell.kind in ("kia", "k"):
            gone = cell.kind == "kia"
            wreck(table, weapon, rule, removed=gone, dice=[die], modifiers=modifiers, cell=used)
        else:
            about = {"weapon": id}
            table.find(rule, inputs=about, dice=[die], modifiers=modifiers, cell=used, result="unharmed")


def could_check(fire_table: FireTable, column: int, drm: int, cowering: int) -> bool:
    """3.2.3/dm-placement Whether any roll could give at least an NMC; `cowering` is the number of columns that
    doubles cost.
    """
    return any(
        fire_table.cell(
            fire_table.shift_left(column, cowering if white == coloured else 0), white + coloured + drm
        ).checks
        for white, coloured in product(range(1, 7), repeat=2)
    )


def place_dm_beside_enemies(table: AslskTable) -> None:
    """3.2.3/dm-placement Give DM to each broken unit that is adjacent to a Known enemy after either has moved."""
    for unit in table.state.units.values():
        beside = unit.broken and not unit.dm and unit.at and not table.situation.in_melee(unit)
        if beside and table.situation.near_known_enemy(unit, unbroken=False):
            unit.dm = True
            table.find("3.2.3/dm-placement", inputs={"unit": unit.id}, result="DM", shows=[Change(unit.id, "dm")])


def place_dm_by_hit(table: AslskTable, units: Sequence[Unit]) -> None:
    """3.2.3/dm-placement Give DM to broken units hit by WP or in a backblast."""
    for unit in units:
        if unit.id in table.state.units and unit.broken and not unit.dm:
            unit.dm = True
            table.find("3.2.3/dm-placement", inputs={"unit": unit.id}, result="DM", shows=[Change(unit.id, "dm")])


def place_dm(table: AslskTable, column: int, targets: Sequence[Aimed], cowering: int = 0) -> None:
    """3.2.3/dm-placement Give DM to the broken targets of an attack that could have caused an NMC."""
    fire_table = table.situation.data.fire_table
    for aimed in targets:
        unit = aimed.unit
        shaken = unit.id in table.state.units and unit.broken and not unit.dm
        if shaken and could_check(fire_table, column, aimed.drm, cowering):
            unit.dm = True
            table.find("3.2.3/dm-placement", inputs={"unit": unit.id}, result="DM", shows=[Change(unit.id, "dm")])
