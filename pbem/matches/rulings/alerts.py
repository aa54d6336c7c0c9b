"""Alerts for the game master: halts, missed deadlines, empty seats, undelivered email."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pbem.engine.text.messages import Message, fill, pattern, say, term
from pbem.matches import summaries
from pbem.matches.clock import deadlines, extensions
from pbem.matches.clock.causes import moment
from pbem.matches.clock.deadlines import MINUTE, now
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
    text: Message
    seat: str = ""

    @property
    def label(self) -> Message:
        """The kind of alert in a word or two."""
        return LABELS[self.kind]


LABELS = {
    "halted": term("alert", "halted"),
    "hold": term("alert", "on hold"),
    "late": term("alert", "late"),
    "dispute": term("alert", "dispute"),
    "more time": term("alert", "more time"),
    "seat": term("alert", "seat"),
    "missed": term("alert", "missed"),
    "mail": term("alert", "email"),
}


def attention(server: Server, match: str) -> list[Trouble]:
    """List what needs the game master's attention. Only the state of emails is hidden from players."""
    record = record_of(server, match)
    return [] if record.ended else [*_play_troubles(server, record), *_mail_troubles(server, record)]


def _play_troubles(server: Server, record: Record) -> Iterator[Trouble]:
    if record.halted:
        yield Trouble(
            "halted",
            say(
                "The match is halted in exchange {exchange}.",
                exchange=content_as(record.halted, MatchHalted).exchange,
            ),
        )
    deadline = deadlines.deadline_of(record)
    if (held := deadlines.on_hold(record)) is not None:
        yield Trouble("hold", say("The match has been on hold since {when}.", when=moment(held.recorded_at)))
    elif deadline is not None and not record.halted and now(server) > deadline.closes_at + PATIENCE:
        fell = moment(deadline.closes_at)
        late = say(
            "The deadline was {when}, but exchange {exchange} is still open.", when=fell, exchange=deadline.exchange
        )
        yield Trouble("late", late)
    for dispute in disputes.disputes(record):
        if not dispute.answer:
            yield Trouble("dispute", say("This seat disputes {place}.", place=dispute.named), dispute.seat)
    for asked in extensions.standing(record):
        yield Trouble("more time", say("This seat asks for {hours} more hours.", hours=asked.hours), asked.seat)
    for seat in record.seats:
        if record.started and seat not in record.occupants:
            yield Trouble("seat", say("This seat is empty."), seat)
        if missed := deadlines.missed_deadlines(record, seat):
            told = say("This seat missed the deadline of exchange {exchange}.", exchange=missed[0])
            if len(missed) > 1:
                told = say("This seat missed {count} deadlines in a row.", count=len(missed))
            yield Trouble("missed", told, seat)


def _mail_troubles(server: Server, record: Record) -> Iterator[Trouble]:
    """List undelivered emails, without revealing their addresses."""
    match = record.stream.removeprefix("match/")
    for seat, taken in sorted(record.occupants.items()):
        for marked in inbox.returning(server, taken["account"]):
            told = say(
                "Email to the player of this seat has bounced since {when}: {why}",
                when=moment(marked.since),
                why=marked.why,
            )
            yield Trouble("mail", told, seat)
    stuck = [owed for owed in outbox.waiting(server) if owed.attempts] + outbox.failed_emails(server)
    for owed in stuck:
        if owed.match == match:
            told = pattern(
                "An email ({kind}) failed {n} time and will be tried again.",
                "An email ({kind}) failed {n} times and will be tried again.",
            )
            if owed.next_at is None:
                told = pattern(
                    "An email ({kind}) failed {n} time and was given up.",
                    "An email ({kind}) failed {n} times and was given up.",
                )
            yield Trouble("mail", fill(told, {"n": owed.attempts, "kind": owed.kind}), owed.seat)
