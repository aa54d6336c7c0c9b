"""The record of a match (seats, exchanges, orders, rulings), built from its events without playing the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from eventstore import Event, Events, Lazy
from pbem.engine.rules.findings import PUBLIC
from pbem.matches.accounts.names import BOT
from pbem.matches.events import (
    BattleReported,
    BeaconTaken,
    DisputeOpened,
    ExchangeClosed,
    ExchangeRecomputed,
    ExchangeResolved,
    ExchangeVoided,
    LadderStarted,
    MatchArrived,
    MatchCreated,
    MatchEnded,
    MatchHalted,
    MatchMoved,
    MatchOpened,
    MatchResumed,
    OrderFinal,
    OrderSealed,
    OrderWithdrawn,
    Resolved,
    RulesMoved,
    RulingCorrected,
    RulingRecomputed,
    RulingReopened,
    SeatLeft,
    SeatTaken,
    SecretsKept,
    StandingOrdersSet,
    content_as,
    read,
)


class Entry(msgspec.Struct, frozen=True):
    """One valid step of the history: an exchange, a change of the rules or a correction.

    `event` is the event that decided it. An exchange also has the event that resolved it, if there is one, the
    published part of its ladder, and the facts at its closing: standing orders (as commitments), sealed orders, and
    the seats that the rules had asked (None after a correction, which may ask anew). `sides` names the side of each
    seat if a side has several. `beacon` is the value of the public beacon, once published.
    """

    kind: str
    event: Event
    exchange: int = 0
    resolved: Event | None = None
    ladder: dict[str, Any] = {}
    doctrine: dict[str, str] = {}
    standing: dict[str, int] = {}
    expected: list[str] | None = None
    sides: dict[str, str] = {}
    beacon: str = ""

    @property
    def closed(self) -> ExchangeClosed:
        """The closing event, decoded as its class."""
        return content_as(self.event, ExchangeClosed)

    @property
    def result(self) -> Resolved:
        """The result of a resolved exchange."""
        assert self.resolved is not None
        return content_as(self.resolved, Resolved)

    def circles_of(self, viewer: str) -> list[str]:
        """The audiences other than the public to which a viewer belongs, smallest last."""
        if viewer == PUBLIC:
            return []
        return [side_audience(self.sides[viewer]), viewer] if viewer in self.sides else [viewer]

    @property
    def is_closing(self) -> bool:
        """Whether this exchange is closed and not yet resolved."""
        return self.kind == "exchange" and self.resolved is None

    @property
    def key(self) -> str:
        """The key that identifies the state after this entry."""
        return (self.resolved or self.event).hash


def side_audience(side: str) -> str:
    """The audience of facts that all seats of a side may know."""
    return f"side/{side}"


class Standing(msgspec.Struct):
    """The current facts of a match, regardless of its age. `disputed` are the exchanges that seats have disputed.

    It is small, and can be stored as a checkpoint (`pbem.matches.history.checkpoints`).
    """

    creation: MatchCreated | None = None
    occupants: dict[str, dict[str, Any]] = {}
    occupancies: int = 0
    sealed: dict[str, Event] = {}
    final: dict[str, int] = {}
    doctrine: dict[str, str] = {}
    ladders: list[dict[str, Any]] = []
    last: int = 0
    void: int = 0
    disputed: set[tuple[str, int]] = set()
    keeping: set[str] = set()
    """Seats whose last occupants agreed that secrets stay sealed after the end."""
    halted: Event | None = None
    moved: Event | None = None
    """The event by which the match left for another server; None once it has come back or arrived here."""
    arrived: int = 0
    """The version of its last arrival from another server; players here were not notified of earlier events."""
    ended: Event | None = None
    opened: Event | None = None
    """The event that published the secrets of an ended match: `match.ended` itself, or a later `match.opened`."""


class History(Lazy[Entry]):
    """The valid entries; `unresolved` counts the rules changes and corrections among the older ones."""

    def __init__(
        self,
        recent: Iterable[Entry] = (),
        before: int = 0,
        older: Callable[[], Sequence[Entry]] | None = None,
        unresolved: int = 0,
    ) -> None:
        super().__init__(recent, before, older)
        self.unresolved = unresolved

    def copy(self) -> History:
        return History(self.recent, self.before, self._older, self.unresolved)

    def upto(self, entry: Entry) -> History:
        """The entries up to and including this one."""
        if entry in self.recent:
            recent = self.recent[: self.recent.index(entry) + 1]
            return History(recent, self.before, self._older, self.unresolved)
        whole = [*self]
        return History(whole[: whole.index(entry) + 1])

    @property
    def resolved(self) -> Lazy[Entry]:
        """The exchanges that have a result."""
        return Lazy(
            _resolved_entries(self.recent), self.before - self.unresolved, lambda: _resolved_entries(self.older())
        )


def _resolved_entries(entries: Iterable[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.resolved is not None]


class Closings(Mapping[int, Entry]):
    """The closed exchanges by number, including those that rulings have voided; older ones are loaded when needed."""

    def __init__(
        self, recent: Mapping[int, Entry] | None = None, older: Callable[[], Mapping[int, Entry]] | None = None
    ) -> None:
        self.recent, self._older = dict(recent or {}), older

    def copy(self) -> Closings:
        return Closings(self.recent, self._older)

    def _all(self) -> Mapping[int, Entry]:
        return {**self._older(), **self.recent} if self._older is not None else self.recent

    def __getitem__(self, number: int) -> Entry:
        return self.recent[number] if number in self.recent else self._all()[number]

    def __iter__(self) -> Iterator[int]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


class Record(Standing):
    """The state folded from a match's events. `history` holds only the entries that rulings have left valid.

    Of a long match only the newest events and entries are in memory; the others are read on demand.
    """

    events: Events = msgspec.field(default_factory=Events)
    history: History = msgspec.field(default_factory=History)
    closings: Closings = msgspec.field(default_factory=Closings)

    @property
    def opens(self) -> str:
        """Return when the parts open: with the `match`, its `round` or `campaign`, or `never`.

        A match that would open with its end stays sealed if all its players agree; bots always agree.
        """
        agreed = self.keeping and set(self.seats) <= self.keeping | self.bots
        return "never" if self.created.opens == "match" and agreed else self.created.opens

    @property
    def bots(self) -> set[str]:
        """The seats played by bots."""
        return {seat for seat, taken in self.occupants.items() if taken["account"].startswith(BOT)}

    @property
    def is_closed(self) -> bool:
        """Whether only the occupants may look: true for a campaign's battle until the campaign is over."""
        return self.opens == "campaign" and self.opened is None

    @property
    def created(self) -> MatchCreated:
        """The creation event, decoded as its class."""
        if self.creation is None:
            self.creation = content_as(self.events[0], MatchCreated)
        return self.creation

    @property
    def version(self) -> int:
        return self.events[-1].version

    @property
    def stream(self) -> str:
        return self.events[-1].stream

    @property
    def counting(self) -> set[int]:
        """The versions of the sealed orders that counted when their exchange was closed."""
        return {version for entry in self.closings.values() for version in entry.closed.counts.values()}

    @property
    def seats(self) -> list[str]:
        return list(self.created.seats)

    @property
    def sides(self) -> dict[str, str]:
        """The side of each seat if a side has several seats; otherwise empty."""
        return dict(self.created.sides)

    @property
    def vacant(self) -> list[str]:
        """The empty seats that may stay empty."""
        return [seat for seat in self.created.optional if seat not in self.occupants]

    @property
    def ladder(self) -> dict[str, Any]:
        """The published commitment of the ladder that the next closing uses."""
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
    def awaits_beacon(self) -> bool:
        """Whether the dice of the closed exchange wait for the value of a public beacon."""
        return bool(self.created.beacon) and self.closing is not None and not self.closing.beacon

    @property
    def open_exchange(self) -> int:
        """Return the number of the open exchange; a number is never reused.

        A ruling voids the open number, because orders written before the ruling must not answer the asks after it.
        """
        return max(self.last, self.void) + 1

    @property
    def resolved(self) -> Sequence[Entry]:
        """The exchanges that have a result and are valid."""
        return self.history.resolved

    def exchange(self, number: int) -> Entry | None:
        newest_first = reversed(self.history)
        return next((e for e in newest_first if e.kind == "exchange" and e.exchange == number), None)


def fold(events: Iterable[Event]) -> Record:
    return _fold(Record(), events)


def extend(record: Record, events: Iterable[Event]) -> Record:
    """Return the record with further events applied. The given record is unchanged, because others may hold it."""
    containers = {
        name: value.copy()
        for name, value in msgspec.structs.asdict(record).items()
        if isinstance(value, list | dict | set | Lazy | Closings)
    }
    return _fold(msgspec.structs.replace(record, **containers), events)


def _fold(record: Record, events: Iterable[Event]) -> Record:
    for event in events:
        record.events.recent.append(event)
        if event.type in _FOLDS:
            _FOLDS[event.type](record, event, read(event))
    return record


def _apply_created(record: Record, event: Event, said: MatchCreated) -> None:
    record.creation = said
    record.ladders.append(said.ladder)


def _apply_seat_taken(record: Record, event: Event, said: SeatTaken) -> None:
    record.occupancies += 1
    occupant = {"account": said.account, "occupancy": record.occupancies, "since": event.version}
    record.occupants[said.seat] = occupant
    record.keeping.discard(said.seat)


def _apply_seat_left(record: Record, event: Event, said: SeatLeft) -> None:
    record.occupants.pop(said.seat, None)
    _apply_order_withdrawn(record, event, said)


def _apply_order_sealed(record: Record, event: Event, said: OrderSealed) -> None:
    record.sealed[said.seat] = event
    record.final.pop(said.seat, None)


def _apply_order_final(record: Record, event: Event, said: OrderFinal) -> None:
    record.final[said.seat] = event.version


def _apply_order_withdrawn(record: Record, event: Event, said: OrderWithdrawn | SeatLeft) -> None:
    record.sealed.pop(said.seat, None)
    record.final.pop(said.seat, None)


def _apply_battle_reported(record: Record, event: Event, said: BattleReported) -> None:
    """Count the reported result of a battle as its seat's final answer."""
    record.sealed[said.seat] = event
    record.final[said.seat] = event.version


def _apply_standing_orders_set(record: Record, event: Event, said: StandingOrdersSet) -> None:
    record.doctrine[said.seat] = event.parts[0].commitment


def _apply_exchange_closed(record: Record, event: Event, said: ExchangeClosed) -> None:
    entry = Entry(
        "exchange",
        event,
        said.exchange,
        ladder=record.ladder,
        doctrine=dict(record.doctrine),
        standing={seat: sealed.version for seat, sealed in sorted(record.sealed.items())},
        expected=_expected_seats(record),
        sides=record.sides,
    )
    record.history.recent.append(entry)
    record.last = said.exchange
    record.closings.recent[record.last] = entry
    record.sealed, record.final = {}, {}


def _expected_seats(record: Record) -> list[str] | None:
    last = next((entry for entry in reversed(record.history) if entry.kind != "moved"), None)
    if last is None:
        return []
    return sorted(ask["seat"] for ask in last.result.asks) if last.resolved else None


def _apply_beacon_taken(record: Record, event: Event, said: BeaconTaken) -> None:
    """Record the public value for the closed exchange, so that its dice are now fixed."""
    if record.closing is not None and record.closing.exchange == said.exchange:
        entry = msgspec.structs.replace(record.closing, beacon=said.value)
        _replace_newest(record, entry)


def _apply_exchange_resolved(record: Record, event: Event, said: ExchangeResolved) -> None:
    _replace_newest(record, msgspec.structs.replace(record.history[-1], resolved=event))


def _replace_newest(record: Record, entry: Entry) -> None:
    record.history.recent[-1] = record.closings.recent[entry.exchange] = entry


def _apply_exchange_recomputed(record: Record, event: Event, said: ExchangeRecomputed) -> None:
    """Record the new result of the same answers under corrected rules, so that the exchange is valid again."""
    closing = record.closings[said.exchange]
    record.history.recent.append(msgspec.structs.replace(closing, resolved=event))


def _apply_rules_moved(record: Record, event: Event, said: RulesMoved) -> None:
    """Record changed rules; they also apply to a closed exchange that is waiting to be resolved."""
    recent = record.history.recent
    recent.insert(len(recent) - (1 if record.closing else 0), Entry("moved", event))


def _apply_reopened(record: Record, event: Event, said: RulingReopened | RulingRecomputed) -> None:
    """Void the exchanges after the named one. Requests made in them stay on record."""
    later = (i for i, e in enumerate(record.history) if e.kind == "exchange" and e.exchange > said.after)
    record.history = History(record.history[: next(later, len(record.history))])
    record.ended = record.opened = None
    _ask_anew(record)


def _apply_corrected(record: Record, event: Event, said: RulingCorrected) -> None:
    record.history.recent.append(Entry("corrected", event))
    _ask_anew(record)


def _ask_anew(record: Record) -> None:
    """Void the open exchange, its number and its sealed orders, because a ruling has changed the asks."""
    record.void = record.open_exchange
    record.sealed, record.final = {}, {}


def _apply_voided(record: Record, event: Event, said: ExchangeVoided) -> None:
    _ask_anew(record)


def _apply_disputed(record: Record, event: Event, said: DisputeOpened) -> None:
    for exchange in range(said.exchange, min(record.last, max(said.exchange, said.until)) + 1):
        record.disputed.add((said.seat, exchange))


def _apply_secrets_kept(record: Record, event: Event, said: SecretsKept) -> None:
    record.keeping.add(said.seat)


def _apply_ladder_started(record: Record, event: Event, said: LadderStarted) -> None:
    record.ladders.append(said.ladder)


def _apply_moved(record: Record, event: Event, said: MatchMoved) -> None:
    record.moved = event


def _apply_arrived(record: Record, event: Event, said: MatchArrived) -> None:
    """Replace the players' accounts with their accounts on this server."""
    record.moved, record.arrived = None, event.version
    for seat, taken in record.occupants.items():
        account = said.accounts.get(taken["account"], taken["account"])
        record.occupants[seat] = {**taken, "account": account}
    assert record.creation is not None
    master = said.accounts.get(record.creation.master, record.creation.master)
    record.creation = msgspec.structs.replace(record.creation, master=master)


def _apply_halted(record: Record, event: Event, said: MatchHalted) -> None:
    record.halted = event


def _apply_resumed(record: Record, event: Event, said: MatchResumed) -> None:
    record.halted = None


def _apply_ended(record: Record, event: Event, said: MatchEnded) -> None:
    record.ended = event
    if said.opened is not msgspec.UNSET:
        record.opened = event


def _apply_opened(record: Record, event: Event, said: MatchOpened) -> None:
    record.opened = event


_FOLDS: dict[str, Callable[[Record, Event, Any], None]] = {
    MatchCreated.word: _apply_created,
    SeatTaken.word: _apply_seat_taken,
    SeatLeft.word: _apply_seat_left,
    OrderSealed.word: _apply_order_sealed,
    OrderFinal.word: _apply_order_final,
    OrderWithdrawn.word: _apply_order_withdrawn,
    BattleReported.word: _apply_battle_reported,
    StandingOrdersSet.word: _apply_standing_orders_set,
    ExchangeClosed.word: _apply_exchange_closed,
    BeaconTaken.word: _apply_beacon_taken,
    ExchangeResolved.word: _apply_exchange_resolved,
    ExchangeRecomputed.word: _apply_exchange_recomputed,
    ExchangeVoided.word: _apply_voided,
    RulesMoved.word: _apply_rules_moved,
    RulingReopened.word: _apply_reopened,
    RulingRecomputed.word: _apply_reopened,
    RulingCorrected.word: _apply_corrected,
    DisputeOpened.word: _apply_disputed,
    SecretsKept.word: _apply_secrets_kept,
    LadderStarted.word: _apply_ladder_started,
    MatchMoved.word: _apply_moved,
    MatchArrived.word: _apply_arrived,
    MatchHalted.word: _apply_halted,
    MatchResumed.word: _apply_resumed,
    MatchEnded.word: _apply_ended,
    MatchOpened.word: _apply_opened,
}
"""The functions that apply each type of event to the record; types that concern only other readers are absent."""
