"""Rehearse an upgrade: an old release serves pages while a new one starts on the same data and takes over.

    cd tests && PYTHONPATH=.. python -m programs.upgrade OLD_CHECKOUT [--database postgresql://…]

A visitor requests pages throughout, through a front end that is switched to the new release as soon as that release
answers, just as an operator would switch a proxy. Then the old release is stopped. No page may fail, the match that
the old release began must continue under the new one, and its log must verify.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.hosts.ports import free_port

HERE = Path(__file__).parents[2]
ORDERS = "orders.txt"
PATIENCE = 600
"""Seconds until a process must have done what it was started for."""


class Release:
    """A checkout of the program, with the data folder and settings of its server."""

    def __init__(self, tree: Path, data: Path) -> None:
        self.tree, self.data = tree, data
        self.environment = {**os.environ, "PYTHONPATH": str(tree), "PBEM_DATA": str(data)}

    def words(self, *words: object) -> list[str]:
        return [sys.executable, "-m", "pbem", *map(str, words)]

    def run(self, *words: object) -> str:
        """Run one command and return its output."""
        more: dict[str, Any] = {"cwd": self.data, "env": self.environment, "text": True}
        done = subprocess.run(self.words(*words), capture_output=True, timeout=PATIENCE, **more)
        if done.returncode:
            raise RuntimeError(f"pbem {' '.join(map(str, words))}: {done.stdout[-1000:]}{done.stderr[-2000:]}")
        return done.stdout

    @contextmanager
    def serving(self, name: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
        """Start a server of this release; yield its process and port, and stop it at the end of the block at the
        latest."""
        port = free_port()
        command = self.words("serve", "--port", port, "--smtp-port", 0)
        with (
            open(self.data / f"{name}.log", "wb") as log,
            subprocess.Popen(command, stdout=log, stderr=log, cwd=self.data, env=self.environment) as process,
        ):
            try:
                yield process, port
            finally:
                process.send_signal(signal.SIGTERM)
                process.wait(PATIENCE)


class Front:
    """A proxy that can be switched between two servers, and a visitor who reads pages through it."""

    def __init__(self, port: int, paths: list[str]) -> None:
        self.port, self.paths = port, paths
        self.read, self.failed = Counter[int](), Counter[str]()
        self.slowest = 0.0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._visit)

    def __enter__(self) -> Front:
        self._thread.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self._done.set()
        self._thread.join()

    def _visit(self) -> None:
        while not self._done.is_set():
            for path in self.paths:
                port, began = self.port, time.monotonic()
                status, text = fetch(port, path)
                self.slowest = max(self.slowest, time.monotonic() - began)
                self.read[port] += 1
                if status != 200:
                    self.failed[f"{path} at port {port}: {status} {text[:200]}"] += 1
            time.sleep(0.05)


def fetch(port: int, path: str) -> tuple[int, str]:
    """Return the status and text of a page; the status is 0 if there is no answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path, headers={"Host": "localhost"})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    except (OSError, http.client.HTTPException):
        return 0, ""
    finally:
        connection.close()


def wait_for(what: str, happened: Any) -> None:
    until = time.monotonic() + PATIENCE
    while not happened():
        if time.monotonic() > until:
            raise RuntimeError(f"{what} did not happen within {PATIENCE} seconds")
        time.sleep(0.1)


def rehearse(old_tree: Path, new_tree: Path, data: Path, database: str = "") -> dict[str, Any]:
    """Upgrade a server with a running match while a visitor reads its pages; return the observations."""
    data.chmod(0o700)
    if database:
        (data / "settings.toml").write_text(f'database = "{database}"\n')
    old, new = Release(old_tree, data), Release(new_tree, data)
    made = old.run("new", "panzer", "duel", "--name", "Training", *SEATS)
    found = re.search(r"\b[a-z2-7]{8}\b", made)
    assert found is not None, made
    play_a_turn(old)
    with old.serving("old") as (process, first):
        wait_for("the start of the old release", lambda: fetch(first, "/health.json")[0] == 200)
        with new.serving("new") as (_, second), Front(first, ["/", f"/matches/{found[0]}"]) as front:
            wait_for("the start of the new release", lambda: fetch(second, "/")[0] == 200)
            time.sleep(1.0)  # both serve the same data
            front.port = second
            time.sleep(0.2)  # requests to the old one are still answered
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)
            wait_for("the clock's start", lambda: fetch(second, "/health.json")[0] == 200)
            play_a_turn(new)
            wait_for("the turn", lambda: exchange_of(new) > 3)
    return {
        "database": "postgresql" if database else "sqlite",
        "pages_of_the_old": front.read[first],
        "pages_of_the_new": front.read[second],
        "pages_failed": dict(front.failed),
        "slowest_page_ms": round(front.slowest * 1000),
        "turns_played": exchange_of(new) - 2,
        "replayed": "the same result" in new.run("replay", "Training"),
    }


SEATS = ("--seat", "german=ann@example.org", "--seat", "british=bot", "--seated")


def play_a_turn(release: Release) -> None:
    """Send the default orders of the order form as final."""
    (release.data / ORDERS).write_text(release.run("orders", "Training", "german", "--form"))
    release.run("orders", "Training", "german", ORDERS, "--final")


def exchange_of(release: Release) -> int:
    """Return the number of the open exchange; exchange 1 is the set-up."""
    found = re.search(r"exchange (\d+)", release.run("show", "Training"))
    assert found is not None
    return int(found[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path, help="a checkout of the old release")
    parser.add_argument("--database", default="", help="the address of an empty PostgreSQL database")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pbem-upgrade-") as folder:
        found = rehearse(args.old.resolve(), HERE, Path(folder), args.database)
    print(json.dumps(found, indent=1))
    sys.exit(1 if found["pages_failed"] else 0)


if __name__ == "__main__":
    main()
