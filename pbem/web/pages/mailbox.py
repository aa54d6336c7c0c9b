"""The emails that a demo stores here instead of sending them: a list, and each email."""

from __future__ import annotations

import mailbox
import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from flask import Blueprint, current_app, render_template
from flask.typing import ResponseReturnValue
from markupsafe import Markup, escape

from pbem.engine.text.messages import say
from pbem.matches.server import Server
from pbem.web.http.viewer import not_found

bp = Blueprint("mailbox", __name__)

LINK = re.compile(r"https?://[^\s<>\"']+[^\s<>\"'.,;:)]")


def folder_of(server: Server) -> Path:
    """Return the Maildir next to the database."""
    return server.store.path.parent / "mail"


@bp.get("/outbox")
def outbox() -> ResponseReturnValue:
    return render_template("web/outbox.html", mails=reversed(list(kept_emails())))


@bp.get("/outbox/<name>")
def mail(name: str) -> ResponseReturnValue:
    found = dict(kept_emails()).get(name)
    if found is None:
        not_found(say("No email has this name."))
    return render_template("web/mail.html", mail=found, text=with_links(text_of(found)))


def kept_emails() -> Iterator[tuple[str, EmailMessage]]:
    """Return the emails by their file names, which begin with the time: oldest first."""
    folder: Path = current_app.extensions["pbem"]["mails"]
    if folder.is_dir():
        box = mailbox.Maildir(folder, create=False)
        for name in sorted(box.keys()):
            yield name, message_from_bytes(box.get_bytes(name), policy=policy.default)


def text_of(mail: EmailMessage) -> str:
    """The plain text. Other parts of an email are not shown, because they could contain anything."""
    body = mail.get_body(preferencelist=("plain",))
    return str(body.get_content()) if body else ""


def with_links(text: str) -> Markup:
    """The text with the addresses of pages turned into links, and otherwise unchanged."""
    shown, place = Markup(), 0
    for found in LINK.finditer(text):
        address = escape(found[0])
        shown += escape(text[place : found.start()]) + Markup('<a href="{0}">{0}</a>').format(address)
        place = found.end()
    return shown + escape(text[place:])
