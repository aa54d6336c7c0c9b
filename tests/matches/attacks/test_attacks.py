"""Attacks by players: guessing orders, peeking, choosing dice, and racing the server."""

from __future__ import annotations

import collections
import hashlib
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from matches.attacks.attacked import TITLES, turn
from support import toy
from support.playing import SEATS, a_match, a_server, close_now, entropy, moves
from support.worlds import Secret, leaks

from eventstore import Event, canonical, commitment
from pbem.engine.play.dice import die, step_down
from pbem.engine.play.resolve import ANSWERED, Diverged
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import PUBLIC
from pbem.engine.rules.refusals import Illegal
from pbem.engine.rules.state import to_bytes
from pbem.engine.rules.title import Submission
from pbem.matches.audit.verify import verify_export
from pbem.matches.exchange import (
    creating,
    halting,
    resolving,
    sealing,
)
from pbem.matches.exchange.ending import signed_head
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history import replay as position
from pbem.matches.history.export import export, read_export
from pbem.matches.history.ladders import LENGTH
from pbem.matches.history.record import Entry
from pbem.matches.history.replay import Position, context_of, findings_of, load, record_of, replay, rolls_of
from pbem.matches.installation import open_server
from pbem.matches.rulings import rulings
from pbem.matches.server import Server

pytestmark = pytest.mark.usefixtures("store_that_takes_everything")


def resolved(server: Server, match: str) -> list[Event]:
    return [event for event in record_of(server, match).events if event.type == "exchange.resolved"]


# Secrets of the opponent -------------------------------------------------------------------------------------


def test_closing_does_not_publish_orders_that_are_still_face_down(folder: Path) -> None:
    """Closing an exchange does not publish hidden orders; with every reaction asked, the rules wait in mid-turn."""
    server = a_server(folder, 1)
    match = a_match(server, scenario="small", reactions="ask")
    turn(server, match, red={"r1": "go2"}, blue={"b1": "ambush", "b2": "hold"})
    here = load(server, match)
    assert here.run.state.units["b1"].order == "ambush"
    for viewer in ("red", PUBLIC):
        held = read_export(export(server, match, viewer)).parts.values()
        assert not any(b'"b1"' in part.content or b'"b2"' in part.content for part in held)
        assert here.run.view(viewer)["units"]["b1"]["order"] == "?"


def test_hidden_orders_cannot_be_guessed_from_any_hash_in_the_export(folder: Path) -> None:
    """Hashing every combination of blue's orders, with every salt that red holds and without one, matches nothing in
    the export."""
    server = a_server(folder, 1)
    match = a_match(server, reactions="ask")
    turn(server, match, red={}, blue={"b1": "ambush", "b2": "hold"})
    state = load(server, match).run.state
    mine = export(server, match, "red").decode()
    salts = [part.salt for part in read_export(mine.encode()).parts.values()]
    for orders in itertools.product(("", *toy.ORDERS), repeat=2):
        for name, order in zip(("b1", "b2"), orders, strict=True):
            state.units[name].order = order
        guesses = [to_bytes(state), *(canonical({"answer": dict(zip(("b1", "b2"), orders, strict=True))}),)]
        for guess in guesses:
            assert hashlib.sha256(guess).hexdigest() not in mine
            assert not any(commitment(salt, guess) in mine for salt in (*salts, bytes(32)))
    server.positions.clear()  # the guesses have changed the position in memory


def test_an_unused_ambush_and_no_ambush_look_alike(
    folders: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asks, their times, refusals, forms, sizes and files do not tell red whether blue has set an ambush."""
    quiet, lying = ({"b1": "hold", "b2": "hold", "b3": "hold"},), ({"b1": "ambush", "b2": "ambush", "b3": "ambush"},)
    one, two = Secret(quiet, ({},), [], 0), Secret(lying, ({"ambush": {"r9": "b1"}},), [], 0)
    for reactions in ("plan", "ask"):
        assert leaks(folders, monkeypatch, one, two, ({"r1": "go2", "r2": "go3"},), reactions) is None


def test_the_size_of_an_event_does_not_tell_how_much_was_ordered(folder: Path) -> None:
    server = a_server(folder, 1)
    match = a_match(server)
    sizes = set()
    for given in (Submission({}), Submission({"r1": "ambush", "r2": "hold"}, {"card": 2, "ambush": {"b1": "r1"}})):
        sealing.seal(server, match, "red", 2, given, text="# " + "x" * 300 * len(given.plan))
        sizes.add(len(canonical(msgspec.to_builtins(record_of(server, match).events[-1]))))
    assert len(sizes) == 1
    stored = server.database.execute("SELECT DISTINCT length(content) % 1024 FROM parts").fetchall()
    assert stored == [(0,)]


def test_a_secret_card_cannot_be_computed_from_the_published_rung(folders: Callable[[], Path]) -> None:
    """The card drawn from a deck in known order depends on the second ladder, which stays secret until the end."""
    right = 0
    for seed in range(12):
        server = a_server(folders(), seed)
        match = a_match(server, scenario="small")
        entry = turn(server, match, red={}, blue={})
        state = load(server, match).run.state
        assert state.decks["blue"] == sorted(state.decks["blue"])
        assert entry.resolved is not None
        rung = bytes.fromhex(entry.resolved.payload["rung"])
        guess = [1, 1, 2, 2, 3, 3][die(rung, context_of(match, entry), "2", ("blue",), 0, 6) - 1]
        right += guess in state.hands["blue"] and len(state.hands["blue"]) == 1
    assert right < 10


# Forged dice -------------------------------------------------------------------------------------------------


def test_a_reopened_exchange_cannot_be_won_with_the_dice_already_seen(folder: Path) -> None:
    """A reopened exchange uses a new rung, which no published rung leads to."""
    server = a_server(folder, 1)
    match = a_match(server, scenario="small")
    for _ in range(3):
        turn(server, match, red={}, blue={})
    last = bytes.fromhex(resolved(server, match)[-1].payload["rung"])  # the earlier rungs can be computed from it
    rulings.reopen(server, match, after=1, reason="an order was misread", by="gm")
    entry = turn(server, match, red={}, blue={})
    assert entry.exchange == 6, "the number that was open before the ruling is void"
    assert entry.resolved is not None
    new = bytes.fromhex(entry.resolved.payload["rung"])
    assert step_down(new, 2) == last, "it lies above the last, and nobody can climb"
    assert new not in itertools.accumulate(range(LENGTH), lambda rung, _: step_down(rung, 1), initial=last)


def test_the_same_answers_after_reopening_meet_other_dice(folder: Path) -> None:
    server = a_server(folder, 1)
    match = a_match(server, scenario="small")
    first = rolls_of(server, turn(server, match, red={}, blue={}))
    rulings.reopen(server, match, after=1, reason="an order was misread", by="gm")
    again = rolls_of(server, turn(server, match, red={}, blue={}))
    assert [roll.result for roll in first] != [roll.result for roll in again]


def test_no_two_rolls_of_an_exchange_share_a_name(folders: Callable[[], Path]) -> None:
    """No two rolls of an exchange share a name, so an index that restarts with each step cannot repeat dice."""
    for seed in range(4):
        server = a_server(folders(), seed)
        match = a_match(server, scenario="small")
        for _ in moves(server, match, seed):
            server.positions.clear()  # always resumed from a snapshot
        for entry in record_of(server, match).resolved:
            rolls = [*rolls_of(server, entry), *rolls_of(server, entry, secret=True)]
            names = collections.Counter((roll.rule, roll.subjects, roll.ordinal) for roll in rolls)
            assert set(names.values()) <= {1}


def test_a_rule_that_rolls_once_more_leaves_the_other_dice_alone(
    folders: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def cards_and_more(table: Any) -> Any:
        table.roll(100, "2.9", "weather")
        yield from toy.cards(table)

    found = []
    for change in (False, True):
        if change:
            monkeypatch.setitem(toy.AmbushRules.steps, "cards", cards_and_more)
        server = a_server(folders(), 1)
        match = a_match(server, scenario="small")
        entry = turn(server, match, red={"r1": "go2"}, blue={"b1": "go5"})
        found.append({roll for roll in rolls_of(server, entry) if roll.rule != "2.9"})
    assert found[0] == found[1]


def test_neither_the_clock_nor_the_order_of_sealing_moves_the_dice(folders: Callable[[], Path]) -> None:
    """The dice do not depend on anything that the server can still choose once the answers are known."""
    found = []
    for late, seats in ((0, ("red", "blue")), (86_400_000, ("blue", "red", "blue", "red"))):
        clock = lambda late=late: 10**12 + late  # noqa: E731
        server = open_server(folders() / "pbem.db", TITLES, entropy=entropy(1), clock=clock)
        match = a_match(server, scenario="small")
        for seat in seats:
            sealing.seal(server, match, seat, 2, Submission({f"{seat[0]}1": "ambush"}), text=f"{late}")
        if late:
            sealing.set_doctrine(server, match, "red", [])
            sealing.finalise(server, match, "red", 2)
        close_now(server, match, 2)
        resolving.resolve(server, match)
        found.append(rolls_of(server, record_of(server, match).closings[2]))
    assert found[0] == found[1]


# A forged past -----------------------------------------------------------------------------------------------


def test_changing_standing_orders_does_not_change_the_past(folder: Path) -> None:
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    for seat in SEATS:
        sealing.set_doctrine(server, match, seat, ["card", "ambush"])
    entry = turn(server, match, red={"r1": "go2"}, blue={"b1": "ambush"})
    used = [finding for finding in findings_of(server, entry, "red") if finding.rule == ANSWERED]
    assert used
    before = to_bytes(load(server, match).run.state)
    for seat in SEATS:
        sealing.set_doctrine(server, match, seat, [])
    assert to_bytes(replay(server, match).run.state) == before
    assert rulings.recompute(server, match, exchange=2, reason="to be sure", by="gm") == [2]
    assert to_bytes(load(server, match).run.state) == before


def test_a_changed_rule_is_not_hidden_by_a_stale_snapshot(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    turn(server, match, red={"r1": "go2"}, blue={})
    old = to_bytes(load(server, match).run.state)

    def nobody_moves(table: Any, name: str, unit: Any) -> Any:
        yield Ask(toy.OTHER[unit.seat], "ambush", "4.2", subject=name)

    monkeypatch.setattr(toy, "move", nobody_moves)
    monkeypatch.setattr(position, "fingerprint", lambda module: "a newer release")
    server.positions.clear()
    assert to_bytes(load(server, match).run.state) != old, "the snapshot of the old release was used"
    assert isinstance(halting.shadow_replay(server, match), Diverged)
    assert record_of(server, match).halted


def test_a_cut_tail_signed_anew_is_exposed_by_a_signed_head(folder: Path) -> None:
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    turn(server, match, red={}, blue={})
    lines = [msgspec.json.decode(line) for line in export(server, match, "red").splitlines()]
    head = signed_head(server, match, turn(server, match, red={"r1": "go2"}, blue={}))
    earlier = read_export(b"".join(canonical(line) + b"\n" for line in lines))
    assert verify_export(earlier, TITLES).ok
    assert not verify_export(earlier, TITLES, heads=[head]).ok


def test_a_late_order_never_spills_into_the_next_exchange(folder: Path) -> None:
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    sealing.seal(server, match, "red", 2, Submission({}))
    close_now(server, match, 2)
    for _ in range(2):
        with pytest.raises(Illegal, match="orders for exchange 2 are closed"):
            sealing.seal(server, match, "red", 2, Submission({"r1": "ambush"}))
        resolving.resolve(server, match)
    assert record_of(server, match).sealed == {}


def test_full_doctrine_does_not_run_a_match_to_its_end(folder: Path) -> None:
    """The main ask of a turn opens and waits, whatever the standing orders say; only reactions need no exchange."""
    server = a_server(folder, 3)
    match = creating.create(server, "ambush", "small")
    for seat in SEATS:
        sealing.set_doctrine(server, match, seat, ["card", "ambush"])
    for seat, account in SEATS.items():
        take_seat(server, match, seat, account)
    assert load(server, match).asked == ["blue", "red"]
    turns = 0
    while not record_of(server, match).ended:
        turn(server, match, red={"r1": "hold"}, blue={"b1": "hold"})
        turns += 1
    assert turns == 5


def test_two_who_resolve_at_once_resolve_once(folder: Path) -> None:
    """If two processes resolve an exchange at once, the second finds it resolved and discards its own result."""
    server, other = a_server(folder, 3), a_server(folder, 3)
    match = a_match(server, scenario="small")
    sealing.seal(server, match, "red", 2, Submission({"r1": "go2"}))
    close_now(server, match, 2)
    real = resolving.run_on

    def overtaken(mine: Server, here: Position, entry: Entry) -> Any:
        resolution = real(mine, here, entry)
        if mine is server:
            resolving.resolve(other, match)
        return resolution

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resolving, "run_on", overtaken)
        resolving.resolve(server, match)
    assert [event.payload["exchange"] for event in resolved(server, match)] == [1, 2]
    replay(server, match)
