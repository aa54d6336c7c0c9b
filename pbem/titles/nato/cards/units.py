"""3.0 Units: the counters with their printed values.

3.2, 3.3, 3.4   UnitType, Strength
3.2.7, 3.2.8    Size, Symbol
3.2.10          UnitType.steps
3.7             roster: the units of a year
3.9.1           Nation
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Final

import msgspec

from pbem.engine.text.messages import term
from pbem.titles.data_files import DataError
from pbem.titles.nato.cards.files import Mistake, packaged, read_csv
from pbem.titles.nato.map.ground import Country, Side

__all__ = ["Nation", "Side", "Size", "Strength", "Symbol", "UnitType", "read_units", "roster", "side_of"]

UNIT_FILE: Final = "units.csv"
COLUMNS: Final = (
    *("id", "name", "title", "nation", "formation", "army", "symbol", "size"),
    *("attack", "defense", "move", "reduced", "pool", "flags", "origin"),
)
POOLS: Final = ("common", "1983", "1988")
YEARS: Final = (1983, 1988)
FLAGS: Final = ("territorial", "border", "berlin", "baltic", "multinational", "canadian", "south")


class Nation(StrEnum):
    """3.9.1 The nationalities; Canadian units are US units in every respect (3.9.1.1)."""

    SU = "SU"
    EG = "EG"
    CS = "CS"
    PL = "PL"
    US = "US"
    UK = "UK"
    WG = "WG"
    FR = "FR"
    NL = "NL"
    BE = "BE"
    DK = "DK"


WP_NATIONS: Final = (Nation.SU, Nation.EG, Nation.CS, Nation.PL)
HOMES: Final = {
    Nation.EG: Country.EG,
    Nation.CS: Country.CS,
    Nation.PL: Country.PL,
    Nation.WG: Country.WG,
    Nation.FR: Country.FR,
    Nation.NL: Country.NL,
    Nation.BE: Country.BE,
    Nation.DK: Country.DK,
}

NATION_NAMES: Final = {
    Nation.SU: term("nationality", "Soviet"),
    Nation.EG: term("nationality", "East German"),
    Nation.CS: term("nationality", "Czechoslovak"),
    Nation.PL: term("nationality", "Polish"),
    Nation.US: term("nationality", "US"),
    Nation.UK: term("nationality", "British"),
    Nation.WG: term("nationality", "West German"),
    Nation.FR: term("nationality", "French"),
    Nation.NL: term("nationality", "Dutch"),
    Nation.BE: term("nationality", "Belgian"),
    Nation.DK: term("nationality", "Danish"),
}


def side_of(nation: Nation) -> Side:
    """3.9.1 The alliance of a nation."""
    return Side.WP if nation in WP_NATIONS else Side.NATO


class Symbol(StrEnum):
    """3.2.8.1 The symbols on the counters."""

    AIRBORNE = "airborne"
    AIRBORNE_MECH = "airborne_mech"
    AIRMOBILE = "airmobile"
    AIRMOBILE_ANTITANK = "airmobile_antitank"
    ARMOR = "armor"
    CAVALRY = "cavalry"
    ARTILLERY = "artillery"
    HQ = "hq"
    MARINE_HQ = "marine_hq"
    INFANTRY = "infantry"
    MARINE = "marine"
    MARINE_MECH = "marine_mech"
    MECHANIZED = "mechanized"
    MOUNTAIN = "mountain"


HQS: Final = (Symbol.HQ, Symbol.MARINE_HQ)
ARMOR: Final = (Symbol.ARMOR, Symbol.CAVALRY)
MECHANIZED: Final = (Symbol.MECHANIZED, Symbol.AIRBORNE_MECH, Symbol.MARINE_MECH)
AIRBORNE: Final = (Symbol.AIRBORNE, Symbol.AIRBORNE_MECH)
AIRMOBILE: Final = (Symbol.AIRMOBILE, Symbol.AIRMOBILE_ANTITANK)
MARINES: Final = (Symbol.MARINE, Symbol.MARINE_MECH, Symbol.MARINE_HQ)


class Size(StrEnum):
    """3.2.7 The size symbols; for an HQ, the size of the formation that it commands."""

    REGIMENT = "regiment"
    BRIGADE = "brigade"
    DIVISION = "division"
    CORPS = "corps"
    ARMY = "army"
    FRONT = "front"


class Strength(msgspec.Struct, frozen=True):
    """3.2.1-3.2.3 The three numbers on one side of a counter."""

    attack: int
    """3.3.1, 3.4.1 For artillery, the artillery points; for an HQ, the support range."""
    defense: int
    move: int

    def __str__(self) -> str:
        return f"{self.attack}-{self.defense}-{self.move}"


class UnitType(msgspec.Struct, frozen=True):
    """3.2 A counter with its printed values."""

    id: str
    name: str
    """3.2.4 The printed designation."""
    title: str
    """The name in full."""
    nation: Nation
    symbol: Symbol
    size: Size
    full: Strength
    reduced: Strength | None
    formation: str
    """3.2.5 The HQ in the unit's legend, or a legend that is not an HQ (ARNG, CEN); empty for independent units."""
    army: str
    pool: str
    flags: tuple[str, ...]
    origin: str

    @property
    def side(self) -> Side:
        """1.0 The unit's alliance."""
        return side_of(self.nation)

    @property
    def home(self) -> Country | None:
        """10.1.5 The unit's home country; Soviet, US and British units have none on the map."""
        return HOMES.get(self.nation)

    @property
    def hq(self) -> bool:
        """3.4 Whether the unit is a headquarters."""
        return self.symbol in HQS  # 6.0/combat-unit

    @property
    def artillery(self) -> bool:
        """3.3 Whether the unit is artillery."""
        return self.symbol is Symbol.ARTILLERY  # 6.0/artillery-unit

    @property
    def maneuver(self) -> bool:
        """3.1 Whether the unit is a maneuver unit, which makes ground attacks."""
        return not (self.hq or self.artillery)  # 6.0/maneuver-unit

    @property
    def armor(self) -> bool:
        """3.5.1 Whether the unit is armor, which attacks cities and mountains at half strength."""
        return self.symbol in ARMOR

    @property
    def mechanized(self) -> bool:
        """3.5.1 Whether the unit is hard but not armor."""
        return self.symbol in MECHANIZED

    @property
    def hard(self) -> bool:
        """3.5.1 Whether the unit's defense strength is printed in square brackets."""
        return self.armor or self.mechanized  # 3.2.2, 6.0/hard-unit

    @property
    def soft(self) -> bool:
        """3.5.2 Whether this is a maneuver unit without armored vehicles."""
        return self.maneuver and not self.hard  # 3.5.3, 6.0/soft-unit

    @property
    def airborne(self) -> bool:
        """3.2.8.1 Whether the unit can make airborne drops."""
        return self.symbol in AIRBORNE

    @property
    def airmobile(self) -> bool:
        """3.2.8.1 Whether the unit is airmobile."""
        return self.symbol in AIRMOBILE

    @property
    def a_unit(self) -> bool:
        """3.2.3 Whether the unit's movement allowance is followed by an A."""
        return self.airborne or self.airmobile

    @property
    def marine(self) -> bool:
        """3.2.8.1 Whether the unit may use sea lift."""
        return self.symbol in MARINES

    @property
    def steps(self) -> int:
        """3.2.10 The number of steps that the unit has at full strength."""
        return 1 if self.reduced is None else 2  # 3.2.10.1, 3.2.10.2, 3.2.10.3

    @property
    def support_range(self) -> int:
        """3.4.2 The support range of an HQ; 0 for every other unit."""
        return self.full.attack if self.hq else 0  # 3.4.1

    @property
    def territorial(self) -> bool:
        """3.2.5.1 Whether this is a territorial unit."""
        return "territorial" in self.flags

    @property
    def border(self) -> bool:
        """3.2.6.1 Whether this is a border regiment, which may not leave its home country."""
        return "border" in self.flags

    @property
    def home_bound(self) -> bool:
        """3.2.5.1, 3.2.6.1 Whether the unit must stay in its home country."""
        return self.territorial or self.border

    @property
    def independent(self) -> bool:
        """3.2.6.1 Whether this is a WP unit without a front."""
        return self.side is Side.WP and not self.formation and not self.territorial

    @property
    def canadian(self) -> bool:
        """3.9.1.1 Whether the unit is Canadian."""
        return "canadian" in self.flags

    @property
    def multinational(self) -> bool:
        """29.7 Whether this is LANDJUT or LANDZEALAND."""
        return "multinational" in self.flags

    @property
    def berlin(self) -> bool:
        """31.0 Whether the unit belongs to the garrison of West Berlin."""
        return "berlin" in self.flags

    @property
    def baltic(self) -> bool:
        """10.4.4.2 Whether this is a Baltic Front brigade or regiment, which the Baltic Corps may supply."""
        return "baltic" in self.flags

    def strength(self, steps: int) -> Strength:
        """3.2.10.4 The numbers on the side that is face up when the unit has this many steps."""
        return self.full if steps >= self.steps or self.reduced is None else self.reduced  # 3.2/counter-formats


def read_units(data: bytes, year: int) -> dict[str, UnitType]:
    """3.7 Read the units of a year: the common ones and that year's own. DataError lists every mistake."""
    units: dict[str, UnitType] = {}
    mistakes: list[Mistake] = []
    for row in read_csv(data, UNIT_FILE, COLUMNS):
        try:
            unit = _read_unit(row)
        except (ValueError, KeyError) as error:
            mistakes.append(Mistake(row["id"], f"cannot be read: {error}", rule="3.2"))
            continue
        if unit.pool not in ("common", str(year)):  # 3.7.1, 5.1
            continue
        if unit.id in units:
            mistakes.append(Mistake(unit.id, f"two units of {year} have this id", rule="3.7"))
        units[unit.id] = unit
    mistakes += _wrong_formations(units)
    if mistakes:
        raise DataError(UNIT_FILE, mistakes)
    return units


def _read_unit(row: Mapping[str, str]) -> UnitType:
    flags = tuple(row["flags"].split())
    for word, legal in ((row["pool"], POOLS), *((flag, FLAGS) for flag in flags)):
        if word not in legal:
            raise ValueError(f"'{word}' is none of {', '.join(legal)}")
    return UnitType(
        id=row["id"],
        name=row["name"],
        title=row["title"],
        nation=Nation(row["nation"]),
        symbol=Symbol(row["symbol"]),
        size=Size(row["size"]),
        full=Strength(int(row["attack"]), int(row["defense"]), int(row["move"])),
        reduced=Strength(*map(int, row["reduced"].split("-"))) if row["reduced"] else None,
        formation=row["formation"],
        army=row["army"],
        pool=row["pool"],
        flags=flags,
        origin=row["origin"],
    )


def _wrong_formations(units: Mapping[str, UnitType]) -> list[Mistake]:
    """3.2.5 Check that each formation legend names an HQ of the same side, or one of the two US reinforcement
    legends.
    """
    mistakes = []
    for unit in units.values():
        hq = units.get(unit.formation)
        if unit.formation in ("", "ARNG", "CEN") or (hq is not None and hq.hq and hq.side is unit.side):
            continue
        mistakes.append(Mistake(unit.id, f"its formation {unit.formation} is not an HQ of its side", rule="3.2.5"))
    return mistakes


@cache
def roster(year: int) -> dict[str, UnitType]:
    """3.7 The packaged units of a year."""
    return read_units(packaged(UNIT_FILE), year)
