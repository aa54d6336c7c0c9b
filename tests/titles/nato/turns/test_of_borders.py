"""A twelfth set of questions, with written orders: headquarters and areas, stacks, unsupplied lifts, ceasefires."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.nato.together.test_lawyer_fourth import ALL, CUT_OFF, LIFTS
from titles.nato.turns.at_the_table import a_game
from titles.nato.turns.test_of_close_calls import refusal, rolled
from titles.nato.turns.test_of_commands import COMMANDS
from titles.nato.turns.test_under_pressure import MINDEN, PASSIVE, fighting

from pbem.titles.nato.cards.units import Side

WP, NATO = Side.WP, Side.NATO
MAGDEBURG = "3212"


# --- 9, 29 stacks and the areas of staffs -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("units", "order", "rules"),
    [
        ({"3310": "NEGF", "3309": "SEGF"}, "SEGF 3310", {"29.1"}),
        ({"3310": "NEGF", "3309": "SEGF"}, "NEGF 3311\nSEGF 3310", set()),
        ({"3310": "34N 21", "3309": "34S"}, "34S 3310", {"9.1.1"}),
        ({"3310": "16GT 21", "3309": "221T"}, "221T 3310", {"9.1.1"}),
        ({"3310": "16GT 21*", "3309": "221T"}, "221T 3310", set()),
        ({"3310": "16GT 21 34N NEGF", "3309": "P5T"}, "P5T 3309", set()),
    ],
)
def test_9_1_1_four_steps_one_battery_and_one_staff(units: dict[str, str], order: str, rules: set[str]) -> None:
    assert a_game(units, ALL).refused("wp", order) == rules


@pytest.mark.parametrize(
    ("side", "units", "order", "rules"),
    [
        (WP, {"2314": "NEGF"}, "NEGF 2315", {"29.5.1"}),  # another front in the BALTAP zone
        (WP, {"2314": "BAF"}, "BAF 2315", set()),
        (WP, {"2514": "BAF"}, "BAF 2515", {"29.5.1"}),  # south of the Elbe
        (NATO, {"2415": "LJ"}, "LJ 2516", {"29.7"}),
        (NATO, {"2414": "LJ"}, "LJ 2413", set()),  # East Germany north of the Elbe
    ],
)
def test_29_5_1_staffs_that_keep_to_the_baltic_and_staffs_that_keep_out(
    side: Side, units: dict[str, str], order: str, rules: set[str]
) -> None:
    game = a_game(units, ALL, side=side, turn=4)
    assert game.refused(str(side), order) == rules


@pytest.mark.parametrize(("order", "legal"), [("LJ 2517", False), ("LJ 2517", True)])
def test_25_7_8_a_staff_that_was_driven_over_the_elbe_moves_freely(order: str, legal: bool) -> None:
    game = a_game({"2516": "LJ"}, ALL, side=NATO, turn=4, marks={"LJ": {"freed": legal}})
    assert (game.refused("nato", order) == set()) is legal


# --- 8, 12, 13 zones of control that friends do not negate -------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "rules"),
    [
        ("21 3308 tactical", set()),
        ("21 3308 march", {"12.4"}),  # 8.5 item 8, although E8 is there
        ("16GT 3308 rail", {"13.2"}),
        ("21 3307 3306 march", set()),
    ],
)
def test_8_5_friends_in_a_hex_open_it_to_a_walk_and_not_to_a_march_or_a_train(order: str, rules: set[str]) -> None:
    """A German brigade in 3309 has a zone in 3308, where a friend allows tactical movement, but no march or train."""
    units = {"3306": "21", "3308": "E8", "3305": "16GT NEGF", "3309": "1/1PZ"}
    game = a_game(units, ALL, turn=4, marks={"16GT": {"train": "entrained"}})
    assert game.refused("wp", order) == rules


# --- 16 lifts and drops -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("order", "rules"), [("97 3023 lift", {"16.1.1"}), ("97 3023 drop", set())])
def test_16_1_3_paratroops_jump_where_no_transport_may_land_them(order: str, rules: set[str]) -> None:
    """Paratroops may drop on 3023, contested by 16GT and out of the headquarters' range, where no
    transport may land.
    """
    units = {MAGDEBURG: "97", "3019": "16GT", "3014": "NEGF"}
    assert a_game(units, ALL, turn=4, **LIFTS).refused("wp", order) == rules


@pytest.mark.parametrize(
    ("goal", "rules"), [("3023", set()), ("3022", {"16.1.3"}), ("3021", set()), (MINDEN, {"16.1.3", "30.1.1"})]
)
def test_16_1_3_a_drop_needs_clear_ground_or_marsh(goal: str, rules: set[str]) -> None:
    found = a_game({MAGDEBURG: "97", "3014": "NEGF"}, ALL, turn=4, **LIFTS).refused("wp", f"97 {goal} drop")
    assert bool(found) is bool(rules) and found <= rules


# --- 23, 24, 25 ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("24.1.1")
def test_24_1_1_guns_left_behind_by_their_division_are_silent() -> None:
    game = fighting({"3018": "34N", "3019": "16GT", "3020": "22/1A", "3016": "NEGF"})
    assert_rule(refusal(game, "wp", "fire 34N at 3020"), "24.1.1")


@pytest.mark.rule("23.1.3")
def test_23_1_3_tactical_points_do_not_reach_enemy_airspace_and_operational_points_do() -> None:
    """BR-I is far behind the front in enemy airspace, so operational air points reach it, but
    tactical ones do not.
    """
    points: dict[str, Any] = {"tactical": {WP: 2}, "operational": {WP: 1}}
    game = fighting({"3010": "NEGF 16GT", "3122": "BR-I 22/1A"}, **points)
    assert_rule(refusal(game, "wp", "air 3122"), "23.1.3")
    assert game.refused("wp", "air 3122 operational at BR-I") == set()


@pytest.mark.rule("25.3.1.1")
def test_25_3_1_1_every_handicap_of_an_attacker_counts() -> None:
    """Armor attacks Minden over the Weser: 10 x 1/2 x 3/4 is 3 to the city's 1, which is 3:1, or 2:1 for the small
    city.

    Disrupted and out of combat supply in the open, 10 x 1/4 is 2 to 3, or 1:2.
    """
    game = fighting({"3119": "16GT", "3017": "NEGF"}, dice={"25.5.2": [1]})
    game.say(wp=f"attack {MINDEN} with 16GT", nato=PASSIVE).over()
    assert rolled(game) == ["2:1 1"]
    assert_rule(game.findings, "25.3.1.1")
    worn = {"16GT": {"disrupted": True, "cs_out": True}}
    game = fighting({"3019": "16GT", "3020": "22/1A", "3016": "NEGF"}, marks=worn, dice={"25.5.2": [1]})
    game.say(wp="attack 3020 with 16GT", nato=PASSIVE).over()
    assert rolled(game) == ["1:2 1"]


@pytest.mark.rule("19.1")
def test_19_1_helicopters_that_were_shot_down_are_reported_as_such() -> None:
    """Hannover's flak hits on a 2, and a 3 shoots down a brigade of defense 2, so that is reported as the reason."""
    dice = {"19.1": [2, 3], "19.1/second": [3], "25.5.2": [3]}
    game = fighting({"3116": "16GT 21", "3114": "NEGF"}, dice=dice, brigades={"NEGF": "ready"})
    game.say(wp="attack 3117 with 16GT, 21 helicopters NEGF", nato=PASSIVE)
    assert_rule(game.findings, "19.1", result="shot down")
    assert game.failed() == {"attack 3117 helicopters NEGF": "flak has shot the attack helicopters down"}
    assert rolled(game) == ["4:1 3"]


# --- 34, 35.1.2 truces --------------------------------------------------------------------------------------------


@pytest.mark.rule("34.0")
def test_35_1_2_a_truce_counts_a_city_that_is_cut_off() -> None:
    """A ceasefire counts surrounded Hannover for two points (34.2); NATO has two for West Berlin (34.3.2)."""
    game = fighting({**CUT_OFF, "3014": "NEGF", "3019": "22/1A"})
    game.say(wp="ceasefire", nato="ceasefire")
    assert_rule(game.findings, "34.0", inputs={"wp": 2, "nato": 2}, cell=0)


def test_35_1_2_a_truce_comes_before_the_first_bomb() -> None:
    game = fighting({"3019": "16GT NEGF", "3020": "22/1A"})
    game.say(wp="nuke 3020\nceasefire draw", nato="ceasefire draw").over()
    outcome = game.state.outcome
    assert outcome is not None and outcome.winner is None and not game.state.nuclear_count
    assert game.failed()["nuke 3020"] == "the match is over"


def test_35_1_2_a_truce_in_the_reserve_phase_stops_the_reserves() -> None:
    game = a_game({"3010": "16GT", "3008": "NEGF", "3019": "22/1A"}, ALL)
    game.say(wp="16GT reserve").say(wp="none", nato="ceasefire wp marginal")
    game.say(wp="16GT 3011\nceasefire wp marginal").over()
    outcome = game.state.outcome
    assert outcome is not None and (outcome.winner, outcome.level) == ("wp", "marginal")
    assert game.at("16GT") == "3010"


@pytest.mark.rule("35.8/side-wide-choices")
def test_35_1_2_only_the_theatre_command_makes_peace() -> None:
    game = a_game({"3110": "16GT", "3019": "22/1A"}, COMMANDS)
    assert_rule(refusal(game, "north", "ceasefire draw"), "35.8/side-wide-choices")
    game.say(theatre="ceasefire draw", north="none", south="none")
    assert game.state.outcome is None
    asked = {ask.seat for ask in game.run.asks}
    game.say(**{seat: "ceasefire draw" if seat == "afcent" else "none" for seat in asked})
    assert game.state.outcome is not None


# --- 22.2.2, 25.4, 29, 30 who may do what --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gunner", "marks", "legal"),
    [
        ("1/3A", {}, True),
        ("22/1A", {}, False),
        ("1/3A", {"cs_out": True}, False),
        ("1/3A", {"train": "entrained"}, False),
    ],
)
def test_22_2_2_shells_with_gas_need_an_american_unit_beside_the_target(
    gunner: str, marks: dict[str, Any], legal: bool
) -> None:
    gas: dict[str, Any] = {"first_use": 1, "chemical_points": {NATO: 2}}
    game = fighting({"3019": "16GT NEGF", "3020": gunner, "3022": "US-V"}, NATO, marks={gunner: marks}, **gas)
    found = game.refused("nato", "chemical 3019 artillery")
    assert found == (set() if legal else {"22.2.2"})


@pytest.mark.parametrize(
    ("attackers", "legal"), [("16GT", True), ("97", True), ("16GT 97", True), ("P5T", False), ("P5T 97", False)]
)
def test_25_4_1_a_front_supports_its_own_divisions_and_those_of_no_front(attackers: str, legal: bool) -> None:
    game = fighting({"3019": attackers, "3020": "22/1A", "3016": "NEGF", "3018": "POF"})
    found = game.refused("wp", f"attack 3020 with {attackers} support NEGF")
    assert (found == set()) is legal and found <= {"25.4", "25.4.1"}


@pytest.mark.parametrize(
    ("order", "rules"), [("BR-I 3120", set()), ("22/1A 3120 march", {"12.1.2"}), ("22/1A 3120 tactical", set())]
)
def test_30_1_1_even_a_staff_takes_an_empty_city_back_but_no_column_does(order: str, rules: set[str]) -> None:
    """Even a headquarters can retake an empty conquered city, but only by tactical movement, which
    liberates it (30.3.2).
    """
    game = a_game({"3121": "BR-I 22/1A"}, ALL, side=NATO, turn=4, conquered={MINDEN: WP})
    assert rules <= game.refused("nato", order) and bool(rules) is bool(game.refused("nato", order))
    if not rules:
        game.say(nato=order)
        assert MINDEN not in game.state.conquered


def test_30_3_1_reserves_enter_an_empty_conquered_city() -> None:
    game = a_game({"3122": "22/1A", "3024": "BR-I", "3010": "NEGF"}, ALL, side=NATO, turn=4, conquered={MINDEN: WP})
    game.say(nato="22/1A reserve").say(nato="none", wp="none").say(nato="22/1A 3121 3120")
    assert MINDEN not in game.state.conquered


@pytest.mark.parametrize(
    ("order", "rules"),
    [
        ("air 3023", {"23.1.4"}),
        ("air 3021", set()),
        ("air 3021 at 22/1A", set()),
        ("air 3021 at WG-I", {"23.1.4"}),
        ("air 3021 operational at WG-I", set()),
        ("air 3021 operational at 22/1A, WG-I", {"23.5"}),
        ("air 3021 at BR-I", {"23.1.4", "23.1.5"}),
        ("air 3021 at 22/1A\nair 3021 operational at 22/1A", {"20.0"}),
        ("fire 34N at 3020 at 7/1A", set()),
        ("fire 34N at 3020 at 22/1A", {"23.1.5"}),
        ("fire 34N at 3020 at LJ", {"23.1.4"}),
    ],
)
def test_29_2_2_a_strike_names_units_that_it_can_hit(order: str, rules: set[str]) -> None:
    """Tactical aircraft and artillery cannot strike a headquarters, a strike on one hits only it,
    and none hits twice.
    """
    points: dict[str, Any] = {"tactical": {WP: 2}, "operational": {WP: 1}}
    units = {"3019": "16GT 34N", "3016": "NEGF", "3023": "BR-I", "3021": "22/1A WG-I", "3020": "7/1A LJ"}
    assert fighting(units, **points).refused("wp", order) == rules


@pytest.mark.parametrize("at", ["3022", "3019"])
def test_18_1_6_helicopters_neither_start_nor_land_in_gas(at: str) -> None:
    units = {"3022": "26LL", "3023": "WG-III"}
    clean = a_game(units, ALL, side=NATO, turn=4, **LIFTS)
    gassed = a_game(units, ALL, side=NATO, turn=4, chemical={at: {WP: True}}, **LIFTS)
    assert clean.refused("nato", "26LL 3019 fly") == set()
    assert gassed.refused("nato", "26LL 3019 fly")
