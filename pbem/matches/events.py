"""Every event of the server as a type: its word, its schema, its fields, its parts and who may read them.

The word of an event is stable; a class may be renamed. Nothing is appended to a stream of the server that does not
fit its class (`check_new`), and `read` turns a stored event of any release into its class. `guide/events.md` is
generated from this module: `python -m pbem.matches.events` prints it, and a test keeps it current.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

import msgspec

from eventstore import BadEvent, Event, NewEvent, NewPart
from pbem.matches.history.upcasters import RESOLVED_SCHEMA, UPCASTERS

E = TypeVar("E", bound="StoredEvent")


class StoredEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all events have in common. `parts` says of each part what it holds and who may read it."""

    word: ClassVar[str] = ""
    schema: ClassVar[int] = 1
    parts: ClassVar[Mapping[str, str]] = {}

    def new(self, *parts: NewPart) -> NewEvent:
        """Return the event to be appended."""
        payload: dict[str, Any] = msgspec.to_builtins(self)
        return NewEvent(self.word, payload, parts, self.schema)


class MatchEvent(StoredEvent, frozen=True, forbid_unknown_fields=True):
    """An event of a match's stream, `match/ID`."""


class AccountEvent(StoredEvent, frozen=True, forbid_unknown_fields=True):
    """An event of an account's stream, `account/ID`."""

    id: str


class ServerEvent(StoredEvent, frozen=True, forbid_unknown_fields=True):
    """An event of the server's own stream, `server`."""


class PrivilegeEvent(StoredEvent, frozen=True, forbid_unknown_fields=True):
    """An event of the stream `privilege`: what operators, directors and game masters do beyond playing."""


CATALOGUE: dict[str, type[StoredEvent]] = {}


def event(word: str, schema: int = 1, **parts: str) -> Callable[[type[E]], type[E]]:
    """Register a class under its event word."""

    def register(kind: type[E]) -> type[E]:
        kind.word, kind.schema = word, schema
        kind.parts = {name.replace("_", "-"): said for name, said in parts.items()}
        CATALOGUE[word] = kind
        return kind

    return register


# The life of a match -----------------------------------------------------------------------------------------


@event("match.created")
class MatchCreated(MatchEvent, frozen=True, forbid_unknown_fields=False):
    """A match was created with everything it is played with frozen.

    `blobs` names the frozen data by digest, `ladder` publishes the dice's first rungs and the hash of the salt key.
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


@event("match.halted", detail="what went wrong and where (the operator)")
class MatchHalted(MatchEvent, frozen=True):
    """The rules failed or a replay differed: the match waits for a corrected release."""

    exchange: int


@event("match.resumed")
class MatchResumed(MatchEvent, frozen=True):
    """A halted match goes on."""


@event("match.ended")
class MatchEnded(MatchEvent, frozen=True, omit_defaults=True):
    """The match is over. Unless the match opens later, the secrets of its ladders are published here."""

    outcome: dict[str, Any]
    exchange: int
    opened: list[dict[str, Any]] | msgspec.UnsetType = msgspec.UNSET


@event("match.opened")
class MatchOpened(MatchEvent, frozen=True):
    """A match that ended earlier is opened: the secrets of its ladders are published."""

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
    "battle.reported", report="what the match brought (nobody until the end)", fates="a side's own units (the side)"
)
class BattleReported(MatchEvent, frozen=True):
    """A match answered what a campaign awaits: the signed head of its end, who won, and a report as parts.

    `seat` is the name under which the exchange awaits the battle.
    """

    seat: str
    exchange: int
    match: str
    head: dict[str, Any]
    outcome: dict[str, Any]


@event("battle.changed")
class BattleChanged(MatchEvent, frozen=True):
    """A ruling gave a battle another end after its report had counted: only a ruling here can act on that."""

    seat: str
    match: str
    head: dict[str, Any]


# Seats -------------------------------------------------------------------------------------------------------


@event("seat.taken")
class SeatTaken(MatchEvent, frozen=True):
    """An account sat down in a seat."""

    seat: str
    account: str


@event("seat.left")
class SeatLeft(MatchEvent, frozen=True, omit_defaults=True):
    """A seat became free; what its occupant had sealed for the open exchange no longer counts.

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


# Orders and exchanges ----------------------------------------------------------------------------------------


@event("order.sealed", order="the orders (the seat, or its side)", sent="how they came in (the account)")
class OrderSealed(MatchEvent, frozen=True, omit_defaults=True):
    """A seat submitted orders; they replace the last ones until the exchange closes.

    `accepted` is when a listener accepted the email, if that was in time and recorded after the deadline.
    """

    seat: str
    exchange: int
    accepted: int = 0


@event("order.final")
class OrderFinal(MatchEvent, frozen=True):
    """A seat marked its sealed orders as final."""

    seat: str
    exchange: int


@event("order.withdrawn")
class OrderWithdrawn(MatchEvent, frozen=True, omit_defaults=True):
    """A seat took its sealed orders back; `why` is "erased" if their author had the content erased."""

    seat: str
    exchange: int
    why: str = ""


@event("exchange.voided")
class ExchangeVoided(MatchEvent, frozen=True):
    """The open exchange is asked again under a new number, because new dice ladders were drawn."""

    exchange: int


@event("doctrine.set", doctrine="the standing orders (the seat)")
class StandingOrdersSet(MatchEvent, frozen=True):
    """A seat replaced its standing orders."""

    seat: str


@event("exchange.closed", answer="for each seat the answer that counts (nobody until the end)")
class ExchangeClosed(MatchEvent, frozen=True, omit_defaults=True):
    """The answers that count are fixed, and with them the dice. `counts` names the sealed orders by version."""

    exchange: int
    why: str
    asked: list[str]
    counts: dict[str, int]
    beacon: str = ""


class Resolved(MatchEvent, frozen=True):
    """What an exchange brought: the rung of its dice, a salted hash of the state, and what is asked next."""

    exchange: int
    turn: int
    period: str
    rung: str
    state: str
    asks: list[dict[str, str]]
    findings: str


RESOLVED_PARTS = {
    "rolls": "every roll (everybody)",
    "secret_rolls": "rolls that somebody may not know yet (nobody until the end)",
    "autos": "automatic answers (nobody until the end)",
    "findings": "the results (one part for everybody, and one for each other audience)",
}


@event("exchange.resolved", RESOLVED_SCHEMA, **RESOLVED_PARTS)
class ExchangeResolved(Resolved, frozen=True):
    """An exchange was played."""


@event("exchange.recomputed", RESOLVED_SCHEMA, **RESOLVED_PARTS)
class ExchangeRecomputed(Resolved, frozen=True):
    """An exchange was played again with the same answers and dice, after a ruling."""


@event("rules.moved")
class RulesMoved(MatchEvent, frozen=True):
    """From the next step on the match plays by these switches."""

    switches: list[str]


@event("ladder.started")
class LadderStarted(MatchEvent, frozen=True):
    """New dice ladders and a new salt key serve all exchanges to come."""

    ladder: dict[str, Any]
    why: str


# Deadlines ---------------------------------------------------------------------------------------------------


@event("deadline.set")
class DeadlineSet(MatchEvent, frozen=True, omit_defaults=True):
    """A deadline was announced, or moved, as a UTC instant in milliseconds."""

    exchange: int
    at: int
    why: str
    grace: int = 0
    cause: str = ""


@event("deadline.missed")
class DeadlineMissed(MatchEvent, frozen=True):
    """A deadline fell, and these seats had sealed nothing."""

    exchange: int
    seats: list[str]


@event("extension.asked")
class ExtensionAsked(MatchEvent, frozen=True):
    """A seat asked for more time."""

    seat: str
    exchange: int
    hours: int


@event("extension.granted")
class ExtensionGranted(MatchEvent, frozen=True):
    """More time was granted, by right or because all agreed."""

    seat: str
    exchange: int
    hours: int
    by: str


# Ends that the players bring about ---------------------------------------------------------------------------


class GivenUp(MatchEvent, frozen=True):
    """What a seat said, and who sat there."""

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


# Letters, disputes and rulings -------------------------------------------------------------------------------


@event("press.sent", letter="the letter (its sender and each addressee)")
class PressSent(MatchEvent, frozen=True, omit_defaults=True):
    """A letter was sent. `arrives` is the turn in which it is delivered, where letters take time."""

    exchange: int
    arrives: int = 0


@event("press.delivered", press="the letter (each addressee)")
class PressDelivered(MatchEvent, frozen=True):
    """A letter that took its time has arrived; `letter` is the version of the event that sent it."""

    exchange: int
    letter: int


@event("dispute.opened", dispute="what the player objects to (the seat and the game master)")
class DisputeOpened(MatchEvent, frozen=True, omit_defaults=True):
    """A player disputes an exchange, or one sentence of its report, with the rule that was broken."""

    number: int
    seat: str
    exchange: int
    sentence: int = 0
    rule: str = ""


@event("dispute.heard", statement="what the seat says on it (the seat and the game master)")
class DisputeHeard(MatchEvent, frozen=True):
    """Another seat made its statement on a dispute."""

    number: int
    seat: str


@event("dispute.appealed", appeal="why the decision is wrong (the seat and the game master)")
class DisputeAppealed(MatchEvent, frozen=True):
    """A seat appealed against the decision, which is open again; there is one appeal."""

    number: int
    seat: str


@event("dispute.settled")
class DisputeSettled(MatchEvent, frozen=True, omit_defaults=True):
    """The game master decided a dispute.

    `ruling` is the version of the ruling made on it, `follows` and `departs` name precedents.
    """

    number: int
    answer: str
    by: str
    verdict: str = ""
    rule: str = ""
    ruling: int = 0
    follows: list[str] = []
    departs: list[str] = []


@event("master.looked")
class MasterLooked(MatchEvent, frozen=True):
    """The game master looked at something hidden."""

    by: str
    what: str


@event("master.acted")
class MasterActed(MatchEvent, frozen=True, forbid_unknown_fields=False):
    """The game master acted: pause, go on, extend, hold, release, settings, process, replace, resume or rules."""

    by: str
    act: str
    why: str


@event("ruling.reopened")
class RulingReopened(MatchEvent, frozen=True, omit_defaults=True):
    """The exchanges after the named one no longer count; they are asked again with fresh dice."""

    after: int
    reason: str
    by: str
    dispute: int = 0


@event("ruling.recomputed")
class RulingRecomputed(MatchEvent, frozen=True, omit_defaults=True):
    """An exchange and those after it are played again with the same answers and dice."""

    after: int
    exchange: int
    reason: str
    by: str
    dispute: int = 0


@event("ruling.corrected", changes="what was changed in the state (nobody until the end)")
class RulingCorrected(MatchEvent, frozen=True, omit_defaults=True):
    """The state was corrected at the start of the step in progress."""

    reason: str
    by: str
    dispute: int = 0


# Accounts ----------------------------------------------------------------------------------------------------


@event("account.opened", address="its address", name="the name others see")
class AccountOpened(AccountEvent, frozen=True):
    """An account was opened."""


@event("account.renamed", name="the name others see")
class AccountRenamed(AccountEvent, frozen=True):
    """The account is shown under another name."""


@event("account.muted")
class AccountMuted(AccountEvent, frozen=True):
    """The account gets no more mail than answers to its own."""


@event("account.unmuted")
class AccountUnmuted(AccountEvent, frozen=True):
    """The account gets mail again."""


@event("account.forgotten")
class AccountForgotten(AccountEvent, frozen=True):
    """Name and addresses were erased."""


@event("address.added", address="the address")
class AddressAdded(AccountEvent, frozen=True):
    """An address was added."""


@event("address.asked", address="the address")
class AddressAsked(AccountEvent, frozen=True):
    """Somebody asked to add an address; it must be confirmed."""


@event("address.removed")
class AddressRemoved(AccountEvent, frozen=True):
    """An address was removed."""


@event("address.preferred", address="the address")
class AddressPreferred(AccountEvent, frozen=True):
    """Mail goes to this address first."""


@event("link.asked", address="the address")
class LinkAsked(AccountEvent, frozen=True):
    """A link to sign in was asked for."""


@event("password.set", password="its hash (nobody)")
class PasswordSet(AccountEvent, frozen=True):
    """A password was set."""


@event("password.removed")
class PasswordRemoved(AccountEvent, frozen=True):
    """The password was removed."""


@event("preferences.set", preferences="the preferences")
class PreferencesSet(AccountEvent, frozen=True):
    """Preferences were set."""


@event("absence.ended")
class AbsenceEnded(AccountEvent, frozen=True):
    """All absences to come were cancelled."""


@event("token.revoked")
class TokenRevoked(AccountEvent, frozen=True):
    """A token of the API was revoked."""


@event("absence.said")
class AbsenceSaid(AccountEvent, frozen=True):
    """The person cannot answer in this time; deadlines wait."""

    since: int
    until: int


@event("token.made", token="the name that its owner gave it (the account)")
class TokenMade(AccountEvent, frozen=True):
    """A token of the API was made."""

    scopes: list[str]


# The server --------------------------------------------------------------------------------------------------


@event("server.held")
class ServerHeld(ServerEvent, frozen=True):
    """Nothing closes in any match until the release."""

    why: str


@event("server.released")
class ServerReleased(ServerEvent, frozen=True, forbid_unknown_fields=False):
    """Exchanges close again; deadlines moved by the held time."""


@event("server.outage")
class ServerOutage(ServerEvent, frozen=True, omit_defaults=True):
    """Time between two heartbeats that does not count; deadlines move by it.

    `jump` is by how much the clock was set, `gap` for how long nobody watched it; without them nobody watched it at
    all from `since` to `until`.
    """

    since: int
    until: int
    why: str
    jump: int | None = None
    gap: int | None = None


@event("backup.made")
class BackupMade(ServerEvent, frozen=True):
    """A backup was made."""


@event("operator.named")
class OperatorNamed(ServerEvent, frozen=True):
    """An account may keep the server."""

    account: str


@event("operator.dismissed")
class OperatorDismissed(ServerEvent, frozen=True):
    """An account may no longer keep the server."""

    account: str


@event("operator.acted")
class OperatorActed(ServerEvent, frozen=True, omit_defaults=True):
    """An operator acted on the whole server."""

    by: str
    act: str
    why: str = ""


@event("privilege.used")
class PrivilegeUsed(PrivilegeEvent, frozen=True, omit_defaults=True):
    """An operator, a director or a game master used a privilege; `match` is what it concerns, if it is one match."""

    by: str
    role: str
    what: str
    match: str = ""


# Reading and checking ----------------------------------------------------------------------------------------

STREAMS: Mapping[str, type[StoredEvent]] = {
    "match": MatchEvent,
    "account": AccountEvent,
    "server": ServerEvent,
    "privilege": PrivilegeEvent,
}


def read(stored: Event) -> StoredEvent:
    """Return a stored event of any release as its class; ValueError if it is none."""
    lifted = UPCASTERS.lift(stored)
    kind = CATALOGUE.get(lifted.type)
    if kind is None:
        raise ValueError(f"{lifted.type} is not an event of this server")
    try:
        return msgspec.convert(lifted.payload, kind)
    except msgspec.ValidationError as error:
        raise ValueError(f"{lifted.type}: {error}") from error


def check_new(stream: str, new: NewEvent) -> None:
    """Refuse an event that its stream does not know, or that does not fit its class."""
    base = STREAMS.get(stream.partition("/")[0])
    if base is None:
        return  # a stream of another package, which has its own catalogue
    kind = CATALOGUE.get(new.type)
    if kind is None or not issubclass(kind, base):
        raise BadEvent(f"{new.type} does not belong into {stream}")
    if new.schema != kind.schema:
        raise BadEvent(f"{new.type} has schema {kind.schema}, not {new.schema}")
    try:
        msgspec.convert(new.payload, kind)
    except msgspec.ValidationError as error:
        raise BadEvent(f"{new.type}: {error}") from error


# The catalogue -----------------------------------------------------------------------------------------------


def catalogue() -> str:
    """Return `guide/events.md`."""
    said = [
        "# Events",
        "",
        "Generated from `pbem/matches/events.py` by `python -m pbem.matches.events`. Every event has a word, a",
        "schema number, a public payload with these fields, and parts whose content only some may read.",
    ]
    for prefix, base in STREAMS.items():
        said += ["", f"## Streams `{prefix}{'' if prefix in ('server', 'privilege') else '/ID'}`", ""]
        said += ["| word | schema | fields | parts (who may read them) | what it says |", "|---|---|---|---|---|"]
        said += [_row(word, kind) for word, kind in sorted(CATALOGUE.items()) if issubclass(kind, base)]
    return "\n".join(said) + "\n"


def _row(word: str, kind: type[StoredEvent]) -> str:
    fields = ", ".join(f"`{field.encode_name}`" for field in msgspec.structs.fields(kind))
    parts = "; ".join(f"`{name}`: {said}" for name, said in kind.parts.items())
    sentence = " ".join((kind.__doc__ or "").split())
    return f"| `{word}` | {kind.schema} | {fields} | {parts} | {sentence} |"


if __name__ == "__main__":
    print(catalogue(), end="")
