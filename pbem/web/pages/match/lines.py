"""Overruled lines of play next to the valid one, and the printable dossier of a dispute."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from pbem.engine.rules.findings import MASTER
from pbem.engine.rules.refusals import Refusal
from pbem.engine.text.messages import say
from pbem.matches import views
from pbem.matches.audit import hypothetical, lines_of_play
from pbem.matches.audit.hypothetical import Hypothesis
from pbem.matches.audit.lines_of_play import Overruled
from pbem.matches.exchange import ending
from pbem.matches.history.replay import Position
from pbem.matches.history.telling import Told
from pbem.matches.rulings import disputes, powers
from pbem.matches.rulings.disputes import Dispute
from pbem.web.http.pictures import Drawing
from pbem.web.http.viewer import Look, look, not_found, signed_in, the_server
from pbem.web.http.visitor_limits import limit_rate
from pbem.web.pages.disputes import facts
from pbem.web.pages.match.derivation import derivation
from pbem.web.pages.match.stories import story

bp = Blueprint("lines", __name__, url_prefix="/matches/<match>")


@bp.get("/lines")
def index(match: str) -> ResponseReturnValue:
    """List the exchanges that rulings have overruled."""
    found = look(match)
    record = found.position.record
    told = {"name": record.created.name, "found": lines_of_play.overruled_results(record)}
    return render_template("web/lines.html", look=found, **told)


@bp.get("/lines/<int:version>")
def line(match: str, version: int) -> ResponseReturnValue:
    """Show an overruled exchange next to the valid one."""
    found = look(match)
    one = overruled_at(found, version)
    return render_template("web/line.html", look=found, one=one, **beside(found, one))


def overruled_at(found: Look, version: int) -> Overruled:
    known = lines_of_play.overruled_results(found.position.record)
    return next((one for one in known if one.version == version), None) or not_found(
        say("No exchange was overruled here.")
    )


def beside(found: Look, one: Overruled) -> dict[str, Any]:
    """Return the overruled and the valid exchange, as this viewer may see both."""
    server, record = the_server(), found.position.record
    now = record.exchange(one.exchange)
    told: dict[str, Any] = {
        "name": record.created.name,
        "picture": draw_position(lines_of_play.after(server, found.match, one.version), found.viewer),
        "story": story(lines_of_play.story(server, found.match, found.viewer, one.version)),
        "next": next((entry.exchange for entry in record.resolved if entry.exchange > one.exchange), 0),
    }
    if now is not None and now.resolved is not None:
        told["counts"] = story(views.report(server, found.match, found.viewer, one.exchange).told)
        told["picture_now"] = draw_position(
            lines_of_play.after(server, found.match, now.resolved.version), found.viewer
        )
    return told


def draw_position(here: Position, viewer: str) -> Markup:
    """The map of a position as a viewer may see it."""
    picture = here.rules.picture(here.run.view(viewer), viewer) if isinstance(here.rules, Drawing) else None
    return Markup(picture or "")


@bp.route("/what-if/<int:exchange>", methods=["GET", "POST"])
@signed_in
def what_if(match: str, exchange: int) -> ResponseReturnValue:
    """Replay an exchange on a copy, from a changed position, for an account that may see everything."""
    found = look(match)
    check_whole(found)
    told: dict[str, Any] = {"exchange": exchange, "changes": request.form.get("changes", "")}
    code = 200
    if request.method == "POST":
        try:
            told["found"] = try_hypothesis(found, exchange, told["changes"])
            told["story"] = story(told["found"].would_be)
        except Refusal as refusal:
            told["refusal"], code = refusal, 422
    name = found.position.record.created.name
    return render_template("web/what_if.html", look=found, name=name, **told), code


def check_whole(found: Look) -> None:
    """Refuse a what-if to viewers who may not see everything; once the match is open, everybody may try one."""
    record = found.position.record
    entitled = powers.may_look(record, g.account.id) or powers.is_master(record, g.account.id)
    if not found.over and (found.seat or not entitled):
        abort(
            403,
            say("While the match is running, only its game master, an auditor or a panel member may see this."),
        )


def try_hypothesis(found: Look, exchange: int, changes: str) -> Hypothesis:
    """Try a hypothesis. If the match is still running, first record that the game master is looking at it."""
    server = the_server()
    if not found.over:
        powers.note_look(server, found.match, f"what if, exchange {exchange}", by=g.account.id)
    return hypothetical.what_if(server, found.match, MASTER, exchange, changes)


@bp.get("/disputes/<int:number>/dossier")
@limit_rate("files")
def dossier(match: str, number: int) -> ResponseReturnValue:
    """Show everything that belongs to a dispute on one page, for printing."""
    found = look(match)
    record = found.position.record
    dispute = next((one for one in disputes.disputes(record) if one.number == number), None)
    if dispute is None:
        abort(404, say("This match has no such dispute."))
    told = facts(found, record, dispute)
    return render_template("web/dossier.html", **told, **proof(found, dispute))


def report_then(found: Look, exchange: int, version: int) -> list[Told]:
    """The report of an exchange as it was at that version, with sentence numbers if it is still valid."""
    entry = found.position.record.exchange(exchange)
    if entry is not None and entry.resolved is not None and entry.resolved.version == version:
        return views.numbered_report(the_server(), found.match, found.viewer, exchange).told
    return lines_of_play.story(the_server(), found.match, found.viewer, version)


def proof(found: Look, dispute: Dispute) -> dict[str, Any]:
    """The positions around the disputed exchanges, their reports and dice, as they were when disputed."""
    server, match = the_server(), found.match
    played = [
        (exchange, version)
        for exchange in dispute.exchanges
        if (version := lines_of_play.result_before(found.position.record, exchange, dispute.version)) is not None
    ]
    entries = [lines_of_play.entry_at(server, match, version) for _, version in played]
    return {
        "before": draw_position(lines_of_play.before(server, match, played[0][1]), found.viewer) if played else "",
        "after": draw_position(lines_of_play.after(server, match, played[-1][1]), found.viewer) if played else "",
        "told": {exchange: story(report_then(found, exchange, at)) for exchange, at in played},
        "derivations": {entry.exchange: derivation(match, record, entry) for record, entry in entries},
        "head": ending.newest_head(server, match),
    }
