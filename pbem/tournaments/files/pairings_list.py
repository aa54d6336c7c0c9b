"""Read the director's own pairings: CSV with `round,entrant,entrant,side,scenario`. No others are played."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec

from pbem.tournaments.files.entry_list import Mistake, Stop, table

COLUMNS = ("round", "one", "other", "side", "scenario")


class Pair(msgspec.Struct, frozen=True):
    """One listed pairing; the first entrant plays the first side."""

    line: int
    round: int
    entrants: tuple[int, int]
    scenario: str = ""


class PairingsList(msgspec.Struct, frozen=True):
    """The pairings read from a file, and all its mistakes."""

    pairs: tuple[Pair, ...]
    mistakes: tuple[Mistake, ...]


def read_pairings(
    content: bytes,
    entrants: Mapping[str, int],
    sides: tuple[str, ...],
    scenarios: Collection[str] = (),
    next_round: int = 1,
) -> PairingsList:
    """Read pairings. `entrants` maps lower-case names, accounts and numbers to entrant numbers."""
    try:
        header, rows = table(_columns(content), COLUMNS, {"white": "one", "black": "other"}, "round")
    except Stop as stop:
        return PairingsList((), (stop.mistake,))
    mistakes: list[Mistake] = []
    pairs: list[Pair] = []
    seen: dict[tuple[int, int], int] = {}
    for line, cells in rows:
        row = dict(zip(header, (cell.strip() for cell in cells), strict=False))
        found = _row_mistakes(line, row, entrants, sides, scenarios, next_round)
        if not found:
            pair = _pair(line, row, entrants, sides)
            for entrant in pair.entrants:
                if (pair.round, entrant) in seen:
                    first = seen[pair.round, entrant]
                    found.append(Mistake(line, "paired twice", f"one of the two already plays in line {first}"))
                seen.setdefault((pair.round, entrant), line)
            pairs.append(pair)
        mistakes += found
    return PairingsList(tuple(pairs), tuple(mistakes))


def _columns(content: bytes) -> bytes:
    """Rename the header's two `entrant` columns to `one` and `other`."""
    head, newline, rest = content.partition(b"\n")
    lowered = head.lower().replace(b" ", b"")
    if lowered.count(b"entrant") == 2:
        head = lowered.replace(b"entrant", b"one", 1).replace(b"entrant", b"other", 1)
    return head + newline + rest


def _row_mistakes(
    line: int,
    row: dict[str, str],
    entrants: Mapping[str, int],
    sides: tuple[str, ...],
    scenarios: Collection[str],
    next_round: int,
) -> list[Mistake]:
    found: list[Mistake] = []
    if not row.get("round", "").isdecimal():
        found.append(Mistake(line, "round", f"{row.get('round', '')!r} is not a round number"))
    elif int(row["round"]) < next_round:
        found.append(Mistake(line, "past round", f"round {row['round']} is already paired"))
    for column in ("one", "other"):
        name = row.get(column, "")
        if not name:
            found.append(Mistake(line, "no entrant", "a pairing needs two entrants"))
        elif name.lower() not in entrants:
            found.append(Mistake(line, "unknown entrant", f"{name} has not entered"))
    if row.get("one", "").lower() == row.get("other", "").lower() and row.get("one"):
        found.append(Mistake(line, "with oneself", f"{row['one']} is paired with themselves"))
    if row.get("side") and row["side"] not in sides:
        found.append(Mistake(line, "unknown side", f"{row['side']!r} is not a side; use {' or '.join(sides)}"))
    if row.get("scenario") and scenarios and row["scenario"] not in scenarios:
        found.append(Mistake(line, "unknown scenario", f"{row['scenario']!r} is not a scenario of this tournament"))
    return found


def _pair(line: int, row: dict[str, str], entrants: Mapping[str, int], sides: tuple[str, ...]) -> Pair:
    one, other = entrants[row["one"].lower()], entrants[row["other"].lower()]
    if row.get("side") and len(sides) > 1 and row["side"] == sides[1]:
        one, other = other, one
    return Pair(line, int(row["round"]), (one, other), row.get("scenario", ""))
