"""2.2 The atlas: the whole map, indexed for the questions that the rules ask.

    2.2.1     Atlas[hex], Atlas.hexside, Atlas.neighbours
    12.1.1    Atlas.ground: the steps open to ground units and lines of supply
    10.3.3.2  Atlas.sea, Atlas.open_sea
    2.2.2     Atlas.sectors, Atlas.sea_edge
    30.0      Atlas.cities, Atlas.cities_of, Atlas.ports, Atlas.reserve_sites
    16.2.1.1  Atlas.routes
    35.3.6    Atlas.curtain
    25.7.5    Atlas.baltap
    29.7      Atlas.north_of_elbe

An atlas never changes. `Atlas.cut` gives the smaller atlas of a scenario that uses part of the map.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pbem.titles.nato.map import grid
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.map.ground import (
    NOTHING,
    SEA_AREAS,
    CityClass,
    Country,
    Hexside,
    Place,
    RiverRoute,
    SeaArea,
    Side,
    Terrain,
    Water,
    Zone,
    alliance,
)

__all__ = [
    "COPENHAGEN",
    "FERRY",
    "NOTHING",
    "PRAGUE",
    "WEST_BERLIN",
    "Atlas",
    "CityClass",
    "Country",
    "Hexside",
    "Place",
    "RiverRoute",
    "SeaArea",
    "Side",
    "Terrain",
    "Water",
    "Zone",
    "alliance",
    "pair",
]

FERRY: Final = ("1513", "1514")
WEST_BERLIN: Final = "3007"
COPENHAGEN: Final = "1310"
PRAGUE: Final = "4203"
BERLIN_LINKS: Final = ("3115", "3117", "2615")
"""10.3.3.4 The cities that link West Berlin with the West: Braunschweig, Hannover and Lüneburg."""

Pair = tuple[HexId, HexId]


def pair(a: HexId, b: HexId) -> Pair:
    """The canonical key of the hexside between two hexes: both numbers, the smaller one first."""
    return (a, b) if a < b else (b, a)


@dataclass(frozen=True, eq=False)
class Atlas:
    """2.2 The map of one match."""

    places: Mapping[HexId, Place]
    sides: Mapping[Pair, Hexside]
    """Hexsides with a feature; the smaller number comes first."""
    rivers: Mapping[str, tuple[Pair, ...]]
    """The hexsides of each river from its source to its mouth."""
    all_routes: Mapping[HexId, RiverRoute]

    def __contains__(self, hex: object) -> bool:
        return hex in self.places

    def __getitem__(self, hex: HexId) -> Place:
        return self.places[hex]

    def __iter__(self) -> Iterator[HexId]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def get(self, hex: HexId) -> Place | None:
        """The hex with this number, or None if it is off the map."""
        return self.places.get(hex)

    def hexside(self, a: HexId, b: HexId) -> Hexside:
        """2.2.1 The hexside between two adjacent hexes."""
        return self.sides.get((a, b) if a < b else (b, a), NOTHING)

    @cached_property
    def neighbours(self) -> dict[HexId, tuple[HexId, ...]]:
        """The on-map neighbours of each hex, in compass order."""
        return {hex: tuple(near for near in grid.neighbours(hex) if near in self.places) for hex in self.places}

    @cached_property
    def ground(self) -> dict[HexId, tuple[tuple[HexId, Hexside], ...]]:
        """12.1.1 The steps open to ground units and lines of supply from each land hex, with the hexside crossed."""
        return {hex: tuple(self._ground_steps(hex)) for hex, place in self.places.items() if place.is_land}

    def _ground_steps(self, hex: HexId) -> Iterator[tuple[HexId, Hexside]]:
        for near in self.neighbours[hex]:
            side = self.hexside(hex, near)
            if self.places[near].is_land and not side.closed:
                yield near, side

    @cached_property
    def sea(self) -> dict[HexId, tuple[HexId, ...]]:
        """14.2.2, 10.3.3.2 The hexes ships can enter from each coastal and all-sea hex; hexsides do not matter."""
        wet = {hex for hex, place in self.places.items() if place.is_sea or place.is_coastal}
        return {hex: tuple(near for near in self.neighbours[hex] if near in wet) for hex in self.places if hex in wet}

    @cached_property
    def open_sea(self) -> frozenset[HexId]:
        """10.3.3.2 All-sea hexes that are not adjacent to a coastal hex."""
        return frozenset(
            hex
            for hex, place in self.places.items()
            if place.is_sea and not any(self.places[near].is_coastal for near in self.neighbours[hex])
        )

    @cached_property
    def cities(self) -> tuple[HexId, ...]:
        """30.0 All city hexes, by number."""
        return tuple(hex for hex, place in self.places.items() if place.is_city)

    @cached_property
    def city_hexes(self) -> frozenset[HexId]:
        """30.0 All city hexes, to ask whether a hex is one."""
        return frozenset(self.cities)

    def cities_of(self, country: Country) -> tuple[HexId, ...]:
        """30.0 The city hexes of a country."""
        return tuple(hex for hex in self.cities if self.places[hex].country is country)

    @cached_property
    def ports(self) -> tuple[HexId, ...]:
        """14.2.3 All port hexes, with or without a city."""
        return tuple(hex for hex, place in self.places.items() if place.port)

    @cached_property
    def reserve_sites(self) -> tuple[HexId, ...]:
        """33.2.1 All mobilization sites."""
        return tuple(hex for hex, place in self.places.items() if place.reserve_site)

    @cached_property
    def sectors(self) -> dict[int, tuple[HexId, ...]]:
        """2.2.2 The edge hexes of each reinforcement sector, from north to south."""
        return {
            sector: tuple(hex for hex, place in self.places.items() if place.sector == sector)
            for sector in range(1, 6)
        }

    @cached_property
    def sea_edge(self) -> dict[SeaArea, tuple[HexId, ...]]:
        """14.2.4, 33.2.5 The coastal and all-sea hexes at the outer edge of each sea."""
        edge = [hex for hex, place in self.places.items() if place.sea_edge]
        return {area: tuple(hex for hex in edge if self.places[hex].sea_area == area) for area in SEA_AREAS}

    @cached_property
    def routes(self) -> dict[HexId, RiverRoute]:
        """14.2.2 The river route of each inland port whose route is entirely on this map."""
        return {
            port: route
            for port, route in self.all_routes.items()
            if port in self.places and all(hex in self.places for hex in route.hexes)
        }

    @cached_property
    def curtain(self) -> dict[HexId, int]:
        """35.3.6 The distance from each hex to the nearest Iron Curtain hexside; 0 for a hex along it.

        Distances are counted on the bare grid. West Berlin's own hexsides are left out, because
        they say nothing about a unit's distance from the border.
        """
        start = [
            hex
            for side, feature in self.sides.items()
            if feature.iron_curtain and WEST_BERLIN not in side
            for hex in side
            if hex in self.places
        ]
        found = dict.fromkeys(start, 0)
        waiting = deque(start)
        missing = len(self.places) - len(found)
        while waiting and missing:
            hex = waiting.popleft()
            for near in grid.neighbours(hex):
                if near not in found:
                    found[near] = found[hex] + 1
                    missing -= near in self.places
                    waiting.append(near)
        return {hex: far for hex, far in found.items() if hex in self.places}

    @cached_property
    def baltap(self) -> frozenset[HexId]:
        """25.7.5, 29.5 The BALTAP zone: Denmark, West Germany north of the Elbe and the sea next to them."""
        return frozenset(hex for hex, place in self.places.items() if place.zone is Zone.BALTAP)

    @cached_property
    def north_of_elbe(self) -> frozenset[HexId]:
        """29.7 Every hex north and east of the Elbe, including those in East Germany and Poland."""
        return frozenset(hex for hex, place in self.places.items() if place.north_of_elbe)

    def name(self, hex: HexId) -> str:
        """The display name of a hex: `Hannover 3117`, or just the number of a hex without a city."""
        place = self.places.get(hex)
        return f"{place.city} {hex}" if place is not None and place.city else hex

    def find(self, text: str) -> HexId | None:
        """The hex that a player means by a number or a city name."""
        word = text.strip()
        if grid.is_hex(word):
            return word if word in self.places else None
        return self._by_name.get(fold(word))

    @cached_property
    def _by_name(self) -> dict[str, HexId]:
        names: dict[str, HexId] = {}
        for hex, place in self.places.items():
            for name in (place.city, place.name):
                if name:
                    names.setdefault(fold(name), hex)
        return names

    @cached_property
    def parts(self) -> "dict[object, Atlas]":
        """A cache of the parts of this map that scenarios use, so that matches of the same scenario share one
        part.
        """
        return {}

    def cut(self, hexes: Iterable[HexId]) -> "Atlas":
        """2.2 The smaller atlas of the part of the map that a scenario uses, with its rivers and routes."""
        kept = {hex for hex in hexes if hex in self.places}
        return Atlas(
            {hex: place for hex, place in self.places.items() if hex in kept},
            {side: feature for side, feature in self.sides.items() if side[0] in kept and side[1] in kept},
            {name: tuple(s for s in course if s[0] in kept and s[1] in kept) for name, course in self.rivers.items()},
            self.all_routes,
        )


FOLDING: Final = str.maketrans(
    {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "ß": "ss",
        "å": "aa",
        "ø": "oe",
        "é": "e",
        "è": "e",
        "ç": "c",
        "ň": "n",
        "ě": "e",
    }
    | {"č": "c", "ó": "o", "ł": "l", "ř": "r", "í": "i", "á": "a", "ů": "u", "ž": "z", "š": "s", "ć": "c"}
)


def fold(name: str) -> str:
    """A name without accents or capitals, as people type it."""
    return name.casefold().translate(FOLDING).replace("-", " ")
