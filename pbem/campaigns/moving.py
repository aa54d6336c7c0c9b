"""A campaign moves to another server, with its battles, its secrets and its players.

    leave      hand a campaign over to the server with a given id; afterwards it is read-only here
    luggage    everything that the other server needs, signed; it holds secrets and is only for that server's operator
    arrive     take a campaign in, on the server that it was handed over to

Every stream keeps its events, hashes and times, so that receipts and signed heads from before still verify. The old
server has the secrets of future dice, so new dice ladders start on arrival, and players seal their orders for open
exchanges again. Seats follow by confirmed address: players who have an account here with one of their addresses keep
their seats, the others are invited.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from typing import Any

import msgspec

from eventstore import Event, Part, Transaction, canonical
from pbem.campaigns import people
from pbem.campaigns.rules.title import NAME
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.messages import say
from pbem.matches.accounts import accounts
from pbem.matches.accounts.names import BOT
from pbem.matches.events import MatchArrived, MatchMoved, SeatInvited, SeatTaken, content_as, each
from pbem.matches.exchange import ladder_starts
from pbem.matches.exchange.seats import leave_seat
from pbem.matches.history import ladders, moves
from pbem.matches.history.ladders import Ladder
from pbem.matches.history.receipts import signed_by
from pbem.matches.history.record import Record, fold
from pbem.matches.history.replay import record_of, stream_of
from pbem.matches.players.invitations import invite
from pbem.matches.server import Server, keep_blob
from pbem.matches.unit_of_work import retry

FORMAT = 1
KEY = 64
"""The number of hex digits in a server's id."""
LEFT = "the campaign moved to another server"


class Person(msgspec.Struct, frozen=True):
    """A player: the account on the old server, the displayed name and the confirmed addresses."""

    account: str
    name: str
    addresses: tuple[str, ...] = ()


class Secret(msgspec.Struct, frozen=True):
    """The secrets of a dice ladder, in hexadecimal."""

    match: str
    base: int
    open_top: str
    secret_top: str
    key: str

    def ladder(self) -> Ladder:
        tops = (bytes.fromhex(text) for text in (self.open_top, self.secret_top, self.key))
        return Ladder(self.base, *tops)


class Stored(msgspec.Struct, frozen=True):
    """A part with its salt, or a blob, in base64."""

    name: str
    content: str
    salt: str = ""


class Luggage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that the other server needs. Nothing in it is trusted until it is checked."""

    format: int
    server: str
    to: str
    campaign: str
    events: dict[str, list[Event]]
    parts: list[Stored]
    blobs: list[Stored]
    ladders: list[Secret]
    people: list[Person]
    signatures: dict[str, str]


# Leaving -----------------------------------------------------------------------------------------------------


def leave(server: Server, campaign: str, to: str, address: str) -> bytes:
    """Hand over a campaign and its battles; return the transfer file. A repeated call returns it again."""
    if len(to) != KEY or any(sign not in "0123456789abcdef" for sign in to) or to == server.id:
        why = say("give the id of another server: 64 hexadecimal digits, shown there by 'pbem campaign id'")
        raise Unreadable(to, [Objection("C9", why)])
    if not address.startswith(("https://", "http://")) or any(sign.isspace() for sign in address):
        raise Unreadable(
            address, [Objection("C9", say("give the new address that players will open"))], ["https://…"]
        )
    for match in streams_of(server, campaign):
        retry(lambda match=match: _hand_over(server, match, to, address))  # type: ignore[misc]
    return luggage(server, campaign, to)


def streams_of(server: Server, campaign: str) -> list[str]:
    """The campaign and the matches of its battles."""
    query = "SELECT match FROM campaign_battles WHERE campaign = ? ORDER BY cast(battle AS INTEGER)"
    return [campaign, *(match for (match,) in server.database.execute(query, (campaign,)).fetchall())]


def _hand_over(server: Server, match: str, to: str, address: str) -> None:
    record = record_of(server, match)
    if record.moved is not None:
        if content_as(record.moved, MatchMoved).to != to:
            raise Illegal(
                match, [Objection("C9", say("the campaign has already been handed over to another server"))]
            )
        return
    if record.closing or record.halted:
        why = say("an exchange is being resolved, or the match is halted; try again later")
        raise Illegal(match, [Objection("C9", why)])
    with server.change(record, "leave") as change:
        change.append(MatchMoved(to, address))


def luggage(server: Server, campaign: str, to: str) -> bytes:
    """All data of a campaign that has left, as one signed line of JSON and its signature."""
    records = {match: record_of(server, match) for match in streams_of(server, campaign)}
    digests = sorted({digest for record in records.values() for digest in record.created.blobs.values()})
    refs = [ref.commitment for record in records.values() for event in record.events for ref in event.parts]
    packed = Luggage(
        FORMAT,
        server.id,
        to,
        campaign,
        {match: [*record.events] for match, record in records.items()},
        [Stored(name, _text(row.content), row.salt.hex()) for name, row in server.store.parts(refs).items()],
        [Stored(digest, _text(server.blob(digest))) for digest in digests],
        list(_secrets(server, records)),
        list(_people(server, records)),
        {match: _signature(server, match, record) for match, record in records.items()},
    )
    content = canonical(packed)
    seal = {"digest": hashlib.sha256(content).hexdigest(), "to": to}
    return content + b"\n" + canonical({**seal, "signature": server.signer.sign(seal)}) + b"\n"


def _signature(server: Server, match: str, record: Record) -> str:
    assert record.moved is not None
    return server.signer.sign(moves.departure(match, record.moved, server.id).body())


def _secrets(server: Server, records: dict[str, Record]) -> Iterator[Secret]:
    for match, record in records.items():
        for published in record.ladders:
            found = server.ladder(match, published)
            yield Secret(match, found.base, found.open_top.hex(), found.secret_top.hex(), found.key.hex())


def _people(server: Server, records: dict[str, Record]) -> Iterator[Person]:
    """Yield the current players and game masters, and the names of players who have left."""
    now = {taken["account"] for record in records.values() for taken in record.occupants.values()}
    now |= {record.created.master for record in records.values()} - {""}
    for account in sorted(now | _ever(records)):
        if accounts.exists(server, account):
            known = accounts.account(server, account)
            yield Person(account, known.name, known.addresses if account in now else ())


def _ever(records: dict[str, Record]) -> set[str]:
    return {taken.account for record in records.values() for _, taken in each(record.events, SeatTaken)}


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()


# Arriving ----------------------------------------------------------------------------------------------------


def read_luggage(content: bytes, server: str) -> Luggage:
    """Read a transfer file; refuse it unless it is complete, signed, and meant for the server with this id."""
    try:
        first, second = content.splitlines()
        packed, seal = msgspec.json.decode(first, type=Luggage), msgspec.json.decode(second, type=dict[str, str])
    except (ValueError, msgspec.MsgspecError) as problem:
        raise _refusal(say("the file is not a campaign transfer file, or it is cut off")) from problem
    signed = {"digest": hashlib.sha256(first).hexdigest(), "to": packed.to}
    if not signed_by(packed.server, signed, seal.get("signature", "")):
        raise _refusal(say("the file is not signed by the server it comes from"))
    if packed.to != server:
        raise _refusal(
            say("the file is meant for the server {to}, but this server is {here}", to=packed.to, here=server)
        )
    return packed


def _refusal(why: Any) -> Unreadable:
    return Unreadable("luggage", [Objection("C9", why)])


def arrive(server: Server, content: bytes) -> str:
    """Accept a campaign from another server; return its id. Repeating this does nothing."""
    packed = read_luggage(content, server.id)
    check(packed)
    homes = find_accounts(server, packed)
    if not is_here(server, packed):
        with server.store.transaction("arrive") as transaction:
            for blob in packed.blobs:
                keep_blob(transaction.database, base64.b64decode(blob.content))
            for person in packed.people:
                accounts.introduce(server, transaction, person.account, person.name)
            for match in packed.events:
                _adopt(server, transaction, packed, match, homes)
        server.forget()
    for match in packed.events:
        settle(server, packed, match, homes)
    return packed.campaign


def is_here(server: Server, packed: Luggage) -> bool:
    """Whether this transfer file was accepted before, so that its streams record an arrival."""
    here = server.store.read(stream_of(packed.campaign), after=len(packed.events[packed.campaign]))
    return bool(here) and here[0].payload.get("event") == packed.events[packed.campaign][-1].hash


def check(packed: Luggage) -> None:
    """Check that every stream was handed to this server, and that secrets and blobs have the published hashes."""
    campaign = fold(packed.events.get(packed.campaign, []))
    if campaign.creation is None or campaign.created.title != NAME:
        raise _refusal(say("the file does not contain a campaign"))
    for match, events in packed.events.items():
        wrong = list(moves.problems(match, events, packed.server))
        left = events[-1].type == "match.moved" and events[-1].payload["to"] == packed.to
        signed = moves.departure(match, events[-1], packed.server, packed.signatures.get(match, ""))
        if wrong or not left or not signed.genuine():
            raise _refusal(say("match {match} was not handed over to this server", match=match))
        secrets = [row.ladder().published_values() for row in packed.ladders if row.match == match]
        if any(published not in secrets for published in fold(events).ladders):
            raise _refusal(say("the dice of match {match} differ from the published ones", match=match))
    for blob in packed.blobs:
        if hashlib.sha256(base64.b64decode(blob.content)).hexdigest() != blob.name:
            raise _refusal(say("one of the stored files is damaged"))


def find_accounts(server: Server, packed: Luggage) -> dict[str, str]:
    """Each player's account on this server, found by a confirmed address; bots are the same everywhere."""
    found = {}
    for person in packed.people:
        known = (accounts.by_address(server, address) for address in person.addresses)
        account = next((one.id for one in known if one is not None), "")
        if account or person.account.startswith(BOT):
            found[person.account] = account or person.account
    return found


def _adopt(server: Server, transaction: Transaction, packed: Luggage, match: str, homes: dict[str, str]) -> None:
    events, stream = packed.events[match], stream_of(match)
    wanted = {ref.commitment for event in events for ref in event.parts}
    kept = [
        Part(row.name, bytes.fromhex(row.salt), base64.b64decode(row.content))
        for row in packed.parts
        if row.name in wanted
    ]
    origin = moves.servers(events)[0].id
    transaction.adopt(stream, events, kept, origin=origin)
    for row in packed.ladders:
        if row.match == match and not ladders.is_kept(transaction.database, match, row.ladder()):
            ladders.keep(transaction.database, server.store.vault, match, row.ladder())
    arrived = MatchArrived(packed.server, events[-1].hash, packed.signatures[match], homes)
    transaction.append(stream, [arrived.new()], expected=len(events))


def settle(server: Server, packed: Luggage, match: str, homes: dict[str, str]) -> None:
    """Start new dice, give all players time, and invite players who have no account here; do each only once."""
    record = record_of(server, match)
    if record.ended or not record.started:
        return
    since = record.events[record.arrived :]
    if not any(event.type == "ladder.started" for event in since):
        ladder_starts.start_ladder(server, match, ladders.MOVED)
        people.give_a_week(server, match)
    strangers = {person.account: person for person in packed.people if person.account not in homes}
    before = fold(packed.events[match]).occupants
    for seat, taken in before.items():
        person = strangers.get(taken["account"])
        if person is None:
            continue
        if record.occupants.get(seat, {}).get("account") == person.account:
            leave_seat(server, match, seat, LEFT)
        invited = any(invitation.seat == seat for _, invitation in each(since, SeatInvited))
        is_free = seat not in record_of(server, match).occupants
        if match == packed.campaign and person.addresses and is_free and not invited:
            invite(server, match, seat, person.addresses[0])
