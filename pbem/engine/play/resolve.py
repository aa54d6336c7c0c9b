"""Resolving an exchange: from its answers to the next ask that waits for a person.

An ask that does not wait is answered by the plan, otherwise by standing orders, otherwise by its default. Each
automatic answer is recorded; replay reads it and never evaluates it again. The source used, and why the earlier ones
were not, is a finding for that seat only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from pbem.engine.play.dice import Dice
from pbem.engine.play.run import Mark, Run
from pbem.engine.rules.ask import GRADES, Answer, Ask, Grade
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Fail, Reason
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Plan, Reply
from pbem.engine.text.messages import fill, pattern

ANSWERED = "pbem/answered"
"""The rule under which an automatic answer is explained to its seat."""

FAILED = "pbem/failed"
"""The rule under which a seat is told that an order of its plan could not be carried out."""


SKIPPED = {
    "plan": pattern("plan “{clause}”: {why}"),
    "doctrine": pattern("standing orders “{clause}”: {why}"),
}
"""How the explanation names a clause that was skipped because it was not legal, by its source."""


class Automatic(msgspec.Struct, frozen=True, omit_defaults=True):
    """An automatic answer, its source (plan, standing orders or default), and why no earlier source gave it.

    `fails` are the orders of the plan that this answer does not fulfil.
    """

    ask: str
    answer: Answer
    source: str = "default"
    clause: str = ""
    passed: tuple[Reason, ...] = ()
    fails: tuple[Fail, ...] = ()


Replies: TypeAlias = dict[str, Automatic]
Recorded: TypeAlias = dict[str, Automatic | str]
"""Replies in stored form: a seat that simply passes is stored as the name of the ask."""
Answerer: TypeAlias = Callable[[Run, Sequence[Ask]], Replies]


def stored_replies(replies: Replies) -> Recorded:
    """Return replies in their stored form."""
    return {seat: reply.ask if reply == Automatic(reply.ask, None) else reply for seat, reply in replies.items()}


def from_record(stored: Mapping[str, Automatic | str]) -> Replies:
    """Return replies from their stored form."""
    return {seat: Automatic(reply, None) if isinstance(reply, str) else reply for seat, reply in stored.items()}


class Mind(msgspec.Struct, frozen=True):
    """A seat's prepared decisions: its plan for this period and its standing orders.

    `used` counts how often each clause has answered in this period.
    """

    plan: dict[str, Any] = {}
    doctrine: list[Any] = []
    used: dict[str, int] = {}


class Diverged(Exception):
    """A replay that differs from the log."""


class Resolution(msgspec.Struct):
    """All results of an exchange. `autos[0]` answers for seats that sent nothing; `mark` is the last mark set."""

    autos: list[Replies]
    findings: list[Finding]
    dice: Dice
    mark: Mark | None = None


def name_of(ask: Ask) -> str:
    """The name of a seat's ask in the record: its kind and its subject."""
    return f"{ask.kind} {ask.subject}".strip()


class Thinking:
    """Answers for one seat from its plan and standing orders. Standing orders are compiled once.

    A plan ends with its period: when the rules enter the next one, only standing orders are left.
    """

    def __init__(self, run: Run, mind: Mind) -> None:
        self._period = run.rules.plan_period(run.state)
        self._orders = run.rules.compile_standing_orders(mind.doctrine)
        self._plan = Plan(mind.plan, used=dict(mind.used), standing=self._orders)

    def answer(self, run: Run, ask: Ask) -> Automatic:
        """Answer an ask, and report the orders of the plan that the answer does not fulfil."""
        said = self._first_legal(run, ask)
        fails = tuple(run.rules.unfulfilled_orders(run.cached_view(ask.seat), ask, said.answer, self._plan))
        return msgspec.structs.replace(said, fails=fails) if fails else said

    def _first_legal(self, run: Run, ask: Ask) -> Automatic:
        """Return the first answer that is legal on the view: from the plan, from standing orders, or the default.

        A clause without a legal answer is recorded once, with the first objection to its first answer.
        """
        if self._period != (period := run.rules.plan_period(run.state)):
            self._period, self._plan = period, Plan(used={}, standing=self._orders)
        skipped: dict[tuple[str, str], Reason] = {}
        for source, reply in self._replies(run, ask):
            try:
                answer = run.rules.check(run.cached_view(ask.seat), ask, reply.answer)
            except Refusal as refusal:
                if (source, reply.clause) not in skipped:
                    why = {"clause": reply.clause, "why": refusal.in_brief}
                    skipped[source, reply.clause] = fill(SKIPPED[source], why)
            else:
                used = self._plan.used
                self._plan.used = {**used, reply.clause: used.get(reply.clause, 0) + 1}
                return Automatic(name_of(ask), answer, source, reply.clause, tuple(skipped.values()))
        silence = run.rules.default(lambda: run.cached_view(ask.seat), ask)
        return Automatic(name_of(ask), silence, passed=tuple(skipped.values()))

    def _replies(self, run: Run, ask: Ask) -> Iterator[tuple[str, Reply]]:
        """Yield the title's replies, even if the seat has no orders, because the title's stock orders then apply."""
        for reply in run.rules.from_plan(run.cached_view(ask.seat), ask, self._plan):
            yield "plan", reply
        for reply in run.rules.from_standing_orders(run.cached_view(ask.seat), ask, self._orders):
            yield "doctrine", reply


def by_minds(minds: Mapping[str, Mind]) -> Answerer:
    """Answer from the seats' plans and standing orders."""
    thinking: dict[str, Thinking] = {}

    def answer(run: Run, asks: Sequence[Ask]) -> Replies:
        for ask in asks:
            if ask.seat not in thinking:
                thinking[ask.seat] = Thinking(run, minds.get(ask.seat, Mind()))
        return {ask.seat: thinking[ask.seat].answer(run, ask) for ask in asks}

    return answer


def by_record(autos: Sequence[Replies], *, checked: bool = False) -> Answerer:
    """Answer from the record; `checked` also checks with the rules that each answer was legal."""
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
    """Check that a recorded answer is legal on the seat's view."""
    try:
        run.rules.check(run.view(ask.seat), ask, answer)
    except Refusal as refusal:
        raise Diverged(f"the recorded answer of {ask.seat} to {name_of(ask)} is not legal: {refusal}") from refusal


def waits_for(grades: frozenset[Grade]) -> Callable[[Ask], bool]:
    """Whether an ask waits for a person, by the match's mode and the ask's grade, never by hidden state."""
    return lambda ask: ask.grade in grades


always_asked = waits_for(GRADES)
"""Makes every ask wait: for matches that ask at every window, whether or not the seat could react."""

as_the_rules_say = waits_for(frozenset({"order"}))
"""Makes only asks for orders wait."""


def resolve(
    run: Run,
    answers: Mapping[str, Answer],
    dice: Dice,
    answerer: Answerer,
    waits: Callable[[Ask], bool] = as_the_rules_say,
    on_mark: Callable[[Mark], None] | None = None,
    *,
    told: bool = True,
    marked: bool = True,
) -> Resolution:
    """Continue from the given answers until an ask waits for a person or the match is over.

    A mark is set at the start of each step and passed to `on_mark`; the resolution keeps the last one. If `marked` is
    false, no marks are set. If `told` is false, findings may be incomplete.
    """
    resolution = _begin(run, dice, used=0, on_mark=on_mark, told=told, marked=marked)
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
    *,
    told: bool = True,
) -> Resolution:
    """Continue from a mark inside an exchange, with the rest of its recorded answers."""
    resolution = _begin(rules_run, dice, used=mark.used, told=told)
    rules_run.proceed()
    return _go_on(rules_run, resolution, by_record(autos[mark.used :]), waits)


def _begin(
    run: Run,
    dice: Dice,
    used: int,
    on_mark: Callable[[Mark], None] | None = None,
    *,
    told: bool = True,
    marked: bool = True,
) -> Resolution:
    resolution = Resolution([], [], dice)
    run.deal(dice)
    run.table.findings, run.table.told = resolution.findings, told

    def mark(state: bytes) -> None:
        resolution.mark = Mark(state, dict(dice.ordinals), used + len(resolution.autos))
        if on_mark is not None:
            on_mark(resolution.mark)

    run.on_step = mark if marked else None
    return resolution


def _answer(run: Run, resolution: Resolution, answerer: Answerer, asks: Sequence[Ask]) -> Replies:
    """Answer these asks automatically, record the answers, and tell each seat."""
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
        for fail in reply.fails:
            inputs = {"unit": fail.who, "order": fail.order, "rule": fail.rule}
            run.table.find(FAILED, to=(ask.seat,), inputs=inputs, result=fail.why, shows=[fail])
    return replies


def _go_on(run: Run, resolution: Resolution, answerer: Answerer, waits: Callable[[Ask], bool]) -> Resolution:
    while run.asks and not any(waits(ask) for ask in run.asks):
        replies = _answer(run, resolution, answerer, run.asks)
        run.proceed({seat: reply.answer for seat, reply in replies.items()})
    return resolution
