"""The desk: what mail, web and command line call. Occupants are checked here, and every mail is owed from here.

    open_house                                  a house with all its tables
    new_match, take_seat                        how a match comes about
    submit, finalise, withdraw, confirm         what an occupant does
    status, open_form, report, receipt          what a viewer may know
    advance, play_bots, catch_up, tick          what the server does by itself
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import sqlite_utils

from eventstore import Event, NewPart, Transaction
from pbem.engine.dice import Roll
from pbem.engine.findings import MASTER, PUBLIC, Finding
from pbem.engine.refusals import Illegal, Objection, Unreadable
from pbem.engine.resolve import ANSWERED
from pbem.engine.title import Rules, Title
from pbem.matches import accounts, acts, bots, deadlines, inbox, outbox, tokens
from pbem.matches.accounts import Account, account
from pbem.matches.deadlines import Deadline
from pbem.matches.house import House, fingerprint
from pbem.matches.position import Position, findings_of, load, rolls_of, stream_of
from pbem.matches.receipts import Receipt, SignedHead
from pbem.matches.record import Entry, Record, fold
from pbem.matches.tokens import Token

log = logging.getLogger("pbem.desk")

MOST_EXCHANGES = 20
"""How many exchanges one call of `advance` may run through: bots among themselves must not stop the tick."""


# The house ---------------------------------------------------------------------------------------------------


def open_house(path: str | Path, titles: Mapping[str, Title], **more: Any) -> House:
    """A house with the tables of accounts, tokens, outbox, inbox and desk."""
    house = House(path, titles, **more)
    with house.store.transaction() as transaction:
        for module in (accounts, tokens, outbox, inbox):
            module.create_tables(transaction.database)
        create_tables(transaction.database)
    return house


def create_tables(database: sqlite_utils.Database) -> None:
    """What the tick looks at instead of reading every match: made from the events by `catch_up`."""
    database.execute(
        "CREATE TABLE IF NOT EXISTS desk (match TEXT PRIMARY KEY, ended INTEGER NOT NULL DEFAULT 0, "
        "touched INTEGER NOT NULL DEFAULT 1, deadline INTEGER, remind INTEGER)"
    )


# How a match comes about -------------------------------------------------------------------------------------


def new_match(
    house: House,
    title: str,
    scenario: str,
    *,
    name: str = "",
    cadence: int = 0,
    options: Mapping[str, Any] | None = None,
    reactions: str = "plan",
    master: str = "",
) -> str:
    """Create a match with a cadence in hours (0: no deadline)."""
    if cadence < 0:
        raise Unreadable(str(cadence), [Objection("pbem/create", "a cadence is a number of hours")], ["0", "48"])
    return acts.create(
        house,
        title,
        scenario,
        name=name,
        options=options,
        reactions=reactions,
        master=master,
        more={"cadence": cadence},
    )


def take_seat(house: House, match: str, seat: str, account: str) -> None:
    """Put an account into a free seat; with the last one the match starts and forms are owed."""
    acts.take_seat(house, match, seat, account)
    catch_up(house)
    advance(house, match)


def occupant(house: House, match: str, seat: str) -> Account | None:
    taken = acts.read(house, match).occupants.get(seat)
    return None if taken is None else account(house, taken["account"])


def seats_of(house: House, match: str, account: str) -> list[str]:
    """The seats in which an account sits."""
    return [s for s, taken in sorted(acts.read(house, match).occupants.items()) if taken["account"] == account]


def check_occupant(record: Record, seat: str, by: str) -> None:
    if record.occupants.get(seat, {}).get("account") != by:
        raise Illegal(seat, [Objection("pbem/seat", "you do not sit there")])


# What an occupant does ---------------------------------------------------------------------------------------


def submit(
    house: House,
    match: str,
    seat: str,
    exchange: int,
    text: str,
    *,
    by: str,
    final: bool,
    source: str,
    message_id: str = "",
    with_it: Callable[[Transaction], None] | None = None,
) -> Receipt:
    """Seal orders for the occupant of a seat. A line that says only `final` makes them final.

    `with_it` joins the transaction that seals.
    """
    check_occupant(acts.read(house, match), seat, by)
    orders, said_final = take_final(text)

    def owe(transaction: Transaction, receipt: Receipt) -> None:
        check_occupant(acts.read(house, match), seat, by)
        if source == "mail":
            about = {"commitment": receipt.commitment, "message_id": message_id}
            _owe(transaction, "receipt", match, seat, exchange, by, receipt.sealed_at, receipt.event, about)
        if with_it is not None:
            with_it(transaction)

    receipt = acts.seal_text(house, match, seat, exchange, orders, final=final or said_final, with_it=owe)
    advance(house, match)
    return receipt


def take_final(text: str) -> tuple[str, bool]:
    """The orders without the line `final`, and whether it was there."""
    lines = text.splitlines()
    orders = [line for line in lines if line.strip().lower().rstrip(".!") != "final"]
    return "\n".join(orders), len(orders) < len(lines)


def finalise(house: House, match: str, seat: str, exchange: int, *, by: str) -> None:
    """Say that what is sealed is final."""
    check_occupant(acts.read(house, match), seat, by)
    acts.finalise(house, match, seat, exchange)
    advance(house, match)


def withdraw(house: House, match: str, seat: str, exchange: int, *, by: str) -> None:
    """Take back what is sealed."""
    check_occupant(acts.read(house, match), seat, by)
    acts.withdraw(house, match, seat, exchange)
    catch_up(house)


def confirm(house: House, token: str | Token) -> Receipt:
    """Seal the orders of a held mail: its account says that it sent them."""
    said = tokens.expect(house, token, "confirm") if isinstance(token, str) else token
    held = inbox.get(house, said.number)
    record = acts.read(house, said.match)
    taken = record.occupants.get(said.seat)
    if held is None or held.state != inbox.HELD or taken is None or taken["occupancy"] != said.occupancy:
        raise tokens.NotValid
    return submit(
        house,
        said.match,
        said.seat,
        held.exchange,
        held.about["text"],
        by=taken["account"],
        final=held.about["final"],
        source="mail",
        message_id=held.message_id,
        with_it=lambda transaction: inbox.mark_again(transaction, held.id, inbox.APPLIED, "confirmed"),
    )


# What a viewer may know --------------------------------------------------------------------------------------


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


def status(house: House, match: str, viewer: str = PUBLIC) -> Status:
    position = load(house, match)
    record = position.record
    return Status(
        match=match,
        name=record.created["name"],
        title=record.created["title"],
        scenario=record.created["scenario"],
        state=_state(record),
        turn=position.run.state.turn,
        exchange=record.open_exchange,
        seats={seat: _name(house, record, seat) for seat in record.seats},
        asked=position.asked,
        waiting_for=position.waited_for,
        deadline=deadlines.deadline_of(record),
        outcome=record.ended.payload["outcome"] if record.ended else None,
        mine=_mine(house, position, viewer),
        last=record.resolved[-1].exchange if record.resolved else 0,
    )


def _state(record: Record) -> str:
    if record.ended:
        return "over"
    if record.halted:
        return "halted"
    if not record.started:
        return "seats"
    return "closing" if record.closing else "open"


def _name(house: House, record: Record, seat: str) -> str:
    taken = record.occupants.get(seat)
    return "" if taken is None else account(house, taken["account"]).name


def _mine(house: House, position: Position, viewer: str) -> Mine | None:
    record = position.record
    if viewer not in record.seats:
        return None
    return Mine(
        asked=viewer in position.asked,
        sealed=viewer in record.sealed,
        final=viewer in record.final,
        text=_sealed_text(house, record, viewer),
    )


def _sealed_text(house: House, record: Record, seat: str) -> str:
    sealed = record.sealed.get(seat)
    if sealed is None:
        return ""
    content = msgspec.json.decode(house.store.part(sealed.parts[0].commitment).content)
    return str(content["text"])


def open_form(house: House, match: str, seat: str) -> Form:
    """The form of the open exchange; a refusal if nothing is asked of the seat now."""
    position = load(house, match)
    record = position.record
    ask = acts.check_open(position, seat, record.open_exchange)
    return Form(
        exchange=record.open_exchange,
        text=position.rules.form(position.run.view(seat), ask),
        deadline=deadlines.deadline_of(record),
        kind=ask.kind,
        rule=ask.rule,
        sealed=_sealed_text(house, record, seat),
        final=seat in record.final,
    )


def report(house: House, match: str, viewer: str, exchange: int) -> Report:
    """The stored findings that the viewer may know, each as a sentence with its rule and dice."""
    record = acts.read(house, match)
    entry = record.exchange(exchange)
    if entry is None or entry.resolved is None or viewer not in (*record.seats, PUBLIC, MASTER):
        raise Illegal(str(exchange), [Objection("pbem/report", "there is no such report")])
    rules = house.rules(record.created["title"], record.created["blobs"])
    ended = record.ended is not None and record.resolved[-1].exchange == exchange
    return Report(
        match=match,
        name=record.created["name"],
        exchange=exchange,
        turn=_turn_of(record, entry),
        told=list(told(rules, findings_of(house, entry, viewer))),
        rolls=rolls_of(house, entry),
        head=acts.signed_head(house, match, entry),
        outcome=record.ended.payload["outcome"] if ended and record.ended else None,
    )


def _turn_of(record: Record, entry: Entry) -> int:
    """The turn in which an exchange began: the one that the exchange before it led to."""
    before = [e.resolved.payload["turn"] for e in record.resolved if e.resolved and e.exchange < entry.exchange]
    return int(before[-1]) if before else 1


def told(rules: Rules, findings: Sequence[Finding], depth: int = 0) -> list[Told]:
    sentences: list[Told] = []
    for finding in findings:
        text = answered(finding) if finding.rule == ANSWERED else rules.tell(finding)
        sentences.append(Told(finding.rule, text, finding.dice, depth, finding))
        sentences += told(rules, finding.children, depth + 1)
    return sentences


def answered(finding: Finding) -> str:
    """How an ask was answered for a seat, and why not by what it had said first."""
    said = finding.inputs
    about = " ".join(filter(None, (said["kind"], said["subject"])))
    source = f"by your {said['source']} «{said['clause']}»" if said["source"] != "default" else "by default"
    passed = f" (not by {'; '.join(said['passed'])})" if said["passed"] else ""
    # Orders of several words stand in the clause already.
    plain = {True: ": yes", False: ": no", None: ": nothing"}
    result = "" if isinstance(finding.result, dict | list) else plain.get(finding.result, f": {finding.result}")
    return f"{about} ({said['rule']}): answered {source}{passed}{result}."


def receipt(house: House, match: str, commitment: str) -> Receipt:
    """The receipt of orders that were sealed under this commitment."""
    for event in acts.read(house, match).events:
        if event.type == "order.sealed" and event.parts[0].commitment == commitment:
            kept = house.store.part(commitment)
            sealed = NewPart(event.parts[0].name, event.parts[0].audience, kept.content, kept.salt)
            return acts.sign_receipt(house, match, event, sealed)
    raise KeyError(f"nothing was sealed under {commitment}")


# What the server does by itself ------------------------------------------------------------------------------


def advance(house: House, match: str) -> None:
    """Resolve what is closed, let bots answer, close what is final, and so on until a person is wanted."""
    for _ in range(MOST_EXCHANGES):
        resolve(house, match)
        position = load(house, match)
        for seat in bots.bot_seats(position):
            bots.answer(house, position, seat)
        if not close_if_final(house, match):
            break
    catch_up(house)


def close_if_final(house: House, match: str) -> bool:
    """Close when every asked seat is final; not during a hold, and not while mails wait at the doors."""
    position = load(house, match)
    if not position.asked or position.waited_for or inbox.any_waiting(house) or deadlines.held_since(house):
        return False
    return acts.close(house, match, exchange=position.record.open_exchange, why="final")


def resolve(house: House, match: str) -> Position:
    """Resolve what is closed; reports, forms and the next deadline belong to the same transaction."""

    def owe(transaction: Transaction, position: Position, entry: Entry) -> None:
        assert entry.resolved is not None
        announce(house, transaction, entry.resolved)

    return acts.resolve(house, match, owe)


def play_bots(house: House) -> None:
    """Let every bot answer from which something is wanted."""
    for match in acts.matches(house):
        if bots.bot_seats(load(house, match)):
            advance(house, match)


def announce(house: House, transaction: Transaction, event: Event) -> None:
    """Owe every occupant what this event means to him, and set the next deadline. Doing it again does nothing."""
    match = event.stream.removeprefix("match/")
    record = fold(house.store.read(event.stream))
    is_latest = record.resolved and record.resolved[-1].resolved == event
    if is_latest and not record.closing and deadlines.deadline_of(record) is None:
        deadlines.announce(transaction, record, event)
    exchange = event.payload["exchange"]
    kind = "over" if is_latest and record.ended else "orders" if exchange == 1 else "report"
    for seat, taken in sorted(record.occupants.items()):
        _owe(transaction, kind, match, seat, exchange, taken["account"], event.recorded_at, event.hash, {})


def _owe(
    transaction: Transaction,
    kind: str,
    match: str,
    seat: str,
    exchange: int,
    account: str,
    at: int,
    key: str,
    about: dict[str, Any],
) -> None:
    if not account.startswith(accounts.BOT):
        outbox.queue(
            transaction, kind, at=at, key=key, account=account, match=match, exchange=exchange, seat=seat, about=about
        )


def catch_up(house: House) -> None:
    """Bring the desk's table up to date, and announce what was resolved by another way than this desk's."""
    house.store.project("desk", lambda transaction, event: _handle(house, transaction, event))


def _handle(house: House, transaction: Transaction, event: Event) -> None:
    if not event.stream.startswith("match/"):
        return
    match, database = event.stream.removeprefix("match/"), transaction.database
    database.execute("INSERT INTO desk (match) VALUES (?) ON CONFLICT DO UPDATE SET touched = 1", (match,))
    match event.type:
        case "exchange.resolved" | "exchange.recomputed":
            announce(house, transaction, event)
        case "deadline.set":
            record = fold(house.store.read(event.stream, upto=event.version))
            deadline = Deadline(event.payload["exchange"], event.payload["at"], "")
            times = (deadline.at, deadlines.remind_at(deadline, deadlines.cadence_of(record)), match)
            database.execute("UPDATE desk SET deadline = ?, remind = ? WHERE match = ?", times)
        case "exchange.closed":
            database.execute("UPDATE desk SET deadline = NULL, remind = NULL WHERE match = ?", (match,))
        case "match.ended":
            database.execute("UPDATE desk SET ended = 1, deadline = NULL, remind = NULL WHERE match = ?", (match,))
        case "ruling.reopened" | "ruling.recomputed" | "ruling.corrected":
            database.execute("UPDATE desk SET ended = 0 WHERE match = ?", (match,))
        case _:
            pass


def hold(house: House, why: str = "") -> bool:
    """From now on nothing closes."""
    return deadlines.hold(house, why)


def release(house: House) -> bool:
    """Closing goes on; deadlines move by the held time."""
    done = deadlines.release(house, [stream_of(match) for match in running(house)])
    catch_up(house)
    return done


def record_outage(house: House, since: int, until: int, why: str) -> None:
    """Nobody watched the clock: note it, and move every deadline by that time."""
    deadlines.record_outage(house, [stream_of(match) for match in running(house)], since, until, why)
    catch_up(house)


def running(house: House) -> list[str]:
    """The matches that are not over."""
    catch_up(house)
    return [match for (match,) in house.database.execute("SELECT match FROM desk WHERE ended = 0 ORDER BY match")]


def nothing(now: int) -> None:
    """No doors to drain, no post to send to."""


def tick(
    house: House,
    now: int,
    *,
    drain: Callable[[int], None] = nothing,
    send: Callable[[int], None] = nothing,
    closing: bool = True,
) -> list[str]:
    """Drain the doors, close what is due, resolve, let bots play, remind, send. Returns the matches touched."""
    drain(now)
    catch_up(house)
    touched = set[str]()
    if closing and deadlines.held_since(house) is None:
        touched = {match for match in due(house, now) if close_due(house, match, now)}
    rows = house.database.execute("SELECT match FROM desk WHERE touched = 1").fetchall()
    touched |= {match for (match,) in rows}
    house.database.execute("UPDATE desk SET touched = 0")
    for match in sorted(touched):
        try:
            advance(house, match)
        except Exception:
            log.exception("match %s could not go on", match)  # the others do
    remind(house, now)
    send(now)
    return sorted(touched)


def due(house: House, now: int) -> list[str]:
    rows = house.database.execute("SELECT match FROM desk WHERE deadline <= ? ORDER BY match", (now,)).fetchall()
    return [match for (match,) in rows]


def close_due(house: House, match: str, now: int) -> bool:
    """The deadline has fallen: what is sealed counts, final or not."""
    record = acts.read(house, match)
    deadline = deadlines.deadline_of(record)
    if deadline is None or deadline.at > now:
        return False
    return acts.close(house, match, exchange=deadline.exchange, why="deadline")


def remind(house: House, now: int) -> None:
    """Owe a reminder, once, to each seat that has sealed nothing while the time runs out."""
    rows = house.database.execute("SELECT match FROM desk WHERE remind <= ? ORDER BY match", (now,)).fetchall()
    for (match,) in rows:
        position = load(house, match)
        record = position.record
        with house.store.transaction("remind") as transaction:
            transaction.database.execute("UPDATE desk SET remind = NULL WHERE match = ?", (match,))
            for seat in position.asked:
                if seat not in record.sealed and seat in record.occupants:
                    holder = record.occupants[seat]["account"]
                    exchange = record.open_exchange
                    _owe(transaction, "reminder", match, seat, exchange, holder, now, str(exchange), {})


def recover(house: House) -> None:
    """After a start: look again where the rules' code has changed, and resolve what was closed."""
    acts.after_restore(house)
    changed = changed_titles(house)
    for match in running(house):
        if acts.read(house, match).created["title"] in changed:
            look_again(house, match)
        resolve(house, match)
    for title, found in changed.items():
        house.database.execute("INSERT OR REPLACE INTO house VALUES (?, ?)", (f"fingerprint/{title}", found))
    catch_up(house)


def changed_titles(house: House) -> dict[str, str]:
    """The titles whose code or data is not what it was at the last start, with their fingerprints."""
    found = {name: fingerprint(type(title).__module__) for name, title in house.titles.items()}
    known = dict(house.database.execute("SELECT name, value FROM house WHERE name LIKE 'fingerprint/%'").fetchall())
    return {name: value for name, value in found.items() if known.get(f"fingerprint/{name}") != value}


def look_again(house: House, match: str) -> None:
    """The past must come out the same, else this match is halted; a halted one whose past does goes on."""
    if acts.shadow_replay(house, match) is None and acts.read(house, match).halted:
        acts.resume_halted(house, match)

