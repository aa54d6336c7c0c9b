"""Run tests of servers on another database (`pytest --engine=postgresql tests/matches`), and search stored data.

Every data folder gets its own store in the private cluster; a folder that is opened again finds its store.
"""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

from support.hosts import postgres

import pbem.matches.server
from eventstore import EventStore
from eventstore.moving import copy
from pbem.cli.operating import moving
from pbem.matches.server import Server

_addresses: dict[Path, str] = {}


def use_postgresql() -> None:
    """Make every server from now on store its events in PostgreSQL."""
    pbem.matches.server.EventStore = on_postgresql  # type: ignore[misc, assignment]


def on_postgresql(path: str | Path, *, database: str = "", **more: Any) -> EventStore:
    """Return a store in the private cluster for this path."""
    return EventStore(path, database=database or database_of(path), **more)


def database_of(path: str | Path) -> str:
    """Return the address of this path's store in the private cluster, which other processes can use;
    the address is empty with SQLite."""
    if pbem.matches.server.EventStore is not on_postgresql:
        return ""
    where = Path(path).resolve()
    if where not in _addresses:
        _addresses[where] = postgres.cluster().empty()
    return _addresses[where]


def install(file: Path) -> None:
    """Move a store from a file into the database, as `pbem restore` does; with SQLite the file already is the
    store."""
    if address := database_of(file):
        moving.into_database(file, address)


def copy_server(source: Path, target: Path) -> None:
    """Copy a closed server's data folder with its events."""
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.seen"))
    if address := database_of(source / "pbem.db"):
        with (
            closing(EventStore(source / "pbem.db", database=address)) as old,
            closing(on_postgresql(target / "pbem.db", server_id=old.server_id)) as new,
        ):
            copy(old.database, new.database)


def everything_in(server: Server) -> bytes:
    """Return every byte of the SQLite file and its journal, or every value in every PostgreSQL table."""
    path, database = server.store.path, server.database
    if not server.store.address:
        return b"".join(file.read_bytes() for file in sorted(path.parent.glob(f"{path.name}*")))
    rows = (row for table in sorted(database.table_list()) for row in database.execute(f'SELECT * FROM "{table}"'))
    values = (value for row in rows for value in row)
    return b"\n".join(value if isinstance(value, bytes) else str(value).encode() for value in values)
