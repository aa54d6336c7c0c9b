"""T2 Data files of TANKS: reading TOML into rows, with every mistake at once and in plain words.

Mistake, DataError    the mistakes in a file
packaged              the files that come with the title
tables                the tables of a TOML file
convert               a table as a row, or every mistake in it
"""

from __future__ import annotations

import difflib
import tomllib
import types
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from pbem.engine.rules.refusals import Objection, Unreadable

RULE: Final = "T2"
WORDS: Final = {int: "a whole number", str: "text in quotes", bool: "true or false", float: "a number"}
"""The name of each data type as players read it."""


class Mistake(msgspec.Struct, frozen=True):
    """One mistake: where it is, what is wrong, and the nearest word that would be right."""

    where: str
    why: str
    instead: str = ""
    rule: str = RULE

    def __str__(self) -> str:
        meant = f" Did you mean {self.instead!r}?" if self.instead else ""
        return f"{self.where}: {self.why}{meant}"


class DataError(Unreadable):
    """A data file that cannot be used, with every mistake found in it."""

    def __init__(self, file: str, mistakes: Sequence[Mistake]) -> None:
        super().__init__(file, [Objection(mistake.rule, str(mistake)) for mistake in mistakes])
        self.file, self.mistakes = file, tuple(mistakes)

    def __str__(self) -> str:
        return f"{self.file}: " + "\n".join(map(str, self.mistakes))


def raise_mistakes(file: str, mistakes: Iterable[Mistake]) -> None:
    """Raise a DataError if there are mistakes."""
    if found := list(mistakes):
        raise DataError(file, found)


def packaged(name: str) -> bytes:
    """Return the bytes of a file under `data/`."""
    return resources.files(__package__).joinpath("data", *name.split("/")).read_bytes()


def packaged_scenarios() -> tuple[str, ...]:
    """Return the names of the scenarios that come with the title."""
    entries = resources.files(__package__).joinpath("data", "scenarios").iterdir()
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in entries if entry.name.endswith(".toml")))


def tables(content: bytes, file: str) -> dict[str, Any]:
    """Return the tables of a TOML file; a syntax error is reported with its line and column."""
    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise DataError(file, [Mistake(file, "the file is not UTF-8 text.")]) from error
    except tomllib.TOMLDecodeError as error:
        raise DataError(file, [Mistake(file, f"this is not valid TOML: {error}.")]) from error


R = TypeVar("R", bound=msgspec.Struct)


def convert(row: Any, shape: type[R], where: str) -> R:
    """Convert a table to a struct, or refuse it with everything that is wrong."""
    raise_mistakes(where, row_mistakes(row, shape, where))
    return msgspec.convert(row, shape)


def row_mistakes(row: Any, shape: type[msgspec.Struct], where: str) -> Iterator[Mistake]:
    """Yield everything that keeps a table from being a valid row: missing, unknown and ill-typed entries."""
    if not isinstance(row, dict):
        yield Mistake(where, "a table is expected here.")
        return
    hints, known = get_type_hints(shape), {field.name: field for field in msgspec.structs.fields(shape)}
    for name in sorted(set(row) - set(known)):
        yield Mistake(where, f"there is no entry {name!r}.", closest(name, known))
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
            yield Mistake(where, f"{value!r} is not possible; use {legal}.", closest(str(value), map(str, inner)))
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


def closest(word: str, legal: Iterable[str]) -> str:
    """Return the legal word most like this one, or an empty string if none is close."""
    by_folded = {candidate.casefold(): candidate for candidate in legal if candidate}
    close = difflib.get_close_matches(word.casefold(), list(by_folded), n=1, cutoff=0.5)
    return by_folded[close[0]] if close else ""


def nearest(word: str, legal: Iterable[str]) -> list[str]:
    """Return the legal name most like this one, or all of them if none is close."""
    known = list(legal)
    close = difflib.get_close_matches(word.casefold(), known, n=1, cutoff=0.5)
    return close or known
