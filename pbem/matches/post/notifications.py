"""Consequences of events for the players: emails to queue, and deadlines.

The emails of an exchange are queued in the transaction that resolves it. `catch_up` reads every event once more,
so that events appended in another way are not missed, and maintains the table that the tick reads. An event that
cannot be announced holds up only its own match: it is tried again with the match's next event and at the next start.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from eventstore import Database, Event, StoreTrouble, Transaction, create_table
from pbem.engine.rules.findings import MASTER
from pbem.engine.text.messages import Message, Several, say, several
from pbem.matches.accounts.names import BOT
from pbem.matches.clock import absences, deadlines
from pbem.matches.clock.causes import Cause
from pbem.matches.clock.deadlines import MINUTE, SERVER_STREAM, Deadline
from pbem.matches.events import (
    DeadlineMissed,
    DeadlineSet,
    DisputeAppealed,
    DisputeHeard,
    DisputeOpened,
    DisputeSettled,
    DrawOffered,
    ExchangeClosed,
    ExtensionAsked,
    ExtensionGranted,
    MasterActed,
    MatchEnded,
    MatchHalted,
    PanelNamed,
    Resolved,
    RulingCorrected,
    RulingRecomputed,
    RulingReopened,
    SeatForfeited,
    SeatLeft,
    SeatTaken,
    SecretsKept,
    ServerOutage,
    ServerReleased,
    content_as,
    each,
    read,
)
from pbem.matches.history import beacons
from pbem.matches.history.record import Record
from pbem.matches.names import seat_word, with_names
from pbem.matches.players import endings, moderation, press
from pbem.matches.post import outbox
from pbem.matches.rulings import disputes, panels, precedents
from pbem.matches.server import Server
from pbem.matches.unit_of_work import Change

log = logging.getLogger("pbem.announcing")

OUTAGE_WORTH_A_MAIL = 15 * MINUTE
WHILE_OPEN = ("extension", "offer", "pause")
"""The kinds of email that are relevant only while their exchange is open."""

COLUMNS = {
    "ended": "INTEGER NOT NULL DEFAULT 0",
    "touched": "INTEGER NOT NULL DEFAULT 1",
    "deadline": "INTEGER",
    "remind": "INTEGER",
    "resumes": "INTEGER",
    "behind": "INTEGER",
    "look_at": "INTEGER",
    "settled": "INTEGER NOT NULL DEFAULT 0",
    "unchecked": "INTEGER NOT NULL DEFAULT 0",
    "beacon": "INTEGER",
}
"""The facts about a match that the tick needs.

    touched     the position of its last event, 0 once the match has been advanced
    resumes     when a pause ends
    behind      the position of the first event that could not be announced
    look_at     when to check a passed deadline again that closed nothing
    settled     up to which event of the server its deadline was moved
    unchecked   whether its past must be replayed under changed rules first; 2 if that failed
    beacon      when the public beacon that its closed exchange waits for is published
"""


TOUCH = (
    "INSERT INTO desk (match, touched) VALUES (?, ?) "
    "ON CONFLICT (match) DO UPDATE SET touched = excluded.touched, look_at = NULL RETURNING behind"
)


def create_tables(database: Database) -> None:
    """Create the table that the tick reads instead of every match."""
    if "settled" in create_table(database, "desk", "match TEXT PRIMARY KEY", COLUMNS):
        # Earlier releases moved the deadlines of all matches as soon as an outage was recorded.
        database.execute("UPDATE desk SET settled = (SELECT coalesce(max(position), 0) FROM feed)")
    database.execute("CREATE INDEX IF NOT EXISTS desk_due ON desk (deadline) WHERE deadline IS NOT NULL")
    database.execute("CREATE INDEX IF NOT EXISTS desk_remind ON desk (remind) WHERE remind IS NOT NULL")
    database.execute("CREATE INDEX IF NOT EXISTS desk_resumes ON desk (resumes) WHERE resumes IS NOT NULL")
    database.execute("CREATE INDEX IF NOT EXISTS desk_touched ON desk (touched) WHERE touched > 0")


# Owing -------------------------------------------------------------------------------------------------------


def owe(transaction: Transaction, kind: str, *, account: str, **more: Any) -> None:
    """Queue an email to an account, unless it is a bot."""
    if account and not account.startswith(BOT):
        outbox.queue(transaction, kind, account=account, **more)


def owe_seats(
    transaction: Transaction,
    record: Record,
    event: Event,
    kind: str,
    seats: Iterable[str] | None = None,
    about: dict[str, Any] | None = None,
    exchange: int | None = None,
) -> None:
    """Queue an email about an event to the occupants of these seats, or of all."""
    mail = {"match": match_of(event), "at": event.recorded_at, "key": event.hash}
    mail["exchange"] = record.open_exchange if exchange is None else exchange
    wanted = record.occupants if seats is None else set(seats)
    for seat, taken in sorted(record.occupants.items()):
        if seat in wanted:
            owe(transaction, kind, account=taken["account"], seat=seat, about=about, **mail)


def owe_master(
    transaction: Transaction,
    record: Record,
    event: Event,
    kind: str,
    about: dict[str, Any],
    exchange: int | None = None,
) -> None:
    """Queue an email about an event to the game master, unless they already get it as a player."""
    mail: dict[str, Any] = {"match": match_of(event), "at": event.recorded_at, "key": event.hash}
    mail["exchange"] = record.open_exchange if exchange is None else exchange
    owe(transaction, kind, account=record.created.master, about=about, **mail)


def is_wanted(server: Server, owed: outbox.Owed) -> bool:
    """Whether an email is still relevant.

    A player who has sealed orders in the meantime gets no reminder, and news about the clock or offers of a closed
    exchange is dropped. The signed head of a closing is of use only before the beacon's value is published.
    """
    if owed.kind == "closed":
        entry = server.record(f"match/{owed.match}").closing
        return entry is not None and entry.exchange == owed.exchange and not entry.beacon
    waits = owed.kind == "reminder" or (owed.kind == "missed" and owed.about.get("open"))
    if not waits and owed.kind not in WHILE_OPEN and not owed.about.get("told_anyway"):
        return True
    record = server.record(f"match/{owed.match}")
    if waits or owed.kind in WHILE_OPEN:
        is_open = record.open_exchange == owed.exchange and not record.closing and not record.ended
        if missing := owed.about.get("missing"):
            return is_open and any(seat not in record.sealed for seat in missing)
        return is_open and not (waits and owed.seat in record.sealed)
    seated = record.occupants.get(owed.seat, {}).get("account") == owed.account
    return seated and not record.ended and record.last < owed.exchange  # otherwise another email says so


def match_of(event: Event) -> str:
    return event.stream.removeprefix("match/")


# Exchanges ---------------------------------------------------------------------------------------------------


def announce(change: Change, event: Event) -> None:
    """Queue the report of a resolved exchange for every occupant, and set the next deadline.

    Repeating it has no effect.
    """
    record, transaction = change.record, change.transaction
    is_latest = bool(record.resolved) and record.resolved[-1].resolved == event
    if event.type == "exchange.recomputed" and not is_latest:
        return
    if is_latest and not record.closing and deadlines.deadline_of(record) is None:
        set_deadline(change, event)
    exchange = content_as(event, Resolved).exchange
    over = is_latest and record.ended is not None and not endings.is_agreed(record.ended)
    kind = "over" if over else "orders" if exchange == 1 else "report"
    missed = seats_that_missed(record, exchange) if kind == "report" else set()
    owe_seats(transaction, record, event, "missed", missed, exchange=exchange)
    owe_seats(transaction, record, event, kind, set(record.seats) - missed, exchange=exchange)


def set_deadline(change: Change, opened: Event) -> None:
    """Announce the deadline of the exchange that this event has opened."""
    away = absences.sides_away(change.server, change.record, deadlines.seats_asked(change.record))
    # An event is never dated before the last one of its stream; after a wrong clock that may be in the future.
    deadlines.announce(change, min(opened.recorded_at, deadlines.now(change.server)), away)


def seats_that_missed(record: Record, exchange: int) -> set[str]:
    """The seats that had sealed nothing when the deadline of an exchange passed."""
    closed = record.closings[exchange].closed
    return set(closed.asked) - set(closed.counts) if closed.why == "deadline" else set()


# Catching up -------------------------------------------------------------------------------------------------


def catch_up(server: Server) -> None:
    """Bring the table up to date, and announce events that another process appended."""
    server.store.project("desk", lambda transaction, event: _handle(server, transaction, event))


def try_again(server: Server) -> None:
    """Retry announcements that failed before."""
    catch_up(server)
    rows = server.database.execute("SELECT match, behind FROM desk WHERE behind IS NOT NULL").fetchall()
    for match, behind in rows:
        with server.store.transaction("announce") as transaction:
            events = server.store.read(f"match/{match}")
            _announce_from(server, transaction, match, events[-1], behind)


def _handle(server: Server, transaction: Transaction, event: Event) -> None:
    if event.stream == SERVER_STREAM and event.type in ("server.outage", "server.released"):
        announce_outage(server, transaction, event)
    if event.stream.startswith("match/"):
        match = match_of(event)
        row = transaction.database.execute(TOUCH, (match, transaction.position)).fetchone()
        if row[0] is not None or event.type in HANDLERS:
            _announce_from(server, transaction, match, event, row[0])


def _announce_from(server: Server, transaction: Transaction, match: str, event: Event, behind: int | None) -> None:
    """Announce an event, after any earlier events from `behind` on that could not be announced."""
    database = transaction.database
    place = transaction.position or server.store.place(event)
    since = place if behind is None else behind
    database.execute("SAVEPOINT announcing")
    try:
        events = [event] if behind is None else server.store.read(event.stream)
        for one in events:
            if one.version < server.record_with(one).arrived:
                continue  # its players were notified where it happened
            if behind is None or since <= server.store.place(one) <= place:
                HANDLERS.get(one.type, _nothing)(server, transaction, one)
        if behind is not None:
            database.execute("UPDATE desk SET behind = NULL WHERE match = ?", (match,))
    except StoreTrouble:
        raise  # the database or disk is at fault: the whole batch is tried again
    except Exception:
        log.exception("match %s: event %s could not be announced", match, event.version)
        database.execute("ROLLBACK TO announcing")
        database.execute("UPDATE desk SET behind = ? WHERE match = ?", (since, match))
    database.execute("RELEASE announcing")


def _nothing(server: Server, transaction: Transaction, event: Event) -> None:
    """Do nothing, because events of this type have no notifications."""


def _update(transaction: Transaction, match: str, **values: int | None) -> None:
    names = ", ".join(f"{name} = ?" for name in values)
    transaction.database.execute(f"UPDATE desk SET {names} WHERE match = ?", (*values.values(), match))


# The clock ---------------------------------------------------------------------------------------------------


def notify_result(server: Server, transaction: Transaction, event: Event) -> None:
    announce(Change.joining(server, transaction, server.record(event.stream)), event)


def deadline_set(server: Server, transaction: Transaction, event: Event) -> None:
    record, announced = server.record_with(event), content_as(event, DeadlineSet)
    deadline = Deadline(announced.exchange, announced.at)
    remind = deadlines.remind_at(deadline, deadlines.opened_at(record))
    _update(transaction, match_of(event), deadline=deadline.at, remind=remind)


def notify_closing(server: Server, transaction: Transaction, event: Event) -> None:
    """Stop the clock, and tell the game master which seats missed the deadline.

    If the dice wait for a public beacon, every player gets the signed head of the closing.
    """
    record = server.record_with(event)
    if missed := seats_that_missed(record, content_as(event, ExchangeClosed).exchange):
        owe_master(transaction, record, event, "master-notice", {"notice": "missed", "seats": sorted(missed)})
    terms = beacons.terms_of(record.created.beacon)
    due = None if terms is None else terms.published_at(terms.round_after(event.recorded_at))
    _update(transaction, match_of(event), deadline=None, remind=None, resumes=None, beacon=due)
    if terms is not None:
        about = {"beacon": terms.name, "round": terms.round_after(event.recorded_at), "due": due}
        owe_seats(
            transaction, record, event, "closed", about=about, exchange=content_as(event, ExchangeClosed).exchange
        )


def beacon_taken(server: Server, transaction: Transaction, event: Event) -> None:
    _update(transaction, match_of(event), beacon=None)


def notify_missed(server: Server, transaction: Transaction, event: Event) -> None:
    """Tell seats without orders that it is not too late, and the others that the match waits."""
    record, what = server.record_with(event), content_as(event, DeadlineMissed)
    if what.exchange == record.open_exchange:
        seats = what.seats
        owe_seats(transaction, record, event, "missed", seats, {"open": True})
        others = [seat for seat in record.seats if seat not in seats]
        owe_seats(transaction, record, event, "missed", others, {"open": True, "missing": seats})
        owe_master(transaction, record, event, "missed", {"open": True, "missing": seats})


def asked_for_time(server: Server, transaction: Transaction, event: Event) -> None:
    """Tell the other players and the game master of a request for more time that is not granted at once."""
    record, asked = server.record_with(event), content_as(event, ExtensionAsked)
    here = asked.exchange
    following = record.events[event.version].type if event.version < record.version else ""
    if following != "extension.granted":
        others = [seat for seat in record.seats if seat != asked.seat]
        about = {"what": "asked", "seat_asking": asked.seat, "hours": asked.hours}
        owe_seats(transaction, record, event, "extension", others, about, here)
        owe_master(transaction, record, event, "extension", about, here)


def granted_time(server: Server, transaction: Transaction, event: Event) -> None:
    """Notify the others that more time was granted; the last player to ask gets the answer directly."""
    record, granted = server.record_with(event), content_as(event, ExtensionGranted)
    about = {"what": "granted", "seat_asking": granted.seat, "hours": granted.hours}
    if granted.by == "bank":
        about["what"] = "bank"
        owe_seats(transaction, record, event, "extension", about=about, exchange=granted.exchange)
        return
    others = [seat for seat in record.seats if seat != granted.seat]
    owe_seats(transaction, record, event, "extension", others, about, granted.exchange)


def master_acted(server: Server, transaction: Transaction, event: Event) -> None:
    """Notify everyone of the game master's changes to the clock."""
    what, match = content_as(event, MasterActed), match_of(event)
    record = server.record(event.stream, upto=event.version)
    if what.act == "pause":
        _update(transaction, match, resumes=what.until)
        owe_seats(transaction, record, event, "pause", about={"until": what.until, "reason": what.why})
    elif what.act == "go on":
        _update(transaction, match, resumes=None)
        owe_seats(transaction, record, event, "resumed", about={"reason": what.why})
    elif what.act == "extend":
        about = {"what": "granted", "seat_asking": "", "hours": what.hours, "reason": what.why}
        owe_seats(transaction, record, event, "extension", about=about)


def match_resumed(server: Server, transaction: Transaction, event: Event) -> None:
    """Move the deadline by the duration of the halt, during which no orders could be sent."""
    record = server.record(event.stream)
    newest_first = (e for e, _ in each(record.events, MatchHalted, newest_first=True) if e.version < event.version)
    halted = next(newest_first, None)
    if halted is not None and not deadlines.announced_since(record, event):
        change = Change.joining(server, transaction, record)
        deadlines.give_back(change, halted.recorded_at, event.recorded_at, Cause("halted"), "halt")


def announce_outage(server: Server, transaction: Transaction, event: Event) -> None:
    """Notify each player that deadlines have moved, once for all of their matches."""
    what = read(event)
    assert isinstance(what, ServerOutage | ServerReleased)
    since, until = what.since, what.until if isinstance(what, ServerOutage) else event.recorded_at
    if abs(until - since) < OUTAGE_WORTH_A_MAIL:
        return
    jump = (what.jump or 0) if isinstance(what, ServerOutage) else 0
    if 0 < jump == until - since:
        jump = 0  # the machine was rebooted: as far as anybody knows the server was down
    about = {"since": since, "until": until, "held": event.type == "server.released", "jump": jump}
    rows = transaction.database.execute("SELECT match FROM desk WHERE deadline IS NOT NULL").fetchall()
    for (match,) in rows:
        try:
            record = server.record(f"match/{match}")
        except Exception:
            log.exception("match %s cannot be read", match)
            continue
        for taken in record.occupants.values():
            owe(transaction, "outage", account=taken["account"], at=event.recorded_at, key=event.hash, about=about)


# Seats and ends ----------------------------------------------------------------------------------------------


def seat_taken(server: Server, transaction: Transaction, event: Event) -> None:
    """Send a new occupant of a running match the story so far."""
    record = server.record_with(event)
    seat = content_as(event, SeatTaken).seat
    here = record.occupants.get(seat, {}).get("since") == event.version
    if here and event.version > first_closing(record) and not record.ended:
        owe_seats(transaction, record, event, "joined", [seat])


def first_closing(record: Record) -> int:
    """The version of the event that started the match; if it has not started, the newest version."""
    return next((event.version for event, _ in each(record.events, ExchangeClosed)), record.version)


def seat_left(server: Server, transaction: Transaction, event: Event) -> None:
    """Notify the former occupant and all players."""
    before = server.record(event.stream, upto=event.version - 1)
    left = content_as(event, SeatLeft)
    if before.started and left.seat in before.occupants:
        owe_seats(transaction, before, event, "left", about={"seat_left": left.seat, "reason": left.why})
        owe_master(transaction, before, event, "left", {"seat_left": left.seat, "reason": left.why})


def draw_offered(server: Server, transaction: Transaction, event: Event) -> None:
    record, offer = server.record_with(event), content_as(event, DrawOffered)
    if not record.ended:
        others = [seat for seat in record.seats if seat != offer.seat]
        owe_seats(transaction, record, event, "offer", others, {"seat_offering": offer.seat}, offer.exchange)


def secrets_kept(server: Server, transaction: Transaction, event: Event) -> None:
    """Tell all players who wants the secrets to stay sealed, so that nobody can agree to that unnoticed."""
    record, kept = server.record_with(event), content_as(event, SecretsKept)
    about = {"seat_offering": kept.seat, "secrets": "agreed" if record.opens == "never" else "wanted"}
    owe_seats(transaction, record, event, "offer", about=about)


def notify_move(server: Server, transaction: Transaction, event: Event) -> None:
    """Stop the clock of a match that continues on another server."""
    _update(transaction, match_of(event), ended=1, deadline=None, remind=None, resumes=None)


def notify_arrival(server: Server, transaction: Transaction, event: Event) -> None:
    """Send every player with an account here the story so far, from the address that takes their orders now."""
    record = server.record_with(event)
    _update(transaction, match_of(event), ended=1 if record.ended else 0)
    if record.started and not record.ended:
        owe_seats(transaction, record, event, "joined")


def notify_end(server: Server, transaction: Transaction, event: Event) -> None:
    _update(transaction, match_of(event), ended=1, deadline=None, remind=None, resumes=None)
    notify_master(server, transaction, event)
    if endings.is_agreed(event):
        record = server.record(event.stream, upto=event.version)
        owe_seats(transaction, record, event, "ended", exchange=content_as(event, MatchEnded).exchange)


def notify_master(server: Server, transaction: Transaction, event: Event) -> None:
    """Tell the game master of a halt, a forfeit or the end."""
    about: dict[str, Any] = {"notice": event.type.partition(".")[2]}
    what = read(event)
    if isinstance(what, MatchEnded):
        about["outcome"] = _outcome(server, server.record_with(event), what.outcome)
    elif isinstance(what, SeatForfeited):
        about["seat"] = what.seat
    owe_master(transaction, server.record_with(event), event, "master-notice", about)


def _outcome(server: Server, record: Record, outcome: Mapping[str, Any]) -> Message | Several:
    """Say who has won, and why, for the game master."""
    won = say("It is a draw.")
    if outcome.get("winner"):
        won = say("The winner is {side}.", side=seat_word(server, outcome["winner"]))
    why = endings.reason(server, record) or with_names(server, outcome.get("why", ""), record.seats)
    return several([won, say("Reason: {why}.", why=why)], "sentences") if why else won


# Letters, disputes, rulings ----------------------------------------------------------------------------------


def press_sent(server: Server, transaction: Transaction, event: Event) -> None:
    record = server.record_with(event)
    readers = [
        seat for seat in press.readers(server, record, event) if not _is_kept_back(transaction, server, event, seat)
    ]
    about = {"version": event.version}
    owe_seats(transaction, record, event, "press", readers, about)
    if MASTER in readers:
        owe_master(transaction, record, event, "press", about)


def _is_kept_back(transaction: Transaction, server: Server, event: Event, seat: str) -> bool:
    """Whether a message is withheld because its reader has muted the author."""
    record, letter = server.record_with(event), press.read(server, event, seat)
    reader = record.occupants.get(seat, {}).get("account", "")
    return letter is not None and moderation.is_muted(transaction.database, record, letter.sender, reader)


def dispute_opened(server: Server, transaction: Transaction, event: Event) -> None:
    record = server.record_with(event)
    opened = content_as(event, DisputeOpened)
    about = msgspec.to_builtins(opened)
    owe_master(transaction, record, event, "dispute", about)
    others = [seat for seat in record.seats if seat != opened.seat]
    owe_seats(transaction, record, event, "dispute", others, about={**about, "answer": ""})


def dispute_settled(server: Server, transaction: Transaction, event: Event) -> None:
    record = server.record_with(event)
    precedents.publish(transaction, record, event)
    settled = content_as(event, DisputeSettled)
    about = {**msgspec.to_builtins(dispute_of(record, settled.number)), "answer": settled.answer}
    owe_seats(transaction, record, event, "dispute", about=about)
    owe_judges(transaction, record, event, about, settled.number)
    if settled.by == panels.PANEL:
        owe_master(transaction, record, event, "dispute", about)


def panel_named(server: Server, transaction: Transaction, event: Event) -> None:
    record = server.record_with(event)
    named = content_as(event, PanelNamed)
    owe_judges(transaction, record, event, msgspec.to_builtins(dispute_of(record, named.number)), named.number)


def owe_judges(transaction: Transaction, record: Record, event: Event, about: dict[str, Any], number: int) -> None:
    """Notify every member of the panel on a dispute, with a code to vote by reply."""
    mail: dict[str, Any] = {"match": match_of(event), "at": event.recorded_at, "key": event.hash}
    panel = next((one.panel for one in disputes.disputes(record) if one.number == number), ())
    for member in panel:
        owe(transaction, "dispute", account=member, about={**about, "judge": number}, **mail)


def dispute_of(record: Record, number: int) -> DisputeOpened:
    """Return the event that opened the dispute with this number."""
    return next(one for _, one in each(record.events, DisputeOpened) if one.number == number)


def dispute_heard(server: Server, transaction: Transaction, event: Event) -> None:
    """Notify the game master and the panel of a statement or an appeal; an appeal reopens the dispute."""
    record, what = server.record_with(event), read(event)
    assert isinstance(what, DisputeHeard | DisputeAppealed)
    if isinstance(what, DisputeAppealed):
        precedents.withdraw(transaction, record, event)
    kind = "appeal" if isinstance(what, DisputeAppealed) else "statement"
    about = {**msgspec.to_builtins(dispute_of(record, what.number)), "by_seat": what.seat, "new": kind}
    owe_master(transaction, record, event, "dispute", about)
    owe_judges(transaction, record, event, about, what.number)


def announce_ruling(server: Server, transaction: Transaction, event: Event) -> None:
    """Notify every occupant of a ruling; reopened asks get the full time."""
    _update(transaction, match_of(event), ended=0)
    record = server.record(event.stream)
    # A ruling voids the open number; asks under the new one have no deadline yet.
    if record.started and not record.closing and deadlines.deadline_of(record) is None:
        set_deadline(Change.joining(server, transaction, record), event)
    ruling = read(event)
    assert isinstance(ruling, RulingReopened | RulingRecomputed | RulingCorrected)
    after = 0 if isinstance(ruling, RulingCorrected) else ruling.after
    about = {"what": event.type.partition(".")[2], "reason": ruling.reason, "after": after}
    owe_seats(transaction, record, event, "ruling", about=about)


def announce_void(server: Server, transaction: Transaction, event: Event) -> None:
    """Tell every occupant that their sealed orders are void, and ask again with the full time."""
    record = server.record(event.stream)
    if record.started and not record.closing and not record.ended and deadlines.deadline_of(record) is None:
        set_deadline(Change.joining(server, transaction, record), event)
    owe_seats(transaction, record, event, "ruling", about={"what": "voided", "reason": "", "after": 0})


HANDLERS: dict[str, Callable[[Server, Transaction, Event], None]] = {
    "exchange.resolved": notify_result,
    "exchange.recomputed": notify_result,
    "exchange.closed": notify_closing,
    "beacon.taken": beacon_taken,
    "deadline.set": deadline_set,
    "deadline.missed": notify_missed,
    "extension.asked": asked_for_time,
    "extension.granted": granted_time,
    "master.acted": master_acted,
    "match.resumed": match_resumed,
    "match.halted": notify_master,
    "match.moved": notify_move,
    "match.arrived": notify_arrival,
    "seat.forfeited": notify_master,
    "match.ended": notify_end,
    "seat.taken": seat_taken,
    "seat.left": seat_left,
    "draw.offered": draw_offered,
    "secrets.kept": secrets_kept,
    "press.sent": press_sent,
    "press.delivered": press_sent,
    "dispute.opened": dispute_opened,
    "dispute.settled": dispute_settled,
    "panel.named": panel_named,
    "dispute.heard": dispute_heard,
    "dispute.appealed": dispute_heard,
    "exchange.voided": announce_void,
    "ruling.reopened": announce_ruling,
    "ruling.recomputed": announce_ruling,
    "ruling.corrected": announce_ruling,
}
