"""Questions about an exchange: why a unit was not seen, why an order was refused, the effect of another modifier."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from pbem.engine.rules.refusals import Objection, Refusal, Unreadable
from pbem.engine.text.messages import Message, say
from pbem.matches.audit import hypothetical, questions
from pbem.matches.history.replay import findings_of
from pbem.matches.history.telling import sentences_of
from pbem.web.http.viewer import Look, look, the_server
from pbem.web.http.visitor_limits import limit_rate
from pbem.web.pages.match.stories import Sentence, story

bp = Blueprint("questions", __name__, url_prefix="/matches/<match>")

LONGEST = 60


@bp.get("/why/<int:exchange>")
def ask(match: str, exchange: int) -> ResponseReturnValue:
    """Show the questions that can be asked about an exchange."""
    return render_questions(look(match, live=True), exchange)


@bp.post("/why/<int:exchange>")
@limit_rate("questions")
def answer(match: str, exchange: int) -> ResponseReturnValue:
    """Answer one question, from this viewer's knowledge."""
    found = look(match, live=True)
    try:
        facts = QUESTIONS.get(request.form.get("question", ""), _unseen)(found, exchange)
    except Refusal as refusal:
        return render_questions(found, exchange, refusal=refusal), 422
    return render_questions(found, exchange, **facts)


def render_questions(found: Look, exchange: int, **facts: Any) -> str:
    record = found.position.record
    more = {"name": record.created.name, "exchange": exchange, "said": request.form}
    return render_template(
        "web/why.html", look=found, record=record, modifiers=modifiers(found, exchange), **more, **facts
    )


def modifiers(found: Look, exchange: int) -> list[tuple[int, Message, list[tuple[str, int]]]]:
    """The sentences of the report that rest on modifiers: number, text, and each modifier with its value."""
    entry = found.position.record.exchange(exchange)
    if entry is None or entry.resolved is None:
        return []
    listed = []
    for number, one in enumerate(
        sentences_of(found.position.rules, findings_of(the_server(), entry, found.viewer)), 1
    ):
        rows = [row for part in hypothetical.tree(one.finding) for row in part.modifiers if row.get("text")]
        if rows and one.depth == 0:
            listed.append((number, one.text, sorted({(str(row["text"]), int(row["value"])) for row in rows})))
    return listed


def _field(name: str, longest: int = LONGEST) -> str:
    return request.form.get(name, "").strip()[:longest]


def _unseen(found: Look, exchange: int) -> dict[str, Any]:
    seen = questions.why_unseen(the_server(), found.match, found.viewer, exchange, _field("seeing"), _field("seen"))
    stories: dict[str, list[Sentence]] = {one.when: story(one.told) for one in seen.answers}
    return {"unseen": seen, "stories": stories, "recorded": story(seen.recorded)}


def _refusal_facts(found: Look, exchange: int) -> dict[str, Any]:
    orders = request.form.get("orders", "").replace("\r\n", "\n")
    return {"judged": questions.why_refused(the_server(), found.match, found.seat, exchange, orders)}


def _modifier(found: Look, exchange: int) -> dict[str, Any]:
    number, _, name = request.form.get("modifier", "").partition("/")
    value = _field("value", 6)
    if not number.isdecimal() or not value.removeprefix("-").removeprefix("+").isdecimal():
        raise Unreadable("modifier", [Objection("pbem/what-if", say("choose a modifier and give it a whole number"))])
    place = (found.match, found.viewer, exchange, int(number), name, int(value))
    return {"reworked": hypothetical.what_if_modifier(the_server(), *place)}


QUESTIONS = {"unseen": _unseen, "refused": _refusal_facts, "modifier": _modifier}
