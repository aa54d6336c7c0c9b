"""The listeners: which emails they accept, which they refuse during the connection, and which failures they
survive."""

from __future__ import annotations

import smtplib
import socket
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import msgspec
import pytest
from support.hosts.ports import free_port
from support.postbox import ALICE, BOB, Post, text_of

from eventstore import StoreTrouble
from pbem.mail.inbound import listeners
from pbem.mail.inbound.handle import drain
from pbem.mail.inbound.imap import ImapListener
from pbem.mail.inbound.listeners import LmtpListener, deliver
from pbem.mail.settings import Imap, Lmtp, Settings, read_settings
from pbem.matches import views
from pbem.matches.post import inbox
from pbem.schedule import Supervisor

MB = 1024 * 1024
HEAD = b"From: alice@example.org\r\nTo: orders@pbem.test\r\nMessage-ID: <x@example.org>\r\n"
MANY_PARTS = HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\nx\r\n" * 10_000
LONG_HEADER = HEAD + b"X-Long: " + b"\r\n ".join([b"a" * 70] * 13_000) + b"\r\n\r\nr1 go2"


@contextmanager
def lmtp(post: Post) -> Iterator[smtplib.LMTP]:
    port = free_port()
    door = LmtpListener(post.server, post.settings, port=port)
    door.start()
    try:
        with smtplib.LMTP("127.0.0.1", port) as client:
            yield client
    finally:
        door.stop()


def count(post: Post) -> int:
    return int(post.server.database.execute("SELECT count(*) FROM inbound").fetchone()[0])


def send_raw(port: int, total: int) -> tuple[bytes, bytes]:
    """Stream an email past the size limit; return the replies to the data and to the next command."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
        answers = client.makefile("rb")
        for line in (b"HELO x", b"MAIL FROM:<eve@example.com>", b"RCPT TO:<orders@pbem.test>", b"DATA"):
            client.sendall(line + b"\r\n")
        for _ in range(5):
            answers.readline()
        client.sendall(HEAD + b"\r\n")
        line = b"x" * 60_000 + b"\r\n"
        for _ in range(total // len(line)):
            client.sendall(line)
        client.sendall(b".\r\n")
        verdict = answers.readline()
        client.sendall(b"NOOP\r\n")
        return verdict, answers.readline()


# Limits ------------------------------------------------------------------------------------------------------


def test_thirty_megabytes_are_refused_without_being_held_in_memory(post: Post) -> None:
    tracemalloc.start()
    try:
        verdict, after = send_raw(post.port, 30 * MB)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert verdict.startswith(b"552") and after.startswith(b"250"), "and the session goes on"
    assert peak < 12 * MB
    assert count(post) == 0


@pytest.mark.parametrize("raw", [MANY_PARTS, LONG_HEADER], ids=["parts", "header"])
def test_what_is_beyond_the_limits_is_refused_at_once_and_the_next_mail_is_taken(post: Post, raw: bytes) -> None:
    post.begin()
    before, sent = count(post), len(post.sent)
    with smtplib.SMTP("127.0.0.1", post.port) as client:
        with pytest.raises(smtplib.SMTPDataError) as refusal:
            client.sendmail(ALICE, ["orders@pbem.test"], raw)
        assert refusal.value.smtp_code == 552 and b"message refused: it" in refusal.value.smtp_error
        client.sendmail(ALICE, [post.last(ALICE)["Reply-To"]], bytes(post.write("orders@pbem.test", "status", ALICE)))
    post.tick()
    assert count(post) == before + 1 and len(post.sent) == sent + 1, "the one answer is to the second mail"


def test_an_email_that_a_full_disk_cannot_keep_is_put_off_with_one_line_in_the_log(
    post: Post, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*given: object, **more: object) -> None:
        raise StoreTrouble("full")

    monkeypatch.setattr(listeners, "deliver", full)
    with smtplib.SMTP("127.0.0.1", post.port) as client, pytest.raises(smtplib.SMTPDataError) as refusal:
        client.sendmail(ALICE, ["orders@pbem.test"], bytes(post.write("orders@pbem.test", "status", ALICE)))
    assert refusal.value.smtp_code == 451
    [line] = [record for record in caplog.records if record.name == "pbem.mail"]
    assert line.exc_info is None and "the disk is full" in line.getMessage()


def test_nul_bytes_and_a_zip_change_nothing(post: Post) -> None:
    match = post.begin()
    message = post.write(post.last(ALICE)["Reply-To"], "r1 go2\0\nr2\0 hold", ALICE)
    message.add_attachment(b"PK\x03\x04" + bytes(100_000), "application", "zip", filename="orders.zip")
    post.send(message)
    post.tick()
    assert views.status(post.server, match, "red").mine.text == "r1 go2\nr2 hold"  # type: ignore[union-attr]


def test_too_many_clients_are_asked_to_come_again(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listeners, "MOST_SESSIONS", 2)
    with smtplib.SMTP("127.0.0.1", post.port) as first, smtplib.SMTP("127.0.0.1", post.port) as second:
        assert first.noop()[0] == second.noop()[0] == 250
        with pytest.raises(smtplib.SMTPConnectError) as refusal:
            smtplib.SMTP("127.0.0.1", post.port)
        assert refusal.value.smtp_code == 421
        assert first.noop()[0] == 250
    with smtplib.SMTP("127.0.0.1", post.port) as third:
        assert third.noop()[0] == 250


def test_one_source_does_not_use_up_the_places_of_the_others(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many silent connections from one source do not block connections from another; all of 127.0.0.0/8 is this
    machine."""
    monkeypatch.setattr(listeners, "MOST_OF_A_SOURCE", 2)
    silent = [socket.create_connection(("127.0.0.1", post.port)) for _ in range(5)]
    answers = sorted(one.recv(3) for one in silent)
    assert answers == [b"220", b"220", b"421", b"421", b"421"]
    with smtplib.SMTP("127.0.0.1", post.port, source_address=("127.0.0.2", 0)) as other:
        assert other.noop()[0] == 250
    for one in silent:
        one.close()


def test_a_session_ends_however_slowly_its_client_speaks(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listeners, "LONGEST_SESSION", 0.2)
    with socket.create_connection(("127.0.0.1", post.port)) as client, suppress(OSError):
        while client.recv(500):
            client.sendall(b"NOOP\r\n")


def test_too_many_recipients_are_put_off(post: Post) -> None:
    with smtplib.SMTP("127.0.0.1", post.port) as client:
        client.helo()
        client.mail(ALICE)
        codes = [client.rcpt(f"orders+{number}@pbem.test")[0] for number in range(listeners.MOST_RECIPIENTS + 1)]
    assert set(codes[:-1]) == {250} and codes[-1] == 452


def test_a_line_longer_than_the_standard_allows_is_taken(post: Post) -> None:
    """A line longer than the standard allows is accepted, because careless programs write a whole email on one
    line."""
    match = post.begin()
    html = f"<div>r1 go2</div><div>r2 hold</div><!--{'x' * 5000}-->"
    head = f"From: {ALICE}\r\nTo: {post.last(ALICE)['Reply-To']}\r\nContent-Type: text/html\r\n\r\n"
    with smtplib.SMTP("127.0.0.1", post.port) as client:
        client.sendmail(ALICE, [post.last(ALICE)["Reply-To"]], (head + html).encode())
    post.tick()
    assert views.status(post.server, match, "red").mine.text == "r1 go2\nr2 hold"  # type: ignore[union-attr]


# LMTP and the pipe -------------------------------------------------------------------------------------------


def test_lmtp_answers_once_for_each_recipient(post: Post) -> None:
    """LMTP gives one answer for each recipient (RFC 2033, 4.2)."""
    with lmtp(post) as client:
        client.ehlo("mx.example.org")
        client.mail(ALICE)
        for name in ("orders+a@pbem.test", "nobody@pbem.test", "orders+b@pbem.test"):
            client.rcpt(name)
        assert client.data(bytes(post.write("orders@pbem.test", "hello", ALICE)))[0] == 250
        assert client.getreply()[0] == 250, "the second recipient's"
        assert client.noop()[0] == 250, "and no third answer lies in between"
    [mail] = inbox.waiting(post.server)
    assert mail.envelope["recipients"] == ["orders+a@pbem.test", "orders+b@pbem.test"]


def test_lmtp_announces_no_size_and_takes_what_is_too_large_without_its_content(post: Post) -> None:
    """LMTP accepts an oversized email without its content, because a refusal would make the mail host send a
    bounce."""
    post.begin()
    asked = post.last(ALICE)
    with lmtp(post) as client:
        client.ehlo("mx.example.org")
        assert "size" not in client.esmtp_features
        client.sendmail(ALICE, [asked["Reply-To"]], HEAD + b"\r\n" + (b"x" * 70 + b"\r\n") * 20_000)
    [mail] = inbox.waiting(post.server)
    assert mail.raw == b"" and mail.envelope["beyond"] == "it is larger than 1024 KB"
    post.tick()
    assert "your email could not be read: it is larger than 1024 KB" in text_of(post.last(ALICE))
    assert post.state_of_last_mail()[0] == inbox.REFUSED


def test_a_pipe_keeps_the_head_of_what_is_beyond_the_limits_and_only_a_player_hears_of_it(post: Post) -> None:
    post.begin()
    sent = len(post.sent)
    deliver(post.server, MANY_PARTS)
    deliver(post.server, MANY_PARTS.replace(b"alice@example.org", b"eve@example.com"))
    post.tick()
    assert [message["To"] for message in post.sent[sent:]] == [ALICE]
    assert "it has more than 500 parts" in text_of(post.last(ALICE))
    sizes = post.server.database.execute("SELECT length(raw) FROM inbound ORDER BY id DESC LIMIT 2").fetchall()
    assert all(size <= 16 * 1024 for (size,) in sizes)


def test_two_thousand_lines_of_orders_are_refused_as_a_whole(post: Post) -> None:
    match = post.begin()
    post.send(post.write(post.last(ALICE)["Reply-To"], "r1 go2\n" * 2500, ALICE))
    post.tick()
    assert "it has more than 2000 new lines" in text_of(post.last(ALICE))
    assert views.status(post.server, match, "red").mine.text == ""  # type: ignore[union-attr]


def test_a_mail_that_a_door_brings_twice_is_kept_once(post: Post) -> None:
    """An email that a listener delivers twice, because it died before moving it away, is stored once."""
    ids = [deliver(post.server, HEAD + b"\r\nhello", source="imap:u@h/INBOX/7/1") for _ in range(2)]
    other = deliver(post.server, HEAD + b"\r\nhello", source="imap:u@h/INBOX/8/1")
    assert ids[0] == ids[1] != other and count(post) == 2


def test_mails_in_memory_are_read_one_at_a_time(post: Post) -> None:
    for number in range(16):
        deliver(post.server, HEAD + b"\r\n" + b"x" * 120_000, sender=f"{number}@example.com")
    tracemalloc.start()
    try:
        drain(post.server, post.settings, post.now)
        assert tracemalloc.get_traced_memory()[1] < 1.5 * MB, "they are two"
    finally:
        tracemalloc.stop()


# Settings ----------------------------------------------------------------------------------------------------


def test_every_door_has_its_table_in_the_settings(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "settings.toml").write_text(
        '[lmtp]\nport = 2400\n[imap]\nhost = "imap.example.org"\nuser = "orders"\npassword_file = "secret"\n'
    )
    (tmp_path / "secret").write_text("hush\n")
    settings = read_settings(tmp_path)
    assert settings.lmtp == Lmtp(port=2400)
    assert settings.imap == Imap(host="imap.example.org", user="orders", password="hush")


@pytest.mark.parametrize(
    ("address", "token"),
    [("orders+returned-abc@pbem.test", "abc"), ("orders+abc@pbem.test", None), ("x+returned-abc@pbem.test", None)],
)
def test_a_return_address_is_known(address: str, token: str | None) -> None:
    assert Settings(domain="pbem.test").bounce_token_in(address) == token


def test_a_mailbox_that_answers_nonsense_keeps_no_other_door_waiting(
    post: Post, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = post.begin()

    class Odd(ImapListener):
        def fetch(self) -> int:
            raise KeyError("a mail that has just vanished")

    monkeypatch.setattr(listeners, "ImapListener", Odd)
    settings = msgspec.structs.replace(post.settings, imap=Imap(host="imap.example.org", user="u"))
    opened = listeners.Listeners(post.server, settings)
    post.reply(ALICE, "r1 go2\nr2 hold")
    supervisor = Supervisor(post.server, look=opened.look, drain=opened.drain)
    assert supervisor.tick() and "the mailbox could not be read" in caplog.text
    assert views.status(post.server, match, "red").mine.text == "r1 go2\nr2 hold"  # type: ignore[union-attr]


def test_without_doors_in_the_settings_there_are_none(post: Post) -> None:
    none = listeners.Listeners(post.server, post.settings)
    none.start()
    assert none.look(post.now) and not none.in_words()
    none.stop()


def test_a_letter_from_bob_is_no_letter_from_alice(post: Post) -> None:
    """A listener does not judge who sent an email: it only stores the envelope's sender as given."""
    post.send(post.write("orders@pbem.test", "hello", BOB), envelope_sender=ALICE)
    [mail] = inbox.waiting(post.server)
    assert mail.envelope["sender"] == ALICE
