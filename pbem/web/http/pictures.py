"""Maps as stored bytes, keyed by the hash of a view: drawn once, sent often."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from flask import current_app

from pbem.engine.rules.title import Wording
from pbem.web.http.stored import Stored, store
from pbem.web.http.viewer import Look

MOST = 128
"""The most pictures kept."""


@runtime_checkable
class Drawing(Protocol):
    """Rules that can draw a view as an SVG and describe it in lines of text."""

    def picture(self, view: Any, viewer: str) -> str | None: ...

    def describe(self, view: Any, viewer: str) -> Sequence[Wording]: ...


def picture_of(found: Look) -> Stored | None:
    """Return the map of a view, drawn now if it is new; None if its title has no map."""
    kept = current_app.extensions["pbem"]["pictures"]
    key = (found.match, found.mark)
    stored: Stored | None = kept.get(key)
    if stored is None and (drawn := draw(found)) is not None:
        stored = kept.put(key, store(drawn.encode(), found.mark))
    return stored


def draw(found: Look) -> str | None:
    rules = found.position.rules
    return rules.picture(found.view, found.viewer) if isinstance(rules, Drawing) else None


def words_of(found: Look) -> Sequence[Wording]:
    """List everything on the map with its place, for readers who cannot see the picture."""
    rules = found.position.rules
    return rules.describe(found.view, found.viewer) if isinstance(rules, Drawing) else []
