"""In the drawing of a turn badges do not cover each other, and the title's own marks of the last actions are left
out."""

from __future__ import annotations

import re
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

from support.pseudo import accented, pseudo_translator

from pbem.engine.rules.happenings import Change, Control, Fail
from pbem.matches.film.drawing import LATEST, Pencil
from pbem.matches.film.scenes import Scene
from pbem.titles.nato.player.map import latest


def test_the_latest_marks_of_a_title_are_left_out() -> None:
    svg = "".join(("<svg>", *latest(['<path d="M0 0"/>', "<text>held</text>"]), "<g>kept</g>", *latest([]), "</svg>"))
    assert LATEST.sub("", svg) == "<svg><g>kept</g></svg>"


class Words:
    """Rules that describe each change literally."""

    def change_in_words(self, what: str, now: Any) -> str:
        return what


def film_of(*units: str) -> Any:
    before = [SimpleNamespace(id=unit, side="red", at="A1") for unit in units]
    return SimpleNamespace(before=before, after=(), summary=SimpleNamespace(mine="red", names={"red": "Red"}))


def test_badges_speak_the_language_of_the_reader() -> None:
    paper = SimpleNamespace(size=1, at=lambda place: (100, 100))
    pencil = Pencil(paper, film_of("r1"), Words(), pseudo_translator())  # type: ignore[arg-type]
    drawn = pencil.scene(
        Scene("fight", [Fail("r1", "r1 move B1", "it broke"), Control("A1", "red"), Control("B1", "")])
    )
    said = [accented("failed"), f"{accented('the ')}Red{accented(' side holds it')}", accented("nobody holds it")]
    assert re.findall(r">([^<]+)</text>", "".join(drawn)) == said


def test_badges_in_one_place_are_drawn_below_each_other_and_each_once() -> None:
    pencil = Pencil(SimpleNamespace(size=1, at=lambda place: (100, 100)), film_of("r1", "r2"), Words())  # type: ignore[arg-type]
    shows = [Change("r1", "broken"), Change("r1", "DM"), Change("r2", "broken"), Fail("r2", "r2 move B1", "it broke")]
    drawn = "".join(pencil.scene(Scene("fight", shows)))
    assert re.findall(r">([^<]+)</text>", drawn) == ["broken", "DM", "failed"]
    heights = [int(y) for y in re.findall(r'<rect x="[^"]+" y="(\d+)"', drawn)]
    assert all(lower - upper >= 26 for upper, lower in pairwise(heights))
    assert "".join(pencil.scene(Scene("fight", shows[:1]))).count("<rect") == 1
