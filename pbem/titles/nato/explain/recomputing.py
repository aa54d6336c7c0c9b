"""Recipes that recompute each finding with dice or a sum from its own numbers.

    10, 17       resupply, sea supply, interception
    12           the cost of a move
    19 to 24     flak, strikes, air points, deep interdiction
    25           strengths, odds, results, counterattacks, retreats
    32 to 35     surrender, victory, the dice of the general deployment plan
    39           NATO's alert

A recipe reads charts and cards but never the state. Simulations and tests compare its result with the stored one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final, TypeAlias

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.recompute import Recipe, child_of, net_of
from pbem.titles.nato.cards.scenario import halves
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.odds import basic_odds, final_odds
from pbem.titles.nato.combat.strength import fraction_in_words
from pbem.titles.nato.data_set import NatoData

Numbers: TypeAlias = Mapping[str, Any]

RECIPES: Final[dict[str, Recipe]] = {}
"""Every recipe by its rule."""


def recomputes(*rules: str, rolled: bool = False) -> Callable[[Recipe], Recipe]:
    """Register a recipe for findings under these rules; if `rolled`, only for findings with dice."""

    def enter(recipe: Recipe) -> Recipe:
        def if_rolled(data: NatoData, finding: Finding) -> Numbers:
            return recipe(data, finding) if finding.dice else {}

        RECIPES.update(dict.fromkeys(rules, if_rolled if rolled else recipe))
        return recipe

    return enter


def total_of(finding: Finding) -> int:
    """The first die plus all modifiers."""
    return finding.dice[0] + net_of(finding)


def number_of(text: Any) -> Fraction:
    """Read a number as players write it: 3, 1/2, 6 3/4."""
    return sum((Fraction(word) for word in str(text).split()), Fraction(0))


# --- 10, 12, 17 --------------------------------------------------------------------------------------------------


@recomputes("12.2", "12.4", "12.5", "28.2.1")
def movement_cost(data: NatoData, finding: Finding) -> Numbers:
    """12.1 Add up the costs of all hexes on a path."""
    return {"spent": net_of(finding)} if "spent" in finding.inputs else {}


@recomputes("10.7.1", "10.9.2", rolled=True)
def supply_flight(data: NatoData, finding: Finding) -> Numbers:
    """10.7.1, 10.9.2 Recompute a supply flight: the roll, less one in an enemy zone, must exceed the interception
    value.
    """
    value = finding.inputs["value"]
    through = value is None or sum(finding.dice) - finding.inputs["zone"] > value
    return {"result": "supplied" if through else "intercepted"}


@recomputes("17.1.2", "33.2.6", rolled=True)
def interception(data: NatoData, finding: Finding) -> Numbers:
    """17.1.2, 33.2.6 Recompute an interception: a roll equal to the value or lower intercepts."""
    hit = sum(finding.dice) - finding.inputs.get("zone", 0) <= finding.inputs["value"]
    return {"result": "intercepted" if hit else "through"}


@recomputes("10.8.1")
def supply_income(data: NatoData, finding: Finding) -> Numbers:
    """10.8.1 Recompute the income: the points received less the cost of deep interdiction, at least zero."""
    return {"result": max(0, finding.inputs["base"] - finding.inputs["deep"])}


# --- 19 to 24 ----------------------------------------------------------------------------------------------------


@recomputes("19.1", rolled=True)
def flak(data: NatoData, finding: Finding) -> Numbers:
    """19.1 Recompute flak: the first die decides whether it hits; the second must exceed the defense strength."""
    first, *second = finding.dice
    if first > finding.inputs["hits_on"]:
        return {"result": "missed"}
    return {"result": "shot down" if second[0] > finding.inputs["defense"] else "hit"}


@recomputes("23.3", "23.2.2", "24.1", rolled=True)
def strike(data: NatoData, finding: Finding) -> Numbers:
    """23.3.2 Look up the modified die roll in the Strike Table."""
    column, total = finding.inputs["column"], total_of(finding)
    shown = list(finding.cell) == [column, total]
    return {"result": (data.charts.strike(column, total) or "no effect") if shown else None}


@recomputes("33.3.3.1", rolled=True)
def strike_on_a_site(data: NatoData, finding: Finding) -> Numbers:
    """33.3.3.1, 33.3.5 Recompute a strike on a site: a second hit, or a D1, takes a step; the 3rd ACR has two
    steps.
    """
    column, _ = finding.cell
    result, given = data.charts.strike(column, total_of(finding)), finding.inputs
    if result == "D1" or (result == "*" and given["damaged"]):
        return {"result": "reduced" if given["steps"] > 1 else "eliminated"}
    return {"result": "damaged" if result == "*" else "no effect"}


@recomputes("21.1.1/step", rolled=True)
def nuclear_strike(data: NatoData, finding: Finding) -> Numbers:
    """21.1.1 Look up the modified die roll in the Nuclear Strike Table."""
    return {"result": data.charts.nuclear(total_of(finding)) or "no effect"}


@recomputes("21.2", rolled=True)
def armageddon(data: NatoData, finding: Finding) -> Numbers:
    """21.2 Recompute Armageddon: it happens if the die roll is no higher than the striker's number of strikes."""
    return {"result": "Armageddon" if finding.dice[0] <= finding.inputs["strikes"] else "no Armageddon"}


@recomputes("22.2.3/unit", rolled=True)
def chemical_strike(data: NatoData, finding: Finding) -> Numbers:
    """22.2.3 Look up the modified die roll in the Chemical Strike Table, by the turn of chemical warfare."""
    return {"result": data.charts.chemical(finding.inputs["turn"], total_of(finding)) or "no effect"}


@recomputes("22.4", rolled=True)
def gas_on_airfields(data: NatoData, finding: Finding) -> Numbers:
    """22.4 Look up the points that NATO loses, which leave it at least two."""
    wanted = data.charts.airfield(finding.inputs["turn"], total_of(finding))
    left = finding.inputs["have"] - data.charts.number("tactical_floor")
    return {"wanted": wanted, "result": max(0, min(wanted, left))}


@recomputes("22.2.5", rolled=True)
def marker_removed(data: NatoData, finding: Finding) -> Numbers:
    """22.2.5 Recompute whether a persistent marker is removed: on a roll of 1."""
    return {"result": "removed" if finding.dice[0] == 1 else "stays"}


@recomputes("23.7", rolled=True)
def deep_interdiction(data: NatoData, finding: Finding) -> Numbers:
    """23.7 Look up the points and the die roll in the Deep Interdiction Table."""
    return {"result": data.charts.deep_interdiction(finding.inputs["points"], finding.dice[0])}


@recomputes("23.1.1")
def air_points(data: NatoData, finding: Finding) -> Numbers:
    """23.1.1 Look up the air points: one table for both sides, or a table for each side in War of Nerves."""
    plan, dice, charts = data.scenario.air, finding.dice, data.charts
    tables = finding.inputs.get("tables", {str(side): plan.table for side in Side})
    found: dict[str, dict[str, int]] = {"tactical": {}, "operational": {}}
    for place, side in enumerate(Side):
        points = plan.fixed
        if points is None:
            die = dice[min(place, len(dice) - 1)] + plan.die
            points = charts.air_points(tables[str(side)], finding.inputs["turn"], die)
        tactical, operational = (halves(points) if plan.halved else points).of(side)
        left = [one for one in finding.children if one.rule == "23.1.2" and one.inputs["side"] == side]
        found["tactical"][side] = left[0].result if left and left[0].inputs["table"] == tactical else -1
        found["operational"][side] = operational
    return {"result": found}


# --- 25 ----------------------------------------------------------------------------------------------------------


@recomputes("25.3.1", "25.3.2", "25.3.2.3", "25.2.7")
def strength(data: NatoData, finding: Finding) -> Numbers:
    """25.3.1, 25.3.2 Multiply the printed strength by every factor; the factor that 27.3.4 repeats counts once."""
    if "printed" not in finding.inputs:
        return {}
    found = Fraction(finding.inputs["printed"])
    for factor in finding.children:
        found *= number_of(factor.result) if factor.rule != "27.3.4" else 1
    return {"result": fraction_in_words(found)}


@recomputes("25.3.1.3")
def round_total(data: NatoData, finding: Finding) -> Numbers:
    """25.3.1.3 Round the attack total down, and the defense total up to at least 1."""
    attack, defense = (number_of(finding.inputs[name]) for name in ("attack", "defense"))
    return {"result": [int(attack), max(1, -int(-defense // 1))]}


@recomputes("25.3.3")
def basic(data: NatoData, finding: Finding) -> Numbers:
    """25.3.3 Recompute the basic odds."""
    return {"result": basic_odds(finding.inputs["attack"], finding.inputs["defense"])}


@recomputes("25.3.4")
def net_shift(data: NatoData, finding: Finding) -> Numbers:
    """25.3.4 Add up all column shifts."""
    return {"result": sum(one.result for one in finding.children if one.rule != "6.0/column-shift")}


@recomputes("25.5.1")
def final(data: NatoData, finding: Finding) -> Numbers:
    """25.5.1 Apply the net shift to the basic odds: at most two columns, except on the surprise turn."""
    free = child_of(finding, "25.5.1.2") is not None
    return {"result": final_odds(finding.inputs["basic"], finding.inputs["net"], unlimited=free)}


@recomputes("25.5.2")
def battle(data: NatoData, finding: Finding) -> Numbers:
    """25.5.2 Recompute a battle from totals, odds, shifts and the die to the result."""
    given, net = finding.inputs, net_of(finding)
    attack = int(sum((number_of(row["counts"]) for row in given["attackers"]), Fraction(0)))
    defense = max(1, -int(-sum((number_of(row["counts"]) for row in given["defenders"]), Fraction(0)) // 1))
    odds, last = basic_odds(attack, defense), child_of(finding, "25.5.1")
    column, die = finding.cell
    shown = last is not None and last.result == column and die == finding.dice[0]
    result = data.charts.combat(column, die).text if shown else None
    return {"attack": attack, "defense": defense, "basic": odds, "net": net, "result": result}


@recomputes("25.6.2", rolled=True)
def counterattack(data: NatoData, finding: Finding) -> Numbers:
    """25.6.2 Look up the die roll in the Counterattack Table by nation."""
    least = data.charts.counterattack(data.units[finding.inputs["unit"]].nation)
    return {"least": least, "result": "disrupted" if finding.dice[0] >= least else "no effect"}


# --- 32 to 39 ----------------------------------------------------------------------------------------------------


@recomputes("32.1")
def surrender(data: NatoData, finding: Finding) -> Numbers:
    """32.1 Recompute a surrender: a country surrenders when cities of enough value are conquered."""
    enough = finding.inputs["points"] >= data.charts.number(f"surrender_{finding.inputs['country']}")
    return {"result": "surrenders" if enough else "fights on"}


@recomputes("34.0")
def victory(data: NatoData, finding: Finding) -> Numbers:
    """34.0 Recompute the margin and the level of victory."""
    found = finding.inputs["wp"] - finding.inputs["nato"]
    row = data.scenario.victory.level(found)
    return {"result": f"{row.winner or 'draw'} {row.level}".strip() if finding.cell == found else None}


@recomputes("35.3.3", rolled=True)
def army_die(data: NatoData, finding: Finding) -> Numbers:
    """35.3.3 Return the die roll unchanged."""
    return {"result": finding.dice[0]}


@recomputes("35.3.7", rolled=True)
def deployment(data: NatoData, finding: Finding) -> Numbers:
    """35.3.7 Recompute the points: five minus a third of the total of three dice, at least zero."""
    return {"result": max(0, 5 - sum(finding.dice) // 3)}


@recomputes("4.5.5", rolled=True)
def alert(data: NatoData, finding: Finding) -> Numbers:
    """39.4 Recompute an alert: the die plus half the tension may raise it by one or two levels."""
    total = finding.dice[0] + finding.inputs["tension"] // 2
    one, two = (data.charts.number(name) for name in ("alert_one", "alert_two"))
    return {"result": min(6, finding.inputs["before"] + (2 if total >= two else int(total >= one)))}
