"""6.5.4 GP fire: its strength, the target's protection, and its effects.

    6.5.4          direct_attack, resolve_gp
    6.5.4.1        gp_factor
    6.5.4.2.5      attack_terrain; defences are in `gp_defence`
    6.5.4.3        claim_moving; the modifiers are in `gp_modifiers`
    6.5.4.4        gp_roll, attack_unit
    6.5.4.4.2      vehicle_result, resolve_vehicle, is_effective_enough
    6.5.4.4.3      unit_result
    6.5.4.5        bail_outs

Every kind of GP fire is resolved here: direct and overwatch fire, indirect fire and barrages, aircraft, overruns,
crashes. A fire is described by a `GpAttack`.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

import msgspec

from pbem.engine.geometry.hexes import Hex, distance, hex_name
from pbem.engine.rules.ask import Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.artillery.fires import note_attack
from pbem.titles.panzer.cards.card_rows import FireRow
from pbem.titles.panzer.cards.chart_rows import GpResult, WeaponKind
from pbem.titles.panzer.cards.weapons import Armament
from pbem.titles.panzer.command.command_control import group_of
from pbem.titles.panzer.damage.attacks import come_under_attack, damage_by_die
from pbem.titles.panzer.damage.bail_out import TRACK_AGAIN, bail_out_checks, face_outward
from pbem.titles.panzer.damage.damage_detail import brews_up, lose_step_and_weapons, track_stands
from pbem.titles.panzer.damage.effects import (
    brew_up,
    damage_vehicle,
    destroy_building,
    destroy_feature,
    give_up_positions,
    hit_track,
    knock_out,
    suppress,
)
from pbem.titles.panzer.fire.gp_defence import Ground, gp_defence, occupied_terrain, vulnerable_terrain
from pbem.titles.panzer.fire.gp_modifiers import DIRECT, Case, counter_of, gp_modifiers
from pbem.titles.panzer.fire.gp_modifiers import GpAttack as GpAttack
from pbem.titles.panzer.fire.turrets import OPEN
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.obstacles.minefields import clearing_findings
from pbem.titles.panzer.sighting.terrain import (
    hull_down_against,
    place_of,
    up_of,
)
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import (
    MOVING,
    Damage,
    HullDown,
    Marker,
    PanzerState,
    Unit,
)

GpOutcome = Literal["none", "suppressed", "track", "damaged", "reduced", "ko", "bu", "eliminated"]
OUTCOMES: Final[tuple[GpOutcome, ...]] = (
    "none", "suppressed", "track", "damaged", "reduced", "ko", "bu", "eliminated",
)  # fmt: skip
"""6.5.4.4 The effects of GP fire on a unit, weakest first."""


# --- 6.5.4.1 GP factor -----------------------------------------------------------------------------------------


def gp_factor(row: FireRow, range: int) -> Finding:
    """6.5.4.1 The factor for the first value of the R row not below the range; None if the target is out of range."""
    found = row.factor_at(range)
    inputs = {"range": range, "ranges": list(row.ranges.value), "column": found[0] if found else None}
    return Finding("6.5.4.1", inputs=inputs, result=found[1] if found else None)


def direct_attack(situation: Situation, firer: Unit, arm: Armament, target: Unit, **more: Any) -> GpAttack | None:
    """6.5.4 A weapon's direct GP fire at a unit; None if the unit is out of range.

    `more` is passed on to the attack unchanged.
    """
    found = arm.gp_at(distance(place_of(firer), place_of(target)))
    if found is None or arm.gp is None:
        return None
    effect = arm.gp.effectiveness.value
    given: dict[str, Any] = {
        "kind": "df",
        "firer": firer.id,
        "target": target.id,
        "column": found[0],
        "factor": found[1],
        "small_arms": arm.gp.small_arms,
        "effectiveness": effect if isinstance(effect, int) else 0,
        **more,
    }
    return GpAttack(**given)


# --- 6.5.4.3 moving vehicles -----------------------------------------------------------------------------------


def claim_moving(table: Table[PanzerState], target: Unit, attack: GpAttack) -> Step:
    """6.5.4.3 Ask the owner of a vehicle under GP fire whether to show that it is moving, where it matters."""
    counts = attack.kind in (*DIRECT, "if", "barrage", "air") and not attack.planned and not attack.voluntary
    if attack.asked or not counts or target.kind != "vehicle":
        return []
    about = {"firers": [attack.firer], "attack": attack.kind}
    rule = ledger_row(table.data.edition, "6.5.4.3/target-vehicle-moving")
    return (yield from show_moving(table, target, "6.5.4.3", rule, about))


def show_moving(table: Table[PanzerState], target: Unit, rule: str, row: str, about: dict[str, Any]) -> Step:
    """6.5.4.3, 6.6.1.1.2 Ask about every face-down counter, because asking only about some would give commands away.

    The counter is turned face down again; its command may still be carried out.
    """
    counter = counter_of(table.state, target)
    if not counter.face_down or counter.shown:
        return []
    asked = Ask(
        target.side,
        "show",
        rule,
        subject=counter.id,
        about={**about, "target": target.id},
        default=counter.command in MOVING,
    )
    claimed = yield asked
    for unit in group_of(table.state, counter):  # 6.2.1.1.3
        unit.shown = bool(claimed)
    assert counter.command is not None
    answer = counter.command.value if claimed else "no-effect"
    lost = give_up_positions(table.data, group_of(table.state, counter)) if claimed else []
    return [Finding(row, inputs={"unit": target.id}, result=answer, children=tuple(lost))]


# --- 6.5.4.4 resolution ----------------------------------------------------------------------------------------


class GpRoll(NamedTuple):
    """6.5.4.4 One roll on the GP Combat Results Table."""

    total: int
    result: GpResult
    finding: Finding


class Hit(NamedTuple):
    """6.5.4.4 The effect of the attack on one unit.

    For 6.5.4.5: `cause` is the row of the Bail Out Table that it leads to, and a unit is `shaken` if it was
    suppressed and its marker did not show On before.
    """

    unit: Unit
    outcome: GpOutcome
    finding: Finding
    cause: str = ""
    shaken: bool = False


CAUSES: Final = {"track": "track", "track-again": TRACK_AGAIN, "damaged": "damaged", "ko": "ko", "bu": "bu"}
"""6.5.4.5 The check that a result on a vehicle requires of crew and passengers."""


def gp_roll(table: Table[PanzerState], case: Case, defence: int, subject: str, *, secret: bool = False) -> GpRoll:
    """6.5.4.4 Roll a d100 and add the net modifier, which may take the total below 1 or above 100."""
    return table_roll(table, "6.5.4.4", case.attack.factor, defence, gp_modifiers(case), subject, secret=secret)


def table_roll(
    table: Table[PanzerState],
    rule: str,
    factor: int,
    defence: int,
    modifiers: Finding,
    subject: str,
    *,
    secret: bool = False,
) -> GpRoll:
    """6.5.4.4 Read the cell: no effect up to its first number, suppressed up to the second, effective above."""
    charts = table.data.advanced
    roll = table.roll(100, rule, subject, secret=secret)
    total = roll + int(modifiers.result)
    cell, result = charts.gp_limits(factor, defence), charts.gp_result(factor, defence, total)
    finding = Finding(
        rule,
        inputs={
            "unit": subject,
            "factor": factor,
            "defence": defence,
            "net": modifiers.result,
            "total": total,
            "no_effect": cell.no_effect,
            "suppressed": cell.suppressed,
        },
        modifiers=modifiers.modifiers,
        cell=[min(factor, charts.number("factor_at_most")), defence],
        dice=(roll,),
        result=result,
        children=(modifiers,),
    )
    return GpRoll(total, result, finding)


def resolve_gp(table: Table[PanzerState], attack: GpAttack) -> Step:
    """6.5.4 Resolve one GP attack: a roll for each unit and piece of terrain, results at once, bail-outs at the end.

    The finding is returned, not logged. Its result is the worst outcome among the units.
    """
    children, hits = list[Finding](), list[Hit]()
    note_attack(table, attack, pattern_of(table.state, attack))  # 7.35.1
    for hex in pattern_of(table.state, attack):
        grounds = terrain_in(table, attack, hex)
        for unit in [unit for unit in units_in(table.state, attack, hex) if unit.alive or attack.passengers_only]:
            children += yield from claim_moving(table, unit, attack)
            hits += [attack_unit(table, attack, each) for each in with_passengers(table.state, attack, unit)]
        children += [hit.finding for hit in hits if hit.unit.hex == hex]
        children += [attack_terrain(table, attack, ground) for ground in grounds]
    checks = bail_outs(table, attack, hits)
    yield from face_outward(table, [check for each in checks for check in each.children])
    return Finding(
        attack.rule,
        inputs=_attack_inputs(attack),
        result=max((hit.outcome for hit in hits), key=OUTCOMES.index, default="none"),
        children=(*children, *checks),
    )


def _attack_inputs(attack: GpAttack) -> dict[str, Any]:
    """The inputs of a finding about GP fire: the firer, the strength and the target."""
    at = {"target": attack.target} if attack.target else {"hexes": [hex_name(hex) for hex in attack.hexes]}
    return {
        "attack": attack.kind,
        "firer": attack.firer,
        **at,
        "factor": attack.factor,
        "column": attack.column,
        "small_arms": attack.small_arms,
    }


def pattern_of(state: PanzerState, attack: GpAttack) -> list[Hex]:
    """6.5.4.2.3 The hexes of an attack: the target's, or those of the pattern outwards from its point."""
    if attack.target:
        return [place_of(state.vehicles[attack.target])]
    point = attack.point or attack.hexes[0]
    return sorted(attack.hexes, key=lambda hex: (distance(point, hex), hex))


def units_in(state: PanzerState, attack: GpAttack, hex: Hex) -> list[Unit]:
    """6.5.4 The single target of direct fire; for a pattern, the units of both sides, vehicles first."""
    if attack.target:
        return [state.vehicles[attack.target]]
    return sorted(state.on_the_ground(hex), key=lambda unit: (unit.kind != "vehicle", unit.id))


def with_passengers(state: PanzerState, attack: GpAttack, unit: Unit) -> list[Unit]:
    """6.5.4.2.3 First the vehicle, then each passenger; passengers are never attacked without it."""
    riders = state.passengers(unit)
    return riders if attack.passengers_only else [unit, *riders]


def attack_unit(table: Table[PanzerState], attack: GpAttack, unit: Unit) -> Hit:
    """6.5.4.4 Roll for one unit and apply the result; a passenger is attacked even if its vehicle is destroyed."""
    case = Case(table, attack, place_of(unit), unit)
    before, defence = unit.suppression, gp_defence(table, unit)
    come_under_attack(table.state, unit)
    roll = gp_roll(table, case, int(defence.result), unit.id)
    if attack.pinning and roll.result == "effective":  # 7.18
        pinned = Finding("7.18", inputs={"unit": unit.id}, result="suppressed")
        roll = roll._replace(
            result="suppressed",
            finding=msgspec.structs.replace(roll.finding, children=(*roll.finding.children, pinned)),
        )
    effect = vehicle_result(table, case, roll) if case.vehicle else unit_result(table, unit, roll)
    rolled = msgspec.structs.replace(roll.finding, children=(defence, *roll.finding.children, effect))
    shaken = effect.result in ("suppressed", "reduced") and before is not Marker.ON
    if unit.aboard:
        rolled = Finding(
            "6.5.4.2.3", inputs={"unit": unit.id, "carrier": unit.aboard}, result=effect.result, children=(rolled,)
        )
    elif table.state.passengers(unit):
        rule = ledger_row(table.data.edition, "6.5.4.4/separate-rolls")
        rolled = Finding(rule, inputs={"unit": unit.id}, result=effect.result, children=(rolled,))
    outcome: GpOutcome = next((outcome for outcome in OUTCOMES if outcome == effect.result), "none")
    return Hit(unit, outcome, rolled, CAUSES.get(effect.result, "") if case.vehicle else "", shaken)


def no_effect(unit: str) -> Finding:
    """6.5.4.4.1 Report that the attack had no effect."""
    return Finding("6.5.4.4.1", inputs={"unit": unit}, result="none")


# --- 6.5.4.4.2 vehicles ----------------------------------------------------------------------------------------

CELLS: Final[dict[tuple[WeaponKind, GpResult], dict[str, str]]] = {
    ("other", "suppressed"): dict.fromkeys(("A", "open", "P", "S"), "6.5.4.4.2/suppressed-non-sa"),
    ("other", "effective"): {
        **dict.fromkeys(("A", "open", "P"), "6.5.4.4.2/effective-non-sa-a-p"),
        "S": "6.5.4.4.2/effective-non-sa-s",
    },
    ("small_arms", "suppressed"): {
        **dict.fromkeys(("A", "open"), "6.5.4.4.2/suppressed-sa-a"),
        "P": "6.5.4.4.2/suppressed-sa-p",
        "S": "6.5.4.4.2/suppressed-sa-s",
    },
    ("small_arms", "effective"): {
        **dict.fromkeys(("A", "open"), "6.5.4.4.2/effective-sa-a"),
        "P": "6.5.4.4.2/effective-sa-p",
        "S": "6.5.4.4.2/effective-sa-s",
    },
}
"""6.5.4.4.2 The paragraph for each result, by weapon and target type."""


def vehicle_result(table: Table[PanzerState], case: Case, roll: GpRoll) -> Finding:
    """6.5.4.4.2 Apply a result to a vehicle, by weapon, target type and range."""
    assert case.vehicle is not None
    attack, unit, edition = case.attack, case.vehicle, table.data.edition
    if roll.result == "none":
        return no_effect(unit.id)
    weapon: WeaponKind = "small_arms" if attack.small_arms else "other"
    effect = table.data.advanced.gp_effect(weapon, roll.result, case.type, attack.column)
    rule = ledger_row(edition, CELLS[weapon, roll.result][case.type])
    match effect:
        case "none":
            found = Finding(rule, inputs={"unit": unit.id, "column": attack.column}, result="none")
        case "suppressed":
            found = suppress(table.state, unit, rule)
        case "damaged" if case.type == "open":
            found = _wrap("7.8.3/gp-effects", damage_by_gp(table, unit))
        case "damaged":
            found = _wrap(rule, damage_by_gp(table, unit))
        case "test" if case.type == "open" and not is_effective_enough(case):
            found = _wrap("7.8.3/gp-effects", damage_by_gp(table, unit))
        case "test" if not is_effective_enough(case):
            found = suppress(table.state, unit, rule)
        case _:
            found = _wrap(rule, resolve_vehicle(table, case, roll.total))
    children = (
        Finding("6.5.4.4.2/small-arms", inputs={"firer": attack.firer}, result=attack.small_arms),
        Finding("6.5.4.4.2/target-type", inputs={"unit": unit.id}, result=case.type),
        *([Finding("7.8.3", inputs={"unit": unit.id}, result=OPEN)] if case.type == "open" else []),
        *([_effectiveness(case)] if effect == "test" else []),
        found,
    )
    inputs = {"unit": unit.id, "result": roll.result, "total": roll.total, "column": attack.column}
    return Finding("6.5.4.4.2", inputs=inputs, result=found.result, children=children)


def _wrap(rule: str, found: Finding) -> Finding:
    return Finding(rule, inputs=found.inputs, result=found.result, children=(found,))


def is_effective_enough(case: Case) -> bool:
    """6.5.4.4.2 Whether the firer's highest effectiveness reaches the GP defence of an A or P-type vehicle."""
    assert case.vehicle is not None
    return case.attack.sure or case.attack.effectiveness >= case.data.vehicle(case.vehicle).defence


def _effectiveness(case: Case) -> Finding:
    assert case.vehicle is not None
    inputs = {"effectiveness": case.attack.effectiveness, "defence": case.data.vehicle(case.vehicle).defence}
    rule = ledger_row(case.data.edition, "6.5.4.4.2/effective-non-sa-a-p")
    return Finding(rule, inputs=inputs, result=is_effective_enough(case))


def resolve_vehicle(table: Table[PanzerState], case: Case, total: int) -> Finding:
    """6.5.4.4.2 An effective result: damage or a track hit by the last digit, otherwise a knock-out or brew-up."""
    assert case.vehicle is not None
    digit = last_digit(table, case.vehicle, total)
    if digit.result == "damaged":
        return _under(digit, damage_by_gp(table, case.vehicle))
    if digit.result == "track":
        return _under(digit, track_by_gp(table, case))
    found = destroy_by_gp(table, case.vehicle, brew_up_limit(case))
    if not case.attack.small_arms:
        return found
    half = Finding("5.12", inputs={"factor": case.attack.factor}, result=brew_up_limit(case))
    return msgspec.structs.replace(found, children=(half, *found.children))


def _under(digit: Finding, found: Finding) -> Finding:
    return msgspec.structs.replace(digit, result=found.result, children=(found,))


def last_digit(table: Table[PanzerState], unit: Unit, total: int) -> Finding:
    """6.5.4.4.2 The rule of 5s and 10s: a total ending in 5 damages the vehicle, one ending in 0 hits its track."""
    rule = ledger_row(table.data.edition, "6.5.4.4.2/rule-of-5-and-10")
    result = {5: "damaged", 0: "track"}.get(total % 10, "destroyed")
    return Finding(rule, inputs={"unit": unit.id, "total": total}, result=result)


def damage_by_gp(table: Table[PanzerState], unit: Unit) -> Finding:
    """6.5.4.4.2 Roll a d10 for turret or hull; unarmed vehicles have only a hull, and 2016 has one kind of damage."""
    if not table.data.charts.switch("split_damage"):
        return damage_vehicle(table, unit)
    if not table.data.vehicle(unit).mounts:
        return damage_vehicle(table, unit, Damage.HULL)
    return damage_by_die(table, unit, "6.5.4.4.2")


def track_by_gp(table: Table[PanzerState], case: Case) -> Finding:
    """6.5.4.4.2 Direct fire does not reach the tracks of a vehicle that is hull down, fully or partially."""
    unit, attack = case.vehicle, case.attack
    assert unit is not None
    if attack.kind in DIRECT and case.start is not None:
        up = up_of(table, case.firer) if case.firer else 0
        status, why = hull_down_against(table, unit, case.start, up)
        if status is not HullDown.NONE:
            rule = ledger_row(table.data.edition, "6.5.4.4.2/hull-down-track")
            return Finding(rule, inputs={"unit": unit.id, "position": status.value}, result="none", children=(why,))
    stands = track_stands(table.data, unit, attack.effectiveness)  # 7.21
    if stands is not None and not stands.result:
        return Finding("7.21", inputs=stands.inputs, result="none")
    found = hit_track(table, unit)
    return found if found.result == "track" else msgspec.structs.replace(found, result="track-again")


def brew_up_limit(case: Case) -> int:
    """6.5.4.4.2, 5.12 The highest roll that brews up: the effectiveness or, for small arms, half the GP factor."""
    data = case.data
    if case.attack.sure:
        limit = data.advanced.number("crash_brew_up")
    else:
        limit = max(1, case.attack.factor // 2) if case.attack.small_arms else case.attack.effectiveness
    burns = case.vehicle is not None and brews_up(data, case.vehicle)  # 7.11
    return limit - data.advanced.number("brew_up_gp") if burns else limit


def destroy_by_gp(table: Table[PanzerState], unit: Unit, limit: int) -> Finding:
    """6.5.4.4.2 A d10 roll up to the limit brews up the vehicle, otherwise it is knocked out."""
    roll = table.roll(10, "6.5.4.4.2", unit.id)
    found = brew_up(table, unit) if roll <= limit else knock_out(table, unit)
    return msgspec.structs.replace(found, inputs={**found.inputs, "brews_up_to": limit}, dice=(roll,))


# --- 6.5.4.4.3 leg and towed units, terrain --------------------------------------------------------------------


def unit_result(table: Table[PanzerState], unit: Unit, roll: GpRoll) -> Finding:
    """6.5.4.4.3 Any weapon can suppress; effective fire reduces a squad and eliminates any other unit."""
    if roll.result == "none":
        return no_effect(unit.id)
    edition = table.data.edition
    if roll.result == "suppressed":
        found = suppress(table.state, unit, ledger_row(edition, "6.5.4.4.3/suppressed"))
    else:
        found = lose_step_and_weapons(table, unit, ledger_row(edition, "6.5.4.4.3/effective-units"))
    return _wrap("6.5.4.4.3", found)


def terrain_in(table: Table[PanzerState], attack: GpAttack, hex: Hex) -> list[Ground]:
    """6.5.4.2.5 Direct fire attacks the terrain its target occupies; pattern fire attacks all terrain in the hex."""
    if attack.small_arms or attack.passengers_only:
        return []
    if attack.kind in DIRECT:
        return occupied_terrain(table, table.state.vehicles[attack.target])
    return vulnerable_terrain(table, hex) if attack.hexes else []


def attack_terrain(table: Table[PanzerState], attack: GpAttack, ground: Ground) -> Finding:
    """6.5.4.2.5, 6.5.4.4.3 Two effective results destroy terrain, but one destroys mines."""
    case = Case(table, attack, ground.hex)
    name = f"{ground.type} {hex_name(ground.hex)}"
    known = (ground.feature.known if ground.feature else ()) or table.state.sides
    secret = set(known) != set(table.state.sides)
    needed = table.data.advanced.features[ground.type].rolls if ground.feature else 2
    rolls = list[GpRoll]()
    while len(rolls) < needed and all(roll.result == "effective" for roll in rolls):
        rolls.append(gp_roll(table, case, ground.defence, name, secret=secret))
    destroyed = all(roll.result == "effective" for roll in rolls)
    fall = [_destroy(table, ground)] if destroyed else []
    inputs = {"feature": ground.type, "hex": hex_name(ground.hex), "defence": ground.defence}
    rule = ledger_row(table.data.edition, "6.5.4.4.3/effective-terrain")
    outcome = Finding(rule, inputs=inputs, result="destroyed" if destroyed else "none", children=tuple(fall))
    return Finding(
        ledger_row(table.data.edition, "6.5.4.2.5/when-attacked"),
        to=tuple(known) if secret else None,
        inputs={**inputs, "attack": attack.kind},
        result=outcome.result,
        children=(
            Finding("6.5.4.2.5", inputs=inputs, result=ground.defence),
            *(roll.finding for roll in rolls),
            outcome,
            *clearing_findings(table.data, ground.feature, attack.kind, outcome.result),
        ),
    )


def _destroy(table: Table[PanzerState], ground: Ground) -> Finding:
    if ground.feature is None:
        return destroy_building(table, ground.hex, ground.type)
    return destroy_feature(table, ground.feature)


# --- 6.5.4.5 bail out ------------------------------------------------------------------------------------------


def bail_outs(table: Table[PanzerState], attack: GpAttack, hits: list[Hit]) -> list[Finding]:
    """6.5.4.5 After all rolls of the attack, check bail-outs: for each vehicle the crew, then passengers (5.15)."""
    found = list[Finding]()
    for id in dict.fromkeys(hit.unit.aboard or hit.unit.id for hit in hits):
        causes = [hit.cause for hit in hits if hit.unit.id == id and hit.cause]
        if not table.state.vehicles[id].alive and not {"ko", "bu"} & set(causes):
            continue  # a building has collapsed on it
        checks = bail_out_checks(
            table,
            table.state.vehicles[id],
            causes,
            suppressed=[hit.unit.id for hit in hits if hit.unit.aboard == id and hit.shaken],
            indirect=attack.kind not in DIRECT,
        )
        inputs = {"carrier": id}
        found += [Finding("6.5.4.5", inputs=inputs, result=check.result, children=(check,)) for check in checks]
    return found
