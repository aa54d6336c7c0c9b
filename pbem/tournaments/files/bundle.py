"""A bundle: the export of a tournament with the public exports of its matches; and its verification.

One JSON object per line: a header, the tournament's events and public parts, then for each match the lines of its own
export under `match`, and a trailer that signs the hash of every event. `verify_bundle` checks the chain, every part,
the draws, the hard rules of every pairing, the pairing itself where its program is installed, every match, and that
each result rests on the head of its match.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from eventstore import Event, Part, canonical, verify, verify_parts
from pbem.engine.play.dice import context as context_of
from pbem.engine.play.dice import step_down, wrong_roll
from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.rules.title import Title
from pbem.engine.text.messages import say
from pbem.matches.audit.verify import verify_export
from pbem.matches.history import export as match_export
from pbem.matches.history.receipts import signed_by
from pbem.matches.server import Server
from pbem.tournaments import events as said
from pbem.tournaments.pairing.checking import check_rounds
from pbem.tournaments.record import Drawn, Record, fold
from pbem.tournaments.results import genuine
from pbem.tournaments.stream import read, stream_of

FORMAT = 1


class Bundle(msgspec.Struct):
    """A bundle as read. Nothing in it is trusted until it is verified."""

    server: str
    tournament: str
    events: list[Event]
    parts: dict[str, Part]
    matches: dict[str, bytes]
    trailer: dict[str, Any]

    def content(self, commitment: str) -> bytes:
        """Return the content of a part."""
        return self.parts[commitment].content


class Verified(msgspec.Struct):
    """The result of a verification."""

    problems: list[str]
    facts: list[str]

    @property
    def ok(self) -> bool:
        return not self.problems


def write(server: Server, id: str) -> bytes:
    """Return the public bundle of a tournament."""
    record = read(server, id)
    wanted = [ref.commitment for event in record.events for ref in event.parts if ref.audience == "public"]
    parts = server.store.parts(wanted)
    lines: list[dict[str, Any]] = [{"header": {"format": FORMAT, "server": server.id, "tournament": id}}]
    lines += [{"event": _plain(event)} for event in record.events]
    for commitment, part in sorted(parts.items()):
        content = base64.b64encode(part.content).decode()
        lines.append({"part": {"commitment": commitment, "salt": part.salt.hex(), "content": content}})
    for match in matches_of(server, id):
        content = base64.b64encode(match_export.export(server, match, "public")).decode()
        lines.append({"match": {"id": match, "export": content}})
    body = {"tournament": id, "count": len(record.events), "hashes": [event.hash for event in record.events]}
    body["erased"] = sorted(set(wanted) - set(parts))
    lines.append({"trailer": {**body, "signature": server.signer.sign(body)}})
    return b"".join(canonical(line) + b"\n" for line in lines)


def matches_of(server: Server, id: str) -> list[str]:
    """Return the matches of a tournament, in order of rounds and boards."""
    query = "SELECT match FROM tournament_matches WHERE tournament = ? ORDER BY round, pairing, leg"
    return [match for (match,) in server.database.execute(query, (id,)).fetchall()]


def _plain(event: Event) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(event)
    return plain


def load(content: bytes) -> Bundle:
    """Read a bundle; a refusal names the first line that cannot be read."""
    bundle = Bundle("", "", [], {}, {}, {})
    for number, line in enumerate(content.splitlines(), 1):
        try:
            [(kind, body)] = msgspec.json.decode(line).items()
            _take(bundle, kind, body)
        except (KeyError, TypeError, ValueError, AttributeError, msgspec.MsgspecError) as problem:
            why = Objection(
                "tournament/bundle", say("this line does not belong in a bundle ({problem})", problem=problem)
            )
            raise Unreadable(f"line {number}", [why]) from problem
    if not bundle.events:
        raise Unreadable("line 1", [Objection("tournament/bundle", say("this file does not contain a bundle"))])
    return bundle


def _take(bundle: Bundle, kind: str, body: dict[str, Any]) -> None:
    if bundle.trailer:
        raise ValueError("something follows the trailer")
    if kind == "header":
        bundle.server, bundle.tournament = body["server"], body["tournament"]
    elif kind == "event":
        bundle.events.append(msgspec.convert(body, Event))
    elif kind == "part":
        salt, text = bytes.fromhex(body["salt"]), base64.b64decode(body["content"], validate=True)
        bundle.parts[body["commitment"]] = Part(body["commitment"], salt, text)
    elif kind == "match":
        bundle.matches[body["id"]] = base64.b64decode(body["export"], validate=True)
    elif kind == "trailer":
        bundle.trailer = dict(body)
    else:
        raise ValueError(f"unknown kind of line: {kind}")


# Verification --------------------------------------------------------------------------------------------------


def verify_bundle(bundle: Bundle, titles: Mapping[str, Title] | None = None) -> Verified:
    """Check everything in a bundle that can be checked."""
    report = Verified([], [f"server {bundle.server}"])
    report.problems += _seal_problems(bundle)
    broken = verify(bundle.events, server_id=bundle.server, stream=stream_of(bundle.tournament))
    if broken is not None:
        report.problems.append(f"event {broken.version}: {broken.why}")
    if wrong := verify_parts(bundle.events, bundle.parts):
        report.problems.append(f"event {wrong.version}: {wrong.why}")
    if report.problems:
        return report
    record = fold(bundle.events, bundle.content)
    report.facts.append(
        f"{len(record.entrants)} entrants, {len(record.rounds)} rounds, {len(bundle.matches)} matches"
    )
    report.problems += _draw_problems(bundle, record)
    rounds = check_rounds(bundle.events, bundle.content)
    report.problems += rounds.problems
    report.facts.append(f"{rounds.again} of {len(record.rounds)} rounds paired again with the same pairings")
    report.facts += rounds.not_again
    report.problems += _match_problems(bundle, titles or {}, report)
    report.problems += _head_problems(bundle, record)
    return report


def _seal_problems(bundle: Bundle) -> Iterator[str]:
    trailer = {name: value for name, value in bundle.trailer.items() if name != "signature"}
    if not trailer:
        yield "the trailer is missing: the file is cut off"
    elif not signed_by(bundle.server, trailer, str(bundle.trailer.get("signature"))):
        yield "the trailer is not signed by this server"
    elif trailer["tournament"] != bundle.tournament:
        yield "the header and the signed trailer name different tournaments"
    elif [event.hash for event in bundle.events] != trailer["hashes"]:
        yield "the events are not those that the server signed"


def _draw_problems(bundle: Bundle, record: Record) -> Iterator[str]:
    """Yield draws that do not use the next rung of the ladder, or whose rolls do not follow from it."""
    due, entrants, accounts = 0, dict[int, str](), dict[int, str]()
    for event in record.events:
        payload = said.read(event)
        if isinstance(payload, said.EntryMade):
            accounts[payload.entrant] = payload.account
            if payload.state == "confirmed":
                entrants[payload.entrant] = payload.account
        elif isinstance(payload, said.EntryConfirmed):
            entrants[payload.entrant] = accounts[payload.entrant]
        elif isinstance(payload, said.EntryReplaced):
            accounts[payload.entrant] = payload.account
            entrants[payload.entrant] = payload.account
        elif isinstance(payload, said.EntryWithdrawn | said.EntryWaiting):
            entrants.pop(payload.entrant, None)
        elif isinstance(payload, said.DrawMade):
            due += 1
            rung = bytes.fromhex(payload.rung)
            if payload.number != due or step_down(rung, payload.number).hex() != record.ladder["open"]:
                yield f"event {event.version}: the draw does not use rung {due} of the ladder"
                continue
            ref = event.part("rolls", "public")
            drawn = msgspec.json.decode(bundle.parts[ref.commitment].content, type=Drawn) if ref else Drawn()
            bound = [(str(number), account) for number, account in entrants.items()]
            if wrong_roll(drawn.rolls, rung, context_of(record.stream, payload.number, bound)) is not None:
                yield f"event {event.version}: a lot of the draw is wrong"


def _match_problems(bundle: Bundle, titles: Mapping[str, Title], report: Verified) -> Iterator[str]:
    replayed = 0
    for match, content in bundle.matches.items():
        exported = match_export.read_export(content)
        found = verify_export(exported, titles)
        replayed += any(fact.startswith("replayed") for fact in found.facts)
        yield from (f"match {match}: {problem}" for problem in found.problems)
        origin = exported.events[0].payload.get("origin", {})
        if origin.get("stream") != stream_of(bundle.tournament):
            yield f"match {match} does not belong to this tournament"
    report.facts.append(f"{replayed} matches replayed from their first event")


def _head_problems(bundle: Bundle, record: Record) -> Iterator[str]:
    """Yield results, unless entered by hand, that lack the signed end of their matches or reuse one."""
    used: dict[str, tuple[int, int]] = {}
    exports = {match: match_export.read_export(content) for match, content in bundle.matches.items()}
    for place, reports in record.reports.items():
        for report in reports:
            where = f"round {place[0]}, board {place[1]}"
            if not genuine(bundle.server, report):
                yield f"{where}: the head of match {report.match} is not signed by this server"
            elif used.setdefault(report.event, place) != place:
                yield f"{where}: the head of match {report.match} was used before"
            elif report.match not in exports:
                yield f"{where}: match {report.match} is missing"
            else:
                yield from _report_problems(where, place, report, exports[report.match])


def _report_problems(
    where: str, place: tuple[int, int], report: said.Report, own: match_export.Export
) -> Iterator[str]:
    origin = own.events[0].payload.get("origin", {})
    if (origin.get("round"), origin.get("pairing"), origin.get("leg")) != (*place, report.leg):
        yield f"{where}: match {report.match} was played for another pairing"
    ends = [event for event in own.events if event.hash == report.event]
    if not ends:
        yield f"{where}: the head is not in the log of match {report.match}"
    elif ends[0].payload.get("outcome") != report.outcome:
        yield f"{where}: match {report.match} ended differently"
