"""6.7, 4.4.3 Direct hits on Guns, and the backblast of light anti-tank weapons.

6.7      direct_hit
4.4.3    blast
"""

from __future__ import annotations

from pbem.titles.aslsk.fire.effects import Aimed, strike
from pbem.titles.aslsk.fire.table import Cell
from pbem.titles.aslsk.ordnance.hidden import HIT, reveal
from pbem.titles.aslsk.state import units_at
from pbem.titles.aslsk.tabletop import AslskTable
from pbem.titles.aslsk.vehicles.crews import Exposed, strike_crews
from pbem.titles.aslsk.weapons.breakdown import wreck


def direct_hit(table: AslskTable, unit: str, gun: str, kind: str, card: str) -> None:
    """6.7 KIA destroys the Gun with its crew; K makes it malfunction if its crew suffers the casualty."""
    weapon = table.state.weapons.get(gun)
    if weapon is None or kind not in ("kia", "k"):
        return
    gone = unit not in table.state.units
    if kind == "kia" and gone:
        wreck(table, weapon, "6.7", removed=True)
    elif kind == "k" and (gone or table.state.units[unit].card != card):
        wreck(table, weapon, "6.7", removed=False)


def blast(table: AslskTable, hex: str, coloured: int) -> dict[str, Cell]:
    """4.4.3 Resolve column 1 with the coloured die as Final DR against every unit and exposed crew in the hex.

    A hidden crew is found if there is a result (6.4).
    """
    if table.situation.data.fire_table.cell(1, coloured).kind != "none":
        for unit in units_at(table.state, hex):
            reveal(table, unit, HIT)
    aimed = [Aimed(unit, ()) for unit in units_at(table.state, hex) if not unit.hidden]
    crews = [Exposed(vehicle, ()) for vehicle in table.situation.vehicles_at(hex) if vehicle.ce]
    return strike(table, 1, coloured, aimed) | strike_crews(table, 1, coloured, crews)
