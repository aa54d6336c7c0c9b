"""4.4, 6.5.2, 6.5.4 Fire in sentences: shots, hits, rolls on the GP table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import Message, Name, Signed, Value, say, several, term
from pbem.engine.text.sentences import data, names
from pbem.titles.panzer.telling import basic_sentences as basic
from pbem.titles.panzer.telling.basic_sentences import child
from pbem.titles.panzer.telling.words.codes import COMMANDS, EFFECTS, command, effect, rows, word

FIRE: Final = {
    "gp": term("panzer fire", "high explosive"),
    "smoke": term("panzer fire", "smoke"),
    "illumination": term("panzer fire", "illumination"),
}


# --- 6.5.4 GP fire -------------------------------------------------------------------------------------------


def gp_attack(finding: Finding) -> Message:
    """6.5.4 A GP attack: targets, factor and results."""
    inputs = finding.inputs
    effects = several(gp_results(finding), "clauses")
    results: Value = effects if effects.items else say("no unit is there")
    args = {"factor": data(inputs["factor"]), "results": results}
    if "target" in inputs:
        if inputs.get("firer"):
            return say("{firer}, GP factor {factor}: {results}.", **args, firer=data(inputs["firer"]))
        return say("GP factor {factor}: {results}.", **args)
    where = names(inputs["hexes"][:1])
    if inputs.get("firer"):
        return say(
            "{firer}, GP factor {factor} in and around {hex}: {results}.",
            **args,
            firer=data(inputs["firer"]),
            hex=where,
        )
    return say("GP factor {factor} in and around {hex}: {results}.", **args, hex=where)


def gp_results(finding: Finding, target: str = "") -> Iterator[Message]:
    """6.5.4.4 Each unit attacked, with total and effect; the target itself is not named again."""
    for roll in gp_rolls(finding):
        said, result = describe_roll(roll), effect(effect_of(roll))
        if roll.inputs["unit"] == target:
            yield say("{roll}: {effect}", roll=said, effect=result)
        else:
            yield say("{unit} {roll}: {effect}", unit=target_words(roll.inputs["unit"]), roll=said, effect=result)


def gp_rolls(finding: Finding) -> Iterator[Finding]:
    """6.5.4.4 The GP table rolls among a finding's descendants."""
    for below in finding.children:
        if "no_effect" in below.inputs:
            yield below
        else:
            yield from gp_rolls(below)


def describe_roll(roll: Finding) -> Message:
    inputs = roll.inputs
    args = {
        "factor": data(inputs["factor"]),
        "defence": data(inputs["defence"]),
        "net": Signed(inputs["net"]),
        "total": data(inputs["total"]),
    }
    if roll.modifiers:
        return say("{factor} against {defence}, net {net} ({rows}), total {total}", **args, rows=rows(roll))
    return say("{factor} against {defence}, net {net}, total {total}", **args)


def describe_gp_roll(roll: Finding) -> Message:
    """6.5.4.4 A roll on the GP table, with the limits it is compared with."""
    inputs = roll.inputs
    said = (
        say("rolled {dice}, {roll}", dice=data(roll.dice), roll=describe_roll(roll))
        if roll.dice
        else describe_roll(roll)
    )
    args = {
        "unit": target_words(inputs["unit"]),
        "roll": said,
        "suppresses": data(inputs["no_effect"]),
        "effective": data(inputs["suppressed"]),
        "effect": effect(roll.result),
    }
    if " " in inputs["unit"]:
        return say(
            "Against {unit}: {roll}; more than {suppresses} suppresses, more than {effective} is "
            "effective: {effect}.",
            **args,
        )
    return say(
        "{unit}: {roll}; more than {suppresses} suppresses, more than {effective} is effective: {effect}.", **args
    )


def target_words(code: str) -> Value:
    """6.5.4 A unit, or a feature of a hex in the record's notation: `wood_building U7`."""
    feature, _, hex = code.partition(" ")
    return say("{feature} in {hex}", feature=word(feature), hex=hex) if hex else Name(code)


def effect_of(roll: Finding) -> str:
    """6.5.4.4.2, 6.5.4.4.3 The effect of a GP roll on the unit."""
    effects = [found for found in roll.children if found.rule.startswith(("6.5.4.4.", "6.6.1.1.3", "6.6.10.2"))]
    return str(effects[-1].result if effects else roll.result)


# --- 4.4.1, 4.4.2 direct fire --------------------------------------------------------------------------------

SHOTS: Final = ("4.4.3.2", "6.5.2", "6.5.4", "6.1.4.3.10")


def fire(finding: Finding) -> Message | None:
    """4.4.1, 4.4.2 A fire group: each weapon with its chances and its effect."""
    if "firers" not in finding.inputs:
        return None
    return basic.group_fire(finding, [describe_shot(shot) for shot in finding.children if is_shot(shot)])


def is_shot(finding: Finding) -> bool:
    """6.5 Whether this is one weapon's fire in a group, fired or too late."""
    return (finding.rule in SHOTS and "firer" in finding.inputs) or finding.result == "too-late"


def describe_shot(shot: Finding) -> Message:
    """6.5 One weapon's fire in brief."""
    firer = shot.inputs["firer"]
    if shot.result == "too-late":
        return say("{firer} {effect}", firer=firer, effect=EFFECTS["too-late"])
    if shot.rule == "4.4.3.2":
        return basic.describe_shot(shot)
    if shot.rule == "6.5.2":
        return say("{firer} {shot}", firer=firer, shot=describe_ap_fire(shot))
    if shot.rule == "6.5.4":
        results = several(gp_results(shot, str(shot.inputs.get("target"))), "clauses")
        return say("{firer} GP {results}", firer=firer, results=results if results.items else effect(shot.result))
    return say("{firer} {effect} in {hex}", firer=firer, effect=effect(shot.result), hex=shot.inputs["hex"])


def describe_ap_fire(shot: Finding) -> Value:
    """6.5.2 AP fire: range, modifiers, roll, and each hit with its location and effect."""
    distance, factor, net, roll = (child(shot, rule) for rule in ("3.5", "4.4.3.2.1", "6.5.2.4", "4.4.3.2.3"))
    said: list[Value] = [data(shot.inputs["weapon"])]
    if distance is not None and factor is not None:
        said.append(say("range {range} ({factor})", range=data(distance.result), factor=data(factor.result)))
    if net is not None and isinstance(net.result, int):
        if net.modifiers:
            said.append(say("net {net} ({rows})", net=Signed(net.result), rows=rows(net)))
        else:
            said.append(say("net {net}", net=Signed(net.result)))
    if roll is not None:
        said.append(basic.describe_roll(roll))
    said += [describe_hit(hit) for hit in shot.children if hit.rule == "6.5.2.2" and "firer" in hit.inputs]
    return several(said, "unit")


def describe_hit(hit: Finding) -> Message:
    """6.5.2.2 The location and effect of a hit."""
    place = next((found.result for found in hit.children if found.rule.startswith("6.5.2.2") and found.dice), "")
    through = child(hit, "4.4.3.2.5")
    if not place:
        return say("{effect}", effect=effect(hit.result))
    args = {"location": location(place), "effect": effect(hit.result)}
    if through is None:
        return say("{location}: {effect}", **args)
    return say(
        "{location}, penetration {penetration} against {armour}: {effect}",
        **args,
        penetration=data(through.inputs["penetration"]),
        armour=data(through.inputs["armour"]),
    )


def location(code: object) -> Value:
    """6.5.2.2 The location of a hit, in words."""
    return word(str(code).rstrip("*"))


def ap_shot(finding: Finding) -> Message | None:
    """6.5.2 The fire of one AP weapon."""
    if "firer" not in finding.inputs:
        return None
    return say(
        "{firer} at {target}: {shot}.",
        firer=finding.inputs["firer"],
        target=finding.inputs["target"],
        shot=describe_ap_fire(finding),
    )


def ap_hit(finding: Finding) -> Message | None:
    """6.5.2.2 Angle and location of a hit."""
    inputs = finding.inputs
    if "firer" in inputs:
        return say("Hit location: {hit}.", hit=describe_hit(finding))
    if "slope" in inputs:
        return say(
            "From the {angle}, a roll of {dice} hits the {location}.",
            angle=word(inputs["angle"]),
            dice=data(finding.dice),
            location=location(finding.result),
        )
    if "facing" in inputs:
        return say("The shot comes from the {angle}.", angle=word(finding.result))
    return None


def net_modifier(finding: Finding) -> Message | None:
    """6.5.2.4, 6.5.4.3 The sum of the modifiers, or one of them."""
    inputs = finding.inputs
    if "unit" in inputs and finding.result in COMMANDS:
        return say(
            "{unit} reveals {command} and counts as moving.", unit=inputs["unit"], command=command(finding.result)
        )
    if "unit" in inputs and finding.result == "no-effect":
        return say("{unit} does not reveal its command.", unit=inputs["unit"])
    if "/" not in finding.rule and isinstance(finding.result, int):
        if not finding.modifiers:
            return say("Net modifier {net}.", net=Signed(finding.result))
        return say("Net modifier {net} ({rows}).", net=Signed(finding.result), rows=rows(finding))
    return None


def penetration(finding: Finding) -> Message | None:
    """4.4.3.2.5 Penetration against the armour of the location hit, for findings without an aspect."""
    inputs = finding.inputs
    if "aspect" in inputs:
        return None
    args = {"penetration": data(inputs["penetration"]), "armour": data(inputs["armour"])}
    if finding.result:
        return say("Penetration {penetration} against armour {armour}: it penetrates.", **args)
    return say("Penetration {penetration} against armour {armour}: it does not penetrate.", **args)


def spot_fire(finding: Finding) -> Message | None:
    """4.4.1 The Spot marker that a firer gets."""
    if set(finding.inputs) != {"unit"}:
        return fire(finding)
    if finding.result == "fire-sa":
        return say("{unit} gets a Spot/Fire marker for small arms.", unit=finding.inputs["unit"])
    return say("{unit} gets a Spot/Fire marker.", unit=finding.inputs["unit"])
