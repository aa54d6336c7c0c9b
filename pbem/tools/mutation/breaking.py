"""Mutants of a rule: every known way to break a rule in one place of a title's code or data.

A rule is found where a docstring begins with its number, where a finding, objection or decorator names it, where a
comment ends a line with it, and in the rows of data that cite it. There a condition is negated or dropped, a number
shifted by one, a modifier or an effect left out, a row of data removed.

mutants       every mutant of a ledger row
covered_rows  the ledger rows that tests cover
Mutant        one place of one file, broken
"""

from __future__ import annotations

import ast
import csv
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

NOT_RULES = ("telling", "bots", "picture", "drawing", "explain")
"""Folders of modules that show or advise: they mention rules but decide nothing."""
NOT_RULES_EITHER = (
    "doctrine", "flaws", "forms", "invariants", "language", "numbering", "phrases", "plan", "prospects", "sentences",
    "sheets", "standing_orders", "title", "unit_words", "words",
)  # fmt: skip
SHORT = 14
"""A function with fewer lines is assumed to be only about the rule that it names."""


@dataclass(frozen=True)
class Row:
    """A covered row of the ledger."""

    rule: str
    edition: str
    tier: str


@dataclass(frozen=True)
class Mutant:
    """A file broken in one place. `start` and `end` count characters."""

    file: str
    start: int
    end: int
    new: str
    what: str

    def of(self, text: str) -> str:
        """Return the file's text with this place broken."""
        return text[: self.start] + self.new + text[self.end :]


# Code --------------------------------------------------------------------------------------------------------


class Source:
    """A module of a title, with the parent of each node and the position of each line."""

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
        """Return the position in characters of a column in bytes."""
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


def in_code(source: Source, rules: set[str], uses: bool = True) -> Iterator[Mutant]:
    """Yield the ways to break one of these rules in a module, on lines that concern nothing else.

    With `uses`, also break functions of other rules where they use the function or table that names the rule.
    """
    for function in source.functions():
        numbers = {*numbers_of(ast.get_docstring(function) or ""), *decorator_rules(source, function, rules)}
        if numbers and numbers <= rules:
            yield from break_node(source, function)
    for node in ast.walk(source.tree):
        if names_rule(node, rules) and not isinstance(source.parents[node], ast.Expr | ast.JoinedStr):
            yield from at_mention(source, node, rules, uses)
    for statement in marked_statements(source, rules):
        yield from break_node(source, statement)


def in_shared_code(source: Source, rules: set[str]) -> Iterator[Mutant]:
    """Yield the ways to break functions that implement one of these rules, perhaps together with others."""
    for function in source.functions():
        if rules & {*numbers_of(ast.get_docstring(function) or "")}:
            yield from break_node(source, function)


def numbers_of(docstring: str) -> list[str]:
    """Return the rules that a docstring begins with."""
    found = []
    for word in docstring.split():
        if not any(sign.isdigit() for sign in word):
            break
        found.append(word.rstrip(",:"))
    return found


def decorator_rules(source: Source, function: ast.FunctionDef, rules: set[str]) -> Iterator[str]:
    """Yield the rules that a decorator names; the module may give the first part: `@condition("cover")`."""
    for decorator in function.decorator_list:
        words = [node.value for node in ast.walk(decorator) if isinstance(node, ast.Constant)]
        for rule in rules:
            first, _, last = rule.partition("/")
            if rule in words or (last in words and f'"{first}/' in source.text):
                yield rule


def names_rule(node: ast.AST, rules: set[str]) -> bool:
    """Whether a node is the rule as a string, or builds it: f"4.2/{command}"."""
    if isinstance(node, ast.Constant):
        return node.value in rules
    if isinstance(node, ast.JoinedStr) and isinstance(first := node.values[0], ast.Constant):
        return str(first.value).endswith("/") and any(rule.startswith(str(first.value)) for rule in rules)
    return False


def at_mention(
    source: Source, node: ast.AST, rules: set[str], uses: bool, followed: frozenset[str] = frozenset()
) -> Iterator[Mutant]:
    """Break the condition under which the rule is named, and a short function around it, or else the rule's uses."""
    function = source.function(node)
    found: list[Mutant] = []
    if (guard := next(iter(guards(source, node)), None)) is not None:
        found += [negate(source, guard), *break_node(source, guard)]
    own = function is not None and not is_of_others(function, rules)
    if function is not None and (not found or is_short(function)) and (own or uses):
        found += break_node(source, function)
    yield from found or at_uses(source, node, rules, uses, followed)


def is_of_others(function: ast.FunctionDef, rules: set[str]) -> bool:
    """Whether a function's docstring begins with rule numbers, but none of these rules or their parts."""
    named = numbers_of(ast.get_docstring(function) or "")
    return bool(named) and not any(are_akin(one, rule) for one in named for rule in rules)


def are_akin(one: str, other: str) -> bool:
    """Whether two rules are the same, or one is part of the other."""
    return f"{one}/".startswith((f"{other}/", f"{other}.")) or f"{other}/".startswith((f"{one}/", f"{one}."))


def is_short(function: ast.FunctionDef) -> bool:
    return (function.end_lineno or 0) - function.lineno < SHORT


def at_uses(source: Source, node: ast.AST, rules: set[str], uses: bool, followed: frozenset[str]) -> Iterator[Mutant]:
    """Break the places of the module that use the function or table around a node."""
    function = source.function(node)
    names = {function.name} if function else {name.id for parent in source.above(node) for name in targets(parent)}
    for use in ast.walk(source.tree):
        if used_name(use) in names - followed and (user := source.function(use)) not in (None, function):
            assert user is not None
            if uses or not is_of_others(user, rules):
                yield from at_mention(source, use, rules, uses, followed | names)


def used_name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def targets(node: ast.AST) -> list[ast.Name]:
    found = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target for target in found if isinstance(target, ast.Name)]


def guards(source: Source, node: ast.AST) -> Iterator[ast.expr]:
    """Yield the conditions under which a node is reached, nearest first, within its function."""
    for parent in source.above(node):
        if isinstance(parent, ast.FunctionDef):
            return
        if isinstance(parent, ast.If | ast.IfExp | ast.While) and node not in ast.walk(parent.test):
            yield parent.test


def marked_statements(source: Source, rules: set[str]) -> Iterator[ast.stmt]:
    """Yield the statements whose line ends with the number of the rule as a comment."""
    marked = {line for line, text in source.comments.items() if rules & set(re.split(r"[ ,:]+", text.lstrip("# ")))}
    for node in ast.walk(source.tree) if marked else ():
        if isinstance(node, ast.stmt) and node.lineno in marked and source.function(node) is not None:
            yield node


def break_node(source: Source, node: ast.AST) -> Iterator[Mutant]:
    """Yield a mutant for every condition, number, modifier and effect in a node."""
    skipped = set(unbreakable(node))
    for inner in ast.walk(node):
        if inner not in skipped:
            yield from broken_here(source, inner)


def unbreakable(node: ast.AST) -> Iterator[ast.AST]:
    """Yield annotations and formatted strings, which have inexact positions; they stay unchanged."""
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
            yield negate(source, test)
        case ast.comprehension(ifs=tests):
            yield from (negate(source, test) for test in tests)
        case ast.Return(value=ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()) as test):
            yield negate(source, test)
        case ast.BoolOp(values=values):
            yield from (without(source, node, value) for value in values)
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            yield source.replaced(node, str(number + 1), "shifted")
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right) if not is_text(left) and not is_text(right):
            yield source.replaced(node, f"({ast.unparse(left)})", "left out")
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) | ast.AugAssign():
            yield source.replaced(node, "pass", "left out")


def without(source: Source, node: ast.BoolOp, value: ast.expr) -> Mutant:
    """Drop one condition of several."""
    word = " and " if isinstance(node.op, ast.And) else " or "
    rest = word.join(f"({source_of(source, other)})" for other in node.values if other is not value)
    return source.replaced(node, f"({rest})", "left out")


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def negate(source: Source, test: ast.expr) -> Mutant:
    return source.replaced(test, f"(not ({source_of(source, test)}))", "negated")


def source_of(source: Source, node: ast.expr) -> str:
    return ast.get_source_segment(source.text, node) or ast.unparse(node)


# Data --------------------------------------------------------------------------------------------------------

CELL = re.compile(r'\[(-?\d+), "(?:rulebook|inferred)')
VALUE = re.compile(r"\bvalue = (-?\d+)")
IN_FORCE = re.compile(r"\beditions = \[([^]]+)\]")


def in_data(file: str, text: str, rules: set[str], named: list[tuple[str, ...]], tier: str) -> Iterator[Mutant]:
    """Break rows that name the rule or its condition, and printed cells of a table whose heading names it."""
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
    """Remove a row, or neutralise its value or the editions in which it is in force."""
    if line.strip().startswith("{") and "editions = " not in line:
        yield Mutant(file, place, place + len(line), "", f"left out: {short(line)}")
    for pattern, new in ((VALUE, "0"), (IN_FORCE, "")):
        if found := pattern.search(line):
            what = f"neutralised: {short(line)}"
            yield Mutant(file, place + found.start(1), place + found.end(1), new, what)


# Rows and their mutants --------------------------------------------------------------------------------------


def covered_rows(title: str, root: Path) -> list[Row]:
    with (root / "pbem" / "titles" / title / "ledger.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["status"] == "covered"]
    return [Row(row["id"], row.get("edition", ""), row["tier"]) for row in rows]


@cache
def mutants(title: str, row: Row, root: Path) -> tuple[Mutant, ...]:
    """Return every known way to break the rule of a row, each once."""
    folder, sources = root / "pbem" / "titles" / title, sources_of(title, root)
    rules = {row.rule, *finer_names(title, root).get(row.rule, ())}
    words = {word for rule in rules for word in (rule, rule.partition("/")[0] + "/")}
    sources = [source for source in sources if any(word in source.text for word in words)]
    deciding = [source for source in sources if decides(source.file)]
    found = [mutant for source in deciding for mutant in in_code(source, rules, uses=False)]
    named: list[tuple[str, ...]] = [(f'rule = "{rule}"',) for rule in rules]
    whole = f'rule = "{row.rule.partition("/")[0]}"'
    named += [(whole, f'when = "{condition}"') for condition in conditions(sources, rules)]
    for path in sorted(folder.glob("data/**/*.toml")):
        found += in_data(path.relative_to(root).as_posix(), path.read_text(), rules, named, row.tier)
    for search in (in_shared_code, in_code):
        found = found or [mutant for source in deciding for mutant in search(source, rules)]
    return tuple(dict.fromkeys(found))


def decides(file: str) -> bool:
    """Whether a module of a title decides by rules, instead of showing or advising."""
    path = Path(file)
    told = path.stem.endswith("_sentences") or path.stem in NOT_RULES_EITHER
    return not set(path.parts) & set(NOT_RULES) and not told


def conditions(sources: Iterable[Source], rules: set[str]) -> Iterator[str]:
    """Yield the conditions of modifiers that belong to these rules; rows of the charts name them."""
    for source in sources:
        yield from (function.name for function in source.functions() if any(decorator_rules(source, function, rules)))


@cache
def sources_of(title: str, root: Path) -> list[Source]:
    files = sorted((root / "pbem" / "titles" / title).rglob("*.py"))
    return [Source(path.relative_to(root).as_posix(), path.read_text()) for path in files]


@cache
def finer_names(title: str, root: Path) -> dict[str, set[str]]:
    """Return the code's finer names for each rule: the keys of tables whose value is that rule."""
    finer: dict[str, set[str]] = {}
    for source in sources_of(title, root):
        for table in (node for node in ast.walk(source.tree) if isinstance(node, ast.Dict)):
            for key, value in zip(table.keys, table.values, strict=True):
                if is_rule(key) and isinstance(value, ast.Constant):
                    assert isinstance(key, ast.Constant)
                    finer.setdefault(str(value.value), set()).add(str(key.value))
    return finer


def is_rule(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and re.match(r"\d+\.\d", str(node.value)) is not None
