"""The invariants that hold after every step, checked only against the log, the tables and the mail network.

acknowledged    orders with a receipt, and emails that a listener has accepted, are stored
closing         an exchange closes once, and by deadline never before the deadline
deadlines       an announced deadline is never moved to an earlier time
receipts        every receipt verifies
mail            pending email is sent once, or twice under one id, and within days; email marked as sent has left
secrets         no player reads another player's text or another seat's orders
dice            no rung of a ladder is used twice
books           every accepted email ends in a state that records its outcome
progress        no deadline is in the past for days while nothing closes
chains          every chain holds, and public exports verify
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from eventstore import Event, commitment
from pbem.matches.audit.verify import verify_export
from pbem.matches.clock import outages
from pbem.matches.clock.deadlines import HOUR, MINUTE
from pbem.matches.events import DeadlineSet, each
from pbem.matches.history.export import export, read_export
from pbem.matches.history.receipts import Receipt
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.post import inbox, outbox
from pbem.matches.post.outbox import OVERTAKEN

if TYPE_CHECKING:
    from pbem.tools.simulation.players import Player
    from pbem.tools.simulation.world import World

STATES = frozenset({inbox.WAITING, "applied", "refused", "held", "repeated", "dropped"})
PATIENCE = 72 * HOUR
ATTEMPTS = 5
"""The number of failures of one email that cannot all be due to the database."""
RARELY = 40
"""Expensive checks run after this many steps, and at the end."""


class Broken(Exception):
    """An invariant does not hold."""

    def __init__(self, invariant: str, why: str) -> None:
        super().__init__(f"{invariant}: {why}")
        self.invariant = invariant


class Referee:
    """Follows the log event by event and keeps its own records."""

    def __init__(self, world: World, players: list[Player]) -> None:
        self.world, self.players = world, players
        self._seen = 0
        self._steps = 0
        self._closed: set[tuple[str, int]] = set()
        self._deadlines: dict[tuple[str, int], int] = {}
        self._closes: dict[tuple[str, int], int] = {}
        self._rungs: dict[str, set[str]] = {}
        self._receipts = dict.fromkeys((player.address for player in players), 0)
        self._mails = 0
        self._changed: set[str] = set()
        self._orders: dict[str, tuple[str, str]] = {}

    def look(self) -> None:
        """Check everything since the last check; occasionally check everything."""
        self._steps += 1
        self._new_events()
        self._new_receipts()
        self._new_mails()
        if self._steps % RARELY == 0:
            self.look_closely()

    def look_closely(self) -> None:
        """Check everything that is stored."""
        for check in (self._accepted, self._sent, self._owed, self._progress, self._seats):
            check()

    # The log

    def _new_events(self) -> None:
        store = self.world.server.store
        for event in store.read_all(after=self._seen):
            self._seen = store.place(event)
            if event.stream.startswith("match/"):
                match = event.stream.removeprefix("match/")
                self._changed.add(match)
                self._event(match, event)

    def _event(self, match: str, event: Event) -> None:
        said: dict[str, Any] = event.payload
        if event.type == "deadline.set":
            self._deadline(match, said)
        elif event.type == "exchange.closed":
            self._close(match, event, said)
        elif event.type == "exchange.resolved":
            rungs = self._rungs.setdefault(match, set())
            if said["rung"] in rungs:
                raise Broken("dice", f"match {match} uses a rung twice, in exchange {said['exchange']}")
            rungs.add(said["rung"])
        elif event.type == "order.sealed":
            self._orders[event.parts[0].commitment] = match, said["seat"]

    def _deadline(self, match: str, said: dict[str, Any]) -> None:
        key = match, said["exchange"]
        before = self._deadlines.get(key)
        if before is not None and said["at"] < before:
            raise Broken("deadlines", f"match {match}: the deadline of exchange {said['exchange']} comes sooner")
        if said["at"] < self.world.now - HOUR and before is None:
            raise Broken("deadlines", f"match {match}: a deadline is announced that has already passed")
        self._deadlines[key] = said["at"]
        self._closes[key] = said["at"] + said.get("grace", 0)

    def _close(self, match: str, event: Event, said: dict[str, Any]) -> None:
        key = match, said["exchange"]
        if key in self._closed:
            raise Broken("closing", f"match {match} closes exchange {said['exchange']} twice")
        self._closed.add(key)
        due = self._deadlines.get(key)
        if said["why"] == "deadline" and due is not None and event.recorded_at < due:
            early = due - event.recorded_at
            raise Broken("closing", f"match {match} closes exchange {said['exchange']} {early} ms early")

    # Receipts and emails

    def _new_receipts(self) -> None:
        for player in self.players:
            for receipt in player.receipts[self._receipts[player.address] :]:
                self._receipt(receipt)
            self._receipts[player.address] = len(player.receipts)

    def _receipt(self, receipt: Receipt) -> None:
        if not receipt.genuine() or commitment(bytes.fromhex(receipt.salt), receipt.content()) != receipt.commitment:
            raise Broken("receipts", f"the receipt of {receipt.seat} in match {receipt.match} does not verify")
        hashes = {event.hash for event in self.world.server.store.read(f"match/{receipt.match}")}
        if receipt.event not in hashes:
            raise Broken("acknowledged", f"the orders of {receipt.seat} in match {receipt.match} are not in the log")

    def _new_mails(self) -> None:
        sent = list(self.world.network.sent.values())
        for mail in sent[self._mails :]:
            for player in self.players:
                if player.address != mail.to and player.secret in mail.text:
                    raise Broken("secrets", f"an email to {mail.to} says what {player.address} wrote")
        self._mails = len(sent)

    def _accepted(self) -> None:
        """Check that every acknowledged email is stored, in a state that records its outcome."""
        rows = self.world.server.database.execute("SELECT id, state, why FROM inbound").fetchall()
        states = {id: (state, why) for id, state, why in rows}
        for id in self.world.accepted:
            if id not in states:
                raise Broken("acknowledged", f"mail {id} was accepted but is not stored")
        for id, (state, why) in states.items():
            if state not in STATES or (state == "dropped" and not why):
                raise Broken("books", f"mail {id} ended as {state!r} without a reason")

    def _sent(self) -> None:
        """Check that pending email is sent once, and once more only if the server died right after it."""
        for mail in self.world.network.sent.values():
            if mail.times > 1 + mail.excused:
                raise Broken("mail", f"an email to {mail.to} was sent {mail.times} times")
        marked = self.world.server.database.execute(
            "SELECT count(*) FROM outbox WHERE sent_at IS NOT NULL"
        ).fetchone()
        if marked[0] > len(self.world.network.sent):
            raise Broken("mail", f"{marked[0]} emails are marked as sent, {len(self.world.network.sent)} have left")

    def _owed(self) -> None:
        """Check that no email waits for days, fails again and again, or is given up because of an error."""
        waiting = outbox.waiting(self.world.server)
        late = [owed for owed in waiting if owed.queued_at < self.world.now - PATIENCE or owed.attempts >= ATTEMPTS]
        lost = [owed for owed in outbox.failed_emails(self.world.server) if not owed.error.startswith(OVERTAKEN)]
        for owed in (*late, *lost):
            raise Broken("mail", f"{owed.kind} for {owed.seat} in match {owed.match} was not sent: {owed.error}")

    def _progress(self) -> None:
        server = self.world.server
        query = "SELECT match, deadline FROM desk WHERE ended = 0 AND deadline IS NOT NULL"
        for match, deadline in server.database.execute(query).fetchall():
            late = self.world.now - max(
                deadline, self._closes.get((match, record_of(server, match).open_exchange), 0)
            )
            if late > PATIENCE and not record_of(server, match).halted and not outages.matches_to_extend(server, 1):
                raise Broken("progress", f"match {match} should have closed {late // HOUR} hours ago")
            if record_of(server, match).halted:
                raise Broken("progress", f"match {match} is halted")

    def _seats(self) -> None:
        """Check that no seat's export contains the orders of another seat while the match is running.

        The exports of a match without new events were checked before, and have not changed.
        """
        server = self.world.server
        changed, self._changed = self._changed, set()
        for match in sorted(changed):
            record = record_of(server, match)
            if record.ended is not None:
                continue
            for viewer in (*record.seats, "public"):
                for name in parts_in(export(server, match, viewer)):
                    _, seat = self._orders.get(name, ("", viewer))
                    if seat != viewer:
                        raise Broken("secrets", f"the export for {viewer} holds the orders of {seat}")

    # At the end

    def settle(self) -> Iterator[str]:
        """Check everything, chains and exports too; name the matches that were verified."""
        self._new_events()
        self._new_receipts()
        self._new_mails()
        self.look_closely()
        server = self.world.server
        for player in self.players:
            for receipt in player.receipts:
                self._receipt(receipt)
        for stream in server.store.streams():
            if broken := server.store.verify(stream):
                raise Broken("chains", f"{stream} is broken at version {broken.version}: {broken.why}")
        for stream in server.store.streams("match/"):
            match = stream.removeprefix("match/")
            report = verify_export(read_export(export(server, match, "public")), dict(self.world.titles))
            if not report.ok:
                raise Broken("chains", f"the export of match {match} does not verify: {report}"[:300])
            yield match


class _Line(msgspec.Struct):
    part: dict[str, str] | None = None


def parts_in(content: bytes) -> list[str]:
    """Return the commitments of the parts in an export without verifying it; `settle` verifies whole exports."""
    lines = (_line(line).part for line in content.splitlines() if b'"part":' in line[:20])
    return [part["commitment"] for part in lines if part is not None]


_line = msgspec.json.Decoder(_Line).decode


def tempo(world: World, match: str) -> tuple[str, bool]:
    """Name the pace of a match, and say whether it ended within the time announced for its exchanges."""
    record = record_of(world.server, match)
    took = record.ended.recorded_at - record.events[0].recorded_at if record.ended is not None else math.inf
    policy = record.created.timing.get("missed", "doctrine")
    return f"{record.created.cadence} h, {policy}", took <= announced_time(record)


def announced_time(record: Record) -> int:
    """The time allowed by the first deadline of each exchange, with its grace, and the time that outages added.

    An extension that a player asked for adds nothing. An exchange may close a moment after its deadline.
    """
    total, known = 0, dict[int, int]()
    for event, said in each(record.events, DeadlineSet):
        if said.exchange not in known:
            total += said.at + said.grace + MINUTE - event.recorded_at
        elif said.cause == "outage":
            total += said.at - known[said.exchange]
        known[said.exchange] = said.at
    return total
