"""Preview the effects of orders in the present position, in messages, if the title supports it."""

from __future__ import annotations

from typing import Any

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Rules
from pbem.engine.text.grammar import lines
from pbem.engine.text.messages import Message

MOST_LINES = 60
"""The most lines of orders that are previewed."""


def ahead(rules: Rules, view: Any, ask: Ask | None, text: str) -> list[Message]:
    """Say where the lines of an order lead together; empty if the title has no previews."""
    if ask is None or not rules.foresees:
        return []
    try:
        found = rules.preview(view, ask, "\n".join(line.written for line in lines(text)[:MOST_LINES]))
    except Refusal:
        return []
    return list(found.get("said", ()))
