"""Questions about a past exchange, answered for one viewer: why a unit was not seen, why an order was refused.

    why_unseen     whether a unit saw another unit or a hex, before the exchange and after it
    why_refused    the rules' objections to orders for an exchange, as its seat saw the position then

Answers come from findings that the viewer may read, and from the rules applied to the viewer's own view of that
time. So they reveal nothing that the viewer could not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Unreadable, each
from pbem.matches.history.record import Entry
from pbem.matches.history.replay import Position, findings_of, load, record_of
from pbem.matches.history.telling import Told, sentences_of
from pbem.matches.players import many, sizes, work
from pbem.matches.server import Server

BEFORE, AFTER = "before", "after"
MOST_RECORDED = 20
"""The most sentences of a report that one answer repeats."""


class Answered(msgspec.Struct, frozen=True):
    """The answer at one moment, `before` or `after` the exchange; empty if there is none."""

    when: str
    told: tuple[Told, ...]


class Unseen(msgspec.Struct, frozen=True):
    """Why a unit was not seen: what the report says about both units, and what the rules say about the position."""

    exchange: int
    seeing: str
    seen: str
    recorded: tuple[Told, ...]
    answers: tuple[Answered, ...]

    @property
    def known(self) -> bool:
        """Whether there is anything to say."""
        return bool(self.recorded) or any(one.told for one in self.answers)


class Refused(msgspec.Struct, frozen=True):
    """One line that is refused, with a rule and a reason for each objection, and what could be sent instead."""

    part: str
    objections: tuple[tuple[str, str], ...]
    instead: tuple[str, ...]


class Judged(msgspec.Struct, frozen=True):
    """A verdict on orders for an exchange; `reading` restates them if they are legal."""

    exchange: int
    seat: str
    orders: str
    refused: tuple[Refused, ...]
    reading: str = ""


def why_unseen(server: Server, match: str, viewer: str, exchange: int, seeing: str, seen: str) -> Unseen:
    """Explain whether a unit saw another unit or a hex, from the viewer's own view at that time."""
    entry = _entry(server, match, exchange)
    assert entry.resolved is not None
    moments = {BEFORE: entry.event.version - 1, AFTER: entry.resolved.version}
    if exchange == 1:
        del moments[BEFORE]
    names = (seeing.strip(), seen.strip())
    answers = []
    for when, version in moments.items():
        here = load(server, match, upto=version)
        found = here.rules.explain_sight(here.run.view(viewer), *names)
        answers.append(Answered(when, tuple(sentences_of(here.rules, found))))
    known = [finding for finding in findings_of(server, entry, viewer) if _names_both(finding, names)]
    recorded = tuple(sentences_of(here.rules, known))[:MOST_RECORDED]
    return Unseen(exchange, *names, recorded, tuple(answers))


def _names_both(finding: Finding, names: Iterable[str]) -> bool:
    """Whether a finding, or one that it rests on, names both of these units."""
    words = {str(word).lower() for value in finding.inputs.values() for word in _words(value)}
    return {name.lower() for name in names} <= words or any(_names_both(one, names) for one in finding.children)


def _words(value: object) -> Iterator[object]:
    yield from value if isinstance(value, list | tuple) else [value]


def why_refused(server: Server, match: str, seat: str, exchange: int, orders: str) -> Judged:
    """Read orders for an exchange as they would have been read when it was open, from the seat's own view."""
    here = _asked_position(server, match, seat, exchange)
    ask = here.run.ask_of(seat)
    if ask is None:
        raise _refuse(f"{seat} had no decision to make in exchange {exchange}")
    sizes.check_size(here, seat, orders)
    sizes.check_lines(orders)
    view = here.run.view(seat)
    try:
        with work.count_work():
            lines = many.expand(here.rules, view, ask, orders)
            work.spend(lines=lines.count("\n") + 1)
            given = here.rules.read(view, ask, lines)
            here.rules.check(view, ask, given.answer)
            here.rules.check_plan(view, ask, given.plan)
    except Refusal as refusal:
        return Judged(exchange, seat, orders, tuple(_describe_refusal(one) for one in each(refusal)))
    except work.Overspent as problem:
        raise Unreadable("orders", [Objection("pbem/why", str(problem))]) from problem
    return Judged(exchange, seat, orders, (), here.rules.restate(ask, given))


def _describe_refusal(refusal: Refusal) -> Refused:
    objections = tuple((one.rule, one.english) for one in refusal.objections)
    return Refused(refusal.line or refusal.part, objections, refusal.instead)


def _asked_position(server: Server, match: str, seat: str, exchange: int) -> Position:
    """The position in which an exchange was, or is, open."""
    record = record_of(server, match)
    if seat not in record.seats:
        raise _refuse("only a player has orders; sign in with your seat")
    if exchange == record.open_exchange and not record.ended:
        return load(server, match)
    return load(server, match, upto=_entry(server, match, exchange).event.version - 1)


def _entry(server: Server, match: str, exchange: int) -> Entry:
    entry = record_of(server, match).exchange(exchange)
    if entry is None or entry.resolved is None:
        raise _refuse(f"exchange {exchange} was overruled or has no result")
    return entry


def _refuse(why: str) -> Illegal:
    return Illegal("question", [Objection("pbem/why", why)])
