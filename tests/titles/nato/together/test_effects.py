"""Rules that no finding names: each test checks the effect of the rule."""

from __future__ import annotations

import pytest
from support.rules import assert_rule, every
from titles.nato.builders import a_board, a_data, a_state, a_table, board_on, unit

from pbem.titles.nato.air.strike_decisions import reach_objections
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.cycle import lacks_supply_by_surprise
from pbem.titles.nato.combat.eligibility import commit_objections
from pbem.titles.nato.commands.ceasefire import player_turn
from pbem.titles.nato.map.grid import neighbours
from pbem.titles.nato.map.ground import Country
from pbem.titles.nato.movement.costs import turn_zero, zone_objections
from pbem.titles.nato.nerves.peace import in_effect
from pbem.titles.nato.nuclear.chemicals import strike_notes
from pbem.titles.nato.player.orders import AirStrike
from pbem.titles.nato.reinforcements.activation import activate_gdp
from pbem.titles.nato.sequence import mark_cleared_hex, place_markers
from pbem.titles.nato.supply.headquarters import friendly_country
from pbem.titles.nato.zones.airspace import airspace, open_airspace
from pbem.titles.nato.zones.coordination import attack_objections

NATO, WP = Side.NATO, Side.WP


@pytest.mark.rule("7.2/turn-0", effect=True)
def test_7_2_the_turn_before_the_war_is_turn_0_of_a_scenario_that_has_one() -> None:
    early = a_data(turn_zero=True)
    assert turn_zero(a_board({}, early, turn=0))
    assert not turn_zero(a_board({}, early, turn=1)) and not turn_zero(a_board({}, turn=0))


@pytest.mark.rule("9.0", effect=True)
def test_9_0_a_stack_is_open_and_each_side_has_its_part_of_it() -> None:
    board = a_board({"3218": "16GT 1/1PZ"})
    assert {one.id for one in board.at("3218")} == {"16GT", "1/1PZ"}
    assert [one.id for one in board.at("3218", NATO)] == ["1/1PZ"]


@pytest.mark.rule("10.1.8", effect=True)
def test_10_1_8_a_country_that_has_surrendered_supplies_nobody() -> None:
    board = a_board({}, surrendered=["DK"])
    assert friendly_country(board, Country.WG, NATO) and not friendly_country(board, Country.WG, WP)
    assert not friendly_country(board, Country.DK, NATO) and not friendly_country(board, None, NATO)


@pytest.mark.rule("22.2.9", effect=True)
def test_22_2_9_only_a_free_city_of_the_enemy_keeps_its_strength_in_gas() -> None:
    board = a_board({}, conquered={})
    city = next(hex for hex in board.atlas.cities if board.free_city(hex, NATO))
    plain = next(hex for hex in neighbours(city) if hex in board.atlas.places and hex not in board.atlas.cities)
    noted = {hex: {one.rule for one in every(list(strike_notes(board, WP, hex)))} for hex in (city, plain)}
    assert "22.2.9" in noted[city] and "22.2.9" not in noted[plain]


@pytest.mark.rule("25.9.1", effect=True)
def test_25_9_1_where_strikes_have_killed_the_last_enemy_nobody_assaults_any_more() -> None:
    table = a_table({"3116": "16GT", "3118": "21"}, assaults=["16GT", "21"], battles=["3116", "3118"])
    mark_cleared_hex(table, board_on(table), "3116")
    assert table.state.assaults == ["21"] and table.state.breakthrough == ["3116"]


@pytest.mark.rule("35.3.1", effect=True)
def test_35_3_1_nato_calls_up_its_units_in_west_germany_and_no_others() -> None:
    dutch = next(hex for hex, place in sorted(a_board({}).atlas.places.items()) if place.country is Country.NL)
    table = a_table({"3218": "1/1PZ", dutch: "22/1A"})
    for one in table.state.pieces.values():
        one.active = False
    activate_gdp(table, board_on(table))
    board = board_on(table)
    assert unit(board, "1/1PZ").piece.active and not unit(board, "22/1A").piece.active


@pytest.mark.rule("35.7", effect=True)
def test_35_7_surprise_costs_nato_its_combat_supply_and_not_the_warsaw_pact() -> None:
    table = a_table({}, (), a_data("surprise"), turn=1)
    assert lacks_supply_by_surprise(table, NATO) and not lacks_supply_by_surprise(table, WP)


@pytest.mark.rule("4.5.4", effect=True)
def test_4_5_4_air_operations_expand_some_turns_after_the_measure() -> None:
    data = a_data()
    delay = data.charts.number("air_delay")
    for peace, expanded in ((3 + delay - 1, False), (3 + delay, True)):
        assert in_effect(a_board({}, data, peace=peace, measures={"tactical": 3}), "tactical") is expanded


@pytest.mark.rule("11.8.3", "23.1.6", effect=True)
def test_23_1_6_only_operational_points_reach_into_enemy_airspace() -> None:
    board = a_board({"3218": "1/1PZ", "3223": "WG-I", "3118": "16GT", "3108": "NEGF"})
    kinds = {airspace(board, hex, WP): hex for hex in sorted(board.atlas.places)}
    assert rules_against(board, kinds["enemy"], operational=False) == {"23.1.3"}
    assert not rules_against(board, kinds["enemy"], operational=True)
    assert not rules_against(board, kinds["friendly"], operational=False)


def rules_against(board: Board, hex: str, *, operational: bool) -> set[str]:
    return {one.rule for one in reach_objections(board, WP, AirStrike(hex, operational=operational))}


@pytest.mark.rule("11.1", effect=True)
def test_11_1_open_airspace_is_where_a_side_has_cover() -> None:
    board = a_board({"3218": "1/1PZ", "3223": "WG-I", "3118": "16GT", "3108": "NEGF"})
    for contested, wanted in ((False, {"friendly"}), (True, {"friendly", "contested"})):
        found = open_airspace(board, WP, contested=contested)
        assert found == {hex for hex in board.atlas.places if airspace(board, hex, WP) in wanted}


@pytest.mark.rule("26.2.4", effect=True)
def test_26_2_4_units_of_two_nations_do_not_attack_out_of_one_hex() -> None:
    board = a_board({"3218": "1/1PZ 2/1PZ", "3220": "22/1A"})
    german, other, british = (unit(board, id) for id in ("1/1PZ", "2/1PZ", "22/1A"))
    assert not list(attack_objections(board, NATO, [german, other]))
    assert not list(attack_objections(board, NATO, [german, british]))
    mixed = a_board({"3218": "1/1PZ 22/1A"})
    both = [unit(mixed, id) for id in ("1/1PZ", "22/1A")]
    assert {one.rule for one in attack_objections(mixed, NATO, both)} == {"26.2.3"}


@pytest.mark.rule("25.2.2")
def test_25_2_2_an_attack_strength_of_1_is_enough_to_attack() -> None:
    board = a_board({"3116": "35G", "3218": "1/1PZ"}, battles=["3218"])
    rifles = unit(board, "35G")
    assert rifles.attack == 1
    assert "25.2.2" not in {one.rule for one in commit_objections(board, WP, "3218", [rifles])}
    assert_rule(list(commit_objections(board, WP, "3218", [])), "25.2.2")


@pytest.mark.rule("25.0/phase-planning")
def test_25_0_battle_markers_lie_on_the_hexes_to_be_attacked_each_once() -> None:
    table = a_table({}, battles=["3116"])
    place_markers(table, WP, ["3116", "3118"])
    assert table.state.battles == ["3116", "3118"]
    assert_rule(table.findings, "25.0/phase-planning", result=["3116", "3118"])


@pytest.mark.rule("12.3.2", effect=True)
def test_12_3_2_a_soft_unit_may_leave_or_enter_a_zone_but_not_go_from_one_to_another() -> None:
    board = a_board({"3118": "NEGF", "3218": "1/1PZ"})
    staff = unit(board, "NEGF")
    assert not staff.card.hard
    zones = [hex for hex in sorted(board.atlas.places) if board.ezoc(hex, WP)]
    free = next(hex for hex in sorted(board.atlas.places) if hex not in zones)
    refused = [{one.rule for one in zone_objections(board, staff, a, b, "tactical")} for a, b in (
        (zones[0], zones[1]), (zones[0], free), (free, zones[0])
    )]  # fmt: skip
    assert refused == [{"12.3.2"}, set(), set()]


@pytest.mark.rule("27.3.1")
def test_27_3_1_those_who_assault_a_hex_take_part_in_its_battle() -> None:
    board = a_board({"3218": "16GT 1/1PZ"}, battles=["3218"], assaults=["16GT"])
    assert "27.3.1" not in {one.rule for one in commit_objections(board, WP, "3218", [unit(board, "16GT")])}
    assert_rule(list(commit_objections(board, WP, "3218", [])), "27.3.1")


@pytest.mark.rule("7.1", effect=True)
def test_7_1_each_turn_has_a_player_turn_of_the_warsaw_pact_and_one_of_nato() -> None:
    numbers = [player_turn(a_state({}, side=side, turn=turn)) for turn in (1, 2) for side in (WP, NATO)]
    assert numbers == sorted(set(numbers)) and numbers[3] - numbers[0] == 3
