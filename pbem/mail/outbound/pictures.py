"""Map pictures in emails: an SVG drawing as a small PNG.

Text is set in the fonts beside this module and in no others, so a picture is the same on every machine. What the
pictures of a map have in common is rasterised once: the ground below the units and the legend above it. For each
picture only the rest is rasterised, and only the part of the map where it is. The map with its units is kept for the
other seats, which often see the same and differ only in the marks of the turn. A finished picture is used again.

png           the picture of a drawing
Boards        maps with their units, without the marks of the turn
Grounds       what the drawings of a map have in common: the elements with which they begin and end
"""

from __future__ import annotations

import io
import threading
from collections import OrderedDict
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
import resvg_py
from lxml import etree  # type: ignore[import-untyped]
from PIL import Image

T = TypeVar("T")

WIDTH = 900
COARSE = 8
"""A drawing is located on a picture this many times smaller before it is rendered."""
MOST_TO_FIND = 60_000
MOST_OF_IT = 0.6
"""The longest drawing that is located first, in characters, and the share of a map beyond which it counts as wide."""
COLOURS = 64
MOST_GROUNDS, MOST_BOARDS, MOST_PICTURES = 8, 4, 64
UNDRAWN = ("title", "desc", "metadata")
SHARED = ("defs", "style", "clipPath", "symbol", "linearGradient", "radialGradient", "pattern", "mask")
"""Elements that draw nothing themselves but are referred to by others."""
SPOKEN = ("aria-", "data-", "role")
"""Attributes for screen readers and programs. They name the turn and the reader, and none of them is drawn."""
TURN = "data-turn"
"""The attribute of the marks of a turn, which are drawn last."""


def png(svg: str) -> bytes:
    """Render an SVG drawing as a PNG."""
    return PICTURES.png(svg)


@cache
def fonts() -> list[str]:
    """Return the paths of the bundled font files."""
    folder = Path(str(resources.files("pbem.mail.outbound") / "fonts"))
    return sorted(str(file) for file in folder.glob("*.ttf"))


def raster(svg: str, width: int = WIDTH) -> Image.Image:
    """Rasterise a drawing on a transparent background, using only the bundled fonts."""
    family = "DejaVu Sans"
    content = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
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


class Box(NamedTuple):
    """A part of a picture, in pixels."""

    left: int
    top: int
    right: int
    bottom: int


class Drawing:
    """A drawing taken apart: the shared definitions, and the elements that are drawn, in order.

    `board` is the number of elements before the marks of the turn.
    """

    def __init__(self, svg: str) -> None:
        root = etree.fromstring(svg.encode(), etree.XMLParser(resolve_entities=False, no_network=True))
        marks = sum(TURN in child.attrib for child in root)
        leave_out_words(root)
        parts = [(etree.QName(child).localname, etree.tostring(child, with_tail=False)) for child in root]
        self.shared = [text for name, text in parts if name in SHARED]
        self.drawn = [text for name, text in parts if name not in SHARED and name not in UNDRAWN]
        self.board = len(self.drawn) - marks
        for child in list(root):
            root.remove(child)
        root.text = None
        self._root = root
        self.key = sha256(b"".join([etree.tostring(root), *self.shared])).digest()

    def part(self, begin: int, end: int | None = None, box: Box | None = None, size: tuple[int, int] = (0, 0)) -> str:
        """Return a drawing of some of the elements; with a box, of that part of a picture of this size."""
        root = self._root if box is None else self._cut(box, size)
        head, _, _ = etree.tostring(root).partition(b"/>")
        body = b"".join([*self.shared, *self.drawn[begin:end]])
        return str((head + b">" + body + b"</svg>").decode())

    def _cut(self, box: Box, size: tuple[int, int]) -> etree._Element:
        root = etree.fromstring(etree.tostring(self._root))
        whole = root.get("viewBox") or f"0 0 {root.get('width')} {root.get('height')}"
        left, top, wide, high = map(float, whole.replace(",", " ").split())
        across, down = wide / size[0], high / size[1]
        width, height = box.right - box.left, box.bottom - box.top
        root.set("viewBox", f"{left + box.left * across} {top + box.top * down} {width * across} {height * down}")
        root.set("preserveAspectRatio", "none")
        root.set("width", str(width))
        root.set("height", str(height))
        return root


def leave_out_words(root: etree._Element) -> None:
    """Remove text that is only read aloud or read by programs, so that seats that see the same share a drawing."""
    etree.strip_elements(root, *(f"{{*}}{name}" for name in UNDRAWN), with_tail=False)
    for element in root.iter(etree.Element):
        for name in [name for name in element.attrib if name.startswith(SPOKEN)]:
            del element.attrib[name]


class Layer(NamedTuple):
    """A part of a drawing, and where it is on the picture."""

    picture: Image.Image
    at: tuple[int, int]


class Ground(msgspec.Struct):
    """The elements with which the drawings of a map begin and end, rasterised."""

    below: list[bytes]
    picture: Image.Image
    above: list[bytes]
    cover: Layer | None = None
    is_wide: bool = False
    """Whether the last drawing between them covered most of the map."""


class Grounds:
    """The common background of each map, learnt from two drawings of that map."""

    def __init__(self) -> None:
        self._last: OrderedDict[bytes, list[bytes]] = OrderedDict()
        self._found: OrderedDict[bytes, Ground] = OrderedDict()

    def over_ground(self, drawing: Drawing) -> Image.Image:
        """Render a drawing without the marks of the turn on top of its map's background, where that is known."""
        drawn = drawing.drawn[: drawing.board]
        known = self._found.get(drawing.key)
        if known is None or common(known.below, drawn) < len(known.below):
            known = self._learn(drawing, drawn)
        if known is None:
            return raster(drawing.part(0, drawing.board))
        begin, size = len(known.below), known.picture.size
        ending = common_end(known.above, drawn[begin:])
        end = len(drawn) - ending
        if ending < len(known.above) or (known.above and known.cover is None):
            known.above = drawn[end:]
            known.cover = layer(drawing, end, drawing.board, size)
        own = layer(drawing, begin, end, size, whole=known.is_wide)
        known.is_wide = own is not None and is_wide(own.picture, size)
        picture = known.picture.copy()
        for one in filter(None, (own, known.cover)):
            picture.alpha_composite(one.picture, one.at)
        return picture

    def _learn(self, drawing: Drawing, drawn: list[bytes]) -> Ground | None:
        before = self._last.get(drawing.key)
        keep(self._last, drawing.key, drawn, MOST_GROUNDS)
        count = common(before, drawn) if before is not None else 0
        if before is None or not count:
            return None
        above = drawn[len(drawn) - common_end(before[count:], drawn[count:]) :]
        ground = Ground(drawn[:count], raster(drawing.part(0, count)), above)
        keep(self._found, drawing.key, ground, MOST_GROUNDS)
        return ground


def layer(
    drawing: Drawing, begin: int, end: int | None, size: tuple[int, int], *, whole: bool = False
) -> Layer | None:
    """Rasterise some elements of a drawing, as far as they are visible; None if nothing is.

    If there are many, locating them on a small picture costs more than it saves; `whole` says that they are wide.
    """
    svg = drawing.part(begin, end)
    if whole or len(svg) > MOST_TO_FIND:
        return Layer(raster(svg), (0, 0))
    found = raster(svg, -(-size[0] // COARSE)).getbbox()
    if found is None:
        return None
    left, top, right, bottom = found
    box = Box(
        max(0, (left - 1) * COARSE),
        max(0, (top - 1) * COARSE),
        min(size[0], (right + 1) * COARSE),
        min(size[1], (bottom + 1) * COARSE),
    )
    return Layer(raster(drawing.part(begin, end, box, size), box.right - box.left), (box.left, box.top))


def is_wide(picture: Image.Image, size: tuple[int, int]) -> bool:
    """Whether the visible part covers most of a map of this size."""
    left, top, right, bottom = picture.getbbox() or (0, 0, 0, 0)
    return (right - left) * (bottom - top) > MOST_OF_IT * size[0] * size[1]


class Boards:
    """The last maps with their units, over which the marks of the turn are drawn."""

    def __init__(self) -> None:
        self.grounds, self._made = Grounds(), OrderedDict[bytes, Image.Image]()

    def with_marks(self, drawing: Drawing) -> Image.Image:
        """Render a drawing on the picture of its board."""
        name = sha256(b"".join([drawing.key, *drawing.drawn[: drawing.board]])).digest()
        board = self._made.get(name) or self.grounds.over_ground(drawing)
        keep(self._made, name, board, MOST_BOARDS)
        marks = layer(drawing, drawing.board, None, board.size) if drawing.board < len(drawing.drawn) else None
        if marks is None:
            return board
        picture = board.copy()
        picture.alpha_composite(marks.picture, marks.at)
        return picture


class Pictures:
    """A cache of rendered pictures, keyed by drawing."""

    def __init__(self) -> None:
        self._boards, self._made, self._lock = Boards(), OrderedDict[bytes, bytes](), threading.Lock()

    def png(self, svg: str) -> bytes:
        name = sha256(svg.encode()).digest()
        with self._lock:
            if (made := self._made.get(name)) is None:
                made = in_few_colours(self._boards.with_marks(Drawing(svg)))
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


def common_end(one: list[bytes], other: list[bytes]) -> int:
    """Return how many elements two drawings have in common at the end."""
    return common(one[::-1], other[::-1])


def keep(kept: OrderedDict[bytes, T], name: bytes, value: T, most: int) -> None:
    """Store a value as the newest, and drop the oldest values beyond `most`."""
    kept[name] = value
    kept.move_to_end(name)
    while len(kept) > most:
        kept.popitem(last=False)


PICTURES = Pictures()
