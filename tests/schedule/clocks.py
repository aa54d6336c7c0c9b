"""A server whose clock is moved by the tests."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path
from typing import Any

from support.toy import AmbushTitle

from pbem.mail.inbound.handle import drain
from pbem.mail.settings import Settings
from pbem.matches.accounts import accounts
from pbem.matches.clock import deadlines
from pbem.matches.clock.deadlines import HOUR, MINUTE, SECOND
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.matches.post import inbox, reply_tokens
from pbem.schedule import Supervisor

START = 1_900_000_000_000
CADENCE = 24


class Clocks:
    """A server whose wall clock and monotonic clock are set by the test."""

    def __init__(self, folder: Path) -> None:
        self.wall, self.steady, self.boot = START, 7_000_000, "first"
        self.readable, self.mails = True, False
        self.mailbox: list[tuple[str, str, int]] = []
        self.settings = Settings(domain="pbem.test")
        self.path = folder / "pbem.db"
        self.server = open_server(self.path, {"ambush": AmbushTitle()}, clock=lambda: self.wall)
        self.supervisor = self.another()
        self.match = self.new_match()

    def new_match(self, cadence: int = CADENCE, **more: Any) -> str:
        match = creating.new_match(self.server, "ambush", "tiny", cadence=cadence, **more)
        for seat, address in (("red", "ann@example.org"), ("blue", "bob@example.org")):
            take_seat(self.server, match, seat, accounts.open_account(self.server, address).id)
        return match

    def deadline_of(self, match: str) -> int:
        deadline = deadlines.deadline_of(record_of(self.server, match))
        assert deadline is not None
        return deadline.at

    def restart(self, away: int, *, reboot: bool = False, tick: bool = True) -> None:
        """End the process without warning, and start a new one after this much time."""
        self.server.close()
        self.wall += away
        self.steady = 0 if reboot else self.steady + away
        self.boot = "second" if reboot else self.boot
        self.server = open_server(self.path, {"ambush": AmbushTitle()}, clock=lambda: self.wall)
        self.server.database.execute("UPDATE lease SET until = 0")
        self.supervisor = self.another()
        if tick:
            self.supervisor.tick()

    def another(self) -> Supervisor:
        more = {"look": self.look, "drain": self.drain}
        return Supervisor(self.server, steady=lambda: self.steady, boot=lambda: self.boot, **more)  # type: ignore[arg-type]

    def look(self, now: int) -> bool:
        """Fetch the waiting emails if the mailbox can be read; return whether it can."""
        if self.readable:
            for seat, text, accepted_at in self.mailbox:
                self.receive(seat, text, accepted_at=accepted_at)
            self.mailbox.clear()
        return self.readable

    def drain(self, now: int) -> None:
        if self.mails:
            drain(self.server, self.settings, now)

    def receive(self, seat: str, text: str, **more: int) -> None:
        """Accept an email with orders from a seat for the open exchange."""
        taken = record_of(self.server, self.match).occupants[seat]
        place = {"match": self.match, "seat": seat, "occupancy": taken["occupancy"]}
        token = reply_tokens.make(self.server, use="orders", number=self.exchange, **place)
        [sender] = accounts.account(self.server, taken["account"]).addresses
        message = EmailMessage()
        message["From"], message["To"], message["Message-ID"] = sender, self.settings.address(token), f"<{seat}@x>"
        message.set_content(text)
        inbox.receive(self.server, message.as_bytes(), sender=sender, recipients=[str(message["To"])], **more)

    def finish(self) -> None:
        """Let the watched clocks run until the deadline has passed."""
        self.wall = max(self.wall, self.deadline.at - MINUTE)
        self.watched()
        self.pass_time(2 * MINUTE)

    def pass_time(self, span: int, every: int = 15 * SECOND) -> None:
        """Advance both clocks, with the heartbeats and ticks of a working supervisor."""
        for number in range(span // (5 * SECOND)):
            self.wall += 5 * SECOND
            self.steady += 5 * SECOND
            self.supervisor.beat()
            if (number + 1) % (every // (5 * SECOND)) == 0:
                self.supervisor.tick()

    def go_to(self, instant: int) -> None:
        """Advance both clocks to an instant, with heartbeats but no ticks."""
        while self.wall < instant:
            step = min(5 * SECOND, instant - self.wall)
            self.wall += step
            self.steady += step
            self.supervisor.beat()

    def near_deadline(self, elapsed: int = 0) -> None:
        """Advance to shortly before the deadline and make two normal ticks there, without ticking through the whole
        day."""
        self.wall += CADENCE * HOUR - MINUTE - elapsed
        self.watched()
        self.pass_time(30 * SECOND)

    def watched(self) -> None:
        """Record that the clock has been watched until now."""
        self.server.database.execute(
            "UPDATE lease SET ticked_at = ?, until = ?, steady = ?, boot = ?",
            (self.wall, self.wall + MINUTE, self.steady, self.boot),
        )

    @property
    def exchange(self) -> int:
        return record_of(self.server, self.match).open_exchange

    @property
    def deadline(self) -> deadlines.Deadline:
        deadline = deadlines.deadline_of(record_of(self.server, self.match))
        assert deadline is not None
        return deadline
