"""Answers to emails that were carried out: the outcome of each, and the emails queued for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from eventstore import Transaction
from pbem.engine.text.messages import several
from pbem.matches.history.receipts import Receipt
from pbem.matches.players.requests import ASKING, Done, Note
from pbem.matches.post import inbox, outbox
from pbem.matches.post.notifications import owe
from pbem.matches.unit_of_work import Change

TOLD_ANYWAY = ("final", "resign", "concede", "draw")
"""Requests whose answer may be replaced by a report or by a notice of the end."""


class Mail(msgspec.Struct, frozen=True):
    """The facts about an email being handled that its answer needs. `why` replaces the list of results."""

    id: int
    message_id: str
    digest: str
    at: int
    silent: bool = False
    why: str = ""


def mark_applied(transaction: Transaction, mail: Mail, done: Sequence[Done], **place: Any) -> None:
    """Record that an email's requests were carried out."""
    why = mail.why or ", ".join(one.word for one in done)
    about = {"message_id": mail.message_id, "digest": mail.digest, **place}
    inbox.mark(transaction, mail.id, inbox.APPLIED, why, **about)


def owe_done(transaction: Transaction, mail: Mail, done: Sequence[Done], sealed: bool, **place: Any) -> None:
    """Queue an email for each item requested, with the notes in the first. With orders, the receipt has the notes."""
    if sealed:
        done = [] if mail.silent else [msgspec.structs.replace(one, note="") for one in done if one.word in ASKING]
    notes = notes_of(done)
    brief = all(one.word not in ASKING for one in done)
    told_anyway = all(one.word in TOLD_ANYWAY for one in done)
    asked = [one for one in done if one.word in ASKING] or done  # the other results are in the email asked for
    for kind, number, text in dict.fromkeys((one.wants, one.number, one.text) for one in asked):
        about = {"note": notes, "number": number, "text": text, "problem": "", "brief": brief}
        about |= {"told_anyway": told_anyway, "message_id": mail.message_id}
        outbox.queue(transaction, kind, at=mail.at, key=f"{mail.id}/{number}", about=about, **place)
        notes = ""


def notes_of(done: Sequence[Done]) -> Note:
    """What the requests have done, one sentence per line."""
    notes = [one.note for one in done if one.note]
    return several(notes, "lines") if notes else ""


def owe_receipt(
    change: Change, exchange: int, seat: str, account: str, receipt: Receipt, done: Sequence[Done], message_id: str
) -> None:
    """Queue the answer to orders sent by email, with the results of requests."""
    mail = {"match": change.match, "exchange": exchange, "at": receipt.sealed_at, "key": receipt.event}
    notes = notes_of(done)
    about = {"commitment": receipt.commitment, "message_id": message_id, "note": notes}
    owe(change.transaction, "receipt", account=account, seat=seat, about=about, **mail)
