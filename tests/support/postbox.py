"""A server with a real SMTP listener, a clock that the test sets, and mailboxes that it can read."""

from __future__ import annotations

import re
import smtplib
from collections.abc import Mapping
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path

from support.hosts.ports import free_port
from support.toy import AmbushTitle

from pbem.engine.rules.title import Title
from pbem.mail.inbound.handle import drain
from pbem.mail.inbound.listeners import SmtpListener
from pbem.mail.outbound.compose import send_due
from pbem.mail.settings import Settings
from pbem.matches.accounts import accounts
from pbem.matches.clock import tick
from pbem.matches.clock.deadlines import HOUR
from pbem.matches.exchange import creating
from pbem.matches.installation import open_server
from pbem.matches.players import invitations

START = 1_900_000_000_000
ALICE, BOB = "alice@example.org", "bob@example.net"


class Pile:
    """A transport that stores outgoing emails for the test."""

    def __init__(self, sent: list[EmailMessage]) -> None:
        self.sent = sent

    def send(self, message: EmailMessage) -> None:
        self.sent.append(message)


class Post:
    """The server and mailboxes of an email test: `tick` makes the server work, `last` reads a mailbox, `send` uses
    SMTP."""

    def __init__(self, folder: Path, titles: Mapping[str, Title] | None = None) -> None:
        self.now = START
        self.settings = Settings(domain="pbem.test", base_url="https://pbem.test")
        self.server = open_server(folder / "pbem.db", titles or {"ambush": AmbushTitle()}, clock=lambda: self.now)
        self.sent: list[EmailMessage] = []
        self.transport = Pile(self.sent)
        self.port = free_port()
        self.door = SmtpListener(self.server, self.settings, port=self.port)
        self.count = 0

    # The server's side

    def tick(self, hours: int = 0) -> None:
        self.now += hours * HOUR + 1000
        tick.tick(
            self.server,
            self.now,
            drain=lambda now: drain(self.server, self.settings, now) and None,
            send=lambda now: send_due(self.server, self.settings, self.transport, now) and None,
        )

    # The players' side

    def of(self, address: str) -> list[EmailMessage]:
        return [message for message in self.sent if parseaddr(message["To"])[1] == address]

    def last(self, address: str) -> EmailMessage:
        return self.of(address)[-1]

    def write(self, to: str, text: str, sender: str, **headers: str) -> EmailMessage:
        self.count += 1
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = sender, to, "Re: orders"
        message["Message-ID"] = f"<{self.count}@{sender.partition('@')[2]}>"
        for name, value in headers.items():
            message[name.replace("_", "-")] = value
        message.set_content(text)
        return message

    def reply(self, address: str, text: str, *, to: EmailMessage | None = None) -> EmailMessage:
        """Reply to an email, by default to the last one, with the quotation below, as mail programs do."""
        asked = to or self.last(address)
        quoted = "\n".join(f"> {line}" for line in text_of(asked).splitlines())
        below = f"\n\nOn Mon, 3 Mar 2025 at 12:00, pbem <orders@pbem.test> wrote:\n\n{quoted}\n"
        message = self.write(asked["Reply-To"], text + below, address, In_Reply_To=asked["Message-ID"])
        self.send(message)
        return message

    def send(self, message: EmailMessage, *, envelope_sender: str | None = None) -> None:
        sender = parseaddr(message["From"])[1] if envelope_sender is None else envelope_sender
        with smtplib.SMTP("127.0.0.1", self.port) as client:
            client.send_message(message, from_addr=sender)

    def state_of_last_mail(self) -> tuple[str, str]:
        row = self.server.database.execute("SELECT state, why FROM inbound ORDER BY id DESC LIMIT 1").fetchone()
        return (row[0], row[1])

    def begin(self, cadence: int = 48) -> str:
        """Start a match of Alice (red) against Bob (blue), whose order forms are then in their mailboxes; return its
        id."""
        match = creating.new_match(self.server, "ambush", "tiny", name="The Pass", cadence=cadence)
        for seat, address in (("red", ALICE), ("blue", BOB)):
            invitations.invite(self.server, match, seat, address)
        self.tick()
        for address in (ALICE, BOB):
            self.reply(address, "accept")
        self.tick()
        return match

    def account(self, address: str) -> accounts.Account:
        found = accounts.by_address(self.server, address)
        assert found is not None
        return found


def text_of(message: EmailMessage) -> str:
    body = message.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def form_in(message: EmailMessage) -> str:
    """Return the order form in an email, ready to edit."""
    lines = re.findall(r"^    (.*(?:hold|go|ambush).*)$", text_of(message), re.MULTILINE)
    return "\n".join(lines)
