"""Open the parts of an ended match later: with its round or its campaign.

Between mirrored matches, or in a campaign, the parts of a match that is over would give plans away. Its signed head
binds the server meanwhile.
"""

from __future__ import annotations

from eventstore import NewEvent
from pbem.matches.exchange import acts
from pbem.matches.server import Server

WHEN = ("match", "round", "campaign", "never")
"""When the parts of a match open."""


def open_match(server: Server, match: str) -> bool:
    """Open all parts of an ended match that was to open later. Return whether this call opened it."""

    def act() -> bool:
        record = acts.read(server, match)
        if record.ended is None or record.opened is not None or record.opens == "never":
            return False
        opened = acts.opened_ladders(server, record)
        acts.append(server, record, [NewEvent("match.opened", {"opened": opened})], "open")
        return True

    return acts.retry(act)
