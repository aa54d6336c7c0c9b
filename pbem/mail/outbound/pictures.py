"""Map pictures in emails: an SVG drawing as a small PNG.

Text is set in the fonts beside this module and in no others, so a picture is the same on every machine. The common
background of a map's pictures is rasterised once; then only the drawing on top of it is rasterised for each
picture. A finished picture is used again.

png           the picture of a drawing
Grounds       the backgrounds of some maps, each found as the elements with which the map's drawings begin
"""

from __future__ import annotations

import io
import threading
from collections import OrderedDict
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import TypeVar

import resvg_py
from lxml import etree  # type: ignore[import-untyped]
from PIL import Image

T = TypeVar("T")

WIDTH = 900
COLOURS = 64
MOST_GROUNDS, MOST_PICTURES = 8, 64
UNDRAWN = ("title", "desc", "metadata")
SHARED = ("defs", "style", "clipPath", "symbol", "linearGradient", "radialGradient", "pattern", "mask")
"""Elements that draw nothing themselves but are referred to by others."""
SPOKEN = ("aria-", "data-", "role")
"""Attributes for screen readers and programs. They name the turn, and none of them is drawn."""


def png(svg: str) -> bytes:
    """Render an SVG drawing as a PNG."""
    return PICTURES.png(svg)


@cache
def fonts() -> list[str]:
    """Return the paths of the bundled font files."""
    folder = Path(str(resources.files("pbem.mail.outbound") / "fonts"))
    return sorted(str(file) for file in folder.glob("*.ttf"))


def raster(svg: str) -> Image.Image:
    """Rasterise a drawing on a transparent background, using only the bundled fonts."""
    family = "DejaVu Sans"
    content = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=WIDTH,
        skip_system_fonts=True,
        font_files=fonts(),
        font_family=family,
        serif_family=family,
        sans_serif_family=family,
        monospace_family=family,
    )
    with Image.open(io.BytesIO(bytes(content))) as picture:
        return picture.convert("RGBA")


def in_few_colours(whole: Image.Image) -> bytes:
    """Return a PNG small enough for phones to load quickly and for replies to quote within our size limits."""
    few = whole.convert("RGB").quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    kept = io.BytesIO()
    few.save(kept, "PNG", compress_level=4)
    return kept.getvalue()


class Drawing:
    """A drawing taken apart: the shared definitions, and the elements that are drawn, in order."""

    def __init__(self, svg: str) -> None:
        root = etree.fromstring(svg.encode(), etree.XMLParser(resolve_entities=False, no_network=True))
        parts = [(etree.QName(child).localname, etree.tostring(child, with_tail=False)) for child in root]
        self.shared = [text for name, text in parts if name in SHARED]
        self.drawn = [text for name, text in parts if name not in SHARED and name not in UNDRAWN]
        for child in list(root):
            root.remove(child)
        root.text = None
        for name in [name for name in root.attrib if str(name).startswith(SPOKEN)]:
            del root.attrib[name]
        self.head, _, _ = etree.tostring(root).partition(b"/>")
        self.key = sha256(b"".join([self.head, *self.shared])).digest()

    def part(self, begin: int, end: int | None = None) -> str:
        """Return a drawing of some of the elements."""
        body = b"".join([*self.shared, *self.drawn[begin:end]])
        return str((self.head + b">" + body + b"</svg>").decode())


class Grounds:
    """The backgrounds of some maps, each learnt as the leading elements that two drawings of a map share."""

    def __init__(self) -> None:
        self._last: OrderedDict[bytes, list[bytes]] = OrderedDict()
        self._found: OrderedDict[bytes, tuple[list[bytes], Image.Image]] = OrderedDict()

    def over_ground(self, drawing: Drawing) -> Image.Image:
        """Render a drawing on top of its map's background, where that is known."""
        known = self._found.get(drawing.key)
        if known is None or common(known[0], drawing.drawn) < len(known[0]):
            known = self._learn(drawing)
        if known is None:
            return raster(drawing.part(0))
        picture = known[1].copy()
        picture.alpha_composite(raster(drawing.part(len(known[0]))))
        return picture

    def _learn(self, drawing: Drawing) -> tuple[list[bytes], Image.Image] | None:
        before = self._last.get(drawing.key)
        keep(self._last, drawing.key, drawing.drawn, MOST_GROUNDS)
        count = common(before, drawing.drawn) if before is not None else 0
        if not count:
            return None
        ground = drawing.drawn[:count], raster(drawing.part(0, count))
        keep(self._found, drawing.key, ground, MOST_GROUNDS)
        return ground


class Pictures:
    """A cache of rendered pictures, keyed by drawing."""

    def __init__(self) -> None:
        self._grounds, self._made, self._lock = Grounds(), OrderedDict[bytes, bytes](), threading.Lock()

    def png(self, svg: str) -> bytes:
        name = sha256(svg.encode()).digest()
        with self._lock:
            if (made := self._made.get(name)) is None:
                made = in_few_colours(self._grounds.over_ground(Drawing(svg)))
            keep(self._made, name, made, MOST_PICTURES)
            return made


def common(one: list[bytes], other: list[bytes]) -> int:
    """Return how many leading elements two drawings have in common."""
    count = 0
    for first, second in zip(one, other, strict=False):
        if first != second:
            break
        count += 1
    return count


def keep(kept: OrderedDict[bytes, T], name: bytes, value: T, most: int) -> None:
    """Store a value as the newest, and drop the oldest values beyond `most`."""
    kept[name] = value
    kept.move_to_end(name)
    while len(kept) > most:
        kept.popitem(last=False)


PICTURES = Pictures()
