"""A sixth set of questions, with written orders: turns played from the orders of both sides."""

from __future__ import annotations

from typing import Any

import pytest
from titles.nato.builders import a_data
from titles.nato.together.test_lawyer_fourth import ALL, LIFTS
from titles.nato.turns.at_the_table import Game, a_game

from pbem.titles.nato.cards.units import Side

WP, NATO = Side.WP, Side.NATO
BEFORE = a_data(*sorted(ALL.scenario.rules), turn_zero=True)
BIELEFELD, OSNABRUECK, MINDEN, HANNOVER = "3220", "3122", "3120", "3117"


def fighting(units: dict[str, str], side: Side = WP, **more: Any) -> Game:
    """Return a game that waits for the battle orders of both sides."""
    return a_game(units, more.pop("data", ALL), side=side, step="fighting", **more)


# --- 25.4, 25.9 battles ----------------------------------------------------------------------------------------


@pytest.mark.rule("33.1", effect=True)
def test_25_4_a_headquarters_in_a_box_supports_nobody() -> None:
    """The Polish Front waits for its train in a reinforcement box, so it is not on the map and cannot support."""
    game = fighting({"sector4": "POF", "3116": "P5T", "3216": "22/1A"})

    assert game.refused("wp", "attack 3216 with P5T support POF") == {"25.4"}
    assert game.refused("wp", "attack 3216 with P5T") == set()


def test_25_9_1_a_torn_hex_into_which_defenders_fall_back_must_be_fought_for() -> None:
    """The brigade in 3222 dies in the air strike; then the stack in 3221 is attacked from all sides.

    24 to 9 is 2:1, and 4:1 as a concentric attack; a 5 gives D1R1. Every hex behind is in a zone of control, so the
    stack loses a second step to enter 3222. There the third brigade is Engaged, and a 6 at 8:1 eliminates it.
    """
    units = {"3220": "16GT", "3121": "94G", "3321": "E8", "3323": "21", "3221": "22/1A 7/1A 33/4A", "3222": "12/1A"}
    taken = {BIELEFELD: WP, OSNABRUECK: WP}
    dice = {"23.3": [6], "25.5.2": [5, 6]}
    game = fighting(units, conquered=taken, tactical={WP: 1}, dice=dice)
    orders = "air 3222\nattack 3221 with 16GT, 94G, E8\nattack 3222 with 21"
    game.say(wp=orders, nato="retreat: 3222\nrespond: never").over()

    assert [game.at(id) for id in ("12/1A", "22/1A", "7/1A", "33/4A")] == ["lost"] * 4
    assert game.at("21") == "3222"
    assert game.told("25.9.1/breakthrough-battle") == []


# --- 9.1.1 stacking --------------------------------------------------------------------------------------------


def test_9_1_1_the_limit_holds_at_the_end_of_every_segment() -> None:
    """A lift arrives in the Air and Sea Segment; the units that it crowds out leave only in the Ground Segment."""
    game = a_game({"3006": "38G", "3212": "16GT 21"}, ALL, **LIFTS)

    assert game.refused("wp", "38G 3212 lift\n16GT 3211") == {"9.1.1"}
    assert game.refused("wp", "38G 3211 lift\n16GT 3211") == set()
    assert game.refused("wp", "38G 3212 fly\n16GT 3211") == set()


def test_9_1_1_trains_need_room_before_the_others_march() -> None:
    units = {"3006": "94G", "3302": "16GT 21"}
    game = a_game(units, ALL, marks={"94G": {"train": "entrained"}})

    assert game.refused("wp", "94G 3302 rail\n16GT 3303") == {"9.1.1"}
    assert game.refused("wp", "94G 3303 rail\n16GT 3303\n21 3303") == {"9.1.1"}
    assert game.refused("wp", "94G 3303 rail\n16GT 3303") == set()


# --- turn 0 ----------------------------------------------------------------------------------------------------


def before_the_war(units: dict[str, str], **more: Any) -> Game:
    return a_game(units, BEFORE, step="turn_zero", turn=0, **LIFTS, **more)


def test_7_2_turn_0_no_lift_command_and_no_ship_sails_before_the_war() -> None:
    game = before_the_war({"3006": "38G", "2111": "336G", "2412": "16GT"}, marks={"16GT": {"train": "entrained"}})

    assert game.refused("wp", "38G 3108 lift") == {"7.2/turn-0"}
    assert game.refused("wp", "38G 3108 fly") == {"7.2/turn-0"}
    assert game.refused("wp", "336G 2008 lift") == {"7.2/turn-0"}
    assert game.refused("wp", "336G 2504 ferry") == {"7.2/turn-0"}
    assert game.refused("wp", "16GT 3006 rail") == {"7.2/turn-0"}
    assert game.refused("wp", "38G 3212 ferry") == set()


def test_7_2_turn_0_own_territory_is_friendly_airspace_up_to_the_border() -> None:
    """Magdeburg and Erfurt are within five hexes of West German cities, so in war their airspace is contested."""
    game = before_the_war({"3006": "38G", "3609": "35G"}, dice={"23.1.1": [3]})
    game.say(wp="38G 3212 ferry\n35G 3813 ferry")
    assert game.places("38G 35G") == "3212 3813"
    war = a_game({"3006": "38G"}, ALL)
    assert war.refused("wp", "38G 3212 ferry") == {"14.1.2"}


# --- 24, 29.5.3 artillery in the BALTAP zone -------------------------------------------------------------------


def test_29_5_3_any_maneuver_unit_in_the_baltap_zone_serves_the_guns() -> None:
    """Only in the BALTAP zone do independent paratroops, and the artillery of another front, count
    as Baltic Front.
    """
    game = fighting({"2217": "34N 97", "2218": "16/6"}, dice={"24.1": [6]})
    game.say(wp="mark 2218\nfire 34N at 2218", nato="none")
    assert game.at("16/6") == "lost"
    south = fighting({"3020": "34N 97", "3021": "22/1A"})
    assert south.refused("wp", "fire 34N at 3021") == {"24.1.1"}


def test_24_1_3_a_second_gun_in_the_baltap_zone_may_join_the_baltic_front() -> None:
    """149G of the Baltic Front fires from East Germany; 34N may join it from Lübeck, but not from 2413."""
    units = {"2314": "149G 1G", "2214": "34N 35", "2315": "16/6 17/6 51/6"}
    orders = "fire 149G at 2315 at 16/6, 17/6\nfire 34N at 2315 at 51/6"
    game = fighting(units, conquered={"2214": WP}, dice={"24.1": [2, 2]})
    game.say(wp=orders, nato="none").over()
    assert game.told("24.1") == ["*", "*"]
    apart = {"2314": "149G 1G", "2413": "34N 35", "2414": "16/6 17/6 51/6"}
    game = fighting(apart, dice={"24.1": [2]})
    game.say(wp=orders.replace("2315", "2414"), nato="none").over()
    assert game.told("24.1") == ["*"]


# --- 25.6, 25.7 losses and retreats ----------------------------------------------------------------------------


def overfull(**more: Any) -> Game:
    """A 2 at 3:1 gives A1/R1; two of the three hexes behind are in a zone of control, so the
    brigade joins four steps.
    """
    units = {"3019": "16GT", "2922": "21", "3020": "22/1A", "3121": "1/1PZ 2/1PZ 3/1PZ 27LL"}
    game = fighting(units, dice={"25.5.2": [2]}, **more)
    return game.say(wp="attack 3020 with 16GT", nato="respond: never").over()


def test_25_7_6_a_retreat_onto_a_full_stack_costs_a_step_unless_somebody_leaves_in_time() -> None:
    stays, leaves = overfull(), overfull()
    assert stays.at("22/1A") == "3121" and stays.piece("22/1A").engaged is False

    stays.say(nato="none")
    assert stays.places("1/1PZ 2/1PZ 3/1PZ 22/1A") == "3121 3121 3121 3121" and stays.at("27LL") == "lost"
    leaves.say(nato="27LL 3221")
    assert leaves.places("27LL 22/1A") == "3221 3121"


def test_9_1_3_on_an_overfull_hex_a_unit_may_entrain_while_another_leaves() -> None:
    units = {"3228": "1/1PZ 2/1PZ 3/1PZ 27LL 20/7PZ", "3226": "WG-I"}
    game = a_game(units, ALL, side=NATO)
    game.say(nato="1/1PZ entrain\n27LL 3227")
    assert game.piece("1/1PZ").train == "entraining" and game.places("1/1PZ 27LL 20/7PZ") == "3228 3227 3228"


def test_25_6_3_guns_die_after_the_division_and_before_the_staff() -> None:
    """The division is reduced and disrupted: 15 to 2 is 7:1, and a 6 gives D2*R2.

    The division is lost first, then the artillery; the headquarters retreats two hexes east and is suppressed.
    """
    units = {"3020": "21*! 34N NEGF", "3021": "2/1PZ 3/1PZ 20/7PZ"}
    game = fighting(units, NATO, dice={"25.5.2": [6]})
    game.say(nato="attack 3020 with 2/1PZ, 3/1PZ, 20/7PZ\nadvance: never", wp="respond: never").over()

    assert game.places("21 34N") == "lost lost"
    assert game.at("NEGF") in ("3018", "2919", "2819") and game.piece("NEGF").disrupted
    assert game.told("25.9.2") == ["breakthrough"]


def test_25_7_1_a_trade_that_leaves_trains_is_not_they_shall_not_pass() -> None:
    """A 2 at 3:1 gives A1/R1; the brigade is given up, but the train still holds the hex, so no unit advances."""
    units = {"3019": "16GT", "3020": "22/1A 7/1A"}
    game = fighting(units, marks={"7/1A": {"train": "entrained"}}, dice={"25.5.2": [2]})
    game.say(wp="attack 3020 with 16GT", nato="respond: never\nstand: 3020").over()

    assert game.places("22/1A 7/1A 16GT") == "lost 3020 3019"
    assert game.told("25.7.1") == [] and game.piece("16GT").reduced


def test_25_8_2_an_exploitation_stops_before_a_river_and_a_city_but_not_before_a_zone() -> None:
    """A 4 at 6:1 gives -/D1R2; beyond 3020 are marsh and Minden, so only 3121 is open, despite the zone of 7/1A."""
    units = {"3019": "16GT 21", "3020": "22/1A", "3221": "7/1A"}
    game = fighting(units, dice={"25.5.2": [4]})
    game.say(wp="attack 3020 with 16GT, 21\nadvance: exploit", nato="respond: never\ntrade: never").over()

    assert game.at("16GT") == "3121" and game.at("21") == "3019"


@pytest.mark.rule("4.2.7", effect=True)
def test_25_9_3_reserves_pour_through_and_infantry_does_not() -> None:
    """10 to 3 is 3:1, and 4:1 with support; a 6 gives -/D1R2, and a breakthrough opens in 3020.

    7/1A in 3122 closes 3021 and 3121 to others. 94G, two hexes behind, has half of 5, rounded up: 3 points for 3020
    and 3021, where zones cost it nothing.
    """
    units = {"3019": "16GT NEGF", "3017": "94G", "2918": "38G", "3020": "22/1A", "3122": "7/1A"}
    game = a_game(units, ALL, dice={"25.5.2": [6]})
    game.say(wp="94G reserve\n38G reserve")
    game.say(wp="attack 3020 with 16GT support NEGF", nato="respond: never\ntrade: never")
    assert game.state.breakthrough == ["3020"]
    assert game.refused("wp", "94G 3018 3019 3020") == set()
    assert game.refused("wp", "38G 2919 2920 3020") == {"12.2"}


def test_18_4_helicopters_that_cannot_fly_are_refused_with_the_order() -> None:
    """An order for helicopters that are not ready, out of reach, unsupplied or of another front is refused."""
    units = {"3019": "16GT", "3018": "NEGF", "3020": "22/1A", "4110": "SEGF"}
    order = "attack 3020 with 16GT helicopters "
    game = fighting(units, brigades={"NEGF": "ready", "SEGF": "ready", "CZF": "recovery"})
    assert game.refused("wp", order + "NEGF") == set()
    assert game.refused("wp", order + "SEGF") == {"18.4", "18.4.1"}
    hungry = fighting(units, brigades={"NEGF": "ready"}, marks={"NEGF": {"supplied": False}})
    assert hungry.refused("wp", order + "NEGF") == {"18.4.5"}
    tired = fighting(units, brigades={"NEGF": "recovery"})
    assert tired.refused("wp", order + "NEGF") == {"18.4.4.2"}


def test_21_3_airfields_and_dispersal_cost_a_side_its_points_from_the_next_turn_on() -> None:
    """After one airfield strike and one strike on a hex, the Warsaw Pact gets two points fewer, and NATO one."""
    base = fighting({"3019": "16GT"}, NATO).say(nato="none", wp="none").state.tactical
    dice = {"21.2": [6, 6], "21.1.1": [1, 1]}
    game = fighting({"3019": "16GT"}, NATO, dice=dice).say(nato="nuke airfield\nnuke 3019", wp="none").over()

    assert game.state.tactical[WP] == max(min(base[WP], 2), base[WP] - 2)
    assert game.state.tactical[NATO] == max(min(base[NATO], 2), base[NATO] - 1)
    assert game.refused("wp", "none") == set() and game.state.nuclear == ["3019"]


def test_13_2_paratroops_without_supply_stop_a_train_only_where_they_stand() -> None:
    """5Para cannot trace supply in Poland, so the airspace stays the enemy's, but its zone closes the railway."""
    for hex, rules in (("3304", set()), ("3303", {"13.2"})):
        game = a_game({"3302": "21", hex: "5Para"}, ALL, marks={"21": {"train": "entrained"}})
        assert game.refused("wp", "21 3006 rail") == rules


def test_25_9_1_an_emptied_hex_is_entered_without_a_die_by_its_neighbours() -> None:
    """An emptied hex is entered without a die; beyond 3020 only 3121 is open to exploitation."""
    units = {"3019": "16GT 21 NEGF", "3020": "22/1A"}
    game = fighting(units, tactical={WP: 1}, dice={"23.3": [6]})
    game.say(wp="air 3020\nattack 3020 with 16GT\nadvance: exploit", nato="none").over()
    assert game.places("22/1A 16GT 21") == "lost 3121 3019"


def test_25_2_lines_for_one_hex_and_lines_with_conditions_are_alternatives() -> None:
    """Lines for one hex are alternatives: E8 follows up if the first battle goes well, or else holds the flank."""
    units = {"3019": "16GT", "3018": "E8", "3020": "22/1A", "3119": "7/1A"}
    follow = "attack 3020 with 16GT\nattack 3119 with E8 if 3020 taken\nattack 3119 with E8, 16GT if 3020 held"
    game = fighting(units)
    assert game.refused("wp", follow) == set()
    assert game.refused("wp", "attack 3020 with 16GT\nattack 3119 with E8, 16GT") == {"25.2"}
    game = fighting(units, dice={"25.5.2": [6, 3]})
    game.say(wp=follow + "\nadvance: consolidate", nato="respond: never\ntrade: never\nair: never").over()
    fought = [found.inputs["objective"] for found in game.findings if found.rule == "25.5.2"]
    assert fought == ["3020", "3119"] and game.at("16GT") == "3020"


def test_30_4_7_a_lone_city_falls_only_to_a_loss_and_only_to_those_who_enter() -> None:
    """Over a stream, with armor halved, 18 becomes (10/2 + 8) x 3/4 = 9 to 1; less one column,
    8:1; a 1 gives D1R1.
    """
    units = {"3119": "16GT 21"}
    enters = fighting(units, dice={"25.5.2": [1]}).say(wp="attack 3120 with 16GT, 21", nato="none")
    waits = fighting(units, dice={"25.5.2": [1]}).say(wp="attack 3120 with 16GT, 21\nadvance: never", nato="none")
    cell = next(found.cell for found in enters.findings if found.rule == "25.5.2")
    assert cell == ["8:1", 1]
    assert enters.state.conquered == {MINDEN: WP} and waits.state.conquered == {}
    assert waits.told("25.9.2") == []


def test_27_an_assault_on_a_train_needs_no_die() -> None:
    """97 drops on a brigade that waits alone on its train in 3021 (marsh), and overruns it."""
    game = a_game(
        {"srb": "97", "3021": "22/1A"},
        ALL,
        turn=3,
        marks={"22/1A": {"train": "entrained"}},
        dice={"17.1.2": [6, 6]},
        **LIFTS,
    )
    game.say(wp="97 3021 drop").say(wp="none", nato="none").over()
    assert game.places("97 22/1A") == "3021 lost"


def test_26_2_2_each_nation_joins_one_attack_with_another() -> None:
    """British and Germans attack 3019 from two hexes, so an attack by Germans and Americans must wait."""
    units = {"3019": "21*", "3020": "22/1A", "3120": "1/1PZ", "3217": "94G*", "3218": "2/1PZ", "3317": "2/3A"}
    game = fighting(units, NATO, dice={"25.5.2": [3, 3]})
    game.say(
        nato="attack 3019 with 22/1A, 1/1PZ\nattack 3217 with 2/1PZ, 2/3A\nattack 3217 with 2/3A",
        wp="respond: never",
    )
    fought = [found.inputs["objective"] for found in game.findings if found.rule == "25.5.2"]
    assert fought == ["3019", "3217"] and not game.piece("2/1PZ").disrupted
