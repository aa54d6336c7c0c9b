"""5.8.2 `[[take]]` in a scenario: a whole formation from `formations.toml`, with its units, weapons and batteries.

    5.8.2       expand_take: companies and headquarters become formations, platoons part of their company
    6.6.7.1     load: the units that start aboard others
    R-02        Places: the units' hexes

Units are numbered: `[[take]] id = "a"` gives formation `a` with the units a1, a2 and so on; its companies are `aa`,
`ab`, each with its own numbers. With `into` the units join a formation of the scenario instead; `count` takes several
of the same kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from string import ascii_lowercase
from typing import Any, Final

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.titles.panzer.cards.advanced_cards import AdvancedCards
from pbem.titles.panzer.cards.card_rows import Element, Formation

PLATOON: Final = "platoon"
STACK: Final = 3
"""How many vehicles and guns are placed in one hex unless `stack` says otherwise; six are overstacked (5.13)."""


class Places:
    """R-02 Hexes to fill one after another; for each card, only those in which it can be placed."""

    def __init__(self, hexes: Mapping[str, Sequence[Hex]]) -> None:
        self.hexes = hexes
        self.used: dict[Hex, int] = {}

    def next(self, card: str, stack: int) -> Hex | None:
        """The first hex with room, otherwise the least crowded one."""
        legal = self.hexes.get(card, ())
        free = next((hex for hex in legal if self.used.get(hex, 0) < stack), None)
        found = free or min(legal, key=lambda hex: self.used.get(hex, 0), default=None)
        if found is not None:
            self.used[found] = self.used.get(found, 0) + 1
        return found


class Taken:
    """The result of a `[[take]]`: rows as the author of a scenario could have written them."""

    def __init__(self) -> None:
        self.formations: list[dict[str, Any]] = []
        self.units: list[dict[str, Any]] = []
        self.batteries: list[dict[str, Any]] = []
        self.problems: list[str] = []


def expand_take(book: AdvancedCards, row: Mapping[str, Any], places: Places) -> Taken:
    """5.8.2 The rows of a formation and all its subordinates."""
    result = Taken()
    formation = book.formations[row["formation"]]
    if "into" in row:
        join(book, result, row, formation)
    else:
        add(book, result, row, formation, row["id"], row.get("name", formation.name), row.get("parent", ""))
    if row.get("mounted"):
        load(book, result)
    for unit in result.units:
        settle(book, unit, row, places, result)
    return result


def join(book: AdvancedCards, result: Taken, row: Mapping[str, Any], formation: Formation) -> None:
    """5.8.2 Add the units of a formation and its subordinates to another formation."""
    numbers, platoons = iter(range(1, 999)), iter(range(1, 99))
    for _ in range(row.get("count", 1)):
        for element in elements_of(book, formation):
            platoon = f"{row['id']}{next(platoons)}"
            for one in element:
                result.units += units_of(book, one, row, row["id"], platoon, numbers)
    for unit in result.units:
        unit["formation"] = row["into"]


def elements_of(book: AdvancedCards, formation: Formation) -> Iterator[Sequence[Element]]:
    """5.8.2 A formation's units, then those of each subordinate."""
    yield formation.units
    for below in formation.formations:
        for _ in range(below.count):
            yield from elements_of(book, book.formations[below.id])


def add(
    book: AdvancedCards,
    result: Taken,
    row: Mapping[str, Any],
    formation: Formation,
    id: str,
    name: str,
    parent: str,
) -> None:
    """5.8.2 Add one formation with its own units and platoons, then its subordinates."""
    given: dict[str, Any] = {"id": id, "side": row["side"], "name": name, "nation": formation.nation}
    given |= {"grade": row.get("grade", "seasoned"), **({"parent": parent} if parent else {})}
    if id == row["id"]:
        given |= {key: row[key] for key in ("cohesion", "level", "cohesion_modifier") if key in row}  # 7.1.1
    result.formations.append(given)
    numbers = iter(range(1, 999))
    platoons = iter(range(1, 99))
    for element in formation.units:
        result.units += units_of(book, element, row, id, "", numbers)
    for below in formation.formations:
        lower = book.formations[below.id]
        if lower.level == PLATOON:
            for _ in range(below.count):
                platoon = f"{id}{next(platoons)}"
                for element in lower.units:
                    result.units += units_of(book, element, row, id, platoon, numbers)
    letters = iter(ascii_lowercase)
    for below in formation.formations:
        lower = book.formations[below.id]
        if lower.level != PLATOON:
            for _ in range(below.count):
                letter = next(letters)
                add(book, result, row, lower, id + letter, f"{lower.name} {letter.upper()} of {name}", id)
    add_batteries(result, row, formation, id, name)


def units_of(
    book: AdvancedCards, element: Element, row: Mapping[str, Any], id: str, platoon: str, numbers: Iterator[int]
) -> Iterator[dict[str, Any]]:
    """5.8.2 The units of one card."""
    for _ in range(element.count):
        number = next(numbers)
        unit: dict[str, Any] = {"id": f"{id}{number}", "name": f"{name_of(book, element.card)} {id}{number}"}
        unit |= {"card": element.card, "formation": id}
        unit |= {"grade": row["grade"]} if "grade" in row else {}
        more = {"platoon": platoon, "labels": list(element.labels), "weapons": list(element.weapons)}
        more |= {key: row[key] for key in ("seat", "hidden") if key in row}
        yield unit | {key: value for key, value in more.items() if value}


def name_of(book: AdvancedCards, card: str) -> str:
    if card in book.vehicles:
        return book.vehicles[card].card.name
    return (book.towed[card] if card in book.towed else book.legs[card]).name


def add_batteries(result: Taken, row: Mapping[str, Any], formation: Formation, id: str, name: str) -> None:
    """6.5.1.3 Add the off-map batteries of a formation."""
    number = 0
    for support in formation.batteries:
        for _ in range(support.count):
            number += 1
            battery = {"id": f"{id}x{number}", "side": row["side"], "name": f"Battery {number} of {name}"}
            battery |= {"card": support.id, "formation": id, "attachment": support.attachment}
            more = {key: row[key] for key in ("registered_points", "planned_turns") if key in row}
            result.batteries.append({**battery, **more})


def load(book: AdvancedCards, result: Taken) -> None:
    """6.6.7.1 Guns and leg units start aboard their formation's transports, as far as there is room."""
    for formation in dict.fromkeys(unit["formation"] for unit in result.units):
        units = [unit for unit in result.units if unit["formation"] == formation]
        carriers = [unit for unit in units if is_transport(book, unit["card"])]
        room = {unit["id"]: book.vehicles[unit["card"]].transport[1] for unit in carriers}
        towing: set[str] = set()
        for gun in (unit for unit in units if unit["card"] in book.towed):
            needs = book.towed[gun["card"]].passenger.value
            carrier = next((one for one in carriers if one["id"] not in towing and fits(book, one, needs)), None)
            if carrier is not None:
                towing.add(carrier["id"])
                gun |= {"aboard": carrier["id"], "transport": carrier["id"]}
        free = [unit["id"] for unit in carriers if unit["id"] not in towing]
        for leg in (unit for unit in units if unit["card"] in book.legs):
            passenger = book.legs[leg["card"]].passenger
            found = next((id for id in free if passenger and room[id] >= passenger.value[1]), None)
            if found is not None and passenger is not None:
                room[found] -= passenger.value[1]
                leg |= {"aboard": found, "transport": found}


def is_transport(book: AdvancedCards, card: str) -> bool:
    """6.6.7.1 Whether a vehicle counts as a transport: it can tow guns. Tanks take riders only when ordered."""
    return card in book.vehicles and book.vehicles[card].transport[0] > 0


def fits(book: AdvancedCards, carrier: Mapping[str, Any], needs: tuple[int, int]) -> bool:
    has = book.vehicles[carrier["card"]].transport
    return all(want <= got for want, got in zip(needs, has, strict=True))


def settle(book: AdvancedCards, unit: dict[str, Any], row: Mapping[str, Any], places: Places, result: Taken) -> None:
    """R-02 Set where a unit starts: with its carrier, at an edge in a later turn, or in the next hex with room."""
    if "aboard" in unit:
        return
    if "turn" in row or "entry" in row:
        unit |= {key: row[key] for key in ("turn", "entry") if key in row}
        return
    hex = places.next(unit["card"], row.get("stack", STACK))
    if hex is None:
        result.problems.append(
            f"there is no place for {unit['id']} ({unit['card']}): give the formation hexes or an area."
        )
        return
    unit |= {"hex": hex_name(hex), "facing": row.get("facing", 1)}
    if "area" in row:
        unit["area"] = row["area"]
    if row.get("full_cover") and unit["card"] not in book.vehicles:  # 6.1.4.2
        unit["full_cover"] = True
