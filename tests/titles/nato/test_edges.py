"""For each rule, a similar case in which it does not apply, or has the opposite effect."""

from __future__ import annotations

import pytest
from support.rules import assert_rule, every
from titles.nato.builders import a_battle, a_board, a_data, a_state, a_table, board_on, done, on, played, unit

from pbem.titles.nato.air.helicopters import flights
from pbem.titles.nato.air.orders import deep_objections
from pbem.titles.nato.air.points import received_reasons
from pbem.titles.nato.cards.charts import charts
from pbem.titles.nato.cards.scenario import Arrival, SupplyPlan
from pbem.titles.nato.cards.scenario import Chemical as Limits
from pbem.titles.nato.cards.units import Side, roster
from pbem.titles.nato.combat.cycle import battle_cycle
from pbem.titles.nato.combat.eligibility import response_objections
from pbem.titles.nato.explain.battles import coordination_reasons
from pbem.titles.nato.explain.hexes import marker_reasons as hex_markers
from pbem.titles.nato.explain.moves import mode_reasons, way_reasons
from pbem.titles.nato.explain.units import AIRBORNE_REGIMENTS, kind_reasons
from pbem.titles.nato.explain.units import marker_reasons as unit_markers
from pbem.titles.nato.movement.airmobile import insertion_objections
from pbem.titles.nato.movement.costs import area_objections, border_troops
from pbem.titles.nato.movement.entering import enter
from pbem.titles.nato.movement.moves import walk
from pbem.titles.nato.movement.phase import make_moves
from pbem.titles.nato.nuclear.chemicals import chemical_segment, strike_notes
from pbem.titles.nato.phases import segment
from pbem.titles.nato.player.orders import Chemical, Commit, FightOrders, Move
from pbem.titles.nato.reinforcements.arrivals import convoy_losses
from pbem.titles.nato.sequence import gdp, joint_points
from pbem.titles.nato.supply.headquarters import superior
from pbem.titles.nato.supply.phases import movement_supply
from pbem.titles.nato.supply.points import pay
from pbem.titles.nato.zones.coordination import attack_objections


def rules_of(found: object) -> list[str]:
    return [one.rule for one in every(found)]


@pytest.mark.rule("3.5.3", effect=True)
@pytest.mark.rule("3.2.8.1", "6.0/ground-unit")
def test_3_1_every_card_is_of_one_kind_and_says_so() -> None:
    for card in roster(1988).values():
        found = list(kind_reasons(card))
        said = set(rules_of(found))
        assert ("3.5.1" in said, "3.5.2" in said, "3.5.3" in said).count(True) == 1, card.id
        assert ("3.5.1" in said) is card.hard and ("3.5.2" in said) is card.soft, card.id
        assert ("3.9.1.1" in said) is card.canadian and ("6.0/artillery-unit" in said) is card.artillery, card.id
        assert ("3.10" in said) is (card.id in AIRBORNE_REGIMENTS), card.id
        assert_rule(found, "6.0/ground-unit", result=True)
        symbols = {"airborne": card.airborne, "airmobile": card.airmobile, "marine": card.marine}
        assert_rule(found, "3.2.8.1", inputs={"unit": card.id}, result=symbols)
        tree = ["ground", "hq"] if card.hq else ["ground", "combat"]
        assert_rule(found, "3.1")
        kind = next(one.result for one in found if one.rule == "3.1")
        assert kind[: len(tree)] == tree and (kind[-1] == "hard") is (card.hard and not card.hq), card.id


@pytest.mark.rule("7.2/I.A.3", "7.2/I.A.5", "7.2/I.A.6", "7.2/I.B.1", effect=True)
@pytest.mark.rule("7.2/III.D.3", "7.2/I.B", "7.2/III.B.2", "7.2/II.F.6")
def test_7_2_a_heading_names_its_phase_and_its_side() -> None:
    for name, side, rule, title in (
        ("air strikes", Side.NATO, "7.2/III.D.3", "Air Strike Segment"),
        ("rail", Side.NATO, "7.2/III.B.2", "Rail Movement Segment"),
        ("defender results", Side.WP, "7.2/II.F.6", "Defender Results Segment"),
    ):
        assert assert_rule(segment(name, side), rule).inputs == {"phase": title, "side": side}  # type: ignore[union-attr]
    joint = assert_rule(segment("reinforcement"), "7.2/I.B")
    assert joint.inputs == {"phase": "Joint Reinforcement Phase"}  # type: ignore[union-attr]


@pytest.mark.rule("12.0/one-mode", "35.6", "24.2.1", "8.1.2")
def test_12_0_modes_and_ways_say_only_what_applies() -> None:
    plain = a_board({"3110": "16GT", "3108": "NEGF"})
    found = list(mode_reasons(plain, unit(plain, "16GT")))
    assert_rule(found, "12.0/one-mode")
    assert "35.4" not in rules_of(found)
    fleeing = a_board({"3223": "27LL"}, a_data("refugees"))
    assert "35.4" in rules_of(mode_reasons(fleeing, unit(fleeing, "27LL")))
    border = a_board({"2815": "7/1A", "2814": "16GT"}, a_data("border"), turn=1)
    east = list(way_reasons(border, unit(border, "16GT"), ["2715"], "tactical"))
    crossing = [
        hex for hex, side in border.atlas.ground["2815"] if side.iron_curtain and not border.holds(hex, Side.WP)
    ]
    west = list(way_reasons(border, unit(border, "7/1A"), crossing[:1], "tactical"))
    assert "35.6" not in rules_of(west)  # only the Warsaw Pact pays
    curtain = border.atlas.hexside("2814", "2815")
    pays = {id: border_troops(border, unit(border, id), curtain, reserve=False) for id in ("16GT", "7/1A")}
    assert curtain.iron_curtain and pays == {"16GT": True, "7/1A": False}
    assert_rule(way_reasons(a_border := border, unit(a_border, "16GT"), ["2815"], "tactical"), "35.6", result=1)
    assert "25.9.3" not in rules_of(east)
    two = a_board({"3218": "34N", "3219": "7/1A", "3319": "12/1A", "3318": "21"}, breakthrough=["3318"])
    calm = list(way_reasons(two, unit(two, "34N"), ["3318"], "minimum"))
    assert_rule(calm, "24.2.1", result=True)
    assert_rule(calm, "8.1.2", inputs={"hex": "3318"}, result=True)
    assert "25.9.3" not in rules_of(calm)  # a breakthrough matters only in the Reserve Phase
    kept = a_board({"3218": "34N", "3219": "7/1A", "3319": "12/1A", "3318": "21"})
    assert "25.9.3" not in rules_of(way_reasons(kept, unit(kept, "34N"), ["3318"], "minimum", reserve=True))


@pytest.mark.rule("4.1.6", "4.2.2")
def test_4_1_a_hex_and_a_unit_bear_the_markers_they_have_and_no_other() -> None:
    board = a_board({}, conquered={"3117": Side.WP}, sites_lost=["3223"], breakthrough=["3218"])
    assert_rule(hex_markers(board, "3218"), "4.1.6", result=True)
    assert "4.1.1" not in rules_of(hex_markers(board, "3218"))
    assert {one.rule: one.result for one in hex_markers(board, "3117")}["4.1.1"] == "wp"
    assert {one.rule: one.result for one in hex_markers(board, "3223")}["4.1.1"] == "site"
    guns = a_board({"3114": "34N!"})
    marks = list(unit_markers(unit(guns, "34N")))
    assert_rule(marks, "4.2.2", result="suppressed")
    assert not {"4.2.1", "4.2.3", "4.2.4", "4.2.6", "4.2.7"} & set(rules_of(marks))


@pytest.mark.rule("29.5.3", "29.5.1", "12.7")
def test_29_5_the_baltic_front_takes_in_units_of_its_zone_and_keeps_to_it() -> None:
    board = a_board({"2116": "16GT", "3116": "21", "2311": "BAF", "3110": "NEGF"})
    baltic, north = unit(board, "BAF").card, unit(board, "NEGF").card
    assert_rule(coordination_reasons(board, Side.WP, [unit(board, "16GT")]), "29.5.3", result=["16GT"])
    assert superior(board, unit(board, "16GT"), baltic) and superior(board, unit(board, "16GT"), north)
    assert not superior(board, unit(board, "21"), baltic) and superior(board, unit(board, "21"), north)
    for hex, free in (("2116", True), ("2311", True), ("3116", False), ("3110", True)):
        against = list(area_objections(board, unit(board, "BAF"), board.atlas.places[hex]))
        assert (against == []) is free, hex
        if not free:
            assert_rule(against, "29.5.1")
    board.state.surrendered.append("DK")
    assert not list(area_objections(board, unit(board, "BAF"), board.atlas.places["3116"]))
    guard = a_board({"3110": "Gr20"})
    home = unit(guard, "Gr20")
    assert not list(area_objections(guard, home, guard.atlas.places["3109"]))
    assert_rule(list(area_objections(guard, home, guard.atlas.places["3116"])), "12.7")


@pytest.mark.rule("32.2.3", effect=True)
@pytest.mark.rule("21.5")
def test_21_5_squadrons_disperse_in_the_turn_after_the_first_strike() -> None:
    same, later = (a_board({}, first_nuclear=2, turn=turn) for turn in (2, 3))
    assert "21.5" not in rules_of(received_reasons(same, Side.WP, 6))
    assert_rule(received_reasons(later, Side.WP, 6), "21.5", result=-1)
    assert [list(received_reasons(board, Side.WP, 6))[-1].result for board in (same, later)] == [6, 5]


@pytest.mark.rule("12.2", effect=True)
@pytest.mark.rule("12.5.1", "12.5", "11.1/route-test")
def test_12_5_a_minimum_move_leaves_a_strike_hex_and_only_the_ferry_counts_as_one() -> None:
    gas = a_board({"3110": "16GT", "3112": "21!"}, chemical={"3110": {Side.NATO: True}})
    assert not walk(gas, unit(gas, "16GT"), ["3210"], "minimum").objections
    assert_rule(walk(gas, unit(gas, "16GT"), ["3210"], "tactical").objections, "12.5.1")
    assert_rule(walk(gas, unit(gas, "21"), ["3212", "3213"], "minimum").objections, "12.5")
    table = a_table({"3112": "21!", "3108": "16GT", "3105": "94G", "2908": "NEGF"})
    moves = [Move("21", ("3212",), "minimum"), Move("16GT", ("3109",), "tactical"), Move("94G", ("3106",), "march")]
    make_moves(table, board_on(table), moves)
    assert table.state.ferried == []
    assert all(unit(board_on(table), id).piece.moved for id in ("21", "16GT", "94G"))
    by = {one.inputs["unit"]: one.rule for one in table.findings if "unit" in one.inputs and one.rule[:3] == "12."}
    assert by == {"21": "12.5", "16GT": "12.2", "94G": "12.4"}
    assert_rule(table.findings, "12.5", inputs={"unit": "21"}, result="3212")
    assert_rule(table.findings, "11.1/route-test", result="before the move")
    crossing = a_table({"1513": "1/Zee"}, side=Side.NATO)
    make_moves(crossing, board_on(crossing), [Move("1/Zee", ("1514",), "minimum")])
    assert crossing.state.ferried == ["1513"]


@pytest.mark.rule("18.1.8", effect=True)
@pytest.mark.rule("18.1.1", "18.1.3", "18.1")
def test_18_1_legs_count_flak_in_the_hex_entered_and_a_free_city_covers_the_start() -> None:
    board = a_board({"2818": "97", "2919": "3/1PZ", "2816": "NEGF"})
    out = flights(board, Side.WP, "2816", 3)
    back = flights(board, Side.WP, "2816", 3, inward=True)
    assert out["2819"][0] == 1 and back["2819"][0] == 0  # nothing fires at a flight out of 2819, but at one into it
    assert out["2819"][2][-1] == "2819" and back["2819"][2][-1] == "2816"
    data = a_data("helicopters")
    city = a_board({"3117": "27LL", "3116": "16GT"}, data, lift_ready={Side.NATO: {"helicopter": 1}})
    refused = rules_of(insertion_objections(city, unit(city, "27LL"), "3119"))
    assert "18.1.3" not in refused
    open_ = a_board({"3118": "27LL", "3217": "16GT"}, data, lift_ready={Side.NATO: {"helicopter": 1}})
    assert_rule(list(insertion_objections(open_, unit(open_, "27LL"), "3120")), "18.1.3")
    table = a_table(
        {"3223": "27LL", "3222": "BR-I"}, data=data, side=Side.NATO, lift_ready={Side.NATO: {"helicopter": 1}}
    )
    make_moves(table, board_on(table), [Move("27LL", ("3221",), "fly")])
    assert_rule(table.findings, "18.1", inputs={"unit": "27LL"}, result="insertion")
    assert_rule(table.findings, "18.1.1", inputs={"limit": 10}, result=[2, 0])
    ready = {Side.WP: {"helicopter": 1}}
    fetched = a_table({"3109": "97", "3107": "NEGF"}, data=data, lift_ready=ready)
    make_moves(fetched, board_on(fetched), [Move("97", ("3110", "3108"), "extract")])
    assert_rule(fetched.findings, "18.1.1", inputs={"limit": 10}, result=[1, 1])
    assert unit(board_on(fetched), "97").at == "3108"


@pytest.mark.rule("10.3.3.3", "30.3.2", "30.2.1")
def test_10_3_3_3_a_city_stops_being_a_source_and_becomes_one_again() -> None:
    table = a_table({"3118": "16GT", "3119": "27LL"}, conquered={"3120": Side.WP})
    board = board_on(table)
    enter(table, board, unit(board, "27LL"), "3120")
    free = assert_rule(table.findings, "30.3.2", inputs={"hex": "3120"}, result="free")
    assert_rule(free, "10.3.3.3", result=True)
    enter(table, board, unit(board, "16GT"), "3117")
    taken = assert_rule(table.findings, "30.2.1", inputs={"hex": "3117"}, result="conquered")
    assert_rule(taken, "10.3.3.3", result=False)
    assert board.free_city("3120", Side.NATO) and not board.free_city("3117", Side.NATO)


@pytest.mark.rule("33.2.6")
def test_33_2_6_a_convoy_gets_through_above_the_value() -> None:
    value = charts().interception(Side.NATO, "friendly", "surprise", 1)
    assert value is not None
    high = [6, max(1, value + 1 - 6)] if value < 11 else [6, 6]
    table = a_table({}, high, turn=1)
    assert convoy_losses(table, board_on(table), Arrival(1, "US-1/1", "S")) == int(sum(high) <= value)
    assert_rule(table.findings, "33.2.6", inputs={"value": value}, result="through")


@pytest.mark.rule("10.4.1", "13.5", effect=True)
@pytest.mark.rule("10.5.1", "10.8.2")
def test_10_5_1_only_units_that_get_supply_back_are_told() -> None:
    table = a_table({"3110": "16GT", "3112": "21", "3108": "NEGF"})
    board = board_on(table)
    unit(board, "21").piece.ms_out = True
    movement_supply(table, board, Side.WP)
    assert_rule(table.findings, "10.5.1", inputs={"units": ["21"]}, result="in movement supply")
    cut = a_table({"3118": "16GT", "3116": "7/1A", "3016": "12/1A", "3217": "22/1A"})
    lost = board_on(cut)
    unit(lost, "16GT").piece.ms_out = True  # it has been out of supply before
    movement_supply(cut, lost, Side.WP)
    assert "10.5.1" not in rules_of(cut.findings) and unit(lost, "16GT").piece.ms_out
    data = on(a_data("supply_points"), supply=SupplyPlan(automatic_until=1))
    unpaid = a_table({"3107": "NEGF", "3110": "16GT", "3605": "SEGF"}, data=data, supply_points=1)
    fronts = board_on(unpaid)
    unit(fronts, "SEGF").piece.train = unit(fronts, "NEGF").piece.train = "entrained"
    played(unpaid, pay(unpaid, fronts))
    assert_rule(unpaid.findings, "10.8.2", result=["NEGF"])
    assert (unit(fronts, "SEGF").piece.train, unit(fronts, "NEGF").piece.train) == ("", "entrained")


@pytest.mark.rule("4.3.2", "4.4.3", effect=True)
@pytest.mark.rule("22.5", "22.2.3", "22.2.6")
def test_22_2_3_gas_costs_one_point_is_surprising_and_spares_headquarters_and_sites() -> None:
    limits = {Side.WP: Limits(tactical=3), Side.NATO: Limits()}
    data = on(a_data("chemical", "surprise"), chemical=limits)
    table = a_table({"3120": "22/1A BR-I"}, [4], data, turn=1, chemical_points={Side.WP: 3})
    chemical_segment(table, board_on(table), Side.WP, [Chemical("3120")])
    assert table.state.chemical_points[Side.WP] == 2
    assert_rule(table.findings, "22.2.3", inputs={"persistent": False}, result="3120")
    struck = [one for one in table.findings if one.rule == "22.2.3/unit"]
    assert [(one.inputs["unit"], one.cell) for one in struck] == [("22/1A", [1, 5])]  # one die, one more for surprise
    assert_rule(table.findings, "22.5", result=1)
    assert table.state.points[Side.NATO] == 2  # first use and a war crime in a small city
    nato = on(a_data("chemical"), chemical={Side.WP: Limits(), Side.NATO: Limits(tactical=2)})
    points = {"tactical": {Side.NATO: 3}, "chemical_points": {Side.NATO: 2}}
    answer = a_table({"3119": "16GT"}, [1], nato, side=Side.NATO, first_use=1, **points)
    chemical_segment(answer, board_on(answer), Side.NATO, [Chemical("3119")])
    assert answer.state.tactical[Side.NATO] == 2 and answer.state.chemical_points[Side.NATO] == 1  # 22.2.2
    assert_rule(answer.findings, "22.2.3", inputs={"side": Side.NATO}, result="3119")
    state = {"chemical": {"3120": {Side.NATO: True}}, "sites": {"3ACR": "3626", "1/2A": "3120"}}
    notes = list(strike_notes(a_board({}, **state), Side.WP, "3120"))
    assert_rule(notes, "22.2.6", result=["nato"])
    assert_rule(notes, "22.2.8", result=["1/2A"])


@pytest.mark.rule("34.3.1")
def test_34_3_1_points_of_a_turn_add_up() -> None:
    table = a_table({}, data=a_data("forward_defense"), conquered={"3109": Side.NATO}, first_use=1)
    board = board_on(table)
    cities = [hex for hex in board.atlas.cities if board.owner(hex) is Side.WP][:2]
    table.state.conquered = dict.fromkeys(cities, Side.NATO)
    board.forget_facts()
    joint_points(table, board)
    worth = assert_rule(table.findings, "34.3.1").result  # type: ignore[union-attr]
    assert table.state.points[Side.NATO] == worth + 1 + 1
    early = a_table({}, data=a_data("forward_defense"), turn=1)
    joint_points(early, board_on(early))
    assert early.state.points[Side.NATO] == 0


@pytest.mark.rule("23.7")
def test_23_7_deep_interdiction_by_points_and_die() -> None:
    """The house table never gives less for more points or a higher die, and its cell of L2480 is as printed."""
    table = [[charts().deep_interdiction(points, die) for die in range(1, 7)] for points in (1, 2, 3)]
    assert table == [[0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 1, 2], [0, 1, 1, 1, 2, 2]]
    state = a_state({}, side=Side.NATO)
    assert_rule(list(deep_objections(state, Side.NATO, FightOrders(deep=1))), "23.7")
    state.operational = {Side.NATO: 1}
    assert not list(deep_objections(state, Side.NATO, FightOrders(deep=1)))


@pytest.mark.rule("35.3.5")
def test_35_3_5_one_army_rolls_and_moves_and_only_the_first_calls_the_others_up() -> None:
    table = a_table({"3223": "27LL", "3222": "7/1A"}, [4], a_data("gdp", "activation"), turn=0)
    board = board_on(table)
    unit(board, "27LL").piece.active = unit(board, "7/1A").piece.active = False
    step = gdp(table, 0)
    asked = next(step)
    assert asked.kind == "gdp" and asked.subject == "WG"  # type: ignore[union-attr]
    assert_rule(table.findings, "35.3.5", inputs={"army": "WG"}, result="moves alone")
    assert unit(board, "7/1A").piece.active and table.state.gdp_dice == {"WG": 4}
    later = a_table({"3222": "7/1A"}, [4], a_data("gdp", "activation"), turn=0)
    unit(board_on(later), "7/1A").piece.active = False
    done(gdp(later, 1))  # no US unit is in Germany, and units are called up only once
    assert not unit(board_on(later), "7/1A").piece.active


@pytest.mark.rule("26.2.2", "25.1.2.9")
def test_26_2_2_two_nations_use_up_their_attack_together_and_one_alone_does_not() -> None:
    units = {"2919": "16GT", "2819": "7/1A", "2920": "1/1PZ", "3223": "US-1/1"}
    table = a_table(units, [1, *[1] * 9], side=Side.NATO)
    board = board_on(table)
    assert not list(attack_objections(board, Side.NATO, [unit(board, "7/1A"), unit(board, "1/1PZ")]))
    step = battle_cycle(table, Commit("2919", ("7/1A", "1/1PZ")))
    next(step, None)
    assert table.state.multinational == ["UK", "WG"]
    pair = [unit(board, "1/1PZ"), unit(board, "US-1/1")]
    assert_rule(list(attack_objections(board, Side.NATO, pair)), "26.2.2")
    table.state.multinational = ["UK"]
    assert "26.2.2" not in rules_of(list(attack_objections(board, Side.NATO, pair)))
    alone = a_table(units, [1, *[1] * 9], side=Side.NATO)
    next(battle_cycle(alone, Commit("2919", ("7/1A",))), None)
    assert alone.state.multinational == []
    battle = a_battle(board, "2919", "7/1A", side=Side.NATO)
    assert_rule(list(response_objections(board, unit(board, "1/1PZ"), battle)), "25.1.2.9")


@pytest.mark.rule("25.6.4.1", "30.4.9")
def test_25_6_4_1_attackers_are_disrupted_only_by_a_star_of_their_own() -> None:
    """1:4 gives A1*/-, so the survivor is disrupted; a 1 at 6:1 gives A1/D1R1, which does not disrupt
    the survivor."""
    poor = a_table({"3116": "E8", "3217": "1/1PZ 2/1PZ 3/1PZ"}, [1], battles=["3217"])
    played(poor, battle_cycle(poor, Commit("3217", ("E8",))))
    assert_rule(poor.findings, "25.6.4.1", inputs={"objective": "3217"}, result=["E8"])
    good = a_table({"2818": "16GT", "3018": "21", "2919": "WG-63"}, [6], battles=["2919"])
    played(good, battle_cycle(good, Commit("2919", ("16GT", "21"))))
    assert_rule(good.findings, "25.6.4.1", result=[])
    city = a_table({"3119": "16GT 21", "3120": "22/1A"}, [1], battles=["3120"], conquered={"3117": Side.WP})
    played(city, battle_cycle(city, Commit("3120", ("16GT", "21"))))
    assert_rule(city.findings, "30.4.9", inputs={"city": "Minden"})
    assert "30.4.9" not in rules_of(good.findings)
    lone = a_table({"3119": "16GT 21"}, [4], battles=["3120"], conquered={"3117": Side.WP})
    played(lone, battle_cycle(lone, Commit("3120", ("16GT", "21"))))
    assert_rule(lone.findings, "25.5.2", cell=["8:1", 4], result="A1/D2*R2")
    assert_rule(lone.findings, "25.6.3.1", result="no attacker loss")  # a city takes one step, not two
    assert_rule(lone.findings, "25.6.4.1", result=[])
