"""The health of the server, for operators: clock, listeners, outbox, halted matches, backups, versions.

The number of waiting emails could tell a player what another has just done. Only `Pulse` is public; the rest is for
operators.
"""

from __future__ import annotations

import platform
from importlib import metadata

import msgspec

from eventstore import Database, Event, Transaction
from pbem.matches.accounts import operators as operating
from pbem.matches.clock import beacon_round, deadlines, outages
from pbem.matches.clock.causes import span_in_words
from pbem.matches.clock.deadlines import HOUR, MINUTE, SERVER_STREAM, now
from pbem.matches.events import BackupMade, OperatorActed, OperatorDismissed, OperatorNamed, ServerEvent, last
from pbem.matches.post import inbox, notifications, outbox
from pbem.matches.server import Server, fingerprint

OLDEST_TICK = 2 * MINUTE
OLDEST_MAIL = 15 * MINUTE
OLDEST_BACKUP = 48 * HOUR
SHOWN = 48 * HOUR
"""How long a jump of the clock stays in the report."""


operators = operating.operators


class Pulse(msgspec.Struct, frozen=True):
    """Whether the clock is running. Ages are in seconds; None if there is nothing to measure."""

    well: bool
    tick_age: int | None
    held: bool


class Health(msgspec.Struct, frozen=True):
    """The facts that an operator needs first; `troubles` lists the problems in words."""

    pulse: Pulse
    troubles: list[str]
    door_waiting: int
    door_oldest_age: int | None
    door_last_age: int | None
    outbox_waiting: int
    outbox_oldest_age: int | None
    outbox_failed: int
    outbox_held_back: int
    running: int
    halted: list[str]
    unchecked: int
    uncheckable: list[str]
    jumps: list[str]
    backup_age: int | None
    restorations: int
    beacons: list[str]
    versions: dict[str, str]


def create_tables(database: Database) -> None:
    database.execute("CREATE TABLE IF NOT EXISTS halted (match TEXT PRIMARY KEY)")


def pulse(server: Server) -> Pulse:
    at, ticked = now(server), ticked_at(server)
    well = ticked is not None and at - ticked <= OLDEST_TICK
    return Pulse(well, _age(at, ticked), deadlines.held_since(server) is not None)


def ticked_at(server: Server) -> int | None:
    """When the supervisor last checked whether anything is due."""
    row = server.database.execute("SELECT ticked_at FROM lease WHERE name = 'tick'").fetchone()
    return None if row is None else row[0]


def health(server: Server) -> Health:
    at, waiting = now(server), outbox.waiting(server)
    doors = server.database.execute(
        "SELECT count(*) FILTER (WHERE state = ?), min(received_at) FILTER (WHERE state = ?), max(received_at) "
        "FROM inbound",
        (inbox.WAITING, inbox.WAITING),
    ).fetchone()
    found = Health(
        pulse=pulse(server),
        troubles=[],
        door_waiting=doors[0],
        door_oldest_age=_age(at, doors[1]),
        door_last_age=_age(at, doors[2]),
        outbox_waiting=len(waiting),
        outbox_oldest_age=_age(at, min((owed.queued_at for owed in waiting), default=None)),
        outbox_failed=len(outbox.failed_emails(server)),
        outbox_held_back=outbox.count_delayed(server, "held back"),
        running=_count_running(server),
        halted=halted_matches(server),
        unchecked=_count_marked(server, 1)[0],
        uncheckable=_count_marked(server, 2)[1],
        jumps=[outage.why for outage in outages.jumps_since(server, at - SHOWN)],
        backup_age=_age(at, backed_up_at(server)),
        restorations=server.store.restorations(),
        beacons=[f"{one.why} (since {span_in_words(at - one.since)})" for one in beacon_round.troubles(server)],
        versions=versions(server),
    )
    found.troubles.extend(troubles(found))
    return found


def _count_running(server: Server) -> int:
    notifications.catch_up(server)
    return int(server.database.execute("SELECT count(*) FROM desk WHERE ended = 0").fetchone()[0])


def _count_marked(server: Server, mark: int) -> tuple[int, list[str]]:
    """Return how many matches have this mark in `unchecked`, and the first of them."""
    where = "FROM desk WHERE unchecked = ? AND ended = 0"
    (count,) = server.database.execute(f"SELECT count(*) {where}", (mark,)).fetchone()
    rows = server.database.execute(f"SELECT match {where} ORDER BY match LIMIT 20", (mark,)).fetchall()
    return count, [match for (match,) in rows]


def troubles(found: Health) -> list[str]:
    """List the problems, worst first."""
    pulse, said = found.pulse, []
    if not pulse.well:
        last = "has never ticked" if pulse.tick_age is None else f"last ticked {_ago(pulse.tick_age)}"
        said.append(f"The clock {last}; no exchange closes. Is `pbem serve` running? Read its log.")
    if pulse.held:
        said.append("The server is on hold; no exchange closes until you release it below.")
    if _late(found.door_oldest_age, OLDEST_MAIL):
        waited = f"An incoming email has waited for {_long(found.door_oldest_age)}"
        said.append(f"{waited}; look in the log for the reason.")
    if _late(found.outbox_oldest_age, OLDEST_MAIL):
        waited = f"An outgoing email has waited for {_long(found.outbox_oldest_age)}"
        said.append(f"{waited}; `pbem doctor` checks the mail host.")
    if found.outbox_failed:
        said.append(f"Emails that could not be sent: {found.outbox_failed}. `pbem doctor` checks the mail host.")
    if found.outbox_held_back:
        delayed = f"Emails delayed by the limits on outgoing mail: {found.outbox_held_back}"
        said.append(f"{delayed}. If this is intended, raise `hourly` in settings.toml.")
    if found.halted:
        said.append(
            f"Halted matches: {', '.join(found.halted)}. The game master's page gives the reason and can resume them."
        )
    said += [f"Matches wait for a public beacon: {why}." for why in found.beacons]
    said += [f"The clock was set: {why}." for why in found.jumps]
    if found.uncheckable:
        said.append(f"Matches that could not be replayed and are not closed: {', '.join(found.uncheckable)}.")
    if found.backup_age is None or _late(found.backup_age, OLDEST_BACKUP):
        said.append(f"Last backup: {_ago(found.backup_age)}. `pbem backup FOLDER` makes one.")
    return said


def halted_matches(server: Server) -> list[str]:
    """List the halted matches."""
    server.store.project("halted", _note_halt)
    return [match for (match,) in server.database.execute("SELECT match FROM halted ORDER BY match").fetchall()]


def _note_halt(transaction: Transaction, event: Event) -> None:
    match = event.stream.removeprefix("match/")
    if event.type == "match.halted":
        transaction.database.execute("INSERT INTO halted (match) VALUES (?) ON CONFLICT DO NOTHING", (match,))
    elif event.type in ("match.resumed", "match.ended"):
        transaction.database.execute("DELETE FROM halted WHERE match = ?", (match,))


def versions(server: Server) -> dict[str, str]:
    """Return the versions of programs and the fingerprints of the titles' rules."""
    programs = {"pbem": metadata.version("pbem"), "python": platform.python_version()}
    engine, version = server.database.program
    programs[engine] = version
    titles = {name: fingerprint(type(title).__module__) for name, title in sorted(server.titles.items())}
    return programs | titles


# Acts of operators -------------------------------------------------------------------------------------------


def note_backup(server: Server) -> None:
    """Record that a backup was made just now."""
    _append(server, BackupMade())


def backed_up_at(server: Server) -> int | None:
    made = last(server.store.read(SERVER_STREAM), BackupMade)
    return None if made is None else made[0].recorded_at


def name_operator(server: Server, account: str, *, dismiss: bool = False) -> None:
    """Make an account an operator, or revoke its operator rights."""
    _append(server, OperatorDismissed(account) if dismiss else OperatorNamed(account))


def hold(server: Server, *, by: str, why: str) -> bool:
    """Stop closing exchanges in all matches, and record the operator; return whether this call did it."""
    _append(server, OperatorActed(by, "hold", why))
    return outages.hold(server, why)


def release(server: Server, *, by: str) -> bool:
    """Resume closing; deadlines are postponed by the length of the hold. Return whether this call did it."""
    _append(server, OperatorActed(by, "release"))
    return outages.release(server)


def _append(server: Server, event: ServerEvent) -> None:
    with server.store.transaction("server") as transaction:
        deadlines.append(transaction, event)


def _age(at: int, since: int | None) -> int | None:
    return None if since is None else max(0, at - since) // 1000


def _late(age: int | None, oldest: int) -> bool:
    return age is not None and age * 1000 > oldest


def _long(age: int | None) -> str:
    return str(span_in_words((age or 0) * 1000))


def _ago(age: int | None) -> str:
    return "never" if age is None else f"{_long(age)} ago"
