"""3.3.5 Residual FP, which attacks every unit that spends MF in its hex, before the DEFENDER fires."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.titles.aslsk.chance import roll_two
from pbem.titles.aslsk.fire.drm import Modifier, total
from pbem.titles.aslsk.fire.effects import Aimed, place_dm, strike
from pbem.titles.aslsk.fire.modifiers import crew_cover, residual_modifiers, rows
from pbem.titles.aslsk.state import Unit, Vehicle
from pbem.titles.aslsk.tabletop import AslskTable, gather_findings
from pbem.titles.aslsk.vehicles.crews import Exposed, strike_crews


def is_liable(table: AslskTable, aimed: Aimed) -> bool:
    """3.3.5 Whether Residual FP attacks a unit: it does so once in each hex, and again only if the DRM is now worse
    for the unit.
    """
    before = table.state.residual_against.get(f"{aimed.unit.id}|{aimed.unit.at}")
    return before is None or aimed.drm < before


def residual_on_crew(table: AslskTable, vehicle: Vehicle) -> None:
    """3.3.5 Attack an exposed crew, once in each hex; it is protected by CE or TEM, and by Smoke in the hex."""
    column, key = table.state.residual.get(vehicle.at, 0), f"{vehicle.id}|{vehicle.at}"
    if not column or not vehicle.ce or key in table.state.residual_against:
        return
    found = [crew_cover(table.situation, vehicle)]
    smoke = table.situation.smoke_in(vehicle.at)
    found += [Modifier("1.2.5", "Smoke in the hex", smoke)] if smoke else []
    table.state.residual_against[key] = total(found)
    dice = roll_two(table, "3.3.5", vehicle.at, vehicle.id)
    with gather_findings(table) as children:
        cells = strike_crews(table, column, dice.total, [Exposed(vehicle, tuple(found))])
    table.find(
        "3.3.5",
        inputs={"at": vehicle.at, "units": [vehicle.id], "attack": True, "against": {vehicle.id: total(found)}},
        modifiers=rows(found),
        cell={"column": column, "used": column},
        dice=dice.pair,
        result={id: str(cell) for id, cell in cells.items()},
        children=children,
    )


def residual_attack(table: AslskTable, units: Sequence[Unit]) -> None:
    """3.3.5 Make one attack, with one DR, on all units that spend MF together in a hex with Residual FP."""
    at = units[0].at
    column = table.state.residual.get(at, 0)
    if not column:
        return
    aimed = [Aimed(unit, tuple(residual_modifiers(table.situation, unit))) for unit in units]
    targets = [one for one in aimed if is_liable(table, one)]
    if not targets:
        return
    for one in targets:
        table.state.residual_against[f"{one.unit.id}|{at}"] = one.drm
    dice = roll_two(table, "3.3.5", at, *(one.unit.id for one in targets))
    against = {one.unit.id: one.drm for one in targets}
    with gather_findings(table) as children:
        cells = strike(table, column, dice.total, targets)
        place_dm(table, column, targets)
    table.find(
        "3.3.5",
        inputs={"at": at, "units": list(against), "attack": True, "against": against},
        modifiers=rows(targets[0].modifiers),
        cell={"column": column, "used": column},
        dice=dice.pair,
        result={id: str(cell) for id, cell in cells.items()},
        children=children,
    )
