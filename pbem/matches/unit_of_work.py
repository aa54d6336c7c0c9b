"""One unit of work on a match: a read, and one transaction that expects the match unchanged since then.

    @retrying
    def leave_seat(server: Server, match: str, seat: str, why: str) -> None:
        record = record_of(server, match)                # may refuse; nothing is locked yet
        with server.change(record, "seat") as change:    # one transaction that expects the record's version
            change.append(SeatLeft(seat, why))

An act that meets a newer version reads the match again and decides again: players never see a conflict.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from types import TracebackType
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from eventstore import Conflict, Event, NewEvent, NewPart, Transaction, canonical
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.text.messages import say
from pbem.matches.events.base import StoredEvent
from pbem.matches.events.life import MatchMoved
from pbem.matches.events.reading import content_as
from pbem.matches.history.record import Record, extend

if TYPE_CHECKING:
    from pbem.matches.history.replay import Position
    from pbem.matches.server import Server

P = ParamSpec("P")
T = TypeVar("T")


def retrying(act: Callable[P, T]) -> Callable[P, T]:
    """Retry an act on a fresh read of the match whenever another process was faster."""

    @wraps(act)
    def until_done(*args: P.args, **named: P.kwargs) -> T:
        while True:
            try:
                return act(*args, **named)
            except Conflict:
                continue

    return until_done


class Change:
    """One transaction on a match, which must be unchanged since it was read.

    `record` is the match with the events appended here; others see them when the transaction is committed.
    `transaction` is for tables and streams other than the match's own.
    """

    def __init__(self, server: Server, at: Position | Record, transaction: Transaction, *, joined: bool) -> None:
        self.server, self.transaction = server, transaction
        self.record = at if isinstance(at, Record) else at.record
        self._position = None if isinstance(at, Record) else at
        self._joined = joined

    @classmethod
    def joining(cls, server: Server, transaction: Transaction, record: Record) -> Change:
        """A change inside a transaction that the caller commits."""
        return cls(server, record, transaction, joined=True)

    @property
    def match(self) -> str:
        return self.record.stream.removeprefix("match/")

    @property
    def position(self) -> Position:
        """The position that was read, with the record as it is now."""
        if self._position is None:
            raise ValueError("this change began with a record alone")
        return self._position.at(self.record)

    def append(self, *events: StoredEvent | NewEvent) -> list[Event]:
        """Append to the match; raise `Conflict` if another process was faster."""
        if self.record.moved is not None:
            where = content_as(self.record.moved, MatchMoved).address
            raise Illegal(
                self.match,
                [Objection("pbem/moved", say("this match has moved to {where} and continues there", where=where))],
            )
        new = [event.new() if isinstance(event, StoredEvent) else event for event in events]
        written = self.transaction.append(self.record.stream, new, expected=self.record.version)
        self.record = extend(self.record, written)
        return written

    def part(self, name: str, audience: str, content: object) -> NewPart:
        """Content of the next event that not everyone may see."""
        return part(self.server, self.match, self.record.version + 1, name, audience, content)

    def __enter__(self) -> Change:
        if not self._joined:
            self.transaction.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._joined:
            self.transaction.__exit__(kind, error, trace)
            if error is None:
                self.server.keep(self.record)


def part(server: Server, match: str, version: int, name: str, audience: str, content: object) -> NewPart:
    """Return content that not everyone may see, with a salt of its own."""
    salt = server.entropy(f"{match}/{version}/{name}/{audience}")
    return NewPart(name=name, audience=audience, content=canonical(content), salt=salt)


def retry(act: Callable[[], T]) -> T:
    """Call `act`, and call it again whenever another process was faster."""
    return retrying(act)()


def append(server: Server, record: Record, events: Sequence[StoredEvent | NewEvent], label: str) -> list[Event]:
    """Append to a match in a separate change."""
    with server.change(record, label) as change:
        return change.append(*events)
