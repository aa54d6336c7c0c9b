"""Limits on outgoing email: per hour to one account, to one address, and for the whole server.

A fault that queues thousands of emails, or a player who invites many strangers, could get the server blocked by other
mail hosts. Emails beyond a limit are delayed, never dropped. Sign-in links, confirmations and alerts to operators are
exempt from the limit for the whole server.
"""

from __future__ import annotations

import hashlib

from pbem.mail.settings import Settings
from pbem.matches.clock.deadlines import HOUR, MINUTE
from pbem.matches.post import outbox
from pbem.matches.post.outbox import Owed
from pbem.matches.server import Server

URGENT = ("sign-in", "address", "confirm", "alert")
"""The kinds of email that the server's limit does not delay."""

HELD_BACK = "held back: "
"""The start of the note on a delayed email."""


def name_of(server: Server, address: str) -> str:
    """Return a hash that represents an address in counters."""
    return hashlib.sha256(f"{server.id}/{address.lower()}".encode()).hexdigest()[:32]


def sent_lately(server: Server, now: int) -> int:
    """Return how many emails the whole server has sent in the last hour."""
    return outbox.count_sent(server, now - HOUR)


def reason_to_wait(server: Server, settings: Settings, owed: Owed, now: int, sent: int) -> str:
    """Name the limit of the server or the account that an email exceeds; empty if it can be sent.

    `sent` is how many emails the server has sent in the last hour.
    """
    since = now - HOUR
    if owed.kind not in URGENT and sent >= settings.hourly:
        return f"{settings.hourly} emails were sent within an hour"
    if owed.account and outbox.count_sent(server, since, account=owed.account) >= settings.hourly_account:
        return f"{settings.hourly_account} emails to this account were sent within an hour"
    return ""


def reason_for_address(server: Server, settings: Settings, address: str, now: int) -> str:
    """Name the hourly limit for an address if it is reached; otherwise return an empty text."""
    if outbox.count_sent(server, now - HOUR, sent_to=name_of(server, address)) >= settings.hourly_address:
        return f"{settings.hourly_address} emails to this address were sent within an hour"
    return ""


def hold_back(server: Server, owed: Owed, now: int, why: str) -> None:
    """Delay an email; this does not count as a failed attempt."""
    outbox.delay(server, owed, now + 5 * MINUTE, f"{HELD_BACK}{why}")
