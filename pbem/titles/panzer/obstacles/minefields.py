"""6.1.4.3.8, 7.31 Mines and minefields: their attacks and their removal.

    6.1.4.3.8    is_discovered, discover: hidden until they attack, then public
    7.31.2       mines_against: the field in a hex that attacks a unit
    7.31.2.2     attack_on_foot, step_on_mines
    7.31.3       can_be_cleared, clearing_rule

Laying them is in `mine_laying`; attacks on vehicles and during moves are in `minefield_combat`. A unit that is not
attacked learns nothing.
"""

from __future__ import annotations

from typing import Literal

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.damage.effects import lose_step
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.setup.mine_laying import MINES
from pbem.titles.panzer.sighting.terrain import features_in
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Feature, PanzerState, Unit

Against = Literal["vehicles", "personnel"]


# --- 7.31.2 targets ----------------------------------------------------------------------------------------------


def mine_target(unit: Unit) -> Against:
    """7.31.2 Whether mines treat the unit as vehicles or as personnel (leg, riders, cavalry, towed; dismounted)."""
    return "vehicles" if unit.kind == "vehicle" else "personnel"


def mines_against(situation: Situation, unit: Unit) -> Feature | None:
    """7.31.2 The field in a unit's hex that attacks it; friendly mines do not, unless the scenario says so."""
    data = situation.data
    if not data.plays("minefields") or unit.hex is None or unit.aboard or not unit.alive:
        return None
    fields = [
        feature
        for feature in features_in(situation.state, unit.hex)
        if feature.type in MINES and feature.of in ("", "both", mine_target(unit))
    ]
    hostile = [field for field in fields if field.side != unit.side or data.scenario.conditions.own_mines]
    return min(hostile, key=lambda field: (MINES.index(field.type), field.id), default=None)


def laying_of(field: Feature) -> Literal["deliberate", "hasty"]:
    """7.31 How a field was laid."""
    return "deliberate" if field.type == "deliberate_mines" else "hasty"


# --- 6.1.4.3.8 discovery ---------------------------------------------------------------------------------------


def is_discovered(state: PanzerState, field: Feature) -> bool:
    """6.1.4.3.8 Whether both sides know of the field."""
    return not field.known or set(state.sides) <= set(field.known)


def discover(state: PanzerState, field: Feature) -> Finding:
    """6.1.4.3.8 The owner must declare the field; from now on it is public."""
    before = is_discovered(state, field)
    field.known = state.sides
    inputs = {"feature": field.id, "hex": hex_name(field.hex)}
    return Finding("6.1.4.3.8", inputs=inputs, result="known" if before else "discovered")


def field_findings(situation: Situation, field: Feature, unit: Unit) -> list[Finding]:
    """7.31 Report the field at the start of its attack."""
    inputs = {"unit": unit.id, "laid": laying_of(field), "kind": field.of or "both", "owner": field.side}
    return [discover(situation.state, field), Finding("7.31", inputs=inputs, result=mine_target(unit))]


# --- 7.31.2.2 leg and towed units ------------------------------------------------------------------------------


def step_on_mines(table: Table[PanzerState], unit: Unit, *, quick: bool = False) -> Finding | None:
    """7.31.2 A leg or towed unit that enters a hex, or dismounts there, is attacked at once."""
    field = mines_against(table, unit) if unit.kind != "vehicle" else None
    return None if field is None else attack_on_foot(table, unit, field, quick=quick)


def attack_on_foot(table: Table[PanzerState], unit: Unit, field: Feature, *, quick: bool = False) -> Finding:
    """7.31.2.2 The mines' owner rolls d100: within the range a squad is reduced, any other unit eliminated."""
    data = table.data
    children = field_findings(table, field, unit)
    rushed = data.advanced.number("mines_quickmarch") if quick else 0
    limit = data.advanced.number(f"mines_leg_{laying_of(field)}")
    roll = table.roll(100, "7.31.2.2", unit.id)
    hit = roll + rushed <= limit
    effect = [lose_step(table, unit, "7.31.2.2")] if hit else []  # 7.17 does not apply to mines
    attacked = Finding(
        "7.31.2.2",
        inputs={"unit": unit.id, "total": roll + rushed, "quickmarch": rushed},
        cell=[laying_of(field), limit],
        dice=(roll,),
        result=effect[0].result if effect else "none",
        children=tuple(effect),
    )
    inputs = {"unit": unit.id, "hex": hex_name(field.hex), "field": field.id}
    return Finding("7.31.2", inputs=inputs, result=attacked.result, children=(*children, attacked))


# --- 7.31.3 removal --------------------------------------------------------------------------------------------


def can_be_cleared(situation: Situation, field: Feature) -> bool:
    """7.31.3 Whether a field can be attacked: if discovered, or if mines are plain terrain without their rules."""
    return field.type not in MINES or not situation.data.plays("minefields") or is_discovered(situation.state, field)


def clearing_rule(attack: str) -> str:
    """7.31.3 The paragraph for clearing mines with shells and rockets, with bombs and crashes, or by engineers."""
    return {"if": "7.31.3.1", "air": "7.31.3.2", "crash": "7.31.3.2"}.get(attack, "7.31.3.3")


def clearing_findings(data: PanzerData, field: Feature | None, attack: str, result: str) -> list[Finding]:
    """7.31.3 Report the effect of an attack on a minefield; one effective result removes it."""
    if field is None or field.type not in MINES or not data.plays("minefields"):
        return []
    inputs = {"field": field.id, "hex": hex_name(field.hex), "laid": laying_of(field)}
    inner = Finding(clearing_rule(attack), inputs={**inputs, "attack": attack}, result=result)
    return [Finding("7.31.3", inputs=inputs, result=result, children=(inner,))]
