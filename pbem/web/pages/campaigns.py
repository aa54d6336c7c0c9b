"""Campaigns: the list, the chronicle stage by stage, rosters with the history of each unit, the bundle."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Response, abort, g, render_template, request
from flask.typing import ResponseReturnValue

from pbem.campaigns import bundle, chronicle, stage_file, tick
from pbem.campaigns.chronicle import Chapter, Line
from pbem.campaigns.rules.state import Unit
from pbem.campaigns.rules.title import NAME
from pbem.engine.rules.findings import MASTER, PUBLIC
from pbem.engine.text.messages import say
from pbem.matches import summaries, views
from pbem.matches.history.replay import record_of
from pbem.matches.server import Server
from pbem.web.http.viewer import Look, look, not_found, the_server
from pbem.web.http.visitor_limits import limit_rate
from pbem.web.pages.match.stories import story

bp = Blueprint("campaigns", __name__)

MOST_LISTED = 100
CLOSED_ROSTER = say("A roster is shown only to its own side. Everyone can read it when the campaign is over.")


class Listed(msgspec.Struct, frozen=True):
    """A campaign in the list."""

    id: str
    name: str
    created_at: int
    ended: bool
    stage: int
    seats: dict[str, str]


@bp.get("/campaigns")
def overview() -> ResponseReturnValue:
    """All campaigns, running ones first."""
    server = the_server()
    return render_template("web/campaigns.html", listed=all_campaigns(server), files=files_of(server))


def all_campaigns(server: Server) -> list[Listed]:
    """The campaigns of the server, running ones first."""
    tick.catch_up(server)
    query = "SELECT id, name, created_at, ended FROM campaigns ORDER BY ended, created_at DESC LIMIT ?"
    rows = server.database.execute(query, (MOST_LISTED,)).fetchall()
    found = []
    for id, name, created_at, ended in rows:
        stand = summaries.of_match(server, id)
        if stand is not None:
            found.append(Listed(id, name, created_at, bool(ended), stand.status.turn, stand.status.seats))
    return found


def files_of(server: Server) -> tuple[str, ...]:
    """Return the campaign files of this server; none if it plays no campaigns."""
    title = server.titles.get(NAME)
    return title.scenarios if title is not None else ()


def look_at(id: str) -> Look:
    """A campaign as the visitor may see it."""
    server = the_server()
    if not server.store.version(f"match/{id}") or record_of(server, id).created.title != NAME:
        not_found(say("No campaign has this name."))
    tick.catch_up(server)
    return look(id)


def render_campaign(found: Look, tab: str, **facts: Any) -> str:
    """A page of a campaign."""
    server, record = the_server(), found.position.record
    rules = chronicle.rules_of(server, record)
    return render_template(
        "web/campaign.html",
        look=found,
        record=record,
        campaign=rules.data.campaign,
        book=rules.data,
        state=chronicle.view_as_state(found.view),
        stages=chronicle.stages_of(record),
        tab=tab,
        side=rules.data.seats.get(found.viewer, ""),
        score=rules.score(chronicle.view_as_state(found.view)),
        outcome=views.status_of(server, found.match, record).outcome,
        **facts,
    )


@bp.get("/campaigns/<id>")
def page(id: str) -> ResponseReturnValue:
    """The chronicle, one stage at a time; by default the newest in which something has happened."""
    found = look_at(id)
    told, _ = chapter_of(found, request.args.get("stage", 0, int))
    readable = {row.match for row in told.battles if row.match and may_look(row.match, found)}
    return render_campaign(found, "chronicle", chapter=told, story=story(told.told), readable=readable)


def chapter_of(found: Look, stage: int) -> tuple[Chapter, int]:
    """One stage of a campaign, by default the newest that has a story, and the number of stages."""
    stages = chronicle.stages_of(found.position.record)
    if not 1 <= (stage or stages) <= stages:
        not_found(say("No stage has this number."))
    told = chronicle.chapter(the_server(), found.match, found.viewer, stage or stages)
    if not stage and stages > 1 and not told.told:
        told = chronicle.chapter(the_server(), found.match, found.viewer, stages - 1)
    return told, stages


def may_look(match: str, found: Look) -> bool:
    """Whether the visitor may open the page of a battle."""
    record = record_of(the_server(), match)
    account = g.account.id if g.account else ""
    own = account and account in {taken["account"] for taken in record.occupants.values()}
    return not record.is_closed or bool(own)


@bp.get("/campaigns/<id>/roster")
def roster(id: str) -> ResponseReturnValue:
    """List the units that the visitor may see."""
    found = look_at(id)
    if found.viewer == PUBLIC:
        abort(403, CLOSED_ROSTER)
    units = chronicle.roster(the_server(), found.position.record, found.view, found.viewer)
    return render_campaign(found, "roster", rosters=units)


@bp.get("/campaigns/<id>/units/<unit>")
def unit(id: str, unit: str) -> ResponseReturnValue:
    """The history of a unit."""
    found = look_at(id)
    known, lines = history_of(found, unit)
    told = [{"stage": line.stage, "story": story(line.told)} for line in lines]
    return render_campaign(found, "roster", unit=unit, known=known, lines=told)


def history_of(found: Look, unit: str) -> tuple[Unit | None, list[Line]]:
    """A unit as it is now, if it still exists, and what happened to it stage by stage."""
    if found.viewer == PUBLIC:
        abort(403, say("The history of a unit is shown only to its own side."))
    state = chronicle.view_as_state(found.view)
    known = next((has.units[unit] for has in state.sides.values() if unit in has.units), None)
    lines = chronicle.unit_history(the_server(), found.match, found.viewer, unit, known.since if known else 1)
    if known is None and not lines:
        not_found(say("No unit has this name."))
    return known, lines


@bp.get("/campaigns/<id>/bundle")
@limit_rate("files")
def as_bundle(id: str) -> ResponseReturnValue:
    """The whole log for checking, with the battles once they are open, or only one stage of it."""
    found, stage = look_at(id), request.args.get("stage", 0, int)
    content = stage_of(found, stage) if stage else bundle_of(found)
    name = f"attachment; filename=campaign-{id}{f'-stage-{stage}' if stage else ''}.jsonl"
    return Response(content, mimetype="application/x-ndjson", headers={"Content-Disposition": name})


def stage_of(found: Look, stage: int) -> bytes:
    """One stage of a campaign, which the viewer can check without the rest."""
    return stage_file.write(the_server(), found.match, stage, eyes_of(found))


def eyes_of(found: Look) -> str:
    """The viewer for whom a log is written: the game master gets the public version."""
    return PUBLIC if found.viewer == MASTER else found.seat or PUBLIC


def bundle_of(found: Look) -> bytes:
    """The log of a campaign, with the parts that the viewer may see, for checking."""
    return bundle.write(the_server(), found.match, eyes_of(found))
