"""6.7, 4.4.3 Hits on units and their Guns, and the backblast of light anti-tank weapons.

3.2.4/effects    aim, report_effect
6.7              direct_hit
4.4.3            blast
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.titles.aslsk.chance import Dice
from pbem.titles.aslsk.fire.components import Attack, Component
from pbem.titles.aslsk.fire.drm import Modifier, rows, total
from pbem.titles.aslsk.fire.effects import Aimed, place_dm, place_dm_by_hit, strike
from pbem.titles.aslsk.fire.table import Cell
from pbem.titles.aslsk.ordnance.hidden import HIT, reveal
from pbem.titles.aslsk.ordnance.to_hit import effect_modifiers, shield_of
from pbem.titles.aslsk.state import Unit, units_at
from pbem.titles.aslsk.tabletop import AslskTable, gather_findings
from pbem.titles.aslsk.vehicles.crews import Exposed, strike_crews
from pbem.titles.aslsk.weapons.breakdown import wreck


def direct_hit(table: AslskTable, gun: str, kind: str) -> None:
    """6.7 Apply a direct hit, for which the unit that mans the Gun was selected: KIA destroys the Gun, and K makes it
    malfunction.
    """
    weapon = table.state.weapons.get(gun)
    if weapon is not None and kind in ("kia", "k"):
        wreck(table, weapon, "6.7", removed=kind == "kia")


def blast(table: AslskTable, hex: str, coloured: int) -> dict[str, Cell]:
    """4.4.3 Attack all units and exposed crews in the hex on column 1, with the coloured die as the Final DR.

    A hidden crew is found if there is a result (6.4).
    """
    if table.situation.data.fire_table.cell(1, coloured).kind != "none":
        for unit in units_at(table.state, hex):
            reveal(table, unit, HIT)
    aimed = [Aimed(unit, ()) for unit in units_at(table.state, hex) if not unit.hidden]
    crews = [Exposed(vehicle, ()) for vehicle in table.situation.vehicles_at(hex) if vehicle.ce]
    cells = strike(table, 1, coloured, aimed) | strike_crews(table, 1, coloured, crews)
    place_dm_by_hit(
        table, [one.unit for one in aimed]
    )  # 3.2.3/dm-placement four of its six results are an NMC or worse
    return cells


def aim(
    table: AslskTable,
    one: Component,
    attack: Attack,
    unit: Unit,
    hits: Sequence[Modifier],
    column: int,
    dice: Dice,
    *,
    critical: bool,
) -> Aimed:
    """6.7 The modifiers against one unit; the gunshield protects a Gun's crew against a near miss."""
    situation = table.situation
    found = effect_modifiers(situation, one, attack, unit, hits, critical=critical)
    cell = situation.data.fire_table.cell(column, dice.total + total(found))
    if cell.kind not in ("kia", "k"):
        found += shield_of(situation, one, unit, found)
    return Aimed(unit, tuple(found))


def report_effect(table: AslskTable, aimed: Sequence[Aimed], column: int, dice: Dice, *, critical: bool) -> None:
    """3.2.4/effects Report the result on the fire table, with direct hits on Guns (6.7)."""
    situation = table.situation
    guns = {one.unit.id: gun.id for one in aimed if (gun := situation.gun_of(one.unit)) is not None}
    drawn: list[str] = []  # 3.2.3/random-selection a Gun and the unit that mans it are one candidate
    with gather_findings(table) as children:
        cells = strike(table, column, dice.total, aimed, spare=tuple(guns.values()), drawn=drawn)
        for unit, id in guns.items():
            if unit in drawn:
                direct_hit(table, id, cells[unit].kind)
        place_dm(table, column, aimed)
    table.find(
        "6.1" if critical else "3.2.4/effects",
        inputs={"units": [one.unit.id for one in aimed], "against": {one.unit.id: one.drm for one in aimed}},
        modifiers=rows(aimed[0].modifiers),
        cell={"column": column, "used": column},
        dice=dice.pair,
        result={id: str(cell) for id, cell in cells.items()},
        children=children,
    )
