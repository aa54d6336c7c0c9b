"""What the events of a match say, without the rules: seats, exchanges, orders, rulings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from eventstore import Event
from pbem.engine.rules.findings import PUBLIC
from pbem.matches.history.upcasters import UPCASTERS


class Entry(msgspec.Struct, frozen=True):
    """One step of the history that counts: an exchange, a move of the rules or a correction.

    `event` is where it was decided; an exchange also has the event that resolved it, once it has, what was
    published of its ladder, and what stood when it was closed: doctrine (as commitments), sealed orders, and the
    seats that the rules had asked (None after a correction, which may ask anew). `sides` names the side of each seat
    where a side has several.
    """

    kind: str
    event: Event
    resolved: Event | None = None
    ladder: dict[str, Any] = {}
    doctrine: dict[str, str] = {}
    standing: dict[str, int] = {}
    expected: list[str] | None = None
    sides: dict[str, str] = {}

    @property
    def exchange(self) -> int:
        return int(self.event.payload["exchange"])

    def circles_of(self, viewer: str) -> list[str]:
        """The audiences beyond the public to which a viewer belongs, the smallest last."""
        if viewer == PUBLIC:
            return []
        return [side_audience(self.sides[viewer]), viewer] if viewer in self.sides else [viewer]

    @property
    def is_closing(self) -> bool:
        """Whether this is an exchange that is closed and not yet resolved."""
        return self.kind == "exchange" and self.resolved is None

    @property
    def key(self) -> str:
        """Names the state after this entry."""
        return (self.resolved or self.event).hash


def side_audience(side: str) -> str:
    """The audience of what all seats of a side may know."""
    return f"side/{side}"


class Record(msgspec.Struct):
    """The fold of a match's events. `history` holds only what rulings have left standing.

    `counting` are the sealed orders that count, `disputed` the exchanges that seats have disputed.
    """

    events: list[Event] = []
    history: list[Entry] = []
    closings: dict[int, Entry] = {}
    occupants: dict[str, dict[str, Any]] = {}
    occupancies: int = 0
    sealed: dict[str, Event] = {}
    final: dict[str, int] = {}
    doctrine: dict[str, str] = {}
    ladders: list[dict[str, Any]] = []
    last: int = 0
    void: int = 0
    counting: set[int] = set()
    disputed: set[tuple[str, int]] = set()
    halted: Event | None = None
    ended: Event | None = None
    opened: Event | None = None
    """The event that published the secrets of an ended match: `match.ended` itself, or a later `match.opened`."""

    @property
    def opens(self) -> str:
        """Return when the parts open: with the `match`, its `round` or `campaign`, or `never`."""
        return str(self.created.get("opens", "match"))

    @property
    def is_closed(self) -> bool:
        """Whether only those who sit here may look: the battles of a campaign, until that is over."""
        return self.opens == "campaign" and self.opened is None

    @property
    def created(self) -> dict[str, Any]:
        return self.events[0].payload

    @property
    def version(self) -> int:
        return self.events[-1].version

    @property
    def stream(self) -> str:
        return self.events[0].stream

    @property
    def seats(self) -> list[str]:
        return list(self.created["seats"])

    @property
    def sides(self) -> dict[str, str]:
        """The side of each seat, where a side has several; else nothing."""
        return dict(self.created.get("sides", {}))

    @property
    def vacant(self) -> list[str]:
        """The seats that are empty and may stay so: nobody waits for them."""
        return [seat for seat in self.created.get("optional", ()) if seat not in self.occupants]

    @property
    def ladder(self) -> dict[str, Any]:
        """What was published of the ladder that the next closing uses."""
        return self.ladders[-1]

    @property
    def started(self) -> bool:
        return self.last > 0

    @property
    def closing(self) -> Entry | None:
        """The exchange that is closed and not yet resolved."""
        if self.history and self.history[-1].kind == "exchange" and self.history[-1].resolved is None:
            return self.history[-1]
        return None

    @property
    def open_exchange(self) -> int:
        """The number of the exchange that takes answers now; a number is never used again.

        A ruling makes the open number void: what was written before it must not answer what is asked after it.
        """
        return max(self.last, self.void) + 1

    @property
    def resolved(self) -> list[Entry]:
        return [entry for entry in self.history if entry.resolved is not None]

    def exchange(self, number: int) -> Entry | None:
        return next((e for e in self.history if e.kind == "exchange" and e.exchange == number), None)


def fold(events: Iterable[Event]) -> Record:
    return _folded(Record(), events)


def continued(record: Record, events: Iterable[Event]) -> Record:
    """The record with further events. The one before it stays as it is: others may hold it."""
    containers = {
        name: value.copy()
        for name, value in msgspec.structs.asdict(record).items()
        if isinstance(value, list | dict | set)
    }
    return _folded(msgspec.structs.replace(record, **containers), events)


def _folded(record: Record, events: Iterable[Event]) -> Record:
    for event in events:
        record.events.append(event)
        _FOLDS.get(event.type, _nothing)(record, UPCASTERS.lift(event))
    return record


def _nothing(record: Record, event: Event) -> None:
    """An event that only other readers care about."""


def _created(record: Record, event: Event) -> None:
    record.ladders.append(event.payload["ladder"])


def _seat_taken(record: Record, event: Event) -> None:
    record.occupancies += 1
    record.occupants[event.payload["seat"]] = {
        "account": event.payload["account"],
        "occupancy": record.occupancies,
        "since": event.version,
    }


def _seat_left(record: Record, event: Event) -> None:
    record.occupants.pop(event.payload["seat"], None)
    _order_withdrawn(record, event)


def _order_sealed(record: Record, event: Event) -> None:
    record.sealed[event.payload["seat"]] = event
    record.final.pop(event.payload["seat"], None)


def _order_final(record: Record, event: Event) -> None:
    record.final[event.payload["seat"]] = event.version


def _order_withdrawn(record: Record, event: Event) -> None:
    record.sealed.pop(event.payload["seat"], None)
    record.final.pop(event.payload["seat"], None)


def _battle_reported(record: Record, event: Event) -> None:
    """A match has answered: nothing is to be added to that."""
    _order_sealed(record, event)
    _order_final(record, event)


def _doctrine_set(record: Record, event: Event) -> None:
    record.doctrine[event.payload["seat"]] = event.parts[0].commitment


def _exchange_closed(record: Record, event: Event) -> None:
    standing = {seat: sealed.version for seat, sealed in sorted(record.sealed.items())}
    entry = Entry(
        "exchange",
        event,
        ladder=record.ladder,
        doctrine=dict(record.doctrine),
        standing=standing,
        expected=_expected(record),
        sides=record.sides,
    )
    record.history.append(entry)
    record.last = event.payload["exchange"]
    record.closings[record.last] = entry
    record.counting |= set(event.payload["counts"].values())
    record.sealed, record.final = {}, {}


def _expected(record: Record) -> list[str] | None:
    last = next((entry for entry in reversed(record.history) if entry.kind != "moved"), None)
    if last is None:
        return []
    return sorted(ask["seat"] for ask in last.resolved.payload["asks"]) if last.resolved else None


def _exchange_resolved(record: Record, event: Event) -> None:
    entry = msgspec.structs.replace(record.history[-1], resolved=event)
    record.history[-1] = record.closings[entry.exchange] = entry


def _exchange_recomputed(record: Record, event: Event) -> None:
    """The same answers under corrected rules: the exchange stands again, with a new result."""
    closing = record.closings[event.payload["exchange"]]
    record.history.append(msgspec.structs.replace(closing, resolved=event))


def _rules_moved(record: Record, event: Event) -> None:
    """A closed exchange that waits for corrected rules is resolved by them."""
    place = len(record.history) - (1 if record.closing else 0)
    record.history.insert(place, Entry("moved", event))


def _reopened(record: Record, event: Event) -> None:
    """The exchanges after the named one no longer count. What they said stays on record."""
    later = (i for i, e in enumerate(record.history) if e.kind == "exchange" and e.exchange > event.payload["after"])
    del record.history[next(later, len(record.history)) :]
    record.ended = record.opened = None
    _ask_anew(record)


def _corrected(record: Record, event: Event) -> None:
    record.history.append(Entry("corrected", event))
    _ask_anew(record)


def _ask_anew(record: Record) -> None:
    """A ruling changes what is asked: sealed orders fall, and the open number with them."""
    record.void = record.open_exchange
    record.sealed, record.final = {}, {}


def _voided(record: Record, event: Event) -> None:
    _ask_anew(record)


def _disputed(record: Record, event: Event) -> None:
    record.disputed.add((event.payload["seat"], event.payload["exchange"]))


def _ladder_started(record: Record, event: Event) -> None:
    record.ladders.append(event.payload["ladder"])


def _halted(record: Record, event: Event) -> None:
    record.halted = event


def _resumed(record: Record, event: Event) -> None:
    record.halted = None


def _ended(record: Record, event: Event) -> None:
    record.ended = event
    if "opened" in event.payload:
        record.opened = event


def _opened(record: Record, event: Event) -> None:
    record.opened = event


_FOLDS = {
    "match.created": _created,
    "seat.taken": _seat_taken,
    "seat.left": _seat_left,
    "order.sealed": _order_sealed,
    "order.final": _order_final,
    "order.withdrawn": _order_withdrawn,
    "battle.reported": _battle_reported,
    "doctrine.set": _doctrine_set,
    "exchange.closed": _exchange_closed,
    "exchange.resolved": _exchange_resolved,
    "exchange.recomputed": _exchange_recomputed,
    "exchange.voided": _voided,
    "rules.moved": _rules_moved,
    "ruling.reopened": _reopened,
    "ruling.recomputed": _reopened,
    "ruling.corrected": _corrected,
    "dispute.opened": _disputed,
    "ladder.started": _ladder_started,
    "match.halted": _halted,
    "match.resumed": _resumed,
    "match.ended": _ended,
    "match.opened": _opened,
}
