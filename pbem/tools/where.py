"""Find a rule: the code that implements it, the rows of data that cite it, its row in the ledger, its tests.

where          all places of a rule in one title, or in all titles
Places         the places found, by kind
"""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import msgspec

MOST_DATA_ROWS = 20
DATA = (".toml", ".csv", ".txt")


class Place(msgspec.Struct, frozen=True):
    """One place: a file with a line, and the text that cites the rule there."""

    file: str
    line: int
    text: str


class Places(msgspec.Struct):
    """Everything that cites a rule: functions and lines of code, data, ledger rows, tests."""

    title: str
    rows: list[str] = []
    code: list[Place] = []
    data: list[Place] = []
    tests: list[Place] = []

    @property
    def any(self) -> bool:
        return bool(self.rows or self.code or self.data or self.tests)


def where(rule: str, titles: list[str]) -> list[Places]:
    """Return where a rule is cited in these titles; titles without the rule are left out."""
    return [found for title in titles if (found := places(rule, title)).any]


def places(rule: str, title: str) -> Places:
    """Return where a rule is cited in one title. Tests are found in a checkout only."""
    package = Path(str(resources.files("pbem.titles") / title))
    root = package.parents[2]
    found = Places(title, rows=list(ledger_rows(rule, package / "ledger.csv")))
    cites = citation_pattern(rule)
    for file in sorted(package.rglob("*")):
        if file.suffix == ".py":
            found.code += cited_in_code(file, cites, root)
        elif file.suffix in DATA and file.name != "ledger.csv" and len(found.data) < MOST_DATA_ROWS:
            found.data += cited_in_lines(file, cites, root)
    for file in sorted((root / "tests" / "titles" / title).rglob("test_*.py")):
        found.tests += marked_tests(file, rule, root)
    return found


def citation_pattern(rule: str) -> re.Pattern[str]:
    """Return a pattern for the number itself: 6.5.2 in "6.5.2, 6.6" but not in "6.5.2.1" or "16.5.2"."""
    return re.compile(rf"(?<![\d.\w]){re.escape(rule)}(?![\w]|\.\d|/)")


def ledger_rows(rule: str, ledger: Path) -> Iterator[str]:
    """Yield the ledger's rows for a rule and its parts, as sentences."""
    if ledger.is_file():
        for row in csv.DictReader(ledger.read_text("utf-8").splitlines()):
            if row["id"] == rule or row["id"].startswith((f"{rule}/", f"{rule}.")):
                edition = f" ({row['edition']})" if row["edition"] else ""
                yield f"{row['id']}{edition} {row['title']}: {row['status'] or 'not enforced by a program'}"


def cited_in_code(file: Path, cites: re.Pattern[str], root: Path) -> list[Place]:
    """Return definitions with docstrings that begin with the rule, then other lines that cite it."""
    text = file.read_text("utf-8")
    if not cites.search(text):
        return []
    found: dict[int, Place] = {}
    name = str(file.relative_to(root))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            first = (ast.get_docstring(node) or "").partition("\n")[0]
            if cites.search(re.split(r"[A-Z][a-z]", first)[0]):
                found[node.lineno] = Place(name, node.lineno, f"{node.name}: {first}")
    for number, line in enumerate(text.splitlines(), start=1):
        if cites.search(line) and not any(
            cites.search(line) and line.strip(' "') in place.text for place in found.values()
        ):
            found.setdefault(number, Place(name, number, line.strip()))
    return [found[number] for number in sorted(found)]


def cited_in_lines(file: Path, cites: re.Pattern[str], root: Path) -> list[Place]:
    """Return the lines of a data file that cite the rule."""
    lines = enumerate(file.read_text("utf-8").splitlines(), start=1)
    return [
        Place(str(file.relative_to(root)), number, line.strip()[:100]) for number, line in lines if cites.search(line)
    ]


def marked_tests(file: Path, rule: str, root: Path) -> Iterator[Place]:
    """Yield the tests that are marked with the rule."""
    text = file.read_text("utf-8")
    if f'"{rule}"' not in text:
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            marks = [mark for mark in node.decorator_list if isinstance(mark, ast.Call)]
            rules = [arg.value for mark in marks for arg in mark.args if isinstance(arg, ast.Constant)]
            if rule in rules:
                yield Place(str(file.relative_to(root)), node.lineno, node.name)
