"""Emails can be parsed even if they break every rule."""

from __future__ import annotations

import pytest

from pbem.mail.inbound.message import read_letter
from pbem.mail.settings import Settings
from pbem.matches.post.inbox import WAITING, Inbound

SETTINGS = Settings(domain="pbem.test")
TOKEN, OTHER = "a" * 36, "b" * 36


def mail(raw: str | bytes, recipients: list[str] | None = None, sender: str | None = None) -> Inbound:
    content = raw.encode() if isinstance(raw, str) else raw
    envelope = {"sender": sender, "recipients": recipients or []}
    return Inbound(1, "", "", "", "", "", 0, 0, envelope, content, WAITING, "", {})


def test_the_envelope_comes_before_the_headers_and_these_before_the_body() -> None:
    raw = f"From: a@x\nTo: orders+{OTHER}@pbem.test\n\n> Code: {'c' * 36}\n"
    letter = read_letter(mail(raw, [f"orders+{TOKEN}@pbem.test"]), SETTINGS)
    assert letter.tokens == [TOKEN, OTHER, "c" * 36]


@pytest.mark.parametrize("header", ["Delivered-To", "X-Original-To", "Cc"])
def test_a_piped_mail_is_found_by_its_headers(header: str) -> None:
    raw = f"From: a@x\nTo: list@elsewhere\n{header}: orders+{TOKEN}@PBEM.test\n\nhello"
    assert read_letter(mail(raw), SETTINGS).tokens == [TOKEN]


def test_plain_text_is_preferred_and_html_alone_is_read() -> None:
    both = (
        "From: a@x\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n"
        "--b\nContent-Type: text/plain; charset=utf-8\n\nr1 go3\n"
        "--b\nContent-Type: text/html\n\n<p>other</p>\n--b--\n"
    )
    assert read_letter(mail(both), SETTINGS).text == "r1 go3"
    html = "From: a@x\nContent-Type: text/html\n\n<div>r1 go3</div><blockquote>r1 hold</blockquote>"
    assert read_letter(mail(html), SETTINGS).text == "r1 go3"


def test_an_attachment_is_not_the_text() -> None:
    raw = (
        "From: a@x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
        "--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=x.txt\n\nr9 go3\n"
        "--b\nContent-Type: text/plain\n\nr1 go3\n--b--\n"
    )
    assert read_letter(mail(raw), SETTINGS).text == "r1 go3"


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\n\n",
        b"\xff\xfe\x00garbage",
        b"From: =?utf-8?q?=ff?= <a@x>\nContent-Type: text/plain; charset=no-such\n\nr1 go3",
        b"From: a@x\nContent-Type: text/plain; charset=utf-8\n\n\xff\xfe",
        b"From: a@x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n",
        b"From: <<<>>>\nTo: ,,,\nMessage-ID: \n\nx",
        b"From: a@x\nContent-Transfer-Encoding: base64\n\n!!!",
    ],
)
def test_no_mail_is_too_broken_to_be_read(raw: bytes) -> None:
    letter = read_letter(mail(raw), SETTINGS)
    assert letter.tokens == [] and isinstance(letter.text, str)


def test_the_digest_ignores_what_relays_add_and_nothing_else() -> None:
    plain = "From: a@x\nDate: today\nSubject: s\n\nr1 go3\n"
    relayed = "Received: by y\nX-Spam: no\n" + plain.replace("\n", "\r\n")
    digest = read_letter(mail(plain), SETTINGS).digest
    assert read_letter(mail(relayed), SETTINGS).digest == digest
    assert read_letter(mail(plain.replace("go3", "go4")), SETTINGS).digest != digest


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ("From: MAILER-DAEMON@x\n\nfailed", "sent by mailer-daemon"),
        ("From: orders@pbem.test\n\nloop", "sent by orders"),
        ("From: a@x\nContent-Type: multipart/report; boundary=b\n\n--b--", "a delivery report"),
        ("Subject: nobody\n\nhello", "it names no sender"),
    ],
)
def test_machines_are_known(raw: str, why: str) -> None:
    assert read_letter(mail(raw), SETTINGS).machine == why


@pytest.mark.parametrize(
    ("header", "sender"),
    [
        ("From: Ann <ANN@Example.org>", "ann@example.org"),
        ('From: "bob@example.net" <ann@example.org>', "ann@example.org"),
        ("From: =?utf-8?q?bob=40example=2Enet?= <ann@example.org>", "ann@example.org"),
        ("From: 用户 <用户@例子.test>", "用户@例子.test"),
        ("From: ann@example.org, bob@example.net", ""),
        ("From: bob@example.net)<ann@example.org>", ""),
        ("From: ann@example.org\nFrom: bob@example.net", ""),
        ("From: ann", ""),
    ],
)
def test_a_sender_who_can_be_read_in_two_ways_is_none(header: str, sender: str) -> None:
    """An email whose sender can be read in two ways has none, because a host may have vouched for the other
    reading."""
    assert read_letter(mail(f"{header}\n\nr1 go3"), SETTINGS).sender == sender


def test_a_person_who_says_that_he_is_none_is_heard() -> None:
    assert read_letter(mail("From: a@x\nAuto-Submitted: no\n\nr1 go3"), SETTINGS).machine == ""
