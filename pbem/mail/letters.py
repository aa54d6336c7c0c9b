"""What a mail says: who sent it, for what it has the right, and what is new in it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import getaddresses, parseaddr

import msgspec

from pbem.mail.new_text import new_text, text_of_html
from pbem.mail.settings import Settings
from pbem.matches import tokens
from pbem.matches.inbox import Inbound

RECIPIENTS = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")
MACHINES = ("mailer-daemon", "postmaster", "noreply", "no-reply")


class Letter(msgspec.Struct, frozen=True):
    """`machine` is why nobody is to be answered, `doubt` why the sender is not believed."""

    sender: str
    message_id: str
    digest: str
    subject: str
    text: str
    tokens: list[str]
    machine: str = ""
    doubt: str = ""


def read_letter(mail: Inbound, settings: Settings) -> Letter:
    message = message_from_bytes(mail.raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    plain, html = _texts(message)
    sender = parseaddr(_header(message, "From"))[1].lower()
    return Letter(
        sender=sender,
        message_id=_header(message, "Message-ID"),
        digest=_digest(message, mail.raw),
        subject=_header(message, "Subject"),
        text=new_text(plain or text_of_html(html)),
        tokens=list(dict.fromkeys((*_tokens_of_address(message, mail, settings), *tokens.find(f"{plain}\n{html}")))),
        machine=machine(message, mail.envelope.get("sender"), sender, settings),
        doubt=doubt(message, settings),
    )


def _header(message: EmailMessage, name: str) -> str:
    """A header's text, also of a mail that breaks the rules."""
    try:
        return str(message[name] or "").strip()
    except (ValueError, IndexError, AttributeError):
        return ""


def _texts(message: EmailMessage) -> tuple[str, str]:
    """The plain and the HTML text; either may be missing."""
    found = {"text/plain": "", "text/html": ""}
    for part in message.walk():
        kind = part.get_content_type()
        if kind in found and not found[kind] and not part.is_attachment():
            found[kind] = _content(part)
    return found["text/plain"].strip(), found["text/html"]


def _content(part: EmailMessage) -> str:
    try:
        return str(part.get_content())
    except (LookupError, UnicodeError, ValueError):
        content = part.get_payload(decode=True)
        return content.decode("utf-8", "replace") if isinstance(content, bytes) else ""


def _digest(message: EmailMessage, raw: bytes) -> str:
    """The content without what relays add: the same mail delivered twice has the same digest."""
    body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[2].rstrip(b"\n")
    head = "\n".join(_header(message, name) for name in ("From", "Date", "Subject"))
    return hashlib.sha256(head.encode() + b"\0" + body).hexdigest()


def _tokens_of_address(message: EmailMessage, mail: Inbound, settings: Settings) -> Iterator[str]:
    """First where it was delivered to, then where it says it goes."""
    addressed = getaddresses([_header(message, name) for name in RECIPIENTS])
    for address in (*mail.envelope["recipients"], *(address for _, address in addressed)):
        if token := settings.token_in(address):
            yield token


def machine(message: EmailMessage, envelope_sender: str | None, sender: str, settings: Settings) -> str:
    """Why this mail comes from a program or a list, and is neither applied nor answered; empty if from a person."""
    if _header(message, "Auto-Submitted").lower() not in ("", "no"):
        return f"Auto-Submitted: {_header(message, 'Auto-Submitted')}"
    if _header(message, "Precedence").lower() in ("bulk", "junk", "list", "auto_reply"):
        return f"Precedence: {_header(message, 'Precedence')}"
    for name in ("List-Id", "X-Autoreply", "X-Autorespond"):
        if message[name] is not None:
            return f"{name} is set"
    if envelope_sender in ("", "<>") or _header(message, "Return-Path") == "<>":
        return "the return path is empty"
    if message.get_content_type() == "multipart/report":
        return "a delivery report"
    if not sender:
        return "it names no sender"
    if sender.partition("@")[0] in MACHINES or settings.token_in(sender) is not None:
        return f"sent by {sender.partition('@')[0]}"
    return ""


def doubt(message: EmailMessage, settings: Settings) -> str:
    """What the trusted host found wrong with the sender. Anybody can write such a header; only that host's counts."""
    if not settings.trusted_host:
        return ""
    for value in message.get_all("Authentication-Results", []):
        host, _, results = str(value).partition(";")
        if host.split()[:1] != [settings.trusted_host]:
            continue
        found = dict(re.findall(r"\b(dmarc|dkim|spf)=(\w+)", results.lower()))
        if found.get("dmarc") == "fail" or (found.get("spf") == "fail" and found.get("dkim") != "pass"):
            return "the mail host could not authenticate the sender"
    return ""
