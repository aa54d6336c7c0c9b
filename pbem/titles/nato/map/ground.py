"""2.2 The elements of the map: hexes, hexsides, countries and areas.

2.2.1   Terrain, CityClass, Water, Place; Hexside and its features
2.2     Country, Side, alliance
2.2.3   SeaArea
2.2.7   Zone
"""

from enum import StrEnum
from typing import Final, Literal

import msgspec

from pbem.titles.nato.map.grid import HexId


class Side(StrEnum):
    """1.0 The two alliances."""

    WP = "wp"
    NATO = "nato"

    @property
    def enemy(self) -> "Side":
        """The other alliance."""
        return Side.NATO if self is Side.WP else Side.WP

    @property
    def full(self) -> str:
        """The alliance's name as used in a sentence."""
        return "the Warsaw Pact" if self is Side.WP else "NATO"


class Country(StrEnum):
    """2.2 The countries on the map."""

    DK = "DK"
    WG = "WG"
    NL = "NL"
    BE = "BE"
    LU = "LU"
    FR = "FR"
    EG = "EG"
    PL = "PL"
    CS = "CS"


WP_COUNTRIES: Final = (Country.EG, Country.PL, Country.CS)

COUNTRY_NAMES: Final = {
    Country.DK: "Denmark",
    Country.WG: "West Germany",
    Country.NL: "Netherlands",
    Country.BE: "Belgium",
    Country.LU: "Luxembourg",
    Country.FR: "France",
    Country.EG: "East Germany",
    Country.PL: "Poland",
    Country.CS: "Czechoslovakia",
}


def alliance(country: Country) -> Side:
    """2.2, 6.0 The alliance that a country belongs to."""
    return Side.WP if country in WP_COUNTRIES else Side.NATO  # 6.0/alliance


class Terrain(StrEnum):
    """2.2.1 The terrain of a hex, not counting its city."""

    CLEAR = "clear"
    MARSH = "marsh"
    FOREST = "forest"
    ROUGH = "rough"
    MOUNTAIN = "mountain"
    SEA = "sea"


class CityClass(StrEnum):
    """30.0 The three classes of city."""

    SMALL = "small"
    MAJOR = "major"
    KEY = "key"


class Water(StrEnum):
    """2.2.3 How much of a hex is sea: all, part or none of it."""

    INLAND = "inland"
    COASTAL = "coastal"
    SEA = "sea"


class Zone(StrEnum):
    """2.2.7 The command zones of NATO."""

    BALTAP = "baltap"
    NORTHAG = "northag"
    CENTAG = "centag"


SeaArea = Literal["north_sea", "baltic"]
SEA_AREAS: Final[tuple[SeaArea, ...]] = ("north_sea", "baltic")

Ground = Literal["clear", "marsh", "forest", "rough", "mountain", "small_city", "major_city", "sea"]
"""2.2.1 A row of the Terrain Effects Chart: the primary terrain of a hex."""


class Place(msgspec.Struct, frozen=True):
    """2.2.1 One hex: its terrain, its city and the areas it belongs to."""

    hex: HexId
    water: Water
    terrain: Terrain
    zone: Zone
    country: Country | None = None
    """The country that owns the hex; None at sea."""
    city: str = ""
    city_class: CityClass | None = None
    port: int = 0
    """14.2.3 The capacity of the hex's port in steps; 0 without a port."""
    name: str = ""
    """The name of a town or region, for texts and for the map picture."""
    reserve_site: bool = False
    bridge: bool = False
    fortified: bool = False
    sea_area: SeaArea | None = None
    sector: int = 0
    """2.2.2 The reinforcement sector, if the hex is on its edge; otherwise 0."""
    island: str = ""
    west_of_rhine: bool = False
    """34.1.1 Whether the hex is west of the Rhine and south of the Waal."""
    north_of_elbe: bool = False
    """29.7 Whether the hex is north or east of the Elbe, in any country."""
    sea_edge: bool = False
    """14.2.4, 33.2.5 Whether ships from off the map appear here: a sea or coastal hex at its sea's outer edge."""
    band: str = ""
    """2.2.4 The corps or front that deploys here in a long build-up."""
    origin: str = "house"

    @property
    def is_sea(self) -> bool:
        """Whether the hex has no land."""
        return self.water is Water.SEA  # 6.0/all-sea-hex

    @property
    def is_land(self) -> bool:
        """Whether ground units can occupy the hex."""
        return self.water is not Water.SEA  # 6.0/land-hex

    @property
    def is_coastal(self) -> bool:
        """2.2.3 Whether the hex has both land and sea."""
        return self.water is Water.COASTAL  # 6.0/coastal-hex

    @property
    def is_city(self) -> bool:
        """30.0 Whether the hex holds a city that can be conquered."""
        return self.city_class is not None

    @property
    def inland_port(self) -> bool:
        """16.2.1.1 Whether the hex's port is on a river."""
        return self.port > 0 and self.water is Water.INLAND

    @property
    def side(self) -> Side | None:
        """The alliance that owned the hex before the war; None at sea."""
        return None if self.country is None else alliance(self.country)

    @property
    def ground(self) -> Ground:
        """2.2.1 The primary terrain, a row of the Terrain Effects Chart: a city has priority over other terrain."""
        if self.city_class is None:
            return self.terrain.value
        return "small_city" if self.city_class is CityClass.SMALL else "major_city"


River = Literal["", "minor", "major"]
Barrier = Literal["", "blocked", "all_sea"]


class Hexside(msgspec.Struct, frozen=True):
    """2.2.1 The features of the hexside between two hexes."""

    river: River = ""
    name: str = ""
    """The river or strait along the hexside."""
    barrier: Barrier = ""
    causeway: bool = False
    """12.1 A road over water: an all-sea hexside that can be crossed."""
    no_attack: bool = False
    """25.2.4 The Afsluitdijk: a causeway that no ground attack can cross."""
    ferry: bool = False
    """12.8 The Danish ferry."""
    pass_: bool = False
    """12.1 A pass into the mountains."""
    iron_curtain: bool = False
    """35.5 The border between West Germany and the Warsaw Pact."""
    origin: str = "house"

    @property
    def closed(self) -> bool:
        """12.1.1 Whether ground units cannot cross the hexside; the Danish ferry has its own rules."""
        return self.barrier != "" and not self.causeway  # 6.0/prohibited-terrain, 6.0/all-sea-hexside


NOTHING: Final = Hexside()
"""A hexside without any feature."""


class RiverRoute(msgspec.Struct, frozen=True):
    """14.2.2 The route of ships from an inland port to the sea."""

    hexes: tuple[HexId, ...]
    """The hexes from the port to the first coastal hex."""
    downstream: tuple[tuple[HexId, HexId], ...]
    """16.2.1.1 The river hexsides between the port and the sea."""
