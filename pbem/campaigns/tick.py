"""The tick of campaigns: make the matches of battles, send reports, open finished campaigns.

Everything here can be repeated: if a process dies between a call and its match, or between the end of a match and its
report, the next one finds what is missing. Lists are read from tables, never by folding streams.
"""

from __future__ import annotations

from eventstore import Database, Event, Transaction
from pbem.campaigns import battles, people, seasons
from pbem.campaigns.rules.state import awaited_name
from pbem.campaigns.rules.title import NAME
from pbem.matches import unit_of_work
from pbem.matches.clock import deadlines
from pbem.matches.clock.deadlines import HOUR
from pbem.matches.exchange import advancing
from pbem.matches.exchange.ending import open_match
from pbem.matches.history.replay import Position, load, record_of
from pbem.matches.players import press
from pbem.matches.server import Server

AT_ONCE = 20
"""How many campaigns one tick serves."""


CHANGED = "opened = 0 AND reported <> '' AND ended <> '' AND ended <> reported"
"""The SQL condition for battles whose end differs from the one reported."""


def create_tables(database: Database) -> None:
    """Create the tables of campaigns and of their battles."""
    database.execute(
        "CREATE TABLE IF NOT EXISTS campaigns (id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at INTEGER NOT NULL, "
        "ended INTEGER NOT NULL DEFAULT 0, touched INTEGER NOT NULL DEFAULT 1, due INTEGER)"
    )
    database.execute(
        "CREATE TABLE IF NOT EXISTS campaign_battles (match TEXT PRIMARY KEY, campaign TEXT NOT NULL, "
        "battle TEXT NOT NULL, created_at INTEGER NOT NULL, ended TEXT NOT NULL DEFAULT '', "
        "reported TEXT NOT NULL DEFAULT '', opened INTEGER NOT NULL DEFAULT 0)"
    )
    database.execute("CREATE INDEX IF NOT EXISTS battles_of ON campaign_battles (campaign, opened)")
    database.execute("CREATE INDEX IF NOT EXISTS battles_by_number ON campaign_battles (campaign, battle)")
    database.execute(f"CREATE INDEX IF NOT EXISTS battles_changed ON campaign_battles (campaign) WHERE {CHANGED}")


def catch_up(server: Server) -> None:
    """Bring the tables up to the newest event."""
    with server.store.transaction() as transaction:
        create_tables(transaction.database)
    server.store.project("campaigns", _project)


def _project(transaction: Transaction, event: Event) -> None:
    if not event.stream.startswith("match/"):
        return
    database, match, said = transaction.database, event.stream.removeprefix("match/"), event.payload
    if event.type == "match.created":
        came = said.get("origin", {})
        if said["title"] == NAME:
            row = (match, said["name"], event.recorded_at, transaction.position)
            insert = (
                "INSERT INTO campaigns (id, name, created_at, touched) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
            )
            database.execute(insert, row)
        elif "battle" in came:
            row = (match, came["stream"].removeprefix("match/"), came["battle"], event.recorded_at)
            database.execute(
                "INSERT INTO campaign_battles (match, campaign, battle, created_at) VALUES (?, ?, ?, ?) "
                "ON CONFLICT DO NOTHING",
                row,
            )
    elif event.type == "battle.reported":
        reported = (said["head"]["event"], said["match"])
        database.execute("UPDATE campaign_battles SET reported = ? WHERE match = ?", reported)
    elif event.type == "match.ended":
        database.execute("UPDATE campaign_battles SET ended = ? WHERE match = ?", (event.hash, match))
        database.execute("UPDATE campaigns SET ended = 1 WHERE id = ?", (match,))
    elif event.type == "match.opened":
        database.execute("UPDATE campaign_battles SET opened = 1 WHERE match = ?", (match,))
    elif event.type.startswith("ruling."):
        database.execute("UPDATE campaign_battles SET ended = '' WHERE match = ?", (match,))
    touch = "UPDATE campaigns SET touched = ? WHERE id = ?"
    database.execute(touch, (transaction.position, match))
    if event.type in CONCERNING:
        query = "SELECT campaign FROM campaign_battles WHERE match = ?"
        for (campaign,) in database.execute(query, (match,)).fetchall():
            database.execute(touch, (transaction.position, campaign))


CONCERNING = frozenset({"match.created", "match.ended", "dispute.settled", "seat.left"})
"""The events of a battle that concern its campaign."""


def tick(server: Server, now: int, most: int = AT_ONCE) -> int:
    """Serve the campaigns in which something has happened or is due; return how many were looked at."""
    catch_up(server)
    rows = server.database.execute(
        "SELECT id, touched FROM campaigns WHERE touched > 0 OR due <= ? ORDER BY touched LIMIT ?", (now, most)
    ).fetchall()
    for campaign, touched in rows:
        due: int | None = now + HOUR
        with advancing.safely(campaign, "the campaign could not continue"):
            due = serve(server, campaign, now)
        # Last, so that a crash repeats the work; a campaign with newer events stays marked.
        query = "UPDATE campaigns SET touched = CASE touched WHEN ? THEN 0 ELSE touched END, due = ? WHERE id = ?"
        server.database.execute(query, (touched, due, campaign))
    return len(rows)


def has_more(server: Server) -> bool:
    """Whether something has happened in a campaign that has not been served since."""
    catch_up(server)
    return server.database.execute("SELECT 1 FROM campaigns WHERE touched > 0 LIMIT 1").fetchone() is not None


def serve(server: Server, campaign: str, now: int) -> int | None:
    """Serve one campaign; return the time when something is due next, or None."""
    record = record_of(server, campaign)
    _note_changes(server, campaign)
    if record.ended is not None:
        _open_battles(server, campaign)
        return None
    if record.halted or record.closing or record.moved or not record.started:
        return None
    deliver_letters(server, campaign)
    people.welcome(server, record)
    position = load(server, campaign)
    if seasons.begin(server, position):
        position = load(server, campaign)
    dues = [_serve_battle(server, position, battle, now) for battle in list(position.run.state.battles)]
    if set(position.asked) & set(record_of(server, campaign).sealed) - set(record.sealed):
        advancing.go_on(server, campaign)
    return min((due for due in dues if due is not None), default=None)


def deliver_letters(server: Server, campaign: str) -> None:
    """C8.2 Deliver the staff letters that are due in this stage."""

    def act() -> None:
        record = record_of(server, campaign)
        if record.created.letters and (events := press.due_letters(server, record)):
            unit_of_work.append(server, record, events, "letters")

    unit_of_work.retry(act)


def _serve_battle(server: Server, position: Position, battle: str, now: int) -> int | None:
    """Create the match of a battle, decide it if it takes too long, and send its report once it is final."""
    limits, call = position.rules.data.campaign.limits, position.run.state.battles[battle]
    match = battles.ensure_battle(server, position, battle, call)
    people.follow_hold(server, position.record, match)
    people.follow_pause(server, position.record, match)
    record = record_of(server, match)
    is_asked = awaited_name(battle) in position.asked
    if record.ended is None:
        is_late = position.rules.data.campaign.shape == "tree" and limits.battle_hours > 0
        ends = record.events[0].recorded_at + limits.battle_hours * HOUR
        if is_late and ends <= now and not deadlines.on_hold(record):
            battles.rule_on(server, match)
            return now
        return ends if is_late else None
    counts = battles.counts_from(server, match, limits.appeal_hours)
    if counts is None or counts > now:
        return counts
    if is_asked:
        battles.send_report(server, position.match, battle, match)
    return None


def _note_changes(server: Server, campaign: str) -> None:
    """Find battles whose end was changed by a ruling after their report."""
    query = f"SELECT match, battle FROM campaign_battles WHERE campaign = ? AND {CHANGED}"
    for match, battle in server.database.execute(query, (campaign,)).fetchall():
        record = record_of(server, campaign)
        if awaited_name(battle) not in record.sealed and awaited_name(battle) not in deadlines.seats_asked(record):
            battles.note_change(server, campaign, battle, match)


def _open_battles(server: Server, campaign: str) -> None:
    """Open the battles of a finished campaign, so that everybody can see everything in them."""
    query = "SELECT match FROM campaign_battles WHERE campaign = ? AND opened = 0"
    for (match,) in server.database.execute(query, (campaign,)).fetchall():
        open_match(server, match)
