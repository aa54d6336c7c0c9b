"""A tenth set of questions, with written orders: mass destruction, trains, helicopters and the last days of a war."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from titles.nato.builders import a_data
from titles.nato.together.test_lawyer_fourth import ALL
from titles.nato.turns.at_the_table import Game, a_game
from titles.nato.turns.test_under_pressure import MAGDEBURG, MINDEN, OSNABRUECK, PASSIVE, cells, fighting

from pbem.titles.nato.cards.units import Side

WP, NATO = Side.WP, Side.NATO
BERLIN, DRESDEN, HAARLEM = "3007", "3706", "3031"
GAS: dict[str, Any] = {"first_use": 1, "chemical_points": {WP: 1}}
"""The second turn of chemical warfare, with one point."""
ON_TRAIN = {"train": "entrained"}


def wait_until(game: Game, reached: Callable[[Game], bool]) -> Game:
    """Answer every exchange with nothing until a condition is met."""
    while not reached(game) and game.state.outcome is None:
        game.say(**{ask.seat.replace("-", "_"): "none" for ask in game.run.asks})
    return game


def shifts(game: Game) -> list[Any]:
    """Return the net shift of each battle."""
    return [found.inputs["net"] for found in game.findings if found.rule == "25.5.2"]


# --- 21 nuclear weapons ---------------------------------------------------------------------------------------


def test_25_4_support_that_was_given_outlives_the_fire_over_its_headquarters() -> None:
    """Support is assigned in the Commit Segment and cannot be withdrawn.

    Both units are disrupted by a 1; 10 / 4 is 2, and 2 to 3 is 1:2, or 1:1 with support.
    """
    units = {"3019": "16GT NEGF", "3020": "22/1A"}
    dice = {"21.1.1": [1, 1, 1], "21.2": [6], "25.5.2": [1]}
    game = fighting(units, dice=dice, asks=["nuclear defense"])
    game.say(wp="attack 3020 with 16GT support NEGF", nato=PASSIVE).say(nato="3019").over()
    assert cells(game) == [["1:1", 1]]


def test_21_3_a_first_strike_in_a_battle_leaves_the_airfields_alone() -> None:
    """A Defensive Strike Segment is not a Nuclear Strike Segment, so no airfields may be struck afterwards."""
    units = {"3019": "16GT NEGF", "3020": "22/1A"}
    dice = {"21.1.1": [1, 1, 1], "21.2": [6], "25.5.2": [1]}
    game = fighting(units, dice=dice, asks=["nuclear defense"])
    assert game.refused("wp", "nuke airfield") == set()
    game.say(wp="attack 3020 with 16GT", nato=PASSIVE).say(nato="3019")
    wait_until(game, lambda game: game.state.side is NATO and game.state.phase != "movement")
    wait_until(game, lambda game: {ask.seat for ask in game.run.asks} == {"wp", "nato"})
    assert game.refused("nato", "nuke airfield") == {"21.3"}


@pytest.mark.rule("22.2.2", effect=True)
def test_20_0_fire_gas_and_aircraft_strike_one_division_one_after_the_other() -> None:
    """NATO's nuclear strike disrupts both steps, gas takes one of them, and an air strike takes the other."""
    units = {"3019": "16GT", "3020": "2/3A", "3018": "NEGF"}
    points: dict[str, Any] = {"first_use": 1, "chemical_points": {NATO: 1}, "tactical": {NATO: 1}}
    dice = {"21.1.1": [1, 1], "21.2": [6], "22.2.3": [6], "23.3": [6]}
    game = fighting(units, NATO, dice=dice, **points)
    game.say(nato="nuke 3019\nchemical 3019 artillery\nair 3019", wp="none").over()
    assert game.at("16GT") == "lost"


# --- 22 gas ---------------------------------------------------------------------------------------------------


def test_22_3_1_those_who_advance_into_fresh_gas_are_not_struck_and_go_no_further() -> None:
    """5 to 3 / 2, rounded up, is 2:1; on a 6 the brigade counterattacks without effect and is lost.

    No second hex is entered; in the next turn the gas permits only a minimum move.
    """
    units = {"3019": "16GT", "3018": "NEGF", "3020": "22/1A"}
    game = fighting(units, dice={"22.2.3": [1], "25.5.2": [6], "25.6.2": [1]}, **GAS)
    game.say(wp="chemical 3020 persistent\nattack 3020 with 16GT\nadvance: exploit", nato=PASSIVE).over()
    assert game.at("16GT") == "3020" and not game.piece("16GT").disrupted
    game.dice.left["22.2.5"] = [6]
    wait_until(game, lambda game: game.state.turn == 3 and game.run.ask_of("wp") is not None)
    assert game.refused("wp", "16GT 3021 3022 tactical") == {"12.5.1"}
    assert game.refused("wp", "16GT 3021 minimum") == set()


@pytest.mark.parametrize(("gas", "train"), [(True, False), (False, True)])
def test_13_5_gas_drives_a_brigade_off_its_train_and_so_saves_it(gas: bool, train: bool) -> None:
    """A brigade disrupted by gas loses its Train marker and can fight: 5 to 3 / 4 is 5:1, and a 1 gives A1/R1."""
    units = {"3019": "16GT", "3018": "NEGF", "3020": "22/1A"}
    dice = {"22.2.3": [4], "25.5.2": [1]} if gas else {}
    game = fighting(units, marks={"22/1A": ON_TRAIN}, dice=dice, **GAS)
    strike = "chemical 3020\n" if gas else ""
    game.say(wp=f"{strike}attack 3020 with 16GT\nadvance: never", nato=PASSIVE).over()
    assert cells(game) == ([["5:1", 1]] if gas else [])
    assert (game.at("22/1A") == "lost") is train


def test_34_3_3_gas_on_the_last_day_costs_a_point_and_a_city_more() -> None:
    """The declaration gives NATO one point, and the first strike on Minden the value of the city."""
    found = []
    for order in ("chemical 3120", "none"):
        last = ALL.scenario.turns
        game = fighting({"3119": "16GT", "3118": "NEGF"}, turn=last, chemical_points={WP: 1})
        game.say(wp=order, nato="none")
        wait_until(game, lambda game: False)
        assert game.state.outcome is not None
        found.append(game.state.outcome.score["nato"])
    assert found[0] - found[1] == 2


# --- 13, 29 headquarters and trains ---------------------------------------------------------------------------


@pytest.mark.parametrize(("strike", "out"), [("air 3022 operational at BR-I\n", False), ("", True)])
def test_13_4_6_a_staff_that_is_bombed_off_its_train_supplies_again(strike: str, out: bool) -> None:
    """On its train a headquarters supplies no unit; suppression removes the Train marker, and it supplies again."""
    units = {"3019": "16GT", "3018": "NEGF", "3020": "22/1A", "3022": "BR-I"}
    dice = {"23.3": [3] if strike else [], "25.5.2": [1]}
    game = fighting(units, marks={"BR-I": {"train": "entraining"}}, operational={WP: 1}, dice=dice)
    game.say(wp=f"{strike}attack 3020 with 16GT", nato=PASSIVE).over()
    assert cells(game) == [["3:1", 1]] and game.piece("22/1A").cs_out is out


def test_25_4_2_a_us_corps_supports_one_attack_of_a_phase() -> None:
    units = {"3019": "21*", "3020": "1/3A", "3120": "2/3A 3/3A", "3219": "94G*", "3022": "US-V"}
    game = fighting(units, NATO)
    both = "attack 3019 with 1/3A support US-V\nattack 3219 with 2/3A, 3/3A support US-V"
    assert game.refused("nato", both) == {"25.4.2"}
    assert game.refused("nato", both.removesuffix(" support US-V")) == set()


def test_18_4_4_2_helicopters_that_defended_do_not_attack_in_the_same_game_turn() -> None:
    """The helicopters fly over one zone of control each way in the enemy's turn, and recover until
    the next game turn.
    """
    units = {"3019": "16GT", "3018": "NEGF", "3020": "1/3A", "3022": "US-V"}
    game = fighting(units, brigades={"US-V": "ready"}, dice={"19.1": [2], "25.5.2": [1]})
    game.say(wp="attack 3020 with 16GT", nato="helicopters: always\nrespond: never").over()
    assert game.state.brigades == {"US-V": "recovery"}
    wait_until(game, lambda game: game.state.side is NATO and len(game.run.asks) == 2)
    assert game.refused("nato", "attack 3019 with 1/3A helicopters US-V") == {"18.4.4.2"}
    wait_until(game, lambda game: game.state.turn == 3)
    assert game.state.brigades == {"US-V": "ready"}


# --- 25 battles -----------------------------------------------------------------------------------------------


def test_25_7_1_a_brigade_does_not_die_for_a_hex_that_it_cannot_hold() -> None:
    """26 to 6 is 4:1, and a 6 gives D1R2; one brigade is lost, and the other cannot pay two steps, so it retreats."""
    units = {"3019": "16GT 21", "2920": "94G", "3018": "NEGF", "3020": "22/1A 7/1A"}
    game = fighting(units, conquered={MINDEN: WP}, dice={"25.5.2": [6]})
    game.say(wp="attack 3020 with 16GT, 21, 94G\nadvance: never", nato="stand: 3020\nrespond: never").over()
    assert cells(game) == [["4:1", 6]]
    assert sorted([game.at("22/1A") == "lost", game.at("7/1A") == "lost"]) == [False, True]
    assert game.state.breakthrough == ["3020"] or game.told("25.9.2")


def test_26_1_4_two_fronts_attack_out_of_one_hex_through_different_hexsides() -> None:
    units = {"3019": "16GT 11GT", "3018": "NEGF", "3020": "22/1A", "2919": "7/1A"}
    game = fighting(units, dice={"25.5.2": [1, 1]})
    assert game.refused("wp", "attack 3020 with 16GT, 11GT") == {"26.1.3"}
    game.say(wp="attack 3020 with 16GT\nattack 2919 with 11GT", nato=PASSIVE).over()
    assert len(cells(game)) == 2


def test_25_5_1_2_on_the_first_day_every_advantage_counts() -> None:
    """5 to 6 is 1:2; concentric attack 2, support 1, helicopters 1 and surprise 1 make it 5:1.

    On the second day the odds are 2:1, and the helicopters return over brigades that have not retreated.
    """
    day = {number: a_data("surprise", "border", "helicopters") for number in (1, 2)}
    units = {"3019": "16GT*", "3018": "NEGF", "3021": "97", "3020": "22/1A 7/1A"}
    for turn, odds, flak in ((1, "5:1", [2]), (2, "2:1", [2, 2])):
        game = fighting(
            units, data=day[turn], turn=turn, conquered={MINDEN: WP, OSNABRUECK: WP}, brigades={"NEGF": "ready"},
            dice={"19.1": flak, "25.5.2": [1]},
        )  # fmt: skip
        game.say(wp="attack 3020 with 16GT support NEGF helicopters NEGF", nato=PASSIVE).over()
        assert cells(game) == [[odds, 1]]


def test_25_9_1_the_warsaw_pact_needs_a_battle_marker_for_a_breakthrough_and_nato_does_not() -> None:
    """Aircraft destroy a brigade; a breakthrough opens only if the hex was to be attacked, or if NATO struck."""
    units = {"3019": "16GT", "3018": "NEGF", "3020": "22/1A"}
    torn = []
    for orders in ("air 3020\nattack 3020 with 16GT\nadvance: never", "air 3020"):
        game = fighting(units, tactical={WP: 1}, dice={"23.3": [6]}).say(wp=orders, nato="none").over()
        assert game.at("22/1A") == "lost"
        torn.append(game.told("25.9.1") != [])
    nato = fighting({"3019": "145T", "3020": "22/1A"}, NATO, tactical={NATO: 1}, dice={"23.3": [6]})
    nato.say(nato="air 3019", wp="none").over()
    assert torn == [True, False] and nato.told("25.9.1") != []


def test_25_2_a_hex_whose_attackers_died_in_the_air_is_not_attacked_again() -> None:
    """The battle of 145T counts as the hex's only battle, so the second line for it is not carried out."""
    units = {"3019": "145T", "2920": "16GT", "3018": "NEGF", "3020": "22/1A"}
    game = fighting(units, tactical={NATO: 1}, dice={"23.2.2": [6]})
    game.say(wp="attack 3020 with 145T\nattack 3020 with 16GT", nato="air: 1\nrespond: never").over()
    assert game.at("145T") == "lost" and cells(game) == []


def test_25_6_2_a_counterattack_keeps_one_division_from_exploiting_and_not_the_other() -> None:
    """18 to 3 is 6:1; on a 2 the brigade disrupts 16GT with a 4 and is lost; 21 exploits to 3121,
    16GT stops in 3020.
    """
    units = {"3019": "16GT 21", "3018": "NEGF", "3020": "22/1A"}
    dice = {"25.5.2": [2], "25.6.2": [4]}
    game = fighting(units, conquered={MINDEN: WP}, dice=dice, asks=["advance"])
    game.say(wp="attack 3020 with 16GT, 21", nato=f"{PASSIVE}\ncounterattack: strongest").over()
    assert cells(game) == [["6:1", 2]] and game.piece("16GT").disrupted
    assert game.refused("wp", "16GT 3020 3121 21 3020") == {"25.8.2"}
    game.say(wp="16GT 3020 21 3020 3121")
    assert game.places("16GT 21") == "3020 3121"


def test_35_2_a_sleeping_brigade_defends_and_counterattacks_but_does_not_respond() -> None:
    """10 to 3 is 3:1; on a 5 the brigade disrupts 16GT with a 3 and is lost, but the adjacent one stays in place."""
    units = {"3019": "16GT", "3018": "NEGF", "3020": "1/1PZ", "3121": "2/1PZ"}
    asleep = {id: {"active": False} for id in ("1/1PZ", "2/1PZ")}
    game = fighting(units, marks=asleep, dice={"25.5.2": [5], "25.6.2": [3]})
    game.say(wp="attack 3020 with 16GT\nadvance: never", nato="respond: 2/1PZ into 3020\nair: never").over()
    assert game.places("1/1PZ 2/1PZ") == "lost 3121" and game.piece("16GT").disrupted
    assert game.piece("2/1PZ").active


def test_26_2_9_a_berlin_brigade_outside_does_not_respond_into_the_city() -> None:
    """The Berlin brigades attack together, but respond only beside their own nation or into an
    empty city of their own.
    """
    for inside in ("UK-Berlin", ""):
        units = {"3006": "16GT 21", "3106": "NEGF", "3008": "US-Berlin", **({BERLIN: inside} if inside else {})}
        game = fighting(units, dice={"25.5.2": [1]})
        game.say(wp="attack 3007 with 16GT, 21\nadvance: never", nato="respond: US-Berlin into 3007").over()
        assert game.at("US-Berlin") == "3008"
    same = fighting({"3006": "16GT 21", "3106": "NEGF", "3008": "US-Berlin", BERLIN: "2/3A"}, dice={"25.5.2": [1]})
    same.say(wp="attack 3007 with 16GT, 21\nadvance: never", nato="respond: US-Berlin into 3007").over()
    assert same.told("25.1.2") == [BERLIN]


# --- 28, 30, 32, 34 cities, surrender and victory --------------------------------------------------------------


@pytest.mark.parametrize(("order", "winner"), [("16GT 3211 3212", None), ("none", NATO)])
def test_34_1_2_1_a_division_in_reserve_takes_back_the_second_city_in_time(order: str, winner: Side | None) -> None:
    """NATO holds empty Magdeburg and Dresden, but an OMG may retake one of them in the Reserve Phase."""
    game = a_game(
        {"3210": "16GT", "3208": "NEGF"}, ALL, step="reserves", marks={"16GT": {"reserve": True}},
        conquered={MAGDEBURG: NATO, DRESDEN: NATO},
    )  # fmt: skip
    game.say(wp=order)
    wait_until(game, lambda game: game.state.turn == 3)
    assert (game.state.outcome.winner if game.state.outcome else None) == winner
    assert (MAGDEBURG in game.state.conquered) is (winner is NATO)


@pytest.mark.parametrize(("answer", "surrendered"), [("NL-12/1 3031", []), ("none", ["NL"])])
def test_32_1_2_holland_gives_up_only_if_the_city_is_not_back_by_the_evening(
    answer: str, surrendered: list[str]
) -> None:
    """The Netherlands surrender unless a brigade drives into empty Haarlem in NATO's turn."""
    units = {"2931": "NL-12/1", "3020": "NL-41/4 1/1PZ", "3205": "NEGF"}
    conquered = {"3030": WP, "3133": WP, HAARLEM: WP}
    game = a_game(units, ALL, side=NATO, turn=4, conquered=conquered)
    game.say(nato=answer)
    wait_until(game, lambda game: game.state.turn == 5)
    assert game.state.surrendered == surrendered
    assert (game.at("NL-41/4") == "lost") is bool(surrendered) and game.at("1/1PZ") == "3020"


def test_33_2_5_with_every_port_lost_the_british_come_by_train() -> None:
    """No ferry runs to a port in enemy hands, so a brigade may entrain in the Strategic Reserve Box instead."""
    ports = [hex for hex, place in ALL.atlas.places.items() if place.port and place.city_class]
    game = a_game({"srb": "49/2", "3018": "16GT"}, ALL, side=NATO, turn=4, conquered=dict.fromkeys(ports, WP))
    assert len(ports) > 10
    for port in ports:
        assert game.refused("nato", f"49/2 {port} ferry") >= {"14.2"}, port
    assert game.refused("nato", "49/2 entrain") == set()


def test_34_1_two_victories_at_once_are_none() -> None:
    """16GT is in supply beyond the Rhine, and NATO holds two Warsaw Pact cities, so the match is drawn."""
    rhine = ("4626", "4623", "4620", "4421", "4420", "4220", "4416", "4726", "4821", "3618", "3813")
    conquered = {**dict.fromkeys(rhine[:-1], WP)}
    units = {"4626": "16GT", "4623": "NEGF"}
    alone = a_game(units, ALL, side=NATO, step="turn_end", turn=5, conquered=conquered)
    both = a_game(
        units, ALL, side=NATO, step="turn_end", turn=5, conquered={**conquered, MAGDEBURG: NATO, "4203": NATO}
    )
    assert alone.state.outcome is not None and alone.state.outcome.winner == WP
    assert both.state.outcome is not None and both.state.outcome.winner is None


def test_35_4_refugees_stop_columns_and_not_trains() -> None:
    game = a_game({"3424": "NL-12/1 NL-13/1"}, ALL, side=NATO, turn=2, marks={"NL-12/1": ON_TRAIN})
    assert game.refused("nato", "NL-13/1 3423 march") >= {"12.4.1"}
    assert game.refused("nato", "NL-12/1 3321 rail") == set()


def test_23_8_reinforcements_enter_through_an_interdiction_zone_at_a_price() -> None:
    """Entering through an interdiction zone costs one more point, and march movement is not allowed."""
    edge = sorted(hex for hex, place in ALL.atlas.places.items() if place.sector == 4 and not place.city)[0]
    clear = a_game({"sector4": "20T"}, ALL)
    struck = a_game({"sector4": "20T"}, ALL, interdiction={NATO: [edge]})
    assert clear.refused("wp", f"20T {edge} march") == set()
    assert struck.refused("wp", f"20T {edge} march") >= {"12.4"}
    assert struck.refused("wp", f"20T {edge} tactical") == set()
