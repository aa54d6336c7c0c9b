"""Packaged files, and data files that cannot be used.

This is the only module of the title that reads packaged files; everything else is handed bytes or values.
"""

import csv
import difflib
import tomllib
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any, Final, TypeVar

import msgspec

from pbem.engine.rules.refusals import Objection, Unreadable

PACKAGE: Final = "pbem.titles.nato"


class Mistake(msgspec.Struct, frozen=True):
    """One mistake in a data file: the place, the fault, the nearest legal word and the rule it breaks."""

    where: str
    what: str
    instead: str = ""
    rule: str = "35.9"

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" + (f" Did you mean {self.instead}?" if self.instead else "")


class DataError(Unreadable):
    """A data file that cannot be used, with every mistake found in it."""

    def __init__(self, file: str, mistakes: Sequence[Mistake]) -> None:
        super().__init__(file, [Objection(mistake.rule, str(mistake)) for mistake in mistakes])
        self.file = file
        self.mistakes = tuple(mistakes)

    def __str__(self) -> str:
        return f"{self.file}: " + "\n".join(map(str, self.mistakes))


def nearest(word: str, legal: Iterable[str]) -> str:
    """The most similar legal word, or an empty string if all differ too much."""
    by_folded = {candidate.casefold(): candidate for candidate in legal}
    close = difflib.get_close_matches(word.casefold(), list(by_folded), n=1, cutoff=0.5)
    return by_folded[close[0]] if close else ""


def packaged(name: str) -> bytes:
    """The bytes of a file under `data/`, such as `map/hexes.csv`."""
    return resources.files(PACKAGE).joinpath("data", *name.split("/")).read_bytes()


def packaged_names(folder: str) -> tuple[str, ...]:
    """The sorted names of the TOML files in a folder under `data/`, without their extension."""
    entries = resources.files(PACKAGE).joinpath("data", folder).iterdir()
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in entries if entry.name.endswith(".toml")))


def read_toml(data: bytes | str, file: str) -> dict[str, Any]:
    """Read the tables of a TOML file; DataError gives the line and column of a syntax error."""
    try:
        return tomllib.loads(data if isinstance(data, str) else data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(file, [Mistake("syntax", str(error))]) from error


def read_csv(data: bytes, file: str, columns: Sequence[str]) -> list[dict[str, str]]:
    """Read the rows of a CSV file; lines that start with # are comments. DataError if a column is missing."""
    lines = (line for line in data.decode("utf-8").splitlines() if line and not line.startswith("#"))
    reader = csv.DictReader(lines)
    missing = [column for column in columns if column not in (reader.fieldnames or ())]
    if missing:
        raise DataError(file, [Mistake("head", f"the columns {', '.join(missing)} are missing")])
    return list(reader)


T = TypeVar("T")


def convert(tables: Any, shape: type[T], file: str, where: str = "") -> T:
    """Convert the tables to this type; DataError names the key that does not fit."""
    try:
        return msgspec.convert(tables, shape)
    except msgspec.ValidationError as error:
        what, _, at = str(error).partition(" - at ")
        place = " ".join(part for part in (where, at.strip("`").removeprefix("$.").removeprefix("$")) if part)
        raise DataError(file, [Mistake(place or "file", what)]) from error
