"""Published rating lists: the stream `ratings/<title>`, one event for each list.

A list fixes whole numbers and the hash of the results that it was made from. Computing it again gives the same
numbers; a corrected result gives a new list for its month and for every later one. Seeds already used do not change.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from eventstore import NewEvent
from pbem.matches import unit_of_work
from pbem.matches.server import Server
from pbem.ratings.lists import Listed, RatingList

PUBLISHED = "ratings.published"


def stream_of(title: str) -> str:
    return f"ratings/{title}"


def lists(server: Server, title: str) -> dict[str, RatingList]:
    """Return the list that counts for each month: the one published last."""
    found: dict[str, RatingList] = {}
    for event in server.store.read(stream_of(title)):
        part = event.part("list", "public")
        if event.type == PUBLISHED and part is not None:
            found[event.payload["month"]] = msgspec.json.decode(server.content(part.commitment), type=RatingList)
    return found


def latest(server: Server, title: str) -> RatingList | None:
    """Return the newest list of a title."""
    found = lists(server, title)
    return found[max(found)] if found else None


def line_of(server: Server, title: str, account: str) -> Listed | None:
    """Return an account's line in the newest list."""
    newest = latest(server, title)
    return None if newest is None else newest.lines.get(account)


def publish(server: Server, title: str, computed: Sequence[RatingList]) -> list[RatingList]:
    """Publish the computed lists that are missing, or that a correction has changed."""
    known = lists(server, title)
    wanted = [one for one in computed if known.get(one.month) != one]
    version = server.store.version(stream_of(title))
    if not wanted:
        return []
    events = []
    for offset, one in enumerate(wanted, 1):
        payload = {"month": one.month, "results": one.results, "players": len(one.lines), "median": one.median}
        payload["corrects"] = one.month in known
        part = unit_of_work.part(server, stream_of(title), version + offset, "list", "public", one)
        events.append(NewEvent(PUBLISHED, payload, parts=(part,)))
    server.store.append(stream_of(title), events, expected=version, label="ratings")
    return wanted
