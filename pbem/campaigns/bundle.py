"""A bundle: the export of a campaign with the exports of its battles; and its verification.

One JSON object a line: a header, the campaign's export, the export of each battle, and a trailer that signs the
digests of all of them. `verify_bundle` checks each export, and then each battle against the campaign: the units
that were called, the signed end that the report rests on, and the fates of the units.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from eventstore import canonical
from pbem.campaigns import seasons
from pbem.campaigns.battles import mustered, origin, report_at
from pbem.campaigns.rules.state import Call, Report, awaited
from pbem.campaigns.rules.title import NAME
from pbem.engine.play.run import Run
from pbem.engine.rules.findings import MASTER, PUBLIC
from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.rules.title import Title
from pbem.engine.text.messages import say
from pbem.matches.audit.verify import ExportSource, verify_export
from pbem.matches.history import export as exports
from pbem.matches.history import moves
from pbem.matches.history.export import Export, read_export
from pbem.matches.history.receipts import SignedHead, signed_by
from pbem.matches.history.record import Record, fold
from pbem.matches.history.replay import SERVER, Position, apply, findings_of, replay_record
from pbem.matches.server import Server

FORMAT = 1


class Bundle(msgspec.Struct):
    """A bundle as read. Nothing in it is believed before it is verified."""

    server: str
    campaign: str
    viewer: str
    export: bytes
    battles: dict[str, bytes]
    trailer: dict[str, Any]


class Verified(msgspec.Struct):
    """The result of a verification."""

    problems: list[str]
    facts: list[str]

    @property
    def ok(self) -> bool:
        return not self.problems


def write(server: Server, campaign: str, viewer: str = PUBLIC) -> bytes:
    """The bundle of a campaign as a viewer may see it. The battles are exported for everybody."""
    query = "SELECT match FROM campaign_battles WHERE campaign = ? ORDER BY cast(battle AS INTEGER)"
    matches = [match for (match,) in server.database.execute(query, (campaign,)).fetchall()]
    content = exports.export(server, campaign, viewer)
    lines: list[dict[str, Any]] = [
        {"header": {"format": FORMAT, "server": server.id, "campaign": campaign, "viewer": viewer}},
        {"export": {"id": campaign, "content": _packed(content)}},
    ]
    digests = {campaign: hashlib.sha256(content).hexdigest()}
    for match in matches if is_open(server, campaign) else ():
        content = exports.export(server, match, PUBLIC)
        digests[match] = hashlib.sha256(content).hexdigest()
        lines.append({"battle": {"id": match, "content": _packed(content)}})
    body = {"campaign": campaign, "viewer": viewer, "digests": digests}
    lines.append({"trailer": {**body, "signature": server.signer.sign(body)}})
    return b"".join(canonical(line) + b"\n" for line in lines)


def is_open(server: Server, campaign: str) -> bool:
    """While a campaign is running, only their commanders can see its battles."""
    return server.record(f"match/{campaign}").opened is not None


def _packed(content: bytes) -> str:
    return base64.b64encode(content).decode()


def read_bundle(content: bytes) -> Bundle:
    """Read a bundle; a refusal names the first line that cannot be read."""
    bundle = Bundle("", "", "", b"", {}, {})
    for number, line in enumerate(content.splitlines(), 1):
        try:
            [(kind, body)] = msgspec.json.decode(line).items()
            _take(bundle, kind, body)
        except (KeyError, TypeError, ValueError, AttributeError, msgspec.MsgspecError) as problem:
            why = Objection(
                "C9", say("this line does not belong in a campaign's bundle ({problem})", problem=problem)
            )
            raise Unreadable(f"line {number}", [why]) from problem
    if not bundle.export:
        raise Unreadable("line 1", [Objection("C9", say("this file does not contain a campaign"))])
    return bundle


def _take(bundle: Bundle, kind: str, body: dict[str, Any]) -> None:
    if bundle.trailer:
        raise ValueError("something follows the trailer")
    if kind == "header":
        bundle.server, bundle.campaign, bundle.viewer = body["server"], body["campaign"], body["viewer"]
    elif kind == "export":
        bundle.export = base64.b64decode(body["content"], validate=True)
    elif kind == "battle":
        bundle.battles[body["id"]] = base64.b64decode(body["content"], validate=True)
    elif kind == "trailer":
        bundle.trailer = dict(body)
    else:
        raise ValueError(f"{kind} is not a kind of line")


# Verification ------------------------------------------------------------------------------------------------


def verify_bundle(bundle: Bundle, titles: Mapping[str, Title]) -> Verified:
    """Check everything in a bundle that can be checked."""
    found = Verified(list(_seal_problems(bundle)), [f"server {bundle.server}"])
    if found.problems:
        return found
    campaign = read_export(bundle.export)
    battles = {match: read_export(content) for match, content in bundle.battles.items()}
    for name, export in {"campaign": campaign, **{f"battle {id}": one for id, one in battles.items()}}.items():
        report = verify_export(export, titles)
        found.problems += [f"{name}: {problem}" for problem in report.problems]
        if export.server != bundle.server:
            found.problems.append(f"{name}: it comes from another server")
    if found.problems:
        return found
    record = fold(campaign.events)
    found.problems += _head_problems(bundle, record, battles)
    if record.opened is not None:
        found.problems += _replayed_problems(campaign, record, battles, titles)
        found.facts.append(f"{len(battles)} battles recomputed from their own logs")
    else:
        found.facts.append("the campaign is still running: its battles are bound by their signed heads")
    return found


def _seal_problems(bundle: Bundle) -> Iterator[str]:
    trailer = {name: value for name, value in bundle.trailer.items() if name != "signature"}
    if not trailer:
        yield "the trailer is missing: the file is cut off"
        return
    if not signed_by(bundle.server, trailer, str(bundle.trailer.get("signature"))):
        yield "the trailer is not signed by this server"
    contents = {bundle.campaign: bundle.export, **bundle.battles}
    digests = {id: hashlib.sha256(content).hexdigest() for id, content in contents.items()}
    if trailer["digests"] != digests:
        yield "the exports are not those that the server signed"


def _head_problems(bundle: Bundle, record: Record, battles: Mapping[str, Export]) -> Iterator[str]:
    """Every report rests on the signed end of the match that was made for its battle; no end is used twice."""
    used: dict[str, str] = {}
    for event in record.events:
        if event.type not in ("battle.reported", "battle.changed"):
            continue
        said, head = event.payload, event.payload["head"]
        where = f"event {event.version}, {said['seat']}"
        heads = [SignedHead(server=one.id, match=said["match"], **head) for one in moves.servers(record.events)]
        if not any(signed.genuine() for signed in heads):
            yield f"{where}: the head of match {said['match']} is not signed by this server"
        if used.setdefault(head["event"], said["seat"]) != said["seat"]:
            yield f"{where}: the head of match {said['match']} was used before"
        if record.opened is None:
            continue
        if said["match"] not in battles:
            yield f"{where}: match {said['match']} is missing"
            continue
        own = battles[said["match"]]
        if own.events[0].payload.get("origin") != origin(bundle.campaign, said["seat"].removeprefix("battle ")):
            yield f"{where}: match {said['match']} was made for another battle"
        ends = [one for one in own.events if one.hash == head["event"] and one.type == "match.ended"]
        if not ends or ("outcome" in said and ends[0].payload["outcome"] != said["outcome"]):
            yield f"{where}: match {said['match']} ended otherwise"


def _replayed_problems(
    campaign: Export, record: Record, battles: Mapping[str, Export], titles: Mapping[str, Title]
) -> Iterator[str]:
    """Replay the campaign; compare each battle with its call and with its report."""
    if record.created.title not in titles:
        return
    source = ExportSource(campaign, record)
    blobs = {name: campaign.blobs[digest] for name, digest in record.created.blobs.items()}
    rules = titles[NAME].rules(blobs)
    run = Run(rules, rules.setup(tuple(record.created.switches)))
    position, checked = Position(campaign.match, record, rules, run), set[str]()
    by_battle = {one.events[0].payload["origin"]["battle"]: one for one in battles.values()}
    begins = {season.stage for season in rules.data.campaign.season} | ({1} if rules.data.campaign.pinned else set())
    for entry in record.history:
        if entry.kind == "moved" and (season := entry.event.payload.get("season", 0)) and season not in begins:
            yield f"event {entry.event.version}: the campaign has no season that begins with stage {season}"
        apply(source, position, entry)
        for battle, call in position.run.state.battles.items():
            if battle not in checked and battle in by_battle:
                checked.add(battle)
                yield from _called_problems(position, battle, call, by_battle[battle], titles)
                yield from _report_problems(campaign, record, battle, by_battle[battle], titles)


def _called_problems(
    position: Position,
    battle: str,
    call: Call,
    own: Export,
    titles: Mapping[str, Title],
) -> Iterator[str]:
    """Compare the units and rules of a battle with its call and its season."""
    book = position.rules.data
    blobs = mustered(titles[book.campaign.title], book, position.run.state, call)
    if hashlib.sha256(blobs["scenario"]).hexdigest() != own.events[0].payload["blobs"]["scenario"]:
        yield f"battle {battle} was not played with the units that the campaign called"
    pinned = seasons.battle_switches(position.record.history, book, call.stage)
    if pinned is not None and pinned != list(own.events[0].payload["switches"]):
        yield f"battle {battle} was not played by the rules of its season"


def _report_problems(
    campaign: Export, record: Record, battle: str, own: Export, titles: Mapping[str, Title]
) -> Iterator[str]:
    """Recompute the report from the match's own log, unless a ruling has changed the match since."""
    told = [e for e in record.events if e.type == "battle.reported" and e.payload["seat"] == awaited(battle)]
    played = fold(own.events)
    if not told or played.opened is None or played.ended is None:
        return
    if told[-1].payload["head"]["event"] != played.ended.hash:
        return
    ref = told[-1].part("report", SERVER)
    assert ref is not None
    stored = msgspec.json.decode(campaign.parts[ref.commitment].content)["answer"]
    source = ExportSource(own, played)
    rules = titles[played.created.title].rules(
        {name: own.blobs[digest] for name, digest in played.created.blobs.items()}
    )
    end = replay_record(source, own.match, played, rules)
    entries = [entry for entry in played.resolved if entry.kind == "exchange"]
    findings = [finding for entry in entries for finding in findings_of(source, entry, MASTER)]
    if msgspec.convert(stored, Report) != report_at(end, findings):
        yield f"battle {battle}: the report does not agree with its match"
