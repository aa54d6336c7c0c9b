"""T2.4 Words that would change nothing are refused, because the matter is already decided in the open."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.tanks.builders import MOVEMENT, SHOOTING, a_table, a_tank, check, lines_refused, options, read

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal

MOVED: dict[str, Any] = {"speed": 1}


def refused(ask: Ask, text: str, *tanks: Any) -> Refusal:
    table = a_table(*tanks, a_tank("b1", 5000, 1500, 180))
    with pytest.raises(Refusal) as refusal:
        read(table.data, table.state, ask, text)
    return refusal.value


def taken(ask: Ask, text: str, *tanks: Any) -> None:
    table = a_table(*tanks, a_tank("b1", 5000, 1500, 180))
    check(table.data, table.state, ask, read(table.data, table.state, ask, text).answer)


# --- T7.5 rolling again after a move -------------------------------------------------------------------------------


@pytest.mark.rule("T7.5")
@pytest.mark.parametrize("wish", ["always", "never", "below 2"])
def test_T7_5_a_tank_that_has_moved_is_not_told_when_to_roll_again(wish: str):
    text = f"a1: shoot b1\na1: reroll {wish}"
    assert_rule(refused(SHOOTING, text, a_tank("a1", 5000, 8000, **MOVED)), "T7.5")
    taken(SHOOTING, text, a_tank("a1", 5000, 8000))


# --- T2.2 cards for a tank that stands still -----------------------------------------------------------------------


@pytest.mark.rule("T2.2")
def test_T2_2_nets_are_not_used_by_a_tank_that_has_moved():
    moved, still = (a_tank("a1", 5000, 8000, cards=["camouflage"], **more) for more in (MOVED, {}))
    assert_rule(refused(SHOOTING, "a1: use camouflage", moved), "T2.2")
    taken(SHOOTING, "a1: use camouflage", still)
    taken(MOVEMENT, "a1: use camouflage", still)


def test_T2_2_oskin_still_shoots_earlier_after_a_move():
    """Oskin's initiative does not depend on moving, so the card has an effect."""
    taken(SHOOTING, "a1: use oskin", a_tank("a1", 5000, 8000, 0, "t-34", cards=["oskin"], **MOVED))


# --- T2.4 one card used and kept -----------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [True, False])
def test_T2_4_a_card_is_not_kept_and_used_for_moves_in_one_form(first: bool):
    """Keeping a card and using it for moves in one form is refused; otherwise one of the two lines
    would be dropped."""
    lines = ["a1: keep supercharger", "a1: use supercharger then move 0 then move 0 then move 0"]
    text = "\n".join(lines if first else reversed(lines))
    assert "contradicts" in str(refused(MOVEMENT, text, a_tank("a1", 5000, 8000, cards=["supercharger"])))


# --- proposals -----------------------------------------------------------------------------------------------------


def test_T1_1_what_is_proposed_for_a_line_is_accepted_in_its_place():
    """Moves for a1 used to be proposed, although the line before would have kept them from being carried out."""
    refusal = refused(MOVEMENT, "a1: hunt\na1: rush", a_tank("a1", 5000, 8000))
    assert "earlier line" in str(refusal)
    assert list(refusal.instead) == []


@pytest.mark.rule("T1.1")
@pytest.mark.parametrize(
    "line, why",
    [
        ("a1: if b1 shot at: hunt", "no tank is shot at before the Shooting Phase"),
        ("a1: if a1 sees me: hunt", "“a1 sees a1” names the same tank twice"),
        ("a1: if b1 within 2000 mm of b2: hunt", "“b1 within 2000 mm of b2” is true anywhere on this table"),
        ("a1: if b1 moved and b1 moved: hunt", "“b1 moved” is given twice"),
        ("a1: if b1 moved and b1 stayed: hunt", "“b1 moved” and “b1 stayed” are never both true"),
    ],
)
def test_T1_1_a_condition_that_decides_nothing_is_refused(line: str, why: str):
    table = a_table(a_tank("a1", 4500, 8000), a_tank("b1", 3000, 1000), a_tank("b2", 6000, 1000), phase="movement")
    with pytest.raises(Refusal) as refusal:
        read(table.data, table.state, MOVEMENT, line)
    assert_rule(refusal.value, "T1.1", why=why)


@pytest.mark.rule("T2.2")
def test_T2_2_a_supercharger_is_not_spent_on_moves_that_need_none():
    """Two moves are allowed without the card; a third one needs it."""
    table = a_table(a_tank("a1", 4500, 8000, cards=["supercharger"]))
    with pytest.raises(Refusal) as refusal:
        read(table.data, table.state, MOVEMENT, "a1: use supercharger then move 0 then move 90")
    assert_rule(refusal.value, "T2.2", why="the tank can make 2 moves without that card")
    assert list(refusal.value.instead) == ["a1: move 0 then move 90"]
    assert read(table.data, table.state, MOVEMENT, "a1: use supercharger then move 0 then move 0 then move 90")


@pytest.mark.parametrize(
    "said, meant",
    [
        ("a1: move to 300 200", "a1: move toward 300 200"),
        ("a1: drive to b1", "a1: drive toward b1"),
        ("a1: move 0 face to b1", "a1: move 0 face toward b1"),
    ],
)
def test_a_move_to_a_place_is_not_read_as_two_bearings(said: str, meant: str):
    """`to` is a filler, so that `move to 300 200` was read as two moves, by the bearings 300 and 200."""
    table = a_table(a_tank("a1", 4500, 4500), a_tank("b1", 3000, 1000))
    assert meant in lines_refused(table, MOVEMENT, said)


def test_moves_that_are_offered_begin_where_richards_move_ends():
    table = a_table(a_tank("a1", 4500, 2000, cards=["richards"]), a_tank("b1", 4500, 8000))
    offered = list(options(table.data, table.state, MOVEMENT))
    assert any("early" in form for form in offered)
    for form in offered:
        check(table.data, table.state, MOVEMENT, form)
