"""1.2.4, 4.x, 1.2.6, 6.x Counters of support weapons and Guns.

1.2.4, 4.x   WeaponCard, read_weapons: machine guns, ATR, FT, DC, LATW, light mortars
1.2.6, 6.x   GunCard, read_guns
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from pbem.titles.aslsk.cards.files import Mistake, Unfit, convert, read_toml
from pbem.titles.aslsk.cards.notation import (
    Calibre,
    Length,
    Supply,
    depletion,
    is_limited,
    read_calibre,
    read_month,
    read_pair,
    read_supplies,
)
from pbem.titles.aslsk.cards.units import Nation
from pbem.titles.data_files import DataError, nearest

WeaponKind = Literal["lmg", "mmg", "hmg", "atr", "ft", "dc", "baz", "psk", "piat", "mortar"]
GunType = Literal["at", "aa", "art", "inf", "mtr", "rcl"]
Size = Literal["very small", "small", "normal", "large", "very large"]
SIZES: Final[dict[Size, int]] = {"very small": 2, "small": 1, "normal": 0, "large": -1, "very large": -2}
"""7.3 The To Hit DRM for each target size."""
MG_KINDS: Final = ("lmg", "mmg", "hmg")
LATW_KINDS: Final = ("atr", "baz", "psk", "piat")
NEVER_BREAKS: Final = 12


class WeaponCard(msgspec.Struct, frozen=True):
    """1.2.4 A support weapon with its printed values."""

    id: str
    nation: str
    kind: WeaponKind
    name: str
    fp: int
    range: int
    min_range: int
    rof: int
    pp: int
    breakdown: int
    """The B# or X#."""
    number: Literal["B", "X"]
    """B: the weapon malfunctions and can be repaired. X: it is removed."""
    repair: int
    calibre: int
    length: Length
    to_hit: tuple[int, ...]
    """4.4 LATW: the To Hit number at range 0, 1, 2 and so on."""
    kill: int
    """4.4, 7.9 The TK# of LATW, FT and DC; 0 for other weapons."""
    since: str
    supplies: tuple[Supply, ...]
    source: str

    @property
    def mg(self) -> bool:
        """4.1 Whether the weapon is a machine gun."""
        return self.kind in MG_KINDS

    @property
    def shaped(self) -> bool:
        """4.4 Whether the weapon is a shaped-charge weapon."""
        return self.kind in ("baz", "psk", "piat")

    def depletion(self, kind: str, date: str) -> int | None:
        """6.2 Return the depletion number of an ammunition type in a month, or None if it is unavailable."""
        return depletion(self.supplies, kind, date)


class GunCard(msgspec.Struct, frozen=True):
    """1.2.6 A Gun with its printed values."""

    id: str
    nation: str
    type: GunType
    name: str
    calibre: int
    length: Length
    rof: int
    breakdown: int
    manhandling: int
    size: int
    """6.7 The To Hit DRM against the Gun: +1 small, 0 normal, -1 large."""
    ife: int
    turning: bool
    """3.2.4/covered-arc Whether the Gun has a 360-degree mount."""
    gunshield: bool
    qsu: bool
    min_range: int
    range: int
    """The maximum range in hexes; 0 if there is no limit."""
    he: bool
    """6.0 Whether HE is in unlimited supply."""
    ap: bool
    supplies: tuple[Supply, ...]
    source: str
    repair: int = 1

    @property
    def mortar(self) -> bool:
        """6.9 Whether the Gun is a mortar."""
        return self.type == "mtr"

    def depletion(self, kind: str, date: str) -> int | None:
        """6.2 Return the depletion number of an ammunition type in a month, or None if it is unavailable."""
        return depletion(self.supplies, kind, date)


# --- reading ---------------------------------------------------------------------------------------------------


class WeaponRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A support weapon as written in the file."""

    id: str
    nation: str
    kind: WeaponKind
    name: str
    pp: int
    source: str
    attack: str = ""
    calibre: str = ""
    range: str = ""
    rof: int = 0
    breakdown: int = NEVER_BREAKS
    removal: int = 0
    repair: int = 0
    to_hit: tuple[int, ...] = ()
    kill: int = 0
    since: str = ""
    ammunition: str = ""


class WeaponFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `weapons.toml`."""

    weapon: tuple[WeaponRow, ...]


class GunRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Gun as written in the file."""

    id: str
    nation: str
    type: GunType
    name: str
    calibre: str
    manhandling: int
    source: str
    rof: int = 0
    breakdown: int = NEVER_BREAKS
    size: Literal["small", "normal", "large"] = "normal"
    ife: int = 0
    he: bool = True
    ap: bool = True
    quick: bool = False
    mount: Literal["NT", "360"] = "NT"
    shield: bool = False
    range: str = ""
    ammunition: str = ""


class GunFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `guns.toml`."""

    gun: tuple[GunRow, ...]


def read_weapons(data: bytes, nations: Mapping[str, Nation], file: str = "weapons.toml") -> dict[str, WeaponCard]:
    """1.2.4 Read the support weapons from a file, by id; DataError lists every mistake."""
    return read_rows(convert(read_toml(data, file), WeaponFile, file).weapon, nations, _weapon, file, "1.2.4")


def read_guns(data: bytes, nations: Mapping[str, Nation], file: str = "guns.toml") -> dict[str, GunCard]:
    """1.2.6 Read the Guns from a file, by id; DataError lists every mistake."""
    return read_rows(convert(read_toml(data, file), GunFile, file).gun, nations, _gun, file, "1.2.6")


def read_rows(
    rows: Sequence[Any], nations: Mapping[str, Nation], make: Callable[[Any], Any], file: str, rule: str
) -> dict[str, Any]:
    """Make a card from each row, and report the mistakes in all of them."""
    found: dict[str, Any] = {}
    mistakes: list[Mistake] = []
    for row in rows:
        mistakes += _common_mistakes(row, nations, found, rule)
        try:
            found[row.id] = make(row)
        except ValueError as error:
            mistakes.append(Mistake(row.id, str(error), rule=error.rule if isinstance(error, Unfit) else rule))
    if mistakes:
        raise DataError(file, mistakes)
    return found


def _common_mistakes(
    row: Any, nations: Mapping[str, Nation], seen: Mapping[str, Any], rule: str
) -> Iterator[Mistake]:
    if row.id in seen:
        yield Mistake(row.id, "this id is used twice.", rule=rule)
    if row.nation not in nations:
        yield Mistake(row.id, f"there is no nationality '{row.nation}'.", nearest(row.nation, nations), "5.2")


def _weapon(row: WeaponRow) -> WeaponCard:
    calibre = read_calibre(row.calibre) if row.calibre else Calibre(0)
    fp, range_ = read_pair(row.attack) if row.attack else (0, 0)
    least, most = read_pair(row.range) if row.range else (0, range_)
    if row.kind == "mortar" and not (row.calibre and row.range):
        raise ValueError("a mortar needs a calibre, a minimum range and a maximum range.")
    if row.kind != "mortar" and not row.attack:
        raise ValueError("the weapon needs an attack, written firepower-range.")
    if row.kind in ("baz", "psk", "piat") and len(row.to_hit) != most + 1:
        raise ValueError(f"to_hit needs a number for each range from 0 to {most}.")
    return WeaponCard(
        id=row.id,
        nation=row.nation,
        kind=row.kind,
        name=row.name,
        fp=fp,
        range=most,
        min_range=least,
        rof=row.rof,
        pp=row.pp,
        breakdown=row.removal or row.breakdown,
        number="X" if row.removal else "B",
        repair=row.repair,
        calibre=calibre.mm,
        length=calibre.length,
        to_hit=row.to_hit,
        kill=row.kill,
        since=read_month(row.since) if row.since else "",
        supplies=read_supplies(row.ammunition),
        source=row.source,
    )


def _gun(row: GunRow) -> GunCard:
    calibre = read_calibre(row.calibre)
    supplies = read_supplies(row.ammunition)
    least, most = read_pair(row.range) if row.range else (0, 0)
    if row.type == "mtr" and not row.range:
        raise ValueError("a mortar needs a minimum range and a maximum range.")
    return GunCard(
        id=row.id,
        nation=row.nation,
        type=row.type,
        name=row.name,
        calibre=calibre.mm,
        length=calibre.length,
        rof=row.rof,
        breakdown=row.breakdown,
        manhandling=row.manhandling,
        size=SIZES[row.size],
        ife=row.ife,
        turning=row.mount == "360",
        gunshield=row.shield,
        qsu=row.quick,
        min_range=least,
        range=most,
        he=row.he and not is_limited(supplies, "HE"),
        ap=row.ap and not is_limited(supplies, "AP"),
        supplies=supplies,
        source=row.source,
    )
