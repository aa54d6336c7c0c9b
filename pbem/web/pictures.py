"""Maps as stored bytes, keyed by the hash of a view: drawn once, sent often."""

from __future__ import annotations

import gzip
import re
import threading
from collections import OrderedDict
from html import unescape
from typing import Any, Protocol, runtime_checkable

import msgspec

from pbem.web.looking import Look

DESCRIBED = re.compile(r"<desc>(.*?)</desc>", re.DOTALL)
MOST = 128
"""Pictures kept; the one not asked for longest goes first."""


@runtime_checkable
class Drawing(Protocol):
    """Rules that can draw a view as an SVG; its `desc` says the same in lines of words."""

    def picture(self, view: Any, viewer: str) -> str | None: ...


class Picture(msgspec.Struct, frozen=True):
    plain: bytes
    packed: bytes


class Pictures:
    """All threads share one store."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], Picture] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, found: Look) -> Picture | None:
        """The map of a look, or nothing if its title has none."""
        key = (found.match, found.mark)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        drawn = draw(found)
        if drawn is None:
            return None
        picture = Picture(drawn.encode(), gzip.compress(drawn.encode(), 6, mtime=0))
        with self._lock:
            self._kept[key] = picture
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)
        return picture


def draw(found: Look) -> str | None:
    rules = found.position.rules
    return rules.picture(found.view, found.viewer) if isinstance(rules, Drawing) else None


def words_of(picture: Picture | None) -> list[str]:
    """What is where, in lines, for those who do not see the picture."""
    described = DESCRIBED.search(picture.plain.decode()) if picture else None
    return unescape(described[1]).splitlines() if described else []
