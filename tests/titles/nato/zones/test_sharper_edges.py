"""Cases that only one part of a rule decides; each was found by breaking that part of the code."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from support.rules import assert_rule
from titles.nato.builders import a_battle, a_board, a_data, a_table, an_ask, board_on, on, played, unit
from titles.nato.together.test_lawyer_fourth import ALL, LIFTS, rules_of
from titles.nato.turns.at_the_table import a_game
from titles.nato.turns.test_of_commands import COMMANDS
from titles.nato.turns.test_under_pressure import PASSIVE, fighting

from pbem.engine.rules.refusals import Refusal
from pbem.titles.data_files import DataError
from pbem.titles.nato.air.sites import site_at
from pbem.titles.nato.air.strike_decisions import AirDefense
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.charts import AirPoints, charts, check_combat
from pbem.titles.nato.cards.files import packaged
from pbem.titles.nato.cards.scenario import Lift, halves
from pbem.titles.nato.cards.scenario_files import check_scenario, load_scenario, packaged_scenario
from pbem.titles.nato.cards.units import Side, roster
from pbem.titles.nato.combat.cycle import battle_cycle
from pbem.titles.nato.map.grid import distance, neighbours
from pbem.titles.nato.movement.costs import march_objections
from pbem.titles.nato.movement.lift import sea_lift_objections
from pbem.titles.nato.player.orders import AirStrike, Commit
from pbem.titles.nato.sequence import joint_turn, reserves
from pbem.titles.nato.supply.cities import city_in_supply, port_supply
from pbem.titles.nato.supply.headquarters import hq_traces
from pbem.titles.nato.supply.resupply import resupply
from pbem.titles.nato.supply.units import movement_source
from pbem.titles.nato.title import NatoRules

WP, NATO = Side.WP, Side.NATO
LUEBECK, ROSTOCK, SZCZECIN = "2214", "2111", "2504"


def leine(old: str = "", new: str = "") -> bytes:
    """Return the introductory scenario with one change."""
    text = packaged("scenarios/leine.toml").decode()
    assert old in text
    return text.replace(old, new, 1).encode()


def below(findings: Any, rule: str) -> list[Any]:
    """Return the results of findings under a rule, at any depth."""
    found = [one.result for one in findings if one.rule == rule]
    return found + [result for one in findings for result in below(one.children, rule)]


# --- 3, 33, 35 scenarios --------------------------------------------------------------------------------------


def test_3_7_a_scenario_is_described_in_the_year_that_is_asked_for() -> None:
    assert check_scenario(leine())[0] == "The Leine, 1983: 4 turns on 105 hexes"
    assert check_scenario(leine(), "1988")[0] == "The Leine, 1988: 4 turns on 105 hexes"


@pytest.mark.parametrize("turns", [1, 14])
def test_33_0_a_war_of_one_turn_is_a_war(turns: int) -> None:
    text = leine("turns = 4", f"turns = {turns}").decode()
    lines = [line for line in text.splitlines() if not line.startswith(("2 =", "3 =", "4 ="))]
    assert load_scenario("\n".join(lines).encode()).turns == turns


@pytest.mark.rule("35.1", effect=True)
def test_35_1_a_war_lasts_from_one_turn_to_fourteen() -> None:
    test_33_0_a_war_of_one_turn_is_a_war(1)
    for turns in (0, 15):
        with pytest.raises(DataError) as refusal:
            load_scenario(leine("turns = 4", f"turns = {turns}"))
        assert "1 to 14 turns" in str(refusal.value)


def test_35_9_a_conquered_city_outside_the_play_area_is_named_as_a_mistake() -> None:
    with pytest.raises(DataError) as refusal:
        load_scenario(leine('3115 = "wp"', '5313 = "wp"'))
    assert "no city in this hex of the play area" in str(refusal.value)


@pytest.mark.rule("33.3", effect=True)
def test_33_3_a_reforger_site_lies_on_the_map_and_not_in_a_box() -> None:
    text = packaged("scenarios/theatre.toml").decode()
    load_scenario(text.encode())
    with pytest.raises(DataError) as refusal:
        load_scenario(text.replace('3626 = "1/2A 3ACR"', 'srb = "1/2A 3ACR"', 1).encode())
    assert "only US units on the map begin as Reforger sites" in str(refusal.value)


@pytest.mark.rule("35.8.2", effect=True)
def test_35_8_2_a_berlin_brigade_follows_no_territorial_command() -> None:
    """Only territorials follow their national command; a brigade without a corps belongs to the theatre command."""
    scenario, units = packaged_scenario("theatre"), roster(1983)
    seats = {id: scenario.seat_of(units[id], "commands") for id in ("FR-Berlin", "FR-104", "BE-6")}
    assert seats == {"FR-Berlin": "afcent", "FR-104": "centag", "BE-6": "northag"}


@pytest.mark.rule("35.8.2.3", effect=True)
def test_35_8_2_3_french_territorials_are_in_centag_and_the_garrison_of_berlin_is_not() -> None:
    test_35_8_2_a_berlin_brigade_follows_no_territorial_command()


@pytest.mark.rule("35.8/battle-choices")
def test_35_8_two_seats_on_a_side_are_enough_to_say_who_decides() -> None:
    kept = ("theatre", "north", "afcent", "northag")
    seats = tuple(seat for seat in COMMANDS.scenario.commands if seat.id in kept)
    data = on(COMMANDS, commands=seats)
    assert len(data.seats_of(WP)) == len(data.seats_of(NATO)) == 2
    table = a_table({"3019": "16GT", "3020": "22/1A"}, [1], data)
    played(table, battle_cycle(table, Commit("3020", ("16GT",))))
    assert_rule(table.findings, "35.8/battle-choices", result=["north", "northag"])


# --- 7, 10 supply ---------------------------------------------------------------------------------------------


def test_7_2_a_resupply_marker_does_not_outlast_the_player_turn() -> None:
    table = a_table({}, (), ALL, resupply="3323")
    played(table, reserves(table))
    assert table.state.resupply == ""


@pytest.mark.rule("10.3.3.4", "10.2", effect=True)
def test_10_3_3_4_two_hexes_from_west_berlin_its_brigades_are_cut_off() -> None:
    near, far = (a_board({hex: "US-Berlin"}, ALL, side=NATO) for hex in ("3008", "3009"))
    assert movement_source(near, unit(near, "US-Berlin")) == "West Berlin"
    assert movement_source(far, unit(far, "US-Berlin")) == ""


@pytest.mark.rule("10.3.3.5", effect=True)
def test_10_3_3_5_a_conquered_port_other_than_copenhagen_is_not_supplied_from_the_sea() -> None:
    """Without a chain of links to a free home city, only Copenhagen can be supplied through its port."""
    board = a_board({}, ALL, conquered={"1310": WP, "1015": WP})
    assert city_in_supply(board, "1310") and not city_in_supply(board, "1015")
    assert port_supply(board, WP, "1015")


@pytest.mark.rule("10.7.1", "10.7.3", effect=True)
def test_10_7_3_what_the_marker_does_not_supply_is_told() -> None:
    for units, told in (("97", ["cities", "other hexes"]), ("97 NEGF", ["NEGF"])):
        table = a_table({"3323": units}, [6, 6], ALL, turn=3)
        resupply(table, board_on(table), WP, "3323")
        assert below(table.findings, "10.7.3") == [{"not": told}]


# --- 9, 12, 16 movement ---------------------------------------------------------------------------------------


@pytest.mark.rule("9.1.1")
def test_9_1_1_reserves_fly_onto_a_stack_that_drives_away() -> None:
    """In the Reserve Phase the limit is tested at the end, whatever the order of flights and moves."""
    marks = {id: {"reserve": True} for id in ("16GT", "97")}
    units = {"3107": "16GT 21", "3110": "97", "3109": "NEGF"}
    game = a_game(units, ALL, step="reserves", marks=marks, **LIFTS)
    assert game.refused("wp", "97 3107 fly\n16GT 3106") == set()
    ask = game.run.ask_of("wp")
    assert ask is not None
    with pytest.raises(Refusal) as refused:
        game.rules.check(game.state, ask, game.rules.read(game.state, ask, "97 3107 fly").answer)
    assert_rule(refused.value, "9.1.1")


@pytest.mark.rule("12.4.1", effect=True)
def test_12_4_1_refugees_do_not_stop_the_warsaw_pact() -> None:
    board = a_board({"3020": "16GT", "3120": "22/1A"}, a_data("refugees"))
    found = {id: rules_of(march_objections(board, unit(board, id), unit(board, id).at)) for id in board.units}
    assert "12.4.1" in found["22/1A"] and "12.4.1" not in found["16GT"]


@pytest.mark.rule("16.2.1")
def test_16_2_1_the_baltic_corps_sails_out_of_a_port_that_is_cut_off() -> None:
    """16.2.4: in the turn in which it leaves a friendly port the corps is supplied, whether or not
    it can trace supply.
    """
    ring = [hex for hex in ALL.atlas.places if distance(hex, LUEBECK) == 2 and not ALL.atlas.places[hex].is_sea]
    units = dict(zip(ring, ("1/1PZ", "2/1PZ", "3/1PZ", "16/6", "17/6", "18/6", "1/Jut", "2/Jut"), strict=False))
    units = {hex: id for hex, id in units.items() if LUEBECK not in neighbours(hex)}
    board = a_board({**units, LUEBECK: "BC"}, ALL, turn=3, conquered={LUEBECK: WP}, **LIFTS)
    assert not hq_traces(board, unit(board, "BC"))
    assert rules_of(sea_lift_objections(board, unit(board, "BC"), ROSTOCK)) == set()
    beach = a_board({"1711": "BC"}, ALL, turn=3, **LIFTS)
    assert_rule(list(sea_lift_objections(beach, unit(beach, "BC"), ROSTOCK)), "16.2.1")


@pytest.mark.rule("29.6.1")
def test_29_6_1_a_ferry_changes_nothing_about_the_supply_of_the_baltic_corps() -> None:
    for mode, told in (("ferry", []), ("lift", ["supplied"])):
        game = a_game({"srb": "BC"}, ALL, turn=3, dice={"17.1.2": [6, 6]}, **LIFTS)
        game.say(wp=f"BC {SZCZECIN} {mode}")
        assert game.at("BC") == SZCZECIN and game.told("16.2.4") == told
    assert_rule(game.findings, "29.6.1")


# --- 20, 23 strikes -------------------------------------------------------------------------------------------


@pytest.mark.rule("20.0", effect=True)
def test_20_0_guns_strike_no_site_in_another_hex() -> None:
    board = a_board({"2315": "149G 16GT"}, ALL, sites={"3ACR": "2316"})
    assert site_at(board, "2316", [], []) == "3ACR"
    assert site_at(board, "2314", [], []) == site_at(board, "2314", ["3ACR"], []) == ""


def test_23_1_1_each_kind_of_point_is_halved_by_its_own_rule() -> None:
    assert halves(AirPoints(7, 7, 9, 9)) == AirPoints(4, 3, 5, 4)


@pytest.mark.rule("23.2.2.1", effect=True)
def test_23_2_2_1_an_attacker_that_is_already_dead_is_no_target() -> None:
    state = a_table({"3019": "16GT 21", "3020": "22/1A"}, (), ALL, tactical={NATO: 2}).state
    state.battle = a_battle(Board(ALL, state), "3020", "16GT", "21")
    del state.pieces["21"]
    decision: Any = NatoRules(ALL).decide(state, an_ask(AirDefense, "nato", subject="3020"))
    assert rules_of(decision.strike_objections(AirStrike("3019", targets=("16GT",)), [])) == set()
    assert rules_of(decision.strike_objections(AirStrike("3019", targets=("21",)), [])) == {"23.2.2.1"}


@pytest.mark.rule("23.8")
def test_23_8_a_zone_costs_a_seat_one_point_of_its_share() -> None:
    state: dict[str, Any] = {"tactical": {WP: 4}, "pools": {"north": {"tactical": 3}, "south": {"tactical": 1}}}
    game = a_game({"3018": "NEGF", "3019": "16GT", "3020": "22/1A"}, COMMANDS, step="fighting", **state)
    game.say(north="interdict 3020", south="none", theatre="none", northag="none")
    assert game.state.pools["north"]["tactical"] == 2
    assert_rule(game.findings, "23.8")
    far = a_game({"3019": "16GT", "3020": "22/1A"}, ALL, step="fighting", operational={WP: 2})
    far.say(wp="interdict 3626 operational", nato="none")
    assert far.state.operational[WP] == 1


# --- 25 battles -----------------------------------------------------------------------------------------------


def defended(die: int, defenders: str = "22/1A 7/1A") -> Any:
    """Return the findings of an attack on brigades in the open."""
    table = a_table({"3019": "16GT 21", "3018": "NEGF", "3020": defenders}, [die], conquered={"3120": WP})
    played(table, battle_cycle(table, Commit("3020", ("16GT", "21"))), advance={"paths": {}}, respond=None)
    return table.findings


@pytest.mark.rule("25.1.6", effect=True)
def test_25_1_6_a_brigade_that_retreats_in_order_is_not_told_as_disrupted() -> None:
    """18 to 6 is 3:1, and a 3 gives A1/R1: the brigade retreats without being disrupted."""
    assert below(defended(3), "25.6.4.2") == []
    assert below(defended(3, "22/1A! 7/1A"), "25.6.4.2") == [["22/1A"]]


@pytest.mark.rule("25.6.1.1", effect=True)
def test_25_6_1_1_those_who_are_disrupted_where_they_stand_have_not_retreated() -> None:
    """Already disrupted, the brigades stay: 18 to 3 is 6:1, 18 to 5 is 3:1, and a 1 drives no unit back."""
    assert below(defended(1, "22/1A! 7/1A"), "25.6.4.2") == []


def test_25_3_3_a_table_with_a_short_row_is_refused() -> None:
    whole = charts().combat_file
    check_combat(whole)
    short = msgspec.structs.replace(whole, rows=(*whole.rows[:5], whole.rows[5][:-1]))
    with pytest.raises(DataError) as refusal:
        check_combat(short)
    assert "6 rows of 13 cells" in str(refusal.value)


@pytest.mark.rule("25.6.2.2", "25.6.2.1", effect=True)
def test_25_6_2_2_one_front_alone_chooses_nothing() -> None:
    """15 to 3 is 5:1, and a 3 gives a counterattack.

    The report names the front that makes it only if two fronts are in the hex.
    """
    for units, told in (("E8*", 0), ("E8* E4*", 1)):
        attack = {"3020": "2/1PZ 3/1PZ", "2920": "20/7PZ", "3120": "21/7PZ"}
        game = fighting({"3019": units, **attack}, NATO, dice={"25.5.2": [3], "25.6.2": [1]})
        game.say(nato="attack 3019 with 2/1PZ, 3/1PZ, 20/7PZ\nadvance: never", wp=PASSIVE).over()
        assert len(game.told("25.6.2.2")) == told


# --- 33.2.9 Lift Commands that arrive -------------------------------------------------------------------------


@pytest.mark.rule("33.2.9")
def test_33_2_9_lift_commands_arrive_ready_on_their_turn() -> None:
    """Two Airlift Commands join one that is ready and one that has flown, on turn 3 and on no other."""
    data = on(ALL, lift_arrivals={3: {WP: Lift(air=2)}})
    for turn, air in ((2, 2), (3, 4)):
        table = a_table({}, [3], data, turn=turn, lift_ready={WP: {"air": 1}}, lift_used={WP: {"air": 1}})
        played(table, joint_turn(table))
        assert table.state.lift_ready[WP]["air"] == air
    assert_rule(table.findings, "33.2.9", inputs={"side": WP, "kind": "air"}, result=2)


@pytest.mark.rule("33.0", effect=True)
def test_33_2_9_a_scenario_says_when_lift_commands_arrive() -> None:
    more = leine().decode() + "\n[lift_arrivals.2.nato]\nhelicopter = 1\n"
    assert load_scenario(more.encode()).lift_arrivals == {2: {NATO: Lift(helicopter=1)}}
    with pytest.raises(DataError):
        load_scenario(more.replace("lift_arrivals.2", "lift_arrivals.9").encode())
