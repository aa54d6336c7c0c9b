"""Past turns: the report of an exchange, the map as the viewer knew it after each one, and the dice."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template, url_for
from flask.typing import ResponseReturnValue

from pbem.engine.rules.findings import MASTER
from pbem.engine.text.messages import say
from pbem.engine.text.sentences import fact
from pbem.matches import views
from pbem.matches.audit import fairness
from pbem.matches.film.turns import turns as film_turns
from pbem.matches.history.record import Entry, Record
from pbem.matches.rulings import precedents
from pbem.web.http.pictures import words_of
from pbem.web.http.stored import page as stored_page
from pbem.web.http.viewer import Look, look, not_found, the_server
from pbem.web.pages.match.derivation import derivation
from pbem.web.pages.match.page import streams_of
from pbem.web.pages.match.stories import in_words, story, to_dispute

bp = Blueprint("turns", __name__, url_prefix="/matches/<match>")
bp.add_app_template_filter(in_words, "in_words")
bp.add_app_template_filter(fact, "fact")


@bp.get("/reports/<int:exchange>")
def report(match: str, exchange: int) -> ResponseReturnValue:
    """The story of an exchange, from the findings stored when it was resolved."""
    return stored_page(
        lambda: streams_of(look(match)), lambda: show_report(match, exchange), precedents.newest(the_server())
    )


def show_report(match: str, exchange: int) -> str:
    found = look(match)
    if exchange not in exchanges(found.position.record):
        not_found(say("This exchange has no report."))
    told = views.numbered_report(the_server(), match, found.viewer, exchange)
    return render_template(
        "web/report.html",
        look=found,
        report=told,
        story=story(told.told, told.rolls),
        places=to_dispute(told.told),
        film_turn=turn_with(found.position.record, exchange),
        derivation=derivation(match, found.position.record, entry_of(found, exchange)),
        **beside(found, exchange, "turns.report"),
    )


def turn_with(record: Record, exchange: int) -> int:
    """The turn that an exchange belongs to, numbered as in films."""
    return next(turn for turn, entries in film_turns(record).items() if exchange in [one.exchange for one in entries])


def entry_of(found: Look, exchange: int) -> Entry:
    entry = found.position.record.exchange(exchange)
    assert entry is not None
    return entry


@bp.get("/replay/<int:exchange>")
def replay(match: str, exchange: int) -> ResponseReturnValue:
    """The match as the viewer knew it after an exchange."""
    return stored_page(
        lambda: streams_of(look(match)), lambda: show_replay(match, exchange), precedents.newest(the_server())
    )


def show_replay(match: str, exchange: int) -> str:
    then = look(match, after=exchange)
    told = views.numbered_report(the_server(), match, then.viewer, exchange)
    return render_template(
        "web/replay.html",
        look=then,
        exchange=exchange,
        report=told,
        story=story(told.told, told.rolls),
        words=words_of(then),
        **beside(look(match), exchange, "turns.replay"),
    )


@bp.get("/dice")
def dice(match: str) -> ResponseReturnValue:
    """The statistics of the match's dice, and whether such results are plausible for fair dice."""
    found = look(match)
    return render_template("web/dice.html", look=found, **statistics(found))


def statistics(found: Look) -> dict[str, Any]:
    rolls = fairness.rolls_of_match(the_server(), found.position.record)
    rules = [
        {"rule": rule, "sides": sides, "count": count, "mean": mean}
        for (rule, sides), (count, mean) in fairness.by_rule(rolls).items()
    ]
    luck = fairness.luck(rolls, fairness.owners_in(found.view))
    return {"rolls": len(rolls), "tallies": fairness.tallies(rolls), "rules": rules, "luck": luck}


def exchanges(record: Record) -> list[int]:
    """The resolved exchanges, without any that were overruled, in order."""
    return [entry.exchange for entry in record.resolved if entry.kind == "exchange"]


def beside(now: Look, exchange: int, endpoint: str) -> dict[str, str]:
    """The addresses of the exchanges before and after this one, from the same viewpoint."""
    numbers = exchanges(now.position.record)
    eyes: dict[str, Any] = {"as": now.viewer} if now.over and now.viewer != MASTER else {}
    place = numbers.index(exchange)
    before, after = numbers[:place][-1:], numbers[place + 1 :][:1]
    return {
        name: url_for(endpoint, match=now.match, exchange=number, **eyes)
        for name, found in (("previous", before), ("following", after))
        for number in found
    }
