"""Drafts of orders: saved while a player writes, for the account in the seat alone."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, g
from flask.typing import ResponseReturnValue

from pbem.engine.text.messages import say
from pbem.matches.players import drafts
from pbem.web.http.inputs import DraftSchema, read_form
from pbem.web.http.viewer import Look, look, not_found, seat_required, the_server
from pbem.web.http.visitor_limits import limit_rate

bp = Blueprint("drafts", __name__, url_prefix="/matches/<match>")


@bp.get("/draft.json")
def show(match: str) -> ResponseReturnValue:
    """Return the account's draft for the open exchange in this seat, or nothing."""
    found = look(match)
    if not found.seat or g.account is None:
        not_found(say("You have no draft here."))
    exchange = found.position.record.open_exchange
    draft = drafts.draft_of(the_server(), match, found.seat, g.account.id, exchange)
    return as_json({"draft": draft})


@bp.post("/draft")
@limit_rate("checks")
@seat_required
def save(found: Look) -> ResponseReturnValue:
    """Save a draft. A newer one from another tab is not overwritten, and the answer is 409 with that draft."""
    said = read_form(DraftSchema())
    kept = drafts.save(
        the_server(),
        found.match,
        found.seat,
        g.account.id,
        found.position.record.open_exchange,
        said["orders"],
        said["version"],
        at_deadline=said["at_deadline"],
    )
    if isinstance(kept, drafts.Conflict):
        return as_json({"draft": kept.other}, 409)
    return as_json({"draft": kept})


def as_json(content: object, status: int = 200) -> Response:
    response = Response(msgspec.json.encode(content), status, mimetype="application/json")
    response.headers["Cache-Control"] = "private, no-store"
    return response
