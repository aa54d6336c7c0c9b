"""Press: letters between seats, to the game master, or to everybody.

Sender and recipients are secret, like an order. The event says only that a message was sent; each viewer has a
part of it, which is empty for those to whom the letter is not addressed. Like the rest of the match, press is
opened when the match is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

import msgspec

from eventstore import Event, NewEvent
from pbem.engine.rules.findings import MASTER, PUBLIC
from pbem.engine.rules.refusals import Ambiguous, Illegal, Objection, Unreadable
from pbem.engine.text.messages import Message, say
from pbem.matches.accounts.accounts import account
from pbem.matches.events import PressDelivered, PressSent, SeatLeft, SeatTaken, each
from pbem.matches.events import read as read_event
from pbem.matches.history.record import Record
from pbem.matches.history.replay import SERVER
from pbem.matches.server import Server
from pbem.matches.unit_of_work import part

SENT, DELIVERED = PressSent.word, PressDelivered.word
ALL = "all"
SIDE = "side"
MOST_LETTERS = 4000
MOST_EACH = 30
"""The most letters that a seat may write in one exchange."""


class Letter(msgspec.Struct, frozen=True):
    """A letter as one of its readers sees it. `to` are seats, `master` or `public`."""

    sender: str
    to: list[str]
    text: str
    exchange: int = 0
    at: int = 0
    version: int = 0


def write_letter(server: Server, record: Record, seat: str, to: Sequence[str], text: str) -> NewEvent:
    """A seat's letter as an event, with a part for every viewer."""
    readers, said = addressees(server, record, seat, to), text.strip()
    if not said:
        raise Unreadable("press", [_objection(say("the message is empty"))], ["press all: well played"])
    if len(said) > MOST_LETTERS:
        raise Illegal(
            "press",
            [_objection(say("a message can have at most {most_letters} characters", most_letters=MOST_LETTERS))],
        )
    if record.ended:
        raise Illegal("press", [_objection(say("the match is over"))])
    written = [letter for letter in letters(server, record, seat) if letter.exchange == record.open_exchange]
    if len([letter for letter in written if letter.sender == seat]) >= MOST_EACH:
        raise Illegal(
            "press",
            [
                _objection(
                    say("a seat can send at most {most_each} messages before the turn is played", most_each=MOST_EACH)
                )
            ],
        )
    content = {"sender": seat, "to": readers, "text": said}
    if delay := int(record.created.letters):
        return _on_its_way(server, record, seat, content, turn_of(record) + delay)
    parts = tuple(
        part(
            server,
            record.stream.removeprefix("match/"),
            record.version + 1,
            "press",
            viewer,
            content if viewer == seat or viewer in readers or PUBLIC in readers else {},
        )
        for viewer in (*record.seats, MASTER, PUBLIC)
    )
    return PressSent(record.open_exchange).new(*parts)


def turn_of(record: Record) -> int:
    """The turn to which the last exchange led."""
    return record.resolved[-1].result.turn if record.resolved else 1


def _on_its_way(server: Server, record: Record, seat: str, content: Mapping[str, object], arrives: int) -> NewEvent:
    """Return a delayed letter, which only its sender can read until it arrives, even in exports."""
    match, version = record.stream.removeprefix("match/"), record.version + 1
    own = part(server, match, version, "press", seat, content)
    kept = part(server, match, version, "press", SERVER, content)
    return PressSent(record.open_exchange, arrives).new(own, kept)


def due_letters(server: Server, record: Record) -> list[NewEvent]:
    """The letters that are due and have not been delivered, each with a part for every viewer.

    They arrive in the order in which they were written, unless a ruling has led back to an earlier turn.
    """
    delivered = (said.letter for _, said in each(record.events, PressDelivered, newest_first=True))
    done = {*delivered} if record.void else {next(delivered, 0)}
    written = each(record.events, PressSent, newest_first=True)
    waiting = takewhile(lambda letter: record.void or letter[0].version not in done, written)
    due = [event for event, sent in waiting if 0 < sent.arrives <= turn_of(record) and event.version not in done][
        ::-1
    ]
    return [_delivery(server, record, event, record.version + 1 + n) for n, event in enumerate(due)]


def _delivery(server: Server, record: Record, sent: Event, version: int) -> NewEvent:
    letter = read(server, sent, SERVER)
    content = {} if letter is None else {"sender": letter.sender, "to": letter.to, "text": letter.text}
    match = record.stream.removeprefix("match/")
    wanted = content.get("to", ())
    parts = tuple(
        part(server, match, version, "press", viewer, content if viewer in wanted or PUBLIC in wanted else {})
        for viewer in (*record.seats, MASTER, PUBLIC)
    )
    return PressDelivered(record.open_exchange, sent.version).new(*parts)


def addressees(server: Server, record: Record, seat: str, to: Sequence[str]) -> list[str]:
    """Return the viewers that the names refer to: seats, side, all, public, master, or players by name.

    Seats come first, so that no player can intercept letters by choosing a name.
    """
    others = [other for other in record.seats if other != seat]
    mates = mates_of(record, seat)
    known = [*others, *([SIDE] if mates else []), ALL, PUBLIC, *([MASTER] if record.created.master else [])]
    seated = [other for other in others if other in record.occupants]
    players = [(account(server, record.occupants[other]["account"]).name, other) for other in seated]
    called = [[(one, one) for one in known], players]
    found: list[str] = []
    for name in _names(to, players):
        fitting = next(filter(None, (_fitting(name.lower(), names) for names in called)), [])
        if not fitting:
            raise Unreadable(name, [_objection(say("no seat or person has that name"))], known)
        if len(fitting) > 1:
            raise Ambiguous(name, [_objection(say("several seats or people have that name"))], fitting)
        found += {ALL: others, SIDE: mates if mates else fitting}.get(fitting[0], fitting)
    return list(dict.fromkeys(found))


def mates_of(record: Record, seat: str) -> list[str]:
    """The other seats of a seat's side, if the side has several."""
    sides = record.sides
    return [other for other in record.seats if other != seat and seat in sides and sides.get(other) == sides[seat]]


def _names(to: Sequence[str], players: Sequence[tuple[str, str]]) -> Sequence[str]:
    """Read several words as one name if a player has it; otherwise as several names."""
    together = " ".join(to)
    return [together] if together.lower() in [name.lower() for name, _ in players] else to


def _fitting(name: str, called: Sequence[tuple[str, str]]) -> list[str]:
    """Return the players with this name; an exact match takes precedence over a prefix."""
    whole = [one for said, one in called if said.lower() == name]
    return whole or [one for said, one in called if said.lower().startswith(name)]


def letters(server: Server, record: Record, viewer: str) -> list[Letter]:
    """The letters that a viewer may read, oldest first."""
    written = each(record.events, PressSent, PressDelivered)
    return [letter for event, _ in written if (letter := read(server, event, viewer)) is not None]


def read(server: Server, event: Event, viewer: str) -> Letter | None:
    """Return a letter's text for a viewer; None if it is not addressed to them or was erased."""
    ref = event.part("press", viewer) if event.type in (SENT, DELIVERED) else None
    kept = server.store.parts([ref.commitment]) if ref else {}
    for found in kept.values():
        if found.content != b"{}":
            letter = msgspec.json.decode(found.content, type=Letter)
            what = read_event(event)
            assert isinstance(what, PressSent | PressDelivered)
            place = {"exchange": what.exchange, "at": event.recorded_at, "version": event.version}
            return msgspec.structs.replace(letter, **place)
    return None


def readers(server: Server, record: Record, event: Event) -> Iterator[str]:
    """The viewers to whom a letter is addressed, except its sender; the public reads it on the match's page."""
    for viewer in (*record.seats, MASTER):
        letter = read(server, event, viewer)
        if letter is not None and letter.sender != viewer:
            yield viewer


def written_by(server: Server, events: Iterable[Event], account: str) -> Iterator[str]:
    """Yield the commitments of the letters that an account has written in a match, in any of its seats."""
    sitting: dict[str, str] = {}
    for event, what in each(events, SeatTaken, SeatLeft, PressSent, PressDelivered):
        if isinstance(what, SeatTaken | SeatLeft):
            sitting[what.seat] = what.account if isinstance(what, SeatTaken) else ""
        else:
            for ref in event.parts:
                letter = read(server, event, ref.audience)
                if letter is not None and sitting.get(letter.sender) == account:
                    yield ref.commitment


def _objection(why: Message | str) -> Objection:
    return Objection("pbem/press", why)
