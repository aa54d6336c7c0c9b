"""The architecture page follows one order from email to report, through functions that exist."""

from __future__ import annotations

import importlib
import re
from importlib import resources

MOST_STEPS = 12
PAGE = (resources.files("pbem") / "guide" / "architecture.md").read_text("utf-8")
WALK = PAGE[PAGE.index("## One order") : PAGE.index("The site calls")]


def exists(name: str) -> bool:
    """Return whether `package.module.function` can be imported, or `package.module`."""
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
