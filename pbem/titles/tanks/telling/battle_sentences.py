"""T5-T9 Movement, shooting and the Command Phase in sentences."""

from __future__ import annotations

from typing import Final

from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import (
    Message,
    fill,
    pattern,
    recorded,
    say,
    say_n,
    several,
)
from pbem.engine.text.sentences import data, names
from pbem.titles.tanks.telling.names import card_name, critical_name, modifier, side
from pbem.titles.tanks.telling.wording import at, describe_criticals, describe_hits, objection, rows, tells

# --- T5, T6 --------------------------------------------------------------------------------------------------


@tells("T5.1")
def move(finding: Finding) -> Message:
    inputs = finding.inputs
    return say(
        "{tank} moves in direction {way}° from {start} to {end}, heading {heading}°.",
        tank=inputs["tank"],
        way=inputs["way"],
        start=at(inputs["from"]),
        end=at(finding.result),
        heading=inputs["heading"],
    )


@tells("T5.2")
def allowance(finding: Finding) -> Message:
    inputs = finding.inputs
    if "why" in inputs:
        return objection(finding)
    return say_n(
        "{tank} makes {n} move (the limit is {allowed}).",
        "{tank} makes {n} moves (the limit is {allowed}).",
        n=inputs["moves"],
        tank=inputs["tank"],
        allowed=finding.result,
    )


@tells("T6.1", "T6.2", "T6.3", "T6.4")
def ground(finding: Finding) -> Message:
    inputs = finding.inputs
    if "why" in inputs:
        return objection(finding)
    if "wood" in inputs:
        return say("{wood} does not hinder {tank}.", wood=inputs["wood"], tank=inputs["tank"])
    if finding.rule == "T6.2":
        return say("{tank} is in cover: it is in a wood or at its edge.", tank=inputs["tank"])
    return say("{piece} is impassable.", piece=inputs.get("by", inputs.get("tank")))


@tells("T5.3")
def speed(finding: Finding) -> Message:
    if finding.inputs["stationary"]:
        return say("{tank} is stationary.", tank=finding.inputs["tank"])
    return say("{tank} has speed {speed}.", tank=finding.inputs["tank"], speed=finding.result)


@tells("T5.4", "T5.5")
def stop(finding: Finding) -> Message:
    inputs = finding.inputs
    if "why" in inputs:
        return objection(finding)
    if "aside" in inputs:
        return say("{tank} is placed slightly to one side, because it would touch an obstacle.", tank=inputs["tank"])
    return say("{tank} stops at {obstacle}.", tank=inputs["tank"], obstacle=inputs["by"])


@tells("T6.5")
def whole_card(finding: Finding) -> Message:
    return say(
        "The whole of {piece} counts as terrain; its corners are {corners}.",
        piece=finding.inputs["piece"],
        corners=several(map(at, finding.result)),
    )


# --- T7 ------------------------------------------------------------------------------------------------------


@tells("T7.1")
def target(finding: Finding) -> Message:
    inputs = finding.inputs
    if "targets" in inputs:
        return say("{tank} was ordered to shoot at {targets}.", tank=inputs["tank"], targets=names(inputs["targets"]))
    if finding.result == "not possible":
        return say(
            "{tank} can no longer shoot at any of its targets, so its owner is asked again.", tank=inputs["tank"]
        )
    return say("{shooter} shoots at {target}.", shooter=inputs["shooter"], target=inputs["target"])


@tells("T7.2")
def sight(finding: Finding) -> Message:
    if "why" in finding.inputs:
        return objection(finding)
    if finding.inputs["front"]:
        return say("The target is seen from the front of the hull at {place}.", place=at(finding.inputs["from"]))
    return say("The target is seen from the turret at {place}.", place=at(finding.inputs["from"]))


@tells("T7.3")
def arc(finding: Finding) -> Message:
    if finding.inputs["arc"] == "forward":
        return say("The target is in arc (ahead of the hull).")
    return say("The target is in arc (any direction).")


@tells("T7.4")
def attack(finding: Finding) -> Message:
    inputs = finding.inputs
    if finding.dice or isinstance(finding.result, dict):
        return say(
            "Attack dice {dice}: {hits}, {criticals}.",
            dice=data(finding.dice),
            hits=describe_hits(finding.result["hits"]),
            criticals=describe_criticals(finding.result["criticals"]),
        )
    return say_n(
        "{shooter} rolls {n} attack die (attack {attack}; modifiers: {rows}).",
        "{shooter} rolls {n} attack dice (attack {attack}; modifiers: {rows}).",
        n=finding.result,
        shooter=inputs["shooter"],
        attack=inputs["attack"],
        rows=rows(finding),
    )


@tells("T7.5", "T9.6")
def again(finding: Finding) -> Message:
    inputs = finding.inputs
    if "kept" in inputs:
        return say_n(
            "{tank} has not moved, so it rerolls {n} die and keeps {kept}.",
            "{tank} has not moved, so it rerolls {n} dice and keeps {kept}.",
            n=len(inputs["dice"]),
            tank=inputs["tank"],
            kept=data(inputs["kept"]),
        )
    return say_n(
        "{tank} has not moved, so it rerolls {n} die.",
        "{tank} has not moved, so it rerolls {n} dice.",
        n=len(inputs["dice"]),
        tank=inputs["tank"],
    )


@tells("T7.6")
def defence(finding: Finding) -> Message:
    inputs, result = finding.inputs, finding.result
    if isinstance(result, dict):
        if not finding.dice:
            return say("{target} rolls no defence dice.", target=inputs["target"])
        return say(
            "Defence dice {dice}: the shooter cancels {shooter}, the target cancels {target}.",
            dice=data(finding.dice),
            shooter=result["shooter cancels"],
            target=result["target cancels"],
        )
    return say_n(
        "{target} rolls {n} defence die (defence {defence}; modifiers: {rows}).",
        "{target} rolls {n} defence dice (defence {defence}; modifiers: {rows}).",
        n=result,
        target=inputs["target"],
        defence=inputs["defence"],
        rows=rows(finding),
    )


@tells("T7.7")
def cover(finding: Finding) -> Message:
    hidden = finding.inputs["hidden"]
    if finding.result:
        return say_n(
            "{n} corner is hidden: the target is in cover.",
            "{n} corners are hidden: the target is in cover.",
            n=hidden,
        )
    return say_n(
        "{n} corner is hidden: the target is not in cover.",
        "{n} corners are hidden: the target is not in cover.",
        n=hidden,
    )


@tells("T7.8")
def nearness(finding: Finding) -> Message:
    return say("The shot is at close range.") if finding.result else say("The shot is not at close range.")


@tells("T7.9")
def side_shot(finding: Finding) -> Message:
    return say("This is a side shot.") if finding.result else say("This is not a side shot.")


@tells("T7.10")
def cancelling(finding: Finding) -> Message:
    hits, criticals = describe_hits(finding.result["hits"]), describe_criticals(finding.result["criticals"])
    if "by" in finding.inputs:
        return say(
            "{tank} cancels {hits} and {criticals}.", tank=finding.inputs["by"], hits=hits, criticals=criticals
        )
    return say(
        "{hits} and {criticals} remain against {target}.",
        target=finding.inputs["target"],
        hits=hits,
        criticals=criticals,
    )


@tells("T7.11")
def damage(finding: Finding) -> Message:
    inputs = finding.inputs
    if "deck" in inputs:
        return say(
            "{tank} draws card {number} of {deck}: {critical}.",
            tank=inputs["tank"],
            number=finding.dice[0],
            deck=sum(count for _, count in inputs["deck"]),
            critical=critical_name(finding.result),
        )
    if finding.result == "stays":
        return say(
            "{critical} stays with {tank} until it is repaired.",
            critical=critical_name(inputs["critical"]),
            tank=inputs["tank"],
        )
    if "critical" in inputs:
        return say("{tank} suffers {critical}.", tank=inputs["tank"], critical=critical_name(inputs["critical"]))
    cards = say_n("{n} critical card", "{n} critical cards", n=inputs["criticals"])
    return say(
        "{target} takes {damage} damage and {cards}.", target=inputs["target"], damage=finding.result, cards=cards
    )


FURY: Final = {
    "still shoots": pattern("{tank} has taken as much damage as it can, but still shoots."),
    "out at the end of the turn": pattern(
        "{tank} has taken as much damage as it can: it will be out of play at the end of the turn."
    ),
}


@tells("T7.12")
def final_fury(finding: Finding) -> Message:
    return fill(FURY[finding.result], finding.inputs)


# --- T8, T9 --------------------------------------------------------------------------------------------------


@tells("T8.1")
def destruction(finding: Finding) -> Message:
    return say("{tank} is destroyed; its wreck stays on the table.", tank=finding.inputs["tank"])


@tells("T8.2")
def victory(finding: Finding) -> Message:
    inputs, result = finding.inputs, finding.result
    if "objective" in inputs:
        args = {"objective": inputs["objective"], "turns": inputs["turns"], "needed": inputs["needed"]}
        if result == "nobody":
            return say("No side holds objective {objective}.", objective=inputs["objective"])
        return say("Objective {objective} is held by {side}, turn {turns} of {needed}.", side=side(result), **args)
    if "why" in inputs:
        why = recorded(inputs["why"])
        if result == "draw":
            return say("The match is over: {why}. It is a draw.", why=why)
        return say("The match is over: {why}. {side} wins.", why=why, side=side(result))
    left = several(say("{side} {tanks}", side=side(seat), tanks=count) for seat, count in inputs["left"].items())
    return say("Tanks left: {left}. The battle continues.", left=left)


REPAIRS: Final = {
    ("repaired", True): pattern("{tank} rolls {dice} to repair {critical}, {needed} or more needed: repaired."),
    ("not repaired", True): pattern(
        "{tank} rolls {dice} to repair {critical}, {needed} or more needed: not repaired."
    ),
    ("repaired", False): pattern("{tank} repairs {critical} with {card}."),
    ("not repaired", False): pattern("{tank} cannot repair {critical} with {card}."),
}


@tells("T8.3")
def repair(finding: Finding) -> Message:
    inputs = finding.inputs
    args = {
        "tank": inputs["tank"],
        "critical": critical_name(inputs["critical"]),
        "dice": data(finding.dice),
        "needed": inputs.get("needed", 0),
        "card": card_name(inputs.get("card", "")),
    }
    return fill(REPAIRS[finding.result, bool(finding.dice)], args)


@tells("T8.4")
def reset(finding: Finding) -> Message:
    back = finding.inputs["shuffled"]
    return say_n(
        "Speed tokens are removed; {n} critical card goes back into the deck, which now has {deck}.",
        "Speed tokens are removed; {n} critical cards go back into the deck, which now has {deck}.",
        n=back,
        deck=finding.result,
    )


@tells("T9.1")
def assault_gun(finding: Finding) -> Message:
    return say("{tank} is an Assault Gun and can shoot only forward.", tank=finding.inputs["tank"])


@tells("T9.4")
def fast(finding: Finding) -> Message:
    return say_n(
        "{tank} is Fast: it can make {n} move.",
        "{tank} is Fast: it can make {n} moves.",
        n=finding.result,
        tank=finding.inputs["tank"],
    )


@tells("T9.5")
def gung_ho(finding: Finding) -> Message:
    return say(
        "Gung Ho: the shooter's speed {speed} counts as {counted}.",
        speed=finding.inputs["speed"],
        counted=finding.result,
    )


@tells("T9.2")
def blitzkrieg(finding: Finding) -> Message:
    if finding.result == "not possible":
        return say("{tank} uses Blitzkrieg, but its move is not possible.", tank=finding.inputs["tank"])
    return say("{tank} uses Blitzkrieg: it moves instead of repairing.", tank=finding.inputs["tank"])


@tells("T9.3")
def coordination(finding: Finding) -> Message:
    return say(
        "{tank} is {coordinated}, so it rolls one more die.",
        tank=finding.inputs["tank"],
        coordinated=modifier(finding.inputs["text"]),
    )
