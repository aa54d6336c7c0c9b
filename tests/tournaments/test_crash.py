"""If the server is killed at any fail point between pairing and the last match, each pairing still gets exactly one
match."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from support.hall import Hall
from support.hosts import engines

from pbem.matches.history.replay import all_matches, record_of
from pbem.tournaments import rounds, stream

ENTRANTS = 16


class Killed(BaseException):
    """Raised at the fail point where the simulated process dies."""


class Points:
    """Records the fail points that are passed, and dies at the one with the given number."""

    def __init__(self, at: int = 0) -> None:
        self.at, self.seen, self.watching = at, list[str](), False

    def __call__(self, name: str) -> None:
        if self.watching:
            self.seen.append(name)
            if len(self.seen) == self.at:
                raise Killed(name)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Make a server with a tournament whose entrants are registered."""
    folder = tmp_path_factory.mktemp("prepared")
    hall = Hall(folder)
    hall.open(ENTRANTS, rounds=2)
    hall.server.close()
    return folder, hall.id


def a_copy(prepared: tuple[Path, str], folder: Path, points: Points) -> Hall:
    engines.copy_server(prepared[0], folder)
    hall = Hall(folder, failpoint=points)
    hall.id = prepared[1]
    return hall


def run(hall: Hall) -> None:
    """Pair, start, create all matches, finish and close, skipping every step that is already done."""
    record = hall.record
    if not record.rounds:
        record = rounds.pair(hall.server, hall.id, by=hall.max)
    if record.rounds[1].started_at is None:
        record = rounds.start(hall.server, hall.id, by=hall.max)
    hall.tick()
    record = hall.record
    for pairing in record.rounds[1].open_pairings():
        if record_of(hall.server, hall.match(pairing.number)).ended is None:
            hall.concede(pairing.number, "blue")
    hall.tick()
    if not hall.record.rounds[1].closed:
        rounds.close(hall.server, hall.id, by=hall.max, anyway=True)
    hall.tick()


@pytest.fixture(scope="module")
def all_points(prepared: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    points = Points()
    hall = a_copy(prepared, tmp_path_factory.mktemp("whole") / "copy", points)
    points.watching = True
    run(hall)
    return points.seen


def chosen(names: list[str]) -> list[int]:
    """Return the numbers of the first and last occurrence of each kind of fail point, or of all with
    PBEM_EVERY_PASSING=1."""
    if os.environ.get("PBEM_EVERY_PASSING"):
        return list(range(1, len(names) + 1))
    places: dict[str, list[int]] = {}
    for at, name in enumerate(names, 1):
        places.setdefault(name, []).append(at)
    return sorted({at for own in places.values() for at in (own[0], own[-1])})


@pytest.mark.slow
def test_killed_at_every_fail_point_one_match_for_each_pairing(
    prepared: tuple[Path, str], tmp_path: Path, all_points: list[str]
) -> None:
    assert {"pair", "start", "create", "result", "close"} <= {name.partition(":")[0] for name in all_points}
    for at in chosen(all_points):
        folder = tmp_path / str(at)
        points = Points(at)
        hall = a_copy(prepared, folder, points)
        points.watching = True
        with pytest.raises(Killed):
            run(hall)
        hall.server.close()
        revived = Hall(folder, seed=f"again {at}")
        revived.id, revived.now = hall.id, hall.now
        run(revived)
        check(revived)
        revived.server.close()
        shutil.rmtree(folder)


def check(hall: Hall) -> None:
    record = hall.record
    matches = [record_of(hall.server, match) for match in all_matches(hall.server)]
    origins = [(m.created.origin["pairing"], m.created.origin["leg"]) for m in matches]
    assert sorted(origins) == [(number, 1) for number in range(1, ENTRANTS // 2 + 1)]
    assert all(match.started and len(match.occupants) == 2 for match in matches)
    assert len(record.rounds[1].results) == ENTRANTS // 2
    assert all(match.opened is not None for match in matches)
    assert [event.type for event in record.events].count("round.paired") == 1
    assert [event.type for event in record.events].count("result.recorded") == ENTRANTS // 2
    assert hall.server.store.verify(stream.stream_of(hall.id)) is None
