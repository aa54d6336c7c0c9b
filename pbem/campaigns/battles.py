"""Battles: matches made from calls, and reports made from their ends."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pbem.campaigns.rules.book import Book
from pbem.campaigns.rules.state import Call, CampaignState, Report
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.title import Rules, Title


def roster_rows(book: Book, state: CampaignState, call: Call) -> dict[str, list[dict[str, Any]]]:
    """The units of a call as a title musters them."""
    return {
        side: [
            {
                "id": id,
                "card": unit.card,
                "name": unit.name,
                "grade": book.campaign.grade_of(unit.experience),
                "damaged": unit.damage > 0,
            }
            for id in ids
            for unit in (state.sides[side].units[id],)
        ]
        for side, ids in call.units.items()
    }


def mustered(title: Title, book: Book, state: CampaignState, call: Call) -> dict[str, bytes]:
    """Everything that the match of a battle is played with."""
    return title.muster(title.battle(call.scenario, book.campaign.options), roster_rows(book, state, call))


def report_from(rules: Rules, state: Any, findings: Iterable[Finding], call: Call, how: str = "") -> Report:
    """What a match that is over says about a battle: from its last state and its findings."""
    fates = rules.aftermath(state)
    destroyed = {id for told in fates.values() for id, row in told.items() if row["fate"] == "lost"}
    kills: dict[str, int] = {}
    counted = set[str]()
    for by, target in rules.deeds(findings):
        if target in destroyed and target not in counted:
            counted.add(target)
            kills[by] = kills.get(by, 0) + 1
    winner = state.outcome.winner if state.outcome else None
    return Report(winner, rules.score(state), fates, dict(sorted(kills.items())), how)
