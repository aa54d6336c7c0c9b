"""No title keeps a function or class that only tests call."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

import pbem

ROOT = Path(pbem.__file__).parent
BY_NAME = ("on_",)
"""Methods that are found by the name of what they answer."""


@pytest.fixture(scope="module")
def words() -> Counter[str]:
    """How often each word occurs in the program and its data, documentation apart."""
    code = (re.sub(r'"""[\s\S]*?"""', "", path.read_text("utf-8")) for path in sorted(ROOT.rglob("*.py")))
    data = (path.read_text("utf-8") for kind in ("html", "toml", "lark") for path in sorted(ROOT.rglob(f"*.{kind}")))
    return Counter(word for text in (*code, *data) for word in re.findall(r"[A-Za-z_]\w*", text))


@pytest.mark.parametrize("title", ["panzer", "tanks"])
def test_everything_is_used_by_the_program_itself(title: str, words: Counter[str]) -> None:
    unused = []
    for path in sorted((ROOT / "titles" / title).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.name.startswith(("__", *BY_NAME)):
                continue
            marked = [one for one in node.decorator_list if not (isinstance(one, ast.Name) and one.id == "property")]
            if not marked and words[node.name] < 2:
                unused.append(f"{path.relative_to(ROOT)}: {node.name}")
    assert unused == []
