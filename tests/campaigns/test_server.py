"""A campaign on a server: each battle becomes a match, the end of that match becomes a report, and all streams
verify."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from support.front import Front

from pbem.campaigns import bundle, bundle_check, tick
from pbem.matches import unit_of_work
from pbem.matches.exchange import submitting
from pbem.matches.exchange.seats import leave_seat, take_seat
from pbem.matches.history.replay import record_of, replay
from pbem.matches.players import endings
from pbem.titles.registry import TITLES

PANZER = {"panzer": TITLES["panzer"]}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Front:
    """A battlegroup campaign that bots have played to the end."""
    front = Front(tmp_path_factory.mktemp("front"), PANZER)
    front.open("battlegroup")
    front.run(hours=13)
    return front


def test_bots_play_the_battlegroup_campaign_to_its_end(played: Front) -> None:
    assert played.record.ended is not None
    assert len(played.battles()) == 5
    reported = [event for event in played.record.events if event.type == "battle.reported"]
    assert [event.payload["match"] for event in reported] == played.battles()


def test_replay_needs_no_stream_of_a_battle(played: Front, monkeypatch: pytest.MonkeyPatch) -> None:
    read = played.server.store.read

    def own_stream_only(stream: str, **more: int) -> object:
        assert stream == f"match/{played.id}"
        return read(stream, **more)

    monkeypatch.setattr(played.server.store, "read", own_stream_only)
    assert replay(played.server, played.id).run.state == played.state


def test_battles_open_with_the_campaign(played: Front) -> None:
    for match in played.battles():
        record = record_of(played.server, match)
        assert record.opens == "campaign" and record.ended is not None and record.opened is not None
        assert record.opened.type == "match.opened"


def test_mustered_units_and_fates_are_the_same_units(played: Front) -> None:
    for event in played.record.events:
        if event.type == "battle.reported":
            content = msgspec.json.decode(played.server.content(event.parts[0].commitment))["answer"]
            blobs = record_of(played.server, event.payload["match"]).created.blobs
            scenario = played.server.rules("panzer", blobs).data.scenario  # type: ignore[attr-defined]
            sent = {side.id: {unit.id for unit in scenario.units if unit.side == side.id} for side in scenario.sides}
            assert {side: set(fates) for side, fates in content["fates"].items()} == sent


def test_a_bundle_verifies_across_its_streams(played: Front) -> None:
    content = bundle.write(played.server, played.id)
    found = bundle_check.verify_bundle(bundle.read_bundle(content), played.titles)
    assert found.problems == []
    assert "5 battles recomputed from their own logs" in found.facts


def test_a_bundle_with_a_battle_left_out_or_swapped_is_refused(played: Front) -> None:
    lines = bundle.write(played.server, played.id).splitlines()
    without = b"\n".join(lines[:2] + lines[3:]) + b"\n"
    found = bundle_check.verify_bundle(bundle.read_bundle(without), played.titles)
    assert list(map(str, found.problems)) == ["the exports are not those that the server signed"]
    # Even if the server signs the shortened bundle, the missing battle is noticed.
    read = bundle.read_bundle(without)
    body = {"campaign": read.campaign, "viewer": read.viewer, "digests": dict(read.trailer["digests"])}
    del body["digests"][played.battles()[0]]
    read.trailer = {**body, "signature": played.server.signer.sign(body)}
    found = bundle_check.verify_bundle(read, played.titles)
    assert {code for _, _, code in found.codes} == {"battle-missing"}


def test_while_the_campaign_goes_on_a_bundle_holds_no_battle(tmp_path: Path) -> None:
    front = Front(tmp_path, PANZER)
    front.open("battlegroup")
    for _ in range(3):
        front.tick(13)
    assert front.battles() and front.record.ended is None
    read = bundle.read_bundle(bundle.write(front.server, front.id))
    assert read.battles == {}
    assert bundle_check.verify_bundle(read, front.titles).ok


# Rulings, time and people ------------------------------------------------------------------------------------


def a_battle(tmp_path: Path, hours: float = 0) -> Front:
    """Return a campaign whose first battle has been called, with a person in each seat."""
    front = Front(tmp_path, PANZER)
    front.open("battlegroup", {"german": "ann", "soviet": "bob"})
    for seat, account in (("german", "ann"), ("soviet", "bob")):
        submitting.submit(front.server, front.id, seat, 2, "send all", by=account, final=True, source="web")
    front.tick(hours)
    front.tick()
    return front


def concede(front: Front, match: str, seat: str) -> None:
    record = record_of(front.server, match)
    unit_of_work.append(front.server, record, endings.concede(front.server, record, seat), "concede")


def test_the_commanders_sit_in_their_battle(tmp_path: Path) -> None:
    front = a_battle(tmp_path)
    [match] = front.battles()
    seated = {seat: taken["account"] for seat, taken in record_of(front.server, match).occupants.items()}
    assert seated == {"german": "ann", "soviet": "bob"}
    assert record_of(front.server, match).started


def test_a_battle_counts_after_its_appeal_time(tmp_path: Path) -> None:
    front = a_battle(tmp_path)
    [match] = front.battles()
    concede(front, match, "soviet")
    front.tick(23)
    assert "battle 1" not in front.record.sealed and front.state.battles
    front.tick(2)
    front.tick()
    assert not front.state.battles and front.state.sides["german"].won == 1


def test_a_ruling_after_carry_over_is_noted_and_changes_no_roster(tmp_path: Path) -> None:
    from pbem.matches.rulings import rulings

    front = a_battle(tmp_path)
    [match] = front.battles()
    concede(front, match, "soviet")
    front.tick(25)
    front.tick()
    before = msgspec.json.encode(front.state)
    rulings.reopen(front.server, match, after=1, reason="a mistake", by="max")
    concede(front, match, "german")
    front.tick(30)
    front.tick()
    changed = [event for event in front.record.events if event.type == "battle.changed"]
    assert [event.payload["match"] for event in changed] == [match]
    assert msgspec.json.encode(front.state) == before


def test_a_battle_that_takes_too_long_is_decided_by_its_score(tmp_path: Path) -> None:
    front = a_battle(tmp_path)
    [match] = front.battles()
    front.tick(2161)
    front.tick(25)
    front.tick()
    record = record_of(front.server, match)
    assert record.ended is not None and record.ended.payload["outcome"]["rule"] == "pbem/adjudicated"
    assert not front.state.battles


def test_a_command_that_changes_hands_takes_its_battle_along(tmp_path: Path) -> None:
    front = a_battle(tmp_path)
    [match] = front.battles()
    leave_seat(front.server, front.id, "soviet", "a new job")
    take_seat(front.server, front.id, "soviet", "eve")
    front.tick()
    assert record_of(front.server, match).occupants["soviet"]["account"] == "eve"


def test_an_exchange_that_awaits_battles_has_no_deadline_of_its_own(tmp_path: Path) -> None:
    front = Front(tmp_path, PANZER)
    front.open("battlegroup", {"german": "ann", "soviet": "bob"}, cadence=48)
    from pbem.matches.clock.deadlines import deadline_of

    assert deadline_of(front.record) is not None
    for seat, account in (("german", "ann"), ("soviet", "bob")):
        submitting.submit(front.server, front.id, seat, 2, "send all", by=account, final=True, source="web")
    front.tick()
    [match] = front.battles()
    assert deadline_of(front.record) is None
    assert deadline_of(record_of(front.server, match)) is not None


def test_an_absent_chief_costs_the_side_no_more_than_the_usual_orders(tmp_path: Path) -> None:
    front = Front(tmp_path, PANZER)
    front.open("battlegroup", {"german": "ann", "soviet": "bob"}, cadence=48)
    front.tick(49)
    front.tick()
    assert {side: len(units) for side, units in front.state.battles["1"].units.items()} == {
        "german": 12,
        "soviet": 12,
    }


def test_a_unit_without_a_fate_halts_the_campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.campaigns import battles

    front = a_battle(tmp_path)
    [match] = front.battles()
    concede(front, match, "soviet")
    whole = battles.report_of

    def lame(server: object, match: str) -> object:
        report = whole(server, match)  # type: ignore[arg-type]
        del report.fates["german"]["g101"]
        return report

    monkeypatch.setattr(battles, "report_of", lame)
    front.tick(25)
    front.tick()
    halted = front.record.halted
    assert halted is not None
    assert "g101 has no fate" in front.server.content(halted.parts[0].commitment).decode()
    assert tick.tick(front.server, front.now) >= 0  # a halted campaign does not stop the others
