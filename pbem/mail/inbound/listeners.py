"""Listeners for incoming mail. Each stores an email durably before acknowledging it, and checks only the limits.

SmtpListener    other hosts send it; email beyond the limits is refused while they are still connected
LmtpListener    our own mail host hands it over. It has already accepted the email, so a refusal would become a
                bounce to a forged sender. Every email is accepted; of one beyond the limits only the head is stored
ImapListener    we fetch it (see `pbem.mail.inbound.imap`), and accept every email as well
deliver         our mail host pipes it to `pbem deliver`, which accepts every email as well
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ssl import SSLContext
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from eventstore import StoreTrouble
from pbem.mail.inbound import handle
from pbem.mail.inbound.imap import ImapListener, MailboxUnreadable
from pbem.mail.inbound.limits import MOST_BYTES, head, reason_not_read
from pbem.mail.settings import Settings
from pbem.matches.post import inbox
from pbem.matches.server import Server

log = logging.getLogger("pbem.mail")

MOST_SESSIONS, MOST_OF_A_SOURCE = 200, 20
"""The most clients at a time, in all and from one address; mail hosts open up to 20 connections."""

MOST_RECIPIENTS = 20
LONGEST_LINE = 64 * 1024
SECONDS = 120
"""Seconds that a client may be silent."""

LONGEST_SESSION = 15 * 60
"""Seconds after which a client is cut off, however slowly it speaks."""


class TooLarge(ValueError):
    """An email exceeds the limits, and this listener refuses it."""


def deliver(
    server: Server,
    raw: bytes,
    *,
    sender: str | None = None,
    recipients: list[str] | None = None,
    source: str = "",
    refuse: bool = False,
) -> int:
    """Store an email, or only the head of one beyond the limits. When this returns, the email is on disk."""
    why = reason_not_read(raw)
    if why and refuse:
        raise TooLarge(why)
    content = head(raw) if why else raw
    return inbox.receive(server, content, sender=sender, recipients=recipients, beyond=why, source=source)


# Checks --------------------------------------------------------------------------------------------------------


class Handler:
    """Checks whether an address is ours and an email is within the limits.

    `refuses` decides whether emails beyond the limits are refused.
    """

    def __init__(self, server: Server, settings: Settings, on_mail: Callable[[], None], *, refuses: bool) -> None:
        self._server, self._settings, self._on_mail = server, settings, on_mail
        self._refuses = refuses
        self._keeper = ThreadPoolExecutor(1, "pbem-listener")
        self.sessions = Counter[str]()

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self._settings.token_in(address) is None:
            return "550 5.1.1 no such mailbox here"
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 too many recipients"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 ok"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        return await self.keep(envelope, envelope.original_content or b"")

    async def keep(self, envelope: Envelope, content: bytes, why: str = "") -> str:
        """Store an email and acknowledge it; `why` is the limit that it exceeded while being received."""
        said: dict[str, Any] = {"sender": envelope.mail_from or "", "recipients": list(envelope.rcpt_tos)}
        call = partial(deliver, self._server, content, refuse=self._refuses, **said)
        if why:
            call = partial(inbox.receive, self._server, content, beyond=why, **said)
        try:
            # In a thread: while the database is busy, other clients are served.
            await asyncio.get_running_loop().run_in_executor(self._keeper, call)
        except TooLarge as problem:
            return f"552 5.3.4 message refused: {problem}"
        except (StoreTrouble, OSError, RuntimeError) as problem:
            log.error("an email could not be stored, and its sender was told to try again: %s", problem)
            return "451 4.3.0 cannot store the message now, please try again later"
        self._on_mail()
        return "250 2.0.0 kept"

    def close(self) -> None:
        self._keeper.shutdown(wait=True)


class BoundedSession(SMTP):
    """SMTP with a limit on simultaneous clients, and room for the long lines of careless programs."""

    line_length_limit = LONGEST_LINE

    async def _handle_client(self) -> None:
        sessions: Counter[str] = self.event_handler.sessions
        source = str((self.session.peer or ("",))[0]) if self.session is not None else ""
        if sessions.total() >= MOST_SESSIONS or sessions[source] >= MOST_OF_A_SOURCE:
            await self.push("421 4.3.2 too many connections, please try again later")
            self.cut_off()
            return
        sessions[source] += 1
        end = self.loop.call_later(LONGEST_SESSION, self.cut_off)
        try:
            await super()._handle_client()
        finally:
            end.cancel()
            sessions[source] -= 1
            if not sessions[source]:
                del sessions[source]

    def cut_off(self) -> None:
        if self.transport is not None:
            self.transport.close()


class SmtpSession(BoundedSession):
    """A session with another mail host."""


class LmtpSession(BoundedSession, LMTP):
    """RFC 2033: one reply per recipient. No size is announced, so the host does not itself bounce large emails."""

    _answers = 1

    async def smtp_DATA(self, arg: str) -> None:
        self._answers = max(1, len(self.envelope.rcpt_tos) if self.envelope else 1)
        try:
            await super().smtp_DATA(arg)
        finally:
            self._answers = 1

    async def push(self, status: Any) -> None:
        answers, self._answers = (1, self._answers) if str(status).startswith("354") else (self._answers, 1)
        if answers and str(status).startswith(("552 Error", "500 Line")) and self.envelope and self.envelope.rcpt_tos:
            # aiosmtpd has thrown the content away by now; the envelope is enough to say why.
            status = await self.event_handler.keep(self.envelope, b"", f"it is larger than {MOST_BYTES // 1024} KB")
        for _ in range(answers):
            await super().push(status)


class LmtpHandler(Handler):
    """Like `Handler`, but without announcing a size."""

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        return [line for line in responses if "SIZE" not in line]


# Listeners ---------------------------------------------------------------------------------------------------


def nobody() -> None:
    """Do nothing: the listener is not running."""


class Listener(Controller):
    """A listener in a thread of its own."""

    def __init__(
        self, handler: Handler, session: type[SMTP], host: str, port: int, tls: SSLContext | None = None
    ) -> None:
        self._session, self._tls = session, tls
        super().__init__(handler, hostname=host, port=port)

    def factory(self) -> SMTP:
        more: dict[str, Any] = {"data_size_limit": MOST_BYTES, "ident": "pbem", "enable_SMTPUTF8": True}
        if self._tls is not None:
            more["tls_context"] = self._tls  # offered, not required: other hosts may have no TLS
        return self._session(self.handler, timeout=SECONDS, loop=self.loop, hostname="pbem", **more)


class SmtpListener:
    """An SMTP listener; `on_mail` is called after each stored email."""

    handler: type[Handler] = Handler
    session: type[SMTP] = SmtpSession
    refuses = True
    offers_tls = True

    def __init__(
        self,
        server: Server,
        settings: Settings,
        *,
        host: str = "127.0.0.1",
        port: int = 8025,
        on_mail: Callable[[], None] = nobody,
    ) -> None:
        self._handler = self.handler(server, settings, on_mail, refuses=self.refuses)
        tls = settings.listener.context() if settings.listener and self.offers_tls else None
        self._listener = Listener(self._handler, self.session, host, port, tls)

    def start(self) -> None:
        self._listener.start()

    def stop(self) -> None:
        self._listener.stop(no_assert=True)  # it may never have started
        self._handler.close()


class LmtpListener(SmtpListener):
    """An LMTP listener for a mail host in front of it, such as Postfix or Exim."""

    handler = LmtpHandler
    session = LmtpSession
    refuses = False
    offers_tls = False


# All listeners -----------------------------------------------------------------------------------------------


class Listeners:
    """Every listener in the settings, and the SMTP listener if it has a port."""

    def __init__(
        self,
        server: Server,
        settings: Settings,
        *,
        host: str = "127.0.0.1",
        smtp_port: int = 0,
        on_mail: Callable[[], None] = nobody,
    ) -> None:
        self._server, self._settings = server, settings
        self._listeners: list[SmtpListener] = []
        if smtp_port:
            self._listeners.append(SmtpListener(server, settings, host=host, port=smtp_port, on_mail=on_mail))
        if settings.lmtp is not None:
            where = {"host": settings.lmtp.host, "port": settings.lmtp.port}
            self._listeners.append(LmtpListener(server, settings, on_mail=on_mail, **where))  # type: ignore[arg-type]
        self._mailbox = None if settings.imap is None else ImapListener(server, settings.imap)

    def start(self) -> None:
        for listener in self._listeners:
            listener.start()

    def stop(self) -> None:
        """Stop accepting email."""
        for listener in self._listeners:
            listener.stop()

    def close(self) -> None:
        """Stop polling."""
        if self._mailbox is not None:
            self._mailbox.close()

    def look(self, now: int) -> bool:
        """Fetch new email; return False if a mailbox could not be read, so that no exchange may close."""
        if self._mailbox is None:
            return True
        try:
            self._mailbox.fetch()
        except MailboxUnreadable as problem:
            log.warning("%s", problem)
            return False
        except Exception:
            # A host with unexpected answers must not hold up the other listeners.
            log.exception("the mailbox could not be read")
            self._mailbox.close()
            return False
        return True

    def drain(self, now: int) -> None:
        """Handle all email received so far."""
        handle.drain(self._server, self._settings, now)

    def in_words(self) -> str:
        """List the active listeners."""
        ways = ["SMTP" if listener.refuses else "LMTP" for listener in self._listeners]
        return " and ".join([*ways, "IMAP"] if self._mailbox is not None else ways)
