"""A match of Ann (red) against Bob (blue), on a server whose clock the test sets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from support.toy import AmbushTitle

from eventstore import Event
from pbem.engine.rules.title import Title
from pbem.matches.accounts import accounts
from pbem.matches.audit.verify import Report, verify_export
from pbem.matches.clock import deadlines, tick
from pbem.matches.clock.deadlines import HOUR, Deadline
from pbem.matches.exchange import creating, submitting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.export import export, read_export
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.matches.players import requests
from pbem.matches.players.requests import Done
from pbem.matches.post import outbox
from pbem.matches.post.outbox import Owed
from pbem.matches.server import Server

START = 1_900_000_000_000
"""Sunday, 17 March 2030, 17:46:40 UTC."""

TITLES: dict[str, Title] = {"ambush": AmbushTitle()}


class Table:
    """A table with matches; `match` is the one begun last, and `who` has the accounts by seat."""

    def __init__(self, folder: Path, titles: Mapping[str, Title] = TITLES) -> None:
        self.now = START
        self.titles = titles
        self.server: Server = open_server(folder / "pbem.db", titles, clock=lambda: self.now)
        self.match = ""
        self.who = {seat: self.account(name) for seat, name in (("red", "ann"), ("blue", "bob"))}
        self.master = self.account("max")

    def account(self, name: str) -> str:
        return accounts.open_account(self.server, f"{name}@example.org", name.title()).id

    def begin(self, cadence: int = 48, *, master: bool = False, scenario: str = "tiny", **timing: Any) -> str:
        more = {"master": self.master} if master else {}
        title = next(iter(self.titles))
        self.match = creating.new_match(self.server, title, scenario, cadence=cadence, timing=timing, **more)
        for seat, account in self.who.items():
            take_seat(self.server, self.match, seat, account)
        return self.match

    # Acts of players

    def say(self, seat: str, text: str, **more: Any) -> list[Done]:
        """Submit a player's lines, as an email or the site would; return what was done."""
        exchange = more.pop("exchange", self.record.open_exchange)
        by = more.pop("by", self.who.get(seat, ""))
        return submitting.take(self.server, self.match, seat, exchange, text, by=by, source="web", **more).done

    def word(self, seat: str, line: str) -> Done:
        [word], _ = requests.split(line)
        return requests.carry_out(self.server, self.match, seat, word, self.who[seat])

    def play(self, *orders: tuple[str, str]) -> None:
        """Seal final orders for both seats; a seat that is not named sends an empty order."""
        for seat, text in {"red": "", "blue": "", **dict(orders)}.items():
            self.say(seat, text, final=True)

    # Acts of the server

    def wait(self, hours: float = 0, **more: Any) -> None:
        self.now += int(hours * HOUR)
        tick.tick(self.server, self.now, **more)

    # Views

    @property
    def record(self) -> Record:
        return record_of(self.server, self.match)

    @property
    def deadline(self) -> Deadline:
        found = deadlines.deadline_of(self.record)
        assert found is not None
        return found

    def events(self, *types: str) -> list[Event]:
        return [event for event in self.record.events if event.type in types]

    def owed(self, kind: str) -> list[Owed]:
        return [owed for owed in outbox.waiting(self.server) if owed.kind == kind]

    def verified(self, viewer: str = "public") -> Report:
        return verify_export(read_export(export(self.server, self.match, viewer)), dict(self.titles))
