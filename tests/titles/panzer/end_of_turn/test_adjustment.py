"""4.6 The Adjustment Phase."""

from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.builders import a_table, a_vehicle, brewed_up, run_step

from pbem.engine.geometry.hexes import parse_hex
from pbem.engine.rules.state import NextStep
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.end_of_turn.adjustment import adjustment_phase
from pbem.titles.panzer.setup.scenario_file import Objective
from pbem.titles.panzer.state import Command, Spot, Status
from pbem.titles.panzer.state import Objective as Control

both_editions = pytest.mark.parametrize("edition", EDITIONS)


def adjusted(*vehicles: Any, edition: Any = "2024", **more: Any) -> tuple[Any, Any]:
    """Return a table after its Adjustment Phase, and the step as played."""
    table = a_table(*vehicles, edition=edition, sides=("german", "soviet"), **more)
    return table, run_step(table, adjustment_phase(table))


@both_editions
@pytest.mark.rule("4.6", "4.6.1")
def test_4_6_1_all_hidden_counters_are_revealed(edition):
    """L1262-1268: unused Overwatch and No Command are shown and have no effect; no player has to decide anything."""
    watcher = a_vehicle("g1", "C9", command=Command.OVERWATCH)
    idle = a_vehicle("s1", "J9", command=Command.NO_COMMAND)

    _, played = adjusted(watcher, idle, edition=edition)

    assert_rule(played.findings, "4.6", inputs={"turn": 1})
    assert_rule(played.findings, "4.6.1", inputs={"unit": "g1"}, result="overwatch")
    assert_rule(played.findings, "4.6.1", inputs={"unit": "s1"}, result="no-command")
    assert not played.asks
    assert (watcher.spot, idle.spot) == (Spot.NONE, Spot.NONE)


def test_4_6_1_the_counter_of_a_reinforcement_that_did_not_enter_is_revealed_too():
    """L1262: all hidden counters are shown; an unused Move of a unit off the map leaves no marker (R-02)."""
    waiting = a_vehicle("g1", None, command=Command.MOVE, entry_turn=1)
    delayed = a_vehicle("g2", None, command=Command.NO_COMMAND, entry_turn=1)
    later = a_vehicle("g3", None, entry_turn=3)

    _, played = adjusted(waiting, delayed, later)

    (revealed,) = [finding for finding in played.findings if finding.rule == "4.6.1"]
    assert [(found.inputs["unit"], found.result) for found in revealed.children] == [
        ("g1", "move"),
        ("g2", "no-command"),
    ]
    assert waiting.spot is Spot.NONE


def test_4_6_1_the_command_of_an_eliminated_vehicle_stays_secret():
    """R-10: the command of an eliminated vehicle is not shown; a counter already face up is not reported again."""
    gone = a_vehicle("g1", "C9", status=Status.ELIMINATED, command=Command.OVERWATCH)
    shown = a_vehicle("g2", "C8", command=Command.MOVE, revealed=True, moved=True, pending=Spot.MOVE)

    _, played = adjusted(gone, shown)

    (revealed,) = [finding for finding in played.findings if finding.rule == "4.6.1"]
    assert revealed.children == ()


@pytest.mark.rule("4.6.1/unused", editions=("2024",))
@pytest.mark.parametrize(
    ("command", "marker"), [(Command.FIRE, "fire"), (Command.SHORT_HALT, "fire"), (Command.MOVE, "move")]
)
def test_4_6_1_unused_commands_leave_a_marker(command, marker):
    """L1266, A-38: Fire and Short Halt that were not carried out get Spot/Fire, and a Move gets Spot/Move."""
    vehicle = a_vehicle("g1", "C9", command=command, revealed=True)

    _, played = adjusted(vehicle)

    assert_rule(played.findings, "4.6.1/unused", inputs={"unit": "g1", "command": command.value}, result=marker)
    assert vehicle.spot.value == marker


@pytest.mark.rule("4.6.1/unused", effect=True)
@pytest.mark.rule("4.6.1", editions=("2016",))
def test_4_6_1_an_unused_fire_in_2016():
    """2016:L1428: a Fire command that was not carried out still leaves a Fire marker."""
    _, played = adjusted(a_vehicle("g1", "C9", command=Command.FIRE, revealed=True), edition="2016")

    assert_rule(played.findings, "4.6.1", inputs={"unit": "g1", "command": "fire"}, result="fire")


@pytest.mark.rule("4.6.1/unused", effect=True)
def test_4_6_1_commands_that_were_carried_out_are_not_unused():
    """A Short Halt that found no target has been used to move, and keeps Spot/Move."""
    fired = a_vehicle("g1", "C9", command=Command.FIRE, revealed=True, fired=True, pending=Spot.FIRE)
    halted = a_vehicle("g2", "C8", command=Command.SHORT_HALT, revealed=True, moved=True, pending=Spot.MOVE)

    adjusted(fired, halted)

    assert (fired.spot, halted.spot) == (Spot.FIRE, Spot.MOVE)


@pytest.mark.rule("4.6", effect=True)
def test_4_6_1_counters_are_taken_in_and_new_markers_become_old_ones():
    """L1268, A-04: only markers, damage and wrecks remain from the turn."""
    vehicle = a_vehicle(
        "g1",
        "C9",
        command=Command.SHORT_HALT,
        revealed=True,
        shown=True,
        fired=True,
        moved=True,
        damaged=True,
        spot=Spot.FIRE,
        pending=Spot.MOVE,
    )
    quiet = a_vehicle("g2", "C8", command=Command.NO_COMMAND, spot=Spot.FIRE)
    reserve = a_vehicle("g3", None, command=Command.MOVE, entry_turn=1)

    table, _ = adjusted(vehicle, quiet, reserve, wrecks={"A1": brewed_up(fresh=True)})

    assert (vehicle.command, vehicle.revealed, vehicle.shown, vehicle.fired, vehicle.moved) == (None, *[False] * 4)
    assert (vehicle.spot, vehicle.pending, vehicle.damaged) == (Spot.MOVE, Spot.NONE, True)
    assert quiet.spot is Spot.FIRE
    assert (reserve.command, reserve.spot, reserve.status) == (None, Spot.NONE, Status.RESERVE)
    assert not table.state.wrecks["A1"].fresh


@pytest.mark.rule("4.6", effect=True)
@both_editions
@pytest.mark.rule("4.6.2")
def test_4_6_2_the_next_turn_begins_with_the_spotting_phase(edition):
    """L1270-1272: the turn number goes up, and there is no First Player until the next initiative roll."""
    table, played = adjusted(a_vehicle("g1", "C9"), edition=edition)

    assert_rule(played.findings, "4.6.2", inputs={"turn": 2}, result="next-turn")
    assert (table.state.turn, table.state.first) == (2, "")
    assert table.state.next == NextStep("spotting_phase")
    assert table.state.outcome is None


@pytest.mark.rule("4.6", effect=True)
@both_editions
@pytest.mark.rule("4.6.2", "3.6")
def test_4_6_2_after_the_last_turn_the_match_is_decided(edition):
    """L1270: control of objectives is updated first, and then the victory conditions are evaluated."""
    hill = Objective("hill", "The hill", (parse_hex("C9"),), {"german": 5, "soviet": 5}, "complete_turn", "")
    held = {"hill": Control(held_at_start="german")}

    table, played = adjusted(
        a_vehicle("g1", "C9"), edition=edition, turn=3, objectives=held, scenario={"objectives": (hill,)}
    )

    assert_rule(played.findings, "3.6", inputs={"objective": "hill"}, result="german")
    assert_rule(played.findings, "4.6.2", inputs={"turn": 3}, result="german")
    assert (table.state.outcome.rule, table.state.outcome.winner) == ("4.6.2", "german")
    assert table.state.next is None


def test_4_6_2_who_holds_what_is_noted_for_the_turn_to_come():
    """R-03: the units in an objective hex at the end of a turn are there at the start of the next."""
    hill = Objective("hill", "The hill", (parse_hex("C9"),), {"german": 5, "soviet": 5}, "complete_turn", "")

    table, _ = adjusted(
        a_vehicle("s1", "C9"), objectives={"hill": Control(held_at_start="german")}, scenario={"objectives": (hill,)}
    )

    assert table.state.objectives["hill"] == Control(controller="", held_at_start="soviet")
