"""The chronicle: the story of a campaign stage by stage, from the stored findings that a viewer may see.

A chapter does not change when the code does. It reads only the exchanges of its own stage, so that the two hundredth
chapter costs no more than the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import Any

import msgspec

from pbem.campaigns.rules.state import CampaignState, Unit
from pbem.campaigns.rules.title import CampaignRules
from pbem.engine.rules.findings import MASTER, Finding
from pbem.matches.history.record import Entry, Record
from pbem.matches.history.replay import findings_of, record_of
from pbem.matches.history.telling import Told, sentences_of
from pbem.matches.server import Server

PRIVATE = ("C4.1", "C4.5", "C5.1", "C5.2", "C5.3")
"""The rules about a side's own units and points, which a chapter puts last."""


class Fought(msgspec.Struct, frozen=True):
    """A battle in a chapter: its match, if one was created, and its result, if it has one."""

    battle: str
    place: str
    match: str = ""
    winner: str | None = None
    score: dict[str, int] = {}
    decisive: bool = False
    over: bool = False


class Chapter(msgspec.Struct, frozen=True):
    """One stage of the story. `exchange` is the last exchange of the stage, used to show the map as it then was."""

    stage: int
    told: list[Told]
    battles: list[Fought]
    exchange: int
    at: int


def rules_of(server: Server, record: Record) -> CampaignRules:
    """The rules of a campaign, bound to its campaign file."""
    rules = server.rules(record.created.title, record.created.blobs)
    assert isinstance(rules, CampaignRules)
    return rules


def stages_of(record: Record) -> int:
    """How many stages have begun."""
    return next((entry.result.turn for entry in record.resolved[-1:]), 1)


def entries_of(record: Record, stage: int) -> list[Entry]:
    """The exchanges asked in a stage; the last of them leads into the next stage."""
    found, newest_first = list[Entry](), reversed(record.resolved)
    for entry, before in pairwise(chain(newest_first, [None])):
        asked_in = 1 if before is None else before.result.turn
        if asked_in < stage:
            break
        if asked_in == stage and entry is not None:
            found.insert(0, entry)
    return found


def chapter(server: Server, campaign: str, viewer: str, stage: int) -> Chapter:
    """The chapter of one stage, as far as a viewer may see it."""
    record = record_of(server, campaign)
    entries, rules = entries_of(record, stage), rules_of(server, record)
    findings = [finding for entry in entries for finding in findings_of(server, entry, viewer)]
    public = [finding for finding in findings if finding.rule not in PRIVATE and finding.rule != "C1.1"]
    own = [finding for finding in findings if finding.rule in PRIVATE]
    at = entries[-1].resolved.recorded_at if entries and entries[-1].resolved else record.events[0].recorded_at
    last = entries[-1].exchange if entries else 0
    return Chapter(stage, sentences_of(rules, [*public, *own]), list(_battles(server, campaign, findings)), last, at)


def _battles(server: Server, campaign: str, findings: Sequence[Finding]) -> Iterator[Fought]:
    found: dict[str, Fought] = {}
    query = "SELECT match FROM campaign_battles WHERE campaign = ? AND battle = ? ORDER BY created_at DESC LIMIT 1"
    for finding in findings:
        said = finding.inputs
        if finding.rule in ("C3.3", "C3.4"):
            row = server.database.execute(query, (campaign, said["battle"])).fetchone()
            found[said["battle"]] = Fought(said["battle"], said["place"], row[0] if row else "")
        elif finding.rule == "C4":
            row = server.database.execute(query, (campaign, said["battle"])).fetchone()
            found[said["battle"]] = Fought(
                said["battle"],
                said["place"],
                row[0] if row else "",
                finding.result,
                said["score"],
                said["decisive"],
                True,
            )
    yield from found.values()


# Units -------------------------------------------------------------------------------------------------------


class Line(msgspec.Struct, frozen=True):
    """One thing that happened to a unit."""

    stage: int
    exchange: int
    told: list[Told]


def view_as_state(view: Any) -> CampaignState:
    """Convert a view of a campaign to its type, whether it was stored as data or has just been made."""
    return view if isinstance(view, CampaignState) else msgspec.convert(view, CampaignState)


def unit_history(server: Server, campaign: str, viewer: str, unit: str, since: int = 1) -> list[Line]:
    """The history of a unit since it joined: battles, kills, losses, repairs, promotions."""
    record = record_of(server, campaign)
    rules, found, before = rules_of(server, record), list[Line](), 1
    for entry in record.resolved:
        if before >= since - 1 and entry.kind == "exchange":
            about = [row for row in findings_of(server, entry, viewer) if _is_about(row, unit)]
            if about and found and found[-1].stage == before:
                found[-1] = Line(before, entry.exchange, [*found[-1].told, *sentences_of(rules, about)])
            elif about:
                found.append(Line(before, entry.exchange, sentences_of(rules, about)))
        before = entry.result.turn
    return found


def _is_about(finding: Finding, unit: str) -> bool:
    return finding.inputs.get("unit") == unit or unit in finding.inputs.get("units", ())


def roster(server: Server, record: Record, view: Any, viewer: str) -> dict[str, list[tuple[Unit, str]]]:
    """The units that a viewer may see, by side, each with its grade."""
    rules, state = rules_of(server, record), view_as_state(view)
    sides = list(rules.data.sides) if viewer == MASTER else [rules.data.seats.get(viewer, "")]
    grade = rules.data.campaign.grade_of
    return {
        side: [(unit, grade(unit.experience)) for unit in sorted(state.sides[side].units.values(), key=_by_merit)]
        for side in sides
        if side
    }


def _by_merit(unit: Unit) -> tuple[int, int, str]:
    return (-unit.kills, -unit.experience, unit.id)
