"""6.7.4 Fire at aircraft, the decisions it asks for, and what an aircraft under fire can still do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_gun, a_tank, advanced_data
from titles.panzer.air.flights import a_table, an_aircraft, both, fly, legal, over, plot, refused
from titles.panzer.builders import a_board, run_step

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal, Refusals, Unreadable
from pbem.engine.rules.table import Table
from pbem.titles.panzer.air import anti_aircraft
from pbem.titles.panzer.air.air import appearance_objections, check_flight, flight_options
from pbem.titles.panzer.air.air_attacks import Attack, gp_attack, hexes_to_acquire, in_position
from pbem.titles.panzer.air.anti_aircraft import anti_aircraft_options, check_anti_aircraft
from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.cards.charts import with_switches
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.fire.gp_modifiers import Case, gp_modifiers
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.scenario import Conditions
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Marker, PanzerState, Spot, Unit

# --- 6.7.4 fire at aircraft ------------------------------------------------------------------------


def flak(hex: str = "C8", **more: Any) -> Unit:
    return a_gun("g2", hex, "flak36", **{"facing": 1, "command": Command.OVERWATCH, **more})


def shots(*pairs: tuple[str, int]) -> Any:
    """Fire at the first opportunity, then hold fire."""
    left = [[list(pair) for pair in pairs]]
    return lambda ask: left.pop() if left else None


@pytest.mark.rule("6.7.4", "6.7.4.1", "6.7.4.1.1", "6.7.4.1.2", "6.7.4.1.2/towed", "6.7.4.2", "6.7.4.2/low")
@pytest.mark.rule("6.7.4.2.1/no-effect")
@both
def test_6_7_4_2_the_88_has_20_of_its_own(edition: Edition) -> None:
    """L4045: the 8.8cm gun has its own modifier of 20."""
    table = a_table(flak(), dice=[1], edition=edition)
    played = fly(table, plot(), **{"anti-aircraft": shots(("g2", 0))})
    assert_rule(played.findings, "6.7.4", inputs={"gun": "g2", "aircraft": "a1"}, result="none")
    assert_rule(played.findings, "6.7.4.1", result=True)
    assert_rule(played.findings, "6.7.4.1.1", inputs={"gun": "g2"})
    assert_rule(played.findings, "6.7.4.1.2", result=True)
    assert_rule(played.findings, "6.7.4.1.2/towed", result=True)
    assert_rule(played.findings, "6.7.4.2", result=30)  # its own 20, and 10 against a low aircraft
    assert_rule(played.findings, "6.7.4.2/low", result=10)
    assert_rule(played.findings, "6.7.4.2.1/no-effect")
    gun = table.state.vehicles["g2"]
    assert (gun.revealed, gun.used_up, gun.pending) == (True, 1, Spot.FIRE)


@pytest.mark.rule("6.7.4.1.1")
@both
def test_6_7_4_1_1_medium_and_fast_is_tracked_for_six_hexes(edition: Edition) -> None:
    """L4011: a fast aircraft at medium altitude must be tracked for six hexes."""
    table = a_table(flak(), edition=edition)
    flight = over(table, "C4", altitude="medium", speed="fast", tracked={"g2": 5})
    gun = table.state.vehicles["g2"]
    assert anti_aircraft.hexes_to_track(table, flight, gun) == 6
    aircraft = table.state.aircraft["a1"]
    assert_rule(anti_aircraft.public_objections(table, aircraft, gun, 0), "6.7.4.1.1")
    flight.tracked["g2"] = 6
    assert not list(anti_aircraft.public_objections(table, aircraft, gun, 0))
    gun.suppression = Marker.ON
    assert anti_aircraft.hexes_to_track(table, flight, gun) == 12


@pytest.mark.rule("6.7.4.1.1/suppressed-midway", editions=("2016",))
def test_6_7_4_1_1_in_2016_what_is_left_of_the_tracking_is_doubled() -> None:
    table = a_table(flak(suppression=Marker.ON), dice=[1], edition="2016")
    flight = over(table, "C4", tracked={"g2": 5}, trackers_suppressed_at={"g2": 3})
    gun = table.state.vehicles["g2"]
    assert anti_aircraft.hexes_to_track(table, flight, gun) == 3 + 2 * (4 - 3)
    run_step(table, anti_aircraft.fire(table, table.state.aircraft["a1"], [["g2", 0]]))
    assert_rule(table.findings, "6.7.4.1.1/suppressed-midway", result=5)


@pytest.mark.rule("6.7.4.1.1/edge", "6.7.4.1.1/one-fire", "6.7.4.1.1/inside", editions=("2024",))
def test_6_7_4_1_1_tracked_at_the_edge_one_fire_a_turn_none_from_inside() -> None:
    table = a_table(flak(), dice=[1])
    played = fly(table, plot(), **{"anti-aircraft": shots(("g2", 0))})
    assert_rule(played.findings, "6.7.4.1.1/edge", inputs={"gun": "g2"}, result="tracked")
    aircraft = table.state.aircraft["a1"]
    over(table, "C4", tracked={"g2": 9})
    gun = table.state.vehicles["g2"]
    assert_rule(anti_aircraft.objections(table, aircraft, gun, 0), "6.7.4.1.1/one-fire")
    inside = a_table(flak(inside="building"), board=a_board(signs={"C8": "B"}))
    over(inside, "C4", tracked={"g2": 9})
    aircraft, gun = inside.state.aircraft["a1"], inside.state.vehicles["g2"]
    assert_rule(anti_aircraft.objections(Situation(inside.data, inside.state), aircraft, gun, 0), "6.7.4.1.1/inside")


@both
def test_6_7_4_1_1_fire_that_answers_an_attack_comes_after_it(edition: Edition) -> None:
    table = a_table(a_tank("g1", "C12"), flak("C14"), dice=[1, 100, 9], edition=edition)
    script = {"anti-aircraft": lambda ask: [["g2", 0]] if ask.about["answering"] else None}
    played = fly(table, plot(("g1", "strafing")), **script)
    order = [finding.rule for finding in played.findings if finding.rule in ("6.7.3", "6.7.4")]
    assert order == ["6.7.3", "6.7.4"]


@pytest.mark.rule("6.7.4.1.2/high-altitude", "6.7.4.1.2/towed")
@both
def test_6_7_4_1_2_some_do_not_reach_high_and_towed_guns_fire_ahead(edition: Edition) -> None:
    low_gun = next(
        id for id, card in advanced_data(edition=edition).book.towed.items()
        if (row := advanced_data(edition=edition).book.guns[card.gun].aa) and not row.high
    )  # fmt: skip
    table = a_table(a_gun("g2", "C8", low_gun, facing=1, command=Command.OVERWATCH), edition=edition)
    aircraft, gun = table.state.aircraft["a1"], table.state.vehicles["g2"]
    over(table, "C4", altitude="high", tracked={"g2": 99})
    assert_rule(anti_aircraft.objections(table, aircraft, gun, 0), "6.7.4.1.2/high-altitude")
    over(table, "C12", tracked={"g2": 99})
    assert_rule(anti_aircraft.objections(table, aircraft, gun, 0), "6.7.4.1.2/towed")


def mounted(edition: Edition) -> tuple[Unit, int]:
    """Return a vehicle that can fire at aircraft, and the number of its weapon."""
    data = advanced_data(edition=edition)
    for id, card in data.book.vehicles.items():
        unit = a_tank("g2", "C8", id, command=Command.OVERWATCH, facing=4)
        for number, arm in enumerate(weapons_of(data, unit)):
            if arm.aa and card.nation == "german":
                return unit, number
    raise AssertionError("no German vehicle fires at aircraft")


@pytest.mark.rule("6.7.4.1.2/vehicles", editions=("2024",))
def test_6_7_4_1_2_vehicles_fire_all_round() -> None:
    vehicles_fire_all_round("2024", "6.7.4.1.2/vehicles")


@pytest.mark.rule("6.7.4.1.2/mounted", editions=("2016",))
def test_6_7_4_1_2_mounted_weapons_fire_all_round() -> None:
    vehicles_fire_all_round("2016", "6.7.4.1.2/mounted")


def vehicles_fire_all_round(edition: Edition, rule: str) -> None:
    unit, number = mounted(edition)
    table = a_table(unit, dice=[1], edition=edition)
    played = fly(table, plot(), **{"anti-aircraft": shots(("g2", number))})
    assert_rule(played.findings, rule, result=True)


@pytest.mark.rule("6.7.4.2", editions=("2024",))
@pytest.mark.rule("6.7.4.2/fast-or-high", editions=("2024",))
def test_6_7_4_2_fast_and_high_cost_10_each() -> None:
    fast_and_high("2024", "6.7.4.2/fast-or-high")


@pytest.mark.rule("6.7.4.2", editions=("2016",))
@pytest.mark.rule("6.7.4.2/fast-high", editions=("2016",))
def test_6_7_4_2_fast_and_high_cost_10_each_in_2016() -> None:
    fast_and_high("2016", "6.7.4.2/fast-high")


def fast_and_high(edition: Edition, rule: str) -> None:
    table = a_table(flak(), dice=[1], edition=edition)
    over(table, "C4", altitude="high", speed="fast")
    run_step(table, anti_aircraft.fire(table, table.state.aircraft["a1"], [["g2", 0]]))
    assert_rule(table.findings, rule, result=-10)
    assert_rule(table.findings, "6.7.4.2", result=0)  # 20 of its own


@pytest.mark.rule(
    "6.7.4.2.1", "6.7.4.2.1/suppressed", "6.7.4.2.1/damaged", "6.7.4.2.1/eliminated", "6.5.4.3/shooter-suppressed"
)
@both
def test_6_7_4_2_1_what_fire_does_to_an_aircraft(edition: Edition) -> None:
    data = advanced_data(edition=edition)
    column, factor = "S", 5
    cell = data.advanced.gp_limits(factor, data.book.aircraft["il2"].defence.value)
    net = 30
    suppressed, damaged, down = cell.suppressed - net, 0, 0
    for total in range(cell.suppressed + 1, cell.suppressed + 12):
        if total % 5 == 0:
            damaged = total - net
        else:
            down = total - net

    def fired(*dice: int, **more: Any) -> Table[PanzerState]:
        table = a_table(flak("C9"), dice=dice, edition=edition, aircraft=an_aircraft(**more))
        flight = over(table, "C3", count=2)
        assert anti_aircraft.aa_factor(weapons_of(table.data, table.state.vehicles["g2"])[0],
                                       table.state.vehicles["g2"], flight) == (column, factor)  # fmt: skip
        run_step(table, anti_aircraft.fire(table, table.state.aircraft["a1"], [["g2", 0]]))
        return table

    table = fired(suppressed)
    assert_rule(table.findings, "6.7.4.2.1/suppressed")
    aircraft = table.state.aircraft["a1"]
    flight = aircraft.flight
    assert flight is not None and (flight.suppressed_at, aircraft.suppression) == (2, Marker.ON)
    again = fired(suppressed, suppression=Marker.OFF)  # L4065: renewed, regardless of the side it showed
    assert again.state.aircraft["a1"].suppression is Marker.ON
    strafing = gp_attack(table, aircraft, over(table, "C8"), Attack("g2", "strafing"))
    gun = table.state.vehicles["g2"]
    assert gun.hex is not None
    found = gp_modifiers(Case(table, strafing, gun.hex, gun))
    assert_rule(found, "6.5.4.3/shooter-suppressed", result=-20)
    table = fired(damaged)
    assert_rule(table.findings, "6.7.4.2.1/damaged", result="slow")
    assert table.state.aircraft["a1"].damaged
    assert_rule(refused(table, plot(speed="fast")), "6.7.4.2.1")
    table = fired(damaged, 8, damaged=True)  # a second time: eliminated
    assert_rule(table.findings, "6.7.4.2.1", result="shot-down")
    table = fired(down, 8)
    assert_rule(table.findings, "6.7.4.2.1/eliminated", inputs={"hexes": 4}, dice=(8,), result="C7")
    assert table.state.aircraft["a1"].shot_down
    assert table.state.aircraft["a1"].flight is None


@pytest.mark.rule("6.7.4.2.1/crash", editions=("2024",))
def test_6_7_4_2_1_a_crash_attacks_its_hex_with_15() -> None:
    table = a_table(a_tank("g1", "C8"), dice=[10, 99, 3, *[1] * 5])
    over(table, "C3")
    played = run_step(table, anti_aircraft.shoot_down(table, table.state.aircraft["a1"]))
    assert_rule(played.result, "6.7.4.2.1/crash", inputs={"factor": 15})
    assert not table.state.vehicles["g1"].alive
    table = a_table(dice=[10])
    over(table, "C18", altitude="high")
    played = run_step(table, anti_aircraft.shoot_down(table, table.state.aircraft["a1"]))
    assert played.result.result == "off the map"


# --- answers ---------------------------------------------------------------------------------------


@pytest.mark.rule("6.7.4", "6.7.4.1.1/one-fire")
def test_6_7_4_only_guns_on_overwatch_fire_and_each_once() -> None:
    table = a_table(flak(), a_tank("g1", "C12"))
    over(table, "C4", tracked={"g2": 9})
    ask = Ask("german", "anti-aircraft", "6.7.4", subject="a1", about={"answering": False})

    def wrong(answer: Any) -> Any:
        with pytest.raises((Illegal, Refusals, Unreadable)) as caught:
            check_anti_aircraft(table, ask, answer)
        return caught.value

    assert check_anti_aircraft(table, ask, [["g2", 0]]) == [["g2", 0]]
    assert check_anti_aircraft(table, ask, None) is None
    assert_rule(wrong([["g1", 0]]), "6.7.4")
    assert_rule(wrong([["g2", 0], ["g2", 0]]), "6.7.4.1.1/one-fire")
    assert_rule(wrong("all"), "6.7.4")
    for option in anti_aircraft_options(table, ask):
        assert check_anti_aircraft(table, ask, option) == option
    table.state.vehicles["g2"].command = Command.FIRE
    assert_rule(wrong([["g2", 0]]), "6.7.4")


def test_6_7_4_a_face_down_counter_is_asked_about_whatever_it_is() -> None:
    for command in (Command.OVERWATCH, Command.NO_COMMAND, Command.FIRE):
        table = a_table(flak(command=command))
        played = fly(table, plot())
        assert [ask.kind for ask in played.asks].count("anti-aircraft") > 5


def test_6_7_2_every_option_is_legal() -> None:
    table = a_table(a_tank("g1", "C12"), a_tank("g2", "H7"))
    ask = Ask("soviet", "flight", "6.4", about={"aircraft": ["a1"]})
    options = list(flight_options(table, ask))
    assert len(options) > 10
    for option in options:
        again = check_flight(table, ask, option)
        assert again == option


# --- what a flight can still do --------------------------------------------------------------------


@pytest.mark.rule("6.7.2.3.2", "6.7.3.2", "6.7.3", "6.7.3.3")
@both
def test_6_7_2_3_2_after_its_one_dive_an_aircraft_attacks_low(edition: Edition) -> None:
    """L3889, L3919: after its dive the aircraft may strafe, but neither dive again nor bomb from
    its former altitude.
    """
    units = (a_tank("g1", "C9"), a_tank("g2", "C17"))
    table = a_table(*units, dice=[1, 1, 1], edition=edition, aircraft=an_aircraft("ju87b"))
    for weapon in ("dive", "bombs"):
        twice = plot(("g1", "dive"), ("g2", weapon), altitude="high")
        assert_rule(refused(table, twice), "6.7.2.3.2" if weapon == "dive" else "6.7.3.3")
    then = plot(("g1", "dive"), ("g2", "strafing"), altitude="high")
    played = fly(table, legal(table, then))
    assert_rule(played.findings, "6.7.3", inputs={"target": "g2", "weapon": "strafing"})
    assert_rule(played.findings, "6.7.3.2", inputs={"hexes": ["C17", "C18"]})


def test_6_7_2_3_2_who_has_not_dived_does_not_strafe() -> None:
    table = a_table(a_tank("g1", "C9"), a_tank("g2", "C17"), aircraft=an_aircraft("ju87b"))
    then = plot(("g1", "dive"), ("g2", "strafing"), altitude="high")
    played = fly(table, legal(table, then), **{"air-attack": [False]})
    assert not [finding for finding in every(played.findings) if finding.rule == "6.7.3"]
    assert table.state.aircraft["a1"].exit_edge == "south"


@pytest.mark.rule("6.7.3", "6.7.3.1.1")
def test_6_7_3_1_1_a_target_passed_by_is_given_up_for_the_next() -> None:
    """L3917: an aircraft engages one target at a time and cannot return to a target it has passed."""
    units = (a_tank("g1", "E7"), a_tank("g2", "C17"))
    played = fly(a_table(*units, dice=[1]), plot(("g1", "strafing"), ("g2", "strafing")))
    assert_rule(played.findings, "6.7.3.1.1", inputs={"target": "g2"}, result="acquired")
    assert_rule(played.findings, "6.7.3", inputs={"target": "g2"})


@both
def test_6_7_3_4_rockets_need_their_target_in_sight_when_they_are_fired(edition: Edition) -> None:
    """L3937: the target is acquired at the map edge, but a grove masks it until the aircraft is next to it."""
    grove = {"2024": "medium_grove", "2016": "woods"}[edition]
    board = a_board(signs={"C9": "g"}, legend={"g": [grove]})
    table = a_table(a_tank("g1", "C10"), edition=edition, aircraft=an_aircraft(load="rockets"), board=board)
    planned = Attack("g1", "rockets")
    assert not in_position(table, over(table, "C5"), planned)
    assert in_position(Situation(a_table(a_tank("g1", "C10")).data, table.state), over(table, "C5"), planned)


@pytest.mark.parametrize(("doubled", "hexes"), [(True, 17), (False, 20)])
@both
def test_6_7_3_1_1_a_scenario_chooses_what_suppression_doubles(edition: Edition, doubled: bool, hexes: int) -> None:
    """Row 35 of the comparison of the books: a scenario may choose what suppression doubles."""
    table = a_table(edition=edition, aircraft=an_aircraft(suppression=Marker.ON))
    switch = {"aircraft_double_remainder": doubled}
    data = replace(table.data, charts=with_switches(table.data.charts, switch))
    flight = over(table, "C5", speed="fast", suppressed_at=3, trackers_suppressed_at={"g1": 3})
    assert hexes_to_acquire(data, table.state.aircraft["a1"], flight) == hexes
    gun = a_gun("g1", "C12", "flak36", suppression=Marker.ON)
    assert anti_aircraft.hexes_to_track(Situation(data, table.state), flight, gun) == (13 if doubled else 16)


@pytest.mark.parametrize("shared", [True, False])
@both
def test_6_2_1_1_4_guns_that_share_an_overwatch_fire_at_an_aircraft_together_or_not_at_all(
    edition: Edition, shared: bool
) -> None:
    """All units that share an Overwatch declare their fire at the same time; it is then used up for the others."""
    other = a_gun("g2", "C12", "flak38", facing=1, command=Command.OVERWATCH, shares="g1" if shared else "")
    table = a_table(
        a_gun("g1", "C12", "flak38", facing=1, command=Command.OVERWATCH), other, edition=edition, dice=[50]
    )  # fmt: skip
    over(table, "C6", tracked={"g1": 99, "g2": 99})
    ask = Ask("german", "anti-aircraft", "6.7.4", subject="a1")
    assert anti_aircraft.guns_able_to_fire(table, ask) == [["g1", 0], ["g2", 0]]
    window = anti_aircraft.window(table, table.state.aircraft["a1"])
    run_step(table, window, {"anti-aircraft": [[["g1", 0]]]})
    assert anti_aircraft.guns_able_to_fire(table, ask) == ([] if shared else [["g2", 0]])


def test_6_7_nobody_flies_where_sight_is_poor() -> None:
    """L3829: aircraft fly only by daylight and in clear weather."""
    rules = (*ADVANCED_RULES, "weather")
    for spotting, asked in ((-1, 0), (0, 1)):
        table = a_table(scenario={"rules": rules, "conditions": Conditions(spotting=spotting)})
        assert len(fly(table, None).asks) == asked
        assert any(appearance_objections(table, table.state.aircraft["a1"])) is not bool(asked)


def test_6_7_a_flight_is_refused_in_a_match_without_aircraft() -> None:
    rules = tuple(rule for rule in ADVANCED_RULES if rule != "aircraft")
    table = a_table(scenario={"rules": rules})
    assert "6.7" in str(refused(table, plot())) and not fly(table, None).asks
