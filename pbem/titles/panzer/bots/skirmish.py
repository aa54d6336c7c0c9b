"""Random skirmishes: small set-ups that soon exercise as many rules as possible.

    skirmish   two nations at close quarters somewhere on a map, for a few turns, with all kinds of units and ground
    repair_setup     a set-up with its mistakes removed

The mixture is a matter of taste, not rules. Anything that the rules in use or the terrain do not allow is removed
again, using the same checks as for a player's scenario.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from pbem.engine.geometry.hexes import Hex, distance, hex_name
from pbem.engine.play.bots import Choice
from pbem.titles.data_files import DataError
from pbem.titles.panzer.data_set import PanzerData

SIDES: Final = ("axis", "allied")
NATIONS: Final = {"axis": ("german", "german", "italian"), "allied": ("british", "us", "soviet")}
GRADES: Final = ("elite", "veteran", "seasoned", "regulars", "green")
LEVELS: Final = ("Superb", "Outstanding", "Superior", "Excellent", "Good", "Adequate", "Level 3", "Level 2", "Poor")
DATES: Final = ("1941-08", "1942-03", "1942-11", "1943-07", "1944-06", "1945-02")
FEATURES: Final = (
    "block",
    "ditch",
    "wire",
    "improved_position",
    "hasty_entrenchment",
    "hasty_mines",
    "deliberate_mines",
    "wood_rubble",
    "brick_rubble",
    "on_fire",
)
REACH: Final = 3
"""The maximum distance from its side's centre at which a unit starts."""
TABLES: Final = {"unit": "units"}
"""The name of a list of rows, where it differs from the name used in error messages."""
NEEDED: Final = ("hex", "hexes", "facing", "card")
"""Keys that a row cannot do without."""
TRIES: Final = 12
"""How often a set-up is repaired before giving up."""

Check = Callable[[bytes], object]
"""Raises a `DataError` for a set-up that cannot be played."""


def skirmish(data: PanzerData, map_name: str, choice: Choice, check: Check) -> bytes:
    """2.0 A random set-up on the map in this data."""
    return repair_setup(Muster(data, choice).scenario(map_name), check)


class Muster:
    """Sets up both sides."""

    def __init__(self, data: PanzerData, choice: Choice) -> None:
        self.data, self.book, self.board, self.choice = data, data.book, data.board, choice
        self.nations = {side: choice.one_of(NATIONS[side]) for side in SIDES}
        first, second = self.middles()
        self.zones = {"axis": self.around(first), "allied": self.around(second)}
        self.ground = list(dict.fromkeys((*self.zones["axis"], *self.zones["allied"])))

    def chance(self, of: int) -> bool:
        return self.choice.below(of) == 0

    def middles(self) -> tuple[Hex, Hex]:
        """Two hexes some distance apart, often at a feature worth fighting for."""
        places = [hex for hexes in self.board.places.values() for hex in hexes]
        first = self.choice.one_of(places if places and self.choice.below(3) else self.board.hexes)
        near = [hex for hex in self.board.hexes if 2 <= distance(first, hex) <= 2 + 2 * REACH]
        return first, self.choice.one_of(near)

    def around(self, middle: Hex) -> list[Hex]:
        return [hex for hex in self.board.hexes if distance(middle, hex) <= REACH]

    def scenario(self, map_name: str) -> dict[str, Any]:
        turns = 2 + self.choice.below(3)
        flying = self.choice.one_of((*SIDES, ""))
        return {
            "name": "A skirmish",
            "edition": self.data.edition,
            "map": map_name,
            "turns": turns,
            "advanced": self.advanced_section(flying),
            "conditions": self.conditions(),
            "side": [self.side(side) for side in SIDES],
            "formation": [row for side in SIDES for row in self.formations(side)],
            "battery": [row for side in SIDES for row in self.batteries(side)],
            "aircraft": [self.aircraft(flying)] if flying else [],
            "feature": list(self.features()),
            "objective": [self.objective(side) for side in SIDES],
            "victory": {"eliminated": "points", "levels": [{"lead": 1, "name": "a victory"}]},
        }

    def advanced_section(self, flying: str) -> dict[str, Any]:
        found: dict[str, Any] = {
            "date": self.choice.one_of(DATES),
            "force_grades": {side: self.choice.one_of(GRADES) for side in SIDES},
            "heat_haze": self.chance(4),
        }
        found |= {"air_superiority": flying} if flying else {}
        if self.data.edition == "2024":
            sun = {"edge": self.choice.one_of(("east", "west")), "ap": -1, "gp": -5}
            found |= {"dust": self.chance(2), "desert_buildings": self.chance(2)}
            found |= {"sun": sun} if self.chance(4) else {}
        return found

    def conditions(self) -> dict[str, Any]:
        """7.0 Inputs for the optional rules; `repair_setup` removes those not in use."""
        roads = [hex_name(hex) for hex in self.ground if self.board.links(hex)]
        offered: dict[str, Any] = {
            "spotting": -1 - self.choice.below(3),
            "caution": self.choice.one_of(("none", "limited", "extreme")),
            "ground": self.choice.one_of(("snow", "mud")),
            "streams": self.choice.one_of(("frozen", "flooded", "impassable")),
            "ice": 5 + self.choice.below(40),
            "bridges": 5 + self.choice.below(40),
            "bog": {"clear": 20, "woods": 30},
            "own_mines": True,
            "narrow": ["bridges", "woods", "buildings"],
            "narrow_hexes": roads[:4],
            "sunken_roads": roads[4:7],
            "tungsten": self.choice.one_of(("+1", "+2", "banned")),
            "counter_battery": dict.fromkeys(SIDES, 1),
            "hidden_counters": dict.fromkeys(SIDES, 3 + self.choice.below(6)),
            "command_span": {side: {"chq": 2, "bhq": 3, "rhq": 3} for side in SIDES},
            "burning_woods": {"woods": "wood_building"},
        }
        return {key: value for key, value in offered.items() if value and self.chance(2)}

    # --- sides -------------------------------------------------------------------------------------------------

    def side(self, side: str) -> dict[str, Any]:
        zone = self.zones[side]
        areas = {f"zone-{side}": [hex_name(hex) for hex in zone]}
        return {"id": side, "name": side, "units": list(self.units(side)), "areas": areas}

    def formations(self, side: str) -> Iterator[dict[str, Any]]:
        """5.8.2, 7.1, 7.52 A company in a battalion in a regiment."""
        above = ""
        for letter in ("r", "h", "c"):
            row: dict[str, Any] = {
                "id": letter + side[:2],
                "side": side,
                "name": f"{letter} {side}",
                "nation": self.nations[side],
                "grade": self.choice.one_of(GRADES),
            }
            row |= {"parent": above} if above else {}
            level = {"level": self.choice.one_of(LEVELS)}
            row |= self.choice.one_of(({}, {"cohesion": 2 + self.choice.below(6)}, level))
            yield row
            above = row["id"]

    def units(self, side: str) -> Iterator[dict[str, Any]]:
        """5.1-5.9 Headquarters, tanks, infantry with weapons, guns, and carriers with their passengers."""
        nation, mark = self.nations[side], side[:2]
        vehicles = [id for id, card in self.book.vehicles.items() if card.nation == nation]
        carriers = [id for id in vehicles if any(self.book.vehicles[id].transport)]
        squads = [id for id, card in self.book.legs.items() if card.nation == nation and card.size != "section"]
        guns = [id for id, card in self.book.towed.items() if card.nation == nation]
        arms = [id for id, arm in self.book.attached.items() if arm.nation == nation]
        section = f"{nation}_section"
        company = f"c{mark}"
        yield self.unit(side, f"{mark}1", section, company, labels=["chq", *(["fo"] if self.chance(3) else [])])
        yield self.unit(side, f"{mark}2", section, company, labels=["fo"])
        yield self.unit(side, f"{mark}3", self.choice.one_of((section, *vehicles)), f"h{mark}", labels=["bhq"])
        if self.chance(2):
            yield self.unit(side, f"{mark}4", section, f"r{mark}", labels=["rhq"])
        number = 5
        for _ in range(2 + self.choice.below(4)):
            labels = self.choice.one_of((["recon"], ["chq"], ["recon", "chq"])) if self.chance(3) else []
            yield self.unit(side, f"{mark}{number}", self.choice.one_of(vehicles), company, labels=labels)
            number += 1
        for _ in range(2 + self.choice.below(4)):
            labels = [self.choice.one_of(("engineer", "recon"))] if self.chance(3) else []
            yield self.unit(side, f"{mark}{number}", self.choice.one_of(squads), company, labels=labels)
            number += 1
        for _ in range(1 + self.choice.below(3)):
            yield self.unit(side, f"{mark}{number}", section, company, weapons=[self.choice.one_of(arms)])
            number += 1
        for card in [self.choice.one_of(guns) for _ in range(self.choice.below(3))]:
            yield self.unit(side, f"{mark}{number}", card, company)
            number += 1
        for _ in range(1 + self.choice.below(2)):
            carrier, rider = f"{mark}{number}", f"{mark}{number + 1}"
            yield self.unit(side, carrier, self.choice.one_of(carriers), company)
            row = {"id": rider, "name": rider, "card": self.choice.one_of((*squads, *guns)), "formation": company}
            yield row | {"aboard": carrier, "transport": carrier}
            number += 2

    def unit(self, side: str, id: str, card: str, formation: str, **more: Any) -> dict[str, Any]:
        """A unit somewhere in its zone, occasionally in a state that normally arises only later."""
        row: dict[str, Any] = {"id": id, "name": id, "card": card, "formation": formation}
        row |= {"platoon": f"p{self.choice.below(3)}"}
        row |= {"hex": hex_name(self.choice.one_of(self.zones[side])), "facing": 1 + self.choice.below(6)}
        row |= {key: value for key, value in more.items() if value}
        offered: tuple[tuple[str, Any, int], ...] = (
            ("area", f"zone-{side}", 3),
            ("grade", self.choice.one_of(GRADES), 4),
            ("full_cover", True, 4),
            ("hull_down", self.choice.one_of(("hd", "phd")), 4),
            ("inside", self.choice.one_of(("building", "up")), 2),
            ("suppressed", True, 6),
            ("damaged", card in self.book.vehicles, 8),
            ("hidden", True, 3),
            ("camouflaged", True, 3),
        )
        return row | {key: value for key, value, of in offered if self.chance(of)}

    # --- support and ground ------------------------------------------------------------------------------------

    def batteries(self, side: str) -> Iterator[dict[str, Any]]:
        mark = side[:2]
        cards = [id for id in self.book.batteries if id.startswith(self.nations[side])]
        for number in range(1, 2 + self.choice.below(2)):
            yield {
                "id": f"b{mark}{number}",
                "side": side,
                "name": f"Battery {mark} {number}",
                "formation": f"c{mark}",
                "card": self.choice.one_of(cards),
                "attachment": self.choice.one_of(("organic", "attached")),
                "registered_points": self.choice.below(3),
                "planned_turns": self.choice.below(3),
                "counter": self.chance(4),
                "self_propelled": self.chance(3),
                "vp": 5,
            }

    def aircraft(self, side: str) -> dict[str, Any]:
        cards = [id for id, card in self.book.aircraft.items() if card.nation == self.nations[side]]
        row = {"id": "air1", "side": side, "name": "Air 1", "card": self.choice.one_of(cards)}
        return row | {"grade": self.choice.one_of(GRADES)}

    def features(self) -> Iterator[dict[str, Any]]:
        for number in range(1, 3 + self.choice.below(6)):
            row: dict[str, Any] = {
                "id": f"x{number}",
                "type": self.choice.one_of(FEATURES),
                "hexes": [hex_name(self.choice.one_of(self.ground))],
            }
            if row["type"] in ("block", "wire"):
                row["defence"] = 2 + self.choice.below(4)
            if "mines" in row["type"] or row["type"] in ("improved_position", "hasty_entrenchment"):
                row["side"] = self.choice.one_of(SIDES)
                row["hidden"] = self.chance(2)
                place = hex_name(self.choice.one_of(self.zones[row["side"]]))
                row |= {"area": f"zone-{row['side']}", "hexes": [place]} if self.chance(2) else {}
            if "mines" in row["type"] and self.chance(2):
                row["of"] = self.choice.one_of(("personnel", "vehicles", "both"))
            yield row

    def objective(self, side: str) -> dict[str, Any]:
        """3.6 An objective in the centre of the other side's zone."""
        other = SIDES[1 - SIDES.index(side)]
        middle = self.zones[other][len(self.zones[other]) // 2]
        return {"id": f"o{side[:2]}", "name": f"Goal {side}", "hexes": [hex_name(middle)], "vp": {side: 40}}


# --- repairing a set-up ----------------------------------------------------------------------------------------


def repair_setup(scenario: dict[str, Any], check: Check) -> bytes:
    """2.0 Remove the mistakes from a set-up: first the keys that an error names, then whole rows."""
    for _ in range(TRIES):
        content = to_toml(scenario)
        try:
            check(content)
        except DataError as error:
            for mistake in error.mistakes:
                take_out(scenario, mistake.where)
        else:
            return content
    raise ValueError(f"no skirmish: {content.decode()}")


def take_out(scenario: dict[str, Any], where: str) -> None:
    """Remove the key that an error names, e.g. `unit g1, hidden`, or the whole row if it names no key."""
    here: Any = scenario
    *names, last = [name.partition(" ")[::2] for name in where.split(", ")]
    for kind, id in names:
        found = here.get(TABLES.get(kind, kind), {})
        here = next((row for row in found if row["id"] == id), {}) if id else found
        if not isinstance(here, dict):
            return
    kind, id = last
    if kind in NEEDED:
        take_out(scenario, where.rpartition(", ")[0])
        return
    if not id:
        here.pop(kind, None)
        return
    rows = here.get(TABLES.get(kind, kind), [])
    rows[:] = [row for row in rows if id not in (row["id"], row.get("aboard"))]


def to_toml(table: Mapping[str, Any]) -> bytes:
    """Write TOML, every table on one line."""
    return "".join(f"{key} = {value_of(value)}\n" for key, value in table.items()).encode()


def value_of(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {value_of(one)}" for key, one in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(value_of(one) for one in value) + "]"
    return json.dumps(value)
