"""T1-T4 The course of a turn, the set-up and the cards in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pbem.engine.play.resolve import ANSWERED
from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import (
    Message,
    Name,
    Signed,
    agree,
    fill,
    named,
    pattern,
    recorded,
    say,
    say_n,
    several,
    term,
)
from pbem.engine.text.sentences import data, names, plain
from pbem.titles.tanks.player.orders import MoveOrder, read_as
from pbem.titles.tanks.player.words import write_leg
from pbem.titles.tanks.telling.names import card_name, country, critical_name, edge, keyword, side
from pbem.titles.tanks.telling.wording import at, describe_criticals, describe_hits, tells

# --- T1, T3 --------------------------------------------------------------------------------------------------


SOURCES: Final = {
    "plan": term("tanks source", "your orders"),
    "doctrine": term("tanks source", "your standing orders"),
    "default": term("tanks source", "the rules' default"),
}
"""Where an automatic answer came from."""


@tells(ANSWERED)
def answer(finding: Finding) -> Message:
    inputs = finding.inputs
    about = Name(f"{inputs['kind']} {inputs['subject']}".strip())
    by = SOURCES[inputs["source"]]
    if inputs["clause"]:
        by = say("{source} (“{clause}”)", source=by, clause=inputs["clause"])
    if passed := inputs.get("passed"):
        reasons = several(map(recorded, passed), "clauses")
        return say(
            "{about}, answered by {by}: {result} ({reasons}).",
            about=about,
            by=by,
            result=data(finding.result),
            reasons=reasons,
        )
    return say("{about}, answered by {by}: {result}.", about=about, by=by, result=data(finding.result))


@tells("T1.1", "T1.2")
def sequence(finding: Finding) -> Message:
    inputs = finding.inputs
    if "initiative" in inputs:
        order = several(Name(f"{tank} ({inputs['initiative'][tank]})") for tank in finding.result)
        if finding.rule == "T1.1":
            return say("Turn {turn}: tanks move in the order {order}.", turn=inputs["turn"], order=order)
        return say("Turn {turn}: tanks shoot in the order {order}.", turn=inputs["turn"], order=order)
    if "order" in inputs:
        return say("{tank} was ordered: {order}.", tank=inputs["tank"], order=order_of(inputs["order"]))
    if finding.result == "not possible":
        return say("{tank} can no longer carry out its order, so its owner is asked again.", tank=inputs["tank"])
    card, friend = card_name(inputs["card"]), inputs["from"]
    return say(
        "{tank} is helped by the {card} of {friend}: initiative {change}.",
        tank=inputs["tank"],
        card=card,
        friend=friend,
        change=Signed(finding.result),
    )


def order_of(order: Mapping[str, Any]) -> str:
    """T5 The moves of an order as players write them, in short form."""
    given = read_as(order, MoveOrder, "move")
    if given.tactic is not None:
        return f"{given.tactic} {given.prey}".strip()
    return " then ".join(f"move {write_leg(move)}" for move in given.moves) or "stay"


TIES: Final = {
    "attacker counts as the higher": pattern(
        "{tanks} tie at initiative {initiative}: the attacker counts as higher."
    ),
    "the owner chooses": pattern("{tanks} tie at initiative {initiative}: their owner chooses."),
}


@tells("T1.3")
def tie(finding: Finding) -> Message:
    args = {"tanks": names(finding.inputs["tanks"]), "initiative": finding.inputs["initiative"]}
    return fill(TIES[finding.result], args)


STEPS: Final = {
    "destroy": term("tanks step", "destruction"),
    "victory": term("tanks step", "victory"),
    "repair": term("tanks step", "repairs"),
    "reset": term("tanks step", "reset"),
}
"""T1.4 The steps of the Command Phase."""


@tells("T1.4")
def command_order(finding: Finding) -> Message:
    steps = several([STEPS.get(step, step) for step in finding.result])
    return say("Command Phase of turn {turn}: {steps}.", turn=finding.inputs["turn"], steps=steps)


KINDS: Final = {
    "wood": term("tanks terrain", "wood"),
    "building": term("tanks terrain", "building"),
    "impassable": term("tanks terrain", "piece of impassable ground"),
}


@tells("T3.1")
def terrain(finding: Finding) -> Message:
    inputs = finding.inputs
    if finding.dice:
        return say(
            "Rolled {dice}: {side} places the first piece.", dice=data(finding.dice), side=side(finding.result)
        )
    if "rest" in inputs:
        return agree(
            "Your {kind} at {place} would leave no room for the piece that is still to be placed.",
            "Your {kind} at {place} would leave no room for the {count} pieces that are still to be placed.",
            n=inputs["rest"],
            count=inputs["rest"],
            kind=KINDS.get(inputs["kind"], inputs["kind"]),
            place=at(inputs["at"]),
        )
    if "piece" not in inputs:
        return say("No room is left for another {kind}.", kind=KINDS.get(inputs["kind"], inputs["kind"]))
    piece, place = inputs["piece"], at(finding.result)
    if inputs["by"] == "the scenario":
        return say("The scenario places {piece} at {place}.", piece=piece, place=place)
    return say("{side} places {piece} at {place}.", side=side(inputs["by"]), piece=piece, place=place)


@tells("T3.2")
def roles(finding: Finding) -> Message:
    if finding.dice:
        return say("Rolled {dice}: {side} chooses its role.", dice=data(finding.dice), side=side(finding.result))
    edges = several(
        say("{side} {edge}", side=side(seat), edge=edge(where)) for seat, where in finding.inputs["edges"].items()
    )
    return say("{side} attacks; edges: {edges}.", side=side(finding.result["attacker"]), edges=edges)


@tells("T3.3")
def deployment(finding: Finding) -> Message:
    inputs = finding.inputs
    return say(
        "{tank} is deployed at {place}, heading {heading}°.",
        tank=inputs["tank"],
        place=at(finding.result),
        heading=inputs["heading"],
    )


# --- T2, T4 --------------------------------------------------------------------------------------------------


@tells("T2.1")
def tank_card(finding: Finding) -> Message:
    inputs = finding.inputs
    values = say(
        "initiative {initiative}, attack {attack}, defence {defence}, hull {hull}",
        initiative=inputs["initiative"],
        attack=inputs["attack"],
        defence=inputs["defence"],
        hull=inputs["hull"],
    )
    if not inputs["keywords"]:
        return say("{tank} is a {name}: {values}.", tank=inputs["tank"], name=inputs["name"], values=values)
    keywords = several(map(keyword, inputs["keywords"]))
    return say(
        "{tank} is a {name}: {values}, {keywords}.",
        tank=inputs["tank"],
        name=inputs["name"],
        values=values,
        keywords=keywords,
    )


CARDS: Final = {
    "discarded": pattern("{tank} discards {card}."),
    "rolled again": pattern("{tank} rerolls dice with {card}."),
    "lost": pattern("{tank} loses {card}."),
    "kept": pattern("{tank} keeps {card}."),
    "not possible": pattern("{tank} cannot use {card} as ordered."),
}
"""T2.2 The sentences about what happens to a card."""


@tells("T2.2")
def card(finding: Finding) -> Message:
    inputs, result = finding.inputs, finding.result
    if "text" in inputs:
        about: dict[str, object] = {
            "name": named("tanks card", inputs["name"]),
            "type": named("tanks card type", inputs["type"]),
        }
        points = say_n("{n} point", "{n} points", n=result)
        return say("{name} ({type}, {points}): {text}", **about, points=points, text=named("card", inputs["text"]))
    if "cards" in inputs:
        choice = several(map(critical_name, inputs["cards"]), "or")
        return say(
            "{tank} draws {card} (the choice was {choice}).",
            tank=inputs["tank"],
            choice=choice,
            card=critical_name(result),
        )
    if "card" not in inputs:
        return plain(finding)
    args: dict[str, object] = {"card": card_name(inputs["card"]), "tank": inputs["tank"]}
    if isinstance(result, dict):
        return say(
            "{tank} uses {card}: {hits} and {criticals}.",
            **args,
            hits=describe_hits(result["hits"]),
            criticals=describe_criticals(result["criticals"]),
        )
    if str(result) in CARDS:
        return fill(CARDS[str(result)], args)
    return say("{tank}, {card}: {result}.", **args, result=data(result))


@tells("T2.3")
def critical(finding: Finding) -> Message:
    inputs = finding.inputs
    if "by" in inputs:
        return say(
            "{tank} cancels {critical} with {card}.",
            critical=critical_name(inputs["critical"]),
            tank=inputs["tank"],
            card=card_name(inputs["by"]),
        )
    if "name" not in inputs:
        return say("{tank} burns: {damage} damage.", tank=inputs["tank"], damage=finding.result)
    stays = say("The card stays until it is repaired.") if finding.result["stays"] else say("The card is discarded.")
    effect = [named("card", inputs["text"])] if inputs["text"] else []
    name, damage = named("tanks critical", inputs["name"]), finding.result["damage"]
    return say(
        "{name}: {damage} damage. {effect}", name=name, damage=damage, effect=several([*effect, stays], "sentences")
    )


@tells("T2.4")
def face_up(finding: Finding) -> Message:
    tank = finding.inputs["tank"]
    if finding.result == "face-up":
        return say("{tank} turns {card} face up.", tank=tank, card=card_name(finding.inputs["card"]))
    if not finding.result:
        return say("{tank} has no cards.", tank=tank)
    return say_n(
        "{tank} has {n} card face down (points: {points}).",
        "{tank} has {n} cards face down (points: {points}).",
        n=len(finding.result),
        tank=tank,
        points=data(finding.result),
    )


TOKENS: Final = {
    "identification": pattern("{tank} has its identification token."),
    "destroyed": pattern("{tank} has its destroyed token."),
}


@tells("T2.5")
def token(finding: Finding) -> Message:
    inputs = finding.inputs
    match inputs["token"]:
        case "damage":
            return say(
                "{tank} has taken {damage} of {hull} damage.",
                tank=inputs["tank"],
                damage=finding.result,
                hull=inputs["of"],
            )
        case "speed" if finding.result:
            return say("{tank} gets speed token {speed}.", tank=inputs["tank"], speed=finding.result)
        case "speed":
            return say("{tank} loses its speed token.", tank=inputs["tank"])
        case "objective":
            return say("Objective {objective} is at {place}.", objective=finding.result, place=at(inputs["at"]))
        case other:
            return fill(TOKENS[other], inputs)


@tells("T4.1")
def platoon(finding: Finding) -> Message:
    return say(
        "{side}'s platoon costs {points} points; the limit is {limit}.",
        side=side(finding.inputs["seat"]),
        points=finding.result,
        limit=finding.inputs["limit"],
    )


@tells("T4.2")
def nation(finding: Finding) -> Message:
    return say(
        "{side}'s platoon is from {country}.", side=side(finding.inputs["seat"]), country=country(finding.result)
    )


@tells("T4.3")
def tell_fielded(finding: Finding) -> Message:
    return say_n(
        "{side}'s platoon has {n} tank.",
        "{side}'s platoon has {n} tanks.",
        n=finding.result,
        side=side(finding.inputs["seat"]),
    )
