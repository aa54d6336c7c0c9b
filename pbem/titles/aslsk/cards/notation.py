"""1.2 The short notations of counters in data files: strengths, calibres, ranges, months, ammunition.

1.2.2   strength "4-6-7", leader "9-1" or "6+1", attack "5-12"
6.2     Supply, read_supplies: ammunition "A 5 1942, 4 1943; s 7"
6.0     calibre "75L", "150*"
"""

from __future__ import annotations

import re
from typing import Final, Literal, get_args

import msgspec

Length = Literal["", "*", "L", "LL"]
Ammunition = Literal["A", "D", "H", "s", "WP", "AP", "HE"]
AMMUNITION: Final[tuple[Ammunition, ...]] = get_args(Ammunition)


class Supply(msgspec.Struct, frozen=True):
    """6.2 A depletion number and the month from which it applies."""

    kind: Ammunition
    depletion: int
    since: str = ""
    """The first month, such as 1944-06; empty for every month."""


class Calibre(msgspec.Struct, frozen=True):
    """6.0 The calibre in mm and the barrel."""

    mm: int
    length: Length = ""

    def __str__(self) -> str:
        return f"{self.mm}{self.length}"


def depletion(supplies: tuple[Supply, ...], kind: str, date: str) -> int | None:
    """6.2 Return the depletion number of an ammunition type in a month, or None if it is unavailable."""
    found = [supply for supply in supplies if supply.kind == kind and supply.since <= date]
    return max(found, key=lambda supply: supply.since).depletion if found else None


def is_limited(supplies: tuple[Supply, ...], kind: str) -> bool:
    """6.2 Whether the counter lists an ammunition type, which makes its supply limited."""
    return any(supply.kind == kind for supply in supplies)


def read_strength(text: str) -> tuple[int, int, int]:
    """1.2.2 Read firepower, range and morale from text such as 4-6-7; raise ValueError for any other text."""
    match = re.fullmatch(r"(\d+)-(\d+)-(\d+)", text)
    if match is None:
        raise ValueError(f"'{text}' is not a strength: write firepower-range-morale, such as 4-6-7.")
    return int(match[1]), int(match[2]), int(match[3])


def read_leader(text: str) -> tuple[int, int]:
    """1.2.1 Read morale and leadership DRM from 9-1, 8-0 or 6+1."""
    match = re.fullmatch(r"(\d+)([-+]\d)", text)
    if match is None:
        raise ValueError(f"'{text}' is not a leader: write morale and leadership, such as 9-1 or 6+1.")
    return int(match[1]), int(match[2])


def read_pair(text: str) -> tuple[int, int]:
    """1.2.4 Read two numbers, such as firepower-range 5-12 or a mortar's ranges 2-60."""
    match = re.fullmatch(r"(\d+)-(\d+)", text)
    if match is None:
        raise ValueError(f"'{text}' is not a pair of numbers such as 5-12.")
    return int(match[1]), int(match[2])


def read_calibre(text: str) -> Calibre:
    """6.0 Read calibre and barrel from 75, 75*, 75L or 75LL."""
    match = re.fullmatch(r"(\d+)(\*|LL|L)?", text)
    if match is None:
        raise ValueError(f"'{text}' is not a calibre: write it like 75, 75*, 75L or 75LL.")
    length = match[2] or ""
    return Calibre(int(match[1]), "LL" if length == "LL" else "L" if length == "L" else "*" if length else "")


def read_month(text: str) -> str:
    """1.3 Read a month such as 1944-06; a year alone means January of that year."""
    match = re.fullmatch(r"(19\d\d)(?:-(0[1-9]|1[0-2]))?", text)
    if match is None:
        raise ValueError(f"'{text}' is not a month: write 1944-06, or 1944 for its January.")
    return f"{match[1]}-{match[2] or '01'}"


def read_supplies(text: str) -> tuple[Supply, ...]:
    """6.2 Read ammunition from text such as `A 5 1942, 4 1943; s 7`."""
    found: list[Supply] = []
    for part in filter(None, (part.strip() for part in text.split(";"))):
        kind, _, numbers = part.partition(" ")
        known: Ammunition | None = next((word for word in AMMUNITION if word == kind), None)
        if known is None:
            raise ValueError(f"'{kind}' is not an ammunition type; the types are {', '.join(AMMUNITION)}.")
        for entry in numbers.split(","):
            number, _, month = entry.strip().partition(" ")
            if not number.isdigit() or not 2 <= int(number) <= 12:
                raise ValueError(f"'{part}': a depletion number must be 2 to 12.")
            found.append(Supply(known, int(number), read_month(month) if month else ""))
    return tuple(found)
