"""1.4 Dice: a dr is one die, a DR is a white and a coloured die; random selection draws without replacement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from pbem.titles.aslsk.tabletop import AslskTable

T = TypeVar("T")


class Dice(NamedTuple):
    """1.4 A DR: the roll of two dice."""

    white: int
    coloured: int

    @property
    def total(self) -> int:
        return self.white + self.coloured

    @property
    def doubles(self) -> bool:
        return self.white == self.coloured

    @property
    def pair(self) -> list[int]:
        return [self.white, self.coloured]


def roll_one(table: AslskTable, rule: str, *subjects: str) -> int:
    """1.4 Roll a dr: one die."""
    return table.roll(6, rule, *subjects)


def roll_two(table: AslskTable, rule: str, *subjects: str) -> Dice:
    """1.4 Roll a DR: the white die, then the coloured die."""
    return Dice(table.roll(6, rule, *subjects, "white"), table.roll(6, rule, *subjects, "coloured"))


def draw(table: AslskTable, rule: str, candidates: Sequence[T], number: int, *subjects: str) -> list[T]:
    """3.2.3/random-selection Draw the given number of candidates without replacement, all equally likely."""
    left, drawn = list(candidates), list[T]()
    while left and len(drawn) < number:
        place = table.roll(len(left), rule, *subjects, "selection") - 1 if len(left) > 1 else 0
        drawn.append(left.pop(place))
    return drawn
