"""§11 A tick closes due exchanges only if the clock has been watched."""

from __future__ import annotations

import json
import subprocess
import sys

import msgspec
import pytest
from schedule.clocks import CADENCE, START, Clocks

from pbem.engine.text.messages import as_message
from pbem.matches import health, views
from pbem.matches.accounts import accounts
from pbem.matches.clock import tick, watch
from pbem.matches.clock.deadlines import HOUR, MINUTE, SECOND
from pbem.matches.exchange import submitting
from pbem.matches.history.replay import record_of


def test_a_deadline_that_falls_closes_the_exchange_and_the_next_gets_its_own(clocks: Clocks) -> None:
    assert clocks.deadline.at == START + CADENCE * HOUR
    clocks.near_deadline()
    assert clocks.exchange == 2, "not a moment too early"
    clocks.pass_time(45 * SECOND)
    assert clocks.exchange == 3
    closed = [e.payload["why"] for e in record_of(clocks.server, clocks.match).events if e.type == "exchange.closed"]
    assert closed == ["start", "deadline"]
    assert clocks.deadline.at - clocks.wall > (CADENCE - 1) * HOUR


def test_sealed_orders_count_at_the_deadline_although_not_final(clocks: Clocks) -> None:
    ann = accounts.by_address(clocks.server, "ann@example.org")
    assert ann is not None
    submitting.submit(clocks.server, clocks.match, "red", 2, "r1 go2", by=ann.id, final=False, source="web")
    clocks.near_deadline()
    clocks.pass_time(45 * SECOND)
    told = "\n".join(str(line.text) for line in views.report(clocks.server, clocks.match, "red", 2).told)
    assert "{'unit': 'r1'} []: go2" in told


def test_after_an_outage_nothing_closes_and_every_deadline_moves_by_it(clocks: Clocks) -> None:
    clocks.near_deadline()
    before = clocks.deadline
    clocks.wall += 10 * MINUTE
    clocks.steady += 10 * MINUTE
    clocks.supervisor.tick()
    assert clocks.exchange == 2, "the deadline fell while nobody watched"
    assert clocks.deadline.at == before.at + 10 * MINUTE
    assert "the server was down: postponed by 10 min" in str(clocks.deadline.why(as_message))
    outages = [event for event in clocks.server.store.read("server") if event.type == "server.outage"]
    assert [event.payload["until"] - event.payload["since"] for event in outages] == [10 * MINUTE]
    clocks.pass_time(90 * SECOND)
    assert clocks.exchange == 3, "then it falls as usual"


def test_a_clock_that_was_set_forward_closes_nothing_and_leaves_the_time_that_was_left(clocks: Clocks) -> None:
    """Nothing closes unless the wall clock and the monotonic clock agree within five seconds."""
    clocks.near_deadline()
    left = clocks.deadline.at - clocks.wall
    clocks.wall += 50 * SECOND
    clocks.steady += 15 * SECOND
    clocks.supervisor.tick()
    assert clocks.exchange == 2
    assert clocks.deadline.at - clocks.wall == left - 15 * SECOND


@pytest.mark.parametrize("jump", [HOUR, 24 * HOUR, 365 * 24 * HOUR])
def test_a_clock_that_leaps_ahead_and_is_put_right_leaves_no_deadline_ahead(clocks: Clocks, jump: int) -> None:
    """When the clock is corrected, so are the running deadlines and one that was announced while the clock was
    wrong."""
    clocks.pass_time(MINUTE)
    right = clocks.deadline.at
    clocks.wall += jump
    clocks.supervisor.tick()
    assert clocks.exchange == 2 and clocks.deadline.at == right + jump
    later = clocks.new_match()
    clocks.pass_time(MINUTE)
    clocks.wall -= jump
    clocks.supervisor.tick()
    clocks.pass_time(MINUTE)
    assert clocks.exchange == 2 and clocks.deadline.at == right
    assert clocks.deadline_of(later) - clocks.wall <= CADENCE * HOUR
    with clocks.server.store.transaction() as transaction:
        health.create_tables(transaction.database)
    assert "The clock was set" in "".join(health.health(clocks.server).troubles)


@pytest.mark.parametrize("jump", [HOUR, 24 * HOUR])
def test_a_clock_that_falls_back_brings_no_deadline_forward_and_is_made_up_for(clocks: Clocks, jump: int) -> None:
    """Deadlines announced by the right clock stay as they are; deadlines announced by the wrong clock get their full
    time."""
    clocks.near_deadline()
    before = clocks.deadline
    clocks.wall -= jump
    clocks.steady += 15 * SECOND
    clocks.supervisor.tick()
    assert clocks.deadline == before and clocks.exchange == 2
    later = clocks.new_match()
    clocks.pass_time(MINUTE)
    clocks.wall += jump
    clocks.supervisor.tick()
    assert clocks.exchange == 2, "the leap back to the right time closes nothing by itself"
    assert clocks.deadline == before
    assert clocks.deadline_of(later) - clocks.wall > (CADENCE - 1) * HOUR
    clocks.pass_time(2 * MINUTE)
    assert clocks.exchange == 3


def test_after_a_restart_of_the_machine_with_a_dead_clock_nothing_is_lost_or_years_away(clocks: Clocks) -> None:
    """After a restart with a dead clock, time starts in 1970 and is corrected a minute later, and no deadline is
    lost."""
    clocks.pass_time(MINUTE)
    before, right = clocks.deadline.at, clocks.wall
    clocks.boot, clocks.steady, clocks.wall = "second", 0, 1000
    clocks.supervisor = clocks.another()
    clocks.supervisor.tick()
    clocks.pass_time(MINUTE)
    clocks.wall = right + 11 * MINUTE
    clocks.supervisor.tick()
    clocks.pass_time(MINUTE)
    assert clocks.exchange == 2 and before <= clocks.deadline.at <= before + 15 * MINUTE


def test_while_the_clock_is_wrong_and_no_heartbeat_has_seen_it_nothing_closes(clocks: Clocks) -> None:
    """While the clock is wrong nothing closes, even without a heartbeat, because the closing loop checks the clocks
    itself."""
    clocks.near_deadline()
    clocks.wall += 24 * HOUR
    clocks.supervisor.close()
    assert clocks.exchange == 2


def test_a_machine_that_was_asleep_counts_as_an_outage(clocks: Clocks) -> None:
    """A machine's sleep counts as an outage, because its wall clock advances but its monotonic clock does not."""
    clocks.near_deadline()
    left = clocks.deadline.at - clocks.wall
    clocks.wall += 8 * HOUR
    clocks.steady += 3 * SECOND
    clocks.supervisor.tick()
    assert clocks.exchange == 2
    assert clocks.deadline.at - clocks.wall == left - 3 * SECOND
    clocks.finish()
    assert clocks.exchange == 3


@pytest.mark.parametrize("away", [10 * SECOND, 50 * SECOND, 10 * MINUTE, 3 * 24 * HOUR])
@pytest.mark.parametrize("reboot", [False, True])
def test_a_restart_across_the_deadline_is_given_back_however_short(clocks: Clocks, away: int, reboot: bool) -> None:
    clocks.near_deadline()
    clocks.pass_time(25 * SECOND)
    left = clocks.deadline.at - clocks.wall
    clocks.restart(away, reboot=reboot)
    assert clocks.exchange == 2
    assert clocks.deadline.at - clocks.wall == left
    clocks.finish()
    assert clocks.exchange == 3


def test_a_short_restart_that_spans_no_deadline_moves_nothing(clocks: Clocks) -> None:
    before = clocks.deadline
    clocks.restart(50 * SECOND)
    assert clocks.deadline == before and clocks.server.store.read("server") == []


def test_an_outage_is_one_event_and_each_match_follows_before_it_is_closed(clocks: Clocks) -> None:
    others = [clocks.new_match() for _ in range(5)]
    clocks.near_deadline()
    before = [clocks.deadline_of(match) for match in others]
    clocks.restart(10 * MINUTE, tick=False)
    clocks.supervisor.beat()
    assert [event.type for event in clocks.server.store.read("server")] == ["server.outage"]
    assert [clocks.deadline_of(match) for match in others] == before, "the heartbeat moves none"
    ann = accounts.by_address(clocks.server, "ann@example.org")
    assert ann is not None
    submitting.submit(clocks.server, others[0], "red", 2, "r1 go2", by=ann.id, final=False, source="web")
    assert clocks.deadline_of(others[0]) >= before[0] + 10 * MINUTE, "who acts first finds it moved"
    clocks.supervisor.tick()
    assert all(clocks.deadline_of(match) >= at + 10 * MINUTE for match, at in zip(others, before, strict=True))
    moved = [clocks.deadline_of(match) for match in others]
    clocks.pass_time(15 * SECOND)
    assert [clocks.deadline_of(match) for match in others] == moved, "once"


# Work --------------------------------------------------------------------------------------------------------


def test_ticks_that_take_longer_than_a_minute_are_no_outage_and_everything_closes(clocks: Clocks) -> None:
    """Ticks longer than a minute are no outage if the heartbeat continues, as during 40 ticks of 85 s each."""
    before = clocks.deadline
    clocks.pass_time(40 * 85 * SECOND, every=85 * SECOND)
    clocks.near_deadline(elapsed=40 * 85 * SECOND)
    clocks.pass_time(3 * MINUTE, every=85 * SECOND)
    assert clocks.exchange == 3
    assert clocks.server.store.read("server") == [] and before.at == START + CADENCE * HOUR


def test_many_matches_due_at_once_close_in_the_order_of_their_deadlines_in_bounded_rounds(
    clocks: Clocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = []
    for _ in range(30):
        clocks.wall += SECOND
        clocks.steady += SECOND
        matches.append(clocks.new_match())
    monkeypatch.setattr(tick, "MOST_CLOSED", 10)
    looked: list[int] = []
    due = tick.due
    monkeypatch.setattr(tick, "due", lambda *args: looked.append(len(found := due(*args))) or found)
    clocks.near_deadline()
    clocks.pass_time(2 * MINUTE)
    closed = [
        event.stream.removeprefix("match/")
        for event in clocks.server.store.read_all()
        if event.type == "exchange.closed" and event.payload["exchange"] == 2
    ]
    assert [match for match in closed if match != clocks.match] == matches
    resolved = [record_of(clocks.server, match).closing for match in matches]
    assert resolved == [None] * 30 and max(looked) <= 100


def test_a_deadline_that_everybody_waits_past_is_not_looked_at_in_every_round(clocks: Clocks) -> None:
    match = clocks.new_match(timing={"missed": "wait"})
    clocks.near_deadline()
    clocks.pass_time(2 * MINUTE)
    assert tick.due(clocks.server, clocks.wall) == []
    for seat, address in (("red", "ann@example.org"), ("blue", "bob@example.org")):
        account = accounts.by_address(clocks.server, address)
        assert account is not None
        submitting.submit(clocks.server, match, seat, 2, "", by=account.id, final=False, source="web")
    clocks.pass_time(30 * SECOND)
    assert record_of(clocks.server, match).open_exchange == 3, "when the last has sealed, it closes"


def test_a_mail_for_one_match_does_not_keep_the_others_open(clocks: Clocks) -> None:
    other = clocks.new_match()
    clocks.near_deadline()
    clocks.receive("red", "r1 go2")  # an email for the first match, which nobody reads
    clocks.pass_time(2 * MINUTE)
    assert clocks.exchange == 2 and record_of(clocks.server, other).open_exchange == 3


def test_a_mail_that_came_after_the_deadline_does_not_keep_its_match_open(clocks: Clocks) -> None:
    clocks.near_deadline()
    clocks.go_to(clocks.deadline.at + SECOND)
    clocks.receive("red", "r1 go2")
    clocks.pass_time(30 * SECOND)
    assert clocks.exchange == 3


def test_after_a_kill_the_next_process_takes_over_at_once(clocks: Clocks) -> None:
    """A process on this machine loses its lease when it dies; a process that is alive, or on another
    machine, keeps its lease."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    for owner, is_taken in (
        ({**OWNER, "pid": gone.pid}, True),
        ({**OWNER, "started": "1"}, True),
        (OWNER, False),
        ({**OWNER, "boot": "another machine", "pid": gone.pid}, False),
    ):
        clocks.server.database.execute(
            "UPDATE lease SET holder = 'x', until = ?, ticked_at = ?, owner = ?",
            (clocks.wall + MINUTE, clocks.wall, json.dumps(owner)),
        )
        assert clocks.another().beat() is is_taken, owner


OWNER = msgspec.to_builtins(watch.this_process())


# Checks after an upgrade -------------------------------------------------------------------------------------


def test_after_an_upgrade_the_site_opens_first_and_matches_are_checked_by_their_deadlines(
    clocks: Clocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an upgrade the site opens first, and each match is checked before one of its exchanges closes."""
    later = clocks.new_match(cadence=48)
    looked: list[str] = []
    look_again = tick.look_again
    monkeypatch.setattr(tick, "look_again", lambda server, match: (looked.append(match), look_again(server, match)))
    tick.recover(clocks.server)
    monkeypatch.setattr(tick, "fingerprint", lambda module: "another release")
    looked.clear()
    tick.recover(clocks.server, at_once=False)
    assert looked == [] and tick.unchecked_matches(clocks.server) == [clocks.match, later]

    clocks.near_deadline()
    looked.clear()
    clocks.server.database.execute("UPDATE desk SET unchecked = 1")
    monkeypatch.setattr(tick, "check_round", lambda server: 0)
    clocks.pass_time(2 * MINUTE)
    assert clocks.exchange == 2, "its past has not been replayed yet"
    monkeypatch.undo()
    clocks.pass_time(30 * SECOND)
    assert clocks.exchange == 3


def test_a_match_whose_title_is_gone_halts_and_goes_on_when_it_is_back(clocks: Clocks) -> None:
    tick.recover(clocks.server)
    title = clocks.server.titles.pop("ambush")
    clocks.server.forget()
    tick.recover(clocks.server)
    assert record_of(clocks.server, clocks.match).halted
    clocks.server.titles["ambush"] = title
    tick.recover(clocks.server)
    assert not record_of(clocks.server, clocks.match).halted


# Listeners -------------------------------------------------------------------------------------------------------


def test_nothing_closes_while_a_mailbox_cannot_be_read_and_that_time_is_given_back(clocks: Clocks) -> None:
    """If IMAP fails at the deadline, nothing closes, because email there may have arrived in time; players get that
    time back."""
    clocks.near_deadline()
    before, shut = clocks.deadline, clocks.wall + 15 * SECOND
    clocks.readable = False
    clocks.pass_time(5 * MINUTE)
    assert clocks.exchange == 2 and clocks.deadline == before
    clocks.mails, clocks.readable = True, True
    clocks.mailbox = [("red", "r1 go2", before.at - SECOND), ("blue", "b1 go5", before.at + MINUTE)]
    clocks.pass_time(15 * SECOND)
    assert clocks.exchange == 2 and clocks.deadline.at == before.at + clocks.wall - shut
    states = clocks.server.database.execute("SELECT state FROM inbound ORDER BY id").fetchall()
    assert states == [("applied",), ("applied",)], "also what came after the deadline while it was shut"
    clocks.pass_time(6 * MINUTE)
    assert clocks.exchange == 3


def test_a_mailbox_that_was_away_for_some_ticks_moves_nothing(clocks: Clocks) -> None:
    clocks.near_deadline()
    before = clocks.deadline
    clocks.readable = False
    clocks.pass_time(45 * SECOND)
    assert clocks.exchange == 2 and clocks.deadline == before
    clocks.readable = True
    clocks.pass_time(15 * SECOND)
    assert clocks.exchange == 3 and len(clocks.server.store.read("server")) == 0


def test_a_machine_that_slept_while_its_mailbox_was_away_gives_the_time_back_once(clocks: Clocks) -> None:
    clocks.near_deadline()
    before, shut = clocks.deadline, clocks.wall + 15 * SECOND
    clocks.readable = False
    clocks.pass_time(2 * MINUTE)
    clocks.wall += 3 * HOUR
    clocks.pass_time(2 * MINUTE)
    clocks.readable = True
    clocks.pass_time(15 * SECOND)
    assert clocks.deadline.at == before.at + clocks.wall - shut


def test_a_mail_that_its_door_took_a_second_before_the_deadline_counts_when_it_is_read_after_it(
    clocks: Clocks,
) -> None:
    """§10: An order counts from when its listener accepted it, so all mail is read before an exchange closes."""
    clocks.near_deadline()
    clocks.mails = True
    clocks.go_to(clocks.deadline.at - SECOND)
    clocks.receive("red", "r1 go2")
    clocks.go_to(clocks.deadline.at + SECOND)
    clocks.receive("blue", "b1 go5")
    clocks.supervisor.tick()
    assert clocks.exchange == 3
    counts = record_of(clocks.server, clocks.match).closings[2].event.payload["counts"]
    assert list(counts) == ["red"], "what came a second after it does not"
    states = clocks.server.database.execute("SELECT state FROM inbound ORDER BY id").fetchall()
    assert [state for (state,) in states] == ["applied", "refused"]
