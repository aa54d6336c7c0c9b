"""6.4, 6.7.2, 6.7.3 Air phases: flights, target acquisition and attacks."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_leg, a_tank, advanced_data
from titles.panzer.air.flights import a_table, an_aircraft, both, fly, legal, over, plot, refused
from titles.panzer.artillery.test_observers import section
from titles.panzer.builders import a_board

from pbem.engine.geometry.hexes import hex_name, parse_hex
from pbem.engine.play.resolve import FAILED
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import happenings_in
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Unreadable
from pbem.titles.panzer.air.air import check_air_attack
from pbem.titles.panzer.air.air_attacks import Attack, gp_attack, hexes_to_acquire, pattern_hexes
from pbem.titles.panzer.air.air_sight import in_field_and_sight, masked_by, sight_finding
from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.setup.scenario import AircraftRow
from pbem.titles.panzer.state import Command, Marker, Status


def missed(played: Any) -> list[tuple[str, str, str]]:
    """The attacks that failed, with their reasons."""
    shown = happenings_in(played.findings)
    return [(one.who, one.order, str(one.why)) for one in shown if isinstance(one, Fail)]


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
    assert legal(table, plot())  # after a skipped turn, any edge
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
    """L3911: a fast aircraft at low altitude needs ten hexes to acquire a target."""
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
    assert missed(played) == [("a1", "strafe g1", "g1 is hidden, and no forward observer spots it for the aircraft")]


def test_6_7_3_an_attack_that_is_not_made_has_a_reason_for_its_owner_alone() -> None:
    """One target is lost beforehand, one is soon behind the aircraft, and the flight never leads over the third."""
    lost = a_tank("g2", "C14")
    table = a_table(lost, a_tank("g3", "F6"), a_tank("g4", "E18"))
    lost.status = Status.ELIMINATED
    played = fly(table, plot(("g2", "strafing"), ("g3", "bombs"), ("g4", "strafing")))
    assert missed(played) == [
        ("a1", "strafe g2", "g2 was no longer on the map"),
        ("a1", "bomb g3", "the aircraft did not acquire g3 in time"),
        ("a1", "strafe g4", "the aircraft did not come into position to attack g4"),
    ]
    for rule in ("6.7.3", "6.7.3.1.1", "6.7.2.3"):
        assert_rule(played.findings, FAILED, inputs={"unit": "a1", "rule": rule})
    assert {finding.to for finding in every(played.findings) if finding.rule == FAILED} == {("soviet",)}


@pytest.mark.rule("6.7.3.1.3")
@both
def test_6_7_3_1_3_a_grove_masks_two_hexes_from_a_low_aircraft(edition: Edition) -> None:
    """L3943: at low altitude a grove of height 3 masks targets 1 and 2 hexes behind it; 2016:L3984 has woods."""
    board = a_board(signs={"C8": "m" if edition == "2024" else "W"})
    table = a_table(a_tank("g1", "C10"), edition=edition, board=board)

    def masked(ground: str, altitude: Any = "low") -> bool:
        return masked_by(table, parse_hex("C2"), altitude, parse_hex(ground)) is not None

    assert [masked(hex) for hex in ("C7", "C9", "C10", "C11")] == [False, True, True, False]
    assert not masked("C9", "medium")
    assert_rule(sight_finding(table, over(table, "C2"), table.state.vehicles["g1"]), "6.7.3.1.3",
                result="C8")  # fmt: skip
    assert masked_by(table, parse_hex("C9"), "low", parse_hex("C10")) is None  # adjacent
    target = table.state.vehicles["g1"]
    flights = [over(table, hex) for hex in ("C9", "C10", "C11")]  # above it and beyond it is out of the field
    seen = [in_field_and_sight(table, flight, target) for flight in flights]
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
    made = gp_attack(table, table.state.aircraft["a1"], flight, Attack("g1", "rockets"))
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
        check_air_attack(table, Ask("soviet", "air-attack", "6.7.3"), "perhaps")
    assert_rule(caught.value, "6.7.3")


@pytest.mark.rule("6.7.3")
def test_6_7_3_only_enemies_on_the_map_are_targets() -> None:
    assert_rule(refused(a_table(), plot(("s9", "strafing"))), "6.7.3")
