"""Disputes: a player says that an exchange, or one sentence of its report, was not played by the rules.

    opened      the claim, with the sentence and the rule it is about
    heard       the statement of another seat
    settle      the decision: dismissed or upheld, the rule, the precedents it follows or departs from
    appealed    once for each dispute: it is decided again

The claim and the statements are for the game master and their authors. With a dispute its author opens everything
they had sealed for the exchange: orders that were replaced are opened at the end of the match, too.
Where the match has agreed to wait, nothing closes while a dispute is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from eventstore import Event, NewEvent
from pbem.engine.rules.findings import MASTER
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.messages import Message, say
from pbem.matches import unit_of_work
from pbem.matches.clock import deadlines
from pbem.matches.events import DeadlineSet
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.server import Server

OPENED, HEARD, SETTLED, APPEALED = "dispute.opened", "dispute.heard", "dispute.settled", "dispute.appealed"
VERDICTS = ("dismissed", "upheld")
WAIT = "wait"
MOST_LETTERS = 4000
MOST_ANSWER = 2000
MOST_OPEN = 5
"""Disputes of a seat that wait for an answer."""


class Dispute(msgspec.Struct, frozen=True):
    """A dispute as it stands. `answer` is the decision, and empty while the dispute is open.

    `sentence` is the number of the disputed sentence in its author's report (0: the whole exchange), `ruling` the
    version of the ruling that was made on it, `heard` the seats that have made a statement.
    """

    number: int
    seat: str
    exchange: int
    at: int
    answer: str = ""
    sentence: int = 0
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

    @property
    def place(self) -> str:
        """What is disputed, as players write it: `4` or `4.7`."""
        return f"{self.exchange}.{self.sentence}" if self.sentence else str(self.exchange)


# What seats do -----------------------------------------------------------------------------------------------


def opened(
    server: Server, record: Record, seat: str, exchange: int, text: str, *, sentence: int = 0, rule: str = ""
) -> NewEvent:
    """Dispute an exchange that has been closed, or one sentence of its report."""
    if exchange not in record.closings or exchange == 1:
        closed = [str(number) for number in record.closings if number > 1]
        raise Unreadable(str(exchange), [_objection(say("no exchange has that number"))], closed[-3:])
    if not text.strip() or len(text) > MOST_LETTERS:
        example = f"dispute {exchange}: r1 could not move there"
        raise Unreadable("dispute", [_objection(say("say what was wrong"))], [example])
    if len([d for d in disputes(record) if d.seat == seat and not d.answer]) >= MOST_OPEN:
        raise Illegal(
            "dispute",
            [_objection(say("{most_open} of your disputes are still waiting for an answer", most_open=MOST_OPEN))],
        )
    payload: dict[str, Any] = {"number": len(disputes(record)) + 1, "seat": seat, "exchange": exchange}
    payload |= {"sentence": sentence} if sentence else {}
    payload |= {"rule": rule} if rule else {}
    return _with_text(server, record, OPENED, payload, "dispute", seat, text)


def heard(server: Server, record: Record, seat: str, number: int, text: str) -> NewEvent:
    """Make a statement on an open dispute of another seat, for the game master."""
    found = _open(record, number)
    if found.seat == seat:
        raise Illegal("statement", [_objection(say("this is your own dispute; your claim is your statement"))])
    if seat in found.heard:
        raise Illegal("statement", [_objection(say("you have already made your statement on this dispute"))])
    return _with_text(server, record, HEARD, {"number": number, "seat": seat}, "statement", seat, text)


def appealed(server: Server, record: Record, seat: str, number: int, text: str) -> NewEvent:
    """Appeal against a decision: each dispute is decided again once, whoever asks for it."""
    found = next((one for one in disputes(record) if one.number == number), None)
    if found is None or not found.answer:
        decided = [str(one.number) for one in disputes(record) if one.answer]
        raise Unreadable(str(number), [_objection(say("no dispute with that number has been decided"))], decided)
    if found.appealed:
        raise Illegal("appeal", [_objection(say("there has already been an appeal; this decision is final"))])
    return _with_text(server, record, APPEALED, {"number": number, "seat": seat}, "appeal", seat, text)


def _with_text(
    server: Server, record: Record, type: str, payload: dict[str, Any], name: str, seat: str, text: str
) -> NewEvent:
    """Return an event whose words are for its author and the game master."""
    if not text.strip() or len(text) > MOST_LETTERS:
        raise Unreadable(
            name, [_objection(say("the text must have 1 to {most_letters} characters", most_letters=MOST_LETTERS))]
        )
    match, version = record.stream.removeprefix("match/"), record.version + 1
    parts = tuple(
        unit_of_work.part(server, match, version, name, viewer, {"text": text.strip()}) for viewer in (seat, MASTER)
    )
    return NewEvent(type, payload, parts=parts)


# What is on record -------------------------------------------------------------------------------------------


def disputes(record: Record) -> list[Dispute]:
    """All disputes of a match, oldest first."""
    found: dict[int, Dispute] = {}
    for event in record.events:
        if event.type == OPENED:
            found[event.payload["number"]] = _opened(event)
        elif event.type in _FOLDS:
            number = event.payload.get("number", event.payload.get("dispute", 0))
            found |= {number: _FOLDS[event.type](found[number], event)} if number in found else {}
    return list(found.values())


def _opened(event: Event) -> Dispute:
    said = event.payload
    more = {"sentence": said.get("sentence", 0), "rule": said.get("rule", "")}
    return Dispute(said["number"], said["seat"], said["exchange"], event.recorded_at, **more)


def _heard(dispute: Dispute, event: Event) -> Dispute:
    return msgspec.structs.replace(dispute, heard=(*dispute.heard, event.payload["seat"]))


def _settled(dispute: Dispute, event: Event) -> Dispute:
    said = event.payload
    return msgspec.structs.replace(
        dispute,
        answer=said["answer"],
        verdict=said.get("verdict", ""),
        rule=said.get("rule", "") or dispute.rule,
        ruling=said.get("ruling", 0),
        follows=tuple(said.get("follows", ())),
        departs=tuple(said.get("departs", ())),
        grounds=said.get("grounds", ""),
    )


def _appealed(dispute: Dispute, event: Event) -> Dispute:
    """An appeal opens the dispute again; the first decision stays on record."""
    first = {"appealed": event.payload["seat"], "first_answer": dispute.answer}
    return msgspec.structs.replace(dispute, **first, answer="", verdict="", ruling=0, votes=())


def _panel(dispute: Dispute, event: Event) -> Dispute:
    return msgspec.structs.replace(dispute, panel=tuple(event.payload["members"]), votes=())


def _voted(dispute: Dispute, event: Event) -> Dispute:
    cast = (event.payload["by"], event.payload["verdict"])
    return msgspec.structs.replace(dispute, votes=(*dispute.votes, cast))


def _ruled(dispute: Dispute, event: Event) -> Dispute:
    return msgspec.structs.replace(dispute, ruling=event.version) if dispute.answer else dispute


RULINGS = ("ruling.reopened", "ruling.recomputed", "ruling.corrected")
_FOLDS = {
    HEARD: _heard,
    SETTLED: _settled,
    APPEALED: _appealed,
    "panel.named": _panel,
    "dispute.voted": _voted,
    **dict.fromkeys(RULINGS, _ruled),
}


def waits(record: Record) -> Dispute | None:
    """The dispute for which the match waits, if it has agreed to wait."""
    if deadlines.timing_of(record).disputes != WAIT or record.ended:
        return None
    return next((one for one in disputes(record) if not one.answer), None)


def text_of(server: Server, record: Record, number: int, viewer: str) -> str:
    """What was disputed, in its author's words; empty for those who may not read it."""
    for event in record.events:
        if event.type == OPENED and event.payload["number"] == number:
            return _text(server, event, "dispute", viewer)
    return ""


class Statement(msgspec.Struct, frozen=True):
    """What a seat has said on a dispute: its statement, or why it appeals."""

    seat: str
    kind: str
    at: int
    text: str


def statements(server: Server, record: Record, number: int, viewer: str) -> list[Statement]:
    """The statements and the appeal on a dispute, as far as a viewer may read them."""
    names = {HEARD: "statement", APPEALED: "appeal"}
    return [
        Statement(e.payload["seat"], names[e.type], e.recorded_at, _text(server, e, names[e.type], viewer))
        for e in record.events
        if e.type in names and e.payload["number"] == number
    ]


def _text(server: Server, event: Event, name: str, viewer: str) -> str:
    ref = event.part(name, viewer)
    kept = server.store.parts([ref.commitment]) if ref else {}
    return next((str(msgspec.json.decode(found.content)["text"]) for found in kept.values()), "")


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
    """Decide a dispute, for everybody. A ruling made since the dispute was opened is named with it."""

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
        payload: dict[str, Any] = {"number": number, "answer": answer.strip(), "by": by}
        more = {
            "verdict": verdict,
            "rule": rule or found.rule,
            "ruling": _ruling_on(record, number),
            "follows": list(follows),
            "departs": list(departs),
            "grounds": grounds.strip(),
        }
        payload |= {name: value for name, value in more.items() if value}
        unit_of_work.append(server, record, [NewEvent(SETTLED, payload), *time_back(server, record)], "dispute")

    unit_of_work.retry(act)


def time_back(server: Server, record: Record) -> list[DeadlineSet]:
    """Return the time for which the match has waited to those who owe orders."""
    waited, deadline = waits(record), deadlines.deadline_of(record)
    if waited is None or deadline is None or record.closing:
        return []
    span = deadlines.now(server) - max(waited.at, deadlines.opened_at(record))
    return [deadlines.set_event(deadlines.moved(deadline, span, "a dispute was open", "pause"))] if span > 0 else []


def _ruling_on(record: Record, number: int) -> int:
    """The version of the newest ruling that names this dispute."""
    named = [e.version for e in record.events if e.type.startswith("ruling.") and e.payload.get("dispute") == number]
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
