"""A process that loads pytest once and forks for each run of tests: `python -m pbem.tools.mutation.forking`.

It reads one run per line from standard input and answers each with the exit code of pytest, or -1 if it had to end
the run. The child loads the title, of which one file is broken, and runs the marked tests. This takes about a second.
It must run in the copied tree and must not load anything of a title itself.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from pathlib import Path

import msgspec

LONGEST_RUN = 120
"""Seconds after which a run is taken to be endless."""
NOTHING_RAN = 70


class Run(msgspec.Struct, frozen=True):
    """Tests to run, or to collect only, and the file for what pytest writes."""

    tests: list[str]
    output: str
    collect: str | None = None


class Marked(msgspec.Struct):
    """The tests of a title by the rules that they are marked with."""

    tests: dict[str, list[str]]

    def of(self, rule: str) -> list[str]:
        """Return the tests that are marked with a rule."""
        return self.tests.get(rule, [])


def serve() -> None:
    """Run what standard input asks for until it is closed."""
    import pytest  # noqa: F401

    for line in sys.stdin.buffer:
        run = msgspec.json.decode(line, type=Run)
        child = os.fork()
        if child == 0:
            run_in_child(Path.cwd(), run.tests, Path(run.output), Path(run.collect) if run.collect else None)
        print(wait(child, LONGEST_RUN), flush=True)


def run_in_child(folder: Path, tests: list[str], output: Path, collect: Path | None) -> None:
    """Run pytest in a forked child and leave with its exit code."""
    with output.open("w") as file, open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    os.setsid()
    code = NOTHING_RAN
    try:
        code = run_pytest(folder, tests, collect)
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def run_pytest(folder: Path, tests: list[str], collect: Path | None) -> int:
    """Run tests, or only collect them, and return the exit code of pytest."""
    import pytest

    options = ["-p", "no:cacheprovider", "-p", "no:xdist", "-x", "-q", "--tb=line", "--rootdir", str(folder)]
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # hypothesis is loaded before the fork
    if collect is None:
        return int(pytest.main([*options, *tests]))
    return int(pytest.main([*options, "--collect-only", *tests], plugins=[Collector(collect)]))


class Collector:
    """A plugin of pytest that writes which test is marked with which rule."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def pytest_collection_finish(self, session: object) -> None:
        tests: dict[str, list[str]] = {}
        for item in getattr(session, "items", ()):
            for rule in sorted({rule for mark in item.iter_markers("rule") for rule in mark.args}):
                tests.setdefault(rule, []).append(item.nodeid)
        self.file.write_bytes(msgspec.json.encode(Marked(tests)))


def wait(child: int, seconds: float) -> int:
    """Wait for a child; end it and its children after so many seconds. Return its exit code, or -1."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


if __name__ == "__main__":
    serve()
