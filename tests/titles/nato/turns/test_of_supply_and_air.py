"""Supply, air power, lifts and weapons of mass destruction over whole turns, with written orders."""

from __future__ import annotations

from typing import Any

from titles.nato.builders import a_board, a_data, unit
from titles.nato.together.test_lawyer_fourth import ALL, LIFTS
from titles.nato.turns.at_the_table import Game, a_game

from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.reinforcements.arrivals import hq_places
from pbem.titles.nato.victory import over_the_rhine, relieves

WP, NATO = Side.WP, Side.NATO
BIELEFELD, MINDEN, OSNABRUECK = "3220", "3120", "3122"
THROUGH = [6, 6]
"""17.1.2 Two dice high enough to escape any interception."""


# --- 10 supply -------------------------------------------------------------------------------------------------


def test_10_5_a_division_that_outran_its_front_crawls_until_the_staff_has_caught_up() -> None:
    """NEGF has a range of six hexes and 16GT is eight away: 16GT has half of six points, no march and no reserve.

    The headquarters drives two hexes, and in the Recovery Phase the marker is removed.
    """
    game = a_game({"3014": "NEGF", "3022": "16GT"}, ALL)
    assert game.piece("16GT").ms_out
    assert game.refused("wp", "16GT 3023 3024 2925 2926 tactical") == {"12.2"}
    assert game.refused("wp", "16GT 3023 march") >= {"12.4"}
    assert game.refused("wp", "16GT reserve") == {"28.1"}
    game.say(wp="NEGF 3016\n16GT hold")
    assert not game.piece("16GT").ms_out


def attacked_from(hq: str) -> Game:
    """Attack at 7 x 3/4 across the stream, 5 to 4: 1:1, or 1:2 for the forest; a 1 gives A1*/-."""
    units = {hq: "BR-I", "3319": "22/1A 7/1A", "3318": "21*"}
    game = a_game(units, ALL, side=NATO, step="fighting", dice={"25.5.2": [1]})
    return game.say(nato="attack 3318 with 22/1A, 7/1A", wp="lose: armor").over()


def test_10_1_7_abroad_a_british_brigade_fights_on_the_stores_of_its_corps_alone() -> None:
    """Four hexes from its corps a brigade can move with German cities, but is out of combat supply
    after the battle.
    """
    near, far = attacked_from("3322"), attacked_from("3323")
    assert near.at("7/1A") == far.at("7/1A") == "lost"
    assert not near.piece("22/1A").cs_out
    assert far.piece("22/1A").cs_out and not far.piece("22/1A").ms_out


def test_10_1_4_a_port_without_a_city_belongs_to_the_last_visitor() -> None:
    """Paratroops take Delfzijl; NATO ships cannot use the port until a unit has driven them out."""
    units = {"srb": "97 9Mar", "2626": "2/1PZ 3/1PZ 20/7PZ"}
    game = a_game(units, ALL, turn=4, dice={"17.1.2": THROUGH, "25.5.2": [6]}, **LIFTS)
    game.say(wp="97 2526 drop").say(wp="none", nato="none")
    assert game.state.ports == {"2526": WP}
    assert game.refused("nato", "9Mar 2526 ferry") >= {"14.2"}
    game.say(nato="none").say(nato="attack 2526 with 2/1PZ, 3/1PZ, 20/7PZ", wp="none").over()
    assert game.at("97") == "lost" and game.state.ports == {"2526": NATO}


def test_10_7_2_a_marker_is_kept_for_battle_if_the_lines_are_open_in_the_recovery_phase() -> None:
    """The division loses its marker because it can trace combat supply, so the Resupply marker is kept for battle."""
    units = {"3019": "16GT 97", "3017": "NEGF"}
    game = a_game(units, ALL, marks={"16GT": {"cs_out": True}}, dice={"10.7.1": THROUGH})
    game.say(wp="resupply 3019")
    assert not game.piece("16GT").cs_out and game.state.resupply == "3019"


def test_29_8_a_lost_staff_returns_by_default_where_its_own_troops_are() -> None:
    """The garrison of West Berlin does not attract the British corps headquarters into the encircled city."""
    units = {"3007": "US-Berlin UK-Berlin", "3320": "7/1A 22/1A", "3422": "12/1A", "5212": "28/10PZ"}
    board = a_board(units, ALL, side=NATO)
    assert hq_places(board, board.data.units["BR-I"])[0] in ("3120", "3220", "3122", "3223")
    assert hq_places(board, board.data.units["WG-II"])[0] in ("5312", "5313")


def test_13_4_6_nobody_wins_the_war_by_a_staff_on_a_train() -> None:
    """34.1.1, 34.1.2.2: a headquarters under a Train marker supplies no unit."""
    rhine = a_board(
        {"4626": "16GT", "4623": "NEGF", "4620": "21", "4420": "94G"},
        conquered=dict.fromkeys(
            ("4626", "4623", "4620", "4421", "4420", "4220", "4416", "4726", "4821", "3618", "3813"), WP
        ),
    )
    berlin = a_board({"3007": "FR-Berlin", "3010": "BR-I"}, side=NATO)
    before = over_the_rhine(rhine, unit(rhine, "16GT")), relieves(berlin, unit(berlin, "FR-Berlin"))
    for board, hq in ((rhine, "NEGF"), (berlin, "BR-I")):
        unit(board, hq).piece.train = "entrained"
        board.forget_facts()
    after = over_the_rhine(rhine, unit(rhine, "16GT")), relieves(berlin, unit(berlin, "FR-Berlin"))
    assert before[1] is True and after == (False, False)


def test_35_4_dutch_columns_march_at_home_and_not_into_germany_until_the_fourth_turn() -> None:
    for turn, rules in ((3, {"12.4.1"}), (4, set())):
        game = a_game({"2928": "NL-41/4"}, ALL, side=NATO, turn=turn)
        assert game.refused("nato", "NL-41/4 2926 march") == set()
        assert game.refused("nato", "NL-41/4 2923 march") == rules


# --- 23 interdiction -------------------------------------------------------------------------------------------


def test_23_8_a_zone_lasts_through_the_enemys_next_turn_and_no_longer() -> None:
    """NATO interdicts 3208, which hinders trains and other moves in the next Warsaw Pact turn and no longer."""
    units = {"3210": "16GT", "3302": "21"}
    game = a_game(units, ALL, side=NATO, step="fighting", operational={NATO: 1}, marks={"21": {"train": "entrained"}})
    game.say(nato="interdict 3208 operational", wp="none")
    assert game.refused("wp", "21 3208 rail") == {"13.2"}
    assert game.refused("wp", "16GT 3209 march") >= {"12.4"}
    assert game.refused("wp", "16GT 3209 3208 3207 tactical") == set()
    assert game.refused("wp", "16GT 3209 3208 3207 3206 tactical") == {"12.2"}
    game.say(wp="none")
    while game.state.side is WP:
        game.say(wp="none", nato="none")
    assert game.state.interdiction == {}


# --- 18, 19 helicopters ----------------------------------------------------------------------------------------


def landing(dice: dict[str, list[int]]) -> Game:
    """Two brigades fly from Osnabrück over Minden to 3019, next to a division."""
    game = a_game({"3122": "26LL 27LL", "3018": "16GT"}, ALL, side=NATO, dice=dice, **LIFTS)
    return game.say(nato="26LL 3019 fly\n27LL 3019 fly").over()


def test_19_1_4_the_first_to_land_covers_the_second() -> None:
    assert landing({"19.1": [2]}).places("26LL 27LL") == "3019 3019"


def test_19_1_3_1_if_the_first_is_shot_down_the_second_meets_the_flak_itself() -> None:
    game = landing({"19.1": [1, 6], "19.1/second": [6]})
    assert game.places("26LL 27LL") == "lost 3019"
    left = game.state.lift_ready[NATO]["helicopter"] + game.state.lift_used[NATO]["helicopter"]
    assert left == 1


def test_19_1_4_only_the_last_to_be_picked_up_is_under_fire() -> None:
    game = a_game({"3019": "26LL 27LL", "3018": "16GT"}, ALL, side=NATO, dice={"19.1": [3]}, **LIFTS)
    game.say(nato="26LL 3122 extract\n27LL 3122 extract").over()
    assert game.places("26LL 27LL") == "3122 3122"


# --- 25.1.3 defensive strikes ----------------------------------------------------------------------------------


def test_25_1_3_a_brigade_whose_attackers_died_in_the_air_is_free_to_respond() -> None:
    """145T dies in an air strike before it attacks 7/1A, so no battle took place and 7/1A may join 22/1A."""
    units = {"3019": "145T", "3020": "7/1A", "3121": "22/1A", "3220": "16GT"}
    dice = {"23.2.2": [6], "25.5.2": [3]}
    game = a_game(units, ALL, step="fighting", tactical={NATO: 1}, conquered={BIELEFELD: WP, MINDEN: WP}, dice=dice)
    game.say(
        wp="attack 3020 with 145T\nattack 3121 with 16GT",
        nato="air: 1\nrespond: 7/1A into 3121",
    ).over()
    assert game.at("145T") == "lost" and game.told("25.1.2") == ["3121"]


# --- 22 gas ----------------------------------------------------------------------------------------------------


def test_22_3_gas_halves_both_sides_and_silences_the_counterattack() -> None:
    """On the second turn of chemical warfare a 4 disrupts 22/1A; then 10 / 2 to 3 / 4, rounded up to 1, is 5:1."""
    units = {"3019": "16GT", "3018": "NEGF", "3020": "22/1A"}
    gas: dict[str, Any] = {"first_use": 1, "chemical_points": {WP: 1}}
    dice = {"22.2.3": [4], "25.5.2": [3]}
    game = a_game(units, ALL, step="fighting", dice=dice, **gas)
    game.say(wp="chemical 3020\nattack 3020 with 16GT", nato="respond: never").over()
    cell = next(found.cell for found in game.findings if found.rule == "25.5.2")
    assert cell == ["5:1", 3] and game.told("25.6.2") == []


# --- 35 scenario rules -----------------------------------------------------------------------------------------


def test_35_7_surprise_lasts_for_those_who_fought_until_natos_second_recovery() -> None:
    """3:1 and one column for surprise make 4:1; a 1 gives A1/R1.

    The brigade next to its headquarters is out of combat supply through NATO's turn and the enemy's next one.
    """
    units = {"3215": "16GT 21", "3216": "1/1PZ", "3319": "WG-I"}
    data = a_data("surprise", "border")
    game = a_game(units, data, step="fighting", turn=1, dice={"25.5.2": [1]})
    game.say(wp="attack 3216 with 16GT", nato="respond: never\nair: never")
    assert game.piece("1/1PZ").cs_out
    game.say(nato="none")
    while game.state.turn == 1:
        game.say(nato="none", wp="none") if game.run.ask_of("wp") and game.run.ask_of("nato") else game.say(
            nato="none"
        )
    assert game.piece("1/1PZ").cs_out
    while game.state.side is WP:
        both = game.run.ask_of("wp") and game.run.ask_of("nato")
        game.say(wp="none", nato="none") if both else game.say(wp="none")
    game.say(nato="none")
    assert not game.piece("1/1PZ").cs_out


def test_35_2_1_paratroops_in_france_wake_the_french() -> None:
    game = a_game(
        {"srb": "97", "4434": "10DB"},
        ALL,
        turn=3,
        marks={"10DB": {"active": False}},
        dice={"17.1.2": THROUGH},
        **LIFTS,
    )
    game.say(wp="97 4432 drop").say(wp="none", nato="none")
    assert game.piece("10DB").active and game.refused("nato", "10DB 4433") == set()


def test_26_2_7_west_berlin_defends_with_three_nations_under_a_foreign_sky() -> None:
    """Three doubled brigades and the city have 8; 16GT halved and two rifle divisions over a stream have 19.

    5 + 8 + 6 = 19 to 8 is 2:1, and 1:2 two columns down. NATO's air points do not reach the city.
    """
    units = {"3007": "US-Berlin UK-Berlin FR-Berlin", "3006": "16GT 21", "3108": "94G", "3106": "NEGF"}
    game = a_game(units, ALL, step="fighting", tactical={NATO: 3}, dice={"25.5.2": [6]})
    game.say(wp="attack 3007 with 16GT, 21", nato="air: 2").over()
    found = next(found for found in game.findings if found.rule == "25.5.2")
    assert found.inputs["defense"] == 8 and game.told("23.2.2") == []


def test_35_2_1_a_unit_that_responds_into_its_city_calls_up_the_nation() -> None:
    """Minden is empty when the battle is declared; the brigade that responds counts as attacked in West Germany."""
    units = {"3119": "16GT 21", "3219": "1/1PZ 2/1PZ", "3421": "3/1PZ"}
    for answer, called in (("respond: 1/1PZ into 3120", True), ("respond: never", False)):
        game = a_game(units, ALL, step="fighting", marks={"3/1PZ": {"active": False}}, dice={"25.5.2": [1]})
        game.say(wp="attack 3120 with 16GT, 21\nadvance: never", nato=f"{answer}\nair: never")
        assert game.piece("3/1PZ").active is called
