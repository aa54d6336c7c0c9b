"""A short form of `python tests/programs/mutants.py`: broken rules are noticed, and the working tree stays whole."""

from __future__ import annotations

import subprocess
from pathlib import Path

from programs.mutants import ROOT, Copy, Mutant, Source, covered, in_code, in_data, judge_row

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
    copy, before = Copy(tmp_path, "panzer"), status()
    [row] = [row for row in covered("panzer") if (row.rule, row.edition) == ("4.3.2", "2024")]
    harmless = Mutant("pbem/titles/panzer/command/initiative.py", 0, 0, "# nothing\n", "nothing")
    verdict = copy.judge(row, harmless, marked_only=True)
    assert verdict is not None and verdict.fate == "survived"
    verdict = judge_row(copy, row, 1, marked_only=True)
    assert verdict.fate == "killed" and "test_initiative.py" in verdict.by
    assert status() == before, "only the copy is broken"


def status() -> str:
    """What of the title's files has changed in the working tree."""
    command = [
        "git",
        "status",
        "--short",
        "--",
        "pbem/titles/panzer/command/initiative.py",
        "pbem/titles/panzer/data",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout
