"""house/… Rulings on ambiguous sentences: each is cited, and the other reading can be played too.

A behaviour is a function of a match's data that gives one result by the ruling and another by the other reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state, an_advanced_table
from titles.panzer.air.flights import a_table as a_flight
from titles.panzer.air.flights import fly, plot
from titles.panzer.artillery.test_observers import a_battery, an_observer
from titles.panzer.builders import a_board, run_step
from titles.panzer.end_of_turn.test_adjustment_advanced import adjust

from pbem.engine.geometry.hexes import hex_name, parse_hex
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal
from pbem.titles import panzer
from pbem.titles.panzer.air import air_attacks, anti_aircraft
from pbem.titles.panzer.ap.ap_fire import resolve_ap, spread_targets
from pbem.titles.panzer.ap.ap_modifiers import an_ap_shot
from pbem.titles.panzer.artillery import calls, indirect_fire, planned_fire, response
from pbem.titles.panzer.artillery.observers import called_by, firer_of, most_sources, observer_of
from pbem.titles.panzer.cards.basic_rows import EDITIONS, EditionsFile
from pbem.titles.panzer.cards.files import convert, packaged, read_toml
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.close_combat.close_assault import Fight, effective_assault, is_supported
from pbem.titles.panzer.close_combat.hand_to_hand import hand_to_hand
from pbem.titles.panzer.damage import bail_out, effects
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.end_of_turn.adjustment import adjust_options, check_adjust
from pbem.titles.panzer.fire.aiming import is_hull_down
from pbem.titles.panzer.fire.gp_modifiers import Case, GpAttack, gp_modifiers
from pbem.titles.panzer.rulings import READINGS, ruling_finding
from pbem.titles.panzer.sighting.terrain import hull_down_against
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Feature, Flight, HullDown, Inside, Leg, Marker, Mission
from pbem.titles.panzer.telling.sentences import tell

Heard = tuple[Any, Any]
"""The result, and the findings on the way."""


def a_linear_sheaf(data: PanzerData) -> Heard:
    hexes = [hex_name(hex) for hex in calls.sheaf_hexes(data, parse_hex("K10"), "closed_linear", 1)]
    state = an_advanced_state(batteries={"gb1": a_battery()})
    firer = firer_of(Situation(data, state), "gb1")
    assert firer is not None
    call = calls.Call(parse_hex("K10"), ("gb1",), "closed_linear", 1, "gp")
    return sorted(hexes), calls.sheaf_finding(data, firer, call)


def sources_of_a_command_fo(data: PanzerData) -> Heard:
    observer = observer_of(data, an_observer(data, "fo", "chq"))
    assert observer is not None
    return most_sources(data, observer), called_by(data, observer)


def a_mission_checked_by_itself(data: PanzerData) -> Heard:
    mission = Mission(id="m1", side="german", observer="g1", firers=("gb1",), point=parse_hex("C9"), started=1)
    given: dict[str, Any] = {"batteries": {"gb1": a_battery()}, "missions": {"m1": mission}, "turn": 2}
    state = an_advanced_state(an_observer(data, "fo"), **given)
    table = an_advanced_table(state=state, data=data)
    indirect_fire.check(table, mission, "not-observed")
    return state.batteries["gb1"].fired_in == 2, table.findings


def a_natural_one_with_a_friend_near(data: PanzerData) -> Heard:
    mission = Mission(id="m1", side="german", point=parse_hex("C9"))
    units = a_tank("g2", "C8"), a_tank("s1", "C12", "t34_76")
    table = an_advanced_table(*units, data=data, batteries={"gb1": a_battery()})
    firer = firer_of(Situation(data, table.state), "gb1")
    assert firer is not None
    step = response.natural_one(table, mission, firer, parse_hex("C9"), False)
    point, found = run_step(table, step, {"danger": ["g2"]}).result
    return point is not None, found


def a_plot_that_wanders_off(data: PanzerData) -> Heard:
    legs = [Leg(parse_hex(hex), "gp", "closed") for hex in ("C3", "C8", "C13")]
    found = list(planned_fire.plot_objections(data, "gb1", 1, legs))
    plan: Any = type("Plan", (), {"legs": legs})
    return [one.rule for one in found], list(planned_fire.shift_findings(data, plan, 1))


def spread_by_regulars(data: PanzerData) -> Heard:
    gun = a_gun("g1", "K15", "flak36", facing=1, grade="regulars")
    tanks = [a_tank(id, "K6", "crusader1") for id in ("b1", "b2")]
    state = an_advanced_state(gun, *tanks)
    shot = an_ap_shot(Situation(data, state), gun, weapons_of(data, gun)[0], "ap", tanks[0])
    there = len(spread_targets(shot, lambda other: True))
    table = an_advanced_table(state=state, data=data, dice=[1, 5, 5, 99, 99, 99])
    run = run_step(table, resolve_ap(table, shot, lambda other: True), {"spread": [["b2"]]} if there else ())
    return there, run.result


def passengers_at_a_second_track_hit(data: PanzerData) -> Heard:
    truck, rider = a_tank("b1", "C4", "bedford"), a_leg("b2", "C4", "british_rifle_squad", aboard="b1")
    table = an_advanced_table(truck, rider, data=data, dice=[99])
    checks = bail_out.bail_out_checks(table, truck, [bail_out.TRACK_AGAIN])
    return len([one for one in every(checks) if one.dice]), checks  # type: ignore[union-attr]


def net(data: PanzerData, hex: str = "C5", **attack: Any) -> Heard:
    """Return the GP modifiers against a moving truck."""
    target = a_tank("b1", hex, "bedford", command=Command.MOVE, revealed=True)
    tank = a_tank("g1", "C9", "pz3j", facing=1)
    state = an_advanced_state(tank, target)
    given: dict[str, Any] = {"kind": "df", "factor": 6, "target": "b1", "column": "M", "graded": False} | attack
    found = gp_modifiers(Case(Situation(data, state), GpAttack(**given), parse_hex(hex), target))
    return found.result, found


def under_aircraft(data: PanzerData) -> Heard:
    return net(data, kind="air")


def beside_the_target_point(data: PanzerData) -> Heard:
    assert net(data, kind="if", point=parse_hex("C5"))[0] == -20
    return net(data, kind="if", point=parse_hex("C6"))


def the_machine_gun_of_a_tank(data: PanzerData) -> Heard:
    return net(data, firer="g1")


def a_building_that_falls(data: PanzerData) -> Heard:
    board = a_board(signs={"C5": "B"})
    own = an_advanced_table(
        a_leg("g1", "C5", "german_rifle_squad"), a_tank("g2", "C5", "pz4h"),
        a_tank("g3", "C5", "pz4h", inside=Inside.BUILDING), data=_on(data, board),
    )  # fmt: skip
    found = effects.destroy_building(own, parse_hex("C5"), "brick_building")
    return [unit.id for unit in own.state.vehicles.values() if unit.alive], found


def support_by_a_shaken_squad(data: PanzerData) -> Heard:
    board = a_board(signs={"C5": "B"})
    tank, squad = a_tank("g1", "C5", "pz4h"), a_leg("g2", "C5", "german_rifle_squad", suppression=Marker.OFF)
    found = is_supported(Situation(_on(data, board), an_advanced_state(tank, squad)), tank)
    return found.result, found


def a_track_hit_by_assault(data: PanzerData) -> Heard:
    tank = a_tank("g1", "C5", "pz4h", facing=1, hull_down=HullDown.HD)
    squad = a_leg("s1", "C4", "soviet_smg_squad")
    table = an_advanced_table(tank, squad, data=data)
    found = effective_assault(table, Fight(Situation(data, table.state), squad, (), tank), 90)
    return tank.track_hit, found


def three_rounds_after_an_advance(data: PanzerData) -> Heard:
    """The results when the attacker wins the first two rounds, squad against squad."""
    attacker, defender = a_leg("g1", "C5", "german_rifle_squad"), a_leg("s1", "C4", "soviet_smg_squad")
    table = an_advanced_table(attacker, defender, data=data, dice=[90, 10, 90, 10])
    fight = Fight(Situation(data, table.state), attacker, (), defender, advanced=True)
    found: Finding = run_step(table, hand_to_hand(table, fight)).result
    rounds = [one for one in every([found]) if one.rule == "6.6.1.2.1"]
    return [one.inputs["attacker"] for one in rounds], found  # type: ignore[union-attr]


def bombs_from_high_up(data: PanzerData) -> Heard:
    flight = Flight(hex=parse_hex("H6"), facing=4, altitude="high", speed="slow")
    hexes = air_attacks.pattern_hexes(data, flight, air_attacks.Attack("b1", "bombs"), parse_hex("H7"))
    return len(hexes), None


def fire_at_a_fast_aircraft_high_up(data: PanzerData) -> Heard:
    """Return the modifiers against a fast and a slow aircraft. The gun adds 20 to both.

    A slow aircraft has -10 in either reading.
    """
    gun, sums = a_gun("g1", "C9", "flak36", facing=1), []
    for speed in ("fast", "slow"):
        flight = Flight(hex=parse_hex("C5"), facing=4, altitude="high", speed=speed)  # type: ignore[arg-type]
        rows = anti_aircraft.fire_rows(data, gun, weapons_of(data, gun)[0], flight, "S", limited=False)
        sums.append(sum(row.value * times for row, times in rows))
    return sums, None


def _on(data: PanzerData, board: Any) -> PanzerData:
    return advanced_data(board, edition=data.edition, switches=dict(data.charts.switches))


BOTH_WAYS = ["K10", "K11", "K12", "K13", "K7", "K8", "K9"]
ROWS: list[tuple[str, Callable[[PanzerData], Heard], Any, Any]] = [
    ("linear_both_ways", a_linear_sheaf, ["K10", "K4", "K5", "K6", "K7", "K8", "K9"], BOTH_WAYS),
    ("command_fo_calls_one", sources_of_a_command_fo, 2, 1),
    ("automatic_check_frees", a_mission_checked_by_itself, True, False),
    ("stray_needs_response", a_natural_one_with_a_friend_near, True, False),
    ("plan_shifts_from_first", a_plot_that_wanders_off, [], ["6.5.1.11.3"]),
    ("low_grades_never_spread", spread_by_regulars, 1, 0),
    ("track_again_asks_nobody", passengers_at_a_second_track_hit, 1, 0),
    ("aircraft_as_indirect", under_aircraft, -10, -20),
    ("coax_at_any_range", the_machine_gun_of_a_tank, -10, 0),
    ("alleys_spared", a_building_that_falls, [], ["g2"]),
    ("suppressed_do_not_support", support_by_a_shaken_squad, True, False),
    ("hull_down_in_close_assault", a_track_hit_by_assault, True, False),
    ("advance_counts_once", three_rounds_after_an_advance, [80, 80], [80, 90]),
    ("high_bombs_spread_wide", bombs_from_high_up, 4, 10),
    ("moving_in_point_hex_only", beside_the_target_point, -20, 0),
    ("fast_and_high_once", fire_at_a_fast_aircraft_high_up, [0, 10], [10, 10]),
]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("reading", "behaviour", "ruling", "other"), ROWS, ids=[row[0] for row in ROWS])
def test_a_ruling_is_cited_and_a_scenario_may_choose_the_other_reading(reading, behaviour, ruling, other, edition):
    result, found = behaviour(advanced_data(edition=edition))
    assert result == ruling
    if found is not None:
        assert_rule(found, READINGS[reading], result="ruling", inputs={"reading": reading})
    result, found = behaviour(advanced_data(edition=edition, switches={reading: True}))
    assert result == other


def test_6_7_rulings_on_aircraft_are_cited():
    """The findings are about bombing from high altitude, and fire at a fast aircraft at high altitude."""
    table = a_flight(a_tank("g1", "C12"), dice=[1] * 4)
    played = fly(table, plot(("g1", "bombs"), altitude="high"))
    assert_rule(played.findings, "house/A46", result="ruling")
    gun = a_gun("g1", "C12", "flak36", facing=1, command=Command.OVERWATCH)
    table = a_flight(gun, dice=[1])
    played = fly(table, plot(altitude="high", speed="fast"), **{"anti-aircraft": [[["g1", 0]]]})
    assert_rule(played.findings, "house/2016-B14", result="ruling")


@pytest.mark.rule("6.1.4.1.2")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_1_4_1_2_in_an_improved_position_a_vehicle_stands_as_its_owner_likes(edition):
    """house/A-49, L1680: only in such a position may a vehicle be declared partial, to fire a limited weapon."""
    bunker = Feature(id="f1", type="improved_position", hex=parse_hex("C3"), holder="g1")
    tank = a_tank("g1", "C3", "m11_39", position="f1", open_angle=4, command=Command.NO_COMMAND)
    table, played = adjust(tank, german={"partial": {"g1": True}}, features={"f1": bunker}, edition=edition)
    assert_rule(played.findings, "6.1.4.1.2", inputs={"unit": "g1"}, result="phd")
    assert hull_down_against(table, tank, parse_hex("C1"))[0] is HullDown.PHD
    assert not is_hull_down(table, tank)
    ask = Ask("german", "adjust", "6.8")
    assert {"partial": {"g1": False}} in list(adjust_options(table, ask))
    tank.position = ""
    with pytest.raises(Illegal) as refused:
        check_adjust(table, ask, {"partial": {"g1": True}})
    assert_rule(refused.value, "6.1.4.1.2")


def test_every_reading_is_a_switch_that_no_book_sets_and_every_switch_is_known():
    rows = convert(read_toml(packaged("editions.toml"), "editions.toml"), EditionsFile, "editions.toml").switch
    house = {row.id: row.rule for row in rows if row.tier == "house"}
    assert house == dict(READINGS) and {row[0] for row in ROWS} == set(READINGS)
    assert not [row.id for row in rows if row.tier == "house" and row.editions]
    code = "".join(file.read_text() for file in Path(panzer.__file__).parent.rglob("*.py"))
    named = set(re.findall(r'switch\("(\w+)"\)', code))
    assert named <= {row.id for row in rows}


def test_a_ruling_is_told_in_words():
    said = str(tell(ruling_finding(advanced_data(), "alleys_spared")))
    assert "ruling" in said and "not those in its alleys" in said and "alleys_spared" not in said
