"""Do the tests notice when a rule is broken? `python tests/programs/mutants.py --title panzer --rows 40 --seed 1`

Draws covered rows of a title's ledger. For each it breaks the rule in one place: takes its row out of the data,
turns a condition round, shifts a number, leaves out a modifier or an effect. Then the tests marked with the rule run
on a copy of the tree, after them all other tests of the title. A mutant that no test notices has survived, and the
tests want strengthening. A mutant with which nothing can be loaded says nothing; another is tried in its place.
"""

from __future__ import annotations

import argparse
import ast
import csv
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from pbem.titles.panzer.cards.charts import EDITIONS
from pbem.titles.panzer.numbering import numbered

ROOT = Path(__file__).parents[2]
COPIED = ("pbem", "eventstore", "templates", "tests", "pyproject.toml")
NO_RULES = (
    "bot", "doctrine", "flaws", "forms", "judgement", "language", "numbering", "orders", "phrases", "picture", "plan",
    "prospects", "sheets", "skirmish", "tell", "title", "unit_words",
)  # fmt: skip
"""Modules that read, show or advise: what they say about a rule is not the rule."""
SHORT = 14
"""A function of fewer lines is all about the rule that it names."""
MOST_TRIES = 6
"""So many mutants of a row are tried until one can be loaded."""
NOT_RUN = ("test_mutants.py", "test_soak.py", "test_leaks_panzer.py")
"""Tests about the tests, and those that play at length what the others look at."""


@dataclass(frozen=True)
class Row:
    """A covered row of the ledger."""

    rule: str
    edition: str
    tier: str


@dataclass(frozen=True)
class Mutant:
    """One place of one file, broken. `start` and `end` count characters."""

    file: str
    start: int
    end: int
    new: str
    what: str

    def of(self, text: str) -> str:
        return text[: self.start] + self.new + text[self.end :]


@dataclass(frozen=True)
class Verdict:
    rule: str
    edition: str
    fate: str
    by: str = ""
    file: str = ""
    line: int = 0
    what: str = ""


# Code --------------------------------------------------------------------------------------------------------


class Source:
    """A module of the title with what breaking it needs: parents of nodes and places in the text."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.text, self.tree = file, text, ast.parse(text)
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        self.starts = [0]
        for line in text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.lines = text.splitlines()
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        self.comments = {token.start[0]: token.string for token in tokens if token.type == tokenize.COMMENT}

    def place(self, line: int, column: int) -> int:
        """Columns count bytes, places characters."""
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def replaced(self, node: ast.expr | ast.stmt, new: str, what: str) -> Mutant:
        start = self.place(node.lineno, node.col_offset)
        end = self.place(node.end_lineno or 0, node.end_col_offset or 0)
        return Mutant(self.file, start, end, new, f"{what}: {short(self.text[start:end])} -> {short(new)}")

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        while (parent := self.parents.get(node)) is not None:
            yield parent
            node = parent

    def function(self, node: ast.AST) -> ast.FunctionDef | None:
        return next((parent for parent in self.above(node) if isinstance(parent, ast.FunctionDef)), None)

    def functions(self) -> Iterator[ast.FunctionDef]:
        return (node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef))


def short(text: str) -> str:
    return " ".join(text.split())


def in_code(source: Source, rules: set[str]) -> Iterator[Mutant]:
    """Every way to break one of these rules in a module."""
    for function in source.functions():
        if rules & {*numbers_of(ast.get_docstring(function) or ""), *decorated(source, function, rules)}:
            yield from broken(source, function)
    for node in ast.walk(source.tree):
        if names_rule(node, rules) and not isinstance(source.parents[node], ast.Expr | ast.JoinedStr):
            yield from at_mention(source, node)
    for statement in marked_statements(source, rules):
        yield from broken(source, statement)


def numbers_of(docstring: str) -> list[str]:
    """The rules that a docstring begins with."""
    found = []
    for word in docstring.split():
        if not any(sign.isdigit() for sign in word):
            break
        found.append(word.rstrip(",:"))
    return found


def decorated(source: Source, function: ast.FunctionDef, rules: set[str]) -> Iterator[str]:
    """A decorator names a rule, or its last part if the module gives the first: `@condition("cover")`."""
    for decorator in function.decorator_list:
        words = [node.value for node in ast.walk(decorator) if isinstance(node, ast.Constant)]
        for rule in rules:
            first, _, last = rule.partition("/")
            if rule in words or (last in words and f'"{first}/' in source.text):
                yield rule


def names_rule(node: ast.AST, rules: set[str]) -> bool:
    """A string that is the rule, or one put together: f"4.2/{command}"."""
    if isinstance(node, ast.Constant):
        return node.value in rules
    if isinstance(node, ast.JoinedStr) and isinstance(first := node.values[0], ast.Constant):
        return str(first.value).endswith("/") and any(rule.startswith(str(first.value)) for rule in rules)
    return False


def at_mention(source: Source, node: ast.AST, followed: frozenset[str] = frozenset()) -> Iterator[Mutant]:
    """What decides whether the rule is named here, and the short function that does it; else where that is used."""
    function = source.function(node)
    found: list[Mutant] = []
    if (guard := next(iter(guards(source, node)), None)) is not None:
        found += [negated(source, guard), *broken(source, guard)]
    if function is not None and (not found or is_short(function)):
        found += broken(source, function)
    yield from found or at_uses(source, node, followed)


def is_short(function: ast.FunctionDef) -> bool:
    return (function.end_lineno or 0) - function.lineno < SHORT


def at_uses(source: Source, node: ast.AST, followed: frozenset[str]) -> Iterator[Mutant]:
    """Where the module uses the function or the table that a node is in."""
    function = source.function(node)
    names = {function.name} if function else {name.id for parent in source.above(node) for name in targets(parent)}
    for use in ast.walk(source.tree):
        if used_name(use) in names - followed and source.function(use) not in (None, function):
            yield from at_mention(source, use, followed | names)


def used_name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def targets(node: ast.AST) -> list[ast.Name]:
    found = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target for target in found if isinstance(target, ast.Name)]


def guards(source: Source, node: ast.AST) -> Iterator[ast.expr]:
    """The conditions under which a node is reached, nearest first, within its function."""
    for parent in source.above(node):
        if isinstance(parent, ast.FunctionDef):
            return
        if isinstance(parent, ast.If | ast.IfExp | ast.While) and node not in ast.walk(parent.test):
            yield parent.test


def marked_statements(source: Source, rules: set[str]) -> Iterator[ast.stmt]:
    """The innermost statements whose line ends with the number of the rule as a comment."""
    marked = {line for line, text in source.comments.items() if rules & set(re.split(r"[ ,]+", text.lstrip("# ")))}
    for node in ast.walk(source.tree) if marked else ():
        if isinstance(node, ast.stmt) and node.lineno in marked and source.function(node) is not None:
            yield node


def broken(source: Source, node: ast.AST) -> Iterator[Mutant]:
    """A condition turned round, a number shifted, a modifier or an effect left out: every such place in a node."""
    skipped = set(unbreakable(node))
    for inner in ast.walk(node):
        if inner not in skipped:
            yield from broken_here(source, inner)


def unbreakable(node: ast.AST) -> Iterator[ast.AST]:
    """Annotations and strings put together (their places are not exact) stay as they are."""
    for inner in ast.walk(node):
        kept: list[ast.AST | None] = []
        if isinstance(inner, ast.FunctionDef):
            kept = [inner.args, inner.returns, *inner.decorator_list]
        elif isinstance(inner, ast.AnnAssign):
            kept = [inner.annotation]
        elif isinstance(inner, ast.JoinedStr | ast.Assert):
            kept = [inner]
        for part in kept:
            yield from ast.walk(part) if part is not None else ()


def broken_here(source: Source, node: ast.AST) -> Iterator[Mutant]:
    match node:
        case ast.If(test=test) | ast.IfExp(test=test):
            yield negated(source, test)
        case ast.comprehension(ifs=tests):
            yield from (negated(source, test) for test in tests)
        case ast.Return(value=ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()) as test):
            yield negated(source, test)
        case ast.BoolOp(values=values):
            yield from (without(source, node, value) for value in values)
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            yield source.replaced(node, str(number + 1), "shifted")
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right) if not is_text(left) and not is_text(right):
            yield source.replaced(node, f"({ast.unparse(left)})", "left out")
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) | ast.AugAssign():
            yield source.replaced(node, "pass", "left out")


def without(source: Source, node: ast.BoolOp, value: ast.expr) -> Mutant:
    """One condition less."""
    word = " and " if isinstance(node.op, ast.And) else " or "
    rest = word.join(f"({source_of(source, other)})" for other in node.values if other is not value)
    return source.replaced(node, f"({rest})", "left out")


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def negated(source: Source, test: ast.expr) -> Mutant:
    return source.replaced(test, f"(not ({source_of(source, test)}))", "turned round")


def source_of(source: Source, node: ast.expr) -> str:
    return ast.get_source_segment(source.text, node) or ast.unparse(node)


# Data --------------------------------------------------------------------------------------------------------

CELL = re.compile(r'\[(-?\d+), "(?:rulebook|inferred)')
VALUE = re.compile(r"\bvalue = (-?\d+)")
IN_FORCE = re.compile(r"\beditions = \[([^]]+)\]")


def in_data(file: str, text: str, rules: set[str], named: list[tuple[str, ...]], tier: str) -> Iterator[Mutant]:
    """Rows that name the rule or its condition, and the printed cells of a table that is headed with it."""
    heading, place = text.partition("\n")[0].lstrip("# "), 0
    for line in text.splitlines(keepends=True):
        if any(all(words in line for words in row) for row in named) and of_tier(line, tier):
            yield from in_row(file, line, place)
        elif rules & set(numbers_of(heading)):
            for cell in CELL.finditer(line):
                new = str(int(cell[1]) + 1)
                what = f"shifted: {short(line)} -> {new}"
                yield Mutant(file, place + cell.start(1), place + cell.end(1), new, what)
        place += len(line)


def of_tier(line: str, tier: str) -> bool:
    return "tier = " not in line or f'tier = "{tier}"' in line


def in_row(file: str, line: str, place: int) -> Iterator[Mutant]:
    """Take a row away, or its value, or the editions in which it is in force."""
    if line.strip().startswith("{") and "editions = " not in line:
        yield Mutant(file, place, place + len(line), "", f"left out: {short(line)}")
    for pattern, new in ((VALUE, "0"), (IN_FORCE, "")):
        if found := pattern.search(line):
            what = f"neutralised: {short(line)}"
            yield Mutant(file, place + found.start(1), place + found.end(1), new, what)


# Rows and their mutants --------------------------------------------------------------------------------------


def covered(title: str, root: Path = ROOT) -> list[Row]:
    with (root / "pbem" / "titles" / title / "ledger.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["status"] == "covered"]
    return [Row(row["id"], row.get("edition", ""), row["tier"]) for row in rows]


def mutants(title: str, row: Row, root: Path = ROOT) -> list[Mutant]:
    """Every way to break a rule that this knows, each once."""
    folder, sources = root / "pbem" / "titles" / title, sources_of(title, root)
    rules = with_aliases(sources, row.rule)
    found: list[Mutant] = []
    for source in sources:
        if Path(source.file).stem not in NO_RULES:
            found += in_code(source, rules)
    named = [(f'rule = "{rule}"',) for rule in rules]
    whole = f'rule = "{row.rule.partition("/")[0]}"'
    named += [(whole, f'when = "{condition}"') for condition in conditions(sources, rules)]
    for path in sorted(folder.glob("data/*.toml")):
        found += in_data(path.relative_to(root).as_posix(), path.read_text(), rules, named, row.tier)
    return list(dict.fromkeys(found))


def conditions(sources: Iterable[Source], rules: set[str]) -> Iterator[str]:
    """The conditions of modifiers that belong to these rules; rows of the charts name them."""
    for source in sources:
        yield from (function.name for function in source.functions() if any(decorated(source, function, rules)))


@cache
def sources_of(title: str, root: Path) -> list[Source]:
    files = sorted((root / "pbem" / "titles" / title).rglob("*.py"))
    return [Source(path.relative_to(root).as_posix(), path.read_text()) for path in files]


def with_aliases(sources: Iterable[Source], rule: str) -> set[str]:
    """A rule and the finer names under which the code knows it: keys of tables that have it as their value."""
    finer = {rule}
    for source in sources:
        for table in (node for node in ast.walk(source.tree) if isinstance(node, ast.Dict)):
            for key, value in zip(table.keys, table.values, strict=True):
                if is_rule(key) and isinstance(value, ast.Constant) and value.value == rule:
                    assert isinstance(key, ast.Constant)
                    finer.add(str(key.value))
    return finer


def is_rule(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and re.match(r"\d+\.\d", str(node.value)) is not None


# Running the tests -------------------------------------------------------------------------------------------


class Copy:
    """The tree in another place, where one file at a time is broken."""

    def __init__(self, folder: Path, title: str) -> None:
        self.folder, self.title, self.writes = folder, title, 0
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, folder / name)

    def write(self, file: str, text: str) -> None:
        """Every write has its own second: compiled modules are told apart by it."""
        path = self.folder / file
        path.write_text(text)
        self.writes += 1
        os.utime(path, (path.stat().st_atime, 1_000_000_000 + self.writes))

    def run(self, *tests: str) -> tuple[int, str]:
        """pytest in the copy: its exit code and what it wrote."""
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-x", "-q", "--tb=line", *tests]
        environment = os.environ | {"PYTHONPATH": str(self.folder)}
        done = subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=900, check=False
        )
        return done.returncode, done.stdout + done.stderr

    def tests(self) -> list[str]:
        folder = f"tests/titles/{self.title}"
        return [folder, *(f"--ignore={folder}/{name}" for name in NOT_RUN)]

    def marked(self, rule: str) -> list[str]:
        """The tests marked with a rule, by name."""
        found = []
        for path in sorted((self.folder / "tests" / "titles" / self.title).rglob("test_*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.FunctionDef) and rule in marks(node):
                    found.append(f"{path.relative_to(self.folder).as_posix()}::{node.name}")
        return found

    def judge(self, row: Row, mutant: Mutant, marked_only: bool) -> Verdict | None:
        """Break, test, mend; None if nothing can be loaded with this mutant."""
        whole = (self.folder / mutant.file).read_text()
        line = whole.count("\n", 0, mutant.start) + 1
        self.write(mutant.file, mutant.of(whole))
        try:
            fate, by = "survived", ""
            for tests in [self.marked(row.rule)] + [self.tests()] * (not marked_only):
                code, said = self.run(*tests)
                if code > 1 or "DataError" in said:
                    return None
                if code == 1:
                    fate, by = "killed", first_failure(said)
                    break
        except subprocess.TimeoutExpired:
            fate, by = "killed", "no end"
        finally:
            self.write(mutant.file, whole)
        return Verdict(row.rule, row.edition, fate, by, mutant.file, line, mutant.what)


def marks(node: ast.FunctionDef) -> Iterator[str]:
    """The rules that a test is marked with, in both editions' numbers where it runs in both."""
    for decorator in node.decorator_list:
        name = ast.unparse(decorator.func) if isinstance(decorator, ast.Call) else ""
        if isinstance(decorator, ast.Call) and name in ("pytest.mark.rule", "both_editions"):
            for rule in (ast.literal_eval(argument) for argument in decorator.args):
                yield from (rule, *(numbered(edition, rule) for edition in EDITIONS if name == "both_editions"))


def first_failure(said: str) -> str:
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE)
    return found[1].rpartition("/")[2] if found else "?"


def judge_row(copy: Copy, row: Row, seed: object, marked_only: bool = False) -> Verdict:
    """The fate of one mutant of a row, drawn by chance."""
    known = mutants(copy.title, row, copy.folder)
    random.Random(f"{seed}/{row.rule}/{row.edition}").shuffle(known)
    for mutant in known[:MOST_TRIES]:
        if verdict := copy.judge(row, mutant, marked_only):
            return verdict
    return Verdict(row.rule, row.edition, "no mutant possible", what=f"{len(known)} known")


def check(title: str, rows: list[Row], seed: object, marked_only: bool = False) -> Iterator[Verdict]:
    """Break the rules of these rows, one after the other, on a copy whose tests pass."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder), title)
        tests = [name for row in rows for name in copy.marked(row.rule)] if marked_only else copy.tests()
        code, said = copy.run(*tests)
        if code:
            raise SystemExit(f"The tests fail before anything is broken:\n{said}")
        for row in rows:
            yield judge_row(copy, row, seed, marked_only)


def draw(title: str, count: int, seed: object, tier: str = "") -> list[Row]:
    known = [row for row in covered(title) if not tier or row.tier == tier]
    return random.Random(str(seed)).sample(known, min(count, len(known)))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--title", default="panzer")
    parser.add_argument("--rows", type=int, default=40, help="how many rows of the ledger to draw")
    parser.add_argument("--tier", default="", help="draw from this tier only: basic, advanced, optional")
    parser.add_argument("--seed", default="1", help="the same seed draws the same rows and mutants")
    parser.add_argument("--rule", action="append", default=[], help="these rows instead of a draw")
    parser.add_argument("--skip", type=int, default=0, help="leave out the first so many rows of the draw")
    parser.add_argument("--list", action="store_true", help="only say how many mutants each row has")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(arguments)
    rows = [row for row in covered(args.title) if row.rule in args.rule] or draw(
        args.title, args.rows, args.seed, args.tier
    )
    rows = rows[args.skip :]
    if args.list:
        for row in rows:
            print(f"{row.rule:28}{row.edition:6}{len(mutants(args.title, row)):5}")
        return 0
    verdicts = []
    for verdict in check(args.title, rows, args.seed):
        verdicts.append(verdict)
        print(
            f"{verdict.fate:20}{verdict.rule:26}{verdict.edition:6}{verdict.file}:{verdict.line} {verdict.what}  "
            f"[{verdict.by}]",
            file=sys.stderr,
            flush=True,
        )
    fates = Counter(verdict.fate for verdict in verdicts)
    if args.json:
        print(json.dumps({"fates": fates, "rows": [asdict(verdict) for verdict in verdicts]}, indent=2))
    else:
        print(", ".join(f"{count} {fate}" for fate, count in sorted(fates.items())))
    return 1 if fates["survived"] else 0


if __name__ == "__main__":
    sys.exit(main())
