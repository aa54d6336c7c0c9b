"""An index for the search over all matches: which reports may hold a word, a unit, a rule or a turn.

    catch_up      index new events, a bounded number of matches at a time
    candidates    the reports that may fit, newest first; the search then reads them with the viewer's rights

It holds no words. A term is a keyed hash that only the holder of the storage key can make, so that the database
reveals no more about hidden findings than their encrypted parts do. Each report has a row for the public and one for
every seat and side. A search uses the public rows and those of the account's seats. Once the parts of a match are
open, it is indexed again as the game master reads it, in public rows; if a ruling closes them again, once more.
"""

from __future__ import annotations

import hmac
import logging
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from eventstore import Database, Event, StoreTrouble, Transaction, skip_to_end, upsert
from pbem.engine.rules.findings import MASTER, PUBLIC, Finding, Placed
from pbem.matches import views
from pbem.matches.history.record import Entry, Record, side_audience
from pbem.matches.history.replay import read_findings, record_of
from pbem.matches.history.telling import Remembering, Told, sentences_of
from pbem.matches.rulings import disputes
from pbem.matches.server import Server

log = logging.getLogger("pbem.search")

SHORT, LONG = 3, 5
"""The lengths of the indexed prefixes of a word."""

MOST_AT_ONCE = 10
MOST_EXCHANGES = 40
"""The most matches and exchanges that one round indexes."""

MOST_ROWS = 5000
"""The most rows of one term that a search looks at."""

MOST_SEATS = 500
DECISIONS = 0
"""The exchange number under which the disputes and rulings of a match are indexed."""


def create_tables(database: Database) -> None:
    """Create the tables. In a database that has matches already, every match becomes due."""
    is_new = not database.has_table("search_due")
    database.execute(
        "CREATE TABLE IF NOT EXISTS search_reports (id INTEGER PRIMARY KEY, match TEXT NOT NULL, "
        "exchange INTEGER NOT NULL, audience TEXT NOT NULL)"
    )
    database.execute("CREATE INDEX IF NOT EXISTS search_match ON search_reports (match, exchange)")
    database.execute(
        "CREATE TABLE IF NOT EXISTS search_terms (term INTEGER NOT NULL, report INTEGER NOT NULL, "
        "PRIMARY KEY (term, report))"
    )
    database.execute("CREATE INDEX IF NOT EXISTS search_report ON search_terms (report)")
    database.execute(
        "CREATE TABLE IF NOT EXISTS search_done (match TEXT PRIMARY KEY, version INTEGER NOT NULL, "
        "opened INTEGER NOT NULL)"
    )
    database.execute("CREATE TABLE IF NOT EXISTS search_due (match TEXT PRIMARY KEY)")
    if is_new:
        database.execute(
            "INSERT INTO search_due (match) SELECT substr(stream, 7) FROM events "
            "WHERE version = 1 AND stream >= 'match/' AND stream < 'match0' ON CONFLICT DO NOTHING"
        )
        skip_to_end(database, "search")


# Terms -------------------------------------------------------------------------------------------------------


def words_of(text: str) -> set[str]:
    """The words of a text in lower case, without punctuation."""
    return {word for raw in text.split() if (word := raw.strip(".,;:()«»“”'\"").lower())}


def names_in(*values: Any) -> set[str]:
    """All texts in these values, which may be nested."""
    found, left = set[str](), list(values)
    while left:
        value = left.pop()
        if isinstance(value, str):
            found.add(value)
        elif isinstance(value, dict):
            left += (*value, *value.values())
        elif isinstance(value, list | tuple):
            left += value
    return found


def texts_of(finding: Finding) -> set[str]:
    """All texts in the inputs and the result of a finding."""
    return names_in(*finding.inputs.values(), finding.result)


def about(finding: Finding, text: str) -> set[str]:
    """The names that a finding mentions, in lower case: those of its inputs and those in its sentence."""
    return words_of(text) | {name.lower() for name in texts_of(finding)}


def word_terms(words: Iterable[str]) -> set[str]:
    """The terms of a word: its prefixes."""
    return {f"w{word[:size]}" for word in words for size in (SHORT, LONG) if len(word) >= size}


def rule_terms(rule: str) -> set[str]:
    """The terms of a rule: its number, and the number of every rule that it belongs to."""
    whole = rule.replace("/", ".").split(".")
    return {f"r{'.'.join(whole[: size + 1])}" for size in range(len(whole))} if rule else set()


def wanted_terms(words: str, unit: str, rule: str, turn: int | None) -> list[str]:
    """The terms that every matching report must contain."""
    found = {
        f"w{word[:LONG] if len(word) >= LONG else word[:SHORT]}" for word in words_of(words) if len(word) >= SHORT
    }
    found |= {f"u{unit.lower()}"} if unit else set()
    found |= {f"r{rule.replace('/', '.')}"} if rule else set()
    return sorted(found | ({f"t{turn}"} if turn is not None else set()))


class Hasher:
    """Turns terms into numbers of 64 bits with the storage key of a server."""

    def __init__(self, server: Server) -> None:
        self._key = server.store.vault.derive("search")

    def __call__(self, term: str) -> int:
        return _hash(self._key, term)


@lru_cache(maxsize=20_000)
def _hash(key: bytes, term: str) -> int:
    """Hash a term; the result is cached, because the same words and rules come up in match after match."""
    return int.from_bytes(hmac.digest(key, term.encode(), "sha256")[:8], "big", signed=True)


# Indexing ----------------------------------------------------------------------------------------------------


def catch_up(server: Server, most: int = MOST_AT_ONCE) -> int:
    """Index new events, newest matches first; return how many matches are still due."""
    server.store.project("search", _note)
    query = "SELECT match FROM search_due ORDER BY rowid DESC LIMIT ?"
    due = [match for (match,) in server.database.execute(query, (most,)).fetchall()]
    if due:
        _store(server, [_index_match(server, match) for match in due])
    return int(server.database.execute("SELECT count(*) FROM search_due").fetchone()[0])


INDEXED = ("exchange.resolved", "exchange.recomputed", "match.ended", "match.opened")


def _note(transaction: Transaction, event: Event) -> None:
    if event.type in INDEXED or event.type.startswith(("dispute.", "ruling.")):
        match = event.stream.removeprefix("match/")
        transaction.database.execute("INSERT INTO search_due (match) VALUES (?) ON CONFLICT DO NOTHING", (match,))


class _Report(msgspec.Struct, frozen=True):
    exchange: int
    audience: str
    terms: set[int]


class _Indexed(msgspec.Struct, frozen=True):
    """The index rows to write for a match: its reports, and the version and open parts that they were made from.

    `since` is the version up to which the match had been indexed; 0 means from the start. `whole` says whether
    nothing remains to be indexed.
    """

    match: str
    reports: list[_Report]
    since: int
    version: int
    opened: int
    whole: bool


def _index_match(server: Server, match: str) -> _Indexed | str:
    """Index a match, or only its name if that fails."""
    try:
        return _index(server, match)
    except StoreTrouble:
        raise
    except Exception:
        log.exception("match %s cannot be indexed", match)
        return match


def _index(server: Server, match: str) -> _Indexed:
    """Index the new exchanges of a match, or all of them after its parts have opened or closed."""
    record = record_of(server, match)
    query = "SELECT version, opened FROM search_done WHERE match = ?"
    row = server.database.execute(query, (match,)).fetchone()
    opened = int(record.opened is not None)
    since = row[0] if row is not None and row[1] == opened else 0
    rules = Remembering(server.rules(record.created.title, record.created.blobs))
    hashed = Hasher(server)
    new = [entry for entry in record.resolved if entry.resolved is not None and entry.resolved.version > since]
    batch = new[:MOST_EXCHANGES]
    reports = [one for entry in batch for one in _reports(server, record, rules, hashed, entry, opened)]
    reports += _decisions(record, hashed)
    left = len(new) > len(batch)
    done = batch[-1].resolved.version if left and batch[-1].resolved is not None else record.version
    return _Indexed(match, reports, since, done, opened, not left)


def _store(server: Server, found: Sequence[_Indexed | str]) -> None:
    """Write the index rows of several matches in one transaction; a match that has continued since stays due."""
    with server.store.transaction("search") as transaction:
        database = transaction.database
        for one in found:
            match = one if isinstance(one, str) else one.match
            if not isinstance(one, str):
                _write(database, match, one.reports, anew=not one.since)
                row = (match, one.version, one.opened)
                database.execute(upsert("search_done", "match", "version, opened"), row)
                if not one.whole or transaction.version(f"match/{match}") != one.version:
                    continue
            database.execute("DELETE FROM search_due WHERE match = ?", (match,))


def _write(database: Database, match: str, reports: Sequence[_Report], *, anew: bool) -> None:
    old = "SELECT id FROM search_reports WHERE match = ?" + ("" if anew else f" AND exchange = {DECISIONS}")
    for (id,) in database.execute(old, (match,)).fetchall():
        database.execute("DELETE FROM search_terms WHERE report = ?", (id,))
        database.execute("DELETE FROM search_reports WHERE id = ?", (id,))
    for report in reports:
        if report.terms:
            row = (match, report.exchange, report.audience)
            made = "INSERT INTO search_reports (match, exchange, audience) VALUES (?, ?, ?) RETURNING id"
            [(id,)] = database.execute(made, row).fetchall()
            rows = [(term, id) for term in sorted(report.terms)]
            database.insert_many("INSERT INTO search_terms (term, report) VALUES (?, ?) ON CONFLICT DO NOTHING", rows)


def _reports(
    server: Server, record: Record, rules: Remembering, hashed: Hasher, entry: Entry, opened: int
) -> Iterator[_Report]:
    """The terms of a report by audience: those of the findings that only this audience may read."""
    assert entry.resolved is not None
    for ref in entry.resolved.parts:
        if ref.name != "findings" or not _is_searched(ref.audience, opened):
            continue
        whole = ref.audience == PUBLIC or entry.result.findings == "each"
        content = server.content(ref.commitment)
        findings = (
            read_findings(content)
            if whole
            else [placed.finding for placed in msgspec.json.decode(content, type=list[Placed])]
        )
        terms = {f"t{views.turn_of(record, entry)}"} | _terms_of(sentences_of(rules, findings))
        audience = PUBLIC if opened else ref.audience
        yield _Report(entry.exchange, audience, {hashed(term) for term in terms} if findings else set())


def _is_searched(audience: str, opened: int) -> bool:
    """Whether a search may use the part of an audience: open matches are read as the game master reads them."""
    return audience == PUBLIC or (audience == MASTER) == bool(opened)


def _terms_of(told: Sequence[Told]) -> set[str]:
    """The terms of sentences: words, names and rules that many of them share are looked up only once."""
    words = words_of("\n".join(str(one.text) for one in told))
    names = {name.lower() for name in set[str]().union(*(texts_of(one.finding) for one in told))}
    rules = {term for rule in {one.rule for one in told} for term in rule_terms(rule)}
    return word_terms(words) | rules | {f"u{name}" for name in words | names}


def _decisions(record: Record, hashed: Hasher) -> Iterator[_Report]:
    """The terms of disputes and rulings, which everybody may read."""
    terms: set[str] = set()
    turns = {entry.exchange: views.turn_of(record, entry) for entry in record.closings.values() if entry.resolved}
    for text, rule, exchange, _ in disputes.decisions_in_words(record):
        terms |= word_terms(words_of(text)) | rule_terms(rule) | {f"u{word}" for word in words_of(text)}
        terms.add(f"t{turns.get(exchange, 0)}")
    yield _Report(DECISIONS, PUBLIC, {hashed(term) for term in terms})


# Looking up --------------------------------------------------------------------------------------------------


def candidates(server: Server, terms: Sequence[str], seats: Sequence[tuple[str, str]]) -> Iterator[tuple[str, int]]:
    """The match and exchange of each report that may have all terms, newest first.

    `seats` are the searching account's matches and seats. Other rows are never read.
    """
    hashed = Hasher(server)
    wanted = [hashed(term) for term in terms]
    rarest = min(wanted, key=lambda term: _count(server, term))
    others = [term for term in wanted if term != rarest]
    where, values = _readable(server, seats)
    query = (
        "SELECT r.match, r.exchange FROM search_terms AS t JOIN search_reports AS r ON r.id = t.report "
        f"WHERE t.term = ? AND {where} ORDER BY t.report DESC LIMIT {MOST_ROWS}"
    )
    known: set[tuple[str, int]] = set()
    for match, exchange in server.database.execute(query, (rarest, *values)).fetchall():
        place = (str(match), int(exchange))
        if place not in known:
            known.add(place)
            if all(_has(server, place, term, where, values) for term in others):
                yield place


def _count(server: Server, term: int) -> int:
    query = f"SELECT count(*) FROM (SELECT 1 FROM search_terms WHERE term = ? LIMIT {MOST_ROWS}) AS found"
    return int(server.database.execute(query, (term,)).fetchone()[0])


def _has(server: Server, place: tuple[str, int], term: int, where: str, values: Sequence[Any]) -> bool:
    query = (
        "SELECT 1 FROM search_reports AS r JOIN search_terms AS t ON t.report = r.id "
        f"WHERE r.match = ? AND r.exchange = ? AND t.term = ? AND {where} LIMIT 1"
    )
    return server.database.execute(query, (*place, term, *values)).fetchone() is not None


def _readable(server: Server, seats: Sequence[tuple[str, str]]) -> tuple[str, list[Any]]:
    """Return an SQL condition for the rows that an account with these seats may look at."""
    mine = seats[-MOST_SEATS:]
    if not mine:
        return "r.audience = ?", [PUBLIC]
    audiences = {seat for _, seat in mine}
    for match, seat in mine:
        if side := record_of(server, match).sides.get(seat):
            audiences.add(side_audience(side))
    matches = sorted({match for match, _ in mine})
    marks = ", ".join("?" * len(matches)), ", ".join("?" * len(audiences))
    where = f"(r.audience = ? OR (r.match IN ({marks[0]}) AND r.audience IN ({marks[1]})))"
    return where, [PUBLIC, *matches, *sorted(audiences)]
