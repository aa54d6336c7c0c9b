"""A picture that shows a whole turn leaves out the title's own marks of the last actions."""

from __future__ import annotations

from pbem.matches.film.drawing import LATEST
from pbem.titles.nato.player.map import latest


def test_the_latest_marks_of_a_title_are_left_out() -> None:
    svg = "".join(("<svg>", *latest(['<path d="M0 0"/>', "<text>held</text>"]), "<g>kept</g>", *latest([]), "</svg>"))
    assert LATEST.sub("", svg) == "<svg><g>kept</g></svg>"
