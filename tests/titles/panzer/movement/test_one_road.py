"""4.4.1, 6.6, 6.8.3.1.2 Each change to a unit is made by one function; its fields are set nowhere else."""

from __future__ import annotations

import ast
from importlib.resources import files
from pathlib import Path

import pytest

PACKAGE = Path(str(files("pbem.titles.panzer")))
ROADS = {
    "hex": {"movement/placing.py", "setup/deployment.py", "setup/plotting.py"},
    "fired": {"fire/actions.py", "end_of_turn/adjustment.py"},
    "used_up": {"fire/actions.py"},
    "under_fire": {"damage/attacks.py", "end_of_turn/adjustment.py"},
    "position": {"damage/effects.py", "obstacles/positions.py", "end_of_turn/digging.py", "setup/deployment.py",
                 "view.py"},
}  # fmt: skip
"""The modules that set each field of a unit; set-up gives the first values, and the Adjustment Phase resets them."""
OTHERS = {"flight", "counter", "self", "plot", "feature", "cloud"}
"""Objects with a field of the same name that are not units."""


def assigned(module: Path, field: str) -> list[int]:
    """Return the lines in which a module sets this field on something that may be a unit."""
    lines: list[int] = []
    text = module.read_text()
    if f".{field}" not in text:
        return lines
    for node in ast.walk(ast.parse(text)):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if not isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            continue
        for target in targets:
            for one in target.elts if isinstance(target, ast.Tuple) else [target]:
                is_field = isinstance(one, ast.Attribute) and one.attr == field
                if is_field and not (isinstance(one.value, ast.Name) and one.value.id in OTHERS):
                    lines.append(node.lineno)
    return lines


@pytest.mark.parametrize("field", sorted(ROADS))
def test_nobody_sets_a_field_of_a_unit_by_a_second_road(field):
    found = {
        str(module.relative_to(PACKAGE)): lines
        for module in sorted(PACKAGE.rglob("*.py"))
        if (lines := assigned(module, field)) and module.parent.name not in ("bots", "player", "telling")
    }
    assert {name: lines for name, lines in found.items() if name not in ROADS[field]} == {}
