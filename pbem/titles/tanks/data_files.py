"""T2 The data files of TANKS: reading TOML into rows, and reporting all mistakes at once in plain words.

packaged, read_toml   read the files that come with the title, and the tables of a TOML file
convert               turns a table into a row, or reports every mistake in it
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from pbem.titles import data_files
from pbem.titles.data_files import nearest, raise_mistakes

WORDS: Final = {int: "a whole number", str: "text in quotes", bool: "true or false", float: "a number"}
"""The name of each data type as players read it."""


class Mistake(data_files.Mistake, frozen=True):
    """A mistake in a data file, reported under rule T2 unless another rule is given."""

    rule: str = "T2"


FILES: Final = data_files.DataFiles("pbem.titles.tanks", Mistake)
packaged = FILES.packaged
packaged_names = FILES.packaged_names
read_toml = FILES.read_toml

R = TypeVar("R", bound=msgspec.Struct)


def convert(row: Any, shape: type[R], where: str) -> R:
    """Convert a table to a struct, or refuse it with a list of everything that is wrong."""
    raise_mistakes(where, row_mistakes(row, shape, where))
    return msgspec.convert(row, shape)


def row_mistakes(row: Any, shape: type[msgspec.Struct], where: str) -> Iterator[Mistake]:
    """Yield everything that keeps a table from being a valid row: missing, unknown and ill-typed entries."""
    if not isinstance(row, dict):
        yield Mistake(where, "a table is expected here.")
        return
    hints, known = get_type_hints(shape), {field.name: field for field in msgspec.structs.fields(shape)}
    for name in sorted(set(row) - set(known)):
        yield Mistake(where, f"there is no entry {name!r}.", nearest(name, known))
    for name, field in known.items():
        if name in row:
            yield from value_mistakes(row[name], hints[name], f"{where}, {name}")
        elif field.required:
            yield Mistake(where, f"the entry {name!r} is missing.")


def value_mistakes(value: Any, hint: Any, where: str) -> Iterator[Mistake]:
    """Yield everything that is wrong with one value."""
    inner = [part for part in get_args(hint) if part is not Ellipsis]
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield from row_mistakes(value, hint, where)
    elif get_origin(hint) is tuple and isinstance(value, list) and Ellipsis in get_args(hint):
        for number, part in enumerate(value, start=1):
            yield from value_mistakes(part, inner[0], f"{where} {number}")
    elif get_origin(hint) is Literal:
        if value not in inner:
            legal = ", ".join(repr(word) for word in inner if word != "")
            yield Mistake(where, f"{value!r} is not possible; use {legal}.", nearest(str(value), map(str, inner)))
    elif not fits(value, hint):
        yield Mistake(where, f"{expected_value(hint)} is expected, not {value!r}.")


def fits(value: Any, hint: Any) -> bool:
    try:
        msgspec.convert(value, hint)
    except msgspec.ValidationError:
        return False
    return True


def expected_value(hint: Any) -> str:
    """Return what a value should be, in words."""
    inner = [part for part in get_args(hint) if part is not Ellipsis]
    if get_origin(hint) is tuple and Ellipsis in get_args(hint):
        return "a list"
    if get_origin(hint) is tuple:
        return f"a list of {len(inner)} whole numbers"
    if get_origin(hint) in (Union, types.UnionType):
        return " or ".join(expected_value(part) for part in inner)
    return WORDS.get(hint, "something else")
