"""No module is longer than 600 lines, no function than 50, and no folder has more than 14 modules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("pbem", "eventstore", "tests")
MOST_LINES, MOST_STATEMENTS, MOST_MODULES = 600, 50, 14


def modules() -> Iterator[Path]:
    for package in PACKAGES:
        yield from sorted((ROOT / package).rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def module_sizes() -> dict[str, int]:
    return {name_of(path): path.read_text("utf-8").count("\n") for path in modules()}


def function_sizes() -> dict[str, int]:
    """Return the length of each function without its signature and docstring, since data in a signature is not
    logic."""
    found: dict[str, int] = {}
    for path in modules():
        for node in functions(ast.parse(path.read_text("utf-8"))):
            first = node.body[1] if ast.get_docstring(node) and len(node.body) > 1 else node.body[0]
            found[f"{name_of(path)}:{node.name}"] = (node.end_lineno or 0) - first.lineno + 1
    return found


def functions(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the functions of a module; only statements are searched, because expressions contain no functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield child
        if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield from functions(child)


def folder_sizes() -> dict[str, int]:
    """Return the number of modules in each folder; `__init__` and `__main__` describe the folder and are not
    counted."""
    found: dict[str, int] = {}
    for path in modules():
        if not path.name.startswith("__"):
            folder = name_of(path.parent)
            found[folder] = found.get(folder, 0) + 1
    return found


def check(found: dict[str, int], most: int) -> None:
    over = {name: size for name, size in found.items() if size > most}
    assert over == {}, f"over {most}: split it"


def test_no_module_is_longer_than_a_newcomer_reads() -> None:
    check(module_sizes(), MOST_LINES)


def test_no_function_is_longer_than_a_page() -> None:
    check(function_sizes(), MOST_STATEMENTS)


def test_no_folder_has_more_modules_than_a_list_shows() -> None:
    check(folder_sizes(), MOST_MODULES)
