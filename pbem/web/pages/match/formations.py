"""Orders for many units: formations with their units, and order lines that the title proposes for them."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

import msgspec
from flask import Blueprint, Response
from flask.typing import ResponseReturnValue

from pbem.engine.rules.title import Formation, Proposal, Wish
from pbem.engine.text.messages import in_words, say
from pbem.web.http.inputs import PreviewSchema, WishSchema, read_form
from pbem.web.http.speech import translator
from pbem.web.http.viewer import Look, not_found, seat_required
from pbem.web.http.visitor_limits import limit_rate

bp = Blueprint("formations", __name__, url_prefix="/matches/<match>")


@bp.post("/propose")
@limit_rate("checks")
@seat_required
def propose(found: Look) -> ResponseReturnValue:
    """Propose order lines for many units, each acceptable exactly as written; say what was left out, and why."""
    said = read_form(WishSchema())
    units = tuple(said.pop("units").split())
    proposal = proposal_for(found, Wish(units, kept=lines_of_others(said.pop("orders"), units), **said))
    return Response(msgspec.json.encode(in_words(proposal, translator())), mimetype="application/json")


@bp.post("/preview")
@limit_rate("previews")
@seat_required
def preview(found: Look) -> ResponseReturnValue:
    """Preview the effect of one order line as things stand, computed by the rules themselves."""
    content = preview_of(found, read_form(PreviewSchema())["line"])
    return Response(msgspec.json.encode(in_words(content, translator())), mimetype="application/json")


def preview_of(found: Look, line: str) -> dict[str, Any]:
    """Return the title's preview of a line for the viewer's seat."""
    ask = found.ask or not_found(say("This seat has no decision to make now."))
    return found.position.rules.preview(found.view, ask, line)


def lines_of_others(text: str, units: Collection[str]) -> tuple[str, ...]:
    """Return the order lines that name none of these units, without comments."""
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    named = {unit.lower() for unit in units}
    return tuple(line for line in lines if line and named.isdisjoint(re.split(r"[\s,+:]+", line.lower())))


def proposal_for(found: Look, wish: Wish) -> Proposal:
    """Return the title's proposal for many units of the viewer's seat."""
    ask = found.ask or not_found(say("This seat has no decision to make now."))
    return found.position.rules.propose(found.view, ask, wish)


def verbs_of(found: Look) -> tuple[str, ...]:
    """Return the orders that many units can be given now."""
    return found.position.rules.verbs(found.ask) if found.ask is not None else ()


def formations_of(found: Look) -> tuple[Formation, ...]:
    """Return the formations of the viewer's seat, if many units can be given orders now."""
    if found.ask is None or not verbs_of(found):
        return ()
    known = found.position.rules.formations(found.view, found.seat)
    return known if sum(len(formation.units) for formation in known) > 1 else ()
