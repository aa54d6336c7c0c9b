"""Limits on outgoing mail: how many mails may leave in an hour, to one account, to one address and in all.

A fault that owes thousands of mails, or somebody who has strangers invited, would cost the server its good name with
other mail hosts. A mail beyond a limit is not lost: it waits until the hour has passed. Mails that let somebody sign
in, and alerts to operators, are not held up by the limit of the server.
"""

from __future__ import annotations

import hashlib

from pbem.mail.settings import Settings
from pbem.matches.clock.deadlines import HOUR, MINUTE
from pbem.matches.post import outbox
from pbem.matches.post.outbox import Owed
from pbem.matches.server import Server

URGENT = ("sign-in", "address", "confirm", "alert")
"""The kinds that the limit of the server does not hold up."""

HELD_BACK = "held back: "
"""How the note of a mail begins that waits for a limit."""


def name_of(server: Server, address: str) -> str:
    """What is stored of an address that a mail went to."""
    return hashlib.sha256(f"{server.id}/{address.lower()}".encode()).hexdigest()[:32]


def reason_to_wait(server: Server, settings: Settings, owed: Owed, now: int) -> str:
    """Which limit a mail would break before it is known where it goes; empty if it may leave."""
    since = now - HOUR
    if owed.kind not in URGENT and outbox.count_sent(server, since) >= settings.hourly:
        return f"{settings.hourly} mails have left within an hour"
    if owed.account and outbox.count_sent(server, since, account=owed.account) >= settings.hourly_account:
        return f"{settings.hourly_account} mails to this account have left within an hour"
    return ""


def reason_for_address(server: Server, settings: Settings, address: str, now: int) -> str:
    """Whether too many mails have gone to an address; empty if one more may."""
    if outbox.count_sent(server, now - HOUR, sent_to=name_of(server, address)) >= settings.hourly_address:
        return f"{settings.hourly_address} mails to this address have left within an hour"
    return ""


def hold_back(server: Server, owed: Owed, now: int, why: str) -> None:
    """Let a mail wait; this is no failed attempt."""
    outbox.delay(server, owed, now + 5 * MINUTE, f"{HELD_BACK}{why}")
