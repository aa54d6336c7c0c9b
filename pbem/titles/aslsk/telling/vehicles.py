"""Sentences for findings about vehicles."""

from __future__ import annotations

from typing import Final

from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import Message, agree, fill, pattern, say, several, term
from pbem.engine.text.sentences import Telling, data, names
from pbem.titles.aslsk.ground.lattice import SPINES
from pbem.titles.aslsk.telling.words import net_dice, result


def add_vehicle_sentences(telling: Telling) -> None:
    """Register the sentences for the vehicle rules that have their own wording."""
    for rules, words in (
        (("7.9",), to_kill),
        (("3.2.4/hit-location", "3.2.4/target-facing"), aspect),
        (("7.1",), armour),
        (("3.2.4/kill-test", "3.2.4/dud"), kill_test),
        (("7.10", "7.4", "3.3.2/stacking"), tell_destroyed),
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


def vehicle_is(finding: Finding) -> Message:
    return say("{vehicle} is {result}.", vehicle=finding.inputs["vehicle"], result=result(finding.result))


FACINGS: Final = {
    ("turret", "front"): term("aslsk aspect", "turret front"),
    ("turret", "side"): term("aslsk aspect", "turret side"),
    ("turret", "rear"): term("aslsk aspect", "turret rear"),
    ("hull", "front"): term("aslsk aspect", "hull front"),
    ("hull", "side"): term("aslsk aspect", "hull side"),
    ("hull", "rear"): term("aslsk aspect", "hull rear"),
}


def to_kill(finding: Finding) -> Message:
    inputs = finding.inputs
    if "number" not in inputs:
        return say("{weapon} cannot penetrate {vehicle}.", weapon=inputs["weapon"], vehicle=inputs["vehicle"])
    where = FACINGS.get((inputs["location"], inputs["facing"])) or f"{inputs['location']} {inputs['facing']}"
    return say(
        "Hit in the {where} of {vehicle}: To Kill {number} ({basic} against armour {armour}), rolled {dice}: "
        "{result}.",
        where=where,
        vehicle=inputs["vehicle"],
        number=data(inputs["number"]),
        basic=data(inputs["basic"]),
        armour=data(inputs["armour"]),
        dice=data(list(finding.dice)),
        result=result(finding.result),
    )


def aspect(finding: Finding) -> Message:
    return say("{vehicle} is hit in the {where}.", vehicle=finding.inputs["vehicle"], where=result(finding.result))


def armour(finding: Finding) -> Message:
    return say("The armour factor is {armour}.", armour=data(finding.result))


def kill_test(finding: Finding) -> Message:
    return say(
        "To Kill roll of {total} against {number}: {result}.",
        total=sum(finding.dice),
        number=data(finding.inputs["number"]),
        result=result(finding.result),
    )


def tell_destroyed(finding: Finding) -> Message:
    inputs = finding.inputs
    return say(
        "{vehicle} ({name}) is {what} in {place}.",
        vehicle=inputs["vehicle"],
        name=inputs["name"],
        what=result(inputs["why"]),
        place=inputs["at"],
    )


CONDITIONS: Final = {
    "left the map": pattern("{vehicle} has left the map."),
    "Shock": pattern("{vehicle} is Shocked."),
    "stun": pattern("{vehicle} is Stunned."),
    "STUN": pattern("{vehicle} is Stunned and will be recalled."),
    "+1": pattern("{vehicle} recovers from its Stun with a +1 marker."),
    "recalled": pattern("{vehicle} is recalled."),
    "immobilized": pattern("{vehicle} is immobilized."),
}


def condition(finding: Finding) -> Message:
    inputs, found = finding.inputs, str(finding.result)
    if "morale" in inputs and found != "left the map":
        args = {"vehicle": inputs["vehicle"], "morale": inputs["morale"], "dice": net_dice(finding)}
        if found == "failed":
            return say("The crew of {vehicle} fails its check (morale {morale}), {dice}.", **args)
        return say("The crew of {vehicle} passes its check (morale {morale}), {dice}.", **args)
    return fill(CONDITIONS[found], inputs) if found in CONDITIONS else vehicle_is(finding)


RECOVERIES: Final = {
    "recovers": pattern("{vehicle} recovers from Shock (rolled {die})."),
    "UK": pattern("{vehicle} becomes an Unconfirmed Kill (rolled {die})."),
    "lost": pattern("{vehicle} is abandoned by its crew (rolled {die})."),
}


def recovery(finding: Finding) -> Message:
    if "why" in finding.inputs:
        return tell_destroyed(finding)
    return fill(RECOVERIES[str(finding.result)], {**finding.inputs, "die": finding.dice[0]})


def hatches(finding: Finding) -> Message:
    if finding.result == "crew exposed":
        return say("The crew of {vehicle} opens its hatches and is exposed.", vehicle=finding.inputs["vehicle"])
    return say("The crew of {vehicle} buttons up.", vehicle=finding.inputs["vehicle"])


def area(finding: Finding) -> Message:
    if "why" in finding.inputs:
        return tell_destroyed(finding)
    return say(
        "Area fire on {vehicle}, column {column}, {dice}: {result}.",
        vehicle=finding.inputs["vehicle"],
        column=data(finding.cell["used"]),
        dice=net_dice(finding),
        result=result(finding.result),
    )


def collateral(finding: Finding) -> Message:
    return say(
        "The exposed crew of {vehicle} is attacked on column {column}: {result}.",
        vehicle=finding.inputs["vehicle"],
        column=data(finding.cell["used"]),
        result=result(finding.result),
    )


def device(finding: Finding) -> Message:
    inputs = finding.inputs
    args = {"vehicle": inputs["vehicle"], "place": inputs["at"], "dice": net_dice(finding)}
    args |= {"number": data(inputs["number"]), "result": result(finding.result)}
    if inputs.get("no_sight"):
        return say("{vehicle} fires smoke at {place} without a line of sight, {dice}: {result}.", **args)
    return say("{vehicle} lays smoke in {place} ({number} or less), {dice}: {result}.", **args)


def bog(finding: Finding) -> Message:
    if not finding.dice:
        return vehicle_is(finding)
    args = {"vehicle": finding.inputs["vehicle"], "dice": net_dice(finding), "result": result(finding.result)}
    if finding.rule == "7.6/unbog":
        return say("{vehicle} tries to free itself, {dice}: {result}.", **args)
    return say("{vehicle} makes a bog check, {dice}: {result}.", **args)


def low_ammo(finding: Finding) -> Message:
    return say("{vehicle} runs low on ammunition.", vehicle=finding.inputs["vehicle"])


def drives(finding: Finding) -> Message:
    inputs = finding.inputs
    args = {"vehicle": inputs["vehicle"], "to": inputs["to"], "mp": data(inputs["mp"])}
    if inputs["from"]:
        return say("{vehicle} drives from {start} to {to} ({mp} MP).", **args, start=inputs["from"])
    return say("{vehicle} drives to {to} ({mp} MP).", **args)


def minimum(finding: Finding) -> Message:
    return say(
        "{vehicle} enters {hex} {how}.",
        vehicle=finding.inputs["vehicle"],
        hex=finding.inputs["to"],
        how=result(finding.result),
    )


STEPS: Final = {
    "starts": pattern("{vehicle} starts in {at} ({mp} MP)."),
    "stops": pattern("{vehicle} stops in {at} ({mp} MP)."),
    "waits": pattern("{vehicle} waits in {at} ({mp} MP)."),
    "turns": pattern("{vehicle} turns to {spine} in {at} ({mp} MP)."),
}


def manoeuvre(finding: Finding) -> Message:
    inputs = finding.inputs
    if "turret" in inputs:
        return say(
            "{vehicle} turns its turret to {spine}.", vehicle=inputs["vehicle"], spine=SPINES[inputs["turret"]]
        )
    spine = SPINES[inputs["facing"]] if "facing" in inputs else ""
    return fill(STEPS[str(finding.result)], {**inputs, "mp": data(inputs["mp"]), "spine": spine})


def motion(finding: Finding) -> Message:
    if finding.rule == "3.3.2.1":
        return say(
            "{vehicle} attempts Motion status (rolled {die}, needed {number} or less): {result}.",
            vehicle=finding.inputs["vehicle"],
            die=finding.dice[0],
            number=data(finding.inputs["number"]),
            result=result(finding.result),
        )
    return vehicle_is(finding)


def reliability(finding: Finding) -> Message:
    if not finding.dice:
        return vehicle_is(finding)
    return say(
        "{vehicle} tries to start its engine, {dice}: it {result}.",
        vehicle=finding.inputs["vehicle"],
        dice=net_dice(finding),
        result=result(finding.result),
    )


def task_check(finding: Finding) -> Message:
    args = {"unit": finding.inputs["unit"], "morale": finding.inputs["morale"], "dice": net_dice(finding)}
    if finding.result == "passed":
        return say("{unit} passes its check to attack the tank (morale {morale}), {dice}.", **args)
    return say("{unit} fails its check to attack the tank and is pinned (morale {morale}), {dice}.", **args)


def assault(finding: Finding) -> Message:
    inputs = finding.inputs
    if "units" not in inputs:
        return tell_destroyed(finding)
    return agree(
        "{units} attacks {vehicle} in close combat (value {value}), {dice}: {result}.",
        "{units} attack {vehicle} in close combat (value {value}), {dice}: {result}.",
        n=len(inputs["units"]),
        units=names(inputs["units"]),
        vehicle=inputs["vehicle"],
        value=data(inputs["value"]),
        dice=net_dice(finding),
        result=result(finding.result),
    )


def vehicle_fights(finding: Finding) -> Message:
    inputs = finding.inputs
    if "vehicle" not in inputs:
        return say("{unit} is {result}.", unit=inputs["unit"], result=result(finding.result))
    args = {"vehicle": inputs["vehicle"], "dice": net_dice(finding), "result": result(finding.result)}
    if finding.rule == "3.8/close-defence":
        return say("{vehicle} uses its close defence weapon, {dice}: {result}.", **args)
    return say(
        "{vehicle} attacks {targets} at {odds}, {dice}: {result}.",
        **args,
        targets=names(inputs["targets"]),
        odds=inputs["odds"],
    )


PANZERFAUSTS: Final = {
    "has one": pattern("{unit} looks for a Panzerfaust to use against {goal} ({dice}): it has one."),
    "none": pattern("{unit} looks for a Panzerfaust to use against {goal} ({dice}): it has none."),
    "pinned": pattern("{unit} looks for a Panzerfaust to use against {goal} ({dice}): it is pinned."),
}


def panzerfaust(finding: Finding) -> Message:
    inputs, found = finding.inputs, str(finding.result)
    if "at" in inputs:
        args = {"unit": inputs["unit"], "goal": inputs["vehicle"] or inputs["at"], "dice": net_dice(finding)}
        if found in PANZERFAUSTS:
            return fill(PANZERFAUSTS[found], args)
        return say(
            "{unit} looks for a Panzerfaust to use against {goal} ({dice}): {result}.", **args, result=result(found)
        )
    if found == "backfires":
        return say("{unit} is hurt by its own Panzerfaust.", unit=inputs["unit"])
    if found == "dud":
        return say("{unit} is saved by a dud.", unit=inputs["unit"])
    return say("The result for {unit} is {result}.", unit=inputs["unit"], result=result(found))


def blast(finding: Finding) -> Message:
    hurt = [
        say("{cell} against {unit}", cell=result(cell), unit=id)
        for id, cell in finding.result.items()
        if cell != "no effect"
    ]
    args = {"place": finding.inputs["at"], "die": finding.dice[0]}
    if hurt:
        return say("Backblast in {place} ({die}): {effects}.", **args, effects=several(hurt, "unit"))
    return say("Backblast in {place} ({die}): no effect.", **args)


def check(finding: Finding) -> Message:
    return say("The total is {total}; on 3 or less, the unit has a Panzerfaust.", total=data(finding.result))


def flame(finding: Finding) -> Message:
    inputs = finding.inputs
    return say(
        "{unit} fires {weapon} at {vehicle} (To Kill {number}): {result}.",
        unit=inputs["unit"],
        weapon=inputs["weapon"],
        vehicle=inputs["vehicle"],
        number=data(inputs["number"]),
        result=result(finding.result),
    )


def morale(finding: Finding) -> Message:
    return say(
        "The crew of {vehicle} has morale {morale}.", vehicle=finding.inputs["vehicle"], morale=data(finding.result)
    )


def shaking(finding: Finding) -> Message:
    return say("Shocked crews roll: {vehicles}.", vehicles=names(finding.inputs["vehicles"]))


SHARES: Final = {
    "half of its MP": pattern("Entering {to} costs the vehicle half of its MP."),
    "all of its MP": pattern("Entering {to} costs the vehicle all of its MP."),
    "woods": pattern("Entering woods requires a bog check."),
    "building": pattern("Entering a building requires a bog check."),
}


def share(finding: Finding) -> Message:
    if str(finding.result) in SHARES:
        return fill(SHARES[str(finding.result)], finding.inputs)
    return say("{hex} costs {result}.", hex=finding.inputs["to"], result=data(finding.result))
