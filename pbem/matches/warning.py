"""Alerts by email: operators learn of problems without looking at the page.

A problem is reported when it appears and again after a day; a last email says that everything is well. A server with
a stopped clock cannot send email: watch `/health.json` from another computer for that.
"""

from __future__ import annotations

import re

import msgspec

from eventstore import upsert
from pbem.matches import health
from pbem.matches.clock.deadlines import HOUR, MINUTE
from pbem.matches.post import notifications
from pbem.matches.server import Server

AGAIN = 24 * HOUR
"""The time after which a lasting problem is reported again."""

EVERY = 5 * MINUTE
KEY = "alerted"


class Told(msgspec.Struct):
    """When operators were last notified of each problem, and when the server last looked."""

    looked_at: int = 0
    troubles: dict[str, int] = {}


def look(server: Server, now: int) -> bool:
    """Queue an email to the operators about new problems, or when all have passed; return whether it was needed."""
    told = _last_notices(server)
    if now - told.looked_at < EVERY:
        return False
    troubles = {kind_of(text): text for text in health.health(server).troubles}
    new = [kind for kind in troubles if now - told.troubles.get(kind, -AGAIN) >= AGAIN]
    has_passed = bool(told.troubles) and not troubles
    if new:
        _owe(server, now, list(troubles.values()))
    elif has_passed:
        _owe(server, now, [])
    told.troubles = {kind: now if kind in new else told.troubles[kind] for kind in troubles}
    told.looked_at = now
    row = (KEY, msgspec.json.encode(told).decode())
    server.database.execute(upsert("house", "name", "value"), row)
    return bool(new) or has_passed


def kind_of(trouble: str) -> str:
    """A problem's text without names, numbers and units, which change while it lasts."""
    return re.sub(r"\d+( \w+)?", "#", trouble.partition(":")[0])


def _last_notices(server: Server) -> Told:
    row = server.database.execute("SELECT value FROM house WHERE name = ?", (KEY,)).fetchone()
    return Told() if row is None else msgspec.json.decode(row[0], type=Told)


def _owe(server: Server, now: int, troubles: list[str]) -> None:
    with server.store.transaction("alert") as transaction:
        for account in health.operators(server):
            notifications.owe(
                transaction, "alert", account=account, at=now, key=f"alert/{now}", about={"troubles": troubles}
            )
