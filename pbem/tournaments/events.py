"""Every event of a tournament's stream: one struct per event type.

The name of an event type is stable; a struct may be renamed. `read` turns a stored event into its struct and `new`
turns a struct into an event to be appended.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from eventstore import Event, NewEvent
from eventstore.events import NewPart
from pbem.tournaments.model import ByeKind, EntryState, Leg, Pairing, ResultKind, Settings, Verdict

STRUCTS: dict[str, type[msgspec.Struct]] = {}
WORDS: dict[type[msgspec.Struct], str] = {}
S = TypeVar("S", bound=type[msgspec.Struct])


def event(word: str) -> Callable[[S], S]:
    """Register a struct under the name of its event type."""

    def register(struct: S) -> S:
        STRUCTS[word] = struct
        WORDS[struct] = word
        return struct

    return register


def new(payload: msgspec.Struct, parts: tuple[NewPart, ...] = ()) -> NewEvent:
    """Return the new event for this payload."""
    builtins: dict[str, Any] = msgspec.to_builtins(payload, str_keys=True)
    return NewEvent(WORDS[type(payload)], builtins, parts)


def read(event: Event) -> msgspec.Struct | None:
    """Decode a stored event into its struct; return None for an unknown type."""
    struct = STRUCTS.get(event.type)
    return None if struct is None else msgspec.convert(event.payload, struct, strict=False)


@event("tournament.opened")
class Opened(msgspec.Struct, frozen=True):
    """A tournament was announced with all its settings, its first director and its dice ladder."""

    settings: Settings
    director: str
    ladder: dict[str, Any]


@event("entry.made")
class EntryMade(msgspec.Struct, frozen=True):
    """A player entered, or the director entered one. The name is a public part, so it can be erased."""

    entrant: int
    account: str = ""
    rating: int = 0
    state: EntryState = "confirmed"
    from_round: int = 1
    late_bye: ByeKind = "zero"
    confirm_by: int = 0
    by: str = ""


@event("entry.confirmed")
class EntryConfirmed(msgspec.Struct, frozen=True):
    """An entrant confirmed, or came up from the waiting list."""

    entrant: int
    by: str = ""


@event("entry.waiting")
class EntryWaiting(msgspec.Struct, frozen=True):
    """An entry moved to the waiting list."""

    entrant: int
    why: str = ""


@event("entry.withdrawn")
class EntryWithdrawn(msgspec.Struct, frozen=True):
    """An entrant left; `after` is the last round played."""

    entrant: int
    after: int
    why: str = ""
    by: str = ""


@event("entry.replaced")
class EntryReplaced(msgspec.Struct, frozen=True):
    """Another account took over an entry with its points, as the standings show. A separate part holds its name."""

    entrant: int
    account: str
    why: str = ""
    by: str = ""


@event("entry.absent")
class EntryAbsent(msgspec.Struct, frozen=True):
    """An entrant requested or cancelled a bye."""

    entrant: int
    round: int
    bye: ByeKind = "half"
    cancelled: bool = False
    by: str = ""


@event("pairing.forbidden")
class PairingForbidden(msgspec.Struct, frozen=True):
    """Two entrants must not meet, or may meet again."""

    entrants: tuple[int, int]
    why: str = ""
    lifted: bool = False
    by: str = ""


@event("pairing.changed")
class PairingChanged(msgspec.Struct, frozen=True):
    """The director changed pairings of a round that has not started; the new ones are a public part."""

    round: int
    why: str
    by: str


@event("pairing.replayed")
class PairingReplayed(msgspec.Struct, frozen=True):
    """A drawn knock-out pairing is played once more, with sides exchanged."""

    round: int
    pairing: int
    legs: tuple[Leg, ...]


@event("draw.made")
class DrawMade(msgspec.Struct, frozen=True):
    """Lots were drawn from rung `number` of the tournament's ladder; every roll is in a public part."""

    number: int
    purpose: str
    rung: str


@event("round.paired")
class RoundPaired(msgspec.Struct, frozen=True):
    """A round was paired. The pairings are a public part; replay reads them and never pairs again."""

    round: int
    engine: str
    version: str
    field: str
    pairings: int
    byes: int
    by: str = ""


@event("round.started")
class RoundStarted(msgspec.Struct, frozen=True):
    """The pairings of a round were published; its matches are being created."""

    round: int
    deadline: int
    by: str = ""


@event("round.extended")
class RoundExtended(msgspec.Struct, frozen=True):
    """The deadline of a round, or of some of its pairings, moved."""

    round: int
    deadline: int
    why: str
    pairings: tuple[int, ...] = ()
    by: str = ""


@event("round.closed")
class RoundClosed(msgspec.Struct, frozen=True):
    """A round was closed: all its results count."""

    round: int
    by: str = ""


class Report(msgspec.Struct, frozen=True):
    """The end of one match, as certified by its signed head."""

    leg: int
    match: str
    exchange: int
    event: str
    signature: str
    outcome: dict[str, Any]


@event("result.recorded")
class ResultRecorded(msgspec.Struct, frozen=True):
    """The result of a pairing, taken from its matches or entered by the director."""

    round: int
    pairing: int
    kind: ResultKind
    verdicts: tuple[Verdict, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...] = ()
    boards: tuple[int, ...] = ()
    reports: tuple[Report, ...] = ()
    reason: str = ""
    rated: bool = True
    by: str = ""


@event("result.corrected")
class ResultCorrected(msgspec.Struct, frozen=True):
    """A ruling or the director changed a result. Standings and ratings follow; rounds already paired do not."""

    round: int
    pairing: int
    kind: ResultKind
    verdicts: tuple[Verdict, ...]
    points: tuple[int, ...]
    reason: str
    scores: tuple[int, ...] = ()
    boards: tuple[int, ...] = ()
    reports: tuple[Report, ...] = ()
    rated: bool = True
    by: str = ""


@event("rules.moved")
class RulesMoved(msgspec.Struct, frozen=True):
    """Matches of later rounds use these rules corrections."""

    switches: tuple[str, ...]
    by: str = ""


@event("director.appointed")
class DirectorAppointed(msgspec.Struct, frozen=True):
    """An account was appointed director of the tournament, or dismissed."""

    account: str
    by: str
    dismissed: bool = False


@event("director.acted")
class DirectorActed(msgspec.Struct, frozen=True):
    """The director did something that no other event records: a message, a reminder, a game master appointed."""

    act: str
    reason: str
    by: str
    entrants: tuple[int, ...] = ()
    round: int = 0


@event("challenge.made")
class ChallengeMade(msgspec.Struct, frozen=True):
    """An entrant on a ladder challenged one above."""

    number: int
    challenger: int
    target: int
    answer_by: int


@event("challenge.answered")
class ChallengeAnswered(msgspec.Struct, frozen=True):
    """A challenge was accepted; or it was declined or not answered in time, and the two swap places."""

    number: int
    accepted: bool
    by: str = ""


@event("choice.sealed")
class ChoiceSealed(msgspec.Struct, frozen=True):
    """An entrant sealed a bid or a choice of scenarios. The content is a part that only the entrant may read."""

    round: int
    pairing: int
    entrant: int
    kind: str


@event("choice.opened")
class ChoiceOpened(msgspec.Struct, frozen=True):
    """The sealed choices of a pairing were opened: who plays which side, with which handicap, and why."""

    round: int
    pairing: Pairing
    why: str
    sealed: dict[str, Any] = {}


@event("tournament.ended")
class Ended(msgspec.Struct, frozen=True):
    """The tournament is over; the final standings are a public part."""

    why: str = ""
    by: str = ""
