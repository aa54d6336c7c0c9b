"""`pbem rules mutate` notices a broken rule, leaves the working tree intact, and keeps a correct ledger of
mutations."""

from __future__ import annotations

import ast
import gc
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from pbem.tools.mutation import ledger
from pbem.tools.mutation.breaking import Mutant, Source, covered_rows, in_code, in_data
from pbem.tools.mutation.ledger import Judged, earlier_verdicts, mutate, read, root
from pbem.tools.mutation.patching import Loaded
from pbem.tools.mutation.reach import NOTE, Reach, Reached, function_at, note_calls
from pbem.tools.mutation.running import Copy, Verdict, judge_row

TITLES = ("aslsk", "nato", "panzer", "tanks")

SOURCE = '''
def half(points):
    """3.7 Rounded down, never below 1."""
    return max(1, points // 2)


def objections(unit):
    """4.2 What keeps a unit from moving."""
    if unit.damaged and unit.slow:
        yield Objection("4.2.1", f"{unit} is damaged 3 times")


def told(unit):
    return unit.spent + unit.turning                                   # 4.5


def other(unit):
    return 7
'''

DATA = """# 4.1.3 Spotting.
row = [
  {net = 0, V = [20, "rulebook L526"], S = [10, "server"]},
]
modifier = [
  {when = "cover", value = -3, rule = "4.1.3/cover", source = "rulebook L530"},
  {id = "dust", tier = "advanced", editions = ["2024"], rule = "4.1.3/cover"},
]
"""


def broken(rule: str) -> list[str]:
    return [mutant.of(SOURCE) for mutant in in_code(Source("rules.py", SOURCE), {rule})]


def test_a_function_is_broken_where_its_docstring_names_the_rule() -> None:
    assert broken("3.7") == [
        SOURCE.replace("max(1, points", "max(2, points"),
        SOURCE.replace("points // 2", "points // 3"),
    ]


def test_an_objection_is_broken_at_its_condition() -> None:
    condition = "unit.damaged and unit.slow"
    assert set(broken("4.2.1")) == {
        SOURCE.replace(condition, f"(not ({condition}))"),
        SOURCE.replace(condition, "((unit.slow))"),
        SOURCE.replace(condition, "((unit.damaged))"),
    }


def test_functions_of_other_rules_are_broken_only_if_nothing_else_can_be() -> None:
    text = 'NAMES = {"orchard": "5.1"}\n\n\ndef smoke(kind):\n    """6.6 Smoke."""\n    return 1 + len(NAMES[kind])\n'
    akin = text.replace("6.6 Smoke", "5.1.2 Trees")
    assert not list(in_code(Source("a.py", text), {"5.1"}, uses=False))
    assert list(in_code(Source("a.py", text), {"5.1"})) and list(in_code(Source("a.py", akin), {"5.1"}, uses=False))


def test_a_statement_is_broken_where_a_comment_names_the_rule() -> None:
    assert broken("4.5") == [SOURCE.replace("unit.spent + unit.turning", "(unit.spent)")]
    assert broken("9.9") == []


def test_data_is_broken_by_row_and_by_printed_cell() -> None:
    named = [('rule = "4.1.3/cover"',)]
    carried = [mutant.of(DATA) for mutant in in_data("a.toml", DATA, {"4.1.3/cover"}, named, "basic")]
    row = next(line for line in DATA.splitlines(keepends=True) if "value" in line)
    assert carried == [DATA.replace(row, ""), DATA.replace("value = -3", "value = 0")]
    headed = [mutant.of(DATA) for mutant in in_data("a.toml", DATA, {"4.1.3"}, [], "basic")]
    assert headed == [DATA.replace("[20,", "[21,")], "a figure of ours may be anything"


def test_a_broken_rule_is_noticed_and_a_harmless_change_is_not(tmp_path: Path) -> None:
    copy, before = Copy(root(), tmp_path, "tanks", tests="test_sequence.py"), status()
    [row] = [row for row in covered_rows("tanks", root()) if (row.rule, row.edition) == ("T1.3", "")]
    tests = copy.marked().of("T1.3")
    harmless = Mutant("pbem/titles/tanks/phases/initiative.py", 0, 0, "# nothing\n", "nothing")
    assert copy.judge(row, harmless, tests).fate == "survived"
    [verdict] = judge_row(copy, row, tests, each=1, seed="1")
    assert verdict.fate == "killed" and verdict.by
    whole = (root() / harmless.file).read_text()
    start = whole.index("state = situation.state")
    raising = Mutant(harmless.file, start, start, "raise KeyError; ", "no order")
    noticing = copy.elsewhere(raising, whole, tests)
    assert len(noticing) > 1 and set(noticing) <= set(tests), "all that notice it are named, not only the first"
    broken = Mutant("pbem/titles/tanks/phases/initiative.py", 0, 0, "def (\n", "no Python")
    assert copy.judge(row, broken, tests).fate == "cannot be loaded"
    copy.close()
    assert status() == before, "only the copy is broken"


def test_functions_are_broken_while_they_are_loaded(tmp_path: Path) -> None:
    path, names = str(tmp_path / "loaded.py"), dict[str, Any]()
    whole = (
        "LIMIT = 3\n\n\ndef within(total):\n    return total <= LIMIT\n\n\ndef low(total):\n    return total < 1\n"
    )
    exec(compile(whole, path, "exec"), names)
    gc.freeze()
    loaded = Loaded()
    gc.freeze()
    assert loaded.break_file(path, whole, whole.replace("total <= LIMIT", "(not (total <= LIMIT))"))
    assert not names["within"](3) and names["low"](0), "one function is broken, the other is whole"
    assert not loaded.break_file(path, whole, whole.replace("LIMIT = 3", "LIMIT = 4")), "that is not in a function"
    assert not loaded.break_file(path, whole, whole.replace("def low(", "def low((")), "that cannot be loaded"


def test_a_decorator_is_broken_by_loading_it_anew(tmp_path: Path) -> None:
    path, names = str(tmp_path / "decorator.py"), dict[str, Any]()
    whole = "def adding(number):\n    def enter(function):\n        return function() + number\n    return enter\n"
    exec(compile(whole, path, "exec"), names)
    assert not Loaded().break_file(path, whole, whole.replace("function() + number", "function()"))


def test_a_function_is_found_by_its_line_and_the_cheapest_tests_that_run_it_come_first() -> None:
    text = "class Unit:\n  def move(self):\n    def far():\n      return 1\n    return far()\n\n\nLIMIT = 3\n"
    assert [function_at(text, line) for line in (1, 2, 4, 8)] == ["", "Unit.move", "Unit.move", ""]
    ran = (("slow", 3.0), ("marked", 0.1), ("quick", 0.2), ("endless", 30.0), ("medium", 2.0))
    reach = Reach(Reached(test, seconds, ["a.py:Unit.move"]) for test, seconds in ran)
    found = reach.of("3.7/half", "a.py", text, 4, ["marked"])
    assert found == ["quick", "medium"], "together they take at most four seconds"
    assert reach.of("3.7", "a.py", text, 8, []) == [] and reach.of("3.7", "b.py", text, 4, []) == []


def test_tests_named_after_the_rule_come_before_those_that_run_the_function() -> None:
    ran = (("a.py::test_3_7_half", 0.9, []), ("a.py::test_3_70", 0.1, []), ("a.py::test_other", 0.1, ["b.py:half"]))
    reach = Reach(Reached(*line) for line in ran)
    text = "def half(points):\n    return points // 2\n"
    assert reach.of("3.7/half", "b.py", text, 2, []) == ["a.py::test_3_7_half", "a.py::test_other"]


def test_the_recorder_puts_a_line_into_the_outermost_functions() -> None:
    text = "class Unit:\n  def move(self):\n    'Move.'\n    def far():\n      return 1\n    return far()\n"
    tree = ast.parse(text)
    note_calls(tree, "a.py:", ())
    outermost = ast.unparse(tree).partition("def far")[0].split()
    assert outermost[-2:] == ['"""Move."""', f"{NOTE}('a.py:Unit.move')"], "after the docstring"
    assert ast.unparse(tree).count(NOTE) == 1


def test_a_run_goes_on_where_it_was_broken_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep = tmp_path / "keep.jsonl"
    first = Judged("T1.1", "", 3, [Verdict("T1.1", "", "killed", "test_x.py", "a.py", 1, "negated")])
    keep.write_bytes(msgspec.json.encode(first) + b'\n{"rule": "T1.2", "edi')
    assert earlier_verdicts(keep) == [first]
    killed = Verdict("T1.3", "", "killed", "test_y.py", "b.py", 2, "dropped")
    monkeypatch.setattr(ledger, "Copy", NoCopy)
    monkeypatch.setattr(ledger, "judge_row", lambda copy, row, *more: [replace(killed, rule=row.rule)])
    rows = [row for row in covered_rows("tanks", root()) if row.rule in ("T1.1", "T1.3")]
    judged = list(mutate("tanks", rows, 1, "1", keep))
    assert judged[0] == first and judged[1].verdicts == [killed]
    assert earlier_verdicts(keep) == judged


class NoCopy:
    """A fake tree that is never copied or changed, and in which every rule has a marked test."""

    def __init__(self, *_: object) -> None:
        self.folder = root()

    def marked(self) -> NoCopy:
        return self

    def of(self, rule: str) -> list[str]:
        return [f"test_{rule}"]

    def close(self) -> None:
        pass


@pytest.mark.parametrize("title", [title for title in TITLES if read(title)])
def test_the_mutation_ledger_names_rows_of_the_ledger_and_gives_a_reason_for_each_survivor(title: str) -> None:
    known = {(row.rule, row.edition) for row in covered_rows(title, root())}
    assert [line["id"] for line in read(title) if (line["id"], line["edition"]) not in known] == []
    unexplained = [line["id"] for line in read(title) if int(line["survived"]) and not line["reason"]]
    assert unexplained == [], "kill survivors by a test, or give a reason"


def status() -> str:
    """Return which files of the title have changed in the working tree."""
    paths = ["pbem/titles/tanks"]
    command = ["git", "status", "--short", "--", *paths]
    return subprocess.run(command, cwd=root(), capture_output=True, text=True, check=False).stdout
