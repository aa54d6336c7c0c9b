"""A ruling reopens a stage of a campaign, and a battle that is called a second time gets a new match."""

from __future__ import annotations

from pathlib import Path

from support.clash import ClashTitle, tree_file
from support.front import Front

from pbem.campaigns import bundle, chronicle
from pbem.campaigns.bundle_check import verify_bundle
from pbem.matches.exchange import submitting
from pbem.matches.history.replay import record_of, replay
from pbem.matches.rulings import rulings


def send(front: Front, units: str) -> None:
    """Send units with both chiefs, and play the battle with the suggested orders."""
    exchange = front.record.open_exchange
    for seat, account in (("red", "ann"), ("blue", "bob")):
        order = units if seat == "red" else "send all"
        submitting.submit(front.server, front.id, seat, exchange, order, by=account, final=True, source="web")
    front.tick()
    match = front.battles()[-1]
    for seat, account in (("red", "ann"), ("blue", "bob")):
        submitting.submit(front.server, match, seat, 2, "hold", by=account, final=True, source="web")
    front.tick(1)
    front.tick(1)


def test_c3_1_a_battle_called_again_after_a_ruling_has_another_match(tmp_path: Path) -> None:
    front = Front(tmp_path, {"clash": ClashTitle()})
    front.open("battlegroup", {"red": "ann", "blue": "bob"}, options={"file": tree_file(2)}, master="max")
    send(front, "send r101 r102")
    assert front.state.turn == 2
    rulings.reopen(front.server, front.id, after=1, reason="the wrong units", by="max")
    send(front, "send r103 r104")
    _, second = front.battles()
    assert front.record.halted is None and front.state.turn == 2
    assert record_of(front.server, second).created.origin["battle"] == "1"
    assert [fought.match for fought in chronicle.chapter(front.server, front.id, "red", 1).battles] == [second]
    send(front, "send all")
    front.tick()
    assert front.record.ended is not None
    assert replay(front.server, front.id).run.state == front.state
    found = verify_bundle(bundle.read_bundle(bundle.write(front.server, front.id)), front.titles)
    assert found.problems == []
    assert len(front.battles()) == 3
