"""Standing orders as lines of text, and a trial of what they would have done so far.

    set_doctrine_text, doctrine_text   a seat's clauses, one per line
    trial                              the answers that other clauses would have given in the past

A trial replays the match and consults the clauses wherever an automatic answer was given for the seat, using only the
seat's view at that time. It changes nothing in the match, and stores nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pbem.engine.play import resolve as engine
from pbem.engine.play.resolve import Automatic, Mind, Replies
from pbem.engine.play.run import Run
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.text.messages import Message, Several, say, several
from pbem.engine.text.sentences import data
from pbem.matches.exchange import sealing
from pbem.matches.history.record import Entry
from pbem.matches.history.replay import Position, answers_of, autos_of, dice_of, doctrine_of, record_of
from pbem.matches.history.replay import apply as carry_over
from pbem.matches.server import Server

NONE = ("none", "nothing", "-")
MOST_CLAUSES = 50


class Tried(msgspec.Struct, frozen=True):
    """A window that the clauses would have answered, and how it was actually answered."""

    exchange: int
    turn: int
    kind: str
    subject: str
    rule: str
    clause: str
    answer: Any
    instead_of: Any
    source: str

    @property
    def differs(self) -> bool:
        return bool(self.answer != self.instead_of)


SOURCES: Mapping[str, Message] = {
    "plan": say("your plan"),
    "doctrine": say("your standing orders"),
    "default": say("the rules' default"),
}
"""The sources of an automatic answer, as its player reads them."""


def trial_in_words(one: Tried) -> Several:
    """Describe a window of a trial in a sentence.

    An answer that is a list or a table is not repeated, because the clause states it.
    """
    about = " ".join(filter(None, (one.kind, one.subject)))
    window = say("Turn {turn} (exchange {exchange}), {about} ({rule}):", **_facts(one), about=about)
    named = {"clause": one.clause, "source": SOURCES.get(one.source) or one.source}
    if isinstance(one.answer, dict | list) or isinstance(one.instead_of, dict | list):
        if one.differs:
            said = say("“{clause}” would have answered differently from {source}.", **named)
        else:
            said = say("“{clause}” would have answered as {source} did.", **named)
    elif one.differs:
        said = say(
            "“{clause}” would have answered {answer}; {source} answered {instead}.",
            **named,
            answer=data(one.answer),
            instead=data(one.instead_of),
        )
    else:
        said = say("“{clause}” would have answered {answer}, as {source} did.", **named, answer=data(one.answer))
    return several([window, said], "sentences")


def _facts(one: Tried) -> dict[str, object]:
    return {"turn": one.turn, "exchange": one.exchange, "rule": one.rule}


def clauses_in(text: str) -> list[str]:
    """Split a text into clauses, one per line; empty lines and lines that say `none` are ignored."""
    lines = [line.strip() for line in text.splitlines()]
    clauses = [line for line in lines if line and line.lower() not in NONE]
    if len(clauses) > MOST_CLAUSES:
        why = say("standing orders can have at most {most_clauses} clauses", most_clauses=MOST_CLAUSES)
        raise Unreadable(clauses[MOST_CLAUSES], [Objection("pbem/doctrine", why)])
    return clauses


def set_doctrine_text(server: Server, match: str, seat: str, text: str) -> list[Any]:
    """Replace a seat's standing orders with these lines; return how the title reads them."""
    sealing.set_doctrine(server, match, seat, clauses_in(text))
    return doctrine_of(server, record_of(server, match).doctrine.get(seat))


def doctrine_text(server: Server, match: str, seat: str) -> str:
    """A seat's standing orders, one per line."""
    return "\n".join(map(str, doctrine_of(server, record_of(server, match).doctrine.get(seat))))


def trial(server: Server, match: str, seat: str, doctrine: str | Sequence[Any]) -> list[Tried]:
    """Return what these clauses would have answered for a seat in past turns, window by window."""
    record = record_of(server, match)
    rules = server.rules(record.created.title, record.created.blobs)
    clauses = rules.check_doctrine(clauses_in(doctrine) if isinstance(doctrine, str) else list(doctrine))
    here = Position(match, record, rules, Run(rules, rules.setup(tuple(record.created.switches))))
    found: list[Tried] = []
    for entry in record.history:
        if entry.kind != "exchange":
            carry_over(server, here, entry)
        elif entry.resolved is not None:
            found += _try_clauses(server, here, entry, seat, Mind({}, clauses))
    return found


def _try_clauses(server: Server, here: Position, entry: Entry, seat: str, mind: Mind) -> list[Tried]:
    """Replay an exchange as it was played, and record what the clauses would have answered."""
    found: list[Tried] = []
    recorded, thinking = engine.by_record(autos_of(server, entry)), engine.by_minds({seat: mind})

    def answer(run: Run, asks: Sequence[Ask]) -> Replies:
        replies = recorded(run, asks)
        for ask in asks:
            said = thinking(run, [ask])[seat] if ask.seat == seat else None
            if said is not None and said.source == "doctrine":
                found.append(_note_trial(entry, run, ask, said, replies[seat]))
        return replies

    answers = {seat: given.answer for seat, given in answers_of(server, entry).items()}
    resolution = engine.resolve(here.run, answers, dice_of(server, here.match, entry), answer, here.waits)
    here.mark = resolution.mark or here.mark
    return found


def _note_trial(entry: Entry, run: Run, ask: Ask, said: Automatic, done: Automatic) -> Tried:
    return Tried(
        exchange=entry.exchange,
        turn=run.state.turn,
        kind=ask.kind,
        subject=ask.subject,
        rule=ask.rule,
        clause=said.clause,
        answer=said.answer,
        instead_of=done.answer,
        source=done.source,
    )
