"""A long run of mixed emails through the SMTP listener, with the server killed midway, and exact bookkeeping.

Every email is created with its expected outcome. The server runs in its own process, which is killed without warning
after half of the emails, and restarted. Clients act like mail hosts: they resend anything that was not acknowledged.
At the end the books must balance:

    accepted = applied + refused with an answer + held + repeated + dropped with a reason
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import random
import signal
import smtplib
import socket
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from email.message import EmailMessage
from email.utils import formatdate
from pathlib import Path
from typing import Any

import msgspec

from pbem.engine.rules.title import Title
from pbem.mail.inbound.handle import drain
from pbem.mail.inbound.listeners import SmtpListener
from pbem.mail.outbound.compose import send_due
from pbem.mail.outbound.transports import MaildirTransport
from pbem.mail.settings import Settings
from pbem.matches import views
from pbem.matches.accounts import accounts
from pbem.matches.clock import tick
from pbem.matches.clock.deadlines import now
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.matches.post import inbox, reply_tokens
from pbem.matches.server import Server

SETTINGS = Settings(domain="soak.invalid", base_url="https://soak.invalid")
PER_MATCH = 40
CLIENTS = 3
MOST_ANSWERS = 15
"""The most answers to one account, so that the limit on answers is not reached."""

PATIENCE = 120
DATABASE = "soak.db"
NOT_TAKEN = "not taken"
CHARSETS = ("utf-8", "koi8-r", "euc-kr", "iso-2022-jp", "shift_jis", "gb18030")
FOR_A_SEAT = ("orders", "repeated", "status", "nonsense", "foreign", "old")
"""The kinds of email whose second copies can be recognised."""

ENCODINGS = ("quoted-printable", "base64", "8bit")


class Seat(msgspec.Struct):
    """A seat with its addresses and tokens, and its last orders."""

    match: str
    seat: str
    address: str
    token: str
    old_token: str
    return_address: str
    form: str
    answers: int = 0
    last: str = ""
    sent: list[Mail] = []


class Mail(msgspec.Struct):
    """An email, its destination, and its expected outcome."""

    kind: str
    id: str
    raw: bytes
    sender: str
    to: str
    wanted: str
    acknowledged: bool = False
    doubtful: bool = False


# The server --------------------------------------------------------------------------------------------------


def serve(folder: str, titles: Mapping[str, Title], port: int) -> None:
    """Run a server with its listener and its mail queue until it is killed."""
    logging.getLogger("pbem").setLevel(logging.ERROR)
    server = open_server(Path(folder) / DATABASE, titles)
    transport = MaildirTransport(Path(folder) / "sent")
    door = SmtpListener(server, SETTINGS, port=port)
    door.start()
    while True:
        tick.tick(
            server,
            now(server),
            drain=lambda at: drain(server, SETTINGS, at) >= 0,
            send=lambda at: send_all_due(server, transport, at),
        )
        time.sleep(0.02)


def send_all_due(server: Server, transport: MaildirTransport, at: int) -> None:
    while send_due(server, SETTINGS, transport, at):
        pass


class ServerProcess:
    """The process, which can be killed and started again on the same folder and port."""

    def __init__(self, folder: Path, titles: Mapping[str, Title]) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self._arguments = (str(folder), dict(titles), self.port)
        self._process: Any = None

    def start(self) -> None:
        self._process = multiprocessing.get_context("spawn").Process(target=serve, args=self._arguments, daemon=True)
        self._process.start()

    def kill(self) -> None:
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.join()


# The emails --------------------------------------------------------------------------------------------------


def new_matches(server: Server, title: str, scenario: str, count: int) -> list[Seat]:
    """Matches with their first exchange over, so that there are old tokens."""
    seats: list[Seat] = []
    for number in range(count):
        match = creating.new_match(server, title, scenario, name=f"Soak {number}")
        for place, seat in enumerate(record_of(server, match).seats):
            account = accounts.open_account(server, f"player-{number}-{place}@players.invalid")
            take_seat(server, match, seat, account.id)
        status = views.status(server, match)
        for seat in status.asked:
            seats.append(new_seat(server, match, seat, status.exchange))
    return seats


def new_seat(server: Server, match: str, seat: str, exchange: int) -> Seat:
    taken = record_of(server, match).occupants[seat]
    place: dict[str, Any] = {"use": "orders", "match": match, "seat": seat, "occupancy": taken["occupancy"]}
    return Seat(
        match=match,
        seat=seat,
        address=accounts.account(server, taken["account"]).addresses[0],
        token=reply_tokens.make(server, number=exchange, **place),
        old_token=reply_tokens.make(server, number=exchange - 1, **place),
        return_address=SETTINGS.return_address(reply_tokens.make(server, use="stop", account=taken["account"])),
        form=views.open_form(server, match, seat).text,
        sent=[],
    )


class Writer:
    """Writes emails of every kind; the same seed writes the same ones."""

    def __init__(self, seats: Sequence[Seat], seed: str) -> None:
        self._seats, self._chance = seats, random.Random(seed)
        self._count = 0

    def plan(self, messages: int) -> list[Mail]:
        """Plan this many emails; a player who has reached the limit on answers sends only orders."""
        kinds: list[Callable[[Seat], Mail]] = [
            *(self.orders, self.orders, self.orders, self.repeated, self.status, self.nonsense, self.foreign),
            *(self.old, self.forged, self.forged_by_stranger, self.stranger, self.vacation, self.bounce),
            *(self.damaged, self.huge),
        ]
        mails = []
        for _ in range(messages):
            seat = self._chance.choice(self._seats)
            make = self._chance.choice(kinds)
            mails.append(make(seat) if seat.answers < MOST_ANSWERS else self.orders(seat))
        return mails

    def mail(self, kind: str, seat: Seat, text: str, wanted: str, **more: Any) -> Mail:
        """An email from the seat's own address with its own token, unless `more` says otherwise."""
        self._count += 1
        sender, token = more.pop("sender", seat.address), more.pop("token", seat.token)
        to = SETTINGS.address(token)
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = sender, to, "Re: your orders"
        message["Message-ID"], message["Date"] = f"<{self._count}@players.invalid>", formatdate()
        for name, value in more.items():
            message[name.replace("_", "-")] = value
        charset, encoding = self._chance.choice(CHARSETS), self._chance.choice(ENCODINGS)
        message.set_content(text, charset=charset, cte=encoding)
        raw = message.as_bytes()
        return Mail(kind, message["Message-ID"], raw, sender, to, wanted)

    def orders(self, seat: Seat) -> Mail:
        seat.last = f"{seat.form}\n# {self._count}"
        below = f"On Mon, 3 Mar 2025 at 12:00, pbem <{SETTINGS.address()}> wrote:\n> {seat.form.splitlines()[0]}\n"
        mail = self.mail("orders", seat, f"{seat.last}\n\n{below}", inbox.APPLIED)
        seat.sent.append(mail)
        return mail

    def repeated(self, seat: Seat) -> Mail:
        """An email that a host has sent twice."""
        if not seat.sent:
            return self.orders(seat)
        again = self._chance.choice(seat.sent)
        return msgspec.structs.replace(again, kind="repeated", wanted=inbox.REPEATED)

    def status(self, seat: Seat) -> Mail:
        seat.answers += 1
        return self.mail("status", seat, "status", inbox.APPLIED)

    def nonsense(self, seat: Seat) -> Mail:
        seat.answers += 1
        return self.mail("nonsense", seat, "colourless green ideas sleep furiously", inbox.REFUSED)

    def foreign(self, seat: Seat) -> Mail:
        seat.answers += 1
        return self.mail("foreign", seat, seat.form, inbox.HELD, sender="friend@elsewhere.invalid")

    def old(self, seat: Seat) -> Mail:
        seat.answers += 1
        return self.mail("old", seat, seat.form, inbox.REFUSED, token=seat.old_token)

    def forged(self, seat: Seat) -> Mail:
        seat.answers += 1
        return self.mail("forged", seat, seat.form, inbox.REFUSED, token="a" * reply_tokens.LENGTH)

    def forged_by_stranger(self, seat: Seat) -> Mail:
        more = {"token": "a" * reply_tokens.LENGTH, "sender": "eve@elsewhere.invalid"}
        return self.mail("forged by a stranger", seat, seat.form, inbox.DROPPED, **more)

    def stranger(self, seat: Seat) -> Mail:
        return self.mail("stranger", seat, "buy now", inbox.DROPPED, token="", sender="spam@elsewhere.invalid")

    def vacation(self, seat: Seat) -> Mail:
        return self.mail("vacation", seat, "away until Monday", inbox.DROPPED, Auto_Submitted="auto-replied")

    def bounce(self, seat: Seat) -> Mail:
        more = {"sender": "mailer-daemon@elsewhere.invalid"}
        mail = self.mail("bounce", seat, "could not be delivered", inbox.DROPPED, **more)
        return msgspec.structs.replace(mail, sender="", to=seat.return_address)

    def damaged(self, seat: Seat) -> Mail:
        """Meaningless bytes from an unknown sender; the id serves to find it again."""
        self._count += 1
        id = f"<{self._count}@players.invalid>"
        content = f"Message-ID: {id}\r\n".encode() + self._chance.randbytes(300).translate(None, b"\r\n")
        return Mail("damaged", id, content, "x@elsewhere.invalid", SETTINGS.address(), inbox.DROPPED)

    def huge(self, seat: Seat) -> Mail:
        text = ("x" * 70 + "\n") * 16_000
        return self.mail("huge", seat, text, NOT_TAKEN) if self._chance.random() < 0.1 else self.orders(seat)


# The clients -------------------------------------------------------------------------------------------------


def send_all(mails: Sequence[Mail], port: int, progress: Callable[[], None]) -> None:
    """Send each email until its outcome is known, like a mail host."""
    client: smtplib.SMTP | None = None
    deadline = time.monotonic() + PATIENCE + len(mails)
    for mail in mails:
        while not mail.acknowledged:
            try:
                client = client or smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE)
                client.sendmail(mail.sender, [mail.to], mail.raw)
                mail.acknowledged = True
            except (smtplib.SMTPSenderRefused, smtplib.SMTPDataError) as refusal:
                if refusal.smtp_code != 552:
                    raise
                mail.acknowledged = True
                mail.wanted = NOT_TAKEN if mail.wanted == NOT_TAKEN else f"wrongly {NOT_TAKEN}"
            except (OSError, smtplib.SMTPException):
                if time.monotonic() > deadline:
                    raise
                mail.doubtful = mail.doubtful or client is not None  # perhaps stored, but not acknowledged
                client = None
                time.sleep(0.05)
        progress()
    if client is not None:
        with suppress(OSError, smtplib.SMTPException):  # the server may be killed just now; all mail is accounted for
            client.quit()


def soak_mail(
    titles: Mapping[str, Title],
    title: str,
    scenario: str,
    messages: int,
    say: Callable[[str], None],
    *,
    seed: str = "1",
) -> dict[str, Any]:
    """Run the emails through, kill the server on the way, and check the books. `problems` should be empty."""
    with tempfile.TemporaryDirectory(prefix="pbem-soak-") as name:
        folder = Path(name)
        server = open_server(folder / DATABASE, titles)
        seats = new_matches(server, title, scenario, max(2, messages // PER_MATCH))
        mails = Writer(seats, seed).plan(messages)
        say(f"{len(mails)} emails for {len(seats)} seats")
        process = ServerProcess(folder, titles)
        process.start()
        started = time.monotonic()
        try:
            send_and_kill(process, mails, seats, say)
            wait_until_read(server)
        finally:
            process.kill()
        seconds = time.monotonic() - started
        try:
            return {**balance(server, mails, seats), "seconds": round(seconds, 1)}
        finally:
            server.close()


def send_and_kill(
    process: ServerProcess, mails: list[Mail], seats: Sequence[Seat], say: Callable[[str], None]
) -> None:
    """Send emails in parallel, those of each player in order, and kill the server midway."""
    done, lock = Counter[str](), threading.Lock()

    def progress() -> None:
        with lock:
            done["mails"] += 1

    parts = [(share, process.port, progress) for share in shares(mails, seats)]
    clients = [threading.Thread(target=send_all, args=part) for part in parts]
    for client in clients:
        client.start()
    while done["mails"] < len(mails) // 2 and any(client.is_alive() for client in clients):
        time.sleep(0.01)
    process.kill()
    say(f"killed after {done['mails']} emails, and restarted")
    process.start()
    for client in clients:
        client.join()


def shares(mails: list[Mail], seats: Sequence[Seat]) -> list[list[Mail]]:
    number = {seat.address: place % CLIENTS for place, seat in enumerate(seats)}
    token = {SETTINGS.address(seat.token): place % CLIENTS for place, seat in enumerate(seats)}
    return [[mail for mail in mails if number.get(mail.sender, token.get(mail.to, 0)) == n] for n in range(CLIENTS)]


def wait_until_read(server: Server) -> None:
    """Wait until no email or answer is pending, as long as there is progress."""
    left, deadline = -1, time.monotonic() + PATIENCE
    while left and time.monotonic() < deadline:
        owed = server.database.execute("SELECT count(*) FROM outbox WHERE next_at IS NOT NULL").fetchone()[0]
        waiting = server.database.execute("SELECT count(*) FROM inbound WHERE state = 'waiting'").fetchone()[0]
        if (now_left := waiting + owed) != left:
            left, deadline = now_left, time.monotonic() + PATIENCE
        time.sleep(0.05)


# The books ---------------------------------------------------------------------------------------------------


def balance(server: Server, mails: Sequence[Mail], seats: Sequence[Seat]) -> dict[str, Any]:
    """The outcome of every email, and every discrepancy."""
    kept = [row for id in ids(server) if (row := inbox.get(server, id)) is not None]
    states = Counter(row.state for row in kept)
    reasons = Counter(row.why for row in kept if row.state == inbox.DROPPED)
    problems = [*wrong_states(kept, mails), *unanswered_emails(server, kept), *wrong_orders(server, seats)]
    silent = [row.id for row in kept if row.state == inbox.DROPPED and not row.why]
    problems += [f"mail {id} was dropped without a reason" for id in silent]
    ends = (inbox.APPLIED, inbox.REFUSED, inbox.HELD, inbox.REPEATED, inbox.DROPPED)
    if sum(states[end] for end in ends) != len(kept):
        problems.append(f"{len(kept)} mails were accepted, but these outcomes are recorded: {dict(states)}")
    return {
        "sent": len(mails),
        "not accepted by the listener": sum(mail.wanted == NOT_TAKEN for mail in mails),
        "accepted": len(kept),
        **{end: states[end] for end in ends},
        "sent twice": sum(mail.doubtful for mail in mails),
        "dropped because": dict(reasons.most_common()),
        "problems": problems,
    }


def ids(server: Server) -> list[int]:
    return [id for (id,) in server.database.execute("SELECT id FROM inbound ORDER BY id").fetchall()]


def wrong_states(kept: Sequence[inbox.Inbound], mails: Sequence[Mail]) -> list[str]:
    """Check that every email ended as expected; one that was sent twice because of the crash may be stored twice."""
    found: dict[str, list[str]] = {}
    for row in kept:
        found.setdefault(id_in(row.raw), []).append(row.state)
    problems = []
    wanted: dict[str, list[Mail]] = {}
    for mail in mails:
        wanted.setdefault(mail.id, []).append(mail)
    for id, group in wanted.items():
        states, expected = found.get(id, []), [mail.wanted for mail in group if mail.wanted != NOT_TAKEN]
        extra = states[len(expected) :]
        allowed = sum(mail.doubtful for mail in group)
        again = inbox.REPEATED if group[0].kind in FOR_A_SEAT else group[0].wanted
        if states[: len(expected)] != expected or len(extra) > allowed or any(state != again for state in extra):
            problems.append(f"{group[0].kind} {id}: {states} instead of {expected}")
    return problems


def id_in(raw: bytes) -> str:
    line = next((line for line in raw.splitlines() if line.lower().startswith(b"message-id:")), b"")
    return line.partition(b":")[2].strip().decode("ascii", "replace")


def unanswered_emails(server: Server, kept: Sequence[inbox.Inbound]) -> list[str]:
    """Check that each refused, held or executed email has an answer that was sent."""
    rows = server.database.execute("SELECT about, sent_at FROM outbox").fetchall()
    left = [msgspec.json.decode(about) for about, sent_at in rows if sent_at is not None]
    answers = Counter(about.get("message_id", "") for about in left)
    owing = (inbox.APPLIED, inbox.REFUSED, inbox.HELD)
    return [
        f"mail {row.id} ({row.state}) has no answer"
        for row in kept
        if row.state in owing and not answers[id_in(row.raw)]
    ]


def wrong_orders(server: Server, seats: Sequence[Seat]) -> list[str]:
    """Check that the sealed orders are the last ones each player wrote."""
    problems = []
    for seat in seats:
        mine = views.status(server, seat.match, seat.seat).mine
        sealed = "" if mine is None else mine.text
        if sealed.split() != seat.last.split():
            problems.append(f"{seat.match} {seat.seat}: sealed {sealed!r}, last written {seat.last!r}")
    return problems
