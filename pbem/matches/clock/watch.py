"""The lease on the clock, and whether the clock can be trusted.

A heartbeat writes wall and steady time every few seconds, apart from all work. The lease says which process watches;
on one machine a process can tell that the holder of the lease is dead, and takes over at once. Two heartbeats show
how much of the time between them was watched; any other change of the wall clock is a lapse, and the deadlines move
with it: the remaining time stays the same.
"""

from __future__ import annotations

import os
import time
from functools import cache
from pathlib import Path

import msgspec

from eventstore import Database, create_table
from pbem.matches.clock.causes import span_in_words
from pbem.matches.clock.deadline_rules import SECOND
from pbem.matches.server import Server

BEAT = 5
"""Seconds between heartbeats."""

LEASE = 60 * SECOND
OLDEST = 60 * SECOND
"""A longer silence is always an outage; a shorter one is an outage only if a deadline falls into it."""

QUIET = 20 * SECOND
"""The longest silence of a process that is merely busy."""

DRIFT = 5 * SECOND
"""How far the wall clock and the steady clock may drift apart between two heartbeats."""

COLUMNS = {"steady": "INTEGER", "boot": "TEXT", "owner": "TEXT", "worked_at": "INTEGER"}


class Beat(msgspec.Struct, frozen=True):
    """A heartbeat. `steady` runs evenly as long as the machine is up; `boot` identifies that boot."""

    wall: int
    steady: int
    boot: str
    holder: str


class Lapse(msgspec.Struct, frozen=True):
    """Unwatched time between two heartbeats (`gap`), and by how much the wall clock was changed (`jump`).

    Across a reboot the two cannot be told apart; then `jump` is the total.
    """

    since: int
    until: int
    gap: int
    jump: int
    why: str


def create_tables(database: Database) -> None:
    columns = "name TEXT PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL, ticked_at INTEGER"
    create_table(database, "lease", columns, COLUMNS)


# The clocks --------------------------------------------------------------------------------------------------


def steady() -> int:
    """Milliseconds since the machine was started, including sleep where the system reports it."""
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime_ns(clock) // 1_000_000


@cache
def boot() -> str:
    """Return the id of the current boot; empty where the system has none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return ""


def judge(previous: Beat | None, now: Beat, *, spans_deadline: bool) -> Lapse | None:
    """Return the lapse between two heartbeats; None if all of the time was watched."""
    if previous is None:
        return None
    passed = now.wall - previous.wall
    elapsed = now.steady - previous.steady
    if now.boot != previous.boot or elapsed < 0:  # the machine was rebooted: nothing to compare with
        if passed < -DRIFT or passed > OLDEST or (spans_deadline and passed > 0):
            return Lapse(previous.wall, now.wall, 0, passed, f"the server was away for {span_in_words(abs(passed))}")
        return None
    jump = passed - elapsed if abs(passed - elapsed) > DRIFT else 0
    quiet = QUIET if now.holder == previous.holder else 0
    gap = elapsed if elapsed > OLDEST or (spans_deadline and elapsed > quiet) else 0
    if not jump and not gap:
        return None
    way = "ahead" if jump > 0 else "back"
    why = f"the clock was set {way} by {span_in_words(abs(jump))}" if jump else ""
    if gap:
        why = "; ".join(filter(None, (why, f"the clock was not watched for {span_in_words(gap)}")))
    return Lapse(previous.wall, now.wall, gap, jump, why)


def agrees(last: Beat, now: Beat) -> bool:
    """Whether the clock has run normally since the last heartbeat."""
    passed, elapsed = now.wall - last.wall, now.steady - last.steady
    return now.boot == last.boot and 0 <= elapsed <= OLDEST and abs(passed - elapsed) <= DRIFT


# The lease ---------------------------------------------------------------------------------------------------


class Owner(msgspec.Struct, frozen=True):
    """A process, identified so that another one on the same machine can tell whether it is alive."""

    boot: str
    space: str
    pid: int
    started: str


def this_process() -> Owner:
    return Owner(boot(), _space(), os.getpid(), _start_time(os.getpid()) or "")


def _space() -> str:
    """Return the process namespace: process numbers are unique only within it, and containers have their own."""
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""


def _start_time(pid: int) -> str | None:
    """Return the start time of a process; None if there is no such process."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    except OSError:
        return ""
    return fields[19] if len(fields) > 19 and fields[0] not in ("Z", "X") else None


def is_dead(owner: Owner, here: Owner) -> bool:
    """Whether the process is known to be gone. This is unknown for a process on another machine or in a container."""
    if not here.boot or (owner.boot, owner.space) != (here.boot, here.space):
        return False
    return _start_time(owner.pid) != owner.started


class Taken(msgspec.Struct, frozen=True):
    """The lease as this process holds it; `previous` is the heartbeat before this one, from any process."""

    previous: Beat | None


def take_lease(server: Server, now: Beat, owner: Owner) -> Taken | None:
    """Take or renew the lease and write the heartbeat; None if another living process has it."""
    with server.store.transaction("lease") as transaction:
        query = "SELECT holder, until, ticked_at, steady, boot, owner FROM lease WHERE name = 'tick'"
        row = transaction.database.execute(query).fetchone()
        if row is not None and row[0] != now.holder and _is_held(row, now.wall, owner):
            return None
        transaction.database.execute(
            "INSERT INTO lease (name, holder, until, ticked_at, steady, boot, owner) "
            "VALUES ('tick', ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until, "
            "ticked_at = excluded.ticked_at, steady = excluded.steady, boot = excluded.boot, owner = excluded.owner",
            (now.holder, now.wall + LEASE, now.wall, now.steady, now.boot, msgspec.json.encode(owner).decode()),
        )
    if row is None or row[2] is None:
        return Taken(None)
    return Taken(Beat(row[2], row[3] if row[3] is not None else -1, row[4] or "", row[0]))


def _is_held(row: tuple[str, int, int, int, str, str | None], wall: int, here: Owner) -> bool:
    """Whether another living process holds the lease; false if it has expired or ends too far ahead."""
    until, owner = row[1], row[5]
    if wall >= until or until - wall > LEASE:
        return False
    return not owner or not is_dead(msgspec.json.decode(owner, type=Owner), here)


def is_living(until: int, owner: str | None, wall: int) -> bool:
    """Whether a supervisor has the lease and is not known to be dead."""
    return _is_held(("", until, 0, 0, "", owner), wall, this_process())


def release_lease(server: Server, holder: str) -> None:
    """Let another supervisor begin at once."""
    server.database.execute("UPDATE lease SET until = 0 WHERE holder = ?", (holder,))


def note_work(server: Server, wall: int) -> None:
    """Record that a round of work is done; the health page shows how long ago."""
    server.database.execute("UPDATE lease SET worked_at = ? WHERE name = 'tick'", (wall,))
