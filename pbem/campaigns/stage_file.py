"""One stage of a campaign as a file, and its verification at a cost that does not grow with the campaign's age.

The file begins with the closing and the result of the exchange before the stage, and holds every event since, up to
the result with which the next stage begins. Signed heads bind both ends: a reader who has checked the previous stage
needs nothing of the log before it. Once the campaign is over, the file also has the position at the beginning of the
stage and the secrets of its dice, and the rules are run again. `guide/format.md` lists what a stage alone does not
show.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from eventstore import Event, canonical, verify_parts
from eventstore.events import WRONG_HASH, genesis, has_its_hash, link_fault
from pbem.campaigns import across, chronicle
from pbem.campaigns.across import Located, Logs
from pbem.campaigns.bundle_check import Kept, Verified
from pbem.engine.play import resolve as engine
from pbem.engine.play.dice import step_down
from pbem.engine.play.run import Mark, Run
from pbem.engine.rules.findings import PUBLIC
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.rules.title import Title
from pbem.engine.text.messages import say
from pbem.matches.audit import verify as checks
from pbem.matches.audit.conduct import shapes
from pbem.matches.audit.problems import Problem
from pbem.matches.events import ExchangeRecomputed, LadderStarted, MatchCreated, MatchMoved, content_as, each
from pbem.matches.exchange.ending import signed_head
from pbem.matches.history import export as exports
from pbem.matches.history.export import Export
from pbem.matches.history.receipts import SignedHead, chain_of, signed_by
from pbem.matches.history.record import Entry, History, Record, extend
from pbem.matches.history.replay import (
    Position,
    apply,
    autos_of,
    dice_of,
    differences,
    position_of,
    public_asks,
    record_of,
    state_commitment,
    stream_of,
)
from pbem.matches.server import Server

FORMAT = 1


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The position at the beginning of a stage, and the secrets of the ladder for its exchanges."""

    mark: Mark
    opened: dict[str, Any]


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of the file. `in_charge` is the server on which the stage was played."""

    format: int
    server: str
    campaign: str
    viewer: str
    stage: int
    in_charge: str
    heads: list[SignedHead]


class StageFile(msgspec.Struct):
    """A stage as read. Nothing in it is trusted until it is verified.

    `context` holds the earlier events that the stage needs: the creation of the campaign and the start of its ladder.
    """

    head: Head
    export: Export
    context: list[Event] = []
    start: Start | None = None

    @property
    def created(self) -> MatchCreated:
        return content_as((self.context or self.export.events)[0], MatchCreated)

    @property
    def ladder(self) -> dict[str, Any]:
        found: dict[str, Any] = (self.context or self.export.events)[-1 if self.context else 0].payload["ladder"]
        return found


# Writing -----------------------------------------------------------------------------------------------------


def write(server: Server, campaign: str, stage: int, viewer: str = PUBLIC, *, is_privileged: bool = False) -> bytes:
    """The file of a stage as a viewer may see it; a privileged file has all secrets and never leaves the server."""
    record = record_of(server, campaign)
    before, entries = _span(record, stage)
    stream, is_open = stream_of(campaign), record.opened is not None or is_privileged
    first = before.event.version if before else 1
    last = entries[-1].resolved if entries and stage < chronicle.stages_of(record) else None
    events = server.store.read(stream, after=first - 1, upto=last.version if last else None)
    known = msgspec.structs.replace(record, closings=_of_stage(record.created, record.ladder, events)[1].closings)
    wanted = [
        ref.commitment
        for event in events
        for ref in event.parts
        if is_privileged or exports.may_read(known, event, ref, viewer)
    ]
    parts = server.store.parts(wanted)
    signed = [signed_head(server, campaign, entry) for entry in (before, *entries[-1:]) if entry is not None]
    head = Head(FORMAT, server.id, campaign, viewer, stage, _in_charge(record, first), signed)
    context = _context(record, first) if before else []
    lines: list[dict[str, Any]] = [{"stage": msgspec.to_builtins(head)}]
    lines += [{"context": msgspec.to_builtins(event)} for event in context]
    lines += exports.lines_of(
        events, parts, {digest: server.blob(digest) for digest in record.created.blobs.values()}
    )
    if is_open and before is not None:
        lines.append({"start": msgspec.to_builtins(_start(server, record, before, entries))})
    body = {"digest": hashlib.sha256(canonical(lines)).hexdigest(), "erased": sorted(set(wanted) - set(parts))}
    lines.append({"trailer": {**body, "signature": server.signer.sign(body)}})
    return b"".join(canonical(line) + b"\n" for line in lines)


def _span(record: Record, stage: int) -> tuple[Entry | None, list[Entry]]:
    """The exchange before a stage, and the exchanges of the stage that are in force."""
    entries = chronicle.entries_of(record, stage)
    if not 1 <= stage <= chronicle.stages_of(record) or not entries:
        raise Illegal(str(stage), [Objection("C9", say("that stage has no result yet"))])
    newest_first = reversed(record.resolved)
    before = next((entry for entry in newest_first if entry.exchange < entries[0].exchange), None)
    if any(entry.result.word == ExchangeRecomputed.word for entry in (before, *entries) if entry is not None):
        raise Illegal(
            str(stage),
            [Objection("C9", say("a ruling has recomputed this stage; export the whole campaign instead"))],
        )
    return before, entries


def _in_charge(record: Record, version: int) -> str:
    moves = each(record.events, MatchMoved, newest_first=True)
    return next((said.to for event, said in moves if event.version < version), record.created.server)


def _context(record: Record, first: int) -> list[Event]:
    """The creation of the campaign, and the start of the ladder in use when the stage begins."""
    ladders = each(record.events, LadderStarted, newest_first=True)
    started = next((event for event, _ in ladders if event.version < first), None)
    return [record.events[0], *([started] if started is not None else [])]


def _start(server: Server, record: Record, before: Entry, entries: Sequence[Entry]) -> Start:
    match = record.stream.removeprefix("match/")
    then = msgspec.structs.replace(record, history=record.history.upto(before), ended=None)
    mark = position_of(server, match, then).mark
    assert mark is not None
    last = max((entry.exchange for entry in entries if entry.ladder == before.ladder), default=before.exchange)
    return Start(mark, server.ladder(match, before.ladder).opened_values(last))


# Reading -----------------------------------------------------------------------------------------------------


def is_stage_file(content: bytes) -> bool:
    """Whether a file claims to contain one stage."""
    return content.startswith(b'{"stage":')


def read(content: bytes) -> StageFile:
    """Read a stage file; a refusal names the first line that cannot be read."""
    found: StageFile | None = None
    for number, (kind, body) in enumerate(exports.each_line(content), 1):
        try:
            if found is None:
                head = msgspec.convert(body if kind == "stage" else None, Head)
                found = StageFile(head, Export(head.server, head.campaign, head.viewer, [], {}, {}, {}))
            elif found.export.trailer:
                raise ValueError("something follows the trailer")
            elif kind == "context":
                found.context.append(msgspec.convert(body, Event))
            elif kind == "start":
                found.start = msgspec.convert(body, Start)
            else:
                exports.take_line(found.export, kind, body, _Trailer)
        except (KeyError, TypeError, ValueError, AttributeError, msgspec.MsgspecError) as problem:
            raise Unreadable(
                f"line {number}",
                [Objection("C9", say("this line does not belong in a stage file ({problem})", problem=problem))],
            ) from problem
    if found is None or not found.export.events:
        raise Unreadable("line 1", [Objection("C9", say("this file does not contain a stage"))])
    return found


class _Trailer(msgspec.Struct, forbid_unknown_fields=True):
    digest: str
    erased: list[str]
    signature: str


# Verifying ---------------------------------------------------------------------------------------------------


def verify_stage(content: bytes, titles: Mapping[str, Title] | None = None, kept: Kept | None = None) -> Verified:
    """Check everything that can be checked about a stage from its file."""
    file, kept = read(content), kept or Kept()
    found = Verified([], [f"server {file.head.server}"], bool(kept.server))
    try:
        for check in (_seal_problems, _chain_problems, _head_problems, _content_problems):
            found.problems += [_locate(file, problem) for problem in check(file, content, kept)]
            if found.problems:
                return found
        before, record = _of_stage(file.created, file.ladder, file.export.events)
        logs = Logs(file.export, record, {}, kept.server)
        found.problems += [_locate(file, problem) for problem in _exchange_problems(file, before, record)]
        found.problems += _battle_problems(file, logs)
        found.facts += _facts(file, record, kept)
        if not found.problems:
            found.problems += [
                _locate(file, one) for one in _replay_problems(file, before, record, titles or {}, found)
            ]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, msgspec.MsgspecError) as problem:
        what = f"the stage cannot be read: {type(problem).__name__}: {problem}"
        found.problems.append(_locate(file, Problem(0, what, "unreadable")))
    return found


def _locate(file: StageFile, problem: Problem) -> Located:
    return Located(file.head.campaign, problem)


def _of_stage(created: MatchCreated, ladder: dict[str, Any], events: Sequence[Event]) -> tuple[Entry | None, Record]:
    """The exchange before the stage, and a record of only the stage."""
    empty = Record(creation=created, ladders=[] if events[0].version == 1 else [ladder])
    if events[0].version == 1:
        return None, extend(empty, events)
    place = next(place for place, event in enumerate(events) if event.type == "exchange.resolved")
    before = extend(empty, events[: place + 1]).history[-1]
    return before, extend(
        msgspec.structs.replace(empty, history=History([before]), last=before.exchange), events[place + 1 :]
    )


def _seal_problems(file: StageFile, content: bytes, kept: Kept) -> Iterator[Problem]:
    head, trailer = file.head, file.export.trailer
    keys = [key for key, _ in chain_of(str(trailer.get("signature")))]
    if kept.server and kept.server not in (head.server, *keys):
        yield Problem(0, f"another server signed this file: {head.server}", "server")
        return
    if head.format != FORMAT:
        yield Problem(0, f"the format number {head.format} is unknown; this verifier reads {FORMAT}", "unknown")
    lines = [msgspec.json.decode(line) for line in content.splitlines()[:-1]]
    body = {name: value for name, value in trailer.items() if name != "signature"}
    if not body:
        yield Problem(0, "the trailer is missing: the file is cut off", "trailer")
    elif not signed_by(head.server, body, trailer["signature"], kept.server):
        yield Problem(0, "the trailer is not signed by this server", "trailer")
    elif body["digest"] != hashlib.sha256(canonical(lines)).hexdigest():
        yield Problem(0, "the file is not the one that the server signed", "trailer")


def _chain_problems(file: StageFile, content: bytes, kept: Kept) -> Iterator[Problem]:
    """Check that the events of the stage form a chain, and that its first event follows the one it names."""
    events, stream = file.export.events, file.export.stream
    began_on = file.created.server if file.context else events[0].payload.get("server", "")
    previous = genesis(began_on, stream) if events[0].version == 1 else events[0].previous
    for version, event in enumerate(events, events[0].version):
        if fault := link_fault(event, stream=stream, version=version, previous=previous):
            yield Problem(version, fault, "chain")
            return
        if not has_its_hash(event):
            yield Problem(version, WRONG_HASH, "chain")
            return
        previous = event.hash
    for event in file.context:
        if event.stream != stream or event.version >= events[0].version or not has_its_hash(event):
            yield Problem(event.version, "an earlier event is not one of this campaign", "chain")


def _head_problems(file: StageFile, content: bytes, kept: Kept) -> Iterator[Problem]:
    """Check that both ends of the stage are signed, and that no head kept by the reader names another event."""
    results = {one.hash: one for one in file.export.events if one.type in ("exchange.resolved", "match.ended")}
    numbers = {event.payload["exchange"] for event in results.values()}
    firsts = [] if file.export.events[0].version == 1 else [next(iter(results))]
    for head in file.head.heads:
        if head.match != file.head.campaign or not head.genuine(kept.server) or head.event not in results:
            yield Problem(0, "a head in the file is not signed for an event of this stage", "head")
    for wanted in firsts:
        if wanted not in [head.event for head in file.head.heads]:
            yield Problem(file.export.events[0].version, "no head is signed for the beginning of the stage", "head")
    for head in kept.heads:
        if head.match == file.head.campaign and not head.genuine(kept.server):
            yield Problem(0, f"your head of exchange {head.exchange} is not signed by this server", "head")
        elif head.match == file.head.campaign and head.exchange in numbers and head.event not in results:
            yield Problem(0, f"your head of exchange {head.exchange} names another event: the log was forked", "head")


def _content_problems(file: StageFile, content: bytes, kept: Kept) -> Iterator[Problem]:
    yield from shapes.unknown_events(file.export.events)
    broken = verify_parts(file.export.events, file.export.parts)
    if broken is not None:
        yield Problem(broken.version, broken.why, "part")
    for name, digest in sorted(file.created.blobs.items()):
        if hashlib.sha256(file.export.blobs.get(digest, b"")).hexdigest() != digest:
            yield Problem(0, f"the {name} that the campaign is played with is missing or changed", "blob")


def _exchange_problems(file: StageFile, before: Entry | None, record: Record) -> Iterator[Problem]:
    """Check that the orders in force were counted, and that the rungs and rolls of the dice are right."""
    yield from checks.order_problems(file.export, record)
    yield from checks.roll_problems(file.export, record)
    ladder, number, rung = (before or record.history[0]).ladder, 0, ""
    if before is not None and before.resolved is not None:
        number, rung = before.exchange, before.resolved.payload["rung"]
    for event in record.events:
        if event.type != "exchange.resolved":
            continue
        entry = record.closings[event.payload["exchange"]]
        if entry.ladder != ladder or not rung:
            ladder, number, rung = entry.ladder, entry.ladder["base"], entry.ladder["open"]
        if step_down(bytes.fromhex(event.payload["rung"]), entry.exchange - number).hex() != rung:
            yield Problem(event.version, "the rung does not lead down to the previous one", "ladder")
        number, rung = entry.exchange, event.payload["rung"]


def _battle_problems(file: StageFile, logs: Logs) -> Iterator[Located]:
    """Check that each report of the stage has the signed end of one match, and each side was told its share."""
    used: dict[str, str] = {}
    for event in logs.record.events:
        if event.type not in across.REPORTS:
            continue
        said = event.payload
        signed = SignedHead(server=file.head.in_charge, match=said["match"], **said["head"])
        if not signed.genuine(logs.trusted):
            yield logs.here(event, f"the head of match {said['match']} is not signed by this server", "battle-head")
        if used.setdefault(said["head"]["event"], said["seat"]) != said["seat"]:
            yield logs.here(event, f"the head of match {said['match']} was used for another battle", "battle-head")
        if event.type == "battle.reported":
            yield from across.parts_agree(logs, event)


def _facts(file: StageFile, record: Record, kept: Kept) -> Iterator[str]:
    ended = sum(event.type == "battle.reported" for event in record.events)
    yield f"stage {file.head.stage}: {len(file.export.events)} events, {ended} battles reported"
    first = next((head for head in file.head.heads if head.exchange == record.history[0].exchange), None)
    if file.context and (first is None or first.event not in [head.event for head in kept.heads]):
        yield "the head at the beginning of the stage binds the log before it: compare it with the head in your email"


# By the rules ------------------------------------------------------------------------------------------------


class StageSource(checks.ExportSource):
    """The source for a replay of one stage: its file, with the secrets of one ladder."""

    def __init__(self, file: StageFile) -> None:
        assert file.start is not None
        self._export, self._opened = file.export, {file.start.opened["open"]: file.start.opened}


def _replay_problems(
    file: StageFile, before: Entry | None, record: Record, titles: Mapping[str, Title], found: Verified
) -> Iterator[Problem]:
    """Replay the rules from the position at the beginning of the stage, if the file contains its secrets."""
    title = titles.get(file.created.title)
    if file.start is None or before is None or title is None:
        found.facts.append("not replayed: the secrets of this stage are not in the file")
        return
    yield from _opened_problems(before.ladder, file.start.opened)
    rules = title.rules({name: file.export.blobs[digest] for name, digest in file.created.blobs.items()})
    source, mark = StageSource(file), file.start.mark
    position = Position(file.head.campaign, record, rules, Run.resume(rules, mark))
    position.mark = mark
    dice = dice_of(source, position.match, before, mark.ordinals)
    engine.resume(position.run, mark, dice, autos_of(source, before), position.waits)
    assert before.resolved is not None
    committed = state_commitment(source, position.match, before, before.resolved.version, position.run)
    if (committed, public_asks(position.run)) != (before.result.state, before.result.asks):
        yield Problem(
            before.resolved.version, "the position at the beginning is not the one that was committed to", "replay"
        )
        return
    for entry in [*record.history][1:]:
        if entry.is_closing or (entry.kind == "exchange" and entry.ladder != before.ladder):
            break
        resolution = apply(source, position, entry, checked=True)
        wrong = differences(source, position, entry, resolution) if resolution is not None else []
        if wrong:
            yield Problem(entry.event.version, f"the rules give another result: {', '.join(wrong)} differ", "replay")
            return
    found.facts.append("replayed from the position at the beginning of the stage with the same result")


def _opened_problems(published: dict[str, Any], opened: dict[str, Any]) -> Iterator[Problem]:
    steps = opened["last"] - published["base"]
    key = hashlib.sha256(bytes.fromhex(opened["key"])).hexdigest()
    if key != published["key"] or step_down(bytes.fromhex(opened["secret"]), steps).hex() != published["secret"]:
        yield Problem(0, "the secrets of the dice are not those that the server committed to", "end")
