"""Verification names every forged act of procedure in a log whose chain, parts, dice and signatures all fit."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.forgeries.forging import (
    Lines,
    events_of,
    first,
    forged,
    insert_before,
    joined,
    lines_of,
    read_forged,
    remove,
)
from support.hosts import engines
from support.playing import MASTER, NOON, a_match, a_server, close_now, moves, play
from support.toy import AmbushTitle

from eventstore import EventStore, NewEvent
from pbem.engine.rules.title import Submission
from pbem.matches.audit.conduct import shapes
from pbem.matches.audit.problems import Report
from pbem.matches.audit.verify import verify_export
from pbem.matches.clock import tick
from pbem.matches.exchange import advancing, closing, ending, ladder_starts, resolving, sealing
from pbem.matches.history import ladders
from pbem.matches.history.export import export, read_export
from pbem.matches.history.ladders import RESTORED
from pbem.matches.history.receipts import Signer
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.matches.server import Server

TITLES = {"ambush": AmbushTitle()}
HOUR = 3_600_000


@pytest.fixture(scope="module")
def played(folders: Callable[[], Path]) -> tuple[Server, str]:
    """Return a server and a match with a game master, played to its end."""
    server = a_server(folders(), 3)
    match = a_match(server, scenario="small")
    play(server, match, 3)
    return server, match


@pytest.fixture(scope="module")
def timed(folders: Callable[[], Path]) -> tuple[Server, str]:
    """Return a match whose second exchange was closed at its deadline without red's orders."""
    now = [NOON]
    drawn = lambda label: hashlib.sha256(label.encode()).digest()  # noqa: E731
    server = open_server(folders() / "pbem.db", TITLES, entropy=drawn, clock=lambda: now[0])
    match = a_match(server, more={"cadence": 24, "timing": {"grace": 2}})
    sealing.seal(server, match, "blue", 2, Submission({}))
    now[0] = NOON + 26 * HOUR
    assert closing.close(server, match, exchange=2, why="deadline")
    resolving.resolve(server, match)
    return server, match


def append(server: Server, match: str, type: str, **payload: Any) -> None:
    stream = f"match/{match}"
    server.store.append(stream, [NewEvent(type, payload)], expected=server.store.version(stream))


def verdict(server: Server, match: str, change: Callable[[Lines], None], **more: Any) -> Report:
    return verify_export(read_forged(server, match, change), TITLES, **more)


def codes(report: Report) -> set[str]:
    return {problem.code for problem in report.problems}


def test_the_honest_logs_hold(played: tuple[Server, str], timed: tuple[Server, str]) -> None:
    for server, match in (played, timed):
        assert verify_export(read_export(export(server, match, "red")), TITLES, server=server.id).problems == []


# Orders ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["replaced", "withdrawn"])
def test_an_order_with_a_receipt_is_replaced_or_withdrawn_by_the_server(
    folders: Callable[[], Path], how: str
) -> None:
    server = a_server(folders(), 3)
    match = a_match(server)
    receipt = sealing.seal(server, match, "red", 2, Submission({"r1": "go2"}))
    if how == "replaced":
        sealing.seal(server, match, "red", 2, Submission({"r1": "hold"}))
    else:
        sealing.withdraw(server, match, "red", 2)
    sealing.seal(server, match, "blue", 2, Submission({}))
    close_now(server, match, 2)
    resolving.resolve(server, match)
    found = read_export(export(server, match, "red"))
    assert verify_export(found, TITLES).ok, "nothing in the file alone gives it away"
    report = verify_export(found, TITLES, receipts=[receipt])
    assert codes(report) == {f"receipt-{how}"}
    assert report.problems[0].version == receipt_version(server, match, receipt.event) + 1


def receipt_version(server: Server, match: str, hash: str) -> int:
    return next(event.version for event in record_of(server, match).events if event.hash == hash)


def test_a_player_who_shows_all_receipts_of_an_exchange_accuses_nobody(folders: Callable[[], Path]) -> None:
    server = a_server(folders(), 3)
    match = a_match(server)
    both = [sealing.seal(server, match, "red", 2, Submission({"r1": order})) for order in ("go2", "hold")]
    play(server, match, 3)
    found = read_export(export(server, match, "red"))
    assert verify_export(found, TITLES, receipts=both).ok
    assert verify_export(found, TITLES, receipts=both[::-1]).ok


def test_an_order_recorded_after_the_deadline_counts(timed: tuple[Server, str]) -> None:
    def late(lines: Lines) -> None:
        sealed = first(lines, "order.sealed", seat="blue")
        sealed["recorded_at"] = NOON + 26 * HOUR + 1
        for event in events_of(lines)[events_of(lines).index(sealed) :]:
            event["recorded_at"] = max(event["recorded_at"], sealed["recorded_at"])

    assert codes(verdict(*timed, late)) == {"late"}


def test_an_order_that_a_listener_accepted_in_time_counts(timed: tuple[Server, str]) -> None:
    def handled_later(lines: Lines) -> None:
        sealed = first(lines, "order.sealed", seat="blue")
        sealed["recorded_at"], sealed["payload"]["accepted"] = NOON + 26 * HOUR + 1, NOON + 23 * HOUR
        for event in events_of(lines)[events_of(lines).index(sealed) :]:
            event["recorded_at"] = max(event["recorded_at"], sealed["recorded_at"])

    assert verdict(*timed, handled_later).ok


# Closing -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hours", [0, 23, 25])
def test_an_exchange_closed_before_its_announced_deadline(timed: tuple[Server, str], hours: int) -> None:
    def early(lines: Lines) -> None:
        for event in events_of(lines):
            event["recorded_at"] = min(event["recorded_at"], NOON + hours * HOUR)

    assert codes(verdict(*timed, early)) == {"closed-early"}


def test_a_deadline_moved_to_an_earlier_time_shows_too(timed: tuple[Server, str]) -> None:
    def early(lines: Lines) -> None:
        closed = first(lines, "exchange.closed", exchange=2)
        said = {"exchange": 2, "at": NOON + HOUR, "why": "sooner", "cause": "extension"}
        insert_before(lines, closed, "deadline.set", **said)

    assert codes(verdict(*timed, early)) == {"deadline-moved"}


def test_an_exchange_closed_at_a_deadline_that_nobody_announced(timed: tuple[Server, str]) -> None:
    report = verdict(*timed, lambda lines: remove(lines, first(lines, "deadline.set")))
    assert codes(report) == {"closed-no-deadline"}


def test_an_exchange_closed_as_final_when_nobody_was(played: tuple[Server, str]) -> None:
    def not_final(lines: Lines) -> None:
        remove(lines, first(lines, "order.final", exchange=2, seat="red"))
        remove(lines, first(lines, "order.final", exchange=2, seat="blue"))

    report = verdict(*played, not_final)
    assert codes(report) == {"closed-not-final"}
    assert "red" in report.problems[0].what
    assert "blue" in report.problems[0].what


def test_an_exchange_closed_by_a_game_master_who_did_nothing(played: tuple[Server, str]) -> None:
    def by_master(lines: Lines) -> None:
        first(lines, "exchange.closed", exchange=2)["payload"]["why"] = "master"

    assert codes(verdict(*played, by_master)) == {"closed-by-nobody"}
    assert codes(verdict(*played, lambda lines: said(lines, "exchange.closed", why="whim"))) == {"closed-why"}


def said(lines: Lines, type: str, **payload: Any) -> None:
    first(lines, type, exchange=2)["payload"].update(payload)


# Seats and powers --------------------------------------------------------------------------------------------


def test_a_seat_handed_over_without_the_acts_that_allow_it(played: tuple[Server, str]) -> None:
    def taken_away(lines: Lines) -> None:
        closed = first(lines, "order.sealed", exchange=3)
        insert_before(lines, closed, "seat.left", seat="red", why="handed over")
        insert_before(lines, closed, "seat.taken", seat="red", account="cid")

    assert codes(verdict(*played, taken_away)) == {"seat"}


def test_a_seat_handed_over_to_an_account_that_never_offered(played: tuple[Server, str]) -> None:
    def to_anybody(lines: Lines) -> None:
        closed = first(lines, "order.sealed", exchange=3)
        insert_before(lines, closed, "seat.left", seat="red", why="handed over", by="ann")
        insert_before(lines, closed, "seat.taken", seat="red", account="cid")

    def to_a_substitute(lines: Lines) -> None:
        closed = first(lines, "order.sealed", exchange=3)
        insert_before(lines, closed, "substitute.named", account="cid")
        insert_before(lines, closed, "seat.left", seat="red", why="handed over", by="ann")
        insert_before(lines, closed, "seat.taken", seat="red", account="cid")

    assert codes(verdict(*played, to_anybody)) == {"seat"}
    assert codes(verdict(*played, to_a_substitute)) == {"replay"}, "procedure has no objection"


def test_a_game_master_may_replace_an_occupant_and_a_stranger_may_not(played: tuple[Server, str]) -> None:
    def replaced(by: str) -> Callable[[Lines], None]:
        def change(lines: Lines) -> None:
            closed = first(lines, "order.sealed", exchange=3)
            insert_before(lines, closed, "master.acted", by=by, act="replace", why="absent", seat="red")
            insert_before(lines, closed, "seat.left", seat="red", why="absent")
            insert_before(lines, closed, "seat.taken", seat="red", account="cid")

        return change

    assert codes(verdict(*played, replaced(MASTER))) == {"replay"}, "procedure has no objection"
    assert codes(verdict(*played, replaced("eve"))) == {"seat", "by-nobody"}


@pytest.mark.parametrize("master", ["", "gm", "ann"])
def test_a_ruling_by_nobody(folders: Callable[[], Path], master: str) -> None:
    server = a_server(folders(), 3)
    match = a_match(server, master=master)
    for step, _ in enumerate(moves(server, match, 3)):
        if step == 8:
            break
    append(server, match, "ruling.reopened", after=1, reason="so it pleases", by="ann")
    report = verify_export(read_export(export(server, match, "red")), TITLES)
    assert codes(report) == {"by-nobody"}, "ann plays in this match, and is its game master at most in one case"


# The log -----------------------------------------------------------------------------------------------------


def test_an_unknown_event_type_schema_or_format_number(played: tuple[Server, str]) -> None:
    def unknown(lines: Lines) -> None:
        insert_before(lines, first(lines, "exchange.closed", exchange=2), "dice.loaded", exchange=2)

    def newer(lines: Lines) -> None:
        first(lines, "order.sealed")["schema"] = 9

    def format_two(lines: Lines) -> None:
        lines[0]["header"]["format"] = 99

    for change in (unknown, newer, format_two):
        assert codes(verdict(*played, change)) == {"unknown"}


def test_a_blob_or_a_part_that_no_event_names(played: tuple[Server, str]) -> None:
    def blob(lines: Lines) -> None:
        content = b"another map"
        lines.insert(
            -1,
            {"blob": {"digest": hashlib.sha256(content).hexdigest(), "content": base64.b64encode(content).decode()}},
        )

    assert codes(verdict(*played, blob)) == {"blob"}


def test_the_verifier_in_the_browser_knows_every_event_type_of_a_match() -> None:
    """Every event type of a match is listed in KNOWN of the browser's verifier."""
    page = (Path(__file__).parents[3] / "pbem" / "web" / "static" / "verify.html").read_text()
    listed = re.search(r"const KNOWN = \{(.*?)\};", page, re.S)
    assert listed is not None
    assert {word: int(schema) for word, schema in re.findall(r'"([a-z.-]+)": (\d+)', listed[1])} == shapes.KNOWN


def test_the_end_lies_under_a_signed_head(played: tuple[Server, str]) -> None:
    server, match = played
    record = record_of(server, match)
    assert record.ended is not None
    head = ending.newest_head(server, match)
    assert head.event == record.events[-1].hash
    assert head.genuine()
    assert verify_export(read_export(export(server, match, "red")), TITLES, heads=[head]).ok

    def longer(lines: Lines) -> None:
        events_of(lines)[-1]["recorded_at"] += 1

    assert codes(verdict(server, match, longer, heads=[head])) == {"head"}
    older = ending.signed_head(server, match, record.resolved[-2])
    assert any(
        "later than the newest signed head" in fact for fact in verdict(server, match, longer, heads=[older]).facts
    )


# The server's key --------------------------------------------------------------------------------------------


def test_another_servers_key_is_the_first_problem(played: tuple[Server, str]) -> None:
    server, match = played
    content = export(server, match, "red")
    stranger = Signer(bytes(32)).server
    report = verify_export(read_export(content), TITLES, server=stranger)
    assert codes(report) == {"server"}
    assert not verify_export(read_export(content), TITLES).pinned
    assert verify_export(read_export(content), TITLES, server=server.id).pinned


# Ladders -----------------------------------------------------------------------------------------------------


def test_a_restored_backup_voids_what_is_sealed_and_asks_again(folders: Callable[[], Path]) -> None:
    folder, restored = folders(), folders()
    server = a_server(folder, 4)
    match = a_match(server)
    sealing.seal(server, match, "red", 2, Submission({"r1": "go2"}), final=True)
    server.store.backup(folder / "backup.db")
    EventStore.restore(folder / "backup.db", restored / "pbem.db")
    engines.install(restored / "pbem.db")
    for name in ("pbem.key", "pbem.storage"):
        (restored / name).write_bytes((folder / name).read_bytes())
    again = a_server(restored, 4)
    tick.recover(again)
    record = record_of(again, match)
    assert [event.type for event in record.events[-2:]] == ["exchange.voided", "ladder.started"]
    assert record.sealed == {}
    assert record.open_exchange == 3
    play(again, match, 4)
    assert verify_export(read_export(export(again, match, "red")), TITLES).ok


def test_a_server_cannot_draw_ladders_until_the_dice_please_it(folders: Callable[[], Path]) -> None:
    """A server that knows all orders cannot claim a restore in order to resolve with a ladder that it prefers."""
    server = a_server(folders(), 4)
    match = a_match(server)
    for seat in ("red", "blue"):
        sealing.seal(server, match, seat, 2, Submission({}), final=True)
    with server.change(record_of(server, match), "ladder") as change:
        ladder_starts.append_with_ladder(change, [], RESTORED)
    advancing.advance(server, match)
    report = verify_export(read_export(export(server, match, "red")), TITLES)
    assert codes(report) == {"sealed-before-ladder", "voided"}


@pytest.mark.parametrize("column", ["sealed", "base", ""])
def test_a_damaged_ladder_halts_the_match_before_a_die_is_rolled(folders: Callable[[], Path], column: str) -> None:
    server = a_server(folders(), 4)
    match = a_match(server)
    for seat in ("red", "blue"):
        sealing.seal(server, match, seat, 2, Submission({}), final=True)
    change = f"UPDATE {ladders.TABLE} SET {column} = ?" if column else f"DELETE FROM {ladders.TABLE}"
    with server.store.transaction("damage") as transaction:
        transaction.database.execute(change, (7 if column == "base" else bytes(32),) if column else ())
    advancing.advance(server, match)
    record = record_of(server, match)
    assert record.halted is not None
    assert record.last == 1, "nothing was closed, so no die is fixed"
    assert list(record.sealed) == ["red", "blue"]


def test_forged_lines_are_what_they_seem(played: tuple[Server, str]) -> None:
    """An unchanged log that is signed again verifies, so the forging itself changes nothing."""
    server, match = played
    assert joined(lines_of(forged(server, match, lambda lines: None))) == export(server, match, "red")
