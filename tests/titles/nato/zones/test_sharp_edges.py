"""Cases that only one part of a rule decides, worked out from the rulebook."""

from __future__ import annotations

import dataclasses
from typing import Any

import msgspec
import pytest
from titles.nato.builders import a_battle, a_board, a_data, a_table, board_on, done, on, played, unit
from titles.nato.together.test_lawyer_fourth import ALL, LIFTS, rules_of
from titles.nato.turns.at_the_table import a_game

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.nato.air.helicopters import through_flak
from pbem.titles.nato.air.sites import strike_site
from pbem.titles.nato.cards.charts import AirPoints
from pbem.titles.nato.cards.scenario import halves
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.advance import advance_objections
from pbem.titles.nato.combat.cycle import assault_notes, battle_cycle, berlin_notes
from pbem.titles.nato.combat.eligibility import across_objections
from pbem.titles.nato.combat.losses import next_losses
from pbem.titles.nato.combat.odds import final_odds, final_reason, odds_of
from pbem.titles.nato.combat.retreat import violations
from pbem.titles.nato.combat.strength import defense_rows, idle_reasons
from pbem.titles.nato.commands.dispositions import end_loans
from pbem.titles.nato.commands.merging import points_of
from pbem.titles.nato.data_set import Options
from pbem.titles.nato.map.ground import Country
from pbem.titles.nato.map.reading import atlas
from pbem.titles.nato.movement.airmobile import named_way
from pbem.titles.nato.movement.costs import zone_counts
from pbem.titles.nato.movement.deployment import gdp_points
from pbem.titles.nato.movement.lift import air_ferry_objections, use_port
from pbem.titles.nato.movement.moves import reachable_hexes
from pbem.titles.nato.movement.positions import takes_part
from pbem.titles.nato.nerves.peace import prepare
from pbem.titles.nato.nerves.steps import gdp
from pbem.titles.nato.nuclear.chemicals import remove_markers
from pbem.titles.nato.player.orders import Advance, AirStrike, Commit
from pbem.titles.nato.reinforcements.reforger import call_up
from pbem.titles.nato.sequence import joint_turn, turn_end
from pbem.titles.nato.state import Loan, NatoState, Piece
from pbem.titles.nato.supply.headquarters import hq_sources
from pbem.titles.nato.supply.links import may_pass
from pbem.titles.nato.supply.points import fronts, sea_supply
from pbem.titles.nato.supply.resupply import use_marker
from pbem.titles.nato.supply.units import movement_source
from pbem.titles.nato.surrender import apply_surrender, judge_recovery, judge_surrender
from pbem.titles.nato.victory import city_value, nato_points
from pbem.titles.nato.zones.airspace import counts

WP, NATO = Side.WP, Side.NATO
HANNOVER, MINDEN = "3117", "3120"


# --- 10 supply ------------------------------------------------------------------------------------------------


@pytest.mark.rule("10.2.3", effect=True)
def test_10_2_3_an_empty_conquered_city_blocks_a_line_although_it_controls_nothing() -> None:
    board = a_board({}, conquered={HANNOVER: WP})
    assert not board.ezoc(HANNOVER, NATO) and not may_pass(board, HANNOVER, NATO)


@pytest.mark.rule("10.3.2.1", "10.1.4", effect=True)
def test_10_3_2_1_a_us_corps_traces_to_the_edge_of_sector_1_and_a_german_one_does_not() -> None:
    board = a_board({})
    edge = set(board.atlas.sectors[1])
    assert edge & hq_sources(board, board.data.units["US-V"]) == edge
    assert not edge <= hq_sources(board, board.data.units["WG-I"])


def test_10_3_2_a_home_corps_traces_to_the_edge_of_its_country_and_a_multinational_one_does_not() -> None:
    board = a_board({})
    places = board.atlas.places
    french = [hex for sector in (1, 2) for hex in board.atlas.sectors[sector] if places[hex].country is Country.FR]
    german = [hex for sector in (1, 2) for hex in board.atlas.sectors[sector] if places[hex].country is Country.WG]
    bare = [hex for hex in french if not places[hex].city]
    assert bare and set(bare) <= hq_sources(board, board.data.units["FR-I"])
    assert not set(german) & hq_sources(board, board.data.units["LJ"]) - set(board.atlas.cities)


@pytest.mark.rule("10.1.4/map-edge", "10.3.2.2", effect=True)
def test_10_1_4_the_edges_of_sectors_1_to_5_are_friendly_to_one_side_each() -> None:
    board = a_board({})
    wp = hq_sources(board, board.data.units["NEGF"])
    for sector in (3, 4, 5):
        assert set(board.atlas.sectors[sector]) <= wp


@pytest.mark.rule("10.3.3.2", effect=True)
def test_10_3_3_2_the_open_sea_is_sea() -> None:
    ground = atlas()
    assert ground.open_sea and all(ground.places[hex].is_sea for hex in ground.open_sea)


@pytest.mark.rule("10.7.2", effect=True)
def test_10_7_2_a_marker_is_used_up_and_gives_nato_nothing_on_the_day_of_surprise() -> None:
    for rules, cleared in ((("surprise",), False), ((), True)):
        table = a_table({"3020": "22/1A"}, (), a_data(*rules), side=NATO, turn=1, resupply="3020")
        unit(board_on(table), "22/1A").piece.cs_out = True
        use_marker(table, board_on(table), NATO)
        assert unit(board_on(table), "22/1A").piece.cs_out is not cleared
        assert table.state.resupply == ("" if cleared else "3020")


@pytest.mark.rule("10.8.3", effect=True)
def test_10_8_3_an_unpaid_front_supplies_airspace_and_no_movement() -> None:
    board = a_board({"3116": "16GT", "3115": "NEGF"}, conquered={"3115": WP})
    unit(board, "NEGF").piece.supplied, unit(board, "NEGF").piece.unpaid = False, True
    assert movement_source(board, unit(board, "16GT")) == "" and counts(board, unit(board, "16GT"))


@pytest.mark.rule("10.9.1", effect=True)
def test_10_9_1_the_baltic_corps_needs_no_supply_point() -> None:
    board = a_board({"2111": "BC", "3010": "NEGF"})
    assert [hq.id for hq in fronts(board)] == ["NEGF"]


@pytest.mark.rule("10.9.2", effect=True)
def test_10_9_2_a_corps_in_the_reserve_box_gets_no_ships() -> None:
    table = a_table({"srb": "BC"}, ())
    unit(board_on(table), "BC").piece.supplied = False
    sea_supply(table, board_on(table))
    assert table.findings == []


@pytest.mark.rule("11.6.2", effect=True)
def test_11_6_2_a_unit_in_holstein_counts_in_danish_airspace() -> None:
    board = a_board({"2016": "16GT", "2215": "BAF", "2110": "21", "2211": "NEGF"})
    assert counts(board, unit(board, "16GT"), danish=True) and not counts(board, unit(board, "21"), danish=True)


# --- 18 to 24 air and weapons -----------------------------------------------------------------------------------


@pytest.mark.rule("18.4.7", "3.6.3", effect=True)
def test_19_1_a_second_die_counts_only_after_a_hit() -> None:
    """A brigade missed by the first die survives, whatever its defense."""
    table = a_table({"3020": "22/1A"}, [2])
    assert through_flak(table, board_on(table), WP, ("3020",), "brigade of NEGF", -1)


def test_22_2_5_a_persistent_cloud_stays_on_a_two_and_goes_on_a_one() -> None:
    for die, left in ((2, True), (1, False)):
        table = a_table({}, [die], ALL, first_use=1, chemical={"3020": {WP: True}})
        remove_markers(table, board_on(table), WP)
        assert ("3020" in table.state.chemical) is left


@pytest.mark.rule("23.8.1", effect=True)
def test_23_8_an_interdiction_marker_costs_one_point() -> None:
    game = a_game({"3020": "22/1A", "3018": "16GT", "3016": "NEGF"}, ALL, step="fighting", tactical={WP: 3})
    game.say(wp="interdict 3021", nato="none")
    assert game.state.tactical[WP] == 2 and game.state.interdiction == {WP: ["3021"]}


# --- 25 battles -------------------------------------------------------------------------------------------------


def test_13_4_3_an_emptied_hex_is_not_an_overrun_train() -> None:
    """A die is rolled for a battle for a lone free city; no unit on a train is eliminated there."""
    table = a_table({"3119": "16GT", "3118": "NEGF"}, [6], battles=[MINDEN], nuclear=[])
    played(table, battle_cycle(table, Commit(MINDEN, ("16GT",))))
    assert [found.rule for found in table.findings if found.rule in ("13.4.3", "25.5.2")] == ["25.5.2"]


def test_25_2_4_nobody_attacks_across_the_danish_ferry() -> None:
    board = a_board({"1513": "336G", "1514": "1ZBG"})
    assert rules_of(across_objections(board, "1513", "1514")) == {"25.2.4"}
    assert rules_of(across_objections(board, "2729", "2730")) == {"25.2.4"}


def test_25_2_7_a_division_in_reserve_of_strength_keeps_the_guns_silent() -> None:
    """Artillery alone counts 1; beside an Engaged brigade no unit counts, so the total is the minimum of 1."""
    alone = a_board({"3020": "34N"}, side=NATO)
    assert [row.who for row in defense_rows(alone, a_battle(alone, "3020", side=NATO))] == ["34N"]
    both = a_board({"3020": "34N 16GT"}, side=NATO)
    unit(both, "16GT").piece.engaged = True
    assert defense_rows(both, a_battle(both, "3020", side=NATO)) == []


@pytest.mark.rule("25.3.2.4", effect=True)
def test_25_3_2_4_an_engaged_unit_adds_nothing() -> None:
    board = a_board({"3020": "22/1A 7/1A", "3019": "16GT"})
    unit(board, "7/1A").piece.engaged = True
    assert a_battle(board, "3020", "16GT").defenders == ["22/1A"]


def test_25_5_1_on_the_day_of_surprise_the_limit_down_stays() -> None:
    assert final_odds("4:1", -3, unlimited=True) == "2:1" and final_odds("4:1", 3, unlimited=True) == "7:1"
    surprise = a_data("surprise")
    board = a_board({"3119": "16GT", MINDEN: "22/1A"}, surprise, turn=1)
    assert odds_of(board, a_battle(board, MINDEN, "16GT")).net == 0


@pytest.mark.rule("25.6.3.1", effect=True)
def test_25_6_3_1_an_ignored_loss_is_no_loss() -> None:
    """6:1 and a 6 is A1/D2, but the brigade has only one step, so 16GT and 21 lose none."""
    table = a_table({"3019": "16GT 21", "3020": "22/1A"}, [6])
    played(table, battle_cycle(table, Commit("3020", ("16GT", "21"))), advance=Advance())
    assert not any(table.state.pieces[id].reduced for id in ("16GT", "21"))


@pytest.mark.rule("25.6.1.2", effect=True)
def test_25_6_1_2_a_loss_that_is_no_result_is_not_told_as_ignored() -> None:
    """10:1 and a 6 is -/D2*R2, so there is no attacker's loss to ignore."""
    table = a_table({"3019": "16GT 21 25T*", "3020": "WG-61"}, [6])
    played(table, battle_cycle(table, Commit("3020", ("16GT", "21"))), advance=Advance())
    assert "25.6.3.1" not in {found.rule for found in table.findings}


@pytest.mark.rule("25.7.6", effect=True)
def test_25_7_6_two_staffs_in_one_hex_crowd_it_although_no_step_does() -> None:
    board = a_board({"3020": "BR-I", "3021": "BE-I"})
    assert violations(board, [unit(board, "BR-I")], ("3021",), ())[4] == 1
    assert violations(board, [unit(board, "BR-I")], ("2920",), ())[4] == 0


@pytest.mark.rule("25.7.7", effect=True)
def test_25_7_7_those_who_fought_lose_before_those_who_only_stood_there() -> None:
    board = a_board({"3020": "22/1A 7/1A", "3019": "16GT"})
    unit(board, "7/1A").piece.engaged = True
    battle = a_battle(board, "3020", "16GT")
    assert [one.id for one in next_losses(board.at("3020", NATO), battle)] == ["22/1A"]


@pytest.mark.rule("25.8", effect=True)
def test_25_8_riflemen_advance_into_a_hex_without_a_crater() -> None:
    board = a_board({"3019": "37", "3020": "22/1A"})
    assert not list(advance_objections(board, unit(board, "37"), a_battle(board, "3020", "37"), ["3020"]))
    struck = a_board({"3019": "37", "3020": "22/1A"}, nuclear=["3020"])
    assert list(advance_objections(struck, unit(struck, "37"), a_battle(struck, "3020", "37"), ["3020"]))


@pytest.mark.rule("25.8.2", effect=True)
def test_25_8_2_an_exploitation_into_an_enemy_hex_is_refused() -> None:
    board = a_board({"3019": "16GT", "3020": "22/1A", "3121": "7/1A"}, conquered={MINDEN: WP})
    battle = a_battle(board, "3020", "16GT")
    assert rules_of(advance_objections(board, unit(board, "16GT"), battle, ["3020", "3121"])) == {"25.8.2"}


@pytest.mark.rule("25.9", effect=True)
def test_25_9_a_breakthrough_zone_helps_reserves_only() -> None:
    board = a_board({"3019": "16GT", "3021": "22/1A"}, breakthrough=["3020"])
    division = unit(board, "16GT")
    assert zone_counts(board, division, "3020", reserve=False) and not zone_counts(
        board, division, "3020", reserve=True
    )


@pytest.mark.rule("26.2.7", effect=True)
def test_26_2_7_a_multinational_attack_of_others_is_not_told_as_the_garrisons() -> None:
    board = a_board({"3019": "22/1A", "3120": "1/1PZ"})
    assert berlin_notes([unit(board, "22/1A"), unit(board, "1/1PZ")]) == []


# --- 30 to 35 cities, surrender, victory --------------------------------------------------------------------------


@pytest.mark.rule("32.1.1", effect=True)
def test_32_1_a_country_surrenders_once() -> None:
    fallen = {"1310": WP, "1015": WP, "1415": WP}
    table = a_table({}, (), a_data("surrender"), side=NATO, conquered=fallen, surrendered=["DK"])
    judge_surrender(table, board_on(table))
    assert table.state.surrendering == []


@pytest.mark.rule("32.2.2", effect=True)
def test_32_2_1_a_port_of_a_fallen_country_goes_to_those_who_stand_in_it() -> None:
    for units, holder in (({"2526": "1/1PZ"}, NATO), ({}, WP)):
        table = a_table(units, (), a_data("surrender"), surrendering=["NL"])
        apply_surrender(table, board_on(table))
        assert table.state.ports["2526"] is holder


def test_32_3_a_country_with_a_city_in_enemy_hands_is_not_restored() -> None:
    table = a_table({}, (), a_data("surrender"), surrendered=["NL"], conquered={"3030": WP})
    judge_recovery(table, board_on(table))
    assert table.state.surrendered == ["NL"]


@pytest.mark.rule("34.5", effect=True)
def test_34_5_destroyed_divisions_are_points_where_the_scenario_says_so() -> None:
    victory = msgspec.structs.replace(a_data().scenario.victory, division=1)
    lost = {"lost": {"16GT": 1, "145T": 1, "NEGF": 1}}
    with_points, without = a_board({}, on(a_data(), victory=victory), **lost), a_board({}, **lost)
    assert nato_points(with_points) - nato_points(without) == 1


@pytest.mark.rule("35.3.4", effect=True)
def test_35_3_4_the_dutch_in_holland_and_units_in_boxes_do_not_move_to_positions() -> None:
    board = a_board({"3030": "NL-41/4", "3020": "22/1A", "sector1": "1/3A"})
    assert [takes_part(board, unit(board, id)) for id in ("NL-41/4", "22/1A", "1/3A")] == [False, True, False]


@pytest.mark.rule("35.3.7", effect=True)
def test_35_3_7_three_sixes_score_nothing() -> None:
    for dice, points in (((6, 6, 6), 0), ((1, 1, 1), 4), ((5, 5, 5), 0)):
        table = a_table({}, (), gdp_dice=dict(zip(("WG", "US", "UK"), dice, strict=True)))
        gdp_points(table)
        assert table.state.points == {NATO: points}


@pytest.mark.rule("4.5.2", effect=True)
def test_4_5_1_each_measure_starts_its_own_clock() -> None:
    for measure, clocks in (("allies", {"allies": 0}), ("mobilization", {"soviet": 0}), ("german", {})):
        table = a_table({}, (), a_data("nerves"), turn=0, peace=1)
        prepare(table, board_on(table), measure)
        assert table.state.clocks == clocks


def test_35_8_4_a_loan_ends_with_its_turn_or_with_the_unit() -> None:
    loans: dict[str, Any] = {"16GT": Loan("south", 2), "21": Loan("south"), "94G": Loan("south", 3)}
    table = a_table({"3110": "16GT 94G"}, (), turn=3, lent=loans, lost={"21": 2})
    end_loans(table)
    assert sorted(table.state.lent) == ["94G"]


# --- 4 to 18 the turn, seats and lifts ------------------------------------------------------------------------------


@pytest.mark.rule("4.4.1", "5.3", effect=True)
def test_4_4_1_the_next_turn_is_the_one_after_this() -> None:
    table = a_table({}, (), a_data(), turn=4, side=NATO)
    done(turn_end(table))
    assert table.state.turn == 5 and table.state.next.name == "joint_turn"


@pytest.mark.rule("4.4.2", effect=True)
def test_4_4_2_the_joint_player_turn_is_neither_sides_phase() -> None:
    table = a_table({}, [3], a_data(), turn=4, phase="reserves")
    played(table, joint_turn(table))
    assert table.state.phase == "joint"


@pytest.mark.rule("4.2.4", effect=True)
def test_4_2_4_a_staff_is_unsupplied_if_its_marker_says_so() -> None:
    assert Piece(id="NEGF", at="3010", supplied=False).unsupplied and not Piece(id="NEGF", at="3010").unsupplied


@pytest.mark.rule("4.2.8", effect=True)
def test_4_2_8_a_site_is_damaged_by_a_star_and_by_nothing_less() -> None:
    """In contested airspace a 1 misses the site and a 3 damages it."""
    for die, damaged in ((1, []), (3, ["3ACR"])):
        units = {"3618": "16GT", "3617": "NEGF", "3620": "1/3A"}
        table = a_table(units, [die], sites={"3ACR": "3619"})
        strike_site(table, board_on(table), "3ACR", by="")
        assert table.state.damaged == damaged


@pytest.mark.rule("6.0/reforger", "33.3", effect=True)
def test_33_3_4_steps_are_told_as_lost_only_if_there_are_any() -> None:
    table = a_table({}, (), on(a_data(), reforger_steps={2: 1}), turn=3)
    call_up(table, board_on(table), ())
    assert table.findings == []


@pytest.mark.rule("35.3.3", effect=True)
def test_35_3_after_the_last_army_war_begins_or_peace_goes_on() -> None:
    for rules, step in ((("gdp",), "war"), (("gdp", "nerves"), "brink")):
        table = a_table({}, [3], a_data(*rules), turn=0, gdp_dice={"WG": 3, "US": 3, "UK": 3}, side=NATO)
        played(table, gdp(table, 4))
        assert table.state.next.name == step


def test_35_8_1_a_seat_strikes_from_the_air_before_chemical_war() -> None:
    data = dataclasses.replace(ALL, options=Options(table="commands"))
    pools = {"north": {"tactical": 1, "chemical": 1}}
    state: dict[str, Any] = {"tactical": {WP: 2}, "chemical_points": {WP: 2}, "pools": pools}
    game = a_game({"3018": "16GT", "3016": "NEGF", "3019": "22/1A"}, data, step="fighting", **state)
    assert game.refused("north", "air 3019") == set()
    assert "35.8/side-wide-choices" in game.refused("north", "chemical 3019")


def test_35_8_2_3_french_regulars_follow_their_corps_and_not_their_flag() -> None:
    data = dataclasses.replace(ALL, options=Options(table="commands"))
    bound = [card for card in data.units.values() if card.side is NATO and card.home_bound]
    assert {data.commander_of(card) for card in bound if str(card.nation) == "FR"} <= {"centag"}
    assert data.commander_of(data.units["LJ"]) == "baltap" and data.commander_of(data.units["1/1PZ"]) == "northag"


@pytest.mark.rule("16.2.5", effect=True)
def test_16_2_5_marines_do_not_withdraw_through_a_closed_sea() -> None:
    """The French marines cannot withdraw from Zealand, as no NATO ship may enter the Baltic once
    Denmark surrenders.
    """
    fallen: dict[str, Any] = {"surrendered": ["DK"], "conquered": dict.fromkeys(("1310", "1015", "1415"), WP)}
    closed = a_game({"1410": "9Mar"}, ALL, side=NATO, turn=3, **LIFTS, **fallen)
    assert "16.2.5" in closed.refused("nato", "9Mar 2525 withdraw")
    free = a_game({"1410": "9Mar"}, ALL, side=NATO, turn=3, **LIFTS)
    assert "16.2.5" not in free.refused("nato", "9Mar 2525 withdraw")


@pytest.mark.rule("18.1.5", effect=True)
def test_18_1_5_a_named_way_is_neither_one_hex_nor_longer_than_a_leg() -> None:
    board = a_board({"3302": "38G"}, ALL)
    way = [f"33{column:02}" for column in range(3, 14)]
    assert not named_way(unit(board, "38G"), way[:1], 10) and not named_way(unit(board, "38G"), way, 10)
    assert named_way(unit(board, "38G"), way[:10], 10)


@pytest.mark.rule("18.1.6", "18.1.7", effect=True)
def test_18_1_6_nobody_lands_by_helicopter_in_gas() -> None:
    clouds: dict[str, Any] = {"first_use": 1, "chemical": {"3305": {NATO: True}}}
    game = a_game({"3302": "38G"}, ALL, **LIFTS, **clouds)
    assert game.refused("wp", "38G 3305 fly") == {"18.1.6"} and game.refused("wp", "38G 3306 fly") == set()


def test_9_1_1_in_the_reserve_phase_the_limit_holds_for_the_whole_phase() -> None:
    """Two full divisions move into one hex, but one of them only passes through; only the end of the phase counts."""
    marks = {id: {"reserve": True} for id in ("16GT", "21", "94G")}
    game = a_game({"3110": "16GT", "3109": "21 94G"}, ALL, step="reserves", marks=marks)
    assert game.refused("wp", "21 3110\n16GT 3111") == set()
    assert game.refused("wp", "21 3110\n94G 3110") == {"9.1.1"}


def test_14_2_3_a_unit_that_flies_between_two_ports_leaves_them_free() -> None:
    """Paratroops fly from Rostock to Szczecin, so the one step that Szczecin handles is still free for a ship."""
    game = a_game({"2111": "38G", "2508": "NEGF"}, ALL)
    board = game.board
    use_port(board, unit(board, "38G"), "2504", "ferry")
    flown = not list(air_ferry_objections(board, unit(board, "38G"), "2504"))
    assert board.port_use == ({} if flown else {"2111": 1, "2504": 1})


@pytest.mark.rule("27.3", effect=True)
def test_27_1_1_only_a_staff_adds_nothing_to_an_assault() -> None:
    board = a_board({"2114": "336G BC 1/1PZ"}, assaults=["336G", "BC"])
    notes = assault_notes(board, a_battle(board, "2114", "336G"))
    assert [note.inputs["unit"] for note in notes if note.rule == "27.1.1"] == ["BC"]


@pytest.mark.rule("30.0", effect=True)
def test_30_0_a_hex_without_a_city_is_worth_nothing() -> None:
    assert city_value(a_board({}), "3020") == 0


# --- the record -------------------------------------------------------------------------------------------------


def below(finding: Finding) -> list[str]:
    """Return the rules of a finding and of everything under it."""
    return [finding.rule, *(rule for child in finding.children for rule in below(child))]


def told(table: Table[NatoState]) -> set[str]:
    return {rule for found in table.findings for rule in below(found)}


@pytest.mark.rule("22.2.5", effect=True)
def test_22_2_5_a_cloud_that_does_not_persist_goes_without_a_die() -> None:
    table = a_table({}, (), ALL, first_use=1, chemical={"3020": {WP: False}})
    remove_markers(table, board_on(table), WP)
    assert [list(found.dice) for found in table.findings] == [[]]


@pytest.mark.rule("23.1", effect=True)
def test_23_1_a_strike_is_paid_for_in_its_own_kind() -> None:
    assert [points_of(AirStrike("3020", kind)) for kind in (False, True)] == ["tactical", "operational"]


def test_23_1_1_halved_points_are_rounded_up_if_tactical_and_down_if_operational() -> None:
    found = halves(AirPoints(9, 3, 5, 3))
    assert (found.of(WP), found.of(NATO)) == ((5, 1), (3, 1))


@pytest.mark.rule("25.3.2", effect=True)
def test_25_2_5_a_defender_who_adds_strength_is_not_told_as_idle() -> None:
    board = a_board({"3020": "22/1A", "3019": "16GT"})
    assert list(idle_reasons(board, a_battle(board, "3020", "16GT"))) == []


@pytest.mark.rule("25.5.1", effect=True)
def test_25_5_1_1_the_limit_down_is_told_as_the_limit_also_on_the_day_of_surprise() -> None:
    board = a_board({"3119": "16GT", MINDEN: "22/1A"}, a_data("surprise"), turn=1)
    battle = a_battle(board, MINDEN, "16GT")
    for net, rule in ((-3, "25.5.1.1"), (3, "25.5.1.2")):
        odds = msgspec.structs.replace(odds_of(board, battle), net=net, basic="4:1", final=final_odds("4:1", net))
        assert rule in below(final_reason(board, battle, odds))


def test_25_6_4_2_only_those_who_retreat_and_are_disrupted_are_disrupted_where_they_went() -> None:
    """In Hannover no unit retreats, though a brigade is disrupted; at 3:1 a 2 drives one back undisrupted."""
    city = a_table({"3116": "16GT 21", "3216": "94G 25T", "3217": "E8", "3117": "WG-61 22/1A!"}, [1])
    attackers = ("16GT", "21", "94G", "25T", "E8")
    played(city, battle_cycle(city, Commit(HANNOVER, attackers)), advance=Advance())
    assert "25.6.4.2" not in told(city) and [unit.at for unit in board_on(city).at(HANNOVER, NATO)]
    field = a_table({"3019": "16GT", "3018": "145T", "3020": "22/1A"}, [2])
    played(field, battle_cycle(field, Commit("3020", ("16GT",))), advance=Advance())
    assert "25.7.3" in told(field) and "25.6.4.2" not in told(field)


def test_9_1_2_an_exploitation_is_told_with_its_own_limit() -> None:
    table = a_table({"3019": "16GT", "3020": "WG-61"}, [6], conquered={MINDEN: WP, "3122": WP})
    order = Advance({"16GT": ("3020", "3121")})
    played(table, battle_cycle(table, Commit("3020", ("16GT",))), advance=order)
    assert {"25.8.2", "9.1.2"} <= told(table) and "25.8.1" not in told(table)


@pytest.mark.rule("12.1", effect=True)
def test_12_5_a_minimum_move_reaches_the_next_hexes_and_no_further() -> None:
    board = a_board({"3020": "22/1A"})
    found = reachable_hexes(board, unit(board, "22/1A"), "minimum").cost
    assert set(found) == {"3020", "3019", "3120", "3121", "3021", "2921", "2920"}
