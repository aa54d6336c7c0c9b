"""End a match, and open its parts: at once, or later with its round or its campaign.

Between mirrored matches, or in a campaign, the parts of a match that is over would give plans away. Its signed head
binds the server meanwhile.
"""

from __future__ import annotations

from typing import Any

import msgspec

from eventstore import NewEvent
from pbem.engine.rules.state import Outcome
from pbem.matches import unit_of_work
from pbem.matches.history.record import Record
from pbem.matches.history.replay import (
    record_of,
)
from pbem.matches.server import Server


def end_event(server: Server, record: Record, outcome: Outcome, exchange: int) -> NewEvent:
    """Return the end of a match after an exchange, with the secrets of its ladders unless they open later."""
    payload = {"outcome": msgspec.to_builtins(outcome), "exchange": exchange}
    if record.opens == "match":
        payload["opened"] = opened_ladders(server, record)
    return NewEvent("match.ended", payload)


def opened_ladders(server: Server, record: Record) -> list[dict[str, Any]]:
    """Return the secrets of all ladders of a match."""
    match = record.stream.removeprefix("match/")
    return [server.ladder(match, started).opened(last) for started, last in spans(record)]


def spans(record: Record) -> list[tuple[dict[str, Any], int]]:
    """Each ladder of the match with the last exchange that it served."""
    ends = [ladder["base"] for ladder in record.ladders[1:]] + [record.last]
    return list(zip(record.ladders, ends, strict=True))


WHEN = ("match", "round", "campaign", "never")
"""When the parts of a match open."""


def open_match(server: Server, match: str) -> bool:
    """Open all parts of an ended match that was to open later. Return whether this call opened it."""

    def act() -> bool:
        record = record_of(server, match)
        if record.ended is None or record.opened is not None or record.opens == "never":
            return False
        opened = opened_ladders(server, record)
        unit_of_work.append(server, record, [NewEvent("match.opened", {"opened": opened})], "open")
        return True

    return unit_of_work.retry(act)
