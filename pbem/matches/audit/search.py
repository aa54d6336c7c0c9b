"""Search reports, findings, disputes and rulings as a viewer may read them: by unit, rule, word and turn.

search          one match
search_server   all matches of the server, each with the eyes that an account has there
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from pbem.engine.rules.findings import MASTER, PUBLIC, Finding
from pbem.engine.rules.refusals import Refusal
from pbem.matches import views
from pbem.matches.history.record import Record
from pbem.matches.history.replay import all_matches, record_of
from pbem.matches.rulings import disputes
from pbem.matches.server import Server

MOST = 200
MOST_MATCHES = 300
"""Matches that one search of the server reads, newest first."""


class Hit(msgspec.Struct, frozen=True):
    """A sentence that fits. `number` is its place in the report (0: it is not in a report)."""

    exchange: int
    turn: int
    number: int
    rule: str
    text: str
    match: str = ""
    name: str = ""
    dispute: int = 0


class Wanted(msgspec.Struct, frozen=True):
    """What is searched for; what is empty does not matter."""

    words: str = ""
    unit: str = ""
    rule: str = ""
    turn: int | None = None

    @property
    def anything(self) -> bool:
        return bool(self.words or self.unit or self.rule) or self.turn is not None

    def fits(self, rule: str, text: str, about: set[str]) -> bool:
        """Whether a sentence has all the words, and is about the unit and the rule or one of its sub-rules."""
        of_rule = not self.rule or rule == self.rule or rule.startswith((f"{self.rule}.", f"{self.rule}/"))
        of_unit = not self.unit or self.unit.lower() in about
        return of_rule and of_unit and all(word in text.lower() for word in self.words.lower().split())


def search(server: Server, match: str, viewer: str, wanted: Wanted, *, most: int = MOST) -> list[Hit]:
    """Return the sentences of a match that fit, as far as the viewer may read them."""
    record = record_of(server, match)
    found: list[Hit] = []
    for hit in (*_reports(server, record, match, viewer, wanted), *_decisions(record, match, wanted)):
        found.append(hit)
        if len(found) >= most:
            break
    return found


def search_server(server: Server, account: str, wanted: Wanted, *, title: str = "") -> tuple[int, list[Hit]]:
    """Return how many matches were read, and the sentences that fit, the newest match first."""
    found: list[Hit] = []
    count = 0
    for match in reversed(all_matches(server)):
        record = record_of(server, match)
        if title not in ("", record.created.title):
            continue
        viewer = viewer_for(record, account)
        if not viewer:
            continue
        count += 1
        found += search(server, match, viewer, wanted, most=MOST - len(found))
        if len(found) >= MOST or count >= MOST_MATCHES:
            break
    return count, found


def viewer_for(record: Record, account: str) -> str:
    """As whom an account reads a match; empty if it may not read it at all."""
    if record.opened is not None:
        return MASTER
    seat = next((seat for seat, taken in record.occupants.items() if account and taken["account"] == account), "")
    return "" if record.is_closed and not seat else seat or PUBLIC


def _reports(server: Server, record: Record, match: str, viewer: str, wanted: Wanted) -> Iterator[Hit]:
    for entry in record.resolved:
        if entry.exchange == 1 or wanted.turn not in (None, entry.result.turn):
            continue
        try:
            report = views.report(server, match, viewer, entry.exchange)
        except Refusal:
            continue
        for number, told in enumerate(report.told, 1):
            if wanted.fits(told.rule, told.text, about(told.finding, told.text)):
                name = record.created.name
                yield Hit(entry.exchange, report.turn, number, told.rule, told.text, match, name)


def about(finding: Finding, text: str) -> set[str]:
    """Return the names that a finding speaks of, in lower case: those of its inputs and those in its sentence."""
    words = {word.strip(".,;:()«»'\"").lower() for word in text.split()}
    return words | {name.lower() for name in _names([*finding.inputs.values(), finding.result])}


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (name for pair in value.items() for one in pair for name in _names(one))
    elif isinstance(value, list | tuple):
        yield from (name for one in value for name in _names(one))


def _state(dispute: disputes.Dispute) -> str:
    return dispute.verdict or ("decided" if dispute.answer else "open")


def _decisions(record: Record, match: str, wanted: Wanted) -> Iterator[Hit]:
    """Disputes and rulings, by the turn of the exchange that they are about."""
    turns = {entry.exchange: entry.result.turn for entry in record.closings.values() if entry.resolved}
    name = record.created.name
    for one in disputes.disputes(record):
        text = f"Dispute {one.number} of {one.seat}: {_state(one)}. {one.answer}".strip()
        hit = Hit(one.exchange, turns.get(one.exchange, 0), 0, one.rule, text, match, name, one.number)
        if _of_turn(hit, wanted) and wanted.fits(hit.rule, text, _words(text)):
            yield hit
    for event in record.events:
        if event.type.startswith("ruling."):
            text = f"Ruling ({event.type.partition('.')[2]}): {event.payload['reason']}"
            exchange = event.payload.get("exchange", event.payload.get("after", 0))
            hit = Hit(exchange, turns.get(exchange, 0), 0, "", text, match, name, event.payload.get("dispute", 0))
            if _of_turn(hit, wanted) and wanted.fits("", text, _words(text)):
                yield hit


def _of_turn(hit: Hit, wanted: Wanted) -> bool:
    return wanted.turn in (None, hit.turn)


def _words(text: str) -> set[str]:
    return {word.strip(".,;:()").lower() for word in text.split()}
