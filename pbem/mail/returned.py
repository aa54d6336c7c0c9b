"""Mails of ours that came back: which account, which address, and why.

The envelope of every mail we send carries a token (`orders+returned-<token>@domain`), so that a report needs no
reading to know whom it concerns (VERP). A host that rewrites the envelope sends the report elsewhere; then a token
in the quoted header of our mail says it. Only a token counts: anybody can write a report.
"""

from __future__ import annotations

from collections.abc import Iterator
from email.message import Message

import msgspec

from pbem.mail.mime import content, header
from pbem.matches import tokens

MOST_TOKENS = 10
REPORT = ("a delivery report", "X-Failed-Recipients is set")
BARE = ("the return path is empty", "sent by mailer-daemon", "sent by postmaster")
"""What a bounce is known by that is no proper report."""


class Returned(msgspec.Struct, frozen=True):
    """`tokens` say whose mail came back; `recipient` is the address as the other host writes it."""

    tokens: list[str]
    recipient: str
    why: str


def read_returned(message: Message, words: list[str], machine: str) -> Returned | None:
    """What a report says; None if this is none, or says that a mail is only late."""
    if not (machine in REPORT or (words and machine in BARE)):
        return None
    said = list(_said(message))
    actions = {action for action, _, _ in said}
    if actions and "failed" not in actions:
        return None
    recipient, why = next(((to, why) for action, to, why in said if action == "failed"), ("", ""))
    recipient = recipient or header(message, "X-Failed-Recipients")
    return Returned(
        tokens=[*words, *_quoted_tokens(message)][:MOST_TOKENS],
        recipient=recipient.lower(),
        why=why or header(message, "Subject") or "it came back",
    )


def _said(message: Message) -> Iterator[tuple[str, str, str]]:
    """RFC 3464: action, recipient and reason of each recipient."""
    for part in message.walk():
        if part.get_content_type() != "message/delivery-status" or not isinstance(part.get_payload(), list):
            continue
        for group in part.get_payload():
            action = header(group, "Action").lower()
            if action:
                to = header(group, "Final-Recipient") or header(group, "Original-Recipient")
                reason = header(group, "Diagnostic-Code").partition(";")[2] or f"status {header(group, 'Status')}"
                yield action, to.rpartition(";")[2].strip(), reason.strip()


def _quoted_tokens(message: Message) -> list[str]:
    """Tokens in the header of our mail, which a report returns."""
    found: list[str] = []
    for part in message.walk():
        if part.get_content_type() == "text/rfc822-headers":
            found += tokens.find(content(part))
        elif part.get_content_type() == "message/rfc822" and isinstance(part.get_payload(), list):
            inner = part.get_payload()[0]
            found += tokens.find(" ".join(str(value) for _, value in inner.raw_items()))
    return found
