"""Run tests of servers on another engine: `pytest --engine=postgresql tests/matches`.

Every data folder gets its own store in the private cluster; a folder that is opened again finds its store.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.hosts import postgres

import pbem.matches.server
from eventstore import EventStore

_addresses: dict[Path, str] = {}


def use_postgresql() -> None:
    """Let every server from now on store its events in PostgreSQL."""
    pbem.matches.server.EventStore = on_postgresql  # type: ignore[misc, assignment]


def on_postgresql(path: str | Path, *, database: str = "", **more: Any) -> EventStore:
    """A store for this path in the private cluster."""
    where = Path(path).resolve()
    if not database and where not in _addresses:
        _addresses[where] = postgres.cluster().empty()
    return EventStore(path, database=database or _addresses[where], **more)
