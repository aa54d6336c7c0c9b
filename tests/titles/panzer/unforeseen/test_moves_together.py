"""Moves under one counter, riders in full cover, attacks on moving units, passengers that change places, and missions
that end by themselves.
"""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_leg, a_tank
from titles.panzer.artillery.test_observers import a_battery
from titles.panzer.builders import a_hex
from titles.panzer.movement.test_second_roads import a_barrage
from titles.panzer.obstacles.test_optional_mines import mines
from titles.panzer.unforeseen.test_rare_pairs import SECTION, SOVIET, SQUAD, play, where

from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.state import Mission, Spot

TANKS = a_tank("g1", "C9", facing=1), a_tank("g2", "C10", facing=1)
SQUADS = a_leg("g1", "C9", SQUAD), a_leg("g2", "C10", SQUAD)


@pytest.mark.rule("6.2.1.1.4/move", editions=("2016",))
@pytest.mark.parametrize(
    ("units", "orders"),
    [
        (TANKS, "g1 move C5\ng2 with g1 move C9"),
        (TANKS, "g1 move C6 face 1\ng2 with g1 move face 2"),
        (TANKS, "g1 move 3f\ng2 with g1 move r f"),
        (TANKS, "g2 with g1 move C7\ng1 move C10\norder of moves: g2, g1"),
        (SQUADS, "g1 move C7\ng2 with g1 move C10 face 2"),
        (SQUADS, "g1 quick C6\ng2 with g1 move C9"),
        ((*SQUADS, a_leg("s1", "C7", SOVIET, spot="fire")), "g1 assault s1 from C8\ng2 with g1 move C11"),
    ],
)
def test_6_2_1_1_4_moves_that_end_apart_under_one_counter_are_refused(units: Any, orders: str):
    """The units are Seasoned, so that those under one counter must end within one hex of each other."""
    with pytest.raises(Refusal) as refusal:
        play(units, orders, basis=ADVANCED_RULES)
    assert_rule(refusal.value, "6.2.1.1.4/move")


@pytest.mark.parametrize(
    ("units", "orders", "ends"),
    [
        (TANKS, "g1 move C5\ng2 with g1 move C6", ("C5", "C6")),
        (TANKS, "g1 move C5\ng2 with g1", ("C5", "C6")),
        (SQUADS, "g1 move C8\ng2 with g1 move C9", ("C8", "C9")),
        ((TANKS[0], a_tank("g2", "D10", facing=1)), "g1 hold\ng2 move D6", ("C9", "D6")),
        (
            (a_tank("g1", "C9", "spw251", facing=1), a_leg("g2", "C9", SECTION)),
            "g1 move mount g2 move C7\ng2 with g1",
            ("C7", "C7"),
        ),
    ],
)
def test_moves_that_end_together_or_need_not_are_played(units: Any, orders: str, ends: tuple[str, str]):
    """A unit without a goal follows; a passenger or a unit with a counter of its own need not."""
    turn = play(units, orders, basis=ADVANCED_RULES)
    assert (where(turn, "g1"), where(turn, "g2")) == ends


# --- 6.6.4.3 riders in full cover ----------------------------------------------------------------------------------


@pytest.mark.rule("6.6.4.3", editions=("2016",))
@pytest.mark.parametrize("rider", ["german_motorcycle_squad", "german_bicycle_squad"])
@pytest.mark.parametrize("orders", ["g1 move B10", "g1 crawl B10", "g1 crawl 5"])
def test_6_6_4_3_riders_in_full_cover_crawl_like_other_squads(rider: str, orders: str):
    """The book names squads, half-squads and sections without excepting riders; they keep facing and full cover."""
    turn = play([a_leg("g1", "C9", rider, full_cover=True, facing=1)], orders)
    unit = turn.state.vehicles["g1"]
    assert (where(turn, "g1"), unit.facing, unit.full_cover, unit.spot) == ("B10", 1, True, Spot.NONE)
    assert_rule(turn.findings, "6.6.4.3", result="crawling")


@pytest.mark.parametrize("orders", ["g1 move f", "g1 move B8", "g1 crawl A9", "g1 road C8"])
def test_riders_in_full_cover_do_not_ride(orders: str):
    with pytest.raises(Refusal):
        play([a_leg("g1", "C9", "german_motorcycle_squad", full_cover=True, facing=1)], orders)


# --- R-17 attacks on a unit that moves -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "orders", "danger", "end"),
    [
        (TANKS[0], "g1 move C6", "barrage", "C7"),
        (TANKS[0], "g1 move C6 stop when hit", "barrage", "C8"),
        (SQUADS[0], "g1 quick C6", "mines", "C7"),
        (SQUADS[0], "g1 quick C6 stop when hit", "mines", "C8"),
    ],
)
def test_r_17_a_unit_told_to_stop_when_hit_stops_after_mines_or_a_barrage(
    unit: Any, orders: str, danger: str, end: str
):
    """6.6.6, 7.31.2 The attack suppresses the unit; otherwise it goes on with half of what is left (6.6.2)."""
    more: Any = {"missions": a_barrage("C8")} if danger == "barrage" else {"features": [mines("C8", of="personnel")]}
    turn = play([unit], orders, rules=("minefields",), dice={"6.5.4": 99, "7.31": 1, "6.6.4.2": 99}, **more)
    assert where(turn, "g1") == end and turn.state.vehicles["g1"].suppressed


# --- 6.6.7.1.1 passengers that change places -----------------------------------------------------------------------


@pytest.mark.rule("6.6.7.1.1/passengers-mounting", effect=True)
@pytest.mark.parametrize(
    ("orders", "end"),
    [
        ("g3 dismount C9\ng2 mount g1", "C9"),
        ("g2 mount g1\ng3 dismount C9", "C9"),
        ("g1 move dismount g3 C9 f\ng2 mount g1", "C8"),
    ],
)
def test_6_6_7_1_1_one_squad_gets_off_and_another_takes_its_place(orders: str, end: str):
    """A vehicle handles any number of passengers in one hex, both ways at once, whatever line comes first."""
    units = a_tank("g1", "C9", "spw251", facing=1), a_leg("g2", "C9", SQUAD), a_leg("g3", "C9", SQUAD, aboard="g1")
    state = play(units, orders).state
    assert (state.vehicles["g2"].aboard, state.vehicles["g3"].aboard) == ("g1", "")
    assert state.vehicles["g1"].hex == a_hex(end)


# --- 6.5.1.9 missions that end by themselves -----------------------------------------------------------------------


@pytest.mark.rule("6.5.1.9", editions=("2016",))
@pytest.mark.parametrize("observer", ["", "g1 hold\n", "g1 overwatch\n"])
def test_6_5_1_9_an_order_to_check_a_mission_that_ends_by_itself_has_not_failed(observer: str):
    """Without Overwatch its observer cannot observe, so the mission ends before it is the owner's turn to end it."""
    mission = Mission(id="m1", side="german", observer="g1", firers=("gb1",), point=a_hex("C10"), sheaf="closed")
    units = a_leg("g1", "C3", SECTION, labels=("fo",)), a_tank("s1", "C10", "t34_76")
    turn = play(units, f"{observer}m1 check", missions={"m1": mission}, batteries={"gb1": a_battery()})
    assert_rule(turn.findings, "6.5.1.9", result="checked")
    assert turn.state.missions == {} and turn.fails == []


# --- 6.2.1.1.4 targets under one counter ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("orders", "refused"),
    [
        ("g1 fire s1\ng2 with g1 fire s2", True),
        ("g1 fire s1\ng2 with g1 fire s2\norder of fire: g2 g1", True),
        ("g1 short-halt s1\ng2 with g1 short-halt s2 move C9", True),
        ("g1 fire s1\ng2 with g1 fire s2 s3", False),
        ("g1 fire s1\ng2 with g1 fire s3", False),
    ],
)
def test_6_2_1_1_4_targets_under_one_counter_are_near_each_other(orders: str, refused: bool):
    """Targets of Seasoned units that share a Fire are one hex apart: s3 is next to s1, but s2 is three hexes away."""
    enemies = [a_leg(id, hex, SOVIET, spot=Spot.FIRE) for id, hex in (("s1", "C6"), ("s2", "F6"), ("s3", "D6"))]
    if not refused:
        assert play([*TANKS, *enemies], orders, basis=ADVANCED_RULES).fails == []
        return
    with pytest.raises(Refusal) as refusal:
        play([*TANKS, *enemies], orders, basis=ADVANCED_RULES)
    assert_rule(refusal.value, "6.2.1.1.4/fire")
