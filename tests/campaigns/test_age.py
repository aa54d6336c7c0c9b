"""A campaign grows old: flat cost, a switch moved in the middle, and bundles of earlier releases."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.clash import ClashTitle, map_file
from support.front import Front, NewerCampaign, newer_titles

from pbem.campaigns import bundle, bundle_check, chronicle
from pbem.matches import summaries
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
    """Count the work to open the campaign in a new process and to read its newest chapter."""
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
    """Count the events that the server reads to close a stage: the middle of five stages."""
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
    """A campaign of the past opens in this release; `cd tests && python -m programs.golden_campaign` records one."""
    read = bundle.read_bundle(gzip.decompress(file.read_bytes()))
    found = bundle_check.verify_bundle(read, newer_titles())
    assert found.problems == []
    assert any("recomputed from their own logs" in fact for fact in found.facts)
    moves = [event.payload for event in read_export(read.export).events if event.type == "rules.moved"]
    begun = [(move["season"], bool(move["switches"])) for move in moves]
    assert begun == ([(1, False), (4, True)] if "seasons" in file.name else [])
