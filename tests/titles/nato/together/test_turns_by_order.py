"""A sixth hearing, in writing: turns played by the words of both sides. Answers were worked out from the rulebook."""

from __future__ import annotations

from typing import Any

from titles.nato.builders import a_data
from titles.nato.together.at_the_table import Game, a_game
from titles.nato.together.test_lawyer_fourth import ALL, LIFTS

from pbem.titles.nato.cards.units import Side

WP, NATO = Side.WP, Side.NATO
BEFORE = a_data(*sorted(ALL.scenario.rules), turn_zero=True)
BIELEFELD, OSNABRUECK, MINDEN, HANNOVER = "3220", "3122", "3120", "3117"


def fighting(units: dict[str, str], side: Side = WP, **more: Any) -> Game:
    """Return a game that waits for the battle orders of both sides."""
    return a_game(units, more.pop("data", ALL), side=side, step="fighting", **more)


# --- 25.4, 25.9 battles -----------------------------------------------------------------------------------------


def test_25_4_a_headquarters_in_a_box_supports_nobody() -> None:
    """The Polish Front waits for its train in a reinforcement box: it is on no map from which it could support."""
    game = fighting({"sector4": "POF", "3116": "P5T", "3216": "22/1A"})

    assert game.refused("wp", "attack 3216 with P5T support POF") == {"25.4"}
    assert game.refused("wp", "attack 3216 with P5T") == set()


def test_25_9_1_a_torn_hex_into_which_defenders_fall_back_must_be_fought_for() -> None:
    """The brigade in 3222 dies in the air strike. Then the stack in 3221, attacked from all sides at 24:9, 2:1, four
    columns at 4:1 with its concentric attack, rolls 5: D1R1. Every hex behind it is in a zone of control, so it pays
    a second step to enter 3222. The third brigade stands there, Engaged: 8:1, and a 6 kills it.
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


# --- 9.1.1 stacking -----------------------------------------------------------------------------------------------


def test_9_1_1_the_limit_holds_at_the_end_of_every_segment() -> None:
    """A lift arrives in the Air and Sea Segment, those whom it crowds leave only in the Ground Segment."""
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


# --- turn 0 ---------------------------------------------------------------------------------------------------------


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
    """Magdeburg and Erfurt lie within five hexes of West German cities: in war their sky is contested."""
    game = before_the_war({"3006": "38G", "3609": "35G"}, dice={"23.1.1": [3]})
    game.say(wp="38G 3212 ferry\n35G 3813 ferry")
    assert game.places("38G 35G") == "3212 3813"
    war = a_game({"3006": "38G"}, ALL)
    assert war.refused("wp", "38G 3212 ferry") == {"14.1.2"}


# --- 24, 29.5.3 artillery in the BALTAP zone ---------------------------------------------------------------------------


def test_29_5_3_any_maneuver_unit_in_the_baltap_zone_serves_the_guns() -> None:
    """Independent paratroops count as Baltic Front there, and so do the guns of another front. Nowhere else."""
    game = fighting({"2217": "34N 97", "2218": "16/6"}, dice={"24.1": [6]})
    game.say(wp="mark 2218\nfire 34N at 2218", nato="none")
    assert game.at("16/6") == "lost"
    south = fighting({"3020": "34N 97", "3021": "22/1A"})
    south.say(wp="fire 34N at 3021", nato="none")
    assert south.told("24.1") == []
