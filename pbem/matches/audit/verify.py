"""Check an export: chain, parts, commitments, ladders and every roll, without the rules; then the rules by replay.

Each problem has its location. The report also lists checks that must wait until secrets are public.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from eventstore import Event, canonical, verify, verify_parts
from pbem.engine.play.dice import Dice, Roll, step_down, wrong_roll
from pbem.engine.play.resolve import Diverged
from pbem.engine.rules.findings import PUBLIC
from pbem.engine.rules.state import State
from pbem.engine.rules.title import Rules, Submission, Title
from pbem.matches.audit import conduct, hearsay, procedure, witnesses
from pbem.matches.audit.conduct import shapes
from pbem.matches.audit.problems import Problem, Report
from pbem.matches.events import BeaconTaken, each
from pbem.matches.history import beacons, moves
from pbem.matches.history.beacons import Value
from pbem.matches.history.export import FORMAT, Export, may_read
from pbem.matches.history.ladders import LENGTH, MOVED, REOPENED, RESTORED, USED_UP, Ladder
from pbem.matches.history.receipts import Receipt, SignedHead, chain_of, signed_by, unhex
from pbem.matches.history.record import Entry, Record, fold
from pbem.matches.history.replay import SERVER, context_of, replay_record
from pbem.matches.history.scores import with_scores
from pbem.matches.players import endings


def verify_export(
    export: Export,
    titles: Mapping[str, Title] | None = None,
    *,
    heads: Sequence[SignedHead] = (),
    receipts: Sequence[Receipt] = (),
    server: str = "",
    beacon: Sequence[Value] = (),
) -> Report:
    """Check everything that can be checked. Later checks need a sound chain and are skipped without one.

    `server` is the key that the reader expects; any other key is the first problem of the report. `beacon` are
    values of the match's public beacon that the reader got from its publisher.
    """
    report = Report([], [f"server {export.server}"], pinned=bool(server))
    keys = [key for key, _ in chain_of(str(export.trailer.get("signature")))]
    if server and server not in (export.server, *keys):
        report.problems.append(Problem(0, f"another server signed this export: {export.server}", "server"))
        return report
    try:
        _verify(export, titles or {}, heads, receipts, report, server, beacon)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, msgspec.ValidationError) as problem:
        # Anyone can sign nonsense: an unreadable log is a finding, not an error in the verifier.
        what = f"the log cannot be read: {type(problem).__name__}: {problem}"
        report.problems.append(Problem(0, what, "unreadable"))
    return report


def _verify(
    export: Export,
    titles: Mapping[str, Title],
    heads: Sequence[SignedHead],
    receipts: Sequence[Receipt],
    report: Report,
    trusted: str,
    beacon: Sequence[Value] = (),
) -> None:
    report.problems += _seal_problems(export, trusted)
    origin = moves.servers(export.events)[0].id
    broken = verify(export.events, server_id=origin, stream=export.stream)
    if broken is not None:
        report.problems.append(Problem(broken.version, broken.why, "chain"))
    report.problems += [
        Problem(at, why, "moved") for at, why in moves.problems(export.match, export.events, export.server)
    ]
    report.problems += witnesses.problems(export, heads, receipts, trusted)
    if report.problems:
        return
    report.problems += shapes.unknown_events(export.events) or _sequence_problems(export)
    if report.problems:
        return
    record = fold(export.events)
    report.problems += procedure.problems(export.events)
    report.problems += conduct.problems(export.events)
    checks = (_part_problems, order_problems, _ladder_problems, roll_problems, _end_problems, _agreement_problems)
    for check in checks:
        report.problems += check(export, record)
    report.problems += _published_problems(export, beacon)
    report.facts += _facts(export, record)
    report.facts += _beacon_facts(export, record, beacon)
    report.facts += witnesses.facts(export, heads)
    if not report.problems:
        _replay(export, record, titles, report)


def _facts(export: Export, record: Record) -> Iterator[str]:
    yield f"{len(export.events)} events, {len(export.parts)} parts, {len(record.resolved)} exchanges"
    yield f"{_count_rolls(export)} rolls checked"
    if export.trailer["erased"]:
        yield f"{len(export.trailer['erased'])} parts were erased at their owner's request"
    yield from hearsay.facts(export.events)


# The chain and its witnesses ---------------------------------------------------------------------------------


def _seal_problems(export: Export, trusted: str = "") -> Iterator[Problem]:
    """Check the trailer: the server must have signed it, and every event must be as it was signed."""
    if export.format != FORMAT:
        yield Problem(0, f"its format number {export.format} is unknown; this verifier reads {FORMAT}", "unknown")
    trailer = {name: value for name, value in export.trailer.items() if name != "signature"}
    if not trailer:
        yield Problem(0, "the trailer is missing: the file is cut off", "trailer")
        return
    if not signed_by(export.server, trailer, str(export.trailer.get("signature")), trusted):
        yield Problem(0, "the trailer is not signed by this server", "trailer")
        return
    if (trailer["match"], trailer["viewer"]) != (export.match, export.viewer):
        yield Problem(0, "the header names a different match or viewer from the signed trailer", "trailer")
    hashes = [event.hash for event in export.events]
    for version, (found, signed) in enumerate(zip(hashes, trailer["hashes"], strict=False), 1):
        if found != signed:
            yield Problem(version, "it is not the event that the server signed", "trailer")
            return
    if len(hashes) < trailer["count"]:
        yield Problem(len(hashes) + 1, "the end of the log is missing", "trailer")
    elif len(hashes) > trailer["count"]:
        yield Problem(trailer["count"] + 1, "it was added after the server signed", "trailer")


# The order of events -----------------------------------------------------------------------------------------


def _sequence_problems(export: Export) -> Iterator[Problem]:
    """Check that exchanges close and resolve once, that only rulings change results, and that rules change openly."""
    pending, halted, recomputing, ended, last = 0, False, 0, False, 0
    for event in export.events:
        number = event.payload.get("exchange", 0)
        if event.type == "exchange.closed":
            if pending or number <= last:
                yield Problem(event.version, f"exchange {number} is closed out of turn", "sequence")
            pending = last = number
        elif event.type == "exchange.resolved":
            if number != pending:
                yield Problem(event.version, f"exchange {number} is resolved without being closed", "sequence")
            pending = 0
        elif event.type == "exchange.recomputed":
            if not recomputing or number < recomputing or number > last:
                yield Problem(event.version, f"exchange {number} has a second result without a ruling", "sequence")
            recomputing = number + 1
        elif event.type == "rules.moved" and pending and not halted:
            yield Problem(event.version, "the rules were changed between closing and resolving", "sequence")
        elif event.type == "ladder.started":
            yield from _ladder_reason_problems(export, event, ended, last)
        if event.type in ("ruling.recomputed", "ruling.reopened"):
            recomputing, pending = (number if event.type == "ruling.recomputed" else 0), 0
        elif event.type not in ("exchange.recomputed", "rules.moved"):
            recomputing = 0
        halted = event.type == "match.halted" or (halted and event.type != "match.resumed")
        ended = event.type == "match.ended" or (ended and event.type != "ladder.started")


def _ladder_reason_problems(export: Export, event: Event, ended: bool, last: int) -> Iterator[Problem]:
    """Check that a new ladder, which means new dice, starts only for a reason on record."""
    started = [e for e in export.events[: event.version - 1] if e.type in ("match.created", "ladder.started")]
    base = started[-1].payload["ladder"]["base"]
    why = event.payload["why"]
    came = [e for e in export.events[: event.version - 1] if e.type == "match.arrived"]
    is_first = bool(came) and came[-1].version > started[-1].version
    reasons = {USED_UP: last - base >= LENGTH, REOPENED: ended, RESTORED: True, MOVED: is_first}
    if not reasons.get(why, False) or event.payload["ladder"]["base"] != last:
        yield Problem(event.version, "a new ladder was started without reason", "sequence")


# Parts and orders --------------------------------------------------------------------------------------------


def _part_problems(export: Export, record: Record) -> Iterator[Problem]:
    broken = verify_parts(export.events, export.parts)
    if broken is not None:
        yield Problem(broken.version, broken.why, "part")
    taken_back = {order.parts[0].commitment for _, order in _erased_orders(export)}
    erased = set(export.trailer["erased"])
    for event in export.events:
        for ref in event.parts:
            erasable = ref.name in shapes.ERASED or ref.commitment in taken_back
            there = ref.commitment in export.parts or (erasable and ref.commitment in erased)
            if not there and may_read(record, event, ref, export.viewer):
                yield Problem(event.version, f"its {ref.name} is missing", "part")
    for name, digest in sorted(record.created.blobs.items()):
        if hashlib.sha256(export.blobs.get(digest, b"")).hexdigest() != digest:
            yield Problem(1, f"the {name} that the match is played with is missing or changed", "blob")
    for digest in sorted(export.blobs.keys() - set(record.created.blobs.values())):
        yield Problem(0, f"no event names the blob {digest}", "blob")


def order_problems(export: Export, record: Record) -> Iterator[Problem]:
    """Check that all sealed orders of asked seats count, unless withdrawn, and that nothing else enters the dice."""
    for entry in record.closings.values():
        payload, version = entry.event.payload, entry.event.version
        if entry.expected is not None and payload["asked"] != entry.expected:
            yield Problem(version, "it closes for seats other than those the rules had asked", "order")
        if payload["counts"] != {seat: sealed for seat, sealed in entry.standing.items() if seat in payload["asked"]}:
            yield Problem(version, "the orders that count are not those in force at the closing", "order")
        if [ref.name for ref in entry.event.parts] != [f"answer/{seat}" for seat in sorted(payload["counts"])]:
            yield Problem(version, "its commitments are not those of the orders that it names", "order")
        for seat, sealed in payload["counts"].items():
            yield from _counted_problems(export, entry, seat, sealed)
    yield from _erased_problems(export)


def _erased_problems(export: Export) -> Iterator[Problem]:
    """Check that an order withdrawn because its author had it erased is not in the file."""
    for event, order in _erased_orders(export):
        if order.parts[0].commitment in export.parts:
            yield Problem(event.version, "it was withdrawn as erased, but it is still in the file", "order")


def _erased_orders(export: Export) -> Iterator[tuple[Event, Event]]:
    """Yield the withdrawals of orders that their authors had erased, each with the order."""
    sealed: dict[str, Event] = {}
    for event in export.events:
        if event.type == "order.sealed":
            sealed[event.payload["seat"]] = event
        elif event.type == "order.withdrawn" and event.payload.get("why") == "erased":
            order = sealed.get(event.payload["seat"])
            if order is not None:
                yield event, order


def _counted_problems(export: Export, entry: Entry, seat: str, version: int) -> Iterator[Problem]:
    """Check that the committed answer is the order's exact canonical reading, so that nobody can steer the dice."""
    sealed = export.at(version)
    if sealed is None or not sealed.parts:
        return  # not an order: reported elsewhere, as an order that is not in force
    counted = entry.event.part(f"answer/{seat}", SERVER)
    order = export.parts.get(sealed.parts[0].commitment)
    answer = export.parts.get(counted.commitment) if counted else None
    if order and answer:
        reading = msgspec.json.decode(order.content, type=Submission)
        if answer.content != canonical(reading):
            yield Problem(entry.event.version, f"the answer of {seat} that counts is not what was sealed", "order")


# Ladders and rolls -------------------------------------------------------------------------------------------


def _exchanges(record: Record) -> list[tuple[Entry, Event]]:
    """Every exchange that was ever resolved, valid or overruled, with the event that resolved it."""
    return [
        (record.closings[event.payload["exchange"]], event)
        for event in record.events
        if event.type in ("exchange.resolved", "exchange.recomputed")
    ]


def _ladder_problems(export: Export, record: Record) -> Iterator[Problem]:
    """Check that every rung leads down to the published foot of its ladder, and that none is used twice."""
    used: dict[str, int] = {}
    for entry, event in _exchanges(record):
        rung = unhex(event.payload["rung"])
        if not 0 < entry.exchange - entry.ladder["base"] <= LENGTH:
            yield Problem(event.version, "its exchange is not on the ladder", "ladder")
        elif step_down(rung, entry.exchange - entry.ladder["base"]).hex() != entry.ladder["open"]:
            yield Problem(event.version, "its rung does not belong to the ladder", "ladder")
        if used.setdefault(event.payload["rung"], entry.exchange) != entry.exchange:
            yield Problem(event.version, "its rung was used before", "ladder")


def roll_problems(export: Export, record: Record) -> Iterator[Problem]:
    for entry, event in _exchanges(record):
        rolls = _rolls(export, event, "rolls", PUBLIC)
        if rolls is None:
            yield Problem(event.version, "its rolls are missing", "roll")
            continue
        wrong = wrong_roll(rolls, unhex(event.payload["rung"]), context_of(export.match, entry))
        if wrong is not None:
            yield Problem(event.version, f"the roll {wrong.rule} of {', '.join(wrong.subjects)} is wrong", "roll")


def _rolls(export: Export, event: Event, name: str, audience: str) -> list[Roll] | None:
    ref = event.part(name, audience)
    part = export.parts.get(ref.commitment) if ref else None
    return msgspec.json.decode(part.content, type=list[Roll]) if part else None


def _count_rolls(export: Export) -> int:
    lists = [_rolls(export, event, "rolls", PUBLIC) for event in export.events if event.part("rolls", PUBLIC)]
    return sum(len(rolls or ()) for rolls in lists)


# The public beacon -------------------------------------------------------------------------------------------


def _published_problems(export: Export, published: Sequence[Value]) -> Iterator[Problem]:
    """Compare the values of the beacon with those that the reader got from its publisher."""
    known = {value.round: value.randomness for value in published}
    for event, taken in each(export.events, BeaconTaken):
        if known.get(taken.round, taken.value) != taken.value:
            yield Problem(event.version, f"the publisher has another value for round {taken.round}", "beacon")


def _beacon_facts(export: Export, record: Record, published: Sequence[Value]) -> Iterator[str]:
    terms = beacons.terms_of(record.created.beacon)
    if terms is not None:
        rounds = [taken.round for _, taken in each(export.events, BeaconTaken)]
        found = len(set(rounds) & {value.round for value in published})
        yield f"{found} of {len(rounds)} values of the beacon {terms.name} were compared with its publisher's"


# The end of the match ----------------------------------------------------------------------------------------


def _end_problems(export: Export, record: Record) -> Iterator[Problem]:
    """Check closing salts and secret rolls after the end, when the keys and the second ladders are public."""
    if record.ended is None or record.opened is None:
        return
    opened = {ladder["open"]: ladder for ladder in record.opened.payload["opened"]}
    for published in record.ladders:
        if published["base"] <= record.ended.payload["exchange"]:
            yield from _opened_problems(record, published, opened.get(published["open"]))
    secrets = ExportSource(export, record)
    for entry, event in _exchanges(record):
        if entry.event.version > record.ended.version:
            continue
        yield from _salt_problems(export, secrets, entry)
        rolls = _rolls(export, event, "secret-rolls", SERVER) or []
        wrong = wrong_roll(rolls, secrets.secret_rung(entry), context_of(export.match, entry))
        if wrong is not None:
            yield Problem(
                event.version, f"the secret roll {wrong.rule} of {', '.join(wrong.subjects)} is wrong", "end"
            )


def _agreement_problems(export: Export, record: Record) -> Iterator[Problem]:
    """Check that resignations, concessions and draws are the seats' own acts, and that forfeits are justified."""
    return (Problem(version, what, "end") for version, what in endings.problems(record))


def _opened_problems(record: Record, published: dict[str, Any], opened: dict[str, Any] | None) -> Iterator[Problem]:
    assert record.ended is not None
    if opened is None:
        yield Problem(record.ended.version, "a ladder is not opened", "end")
    elif hashlib.sha256(unhex(opened["key"])).hexdigest() != published["key"]:
        yield Problem(record.ended.version, "the key is not the one that was promised", "end")
    else:
        steps = opened["last"] - published["base"]
        if step_down(unhex(opened["secret"]), steps).hex() != published["secret"]:
            yield Problem(record.ended.version, "the second ladder does not lead down to its published rung", "end")


def _salt_problems(export: Export, source: ExportSource, entry: Entry) -> Iterator[Problem]:
    for ref in entry.event.parts:
        part = export.parts.get(ref.commitment)
        if part is not None and part.salt != source.salt(export.match, entry, ref.name.removeprefix("answer/")):
            yield Problem(entry.event.version, f"the salt of {ref.name} was chosen, not derived", "end")


class ExportSource:
    """The source for replay: an export whose secrets are open."""

    def __init__(self, export: Export, record: Record) -> None:
        self._export, self._record = export, record
        opened = record.opened
        self._opened = {ladder["open"]: ladder for ladder in opened.payload["opened"]} if opened else {}

    def content(self, commitment: str) -> bytes:
        return self._export.parts[commitment].content

    def secret_rung(self, entry: Entry) -> bytes:
        opened = self._opened[entry.ladder["open"]]
        return step_down(unhex(opened["secret"]), opened["last"] - entry.exchange)

    def salt(self, match: str, entry: Entry, what: str) -> bytes:
        key = unhex(self._opened[entry.ladder["open"]]["key"])
        return Ladder(0, b"", b"", key).salt(match, entry.exchange, what)

    def dice(self, match: str, entry: Entry, context: str, ordinals: dict[str, int]) -> Dice:
        resolved = entry.resolved
        assert resolved is not None
        return Dice(unhex(resolved.payload["rung"]), self.secret_rung(entry), context, ordinals)

    def state_salt(self, match: str, entry: Entry, version: int) -> bytes:
        return self.salt(match, entry, f"state/{version}")


def _replay(export: Export, record: Record, titles: Mapping[str, Title], report: Report) -> None:
    """Replay the match if everything is open and this release knows the title and all switches."""
    title = titles.get(record.created.title)
    if record.ended is None or record.opened is None:
        over = "the match is not over" if record.ended is None else f"the match opens with its {record.opens}"
        if record.ended is not None and record.opens == "never":
            report.facts.append("not replayed: the secrets of this match stay sealed, as agreed when it was made")
        else:
            report.facts.append(f"not replayed: {over}, its secrets are not yet public")
    elif title is None:
        report.facts.append(f"not replayed: this release does not know {record.created['title']}")
    elif unknown := _switches(record) - set(title.switches):
        report.facts.append(f"not replayed: this release does not know {', '.join(sorted(unknown))}")
    else:
        blobs = {name: export.blobs[digest] for name, digest in record.created.blobs.items()}
        source, rules = ExportSource(export, record), title.rules(blobs)
        try:
            end = replay_record(source, export.match, record, rules, checked=True)
        except Diverged as problem:
            report.problems.append(Problem(0, f"the rules give another result: {problem}", "replay"))
            return
        agreed = endings.is_agreed(record.ended)
        if agreed and not end.run.over:
            scores = rules.score(end.run.state)
            wrong = endings.agreement_problem(record, rules.sides) or endings.adjudication_problem(record, scores)
        else:
            same = end.run.over and _same_outcome(rules, end.run.state, record.ended.payload["outcome"])
            wrong = "" if end.run.over and same else "the rules give another outcome"
        if wrong:
            report.problems.append(Problem(record.ended.version, wrong, "replay"))
        else:
            report.facts.append("replayed from the first event with the same result")


def _same_outcome(rules: Rules, state: State, told: dict[str, Any]) -> bool:
    """Whether the replay ends as the log says.

    Older logs have no score; a stated score must be the one that the rules give.
    """
    assert state.outcome is not None
    expected = with_scores(rules, state, state.outcome) if "score" in told else state.outcome
    return bool(msgspec.to_builtins(expected) == told)


def _switches(record: Record) -> set[str]:
    moved = [event.payload["switches"] for event in record.events if event.type == "rules.moved"]
    return set(record.created.switches).union(*moved)
