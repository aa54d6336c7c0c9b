"""The permitted shape of each event: its type, its fields, and the readers of its parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from eventstore import Event
from pbem.matches.audit.conduct.course import Course
from pbem.matches.audit.problems import Problem
from pbem.matches.clock.deadline_rules import Timing
from pbem.matches.events import CATALOGUE, MatchEvent, read

KNOWN: dict[str, int] = {
    word: kind.schema for word, kind in sorted(CATALOGUE.items()) if issubclass(kind, MatchEvent)
}
"""Every type of event that a match may hold, with its newest schema number."""

PUBLIC, SERVER, MASTER, OPERATOR = "public", "server", "master", "operator"
ANYBODY = "anybody in play"
SEAT, SIDE, OWN, INVITED = "its seat", "a side", "an account", "the invited address"
RESULT: dict[str, tuple[str, ...]] = {
    "rolls": (PUBLIC,),
    "secret-rolls": (SERVER,),
    "autos": (SERVER,),
    "findings": (ANYBODY,),
}
PARTS: dict[str, dict[str, tuple[str, ...]]] = {
    "order.sealed": {"order": (SEAT,), "sent": (OWN,)},
    "doctrine.set": {"doctrine": (SEAT,)},
    "exchange.closed": {"answer": (SERVER,)},
    "exchange.resolved": RESULT,
    "exchange.recomputed": RESULT,
    "match.halted": {"detail": (OPERATOR,)},
    "battle.reported": {"report": (SERVER,), "fates": (SIDE,)},
    "seat.invited": {"address": (INVITED,)},
    "press.sent": {"press": (ANYBODY,)},
    "press.delivered": {"press": (ANYBODY,)},
    "dispute.opened": {"dispute": (SEAT, MASTER)},
    "dispute.heard": {"statement": (SEAT, MASTER)},
    "dispute.appealed": {"appeal": (SEAT, MASTER)},
    "ruling.corrected": {"changes": (MASTER,)},
}
"""The parts that an event may have, and who may read them."""

NEEDED: dict[str, tuple[tuple[str, str], ...]] = {
    "order.sealed": (("order", SEAT),),
    "dispute.opened": (("dispute", SEAT), ("dispute", MASTER)),
    "dispute.heard": (("statement", SEAT), ("statement", MASTER)),
    "dispute.appealed": (("appeal", SEAT), ("appeal", MASTER)),
    "exchange.resolved": (("rolls", PUBLIC), ("secret-rolls", SERVER), ("autos", SERVER), ("findings", ANYBODY)),
    "exchange.recomputed": (("rolls", PUBLIC), ("secret-rolls", SERVER), ("autos", SERVER), ("findings", ANYBODY)),
    "battle.reported": (("report", SERVER), ("fates", SIDE)),
    "ruling.corrected": (("changes", MASTER),),
    "match.halted": (("detail", OPERATOR),),
    "seat.invited": (("address", INVITED),),
}
"""The parts that an event must have, so that nothing can be withheld from its readers."""

ACTS: dict[str, tuple[str, ...]] = {
    "settings": ("timing",),
    "pause": ("until", "exchange"),
    "extend": ("hours",),
    "process": ("exchange",),
    "replace": ("seat",),
    "silence": ("seat",),
    "unsilence": ("seat",),
    "rules": ("switches",),
}
"""The fields of an act of the game master, besides the account and the reason."""

ERASED = ("press", "sent", "address")
"""The parts that their owner may have erased; nothing that was played is among them."""


class Ladder(msgspec.Struct, forbid_unknown_fields=True):
    """The published half of a pair of ladders: their feet, and the hash of the salt key."""

    base: int
    open: str
    secret: str
    key: str


class OpenedLadder(msgspec.Struct, forbid_unknown_fields=True):
    """The half of a pair of ladders that is revealed at the end."""

    open: str
    last: int
    secret: str
    key: str


class Ask(msgspec.Struct):
    """An ask and its seat; further fields are allowed."""

    seat: str
    kind: str


class Ending(msgspec.Struct):
    """An outcome; further fields are allowed."""

    rule: str
    winner: str | None


class Head(msgspec.Struct, forbid_unknown_fields=True):
    """A signed head, within an event that names its match."""

    exchange: int
    event: str
    signature: str


WITHIN: dict[str, dict[str, Any]] = {
    "battle.changed": {"head": Head},
    "battle.reported": {"head": Head, "outcome": Ending},
    "match.created": {"ladder": Ladder, "timing": Timing},
    "ladder.started": {"ladder": Ladder},
    "master.acted": {"timing": Timing},
    "exchange.resolved": {"asks": list[Ask]},
    "exchange.recomputed": {"asks": list[Ask]},
    "match.ended": {"outcome": Ending, "opened": list[OpenedLadder]},
    "match.opened": {"opened": list[OpenedLadder]},
}
"""The shapes of nested fields that rules of procedure read."""


def unknown_events(events: Sequence[Event]) -> list[Problem]:
    """Name the events with a type, schema number or fields unknown to this release, because they prove nothing."""
    return [problem for event in events for problem in _unknown(event)]


def _unknown(event: Event) -> Iterator[Problem]:
    if not 1 <= event.schema <= KNOWN.get(event.type, 0):
        number = f"schema number {event.schema} of {event.type}" if event.type in KNOWN else f"type {event.type}"
        yield Problem(event.version, f"its {number} is unknown to this verifier", "unknown")
        return
    try:
        read(event)
        for name, shape in WITHIN.get(event.type, {}).items():
            if name in event.payload:
                msgspec.convert(event.payload[name], shape)
        missing = [name for name in _fields_of_act(event) if name not in event.payload]
        if missing:
            raise ValueError(f"it lacks {', '.join(missing)}")
    except ValueError as problem:  # a ValidationError is one
        yield Problem(event.version, f"its fields do not have the right shape: {problem}", "unreadable")


def _fields_of_act(event: Event) -> tuple[str, ...]:
    return ACTS.get(event.payload["act"], ()) if event.type == "master.acted" else ()


def missing_parts(course: Course, event: Event) -> Iterator[Problem]:
    """Name parts that the event lacks, so that their readers would get nothing."""
    there = {(ref.name, ref.audience) for ref in event.parts}
    for name, kind in NEEDED.get(event.type, ()):
        for audience in _readers(course, event, kind):
            if (name, audience) not in there:
                yield Problem(event.version, f"it has no {name} for {audience}", "audience")


def _readers(course: Course, event: Event, kind: str) -> list[str]:
    """The viewers who must be able to read a part."""
    sides: dict[str, str] = course.created.get("sides", {})
    seat = event.payload.get("seat", "")
    if kind == SEAT:
        shared = event.type == "order.sealed" and course.created.get("shares_orders", False) and seat in sides
        return [f"side/{sides[seat]}" if shared else seat]
    if kind == SIDE:
        return sorted({f"side/{side}" for side in sides.values()} or set(course.seats))
    if kind == ANYBODY:
        several = {side for side in sides.values() if list(sides.values()).count(side) > 1}
        together = (
            [] if event.payload.get("findings", "each") == "each" else [f"side/{side}" for side in sorted(several)]
        )
        return [PUBLIC, *course.seats, MASTER, *together]
    return [f"invited/{event.payload['number']}"] if kind == INVITED else [kind]


def part_problems(course: Course, event: Event) -> Iterator[Problem]:
    """Name parts that the event may not have, or that the wrong viewers may read."""
    allowed = PARTS.get(event.type, {})
    seen = set()
    for ref in event.parts:
        name = ref.name.partition("/")[0]
        if name not in allowed or (ref.name, ref.audience) in seen:
            yield Problem(event.version, f"it may not have a part {ref.name} for {ref.audience}", "audience")
        elif not any(_fits(course, event, kind, ref.audience) for kind in allowed[name]):
            yield Problem(
                event.version, f"its part {ref.name} is for {ref.audience}, who may not read it", "audience"
            )
        seen.add((ref.name, ref.audience))


def _fits(course: Course, event: Event, kind: str, audience: str) -> bool:
    sides = course.created.get("sides", {})
    named = {f"side/{side}" for side in sides.values()}
    seat = event.payload.get("seat", "")
    if kind == SEAT:
        shared = event.type == "order.sealed" and course.created.get("shares_orders", False) and seat in sides
        return audience == (f"side/{sides[seat]}" if shared else seat)
    if kind == SIDE:
        return audience in (named or set(course.seats))
    if kind == ANYBODY:
        return audience in {*course.seats, *named, PUBLIC, SERVER, MASTER}
    if kind == OWN:
        return audience not in {*course.seats, *named, PUBLIC, SERVER, MASTER}
    if kind == INVITED:
        return audience == f"invited/{event.payload['number']}"
    return audience == kind
