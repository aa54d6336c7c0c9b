"""The sheet of a dispute, and the precedents of the server.

A sheet links everything that belongs together: the disputed sentence with its evidence, the claim, the
statements, precedents on the same rule, the ruling and the decision. Anyone may read its public part.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from flask import Blueprint, abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from pbem.engine.rules.findings import MASTER
from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.text.messages import say
from pbem.matches.accounts import accounts
from pbem.matches.audit import lines_of_play
from pbem.matches.audit.search import Wanted, search, search_server
from pbem.matches.events import DisputeVoted, each
from pbem.matches.film.places import turn_with
from pbem.matches.history.record import Record
from pbem.matches.post.notifications import catch_up
from pbem.matches.rulings import disputes, panels, powers, precedents
from pbem.matches.rulings.disputes import Dispute
from pbem.matches.server import Server
from pbem.web.http.speech import announce
from pbem.web.http.viewer import Look, look, signed_in, the_server
from pbem.web.pages.match.stories import story

bp = Blueprint("disputes", __name__)


@bp.get("/matches/<match>/disputes/<int:number>")
def sheet(match: str, number: int) -> ResponseReturnValue:
    """Show one dispute with everything that belongs to it."""
    found = look(match)
    record = found.position.record
    dispute = next((one for one in disputes.disputes(record) if one.number == number), None)
    if dispute is None:
        abort(404, say("This match has no such dispute."))
    return render_template("web/dispute.html", **facts(found, record, dispute))


def facts(found: Look, record: Record, dispute: Dispute) -> dict[str, Any]:
    """Return the sheet of a dispute for this viewer."""
    server, reader = the_server(), reader_of(found, record)
    ruling = next((event for event in record.events if event.version == dispute.ruling), None)
    title, me = record.created.title, g.account.id if g.account is not None else ""
    is_master = powers.is_master(record, me)
    disputed = (
        lines_of_play.disputed_sentences(server, found.match, dispute) if reader in (dispute.seat, MASTER) else []
    )
    same = precedents.search(server, title=title, rule=dispute.rule) if dispute.rule else []
    return {
        "look": found,
        "name": record.created.name,
        "dispute": dispute,
        "claim": disputes.text_of(server, record, dispute.number, reader),
        "statements": disputes.statements(server, record, dispute.number, reader),
        "disputed": disputed,
        "sentences": story(disputed),
        "shown": [entry.exchange for entry in record.resolved],
        "film_turn": turn_with(record, dispute.exchange),
        "ruling": ruling,
        "precedents": [one for one in same if one.id != f"{found.match}/{dispute.number}"],
        "waits": disputes.waits(record),
        "votes": votes_on(record, dispute),
        "panel": [name_of(account) for account in dispute.panel],
        "may_name": is_master and not found.seat and not dispute.answer and not dispute.votes,
        "may_vote": me in dispute.panel and me not in dict(dispute.votes) and not dispute.answer,
    }


class Vote(msgspec.Struct, frozen=True):
    """A vote of the panel, with its reasons."""

    who: str
    verdict: str
    answer: str
    at: int


def votes_on(record: Record, dispute: Dispute) -> list[Vote]:
    """All votes on a dispute, including those before an appeal."""
    cast = each(record.events, DisputeVoted)
    mine = [(event, vote) for event, vote in cast if vote.number == dispute.number]
    return [Vote(name_of(vote.by), vote.verdict, vote.answer, event.recorded_at) for event, vote in mine]


def name_of(account: str) -> str:
    return accounts.account(the_server(), account).name


@bp.post("/matches/<match>/disputes/<int:number>/panel")
@signed_in
def name_panel(match: str, number: int) -> ResponseReturnValue:
    """Name the panel that decides a dispute, as its game master."""
    server, found = the_server(), look(match)
    members = accounts_named(server, request.form.get("accounts", ""))
    panels.name(server, found.match, number, members, by=g.account.id)
    announce(say("The panel has been named; its members vote on this page."))
    return redirect(url_for(".sheet", match=match, number=number), 303)


@bp.post("/matches/<match>/disputes/<int:number>/votes")
@signed_in
def vote(match: str, number: int) -> ResponseReturnValue:
    """Vote on a dispute as a member of its panel."""
    server, said = the_server(), request.form
    chosen = (said.get("verdict", ""), said.get("answer", ""))
    decided = panels.vote(server, look(match).match, number, *chosen, by=g.account.id, rule=said.get("rule", ""))
    catch_up(server)
    announce(say("Your vote decided the dispute.") if decided else say("Your vote has been recorded."))
    return redirect(url_for(".sheet", match=match, number=number), 303)


def accounts_named(server: Server, said: str) -> list[str]:
    """The accounts that a line names by their addresses, separated by commas."""
    found = []
    for address in filter(None, (one.strip() for one in said.replace(",", " ").split())):
        account = accounts.by_address(server, address)
        if account is None:
            raise Unreadable(address, [Objection("pbem/panel", say("no account has this email address"))])
        found.append(account.id)
    return found


def reader_of(found: Look, record: Record) -> str:
    """The role in which a visitor reads claims and statements: their seat, or MASTER (for all once opened)."""
    account = g.account.id if g.account is not None else ""
    is_judge = not found.seat and (powers.is_master(record, account) or powers.may_look(record, account))
    return MASTER if is_judge or record.opened is not None else found.seat


@bp.get("/matches/<match>/search")
def search_match(match: str) -> ResponseReturnValue:
    """Search the reports, disputes and rulings of a match as this viewer may read them."""
    found, wanted = look(match), search_of(request.args)
    hits = search(the_server(), match, found.viewer, wanted) if wanted.anything else []
    name = found.position.record.created.name
    return render_template("web/search.html", look=found, name=name, found=hits, wanted=wanted)


def search_of(said: Mapping[str, str]) -> Wanted:
    """Return the search that the visitor has asked for."""
    turn = said.get("turn", "").strip()
    words = {name: said.get(name, "").strip()[:100] for name in ("words", "unit", "rule")}
    return Wanted(**words, turn=int(turn) if turn.isdecimal() and len(turn) < 6 else None)


@bp.get("/search")
def search_all() -> ResponseReturnValue:
    """Search all matches of the server, each as this viewer may read it."""
    wanted, title = search_of(request.args), request.args.get("title", "").strip()[:100]
    account = g.account.id if g.account is not None else ""
    count, hits = search_server(the_server(), account, wanted, title=title) if wanted.anything else (0, [])
    told = {"count": count, "found": hits, "wanted": wanted, "title": title, "titles": sorted(the_server().titles)}
    return render_template("web/search.html", look=None, name=say("this server"), **told)


@bp.get("/precedents")
def index() -> ResponseReturnValue:
    """Search the decisions of all matches of this server."""
    wanted = {name: request.args.get(name, "").strip()[:100] for name in ("title", "rule", "words")}
    found = precedents.search(the_server(), **wanted)
    titles = sorted(the_server().titles)
    return render_template("web/precedents.html", found=found, wanted=wanted, titles=titles)
