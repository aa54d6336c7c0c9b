"""7.17, 6.6.7.2 The numbers of weapons after a loss, and the overwatch conditions of passengers."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.combinations.turns import a_turn

from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.cards.weapons import has_weapon, most_weapons
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.state import Spot

SQUAD, HALF, SOVIET = "german_rifle_squad", "german_rifle_half_squad", "soviet_rifle_squad"
FREE = tuple(rule for rule in ADVANCED_RULES if rule != "command_control")
ARMS = ("german_hmg", "german_grw36")

# --- 7.17 numbers of weapons ---------------------------------------------------------------------------------------


def under_fire(orders: str) -> Any:
    """A Soviet squad fires first and halves the German one, which loses one of its two weapons.

    A roll of 6 picks the second weapon to be rolled for first, with -2; both weapons then roll 6, and only the second
    is lost.
    """
    units = a_leg("g1", "C5", SQUAD, weapons=ARMS, facing=4), a_tank("g9", "T1", "opel")
    enemies = a_leg("s1", "C8", SOVIET, spot=Spot.FIRE), a_leg("s2", "C9", SOVIET, spot=Spot.FIRE)
    data = advanced_data(edition="2016", rules=(*FREE, "weapon_loss"))
    return a_turn(
        data, an_advanced_state(*units, *enemies, turn=1), dice={"6.5.4": 98, "7.17": 6},
        german=f"second\n{orders}", soviet="first\ns1 fire g1",
    )  # fmt: skip


@pytest.mark.rule("7.17", editions=("2016",))
def test_7_17_the_number_of_a_weapon_means_the_same_weapon_after_another_is_lost():
    """A roll of 6 picks the second of two weapons first: 6 - 2 loses it, and a 6 keeps the other."""
    turn = under_fire("g1 fire s1 with 2")
    assert turn.state.vehicles["g1"].weapons == ("german_hmg", "")
    assert [one.inputs["column"] for one in turn.of("6.5.4") if one.inputs["firer"] == "g1"] == ["P"]  # rifles: S
    assert_rule(turn.findings, "7.17", inputs={"weapon": "german_grw36"}, result="lost")


def test_7_17_an_order_for_a_weapon_that_was_lost_is_reported_as_failed():
    """The squad has to fire (4.4.1), so it uses another weapon than the lost one, and its owner is told."""
    turn = under_fire("g1 fire s1 with 3")
    assert turn.fails == ["g1 fire s1 with 3: the unit has no weapon number 3"]


@pytest.mark.parametrize(("number", "rifles"), [(1, True), (3, False)])
def test_7_17_the_number_of_a_mortar_does_not_change_with_the_loss_of_the_machine_gun(number: int, rifles: bool):
    units = a_leg("g1", "C5", HALF, weapons=("", "german_grw36"), facing=4), a_tank("g9", "T1", "opel")
    state = an_advanced_state(*units, a_leg("s1", "C8", SOVIET, spot=Spot.FIRE), turn=1)
    data = advanced_data(edition="2016", rules=(*FREE, "weapon_loss"))
    turn = a_turn(data, state, german=f"g1 fire s1 with {number}")
    assert [one.inputs["small_arms"] for one in turn.of("6.5.4")] == [rifles]


@pytest.mark.parametrize(("number", "had"), [(0, True), (1, False), (2, True), (3, False), (-1, False)])
def test_7_17_a_weapon_keeps_its_number_in_later_turns(number: int, had: bool):
    squad = a_leg("g1", "C5", HALF, weapons=("", "german_grw36"))
    data = advanced_data(edition="2016", rules=(*FREE, "weapon_loss"))
    assert has_weapon(data, squad, number) is had
    assert most_weapons(data, squad) == 2


def test_7_17_an_order_for_a_weapon_lost_in_an_earlier_turn_is_refused_with_the_others():
    units = a_leg("g1", "C5", HALF, weapons=("", "german_grw36"), facing=4), a_tank("g9", "T1", "opel")
    state = an_advanced_state(*units, a_leg("s1", "C8", SOVIET, spot=Spot.FIRE), turn=1)
    with pytest.raises(Refusal) as refusal:
        a_turn(advanced_data(edition="2016", rules=(*FREE, "weapon_loss")), state, german="g1 fire s1 with 2")
    assert "no weapon number 2" in str(refusal.value)
    assert list(refusal.value.instead) == ["g1 fire s1 with 1", "g1 fire s1 with 3"]


# --- 6.6.7.2 conditions for riders ---------------------------------------------------------------------------------


def from_a_halftrack(orders: str, carrier: str = "spw251") -> Any:
    units = a_tank("g1", "C5", carrier, facing=4), a_leg("g2", "C5", SQUAD, aboard="g1")
    enemies = a_leg("s1", "C8", SOVIET, spot=Spot.FIRE), a_tank("s9", "T19", "zis5")
    data = advanced_data(edition="2016", rules=FREE)
    return a_turn(data, an_advanced_state(*units, *enemies, turn=1), german=orders, soviet="s1 move C7")


@pytest.mark.parametrize(
    ("orders", "firers"),
    [
        ("g1 overwatch hit >= 0", ["g1", "g2"]),
        ("g1 overwatch hit >= 0\ng2 overwatch not s1", ["g1"]),
        ("g1 overwatch not s1\ng2 overwatch hit >= 0", ["g2"]),
        ("g1 overwatch\ng2 overwatch hit >= 0 range <= 3", ["g1", "g2"]),
        ("g1 overwatch hit >= 0\ng2 overwatch range <= 2", ["g1"]),
        ("g1 overwatch not s1\ng2 overwatch only s9", []),
    ],
)
def test_6_6_7_2_riders_have_conditions_of_their_own_under_their_carrier_s_overwatch(orders: str, firers: list[str]):
    turn = from_a_halftrack(orders)
    assert sorted({one.inputs.get("firer") for one in turn.of("6.5.4")}) == firers
    if "g2" in firers:
        assert_rule(turn.findings, "6.6.7.2", inputs={"unit": "g2"})
    for line in orders.split("\n")[1:]:
        assert line.split(" ")[0] + " overwatch" in turn.receipts["german"]


@pytest.mark.rule("6.6.7.2")
@pytest.mark.parametrize("carrier", ["", "g1 hold\n", "g1 move C6\n", "g1 fire s1\n"])
def test_6_6_7_2_a_rider_does_not_watch_from_a_vehicle_that_does_not(carrier: str):
    with pytest.raises(Refusal) as refusal:
        from_a_halftrack(f"{carrier}g2 overwatch range <= 3")
    assert_rule(refusal.value, "6.6.7.2")


def test_6_6_7_an_overwatch_of_a_rider_without_conditions_is_a_command_of_its_own():
    with pytest.raises(Refusal) as refusal:
        from_a_halftrack("g1 overwatch\ng2 overwatch")
    assert_rule(refusal.value, "6.6.7")


# --- 4.4.2 the conditions of each unit under a shared Overwatch ----------------------------------------------------


@pytest.mark.parametrize(
    ("orders", "firers"),
    [
        ("g1 overwatch hit >= 0\ng2 with g1 overwatch not s1", ["g1"]),
        ("g1 overwatch not s1\ng2 with g1 overwatch hit >= 0", ["g2"]),
        ("g1 overwatch hit >= 0\ng2 with g1", ["g1", "g2"]),
    ],
)
def test_4_4_2_a_unit_that_shares_an_overwatch_keeps_to_its_own_conditions(orders: str, firers: list[str]):
    """When one fires, the counter is used up for both, but neither fires at a unit that it was told to spare."""
    units = a_leg("g1", "C9", SQUAD, facing=4), a_leg("g2", "C9", SQUAD, facing=4), a_tank("g9", "T1", "opel")
    state = an_advanced_state(*units, a_leg("s1", "C11", SOVIET, spot=Spot.FIRE), turn=1)
    turn = a_turn(advanced_data(edition="2016"), state, german=orders, soviet="s1 move C10")
    assert sorted({one.inputs.get("firer") for one in turn.of("6.5.4")}) == firers


# --- 4.2.1 words that would change nothing -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "orders",
    [
        "g1 hold\nshow g1 never",
        "g2 overwatch\nshow g2 always",
        "g2 overwatch hit >= 101",
    ],
)
def test_4_2_1_a_word_that_would_change_nothing_is_refused(orders: str):
    """Only a Move or Short Halt can be shown (4.4.3.2.2), and no hit number exceeds 100."""
    units = a_tank("g1", "C9", "pz4h", facing=4), a_leg("g2", "D9", SQUAD, facing=4)
    state = an_advanced_state(*units, a_leg("s1", "C11", SOVIET, spot=Spot.FIRE), turn=1)
    with pytest.raises(Refusal) as refusal:
        a_turn(advanced_data(edition="2016", rules=FREE), state, german=orders)
    assert all(one.rule for one in refusal.value.objections)


@pytest.mark.parametrize("orders", ["g1 move C10\nshow g1 never", "g1 short-halt s1 gp\nshow g1 always"])
def test_4_4_3_2_2_a_move_or_short_halt_may_be_shown(orders: str):
    units = a_tank("g1", "C9", "pz4h", facing=4), a_tank("g9", "T1", "opel")
    state = an_advanced_state(*units, a_leg("s1", "C12", SOVIET, spot=Spot.FIRE), turn=1)
    turn = a_turn(advanced_data(edition="2016", rules=FREE), state, german=orders)
    assert "show g1" in turn.receipts["german"]
