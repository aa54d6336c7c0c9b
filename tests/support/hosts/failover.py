"""Helpers for failover tests: writers that remember which events were acknowledged, and a match to play."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from support.seated import TITLES

from eventstore import Conflict, EventStore, NewEvent, StoreTrouble
from pbem.engine.rules.refusals import Refusal
from pbem.matches.accounts import accounts
from pbem.matches.audit.verify import verify_export
from pbem.matches.clock import tick
from pbem.matches.exchange import creating, submitting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.export import export, read_export
from pbem.matches.history.receipts import Receipt
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.matches.server import Server

SEATS = ("red", "blue")


class Writer(threading.Thread):
    """Appends events one after another, and remembers which of them were acknowledged."""

    def __init__(self, store: EventStore, stream: str, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.store, self.stream, self.stop_event = store, stream, stop
        self.acknowledged: list[int] = []

    def run(self) -> None:
        number = 0
        while not self.stop_event.is_set():
            number += 1
            try:
                with self.store.transaction(shared=True) as transaction:
                    version = transaction.version(self.stream)
                    transaction.append(self.stream, [NewEvent("thing.counted", {"n": number})], expected=version)
                self.acknowledged.append(number)
            except (StoreTrouble, Conflict):
                time.sleep(0.05)


class Writers:
    """Several writers at the same time, each in its own stream."""

    def __init__(self, store: EventStore, number: int) -> None:
        self._stop = threading.Event()
        self.writers = [Writer(store, f"stream/{index}", self._stop) for index in range(number)]
        for writer in self.writers:
            writer.start()

    @property
    def count(self) -> int:
        return sum(len(writer.acknowledged) for writer in self.writers)

    def stop(self) -> None:
        self._stop.set()
        for writer in self.writers:
            writer.join(60)
            assert not writer.is_alive(), "a writer hangs"

    def check(self, store: EventStore) -> None:
        """Check that no acknowledged event is lost or doubled, chains are valid, and a projection sees each event
        once."""
        seen: list[tuple[str, int]] = []
        settle(lambda: store.project("seen", lambda transaction, event: seen.append((event.stream, event.version))))
        total = 0
        for writer in self.writers:
            found = [event.payload["n"] for event in store.read(writer.stream)]
            assert set(writer.acknowledged) <= set(found)
            assert len(found) == len(set(found)), "an event was written twice"
            assert store.verify(writer.stream) is None
            total += len(found)
        assert len(seen) == len(set(seen)) == total


def settle(act: Callable[[], Any], patience: float = 120) -> Any:
    """Repeat an action until the database answers; return the result."""
    until = time.monotonic() + patience
    while True:
        try:
            return act()
        except StoreTrouble:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


def account_of(server: Server, seat: str) -> str:
    found = accounts.by_address(server, f"{seat}@example.org")
    assert found is not None
    return found.id


class Table:
    """A match between two people, on a server with its own database."""

    titles = TITLES

    def __init__(self, folder: Path, address: str, match: str = "", *, recovers: bool = True) -> None:
        folder.mkdir(exist_ok=True)
        self.folder, self.address = folder, address
        self.server = open_server(folder / "pbem.db", TITLES, database=address)
        if recovers:
            tick.recover(self.server)
        self.match = match or self._begin()
        self.people = {seat: account_of(self.server, seat) for seat in SEATS}

    def _begin(self) -> str:
        match = creating.new_match(self.server, "ambush", "tiny", cadence=48)
        for seat in SEATS:
            account = accounts.open_account(self.server, f"{seat}@example.org", seat).id
            take_seat(self.server, match, seat, account)
        tick.work_round(self.server)
        return match

    @property
    def open_exchange(self) -> int:
        return record_of(self.server, self.match).open_exchange

    def wait(self, span: int) -> None:
        """Move the clock of this server forward."""
        before = self.server.store.clock
        self.server.store.clock = lambda: before() + span

    def hashes(self) -> set[str]:
        return {event.hash for event in record_of(self.server, self.match).events}

    def seal(self, seat: str) -> Receipt:
        more: dict[str, Any] = {"by": self.people[seat], "final": True, "source": "web"}
        receipt = submitting.submit(self.server, self.match, seat, self.open_exchange, "", **more)
        assert isinstance(receipt, Receipt)
        return receipt

    def play_a_turn(self) -> Receipt:
        """Seal orders for both seats, play the turn, and check the match; return the first receipt."""
        before = self.open_exchange
        receipts = [self.seal(seat) for seat in SEATS]
        tick.work_round(self.server)
        assert self.open_exchange > before
        self.check(*receipts)
        return receipts[0]

    # Over a bad line

    def open_exchange_when_it_answers(self) -> int:
        return int(settle(lambda: self.open_exchange))

    def has_gone_on(self, exchange: int) -> bool:
        return self.open_exchange_when_it_answers() > exchange

    def try_a_turn(self, exchange: int) -> list[Receipt]:
        """Seal orders for the remaining seats and play the turn, if the database answers; return the receipts."""
        receipts = []
        for seat in SEATS:
            with suppress(StoreTrouble, Refusal):
                if seat not in record_of(self.server, self.match).sealed and self.open_exchange == exchange:
                    receipts.append(self.seal(seat))
        with suppress(StoreTrouble):
            tick.work_round(self.server)
        return receipts

    def check(self, *receipts: Receipt) -> None:
        """Check that no rung is used twice, chains are valid, the export verifies, and the log contains these
        receipts."""
        record = record_of(self.server, self.match)
        rungs = [event.payload["rung"] for event in record.events if event.type == "exchange.resolved"]
        assert len(rungs) == len(set(rungs))
        for stream in self.server.store.streams():
            assert self.server.store.verify(stream) is None
        assert verify_export(read_export(export(self.server, self.match, "public")), dict(TITLES)).ok
        for receipt in receipts:
            assert receipt.genuine() and receipt.event in self.hashes()

    def check_restored(self, lost: Receipt) -> None:
        """Check that orders sealed before a restore are void, and are asked for again under other dice."""
        record = record_of(self.server, self.match)
        kinds = [event.type for event in record.events]
        assert kinds.count("ladder.started") >= 1 and "exchange.voided" in kinds
        assert not record.sealed and record.open_exchange != lost.exchange
        assert lost.genuine()
        self.play_a_turn()

    def close(self) -> None:
        """Stop the server; its last heartbeat records the database's position."""
        assert self.server.store.changed_history() is None
        self.server.close()
