"""Disputes: a player says that a turn, a scene or a sentence of their report was not played by the rules.

    open_dispute     the claim, with the place and the rule it is about
    make_statement   the statement of another seat
    settle           the decision: dismissed or upheld, the rule, the precedents it follows or departs from
    appeal_decision  once for each dispute: it is decided again

The claim and the statements are for the game master and their authors. By opening a dispute, its author discloses
everything they had sealed for its exchanges: replaced orders, too, are opened at the end of the match. If the match
has agreed to wait, nothing closes while a dispute is open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import msgspec

from eventstore import Event, NewEvent
from pbem.engine.rules.findings import MASTER
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.messages import Message, as_message, say
from pbem.matches import unit_of_work
from pbem.matches.clock import deadlines
from pbem.matches.clock.causes import Cause
from pbem.matches.events import (
    DeadlineSet,
    DisputeAppealed,
    DisputeHeard,
    DisputeOpened,
    DisputeSettled,
    DisputeVoted,
    PanelNamed,
    RulingCorrected,
    RulingRecomputed,
    RulingReopened,
    StoredEvent,
    each,
)
from pbem.matches.film import places
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.server import Server

VERDICTS = ("dismissed", "upheld")
WAIT = "wait"
MOST_LETTERS = 4000
MOST_ANSWER = 2000
MOST_OPEN = 5
"""The most open disputes of a seat."""


class Dispute(msgspec.Struct, frozen=True):
    """The current state of a dispute. `answer` is the decision, and empty while the dispute is open.

    `place` is the disputed place, as its author's report prints it. The dispute concerns the exchanges from
    `exchange` to `until`, and the `sentences` of their reports (all of them if none are named). `ruling` is the
    version of the ruling that was made on it, and `heard` are the seats that have made a statement.
    """

    number: int
    seat: str
    exchange: int
    at: int
    answer: str = ""
    rule: str = ""
    verdict: str = ""
    ruling: int = 0
    heard: tuple[str, ...] = ()
    appealed: str = ""
    first_answer: str = ""
    follows: tuple[str, ...] = ()
    departs: tuple[str, ...] = ()
    grounds: str = ""
    panel: tuple[str, ...] = ()
    votes: tuple[tuple[str, str], ...] = ()
    """The votes of its panel so far: account and verdict."""
    version: int = 0
    """The version of the event that opened it."""
    place: str = ""
    until: int = 0
    sentences: tuple[tuple[int, int], ...] = ()
    """The disputed sentences: exchange, and number in the report of that exchange."""

    @property
    def exchanges(self) -> range:
        return range(self.exchange, self.until + 1)

    @property
    def scene(self) -> str:
        """The disputed scene, or the scene of the disputed sentence, by its number in the film."""
        return ".".join(self.place.split(".")[:2])

    @property
    def named(self) -> Message:
        """Return the disputed place, in words."""
        return as_named(self.place)


def as_named(place: str) -> Message:
    """Return a place in words: a turn, a scene or a sentence."""
    if not place[:1].isdigit():  # an exchange, or a sentence as old records number them
        return as_message(place)
    match place.count("."):
        case 0:
            return say("turn {turn}", turn=place)
        case 1:
            return say("scene {place}", place=place)
        case _:
            return say("sentence {place}", place=place)


# Acts of seats -----------------------------------------------------------------------------------------------


def open_dispute(server: Server, record: Record, seat: str, place: str, text: str, *, rule: str = "") -> NewEvent:
    """Dispute a turn, a scene or a sentence, by its number in the seat's report."""
    passage = places.find(server, record, seat, place)
    if not text.strip() or len(text) > MOST_LETTERS:
        example = f"dispute {passage.place}: r1 could not move there"
        raise Unreadable("dispute", [_objection(say("say what was wrong"))], [example])
    if len([d for d in disputes(record) if d.seat == seat and not d.answer]) >= MOST_OPEN:
        raise Illegal(
            "dispute",
            [
                _objection(
                    say(
                        "{most_open} of your disputes are still waiting for an answer; wait for one before you raise "
                        "another",
                        most_open=MOST_OPEN,
                    )
                )
            ],
        )
    claim = DisputeOpened(
        len(disputes(record)) + 1,
        seat,
        passage.first,
        rule=rule,
        place=passage.place,
        until=passage.last if passage.last > passage.first else 0,
        sentences=list(passage.sentences),
    )
    return _with_text(server, record, claim, "dispute", seat, text)


def make_statement(server: Server, record: Record, seat: str, number: int, text: str) -> NewEvent:
    """Make a statement on an open dispute of another seat, for the game master."""
    found = _open(record, number)
    if found.seat == seat:
        raise Illegal("statement", [_objection(say("this is your own dispute; your claim is your statement"))])
    if seat in found.heard:
        raise Illegal("statement", [_objection(say("you have already made your statement on this dispute"))])
    return _with_text(server, record, DisputeHeard(number, seat), "statement", seat, text)


def appeal_decision(server: Server, record: Record, seat: str, number: int, text: str) -> NewEvent:
    """Appeal against a decision: each dispute has one appeal, by any seat."""
    found = next((one for one in disputes(record) if one.number == number), None)
    if found is None or not found.answer:
        decided = [str(one.number) for one in disputes(record) if one.answer]
        raise Unreadable(str(number), [_objection(say("no dispute with that number has been decided"))], decided)
    if found.appealed:
        raise Illegal("appeal", [_objection(say("there has already been an appeal; this decision is final"))])
    return _with_text(server, record, DisputeAppealed(number, seat), "appeal", seat, text)


def _with_text(server: Server, record: Record, event: StoredEvent, name: str, seat: str, text: str) -> NewEvent:
    """Return an event whose text only its author and the game master may read."""
    if not text.strip() or len(text) > MOST_LETTERS:
        raise Unreadable(
            name, [_objection(say("the text must have 1 to {most_letters} characters", most_letters=MOST_LETTERS))]
        )
    match, version = record.stream.removeprefix("match/"), record.version + 1
    parts = tuple(
        unit_of_work.part(server, match, version, name, viewer, {"text": text.strip()}) for viewer in (seat, MASTER)
    )
    return event.new(*parts)


# From the record -------------------------------------------------------------------------------------------


def disputes(record: Record) -> list[Dispute]:
    """All disputes of a match, oldest first."""
    found: dict[int, Dispute] = {}
    for event, what in each(record.events, *_FOLDS, DisputeOpened):
        if isinstance(what, DisputeOpened):
            found[what.number] = _apply_opened(event, what)
        else:
            number = getattr(what, "number", 0) or getattr(what, "dispute", 0)
            found |= {number: _FOLDS[type(what)](found[number], event, what)} if number in found else {}
    return list(found.values())


def _apply_opened(event: Event, said: DisputeOpened) -> Dispute:
    old = f"report {said.exchange}, sentence {said.sentence}" if said.sentence else f"exchange {said.exchange}"
    sentences = said.sentences or ([f"{said.exchange}.{said.sentence}"] if said.sentence else [])
    return Dispute(
        said.number,
        said.seat,
        said.exchange,
        event.recorded_at,
        rule=said.rule,
        version=event.version,
        place=said.place or old,
        until=max(said.exchange, said.until),
        sentences=tuple((int(exchange), int(number)) for exchange, number in (one.split(".") for one in sentences)),
    )


def _apply_heard(dispute: Dispute, event: Event, said: DisputeHeard) -> Dispute:
    return msgspec.structs.replace(dispute, heard=(*dispute.heard, said.seat))


def _apply_settled(dispute: Dispute, event: Event, said: DisputeSettled) -> Dispute:
    return msgspec.structs.replace(
        dispute,
        answer=said.answer,
        verdict=said.verdict,
        rule=said.rule or dispute.rule,
        ruling=said.ruling,
        follows=tuple(said.follows),
        departs=tuple(said.departs),
        grounds=said.grounds,
    )


def _apply_appealed(dispute: Dispute, event: Event, said: DisputeAppealed) -> Dispute:
    """Reopen the dispute after an appeal; the first decision stays on record."""
    first = {"appealed": said.seat, "first_answer": dispute.answer}
    return msgspec.structs.replace(dispute, **first, answer="", verdict="", ruling=0, votes=())


def _panel(dispute: Dispute, event: Event, said: PanelNamed) -> Dispute:
    return msgspec.structs.replace(dispute, panel=tuple(said.members), votes=())


def _apply_voted(dispute: Dispute, event: Event, said: DisputeVoted) -> Dispute:
    return msgspec.structs.replace(dispute, votes=(*dispute.votes, (said.by, said.verdict)))


def _apply_ruled(dispute: Dispute, event: Event, said: StoredEvent) -> Dispute:
    return msgspec.structs.replace(dispute, ruling=event.version) if dispute.answer else dispute


Ruling: TypeAlias = RulingReopened | RulingRecomputed | RulingCorrected
RULINGS = (RulingReopened, RulingRecomputed, RulingCorrected)
_FOLDS: dict[type[StoredEvent], Callable[[Dispute, Event, Any], Dispute]] = {
    DisputeHeard: _apply_heard,
    DisputeSettled: _apply_settled,
    DisputeAppealed: _apply_appealed,
    PanelNamed: _panel,
    DisputeVoted: _apply_voted,
    **dict.fromkeys(RULINGS, _apply_ruled),
}


def waits(record: Record) -> Dispute | None:
    """The dispute that the match waits for, if the match has agreed to wait for disputes."""
    if deadlines.timing_of(record).disputes != WAIT or record.ended:
        return None
    return next((one for one in disputes(record) if not one.answer), None)


def text_of(server: Server, record: Record, number: int, viewer: str) -> str:
    """Return the claim in its author's words; empty for viewers who may not read it."""
    claims = (event for event, said in each(record.events, DisputeOpened) if said.number == number)
    return next((_text(server, event, "dispute", viewer) for event in claims), "")


class Statement(msgspec.Struct, frozen=True):
    """A seat's statement on a dispute, or its grounds for an appeal."""

    seat: str
    kind: str
    at: int
    text: str


def statements(server: Server, record: Record, number: int, viewer: str) -> list[Statement]:
    """The statements and the appeal on a dispute, as far as a viewer may read them."""
    found = []
    for event, said in each(record.events, DisputeHeard, DisputeAppealed):
        assert isinstance(said, DisputeHeard | DisputeAppealed)
        if said.number == number:
            kind = "appeal" if isinstance(said, DisputeAppealed) else "statement"
            found.append(Statement(said.seat, kind, event.recorded_at, _text(server, event, kind, viewer)))
    return found


def _text(server: Server, event: Event, name: str, viewer: str) -> str:
    ref = event.part(name, viewer)
    kept = server.store.parts([ref.commitment]) if ref else {}
    return next((str(msgspec.json.decode(found.content)["text"]) for found in kept.values()), "")


def rulings_of(record: Record) -> Iterator[tuple[Event, Ruling]]:
    """Yield the rulings of a match in order, each with its event."""
    for event, said in each(record.events, *RULINGS):
        assert isinstance(said, RULINGS)
        yield event, said


def decisions_in_words(record: Record) -> Iterator[tuple[str, str, int, int]]:
    """Yield the disputes and rulings of a match in their public form: text, rule, exchange and dispute."""
    for one in disputes(record):
        state = one.verdict or ("decided" if one.answer else "open")
        text = f"Dispute {one.number} of {one.seat}: {state}. {one.answer}".strip()
        yield text, one.rule, one.exchange, one.number
    for event, ruling in rulings_of(record):
        exchange = getattr(ruling, "exchange", getattr(ruling, "after", 0))
        yield f"Ruling ({event.type.partition('.')[2]}): {ruling.reason}", "", exchange, ruling.dispute


# Deciding ----------------------------------------------------------------------------------------------------


def settle(
    server: Server,
    match: str,
    number: int,
    answer: str,
    *,
    by: str,
    verdict: str = "",
    rule: str = "",
    follows: Sequence[str] = (),
    departs: Sequence[str] = (),
    grounds: str = "",
) -> None:
    """Decide a dispute, publicly. A ruling made since the dispute was opened is named in the decision."""

    def act() -> None:
        record = record_of(server, match)
        if not by or record.created.master != by:
            raise Illegal("dispute", [_objection(say("only the game master of this match can answer a dispute"))])
        found = _open(record, number)
        if found.panel:
            raise Illegal("dispute", [_objection(say("this dispute is decided by its panel"))])
        if not answer.strip():
            raise Unreadable("answer", [_objection(say("say whether the dispute is dismissed or upheld"))])
        if len(answer) > MOST_ANSWER:
            raise Unreadable(
                "answer",
                [_objection(say("an answer can have at most {most_answer} characters", most_answer=MOST_ANSWER))],
            )
        if verdict and verdict not in VERDICTS:
            raise Unreadable(verdict, [_objection(say("a dispute is either dismissed or upheld"))], VERDICTS)
        if departs and not grounds.strip():
            raise Unreadable("departs", [_objection(say("say why you depart from this precedent"))], list(departs))
        settled = DisputeSettled(
            number,
            answer.strip(),
            by,
            verdict,
            rule or found.rule,
            _ruling_on(record, number),
            list(follows),
            list(departs),
            grounds.strip(),
        )
        unit_of_work.append(server, record, [settled, *time_back(server, record)], "dispute")

    unit_of_work.retry(act)


def time_back(server: Server, record: Record) -> list[DeadlineSet]:
    """Move the deadline by the time that the match has waited for the dispute."""
    waited, deadline = waits(record), deadlines.deadline_of(record)
    if waited is None or deadline is None or record.closing:
        return []
    span = deadlines.now(server) - max(waited.at, deadlines.opened_at(record))
    return [deadlines.set_event(deadlines.postpone(deadline, span, Cause("dispute"), "pause"))] if span > 0 else []


def _ruling_on(record: Record, number: int) -> int:
    """The version of the newest ruling that names this dispute."""
    named = [event.version for event, ruling in rulings_of(record) if ruling.dispute == number]
    return named[-1] if named else 0


def _open(record: Record, number: int) -> Dispute:
    waiting = {dispute.number: dispute for dispute in disputes(record) if not dispute.answer}
    if number not in waiting:
        raise Unreadable(
            str(number), [_objection(say("no dispute with that number is open"))], [str(one) for one in waiting]
        )
    return waiting[number]


def _objection(why: Message | str) -> Objection:
    return Objection("pbem/dispute", why)
