"""A mail in the making."""

from __future__ import annotations

from typing import Any

import msgspec

from pbem.mail.settings import Settings
from pbem.matches.film.turns import Film
from pbem.matches.post.outbox import Owed
from pbem.matches.server import Server


class Draft(msgspec.Struct):
    """A mail in the making: whom it reaches, what the template is told, and what answers to it count for."""

    server: Server
    settings: Settings
    owed: Owed
    to: str
    facts: dict[str, Any]
    token: str = ""
    picture: bytes | None = None
    film: Film | None = None
