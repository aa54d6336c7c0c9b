"""A parsed email: its sender, its tokens, and the new text in it."""

from __future__ import annotations

import binascii
import hashlib
import re
from collections.abc import Iterator
from email.message import Message

import msgspec

from pbem.engine.text.messages import Message as Spoken
from pbem.engine.text.messages import say
from pbem.mail.inbound import limits, mime
from pbem.mail.inbound.autoresponders import is_spam, why_automatic
from pbem.mail.inbound.bounces import Returned, read_bounce
from pbem.mail.inbound.mime import Texts, address, addresses, header, headers
from pbem.mail.inbound.reply_text import TooMuch, new_text, tidy
from pbem.mail.settings import Settings
from pbem.matches.players import work
from pbem.matches.post import reply_tokens
from pbem.matches.post.inbox import Inbound

RECIPIENTS = ("Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "X-Delivered-To", "To", "Cc")
MOST_ADDRESSES = 50
WRAPPED = 50
"""The length of the shortest line that a mail program would wrap."""

ORDERS_FILE = re.compile(r"^orders\b", re.IGNORECASE)
HEADER_END = re.compile(rb"\r?\n\r?\n|\r\r")
SOFT_BREAK = re.compile(rb"=\r?\n")
PACKED = re.compile(rb"^[A-Za-z0-9+/\r\n]{40,}={0,2}\r?$", re.MULTILINE)
"""Lines that may be base64."""


class Letter(msgspec.Struct, frozen=True):
    """A parsed email. `machine`, `doubt` and `beyond` say why it gets no reply, is not trusted, or is not read.

    `addressed` holds the tokens in our addresses; `tokens` holds these and the tokens in the text.
    """

    sender: str
    message_id: str
    digest: str
    subject: str
    text: str
    tokens: list[str]
    addressed: list[str] = []
    machine: str = ""
    doubt: Spoken | None = None
    beyond: str = ""
    spam: bool = False
    to_return_address: bool = False
    returned: Returned | None = None
    files: bool = False
    unchanged: bool = False
    whole: str = ""
    answers: str = ""
    typed: str = ""
    """The text including quotations, the Message-ID of the email that it answers, and the new text without files."""


def read_letter(mail: Inbound, settings: Settings) -> Letter:
    """Parse an email; any bytes are accepted."""
    message = mime.parse(mail.raw)
    beyond = str(mail.envelope.get("beyond", ""))
    found, text, typed = Texts(), "", ""
    try:
        found = found if beyond else mime.texts(message)
        typed = _better(new_text(found.plain), found)
        text = _orders_in_file(found, typed) or typed
    except (TooMuch, limits.TooLong, work.Overspent) as problem:
        beyond = str(problem)
    sender = _sender(message, mail, beyond)
    goals = list(dict.fromkeys(_goals(message, mail)))
    words = [word for word in map(settings.token_in, goals) if word]
    returned = [word for word in map(settings.bounce_token_in, goals) if word]
    addressed = [word for word in words if reply_tokens.find(word) == [word]]
    why = why_automatic(message, mail.envelope.get("sender"), sender, settings)
    return Letter(
        sender=sender,
        message_id=header(message, "Message-ID"),
        digest=_digest(message, mail.raw),
        subject=header(message, "Subject"),
        text=text,
        tokens=list(dict.fromkeys((*addressed, *reply_tokens.find(f"{found.plain}\n{found.rich}")))),
        addressed=addressed,
        machine=why,
        doubt=doubt(message, settings),
        beyond=beyond,
        spam=is_spam(message),
        to_return_address=bool(returned) and not addressed,
        returned=read_bounce(message, returned, why),
        files=bool(found.files),
        whole=found.plain,
        answers=header(message, "In-Reply-To"),
        typed=typed,
    )


def read_addresses(mail: Inbound, settings: Settings) -> tuple[str, list[str]]:
    """Return the sender and the codes in our addresses, from the header alone."""
    message = mime.parse(mail.raw[: limits.header_length(mail.raw)])
    goals = dict.fromkeys(_goals(message, mail))
    words = [settings.bounce_token_in(goal) or settings.token_in(goal) for goal in goals]
    return _sender(message, mail, str(mail.envelope.get("beyond", ""))), [word for word in words if word]


def _sender(message: Message, mail: Inbound, beyond: str) -> str:
    """Return the address in From, or the envelope sender if From is missing in an email beyond the limits."""
    sender = address(message, "From")
    return str(mail.envelope.get("sender") or "").lower() if beyond and not sender else sender


def codes_in(raw: bytes) -> list[str]:
    """Find possible codes in the bytes of an email, even in quoted-printable and base64, without parsing it."""
    work.spend(characters=len(raw))
    text = SOFT_BREAK.sub(b"", raw)
    packed = b"".join(_unpack(b"".join(run.split())) for run in PACKED.findall(raw))
    return reply_tokens.find((text + b"\n" + packed.replace(b"\0", b"")).decode("latin-1"))


def _unpack(run: bytes) -> bytes:
    """Decode lines of base64, which may have been cut short."""
    try:
        return binascii.a2b_base64(run[: len(run) // 4 * 4])
    except binascii.Error:
        return b""


def _orders_in_file(found: Texts, typed: str) -> str:
    """Return the orders file if there is one, or otherwise the only file if nothing was typed."""
    for name, content in found.files:
        if ORDERS_FILE.match(name):
            return tidy(content).strip()
    return tidy(found.files[0][1]).strip() if not typed and len(found.files) == 1 else ""


def _better(plain: str, found: Texts) -> str:
    """The plain text, unless it is only the HTML text with its lines wrapped, as some programs send it."""
    if found.rich == found.plain or not plain:
        return plain
    rich = new_text(found.rich)
    return rich if _is_wrapped(plain, rich) else plain


def _is_wrapped(wrapped: str, whole: str) -> bool:
    """Whether joining wrapped lines turns one text into the other."""
    rest = [line for line in wrapped.splitlines() if line]
    for line in whole.splitlines():
        while line:
            if not rest or not line.startswith(rest[0]):
                return False
            taken = rest.pop(0)
            line = line[len(taken) :].lstrip()
            if line and len(taken) < WRAPPED:
                return False
    return not rest


def _digest(message: Message, raw: bytes) -> str:
    """Hash the content without the additions of relays, so that an email delivered twice has the same digest."""
    end = HEADER_END.search(raw)
    body = b"" if end is None else raw[end.end() :].replace(b"\r\n", b"\n").rstrip(b"\n")
    head = "\n".join(header(message, name) for name in ("From", "Date", "Subject"))
    return hashlib.sha256(head.encode() + b"\0" + body).hexdigest()


def _goals(message: Message, mail: Inbound) -> Iterator[str]:
    """Yield the delivery addresses, then the addresses in the email's header."""
    yield from mail.envelope["recipients"][:MOST_ADDRESSES]
    for name in RECIPIENTS:
        yield from addresses(message, name)[:MOST_ADDRESSES]


def doubt(message: Message, settings: Settings) -> Spoken | None:
    """Return what the trusted host found wrong with the sender.

    Anyone can forge such a header, so only the one from that host is trusted.
    """
    if not settings.trusted_host:
        return None
    for value in headers(message, "Authentication-Results"):
        host, _, results = value.partition(";")
        if host.split()[:1] != [settings.trusted_host]:
            continue
        found = dict(re.findall(r"\b(dmarc|dkim|spf)=(\w+)", results.lower()))
        if found.get("dmarc") == "fail" or (found.get("spf") == "fail" and found.get("dkim") != "pass"):
            return say("the mail host could not authenticate the sender")
    return None
