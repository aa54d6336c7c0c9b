"""The course of a match as its events alone show it, for the rules of conduct."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import msgspec

from eventstore import Event
from pbem.matches.audit.problems import Problem

HOUR = 3_600_000


class Announced(msgspec.Struct, frozen=True):
    """A deadline as it was last announced."""

    at: int
    grace: int

    @property
    def closes_at(self) -> int:
        return self.at + self.grace


class Seated(msgspec.Struct, frozen=True):
    """The occupant of a seat; every occupancy of the match has a number."""

    account: str
    occupancy: int


class Dispute(msgspec.Struct):
    """The current state of a dispute."""

    seat: str
    since: int = 0
    is_open: bool = True
    appealed: bool = False
    heard: set[str] = msgspec.field(default_factory=set)


class Course:
    """The course of a match up to an event."""

    def __init__(self, created: dict[str, Any]) -> None:
        self.created = created
        self.seats: list[str] = list(created["seats"])
        self.timing: dict[str, Any] = {**created.get("timing", {}), "hours": created.get("cadence", 0)}
        self.occupants: dict[str, Seated] = {}
        self.occupancies = 0
        self.before: Event | None = None
        self.last = self.void = self.turn = 0
        self.pending = self.halted = self.resumed = self.ended = self.opened = False
        self.opened_at = 0
        self.asks: list[dict[str, str]] | None = []
        self.asks_after: dict[int, list[dict[str, str]]] = {}
        self.closed: set[int] = set()
        self.standing: list[int] = []
        self.sealed: set[str] = set()
        self.deadlines: dict[int, Announced] = {}
        self.pause: tuple[int, int] = (0, 0)
        self.pause_ended: tuple[int, int] = (0, 0)
        self.granted = 0
        self.by_right: dict[str, int] = {}
        self.bank: dict[str, dict[int, Draw]] = {}
        self.wanting: set[str] = set()
        self.disputes: dict[int, Dispute] = {}
        self.rulings: dict[int, int] = {}
        self.switches: list[str] | None = None
        self.season = 0
        self.gone: dict[str, str] = {}
        self.offers: dict[str, tuple[int, int]] = {}
        self.letters: dict[int, int] = {}
        self.held_at = self.hold_ended = self.halted_at = self.resumed_at = 0
        self.turn_after: dict[int, int] = {}
        self.invited: dict[int, str] = {}
        self.reported: set[tuple[str, str]] = set()
        self.must_end = False
        self.keeping: set[str] = set()

    @property
    def open(self) -> int:
        """The number of the exchange that takes answers."""
        return max(self.last, self.void) + 1

    @property
    def sides(self) -> dict[str, str]:
        """The side of every seat."""
        told: dict[str, str] = self.created.get("sides", {})
        return {seat: told.get(seat, seat) for seat in self.seats}

    @property
    def opens(self) -> str:
        """When secrets are opened: as agreed beforehand, or never if all players agree (bots always do)."""
        agreed: str = self.created.get("opens", "match")
        bots = {seat for seat, seated in self.occupants.items() if seated.account.startswith("bot-")}
        kept = self.keeping and set(self.seats) <= self.keeping | bots
        return "never" if agreed == "match" and kept else agreed

    @property
    def takes_orders(self) -> bool:
        return not (self.pending or self.ended)

    def follows(self, *types: str) -> bool:
        return self.before is not None and self.before.type in types

    def previous_value(self, field: str) -> Any:
        """A field of the previous event; 0 if the event does not have it."""
        return self.before.payload.get(field, 0) if self.before is not None else 0

    def follows_act(self, *acts: str) -> bool:
        """Whether the previous event is one of the given acts of the game master."""
        return self.before is not None and self.before.type == "master.acted" and self.before.payload["act"] in acts

    def plays(self, account: str) -> bool:
        return any(seated.account == account for seated in self.occupants.values())

    # The changes made by an event -----------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Advance by one event."""
        step = _STEPS.get(event.type)
        if step is not None:
            step(self, event, event.payload)
        if event.type != "extension.granted":
            self.granted = 0
        self.before = event

    def ask_anew(self, at: int) -> None:
        self.void, self.opened_at = self.open, at
        self.sealed = set()
        self.pending = False


class Draw(msgspec.Struct):
    """Hours that a seat drew from its bank in one exchange, and the time in which it used them."""

    since: int
    hours: int = 0
    until: int | None = None

    @property
    def used(self) -> int:
        """The time that was used, in milliseconds; the rest goes back into the bank."""
        most = self.hours * HOUR
        return most if self.until is None else min(most, max(0, self.until - self.since))


def _note_taken(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.occupancies += 1
    course.occupants[said["seat"]] = Seated(said["account"], course.occupancies)
    course.by_right[said["seat"]] = 0
    course.gone.pop(said["seat"], None)
    course.keeping.discard(said["seat"])


def _note_kept(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.keeping.add(said["seat"])


def _note_left(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.occupants.pop(said["seat"], None)
    course.sealed.discard(said["seat"])


def _note_arrived(course: Course, event: Event, said: dict[str, Any]) -> None:
    known = said["accounts"]
    for seat, seated in course.occupants.items():
        course.occupants[seat] = Seated(known.get(seated.account, seated.account), seated.occupancy)


def _note_sealed(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.sealed.add(said["seat"])
    draw = course.bank.get(said["seat"], {}).get(said["exchange"])
    if draw is not None:
        draw.until = event.recorded_at


def _note_withdrawn(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.sealed.discard(said["seat"])


def _note_closed(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.last, course.pending = said["exchange"], True
    course.closed.add(said["exchange"])
    course.sealed, course.wanting = set(), set()
    for draws in course.bank.values():
        draw = draws.get(said["exchange"])
        if draw is not None and draw.until is None:
            draw.until = event.recorded_at


def _note_resolved(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.pending, course.opened_at = False, event.recorded_at
    course.asks = course.asks_after[said["exchange"]] = list(said["asks"])
    course.standing.append(said["exchange"])
    course.turn = course.turn_after[said["exchange"]] = said["turn"]


def _note_voided(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.ask_anew(event.recorded_at)


def _note_corrected(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.rulings[event.version] = said.get("dispute", 0)
    course.asks = None  # the corrected state may ask other seats
    course.ask_anew(event.recorded_at)


def _note_reopened(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.rulings[event.version] = said.get("dispute", 0)
    course.standing = [number for number in course.standing if number <= said["after"]]
    course.asks = course.asks_after.get(said["after"])
    course.ended = course.opened = course.must_end = False
    course.turn = course.turn_after.get(said["after"], 0)
    course.gone = {}
    course.ask_anew(event.recorded_at)


def _note_deadline(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.deadlines[said["exchange"]] = Announced(said["at"], said.get("grace", 0))
    if said.get("cause") == "halt":
        course.resumed = False


def _note_asked(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.wanting.add(said["seat"])


def _note_granted(course: Course, event: Event, said: dict[str, Any]) -> None:
    seat, exchange = said["seat"], said["exchange"]
    course.granted = max(course.granted, said["hours"])
    course.wanting = set()
    if said["by"] == "right":
        course.by_right[seat] = course.by_right.get(seat, 0) + 1
    elif said["by"] == "bank":
        deadline = course.deadlines.get(exchange)
        draws = course.bank.setdefault(seat, {})
        draw = draws.setdefault(exchange, Draw(deadline.closes_at if deadline else event.recorded_at))
        draw.hours += said["hours"]


def _note_acted(course: Course, event: Event, said: dict[str, Any]) -> None:
    if said["act"] == "settings":
        course.timing = dict(said["timing"])
    elif said["act"] == "rules":
        course.switches = list(said.get("switches", []))
    elif said["act"] == "go on":
        course.pause, course.pause_ended = (0, 0), course.pause
    elif said["act"] == "pause":
        course.pause = (said.get("exchange", 0), said.get("until", 0))  # the exchange, and until when
    elif said["act"] == "hold":
        course.held_at = event.recorded_at
    elif said["act"] == "release":
        course.held_at, course.hold_ended = 0, course.held_at
    if said["act"] in ("extend", "pause"):
        course.wanting = set()


def _note_dispute(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.disputes[said["number"]] = Dispute(said["seat"], event.recorded_at)


def _note_heard(course: Course, event: Event, said: dict[str, Any]) -> None:
    if said["number"] in course.disputes:
        course.disputes[said["number"]].heard.add(said["seat"])


def _note_settled(course: Course, event: Event, said: dict[str, Any]) -> None:
    if said["number"] in course.disputes:
        course.disputes[said["number"]].is_open = False


def _note_appealed(course: Course, event: Event, said: dict[str, Any]) -> None:
    if said["number"] in course.disputes:
        course.disputes[said["number"]].is_open = course.disputes[said["number"]].appealed = True
        course.disputes[said["number"]].since = event.recorded_at


def _note_rules_moved(course: Course, event: Event, said: dict[str, Any]) -> None:
    season = said.get("season", 0)
    if course.created.get("title") == "campaign" and season > course.season:
        course.season = season
    else:
        course.switches = None


def _note_halted(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.halted, course.resumed = event.type == "match.halted", event.type == "match.resumed"
    if course.halted:
        course.halted_at = event.recorded_at
    else:
        course.resumed_at = event.recorded_at


def _note_given_up(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.gone[said["seat"]] = event.type


def _note_offered(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.offers[said["seat"]] = (said["exchange"], said["occupancy"])


def _note_ended(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.ended, course.opened, course.must_end = True, "opened" in said, False


def _note_invited(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.invited[said["number"]] = said["seat"]


def _note_declined(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.invited.pop(said["number"], None)


def _note_reported(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.sealed.add(said["seat"])
    course.reported.add((said["seat"], said["match"]))


def _note_opened(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.opened = True


def _note_sent(course: Course, event: Event, said: dict[str, Any]) -> None:
    if said.get("arrives", 0) > 0:
        course.letters[event.version] = said["arrives"]


def _note_delivered(course: Course, event: Event, said: dict[str, Any]) -> None:
    course.letters.pop(said["letter"], None)


_STEPS: dict[str, Callable[[Course, Event, dict[str, Any]], None]] = {
    "seat.taken": _note_taken,
    "seat.left": _note_left,
    "secrets.kept": _note_kept,
    "match.arrived": _note_arrived,
    "order.sealed": _note_sealed,
    "battle.reported": _note_reported,
    "order.withdrawn": _note_withdrawn,
    "exchange.closed": _note_closed,
    "exchange.resolved": _note_resolved,
    "exchange.recomputed": _note_resolved,
    "exchange.voided": _note_voided,
    "ruling.corrected": _note_corrected,
    "ruling.reopened": _note_reopened,
    "ruling.recomputed": _note_reopened,
    "deadline.set": _note_deadline,
    "extension.asked": _note_asked,
    "extension.granted": _note_granted,
    "master.acted": _note_acted,
    "dispute.opened": _note_dispute,
    "dispute.heard": _note_heard,
    "dispute.settled": _note_settled,
    "dispute.appealed": _note_appealed,
    "rules.moved": _note_rules_moved,
    "match.halted": _note_halted,
    "match.resumed": _note_halted,
    "seat.resigned": _note_given_up,
    "seat.conceded": _note_given_up,
    "seat.forfeited": _note_given_up,
    "draw.offered": _note_offered,
    "match.ended": _note_ended,
    "seat.invited": _note_invited,
    "seat.declined": _note_declined,
    "match.opened": _note_opened,
    "press.sent": _note_sent,
    "press.delivered": _note_delivered,
}

Judge: TypeAlias = Callable[[Course, Event, dict[str, Any]], Iterator[Problem]]
