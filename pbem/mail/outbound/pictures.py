"""Map pictures in emails: an SVG drawing as a small PNG.

Text is set in the fonts next to this module and in no others, so a picture is the same on every machine. What the
pictures of a map have in common is rasterised once: the ground below the units and the legend above it. For each
picture only the rest is rasterised, within the part of the map that it covers. The map with its units is kept for the
other seats, which often see the same and differ only in the marks of the turn. A finished picture is used again.

png           the picture of a drawing
Boards        maps with their units, without the marks of the turn
Grounds       what the drawings of a map have in common: the elements with which they begin and end
"""

from __future__ import annotations

import io
import threading
from collections import OrderedDict
from collections.abc import Iterator
from hashlib import sha256
from itertools import groupby

import msgspec
from PIL import Image

from pbem.mail.outbound.drawings import Box, Drawing, Layer, keep, raster
from pbem.mail.outbound.sprites import Sprites

COARSE = 8
"""To find the part of the map that a drawing covers, it is first rendered this many times smaller."""
MOST_TO_FIND = 100_000
"""The longest drawing, in characters, for which the part of the map that it covers is found first."""
MOST_OF_IT = 0.6
"""A drawing that covers more than this share of a map is wide."""
COLOURS = 64
MOST_GROUNDS, MOST_ROWS, MOST_BOARDS, MOST_PICTURES = 8, 8, 4, 64


def png(svg: str) -> bytes:
    """Render an SVG drawing as a PNG."""
    return PICTURES.png(svg)


def in_few_colours(whole: Image.Image) -> bytes:
    """Return a PNG small enough for phones to load quickly and for replies to quote within our size limits."""
    few = whole.convert("RGB").quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    kept = io.BytesIO()
    few.save(kept, "PNG", compress_level=4)
    return kept.getvalue()


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
        self._rows: OrderedDict[bytes, Layer | None] = OrderedDict()
        self._sprites = Sprites()

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
        picture = known.picture.copy()
        for one in (*self._pieces(known, drawing, begin, end), known.cover):
            if one is not None:
                picture.alpha_composite(one.picture, one.at)
        return picture

    def _pieces(self, ground: Ground, drawing: Drawing, begin: int, end: int) -> Iterator[Layer | None]:
        """The elements between background and legend: each piece alone, and neighbouring other elements together."""
        size, was_wide, ground.is_wide = ground.picture.size, ground.is_wide, False
        self._sprites.prepare(drawing, drawing.drawn[begin:end], size)
        pieces = [self._sprites.layer(drawing, element, size) for element in drawing.drawn[begin:end]]
        for is_piece, row in groupby(range(begin, end), lambda number: pieces[number - begin] is not None):
            numbers = list(row)
            if is_piece:
                yield from (pieces[number - begin] for number in numbers)
            else:
                found = self._row(ground, drawing, numbers[0], numbers[-1] + 1, whole=was_wide)
                ground.is_wide |= found is not None and is_wide(found.picture, size)
                yield found

    def _row(self, ground: Ground, drawing: Drawing, begin: int, end: int, *, whole: bool) -> Layer | None:
        """Rasterise elements that are not pieces; recent layers are cached, as most stay the same for many turns."""
        name = sha256(b"".join([drawing.key, *drawing.drawn[begin:end]])).digest()
        if name not in self._rows:
            self._rows[name] = layer(drawing, begin, end, ground.picture.size, whole=whole)
        keep(self._rows, name, self._rows[name], MOST_ROWS)
        return self._rows[name]

    def _learn(self, drawing: Drawing, drawn: list[bytes]) -> Ground | None:
        """Rasterise the background marked in a drawing, or else what it shares with the last drawing of its map."""
        before = self._last.get(drawing.key)
        keep(self._last, drawing.key, drawn, MOST_GROUNDS)
        count = drawing.ground or (common(before, drawn) if before is not None else 0)
        if not count:
            return None
        above = (
            []
            if drawing.ground or before is None
            else drawn[len(drawn) - common_end(before[count:], drawn[count:]) :]
        )
        ground = Ground(drawn[:count], raster(drawing.part(0, count)), above)
        keep(self._found, drawing.key, ground, MOST_GROUNDS)
        return ground


def layer(
    drawing: Drawing, begin: int, end: int | None, size: tuple[int, int], *, whole: bool = False
) -> Layer | None:
    """Rasterise the visible part of some elements of a drawing; None if nothing is visible.

    Long drawings, and wide ones (`whole`), are rendered at once: finding the part they cover would save no time.
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


PICTURES = Pictures()
