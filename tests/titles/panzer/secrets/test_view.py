"""4.2.1 Each side's view."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from titles.panzer.builders import a_state, a_vehicle
from titles.panzer.playing import play

from pbem.engine.rules.findings import MASTER, PUBLIC, seen_by
from pbem.engine.rules.state import copy
from pbem.titles.panzer.bots.bot import reckless_bot
from pbem.titles.panzer.state import Command, PanzerState, Status
from pbem.titles.panzer.view import view_of

COMMANDS = st.sampled_from(Command)


def with_command(command: Command, **more: object) -> PanzerState:
    return a_state(a_vehicle("g1", "C3", command=command, **more), a_vehicle("s1", "H5", command=Command.FIRE))


@given(one=COMMANDS, other=COMMANDS)
def test_4_2_1_face_down_counters_of_the_enemy_cannot_be_told_apart(one: Command, other: Command) -> None:
    """R-08: the view does not depend on the hidden command, not even on whether it is No Command."""
    assert view_of(with_command(one), "soviet") == view_of(with_command(other), "soviet")
    assert view_of(with_command(one), PUBLIC) == view_of(with_command(other), PUBLIC)


@given(command=COMMANDS)
def test_4_2_1_a_side_knows_its_own_counters_and_the_master_knows_all(command: Command) -> None:
    for viewer in ("german", MASTER):
        assert view_of(with_command(command), viewer).vehicles["g1"].command is command


@given(command=COMMANDS)
def test_4_2_1_a_revealed_counter_is_known_to_everybody(command: Command) -> None:
    for viewer in ("soviet", PUBLIC):
        seen = view_of(with_command(command, revealed=True), viewer).vehicles["g1"]
        assert seen.command is command
        assert not seen.face_down


@pytest.mark.parametrize("command", [Command.MOVE, Command.SHORT_HALT])
def test_4_4_3_2_2_a_counter_shown_has_been_seen_and_lies_face_down_again(command: Command) -> None:
    seen = view_of(with_command(command, shown=True), "soviet").vehicles["g1"]
    assert seen.command is command
    assert seen.face_down


@pytest.mark.parametrize("status", [Status.ELIMINATED, Status.EXITED])
def test_r_10_the_order_of_a_vehicle_that_is_gone_is_nobodys_business(status: Status) -> None:
    state = with_command(Command.OVERWATCH, status=status, shown=True)
    assert view_of(state, "soviet").vehicles["g1"].command is None


def test_4_2_1_a_view_is_a_copy() -> None:
    state = with_command(Command.MOVE)
    view_of(state, "soviet").vehicles["g1"].facing = 6
    assert state.vehicles["g1"].facing == 1
    assert state.vehicles["g1"].command is Command.MOVE


def test_4_2_1_in_a_whole_match_no_side_sees_what_the_other_hides() -> None:
    """At the start of every step, the view stays the same if the other side's hidden commands are swapped."""
    match = play("duel", "2024", "secrets", reckless_bot)
    hidden = 0
    for state in match.states:
        for side in state.sides:
            other = copy(state)
            for vehicle in other.vehicles.values():
                if vehicle.side != side and vehicle.face_down and not vehicle.shown:
                    vehicle.command = Command.OVERWATCH
                    hidden += 1
            assert view_of(other, side) == view_of(state, side)
    assert hidden > 20


def test_4_2_1_no_finding_tells_a_hidden_command_before_it_is_revealed() -> None:
    """The findings visible to the other side name a unit's command only once it is revealed or shown."""
    match = play("duel", "2016", "findings", reckless_bot)
    for finding in seen_by(match.findings, "british"):
        if finding.rule == "4.2.1":
            assert finding.inputs["side"] == "british"
        if finding.rule == "pbem/answered":
            raise_unless_own(finding.inputs["subject"], finding.inputs["kind"])


def raise_unless_own(subject: str, kind: str) -> None:
    assert not (kind in ("show", "aspect", "reroute") and subject.startswith("g")), f"{kind} of {subject}"
