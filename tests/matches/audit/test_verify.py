"""Anyone can check an export: every roll even without the rules, and every kind of tampering is found and located."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.hosts import engines
from support.playing import a_match, a_server, moves, play
from support.toy import AmbushTitle

from eventstore import Event, EventStore, canonical, commitment, event_hash
from pbem.engine.rules.refusals import Unreadable
from pbem.engine.rules.title import Submission
from pbem.matches.audit.verify import Report, verify_export
from pbem.matches.clock import tick
from pbem.matches.exchange import sealing
from pbem.matches.exchange.ending import signed_head
from pbem.matches.history.export import Export, archive, archives, export, read_archive, read_export
from pbem.matches.history.receipts import Signer
from pbem.matches.history.replay import load, record_of
from pbem.matches.rulings import rulings
from pbem.matches.server import Server

TITLES = {"ambush": AmbushTitle()}
seeds = st.integers(0, 10**6)


def checked(content: bytes, **more: Any) -> Report:
    return verify_export(read_export(content), TITLES, **more)


@pytest.fixture(scope="module")
def played(folders: Callable[[], Path]) -> tuple[Server, str]:
    server = a_server(folders(), 3)
    match = a_match(server, scenario="small")
    play(server, match, 3)
    return server, match


@given(seed=seeds, viewer=st.sampled_from(["red", "blue", "public", "master"]), stop=st.integers(0, 30))
@settings(max_examples=15)
def test_every_export_of_every_viewer_verifies_at_any_moment(
    folders: Callable[[], Path], seed: int, viewer: str, stop: int
) -> None:
    server = a_server(folders(), seed)
    match = a_match(server)
    for step, _ in enumerate(moves(server, match, seed)):
        if step == stop:
            break
    report = checked(export(server, match, viewer))
    assert report.ok, report.problems
    if record_of(server, match).ended:
        assert "replayed from the first event with the same result" in report.facts


def test_before_the_end_an_export_holds_no_part_of_the_other_seat(folders: Callable[[], Path]) -> None:
    server = a_server(folders(), 1)
    match = a_match(server)
    for step, _ in enumerate(moves(server, match, 1)):
        if step == 9:
            break
    mine = read_export(export(server, match, "red"))
    shown = {(ref.name, ref.audience) for event in mine.events for ref in event.parts if ref.commitment in mine.parts}
    assert {audience for _, audience in shown} == {"red", "public"}
    assert ("order", "red") in shown


def test_superseded_orders_stay_closed_after_the_end(folders: Callable[[], Path]) -> None:
    server = a_server(folders(), 1)
    match = a_match(server)
    first = sealing.seal(server, match, "red", 2, Submission({"r1": "hold"}))
    second = sealing.seal(server, match, "red", 2, Submission({"r1": "ambush"}))
    play(server, match, 1)
    seen_by_blue = read_export(export(server, match, "blue")).parts
    assert second.commitment in seen_by_blue
    assert first.commitment not in seen_by_blue


# Tampering ---------------------------------------------------------------------------------------------------


def lines_of(content: bytes) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in content.splitlines()]


def joined(lines: list[dict[str, Any]]) -> bytes:
    return b"".join(canonical(line) + b"\n" for line in lines)


def event_lines(lines: list[dict[str, Any]]) -> list[int]:
    return [index for index, line in enumerate(lines) if "event" in line]


def rechained(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Recompute versions, previous hashes and hashes of changed events, as a forger would."""
    previous, version = "", 0
    for line in lines:
        if "event" in line:
            body = line["event"]
            version += 1
            body["version"] = version
            body["previous"] = previous or body["previous"]
            body["hash"] = event_hash(msgspec.convert({**body, "position": 0}, Event))
            previous = body["hash"]
    return lines


@given(data=st.data())
@settings(max_examples=40)
def test_a_changed_byte_is_found_and_located(played: tuple[Server, str], data: st.DataObject) -> None:
    content = bytearray(export(*played, "red"))
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= 1 << data.draw(st.integers(0, 6))
    line = bytes(content[:place]).count(b"\n")
    try:
        report = checked(bytes(content))
    except Unreadable as refusal:
        assert refusal.part.startswith("line")
        return
    if read_export(bytes(content)) == read_export(export(*played, "red")):
        return  # the byte carried no meaning
    assert not report.ok
    located = {problem.version for problem in report.problems}
    if 1 <= line <= len(read_export(export(*played, "red")).events):
        assert located & {0, line, line + 1}, (line, report.problems)


@given(data=st.data(), chain=st.booleans())
@settings(max_examples=30)
def test_dropped_doubled_moved_and_added_events_are_located(
    played: tuple[Server, str], data: st.DataObject, chain: bool
) -> None:
    lines = lines_of(export(*played, "red"))
    events = event_lines(lines)
    at = data.draw(st.integers(1, len(events) - 2))
    how = data.draw(st.sampled_from(["drop", "double", "swap", "insert"]))
    row = events[at]
    if how == "drop":
        del lines[row]
    elif how == "double":
        lines.insert(row, msgspec.json.decode(canonical(lines[row])))
    elif how == "swap":
        lines[row], lines[row + 1] = lines[row + 1], lines[row]
    else:
        extra = msgspec.json.decode(canonical(lines[row]))
        extra["event"]["type"] = "order.withdrawn"
        lines.insert(row, extra)
    report = checked(joined(rechained(lines) if chain else lines))
    assert not report.ok
    first = min(problem.version for problem in report.problems if problem.version)
    assert first in (at + 1, at + 2), (how, at + 1, report.problems)


def test_a_cut_tail_is_found(played: tuple[Server, str]) -> None:
    content = export(*played, "red")
    lines = lines_of(content)
    del lines[event_lines(lines)[-1]]
    assert "the end of the log is missing" in str(checked(joined(lines)).problems)
    no_trailer = joined(lines_of(content)[:-1])
    assert "cut off" in str(checked(no_trailer).problems)


def test_a_changed_die_is_found_even_if_everything_is_signed_anew(played: tuple[Server, str]) -> None:
    """If the server changes a die and signs everything again, the ladder exposes it."""
    server, match = played
    forged = forge(
        server, match, lambda event, content: _change_die(content) if event.type.endswith("resolved") else None
    )
    report = verify_export(forged, TITLES)
    assert any("roll" in problem.what for problem in report.problems), report.problems


def _change_die(content: bytes) -> bytes | None:
    rolls = msgspec.json.decode(content)
    if not (isinstance(rolls, list) and rolls and "sides" in rolls[0]):
        return None
    rolls[0]["result"] = rolls[0]["result"] % rolls[0]["sides"] + 1
    return canonical(rolls)


def test_swapped_sealed_orders_are_found(played: tuple[Server, str]) -> None:
    """If the valid answers of two seats are swapped and everything is signed again, verification finds it."""
    server, match = played
    lines = lines_of(export(server, match, "master"))
    closing = next(line["event"] for line in lines if "event" in line and len(line["event"]["parts"]) == 2)
    one, two = closing["parts"]
    one["commitment"], two["commitment"] = two["commitment"], one["commitment"]
    report = verify_export(sign_anew(server, lines), TITLES)
    assert any("not what was sealed" in problem.what or "salt" in problem.what for problem in report.problems)


def forge(server: Server, match: str, change: Callable[[Event, bytes], bytes | None]) -> Export:
    """Change the first part for which `change` returns new content, and make commitments, chain and signature fit."""
    lines = lines_of(export(server, match, "master"))
    parts = {line["part"]["commitment"]: line["part"] for line in lines if "part" in line}
    for line in lines:
        if "event" not in line:
            continue
        event = msgspec.convert({**line["event"], "position": 0}, Event)
        for ref in line["event"]["parts"]:
            part = parts[ref["commitment"]]
            changed = change(event, base64.b64decode(part["content"]))
            if changed is not None:
                part["content"] = base64.b64encode(changed).decode()
                part["commitment"] = ref["commitment"] = commitment(bytes.fromhex(part["salt"]), changed)
                return sign_anew(server, lines)
    raise AssertionError("nothing to change")


def sign_anew(server: Server, lines: list[dict[str, Any]]) -> Export:
    rechained(lines)
    body = {name: value for name, value in lines[-1]["trailer"].items() if name != "signature"}
    body["hashes"] = [line["event"]["hash"] for line in lines if "event" in line]
    body["count"] = len(body["hashes"])
    lines[-1] = {"trailer": {**body, "signature": server.signer.sign(body)}}
    return read_export(joined(lines))


def test_one_receipt_exposes_a_log_that_was_signed_anew(folders: Callable[[], Path]) -> None:
    server = a_server(folders(), 8)
    match = a_match(server)
    receipt = sealing.seal(server, match, "red", 2, Submission({"r1": "ambush"}))
    play(server, match, 8)
    assert checked(export(server, match, "red"), receipts=[receipt]).ok
    lines = lines_of(export(server, match, "red"))
    for index in event_lines(lines)[2:]:
        lines[index]["event"]["recorded_at"] += 1
    forged = sign_anew(server, lines)
    assert verify_export(forged, TITLES).ok  # nothing in the file alone gives it away
    report = verify_export(forged, TITLES, receipts=[receipt])
    assert [problem.version for problem in report.problems] != [0]
    assert "not the one that the server signed" in report.problems[0].what


def test_one_signed_head_exposes_a_forked_log(folders: Callable[[], Path]) -> None:
    server = a_server(folders(), 8)
    match = a_match(server)
    record = play(server, match, 8).record
    head = signed_head(server, match, record.resolved[1])
    assert head.genuine()
    assert checked(export(server, match, "red"), heads=[head]).ok
    lines = lines_of(export(server, match, "red"))
    lines[event_lines(lines)[2]]["event"]["recorded_at"] += 1
    assert not verify_export(sign_anew(server, lines), TITLES, heads=[head]).ok


def test_another_servers_signature_does_not_count(played: tuple[Server, str]) -> None:
    server, match = played
    lines = lines_of(export(server, match, "red"))
    body = {name: value for name, value in lines[-1]["trailer"].items() if name != "signature"}
    lines[-1]["trailer"]["signature"] = Signer(bytes(range(32))).sign(body)
    assert "not signed by this server" in str(checked(joined(lines)).problems)


def test_a_truncated_file_is_refused_with_its_line(played: tuple[Server, str]) -> None:
    content = export(*played, "red")
    with pytest.raises(Unreadable, match="line"):
        read_export(content[: len(content) // 2])
    with pytest.raises(Unreadable, match="not contain an export"):
        read_export(b"")


# Rungs -------------------------------------------------------------------------------------------------------


def rungs(server: Server, match: str) -> list[str]:
    return [event.payload["rung"] for event in record_of(server, match).events if event.type == "exchange.resolved"]


@given(seed=seeds)
@settings(max_examples=8)
def test_no_rung_is_used_twice_after_reopening(folders: Callable[[], Path], seed: int) -> None:
    server = a_server(folders(), seed)
    match = a_match(server)
    play(server, match, seed)
    rulings.reopen(server, match, after=2, reason="a wrong hex", by="gm")
    play(server, match, seed)
    used = rungs(server, match)
    assert len(used) == len(set(used))
    assert checked(export(server, match, "red")).ok
    ladders = [event for event in record_of(server, match).events if event.type == "ladder.started"]
    assert len(ladders) == 1, "an ended match has published its key"


def test_no_rung_is_used_twice_after_restoring_a_backup(folders: Callable[[], Path]) -> None:
    folder = folders()
    server = a_server(folder, 4)
    match = a_match(server)
    for step, _ in enumerate(moves(server, match, 4)):
        if step == 8:
            server.store.backup(folder / "backup.db")
    lost = rungs(server, match)
    restored = folders()
    EventStore.restore(folder / "backup.db", restored / "pbem.db")
    engines.install(restored / "pbem.db")
    for name in ("pbem.key", "pbem.storage"):
        (restored / name).write_bytes((folder / name).read_bytes())
    again = a_server(restored, 4, titles=TITLES)
    tick.recover(again)
    tick.recover(again)
    play(again, match, 4)
    kept = len(read_export(export(server, match, "red")).events)
    assert kept > 10
    fresh = [rung for rung in rungs(again, match) if rung not in rungs(again, match)[:2]]
    assert not set(fresh) & set(lost[2:])
    assert len([e for e in record_of(again, match).events if e.type == "ladder.started"]) == 1
    assert checked(export(again, match, "red")).ok


def test_an_export_can_be_archived_and_read_again(played: tuple[Server, str], folders: Callable[[], Path]) -> None:
    content = export(*played, "red")
    other = a_server(folders(), 99)
    digest = archive(other, content)
    assert archives(other) == [(digest, played[0].id, played[1], "red")]
    assert checked(read_archive(other, digest)).ok
    assert load(*played).record.ended
