"""The order language: orders and refusals, and forms and receipts that can be read again."""

from __future__ import annotations

import contextlib
import re
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st
from titles.tanks.builders import (
    COMMAND,
    MOVEMENT,
    SHOOTING,
    a_data,
    a_piece,
    a_state,
    a_table,
    a_tank,
    form,
    lines_refused,
    read,
    restate,
)

from pbem.engine.play.bots import Choice
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Ambiguous, Illegal, Refusal, Unreadable, each
from pbem.engine.rules.title import Submission
from pbem.titles.tanks.movement.moves import random_order
from pbem.titles.tanks.player.help import HELP
from pbem.titles.tanks.player.language import lines, parse
from pbem.titles.tanks.player.orders import MovementForm, plain
from pbem.titles.tanks.player.plan import check_plan
from pbem.titles.tanks.player.standing_orders import STOCK, check_doctrine
from pbem.titles.tanks.setup.platoon import read_list
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Status
from pbem.titles.tanks.title import Tanks, TanksRules


def table():
    """Two Sherman 75s and a Sherman 76 against a Panzer IV, a StuG and a Panther, all in the open."""
    return a_state(
        a_tank("a1", 2000, 6000, 0, "sherman-76", cards=["superb-commander", "supercharger"]),
        a_tank("a2", 4500, 6000, cards=["coordinator"]),
        a_tank("a3", 7000, 6000),
        a_tank("b1", 2000, 2000, 180, criticals=["busted-track", "jammed-turret"]),
        a_tank("b2", 4500, 2000, 180, "stug-g"),
        a_tank("b3", 7000, 2000, 180, "panther", cards=["tungsten"]),
        pieces=[a_piece("wood-1", 8400, 8300)],
    )


def said(ask: Ask, text: str):
    return read(a_data(), table(), ask, text)


def refusals(ask: Ask, text: str) -> list[Refusal]:
    with pytest.raises(Refusal) as refused:
        said(ask, text)
    return list(each(refused.value))


# --- reading -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line, moves",
    [
        ("tank-2: move 40 face 90 then move 0", [{"way": 40, "face": "bearing 90"}, {"way": 0}]),
        ("a2: move 90 face right", [{"way": 90, "face": 90}]),
        ("a2: move north-east face south west", [{"way": 45, "face": "bearing 225"}]),
        ("a2: move n, n", [{"way": 0}, {"way": 0}]),
        ("a2: move toward wood-1 face toward 450 30", [{"way": "toward wood-1", "face": "toward 4500,300"}]),
        ("a2: move toward 45cm 30.5 mm", [{"way": "toward 4500,305"}]),
        ("a2: move 360", [{"way": 0}]),
        ("A2: Move NE face left", [{"way": 45, "face": 270}]),
        ("a2 go north, then 90 face back", [{"way": 0}, {"way": 90, "face": 180}]),
        ("- a2: drive towards b1 facing toward the b2", [{"way": "toward b1", "face": "toward b2"}]),
        ("a2: move away from stug face w", [{"way": "away b2", "face": "bearing 270"}]),
        ("a2: stay # for now", []),
    ],
)
def test_T5_1_moves_can_be_said_in_many_ways(line, moves):
    (order,) = said(MOVEMENT, line).answer["orders"]["a2"]
    assert order.get("moves", []) == moves


def test_T1_1_conditions_and_alternatives():
    text = """
    sherman 76: if b2 sees me and b1 not moved: move 180
    a1: if b3 within 1 arrow of a1: use supercharger then move 90 then move 90 then move 90
    a1: if b1 stayed and b2 out: stay
    a1: move 0
    order of a3, a1
    rest: move n
    """
    answer = said(MOVEMENT, text).answer
    first, second, third, last = answer["orders"]["a1"]
    assert first["when"] == [{"what": "sees", "units": ["b2", "a1"]}, {"what": "moved", "units": ["b1"], "no": True}]
    assert second["when"] == [{"what": "near", "units": ["b3", "a1"], "within": 1500}] and second["use"] == [
        "supercharger"
    ]
    assert third["when"] == [{"what": "moved", "units": ["b1"], "no": True}, {"what": "out", "units": ["b2"]}]
    assert last == {"moves": [{"way": 0}]}
    assert sorted(answer["orders"]) == ["a1", "a2", "a3"] and answer["sequence"] == ["a3", "a1"]


def test_T1_2_targets_cards_and_dice():
    submission = said(
        SHOOTING, "a1: shoot b2, panther\na1: reroll below 2\na1: keep supercharger\na2: use coordinator for a3"
    )
    assert submission.answer == {"orders": {"a1": [{"targets": ["b2", "b3"]}]}}
    assert submission.plan == {
        "reroll": {"a1": 2},
        "keep": {"a1": ["supercharger"]},
        "lend": {"a2": {"coordinator": "a3"}},
    }


def test_T1_1_tactics_and_preferences_are_words_that_read_back():
    text = "a1: if a1 hurt: hide\na1: hunt panther\na2: rush\nrest hunt\n"
    submission = said(MOVEMENT, text)
    assert submission.answer["orders"] == {
        "a1": [{"when": [{"what": "hurt", "units": ["a1"]}], "tactic": "hide"}, {"tactic": "hunt", "prey": "b3"}],
        "a2": [{"tactic": "rush"}],
        "a3": [{"tactic": "hunt"}],
    }
    assert said(MOVEMENT, restate(a_data(), MOVEMENT, submission)) == submission
    shots = said(SHOOTING, "a1: if b2 not hurt: shoot stug, weakest\na1: shoot best\nrest: fire nearest")
    assert shots.answer["orders"]["a1"] == [
        {"targets": ["b2", "weakest"], "when": [{"what": "hurt", "units": ["b2"], "no": True}]},
        {"targets": ["best"]},
    ]
    assert said(SHOOTING, restate(a_data(), SHOOTING, shots)) == shots
    (refusal,) = refusals(MOVEMENT, "a1: hunt a2")
    assert isinstance(refusal, Illegal)
    (refusal,) = refusals(Ask("alpha", "move", "T1.1", subject="a1", default={}), "a1: hunt")
    assert "its orders are: use, hold, move" in str(refusal)


def test_T8_3_repairs_and_blitzkrieg():
    assert said(COMMAND, "b1: repair jammed turret\nb3: blitz move 180 face back").answer == {
        "b1": {"repair": "jammed-turret"},
        "b3": {"move": {"way": 180, "face": 180}},
    }


def test_T3_placings_roles_and_terrain():
    state = table()
    for tank in state.tanks.values():
        tank.status = Status.RESERVE
    placed = read(a_data(), state, Ask("bravo", "deploy", "T3.3", default={}), "b1 at 450 100\nb3: 700.5 100 face ne")
    assert placed.answer == {"places": {"b1": [4500, 1000, 180], "b3": [7005, 1000, 45]}}
    role = read(
        a_data(),
        state,
        Ask("bravo", "role", "T3.2", default={"role": "attacker", "edge": "north"}),
        "defender, edge east",
    )
    assert role.answer == {"edge": "east", "role": "defender"}
    wish = read(
        a_data(), state, Ask("bravo", "terrain", "T3.1", default={}), "Wood 300 400 face 45\nbuildings 600 600"
    )
    assert wish.answer == {"building": [[6000, 6000, 0]], "wood": [[3000, 4000, 45]]}


def test_small_asks_are_answered_by_number():
    ask = Ask(
        "alpha", "reroll", "T7.5", subject="a2", about={"dice": [1, 2], "again": False, "fours": 4}, default=None
    )
    assert "# 1: reroll dice 1, 2" in form(a_data(), table(), ask)
    assert said(ask, "1").answer == {"by": "stationary", "dice": [0, 1], "keeps": 0}
    assert said(ask, "none").answer is None
    assert isinstance(refusals(ask, "7")[0], Unreadable)


# --- refusals ------------------------------------------------------------------------------------------------


def test_every_bad_line_is_refused_with_its_line_its_rule_and_what_could_be_said():
    found = refusals(
        MOVEMENT, "a1: mvoe 40\na9: stay\na2: move 0 then 0 then 0\nsherman: stay\na3: shoot b1\nb1: move 0"
    )
    assert [refusal.line for refusal in found] == [
        "a1: mvoe 40",
        "a9: stay",
        "a2: move 0 then 0 then 0",
        "sherman: stay",
        "a3: shoot b1",
        "b1: move 0",
    ]
    assert [type(refusal) for refusal in found] == [Unreadable, Unreadable, Illegal, Ambiguous, Illegal, Illegal]
    assert found[0].instead == ("a1: move 40",) and "position 5" in str(found[0])
    assert {objection.rule for objection in found[2].objections} == {"T5.2", "T9.4"}
    assert found[3].instead == ("a1: stay", "a2: stay", "a3: stay")
    assert "its orders are: " in str(found[4]) and "move" in str(found[4])


@pytest.mark.parametrize(
    "line, position",
    [
        ("a1: move", 9),
        ("a1: move 40 fcae 90", 13),
        ("a1: if b1 mvoed: stay", 11),
        ("a1: shoot", 10),
        ("banana", 7),
        ("a1 fly", 7),
    ],
)
def test_an_unreadable_line_says_where(line, position):
    (refusal,) = refusals(MOVEMENT, line)
    assert isinstance(refusal, Unreadable) and f"(position {position})" in str(refusal)


def test_T2_4_a_plan_names_own_tanks_and_cards():
    state = table()
    for plan in (
        {"use": {"b1": ["tungsten"]}},
        {"use": {"a1": ["tungsten"]}},
        {"again": {"a1": ["a2"]}},
        {"nonsense": 1},
        [],
    ):
        with pytest.raises(Refusal):
            check_plan(Situation(a_data(), state), "alpha", plan)


# --- round trips ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ask",
    [
        MOVEMENT,
        SHOOTING,
        COMMAND,
        Ask("alpha", "move", "T1.1", subject="a1", default={}),
        Ask("alpha", "shoot", "T7.1", subject="a1"),
    ],
)
def test_a_form_can_be_sent_back_as_it_is(ask):
    rules = TanksRules(a_data())
    text = form(a_data(), table(), ask)
    assert max(map(len, text.splitlines())) <= 60
    submission = rules.read(table(), ask, text)
    rules.check(table(), ask, submission.answer)
    assert rules.read(table(), ask, rules.restate(ask, submission)) == submission


@given(number=st.integers(0, 10**6))
def test_T5_1_restated_moves_read_back_the_same(number):
    state, choice = table(), Choice(number)
    orders = {tank.id: [random_order(Situation(a_data(), state), tank, choice)] for tank in state.of("alpha")}
    submission = read(
        a_data(), state, MOVEMENT, restate(a_data(), MOVEMENT, Submission(plain(MovementForm(orders=orders))))
    )
    assert submission.answer == plain(MovementForm(orders=orders))


def test_restated_orders_keep_conditions_and_plans():
    text = "a1: if b2 not sees a1 and b3 within 250 mm of a1: move 40 face n\na1: stay\norder of a2, a1\n"
    text += "a1: use superb-commander"
    submission = said(MOVEMENT, text)
    assert said(MOVEMENT, restate(a_data(), MOVEMENT, submission)) == submission
    shots = said(
        SHOOTING,
        "a1: if b1 shot at: shoot b2\na1: hold\na1: keep supercharger\na1: reroll never\na1: repair busted track",
    )
    assert said(SHOOTING, restate(a_data(), SHOOTING, shots)) == shots


def test_every_line_of_the_help_can_be_read():
    """Text after five spaces is a comment; lines without a colon that are not orders are comments too."""
    starts = {"a1 at": "placing", "wood 300": "placing", "defender north": "role"}
    for line in lines(str(HELP)):
        text = re.split(r" {5}| / ", line.text)[0]
        start = next((start for words, start in starts.items() if text.startswith(words)), "order")
        if ":" in text or start != "order" or text.startswith(("rest", "order")):
            parse(lines(text)[0], start)


def test_the_title_names_its_scenarios_and_refuses_unknown_options():
    title = Tanks()
    assert title.scenarios == ("bridgehead", "crossroads", "open-battle", "village")
    for scenario, options in (
        ("crossroad", {}),
        ("village", {"point": 3}),
        ("village", {"points": 1}),
        ("village", {"pace": "x"}),
    ):
        with pytest.raises(Refusal):
            title.freeze(scenario, options)


# --- the notes -----------------------------------------------------------------------------------------------


def notes() -> str:
    return (resources.files("pbem.titles.tanks") / "NOTES.md").read_text(encoding="utf-8")


def test_every_order_in_the_notes_can_be_read():
    """The orders in the table, the examples and the standing orders are all accepted."""
    rows = [row.split("|")[1:3] for row in notes().partition("Several lines")[0].splitlines() if row.startswith("| ")]
    said = [(phase.strip(), words) for phase, cell in rows for words in re.findall("`([^`]+)`", cell)]
    setup = said.index(("set-up", "wood 300 400 face 45"))
    orders = re.compile(r"(a1|rest|order|wood|building|defender)\b")
    whole = [(number, words) for number, (_, words) in enumerate(said) if orders.match(words)]
    assert len(whole) > 25
    for number, words in whole:
        start = "order" if number < setup else "role" if words.startswith("def") else "placing"
        parse(lines(words)[0], start)
    example = re.findall(r"^    (a1: .*)$", notes(), re.M)
    assert len(said_in(example)) == 3
    stock = re.search(r"Without any: (.*?)\. A seat", notes())
    assert tuple(re.findall("`([^`]+)`", stock[1])) == STOCK
    for clause in re.findall(r"`(\w+: [\w| -]+)`", notes().partition("Standing orders:")[2].partition("Without")[0]):
        what, _, choices = clause.partition(": ")
        for choice in choices.split("|"):
            assert check_doctrine([f"{what}: {choice.strip()}"], a_data().criticals)


def said_in(example: list[str]) -> list:
    return said(MOVEMENT, "\n".join(example)).answer["orders"]["a1"]


def test_every_kind_of_ask_is_in_the_notes():
    asked = notes().partition("The decisions, and how")[2].partition("## Rulings")[0]
    assert set(re.findall("`([a-z-]+)`", asked)) >= set(TanksRules.kinds)


WORDS = """
    a1 a2 b1 b9 panther sherman rest move hunt hide rush stay hold shoot best nearest weakest repair blitz use keep
    for reroll below always never again first face left ahead ne 40 0 9999999999 -1 toward away from if not moved
    sees hurt within 1 arrow 20 cm of out shot at then order of , : # » é ² İ supercharger busted track
"""


@given(st.lists(st.lists(st.sampled_from(WORDS.split()), max_size=7).map(" ".join), max_size=3).map("\n".join))
def test_whatever_is_sent_is_read_or_refused(text):
    for ask in (MOVEMENT, SHOOTING, COMMAND):
        try:
            submission = said(ask, text)
        except Refusal as refused:
            assert str(refused)
        else:
            assert said(ask, restate(a_data(), ask, submission)) == submission


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text):
    for ask in (MOVEMENT, Ask("alpha", "deploy", "T3.3", default={}), Ask("alpha", "role", "T3.2", default={})):
        with contextlib.suppress(Refusal):
            said(ask, text)
    with contextlib.suppress(Refusal):
        read_list(a_data(), text)


def test_T7_1_targets_may_be_joined_by_then():
    assert said(SHOOTING, "a1: shoot b2 then b3, then best") == said(SHOOTING, "a1: shoot b2, b3, best")


@pytest.mark.parametrize("line", ["a2: move 10.5", "a2: move 400", "a2: move 0 face 361"])
def test_T5_1_a_bearing_is_never_taken_for_another(line):
    (refusal,) = refusals(MOVEMENT, line)
    assert isinstance(refusal, Unreadable) and "whole degrees" in str(refusal)


def test_T3_3_a_deployment_is_refused_with_every_fault_at_once():
    state = table()
    for tank in state.tanks.values():
        tank.status = Status.RESERVE
    with pytest.raises(Refusal) as refused:
        read(a_data(), state, Ask("alpha", "deploy", "T3.3", default={}), "a1 at 450 100\na2 at 5 5\na9 at 450 850")
    assert len(list(each(refused.value))) == 3


# --- every word counts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ask", "text", "rule"),
    [
        (MOVEMENT, "a2 move toward a2", "T5.1"),
        (MOVEMENT, "a2 move 0 face toward a2", "T5.1"),
        (MOVEMENT, "a2 use coordinator for a2", "T2.2"),
        (SHOOTING, "a2 shoot b1 b2 b1", "T7.1"),
        (SHOOTING, "a1 use superb-commander\na1 keep superb-commander", "tanks/orders"),
        (SHOOTING, "a1 keep superb-commander\na1 use superb-commander", "tanks/orders"),
        (SHOOTING, "a2 repair", "T8.3"),
        (COMMAND, "b1 repair", "T8.3"),
        (COMMAND, "b2 repair", "T8.3"),
    ],
)
def test_T1_1_words_that_would_change_nothing_are_refused(ask, text, rule):
    """`b1 repair` used to be restated as `hold` for a tank with two criticals; others were accepted and dropped."""
    assert rule in [objection.rule for refusal in refusals(ask, text) for objection in refusal.objections]


@pytest.mark.parametrize(
    ("text", "why"),
    [("a1 shoot a2", "that tank belongs to alpha"), ("b1 hold", "that tank belongs to bravo"),
     ("a1 shoot b3", "that tank is a wreck")],
)  # fmt: skip
def test_T7_1_a_tank_that_cannot_be_named_is_refused_for_what_it_is(text: str, why: str):
    """These were told that the tank needed no orders now."""
    tanks = a_tank("a1", 1000, 5000, 90), a_tank("a2", 1000, 7000, 90), a_tank("b1", 6000, 5000, 270)
    wreck = a_tank("b3", 6000, 7000, 270, status=Status.WRECK)
    assert why in lines_refused(a_table(*tanks, wreck), SHOOTING, text)


def test_T8_3_the_only_critical_of_a_tank_need_not_be_named():
    state = table()
    state.tanks["b1"].criticals = ["busted-track"]
    assert read(a_data(), state, COMMAND, "b1 repair").answer == {"b1": {"repair": "busted-track"}}
