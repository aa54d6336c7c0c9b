"""4.5, 6.6 Moves where the books differ, each played by both, numbered as in the comparison of the books."""

from __future__ import annotations

from typing import Any

import pytest
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank
from titles.panzer.editions.pairs import at, by_both, far, levels, row, tell

from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.state import Battery, Damage, Inside, Unit

SQUAD, RIDERS = "german_rifle_squad", "german_motorcycle_squad"
ROAD = {"links": {"road": ["C10-C9-C8-C7-C6-C5"]}}


def moved(edition: Edition, orders: str, unit: Unit, *others: Unit, **more: Any) -> Any:
    return tell(edition, orders, unit, *others, far(), of=at(unit.id), **more)


def along_a_road_past_an_abandoned_vehicle(edition: Edition) -> Any:
    left = a_tank("g2", "C8", "pz4h", bailed_out=True)
    return moved(edition, "g1 road C6", a_tank("g1", "C10", "pz4h"), left, board=ROAD)


def along_a_road_past_riders(edition: Edition) -> Any:
    riders = a_leg("g2", "C8", RIDERS)
    return moved(edition, "g1 road C6\ng2 hold", a_tank("g1", "C10", "pz4h"), riders, board=ROAD)


def along_a_road_past_a_squad(edition: Edition) -> Any:
    return moved(edition, "g1 road C6\ng2 hold", a_tank("g1", "C10", "pz4h"), a_leg("g2", "C8", SQUAD), board=ROAD)


def a_portee_unloads(edition: Edition) -> Any:
    truck = a_tank("g1", "C9", "portee_2pdr")
    return tell(edition, "g1 hold unload", truck, far(), of=lambda turn: sorted(turn.state.vehicles))


def an_anti_aircraft_vehicle_enters_a_building(edition: Edition) -> Any:
    dice = {"6.6.3": 100}
    return moved(edition, "g1 move f-in", a_tank("g1", "C9", "ab41"), board={"signs": {"C8": "B"}}, dice=dice)


def a_tiger_enters_a_building(edition: Edition) -> Any:
    """The Tiger's gun is that of the Flak 36, but the Tiger is not an anti-aircraft vehicle."""
    dice = {"6.6.3": 100}
    return moved(edition, "g1 move f-in", a_tank("g1", "C9", "tiger1"), board={"signs": {"C8": "B"}}, dice=dice)


def a_track_is_hit_at_the_wall(edition: Edition) -> Any:
    dice = {"6.6.3": 1}
    return moved(edition, "g1 move f-in", a_tank("g1", "C9", "pz4h"), board={"signs": {"C8": "B"}}, dice=dice)


def quickly_through_brush(edition: Edition) -> Any:
    return moved(edition, "g1 quick C7", a_leg("g1", "C9", SQUAD), board={"signs": {"C8": ",", "C7": ","}})


def quickly_through_crops(edition: Edition) -> Any:
    return moved(edition, "g1 quick C7", a_leg("g1", "C9", SQUAD), board={"signs": {"C8": "c", "C7": "c"}})


def quickly_over_clear_ground(edition: Edition) -> Any:
    return moved(edition, "g1 quick C7", a_leg("g1", "C9", SQUAD))


def a_gun_into_a_building(edition: Edition) -> Any:
    """In both books the gun may enter the alley of a building hex, but never the building itself."""

    def told(turn: Any) -> Any:
        return at("g1")(turn), turn.state.vehicles["g1"].inside

    return tell(edition, "g1 walk 1", a_gun("g1", "C9", "pak38"), far(), of=told, board={"signs": {"C8": "B"}})


def a_gun_across(hexside: str) -> Any:
    def situation(edition: Edition) -> Any:
        return moved(edition, "g1 walk 1", a_gun("g1", "C9", "pak38"), board={"hexsides": {hexside: ["C9:1"]}})

    situation.__name__ = f"a_gun_across_a_{hexside}"
    return situation


def riders_across(hexside: str) -> Any:
    def situation(edition: Edition) -> Any:
        return moved(edition, "g1 move f", a_leg("g1", "C9", RIDERS), board={"hexsides": {hexside: ["C9:1"]}})

    situation.__name__ = f"riders_across_a_{hexside}"
    return situation


def a_search_in_a_barrage(edition: Edition) -> Any:
    def told(turn: Any) -> bool:
        return any(finding.inputs.get("unit") == "g1" for finding in turn.of("6.6.6"))

    battery = Battery(id="sb1", name="sb1", side="soviet", card="soviet_medium", formation="soviet")
    observer = a_leg("s1", "C14", "soviet_section", labels=("fo",))
    return tell(
        edition,
        "g1 search hull-down",
        a_tank("g1", "C9", "pz4h"),
        observer,
        of=told,
        board={"signs": {"C9": "^"}},
        batteries={"sb1": battery},
        others="s1 overwatch\ns1 call sb1 at C9 closed",
        dice={"6.5.1": 10},
    )


def two_levels_up(edition: Edition) -> Any:
    """6.6.4.5: cavalry of the 2016 book climbs two levels; a squad climbs only one in either book."""
    board = {"levels": levels(C8=2), "hexsides": {"slope": ["C9:1"]}}
    card = "soviet_cavalry_squad" if edition == "2016" else "soviet_rifle_squad"
    rider = a_leg("s1", "C9", card)
    return tell(edition, "s1 walk 1", rider, of=at("s1"), board=board, sides=("soviet", "german"))


def a_squad_two_levels_up(edition: Edition) -> Any:
    board = {"levels": levels(C8=2), "hexsides": {"slope": ["C9:1"]}}
    return moved(edition, "g1 walk 1", a_leg("g1", "C9", SQUAD), board=board)


def a_tank_into_heavy_woods(edition: Edition) -> Any:
    return moved(edition, "g1 move C8", a_tank("g1", "C9", "pz4h"), board={"signs": {"C8": "X"}})


def a_tank_into_heavy_woods_by_road(edition: Edition) -> Any:
    board = {"signs": {"C8": "X"}, "links": {"road": ["C9-C8"]}}
    return moved(edition, "g1 move C8", a_tank("g1", "C9", "pz4h"), board=board)


def a_hit_turret_and_the_movement(edition: Edition) -> Any:
    """Row 22: in the 2024 book a hit on the turret does not reduce movement."""
    tank = a_tank("g1", "C9", "pz4h", damage=Damage.TURRET if edition == "2024" else Damage.WHOLE)
    return moved(edition, "g1 move C6", tank)


def a_manned_roof(edition: Edition) -> Any:
    """Row 3: the flat roof of a desert building, which a scenario of the 2024 book allows."""
    on = {"desert_buildings": edition == "2024"}

    def told(turn: Any) -> Any:
        return turn.state.vehicles["g1"].inside

    board = {"signs": {"C9": "b"}}
    unit = a_leg("g1", "C9", SQUAD)
    return tell(
        edition,
        "g1 up",
        unit,
        far(),
        of=told,
        board=board,
        scenario={"switches": on, "desert_buildings": edition == "2024"},
    )


ROWS = [
    row(2, a_tank_into_heavy_woods, ["4.5.1.1.2/prohibited"], ["4.5.1.1.2"]),
    row(2, a_tank_into_heavy_woods_by_road, "C8", "C8"),
    row(3, a_manned_roof, Inside.UP, ["6.1.4.3.1"]),
    row(7, along_a_road_past_an_abandoned_vehicle, ["4.5.1.1.5"], "C6"),
    row(9, along_a_road_past_riders, ["4.5.1.1.5"], ["4.5.1.1.5"]),
    row(9, along_a_road_past_a_squad, "C6", "C6"),
    row(9, two_levels_up, ["6.6.4.1/height"], "C8"),
    row(9, a_squad_two_levels_up, ["6.6.4.1/height"], ["6.6.4.1/elevation-limit"]),
    row(12, a_portee_unloads, ["g1", "g1-gun", "s9"], ["5.2.1"]),
    row(16, a_gun_across("wall"), ["6.6.5"], ["6.6.5"]),
    row(16, a_gun_across("defilade"), ["6.6.5"], ["6.6.5"]),
    row(16, a_gun_across("hedgerow"), "C8", ["6.6.5"]),
    row(16, riders_across("wall"), ["6.6.4.4"], ["6.6.4.4"]),
    row(16, riders_across("hedgerow"), ["6.6.4.4"], ["6.6.4.4"]),
    row(22, a_hit_turret_and_the_movement, "C6", ["4.5.1.1.1"]),
    row(28, a_tiger_enters_a_building, "C8", "C8"),
    row(28, a_track_is_hit_at_the_wall, "C8", "C9"),
    row(29, quickly_through_brush, ["6.6.4.1"], "C7"),
    row(29, quickly_through_crops, ["6.6.4.1"], "C7"),
    row(29, quickly_over_clear_ground, "C7", "C7"),
    row(30, a_gun_into_a_building, ("C8", Inside.NO), ("C8", Inside.NO)),
    row(31, a_search_in_a_barrage, True, False),
]


@pytest.mark.parametrize(("situation", "new", "old"), ROWS)
def test_a_move_by_both_books(situation: Any, new: Any, old: Any) -> None:
    assert by_both(situation) == {"2024": new, "2016": old}
