"""Players at their mail programs, each with habits that a server must cope with."""

from __future__ import annotations

import random
from email.message import EmailMessage
from email.utils import parseaddr
from typing import TYPE_CHECKING, Any

import msgspec

from pbem.engine.play.bots import own_bot
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Rules, Submission
from pbem.matches import summaries
from pbem.matches.clock.deadlines import HOUR, MINUTE
from pbem.matches.exchange import submitting
from pbem.matches.history.receipts import Receipt
from pbem.matches.history.replay import load

if TYPE_CHECKING:
    from pbem.tools.simulation.world import World

NONSENSE = (
    "Thanks, will look at it tonight!",
    "r1 fly to the moon\nattack everything",
    "> r1 hold\n> r2 hold\n",
    "unsubscribe",
    "status",
    "help",
    "extension 24",
)


class Habits(msgspec.Struct, frozen=True):
    """How often a player does each of these things instead of answering in time, as a share of evenings."""

    name: str
    prompt: int
    late: float = 0.0
    absent: float = 0.0
    changes: float = 0.0
    second_device: float = 0.0
    nonsense: float = 0.0
    machine: float = 0.0


HABITS = (
    Habits("punctual", 6, late=0.02, absent=0.005, changes=0.1, second_device=0.1, nonsense=0.02),
    Habits("busy", 30, late=0.15, absent=0.03, changes=0.2, second_device=0.3, nonsense=0.05),
    Habits("careless", 18, late=0.1, absent=0.05, changes=0.4, second_device=0.2, nonsense=0.25),
    Habits("traveller", 12, late=0.05, absent=0.15, second_device=0.6, nonsense=0.03, machine=0.3),
)


class Player:
    """One person with an address, a seat and a secret marker that no other player may ever read."""

    def __init__(self, world: World, address: str, account: str, habits: Habits, seed: object) -> None:
        self.world, self.address, self.account, self.habits = world, address, account, habits
        self.chance = random.Random(f"{seed}/{address}")
        self.receipts: list[Receipt] = []
        self.away_until = 0
        self._mails = 0

    def reads(self, message: EmailMessage) -> None:
        """Receive an email, and decide when to answer it."""
        token = str(message.get("Reply-To", ""))
        if "+" not in token:
            return
        if self.chance.random() < self.habits.absent:
            self.away_until = self.world.now + self.chance.randrange(2 * 24, 15 * 24) * HOUR
            self.world.counted["absences"] += 1
        if self.chance.random() < self.habits.machine and self.world.now < self.away_until:
            self._write(token, "I am out of the office until Monday.", auto=True)
        delay = self.chance.randrange(5 * MINUTE, self.habits.prompt * HOUR)
        if self.chance.random() < self.habits.late:
            delay += self.chance.randrange(24, 120) * HOUR
        self.world.later(max(delay, self.away_until - self.world.now), lambda: self.answers(message, token))

    def answers(self, message: EmailMessage, token: str) -> None:
        """Answer an email, on one device or the other."""
        if self.chance.random() < self.habits.nonsense:
            self.world.counted["wrong replies"] += 1
            self._write(token, self.chance.choice(NONSENSE), message)
            return
        self.plays(token, message)
        if self.chance.random() < self.habits.changes:
            self.world.counted["changed orders"] += 1
            self.world.later(self.chance.randrange(MINUTE, 5 * HOUR), lambda: self.plays(token, message))

    def plays(self, token: str, message: EmailMessage) -> None:
        """Give orders in every match that waits for this player."""
        for match, seat in self._seats():
            found = self._orders(match, seat)
            if found is None:
                continue
            exchange, text = found
            if self.chance.random() < self.habits.second_device:
                self._seal_on_the_site(match, seat, exchange, text)
            else:
                self._write(token, text, message)

    def _seats(self) -> list[tuple[str, str]]:
        if self.world.survive(lambda: summaries.catch_up(self.world.server)) is None:
            return []  # the server has just died, or its database fails
        return summaries.seats_now(self.world.server, self.account)

    def _orders(self, match: str, seat: str) -> tuple[int, str] | None:
        """Return a bot's orders as text, with the player's secret in a comment."""
        position = load(self.world.server, match)
        ask = position.run.ask_of(seat) if seat in position.asked else None
        if ask is None or position.record.ended or position.record.halted:
            return None
        bot = own_bot(position.rules)(self.chance.random())
        said: Submission = bot(position.rules, position.run.view(seat), ask)
        return position.record.open_exchange, f"{in_lines(position.rules, ask, said)}\n# {self.secret}\n"

    @property
    def secret(self) -> str:
        return f"secret-of-{self.address.partition('@')[0]}"

    def _seal_on_the_site(self, match: str, seat: str, exchange: int, text: str) -> None:
        more: dict[str, Any] = {"by": self.account, "source": "web", "final": self.chance.random() < 0.7}

        def seal() -> Receipt | None:
            try:
                return submitting.submit(self.world.server, match, seat, exchange, text, **more)
            except Refusal:
                self.world.counted["refused on the site"] += 1
                return None

        receipt = self.world.survive(seal)
        if receipt is None:  # refused, or not acknowledged: the player may come back to it
            self.world.later(self.chance.randrange(MINUTE, HOUR), lambda: self._seal_again(match, seat))
        else:
            self.receipts.append(receipt)
            self.world.counted["orders on the site"] += 1
            self.world.tell(f"{self.address} seals exchange {exchange} on the site")

    def _seal_again(self, match: str, seat: str) -> None:
        """Try once more on the site, if the match still waits for this seat."""
        if self.chance.random() < 0.5 and (found := self._orders(match, seat)) is not None:
            self._seal_on_the_site(match, seat, *found)

    def _write(self, token: str, text: str, answered: EmailMessage | None = None, *, auto: bool = False) -> None:
        """Send an email with the answered one quoted below."""
        self._mails += 1
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self.address, token, "Re: orders"
        message["Message-ID"] = f"<{self._mails}.{self.address}>"
        if auto:
            message["Auto-Submitted"] = "auto-replied"
        quoted = ""
        if answered is not None:
            body = answered.get_body(("plain",))
            lines = str(body.get_content()).splitlines()[:30] if body else []
            quoted = "\n\nOn Monday somebody wrote:\n" + "\n".join(f"> {line}" for line in lines)
        message.set_content(text + quoted)
        self.world.counted["replies"] += 1
        self.world.tell(f"{self.address} writes: {text.splitlines()[0] if text else ''}")
        raw, to = message.as_bytes(), parseaddr(token)[1]
        for delay in self.world.network.journeys():
            self.world.later(delay, lambda: self.world.deliver(raw, [to], self.address))


def in_lines(rules: Rules, ask: Ask, said: Submission) -> str:
    """An answer as a player writes it."""
    if text := rules.restate(ask, said):
        return text
    answer = said.answer
    return "\n".join(f"{name} {order}" for name, order in answer.items()) if isinstance(answer, dict) else str(answer)
