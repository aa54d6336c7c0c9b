"""The IMAP listener: fetches email from a dedicated mailbox at a provider.

Every email in the folder is taken: first it is stored here, then it is moved to another folder of the mailbox, never
deleted. After a crash between the two it is fetched again, and its place in the mailbox shows that it is the same.
"""

from __future__ import annotations

import ssl
from typing import Any

from imapclient import IMAPClient  # type: ignore[import-untyped]
from imapclient.exceptions import IMAPClientError  # type: ignore[import-untyped]

from pbem.mail.inbound.limits import HEAD, MOST_BYTES, head, reason_not_read
from pbem.mail.settings import Imap
from pbem.matches.clock.deadlines import SECOND
from pbem.matches.post import inbox
from pbem.matches.server import Server

SECONDS = 10
"""Seconds to wait for the host; the tick waits meanwhile."""

AT_ONCE = 20
"""The number of emails fetched before they are moved."""


class MailboxUnreadable(Exception):
    """The mailbox cannot be read now."""


class ImapListener:
    """A listener that keeps its connection open; a lost connection is reopened at the next fetch."""

    def __init__(self, server: Server, settings: Imap) -> None:
        self._server, self._settings = server, settings
        self._client: Any = None

    def fetch(self) -> int:
        """Take every email in the folder; return how many there were."""
        for fresh in (self._client is None, True):
            try:
                return self._fetch_all(self._connected())
            except (IMAPClientError, OSError) as problem:
                self.close()
                if fresh:
                    raise MailboxUnreadable(
                        f"the mailbox at {self._settings.host} cannot be read: {problem}"
                    ) from problem
        raise AssertionError("unreachable")

    def close(self) -> None:
        if self._client is not None:
            client, self._client = self._client, None
            with client:
                pass  # leaving the block logs out and ignores errors

    def _connected(self) -> Any:
        if self._client is None:
            said = self._settings
            context = ssl.create_default_context() if said.tls else None
            self._client = IMAPClient(said.host, port=said.port, ssl=said.tls, ssl_context=context, timeout=SECONDS)
            self._client.login(said.user, said.password)
            if not self._client.folder_exists(said.done):
                self._client.create_folder(said.done)
        return self._client

    def _fetch_all(self, client: Any) -> int:
        selected = client.select_folder(self._settings.folder)
        count = 0
        while numbers := client.search("UNDELETED")[:AT_ONCE]:
            said = client.fetch(numbers, ["RFC822.SIZE", "INTERNALDATE"])
            for number in numbers:
                self._keep(client, number, said[number], selected[b"UIDVALIDITY"])
            self._put_away(client, numbers)
            count += len(numbers)
        return count

    def _keep(self, client: Any, number: int, about: Any, validity: int) -> None:
        large = about[b"RFC822.SIZE"] > MOST_BYTES
        wanted = f"BODY.PEEK[]<0.{HEAD}>" if large else "BODY.PEEK[]"
        [answer] = client.fetch([number], [wanted]).values()
        raw = next((value for name, value in answer.items() if name.startswith(b"BODY[]")), b"") or b""
        why = f"it is larger than {MOST_BYTES // 1024} KB" if large else reason_not_read(raw)
        said = self._settings
        source = f"imap:{said.user}@{said.host}/{said.folder}/{validity}/{number}"
        accepted_at = int(about[b"INTERNALDATE"].timestamp() * SECOND)
        inbox.receive(self._server, head(raw) if why else raw, beyond=why, source=source, accepted_at=accepted_at)

    def _put_away(self, client: Any, numbers: list[int]) -> None:
        if client.has_capability("MOVE"):
            client.move(numbers, self._settings.done)
            return
        client.copy(numbers, self._settings.done)
        client.delete_messages(numbers, silent=True)
        client.expunge(numbers if client.has_capability("UIDPLUS") else None)
