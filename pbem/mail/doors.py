"""How mail comes in. A door keeps a mail durably before it says so, and looks at nothing else."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.mail.settings import Settings
from pbem.matches import inbox
from pbem.matches.house import House

log = logging.getLogger("pbem.mail")

MOST_BYTES = 1024 * 1024


class TooLarge(ValueError):
    """A mail that no door takes."""


def deliver(house: House, raw: bytes, *, sender: str | None = None, recipients: list[str] | None = None) -> int:
    """A mail from a pipe. When this returns, it is safe."""
    if len(raw) > MOST_BYTES:
        raise TooLarge(f"{len(raw)} bytes; a mail of orders has at most {MOST_BYTES}")
    return inbox.receive(house, raw, sender=sender, recipients=recipients)


class Handler:
    """What the SMTP listener asks: is this address ours, and is this mail safe?"""

    def __init__(self, house: House, settings: Settings, on_mail: Callable[[], None]) -> None:
        self._house, self._settings, self._on_mail = house, settings, on_mail

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self._settings.token_in(address) is None:
            return "550 5.1.1 no such mailbox here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 ok"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        content = envelope.original_content or b""
        try:
            deliver(self._house, content, sender=envelope.mail_from or "", recipients=list(envelope.rcpt_tos))
        except TooLarge:
            return "552 5.3.4 too large"
        except sqlite3.Error:
            log.exception("a mail could not be kept")
            return "451 4.3.0 cannot keep it now, please try again"
        self._on_mail()
        return "250 2.0.0 kept"


def nobody() -> None:
    """Nobody waits for mail."""


class SmtpDoor:
    """An SMTP listener in a thread of its own; `on_mail` is called after each mail that was kept."""

    def __init__(
        self,
        house: House,
        settings: Settings,
        *,
        host: str = "127.0.0.1",
        port: int = 8025,
        on_mail: Callable[[], None] = nobody,
    ) -> None:
        more: dict[str, Any] = {"data_size_limit": MOST_BYTES, "ident": "pbem"}
        self._controller = Controller(Handler(house, settings, on_mail), hostname=host, port=port, **more)

    def start(self) -> None:
        self._controller.start()

    def stop(self) -> None:
        self._controller.stop(no_assert=True)  # it may never have started
