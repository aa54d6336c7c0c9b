"""3.0-7.12 Recipes that recompute each finding with dice or a sum from its own numbers.

    3.1, 5.3       rally, recovery, repair, promotion
    3.2.2, 3.2.3   fire attacks and everything that uses the fire table; morale and pin checks
    3.2.4, 7.9     To Hit, ammunition, breakdown, To Kill
    3.3, 7         movement, vehicles
    3.8            close combat

A recipe reads charts but never the state. Soaks and tests compare its result with the stored one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final, TypeAlias

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.recompute import Recipe, child_of, net_of
from pbem.titles.aslsk.chance import Dice
from pbem.titles.aslsk.data_set import AslskData
from pbem.titles.aslsk.fire.morale import judge
from pbem.titles.aslsk.fire.table import residual_of, step_residual
from pbem.titles.aslsk.ordnance.bystanders import last_casualty_row
from pbem.titles.aslsk.vehicles.kill import DUD, outcome

Numbers: TypeAlias = Mapping[str, Any]

RECIPES: Final[dict[str, Recipe]] = {}
"""3.0-7.12 The recipes by rule."""


def recomputes(*rules: str, rolled: bool = True) -> Callable[[Recipe], Recipe]:
    """Register a recipe for findings of these rules; it applies only to findings with dice, unless `rolled` is
    false.
    """

    def enter(recipe: Recipe) -> Recipe:
        def if_rolled(data: AslskData, finding: Finding) -> Numbers:
            return recipe(data, finding) if finding.dice else {}

        RECIPES.update(dict.fromkeys(rules, if_rolled if rolled else recipe))
        return recipe

    return enter


def total_of(finding: Finding) -> int:
    return sum(finding.dice) + net_of(finding)


def either(condition: bool, yes: str, no: str) -> Numbers:
    return {"result": yes if condition else no}


# --- 3.1, 5.3 ----------------------------------------------------------------------------------------------------


@recomputes("3.1/e-self-rally", "3.1/f-rally")
def rally(data: AslskData, finding: Finding) -> Numbers:
    """3.1/f-rally Recompute a rally: a roll up to the broken morale rallies; an Original 12 costs casualties."""
    if sum(finding.dice) == 12:
        return {"result": "casualties"}
    return either(total_of(finding) <= finding.inputs["morale"], "rallied", "still broken")


@recomputes("3.1/b-recovery", "3.3.1/recovery")
def recovery(data: AslskData, finding: Finding) -> Numbers:
    """3.1/b-recovery Recompute a recovery: a roll below 6 recovers the weapon."""
    return either(total_of(finding) < 6, "recovered", "not recovered")


@recomputes("3.1/c-repair")
def repair(data: AslskData, finding: Finding) -> Numbers:
    """3.1/c-repair Recompute a repair: a die up to the repair number repairs the weapon; a 6 removes it."""
    die = finding.dice[0]
    return {"result": "repaired" if die <= finding.inputs["number"] else "removed" if die == 6 else "not repaired"}


@recomputes("5.3")
def promotion(data: AslskData, finding: Finding) -> Numbers:
    """5.3 Look up a promotion in the table of new leaders."""
    return {"result": data.combat_table.leaders.new_leader(total_of(finding)) or "none"}


# --- 3.2.2, 3.2.3 ------------------------------------------------------------------------------------------------


def cells(data: AslskData, finding: Finding, column: int) -> dict[str, str]:
    """3.2.3 Look up the cell for each target by its own Final DR."""
    rolled = sum(finding.dice)
    against: Mapping[str, int] = finding.inputs["against"]
    return {id: str(data.fire_table.cell(column, rolled + drm)) for id, drm in against.items()}


@recomputes("3.2.2", "3.3.3/sff", "3.3.3/fpf")
def fire_attack(data: AslskData, finding: Finding) -> Numbers:
    """3.2.2 Recompute an attack: FP, column, cowering and each target's cell; 3.3.3/fpf also the checks of FPF
    units.
    """
    if "morale" in finding.inputs:
        return check(data, finding)
    column = data.fire_table.column_of(Fraction(finding.inputs["fp"]))
    cowered = child_of(finding, "3.2.2/cowering")
    used = data.fire_table.shift_left(column, cowered.result if cowered is not None else 0)
    return {"result": cells(data, finding, used)}


@recomputes("3.2.4/effects", "6.1")
def effect(data: AslskData, finding: Finding) -> Numbers:
    """3.2.4/effects Recompute the effect of a hit: the result in its column for each unit."""
    return {"result": cells(data, finding, finding.cell["used"])}


@recomputes("3.3.5", rolled=False)
def residual(data: AslskData, finding: Finding) -> Numbers:
    """3.3.5 Recompute an attack by Residual FP, or the strength that an attack leaves."""
    if finding.dice:
        return {"result": cells(data, finding, finding.cell["used"])}
    return {"result": step_residual(residual_of(finding.inputs["column"]), -net_of(finding))}


@recomputes("4.4.3")
def backblast(data: AslskData, finding: Finding) -> Numbers:
    """4.4.3 Recompute a backblast: the result for the coloured die in column 1."""
    found: Mapping[str, str] = finding.result
    return {"result": dict.fromkeys(found, str(data.fire_table.cell(1, finding.dice[0])))}


@recomputes("4.3/detonation")
def detonation(data: AslskData, finding: Finding) -> Numbers:
    """4.3/detonation Recompute a detonation: on the X# or above it is a dud, otherwise an attack with 30 FP."""
    if sum(finding.dice) >= finding.inputs["limit"]:
        return {"result": "dud"}
    return {"result": cells(data, finding, finding.cell["used"])}


@recomputes("3.8/close-defence")
def close_defence(data: AslskData, finding: Finding) -> Numbers:
    """3.8/close-defence Recompute close defence: an attack with 16 FP on a roll up to the usage number."""
    if sum(finding.dice) > finding.inputs["number"]:
        return {"result": "no effect"}
    return {"result": cells(data, finding, 16)}


@recomputes("7.12", rolled=False)
def collateral(data: AslskData, finding: Finding) -> Numbers:
    """7.12 Recompute a collateral attack: the effect DR of the hit is applied to the crew.

    A report of an order that breaks 7.12 has no numbers.
    """
    if "rolled" not in finding.inputs:
        return {}
    final = finding.inputs["rolled"] + net_of(finding)
    return {"result": str(data.fire_table.cell(finding.cell["used"], final))}


@recomputes("3.2.3/nmc", "3.2.3/mc", "3.2.3/llmc", "6.2/wp", "3.6/interdiction")
def check(data: AslskData, finding: Finding) -> Numbers:
    """3.2.3/nmc Recompute a morale check: the dice and modifiers are compared with the morale."""
    white, coloured = finding.dice
    return {"result": judge(Dice(white, coloured), net_of(finding), finding.inputs["morale"])}


@recomputes("3.2.3/ptc", "3.2.3/lltc", "3.7/paatc")
def task_check(data: AslskData, finding: Finding) -> Numbers:
    """3.2.3/ptc Recompute a task check: a roll up to the morale passes."""
    return either(total_of(finding) <= finding.inputs["morale"], "passed", "pinned")


@recomputes("3.2.3/wounds")
def wound(data: AslskData, finding: Finding) -> Numbers:
    """3.2.3/wounds Recompute a wound: a roll of 5 or more eliminates the leader."""
    return either(total_of(finding) >= 5, "eliminated", "wounded")


@recomputes("4.0/weapon-destruction", "6.7")
def weapon_hit(data: AslskData, finding: Finding) -> Numbers:
    """4.0/weapon-destruction, 6.7 Recompute a hit on a weapon: KIA destroys it, K makes it malfunction."""
    kind = data.fire_table.cell(finding.cell["used"], total_of(finding)).kind
    return {"result": {"kia": "removed", "k": "malfunctions"}.get(kind, "unharmed")}


# --- 3.2.4, 6, 7.9 -----------------------------------------------------------------------------------------------


@recomputes("1.2.4.1")
def rate_of_fire(data: AslskData, finding: Finding) -> Numbers:
    """1.2.4.1 Recompute whether a weapon keeps its rate of fire: the coloured die must not exceed it."""
    return either(finding.dice[0] <= finding.inputs["rate"], "may fire again", "lost")


@recomputes("3.2.4", "3.2.4/vtt")
def to_hit(data: AslskData, finding: Finding) -> Numbers:
    """3.2.4 Recompute a shot: the dice (lower die doubled on the move) plus the lowest DRM, against the To Hit
    number.
    """
    told = finding.inputs
    rolled = sum(finding.dice) + (min(finding.dice) if told.get("moves") else 0)
    able = not told["no_sight"] and not told.get("empty") and sum(finding.dice) < told.get("backfires", 13)
    best = min(told.get("against", {"": net_of(finding)}).values())
    return either(able and rolled + best <= told["number"], "hit", "miss")


@recomputes("6.2")
def depletion(data: AslskData, finding: Finding) -> Numbers:
    """6.2 Recompute depletion: on the depletion number the last of the ammunition is fired; above it none is left."""
    return either(sum(finding.dice) == finding.inputs["number"], "the last", "none")


@recomputes("7.2.1")
def low_ammo(data: AslskData, finding: Finding) -> Numbers:
    """7.2.1 Recompute Low Ammo: it follows a roll of the circled number or more."""
    return either(sum(finding.dice) >= finding.inputs["number"], "low", "enough")


@recomputes("6.12", "4.1/breakdown", "4.2")
def breakdown(data: AslskData, finding: Finding) -> Numbers:
    """6.12, 4.1/breakdown Recompute a breakdown: on its number or more the weapon breaks down, on a second number
    it is removed.
    """
    rolled, told = sum(finding.dice), finding.inputs
    return {
        "result": "removed" if rolled >= told["removed_on"] else "malfunctions" if rolled >= told["number"] else ""
    }


@recomputes("4.4.2", "4.4.2/check")
def panzerfaust(data: AslskData, finding: Finding) -> Numbers:
    """4.4.2 Recompute the check for a Panzerfaust, a TH DR high enough to backfire, or an effect DR that is a dud."""
    if finding.rule == "4.4.2/check":
        return {"result": total_of(finding)}
    if len(finding.dice) > 1:
        least = finding.inputs["number"]
        return {"result": finding.result if sum(finding.dice) >= least else ""}
    return either(total_of(finding) <= 3 and finding.dice[0] != 6, "has one", "none")


@recomputes("7.9", "3.2.4/kill-test", "3.2.4/dud")
def to_kill(data: AslskData, finding: Finding) -> Numbers:
    """7.9, 7.10 Recompute To Kill: the basic number with modifiers and armour is compared with the TK DR."""
    told = finding.inputs
    number = told["basic"] + net_of(finding) - told["armour"] if "basic" in told else told["number"]
    rolled = sum(finding.dice)
    result = "dud" if rolled >= told.get("dud", DUD) else outcome(told["effect"], told["location"], rolled, number)
    return {"number": number, "result": result}


@recomputes("7.11")
def area_fire(data: AslskData, finding: Finding) -> Numbers:
    """7.11 Recompute area fire at an AFV: KIA destroys it; K, or a DR one higher, is Shock for a turret hit and
    immobilization for a hull hit.
    """
    column, final = finding.cell["used"], total_of(finding)
    kind = data.fire_table.cell(column, final).kind
    if kind == "kia":
        return {"result": "destroyed"}
    if kind != "k" and final != last_casualty_row(data.fire_table, column) + 1:
        return {"result": "no effect"}
    return either(finding.inputs["location"] == "turret", "shock", "immobilized")


@recomputes("4.3/vs-afv")
def charge_position(data: AslskData, finding: Finding) -> Numbers:
    """4.3/vs-afv Look up the position of a charge."""
    return {"result": data.charts.charge_position(total_of(finding))}


# --- 3.3, 6.5, 7 -------------------------------------------------------------------------------------------------


@recomputes("3.3.1/smoke-grenades")
def grenades(data: AslskData, finding: Finding) -> Numbers:
    """3.3.1/smoke-grenades Recompute grenades: a roll up to the exponent places Smoke; a 6 ends the move."""
    if total_of(finding) <= finding.inputs["exponent"]:
        return {"result": "placed"}
    return either(finding.dice[0] == 6, "move ends", "not placed")


@recomputes("6.5")
def manhandling(data: AslskData, finding: Finding) -> Numbers:
    """6.5 Recompute manhandling: below M# the Gun moves and continues; on M# it moves and stops."""
    final, number = total_of(finding), finding.inputs["number"]
    return {"result": "moves on" if final < number else "moves and stops" if final == number else "does not move"}


@recomputes("7.6")
def bog(data: AslskData, finding: Finding) -> Numbers:
    """7.6 Recompute a bog check: a roll of 12 or more bogs the vehicle."""
    return either(total_of(finding) >= 12, "bogged", "goes on")


@recomputes("7.6/unbog")
def unbog(data: AslskData, finding: Finding) -> Numbers:
    """7.6/unbog Recompute an attempt to unbog: the coloured die decides, +1 if mired."""
    modified = finding.dice[1] + finding.inputs["mired"]
    return {"result": "freed" if modified <= 4 else "mired" if modified == 5 else "immobilized"}


@recomputes("3.3.2/mechanical-reliability")
def engine(data: AslskData, finding: Finding) -> Numbers:
    """3.3.2/mechanical-reliability Recompute a check: on the failure number or more the vehicle breaks down."""
    return either(sum(finding.dice) >= finding.inputs["number"], "breaks down", "runs")


@recomputes("3.3.2.1")
def motion(data: AslskData, finding: Finding) -> Numbers:
    """3.3.2.1 Recompute an attempt at Motion: a roll up to the MF or MP spent in sight succeeds."""
    return either(finding.dice[0] <= finding.inputs["number"], "in Motion", "no Motion")


@recomputes("7.5")
def smoke_device(data: AslskData, finding: Finding) -> Numbers:
    """7.5 Recompute a smoke device: a roll up to the usage number succeeds if the target hex is in sight."""
    works = total_of(finding) <= finding.inputs["number"] and not finding.inputs.get("no_sight")
    return either(works, "placed", "not placed")


@recomputes("7.10/shock")
def possible_shock(data: AslskData, finding: Finding) -> Numbers:
    """7.10/shock Recompute a possible Shock: a roll above the crew's morale results in Shock."""
    return either(total_of(finding) > finding.inputs["morale"], "failed", "passed")


@recomputes("7.10/shock-recovery")
def shock_recovery(data: AslskData, finding: Finding) -> Numbers:
    """7.10/shock-recovery Recompute recovery: Shock ends on 1-2, UK on 1-3."""
    unknown = finding.inputs["marker"] == "uk"
    return either(finding.dice[0] <= (3 if unknown else 2), "recovers", "lost" if unknown else "UK")


# --- 3.8 ---------------------------------------------------------------------------------------------------------


@recomputes("3.8/ambush")
def ambush(data: AslskData, finding: Finding) -> Numbers:
    """3.8/ambush Recompute an ambush: each side has a die and its drm; a result at least 3 lower ambushes the
    other side.
    """
    seats = list(finding.inputs["finals"])
    finals = {
        seat: die + sum(row["value"] for row in finding.modifiers if row["seat"] == seat)
        for seat, die in zip(seats, finding.dice, strict=True)
    }
    first, second = seats
    lower = first if finals[first] < finals[second] else second
    far = abs(finals[first] - finals[second]) >= 3
    return {"finals": finals, "result": lower if far else "no ambush"}


@recomputes("3.8/attacks", "3.8/vehicle-attack")
def close_combat(data: AslskData, finding: Finding) -> Numbers:
    """3.8/attacks Recompute an attack: below the kill number it eliminates all targets; on it, one suffers
    casualties.
    """
    final = total_of(finding)
    return {
        "result": "eliminated" if final < finding.cell else "casualties" if final == finding.cell else "no effect"
    }


@recomputes("3.8/vs-vehicle", "3.3.4")
def against_vehicle(data: AslskData, finding: Finding) -> Numbers:
    """3.8/vs-vehicle Recompute an attack: a roll below the CCV destroys the vehicle, one equal to it immobilizes it.

    After a 2 that would otherwise have no effect, a third die decides.
    """
    rolled, value, net = sum(finding.dice[:2]), finding.inputs["value"], net_of(finding)
    if rolled == 2 and value - net < 2:
        die = finding.dice[2]
        return {"result": "destroyed" if die <= 2 else "immobilized" if die == 3 else "no effect"}
    final = rolled + net
    return {"result": "destroyed" if final < value else "immobilized" if final == value else "no effect"}
