"""End a match, and open its parts: at once, or later with its round or its campaign.

The opened parts of a finished match could give away plans in a mirrored match or a campaign. Until they open, its
signed head binds the server.
"""

from __future__ import annotations

from typing import Any

import msgspec

from eventstore import Event
from pbem.engine.rules.state import Outcome
from pbem.matches.events import MatchEnded, MatchOpened, content_as
from pbem.matches.history.receipts import SignedHead
from pbem.matches.history.record import Entry, Record
from pbem.matches.history.replay import record_of
from pbem.matches.server import Server
from pbem.matches.unit_of_work import retrying

WHEN = ("match", "round", "campaign", "never")
"""The possible times at which the parts of a match are opened."""


def end_event(server: Server, record: Record, outcome: Outcome, exchange: int) -> MatchEnded:
    """Return the event that ends a match after an exchange, with its ladders' secrets unless they open later."""
    opened = opened_ladders(server, record) if record.opens == "match" else msgspec.UNSET
    return MatchEnded(msgspec.to_builtins(outcome), exchange, opened)


def opened_ladders(server: Server, record: Record) -> list[dict[str, Any]]:
    """Return the secrets of all ladders of a match."""
    match = record.stream.removeprefix("match/")
    return [server.ladder(match, started).opened_values(last) for started, last in spans(record)]


def spans(record: Record) -> list[tuple[dict[str, Any], int]]:
    """Each ladder of the match with the last exchange that it served."""
    ends = [ladder["base"] for ladder in record.ladders[1:]] + [record.last]
    return list(zip(record.ladders, ends, strict=True))


@retrying
def open_match(server: Server, match: str) -> bool:
    """Open all parts of an ended match that opens later than its end; return whether this call opened it."""
    record = record_of(server, match)
    if record.ended is None or record.opened is not None or record.opens == "never":
        return False
    with server.change(record, "open") as change:
        change.append(MatchOpened(opened_ladders(server, record)))
    return True


# Signed heads ------------------------------------------------------------------------------------------------


def signed_head(server: Server, match: str, entry: Entry) -> SignedHead:
    """Sign the result of an exchange; if it ended the match, the head covers the end."""
    assert entry.resolved is not None
    ended = record_of(server, match).ended
    is_last = ended is not None and content_as(ended, MatchEnded).exchange == entry.exchange
    if ended is not None and is_last and ended.version > entry.resolved.version:
        return _sign(server, match, entry.exchange, ended)
    return _sign(server, match, entry.exchange, entry.resolved)


def newest_head(server: Server, match: str) -> SignedHead:
    """Sign the newest event of a match, such as the end, a ruling or a dispute, and with it all earlier events."""
    record = record_of(server, match)
    return _sign(server, match, record.last, record.events[-1])


def _sign(server: Server, match: str, exchange: int, event: Event) -> SignedHead:
    head = SignedHead(server=server.id, match=match, exchange=exchange, event=event.hash)
    return msgspec.structs.replace(head, signature=server.signer.sign(head.body()))
