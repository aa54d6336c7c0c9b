"""A ninth set of questions, with written orders: supply lines cut during a phase, and orders
that depend on others.
"""

from __future__ import annotations

from typing import Any

import pytest
from titles.nato.together.test_lawyer_fourth import ALL, LIFTS
from titles.nato.turns.at_the_table import Game, a_game

from pbem.titles.nato.cards.units import Side

WP, NATO = Side.WP, Side.NATO
MINDEN, MAGDEBURG, OSNABRUECK = "3120", "3212", "3122"
SAFE = {"17.1.2": [6, 6]}
PASSIVE = "respond: never\nair: never\ntrade: never"
"""7.2 Standing orders by which a defender does nothing of its own accord."""


def fighting(units: dict[str, str], side: Side = WP, **more: Any) -> Game:
    """Return a game that waits for the battle orders of both sides."""
    return a_game(units, more.pop("data", ALL), side=side, step="fighting", **more)


def cells(game: Game) -> list[Any]:
    """Return the odds and the die of each battle."""
    return [found.cell for found in game.findings if found.rule == "25.5.2"]


# --- 8, 10, 11 lines that are cut in the middle of a phase ----------------------------------------------------


@pytest.mark.parametrize(("first", "cut_off"), [("3021", True), ("3020", False)])
def test_10_6_a_brigade_loses_its_line_when_the_one_behind_it_is_driven_back(first: str, cut_off: bool) -> None:
    """The only link of three hexes to the corps runs through 3021, in a zone of control that 7/1A negates.

    Once 7/1A has retreated, 22/1A fails its supply test; if 22/1A is attacked first, it passes.
    """
    units = {"3018": "NEGF", "3019": "16GT", "2921": "21", "3020": "22/1A", "3021": "7/1A", "3023": "BR-I"}
    battles = {"3021": "attack 3021 with 21", "3020": "attack 3020 with 16GT"}
    dice = {"3021": 3, "3020": 1}
    order = [first, *({"3020", "3021"} - {first})]
    game = fighting(units, dice={"25.5.2": [dice[hex] for hex in order]})
    game.say(wp="\n".join([*(battles[hex] for hex in order), "advance: never"]), nato=PASSIVE).over()
    assert game.places("22/1A 7/1A") == "3020 3022"
    assert game.piece("22/1A").cs_out is cut_off


@pytest.mark.parametrize(("first", "cut_off"), [("3017", True), ("3620", False)])
def test_10_4_2_a_staff_that_retreats_leaves_a_division_out_of_its_range(first: str, cut_off: bool) -> None:
    """NEGF reaches 16GT over exactly six hexes; 2:1 and a 3 drive it back one hex, but its own marker stays."""
    units = {"3017": "NEGF", "3018": "1/1PZ", "3118": "E8", "3620": "16GT", "3621": "22/1A"}
    battles = {"3017": "attack 3017 with 1/1PZ", "3620": "attack 3620 with 22/1A"}
    dice = {"3017": 3, "3620": 1}
    order = [first, *({"3017", "3620"} - {first})]
    game = fighting(units, NATO, dice={"25.5.2": [dice[hex] for hex in order]})
    game.say(nato="\n".join(battles[hex] for hex in order), wp=PASSIVE).over()
    assert game.at("NEGF") in ("3016", "2917") and game.piece("NEGF").supplied
    assert game.piece("16GT").cs_out is cut_off


CUT = {"3112": "1/1PZ", "3115": "WG-I", "3312": "16GT", "3105": "21"}
"""A German brigade in East Germany is supplied by its corps, three hexes away; 16GT can step between them."""


def test_10_5_4_a_march_goes_where_a_brigade_has_just_been_cut_off() -> None:
    game = a_game(CUT, ALL)
    assert game.refused("wp", "21 3109 march") >= {"12.4"}
    assert game.refused("wp", "16GT 3213\n21 3109 march") == set()
    game.say(wp="16GT 3213\n21 3109 march")
    assert game.places("16GT 21") == "3213 3109"


def test_13_2_a_train_leaves_before_the_brigade_is_cut_off() -> None:
    """The brigade's train leaves in the Rail Movement Segment, when the airspace over 3109 is still contested."""
    game = a_game(CUT, ALL, marks={"21": {"train": "entrained"}})
    assert game.refused("wp", "16GT 3213\n21 3109 rail") == {"13.2"}
    assert game.refused("wp", "16GT 3213\n21 3106 rail") == set()


@pytest.mark.parametrize(("first", "struck"), [("3411", ["3412"]), ("3408", ["3407", "3412"])])
def test_23_2_2_no_aircraft_over_a_brigade_whose_corps_has_just_been_lost(first: str, struck: list[str]) -> None:
    """Only 1/1PZ contests the airspace over its attacker, so no aircraft may strike there once its corps is lost."""
    units = {"3408": "1/1PZ", "3411": "WG-I", "3412": "16GT", "3407": "21", "3405": "NEGF"}
    battles = {"3411": "attack 3411 with 16GT", "3408": "attack 3408 with 21"}
    order = [first, *({"3411", "3408"} - {first})]
    dice = {"25.5.2": [{"3411": 6, "3408": 1}[hex] for hex in order], "23.2.2": [1] * len(struck)}
    game = fighting(units, tactical={NATO: 2}, dice=dice)
    game.say(wp="\n".join([*(battles[hex] for hex in order), "advance: never"]), nato="air: 2\nrespond: never").over()
    hexes = [found.inputs["hex"] for found in game.findings if found.rule == "23.2.2"]
    assert game.at("WG-I") == "lost" and hexes == struck


def test_10_7_2_a_marker_kept_for_battle_supplies_those_who_fight_on_it() -> None:
    """Paratroops far behind the front destroy a brigade at 2:1 with a 6; without the marker they
    have no combat supply.
    """
    units = {"3323": "97", "3322": "WG-61", "3405": "NEGF"}
    for order, dice, out in (("resupply 3323", [6, 6], False), ("none", [], True)):
        game = a_game(units, ALL, turn=3, dice={"10.7.1": dice, "25.5.2": [6], "25.6.2": [1]})
        assert game.piece("97").ms_out
        game.say(wp=order).say(wp="attack 3322 with 97\nadvance: never", nato=PASSIVE).over()
        assert game.at("WG-61") == "lost" and game.piece("97").cs_out is out


# --- 12, 15 to 18 moves that depend on each other -------------------------------------------------------------


def test_12_3_2_a_staff_follows_a_division_that_goes_ahead_of_it() -> None:
    """From zone to zone a headquarters may move only onto a friendly unit that is already there."""
    units = {"3018": "NEGF", "3119": "E8", "2918": "2/1PZ", "3020": "22/1A"}
    game = a_game(units, ALL, conquered={MINDEN: WP})
    assert game.refused("wp", "NEGF 3019 minimum") == {"12.3.2"}
    game.say(wp="E8 3019\nNEGF 3019 minimum")
    assert game.places("E8 NEGF") == "3019 3019"


def test_13_5_a_brigade_gets_off_its_train_and_into_its_aircraft() -> None:
    """Detraining is free and comes first; a unit that stays on its train is not ferried."""
    game = a_game({"3424": "27LL", "3018": "16GT"}, ALL, side=NATO, marks={"27LL": {"train": "entrained"}}, dice=SAFE)
    assert game.refused("nato", "27LL 3525 ferry") == {"14.1.1"}
    assert game.refused("nato", "27LL detrain\n27LL 3525 ferry") == set()
    game.say(nato="27LL detrain\n27LL 3525 ferry")
    assert game.at("27LL") == "3525" and not game.piece("27LL").train


@pytest.mark.rule("18.2.1", effect=True)
def test_15_1_a_helicopter_command_that_has_flown_is_not_ready_in_the_reserve_phase() -> None:
    one: dict[str, Any] = {"lift_ready": {WP: {"helicopter": 1}}}
    units = {"3110": "97 108", "3109": "NEGF"}
    game = a_game(units, ALL, **one).say(wp="97 3106 fly\n108 reserve").say(wp="none", nato="none")
    assert game.at("97") == "3106" and game.refused("wp", "108 3107 fly") == {"15.1"}
    spared = a_game(units, ALL, **one).say(wp="108 reserve").say(wp="none", nato="none")
    assert spared.refused("wp", "108 3107 fly") == set()


def test_18_2_3_helicopters_close_the_ring_in_the_turn_of_the_attack() -> None:
    """97 lands behind the brigade; with its zone of control, the attack of 16GT is concentric: 3:1 becomes 5:1."""
    units = {"3018": "97 NEGF", "3019": "16GT", "3020": "22/1A"}
    for order, flak, odds in (("97 3021 fly", [2], "5:1"), ("none", [], "3:1")):
        game = a_game(units, ALL, conquered={MINDEN: WP, OSNABRUECK: WP}, dice={"19.1": flak, "25.5.2": [6]}, **LIFTS)
        game.say(wp=order).say(wp="attack 3020 with 16GT\nadvance: never", nato=PASSIVE).over()
        assert cells(game) == [[odds, 6]]


@pytest.mark.parametrize(("answer", "left"), [("attack 3021 with 2/1PZ, 3/1PZ", True), ("none", False)])
def test_33_3_2_a_site_survives_a_landing_if_it_is_cleared_in_time(answer: str, left: bool) -> None:
    """A Reforger site alone does not allow an assault; 97 stays on it through NATO's turn, or is driven off."""
    units = {"3018": "97 NEGF", "3022": "2/1PZ 3/1PZ"}
    dice = {"25.5.2": [6] if left else [], "19.1": [2]}
    game = a_game(units, ALL, sites={"1/2A": "3021"}, dice=dice, turn=3, **LIFTS)
    game.say(wp="97 3021 fly")
    assert game.state.assaults == [] and game.at("97") == "3021"
    game.say(wp="none", nato="none")
    game.say(nato="none").say(nato=answer, wp=PASSIVE)
    while game.state.turn == 3:
        game.say(**{seat: "none" for seat in ("wp", "nato") if game.run.ask_of(seat)})
    assert ("1/2A" in game.state.sites or "1/2A" in game.state.pieces) is left
