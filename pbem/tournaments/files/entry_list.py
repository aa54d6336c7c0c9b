"""Read an entry list: CSV with a header line.

Every mistake is listed with its line; nothing is entered until all are corrected.

    name        the only required column
    account     the account's name on this server
    address     an email address instead; it is never published
    rating      a whole number
    team        the team's name; lines of one team are its members in board order
    byes        rounds without a match, such as 3 or 3=zero
    from_round  the first round of a late entry
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Collection, Iterator, Mapping

import msgspec

from pbem.tournaments.model import ByeKind, Settings

COLUMNS = ("name", "account", "address", "rating", "team", "byes", "from_round")
SYNONYMS = {
    "player": "name",
    "entrant": "name",
    "username": "account",
    "email": "address",
    "mail": "address",
    "elo": "rating",
    "bye": "byes",
    "from": "from_round",
    "round": "from_round",
}
LONGEST_NAME, HIGHEST_RATING, LARGEST_FILE, MOST_LINES = 60, 4000, 1_000_000, 5_000
FORMULA = "=+-@\t\r"


class Mistake(msgspec.Struct, frozen=True):
    """A mistake in a file. Line 0 means the file as a whole."""

    line: int
    kind: str
    what: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}" if self.line else self.what


class Listed(msgspec.Struct, frozen=True):
    """One entry of a list."""

    line: int
    name: str
    account: str = ""
    address: str = ""
    rating: int = 0
    members: tuple[str, ...] = ()
    byes: dict[int, ByeKind] = {}
    from_round: int = 1


class EntryList(msgspec.Struct, frozen=True):
    """The entries read from a file, and all its mistakes."""

    entries: tuple[Listed, ...]
    mistakes: tuple[Mistake, ...]


class Known(msgspec.Struct, frozen=True):
    """The facts that a list is checked against. `accounts` maps lower-case names to ids; None skips that check."""

    settings: Settings
    accounts: Mapping[str, str] | None = None
    entered_names: Collection[str] = ()
    entered_accounts: Collection[str] = ()
    next_round: int = 1
    most_strangers: int = 10_000
    """How many addresses unknown to this server a list may invite."""


class Stop(Exception):
    """The file as a whole cannot be read."""

    def __init__(self, mistake: Mistake) -> None:
        super().__init__(str(mistake))
        self.mistake = mistake


def read_entries(content: bytes, known: Known) -> EntryList:
    """Read an entry list and check every line."""
    try:
        header, rows = table(content, COLUMNS, SYNONYMS, "name")
    except Stop as stop:
        return EntryList((), (stop.mistake,))
    mistakes: list[Mistake] = []
    entries: list[Listed] = []
    names: dict[str, int] = {}
    accounts: dict[str, int] = {}
    for line, cells in rows:
        found = list(row_mistakes(line, cells, header))
        if not found:
            row = dict(zip(header, (cell.strip() for cell in cells), strict=True))
            entry = _entry(line, row, known, found)
            found += _repeats(entry, names, accounts, known)
            if not found:
                entries.append(entry)
        mistakes += found
    if (strangers := sum(bool(entry.address) for entry in entries)) > known.most_strangers:
        why = f"{strangers} addresses are new to this server; a list may invite {known.most_strangers} of them"
        mistakes.append(Mistake(0, "too many new addresses", f"{why}: ask an operator to import it"))
    if not rows:
        mistakes.append(Mistake(0, "no entries", "the list has a header and no entries"))
    if known.settings.boards > 1:
        entries, more = _teams(entries, rows, header, known)
        mistakes += more
    return EntryList(tuple(entries), tuple(sorted(mistakes, key=lambda mistake: mistake.line)))


def table(
    content: bytes, columns: Collection[str], synonyms: Mapping[str, str], needed: str
) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the header and the numbered lines of a CSV file; `Stop` if it cannot be read at all."""
    if not content.strip():
        raise Stop(Mistake(0, "empty", "the file is empty"))
    if len(content) > LARGEST_FILE:
        raise Stop(Mistake(0, "too large", f"the file has more than {LARGEST_FILE:,} bytes"))
    text = _text(content)
    first = text.splitlines()[0]
    delimiter = max(",;\t", key=first.count) if any(sign in first for sign in ",;\t") else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        lines = [(reader.line_num, cells) for cells in reader if any(cell.strip() for cell in cells)]
    except csv.Error as problem:
        raise Stop(Mistake(reader.line_num, "quotes", f"a quotation mark is not closed ({problem})")) from problem
    if len(lines) > MOST_LINES:
        raise Stop(Mistake(0, "too many", f"the file has more than {MOST_LINES:,} lines"))
    return _header(lines[0][1], columns, synonyms, needed), lines[1:]


def _text(content: bytes) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content[: problem.start].count(b"\n") + 1
        raise Stop(Mistake(line, "encoding", "this is not UTF-8 text; save the file as UTF-8")) from problem
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise Stop(Mistake(line, "binary", "there is a null byte; this is not a text file"))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _header(cells: list[str], columns: Collection[str], synonyms: Mapping[str, str], needed: str) -> list[str]:
    header = [cell.strip().lower().replace(" ", "_") for cell in cells]
    header = [synonyms.get(name, name) for name in header]
    if needed not in header:
        raise Stop(Mistake(1, "header", f"the first line must name the columns; {needed!r} is missing"))
    for name in header:
        if name not in columns:
            raise Stop(Mistake(1, "unknown column", f"there is no column {name!r}; use {', '.join(columns)}"))
        if header.count(name) > 1:
            raise Stop(Mistake(1, "column twice", f"the column {name!r} appears twice"))
    return header


def row_mistakes(line: int, cells: list[str], header: list[str]) -> Iterator[Mistake]:
    """Yield the mistakes in a line that can be found before its cells are read."""
    if len(cells) < len(header):
        yield Mistake(line, "too few cells", f"{len(cells)} of {len(header)} cells")
    elif len(cells) > len(header):
        yield Mistake(
            line,
            "too many cells",
            f"{len(cells)} cells for {len(header)} columns; does a cell contain a comma without quotes?",
        )


def _entry(line: int, row: dict[str, str], known: Known, found: list[Mistake]) -> Listed:
    name = unicodedata.normalize("NFC", row["name"])
    found += _name_mistakes(line, name)
    rating = _number(line, row.get("rating", ""), "rating", 0, HIGHEST_RATING, found) or 0
    limit = known.settings.highest_rating
    if limit and rating > limit:
        found.append(Mistake(line, "rating limit", f"a rating of {rating} is above the limit of {limit}"))
    from_round = _number(line, row.get("from_round", ""), "from_round", 1, known.settings.rounds, found)
    if from_round is not None and from_round < known.next_round:
        found.append(Mistake(line, "past round", f"round {from_round} is already paired"))
    byes = _byes(line, row.get("byes", ""), known, found)
    said, address = row.get("account", ""), row.get("address", "").lower()
    if "@" in said and not address:  # people write the address into either column
        said, address = "", said.lower()
    account = _account(line, said, known, found)
    if address and not account:
        account = _address(line, address, known, found)
    start = max(from_round or 1, known.next_round)
    return Listed(line, name, account, "" if account else address, rating, (), byes, start)


def _address(line: int, address: str, known: Known, found: list[Mistake]) -> str:
    """Return the account of an address, or an empty string if the address is unknown to this server."""
    name, at, host = address.rpartition("@")
    if not (name and at and "." in host) or any(sign.isspace() for sign in address):
        found.append(Mistake(line, "bad address", f"{address!r} is not an email address"))
        return ""
    return (known.accounts or {}).get(address, "")


def _name_mistakes(line: int, name: str) -> Iterator[Mistake]:
    if not name:
        yield Mistake(line, "no name", "the name is empty")
    elif len(name) > LONGEST_NAME:
        yield Mistake(line, "long name", f"the name has {len(name)} letters; {LONGEST_NAME} is the limit")
    elif any(unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co") for sign in name):
        yield Mistake(line, "control sign", "the name has an invisible control character")
    elif name[0] in FORMULA:
        yield Mistake(line, "formula", f"a name cannot start with {name[0]!r}: spreadsheets would read a formula")
    elif not any(sign.isalpha() for sign in name):
        yield Mistake(line, "no letters", f"{name!r} has no letters")


def _number(line: int, cell: str, column: str, least: int, most: int, found: list[Mistake]) -> int | None:
    if not cell:
        return None
    try:
        number = int(cell)
    except ValueError:
        found.append(Mistake(line, f"{column} not a number", f"{cell!r} is not a whole number ({column})"))
        return None
    if not least <= number <= most:
        found.append(Mistake(line, f"{column} out of range", f"{column} must be {least} to {most}, not {number}"))
        return None
    return number


def _byes(line: int, cell: str, known: Known, found: list[Mistake]) -> dict[int, ByeKind]:
    byes: dict[int, ByeKind] = {}
    for word in cell.replace(";", " ").replace(",", " ").split():
        number, _, kind = word.partition("=")
        if kind not in ("", "half", "zero"):
            found.append(Mistake(line, "bye kind", f"{word!r}: a requested bye must be half or zero"))
            continue
        round = _number(line, number, "bye", known.next_round, known.settings.rounds, found)
        if round is None:
            continue
        if round in byes:
            found.append(Mistake(line, "bye twice", f"round {round} is listed twice"))
        byes[round] = "zero" if kind == "zero" else "half"
    if len(byes) > known.settings.asked_byes:
        limit = known.settings.asked_byes
        found.append(Mistake(line, "too many byes", f"{len(byes)} byes requested; {limit} is the limit"))
    return byes


def _account(line: int, cell: str, known: Known, found: list[Mistake]) -> str:
    if not cell or known.accounts is None:
        return cell
    account = known.accounts.get(cell.lower())
    if account is None:
        why = f"there is no account {cell!r}: give the player's email address, or leave the column empty"
        found.append(Mistake(line, "unknown account", why))
        return ""
    return account


def _repeats(entry: Listed, names: dict[str, int], accounts: dict[str, int], known: Known) -> Iterator[Mistake]:
    name = entry.name.casefold()
    if name in names:
        yield Mistake(entry.line, "name twice", f"{entry.name} is already in line {names[name]}")
    elif name in {taken.casefold() for taken in known.entered_names}:
        yield Mistake(entry.line, "already entered", f"{entry.name} has already entered")
    names.setdefault(name, entry.line)
    if entry.account:
        if entry.account in accounts:
            first = accounts[entry.account]
            yield Mistake(entry.line, "account twice", f"the account of {entry.name} is already in line {first}")
        elif entry.account in known.entered_accounts:
            yield Mistake(entry.line, "account entered", f"the account of {entry.name} has already entered")
        accounts.setdefault(entry.account, entry.line)
    if entry.address:
        if entry.address in accounts:
            first = accounts[entry.address]
            yield Mistake(entry.line, "address twice", f"the address of {entry.name} is already in line {first}")
        accounts.setdefault(entry.address, entry.line)


def _teams(
    entries: list[Listed], rows: list[tuple[int, list[str]]], header: list[str], known: Known
) -> tuple[list[Listed], list[Mistake]]:
    """Gather the members of each team; the team's place in the list is that of its first line."""
    by_line = {line: dict(zip(header, cells, strict=False)) for line, cells in rows}
    mistakes: list[Mistake] = []
    teams: dict[str, list[Listed]] = {}
    for entry in entries:
        team = by_line[entry.line].get("team", "").strip()
        if not team:
            mistakes.append(Mistake(entry.line, "no team", f"{entry.name} has no team"))
            continue
        teams.setdefault(team, []).append(entry)
    boards = known.settings.boards
    found: list[Listed] = []
    for team, members in teams.items():
        if len(members) != boards:
            what = f"team {team} has {len(members)} members; {boards} boards are played"
            mistakes.append(Mistake(members[0].line, "team size", what))
        rating = sum(member.rating for member in members) // len(members)
        accounts = tuple(member.account or member.name for member in members)
        found.append(Listed(members[0].line, team, "", "", rating, accounts))
    return found, mistakes
