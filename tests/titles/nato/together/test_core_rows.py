"""9 to 35 Core rows of the ledger, each tested with a case that is refused and one that is allowed."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_battle, a_board, a_data, a_state, a_table, an_ask, board_on, on, played, unit

from pbem.engine.rules.refusals import Objection, Refusal
from pbem.titles.nato.air.helicopters import brigade_objections
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.scenario import Arrival
from pbem.titles.nato.cards.scenario_files import packaged_scenario
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.command import commander
from pbem.titles.nato.combat.cycle import battle_cycle
from pbem.titles.nato.combat.eligibility import objective_objections, response_objections, support_objections
from pbem.titles.nato.combat.results import go_back
from pbem.titles.nato.combat.retreat import legal_ways
from pbem.titles.nato.data_set import NatoData, Options
from pbem.titles.nato.movement.entering import enter
from pbem.titles.nato.movement.moves import walk
from pbem.titles.nato.movement.orders import MovePhase
from pbem.titles.nato.movement.phase import enforce_stacking, make_moves
from pbem.titles.nato.movement.segments import order_objections
from pbem.titles.nato.nerves.steps import war
from pbem.titles.nato.player.orders import Commit, Move, Retreat
from pbem.titles.nato.reinforcements.arrivals import arrive
from pbem.titles.nato.reinforcements.joint import JointAbout, JointChoice
from pbem.titles.nato.sequence import count_points
from pbem.titles.nato.title import Nato, NatoRules

HELD = {"3117": Side.WP, "3115": Side.WP}


def against(board: Board, id: str, move: Move) -> list[Objection]:
    return list(order_objections(board, unit(board, id), move))


@pytest.mark.rule("9.1.3")
def test_9_1_3_of_two_headquarters_in_a_hex_one_is_removed() -> None:
    table = a_table({"3114": "NEGF SEGF 16GT 21"})
    enforce_stacking(table, board_on(table), Side.WP)
    assert_rule(table.findings, "9.1.3", inputs={"unit": "NEGF", "at": "3114"}, result="eliminated")
    assert {"SEGF", "16GT", "21"} <= set(table.state.pieces) and "NEGF" not in table.state.pieces


@pytest.mark.rule("10.7")
def test_10_7_one_hex_with_combat_units_is_resupplied_in_wartime() -> None:
    state, rules = a_state({"3116": "16GT", "3114": "NEGF"}), NatoRules(a_data())
    ask = an_ask(MovePhase, "wp")
    rules.check(state, ask, {"resupply": "3116"})
    for hex in ("3114", "3012"):
        with pytest.raises(Refusal) as refused:
            rules.check(state, ask, {"resupply": hex})
        assert_rule(refused.value, "10.7")


@pytest.mark.rule("12.4", "12.4.1")
def test_12_4_refugees_stop_marches_for_three_turns_and_only_where_the_scenario_says() -> None:
    units = {"3422": "7/1A", "3114": "16GT"}
    march = ["3423", "3424"]
    for rules, turn, legal in (((), 2, True), (("refugees",), 3, False), (("refugees",), 4, True)):
        board = a_board(units, a_data(*rules), turn=turn, side=Side.NATO)
        found = walk(board, unit(board, "7/1A"), march, "march").objections
        assert (not found) is legal
        if not legal:
            assert_rule(found, "12.4.1")
    near = a_board({"3422": "7/1A", "3420": "16GT"}, side=Side.NATO)
    assert_rule(walk(near, unit(near, "7/1A"), ["3421"], "march").objections, "12.4")


@pytest.mark.rule("13.2")
def test_13_2_a_train_goes_twenty_hexes_and_not_twenty_one() -> None:
    board = a_board({"2603": "21"}, a_data("rail"))
    unit(board, "21").piece.train = "entrained"
    board.refresh(unit(board, "21"))
    assert against(board, "21", Move("21", ("4603",), "rail")) == []
    assert_rule(against(board, "21", Move("21", ("4703",), "rail")), "13.2")


@pytest.mark.rule("17.1.2")
def test_17_1_2_a_command_that_gets_through_is_not_told_as_lost() -> None:
    lift = {"lift_ready": {Side.WP: {"air": 1}}}
    table = a_table({"srb": "97"}, [6, 6], a_data("lift"), **lift)
    make_moves(table, board_on(table), [Move("97", ("2919",), "drop")])
    assert_rule(table.findings, "17.1.2", inputs={"unit": "97"}, dice=(6, 6), result="through")
    assert not any(found.rule == "17.1.3" for found in table.findings)


@pytest.mark.rule("25.6.4", "21.1.3")
def test_21_1_3_a_soft_unit_retreats_on_to_clean_ground_and_gas_disrupts() -> None:
    soft = a_board({"3020": "WG-61", "3019": "16GT"}, nuclear=["3021"])
    assert_rule(walk(soft, unit(soft, "WG-61"), ["3021"], "minimum").objections, "21.1.3")
    ways = [way.path for way in legal_ways(soft, [unit(soft, "WG-61")], 1)]
    assert ways and all(path[-1] != "3021" for path in ways)
    boxed = {"3020": "WG-61", "3019": "16GT", "2921": "21", "3121": "94G"}
    forced = a_board(boxed, nuclear=["3021"], conquered={"3120": Side.WP})
    assert all(path[-1] != "3021" for path in [way.path for way in legal_ways(forced, [unit(forced, "WG-61")], 1)])
    through = a_table({"3020": "7/1A"}, nuclear=["3021"])
    go_back(through, board_on(through), unit(board_on(through), "7/1A"), ("3021", "3022"))
    assert through.state.pieces["7/1A"].disrupted
    gas = {"chemical": {"3021": {Side.WP: True}, "2921": {Side.WP: True}, "3121": {Side.WP: True}}}
    table = a_table({"3019": "16GT", "3020": "7/1A"}, [2], a_data("chemical"), **gas)
    back = Retreat(paths={"7/1A": ("3021",)})
    played(table, battle_cycle(table, Commit("3020", ("16GT",))), retreat=back, advance={"paths": {}})
    assert_rule(table.findings, "25.6.4", inputs={"units": ["7/1A"]}, result="disrupted")


@pytest.mark.rule("22.3.2")
def test_22_3_2_only_gas_of_this_player_turn_strikes_a_unit_that_responds() -> None:
    units = {"3019": "16GT", "3020": "7/1A", "3021": "12/1A"}
    for gassed, dice in (([], [1]), (["3020"], [1, 1])):
        gas: dict[str, Any] = {"chemical": {"3020": {Side.WP: True}}, "gassed": gassed, "first_use": 1}
        table = a_table(units, dice, a_data("chemical"), **gas)
        played(table, battle_cycle(table, Commit("3020", ("16GT",))), respond="12/1A")
        assert "12/1A" in table.state.pieces
        assert any(found.rule == "22.3.2" for found in table.findings) is bool(gassed)
    assert_rule(table.findings, "22.3.2", inputs={"unit": "12/1A"}, result="3020")


@pytest.mark.rule("25.1.1", "25.2")
def test_25_1_1_a_hex_is_attacked_once_and_only_if_something_is_there() -> None:
    board = a_board({"3019": "16GT", "3020": "7/1A"})
    assert not list(objective_objections(board, "3020", Side.WP))
    assert_rule(list(objective_objections(board, "3021", Side.WP)), "25.1.1")
    board.state.fought.append("3020")
    assert_rule(list(objective_objections(board, "3020", Side.WP)), "25.2")


@pytest.mark.rule("25.1.2.4", "25.1.2.5")
def test_25_1_2_4_both_sides_leave_zones_of_control_by_their_own_rule() -> None:
    """A Warsaw Pact unit never responds from a zone of control; a NATO unit may if another maneuver unit stays."""
    pact = a_board({"3020": "7/1A", "3019": "16GT 21", "2919": "94G", "2921": "12/1A"}, side=Side.NATO)
    battle = a_battle(pact, "2919", "12/1A", side=Side.NATO)
    assert_rule(list(response_objections(pact, unit(pact, "16GT"), battle)), "25.1.2.4")
    for stack, legal in (("7/1A 12/1A", True), ("7/1A BR-I", False), ("7/1A", False)):
        west = a_board({"3019": "16GT", "3020": "22/1A", "3120": stack})
        found = list(response_objections(west, unit(west, "7/1A"), a_battle(west, "3020", "16GT")))
        assert (not found) is legal
        if not legal:
            assert_rule(found, "25.1.2.5")


@pytest.mark.rule("10.6.1", effect=True)
@pytest.mark.rule("25.3.1.1")
@pytest.mark.parametrize("struck", ["3019", "3020"])
def test_25_3_1_1_a_strike_marker_at_either_end_halves_the_attack(struck: str) -> None:
    gas = {"chemical": {struck: {Side.NATO: True}}}
    table = a_table({"3019": "16GT", "3020": "7/1A"}, [1], a_data("chemical"), **gas)
    played(table, battle_cycle(table, Commit("3020", ("16GT",))), retreat={"trade": ["7/1A"], "paths": {}})
    assert_rule(table.findings, "25.3.1.1", inputs={"who": "16GT", "why": "strike marker"}, result="1/2")
    assert_rule(table.findings, "25.5.2", inputs={"attack": 5})


@pytest.mark.rule("25.4", "25.4.3")
@pytest.mark.parametrize("state", ["disrupted", "supplied", "train", "active"])
def test_25_4_what_keeps_a_headquarters_from_supporting(state: str) -> None:
    board = a_board({"3019": "16GT", "3020": "7/1A", "3114": "NEGF"}, conquered=HELD)
    hq = unit(board, "NEGF")
    assert not list(support_objections(board, hq, [unit(board, "16GT")]))
    if state in ("disrupted", "train"):
        setattr(hq.piece, state, "entraining" if state == "train" else True)
    else:
        setattr(hq.piece, state, False)
    assert_rule(list(support_objections(board, hq, [unit(board, "16GT")])), "25.4.3")
    far = a_board({"3019": "16GT", "3020": "7/1A", "2807": "NEGF"})
    assert_rule(list(support_objections(far, unit(far, "NEGF"), [unit(far, "16GT")])), "25.4")


@pytest.mark.rule("25.6.3")
def test_25_6_3_the_attackers_step_is_lost_too() -> None:
    table = a_table({"3019": "16GT 21", "3020": "7/1A 12/1A"}, [1])
    played(table, battle_cycle(table, Commit("3020", ("16GT", "21"))), loss="21", retreat={"trade": ["7/1A"]})
    assert_rule(table.findings, "25.6.3", inputs={"unit": "21", "why": "combat"}, result="reduced")
    assert not table.state.pieces["16GT"].reduced
    weak = a_table({"3019": "97 108", "3020": "7/1A 12/1A 22/1A"}, [1])
    played(weak, battle_cycle(weak, Commit("3020", ("97", "108"))), loss="97")
    assert "97" not in weak.state.pieces and weak.state.pieces["108"].disrupted  # A1*/-: the survivor is disrupted


@pytest.mark.rule("29.8")
def test_29_8_where_a_headquarters_may_return() -> None:
    """A headquarters may not return next to an enemy or into the hex of another headquarters; LANDJUT may return only
    in the BALTAP zone."""
    state = a_state({"3116": "16GT", "3122": "WG-I"}, lost={"BR-I": 1, "LJ": 1}, returning={"BR-I": 2, "LJ": 2})
    rules, about = NatoRules(a_data()), JointAbout(returning=("BR-I", "LJ"))
    ask = an_ask(JointChoice, "nato", subject="2", about=about)
    rules.check(state, ask, {"places": {"BR-I": "3223", "LJ": "1015"}})
    state.nuclear.append("3232")
    for hq, hex in (("BR-I", "3117"), ("BR-I", "3122"), ("LJ", "3223"), ("BR-I", "3116"), ("BR-I", "3232")):
        with pytest.raises(Refusal) as refused:
            rules.check(state, ask, {"places": {hq: hex}})
        assert_rule(refused.value, "29.8")


@pytest.mark.rule("29.8.1")
def test_29_8_1_helicopters_wait_for_a_headquarters_that_is_not_on_the_map() -> None:
    units = {"3019": "16GT", "3020": "7/1A"}
    for place, legal in (("3116", True), ("srb", False)):
        board = a_board({**units, place: "NEGF"}, brigades={"NEGF": "ready"}, conquered=HELD)
        found = list(brigade_objections(board, "NEGF", a_battle(board, "3020", "16GT"), Side.WP))
        assert (not found) is legal
        if not legal:
            assert_rule(found, "29.8.1")


@pytest.mark.rule("5.5", effect=True)
@pytest.mark.rule("34.0")
def test_34_0_every_level_begins_at_its_margin() -> None:
    """Every victory level begins at its margin, with one point for each small city and two for
    West Berlin (34.3.2).
    """
    victory = packaged_scenario("leine").victory
    for row in victory.levels:
        assert victory.level(row.margin) == row
    for row, below in zip(victory.levels, victory.levels[1:], strict=False):
        assert victory.level(row.margin - 1) == below
    assert victory.level(-99) == victory.levels[-1]
    conquered = dict.fromkeys(("3120", "3220", "3122", "3223"), Side.WP)
    table = a_table({}, data=on(a_data(), victory=victory), conquered=conquered)
    count_points(table, board_on(table))
    assert_rule(table.findings, "34.0", inputs={"wp": 4, "nato": 2}, cell=2, result="draw draw")


@pytest.mark.rule("33.2.1.2")
def test_33_2_1_2_a_site_is_destroyed_by_the_enemy_alone() -> None:
    board = a_board({})
    site = next(hex for hex, place in sorted(board.atlas.places.items()) if place.reserve_site and not place.city)
    near = next(hex for hex, _ in board.atlas.ground[site] if not board.is_city(hex))
    for id, lost in (("16GT", [site]), ("1/1PZ", [])):
        table = a_table({near: id}, data=a_data("activation"))
        make_moves(table, board_on(table), [Move(id, (site,), "minimum")])
        assert table.state.sites_lost == lost and bool(table.state.invaded) is bool(lost)
        if lost:
            assert_rule(table.findings, "33.2.1.2", inputs={"hex": site}, result="destroyed")


def test_35_3_the_war_begins_on_turn_one_with_the_warsaw_pact() -> None:
    table = a_table({"3116": "16GT"}, turn=0, side=Side.NATO)
    played(table, war(table))
    assert (table.state.turn, table.state.side) == (1, Side.WP)


@pytest.mark.rule("33.2")
def test_33_2_a_reinforcement_that_is_due_arrives_once() -> None:
    arrival = Arrival(2, "C1T", "G3")
    table = a_table({}, data=on(a_data(), arrivals=(arrival,)), awaited=["C1T"])
    arrive(table, board_on(table), {})
    arrive(table, board_on(table), {})
    assert_rule(table.findings, "33.2", inputs={"unit": "C1T"}, result="sector3")
    assert table.state.awaited == [] and len([one for one in table.findings if one.rule == "33.2"]) == 1


def test_35_8_a_city_without_units_is_defended_by_the_command_of_its_zone() -> None:
    bare = a_data()
    data = NatoData(bare.atlas, bare.units, bare.charts, bare.scenario, Options(table="commands"))
    board = a_board({"3019": "16GT"}, data)
    assert commander(board, a_battle(board, "3120", "16GT"), Side.NATO) == "northag"
    assert commander(board, a_battle(board, "3120", "16GT"), Side.WP) == "north"
    far = a_board({"4817": "C1T"}, data)
    assert commander(far, a_battle(far, "4818", "C1T"), Side.NATO) == "centag"


def moved(data: dict[str, Any]) -> None:
    """Check a move order of the Warsaw Pact."""
    state = a_state({"3019": "16GT", "3021": "7/1A", "3114": "NEGF", "3013": "21"}, conquered=HELD)
    NatoRules(a_data()).check(state, an_ask(MovePhase, "wp"), {"moves": [data]})


@pytest.mark.rule("28.1")
def test_28_1_who_may_be_placed_in_reserve() -> None:
    moved({"unit": "21", "path": [], "mode": "", "reserve": True})
    moved({"unit": "16GT", "path": ["3020"], "mode": "tactical"})
    with pytest.raises(Refusal) as refused:
        moved({"unit": "16GT", "path": ["3020"], "mode": "tactical", "reserve": True})
    assert_rule(refused.value, "28.1")


@pytest.mark.rule("33.2.1.2")
def test_33_2_1_2_a_site_that_only_the_schedule_names_is_destroyed_too() -> None:
    """Osnabrück has no printed site, but reserves are due there: a division that enters destroys them."""
    title = Nato()
    data = title.rules(title.freeze("leine", {})).data
    table = a_table({"3121": "16GT"}, data=data, conquered={"3122": Side.WP}, turn=3, awaited=["PRG"])
    board = board_on(table)
    enter(table, board, unit(board, "16GT"), "3122")
    arrive(table, board, {})
    assert "PRG" not in board.units and "PRG" in table.state.lost
    assert_rule(table.findings, "33.2.1.2", inputs={"unit": "PRG"}, result="eliminated")
