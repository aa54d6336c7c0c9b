"""6.4, 6.7 Air phases: flights, acquiring, attacks, and fire at aircraft."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_table
from titles.panzer.artillery.test_observers import section
from titles.panzer.builders import Played, a_board, run_step

from pbem.engine.geometry.hexes import hex_name, parse_hex
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal, Refusals, Unreadable
from pbem.engine.rules.table import Table
from pbem.titles.panzer.air import anti_aircraft
from pbem.titles.panzer.air.air import air_phase, check_air_attack, check_flight, flight_options
from pbem.titles.panzer.air.air_attacks import Attack, gp_attack, hexes_to_acquire, in_position, pattern_hexes
from pbem.titles.panzer.air.air_sight import in_field_and_sight, masked_by, sight_finding
from pbem.titles.panzer.air.anti_aircraft import anti_aircraft_options, check_anti_aircraft
from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.cards.charts import with_switches
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.fire.gp_modifiers import Case, gp_modifiers
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.scenario import AircraftRow, Conditions
from pbem.titles.panzer.state import AircraftState, Command, Flight, Marker, PanzerState, Spot, Unit

both = pytest.mark.parametrize("edition", ["2024", "2016"])
FACING = 4
"""Southwards: flights here enter at C0 or C1 and fly down column C."""


def an_aircraft(card: str = "il2", **more: Any) -> AircraftState:
    given: dict[str, Any] = {"id": "a1", "name": "a1", "side": "soviet", "load": "bombs"} | more
    return AircraftState(card=card, **given)


def a_table(
    *units: Unit,
    dice: Iterable[int] = (),
    edition: Edition = "2024",
    aircraft: AircraftState | None = None,
    scenario: dict[str, Any] | None = None,
    **more: Any,
) -> Table[PanzerState]:
    """A Soviet aircraft against Germans, by default a tank in C12."""
    flying = aircraft or an_aircraft()
    row = AircraftRow(flying.id, flying.id, flying.side, flying.card, "seasoned")
    return an_advanced_table(
        *(units or (a_tank("g1", "C12"),)), dice=dice, edition=edition, aircraft={flying.id: flying},
        scenario={"air_superiority": "soviet", "aircraft": (row,), **(scenario or {})},
        **{"sides": ("german", "soviet"), "stage": 3, **more},
    )  # fmt: skip


def plot(*attacks: tuple[str, str], **more: Any) -> dict[str, Any]:
    aims = [{"target": target, "weapon": weapon} for target, weapon in attacks]
    flight = {"aircraft": "a1", "hex": "C1", "facing": FACING, "speed": "slow", "altitude": "low"}
    return flight | {"attacks": aims} | more


def fly(table: Table[PanzerState], flight: dict[str, Any] | None, number: int = 1, **answers: Any) -> Played:
    return run_step(table, air_phase(table, number), {"flight": [flight], **answers})


def refused(table: Table[PanzerState], answer: Any) -> Any:
    ask = Ask("soviet", "flight", "6.4", about={"aircraft": ["a1"]})
    with pytest.raises((Illegal, Unreadable)) as caught:
        check_flight(table.data, table.state, ask, answer)
    return caught.value


def legal(table: Table[PanzerState], answer: Any) -> Any:
    return check_flight(table.data, table.state, Ask("soviet", "flight", "6.4"), answer)


def over(table: Table[PanzerState], hex: str, **more: Any) -> Flight:
    """Put the aircraft over a hex."""
    given: dict[str, Any] = {"facing": FACING, "altitude": "low", "speed": "slow"} | more
    flight = Flight(hex=parse_hex(hex), **given)
    table.state.aircraft["a1"].flight = flight
    return flight


# --- 6.7.2 flying ----------------------------------------------------------------------------------


@pytest.mark.rule("6.4", "6.7", "6.7.2", "6.7.2.1", "6.7.2.2", "6.7.2.3")
@both
def test_6_7_an_aircraft_crosses_the_map_in_either_phase(edition: Edition) -> None:
    for number, rule in ((1, "6.4"), (2, "6.7")):
        table = a_table(edition=edition)
        played = fly(table, plot(), number)
        assert_rule(played.findings, rule, inputs={"side": "soviet", "phase": number}, result="a1")
        assert_rule(played.findings, "6.7.2", inputs={"aircraft": "a1", "hex": "C1"}, result="appears")
        assert_rule(played.findings, "6.7.2.1", inputs={"first_turn": 1})
        assert_rule(played.findings, "6.7.2.2", inputs={"speed": "slow"}, result="low")
        assert_rule(played.findings, "6.7.2.3", inputs={"aircraft": "a1"}, result="south")
        aircraft = table.state.aircraft["a1"]
        assert (aircraft.flight, aircraft.exit_edge, aircraft.last_turn) == (None, "south", 1)
        assert table.state.next is not None and table.state.next.name == "air_phase"


@pytest.mark.rule("6.7.2.1")
@both
def test_6_7_2_1_once_a_turn_for_five_turns_and_back_by_the_edge_it_left(edition: Edition) -> None:
    table = a_table(edition=edition)
    fly(table, plot())
    assert_rule(refused(table, plot()), "6.7.2.1")
    table.state.turn = 2
    assert_rule(refused(table, plot()), "6.7.2.1")  # it left by the south
    assert legal(table, plot(hex="C20", facing=1))
    table.state.turn = 3
    assert legal(table, plot())  # a turn skipped: any edge
    table.state.turn = 6
    assert_rule(refused(table, plot()), "6.7.2.1")
    row = AircraftRow("a1", "a1", "soviet", "il2", "seasoned", earliest=3)
    late = a_table(edition=edition, scenario={"aircraft": (row,)})
    assert_rule(refused(late, plot()), "6.7.2.1")


@pytest.mark.rule("6.7", "6.7.2")
def test_6_7_2_it_comes_in_at_the_edge_and_over_the_map() -> None:
    table = a_table()
    for wrong in ({"hex": "C5"}, {"facing": 1}, {"hex": "Z99"}, {"facing": 9}):
        assert_rule(refused(table, plot(**wrong)), "6.7.2")
    assert_rule(refused(table, {"aircraft": "a1"}), "6.7.2")
    assert_rule(refused(table, plot(aircraft="a9")), "6.7")


@pytest.mark.rule("6.7.2.2")
def test_6_7_2_2_some_aircraft_are_slow_only() -> None:
    table = a_table(aircraft=an_aircraft("ju87b"))
    assert_rule(refused(table, plot(speed="fast")), "6.7.2.2")
    assert legal(table, plot(speed="slow"))


@pytest.mark.rule("6.7.2.3.1")
@both
def test_6_7_2_3_1_a_slow_aircraft_turns_once_and_a_fast_one_never(edition: Edition) -> None:
    table = a_table(edition=edition)
    assert_rule(refused(table, plot(speed="fast", turn=1, turn_after=3)), "6.7.2.3.1")
    played = fly(table, plot(turn=-1, turn_after=3))
    assert_rule(played.findings, "6.7.2.3.1", inputs={"hex": "C4"}, result=3)
    assert table.state.aircraft["a1"].exit_edge == "east"


@pytest.mark.rule("6.7.2.3.2", "6.7.3.3", "6.7.3.5/low")
@both
def test_6_7_2_3_2_a_dive_bomber_comes_in_high_and_leaves_low(edition: Edition) -> None:
    table = a_table(dice=[1], edition=edition, aircraft=an_aircraft("ju87b"))
    dive = plot(("g1", "dive"), altitude="high")
    assert_rule(refused(table, plot(("g1", "dive"))), "6.7.2.3.2")
    assert_rule(refused(a_table(edition=edition), dive), "6.7.2.3.2")
    played = fly(table, legal(table, dive))
    assert_rule(played.findings, "6.7.2.3.2", result="low")
    assert_rule(played.findings, "6.7.3.3", inputs={"hexes": ["C12"]})
    assert_rule(played.findings, "6.7.3.5/low", result=20)


# --- 6.7.3.1 acquiring -----------------------------------------------------------------------------


@pytest.mark.rule("6.7.3.1", "6.7.3.1.1")
@both
def test_6_7_3_1_1_low_and_fast_takes_ten_hexes(edition: Edition) -> None:
    """L3911"""
    table = a_table(a_tank("g1", "C18"), dice=[1], edition=edition)
    flight = over(table, "C1", speed="fast")
    assert hexes_to_acquire(table.data, table.state.aircraft["a1"], flight) == 10
    table.state.aircraft["a1"].flight = None
    played = fly(table, plot(("g1", "strafing"), speed="fast"))
    assert_rule(played.findings, "6.7.3.1.1", inputs={"flown": 10, "needed": 10}, result="acquired")
    assert_rule(played.findings, "6.7.3.1", inputs={"target": "g1"}, result=True)


@pytest.mark.rule("6.7.3.1.1/edge", editions=("2024",))
def test_6_7_3_1_1_near_the_edge_the_way_up_to_it_counts() -> None:
    table = a_table(a_tank("g1", "C4"), a_tank("g2", "C8"), dice=[1])
    played = fly(table, plot(("g1", "strafing"), ("g2", "strafing")))
    assert_rule(played.findings, "6.7.3.1.1/edge", inputs={"hex": "C1", "range": 3}, result="on the way")
    struck = [finding.inputs["target"] for finding in played.findings if finding.rule == "6.7.3"]
    assert struck == ["g1"]  # too little distance is left for the second


@pytest.mark.rule("6.7.3.1.1/suppressed", editions=("2024",))
def test_6_7_3_1_1_a_suppressed_aircraft_needs_twice_as_far() -> None:
    table = a_table(a_tank("g1", "C14"), dice=[1], aircraft=an_aircraft(suppression=Marker.OFF))
    played = fly(table, plot(("g1", "strafing")))
    assert_rule(played.findings, "6.7.3.1.1/suppressed", result=10)
    flight = over(table, "C5", suppressed_at=3)
    assert hexes_to_acquire(table.data, table.state.aircraft["a1"], flight) == 10


@pytest.mark.rule("6.7.3.1.1/suppressed-midway", editions=("2016",))
def test_6_7_3_1_1_in_2016_what_is_left_is_doubled() -> None:
    table = a_table(a_tank("g1", "C18"), edition="2016", aircraft=an_aircraft(suppression=Marker.ON))
    flight = over(table, "C5", suppressed_at=3)
    assert hexes_to_acquire(table.data, table.state.aircraft["a1"], flight) == 3 + 2 * (5 - 3)
    flight.target, flight.count = "g1", 6
    from pbem.titles.panzer.air.air import count_acquiring

    flight.hex = parse_hex("C6")
    count_acquiring(table, table.state.aircraft["a1"], flight, True)
    assert_rule(table.findings, "6.7.3.1.1/suppressed-midway", inputs={"suppressed_at": 3}, result=7)


@pytest.mark.rule("6.7.3.1.2", "6.7.3")
@both
def test_6_7_3_1_2_a_target_among_trees_needs_an_fo(edition: Edition) -> None:
    trees = "m" if edition == "2024" else "W"
    board = a_board(signs={"C12": trees})
    data = advanced_data(edition=edition)
    observer = a_leg("s5", "C9", section(data, "soviet"), labels=("fo",), command=Command.OVERWATCH)
    blind = a_table(edition=edition, board=board)
    played = fly(blind, plot(("g1", "strafing")))
    assert "6.7.3" not in [finding.rule for finding in every(played.findings)]
    table = a_table(a_tank("g1", "C12"), observer, dice=[1, 1], edition=edition, board=board)
    played = fly(table, plot(("g1", "strafing")))
    assert_rule(played.findings, "6.7.3.1.2", inputs={"observer": "s5"}, result="g1")
    assert_rule(played.findings, "6.7.3", inputs={"target": "g1", "weapon": "strafing"})
    assert (observer.used_up, observer.air_target, observer.revealed) == (1, "g1", True)


@pytest.mark.rule("6.7.3.1.1/hidden-terrain", editions=("2024",))
def test_6_7_3_1_1_without_an_fo_it_is_not_acquired() -> None:
    played = fly(a_table(board=a_board(signs={"C12": "l"})), plot(("g1", "strafing")))
    assert_rule(played.findings, "6.7.3.1.1/hidden-terrain", result="not-acquired")


@pytest.mark.rule("6.7.3.1.3")
@both
def test_6_7_3_1_3_a_grove_masks_two_hexes_from_a_low_aircraft(edition: Edition) -> None:
    """L3943: height 3 at low altitude masks the targets 1 and 2 hexes behind it; 2016:L3984 has woods."""
    board = a_board(signs={"C8": "m" if edition == "2024" else "W"})
    table = a_table(a_tank("g1", "C10"), edition=edition, board=board)

    def masked(ground: str, altitude: Any = "low") -> bool:
        return masked_by(table.data, table.state, parse_hex("C2"), altitude, parse_hex(ground)) is not None

    assert [masked(hex) for hex in ("C7", "C9", "C10", "C11")] == [False, True, True, False]
    assert not masked("C9", "medium")
    assert_rule(sight_finding(table.data, table.state, over(table, "C2"), table.state.vehicles["g1"]), "6.7.3.1.3",
                result="C8")  # fmt: skip
    assert masked_by(table.data, table.state, parse_hex("C9"), "low", parse_hex("C10")) is None  # adjacent
    target = table.state.vehicles["g1"]
    flights = [over(table, hex) for hex in ("C9", "C10", "C11")]  # above it and beyond it is out of the field
    seen = [in_field_and_sight(table.data, table.state, flight, target) for flight in flights]
    assert seen == [True, False, False]


# --- 6.7.3 attacks ---------------------------------------------------------------------------------


@pytest.mark.rule("6.7.1", "6.7.3", "6.7.3.2", "6.7.3.5", "6.7.3.5/low")
@both
def test_6_7_3_2_strafing_hits_two_hexes_friend_and_foe(edition: Edition) -> None:
    units = [a_tank("g1", "C12"), a_tank("g2", "C13"), a_tank("s1", "C13", "t34_76"), a_tank("g3", "C14")]
    table = a_table(*units, dice=[1, 1, 1], edition=edition)
    played = fly(table, plot(("g1", "strafing")))
    assert_rule(played.findings, "6.7.3.2", inputs={"hexes": ["C12", "C13"]})
    assert_rule(played.findings, "6.7.3", inputs={"aircraft": "a1", "target": "g1"})
    assert_rule(played.findings, "6.7.3.5", result=20)
    assert_rule(played.findings, "6.7.3.5/low", result=20)
    assert [unit.id for unit in units if unit.under_fire] == ["g1", "g2", "s1"]
    assert_rule(refused(a_table(edition=edition), plot(("g1", "rockets"))), "6.7.1")
    assert_rule(refused(a_table(edition=edition), plot(("g1", "strafing"), altitude="medium")), "6.7.3.2")


@pytest.mark.rule("6.7.3.3", "6.7.3.5/medium", "6.7.3.5/fast")
@both
def test_6_7_3_3_bombs_by_altitude(edition: Edition) -> None:
    table = a_table(a_tank("g1", "C16"), dice=[1], edition=edition)
    played = fly(table, plot(("g1", "bombs"), altitude="medium", speed="fast"))
    assert_rule(played.findings, "6.7.3.3", inputs={"hexes": ["C16", "C17"]})
    assert_rule(played.findings, "6.7.3.5/medium", result=10)
    assert_rule(played.findings, "6.7.3.5/fast", result=-20)
    flight = over(table, "C15", altitude="high")
    hexes = pattern_hexes(table.data, flight, Attack("g1", "bombs"), parse_hex("C16"))
    assert sorted(map(hex_name, hexes)) == ["B17", "C16", "C17", "D17"]
    assert_rule(refused(a_table(edition=edition), plot(("g1", "bombs"))), "6.7.3.3")


@pytest.mark.rule("6.7.3.4")
@both
def test_6_7_3_4_rockets_fly_two_to_ten_hexes_along_the_row(edition: Edition) -> None:
    table = a_table(a_tank("g1", "C16"), dice=[1], edition=edition, aircraft=an_aircraft(load="rockets"))
    played = fly(table, plot(("g1", "rockets")))
    assert_rule(played.findings, "6.7.3.4", inputs={"hexes": ["C16"]})
    assert table.state.aircraft["a1"].load_seen
    flight = over(table, "C10")
    made = gp_attack(table.data, table.state, table.state.aircraft["a1"], flight, Attack("g1", "rockets"))
    assert (made.column, made.factor, made.graded) == ("M", 5, True)


def test_6_7_3_5_the_grade_counts_for_strafing_in_the_extreme_column() -> None:
    table = a_table(a_tank("g1", "C12"), dice=[1], aircraft=an_aircraft(grade="elite"))
    played = fly(table, plot(("g1", "strafing")))
    grade = table.data.advanced.grades["elite"].gp.at("E")
    [roll] = [finding for finding in every(played.findings) if finding.rule == "6.5.4.4"]
    assert roll.inputs["net"] == 20 - 20 + grade  # low, armoured, Elite


@pytest.mark.rule("5.4", "5.16.2.6")
@both
def test_5_16_2_6_attacks_are_counted(edition: Edition) -> None:
    table = a_table(edition=edition, aircraft=an_aircraft(spent={"bombs": 2}))
    assert_rule(refused(table, plot(("g1", "bombs"), altitude="medium")), "5.16.2.6")
    table = a_table(dice=[1], edition=edition)
    played = fly(table, plot(("g1", "strafing")))
    assert_rule(played.findings, "5.4", inputs={"aircraft": "a1"}, result=["strafing", "bombs", "rockets"])
    assert_rule(played.findings, "5.16.2.6", result=3)
    assert table.state.aircraft["a1"].spent == {"strafing": 1}


@pytest.mark.rule("6.7.3")
def test_6_7_3_the_owner_may_hold_back_an_attack() -> None:
    table = a_table()
    played = fly(table, plot(("g1", "strafing")), **{"air-attack": False})
    assert "6.7.3" not in [finding.rule for finding in every(played.findings)]
    with pytest.raises(Unreadable) as caught:
        check_air_attack(table.data, table.state, Ask("soviet", "air-attack", "6.7.3"), "perhaps")
    assert_rule(caught.value, "6.7.3")


@pytest.mark.rule("6.7.3")
def test_6_7_3_only_enemies_on_the_map_are_targets() -> None:
    assert_rule(refused(a_table(), plot(("s9", "strafing"))), "6.7.3")


# --- 6.7.4 fire at aircraft ------------------------------------------------------------------------


def flak(hex: str = "C8", **more: Any) -> Unit:
    return a_gun("g2", hex, "flak36", **{"facing": 1, "command": Command.OVERWATCH, **more})


def shots(*pairs: tuple[str, int]) -> Any:
    """Fire at the first chance, then hold."""
    left = [[list(pair) for pair in pairs]]
    return lambda ask: left.pop() if left else None


@pytest.mark.rule("6.7.4", "6.7.4.1", "6.7.4.1.1", "6.7.4.1.2", "6.7.4.1.2/towed", "6.7.4.2", "6.7.4.2/low")
@pytest.mark.rule("6.7.4.2.1/no-effect")
@both
def test_6_7_4_2_the_88_has_20_of_its_own(edition: Edition) -> None:
    """L4045"""
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
    """L4011"""
    table = a_table(flak(), edition=edition)
    flight = over(table, "C4", altitude="medium", speed="fast", tracked={"g2": 5})
    gun = table.state.vehicles["g2"]
    assert anti_aircraft.hexes_to_track(table.data, table.state, flight, gun) == 6
    aircraft = table.state.aircraft["a1"]
    assert_rule(anti_aircraft.public_objections(table.data, table.state, aircraft, gun, 0), "6.7.4.1.1")
    flight.tracked["g2"] = 6
    assert not list(anti_aircraft.public_objections(table.data, table.state, aircraft, gun, 0))
    gun.suppression = Marker.ON
    assert anti_aircraft.hexes_to_track(table.data, table.state, flight, gun) == 12


@pytest.mark.rule("6.7.4.1.1/suppressed-midway", editions=("2016",))
def test_6_7_4_1_1_in_2016_what_is_left_of_the_tracking_is_doubled() -> None:
    table = a_table(flak(suppression=Marker.ON), dice=[1], edition="2016")
    flight = over(table, "C4", tracked={"g2": 5}, trackers_suppressed_at={"g2": 3})
    gun = table.state.vehicles["g2"]
    assert anti_aircraft.hexes_to_track(table.data, table.state, flight, gun) == 3 + 2 * (4 - 3)
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
    assert_rule(anti_aircraft.objections(table.data, table.state, aircraft, gun, 0), "6.7.4.1.1/one-fire")
    inside = a_table(flak(inside="building"), board=a_board(signs={"C8": "B"}))
    over(inside, "C4", tracked={"g2": 9})
    aircraft, gun = inside.state.aircraft["a1"], inside.state.vehicles["g2"]
    assert_rule(anti_aircraft.objections(inside.data, inside.state, aircraft, gun, 0), "6.7.4.1.1/inside")


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
    assert_rule(anti_aircraft.objections(table.data, table.state, aircraft, gun, 0), "6.7.4.1.2/high-altitude")
    over(table, "C12", tracked={"g2": 99})
    assert_rule(anti_aircraft.objections(table.data, table.state, aircraft, gun, 0), "6.7.4.1.2/towed")


def mounted(edition: Edition) -> tuple[Unit, int]:
    """A vehicle that fires at aircraft, and the number of the weapon."""
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
    strafing = gp_attack(table.data, table.state, aircraft, over(table, "C8"), Attack("g2", "strafing"))
    gun = table.state.vehicles["g2"]
    assert gun.hex is not None
    found = gp_modifiers(Case(table.data, table.state, strafing, gun.hex, gun))
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
            check_anti_aircraft(table.data, table.state, ask, answer)
        return caught.value

    assert check_anti_aircraft(table.data, table.state, ask, [["g2", 0]]) == [["g2", 0]]
    assert check_anti_aircraft(table.data, table.state, ask, None) is None
    assert_rule(wrong([["g1", 0]]), "6.7.4")
    assert_rule(wrong([["g2", 0], ["g2", 0]]), "6.7.4.1.1/one-fire")
    assert_rule(wrong("all"), "6.7.4")
    for option in anti_aircraft_options(table.data, table.state, ask):
        assert check_anti_aircraft(table.data, table.state, ask, option) == option
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
    options = list(flight_options(table.data, table.state, ask))
    assert len(options) > 10
    for option in options:
        again = check_flight(table.data, table.state, ask, option)
        assert again == option


# --- what a flight can still do --------------------------------------------------------------------


@pytest.mark.rule("6.7.2.3.2", "6.7.3.2", "6.7.3", "6.7.3.3")
@both
def test_6_7_2_3_2_after_its_one_dive_an_aircraft_attacks_low(edition: Edition) -> None:
    """L3889, L3919: it may then strafe, but neither dive again nor drop bombs from its former altitude."""
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
    """L3917: one target at a time; an aircraft cannot return to a target it has passed."""
    units = (a_tank("g1", "E7"), a_tank("g2", "C17"))
    played = fly(a_table(*units, dice=[1]), plot(("g1", "strafing"), ("g2", "strafing")))
    assert_rule(played.findings, "6.7.3.1.1", inputs={"target": "g2"}, result="acquired")
    assert_rule(played.findings, "6.7.3", inputs={"target": "g2"})


@both
def test_6_7_3_4_rockets_need_their_target_in_sight_when_they_are_fired(edition: Edition) -> None:
    """L3937: acquired at the edge, then masked by a grove until the aircraft is next to it."""
    grove = {"2024": "medium_grove", "2016": "woods"}[edition]
    board = a_board(signs={"C9": "g"}, legend={"g": [grove]})
    table = a_table(a_tank("g1", "C10"), edition=edition, aircraft=an_aircraft(load="rockets"), board=board)
    planned = Attack("g1", "rockets")
    assert not in_position(table.data, table.state, over(table, "C5"), planned)
    assert in_position(a_table(a_tank("g1", "C10")).data, table.state, over(table, "C5"), planned)


@pytest.mark.parametrize(("doubled", "hexes"), [(True, 17), (False, 20)])
@both
def test_6_7_3_1_1_a_scenario_chooses_what_suppression_doubles(edition: Edition, doubled: bool, hexes: int) -> None:
    """Row 35 of the comparison of the books."""
    table = a_table(edition=edition, aircraft=an_aircraft(suppression=Marker.ON))
    switch = {"aircraft_double_remainder": doubled}
    data = replace(table.data, charts=with_switches(table.data.charts, switch))
    flight = over(table, "C5", speed="fast", suppressed_at=3, trackers_suppressed_at={"g1": 3})
    assert hexes_to_acquire(data, table.state.aircraft["a1"], flight) == hexes
    gun = a_gun("g1", "C12", "flak36", suppression=Marker.ON)
    assert anti_aircraft.hexes_to_track(data, table.state, flight, gun) == (13 if doubled else 16)


def test_6_7_nobody_flies_where_sight_is_poor() -> None:
    """L3829: daylight and clear weather only."""
    rules = (*ADVANCED_RULES, "weather")
    for spotting, asked in ((-1, 0), (0, 1)):
        table = a_table(scenario={"rules": rules, "conditions": Conditions(spotting=spotting)})
        assert len(fly(table, None).asks) == asked
