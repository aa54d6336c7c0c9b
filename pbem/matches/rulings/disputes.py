"""Disputes: a player says that an exchange was not played by the rules.

What he says is for the game master. With it he opens all that he had sealed for the exchange: orders that he replaced
are opened at the end of the match like those that counted.
"""

from __future__ import annotations

import msgspec

from eventstore import Event, NewEvent
from pbem.engine.rules.findings import MASTER
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.matches import unit_of_work
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.server import Server

OPENED, SETTLED = "dispute.opened", "dispute.settled"
MOST_LETTERS = 4000
MOST_ANSWER = 2000
MOST_OPEN = 5
"""Disputes of a seat that wait for an answer."""


class Dispute(msgspec.Struct, frozen=True):
    """`answer` is what the game master said, and empty while the dispute is open."""

    number: int
    seat: str
    exchange: int
    at: int
    answer: str = ""


def opened(server: Server, record: Record, seat: str, exchange: int, text: str) -> NewEvent:
    """Dispute an exchange that has been closed."""
    if exchange not in record.closings or exchange == 1:
        closed = [str(number) for number in record.closings if number > 1]
        raise Unreadable(str(exchange), [_objection("there is no such exchange")], closed[-3:])
    if not text.strip() or len(text) > MOST_LETTERS:
        example = f"dispute {exchange}: r1 could not move there"
        raise Unreadable("dispute", [_objection("say what was wrong")], [example])
    if len([d for d in disputes(record) if d.seat == seat and not d.answer]) >= MOST_OPEN:
        raise Illegal("dispute", [_objection(f"{MOST_OPEN} disputes of yours wait for an answer")])
    payload = {"number": len(disputes(record)) + 1, "seat": seat, "exchange": exchange}
    match, version = record.stream.removeprefix("match/"), record.version + 1
    parts = tuple(
        unit_of_work.part(server, match, version, "dispute", viewer, {"text": text.strip()})
        for viewer in (seat, MASTER)
    )
    return NewEvent(OPENED, payload, parts=parts)


def disputes(record: Record) -> list[Dispute]:
    """All disputes of a match, oldest first."""
    answers = {e.payload["number"]: e.payload["answer"] for e in record.events if e.type == SETTLED}
    return [
        Dispute(
            number=event.payload["number"],
            seat=event.payload["seat"],
            exchange=event.payload["exchange"],
            at=event.recorded_at,
            answer=answers.get(event.payload["number"], ""),
        )
        for event in record.events
        if event.type == OPENED
    ]


def text_of(server: Server, record: Record, number: int, viewer: str) -> str:
    """What was disputed, in its author's words; empty for those who may not read it."""
    for event in record.events:
        if event.type == OPENED and event.payload["number"] == number:
            return _text(server, event, viewer)
    return ""


def _text(server: Server, event: Event, viewer: str) -> str:
    ref = event.part("dispute", viewer)
    kept = server.store.parts([ref.commitment]) if ref else {}
    return next((str(msgspec.json.decode(found.content)["text"]) for found in kept.values()), "")


def settle(server: Server, match: str, number: int, answer: str, *, by: str) -> None:
    """The game master's answer, for everybody; what follows from it is a ruling of its own."""

    def act() -> None:
        record = record_of(server, match)
        if not by or record.created["master"] != by:
            raise Illegal("dispute", [_objection("only the game master of this match may answer it")])
        waiting = [dispute.number for dispute in disputes(record) if not dispute.answer]
        if number not in waiting:
            raise Unreadable(str(number), [_objection("no such dispute is open")], [str(one) for one in waiting])
        if not answer.strip():
            raise Unreadable("answer", [_objection("say how it is decided")])
        if len(answer) > MOST_ANSWER:
            raise Unreadable("answer", [_objection(f"an answer has at most {MOST_ANSWER} characters")])
        payload = {"number": number, "answer": answer.strip(), "by": by}
        unit_of_work.append(server, record, [NewEvent(SETTLED, payload)], "dispute")

    unit_of_work.retry(act)


def _objection(why: str) -> Objection:
    return Objection("pbem/dispute", why)
