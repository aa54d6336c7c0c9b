"""What can be done to a match. Every act appends events; nothing else changes anything.

Sealing commutes: on a version conflict the act is tried again on what is there now, and a player never sees it.
Closing is short and irrevocable: it names the answers that count. Resolving is a pure function of the log, computed
outside any transaction by whoever comes first.
"""

from __future__ import annotations

import base64
import sqlite3
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from eventstore import BadEvent, Conflict, Event, NewEvent, NewPart, NotCanonical, Transaction, canonical
from pbem.engine.play import resolve as engine
from pbem.engine.play.resolve import Answerer, Diverged, Replies, Resolution
from pbem.engine.play.run import Run
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import MASTER, PUBLIC
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.rules.state import Outcome
from pbem.engine.rules.title import Rules, Submission
from pbem.matches.clock.deadlines import deadline_of, held_since, is_late, on_hold, timing_of
from pbem.matches.history import ladders
from pbem.matches.history.ladders import RESTORED, USED_UP, Ladder
from pbem.matches.history.receipts import Receipt, SignedHead
from pbem.matches.history.record import Entry, Record, side_audience
from pbem.matches.history.replay import (
    OPERATOR,
    SERVER,
    Position,
    answers_of,
    dice_of,
    findings_by_audience,
    fingerprint_of,
    load,
    minds_of,
    public_asks,
    replay,
    replayed,
    snapshot_key,
    state_commitment,
    stream_of,
)
from pbem.matches.history.scores import scored
from pbem.matches.history.upcasters import RESOLVED_SCHEMA
from pbem.matches.server import Server, keep_blob

T = TypeVar("T")


RESERVED = {PUBLIC, MASTER, SERVER, OPERATOR}
"""Viewers and audiences that no seat may be named after."""

KEPT = 64
"""Snapshots kept of a match, for stepping through its past."""


class NotOpen(Illegal):
    """The exchange does not take this any more, or not yet."""

    def __init__(self, why: str) -> None:
        super().__init__("orders", [Objection("pbem/exchange", why)])


def part(server: Server, match: str, version: int, name: str, audience: str, content: object) -> NewPart:
    """Content that not everyone may see; its salt is drawn for it alone."""
    salt = server.entropy(f"{match}/{version}/{name}/{audience}")
    return NewPart(name=name, audience=audience, content=canonical(content), salt=salt)


def retry(act: Callable[[], T]) -> T:
    """Try again on what is there now, as long as others come first."""
    while True:
        try:
            return act()
        except Conflict:
            continue


# Creating ----------------------------------------------------------------------------------------------------


def create(
    server: Server,
    title: str,
    scenario: str,
    *,
    name: str = "",
    options: Mapping[str, Any] | None = None,
    reactions: str = "plan",
    master: str = "",
    seats: Mapping[str, str] | None = None,
    match: str = "",
    switches: Sequence[str] | None = None,
    more: Mapping[str, Any] | None = None,
) -> str:
    """Create a match with everything it is played with frozen; it starts once every seat is taken.

    A given id makes creating idempotent: a second call meets a `Conflict`. `switches` pins the rules' corrections.
    """
    game = server.titles.get(title)
    if game is None:
        raise Unreadable(title, [Objection("pbem/create", "there is no such title")], sorted(server.titles))
    if scenario not in game.scenarios:
        raise Unreadable(scenario, [Objection("pbem/create", "there is no such scenario")], game.scenarios)
    frozen = game.freeze(scenario, options or {})
    rules = game.rules(frozen)
    if reactions not in rules.modes:
        why = f"choose {' or '.join(rules.modes)} for reactions"
        raise Unreadable(reactions, [Objection("pbem/create", why)], list(rules.modes))
    if taken := sorted(set(rules.seats) & RESERVED):
        raise Illegal(title, [Objection("pbem/create", f"a seat may not be called {', '.join(taken)}")])
    if unknown := sorted(set(switches or ()) - set(game.switches)):
        raise Unreadable(unknown[0], [Objection("pbem/switch", "there is no such switch")], game.switches)
    match = match or base64.b32encode(server.entropy("match"))[:8].decode().lower()
    ladder = draw_ladder(server, match, 0)
    with server.store.transaction("create") as transaction:
        payload = {
            "title": title,
            "scenario": scenario,
            "name": name or f"{title} {scenario}",
            "options": dict(options or {}),
            "reactions": reactions,
            "master": master,
            "seats": list(rules.seats),
            **shared_sides(rules),
            "switches": list(game.switches if switches is None else switches),
            "blobs": {blob: keep_blob(transaction.database, content) for blob, content in sorted(frozen.items())},
            "ladder": ladder.published(),
            "server": server.id,
            **(more or {}),
        }
        transaction.append(stream_of(match), [NewEvent("match.created", payload)], expected=0)
        ladders.keep(transaction.database, match, ladder)
    for seat, account in sorted((seats or {}).items()):
        take_seat(server, match, seat, account)
    return match


def shared_sides(rules: Rules) -> dict[str, Any]:
    """The side of each seat, where a side has several, and whether its seats read each other's orders."""
    if len(set(rules.sides.values())) == len(rules.seats):
        return {}
    return {"sides": {seat: rules.sides[seat] for seat in rules.seats}, "shares_orders": rules.shares_orders}


def draw_ladder(server: Server, match: str, base: int) -> Ladder:
    tops = (server.entropy(f"{match}/{base}/{what}") for what in ("open", "secret", "key"))
    return Ladder(base, *tops)


def take_seat(server: Server, match: str, seat: str, account: str) -> None:
    """Put an account into a free seat. With the last seat the match starts."""

    def act() -> None:
        record = read(server, match)
        if seat not in record.seats:
            raise Unreadable(seat, [Objection("pbem/seat", "there is no such seat")], record.seats)
        if seat in record.occupants:
            raise Illegal(seat, [Objection("pbem/seat", "it is taken")], free_seats(record))
        check_blind(record, account)
        events = [NewEvent("seat.taken", {"seat": seat, "account": account})]
        append(server, record, events, "seat")

    retry(act)
    start(server, match)


def leave_seat(server: Server, match: str, seat: str, why: str) -> None:
    """Free a seat. What its occupant had sealed for the open exchange does not count any more."""

    def act() -> None:
        record = read(server, match)
        if seat not in record.occupants:
            raise Illegal(seat, [Objection("pbem/seat", "nobody sits there")], sorted(record.occupants))
        append(server, record, [NewEvent("seat.left", {"seat": seat, "why": why})], "seat")

    retry(act)


LOOKED = "master.looked"


def check_blind(record: Record, account: str) -> None:
    """Who has seen what is hidden does not sit down to play with open eyes."""
    if any(event.type == LOOKED and event.payload["by"] == account for event in record.events):
        why = "who has looked at this match as its game master cannot play in it"
        raise Illegal("seat", [Objection("pbem/seat", why)])


def check_occupant(record: Record, seat: str, by: str) -> None:
    """Only who sits in a seat acts for it."""
    if record.occupants.get(seat, {}).get("account") != by:
        raise Illegal(seat, [Objection("pbem/seat", "you do not sit there")])


def free_seats(record: Record) -> list[str]:
    return [seat for seat in record.seats if seat not in record.occupants]


def start(server: Server, match: str) -> None:
    """Close the first exchange, which has no answers, when all seats are taken."""

    def act() -> None:
        record = read(server, match)
        if not record.started and not free_seats(record):
            payload = {"exchange": 1, "why": "start", "asked": [], "counts": {}}
            append(server, record, [NewEvent("exchange.closed", payload)], "close")

    retry(act)
    if server.later is None:
        resolve(server, match)


def read(server: Server, match: str) -> Record:
    record = server.record(stream_of(match))
    if not record.events:
        raise KeyError(f"there is no match {match}")
    return record


def append(server: Server, record: Record, events: Sequence[NewEvent], label: str) -> list[Event]:
    return server.store.append(record.stream, events, expected=record.version, label=label)


# Sealing -----------------------------------------------------------------------------------------------------


class Sent(msgspec.Struct, frozen=True):
    """How orders came in: by which way, and the raw mail if it was one. Kept for disputes, for the account alone."""

    account: str
    source: str
    raw: bytes = b""


def sent_part(server: Server, match: str, version: int, sent: Sent) -> NewPart:
    """Orders from a mail and from the site have it alike, so that nobody can tell them apart."""
    content = {"source": sent.source, "raw_base64": base64.b64encode(sent.raw).decode()}
    return part(server, match, version, "sent", sent.account, content)


def seal_text(server: Server, match: str, seat: str, exchange: int, text: str, **more: Any) -> Receipt:
    """Read a player's lines and seal them."""
    position = load(server, match)
    ask = check_open(position, seat, exchange)
    submission = position.rules.read(position.run.view(seat), ask, text)
    return seal(server, match, seat, exchange, submission, text=text, **more)


def check_text(position: Position, seat: str, exchange: int, text: str) -> Submission:
    """The canonical reading of a player's lines; a refusal if they cannot be sealed."""
    ask = check_open(position, seat, exchange)
    return check(position, seat, exchange, position.rules.read(position.run.view(seat), ask, text))


def check(position: Position, seat: str, exchange: int, submission: Submission) -> Submission:
    """The canonical reading of a submission; a refusal if the seat's view shows that it is not legal."""
    ask = check_open(position, seat, exchange)
    view = position.run.view(seat)
    return Submission(
        position.rules.check(view, ask, submission.answer), position.rules.check_plan(view, ask, submission.plan)
    )


def seal(
    server: Server,
    match: str,
    seat: str,
    exchange: int,
    submission: Submission,
    *,
    text: str = "",
    final: bool = False,
    sent: Sent | None = None,
    with_it: Callable[[Transaction, Receipt], None] | None = None,
) -> Receipt:
    """Seal an answer until closing; it replaces the seat's last one. `with_it` joins the same transaction."""

    def act() -> Receipt:
        position = load(server, match)
        checked, record = check(position, seat, exchange, submission), position.record
        content = {"answer": checked.answer, "plan": checked.plan, "text": text}
        sealed = part(server, match, record.version + 1, "order", order_audience(record, seat), content)
        parts = (sealed, *((sent_part(server, match, record.version + 1, sent),) if sent else ()))
        events = [NewEvent("order.sealed", {"seat": seat, "exchange": exchange}, parts=parts)]
        if final:
            events.append(NewEvent("order.final", {"seat": seat, "exchange": exchange}))
        with server.store.transaction("seal") as transaction:
            event = transaction.append(record.stream, events, expected=record.version)[0]
            receipt = sign_receipt(server, match, event, sealed, record)
            if with_it is not None:
                with_it(transaction, receipt)
        return receipt

    return retry(act)


def order_audience(record: Record, seat: str) -> str:
    """Who may read a seat's sealed orders: the seat, or its whole side where the title says that it is one team."""
    shared = record.created.get("shares_orders", False) and seat in record.sides
    return side_audience(record.sides[seat]) if shared else seat


def check_open(position: Position, seat: str, exchange: int) -> Ask:
    """The ask that this seat may answer in this exchange; a late order never spills into the next."""
    record = position.record
    if record.ended:
        raise NotOpen("the match is over")
    if record.halted:
        raise NotOpen("the match is halted until its rules are mended; your orders are safe")
    if not record.started:
        raise NotOpen(f"the match has not started; free: {', '.join(free_seats(record))}")
    if exchange != record.open_exchange or record.closing:
        raise NotOpen(f"exchange {exchange} is closed")
    ask = position.run.ask_of(seat)
    if ask is None:
        raise NotOpen(f"nothing is asked of {seat} now")
    return ask


def check_in_time(server: Server, record: Record, at: int) -> None:
    """What came in after the deadline is late, however soon the clock comes round to closing."""
    if is_late(record, at) and held_since(server) is None and not on_hold(record):
        raise NotOpen("the deadline has passed")


def sign_receipt(server: Server, match: str, event: Event, sealed: NewPart, record: Record) -> Receipt:
    """The receipt of a sealed order; `record` is the match as it stood then."""
    content, deadline = msgspec.json.decode(sealed.content), deadline_of(record)
    receipt = Receipt(
        server=server.id,
        match=match,
        exchange=event.payload["exchange"],
        seat=event.payload["seat"],
        orders={"answer": content["answer"], "plan": content["plan"]},
        text=content["text"],
        commitment=event.parts[0].commitment,
        salt=sealed.salt.hex(),
        sealed_at=event.recorded_at,
        event=event.hash,
        deadline=None if deadline is None else deadline.at,
    )
    return msgspec.structs.replace(receipt, signature=server.signer.sign(receipt.body()))


def finalise(server: Server, match: str, seat: str, exchange: int) -> None:
    """Say that the sealed orders are final. When all are, the exchange closes."""

    def act() -> None:
        position = load(server, match)
        append(server, position.record, final_events(position, seat, exchange), "final")

    retry(act)


def final_events(position: Position, seat: str, exchange: int) -> list[NewEvent]:
    """What makes sealed orders final; nothing if they are."""
    check_open(position, seat, exchange)
    if seat not in position.record.sealed:
        raise NotOpen("nothing is sealed yet that could be final")
    is_final = seat in position.record.final
    return [] if is_final else [NewEvent("order.final", {"seat": seat, "exchange": exchange})]


def withdraw(server: Server, match: str, seat: str, exchange: int) -> None:
    """Take sealed orders back before closing. They stay on record."""

    def act() -> None:
        position = load(server, match)
        append(server, position.record, [withdrawn_event(position, seat, exchange)], "withdraw")

    retry(act)


def withdrawn_event(position: Position, seat: str, exchange: int) -> NewEvent:
    """What takes sealed orders back."""
    check_open(position, seat, exchange)
    if seat not in position.record.sealed:
        raise NotOpen("nothing is sealed that could be withdrawn")
    return NewEvent("order.withdrawn", {"seat": seat, "exchange": exchange})


def set_doctrine(server: Server, match: str, seat: str, doctrine: list[Any]) -> None:
    """Replace a seat's standing orders; they hold from the next automatic answer on."""

    def act() -> None:
        record = read(server, match)
        append(server, record, [doctrine_event(server, record, seat, doctrine)], "doctrine")

    retry(act)


def doctrine_event(server: Server, record: Record, seat: str, doctrine: list[Any]) -> NewEvent:
    """Standing orders as the title reads them; a refusal if it cannot."""
    rules = server.rules(record.created["title"], record.created["blobs"])
    match, content = record.stream.removeprefix("match/"), rules.check_doctrine(doctrine)
    kept = part(server, match, record.version + 1, "doctrine", seat, content)
    return NewEvent("doctrine.set", {"seat": seat}, parts=(kept,))


# Closing -----------------------------------------------------------------------------------------------------


def close(server: Server, match: str, *, exchange: int, why: str) -> bool:
    """Close the exchange: which answers count is fixed from here on, and so are the dice.

    Returns whether this call did it; somebody else may have been faster.
    """

    def act() -> bool:
        position = load(server, match)
        record = position.record
        if record.open_exchange != exchange or not position.asked:
            return False
        if not Ladder(record.ladder["base"], b"", b"", b"").serves(exchange):
            start_ladder(server, match, USED_UP)
            return act()
        ladder = server.ladder(match, record.ladder)
        if erased := [seat for seat, sealed in sorted(record.sealed.items()) if not is_kept(server, sealed)]:
            gone = [NewEvent("order.withdrawn", {"seat": seat, "exchange": exchange}) for seat in erased]
            append(server, record, gone, "withdraw")
            return act()
        counting = {seat: record.sealed[seat] for seat in position.asked if seat in record.sealed}
        parts = tuple(
            NewPart(
                name=f"answer/{seat}",
                audience=SERVER,
                content=canonical(sealed_submission(server, sealed)),
                salt=ladder.salt(match, exchange, seat),
            )
            for seat, sealed in counting.items()
        )
        counts = {seat: sealed.version for seat, sealed in counting.items()}
        payload = {"exchange": exchange, "why": why, "asked": position.asked, "counts": counts}
        append(server, record, [NewEvent("exchange.closed", payload, parts=parts)], "close")
        return True

    return retry(act)


def is_kept(server: Server, sealed: Event) -> bool:
    """Whether a sealed order still has its content: its author may have had it erased."""
    return bool(server.store.parts([sealed.parts[0].commitment]))


def sealed_submission(server: Server, sealed: Event) -> Submission:
    """What a seat has sealed."""
    return msgspec.json.decode(server.content(sealed.parts[0].commitment), type=Submission)


def close_if_final(server: Server, match: str) -> bool:
    """Close when every asked seat is final, and resolve what is closed."""
    position = load(server, match)
    closed = bool(position.asked) and not position.waited_for
    if closed:
        closed = close(server, match, exchange=position.record.open_exchange, why="final")
    resolve(server, match)
    return closed


# Resolving ---------------------------------------------------------------------------------------------------


def resolve(
    server: Server, match: str, with_it: Callable[[Transaction, Position, Entry], None] | None = None
) -> None:
    """Resolve the closed exchange, if there is one; by whoever comes first, with the same result for all."""
    while True:
        record = read(server, match)
        entry = record.closing
        if entry is None or record.halted:
            return
        try:
            # A run of this call's own: what the server remembers is shared and only read.
            position = replayed(server, match, record)
            resolution = run_on(server, position, entry)
            events = [resolved_event(server, position, entry, record.version + 1, resolution)]
            if position.run.over:
                events.append(ended_event(server, position, entry))
        except (sqlite3.Error, OSError):
            raise  # the machine's trouble, not the match's: it will be tried again
        except Exception as problem:
            halt(server, match, record, entry.exchange, problem)
            return
        try:
            with server.store.transaction("resolve") as transaction:
                resolved = transaction.append(record.stream, events, expected=record.version)[0]
                entry = msgspec.structs.replace(entry, resolved=resolved)
                if with_it is not None:
                    with_it(transaction, position, entry)
        except Conflict:
            continue
        except (BadEvent, NotCanonical) as problem:
            halt(server, match, record, entry.exchange, problem)
            return
        keep_snapshot(server, position, entry, resolution)
        return


def keep_snapshot(server: Server, position: Position, entry: Entry, resolution: Resolution) -> None:
    """Remember the last step start of an exchange, and forget the oldest that was kept."""
    if resolution.mark is not None:
        snapshot = msgspec.json.encode(resolution.mark)
        key = snapshot_key(position.match, entry)
        server.store.put_snapshot(key, fingerprint_of(server, position.record), snapshot)
    for old in [*position.record.resolved, entry][: -KEPT or None][-1:]:
        server.store.drop_snapshots(snapshot_key(position.match, old))


def run_on(server: Server, position: Position, entry: Entry) -> Resolution:
    """Let the rules run on from the answers that count."""
    return engine.resolve(
        position.run,
        {seat: given.answer for seat, given in answers_of(server, entry).items()},
        dice_of(server, position.match, entry),
        answerer_of(server, position, entry),
        position.waits,
    )


def answerer_of(server: Server, position: Position, entry: Entry) -> Answerer:
    """Who answers for the seats. Where the match has agreed so, who sent nothing gets the default of the rules."""
    by_minds = engine.by_minds(minds_of(server, position, entry))
    answerers = iter([engine.by_minds({})] if timing_of(position.record).missed == "default" else [])

    def answer(run: Run, asks: Sequence[Ask]) -> Replies:
        return next(answerers, by_minds)(run, asks)  # the first call is for those who sent nothing

    return answer


def resolved_event(
    server: Server,
    position: Position,
    entry: Entry,
    version: int,
    resolution: Resolution,
    type: str = "exchange.resolved",
) -> NewEvent:
    """Publish the rung, the rolls and the next asks; findings and automatic answers as parts."""
    run, match = position.run, position.match
    ladder = server.ladder(match, entry.ladder)
    payload = {
        "exchange": entry.exchange,
        "turn": run.state.turn,
        "period": run.rules.plan_period(run.state),
        "rung": ladder.rung(entry.exchange).hex(),
        "state": state_commitment(server, match, entry, version, run),
        "asks": public_asks(run),
    }
    payload["findings"] = "once"
    label = f"{version}/{entry.exchange}"
    contents: list[tuple[str, str, object]] = [
        ("rolls", PUBLIC, resolution.dice.rolls),
        ("secret-rolls", SERVER, resolution.dice.secret_rolls),
        ("autos", SERVER, [engine.recorded(replies) for replies in resolution.autos]),
    ]
    contents += [("findings", audience, found) for audience, found in findings_by_audience(run.rules, resolution)]
    parts = (
        NewPart(name, audience, canonical(content), server.entropy(f"{match}/{label}/{name}/{audience}"))
        for name, audience, content in contents
    )
    return NewEvent(type, payload, parts=tuple(parts), schema=RESOLVED_SCHEMA)


def ended_event(server: Server, position: Position, entry: Entry) -> NewEvent:
    """The match is over: its secrets are published, and every part is open from here on."""
    outcome = position.run.state.outcome
    if outcome is None:
        raise RuntimeError("the last step neither named a next step nor an outcome")
    return end_event(server, position.record, scored(position.rules, position.run.state, outcome), entry.exchange)


def end_event(server: Server, record: Record, outcome: Outcome, exchange: int) -> NewEvent:
    """Return the end of a match after an exchange, with the secrets of its ladders unless they open later."""
    payload = {"outcome": msgspec.to_builtins(outcome), "exchange": exchange}
    if record.opens == "match":
        payload["opened"] = opened_ladders(server, record)
    return NewEvent("match.ended", payload)


def opened_ladders(server: Server, record: Record) -> list[dict[str, Any]]:
    """Return the secrets of all ladders of a match."""
    match = record.stream.removeprefix("match/")
    return [server.ladder(match, started).opened(last) for started, last in spans(record)]


def spans(record: Record) -> list[tuple[dict[str, Any], int]]:
    """Each ladder of the match with the last exchange that it served."""
    ends = [ladder["base"] for ladder in record.ladders[1:]] + [record.last]
    return list(zip(record.ladders, ends, strict=True))


def halt(server: Server, match: str, record: Record, exchange: int, problem: Exception) -> None:
    """Stop this match alone. Its dice are fixed; a corrected release resumes it."""
    detail = "".join(traceback.format_exception(problem))
    kept = part(server, match, record.version + 1, "detail", OPERATOR, {"where": str(problem), "trace": detail})
    try:
        append(server, record, [NewEvent("match.halted", {"exchange": exchange}, parts=(kept,))], "halt")
    except Conflict:
        return  # somebody else went on with the match


def shadow_replay(server: Server, match: str) -> Diverged | None:
    """Replay from the first event; a difference without a switch halts this match and says where."""
    record = read(server, match)
    try:
        replay(server, match)
    except Diverged as problem:
        if not record.halted and not record.ended:
            halt(server, match, record, record.last, problem)
        return problem
    if record.halted and record.closing is None:
        append(server, record, [NewEvent("match.resumed", {})], "resume")
    return None


def resume_halted(server: Server, match: str) -> None:
    """Let a halted match go on: its past must replay, and its closed exchange is resolved again."""
    replay(server, match)
    record = read(server, match)
    if record.halted:
        append(server, record, [NewEvent("match.resumed", {})], "resume")
    resolve(server, match)


# Rules and ladders -------------------------------------------------------------------------------------------


def move_rules(server: Server, match: str, switches: Sequence[str]) -> None:
    """Let a match play by these corrections of the rules, from its next step on."""
    resolve(server, match)

    def act() -> None:
        record = read(server, match)
        check_switches(server, record, switches)
        if record.closing and not record.halted:
            raise NotOpen("an exchange is being resolved; its rules are fixed")
        append(server, record, [NewEvent("rules.moved", {"switches": sorted(switches)})], "rules")

    retry(act)


def check_switches(server: Server, record: Record, switches: Sequence[str]) -> None:
    """Only a switch that this release knows can be played and verified."""
    known = server.titles[record.created["title"]].switches
    for switch in switches:
        if switch not in known:
            raise Unreadable(switch, [Objection("pbem/switch", "there is no such switch")], known)


def start_ladder(server: Server, match: str, why: str) -> None:
    """Draw new ladders and a new key for all exchanges to come."""

    def act() -> None:
        record = read(server, match)
        with server.store.transaction("ladder") as transaction:
            append_with_ladder(server, transaction, record, [], why)

    retry(act)


def append_with_ladder(
    server: Server, transaction: Transaction, record: Record, events: Sequence[NewEvent], why: str
) -> None:
    """Append, and start new ladders in the same transaction: no crash leaves a match on a published key."""
    match = record.stream.removeprefix("match/")
    tops = (server.entropy(f"{match}/{record.version}/{what}") for what in ("open", "secret", "key"))
    ladder = Ladder(record.last, *tops)
    ladders.keep(transaction.database, match, ladder)
    started = NewEvent("ladder.started", {"ladder": ladder.published(), "why": why})
    transaction.append(record.stream, [*events, started], expected=record.version)


def after_restore(server: Server) -> list[str]:
    """The future that a restored backup lost may have published rungs: start new ladders everywhere."""
    done = server.database.execute("SELECT value FROM house WHERE name = 'restorations'").fetchone()
    restorations = server.store.restorations()
    if restorations == (int(done[0]) if done else 0):
        return []
    running = [match for match in matches(server) if not read(server, match).ended]
    for match in running:
        start_ladder(server, match, RESTORED)
    with server.store.transaction("restore") as transaction:
        transaction.database.execute("INSERT OR REPLACE INTO house VALUES ('restorations', ?)", (str(restorations),))
    return running


def recover(server: Server) -> None:
    """After a start: new ladders if a backup was restored, then whatever a crash has left half done.

    A match that cannot be loaded is halted and does not keep the others waiting.
    """
    after_restore(server)
    for match in matches(server):
        record = read(server, match)
        try:
            resolve(server, match)
            if not record.ended and not record.halted and not free_seats(record):
                start(server, match)
                close_if_final(server, match)
        except (sqlite3.Error, OSError):
            raise
        except Exception as problem:
            halt(server, match, read(server, match), record.last, problem)


def matches(server: Server) -> list[str]:
    return [stream.removeprefix("match/") for stream in server.store.streams("match/")]


def signed_head(server: Server, match: str, entry: Entry) -> SignedHead:
    assert entry.resolved is not None
    head = SignedHead(server=server.id, match=match, exchange=entry.exchange, event=entry.resolved.hash)
    return msgspec.structs.replace(head, signature=server.signer.sign(head.body()))
