"""Attacks on the kernel, named after what they would gain. Each must fail."""

from __future__ import annotations

import collections
import hashlib
import itertools
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support import toy
from support.playing import SEATS, a_match, a_server, close_now, entropy, moves, play
from support.toy import AmbushTitle
from support.worlds import Secret, leaks

from eventstore import Event, NewEvent, NewPart, StoreTrouble, canonical, commitment
from eventstore.store import take_everything
from pbem.engine.play.dice import Dice, Roll, die, step_down, wrong_roll
from pbem.engine.play.resolve import ANSWERED, Diverged
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import PUBLIC, seen_by
from pbem.engine.rules.refusals import Illegal, Refusal, Unreadable
from pbem.engine.rules.state import to_bytes
from pbem.engine.rules.table import Table
from pbem.engine.rules.title import Submission
from pbem.matches import events, unit_of_work
from pbem.matches.audit.verify import Report, verify_export
from pbem.matches.clock import tick
from pbem.matches.events import BeaconTaken
from pbem.matches.exchange import (
    advancing,
    closing,
    creating,
    halting,
    ladder_starts,
    resolving,
    rules_versions,
    sealing,
)
from pbem.matches.exchange.checks import NotOpen
from pbem.matches.exchange.ending import signed_head
from pbem.matches.exchange.seats import leave_seat, take_seat
from pbem.matches.history import replay as position
from pbem.matches.history.export import export, read_export
from pbem.matches.history.ladders import LENGTH, USED_UP
from pbem.matches.history.record import Entry, Record
from pbem.matches.history.replay import Position, context_of, findings_of, load, record_of, replay, replayed, rolls_of
from pbem.matches.installation import open_server
from pbem.matches.rulings import rulings
from pbem.matches.server import Server
from pbem.matches.unit_of_work import Change

TITLES = {"ambush": AmbushTitle()}


@pytest.fixture(autouse=True)
def store_that_takes_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever attacks as the server stores what they like."""
    monkeypatch.setattr("pbem.matches.server.check_new", take_everything)


@pytest.fixture
def folder(folders: Callable[[], Path]) -> Path:
    return folders()


def turn(server: Server, match: str, **orders: dict[str, str] | Submission) -> Entry:
    """Seal these orders (nothing for a seat that is not named), close, resolve."""
    exchange = record_of(server, match).open_exchange
    for seat, given in sorted(orders.items()):
        sealing.seal(server, match, seat, exchange, given if isinstance(given, Submission) else Submission(given))
    close_now(server, match, exchange)
    resolving.resolve(server, match)
    return record_of(server, match).closings[exchange]


def checked(server: Server, match: str, viewer: str = "red", **more: Any) -> Report:
    return verify_export(read_export(export(server, match, viewer)), TITLES, **more)


def resolved(server: Server, match: str) -> list[Event]:
    return [event for event in record_of(server, match).events if event.type == "exchange.resolved"]


# What an opponent could learn --------------------------------------------------------------------------------


def test_closing_does_not_publish_orders_that_are_still_face_down(folder: Path) -> None:
    """With every reaction asked, the rules wait in mid-turn while blue's orders lie hidden."""
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
    """Every combination of blue's orders, under every salt that red holds and under none: nothing fits."""
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
    server.positions.clear()  # the guessing has spoilt the run


def test_an_unused_ambush_and_no_ambush_look_alike(
    folders: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither who is asked, nor when, nor any refusal, form, size or file tells red what blue has in wait."""
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
    """The deck lies as printed; the card drawn follows from the second ladder, which stays closed until the end."""
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


# What the dice could be made to say --------------------------------------------------------------------------


def test_a_reopened_exchange_cannot_be_won_with_the_dice_already_seen(folder: Path) -> None:
    """Its new rung is none that was published, and none that a published one leads to."""
    server = a_server(folder, 1)
    match = a_match(server, scenario="small")
    for _ in range(3):
        turn(server, match, red={}, blue={})
    last = bytes.fromhex(resolved(server, match)[-1].payload["rung"])  # the earlier ones lie below it
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
    """An index that begins anew with each step would give equal dice to equal questions."""
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
    """Whatever the server can still choose after the answers are known must not reach the dice."""
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


# What the past could be made to say --------------------------------------------------------------------------


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
    """The main ask of a turn opens and waits, whatever was said beforehand; reactions cost no exchange."""
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
    """Whoever comes second finds it done, though both have computed."""
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


# A dishonest server ------------------------------------------------------------------------------------------
#
# It signs whatever it likes, so the chain and the trailer fit. What it did must show in the export itself.


def crooked(patch: pytest.MonkeyPatch, type: str, change: Callable[[NewEvent], NewEvent]) -> None:
    """A server that changes events of one type before it records them."""
    real = Change.append

    def append(self: Change, *events: Any) -> Any:
        new = [event if isinstance(event, NewEvent) else event.new() for event in events]
        return real(self, *(change(event) if event.type == type else event for event in new))

    patch.setattr(Change, "append", append)


def said(event: NewEvent, **payload: Any) -> NewEvent:
    return msgspec.structs.replace(event, payload={**event.payload, **payload})


def test_a_false_winner(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = resolving.ended_event
    monkeypatch.setattr(
        resolving,
        "ended_event",
        lambda *given: msgspec.structs.replace(real(*given), outcome={"rule": "5", "winner": "blue", "why": "9:0"}),
    )
    server = a_server(folder, 3)
    match = a_match(server)
    play(server, match, 3)
    assert not checked(server, match).ok


def ignored(event: NewEvent) -> NewEvent:
    """Red's order does not count, although it was sealed in time."""
    parts = tuple(part for part in event.parts if part.name != "answer/red")
    counts = {seat: version for seat, version in event.payload["counts"].items() if seat != "red"}
    return msgspec.structs.replace(said(event, counts=counts), parts=parts)


def test_an_order_silently_left_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crooked(monkeypatch, "exchange.closed", ignored)
    server = a_server(folder, 3)
    match = a_match(server)
    receipt = sealing.seal(server, match, "red", 2, Submission({"r1": "go2"}), final=True)
    play(server, match, 3)
    assert not checked(server, match, receipts=[receipt]).ok


def superseded(server: Server, match: str) -> None:
    sealing.seal(server, match, "red", 2, Submission({"r1": "hold"}))


def withdrawn(server: Server, match: str) -> None:
    sealing.withdraw(server, match, "red", 2)


def left(server: Server, match: str) -> None:
    leave_seat(server, match, "red", "he went away")
    take_seat(server, match, "red", "cid")


@pytest.mark.parametrize("how", [superseded, withdrawn, left])
def test_an_order_that_no_longer_stood(
    folder: Path, monkeypatch: pytest.MonkeyPatch, how: Callable[[Server, str], None]
) -> None:
    server = a_server(folder, 3)
    match = a_match(server)
    old = sealing.seal(server, match, "red", 2, Submission({"r1": "go2"}))
    version = record_of(server, match).version

    def counted(event: NewEvent) -> NewEvent:
        if event.payload["exchange"] != 2:
            return event
        ladder = server.ladder(match, record_of(server, match).ladder)
        part = NewPart("answer/red", "server", canonical(Submission({"r1": "go2"})), ladder.salt(match, 2, "red"))
        others = tuple(part for part in event.parts if part.name != "answer/red")
        event = said(event, counts={**event.payload["counts"], "red": version})
        return msgspec.structs.replace(event, parts=(*others, part))

    how(server, match)
    sealing.seal(server, match, "blue", 2, Submission({}))
    crooked(monkeypatch, "exchange.closed", counted)
    close_now(server, match, 2)
    resolving.resolve(server, match)
    assert record_of(server, match).closings[2].event.payload["counts"]["red"] == version
    play(server, match, 3)
    assert not checked(server, match, receipts=[old]).ok


def more_asked(server: Server, match: str, patch: pytest.MonkeyPatch, n: int) -> None:
    crooked(patch, "exchange.closed", lambda event: said(event, asked=[*event.payload["asked"], f"z{n}"]))


def a_beacon(server: Server, match: str, patch: pytest.MonkeyPatch, n: int) -> None:
    real = closing.close

    def close(server: Server, match: str, **more: Any) -> bool:
        done = real(server, match, **more)
        with server.change(record_of(server, match)) as change:
            change.append(BeaconTaken(more["exchange"], n, f"{n:064x}"))
        return done

    patch.setattr(closing, "close", close)


def one_more_answer(server: Server, match: str, patch: pytest.MonkeyPatch, n: int) -> None:
    def change(event: NewEvent) -> NewEvent:
        ladder = server.ladder(match, record_of(server, match).ladder)
        salt = ladder.salt(match, event.payload["exchange"], "zed")
        part = NewPart("answer/zed", "server", canonical({"answer": n}), salt)
        return msgspec.structs.replace(event, parts=(*event.parts, part))

    crooked(patch, "exchange.closed", change)


def padded_answer(server: Server, match: str, patch: pytest.MonkeyPatch, n: int) -> None:
    class Padded(msgspec.Struct):
        answer: Any
        plan: Any
        pad: int

    real = closing.sealed_submission

    def pad(server: Server, sealed: Event) -> Any:
        given = real(server, sealed)
        return Padded(given.answer, given.plan, n)

    patch.setattr(closing, "sealed_submission", pad)


def a_new_ladder(server: Server, match: str, patch: pytest.MonkeyPatch, n: int) -> None:
    real = closing.close

    def close(server: Server, match: str, **more: Any) -> bool:
        with server.change(
            record_of(server, match), "ladder"
        ) as change:  # an honest server voids the exchange with it
            ladder_starts.append_with_ladder(change, [], USED_UP)
        return real(server, match, **more)

    patch.setattr(closing, "close", close)


@pytest.mark.parametrize("free", [more_asked, a_beacon, one_more_answer, padded_answer, a_new_ladder])
def test_dice_chosen_after_the_answers_are_known(
    folder: Path, monkeypatch: pytest.MonkeyPatch, free: Callable[[Server, str, pytest.MonkeyPatch, int], None]
) -> None:
    """The server knows all answers and its rungs: something free at closing, tried often enough, gives any result."""
    server = a_server(folder, 3)
    match = a_match(server)
    free(server, match, monkeypatch, 7)
    play(server, match, 3)
    assert not checked(server, match).ok


def test_a_receipt_that_restates_other_orders_than_it_commits_to(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = a_server(folder, 3)
    match = a_match(server)
    real = sealing.sign_receipt

    def lying(server: Server, match: str, event: Event, sealed: NewPart, record: Record) -> Any:
        receipt = msgspec.structs.replace(
            real(server, match, event, sealed, record), orders={"answer": {"r1": "go2"}, "plan": {}}, signature=""
        )
        return msgspec.structs.replace(receipt, signature=server.signer.sign(receipt.body()))

    monkeypatch.setattr(sealing, "sign_receipt", lying)
    receipt = sealing.seal(server, match, "red", 2, Submission({"r1": "hold"}))
    assert receipt.orders["answer"] == {"r1": "go2"}
    assert not checked(server, match, receipts=[receipt]).ok


def false_findings(event: NewEvent) -> NewEvent:
    parts = tuple(
        msgspec.structs.replace(part, content=b"[]") if (part.name, part.audience) == ("findings", "red") else part
        for part in event.parts
    )
    return msgspec.structs.replace(event, parts=parts)


def false_asks(event: NewEvent) -> NewEvent:
    return said(event, asks=[])


def false_turn(event: NewEvent) -> NewEvent:
    return said(event, turn=99)


@pytest.mark.parametrize("change", [false_findings, false_asks, false_turn])
def test_a_false_report(
    folder: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[NewEvent], NewEvent]
) -> None:
    real = resolving.resolved_event
    monkeypatch.setattr(resolving, "resolved_event", lambda *given: change(real(*given)))
    server = a_server(folder, 3)
    match = a_match(server)
    play(server, match, 3)
    assert not checked(server, match).ok


def resolved_twice(server: Server, match: str) -> None:
    """A second result for an exchange whose first one has been mailed."""
    record = record_of(server, match)
    event = record.events[-1]
    assert event.type == "exchange.resolved"
    kept = [(ref, server.store.part(ref.commitment)) for ref in event.parts]
    parts = tuple(NewPart(ref.name, ref.audience, part.content, part.salt) for ref, part in kept)
    unit_of_work.append(server, record, [NewEvent(event.type, event.payload, parts)], "again")


def played_twice(server: Server, match: str) -> None:
    """The same answers and the same dice once more, on the position they have led to: no ruling has asked for it."""
    record = record_of(server, match)
    here = replayed(server, match, record_of(server, match))
    [(event, _)] = rulings._recomputed(server, here, [record.history[-1]], record.version)
    unit_of_work.append(server, record, [event], "again")


@pytest.mark.parametrize("how", [resolved_twice, played_twice])
def test_one_rung_used_for_two_results(folder: Path, how: Callable[[Server, str], None]) -> None:
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    turn(server, match, red={}, blue={})
    how(server, match)
    play(server, match, 3)
    assert not checked(server, match).ok


def test_a_bad_roll_passed_over_by_taking_the_next_ordinal() -> None:
    """Without the rules a verifier can still see that the first roll of a name is missing."""
    rung = bytes(32)
    second = Roll("4.2", ("b1", "r1"), 1, 6, die(rung, "c", "4.2", ("b1", "r1"), 1, 6))
    assert wrong_roll([second], rung, "c") is not None


def test_rules_moved_when_the_result_is_already_known_to_the_server(folder: Path) -> None:
    """After closing the server can compute the result under every set of switches and choose."""
    server = a_server(folder, 3)
    match = a_match(server)
    close_now(server, match, 2)
    with suppress(Refusal):
        rules_versions.move_rules(server, match, [])
    play(server, match, 3)
    assert record_of(server, match).history[1].kind == "exchange" or not checked(server, match).ok


# What can be done to an export -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def finished(folders: Callable[[], Path]) -> tuple[Server, str]:
    server = a_server(folders(), 3)
    match = a_match(server)
    play(server, match, 3)
    return server, match


def test_an_export_that_says_it_is_another_viewers(finished: tuple[Server, str]) -> None:
    content = export(*finished, PUBLIC).replace(b'"viewer":"public"', b'"viewer":"master"', 1)
    assert read_export(content).viewer == "master"
    assert not verify_export(read_export(content), TITLES).ok


@pytest.mark.parametrize("name", ["secret-rolls", "answer/red", "autos", "findings"])
def test_an_export_from_which_evidence_was_taken(finished: tuple[Server, str], name: str) -> None:
    """After the end every part of the play is open, so that its absence is a fault of the file."""
    content = read_export(export(*finished, "red"))
    for event in content.events:
        for ref in event.parts:
            if ref.name == name:
                content.parts.pop(ref.commitment, None)
    assert not verify_export(content).ok


def test_an_export_that_makes_the_verifier_fail(folder: Path) -> None:
    """Anybody can run a server and sign nonsense; to read it must give a report."""
    server = a_server(folder, 3)
    match = a_match(server)
    stream = record_of(server, match).stream
    nonsense = [events.ExchangeResolved(99, 1, "1", "no rung", "no state", [], "once").new()]
    server.store.append(stream, nonsense, expected=server.store.version(stream))
    assert not checked(server, match).ok


def test_a_halt_does_not_publish_the_servers_folders(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = a_server(folder, 3)
    match = a_match(server)

    with monkeypatch.context() as patch:
        patch.setitem(toy.AmbushRules.steps, "initiative", broken)
        turn(server, match, red={}, blue={})
    assert record_of(server, match).halted
    advancing.resume_halted(server, match)
    play(server, match, 3)
    for part in read_export(export(server, match, PUBLIC)).parts.values():
        assert b"Traceback" not in part.content


# Several at once, and crashes --------------------------------------------------------------------------------


class Meeting(dict[str, Any]):
    """The server's memory, with two threads made to meet in it: B looks while A's position lies there."""

    def __init__(self) -> None:
        super().__init__()
        self.b_looks, self.a_has_put, self.b_has_it = threading.Event(), threading.Event(), threading.Event()
        self.pops = 0

    def get(self, match: str, default: Any = None) -> Any:
        if threading.current_thread().name == "B" and not self.b_has_it.is_set():
            self.b_looks.set()
            self.a_has_put.wait(0.3)
            found = super().get(match)
            self.b_has_it.set()
            return found
        return super().get(match, default)

    def pop(self, match: str, default: Any = None) -> Any:
        if threading.current_thread().name == "A":
            self.pops += 1
            if self.pops == 2:
                self.a_has_put.set()
                self.b_has_it.wait(0.3)
        return super().pop(match, default)


def test_two_threads_that_resolve_at_once_do_not_share_a_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second runs on where the first has come to, records an exchange that never was, and replay differs."""
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    for seat in SEATS:
        sealing.seal(server, match, seat, 2, Submission({}))
    close_now(server, match, 2)
    server.positions = meeting = Meeting()
    real, a_has_run, b_is_done = resolving.run_on, threading.Event(), threading.Event()

    def run_on(server: Server, here: Position, entry: Entry) -> Any:
        if threading.current_thread().name == "A":
            resolution = real(server, here, entry)
            a_has_run.set()
            b_is_done.wait(0.5)
            return resolution
        a_has_run.wait(0.5)
        return real(server, here, entry)

    monkeypatch.setattr(resolving, "run_on", run_on)

    def second() -> None:
        resolving.resolve(server, match)
        b_is_done.set()

    threads = {"B": threading.Thread(target=second, name="B")}
    threads["A"] = threading.Thread(target=resolving.resolve, args=(server, match), name="A")
    threads["B"].start()
    meeting.b_looks.wait(0.5)
    threads["A"].start()
    for thread in threads.values():
        thread.join(10)
    assert not record_of(server, match).halted
    replay(server, match)


class Crash(BaseException):
    """Like a process that dies here."""


def test_a_crash_while_an_ended_match_is_reopened_does_not_leave_it_with_a_published_key(folder: Path) -> None:
    """Whoever knows the key knows the salts of closing, and can guess what still lies face down."""
    armed: list[str] = []

    def failpoint(name: str) -> None:
        if name in armed:
            raise Crash(name)

    server = a_server(folder, 3, failpoint=failpoint)
    match = a_match(server)
    play(server, match, 3)
    armed.append("ruling:before-commit")
    with pytest.raises(Crash):
        rulings.reopen(server, match, after=1, reason="an order was misread", by="gm")
    again = a_server(folder, 3)
    tick.recover(again)
    if record_of(again, match).ended:
        return  # the ruling did not come to pass: it can be made again
    entry = turn(again, match, red={}, blue={})
    published = {
        hashlib.sha256(bytes.fromhex(opened["key"])).hexdigest()
        for event in record_of(again, match).events
        if event.type == "match.ended"
        for opened in event.payload["opened"]
    }
    assert entry.ladder["key"] not in published


def test_a_database_that_is_busy_for_a_moment_does_not_halt_a_match(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = a_server(folder, 3)
    match = a_match(server)
    close_now(server, match, 2)

    def busy(*given: Any) -> Any:
        raise StoreTrouble("busy")

    with monkeypatch.context() as patch:
        patch.setattr(resolving, "answers_of", busy)
        with suppress(StoreTrouble):
            resolving.resolve(server, match)
    assert not record_of(server, match).halted


def test_a_result_that_the_store_refuses_halts_the_match(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def verbose(table: Any) -> Any:
        table.end("5", None, "why " * 5000)
        return
        yield

    monkeypatch.setitem(toy.AmbushRules.steps, "initiative", verbose)
    server = a_server(folder, 3)
    match = a_match(server)
    close_now(server, match, 2)
    resolving.resolve(server, match)
    assert record_of(server, match).halted


def broken(table: Any) -> Any:
    """A step of a release with a bug."""
    raise ZeroDivisionError("a bug in the rules")
    yield


def start_anew(server: Server, match: str) -> None:
    """What a newer release does with each match when it starts: it has no snapshots of its own yet."""
    server.forget()
    server.store.drop_snapshots()
    halting.shadow_replay(server, match)
    resolving.resolve(server, match)


def test_a_match_whose_past_cannot_be_replayed_does_not_keep_the_server_from_starting(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    turn(server, match, red={}, blue={})
    monkeypatch.setitem(toy.AmbushRules.steps, "initiative", broken)
    start_anew(server, match)
    assert record_of(server, match).halted


def test_a_match_whose_data_no_longer_loads_does_not_keep_the_server_from_starting(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")

    def rules(title: Any, blobs: Any) -> Any:
        raise ValueError("this release wants another column in the chart")

    monkeypatch.setattr(AmbushTitle, "rules", rules)
    start_anew(server, match)
    assert record_of(server, match).halted


# Rulings -----------------------------------------------------------------------------------------------------


def corrected(server: Server, match: str) -> None:
    rulings.correct(server, match, [{"path": ["hands", "red"], "value": [3]}], reason="a card was lost", by="gm")


def moved(server: Server, match: str) -> None:
    """The newer release has no switch that matters here; to name none is a move as well."""
    rules_versions.move_rules(server, match, [])


def test_recomputing_does_not_lose_an_earlier_correction(folder: Path) -> None:
    """Recomputed on the corrected state, recorded, and then replayed without the correction: the past differs."""
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
    """Closing is irrevocable: orders that were sealed and closed are resolved, on whatever the ruling has left."""
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    turn(server, match, red={}, blue={})
    sealing.seal(server, match, "red", 3, Submission({"r1": "go2"}))
    close_now(server, match, 3)
    with suppress(Refusal):  # to wait for the closed exchange would be right as well
        rulings.recompute(server, match, exchange=2, reason="to be sure", by="gm")
    resolving.resolve(server, match)
    third = record_of(server, match).exchange(3)
    assert third is not None
    assert third.resolved is not None


def test_an_order_written_before_a_ruling_is_not_taken_for_an_answer_to_what_is_asked_after_it(folder: Path) -> None:
    """Red's form for exchange 4 was about turn 3. After the ruling 4 is about turn 1."""
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    turn(server, match, red={}, blue={})
    turn(server, match, red={}, blue={})
    form = record_of(server, match).open_exchange
    rulings.reopen(server, match, after=1, reason="an order was misread", by="gm")
    with pytest.raises(NotOpen):
        sealing.seal(server, match, "red", form, Submission({"r1": "go2"}))


def test_a_correction_does_not_let_an_illegal_order_count(folder: Path) -> None:
    """What a `yield` returns is legal: orders sealed before the correction must be judged again."""
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
    """A match with a switch that no release knows is never replayed by a verifier again."""
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    turn(server, match, red={}, blue={})
    with pytest.raises(Unreadable):
        rulings.recompute(server, match, exchange=2, switches=["ambush/no-such"], reason="", by="gm")


def test_recomputing_does_not_tell_whether_hidden_things_have_changed(folder: Path) -> None:
    """Two commitments under one salt are equal exactly if the states are."""
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
    """A plan is about the same turn. Red sends nothing for turn 2; its plan of turn 1 must not act."""
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    first = turn(server, match, red=Submission({}, {"card": 9}), blue={})
    assert "card 9" in str(told_red(server, first))
    second = turn(server, match, blue={})
    assert "card 9" not in str(told_red(server, second))


def test_standing_orders_given_after_closing_do_not_count_in_it(folder: Path) -> None:
    """Closing fixes what counts. A halted match waits for days between closing and resolving."""
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    close_now(server, match, 2)
    sealing.set_doctrine(server, match, "red", ["card"])
    resolving.resolve(server, match)
    assert told_red(server, record_of(server, match).closings[2]) == []


def test_a_finding_that_nobody_may_know_is_not_told_to_everybody() -> None:
    """`to` is often computed: the seats that have spotted something. None of them must not mean all."""
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
