"""Resolve a closed exchange: a pure function of the log, computed outside any transaction by whoever comes first."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

import msgspec

from eventstore import BadEvent, Conflict, Event, NewEvent, NewPart, NotCanonical, Transaction, canonical
from pbem.engine.play import resolve as engine
from pbem.engine.play.resolve import Answerer, Replies, Resolution
from pbem.engine.play.run import Run
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import PUBLIC
from pbem.matches.clock.deadlines import timing_of
from pbem.matches.exchange import ending, halting, ladder_starts
from pbem.matches.history import ladders
from pbem.matches.history.ladders import USED_UP
from pbem.matches.history.receipts import SignedHead
from pbem.matches.history.record import Entry
from pbem.matches.history.replay import (
    SERVER,
    Position,
    answers_of,
    dice_of,
    findings_by_audience,
    fingerprint_of,
    minds_of,
    public_asks,
    record_of,
    replayed,
    snapshot_key,
    state_commitment,
)
from pbem.matches.history.scores import scored
from pbem.matches.history.upcasters import RESOLVED_SCHEMA
from pbem.matches.server import Server

KEPT = 64
"""Snapshots kept of a match, for stepping through its past."""


def resolve(
    server: Server, match: str, with_it: Callable[[Transaction, Position, Entry], None] | None = None
) -> None:
    """Resolve the closed exchange, if there is one; by whoever comes first, with the same result for all."""
    while True:
        record = record_of(server, match)
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
            halting.halt(server, match, record, entry.exchange, problem)
            return
        try:
            with server.store.transaction("resolve") as transaction:
                resolved = transaction.append(record.stream, events, expected=record.version)[0]
                entry = msgspec.structs.replace(entry, resolved=resolved)
                if not position.run.over and not ladders.serves(record.ladder, entry.exchange + 1):
                    started = ladder_starts.new_ladder(server, transaction, record, USED_UP)  # before anybody seals
                    transaction.append(record.stream, [started], expected=record.version + len(events))
                if with_it is not None:
                    with_it(transaction, position, entry)
        except Conflict:
            continue
        except (BadEvent, NotCanonical) as problem:
            halting.halt(server, match, record, entry.exchange, problem)
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
    return ending.end_event(
        server, position.record, scored(position.rules, position.run.state, outcome), entry.exchange
    )


def signed_head(server: Server, match: str, entry: Entry) -> SignedHead:
    """Sign the result of an exchange; if it ended the match, the head covers the end."""
    assert entry.resolved is not None
    ended = record_of(server, match).ended
    if ended is not None and ended.payload["exchange"] == entry.exchange and ended.version > entry.resolved.version:
        return _signed(server, match, entry.exchange, ended)
    return _signed(server, match, entry.exchange, entry.resolved)


def newest_head(server: Server, match: str) -> SignedHead:
    """Sign the newest event of a match, and with it everything before: the end, a ruling, a dispute."""
    record = record_of(server, match)
    return _signed(server, match, record.last, record.events[-1])


def _signed(server: Server, match: str, exchange: int, event: Event) -> SignedHead:
    head = SignedHead(server=server.id, match=match, exchange=exchange, event=event.hash)
    return msgspec.structs.replace(head, signature=server.signer.sign(head.body()))
