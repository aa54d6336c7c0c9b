"""T4 The platoon builder: cards with their points, and a platoon list that is checked rule by rule.

A list is part of the address (`list`, `points`), so that a platoon can be bookmarked and sent to a friend.
Nothing is stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import msgspec

from pbem.engine.rules.refusals import Illegal, Refusal, each
from pbem.engine.rules.title import Page
from pbem.titles.tanks.data_files import packaged
from pbem.titles.tanks.data_set import GLOBAL, SEATS, Card, Fielded, Model, Platoon, TanksData, data_set, freeze
from pbem.titles.tanks.setup.platoon import (
    cost,
    platoon_objections,
    read_list,
    stock_platoon,
    usual_platoon,
    write_list,
)

SCENARIO: Final = "village"
"""The scenario whose points and platoon are offered first."""
LONGEST_LIST: Final = 4000
MOST_POINTS: Final = 500
FILTERS: Final = ("of", "kind", "most", "find")
"""The filters for the cards on the page."""


class Judged(msgspec.Struct, frozen=True):
    """A platoon list with its costs and objections."""

    data: TanksData
    text: str
    platoon: Platoon | None
    refusal: Refusal | None


class PlatoonBuilder(Page):
    """A page that prices and checks a platoon given as text."""

    label = "The platoon builder"
    answers = frozenset({"platoon"})
    settled = frozenset({"points"})
    about = "put a platoon together and see its points before the match asks for it."

    def template(self) -> str:
        return packaged("platoon.html").decode()

    def facts(self, query: Mapping[str, str]) -> dict[str, Any]:
        """Return all cards, with the costs of the list in the form and the objections to it."""
        judged = judge(query)
        platoon = judged.platoon
        return {
            "data": judged.data,
            "everybody": GLOBAL,
            "text": judged.text,
            "tanks": list(prices(judged.data, platoon)) if platoon else [],
            "total": cost(judged.data, platoon) if platoon else 0,
            "country": platoon.country if platoon else "",
            "refusal": judged.refusal,
            "wanted": {name: query.get(name, "")[:40] for name in FILTERS},
            "types": sorted({card.type for card in judged.data.cards.values()}),
            "models": [row for row in judged.data.models.values() if fits_model(row, query)],
            "cards": [row for row in judged.data.cards.values() if fits_card(row, query)],
        }

    def data(self, query: Mapping[str, str]) -> dict[str, Any]:
        """Return a platoon's cost and the rules it breaks; if no list is given, use a legal one."""
        judged = judge({name: said for name, said in query.items() if name in ("list", "points")})
        platoon = judged.platoon
        tanks = prices(judged.data, platoon) if platoon else iter(())
        return {
            "list": judged.text,
            "limit": judged.data.scenario.points,
            "points": cost(judged.data, platoon) if platoon else 0,
            "country": platoon.country if platoon else "",
            "tanks": [{"tank": tank, "cards": cards, "points": points} for tank, cards, points in tanks],
            "refusals": [refusal_facts(one) for one in each(judged.refusal)] if judged.refusal else [],
        }


def query_of_match(data: TanksData, seat: str) -> dict[str, str]:
    """T4.1 Return the points of a match and the platoon proposed to a seat, as a query for the builder."""
    if not data.scenario.choose:
        return {}
    points = {"points": str(data.scenario.points)}
    return {**points, "list": write_list(data, usual_platoon(data, seat))} if seat in SEATS else points


def fits_model(model: Model, query: Mapping[str, str]) -> bool:
    """T2.1 Whether a tank card matches the filters: country, points and words."""
    words = f"{model.name} {model.text} {' '.join(model.keywords)}"
    return query.get("of", "") in ("", model.country) and fits(model.points, words, query)


def fits_card(card: Card, query: Mapping[str, str]) -> bool:
    """T2.2 Whether a crew or upgrade card matches the filters: country, type, points and words."""
    belongs = query.get("of", "") in ("", card.country) or card.country == GLOBAL
    of_type = query.get("kind", "") in ("", card.type)
    return belongs and of_type and fits(card.points, f"{card.name} {card.text}", query)


def fits(points: int, words: str, query: Mapping[str, str]) -> bool:
    most, find = query.get("most", ""), query.get("find", "").casefold().split()
    cheap = not most.isdecimal() or points <= int(most)
    return cheap and all(word in words.casefold() for word in find)


def judge(query: Mapping[str, str]) -> Judged:
    """T4 Return the list given in the query, with its costs and objections.

    If the query has no list, the platoon offered first is used.
    """
    points, act = query.get("points", ""), query.get("act", "check")
    data = with_limit(stock_data(), int(points) if points.isdecimal() else 0)
    text = query.get("list", "")[:LONGEST_LIST] or write_list(data, stock_platoon(data, "alpha"))
    try:
        platoon = read_list(data, text)
        added = {name: query.get(name, "") if act == name else "" for name in ("tank", "card")}
        platoon = with_addition(data, platoon, **added, to=query.get("to", ""))
    except Refusal as refusal:
        return Judged(data, text, None, refusal)
    objections = list(platoon_objections(data, platoon))
    return Judged(data, write_list(data, platoon), platoon, Illegal("platoon", objections) if objections else None)


@lru_cache(maxsize=1)
def stock_data() -> TanksData:
    return data_set(freeze(SCENARIO, {}))


def with_limit(data: TanksData, points: int) -> TanksData:
    """T4.1 Return the data with the agreed point limit; if none was agreed, with the scenario's limit."""
    limit = min(max(points, 1), MOST_POINTS) if points else data.scenario.points
    return replace(data, scenario=msgspec.structs.replace(data.scenario, points=limit))


def with_addition(data: TanksData, platoon: Platoon, *, tank: str, card: str, to: str) -> Platoon:
    """T4 The platoon with one more tank, or with one more card for the numbered tank (by default the last)."""
    tanks = list(platoon.tanks)
    if tank in data.models:
        tanks.append(Fielded(tank=tank))
    if card in data.cards and tanks:
        at = int(to) - 1 if to.isdecimal() and 1 <= int(to) <= len(tanks) else len(tanks) - 1
        tanks[at] = Fielded(tank=tanks[at].tank, cards=(*tanks[at].cards, card))
    country = platoon.country or (data.models[tanks[0].tank].country if tanks else "")
    return Platoon(country=country, tanks=tuple(tanks))


def prices(data: TanksData, platoon: Platoon) -> Iterator[tuple[str, list[str], int]]:
    """T4.1 List every tank with its cards and their total cost."""
    for fielded in platoon.tanks:
        cards = [f"{data.cards[card].name} ({data.cards[card].points})" for card in fielded.cards]
        alone = Platoon(country=platoon.country, tanks=(fielded,))
        yield data.models[fielded.tank].name, cards, cost(data, alone)


def refusal_facts(refusal: Refusal) -> dict[str, Any]:
    """Return a refusal as data."""
    return {
        "line": refusal.line,
        "part": refusal.part,
        "objections": [{"rule": objection.rule, "why": objection.english} for objection in refusal.objections],
        "instead": list(refusal.instead),
    }
