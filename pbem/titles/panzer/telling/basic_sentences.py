"""Findings in sentences: one message each, with its modifiers and its dice.

    tell        the message for a finding, with its rule
    tell_tree   the finding and all its children in English, indented

A finding is worded by the function for its rule, or for the paragraph its rule belongs to (`4.4.1/spot-fire` is part
of 4.4.1). Everything in a finding is data; findings without a special function get a plain wording.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import (
    Message,
    Signed,
    Value,
    agree,
    fill,
    pattern,
    say,
    say_n,
    several,
    term,
)
from pbem.engine.text.sentences import Telling, data, names, plain
from pbem.titles.panzer.telling.words.codes import COMMANDS, EFFECTS, command, effect, rows, word
from pbem.titles.panzer.telling.words.sides import side_term

TELLING: Final = Telling()
TELLERS: Final = TELLING.tellers
tells, tell, tell_tree, teller_of = TELLING.tells, TELLING.tell, TELLING.tell_tree, TELLING.teller_of


def child(finding: Finding, rule: str) -> Finding | None:
    """The child under a rule, if there is one."""
    return next((found for found in finding.children if found.rule == rule), None)


def children(finding: Finding, rule: str) -> Iterator[Finding]:
    return (found for found in finding.children if found.rule == rule)


# --- set-up and spotting -------------------------------------------------------------------------------------


@tells("2.0")
def tell_placed(finding: Finding) -> Message:
    inputs = finding.inputs
    args = {"unit": inputs.get("unit"), "facing": inputs.get("facing")}
    if "area" in inputs:
        return say("{unit} is placed in {hex}, facing {facing}.", **args, hex=finding.result)
    if "step" in inputs:
        return say(
            "{unit} enters at {hex}, facing {facing} ({spent}).",
            **args,
            hex=inputs["hex"],
            spent=cost_in_words(finding),
        )
    return plain(finding)


@tells("4.0")
def turn_begins(finding: Finding) -> Message:
    return say("Turn {turn} of {turns}.", turn=finding.inputs["turn"], turns=data(finding.inputs["of"]))


SPOTTED: Final = {
    ("spotted", True): pattern("{target} is spotted by {spotters}, within {limit} hexes ({rows})."),
    ("spotted", False): pattern("{target} is spotted by {spotters}, within {limit} hexes."),
    ("still spotted", True): pattern("{target} is still spotted by {spotters}, within {limit} hexes ({rows})."),
    ("still spotted", False): pattern("{target} is still spotted by {spotters}, within {limit} hexes."),
}


@tells("4.1", "4.1.1")
def tell_spotted(finding: Finding) -> Message:
    inputs = finding.inputs
    if "by" in inputs:
        args = {"target": inputs["target"], "spotters": names(inputs["by"]), "limit": data(inputs["limit"])}
        known = SPOTTED[finding.result, bool(finding.modifiers)]
        return fill(known, {**args, "rows": rows(finding)})
    if finding.result == "lost":
        return say("{target} is no longer spotted.", target=inputs["target"])
    if "limit" in inputs:
        args = {
            "spotter": inputs["spotter"],
            "target": inputs["target"],
            "range": data(inputs["range"]),
            "limit": data(inputs["limit"]),
        }
        if finding.result:
            return say("{spotter} spots {target}: range {range}, limit {limit}.", **args)
        return say("{spotter} does not spot {target}: range {range}, limit {limit}.", **args)
    if "kind" in inputs and isinstance(finding.result, bool):
        if finding.result:
            return say("{spotter} can spot by itself.", spotter=inputs["spotter"])
        return say("{spotter} cannot spot by itself.", spotter=inputs["spotter"])
    return plain(finding)


@tells("4.1.2")
def looks(finding: Finding) -> Message:
    if finding.result == "all round":
        return say("The unit can spot in all directions; it faces {facing}.", facing=data(finding.inputs["facing"]))
    return plain(finding)


@tells("4.1.3")
def spotting_range(finding: Finding) -> Message:
    if "target" not in finding.inputs:
        return plain(finding)
    return say(
        "{target} can be spotted within {range} hexes ({rows}).",
        target=finding.inputs["target"],
        range=data(finding.result),
        rows=rows(finding),
    )


SIGHTS: Final = {
    "open": pattern("The line of sight is open."),
    "clear": pattern("The line of sight is clear."),
    "blocked": pattern("The line of sight is blocked."),
}


@tells("4.1.4")
def line_of_sight(finding: Finding) -> Message:
    if not isinstance(finding.result, str):
        return plain(finding)
    if finding.result in SIGHTS:
        return SIGHTS[finding.result]
    return say("The line of sight is {result}.", result=word(finding.result))


MARKERS: Final = {
    "move": pattern("{unit} loses its Spot/Move marker."),
    "fire": pattern("{unit} loses its Spot/Fire marker."),
    "fire-sa": pattern("{unit} loses its Spot/Fire SA marker."),
}


@tells("4.1.5")
def marker_removed(finding: Finding) -> Message:
    return fill(MARKERS[str(finding.inputs["marker"])], {"unit": finding.inputs["vehicle"]})


# --- commands and initiative ---------------------------------------------------------------------------------


@tells("4.2")
def command_phase(finding: Finding) -> Message:
    if finding.rule == "4.2":
        return say("Both sides have placed their commands for turn {turn}.", turn=finding.inputs["turn"])
    return say("{unit} is given {command}.", unit=finding.inputs["unit"], command=command(finding.result))


@tells("4.2.1")
def commands_placed(finding: Finding) -> Message:
    inputs = finding.inputs
    match finding.result:
        case "face-down":
            return say_n(
                "The {side} side has {n} counter face down.",
                "The {side} side has {n} counters face down.",
                n=len(inputs["units"]),
                side=side_term(inputs["side"]),
            )
        case "revealed":
            return say("{unit} reveals {command}.", unit=inputs["unit"], command=command(inputs["command"]))
        case "no-target":
            return say("{unit} has no target left and does not fire.", unit=inputs["unit"])
    if not finding.children:
        return say("You have given no commands.")
    return say("Your commands: {commands}.", commands=several(map(command_given, finding.children), "unit"))


def command_given(finding: Finding) -> Message:
    """A unit and the command it was given."""
    return say("{unit} {command}", unit=finding.inputs["unit"], command=command(finding.result))


@tells("4.3")
def initiative(finding: Finding) -> Message:
    determined = child(finding, "4.3.1")
    args = {"turn": finding.inputs["turn"], "side": side_term(finding.result)}
    if determined is None:
        return say("Initiative of turn {turn}: the {side} side is First Player.", **args)
    return say(
        "Initiative of turn {turn}: the {side} side is First Player ({rolls}; the {winner} side wins).",
        **args,
        rolls=rolls_of(determined),
        winner=side_term(determined.result),
    )


@tells("4.3.1")
def initiative_rolls(finding: Finding) -> Message:
    winner, rolls = side_term(finding.inputs["winner"]), rolls_of(finding)
    if finding.inputs["choice"] == "first":
        return say("{rolls}: the {winner} side wins and chooses to be first.", rolls=rolls, winner=winner)
    return say("{rolls}: the {winner} side wins and chooses to be second.", rolls=rolls, winner=winner)


def rolls_of(finding: Finding) -> Value:
    rolls = (
        say("{side} roll {roll}", side=side_term(roll.inputs["side"]), roll=data(roll.result))
        for roll in children(finding, "3.1")
    )
    return several(rolls, "unit")


@tells("4.3.2")
def players(finding: Finding) -> Message:
    fire, movement = (several(map(side_term, finding.inputs[what]), "unit") for what in ("fire", "movement"))
    return say("Order of fire: {fire}; order of movement: {movement}.", fire=fire, movement=movement)


@tells("3.1")
def own_roll(finding: Finding) -> Message:
    side = side_term(finding.inputs["side"])
    if finding.dice:
        return say("{side} roll {roll}.", side=side, roll=finding.dice[0])
    return say("The {side} side is active.", side=side)


@tells("3.2")
def reading(finding: Finding) -> Message:
    return say(
        "Tens {tens}, units {units}: {result}.",
        tens=data(finding.inputs["tens"]),
        units=data(finding.inputs["units"]),
        result=data(finding.result),
    )


# --- fire ----------------------------------------------------------------------------------------------------


@tells("4.4")
def combat_phase(finding: Finding) -> Message:
    if finding.inputs["player"] == "first":
        return say("{side} direct fire, First Player.", side=side_term(finding.inputs["side"]))
    return say("{side} direct fire, Second Player.", side=side_term(finding.inputs["side"]))


@tells("4.4.1", "4.4.2")
def fire(finding: Finding) -> Message:
    inputs = finding.inputs
    if "firers" in inputs:
        return group_fire(finding, [describe_shot(shot) for shot in finding.children if is_shot(shot)])
    if is_shot(finding):
        return say("{firer} is too late: the target is gone.", firer=inputs["firer"])
    if "firer" in inputs:
        return say("{firer} spots {target} now.", firer=inputs["firer"], target=inputs["target"])
    if "target" in inputs:
        if finding.result == "fired-on-overwatch":
            return say("{target} has fired on overwatch itself.", target=inputs["target"])
        return say("{target} has fired.", target=inputs["target"])
    if "replaces" in inputs:
        return say("{unit} gets a Spot/Fire marker.", unit=inputs["unit"])
    return say("{unit} is {result} at once.", unit=inputs["unit"], result=effect(finding.result))


def group_fire(finding: Finding, shots: list[Message]) -> Message:
    """4.4.1, 4.4.2 A group's fire with each of its shots."""
    firers = finding.inputs["firers"]
    args = {
        "n": len(firers),
        "firers": names(firers),
        "target": finding.inputs["target"],
        "shots": several(shots, "clauses"),
    }
    if finding.rule == "4.4.2":
        return agree(
            "{firers} fires at {target} on overwatch: {shots}.",
            "{firers} fire at {target} on overwatch: {shots}.",
            **args,
        )
    return agree("{firers} fires at {target}: {shots}.", "{firers} fire at {target}: {shots}.", **args)


def is_shot(finding: Finding) -> bool:
    """4.4.1 Whether this is a shot in a group's fire, fired or too late."""
    return finding.rule == "4.4.3.2" or finding.result == "too-late"


def describe_shot(shot: Finding) -> Message:
    """A shot in brief: firer, range, modifiers, roll and effect."""
    firer = shot.inputs["firer"]
    if shot.rule != "4.4.3.2":
        return say("{firer} {effect}", firer=firer, effect=EFFECTS["too-late"])
    said: list[Value] = [say("{firer} {range}", firer=firer, range=describe_range(shot) or "")]
    roll = child(shot, "4.4.3.2.3")
    if roll is not None:
        said.append(describe_roll(roll))
    if shot.result in EFFECTS and shot.result != "miss":
        said.append(describe_armour(shot))
    return say("{shot}", shot=several(said, "unit"))


def describe_range(shot: Finding) -> Message | None:
    distance, factor, net = (child(shot, rule) for rule in ("3.5", "4.4.3.2.1", "4.4.3.2.2"))
    if distance is None or factor is None or net is None:
        return None
    args = {"range": data(distance.result), "factor": data(factor.result), "net": Signed(net.result)}
    if net.modifiers:
        return say("range {range} ({factor}), net {net} ({rows})", **args, rows=rows(net))
    return say("range {range} ({factor}), net {net}", **args)


def describe_roll(roll: Finding) -> Message:
    """4.4.3.2.3 The number needed and the roll."""
    if not roll.dice:
        number = roll.inputs.get("hit_number", roll.result)
        return say("{number} or less", number=data(number)) if number else say("no chance to hit")
    args = {"number": data(roll.inputs["hit_number"]), "roll": roll.dice[0]}
    if roll.result == "hit":
        return say("{number} or less; rolled {roll}: hit", **args)
    if roll.result == "miss":
        return say("{number} or less; rolled {roll}: miss", **args)
    return say("{number} or less; rolled {roll}: {result}", **args, result=word(roll.result))


def describe_armour(shot: Finding) -> Message:
    """4.4.3.2.5 The effect of a hit, with armour and penetration if they were compared."""
    through = child(shot, "4.4.3.2.5")
    if through is None:
        return say("{effect}", effect=EFFECTS[shot.result])
    inputs = through.inputs
    return say(
        "{aspect} armour {armour}, penetration {penetration}: {effect}",
        aspect=word(inputs["aspect"]),
        armour=data(inputs["armour"]),
        penetration=data(inputs["penetration"]),
        effect=EFFECTS[shot.result],
    )


@tells("4.4.3.2")
def shot(finding: Finding) -> Message:
    return say(
        "{weapon} at {target}: {shot}.",
        weapon=finding.inputs["weapon"],
        target=finding.inputs["target"],
        shot=describe_shot(finding),
    )


@tells("4.4.3.1")
def field_of_fire(finding: Finding) -> Message:
    inputs = finding.inputs
    if "field" not in inputs:
        return plain(finding)
    args = {"turret": data(inputs["turret"]), "field": word(inputs["field"])}
    if finding.result:
        return say("The weapon (turret {turret}, field {field}) bears.", **args)
    return say("The weapon (turret {turret}, field {field}) does not bear.", **args)


@tells("4.4.3.2.1")
def range_factor(finding: Finding) -> Message:
    inputs = finding.inputs
    return say(
        "Range {range} is {factor} ({ranges}).",
        range=data(inputs["range"]),
        factor=data(finding.result),
        ranges=data(inputs["ranges"]),
    )


@tells("4.4.3.2.2")
def hit_modifiers(finding: Finding) -> Message:
    if finding.rule == "4.4.3.2.2":
        return say("Net modifier {net} ({rows}).", net=Signed(finding.result), rows=rows(finding))
    if finding.modifiers:
        return say("Modifiers: {rows}.", rows=rows(finding))
    if finding.result == "no-effect":
        return say("{unit} does not reveal its command.", unit=finding.inputs["unit"])
    if finding.result in COMMANDS:
        return say(
            "{unit} reveals {command} and counts as moving.",
            unit=finding.inputs["unit"],
            command=command(finding.result),
        )
    return plain(finding)


@tells("4.4.3.2.3")
def hit_roll(finding: Finding) -> Message:
    factor, net = finding.cell or ("", 0)
    return say(
        "Hit roll: {factor}, net {net}: {roll}.",
        factor=data(factor),
        net=Signed(finding.inputs.get("net", net)),
        roll=describe_roll(finding),
    )


@tells("4.4.3.2.4")
def hit_angle(finding: Finding) -> Message:
    if "chosen_by" in finding.inputs:
        return say(
            "The shot strikes the {aspect}, chosen by {chooser}.",
            aspect=word(finding.result),
            chooser=word(finding.inputs["chosen_by"]),
        )
    return say("The shot strikes the {aspect}.", aspect=word(finding.result))


@tells("4.4.3.2.5")
def penetration(finding: Finding) -> Message:
    inputs = finding.inputs
    args = {
        "penetration": data(inputs["penetration"]),
        "aspect": word(inputs["aspect"]),
        "armour": data(inputs["armour"]),
    }
    if finding.result:
        return say("Penetration {penetration} against {aspect} armour {armour}: it penetrates.", **args)
    return say("Penetration {penetration} against {aspect} armour {armour}: it does not penetrate.", **args)


@tells("4.4.3.2.6")
def damage(finding: Finding) -> Message:
    inputs = finding.inputs
    if "difference" in inputs:
        return say(
            "Penetration minus armour is {difference}: {effect}.",
            difference=Signed(inputs["difference"]),
            effect=effect(finding.result),
        )
    if "hex" in inputs:
        args = {"unit": inputs["unit"], "hex": inputs["hex"]}
        if finding.result.startswith("bu"):
            return say("{unit} is eliminated in {hex} and leaves a brewed-up wreck.", **args)
        return say("{unit} is eliminated in {hex} and leaves a knocked-out wreck.", **args)
    if "damaged_before" in inputs:
        if inputs["damaged_before"]:
            return say(
                "{unit} is damaged a second time: {effect}.", unit=inputs["unit"], effect=effect(finding.result)
            )
        return say("{unit} is {effect}.", unit=inputs["unit"], effect=effect(finding.result))
    return say("Effect: {effect}.", effect=effect(finding.result))


def cost_in_words(finding: Finding) -> Message:
    points = finding.result if type(finding.result) is int else 0
    return agree(
        "{cost} point, {spent} of {allowance} spent",
        "{cost} points, {spent} of {allowance} spent",
        n=points,
        cost=data(finding.result),
        spent=data(finding.inputs["spent"]),
        allowance=data(finding.inputs["allowance"]),
    )


# --- automatic answers ---------------------------------------------------------------------------------------


SOURCE: Final = {
    "plan": term("panzer source", "your orders"),
    "doctrine": term("panzer source", "your standing orders"),
    "default": term("panzer source", "the rules' default"),
}
