"""The life of a match, its seats, and ends brought about by the players."""

from __future__ import annotations

from typing import Any

import msgspec

from pbem.matches.events.base import MatchEvent, event


@event("match.created")
class MatchCreated(MatchEvent, frozen=True, forbid_unknown_fields=False, omit_defaults=True):
    """A match was created with everything it is played with frozen.

    `blobs` names the frozen data by digest, `ladder` publishes the dice's first rungs and the hash of the salt key.
    `origin` names the tournament or campaign that arranged the match; `opens` says when its parts open. `sides` and
    `shares_orders` are given if a side has several seats; `optional` are seats that may stay empty,
    `battle_hours` is how long the match waits for battles, and `letters` is how many turns a message takes. `beacon`
    has the terms of the public beacon, if the dice depend on one.
    """

    title: str
    scenario: str
    name: str
    options: dict[str, Any]
    reactions: str
    master: str
    seats: list[str]
    switches: list[str]
    blobs: dict[str, str]
    ladder: dict[str, Any]
    server: str
    sides: dict[str, str] = msgspec.field(default_factory=dict)
    shares_orders: bool = False
    cadence: int = 0
    timing: dict[str, Any] = msgspec.field(default_factory=dict)
    origin: dict[str, Any] = msgspec.field(default_factory=dict)
    opens: str = "match"
    handicap: str = ""
    optional: list[str] = msgspec.field(default_factory=list)
    battle_hours: int = 0
    letters: int = 0
    beacon: dict[str, Any] = msgspec.field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)


@event("match.moved")
class MatchMoved(MatchEvent, frozen=True):
    """The match continues on another server, with this id and at this address; here it can only be read."""

    to: str
    address: str


@event("match.arrived")
class MatchArrived(MatchEvent, frozen=True):
    """The match was moved here from another server, which signed the event of its departure.

    `accounts` are the local accounts of its players, found by a confirmed address.
    """

    server: str
    event: str
    signature: str
    accounts: dict[str, str]


@event("match.halted", detail="what went wrong and where (the operator)")
class MatchHalted(MatchEvent, frozen=True):
    """The rules failed or a replay differed, so the match waits for a corrected release."""

    exchange: int


@event("match.resumed")
class MatchResumed(MatchEvent, frozen=True):
    """A halted match continues."""


@event("match.ended")
class MatchEnded(MatchEvent, frozen=True, omit_defaults=True):
    """The match is over. Unless the match opens later, the secrets of its ladders are published here."""

    outcome: dict[str, Any]
    exchange: int
    opened: list[dict[str, Any]] | msgspec.UnsetType = msgspec.UNSET


@event("match.opened")
class MatchOpened(MatchEvent, frozen=True):
    """A match that ended earlier is opened, and the secrets of its ladders are published."""

    opened: list[dict[str, Any]]


@event("match.adjudicated")
class MatchAdjudicated(MatchEvent, frozen=True, omit_defaults=True):
    """A match that could not be finished was decided by a person, or by the score with a minimum margin."""

    by: str
    winner: str | None
    reason: str
    score: dict[str, int]
    exchange: int
    margin: int | msgspec.UnsetType = msgspec.UNSET


@event(
    "battle.reported", report="the result of the match (nobody until the end)", fates="a side's own units (the side)"
)
class BattleReported(MatchEvent, frozen=True):
    """A match answered a campaign that awaits it: the signed head of its end, the winner, and a report as parts.

    `seat` is the name under which the exchange awaits the battle.
    """

    seat: str
    exchange: int
    match: str
    head: dict[str, Any]
    outcome: dict[str, Any]


@event("battle.changed")
class BattleChanged(MatchEvent, frozen=True):
    """A ruling changed a battle's end after its report had counted; a ruling in the campaign can follow it."""

    seat: str
    match: str
    head: dict[str, Any]


@event("seat.taken")
class SeatTaken(MatchEvent, frozen=True):
    """An account took a seat."""

    seat: str
    account: str


@event("seat.left")
class SeatLeft(MatchEvent, frozen=True, omit_defaults=True):
    """A seat became free; orders that its occupant had sealed for the open exchange no longer count.

    `by` is the occupant, where they left of their own accord or handed the seat over.
    """

    seat: str
    why: str
    by: str = ""


@event("seat.invited", address="the invited address (nobody in the match)")
class SeatInvited(MatchEvent, frozen=True, omit_defaults=True):
    """A seat was offered to an address. `by` is the account that invites, where it is known."""

    seat: str
    number: int
    by: str = ""


@event("seat.declined")
class SeatDeclined(MatchEvent, frozen=True):
    """An invitation was declined."""

    seat: str
    number: int


@event("substitute.named")
class SubstituteNamed(MatchEvent, frozen=True):
    """An account is ready to take over a seat."""

    account: str


@event("substitute.gone")
class SubstituteGone(MatchEvent, frozen=True):
    """An account is no longer ready to take over a seat."""

    account: str


class GivenUp(MatchEvent, frozen=True):
    """A declaration that ends or may end a match for a seat, with the occupant who made it."""

    seat: str
    account: str
    occupancy: int
    exchange: int


@event("seat.resigned")
class SeatResigned(GivenUp, frozen=True):
    """An occupant gave up for good."""


@event("seat.conceded")
class SeatConceded(GivenUp, frozen=True):
    """An occupant acknowledged that the other side has won."""


@event("seat.forfeited")
class SeatForfeited(GivenUp, frozen=True):
    """A seat missed more deadlines than the match allows."""


@event("draw.offered")
class DrawOffered(GivenUp, frozen=True):
    """An occupant offered a draw, or agreed to one."""


@event("secrets.kept")
class SecretsKept(MatchEvent, frozen=True):
    """An occupant agreed to keep the secrets sealed after the end. They stay sealed if all seats agree."""

    seat: str
    account: str
    occupancy: int
