"""Resolving: from the answers of one exchange to the next ask that waits for a person.

An ask that does not wait is answered by the plan, else by doctrine, else by its default. Each automatic answer is
recorded; replay reads it and never evaluates it again. What was used, and why the earlier ones were not, is a
finding for that seat alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from pbem.engine.play.dice import Dice
from pbem.engine.play.run import Mark, Run
from pbem.engine.rules.ask import Answer, Ask
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Reply

ANSWERED = "pbem/answered"
"""The rule under which an automatic answer is explained to its seat."""


class Automatic(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer that no person gave: from plan, doctrine or default, and why not from an earlier one."""

    ask: str
    answer: Answer
    source: str = "default"
    clause: str = ""
    passed: tuple[str, ...] = ()


Replies: TypeAlias = dict[str, Automatic]
Answerer: TypeAlias = Callable[[Run, Sequence[Ask]], Replies]


class Mind(msgspec.Struct, frozen=True):
    """What a seat has said beforehand: this turn's plan and its standing orders."""

    plan: dict[str, Any] = {}
    doctrine: list[Any] = []


class Diverged(Exception):
    """A replay that does not do what the log says."""


class Resolution(msgspec.Struct):
    """All that an exchange brought. `autos[0]` answers for those who sent nothing."""

    autos: list[Replies]
    findings: list[Finding]
    dice: Dice
    marks: list[Mark]


def name_of(ask: Ask) -> str:
    """How the record names an ask of a seat."""
    return f"{ask.kind} {ask.subject}".strip()


def automatic(run: Run, ask: Ask, mind: Mind) -> Automatic:
    """Plan, then doctrine, then default: the first that is legal now, judged on the seat's view."""
    view = run.view(ask.seat)
    passed: list[str] = []
    for source, reply in _replies(run, view, ask, mind):
        try:
            answer = run.rules.check(view, ask, reply.answer)
        except Refusal as refusal:
            passed.append(f"{source} «{reply.clause}»: {refusal}")
        else:
            return Automatic(name_of(ask), answer, source, reply.clause, tuple(passed))
    return Automatic(name_of(ask), ask.default, passed=tuple(passed))


def _replies(run: Run, view: Any, ask: Ask, mind: Mind) -> Iterator[tuple[str, Reply]]:
    for reply in run.rules.planned(view, ask, mind.plan):
        yield "plan", reply
    for reply in run.rules.instructed(view, ask, mind.doctrine):
        yield "doctrine", reply


def by_minds(minds: Mapping[str, Mind]) -> Answerer:
    """Answer from what the seats have said beforehand."""

    def answer(run: Run, asks: Sequence[Ask]) -> Replies:
        return {ask.seat: automatic(run, ask, minds.get(ask.seat, Mind())) for ask in asks}

    return answer


def by_record(autos: Sequence[Replies], *, checked: bool = False) -> Answerer:
    """Answer from the record; `checked` also asks the rules whether each answer was legal."""
    rest = iter(autos)

    def answer(run: Run, asks: Sequence[Ask]) -> Replies:
        replies = next(rest, None) or {}
        asked = {ask.seat: name_of(ask) for ask in asks}
        answered = {seat: reply.ask for seat, reply in replies.items()}
        if asked != answered:
            raise Diverged(f"the rules ask {asked or 'nothing'}, the record answers {answered or 'nothing'}")
        for ask in asks if checked else ():
            check_recorded(run, ask, replies[ask.seat].answer)
        return replies

    return answer


def check_recorded(run: Run, ask: Ask, answer: Answer) -> None:
    """An answer in the record must be legal on the seat's view."""
    try:
        run.rules.check(run.view(ask.seat), ask, answer)
    except Refusal as refusal:
        raise Diverged(f"the recorded answer of {ask.seat} to {name_of(ask)} is not legal: {refusal}") from refusal


def always_asked(ask: Ask) -> bool:
    """For matches with `reactions = "ask"`: every window waits, whether or not the seat could react."""
    return True


def as_the_rules_say(ask: Ask) -> bool:
    return ask.waits


def resolve(
    run: Run,
    answers: Mapping[str, Answer],
    dice: Dice,
    answerer: Answerer,
    waits: Callable[[Ask], bool] = as_the_rules_say,
) -> Resolution:
    """Run on from the answers given, until an ask waits for a person or the match is over."""
    resolution = _begin(run, dice, used=0)
    missing = [ask for ask in run.asks if ask.seat not in answers]
    replies = _answer(run, resolution, answerer, missing)
    run.proceed({**answers, **{seat: reply.answer for seat, reply in replies.items()}})
    return _go_on(run, resolution, answerer, waits)


def resume(
    rules_run: Run,
    mark: Mark,
    dice: Dice,
    autos: Sequence[Replies],
    waits: Callable[[Ask], bool] = as_the_rules_say,
) -> Resolution:
    """Run on from a mark inside an exchange, with the rest of its recorded answers."""
    resolution = _begin(rules_run, dice, used=mark.used)
    rules_run.proceed()
    return _go_on(rules_run, resolution, by_record(autos[mark.used :]), waits)


def _begin(run: Run, dice: Dice, used: int) -> Resolution:
    resolution = Resolution([], [], dice, [])
    run.deal(dice)
    run.table.findings = resolution.findings

    def mark(state: bytes) -> None:
        resolution.marks.append(Mark(state, dict(dice.ordinals), used + len(resolution.autos)))

    run.on_step = mark
    return resolution


def _answer(run: Run, resolution: Resolution, answerer: Answerer, asks: Sequence[Ask]) -> Replies:
    """Answer these asks automatically, record it, and tell each seat."""
    replies = answerer(run, asks)
    resolution.autos.append(replies)
    for ask in asks:
        reply = replies[ask.seat]
        if reply.source != "default" or reply.passed:
            run.table.find(
                ANSWERED,
                to=(ask.seat,),
                inputs={
                    "kind": ask.kind,
                    "subject": ask.subject,
                    "rule": ask.rule,
                    "source": reply.source,
                    "clause": reply.clause,
                    "passed": list(reply.passed),
                },
                result=reply.answer,
            )
    return replies


def _go_on(run: Run, resolution: Resolution, answerer: Answerer, waits: Callable[[Ask], bool]) -> Resolution:
    while run.asks and not any(waits(ask) for ask in run.asks):
        replies = _answer(run, resolution, answerer, run.asks)
        run.proceed({seat: reply.answer for seat, reply in replies.items()})
    return resolution
