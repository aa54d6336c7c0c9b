"""A game master's decisions on disputes. They only append: overruled play stays on record.

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
from pbem.engine.play import resolve as engine
from pbem.engine.play.resolve import Answerer, Automatic, Replies
from pbem.engine.play.run import Run
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import MASTER
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Unreadable
from pbem.engine.rules.state import to_bytes
from pbem.engine.text.messages import Message, say
from pbem.matches import unit_of_work
from pbem.matches.events import (
    ExchangeRecomputed,
    RulesMoved,
    RulingCorrected,
    RulingRecomputed,
    RulingReopened,
    StoredEvent,
)
from pbem.matches.exchange import ladder_starts, resolving, rules_versions
from pbem.matches.history import replay
from pbem.matches.history.ladders import REOPENED
from pbem.matches.history.record import Entry, History, Record
from pbem.matches.history.replay import Position, answers_of, autos_of, dice_of, load, record_of
from pbem.matches.server import Server


def reopen(server: Server, match: str, *, after: int, reason: str, by: str, dispute: int = 0) -> None:
    """Ask again for all orders after an exchange. The voided numbers and rungs are never reused."""
    resolving.resolve(server, match)

    def act() -> None:
        record = record_of(server, match)
        standing = [entry.exchange for entry in record.resolved]
        if after not in standing:
            raise Illegal(
                f"exchange {after}",
                [_objection(say("that exchange was overruled or has no result"))],
                [str(k) for k in standing],
            )
        _append(server, record, [RulingReopened(after, reason, by, dispute)], over=False)

    unit_of_work.retry(act)


def _append(server: Server, record: Record, events: Sequence[StoredEvent | NewEvent], *, over: bool) -> None:
    """Append a ruling. An ended match has published its key, so if it continues it needs new ladders at once."""
    with server.change(record, "ruling") as change:
        if record.ended and not over:
            ladder_starts.append_with_ladder(change, list(events), REOPENED)
        else:
            change.append(*events)


def correct(
    server: Server, match: str, changes: list[dict[str, Any]], *, reason: str, by: str, dispute: int = 0
) -> None:
    """Correct the current state of a match.

    This is possible only while the rules wait at the start of a step, because that step can be run again.
    """

    def act() -> None:
        here = load(server, match)
        record = here.record
        if record.closing or here.mark is None or not at_step_start(here):
            raise Illegal(
                "correct", [_objection(say("a step of the rules was in progress; reopen an earlier exchange"))]
            )
        trial = Position(match, record, here.rules, here.run)
        trial.mark = here.mark
        try:
            replay.correct(trial, changes)
        except (msgspec.ValidationError, KeyError, IndexError, TypeError) as problem:
            raise Unreadable(
                "changes", [_objection(say("the corrections do not fit the state: {problem}", problem=problem))]
            ) from problem
        if flaws := list(here.rules.flaws(trial.run.state)):
            raise Illegal("changes", [_objection(flaw) for flaw in flaws])
        kept = unit_of_work.part(server, match, record.version + 1, "changes", MASTER, changes)
        unit_of_work.append(server, record, [RulingCorrected(reason, by, dispute).new(kept)], "ruling")

    unit_of_work.retry(act)


def recompute(
    server: Server,
    match: str,
    *,
    exchange: int,
    switches: Sequence[str] | None = None,
    reason: str,
    by: str,
    dispute: int = 0,
) -> list[int]:
    """Resolve again from an exchange on, under other switches; return the exchanges that remain valid, recomputed.

    Recomputing stops where the rules now ask something else, an answer has become illegal, or a later ruling
    intervenes; play continues from there.
    """
    resolving.resolve(server, match)

    def act() -> list[int]:
        record = record_of(server, match)
        if record.closing:
            raise Illegal(
                "recompute", [_objection(say("a turn has closed but has not been played; resume the match first"))]
            )
        standing = {entry.exchange: i for i, entry in enumerate(record.history) if entry.resolved}
        if exchange not in standing:
            raise Illegal(
                f"exchange {exchange}",
                [_objection(say("that exchange was overruled or has no result"))],
                list(map(str, standing)),
            )
        before = _before(server, match, record, standing[exchange])
        events: list[StoredEvent | NewEvent] = [_recompute_ruling(record, standing[exchange], reason, by, dispute)]
        if switches is not None:
            rules_versions.check_switches(server, record, switches)
            events.append(RulesMoved(sorted(switches)))
            before.run.moved = tuple(sorted(switches))
        later = list(takewhile(lambda entry: entry.resolved is not None, record.history[standing[exchange] :]))
        done = _replay_exchanges(server, before, later, record.version + len(events))
        events += [event for event, _ in done]
        if before.run.over:
            events.append(resolving.ended_event(server, before, later[len(done) - 1]))
        _append(server, record, events, over=before.run.over)
        return [entry.exchange for _, entry in done]

    return unit_of_work.retry(act)


def _recompute_ruling(record: Record, index: int, reason: str, by: str, dispute: int) -> RulingRecomputed:
    """Return the ruling, which names the exchange where the recomputation starts and the valid one before it."""
    earlier = [entry.exchange for entry in record.history[:index] if entry.resolved]
    after, exchange = (earlier[-1] if earlier else 0), record.history[index].exchange
    return RulingRecomputed(after, exchange, reason, by, dispute)


def _before(server: Server, match: str, record: Record, index: int) -> Position:
    """The position before an entry of the history."""
    past = msgspec.structs.replace(record, history=History(record.history[:index]), ended=None)
    return replay.position_of(server, match, past)


def _replay_exchanges(
    server: Server, here: Position, later: Sequence[Entry], version: int
) -> list[tuple[NewEvent, Entry]]:
    """Replay the same answers and dice, exchange by exchange, as long as they fit; events follow `version`."""
    done: list[tuple[NewEvent, Entry]] = []
    for number, old in enumerate(later, version + 1):
        answers = {seat: given.answer for seat, given in answers_of(server, old).items()}
        if not fits(here, old, answers):
            break
        entry = msgspec.structs.replace(old, resolved=None)
        minds = replay.minds_of(server, here, entry)
        answerer = as_before(autos_of(server, old), engine.by_minds(minds))
        resolution = engine.resolve(here.run, answers, dice_of(server, here.match, entry), answerer, here.waits)
        event = resolving.resolved_event(server, here, entry, number, resolution, ExchangeRecomputed)
        done.append((event, entry))
        # Later exchanges refer only to the turn number.
        resolved = Event(
            here.record.stream,
            0,
            event.type,
            event.schema,
            event.payload,
            tuple[PartRef, ...](),
            0,
            "",
            f"{entry.exchange}",
        )
        history = [*here.record.history, msgspec.structs.replace(entry, resolved=resolved)]
        here.record = msgspec.structs.replace(here.record, history=History(history))
    return done


def fits(here: Position, old: Entry, answers: dict[str, Any]) -> bool:
    """Whether the rules still ask the same seats, and their answers are still legal."""
    if sorted(ask.seat for ask in here.run.asks) != old.closed.asked:
        return False
    try:
        for ask in here.run.asks:
            if ask.seat in answers:
                here.rules.check(here.run.view(ask.seat), ask, answers[ask.seat])
    except Refusal:
        return False
    return True


def as_before(autos: list[Replies], otherwise: Answerer) -> Answerer:
    """Answer an ask as before if that is still legal; otherwise from the plan and standing orders."""
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


def at_step_start(here: Position) -> bool:
    """Whether the step in progress has not had an answer, a roll or a finding yet."""
    assert here.mark is not None
    again = Run.resume(here.rules, here.mark)
    try:
        again.proceed()
    except RuntimeError:
        return False
    same = to_bytes(again.state) == to_bytes(here.run.state) and again.asks == here.run.asks
    return same and not again.table.findings


def _objection(why: Message | str) -> Objection:
    return Objection("pbem/ruling", why)
