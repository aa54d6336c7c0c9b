"""Accounts: the people and bots that play.

An address is a part of its event, so it can be erased; tables index it.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from email.utils import parseaddr

import msgspec

from eventstore import Database, Event, NewPart, Transaction, create_table
from pbem.engine.rules.findings import PUBLIC
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.messages import say
from pbem.matches.accounts import names
from pbem.matches.accounts.names import BOT
from pbem.matches.events import (
    AccountEvent,
    AccountForgotten,
    AccountMuted,
    AccountOpened,
    AccountRenamed,
    AccountUnmuted,
    AddressAdded,
)
from pbem.matches.server import Server
from pbem.matches.unit_of_work import part

MOST_NAME = 40


class Account(msgspec.Struct, frozen=True):
    """A person or bot that can occupy a seat. Emails go to the first of the addresses."""

    id: str
    name: str
    addresses: tuple[str, ...] = ()
    muted: bool = False

    @property
    def is_bot(self) -> bool:
        return self.id.startswith(BOT)


def create_tables(database: Database) -> None:
    database.execute("CREATE TABLE IF NOT EXISTS addresses (address TEXT PRIMARY KEY, account TEXT NOT NULL)")
    columns = "id TEXT PRIMARY KEY, name TEXT NOT NULL, muted INTEGER NOT NULL"
    if create_table(database, "accounts", columns, {"look": "TEXT NOT NULL DEFAULT ''"}):
        for id, name in database.execute("SELECT id, name FROM accounts").fetchall():
            database.execute("UPDATE accounts SET look = ? WHERE id = ?", (names.look_of(name), id))
    database.execute("CREATE INDEX IF NOT EXISTS accounts_look ON accounts (look)")
    database.execute("CREATE INDEX IF NOT EXISTS addresses_account ON addresses (account)")


def stream_of(id: str) -> str:
    return f"account/{id}"


def clean_address(text: str) -> str:
    """Return the bare address in lower case; refuse text that is not an address."""
    address = parseaddr(text)[1].strip().lower()
    name, at, host = address.rpartition("@")
    if not (name and at and host) or any(sign.isspace() for sign in address):
        raise Unreadable(
            text, [Objection("pbem/address", say("that is not a valid email address"))], ["name@example.org"]
        )
    return address


def clean_name(text: str) -> str:
    """Return a single line that fits into a list, without invisible characters or ones that reverse the text."""
    return names.visible(text)[:MOST_NAME].strip()


def default_name(address: str) -> str:
    """Return the display name of an account that has not chosen one."""
    return address.partition("@")[0].partition("+")[0]


# Reading -----------------------------------------------------------------------------------------------------


FOUND = (
    "SELECT accounts.name, accounts.muted, addresses.address FROM accounts "
    "LEFT JOIN addresses ON addresses.account = accounts.id WHERE accounts.id = ? ORDER BY addresses.rowid"
)


def account(server: Server, id: str) -> Account:
    return server.once(("account", id), lambda: _account(server, id))


def _account(server: Server, id: str) -> Account:
    rows = server.database.execute(FOUND, (id,)).fetchall()
    if not rows:
        if id.startswith(BOT):
            return Account(id, id)
        raise KeyError(f"there is no account {id}")
    name, muted, _ = rows[0]
    return Account(id, name, tuple(address for _, _, address in rows if address is not None), bool(muted))


def exists(server: Server, id: str) -> bool:
    """Whether there is such an account."""
    return server.database.execute("SELECT 1 FROM accounts WHERE id = ?", (id,)).fetchone() is not None


def by_address(server: Server, address: str) -> Account | None:
    """Return the account with this address."""
    try:
        wanted = clean_address(address)
    except Unreadable:
        return None
    row = server.database.execute("SELECT account FROM addresses WHERE address = ?", (wanted,)).fetchone()
    return None if row is None else account(server, row[0])


# Acts --------------------------------------------------------------------------------------------------------


def open_account(server: Server, address: str, name: str = "") -> Account:
    """Return the account with this address; open one if there is none."""
    wanted = clean_address(address)
    shown = clean_name(name) or default_name(wanted)
    with server.store.transaction("account") as transaction:
        known = by_address(server, wanted)
        if known is not None:
            return known
        id = base64.b32encode(server.entropy(f"account/{wanted}"))[:8].decode().lower()
        shown = _free_name(transaction, shown)
        parts = (_address_part(server, id, 1, wanted), part(server, id, 1, "name", PUBLIC, shown))
        transaction.append(stream_of(id), [AccountOpened(id).new(*parts)], expected=0)
        _insert(transaction, id, shown)
        transaction.database.execute("INSERT INTO addresses (address, account) VALUES (?, ?)", (wanted, id))
    return account(server, id)


def open_bot(server: Server, name: str) -> Account:
    """Return the account of a bot; open one if there is none."""
    id = name if name.startswith(BOT) else f"{BOT}{name}"
    with server.store.transaction("account") as transaction:
        if transaction.version(stream_of(id)) == 0:
            parts = (part(server, id, 1, "name", PUBLIC, id),)
            transaction.append(stream_of(id), [AccountOpened(id).new(*parts)], expected=0)
            _insert(transaction, id, id)
    return account(server, id)


def introduce(server: Server, transaction: Transaction, id: str, name: str) -> None:
    """Add a player from another server, with the id and name used there, who has no address here."""
    if transaction.version(stream_of(id)) == 0 and not id.startswith(BOT):
        shown = _free_name(transaction, clean_name(name) or id)
        event = AccountOpened(id).new(part(server, id, 1, "name", PUBLIC, shown))
        transaction.append(stream_of(id), [event], expected=0)
        _insert(transaction, id, shown)


def add_address(server: Server, id: str, address: str) -> Account:
    """Accept orders from this address for the account."""
    wanted = clean_address(address)
    with server.store.transaction("account") as transaction:
        known = by_address(server, wanted)
        if known is not None and known.id != id:
            raise Unreadable(address, [Objection("pbem/address", say("that address belongs to another account"))])
        if known is None:
            version = transaction.version(stream_of(id))
            event = AddressAdded(id).new(_address_part(server, id, version + 1, wanted))
            transaction.append(stream_of(id), [event], expected=version)
            transaction.database.execute("INSERT INTO addresses (address, account) VALUES (?, ?)", (wanted, id))
    return account(server, id)


def rename(server: Server, id: str, name: str) -> Account:
    """Change the display name; it must not look like anyone else's."""
    shown = clean_name(name) or account(server, id).name
    with server.store.transaction("account") as transaction:
        if names.is_reserved(shown) or _is_taken(transaction, shown, id):
            instead = [_free_name(transaction, shown)]
            raise Illegal(name, [Objection("pbem/name", say("another player's name looks the same"))], instead)
        version = transaction.version(stream_of(id))
        kept = part(server, id, version + 1, "name", PUBLIC, shown)
        transaction.append(stream_of(id), [AccountRenamed(id).new(kept)], expected=version)
        _set_name(transaction, id, shown)
    return account(server, id)


def mute(server: Server, id: str, muted: bool = True) -> None:
    """Send this account only answers to its own emails."""
    with server.store.transaction("account") as transaction:
        set_muted(transaction, id, muted)


def set_muted(transaction: Transaction, id: str, muted: bool) -> None:
    append(transaction, AccountMuted(id) if muted else AccountUnmuted(id))
    transaction.database.execute("UPDATE accounts SET muted = ? WHERE id = ?", (int(muted), id))


def forget(server: Server, id: str, with_it: Callable[[Transaction], None] | None = None) -> None:
    """Erase name and addresses. What the account played stays on record under its id."""
    with server.store.transaction("account") as transaction:
        if with_it is not None:
            with_it(transaction)
        for event in server.store.read(stream_of(id)):
            for ref in event.parts:
                transaction.erase(ref.commitment)
        append(transaction, AccountForgotten(id))
        _set_name(transaction, id, id)
        transaction.database.execute("DELETE FROM addresses WHERE account = ?", (id,))


def _insert(transaction: Transaction, id: str, name: str) -> None:
    row = (id, name, names.look_of(name))
    transaction.database.execute("INSERT INTO accounts (id, name, muted, look) VALUES (?, ?, 0, ?)", row)


def _set_name(transaction: Transaction, id: str, name: str) -> None:
    row = (name, names.look_of(name), id)
    transaction.database.execute("UPDATE accounts SET name = ?, look = ? WHERE id = ?", row)


def _is_taken(transaction: Transaction, name: str, id: str = "") -> bool:
    """Whether another account has a name that looks like this one."""
    query = "SELECT 1 FROM accounts WHERE look = ? AND id <> ? LIMIT 1"
    return transaction.database.execute(query, (names.look_of(name), id)).fetchone() is not None


def _free_name(transaction: Transaction, name: str) -> str:
    """Return the name, or the first of "name 2", "name 3" that does not look like anyone else's."""
    base = f"player {name}" if names.is_reserved(name) else name
    found, number = base, 1
    while _is_taken(transaction, found):
        number += 1
        found = f"{base[: MOST_NAME - 6]} {number}"
    return found


def append(transaction: Transaction, event: AccountEvent, *parts: NewPart) -> Event:
    """Record an event about an account."""
    stream = stream_of(event.id)
    return transaction.append(stream, [event.new(*parts)], expected=transaction.version(stream))[0]


def _address_part(server: Server, id: str, version: int, address: str) -> NewPart:
    return part(server, id, version, "address", id, address)
