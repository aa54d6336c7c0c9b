"""Tokens: the right to act for a seat, or to sign in, as a string that fits into an email address.

A token states its use, a match (or an account), a number, a seat and the occupancy. Its MAC has 80 bits. A token
that is forged, damaged, expired or from a former occupant gets the same refusal, which reveals nothing.

    use          number
    orders       the exchange
    invitation   which invitation of the match
    confirm      the message that is held
    sign-in      the hour since 1970 until which it can be used, once
    stop         none: no more email to the account
    address      the event of the account that asked for it
    tournament   which tournament of the server
    account      none: commands of the account by mail
    judge        the dispute and the place on its panel; the occupancy is the event that named the panel
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re

import msgspec

from eventstore import Database
from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.text.messages import say
from pbem.matches.clock.deadlines import HOUR, now
from pbem.matches.events import MatchCreated, content_as
from pbem.matches.history.replay import stream_of
from pbem.matches.post import outbox
from pbem.matches.server import Server

USES = ("orders", "invitation", "confirm", "sign-in", "stop", "address", "tournament", "master", "account", "judge")
OF_ACCOUNTS = ("sign-in", "stop", "address", "tournament", "account")
NO_SEAT = 255
PAYLOAD, MAC = 12, 10
LENGTH = 36
"""The number of characters of a token: 22 bytes in base32, without padding."""

TOKEN = re.compile(rf"(?<![a-z2-7])[a-z2-7]{{{LENGTH}}}(?![a-z2-7])", re.IGNORECASE)
MOST_KEPT = 4096
"""The number of matches whose seats are kept in memory."""

SIGN_IN_HOURS = 24


class Token(msgspec.Struct, frozen=True, kw_only=True):
    use: str
    match: str = ""
    account: str = ""
    number: int = 0
    seat: str = ""
    occupancy: int = 0


class NotValid(Unreadable):
    """Every invalid token gets the same refusal."""

    def __init__(self) -> None:
        super().__init__("", [Objection("pbem/token", say("this code is wrong or has expired"))])


def create_tables(database: Database) -> None:
    database.execute("CREATE TABLE IF NOT EXISTS spent_tokens (digest TEXT PRIMARY KEY, spent_at INTEGER NOT NULL)")


def make(
    server: Server,
    *,
    use: str,
    match: str = "",
    account: str = "",
    number: int = 0,
    seat: str = "",
    occupancy: int = 0,
) -> str:
    payload = (
        bytes([USES.index(use)])
        + base64.b32decode((account if use in OF_ACCOUNTS else match).upper())
        + number.to_bytes(3, "big")
        + bytes([seats_of(server, match).index(seat) if seat else NO_SEAT])
        + occupancy.to_bytes(2, "big")
    )
    return base64.b32encode(payload + _mac(server, payload)).decode().rstrip("=").lower()


def read(server: Server, text: str) -> Token:
    """Return the content of a genuine token. The caller decides whether it is still valid."""
    word = text.strip().upper()
    try:
        content = base64.b32decode(word + "=" * (-len(word) % 8))
    except (binascii.Error, ValueError):
        raise NotValid from None
    payload, mac = content[:PAYLOAD], content[PAYLOAD:]
    if len(word) != LENGTH or len(mac) != MAC or not hmac.compare_digest(mac, _mac(server, payload)):
        raise NotValid
    use, id = USES[payload[0]], base64.b32encode(payload[1:6]).decode().lower()
    match = "" if use in OF_ACCOUNTS else id
    return Token(
        use=use,
        match=match,
        account=id if use in OF_ACCOUNTS else "",
        number=int.from_bytes(payload[6:9], "big"),
        seat="" if payload[9] == NO_SEAT else seats_of(server, match)[payload[9]],
        occupancy=int.from_bytes(payload[10:12], "big"),
    )


def expect(server: Server, text: str, use: str) -> Token:
    token = read(server, text)
    if token.use != use:
        raise NotValid
    return token


def find(text: str) -> list[str]:
    """Return the words in a text that look like tokens, without repeats, in order."""
    return list(dict.fromkeys(word.lower() for word in TOKEN.findall(text)))


def seats_of(server: Server, match: str) -> list[str]:
    """The seats of a match, which never change."""
    if match not in server.seats:
        events = server.store.read(stream_of(match), upto=1)
        if not events:
            return []
        while len(server.seats) >= MOST_KEPT:
            server.seats.pop(next(iter(server.seats)), None)
        server.seats[match] = content_as(events[0], MatchCreated).seats
    return server.seats[match]


# Signing in --------------------------------------------------------------------------------------------------


def make_sign_in(server: Server, account: str) -> str:
    """A token that signs an account in, once, within a day."""
    unlike = int.from_bytes(server.entropy(f"sign-in/{account}/{now(server)}")[:2], "big")
    return make(server, use="sign-in", account=account, number=now(server) // HOUR + SIGN_IN_HOURS, occupancy=unlike)


def sign_in(server: Server, text: str) -> str:
    """Return the account of a sign-in token; the token cannot be used again."""
    token = expect(server, text, "sign-in")
    digest = hashlib.sha256(text.strip().lower().encode()).hexdigest()
    with server.store.transaction("sign-in") as transaction:
        spent = transaction.database.execute(
            "INSERT INTO spent_tokens (digest, spent_at) VALUES (?, ?) ON CONFLICT DO NOTHING", (digest, now(server))
        ).rowcount
        if not spent or now(server) // HOUR > token.number:
            raise NotValid
        outbox.forget_links(transaction, token.account)
    return token.account


def _mac(server: Server, payload: bytes) -> bytes:
    return hmac.digest(_key(server), payload, "sha256")[:MAC]


def _key(server: Server) -> bytes:
    """The key of the tokens, drawn at first use and stored in the database; it never changes."""
    if not server.token_key:
        server.token_key = _stored_key(server)
    return server.token_key


def _stored_key(server: Server) -> bytes:
    query = "SELECT value FROM house WHERE name = 'token-key'"
    row = server.database.execute(query).fetchone()
    if row is None:
        drawn = server.entropy("token-key").hex()
        insert = "INSERT INTO house (name, value) VALUES ('token-key', ?) ON CONFLICT DO NOTHING"
        server.database.execute(insert, (drawn,))
        row = server.database.execute(query).fetchone()
    return bytes.fromhex(row[0])
