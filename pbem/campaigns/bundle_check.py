"""Verify a bundle: every export by itself, then the campaign and its battles together, then everything by the rules.

The first two steps need no rules; the page at `/verify` does the same and must reach the same verdict. With the
titles of this release the campaign is replayed, and each battle is compared with its call, its season and its report.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from pbem.campaigns import across, seasons
from pbem.campaigns.across import Located
from pbem.campaigns.battles import battle_data, report_at
from pbem.campaigns.bundle import FORMAT, Bundle
from pbem.campaigns.called import Calls
from pbem.campaigns.rules.file import Campaign
from pbem.campaigns.rules.state import Call, Report, awaited_name
from pbem.campaigns.rules.title import NAME
from pbem.engine.play.run import Run
from pbem.engine.rules.findings import MASTER, PUBLIC
from pbem.engine.rules.refusals import Unreadable
from pbem.engine.rules.title import Title
from pbem.matches.audit.problems import Problem
from pbem.matches.audit.verify import ExportSource, verify_export
from pbem.matches.clock.deadlines import HOUR
from pbem.matches.history.export import Export, read_export
from pbem.matches.history.receipts import Receipt, SignedHead, chain_of, signed_by
from pbem.matches.history.record import Record, fold
from pbem.matches.history.replay import SERVER, Position, apply, findings_of, replay_record


class Kept(msgspec.Struct):
    """The records that a reader has kept: the server's key, signed heads and receipts."""

    server: str = ""
    heads: Sequence[SignedHead] = ()
    receipts: Sequence[Receipt] = ()


class Verified(msgspec.Struct):
    """The result of a verification. `pinned` says whether the reader named the server's key beforehand."""

    problems: list[Located]
    facts: list[str]
    pinned: bool = False

    @property
    def ok(self) -> bool:
        return not self.problems

    @property
    def codes(self) -> list[tuple[str, int, str]]:
        """Return the place and kind of each problem, in order; two verifiers must agree on this list."""
        return sorted({(one.where, one.problem.version, one.problem.code) for one in self.problems})


def verify_bundle(bundle: Bundle, titles: Mapping[str, Title] | None = None, kept: Kept | None = None) -> Verified:
    """Check everything in a bundle that can be checked."""
    kept = kept or Kept()
    found = Verified(list(_seal_problems(bundle, kept.server)), [f"server {bundle.server}"], bool(kept.server))
    if found.problems:
        return found
    exports = dict(_read(found, bundle))
    for id, export in exports.items():
        _verify_one(found, bundle, export, titles or {}, kept)
        if export.match != id or export.viewer != (bundle.viewer if id == bundle.campaign else PUBLIC):
            found.problems.append(_wrong(id, "this is the export of another match or viewer", "bundle"))
    if found.problems:
        return found
    campaign = exports.pop(bundle.campaign)
    try:
        found.problems += across.problems(campaign, exports, kept.server)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, msgspec.MsgspecError) as problem:
        found.problems.append(_wrong(bundle.campaign, f"the reports cannot be read: {problem}", "unreadable"))
    record = fold(campaign.events)
    if record.opened is None:
        found.facts.append("the campaign is still running: its battles are bound by their signed heads")
    elif not found.problems and titles and record.created.title in titles:
        found.problems += _replayed_problems(campaign, record, exports, titles)
        found.facts.append(f"{len(exports)} battles recomputed from their own logs")
    return found


def _wrong(where: str, what: str, code: str, version: int = 0) -> Located:
    return Located(where, Problem(version, what, code))


def _seal_problems(bundle: Bundle, trusted: str) -> Iterator[Located]:
    """Check that the trailer is signed by the expected server, for these exports."""
    keys = [key for key, _ in chain_of(str(bundle.trailer.get("signature")))]
    if trusted and trusted not in (bundle.server, *keys):
        yield _wrong("", f"another server signed this file: {bundle.server}", "server")
        return
    if bundle.format != FORMAT:
        yield _wrong("", f"the format number {bundle.format} is unknown; this verifier reads {FORMAT}", "unknown")
    trailer = {name: value for name, value in bundle.trailer.items() if name != "signature"}
    if not trailer:
        yield _wrong("", "the trailer is missing: the file is cut off", "trailer")
        return
    if not signed_by(bundle.server, trailer, str(bundle.trailer.get("signature")), trusted):
        yield _wrong("", "the trailer is not signed by this server", "trailer")
        return
    contents = {bundle.campaign: bundle.export, **bundle.battles}
    digests = {id: hashlib.sha256(content).hexdigest() for id, content in contents.items()}
    if trailer != {"campaign": bundle.campaign, "viewer": bundle.viewer, "digests": digests}:
        yield _wrong("", "the exports are not those that the server signed", "trailer")


def _read(found: Verified, bundle: Bundle) -> Iterator[tuple[str, Export]]:
    for id, content in {bundle.campaign: bundle.export, **bundle.battles}.items():
        try:
            yield id, read_export(content)
        except Unreadable as problem:
            found.problems.append(_wrong(id, str(problem), "unreadable"))


def _verify_one(found: Verified, bundle: Bundle, export: Export, titles: Mapping[str, Title], kept: Kept) -> None:
    """Verify one export with the heads and receipts that belong to it."""
    heads = [head for head in kept.heads if head.match == export.match]
    receipts = [receipt for receipt in kept.receipts if receipt.match == export.match]
    report = verify_export(export, titles, heads=heads, receipts=receipts, server=kept.server)
    found.problems += [Located(export.match, problem) for problem in report.problems]
    if export.server != bundle.server:
        found.problems.append(_wrong(export.match, "this export comes from another server", "server"))


# By the rules ------------------------------------------------------------------------------------------------


def _replayed_problems(
    campaign: Export, record: Record, battles: Mapping[str, Export], titles: Mapping[str, Title]
) -> Iterator[Located]:
    """Replay the campaign; compare each battle with its call and with its report."""
    source = ExportSource(campaign, record)
    blobs = {name: campaign.blobs[digest] for name, digest in record.created.blobs.items()}
    rules = titles[NAME].rules(blobs)
    run = Run(rules, rules.setup(tuple(record.created.switches)))
    position, checked = Position(campaign.match, record, rules, run), set[str]()
    calls = Calls(campaign.match, campaign.events)
    by_origin = [(one.events[0].payload["origin"], one) for one in battles.values()]
    begins = {season.stage for season in rules.data.campaign.season} | ({1} if rules.data.campaign.pinned else set())
    for entry in record.history:
        if entry.kind == "moved" and (season := entry.event.payload.get("season", 0)) and season not in begins:
            what = f"the campaign has no season that begins with stage {season}"
            yield _wrong(campaign.match, what, "season", entry.event.version)
        apply(source, position, entry)
        for battle, call in position.run.state.battles.items():
            own = next((one for made_for, one in by_origin if made_for == calls.origin(awaited_name(battle))), None)
            if battle not in checked and own is not None:
                checked.add(battle)
                yield from _called_problems(position, battle, call, own, titles)
                yield from _report_problems(campaign, record, battle, own, titles)


def _called_problems(
    position: Position,
    battle: str,
    call: Call,
    own: Export,
    titles: Mapping[str, Title],
) -> Iterator[Located]:
    """Compare the units and rules of a battle with its call and its season."""
    book = position.rules.data
    blobs = battle_data(titles[book.campaign.title], book, position.run.state, call)
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in blobs.items()}
    created = own.events[0].payload
    if digests["scenario"] != created["blobs"]["scenario"]:
        what = f"battle {battle} was not played with the units that the campaign called"
        yield _wrong(own.match, what, "battle-units", 1)
    yield from _decided_early(book.campaign, own)
    pinned = seasons.battle_switches(position.record, book, call.stage)
    if pinned is not None and pinned != list(created["switches"]):
        yield _wrong(own.match, f"battle {battle} was not played by the rules of its season", "season", 1)


def _decided_early(campaign: Campaign, own: Export) -> Iterator[Located]:
    """C3.4 Report a battle decided by score before its time was over, or although the file sets no time."""
    hours = campaign.limits.battle_hours if campaign.shape == "tree" else 0
    due = own.events[0].recorded_at + hours * HOUR
    for event in own.events:
        if event.type == "match.adjudicated" and (not hours or event.recorded_at < due):
            yield _wrong(
                own.match,
                "the battle was decided by its score before its time was over",
                "battle-early",
                event.version,
            )


def _report_problems(
    campaign: Export, record: Record, battle: str, own: Export, titles: Mapping[str, Title]
) -> Iterator[Located]:
    """Recompute the report from the match's own log, unless a ruling has changed the match since."""
    told = [e for e in record.events if e.type == "battle.reported" and e.payload["seat"] == awaited_name(battle)]
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
        what = f"battle {battle}: the report does not agree with its match"
        yield _wrong(campaign.match, what, "battle-report", told[-1].version)
