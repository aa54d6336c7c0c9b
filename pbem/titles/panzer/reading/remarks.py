"""Comments in forms: everything after #."""

from __future__ import annotations

import textwrap
from typing import Final

WIDTH: Final = 40
"""The maximum width of a comment on a phone."""


def remark(text: str) -> list[str]:
    """A comment in lines no wider than a phone screen."""
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)
