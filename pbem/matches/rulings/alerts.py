"""Alerts for the game master: halts, missed deadlines, empty seats, undelivered email."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pbem.matches import summaries
from pbem.matches.clock import deadlines, extensions
from pbem.matches.clock.deadlines import MINUTE, in_words, now
from pbem.matches.events import MatchHalted, content_as
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.post import inbox, outbox
from pbem.matches.rulings import disputes
from pbem.matches.server import Server

PATIENCE = 5 * MINUTE
"""How long after its deadline an exchange may stay open before there is an alert."""


def mastered_matches(server: Server, account: str) -> list[str]:
    """The matches in which an account is the game master."""
    return summaries.mastered_matches(server, account)


class Trouble(msgspec.Struct, frozen=True):
    """An alert for the game master; `seat` is the seat concerned, if any."""

    kind: str
    text: str
    seat: str = ""


def attention(server: Server, match: str) -> list[Trouble]:
    """List what needs the game master's attention. Only the state of emails is hidden from players."""
    record = record_of(server, match)
    return [] if record.ended else [*_play_troubles(server, record), *_mail_troubles(server, record)]


def _play_troubles(server: Server, record: Record) -> Iterator[Trouble]:
    if record.halted:
        yield Trouble("halted", f"The match is halted in exchange {content_as(record.halted, MatchHalted).exchange}.")
    deadline = deadlines.deadline_of(record)
    if (held := deadlines.on_hold(record)) is not None:
        yield Trouble("hold", f"The match is on hold since {in_words(held.recorded_at)}.")
    elif deadline is not None and not record.halted and now(server) > deadline.closes_at + PATIENCE:
        fell = in_words(deadline.closes_at)
        yield Trouble("late", f"The deadline fell {fell}, and exchange {deadline.exchange} is open.")
    for dispute in disputes.disputes(record):
        if not dispute.answer:
            yield Trouble("dispute", f"Disputes {dispute.named}.", dispute.seat)
    for asked in extensions.standing(record):
        yield Trouble("more time", f"Asks for {asked.hours} h more.", asked.seat)
    for seat in record.seats:
        if record.started and seat not in record.occupants:
            yield Trouble("seat", "That seat is empty.", seat)
        if missed := deadlines.missed_deadlines(record, seat):
            since = f"{len(missed)} in a row" if len(missed) > 1 else f"that of exchange {missed[0]}"
            yield Trouble("missed", f"Missed deadlines: {since}.", seat)


def _mail_troubles(server: Server, record: Record) -> Iterator[Trouble]:
    """List undelivered emails, without revealing their addresses."""
    match = record.stream.removeprefix("match/")
    for seat, taken in sorted(record.occupants.items()):
        for marked in inbox.returning(server, taken["account"]):
            since, why = in_words(marked.since), marked.why
            yield Trouble("mail", f"Mail to its player comes back since {since}: {why}", seat)
    stuck = [owed for owed in outbox.waiting(server) if owed.attempts] + outbox.failed_emails(server)
    for owed in stuck:
        if owed.match == match:
            tries = "once" if owed.attempts == 1 else f"{owed.attempts} times"
            became = "was given up" if owed.next_at is None else "is tried again"
            yield Trouble("mail", f"A mail ({owed.kind}) did not get through {tries} and {became}.", owed.seat)
