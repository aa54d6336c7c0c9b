"""The matches in which an account has had a seat or was invited.

Exporting or deleting an account reads these matches alone, however many others the server has. Addresses are stored
as keyed hashes, which only the holder of the storage key can make.
"""

from __future__ import annotations

import hmac
from functools import partial

import msgspec

from eventstore import Database, Event, Transaction
from pbem.matches.events import OrderSealed, SeatInvited, SeatTaken, read
from pbem.matches.server import Server


def create_tables(database: Database) -> None:
    database.execute(
        "CREATE TABLE IF NOT EXISTS traces (who TEXT NOT NULL, match TEXT NOT NULL, PRIMARY KEY (who, match))"
    )


def catch_up(server: Server) -> None:
    """Note the events since the last update."""
    server.store.project("traces", partial(_note, server))


def matches_of(server: Server, account: str) -> list[str]:
    """Return the matches in which the account has had a seat or sealed orders."""
    return _matches(server, account)


def invitations_of(server: Server, address: str) -> list[str]:
    """Return the matches to which this address was invited."""
    return _matches(server, _hide(server, address))


def erase(server: Server, transaction: Transaction, addresses: tuple[str, ...]) -> None:
    """Erase the traces of invitations to these addresses. Seats stay on record under the account's id."""
    for address in addresses:
        transaction.database.execute("DELETE FROM traces WHERE who = ?", (_hide(server, address),))


def _matches(server: Server, who: str) -> list[str]:
    catch_up(server)
    query = "SELECT match FROM traces WHERE who = ? ORDER BY match"
    return [match for (match,) in server.database.execute(query, (who,)).fetchall()]


def _note(server: Server, transaction: Transaction, event: Event) -> None:
    if event.stream.startswith("match/"):
        match = event.stream.removeprefix("match/")
        for who in _accounts_named(server, event):
            query = "INSERT INTO traces (who, match) VALUES (?, ?) ON CONFLICT DO NOTHING"
            transaction.database.execute(query, (who, match))


def _accounts_named(server: Server, event: Event) -> list[str]:
    """Return the accounts, and the hidden address, about which an event stores something."""
    match read(event):
        case SeatTaken(account=account):
            return [account]
        case OrderSealed():
            return [ref.audience for ref in event.parts if ref.name == "sent"]
        case SeatInvited():
            found = server.store.parts(ref.commitment for ref in event.parts).values()
            return [_hide(server, msgspec.json.decode(part.content, type=str)) for part in found]
        case _:
            return []


def _hide(server: Server, address: str) -> str:
    key = server.store.vault.derive("traces")
    return f"invited/{hmac.digest(key, address.encode(), 'sha256').hex()}"
