"""Every kind of refusal, with its rule and its proposals."""

from __future__ import annotations

from itertools import islice

import pytest
from support.rules import assert_rule
from titles.tanks.builders import a_data, a_piece, a_state, a_tank, check, options

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal, Unreadable, each
from pbem.engine.text.grammar import lines
from pbem.titles.tanks.player.language import parse
from pbem.titles.tanks.state import Status, TanksState


@pytest.mark.parametrize("line", ["a1: don't shoot b1", "a1 do not move", "a1 never shoot b1"])
def test_a_denied_order_is_not_read_as_an_order_for_two_tanks(line: str) -> None:
    with pytest.raises(Unreadable, match="write only what a tank is to do") as refused:
        parse(lines(line)[0])
    assert refused.value.instead == (line[: line.index(" ") + 1] + "hold",)


def state() -> TanksState:
    """a1 (Sherman, Sandbags, Superb Commander) and a2 against b1 (Panzer IV, a jammed turret) and a bailed-out b2."""
    return a_state(
        a_tank("a1", 2000, 7000, 0, cards=["sandbags", "superb-commander"]),
        a_tank("a2", 4500, 7000),
        a_tank("b1", 2000, 2000, 180, criticals=["jammed-turret"]),
        a_tank("b2", 4500, 2000, 180, criticals=["bailed-out"]),
        a_tank("b3", 7000, 2000, 180, status=Status.WRECK),
    )


def before_deployment() -> TanksState:
    return a_state(
        a_tank("a1", 0, 0, status=Status.RESERVE),
        a_tank("a2", 0, 0, status=Status.RESERVE),
        a_tank("b1", 4500, 8500),
        pieces=[a_piece("building-1", 7000, 8300)],
    )


def movement(order: dict, tank: str = "a1", **more) -> dict:
    return {"orders": {tank: [order]}, **more}


def when(what: str, *units: str, **more) -> dict:
    return movement({"when": [{"what": what, "units": list(units), **more}]})


CANCEL = {"by": "shooter", "cancel": 2, "hits": 2, "criticals": 1}
DICE = {"dice": [1, 2, 3, 4], "again": False, "fours": 4}
MOVING = {"phase": "moving"}

ROWS = [
    ("movement", movement({"moves": [{"way": "toward b9"}]}), "T5.1", "'toward b9' is not a direction"),
    ("movement", movement({"moves": [{"way": "around b1"}]}), "T5.1", "'around b1' is not a direction"),
    ("movement", movement({"moves": [{"way": 0, "face": 91}]}), "T5.1", "(0, 90, 180 or 270), not 91"),
    ("movement", movement({"moves": [{"way": 0, "face": "toward b9"}]}), "T5.1", "'toward b9' is not a facing"),
    ("movement", movement({"moves": [{"way": 0, "face": "bearing x"}]}), "T5.1", "'bearing x' is not a facing"),
    ("movement", movement({"moves": [{"way": 0, "face": "near 45"}]}), "T5.1", "'near 45' is not a facing"),
    ("movement", movement({}, "b1"), "T1.1", "no such tank in play"),
    ("movement", {"sequence": ["a1", "b1"]}, "T1.1", "no such tank in play"),
    ("movement", {"early": {"b1": {"way": 0}}}, "T1.1", "no such tank in play"),
    ("movement", {"early": {"a1": {"way": 0}}}, "T2.2", "no card lets this tank move before the others"),
    (
        "movement",
        movement({"tactic": "hunt", "use": ["sandbags"]}),
        "T1.1",
        "an order to hunt cannot also name moves",
    ),
    ("movement", movement({"tactic": "hunt", "prey": "b9"}), "T1.1", "'b9' is not an enemy"),
    ("movement", movement({"prey": "a2"}), "T1.1", "'a2' is not an enemy"),
    ("movement", when("moved", "b1", "b2"), "T1.1", "'moved' must name 1 of the tanks"),
    ("movement", when("sees", "b1"), "T1.1", "'sees' must name 2 of the tanks"),
    ("movement", when("near", "b1", "b9", within=100), "T1.1", "'near' must name 2 of the tanks"),
    ("movement", when("out", "b9"), "T1.1", "'out' must name 1 of the tanks"),
    ("shooting", {"orders": {"a1": [{"targets": ["b9"]}]}}, "T7.1", "no tank has that name"),
    ("shooting", {"orders": {"a1": [{"targets": ["b3"]}]}}, "T7.1", "the target is not in play"),
    ("shooting", {"orders": {"a1": [{"targets": ["a2", "best"]}]}}, "T7.1", "the target is not an enemy"),
    ("shooting", {"orders": {"b1": [{"targets": ["a1"]}]}}, "T1.1", "no such tank in play"),
    ("shooting", {"orders": {"a1": [{"when": [{"what": "out", "units": []}]}]}}, "T1.1", "must name 1 of the tanks"),
    ("shooting", {"sequence": ["b1"]}, "T1.1", "no such tank in play"),
    ("shoot a1", "best", "T7.1", "name exactly one target"),
    ("shoot a1", "b3", "T7.1", "the target is not in play"),
    ("initiative", "superb-commander", "T2.4", "as a list"),
    ("initiative", [["a1", "sandbags"]], "T2.4", "cannot be used now"),
    ("initiative", [["a2", "superb-commander"]], "T2.4", "cannot be used now"),
    ("initiative", ["a1"], "T2.4", "cannot be used now"),
    ("aim a1", "sandbags", "T2.4", "as a list"),
    ("aim a1", [1], "T2.4", "as a list"),
    ("aim a1", ["sandbags"], "T2.4", "a1 cannot use that card now"),
    ("convert a1", ["big-gun"], "T2.4", "a1 cannot use that card now"),
    ("save a1", {"by": "camouflage", "dice": [0]}, "T2.4", "a1 cannot use that card now"),
    ("save a1", {"by": "sandbags", "dice": []}, "T2.2", "at most 4 of the dice can be rerolled"),
    ("save a1", {"by": "sandbags", "dice": [4]}, "T2.2", "at most 4 of the dice can be rerolled"),
    ("save a1", {"by": "sandbags", "dice": [-1]}, "T2.2", "at most 4 of the dice can be rerolled"),
    ("reroll a1", {"by": "stationary", "dice": []}, "T7.5", "dice are numbered 1 to 4"),
    ("reroll a1", {"by": "stationary", "dice": [0, 1, 2, 4]}, "T7.5", "dice are numbered 1 to 4"),
    ("reroll a1", {"by": "stationary", "dice": [-1, 0, 1, 2]}, "T7.5", "dice are numbered 1 to 4"),
    ("reroll a1", {"by": "precise-loader", "dice": [0]}, "T2.4", "a1 cannot use precise-loader now"),
    ("cancel a1", {"hits": 3, "criticals": -1}, "T7.10", "exactly 2"),
    ("cancel a1", {"hits": 0, "criticals": 2}, "T7.10", "exactly 2"),
    ("cancel a1", {"hits": 1, "criticals": 0}, "T7.10", "exactly 2"),
    ("cancel a1", {"hits": -1, "criticals": 1}, "T7.10", "exactly 2"),
    ("pick a1", "spalling", "T2.2", "keep one of the two cards"),
    ("again a1", "b2", "T2.2", "a1 cannot attack that tank a second time"),
    ("command", {"b1": {"repair": "jammed-turret"}}, "T1.1", "no such tank in play"),
    ("command bravo", {"b1": {"repair": "bailed-out"}}, "T8.3", "b1 has no bailed-out to repair"),
    ("command bravo", {"b2": {"move": {"way": 180}}}, "T2.3", "Bailed Out prevents the tank from moving"),
    ("command bravo", {"b1": {"move": {"way": 180, "face": 1}}}, "T5.1", "a facing must be square to the arrow"),
    ("command bravo", {"b1": {"move": {"way": 0}}}, "T5.4", "move 1 would leave the table"),
    ("role", {"role": "umpire"}, "T3.2", "the role must be attacker or defender"),
    ("role", {"edge": "middle"}, "T3.2", "the edge must be north, east, south or west"),
    ("terrain", {"lake": [[4500, 4500, 0]]}, "T3.1", "only woods and buildings can be placed"),
    ("terrain", {"wood": [[4500, 7500, 0]]}, "T3.1", "must be more than one arrow from the table edge"),
    ("terrain", {"wood": [[7500, 4500, 0]]}, "T3.1", "must be more than one arrow from the table edge"),
    ("deploy", {"places": {"b1": [4500, 8500, 0]}}, "T3.3", "that is not your tank"),
    ("deploy", {"places": {"a1": [4500, 8900, 0]}}, "T3.3", "the tank would not be on the table"),
    ("deploy", {"places": {"a1": [7000, 8300, 0]}}, "T6.1", "the tank would overlap building-1"),
    ("deploy", {"places": {"a1": [4500, 8500, 0]}}, "T5.4", "the tank would overlap b1"),
    ("deploy", {"early": {"a1": {"way": 0}}}, "T2.2", "no card lets this tank move before the others"),
    ("deploy", {"early": {"b1": {"way": 0}}}, "T3.3", "that is not your tank"),
]
ABOUT = {
    "cancel": CANCEL,
    "reroll": DICE,
    "save": {"shooter": "b1", "dice": [1, 1, 1, 1], "threats": 2, "used": []},
    "initiative": MOVING,
    "aim": {"close": False},
    "convert": {"target": "b1", "hits": 1, "criticals": 0},
    "pick": {"cards": ["busted-track", "lost-bearings"], "target": "b1"},
    "again": {"target": "b1", "hit": True},
}


def ask_of(said: str) -> Ask:
    kind, _, subject = said.partition(" ")
    seat = "bravo" if subject == "bravo" else "alpha"
    return Ask(seat, kind, "T1.1", subject="" if subject == "bravo" else subject, about=ABOUT.get(kind, {}))


@pytest.mark.parametrize("said, answer, rule, why", ROWS, ids=[f"{row[0]}: {row[3]}" for row in ROWS])
def test_a_bad_answer_is_refused_with_its_rule(said, answer, rule, why):
    view = before_deployment() if said in ("deploy", "terrain") else state()
    with pytest.raises(Refusal) as refused:
        check(a_data(), view, ask_of(said), answer)
    found = [objection for refusal in each(refused.value) for objection in refusal.objections]
    assert why in assert_rule([objection for objection in found if why in objection.english], rule).english
    assert len(found) == 1 or rule == "T1.1" or said == "deploy", found  # nothing else is held against it


@pytest.mark.parametrize(
    "said, answer, accepted",
    [
        ("movement", None, None),
        ("movement", movement({"moves": [{"way": 5}, {"way": "away b1", "face": "bearing 45"}]}), None),
        ("movement", {"sequence": ["a2", "a1"]}, None),
        ("shooting", {"orders": {"a1": [{"targets": ["b1", "weakest"]}]}}, None),
        ("shoot a1", None, None),
        ("initiative", None, []),
        ("initiative", [["a1", "superb-commander"], ["a1", "superb-commander"]], [["a1", "superb-commander"]]),
        ("aim a1", None, []),
        ("ward a1", [], []),
        ("convert a1", None, []),
        ("cancel a1", {"hits": 1, "criticals": 1}, {"criticals": 1, "hits": 1}),
        ("reroll a1", {"dice": [3, 2, 1, 0, 0]}, {"by": "stationary", "dice": [0, 1, 2, 3], "keeps": 0}),
        ("save a1", {"by": "sandbags", "dice": [3, 1, 0, 2]}, {"by": "sandbags", "dice": [0, 1, 2, 3]}),
        ("pick a1", "lost-bearings", "lost-bearings"),
        ("again a1", None, None),
        ("command", None, {}),
        ("command bravo", {"b2": {"repair": "bailed-out"}, "b1": {}}, {"b1": {}, "b2": {"repair": "bailed-out"}}),
        ("role", {}, {"edge": "north", "role": "attacker"}),
    ],
)
def test_a_good_answer_is_put_in_its_one_form(said, answer, accepted):
    ask = ask_of(said)
    given = {} if said == "movement" and answer is None else answer
    assert check(a_data(), state(), ask, given) == (given if accepted is None and given is not None else accepted)


@pytest.mark.parametrize(
    "said, expected",
    [
        ("command bravo", [{}, {"b1": {"repair": "jammed-turret"}}]),
        ("cancel a1", [{"criticals": 1, "hits": 1}, {"criticals": 0, "hits": 2}]),
        ("initiative", [[], [["a1", "superb-commander"]]]),
        ("shoot a1", [None, "b1", "b2"]),
        ("again a1", [None]),
        ("pick a1", ["busted-track", "lost-bearings"]),
        ("save a1", [None, {"by": "sandbags", "dice": [0, 1, 2, 3]}]),
        ("reroll a1", [None, {"by": "stationary", "dice": [0, 1, 2, 3], "keeps": 0}]),
        ("role", [{"edge": edge, "role": "attacker"} for edge in ("north", "east", "south", "west")]),
    ],
)
def test_what_is_offered(said, expected):
    """Everything offered is accepted without changes; the first few offers are compared with a list."""
    ask, view = ask_of(said), state()
    offered = list(islice(options(a_data(), view, ask), 40))
    assert offered[: len(expected)] == expected
    assert [check(a_data(), view, ask, option) for option in offered] == offered


def test_T9_2_blitzkrieg_is_offered_in_every_direction_that_stays_on_the_table():
    """b1 (295 by 145 from its centre) is at 2000/2000, heading south; b2 has bailed out.

    North (295 + 1500 + 295 = 2090) and west (145 + 1500 + 295 = 1940) end off the table. To the
    north-east, the arrow starts at the side of the hull, 145 / 0.707107 = 205 from its centre. The centre moves
    205 + 1500 + 295 = 2000, which is 1414 to the north, to y 586. The hull extends (295 + 145) x 0.707107 = 311
    further, so it stays on the table.
    """
    offered = list(options(a_data(), state(), ask_of("command bravo")))
    ways = [option["b1"]["move"]["way"] for option in offered if "move" in option.get("b1", {})]
    assert ways == [45, 90, 135, 180, 225, 315]
    assert not any("move" in option.get("b2", {}) for option in offered)
