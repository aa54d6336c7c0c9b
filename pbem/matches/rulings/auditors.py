"""An auditor reads a match and changes nothing: appointed by all sides or by the director, on record.

    propose    a seat proposes an auditor; when every side has proposed the same account, it is appointed
    appoint    the director of a tournament appoints one
    dismiss    any seat, or the director, ends the appointment

An auditor may look at everything, like a game master. Each time one looks, an event records it for all to read;
orders of the open exchange stay sealed. An account that has looked may not take a seat afterwards.
"""

from __future__ import annotations

from typing import Any

from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.text.messages import Message, say
from pbem.matches import unit_of_work
from pbem.matches.accounts import accounts
from pbem.matches.events import AuditorDismissed, AuditorNamed, AuditorProposed, SeatLeft, each
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.rulings.panels import is_seated
from pbem.matches.server import Server

BY_SIDES = "sides"
"""The author of an appointment on which all sides agree."""


def auditors(record: Record) -> list[str]:
    """Return the accounts that may audit the match now."""
    found: dict[str, None] = {}
    for _, what in each(record.events, AuditorNamed, AuditorDismissed):
        if isinstance(what, AuditorNamed):
            found[what.account] = None
        elif isinstance(what, AuditorDismissed):
            found.pop(what.account, None)
    return list(found)


def is_auditor(record: Record, account: str) -> bool:
    """Whether an account may audit the match now."""
    return bool(account) and account in auditors(record) and not is_seated(record, account)


def proposals(record: Record) -> dict[str, str]:
    """Return each seat's proposal; an appointment uses up matching proposals, and a leaving occupant's is dropped."""
    found: dict[str, str] = {}
    for _, what in each(record.events, AuditorProposed, AuditorNamed, SeatLeft):
        if isinstance(what, AuditorProposed):
            found[what.seat] = what.account
        elif isinstance(what, SeatLeft):
            found.pop(what.seat, None)
        elif isinstance(what, AuditorNamed):
            found = {seat: account for seat, account in found.items() if account != what.account}
    return found


def sides_of(record: Record) -> dict[str, str]:
    """Return the side of each seat that must agree; a seat without a shared side is a side of its own."""
    return {seat: record.sides.get(seat, seat) for seat in record.seats if seat not in record.vacant}


def propose(server: Server, match: str, seat: str, account: str, *, by: str) -> bool:
    """Propose an auditor for a seat; return whether all sides now agree."""

    def act() -> bool:
        record = record_of(server, match)
        if record.occupants.get(seat, {}).get("account") != by:
            raise _refuse(say("only a seat's occupant can propose an auditor"))
        _check(server, record, account)
        agreed = {**proposals(record), seat: account}
        sides = sides_of(record)
        agreeing = {sides[one] for one, whom in agreed.items() if whom == account and one in sides}
        missing = set(sides.values()) - agreeing
        events: list[Any] = [AuditorProposed(seat, account)]
        if not missing:
            events.append(AuditorNamed(account, BY_SIDES))
        unit_of_work.append(server, record, events, "auditor")
        return not missing

    return unit_of_work.retry(act)


def appoint(server: Server, match: str, account: str, *, by: str) -> None:
    """Appoint an auditor as the director of the match's tournament."""

    def act() -> None:
        record = record_of(server, match)
        _check(server, record, account)
        unit_of_work.append(server, record, [AuditorNamed(account, by)], "auditor")

    unit_of_work.retry(act)


def dismiss(server: Server, match: str, account: str, *, by: str) -> None:
    """End an auditor's role, as an occupant of a seat or as the auditor."""

    def act() -> None:
        record = record_of(server, match)
        if account not in auditors(record):
            raise _refuse(say("this account is not an auditor of the match"))
        if by != account and not is_seated(record, by):
            raise _refuse(say("only a player or the auditor can end the appointment"))
        unit_of_work.append(server, record, [AuditorDismissed(account, by)], "auditor")

    unit_of_work.retry(act)


def _check(server: Server, record: Record, account: str) -> None:
    if not accounts.exists(server, account):
        raise _refuse(say("no account has that name or address"))
    if is_seated(record, account):
        raise _refuse(say("a player of this match cannot audit it"))
    if account in auditors(record):
        raise _refuse(say("this account is already an auditor of the match"))


def _refuse(why: Message | str) -> Illegal:
    return Illegal("auditor", [Objection("pbem/auditor", why)])
