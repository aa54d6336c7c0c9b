"""1.2 Data files: reading them, and explaining their mistakes.

packaged, packaged_names   the files in `data/`; no other module of the title reads packaged files
read_toml, convert         TOML text into tables, tables into structs
DataError, Mistake         all mistakes of one file, each with its place and its rule
nearest                    the legal word closest to a misspelt one
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any, TypeVar

import msgspec

from pbem.engine.rules.refusals import Objection, Unreadable

PACKAGE = "pbem.titles.aslsk"


class Mistake(msgspec.Struct, frozen=True):
    """One mistake in a data file: its place, what is wrong, the nearest legal word, and the rule it breaks."""

    where: str
    what: str
    instead: str = ""
    rule: str = "1.2"

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" + (f" Did you mean {self.instead}?" if self.instead else "")


class Unfit(ValueError):
    """A value that breaks a specific rule, rather than only the general rule of its row."""

    def __init__(self, rule: str, what: str) -> None:
        super().__init__(what)
        self.rule = rule


class DataError(Unreadable):
    """A data file that cannot be used, with every mistake found in it."""

    def __init__(self, file: str, mistakes: Sequence[Mistake]) -> None:
        super().__init__(file, [Objection(mistake.rule, str(mistake)) for mistake in mistakes])
        self.file = file
        self.mistakes = tuple(mistakes)

    def __str__(self) -> str:
        return f"{self.file}: " + "\n".join(map(str, self.mistakes))


def packaged(name: str) -> bytes:
    """Return the bytes of a file in `data/`."""
    return resources.files(PACKAGE).joinpath("data", *name.split("/")).read_bytes()


def packaged_names(folder: str) -> tuple[str, ...]:
    """List the TOML files of a folder in `data/`, without their suffix."""
    entries = resources.files(PACKAGE).joinpath("data", folder).iterdir()
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in entries if entry.name.endswith(".toml")))


def nearest(word: str, legal: Iterable[str]) -> str:
    """Return the legal word closest to this one, or an empty string."""
    by_folded = {candidate.casefold(): candidate for candidate in legal}
    close = difflib.get_close_matches(word.casefold(), list(by_folded), n=1, cutoff=0.5)
    return by_folded[close[0]] if close else ""


def read_toml(data: bytes | str, file: str, rule: str = "1.2") -> dict[str, Any]:
    """Parse a TOML file; DataError names the line and column of a syntax error."""
    try:
        return tomllib.loads(data if isinstance(data, str) else data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(file, [Mistake("syntax", f"{error}.", rule=rule)]) from error


T = TypeVar("T")


def convert(tables: dict[str, Any], shape: type[T], file: str, rule: str = "1.2") -> T:
    """Convert tables to a struct; DataError names the key that does not fit."""
    legal = [field.encode_name for field in msgspec.structs.fields(shape)]  # type: ignore[arg-type]
    if unknown := [key for key in tables if key not in legal]:
        what = "this key has no meaning here."
        raise DataError(file, [Mistake(key, what, nearest(key, legal), rule) for key in unknown])
    try:
        return msgspec.convert(tables, shape)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at ")
        raise DataError(file, [Mistake(where.strip("`") or "file", f"{what}.", rule=rule)]) from error
