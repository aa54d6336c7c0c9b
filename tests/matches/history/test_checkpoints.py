"""A long match opened from its checkpoint equals the match read in full."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.playing import a_match, a_server, moves, play

from eventstore import Event, Events, Lazy
from pbem.engine.rules.state import to_bytes
from pbem.matches.events import MasterActed, OrderSealed, SeatTaken, each, last
from pbem.matches.history import checkpoints
from pbem.matches.history import replay as replaying
from pbem.matches.history.record import Record, fold
from pbem.matches.history.replay import load, record_of
from pbem.matches.rulings import powers, rulings
from pbem.matches.server import Server


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a checkpoint after every second exchange."""
    monkeypatch.setattr(checkpoints, "KEPT", 2)


def opened(server: Server, match: str) -> Record:
    """Return the match's record as a new process would read it."""
    server.forget()
    return record_of(server, match)


def written_and_read(server: Server, record: Record) -> Record:
    """Write a checkpoint of the match, and return the match as read from it."""
    found = checkpoints.read(checkpoints.write_checkpoint(record), server.store, record.stream)
    assert found is not None
    return found


def plain(record: Record) -> dict[str, Any]:
    """Return all fields of a record."""
    rest = {name: getattr(record, name) for name in record.__struct_fields__}
    return {
        **rest,
        "events": [*record.events],
        "history": [*record.history],
        "closings": dict(record.closings),
        "resolved": [*record.resolved],
        "counting": record.counting,
    }


@given(seed=st.integers(0, 10**6), ruled=st.sampled_from(["", "reopen", "recompute"]))
@settings(max_examples=3)
def test_a_record_from_a_checkpoint_is_the_whole_one(folders: Any, seed: int, ruled: str) -> None:
    server = a_server(folders(), seed)
    match = a_match(server, scenario="small", reactions="ask")
    for step, _ in enumerate(moves(server, match, seed)):
        if step == 25:
            break
    if (standing := record_of(server, match)).ended is None and not standing.closing:
        near = standing.resolved[-2].exchange
        if ruled == "reopen":
            rulings.reopen(server, match, after=near, reason="test", by="gm")
        elif ruled == "recompute":
            rulings.recompute(server, match, exchange=near, reason="test", by="gm")
    for step, _ in enumerate(moves(server, match, seed)):
        whole = fold(server.store.read(f"match/{match}"))
        assert plain(opened(server, match)) == plain(whole)
        assert step % 3 or plain(written_and_read(server, whole)) == plain(whole)
    assert opened(server, match).events.before > 0
    assert plain(opened(server, match)) == plain(fold(server.store.read(f"match/{match}")))


def test_an_exchange_that_was_recomputed_keeps_its_first_result(tmp_path: Path) -> None:
    server = a_server(tmp_path)
    match = a_match(server, scenario="small", reactions="ask")
    steps = moves(server, match, 3)
    while len(record_of(server, match).resolved) < 5:
        next(steps)
    rulings.recompute(server, match, exchange=record_of(server, match).last, reason="test", by="gm")
    whole = fold(server.store.read(f"match/{match}"))
    assert whole.closings[whole.last].resolved != whole.history[-1].resolved
    assert plain(written_and_read(server, whole)) == plain(whole)


@pytest.fixture
def long(tmp_path: Path) -> tuple[Server, str]:
    server = a_server(tmp_path)
    match = a_match(server, scenario="small", reactions="ask")
    play(server, match, 3)
    return server, match


def read_of(server: Server, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that collects how many events each later read of the store returns."""
    found, read = list[int](), server.store.read

    def counted(*args: Any, **more: Any) -> list[Event]:
        events = read(*args, **more)
        found.append(len(events))
        return events

    monkeypatch.setattr(server.store, "read", counted)
    return found


def test_opening_a_long_match_does_not_read_its_log(
    long: tuple[Server, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, match = long
    counts = read_of(server, monkeypatch)
    record = opened(server, match)
    assert sum(counts) < record.version // 3
    server.forget()
    position = load(server, match)
    assert position.record.resolved[-1].exchange == record.last and position.record.closing is None
    assert sum(counts) < record.version // 3 * 2 + 2


def test_events_of_a_rare_type_are_found_without_the_others(
    long: tuple[Server, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, match = long
    record = opened(server, match)
    counts = read_of(server, monkeypatch)
    assert [taken.seat for _, taken in each(record.events, SeatTaken)] == ["blue", "red"]
    assert last(record.events, MasterActed) is None
    assert record.events[0].type == "match.created" and record.events[3].version == 4
    assert sum(counts) == 4
    assert [one.version for one, _ in each(record.events, OrderSealed)] == sorted(record.counting)
    assert [one.version for one, _ in each(record.events, OrderSealed, newest_first=True)] == sorted(
        record.counting, reverse=True
    )


def test_a_checkpoint_of_another_history_is_not_used(long: tuple[Server, str]) -> None:
    """A checkpoint newer than the database, which was restored from a backup, is not used."""
    server, match = long
    record, stream = record_of(server, match), f"match/{match}"
    made = checkpoints.write_checkpoint(record)
    short = server.store.read(stream, upto=record.version - 3)

    class Restored:
        """A store without the last three events."""

        def read(self, stream: str, *, after: int = 0, upto: int | None = None) -> list[Event]:
            return short[after:upto]

    assert checkpoints.read(made, Restored(), stream) is None  # type: ignore[arg-type]


def test_code_that_reads_events_otherwise_does_not_use_an_older_checkpoint(
    long: tuple[Server, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, match = long
    monkeypatch.setattr("pbem.matches.server.record_print", lambda: "another release")
    assert opened(server, match).events.before == 0


def test_a_master_who_acts_is_seen_through_a_checkpoint(tmp_path: Path) -> None:
    server = a_server(tmp_path)
    match = a_match(server, scenario="small", reactions="ask")
    steps = moves(server, match, 3)
    for _ in range(12):
        next(steps)
    powers.hold(server, match, why="a while", by="gm")
    powers.release(server, match, why="on", by="gm")
    for _ in steps:
        pass
    record = opened(server, match)
    acts = [acted.act for event, acted in each(record.events, MasterActed) if event.version <= record.events.before]
    assert acts == ["hold", "release"]


# The sequences themselves ------------------------------------------------------------------------------------


@given(before=st.integers(0, 6), recent=st.integers(0, 6), place=st.integers(-15, 15), stop=st.integers(-15, 15))
def test_a_lazy_sequence_is_a_list(before: int, recent: int, place: int, stop: int) -> None:
    whole = [*range(before + recent)]
    lazy = Lazy(whole[before:], before, lambda: [*whole, -1])
    assert [*lazy] == whole and [*reversed(lazy)] == whole[::-1] and len(lazy) == len(whole)
    assert lazy[place:stop] == whole[place:stop] and lazy[::-2] == whole[::-2]
    assert lazy[place:] == whole[place:]
    if -len(whole) <= place < len(whole):
        assert lazy[place] == whole[place]
    else:
        with pytest.raises(IndexError):
            lazy[place]


def test_what_is_new_is_at_hand() -> None:
    lazy = Lazy([4, 5], 4, lambda: pytest.fail("the older ones were read"))
    assert lazy[-1] == 5 and lazy[-2:] == [4, 5] and next(reversed(lazy)) == 5 and len(lazy) == 6
    one = lazy.copy()
    one.recent.append(6)
    assert len(lazy) == 6 and one[-1] == 6
    assert len(Events()) == 0 and not Lazy(())


def test_with_new_code_only_the_first_reader_replays_everything(
    long: tuple[Server, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, match = long
    expected, applied, apply = to_bytes(load(server, match).run.state), list[int](), replaying.apply
    monkeypatch.setattr(replaying, "LONG", 3)
    monkeypatch.setattr(replaying, "fingerprint_of", lambda server, record: "another release")
    monkeypatch.setattr(replaying, "apply", lambda *args, **more: (applied.append(1), apply(*args, **more))[1])
    for most in (99, 0):
        applied.clear()
        server.forget()
        assert to_bytes(load(server, match).run.state) == expected
        assert len(applied) <= most
