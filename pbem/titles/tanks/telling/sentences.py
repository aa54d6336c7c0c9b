"""Findings in words: one sentence each, with its rule, its modifiers and its dice.

    tell        one sentence for a finding
    tell_tree   the finding and its children, indented

Everything in a finding is data; findings without a sentence of their own are listed plainly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pbem.engine.play.resolve import ANSWERED
from pbem.engine.rules.findings import Finding
from pbem.engine.text.sentences import Telling, listed, modifiers_of, plainly, value
from pbem.titles.tanks.data_set import SEATS
from pbem.titles.tanks.player.orders import MoveOrder, read_as
from pbem.titles.tanks.player.words import leg_said, mm

TELLING: Final = Telling()
tells, tell, tell_tree = TELLING.tells, TELLING.tell, TELLING.tell_tree


# --- words ---------------------------------------------------------------------------------------------------


def at(point: Any) -> str:
    """A place in millimetres from the north-west corner."""
    return f"{mm(point[0])}/{mm(point[1])}"


def number(count: int, one: str) -> str:
    many = one[:-1] + "ies" if one.endswith("y") else one + "s"
    return f"{count} {one if count == 1 else many}"


# --- T1, T3 --------------------------------------------------------------------------------------------------


@tells(ANSWERED)
def answer(finding: Finding) -> str:
    inputs = finding.inputs
    about = f"{inputs['kind']} {inputs['subject']}".strip()
    passed = f" ({'; '.join(inputs['passed'])})" if inputs.get("passed") else ""
    by = f"{inputs['source']} «{inputs['clause']}»" if inputs["clause"] else inputs["source"]
    return f"{about} was answered by {by}: {value(finding.result)}{passed}"


@tells("T1.1", "T1.2")
def sequence(finding: Finding) -> str:
    inputs = finding.inputs
    if "initiative" in inputs:
        what = "move" if finding.rule == "T1.1" else "shoot"
        order = listed(f"{tank} ({inputs['initiative'][tank]})" for tank in finding.result)
        return f"turn {inputs['turn']}: tanks {what} in the order {order}"
    if "order" in inputs:
        return f"{inputs['tank']} was ordered: {order_of(inputs['order'])}"
    if finding.result == "not possible":
        return f"{inputs['tank']} can no longer carry out its order, and its owner decides again"
    return f"{inputs['tank']} is helped by {inputs['card']} of {inputs['from']}: initiative {finding.result:+d}"


def order_of(order: Mapping[str, Any]) -> str:
    """T5 The moves of an order in short."""
    given = read_as(order, MoveOrder, "move")
    if given.tactic is not None:
        return f"{given.tactic} {given.prey}".strip()
    return " then ".join(f"move {leg_said(move)}" for move in given.moves) or "stay"


@tells("T1.3")
def tie(finding: Finding) -> str:
    return f"{listed(finding.inputs['tanks'])} tie at initiative {finding.inputs['initiative']}: {finding.result}"


@tells("T1.4")
def command_order(finding: Finding) -> str:
    return f"Command Phase of turn {finding.inputs['turn']}: {value(finding.result)}"


@tells("T3.1")
def terrain(finding: Finding) -> str:
    inputs = finding.inputs
    if finding.dice:
        return f"rolled {value(finding.dice)}: {named(finding.result)} places the first piece"
    if "rest" in inputs:
        left = inputs["rest"]
        pieces = "the piece" if left == 1 else f"the {left} pieces"
        return f"your {inputs['kind']} at {at(inputs['at'])} would leave no room for {pieces} still to come"
    if "piece" not in inputs:
        return f"no room is left for a {inputs['kind']}"
    return f"{inputs['piece']} lies at {at(finding.result)}, placed by {named(inputs['by'])}"


def named(word: str) -> str:
    """Return the name of a side, and any other word unchanged."""
    return word.capitalize() if word in SEATS else word


@tells("T3.2")
def roles(finding: Finding) -> str:
    if finding.dice:
        return f"rolled {value(finding.dice)}: {named(finding.result)} chooses"
    edges = listed(f"{named(seat)} {edge}" for seat, edge in finding.inputs["edges"].items())
    return f"{named(finding.result['attacker'])} attacks; edges: {edges}"


@tells("T3.3")
def deployment(finding: Finding) -> str:
    return f"{finding.inputs['tank']} is deployed at {at(finding.result)}, heading {finding.inputs['heading']}"


# --- T2, T4 --------------------------------------------------------------------------------------------------


@tells("T2.1")
def tank_card(finding: Finding) -> str:
    inputs = finding.inputs
    values = ", ".join(f"{name} {inputs[name]}" for name in ("initiative", "attack", "defence", "hull"))
    keywords = f", {listed(inputs['keywords'])}" if inputs["keywords"] else ""
    return f"{inputs['tank']} is a {inputs['name']}: {values}{keywords}"


@tells("T2.2")
def card(finding: Finding) -> str:
    inputs = finding.inputs
    if "text" in inputs:
        return f"{inputs['name']} ({inputs['type']}, {number(finding.result, 'point')}): {inputs['text'].rstrip('.')}"
    if "cards" in inputs:
        return f"{inputs['tank']} may choose from {listed(inputs['cards'])}: {finding.result}"
    if "card" in inputs:
        return f"{inputs['card']} of {inputs['tank']}: {value(finding.result)}"
    return plainly(finding)


@tells("T2.3")
def critical(finding: Finding) -> str:
    inputs = finding.inputs
    if "name" in inputs:
        stays = "stays until repaired" if finding.result["stays"] else "is discarded"
        effect = f" {inputs['text']}" if inputs["text"] else ""
        return f"{inputs['name']}: {finding.result['damage']} damage.{effect} It {stays}"
    if "by" in inputs:
        return f"{inputs['critical']} of {inputs['tank']} is cancelled by {inputs['by']}"
    return f"{inputs['tank']} burns: {finding.result} damage"


@tells("T2.4")
def face_up(finding: Finding) -> str:
    if finding.result == "face-up":
        return f"{finding.inputs['tank']} turns {finding.inputs['card']} face up"
    return f"{finding.inputs['tank']} has cards of {value(finding.result)} points, face down"


@tells("T2.5")
def token(finding: Finding) -> str:
    inputs = finding.inputs
    match inputs["token"]:
        case "damage":
            return f"{inputs['tank']} has damage {finding.result} of {inputs['of']}"
        case "speed":
            done = f"gets speed token {finding.result}" if finding.result else "loses its speed token"
            return f"{inputs['tank']} {done}"
        case "objective":
            return f"objective {finding.result} lies at {inputs['at'][0]}/{inputs['at'][1]}"
        case other:
            return f"{inputs['tank']} has its {other} token"


@tells("T4.1")
def platoon(finding: Finding) -> str:
    return f"{named(finding.inputs['seat'])} fields {finding.result} of {finding.inputs['limit']} points"


# --- T5, T6 --------------------------------------------------------------------------------------------------


@tells("T5.1")
def move(finding: Finding) -> str:
    inputs = finding.inputs
    way = f"{inputs['tank']} moves {inputs['way']}° from {at(inputs['from'])}"
    return f"{way} to {at(finding.result)}, heading {inputs['heading']}"


@tells("T5.2")
def allowance(finding: Finding) -> str:
    inputs = finding.inputs
    if "why" in inputs:
        return str(inputs["why"])
    return f"{inputs['tank']} makes {number(inputs['moves'], 'move')} of {finding.result} allowed"


@tells("T4.2", "T4.3")
def fielding(finding: Finding) -> str:
    what = f"of {finding.result}" if finding.rule == "T4.2" else number(finding.result, "tank")
    return f"{named(finding.inputs['seat'])}'s platoon: {what}"


@tells("T6.1", "T6.2", "T6.3", "T6.4")
def ground(finding: Finding) -> str:
    inputs = finding.inputs
    if "why" in inputs:
        return str(inputs["why"])
    if "wood" in inputs:
        return f"{inputs['wood']} does not hinder {inputs['tank']}"
    if finding.rule == "T6.2":
        return f"{inputs['tank']} is in a wood or at its edge: {finding.result}"
    return f"{inputs.get('by', inputs['tank'])} is {finding.result}"


@tells("T5.3")
def speed(finding: Finding) -> str:
    if finding.inputs["stationary"]:
        return f"{finding.inputs['tank']} is stationary"
    return f"{finding.inputs['tank']} has speed {finding.result}"


@tells("T5.4", "T5.5")
def stop(finding: Finding) -> str:
    if "why" in finding.inputs:
        return str(finding.inputs["why"])
    if "aside" in finding.inputs:
        return f"{finding.inputs['tank']} is set down slightly aside, because it would graze something"
    return f"{finding.inputs['tank']} stops at {finding.inputs['by']}"


@tells("T6.5")
def whole_card(finding: Finding) -> str:
    return f"all of {finding.inputs['piece']} counts: {listed(map(at, finding.result))}"


# --- T7 ------------------------------------------------------------------------------------------------------


@tells("T7.1")
def target(finding: Finding) -> str:
    inputs = finding.inputs
    if "targets" in inputs:
        return f"{inputs['tank']} was ordered to shoot at {listed(inputs['targets'])}"
    if finding.result == "not possible":
        return f"{inputs['tank']} can no longer shoot at any of its targets, and its owner decides again"
    return f"{inputs['shooter']} shoots at {inputs['target']}"


@tells("T7.2")
def sight(finding: Finding) -> str:
    if "why" in finding.inputs:
        return str(finding.inputs["why"])
    eye = "the front of its hull" if finding.inputs["front"] else "its turret"
    return f"{finding.result} from {eye} at {at(finding.inputs['from'])}"


@tells("T7.3")
def arc(finding: Finding) -> str:
    return f"{finding.result} ({'ahead of its hull' if finding.inputs['arc'] == 'forward' else 'any direction'})"


@tells("T7.4")
def attack(finding: Finding) -> str:
    inputs = finding.inputs
    if finding.dice or isinstance(finding.result, dict):
        hits, criticals = finding.result["hits"], finding.result["criticals"]
        return f"attack dice {value(finding.dice)}: {number(hits, 'hit')}, {number(criticals, 'critical')}"
    return f"{inputs['shooter']}: {finding.result} attack dice (attack {inputs['attack']}, {modifiers_of(finding)})"


@tells("T7.5", "T9.6")
def again(finding: Finding) -> str:
    kept = f", keeping {finding.inputs['kept']}" if "kept" in finding.inputs else ""
    return f"{finding.inputs['tank']} has not moved and rolls {len(finding.inputs['dice'])} dice again{kept}"


@tells("T7.6")
def defence(finding: Finding) -> str:
    inputs = finding.inputs
    if isinstance(finding.result, dict):
        return f"defence dice {value(finding.dice)}: {value(finding.result)}"
    return f"{inputs['target']}: {finding.result} defence dice (defence {inputs['defence']}, {modifiers_of(finding)})"


@tells("T7.7")
def cover(finding: Finding) -> str:
    return f"{number(finding.inputs['hidden'], 'corner')} hidden: {'cover' if finding.result else 'no cover'}"


@tells("T7.8", "T7.9")
def nearness(finding: Finding) -> str:
    what = "close range" if finding.rule == "T7.8" else "side shot"
    return what if finding.result else f"no {what}"


@tells("T7.10")
def cancelling(finding: Finding) -> str:
    hits, criticals = finding.result["hits"], finding.result["criticals"]
    what = f"{number(hits, 'hit')} and {number(criticals, 'critical')}"
    if "by" in finding.inputs:
        return f"{named(finding.inputs['by'])} chooses what is cancelled: {what}"
    return f"{finding.inputs['target']} is left with {what}"


@tells("T7.11")
def damage(finding: Finding) -> str:
    inputs = finding.inputs
    if "deck" in inputs:
        of = sum(count for _, count in inputs["deck"])
        return f"{inputs['tank']} draws card {finding.dice[0]} of {of}: {finding.result}"
    if finding.result == "stays":
        return f"{inputs['critical']} stays with {inputs['tank']} until it is repaired"
    if "critical" in inputs:
        return f"{inputs['tank']} suffers {inputs['critical']}"
    return f"{inputs['target']} takes {finding.result} damage and {number(inputs['criticals'], 'critical card')}"


@tells("T7.12")
def final_fury(finding: Finding) -> str:
    return f"{finding.inputs['tank']} has no damage capacity left: {finding.result}"


# --- T8, T9 --------------------------------------------------------------------------------------------------


@tells("T8.1")
def destruction(finding: Finding) -> str:
    return f"{finding.inputs['tank']} is destroyed; its wreck stays"


@tells("T8.2")
def victory(finding: Finding) -> str:
    inputs = finding.inputs
    if "objective" in inputs:
        return (
            f"{inputs['objective']} is held by {named(finding.result)}, turn {inputs['turns']} of {inputs['needed']}"
        )
    left = listed(f"{named(seat)} {count}" for seat, count in inputs["left"].items())
    if "why" in inputs:
        return f"the match is over: {inputs['why']} ({named(finding.result)})"
    return f"tanks left: {left}; {finding.result}"


@tells("T8.3")
def repair(finding: Finding) -> str:
    inputs = finding.inputs
    rolled = f", rolled {value(finding.dice)} for {inputs['needed']}+" if finding.dice else f" by {inputs['card']}"
    return f"{inputs['tank']}, {inputs['critical']}{rolled}: {finding.result}"


@tells("T8.4")
def reset(finding: Finding) -> str:
    back = number(finding.inputs["shuffled"], "critical card")
    return f"speed tokens are removed; {back} back into the deck of {finding.result}"


@tells("T9.1")
def assault_gun(finding: Finding) -> str:
    return f"{finding.inputs['tank']} is an Assault Gun: {finding.result}"


@tells("T9.4")
def fast(finding: Finding) -> str:
    return f"{finding.inputs['tank']} is Fast: {number(finding.result, 'move')}"


@tells("T9.5")
def gung_ho(finding: Finding) -> str:
    return f"Gung Ho: the shooter's speed {finding.inputs['speed']} counts as {finding.result}"


@tells("T9.2")
def blitzkrieg(finding: Finding) -> str:
    return f"{finding.inputs['tank']} uses Blitzkrieg: {finding.result}"


@tells("T9.3")
def coordination(finding: Finding) -> str:
    return f"{finding.inputs['tank']} is {finding.inputs['text']}: one more die"
