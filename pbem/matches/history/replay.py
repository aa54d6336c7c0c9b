"""The position of a match: its record, and the rules run on it.

Every position comes from a replay. Snapshots are a cache of step starts, keyed by the rules' fingerprint and the
event's hash; with or without them, the position is the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from gettext import NullTranslations
from itertools import pairwise
from typing import Any, Protocol

import msgspec

from eventstore import Event, canonical, commitment
from pbem.engine.play import resolve as engine
from pbem.engine.play.dice import Dice, Roll, context
from pbem.engine.play.resolve import Diverged, Mind, Replies, Resolution
from pbem.engine.play.run import Mark, Run
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import MASTER, PUBLIC, Finding, Placed, only_seen_by, put_together, seen_by
from pbem.engine.rules.state import State, from_bytes, to_bytes
from pbem.engine.rules.title import Rules, Submission
from pbem.engine.text.messages import ENGLISH, Translator, same_but_words
from pbem.matches.events import Resolved, RulesMoved, content_as
from pbem.matches.events.reading import period_of
from pbem.matches.history.record import Entry, Record, fold, side_audience
from pbem.matches.server import Server, fingerprint

SERVER = "server"
"""The audience of parts that stay sealed until the match is over."""

LONG = 8
"""The number of history entries from which a replay is worth a snapshot."""

OPERATOR = "operator"
"""The audience of facts that never leave the server: errors with their tracebacks."""


class Source(Protocol):
    """Where replay finds the content that the chain only commits to: a server's store, or an export."""

    def content(self, commitment: str) -> bytes: ...

    def dice(self, match: str, entry: Entry, context: str, ordinals: dict[str, int]) -> Dice: ...

    def state_salt(self, match: str, entry: Entry, version: int) -> bytes: ...


def stream_of(match: str) -> str:
    return f"match/{match}"


class Position:
    """The record of a match, and a run at the point where the record ends.

    `mark` is the last step start, kept for corrections and snapshots.
    """

    def __init__(self, match: str, record: Record, rules: Rules, run: Run) -> None:
        self.match, self.record, self.rules, self.run = match, record, rules, run
        self.mark: Mark | None = None
        self._forms: dict[str, str] = {}
        self._read: dict[str, tuple[str, Submission]] = {}

    def at(self, record: Record) -> Position:
        """This position's state of the rules, with another record of the match."""
        position = Position(self.match, record, self.rules, self.run)
        position.mark, position._forms, position._read = self.mark, self._forms, self._read
        return position

    def form(self, ask: Ask, translator: Translator = ENGLISH) -> str:
        """The order form of an open ask, for a reader.

        In English it is written once, for page, email and reading of replies alike.
        """
        if type(translator.catalogue) is not NullTranslations:
            return self.rules.form_for(self.run.view(ask.seat), ask, translator)
        if ask.seat not in self._forms:
            self._forms[ask.seat] = self.rules.form(self.run.view(ask.seat), ask)
        return self._forms[ask.seat]

    def read_once(self, seat: str, text: str, read: Callable[[], Submission]) -> Submission:
        """The reading of a seat's orders; the last is kept, because orders are reviewed before they are sealed."""
        last = self._read.get(seat)
        if last is None or last[0] != text:
            last = self._read[seat] = text, read()
        return last[1]

    @property
    def waits(self) -> Callable[[Ask], bool]:
        return engine.waits_for(self.rules.modes[self.record.created.reactions])

    @property
    def asked(self) -> list[str]:
        """The seats that must answer before the rules continue; this is public."""
        if self.record.closing or self.record.halted or self.record.ended or self.record.moved:
            return []
        return sorted(ask.seat for ask in self.run.asks)

    @property
    def awaited_seats(self) -> list[str]:
        done = (*self.record.final, *self.record.vacant)
        return [seat for seat in self.asked if seat not in done]


def load(server: Server, match: str, *, upto: int | None = None, snapshots: bool = True) -> Position:
    """The position of a match, now or after an earlier event."""
    record = server.record(stream_of(match), upto)
    if not record.events:
        raise KeyError(f"there is no match {match}")
    position = _position_of(server, match, record, snapshots)
    if upto is None:
        server.remember(match, position)
    return position


def _position_of(server: Server, match: str, record: Record, snapshots: bool) -> Position:
    """Return the position of a record: the one in memory if it has the same record, otherwise a replayed one."""
    known = server.positions.get(match)
    if known is not None and snapshots and _key(known.record) == _key(record):
        return known.at(record)
    return position_of(server, match, record, snapshots=snapshots)


def _key(record: Record) -> str:
    """The key that identifies the state that a record leads to."""
    done = (entry.key for entry in reversed(record.history) if entry.resolved or entry.kind != "exchange")
    return next(done, None) or record.events[0].hash


def position_of(server: Server, match: str, record: Record, *, snapshots: bool = True) -> Position:
    """The position that a record leads to, from the newest snapshot if there is one."""
    rules = server.rules(record.created.title, record.created.blobs)
    position = _beginning(match, record, rules)
    following = _resume(server, position) if snapshots else [*record.history]
    entries = [entry for entry in following if entry.kind != "exchange" or entry.resolved is not None]
    quiet = entries[:-1] if position.mark is None and _may_be_quiet(position, entries) else []
    for entry in quiet:
        apply(server, position, entry, told=False, marked=False)
    told = not _needs_no_findings(position)
    resolutions = [apply(server, position, entry, told=told) for entry in entries[len(quiet) :]]
    if quiet and position.mark is None:  # the step in progress began in an exchange without marks
        position = _beginning(match, record, rules)
        resolutions = [apply(server, position, entry, told=told) for entry in entries]
    if snapshots and len(entries) > LONG and (last := resolutions[-1]) is not None:
        _spare_the_next(server, position, entries[-1], last.mark)
    return position


def _spare_the_next(server: Server, position: Position, entry: Entry, mark: Mark | None) -> None:
    """Store a snapshot after a long replay, so that after a code change only the first reader has to replay."""
    if mark is not None:
        key = snapshot_key(position.match, entry.exchange, entry.key)
        with server.store.skip_if_busy():
            server.store.put_snapshot(key, fingerprint_of(server, position.record), msgspec.json.encode(mark))


def _beginning(match: str, record: Record, rules: Rules) -> Position:
    return Position(match, record, rules, Run(rules, rules.setup(tuple(record.created.switches))))


def _may_be_quiet(position: Position, entries: Sequence[Entry]) -> bool:
    """Whether all exchanges but the last can be replayed for their state alone, without findings or marks.

    A correction needs the mark before it. If the rules wait only for orders, an exchange leaves nothing to report
    in the next.
    """
    return _waits_for_orders(position) and all(entry.kind == "exchange" for entry in entries)


def _needs_no_findings(position: Position) -> bool:
    """Whether the findings of the next exchange do not depend on those of earlier ones."""
    return _waits_for_orders(position) and position.rules.tells_before_orders


def _waits_for_orders(position: Position) -> bool:
    return position.rules.modes[position.record.created.reactions] == {"order"}


def _resume(server: Server, position: Position) -> list[Entry]:
    """Load the newest usable snapshot; return the history entries that follow it."""
    title_print, following = fingerprint_of(server, position.record), list[Entry]()
    for entry in reversed(position.record.history):
        following.insert(0, entry)
        if entry.kind != "exchange" or entry.resolved is None:
            continue
        content = server.store.get_snapshot(snapshot_key(position.match, entry.exchange, entry.key), title_print)
        if content is not None:
            mark = msgspec.json.decode(content, type=Mark)
            position.run, position.mark = Run.resume(position.rules, mark), mark
            dice = dice_of(server, position.match, entry, mark.ordinals)
            told, autos = not _needs_no_findings(position), autos_of(server, entry)
            engine.resume(position.run, mark, dice, autos, position.waits, told=told)
            return following[1:]
    return following


def snapshot_key(match: str, exchange: int, entry: str = "") -> str:
    """The key of the snapshot after an exchange; keys sort by exchange, so that the oldest can be dropped."""
    return f"{match}/{exchange:08}/{entry}"


def fingerprint_of(server: Server, record: Record) -> str:
    return fingerprint(type(server.titles[record.created.title]).__module__)


def apply(
    source: Source,
    position: Position,
    entry: Entry,
    *,
    checked: bool = False,
    told: bool = True,
    marked: bool = True,
) -> Resolution | None:
    """Advance the position by one entry of its history; `checked` verifies that each answer was legal.

    If `told` is false, findings are incomplete; if `marked` is false, no mark is set.
    """
    if entry.kind == "moved":
        position.run.moved = tuple(content_as(entry.event, RulesMoved).switches)
        return None
    if entry.kind == "corrected":
        changes = msgspec.json.decode(source.content(entry.event.parts[0].commitment))
        correct(position, changes)
        return None
    answers = {seat: given.answer for seat, given in answers_of(source, entry).items()}
    for ask in position.run.asks if checked else ():
        if ask.seat in answers:
            engine.check_recorded(position.run, ask, answers[ask.seat])
    resolution = engine.resolve(
        position.run,
        answers,
        dice_of(source, position.match, entry),
        engine.by_record(autos_of(source, entry), checked=checked),
        position.waits,
        told=told,
        marked=marked,
    )
    position.mark = resolution.mark or position.mark
    return resolution


def correct(position: Position, changes: list[dict[str, Any]]) -> None:
    """Change the state at the start of the step in progress, and restart that step."""
    if position.mark is None:
        raise ValueError("the match has no step to correct")
    state = corrected_state(position.mark.state, changes, position.rules.state_type)
    mark = Mark(to_bytes(state), position.mark.ordinals, position.mark.used)
    run = Run.resume(position.rules, mark)
    run.moved = position.run.moved
    run.proceed()
    position.run, position.mark = run, mark


def corrected_state(content: bytes, changes: list[dict[str, Any]], kind: type[State]) -> State:
    """Apply changes `{path, value}` to plain data (no value means removal); the state's type checks the result."""
    plain = msgspec.json.decode(content)
    for change in changes:
        *way, last = change["path"]
        spot = plain
        for name in way:
            spot = spot[name]
        if "value" in change:
            spot[last] = change["value"]
        else:
            del spot[last]
    state = from_bytes(msgspec.json.encode(plain), kind)
    _check_kept(plain, msgspec.json.decode(to_bytes(state)))
    return state


def _check_kept(wanted: Any, kept: Any, path: str = "") -> None:
    """Refuse a path that the state does not have, because decoding a state ignores unknown fields."""
    if isinstance(wanted, dict) and isinstance(kept, dict):
        for name in wanted:
            if name not in kept and wanted[name] not in ({}, [], None, False, 0, ""):
                raise KeyError(f"the state has no place {path}/{name}".replace(" /", " "))
            if name in kept:
                _check_kept(wanted[name], kept[name], f"{path}/{name}")


def answers_of(source: Source, entry: Entry) -> dict[str, Submission]:
    """Return the valid answers of an exchange, from the commitments made at its closing."""
    return {
        ref.name.removeprefix("answer/"): msgspec.json.decode(source.content(ref.commitment), type=Submission)
        for ref in entry.event.parts
    }


def context_of(match: str, entry: Entry) -> str:
    committed: dict[str, str | None] = dict.fromkeys(entry.closed.asked)
    committed.update({ref.name.removeprefix("answer/"): ref.commitment for ref in entry.event.parts})
    return context(match, entry.exchange, committed.items(), entry.beacon)


def dice_of(source: Source, match: str, entry: Entry, ordinals: Mapping[str, int] | None = None) -> Dice:
    return source.dice(match, entry, context_of(match, entry), dict(ordinals or {}))


def _part_of(source: Source, entry: Entry, name: str, audience: str) -> bytes:
    """The content of a part of the event that resolved this exchange."""
    assert entry.resolved is not None
    ref = entry.resolved.part(name, audience)
    assert ref is not None
    return source.content(ref.commitment)


def autos_of(source: Source, entry: Entry) -> list[Replies]:
    content = _part_of(source, entry, "autos", SERVER)
    return [engine.from_record(stored) for stored in msgspec.json.decode(content, type=list[engine.Recorded])]


@lru_cache(maxsize=16)
def read_findings(content: bytes) -> tuple[Finding, ...]:
    """The findings of a stored part; recent ones are kept, because the emails to all seats use them."""
    return msgspec.json.decode(content, type=tuple[Finding, ...])


def findings_of(source: Source, entry: Entry, viewer: str) -> list[Finding]:
    """Return the stored findings of an exchange, so that earlier reports do not change with the code."""
    assert entry.resolved is not None
    if entry.result.findings == "each":
        return [*read_findings(_part_of(source, entry, "findings", viewer))]
    found = [*read_findings(_part_of(source, entry, "findings", PUBLIC))]
    for audience in entry.circles_of(viewer):
        added = msgspec.json.decode(_part_of(source, entry, "findings", audience), type=list[Placed])
        found = put_together(found, added)
    return found


def findings_seen(server: Server, entry: Entry, viewer: str) -> list[Finding]:
    """The stored findings of an exchange, read once for a page or an email that uses them several times."""
    return server.once(("findings", entry.key, viewer), lambda: findings_of(server, entry, viewer))


def findings_by_audience(rules: Rules, resolution: Resolution) -> Iterator[tuple[str, Sequence[object]]]:
    """Return findings in their stored form: public ones once, and for each other audience its own.

    There is a part for every audience, even if it is empty, because the presence of a part must reveal nothing.
    """
    findings = resolution.findings
    yield PUBLIC, seen_by(findings, PUBLIC)
    sides: dict[str, list[str]] = {}
    for seat in rules.seats:
        sides.setdefault(rules.sides[seat], []).append(seat)
    shared = {side: seats for side, seats in sides.items() if len(seats) > 1}
    for side, seats in shared.items():
        yield side_audience(side), only_seen_by(findings, seats, [[PUBLIC]])
    for seat in rules.seats:
        circles = [[PUBLIC], *([shared[rules.sides[seat]]] if rules.sides[seat] in shared else [])]
        yield seat, only_seen_by(findings, [seat], circles)
    yield MASTER, only_seen_by(findings, [MASTER], [[PUBLIC]])


def stored_findings(rules: Rules, resolved: Event, resolution: Resolution) -> Iterator[tuple[str, Sequence[object]]]:
    """Findings in the form in which the resolving event stores them."""
    if content_as(resolved, Resolved).findings == "each":
        return ((viewer, seen_by(resolution.findings, viewer)) for viewer in (*rules.seats, PUBLIC, MASTER))
    return findings_by_audience(rules, resolution)


def rolls_of(source: Source, entry: Entry, *, secret: bool = False) -> list[Roll]:
    name, audience = ("secret-rolls", SERVER) if secret else ("rolls", PUBLIC)
    return msgspec.json.decode(_part_of(source, entry, name, audience), type=list[Roll])


def minds_of(source: Source, position: Position, entry: Entry) -> dict[str, Mind]:
    """Return each seat's plan of this period and its standing orders, as of the closing of the exchange."""
    plans: dict[str, dict[str, Any]] = {}
    used: dict[str, Counter[str]] = {}
    earlier = _of_this_period(position)
    for asked in (*earlier, entry):
        for seat, given in answers_of(source, asked).items():
            if given.plan:
                plans[seat] = position.rules.merge_plan(plans.get(seat, {}), given.plan)
    for asked in earlier:
        for seat, clause in _clauses_used(source, asked):
            used.setdefault(seat, Counter())[clause] += 1
    return {
        seat: Mind(
            plans.get(seat, {}), doctrine_of(source, entry.doctrine.get(seat)), dict(used.get(seat, Counter()))
        )
        for seat in position.record.seats
    }


def _clauses_used(source: Source, entry: Entry) -> Iterator[tuple[str, str]]:
    """The clauses that answered in an exchange, each with its seat."""
    assert entry.resolved is not None
    if entry.resolved.part("autos", SERVER) is not None:  # a recomputed exchange has none until it is stored
        for replies in autos_of(source, entry):
            yield from ((seat, reply.clause) for seat, reply in replies.items() if reply.clause)


def _of_this_period(position: Position) -> list[Entry]:
    """The resolved exchanges whose asks fall into the current plan period."""
    now, found = position.rules.plan_period(position.run.state), list[Entry]()
    newest_first = (entry for entry in reversed(position.record.history) if entry.resolved is not None)
    for entry, before in pairwise(newest_first):
        if before.resolved is None or period_of(before.resolved) != now:
            break
        found.insert(0, entry)
    return found


def doctrine_of(source: Source, held: str | None) -> list[Any]:
    """A seat's standing orders, looked up by their commitment."""
    doctrine: list[Any] = msgspec.json.decode(source.content(held)) if held else []
    return doctrine


def state_commitment(source: Source, match: str, entry: Entry, version: int, run: Run) -> str:
    """A salted hash of the state, because an unsalted hash would let anyone confirm guesses about hidden facts.

    The salt belongs to the event of this version, because a recomputed exchange must not reveal whether its state
    changed.
    """
    return commitment(source.state_salt(match, entry, version), to_bytes(run.state))


def public_asks(run: Run) -> list[dict[str, str]]:
    """Return the public facts about the open asks."""
    return [{"seat": ask.seat, "kind": ask.kind, "rule": ask.rule} for ask in run.asks]


def differences(source: Source, position: Position, entry: Entry, resolution: Resolution) -> list[str]:
    """Return where a replayed exchange differs from the log."""
    resolved, run = entry.resolved, position.run
    assert resolved is not None
    found = []
    if resolution.dice.rolls != rolls_of(source, entry):
        found.append("rolls")
    if resolution.dice.secret_rolls != rolls_of(source, entry, secret=True):
        found.append("secret rolls")
    for audience, findings in stored_findings(position.rules, resolved, resolution):
        if not is_record_of(_part_of(source, entry, "findings", audience), findings):
            found.append(f"findings of {audience}")
    if state_commitment(source, position.match, entry, resolved.version, run) != entry.result.state:
        found.append("state")
    if (entry.result.turn, entry.result.asks) != (run.state.turn, public_asks(run)):
        found.append("turn and asks")
    return found


def is_record_of(stored: bytes, findings: Sequence[object]) -> bool:
    """Whether stored findings agree with these. Messages may be reworded, so only their arguments are compared."""
    if canonical(findings) == stored:
        return True
    plain = msgspec.json.decode(stored)
    return canonical(plain) == stored and same_but_words(msgspec.to_builtins(findings), plain)


def replay(server: Server, match: str) -> Position:
    """Replay a match from its first event and compare everything; raise `Diverged`, naming the difference."""
    record = fold(server.store.read(stream_of(match)))
    try:
        rules = server.rules(record.created.title, record.created.blobs)
    except Exception as problem:
        raise Diverged(f"its data: {type(problem).__name__}: {problem}") from problem
    return replay_record(server, match, record, rules)


def replay_record(source: Source, match: str, record: Record, rules: Rules, *, checked: bool = False) -> Position:
    position = _beginning(match, record, rules)
    for entry in record.history:
        if entry.kind == "exchange" and entry.resolved is None:
            break
        try:
            resolution = apply(source, position, entry, checked=checked)
        except Exception as problem:
            raise Diverged(f"{_place(entry)}: {type(problem).__name__}: {problem}") from problem
        if resolution is not None and (found := differences(source, position, entry, resolution)):
            raise Diverged(f"{_place(entry)}: {', '.join(found)} differ")
    return position


def _place(entry: Entry) -> str:
    return f"exchange {entry.exchange}" if entry.kind == "exchange" else f"event {entry.event.version}"


def record_of(server: Server, match: str) -> Record:
    record = server.record(stream_of(match))
    if not record.events:
        raise KeyError(f"there is no match {match}")
    return record


def all_matches(server: Server) -> list[str]:
    return [stream.removeprefix("match/") for stream in server.store.streams("match/")]
