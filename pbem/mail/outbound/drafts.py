"""An email being composed."""

from __future__ import annotations

from typing import Any

import msgspec

from pbem.mail.settings import Settings
from pbem.matches.film.turns import Film
from pbem.matches.post.outbox import Owed
from pbem.matches.server import Server


class Draft(msgspec.Struct):
    """An email being composed: its reader, the facts for its template, and the token that lets replies act."""

    server: Server
    settings: Settings
    owed: Owed
    to: str
    facts: dict[str, Any]
    token: str = ""
    picture: bytes | None = None
    film: Film | None = None
