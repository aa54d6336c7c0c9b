"""Orders, exchanges, and deadlines."""

from __future__ import annotations

from typing import Any

import msgspec

from pbem.matches.clock.causes import Cause
from pbem.matches.events.base import MatchEvent, event
from pbem.matches.history.upcasters import RESOLVED_SCHEMA


@event("order.sealed", order="the orders (the seat, or its side)", sent="how they came in (the account)")
class OrderSealed(MatchEvent, frozen=True, omit_defaults=True):
    """A seat submitted orders; they replace the last ones until the exchange closes.

    `accepted` is when a listener accepted the email, if it arrived in time but was recorded after the deadline.
    """

    seat: str
    exchange: int
    accepted: int = 0


@event("order.final")
class OrderFinal(MatchEvent, frozen=True):
    """A seat marked its sealed orders as final."""

    seat: str
    exchange: int


@event("order.withdrawn")
class OrderWithdrawn(MatchEvent, frozen=True, omit_defaults=True):
    """A seat withdrew its sealed orders; `why` is "erased" if their author had the content erased."""

    seat: str
    exchange: int
    why: str = ""


@event("exchange.voided")
class ExchangeVoided(MatchEvent, frozen=True):
    """The open exchange is asked again under a new number, because new dice ladders were drawn."""

    exchange: int


@event("doctrine.set", doctrine="the standing orders (the seat)")
class StandingOrdersSet(MatchEvent, frozen=True):
    """A seat replaced its standing orders."""

    seat: str


@event("exchange.closed", answer="the valid answer of each seat (nobody until the end)")
class ExchangeClosed(MatchEvent, frozen=True, omit_defaults=True):
    """The answers that count are fixed, and with them the dice. `counts` names the sealed orders by version."""

    exchange: int
    why: str
    asked: list[str]
    counts: dict[str, int]


@event("beacon.taken")
class BeaconTaken(MatchEvent, frozen=True, omit_defaults=True):
    """The public beacon of a closed exchange was published; its `value` is one more input of the dice."""

    exchange: int
    round: int
    value: str
    signature: str = ""


class Resolved(MatchEvent, frozen=True):
    """The result of an exchange: the rung of its dice, a salted hash of the state, and the next asks."""

    exchange: int
    turn: int
    period: str
    rung: str
    state: str
    asks: list[dict[str, str]]
    findings: str


RESOLVED_PARTS = {
    "rolls": "every roll (everybody)",
    "secret_rolls": "rolls that are still secret (nobody until the end)",
    "autos": "automatic answers (nobody until the end)",
    "findings": "the results (one part for everybody, and one for each other audience)",
}


@event("exchange.resolved", RESOLVED_SCHEMA, **RESOLVED_PARTS)
class ExchangeResolved(Resolved, frozen=True):
    """An exchange was played."""


@event("exchange.recomputed", RESOLVED_SCHEMA, **RESOLVED_PARTS)
class ExchangeRecomputed(Resolved, frozen=True):
    """An exchange was played again with the same answers and dice, after a ruling."""


@event("rules.moved")
class RulesMoved(MatchEvent, frozen=True, omit_defaults=True):
    """From the next step on the match plays by these switches.

    `season` is the stage at which a season of a campaign begins, and `battles` are the switches for the battles of
    that season, if the campaign's file pins them.
    """

    switches: list[str]
    season: int = 0
    battles: list[str] = msgspec.field(default_factory=list)


@event("ladder.started")
class LadderStarted(MatchEvent, frozen=True):
    """New dice ladders and a new salt key serve all future exchanges."""

    ladder: dict[str, Any]
    why: str


@event("deadline.set")
class DeadlineSet(MatchEvent, frozen=True, omit_defaults=True):
    """A deadline was announced, or moved, as a UTC instant in milliseconds.

    `causes` says step by step why it falls then. Older records have English in `why` instead.
    """

    exchange: int
    at: int
    why: str
    grace: int = 0
    cause: str = ""
    causes: tuple[Cause, ...] = ()


@event("deadline.missed")
class DeadlineMissed(MatchEvent, frozen=True):
    """A deadline passed, and these seats had sealed nothing."""

    exchange: int
    seats: list[str]


@event("extension.asked")
class ExtensionAsked(MatchEvent, frozen=True):
    """A seat asked for more time."""

    seat: str
    exchange: int
    hours: int


@event("extension.granted")
class ExtensionGranted(MatchEvent, frozen=True):
    """More time was granted, by right or because all agreed."""

    seat: str
    exchange: int
    hours: int
    by: str
