"""A ruling only appends events: it reopens, recomputes or corrects. Switches and halts affect one match alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import toy
from support.playing import a_match, a_server, moves, play
from support.toy import AmbushTitle

from pbem.engine.play.resolve import Diverged
from pbem.engine.rules.refusals import Illegal, Unreadable
from pbem.engine.rules.state import to_bytes
from pbem.matches.audit.verify import verify_export
from pbem.matches.exchange import advancing, halting, rules_versions, sealing
from pbem.matches.history.export import export, read_export
from pbem.matches.history.replay import load, record_of, replay
from pbem.matches.rulings import powers, rulings
from pbem.matches.server import Server

SURE = "ambush/2027-01-ambushes-always-hit"
seeds = st.integers(0, 10**6)


class NewerTitle(AmbushTitle):
    """The title in a later release, which has one correction behind a switch."""

    switches = (SURE,)


@pytest.fixture(scope="module", autouse=True)
def corrected_rules() -> Iterator[None]:
    """Replace a rule by the newer release's corrected one, behind its switch."""
    real = toy.Table.roll

    def roll(self: Any, sides: int, rule: str, *subjects: str, secret: bool = False) -> int:
        shot = real(self, sides, rule, *subjects, secret=secret)
        return 6 if rule == "4.2" and self.rule(SURE) else shot

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(toy.Table, "roll", roll)
        yield


def stopped(server: Server, match: str, seed: int, step: int) -> None:
    for number, _ in enumerate(moves(server, match, seed)):
        if number == step:
            return


@given(seed=seeds, step=st.integers(0, 14), reactions=st.sampled_from(["plan", "ask"]))
@settings(max_examples=12)
def test_a_new_switch_leaves_old_matches_alone_and_moved_ones_play_on(
    folders: Callable[[], Path], seed: int, step: int, reactions: str
) -> None:
    folder = folders()
    old = a_server(folder, seed)
    match = a_match(old, reactions=reactions, scenario="small")
    stopped(old, match, seed, step)
    before = to_bytes(load(old, match).run.state)
    newer = a_server(folder, seed, titles={"ambush": NewerTitle()})
    assert to_bytes(replay(newer, match).run.state) == before  # unchanged under the newer code
    powers.move_rules(newer, match, switches=[SURE], why="corrected", by="gm")
    play(newer, match, seed)
    assert to_bytes(replay(newer, match).run.state) == to_bytes(load(newer, match).run.state)
    assert verify_export(read_export(export(newer, match, "red")), newer.titles).ok


def test_an_unknown_switch_is_refused(folders: Callable[[], Path]) -> None:
    server = a_server(folders(), 1, titles={"ambush": NewerTitle()})
    match = a_match(server)
    with pytest.raises(Unreadable, match=SURE):
        rules_versions.move_rules(server, match, ["ambush/sure"])


def test_a_change_without_a_switch_halts_that_match_alone_and_says_where(
    folders: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = a_server(folders(), 7)
    hit, spared = a_match(server, scenario="small"), None
    play_some(server, hit)
    server.entropy = a_server(folders(), 8).entropy
    spared = a_match(server, scenario="tiny")  # nothing has happened in it yet
    monkeypatch.setattr(toy, "on_map", lambda width, hex: True)
    monkeypatch.setitem(toy.AmbushRules.steps, "cards", cards_drawn_twice)

    assert "exchange 2" in str(halting.shadow_replay(server, hit))
    assert halting.shadow_replay(server, spared) is None

    assert record_of(server, hit).halted
    assert not record_of(server, spared).halted
    with pytest.raises(Illegal, match="halted"):
        sealing.check_text(load(server, hit), "red", record_of(server, hit).open_exchange, "r1 hold")
    detail = server.content(record_of(server, hit).halted.parts[0].commitment)  # type: ignore[union-attr]
    assert b"exchange 2" in detail

    monkeypatch.undo()  # the corrected release
    assert halting.shadow_replay(server, hit) is None
    assert record_of(server, hit).halted is None
    play(server, hit, 7)


def play_some(server: Server, match: str) -> None:
    stopped(server, match, 7, 10)


def cards_drawn_twice(table: Any) -> Any:
    yield from toy.cards(table)
    yield from toy.cards(table)


def test_a_step_that_raises_halts_and_a_corrected_release_resolves_the_same_dice(
    folders: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, server = a_server(folders(), 5), a_server(folders(), 5)
    head = play(whole, a_match(whole), 5).record.events[-1].payload
    match = a_match(server)

    def broken(table: Any) -> Any:
        raise ZeroDivisionError("a bug in the rules")
        yield

    monkeypatch.setitem(toy.AmbushRules.steps, "initiative", broken)
    with pytest.raises(AssertionError, match="nobody is asked"):
        play(server, match, 5)
    assert record_of(server, match).halted
    assert load(server, match).asked == []
    monkeypatch.undo()
    advancing.resume_halted(server, match)
    assert not record_of(server, match).halted
    assert play(server, match, 5).record.events[-1].payload["outcome"] == head["outcome"]


# Reopen, recompute, correct ----------------------------------------------------------------------------------


@given(seed=seeds, data=st.data())
@settings(max_examples=10)
def test_reopening_leaves_the_past_and_takes_new_answers(
    folders: Callable[[], Path], seed: int, data: st.DataObject
) -> None:
    server = a_server(folders(), seed)
    match = a_match(server, scenario="small")
    record = play(server, match, seed).record
    after = data.draw(st.sampled_from([entry.exchange for entry in record.resolved[:-1]]))
    then = load(server, match, upto=record.closings[after].resolved.version)  # type: ignore[union-attr]

    rulings.reopen(server, match, after=after, reason="an order was misread", by="gm")

    here = load(server, match)
    assert to_bytes(here.run.state) == to_bytes(then.run.state)
    assert here.record.open_exchange == record.last + 2, "the open number is void too"
    play(server, match, seed + 1)
    replay(server, match)


def test_reopening_an_exchange_that_does_not_stand_is_refused(folders: Callable[[], Path]) -> None:
    server = a_server(folders(), 1)
    match = a_match(server)
    with pytest.raises(Illegal, match="You could send: 1"):
        rulings.reopen(server, match, after=9, reason="", by="gm")


@given(seed=seeds)
@settings(max_examples=10)
def test_recomputing_with_the_same_rules_changes_nothing(folders: Callable[[], Path], seed: int) -> None:
    server = a_server(folders(), seed)
    match = a_match(server, scenario="small")
    before = play(server, match, seed)
    done = rulings.recompute(server, match, exchange=2, reason="to be sure", by="gm")
    after = load(server, match)
    assert done == [entry.exchange for entry in before.record.resolved[1:]]
    assert to_bytes(after.run.state) == to_bytes(before.run.state)
    assert after.record.ended is not None
    replay(server, match)
    assert verify_export(read_export(export(server, match, "red")), server.titles).ok


@given(seed=seeds)
@settings(max_examples=10)
def test_recomputing_by_a_switch_uses_the_same_answers_and_dice(folders: Callable[[], Path], seed: int) -> None:
    server = a_server(folders(), seed)
    match = a_match(server, scenario="small")
    play(server, match, seed)
    server.titles["ambush"] = NewerTitle()
    done = rulings.recompute(server, match, exchange=2, switches=[SURE], reason="L12 was misread", by="gm")
    assert 2 in done
    here = load(server, match)
    assert SURE in here.run.state.switches
    replay(server, match)
    if not here.record.ended:
        play(server, match, seed)
    replay(server, match)


def test_a_correction_changes_the_state_where_the_rules_wait(folders: Callable[[], Path]) -> None:
    server = a_server(folders(), 2)
    match = a_match(server, scenario="small")
    stopped(server, match, 2, 9)
    here = load(server, match)
    unit = next(iter(here.run.state.units))
    change = [{"path": ["units", unit, "hex"], "value": [2, 4]}]
    rulings.correct(server, match, change, reason="it was placed wrongly", by="gm")
    assert tuple(load(server, match).run.state.units[unit].hex) == (2, 4)
    server.positions.clear()
    assert tuple(load(server, match).run.state.units[unit].hex) == (2, 4)
    play(server, match, 2)
    replay(server, match)


@pytest.mark.parametrize(
    "change",
    [
        {"path": ["units", "r1", "hex"], "value": [-4, 99]},
        {"path": ["units", "r9", "hex"], "value": [2, 2]},
        {"path": ["units", "r1", "hex"], "value": "E5"},
    ],
)
def test_a_correction_that_does_not_fit_is_refused_and_changes_nothing(
    folders: Callable[[], Path], change: dict[str, Any]
) -> None:
    server = a_server(folders(), 2)
    match = a_match(server)
    version = record_of(server, match).version
    with pytest.raises((Illegal, Unreadable)):
        rulings.correct(server, match, [change], reason="", by="gm")
    assert record_of(server, match).version == version


def test_a_correction_inside_a_step_is_refused(folders: Callable[[], Path]) -> None:
    """A correction is refused while the rules wait in the middle of a step, with local variables that it cannot
    change."""
    server = a_server(folders(), 6)
    match = a_match(server, reactions="ask", scenario="small")
    for _ in moves(server, match, 6):
        asks = load(server, match).run.asks
        if asks and asks[0].kind == "ambush":
            break
    else:
        raise AssertionError("no ambush was ever asked")
    with pytest.raises(Illegal, match="step of the rules was in progress"):
        rulings.correct(server, match, [{"path": ["turn"], "value": 2}], reason="", by="gm")


def test_replay_says_where_it_differs(folders: Callable[[], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    server = a_server(folders(), 7)
    match = a_match(server, scenario="small")
    play(server, match, 7)
    monkeypatch.setitem(toy.AmbushRules.steps, "cards", cards_drawn_twice)
    with pytest.raises(Diverged, match="exchange 2"):
        replay(server, match)
