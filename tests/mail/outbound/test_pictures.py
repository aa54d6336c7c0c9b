"""Map pictures in emails use bundled fonts, rasterise each background once, and are shared where possible."""

from __future__ import annotations

import io
from itertools import pairwise

import pytest
from PIL import Image, ImageChops, ImageStat

from pbem.mail.outbound import drawings, pictures, sprites
from pbem.mail.outbound.drawings import Drawing, fonts, raster
from pbem.mail.outbound.pictures import Grounds, Pictures
from pbem.titles.registry import TITLES

DEFS = '<defs><g id="a"><rect width="9" height="9"/></g></defs>'
HEAD = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 60">{DEFS}'
GROUND = '<rect width="90" height="60" fill="#cdb"/><use href="#a" x="20" y="9"/>'


def drawing(*over: str) -> str:
    return HEAD + GROUND + "".join(over) + "</svg>"


def unit(x: int) -> str:
    return f'<g><circle cx="{x}" cy="30" r="8" fill="#a33"/><text x="{x}" y="33" font-size="9">A{x}</text></g>'


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record every drawing that is rasterised, except for the small ones that are laid over it."""
    seen: list[str] = []

    def counting(svg: str, width: int = drawings.WIDTH) -> Image.Image:
        if width != -(-drawings.WIDTH // pictures.COARSE):
            seen.append(svg)
        return raster(svg, width)

    monkeypatch.setattr(pictures, "raster", counting)
    return seen


def test_the_ground_is_rasterised_once_and_units_are_drawn_over_it(counted: list[str]) -> None:
    grounds = Grounds()
    for x in (10, 30, 50, 70):
        grounds.over_ground(Drawing(drawing(unit(x))))
    with_ground = [svg for svg in counted if "#cdb" in svg]
    assert len(with_ground) == 2, "once with the first picture, once by itself"
    assert len(counted) == 1 + 2 + 1 + 1


def test_a_picture_on_a_kept_ground_is_the_picture_in_one_go() -> None:
    """A picture drawn over a cached background differs by no more than rounding from one drawn as a whole."""
    grounds = Grounds()
    for x in (10, 30, 50):
        svg = drawing(unit(x), unit(x + 15))
        apart = grounds.over_ground(Drawing(svg)).convert("RGB")
        assert max(high for _, high in ImageChops.difference(apart, raster(svg).convert("RGB")).getextrema()) <= 6


def test_a_unit_that_looked_like_ground_moves_and_the_ground_is_learnt_again() -> None:
    grounds = Grounds()
    for units in ((10, 30), (10, 50), (20, 50), (20, 60)):
        svg = drawing(*map(unit, units))
        apart = grounds.over_ground(Drawing(svg)).convert("RGB")
        assert max(high for _, high in ImageChops.difference(apart, raster(svg).convert("RGB")).getextrema()) <= 6


def test_only_the_part_of_the_map_with_the_units_is_drawn_and_the_legend_above_them_is_kept() -> None:
    grounds = Grounds()
    legend = '<text x="40" y="12" font-size="9">Legend</text>'
    hair = '<path d="M0.5 {y}H89" stroke="#204" stroke-width=".1" opacity=".4"/>'
    for y, *units in ((55, 10), (59.9, 30), (50, 30), (0.1, 80), (30, 45), (30, 1)):
        svg = drawing(*map(unit, units), hair.format(y=y), legend)  # type: ignore[arg-type]
        apart = grounds.over_ground(Drawing(svg)).convert("RGB")
        assert max(high for _, high in ImageChops.difference(apart, raster(svg).convert("RGB")).getextrema()) <= 6
    [found] = grounds._found.values()
    assert found.above and found.cover is not None and found.cover.picture.size < found.picture.size
    narrow = pictures.layer(Drawing(drawing(unit(30), legend)), 2, 3, found.picture.size)
    assert narrow is not None and narrow.picture.width < drawings.WIDTH // 3


def test_an_unchanged_view_is_not_drawn_again(counted: list[str]) -> None:
    made = Pictures()
    assert made.png(drawing(unit(10))) == made.png(drawing(unit(10)))
    assert len(counted) == 1


def test_seats_that_see_the_same_map_share_its_picture_under_the_marks_of_their_turn(counted: list[str]) -> None:
    """Seats that see the same units share a picture, although marks of the turn and words for screen readers
    differ."""

    def seen_by(seat: str, x: int, marks: str) -> str:
        own = unit(x).replace("<g>", f'<g data-own="{seat}"><title>seen by {seat}</title>')
        return drawing(own, f'<g data-turn="{x}">{marks}</g>' if marks else "")

    made = Pictures()
    for x in (10, 30, 50):
        for seat, end in (("red", 40), ("blue", 55)):
            counted.clear()
            marks = f'<path d="M5 5H{end}" stroke="#204"/>'
            with Image.open(io.BytesIO(made.png(seen_by(seat, x, marks)))) as picture:
                whole = raster(seen_by(seat, x, marks)).convert("RGB")
                difference = ImageChops.difference(picture.convert("RGB"), whole)
            assert max(high for _, high in difference.getextrema()) <= 16, "64 colours"
            assert any("circle" in svg for svg in counted) == (seat == "red")


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "raster", lambda svg, width=90: raster(svg, min(width, 90)))
    made = Pictures()
    for size in range(3 * pictures.MOST_GROUNDS):
        for x in (10, 30):
            made.png(drawing(unit(x)).replace("0 0 90 60", f"0 0 90 {60 + size}"))
    assert len(made._boards.grounds._found) == pictures.MOST_GROUNDS


def test_letters_come_from_the_bundled_fonts() -> None:
    """Pictures use the bundled fonts, so a machine without fonts, such as a slim container, draws the same
    letters."""
    assert len(fonts()) == 2
    blank = HEAD + GROUND + "</svg>"
    named = blank.replace(
        "</svg>", '<text x="5" y="50" font-family="Liberation Sans,Arial,sans-serif">Hill 112</text></svg>'
    )
    difference = ImageChops.difference(raster(blank).convert("RGB"), raster(named).convert("RGB"))
    assert difference.getbbox() is not None


@pytest.mark.parametrize(("title", "scenario"), [("panzer", "duel"), ("tanks", "village")])
def test_pictures_of_real_matches(title: str, scenario: str) -> None:
    game = TITLES[title]
    rules = game.rules(game.freeze(scenario, {}))
    view = rules.view(rules.setup(game.switches), rules.seats[0])
    svg = rules.picture(view, rules.seats[0])  # type: ignore[attr-defined]
    made = Pictures()
    sizes = []
    for number in (1, 2, 3):
        mark = f'<rect x="{number}" y="0" width="9" height="9"/></svg>'
        with Image.open(io.BytesIO(made.png(svg.replace("</svg>", mark)))) as picture:
            sizes.append(picture.size)
    assert all(one == other for one, other in pairwise(sizes)) and sizes[0][0] == drawings.WIDTH


def test_the_ground_of_a_map_stays_known_from_turn_to_turn(counted: list[str]) -> None:
    """The background of a map is recognised in the next turn, although the drawing's description names the turn."""
    grounds = Grounds()
    for turn in (1, 2, 3):
        said = f'<svg role="img" aria-label="turn {turn}" data-focus="{turn} 0" '
        grounds.over_ground(Drawing(drawing(unit(turn)).replace("<svg ", said)))
    assert len([svg for svg in counted if "#cdb" in svg]) == 2


def piece(x: int, y: int, name: str, colour: str = "#a33") -> str:
    words = f'<text y="3" font-size="5">{name}</text>'
    return f'<g transform="translate({x} {y})scale(.8)"><circle r="8" fill="{colour}"/>{words}<use href="#a"/></g>'


def test_a_piece_is_put_together_from_parts_that_were_drawn_before(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(sprites, "raster", lambda svg, width: seen.append(svg) or raster(svg, width))  # type: ignore[func-returns-value]
    grounds, marked = Grounds(), f"{GROUND}<!--pieces-->"
    for pieces in (
        [piece(20, 30, "A1"), piece(60, 30, "B1")],
        [piece(40, 20, "A1"), '<use href="#a" x="70" y="50"/>', piece(2, 58, "B1")],
        [
            piece(50, 40, "B1"),
            piece(40, 20, "A1", "#33a"),
            '<g opacity=".5" transform="translate(30 30)"><circle r="40"/></g>',
        ],
    ):
        seen.clear()
        svg = HEAD + marked + "".join(pieces) + "</svg>"
        whole = ImageChops.difference(grounds.over_ground(Drawing(svg)).convert("RGB"), raster(svg).convert("RGB"))
        assert max(ImageStat.Stat(whole).mean) < 1, "a piece is at most half a pixel away"
    assert any("#33a" in svg for svg in seen) and not any("A1" in svg or "B1" in svg for svg in seen)


def test_the_ground_before_the_pieces_is_rasterised_once(counted: list[str]) -> None:
    grounds = Grounds()
    for x in (10, 30, 50):
        grounds.over_ground(Drawing(HEAD + GROUND + "<!--pieces-->" + unit(x) + "</svg>"))
    assert len([svg for svg in counted if "#cdb" in svg]) == 1
