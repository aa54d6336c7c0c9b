"""3.8/melee Melee, which holds units of both sides in a hex until one side is gone or no unit is unbroken."""

from __future__ import annotations

from pbem.titles.aslsk.state import units_at, vehicles_at
from pbem.titles.aslsk.tabletop import AslskTable
from pbem.titles.aslsk.weapons.possession import lose_acquisition


def settle_melee(table: AslskTable, hex: str) -> None:
    """3.8/melee Begin, continue or end Melee in a hex: it lasts while both sides are there and some unit is
    unbroken.
    """
    state = table.state
    units = units_at(state, hex)
    standing = {one.seat for one in vehicles_at(state, hex) if one.stopped}
    both = len({unit.seat for unit in units} | standing) > 1
    held = both and bool(units) and (any(not unit.broken for unit in units) or bool(standing))
    if held and hex not in state.melee:
        state.melee.append(hex)
        for unit in units:  # 6.10 it is no longer in Good Order
            lose_acquisition(table.situation, unit)
        table.find("3.8/melee", inputs={"at": hex, "units": [unit.id for unit in units]}, result="Melee")
    elif not held and hex in state.melee:
        state.melee.remove(hex)
        table.find("3.8/melee", inputs={"at": hex}, result="Melee ends")


def end_melees(table: AslskTable) -> None:
    """3.8/melee End each Melee in whose hex fire has left no unbroken unit or only one side."""
    for hex in list(table.state.melee):
        settle_melee(table, hex)
