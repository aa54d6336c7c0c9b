"""6.5.1, 6.6.1, 6.6.10, 6.7 Missions, close combat, overruns and aircraft in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import Message, Signed, Value, agree, fill, pattern, say, say_n, several
from pbem.engine.text.sentences import data, names
from pbem.titles.panzer.telling.basic_sentences import child
from pbem.titles.panzer.telling.fire_sentences import FIRE, describe_roll, gp_results, gp_rolls
from pbem.titles.panzer.telling.words.codes import EFFECTS, effect, word
from pbem.titles.panzer.telling.words.phrases import phrase_of

# --- 6.5.1 indirect fire -------------------------------------------------------------------------------------


def mission(finding: Finding) -> Message | None:
    """6.5.1.7, 6.5.1.11 A fire mission: observer, firers, landing point and effects."""
    inputs = finding.inputs
    if "observer" in inputs:
        answers = [describe_response(found) for found in finding.children if found.rule == "6.5.1.12"]
        args = {"observer": inputs["observer"], "point": inputs["point"]}
        if answers:
            said = say("{observer} calls fire on {point}: {answers}", **args, answers=several(answers, "unit"))
        else:
            said = say("{observer} calls fire on {point}: no battery responds", **args)
        return with_landings(said, finding)
    if "battery" in inputs:
        said = say(
            "Planned fire by {battery} falls on {point} ({fire})",
            battery=inputs["battery"],
            point=data(finding.result),
            fire=FIRE[inputs["type"]],
        )
        return with_landings(said, finding)
    return None


def with_landings(said: Message, finding: Finding) -> Message:
    """6.5.1.13 A mission's sentence, followed by the effects of its fire."""
    return say("{mission}.", mission=several([said, *landings(finding)], "clauses"))


def continued_mission(finding: Finding) -> Message | None:
    """6.5.1.8 A mission that is continued or adjusted, with its effects."""
    said, landed = phrase_of(finding), list(landings(finding))
    if said is None or not landed:
        return said
    return say(
        "{mission} {effects}",
        mission=said,
        effects=several((say("{effect}.", effect=one) for one in landed), "sentences"),
    )


def landings(finding: Finding) -> Iterator[Message]:
    """6.5.1.13 The effects of each firer's fire where it landed."""
    for found in finding.children:
        if found.rule == "6.5.1.13" and "type" in found.inputs:
            yield describe_landing(found)
        else:
            yield from landings(found)


def landing(finding: Finding) -> Message | None:
    """6.5.1.13 Where fire has landed."""
    return say("{landing}.", landing=describe_landing(finding)) if "type" in finding.inputs else None


def describe_landing(finding: Finding) -> Message:
    inputs = finding.inputs
    if inputs["type"] != "gp":
        return say("{firer} {fire}", firer=inputs["firer"], fire=FIRE[inputs["type"]])
    args = {"firer": inputs["firer"], "factor": data(inputs["factor"]), "column": word(inputs["column"])}
    effects = list(gp_results(finding))
    if effects:
        return say("{firer}, factor {factor} ({column}): {effects}", **args, effects=several(effects, "clauses"))
    return say("{firer}, factor {factor} ({column}), hits no unit", **args)


def response(finding: Finding) -> Message:
    """6.5.1.12 Whether a battery responds to the call."""
    return say("{response}.", response=describe_response(finding))


RESPONSES: Final = {
    (True, True): pattern("{firer} responds (factor {factor}, net {net}, rolled {dice})"),
    (True, False): pattern("{firer} responds (factor {factor}, net {net})"),
    (False, True): pattern("{firer} does not respond (factor {factor}, net {net}, rolled {dice})"),
    (False, False): pattern("{firer} does not respond (factor {factor}, net {net})"),
}


def describe_response(found: Finding) -> Message:
    inputs = found.inputs
    args = {
        "firer": inputs["firer"],
        "factor": data(inputs["factor"]),
        "net": Signed(inputs["net"]),
        "dice": data(found.dice),
    }
    return fill(RESPONSES[found.result == "responds", bool(found.dice)], args)


def barrage(finding: Finding) -> Message | None:
    """6.6.6 A unit moves into fire that has landed."""
    inputs = finding.inputs
    if "mission" not in inputs:
        return None
    return say(
        "{unit} moves into the fire of {firer} in {hex}: {effects}.",
        unit=inputs["unit"],
        firer=inputs["firer"],
        hex=inputs["hex"],
        effects=several(gp_results(finding), "clauses"),
    )


# --- 6.6.1, 6.6.10 close combat and overruns -----------------------------------------------------------------


def close_assault(finding: Finding) -> Message | None:
    """6.6.1.1 The stages of a close assault: declared, prepared, fought."""
    inputs = finding.inputs
    if said := assault_news(finding):
        return said
    if "target" not in inputs or "primary" not in inputs:
        return None
    attackers = [inputs["primary"], *inputs["others"]]
    roll = child(finding, "6.6.1.1.1")
    args = {
        "n": len(attackers),
        "attackers": names(attackers),
        "target": inputs["target"],
        "effect": effect(finding.result),
    }
    if roll is not None:
        return agree(
            "{attackers} assaults {target} ({roll}): {effect}.",
            "{attackers} assault {target} ({roll}): {effect}.",
            **args,
            roll=describe_roll(roll),
        )
    return agree("{attackers} assaults {target}: {effect}.", "{attackers} assault {target}: {effect}.", **args)


NEWS: Final = {
    "attacks": pattern("{unit} dismounts and attacks {target}."),
    "may-move": pattern("{target} is gone: {unit} may move instead."),
    "window": pattern("Enemies may fire at {unit} while it advances."),
    "drops-out": pattern("{unit} does not reach {target}."),
}


def assault_news(finding: Finding) -> Message | None:
    """6.6.1.1, 6.6.1.2 The events before close combat."""
    inputs = finding.inputs
    if finding.result == "declared":
        return say(
            "{attackers} will attack {target} in close combat.",
            attackers=names(inputs["attackers"]),
            target=inputs["target"],
        )
    if isinstance(finding.result, str) and finding.result in NEWS:
        return fill(NEWS[finding.result], inputs)
    if "cost" in inputs:
        return say(
            "{unit} advances from {start} to {end} to attack.",
            unit=inputs["unit"],
            start=inputs["from"],
            end=data(finding.result),
        )
    if "primary" in inputs and "target" not in inputs:
        return say_n(
            "{primary} leads the attack by {n} unit.",
            "{primary} leads the attack by {n} units.",
            n=finding.result,
            primary=inputs["primary"],
        )
    return None


def hand_to_hand(finding: Finding) -> Message | None:
    """6.6.1.2 Hand-to-hand combat, round by round."""
    inputs = finding.inputs
    if said := assault_news(finding):
        return said
    if "target" not in inputs or "primary" not in inputs:
        return None
    rounds = [found.inputs for found in finding.children if found.rule == "6.6.1.2.1"]
    attackers = [inputs["primary"], *inputs["others"]]
    return agree(
        "{attackers} fights {target} hand to hand ({scores}): {winner} wins.",
        "{attackers} fight {target} hand to hand ({scores}): {winner} wins.",
        n=len(attackers),
        attackers=names(attackers),
        target=inputs["target"],
        scores=several(
            (say("{attacker} to {defender}", attacker=one["attacker"], defender=one["defender"]) for one in rounds),
            "unit",
        ),
        winner=inputs["primary"] if finding.result == "attacker" else inputs["target"],
    )


def fight(finding: Finding) -> Message:
    """6.6.1.2.1 One round of hand-to-hand combat, with both totals."""
    inputs = finding.inputs
    args = {
        "primary": inputs["primary"],
        "attack": data(inputs["attacker"]),
        "target": inputs["target"],
        "defence": data(inputs["defender"]),
        "dice": data(finding.dice),
    }
    if finding.result == "attacker":
        return say("{primary} {attack}, {target} {defence} (rolled {dice}): the attacker wins the round.", **args)
    if finding.result == "defender":
        return say("{primary} {attack}, {target} {defence} (rolled {dice}): the defender wins the round.", **args)
    return say("{primary} {attack}, {target} {defence} (rolled {dice}): neither side wins the round.", **args)


def overrun(finding: Finding) -> Message | None:
    """6.6.10 A vehicle overruns a unit."""
    inputs = finding.inputs
    if "target" not in inputs or "vehicle" not in inputs or finding.result not in EFFECTS:
        return None
    roll = next(gp_rolls(finding), None)
    args = {"vehicle": inputs["vehicle"], "target": inputs["target"], "effect": EFFECTS[finding.result]}
    if roll is not None:
        return say("{vehicle} overruns {target} ({roll}): {effect}.", **args, roll=describe_roll(roll))
    return say("{vehicle} overruns {target}: {effect}.", **args)


# --- 6.7 aircraft --------------------------------------------------------------------------------------------


def air_attack(finding: Finding) -> Message:
    """6.7.3 An aircraft's attack and its effects."""
    inputs = finding.inputs
    effects = several(gp_results(finding), "clauses")
    said: Value = effects if effects.items else say("no unit is hit")
    args = {"aircraft": inputs["aircraft"], "target": inputs["target"], "effects": said}
    if inputs["weapon"] == "strafing":
        return say("{aircraft} strafes {target}: {effects}.", **args)
    return say("{aircraft} attacks {target} with {weapon}: {effects}.", **args, weapon=word(inputs["weapon"]))


def air_weapon(finding: Finding) -> Message | None:
    """6.7.3.2-4 The hexes attacked from the air."""
    if "attack" in finding.inputs or "hexes" not in finding.inputs:
        return None
    return say(
        "Air attack on {hexes}: {effect}.", hexes=names(finding.inputs["hexes"]), effect=effect(finding.result)
    )


def anti_aircraft(finding: Finding) -> Message:
    """6.7.4 A gun's fire at an aircraft."""
    inputs = finding.inputs
    roll = next(gp_rolls(finding), None)
    args = {
        "gun": inputs["gun"],
        "weapon": word(inputs["weapon"]),
        "aircraft": inputs["aircraft"],
        "range": data(inputs["range"]),
        "effect": effect(finding.result),
    }
    if roll is not None:
        return say(
            "{gun} ({weapon}) fires at {aircraft}, range {range} ({roll}): {effect}.",
            **args,
            roll=describe_roll(roll),
        )
    return say("{gun} ({weapon}) fires at {aircraft}, range {range}: {effect}.", **args)
