"""The platoon builder of TANKS: cards with their points, and a list that is checked rule by rule.

A list is part of the address (`list`, `points`), so that a platoon can be kept as a bookmark and sent to a friend.
Nothing is stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from pbem.engine.rules.refusals import Illegal, Refusal
from pbem.titles.tanks.data_set import GLOBAL, Fielded, Platoon, TanksData, data_set, freeze
from pbem.titles.tanks.setup.platoon import cost, platoon_objections, read_list, stock_platoon, write_list
from pbem.web.http.inputs import LONGEST_ORDERS

bp = Blueprint("platoon", __name__, url_prefix="/titles/tanks")

SCENARIO = "village"
"""The scenario whose points and platoon are offered first."""


@bp.get("/platoon")
def page() -> ResponseReturnValue:
    """All cards, and what is to be said about the list in the form."""
    judged = judge(request.args.get("list", ""), request.args.get("points", default=0, type=int), **wishes())
    return render_template("web/platoon.html", everybody=GLOBAL, **judged)


def judge(text: str, points: int, **wished: str) -> dict[str, Any]:
    """A list with all that is to be said about it; without one the platoon that is offered first."""
    data = with_limit(data_set(freeze(SCENARIO, {})), points)
    text = text[:LONGEST_ORDERS] or write_list(data, stock_platoon(data, "alpha"))
    platoon: Platoon | None = None
    refusal: Refusal | None = None
    try:
        platoon = changed(data, read_list(data, text), **wished) if wished else read_list(data, text)
        text = write_list(data, platoon)
        if objections := list(platoon_objections(data, platoon)):
            refusal = Illegal("platoon", objections)
    except Refusal as refused:
        refusal = refused
    return {
        "data": data,
        "text": text,
        "tanks": list(priced(data, platoon)) if platoon else [],
        "total": cost(data, platoon) if platoon else 0,
        "country": platoon.country if platoon else "",
        "refusal": refusal,
    }


def with_limit(data: TanksData, points: int) -> TanksData:
    """T4.1 The limit is agreed on; without one it is the scenario's."""
    limit = min(max(points, 1), 500) if points else data.scenario.points
    return replace(data, scenario=msgspec.structs.replace(data.scenario, points=limit))


def wishes() -> dict[str, str]:
    """What the buttons of the form ask for."""
    act = request.args.get("act", "check")
    added = {name: request.args.get(name, "") if act == name else "" for name in ("tank", "card")}
    return {**added, "to": request.args.get("to", "")}


def changed(data: TanksData, platoon: Platoon, *, tank: str, card: str, to: str) -> Platoon:
    """The platoon with one more tank, or with a card more for the tank of this number (the last without one)."""
    tanks = list(platoon.tanks)
    if tank in data.models:
        tanks.append(Fielded(tank=tank))
    if card in data.cards and tanks:
        at = int(to) - 1 if to.isdecimal() and 1 <= int(to) <= len(tanks) else len(tanks) - 1
        tanks[at] = Fielded(tank=tanks[at].tank, cards=(*tanks[at].cards, card))
    country = platoon.country or (data.models[tanks[0].tank].country if tanks else "")
    return Platoon(country=country, tanks=tuple(tanks))


def priced(data: TanksData, platoon: Platoon) -> Iterator[tuple[str, list[str], int]]:
    """Every tank with its cards and what they cost together."""
    for fielded in platoon.tanks:
        cards = [f"{data.cards[card].name} ({data.cards[card].points})" for card in fielded.cards]
        alone = Platoon(country=platoon.country, tanks=(fielded,))
        yield data.models[fielded.tank].name, cards, cost(data, alone)
