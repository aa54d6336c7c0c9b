"""Differences between the books in movement, spotting and terrain, and scenarios that switch them.

A behaviour is a function of the data of a match. Each gives one value by the 2024 book, another by the 2016 book, and
the other book's value in a scenario that sets the switch.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from titles.panzer.advanced.builders import a_leg, a_tank, advanced_data, an_advanced_state, an_advanced_table
from titles.panzer.advanced.marching import a_field, moves, tried, where
from titles.panzer.builders import a_board
from titles.panzer.obstacles.test_transport import a_barrage

from pbem.engine.geometry.hexes import parse_hex
from pbem.titles.data_files import DataError
from pbem.titles.panzer.air import air_attacks, anti_aircraft
from pbem.titles.panzer.cards.advanced_cards import advanced_cards
from pbem.titles.panzer.cards.basic_rows import EDITIONS, Cover
from pbem.titles.panzer.cards.charts import charts
from pbem.titles.panzer.cards.files import packaged
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.close_combat.overrun import contributing
from pbem.titles.panzer.damage.effects import damage_vehicle
from pbem.titles.panzer.data_set import PanzerData, advanced_data_set
from pbem.titles.panzer.fire.aiming import place_objections
from pbem.titles.panzer.fire.gp_fire import damage_by_gp
from pbem.titles.panzer.freezing import freeze
from pbem.titles.panzer.movement.steps.unit_steps import mover_of
from pbem.titles.panzer.obstacles.transport import is_portee
from pbem.titles.panzer.setup.deployment import damage_of
from pbem.titles.panzer.setup.scenario_file import packaged_boards
from pbem.titles.panzer.setup.scenario_reader import load_advanced
from pbem.titles.panzer.sighting.terrain import cover_of, hull_down_against, protecting_sides
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Damage, Inside, Marker

# --- switches of the comparison, by number ------------------------------------------------------------------------


def an_abandoned_vehicle_denies_the_rate(data: PanzerData) -> bool:
    empty = a_tank("g2", "C8", "pz4h", bailed_out=True)
    state = an_advanced_state(a_tank("g1", "C9", "pz4h"), empty)
    return bool(list(mover_of(Situation(data, state), state.vehicles["g1"]).obstructions(parse_hex("C8"))))


def a_mounted_mortar_fires_inside(data: PanzerData) -> bool:
    table = an_advanced_table(a_tank("g1", "C3", "spw251_2", inside=Inside.BUILDING), data=data)
    unit = table.state.vehicles["g1"]
    return not list(place_objections(Situation(data, table.state), unit, weapons_of(data, unit)[0]))


def there_are_portees(data: PanzerData) -> bool:
    return is_portee(data, a_tank("b1", "C3", "portee_2pdr"))


def parts_that_are_damaged(data: PanzerData) -> list[Damage]:
    """Switches 22 and 23: the parts damaged by AP fire, by GP fire with its d10 roll, and from the start."""
    table = an_advanced_table(a_tank("s1", "C3", "t34_76"), a_tank("s2", "C3", "t34_76"), data=data, dice=[4])
    first, second = table.state.vehicles.values()
    damage_vehicle(table, first, "turret")
    damage_by_gp(table, second)
    begins: Any = SimpleNamespace(damaged=True)
    return [first.damage, second.damage, damage_of(data, begins)]


def a_track_hit_at_the_wall_leaves_it_in(data: PanzerData) -> str:
    table = a_field(a_tank("g1", "C9", "pz4h"), signs={"C8": "B"}, dice=[1, 1])
    table.data = dataclasses.replace(data, board=table.data.board)
    moves(table, "g1", "f-in")
    return where(table, "g1")


def a_search_in_a_barrage_is_attacked(data: PanzerData) -> bool:
    table = a_field(a_tank("g1", "C9", "pz4h"), signs={"C9": "^"}, dice=[1] * 6, missions={"m1": a_barrage("C9")})
    table.data = dataclasses.replace(data, board=table.data.board)
    return any(finding.rule == "6.6.6" for finding in moves(table, "g1", "search:hd:1").findings)


def weapons_in_an_overrun(data: PanzerData) -> int:
    tank = a_tank("s1", "C3", "is2m")
    return len(list(contributing(Situation(data, an_advanced_state(tank)), tank)))


def hexes_suppressed_midway(data: PanzerData) -> list[int]:
    """Switch 35: a low, fast aircraft acquires in 10 hexes and is tracked in 8; it is suppressed after three."""
    pilot: Any = SimpleNamespace(suppression=Marker.ON)
    low: dict[str, Any] = {"altitude": "low", "speed": "fast"}
    flight: Any = SimpleNamespace(**low, suppressed_at=3, trackers_suppressed_at={"g1": 3})
    gun = a_leg("g1", "C3", "german_rifle_squad", suppression=Marker.ON)
    state = an_advanced_state(gun)
    return [
        air_attacks.hexes_to_acquire(data, pilot, flight),
        anti_aircraft.hexes_to_track(Situation(data, state), flight, gun),
    ]


SWITCHES: list[tuple[str, Callable[[PanzerData], Any], Any, Any]] = [
    ("abandoned_denies_road_rate", an_abandoned_vehicle_denies_the_rate, True, False),
    ("mounted_mortars_outside", a_mounted_mortar_fires_inside, True, False),
    ("portee", there_are_portees, True, False),
    ("split_damage", parts_that_are_damaged, [Damage.TURRET, Damage.TURRET, Damage.HULL], [Damage.WHOLE] * 3),
    ("anti_aircraft_barred", a_track_hit_at_the_wall_leaves_it_in, "C8", "C9"),
    ("search_in_barrage_attacked", a_search_in_a_barrage_is_attacked, True, False),
    ("overrun_without_aa", weapons_in_an_overrun, 2, 1),
    ("aircraft_double_remainder", hexes_suppressed_midway, [20, 16], [17, 13]),
]


@pytest.mark.parametrize(("switch", "behaviour", "new", "old"), SWITCHES, ids=[row[0] for row in SWITCHES])
def test_each_book_has_its_own_way_and_a_scenario_may_choose_the_other(switch, behaviour, new, old):
    """The comparison of the books says that a scenario may override any switch."""
    board = a_board(signs={"C3": "B"})
    for edition, own, other in (("2024", new, old), ("2016", old, new)):
        otherwise = {switch: not charts(edition).switch(switch)}
        assert behaviour(advanced_data(board, edition=edition)) == own
        assert behaviour(advanced_data(board, edition=edition, switches=otherwise)) == other


# --- switches that are read with the scenario ----------------------------------------------------------------------


def desert(edition: str, **switches: bool) -> str:
    """Return the packaged desert scenario under a book, with its own switches."""
    text = packaged("scenarios/desert.toml").decode().replace('edition = "2024"', f'edition = "{edition}"')
    told = ", ".join(f"{name} = {str(on).lower()}" for name, on in switches.items())
    return f"{text}\n[special]\nswitches = {{{told}}}\n"


def load(text: str) -> Any:
    return load_advanced(text, packaged_boards(), file="mine.toml")


def test_6_1_4_3_12_a_scenario_of_the_2016_book_may_bring_dust_and_roofs_with_it():
    """Switches 3 and 17: without the switch, dust or roofs in a 2016 scenario are refused, with advice."""
    with pytest.raises(DataError) as error:
        load(desert("2016", portee=True))
    said = [mistake.what for mistake in error.value.mistakes]
    assert [one for one in said if "switches = {dust = true}" in one]
    scenario = load(desert("2016", dust=True, desert_buildings=True))
    assert (scenario.dust, scenario.desert_buildings) == (True, True)


def test_6_1_4_3_13_sun_that_is_switched_on_stands_somewhere():
    """Switch 18: the scenario must say at which edge the sun is."""
    lit = desert("2016", dust=True, desert_buildings=True, sun_blinding=True)
    with pytest.raises(DataError, match="say where the sun is"):
        load(lit)
    placed = lit.replace("dust = true\n", 'dust = true\nsun = {edge = "east", ap = -1, gp = -5}\n', 1)
    assert load(placed).sun.edge == "east"


def test_5_1_horses_come_and_go_with_their_switch():
    """Switch 9: either book's scenarios may switch cavalry on, and have no cavalry where it is switched off."""
    squad, riders = 'card = "british_rifle_squad", formation = "dr", hex = "Q8"', "soviet_cavalry_squad"
    mounted = desert("2024", bicycles_and_cavalry=True).replace(squad, squad.replace("british_rifle_squad", riders))

    assert [unit.card for unit in load(mounted).units if unit.id == "dr2"] == [riders]
    with pytest.raises(DataError, match=riders):
        load(mounted.replace("bicycles_and_cavalry = true", "portee = true"))
    with pytest.raises(DataError, match=riders):
        load(mounted.replace("_cavalry = true", "_cavalry = false").replace('edition = "2024"', 'edition = "2016"'))


def test_the_data_of_a_match_have_the_switches_of_its_scenario():
    """Everything that the scenario reader accepts is available in play, such as horses and usable roofs."""
    blobs = {**freeze("desert", {}), "scenario": desert("2024", bicycles_and_cavalry=True).encode()}
    data = advanced_data_set(blobs)

    assert "soviet_cavalry_squad" in data.book.legs
    assert data.advanced.number("cavalry_levels") == 2
    assert data.charts.switch("desert_buildings") and data.charts.switch("bicycles_and_cavalry")
    assert "soviet_cavalry_squad" not in advanced_data_set(freeze("desert", {})).book.legs


# --- differences that are only other rows of the tables ----------------------------------------------------------


@pytest.mark.parametrize(("sign", "new", "old"), [(",", False, True), ("c", False, True), (".", True, True)])
def test_6_6_4_2_where_a_quickmarch_goes(sign, new, old):
    """Switch 29: the 2016 book allows a quickmarch through brush and crops too."""
    for edition, opens in (("2024", new), ("2016", old)):
        table = a_field(a_leg("g1", "C9", "german_rifle_squad"), signs={"C8": sign}, edition=edition)
        mover = mover_of(table, table.state.vehicles["g1"], quick=True)
        assert (len(mover.allowances.__struct_fields__), mover.allowances.cross) == (3, 3)
        if opens:
            assert tried(table, "g1", "1", "quick").spent == 1
        else:
            with pytest.raises(AssertionError, match="quickmarch cannot go through"):
                tried(table, "g1", "1", "quick")


@pytest.mark.parametrize("edition", EDITIONS)
def test_6_5_4_2_2_crops_and_brush_cover_more_from_eyes_than_from_fire(edition):
    """Switch 25: crops are Medium for spotting and Light in combat; brush is Light for spotting only."""
    table = a_field(a_leg("g1", "C9", "german_rifle_squad"), signs={"C9": "c"}, edition=edition)
    unit = table.state.vehicles["g1"]

    assert cover_of(table, unit, "spotting") is Cover.MEDIUM
    assert cover_of(table, unit, "gp") is Cover.LIGHT
    brush = a_field(a_leg("g1", "C9", "german_rifle_squad"), signs={"C9": ","}, edition=edition)
    unit = brush.state.vehicles["g1"]
    assert cover_of(Situation(brush.data, brush.state), unit, "spotting") is Cover.LIGHT
    assert cover_of(Situation(brush.data, brush.state), unit, "gp") is Cover.NONE


@pytest.mark.parametrize("edition", EDITIONS)
def test_6_1_4_3_2_a_hexside_of_the_other_book_is_borrowed_as_it_stands(edition):
    """Switch 16: a map may borrow defilades from the 2024 book or hedgerows from the 2016 book, with all effects."""
    board = a_board(hexsides={"wall": ["C3:1"], "defilade": ["C3:4"], "hedgerow": ["C3:2"]})
    data = advanced_data(board, edition=edition)

    here, beyond = parse_hex("C3"), [parse_hex(name) for name in ("C1", "C5", "E2")]
    found = [kind for start in beyond for _, kind in protecting_sides(data, here, start)]
    assert found == ["wall", "defilade"]
    assert {"target_behind_wall", "target_behind_defilade"} <= {row.when for row in data.advanced.modifiers["gp"]}


@pytest.mark.parametrize("edition", EDITIONS)
def test_6_1_4_1_2_a_railroad_is_partial_hull_down_from_every_side(edition):
    """Switch 15: the 2016 key has a row for railroads, which a map of the other book may borrow."""
    table = a_field(a_tank("g1", "C9", "pz4h"), signs={"C9": "%"}, edition=edition)
    for start in ("C5", "C13"):
        status, _ = hull_down_against(table, table.state.vehicles["g1"], parse_hex(start))
        assert status.value == "phd"


def test_5_1_3_3_the_italian_rifle_has_gp_fire_in_the_2024_book_alone():
    """Switch 11: only in the 2024 book does the Italian anti-tank rifle have a GP factor."""
    for edition in EDITIONS:
        rifles = [row for row in advanced_data(edition=edition).book.attached.values() if row.kind == "atr"]
        assert rifles
        assert {row.id for row in rifles if row.gp} == ({"italian_fucile"} if edition == "2024" else set())


def test_5_16_1_discarding_sabot_is_ammunition_of_the_2016_book_alone():
    """Switch 13: in the 2016 book the prefix A stands for APDS, APCR and HVAP, in the 2024 book for APCR and HVAP."""
    for edition in EDITIONS:
        book = advanced_cards(edition)
        types = {ammo.type for gun in book.guns.values() for ammo in gun.ammo if ammo.letter == "A"}
        aboard = {ammo.type for card in book.vehicles.values() for mount in card.mounts for ammo in mount.gun.ammo}
        assert types == ({"APCR", "HVAP"} if edition == "2024" else {"APDS", "APCR", "HVAP"})
        assert ("APDS" in aboard) is (edition == "2016")


def test_4_5_1_1_11_tracks_belong_to_the_2024_book():
    """Switch 8: in the 2016 book a declared track stays a path, unless the scenario says otherwise."""
    here, there = map(parse_hex, ("C8", "D9"))
    both = {"dust": True, "desert_buildings": True}
    for edition, switches, link in (
        ("2024", {}, "track"),
        ("2016", both, "path"),
        ("2016", {**both, "tracks": True}, "track"),
        ("2024", {"tracks": False}, "path"),
    ):
        text = desert(edition, **switches).replace("[special]\n", '[special]\ntracks = ["C8-D9"]\n')
        assert load(text).board.link(here, there) == link
