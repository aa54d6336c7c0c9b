"""The API for films, formations and proposals, primers, and campaigns."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response, abort, g, request

from pbem.campaigns import chronicle
from pbem.engine.rules.findings import PUBLIC
from pbem.engine.rules.title import Proposal, Wish
from pbem.matches.film import turns
from pbem.web.api import reading_schemas as schemas
from pbem.web.api.operations import bp, look_as_player, operation
from pbem.web.http.speech import translator
from pbem.web.http.viewer import the_server
from pbem.web.pages import campaigns
from pbem.web.pages.match import film as films
from pbem.web.pages.match import formations as many
from pbem.web.pages.newcomers import first_games

__all__ = ["bp"]


# A match -----------------------------------------------------------------------------------------------------


@operation("GET", "/matches/<match>/turns/<int:turn>/film", gives=schemas.FilmSchema, name="film")
def show_film(match: str, turn: int) -> dict[str, Any]:
    """The film of a turn: its summary, and scene by scene what happened."""
    found, _ = films.film_of(match, turn)
    return {**turns.as_data(found), "summary": msgspec.to_builtins(found.summary)}


@operation("GET", "/matches/<match>/formations", scope="read", gives=schemas.FormationsSchema, name="formations")
def show_formations(match: str) -> dict[str, Any]:
    """Your units by formation, and the orders that many of them can be given at once."""
    found = look_as_player(match)
    return {"verbs": many.verbs_of(found), "formations": many.formations_of(found)}


@operation(
    "POST",
    "/matches/<match>/propose",
    scope="play",
    takes=schemas.WishSchema,
    gives=schemas.ProposalSchema,
    limit="checks",
)
def propose(match: str, units: list[str], **wish: Any) -> Proposal:
    """Order lines for many units at once, each acceptable exactly as written; nothing is sealed."""
    return many.proposal_for(look_as_player(match), Wish(tuple(units), **wish))


@operation(
    "POST",
    "/matches/<match>/preview",
    scope="play",
    takes=schemas.LineToTrySchema,
    gives=schemas.PreviewOfLineSchema,
    limit="previews",
)
def preview(match: str, line: str) -> dict[str, Any]:
    """Preview what one order line would do as things stand; nothing is sealed."""
    return {"preview": many.preview_of(look_as_player(match), line)}


# Titles ------------------------------------------------------------------------------------------------------


@operation("GET", "/titles/<title>/primer", gives=schemas.PrimerSchema, name="primer")
def show_primer(title: str) -> Any:
    """A ten-minute introduction to a game, its glossary, and its guided first game."""
    return first_games.title_of(title).primer().translate(translator())


@operation(
    "POST",
    "/titles/<title>/first-game",
    scope="play",
    gives=schemas.StartedSchema,
    code=201,
    name="first_game",
    limit="matches",
)
def begin_first_game(title: str) -> dict[str, str]:
    """Start the guided first game of a title against its bot."""
    return {"match": first_games.begin(the_server(), first_games.title_of(title), g.account.id)}


# Campaigns ---------------------------------------------------------------------------------------------------


@operation("GET", "/campaigns", gives=schemas.CampaignsSchema, name="campaigns")
def list_campaigns() -> dict[str, Any]:
    """All campaigns, running ones first."""
    return {"campaigns": campaigns.all_campaigns(the_server()), "files": campaigns.files_of(the_server())}


@operation("GET", "/campaigns/<id>", asks=schemas.ChapterQuerySchema, gives=schemas.ChapterSchema, name="campaign")
def show_campaign(id: str, stage: int) -> dict[str, Any]:
    """The chronicle of a campaign: one stage, as you may read it."""
    found = campaigns.look_at(id)
    told, stages = campaigns.chapter_of(found, stage)
    return {**msgspec.structs.asdict(told), "stages": stages}


@operation("GET", "/campaigns/<id>/roster", scope="read", gives=schemas.RosterSchema, name="roster")
def show_roster(id: str) -> dict[str, Any]:
    """The units of your side, or of all sides when the campaign is over."""
    found = campaigns.look_at(id)
    if found.viewer == PUBLIC:
        abort(403, campaigns.CLOSED_ROSTER)
    units = chronicle.roster(the_server(), found.position.record, found.view, found.viewer)
    return {"sides": {side: [{"unit": unit, "name": name} for unit, name in own] for side, own in units.items()}}


@operation("GET", "/campaigns/<id>/units/<unit>", scope="read", gives=schemas.HistorySchema, name="unit_history")
def show_history(id: str, unit: str) -> dict[str, Any]:
    """The history of a unit of your side."""
    _, lines = campaigns.history_of(campaigns.look_at(id), unit)
    return {"unit": unit, "lines": lines}


@operation("GET", "/campaigns/<id>/bundle", media="application/x-ndjson", name="campaign_bundle", limit="files")
def show_bundle(id: str) -> Response:
    """The whole log of a campaign, for checking; its battles are included once the campaign has been opened."""
    response = Response(campaigns.bundle_of(campaigns.look_at(id)), mimetype="application/x-ndjson")
    response.add_etag()
    response.make_conditional(request)
    return response
