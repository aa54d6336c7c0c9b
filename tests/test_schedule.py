"""§11 The tick: it closes what is due only while somebody has watched the clock."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest
from support.toy import AmbushTitle

from pbem.mail.inbound.handle import drain
from pbem.mail.settings import Settings
from pbem.matches.accounts import accounts
from pbem.matches.clock import deadlines
from pbem.matches.clock.deadlines import HOUR, MINUTE, SECOND
from pbem.matches.exchange import acts, desk
from pbem.matches.post import inbox, outbox, reply_tokens
from pbem.schedule import Supervisor

START = 1_900_000_000_000
CADENCE = 24


class Clocks:
    """A server whose wall and monotonic clocks are set by the test."""

    def __init__(self, folder: Path) -> None:
        self.wall, self.steady = START, 7_000_000
        self.readable, self.mails = True, False
        self.mailbox: list[tuple[str, str, int]] = []
        self.settings = Settings(domain="pbem.test")
        self.path = folder / "pbem.db"
        self.server = desk.open_server(self.path, {"ambush": AmbushTitle()}, clock=lambda: self.wall)
        self.supervisor = self.another()
        self.match = desk.new_match(self.server, "ambush", "tiny", cadence=CADENCE)
        for seat, address in (("red", "ann@example.org"), ("blue", "bob@example.org")):
            desk.take_seat(self.server, self.match, seat, accounts.open_account(self.server, address).id)

    def another(self) -> Supervisor:
        more = {"look": self.look, "drain": self.drain}
        return Supervisor(self.server, monotonic=lambda: self.steady, **more)  # type: ignore[arg-type]

    def look(self, now: int) -> bool:
        """A mailbox: what lies in it comes in if it can be read."""
        if self.readable:
            for seat, text, accepted_at in self.mailbox:
                self.receive(seat, text, accepted_at=accepted_at)
            self.mailbox.clear()
        return self.readable

    def drain(self, now: int) -> None:
        if self.mails:
            drain(self.server, self.settings, now)

    def receive(self, seat: str, text: str, **more: int) -> None:
        """A door takes a mail of a seat for the open exchange."""
        taken = acts.read(self.server, self.match).occupants[seat]
        place = {"match": self.match, "seat": seat, "occupancy": taken["occupancy"]}
        token = reply_tokens.make(self.server, use="orders", number=self.exchange, **place)
        [sender] = accounts.account(self.server, taken["account"]).addresses
        message = EmailMessage()
        message["From"], message["To"], message["Message-ID"] = sender, self.settings.address(token), f"<{seat}@x>"
        message.set_content(text)
        inbox.receive(self.server, message.as_bytes(), sender=sender, recipients=[str(message["To"])], **more)

    def finish(self) -> None:
        """Time goes on, watched, until the deadline has fallen."""
        self.wall = max(self.wall, self.deadline.at - MINUTE)
        self.watched()
        self.pass_time(2 * MINUTE)

    def pass_time(self, span: int, every: int = 15 * SECOND) -> None:
        """Both clocks go on, and the supervisor ticks as it should."""
        for _ in range(span // every):
            self.wall += every
            self.steady += every
            self.supervisor.tick()

    def near_deadline(self) -> None:
        """Two sound ticks shortly before the deadline, without ticking through the whole day."""
        self.wall += CADENCE * HOUR - MINUTE
        self.watched()
        self.pass_time(30 * SECOND)

    def watched(self) -> None:
        """As if somebody had watched the clock until now."""
        self.supervisor = self.another()
        self.server.database.execute("UPDATE lease SET until = 0, ticked_at = ?", (self.wall - 15 * SECOND,))

    @property
    def exchange(self) -> int:
        return acts.read(self.server, self.match).open_exchange

    @property
    def deadline(self) -> deadlines.Deadline:
        deadline = deadlines.deadline_of(acts.read(self.server, self.match))
        assert deadline is not None
        return deadline


@pytest.fixture
def clocks(tmp_path: Path) -> Iterator[Clocks]:
    clocks = Clocks(tmp_path)
    clocks.supervisor.tick()
    yield clocks
    clocks.server.close()


def test_a_deadline_that_falls_closes_the_exchange_and_the_next_gets_its_own(clocks: Clocks) -> None:
    assert clocks.deadline.at == START + CADENCE * HOUR
    clocks.near_deadline()
    assert clocks.exchange == 2, "not a moment too early"
    clocks.pass_time(45 * SECOND)
    assert clocks.exchange == 3
    closed = [e.payload["why"] for e in acts.read(clocks.server, clocks.match).events if e.type == "exchange.closed"]
    assert closed == ["start", "deadline"]
    assert clocks.deadline.at - clocks.wall > (CADENCE - 1) * HOUR


def test_sealed_orders_count_at_the_deadline_although_not_final(clocks: Clocks) -> None:
    ann = accounts.by_address(clocks.server, "ann@example.org")
    assert ann is not None
    desk.submit(clocks.server, clocks.match, "red", 2, "r1 go2", by=ann.id, final=False, source="web")
    clocks.near_deadline()
    clocks.pass_time(45 * SECOND)
    told = "\n".join(line.text for line in desk.report(clocks.server, clocks.match, "red", 2).told)
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
    outages = [event for event in clocks.server.store.read("server") if event.type == "server.outage"]
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


@pytest.mark.parametrize("jump", [HOUR, 24 * HOUR])
def test_a_clock_that_leaps_ahead_closes_nothing_and_costs_nobody_his_time(clocks: Clocks, jump: int) -> None:
    """The wall clock goes wrong by an hour or a day, and is put right again."""
    clocks.pass_time(MINUTE)
    left = clocks.deadline.at - clocks.wall
    clocks.wall += jump
    clocks.supervisor.tick()
    assert clocks.exchange == 2 and clocks.deadline.at - clocks.wall >= left - MINUTE
    clocks.pass_time(MINUTE)
    clocks.wall -= jump
    clocks.supervisor.tick()
    clocks.pass_time(MINUTE)
    assert clocks.exchange == 2
    assert clocks.deadline.at - clocks.wall >= left - 5 * MINUTE, "it may be later, and is never sooner"


@pytest.mark.parametrize("jump", [HOUR, 24 * HOUR])
def test_a_clock_that_falls_back_moves_no_deadline_and_time_goes_on(clocks: Clocks, jump: int) -> None:
    clocks.near_deadline()
    before = clocks.deadline
    clocks.wall -= jump
    clocks.steady += 15 * SECOND
    clocks.supervisor.tick()
    assert clocks.deadline == before and clocks.exchange == 2
    clocks.pass_time(MINUTE)
    clocks.wall += jump
    clocks.supervisor.tick()
    assert clocks.exchange == 2, "the leap back to the right time closes nothing by itself"
    assert clocks.deadline.at >= before.at
    clocks.finish()
    assert clocks.exchange == 3


def test_a_machine_that_was_asleep_counts_as_an_outage(clocks: Clocks) -> None:
    """While a machine sleeps the wall clock goes on and the monotonic clock does not."""
    clocks.near_deadline()
    before = clocks.deadline
    clocks.wall += 8 * HOUR
    clocks.steady += 3 * SECOND
    clocks.supervisor.tick()
    assert clocks.exchange == 2
    assert clocks.deadline.at == before.at + 8 * HOUR
    clocks.finish()
    assert clocks.exchange == 3


@pytest.mark.parametrize(("away", "moved"), [(30 * SECOND, 0), (10 * MINUTE, 10 * MINUTE)])
def test_a_restart_across_the_deadline(clocks: Clocks, away: int, moved: int) -> None:
    """A short one moves nothing and closes at the second tick; a long one is an outage."""
    clocks.near_deadline()
    before = clocks.deadline
    clocks.supervisor.release_lease()
    clocks.server.close()
    clocks.wall += away
    clocks.steady = 0
    clocks.server = desk.open_server(clocks.path, {"ambush": AmbushTitle()}, clock=lambda: clocks.wall)
    clocks.supervisor = clocks.another()
    desk.recover(clocks.server)
    clocks.supervisor.tick()
    assert clocks.exchange == 2
    assert clocks.deadline.at == before.at + moved
    clocks.finish()
    assert clocks.exchange == 3


# Doors -------------------------------------------------------------------------------------------------------


def test_nothing_closes_while_a_mailbox_cannot_be_read_and_that_time_is_given_back(clocks: Clocks) -> None:
    """IMAP is down at the deadline: what lies there may have come in time, and who wants to write cannot."""
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
    """§10: an order counts by the time its door accepted it; before closing the doors are drained."""
    clocks.near_deadline()
    clocks.mails = True
    clocks.wall, clocks.steady = clocks.deadline.at - SECOND, clocks.steady + 29 * SECOND
    clocks.receive("red", "r1 go2")
    clocks.wall, clocks.steady = clocks.deadline.at + SECOND, clocks.steady + 2 * SECOND
    clocks.receive("blue", "b1 go5")
    clocks.supervisor.tick()
    assert clocks.exchange == 3
    counts = acts.read(clocks.server, clocks.match).closings[2].event.payload["counts"]
    assert list(counts) == ["red"], "what came a second after it does not"
    states = clocks.server.database.execute("SELECT state FROM inbound ORDER BY id").fetchall()
    assert [state for (state,) in states] == ["applied", "refused"]


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
    assert desk.hold(clocks.server, "moving") and not desk.hold(clocks.server)
    clocks.pass_time(2 * MINUTE)
    assert clocks.exchange == 2
    assert desk.release(clocks.server) and not desk.release(clocks.server)
    assert clocks.deadline.at == before.at + 2 * MINUTE
    assert "on hold" in clocks.deadline.why
    clocks.pass_time(MINUTE)
    assert clocks.exchange == 3


def test_an_outage_during_a_hold_is_given_back_once(clocks: Clocks) -> None:
    clocks.near_deadline()
    before = clocks.deadline
    desk.hold(clocks.server)
    clocks.wall += 10 * MINUTE
    clocks.steady += 10 * MINUTE
    clocks.supervisor.tick()
    desk.release(clocks.server)
    assert clocks.deadline.at == before.at + 10 * MINUTE


def test_finals_do_not_close_during_a_hold_and_do_afterwards(clocks: Clocks) -> None:
    desk.hold(clocks.server)
    for seat, address in (("red", "ann@example.org"), ("blue", "bob@example.org")):
        account = accounts.by_address(clocks.server, address)
        assert account is not None
        desk.submit(clocks.server, clocks.match, seat, 2, "", by=account.id, final=True, source="web")
    assert clocks.exchange == 2
    desk.release(clocks.server)
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
    ann = accounts.by_address(clocks.server, "ann@example.org")
    assert ann is not None
    desk.submit(clocks.server, clocks.match, "red", 2, "r1 go2", by=ann.id, final=False, source="web")
    clocks.near_deadline()
    assert [owed.seat for owed in outbox.waiting(clocks.server) if owed.kind == "reminder"] == ["blue"]


def test_the_clockwork_ticks_by_itself_and_at_a_nudge(tmp_path: Path) -> None:
    """The real scheduler: a nudge ticks at once, long before the next tick is due."""
    server = desk.open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()})
    ticked = threading.Semaphore(0)
    supervisor = Supervisor(server, send=lambda now: ticked.release(), every=3600)
    supervisor.start()
    try:
        assert ticked.acquire(timeout=5), "the first tick comes at once"
        supervisor.nudge()
        assert ticked.acquire(timeout=5)
    finally:
        supervisor.stop()
        server.close()


def test_a_nudge_during_a_tick_is_not_lost(tmp_path: Path) -> None:
    """A mail that comes in while the doors have been looked behind does not wait for the next tick."""
    server = desk.open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()})
    ticked = threading.Semaphore(0)

    def send(now: int) -> None:
        ticked.release()
        if mails:
            mails.pop()
            supervisor.nudge()

    mails = ["one", "two"]
    supervisor = Supervisor(server, send=send, every=3600)
    supervisor.start()
    try:
        assert all(ticked.acquire(timeout=5) for _ in range(3))
        assert not ticked.acquire(timeout=0.2), "and then there is rest"
        supervisor.nudge()
        assert ticked.acquire(timeout=5)
    finally:
        supervisor.stop()
        server.close()


def test_a_tick_that_fails_is_logged_and_the_next_one_tries_again(
    clocks: Clocks, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(now: int) -> None:
        raise RuntimeError("the doors are stuck")

    supervisor = Supervisor(clocks.server, drain=broken)
    clocks.supervisor.release_lease()
    supervisor._safe_tick()
    assert "the doors are stuck" in caplog.text
