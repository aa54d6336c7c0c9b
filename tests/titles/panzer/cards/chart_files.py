"""The advanced charts, read once and shared by their tests."""

import tomllib
from itertools import pairwise

from pbem.titles.panzer.cards.advanced_charts import (
    advanced_charts,
)
from pbem.titles.panzer.cards.chart_rows import GRADES
from pbem.titles.panzer.cards.files import packaged

NA = advanced_charts("2024")
OLD = advanced_charts("2016")


def table(name):
    return tomllib.loads(packaged(name).decode())


def steps(values):
    return [after - before for before, after in pairwise(values)]


def bends(values):
    """Return the second differences of a row."""
    return steps(steps(values))


def smooth(values, bound):
    """Return whether a row is monotonic, with no second difference beyond the bound."""
    listed = list(values)
    one_way = listed in (sorted(listed), sorted(listed, reverse=True))
    return one_way and all(abs(bend) <= bound for bend in bends(listed))


def cells(row):
    return {name: getattr(row, name).value for name in row.sources}


def grades_of(book, name):
    return [getattr(book.grades[grade], name).value for grade in GRADES]


def values(rows):
    return {row.when: row.value for row in rows}
