"""Questions of a rules lawyer: two or three rules at once, with an answer worked out from the rulebook."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_battle, a_board, a_data, a_state, a_table, an_ask, board_on, on, played, unit

from pbem.engine.rules.refusals import Objection, Refusal
from pbem.engine.rules.table import Table
from pbem.titles.nato.air.helicopters import brigade_objections
from pbem.titles.nato.air.strike_decisions import AirDefense
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.scenario import Arrival
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.advance import stacking_objections
from pbem.titles.nato.combat.aftermath import FallBack, RetreatAbout
from pbem.titles.nato.combat.cycle import battle_cycle
from pbem.titles.nato.combat.eligibility import attacker_objections, objective_objections, response_objections
from pbem.titles.nato.combat.orders import NextBattle
from pbem.titles.nato.combat.prospects import defender_groups
from pbem.titles.nato.combat.retreat import legal_ways
from pbem.titles.nato.map.ground import Country
from pbem.titles.nato.movement.lift import is_closed_to_ferries
from pbem.titles.nato.movement.moves import walk
from pbem.titles.nato.movement.orders import MovePhase
from pbem.titles.nato.movement.phase import enforce_stacking, make_moves
from pbem.titles.nato.movement.segments import order_objections
from pbem.titles.nato.player.orders import Advance, AirStrike, Commit, Move, Retreat
from pbem.titles.nato.reinforcements.arrivals import bring_in, hq_places
from pbem.titles.nato.state import NatoState
from pbem.titles.nato.title import NatoRules

ALL = a_data("rail", "ferry", "lift", "helicopters")
READY: dict[str, Any] = {"lift_ready": {side: {"air": 3, "helicopter": 2, "sea": 3} for side in Side}}
HELD = {"3117": Side.WP, "3115": Side.WP}
"""Hannover and Braunschweig in the hands of the Warsaw Pact."""


def against(board: Board, id: str, end: str, mode: str) -> list[Objection]:
    return list(order_objections(board, unit(board, id), Move(id, (end,), mode)))


# --- retreats ------------------------------------------------------------------------------------------------


@pytest.mark.rule("25.7.4")
def test_25_7_4_two_groups_do_not_crowd_one_hex_by_two_ways() -> None:
    """9.1.3: either of two retreating groups would find room in 2922, but not both together."""
    units = {"3020": "7/1A 12/1A", "2922": "22/1A 20/4A 33/4A", "3118": "16GT"}
    state = a_state(units)
    board = Board(a_data(), state)
    state.battle = a_battle(board, "3020", "16GT")
    ask = an_ask(FallBack, "nato", subject="3020", about=RetreatAbout(2))
    rules = NatoRules(a_data())
    apart = Retreat(paths={"12/1A": ("2921", "2922"), "7/1A": ("3021", "2922")})
    with pytest.raises(Refusal) as refused:
        rules.check(state, ask, {"trade": [], "paths": {id: list(path) for id, path in apart.paths.items()}})
    assert_rule(refused.value, "25.7.4")
    rules.check(state, ask, {"trade": [], "paths": {"12/1A": ["2921", "2922"], "7/1A": ["3021", "3022"]}})


@pytest.mark.rule("25.7.8")
def test_25_7_8_a_home_defense_unit_stays_where_leaving_would_cost_as_much() -> None:
    """A home defense unit stays, because every hex abroad costs a step in an enemy zone, and
    staying costs no more.
    """
    units = {"3114": "WG-61", "3014": "16GT", "3214": "21", "3112": "94G"}
    bound = a_board(units, conquered=HELD)
    assert legal_ways(bound, [unit(bound, "WG-61")], 1) == []
    free = a_board({**units, "3114": "7/1A"}, conquered=HELD)
    assert legal_ways(free, [unit(free, "7/1A")], 1)
    open_way = a_board({"3114": "WG-61", "3014": "16GT", "3214": "21"}, conquered=HELD)
    assert [way.path for way in legal_ways(open_way, [unit(open_way, "WG-61")], 1)] == [("3113",)]
    unit(bound, "WG-61").piece.freed = True
    assert legal_ways(bound, [unit(bound, "WG-61")], 1)
    table = a_table({"3114": "WG-61", "3014": "16GT", "3214": "21"}, [2], conquered=HELD)
    played(table, battle_cycle(table, Commit("3114", ("16GT",))), advance=Advance(), loss="16GT")
    assert_rule(table.findings, "25.7.8", inputs={"unit": "WG-61", "at": "3113"}, result="free to move")


# --- coordination --------------------------------------------------------------------------------------------


@pytest.mark.rule("25.1.2.4")
def test_29_5_3_a_baltic_front_unit_from_outside_responds_into_the_baltap_zone() -> None:
    """The unit inside counts as part of the Baltic Front; a unit of a third front outside the zone may
    not join it."""
    board = a_board({"2315": "16GT", "2314": "1T P5T", "2316": "1/1PZ"}, side=Side.NATO)
    battle = a_battle(board, "2315", "1/1PZ", side=Side.NATO)
    assert not list(response_objections(board, unit(board, "1T"), battle))
    assert_rule(list(response_objections(board, unit(board, "P5T"), battle)), "25.1.2.4")


def test_26_2_7_the_berlin_brigades_defend_together_beside_a_fourth_unit() -> None:
    board = a_board({"3007": "US-Berlin UK-Berlin FR-Berlin 1/1PZ"})
    groups = [sorted(one.id for one in group) for group in defender_groups(board, "3007", Side.NATO)]
    assert ["FR-Berlin", "UK-Berlin", "US-Berlin"] in groups


def test_26_2_8_an_assault_that_no_order_covers_is_fought_by_one_nation() -> None:
    """27.3: NATO must fight the assault; an adjacent West German brigade does not join the US troops inside."""
    state = a_state({"3019": "US-1/101 21", "3020": "1/1PZ"}, side=Side.NATO, assaults=["US-1/101"], battles=["3019"])
    rules = NatoRules(a_data())
    ask = an_ask(NextBattle, "nato", subject="1")
    commit = rules.default(lambda: state, ask)
    assert commit is not None and list(commit["units"]) == ["US-1/101"]
    rules.check(state, ask, {"objective": "3019", "units": ["US-1/101"]})


# --- transport -----------------------------------------------------------------------------------------------


@pytest.mark.rule("16.2", "16.2.3")
def test_16_2_marines_do_not_sail_from_a_reinforcement_box() -> None:
    """33.6: of all boxes only the Strategic Reserve Box counts as a port, so marines cannot sail from another box."""
    board = a_board({"sector5": "336G", "srb": "P7"}, ALL, **READY)
    assert_rule(against(board, "336G", "2111", "lift"), "16.2")
    assert_rule(against(board, "336G", "2111", "withdraw"), "16.2.3")
    assert_rule(against(board, "P7", "2111", "withdraw"), "16.2.3")
    assert against(board, "P7", "2111", "lift") == []


def test_14_1_2_an_enemy_train_shuts_a_hex_to_ferries() -> None:
    """13.4.1: a train has no zone of control, but 14.1.2 also names enemy units, so the train closes
    the hex to ferries."""
    board = a_board({"1017": "97"}, ALL)
    unit(board, "97").piece.train = "entrained"
    board.refresh(unit(board, "97"))
    assert not board.ezoc("1017", Side.NATO) and is_closed_to_ferries(board, "1017", Side.NATO)
    assert not is_closed_to_ferries(board, "1018", Side.NATO)


@pytest.mark.rule("28.1")
def test_28_1_an_order_to_fly_and_be_placed_in_reserve_is_refused() -> None:
    """12.6: a unit that moved other than on the ground gets no marker, and no order is carried out in part."""
    state = a_state({"2817": "83 NEGF", "2818": "16GT"}, conquered=HELD, **READY)
    data = a_data("helicopters", year=1988)
    ask = an_ask(MovePhase, "wp")
    with pytest.raises(Refusal) as refused:
        NatoRules(data).check(
            state, ask, {"moves": [{"unit": "83", "path": ["2816"], "mode": "fly", "reserve": True}]}
        )
    assert_rule(refused.value, "28.1")


@pytest.mark.rule("7.2")
def test_9_1_1_a_unit_does_not_move_onto_one_that_could_not_leave() -> None:
    """The drop that would have let 37 leave its hex is lost; the division behind it stays, and no unit is removed."""
    units = {"srb": "97", "3016": "37 16GT 83", "3015": "21", "2917": "7/1A"}
    data = a_data("lift", year=1988)
    table = a_table(units, [1, 1], data, conquered=HELD, turn=2, **READY)
    board = board_on(table)
    moves = [Move("97", ("3017",), "drop"), Move("37", ("3017",), "minimum"), Move("21", ("3016",), "tactical")]
    make_moves(table, board, moves)
    enforce_stacking(table, board, Side.WP)
    assert_rule(
        table.findings,
        "7.2",
        inputs={"unit": "21", "why": ["3016 has no room for the unit (9.1.1)"]},
        result="passed over",
    )
    assert "97" not in board.units and unit(board, "37").at == "3016"
    assert unit(board, "21").at == "3015" and {"16GT", "83"} <= set(board.units)


# --- strikes and arrivals ------------------------------------------------------------------------------------


def test_23_1_5_two_points_defend_against_two_brigades_beside_a_third_unit() -> None:
    """The hex holds four steps, so it takes two points, although only two of the steps are committed."""
    units = {"3019": "97 108 16GT", "3020": "7/1A"}
    state = a_state(units, tactical={Side.NATO: 4})
    board = Board(a_data(), state)
    state.battle = a_battle(board, "3020", "97", "108")
    strikes = (AirStrike("3019", targets=("97",)), AirStrike("3019", targets=("108",)))
    ask = an_ask(AirDefense, "nato", subject="3020")
    NatoRules(a_data()).check(state, ask, [{"hex": one.hex, "targets": list(one.targets)} for one in strikes])


def test_29_8_no_headquarters_returns_in_a_nuclear_strike_hex() -> None:
    """21.1.3 item 8: a unit that is not hard can enter a nuclear strike hex only by retreat."""
    board = a_board({})
    first = hq_places(board, board.data.units["BR-I"])[0]
    struck = a_board({}, nuclear=[first])
    assert first not in hq_places(struck, struck.data.units["BR-I"])


# --- before the war and after the battles --------------------------------------------------------------------


@pytest.mark.rule("35.3", "10.7")
def test_35_3_nobody_is_flown_over_the_border_before_the_war() -> None:
    data = a_data("helicopters", "lift", year=1988)
    state = a_state({"2815": "83", "2914": "16GT"}, turn=0, **READY)
    board = Board(data, state)
    assert_rule(against(board, "83", "2817", "fly"), "35.3")
    with pytest.raises(Refusal) as refused:
        NatoRules(data).check(state, an_ask(MovePhase, "wp"), {"resupply": "2914"})
    assert_rule(refused.value, "10.7")


@pytest.mark.rule("12.1.1")
def test_12_8_reserves_do_not_take_the_danish_ferry() -> None:
    """28.2.1 allows a minimum move, but the ferry runs only in the Ground Movement Segment."""
    board = a_board({"1513": "1/Zee"}, side=Side.NATO)
    unit(board, "1/Zee").piece.reserve = True
    assert not walk(board, unit(board, "1/Zee"), ["1514"], "minimum").objections
    assert_rule(walk(board, unit(board, "1/Zee"), ["1514"], "minimum", reserve=True).objections, "12.1.1")


# --- battles with everything in them -------------------------------------------------------------------------


def behind_a_train(die: int) -> Table[NatoState]:
    """A brigade and an entraining unit behind it are attacked by a division."""
    table = a_table({"3019": "16GT", "3020": "7/1A 12/1A"}, [die])
    board = board_on(table)
    unit(board, "12/1A").piece.train = "entraining"
    board.refresh(unit(board, "12/1A"))
    return table


@pytest.mark.rule("25.7", "13.4.4")
def test_13_4_4_a_step_given_up_saves_the_train_and_a_retreat_loses_it() -> None:
    """On A1/R1 the brigade may give up a step: the train stays and no unit advances. Or the brigade
    retreats, and the train is lost."""
    paid = behind_a_train(2)
    played(paid, battle_cycle(paid, Commit("3020", ("16GT",))), retreat=Retreat(trade=("7/1A",)))
    board = board_on(paid)
    assert_rule(paid.findings, "25.7", inputs={"unit": "7/1A"}, result="eliminated")
    assert unit(board, "12/1A").piece.train and unit(board, "12/1A").piece.engaged
    assert unit(board, "16GT").at == "3019" and unit(board, "16GT").steps == 1
    assert paid.state.breakthrough == []

    left = behind_a_train(2)
    played(left, battle_cycle(left, Commit("3020", ("16GT",))), advance=Advance())
    assert_rule(left.findings, "13.4.4", inputs={"unit": "12/1A"}, result="eliminated")
    assert left.state.pieces["7/1A"].at != "3020" and left.state.breakthrough == ["3020"]


@pytest.mark.rule("22.3.2", "25.1.5")
def test_22_3_2_a_unit_that_dies_in_the_gas_adds_nothing_to_the_odds() -> None:
    """An attack of 10 is halved to 5, and a defense of 3 to 2, so the odds are 2:1, not 1:1."""
    gas = {"chemical": {"3020": {Side.WP: False}}, "gassed": ["3020"], "first_use": 2}
    table = a_table({"3019": "16GT", "3020": "7/1A", "3021": "12/1A"}, [5, 1], a_data("chemical"), **gas)
    played(table, battle_cycle(table, Commit("3020", ("16GT",))), respond="12/1A")

    assert_rule(table.findings, "22.3.2", inputs={"unit": "12/1A"}, result="3020")
    assert_rule(table.findings, "25.5.2", inputs={"attack": 5, "defense": 2, "basic": "2:1"})
    assert_rule(table.findings, "25.1.5", result="A1/-")
    assert "12/1A" not in table.state.pieces


@pytest.mark.rule("30.4.7", "30.4.9")
def test_30_4_7_a_city_that_costs_the_last_attacker_stays_free() -> None:
    """2:1 less one column for Minden is 1:1; a 6 gives A1/D1R1, which opens the city, but no attacker is left."""
    table = a_table({"3019": "97"}, [6])
    played(table, battle_cycle(table, Commit("3120", ("97",))))

    assert_rule(table.findings, "30.4.7", result="A1/D1R1")
    assert_rule(table.findings, "30.4.9", result="free until somebody enters")
    assert "97" not in table.state.pieces and table.state.conquered == {} and table.state.breakthrough == []


@pytest.mark.rule("7.1.6", "21.1.1", effect=True)
@pytest.mark.rule("21.2", "25.1")
def test_25_1_3_a_nuclear_strike_that_ends_the_attack_leaves_the_defenders_free() -> None:
    """25.2: a nuclear strike that ends the attack uses it up, but no unit is engaged or checks its combat supply."""
    table = a_table({"3019": "97", "3020": "7/1A"}, [4, 6], a_data("nuclear"))
    played(table, battle_cycle(table, Commit("3020", ("97",))), nuclear_defense=("3019",), air_defense=())

    assert_rule(table.findings, "21.2", dice=(6,), result="no Armageddon")
    assert_rule(table.findings, "25.1", inputs={"objective": "3020"}, result="held")
    assert not table.state.pieces["7/1A"].engaged and table.state.fought == ["3020"]
    assert not any(found.rule == "25.1.9" for found in table.findings)


def test_21_2_armageddon_in_a_battle_ends_the_match_at_once() -> None:
    table = a_table({"3019": "16GT", "3020": "7/1A"}, [1, 1, 1], a_data("nuclear"))
    played(table, battle_cycle(table, Commit("3020", ("16GT",))), nuclear_defense=("3019",))
    outcome = table.state.outcome
    assert outcome is not None and outcome.winner is Side.WP and table.state.battle is None


@pytest.mark.rule("25.8.2.1")
def test_25_8_2_1_an_assault_step_inside_counts_against_an_exploitation() -> None:
    corps = a_board({"3019": "16GT 21", "2920": "BC"})
    battle = a_battle(corps, "2920", "16GT", "21")
    assert not list(stacking_objections(corps, battle, {"16GT": ("2920",)}))  # consolidation next to headquarters
    assert_rule(list(stacking_objections(corps, battle, {"16GT": ("2920",), "21": ("2920", "2820")})), "25.8.2.1")
    board = a_board({"3019": "16GT 21", "2920": "97"})
    battle = a_battle(board, "2920", "16GT", "21", "97")
    both = {"16GT": ("2920",), "21": ("2920", "2820")}
    assert_rule(list(stacking_objections(board, battle, both)), "25.8.2.1")
    assert not list(stacking_objections(board, battle, {"21": ("2920", "2820")}))
    assert not list(stacking_objections(board, battle, {"21": ("2920",)}))


@pytest.mark.rule("25.6.3.2", effect=True)
@pytest.mark.rule("25.6.3", "29.8", "29.8.1")
def test_25_6_3_guns_die_before_the_headquarters_and_its_helicopters_wait() -> None:
    """A 3 at 10:1 costs two steps: first the artillery, then the front headquarters, which returns
    two turns later.
    """
    units = {"3019": "34N NEGF", "3020": "7/1A 12/1A 1/1PZ", "3120": "22/1A"}
    table = a_table(units, [3], side=Side.NATO, brigades={"NEGF": "ready"})
    commit = Commit("3019", ("7/1A", "12/1A", "22/1A"))
    played(table, battle_cycle(table, commit), advance=Advance())

    assert_rule(table.findings, "25.6.3", inputs={"unit": "34N"}, result="eliminated")
    assert_rule(table.findings, "29.8", inputs={"unit": "NEGF"}, result=4)
    board = board_on(table)
    battle = a_battle(board, "3020", "16GT")
    assert_rule(list(brigade_objections(board, "NEGF", battle, Side.WP)), "29.8.1")


@pytest.mark.rule("25.1.1", "21.1.3")
def test_30_2_4_a_struck_city_is_entered_and_not_attacked() -> None:
    """Hard units move into an empty nuclear strike hex and conquer the city; soft ones cannot."""
    board = a_board({"3119": "16GT 37", "3114": "NEGF"}, nuclear=["3120"], conquered=HELD)
    assert_rule(list(objective_objections(board, "3120", Side.WP)), "25.1.1")
    assert not walk(board, unit(board, "16GT"), ["3120"], "tactical").objections
    assert_rule(walk(board, unit(board, "37"), ["3120"], "tactical").objections, "21.1.3")
    assert not board.ezoc("3120", Side.WP) and not board.is_negated("3120", Side.NATO)


@pytest.mark.rule("30.2.1")
def test_32_2_1_an_empty_city_of_a_surrendered_country_is_walked_into() -> None:
    held = {"1415": Side.NATO, "1015": Side.NATO}
    table = a_table({"1515": "16GT"}, surrendered=["DK"], conquered=held)
    board = board_on(table)
    assert any(objective_objections(board, "1415", Side.WP))
    make_moves(table, board, [Move("16GT", ("1415",), "tactical")])
    assert_rule(table.findings, "30.2.1", inputs={"city": board.atlas.places["1415"].city}, result="conquered")


@pytest.mark.rule("25.1.2.5")
def test_8_2_2_a_stack_in_a_zone_of_control_gives_one_unit_and_keeps_the_last() -> None:
    units = {"3019": "16GT", "3020": "22/1A", "3120": "7/1A 12/1A"}
    board = a_board(units)
    battle = a_battle(board, "3020", "16GT")
    assert board.ezoc("3120", Side.NATO)
    assert not list(response_objections(board, unit(board, "7/1A"), battle))
    board.place(unit(board, "7/1A"), "3020")
    assert_rule(list(response_objections(board, unit(board, "12/1A"), battle)), "25.1.2.5")


def test_25_7_4_defenders_fall_back_onto_friends_who_are_being_assaulted() -> None:
    """27.3.2: assaulting enemy units in a hex do not close it to a retreat."""
    units = {"3019": "16GT", "3020": "7/1A", "3021": "12/1A 97"}
    board = a_board(units, assaults=["97"])
    assert ("3021",) in [way.path for way in legal_ways(board, [unit(board, "7/1A")], 2)]
    alone = a_board({"3019": "16GT", "3020": "7/1A", "3021": "97"})
    assert all("3021" not in way.path for way in legal_ways(alone, [unit(alone, "7/1A")], 2))


@pytest.mark.rule("25.9.1/breakthrough-battle")
def test_25_9_1_a_torn_hex_is_entered_without_a_die_or_a_test_of_supply() -> None:
    """25.2: attackers that enter an emptied hex have used their attack, so a second battle of the
    same unit is refused.
    """
    fields: dict[str, Any] = {"cleared": ["3020"], "breakthrough": ["3020"]}
    table = a_table({"3019": "16GT", "3021": "7/1A"}, **fields)
    board = board_on(table)
    played(table, battle_cycle(table, Commit("3020", ("16GT",))), advance=Advance({"16GT": ("3020",)}))

    assert_rule(table.findings, "25.9.1/breakthrough-battle", result="R2")
    assert unit(board, "16GT").at == "3020" and not any(found.rule == "25.1.9" for found in table.findings)
    assert any(found.rule == "25.2" for found in attacker_objections(board, unit(board, "16GT"), "3021", Side.WP))


@pytest.mark.rule("25.3.3")
def test_25_2_2_what_is_left_attacks_even_without_strength() -> None:
    """25.1.1 item 4: the strike kills the only unit that could attack, so the border regiment attacks at 1:4."""
    units = {"3014": "97 Gr20", "3015": "7/1A"}
    table = a_table(units, [6, 1], tactical={Side.NATO: 2}, conquered={"3115": Side.WP})
    strikes = (AirStrike("3014", targets=("97",)),)
    played(table, battle_cycle(table, Commit("3015", ("97", "Gr20"))), air_defense=strikes)

    assert_rule(table.findings, "25.3.3", inputs={"attack": 0}, result="1:4")
    assert table.state.pieces == {id: table.state.pieces[id] for id in ("7/1A",)}


def test_11_5_nobody_is_asked_for_air_strikes_over_west_berlin() -> None:
    """23.4: the city and its garrison project no airspace, so tactical points do not reach the attackers."""
    units = {"3007": "US-Berlin UK-Berlin FR-Berlin", "3006": "16GT 21"}
    table = a_table(units, [1], tactical={Side.NATO: 4})
    step = battle_cycle(table, Commit("3007", ("16GT", "21")))
    kinds = []
    value: Any = None
    rules = NatoRules(table.data)
    while True:
        try:
            asked = step.send(value)
        except StopIteration:
            break
        kinds.append(asked.kind)
        value = rules.decode_answer(asked, rules.default(lambda: table.state, asked))
    assert "air defense" not in kinds


@pytest.mark.rule("33.2.1.2")
def test_33_2_1_2_a_destroyed_site_stays_destroyed_when_the_city_is_free_again() -> None:
    board = a_board({})
    site = next(hex for hex in board.atlas.cities_of(Country.WG) if board.atlas.places[hex].reserve_site)
    arrival = Arrival(2, "WG-63", f"RS{site}")
    table = a_table({}, data=on(a_data(), arrivals=(arrival,)), sites_lost=[site], awaited=["WG-63"])
    bring_in(table, board_on(table), arrival, {})
    assert_rule(table.findings, "33.2.1.2", inputs={"unit": "WG-63", "hex": site}, result="eliminated")
    assert board_on(table).free_city(site, Side.NATO) and "WG-63" in table.state.lost
