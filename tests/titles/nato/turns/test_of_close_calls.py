"""An eleventh set of questions, with written orders: advances, counterattacks, retreats, gas and headquarters."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.nato.together.test_lawyer_fourth import ALL
from titles.nato.turns.at_the_table import Game, a_game
from titles.nato.turns.test_under_pressure import MINDEN, PASSIVE, cells, fighting

from pbem.engine.rules.refusals import Refusal
from pbem.titles.nato.cards.units import Side

WP, NATO = Side.WP, Side.NATO
HANNOVER = "3117"
NEAR = {"3018": "NEGF", "3023": "BR-I"}
"""Staffs that supply both sides around 3020, a clear hex west of the Weser."""


def battle(units: dict[str, str], order: str, die: int | None = None, nato: str = PASSIVE, **more: Any) -> Game:
    """Fight one battle of the Warsaw Pact by written orders."""
    dice = {**({"25.5.2": [die]} if die else {}), **more.pop("dice", {})}
    return fighting({**NEAR, **units}, dice=dice, **more).say(wp=order, nato=nato).over()


def refusal(game: Game, seat: str, text: str) -> Refusal:
    """Return the refusal of orders that are not legal."""
    with pytest.raises(Refusal) as refused:
        game.say(**{seat: text})
    return refused.value


def rolled(game: Game) -> list[str]:
    """Return the column and the die of each battle."""
    return [f"{column} {die}" for column, die in cells(game)]


# --- 25.8 advance ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("advance", "taken"), [("never", False), ("consolidate", True)])
def test_25_9_2_a_city_that_nobody_enters_stays_free_and_no_gap_opens(advance: str, taken: bool) -> None:
    """10/2 + 8 is 13 to 3 + 1: 3:1, or 2:1 for the small city; a 5 gives A1/D1R1, and the garrison is lost."""
    units = {"3019": "16GT", "3020": "21", MINDEN: "22/1A"}
    game = battle(units, f"attack {MINDEN} with 16GT, 21\nadvance: {advance}", 5)
    assert rolled(game) == ["2:1 5"] and game.at("22/1A") == "lost" and game.piece("16GT").reduced
    assert (game.state.conquered.get(MINDEN) is WP) is taken
    assert bool(game.told("25.9.2")) is taken


@pytest.mark.rule("25.6.3.1")
def test_25_6_3_1_a_defender_who_cannot_pay_saves_the_attacker_a_step() -> None:
    """18 to 3 is 6:1; a 6 gives A1/D2*R2, but the brigade has only one step, so the attacker loses none."""
    game = battle({"3019": "16GT", "2920": "21", "3020": "22/1A"}, "attack 3020 with 16GT, 21", 6)
    assert rolled(game) == ["6:1 6"] and game.at("22/1A") == "lost"
    assert not game.piece("16GT").reduced and not game.piece("21").reduced
    assert_rule(game.findings, "25.6.3.1")


@pytest.mark.rule("25.8.1")
def test_25_8_1_four_steps_find_room_in_the_hex_and_six_do_not() -> None:
    units = {"3019": "16GT 21", "2920": "94G", "3020": "22/1A"}
    game = fighting({**NEAR, **units}, dice={"25.5.2": [5]}, asks=["advance"])
    game.say(wp="attack 3020 with 16GT, 21, 94G", nato=PASSIVE)
    assert game.refused("wp", "16GT 3020 21 3020 94G 3020") >= {"9.1.1"}
    game.say(wp="16GT 3020 94G 3020").over()
    assert game.places("16GT 21 94G") == "3020 3019 3020"
    assert_rule(game.findings, "25.8.1")


@pytest.mark.rule("25.8.2")
@pytest.mark.parametrize(
    ("units", "marks", "way", "legal"),
    [
        ({"2919": "16GT", "3019": "22/1A"}, {}, "3019 3020", True),
        ({"3018": "16GT", "3019": "22/1A"}, {}, "3019 3020", False),  # over the Weser
        ({"2919": "16GT", "3019": "22/1A"}, {}, "3019 2920", False),  # marsh
        ({"2919": "16GT", "3019": "22/1A"}, {"chemical": {"3020": {NATO: False}}}, "3019 3020", False),
        ({"2919": "16GT", "3019": "22/1A"}, {"chemical": {"3019": {NATO: False}}}, "3019 3020", False),
        ({"2919": "16GT", "3019": "22/1A"}, {}, f"3019 {MINDEN}", False),  # a free city
        ({"2919": "16GT", "3019": "22/1A", "3020": "26LL"}, {}, "3019 3020", False),  # an enemy
    ],
)
def test_25_8_2_what_keeps_a_division_from_a_second_hex(
    units: dict[str, str], marks: dict[str, Any], way: str, legal: bool
) -> None:
    """The odds differ from case to case, but a 6 eliminates the brigade in each of these columns."""
    game = fighting({"3016": "NEGF", **units}, dice={"25.5.2": [6], "25.6.2": [1]}, asks=["advance"], **marks)
    game.say(wp="attack 3019 with 16GT", nato=PASSIVE)
    assert (game.refused("wp", f"16GT {way}") == set()) is legal
    if legal:
        game.say(wp=f"16GT {way}")
        assert_rule(game.findings, "25.8.2")
    else:
        assert_rule(refusal(game, "wp", f"16GT {way}"), "25.8.2")


# --- 25.6 counterattacks and losses ----------------------------------------------------------------------------


@pytest.mark.rule("25.6.2")
def test_25_6_2_each_step_strikes_back_and_a_division_that_is_hit_stays_in_the_first_hex() -> None:
    """26 to 6 is 4:1; a 4 gives CA D1R1: one brigade hits 16GT with a 4, and the other misses 21 or 94G with a 3.

    The divisions that were not disrupted may exploit; the disrupted one may not.
    """
    units = {"2919": "16GT", "2920": "21", "3020": "94G", "3019": "22/1A 7/1A", "3023": "BR-I", "3016": "NEGF"}
    dice = {"25.5.2": [4], "25.6.2": [4, 3]}
    game = fighting(units, dice=dice, asks=["advance"])
    game.say(wp="attack 3019 with 16GT, 21, 94G", nato=PASSIVE)
    assert rolled(game) == ["4:1 4"]
    assert game.piece("16GT").disrupted and not game.piece("21").disrupted and not game.piece("94G").disrupted
    assert game.refused("wp", "16GT 3019 3020") >= {"25.8.2"}
    assert game.refused("wp", "16GT 3019") == set()
    assert_rule(game.findings, "25.6.2")


@pytest.mark.rule("25.5.2")
@pytest.mark.parametrize(
    ("marks", "attackers", "die", "rolls"),
    [
        ({}, "16GT 21 94G E8", 3, 2),  # 32 to 6
        ({"22/1A": {"disrupted": True}}, "16GT 21 E8", 4, 1),  # 24 to 3/2 + 3, rounded up to 5
        ({"22/1A": {"cs_out": True}}, "16GT 21 E8", 4, 1),
        ({"22/1A": {"ms_out": True}, "7/1A": {"cs_out": True}}, "16GT 21", 5, 0),  # 18 to 3 + 3/2
    ],
)
def test_25_6_2_shaken_and_hungry_brigades_do_not_strike_back(
    marks: dict[str, Any], attackers: str, die: int, rolls: int
) -> None:
    units = {"2919": "16GT 21", "2920": "94G", "3020": "E8", "3019": "22/1A 7/1A", "3016": "NEGF"}
    game = fighting(units, marks=marks, dice={"25.5.2": [die], "25.6.2": [1] * rolls})
    game.say(wp=f"attack 3019 with {attackers}", nato=PASSIVE).over()
    assert_rule(game.findings, "25.5.2", result="-/CA D1R1")


@pytest.mark.rule("25.6.2.1")
def test_25_6_2_1_of_two_nations_in_a_hex_only_the_germans_strike_back() -> None:
    """A West German step hits on a 3, a British one on a 4: the default orders choose the Germans, with one roll."""
    units = {"2919": "16GT 21", "2920": "94G", "3019": "22/1A 1/1PZ", "3016": "NEGF"}
    game = fighting(units, dice={"25.5.2": [4], "25.6.2": [3]})
    game.say(wp="attack 3019 with 16GT, 21, 94G\nlose: weakest", nato=PASSIVE).over()
    assert rolled(game) == ["4:1 4"] and game.piece("16GT").disrupted
    assert_rule(game.findings, "25.6.2.1")


# --- 25.7 retreats ---------------------------------------------------------------------------------------------


@pytest.mark.rule("25.7.3")
def test_25_7_3_two_hexes_end_with_the_first_friend() -> None:
    """32 to 6 is 5:1; a 5 gives D1R2; the surviving brigade stops in 3021, where a friendly unit is."""
    units = {"3019": "16GT 21", "2920": "94G E8", "3020": "22/1A 7/1A", "3021": "12/1A"}
    game = battle(units, "attack 3020 with 16GT, 21, 94G, E8\nadvance: never", 5)
    assert rolled(game) == ["5:1 5"] and game.places("22/1A 7/1A") == "3021 lost"
    assert_rule(game.findings, "25.7.3")


@pytest.mark.rule("25.7.2")
def test_25_7_2_rough_ground_swallows_a_retreat_of_one_hex() -> None:
    """10 x 3/4 over the Leine and 8 x 3/4 make 13 to 3: 4:1, or 3:1 in rough; a 3 gives A1/R1, and
    no unit retreats.
    """
    units = {"3217": "16GT 21", "3218": "22/1A", "3215": "NEGF", "3220": "BR-I"}
    game = fighting(units, dice={"25.5.2": [3]})
    game.say(wp="attack 3218 with 16GT, 21", nato=PASSIVE).over()
    assert rolled(game) == ["3:1 3"] and game.at("22/1A") == "3218" and game.piece("16GT").reduced
    assert_rule(game.findings, "25.7.2")


RING = {"3019": "16GT", "2920": "21", "2921": "94G", "3021": "E8", "3121": "25T", "3020": "22/1A", "3016": "NEGF"}
"""3020 surrounded; the last neighbour is Minden."""


@pytest.mark.rule("25.9.2")
def test_25_7_3_who_cannot_retreat_pays_and_the_way_is_open() -> None:
    """10 to 3 is 3:1, or 5:1 if concentric; a 1 gives A1/R1. Minden is conquered, so no retreat is left and a step is
    lost.

    That is not They Shall Not Pass: the attacker enters and gets a Breakthrough marker.
    """
    game = fighting(RING, conquered={MINDEN: WP}, dice={"25.5.2": [1]})
    game.say(wp="attack 3020 with 16GT", nato=PASSIVE).over()
    assert rolled(game) == ["5:1 1"] and game.at("22/1A") == "lost"
    assert game.at("16GT") == "3020" and game.piece("16GT").reduced
    assert_rule(game.findings, "25.9.2", inputs={"objective": "3020"}, result="breakthrough")


@pytest.mark.rule("25.3.4.2")
def test_25_3_4_2_a_free_city_beside_the_ring_makes_it_a_flank_attack_and_a_way_out() -> None:
    """Minden is free: 3:1 and one column make 4:1; a 1 gives A1/R1.

    The brigade retreats into the city, which negates the zones of control there.
    """
    game = fighting(RING, dice={"25.5.2": [1]})
    game.say(wp="attack 3020 with 16GT\nadvance: never", nato=PASSIVE).over()
    assert rolled(game) == ["4:1 1"] and game.at("22/1A") == MINDEN
    assert_rule(game.findings, "25.3.4.2")


@pytest.mark.rule("25.7")
def test_25_7_a_step_given_up_shortens_the_retreat_of_the_others() -> None:
    """40 to 9 is 4:1; a 6 gives D1R2; one more step is given up, so the last brigade retreats exactly one hex."""
    units = {"3019": "16GT 21", "2920": "94G 25T", "2921": "221T E8*", "3020": "22/1A 7/1A 12/1A"}
    game = fighting({**NEAR, **units}, dice={"25.5.2": [6]}, asks=["retreat"])
    game.say(wp="attack 3020 with 16GT, 21, 94G, 25T, 221T, E8\nadvance: never", nato=PASSIVE)
    assert rolled(game) == ["4:1 6"]
    left = [id for id in ("22/1A", "7/1A", "12/1A") if game.at(id) == "3020"]
    assert len(left) == 2
    first, second = left
    assert game.refused("nato", f"trade {first} {second} 3022") >= {"25.7.4"}
    game.say(nato=f"trade {first} {second} 3121").over()
    assert game.at(first) == "lost" and game.at(second) == "3121"
    assert_rule(game.findings, "25.7")


def test_25_7_7_a_beaten_brigade_adds_nothing_and_dies_last() -> None:
    """16GT drives 22/1A from 3020 to 3021 (2:1 or better, R1); then 94G and 25T attack 3021.

    18 to 3 is 6:1, and a 3 takes one step: that of 12/1A, which fought, not that of the brigade that retreated.
    """
    units = {"3019": "16GT", "2922": "94G 25T", "3020": "22/1A", "3021": "12/1A"}
    game = fighting({**NEAR, "3025": "BR-I", **units, "3023": "11/4A"}, dice={"25.5.2": [2, 3]})
    game.say(
        wp="attack 3020 with 16GT\nattack 3021 with 94G, 25T\nlose: weakest\nadvance: never\nretreat: to 3021",
        nato=f"{PASSIVE}\nretreat: to 3021",
    ).over()
    assert rolled(game) == ["3:1 2", "6:1 3"]
    assert game.at("12/1A") == "lost" and game.at("22/1A") not in ("lost", "3021")


# --- 25.1.2 response -------------------------------------------------------------------------------------------


@pytest.mark.rule("25.1.2")
@pytest.mark.parametrize(("defender", "helper"), [("22/1A", "12/1A"), ("1/1PZ", "2/1PZ"), ("", "1/1PZ")])
def test_25_1_2_countrymen_respond(defender: str, helper: str) -> None:
    """25.1.2.3, 25.1.2.5: units respond into a hex held by their own nation, or into an empty city of theirs."""
    goal = "3020" if defender else MINDEN
    units = {"3019": "16GT", "3121": helper, "3024": "WG-I", **({"3020": defender} if defender else {})}
    game = fighting({**NEAR, **units}, dice={"25.5.2": [1]})
    game.say(wp=f"attack {goal} with 16GT", nato="respond: best\nair: never").over()
    assert_rule(game.findings, "25.1.2", inputs={"unit": helper}, result=goal)


@pytest.mark.rule("25.1.2.5")
def test_25_1_2_5_germans_do_not_respond_to_a_british_battle() -> None:
    units = {"3019": "16GT", "3020": "22/1A", "3121": "1/1PZ 12/1A"}
    game = fighting({**NEAR, **units}, asks=["respond"]).say(wp="attack 3020 with 16GT", nato=PASSIVE)
    assert_rule(refusal(game, "nato", "1/1PZ"), "25.1.2.5")


@pytest.mark.rule("25.1.2.3")
def test_25_1_2_3_the_british_do_not_man_an_empty_german_city() -> None:
    game = fighting({**NEAR, "3019": "16GT", "3121": "22/1A 1/1PZ"}, asks=["respond"])
    game.say(wp=f"attack {MINDEN} with 16GT", nato=PASSIVE)
    assert_rule(refusal(game, "nato", "22/1A"), "25.1.2.3")


# --- 25.3 odds -------------------------------------------------------------------------------------------------


@pytest.mark.rule("25.3.1.3")
def test_25_3_1_3_a_quarter_of_two_is_nothing_and_begins_at_1_to_4() -> None:
    """2 x 1/2 x 1/2 is 1/2, rounded down to 0, so the battle is at 1:4."""
    marks = {"221T": {"disrupted": True, "cs_out": True}}
    game = battle({"3019": "221T", "3020": "22/1A"}, "attack 3020 with 221T", 1, marks=marks)
    assert rolled(game) == ["1:4 1"]
    assert_rule(game.findings, "25.3.1.3")


@pytest.mark.rule("25.3.3")
def test_25_3_3_less_than_even_odds_round_for_the_defender() -> None:
    """2 to 9 would be 1:5, but the table ends at 1:4; 4 to 9 is 1:3; 8 to 9 is 1:2."""
    for attackers, column in (("221T", "1:4"), ("221T 97", "1:3"), ("21", "1:2")):
        units = {"3019": attackers, "3020": "22/1A 7/1A 12/1A"}
        game = battle(units, f"attack 3020 with {', '.join(attackers.split())}", 1)
        assert rolled(game) == [f"{column} 1"]
        assert_rule(game.findings, "25.3.3")


# --- 21, 22 gas and fire on stacks -------------------------------------------------------------------------------


@pytest.mark.rule("22.2.7")
def test_22_2_7_gas_on_a_corps_and_its_brigade_rolls_one_die_and_slows_both() -> None:
    """On the second turn of gas a 3 disrupts; no die is rolled for the headquarters, but both move only one hex."""
    gas: dict[str, Any] = {"first_use": 1, "chemical_points": {WP: 1}, "tactical": {WP: 0, NATO: 0}}
    game = fighting({"3018": "NEGF", "3019": "16GT", "3021": "22/1A BR-I"}, dice={"22.2.3": [3]}, **gas)
    game.say(wp="chemical 3021", nato="none")
    while not (game.state.side is NATO and game.state.phase == "movement"):
        game.say(**{ask.seat: "none" for ask in game.run.asks})
    game.over()
    assert not game.piece("BR-I").disrupted
    assert game.refused("nato", "BR-I 3022 3023") and game.refused("nato", "BR-I 3022") == set()
    assert_rule(game.findings, "22.2.7")


@pytest.mark.rule("21.1.2")
def test_21_1_1_fire_rolls_for_each_step_and_a_staff_is_only_silenced() -> None:
    """16GT has two steps: two D results eliminate it; a D suppresses the headquarters; Armageddon comes on a 1."""
    units = {"3019": "16GT NEGF", "3021": "22/1A", "3023": "BR-I"}
    game = fighting(units, NATO, dice={"21.1.1": [3, 4, 5], "21.2": [2]})
    game.say(nato="nuke 3019", wp="none").over()
    assert game.at("16GT") == "lost" and game.at("NEGF") == "3019" and game.piece("NEGF").disrupted
    assert_rule(game.findings, "21.1.2")


@pytest.mark.rule("13.4.3")
def test_21_1_1_a_train_burns_without_a_die() -> None:
    units = {"3019": "16GT 21", "3018": "NEGF", "3021": "22/1A", "3023": "BR-I"}
    game = fighting(units, NATO, dice={"21.1.1": [1, 1], "21.2": [2]}, marks={"16GT": {"train": "entrained"}})
    game.say(nato="nuke 3019", wp="none").over()
    assert game.at("16GT") == "lost" and game.at("21") == "3019" and game.piece("21").disrupted
    assert_rule(game.findings, "13.4.3")


# --- 28 reserves ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "rules"),
    [
        ("21 3308 3307 tactical reserve", set()),  # 2 of 5: half rounded down
        ("21 3308 3307 3306 tactical reserve", {"28.1"}),
        ("21 3308 3307 3306 3305 3304 march reserve", set()),  # 5 of 10
        ("21 3308 3307 3306 3305 3304 3303 march reserve", {"28.1"}),
        ("21 3308 minimum reserve", {"28.1"}),
    ],
)
def test_28_1_half_the_allowance_of_the_way_of_moving(order: str, rules: set[str]) -> None:
    assert a_game({"3309": "21", "3310": "NEGF"}, ALL).refused("wp", order) == rules
