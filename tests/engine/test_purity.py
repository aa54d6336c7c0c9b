"""The syntax of the core proves it pure: no I/O, clock, randomness of its own, floats or iteration over sets.

A replay years later, on another machine, must give the same bytes, so nothing that could differ there may occur in
`engine` and `titles`.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted(file for package in ("engine", "titles") for file in (ROOT / "pbem" / package).rglob("*.py"))
PICTURES = ("drawing", "picture")
"""Folders of a title that only draw. Drawing decides nothing, so lengths on paper may be floats."""


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


OUTSIDE = words(
    """asyncio datetime eventstore flask glob io locale logging multiprocessing numpy os pathlib pickle
    platform random secrets select shutil signal socket sqlite3 sqlite_utils statistics subprocess tempfile
    threading time urllib uuid zoneinfo"""
)
CALLS = words("breakpoint eval exec float globals hash input open print __import__")
FLOATING = words("sqrt sin cos tan atan atan2 hypot pi exp log pow dist degrees radians")
ORDERED = words("sorted min max sum len any all set frozenset")
"""Functions that may take a set, because its order does not affect their result."""

Found = Iterator[tuple[int, str]]


@lru_cache(maxsize=1)
def nodes_of(tree: ast.AST) -> list[ast.AST]:
    """Return all nodes of a module; the nodes of the last module are cached."""
    return list(ast.walk(tree))


def imports_from_outside(tree: ast.AST) -> Found:
    for node in nodes_of(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module or ""]
        for name in names:
            if name.split(".")[0] in OUTSIDE or name.startswith(("pbem.matches", "pbem.mail", "pbem.web")):
                yield node.lineno, f"imports {name}"


def calls_to_outside(tree: ast.AST) -> Found:
    for node in nodes_of(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
            yield node.lineno, f"calls {node.func.id}"
        elif isinstance(node, ast.Global):
            yield node.lineno, f"keeps {', '.join(node.names)} between calls"


def floats(tree: ast.AST) -> Found:
    """Return the floats and true divisions in a module.

    Word similarity (`cutoff`) is exempt, as it only picks the hint in a refusal, and so are modules that use
    `Fraction`, because they divide exactly.
    """
    exact = any(isinstance(node, ast.ImportFrom) and node.module == "fractions" for node in nodes_of(tree))
    hints = {id(node.value) for node in nodes_of(tree) if isinstance(node, ast.keyword) and node.arg == "cutoff"}
    for node in nodes_of(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float) and id(node) not in hints:
            yield node.lineno, f"holds {node.value}"
        elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div) and not exact:
            yield node.lineno, f"divides: {ast.unparse(node)}"
        elif isinstance(node, ast.ImportFrom) and node.module == "math":
            for name in sorted(FLOATING & {name.name for name in node.names}):
                yield node.lineno, f"reckons with {name}"
        elif isinstance(node, ast.Import) and "math" in {name.name for name in node.names}:
            yield node.lineno, "imports all of math"


def iterations_over_sets(tree: ast.AST) -> Found:
    """Return the loops over values that are visibly sets, except for comprehensions that build another set."""
    for function in [tree, *(n for n in nodes_of(tree) if isinstance(n, ast.FunctionDef))]:
        nodes = list(own_nodes(function))
        known = names_of_sets(function, nodes)
        for node in nodes:
            for loop, iterated in loops(node):
                if is_set(iterated, known):
                    yield loop.lineno, f"goes through the set {ast.unparse(iterated)}"


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Return the nodes of a function without those of the functions inside it."""
    todo = list(ast.iter_child_nodes(function))
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, ast.ClassDef):
            todo += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.FunctionDef)]
        elif not isinstance(node, ast.FunctionDef | ast.Lambda):
            todo += [inner for child in ast.iter_child_nodes(node) for inner in seen_through(node, child)]


def seen_through(node: ast.AST, child: ast.AST) -> list[ast.AST]:
    """Return the nodes whose order does not matter, because the value is sorted or counted at once."""
    taken = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ORDERED
    return parts_of(child) if taken and isinstance(child, ast.GeneratorExp | ast.ListComp) else [child]


def parts_of(comprehension: ast.GeneratorExp | ast.ListComp) -> list[ast.AST]:
    return [comprehension.elt, *(test for generator in comprehension.generators for test in generator.ifs)]


def loops(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(node, ast.For):
        yield node.iter, node.iter
    elif isinstance(node, ast.GeneratorExp | ast.ListComp | ast.DictComp):
        yield from ((generator.iter, generator.iter) for generator in node.generators)
    elif isinstance(node, ast.Call) and node.args:
        listing = isinstance(node.func, ast.Name) and node.func.id in ("list", "tuple", "iter", "enumerate", "next")
        joining = isinstance(node.func, ast.Attribute) and node.func.attr == "join"
        if listing or joining:
            yield node.args[0], node.args[0]


def names_of_sets(function: ast.AST, nodes: list[ast.AST]) -> set[str]:
    """Return the names in this function that are assigned a set or annotated as one."""
    known: set[str] = set()
    if isinstance(function, ast.FunctionDef):
        arguments = [*function.args.args, *function.args.kwonlyargs]
        known |= {a.arg for a in arguments if a.annotation is not None and says_set(a.annotation)}
    for node in nodes:
        if isinstance(node, ast.Assign) and is_set(node.value, known):
            known |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and says_set(node.annotation):
            known.add(node.target.id)
    return known


def says_set(annotation: ast.expr) -> bool:
    base = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return isinstance(base, ast.Name) and base.id in ("set", "frozenset", "AbstractSet", "Set")


def is_set(node: ast.expr, known: set[str]) -> bool:
    match node:
        case ast.Set() | ast.SetComp():
            return True
        case ast.Name(id=name):
            return name in known
        case ast.Call(func=ast.Name(id="set" | "frozenset")):
            return True
        case ast.Call(func=ast.Subscript(value=ast.Name(id="set" | "frozenset"))):
            return True
        case ast.BinOp(op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor(), left=left, right=right):
            return is_set(left, known) or is_set(right, known)
        case ast.IfExp(body=body, orelse=orelse):
            return is_set(body, known) or is_set(orelse, known)
        case _:
            return False


def found_in(file: Path) -> list[str]:
    """Return every impurity in a module, which is parsed once for all checks."""
    tree = ast.parse(file.read_text())
    looks = [imports_from_outside, calls_to_outside, iterations_over_sets]
    looks += [] if {*file.parts} & {*PICTURES} else [floats]
    return [f"{file.relative_to(ROOT)}:{line} {what}" for look in looks for line, what in look(tree)]


def test_the_pure_core_is_pure() -> None:
    assert len(FILES) > 20
    assert [found for file in FILES for found in found_in(file)] == []


@pytest.mark.parametrize(
    ("look", "text"),
    [
        (imports_from_outside, "from time import monotonic"),
        (imports_from_outside, "import os.path"),
        (imports_from_outside, "from pbem.matches import acts"),
        (calls_to_outside, "def f(x):\n    return hash(x)"),
        (calls_to_outside, "def f():\n    global count\n    count = 1"),
        (floats, "half = size / 2"),
        (floats, "half = 0.5"),
        (floats, "from math import sqrt"),
        (iterations_over_sets, "for a in {1, 2}: pass"),
        (iterations_over_sets, "def f(units: frozenset[str]):\n    return [u for u in units]"),
        (iterations_over_sets, "def f():\n    near = set(g()) | h()\n    return list(near)"),
        (iterations_over_sets, "def f(units: set[str]):\n    return ', '.join(units)"),
    ],
)
def test_each_impurity_would_be_found(tmp_path: Path, look: object, text: str) -> None:
    assert callable(look)
    assert list(look(ast.parse(text)))


@pytest.mark.parametrize(
    "text",
    [
        "def f(units: set[str]):\n    return sorted(u for u in units)",
        "def f(units: set[str]):\n    return any(u for u in units)",
        "def f(units: set[str]):\n    return {u.side for u in units}",
        "def f(units: list[str]):\n    return [u for u in units if u in {1, 2}]",
    ],
)
def test_a_set_whose_order_does_not_show_is_allowed(text: str) -> None:
    assert list(iterations_over_sets(ast.parse(text))) == []


def test_the_engine_alone_loads_neither_the_store_nor_the_network() -> None:
    """Indirect imports are checked too, by looking at the modules that are really loaded."""
    program = (
        "import sys, pbem.engine.play.resolve, pbem.engine.play.bots, pbem.engine.geometry.plane\n"
        "print(sorted({'eventstore', 'sqlite3', 'flask', 'random', 'socket', 'secrets'} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
