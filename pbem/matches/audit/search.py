"""Search reports, findings, disputes and rulings as a viewer may read them: by unit, rule, word and turn.

search          one match
search_server   all matches of the server, each as far as the account may read it
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pbem.engine.rules.findings import MASTER, PUBLIC
from pbem.engine.rules.refusals import Refusal
from pbem.engine.text.messages import Message, as_message
from pbem.matches import summaries, views
from pbem.matches.audit import search_index
from pbem.matches.audit.search_index import about, words_of
from pbem.matches.history.record import Entry, Record
from pbem.matches.history.replay import record_of
from pbem.matches.rulings import disputes
from pbem.matches.server import Server

MOST = 200
MOST_READ = 300
"""The most reports that one search of the server reads, newest first."""


class Hit(msgspec.Struct, frozen=True):
    """A matching sentence. `number` is its place in the report (0 if it is not in a report)."""

    exchange: int
    turn: int
    number: int
    rule: str
    text: Message
    match: str = ""
    name: str = ""
    dispute: int = 0


class Wanted(msgspec.Struct, frozen=True):
    """A search; empty fields match everything."""

    words: str = ""
    unit: str = ""
    rule: str = ""
    turn: int | None = None

    @property
    def anything(self) -> bool:
        return bool(self.words or self.unit or self.rule) or self.turn is not None

    def fits(self, rule: str, text: str, about: set[str]) -> bool:
        """Whether a sentence has words with these prefixes, and concerns the unit and the rule or a sub-rule."""
        of_rule = not self.rule or rule == self.rule or rule.startswith((f"{self.rule}.", f"{self.rule}/"))
        of_unit = not self.unit or self.unit.lower() in about
        words = words_of(text)
        begun = (any(one.startswith(word) for one in words) for word in words_of(self.words))
        return of_rule and of_unit and all(begun)


def search(server: Server, match: str, viewer: str, wanted: Wanted, *, most: int = MOST) -> list[Hit]:
    """Return the matching sentences of a match, as far as the viewer may read them."""
    record = record_of(server, match)
    found: list[Hit] = []
    for hit in (*_reports(server, record, match, viewer, wanted), *_decisions(record, match, wanted)):
        found.append(hit)
        if len(found) >= most:
            break
    return found


def search_server(server: Server, account: str, wanted: Wanted, *, title: str = "") -> tuple[int, list[Hit]]:
    """Return the number of matches with a hit, and the matching sentences, newest first."""
    search_index.catch_up(server)
    terms = search_index.wanted_terms(wanted.words, wanted.unit, wanted.rule, wanted.turn)
    seats = summaries.seats_of(server, account) if account else []
    found: list[Hit] = []
    read = 0
    for match, exchange in search_index.candidates(server, terms, seats) if terms else ():
        record = record_of(server, match)
        viewer = viewer_for(record, account)
        if not viewer or title not in ("", record.created.title):
            continue
        found += _hits(server, record, match, viewer, exchange, wanted)
        read += 1
        if len(found) >= MOST or read >= MOST_READ:
            break
    return len({hit.match for hit in found}), found[:MOST]


def _hits(server: Server, record: Record, match: str, viewer: str, exchange: int, wanted: Wanted) -> Iterator[Hit]:
    """Find hits in one report, or among the decisions of a match."""
    if exchange == search_index.DECISIONS:
        return _decisions(record, match, wanted)
    entry = record.exchange(exchange)
    return _in_report(server, record, match, viewer, entry, wanted) if entry is not None else iter(())


def viewer_for(record: Record, account: str) -> str:
    """The viewer as which an account reads a match; empty if it may not read it."""
    if record.opened is not None:
        return MASTER
    seat = next((seat for seat, taken in record.occupants.items() if account and taken["account"] == account), "")
    return "" if record.is_closed and not seat else seat or PUBLIC


def _reports(server: Server, record: Record, match: str, viewer: str, wanted: Wanted) -> Iterator[Hit]:
    for entry in record.resolved:
        yield from _in_report(server, record, match, viewer, entry, wanted)


def _in_report(
    server: Server, record: Record, match: str, viewer: str, entry: Entry, wanted: Wanted
) -> Iterator[Hit]:
    if entry.exchange == 1 or entry.resolved is None or wanted.turn not in (None, views.turn_of(record, entry)):
        return
    try:
        report = views.report(server, match, viewer, entry.exchange)
    except Refusal:
        return
    for number, told in enumerate(report.told, 1):
        text = str(told.text)
        if wanted.fits(told.rule, text, about(told.finding, text)):
            yield Hit(entry.exchange, report.turn, number, told.rule, told.text, match, record.created.name)


def _decisions(record: Record, match: str, wanted: Wanted) -> Iterator[Hit]:
    """The disputes and rulings, by the turn of the exchange that they concern."""
    turns = {entry.exchange: views.turn_of(record, entry) for entry in record.closings.values() if entry.resolved}
    for text, rule, exchange, dispute in disputes.decisions_in_words(record):
        hit = Hit(exchange, turns.get(exchange, 0), 0, rule, as_message(text), match, record.created.name, dispute)
        if _of_turn(hit, wanted) and wanted.fits(rule, text, words_of(text)):
            yield hit


def _of_turn(hit: Hit, wanted: Wanted) -> bool:
    return wanted.turn in (None, hit.turn)
