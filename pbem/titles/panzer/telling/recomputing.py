"""4.0-7.0 Recomputing each finding with dice or a sum from its own data.

    3.0           the initiative roll, ranges
    4.4, 6.5.2    AP fire: hit, number of hits, location, penetration, bail-out
    6.1           spotting ranges
    6.5.4         GP fire and everything that uses its table
    6.5.1         artillery
    6.6-6.8       movement, close combat, recovery
    7.0           optional rules

A recipe reads charts but never the state. Soaks and tests compare its result with the stored one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, TypeAlias

from pbem.engine.geometry.hexes import distance, hex_name, neighbour, parse_hex
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.recompute import Recipe, child_of, net_of
from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.cards.chart_rows import Angle, Shot
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.numbering import in_chapter_4, ledger_row

Numbers: TypeAlias = Mapping[str, Any]

RECIPES: Final[dict[str, Recipe]] = {}
"""4.0-7.0 The recipes, by the most detailed rule number used in the code."""


def recomputes(*rules: str, rolled: bool = True) -> Callable[[Recipe], Recipe]:
    """Register a recipe for findings of these rules; it runs only if there are dice, unless `rolled` is False."""

    def enter(recipe: Recipe) -> Recipe:
        def if_rolled(data: PanzerData, finding: Finding) -> Numbers:
            if finding.dice:
                return recipe(data, finding)
            return {"result": net_of(finding)} if finding.modifiers else {}

        RECIPES.update(dict.fromkeys(rules, if_rolled if rolled else recipe))
        return recipe

    return enter


@cache
def recipes_of(edition: Edition) -> dict[str, Recipe]:
    """Return the recipes under an edition's rule numbers, including those of the basic game."""
    found: dict[str, Recipe] = {}
    for rule, recipe in RECIPES.items():
        found.setdefault(ledger_row(edition, rule), recipe)
        found.setdefault(ledger_row(edition, in_chapter_4(rule)), recipe)
    return found


def total_of(finding: Finding) -> int:
    return finding.dice[0] + net_of(finding)


# --- 3.0, 4.3, 6.3 -----------------------------------------------------------------------------------------------


@recomputes("3.1")
def own_roll(data: PanzerData, finding: Finding) -> Numbers:
    """3.1 Return the die roll, unmodified."""
    return {"result": finding.dice[0]}


@recomputes("3.2", rolled=False)
def reading_of_dice(data: PanzerData, finding: Finding) -> Numbers:
    """3.2 Read the tens and units dice as one number; two zeros are 100."""
    return {"result": 10 * finding.inputs["tens"] + finding.inputs["units"] or 100}


@recomputes("3.5", rolled=False)
def range_between(data: PanzerData, finding: Finding) -> Numbers:
    """3.5 Recompute the range in hexes from one end to the other."""
    ends = (parse_hex(finding.inputs[end]) for end in ("from", "to") if end in finding.inputs)
    places = list(ends)
    return {"result": distance(*places)} if len(places) == 2 else {}


@recomputes("6.3.2")
def initiative(data: PanzerData, finding: Finding) -> Numbers:
    """6.3.2 Add the modifier for the force grade to the roll."""
    return {"result": total_of(finding)}


# --- 4.1, 6.1 ----------------------------------------------------------------------------------------------------


@recomputes("6.1.3", "6.1", "4.1.1/continuous", rolled=False)
def spotting_range(data: PanzerData, finding: Finding) -> Numbers:
    """4.1.3, 6.1.3 Look up the range in the target's column for the sum of the rows; light offsets darkness."""
    if not finding.cell:
        return {}
    net, lit = net_of(finding), finding.inputs.get("light", 0)
    row = min(0, net + lit) if net < 0 else net
    column, shown = finding.cell
    reach = data.charts.spotting_range(row, column)
    return {"result" if isinstance(finding.result, int) else "limit": reach if shown == row else None}


# --- 4.4.3, 6.5.2 --------------------------------------------------------------------------------------------------


@recomputes("4.4.3.2.3", rolled=False)
def hit(data: PanzerData, finding: Finding) -> Numbers:
    """4.4.3.2.3 Look up the hit number by range factor and net modifier; a roll at or below it hits."""
    if "net" not in finding.inputs:
        return {}  # a preview, without a roll
    factor, net = finding.inputs["factor"], finding.inputs["net"]
    number = data.charts.hit_number(factor, net) if factor else 0
    hits = bool(finding.dice) and finding.dice[0] <= number
    return {"hit_number": number, "result": "hit" if hits else "miss"}


@recomputes("6.5.2.1/n-rate", "6.5.2.1/qrf-rates")
def number_of_hits(data: PanzerData, finding: Finding) -> Numbers:
    """6.5.2.1 Look up the number of hits by hit number, rate of fire and the roll that hit."""
    number, rate = finding.cell
    return {"result": data.advanced.number_of_hits(number, rate, finding.dice[0])}


@recomputes("6.5.2.2", "6.5.2.2.2")
def location(data: PanzerData, finding: Finding) -> Numbers:
    """6.5.2.2 Look up the location by the tens digit; the units digit is used for the damage."""
    tens, units = (digit or 10 for digit in divmod(finding.dice[0] % 100, 10))
    place = data.advanced.place(Angle(finding.inputs["angle"]), tens, Shot(finding.inputs["slope"]))
    return {"damage_die": units, "result": place.location.value}


@recomputes("4.4.3.2.5", rolled=False)
def penetration(data: PanzerData, finding: Finding) -> Numbers:
    """4.4.3.2.5 Recompute penetration: the penetration factor must be at least the armour factor."""
    return {"result": finding.inputs["penetration"] >= finding.inputs["armour"]}


@recomputes("6.5.2.2.4", "6.5.2.2.4/second-damage", rolled=False)
def damaged_part(data: PanzerData, finding: Finding) -> Numbers:
    """6.5.2.2.4 Recompute the part: a die up to a number damages the turret, a higher one the hull; twice is a KO."""
    if "before" in finding.inputs:
        return {"result": "ko"}
    if not finding.dice:
        return {}
    return {"part": "turret" if finding.dice[0] <= finding.inputs["turret_upto"] else "hull"}


@recomputes("6.5.2.5/bu", "6.5.2.5/ko")
def destruction(data: PanzerData, finding: Finding) -> Numbers:
    """6.5.4.4.2 Recompute destruction: a die up to the limit brews up the vehicle; a higher one knocks it out."""
    return {"result": "bu" if finding.dice[0] <= finding.inputs["brews_up_to"] else "ko"}


@recomputes("6.5.2.6.1", "6.5.2.6.2/ko-bu", "6.5.2.6.2/nd-dm-tk", "6.5.4.5/suppressed-passengers")
def bail_out(data: PanzerData, finding: Finding) -> Numbers:
    """6.5.2.6 Recompute a bail-out check: a unit leaves at or below the number, or survives at or above it."""
    total, number = total_of(finding), finding.inputs["number"]
    if finding.inputs["test"] == "survival":
        return {"total": total, "result": "survives" if total >= number else "eliminated"}
    return {"total": total, "result": "bails-out" if total <= number else "stays"}


# --- 6.5.4 GP fire, and other uses of its table ----------------------------------------------------------------


@recomputes("6.5.4.4", "6.6.1.1.1", "6.7.4.2", "7.19")
def gp_table(data: PanzerData, finding: Finding) -> Numbers:
    """6.5.4.4 Recompute a GP roll: factor against defence gives a cell with two limits for the modified roll."""
    cell, total = data.advanced.gp_limits(finding.inputs["factor"], finding.inputs["defence"]), total_of(finding)
    result = "none" if total <= cell.no_effect else "suppressed" if total <= cell.suppressed else "effective"
    limits = {"no_effect": cell.no_effect, "suppressed": cell.suppressed}
    return {"net": net_of(finding), "total": total, **limits, "result": result}


@recomputes("6.6.10.1", rolled=False)
def overrun_factor(data: PanzerData, finding: Finding) -> Numbers:
    """6.6.10.1 Add up the factors of all weapons and all small arms aboard, at most 15."""
    if "sum" not in finding.inputs:
        return {}  # an overrun that cannot continue
    total = sum(finding.inputs["weapons"].values()) + sum(finding.inputs["passengers"].values())
    return {"sum": total, "result": min(total, data.advanced.number("factor_at_most"))}


@recomputes("6.7.3.5", rolled=False)
def air_modifiers(data: PanzerData, finding: Finding) -> Numbers:
    """6.7.3.5 Add up the modifier rows."""
    if finding.modifiers:
        return {"result": net_of(finding)}
    return {"result": sum(int(child.result) for child in finding.children)} if finding.children else {}


@recomputes("6.7.4.2.1/eliminated")
def crash(data: PanzerData, finding: Finding) -> Numbers:
    """6.7.4.2.1 Recompute a crash: as many hexes ahead as the roll, half as many at low altitude."""
    hexes = finding.dice[0] // 2 if finding.inputs["altitude"] == "low" else finding.dice[0]
    hex = parse_hex(finding.inputs["from"])
    for _ in range(hexes):
        hex = neighbour(hex, finding.inputs["facing"])
    return {"hexes": hexes, "result": hex_name(hex) if data.board.is_on_map(hex) else "off the map"}


# --- 5.16 ammunition ---------------------------------------------------------------------------------------------


@recomputes("5.16.2")
def limit(data: PanzerData, finding: Finding) -> Numbers:
    """5.16.2 Recompute an ammo limit: a roll above it means a shortage."""
    short = finding.dice[0] + finding.inputs.get("added", 0) > finding.inputs["limit"]
    return {"result": "short" if short else "enough"}


@recomputes("5.16.2.1", "5.16.2.3", "5.16.2.5")
def artillery_limit(data: PanzerData, finding: Finding) -> Numbers:
    """5.16.2.1-5.16.2.5 Recompute an artillery limit: a roll above it means limited ammunition."""
    return {"result": "limited" if finding.dice[0] > finding.inputs["limit"] else "available"}


# --- 6.5.1 artillery -----------------------------------------------------------------------------------------------


@recomputes("6.5.1.12")
def response(data: PanzerData, finding: Finding) -> Numbers:
    """6.5.1.12 Recompute a response: the firer responds if it reaches the factor; with a 1 its fire goes astray."""
    rows = child_of(finding, ledger_row(data.edition, "6.5.1.12.1"))
    stray = child_of(finding, ledger_row(data.edition, "6.5.1.10"))
    reached = finding.dice[0] + finding.inputs["net"] >= finding.inputs["factor"]
    if finding.dice[0] == 1:
        reached = stray is not None and stray.result != "no-response"
    return {"net": rows.result if rows else None, "result": "responds" if reached else "no-response"}


@recomputes("7.26")
def scatter(data: PanzerData, finding: Finding) -> Numbers:
    """7.26 Recompute a scatter: one roll for the distance, one for the direction."""
    die, way = finding.dice
    hexes = next(row.hexes.value for row in data.advanced.scatter if row.first <= die <= row.last)
    hex = parse_hex(finding.inputs["from"])
    for _ in range(hexes):
        hex = neighbour(hex, way)
    result = hex_name(hex) if data.board.is_on_map(hex) else "lost"
    return {"hexes": hexes, "direction": way, "result": result}


@recomputes("7.26/bombs")
def bomb_scatter(data: PanzerData, finding: Finding) -> Numbers:
    """7.26 Recompute bomb scatter: bombs are on target if the total is above the limit."""
    total = finding.dice[0] + finding.inputs["grade"]
    if total > finding.inputs["upto"]:
        return {"total": total, "result": "on target"}
    hex = parse_hex(finding.inputs["from"])
    for _ in range(finding.inputs["hexes"]):
        hex = neighbour(hex, finding.dice[1])
    return {"total": total, "direction": finding.dice[1], "result": hex_name(hex)}


@recomputes("7.28.2")
def counter_battery(data: PanzerData, finding: Finding) -> Numbers:
    """7.28.2 Recompute whether a battery is located, or recovers: the roll must not exceed a limit."""
    if "upto" in finding.inputs:
        good = finding.dice[0] <= finding.inputs["upto"]
        return {"result": "recovered" if good else "still-suppressed"}
    found = total_of(finding) <= finding.inputs["limit"]
    return {"net": net_of(finding), "result": "located" if found else "missed"}


@recomputes("7.28.2/results")
def fire_at_battery(data: PanzerData, finding: Finding) -> Numbers:
    """7.28.2, 7.28.3 Look up the result for the roll; a second damage, or any damage to an asset, is a knock-out."""
    row = next(row.result for row in data.advanced.optional.counter_battery if finding.dice[0] <= row.upto)
    if finding.inputs["asset"]:
        return {"result": "ignored" if row == "suppressed" else "ko"}
    return {"result": "ko" if row == "damaged" and finding.inputs["damaged"] else row}


@recomputes("7.35.1")
def fire_starts(data: PanzerData, finding: Finding) -> Numbers:
    """7.35.1 Recompute whether a fire starts: the total must be within the range for the factor and the building."""
    total = finding.dice[0] + finding.inputs["modifier"]
    alight = total <= data.advanced.fire_range(finding.cell[0], finding.inputs["factor"])
    return {"total": total, "result": "on_fire" if alight else "none"}


# --- 6.6 movement and close combat -----------------------------------------------------------------------------


def within(data: PanzerData, finding: Finding, yes: str, no: str) -> Numbers:
    """6.0 Whether the total is within the range printed in the cell."""
    total, cell = total_of(finding), finding.cell
    limit = cell[-1] if isinstance(cell, list | tuple) else cell
    shown = {"total": total} if "total" in finding.inputs else {}
    return {**shown, "result": yes if total <= limit else no}


@recomputes("6.6.4.2/suppression-roll")
def quickmarch(data: PanzerData, finding: Finding) -> Numbers:
    """6.6.4.2 Recompute a quickmarch: the unit is suppressed within the range for its grade."""
    return within(data, finding, "suppressed", "fresh")


@recomputes("6.6.9")
def search(data: PanzerData, finding: Finding) -> Numbers:
    """6.6.9 Recompute a search: a hull-down position is found within the terrain's range."""
    return within(data, finding, finding.inputs["sought"], "")


@recomputes("6.8.3")
def recovery(data: PanzerData, finding: Finding) -> Numbers:
    """6.8.3 Recompute a recovery: the unit recovers within the range for its grade."""
    return within(data, finding, "recovered", "still-suppressed")


@recomputes("7.1.6.2")
def recovery_of_morale(data: PanzerData, finding: Finding) -> Numbers:
    """7.1.6.2 Recompute a recovery of morale in the same way."""
    return within(data, finding, "recovered", "still-broken")


@recomputes("7.29")
def bogging(data: PanzerData, finding: Finding) -> Numbers:
    """7.29 Recompute a bog check: the vehicle bogs down within the range."""
    return within(data, finding, "bogged", "firm")


@recomputes("6.6.3")
def through_a_building(data: PanzerData, finding: Finding) -> Numbers:
    """6.6.3 Recompute a passage: a total above the first number gets through; otherwise a second roll is made."""
    hit, *track = finding.cell if isinstance(finding.cell, list | tuple) else [finding.cell]
    total = finding.dice[0] + finding.inputs["added"]
    if total > hit:
        return {"total": total, "result": "through"}
    return {"total": total, "result": "track" if finding.dice[1] <= track[0] else "damaged"}


@recomputes("6.6.1.2.1")
def round_of_fighting(data: PanzerData, finding: Finding) -> Numbers:
    """6.6.1.2.1 Recompute a round: each side's last roll plus its own modifiers; the higher total wins."""
    rolls = dict(zip(("attacker", "defender"), finding.dice[-2:], strict=True))
    sides = [child for child in finding.children if child.rule == ledger_row(data.edition, "6.6.1.2.2")]
    totals = {party: rolls[party] + int(side.result) for party, side in zip(rolls, sides, strict=True)}
    return {**totals, "result": max(totals, key=lambda party: totals[party])}


# --- 7.0 optional rules ----------------------------------------------------------------------------------------


@recomputes("7.1.1.1")
def cohesion(data: PanzerData, finding: Finding) -> Numbers:
    """7.1.1.1 Recompute cohesion: the total gives the level; level and number of units give the points."""
    rolled = data.advanced.cohesion_level(total_of(finding))
    held = child_of(finding, "7.1.1.1/limits")
    number = rolled.level
    if held is not None:
        number = max(held.inputs["lowest"], min(held.inputs["highest"], number))
    level = next(row for row in data.advanced.optional.cohesion if row.level == number)
    points = data.advanced.cohesion_points(level, finding.inputs["units"])
    return {"total": total_of(finding), "level": level.name, "result": points}


@recomputes("7.1.4")
def morale(data: PanzerData, finding: Finding) -> Numbers:
    """7.1.4 Recompute a morale check: the unit breaks up to the first number, and hesitates up to the second."""
    total, (_, breaks, hesitates) = total_of(finding), finding.cell
    result = "broken" if total <= breaks else "hesitating" if total <= hesitates else "none"
    return {"net": net_of(finding), "total": total, "result": result}


@recomputes("7.7.1")
def limited_spotting(data: PanzerData, finding: Finding) -> Numbers:
    """7.7.1 Recompute a spotting roll: the limit is the grade's chance plus the help of others, at most 100."""
    chance = min(100, finding.cell[1] + net_of(finding))
    return {"chance": chance, "result": finding.dice[0] <= chance}


@recomputes("7.9")
def dischargers(data: PanzerData, finding: Finding) -> Numbers:
    """7.9 Recompute dischargers: they make smoke if the roll is at or below the limit."""
    return {"result": "smoke" if finding.dice[0] <= finding.inputs["limit"] else "no-smoke"}


@recomputes("7.12")
def variable_penetration(data: PanzerData, finding: Finding) -> Numbers:
    """7.12 Recompute a penetration factor that two dice vary."""
    variant = child_of(finding, "7.12/soviet-variant")
    read = [max(1, die - 1) for die in finding.dice] if variant else finding.dice
    factor = finding.inputs["penetration"]
    change = data.advanced.variation(factor, read)
    return {"change": change, "result": factor + change}


@recomputes("7.17")
def weapon_lost(data: PanzerData, finding: Finding) -> Numbers:
    """7.17 Recompute a loss: a weapon is lost at or below a number; the first of several rolls with a modifier."""
    gone = finding.dice[0] + finding.inputs["modifier"] <= finding.inputs["upto"]
    return {"result": "lost" if gone else "kept"}


@recomputes("7.22.2")
def infantry_smoke(data: PanzerData, finding: Finding) -> Numbers:
    """7.22.2 Recompute infantry smoke: it is laid if the roll is at or below the limit."""
    return {"result": finding.dice[0] <= finding.inputs["limit"]}


@recomputes("7.23")
def collateral(data: PanzerData, finding: Finding) -> Numbers:
    """7.23 Look up the row for location and roll; the effect itself is in the child finding."""
    row = next(
        (
            row.effect
            for row in data.advanced.optional.collateral
            if finding.inputs["location"] in row.locations and row.roll == finding.dice[0]
        ),
        None,
    )
    befallen = finding.children[0] if finding.children else None
    agrees = (befallen.inputs["effect"] if befallen else None) == row
    return {"result": (befallen.result if befallen else "none") if agrees else row}


@recomputes("7.23.4")
def leak(data: PanzerData, finding: Finding) -> Numbers:
    """7.23.4 Recompute a leak: up to one number the vehicle runs out of fuel, up to a higher one it catches fire."""
    die, inputs = finding.dice[0], finding.inputs
    return {"result": "track" if die <= inputs["dry_upto"] else "bu" if die <= inputs["burns_upto"] else "none"}


@recomputes("7.24")
def camouflage(data: PanzerData, finding: Finding) -> Numbers:
    """7.24 Recompute a search: the unit is found on a roll up to the spotting range."""
    return {"result": "found" if finding.dice[0] <= finding.inputs["range"] else "overlooked"}


@recomputes("7.25", rolled=False)
def jam(data: PanzerData, finding: Finding) -> Numbers:
    """7.25 Recompute a malfunction, which needs the exact roll."""
    return {"die": finding.inputs["malfunctions_on"]} if "malfunctions_on" in finding.inputs else {}


@recomputes("7.25/repair")
def repair(data: PanzerData, finding: Finding) -> Numbers:
    """7.25 Recompute a repair: the weapon is repaired up to one number, and lost for good from another upwards."""
    total = total_of(finding)
    upto, lost = finding.cell
    result = "repaired" if total <= upto else "lost" if total >= lost else "malfunction"
    return {"total": total, "result": result}


@recomputes("7.30/pushing")
def pushing(data: PanzerData, finding: Finding) -> Numbers:
    """7.30 Recompute a push: the roll, plus five for each full five tons of difference, must reach a number."""
    pusher, pushed = finding.inputs["weights"]
    step = data.advanced.number("push_weight")
    total = finding.dice[0] + step * ((pusher - pushed) // (step * 10))
    return {"total": total, "result": "cleared" if total >= finding.cell else "stuck"}


@recomputes("7.31.2.1")
def mines_and_vehicles(data: PanzerData, finding: Finding) -> Numbers:
    """7.31.2.1 Recompute a mine attack: damage up to the first number, and a track hit up to the second."""
    damaged, track = finding.cell
    effect = finding.children[0] if finding.children else None
    hit = "damage" if finding.dice[0] <= damaged else "track" if finding.dice[0] <= track else ""
    tracks = {ledger_row(data.edition, rule) for rule in ("6.5.2.2.1", "6.5.2.2.1/ignored-repeat")}
    found = "" if effect is None else "track" if effect.rule in tracks else "damage"
    return {"result": (effect.result if effect else "none") if hit == found else hit or "none"}


@recomputes("7.31.2.2")
def mines_on_foot(data: PanzerData, finding: Finding) -> Numbers:
    """7.31.2.2 Recompute a mine attack: a hit within the range for how the mines were laid."""
    total = finding.dice[0] + finding.inputs["quickmarch"]
    hit = total <= finding.cell[1]
    effect = finding.children[0].result if finding.children else "none"
    return {"total": total, "result": effect if hit == bool(finding.children) else hit}
