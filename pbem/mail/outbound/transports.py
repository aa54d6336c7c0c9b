"""Transports: deliver mail into a Maildir, or to an SMTP host."""

from __future__ import annotations

import mailbox
import smtplib
import ssl
from copy import copy
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path
from typing import Protocol

from pbem.mail.settings import Settings, Smtp

SECONDS = 10
"""Seconds to wait for the SMTP host; the whole tick waits with it."""


class Transport(Protocol):
    def send(self, message: EmailMessage) -> None:
        """Hand an email over for delivery; raise OSError or SMTPException if that fails."""
        ...


class MaildirTransport:
    """Puts every email into one Maildir: for trying the server out, for tests, or for another program to forward."""

    def __init__(self, folder: Path) -> None:
        folder.parent.mkdir(parents=True, exist_ok=True)
        self._box = mailbox.Maildir(folder, create=True)

    def send(self, message: EmailMessage) -> None:
        self._box.add(message)


class SmtpTransport:
    """Hands every email to one host, over TLS and with a user name if the settings say so."""

    def __init__(self, settings: Smtp) -> None:
        self._settings = settings

    def send(self, message: EmailMessage) -> None:
        if message["To"].endswith(".invalid"):
            return  # a guest of a demonstration: there is no such host (RFC 2606)
        with smtplib.SMTP(self._settings.host, self._settings.port, timeout=SECONDS) as host:
            if self._settings.starttls:
                host.starttls(context=ssl.create_default_context())
            if self._settings.user:
                host.login(self._settings.user, self._settings.password)
            host.send_message(*with_envelope(message))


def with_envelope(message: EmailMessage) -> tuple[EmailMessage, str | None]:
    """Return the email without its return path, which the last host rewrites, and the envelope sender."""
    sent = copy(message)
    sender = parseaddr(sent["Return-Path"] or "")[1] or None
    del sent["Return-Path"]
    return sent, sender


def transport_of(settings: Settings, data: Path) -> Transport:
    return MaildirTransport(data / "mail") if settings.smtp is None else SmtpTransport(settings.smtp)
