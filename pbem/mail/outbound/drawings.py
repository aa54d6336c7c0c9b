"""Split SVG drawings into elements, and rasterise parts of them.

raster        rasterise an SVG drawing
Drawing       a drawing split into its elements
Layer         a rasterised part of a drawing, and where it is
"""

from __future__ import annotations

import io
import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import NamedTuple, TypeVar

import resvg_py
from lxml import etree  # type: ignore[import-untyped]
from PIL import Image

K = TypeVar("K")
T = TypeVar("T")

WIDTH = 900
SHARED = ("defs", "style", "clipPath", "symbol", "linearGradient", "radialGradient", "pattern", "mask")
"""Elements that draw nothing themselves but are referred to by others."""
WORDS = re.compile(r"<(title|desc|metadata)\b.*?</\1>", re.DOTALL)
SPOKEN = re.compile(r''' (?:aria-[\w-]*|data-(?!turn=)[\w-]*|role)="[^"]*"''')
"""Elements and attributes for screen readers and programs. They name the turn and the reader; none is drawn."""
REFERENCE = re.compile(rb"""(?:href="|url\()#([^")]+)""")
TURN = "data-turn"
"""The attribute that identifies the marks of a turn, which are drawn last."""


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


class Box(NamedTuple):
    """A part of a picture, in pixels."""

    left: int
    top: int
    right: int
    bottom: int


class Drawing:
    """A drawing split into the shared definitions and the elements that are drawn, in order.

    `ground` is the number of elements before the comment that introduces the pieces, or 0 without it; `board`
    is the number of elements before the marks of the turn.
    """

    def __init__(self, svg: str) -> None:
        parser = etree.XMLParser(resolve_entities=False, no_network=True)
        root = etree.fromstring(without_words(svg).encode(), parser)
        marks = sum(TURN in child.attrib for child in root)
        self.ground = _take_out_comment(root)
        parts = [(etree.QName(child).localname, etree.tostring(child, with_tail=False)) for child in root]
        self.shared = [text for name, text in parts if name in SHARED]
        self.drawn = [text for name, text in parts if name not in SHARED]
        self.board = len(self.drawn) - marks
        for child in list(root):
            root.remove(child)
        root.text = None
        self._root = root
        self.key = sha256(b"".join([etree.tostring(root), *self.shared])).digest()

    @cached_property
    def frame(self) -> tuple[float, float, float, float]:
        """The part of the plane that is drawn: left, top, width and height."""
        whole = self._root.get("viewBox") or f"0 0 {self._root.get('width')} {self._root.get('height')}"
        left, top, wide, high = map(float, whole.replace(",", " ").split())
        return left, top, wide, high

    def part(self, begin: int, end: int | None = None, box: Box | None = None, size: tuple[int, int] = (0, 0)) -> str:
        """Return a drawing of some elements; with a box, only that part of a picture of this size."""
        left, top, wide, high = self.frame
        root = self._root
        if box is not None:
            across, down = wide / size[0], high / size[1]
            root = self._window(box, (left + box.left * across, top + box.top * down), (across, down))
        return drawing_of(root, [*self.shared, *self.drawn[begin:end]])

    def in_cells(self, bodies: Sequence[bytes], half: int, size: tuple[int, int]) -> str:
        """Return a drawing with each element in the middle of its own cell, at the scale of a picture of this size.

        The cells form a row; each extends `half` pixels from its middle in every direction.
        """
        across, down = self.frame[2] / size[0], self.frame[3] / size[1]
        cells = (
            f'<g transform="translate({(2 * number + 1) * half * across} {half * down})">'.encode() + body + b"</g>"
            for number, body in enumerate(bodies)
        )
        root = self._window(Box(0, 0, 2 * half * len(bodies), 2 * half), (0, 0), (across, down))
        return drawing_of(root, [b"<defs>", *self._needed(b"".join(bodies)), b"</defs>", *cells])

    def _window(self, box: Box, corner: tuple[float, float], scale: tuple[float, float]) -> etree._Element:
        """Return a root element whose window on the drawing starts at a corner and is as large as the box."""
        root = etree.fromstring(etree.tostring(self._root))
        width, height = box.right - box.left, box.bottom - box.top
        root.set("viewBox", f"{corner[0]} {corner[1]} {width * scale[0]} {height * scale[1]}")
        root.set("preserveAspectRatio", "none")
        root.set("width", str(width))
        root.set("height", str(height))
        return root

    def _needed(self, body: bytes) -> list[bytes]:
        """The definitions that an element refers to, directly or through others; style sheets always apply."""
        found: dict[bytes, bytes] = {}
        names = REFERENCE.findall(body)
        while names:
            name = names.pop()
            if name in self._named and name not in found:
                found[name] = self._named[name]
                names += REFERENCE.findall(found[name])
        return [*(text for text in self.shared if text.startswith(b"<style")), *found.values()]

    @cached_property
    def _named(self) -> dict[bytes, bytes]:
        """The definitions by their ids."""
        elements = (etree.fromstring(text) for text in self.shared)
        named = (one for element in elements for one in (element, *element) if "id" in one.attrib)
        return {one.get("id").encode(): etree.tostring(one, with_tail=False) for one in named}


def drawing_of(root: etree._Element, parts: Iterable[bytes]) -> str:
    """Return a drawing of these parts with this root."""
    head, _, _ = etree.tostring(root).partition(b"/>")
    return str((head + b">" + b"".join(parts) + b"</svg>").decode())


def _take_out_comment(root: etree._Element) -> int:
    """Remove the comment before the pieces, and return how many elements are drawn before it."""
    for number, child in enumerate(root):
        if child.tag is etree.Comment:
            drawn = sum(etree.QName(before).localname not in SHARED for before in root[:number])
            root.remove(child)
            return drawn
    return 0


def without_words(svg: str) -> str:
    """Leave out text that is only read aloud or read by programs, so that seats that see the same share a drawing."""
    return SPOKEN.sub("", WORDS.sub("", svg))


class Layer(NamedTuple):
    """A part of a drawing, and where it is on the picture."""

    picture: Image.Image
    at: tuple[int, int]


def keep(kept: OrderedDict[K, T], name: K, value: T, most: int) -> None:
    """Store a value as the newest, and drop the oldest values beyond `most`."""
    kept[name] = value
    kept.move_to_end(name)
    while len(kept) > most:
        kept.popitem(last=False)
