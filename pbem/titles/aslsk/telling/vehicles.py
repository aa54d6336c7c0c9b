"""Findings about vehicles in words."""

from __future__ import annotations

from pbem.engine.rules.findings import Finding
from pbem.engine.text.sentences import Telling, listed, value
from pbem.titles.aslsk.ground.lattice import SPINES


def add_vehicle_sentences(telling: Telling) -> None:
    """One sentence for each rule of vehicles with words of its own."""
    for rules, words in (
        (("7.9",), to_kill),
        (("3.2.4/hit-location", "3.2.4/target-facing"), aspect),
        (("7.1",), armour),
        (("3.2.4/kill-test", "3.2.4/dud"), kill_test),
        (("7.10", "7.4", "3.3.2/stacking"), destroyed),
        (("7.10/shock", "7.10/stun", "7.10/recall", "7.10/immobilized"), condition),
        (("7.10/shock-recovery",), recovery),
        (("7.7",), hatches),
        (("7.11",), area),
        (("7.12",), collateral),
        (("7.5",), device),
        (("7.6", "7.6/unbog"), bog),
        (("7.2.1",), low_ammo),
        (("3.3.2",), drives),
        (("3.3.2/minimum-move",), minimum),
        (("3.3.2/mp-costs", "3.3.2/vca"), manoeuvre),
        (("3.3.2/motion", "3.3.2.1"), motion),
        (("3.3.2/mechanical-reliability",), reliability),
        (("3.7/paatc",), task_check),
        (("3.8/vs-vehicle", "3.3.4"), assault),
        (("3.8/vehicle-attack", "3.8/close-defence"), vehicle_fights),
        (("4.4.2",), panzerfaust),
        (("4.4.2/check",), check),
        (("4.2/vs-afv",), flame),
        (("7.10/crew-morale",), morale),
        (("3.1/g-shock-recovery",), shaking),
        (("1.1.1/half-and-all-mp", "3.3.2/bog-entry"), share),
        (("4.4.3",), blast),
    ):
        telling.tells(*rules)(words)


def rolled(finding: Finding) -> str:
    """The dice with their modifiers."""
    drm = sum(row["value"] for row in finding.modifiers)
    said = f"rolled {value(list(finding.dice))}" if finding.dice else ""
    return f"{said} {drm:+d}" if drm and said else said


def to_kill(finding: Finding) -> str:
    inputs = finding.inputs
    if "number" not in inputs:
        return f"{inputs['weapon']} cannot penetrate {inputs['vehicle']}"
    where = f"{inputs['location']} {inputs['facing']}"
    what = f"To Kill {inputs['number']} ({inputs['basic']} against armour {inputs['armour']})"
    return f"hit in the {where} of {inputs['vehicle']}: {what}, rolled {value(list(finding.dice))}: {finding.result}"


def aspect(finding: Finding) -> str:
    return f"{finding.inputs['vehicle']} is hit in the {finding.result}"


def armour(finding: Finding) -> str:
    return f"armour factor {finding.result}"


def kill_test(finding: Finding) -> str:
    return f"{sum(finding.dice)} against {finding.inputs['number']}: {finding.result}"


def destroyed(finding: Finding) -> str:
    return (
        f"{finding.inputs['vehicle']} ({finding.inputs['name']}) is {finding.inputs['why']} in {finding.inputs['at']}"
    )


def condition(finding: Finding) -> str:
    inputs, result = finding.inputs, str(finding.result)
    if result == "left the map":
        return f"{inputs['vehicle']} has left the map"
    if "morale" in inputs:
        done = "fails" if result == "failed" else "passes"
        return f"the crew of {inputs['vehicle']} {done} its check (morale {inputs['morale']}), {rolled(finding)}"
    words = {
        "Shock": "is Shocked",
        "stun": "is Stunned",
        "STUN": "is Stunned and will be recalled",
        "+1": "recovers from its Stun with a +1 marker",
        "recalled": "is recalled",
        "immobilized": "is immobilized",
    }
    return f"{inputs['vehicle']} {words.get(result, result)}"


def recovery(finding: Finding) -> str:
    if "why" in finding.inputs:
        return destroyed(finding)
    words = {"recovers": "recovers from Shock", "UK": "stays in Shock (UK)", "lost": "is abandoned by its crew"}
    return f"{finding.inputs['vehicle']} {words[str(finding.result)]} (rolled {finding.dice[0]})"


def hatches(finding: Finding) -> str:
    done = "exposes itself" if finding.result == "crew exposed" else "buttons up"
    return f"the crew of {finding.inputs['vehicle']} {done}"


def area(finding: Finding) -> str:
    if "why" in finding.inputs:
        return destroyed(finding)
    used = finding.cell["used"]
    return f"area fire on {finding.inputs['vehicle']}, column {used}, {rolled(finding)}: {finding.result}"


def collateral(finding: Finding) -> str:
    column = finding.cell["used"]
    return f"the exposed crew of {finding.inputs['vehicle']} is attacked on column {column}: {finding.result}"


def device(finding: Finding) -> str:
    inputs = finding.inputs
    needed = f"({inputs['number']} or less), {rolled(finding)}"
    return f"{inputs['vehicle']} makes smoke in {inputs['at']} {needed}: {finding.result}"


def bog(finding: Finding) -> str:
    told = "tries to come free" if finding.rule == "7.6/unbog" else "checks for bog"
    if not finding.dice:
        return f"{finding.inputs['vehicle']} is {finding.result}"
    return f"{finding.inputs['vehicle']} {told}, {rolled(finding)}: {finding.result}"


def low_ammo(finding: Finding) -> str:
    return f"{finding.inputs['vehicle']} runs low on ammunition"


def drives(finding: Finding) -> str:
    inputs = finding.inputs
    start = f" from {inputs['from']}" if inputs["from"] else ""
    return f"{inputs['vehicle']} drives{start} to {inputs['to']} ({inputs['mp']} MP)"


def minimum(finding: Finding) -> str:
    return f"{finding.inputs['vehicle']} enters {finding.inputs['to']} {finding.result}"


def manoeuvre(finding: Finding) -> str:
    inputs = finding.inputs
    if "turret" in inputs:
        return f"{inputs['vehicle']} turns its turret to {SPINES[inputs['turret']]}"
    facing = f" to {SPINES[inputs['facing']]}" if "facing" in inputs else ""
    return f"{inputs['vehicle']} {finding.result}{facing} in {inputs['at']} ({inputs['mp']} MP)"


def motion(finding: Finding) -> str:
    if finding.rule == "3.3.2.1":
        die = finding.dice[0]
        needed = f"({die}, {finding.inputs['number']} or less)"
        return f"{finding.inputs['vehicle']} tries to get moving {needed}: {finding.result}"
    return f"{finding.inputs['vehicle']} is {finding.result}"


def reliability(finding: Finding) -> str:
    if not finding.dice:
        return f"{finding.inputs['vehicle']} is {finding.result}"
    return f"engine of {finding.inputs['vehicle']}: {rolled(finding)}: it {finding.result}"


def task_check(finding: Finding) -> str:
    done = "dares to go for the tank" if finding.result == "passed" else "does not dare and is pinned"
    return f"{finding.inputs['unit']} {done} (morale {finding.inputs['morale']}), {rolled(finding)}"


def assault(finding: Finding) -> str:
    inputs = finding.inputs
    if "units" not in inputs:
        return destroyed(finding)
    who = f"{listed(inputs['units'])} attack{'s' if len(inputs['units']) == 1 else ''}"
    return f"{who} {inputs['vehicle']} hand to hand (value {inputs['value']}), {rolled(finding)}: {finding.result}"


def vehicle_fights(finding: Finding) -> str:
    inputs = finding.inputs
    if "vehicle" not in inputs:
        return f"{inputs['unit']} is {finding.result}"
    if finding.rule == "3.8/close-defence":
        return f"{inputs['vehicle']} uses its close defence weapon, {rolled(finding)}: {finding.result}"
    who = f"{inputs['vehicle']} attacks {listed(inputs['targets'])}"
    return f"{who} at {inputs['odds']}, {rolled(finding)}: {finding.result}"


def panzerfaust(finding: Finding) -> str:
    inputs, result = finding.inputs, str(finding.result)
    if "at" not in inputs:
        words = {"backfires": "is hurt by its own Panzerfaust", "dud": "is spared by a dud"}
        return f"{inputs['unit']} {words.get(result, result)}"
    goal = inputs["vehicle"] or inputs["at"]
    return f"{inputs['unit']} looks for a Panzerfaust against {goal} ({rolled(finding)}): {result}"


def blast(finding: Finding) -> str:
    hurt = {id: cell for id, cell in finding.result.items() if cell != "no effect"}
    told = ", ".join(f"{cell} against {id}" for id, cell in hurt.items()) or "no effect"
    return f"backblast in {finding.inputs['at']} ({finding.dice[0]}): {told}"


def check(finding: Finding) -> str:
    return f"the check is {finding.result}; 3 or less finds one"


def flame(finding: Finding) -> str:
    inputs = finding.inputs
    told = f"{inputs['unit']} fires {inputs['weapon']} at {inputs['vehicle']}"
    return f"{told} (To Kill {inputs['number']}): {finding.result}"


def morale(finding: Finding) -> str:
    return f"the crew of {finding.inputs['vehicle']} has morale {finding.result}"


def shaking(finding: Finding) -> str:
    return f"Shocked crews roll: {listed(finding.inputs['vehicles'])}"


def share(finding: Finding) -> str:
    words = {"woods": "woods: a bog check", "building": "a building: a bog check"}
    return (
        f"{finding.inputs['to']} costs {finding.result}"
        if "MP" in str(finding.result)
        else words[str(finding.result)]
    )
