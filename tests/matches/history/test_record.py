"""A record that the server updates event by event equals one built from all its events."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.playing import a_match, a_server, play

from eventstore import NewEvent
from pbem.matches.history.record import fold
from pbem.matches.history.replay import record_of, stream_of
from pbem.matches.rulings import rulings
from pbem.matches.server import Server


def afresh(server: Server, match: str, upto: int | None = None) -> Any:
    return fold(server.store.read(stream_of(match), upto=upto))


@given(seed=st.integers(0, 10**6), reactions=st.sampled_from(["plan", "ask"]))
@settings(max_examples=3)
def test_looked_at_after_every_event_it_is_the_fold_of_all_of_them(folders: Any, seed: int, reactions: str) -> None:
    server = a_server(folders(), seed)
    match = a_match(server, reactions=reactions)
    play(server, match, seed)
    stream = stream_of(match)
    other = Server(server.store.path, server.titles)
    for version in range(1, server.store.version(stream) + 1):
        assert other.record(stream, version) == afresh(server, match, version)
    assert other.record(stream) == server.record(stream) == afresh(server, match)
    assert other.record(stream, 3) == afresh(server, match, 3), "an earlier look does not spoil a later one"
    other.close()


def test_a_ruling_is_folded_on_top_and_leaves_what_others_hold_as_it_was(tmp_path: Path) -> None:
    server = a_server(tmp_path, 3)
    match = a_match(server, scenario="small")
    play(server, match, 3)
    held = record_of(server, match)
    before = afresh(server, match)

    rulings.reopen(server, match, after=1, reason="again", by="gm")

    assert record_of(server, match) == afresh(server, match)
    assert held == before
    assert len(record_of(server, match).history) < len(held.history)


def test_events_of_a_transaction_that_failed_are_forgotten(tmp_path: Path) -> None:
    server = a_server(tmp_path, 3)
    match = a_match(server, scenario="small")
    stream, version = stream_of(match), record_of(server, match).version

    with pytest.raises(ZeroDivisionError), server.store.transaction() as transaction:
        transaction.append(stream, [NewEvent("match.halted", {"exchange": 1})], expected=version)
        assert server.record(stream).halted
        raise ZeroDivisionError

    assert server.record(stream) == afresh(server, match)
    assert not server.record(stream).halted


def test_of_an_unknown_match_there_is_nothing(tmp_path: Path) -> None:
    assert not a_server(tmp_path, 3).record("match/none").events
