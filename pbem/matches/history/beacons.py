"""Public randomness beacons: one more input of the dice, unknown when the orders close.

An operator who plays in a match of the server knows its dice ladders, and could use them to choose orders. A match
with a beacon adds a value that a third party such as drand publishes later. The closing of an exchange fixes the
round: the first one that is published at least `delay` seconds after it. Every player gets the signed head of the
closing before the value is published, so the server cannot use it to choose orders or closing times.

The operator names the beacons of the server, each with a file or a command that gives its values. A line of a file,
or the output of a command, is a JSON object as drand publishes it:

    {"round": 7, "randomness": "0123…", "signature": "4567…"}

Where a value has a signature, the value is the SHA-256 of it. A late or missing value delays the match; no other
value replaces it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec

from eventstore import Database, upsert
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.messages import say
from pbem.matches.history.record import Record

DELAY = 300
"""Seconds between a closing and the first round that may be used, unless the operator says otherwise."""

PATIENCE = 20
"""Seconds that a command may take."""

LONGEST = 10_000_000
"""The most bytes read from a file or an answer."""

HEX = re.compile(r"(?:[0-9a-f]{2})+")
PREFIX = "beacon/"


class Unavailable(Exception):
    """The value of a round is not available now: the source does not answer, or its answer is not valid."""


class Terms(msgspec.Struct, frozen=True):
    """The beacon of a match: when round 1 is published, and the time between rounds.

    All times are in seconds, `genesis` since 1970.
    """

    name: str
    genesis: int
    period: Annotated[int, msgspec.Meta(ge=1)]
    delay: int = DELAY

    def round_after(self, closed: int) -> int:
        """Return the round for an exchange that closed at this time, in milliseconds since 1970."""
        elapsed = closed + 1000 * (self.delay - self.genesis)
        return max(1, -(-elapsed // (1000 * self.period)) + 1)

    def published_at(self, round: int) -> int:
        """Return when a round is published, in milliseconds since 1970."""
        return 1000 * (self.genesis + (round - 1) * self.period)


class Value(msgspec.Struct, frozen=True):
    """The published value of a round."""

    round: int
    randomness: str
    signature: str = ""

    def flaw(self) -> str:
        """Describe the fault of this value; empty if it can be used."""
        if not HEX.fullmatch(self.randomness) or len(self.randomness) != 64:
            return "its value is not 32 bytes in hex"
        if self.signature and not HEX.fullmatch(self.signature):
            return "its signature is not in hex"
        if self.signature and hashlib.sha256(bytes.fromhex(self.signature)).hexdigest() != self.randomness:
            return "its value is not the SHA-256 of its signature"
        return ""


class Beacon(msgspec.Struct, frozen=True):
    """A beacon that the operator offers: the terms for new matches, and where its values come from."""

    terms: Terms
    file: str = ""
    command: str = ""


def terms_of(created: dict[str, Any]) -> Terms | None:
    """Return the terms that a match was created with; None without a beacon."""
    return msgspec.convert(created, Terms) if created else None


class Awaited(msgspec.Struct, frozen=True):
    """The round that a closed exchange waits for, and when it is published."""

    name: str
    round: int
    at: int


def awaited_round(record: Record) -> Awaited | None:
    """Return the round that the closed exchange of a match waits for; None if it waits for none."""
    terms = terms_of(record.created.beacon)
    if terms is None or record.closing is None or record.closing.beacon:
        return None
    round = terms.round_after(record.closing.event.recorded_at)
    return Awaited(terms.name, round, terms.published_at(round))


def read_values(content: bytes) -> Iterator[Value]:
    """Read published values, one JSON object per line; fields other than the three are ignored."""
    for number, line in enumerate(content[:LONGEST].splitlines(), 1):
        if line.strip():
            try:
                yield msgspec.json.decode(line, type=Value)
            except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
                raise ValueError(f"line {number} is not the value of a beacon: {problem}") from problem


# The beacons of a server -------------------------------------------------------------------------------------


def offered_beacons(database: Database) -> dict[str, Beacon]:
    """Return the beacons that this server offers, by name."""
    rows = database.execute("SELECT name, value FROM house WHERE name LIKE 'beacon/%' ORDER BY name").fetchall()
    return {name.removeprefix(PREFIX): msgspec.json.decode(value, type=Beacon) for name, value in rows}


def offer(database: Database, beacon: Beacon) -> None:
    """Offer a beacon for new matches; running matches keep their terms and use its source."""
    _check(beacon)
    content = msgspec.json.encode(beacon).decode()
    database.execute(upsert("house", "name", "value"), (PREFIX + beacon.terms.name, content))


def retract(database: Database, name: str) -> None:
    """Stop offering a beacon."""
    database.execute("DELETE FROM house WHERE name = ?", (PREFIX + beacon_named(database, name).terms.name,))


def beacon_named(database: Database, name: str) -> Beacon:
    """Return a beacon by name; refuse an unknown name."""
    known = offered_beacons(database)
    if name not in known:
        why = say("this server offers no such beacon")
        raise Unreadable(name, [Objection("pbem/beacon", why)], [*known])
    return known[name]


def _check(beacon: Beacon) -> None:
    terms = beacon.terms
    wrong = ""
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", terms.name):
        wrong = "a beacon's name has up to 40 lower-case letters, digits and hyphens"
    elif terms.period < 1 or terms.genesis < 0 or not 0 <= terms.delay <= 86_400:
        wrong = "give a period of at least 1 second, and a delay of 0 to 86400 seconds"
    elif bool(beacon.file) == bool(beacon.command):
        wrong = "give either a file or a command that has the beacon's values"
    if wrong:
        raise Illegal(terms.name, [Objection("pbem/beacon", wrong)])


# Fetching ----------------------------------------------------------------------------------------------------


def fetch(beacon: Beacon, round: int) -> Value:
    """Return the value of a round from the beacon's source; `Unavailable` says why there is none yet."""
    try:
        found = list(read_values(_from_file(beacon) if beacon.file else _from_command(beacon, round)))
    except (OSError, ValueError, subprocess.SubprocessError) as problem:
        raise Unavailable(f"{beacon.terms.name}: {problem}") from problem
    return pick(found, beacon.terms.name, round)


def pick(values: Iterable[Value], name: str, round: int) -> Value:
    """Return the value of this round from several values; refuse values that contradict each other."""
    found = {value for value in values if value.round == round}
    if not found:
        raise Unavailable(f"{name}: round {round} is not published yet")
    if len(found) > 1:
        raise Unavailable(f"{name}: its source has several values for round {round}")
    value = found.pop()
    if flaw := value.flaw():
        raise Unavailable(f"{name}: round {round}: {flaw}")
    return value


def _from_file(beacon: Beacon) -> bytes:
    """Read the end of the file, from the start of a line, because a file of rounds grows without limit."""
    with Path(beacon.file).open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - LONGEST))
        if size > LONGEST:
            file.readline()
        return file.read(LONGEST)


def _from_command(beacon: Beacon, round: int) -> bytes:
    """Run the command with {round} replaced by the number; no shell is involved."""
    words = [word.replace("{round}", str(round)) for word in shlex.split(beacon.command)]
    done = subprocess.run(words, capture_output=True, timeout=PATIENCE, check=True, stdin=subprocess.DEVNULL)
    return done.stdout
