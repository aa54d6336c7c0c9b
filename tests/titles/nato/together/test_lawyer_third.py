"""More rules-lawyer questions: arrivals, gas, nuclear weapons, helicopters, railways and cities together."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_battle, a_board, a_data, a_state, a_table, an_ask, board_on, played, unit

from pbem.engine.rules.refusals import Refusal
from pbem.titles.nato.air.helicopters import brigade_objections, flak_in
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.aftermath import FallBack, RetreatAbout
from pbem.titles.nato.combat.cycle import battle_cycle
from pbem.titles.nato.combat.eligibility import response_objections, support_objections
from pbem.titles.nato.combat.odds import odds_of
from pbem.titles.nato.combat.retreat import legal_ways
from pbem.titles.nato.map.grid import neighbours
from pbem.titles.nato.movement.moves import reachable_hexes, walk
from pbem.titles.nato.movement.rail import train_objections
from pbem.titles.nato.movement.segments import order_objections
from pbem.titles.nato.player.orders import Advance, Commit, Move
from pbem.titles.nato.reinforcements.reforger import call_up, default_sites
from pbem.titles.nato.supply.headquarters import reach
from pbem.titles.nato.supply.units import combat_source, movement_source
from pbem.titles.nato.title import NatoRules
from pbem.titles.nato.zones.airspace import airspace

ALL = a_data("rail", "ferry", "lift", "helicopters", "reforger", "chemical", "nuclear", "interdiction")
READY: dict[str, Any] = {"lift_ready": {side: {"air": 3, "helicopter": 2, "sea": 3} for side in Side}}
GAS: dict[str, Any] = {"first_use": 1}


def gas(*hexes: str) -> dict[str, Any]:
    return {**GAS, "chemical": {hex: {Side.WP: True} for hex in hexes}}


def against(board: Board, id: str, end: str, mode: str) -> list[str]:
    return [found.rule for found in order_objections(board, unit(board, id), Move(id, (end,), mode))]


def ends(board: Board, id: str, mode: str = "tactical") -> set[str]:
    return set(reachable_hexes(board, unit(board, id), mode).cost) - {unit(board, id).at}


# --- arrivals and gas ----------------------------------------------------------------------------------------


def test_14_2_1_nobody_is_shipped_into_a_contaminated_port() -> None:
    clean = a_board({"srb": "49/2"}, ALL, side=Side.NATO, **READY)
    assert against(clean, "49/2", "2420", "ferry") == []
    dirty = a_board({"srb": "49/2", "2420": "1/1PZ"}, ALL, side=Side.NATO, **READY, **gas("2420"))
    assert "14.2.1" in against(dirty, "49/2", "2420", "ferry")
    assert "14.2.1" in against(dirty, "1/1PZ", "2422", "ferry")
    assert against(a_board({"srb": "49/2"}, ALL, side=Side.NATO, nuclear=["2420"], **READY), "49/2", "2420", "ferry")


@pytest.mark.rule("33.3.1")
def test_33_3_3_2_crews_find_their_tanks_in_gas_and_get_out_step_by_step() -> None:
    """22.2.8: gas does not attack a unit that arrives in it; the unit leaves by a minimum move and
    defends at half strength."""
    table = a_table({}, data=ALL, side=Side.NATO, sites={"1/2A": "2420"}, damaged=["1/2A"], **gas("2420"))
    board = board_on(table)
    call_up(table, board, ["1/2A"])
    one = unit(board, "1/2A")
    assert_rule(table.findings, "33.3.1", inputs={"unit": "1/2A"}, result="2420")
    assert one.piece.disrupted and not one.piece.reduced
    assert any(found.rule == "13.1" for found in train_objections(board, one))
    one.piece.disrupted = False
    assert not ends(board, "1/2A") and ends(board, "1/2A", "minimum") <= set(neighbours("2420"))
    battle = a_battle(a_board({"2420": "1/2A", "2419": "16GT"}, ALL, **gas("2420")), "2420", "16GT")
    assert battle.defenders == ["1/2A"]


def test_33_3_5_the_cavalry_needs_two_steps_at_once_and_others_take_the_odd_one() -> None:
    sites = {"3ACR": "3626", "1/2A": "3626"}
    board = a_board({"3520": "16GT"}, ALL, side=Side.NATO, sites=sites)
    assert default_sites(board, 1) == ("1/2A",)
    assert set(default_sites(board, 3)) == {"3ACR", "1/2A"}
    worn = a_board({"3520": "16GT"}, ALL, side=Side.NATO, sites=sites, reduced_sites=["3ACR"])
    assert set(default_sites(worn, 2)) == {"3ACR", "1/2A"}
    taken = a_board({"3626": "16GT"}, ALL, side=Side.NATO, sites=sites)
    assert default_sites(taken, 3) == ()


# --- nuclear weapons in a battle -----------------------------------------------------------------------------


@pytest.mark.rule("25.6.2", "21.2", "25.5.2")
def test_21_1_3_attackers_come_out_of_the_fire_at_a_quarter_and_meet_a_counterattack() -> None:
    """Units that are disrupted and attack from a struck hex have (10 + 8) / 4, which is 4 to 2. A 6 at 2:1 gives
    CA D1R1, and the counterattack comes first.
    """
    table = a_table({"3019": "16GT 207", "3020": "49/2"}, [1, 1, 1, 1, 6, 6, 4], a_data("nuclear"))
    commit = Commit("3020", ("16GT", "207"))
    played(table, battle_cycle(table, commit), nuclear_defense=("3019",), counterattack="207", advance=Advance())
    assert_rule(table.findings, "21.2", dice=(6,), result="no Armageddon")
    assert_rule(table.findings, "25.5.2", inputs={"attack": 4, "defense": 2, "basic": "2:1"})
    assert_rule(table.findings, "25.6.2", inputs={"unit": "49/2", "target": "207"}, result="disrupted")
    assert "49/2" not in table.state.pieces and table.state.breakthrough == ["3020"]


@pytest.mark.rule("34.4", effect=True)
def test_34_4_nato_pays_for_striking_a_city_that_the_enemy_has_conquered() -> None:
    """34.4 is about control: a conquered NATO city belongs to the enemy."""
    table = a_table({"3115": "97", "3116": "7/1A"}, [4, 6], a_data("nuclear"), conquered={"3115": Side.WP})
    played(table, battle_cycle(table, Commit("3116", ("97",))), nuclear_defense=("3115",), air_defense=())
    assert table.state.points == {Side.WP: 1}
    assert "3115" in table.state.crimes and table.state.first_nuclear == 2


# --- supply in the middle of things --------------------------------------------------------------------------


def test_10_4_a_headquarters_that_is_cut_off_supplies_until_its_next_supply_phase() -> None:
    """A headquarters that is cut off keeps its marker until its next supply phase; only the link to the
    headquarters is tested."""
    board = a_board({"3018": "NEGF", "3019": "16GT"})
    assert combat_source(board, unit(board, "16GT")) == "NEGF"
    unit(board, "NEGF").piece.supplied = False
    board.forget_facts()
    assert not combat_source(board, unit(board, "16GT"))
    alone = a_board({"3019": "16GT", "3018": "NEGF"})
    alone.remove(unit(alone, "NEGF"))
    assert not combat_source(alone, unit(alone, "16GT"))


def test_10_2_3_an_assaulted_headquarters_is_out_of_reach_for_others() -> None:
    """An assaulted headquarters supplies no other unit, because enemies block a link in every hex
    except its first.
    """
    units = {"3018": "BR-I 7/1A", "3020": "12/1A"}
    board = a_board(units, side=Side.NATO)
    assert combat_source(board, unit(board, "12/1A")) == "BR-I"
    stormed = a_board({**units, "3018": "BR-I 7/1A 97"}, assaults=["97"])
    assert not stormed.ezoc("3019", Side.NATO)
    assert "3020" not in reach(stormed, unit(stormed, "BR-I")) and "3018" in reach(stormed, unit(stormed, "BR-I"))


def test_10_7_a_resupplied_unit_fights_well_but_controls_no_air() -> None:
    """10.7.3: the marker is not a line of supply; 11.6.2: a unit with a line projects airspace
    even under a marker.
    """
    board = a_board({"3521": "16GT"}, conquered={})
    assert airspace(board, "3521", Side.WP) == "enemy"
    marked = a_board({"3521": "16GT"}, resupply="3521")
    assert airspace(marked, "3521", Side.WP) == "enemy"
    near = a_board({"3521": "16GT", "3520": "NEGF"})
    unit(near, "16GT").piece.ms_out = True
    assert airspace(near, "3521", Side.WP) == "contested"


# --- helicopters ---------------------------------------------------------------------------------------------


def test_18_4_5_a_suppressed_headquarters_sends_its_brigade_and_an_unsupplied_one_does_not() -> None:
    board = a_board({"3018": "NEGF", "3019": "16GT", "3020": "7/1A"}, brigades={"NEGF": "ready"})
    battle = a_battle(board, "3020", "16GT")
    hq = unit(board, "NEGF")
    hq.piece.disrupted = True
    assert not list(brigade_objections(board, "NEGF", battle, Side.WP))
    hq.piece.train = "entrained"
    assert not list(brigade_objections(board, "NEGF", battle, Side.WP))
    assert_rule(list(support_objections(on_support(board), hq, [unit(board, "16GT")])), "25.4.3")
    hq.piece.supplied = False
    assert_rule(list(brigade_objections(board, "NEGF", battle, Side.WP)), "18.4.5")


def on_support(board: Board) -> Board:
    assert "NEGF" in board.data.scenario.offensive_support
    return board


def test_18_4_2_a_canadian_brigade_or_the_headquarters_itself_calls_us_helicopters() -> None:
    for here in ("4CMBG", "US-VII"):
        hq = {} if here == "US-VII" else {"3022": "US-VII"}
        board = a_board({"3019": "16GT", "3020": here, **hq}, brigades={"US-VII": "ready"})
        battle = a_battle(board, "3020", "16GT")
        assert not list(brigade_objections(board, "US-VII", battle, Side.NATO)), here
    other = a_board({"3019": "16GT", "3020": "7/1A", "3022": "US-VII"}, brigades={"US-VII": "ready"})
    assert_rule(list(brigade_objections(other, "US-VII", a_battle(other, "3020", "16GT"), Side.NATO)), "18.4")


@pytest.mark.rule("6.0/free-city", effect=True)
def test_19_1_1_flak_over_a_struck_city_and_over_an_assault() -> None:
    """30.2.4: a struck city has no flak of its own; 19.1.5: in an assault hex no unit covers another."""
    assert flak_in(a_board({}), "3120", Side.WP) == 2
    assert flak_in(a_board({}, nuclear=["3120"]), "3120", Side.WP) == 0
    assert flak_in(a_board({"3120": "7/1A"}, nuclear=["3120"]), "3120", Side.WP) == 1
    storm = a_board({"3020": "7/1A 97"}, assaults=["97"])
    assert flak_in(storm, "3020", Side.WP) == flak_in(storm, "3020", Side.NATO) == 1
    held = a_board({"3020": "7/1A", "3019": "16GT"})
    assert flak_in(held, "3020", Side.NATO) == 0 and flak_in(held, "3020", Side.WP) == 1


# --- gas, rivers and cities ----------------------------------------------------------------------------------


def test_22_3_4_gas_at_both_ends_of_a_river_attack_on_a_city_halves_once() -> None:
    """Armor into a city x 1/2, a minor river x 3/4 and gas x 1/2 make 10 x 3/16 = 1; the city keeps its 1."""
    board = a_board({"3119": "16GT"}, ALL, **gas("3119", "3120"))
    odds = odds_of(board, a_battle(board, "3120", "16GT"))
    assert (odds.attack, odds.defense, odds.basic, odds.final) == (1, 1, "1:1", "1:2")
    clean = a_board({"3119": "16GT"}, ALL)
    assert odds_of(clean, a_battle(clean, "3120", "16GT")).attack == 3


def test_25_2_7_guns_and_staff_in_gas_keep_their_one_point() -> None:
    board = a_board({"3019": "34N NEGF", "3020": "7/1A 12/1A"}, ALL, side=Side.NATO, **gas("3019"))
    assert odds_of(board, a_battle(board, "3019", "7/1A", side=Side.NATO)).defense == 1
    guarded = a_board({"3019": "34N NEGF 16GT", "3020": "7/1A"}, ALL, side=Side.NATO, **gas("3019"))
    assert odds_of(guarded, a_battle(guarded, "3019", "7/1A", side=Side.NATO)).defense == 3


def test_25_3_2_2_infantry_in_a_gassed_city_is_doubled_and_halved() -> None:
    board = a_board({"3119": "16GT", "3120": "49/2"}, ALL, **gas("3120"))
    assert odds_of(board, a_battle(board, "3120", "16GT")).defense == 2 + 1


# --- railways, ferries and interdiction ----------------------------------------------------------------------


def test_23_8_1_an_interdiction_zone_stops_trains_and_marches_but_neither_ships_nor_response() -> None:
    zone = {"interdiction": {Side.WP: ["2420"]}}
    board = a_board({"srb": "49/2", "2421": "1/1PZ", "2521": "2/1PZ"}, ALL, side=Side.NATO, **READY, **zone)
    assert against(board, "49/2", "2420", "ferry") == []
    assert not ends(board, "1/1PZ", "march")
    assert "2420" in ends(board, "1/1PZ")
    unit(board, "1/1PZ").piece.train = "entrained"
    assert "13.2" in against(board, "1/1PZ", "2622", "rail")
    there = a_board({"3020": "3/1PZ", "3021": "1/1PZ", "3019": "16GT"}, ALL, interdiction={Side.WP: ["3020"]})
    assert not list(response_objections(there, unit(there, "1/1PZ"), a_battle(there, "3020", "16GT")))


def test_12_8_the_danish_ferry_runs_through_an_interdiction_zone() -> None:
    board = a_board({"1513": "1/Zee"}, ALL, side=Side.NATO, interdiction={Side.WP: ["1514"]})
    assert not walk(board, unit(board, "1/Zee"), ["1514"], "minimum").objections
    lost = a_board({"1513": "1/Zee"}, ALL, side=Side.NATO, surrendered=["DK"])
    assert walk(lost, unit(lost, "1/Zee"), ["1514"], "minimum").objections


# --- retreats ------------------------------------------------------------------------------------------------


@pytest.mark.rule("25.6.3")
def test_13_4_4_a_train_cannot_pay_for_the_retreat_of_others() -> None:
    state = a_state({"3019": "16GT", "3020": "7/1A 12/1A"})
    board = Board(a_data(), state)
    unit(board, "12/1A").piece.train = "entrained"
    state.battle = a_battle(board, "3020", "16GT")
    ask = an_ask(FallBack, "nato", subject="3020", about=RetreatAbout(1))
    with pytest.raises(Refusal) as refused:
        NatoRules(a_data()).check(state, ask, {"trade": ["12/1A"], "paths": {}})
    assert_rule(refused.value, "25.6.3")


def test_25_7_3_a_retreat_stops_in_the_first_hex_of_rough_ground_even_in_gas() -> None:
    """25.7.4: a retreat stops in rough ground even in gas, since avoiding gas has only the third priority."""
    board = a_board({"3118": "16GT", "3119": "7/1A", "3019": "21", "3018": "207"}, ALL)
    ways = [way.path for way in legal_ways(board, [unit(board, "7/1A")], 2)]
    assert ways and all(len(path) == 1 or not board.is_city(path[0]) for path in ways)


def test_25_7_4_two_hexes_back_over_a_major_river_only_if_nothing_else_is_left() -> None:
    board = a_board({"2919": "16GT", "2920": "7/1A"})
    ways = [way.path for way in legal_ways(board, [unit(board, "16GT")], 1)]
    assert ways
    for path in ways:
        assert board.atlas.hexside("2919", path[0]).river == "major" or path[0] not in ("2918", "2818", "3018")


# --- refugees, surprise, surrender ---------------------------------------------------------------------------


def test_35_4_refugees_stop_a_march_into_germany_but_not_one_in_holland() -> None:
    data = a_data("refugees")
    for turn, free in ((3, False), (4, True)):
        board = a_board({"3028": "NL-12/1", "3020": "1/1PZ"}, data, side=Side.NATO, turn=turn)
        countries = {str(board.atlas.places[hex].country) for hex in ends(board, "NL-12/1", "march")}
        assert "NL" in countries and ("WG" in countries) is free
        assert bool(ends(board, "1/1PZ", "march")) is free


def test_35_7_who_fights_on_the_first_day_is_out_of_combat_supply_beside_its_headquarters() -> None:
    data = a_data("surprise")
    board = a_board({"3020": "7/1A BR-I", "3007": "UK-Berlin"}, data, turn=1)
    assert movement_source(board, unit(board, "7/1A")) == "BR-I" and not combat_source(board, unit(board, "7/1A"))
    assert combat_source(board, unit(board, "UK-Berlin")) == "West Berlin"
    later = a_board({"3020": "7/1A BR-I"}, data, turn=2)
    assert combat_source(later, unit(later, "7/1A")) == "BR-I"


def test_25_3_4_2_a_friend_across_the_great_belt_does_not_help() -> None:
    """The ferry hexside is all sea, so an attack on 1514 from all sides is concentric, although NATO
    holds Zealand."""
    around = [hex for hex in neighbours("1514") if hex != "1513"]
    attackers = dict(zip(around, ("16GT", "21", "94G", "E8", "207"), strict=True))
    board = a_board({**attackers, "1514": "1/Jut", "1513": "1/Zee"})
    rules = [shift.rule for shift in odds_of(board, a_battle(board, "1514", "16GT")).shifts]
    cities = [hex for hex in around if board.free_city(hex, Side.NATO)]
    assert ("25.3.4.2" if cities else "25.3.4.3") in rules
