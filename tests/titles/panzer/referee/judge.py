"""The referee's own rulings on spotting, steps, AP and GP modifiers and command range, without chapter 7.

They follow either edition. Everything is computed from a state as plain data, the referee's map and the printed
tables; cards are read directly. Each function follows the rule it names sentence by sentence, without using the
title's code.
"""

from __future__ import annotations

from typing import Any

from titles.panzer.referee.ground import (
    COVER,
    STEPS,
    Map,
    Place,
    apart,
    off_ahead,
    on_line,
    rows,
    sees,
    step,
    toml,
    touches,
)

Unit = dict[str, Any]
MOVING = ("move", "short-halt")
OBSERVERS = {"fo", "recon", "chq", "bhq", "rhq"}

AP_LINE = {"on_fire": -5, "smoke_open": -3, "smoke_closed": -5, "barrage_open": -1, "barrage_closed": -3,
           "dust": -1, "brew_up": -2}  # fmt: skip
GP_LINE = {"on_fire": -20, "smoke_open": -10, "smoke_closed": -20, "barrage_open": -5, "barrage_closed": -10,
           "dust": -5, "brew_up": -10}  # fmt: skip
"""6.5.2.4, 6.5.4.3 The AP and the GP modifier for each kind of hindrance on the line of fire."""


class Referee:
    """The referee's judgement of one position."""

    def __init__(self, state: dict[str, Any], board: Any, book: Any, scenario: Any, edition: str = "2024") -> None:
        self.state, self.book, self.scenario, self.edition = state, book, scenario, edition
        desert = scenario.desert_buildings and edition == "2024"  # 4.1.4.1.3.1 is not in the 2016 book
        self.land = Map(board, state["features"], desert, edition)
        self.units: dict[str, Unit] = state["vehicles"]

    # --- where units are

    def place(self, unit: Unit) -> Place:
        return tuple(unit["hex"])

    def on_map(self, unit: Unit) -> bool:
        return unit["status"] == "on-map"

    def inside(self, unit: Unit) -> str:
        """6.1.4.3.1 Return the building a unit is in: leg units are always inside, others only by their marker."""
        if unit["aboard"] or not (unit["kind"] == "leg" or unit["inside"]):
            return ""
        return self.land.built(self.place(unit))

    def up(self, unit: Unit) -> int:
        if unit["inside"] != "up" or unit["aboard"] or not self.land.built(self.place(unit)):
            return 0
        storeys = self.land.storeys[self.place(unit)]
        return storeys if self.land.desert else storeys - 1

    def lies_in(self, unit: Unit) -> dict[str, Any]:
        feature = self.state["features"].get(unit["position"], {}) if unit["position"] else {}
        return feature if feature and tuple(feature["hex"]) == self.place(unit) else {}

    def crowded(self, unit: Unit) -> bool:
        """5.13 Return whether the hex of a vehicle or gun holds six or more of them."""
        here = [o for o in self.units.values() if self.on_map(o) and not o["aboard"] and o["hex"] == unit["hex"]]
        return unit["kind"] != "leg" and sum(other["kind"] != "leg" for other in here) >= 6

    def cover(self, unit: Unit, column: str) -> str:
        """4.1.3, 4.4.3.2.2, 6.5.4.2.2 Return a unit's cover from the column spotting, ap or gp."""
        inner = "spotting" if column == "spotting" else "combat"
        counters = rows("advanced_terrain", "feature")
        if self.lies_in(unit).get("type") == "improved_position":
            return counters["improved_position"][inner]
        if self.crowded(unit):
            return "none"
        if self.inside(unit):
            if self.up(unit) and self.land.desert:
                return counters["rooftop"][inner]
            return rows("advanced_terrain", "interior")[self.inside(unit)][inner]
        table = rows("advanced_terrain" if column == "gp" else "terrain", "terrain")
        names = self.land.terrain[self.place(unit)]
        under = [
            n for n in names if "bridge" in names and (n == "water" or rows("terrain", "terrain")[n]["height"] < 0)
        ]
        found = [table[name][column] for name in names if name not in under]  # 4.1.4.1.6: not on a bridge
        for feature in self.land.features:
            if tuple(feature["hex"]) == self.place(unit) and "rubble" in feature["type"]:
                found.append(counters[feature["type"]][inner])
            if tuple(feature["hex"]) == self.place(unit) and feature["type"] == "block" and unit["kind"] == "leg":
                found.append(counters["block"][inner])
        return max((name for name in found if name in COVER), key=COVER.index, default="none")

    # --- 6.1 spotting

    def can_spot(self, unit: Unit) -> bool:
        if not self.on_map(unit):
            return False
        if unit["kind"] != "vehicle":
            return True
        armed = bool(self.book.vehicles[unit["card"]].mounts) or bool(OBSERVERS & set(unit["labels"]))
        return armed and not unit["bailed_out"]

    def spots(self, spotter: Unit, target: Unit) -> bool:
        """6.1 Return whether one unit spots another, with the markers of earlier turns."""
        if not self.can_spot(spotter) or not self.on_map(target) or target["aboard"]:
            return False
        net = {"none": 0, "light": -1, "medium": -2, "heavy": -3}[self.cover(target, "spotting")]
        net += {"": 0, "move": 2, "fire": 1 if target["small_arms"] else 3}[target["spot"]]
        net -= 2 * target["full_cover"] + 4 * spotter["full_cover"] + 2 * (spotter["suppression"] != "")
        column = "V" if target["kind"] == "vehicle" else self.size(target)
        table = {row["net"]: row[column][0] for row in toml("spotting")["row"]}
        here, there = self.place(spotter), self.place(target)
        if apart(here, there) > table[max(-5, min(2, net))]:
            return False
        if spotter["suppression"] and here != there and not self.ahead(spotter, there):
            return False
        return sees(self.land, here, there, self.up(spotter), self.up(target))

    def size(self, unit: Unit) -> str:
        if unit["kind"] == "vehicle" or unit["aboard"]:
            return "V"
        return "L" if unit["kind"] == "towed" and self.book.towed[unit["card"]].size.value == "L" else "S"

    def ahead(self, unit: Unit, there: Place) -> bool:
        """6.1.3.1 Return whether a hex is in the front field, or in the rear field of a rear-mounted weapon."""
        carrier = self.units[unit["aboard"]] if unit["aboard"] else unit
        facing = carrier["facing"]
        mounts = self.book.vehicles[unit["card"]].mounts if unit["kind"] == "vehicle" else ()
        if mounts and mounts[0].weapon.field == "rear":
            facing = (facing + 2) % 6 + 1
        return off_ahead(self.place(unit), there, facing) <= 30 + 1e-6

    # --- 4.5.1.1.2 a step

    def traction(self, unit: Unit) -> str:
        if unit["kind"] == "vehicle":
            return self.book.vehicles[unit["card"]].card.traction
        return "towed" if unit["kind"] == "towed" else "L"

    def cost(self, unit: Unit, direction: int) -> int | str:
        """R-14 Return the cost of the next hex: terrain or link, hexside, levels, smoke; the cost is
        `P` if the hex is closed."""
        here = self.place(unit)
        there, mode = step(here, direction), self.traction(unit)
        side = frozenset((here, there))
        link = self.land.links.get(side)
        if not link and "bridge" in (*self.land.terrain[here], *self.land.terrain[there]):
            return "P"  # 4.5.1.1.6
        table = rows("terrain" if mode in "THW" else "advanced_terrain", "terrain")
        interior = rows("advanced_terrain", "interior").get(self.land.built(there))
        cells = [table[name][mode] for name in self.land.terrain[there]]
        if mode == "L" and interior:
            cells = [interior["L"], *(table[n]["L"] for n in self.land.terrain[there] if not n.endswith("_building"))]
        lying = self.counters_cost(there, mode)
        worst = max([*([1] if link else cells), *lying], key=lambda cell: 99 if cell == "P" else cell)
        total = [worst, *self.sides_cost(side, mode, link or "")]
        wreck = self.state["wrecks"].get(self.name(there))
        total += [1] if wreck and wreck["brewed_up"] else []
        if "P" in total:
            return "P"
        return "whole" if "whole" in total else sum(total)

    def sides_cost(self, side: frozenset[Place], mode: str, link: str) -> list[Any]:
        """4.5.1.1.2 Return the cost of hexside and levels; a link passes walls and cliffs, but levels still cost."""
        here, there = side
        climbed = abs(self.land.levels[here] - self.land.levels[there])
        limit = {"T": 2, "H": 2, "W": 1, "L": 1, "towed": 1}[mode]
        table = rows("terrain" if mode in "THW" else "advanced_terrain", "hexside")
        less = int(link in ("road", "path"))  # 4.5.1.1.5
        found: list[Any] = [] if not climbed else ["P"] if climbed > limit else [climbed - less]
        for kind in self.land.sides.get(side, ()):
            if kind == "crest" and climbed:
                continue  # the change of level is paid
            if not link:
                closed = (mode, kind, self.edition) == ("towed", "hedgerow", "2016")  # 6.6.5
                found.append("P" if closed else table[kind][mode])
            elif kind == "crest":
                found.append(max(0, table[kind][mode] - less))
        return found

    def counters_cost(self, there: Place, mode: str) -> list[Any]:
        """6.1.4.3 Return the cost of the counters in the hex for this kind of traction."""
        table = rows("advanced_terrain", "feature")
        types = [feature["type"] for feature in self.land.features if tuple(feature["hex"]) == there]
        cells = [table[type][mode] for type in types if type in table and type != "ditch"]
        ground = rows("terrain" if mode in "THW" else "advanced_terrain", "terrain")
        cells += [ground["ditch"][mode] for type in types if type == "ditch"]  # dug across a road it closes that too
        return [cell for cell in cells if cell != "other"]

    def name(self, place: Place) -> str:
        letters = chr(ord("A") + (place[0] - 1) % 26) * ((place[0] - 1) // 26 + 1)
        return f"{letters}{(place[1] - place[0] % 2) // 2}"

    # --- 5.11 what lies on a line of fire

    def hindered(self, a: Place, b: Place, values: dict[str, int]) -> int:
        """6.5.2.4 Return the sum of the hindrances on a line: the largest in each hex, and each source once."""
        kept: dict[str, int] = {}
        line = [a] if a == b else [a, *on_line(a, b, self.land.terrain), b]
        for place in line:
            found: list[tuple[int, str]] = []
            for feature in self.land.features:
                if tuple(feature["hex"]) == place and feature["type"] == "on_fire" and not feature["fresh"]:
                    found.append((values["on_fire"], f"fire {place}"))
            for id, cloud in self.state["clouds"].items():
                if cloud["type"] == "light" or cloud["fresh"] or list(place) not in [list(h) for h in cloud["hexes"]]:
                    continue
                kind = (
                    "dust" if cloud["type"] == "dust" else f"{cloud['type']}_{'open' if cloud['open'] else 'closed'}"
                )
                found.append((values[kind], f"dust {place}" if kind == "dust" else id))
            wreck = self.state["wrecks"].get(self.name(place))
            if wreck and wreck["brewed_up"] and not wreck["fresh"]:
                found.append((values["brew_up"], f"wreck {place}"))
            if found:
                worst = min(value for value, _ in found)
                value, source = min((value, source) for value, source in found if value == worst)
                kept.setdefault(source, value)
        return sum(kept.values())

    def counter(self, unit: Unit) -> Unit:
        holder = self.units[unit["aboard"]] if unit["aboard"] else unit
        return self.units[holder["shares"]] if holder["shares"] else holder

    def known_to_move(self, unit: Unit) -> bool:
        counter = self.counter(unit)
        shown = counter["revealed"] or counter["shown"]
        return counter["command"] in MOVING and shown and not self.crawls(unit)

    def crawls(self, unit: Unit) -> bool:
        return unit["kind"] == "leg" and unit["full_cover"] and self.counter(unit)["command"] == "move"

    def ap_net(self, firer: Unit, target: Unit, column: str) -> int:
        """4.4.3.2.2, 6.5.2.4 Return the net modifier of one weapon fired alone, with unlimited ammunition."""
        here, there = self.place(firer), self.place(target)
        net = self.book.vehicles[target["card"]].card.size
        net += {"none": 0, "light": -1, "medium": -3, "heavy": -5}[self.cover(target, "ap")]
        net -= 2 * self.known_to_move(target)
        net -= 4 * (self.counter(firer)["command"] == "short-halt" and not firer["aboard"])
        net -= 3 * (firer["damage"] in ("turret", "whole")) + 5 * (firer["suppression"] != "")
        net -= 2 * bool(firer["aboard"])
        net -= 3 * (self.scenario.heat_haze and apart(here, there) >= 8)
        grade = rows("unit_grades", "grade")[firer["grade"]]["ap"][column][0]
        return net + self.hindered(here, there, AP_LINE) + grade + self.sun(here, there, "ap")

    def gp_net(self, firer: Unit, target: Unit, column: str) -> int:
        """6.5.4.3 Return the net modifier of direct fire with a single weapon, without ammo limits."""
        here, there = self.place(firer), self.place(target)
        net = self.hindered(here, there, GP_LINE)
        if target["kind"] == "vehicle":
            type_ = self.book.vehicles[target["card"]].type
            net += {"A": -20, "P": -10, "S": 0}[type_] - 10 * self.known_to_move(target)
            net += {"none": 0, "light": 0, "medium": -10, "heavy": -20}[self.cover(target, "gp")]
        else:
            type_ = "S"
            net += (
                self.book_2016(target)
                + 10 * self.crawls(target)
                - 10 * self.behind_wall(here, there)
                - 10 * self.entrenched(target)
            )
        net -= 15 * (self.counter(firer)["command"] == "short-halt" and not firer["aboard"])
        net -= 10 * (firer["damage"] in ("turret", "whole")) + 20 * (firer["suppression"] != "")
        net -= 10 * bool(firer["aboard"])
        limit = {"V": 8, "L": 5, "S": 3}[self.size(target)]
        net -= 10 * (self.scenario.heat_haze and apart(here, there) >= limit)
        coax = firer["kind"] == "vehicle" and "coax" in self.book.vehicles[firer["card"]].notes
        net += 10 * (coax and column == "P" and type_ in "PS")
        grade = rows("unit_grades", "grade")[firer["grade"]]["gp"][column][0]
        return net + grade + self.sun(here, there, "gp")

    def book_2016(self, target: Unit) -> int:
        """6.5.4.3 Return the modifiers for cavalry and for units on a railroad, which only the 2016 book has."""
        if self.edition == "2024":
            return 0
        rides = target["kind"] == "leg" and self.book.legs[target["card"]].mount == "cavalry"
        return 10 * rides - 5 * ("railroad" in self.land.terrain[self.place(target)])

    def sun(self, here: Place, there: Place, column: str) -> int:
        """6.1.4.3.13 Return the scenario's modifier if the line, extended, leaves the map towards the sun (A-86)."""
        sun = self.scenario.sun
        if sun is None or here == there:
            return 0
        du, dv = 3 * (there[0] - here[0]), there[1] - here[1]
        us, vs = [3 * place[0] for place in self.land.levels], [place[1] for place in self.land.levels]
        ways = []
        if du:
            ways.append((((max(us) + 2 if du > 0 else min(us) - 2) - 3 * here[0]) / du, "east" if du > 0 else "west"))
        if dv:
            ways.append((((max(vs) + 1 if dv > 0 else min(vs) - 1) - here[1]) / dv, "south" if dv > 0 else "north"))
        first = min(way for way, _ in ways)
        met = [edge for way, edge in ways if abs(way - first) < 1e-9]
        return getattr(sun, column) if sun.edge in met else 0

    def behind_wall(self, here: Place, there: Place) -> bool:
        """6.1.4.3.2 Return whether the line crosses or follows a wall or defilade of the target's hex."""
        for way in STEPS:
            other = step(there, way)
            kinds = self.land.sides.get(frozenset((there, other)), ())
            if self.walls & set(kinds) and here != there and self.meets(here, there, other):
                return True
        return False

    @property
    def walls(self) -> set[str]:
        return {"wall", "defilade"} if self.edition == "2024" else {"wall"}

    def meets(self, here: Place, there: Place, other: Place) -> bool:
        return (other == here or other in on_line(here, there, self.land.terrain)) and touches(
            here, there, there, other
        )

    def entrenched(self, unit: Unit) -> bool:
        feature = self.lies_in(unit)
        return feature.get("type") == "hasty_entrenchment" and feature["stage"] >= 4

    def command_range(self, formation: str) -> int:
        """6.2.1.1.2 Return the command range for the formation's grade."""
        grade = self.scenario.formations[formation].grade
        return rows("unit_grades", "grade")[grade]["command_range"]
