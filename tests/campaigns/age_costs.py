"""Play a campaign of the toy title for 200 stages and more, and measure in CPU time how its age affects the server.

cd tests && python -m campaigns.age_costs FOLDER            # plays one and stores it at each age
cd tests && python -m campaigns.age_costs FOLDER --measure  # opens, closes and verifies it at each age
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from support.clash import ClashTitle, map_file
from support.front import Front

from pbem.campaigns import stage_file
from pbem.matches.history.replay import load
from pbem.web import create_app

AGES = (10, 100, 200)
TITLES = {"clash": ClashTitle()}


def grow(folder: Path) -> None:
    """Play on with the campaign and store a copy of the server at each age."""
    young = folder / "growing"
    young.mkdir(parents=True)
    front = Front(young, TITLES)
    front.open("battlegroup", options={"file": map_file(AGES[-1] + 60, homes="false")})
    for age in AGES:
        front.grow(age)
        front.server.store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copytree(young, folder / str(age))
        (folder / f"{age}.txt").write_text(f"{front.id} {front.now}")
        print(f"stage {front.state.turn}: {front.record.version} events, {len(front.battles())} battles", flush=True)


def opened(folder: Path, age: int) -> Front:
    """Open a copy of the server with a campaign of this age, as a new process would."""
    work = folder / "work"
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(folder / str(age), work)
    front = Front(work, TITLES, seed=f"age {age}")
    id, now = (folder / f"{age}.txt").read_text().split()
    front.id, front.now = id, int(now)
    return front


def cost(act: Callable[[], object], times: int = 9) -> float:
    """Return the median CPU time of an action, in milliseconds."""
    spent = []
    for _ in range(times):
        since = time.process_time()
        act()
        spent.append(1000 * (time.process_time() - since))
    return statistics.median(spent)


def measure(folder: Path, age: int) -> dict[str, float]:
    """Return what each action costs in a campaign of this age."""
    front = opened(folder, age)
    client = create_app(front.server).test_client()

    def anew(act: Callable[[], object]) -> Callable[[], object]:
        def forgetful() -> object:
            front.server.forget()
            return act()

        return forgetful

    def verify(is_privileged: bool) -> None:
        stage = front.state.turn - 1
        content = stage_file.write(front.server, front.id, stage, is_privileged=is_privileged)
        assert stage_file.verify_stage(content, front.titles).problems == []

    def page() -> None:
        assert client.get(f"/campaigns/{front.id}").status_code == 200

    page()
    found = {
        "load": cost(anew(lambda: load(front.server, front.id))),
        "page, new process": cost(anew(page)),
        "page": cost(page),
        "verify a stage": cost(anew(lambda: verify(False))),
        "verify by the rules": cost(anew(lambda: verify(True))),
        "close a stage": cost(lambda: front.grow(front.state.turn + 1)),
        "close, new process": cost(anew(lambda: front.grow(front.state.turn + 1))),
    }
    front.server.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--measure", action="store_true")
    args = parser.parse_args()
    if not args.measure:
        grow(args.folder)
    for age in AGES:
        print(age, {name: round(value, 1) for name, value in measure(args.folder, age).items()}, flush=True)


if __name__ == "__main__":
    main()
