"""§6, §15 Turns are played in separate processes, and a process that dies damages nothing else."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from programs.deadly_title import TRAP, DeadlyTitle
from support.toy import AmbushTitle

from pbem.matches.accounts import accounts
from pbem.matches.clock import tick
from pbem.matches.exchange import creating, progress, submitting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import OPERATOR, load, record_of, replay
from pbem.matches.installation import open_server
from pbem.matches.server import Server
from pbem.matches.workers import ADVANCE, CHECK, KEEP, child, deaths
from pbem.matches.workers.pool import Died, Pool, Stopped, Worker

START_ENOUGH = 60.0


class Place:
    """A server with two matches, one of which has a trap in its rules."""

    def __init__(self, folder: Path) -> None:
        self.trap = folder / "trap"
        self.server = open_server(folder / "pbem.db", {"ambush": AmbushTitle(), "deadly": DeadlyTitle()})
        self.server.later = lambda match: None
        self.trap.write_text("die 0")

    def match(self, title: str) -> str:
        """Start a match whose first turn waits to be resolved, because both seats have sealed final orders."""
        match = creating.new_match(self.server, title, "tiny")
        for seat, name in (("red", "ann"), ("blue", "bob")):
            take_seat(self.server, match, seat, accounts.open_account(self.server, f"{name}@example.org").id)
        tick.advance_safely(self.server, match)
        for seat, unit in (("red", "r1"), ("blue", "b1")):
            self.seal(match, seat, f"{unit} hold")
        assert record_of(self.server, match).closing is not None
        return match

    def seal(self, match: str, seat: str, text: str) -> None:
        exchange = record_of(self.server, match).open_exchange
        account = record_of(self.server, match).occupants[seat]["account"]
        submitting.take(self.server, match, seat, exchange, text, by=account, final=True, source="web")

    def deaths(self, match: str, job: str = ADVANCE) -> int:
        return deaths.count(self.server, job, match)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    monkeypatch.setenv(TRAP, str(tmp_path / "trap"))
    place = Place(tmp_path)
    yield place
    place.server.close()


@pytest.fixture
def pool(place: Place) -> Iterator[Pool]:
    pool = Pool(place.server)
    yield pool
    pool.stop()


def test_a_turn_played_by_a_worker_is_the_turn_that_the_log_says(place: Place, pool: Pool) -> None:
    match = place.match("ambush")
    pool.do(ADVANCE, match)
    record = record_of(place.server, match)
    assert record.closing is None and record.open_exchange == 3 and record.halted is None
    assert replay(place.server, match).record.version == record.version
    assert progress.progress_of(place.server, match) is None


def test_a_worker_that_dies_is_started_again_and_the_turn_is_played_once(place: Place, pool: Pool) -> None:
    match = place.match("deadly")
    place.trap.write_text("die 2")
    pool.do(ADVANCE, match)
    record = record_of(place.server, match)
    assert record.halted is None and record.closing is None
    assert [event.type for event in record.events].count("exchange.resolved") == 2
    assert place.deaths(match) == 0, "a turn that was played after all leaves no count"


def test_a_turn_that_kills_three_workers_halts_its_match_and_no_other(place: Place, pool: Pool) -> None:
    deadly, other = place.match("deadly"), place.match("ambush")
    place.trap.write_text("die 9")
    tick.work_round(place.server, None, lambda match: pool.do(ADVANCE, match), pool.each)
    halted = record_of(place.server, deadly).halted
    assert halted is not None and place.trap.read_text() == "die 6"
    detail = msgspec.json.decode(place.server.content(halted.part("detail", OPERATOR).commitment))
    assert detail["where"] == "its worker process was killed by signal 9, 3 times in a row"
    assert record_of(place.server, other).closing is None and record_of(place.server, other).halted is None
    assert progress.progress_of(place.server, deadly) is None


def test_deaths_are_counted_across_restarts_of_the_server(place: Place) -> None:
    match = place.match("deadly")
    place.trap.write_text("die 9")
    for _ in range(2):
        with pytest.raises(Died):
            once(place.server, match)
        deaths.note(place.server, ADVANCE, match)
    pool = Pool(place.server)
    pool.do(ADVANCE, match)
    pool.stop()
    assert place.trap.read_text() == "die 6" and record_of(place.server, match).halted is not None


def once(server: Server, match: str) -> None:
    """Try once to resolve a match in a separate process."""
    worker = Worker(server.store.path, server.titles, START_ENOUGH, server.store.address)
    worker.do(child.Order(ADVANCE, match))


def test_a_halted_match_goes_on_under_mended_rules(place: Place, pool: Pool) -> None:
    match = place.match("deadly")
    place.trap.write_text("die 3")
    pool.do(ADVANCE, match)
    assert record_of(place.server, match).halted is not None
    tick.look_again(place.server, match)
    assert record_of(place.server, match).halted is None and record_of(place.server, match).closing is None


def test_a_turn_that_never_ends_counts_like_a_death(place: Place) -> None:
    match = place.match("deadly")
    warm = Pool(place.server, patience=START_ENOUGH)
    warm.do(ADVANCE, place.match("ambush"))
    place.trap.write_text("stall 9")
    [worker] = warm._workers
    worker._patience = 0.2
    with pytest.raises(Died, match="took longer"):
        worker.do(child.Order(ADVANCE, match))
    warm.stop()
    assert place.trap.read_text() == "stall 8"


def test_a_check_and_the_pages_of_an_ended_match_are_jobs_too(place: Place, pool: Pool) -> None:
    match = place.match("ambush")
    place.server.database.execute("UPDATE desk SET unchecked = 1 WHERE match = ?", (match,))
    assert tick.check_round(place.server, check=lambda found: pool.do(CHECK, found)) == 1
    assert tick.unchecked_matches(place.server) == []
    deaths.give_up(place.server, CHECK, match, "died")
    assert place.server.database.execute("SELECT unchecked FROM desk WHERE match = ?", (match,)).fetchone() == (2,)
    place.server.database.execute("INSERT INTO final_due VALUES (?)", (match,))
    pool.do(KEEP, match)
    assert place.server.database.execute("SELECT count(*) FROM final_due").fetchone() == (0,)


def test_a_pool_that_is_stopped_ends_a_turn_in_progress_and_it_is_played_after_the_next_start(place: Place) -> None:
    match = place.match("deadly")
    place.trap.write_text("stall 1")
    pool, heard = Pool(place.server), list[type[BaseException]]()

    def work() -> None:
        try:
            pool.do(ADVANCE, match)
        except BaseException as problem:
            heard.append(type(problem))

    thread = threading.Thread(target=work)
    thread.start()
    while place.trap.read_text() != "stall 0":  # the worker is in the middle of the turn
        thread.join(0.01)
    pool.stop()
    thread.join(START_ENOUGH)
    assert heard == [Stopped] and place.deaths(match) == 0
    again = Pool(place.server)
    again.do(ADVANCE, match)
    again.stop()
    assert record_of(place.server, match).closing is None


def test_two_workers_play_two_matches_at_the_same_time(place: Place) -> None:
    matches = [place.match("ambush") for _ in range(4)]
    pool = Pool(place.server, 2)
    pool.each(lambda match: pool.do(ADVANCE, match), matches)
    pool.stop()
    assert all(load(place.server, match).record.open_exchange == 3 for match in matches)


def test_a_worker_of_another_release_plays_nothing(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    match = place.match("ambush")
    monkeypatch.setattr("pbem.matches.workers.pool.fingerprints", lambda titles: {"ambush": "older"})
    pool = Pool(place.server)
    with pytest.raises(OSError, match="restart the server"):
        pool.do(ADVANCE, match)
    pool.stop()
    assert record_of(place.server, match).closing is not None and place.deaths(match) == 0


def test_a_worker_that_cannot_open_the_database_says_why_and_halts_nothing(place: Place) -> None:
    match = place.match("ambush")
    pool = Pool(place.server)
    key = place.server.store.path.with_suffix(".storage")
    kept = key.read_bytes()
    key.unlink()
    with pytest.raises(OSError, match="storage key"):
        pool.do(ADVANCE, match)
    key.write_bytes(kept)
    pool.do(ADVANCE, match)
    pool.stop()
    assert record_of(place.server, match).closing is None


def test_a_worker_ends_when_its_server_is_gone(place: Place) -> None:
    worker = Worker(place.server.store.path, place.server.titles, START_ENOUGH, place.server.store.address)
    worker.do(child.Order(ADVANCE, place.match("ambush")))
    process, pipe = worker._process, worker._pipe
    assert process is not None and pipe is not None and process.pid is not None
    os.kill(process.pid, signal.SIGINT)  # Ctrl-C in a terminal reaches it too
    worker.do(child.Order(ADVANCE, place.match("ambush")))
    pipe.close()  # as the system does for a process that was killed
    process.join(START_ENOUGH)
    assert process.exitcode == 0
