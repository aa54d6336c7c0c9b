"""Test mutants on a copy of the tree. Only the tests marked with the row's rule run.

Copy          the copied tree: break a file, run tests, mend it
judge_row     test some mutants of one row
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from pbem.tools.mutation.breaking import Mutant, Row, mutants
from pbem.tools.mutation.forking import Marked, Run

COPIED = ("pbem", "eventstore", "templates", "tests", "pyproject.toml", "README.md")
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


class Copy:
    """The tree in another place, where one file at a time is broken."""

    def __init__(self, root: Path, folder: Path, title: str) -> None:
        self.folder, self.title, self.writes = folder, title, 0
        for name in COPIED:
            if (root / name).is_dir():
                shutil.copytree(root / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(root / name, folder / name)
        command = [sys.executable, "-m", "pbem.tools.mutation.forking"]
        environment = os.environ | {"PYTHONPATH": str(folder)}
        self.runner = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

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
        run = Run(tests, str(output), str(collect) if collect else None)
        assert self.runner.stdin is not None and self.runner.stdout is not None
        self.runner.stdin.write(msgspec.json.encode(run) + b"\n")
        self.runner.stdin.flush()
        answer = self.runner.stdout.readline()
        if not answer:
            raise ValueError("the process that runs the tests has ended")
        return int(answer), output.read_text(errors="replace") if output.exists() else ""

    def close(self) -> None:
        """End the process that runs the tests."""
        assert self.runner.stdin is not None and self.runner.stdout is not None
        self.runner.stdin.close()
        self.runner.stdout.close()
        self.runner.wait()

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
