"""An old campaign costs as little as a young one and can adopt a new switch midway; old bundles remain readable."""

from __future__ import annotations

import base64
import gzip
import hashlib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.clash import ClashTitle, map_file
from support.front import Front, NewerCampaign, newer_titles

from eventstore import canonical
from pbem.campaigns import bundle, bundle_check, chronicle, stage_file
from pbem.campaigns.bundle_check import Kept
from pbem.engine.rules.refusals import Illegal
from pbem.matches import summaries
from pbem.matches.exchange.ending import signed_head
from pbem.matches.history import replay as replaying
from pbem.matches.history.export import read_export
from pbem.matches.history.replay import load, replay
from pbem.matches.rulings import powers

TITLES = {"clash": ClashTitle()}
GOLDEN = Path(__file__).parents[1] / "golden" / "campaign"


@pytest.fixture
def front(tmp_path: Path) -> Front:
    front = Front(tmp_path, TITLES)
    front.open("battlegroup", options={"file": map_file(60, homes="false")})
    return front


def cost(front: Front, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Count how much is read and replayed to open the campaign in a new process and read its newest chapter."""
    counts = {"exchanges replayed": 0, "findings read": 0, "events read": 0}
    apply, findings_of, read = replaying.apply, chronicle.findings_of, front.server.store.read

    def counted(*args: object, **more: object) -> object:
        counts["exchanges replayed"] += 1
        return apply(*args, **more)  # type: ignore[arg-type]

    def counting(*args: object) -> object:
        counts["findings read"] += 1
        return findings_of(*args)  # type: ignore[arg-type]

    def reading(*args: Any, **more: Any) -> Any:
        events = read(*args, **more)
        counts["events read"] += len(events)
        return events

    with monkeypatch.context() as patch:
        patch.setattr(front.server.store, "read", reading)
        patch.setattr(replaying, "apply", counted)
        patch.setattr(chronicle, "findings_of", counting)
        front.server.forget()
        position = load(front.server, front.id)
        chronicle.chapter(front.server, front.id, "red", position.run.state.turn - 1)
    return {**counts, "state": len(msgspec.json.encode(position.run.state)) // 1500}


def closing(front: Front, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how many events the server reads to close a stage: the median of five stages."""
    found, read = list[int](), front.server.store.read

    def counted(*args: Any, **more: Any) -> Any:
        events = read(*args, **more)
        found[-1] += len(events)
        return events

    with monkeypatch.context() as patch:
        patch.setattr(front.server.store, "read", counted)
        for _ in range(5):
            found.append(0)
            front.grow(front.state.turn + 1)
    return sorted(found)[2]


@pytest.mark.slow
def test_the_fortieth_stage_costs_what_the_tenth_did(front: Front, monkeypatch: pytest.MonkeyPatch) -> None:
    front.grow(5)
    closed_young = closing(front, monkeypatch)
    young = cost(front, monkeypatch)
    front.grow(35)
    closed_old = closing(front, monkeypatch)
    old = cost(front, monkeypatch)
    assert closed_old <= 2 * closed_young
    assert old["exchanges replayed"] <= 1 and old["findings read"] <= 2
    assert old["events read"] <= 100 < front.record.version
    assert old["state"] <= young["state"] + 1


def test_an_old_battle_is_read_without_replay(front: Front, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.matches.history import final_views
    from pbem.matches.history.replay import record_of

    front.grow(5)
    summaries.catch_up(front.server)
    front.tick()
    match = front.battles()[0]
    monkeypatch.setattr(replaying, "apply", lambda *args, **more: pytest.fail("it was replayed"))
    found = final_views.kept_position(front.server, match, record_of(front.server, match))
    assert found is not None and found.run.view("public") is not None


def test_a_switch_moved_in_the_middle_of_a_campaign(tmp_path: Path) -> None:
    old = Front(tmp_path, TITLES)
    old.open("battlegroup", options={"file": map_file(4, homes="false")}, master="gm")
    old.grow(2)
    old.server.close()
    new = Front(tmp_path, TITLES)
    new.id = old.id
    new.titles["campaign"] = new.server.titles["campaign"] = NewerCampaign(TITLES)
    assert new.state.switches == ()
    powers.move_rules(new.server, new.id, switches=["campaign/2027-01-example"], why="a new release", by="gm")
    new.run()
    assert new.record.ended is not None and new.state.switches == ("campaign/2027-01-example",)
    assert replay(new.server, new.id).run.state == new.state
    found = bundle_check.verify_bundle(bundle.read_bundle(bundle.write(new.server, new.id)), new.titles)
    assert found.problems == []


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*.gz")), ids=lambda file: file.name)
def test_bundles_of_every_release_still_verify(file: Path) -> None:
    """This release opens a campaign bundle of an earlier release.

    `cd tests && python -m programs.golden_campaign` records such a bundle.
    """
    read = bundle.read_bundle(gzip.decompress(file.read_bytes()))
    found = bundle_check.verify_bundle(read, newer_titles())
    assert found.problems == []
    assert any("recomputed from their own logs" in fact for fact in found.facts)
    moves = [event.payload for event in read_export(read.export).events if event.type == "rules.moved"]
    begun = [(move["season"], bool(move["switches"])) for move in moves]
    assert begun == ([(1, False), (4, True)] if "seasons" in file.name else [])


# One stage by itself -----------------------------------------------------------------------------------------


def verdict(front: Front, content: bytes, **kept: Any) -> list[str]:
    """Return the problems that the verification finds in a stage file."""
    return [str(one) for one in stage_file.verify_stage(content, front.titles, Kept(**kept)).problems]


def resigned(front: Front, content: bytes, change: Any) -> bytes:
    """Return a stage file after the server itself has changed it and signed it again."""
    *lines, trailer = map(msgspec.json.decode, content.splitlines())
    change({next(iter(line)): next(iter(line.values())) for line in reversed(lines)}, lines)
    body = {"digest": hashlib.sha256(canonical(lines)).hexdigest(), "erased": trailer["trailer"]["erased"]}
    lines.append({"trailer": {**body, "signature": front.server.signer.sign(body)}})
    return b"".join(canonical(line) + b"\n" for line in lines)


def test_a_stage_of_a_running_campaign_is_verified_by_its_file_alone(front: Front) -> None:
    front.grow(6)
    for stage in (1, 3, 5):
        content = stage_file.write(front.server, front.id, stage)
        found = stage_file.verify_stage(content, front.titles, Kept(front.server.id))
        assert found.problems == [] and "not replayed: the secrets of this stage are not in the file" in found.facts
    with pytest.raises(Illegal):
        stage_file.write(front.server, front.id, 99)


def test_the_operator_replays_one_stage_of_a_running_campaign(front: Front) -> None:
    front.grow(6)
    found = stage_file.verify_stage(
        stage_file.write(front.server, front.id, 5, is_privileged=True), front.titles, Kept(front.server.id)
    )
    assert found.problems == []
    assert "replayed from the position at the beginning of the stage with the same result" in found.facts


def test_a_stage_file_of_a_running_campaign_holds_no_secret(front: Front) -> None:
    front.grow(6)
    known = {ref.commitment for event in front.record.events for ref in event.parts if ref.audience == "public"}
    for viewer in ("public", "red", "blue2"):
        file = stage_file.read(stage_file.write(front.server, front.id, 5, viewer))
        own = {
            ref.commitment
            for event in front.record.events
            for ref in event.parts
            if ref.audience in (viewer, f"side/{viewer.rstrip('2')}")
        }
        assert set(file.export.parts) <= known | own and file.start is None


def test_a_finished_campaign_is_replayed_stage_by_stage(tmp_path: Path) -> None:
    front = Front(tmp_path, TITLES)
    front.open("battlegroup", options={"file": map_file(4, homes="false")})
    front.run()
    for stage in (2, 3, 4):
        found = stage_file.verify_stage(stage_file.write(front.server, front.id, stage), front.titles)
        assert found.problems == [] and any("with the same result" in fact for fact in found.facts)


def test_a_stage_follows_the_head_that_the_reader_has_kept(front: Front) -> None:
    front.grow(5)
    content, resolved = stage_file.write(front.server, front.id, 4), front.record.resolved
    before = next(
        one for one in reversed(resolved) if one.exchange < chronicle.entries_of(front.record, 4)[0].exchange
    )
    head = signed_head(front.server, front.id, before)
    assert verdict(front, content, heads=[head]) == []
    forked = msgspec.structs.replace(head, event="0" * 64)
    forked = msgspec.structs.replace(forked, signature=front.server.signer.sign(forked.body()))
    assert any("forked" in said for said in verdict(front, content, heads=[forked]))
    assert any("another server" in said for said in verdict(front, content, server="0" * 64))


def test_a_forged_stage_is_named(front: Front) -> None:
    """A forged stage is named: by its trailer, or, if the forger has the key, by its chain, heads, parts, dice or
    rules."""
    front.grow(5)
    content = stage_file.write(front.server, front.id, 4, is_privileged=True)
    assert verdict(front, content) == []
    assert any(
        "signed" in said for said in verdict(front, content.replace(b"exchange.closed", b"exchange.clozed", 1))
    )

    def dropped(first: Any, lines: list[Any]) -> None:
        del lines[next(n for n, line in enumerate(lines) if "event" in line) + 3]

    def payload(first: Any, lines: list[Any]) -> None:
        first["event"]["payload"]["exchange"] = 3

    def without_head(first: Any, lines: list[Any]) -> None:
        first["stage"]["heads"] = []

    def other_start(first: Any, lines: list[Any]) -> None:
        state = msgspec.json.decode(base64.b64decode(first["start"]["mark"]["state"]))
        state["sides"]["red"]["points"] += 1
        first["start"]["mark"]["state"] = base64.b64encode(msgspec.json.encode(state)).decode()

    def other_secret(first: Any, lines: list[Any]) -> None:
        first["start"]["opened"]["key"] = "00" * 32

    def other_part(first: Any, lines: list[Any]) -> None:
        first["part"]["content"] = base64.b64encode(b"{}").decode()

    for change, word in (
        (dropped, "place"),
        (payload, "hash"),
        (without_head, "no head"),
        (other_start, "committed"),
        (other_secret, "secrets"),
        (other_part, "committed"),
    ):
        assert any(word in said for said in verdict(front, resigned(front, content, change))), change.__name__
