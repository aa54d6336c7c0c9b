"""A public beacon adds randomness to the dice: its value is taken after closing, never replaced, and verified."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.forgeries.beacon import FORGERIES, SECOND, TERMS, Clocked, a_value, two_exchanges
from support.forgeries.forging import Lines, read_forged
from support.playing import NOON, SEATS

from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Submission
from pbem.matches.audit.verify import verify_export
from pbem.matches.clock import beacon_round, tick
from pbem.matches.exchange import advancing, creating, resolving, sealing
from pbem.matches.exchange.ending import newest_head
from pbem.matches.history import beacons
from pbem.matches.history.beacons import Beacon, Terms, Unavailable, Value
from pbem.matches.history.export import export, read_export
from pbem.matches.history.replay import context_of, record_of, replay
from pbem.matches.post import outbox
from pbem.matches.post.notifications import is_wanted
from pbem.matches.server import Server

BEACON = ("seal", "close", "beacon", "resolve")
"""The fail points around a beacon."""


@pytest.fixture
def clocked(tmp_path: Path) -> Clocked:
    return Clocked(tmp_path)


@pytest.fixture(scope="module")
def played(folders: Callable[[], Path]) -> tuple[Server, str, list[Value]]:
    """Play a match through two exchanges with beacon values; return server, match and values."""
    return two_exchanges(folders())


# Rounds and sources ------------------------------------------------------------------------------------------


def test_the_round_of_a_closing_is_the_first_one_published_after_the_delay() -> None:
    for closed in (NOON, NOON + 1, NOON + 29_999, NOON + 30_000, NOON + 30_001):
        round = TERMS.round_after(closed)
        assert TERMS.published_at(round) >= closed + 60 * SECOND > TERMS.published_at(round - 1)
    assert TERMS.round_after(0) == 1


def test_a_file_and_a_command_give_the_same_value(tmp_path: Path) -> None:
    value = a_value(7)
    line = json.dumps({"round": 7, "randomness": value.randomness, "signature": value.signature, "previous": "00"})
    (tmp_path / "values").write_text(f"{line}\n\n")
    script = f"import sys; print({line!r}.replace('7,', sys.argv[1] + ',', 1))"
    (tmp_path / "fetch.py").write_text(script)
    command = f"{sys.executable} {tmp_path / 'fetch.py'} {{round}}"
    assert beacons.fetch(Beacon(TERMS, file=str(tmp_path / "values")), 7) == value
    assert beacons.fetch(Beacon(TERMS, command=command), 7) == value


@pytest.mark.parametrize(
    "content",
    [
        '{"round": 8, "randomness": "' + "00" * 32 + '"}',
        '{"round": 7, "randomness": "00"}',
        '{"round": 7, "randomness": "' + "00" * 32 + '", "signature": "aa"}',
        '{"round": 7, "randomness": "' + "00" * 32 + '"}\n{"round": 7, "randomness": "' + "11" * 32 + '"}',
        '{"round": "7"}',
        "<html>busy</html>",
    ],
)
def test_a_value_that_is_missing_contradicted_or_nonsense_is_not_used(tmp_path: Path, content: str) -> None:
    (tmp_path / "values").write_text(content)
    with pytest.raises(Unavailable):
        beacons.fetch(Beacon(TERMS, file=str(tmp_path / "values")), 7)


def test_of_a_file_that_has_grown_too_long_the_newest_rounds_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beacons, "LONGEST", 500)
    lines = [f'{{"round": {round}, "randomness": "{round:064x}"}}\n' for round in range(1, 21)]
    (tmp_path / "values").write_text("".join(lines))
    assert beacons.fetch(Beacon(TERMS, file=str(tmp_path / "values")), 20).round == 20


@pytest.mark.parametrize("command", ["false", "no-such-program-here", f"{sys.executable} -c 'print(1'"])
def test_a_command_that_fails_is_an_unavailable_beacon(command: str) -> None:
    with pytest.raises(Unavailable):
        beacons.fetch(Beacon(TERMS, command=command), 7)


def test_a_server_offers_only_beacons_with_one_source(clocked: Clocked) -> None:
    database = clocked.server.database
    for wrong in (
        Beacon(TERMS),
        Beacon(TERMS, "a", "b"),
        Beacon(Terms("Night!", 0, 30), "a"),
        Beacon(Terms("n", 0, 0), "a"),
    ):
        with pytest.raises(Refusal):
            beacons.offer(database, wrong)
    with pytest.raises(Refusal):
        creating.new_match(clocked.server, "ambush", "tiny", beacon="day")
    beacons.retract(database, "night")
    assert beacons.offered_beacons(database) == {}


# Playing -----------------------------------------------------------------------------------------------------


def test_a_closed_exchange_waits_for_its_round_and_for_nothing_else(clocked: Clocked) -> None:
    match = clocked.match()
    record = record_of(clocked.server, match)
    assert record.awaits_beacon and record.closing is not None and not record.resolved
    due = clocked.due(match)
    clocked.publish(due.round - 1)
    clocked.publish(due.round + 1)
    clocked.now = due.at + 3600 * SECOND
    tick.tick(clocked.server, clocked.now)
    resolving.resolve(clocked.server, match)
    advancing.resume_halted(clocked.server, match)
    assert record_of(clocked.server, match).awaits_beacon, "a beacon that is late delays the match"
    assert [one.name for one in beacon_round.troubles(clocked.server)] == ["night"]
    value = clocked.publish(due.round)
    tick.tick(clocked.server, clocked.now)
    record = record_of(clocked.server, match)
    assert record.resolved[-1].beacon == value.randomness
    assert beacon_round.troubles(clocked.server) == []


def test_a_value_is_not_taken_before_its_time(clocked: Clocked) -> None:
    """A beacon value is not taken before its time, even if a source with a wrong clock already offers it."""
    match = clocked.match()
    clocked.publish(clocked.due(match).round)
    clocked.now = clocked.due(match).at - 1
    tick.tick(clocked.server, clocked.now)
    assert record_of(clocked.server, match).awaits_beacon


def test_a_crash_between_closing_and_beacon_changes_nothing(clocked: Clocked) -> None:
    match = clocked.match()
    due = clocked.due(match)
    clocked.server.close()
    clocked.server = clocked.opened()
    tick.recover(clocked.server)
    assert clocked.due(match) == due
    clocked.go_on(match)
    assert record_of(clocked.server, match).resolved
    replay(clocked.server, match)


@pytest.mark.parametrize("point", [f"{what}:{when}-commit" for what in BEACON for when in ("before", "after")])
def test_a_server_killed_around_its_beacon_goes_on_with_the_same_dice(clocked: Clocked, point: str) -> None:
    """A server killed while it closes an exchange or takes the beacon value is continued by another, with the same
    log at the end."""
    match = clocked.match()
    clocked.go_on(match)
    clocked.server.close()
    rounds = [clocked.now // SECOND + TERMS.delay + more - TERMS.genesis for more in (0, TERMS.period)]
    for seconds in rounds:
        clocked.publish(-(-seconds // TERMS.period) + 1)
    if (child := os.fork()) == 0:
        clocked.server = clocked.opened(killer(point))
        play_on(clocked, match)
        os._exit(0)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    clocked.server = clocked.opened()
    tick.recover(clocked.server)
    play_on(clocked, match)
    record = record_of(clocked.server, match)
    taken = [event.payload["exchange"] for event in record.events if event.type == "beacon.taken"]
    assert taken == [entry.exchange for entry in record.resolved] == [1, 2], "each exchange takes one value"
    assert verify_export(read_export(export(clocked.server, match, "red"))).problems == []
    replay(clocked.server, match)


def killer(point: str) -> Callable[[str], None]:
    """Return a fail point that kills the process, as a power cut would."""

    def failpoint(name: str) -> None:
        if name == point:
            os.kill(os.getpid(), signal.SIGKILL)

    return failpoint


def play_on(clocked: Clocked, match: str) -> None:
    """Seal the missing orders of exchange 2, close it, and take its beacon value when that is due."""
    record = record_of(clocked.server, match)
    for seat in [seat for seat in SEATS if record.last < 2 and seat not in record.sealed]:
        sealing.seal(clocked.server, match, seat, 2, Submission({}), final=True)
    tick.tick(clocked.server, clocked.now)
    due = beacons.awaited_round(record_of(clocked.server, match))
    if due is not None:
        clocked.now = max(clocked.now, due.at)
        tick.tick(clocked.server, clocked.now)


def test_the_dice_depend_on_the_value(tmp_path: Path) -> None:
    rolls = []
    for seed in ("", "other"):
        (tmp_path / f"of{seed}").mkdir()
        here = Clocked(tmp_path / f"of{seed}")
        match = here.match()
        due = here.due(match)
        here.publish(due.round, seed)
        here.now = due.at
        tick.tick(here.server, here.now)
        entry = record_of(here.server, match).resolved[-1]
        rolls.append((context_of(match, entry), entry.result.rung))
    assert rolls[0][0] != rolls[1][0] and rolls[0][1] == rolls[1][1]


def test_every_player_gets_the_signed_head_of_the_closing_while_it_is_worth_something(clocked: Clocked) -> None:
    match = clocked.match()
    owed = [one for one in outbox.waiting(clocked.server) if one.kind == "closed"]
    assert {one.seat for one in owed} == set(SEATS)
    assert all(one.about["round"] == clocked.due(match).round for one in owed)
    assert all(is_wanted(clocked.server, one) for one in owed)
    head = newest_head(clocked.server, match)
    clocked.go_on(match)
    assert not any(is_wanted(clocked.server, one) for one in owed)
    found = read_export(export(clocked.server, match, "red"))
    assert verify_export(found, heads=[head]).ok


# Verifying ---------------------------------------------------------------------------------------------------


def test_an_honest_log_holds_and_is_compared_with_the_publisher(played: tuple[Server, str, list[Value]]) -> None:
    server, match, values = played
    found = read_export(export(server, match, "red"))
    report = verify_export(found, server=server.id, beacon=values)
    assert report.ok and any("2 of 2 values of the beacon night" in fact for fact in report.facts)
    other = [Value(values[0].round, "00" * 32), values[1]]
    assert [code for _, code in verify_export(found, beacon=other).codes] == ["beacon"]


@pytest.mark.parametrize("forge", FORGERIES)
def test_a_forged_beacon_is_found(played: tuple[Server, str, list[Value]], forge: Callable[[Lines], None]) -> None:
    server, match, _ = played
    codes = {code for _, code in verify_export(read_forged(server, match, forge)).codes}
    assert codes & {"beacon", "unreadable"}, codes


def test_a_value_for_which_there_is_no_signature_is_compared_with_the_publisher_alone(clocked: Clocked) -> None:
    match = clocked.match()
    due = clocked.due(match)
    clocked.values.write_text(json.dumps({"round": due.round, "randomness": "12" * 32}))
    clocked.now = due.at
    tick.tick(clocked.server, clocked.now)
    found = read_export(export(clocked.server, match, "red"))
    assert verify_export(found, beacon=[Value(due.round, "12" * 32)]).ok
    assert not verify_export(found, beacon=[Value(due.round, "13" * 32)]).ok
