"""Test mutants on a copy of the tree. Only the tests marked with the row's rule run.

A server process loads pytest once and forks for each run: the child loads the title, of which one file is broken, and
runs the marked tests. That takes a second or two instead of starting an interpreter each time.

Copy          the copied tree: break a file, run tests, mend it
judge_row     test some mutants of one row
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

import msgspec

from pbem.tools.mutation.breaking import Mutant, Row, mutants

COPIED = ("pbem", "eventstore", "templates", "tests", "pyproject.toml", "README.md")
LONGEST_RUN = 120
"""Seconds after which a run is taken to be endless: the mutant is noticed."""
NOTHING_RAN = 70
KILLED, SURVIVED, UNLOADABLE = "killed", "survived", "cannot be loaded"


class Verdict(msgspec.Struct, frozen=True):
    """What became of one mutant."""

    rule: str
    edition: str
    fate: str
    by: str
    file: str
    line: int
    what: str


class Marked(msgspec.Struct):
    """The tests of a title by the rules that they are marked with."""

    tests: dict[str, list[str]]

    def of(self, rule: str) -> list[str]:
        return self.tests.get(rule, [])


class Copy:
    """The tree in another place, where one file at a time is broken."""

    def __init__(self, root: Path, folder: Path, title: str) -> None:
        self.folder, self.title, self.writes = folder, title, 0
        for name in COPIED:
            if (root / name).is_dir():
                shutil.copytree(root / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(root / name, folder / name)

    def write(self, file: str, text: str) -> None:
        """Write a file with a time of its own: compiled modules are told apart by it."""
        path = self.folder / file
        path.write_text(text)
        self.writes += 1
        os.utime(path, (path.stat().st_atime, 1_000_000_000 + self.writes))

    def marked(self) -> Marked:
        """Collect the title's tests and their marks."""
        found = self.folder / "marked.json"
        code, said = self.run([f"tests/titles/{self.title}"], collect=found)
        if code:
            raise ValueError(f"the tests of {self.title} cannot be collected:\n{said}")
        return msgspec.json.decode(found.read_bytes(), type=Marked)

    def run(self, tests: list[str], collect: Path | None = None) -> tuple[int, str]:
        """Run tests in a forked child. Return the exit code of pytest, or -1 for no end, and what it wrote."""
        output = self.folder / "output.txt"
        child = os.fork()
        if child == 0:
            run_in_child(self.folder, tests, output, collect)
        code = wait(child, LONGEST_RUN)
        return code, output.read_text(errors="replace") if output.exists() else ""

    def judge(self, row: Row, mutant: Mutant, tests: list[str]) -> Verdict:
        """Break, test, mend."""
        whole = (self.folder / mutant.file).read_text()
        line = whole.count("\n", 0, mutant.start) + 1
        self.write(mutant.file, mutant.of(whole))
        try:
            code, said = self.run(tests)
        finally:
            self.write(mutant.file, whole)
        return Verdict(
            row.rule, row.edition, fate_of(code, said), first_failure(said), mutant.file, line, mutant.what
        )


def run_in_child(folder: Path, tests: list[str], output: Path, collect: Path | None) -> None:
    """Run pytest in a forked child and leave with its exit code."""
    with output.open("w") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    os.setsid()
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    forget_the_tree()
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


def forget_the_tree() -> None:
    """Drop the modules of the tree that the parent has loaded, so the child loads those of the copy."""
    for name in [name for name in sys.modules if name.partition(".")[0] in ("pbem", "eventstore")]:
        if name != __name__:
            del sys.modules[name]


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


def fate_of(code: int, said: str) -> str:
    """Return a mutant's fate from pytest's exit code: 0 passed, 1 failed, others say that nothing ran."""
    if code == 0:
        return SURVIVED
    if code in (1, -1) and "DataError" not in said:
        return KILLED
    return UNLOADABLE


def first_failure(said: str) -> str:
    """Return the name of the first test that failed."""
    for line in said.splitlines():
        if line.startswith(("FAILED ", "ERROR ")):
            return line.split()[1].rpartition("/")[2]
    return ""


def judge_row(copy: Copy, row: Row, tests: list[str], each: int, seed: str) -> Iterator[Verdict]:
    """Test up to `each` mutants of a row, drawn by the seed. Mutants that cannot be loaded do not count."""
    known = mutants(copy.title, row, copy.folder)
    random.Random(f"{seed}/{row.rule}/{row.edition}").shuffle(known)
    counted = 0
    for mutant in known[: 3 * each]:
        verdict = copy.judge(row, mutant, tests)
        if verdict.fate != UNLOADABLE:
            counted += 1
            yield verdict
        if counted == each:
            return


def load_pytest() -> None:
    """Load what every run needs before the first fork."""
    import hypothesis.strategies  # noqa: F401
    import pytest  # noqa: F401
