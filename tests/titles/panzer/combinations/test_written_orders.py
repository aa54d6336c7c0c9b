"""4.2.1 Written orders are carried out as written, despite standing orders, other lines or the end of a turn."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.artillery.test_observers import mortar
from titles.panzer.builders import a_hex
from titles.panzer.combinations.turns import Turn, a_turn

from pbem.engine.rules.findings import happenings_in
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.command.dischargers import BLOWN, SMOKED
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.scenario import AircraftRow, Conditions
from pbem.titles.panzer.state import (
    AircraftState,
    Battery,
    Feature,
    HiddenCounter,
    Leg,
    Mission,
    PanzerState,
    PlannedFire,
)

FREE = tuple(rule for rule in ADVANCED_RULES if rule != "command_control")
SQUAD, SOVIET, SECTION = "german_rifle_squad", "soviet_rifle_squad", "german_section"


# --- 6.5.1.8 a mortar in a mission that is told to fire at something else ------------------------------------------


def a_barrage_goes_on(firers: tuple[str, ...], orders: str) -> Turn:
    """An FO keeps up fire on s1, which the mortar cannot see; the mortar sees s2."""
    data = advanced_data(rules=FREE)
    units = a_leg("g1", "C5", SECTION, labels=("fo",)), mortar(data, "g2", "C1")
    enemies = a_leg("s1", "C14", SOVIET), a_leg("s2", "C8", SOVIET)
    mission = Mission(
        id="m1", side="german", observer="g1", firers=firers, point=a_hex("C14"), started=1, done_in=1,
        sheaf="closed" if "gb1" in firers else "on_map",
    )  # fmt: skip
    battery = Battery(id="gb1", name="gb1", side="german", card="german_medium", formation="german")
    state = an_advanced_state(*units, *enemies, turn=2, missions={"m1": mission}, batteries={"gb1": battery})
    return a_turn(data, state, german=orders)


def fired_at(turn: Turn) -> list[Any]:
    return [one.inputs["target"] for one in turn.of("4.4.1")]


def test_6_5_1_8_the_stock_standing_orders_do_not_take_a_mortar_from_its_target():
    turn = a_barrage_goes_on(("g2",), "g1 overwatch\ng2 fire s2")
    assert fired_at(turn) == ["s2"] and turn.fails == []
    assert_rule(turn.findings, "6.5.1.9", result="checked")


@pytest.mark.parametrize("mission", ["", "m1 continue\n", "m1 continue with gb1\n"])
def test_6_5_1_8_the_battery_goes_on_without_the_mortar_that_has_a_target(mission: str):
    turn = a_barrage_goes_on(("gb1", "g2"), f"{mission}g1 overwatch\ng2 fire s2")
    assert fired_at(turn) == ["s2"] and turn.fails == []
    assert turn.of("6.5.1.8.1")[0].result == ["gb1"]


@pytest.mark.parametrize(("orders", "told"), [("g2 fire s2", True), ("g2 fire", False)])
def test_4_2_1_a_mortar_told_to_do_both_says_that_it_fired_in_the_mission(orders: str, told: bool):
    """The mortar fires directly only if the mission cannot be sustained."""
    turn = a_barrage_goes_on(("g2",), f"m1 continue\n{orders}")
    assert turn.of("6.5.1.8.1")[0].result == ["g2"] and fired_at(turn) == []
    assert turn.fails == (["g2 fire s2: the unit fired in m1 instead, and can fire only once a turn"] if told else [])


def test_6_5_1_8_only_those_who_fire_in_a_mission_go_on():
    with pytest.raises(Refusal) as refusal:
        a_barrage_goes_on(("gb1",), "m1 continue with g2")
    assert_rule(refusal.value, "6.5.1.8")


# --- 6.8.1 a facing that the orders name ---------------------------------------------------------------------------


@pytest.mark.rule("6.8.1", effect=True)
@pytest.mark.parametrize("edition", ["2024", "2016"])
@pytest.mark.parametrize(
    ("unit", "order"),
    [
        (a_leg("g1", "D8", SQUAD), "g1 move 1 face 3"),
        (a_leg("g1", "D8", "german_motorcycle_squad"), "g1 move D7 face 3"),
        (a_leg("g1", "D8", "german_motorcycle_squad"), "g1 move f r r"),
    ],
)
def test_6_8_1_standing_orders_leave_the_facing_with_which_a_move_was_ordered_to_end(unit, order, edition):
    """Motorcycles turn as vehicles do while they move, but may pivot at the end of the turn as leg units."""
    data = advanced_data(edition=edition, rules=FREE)
    state = an_advanced_state(unit, a_tank("s1", "D15", "t34_76"))
    turn = a_turn(data, state, german=order, standing={"german": ["pivot: nearest"]})
    assert turn.state.vehicles["g1"].facing == 3
    assert turn.of("6.8.1") == []


# --- 7.9 dischargers that are ordered with the turn before --------------------------------------------------------


def smoking(turns: int, **more: Any) -> Turn:
    data = advanced_data(rules=(*FREE, "smoke_dischargers"), turns=turns)
    state = an_advanced_state(a_tank("g1", "C5", "pz3m", facing=4, **more), a_tank("s1", "C15", "t34_76"), turn=1)
    return a_turn(data, state, dice={"7.9": 1}, german="g1 hold\ng1 discharge")


@pytest.mark.rule("7.9")
def test_7_9_the_orders_of_a_turn_fire_the_dischargers_before_the_next_turn_s_commands():
    turn = smoking(turns=3)
    assert_rule(turn.findings, "7.9", inputs={"unit": "g1", "limit": 6}, result="smoke")
    assert turn.state.turn == 2 and turn.fails == []


@pytest.mark.rule("7.9")
@pytest.mark.parametrize("flag", [SMOKED, BLOWN])
def test_7_9_dischargers_do_not_fire_in_two_turns_running(flag: str):
    with pytest.raises(Refusal) as refusal:
        smoking(turns=3, flags=(flag,))
    assert_rule(refusal.value, "7.9")


@pytest.mark.rule("7.9")
def test_7_9_nothing_comes_after_the_last_turn():
    with pytest.raises(Refusal) as refusal:
        smoking(turns=1)
    assert_rule(refusal.value, "7.9")


# --- 6.5.1.1 an observer that is told to do two things ------------------------------------------------------------


@pytest.mark.rule("6.5.1.1")
@pytest.mark.parametrize("orders", ["g1 call gb1 at C8\ng1 call g2 at C14", "m1 continue\nm1 check"])
def test_6_5_1_1_an_observer_has_one_target_hex_a_turn(orders: str):
    """The order for a second target hex used to be accepted and dropped."""
    with pytest.raises(Refusal) as refusal:
        a_barrage_goes_on(("g2",) if "m1" in orders else (), orders)
    assert_rule(refusal.value, "6.5.1.1")


# --- 4.2.1 every word of an accepted text changes something, or is refused ---------------------------------------


@pytest.mark.rule("5.14", effect=True)
@pytest.mark.parametrize(
    ("orders", "rule"),
    [
        ("g1 demolish f1", "7.19"),
        ("g2 turret 2", "7.8"),
        ("g2 shut", "7.8.3"),
        ("formations german", "7.42"),
        ("hide g1 at C6", "7.2.3"),
        ("dummy C7", "7.2.3"),
        ("g1 keeps s1", "7.7.2"),
        ("aspect g1 rear", "4.4.3.2.4"),
        ("g2 overwatch range<=0", "4.4.2"),
        ("g2 overwatch range<=8 range<=3", "panzer/orders"),
        ("g2 overwatch only s2 not s2", "panzer/orders"),
        ("g1 cover uncover", "panzer/orders"),
        ("g1 pivot 3\ng1 pivot 4", "panzer/orders"),
        ("first\nsecond", "panzer/orders"),
        ("show g1 always\nshow g1 never", "panzer/orders"),
        ("order of moves: g1 g2\ng1 move C7", "panzer/orders"),
        ("g1 move C7\ng2 move f\norder of moves: g1 g2\norder of moves: g2 g1", "panzer/orders"),
        ("g1 occupy f9", "panzer/orders"),
        ("g2 fire s2 ap gp", "5.14"),
        ("g2 fire s2 apcr gp", "5.14"),
        ("g2 fire s2 with 1 with 2", "5.14"),
    ],
)
def test_4_2_1_words_that_would_change_nothing_are_refused(orders: str, rule: str):
    with pytest.raises(Refusal) as refusal:
        a_turn(advanced_data(rules=FREE), two_against_two(), german=orders)
    assert_rule(refusal.value, rule)


@pytest.mark.parametrize(("die", "told"), [(1, 0), (10, 1)])
def test_5_16_2_3_who_has_no_smoke_left_is_told_so(die: int, told: int):
    state = an_advanced_state(a_tank("g1", "C6", "pz4h", facing=4), a_leg("s1", "C10", SOVIET))
    turn = a_turn(advanced_data(rules=FREE), state, german="g1 smoke at C8", dice={"5.16.2": die})
    shown = [one for one in happenings_in(turn.findings) if isinstance(one, Fail) and one.who == "g1"]
    assert len(turn.state.clouds) == 1 - told and len(shown) == told


def test_6_2_1_1_3_who_shares_with_one_that_shares_has_the_counter_of_the_first():
    """Sharing with a unit that itself shares used to make it impossible to write a receipt for `rest`."""
    squads = [a_leg(f"g{number}", "C6", SQUAD) for number in range(1, 9)]
    state = an_advanced_state(*squads, a_leg("s1", "C10", SOVIET))
    turn = a_turn(advanced_data(), state, german="g1 overwatch\ng2 with g1\ng3 with g2")
    assert "g2 with g1\ng3 with g1" in turn.receipts["german"]


@pytest.mark.parametrize(
    ("orders", "rule"),
    [
        ("g1 turret 2", "7.8"),
        ("g2 turret 7", "7.8.1"),
        ("g1 shut", "7.8.3"),
        ("g1 partial hull-down", "6.1.4.1.2"),
    ],
)
def test_6_8_a_unit_that_has_nothing_to_adjust_is_not_told_to(orders: str, rule: str):
    """A squad has neither turret nor hatches; such an order used to be accepted and failed at the end of the turn."""
    data = advanced_data(rules=(*FREE, "turrets"))
    with pytest.raises(Refusal) as refusal:
        a_turn(data, two_against_two(), german=orders)
    assert_rule(refusal.value, rule)
    assert a_turn(data, two_against_two(), german="rest turret 1\nrest shut").fails == []


def two_against_two() -> PanzerState:
    enemies = a_leg("s1", "C10", SOVIET), a_tank("s2", "D12", "t34_76")
    work = Feature(id="f1", type="hasty_entrenchment", hex=a_hex("G9"), stage=4, known=("german", "soviet"))
    return an_advanced_state(
        a_leg("g1", "C6", SQUAD), a_tank("g2", "D6", "pz4h", facing=4), *enemies, turn=2, features={"f1": work}
    )


@pytest.mark.parametrize(
    ("orders", "receipt"),
    [
        ("rest cover\ng1 uncover", "g1 uncover"),
        ("show always\nshow g1 never\ng1 move C7", "g1 move C7\nshow always\nshow g1 never"),
        ("order of g2 g1\ng1 move C7\ng2 move f", "g2 move f\ng1 move C7"),
        ("order of g2 g1\ng1 move C7\ng2 fire s2", "g1 move C7\ng2 fire s2"),
    ],
)
def test_4_2_1_a_line_of_its_own_stands_before_one_for_all(orders: str, receipt: str):
    data, state = advanced_data(rules=FREE), two_against_two()
    assert a_turn(data, state, german=orders).receipts["german"].strip() == receipt
    assert a_turn(data, state, german=receipt).receipts["german"].strip() == receipt


def test_6_8_an_adjustment_that_fails_is_told_in_the_words_of_its_order():
    turn = a_turn(advanced_data(rules=FREE), two_against_two(), german="g1 hold\ng1 uncover\ng1 vacate")
    assert [fail.partition(":")[0] for fail in turn.fails] == ["g1 uncover", "g1 vacate"]


# --- 6.5.1, 6.7.2.1 batteries and aircraft that are told to act twice --------------------------------------------


@pytest.mark.rule("6.5.1")
def test_6_5_1_a_battery_that_is_named_twice_does_not_fire_twice():
    """An FO can call two sources, but one battery named twice is still one source."""
    with pytest.raises(Refusal) as refusal:
        a_barrage_goes_on((), "g1 call gb1 gb1 at C8")
    assert_rule(refusal.value, "6.5.1")


@pytest.mark.parametrize(
    ("orders", "rule"),
    [
        ("ga1 fly C1 face 4 low strafe s1\nga1 fly D1 face 4 low strafe s2", "6.7.2.1"),
        ("ga1 fly C1 face 4 slow fast low strafe s1", "panzer/orders"),
        ("ga1 fly C1 face 4 face 3 low strafe s1", "panzer/orders"),
        ("g1 call gb1 at C10 closed open", "panzer/orders"),
        ("g1 call gb1 at C10 smoke gp", "panzer/orders"),
    ],
)
def test_4_2_1_what_is_said_twice_is_refused(orders: str, rule: str):
    state = two_against_two()
    state.aircraft["ga1"] = AircraftState(id="ga1", name="ga1", side="german", card="ju87b")
    state.batteries["gb1"] = Battery(id="gb1", name="gb1", side="german", card="german_medium", formation="german")
    row = AircraftRow("ga1", "ga1", "german", "ju87b", "seasoned")
    data = advanced_data(rules=FREE, aircraft=(row,), air_superiority="german")
    with pytest.raises(Refusal) as refusal:
        a_turn(data, state, german=orders)
    assert_rule(refusal.value, rule)


# --- 7.2 counters that can no longer do as ordered -----------------------------------------------------------------


def under_counters(orders: str, **enemy: str) -> Turn:
    """Two squads are under counters of their own: h1 is in range of an enemy gun, and h2 is unseen like
    the squad g3."""
    hidden = {
        id: HiddenCounter(id=id, side="german", hex=a_hex(hex), units=(unit,))
        for id, hex, unit in (("h1", "C5", "g1"), ("h2", "C15", "g2"))
    }
    units = [a_leg(unit, hex, SQUAD, flags=("hidden",)) for unit, hex in (("g1", "C5"), ("g2", "C15"))]
    data = advanced_data(rules=(*FREE, "hidden_units"), conditions=Conditions(hidden_counters={"german": 3}))
    state = an_advanced_state(
        *units, a_leg("g3", "C19", SQUAD), a_tank("s1", "T2", "t34_76"), turn=2, hidden_counters=hidden,
        batteries={"sb1": Battery(id="sb1", name="sb1", side="soviet", card="soviet_medium", formation="soviet")},
        planned={"p1": PlannedFire(
            id="p1", side="soviet", battery="sb1", turn=2, legs=(Leg(a_hex("C5"), "gp", "closed"),),
        )},
    )  # fmt: skip
    return a_turn(data, state, german=orders, **enemy)


def test_7_2_2_2_a_counter_that_was_revealed_does_not_stop_the_others():
    """7.2.2.3: planned fire reveals h1 before it moves, but h2 moves as ordered."""
    turn = under_counters("h1 sneak C6\nh2 sneak C14")
    assert "h1" not in turn.state.hidden_counters
    assert turn.state.hidden_counters["h2"].hex == a_hex("C14")
    assert turn.fails == ["h1 sneak C6: the unit is no longer on the map"]


def test_7_2_3_a_counter_too_many_is_told_and_the_others_are_placed():
    """h1 was revealed; h2 and two counters for g1 and g3 reach the limit, so a third new counter is refused."""
    turn = under_counters("hide g3 at C19\nhide g1 at C5\ndummy C9")
    assert {one.units for one in turn.state.hidden_counters.values()} == {("g1",), ("g2",), ("g3",)}
    assert [fail.partition(":")[0] for fail in turn.fails] == ["C9 dummy C9"]
