"""Definitions of chapters 2 to 7, each tested where another rule depends on it."""

from __future__ import annotations

import itertools

import msgspec
import pytest
from titles.nato.builders import a_battle, a_board, a_data, a_table, board_on, done, on, played, unit
from titles.nato.commands.test_commands import a_staff

from pbem.titles.nato.artillery.fire import battery_objections
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.orders import Fight
from pbem.titles.nato.combat.results import advance_segment
from pbem.titles.nato.commands.pools import examples
from pbem.titles.nato.map.ground import Hexside
from pbem.titles.nato.map.reading import SideChange, add_feature
from pbem.titles.nato.movement.moves import no_way_objections
from pbem.titles.nato.movement.rail import rail_objections
from pbem.titles.nato.movement.segments import return_command, take_command
from pbem.titles.nato.nuclear.atomic import strike_hex, war_crime
from pbem.titles.nato.nuclear.chemicals import chemical_segment
from pbem.titles.nato.player.formations import formations
from pbem.titles.nato.player.orders import Chemical
from pbem.titles.nato.sequence import fighting, reserves, turn_end
from pbem.titles.nato.setup import initial_state
from pbem.titles.nato.supply.headquarters import front, superior
from pbem.titles.nato.supply.points import income
from pbem.titles.nato.supply.resupply import resupply
from pbem.titles.nato.surrender import czech_surrender
from pbem.titles.nato.victory import margin

WP, NATO = Side.WP, Side.NATO


@pytest.mark.rule("2.2.5", effect=True)
def test_2_2_5_a_train_leaves_the_reserve_box_for_a_friendly_sector_only() -> None:
    board = a_board({"srb": "16GT 1/1PZ"}, a_data("rail"))
    for id, own in (("16GT", (3, 4, 5)), ("1/1PZ", (1, 2))):
        unit(board, id).piece.train = "entrained"
        ways = [box for box in range(1, 7) if not list(rail_objections(board, unit(board, id), f"sector{box}"))]
        assert tuple(ways) == own


def test_2_2_1_rivers_and_barriers_lie_on_hexsides() -> None:
    atlas = a_data().atlas
    assert [atlas.hexside("2919", hex).river for hex in ("2918", "2920")] == ["major", ""]
    assert atlas.hexside("1513", "1514").ferry and atlas.hexside("3114", "3113").iron_curtain


@pytest.mark.rule("3.2.1", "3.3.1", effect=True)
def test_3_2_1_only_maneuver_units_have_an_attack_strength() -> None:
    board = a_board({"3019": "16GT 34N NEGF", "3020": "21*"})
    assert [unit(board, id).attack for id in ("16GT", "34N", "NEGF")] == [10, 0, 0]
    assert unit(board, "21").attack < a_data().units["21"].full.attack
    assert [unit(board, id).steps for id in ("16GT", "34N", "NEGF", "21")] == [2, 1, 1, 1]
    assert [unit(board, id).maneuver for id in ("16GT", "34N", "NEGF")] == [True, False, False]


def test_3_2_a_division_has_two_sides() -> None:
    card = a_data().units["16GT"]
    assert (str(card.strength(2)), str(card.strength(1))) == ("10-6-6", "5-4-6")


def test_3_2_5_units_are_ordered_by_the_headquarters_on_their_counter() -> None:
    board = a_board({"3019": "16GT", "3020": "22/1A", "3118": "97"})
    found = {one.id: one.units for one in formations(board.data, board.state, "wp")}
    assert found == {"NEGF": ("16GT",), "SU": ("97",)}


@pytest.mark.rule("2.2.6", effect=True)
def test_2_2_6_a_lift_command_goes_from_ready_to_recovery() -> None:
    board = a_board({"srb": "97"}, lift_ready={WP: {"air": 2}})
    take_command(board, unit(board, "97"), "air", 1)
    return_command(board, unit(board, "97"), "air", 1)
    assert (board.state.lift_ready[WP], board.state.lift_used[WP]) == ({"air": 1}, {"air": 1})


@pytest.mark.rule("4.3.4", "4.1.2", effect=True)
def test_4_1_strikes_leave_markers_and_cost_points() -> None:
    table = a_table({}, (), a_data("nuclear", "chemical"), chemical_points={WP: 3}, turn=4)
    strike_hex(table, board_on(table), WP, "3020")
    chemical_segment(table, board_on(table), WP, [Chemical("3021", persistent=True)])
    war_crime(table, board_on(table), WP, "3117")
    state = table.state
    assert (state.nuclear, state.chemical, state.chemical_points) == (["3020"], {"3021": {WP: True}}, {WP: 2})
    assert state.first_use == 4 and state.points == {NATO: 1 + 2}
    chemical_segment(table, board_on(table), NATO, [])
    assert state.chemical == {"3021": {WP: True}}, "the enemy's marker stays"


@pytest.mark.rule("4.1.8", effect=True)
def test_4_1_8_a_resupply_marker_lies_where_it_was_flown() -> None:
    table = a_table({"3218": "22/1A"}, [6, 6], side=NATO)
    table.state.pieces["22/1A"].ms_out = True
    resupply(table, board_on(table), NATO, "3218")
    assert table.state.resupply == "3218" and not table.state.pieces["22/1A"].ms_out
    before = table.state.supply_points
    income(table, board_on(table))
    assert table.state.supply_points == before + table.data.scenario.supply.income > before


@pytest.mark.rule("7.1.1", "5.4", "7.0", "7.1", "7.1.2", "7.1.4", "7.2", effect=True)
def test_7_1_1_the_warsaw_pact_moves_first_then_nato_then_the_next_turn_begins() -> None:
    for side, then in ((WP, "movement"), (NATO, "turn_end")):
        table = a_table({}, side=side)
        played(table, reserves(table))
        assert table.state.next is not None and table.state.next.name == then
    last = a_data().scenario.turns
    for turn, over in ((last - 1, False), (last, True)):
        table = a_table({}, side=NATO, turn=turn)
        done(turn_end(table))
        assert (table.state.outcome is not None) is over and table.state.turn == (turn if over else turn + 1)


def test_5_5_the_margin_is_the_points_of_the_warsaw_pact_less_those_of_nato() -> None:
    board = a_board({}, points={WP: 9, NATO: 3}, conquered={"3007": WP})
    assert margin(board) == 9 + 2 - 3
    lost = a_board({}, points={WP: 9, NATO: 3}, conquered={"3007": WP}, lost={"16GT": 2})
    assert margin(board) - margin(lost) == board.data.scenario.victory.division


def test_3_2_6_1_an_independent_unit_belongs_to_no_front_and_to_every_headquarters() -> None:
    """3.2.6: a unit is independent by its counter or by the scenario."""
    board = a_board({"3019": "97 16GT"}, on(a_data(), independents=()))
    cards = board.data.units
    assert [superior(board, unit(board, "97"), cards[hq]) for hq in ("NEGF", "POF", "BC")] == [True, True, True]
    assert [superior(board, unit(board, "16GT"), cards[hq]) for hq in ("NEGF", "POF", "BC")] == [True, False, False]
    lent = a_board({"3019": "16GT"}, on(a_data(), independents=("16GT",)))
    assert front(board, cards["16GT"]) == "NEGF" and front(lent, cards["16GT"]) == ""


@pytest.mark.rule("7.1.4", effect=True)
def test_7_1_4_the_warsaw_pact_alone_has_an_artillery_segment_after_its_air_strikes() -> None:
    for side, then in ((WP, "artillery"), (NATO, "combat")):
        table = a_table({"3118": "16GT", "3219": "1/1PZ"}, side=side, tactical={side: 2})
        played(table, fighting(table))
        assert table.state.next is not None and table.state.next.name == then


@pytest.mark.rule("2.2.1", effect=True)
def test_2_2_1_a_hexside_keeps_its_name_unless_a_correction_gives_another() -> None:
    for given, name in (("", "Elbe"), ("Alte Elbe", "Alte Elbe")):
        change = SideChange("3118/3218", "", "blocked", given)
        assert add_feature(Hexside(name="Elbe"), change).name == name


@pytest.mark.rule("12.1.1", effect=True)
def test_12_1_1_the_reason_why_no_step_leads_to_a_hex() -> None:
    """The refusal says whether the path costs too much, an enemy is in the hex, or the hex is off the map."""
    board = a_board({"3118": "16GT", "3114": "1/1PZ"})
    mover = unit(board, "16GT")
    for end, rules in (("3119", {"12.1.1"}), ("9999", {"12.1.1"}), ("3116", {"12.2"})):
        found = no_way_objections(board, mover, "3118", end, "tactical", 4)
        assert {one.rule for one in found} == rules
    held = {one.rule for one in no_way_objections(board, mover, "3118", "3114", "tactical", 4)}
    assert held and not held & {"12.1.1", "12.2"}


@pytest.mark.rule("24.2.6", effect=True)
def test_24_2_6_guns_on_a_train_do_not_fire_and_others_with_their_front_do() -> None:
    cases = (("16GT 34N", "", []), ("16GT 34N", "entraining", ["24.2.6"]), ("34N", "", ["24.1.1"]))
    for units, train, rules in cases:
        board = a_board({"3118": units, "3114": "NEGF"})
        unit(board, "34N").piece.train = train
        assert [one.rule for one in battery_objections(board, unit(board, "34N"))] == rules


@pytest.mark.rule("25.0", effect=True)
def test_25_0_only_a_hex_with_an_enemy_unit_or_an_enemy_city_can_be_attacked() -> None:
    table = a_table({"3118": "16GT", "3218": "1/1PZ", "3114": "NEGF"})
    fight = Fight(table.data, table.state, Fight.make_ask(table.data.seat_of(WP)))
    assert board_on(table).free_city("3117", NATO)
    assert fight.targets == ["3117", "3218"]


@pytest.mark.rule("25.9.2", effect=True)
@pytest.mark.parametrize("stood", [False, True])
def test_25_9_2_nobody_advances_and_there_is_no_breakthrough_where_the_defender_stood(stood: bool) -> None:
    table = a_table({"3118": "16GT", "3218": "1/1PZ", "3114": "NEGF"}, battles=["3218"])
    board = board_on(table)
    battle = table.state.battle = a_battle(board, "3218", "16GT")
    board.remove(unit(board, "1/1PZ"))
    battle.stood = stood
    asked = list(itertools.islice(advance_segment(table, board, battle), 1))
    assert bool(asked) is not stood
    if stood:
        assert table.state.breakthrough == []


@pytest.mark.rule("32.1.3", effect=True)
def test_32_1_3_prague_falls_only_to_a_unit_that_can_trace_to_a_headquarters() -> None:
    for units, falls in (({"4203": "1/3A", "4204": "US-V"}, True), ({"4203": "1/3A"}, False)):
        assert bool(czech_surrender(a_board(units, a_data()))) is falls


@pytest.mark.rule("35.8.4", effect=True)
def test_35_8_4_a_seat_is_shown_one_example_of_each_kind() -> None:
    board = board_on(a_staff(tactical={NATO: 8}))
    assert [line.partition(":")[0] for line in examples(board, "centag")] == ["To share points", "To lend a unit"]


@pytest.mark.rule("35.9", effect=True)
@pytest.mark.parametrize(("bonus", "start"), [(0, {}), (2, {WP: 2, NATO: 2})])
def test_35_9_a_scenario_may_give_both_sides_an_air_bonus(bonus: int, start: dict[Side, int]) -> None:
    data = a_data()
    data = on(data, air=msgspec.structs.replace(data.scenario.air, bonus=bonus))
    assert initial_state(data, ()).air_bonus == start
