"""7.31.2 Minefield combat during a move, and against vehicles.

    7.31.2      enter_mines: on entering a hex; start_in_mines: a move that begins in one; land_on_mines: dismounting
    7.31.2.1    attack_vehicle: the Minefield Effects Table, with bail-outs as after GP fire

The attack comes before overwatch fire in the same hex.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.rules.ask import Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.command import morale
from pbem.titles.panzer.damage.bail_out import TRACK_AGAIN, bail_out_checks, face_outward
from pbem.titles.panzer.damage.effects import hit_track
from pbem.titles.panzer.fire.gp_fire import damage_by_gp
from pbem.titles.panzer.movement.steps.acts import Push, read_act
from pbem.titles.panzer.obstacles.bogging import ACTING
from pbem.titles.panzer.obstacles.minefields import (
    attack_on_foot,
    field_findings,
    laying_of,
    mines_against,
    step_on_mines,
)
from pbem.titles.panzer.state import Feature, PanzerState, Unit

WALKING_STEPS: Final = ("1", "2", "3", "4", "5", "6", "exit")


# --- 7.31.2 timing ---------------------------------------------------------------------------------------------


def enter_mines(table: Table[PanzerState], unit: Unit, *, quick: bool = False) -> Step:
    """7.31.2 Attack a unit in the hex it has just entered. Return whether it was attacked."""
    field = mines_against(table, unit)
    if field is None:
        return False
    event = morale.begin(table)
    if unit.kind == "vehicle":
        table.findings.append((yield from attack_vehicle(table, unit, field)))
    else:
        table.findings.append(attack_on_foot(table, unit, field, quick=quick))
    morale.finish(table, event)  # 7.1.2
    return True


def start_in_mines(table: Table[PanzerState], unit: Unit, steps: Sequence[str], *, quick: bool = False) -> Step:
    """7.31.2 A unit that moves again inside a field is attacked once more, as the move begins."""
    moving = (*ACTING, Push.CODE) if unit.kind == "vehicle" else (*ACTING, *WALKING_STEPS)
    if not any(read_act(step).code in moving for step in steps):
        return False
    return (yield from enter_mines(table, unit, quick=quick))


def land_on_mines(table: Table[PanzerState], unit: Unit) -> None:
    """7.31.2 A unit that dismounts in a field is attacked at once; a unit that mounts is not."""
    event = morale.begin(table)
    if found := step_on_mines(table, unit):
        table.findings.append(found)
    morale.finish(table, event)  # 7.1.2


# --- 7.31.2.1 vehicles -----------------------------------------------------------------------------------------


def attack_vehicle(table: Table[PanzerState], unit: Unit, field: Feature) -> Step:
    """7.31.2.1 The mines' owner rolls d100: damage, a track hit or nothing, by the vehicle's GP defence."""
    data, laid = table.data, laying_of(field)
    children = field_findings(table, field, unit)
    damaged, track = mine_limits(table, unit, laid)
    roll = table.roll(100, "7.31.2.1", unit.id)
    effect, cause = None, ""
    if roll <= damaged:
        effect = damage_by_gp(table, unit)
        cause = "damaged" if unit.alive else "ko"
    elif roll <= track:
        cause = TRACK_AGAIN if unit.track_hit else "track"
        effect = hit_track(table, unit)
    attacked = Finding(
        "7.31.2.1",
        inputs={"unit": unit.id, "defence": data.vehicle(unit).defence, "laid": laid},
        cell=[damaged, track],
        dice=(roll,),
        result=effect.result if effect else "none",
        children=(effect,) if effect else (),
    )
    checks = bail_out_checks(table, unit, [cause], indirect=True) if cause else []  # 6.5.4.5
    yield from face_outward(table, checks)
    inputs = {"unit": unit.id, "hex": hex_name(field.hex), "field": field.id}
    return Finding("7.31.2", inputs=inputs, result=attacked.result, children=(*children, attacked, *checks))


def mine_limits(table: Table[PanzerState], unit: Unit, laid: str) -> tuple[int, int]:
    """7.31.2.1 The highest rolls for damage and for a track hit, by GP defence and by how the field was laid."""
    rows = table.data.advanced.optional.minefield
    defence = table.data.vehicle(unit).defence
    row = next((row for row in rows if row.defence >= defence), rows[-1])
    if laid == "hasty":
        return row.hasty_damaged.value, row.hasty_track.value
    return row.deliberate_damaged.value, row.deliberate_track.value
