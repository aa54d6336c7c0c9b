"""Every role is killed with -9 at every fail point: nothing acknowledged is lost, and the next process continues.

Run with `pytest -m failover tests/failover`.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest
from support.hosts.failover import SEATS, Table
from support.hosts.postgres import Cluster

from pbem.cli.operating.working import Worker
from pbem.mail.inbound import handle, listeners
from pbem.mail.outbound.compose import send_due
from pbem.mail.settings import Settings
from pbem.matches.clock import tick
from pbem.matches.clock.deadlines import HOUR
from pbem.matches.history.replay import record_of
from pbem.matches.post import outbox

pytestmark = [pytest.mark.failover, pytest.mark.postgresql]

SETTINGS = Settings(domain="pbem.invalid", pictures=False)
MOST = 60
"""More fail points than any of these acts passes."""


class Post:
    """A mail host that records accepted emails in a file, so that the record survives a killed process."""

    def __init__(self, file: Path, failpoint: Callable[[str], None]) -> None:
        self.file, self.failpoint = file, failpoint

    def send(self, message: EmailMessage) -> None:
        self.failpoint("send:before")
        with open(self.file, "a") as taken:
            taken.write(f"{message['Message-ID']}\n")
        self.failpoint("send:after")


# The work of each role ---------------------------------------------------------------------------------------


def web(table: Table, die: Callable[[str], None]) -> None:
    """Seal the orders of both seats on the site, and record the receipt that each player is shown."""
    for seat in SEATS:
        receipt = table.seal(seat)
        with open(table.folder / "receipts", "a") as shown:
            shown.write(f"{receipt.event}\n")


def mail_in(table: Table, die: Callable[[str], None]) -> None:
    """Accept two emails, then process them."""
    for number in range(2):
        message = EmailMessage()
        message["From"], message["To"] = "red@example.org", SETTINGS.address()
        message["Subject"], message["Message-ID"] = "status", f"<{number}@people.invalid>"
        message.set_content("status\n")
        said = {"sender": "red@example.org", "recipients": [SETTINGS.address()]}
        kept = listeners.deliver(table.server, message.as_bytes(), **said)
        with open(table.folder / "kept", "a") as shown:
            shown.write(f"{kept}\n")
    handle.drain(table.server, SETTINGS, table.server.store.clock())


def clock(table: Table, die: Callable[[str], None]) -> None:
    """Close an exchange whose deadline has passed, and send reminders."""
    table.wait(100 * HOUR)
    tick.close_round(table.server, table.server.store.clock())
    tick.remind(table.server, table.server.store.clock())


def resolver(table: Table, die: Callable[[str], None]) -> None:
    Worker(table.server, table.folder, "resolver").round()


def mailer(table: Table, die: Callable[[str], None]) -> None:
    send_due(table.server, SETTINGS, Post(table.folder / "sent", die), table.server.store.clock())


ROLES = {"web": web, "mail-in": mail_in, "tick": clock, "resolver": resolver, "mailer": mailer}


# The tests ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    made = Cluster()
    made.create()
    made.start()
    yield made
    made.stop()


def die_at(point: int) -> Callable[[str], None]:
    """Return a fail point that kills its process when it is passed for the nth time."""
    left = [point]

    def die(name: str) -> None:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return die


def run_and_kill(role: str, table: Table, point: int) -> bool:
    """Run a role in a separate process that dies at a fail point; return whether the process reached it."""
    child = os.fork()
    if child == 0:
        try:
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 2)
            die = die_at(point)
            started = Table(table.folder, table.address, match=table.match, recovers=False)
            started.server.store._failpoint = die
            started.server.later = lambda match: None
            ROLES[role](started, die)
        except BaseException as problem:
            print(repr(problem), file=sys.__stdout__, flush=True)
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert status in (0, signal.SIGKILL), f"{role} failed at point {point}: {status}"
    return status != 0


def prepared(cluster: Cluster, folder: Path, role: str) -> Table:
    """Return a match that has work for this role."""
    table = Table(folder, cluster.empty())
    table.server.later = lambda match: None
    if role in ("resolver", "mailer"):
        for seat in SEATS:
            table.seal(seat)
    if role == "mailer":
        tick.work_round(table.server)
        table.seal(SEATS[0])  # and a second turn to play
    return table


def finish(table: Table) -> None:
    """Let the other processes finish the work."""
    server = table.server
    table.wait(200 * HOUR)
    server.database.execute("UPDATE claims SET until = 0")
    server.database.execute("UPDATE desk SET look_at = NULL")
    tick.recover(server)
    handle.drain(server, SETTINGS, server.store.clock())
    tick.close_round(server, server.store.clock())
    tick.work_round(server)
    while send_due(server, SETTINGS, Post(table.folder / "sent", lambda name: None), server.store.clock()):
        pass


@pytest.mark.parametrize("role", ROLES)
def test_kill_9_at_every_fail_point(cluster: Cluster, tmp_path: Path, role: str) -> None:
    reached = 0
    for point in range(1, MOST):
        table = prepared(cluster, tmp_path / str(point), role)
        before = turns_played(table)
        reached += (died := run_and_kill(role, table, point))
        finish(table)
        check(table, before)
        table.close()
        if not died:
            break
    assert 2 <= reached < MOST - 1


def check(table: Table, before: int) -> None:
    """Check that the turn was played once, everything shown is stored, and each email was sent once.

    An email may be sent twice if both copies have the same id.
    """
    table.check()
    events = record_of(table.server, table.match).events
    closed = [event.payload["exchange"] for event in events if event.type == "exchange.closed"]
    assert turns_played(table) > before
    assert len(closed) == len(set(closed))
    assert set(lines(table.folder / "receipts")) <= table.hashes()
    states = dict(table.server.database.execute("SELECT id, state FROM inbound").fetchall())
    for kept in lines(table.folder / "kept"):
        assert states[int(kept)] in ("applied", "refused", "repeated")
    assert not outbox.waiting(table.server)
    sent = lines(table.folder / "sent")
    (owed,) = table.server.database.execute("SELECT count(*) FROM outbox WHERE sent_at IS NOT NULL").fetchone()
    assert len(set(sent)) == owed and len(sent) <= len(set(sent)) + 1


def turns_played(table: Table) -> int:
    return sum(event.type == "exchange.resolved" for event in record_of(table.server, table.match).events)


def lines(file: Path) -> list[str]:
    return file.read_text().split() if file.exists() else []
