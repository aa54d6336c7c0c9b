"""Lists of matches: one row for each match and each seat, kept up to date from the events.

A list does not read the streams of all its matches: it reads these rows, a page at a time. A row is made from the
record of its match alone, so a match whose title is gone or whose past no longer replays is listed like any other,
and one whose record cannot be read is listed as halted.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from eventstore import Database, Event, StoreTrouble, Transaction, skip_to_end, upsert
from pbem.engine.text.messages import revive
from pbem.matches.clock import deadlines
from pbem.matches.history import final_views
from pbem.matches.history.record import Record
from pbem.matches.server import Server
from pbem.matches.views import Status, status_of

log = logging.getLogger("pbem.summaries")

OPEN, RUNNING, ENDED = "open", "running", "ended"
"""The lists of matches: with a free seat, in progress, and ended."""

BATTLE, FOUGHT = "battle", "fought"
"""The lists for battles of campaigns, which only their own players see: running and ended ones."""

OVER = f"m.shelf IN ('{ENDED}', '{FOUGHT}')"
SEEN_BY_ALL = f"m.shelf NOT IN ('{BATTLE}', '{FOUGHT}')"

MOST_AT_ONCE = 200
"""How many rows are rebuilt at once; after an upgrade the rest is left to the background."""

MOST_FOR_A_PAGE = 20
"""The most rows that a page rebuilds before it is shown."""

BATCH = 20
"""The number of rows written in one transaction."""

CADENCES = {
    "fast": "cadence BETWEEN 1 AND 24",
    "usual": "cadence BETWEEN 25 AND 72",
    "slow": "cadence > 72",
    "none": "cadence = 0",
}
"""The time allowed for an exchange, as a condition on the rows."""

SEARCHED = "lower(m.match || ' ' || m.title || ' ' || m.scenario || ' ' || json_extract(m.status, '$.name'))"
"""The columns that a search for words looks at, as one text."""

UNRELIABLE = (
    "EXISTS (SELECT 1 FROM seat_summary AS s JOIN reliability AS r ON r.account = s.account "
    "WHERE s.match = m.match AND r.asked > 0 AND 100 * r.answered / r.asked < ?)"
)


class Summary(msgspec.Struct, frozen=True):
    """A match as shown in lists. `players` are the accounts by seat."""

    status: Status
    players: dict[str, str]
    master: str
    cadence: int
    created_at: int
    closed: bool = False

    @property
    def open_seats(self) -> list[str]:
        return [seat for seat in self.status.seats if seat not in self.players]

    @property
    def cursor(self) -> str:
        """The position of this match in a list ordered by age."""
        return f"{self.created_at}.{self.status.match}"


FIELDS = "version, title, scenario, master, shelf, state, cadence, created_at, status"


def create_tables(database: Database) -> None:
    """Create the tables. In a database that already has matches, every match is marked for building its row."""
    is_new = not database.has_table("match_summary")
    database.execute(
        "CREATE TABLE IF NOT EXISTS match_summary (match TEXT PRIMARY KEY, version INTEGER NOT NULL, "
        "title TEXT NOT NULL, scenario TEXT NOT NULL, master TEXT NOT NULL, shelf TEXT NOT NULL, "
        "state TEXT NOT NULL, cadence INTEGER NOT NULL, created_at INTEGER NOT NULL, status TEXT NOT NULL)"
    )
    database.execute("CREATE INDEX IF NOT EXISTS match_shelf ON match_summary (shelf, created_at, match)")
    database.execute("CREATE INDEX IF NOT EXISTS match_master ON match_summary (master) WHERE master <> ''")
    database.execute(
        "CREATE TABLE IF NOT EXISTS seat_summary (match TEXT NOT NULL, seat TEXT NOT NULL, account TEXT NOT NULL, "
        "waited INTEGER NOT NULL, PRIMARY KEY (match, seat))"
    )
    database.execute("CREATE INDEX IF NOT EXISTS seat_account ON seat_summary (account)")
    database.execute("CREATE TABLE IF NOT EXISTS summary_due (match TEXT PRIMARY KEY)")
    if is_new:
        database.execute(
            "INSERT INTO summary_due (match) SELECT substr(stream, 7) FROM events "
            "WHERE version = 1 AND stream >= 'match/' AND stream < 'match0' ON CONFLICT DO NOTHING"
        )
        skip_to_end(database, "summaries")


# Keeping the rows --------------------------------------------------------------------------------------------


def catch_up(server: Server, most: int = MOST_AT_ONCE) -> int:
    """Bring the rows up to date, the newest matches first; return how many are still due."""
    server.store.project("summaries", _note)
    _make_rows(server, most)
    return int(server.database.execute("SELECT count(*) FROM summary_due").fetchone()[0])


def _make_rows(server: Server, most: int) -> None:
    made = 0
    while made < most and (due := _due(server, min(BATCH, most - made))):
        _write(server, [_row_of(server, match) for match in due])
        made += len(due)


def glance(server: Server) -> None:
    """Bring rows up to date as far as a page request has time for; the background does the rest."""
    if server.store.lag("summaries") or _due(server, 1):
        with server.store.skip_if_busy():
            server.store.project("summaries", _note, most=1)
            _make_rows(server, MOST_FOR_A_PAGE)


def _note(transaction: Transaction, event: Event) -> None:
    if event.stream.startswith("match/"):
        match = event.stream.removeprefix("match/")
        transaction.database.execute("INSERT INTO summary_due (match) VALUES (?) ON CONFLICT DO NOTHING", (match,))


def _due(server: Server, most: int) -> list[str]:
    rows = server.database.execute("SELECT match FROM summary_due ORDER BY rowid DESC LIMIT ?", (most,)).fetchall()
    return [match for (match,) in rows]


class _Row(msgspec.Struct, frozen=True):
    summary: Summary
    version: int
    ended: str


def _row_of(server: Server, match: str) -> _Row:
    try:
        record = server.record(f"match/{match}")
        return _Row(_summary_of(server, match, record), record.version, record.ended.hash if record.ended else "")
    except StoreTrouble:
        raise
    except Exception:
        log.exception("match %s cannot be read; it is listed as halted", match)
        version = server.store.version(f"match/{match}")
        return _Row(Summary(_unreadable(match), {}, "", 0, 0), version, "")


def _summary_of(server: Server, match: str, record: Record) -> Summary:
    players = {seat: taken["account"] for seat, taken in record.occupants.items()}
    status = msgspec.structs.replace(status_of(server, match, record), seats=dict.fromkeys(record.seats, ""))
    cadence = deadlines.timing_of(record).hours
    begun = record.events[0].recorded_at
    return Summary(status, players, record.created.master, cadence, begun, record.is_closed)


def _unreadable(match: str) -> Status:
    return Status(
        match=match,
        name=match,
        title="",
        scenario="",
        state="halted",
        turn=0,
        exchange=0,
        seats={},
        asked=[],
        waiting_for=[],
        deadline=None,
        outcome=None,
        mine=None,
        last=0,
    )


def _shelf(summary: Summary) -> str:
    if summary.closed:
        return FOUGHT if summary.status.state == "over" else BATTLE
    if summary.status.state == "over":
        return ENDED
    return OPEN if summary.open_seats else RUNNING


def _write(server: Server, rows: Iterable[_Row]) -> None:
    with server.store.transaction("summaries") as transaction:
        database = transaction.database
        for row in rows:
            summary, status = row.summary, row.summary.status
            match, content = status.match, msgspec.json.encode(status).decode()
            place = (match, row.version, status.title, status.scenario, summary.master, _shelf(summary), status.state)
            database.execute(
                upsert("match_summary", "match", FIELDS),
                (*place, summary.cadence, summary.created_at, content),
            )
            database.execute("DELETE FROM seat_summary WHERE match = ?", (match,))
            for seat, account in summary.players.items():
                seated = (match, seat, account, seat in status.waiting_for)
                insert = "INSERT INTO seat_summary (match, seat, account, waited) VALUES (?, ?, ?, ?)"
                database.execute(insert, seated)
            final_views.note_end(transaction, match, row.ended)
            if transaction.version(f"match/{match}") == row.version:  # otherwise it is due again
                database.execute("DELETE FROM summary_due WHERE match = ?", (match,))


# Reading -----------------------------------------------------------------------------------------------------

COLUMNS = "m.match, m.master, m.cadence, m.created_at, m.status"


def of_match(server: Server, match: str) -> Summary | None:
    glance(server)
    return next(iter(_read(server, "m.match = ?", match)), None)


def shelf(server: Server, name: str, wanted: Mapping[str, Any], *, most: int, before: str = "") -> list[Summary]:
    """The newest matches in a list that fit the filter, older than the cursor `before`."""
    where, values = conditions(wanted)
    created_at, _, match = before.partition(".")
    if match and created_at.isdecimal() and len(created_at) < 16:
        where.append("(m.created_at, m.match) < (?, ?)")
        values += [int(created_at), match]
    where.append("m.shelf = ?")
    values.append(name)
    return _read(server, f"{' AND '.join(where)} ORDER BY m.created_at DESC, m.match DESC LIMIT {most}", *values)


def by_name(server: Server, wanted: Mapping[str, str], *, after: str, most: int, of: str = "") -> list[Summary]:
    """The matches that fit the filter, by id; `of` is an account that must have a seat or be game master."""
    where, values = conditions(wanted)
    where.append("m.match > ?")
    values.append(after)
    if of:
        where.append(
            "(m.master = ? OR EXISTS (SELECT 1 FROM seat_summary s WHERE s.match = m.match AND account = ?))"
        )
        values += [of, of]
    else:
        where.append(SEEN_BY_ALL)
    return _read(server, f"{' AND '.join(where)} ORDER BY m.match LIMIT {most}", *values)


def conditions(wanted: Mapping[str, Any]) -> tuple[list[str], list[Any]]:
    """Turn a visitor's filter into conditions on the rows."""
    where: list[str] = []
    values: list[Any] = []
    title, _, scenario = wanted["play"].partition("/")
    for name, value in (("title", title), ("scenario", scenario)):
        if value:
            where.append(f"m.{name} = ?")
            values.append(value)
    if wanted["cadence"] in CADENCES:
        where.append(f"m.{CADENCES[wanted['cadence']]}")
    if "plays" in wanted:
        where.append(f"m.title || '/' || m.scenario IN ({', '.join('?' * len(wanted['plays']))})")
        values += wanted["plays"]
    for word in wanted.get("words", "").lower().split():
        where.append(f"instr({SEARCHED}, ?) > 0")
        values.append(word)
    if wanted["seats"] == "open":
        where.append("m.shelf = 'open'")
    if wanted["state"] == "over":
        where.append("m.shelf = 'ended'")
    if wanted["reliable"].isdecimal() and len(wanted["reliable"]) < 4:
        where.append(f"NOT {UNRELIABLE}")
        values.append(int(wanted["reliable"]))
    return where, values


def of_account(server: Server, account: str, *, most: int, for_all: bool = False) -> list[Summary]:
    """The matches in which an account has a seat, with those waiting for it first and ended ones last.

    `for_all` leaves out facts that only the account itself may know.
    """
    mine = "(SELECT match, max(waited) AS waited FROM seat_summary WHERE account = ? GROUP BY match) AS mine"
    order = f"{OVER}, mine.waited = 0, m.created_at DESC, m.match DESC"
    seen = f"WHERE {SEEN_BY_ALL}" if for_all else ""
    rows = server.database.execute(
        f"SELECT {COLUMNS} FROM {mine} JOIN match_summary AS m ON m.match = mine.match {seen} "
        f"ORDER BY {order} LIMIT ?",
        (account, most),
    ).fetchall()
    return _with_players(server, rows)


def matches_mastered_by(server: Server, account: str, *, most: int) -> list[Summary]:
    """The matches in which an account is the game master, ended ones last."""
    order = f"{OVER}, m.created_at DESC, m.match DESC"
    return _read(server, f"m.master = ? AND m.master <> '' ORDER BY {order} LIMIT {most}", account)


def seats_of(server: Server, account: str) -> list[tuple[str, str]]:
    """The matches and seats of an account."""
    catch_up(server)
    query = "SELECT match, seat FROM seat_summary WHERE account = ? ORDER BY match, seat"
    return [(match, seat) for match, seat in server.database.execute(query, (account,)).fetchall()]


def seats_now(server: Server, account: str) -> list[tuple[str, str]]:
    """Return an account's seats in matches that have not ended, from the rows without updating them."""
    query = (
        "SELECT s.match, s.seat FROM seat_summary AS s JOIN match_summary AS m ON m.match = s.match "
        f"WHERE s.account = ? AND NOT {OVER} ORDER BY s.match, s.seat"
    )
    return [(match, seat) for match, seat in server.database.execute(query, (account,)).fetchall()]


def with_a_free_seat(server: Server) -> str | None:
    """The newest match with a free seat."""
    catch_up(server)
    row = server.database.execute(
        "SELECT match FROM match_summary WHERE shelf = 'open' AND state = 'seats' ORDER BY created_at DESC LIMIT 1"
    ).fetchone()
    return None if row is None else str(row[0])


def matches_named(server: Server, wanted: str, most: int) -> list[tuple[str, str]]:
    """The ids and names of matches with this id or name, or, if there are none, of those whose id starts with it."""
    while catch_up(server):
        pass
    name = "json_extract(status, '$.name')"
    for where in (f"match = ? OR {name} = ?", "substr(match, 1, length(?)) = ?"):
        query = f"SELECT match, {name} FROM match_summary WHERE {where} ORDER BY match LIMIT ?"
        if rows := server.database.execute(query, (wanted, wanted, most)).fetchall():
            return [(match, name) for match, name in rows]
    return []


def mastered_matches(server: Server, account: str) -> list[str]:
    """The ids of the matches in which an account is the game master."""
    catch_up(server)
    query = "SELECT match FROM match_summary WHERE master = ? AND master <> '' ORDER BY match"
    return [match for (match,) in server.database.execute(query, (account,)).fetchall()]


def _read(server: Server, where: str, *values: object) -> list[Summary]:
    rows = server.database.execute(f"SELECT {COLUMNS} FROM match_summary AS m WHERE {where}", values).fetchall()
    return _with_players(server, rows)


def _with_players(server: Server, rows: list[Any]) -> list[Summary]:
    """Return the rows with their players, under their current names."""
    matches = [row[0] for row in rows]
    seats: dict[str, dict[str, str]] = {match: {} for match in matches}
    names: dict[str, str] = {}
    for chunk in (matches[start : start + 500] for start in range(0, len(matches), 500)):
        marks = ", ".join("?" * len(chunk))
        query = (
            "SELECT s.match, s.seat, s.account, coalesce(a.name, s.account) FROM seat_summary AS s "
            f"LEFT JOIN accounts AS a ON a.id = s.account WHERE s.match IN ({marks})"
        )
        for match, seat, account, name in server.database.execute(query, tuple(chunk)).fetchall():
            seats[match][seat] = account
            names[account] = name
    return [_summary(row, seats[row[0]], names) for row in rows]


def _summary(row: Any, players: dict[str, str], names: Mapping[str, str]) -> Summary:
    _, master, cadence, created_at, content = row
    status = msgspec.json.decode(content, type=Status)
    if status.outcome is not None:
        status = msgspec.structs.replace(status, outcome=revive(status.outcome))
    ordered = {seat: players[seat] for seat in status.seats if seat in players}
    shown = {seat: names[players[seat]] if seat in players else "" for seat in status.seats}
    return Summary(msgspec.structs.replace(status, seats=shown), ordered, master, cadence, created_at)
