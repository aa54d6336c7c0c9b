"""3.2, 6 Sentences about fire and morale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import (
    Message,
    Name,
    Value,
    agree,
    fill,
    pattern,
    recorded,
    say,
    say_n,
    several,
    term,
)
from pbem.engine.text.sentences import data, names
from pbem.titles.aslsk.ground.lattice import SPINES
from pbem.titles.aslsk.telling.base import TELLING
from pbem.titles.aslsk.telling.words import dice, result, results

SHELLS: Final = {"H": "HEAT", "A": "APCR", "D": "APDS"}
"""6.2 Kinds of ammunition; their letters are the same in every language."""


def add_leaders(said: Message, leaders: list[str]) -> Message:
    """3.2.2 Add the leaders who direct the fire, if any, to its sentence."""
    return say("{fire}, directed by {leaders}", fire=said, leaders=names(leaders)) if leaders else said


# --- fire ------------------------------------------------------------------------------------------------------

MANNERS: Final = {
    "3.2.2": pattern("{units} fires at {place}", "{units} fire at {place}"),
    "3.3.3/sff": pattern(
        "{units} fires at {place} as Subsequent First Fire", "{units} fire at {place} as Subsequent First Fire"
    ),
    "3.3.3/fpf": pattern(
        "{units} fires at {place} as Final Protective Fire", "{units} fire at {place} as Final Protective Fire"
    ),
}


@TELLING.tells("3.2.2", "3.3.3/sff", "3.3.3/fpf")
def fire(finding: Finding) -> Message:
    inputs = finding.inputs
    if inputs.get("nmc"):
        return say(
            "{unit} takes an NMC for Final Protective Fire (morale {morale}): {result}.",
            unit=inputs["unit"],
            morale=inputs["morale"],
            result=result(finding.result),
        )
    args = {"units": names(inputs["firers"]), "place": inputs["at"], "n": len(inputs["firers"])}
    shot = add_leaders(fill(MANNERS.get(finding.rule, MANNERS["3.2.2"]), args), inputs["leaders"])
    if "no_sight" in inputs:
        shot = say("{fire} ({units} without a line of sight)", fire=shot, units=names(inputs["no_sight"]))
    column: Value = Name(str(finding.cell["used"])) if finding.cell["used"] else term("aslsk column", "none")
    if finding.cell["cowered"]:
        column = say("{column}, cowering", column=column)
    said = say(
        "{fire}: {fp} FP, column {column}, {dice}: {results}",
        fire=shot,
        fp=data(inputs["fp"]),
        column=column,
        dice=dice(finding),
        results=results(finding.result),
    )
    if "kept_rate" in inputs:
        return say("{fire}; {weapons} may fire again.", fire=said, weapons=names(inputs["kept_rate"]))
    return say("{fire}.", fire=said)


@TELLING.tells("3.2.4")
def ordnance(finding: Finding) -> Message:
    inputs = finding.inputs
    args = {"unit": inputs["unit"], "weapon": inputs["weapon"], "place": inputs["at"]}
    if inputs["no_sight"]:
        return say("{unit} fires {weapon} at {place} without a line of sight.", **args)
    if inputs.get("how"):
        shot = say("{unit} fires {weapon} ({ammunition}) at {place}", **args, ammunition=inputs["how"])
    else:
        shot = say("{unit} fires {weapon} at {place}", **args)
    return tell_aimed(finding, shot, inputs["hit"])


@TELLING.tells("3.2.4/vtt")
def at_vehicle(finding: Finding) -> Message:
    inputs = finding.inputs
    args = {"unit": inputs["unit"], "weapon": inputs["weapon"], "vehicle": inputs["vehicle"], "place": inputs["at"]}
    if inputs["no_sight"]:
        return say("{unit} fires {weapon} at {vehicle} in {place} without a line of sight.", **args)
    if inputs["how"]:
        shell = SHELLS.get(inputs["how"], inputs["how"])
        shot = say("{unit} fires {weapon} at {vehicle} in {place} with {ammunition}", **args, ammunition=shell)
    else:
        shot = say("{unit} fires {weapon} at {vehicle} in {place}", **args)
    return tell_aimed(finding, shot, ())


def tell_aimed(finding: Finding, shot: Message, hit: Sequence[str]) -> Message:
    """3.2.4 Describe a shot with its number, its dice and its result."""
    inputs = finding.inputs
    if inputs.get("intensive"):
        shot = say("{shot} as Intensive Fire", shot=shot)
    args = {"shot": add_leaders(shot, inputs["leaders"]), "number": data(inputs["number"]), "dice": dice(finding)}
    if hit:
        return say(
            "{shot} ({number} or less), {dice}: {result} on {units}.",
            **args,
            result=result(finding.result),
            units=names(hit),
        )
    return say("{shot} ({number} or less), {dice}: {result}.", **args, result=result(finding.result))


@TELLING.tells("3.2.4/itt", "3.2.4/att", "def/itt", "def/att")
def target_kind(finding: Finding) -> Message:
    distance = finding.inputs["range"]
    if finding.result == "infantry":
        return say_n(
            "The shot uses the Infantry Target Type at a range of {n} hex.",
            "The shot uses the Infantry Target Type at a range of {n} hexes.",
            n=distance,
        )
    return say_n(
        "The shot uses the Area Target Type at a range of {n} hex.",
        "The shot uses the Area Target Type at a range of {n} hexes.",
        n=distance,
    )


@TELLING.tells("3.2.4/red-black")
def colour(finding: Finding) -> Message:
    return say("The red To Hit numbers apply.") if finding.result == "red" else say("The black To Hit numbers apply.")


@TELLING.tells("3.2.4/th-numbers")
def hit_number(finding: Finding) -> Message:
    return say("The To Hit number is {number}.", number=data(finding.result))


@TELLING.tells("3.2.4/rof-reduction")
def lowered_rate(finding: Finding) -> Message:
    return say(
        "The rate of fire of {weapon} is {rate} instead of {printed}.",
        weapon=finding.inputs["weapon"],
        rate=data(finding.result),
        printed=data(finding.inputs["printed"]),
    )


@TELLING.tells("3.2.4/covered-arc", "3.2.4/ca-change-without-fire")
def faces(finding: Finding) -> Message:
    return say("{weapon} turns to face {spine}.", weapon=finding.inputs["weapon"], spine=SPINES[finding.result])


FOUND_OUT: Final = {
    "in sight in the open": pattern("{unit} is no longer hidden: it is in sight in the open."),
    "it fires": pattern("{unit} is no longer hidden: it fires."),
    "its crew moves": pattern("{unit} is no longer hidden: its crew moves."),
}


@TELLING.tells("6.4/loss", "6.4/attack-on-hidden")
def tell_found(finding: Finding) -> Message:
    if finding.result in FOUND_OUT:
        return fill(FOUND_OUT[finding.result], finding.inputs)
    return say("{unit} is no longer hidden: {why}.", unit=finding.inputs["unit"], why=recorded(str(finding.result)))


REASONS: Final = {"in sight in the open": say("it is in sight in the open")}
"""6.4 Reasons that the record gives as a fragment."""


@TELLING.tells("6.4")
def tell_hidden(finding: Finding) -> Message:
    inputs = finding.inputs
    if "seat" in inputs:
        return say("You set up in secret: {units}.", units=units_in_hexes(inputs["units"]))
    if finding.result == "goes back":
        return agree(
            "{units} runs into a hidden Gun in {place} and goes back.",
            "{units} run into a hidden Gun in {place} and go back.",
            n=len(inputs["units"]),
            units=names(inputs["units"]),
            place=inputs["at"],
        )
    args = {
        "unit": inputs["unit"],
        "place": inputs["at"],
        "why": REASONS.get(inputs["why"]) or recorded(inputs["why"]),
    }
    if inputs["weapon"]:
        return say("{unit} with {weapon} is found in {place}: {why}.", **args, weapon=inputs["weapon"])
    return say("{unit} with its Gun is found in {place}: {why}.", **args)


def units_in_hexes(units: dict[str, str]) -> Value:
    """1.3 List units with their hexes."""
    return several((Name(f"{unit} {hex}") for unit, hex in units.items()), "unit")


PUSHES: Final = {
    "does not move": pattern(
        "{units} pushes {weapon} to {to} (M{number}), {dice}: it does not move.",
        "{units} push {weapon} to {to} (M{number}), {dice}: it does not move.",
    ),
    "moves and stops": pattern(
        "{units} pushes {weapon} to {to} (M{number}), {dice}: it moves there and stops.",
        "{units} push {weapon} to {to} (M{number}), {dice}: it moves there and stops.",
    ),
    "moves on": pattern(
        "{units} pushes {weapon} to {to} (M{number}), {dice}: it moves there and can be pushed on.",
        "{units} push {weapon} to {to} (M{number}), {dice}: it moves there and can be pushed on.",
    ),
}


@TELLING.tells("6.5")
def tell_pushed(finding: Finding) -> Message:
    units = finding.inputs["units"]
    said = {**finding.inputs, "units": names(units), "n": len(units), "dice": dice(finding)}
    return fill(PUSHES[finding.result], said)


@TELLING.tells("6.2")
def shells(finding: Finding) -> Message:
    args = {"weapon": finding.inputs["weapon"], "ammunition": finding.inputs["ammunition"]}
    if finding.result == "the last":
        return say("{weapon} fires the last of its {ammunition} ammunition.", **args)
    return say("{weapon} has no {ammunition} ammunition.", **args)


SMOKES: Final = {
    "smoke": pattern("{weapon} places smoke in {at}."),
    "dispersed": pattern("{weapon} places dispersed smoke in {at}."),
    "wp": pattern("{weapon} places white phosphorus smoke in {at}."),
    "wp_dispersed": pattern("{weapon} places dispersed white phosphorus smoke in {at}."),
}


@TELLING.tells("6.2/smoke")
def smoke_shell(finding: Finding) -> Message:
    return fill(SMOKES.get(str(finding.result), SMOKES["smoke"]), finding.inputs)


@TELLING.tells("6.7")
def gun_hit(finding: Finding) -> Message:
    return say("{weapon}: {result}.", weapon=finding.inputs["weapon"], result=result(finding.result))


@TELLING.tells("3.2.4/effects", "6.1")
def ordnance_effect(finding: Finding) -> Message:
    if finding.cell is None and "vehicle" in finding.inputs:
        inputs = finding.inputs
        return say("{weapon} scores a critical hit on {vehicle}.", weapon=inputs["weapon"], vehicle=inputs["vehicle"])
    args = {"column": data(finding.cell["used"]), "dice": dice(finding), "results": results(finding.result)}
    if finding.rule == "6.1":
        return say("Critical hit on column {column}, {dice}: {results}.", **args)
    return say("Hit on column {column}, {dice}: {results}.", **args)


@TELLING.tells("6.10", "6.11")
def tell_acquired(finding: Finding) -> Message:
    inputs = finding.inputs
    args = {"weapon": inputs["weapon"], "place": data(inputs["at"]), "drm": data(finding.result)}
    if inputs.get("follows"):
        return say("{weapon} follows its acquired target to {place} ({drm}).", **args)
    return say("{weapon} has acquired {place} ({drm}).", **args)


@TELLING.tells("def/acquired-target")
def acquires(finding: Finding) -> Message:
    return say("{weapon} acquires {target}.", weapon=finding.inputs["weapon"], target=data(finding.result))


@TELLING.tells("3.3.5")
def residual(finding: Finding) -> Message:
    inputs = finding.inputs
    if not inputs.get("attack"):
        return say("Residual FP {fp} stays in {place}.", fp=data(finding.result), place=inputs["at"])
    return say(
        "Residual FP {column} in {place} attacks {units}, {dice}: {results}.",
        column=data(finding.cell["column"]),
        place=inputs["at"],
        units=names(inputs["units"]),
        dice=dice(finding),
        results=results(finding.result),
    )


# --- morale ----------------------------------------------------------------------------------------------------

CHECKS: Final = {
    "passed": pattern("{unit} passes its morale check (morale {morale}), {dice}."),
    "pinned": pattern("{unit} passes its morale check exactly and is pinned (morale {morale}), {dice}."),
    "failed": pattern("{unit} fails its morale check (morale {morale}), {dice}."),
    "disaster": pattern("{unit} fails its morale check with a 12 (morale {morale}), {dice}."),
}


@TELLING.tells("3.2.3/nmc", "3.2.3/mc", "3.2.3/llmc", "3.6/interdiction", "6.2/wp")
def check(finding: Finding) -> Message:
    inputs = finding.inputs
    if "by" in inputs:
        return agree(
            "{units} interdicts {unit} in {place}.",
            "{units} interdict {unit} in {place}.",
            n=len(inputs["by"]),
            units=names(inputs["by"]),
            unit=inputs["unit"],
            place=inputs["at"],
        )
    if "morale" not in inputs:
        return say("{unit} is {result}.", unit=inputs["unit"], result=result(finding.result))
    return fill(CHECKS[finding.result], {**inputs, "dice": dice(finding)})


@TELLING.tells("3.2.3/ptc", "3.2.3/lltc")
def pin_check(finding: Finding) -> Message:
    args = {"unit": finding.inputs["unit"], "morale": finding.inputs["morale"], "dice": dice(finding)}
    if finding.result == "passed":
        return say("{unit} passes its pin check (morale {morale}), {dice}.", **args)
    return say("{unit} fails its pin check (morale {morale}), {dice}.", **args)


@TELLING.tells("3.2.3/pin", "3.2.3/kia", "3.2.3/k", "3.2.3/dm-placement")
def state(finding: Finding) -> Message:
    unit = finding.inputs["unit"]
    if finding.result == "DM":
        return say("{unit} receives a DM marker.", unit=unit)
    if finding.rule == "3.2.3/k":
        return say("{unit} suffers the result {result}.", unit=unit, result=result(finding.result))
    return say("{unit} is {result}.", unit=unit, result=result(finding.result))


@TELLING.tells("3.2.3/casualty-reduction", "5.1")
def tell_replaced(finding: Finding) -> Message:
    args = {"unit": finding.inputs["unit"], "name": finding.inputs["name"]}
    if finding.result == "eliminated":
        return say("{unit} ({name}) is eliminated.", **args)
    return say("{unit} ({name}) becomes a {new}.", **args, new=finding.result)


@TELLING.tells("3.2.3/wounds")
def wounds(finding: Finding) -> Message:
    args = {"unit": finding.inputs["unit"], "result": result(finding.result)}
    if finding.dice:
        return say("{unit} is {result} (rolled {die}).", **args, die=finding.dice[0])
    return say("{unit} is {result}.", **args)


RALLIES: Final = {
    ("rallied", True): pattern("{unit} rallies, led by {leader} (morale {morale}), {dice}."),
    ("rallied", False): pattern("{unit} rallies by itself (morale {morale}), {dice}."),
    ("casualties", True): pattern(
        "{unit} suffers casualties as {leader} tries to rally it (morale {morale}), {dice}."
    ),
    ("casualties", False): pattern("{unit} suffers casualties as it tries to rally (morale {morale}), {dice}."),
    ("still broken", True): pattern("{unit} stays broken, though led by {leader} (morale {morale}), {dice}."),
    ("still broken", False): pattern("{unit} tries to rally by itself and stays broken (morale {morale}), {dice}."),
}


@TELLING.tells("3.1/e-self-rally", "3.1/f-rally")
def rally(finding: Finding) -> Message:
    return fill(RALLIES[finding.result, bool(finding.inputs["leader"])], {**finding.inputs, "dice": dice(finding)})


DM: Final = {
    "removed": pattern("{unit} loses its DM marker."),
    "kept by its owner": pattern("{unit} keeps its DM marker, as its owner wishes."),
    "kept: enemy adjacent": pattern("{unit} keeps its DM marker: an enemy is adjacent."),
}


@TELLING.tells("3.1/h-dm-removal")
def dm(finding: Finding) -> Message:
    return fill(DM[finding.result], finding.inputs)
