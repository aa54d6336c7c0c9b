"""If the server is killed at any fail point of a campaign, each battle still has exactly one match, and nothing is
lost or doubled."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.clash import ClashTitle, tree_file
from support.front import Front
from support.hosts import engines

from pbem.campaigns import bundle, bundle_check
from pbem.matches.clock.tick import recover
from pbem.matches.history.replay import record_of

TITLES = {"clash": ClashTitle()}


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
    """Make a server with a campaign of two stages; its chiefs are bots that have not given orders yet."""
    folder = tmp_path_factory.mktemp("prepared")
    front = Front(folder, TITLES)
    front.open("battlegroup", {"red": "bot-steady", "blue": ""}, options={"file": tree_file(2)})
    front.server.close()
    return folder, front.id


def a_copy(prepared: tuple[Path, str], folder: Path, points: Points) -> Front:
    if not folder.exists():
        engines.copy_server(prepared[0], folder)
    front = Front(folder, TITLES, seed=folder.name, failpoint=points)
    front.id = prepared[1]
    return front


def run(front: Front) -> None:
    from pbem.matches.exchange.seats import take_seat

    recover(front.server)
    if "blue" not in front.record.occupants:
        take_seat(front.server, front.id, "blue", "bot-steady")
    front.run(ticks=30)


@pytest.fixture(scope="module")
def all_points(prepared: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    points = Points()
    front = a_copy(prepared, tmp_path_factory.mktemp("whole") / "copy", points)
    points.watching = True
    run(front)
    assert front.record.ended is not None
    return points.seen


def chosen(names: list[str]) -> list[int]:
    """Return the numbers of the first and last occurrence of each kind of fail point."""
    places: dict[str, list[int]] = {}
    for at, name in enumerate(names, 1):
        places.setdefault(name, []).append(at)
    return sorted({at for own in places.values() for at in (own[0], own[-1])})


@pytest.mark.slow
def test_killed_at_every_fail_point_one_match_for_each_battle(
    prepared: tuple[Path, str], tmp_path: Path, all_points: list[str]
) -> None:
    assert {"create", "seat", "report", "close", "resolve", "open"} <= {name.partition(":")[0] for name in all_points}
    for at in chosen(all_points):
        folder, points = tmp_path / f"at-{at}", Points(at)
        front = a_copy(prepared, folder, points)
        points.watching = True
        with pytest.raises(Killed):
            run(front)
        front.server.close()
        again = a_copy(prepared, folder, Points())
        run(again)
        where = f"killed at {at}: {all_points[at - 1]}"
        assert again.record.ended is not None, where
        reported = [event.payload["match"] for event in again.record.events if event.type == "battle.reported"]
        assert reported == again.battles() and len(reported) == len(set(reported)) == 2, where
        origins = [record_of(again.server, match).created.origin["battle"] for match in again.battles()]
        assert origins == ["1", "2"], where
        assert all(record_of(again.server, match).opened for match in again.battles()), where
        found = bundle_check.verify_bundle(bundle.read_bundle(bundle.write(again.server, again.id)), again.titles)
        assert found.problems == [], where
        again.server.close()
