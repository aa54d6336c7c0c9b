"""What a viewer may know of a match: how it stands, the open form, reports of exchanges, receipts.

Everything is made from the record's public side, the seat's own parts, its view and its stored findings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from eventstore import Event, NewPart
from pbem.engine.play.dice import Roll
from pbem.engine.play.resolve import ANSWERED
from pbem.engine.rules.findings import MASTER, PUBLIC, Finding
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.rules.title import Rules, Submission
from pbem.matches.accounts.accounts import account
from pbem.matches.clock import deadlines
from pbem.matches.clock.deadlines import Deadline
from pbem.matches.exchange import acts
from pbem.matches.history.receipts import Receipt, SignedHead
from pbem.matches.history.record import Entry, Record, fold
from pbem.matches.history.replay import Position, findings_of, load, rolls_of
from pbem.matches.server import Server


class Mine(msgspec.Struct, frozen=True):
    """What a seat itself knows of its orders for the open exchange."""

    asked: bool
    sealed: bool
    final: bool
    text: str = ""


class Status(msgspec.Struct, frozen=True):
    """How a match stands. `state` is `seats`, `open`, `closing`, `halted` or `over`."""

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
    deadline: Deadline | None
    outcome: dict[str, Any] | None
    mine: Mine | None
    last: int


class Form(msgspec.Struct, frozen=True):
    """Lines ready to edit. `sealed` is what this seat has sealed so far."""

    exchange: int
    text: str
    deadline: Deadline | None
    kind: str
    rule: str
    sealed: str = ""
    final: bool = False


class Told(msgspec.Struct, frozen=True):
    """A finding as a sentence; `depth` says under which other one it stands."""

    rule: str
    text: str
    dice: tuple[int, ...]
    depth: int
    finding: Finding


class Report(msgspec.Struct, frozen=True):
    """What an exchange brought, for one viewer."""

    match: str
    name: str
    exchange: int
    turn: int
    told: list[Told]
    rolls: list[Roll]
    head: SignedHead
    outcome: dict[str, Any] | None


def status(server: Server, match: str, viewer: str = PUBLIC) -> Status:
    """How a match stands. One that is halted because its past cannot be played again is told from its record."""
    record = acts.read(server, match)
    position = _position(server, match, record)
    return Status(
        match=match,
        name=record.created["name"],
        title=record.created["title"],
        scenario=record.created["scenario"],
        state=_state(record),
        turn=position.run.state.turn if position else _turn_told(record),
        exchange=record.open_exchange,
        seats={seat: _name(server, record, seat) for seat in record.seats},
        asked=position.asked if position else [],
        waiting_for=position.waited_for if position else [],
        deadline=deadlines.deadline_of(record),
        outcome=record.ended.payload["outcome"] if record.ended else None,
        mine=_mine(server, position, viewer) if position else None,
        last=record.resolved[-1].exchange if record.resolved else 0,
    )


def _position(server: Server, match: str, record: Record) -> Position | None:
    try:
        return load(server, match)
    except Exception:
        if not record.halted:
            raise
        return None


def _turn_told(record: Record) -> int:
    """The turn that the last resolved exchange has led to."""
    told = [entry.resolved.payload["turn"] for entry in record.resolved if entry.resolved]
    return int(told[-1]) if told else 0


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


def _mine(server: Server, position: Position, viewer: str) -> Mine | None:
    record = position.record
    if viewer not in record.seats:
        return None
    return Mine(
        asked=viewer in position.asked,
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


def open_form(server: Server, match: str, seat: str) -> Form:
    """The form of the open exchange; a refusal if nothing is asked of the seat now."""
    position = load(server, match)
    record = position.record
    ask = acts.check_open(position, seat, record.open_exchange)
    return Form(
        exchange=record.open_exchange,
        text=position.rules.form(position.run.view(seat), ask),
        deadline=deadlines.deadline_of(record),
        kind=ask.kind,
        rule=ask.rule,
        sealed=_sealed_text(server, record, seat),
        final=seat in record.final,
    )


def report(server: Server, match: str, viewer: str, exchange: int) -> Report:
    """The stored findings that the viewer may know, each as a sentence with its rule and dice."""
    record = acts.read(server, match)
    entry = record.exchange(exchange)
    if entry is None or entry.resolved is None or viewer not in (*record.seats, PUBLIC, MASTER):
        raise Illegal(str(exchange), [Objection("pbem/report", "there is no such report")])
    rules = server.rules(record.created["title"], record.created["blobs"])
    ended = record.ended is not None and record.resolved[-1].exchange == exchange
    return Report(
        match=match,
        name=record.created["name"],
        exchange=exchange,
        turn=_turn_of(record, entry),
        told=list(told(rules, findings_of(server, entry, viewer))),
        rolls=rolls_of(server, entry),
        head=acts.signed_head(server, match, entry),
        outcome=record.ended.payload["outcome"] if ended and record.ended else None,
    )


def story(server: Server, match: str, viewer: str, most: int = 3) -> list[Report]:
    """The reports of the last exchanges, oldest first: what somebody must know who comes (back) to a match."""
    resolved = [entry.exchange for entry in acts.read(server, match).resolved if entry.exchange > 1]
    return [report(server, match, viewer, exchange) for exchange in resolved[-most:]]


def _turn_of(record: Record, entry: Entry) -> int:
    """The turn in which an exchange began: the one that the exchange before it led to."""
    before = [e.resolved.payload["turn"] for e in record.resolved if e.resolved and e.exchange < entry.exchange]
    return int(before[-1]) if before else 1


def told(rules: Rules, findings: Sequence[Finding], depth: int = 0) -> list[Told]:
    """A sentence for each finding; that a seat did nothing again, for the same reason, is told once."""
    sentences: list[Told] = []
    idle = Counter(map(why_idle, findings))
    for finding in findings:
        reason = why_idle(finding)
        if reason and not idle[reason]:
            continue
        times = idle.pop(reason) if reason else 1
        text = answered(finding, times) if finding.rule == ANSWERED else rules.tell(finding)
        sentences.append(Told(finding.rule, text, finding.dice, depth, finding))
        sentences += told(rules, finding.children, depth + 1)
    return sentences


def why_idle(finding: Finding) -> tuple[str, ...]:
    """The kind of ask that a seat has let pass, and by which clause; empty for everything else."""
    if finding.rule != ANSWERED or finding.result is not None or finding.inputs["passed"]:
        return ()
    return tuple(finding.inputs[what] for what in ("kind", "rule", "source", "clause"))


def answered(finding: Finding, times: int = 1) -> str:
    """How an ask was answered for a seat, and why not by what it had said first; `times`: and all others like it."""
    said = finding.inputs
    about = f"{said['kind']}, {times} times" if times > 1 else " ".join(filter(None, (said["kind"], said["subject"])))
    source = f"by your {said['source']} «{said['clause']}»" if said["source"] != "default" else "by default"
    passed = f" (not by {'; '.join(said['passed'])})" if said["passed"] else ""
    # Orders of several words stand in the clause already.
    plain = {True: ": yes", False: ": no", None: ": nothing"}
    result = "" if isinstance(finding.result, dict | list) else plain.get(finding.result, f": {finding.result}")
    return f"{about} ({said['rule']}): answered {source}{passed}{result}."


def receipt(server: Server, match: str, commitment: str) -> Receipt:
    """The receipt of orders that were sealed under this commitment."""
    record = acts.read(server, match)
    event = _sealed_under(record, commitment)
    kept = server.store.part(commitment)
    sealed = NewPart(event.parts[0].name, event.parts[0].audience, kept.content, kept.salt)
    return acts.sign_receipt(server, match, event, sealed, fold(record.events[: event.version - 1]))


def _sealed_under(record: Record, commitment: str) -> Event:
    for event in record.events:
        if event.type == "order.sealed" and event.parts[0].commitment == commitment:
            return event
    raise KeyError(f"nothing was sealed under {commitment}")


class Reading(msgspec.Struct, frozen=True):
    """How sealed orders were understood, and when those were sealed that they replace (0: none)."""

    lines: str
    replaced_at: int


def reading(server: Server, match: str, receipt: Receipt) -> Reading:
    """The canonical reading of sealed orders, in the title's words; where it has none, in the player's own."""
    event = _sealed_under(acts.read(server, match), receipt.commitment)
    before = load(server, match, upto=event.version - 1)
    ask, restate = before.run.ask_of(receipt.seat), getattr(before.rules, "restate", None)
    said = restate(ask, msgspec.convert(receipt.orders, Submission)) if restate and ask else receipt.text
    replaced = before.record.sealed.get(receipt.seat)
    return Reading(str(said).strip(), 0 if replaced is None else replaced.recorded_at)
