"""6.5.1, 6.6.1, 6.6.10, 6.7 Missions, close combat, overruns and aircraft in words."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.rules.findings import Finding
from pbem.engine.text.sentences import listed, signed, value
from pbem.titles.panzer.telling.basic_sentences import child
from pbem.titles.panzer.telling.fire_sentences import EFFECT, FIRE, gp_results, gp_rolls, roll_said
from pbem.titles.panzer.telling.phrases import phrase_of

# --- 6.5.1 indirect fire -------------------------------------------------------------------------------------


def mission(finding: Finding) -> str | None:
    """6.5.1.7, 6.5.1.11 A fire mission: observer, firers, landing point and effects."""
    inputs = finding.inputs
    if "observer" in inputs:
        called = f"{inputs['observer']} calls fire on {inputs['point']}"
        answers = [response_said(found) for found in finding.children if found.rule == "6.5.1.12"]
        return "; ".join([f"{called}: {', '.join(answers) or 'nobody responds'}", *landings(finding)])
    if "battery" in inputs:
        falls = f"planned fire of {inputs['battery']} falls on {finding.result} ({FIRE[inputs['type']]})"
        return "; ".join([falls, *landings(finding)])
    return None


def continued(finding: Finding) -> str | None:
    """6.5.1.8 A mission that continues or is adjusted, with its effects."""
    said = phrase_of(finding)
    return "; ".join([said, *landings(finding)]) if said else None


def landings(finding: Finding) -> Iterator[str]:
    """6.5.1.13 The effects of each firer's fire where it landed."""
    for found in finding.children:
        if found.rule == "6.5.1.13" and "type" in found.inputs:
            yield landing_said(found)
        else:
            yield from landings(found)


def landing(finding: Finding) -> str | None:
    """6.5.1.13 Fire has landed."""
    return landing_said(finding) if "type" in finding.inputs else None


def landing_said(finding: Finding) -> str:
    inputs = finding.inputs
    if inputs["type"] != "gp":
        return f"{inputs['firer']} {FIRE[inputs['type']]}"
    effects = list(gp_results(finding))
    return f"{inputs['firer']} factor {inputs['factor']} ({inputs['column']}): {'; '.join(effects) or 'hits nobody'}"


def response(finding: Finding) -> str:
    """6.5.1.12 Whether a battery responds to the call."""
    return response_said(finding)


def response_said(found: Finding) -> str:
    inputs = found.inputs
    answer = "responds" if found.result == "responds" else "does not respond"
    rolled = f", rolled {value(found.dice)}" if found.dice else ""
    return f"{inputs['firer']} {answer} (factor {inputs['factor']}, net {signed(inputs['net'])}{rolled})"


def barrage(finding: Finding) -> str | None:
    """6.6.6 A unit moves into fire that has landed."""
    inputs = finding.inputs
    if "mission" not in inputs:
        return None
    effects = "; ".join(gp_results(finding))
    return f"{inputs['unit']} moves into the fire of {inputs['firer']} in {inputs['hex']}: {effects}"


# --- 6.6.1, 6.6.10 close combat and overruns -----------------------------------------------------------------


def close_assault(finding: Finding) -> str | None:
    """6.6.1.1 A close assault: declared, prepared, fought."""
    inputs = finding.inputs
    if said := assault_news(finding):
        return said
    if "target" in inputs and "primary" in inputs:
        attackers = listed([inputs["primary"], *inputs["others"]])
        roll = child(finding, "6.6.1.1.1")
        how = f" ({roll_said(roll)})" if roll is not None else ""
        verb = "close" if inputs["others"] else "closes"
        effect = EFFECT.get(finding.result, value(finding.result))
        return f"{attackers} {verb} in on {inputs['target']}{how}: {effect}"
    return None


def assault_news(finding: Finding) -> str | None:
    """6.6.1.1, 6.6.1.2 The events before close combat."""
    inputs = finding.inputs
    match finding.result:
        case "declared":
            return f"{listed(inputs['attackers'])} will attack {inputs['target']} in close combat"
        case "attacks":
            return f"{inputs['unit']} gets off and attacks {inputs['target']}"
        case "may-move":
            return f"{inputs['target']} is gone: {inputs['unit']} may move instead"
        case "window":
            return f"enemies may fire at {inputs['unit']} while it advances"
        case "drops-out":
            return f"{inputs['unit']} does not reach {inputs['target']}"
    if "cost" in inputs:
        return f"{inputs['unit']} advances from {inputs['from']} to {finding.result} to attack"
    if "primary" in inputs and "target" not in inputs:
        return f"{inputs['primary']} leads the attack of {finding.result}"
    return None


def hand_to_hand(finding: Finding) -> str | None:
    """6.6.1.2 Hand-to-hand combat, round by round."""
    inputs = finding.inputs
    if said := assault_news(finding):
        return said
    if "target" not in inputs or "primary" not in inputs:
        return None
    rounds = [found for found in finding.children if found.rule == "6.6.1.2.1"]
    won = inputs["primary"] if finding.result == "attacker" else inputs["target"]
    scores = ", ".join(f"{found.inputs['attacker']} to {found.inputs['defender']}" for found in rounds)
    attackers = listed([inputs["primary"], *inputs["others"]])
    verb = "fight" if inputs["others"] else "fights"
    return f"{attackers} {verb} {inputs['target']} hand to hand ({scores}): {won} wins"


def fight(finding: Finding) -> str:
    """6.6.1.2.1 One round: both totals."""
    inputs = finding.inputs
    return (
        f"{inputs['primary']} {inputs['attacker']}, {inputs['target']} {inputs['defender']} "
        f"(rolled {value(finding.dice)}): the {finding.result} wins the round"
    )


def overrun(finding: Finding) -> str | None:
    """6.6.10 A vehicle overruns a unit."""
    inputs = finding.inputs
    if "target" not in inputs or "vehicle" not in inputs or finding.result not in EFFECT:
        return None
    roll = next(gp_rolls(finding), None)
    how = f" ({roll_said(roll)})" if roll is not None else ""
    return f"{inputs['vehicle']} overruns {inputs['target']}{how}: {EFFECT[finding.result]}"


# --- 6.7 aircraft --------------------------------------------------------------------------------------------


def air_attack(finding: Finding) -> str:
    """6.7.3 An aircraft's attack and its effects."""
    inputs = finding.inputs
    effects = "; ".join(gp_results(finding)) or "hits nobody"
    how = "strafes" if inputs["weapon"] == "strafing" else f"attacks with {inputs['weapon']}"
    return f"{inputs['aircraft']} {how} at {inputs['target']}: {effects}"


def air_weapon(finding: Finding) -> str | None:
    """6.7.3.2-4 The hexes attacked from the air."""
    if "attack" in finding.inputs or "hexes" not in finding.inputs:
        return None
    return f"from the air into {listed(finding.inputs['hexes'])}: {EFFECT.get(finding.result, value(finding.result))}"


def anti_aircraft(finding: Finding) -> str:
    """6.7.4 A gun against an aircraft."""
    inputs = finding.inputs
    roll = next(gp_rolls(finding), None)
    how = f" ({roll_said(roll)})" if roll is not None else ""
    effect = EFFECT.get(finding.result, value(finding.result))
    at = f"{inputs['aircraft']}, range {inputs['range']}"
    return f"{inputs['gun']} ({inputs['weapon']}) fires at {at}{how}: {effect}"
