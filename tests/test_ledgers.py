"""A title's ledger says `covered` for exactly those rows that a marked test covers.

`python tests/test_ledgers.py TITLE` rewrites that column from the tests.
"""

from __future__ import annotations

import ast
import csv
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.numbering import ledger_row

ROOT = Path(__file__).parents[1]
TITLES = sorted(file.parent.name for file in (ROOT / "pbem" / "titles").glob("*/ledger.csv"))
EDITIONS: tuple[Edition, ...] = ("2024", "2016")


def marks(title: str, effects: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the rule and edition of every mark in a title's tests, optionally with the tests of effects.

    A title that has only one edition gives no editions.
    """
    for file in sorted((ROOT / "tests" / "titles" / title).rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "both_editions":
                for argument in node.args:
                    yield from ((ledger_row(edition, ast.literal_eval(argument)), edition) for edition in EDITIONS)
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
                if not effects and any(word.arg == "effect" for word in node.keywords):
                    continue
                named = [ast.literal_eval(word.value) for word in node.keywords if word.arg == "editions"]
                for argument in node.args:
                    for edition in named[0] if named else EDITIONS:
                        yield ast.literal_eval(argument), edition


def rows(title: str) -> list[dict[str, str]]:
    with (ROOT / "pbem" / "titles" / title / "ledger.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def is_covered(row: dict[str, str], marked: set[tuple[str, str]]) -> bool:
    editions = [row["edition"]] if row.get("edition") else list(EDITIONS)
    return row["engine"] == "yes" and any((row["id"], edition) in marked for edition in editions)


@pytest.mark.parametrize("title", TITLES)
def test_the_ledger_says_what_the_tests_cover(title: str) -> None:
    marked = set(marks(title))
    wrong = [
        (row["id"], row["edition"], row["status"])
        for row in rows(title)
        if (row["status"] == "covered") != is_covered(row, marked)
    ]
    assert wrong == []


@pytest.mark.parametrize("title", TITLES)
def test_every_mark_names_a_rule_of_the_ledger(title: str) -> None:
    known = {row["id"] for row in rows(title)}
    assert sorted({rule for rule, _ in marks(title, effects=True)} - known) == []


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("tier", ["general", "basic", "advanced", "optional", "scenario"])
def test_every_row_of_panzer_that_a_program_must_enforce_is_covered(tier: str, edition: str) -> None:
    """Every rule of Panzer that a program can enforce is covered, in every chapter of both books."""
    wanted = [row for row in rows("panzer") if (row["edition"], row["tier"], row["engine"]) == (edition, tier, "yes")]
    assert wanted
    assert [row["id"] for row in wanted if row["status"] != "covered"] == []


def test_no_row_of_panzer_is_of_a_tier_that_nobody_looks_at() -> None:
    assert {row["tier"] for row in rows("panzer")} == {"general", "basic", "advanced", "optional", "scenario"}


def write(title: str) -> None:
    """Set the status column from the tests: a row without a test is open, unless a reason is given for leaving it
    out."""
    marked, table = set(marks(title)), rows(title)
    for row in table:
        if is_covered(row, marked):
            row["status"] = "covered"
        elif row["status"] == "covered":
            row["status"] = "open"
    with (ROOT / "pbem" / "titles" / title / "ledger.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(table[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


if __name__ == "__main__":
    write(sys.argv[1])
