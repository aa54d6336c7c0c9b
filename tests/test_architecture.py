"""The architecture page follows an order from email to report through functions that exist, and the program uses all
its functions."""

from __future__ import annotations

import ast
import importlib
import re
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

MOST_STEPS = 12
PAGE = (resources.files("pbem") / "guide" / "architecture.md").read_text("utf-8")
WALK = PAGE[PAGE.index("## One order") : PAGE.index("The site calls")]


def exists(name: str) -> bool:
    """Return whether a dotted name, such as `package.module.function`, can be imported."""
    try:
        importlib.import_module(f"pbem.{name}")
        return True
    except ImportError:
        module, _, function = name.rpartition(".")
        return hasattr(importlib.import_module(f"pbem.{module}"), function)


def test_the_walk_names_twelve_functions_at_most() -> None:
    steps = re.findall(r"^\d+\. `([\w.]+)`", WALK, re.MULTILINE)
    assert 0 < len(steps) <= MOST_STEPS
    assert len(steps) == len(re.findall(r"^\d+\.", WALK, re.MULTILINE)), "every step begins with its function"


def test_every_name_of_the_walk_exists() -> None:
    named = re.findall(r"`((?:mail|matches|engine)\.[\w.]+)`", WALK)
    assert named and [name for name in named if not exists(name)] == []


ROOT = Path(__file__).parents[1]
USERS = (".py", ".html", ".txt", ".xml", ".lark", ".toml")
"""Files of the program that call functions by name."""
FOR_OTHERS = ("pbem/tools", "eventstore")
"""Packages whose functions others may call: programs for developers, and a library."""
BY_OTHERS = re.compile(r"on_\w+|__\w+__|get_points_times_ten")
"""Functions that are called by a computed name (`on_blitz` for a clause `blitz`), by Python, or by a library."""


def source_files() -> list[Path]:
    return [path for part in ("pbem", "eventstore", "templates") for path in sorted((ROOT / part).rglob("*"))]


def functions_of_the_program() -> Iterator[tuple[str, str]]:
    """Yield the file and name of each function and class, except those that a decorator registers."""
    for path in source_files():
        file = path.relative_to(ROOT).as_posix()
        if path.suffix == ".py" and not file.startswith(FOR_OTHERS):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.decorator_list:
                    yield file, node.name


def test_no_function_is_called_only_by_tests() -> None:
    words: Counter[str] = Counter()
    for path in source_files():
        if path.suffix in USERS:
            words.update(re.findall(r"\w+", path.read_text("utf-8")))
    named = [(file, name) for file, name in functions_of_the_program() if not BY_OTHERS.fullmatch(name)]
    assert len(named) > 5000
    assert [f"{file}: {name}" for file, name in named if words[name] == 1] == []
