"""A viewer's knowledge of a match: its status, the open form, reports of exchanges, receipts.

Everything is made from the record's public side, the seat's own parts, its view and its stored findings.
"""

from __future__ import annotations

import logging
import re
from functools import partial
from typing import Any

import msgspec

from eventstore import Event, NewPart, StoreTrouble
from pbem.engine.play.dice import Roll
from pbem.engine.rules.findings import MASTER, PUBLIC
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.rules.title import Submission
from pbem.engine.text.messages import ENGLISH, Message, Several, Translator, say
from pbem.engine.text.sheets import Advising
from pbem.matches.accounts.accounts import account
from pbem.matches.clock import deadlines
from pbem.matches.events import MatchEnded, OrderSealed, content_as, each
from pbem.matches.exchange import sealing
from pbem.matches.exchange.checks import check_open
from pbem.matches.exchange.ending import signed_head
from pbem.matches.film import places
from pbem.matches.history import final_views
from pbem.matches.history.receipts import Receipt, SignedHead
from pbem.matches.history.record import Entry, Record
from pbem.matches.history.replay import Position, findings_seen, load, record_of, rolls_of
from pbem.matches.history.telling import Remembering, Telling, Told, sentences_of
from pbem.matches.names import seat_word, with_names
from pbem.matches.players import endings, press
from pbem.matches.players.foresight import ahead
from pbem.matches.server import Server

__all__ = ["Told", "sentences_of"]

log = logging.getLogger("pbem.views")

FOR_ALL = {"all", "rest", "others", "everybody", "everyone"}
"""Words that make a line apply to every unit without a line of its own."""


class Mine(msgspec.Struct, frozen=True):
    """A seat's own orders for the open exchange."""

    asked: bool
    sealed: bool
    final: bool
    text: str = ""


class Announced(msgspec.Struct, frozen=True, omit_defaults=True):
    """The deadline of the open exchange, with the explanation for a reader."""

    exchange: int
    at: int
    why: Message | Several | str
    grace: int = 0
    cause: str = ""

    @property
    def closes_at(self) -> int:
        """Return when the exchange closes even if a seat has sealed nothing."""
        return self.at + self.grace


class Status(msgspec.Struct, frozen=True):
    """The status of a match. `state` is `seats`, `open`, `closing`, `halted` or `over`."""

    match: str
    name: str
    title: str
    scenario: str
    state: str
    turn: int
    exchange: int
    seats: dict[str, str]
    asked: list[str]
    waiting_for: list[str]
    deadline: Announced | None
    outcome: dict[str, Any] | None
    mine: Mine | None
    last: int


class Form(msgspec.Struct, frozen=True):
    """Lines ready to edit. `sealed` are the orders that this seat has sealed so far."""

    exchange: int
    text: str
    deadline: Announced | None
    kind: str
    rule: str
    sealed: str = ""
    final: bool = False


class Report(msgspec.Struct, frozen=True):
    """The report of an exchange for one viewer."""

    match: str
    name: str
    exchange: int
    turn: int
    told: list[Told]
    rolls: list[Roll]
    head: SignedHead
    outcome: dict[str, Any] | None


def status(server: Server, match: str, viewer: str = PUBLIC) -> Status:
    """The status of a match, with the names of its players."""
    record = record_of(server, match)
    shown = status_of(server, match, record, viewer)
    return msgspec.structs.replace(shown, seats={seat: _name(server, record, seat) for seat in record.seats})


def _outcome(server: Server, record: Record) -> dict[str, Any] | None:
    """The outcome of a match; its reason shows the sides' display names."""
    if record.ended is None:
        return None
    outcome = content_as(record.ended, MatchEnded).outcome
    sides = {*record.seats, *record.created.sides.values()}
    if not outcome.get("why"):
        return outcome
    return {**outcome, "why": endings.reason(server, record) or with_names(server, outcome["why"], sides)}


def open_deadline(server: Server, record: Record) -> Announced | None:
    """Return the deadline of the open exchange, if it has one."""
    found = deadlines.deadline_of(record)
    if found is None:
        return None
    why = found.why(partial(seat_word, server))
    return Announced(found.exchange, found.at, why, found.grace, found.cause)


def status_of(server: Server, match: str, record: Record, viewer: str = PUBLIC) -> Status:
    """Return the status of a match from its record, without a replay, so that it works for every match."""
    asked, turn = _awaited_seats(server, match, record)
    return Status(
        match=match,
        name=record.created.name,
        title=record.created.title,
        scenario=record.created.scenario,
        state=_state(record),
        turn=turn,
        exchange=record.open_exchange,
        seats=dict.fromkeys(record.seats, ""),
        asked=asked,
        waiting_for=[seat for seat in asked if seat not in (*record.final, *record.vacant)],
        deadline=open_deadline(server, record),
        outcome=_outcome(server, record),
        mine=_mine(server, record, asked, viewer),
        last=record.resolved[-1].exchange if record.resolved else 0,
    )


def seats_asked(server: Server, match: str, record: Record) -> list[str]:
    """Return the seats that must answer before the match continues."""
    return _awaited_seats(server, match, record)[0]


def _awaited_seats(server: Server, match: str, record: Record) -> tuple[list[str], int]:
    """Return the seats that must answer before the match continues, and the turn.

    Both are on record with the last resolved exchange; only after a correction must the rules be run.
    """
    newest_first = (entry for entry in reversed(record.history) if entry.kind != "moved" and not entry.is_closing)
    newest = next(newest_first, None)
    if newest is not None and newest.kind == "corrected" and not record.ended:
        try:
            position = load(server, match)
            return position.asked, position.run.state.turn
        except (StoreTrouble, OSError):
            raise
        except Exception:
            log.exception("match %s: what a correction has made of it cannot be told", match)
    is_open = record.started and not (record.closing or record.halted or record.ended)
    return sorted(deadlines.seats_asked(record)) if is_open else [], _turn_reached(record)


def _turn_reached(record: Record) -> int:
    """The turn to which the last resolved exchange led."""
    return int(record.resolved[-1].result.turn) if record.resolved else 1


def _state(record: Record) -> str:
    if record.ended:
        return "over"
    if record.halted:
        return "halted"
    if not record.started:
        return "seats"
    return "closing" if record.closing else "open"


def _name(server: Server, record: Record, seat: str) -> str:
    taken = record.occupants.get(seat)
    return "" if taken is None else account(server, taken["account"]).name


def _mine(server: Server, record: Record, asked: list[str], viewer: str) -> Mine | None:
    if viewer not in record.seats:
        return None
    return Mine(
        asked=viewer in asked,
        sealed=viewer in record.sealed,
        final=viewer in record.final,
        text=_sealed_text(server, record, viewer),
    )


def _sealed_text(server: Server, record: Record, seat: str) -> str:
    sealed = record.sealed.get(seat)
    if sealed is None:
        return ""
    content = msgspec.json.decode(server.store.part(sealed.parts[0].commitment).content)
    return str(content["text"])


class Mate(msgspec.Struct, frozen=True):
    """Another seat of a side: its occupant, what it has sealed for the open exchange, and whether that is final."""

    seat: str
    name: str
    sealed: str
    final: bool
    awaited: bool


def mates(server: Server, record: Record, seat: str) -> list[Mate]:
    """The other seats of a side that is one team, with their sealed orders; empty if orders are not shared."""
    if not record.created.shares_orders:
        return []
    names = {other: account(server, taken["account"]).name for other, taken in record.occupants.items()}
    return [
        Mate(
            other,
            names.get(other, ""),
            _sealed_text(server, record, other),
            other in record.final,
            other not in record.final and other in record.occupants,
        )
        for other in press.mates_of(record, seat)
    ]


def open_form(
    server: Server, match: str, seat: str, *, is_written: bool = True, translator: Translator = ENGLISH
) -> Form:
    """Return the form of the open exchange; refuse if the seat has no decision to make.

    The translator puts its comments into the reader's language. Without `is_written` its text stays empty, for
    callers that only need the ask and the sealed orders.
    """
    position = load(server, match)
    record = position.record
    ask = check_open(position, seat, record.open_exchange)
    return Form(
        exchange=record.open_exchange,
        text=position.form(ask, translator) if is_written else "",
        deadline=open_deadline(server, record),
        kind=ask.kind,
        rule=ask.rule,
        sealed=_sealed_text(server, record, seat),
        final=seat in record.final,
    )


def report(server: Server, match: str, viewer: str, exchange: int) -> Report:
    """Return the viewer's stored findings, each as a sentence with its rule and dice."""
    record = record_of(server, match)
    entry = record.exchange(exchange)
    if entry is None or entry.resolved is None or viewer not in (*record.seats, PUBLIC, MASTER):
        raise Illegal(str(exchange), [Objection("pbem/report", say("no report has that number"))])
    ended = record.ended is not None and record.resolved[-1].exchange == exchange
    return Report(
        match=match,
        name=record.created.name,
        exchange=exchange,
        turn=turn_of(record, entry),
        told=sentences_of(_telling(server, match, record, exchange, viewer), findings_seen(server, entry, viewer)),
        rolls=rolls_of(server, entry),
        head=signed_head(server, match, entry),
        outcome=_outcome(server, record) if ended else None,
    )


def numbered_report(server: Server, match: str, viewer: str, exchange: int) -> Report:
    """Return a report whose sentences have the numbers used by film and email."""
    found = report(server, match, viewer, exchange)
    numbers = places.number_sentences(server, record_of(server, match), viewer, exchange, found.told)
    told = [msgspec.structs.replace(one, place=place) for one, place in zip(found.told, numbers, strict=True)]
    return msgspec.structs.replace(found, told=told)


def _telling(server: Server, match: str, record: Record, exchange: int, viewer: str) -> Telling:
    """Return the wording of a report: the stored sentences, or the title's rules, or plain words."""
    kept = final_views.kept_report(server, match, record, exchange, viewer)
    if kept is not None:
        return kept
    try:
        return Remembering(server.rules(record.created.title, record.created.blobs))
    except (StoreTrouble, OSError):
        raise
    except Exception:
        return final_views.Spoken([])


def story(server: Server, match: str, viewer: str, most: int = 3) -> list[Report]:
    """Return the reports of the last exchanges, oldest first, for a new or returning player."""
    resolved = record_of(server, match).resolved[-most:]
    return [report(server, match, viewer, entry.exchange) for entry in resolved if entry.exchange > 1]


def turn_of(record: Record, entry: Entry) -> int:
    """The turn in which an exchange began, which is the turn to which the exchange before it led."""
    before = (e.result.turn for e in reversed(record.resolved) if e.exchange < entry.exchange)
    return int(next(before, 1))


def is_unfinished(record: Record, exchange: int) -> bool:
    """Whether the turn that an exchange belongs to went on after it."""
    entry = record.exchange(exchange)
    if entry is None or entry.resolved is None or (record.ended is not None and entry is record.resolved[-1]):
        return False
    return int(entry.result.turn) == turn_of(record, entry)


def receipt(server: Server, match: str, commitment: str) -> Receipt:
    """The receipt for orders that were sealed under this commitment."""
    record = record_of(server, match)
    event = _sealed_under(record, commitment)
    kept = server.store.part(commitment)
    sealed = NewPart(event.parts[0].name, event.parts[0].audience, kept.content, kept.salt)
    deadline = deadlines.announced_before(record, content_as(event, OrderSealed).exchange, event)
    return sealing.sign_receipt(server, match, event, sealed, deadline)


def _sealed_under(record: Record, commitment: str) -> Event:
    for event, _ in each(record.events, OrderSealed, newest_first=True):
        if event.parts[0].commitment == commitment:
            return event
    raise KeyError(f"nothing was sealed under {commitment}")


class Reading(msgspec.Struct, frozen=True):
    """How sealed orders were understood, and when the orders that they replace were sealed (0 if there were none)."""

    lines: str
    replaced_at: int
    without: list[str] = []
    """Units that the player's own lines do not name."""
    ahead: list[Message] = []
    """Where the orders lead as things are now, if the title supports previews."""


def reading(server: Server, match: str, receipt: Receipt) -> Reading:
    """The canonical reading of sealed orders in the title's words, or in the player's own if the title has none."""
    event = _sealed_under(record_of(server, match), receipt.commitment)
    before = load(server, match, upto=event.version - 1)
    ask = before.run.ask_of(receipt.seat)
    said = before.rules.restate(ask, msgspec.convert(receipt.orders, Submission)) if ask else receipt.text
    replaced = before.record.sealed.get(receipt.seat)
    without = _without_order(before, receipt, said)
    leads = ahead(before.rules, before.run.view(receipt.seat), ask, said)
    return Reading(said.strip(), 0 if replaced is None else replaced.recorded_at, without, leads)


def _without_order(before: Position, receipt: Receipt, read: str) -> list[str]:
    """The units that could have been given an order but are not named; empty if a line covers all the rest.

    No unit lacks an order in a set-up: one that no line names keeps its place in the form.

    A line for a formation does not name its units, but `read`, the order as it was understood, does.
    """
    ask = before.run.ask_of(receipt.seat)
    if ask is None or not isinstance(before.rules, Advising) or not before.rules.verbs(ask):
        return []
    named = set(re.findall(r"[\w'-]+", f"{receipt.text}\n{read}".lower()))
    if named & FOR_ALL:
        return []
    return [unit for unit in before.rules.roll_call(before.run.view(receipt.seat), ask) if unit.lower() not in named]
