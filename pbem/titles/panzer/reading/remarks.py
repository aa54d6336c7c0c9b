"""Comments in forms: everything after #."""

from __future__ import annotations

from typing import Final

from pbem.engine.text.forms import FormLine, comment
from pbem.engine.text.messages import Message

WIDTH: Final = 40
"""The maximum width of a comment, to fit a phone screen."""


def remark(said: Message | str) -> list[FormLine]:
    """A comment, put into words when the form is sent; a string is an order line, a name or a number."""
    return [said] if isinstance(said, Message) else [*comment(said, WIDTH)]
