"""Data files of titles: reading them, and explaining every mistake in them at once.

Mistake, DataError    the mistakes in a file, each with its place and its rule
nearest, close_to     the legal word closest to a misspelt one, or all of them
DataFiles             the packaged files of one title; TOML and CSV into tables, tables into structs
"""

from __future__ import annotations

import csv
import difflib
import tomllib
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any, Final, TypeVar

import msgspec

from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.text.toml_text import parse_toml

T = TypeVar("T")


class Mistake(msgspec.Struct, frozen=True):
    """One mistake in a data file: its place, what is wrong, the nearest legal word, and the rule it breaks.

    A title gives the rule a default: the rule about its data.
    """

    where: str
    what: str
    instead: str = ""
    rule: str = ""

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


def raise_mistakes(file: str, mistakes: Iterable[Mistake]) -> None:
    """Raise a DataError if there are mistakes."""
    if found := list(mistakes):
        raise DataError(file, found)


def nearest(word: str, legal: Iterable[str]) -> str:
    """Return the legal word most like this one, or an empty string if none is close."""
    by_folded = {candidate.casefold(): candidate for candidate in legal if candidate}
    close = difflib.get_close_matches(word.casefold(), list(by_folded), n=1, cutoff=0.5)
    return by_folded[close[0]] if close else ""


def close_to(word: str, legal: Iterable[str]) -> list[str]:
    """Return the legal word most like this one, or all legal words if none is close."""
    known = list(legal)
    return [near] if (near := nearest(word, known)) else known


class DataFiles:
    """The packaged files of a title. Nothing else in a title reads files; it is handed bytes or values."""

    def __init__(self, package: str, mistake: type[Mistake]) -> None:
        self.package: Final = package
        self.mistake: Final = mistake

    def packaged(self, name: str) -> bytes:
        """Return the bytes of a file under `data/`, such as `scenarios/duel.toml`."""
        return resources.files(self.package).joinpath("data", *name.split("/")).read_bytes()

    def packaged_names(self, folder: str) -> tuple[str, ...]:
        """List the TOML files in a folder under `data/`, sorted and without their suffix."""
        entries = resources.files(self.package).joinpath("data", folder).iterdir()
        return tuple(sorted(entry.name.removesuffix(".toml") for entry in entries if entry.name.endswith(".toml")))

    def read_toml(self, data: bytes | str, file: str, rule: str = "") -> dict[str, Any]:
        """Parse a TOML file; DataError gives the line and column of a syntax error."""
        try:
            return parse_toml(data if isinstance(data, str) else data.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise DataError(file, [self._mistake("syntax", "the file is not UTF-8 text.", rule)]) from error
        except tomllib.TOMLDecodeError as error:
            raise DataError(file, [self._mistake("syntax", f"this is not valid TOML: {error}.", rule)]) from error

    def read_csv(self, data: bytes, file: str, columns: Sequence[str]) -> list[dict[str, str]]:
        """Read the rows of a CSV file; lines that start with # are comments. A missing column raises DataError."""
        lines = (line for line in data.decode("utf-8").splitlines() if line and not line.startswith("#"))
        reader = csv.DictReader(lines)
        missing = [column for column in columns if column not in (reader.fieldnames or ())]
        if missing:
            raise DataError(file, [self._mistake("head", f"the columns {', '.join(missing)} are missing.")])
        return list(reader)

    def convert(self, tables: Any, shape: type[T], file: str, rule: str = "") -> T:
        """Convert tables to a struct; DataError names the keys that do not fit."""
        legal = [field.encode_name for field in msgspec.structs.fields(shape)]  # type: ignore[arg-type]
        if unknown := [key for key in tables if key not in legal]:
            what = "this key has no meaning here."
            raise DataError(file, [self._mistake(key, what, rule, nearest(key, legal)) for key in unknown])
        try:
            return msgspec.convert(tables, shape)
        except msgspec.ValidationError as error:
            what, _, at = str(error).partition(" - at ")
            raise DataError(file, [self._mistake(_place(at), f"{what}.", rule)]) from error

    def _mistake(self, where: str, what: str, rule: str = "", instead: str = "") -> Mistake:
        return self.mistake(where, what, instead, rule) if rule else self.mistake(where, what, instead)


def _place(at: str) -> str:
    """The place of a mistake, without the marks that msgspec puts around it."""
    return at.strip("`").removeprefix("$").removeprefix(".") or "file"
