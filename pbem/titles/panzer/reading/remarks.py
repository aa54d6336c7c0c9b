"""Remarks of forms: everything after # is one."""

from __future__ import annotations

import textwrap
from typing import Final

WIDTH: Final = 40
"""How wide a remark may be on a telephone."""


def remark(text: str) -> list[str]:
    """A remark in lines no wider than a telephone."""
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)
