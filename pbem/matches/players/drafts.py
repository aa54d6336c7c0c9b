"""Drafts: orders that are being written, kept on the server so that a reload or a lost connection loses nothing.

A draft belongs to one account in one seat and one exchange. It is not an event: it proves nothing, and its times
would tell opponents that the player is thinking. It appears in no export, and only on its owner's page. It is
encrypted with a key derived from the server's key, which is stored outside the database: that protects against a lost
file or backup, but not against the operator. A draft becomes an order only if its owner has ticked the box to seal it
at the deadline.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from eventstore import Database, Event, Transaction, upsert
from pbem.engine.text.messages import Message, say
from pbem.matches.server import Server

NONCE = 12
PROTECTION = say(
    "Drafts are saved on the server for you alone and encrypted with a key outside the database. "
    "That protects you if a file or backup is lost, but not against the server's operator."
)

SOURCE = "draft"
"""The source of orders that were sealed from a draft."""
FATES: Mapping[str, Message] = {
    "sealed": say("Your draft was sealed at the deadline, as you had asked."),
    "unsent": say(
        "The orders in your draft were sealed at the deadline, as you had asked, "
        "but a message in it could not be sent."
    ),
    "requests": say(
        "The orders in your draft were sealed at the deadline, as you had asked. "
        "The requests to the server in it were not carried out."
    ),
    "unreadable": say("Your draft was not sealed at the deadline, because it could not be read as orders."),
    "unticked": say("Your draft was not used: you had not ticked the box to seal it at the deadline."),
    "replaced": say("Your last draft was not used, because you had sealed orders; those counted instead."),
}
"""What became of a draft when its exchange closed, as its owner reads it."""
IN_PART = ("unsent", "requests")
"""The fates of drafts of which only a part was carried out."""


class Draft(msgspec.Struct, frozen=True):
    """An account's draft. `version` counts the changes; `at_deadline` means that it is sealed at the deadline."""

    exchange: int
    text: str
    version: int
    at_deadline: bool = False
    saved_at: int = 0


class Conflict(msgspec.Struct, frozen=True):
    """Another tab has saved a newer draft; nothing was overwritten."""

    other: Draft


def create_tables(database: Database) -> None:
    """Create the tables: one draft for each match, seat and account, and what became of it in each exchange."""
    database.execute(
        "CREATE TABLE IF NOT EXISTS draft_fates (match TEXT NOT NULL, seat TEXT NOT NULL, account TEXT NOT NULL, "
        "exchange INTEGER NOT NULL, fate TEXT NOT NULL, PRIMARY KEY (match, seat, account, exchange))"
    )
    database.execute(
        "CREATE TABLE IF NOT EXISTS drafts (match TEXT NOT NULL, seat TEXT NOT NULL, account TEXT NOT NULL, "
        "exchange INTEGER NOT NULL, version INTEGER NOT NULL, at_deadline INTEGER NOT NULL, "
        "saved_at INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (match, seat, account))"
    )


def save(
    server: Server, match: str, seat: str, account: str, exchange: int, text: str, version: int, *, at_deadline: bool
) -> Draft | Conflict:
    """Save a draft based on `version`; do not overwrite a draft that another tab has saved in the meantime."""
    with server.store.transaction() as transaction:
        before = _read(server, transaction.database, match, seat, account)
        if before is not None and before.exchange == exchange and before.version != version and before.text != text:
            return Conflict(before)
        number = 1 + (before.version if before is not None and before.exchange == exchange else 0)
        kept = Draft(exchange, text, number, at_deadline, server.store.clock())
        transaction.database.execute(
            upsert("drafts", "match, seat, account", "exchange, version, at_deadline, saved_at, content"),
            (match, seat, account, exchange, number, at_deadline, kept.saved_at, _encrypt(server, match, seat, text)),
        )
        return kept


def draft_of(server: Server, match: str, seat: str, account: str, exchange: int) -> Draft | None:
    """Return an account's draft for the open exchange."""
    found = _read(server, server.database, match, seat, account)
    return found if found is not None and found.exchange == exchange else None


def close(server: Server, match: str, exchange: int, counting: Mapping[str, Event]) -> None:
    """Delete all drafts of a match after its exchange has closed, and note what became of them."""
    with server.store.transaction() as transaction:
        database = transaction.database
        rows = database.execute("SELECT seat, account FROM drafts WHERE match = ?", (match,)).fetchall()
        for seat, account in rows:
            draft = _read(server, database, match, seat, account)
            if draft is None or draft.exchange != exchange or not draft.text.strip():
                continue
            if fate := _fate(server, draft, counting.get(seat)):
                _note(database, (match, seat, account, exchange), fate)
        database.execute("DELETE FROM drafts WHERE match = ?", (match,))


def note_fate(server: Server, match: str, seat: str, account: str, exchange: int, fate: str) -> None:
    """Note what became of a draft that was sealed in part."""
    with server.store.transaction() as transaction:
        _note(transaction.database, (match, seat, account, exchange), fate)


def _note(database: Database, key: tuple[str, str, str, int], fate: str) -> None:
    where = "match = ? AND seat = ? AND account = ? AND exchange = ?"
    known = database.execute(f"SELECT fate FROM draft_fates WHERE {where}", key).fetchone()
    if known is None or fate != "sealed" or known[0] not in IN_PART:
        database.execute(upsert("draft_fates", "match, seat, account, exchange", "fate"), (*key, fate))


def _fate(server: Server, draft: Draft, order: Event | None) -> str:
    """What became of a draft, given the order that counts; empty if the order is newer or says the same."""
    if order is None:
        return "unreadable" if draft.at_deadline else "unticked"
    contents = {ref.name: msgspec.json.decode(server.content(ref.commitment)) for ref in order.parts}
    if contents.get("sent", {}).get("source") == SOURCE:
        return "sealed"
    same = contents["order"]["text"].split() == draft.text.split()
    return "replaced" if draft.saved_at > order.recorded_at and not same else ""


def fates(server: Server, match: str, seat: str, account: str, exchanges: Sequence[int]) -> list[Message]:
    """What became of an account's drafts in these exchanges, in sentences for their owner."""
    rows = server.database.execute(
        "SELECT exchange, fate FROM draft_fates WHERE match = ? AND seat = ? AND account = ? ORDER BY exchange",
        (match, seat, account),
    ).fetchall()
    return [FATES[fate] for exchange, fate in rows if exchange in exchanges]


def erase(transaction: Transaction, account: str) -> None:
    """Delete all drafts of an account that is being erased."""
    for table in ("drafts", "draft_fates"):
        transaction.database.execute(f"DELETE FROM {table} WHERE account = ?", (account,))


def of_account(server: Server, account: str) -> list[dict[str, object]]:
    """All drafts of an account."""
    rows = server.database.execute("SELECT match, seat FROM drafts WHERE account = ?", (account,)).fetchall()
    found = [(match, seat, _read(server, server.database, match, seat, account)) for match, seat in rows]
    return [{"match": match, "seat": seat, "text": draft.text} for match, seat, draft in found if draft is not None]


def fates_of_account(server: Server, account: str) -> list[dict[str, object]]:
    """What became of the drafts of an account, exchange by exchange."""
    rows = server.database.execute(
        "SELECT match, seat, exchange, fate FROM draft_fates WHERE account = ? ORDER BY match, seat, exchange",
        (account,),
    ).fetchall()
    names = ("match", "seat", "exchange", "fate")
    return [dict(zip(names, row, strict=True)) for row in rows]


def _read(server: Server, database: Database, match: str, seat: str, account: str) -> Draft | None:
    row = database.execute(
        "SELECT exchange, version, at_deadline, saved_at, content FROM drafts "
        "WHERE match = ? AND seat = ? AND account = ?",
        (match, seat, account),
    ).fetchone()
    if row is None:
        return None
    exchange, version, at_deadline, saved_at, content = row
    try:
        text = _decrypt(server, match, seat, content)
    except InvalidTag:  # it was written under another key of the server
        return None
    return Draft(exchange, text, version, bool(at_deadline), saved_at)


# At rest -----------------------------------------------------------------------------------------------------


def _cipher(server: Server) -> AESGCM:
    """Return the cipher for all drafts; its key is the hash of a signature that only the server's key can make."""
    return AESGCM(server.signer.derive(["pbem", "key of drafts"]))


def _encrypt(server: Server, match: str, seat: str, text: str) -> bytes:
    nonce = secrets.token_bytes(NONCE)
    return nonce + _cipher(server).encrypt(nonce, text.encode(), f"{match}/{seat}".encode())


def _decrypt(server: Server, match: str, seat: str, content: bytes) -> str:
    return _cipher(server).decrypt(content[:NONCE], content[NONCE:], f"{match}/{seat}".encode()).decode()
