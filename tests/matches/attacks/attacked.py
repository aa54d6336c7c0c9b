"""Helpers for tests of what an attacker can find out from a server."""

from __future__ import annotations

from support.playing import close_now
from support.toy import AmbushTitle

from pbem.engine.rules.title import Submission
from pbem.matches.exchange import (
    resolving,
    sealing,
)
from pbem.matches.history.record import Entry
from pbem.matches.history.replay import record_of
from pbem.matches.server import Server

TITLES = {"ambush": AmbushTitle()}


def turn(server: Server, match: str, **orders: dict[str, str] | Submission) -> Entry:
    """Seal these orders, close and resolve; seats that are not named send no orders."""
    exchange = record_of(server, match).open_exchange
    for seat, given in sorted(orders.items()):
        sealing.seal(server, match, seat, exchange, given if isinstance(given, Submission) else Submission(given))
    close_now(server, match, exchange)
    resolving.resolve(server, match)
    return record_of(server, match).closings[exchange]
