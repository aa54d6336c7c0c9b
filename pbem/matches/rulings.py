"""A game master's decisions on disputes. They append; what they overrule stays on record.

reopen     answers again, with fresh dice
recompute  the same answers and dice, under corrected rules or from a corrected state
correct    a typed change of the state at the start of the step in progress
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

import msgspec

from eventstore import Event, NewEvent, PartRef
from pbem.engine import resolve as engine
from pbem.engine.asks import Ask
from pbem.engine.findings import MASTER
from pbem.engine.refusals import Illegal, Objection, Refusal, Unreadable
from pbem.engine.resolve import Answerer, Automatic, Replies
from pbem.engine.run import Run
from pbem.engine.state import to_bytes
from pbem.matches import acts, position
from pbem.matches.house import House
from pbem.matches.ladders import REOPENED
from pbem.matches.position import Position, answers_of, autos_of, dice_of, load
from pbem.matches.record import Entry, Record


def reopen(house: House, match: str, *, after: int, reason: str, by: str) -> None:
    """Let everything after an exchange be answered again. Its number and its rungs are never used again."""
    acts.resolve(house, match)

    def act() -> None:
        record = acts.read(house, match)
        standing = [entry.exchange for entry in record.resolved]
        if after not in standing:
            raise Illegal(f"exchange {after}", [_objection("it does not stand")], [str(k) for k in standing])
        ruling = NewEvent("ruling.reopened", {"after": after, "reason": reason, "by": by})
        _append(house, record, [ruling], over=False)

    acts.retry(act)


def _append(house: House, record: Record, events: Sequence[NewEvent], *, over: bool) -> None:
    """Append a ruling. The end of a match has published its key: one that goes on needs new ladders at once."""
    with house.store.transaction("ruling") as transaction:
        if record.ended and not over:
            acts.append_with_ladder(house, transaction, record, events, REOPENED)
        else:
            transaction.append(record.stream, events, expected=record.version)


def correct(house: House, match: str, changes: list[dict[str, Any]], *, reason: str, by: str) -> None:
    """Change the state where the rules wait. Only at a step start: a step in progress has live locals."""

    def act() -> None:
        here = load(house, match)
        record = here.record
        if record.closing or here.mark is None or not _at_step_start(here):
            raise Illegal("correct", [_objection("the step in progress has begun; reopen an exchange before it")])
        trial = Position(match, record, here.rules, here.run)
        trial.mark = here.mark
        try:
            position.correct(trial, changes)
        except (msgspec.ValidationError, KeyError, IndexError, TypeError) as problem:
            raise Unreadable("changes", [_objection(f"they do not fit the state: {problem}")]) from problem
        if flaws := list(here.rules.flaws(trial.run.state)):
            raise Illegal("changes", [_objection(flaw) for flaw in flaws])
        kept = acts.part(house, match, record.version + 1, "changes", MASTER, changes)
        acts.append(house, record, [_corrected(reason, by, kept)], "ruling")

    acts.retry(act)


def recompute(
    house: House,
    match: str,
    *,
    exchange: int,
    switches: Sequence[str] | None = None,
    reason: str,
    by: str,
) -> list[int]:
    """Resolve again from an exchange on, by other switches. Returns the exchanges that stand recomputed.

    Where the rules now ask something else, an answer has become illegal, or a later ruling stands in the way,
    recomputing stops and play goes on from there.
    """
    acts.resolve(house, match)

    def act() -> list[int]:
        record = acts.read(house, match)
        if record.closing:
            raise Illegal("recompute", [_objection("an exchange is closed and not yet resolved; resume the match")])
        standing = {entry.exchange: i for i, entry in enumerate(record.history) if entry.resolved}
        if exchange not in standing:
            raise Illegal(f"exchange {exchange}", [_objection("it does not stand")], list(map(str, standing)))
        before = _before(house, match, record, standing[exchange])
        events = [_recomputing(record, standing[exchange], reason, by)]
        if switches is not None:
            acts.check_switches(house, record, switches)
            events.append(NewEvent("rules.moved", {"switches": sorted(switches)}))
            before.run.moved = tuple(sorted(switches))
        later = list(takewhile(lambda entry: entry.resolved is not None, record.history[standing[exchange] :]))
        done = _recomputed(house, before, later, record.version + len(events))
        events += [event for event, _ in done]
        if before.run.over:
            events.append(acts.ended_event(house, before, later[len(done) - 1]))
        _append(house, record, events, over=before.run.over)
        return [entry.exchange for _, entry in done]

    return acts.retry(act)


def _recomputing(record: Record, index: int, reason: str, by: str) -> NewEvent:
    """The ruling names the exchange from which on history is told anew, and the one that stands before it."""
    earlier = [entry.exchange for entry in record.history[:index] if entry.resolved]
    after, exchange = (earlier[-1] if earlier else 0), record.history[index].exchange
    return NewEvent("ruling.recomputed", {"after": after, "exchange": exchange, "reason": reason, "by": by})


def _before(house: House, match: str, record: Record, index: int) -> Position:
    """The position before an entry of the history."""
    past = msgspec.structs.replace(record, history=record.history[:index], ended=None)
    return position.replayed(house, match, past)


def _recomputed(house: House, here: Position, later: Sequence[Entry], version: int) -> list[tuple[NewEvent, Entry]]:
    """The same answers and dice again, exchange by exchange, as far as they fit, behind the event of that version."""
    done: list[tuple[NewEvent, Entry]] = []
    for number, old in enumerate(later, version + 1):
        answers = {seat: given.answer for seat, given in answers_of(house, old).items()}
        if not _fits(here, old, answers):
            break
        entry = msgspec.structs.replace(old, resolved=None)
        minds = position.minds_of(house, here, entry)
        answerer = _as_before(autos_of(house, old), engine.by_minds(minds))
        resolution = engine.resolve(here.run, answers, dice_of(house, here.match, entry), answerer, here.waits)
        event = acts.resolved_event(house, here, entry, number, resolution, "exchange.recomputed")
        done.append((event, entry))
        # What later exchanges look back on is the turn number alone.
        resolved = Event(
            0, here.record.stream, 0, event.type, 1, event.payload, tuple[PartRef, ...](), 0, "", f"{entry.exchange}"
        )
        history = [*here.record.history, msgspec.structs.replace(entry, resolved=resolved)]
        here.record = msgspec.structs.replace(here.record, history=history)
    return done


def _fits(here: Position, old: Entry, answers: dict[str, Any]) -> bool:
    """Whether the rules still ask the same seats, and their answers are still legal."""
    if sorted(ask.seat for ask in here.run.asks) != list(old.event.payload["asked"]):
        return False
    try:
        for ask in here.run.asks:
            if ask.seat in answers:
                here.rules.check(here.run.view(ask.seat), ask, answers[ask.seat])
    except Refusal:
        return False
    return True


def _as_before(autos: list[Replies], otherwise: Answerer) -> Answerer:
    """Answer an ask as it was answered the first time, if that is legal now; else from plan and doctrine."""
    recorded: dict[tuple[str, str], list[Automatic]] = {}
    for replies in autos:
        for seat, reply in replies.items():
            recorded.setdefault((seat, reply.ask), []).append(reply)

    def answer(run: Run, asks: Sequence[Ask]) -> Replies:
        replies = otherwise(run, asks)
        for ask in asks:
            if before := recorded.get((ask.seat, engine.name_of(ask))):
                old = before.pop(0)
                try:
                    run.rules.check(run.view(ask.seat), ask, old.answer)
                except Refusal:
                    continue
                replies[ask.seat] = old
        return replies

    return answer


def _at_step_start(here: Position) -> bool:
    """Whether nothing has been answered, rolled or told since the step in progress began."""
    assert here.mark is not None
    again = Run.resumed(here.rules, here.mark)
    try:
        again.proceed()
    except RuntimeError:
        return False
    same = to_bytes(again.state) == to_bytes(here.run.state) and again.asks == here.run.asks
    return same and not again.table.findings


def _corrected(reason: str, by: str, kept: Any) -> NewEvent:
    return NewEvent("ruling.corrected", {"reason": reason, "by": by}, parts=(kept,))


def _objection(why: str) -> Objection:
    return Objection("pbem/ruling", why)
