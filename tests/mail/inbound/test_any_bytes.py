"""Any bytes can be an email: no crash, bounded time, and text that a database accepts."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.mail.inbound.charsets import decode
from pbem.mail.inbound.html_text import text_of_html
from pbem.mail.inbound.limits import MOST_BYTES, head, reason_not_read
from pbem.mail.inbound.message import Letter, read_letter
from pbem.mail.settings import Settings
from pbem.matches.post.inbox import WAITING, Inbound

SETTINGS = Settings(domain="pbem.test", trusted_host="mx.pbem.test")
MESSAGES = sorted((Path(__file__).parents[1] / "messages").glob("*.eml"))
SECONDS = 4
"""The time allowed for reading an email: far more than is needed, because the machine may be busy."""

CHARSETS = ["utf-8", "koi8-r", "euc-kr", "iso-2022-jp", "iso-2022-kr", "shift_jis", "gb18030", "utf-16", "utf-7"]
TRAPS = ["punycode", "idna", "unicode_escape", "rot13", "zip", "hex", "a\0b", "../../etc", "x" * 300, "undefined"]
KINDS = ["text/plain", "text/html", "text/plain; format=flowed; delsp=yes", "multipart/mixed; boundary=b"]
DAMAGES = [b"", b"\xff\x00\x1b$)C", b"\r\n\r\n", b'";=?']


def read(raw: bytes) -> Letter:
    """Read the bytes of an email as a listener and the server would."""
    why = reason_not_read(raw)
    envelope = {"sender": None, "recipients": ["orders@pbem.test"], "beyond": why}
    content = head(raw) if why else raw
    start = time.perf_counter()
    letter = read_letter(Inbound(1, "", "", "", "", "", 0, 0, envelope, content, WAITING, "", {}), SETTINGS)
    assert time.perf_counter() - start < SECONDS
    for text in (letter.sender, letter.message_id, letter.subject, letter.text, letter.machine, str(letter.doubt)):
        text.encode()
        assert "\0" not in text
    assert "\n" not in letter.sender + letter.message_id + letter.subject
    return letter


@given(raw=st.binary(max_size=2000))
def test_bytes_of_any_kind(raw: bytes) -> None:
    read(raw)
    read(b"From: a@x\r\nContent-Type: text/html\r\n\r\n" + raw)


@settings(max_examples=40)
@given(data=st.data())
def test_mails_that_were_damaged_on_the_way(data: st.DataObject) -> None:
    """An email with pieces cut out, repeated or overwritten does no harm."""
    raw = bytearray(data.draw(st.sampled_from(MESSAGES)).read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        place, length = data.draw(st.integers(0, len(raw))), data.draw(st.integers(0, 40))
        piece = bytes(raw[place : place + length])
        raw[place : place + length] = data.draw(st.sampled_from([*DAMAGES, piece * 3]))
    read(bytes(raw))


@given(
    charset=st.sampled_from(CHARSETS + TRAPS),
    encoding=st.sampled_from(["7bit", "8bit", "base64", "quoted-printable", "x-uuencode", "binary", "nonsense"]),
    kind=st.sampled_from(KINDS),
    body=st.binary(max_size=300),
)
def test_labels_of_any_kind(charset: str, encoding: str, kind: str, body: bytes) -> None:
    head = f"From: a@x\r\nContent-Type: {kind}; charset={charset}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    read(head.encode() + body)
    decode(body, charset).encode("utf-8", "surrogatepass")


@given(html=st.text(alphabet="<>/ab ='\"!-&;\n\0", max_size=200))
def test_html_of_any_kind(html: str) -> None:
    assert "\0" not in text_of_html(html)


FROM = b"From: a@x\r\nTo: orders@pbem.test\r\n"
NESTED = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(10))
PART = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"


def filled(start: bytes, unit: bytes, end: bytes = b"\r\n") -> bytes:
    """Return an email of an eighth of the largest size, at which a step of quadratic cost would still take
    minutes."""
    room = MOST_BYTES // 8 - len(start) - len(end)
    return start + (unit * (room // len(unit) + 1))[:room] + end


BOMBS = {
    "html": filled(FROM + b"Content-Type: text/html\r\n\r\n", b"<a x='"),
    "elements": filled(FROM + b"Content-Type: text/html\r\n\r\n", b"<div>"),
    "punycode": filled(FROM + b"Content-Type: text/plain; charset=punycode\r\n\r\n", b"ab9-"),
    "parameters": filled(FROM + PART + b"Content-Type: text/plain", b';a="', b"\r\n\r\nx"),
    "headers": filled(FROM + PART, b"A: b\r\n", b"\r\n\r\nx"),
    "nesting": filled(FROM + NESTED, b"\r\n-"),
    "flowed": filled(FROM + b"Content-Type: text/plain; format=flowed\r\n\r\n", b"a \n"),
    "attributions": filled(FROM + b"\r\n", b"On wrote "),
    "lines": filled(FROM + b"\r\n", b"\n"),
    "marks": filled(FROM + b"Content-Type: text/plain; charset=utf-8\r\n\r\n", "a\u0300\u0316".encode() * 99 + b"\n"),
    "report": filled(
        FROM + PART.replace(b"mixed", b"report") + b"Content-Type: message/delivery-status\r\n\r\n",
        b"Action: failed\r\n\r\n",
    ),
    "comments": FROM + b"Subject: x\r\nCc: " + b"(" * 60_000 + b"\r\n\r\nx",
    "words": FROM + b"Subject: " + b"=?utf-8?q?x?= " * 4000 + b"\r\n\r\nx",
}


@pytest.mark.parametrize("name", BOMBS)
def test_mails_made_to_keep_the_server_busy(name: str) -> None:
    assert reason_not_read(BOMBS[name]) in ("", "it has more than 20000 lines")
    read(BOMBS[name])


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (FROM + b"\r\n" + b"x" * 30 * MOST_BYTES, "it is larger than 1024 KB"),
        (FROM + b"X: " + b"a" * 1_000_000 + b"\r\n\r\nx", "its header is larger than 64 KB"),
        (FROM + b"X: a\r\n" * 150_000 + b"\r\nx", "its header is larger than 64 KB"),
        (FROM + PART + b"--b\r\n\r\nx\r\n" * 10_000, "it has more than 500 parts"),
        (FROM + NESTED * 3, "its parts are nested too deeply"),
        (b"x" * 100_000, "its header is larger than 64 KB"),
    ],
)
def test_what_is_beyond_the_limits_is_known_before_it_is_parsed(raw: bytes, why: str) -> None:
    start = time.perf_counter()
    assert reason_not_read(raw) == why
    assert time.perf_counter() - start < 1
    assert len(head(raw)) <= 16 * 1024
    assert read(raw).beyond == why


def test_the_longest_report_that_a_player_quotes_is_within_the_limits() -> None:
    """A reply that quotes a thread of a hundred turns and contains a map as a picture is within the limits."""
    head, _, body = (Path(__file__).parents[1] / "messages" / "mutt-en.eml").read_bytes().partition(b"\r\n\r\n")
    raw = head + b"\r\n\r\n" + body + b"\r\n" + body.replace(b"\r\n", b"\r\n> ") * 100 + b"A" * 400_000
    assert len(raw) > 400_000 and not reason_not_read(raw)
    assert read(raw).text.startswith("r1 go3\nr2 hold\nfinal")
