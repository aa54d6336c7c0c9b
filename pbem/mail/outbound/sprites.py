"""Pieces on a map: each is rasterised once and then pasted wherever it is drawn.

A piece is an SVG group moved to its place, such as a counter or a cloud, or a symbol at a point. A new piece is
assembled from parts such as the unit's name, silhouette and badges, most of which have been drawn on this map before.
Pieces are pasted at the nearest whole pixel.

place_of      splits a piece into its position and the piece at the origin
Sprites       rasterised pieces and their elements
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from xml.sax.saxutils import quoteattr

from lxml import etree  # type: ignore[import-untyped]
from PIL import Image

from pbem.mail.outbound.drawings import Drawing, Layer, keep, raster

PLACED = re.compile(rb'(<(?:g|use)\b[^>]*? transform=")translate\((-?[0-9.]+)[ ,]+(-?[0-9.]+)\)')
USED = re.compile(rb'((?:<g [^>]*>)?<use\b[^>]*?) x="(-?[0-9.]+)" y="(-?[0-9.]+)"(?=/>(?:</g>)?$)')
"""Patterns for the start of a piece and its position: a group or symbol that is moved, or a symbol at a point."""
LETTERS = re.compile(rb"(<g[^>]*>)*<text[^>]*>[^<]*</text>(</g>)*$")
GROUP = "{http://www.w3.org/2000/svg}g"
HALVES = (24, 80, 240)
"""The sizes tried for an element, in pixels from its origin to each side."""
MOST_AT_ONCE = 64
MOST_SPRITES = 6_000
NOTHING = Layer(Image.new("RGBA", (1, 1)), (0, 0))
"""An invisible piece."""
APART = frozenset({"opacity", "style", "class", "filter", "mask", "clip-path"})
"""Attributes that apply to a group as a whole; its elements cannot be drawn separately."""


def place_of(element: bytes) -> tuple[tuple[float, float], bytes] | None:
    """Return the position of a piece and the piece at the origin; None if the element is not a piece."""
    found = PLACED.match(element) or USED.match(element)
    if found is None:
        return None
    return (float(found[2]), float(found[3])), found[1] + element[found.end() :]


class Sprites:
    """A cache of rasterised pieces and their parts, keyed by map and appearance."""

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[bytes, bytes], Layer | None] = OrderedDict()

    def layer(self, drawing: Drawing, element: bytes, size: tuple[int, int]) -> Layer | None:
        """Return a piece at its position on a picture of this size; None if the element is not a piece."""
        found = place_of(element)
        sprite = self._sprite(drawing, found[1], size) if found is not None else None
        if found is None or sprite is None:
            return None
        (x, y), (left, top, wide, high) = found[0], drawing.frame
        across, down = round((x - left) * size[0] / wide), round((y - top) * size[1] / high)
        return visible(Layer(sprite.picture, (sprite.at[0] + across, sprite.at[1] + down)), size)

    def prepare(self, drawing: Drawing, elements: Iterable[bytes], size: tuple[int, int]) -> None:
        """Rasterise the parts of new pieces, many at once, as opening a font takes longer than drawing a name."""
        places = filter(None, map(place_of, elements))
        pieces = [parts_of(body) for _, body in places if (drawing.key, body) not in self._made]
        parts = dict.fromkeys(part for piece in pieces if len(piece) > 1 for part in piece)
        new = [part for part in parts if (drawing.key, part) not in self._made]
        for some in (new[at : at + MOST_AT_ONCE] for at in range(0, len(new), MOST_AT_ONCE)):
            for part, found in zip(some, in_cells(drawing, some, size), strict=True):
                keep(self._made, (drawing.key, part), found, MOST_SPRITES)

    def _sprite(self, drawing: Drawing, body: bytes, size: tuple[int, int]) -> Layer | None:
        """Assemble a piece around its origin from its parts; None if it is too large."""
        name = (drawing.key, body)
        if name not in self._made:
            made = [self._part(drawing, part, size) for part in parts_of(body)]
            layers = [one for one in made if one is not None]
            self._made[name] = together(layers) if len(layers) == len(made) else None
        keep(self._made, name, self._made[name], MOST_SPRITES)
        return self._made[name]

    def _part(self, drawing: Drawing, part: bytes, size: tuple[int, int]) -> Layer | None:
        name = (drawing.key, part)
        if name not in self._made:
            [self._made[name]] = in_cells(drawing, [part], size)
        keep(self._made, name, self._made[name], MOST_SPRITES)
        return self._made[name]


def parts_of(body: bytes) -> list[bytes]:
    """Split a piece into parts that other pieces share: each of its texts, and the shapes before and after it."""
    parts: list[bytes] = []
    for are_letters, row in groupby(_leaves(etree.fromstring(body)), lambda leaf: bool(LETTERS.match(leaf))):
        leaves = list(row)
        parts += leaves if are_letters else [b"".join(leaves)]
    return parts


def _leaves(element: etree._Element) -> Iterator[bytes]:
    """Split a group into its elements, each with the attributes of its groups; some groups must stay whole."""
    if element.tag != GROUP or APART & set(element.attrib):
        yield etree.tostring(element, with_tail=False)
        return
    attributes = "".join(f" {name}={quoteattr(value)}" for name, value in element.attrib.items())
    for child in element:
        for leaf in _leaves(child):
            yield b"<g%s>%s</g>" % (attributes.encode(), leaf)


def in_cells(drawing: Drawing, bodies: Sequence[bytes], size: tuple[int, int]) -> list[Layer | None]:
    """Rasterise some elements, each around its origin; None for those that are too large."""
    for half in HALVES:
        row = raster(drawing.in_cells(bodies, half, size), 2 * half * len(bodies))
        cells = [row.crop((left, 0, left + 2 * half, 2 * half)) for left in range(0, row.width, 2 * half)]
        if all(is_inside(cell.getbbox(), cell.size) for cell in cells):
            return [around(cell, half) for cell in cells]
    return [None] if len(bodies) == 1 else [one for body in bodies for one in in_cells(drawing, [body], size)]


def is_inside(box: tuple[int, int, int, int] | None, size: tuple[int, int]) -> bool:
    """Whether the visible part of a cell stays clear of the edge; if it touches the edge, it may be cut off."""
    return box is None or (min(box[:2]) > 0 and box[2] < size[0] and box[3] < size[1])


def around(cell: Image.Image, half: int) -> Layer:
    """The visible part of a cell, placed from the cell's middle."""
    box = cell.getbbox()
    return NOTHING if box is None else Layer(cell.crop(box), (box[0] - half, box[1] - half))


def together(layers: list[Layer]) -> Layer:
    """Combine several layers into one."""
    if len(layers) == 1:
        return layers[0]
    left, top = (min(layer.at[axis] for layer in layers) for axis in (0, 1))
    right, bottom = (max(layer.at[axis] + layer.picture.size[axis] for layer in layers) for axis in (0, 1))
    whole = Image.new("RGBA", (right - left, bottom - top))
    for layer in layers:
        whole.alpha_composite(layer.picture, (layer.at[0] - left, layer.at[1] - top))
    return Layer(whole, (left, top))


def visible(layer: Layer, size: tuple[int, int]) -> Layer:
    """The part of a layer that is inside a picture of this size."""
    (x, y), (wide, high) = layer.at, layer.picture.size
    left, top, right, bottom = max(0, -x), max(0, -y), min(wide, size[0] - x), min(high, size[1] - y)
    if (left, top, right, bottom) == (0, 0, wide, high):
        return layer
    if left >= right or top >= bottom:
        return NOTHING
    return Layer(layer.picture.crop((left, top, right, bottom)), (x + left, y + top))
