"""4.2.1 Lines made at random from the grammar: every word of an accepted line changes something or is restated."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from lark import Lark
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.artillery.test_observers import a_battery
from titles.panzer.builders import a_board, a_hex
from titles.panzer.combinations.test_written_orders import FREE, SQUAD
from titles.panzer.combinations.turns import at_commands

from pbem.engine.geometry.hexes import hex_name, neighbours
from pbem.engine.play.bots import Choice
from pbem.engine.play.run import Run
from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.reading.language import EXPECTED, grammar
from pbem.titles.panzer.setup.scenario import AircraftRow, Conditions
from pbem.titles.panzer.state import AircraftState, Feature, HiddenCounter, Inside, Mission, Spot

OPTIONS = (
    *("morale", "hidden_units", "turrets", "smoke_dischargers", "pinning_fire", "engineers_and_terrain"),
    *("infantry_smoke", "camouflage", "malfunction", "counter_battery", "bogging_down", "narrow_roads"),
    *("minefields", "reconnaissance_by_fire", "fires"),
)
GLUE = ("MOVE", "WITH", "FIRE", "INITIATIVE", "AFTER", "COMPARE", "ONTO", "WITHIN", "FACE", "HULL_DOWN")
"""Words that only join others: without them the line may mean the same."""
DEFAULTS = (r"reverse 1\b", r"\bpin\b.*\bgp\b", r"\bgp\b.*\bpin\b", r"closed linear")
"""Lines in which a word says what holds without it: one hex back; pinning fire is GP fire; the name of a sheaf."""
HEXES = ["C8", "C7", "C5", "D8", "D10", "E8", "F9", "G10", "C11", "E11", "A5", "D7", "E7", "C6", "C14"]
WORDS = {
    "NUMBER": ("1", "2", "3", "5", "30", "60"), "DIRECTION": tuple("123456"), "STEP": ("f", "b", "l", "2f", "fr"),
    "EDGE": ("north", "west"), "COMPARE": ("<=", ">="), "AMMO": ("apcr", "heat"), "TYPE": ("gp", "smoke"),
    "SPEED": ("slow", "fast"), "ALTITUDE": ("low", "high"), "ALL": ("rest",), "AHEAD": ("ahead",),
    "AHEAD_IN": ("f-in",), "EXIT_BACK": ("exit-b",), "RANGE": ("range",), "WITH": ("with",),
}  # fmt: skip


@cache
def a_position(edition: Edition) -> Run:
    """Units of every kind, in most places and states, when both sides are asked for their orders."""
    units = [
        a_tank("g1", "C9", facing=1), a_tank("g2", "C10", "spw251", facing=1), a_leg("g3", "C10", SQUAD, aboard="g2"),
        a_leg("g4", "D9", "german_pioneer_squad"), a_leg("g5", "D9", SQUAD, inside=Inside.UP),
        a_leg("g6", "E9", "german_section", labels=("fo",)), a_gun("g7", "E10", "pak36"),
        a_tank("g8", "E11", "sdkfz10", facing=1), a_tank("g9", "F9", "tiger1", track_hit=True),
        a_leg("ga", "F10", SQUAD, full_cover=True), a_leg("gb", "G9", "german_motorcycle_squad", facing=1),
        a_tank("gc", "G10", "pz3m", facing=2), a_tank("gd", None), a_leg("ge", "C14", SQUAD, flags=("hidden",)),
        a_tank("s1", "C6", "t34_76", spot=Spot.FIRE), a_leg("s2", "D7", "soviet_rifle_squad", spot=Spot.FIRE),
        a_tank("s3", "E7", "zis5", spot=Spot.FIRE), a_tank("s4", "T19", "zis5"),
    ]  # fmt: skip
    works = [
        Feature(id="f1", type="wire", hex=a_hex("D8"), defence=3),
        Feature(id="f2", type="hasty_entrenchment", hex=a_hex("G10"), stage=4),
    ]
    mission = Mission(
        id="m1", side="german", observer="g6", firers=("gb1",), point=a_hex("E7"), started=1, sheaf="closed"
    )
    data = advanced_data(
        a_board(signs={"D9": "B", "E11": "^", "G9": "s"}, storeys={"D9": 2}),
        edition=edition, rules=(*FREE, *OPTIONS),
        aircraft=(AircraftRow("ac1", "ac1", "german", "ju87b", "seasoned"),), air_superiority="german",
        conditions=Conditions(hidden_counters={"german": 4}),
    )  # fmt: skip
    state = an_advanced_state(
        *units, turn=2, features={work.id: work for work in works}, missions={"m1": mission},
        batteries={id: a_battery(id) for id in ("gb1", "gb2")},
        aircraft={"ac1": AircraftState(id="ac1", name="ac1", side="german", card="ju87b")},
        hidden_counters={"h1": HiddenCounter(id="h1", side="german", hex=a_hex("C14"), units=("ge",))},
    )  # fmt: skip
    return at_commands(data, state, {})


@cache
def expansions() -> dict[str, list[Any]]:
    found = defaultdict(list)
    for rule in Lark(grammar(), start=["full_order"], parser="lalr", keep_all_tokens=True).rules:
        found[rule.origin.name].append(rule.expansion)
    return found


def any_words(run: Run, choice: Choice, symbol: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The words of a random line: the name of each in the grammar, and the word."""
    ways = expansions()[symbol]
    if symbol == "full_order":  # orders to units are the richest part of the grammar
        ways = [way for way in ways for _ in range(12 if any(part.name == "act" for part in way) else 1)]
    shortest = min(ways, key=len)
    for part in shortest if depth > 8 or (depth > 1 and choice.below(2)) else choice.one_of(ways):
        if not part.is_term:
            yield from any_words(run, choice, part.name, depth + 1)
        elif part.name == "NAME":
            others = ["m1", "gb1", "gb2", "f1", "f2", "ac1", "h1"]
            yield part.name, choice.one_of([*run.state.vehicles, *run.state.vehicles, *others])
        elif part.name == "HEX":
            yield part.name, choice.one_of(HEXES)
        else:
            yield part.name, choice.one_of(WORDS.get(part.name, (EXPECTED.get(part.name, part.name.lower()),)))


def in_reach(run: Run, choice: Choice, words: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The same words, with hexes near the unit that is named first."""
    unit = run.state.vehicles.get(next((word for name, word in words if name == "NAME"), ""))
    if unit is None or unit.hex is None:
        return words
    near = [hex_name(hex) for hex in (unit.hex, *neighbours(unit.hex))]
    return [(name, choice.one_of(near) if name == "HEX" else word) for name, word in words]


def meaning(run: Run, words: list[tuple[str, str]]) -> tuple[str, str] | None:
    """What a line means, and its receipt; both are None if the line is refused."""
    ask = run.ask_of("german")
    assert ask is not None
    try:
        said = run.rules.attempt(run.view("german"), ask, " ".join(word for _, word in words))  # type: ignore[attr-defined]
    except Refusal:
        return None
    return json.dumps([said.answer, said.plan], sort_keys=True), run.rules.restate(ask, said).lower()


@pytest.mark.parametrize("edition", ["2024", "2016"])
def test_4_2_1_every_word_of_an_accepted_line_counts(edition: Edition):
    """A word may be left out only if the line is then refused or means something else, or if the receipt says it."""
    run, choice = a_position(edition), Choice("words", edition)
    accepted, idle = 0, set()
    for _ in range(900):
        words = in_reach(run, choice, list(any_words(run, choice, "full_order")))
        line = " ".join(word for _, word in words)
        if (
            len(words) > 14
            or any(re.search(said, line) for said in DEFAULTS)
            or (found := meaning(run, words)) is None
        ):
            continue
        accepted += 1
        for number, (name, word) in enumerate(words):
            rest = [*words[:number], *words[number + 1 :]]
            restated = re.search(rf"(?<![\w-]){re.escape(word.split()[0].lower())}(?!\w)", found[1])
            if name not in GLUE and not restated and rest and (meaning(run, rest) or ("",))[0] == found[0]:
                idle.add(f"{line}: {word}")
    assert accepted > 60 and not idle


@pytest.mark.parametrize(
    ("orders", "rule"),
    [
        ("rest with g1", "6.2.1.1.3"),
        ("rest with g1 overwatch", "6.2.1.1.3"),
        ("together rest overwatch", "6.2.1.1.3"),
        ("together g1 fire s1", "6.2.1.1.3"),
        ("together g1 g1 fire s1", "6.2.1.1.3"),
        ("rest cover uncover", "panzer/orders"),
        ("rest dig\nrest no digging", "panzer/orders"),
        ("rest shut unshut", "panzer/orders"),
        ("gc hold move road G10", "6.6.7.1.1"),
        ("g3 fire", "6.6.7.2"),
        ("g2 hold\ng3 fire", "6.6.7.2"),
        ("g2 overwatch\ng3 fire", "6.6.7.2"),
        ("g2 fire\ng3 fire s2 unload", "5.2.1"),
        ("g2 overwatch\ng3 overwatch range<=3 unload", "5.2.1"),
    ],
)
def test_4_2_1_words_that_were_dropped_are_refused(orders: str, rule: str):
    run = a_position("2016")
    ask = run.ask_of("german")
    assert ask is not None
    with pytest.raises(Refusal) as refusal:
        run.rules.read(run.view("german"), ask, orders)
    assert_rule(refusal.value, rule)


@pytest.mark.rule("7.19", editions=("2016",))
@pytest.mark.parametrize("unit", ["g1", "g7", "g8"])
def test_7_19_a_vehicle_or_a_gun_told_to_advance_against_terrain_is_refused(unit: str):
    """Such a line used to end in an error."""
    run = a_position("2016")
    ask = run.ask_of("german")
    assert ask is not None
    with pytest.raises(Refusal) as refusal:
        run.rules.read(run.view("german"), ask, f"{unit} demolish f1 from C8")
    assert_rule(refusal.value, "7.19")


@pytest.mark.parametrize("orders", ["gc gc discharge", "gc discharge\ngc discharge"])
def test_7_9_a_vehicle_that_is_named_twice_fires_its_dischargers_once(orders: str):
    run = a_position("2016")
    ask = run.ask_of("german")
    assert ask is not None
    assert run.rules.read(run.view("german"), ask, orders).plan == {"discharge": ["gc"]}
