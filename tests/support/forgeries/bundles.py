"""Campaigns of a cheating operator, whose logs are each sound but contradict each other.

The operator runs a changed server, so that chains, commitments, dice and signatures fit. A `trick` changes the server
before the campaign is played, a `touch` changes the finished campaign, and a `swap` changes the signed content of the
bundle. `sees` says whether the forgery shows in the logs alone (then both verifiers must name it), or only when the
rules are replayed.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.clash import ClashTitle, map_file, tree_file
from support.forgeries.forging import Lines, events_of, first, joined, lines_of, signed_anew
from support.front import Front

from eventstore import NewEvent, canonical
from pbem.campaigns import battles, bundle, seasons, tick
from pbem.campaigns.rules import calls, provinces, roster, script
from pbem.campaigns.rules.state import Report
from pbem.matches import unit_of_work
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import record_of
from pbem.matches.rulings import rulings
from pbem.matches.server import Server

Trick = Callable[[pytest.MonkeyPatch, Front], None]
TITLES = {"clash": ClashTitle()}


class Forgery(msgspec.Struct):
    """A forgery, and the code under which it must be reported."""

    code: str
    trick: Trick | None = None
    touch: Callable[[Front], None] | None = None
    swap: Callable[[Front, dict[str, Lines]], None] | None = None
    sees: bool = True
    file: str = ""
    people: bool = False
    """Whether people who do nothing are in the seats, and not bots who play at once."""


def played(folder: Path, forgery: Forgery) -> tuple[Front, bytes]:
    """Play a short campaign with this forgery; return the server and the bundle."""
    front = Front(folder, TITLES, seed="forged")
    with pytest.MonkeyPatch.context() as patch:
        if forgery.trick is not None:
            forgery.trick(patch, front)
        seats = {"red": "ann", "blue": "bob"} if forgery.people else {}
        cadence = 24 if forgery.people else 0
        options = {"file": forgery.file or tree_file(2)}
        front.open("battlegroup", seats, options=options, master="max", cadence=cadence)
        front.run(ticks=40, hours=25 if forgery.people else 1)
        assert front.record.ended is not None
        if forgery.touch is not None:
            forgery.touch(front)
        content = bundle.write(front.server, front.id)
    return front, rewritten(front, content, forgery.swap) if forgery.swap else content


def rewritten(front: Front, content: bytes, swap: Callable[[Front, dict[str, Lines]], None]) -> bytes:
    """Change the exports in a bundle, and sign each of them and the bundle again."""
    read = bundle.read_bundle(content)
    exports = {id: lines_of(one) for id, one in {read.campaign: read.export, **read.battles}.items()}
    swap(front, exports)
    signed = {id: signed_anew(front.server, lines) for id, lines in exports.items()}
    return packed(front.server, read.campaign, signed)


def packed(server: Server, campaign: str, exports: dict[str, bytes], viewer: str = "public") -> bytes:
    """Return a signed bundle of these exports."""
    header = {"format": 1, "server": server.id, "campaign": campaign, "viewer": viewer}
    lines: Lines = [{"header": header}]
    for id, content in exports.items():
        row = {"id": id, "content": base64.b64encode(content).decode()}
        lines.append({"export" if id == campaign else "battle": row})
    digests = {id: hashlib.sha256(content).hexdigest() for id, content in exports.items()}
    body = {"campaign": campaign, "viewer": viewer, "digests": digests}
    return joined([*lines, {"trailer": {**body, "signature": server.signer.sign(body)}}])


# Reports -----------------------------------------------------------------------------------------------------


def reporting(change: Callable[[Report], None]) -> Trick:
    """Return a trick that makes battles report a result that differs from the match."""

    def trick(patch: pytest.MonkeyPatch, front: Front) -> None:
        whole = battles.report_of

        def changed(server: Server, match: str) -> Report:
            report = whole(server, match)
            change(report)
            return report

        patch.setattr(battles, "report_of", changed)

    return trick


def decided_early(patch: pytest.MonkeyPatch, front: Front) -> None:
    """Let the score decide each battle as soon as it has begun."""
    whole = battles.ensure_battle

    def ensure_battle(server: Server, *args: Any) -> str:
        match = whole(server, *args)
        battles.rule_on(server, match)
        return match

    patch.setattr(battles, "ensure_battle", ensure_battle)


def another_winner(report: Report) -> None:
    report.winner = "blue" if report.winner == "red" else "red"


def another_score(report: Report) -> None:
    report.score = dict.fromkeys(report.score, 99)


def saved(report: Report) -> None:
    """Change a report so that Red has lost no unit."""
    report.fates["red"] = {unit: {"fate": "fit"} for unit in report.fates["red"]}


def more_kills(report: Report) -> None:
    report.kills = dict.fromkeys(report.fates["red"], 5)


def told_otherwise(patch: pytest.MonkeyPatch, front: Front) -> None:
    """Tell Red that it has lost nothing, while its roster says otherwise."""
    whole = battles._parts

    def changed(server: Server, record: Any, report: Any) -> Any:
        parts = list(whole(server, record, report))
        fine = {
            **report,
            "fates": {side: {u: {"fate": "fit"} for u in rows} for side, rows in report["fates"].items()},
        }
        return (parts[0], *whole(server, record, fine)[1:])

    patch.setattr(battles, "_parts", changed)


def another_outcome(front: Front, exports: dict[str, Lines]) -> None:
    outcome = first(exports[front.id], "battle.reported")["payload"]["outcome"]
    outcome["why"] = "because"


# Heads and matches -------------------------------------------------------------------------------------------


def last_head(front: Front, exports: dict[str, Lines]) -> None:
    """Let the second report cite the end of the first match."""
    one, two = (event["payload"] for event in events_of(exports[front.id]) if event["type"] == "battle.reported")
    two.update(head=one["head"], match=one["match"], outcome=one["outcome"])


def exchanged(front: Front, exports: dict[str, Lines]) -> None:
    """Let the reports of two battles cite each other's matches."""
    one, two = (event["payload"] for event in events_of(exports[front.id]) if event["type"] == "battle.reported")
    for name in ("head", "match", "outcome"):
        one[name], two[name] = two[name], one[name]


def unsigned(front: Front, exports: dict[str, Lines]) -> None:
    head = first(exports[front.id], "battle.reported")["payload"]["head"]
    head["signature"] = "00" * 64


def head_in_the_middle(front: Front, exports: dict[str, Lines]) -> None:
    """Let a report cite the head of an exchange instead of the end of the match."""
    said = first(exports[front.id], "battle.reported")["payload"]
    event = first(exports[said["match"]], "exchange.resolved", exchange=1)
    body = {"match": said["match"], "exchange": 1, "event": event["hash"]}
    said["head"] = {"exchange": 1, "event": event["hash"], "signature": front.server.signer.sign(body)}


def left_out(front: Front, exports: dict[str, Lines]) -> None:
    del exports[front.battles()[1]]


def from_elsewhere(front: Front, exports: dict[str, Lines]) -> None:
    """Replace a battle by a match of another campaign."""
    resigned(front, exports, 0, lambda created: created.update(origin={"stream": "match/other", "battle": "1"}))


def for_the_other_battle(front: Front, exports: dict[str, Lines]) -> None:
    origin = {"stream": f"match/{front.id}", "battle": "2"}
    resigned(front, exports, 0, lambda created: created.update(origin=origin))


def opened_at_once(front: Front, exports: dict[str, Lines]) -> None:
    """Make a battle open to everyone while the campaign is running."""

    def change(created: dict[str, Any]) -> None:
        created.update(opens="round")

    resigned(front, exports, 0, change)


def resigned(front: Front, exports: dict[str, Lines], battle: int, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the creation of a battle's match, and make the campaign's report fit the changed log."""
    match = front.battles()[battle]
    change(events_of(exports[match])[0]["payload"])
    rest_anew(front, exports, match)


def rest_anew(front: Front, exports: dict[str, Lines], match: str) -> None:
    """Make the campaign's report cite the end of a changed match, with a new signature."""
    signed_anew(front.server, exports[match])
    end = [event for event in events_of(exports[match]) if event["type"] == "match.ended"][-1]
    said = first(exports[front.id], "battle.reported", match=match)["payload"]
    body = {"match": match, "exchange": end["payload"]["exchange"], "event": end["hash"]}
    said["head"] = {
        "exchange": body["exchange"],
        "event": body["event"],
        "signature": front.server.signer.sign(body),
    }


def doubled(front: Front) -> None:
    """Create a second match for a battle, as if the operator had repeated it until the result pleased."""
    record = record_of(front.server, front.battles()[0])
    another(front, dict(record.created.origin), list(record.created.switches), record)


def uncalled(front: Front) -> None:
    """Create a match for a battle that nobody called."""
    record = record_of(front.server, front.battles()[0])
    another(front, {"stream": f"match/{front.id}", "battle": "9"}, list(record.created.switches), record)


def another(front: Front, origin: dict[str, str], switches: list[str], record: Any) -> None:
    blobs = {name: front.server.blob(digest) for name, digest in record.created.blobs.items()}
    match = creating.create(
        front.server,
        "clash",
        "field",
        name="again",
        options={},
        master="max",
        match="doubled1",
        switches=switches,
        more={"cadence": 0, "timing": {}, "origin": origin, "opens": "campaign"},
        blobs=blobs,
    )
    for seat in ("red", "blue"):
        take_seat(front.server, match or "doubled1", seat, "bot-steady")
    front.tick(1)
    front.tick(1)
    tick._open_battles(front.server, front.id)


def changed_in_silence(patch: pytest.MonkeyPatch, front: Front) -> None:
    """Give the first battle another end by a ruling that the campaign does not record."""
    ruled = set[str]()
    whole = tick.serve

    def serve(server: Server, campaign: str, now: int) -> int | None:
        known = [e.payload["match"] for e in record_of(server, campaign).events if e.type == "battle.reported"]
        for match in known[:1]:
            if match not in ruled and record_of(server, campaign).started:
                ruled.add(match)
                front.now += 120_000
                rulings.reopen(server, match, after=1, reason="a mistake", by="max")
        return whole(server, campaign, now)

    patch.setattr(tick, "serve", serve)
    patch.setattr(battles, "note_change", lambda *args: False)


def although_disputed(patch: pytest.MonkeyPatch, front: Front) -> None:
    """Open a dispute about a battle that is still open when the battle's report takes effect."""
    whole = battles.counts_from
    disputed = dict[str, int]()

    def counts_from(server: Server, match: str, hours: int) -> int | None:
        record = record_of(server, match)
        if record.ended is None:
            return whole(server, match, hours)
        if match not in disputed:
            disputed[match] = front.now
            version = record.version + 1
            parts = tuple(
                unit_of_work.part(server, match, version, "dispute", who, {"text": "wrong"})
                for who in ("red", "master")
            )
            said = {"number": 1, "seat": "red", "exchange": 2, "sentence": 1}
            unit_of_work.append(server, record, [NewEvent("dispute.opened", said, parts)], "dispute")
        return disputed[match] + 7_200_000

    patch.setattr(battles, "counts_from", counts_from)


# Units -------------------------------------------------------------------------------------------------------


def other_units(patch: pytest.MonkeyPatch, front: Front) -> None:
    """Replace one of Red's units in the match by one that is on no roster, and report it under the right name."""
    whole, telling = battles.battle_data, battles.report_of

    def mustered(*args: Any) -> dict[str, bytes]:
        blobs = whole(*args)
        return {**blobs, "scenario": blobs["scenario"].replace(b'"r101"', b'"r999"')}

    def report_of(server: Server, match: str) -> Report:
        return msgspec.json.decode(msgspec.json.encode(telling(server, match)).replace(b"r999", b"r101"), type=Report)

    patch.setattr(battles, "battle_data", mustered)
    patch.setattr(battles, "report_of", report_of)


def sent_again(patch: pytest.MonkeyPatch, front: Front) -> None:
    """Keep a lost unit on Red's roster, so that it fights again."""
    whole = roster._apply_fate

    def apply_fate(table: Any, side: str, unit: Any, report: Any, told: Any) -> Any:
        if side == "red" and told["fate"] in ("lost", "captured"):
            unit.battle, unit.status = "", "ready"
            return []
        return whole(table, side, unit, report, told)

    patch.setattr(roster, "_apply_fate", apply_fate)


def in_two_places(patch: pytest.MonkeyPatch, front: Front) -> None:
    """Send the same units of Red to two battles of a stage, and let none of them be lost."""
    whole, carrying = calls.call, roster.carry_over

    def call(table: Any, wanted: Any) -> str:
        for other in table.state.battles.values():
            wanted.units["red"] = list(other.units["red"])
        return whole(table, wanted)

    def carry_over(table: Any, battle: str, call: Any, report: Report) -> None:
        for id in call.units["red"]:
            table.state.sides["red"].units[id].battle = battle
        carrying(table, battle, call, report)

    reporting(saved)(patch, front)
    patch.setattr(script, "call", call)
    patch.setattr(provinces, "call", call)
    patch.setattr(roster, "carry_over", carry_over)


def other_roster(front: Front, exports: dict[str, Lines]) -> None:
    """Give Red twice as many units in the campaign file as were used."""
    lines = exports[front.id]
    created = events_of(lines)[0]["payload"]
    blob = next(line["blob"] for line in lines if line.get("blob", {}).get("digest") == created["blobs"]["campaign"])
    changed = base64.b64decode(blob["content"]).replace(b"count = 6", b"count = 9", 1)
    blob["content"], blob["digest"] = base64.b64encode(changed).decode(), hashlib.sha256(changed).hexdigest()
    created["blobs"]["campaign"] = blob["digest"]


# Commands and seasons ----------------------------------------------------------------------------------------


def taken_away(patch: pytest.MonkeyPatch, front: Front) -> None:
    """Give a friend of the operator Red's command in each battle."""
    whole = battles.seat_commanders

    def seat_commanders(server: Server, position: Any, call: Any, match: str) -> None:
        if not record_of(server, match).occupants:
            take_seat(server, match, "red", "bot-curious")
        whole(server, position, call, match)

    patch.setattr(battles, "_serves", lambda position, side, account: bool(account))
    patch.setattr(battles, "seat_commanders", seat_commanders)


def handed_over(patch: pytest.MonkeyPatch, front: Front) -> None:
    """Log a handover of Red's command that did not take place."""
    whole = battles.seat_commanders

    def seat_commanders(server: Server, position: Any, call: Any, match: str) -> None:
        if not record_of(server, match).occupants:
            take_seat(server, match, "red", "bot-steady")
            battles._hand_over(server, match, "red")
        whole(server, position, call, match)

    patch.setattr(battles, "seat_commanders", seat_commanders)


def other_season(patch: pytest.MonkeyPatch, front: Front) -> None:
    """Play the battles by other rules than those that the season has pinned."""
    patch.setattr(seasons, "battle_switches", lambda history, book, stage: ["clash/one"])


def season_from_nowhere(patch: pytest.MonkeyPatch, front: Front) -> None:
    """Begin a season that the campaign file does not contain."""

    def begin(server: Server, position: Any) -> bool:
        record = record_of(server, position.match)
        if record.closing or record.ended or any(event.type == "rules.moved" for event in record.events):
            return False
        moved = NewEvent("rules.moved", {"switches": [], "season": 2, "battles": ["clash/one"]})
        unit_of_work.append(server, record, [moved], "season")
        return True

    patch.setattr(seasons, "begin", begin)


FORGERIES: dict[str, Forgery] = {
    "a report with another winner": Forgery("battle-report", trick=reporting(another_winner)),
    "a report with another score": Forgery("battle-report", trick=reporting(another_score)),
    "a report that saves units": Forgery("battle-report", trick=reporting(saved), sees=False),
    "a report with more kills": Forgery("battle-report", trick=reporting(more_kills), sees=False),
    "a side that is told other fates": Forgery("battle-report", trick=told_otherwise),
    "a report with another outcome": Forgery("battle-outcome", swap=another_outcome),
    "the head of an earlier battle": Forgery("battle-head", swap=last_head),
    "two heads exchanged": Forgery("battle-origin", swap=exchanged),
    "a head that nobody signed": Forgery("battle-head", swap=unsigned),
    "a head from the middle of the match": Forgery("battle-head", swap=head_in_the_middle),
    "a battle left out": Forgery("battle-missing", swap=left_out),
    "a match from another campaign": Forgery("battle-origin", swap=from_elsewhere),
    "a match of the other battle": Forgery("battle-origin", swap=for_the_other_battle),
    "a battle that was open to everybody": Forgery("battle-origin", swap=opened_at_once),
    "a battle played twice": Forgery("battle-doubled", touch=doubled),
    "a battle that nobody called": Forgery("battle-uncalled", touch=uncalled),
    "another end that the campaign does not mention": Forgery(
        "battle-head", trick=changed_in_silence, file=tree_file(3)
    ),
    "a battle that counts although it is disputed": Forgery("battle-early", trick=although_disputed),
    "a battle decided by its score too early": Forgery("battle-early", trick=decided_early, sees=False, people=True),
    "a unit from nowhere in a battle": Forgery("battle-units", trick=other_units, sees=False),
    "a lost unit that fights again": Forgery("battle-units", trick=sent_again),
    "units in two battles at once": Forgery("battle-units", trick=in_two_places, file=map_file(6, homes="false")),
    "another roster in the file": Forgery("replay", swap=other_roster, sees=False),
    "a command that was given to somebody else": Forgery("battle-seat", trick=taken_away),
    "a command that never changed hands": Forgery("battle-seat", trick=handed_over),
    "a battle by other rules than pinned": Forgery(
        "season", trick=other_season, file="pinned = true\n" + tree_file(2), sees=False
    ),
    "a season that the file does not have": Forgery("season", trick=season_from_nowhere, sees=False),
}
"""The forgeries that an operator can try across the streams of a campaign, by description."""


def early(folder: Path) -> tuple[Front, bytes]:
    """Bundle a running campaign together with its battles, which are not open yet."""
    front = Front(folder, TITLES, seed="forged")
    front.open("battlegroup", options={"file": tree_file(3)})
    front.grow(2)
    content = bundle.write(front.server, front.id)
    read = bundle.read_bundle(content)
    from pbem.matches.history.export import export

    match = front.battles()[0]
    return front, packed(
        front.server, front.id, {front.id: read.export, match: export(front.server, match, "public")}
    )


def tampered(content: bytes) -> dict[str, tuple[bytes, str]]:
    """Return bundles changed by someone without the key, each with the code under which the change must be
    reported."""
    lines = lines_of(content)

    def without(*gone: int) -> bytes:
        return joined([line for number, line in enumerate(lines) if number not in gone])

    swapped = lines_of(content)
    swapped[2]["battle"]["content"], swapped[3]["battle"]["content"] = (
        swapped[3]["battle"]["content"],
        swapped[2]["battle"]["content"],
    )
    renamed = lines_of(content)
    renamed[0]["header"]["viewer"] = "red"
    format = lines_of(content)
    format[0]["header"]["format"] = 2
    return {
        "without its trailer": (without(len(lines) - 1), "trailer"),
        "without a battle": (without(2), "trailer"),
        "without a header": (without(0), "unreadable"),
        "with a battle twice": (joined([*lines[:3], lines[2], *lines[3:]]), "unreadable"),
        "with two campaigns": (joined([*lines[:2], lines[1], *lines[2:]]), "unreadable"),
        "cut off in a line": (content[:-5], "unreadable"),
        "with a line after the trailer": (content + canonical(lines[2]) + b"\n", "unreadable"),
        "with battles exchanged": (joined(swapped), "trailer"),
        "for another viewer": (joined(renamed), "trailer"),
        "of another format": (joined(format), "unknown"),
    }
