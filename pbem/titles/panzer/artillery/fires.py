"""7.35 Fires: shells and flames set buildings and rubble alight, and woods if the scenario says so.

    7.35      fuel_of: things that can burn
    7.35.1    note_attack, note_flames: the attacks on a hex this turn; start_fires: the checks
    7.35.2    burnt_finding: a unit that stays is lost at the end of the next turn (`adjustment.burn`)
    7.35.3    note_rocket: a hand-held rocket that misses
    7.35.4    woods that count as buildings

Once a hex burns, it burns for the rest of the match. Attacks on a hex are kept in the state's notes until the
Adjustment Phase; they are public.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from pbem.engine.geometry.hexes import Hex, hex_name, parse_hex
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.cards.weapons import Armament
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.gp_modifiers import GpAttack
from pbem.titles.panzer.sighting.terrain import (
    BUILDING_RUBBLE,
    ON_FIRE,
    board_now,
    features_in,
    has_feature,
    interior_of,
    place_of,
)
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Feature, PanzerState, Unit

FIRES: Final = "fires"
SHELLED: Final = "7.35.1"
FLAMES: Final = "7.35.1/flamethrower"
ROCKETS: Final = "7.35.3"
KINDS: Final = ("df", "ow", "if", "barrage", "air", "crash")
"""7.35.1 The kinds of GP fire that set hexes alight; overruns and close combat do not."""


class Fuel(NamedTuple):
    """7.35.1 The fuel in a hex: a row of the Building Effects Table and a modifier to the roll."""

    row: str
    modifier: int = 0
    rule: str = SHELLED


# --- 7.35 fuel -------------------------------------------------------------------------------------------------


def fuel_of(situation: Situation, hex: Hex) -> Fuel | None:
    """7.35 A building, its rubble, or woods; None if nothing in the hex can catch fire or it burns already."""
    data, state = situation.data, situation.state
    if not data.plays(FIRES) or has_feature(state, hex, ON_FIRE):
        return None
    rubble = [feature.type for feature in features_in(state, hex) if feature.type in BUILDING_RUBBLE]
    if rubble:
        return Fuel(rubble[0].removesuffix("_rubble"), data.advanced.number("fire_rubble"))
    if interior := interior_of(situation, hex):
        return Fuel(interior.id.removesuffix("_building"))
    conditions, terrain = data.scenario.conditions, board_now(situation).terrain(hex)
    woods = [conditions.burning_woods[name] for name in terrain if name in conditions.burning_woods]
    if woods:  # 7.35.4
        return Fuel(woods[0].removesuffix("_building"), conditions.burning_woods_modifier, "7.35.4")
    return None


# --- 7.35.1 attacks on a hex --------------------------------------------------------------------------------------


def note_attack(table: Table[PanzerState], attack: GpAttack, hexes: Iterable[Hex]) -> None:
    """7.35.1 Note GP fire other than small arms, keeping the highest factor of the turn."""
    if attack.kind in KINDS and not attack.small_arms:
        _note(table, SHELLED, hexes, attack.factor)


def note_flames(table: Table[PanzerState], target: Unit, flame: bool) -> None:
    """7.35.1 A flamethrower sets its target's hex alight, regardless of its other effects."""
    if flame and target.hex is not None:
        _note(table, FLAMES, [target.hex], 1)


def note_rocket(table: Table[PanzerState], arm: Armament, target: Unit) -> None:
    """7.35.3 A hand-held rocket that misses a vehicle checks for fire with its own GP factor."""
    if table.data.plays("rocket_fires") and arm.fixed and arm.gp is not None and target.kind == "vehicle":
        _note(table, ROCKETS, [place_of(target)], max(arm.gp.factors.value))


def _note(table: Table[PanzerState], what: str, hexes: Iterable[Hex], factor: int) -> None:
    state = table.state
    for hex in hexes:
        if fuel_of(table, hex) is not None:
            seen = state.notes.setdefault(what, {})
            seen[hex_name(hex)] = max(factor, seen.get(hex_name(hex), 0))


# --- 7.35.1 the checks -----------------------------------------------------------------------------------------


def start_fires(table: Table[PanzerState]) -> None:
    """7.35.1 Check each hex that was attacked this turn and is not yet burning; flamethrowers need no check."""
    if not table.data.plays(FIRES):
        return
    state = table.state
    flames, rockets = state.notes.pop(FLAMES, {}), state.notes.pop(ROCKETS, {})
    shelled = state.notes.pop(SHELLED, {})
    found = []
    for name in sorted({*flames, *rockets, *shelled}):
        fuel = fuel_of(table, parse_hex(name))
        if fuel is None:
            continue
        if name in flames:
            set_on_fire(state, parse_hex(name))
            found.append(Finding(FLAMES, inputs={"hex": name}, result=ON_FIRE))
            continue
        factor = max(rockets.get(name, 0), shelled.get(name, 0))
        found.append(fire_check(table, name, fuel, factor, rocket=rockets.get(name, 0) > shelled.get(name, 0)))
    if found:
        table.find("7.35", inputs={"turn": state.turn}, result=burning(state), children=found)


def fire_check(table: Table[PanzerState], name: str, fuel: Fuel, factor: int, *, rocket: bool) -> Finding:
    """7.35.1 Roll a d100 against the range for the factor and the building; rubble burns more easily."""
    limit = table.data.advanced.fire_range(fuel.row, factor)
    roll = table.roll(100, SHELLED, name)
    alight = roll + fuel.modifier <= limit
    if alight:
        set_on_fire(table.state, parse_hex(name))
    why = [Finding(ROCKETS, inputs={"hex": name, "factor": factor}, result=factor)] if rocket else []
    if fuel.rule != SHELLED:
        why.append(Finding(fuel.rule, inputs={"hex": name, "as": fuel.row}, result=fuel.modifier))
    return Finding(
        SHELLED,
        inputs={"hex": name, "factor": factor, "total": roll + fuel.modifier, "modifier": fuel.modifier},
        cell=[fuel.row, limit],
        dice=(roll,),
        result=ON_FIRE if alight else "none",
        children=tuple(why),
    )


def set_on_fire(state: PanzerState, hex: Hex) -> None:
    """7.35.1 Place an On Fire counter for the rest of the match."""
    id = state.new_id("f")
    state.features[id] = Feature(id=id, type=ON_FIRE, hex=hex, turn=state.turn, known=state.sides)


def burning(state: PanzerState) -> list[str]:
    """7.35 The burning hexes."""
    return sorted(hex_name(feature.hex) for feature in state.features.values() if feature.type == ON_FIRE)


# --- 7.35.2 units that stay ------------------------------------------------------------------------------------


def burnt_finding(data: PanzerData, unit: Unit) -> list[Finding]:
    """7.35.2 A unit still in a burning hex at the end of the turn after the fire began is lost, leaving no wreck."""
    if not data.plays(FIRES):
        return []
    return [Finding("7.35.2", inputs={"unit": unit.id, "hex": hex_name(place_of(unit))}, result="eliminated")]
