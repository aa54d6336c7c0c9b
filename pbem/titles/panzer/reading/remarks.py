"""Comments in forms: everything after #."""

from __future__ import annotations

import textwrap
from typing import Final

from pbem.engine.text.messages import Message

WIDTH: Final = 40
"""The maximum width of a comment, to fit a phone screen."""


def remark(said: Message | str) -> list[str]:
    """A comment split into lines no wider than a phone screen; a string is an order line, a name or a number."""
    return textwrap.wrap(str(said), WIDTH, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)
