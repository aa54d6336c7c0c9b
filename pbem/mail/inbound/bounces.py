"""Bounces: the account and address of an undelivered email, and the reason.

The envelope of every email we send carries a token (`orders+returned-<token>@domain`), so a report need not be parsed
to find its account (VERP). A host that rewrites the envelope sends the report elsewhere; then a token in the quoted
header of our email identifies it. Only the token is trusted: anyone can forge a report.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from email.message import Message

import msgspec

from eventstore import Transaction
from pbem.engine.rules.refusals import Refusal
from pbem.mail.inbound.mime import children, content, header
from pbem.matches import summaries
from pbem.matches.accounts import accounts
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.players import invitations
from pbem.matches.post import inbox, reply_tokens
from pbem.matches.post.notifications import owe
from pbem.matches.post.reply_tokens import NotValid, Token
from pbem.matches.server import Server

log = logging.getLogger("pbem.mail")

MOST_TOKENS = 10
MOST_GROUPS = 20
REPORT = "a delivery report"
BARE = ("the return path is empty", "sent by mailer-daemon", "sent by postmaster")
"""The signs of a bounce that is not a proper delivery report."""


ADDRESS = re.compile(r"<?[^\s<>;:,]+@[^\s<>;:,]+>?")
MOST_WHY = 200


class Returned(msgspec.Struct, frozen=True):
    """A delivery report. `tokens` identify the account, and `recipient` is the address that the report names."""

    tokens: list[str]
    recipient: str
    why: str


# Reading -----------------------------------------------------------------------------------------------------


def read_bounce(message: Message, words: list[str], machine: str) -> Returned | None:
    """Return the content of a delivery report; None if this is not one, or only reports a delay."""
    failed = header(message, "X-Failed-Recipients")
    if not (machine == REPORT or failed or (words and machine in BARE)):
        return None
    said = list(_recipients(message))
    actions = {action for action, _, _ in said}
    if actions and "failed" not in actions:
        return None
    recipient, why = next(((to, why) for action, to, why in said if action == "failed"), ("", ""))
    return Returned(
        tokens=[*words, *_quoted_tokens(message)][:MOST_TOKENS],
        recipient=(recipient or failed).lower(),
        why=why or header(message, "Subject") or "it came back",
    )


def _recipients(message: Message) -> Iterator[tuple[str, str, str]]:
    """RFC 3464: the action, address and reason for each recipient."""
    for part in message.walk():
        groups = children(part) if part.get_content_type() == "message/delivery-status" else []
        for group in groups[:MOST_GROUPS]:
            action = header(group, "Action").lower()
            if action:
                to = header(group, "Final-Recipient") or header(group, "Original-Recipient")
                reason = header(group, "Diagnostic-Code").partition(";")[2] or f"status {header(group, 'Status')}"
                yield action, to.rpartition(";")[2].strip(), reason.strip()


def _quoted_tokens(message: Message) -> list[str]:
    """The tokens in the header of our email, which a report returns."""
    found: list[str] = []
    for part in message.walk():
        if part.get_content_type() == "text/rfc822-headers":
            found += reply_tokens.find(content(part))
        elif part.get_content_type() == "message/rfc822":
            for inner in children(part):
                found += reply_tokens.find(" ".join(str(value) for _, value in inner.raw_items()))
    return found


# Handling a bounce -----------------------------------------------------------------------------------------------


def handle_bounce(server: Server, transaction: Transaction, said: Returned, now: int) -> tuple[str, str]:
    """Mark the address as bouncing and notify those who can act, once; return the account and a note for the log."""
    why = ADDRESS.sub("(the address)", said.why)[:MOST_WHY]
    for word in said.tokens:
        try:
            token = reply_tokens.read(server, word)
            if token.use == "invitation":
                return "", _invitation_came_back(server, transaction, token, now, why)
            account = _account_of(server, token)
        except Refusal:
            continue
        _mail_came_back(server, transaction, account, said.recipient, now, why)
        return account.id, f"an email bounced: {why}"
    return "", "a delivery report that names none of our emails"


def _account_of(server: Server, token: Token) -> accounts.Account:
    """Return the account of the email that carried this token."""
    if token.account:
        return accounts.account(server, token.account)
    taken = record_of(server, token.match).occupants.get(token.seat)
    if taken is None or taken["occupancy"] != token.occupancy:
        raise NotValid
    return accounts.account(server, taken["account"])


def _mail_came_back(
    server: Server, transaction: Transaction, account: accounts.Account, recipient: str, now: int, why: str
) -> None:
    if not account.addresses:
        return
    address = recipient if recipient in account.addresses else account.addresses[0]
    if not inbox.note_returned(transaction, address, account.id, now, why):
        return
    log.warning("email to account %s bounces: %s", account.id, why)
    for match, seat in summaries.seats_now(server, account.id):
        _tell(server, transaction, record_of(server, match), seat, account.id, now, why)


def _invitation_came_back(server: Server, transaction: Transaction, token: Token, now: int, why: str) -> str:
    offered = invitations.invitation(server, token.match, token.number)
    if inbox.note_returned(transaction, offered.address, "", now, why):
        log.warning("the invitation of %s in %s bounced: %s", offered.seat, offered.match, why)
        _tell(server, transaction, record_of(server, offered.match), offered.seat, "", now, why)
    return f"an invitation bounced: {why}"


def _tell(
    server: Server, transaction: Transaction, record: Record, seat: str, account: str, now: int, why: str
) -> None:
    """Tell the game master, or without one the other players, which seat is affected, but not the address."""
    match, master = record.stream.removeprefix("match/"), record.created.master
    mail = {"match": match, "at": now, "key": f"{seat}/{account}/{now}"}
    about = {"who": seat, "why": why, "invited": not account, "master": True}
    if master and master != account:
        owe(transaction, "returned", account=master, about=about, **mail)
        return
    others = {taken["account"] for taken in record.occupants.values()} - {account}
    for other in sorted(others):
        owe(transaction, "returned", account=other, about={**about, "why": "", "master": False}, **mail)
