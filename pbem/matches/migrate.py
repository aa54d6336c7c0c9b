"""Opening a data folder of an earlier release: a backup first, then this release's tables beside the old log.

Events are never rewritten: older shapes are lifted when they are read (`history/upcasters.py`). Tables beside the log
are created where they are missing. The release that last opened a folder is noted in it.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pbem
from eventstore import safekeeping

FIRST = "0.1.0"
"""The release that did not note itself yet."""


def release_of(path: Path) -> str:
    """Return the release that last opened this database; nothing if there is none yet."""
    if not path.is_file() or not path.stat().st_size:
        return ""
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if "house" not in tables:
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


def note_release(database: sqlite3.Connection) -> None:
    """Note that this release has opened the database."""
    database.execute("INSERT OR REPLACE INTO house VALUES ('release', ?)", (pbem.__version__,))
