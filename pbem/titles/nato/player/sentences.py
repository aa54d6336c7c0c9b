"""Findings in sentences.

10      supply
12, 28  movement
19, 23  air power
25      battles
30, 34  cities and victory
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.engine.play.resolve import ANSWERED
from pbem.engine.rules.findings import Finding
from pbem.engine.text.sentences import Telling, listed, modifiers_of, signed, value
from pbem.titles.nato.map.ground import Side
from pbem.titles.nato.phases import JOINT, PHASES

TELLING = Telling()
tell, tell_tree = TELLING.tell, TELLING.tell_tree
tells = TELLING.tells

SIDES = {str(one): one.full for one in Side}


def side(word: Any) -> str:
    """A side by its name."""
    return SIDES.get(str(word), str(word))


def names(found: Any) -> str:
    return listed(map(str, found))


@tells(ANSWERED)
def answered(finding: Finding) -> str:
    given = finding.inputs
    what = f"{given['kind']} {given['subject']}".strip()
    said = f"{what}: «{given['clause']}» decided" if given["clause"] else f"{what}: decided by default"
    passed = "".join(f"; not used: {why}" for why in given["passed"])
    return f"{said}: {finding.result if finding.result is not None else 'none'}{passed}"


# --- movement and supply ---------------------------------------------------------------------------------------


@tells("12.2", "12.4", "12.5", "28.2.1")
def moved(finding: Finding) -> str:
    how = {"12.4": "marches", "12.5": "makes a minimum move", "28.2.1": "moves out of reserve"}.get(
        finding.rule, "moves"
    )
    given = finding.inputs
    return f"{given['unit']} {how} from {given['from']} over {' '.join(given['path'])} for {given['spent']} points"


@tells(*(f"7.2/{wp}" for wp, _, _ in PHASES.values()), *(f"7.2/{nato}" for _, nato, _ in PHASES.values() if nato))
def phase(finding: Finding) -> str:
    whose = f"{finding.inputs['phase']} of {side(finding.inputs['side'])}"
    found = (
        listed(outcome(finding.result)) if isinstance(finding.result, dict) and any(finding.result.values()) else ""
    )
    return f"{whose}: {found}" if found else whose


def outcome(result: dict[str, Any]) -> Iterator[str]:
    """Yield what a phase has found, as far as it has found anything."""
    for what, found in result.items():
        if isinstance(found, list) and found:
            yield f"{names(found)} {'is' if len(found) == 1 else 'are'} {what}"
        elif found:
            yield f"{found} {OUTCOMES.get(what, what)}"


OUTCOMES = {"out": "out of movement supply", "nuclear": "nuclear strikes", "chemical": "chemical strikes"}
"""7.2 The meaning of the counts in a phase's result."""


@tells(*(f"7.2/{number}" for number, _ in JOINT.values()))
def joint_phase(finding: Finding) -> str:
    name, found = finding.inputs["phase"], finding.result
    if isinstance(found, dict) and "supply" in found:
        chemical = [f"{side(who)} {points}" for who, points in found["chemical"].items()]
        return f"chemical points: {listed(chemical)}; Supply Points: {found['supply']}"
    if found in (None, {}, [], 0):
        return str(name)
    return f"turn {found} begins" if name == JOINT["turn"][1] else f"{name}: {value(found)}"


@tells("7.2")
def passed_over(finding: Finding) -> str:
    return f"the order for {finding.inputs['unit']} is passed over: {'; '.join(finding.inputs['why'])}"


@tells("28.1")
def in_reserve(finding: Finding) -> str:
    return f"{finding.inputs['unit']} is placed in reserve in {finding.inputs['at']}"


@tells("10.4")
def headquarters(finding: Finding) -> str:
    said = [f"{hq} is {'in' if supplied else 'out of'} supply" for hq, supplied in finding.result.items()]
    return listed(said)


@tells("10.5.1", "10.6")
def supply(finding: Finding) -> str:
    return f"{names(finding.inputs['units'])}: {finding.result}"


@tells("10.5.2")
def supplied_again(finding: Finding) -> str:
    return f"{names(finding.result)} can trace supply again"


@tells("10.7.1")
def resupply(finding: Finding) -> str:
    given, total = finding.inputs, sum(finding.dice) - finding.inputs["zone"]
    against = "no interception is possible" if given["value"] is None else f"{total} against {given['value']}"
    where = f"{given['hex']} ({given['airspace']} airspace)"
    return f"{side(given['side'])} flies supply into {where}: {against}, {finding.result}"


@tells("10.7.2")
def marker_used(finding: Finding) -> str:
    return f"the supplies in {finding.inputs['hex']} put {names(finding.inputs['units'])} back in combat supply"


@tells("4.2.1")
def recovered(finding: Finding) -> str:
    return f"{names(finding.result)} recover from disruption"


@tells("4.2.2")
def unsuppressed(finding: Finding) -> str:
    return f"{names(finding.result)} are no longer suppressed"


@tells("9.1.3")
def overstacked(finding: Finding) -> str:
    given = finding.inputs
    lost = "is eliminated" if finding.result == "eliminated" else "loses a step"
    return f"{given['unit']} {lost}: there was no room for it in {given['at']}"


@tells("33.2")
def arrived(finding: Finding) -> str:
    return f"{finding.inputs['unit']} arrives in {finding.result}"


@tells("33.2.1.2")
def site(finding: Finding) -> str:
    if finding.result == "destroyed":
        return f"{finding.inputs['unit']} destroys the reserve site in {finding.inputs['hex']}"
    return f"{finding.inputs['unit']} is eliminated before it can form in {finding.inputs['hex']}"


@tells("29.8")
def hq_lost(finding: Finding) -> str:
    if isinstance(finding.result, int):
        return f"{finding.inputs['unit']} will be reconstituted on turn {finding.result}"
    return f"{finding.inputs['unit']} is reconstituted in {finding.result}"


@tells("13.2", "14.1.2", "16.1.2", "16.1.3", "16.2.3", "18.1.3", "18.1.4")
def carried(finding: Finding) -> str:
    how = {
        "13.2": "goes by rail",
        "14.1.2": "is ferried",
        "16.1.2": "is lifted",
        "16.1.3": "drops",
        "16.2.3": "sails",
        "18.1.3": "is flown in",
        "18.1.4": "is flown out",
    }[finding.rule]
    return f"{finding.inputs['unit']} {how} from {finding.inputs['from']} to {finding.result}"


@tells("13.1", "13.5")
def trains(finding: Finding) -> str:
    if units := finding.inputs.get("units"):
        return f"{names(units)} are entrained"
    return f"{finding.inputs['unit']} {'entrains' if finding.rule == '13.1' else 'detrains'} in {finding.result}"


@tells("17.1.2")
def interception(finding: Finding) -> str:
    given = finding.inputs
    if "value" not in given:
        return f"{given['unit']} loses a step to interception and is {finding.result}"
    total = sum(finding.dice) - given["zone"]
    return f"{given['unit']} on its way to {given['to']}: {total} against {given['value']}: {finding.result}"


@tells("27.1")
def assaulted(finding: Finding) -> str:
    return f"{finding.inputs['unit']} lands among the enemy in {finding.result}"


@tells("27.3.5")
def assault_failed(finding: Finding) -> str:
    return f"the assault on {finding.inputs['objective']} fails: {names(finding.result)} are eliminated"


@tells("19.1.3.1", "19.1.3.2")
def shot_down(finding: Finding) -> str:
    lost = finding.result == "lost"
    return f"{finding.inputs['unit']} is lost with its helicopters" if lost else "the helicopters are shot down"


@tells("13.4.3", "13.4.4")
def train_lost(finding: Finding) -> str:
    units = finding.result if isinstance(finding.result, list) else [finding.inputs["unit"]]
    return f"{names(units)} are lost with their trains"


# --- air power -------------------------------------------------------------------------------------------------


@tells("23.1.1")
def air_points(finding: Finding) -> str:
    found = finding.result
    said = [
        f"{side(name)} has {found['tactical'][name]} tactical and {found['operational'][name]} operational"
        for name in found["tactical"]
    ]
    rolled = f" (die {listed(map(str, finding.dice))})" if finding.dice else ""
    return f"air points{rolled}: {'; '.join(said)}"


@tells("23.3", "23.2.2", "24.1")
def struck(finding: Finding) -> str:
    given = finding.inputs
    by = given["by"] or ("an air strike" if finding.rule == "23.3" else "a defensive air strike")
    rolled = (
        f"die {finding.dice[0]}, modifiers {modifiers_of(finding)}, {finding.cell[1]} in column {given['column']}"
    )
    return f"{by} hits {names(given['targets'])} in {given['hex']}: {rolled}: {finding.result}"


@tells("23.8")
def interdicted(finding: Finding) -> str:
    return f"{side(finding.inputs['side'])} interdicts {finding.result} and the hexes around it"


@tells("19.1")
def flak(finding: Finding) -> str:
    given = finding.inputs
    second = f", then {finding.dice[1]} against defense {given['defense']}" if len(finding.dice) > 1 else ""
    rolled = f"{finding.dice[0]} (hits on {given['hits_on']} or less){second}"
    return f"flak at the {given['brigade']} over {given['hex']}: {rolled}: {finding.result}"


@tells("25.1.4")
def helicopters(finding: Finding) -> str:
    said = "arrive" if finding.result else "do not arrive"
    return f"the attack helicopters of {finding.inputs['hq']} {said}"


@tells("18.4.4")
def brigade_ready(finding: Finding) -> str:
    return f"the attack helicopters of {finding.inputs['hq']} are ready again"


@tells("25.1.8")
def home(finding: Finding) -> str:
    return f"the attack helicopters of {finding.inputs['hq']} fly home: {finding.result}"


@tells("21.1.1", "22.2.3")
def mass_strike(finding: Finding) -> str:
    kind = "nuclear" if finding.rule.startswith("21") else "chemical"
    return f"a {kind} strike of {side(finding.inputs['side'])} on {finding.result}"


@tells("21.1.1/step", "22.2.3/unit")
def mass_effect(finding: Finding) -> str:
    return f"{finding.inputs['unit']} in {finding.inputs['hex']}: die {finding.dice[0]}: {finding.result}"


@tells("21.2", "21.2.1")
def armageddon(finding: Finding) -> str:
    given = finding.inputs
    rolled = f", die {finding.dice[0]}" if finding.dice else ""
    return f"{side(given['side'])} has made {given['strikes']} nuclear strikes{rolled}: {finding.result}"


@tells("21.3", "21.4", "22.4")
def special(finding: Finding) -> str:
    what = {"21.3": "enemy airfields", "21.4": "the Vistula crossings", "22.4": "NATO's airfields with chemicals"}
    return f"{side(finding.inputs['side'])} strikes {what[finding.rule]}: {finding.result}"


@tells("22.0")
def first_use(finding: Finding) -> str:
    return f"the Warsaw Pact begins chemical warfare on turn {finding.result}"


@tells("22.2.5")
def marker_gone(finding: Finding) -> str:
    return f"the chemical marker in {finding.inputs['hex']} is removed"


@tells("23.7")
def deep_strike(finding: Finding) -> str:
    return f"deep interdiction with {finding.inputs['points']} points, die {finding.dice[0]}: {finding.result} lost"


@tells("34.4")
def crime(finding: Finding) -> str:
    return f"{side(finding.inputs['side'])} scores {finding.result} for the strike on {finding.inputs['hex']}"


# --- battles ---------------------------------------------------------------------------------------------------


@tells("25.0")
def marked(finding: Finding) -> str:
    if gone := finding.inputs.get("removed"):
        return f"the battle markers in {names(gone)} are removed: there is nothing left to attack or to attack with"
    return f"{side(finding.inputs['side'])} will attack {names(finding.result)}"


@tells("25.1.1")
def committed(finding: Finding) -> str:
    given = finding.inputs
    support = f" with Offensive Support of {given['support']}" if given["support"] else ""
    return f"{names(finding.result)} attack {given['objective']}{support}"


@tells("25.1.2")
def responded(finding: Finding) -> str:
    return f"{finding.inputs['unit']} responds from {finding.inputs['from']} into {finding.result}"


@tells("26.1.5", "26.2.5")
def defending(finding: Finding) -> str:
    hex = finding.inputs["objective"]
    return f"{names(finding.result)} defend {hex}; the other units in the hex cannot coordinate with them"


def rows_said(rows: Any) -> str:
    """Return the strength of each unit with its multipliers."""
    said = []
    for row in rows:
        factors = f" ({', '.join(row['factors'])})" if row["factors"] else ""
        said.append(f"{row['who']} {row['counts']}{factors}")
    return listed(said)


@tells("25.5.2")
def battle(finding: Finding) -> str:
    given, (final, die) = finding.inputs, finding.cell
    shifts = f", shifts {modifiers_of(finding)}, net {signed(given['net'])}" if finding.modifiers else ""
    attack = f"attack {given['attack']} from {rows_said(given['attackers'])}"
    defense = f"defense {given['defense']} from {rows_said(given['defenders']) if given['defenders'] else 'nobody'}"
    odds = f"{given['basic']}{shifts}: {final}, die {die}: {finding.result}"
    return f"battle for {given['place']}: {attack}; {defense}; {odds}"


@tells("25.3.4.1", "25.3.4.2", "25.3.4.3", "25.3.4.4", "25.3.4.5", "25.3.4.6", "25.4")
def shifted(finding: Finding) -> str:
    return f"{finding.inputs['shift']}: {signed(finding.result)}"


@tells("25.6.2")
def countered(finding: Finding) -> str:
    given = finding.inputs
    rolled = f"{finding.dice[0]}, {given['least']} needed"
    return f"{given['unit']} counterattacks {given['target']}: {rolled}: {finding.result}"


@tells("25.6.3", "25.7", "25.7.4.1", "23.3.2", "21.1.1/loss", "22.2.3/loss")
def step_lost(finding: Finding) -> str:
    given = finding.inputs
    why = {
        "retreat": " in retreat",
        "given up": " rather than retreat",
        "strike": " to a strike",
        "nuclear strike": " to a nuclear strike",
    }.get(given["why"], "")
    return f"{given['unit']} in {given['at']} loses a step{why} and is {finding.result}"


@tells("25.6.3.1")
def waived(finding: Finding) -> str:
    return "the defender cannot take all losses: the attacker's loss is ignored"


@tells("25.6.4")
def disrupted(finding: Finding) -> str:
    return f"{names(finding.inputs['units'])} disrupted"


@tells("25.7.1")
def stood(finding: Finding) -> str:
    return f"They Shall Not Pass! No unit advances into {finding.inputs['objective']}"


@tells("25.7.2")
def held(finding: Finding) -> str:
    given = finding.inputs
    return f"the ground of {given['objective']} reduces the retreat of {given['result']} to {finding.result}"


@tells("25.7.3")
def retreated(finding: Finding) -> str:
    return f"{names(finding.inputs['units'])} retreat over {' '.join(finding.inputs['path'])}"


@tells("25.8.1", "25.8.2")
def advanced(finding: Finding) -> str:
    how = "exploits" if finding.rule == "25.8.2" else "advances"
    return f"{finding.inputs['unit']} {how} from {finding.inputs['from']} to {finding.result}"


@tells("25.9.1", "25.9.2")
def broken_through(finding: Finding) -> str:
    hex = finding.inputs.get("objective", finding.result)
    return f"{side(finding.inputs['side'])} has broken through in {hex}"


# --- theatre -----------------------------------------------------------------------------------------------------


@tells("35.2", "35.2.1", "35.3.1")
def activated(finding: Finding) -> str:
    return f"{names(finding.result)} are activated"


@tells("36")
def withdrawn(finding: Finding) -> str:
    return f"{finding.inputs['unit']} is withdrawn from {finding.inputs['at']}"


@tells("33.3.1")
def reforger(finding: Finding) -> str:
    return f"the crews of {finding.inputs['unit']} have arrived in {finding.result}"


@tells("33.3.3.1")
def site_struck(finding: Finding) -> str:
    rolled = f"die {finding.dice[0]}, modifiers {modifiers_of(finding)}"
    return f"a strike on the Reforger site of {finding.inputs['unit']}: {rolled}: {finding.result}"


@tells("33.3.2")
def overrun(finding: Finding) -> str:
    return f"the Reforger site of {finding.inputs['unit']} in {finding.inputs['hex']} is overrun"


@tells("32.1", "32.3")
def surrender(finding: Finding) -> str:
    return f"{finding.inputs['country']} {'surrenders' if finding.rule == '32.1' else 'is restored'}"


@tells("32.2.1")
def removed(finding: Finding) -> str:
    if "hex" in finding.inputs:
        given = finding.inputs
        return f"{given['unit']} takes {given['city']} ({given['hex']}), which stays conquered: its country is lost"
    return f"{finding.inputs['country']} has surrendered: {names(finding.result)} leave the war"


@tells("10.8.1")
def supply_income(finding: Finding) -> str:
    return f"the Warsaw Pact receives {finding.result} Supply Points and has {finding.inputs['stock']}"


@tells("10.8.2")
def supply_paid(finding: Finding) -> str:
    return f"Supply Points for {names(finding.result)}; {finding.inputs['left']} are left"


@tells("10.9.2")
def by_sea(finding: Finding) -> str:
    return f"sea supply for the Baltic Corps in {finding.inputs['hex']}: {finding.result}"


@tells("35.3.3")
def army_die(finding: Finding) -> str:
    return f"the army of {finding.inputs['army']} rolls {finding.result} for its move to the battle positions"


@tells("35.3.7", "34.3.3", "37.6.1")
def joint_points(finding: Finding) -> str:
    why = {"35.3.7": "the slow move to its positions", "34.3.3": "chemical warfare", "37.6.1": "forward defense"}
    return f"NATO scores {finding.result} for {why[finding.rule]}"


@tells("35.8.1", "35.8.2.4")
def shares(finding: Finding) -> str:
    said = []
    for seat, share in finding.result.items():
        has = [f"{number} {kind}" for kind, number in share.items() if number]
        said.append(f"{seat} {listed(has)}")
    return f"shares of {side(finding.inputs['side'])}: {'; '.join(said)}"


@tells("35.8.4")
def handed_over(finding: Finding) -> str:
    given = finding.inputs
    if "kind" in given:
        gift = f"{given['number']} {given['kind']}"
        return f"{given['from']} gives {given['to']} {gift}; {given['to']} now has {finding.result}"
    if finding.result == "returned":
        return f"the loan of {given['unit']} has ended"
    if given["from"] == finding.result:
        return f"{given['from']} recalls {given['unit']}"
    term = f" until turn {given['until']}" if given["until"] else ""
    return f"{given['from']} lends {given['unit']} to {finding.result}{term}"


@tells("35.8")
def command(finding: Finding) -> str:
    given = finding.inputs
    if "unit" in given:
        return f"the order for {given['unit']} is passed over: {'; '.join(given['why'])}"
    if "kind" in given:
        return f"an order of {given['seat']} ({given['kind']}) is passed over: {'; '.join(given['why'])}"
    if isinstance(finding.result, dict):
        named = [f"{deputy} for {seat}" for seat, deputy in finding.result.items()]
        return f"{given['seat']} names as deputy {listed(named)}"
    return f"{given['seat']} sets the order of the seats: {listed(finding.result)}"


# --- cities and victory ----------------------------------------------------------------------------------------


@tells("30.2.1", "30.3.2")
def city(finding: Finding) -> str:
    given = finding.inputs
    verb = "conquers" if finding.result == "conquered" else "liberates"
    return f"{given['unit']} {verb} {given['city']} ({given['hex']})"


@tells("34.3.1")
def city_points(finding: Finding) -> str:
    return f"NATO scores {finding.result} for Warsaw Pact cities that it holds"


@tells("34.0")
def ended(finding: Finding) -> str:
    given = finding.inputs
    points = f"the Warsaw Pact has {given['wp']} points, NATO {given['nato']}"
    return f"{points}; margin {signed(finding.cell)}: {finding.result}"


@tells("34.1.1", "34.1.2.1", "34.1.2.2", "34.1.2.3")
def automatic(finding: Finding) -> str:
    return f"the match is decided on turn {finding.inputs['turn']}: {side(finding.result)}"
