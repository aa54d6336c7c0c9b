"""The servers on which a match was played, one after the other.

The first link of a chain is made from the id of the server on which the match began. A server that hands the match
over appends `match.moved` with the id of the next one, and signs that event; the next one appends `match.arrived`
with this signature. So the log shows for every event which server was in charge, and no other server can take a
match over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from eventstore import Event
from pbem.matches.history.receipts import SignedHead


class InCharge(msgspec.Struct, frozen=True):
    """A server, and the first event that it appended."""

    id: str
    since: int


def servers(events: Sequence[Event]) -> list[InCharge]:
    """The servers in charge, in order. Nothing in the events is trusted yet."""
    found = [InCharge(_text(events[0].payload.get("server")), 1)]
    for version, (before, event) in enumerate(pairwise(events), 2):
        if event.type == "match.arrived":
            found.append(InCharge(_text(before.payload.get("to")), version))
    return found


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def server_at(events: Sequence[Event], version: int) -> str:
    """The server that was in charge at an event."""
    return next((one.id for one in reversed(servers(events)) if one.since <= version), "")


def departure(match: str, event: Event, server: str, signature: str = "") -> SignedHead:
    """Return the head that the departing server signs: the event that names the next server."""
    return SignedHead(server=server, match=match, exchange=0, event=event.hash, signature=signature)


def problems(match: str, events: Sequence[Event], server: str) -> Iterator[tuple[int, str]]:
    """Return the problems with the moves of a match that `server` claims to hold, as version and reason."""
    here = _text(events[0].payload.get("server"))
    for version, (before, event) in enumerate(pairwise(events), 2):
        if event.type == "match.arrived":
            said = event.payload
            signed = departure(match, before, here, _text(said.get("signature")))
            if before.type != "match.moved" or (said.get("server"), said.get("event")) != (here, before.hash):
                yield version, "the match arrived without having left another server"
            elif not signed.genuine():
                yield version, "the server that the match came from did not sign that it left"
            here = _text(before.payload.get("to"))
        elif before.type == "match.moved":
            yield version, "it was appended after the match had left"
    if here != server:
        yield len(events), "the match is in the hands of another server"
