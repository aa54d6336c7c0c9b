"""Lines of play that a ruling has overruled: they stay on record and can be compared with the valid one.

overruled_results    the exchanges that no longer count, or were reported again, each with the ruling
story        the report of such an exchange as a viewer may read it
disputed_sentences    the disputed sentences, as their author read them
before, after    the position around an exchange, as it was when the exchange was resolved
"""

from __future__ import annotations

import msgspec

from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.text.messages import say
from pbem.matches.events import Resolved, RulingRecomputed, RulingReopened, each
from pbem.matches.history.record import Entry, Record
from pbem.matches.history.replay import Position, findings_of, load, record_of, stream_of
from pbem.matches.history.telling import Told, sentences_of
from pbem.matches.rulings.disputes import Dispute
from pbem.matches.server import Server


class Overruled(msgspec.Struct, frozen=True):
    """An exchange that no longer counts as it was resolved. `version` is the event that resolved it."""

    exchange: int
    version: int
    turn: int
    ruling: int
    kind: str
    reason: str
    dispute: int = 0


def overruled_results(record: Record) -> list[Overruled]:
    """Return the results that rulings have overruled, oldest first."""
    rulings = list(each(record.events, RulingReopened, RulingRecomputed))
    standing = {entry.resolved.version for entry in record.resolved if entry.resolved is not None}
    found = []
    for event, what in each(record.events, Resolved):
        assert isinstance(what, Resolved)
        if event.version in standing:
            continue
        ruling = next((pair for pair in rulings if pair[0].version > event.version), None)
        if ruling is not None:
            made, said = ruling
            assert isinstance(said, RulingReopened | RulingRecomputed)
            kind = made.type.partition(".")[2]
            facts = (made.version, kind, said.reason, said.dispute)
            found.append(Overruled(what.exchange, event.version, what.turn, *facts))
    return found


def entry_at(server: Server, match: str, version: int) -> tuple[Record, Entry]:
    """Return an exchange as it was when the event of this version had resolved it, and the record at that time."""
    now = record_of(server, match)
    if not 1 <= version <= now.version or not now.events[version - 1].type.startswith("exchange.re"):
        raise Illegal(str(version), [Objection("pbem/report", say("this event did not resolve an exchange"))])
    then = server.record(stream_of(match), version)
    return then, then.resolved[-1]


def story(server: Server, match: str, viewer: str, version: int) -> list[Told]:
    """Return the original report of an exchange as the viewer may read it."""
    record, entry = entry_at(server, match, version)
    rules = server.rules(record.created.title, record.created.blobs)
    return sentences_of(rules, findings_of(server, entry, viewer))


def result_before(record: Record, exchange: int, version: int) -> int | None:
    """Return the event that gave the newest result of an exchange before another event; None if there was none."""
    results = [event.version for event, said in each(record.events, Resolved) if said.exchange == exchange]
    return max((one for one in results if one < version), default=None)


def disputed_sentences(server: Server, match: str, dispute: Dispute) -> list[Told]:
    """Return the disputed sentences as their author read them then; none if all of a turn is disputed."""
    record = record_of(server, match)
    reports = {
        exchange: story(server, match, dispute.seat, at)
        for exchange in dict.fromkeys(exchange for exchange, _ in dispute.sentences)
        if (at := result_before(record, exchange, dispute.version)) is not None
    }
    is_scene = dispute.place.count(".") == 1
    return [
        msgspec.structs.replace(
            reports[exchange][number - 1], place=f"{dispute.place}.{count}" if is_scene else dispute.place
        )
        for count, (exchange, number) in enumerate(dispute.sentences, start=1)
        if number <= len(reports.get(exchange, ()))
    ]


def after(server: Server, match: str, version: int) -> Position:
    """Return the position after an exchange, as the event of this version resolved it."""
    return load(server, match, upto=version)


def before(server: Server, match: str, version: int) -> Position:
    """Return the position before the exchange that the event of this version resolved."""
    _, entry = entry_at(server, match, version)
    return load(server, match, upto=entry.event.version - 1)
