"""The record of a match that a house continues is the one that its events give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import a_house, a_match, play

from eventstore import NewEvent
from pbem.matches import acts, rulings
from pbem.matches.house import House
from pbem.matches.position import stream_of
from pbem.matches.record import fold


def afresh(house: House, match: str, upto: int | None = None) -> Any:
    return fold(house.store.read(stream_of(match), upto=upto))


@given(seed=st.integers(0, 10**6), reactions=st.sampled_from(["plan", "ask"]))
@settings(max_examples=3)
def test_looked_at_after_every_event_it_is_the_fold_of_all_of_them(folders: Any, seed: int, reactions: str) -> None:
    house = a_house(folders(), seed)
    match = a_match(house, reactions=reactions)
    play(house, match, seed)
    stream = stream_of(match)
    other = House(house.store.path, house.titles)
    for version in range(1, house.store.version(stream) + 1):
        assert other.record(stream, version) == afresh(house, match, version)
    assert other.record(stream) == house.record(stream) == afresh(house, match)
    assert other.record(stream, 3) == afresh(house, match, 3), "an earlier look does not spoil a later one"
    other.close()


def test_a_ruling_is_folded_on_top_and_leaves_what_others_hold_as_it_was(tmp_path: Path) -> None:
    house = a_house(tmp_path, 3)
    match = a_match(house, scenario="small")
    play(house, match, 3)
    held = acts.read(house, match)
    before = afresh(house, match)

    rulings.reopen(house, match, after=1, reason="again", by="gm")

    assert acts.read(house, match) == afresh(house, match)
    assert held == before
    assert len(acts.read(house, match).history) < len(held.history)


def test_events_of_a_transaction_that_failed_are_forgotten(tmp_path: Path) -> None:
    house = a_house(tmp_path, 3)
    match = a_match(house, scenario="small")
    stream, version = stream_of(match), acts.read(house, match).version

    with pytest.raises(ZeroDivisionError), house.store.transaction() as transaction:
        transaction.append(stream, [NewEvent("match.halted", {"why": "a test"})], expected=version)
        assert house.record(stream).halted
        raise ZeroDivisionError

    assert house.record(stream) == afresh(house, match)
    assert not house.record(stream).halted


def test_of_an_unknown_match_there_is_nothing(tmp_path: Path) -> None:
    assert not a_house(tmp_path, 3).record("match/none").events
