"""Attacks through rulings, plans and standing orders, and secrets left in memory or on disk."""

from __future__ import annotations

import hashlib
import itertools
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from matches.attacks.attacked import turn
from support import toy
from support.playing import a_match, a_server, close_now, play

from pbem.engine.play.dice import Dice
from pbem.engine.play.resolve import ANSWERED
from pbem.engine.rules.findings import PUBLIC, seen_by
from pbem.engine.rules.refusals import Refusal, Unreadable
from pbem.engine.rules.table import Table
from pbem.engine.rules.title import Submission
from pbem.matches.exchange import (
    creating,
    resolving,
    rules_versions,
    sealing,
)
from pbem.matches.exchange.checks import NotOpen
from pbem.matches.history.record import Entry
from pbem.matches.history.replay import findings_of, load, record_of, replay
from pbem.matches.rulings import rulings
from pbem.matches.server import Server

pytestmark = pytest.mark.usefixtures("store_that_takes_everything")

# Rulings -----------------------------------------------------------------------------------------------------


def corrected(server: Server, match: str) -> None:
    rulings.correct(server, match, [{"path": ["hands", "red"], "value": [3]}], reason="a card was lost", by="gm")


def moved(server: Server, match: str) -> None:
    """Move a match to a newer release that changes none of its switches, which is recorded as a change too."""
    rules_versions.move_rules(server, match, [])


def test_recomputing_does_not_lose_an_earlier_correction(folder: Path) -> None:
    """An exchange recomputed on a corrected state is replayed with that correction, so that the past stays the
    same."""
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    turn(server, match, red={}, blue={})
    corrected(server, match)
    turn(server, match, red={}, blue={})
    rulings.recompute(server, match, exchange=4, reason="to be sure", by="gm")
    replay(server, match)
    assert "corrected" in [entry.kind for entry in record_of(server, match).history]


def test_reopening_does_not_undo_a_move_of_the_rules(folder: Path) -> None:
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    turn(server, match, red={}, blue={})
    moved(server, match)
    turn(server, match, red={}, blue={})
    rulings.reopen(server, match, after=2, reason="an order was misread", by="gm")
    assert "moved" in [entry.kind for entry in record_of(server, match).history]


def test_recomputing_does_not_lose_the_answers_of_a_closed_exchange(folder: Path) -> None:
    """Closing is irrevocable: orders of a closed exchange are resolved on the position that a ruling leaves."""
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    turn(server, match, red={}, blue={})
    sealing.seal(server, match, "red", 3, Submission({"r1": "go2"}))
    close_now(server, match, 3)
    with suppress(Refusal):  # refusing until the closed exchange is resolved would be right too
        rulings.recompute(server, match, exchange=2, reason="to be sure", by="gm")
    resolving.resolve(server, match)
    third = record_of(server, match).exchange(3)
    assert third is not None
    assert third.resolved is not None


def test_an_order_written_before_a_ruling_is_not_taken_for_an_answer_to_what_is_asked_after_it(folder: Path) -> None:
    """Red's form for exchange 4 asked about turn 3; after the ruling, exchange 4 asks about turn 1, and the form is
    refused."""
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    turn(server, match, red={}, blue={})
    turn(server, match, red={}, blue={})
    form = record_of(server, match).open_exchange
    rulings.reopen(server, match, after=1, reason="an order was misread", by="gm")
    with pytest.raises(NotOpen):
        sealing.seal(server, match, "red", form, Submission({"r1": "go2"}))


def test_a_correction_does_not_let_an_illegal_order_count(folder: Path) -> None:
    """Orders sealed before a correction are checked again, because the rules rely on legal answers."""
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    sealing.seal(server, match, "red", 2, Submission({"r1": "go1"}))
    rulings.correct(server, match, [{"path": ["units", "r1", "hex"], "value": [0, 0]}], reason="misplaced", by="gm")
    with pytest.raises(Refusal):
        sealing.check(load(server, match), "red", record_of(server, match).open_exchange, Submission({"r1": "go1"}))
    close_now(server, match, record_of(server, match).open_exchange)
    resolving.resolve(server, match)
    here = load(server, match)
    assert list(here.rules.flaws(here.run.state)) == []


def test_recomputing_by_an_unknown_switch_is_refused(folder: Path) -> None:
    """A recomputation under an unknown switch is refused, because no verifier could ever replay it."""
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    turn(server, match, red={}, blue={})
    with pytest.raises(Unreadable):
        rulings.recompute(server, match, exchange=2, switches=["ambush/no-such"], reason="", by="gm")


def test_recomputing_does_not_tell_whether_hidden_things_have_changed(folder: Path) -> None:
    """The commitments of recomputed states do not show whether hidden data changed, because each has its own salt."""
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    turn(server, match, red={}, blue={})
    rulings.recompute(server, match, exchange=2, reason="to be sure", by="gm")
    states = [event.payload["state"] for event in record_of(server, match).events if event.payload.get("state")]
    assert len(states) == len(set(states))


# Plans, doctrine and audiences -------------------------------------------------------------------------------


def told_red(server: Server, entry: Entry) -> list[Any]:
    return [finding for finding in findings_of(server, entry, "red") if finding.rule == ANSWERED]


def test_last_turns_plan_does_not_answer_this_turns_asks(folder: Path) -> None:
    """A plan applies to its own turn alone: red's plan for turn 1 does not act in turn 2."""
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    first = turn(server, match, red=Submission({}, {"card": 9}), blue={})
    assert "card 9" in str(told_red(server, first))
    second = turn(server, match, blue={})
    assert "card 9" not in str(told_red(server, second))


def test_standing_orders_given_after_closing_do_not_count_in_it(folder: Path) -> None:
    """Closing fixes the valid answers, so later standing orders do not count, even if the match halts before it
    resolves."""
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    close_now(server, match, 2)
    sealing.set_doctrine(server, match, "red", ["card"])
    resolving.resolve(server, match)
    assert told_red(server, record_of(server, match).closings[2]) == []


def test_a_finding_that_nobody_may_know_is_not_told_to_everybody() -> None:
    """A finding with an empty list of recipients is private, since the list is often computed, for example from who
    spotted a unit."""
    table = Table(toy.AmbushRules(toy.Data(6, 3, 5, [])).setup(()), Dice(bytes(32), bytes(32), "c"))
    spotters: list[str] = []
    table.find("4.1", to=spotters, result="it crept away")
    assert seen_by(table.findings, PUBLIC) == []


# Growth ------------------------------------------------------------------------------------------------------


def test_snapshots_do_not_pile_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolving, "KEPT", 2)
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    play(server, match, 3)
    assert server.database.execute("SELECT count(*) FROM snapshots").fetchone()[0] <= 2


def test_memory_does_not_hold_every_match_ever_seen(folder: Path) -> None:
    count = itertools.count()
    server = a_server(folder, 3)
    server.entropy = lambda label: hashlib.sha256(f"{next(count)}".encode()).digest()
    for _ in range(300):
        load(server, creating.create(server, "ambush", "tiny"))
    assert len(server.positions) < 300
