"""Battles: matches made from calls, and reports made from their ends.

    ensure_battle   the match for a call; its id is derived from campaign and battle, so calling twice makes one match
    send_report     the result of an ended match, as the answer that the campaign awaits, with the match's signed head
    note_change     records that a ruling changed the end of a battle whose report has already counted
    rule_on         decides a battle that takes too long by its score

A match reveals nothing about its campaign: it opens with the campaign, and only its own commanders see its pages.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import msgspec

from eventstore import Conflict
from pbem.campaigns import people, seasons
from pbem.campaigns.called import Calls
from pbem.campaigns.rules.book import Book
from pbem.campaigns.rules.state import Call, CampaignState, Report, awaited_name
from pbem.engine.rules.balance import apply_handicap, provision_for
from pbem.engine.rules.findings import MASTER, Finding
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.state import Outcome, copy
from pbem.engine.rules.title import Rules, Title
from pbem.matches import unit_of_work
from pbem.matches.accounts.names import BOT
from pbem.matches.audit.procedure import HANDED_OVER
from pbem.matches.clock import deadlines
from pbem.matches.clock.deadlines import HOUR
from pbem.matches.events import BattleChanged, BattleReported, MatchEnded, SeatLeft, content_as, each
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.receipts import SignedHead
from pbem.matches.history.record import Record, side_audience
from pbem.matches.history.replay import SERVER, Position, findings_of, load, record_of, stream_of
from pbem.matches.players import endings
from pbem.matches.rulings.disputes import disputes
from pbem.matches.server import Server

OPENS = "campaign"
MARGIN = 1
"""The lead in points that wins a battle that takes too long."""

HOW = {
    "pbem/conceded": "conceded",
    "pbem/resigned": "given up",
    "pbem/forfeited": "forfeited",
    "pbem/adjudicated": "decided by its score",
    "pbem/drawn": "a draw was agreed",
}


def roster_rows(book: Book, state: CampaignState, call: Call) -> dict[str, list[dict[str, Any]]]:
    """The units of a call in the form in which a title musters them."""
    return {
        side: [
            {
                "id": id,
                "card": unit.card,
                "name": unit.name,
                "grade": book.campaign.grade_of(unit.experience),
                "damaged": unit.damage > 0,
            }
            for id in ids
            for unit in (state.sides[side].units[id],)
        ]
        for side, ids in call.units.items()
    }


def battle_data(title: Title, book: Book, state: CampaignState, call: Call) -> dict[str, bytes]:
    """All data that a battle's match is played with."""
    blobs = title.battle(call.scenario, book.campaign.options)
    if call.handicap:
        blobs = apply_handicap(blobs, provision_for(title.balance(call.scenario), call.handicap))
    if call.ground:
        blobs = title.on_ground(blobs, call.ground)
    return title.muster(blobs, roster_rows(book, state, call))


def report_from(rules: Rules, state: Any, findings: Iterable[Finding], how: str = "") -> Report:
    """Make the report of a battle from the last state and the findings of its match."""
    fates = rules.aftermath(state)
    destroyed = {id for told in fates.values() for id, row in told.items() if row["fate"] == "lost"}
    kills: dict[str, int] = {}
    counted = set[str]()
    for by, target in rules.deeds(findings):
        if target in destroyed and target not in counted:
            counted.add(target)
            kills[by] = kills.get(by, 0) + 1
    winner = state.outcome.winner if state.outcome else None
    return Report(winner, rules.score(state), fates, dict(sorted(kills.items())), how, rules.perimeter(state))


# The match of a call -----------------------------------------------------------------------------------------


def origin(record: Record, battle: str) -> dict[str, str]:
    """The origin recorded in a battle's match; calls are counted only after a ruling, which may repeat a call."""
    events = record.events if record.void else ()
    return Calls(record.stream.removeprefix("match/"), events).origin(awaited_name(battle))


def match_id(server: Server, campaign: str, battle: str) -> str:
    """The id of a battle's match, which stays the same even after the campaign moves to another server."""
    record, attempt = record_of(server, campaign), 0
    wanted, began_on = origin(record, battle), record.created.server
    while True:
        named = msgspec.json.encode([began_on, *wanted.values(), attempt])
        id = base64.b32encode(hashlib.sha256(named).digest())[:8].decode().lower()
        events = server.store.read(stream_of(id), upto=1)
        if not events or events[0].payload.get("origin") == wanted:
            return id
        attempt += 1  # this short id belongs to another match


def ensure_battle(server: Server, position: Position, battle: str, call: Call) -> str:
    """Create the match of a call unless it exists, and seat its commanders."""
    match = match_id(server, position.match, battle)
    if not server.store.version(stream_of(match)):
        with suppress(Conflict):  # another process may be faster
            _create(server, position, battle, call, match)
    seat_commanders(server, position, call, match)
    return match


def _create(server: Server, position: Position, battle: str, call: Call, match: str) -> None:
    record, book = position.record, position.rules.data
    title = book.campaign.title
    timing = {name: value for name, value in record.created.timing.items() if name != "by_kind"}
    creating.create(
        server,
        title,
        call.scenario,
        name=creating.one_line(f"{record.created['name']}: {call.name}"),
        options=book.campaign.options,
        master=record.created.master,
        match=match,
        switches=seasons.battle_switches(record, book, call.stage),
        more={
            "cadence": deadlines.timing_of(record).hours,
            "timing": timing,
            "origin": origin(record, battle),
            "opens": OPENS,
        },
        blobs=battle_data(server.titles[title], book, position.run.state, call),
    )


def commander(record: Record, side: str, seat: str) -> str:
    """The account that plays a battle: the commander's, or the chief's if the commander's seat is empty."""
    taken = record.occupants.get(seat) or record.occupants.get(side) or {}
    return str(taken.get("account", ""))


def seat_commanders(server: Server, position: Position, call: Call, match: str) -> None:
    """Seat the commanders; if a command has changed hands in the campaign, its battle changes hands too."""
    battle = record_of(server, match)
    if battle.ended:
        return
    rules = server.rules(battle.created.title, battle.created.blobs)
    for seat in battle.seats:
        side = rules.sides[seat]
        wanted = commander(position.record, side, call.commanders[side])
        sitting = battle.occupants.get(seat, {}).get("account", "")
        if not wanted or sitting == wanted or _serves(position, side, sitting):
            continue
        with suppress(Refusal):
            if sitting:
                _hand_over(server, match, seat)
            take_seat(server, match, seat, wanted)
            if sitting and not wanted.startswith(BOT):
                people.give_a_week(server, match)


def _hand_over(server: Server, match: str, seat: str) -> None:
    """Free a seat whose commander has left the campaign."""

    def act() -> None:
        record = record_of(server, match)
        if seat in record.occupants:
            event = SeatLeft(seat, HANDED_OVER).new()
            unit_of_work.append(server, record, [event], "hand over")

    unit_of_work.retry(act)


def _serves(position: Position, side: str, account: str) -> bool:
    """Whether an account still has a seat on this side in the campaign."""
    occupants, sides = position.record.occupants, position.rules.sides
    return any(taken["account"] == account for seat, taken in occupants.items() if sides[seat] == side)


# The report --------------------------------------------------------------------------------------------------


def signed_end(server: Server, match: str) -> SignedHead | None:
    """The signed head of a finished match, or None while it is running."""
    ended = record_of(server, match).ended
    if ended is None:
        return None
    exchange = content_as(ended, MatchEnded).exchange
    head = SignedHead(server=server.id, match=match, exchange=exchange, event=ended.hash)
    return msgspec.structs.replace(head, signature=server.signer.sign(head.body()))


def counts_from(server: Server, match: str, hours: int) -> int | None:
    """C3.5 The time at which a result becomes final: after the time for appeals, and never while it is disputed."""
    record = record_of(server, match)
    if record.ended is None or any(not dispute.answer for dispute in disputes(record)):
        return None
    return record.ended.recorded_at + hours * HOUR


def report_of(server: Server, match: str) -> Report:
    """Make the report of a finished match from its last state and all its findings."""
    position = load(server, match)
    return report_at(position, _findings(server, position))


def report_at(position: Position, findings: Iterable[Finding]) -> Report:
    """C4.1 Make the report of an ended match, even one that was conceded or decided by score."""
    ended = position.record.ended
    assert ended is not None
    outcome = msgspec.convert(content_as(ended, MatchEnded).outcome, Outcome)
    state = copy(position.run.state)
    state.outcome = outcome
    return report_from(position.rules, state, findings, HOW.get(outcome.rule, outcome.why))


def _findings(server: Server, position: Position) -> Iterable[Finding]:
    for entry in position.record.resolved:
        if entry.kind == "exchange":
            yield from findings_of(server, entry, MASTER)


def send_report(server: Server, campaign: str, battle: str, match: str) -> bool:
    """Append the report to the campaign, once for each end of the match; return whether this call did it."""
    head = signed_end(server, match)
    assert head is not None
    report = msgspec.to_builtins(report_of(server, match))

    def act() -> bool:
        record = record_of(server, campaign)
        seat, known = awaited_name(battle), record.sealed.get(awaited_name(battle))
        is_open = seat in deadlines.seats_asked(record) and not record.closing and not record.halted
        if not is_open or (known is not None and content_as(known, BattleReported).head["event"] == head.event):
            return False
        ended = record_of(server, match).ended
        assert ended is not None
        outcome = content_as(ended, MatchEnded).outcome
        reported = BattleReported(seat, record.open_exchange, match, _stored_head(head), outcome)
        unit_of_work.append(server, record, [reported.new(*_parts(server, record, report))], "report")
        return True

    return unit_of_work.retry(act)


def _stored_head(head: SignedHead) -> dict[str, Any]:
    """The head of a match in the form in which an event of the campaign stores it."""
    return {"exchange": head.exchange, "event": head.event, "signature": head.signature}


def _parts(server: Server, record: Record, report: Mapping[str, Any]) -> Any:
    """The parts of a report: the whole of it, closed until the end, and for each side the fates of its own units."""
    campaign, version = record.stream.removeprefix("match/"), record.version + 1
    whole = {"answer": report, "plan": {}, "text": ""}
    parts = [unit_of_work.part(server, campaign, version, "report", SERVER, whole)]
    for side, fates in report.get("fates", {}).items():
        audience = side_audience(side) if record.sides else side
        kills = {unit: kills for unit, kills in report.get("kills", {}).items() if unit in fates}
        content = {"fates": fates, "kills": kills}
        parts.append(unit_of_work.part(server, campaign, version, "fates", audience, content))
    return tuple(parts)


def note_change(server: Server, campaign: str, battle: str, match: str) -> bool:
    """Note once that a ruling has changed the end of a battle already counted; return whether this was new."""
    head = signed_end(server, match)
    if head is None:
        return False

    def act() -> bool:
        record = record_of(server, campaign)
        reported = [(said.match, said.head) for _, said in each(record.events, BattleReported)]
        changes = [(said.match, said.head) for _, said in each(record.events, BattleChanged)]
        told = [known["event"] for where, known in (*reported, *changes) if where == match]
        if not told or head.event in told:
            return False
        changed = BattleChanged(awaited_name(battle), match, _stored_head(head))
        unit_of_work.append(server, record, [changed.new()], "changed")
        return True

    return unit_of_work.retry(act)


def rule_on(server: Server, match: str) -> None:
    """C3.4 Decide by score a battle that has taken too long."""

    def act() -> None:
        position = load(server, match)
        if position.record.ended is None and position.record.started and not position.record.closing:
            scores = position.rules.score(position.run.state)
            why = "the time that the campaign gives to a battle is over"
            events = endings.adjudicate_by_score(server, position.record, scores, MARGIN, why)
            unit_of_work.append(server, position.record, events, "ruled")

    unit_of_work.retry(act)
