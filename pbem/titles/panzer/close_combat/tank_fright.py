"""7.6 Tank fright: green units must pass a morale check before they assault vehicles.

    7.6     takes_fright, frightened_units

It is a forced check by 7.1.4 without the rows for spotted enemies, and does not need the rest of 7.1.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.close_combat.advances import is_fit
from pbem.titles.panzer.command.morale import check_morale
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.state import Marker, PanzerState, Unit

RULE: Final = "tank_fright"
SHOCKED: Final = {"broken": Marker.ON, "hesitating": Marker.OFF}
"""7.6 The suppression marker for each result of a failed check; no morale counter is placed."""


def can_take_fright(data: PanzerData, unit: Unit, target: Unit) -> bool:
    """7.6 Whether a unit must check: only a fit green unit about to assault a vehicle that is still there."""
    assaults = target.kind == "vehicle" and target.alive and is_fit(unit)
    return data.plays(RULE) and unit.grade == "green" and assaults


def takes_fright(table: Table[PanzerState], unit: Unit, target: Unit) -> bool:
    """7.6 Whether a unit fails the check: it is suppressed, cannot assault, and its Move is used up."""
    if not can_take_fright(table.data, unit, target):
        return False
    result = str(check_morale(table, unit, forced=True, spotting=False).result)
    inputs = {"unit": unit.id, "target": target.id}
    if result not in SHOCKED:
        table.find("7.6", to=unit.audience, inputs=inputs, result="attacks")
        return False
    unit.suppression = SHOCKED[result]
    unit.assaulted = unit.moved = True
    shock = Finding("5.10", inputs={"unit": unit.id}, result=unit.suppression.value)
    told = Fail(unit.id, f"assault {target.id}", say("the unit took fright at the vehicle"), "7.6")
    table.find("7.6", to=unit.audience, inputs=inputs, result="suppressed", children=[shock], shows=[told])
    return True


def frightened_units(table: Table[PanzerState], units: Iterable[Unit], target: Unit) -> list[str]:
    """7.6 Every green unit checks separately before any advance; those that fail drop out."""
    return [unit.id for unit in units if takes_fright(table, unit, target)]
