"""Test mutants on a copy of the tree. Only the tests marked with the row's rule run.

Runner       a process that runs tests
Copy         the copied tree: break a file, run tests, restore it
judge_row    test some mutants of one row
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import msgspec

from pbem.tools.mutation.breaking import Mutant, Row, mutants
from pbem.tools.mutation.forking import NOT_IN_PLACE, Marked, Run
from pbem.tools.mutation.reach import Reach

COPIED = ("pbem", "eventstore", "templates", "tests", "pyproject.toml", "README.md")
KILLED, NOTICED, SURVIVED, UNLOADABLE = "killed", "noticed elsewhere", "survived", "cannot be loaded"
"""The fates of a mutant. A noticed one fails only tests that are not marked with the rule."""
FAILED = (1, -1)
"""The exit codes of tests that failed or did not end."""


class Verdict(msgspec.Struct, frozen=True):
    """The fate of one mutant."""

    rule: str
    edition: str
    fate: str
    by: str
    file: str
    line: int
    what: str
    noticing: list[str] = []
    """All tests beyond the marked ones that notice the mutant, if no marked one does."""


class Runner:
    """A process that runs tests in forked children, in the copied tree."""

    def __init__(self, folder: Path, *tests: str) -> None:
        self.folder = folder
        command = [sys.executable, "-m", "pbem.tools.mutation.forking", *tests]
        environment = os.environ | {"PYTHONPATH": str(folder)}
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def run(self, run: Run) -> tuple[int, str]:
        """Run tests in a forked child. Return pytest's exit code (-1 for an endless run) and its output."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(msgspec.json.encode(run) + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise ValueError("the process that runs the tests has ended")
        output = Path(run.output)
        return int(answer), output.read_text(errors="replace") if output.exists() else ""

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


class Copy:
    """The tree in another place, where one file at a time is broken."""

    def __init__(self, root: Path, folder: Path, title: str, reach: Reach | None = None, tests: str = "") -> None:
        """Copy the tree. `tests` is a file or folder of the title's tests, if not all are needed."""
        self.folder, self.title, self.writes, self.reach = folder, title, 0, reach
        for name in COPIED:
            if (root / name).is_dir():
                shutil.copytree(root / name, folder / name, ignore=shutil.ignore_patterns("*-pytest-*.pyc"))
            else:
                shutil.copy(root / name, folder / name)
        self.in_place = Runner(folder, f"tests/titles/{title}/{tests}")
        self.known: dict[tuple[str, int, int, str, tuple[str, ...]], tuple[int, str]] = {}

    def write(self, file: str, text: str) -> None:
        """Write a file with a unique time, by which compiled modules are distinguished."""
        path = self.folder / file
        path.write_text(text)
        self.writes += 1
        os.utime(path, (path.stat().st_atime, 1_000_000_000 + self.writes))

    def marked(self) -> Marked:
        """Return the title's tests by their marks."""
        code, said = self.in_place.run(Run([], str(self.output), collect=str(self.folder / "marked.json")))
        if code:
            raise ValueError(f"the tests of {self.title} cannot be collected:\n{said}")
        return msgspec.json.decode((self.folder / "marked.json").read_bytes(), type=Marked)

    @cached_property
    def anew(self) -> Runner:
        """Return the process whose children load the title again."""
        return Runner(self.folder)

    @property
    def output(self) -> Path:
        return self.folder / "output.txt"

    def close(self) -> None:
        """End the processes that run tests."""
        self.in_place.close()
        if "anew" in vars(self):
            self.anew.close()

    def judge(self, row: Row, mutant: Mutant, tests: list[str]) -> Verdict:
        """Break the file, run the tests, and restore it. The same mutant under the same tests is judged only once."""
        whole = (self.folder / mutant.file).read_text()
        line = whole.count("\n", 0, mutant.start) + 1
        key = (mutant.file, mutant.start, mutant.end, mutant.new, tuple(tests))
        if key not in self.known:
            self.known[key] = self.tried(mutant, whole, tests)
        code, said = self.known[key]
        fate, by = fate_of(code, said), first_failure(said)
        noticing: list[str] = []
        if fate == SURVIVED and self.reach is not None and mutant.file.endswith(".py"):
            noticing = self.elsewhere(mutant, whole, self.reach.of(row.rule, mutant.file, whole, line, tests))
            fate, by = (NOTICED, noticing[0].rpartition("/")[2]) if noticing else (SURVIVED, "")
        return Verdict(row.rule, row.edition, fate, by, mutant.file, line, mutant.what, noticing)

    def elsewhere(self, mutant: Mutant, whole: str, tests: list[str]) -> list[str]:
        """Return the tests that notice a mutant, of those that are not marked with the rule.

        A test that cannot read its data because of the mutant counts too, because the marked tests could read theirs.
        """
        key = (mutant.file, mutant.start, mutant.end, mutant.new, tuple(tests))
        if tests and key not in self.known:
            self.known[key] = self.tried(mutant, whole, tests, every=True)
        code, said = self.known.get(key, (0, ""))
        return failures(said) or ["a test that did not end"] if code in FAILED else []

    def tried(self, mutant: Mutant, whole: str, tests: list[str], every: bool = False) -> tuple[int, str]:
        """Test a mutant: in functions already loaded if that is enough, otherwise with the file broken.

        `every` continues after the first failure.
        """
        if mutant.file.endswith(".py"):
            broken = Run(tests, str(self.output), None, mutant.file, whole, mutant.of(whole), every)
            code, said = self.in_place.run(broken)
            if code != NOT_IN_PLACE:
                return code, said
        self.write(mutant.file, mutant.of(whole))
        try:
            return self.anew.run(Run(tests, str(self.output), every=every))
        finally:
            self.write(mutant.file, whole)


def fate_of(code: int, said: str) -> str:
    """Return a mutant's fate from pytest's exit code: 0 passed, 1 failed, others mean that nothing ran."""
    if code == 0:
        return SURVIVED
    if code in FAILED and "DataError" not in said:
        return KILLED
    return UNLOADABLE


def first_failure(said: str) -> str:
    """Return the name of the first test that failed."""
    return next((test.rpartition("/")[2] for test in failures(said)), "")


def failures(said: str) -> list[str]:
    """Return the tests that failed, each once."""
    failed = [line.split()[1] for line in said.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    return list(dict.fromkeys(failed))


def judge_row(copy: Copy, row: Row, tests: list[str], each: int, seed: str) -> Iterator[Verdict]:
    """Test up to `each` mutants of a row, drawn by the seed. Mutants that cannot be loaded are not counted.

    Broken code comes before broken data, which takes longer to load. All editions of a rule draw the same.
    """
    known = list(mutants(copy.title, row, copy.folder))
    random.Random(f"{seed}/{row.rule}").shuffle(known)
    known.sort(key=lambda mutant: not mutant.file.endswith(".py"))
    counted = 0
    for mutant in known[: 3 * each]:
        verdict = copy.judge(row, mutant, tests)
        if verdict.fate != UNLOADABLE:
            counted += 1
            yield verdict
        if counted == each:
            return
