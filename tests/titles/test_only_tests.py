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


def words_in(folder: Path, *kinds: str) -> Counter[str]:
    """Count how often each word occurs in the program and its data, without the documentation."""
    texts = (path.read_text("utf-8") for kind in ("py", *kinds) for path in sorted(folder.rglob(f"*.{kind}")))
    plain = (re.sub(r'"""[\s\S]*?"""', "", text) for text in texts)
    return Counter(word for text in plain for word in re.findall(r"[A-Za-z_]\w*", text))


@pytest.fixture(scope="module")
def words() -> Counter[str]:
    return words_in(ROOT, "html", "toml", "lark")


@pytest.mark.parametrize("title", ["panzer", "tanks"])
def test_everything_is_used_by_the_program_itself(title: str, words: Counter[str]) -> None:
    """A module's function must be used by its title, and a method by any part of the program."""
    folder, unused = ROOT / "titles" / title, []
    own = words_in(folder)
    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.name.startswith(("__", *BY_NAME)):
                continue
            marked = [one for one in node.decorator_list if not (isinstance(one, ast.Name) and one.id == "property")]
            used = own if node in tree.body else words
            if not marked and used[node.name] < 2:
                unused.append(f"{path.relative_to(ROOT)}: {node.name}")
    assert unused == []
