"""Resolve a closed exchange: a pure function of the log, computed outside any transaction.

The first process to finish appends the result.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from eventstore import BadEvent, NewEvent, NewPart, NotCanonical, StoreTrouble, canonical
from pbem.engine.play import resolve as engine
from pbem.engine.play.resolve import Answerer, Replies, Resolution
from pbem.engine.play.run import Mark, Run
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import PUBLIC
from pbem.matches.clock.deadlines import timing_of
from pbem.matches.events import ExchangeResolved, MatchEnded, Resolved
from pbem.matches.exchange import ending, halting, ladder_starts
from pbem.matches.history import ladders
from pbem.matches.history.ladders import USED_UP
from pbem.matches.history.record import Entry, Record
from pbem.matches.history.replay import (
    SERVER,
    Position,
    answers_of,
    dice_of,
    findings_by_audience,
    fingerprint_of,
    minds_of,
    position_of,
    public_asks,
    record_of,
    snapshot_key,
    state_commitment,
)
from pbem.matches.history.scores import with_scores
from pbem.matches.post.notifications import announce
from pbem.matches.server import Server
from pbem.matches.unit_of_work import retrying

KEPT = 64
"""How many snapshots of a match are kept, for stepping through its past."""


class Played(msgspec.Struct, frozen=True):
    """The result of resolving a closed exchange: the events to append, and the last step start for a snapshot."""

    events: list[NewEvent]
    mark: Mark | None


@retrying
def resolve(server: Server, match: str) -> None:
    """Resolve the closed exchange, if there is one. Every process gets the same result; the first to append it wins.

    Reports, forms and the next deadline belong to the same transaction.
    """
    record = record_of(server, match)
    entry = record.closing
    if entry is None or record.halted or record.awaits_beacon:
        return None
    try:
        played = play(server, match, record)
    except (StoreTrouble, OSError):
        raise  # the machine is at fault, not the match: try again later
    except Exception as problem:
        return halting.halt(server, record, entry.exchange, problem)
    try:
        with server.change(record, "resolve") as change:
            resolved = change.append(*played.events)[0]
            if not change.record.ended and not ladders.serves(record.ladder, entry.exchange + 1):
                started = ladder_starts.new_ladder(
                    change, record.last, record.version, USED_UP
                )  # before any seat can seal
                change.append(started)
            announce(change, resolved)
    except (BadEvent, NotCanonical) as problem:
        return halting.halt(server, record, entry.exchange, problem)
    return keep_snapshot(server, record, msgspec.structs.replace(entry, resolved=resolved), played)


def play(server: Server, match: str, record: Record) -> Played:
    """Run the rules from the answers of the closed exchange; nothing is stored."""
    entry = record.closing
    assert entry is not None
    # This call has a run of its own: positions that the server remembers are shared and only read.
    position = position_of(server, match, record)
    resolution = run_on(server, position, entry)
    events = [resolved_event(server, position, entry, record.version + 1, resolution)]
    if position.run.over:
        events.append(ended_event(server, position, entry).new())
    return Played(events, resolution.mark)


def keep_snapshot(server: Server, record: Record, entry: Entry, played: Played) -> None:
    """Store the last step start of an exchange as a snapshot, and drop the oldest snapshots."""
    match = record.stream.removeprefix("match/")
    if played.mark is not None:
        snapshot = msgspec.json.encode(played.mark)
        key = snapshot_key(match, entry.exchange, entry.key)
        server.store.put_snapshot(key, fingerprint_of(server, record), snapshot)
    server.store.drop_snapshots(f"{match}/", snapshot_key(match, max(0, entry.exchange - KEPT + 1)))
    server.keep_checkpoint(record.stream)


def run_on(server: Server, position: Position, entry: Entry) -> Resolution:
    """Run the rules from the valid answers."""
    return engine.resolve(
        position.run,
        {seat: given.answer for seat, given in answers_of(server, entry).items()},
        dice_of(server, position.match, entry),
        answerer_of(server, position, entry),
        position.waits,
    )


def answerer_of(server: Server, position: Position, entry: Entry) -> Answerer:
    """Return the function that answers for the seats.

    If the match has agreed on it, seats that sent nothing get the default of the rules.
    """
    by_minds = engine.by_minds(minds_of(server, position, entry))
    answerers = iter([engine.by_minds({})] if timing_of(position.record).missed == "default" else [])

    def answer(run: Run, asks: Sequence[Ask]) -> Replies:
        return next(answerers, by_minds)(run, asks)  # the first call is for seats that sent nothing

    return answer


def resolved_event(
    server: Server,
    position: Position,
    entry: Entry,
    version: int,
    resolution: Resolution,
    kind: type[Resolved] = ExchangeResolved,
) -> NewEvent:
    """Return the event that publishes rung, rolls and next asks; findings and automatic answers are parts."""
    run, match = position.run, position.match
    ladder = server.ladder(match, entry.ladder)
    resolved = kind(
        exchange=entry.exchange,
        turn=run.state.turn,
        period=run.rules.plan_period(run.state),
        rung=ladder.rung(entry.exchange).hex(),
        state=state_commitment(server, match, entry, version, run),
        asks=public_asks(run),
        findings="once",
    )
    label = f"{version}/{entry.exchange}"
    contents: list[tuple[str, str, object]] = [
        ("rolls", PUBLIC, resolution.dice.rolls),
        ("secret-rolls", SERVER, resolution.dice.secret_rolls),
        ("autos", SERVER, [engine.stored_replies(replies) for replies in resolution.autos]),
    ]
    contents += [("findings", audience, found) for audience, found in findings_by_audience(run.rules, resolution)]
    parts = (
        NewPart(name, audience, canonical(content), server.entropy(f"{match}/{label}/{name}/{audience}"))
        for name, audience, content in contents
    )
    return resolved.new(*parts)


def ended_event(server: Server, position: Position, entry: Entry) -> MatchEnded:
    """Return the event that ends the match: it publishes the secrets, and every part is open from then on."""
    outcome = position.run.state.outcome
    if outcome is None:
        raise RuntimeError("the last step neither named a next step nor an outcome")
    return ending.end_event(
        server, position.record, with_scores(position.rules, position.run.state, outcome), entry.exchange
    )
