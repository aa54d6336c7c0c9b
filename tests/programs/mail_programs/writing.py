"""Building blocks of emails as mail programs write them: bytes, encodings, bodies, and the quoted email."""

from __future__ import annotations

import base64
import quopri
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "mail" / "messages"
TOKEN = "abqw3e5rt7yuioplkjhgfdsazxcvbnm23456"
TO = f"orders+{TOKEN}@pbem.test"
SERVER = "pbem <orders@pbem.test>"
ORDERS = ["r1 go3", "r2 hold", "final"]
TYPED = "r1 go3\nr2 hold\nfinal"

ASKED = f"""\
What happened in turn 1 (exchange 2), as far as red may know, each with its rule:

- r1 moves to 0203 (4.1)

Your orders for exchange 3 (orders, rule 1). Edit these lines and send them back:

    r1 hold    # hold, go1, go2, go3
    r2 hold    # hold, go1, go2, go3

Reply to this mail and write your lines at the top; lines that start with > do not count.
Until: Wed 5 Mar 2025, 12:00 UTC (48 hours after Mon 3 Mar 2025, 12:00 UTC).
The Pass, turn 2, log 5c85a20219bb
https://pbem.test/matches/rae2tflw
Code: {TOKEN}
"""
ASKED_HTML = "".join(f"<p>{line.strip()}</p>" for line in ASKED.splitlines() if line.strip())
QUOTED = "\n".join(f"> {line}".rstrip() for line in ASKED.splitlines())
TIGHT = "\n".join(f">{line}" for line in ASKED.splitlines())

expected: dict[str, dict[str, object]] = {}
written: dict[str, bytes] = {}


# Bytes -------------------------------------------------------------------------------------------------------


def body(text: str, charset: str = "utf-8", encoding: str = "quoted-printable") -> bytes:
    content = text.replace("\r\n", "\n").replace("\n", "\r\n").encode(charset)
    if encoding == "base64":
        return b"\r\n".join(wrapped(content)) + b"\r\n"
    if encoding == "quoted-printable":
        lines = content.split(b"\r\n")
        return b"\r\n".join(quopri.encodestring(line).replace(b"\n", b"\r\n") for line in lines) + b"\r\n"
    return content + b"\r\n"


def wrapped(content: bytes) -> list[bytes]:
    coded = base64.b64encode(content)
    return [coded[place : place + 76] for place in range(0, len(coded), 76)]


def part(
    text: str,
    kind: str = "text/plain",
    charset: str = "utf-8",
    encoding: str = "quoted-printable",
    more: str = "",
    head: str = "",
    coded: str = "",
) -> bytes:
    """Build a MIME part; `charset` is the label, and `coded` the actual encoding of the bytes if it differs."""
    label = f"; charset={charset}" if charset else ""
    lines = [f"Content-Type: {kind}{label}{more}", f"Content-Transfer-Encoding: {encoding}"]
    lines += [head] if head else []
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body(text, coded or charset or "ascii", encoding)


def several(kind: str, *parts: bytes, boundary: str = "b1", more: str = "") -> bytes:
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"{more}\r\n\r\n'.encode()
    inside = b"".join(b"--" + boundary.encode() + b"\r\n" + piece + b"\r\n" for piece in parts)
    return head + inside + b"--" + boundary.encode() + b"--\r\n"


def both(
    plain: str, html: str, charset: str = "utf-8", encoding: str = "quoted-printable", boundary: str = "alt"
) -> bytes:
    return several(
        "alternative",
        part(plain, charset=charset, encoding=encoding),
        part(html, "text/html", charset, encoding),
        boundary=boundary,
    )


def message(
    name: str,
    content: bytes,
    lines: list[str] | None = None,
    *,
    machine: str = "",
    sender: str = "Ann Example <ann@example.org>",
    subject: str = "Re: The Pass: turn 1 report for red",
    to: str = TO,
    headers: tuple[str, ...] = (),
) -> None:
    """Record a message and how it must be read: its new lines, or the reason not to answer it."""
    assert name not in written, name
    head = [
        *headers,
        "MIME-Version: 1.0",
        "Date: Mon, 3 Mar 2025 18:22:07 +0100",
        f"Message-ID: <{name}@mail.example.org>",
        f"Subject: {subject}",
        f"From: {sender}",
        f"To: {to}",
    ]
    written[name] = "\r\n".join(head).encode() + b"\r\n" + content
    expected[name] = {"machine": machine} if machine else {"lines": ORDERS if lines is None else lines}


def as_html(text: str, tag: str = "div") -> str:
    return "".join(f"<{tag}>{line or '<br>'}</{tag}>" for line in text.split("\n"))


# English -----------------------------------------------------------------------------------------------------


def gmail(name: str, text: str, attribution: str, lines: list[str] | None = None, **more: object) -> None:
    """Record a message from Gmail on the web in its two forms, with the quotation in a `gmail_quote`."""
    attr = " ".join(attribution.split("\n"))
    html = (
        f'<div dir="ltr">{as_html(text)}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">{attr.replace("<", "&lt;").replace(">", "&gt;")}<br></div>'
        '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204)">'
        f"{ASKED_HTML}</blockquote></div>"
    )
    plain = f"{text}\n\n{attribution}\n\n{QUOTED}\n"
    message(name, both(plain, html, **more), lines, headers=("X-Mailer: Gmail",))  # type: ignore[arg-type]
