"""The grammar finds the meaningful lines of a text, whatever its punctuation."""

from __future__ import annotations

import pytest

from pbem.engine.text.grammar import lines


@pytest.mark.parametrize(
    "written",
    [
        "g1 fire b3",
        "G1 Fire B3.",
        "g1 - fire b3",
        "g1 – fire b3!",
        "g1 -> fire b3",
        "g1 → fire b3;",
        "g1 = fire b3",
        "- g1 fire b3",
        "• g1 fire b3 ",
        "1. g1 fire b3",
        "(2) g1 fire b3",
        "g1 fire b3  # the nearest",
    ],
)
def test_signs_between_and_around_words_mean_nothing(written: str) -> None:
    [line] = lines(written)
    assert line.text.split() == ["g1", "fire", "b3"]
    assert len(line.text) == len(line.written), "a mistake is found at its place in the line as written"


def test_signs_with_a_meaning_stay() -> None:
    said = "g1 overwatch range<=8 hit >= 40\nb1 exit-b\na1 at 450 781.5 face 0\ng2 fire b1, b2"
    assert [line.text for line in lines(said)] == said.splitlines()


def test_remarks_and_quoted_lines_are_none() -> None:
    assert [line.text for line in lines("# all\n> g1 hold\n\n// nothing\ng2 hold // here")] == ["g2 hold"]
