"""A server whose public beacon reads its values from a file, and forgeries of these values."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from support.forgeries.forging import Lines, first, insert_before, remove
from support.playing import NOON, SEATS, entropy
from support.toy import AmbushTitle

from pbem.engine.rules.title import Submission
from pbem.matches.clock import tick
from pbem.matches.exchange import advancing, creating, sealing
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history import beacons
from pbem.matches.history.beacons import Beacon, Terms, Value
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.matches.server import Server

GENESIS = NOON // 1000 - 100_000
TERMS = Terms("night", GENESIS, 30, 60)
SECOND = 1000


class Clocked:
    """A server whose clock the test sets, with a public beacon that reads its values from a file."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.now, self.values = folder, NOON, folder / "values.jsonl"
        self.values.write_text("")
        self.server = self.opened()
        beacons.offer(self.server.database, Beacon(TERMS, file=str(self.values)))

    def opened(self, failpoint: Callable[[str], None] | None = None) -> Server:
        titles, clock = {"ambush": AmbushTitle()}, lambda: self.now
        return open_server(self.folder / "pbem.db", titles, entropy=entropy(0), clock=clock, failpoint=failpoint)

    def match(self) -> str:
        match = creating.new_match(self.server, "ambush", "tiny", cadence=24, beacon="night")
        for seat, account in SEATS.items():
            take_seat(self.server, match, seat, account)
        advancing.advance(self.server, match)
        return match

    def publish(self, round: int, seed: str = "") -> Value:
        value = a_value(round, seed)
        with self.values.open("a") as file:
            file.write(
                json.dumps({"round": round, "randomness": value.randomness, "signature": value.signature}) + "\n"
            )
        return value

    def due(self, match: str) -> beacons.Awaited:
        found = beacons.awaited_round(record_of(self.server, match))
        assert found is not None
        return found

    def go_on(self, match: str) -> Value:
        """Publish the beacon round for which a match waits, and let the server use it; return its value."""
        due = self.due(match)
        value = self.publish(due.round)
        self.now = due.at
        tick.tick(self.server, self.now)
        return value

    def seal_both(self, match: str) -> None:
        exchange = record_of(self.server, match).open_exchange
        for seat in SEATS:
            sealing.seal(self.server, match, seat, exchange, Submission({}), final=True)
        advancing.advance(self.server, match)


def two_exchanges(folder: Path) -> tuple[Server, str, list[Value]]:
    """Play a match through two exchanges with beacon values; return server, match and values."""
    here = Clocked(folder)
    match = here.match()
    values = [here.go_on(match)]
    here.seal_both(match)
    values.append(here.go_on(match))
    return here.server, match, values


def a_value(round: int, seed: str = "") -> Value:
    signature = hashlib.sha256(f"{round}{seed}".encode()).hexdigest() * 2
    return Value(round, hashlib.sha256(bytes.fromhex(signature)).hexdigest(), signature)


def another_round(lines: Lines) -> None:
    first(lines, "beacon.taken", exchange=2)["payload"]["round"] += 1


def another_value(lines: Lines) -> None:
    first(lines, "beacon.taken", exchange=2)["payload"]["value"] = "00" * 32


def without_value(lines: Lines) -> None:
    remove(lines, first(lines, "beacon.taken", exchange=2))


def taken_twice(lines: Lines) -> None:
    taken = first(lines, "beacon.taken", exchange=2)
    insert_before(lines, first(lines, "exchange.resolved", exchange=2), "beacon.taken", **taken["payload"])


def taken_early(lines: Lines) -> None:
    taken = first(lines, "beacon.taken", exchange=2)
    taken["recorded_at"] = first(lines, "exchange.closed", exchange=2)["recorded_at"]


def closed_later(lines: Lines) -> None:
    """Backdate the closing, as if the server had waited for a beacon round that it likes."""
    first(lines, "exchange.closed", exchange=2)["recorded_at"] += 30 * SECOND


def named_at_closing(lines: Lines) -> None:
    first(lines, "exchange.closed", exchange=2)["payload"]["beacon"] = "77"


def not_agreed(lines: Lines) -> None:
    del first(lines, "match.created")["payload"]["beacon"]


FORGERIES = [
    another_round,
    another_value,
    without_value,
    taken_twice,
    taken_early,
    closed_later,
    named_at_closing,
    not_agreed,
]
