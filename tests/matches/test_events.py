"""Every stored event has a type, older forms are upgraded, and the catalogue of events is current."""

from __future__ import annotations

import lzma
from importlib import resources
from pathlib import Path

import msgspec
import pytest
from support.playing import a_match, a_server, play

from eventstore import BadEvent, NewEvent
from pbem.matches import events, unit_of_work
from pbem.matches.history.export import read_export
from pbem.matches.history.replay import record_of

GOLDEN = sorted((Path(__file__).parents[1] / "golden").rglob("*.jsonl.xz"))


def test_the_catalogue_in_the_guide_is_current() -> None:
    """The catalogue of events in the guide is current.

    `python -m pbem.matches.events > pbem/guide/events.md` rewrites it.
    """
    assert (resources.files("pbem") / "guide" / "events.md").read_text("utf-8") == events.catalogue()


def test_every_event_of_a_played_match_is_read_as_its_class(tmp_path: Path) -> None:
    server = a_server(tmp_path)
    match = a_match(server)
    play(server, match, 7)
    found = {type(events.read(event)) for event in record_of(server, match).events}
    assert {events.MatchCreated, events.OrderSealed, events.ExchangeResolved, events.MatchEnded} <= found


@pytest.mark.parametrize("file", GOLDEN[:: max(1, len(GOLDEN) // 6)], ids=lambda file: file.name)
def test_events_of_earlier_releases_are_lifted_to_the_newest_schema(file: Path) -> None:
    for event in read_export(lzma.decompress(file.read_bytes())).events:
        read = events.read(event)
        assert read.word == event.type
        if event.type == "exchange.resolved":
            assert isinstance(read, events.ExchangeResolved) and read.period


def test_an_event_that_is_new_becomes_its_word_and_payload() -> None:
    new = events.OrderSealed("red", 3).new()
    assert (new.type, new.payload, new.schema) == ("order.sealed", {"seat": "red", "exchange": 3}, 1)


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (NewEvent("order.sealed", {"seat": "red"}), "exchange"),
        (NewEvent("order.sealed", {"seat": "red", "exchange": "three"}), "int"),
        (NewEvent("order.sealed", {"seat": "red", "exchange": 3, "colour": 1}), "colour"),
        (NewEvent("order.eaten", {}), "does not belong"),
        (NewEvent("account.opened", {"id": "x"}), "does not belong"),
        (NewEvent("exchange.resolved", {}, schema=1), "schema 2"),
    ],
)
def test_an_event_that_does_not_fit_its_class_is_not_stored(tmp_path: Path, event: NewEvent, why: str) -> None:
    server = a_server(tmp_path)
    match = a_match(server)
    record = record_of(server, match)
    with pytest.raises(BadEvent, match=why):
        unit_of_work.append(server, record, [event], "nonsense")
    assert record_of(server, match).version == record.version


def test_every_class_says_what_it_is() -> None:
    for word, kind in events.CATALOGUE.items():
        assert kind.word == word and (kind.__doc__ or "").strip().endswith("."), word
        assert msgspec.structs.fields(kind) is not None
