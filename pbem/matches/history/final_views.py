"""The stored pages of an ended match, which can be read without replaying it.

The pages are the last view with its map for each viewer, and the sentences of each report as they were sent. A
release that plays the match differently, or no longer has its title, changes none of this. A match that ended before
pages were stored is replayed as long as that works; after that, its reports are shown in plain words.
"""

from __future__ import annotations

import logging
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from html import unescape
from typing import Any

import msgspec

from eventstore import Database, StoreTrouble, Transaction, upsert
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import MASTER, PUBLIC, Finding
from pbem.engine.rules.title import Wording
from pbem.engine.text.messages import Message, Value, as_message, as_value, revive, say, several
from pbem.engine.text.sheets import Advising
from pbem.matches.history.record import Record
from pbem.matches.history.replay import Position, findings_of, load
from pbem.matches.history.telling import sentences_of
from pbem.matches.server import Server

log = logging.getLogger("pbem.final_views")


def create_tables(database: Database) -> None:
    """Create the tables. `ended` is the hash of the event that ended the match; a ruling may lead to another end."""
    database.execute(
        "CREATE TABLE IF NOT EXISTS final_matches (match TEXT PRIMARY KEY, ended TEXT NOT NULL, about TEXT NOT NULL)"
    )
    database.execute(
        "CREATE TABLE IF NOT EXISTS final_views (match TEXT NOT NULL, viewer TEXT NOT NULL, view BLOB NOT NULL, "
        "picture BLOB, PRIMARY KEY (match, viewer))"
    )
    database.execute(
        "CREATE TABLE IF NOT EXISTS final_reports (match TEXT NOT NULL, exchange INTEGER NOT NULL, "
        "viewer TEXT NOT NULL, sentences BLOB NOT NULL, PRIMARY KEY (match, exchange, viewer))"
    )
    database.execute(
        "CREATE TABLE IF NOT EXISTS final_words (match TEXT NOT NULL, viewer TEXT NOT NULL, words BLOB NOT NULL, "
        "PRIMARY KEY (match, viewer))"
    )
    database.execute("CREATE TABLE IF NOT EXISTS final_due (match TEXT PRIMARY KEY)")


# Keeping -----------------------------------------------------------------------------------------------------


def note_end(transaction: Transaction, match: str, ended: str) -> None:
    """Mark an ended match so that its pages will be stored, unless they already are."""
    row = transaction.database.execute("SELECT ended FROM final_matches WHERE match = ?", (match,)).fetchone()
    if ended and (row is None or row[0] != ended):
        transaction.database.execute("INSERT INTO final_due (match) VALUES (?) ON CONFLICT DO NOTHING", (match,))


def due(server: Server, most: int) -> list[str]:
    rows = server.database.execute("SELECT match FROM final_due ORDER BY rowid DESC LIMIT ?", (most,)).fetchall()
    return [match for (match,) in rows]


def keep(server: Server, match: str) -> bool:
    """Store the pages of an ended match; return whether that was possible."""
    try:
        position = load(server, match)
        content = None if position.record.ended is None else _content(server, position)
    except (StoreTrouble, OSError):
        raise
    except Exception:
        log.exception("match %s has ended and cannot be replayed: its last map is not kept", match)
        content = None
    with server.store.transaction("final") as transaction:
        if content is not None:
            _write(transaction.database, match, position.record, content)
        transaction.database.execute("DELETE FROM final_due WHERE match = ?", (match,))
    return content is not None


class _Content(msgspec.Struct, frozen=True):
    about: dict[str, Any]
    views: dict[str, tuple[bytes, str | None]]
    words: dict[str, Sequence[Wording]]
    reports: dict[tuple[int, str], list[Message]]


def _content(server: Server, position: Position) -> _Content:
    rules, record = position.rules, position.record
    viewers = (*record.seats, PUBLIC, MASTER)
    views = {viewer: position.run.view(viewer) for viewer in viewers}
    return _Content(
        {
            "turn": position.run.state.turn,
            "in_use": [str(rule) for rule in rules.rules_in_use()],
            "help": rules.help(),
            "advises": isinstance(rules, Advising),
        },
        {viewer: (msgspec.json.encode(view), rules.picture(view, viewer)) for viewer, view in views.items()},
        {viewer: rules.describe(view, viewer) for viewer, view in views.items()},
        {
            (entry.exchange, viewer): _sentences(server, position, entry.exchange, viewer)
            for entry in record.resolved
            if entry.kind == "exchange"
            for viewer in viewers
        },
    )


def _sentences(server: Server, position: Position, exchange: int, viewer: str) -> list[Message]:
    """Return the sentences of a report in their order."""
    entry = position.record.exchange(exchange)
    assert entry is not None
    heard = Listening(position.rules.tell)
    sentences_of(heard, findings_of(server, entry, viewer))
    return heard.sentences


class Listening:
    """Puts findings into words and records every sentence."""

    def __init__(self, tell: Callable[[Finding], str | Message]) -> None:
        self._tell = tell
        self.sentences: list[Message] = []

    def tell(self, finding: Finding) -> Message:
        self.sentences.append(as_message(self._tell(finding)))
        return self.sentences[-1]


def _write(database: Database, match: str, record: Record, content: _Content) -> None:
    assert record.ended is not None
    about = msgspec.json.encode(content.about).decode()
    database.execute(upsert("final_matches", "match", "ended, about"), (match, record.ended.hash, about))
    database.execute("DELETE FROM final_reports WHERE match = ?", (match,))
    for viewer, (view, picture) in content.views.items():
        packed = None if picture is None else zlib.compress(picture.encode())
        row = (match, viewer, zlib.compress(view), packed)
        database.execute(upsert("final_views", "match, viewer", "view, picture"), row)
    for viewer, words in content.words.items():
        packed = zlib.compress(msgspec.json.encode(words))
        database.execute(upsert("final_words", "match, viewer", "words"), (match, viewer, packed))
    for (exchange, viewer), sentences in content.reports.items():
        packed = zlib.compress(msgspec.json.encode(sentences))
        query = "INSERT INTO final_reports (match, exchange, viewer, sentences) VALUES (?, ?, ?, ?)"
        database.execute(query, (match, exchange, viewer, packed))


# Reading -----------------------------------------------------------------------------------------------------


DESCRIBED = re.compile(r"<desc>(.*?)</desc>", re.DOTALL)
_SENTENCES = msgspec.json.Decoder(list[Message | str])
"""Stored reports: messages, or the plain English of earlier releases."""


class KeptRules:
    """Stands in for the rules of an ended match: asks for nothing, and shows the stored pages."""

    def __init__(self, server: Server, match: str, record: Record, about: dict[str, Any]) -> None:
        self._server, self._match, self._about = server, match, about
        self.seats = tuple(record.seats)
        self.advises = bool(about.get("advises")) and record.created.title in server.titles

    def rules_in_use(self) -> list[str]:
        return list(self._about.get("in_use", ()))

    def help(self) -> Wording:
        found: Wording = revive(self._about.get("help", ""))
        return found

    def view(self, viewer: str) -> Any:
        row = self._row(viewer, "view")
        return {} if row is None else msgspec.json.decode(zlib.decompress(row))

    def picture(self, view: Any, viewer: str) -> str | None:
        row = self._row(viewer, "picture")
        return None if row is None else zlib.decompress(row).decode()

    def describe(self, view: Any, viewer: str) -> Sequence[Wording]:
        row = self._row(viewer, "words", "final_words")
        if row is None:  # kept by a release that had the words only in the picture
            described = DESCRIBED.search(self.picture(view, viewer) or "")
            return unescape(described[1]).splitlines() if described else []
        found: list[Wording] = revive(msgspec.json.decode(zlib.decompress(row)))
        return found

    def _row(self, viewer: str, column: str, table: str = "final_views") -> bytes | None:
        query = f"SELECT {column} FROM {table} WHERE match = ? AND viewer = ?"
        row = self._server.database.execute(query, (self._match, viewer)).fetchone()
        return None if row is None else row[0]

    def tell(self, finding: Finding) -> Message:
        return plain_sentence(finding)


class KeptRun:
    """Stands in for the run of an ended match."""

    asks: tuple[Ask, ...] = ()
    over = True

    def __init__(self, rules: KeptRules) -> None:
        self.rules = rules

    def ask_of(self, seat: str) -> None:
        return None

    def view(self, viewer: str) -> Any:
        return self.rules.view(viewer)

    def viewers(self) -> tuple[str, ...]:
        return (*self.rules.seats, PUBLIC, MASTER)


def kept_position(server: Server, match: str, record: Record) -> Position | None:
    """The stored end of a match; None if the match has not ended or nothing was stored."""
    if record.ended is None:
        return None
    row = server.database.execute("SELECT ended, about FROM final_matches WHERE match = ?", (match,)).fetchone()
    if row is None or row[0] != record.ended.hash:
        return None
    return _position(server, match, record, msgspec.json.decode(row[1]))


def bare_position(server: Server, match: str, record: Record) -> Position:
    """The end of a match without stored pages that no longer replays: it has reports but no map."""
    return _position(server, match, record, {})


def _position(server: Server, match: str, record: Record, about: dict[str, Any]) -> Position:
    rules = KeptRules(server, match, record, about)
    return Position(match, record, rules, KeptRun(rules))  # type: ignore[arg-type]


class Spoken:
    """Returns the stored sentences of a report, one for each finding in order."""

    def __init__(self, sentences: Sequence[str | Message]) -> None:
        self._sentences: Iterator[str | Message] = iter(sentences)

    def tell(self, finding: Finding) -> Message:
        kept = next(self._sentences, "")
        return as_message(kept) if kept else plain_sentence(finding)


def kept_report(server: Server, match: str, record: Record, exchange: int, viewer: str) -> Spoken | None:
    """Return a teller that repeats the sentences stored when the match ended."""
    if record.ended is None:
        return None
    row = server.database.execute(
        "SELECT r.sentences FROM final_reports AS r JOIN final_matches AS f ON f.match = r.match "
        "WHERE r.match = ? AND r.exchange = ? AND r.viewer = ? AND f.ended = ?",
        (match, exchange, viewer, record.ended.hash),
    ).fetchone()
    return None if row is None else Spoken(_SENTENCES.decode(zlib.decompress(row[0])))


def plain_sentence(finding: Finding) -> Message:
    """A finding in plain words, if no better wording is known."""
    inputs = [
        say("{name} {value}", name=name.replace("_", " "), value=plain(v)) for name, v in finding.inputs.items()
    ]
    result = plain(finding.result)
    if inputs:
        return say("{inputs}: {result}.", inputs=several(inputs, "unit"), result=result)
    return say("{result}.", result=f"{result}".capitalize() if isinstance(finding.result, str) else result)


def plain(value: object) -> Value:
    """A finding's value in words."""
    match value:
        case None:
            return say("nothing")
        case True:
            return say("yes")
        case False:
            return say("no")
        case dict() | list() | tuple() if not value:
            return say("none")
        case dict():
            return several((say("{name} {value}", name=name, value=plain(v)) for name, v in value.items()), "unit")
        case list() | tuple():
            return several(map(plain, value), "unit")
        case _:
            return as_value(value)
