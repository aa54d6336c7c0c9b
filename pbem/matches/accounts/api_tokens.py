"""API tokens: secrets with which a program acts for an account. Only the hash of a token's secret is stored.

scope      what the token allows
read       what the account may see
play       the same, and orders, seats and new matches
master     the same, and the game master's desk in matches that the account runs
account    its preferences, addresses and sessions, all its data, and its deletion
operator   the condition of the server and its hold, if the account is an operator
calendar   the account's deadlines, in an address for calendar programs
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec

from eventstore import Database, Transaction
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.messages import say
from pbem.matches.accounts import accounts
from pbem.matches.clock.deadlines import HOUR, now
from pbem.matches.events import TokenMade, TokenRevoked
from pbem.matches.server import Server
from pbem.matches.unit_of_work import part

SCOPES = {
    "read": say("read everything that you can see"),
    "play": say("read everything that you can see, send orders, take seats, create matches"),
    "master": say("read everything that you can see, and act as game master in your matches"),
    "account": say("change your name, preferences and addresses, end sessions, export and delete your data"),
    "operator": say("see the server's health and put it on hold, if you are an operator"),
    "calendar": say("read your deadlines, so that a calendar program can show them"),
}
"""Each scope and what it lets a program do, as shown on the page that offers it."""

READING = ("read", "play", "master")
"""The scopes that allow reading what the account may see."""

PREFIX = "pbem_"
MOST = 20
LONGEST_NAME = 60
DAY = 24 * HOUR
COLUMNS = "id, account, name, scopes, made_at, until, used_at"


class ApiToken(msgspec.Struct, frozen=True):
    """The stored facts about a token, never its secret. `used_at` is accurate to the hour."""

    id: str
    account: str
    name: str
    scopes: tuple[str, ...]
    made_at: int
    until: int
    used_at: int | None = None

    def opens(self, scope: str) -> bool:
        return scope in self.scopes or (scope == "read" and any(given in READING for given in self.scopes))


def create_tables(database: Database) -> None:
    database.execute(
        "CREATE TABLE IF NOT EXISTS api_tokens (digest TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, "
        "account TEXT NOT NULL, name TEXT NOT NULL, scopes TEXT NOT NULL, made_at INTEGER NOT NULL, "
        "until INTEGER NOT NULL, used_at INTEGER)"
    )


def make(server: Server, account: str, name: str, scopes: Sequence[str], *, days: int = 365) -> tuple[ApiToken, str]:
    """Return a new token and its secret, which cannot be shown again."""
    for scope in scopes:
        if scope not in SCOPES:
            raise Unreadable(scope, [Objection("pbem/token", say("no scope has that name"))], list(SCOPES))
    if not scopes:
        raise Unreadable(
            "scopes", [Objection("pbem/token", say("choose at least one scope for the token"))], list(SCOPES)
        )
    if not 0 < days <= 3660:
        raise Unreadable(str(days), [Objection("pbem/token", say("a token lasts 1 to 3660 days"))], ["365"])
    drawn = server.entropy(f"api-token/{account}/{server.store.version(accounts.stream_of(account))}")
    word = PREFIX + base64.b32encode(drawn).decode().rstrip("=").lower()
    digest, at = digest_of(word), now(server)
    shown = name.strip()[:LONGEST_NAME] or "a program"
    token = ApiToken(digest[:12], account, shown, tuple(dict.fromkeys(scopes)), at, at + days * DAY)
    with server.store.transaction("api-token") as transaction:
        if len(of_account(server, account)) >= MOST:
            raise Illegal(
                "token", [Objection("pbem/token", say("you already have {most} tokens; revoke one first", most=MOST))]
            )
        _record(server, transaction, token)
        transaction.database.execute(
            f"INSERT INTO api_tokens (digest, {COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, NULL)",
            (digest, token.id, account, shown, " ".join(token.scopes), at, token.until),
        )
    return token, word


def _record(server: Server, transaction: Transaction, token: ApiToken) -> None:
    stream = accounts.stream_of(token.account)
    version = transaction.version(stream)
    # The purpose of the token is private to the account.
    name = part(server, token.account, version + 1, "token", token.account, token.name)
    transaction.append(stream, [TokenMade(token.id, list(token.scopes)).new(name)], expected=version)


def of_account(server: Server, account: str) -> list[ApiToken]:
    """The tokens of an account, oldest first."""
    return _select(server, "account = ? ORDER BY made_at, rowid", account)


def revoke(server: Server, account: str, id: str) -> None:
    """Revoke one of this account's tokens."""
    with server.store.transaction("api-token") as transaction:
        gone = transaction.database.execute("DELETE FROM api_tokens WHERE account = ? AND id = ?", (account, id))
        if not gone.rowcount:
            raise Illegal(id, [Objection("pbem/token", say("you have no token with that id"))])
        stream = accounts.stream_of(account)
        transaction.append(stream, [TokenRevoked(id).new()], expected=transaction.version(stream))


def erase(transaction: Transaction, account: str) -> None:
    """Forget all tokens of an account that is being erased."""
    transaction.database.execute("DELETE FROM api_tokens WHERE account = ?", (account,))


def find(server: Server, word: str) -> ApiToken | None:
    """Return the token with this secret, if it is valid; its use is noted once an hour."""
    token = next(iter(_select(server, "digest = ?", digest_of(word))), None)
    at = now(server)
    if token is None or at >= token.until or not accounts.account(server, token.account).addresses:
        return None
    if token.used_at is None or at - token.used_at >= HOUR:
        server.database.execute("UPDATE api_tokens SET used_at = ? WHERE id = ?", (at, token.id))
    return token


def digest_of(word: str) -> str:
    """Return a token's hash. A token has 256 random bits, so a plain hash reveals nothing."""
    return hashlib.sha256(word.encode()).hexdigest()


def _select(server: Server, where: str, *values: Any) -> list[ApiToken]:
    rows = server.database.execute(f"SELECT {COLUMNS} FROM api_tokens WHERE {where}", values).fetchall()
    return [ApiToken(id, account, name, tuple(scopes.split()), *times) for id, account, name, scopes, *times in rows]
