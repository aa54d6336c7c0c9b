"""Moderation of press: mute, report and ban.

    mute      a player stops receiving messages from another player, who is not told
    report    a player shows a message to the game master and the operators, with a reason
    silence   the game master bars a seat from sending messages in one match (in the log of the match)
    ban       an operator bars an account from sending messages in any match (in the log of the server)

Orders, disputes and everything else that the rules need stay open to everybody.
"""

from __future__ import annotations

import msgspec

from eventstore import Database, Transaction
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.messages import Message, say
from pbem.matches import unit_of_work
from pbem.matches.accounts import accounts
from pbem.matches.accounts.operators import operators
from pbem.matches.clock import deadlines
from pbem.matches.clock.deadlines import SERVER_STREAM
from pbem.matches.events import MasterActed, PressAllowed, PressBanned, PressReported, ReportClosed, SeatTaken, each
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.players import press
from pbem.matches.players.press import Letter
from pbem.matches.post import outbox
from pbem.matches.server import Server

LONGEST = 1000
"""The most characters of a reason."""

SILENCE, UNSILENCE = "silence", "unsilence"


class Report(msgspec.Struct, frozen=True):
    """A message that a player has reported; `sender` is the account that wrote it."""

    number: int
    at: int
    match: str
    by: str
    sender: str
    why: str
    letter: Letter | None


def create_tables(database: Database) -> None:
    database.execute(
        "CREATE TABLE IF NOT EXISTS press_mutes (reader TEXT NOT NULL, muted TEXT NOT NULL, "
        "PRIMARY KEY (reader, muted))"
    )


# Mute --------------------------------------------------------------------------------------------------------


def occupant(record: Record, seat: str) -> str:
    """Return the account in the seat that a player has named; refuse names that are not an occupied seat."""
    wanted = next((one for one in record.seats if one.lower() == seat.lower()), "")
    if wanted not in record.occupants:
        raise Unreadable(seat, [_objection(say("that seat has no player"))], sorted(record.occupants))
    return str(record.occupants[wanted]["account"])


def mute(transaction: Transaction, record: Record, reader: str, seat: str, *, muted: bool = True) -> None:
    """Hide the letters of a seat's occupant from this reader in all matches, or show them again."""
    other = occupant(record, seat)
    if other == reader:
        raise Illegal(seat, [_objection(say("that is your own seat"))])
    query = "DELETE FROM press_mutes WHERE reader = ? AND muted = ?"
    if muted:
        query = "INSERT INTO press_mutes (reader, muted) VALUES (?, ?) ON CONFLICT DO NOTHING"
    transaction.database.execute(query, (reader, other))


def muted_by(database: Database, reader: str) -> set[str]:
    """Return the accounts that a reader has muted."""
    rows = database.execute("SELECT muted FROM press_mutes WHERE reader = ?", (reader,)).fetchall()
    return {account for (account,) in rows}


def is_muted(database: Database, record: Record, sender: str, reader: str) -> bool:
    """Whether a letter from a seat is hidden from a reader who has muted its occupant."""
    return record.occupants.get(sender, {}).get("account", "") in muted_by(database, reader)


# Report ------------------------------------------------------------------------------------------------------


def report(
    server: Server, transaction: Transaction, record: Record, seat: str, by: str, version: int, why: str
) -> str:
    """Report a letter received by this seat, by default the newest; return its sender."""
    letter = _reported_letter(server, record, seat, version)
    reason = why.strip()[:LONGEST]
    if not reason:
        raise Unreadable("report", [_objection(say("say what is wrong with the message"))], ["report: insults"])
    sender = str(record.occupants.get(letter.sender, {}).get("account", ""))
    match = record.stream.removeprefix("match/")
    stored = deadlines.append(transaction, PressReported(match, letter.version, by, sender, seat, reason))
    about = {"author": letter.sender, "text": letter.text, "why": reason, "number": stored.version}
    for account in dict.fromkeys([*operators(server), record.created.master]):
        if account and account != sender:
            key = f"report/{stored.version}"
            outbox.queue(
                transaction, "press-report", at=stored.recorded_at, key=key, account=account, match=match, about=about
            )
    return letter.sender


def _reported_letter(server: Server, record: Record, seat: str, version: int) -> Letter:
    received = [letter for letter in press.letters(server, record, seat) if letter.sender != seat]
    found = [letter for letter in received if version in (0, letter.version)]
    if not found:
        raise Illegal("report", [_objection(say("you have not received such a message"))])
    return found[-1]


def reports(server: Server) -> list[Report]:
    """The reports that no operator has closed yet, newest first."""
    events = server.store.read(SERVER_STREAM)
    closed = {what.report for _, what in each(events, ReportClosed)}
    return [
        Report(
            event.version,
            event.recorded_at,
            what.match,
            what.by,
            what.sender,
            what.why,
            _letter(server, what.match, what.letter, what.seat),
        )
        for event, what in reversed(list(each(events, PressReported)))
        if event.version not in closed
    ]


def _letter(server: Server, match: str, version: int, seat: str) -> Letter | None:
    events = record_of(server, match).events
    return press.read(server, events[version - 1], seat) if version <= len(events) else None


def close(server: Server, number: int, *, by: str, why: str) -> None:
    """Close a report that an operator has dealt with."""
    if number not in {found.number for found in reports(server)}:
        raise Unreadable(str(number), [_objection(say("there is no such open report"))])
    with server.store.transaction("moderate") as transaction:
        deadlines.append(transaction, ReportClosed(number, by, why.strip()[:LONGEST]))


# Ban ---------------------------------------------------------------------------------------------------------


def ban(server: Server, account: str, *, by: str, why: str) -> None:
    """Bar an account from press on the whole server."""
    accounts.account(server, account)
    if account in banned_accounts(server):
        raise Illegal(account, [_objection(say("this account is already banned from sending messages"))])
    with server.store.transaction("moderate") as transaction:
        deadlines.append(transaction, PressBanned(account, by, why.strip()[:LONGEST]))


def allow(server: Server, account: str, *, by: str, why: str = "") -> None:
    """Lift an account's ban."""
    if account not in banned_accounts(server):
        raise Illegal(account, [_objection(say("this account is not banned from sending messages"))])
    with server.store.transaction("moderate") as transaction:
        deadlines.append(transaction, PressAllowed(account, by, why.strip()[:LONGEST]))


def banned_accounts(server: Server) -> dict[str, str]:
    """The accounts that may not write letters, each with the reason."""
    found: dict[str, str] = {}
    for _, what in each(server.store.read(SERVER_STREAM), PressBanned, PressAllowed):
        if isinstance(what, PressBanned):
            found[what.account] = what.why
        elif isinstance(what, PressAllowed):
            found.pop(what.account, None)
    return found


def silence(server: Server, match: str, *, seat: str, why: str, by: str) -> None:
    """Bar a seat's occupant from press in this match, as game master; a second call lifts the bar."""

    def act() -> None:
        record = record_of(server, match)
        if by != record.created.master:
            raise Illegal(seat, [_objection(say("only the game master of this match may do that"))])
        account = occupant(record, seat)
        name = UNSILENCE if account in silenced_accounts(record) else SILENCE
        unit_of_work.append(server, record, [MasterActed(by, name, why, seat=seat)], "master")

    unit_of_work.retry(act)


def silenced_accounts(record: Record) -> dict[str, str]:
    """The accounts that the game master has barred from press in this match, each with the reason."""
    found: dict[str, str] = {}
    seated: dict[str, str] = {}
    for _, what in each(record.events, SeatTaken, MasterActed):
        if isinstance(what, SeatTaken):
            seated[what.seat] = what.account
        elif isinstance(what, MasterActed) and what.act in (SILENCE, UNSILENCE):
            found.pop(seated.get(what.seat, ""), None)
            if what.act == SILENCE:
                found[seated.get(what.seat, "")] = what.why
    return found


def refuse_banned(server: Server, record: Record, account: str) -> None:
    """Refuse letters from a banned or silenced account."""
    if why := silenced_accounts(record).get(account):
        raise Illegal(
            "press", [_objection(say("the game master has barred you from sending messages: {why}", why=why))]
        )
    if why := banned_accounts(server).get(account):
        raise Illegal("press", [_objection(say("an operator has banned you from sending messages: {why}", why=why))])


def _objection(why: Message) -> Objection:
    return Objection("pbem/press", why)
