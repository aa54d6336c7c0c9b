"""Attacks with the server's key: forged results, orders, dice and exports."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from matches.attacks.attacked import TITLES, turn
from support.playing import a_match, a_server, close_now, play

from eventstore import Event, NewEvent, NewPart, canonical
from pbem.engine.play.dice import Roll, die, wrong_roll
from pbem.engine.rules.findings import PUBLIC
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Submission
from pbem.matches import events, unit_of_work
from pbem.matches.audit.verify import Report, verify_export
from pbem.matches.events import BeaconTaken
from pbem.matches.exchange import (
    closing,
    ladder_starts,
    resolving,
    rules_versions,
    sealing,
)
from pbem.matches.exchange.seats import leave_seat, take_seat
from pbem.matches.history.export import export, read_export
from pbem.matches.history.ladders import USED_UP
from pbem.matches.history.record import Record
from pbem.matches.history.replay import position_of, record_of
from pbem.matches.rulings import rulings
from pbem.matches.server import Server
from pbem.matches.unit_of_work import Change

pytestmark = pytest.mark.usefixtures("store_that_takes_everything")


def checked(server: Server, match: str, viewer: str = "red", **more: Any) -> Report:
    return verify_export(read_export(export(server, match, viewer)), TITLES, **more)


# A dishonest server ------------------------------------------------------------------------------------------
#
# It signs whatever it likes, so the chain and the trailer fit. What it did must show in the export itself.


def crooked(patch: pytest.MonkeyPatch, type: str, change: Callable[[NewEvent], NewEvent]) -> None:
    """Make the server change events of one type before it records them."""
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
    """Return the event without red's order, although that was sealed in time."""
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
    """Dice are fixed before closing; otherwise the server, which knows all answers and rungs, could choose among
    them."""
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
    """Record a second result for an exchange after its first result has been sent."""
    record = record_of(server, match)
    event = record.events[-1]
    assert event.type == "exchange.resolved"
    kept = [(ref, server.store.part(ref.commitment)) for ref in event.parts]
    parts = tuple(NewPart(ref.name, ref.audience, part.content, part.salt) for ref, part in kept)
    unit_of_work.append(server, record, [NewEvent(event.type, event.payload, parts)], "again")


def played_twice(server: Server, match: str) -> None:
    """Resolve the same answers with the same dice a second time from the new position, although no ruling asks for
    it."""
    record = record_of(server, match)
    here = position_of(server, match, record_of(server, match))
    [(event, _)] = rulings._replay_exchanges(server, here, [record.history[-1]], record.version)
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
    """A verifier notices, without knowing the rules, that the first roll of a name was passed over."""
    rung = bytes(32)
    second = Roll("4.2", ("b1", "r1"), 1, 6, die(rung, "c", "4.2", ("b1", "r1"), 1, 6))
    assert wrong_roll([second], rung, "c") is not None


def test_rules_moved_when_the_result_is_already_known_to_the_server(folder: Path) -> None:
    """After closing, the switches cannot change any more, or the server could compute every result and choose one."""
    server = a_server(folder, 3)
    match = a_match(server)
    close_now(server, match, 2)
    with suppress(Refusal):
        rules_versions.move_rules(server, match, [])
    play(server, match, 3)
    assert record_of(server, match).history[1].kind == "exchange" or not checked(server, match).ok


# Forged exports ----------------------------------------------------------------------------------------------


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
    """In an export of an ended match every part is open, so a missing part is reported as a fault."""
    content = read_export(export(*finished, "red"))
    for event in content.events:
        for ref in event.parts:
            if ref.name == name:
                content.parts.pop(ref.commitment, None)
    assert not verify_export(content).ok


def test_an_export_that_makes_the_verifier_fail(folder: Path) -> None:
    """Verifying nonsense that some server has signed still gives a report."""
    server = a_server(folder, 3)
    match = a_match(server)
    stream = record_of(server, match).stream
    nonsense = [events.ExchangeResolved(99, 1, "1", "no rung", "no state", [], "once").new()]
    server.store.append(stream, nonsense, expected=server.store.version(stream))
    assert not checked(server, match).ok
