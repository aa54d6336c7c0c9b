"""T1-T9 Recipes that recompute each finding from its own inputs, modifiers and dice.

    T1, T3     the order of tanks, lent initiative, rolls for the set-up
    T2         cards that change hits, critical cards, tokens
    T5         where a move ends, the speed token
    T7         attack and defence dice, hits, cover, cancelling, damage
    T8         destruction, objectives, the end, repairs, the deck

A recipe reads cards but never the state. Tests, simulations and soaks compare its result with the stored one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from pbem.engine.geometry.plane import Point
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.recompute import Recipe, net_of
from pbem.titles.tanks.cards.keywords import BIG_GUN
from pbem.titles.tanks.data_set import LETTER, SEATS, TanksData
from pbem.titles.tanks.ground.arrow import NUDGE, advance

Numbers: TypeAlias = Mapping[str, Any]

RECIPES: Final[dict[str, Recipe]] = {}
"""T1-T9 The recipes by rule."""
SEAT_OF: Final = {letter: seat for seat, letter in LETTER.items()}


def recomputes(*rules: str) -> Callable[[Recipe], Recipe]:
    """Register a recipe for the findings of these rules."""

    def enter(recipe: Recipe) -> Recipe:
        RECIPES.update(dict.fromkeys(rules, recipe))
        return recipe

    return enter


# --- T1, T3 ------------------------------------------------------------------------------------------------------


@recomputes("T1.1", "T1.2")
def sequence(data: TanksData, finding: Finding) -> Numbers:
    """T1.1 Recompute the sequence: T1.1 lowest first, T1.2 highest first, T1.3 the attacker first in ties."""
    inputs = finding.inputs
    if "heights" in inputs:
        lends = data.cards[inputs["card"]].effect.lends
        return {"result": lends or inputs["heights"]["from"] - inputs["heights"]["tank"]}
    if "attacker" not in inputs:
        return {}

    def height(tank: str) -> tuple[int, bool]:
        return inputs["initiative"][tank], SEAT_OF[tank[0]] == inputs["attacker"]

    return {"result": sorted(finding.result, key=height, reverse=finding.rule == "T1.2")}


@recomputes("T1.3")
def tie(data: TanksData, finding: Finding) -> Numbers:
    """T1.3 Recompute a tie: between the sides the attacker counts as higher; within a side the owner chooses."""
    if "tanks" not in finding.inputs:
        return {}
    sides = {tank[0] for tank in finding.inputs["tanks"]}
    return {"result": "attacker counts as the higher" if len(sides) > 1 else "the owner chooses"}


@recomputes("T3.1", "T3.2")
def roll_off(data: TanksData, finding: Finding) -> Numbers:
    """T3.1, T3.2 Return the seat with the higher of the last two dice; earlier ties were rerolled."""
    if not finding.dice:
        return {}
    *tied, first, second = finding.dice
    again = all(one == other for one, other in zip(tied[::2], tied[1::2], strict=True))
    return {"result": SEATS[second > first] if again and first != second else None}


# --- T2 ----------------------------------------------------------------------------------------------------------


@recomputes("T2.2")
def card(data: TanksData, finding: Finding) -> Numbers:
    """T2.2 Return the points of a card that is turned up, or the hits and criticals after a card has changed them."""
    inputs = finding.inputs
    if "text" in inputs:
        return {"result": next(card.points for card in data.cards.values() if card.name == inputs["name"])}
    if "before" not in inputs:
        return {}
    hits, criticals = inputs["before"]["hits"], inputs["before"]["criticals"]
    better, split = 1, 0
    if inputs["card"] != BIG_GUN and not data.cards[inputs["card"]].effect.exposes:
        effect = data.cards[inputs["card"]].effect
        better, split = effect.hits_to_criticals, min(effect.criticals_to_hits, criticals)
    better = min(better, hits)
    return {"result": {"hits": hits - better + 2 * split, "criticals": criticals + better - split}}


@recomputes("T2.3")
def critical(data: TanksData, finding: Finding) -> Numbers:
    """T2.3 Recompute the damage from critical cards and from fires."""
    if "cards" in finding.inputs:
        return {"result": sum(data.criticals[card].effect.burns for card in finding.inputs["cards"])}
    if "name" not in finding.inputs:
        return {}
    card = next(card for card in data.criticals.values() if card.name == finding.inputs["name"])
    return {"result": {"damage": card.damage, "stays": card.repairable}, "repairable": card.repairable}


@recomputes("T2.5")
def token(data: TanksData, finding: Finding) -> Numbers:
    """T2.5 Add up damage tokens."""
    if "more" not in finding.inputs:
        return {}
    return {"result": finding.inputs["before"] + finding.inputs["more"]}


@recomputes("T4.1")
def points(data: TanksData, finding: Finding) -> Numbers:
    """T4.1 Add up the points of tanks and those on the backs of their cards."""
    tanks = [child for child in finding.children if child.rule == "T2.1"]
    backs = [back for tank in tanks for child in tank.children if child.rule == "T2.4" for back in child.result]
    return {"result": sum(tank.inputs["points"] for tank in tanks) + sum(backs)}


# --- T5 ----------------------------------------------------------------------------------------------------------


@recomputes("T5.1")
def move(data: TanksData, finding: Finding) -> Numbers:
    """T5.1 Recompute where an unobstructed move ends; T5.4 a stopped move ends where its obstacle finding says."""
    inputs = finding.inputs
    if "model" not in inputs:
        return {}
    stops = [child for child in finding.children if child.rule in ("T5.4", "T5.5")]
    beside = next((child.inputs["aside"] for child in stops if "aside" in child.inputs), [0, 0])
    if any("by" in child.inputs for child in stops):
        return {"result": list(stops[0].result)}
    if max(map(abs, beside)) > NUDGE:
        return {"result": None}
    leave, shift = inputs["aside"]
    start, body = Point(*inputs["from"]), data.bodies[inputs["model"]]
    arrival = advance(
        body, start, inputs["was"], inputs["way"], inputs["turn"], data.scenario.arrow, (), (leave, shift)
    )
    return {"result": [arrival.at.x + beside[0], arrival.at.y + beside[1]], "heading": arrival.heading}


@recomputes("T5.3")
def speed(data: TanksData, finding: Finding) -> Numbers:
    """T5.3 Recompute the speed token: the number of moves made."""
    if "made" not in finding.inputs:
        return {}
    made = sum(finding.inputs["made"])
    return {"result": made, "stationary": made == 0}


# --- T7 ----------------------------------------------------------------------------------------------------------


@recomputes("T7.4")
def attack(data: TanksData, finding: Finding) -> Numbers:
    """T7.4 Recompute an attack: its dice, its hits (4 or 5) and its criticals (6), unless ones spoil it."""
    inputs, dice = finding.inputs, finding.dice
    if "least" not in inputs:
        return {"result": max(0, inputs["attack"] + net_of(finding))}
    if inputs["spoil"] and dice.count(1) >= inputs["spoil"]:
        return {"result": {"hits": 0, "criticals": 0}}
    return {"result": {"hits": sum(inputs["least"] <= die < 6 for die in dice), "criticals": dice.count(6)}}


@recomputes("T7.6")
def defence(data: TanksData, finding: Finding) -> Numbers:
    """T7.6 Recompute a defence: its 0 to 6 dice by value and modifiers, and the cancellations that they give."""
    if "defence" in finding.inputs:
        total = finding.inputs["defence"] + net_of(finding)
        return {"result": max(0, min(finding.inputs["most"], total))}
    dice = finding.dice
    return {"result": {"shooter cancels": dice.count(4) + dice.count(5), "target cancels": dice.count(6)}}


@recomputes("T7.7")
def cover(data: TanksData, finding: Finding) -> Numbers:
    """T7.7, T6.2 Recompute cover: three corners are hidden, or the target is in a wood."""
    return {"result": finding.inputs["hidden"] >= 3 or finding.inputs["wood"]}


@recomputes("T7.8")
def close(data: TanksData, finding: Finding) -> Numbers:
    """T7.8 Recompute close range: the target is within one arrow, with the distance rounded up to a tenth of a mm."""
    return {"result": finding.inputs["distance"] <= finding.inputs["arrow"]}


@recomputes("T7.9")
def side(data: TanksData, finding: Finding) -> Numbers:
    """T7.9 Recompute a side shot: the shooter is behind the target's front line, and the target is not Heavy."""
    return {"result": finding.inputs["behind"] and not finding.inputs["heavy"]}


@recomputes("T9.5")
def gung_ho(data: TanksData, finding: Finding) -> Numbers:
    """T9.5 Recompute the effect of Gung Ho: the speed counts as one less than the token."""
    counted = max(0, finding.inputs["speed"] - 1)
    return {"result": counted, "counted": counted}


@recomputes("T7.10")
def cancelling(data: TanksData, finding: Finding) -> Numbers:
    """T7.10 Recompute the hits and criticals left after both seats have cancelled as many as the dice allow."""
    if "by" in finding.inputs:
        return {"cancels": finding.result["hits"] + finding.result["criticals"]}
    gone = {what: sum(child.result[what] for child in finding.children) for what in ("hits", "criticals")}
    return {"result": {what: finding.inputs[what] - gone[what] for what in gone}}


@recomputes("T7.11")
def damage(data: TanksData, finding: Finding) -> Numbers:
    """T7.11 Recompute damage: one point for each hit, and the card drawn from the deck."""
    if "deck" in finding.inputs:
        cards = [card for card, count in finding.inputs["deck"] for _ in range(count)]
        return {"result": cards[finding.dice[0] - 1]}
    return {"result": finding.inputs["hits"]} if "hits" in finding.inputs else {}


# --- T8 ----------------------------------------------------------------------------------------------------------


@recomputes("T8.1")
def destruction(data: TanksData, finding: Finding) -> Numbers:
    """T8.1 Recompute destruction: a tank with no damage capacity left is destroyed."""
    return {"result": "wreck" if finding.inputs["damage"] >= finding.inputs["of"] else None}


@recomputes("T8.2")
def victory(data: TanksData, finding: Finding) -> Numbers:
    """T8.2 Recompute the holder of an objective, and the winner by tanks left or points lost."""
    inputs = finding.inputs
    if "near" in inputs:
        return {"result": inputs["near"][0] if len(inputs["near"]) == 1 else "nobody"}
    if "lost" in inputs:
        return {"result": better_of(inputs["lost"], fewest=True)}
    if "why" in inputs and min(inputs["left"].values()) == 0:
        return {"result": better_of(inputs["left"], fewest=False)}
    return {}


def better_of(counts: Mapping[str, int], *, fewest: bool) -> str:
    """T8.2 The seat with the lowest count if `fewest`, otherwise with the highest; a draw if they are equal."""
    if len(set(counts.values())) == 1:
        return "draw"
    choose = min if fewest else max
    return choose(counts, key=lambda seat: counts[seat])


@recomputes("T8.3")
def repair(data: TanksData, finding: Finding) -> Numbers:
    """T8.3 Recompute a repair: it succeeds on a roll of 4 or more."""
    if not finding.dice:
        return {}
    return {"result": "repaired" if finding.dice[0] >= finding.inputs["needed"] else "not repaired"}


@recomputes("T8.4")
def reset(data: TanksData, finding: Finding) -> Numbers:
    """T8.4 Recompute the reset: the discards go back into the deck."""
    return {"result": finding.inputs["deck"] + finding.inputs["shuffled"]}
