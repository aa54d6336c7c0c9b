"""4.2.1 Orders that would be accepted and then do nothing are refused, with the rule and what can be sent instead."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.builders import a_board, a_hex
from titles.panzer.combinations.turns import at_commands, read
from titles.panzer.playing import begin

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Submission
from pbem.titles.panzer.decisions.movement import Moves, Reroute
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.state import Battery, Command, Inside, Mission, PanzerState, Spot, Unit

FREE = tuple(rule for rule in ADVANCED_RULES if rule != "command_control")
SQUAD, SOVIET, SECTION = "german_rifle_squad", "soviet_rifle_squad", "german_section"
ENEMIES = a_leg("s1", "C14", SOVIET, spot=Spot.FIRE), a_tank("s9", "T19", "zis5")


def ordered(text: str, *units: Unit, board: Any = None, **more: Any) -> Submission:
    """The orders of the German side, as the server reads them."""
    data = advanced_data(board, rules=FREE) if board else advanced_data(rules=FREE)
    return read(at_commands(data, an_advanced_state(*units, *ENEMIES, turn=1, **more), {}), "german", text)


def refused(text: str, *units: Unit, **more: Any) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        ordered(text, *units, **more)
    return refusal.value


# --- 4.5.1.1.5, 6.6.4.2 a manner of moving without a move ----------------------------------------------------------


TANK, MEN, OTHER = a_tank("g1", "C5"), a_leg("g2", "D5", SQUAD), a_tank("g3", "E5")


@pytest.mark.parametrize(
    ("orders", "rule", "instead"),
    [
        ("g1 move stop when hit", "4.5.1.1.5", "g1 move"),
        ("g1 road", "4.5.1.1.5", "g1 move"),
        ("g1 move road", "4.5.1.1.5", "g1 move"),
        ("g2 quick", "6.6.4.2", "g2 move"),
        ("g2 move stop when hit", "4.5.1.1.5", "g2 move"),
    ],
)
def test_4_5_1_1_5_how_to_move_without_a_move_is_refused(orders: str, rule: str, instead: str):
    refusal = refused(orders, TANK, MEN)
    assert_rule(refusal, rule)
    assert list(refusal.instead) == [instead] and refusal.line == orders
    assert ordered(instead, TANK, MEN).plan == {}


def test_4_5_1_1_5_how_to_move_counts_with_a_move():
    said = ordered("g1 move f stop when hit\ng2 quick D6", TANK, MEN)
    assert said.plan["move"] == {"g1": {"acts": ["f"], "stop": True}, "g2": {"mode": "quick", "acts": ["to:D6"]}}


# --- R-11 an order of units that take no part ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "orders",
    ["order of g3 g2 g1\ng1 move f\ng3 move f", "order of g2 g1\ng1 move f", "order of moves g2 g1\ng1 move f"],
)
def test_r_11_an_order_names_only_units_that_take_part(orders: str):
    refusal = refused(orders, TANK, MEN, OTHER)
    assert_rule(refusal, "panzer/orders")
    assert (refusal.part, refusal.line) == ("g2", orders.splitlines()[0])


def test_r_11_an_order_for_both_needs_a_unit_to_take_part_in_one_of_them():
    said = ordered("order of g3 g1\ng1 move f\ng3 move f", TANK, MEN, OTHER)
    assert said.plan["order"] == {"move": ["g3", "g1"]}


# --- 6.6.7.1.1 getting on and off takes the whole move -------------------------------------------------------------


TRUCK = a_tank("g1", "C5", "opel")


@pytest.mark.parametrize(
    "orders", ["move D4 mount g1", "mount g1 stop when hit", "mount g1 face 3", "quick mount g1"]
)
def test_6_6_7_1_1_a_unit_that_mounts_does_nothing_else(orders: str):
    refusal = refused(f"g2 {orders}", TRUCK, MEN)
    assert_rule(refusal, "6.6.7.1.1", why="a unit that is picked up cannot do anything else in its move")
    assert list(refusal.instead) == ["g2 mount g1"]
    assert ordered("g2 mount g1", TRUCK, MEN).plan["move"] == {"g1": {"mode": "stay", "acts": ["mount:g2"]}}


@pytest.mark.parametrize("orders", ["dismount stop when hit", "quick dismount"])
def test_6_6_7_a_passenger_that_dismounts_has_no_other_words(orders: str):
    rider = a_leg("g2", "C5", SQUAD, aboard="g1")
    assert_rule(refused(f"g2 {orders}", TRUCK, rider), "6.6.7")
    assert ordered("g2 dismount", TRUCK, rider).plan["move"] == {"g1": {"mode": "stay", "acts": ["dismount:g2"]}}


# --- 6.5.1 calls -------------------------------------------------------------------------------------------------


OBSERVERS = a_leg("g1", "C8", SECTION, labels=("fo",)), a_leg("g3", "D8", SECTION, labels=("fo",))
BATTERIES = {
    id: Battery(id=id, name=id, side="german", card="german_medium", formation="german") for id in ("gb1", "gb2")
}
MISSION = Mission(
    id="m1", side="german", observer="g1", firers=("gb1",), point=a_hex("C14"), started=1, done_in=0, sheaf="closed"
)


@pytest.mark.rule("6.5.1")
def test_6_5_1_a_battery_called_by_two_observers_is_refused_with_the_order():
    refusal = refused("g1 call gb1 at C14\ng3 call gb1 at C14", *OBSERVERS, batteries=BATTERIES)
    assert_rule(refusal, "6.5.1", why="gb1 is called for two missions, but can fire only once a turn")
    assert refusal.line == "g3 call gb1 at C14"
    said = ordered("g1 call gb1 at C14\ng3 call gb2 at C14", *OBSERVERS, batteries=BATTERIES)
    assert [call["firers"] for call in said.plan["missions"]] == [["gb1"], ["gb2"]]


@pytest.mark.parametrize("going_on", ["m1 continue", "m1 adjust C14 with gb2"])
def test_6_5_1_8_a_battery_that_goes_on_firing_cannot_be_called_by_another_observer(going_on: str):
    refusal = refused(f"{going_on}\ng3 call gb1 at C14", *OBSERVERS, batteries=BATTERIES, missions={"m1": MISSION})
    assert "6.5.1" in str(refusal) and "gb1 is called for two missions" in str(refusal)


@pytest.mark.rule("5.1.3.1")
@pytest.mark.parametrize("orders", ["g1 call g2 at C14", "g1 call g2 at C14\ng2 fire"])
def test_5_1_3_1_a_mortar_called_upstairs_hears_why_it_cannot_fire(orders: str):
    board = a_board(signs={"C1": "B", "C7": "W"}, storeys={"C1": 2})
    for inside in (Inside.NO, Inside.UP):
        crew = a_leg("g2", "C1", SQUAD, weapons=("german_grw34",), inside=inside)
        if inside is Inside.NO:
            assert ordered(orders, OBSERVERS[0], crew, board=board).answer["g2"] == "fire"
            continue
        refusal = refused(orders, OBSERVERS[0], crew, board=board)
        assert_rule(refusal, "5.1.3.1", why="the unit's 8cm GrW 34 cannot be fired from an upper floor")
        assert refusal.line == orders.splitlines()[-1]


# --- 6.6 a move written in answer to an ask ------------------------------------------------------------------------


def asked(text: str, *units: Unit) -> Submission:
    """Read a line in answer to the ask for the next move."""
    state: PanzerState = an_advanced_state(*units, *ENEMIES, turn=1)
    return Moves(advanced_data(rules=FREE), state, Ask("german", "move", "6.6")).take(text)


@pytest.mark.parametrize(
    ("orders", "rule"),
    [
        ("g1 move search quick f l f f", "6.6.4.2"),
        ("g1 move f f f f f f f f f f f f", "4.5.1.1.9"),
        ("g1 move T1", "4.5.1.1.1"),
        ("g1 move overrun s9", "6.6.10"),
    ],
)
def test_6_6_a_move_that_cannot_be_made_is_refused_and_does_not_become_another(orders: str, rule: str):
    tank = a_tank("g1", "C5", command=Command.MOVE)
    with pytest.raises(Refusal) as refusal:
        asked(orders, tank)
    assert rule in str(refusal.value)
    assert refusal.value.line == orders
    assert asked("g1 move f", tank).answer == {"unit": "g1", "mode": "cross", "steps": ["f"]}
    assert asked("g1 move", tank).answer == {"unit": "g1", "mode": "cross", "steps": []}


def test_4_5_1_1_5_the_rest_of_a_move_is_given_by_its_steps_alone():
    tank = a_tank("g1", "C5", command=Command.MOVE)
    state = an_advanced_state(tank, *ENEMIES, turn=1)
    rest = Reroute(advanced_data(rules=FREE), state, Ask("german", "reroute", "4.5.1.1.5", subject="g1"))
    assert rest.take("move f r").answer == {"steps": ["f", "r"]}
    for words in ("road f", "move f stop when hit", "quick f"):
        with pytest.raises(Refusal):
            rest.take(words)


# --- 6.5.1.4 two lines about one battery ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "rule"),
    [
        ("register ab1 O8 O9\nregister ab1 O8", "panzer/orders"),
        ("register ab1 O8\nregister ab1 O9", "panzer/orders"),
        ("register ab1 O8 O8", "6.5.1.4"),
    ],
)
def test_6_5_1_4_the_points_of_a_battery_stand_in_one_line_and_each_once(lines: str, rule: str):
    match = begin("breach", "2024", "1")
    ask, view = match.run.ask_of("axis"), match.run.view("axis")
    with pytest.raises(Refusal) as refusal:
        match.rules.read(view, ask, lines)
    assert_rule(refusal.value, rule)
    assert match.rules.read(view, ask, "register ab1 O8 O9").answer == {"registered": {"ab1": ["O8", "O9"]}}
