"""4.5, 4.6 Movement and the end of a turn in sentences."""

from __future__ import annotations

from typing import Final

from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import (
    Message,
    fill,
    pattern,
    recorded,
    say,
    several,
    term,
)
from pbem.engine.text.sentences import data, plain
from pbem.titles.panzer.telling.basic_sentences import command_given, cost_in_words, tells
from pbem.titles.panzer.telling.words.codes import command, word
from pbem.titles.panzer.telling.words.sides import side_term

STEPS: Final = {
    "f": pattern("{unit} drives to {hex} ({spent})."),
    "b": pattern("{unit} reverses to {hex} ({spent})."),
    "l": pattern("{unit} turns left in {hex} ({spent})."),
    "r": pattern("{unit} turns right in {hex} ({spent})."),
}


# --- movement ------------------------------------------------------------------------------------------------


@tells("4.5")
def movement_phase(finding: Finding) -> Message:
    inputs = finding.inputs
    if finding.rule == "4.5" and "player" in inputs:
        if inputs["player"] == "first":
            return say("{side} movement, First Player.", side=side_term(inputs["side"]))
        return say("{side} movement, Second Player.", side=side_term(inputs["side"]))
    if finding.result == "moves":
        return say("{target} is moving.", target=inputs["target"])
    if "order" in inputs:
        return say("Order of movement: {units}.", units=several(map(side_term, inputs["order"]), "unit"))
    return plain(finding)


@tells("4.5.1")
def spot_move(finding: Finding) -> Message:
    return say("{unit} gets a Spot/Move marker.", unit=finding.inputs["unit"])


@tells("4.5.1.1")
def move(finding: Finding) -> Message:
    inputs = finding.inputs
    match finding.result:
        case "unfinished":
            return say(
                "{unit} {order}: failed, {why} ({rule}).",
                unit=inputs["unit"],
                order=inputs["order"],
                why=recorded(inputs["why"]),
                rule=inputs["by"],
            )
        case "begins":
            return move_begins(finding)
        case "ends":
            return say(
                "{unit} ends its move in {hex}, facing {facing}.",
                unit=inputs["unit"],
                hex=inputs["hex"],
                facing=inputs["facing"],
            )
    why = several((recorded(str(reason.result)) for reason in finding.children), "clauses")
    if not finding.result:
        return say("{unit} cannot continue as ordered ({why}): it does nothing more.", unit=inputs["unit"], why=why)
    return say(
        "{unit} cannot continue as ordered ({why}): it carries out {steps}.",
        unit=inputs["unit"],
        why=why,
        steps=" ".join(finding.result),
    )


def move_begins(finding: Finding) -> Message:
    inputs = finding.inputs
    args = {"unit": inputs["unit"], "command": command(inputs["command"])}
    if inputs["hex"]:
        said = say("{unit} ({command}) begins to move in {hex}", **args, hex=inputs["hex"])
    else:
        said = say("{unit} ({command}) begins to move from off the map", **args)
    if inputs["mode"] == "road":
        return say("{move} at the path or road rate.", move=said)
    return say("{move}.", move=said)


@tells("4.5.1.1.1")
def allowance(finding: Finding) -> Message:
    inputs = finding.inputs
    if isinstance(finding.result, dict):
        usable = "/".join(str(finding.result[rate]) for rate in ("cross", "path", "road"))
        return say(
            "Movement of {unit} ({factor}): {points} points across country, by path and by road.",
            unit=inputs["unit"],
            factor=data(inputs["factor"]),
            points=usable,
        )
    return say(
        "{unit} is damaged: {left} of {before} movement points are left.",
        unit=inputs["unit"],
        left=data(finding.result),
        before=data(inputs["left"]),
    )


@tells("4.5.1.1.2", "4.5.1.1.3", "4.5.1.1.4", "4.5.1.1.5")
def step(finding: Finding) -> Message:
    inputs = finding.inputs
    if "step" in inputs:
        args = {"unit": inputs["unit"], "hex": inputs["hex"], "spent": cost_in_words(finding)}
        if inputs["step"] in STEPS:
            return fill(STEPS[inputs["step"]], args)
        return say("{unit} goes to {hex} ({spent}).", **args)
    if "what" in inputs:
        return say("Movement points ({what}): {points}.", what=word(inputs["what"]), points=data(finding.result))
    if not inputs and isinstance(finding.result, str):
        return say("The unit cannot continue: {why}.", why=recorded(finding.result))
    return plain(finding)


@tells("4.5.1.1.7")
def reverse(finding: Finding) -> Message:
    return say(
        "Reversing costs {times} times as much: {points}.",
        times=data(finding.inputs["times"]),
        points=data(finding.result),
    )


@tells("4.5.1.1.8")
def no_move(finding: Finding) -> Message:
    inputs = finding.inputs
    return say(
        "{unit} stays in {hex}, facing {facing}: it does not move.",
        unit=inputs["unit"],
        hex=inputs["hex"],
        facing=inputs["facing"],
    )


EDGES: Final = {
    "north": pattern("{unit} leaves the map by the north edge ({spent})."),
    "east": pattern("{unit} leaves the map by the east edge ({spent})."),
    "south": pattern("{unit} leaves the map by the south edge ({spent})."),
    "west": pattern("{unit} leaves the map by the west edge ({spent})."),
}


@tells("4.5.1.1.9")
def leaves(finding: Finding) -> Message:
    if "edge" not in finding.inputs:
        return plain(finding)
    return fill(EDGES[finding.inputs["edge"]], {"unit": finding.inputs["unit"], "spent": cost_in_words(finding)})


@tells("4.5.1.1.10")
def makes_room(finding: Finding) -> Message:
    inputs = finding.inputs
    if "what" in inputs or "unit" not in inputs:
        return plain(finding)
    if finding.result:
        return say(
            "{unit} cannot stay with an enemy in {hex} and goes back to {back}.",
            unit=inputs["unit"],
            hex=inputs["hex"],
            back=finding.result,
        )
    return say(
        "{unit} cannot stay with an enemy in {hex} and goes back off the map.", unit=inputs["unit"], hex=inputs["hex"]
    )


# --- the end of the turn -------------------------------------------------------------------------------------


@tells("4.6")
def adjustment_phase(finding: Finding) -> Message:
    return say("End of turn {turn}.", turn=finding.inputs["turn"])


@tells("4.6.1")
def counters(finding: Finding) -> Message:
    inputs = finding.inputs
    if finding.result == "revealed":
        hidden = [command_given(found) for found in finding.children if "command" not in found.inputs]
        if not hidden:
            return say("No counters are revealed.")
        return say("Counters revealed: {counters}.", counters=several(hidden, "unit"))
    if "command" in inputs:
        args = {"unit": inputs["unit"], "command": command(inputs["command"])}
        if finding.result == "fire":
            return say("{unit} has not used its {command} and gets a Spot/Fire marker.", **args)
        return say("{unit} has not used its {command} and gets a Spot/Move marker.", **args)
    return say("{unit} had {command}.", unit=inputs["unit"], command=command(finding.result))


@tells("3.6")
def objective(finding: Finding) -> Message:
    inputs = finding.inputs
    if "before" in inputs:
        return objective_holder(finding)
    if "side" in inputs:
        return victory_points(finding)
    neither = term("panzer side", "neither side")
    start = side_term(inputs["held_at_start"]) if inputs["held_at_start"] else neither
    end = several(map(side_term, inputs["held_at_end"])) if inputs["held_at_end"] else neither
    return say(
        "Objective {objective} was occupied at the start of the turn by {start}, and at the end by {end}.",
        objective=inputs["objective"],
        start=start,
        end=end,
    )


def victory_points(finding: Finding) -> Message:
    """R-04 A side's points, by their source."""
    inputs = finding.inputs
    args = {
        "side": side_term(inputs["side"]),
        "points": data(finding.result),
        "objectives": data(inputs["objectives"]),
        "eliminated": data(inputs["eliminated"]),
        "exited": data(inputs["exited"]),
    }
    if "start" in inputs:
        return say(
            "The {side} side has {points} points (starting points {start}, objectives {objectives}, "
            "eliminated {eliminated}, exited {exited}).",
            start=data(inputs["start"]),
            **args,
        )
    return say(
        "The {side} side has {points} points (objectives {objectives}, eliminated {eliminated}, exited {exited}).",
        **args,
    )


def objective_holder(finding: Finding) -> Message:
    """3.6 The side that holds an objective."""
    same, name = finding.result == finding.inputs["before"], finding.inputs["objective"]
    if finding.result:
        side = side_term(finding.result)
        if same:
            return say("Objective {objective} is still held by the {side} side.", objective=name, side=side)
        return say("Objective {objective} is now held by the {side} side.", objective=name, side=side)
    if same:
        return say("Objective {objective} is still not held.", objective=name)
    return say("Objective {objective} is no longer held.", objective=name)


LEVELS: Final = {
    "a clear victory": term("panzer level", "a clear victory"),
    "a narrow victory": term("panzer level", "a narrow victory"),
}


@tells("4.6.2")
def end_of_turn(finding: Finding) -> Message:
    if finding.result == "next-turn":
        return say("Turn {turn} begins.", turn=finding.inputs["turn"])
    points = several(
        (
            say("{side} {points}", side=side_term(found.inputs["side"]), points=data(found.result))
            for found in finding.children
        ),
        "unit",
    )
    if not finding.result:
        return say("The match is over: a draw ({points}).", points=points)
    level = finding.inputs.get("level")
    if level:
        return say(
            "The match is over: the {side} side wins {level} ({points}).",
            side=side_term(finding.result),
            level=LEVELS.get(level) or recorded(level),
            points=points,
        )
    return say("The match is over: the {side} side wins ({points}).", side=side_term(finding.result), points=points)
