"""The fold of a tournament's events: entrants, rounds, results. It uses no clock and reads no match."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import msgspec

from eventstore import Event
from pbem.engine.play.dice import Roll
from pbem.tournaments import events as said
from pbem.tournaments.model import Bye, Entrant, Pairing, Result, Round, Settings
from pbem.tournaments.pairing.ladder import swap_places

Content = Callable[[str], bytes]
"""A function that reads a part by its commitment."""


class Paired(msgspec.Struct, frozen=True):
    """The public part of `round.paired`."""

    pairings: tuple[Pairing, ...]
    byes: tuple[Bye, ...]
    seeds: tuple[int, ...]
    reasons: tuple[str, ...] = ()


class Drawn(msgspec.Struct, frozen=True):
    """The public part of `draw.made`: every roll, and the result."""

    rolls: tuple[Roll, ...] = ()
    result: tuple[int, ...] = ()


class Named(msgspec.Struct, frozen=True):
    """The public part of an entry: its name, and the members of a team in board order."""

    name: str
    members: tuple[str, ...] = ()


class Noted(msgspec.Struct, frozen=True):
    """One line of the public log: an act, the person who acted, and the reason."""

    version: int
    at: int
    what: str
    by: str = ""
    reason: str = ""


class Challenge(msgspec.Struct, frozen=True):
    """A challenge on a ladder. `state` is open, accepted, declined, won or lost."""

    number: int
    challenger: int
    target: int
    answer_by: int
    state: str = "open"
    ended_at: int = 0


class Record(msgspec.Struct):
    """The state of a tournament, folded from its events."""

    events: list[Event] = []
    settings: Settings = Settings("", "")
    directors: list[str] = []
    entrants: dict[int, Entrant] = {}
    forbidden: dict[tuple[int, int], str] = {}
    rounds: dict[int, Round] = {}
    seeds: list[int] = []
    reasons: dict[int, tuple[str, ...]] = {}
    recorded_at: dict[tuple[int, int], int] = {}
    corrected: dict[tuple[int, int], list[int]] = {}
    reports: dict[tuple[int, int], tuple[said.Report, ...]] = {}
    deadlines: dict[tuple[int, int], int] = {}
    """Deadlines of single pairings that differ from their round's."""
    draws: int = 0
    first_side: int = 0
    lots: list[int] = []
    ladder: dict[str, Any] = {}
    places: list[int] = []
    challenges: dict[int, Challenge] = {}
    choices: dict[tuple[int, int], dict[int, tuple[str, str]]] = {}
    """Sealed choices by round and pairing: entrant, then kind and commitment."""
    switches: tuple[str, ...] = ()
    ended: bool = False
    noted: list[Noted] = []

    @property
    def version(self) -> int:
        return self.events[-1].version if self.events else 0

    @property
    def stream(self) -> str:
        return self.events[0].stream

    @property
    def id(self) -> str:
        return self.stream.removeprefix("tournament/")

    @property
    def opened_at(self) -> int:
        return self.events[0].recorded_at

    @property
    def last_round(self) -> Round | None:
        """Return the round that was paired last."""
        return self.rounds[max(self.rounds)] if self.rounds else None

    def playing(self) -> list[Entrant]:
        """Return the entrants who are taking part and have not withdrawn."""
        return [entrant for entrant in self.entrants.values() if entrant.state == "confirmed"]

    def took_part(self) -> list[Entrant]:
        """Return the entrants who are playing or have played, in order of entry."""
        known = {number for round in self.rounds.values() for p in round.pairings for number in p.entrants}
        return [e for e in self.entrants.values() if e.state == "confirmed" or e.number in known]

    def by_account(self, account: str) -> Entrant | None:
        """Return the entry that an account holds, if there is one."""
        held = [
            entrant
            for entrant in self.entrants.values()
            if account and (entrant.account == account or account in entrant.members)
        ]
        held.sort(key=lambda entrant: entrant.state == "withdrawn")
        return held[0] if held else None

    def deadline(self, round: int, pairing: int) -> int | None:
        """Return the time by which a pairing must be finished."""
        return self.deadlines.get((round, pairing), self.rounds[round].deadline)


def fold(events: Iterable[Event], content: Content) -> Record:
    """Return the record of a whole stream."""
    return further(Record(), events, content)


def further(record: Record, events: Iterable[Event], content: Content) -> Record:
    """Fold further events into a record."""
    for event in events:
        record.events.append(event)
        payload = said.read(event)
        if payload is not None:
            FOLDS[type(payload)](record, payload, event, content)
    return record


def extend(record: Record, events: Iterable[Event], content: Content) -> Record:
    """Return a copy with further events; the old record does not change for others that hold it."""
    containers = {
        name: value.copy()
        for name, value in ((f, getattr(record, f)) for f in record.__struct_fields__)
        if isinstance(value, list | dict)
    }
    return further(msgspec.structs.replace(record, **containers), events, content)


# One function for each kind of event -------------------------------------------------------------------------


def _note(record: Record, event: Event, what: str, by: str = "", reason: str = "") -> None:
    record.noted.append(Noted(event.version, event.recorded_at, what, by, reason))


T = TypeVar("T")


def _part(event: Event, content: Content, name: str, kind: type[T]) -> T:
    """Return the public part of an event."""
    part = event.part(name, "public")
    if part is None:
        raise ValueError(f"event {event.version} has no {name}")
    return msgspec.json.decode(content(part.commitment), type=kind)


def _apply_opened(record: Record, said_: said.Opened, event: Event, content: Content) -> None:
    record.settings = said_.settings
    record.switches = said_.settings.switches
    record.directors.append(said_.director)
    record.ladder = said_.ladder


def _apply_entry_made(record: Record, said_: said.EntryMade, event: Event, content: Content) -> None:
    named = _entry_name(event, content, said_.entrant)
    record.entrants[said_.entrant] = Entrant(
        said_.entrant,
        named.name,
        said_.account,
        named.members,
        said_.rating,
        said_.state,
        said_.from_round,
        said_.late_bye,
        confirm_by=said_.confirm_by,
    )
    if said_.state == "confirmed" and record.settings.format == "ladder":
        record.places.append(said_.entrant)


def _entry_name(event: Event, content: Content, entrant: int) -> Named:
    """Return the name of an entry; once it is erased, the entrant is only a number."""
    part = event.part("name", "public")
    try:
        return msgspec.json.decode(content(part.commitment), type=Named) if part else Named(f"Entrant {entrant}")
    except LookupError:
        return Named(f"Entrant {entrant}")


def _change(record: Record, number: int, **changes: Any) -> None:
    record.entrants[number] = msgspec.structs.replace(record.entrants[number], **changes)


def _apply_entry_confirmed(record: Record, said_: said.EntryConfirmed, event: Event, content: Content) -> None:
    entrant = record.entrants[said_.entrant]
    from_round = entrant.from_round if entrant.state == "confirmed" else max(record.rounds, default=0) + 1
    _change(record, said_.entrant, state="confirmed", gone_after=None, from_round=max(entrant.from_round, from_round))
    if record.settings.format == "ladder" and said_.entrant not in record.places:
        record.places.append(said_.entrant)


def _apply_entry_waiting(record: Record, said_: said.EntryWaiting, event: Event, content: Content) -> None:
    _change(record, said_.entrant, state="waiting")


def _apply_entry_withdrawn(record: Record, said_: said.EntryWithdrawn, event: Event, content: Content) -> None:
    _change(record, said_.entrant, state="withdrawn", gone_after=said_.after)
    if said_.entrant in record.places:
        record.places.remove(said_.entrant)
    if said_.by and said_.why:
        _note(record, event, f"withdrew {record.entrants[said_.entrant].name}", said_.by, said_.why)


def _apply_entry_replaced(record: Record, said_: said.EntryReplaced, event: Event, content: Content) -> None:
    old, name = record.entrants[said_.entrant], _entry_name(event, content, said_.entrant).name
    before = (*old.replaced, old.account or old.name)
    _change(record, said_.entrant, account=said_.account, name=name, replaced=before)
    _note(record, event, f"replaced {old.name} with {name}", said_.by, said_.why)


def _apply_entry_absent(record: Record, said_: said.EntryAbsent, event: Event, content: Content) -> None:
    byes = dict(record.entrants[said_.entrant].byes)
    if said_.cancelled:
        byes.pop(said_.round, None)
    else:
        byes[said_.round] = said_.bye
    _change(record, said_.entrant, byes=byes)


def _apply_forbidden(record: Record, said_: said.PairingForbidden, event: Event, content: Content) -> None:
    pair = (min(said_.entrants), max(said_.entrants))
    if said_.lifted:
        record.forbidden.pop(pair, None)
    else:
        record.forbidden[pair] = said_.why
    names = " and ".join(record.entrants[number].name for number in pair)
    _note(record, event, f"{'allowed' if said_.lifted else 'forbade'} {names} to meet", said_.by, said_.why)


def _apply_changed(record: Record, said_: said.PairingChanged, event: Event, content: Content) -> None:
    round = record.rounds[said_.round]
    changed = _part(event, content, "pairings", Paired)
    record.rounds[said_.round] = msgspec.structs.replace(round, pairings=changed.pairings, byes=changed.byes)
    _note(record, event, f"changed the pairings of round {said_.round}", said_.by, said_.why)


def _apply_draw_made(record: Record, said_: said.DrawMade, event: Event, content: Content) -> None:
    record.draws = said_.number
    result = _part(event, content, "rolls", Drawn).result
    if said_.purpose == "lots":
        record.lots = list(result)
    elif said_.purpose == "first side":
        record.first_side = result[0]


def _apply_paired(record: Record, said_: said.RoundPaired, event: Event, content: Content) -> None:
    paired = _part(event, content, "pairings", Paired)
    record.rounds[said_.round] = Round(
        said_.round, paired.pairings, paired.byes, {}, None, None, False, said_.engine, said_.version, said_.field
    )
    record.seeds = list(paired.seeds)
    record.reasons[said_.round] = paired.reasons
    _note(record, event, f"paired round {said_.round}", said_.by)


def _apply_started(record: Record, said_: said.RoundStarted, event: Event, content: Content) -> None:
    round = record.rounds[said_.round]
    record.rounds[said_.round] = msgspec.structs.replace(round, started_at=event.recorded_at, deadline=said_.deadline)
    _note(record, event, f"started round {said_.round}", said_.by)


def _apply_replayed(record: Record, said_: said.PairingReplayed, event: Event, content: Content) -> None:
    round = record.rounds[said_.round]
    pairings = tuple(
        msgspec.structs.replace(pairing, legs=(*pairing.legs, *said_.legs))
        if pairing.number == said_.pairing
        else pairing
        for pairing in round.pairings
    )
    record.rounds[said_.round] = msgspec.structs.replace(round, pairings=pairings)
    _note(record, event, f"board {said_.pairing} of round {said_.round} is drawn and played once more")


def _apply_extended(record: Record, said_: said.RoundExtended, event: Event, content: Content) -> None:
    if said_.pairings:
        for pairing in said_.pairings:
            record.deadlines[said_.round, pairing] = said_.deadline
    else:
        round = record.rounds[said_.round]
        record.rounds[said_.round] = msgspec.structs.replace(round, deadline=said_.deadline)
    boards = f" for board {', '.join(map(str, said_.pairings))}" if said_.pairings else ""
    _note(record, event, f"extended round {said_.round}{boards}", said_.by, said_.why)


def _apply_closed(record: Record, said_: said.RoundClosed, event: Event, content: Content) -> None:
    record.rounds[said_.round] = msgspec.structs.replace(record.rounds[said_.round], closed=True)
    _note(record, event, f"closed round {said_.round}", said_.by)


def _apply_result(
    record: Record, said_: said.ResultRecorded | said.ResultCorrected, event: Event, content: Content
) -> None:
    result = Result(
        said_.pairing,
        said_.kind,
        said_.verdicts,
        said_.points,
        said_.scores,
        said_.boards,
        said_.reason,
        said_.rated,
    )
    round = record.rounds[said_.round]
    first = said_.pairing not in round.results
    results = {**round.results, said_.pairing: result}
    record.rounds[said_.round] = msgspec.structs.replace(round, results=results)
    key = (said_.round, said_.pairing)
    record.recorded_at.setdefault(key, event.recorded_at)
    if said_.reports:
        record.reports[key] = said_.reports
    if isinstance(said_, said.ResultCorrected):
        record.corrected.setdefault(key, []).append(event.version)
    if said_.by:
        word = "corrected" if isinstance(said_, said.ResultCorrected) else "recorded"
        what = f"{word} the result of board {said_.pairing} in round {said_.round}"
        _note(record, event, what, said_.by, said_.reason)
    if record.settings.format == "ladder" and first:
        _ladder_result(record, round, said_, event)


def _ladder_result(
    record: Record, round: Round, said_: said.ResultRecorded | said.ResultCorrected, event: Event
) -> None:
    """If the challenger has won, give them the place of the beaten target."""
    challenge = record.challenges[round.number]
    pairing = next(pairing for pairing in round.pairings if pairing.number == said_.pairing)
    won = said_.verdicts[pairing.entrants.index(challenge.challenger)] == "won"
    if won and {challenge.challenger, challenge.target} <= set(record.places):
        record.places = list(swap_places(record.places, challenge.challenger, challenge.target))
    record.challenges[round.number] = msgspec.structs.replace(
        challenge, state="won" if won else "lost", ended_at=event.recorded_at
    )


def _apply_moved(record: Record, said_: said.RulesMoved, event: Event, content: Content) -> None:
    record.switches = said_.switches
    _note(record, event, "changed the rules corrections for later rounds", said_.by)


def _apply_appointed(record: Record, said_: said.DirectorAppointed, event: Event, content: Content) -> None:
    if said_.dismissed:
        record.directors.remove(said_.account)
    elif said_.account not in record.directors:
        record.directors.append(said_.account)
    _note(record, event, f"{'dismissed' if said_.dismissed else 'appointed'} director {said_.account}", said_.by)


def _apply_acted(record: Record, said_: said.DirectorActed, event: Event, content: Content) -> None:
    _note(record, event, said_.act, said_.by, said_.reason)


def _apply_challenged(record: Record, said_: said.ChallengeMade, event: Event, content: Content) -> None:
    record.challenges[said_.number] = Challenge(said_.number, said_.challenger, said_.target, said_.answer_by)


def _apply_answered(record: Record, said_: said.ChallengeAnswered, event: Event, content: Content) -> None:
    challenge = record.challenges[said_.number]
    state = "accepted" if said_.accepted else "declined"
    record.challenges[said_.number] = msgspec.structs.replace(challenge, state=state, ended_at=event.recorded_at)
    if not said_.accepted and {challenge.challenger, challenge.target} <= set(record.places):
        record.places = list(swap_places(record.places, challenge.challenger, challenge.target))


def _apply_sealed(record: Record, said_: said.ChoiceSealed, event: Event, content: Content) -> None:
    sealed = record.choices.setdefault((said_.round, said_.pairing), {})
    sealed[said_.entrant] = (said_.kind, event.parts[0].commitment)


def _apply_choice_opened(record: Record, said_: said.ChoiceOpened, event: Event, content: Content) -> None:
    round = record.rounds[said_.round]
    pairings = tuple(said_.pairing if p.number == said_.pairing.number else p for p in round.pairings)
    record.rounds[said_.round] = msgspec.structs.replace(round, pairings=pairings)


def _apply_ended(record: Record, said_: said.Ended, event: Event, content: Content) -> None:
    record.ended = True
    _note(record, event, "ended the tournament", said_.by, said_.why)


FOLDS: dict[type[msgspec.Struct], Callable[..., None]] = {
    said.Opened: _apply_opened,
    said.EntryMade: _apply_entry_made,
    said.EntryConfirmed: _apply_entry_confirmed,
    said.EntryWaiting: _apply_entry_waiting,
    said.EntryWithdrawn: _apply_entry_withdrawn,
    said.EntryReplaced: _apply_entry_replaced,
    said.EntryAbsent: _apply_entry_absent,
    said.PairingForbidden: _apply_forbidden,
    said.PairingChanged: _apply_changed,
    said.DrawMade: _apply_draw_made,
    said.RoundPaired: _apply_paired,
    said.RoundStarted: _apply_started,
    said.RoundExtended: _apply_extended,
    said.PairingReplayed: _apply_replayed,
    said.RoundClosed: _apply_closed,
    said.ResultRecorded: _apply_result,
    said.ResultCorrected: _apply_result,
    said.RulesMoved: _apply_moved,
    said.DirectorAppointed: _apply_appointed,
    said.DirectorActed: _apply_acted,
    said.ChallengeMade: _apply_challenged,
    said.ChallengeAnswered: _apply_answered,
    said.ChoiceSealed: _apply_sealed,
    said.ChoiceOpened: _apply_choice_opened,
    said.Ended: _apply_ended,
}
