"""3 Sentences about movement, close combat, weapons and the course of play."""

from __future__ import annotations

from typing import Final

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Change
from pbem.engine.text.messages import (
    Message,
    Name,
    Signed,
    Value,
    agree,
    fill,
    pattern,
    recorded,
    say,
    several,
)
from pbem.engine.text.sentences import data, names
from pbem.titles.aslsk.telling.base import TELLING
from pbem.titles.aslsk.telling.fire_sentences import units_in_hexes
from pbem.titles.aslsk.telling.words import dice, result, results, rows, side

PHASES: Final = {
    "rally": pattern("Rally Phase of the {side} player turn."),
    "prep": pattern("Prep Fire Phase of the {side} player turn."),
    "movement": pattern("Movement Phase of the {side} player turn."),
    "defensive": pattern("Defensive Fire Phase of the {side} player turn."),
    "advancing": pattern("Advancing Fire Phase of the {side} player turn."),
    "rout": pattern("Rout Phase of the {side} player turn."),
    "advance": pattern("Advance Phase of the {side} player turn."),
    "close_combat": pattern("Close Combat Phase of the {side} player turn."),
}


# --- movement --------------------------------------------------------------------------------------------------


@TELLING.tells("3.3.1")
def tell_entered(finding: Finding) -> Message:
    inputs = finding.inputs
    args = {"units": names(inputs["units"]), "to": inputs["to"], "mf": data(inputs["mf"])}
    n = len(inputs["units"])
    if inputs["from"]:
        return agree(
            "{units} moves from {start} to {to} ({mf} MF).",
            "{units} move from {start} to {to} ({mf} MF).",
            n=n,
            start=inputs["from"],
            **args,
        )
    return agree("{units} moves to {to} ({mf} MF).", "{units} move to {to} ({mf} MF).", n=n, **args)


GAITS: Final = {
    "assault": pattern("{units} starts to move in Assault Movement", "{units} start to move in Assault Movement"),
    "double": pattern("{units} starts to move at Double Time", "{units} start to move at Double Time"),
    "": pattern("{units} starts to move", "{units} start to move"),
    "end": pattern("{units} ends its move", "{units} end their move"),
}


@TELLING.tells("3.3.1/declaration")
def tell_declared(finding: Finding) -> Message:
    inputs = finding.inputs
    if not inputs["units"]:
        return say("No unit is left to move.")
    gait = "assault" if inputs.get("assault") else "double" if inputs.get("double") else ""
    gait = gait if finding.result == "starts to move" else "end"
    said = fill(GAITS[gait], {"units": names(inputs["units"]), "n": len(inputs["units"])})
    if inputs["at"]:
        return say("{said} in {place}.", said=said, place=inputs["at"])
    return say("{said}.", said=said)


GRENADES: Final = {
    "placed": pattern("{unit} throws smoke at {at} (rolled {die}, needed {exponent} or less): the smoke is placed."),
    "not placed": pattern(
        "{unit} throws smoke at {at} (rolled {die}, needed {exponent} or less): no smoke is placed."
    ),
    "move ends": pattern(
        "{unit} throws smoke at {at} (rolled {die}, needed {exponent} or less): no smoke, and its move ends."
    ),
}


@TELLING.tells("3.3.1/smoke-grenades")
def smoke(finding: Finding) -> Message:
    return fill(GRENADES[finding.result], {**finding.inputs, "die": finding.dice[0]})


@TELLING.tells("3.6/rout-movement", "3.6/low-crawl")
def routs(finding: Finding) -> Message:
    args = {"unit": finding.inputs["unit"], "start": finding.inputs["from"], "end": finding.inputs["to"]}
    if finding.rule == "3.6/low-crawl":
        return say("{unit} crawls from {start} to {end}.", **args)
    return say("{unit} routs from {start} to {end}.", **args)


ROUT_ENDS: Final = {
    "stays": pattern("{unit} stays where it is."),
    "left the map": pattern("{unit} leaves the map."),
}


@TELLING.tells("3.6/must-rout", "3.6/may-rout", "3.6/leader-rout", "3.3/entry-exit")
def rout_end(finding: Finding) -> Message:
    if finding.result == "eliminated":
        if finding.rule == "3.6/must-rout":
            return say("{unit} is eliminated for failure to rout.", unit=finding.inputs["unit"])
        return say("{unit} is eliminated.", unit=finding.inputs["unit"])
    if finding.result in ROUT_ENDS:
        return fill(ROUT_ENDS[finding.result], finding.inputs)
    return say(
        "The rout of {unit} ends: {result}.", unit=finding.inputs["unit"], result=recorded(str(finding.result))
    )


@TELLING.tells("3.7")
def tell_advanced(finding: Finding) -> Message:
    if "weapon" in finding.inputs:  # transferred as the phase begins
        return possession(finding)
    units = finding.inputs["units"]
    args = {"units": names(units), "to": finding.result, "n": len(units)}
    if tired := finding.inputs.get("cx"):
        return agree(
            "{units} advances to {to} and becomes CX: {tired}.",
            "{units} advance to {to}, and these units become CX: {tired}.",
            tired=names(tired),
            **args,
        )
    return agree("{units} advances to {to}.", "{units} advance to {to}.", **args)


@TELLING.tells("1.1.1.10/crest-cost", "1.1.1.3", "1.1.1.5")
def cost_reason(finding: Finding) -> Message:
    if finding.result == "doubled":
        return say("{hex} is uphill: the cost is doubled.", hex=finding.inputs["to"])
    if finding.result == "road rate":
        return say("{hex} is entered at the road rate.", hex=finding.inputs["to"])
    if finding.result == "terrain cost elected":
        return say("The stack elects to pay the full terrain cost of {hex}.", hex=finding.inputs["to"])
    return say("Special cost of {hex}: {result}.", hex=finding.inputs["to"], result=result(finding.result))


@TELLING.tells("3.1/a-reinforcements")
def reinforcements(finding: Finding) -> Message:
    return say("{units} may enter this turn.", units=names(finding.inputs["units"]))


@TELLING.tells("3.3.3/status-during-dff")
def no_assault(finding: Finding) -> Message:
    return say("{unit} is {result}.", unit=finding.inputs["unit"], result=result(finding.result))


# --- close combat ----------------------------------------------------------------------------------------------


@TELLING.tells("3.8/ambush")
def ambush(finding: Finding) -> Message:
    finals = several(
        (say("{side} {total}", side=side(seat), total=total) for seat, total in finding.inputs["finals"].items()),
        "unit",
    )
    if finding.result == "no ambush":
        return say("There is no ambush in {place}: {finals}.", place=finding.inputs["at"], finals=finals)
    return say(
        "The {side} side ambushes the enemy in {place}: {finals}.",
        side=side(finding.result),
        place=finding.inputs["at"],
        finals=finals,
    )


@TELLING.tells("3.8/attacks")
def combat(finding: Finding) -> Message:
    inputs = finding.inputs
    if "odds" not in inputs:
        return say("{unit} is {result}.", unit=inputs["unit"], result=result(finding.result))
    return agree(
        "{units} attacks {targets} in {place} at {odds} (kill number {number}), {dice}: {result}.",
        "{units} attack {targets} in {place} at {odds} (kill number {number}), {dice}: {result}.",
        n=len(inputs["units"]),
        units=names(inputs["units"]),
        targets=names(inputs["targets"]),
        place=inputs["at"],
        odds=inputs["odds"],
        number=data(finding.cell),
        dice=dice(finding),
        result=result(finding.result),
    )


@TELLING.tells("3.8/drm")
def combat_drm(finding: Finding) -> Message:
    return say("Modifiers: {rows}; total {total}.", rows=rows(finding), total=Signed(finding.result))


@TELLING.tells("3.8/sequence-infantry")
def arranged(finding: Finding) -> Message:
    inputs = finding.inputs
    if finding.result == "alone":
        return say("In {place}, {unit} attacks and defends alone.", place=inputs["at"], unit=inputs["unit"])
    return say(
        "In {place}, {unit} attacks and defends with {other}.",
        place=inputs["at"],
        unit=inputs["unit"],
        other=inputs["with"],
    )


@TELLING.tells("3.8/field-promotion-in-cc")
def joins(finding: Finding) -> Message:
    inputs = finding.inputs
    return say(
        "{unit} immediately joins the close combat alongside {units}.",
        unit=inputs["unit"],
        units=names(inputs["with"]),
    )


@TELLING.tells("3.8/end-of-phase")
def tell_unpinned(finding: Finding) -> Message:
    units = finding.inputs["units"]
    return agree("{units} is no longer pinned.", "{units} are no longer pinned.", n=len(units), units=names(units))


@TELLING.tells("3.8/melee")
def melee(finding: Finding) -> Message:
    if finding.result == "Melee":
        return say("There is a Melee in {place}.", place=finding.inputs["at"])
    return say("The Melee in {place} ends.", place=finding.inputs["at"])


# --- weapons, units, the course of play ------------------------------------------------------------------------


@TELLING.tells("1.2.4.1")
def rate(finding: Finding) -> Message:
    return say(
        "{weapon} keeps its rate of fire (coloured die {die}).", weapon=finding.inputs["weapon"], die=finding.dice[0]
    )


@TELLING.tells("5.4")
def tell_inexperienced(finding: Finding) -> Message:
    units = finding.inputs["units"]
    return agree("{units} is inexperienced.", "{units} are inexperienced.", n=len(units), units=names(units))


@TELLING.tells("3.2.1/declaration")
def tell_wasted(finding: Finding) -> Message:
    firers = finding.inputs["firers"]
    return agree(
        "{units} has no line of sight to {place}: the fire is wasted.",
        "{units} have no line of sight to {place}: the fire is wasted.",
        n=len(firers),
        units=names(firers),
        place=finding.inputs["at"],
    )


@TELLING.tells("3.0")
def phase(finding: Finding) -> Message:
    inputs = finding.inputs
    if "phase" in inputs:
        return fill(PHASES[inputs["phase"]], {"side": side(inputs["attacker"])})
    return say("Turn {turn}: the {side} player turn begins.", turn=inputs["turn"], side=side(inputs["attacker"]))


@TELLING.tells("1.3")
def set_up(finding: Finding) -> Message:
    if not finding.inputs["units"]:
        return say("{side} set-up: no unit is on the map yet.", side=side(finding.inputs["seat"]))
    return say(
        "{side} set-up: {units}.", side=side(finding.inputs["seat"]), units=units_in_hexes(finding.inputs["units"])
    )


@TELLING.tells("3.9")
def end(finding: Finding) -> Message:
    why = recorded(finding.inputs["why"])
    if finding.result == "draw":
        return say("The scenario ends in a draw ({why}).", why=why)
    return say("The scenario ends: {side} victory ({why}).", side=side(finding.result), why=why)


@TELLING.tells("3.2.2/cowering")
def cowers(finding: Finding) -> Message:
    firers = finding.inputs["firers"]
    columns = agree("one column", "{count} columns", n=finding.result, count=finding.result)
    return agree(
        "{units} cowers: the attack shifts {columns} to the left.",
        "{units} cower: the attack shifts {columns} to the left.",
        n=len(firers),
        units=names(firers),
        columns=columns,
    )


def controlled(place: str) -> Value:
    """A hex by its number, or a building by its name."""
    return Name(place) if place[-1].isdigit() else say("the {building}", building=place)


@TELLING.tells("def/control")
def control(finding: Finding) -> Message:
    place = controlled(finding.inputs["place"])
    if finding.result == "nobody":
        return say("No side controls {place} any longer.", place=place)
    if "temporary" not in finding.inputs:
        return say("The {side} side takes control of {place}.", side=side(finding.result), place=place)
    if finding.inputs["temporary"]:
        return say(
            "The {side} side controls {place} as long as its vehicle is alone there.",
            side=side(finding.result),
            place=place,
        )
    return say("Control of {place} reverts to the {side} side.", side=side(finding.result), place=place)


@TELLING.tells("4.0/drop-recover", "3.6/rout-portage", "3.1/d-transfer")
def possession(finding: Finding) -> Message:
    args = {"unit": finding.inputs["unit"], "weapon": finding.inputs["weapon"]}
    if finding.result == "dropped":
        return say("{unit} drops {weapon}.", **args)
    return say("{unit} takes over {weapon}.", **args)


@TELLING.tells("3.1/b-recovery", "3.3.1/recovery")
def recovery(finding: Finding) -> Message:
    args = {"unit": finding.inputs["unit"], "weapon": finding.inputs["weapon"], "die": finding.dice[0]}
    if finding.result == "recovered":
        return say("{unit} recovers {weapon} (rolled {die}).", **args)
    return say("{unit} does not recover {weapon} (rolled {die}).", **args)


WEAPONS: Final = {
    "removed": pattern("{weapon} is lost for good"),
    "malfunctions": pattern("{weapon} malfunctions"),
    "unharmed": pattern("{weapon} is unharmed"),
    "repaired": pattern("{weapon} is repaired"),
    "not repaired": pattern("{weapon} is not repaired"),
}


@TELLING.tells("4.1/breakdown", "6.12", "4.0/weapon-destruction", "3.1/c-repair")
def tell_wrecked(finding: Finding) -> Message:
    said = fill(WEAPONS[str(finding.result)], finding.inputs)
    if finding.dice:
        return say("{said} (rolled {dice}).", said=said, dice=data(list(finding.dice)))
    return say("{said}.", said=said)


@TELLING.tells("4.3/placement")
def charge(finding: Finding) -> Message:
    args = {"weapon": finding.inputs["weapon"], "place": finding.inputs["at"]}
    if finding.result == "placed":
        return say("{weapon} is set in {place}.", **args)
    return say("{weapon} is being set in {place}.", **args)


@TELLING.tells("4.3/vs-afv")
def set_on_vehicle(finding: Finding) -> Message:
    args = {"weapon": finding.inputs["weapon"], "vehicle": finding.inputs["vehicle"]}
    if not finding.dice:
        return say("The charge {weapon} misses {vehicle}.", **args)
    return say(
        "The charge {weapon} is set on {vehicle}: {result} ({dice}).",
        **args,
        result=result(finding.result),
        dice=dice(finding),
    )


@TELLING.tells("4.3/detonation")
def detonation(finding: Finding) -> Message:
    args = {"weapon": finding.inputs["weapon"], "place": finding.inputs["at"]}
    if finding.inputs["dud"]:
        return say("The charge {weapon} in {place} is a dud.", **args)
    return say(
        "The charge {weapon} explodes in {place}, {dice}: {results}.",
        **args,
        dice=dice(finding),
        results=results(finding.result),
    )


@TELLING.tells("5.3")
def tell_promoted(finding: Finding) -> Message:
    inputs = finding.inputs
    if not finding.dice:
        return say(
            "{unit} ({name}) appears in {place}.", unit=inputs["unit"], name=finding.result, place=inputs["at"]
        )
    if finding.result == "none":
        return say("No leader emerges from {unit} ({dice}).", unit=inputs["unit"], dice=dice(finding))
    return say(
        "A {name} leader emerges from {unit} ({dice}).", name=finding.result, unit=inputs["unit"], dice=dice(finding)
    )


@TELLING.tells("4.0/weapon-penalties")
def worn(finding: Finding) -> Message:
    return say(
        "{weapon} breaks down on {number} instead of {printed}.",
        weapon=finding.inputs["weapon"],
        number=data(finding.result),
        printed=data(finding.inputs["printed"]),
    )


@TELLING.tells("1.2")
def tell_marked(finding: Finding) -> Message:
    """11 C Report markers that change without any other result."""
    units = names(list(dict.fromkeys(one.who for one in finding.shows if isinstance(one, Change))))
    return say("The markers on these units change: {units}.", units=units)
