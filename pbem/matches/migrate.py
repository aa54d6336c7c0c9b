"""Open a data folder of an earlier release: make a backup first, then add this release's tables to the old log.

Events are never rewritten: older shapes are upgraded when they are read (`history/upcasters.py`). Missing tables
beside the log are created. The release that last opened a folder is noted in it.
"""

from __future__ import annotations

from pathlib import Path

import pbem
from eventstore import Database, EventStore, read_only, safekeeping, upsert

FIRST = "0.1.0"
"""The release assumed for a database that does not record its release."""


def release_of(path: Path) -> str:
    """Return the release that last opened this database; empty if there is no database yet."""
    if not path.is_file() or not path.stat().st_size:
        return ""
    with read_only(path) as database:
        return release_in(database)


def release_in(database: Database) -> str:
    """Return the release that last opened an open database; empty if none has."""
    if not database.has_table("house"):
        return ""
    row = database.execute("SELECT value FROM house WHERE name = 'release'").fetchone()
    return str(row[0]) if row else FIRST


def backup_before_upgrade(path: Path) -> Path | None:
    """Copy a database that an earlier release wrote, once, before this release touches it; return the copy."""
    release = release_of(path)
    if release in ("", pbem.__version__):
        return None
    copy = path.with_name(f"{path.stem}-before-{pbem.__version__}{path.suffix}")
    if not copy.exists():
        safekeeping.backup(path, copy)
    return copy


def backup_store_before_upgrade(store: EventStore, path: Path) -> None:
    """Back up a store on a database server before an upgrade; the copy is a SQLite file in the data folder."""
    copy = path.with_name(f"{path.stem}-before-{pbem.__version__}{path.suffix}")
    if release_in(store.database) not in ("", pbem.__version__) and not copy.exists():
        store.backup(copy)


def note_release(database: Database) -> None:
    """Note that this release has opened the database."""
    database.execute(upsert("house", "name", "value"), ("release", pbem.__version__))
