"""A soak of hostile emails: each is read with bounded work, and answered with a bounded email.

For every email the bytes parsed, the characters scanned and the lines read are counted (`matches.players.work`). For
one in fifty, since that takes twenty times as long, the calls of Python functions and the memory are counted too.
Seconds mean little on a busy machine; these counts are the same on every machine.
"""

from __future__ import annotations

import base64
import random
import sys
import tempfile
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from email.message import EmailMessage
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec

from pbem.engine.rules.title import Title
from pbem.mail.inbound.handle import drain
from pbem.mail.inbound.listeners import deliver
from pbem.mail.outbound.compose import send_due
from pbem.mail.settings import Settings
from pbem.matches.accounts import accounts
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.matches.players.sizes import MOST_LINES, MOST_TEXT
from pbem.matches.players.work import MOST, count_work
from pbem.matches.post import inbox, reply_tokens
from pbem.matches.server import Server

SETTINGS = Settings(domain="pbem.test")
MOST_CALLS = 1_500_000
"""The most calls of Python functions for one email, for any content and title; a battalion takes a third."""

MOST_MEMORY = 24 * 1024 * 1024
MOST_ANSWER = 40_000
"""The most bytes of an answer, including attachments, unless the form is larger."""

LOOKED_INTO = 50
"""One email in this many is profiled."""

LARGE = 900_000
WORDS = ["hold", "go3", "fire", "press all:", "status", ">", "--", "On", "wrote:", "#", "\u202e", "final", "From:"]


class Profile:
    """Counts the calls of Python functions and their peak memory."""

    def __init__(self) -> None:
        self.calls, self.memory = 0, 0

    def __enter__(self) -> Profile:
        tracemalloc.start()
        self._before = sys.getprofile()
        sys.setprofile(self._count)
        return self

    def __exit__(self, *problem: object) -> None:
        sys.setprofile(self._before)
        self.memory = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

    def _count(self, frame: FrameType, event: str, what: object) -> None:
        self.calls += event == "call"


# The emails --------------------------------------------------------------------------------------------------


def html(body: str) -> bytes:
    return b"Content-Type: text/html; charset=utf-8\r\n\r\n" + body.encode()


def plain(body: str) -> bytes:
    return b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + body.encode()


def hostile(unit: str = "r1", large: int = LARGE) -> dict[str, bytes]:
    """Emails designed to be expensive to handle: everything after their address lines."""
    return {name: make() for name, make in hostile_makers(unit, large).items()}


def hostile_makers(unit: str, large: int) -> dict[str, Callable[[], bytes]]:
    """The makers of these emails; they are large, so each is made when it is sent."""
    part = b"--b\r\nContent-Type: text/plain\r\n\r\n" + f"{unit} hold\r\n".encode()
    return {
        "one line": lambda: plain(f"{unit} hold " * (large // 8)),
        "one word": lambda: plain("r" * large),
        "as many lines as fit": lambda: plain("r1\n" * (large // 3)),
        "as many orders as fit": lambda: plain(f"{unit} hold\n" * (large // 8)),
        "as many quotes as fit": lambda: plain("> " * (large // 2)),
        "as many attributions as fit": lambda: plain(
            "On Mon, 3 Mar 2025 at 12:00, x <a@b.c> wrote\n" * (large // 46)
        ),
        "as many words for the server as fit": lambda: plain("status\n" * (large // 7)),
        "a long letter": lambda: plain("press blue: " + "x" * large),
        "marks in the wrong order": lambda: plain("a" + "\u0301\u0327" * (large // 4)),
        "elements within elements": lambda: html("<div>" * (large // 5)),
        "elements beside elements": lambda: html("<br>" * (large // 4)),
        "unclosed tags": lambda: html("<" * large),
        "attributes": lambda: html("<p " + 'class="x" ' * (large // 10) + ">"),
        "entities": lambda: html("&amp;" * (large // 5)),
        "base64": lambda: (
            b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.b64encode(b"r1 hold " * (large // 12))
        ),
        "quoted-printable": lambda: b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + b"=3D" * (large // 3),
        "as many parts as are let in": lambda: b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + part * 490,
        "as many lines as are read": lambda: plain(f"{unit} dance\n" * (MOST_LINES - 1)),
        "as much text as is read": lambda: plain("\n".join([f"{unit} dance " * 90] * (MOST_TEXT // 1000))),
        "orders for formations": lambda: plain("company red overwatch\n" * (MOST_LINES - 1)),
        "a name without end": lambda: plain(f"{unit} hold\n" + "Ж" * min(large, MOST_TEXT - 100) + "1"),
        "a closing without end": lambda: plain(f"{unit} hold\n" + ("Best regards " + "Ж" * 900 + "1\n") * 20),
        "a rule without end": lambda: plain("-" * large + "a\n" + f"{unit} hold\n" + "-" * large + "a"),
        "a telephone number without end": lambda: plain(f"{unit} hold\nphone" + " " * (large // 2) + "1 - x"),
        "codes": lambda: plain("abcdefghijklmnopqrstuvwxyz234567abcd " * (large // 37)),
    }


def soup(chance: random.Random) -> bytes:
    """Put words of orders, quotes and headers into a random order."""
    words = [*WORDS, *(f"{side}{number}" for side in "rgb" for number in range(1, 5))]
    lines = (" ".join(chance.choices(words, k=chance.randint(1, 12))) for _ in range(chance.randint(1, 380)))
    return plain("\n".join(lines))


def damage(content: bytes, chance: random.Random) -> bytes:
    """Return an email with pieces of it cut out, repeated or overwritten."""
    raw = bytearray(content)
    for _ in range(chance.randint(0, 6)):
        place, length = chance.randrange(len(raw) + 1), chance.randrange(200)
        piece = bytes(raw[place : place + length])
        raw[place : place + length] = chance.choice([b"", b"\xff\x00\x1b$)C", b"\r\n\r\n", b'";=?', piece * 3])
    return bytes(raw)


def hostile_mails(count: int, seed: str) -> Iterator[tuple[str, bytes]]:
    """This many emails with their names, the same for the same seed."""
    chance = random.Random(seed)
    for _ in range(count):
        size = chance.choice([2_000, 20_000, 60_000, 200_000, LARGE])
        makers = hostile_makers(chance.choice(["r1", "g1", "b1"]), size)
        makers["a soup of words"] = lambda: soup(chance)
        name = chance.choice(sorted(makers))
        yield name, damage(makers[name](), chance)


# The soak ----------------------------------------------------------------------------------------------------


class Kept:
    """A transport that records only the size of each message."""

    def __init__(self) -> None:
        self.largest = 0

    def send(self, message: EmailMessage) -> None:
        self.largest = max(self.largest, len(message.as_bytes()))


class Cost(msgspec.Struct, frozen=True):
    """The cost of one email; calls and memory are known only if it was profiled."""

    bytes: int
    characters: int
    lines: int
    answer: int
    calls: int
    memory: int


def limits(most_answered: int) -> Cost:
    """The limits on an email's cost."""
    return Cost(MOST.bytes, MOST.characters, MOST.lines, most_answered, MOST_CALLS, MOST_MEMORY)


class Target:
    """A server with one match, and the ways to write to it."""

    def __init__(self, folder: Path, titles: Mapping[str, Title], title: str, scenario: str) -> None:
        self.server: Server = open_server(folder / "pbem.db", titles)
        self.match = creating.new_match(self.server, title, scenario, name="A target")
        self.address = "player0@example.org"
        for number, seat in enumerate(record_of(self.server, self.match).seats):
            account = accounts.open_account(self.server, f"player{number}@example.org")
            take_seat(self.server, self.match, seat, account.id)
        self.transport = Kept()
        send_due(self.server, SETTINGS, self.transport, self.server.store.clock())
        self.most_answered = max(MOST_ANSWER, self.transport.largest)  # as large as the emails with the forms
        self.transport.largest = self._count = 0

    def ways(self) -> list[tuple[str, str]]:
        """Senders and recipients: a player to the seat, a stranger to no seat, and a player to no seat."""
        record = record_of(self.server, self.match)
        seat = record.seats[0]
        place = {"match": self.match, "seat": seat, "occupancy": record.occupants[seat]["occupancy"]}
        token = reply_tokens.make(self.server, use="orders", number=record.open_exchange, **place)
        here, nobody = SETTINGS.address(token), SETTINGS.address()
        return [(self.address, here), ("stranger@example.com", nobody), (self.address, nobody)]

    def read(self, sender: str, to: str, content: bytes, *, profiled: bool = False) -> Cost:
        """Store an email as a listener would, then read and answer it."""
        self._count += 1
        head = f"From: {sender}\r\nTo: {to}\r\nSubject: Re: x\r\nMessage-ID: <{self._count}@example.org>\r\n"
        now = self.server.store.clock()
        profile = Profile()
        with count_work() as spent, profile if profiled else nullcontext():
            deliver(self.server, head.encode() + content, refuse=False, sender=sender, recipients=[to])
            drain(self.server, SETTINGS, now)
        self.server.database.execute("DELETE FROM limits")  # each answer is sent, even the hundredth
        before, self.transport.largest = self.transport.largest, 0
        send_due(self.server, SETTINGS, self.transport, now)
        cost = Cost(spent.bytes, spent.characters, spent.lines, self.transport.largest, profile.calls, profile.memory)
        self.transport.largest = max(before, self.transport.largest)
        return cost


def soak_hostile(
    titles: Mapping[str, Title], title: str, scenario: str, count: int, say: Callable[[str], None], *, seed: str = "1"
) -> dict[str, Any]:
    """Send hostile emails and count the cost of each. `problems` should be empty."""
    problems: list[str] = []
    most = Counter[str]()
    with tempfile.TemporaryDirectory(prefix="pbem-soak-") as folder:
        target = Target(Path(folder), titles, title, scenario)
        chance, allowed = random.Random(seed), msgspec.structs.asdict(limits(target.most_answered))
        for number, (name, content) in enumerate(hostile_mails(count, seed), start=1):
            way = chance.choice(target.ways())
            cost = msgspec.structs.asdict(target.read(*way, content, profiled=number % LOOKED_INTO == 1))
            problems += [
                f"mail {number} ({name}): {cost[what]} {what}" for what in cost if cost[what] > allowed[what]
            ]
            most.update({what: max(0, amount - most[what]) for what, amount in cost.items()})
            if number % 500 == 0:
                say(f"{number} mails, at most " + ", ".join(f"{amount} {what}" for what, amount in most.items()))
        if waiting := inbox.waiting(target.server):
            problems.append(f"{len(waiting)} mails still wait")
        rows = target.server.database.execute("SELECT state, count(*) FROM inbound GROUP BY state").fetchall()
        target.server.close()
    return {"mails": count, "most": dict(most), "allowed": allowed, "states": dict(rows), "problems": problems}
