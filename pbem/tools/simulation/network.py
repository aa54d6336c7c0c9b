"""The mail network: messages are delayed, lost, duplicated and reordered."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from email.message import EmailMessage
from email.utils import parseaddr

import msgspec

from pbem.matches.clock.deadlines import HOUR, MINUTE

LOST, DOUBLED, SLOW = 0.01, 0.02, 0.05
"""The shares of messages that are lost, duplicated, or delayed by hours."""


class Sent(msgspec.Struct):
    """A message from the server: how often it was sent, and how often the server or its database then failed."""

    to: str
    text: str
    times: int = 0
    excused: int = 0


class Network:
    """The mail network. `send` is the server's transport; `arrives` is called for every delivered copy."""

    def __init__(
        self, chance: random.Random, later: Callable[[int, Callable[[], None]], None], fault: Callable[[str], None]
    ) -> None:
        self.chance, self.later, self.fault = chance, later, fault
        self.sent: dict[str, Sent] = {}
        self.unmarked: Sent | None = None
        self.counted: Counter[str] = Counter()
        self.arrives: Callable[[EmailMessage], None] = lambda message: None

    def send(self, message: EmailMessage) -> None:
        """Accept a message from the server, which may crash before or after that."""
        self.fault("mail:before-send")
        key = str(message["Message-ID"])
        text = str(message["Subject"]) + "\n" + "\n".join(_texts(message))
        kept = self.sent.setdefault(key, Sent(parseaddr(str(message["To"]))[1], text))
        kept.times += 1
        self.counted["mails out"] += 1
        for delay in self.journeys():
            self.later(delay, lambda: self.arrives(message))
        try:
            self.fault("mail:after-send")
        except BaseException:
            kept.excused += 1  # nothing records that it has left, so it is sent again
            raise
        self.unmarked = kept

    def excuse(self) -> None:
        """Expect the last message to be sent again: the database failed before it was marked as sent."""
        if self.unmarked is not None:
            self.unmarked.excused += 1

    def journeys(self) -> list[int]:
        """Return the delay of each copy of a message; an empty list if it is lost."""
        if self.chance.random() < LOST:
            self.counted["mails lost"] += 1
            return []
        copies = 2 if self.chance.random() < DOUBLED else 1
        self.counted["mails doubled"] += copies - 1
        return [self._delay() for _ in range(copies)]

    def _delay(self) -> int:
        if self.chance.random() < SLOW:
            self.counted["mails delayed"] += 1
            return self.chance.randrange(1 * HOUR, 12 * HOUR)
        return self.chance.randrange(1000, 3 * MINUTE)


def _texts(message: EmailMessage) -> list[str]:
    parts = message.walk() if message.is_multipart() else [message]
    return [str(part.get_content()) for part in parts if part.get_content_maintype() == "text"]
