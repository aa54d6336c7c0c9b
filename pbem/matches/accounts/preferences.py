"""An account's own settings: preferences, a password, more addresses.

    preferences      profile, set_profile: time zone, language, which emails
    password         set_password, remove_password, has_password, by_password
    link             ask_link
    addresses        ask_address, confirm_address, remove_address, put_first

Facts are events in the account's stream, and their content is in parts that can be erased; tables index them.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from eventstore import Database, Event, Transaction, upsert
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.messages import say
from pbem.matches.accounts import accounts
from pbem.matches.accounts.accounts import Account, account, by_address, clean_address, stream_of
from pbem.matches.clock.deadlines import DAY, SECOND
from pbem.matches.events import (
    AccountEvent,
    AddressAsked,
    AddressPreferred,
    AddressRemoved,
    LinkAsked,
    PasswordRemoved,
    PasswordSet,
    PreferencesSet,
)
from pbem.matches.history.replay import SERVER
from pbem.matches.post import outbox, reply_tokens
from pbem.matches.server import Server
from pbem.matches.unit_of_work import part

MAILS = {
    "turn": say("after each turn, with the report and the form"),
    "mine": say("only when I have orders to give"),
    "digest": say("one email a day about all my matches"),
}
"""The kinds of unsolicited email that an account may choose, in words."""
LANGUAGES = {
    "en": "English",
    "de": "Deutsch",
    "es": "español",
    "fr": "français",
    "it": "italiano",
    "nl": "Nederlands",
    "pl": "polski",
    "ru": "русский",
    "ja": "日本語",
}
EVENING = 18
"""The hour of the day's digest."""
LONGEST_DIGEST = 2 * DAY
"""How far back the digest looks."""
MOST_ADDRESSES = 5
SHORTEST, LONGEST = 10, 200
"""The shortest and the longest password, in characters."""


def create_tables(database: Database) -> None:
    database.execute("CREATE TABLE IF NOT EXISTS profiles (account TEXT PRIMARY KEY, content TEXT NOT NULL)")
    database.execute(
        "CREATE TABLE IF NOT EXISTS passwords (account TEXT PRIMARY KEY, hash TEXT NOT NULL, part TEXT NOT NULL)"
    )


# Preferences -------------------------------------------------------------------------------------------------


class Profile(msgspec.Struct, frozen=True):
    """An account's language, time zone and choice of emails."""

    zone: str = "UTC"
    language: str = "en"
    mails: str = "turn"


def profile(server: Server, id: str) -> Profile:
    return _stored_profile(server, id) or Profile()


def _stored_profile(server: Server, id: str) -> Profile | None:
    """The preferences that an account has set."""
    query = "SELECT content FROM profiles WHERE account = ?"
    row = server.once(("profile", id), lambda: server.database.execute(query, (id,)).fetchone())
    return msgspec.json.decode(row[0], type=Profile) if row else None


def zone_for(server: Server, id: str, agreed: str = "UTC") -> str:
    """Return the account's time zone: the chosen one, otherwise that of its match."""
    chosen = _stored_profile(server, id)
    return chosen.zone if chosen else agreed


def set_profile(server: Server, id: str, wanted: Profile) -> Profile:
    """Store the preferences; refuse a language, time zone or choice of emails that does not exist."""
    if wanted.zone not in zones():
        raise Unreadable(wanted.zone, [Objection("pbem/account", say("no time zone has that name"))])
    if wanted.language not in LANGUAGES:
        raise Unreadable(wanted.language, [Objection("pbem/account", say("that language is not available"))])
    if wanted.mails not in MAILS:
        raise Unreadable(wanted.mails, [Objection("pbem/account", say("that is not one of the choices"))])
    content = msgspec.json.encode(wanted).decode()
    with server.store.transaction("account") as transaction:
        _append(server, transaction, PreferencesSet(id), "preferences", id, msgspec.to_builtins(wanted))
        transaction.database.execute(upsert("profiles", "account", "content"), (id, content))
    return wanted


def only_mine(server: Server, id: str) -> bool:
    """Whether the account wants reports only when it has a decision to make."""
    return profile(server, id).mails == "mine"


def owe_digest(server: Server, id: str, since: int, wanted: Profile) -> None:
    """Queue the daily digest for the evening in the reader's time zone, once."""
    here = datetime.fromtimestamp(since / SECOND, ZoneInfo(wanted.zone))
    evening = here.replace(hour=EVENING, minute=0, second=0, microsecond=0)
    due = evening if here < evening else evening + timedelta(days=1)
    with server.store.transaction("digest") as transaction:
        at = int(due.timestamp()) * SECOND
        outbox.queue(transaction, "digest", at=at, key=due.date().isoformat(), account=id)


def collected_notifications(server: Server, id: str, digest: outbox.Owed) -> list[outbox.Owed]:
    """Return the notifications collected since the account's last digest."""
    owed = outbox.of_account(server, id)
    before = [other.queued_at for other in owed if other.kind == "digest" and other.queued_at < digest.queued_at]
    since = max([digest.queued_at - LONGEST_DIGEST, *before])
    given_up = (other for other in owed if other.sent_at is None and other.error == outbox.UNWANTED)
    return [other for other in given_up if since < other.queued_at <= digest.queued_at]


@cache
def zones() -> tuple[str, ...]:
    """The time zones of the world by name, the usual ones first."""
    return ("UTC", *sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/")))


def erase(transaction: Transaction, account: str) -> None:
    """Forget the settings of an erased account; their parts are erased with the account's stream."""
    for table in ("profiles", "passwords"):
        transaction.database.execute(f"DELETE FROM {table} WHERE account = ?", (account,))


# The password ------------------------------------------------------------------------------------------------

HASHER = PasswordHasher()
ONE_AT_A_TIME = threading.Lock()
"""Lets one password be checked at a time: a check takes 64 MB on purpose, and many would fill the memory."""


@cache
def nobodys_hash(hasher: PasswordHasher) -> str:
    """A dummy hash for the passwords of unknown addresses, so that their check takes as long as any other."""
    return hasher.hash("the password of nobody")


def set_password(server: Server, id: str, password: str) -> None:
    """Let the account sign in with a password as well as by emailed links."""
    if not SHORTEST <= len(password) <= LONGEST:
        why = say("a password must have {shortest} to {longest} characters", shortest=SHORTEST, longest=LONGEST)
        raise Unreadable("password", [Objection("pbem/account", why)], ["several words in a row"])
    if password.lower() in (account(server, id).name.lower(), *account(server, id).addresses):
        raise Unreadable(
            "password",
            [Objection("pbem/account", say("a password must not contain your name or address: others know them"))],
        )
    with ONE_AT_A_TIME:
        hash = HASHER.hash(password)
    with server.store.transaction("account") as transaction:
        _erase_password(transaction, id)
        event = _append(server, transaction, PasswordSet(id), "password", SERVER, hash)
        values = (id, hash, event.parts[0].commitment)
        transaction.database.execute(upsert("passwords", "account", "hash, part"), values)


def remove_password(server: Server, id: str) -> None:
    with server.store.transaction("account") as transaction:
        if _erase_password(transaction, id):
            _append(server, transaction, PasswordRemoved(id))


def _erase_password(transaction: Transaction, id: str) -> bool:
    row = transaction.database.execute("SELECT part FROM passwords WHERE account = ?", (id,)).fetchone()
    if row is not None:
        transaction.erase(row[0])
        transaction.database.execute("DELETE FROM passwords WHERE account = ?", (id,))
    return row is not None


def has_password(server: Server, id: str) -> bool:
    return server.database.execute("SELECT 1 FROM passwords WHERE account = ?", (id,)).fetchone() is not None


def by_password(server: Server, address: str, password: str) -> Account | None:
    """Return the account with this address and password. The check takes equally long whether or not there is one."""
    known = by_address(server, address)
    query = "SELECT hash FROM passwords WHERE account = ?"
    row = server.database.execute(query, (known.id if known else "",)).fetchone()
    with ONE_AT_A_TIME:
        try:
            HASHER.verify(row[0] if row else nobodys_hash(HASHER), password)
        except VerificationError:
            return None
    return known if row else None


def ask_link(server: Server, address: str) -> Account:
    """Send a sign-in link by email. An unknown address gets an account; either way one event is recorded."""
    known = by_address(server, address)
    if known is None:
        return accounts.open_account(server, address)
    with server.store.transaction("account") as transaction:
        _append(server, transaction, LinkAsked(known.id), "address", known.id, clean_address(address))
    return known


# More addresses ----------------------------------------------------------------------------------------------


def ask_address(server: Server, id: str, address: str) -> None:
    """Queue an email to an address that is to be added to the account; its owner confirms it."""
    wanted = clean_address(address)
    if len(account(server, id).addresses) >= MOST_ADDRESSES:
        why = Objection(
            "pbem/address",
            say("an account can have at most {most_addresses} addresses", most_addresses=MOST_ADDRESSES),
        )
        raise Illegal(wanted, [why], ["remove one first"])
    with server.store.transaction("account") as transaction:
        event = _append(server, transaction, AddressAsked(id), "address", id, wanted)
        outbox.queue(
            transaction,
            "address",
            at=event.recorded_at,
            key=event.hash,
            account=id,
            about={"number": event.version},
        )


def asked_address(server: Server, id: str, number: int) -> str:
    """The address that is to be confirmed."""
    for event in server.store.read(stream_of(id), after=number - 1, upto=number):
        if event.type == "address.asked" and (found := server.store.parts([event.parts[0].commitment])):
            return msgspec.json.decode(next(iter(found.values())).content, type=str)
    raise reply_tokens.NotValid


def address_token(server: Server, id: str, number: int) -> str:
    return reply_tokens.make(server, use="address", account=id, number=number)


def confirm_address(server: Server, token: str) -> Account:
    """Add an address to the account, because the token proves access to its mailbox."""
    said = reply_tokens.expect(server, token, "address")
    return accounts.add_address(server, said.account, asked_address(server, said.account, said.number))


def remove_address(server: Server, id: str, address: str) -> Account:
    """Stop accepting email from this address, unless it is the last one, which the account needs to sign in."""
    known = account(server, id)
    if address not in known.addresses:
        raise Unreadable(
            address, [Objection("pbem/address", say("that is not one of your addresses"))], known.addresses
        )
    if len(known.addresses) == 1:
        raise Illegal(address, [Objection("pbem/address", say("that is your only address"))], ["add another first"])
    with server.store.transaction("account") as transaction:
        for commitment in parts_with(server, stream_of(id), address):
            transaction.erase(commitment)
        _append(server, transaction, AddressRemoved(id))
        transaction.database.execute("DELETE FROM addresses WHERE address = ? AND account = ?", (address, id))
    return account(server, id)


def put_first(server: Server, id: str, address: str) -> Account:
    """Send email to this address from now on."""
    known = account(server, id)
    if address not in known.addresses:
        raise Unreadable(
            address, [Objection("pbem/address", say("that is not one of your addresses"))], known.addresses
        )
    with server.store.transaction("account") as transaction:
        _append(server, transaction, AddressPreferred(id), "address", id, address)
        rest = [other for other in known.addresses if other != address]
        transaction.database.execute("DELETE FROM addresses WHERE account = ?", (id,))
        for each in (address, *rest):
            transaction.database.execute("INSERT INTO addresses (address, account) VALUES (?, ?)", (each, id))
    return account(server, id)


def parts_with(server: Server, stream: str, address: str) -> Iterator[str]:
    """The parts of a stream that hold this address and nothing else."""
    for event in server.store.read(stream):
        found = server.store.parts(ref.commitment for ref in event.parts if ref.name == "address")
        for commitment, kept in found.items():
            if msgspec.json.decode(kept.content) == address:
                yield commitment


def _append(
    server: Server,
    transaction: Transaction,
    event: AccountEvent,
    name: str = "",
    audience: str = "",
    content: object = None,
) -> Event:
    """Record an event about the account, with one part if the part has a name."""
    version = transaction.version(stream_of(event.id))
    parts = (part(server, event.id, version + 1, name, audience, content),) if name else ()
    return accounts.append(transaction, event, *parts)
