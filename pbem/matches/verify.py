"""Check an export: chain, parts, commitments, ladders and every roll, without the rules; then the rules by replay.

Each problem says where it is. What could not be checked, because it is not yet public, is said as well.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from eventstore import Event, Part, verify, verify_parts
from pbem.engine.dice import Dice, Roll, step_down, wrong_roll
from pbem.engine.findings import PUBLIC
from pbem.engine.resolve import Diverged
from pbem.engine.title import Title
from pbem.matches.export import Export, counting
from pbem.matches.ladders import Ladder
from pbem.matches.position import SERVER, context_of, replay_record
from pbem.matches.receipts import Receipt, SignedHead, signed_by
from pbem.matches.record import Entry, Record, fold


class Problem(msgspec.Struct, frozen=True):
    """Something that does not hold, and the version of the event where it shows (0: the file as a whole)."""

    version: int
    what: str

    def __str__(self) -> str:
        return f"event {self.version}: {self.what}" if self.version else self.what


class Report(msgspec.Struct):
    problems: list[Problem]
    facts: list[str]

    @property
    def ok(self) -> bool:
        return not self.problems


def verify_export(
    export: Export,
    titles: Mapping[str, Title] | None = None,
    *,
    heads: Sequence[SignedHead] = (),
    receipts: Sequence[Receipt] = (),
) -> Report:
    """Everything that can be checked. Later checks need a sound chain and are left out without one."""
    report = Report(list(_seal_problems(export)), [])
    broken = verify(export.events, server_id=export.server, stream=export.stream)
    if broken is not None:
        report.problems.append(Problem(broken.version, broken.why))
    report.problems += _witness_problems(export, heads, receipts)
    if report.problems:
        return report
    record = fold(export.events)
    for check in (_part_problems, _order_problems, _ladder_problems, _roll_problems, _end_problems):
        report.problems += check(export, record)
    report.facts += [
        f"{len(export.events)} events, {len(export.parts)} parts, {len(record.resolved)} exchanges",
        f"{_count_rolls(export)} rolls checked",
    ]
    if not report.problems:
        _replay(export, record, titles or {}, report)
    return report


# The chain and its witnesses ---------------------------------------------------------------------------------


def _seal_problems(export: Export) -> Iterator[Problem]:
    """The trailer: signed by the server, and every event as it was signed."""
    trailer = {name: value for name, value in export.trailer.items() if name != "signature"}
    if not trailer:
        yield Problem(0, "the trailer is missing: the file is cut off")
        return
    if not signed_by(export.server, trailer, str(export.trailer.get("signature"))):
        yield Problem(0, "the trailer is not signed by this server")
        return
    hashes = [event.hash for event in export.events]
    for version, (found, signed) in enumerate(zip(hashes, trailer["hashes"], strict=False), 1):
        if found != signed:
            yield Problem(version, "it is not the event that the server signed")
            return
    if len(hashes) < trailer["count"]:
        yield Problem(len(hashes) + 1, "the tail of the log is missing")
    elif len(hashes) > trailer["count"]:
        yield Problem(trailer["count"] + 1, "it was added after the server signed")


def _witness_problems(export: Export, heads: Sequence[SignedHead], receipts: Sequence[Receipt]) -> Iterator[Problem]:
    """What players have kept must stand in the log."""
    by_hash = {event.hash: event for event in export.events}
    for receipt in receipts:
        event = by_hash.get(receipt.event)
        if receipt.server != export.server or not receipt.genuine():
            yield Problem(0, f"the receipt for exchange {receipt.exchange} is not signed by this server")
        elif event is None or event.type != "order.sealed":
            yield _missing(export, "order.sealed", receipt.exchange, receipt.seat)
        elif event.parts[0].commitment != receipt.commitment:
            yield Problem(event.version, "the sealed order is not the one of the receipt")
    for head in heads:
        event = by_hash.get(head.event)
        if head.server != export.server or not head.genuine():
            yield Problem(0, f"the head of exchange {head.exchange} is not signed by this server")
        elif event is None or event.payload.get("exchange") != head.exchange:
            yield _missing(export, "exchange.resolved", head.exchange)


def _missing(export: Export, type: str, exchange: int, seat: str = "") -> Problem:
    """Locate what stands in the log instead of what the server signed."""
    for event in export.events:
        same = event.type == type and event.payload.get("exchange") == exchange
        if same and event.payload.get("seat", "") == seat:
            return Problem(event.version, f"this {type} is not the one that the server signed")
    who = f" of {seat}" if seat else ""
    return Problem(0, f"the log does not hold the {type}{who} in exchange {exchange} that the server signed")


# Parts and orders --------------------------------------------------------------------------------------------


def _part_problems(export: Export, record: Record) -> Iterator[Problem]:
    broken = verify_parts(export.events, export.parts)
    if broken is not None:
        yield Problem(broken.version, broken.why)
    for name, digest in sorted(record.created["blobs"].items()):
        if hashlib.sha256(export.blobs.get(digest, b"")).hexdigest() != digest:
            yield Problem(1, f"the {name} that the match is played with is missing or changed")


def _order_problems(export: Export, record: Record) -> Iterator[Problem]:
    """Each answer that counts is an order sealed for that exchange by that seat, unchanged."""
    numbers = [event.payload["exchange"] for event in export.events if event.type == "exchange.closed"]
    if numbers != sorted(set(numbers)):
        yield Problem(0, "an exchange number is used twice")
    for entry in record.closings.values():
        for seat, version in entry.event.payload["counts"].items():
            yield from _counted_problems(export, entry, seat, version)


def _counted_problems(export: Export, entry: Entry, seat: str, version: int) -> Iterator[Problem]:
    sealed = export.events[version - 1] if 0 < version < entry.event.version else None
    if sealed is None or sealed.type != "order.sealed":
        yield Problem(entry.event.version, f"the order of {seat} that counts was never sealed")
        return
    if (sealed.payload["seat"], sealed.payload["exchange"]) != (seat, entry.exchange):
        yield Problem(entry.event.version, f"the order of {seat} that counts is another's")
    counted = entry.event.part(f"answer/{seat}", SERVER)
    order = export.parts.get(sealed.parts[0].commitment)
    answer = export.parts.get(counted.commitment) if counted else None
    if counted is None:
        yield Problem(entry.event.version, f"no answer of {seat} is committed to")
    elif order and answer and _answer(order) != _answer(answer):
        yield Problem(entry.event.version, f"the answer of {seat} that counts is not what was sealed")


def _answer(part: Part) -> tuple[Any, Any]:
    content = msgspec.json.decode(part.content)
    return content["answer"], content.get("plan", {})


# Ladders and rolls -------------------------------------------------------------------------------------------


def _exchanges(record: Record) -> list[tuple[Entry, Event]]:
    """Every exchange that was ever resolved, with the event that resolved it, standing or overruled."""
    return [
        (record.closings[event.payload["exchange"]], event)
        for event in record.events
        if event.type in ("exchange.resolved", "exchange.recomputed")
    ]


def _ladder_problems(export: Export, record: Record) -> Iterator[Problem]:
    """Every rung leads down to what was published before anybody answered, and none is used twice."""
    used: dict[str, int] = {}
    for entry, event in _exchanges(record):
        rung = bytes.fromhex(event.payload["rung"])
        if step_down(rung, entry.exchange - entry.ladder["base"]).hex() != entry.ladder["open"]:
            yield Problem(event.version, "its rung does not belong to the ladder")
        if used.setdefault(event.payload["rung"], entry.exchange) != entry.exchange:
            yield Problem(event.version, "its rung was used before")


def _roll_problems(export: Export, record: Record) -> Iterator[Problem]:
    for entry, event in _exchanges(record):
        rolls = _rolls(export, event, "rolls", PUBLIC)
        if rolls is None:
            yield Problem(event.version, "its rolls are missing")
            continue
        wrong = wrong_roll(rolls, bytes.fromhex(event.payload["rung"]), context_of(export.match, entry))
        if wrong is not None:
            yield Problem(event.version, f"the roll {wrong.rule} of {', '.join(wrong.subjects)} is wrong")


def _rolls(export: Export, event: Event, name: str, audience: str) -> list[Roll] | None:
    ref = event.part(name, audience)
    part = export.parts.get(ref.commitment) if ref else None
    return msgspec.json.decode(part.content, type=list[Roll]) if part else None


def _count_rolls(export: Export) -> int:
    lists = [_rolls(export, event, "rolls", PUBLIC) for event in export.events if event.part("rolls", PUBLIC)]
    return sum(len(rolls or ()) for rolls in lists)


# The end of the match ----------------------------------------------------------------------------------------


def _end_problems(export: Export, record: Record) -> Iterator[Problem]:
    """At the end the keys and the second ladders are public: closing salts and secret rolls are checked."""
    if record.ended is None:
        return
    opened = {ladder["open"]: ladder for ladder in record.ended.payload["opened"]}
    for published in record.ladders:
        if published["base"] <= record.ended.payload["exchange"]:
            yield from _opened_problems(record, published, opened.get(published["open"]))
    secrets = ExportSource(export, record)
    for version in sorted(counting(record)):
        if export.events[version - 1].parts[0].commitment not in export.parts:
            yield Problem(version, "an order that counted is not opened")
    for entry, event in _exchanges(record):
        if entry.event.version > record.ended.version:
            continue
        yield from _salt_problems(export, secrets, entry)
        rolls = _rolls(export, event, "secret-rolls", SERVER) or []
        wrong = wrong_roll(rolls, secrets.secret_rung(entry), context_of(export.match, entry))
        if wrong is not None:
            yield Problem(event.version, f"the secret roll {wrong.rule} of {', '.join(wrong.subjects)} is wrong")


def _opened_problems(
    record: Record, published: dict[str, Any], opened: dict[str, Any] | None
) -> Iterator[Problem]:
    assert record.ended is not None
    if opened is None:
        yield Problem(record.ended.version, "a ladder is not opened")
    elif hashlib.sha256(bytes.fromhex(opened["key"])).hexdigest() != published["key"]:
        yield Problem(record.ended.version, "the key is not the one that was promised")
    else:
        steps = opened["last"] - published["base"]
        if step_down(bytes.fromhex(opened["secret"]), steps).hex() != published["secret"]:
            yield Problem(record.ended.version, "the second ladder does not lead down to its published rung")


def _salt_problems(export: Export, source: ExportSource, entry: Entry) -> Iterator[Problem]:
    for ref in entry.event.parts:
        part = export.parts.get(ref.commitment)
        if part is not None and part.salt != source.salt(export.match, entry, ref.name.removeprefix("answer/")):
            yield Problem(entry.event.version, f"the salt of {ref.name} was chosen, not derived")


class ExportSource:
    """What replay needs, out of an export whose secrets are open."""

    def __init__(self, export: Export, record: Record) -> None:
        self._export, self._record = export, record
        ended = record.ended
        self._opened = {ladder["open"]: ladder for ladder in ended.payload["opened"]} if ended else {}

    def content(self, commitment: str) -> bytes:
        return self._export.parts[commitment].content

    def secret_rung(self, entry: Entry) -> bytes:
        opened = self._opened[entry.ladder["open"]]
        return step_down(bytes.fromhex(opened["secret"]), opened["last"] - entry.exchange)

    def salt(self, match: str, entry: Entry, what: str) -> bytes:
        key = bytes.fromhex(self._opened[entry.ladder["open"]]["key"])
        return Ladder(0, b"", b"", key).salt(match, entry.exchange, what)

    def dice(self, match: str, entry: Entry, context: str, ordinals: dict[str, int]) -> Dice:
        resolved = entry.resolved
        assert resolved is not None
        return Dice(bytes.fromhex(resolved.payload["rung"]), self.secret_rung(entry), context, ordinals)

    def state_salt(self, match: str, entry: Entry) -> bytes:
        return self.salt(match, entry, "state")


def _replay(export: Export, record: Record, titles: Mapping[str, Title], report: Report) -> None:
    """Replay where everything is open and this release knows the title and all switches."""
    title = titles.get(record.created["title"])
    if record.ended is None:
        report.facts.append("not replayed: the match is not over, its secrets are not yet public")
    elif title is None:
        report.facts.append(f"not replayed: this release does not know {record.created['title']}")
    elif unknown := _switches(record) - set(title.switches):
        report.facts.append(f"not replayed: this release does not know {', '.join(sorted(unknown))}")
    else:
        blobs = {name: export.blobs[digest] for name, digest in record.created["blobs"].items()}
        try:
            replay_record(ExportSource(export, record), export.match, record, title.rules(blobs))
        except Diverged as problem:
            report.problems.append(Problem(0, f"the rules give another result: {problem}"))
        else:
            report.facts.append("replayed from the first event with the same result")


def _switches(record: Record) -> set[str]:
    moved = [event.payload["switches"] for event in record.events if event.type == "rules.moved"]
    return set(record.created["switches"]).union(*moved)
