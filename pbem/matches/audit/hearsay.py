"""Statements that the log alone cannot prove: only the players may know whether they are true."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eventstore import Event
from pbem.matches.history.ladders import RESTORED

HOUR = 3_600_000


def facts(events: Sequence[Event]) -> Iterator[str]:
    """List the statements that a reader can check only by asking the players."""
    until: dict[int, int] = {}
    opened_at, halted = 0, False
    for event in events:
        said, where = event.payload, f"event {event.version}"
        halted = event.type == "match.halted" or (halted and event.type != "match.resumed")
        if event.type == "ladder.started" and said["why"] == RESTORED:
            yield f"{where}: the server says that it restored a backup; since then it uses new dice ladders"
        elif event.type == "rules.moved" and halted:
            changed = "the rules were changed while the match was halted"
            yield f"{where}: {changed}; the server says that a failure had halted it"
        elif (
            event.type == "order.sealed"
            and said.get("accepted", until.get(said["exchange"], 0))
            < until.get(said["exchange"], 0)
            < event.recorded_at
        ):
            yield f"{where}: it was recorded after the deadline; the server says that the email arrived in time"
        elif event.type == "deadline.set":
            yield from _about_deadline(event, until.get(said["exchange"]), opened_at)
            until[said["exchange"]] = said["at"]
        if event.type in ("exchange.resolved", "exchange.recomputed"):
            opened_at = event.recorded_at


def _about_deadline(event: Event, old: int | None, opened_at: int) -> Iterator[str]:
    said, where = event.payload, f"event {event.version}"
    if old is None:
        late = (event.recorded_at - opened_at) // HOUR
        if opened_at and late > 0:
            yield f"{where}: the deadline was announced {late} hours after the result before it"
    elif said.get("cause") == "outage" and said["at"] < old:
        what = f"and moves the deadline of exchange {said['exchange']} to an earlier time"
        yield f"{where}: the server says that its clock had been wrong, {what}"
    elif said.get("cause") == "outage":
        hours = -(-(said["at"] - old) // HOUR)
        yield f"{where}: the server says that it was down; the deadline is up to {hours} hours later"
