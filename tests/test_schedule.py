"""§11 The tick: it closes what is due only while somebody has watched the clock."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from toy import AmbushTitle

from pbem.matches import accounts, acts, deadlines, desk, outbox
from pbem.matches.deadlines import HOUR, MINUTE, SECOND
from pbem.schedule import Supervisor

START = 1_900_000_000_000
CADENCE = 24


class Clocks:
    """A house whose wall and monotonic clocks are set by the test."""

    def __init__(self, folder: Path) -> None:
        self.wall, self.steady = START, 7_000_000
        self.path = folder / "pbem.db"
        self.house = desk.open_house(self.path, {"ambush": AmbushTitle()}, clock=lambda: self.wall)
        self.supervisor = self.another()
        self.match = desk.new_match(self.house, "ambush", "tiny", cadence=CADENCE)
        for seat, address in (("red", "ann@example.org"), ("blue", "bob@example.org")):
            desk.take_seat(self.house, self.match, seat, accounts.open_account(self.house, address).id)

    def another(self) -> Supervisor:
        return Supervisor(self.house, monotonic=lambda: self.steady)

    def pass_time(self, span: int, every: int = 15 * SECOND) -> None:
        """Both clocks go on, and the supervisor ticks as it should."""
        for _ in range(span // every):
            self.wall += every
            self.steady += every
            self.supervisor.tick()

    def near_deadline(self) -> None:
        """Two sound ticks shortly before the deadline, without ticking through the whole day."""
        self.wall += CADENCE * HOUR - MINUTE
        self.supervisor = self.another()
        self.house.database.execute("UPDATE lease SET until = 0, ticked_at = ?", (self.wall - 15 * SECOND,))
        self.pass_time(30 * SECOND)

    @property
    def exchange(self) -> int:
        return acts.read(self.house, self.match).open_exchange

    @property
    def deadline(self) -> deadlines.Deadline:
        deadline = deadlines.deadline_of(acts.read(self.house, self.match))
        assert deadline is not None
        return deadline


@pytest.fixture
def clocks(tmp_path: Path) -> Iterator[Clocks]:
    clocks = Clocks(tmp_path)
    clocks.supervisor.tick()
    yield clocks
    clocks.house.close()


def test_a_deadline_that_falls_closes_the_exchange_and_the_next_gets_its_own(clocks: Clocks) -> None:
    assert clocks.deadline.at == START + CADENCE * HOUR
    clocks.near_deadline()
    assert clocks.exchange == 2, "not a moment too early"
    clocks.pass_time(45 * SECOND)
    assert clocks.exchange == 3
    closed = [e.payload["why"] for e in acts.read(clocks.house, clocks.match).events if e.type == "exchange.closed"]
    assert closed == ["start", "deadline"]
    assert clocks.deadline.at - clocks.wall > (CADENCE - 1) * HOUR


def test_sealed_orders_count_at_the_deadline_although_not_final(clocks: Clocks) -> None:
    ann = accounts.by_address(clocks.house, "ann@example.org")
    assert ann is not None
    desk.submit(clocks.house, clocks.match, "red", 2, "r1 go2", by=ann.id, final=False, source="web")
    clocks.near_deadline()
    clocks.pass_time(45 * SECOND)
    told = "\n".join(line.text for line in desk.report(clocks.house, clocks.match, "red", 2).told)
    assert "{'unit': 'r1'} []: go2" in told


def test_after_an_outage_nothing_closes_and_every_deadline_moves_by_it(clocks: Clocks) -> None:
    clocks.near_deadline()
    before = clocks.deadline
    clocks.wall += 10 * MINUTE
    clocks.steady += 10 * MINUTE
    clocks.supervisor.tick()
    assert clocks.exchange == 2, "the deadline fell while nobody watched"
    assert clocks.deadline.at == before.at + 10 * MINUTE
    assert "the server was away: 10 min later" in clocks.deadline.why
    outages = [event for event in clocks.house.store.read("server") if event.type == "server.outage"]
    assert [event.payload["until"] - event.payload["since"] for event in outages] == [10 * MINUTE]
    clocks.pass_time(90 * SECOND)
    assert clocks.exchange == 3, "then it falls as usual"


def test_a_clock_that_was_set_forward_closes_nothing(clocks: Clocks) -> None:
    """Wall and monotonic clocks must agree within five seconds."""
    clocks.near_deadline()
    before = clocks.deadline
    clocks.wall += 50 * SECOND
    clocks.steady += 15 * SECOND
    clocks.supervisor.tick()
    assert clocks.exchange == 2
    assert clocks.deadline.at == before.at + 50 * SECOND


def test_a_clock_that_was_set_back_moves_no_deadline(clocks: Clocks) -> None:
    clocks.near_deadline()
    before = clocks.deadline
    clocks.wall -= HOUR
    clocks.steady += 15 * SECOND
    clocks.supervisor.tick()
    assert clocks.deadline == before


def test_the_first_tick_of_a_process_closes_nothing(clocks: Clocks) -> None:
    clocks.near_deadline()
    clocks.wall += 45 * SECOND
    clocks.steady = 0
    clocks.supervisor.release_lease()
    clocks.supervisor = clocks.another()
    clocks.supervisor.tick()
    assert clocks.exchange == 2
    clocks.pass_time(15 * SECOND)
    assert clocks.exchange == 3


def test_while_held_nothing_closes_and_deadlines_move_by_the_held_time(clocks: Clocks) -> None:
    clocks.near_deadline()
    before = clocks.deadline
    assert desk.hold(clocks.house, "moving") and not desk.hold(clocks.house)
    clocks.pass_time(2 * MINUTE)
    assert clocks.exchange == 2
    assert desk.release(clocks.house) and not desk.release(clocks.house)
    assert clocks.deadline.at == before.at + 2 * MINUTE
    assert "on hold" in clocks.deadline.why
    clocks.pass_time(MINUTE)
    assert clocks.exchange == 3


def test_an_outage_during_a_hold_is_given_back_once(clocks: Clocks) -> None:
    clocks.near_deadline()
    before = clocks.deadline
    desk.hold(clocks.house)
    clocks.wall += 10 * MINUTE
    clocks.steady += 10 * MINUTE
    clocks.supervisor.tick()
    desk.release(clocks.house)
    assert clocks.deadline.at == before.at + 10 * MINUTE


def test_finals_do_not_close_during_a_hold_and_do_afterwards(clocks: Clocks) -> None:
    desk.hold(clocks.house)
    for seat, address in (("red", "ann@example.org"), ("blue", "bob@example.org")):
        account = accounts.by_address(clocks.house, address)
        assert account is not None
        desk.submit(clocks.house, clocks.match, seat, 2, "", by=account.id, final=True, source="web")
    assert clocks.exchange == 2
    desk.release(clocks.house)
    clocks.pass_time(15 * SECOND)
    assert clocks.exchange == 3


def test_one_supervisor_works_at_a_time_and_another_takes_over_when_it_is_gone(clocks: Clocks) -> None:
    other = clocks.another()
    assert not other.tick()
    clocks.supervisor.release_lease()
    assert other.tick()
    assert not clocks.supervisor.tick()
    clocks.wall += 2 * MINUTE
    assert clocks.supervisor.tick(), "the other has died without a word"


def test_a_reminder_is_owed_once_and_only_to_seats_that_have_sealed_nothing(clocks: Clocks) -> None:
    ann = accounts.by_address(clocks.house, "ann@example.org")
    assert ann is not None
    desk.submit(clocks.house, clocks.match, "red", 2, "r1 go2", by=ann.id, final=False, source="web")
    clocks.near_deadline()
    assert [owed.seat for owed in outbox.waiting(clocks.house) if owed.kind == "reminder"] == ["blue"]


def test_the_clockwork_ticks_by_itself_and_at_a_nudge(tmp_path: Path) -> None:
    """The real scheduler: a nudge ticks at once, long before the next tick is due."""
    house = desk.open_house(tmp_path / "pbem.db", {"ambush": AmbushTitle()})
    ticked = threading.Semaphore(0)
    supervisor = Supervisor(house, send=lambda now: ticked.release(), every=3600)
    supervisor.start()
    try:
        assert ticked.acquire(timeout=5), "the first tick comes at once"
        supervisor.nudge()
        assert ticked.acquire(timeout=5)
    finally:
        supervisor.stop()
        house.close()


def test_a_tick_that_fails_is_logged_and_the_next_one_tries_again(
    clocks: Clocks, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(now: int) -> None:
        raise RuntimeError("the doors are stuck")

    supervisor = Supervisor(clocks.house, drain=broken)
    clocks.supervisor.release_lease()
    supervisor._safe_tick()
    assert "the doors are stuck" in caplog.text
