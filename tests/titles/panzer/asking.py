"""Ask the title's decision functions from tests, given a match's data, a view and an ask."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.title import Submission
from pbem.engine.text.forms import form_text
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.decisions.adjusting import Adjusting
from pbem.titles.panzer.decisions.all_kinds import DECISIONS
from pbem.titles.panzer.decisions.base import PanzerDecision
from pbem.titles.panzer.player.standing_orders import Clause, compile_clauses
from pbem.titles.panzer.reading.remarks import WIDTH
from pbem.titles.panzer.state import PanzerState

Check = Callable[[PanzerData, PanzerState, Ask, Any], Any]
Options = Callable[[PanzerData, PanzerState, Ask], Iterator[Any]]


def check_of(decision: type[PanzerDecision]) -> Check:
    return lambda data, view, ask, answer: decision(data, view, ask).check(answer)


def options_of(decision: type[PanzerDecision]) -> Options:
    return lambda data, view, ask: decision(data, view, ask).options()


CHECKS: Final[Mapping[str, Check]] = {kind: check_of(decision) for kind, decision in DECISIONS.items()}
OPTIONS: Final[Mapping[str, Options]] = {kind: options_of(decision) for kind, decision in DECISIONS.items()}


def read_answer(data: PanzerData, view: PanzerState, ask: Ask, text: str) -> Submission:
    return DECISIONS[ask.kind](data, view, ask).take(text)


def read_placing(data: PanzerData, view: PanzerState, ask: Ask, text: str) -> Submission:
    return read_answer(data, view, ask, text)


read_plot = read_placing


def restate(kind: str, submission: Submission, subject: str = "") -> str:
    decision = DECISIONS[kind](None, None, Ask("", kind, "", subject=subject))
    return "\n".join(decision.restate(submission)) + "\n"


def answer_form(data: PanzerData, view: PanzerState, ask: Ask) -> str:
    return form_text(DECISIONS[ask.kind](data, view, ask).form(), WIDTH)


def answers_of(data: PanzerData, view: PanzerState, ask: Ask, clause: Clause) -> Iterator[Any]:
    return DECISIONS[ask.kind](data, view, ask).by_clause(clause)


def usual_adjustments(data: PanzerData, view: PanzerState, seat: str, clauses: Sequence[str]) -> dict[str, Any]:
    return Adjusting(data, view, Ask(seat, "adjust", "6.8", default={})).usual(compile_clauses(clauses))
