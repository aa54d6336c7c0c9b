"""Orders for many units: formations with their units, and lines that the title proposes for a wish."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response
from flask.typing import ResponseReturnValue

from pbem.engine.rules.title import Formation, Wish
from pbem.web.http.inputs import WishSchema, read_form
from pbem.web.http.rate_limits import limited
from pbem.web.http.viewer import Look, not_found, seat_required

bp = Blueprint("formations", __name__, url_prefix="/matches/<match>")

VERBS = ("move", "fire", "overwatch", "hold")
"""What many units can be told on the page; the title says which of them can do so."""


@bp.post("/propose")
@limited("checks")
@seat_required
def propose(found: Look) -> ResponseReturnValue:
    """Order lines for many units, each accepted exactly as it is; what was left out, and why."""
    said = read_form(WishSchema())
    ask = found.ask or not_found("open ask of this seat")
    units = tuple(said["units"].split())
    wish = Wish(units, said["verb"], said["goal"], said["target"])
    proposal = found.position.rules.propose(found.view, ask, wish)
    return Response(msgspec.json.encode(proposal), mimetype="application/json")


def formations_of(found: Look) -> tuple[Formation, ...]:
    """The formations of the viewer's seat that are worth a tree: more than a handful of units."""
    if found.ask is None:
        return ()
    known = found.position.rules.formations(found.view, found.seat)
    return known if sum(len(formation.units) for formation in known) > 1 else ()
