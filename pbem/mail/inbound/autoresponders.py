"""Recognise autoresponders, mailing lists and spam.

They never get a reply: that could start a mail loop.
"""

from __future__ import annotations

import tomllib
from email.message import Message
from importlib import resources
from typing import Any

from pbem.mail.inbound.mime import children, header, headers
from pbem.mail.settings import Settings

MOST_RELAYS = 40
"""The most `Received` lines that an email may have; one caught in a loop has more."""

KNOWN: dict[str, Any] = tomllib.loads(
    (resources.files("pbem.mail.inbound") / "data" / "autoresponders.toml").read_text("utf-8")
)
SUBJECTS = tuple(subject.lower() for subject in KNOWN["subjects"])


def why_automatic(message: Message, envelope_sender: str | None, sender: str, settings: Settings) -> str:
    """Return why an email from a program or a list is neither applied nor answered; empty for a person."""
    return (
        _said_by_content(message)
        or _said_by_headers(message)
        or _said_by_sender(message, envelope_sender, sender, settings)
        or _comes_back(message, settings)
    )


def _said_by_headers(message: Message) -> str:
    submitted = header(message, "Auto-Submitted").lower()
    if submitted.partition(";")[0].strip() not in ("", "no"):
        return f"Auto-Submitted: {submitted}"
    precedence = header(message, "Precedence").lower()
    if precedence in KNOWN["precedence"]:
        return f"Precedence: {precedence}"
    name = next((name for name in KNOWN["headers"] if name in message), None)
    if name is not None:
        return f"{name} is set"
    subject = header(message, "Subject").lower()
    return "the subject of a vacation notice" if subject.startswith(SUBJECTS) else ""


def _said_by_content(message: Message) -> str:
    kind = message.get_content_type()
    if kind == "multipart/report":
        report = str(message.get_param("report-type", "delivery-status")).lower()
        return str(KNOWN["report"].get(report, "a report"))
    kinds = [kind, *(part.get_content_type() for part in children(message)[:5])]
    return next((KNOWN["content"][kind] for kind in kinds if kind in KNOWN["content"]), "")


def _said_by_sender(message: Message, envelope_sender: str | None, sender: str, settings: Settings) -> str:
    if envelope_sender in ("", "<>") or header(message, "Return-Path") == "<>":
        return "the return path is empty"
    if not sender:
        return "it names no sender"
    name = sender.partition("@")[0]
    if name.partition("+")[0] in KNOWN["senders"] or settings.token_in(sender) is not None:
        return f"sent by {name}"
    return ""


def _comes_back(message: Message, settings: Settings) -> str:
    """Return why an email is one of our own or is caught in a loop."""
    if header(message, "Message-ID").rstrip(">").endswith(f"@{settings.domain}"):
        return "one of our own emails was returned"
    return "it has passed too many hosts" if len(headers(message, "Received")) > MOST_RELAYS else ""


def is_spam(message: Message) -> bool:
    """Whether a spam filter has marked the email. With a valid code it is accepted anyway."""
    flagged = header(message, "X-Spam-Flag").lower() == "yes"
    return flagged or header(message, "X-Spam-Status").lower().startswith("yes")
