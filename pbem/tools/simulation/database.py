"""A connection that fails now and then, in the ways in which SQLite and PostgreSQL fail.

busy              another process holds the lock for too long
full              there is no room for the commit; nothing was written
lost, undone      the connection is lost at the commit, which did not happen
lost, done        the connection is lost at the commit, which did happen
not replicated    the commit is on one machine, and the wait for a second one was cancelled
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from eventstore import Database, StoreTrouble
from eventstore.database import InDoubt, NotReplicated

AT_COMMIT = ("full", "lost, undone", "lost, done", "not replicated")
WRITES = ("INSERT", "UPDATE", "DELETE")


class FailingDatabase:
    """Passes everything on to a real connection, unless `fault` names a fault for this kind of action."""

    def __init__(self, real: Database, fault: Callable[[Sequence[str]], str]) -> None:
        self._real, self._fault = real, fault
        self._inside = False
        self.is_broken = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> Any:
        if not self._inside and sql.lstrip().startswith(WRITES) and self._fault(("busy",)):
            raise StoreTrouble("busy", "simulated")
        return self._real.execute(sql, parameters)

    def begin(self, *, shared: bool = False) -> None:
        if self._fault(("busy",)):
            raise StoreTrouble("busy", "simulated")
        self._real.begin(shared=shared)
        self._inside = True

    def commit(self) -> None:
        what = self._fault(AT_COMMIT)
        if what in ("full", "lost, undone"):
            self._real.rollback()
        else:
            self._real.commit()
        self._inside = False
        if what == "full":
            raise StoreTrouble("full", "simulated")
        if what == "not replicated":
            raise NotReplicated("simulated")
        if what:
            self.is_broken = True
            raise InDoubt("simulated")

    def rollback(self) -> None:
        self._inside = False
        self._real.rollback()
