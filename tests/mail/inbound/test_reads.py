"""An email causes at most three reads of the match's record, and loads its position once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from support.postbox import ALICE, BOB, Post

from eventstore import EventStore
from pbem.mail.inbound.handle import drain
from pbem.matches.history import replay
from pbem.matches.server import Server


class Counted:
    """How often the record of a match was read, and its position loaded."""

    reads = 0
    loads = 0


@contextmanager
def counting() -> Iterator[Counted]:
    """Count every read of a match's stored events, and every position that is computed."""
    counted = Counted()
    read, position = EventStore.read, replay._position_of

    def counted_read(self: EventStore, stream: str, **more: Any) -> Any:
        counted.reads += stream.startswith("match/")
        return read(self, stream, **more)

    def counted_position(*given: Any, **more: Any) -> Any:
        counted.loads += 1
        return position(*given, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EventStore, "read", counted_read)
        patch.setattr(replay, "_position_of", counted_position)
        yield counted


@pytest.fixture
def begun(post: Post) -> Post:
    """Start a match on a server that, as in production, resolves matches in a job outside the email's transaction."""
    post.begin()
    later: list[str] = []
    post.server.later = later.append
    return post


def handled(post: Post, address: str, text: str) -> Counted:
    post.reply(address, text)
    with counting() as counted:
        drain(post.server, post.settings, post.now)
    return counted


@pytest.mark.parametrize(
    "text",
    [
        "r1 hold\nr2 hold",
        "r1 hold\nr2 hold\nfinal",
        "status",
        "r1 hold\npress blue: well met\nextend 24 hours",
        "r1 dance\nr9 hold",
        "cancel",
    ],
)
def test_a_mail_reads_the_record_three_times_at_most_and_loads_once(begun: Post, text: str) -> None:
    counted = handled(begun, ALICE, text)
    assert begun.state_of_last_mail()[0] in ("applied", "refused")
    assert counted.reads <= 3, counted.reads
    assert counted.loads == 1, counted.loads


def test_the_mail_that_makes_all_final_closes_without_another_load(begun: Post) -> None:
    handled(begun, ALICE, "r1 hold\nr2 hold\nfinal")
    counted = handled(begun, BOB, "b1 hold\nb2 hold\nfinal")
    [match] = replay.all_matches(begun.server)
    assert replay.record_of(begun.server, match).closing is not None
    assert (counted.reads <= 3, counted.loads) == (True, 1), (counted.reads, counted.loads)


def test_in_a_new_process_the_record_is_read_from_its_start_once(begun: Post) -> None:
    begun.server.forget()
    counted = handled(begun, ALICE, "r1 hold\nr2 hold")
    assert (counted.reads <= 3, counted.loads) == (True, 1), (counted.reads, counted.loads)


def test_what_is_counted_is_what_the_server_does(begun: Post) -> None:
    assert isinstance(begun.server, Server)
    with counting() as counted:
        [match] = replay.all_matches(begun.server)
        replay.load(begun.server, match)
    assert (counted.reads, counted.loads) == (1, 1)
