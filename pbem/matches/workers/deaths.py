"""Jobs that kill their process: they are retried, and given up after the third time.

The count is stored, since such a job may take the whole server with it.
"""

from __future__ import annotations

import logging

from eventstore import Database
from pbem.matches.exchange import halting
from pbem.matches.history.replay import record_of
from pbem.matches.server import Server
from pbem.matches.workers import ADVANCE, CHECK

log = logging.getLogger("pbem.workers")

MOST_DEATHS = 3


class KilledItsWorker(Exception):
    """A job has repeatedly killed the process that was doing it."""


def create_tables(database: Database) -> None:
    database.execute(
        "CREATE TABLE IF NOT EXISTS worker_deaths (match TEXT NOT NULL, job TEXT NOT NULL, "
        "count INTEGER NOT NULL, PRIMARY KEY (match, job))"
    )


def count(server: Server, job: str, match: str) -> int:
    """How many processes this job has killed so far."""
    query = "SELECT count FROM worker_deaths WHERE match = ? AND job = ?"
    row = server.database.execute(query, (match, job)).fetchone()
    return 0 if row is None else int(row[0])


def note(server: Server, job: str, match: str) -> int:
    """Count one more death, and remove the match's progress display."""
    with server.store.transaction("death") as transaction:
        transaction.database.execute("DELETE FROM playing WHERE match = ?", (match,))
        transaction.database.execute(
            "INSERT INTO worker_deaths (match, job, count) VALUES (?, ?, 1) "
            "ON CONFLICT (match, job) DO UPDATE SET count = worker_deaths.count + 1",
            (match, job),
        )
    return count(server, job, match)


def forget(server: Server, job: str, match: str) -> None:
    """Reset the count: the job has been done after all, or given up."""
    if count(server, job, match):
        server.database.execute("DELETE FROM worker_deaths WHERE match = ? AND job = ?", (match, job))


def give_up(server: Server, job: str, match: str, why: str) -> None:
    """Halt this match alone; a corrected release continues it."""
    problem = KilledItsWorker(f"its worker process {why}, {MOST_DEATHS} times in a row")
    log.error("match %s: %s", match, problem)
    if job == ADVANCE:
        record = record_of(server, match)
        if not record.halted and not record.ended:
            halting.halt(server, record, record.closing.exchange if record.closing else record.last, problem)
    elif job == CHECK:
        server.database.execute("UPDATE desk SET unchecked = 2 WHERE match = ?", (match,))
    else:
        server.database.execute("DELETE FROM final_due WHERE match = ?", (match,))
    forget(server, job, match)
