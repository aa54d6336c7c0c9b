"""Webhooks: notify another server of events in a match or a tournament.

    add, remove, of_account   addresses that an account has registered, each with its own secret
    queue                     one row per public event with a registered address, from the log, so none is missed
    send_due                  deliver with a signature; retry with growing pauses, then give up

The body is public information: stream, type, version, hash. The receiver checks `X-Pbem-Signature`, an
HMAC-SHA-256 of the body under the shared secret. Only https on public addresses is called: the name is resolved once,
every address of it must be public, and the connection goes to the address that was checked. Redirects are not
followed.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import ipaddress
import logging
import socket
import ssl
from collections.abc import Callable
from urllib.parse import urlsplit

import msgspec

from eventstore import Database, Event, Transaction, canonical
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.messages import say
from pbem.matches.clock.deadlines import HOUR, MINUTE
from pbem.matches.server import Server

log = logging.getLogger("pbem.webhooks")

RULE = "pbem/webhook"
MOST, MOST_ATTEMPTS, MOST_AT_ONCE, TIMEOUT = 10, 8, 20, 10
PAUSES = (MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR)
TYPES = frozenset(
    {
        *("match.created", "exchange.resolved", "match.ended", "match.halted", "match.opened"),
        *(
            "tournament.opened",
            "round.paired",
            "round.started",
            "round.closed",
            "result.recorded",
            "result.corrected",
        ),
        "tournament.ended",
    }
)
"""The public events that webhooks report."""


class Hook(msgspec.Struct, frozen=True):
    """A registered address. `stream` is a match or a tournament, such as `tournament/autumn-cup`."""

    id: int
    account: str
    stream: str
    url: str
    secret: str


class Delivery(msgspec.Struct, frozen=True):
    """One call that is still to be made."""

    id: int
    url: str
    secret: str
    body: bytes
    attempts: int


Resolve = Callable[[str, int], list[str]]
Post = Callable[[str, str, int, str, bytes, dict[str, str]], int]


def create_tables(database: Database) -> None:
    database.execute(
        "CREATE TABLE IF NOT EXISTS webhooks (id INTEGER PRIMARY KEY, account TEXT NOT NULL, stream TEXT NOT NULL, "
        "url TEXT NOT NULL, secret TEXT NOT NULL, UNIQUE (account, stream, url))"
    )
    database.execute(
        "CREATE TABLE IF NOT EXISTS webhook_calls (id INTEGER PRIMARY KEY, hook INTEGER NOT NULL, "
        "event TEXT NOT NULL, body BLOB NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, next_at INTEGER, "
        "error TEXT NOT NULL DEFAULT '', UNIQUE (hook, event))"
    )


# Registering ----------------------------------------------------------------------------------------------------


def resolve(host: str, port: int) -> list[str]:
    """Return all addresses of a name."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(info[4][0]) for info in found]


def check_url(url: str, resolver: Resolve = resolve) -> tuple[str, int, str]:
    """Return a public address of the URL's host, its port and the host's name; refuse everything else."""
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname or parts.username or parts.password:
        raise Unreadable(
            url, [Objection(RULE, say("a webhook's address must start with https://"))], ["https://example.org/hook"]
        )
    port = parts.port or 443
    try:
        addresses = resolver(parts.hostname, port)
    except OSError as problem:
        raise Illegal(
            url, [Objection(RULE, say("the host cannot be found: {problem}", problem=problem))]
        ) from problem
    for address in addresses:
        if not is_public(address):
            raise Illegal(url, [Objection(RULE, say("the host has an address that is not public"))])
    if not addresses:
        raise Illegal(url, [Objection(RULE, say("the host has no address"))])
    return addresses[0], port, parts.hostname


def is_public(address: str) -> bool:
    """Whether an address is on the public internet: not loopback, private, link-local, multicast or reserved."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    inner = getattr(parsed, "ipv4_mapped", None) or getattr(parsed, "sixtofour", None)
    if inner is not None:
        return is_public(str(inner))
    return parsed.is_global and not parsed.is_multicast and not parsed.is_reserved


def add(server: Server, account: str, stream: str, url: str, resolver: Resolve = resolve) -> Hook:
    """Register an address for the public events of a match or a tournament."""
    _prepare(server)
    if not stream.startswith(("match/", "tournament/")) or not server.store.version(stream):
        raise Unreadable(stream, [Objection(RULE, say("no match or tournament has that name"))])
    check_url(url, resolver)
    if len(of_account(server, account)) >= MOST:
        raise Illegal(
            "webhook", [Objection(RULE, say("you already have {most} webhooks; remove one first", most=MOST))]
        )
    secret = server.entropy(f"webhook/{account}/{stream}/{url}").hex()
    with server.store.transaction("webhook") as transaction:
        transaction.database.execute(
            "INSERT INTO webhooks (account, stream, url, secret) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (account, stream, url, secret),
        )
    return next(hook for hook in of_account(server, account) if (hook.stream, hook.url) == (stream, url))


def remove(server: Server, account: str, id: int) -> bool:
    """Remove an address and the calls queued for it; return whether it existed."""
    _prepare(server)
    with server.store.transaction("webhook") as transaction:
        query = "DELETE FROM webhooks WHERE id = ? AND account = ?"
        done = transaction.database.execute(query, (id, account)).rowcount
        transaction.database.execute("DELETE FROM webhook_calls WHERE hook NOT IN (SELECT id FROM webhooks)")
    return bool(done)


def of_account(server: Server, account: str) -> list[Hook]:
    """Return the addresses that an account has registered."""
    _prepare(server)
    query = "SELECT id, account, stream, url, secret FROM webhooks WHERE account = ? ORDER BY id"
    return [Hook(*row) for row in server.database.execute(query, (account,)).fetchall()]


def _prepare(server: Server) -> None:
    create_tables(server.database)


# Queueing and sending -------------------------------------------------------------------------------------------


def queue(server: Server) -> int:
    """Queue a call for each new public event with a registered address; return how many events were looked at."""
    _prepare(server)

    def handle(transaction: Transaction, event: Event) -> None:
        if event.type not in TYPES:
            return
        rows = transaction.database.execute("SELECT id FROM webhooks WHERE stream = ?", (event.stream,)).fetchall()
        for (hook,) in rows:
            body = canonical(call_body(server, event))
            transaction.database.execute(
                "INSERT INTO webhook_calls (hook, event, body, next_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (hook, event.hash, body, event.recorded_at),
            )

    return server.store.project("webhooks", handle)


def call_body(server: Server, event: Event) -> dict[str, object]:
    """Return the body of a call: public facts with which the receiver can look up the rest."""
    return {
        "server": server.id,
        "stream": event.stream,
        "type": event.type,
        "version": event.version,
        "hash": event.hash,
        "at": event.recorded_at,
    }


def signature(secret: str, body: bytes) -> str:
    """Return the correct value of `X-Pbem-Signature`."""
    return "sha256=" + hmac.new(bytes.fromhex(secret), body, hashlib.sha256).hexdigest()


def post(address: str, host: str, port: int, path: str, body: bytes, headers: dict[str, str]) -> int:
    """Send a request to exactly this IP address, with the host's name and certificate; return the status."""
    raw = socket.create_connection((address, port), timeout=TIMEOUT)
    with ssl.create_default_context().wrap_socket(raw, server_hostname=host) as secured:
        connection = http.client.HTTPSConnection(host, port, timeout=TIMEOUT)
        connection.sock = secured
        connection.request("POST", path, body, headers)
        return connection.getresponse().status


def send_due(server: Server, now: int, resolver: Resolve = resolve, poster: Post = post) -> int:
    """Make the calls that are due; return how many succeeded."""
    queue(server)
    query = (
        "SELECT c.id, h.url, h.secret, c.body, c.attempts FROM webhook_calls c JOIN webhooks h ON h.id = c.hook "
        "WHERE c.next_at <= ? ORDER BY c.id LIMIT ?"
    )
    done = 0
    for row in server.database.execute(query, (now, MOST_AT_ONCE)).fetchall():
        delivery = Delivery(*row)
        error = call(delivery, resolver, poster)
        done += not error
        _note(server, delivery, now, error)
    return done


def call(delivery: Delivery, resolver: Resolve, poster: Post) -> str:
    """Make one call; return what went wrong, or an empty string."""
    try:
        address, port, host = check_url(delivery.url, resolver)
    except (Illegal, Unreadable) as refusal:
        return f"refused: {refusal}"
    parts = urlsplit(delivery.url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "pbem",
        "X-Pbem-Signature": signature(delivery.secret, delivery.body),
        "X-Pbem-Delivery": str(delivery.id),
    }
    try:
        status = poster(address, host, port, path, delivery.body, headers)
    except (OSError, http.client.HTTPException) as problem:
        return f"{type(problem).__name__}: {problem}"
    return "" if 200 <= status < 300 else f"status {status}"


def _note(server: Server, delivery: Delivery, now: int, error: str) -> None:
    attempts = delivery.attempts + 1
    later = None if not error or attempts >= MOST_ATTEMPTS else now + PAUSES[min(attempts, len(PAUSES)) - 1]
    if error:
        log.warning("webhook call %s failed: %s", delivery.id, error)
    server.database.execute(
        "UPDATE webhook_calls SET attempts = ?, next_at = ?, error = ? WHERE id = ?",
        (attempts, later, error[:300], delivery.id),
    )
