"""Entering, confirming, withdrawing: by players themselves, by the director, from lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from eventstore import NewEvent
from pbem.engine.text.messages import say
from pbem.matches import health
from pbem.matches.accounts import accounts
from pbem.matches.clock import deadlines
from pbem.matches.server import Server
from pbem.ratings import published
from pbem.ratings.lists import entry_rating
from pbem.tournaments import events as said
from pbem.tournaments.files import trf
from pbem.tournaments.files.entry_list import EntryList, Known, Listed, read_entries
from pbem.tournaments.model import ByeKind, Entrant
from pbem.tournaments.record import Record
from pbem.tournaments.stream import (
    OPERATOR,
    append_act,
    check_director,
    commuting,
    named_part,
    read,
    refuse,
)

DAY = 24 * 3600 * 1000
STRANGERS = 256
"""How many people without an account a director may invite to one tournament; an operator's list has no limit."""
DAYS_FOR_STRANGERS = 14
"""How many days they have to confirm if the tournament does not say."""


# Players -----------------------------------------------------------------------------------------------------


def enter(server: Server, id: str, account: str, name: str = "", rating: int = 0) -> Record:
    """Enter a tournament. Beyond the cap the entry goes on the waiting list; after round 1 it is a late entry."""
    shown = name or accounts.account(server, account).name
    rating = rating or entry_rating(published.line_of(server, read(server, id).settings.title, account))

    def build(record: Record) -> list[NewEvent]:
        check_entry(record, account, rating)
        held = record.by_account(account)
        if held is not None:
            return [said.new(said.EntryConfirmed(held.number, account))]
        listed = Listed(0, shown, account, rating=rating, from_round=next_round(record))
        return _entry_events(server, record, [listed], by=account)

    return commuting(server, id, build, "enter")


def check_entry(record: Record, account: str, rating: int) -> None:
    """Refuse an entry that the announced conditions do not allow."""
    settings, held = record.settings, record.by_account(account)
    if record.ended:
        raise refuse("entry", say("the tournament is over"))
    if account and account == settings.master:
        raise refuse("entry", say("the game master of the tournament cannot play in it"))
    if held is not None and held.state != "withdrawn":
        raise refuse("entry", say("you have already entered as {held}", held=held.name))
    if settings.boards > 1:
        raise refuse("entry", say("this is a tournament of teams: the director enters them"))
    if settings.highest_rating and rating > settings.highest_rating:
        raise refuse(
            "entry",
            say(
                "your rating of {rating} is above the limit of {highest_rating}",
                rating=rating,
                highest_rating=settings.highest_rating,
            ),
        )
    if record.rounds and settings.format not in ("swiss", "ladder", "several", "own"):
        raise refuse("entry", say("this format takes no late entries"))
    if record.rounds and settings.format == "swiss" and next_round(record) > settings.rounds:
        raise refuse("entry", say("the last round has been paired"))


def next_round(record: Record) -> int:
    """Return the first round in which a new entry can be paired."""
    return max(record.rounds, default=0) + 1


def confirm(server: Server, id: str, account: str) -> Record:
    """Confirm an entry that awaits confirmation."""

    def build(record: Record) -> list[NewEvent]:
        held = record.by_account(account)
        if held is None or held.state not in ("invited", "confirmed"):
            raise refuse("entry", say("you have no entry to confirm"))
        return [] if held.state == "confirmed" else [said.new(said.EntryConfirmed(held.number, account))]

    return commuting(server, id, build, "confirm")


def withdraw(server: Server, id: str, account: str, why: str = "") -> Record:
    """Leave the tournament. A match in progress continues until it ends or the director decides it."""

    def build(record: Record) -> list[NewEvent]:
        held = record.by_account(account)
        if held is None or held.state == "withdrawn":
            raise refuse("entry", say("you have not entered"))
        gone = said.EntryWithdrawn(held.number, max(record.rounds, default=0), why, account)
        return [said.new(gone), *move_up(record, {held.number})]

    return commuting(server, id, build, "withdraw")


def ask_bye(
    server: Server, id: str, account: str, number: int, kind: ByeKind = "half", cancel: bool = False
) -> Record:
    """Ask for a bye in a round that has not been paired."""

    def build(record: Record) -> list[NewEvent]:
        held = record.by_account(account)
        if held is None or held.state != "confirmed":
            raise refuse("bye", say("you are not an entrant of this tournament"))
        if number in record.rounds or not 0 < number <= record.settings.rounds:
            raise refuse("bye", say("it is too late to ask for a bye in round {number}", number=number))
        if kind not in ("half", "zero"):
            raise refuse("bye", say("you can ask for a half-point or a zero-point bye"), ["half", "zero"])
        if not cancel and len({*held.byes, number}) > record.settings.asked_byes:
            raise refuse(
                "bye", say("you can ask for at most {asked_byes} byes", asked_byes=record.settings.asked_byes)
            )
        return [said.new(said.EntryAbsent(held.number, number, kind, cancel, account))]

    return commuting(server, id, build, "bye")


# The director ------------------------------------------------------------------------------------------------


def withdraw_entrants(
    server: Server, id: str, numbers: Sequence[int], why: str, *, by: str, seen: int | None = None
) -> Record:
    """Withdraw entrants from the tournament."""

    def build(record: Record) -> list[NewEvent]:
        held = [entrant_of(record, number) for number in numbers]
        last = max(record.rounds, default=0)
        gone = [said.new(said.EntryWithdrawn(e.number, last, why, by)) for e in held if e.state != "withdrawn"]
        return [*gone, *move_up(record, set(numbers))]

    return append_act(server, id, by, build, seen=seen, act="withdraw")


def replace(
    server: Server, id: str, number: int, account: str, why: str, *, by: str, seen: int | None = None
) -> Record:
    """Let another account take over an entry with all its points; the tables mark the replacement."""

    def build(record: Record) -> list[NewEvent]:
        held = entrant_of(record, number)
        if (other := record.by_account(account)) is not None and other.number != number:
            raise refuse("replacement", say("this account already plays as {other}", other=other.name))
        name = accounts.account(server, account).name
        parts = (named_part(server, id, record.version + 1, name),)
        return [said.new(said.EntryReplaced(held.number, account, why, by), parts)]

    return append_act(server, id, by, build, seen=seen, act="replace")


def entrant_of(record: Record, number: int) -> Entrant:
    if number not in record.entrants:
        raise refuse(str(number), say("no entrant has that name"))
    return record.entrants[number]


def move_up(record: Record, gone: set[int]) -> list[NewEvent]:
    """Confirm the first entry on the waiting list for every place that becomes free before round 1."""
    if not record.settings.cap or record.rounds:
        return []
    holding = [e for e in record.entrants.values() if e.state in ("confirmed", "invited") and e.number not in gone]
    free = record.settings.cap - len(holding)
    waiting = sorted(e.number for e in record.entrants.values() if e.state == "waiting" and e.number not in gone)
    return [said.new(said.EntryConfirmed(number)) for number in waiting[: max(0, free)]]


# Lists -------------------------------------------------------------------------------------------------------


def known_entries(server: Server, record: Record, most_strangers: int = STRANGERS) -> Known:
    """Return the facts that an entry list is checked against."""
    return Known(
        record.settings,
        account_names(server),
        [entrant.name for entrant in record.entrants.values()],
        [entrant.account for entrant in record.entrants.values() if entrant.account],
        next_round(record),
        most_strangers,
    )


def account_names(server: Server) -> dict[str, str]:
    """Return accounts by id, by address and, where only one account has it, by name; all in lower case."""
    found: dict[str, str] = {}
    twice: set[str] = set()
    for id, name in server.database.execute("SELECT id, name FROM accounts").fetchall():
        shown = name.lower()
        if shown in found:
            twice.add(shown)
        found[shown] = id
    for shown in twice:
        del found[shown]
    found |= {id.lower(): id for (id,) in server.database.execute("SELECT id FROM accounts").fetchall()}
    found |= {a.lower(): id for a, id in server.database.execute("SELECT address, account FROM addresses").fetchall()}
    return found


def read_list(
    server: Server, record: Record, content: bytes, name: str = "", *, by_operator: bool = False
) -> EntryList:
    """Read an entry list, CSV or TRF."""
    if name.lower().endswith((".trf", ".trfx")) or content[:3] in (b"012", b"001"):
        found = trf.read(content)
        entries = tuple(Listed(p.line, p.name, rating=p.rating, from_round=next_round(record)) for p in found.players)
        return EntryList(entries, found.mistakes)
    asked = sum(entrant.state in ("invited", "withdrawn") for entrant in record.entrants.values())
    return read_entries(
        content, known_entries(server, record, len(content) if by_operator else max(0, STRANGERS - asked))
    )


def import_list(
    server: Server, id: str, content: bytes, *, by: str, name: str = "", seen: int | None = None
) -> EntryList:
    """Enter all players on a list, unless the list contains a mistake.

    People without an account are listed by their address. An account is opened for it, and an email sent about the
    entry; unless an operator imports the list, they are not entered before they confirm.
    """
    check_director(read(server, id), by)
    by_operator = by == OPERATOR or by in health.operators(server)
    found = read_list(server, read(server, id), content, name, by_operator=by_operator)
    if found.mistakes:
        return found
    listed = [_with_account(server, entry) for entry in found.entries]
    master = read(server, id).settings.master
    if master and any(entry.account == master for entry in listed):
        raise refuse("entry", say("the game master of the tournament cannot play in it"))

    def build(record: Record) -> list[NewEvent]:
        return _entry_events(server, record, listed, by=by, trusted=by_operator)

    append_act(server, id, by, build, seen=seen, act="import")
    return found


def _with_account(server: Server, entry: Listed) -> Listed:
    """Return the entry with the account for its address; create one if needed."""
    if not entry.address:
        return entry
    return msgspec.structs.replace(entry, account=accounts.open_account(server, entry.address, entry.name).id)


def _entry_events(
    server: Server, record: Record, listed: Sequence[Listed], *, by: str, trusted: bool = False
) -> list[NewEvent]:
    """Return the entry events of a list in order, with byes; entries beyond the cap go on the waiting list."""
    settings, now = record.settings, deadlines.now(server)
    number = max(record.entrants, default=0)
    taken = sum(entrant.state in ("confirmed", "invited") for entrant in record.entrants.values())
    invited = settings.confirm_days > 0 and any(entry.account != by for entry in listed)
    events: list[NewEvent] = []
    for entry in listed:
        number += 1
        taken += 1
        asked = invited or (bool(entry.address) and not trusted)
        state = "waiting" if settings.cap and taken > settings.cap else "invited" if asked else "confirmed"
        made = said.EntryMade(
            number,
            entry.account,
            entry.rating,
            state,  # type: ignore[arg-type]
            max(entry.from_round, next_round(record)),
            settings.late_bye,
            now + (settings.confirm_days or DAYS_FOR_STRANGERS) * DAY if state == "invited" else 0,
            by,
        )
        version = record.version + len(events) + 1
        parts = (named_part(server, record.id, version, entry.name, entry.members),)
        events.append(said.new(made, parts))
        events += [said.new(said.EntryAbsent(number, round, kind)) for round, kind in sorted(entry.byes.items())]
    return events


def overdue(record: Record, now: int) -> list[NewEvent]:
    """Withdraw invited entrants who have not confirmed in time; promote from the waiting list."""
    late = [e for e in record.entrants.values() if e.state == "invited" and e.confirm_by and now >= e.confirm_by]
    gone = [said.new(said.EntryWithdrawn(e.number, 0, "did not confirm in time")) for e in late]
    return [*gone, *move_up(record, {e.number for e in late})] if gone else []


def by_name(record: Record) -> Mapping[str, int]:
    """Return entrants by lower-case name, by account and by number."""
    found: dict[str, int] = {}
    for entrant in record.entrants.values():
        for word in (entrant.name.lower(), entrant.account.lower(), str(entrant.number)):
            if word:
                found.setdefault(word, entrant.number)
    return found
