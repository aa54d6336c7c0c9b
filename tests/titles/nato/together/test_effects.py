"""Rules that no finding shows: each test asserts on what the rule brings about."""

from __future__ import annotations

import pytest
from support.rules import every
from titles.nato.builders import a_board, a_data, a_table, board_on, unit

from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.cycle import surprised
from pbem.titles.nato.map.grid import neighbours
from pbem.titles.nato.map.ground import Country
from pbem.titles.nato.movement.costs import turn_zero
from pbem.titles.nato.nerves.peace import in_effect
from pbem.titles.nato.nuclear.chemicals import strike_notes
from pbem.titles.nato.reinforcements.activation import activate_gdp
from pbem.titles.nato.sequence import struck_empty
from pbem.titles.nato.supply.headquarters import friendly_country

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
    struck_empty(table, board_on(table), "3116")
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
    assert surprised(table, NATO) and not surprised(table, WP)


@pytest.mark.rule("4.5.4", effect=True)
def test_4_5_4_air_operations_expand_some_turns_after_the_measure() -> None:
    data = a_data()
    delay = data.charts.number("air_delay")
    for peace, expanded in ((3 + delay - 1, False), (3 + delay, True)):
        assert in_effect(a_board({}, data, peace=peace, measures={"tactical": 3}), "tactical") is expanded
