"""The functions of a title that each test runs, to find the tests that might notice a broken rule.

Reach       the tests that run a function, cheapest first
Recorder    a plugin of pytest that writes a line for each test: its name, its time, the functions it ran
record      run all tests of a title once with it
"""

from __future__ import annotations

import ast
import builtins
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

import msgspec

MOST_TESTS = 60
MOST_SECONDS = 4.0
"""The most tests beyond the marked ones that are run on a mutant, and the most seconds they may take in all."""

NOTE = "note_call_of_a_function"
"""The global name of the function that records a call."""


class Reached(msgspec.Struct, frozen=True):
    """A test, its time in seconds, and the functions that it ran as `file:name`."""

    test: str
    seconds: float
    functions: list[str]


class Reach:
    """The tests that run each function."""

    def __init__(self, lines: Iterator[Reached]) -> None:
        self.tests: dict[str, list[tuple[float, str]]] = {}
        self.all: list[tuple[float, str]] = []
        for line in lines:
            self.all.append((line.seconds, line.test))
            for function in line.functions:
                self.tests.setdefault(function, []).append((line.seconds, line.test))

    @classmethod
    def read(cls, file: Path) -> Reach:
        return cls(msgspec.json.decode(line, type=Reached) for line in file.read_bytes().splitlines())

    def of(self, rule: str, file: str, text: str, line: int, beside: list[str]) -> list[str]:
        """Return further tests: those named after the rule, then the cheapest that run the function at a line."""
        chosen, left = list[str](), MOST_SECONDS
        named = [one for one in self.all if is_named_after(one[1], rule)]
        running = [one for one in self.tests.get(f"{file}:{function_at(text, line)}", ()) if one not in named]
        for seconds, test in [*sorted(named), *sorted(running)]:
            if test not in beside and len(chosen) < MOST_TESTS and seconds <= left:
                chosen.append(test)
                left -= seconds
        return chosen


def is_named_after(test: str, rule: str) -> bool:
    """Return whether the name of a test begins with the number of a rule, as in `test_3_2_1_a_line_is_blocked`."""
    number = re.sub(r"\W", "_", rule.partition("/")[0])
    return test.rpartition("::")[2].startswith(f"test_{number}_")


def function_at(text: str, line: int) -> str:
    """Return the qualified name of the outermost function around a line, or an empty string."""
    return next(_functions_at(ast.parse(text), line, ()), "")


def _functions_at(node: ast.AST, line: int, names: tuple[str, ...]) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.ClassDef):
            yield from _functions_at(child, line, names)
        elif child.lineno <= line <= (child.end_lineno or 0):
            if isinstance(child, ast.FunctionDef):
                yield ".".join((*names, child.name))
            else:
                yield from _functions_at(child, line, (*names, child.name))


class Recorder:
    """Records the functions of a title that each test runs, by putting a first line into each when it is loaded."""

    def __init__(self, title: str, file: Path) -> None:
        self.folder, self.out = f"pbem/titles/{title}/", file.open("wb")
        self.seen: set[str] = set()
        self.begun = 0.0
        vars(builtins)[NOTE] = self.seen.add
        self.load = SourceFileLoader.get_code

    def install(self) -> None:
        """Add the recording line to the functions of modules that are loaded from now on."""
        loader: Any = SourceFileLoader
        loader.get_code = lambda loader, name: self.code(loader, name)

    def code(self, loader: SourceFileLoader, name: str) -> CodeType | None:
        path = loader.get_filename(name)
        _, folder, rest = path.partition("/" + self.folder)
        if not folder or "/tests/" in path:
            return self.load(loader, name)
        tree = ast.parse(loader.get_data(path))
        note_calls(tree, f"{self.folder}{rest}:", ())
        return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)

    def pytest_pyfunc_call(self, pyfuncitem: Any) -> None:
        self.seen.clear()
        self.begun = time.perf_counter()

    def pytest_runtest_teardown(self, item: Any) -> None:
        seconds = time.perf_counter() - self.begun
        self.out.write(msgspec.json.encode(Reached(item.nodeid, round(seconds, 3), sorted(self.seen))) + b"\n")

    def pytest_unconfigure(self) -> None:
        self.out.close()


def note_calls(node: ast.AST, file: str, names: tuple[str, ...]) -> None:
    """Begin each outermost function with a call that records its name."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            note = ast.parse(f"{NOTE}({file + '.'.join((*names, child.name))!r})").body
            start = 0 if ast.get_docstring(child) is None else 1
            child.body[start:start] = note
        else:
            note_calls(child, file, (*names, child.name) if isinstance(child, ast.ClassDef) else names)


def record(root: Path, title: str, file: Path) -> None:
    """Run all tests of a title and record the functions they run."""
    command = [sys.executable, "-m", "pbem.tools.mutation.reach", title, str(file)]
    subprocess.run(command, cwd=root, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    import pytest

    name, target = sys.argv[1:3]
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", f"tests/titles/{name}"]
    recorder = Recorder(name, Path(target))
    recorder.install()
    pytest.main(options, plugins=[recorder])
