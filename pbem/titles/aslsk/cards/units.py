"""1.2.1-1.2.3, 5.1, 5.2 Personnel counters and nationalities.

1.2.1   leaders: the same series of leaders for every nationality
1.2.2   squads, half-squads, crews
5.1     Card.lower: the replacement for a unit that fails its ELR
5.2     Nation
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from pbem.titles.aslsk.cards.files import Mistake, convert, read_toml
from pbem.titles.aslsk.cards.notation import read_leader, read_strength
from pbem.titles.data_files import DataError, nearest

Kind = Literal["squad", "half", "crew", "leader"]
Grade = Literal["", "elite", "first", "second", "green", "conscript"]
RULE = "1.2.2"


class Nation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """5.2 A nationality: its names, its colours, the months of its red numbers and the morale of its crews."""

    id: str
    name: str
    plural: str
    paper: str
    ink: str
    red_from: str
    red_until: str
    crew_morale: int
    source: str

    def uses_red_numbers(self, date: str) -> bool:
        """3.2.4/red-black Whether the nation's Guns and main armaments use red To Hit numbers in a month."""
        return bool(self.red_from) and self.red_from <= date <= self.red_until


class Card(msgspec.Struct, frozen=True):
    """1.2.1, 1.2.2 A squad, half-squad, crew or leader with its printed values."""

    id: str
    nation: str
    kind: Kind
    name: str
    """The printed strength: 4-6-7, or 9-1 for a leader."""
    fp: int
    range: int
    morale: int
    broken: int
    class_: Grade
    """1.2.2 The quality class; empty for leaders."""
    leadership: int = 0
    self_rally: bool = False
    smoke: int = 0
    assault_fire: bool = False
    elr_exempt: bool = False
    half: str = ""
    lower: str = ""
    source: str = ""


class UnitRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A squad, half-squad or crew as written in the file."""

    id: str
    nation: str
    kind: Literal["squad", "half", "crew"]
    strength: str
    broken: int
    grade: Literal["elite", "first", "second", "green", "conscript"]
    source: str
    half: str = ""
    lower: str = ""
    smoke: int = 0
    assault: bool = False
    self_rally: bool = False
    elr_exempt: bool = False


class LeaderRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A leader as written in the file."""

    id: str
    strength: str
    source: str
    lower: str = ""


class UnitFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `units.toml`."""

    unit: tuple[UnitRow, ...]
    leader: tuple[LeaderRow, ...]


class NationFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `nations.toml`."""

    nation: tuple[Nation, ...]


def read_nations(data: bytes, file: str = "nations.toml") -> dict[str, Nation]:
    """5.2 Read the nationalities from a file, by id."""
    return {nation.id: nation for nation in convert(read_toml(data, file), NationFile, file).nation}


def read_units(data: bytes, nations: Mapping[str, Nation], file: str = "units.toml") -> dict[str, Card]:
    """1.2.2 Read the personnel counters from a file, by id; DataError lists every mistake."""
    tables = convert(read_toml(data, file), UnitFile, file)
    if mistakes := [*_mistakes(tables, nations)]:
        raise DataError(file, mistakes)
    found = {row.id: _unit(row) for row in tables.unit}
    for nation in nations:
        for leader in tables.leader:
            card = _leader(leader, nation)
            found[card.id] = card
    return found


def leader_id(nation: str, strength: str) -> str:
    """1.2.1 The id of a leader: german-leader-91 for a German 9-1."""
    return f"{nation}-leader-{strength.replace('-', '').replace('+', '')}"


def _mistakes(tables: UnitFile, nations: Mapping[str, Nation]) -> Iterator[Mistake]:
    kinds = {row.id: row for row in tables.unit}
    seen: set[str] = set()
    for row in tables.unit:
        if row.id in seen:
            yield Mistake(row.id, "this id is used twice.", rule=RULE)
        seen.add(row.id)
        if row.nation not in nations:
            yield Mistake(row.id, f"there is no nationality '{row.nation}'.", nearest(row.nation, nations), "5.2")
        yield from _reference(row, "half", row.half, kinds, "half")
        yield from _reference(row, "lower", row.lower, kinds, row.kind)
        if row.kind == "squad" and not row.half:
            yield Mistake(row.id, "a squad needs the half-squad that it is reduced to.", rule="3.2.3")
        if not 2 <= row.broken <= 10:
            yield Mistake(row.id, f"a broken morale of {row.broken} is impossible: it must be 2 to 10.", rule="1.2.3")
        try:
            read_strength(row.strength)
        except ValueError as error:
            yield Mistake(row.id, str(error), rule=RULE)
    for leader in tables.leader:
        try:
            read_leader(leader.strength)
        except ValueError as error:
            yield Mistake(leader.id, str(error), rule="1.2.1")


def _reference(row: UnitRow, key: str, id: str, units: Mapping[str, UnitRow], kind: str) -> Iterator[Mistake]:
    if not id:
        return
    if id not in units:
        yield Mistake(f"{row.id}, {key}", f"there is no unit '{id}'.", nearest(id, units), RULE)
    elif units[id].kind != kind:
        yield Mistake(f"{row.id}, {key}", f"{id} is a {units[id].kind}, not a {kind}.", rule=RULE)
    elif units[id].nation != row.nation:
        yield Mistake(f"{row.id}, {key}", f"{id} belongs to another nationality.", rule="5.2")


def _unit(row: UnitRow) -> Card:
    fp, range_, morale = read_strength(row.strength)
    return Card(
        id=row.id,
        nation=row.nation,
        kind=row.kind,
        name=row.strength,
        fp=fp,
        range=range_,
        morale=morale,
        broken=row.broken,
        class_=row.grade,
        self_rally=row.self_rally,
        smoke=row.smoke,
        assault_fire=row.assault,
        elr_exempt=row.elr_exempt,
        half=row.half,
        lower=row.lower,
        source=row.source,
    )


def _leader(row: LeaderRow, nation: str) -> Card:
    morale, leadership = read_leader(row.strength)
    return Card(
        id=leader_id(nation, row.strength),
        nation=nation,
        kind="leader",
        name=row.strength,
        fp=0,
        range=0,
        morale=morale,
        broken=morale,
        class_="",
        leadership=leadership,
        self_rally=True,
        lower=f"{nation}-leader-{row.lower}" if row.lower else "",
        source=row.source,
    )
