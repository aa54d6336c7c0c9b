"""With a real Postfix and a real Dovecot around the server, their changes to emails have no effect."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import msgspec
import pytest
from support.hosts import engines
from support.hosts.mail_hosts import PASSWORD, MailHosts, missing, wait_for
from support.postbox import Post, form_in, text_of

from pbem.mail.inbound.imap import ImapListener, MailboxUnreadable
from pbem.mail.inbound.listeners import Listeners, LmtpListener
from pbem.mail.outbound.transports import SmtpTransport
from pbem.mail.settings import Imap, Settings, Smtp
from pbem.matches import views
from pbem.matches.accounts import accounts
from pbem.matches.clock.deadlines import HOUR, MINUTE
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import record_of
from pbem.matches.players import invitations
from pbem.matches.post import inbox, reply_tokens
from pbem.schedule import Supervisor

pytestmark = pytest.mark.mta

ALICE, BOB, MASTER = "alice@example.org", "bob@example.org", "master@example.org"


@pytest.fixture(scope="module")
def hosts() -> Iterator[MailHosts]:
    assert not missing(), missing()
    running = MailHosts()
    try:
        running.start()
        yield running
    finally:
        running.stop()


class Played(Post):
    """A server that sends email through Postfix and receives it over LMTP."""

    def __init__(self, folder: Path, hosts: MailHosts) -> None:
        super().__init__(folder)
        self.hosts = hosts
        self.transport = SmtpTransport(Smtp(host="127.0.0.1", port=hosts.smtp, starttls=False))  # type: ignore[assignment]
        self.door = LmtpListener(self.server, self.settings, port=hosts.lmtp)

    def wait(self, count: int) -> None:
        """Wait until this many emails have arrived, then let the server process them."""
        wait_for(lambda: len(inbox.waiting_ids(self.server)) >= count, self.hosts.log)
        self.tick()

    def reply_to(self, asked: EmailMessage, text: str, sender: str) -> None:
        self.hosts.send(self.write(asked["Reply-To"], text, sender), sender, asked["Reply-To"])


@pytest.fixture
def played(tmp_path: Path, hosts: MailHosts) -> Iterator[Played]:
    played = Played(tmp_path, hosts)
    played.door.start()
    yield played
    played.door.stop()
    played.server.close()


def test_two_people_play_with_postfix_between_them_and_the_server(played: Played, hosts: MailHosts) -> None:
    match = creating.new_match(played.server, "ambush", "tiny", name="Real hosts")
    for seat, address in (("red", ALICE), ("blue", BOB)):
        invitations.invite(played.server, match, seat, address)
    played.tick()
    for address in (ALICE, BOB):
        played.reply_to(hosts.wait_for_mail(address, "invited: Real hosts"), "accept", address)
    played.wait(2)

    for address in (ALICE, BOB):
        asked = hosts.wait_for_mail(address, "Real hosts")
        wait_for(lambda address=address: form_in(hosts.read(address)[-1]))
        asked = hosts.read(address)[-1]
        assert asked["Return-Path"].startswith("<orders+returned-"), "Postfix writes the envelope's sender down"
        played.reply_to(asked, form_in(asked) + "\nfinal", address)
    played.wait(2)
    for address in (ALICE, BOB):
        hosts.wait_for_mail(address, ", turn 1:")
    assert views.status(played.server, match).exchange == 3


def test_an_unknown_user_at_the_other_host_marks_the_address_and_tells_the_game_master(
    played: Played, hosts: MailHosts
) -> None:
    """A bounce that Postfix itself writes for an unknown user (RFC 3464) marks the address and notifies the game
    master."""
    master = accounts.open_account(played.server, MASTER).id
    match = creating.new_match(played.server, "ambush", "tiny", name="Lost", master=master)
    gone = accounts.open_account(played.server, "gone@example.org")
    take_seat(played.server, match, "red", gone.id)
    take_seat(played.server, match, "blue", accounts.open_account(played.server, BOB).id)
    played.tick()
    played.wait(1)
    [marked] = inbox.returning(played.server)
    assert (marked.address, marked.account) == ("gone@example.org", gone.id)
    assert "unknown user" in marked.why and "gone" not in marked.why
    told = text_of(hosts.wait_for_mail(MASTER, "email to Red bounces"))
    assert "unknown user" in told and "gone@example.org" not in told
    assert played.state_of_last_mail()[0] == inbox.DROPPED


def test_a_mail_beyond_the_limits_makes_postfix_write_no_letter(played: Played, hosts: MailHosts) -> None:
    """An oversized email is accepted and not answered, so that Postfix sends no bounce to a sender who may be
    forged."""
    accounts.open_account(played.server, ALICE)
    before = len(hosts.read(BOB))
    large = played.write("orders@pbem.test", ("x" * 70 + "\n") * 30_000, BOB)
    many = b"From: bob@example.org\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
    parts = many + b"--b\r\n\r\nx\r\n" * 10_000
    hosts.send(large, BOB, "orders@pbem.test")
    hosts.send(parts, BOB, "orders@pbem.test")
    played.wait(2)
    assert played.state_of_last_mail()[0] == inbox.DROPPED
    rows = played.server.database.execute("SELECT length(raw), why FROM inbound ORDER BY length(raw)").fetchall()
    assert all(size <= 16 * 1024 for size, _ in rows)
    assert [why for _, why in rows] == ["no valid code, and an unknown sender"] * 2
    assert len(hosts.read(BOB)) == before


def test_the_imap_door_fetches_each_mail_once_and_deletes_none(played: Played, hosts: MailHosts) -> None:
    match, settings, door = a_match_by_imap(played, hosts)
    address = settings.address(token_of(played, match))
    hosts.send(played.write(address, "r1 go2\nr2 hold", ALICE), ALICE, address)
    wait_for(lambda: hosts.read("orders@imap.test"))
    doors = Listeners(played.server, msgspec.structs.replace(settings, lmtp=None))
    for _ in range(2):
        assert doors.look(played.now)
        doors.drain(played.now)
    doors.close()
    assert views.status(played.server, match, "red").mine.text == "r1 go2\nr2 hold"  # type: ignore[union-attr]
    assert hosts.read("orders@imap.test") == [], "it lies in the other folder"
    client = door._connected()
    client.select_folder("pbem")
    assert len(client.search()) >= 1
    door.close()


def test_while_the_mailbox_cannot_be_read_nothing_closes_and_what_lies_there_counts(
    played: Played, hosts: MailHosts
) -> None:
    """While Dovecot is down nothing closes, and an email that reached its Maildir in time is read later."""
    match, settings, door = a_match_by_imap(played, hosts)
    doors = Listeners(played.server, settings)
    supervisor = Supervisor(played.server, look=doors.look, drain=doors.drain, steady=lambda: played.now)

    def tick(minutes: int = 0) -> None:
        for _ in range(4 * minutes + 1):
            for _ in range(3):
                played.now += 5_000
                supervisor.beat()
            supervisor.tick()

    address = settings.address(token_of(played, match))
    played.now += 48 * HOUR - MINUTE  # as if somebody had watched the clock until now
    tick(minutes=0)
    hosts.send(played.write(address, "r1 go2\nr2 hold", ALICE), ALICE, address)
    wait_for(lambda: hosts.read("orders@imap.test"))
    hosts.stop_dovecot()
    try:
        with pytest.raises(MailboxUnreadable):
            door.fetch()
        tick(minutes=3)
        assert views.status(played.server, match).exchange == 2, "the deadline has passed, and nothing was closed"
    finally:
        hosts.start_dovecot()
    tick()
    assert views.status(played.server, match, "red").mine.text == "r1 go2\nr2 hold"  # type: ignore[union-attr]
    deadline = views.status(played.server, match).deadline
    assert deadline is not None and "down: postponed by 3 min" in str(deadline.why) and deadline.at > played.now
    tick(minutes=4)
    assert views.status(played.server, match).exchange == 3, "and then it closes"
    doors.close()


def test_a_running_server_takes_what_postfix_hands_over_and_what_lies_in_a_mailbox(
    tmp_path: Path, hosts: MailHosts
) -> None:
    """A running `pbem serve` takes email over LMTP and IMAP as its settings say, and answers through SMTP."""
    address = engines.database_of(tmp_path / "pbem.db")
    database = f'database = "{address}"\n' if address else ""
    (tmp_path / "settings.toml").write_text(database + SETTINGS.format(hosts=hosts))
    (tmp_path / "password").write_text(PASSWORD)
    pbem = [sys.executable, "-m", "pbem.cli"]
    seats = ["--seat", f"german={ALICE}", "--seat", f"british={BOB}"]
    match = ["new", "panzer", "duel", "--name", "Served", *seats, "--data", str(tmp_path)]
    subprocess.run([*pbem, *match], check=True, capture_output=True)
    process = subprocess.Popen(
        [*pbem, "serve", "--data", str(tmp_path), "--port", "0", "--smtp-port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        assert process.stdout is not None
        [_, door] = [process.stdout.readline() for _ in range(2)]
        assert door == "The server accepts mail to orders@pbem.test by LMTP and IMAP.\n"
        asked = hosts.wait_for_mail(BOB, "invited: Served")
        hosts.send(a_reply(asked, "accept", BOB), BOB, "orders@imap.test")
        wait_for(lambda: hosts.read("orders@imap.test"))
        asked = hosts.wait_for_mail(ALICE, "invited: Served")
        hosts.send(a_reply(asked, "accept", ALICE), ALICE, asked["Reply-To"])  # makes the server look everywhere
        for address in (ALICE, BOB):
            hosts.wait_for_mail(address, "Served: your orders for")
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=15) == 0


def a_reply(asked: EmailMessage, text: str, sender: str) -> EmailMessage:
    reply = EmailMessage()
    reply["From"], reply["To"], reply["Message-ID"] = sender, asked["Reply-To"], f"<accept-{sender}>"
    reply["In-Reply-To"] = asked["Message-ID"]
    reply.set_content(f"{text}\n\n> quoted\n> Code: {asked['Reply-To'].partition('+')[2].partition('@')[0]}\n")
    return reply


SETTINGS = """\
[mail]
domain = "pbem.test"

[lmtp]
port = {hosts.lmtp}

[imap]
host = "127.0.0.1"
port = {hosts.imap}
user = "orders@imap.test"
password_file = "password"
tls = false

[smtp]
host = "127.0.0.1"
port = {hosts.smtp}
starttls = false
"""


def a_match_by_imap(played: Played, hosts: MailHosts) -> tuple[str, Settings, ImapListener]:
    """Start a match between Alice and Bob on a server that fetches its email from a provider's mailbox."""
    match = creating.new_match(played.server, "ambush", "tiny", cadence=48)
    for seat, address in (("red", ALICE), ("blue", BOB)):
        take_seat(played.server, match, seat, accounts.open_account(played.server, address).id)
    imap = Imap(host="127.0.0.1", port=hosts.imap, user="orders@imap.test", password=PASSWORD, tls=False)
    return match, Settings(domain="imap.test", imap=imap), ImapListener(played.server, imap)


def token_of(played: Played, match: str) -> str:
    taken = record_of(played.server, match).occupants["red"]
    number = views.status(played.server, match).exchange
    place = {"match": match, "seat": "red", "occupancy": taken["occupancy"]}
    return reply_tokens.make(played.server, use="orders", number=number, **place)
