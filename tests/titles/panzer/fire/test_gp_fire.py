"""6.5.4 GP fire, in both editions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state, an_advanced_table
from titles.panzer.builders import Played, a_board, a_hex, brewed_up, run_step

from pbem.engine.geometry.hexes import Hex
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.cards.advanced_charts import advanced_charts
from pbem.titles.panzer.cards.basic_rows import EDITIONS, Edition
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.cards.chart_rows import AdvancedModifier
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.fire.direct_smoke import lay_smoke, smoke_objections
from pbem.titles.panzer.fire.gp_defence import aircraft_defence, gp_defence, vulnerable_terrain
from pbem.titles.panzer.fire.gp_fire import direct_attack, gp_factor, pattern_of, resolve_gp
from pbem.titles.panzer.fire.gp_modifiers import CONDITIONS, Case, GpAttack, gp_modifiers
from pbem.titles.panzer.numbering import numbered
from pbem.titles.panzer.setup.scenario import Sun
from pbem.titles.panzer.sighting.terrain import settle
from pbem.titles.panzer.state import (
    AircraftState,
    Cloud,
    Command,
    Damage,
    Feature,
    HullDown,
    Inside,
    Marker,
    PanzerState,
    Status,
    Unit,
)

GERMAN, BRITISH, SOVIET = "german_rifle_squad", "british_rifle_squad", "soviet_smg_squad"
SAPPER = "german_pioneer_squad"
TRUCK, CARRIER = "opel", "spw251"


def fire(table: Table[PanzerState], answers: Any = (), **attack: Any) -> Played:
    """Resolve a GP fire; its finding is the result."""
    given: dict[str, Any] = {"kind": "df", "factor": 8, "column": "S", "effectiveness": 8, **attack}
    return run_step(table, resolve_gp(table, GpAttack(**given)), answers)


def small_arms(column: str) -> dict[str, Any]:
    return {"small_arms": True, "effectiveness": 0, "column": column}


def net(table: Table[PanzerState], target: str, **attack: Any) -> Finding:
    """6.5.4.3 The modifiers of an attack on a unit."""
    given: dict[str, Any] = {"kind": "df", "factor": 8, "column": "S", "target": target, **attack}
    unit = table.state.vehicles[target]
    assert unit.hex is not None
    return gp_modifiers(Case(table.data, table.state, GpAttack(**given), unit.hex, unit))


def ground(**places: str) -> Board:
    """An open board with a terrain type in some hexes."""
    signs = dict(zip(places, "123456789", strict=False))
    return a_board(signs=signs, legend={signs[place]: terrain.split() for place, terrain in places.items()})


# --- 6.5.4.1 GP factor -----------------------------------------------------------------------------------------


@pytest.mark.rule("6.5.4.1")
@pytest.mark.parametrize(
    ("edition", "unit", "range", "column", "factor"),
    [
        ("2024", a_tank("g1", "C3", "pzjgr1"), 7, None, 2),
        ("2024", a_tank("g1", "C3", "pzjgr1"), 3, "P", 3),
        ("2024", a_leg("i1", "C3", "italian_lmg_squad"), 5, None, 5),
        ("2024", a_leg("b1", "C3", BRITISH), 3, "S", 6),
        ("2016", a_tank("s1", "C3", "su76m"), 7, None, 4),
        ("2016", a_tank("s1", "C3", "su76m"), 3, "P", 5),
        ("2016", a_leg("g1", "C3", GERMAN), 5, None, 5),
        ("2016", a_leg("g1", "C3", GERMAN), 3, "S", 7),
    ],
)
def test_6_5_4_1_the_factor_below_the_first_range_not_below_the_distance(
    edition: Edition, unit: Unit, range: int, column: str | None, factor: int
) -> None:
    """L2739, L2741, L3121, L3137; 2016:L2820, L3208, L3222."""
    row = weapons_of(advanced_data(edition=edition), unit)[0].gp
    assert row is not None
    found = gp_factor(row, range)
    assert_rule(found, "6.5.4.1", result=factor, inputs={"range": range} | ({"column": column} if column else {}))
    assert gp_factor(row, 99).result is None


# --- 6.5.4.2 GP defence ----------------------------------------------------------------------------------------


@pytest.mark.rule("6.5.4.2", "6.5.4.2.1")
@pytest.mark.parametrize(
    ("edition", "card", "defence", "type"), [("2024", "pzjgr1", 1, "P"), ("2016", "su76m", 2, "P")]
)
def test_6_5_4_2_1_a_vehicle_has_a_printed_defence_and_type(
    edition: Edition, card: str, defence: int, type: str
) -> None:
    """L2751, 2016:L2830."""
    unit = a_tank("g1", "C3", card, command=Command.MOVE)
    found = gp_defence(advanced_data(edition=edition), an_advanced_state(unit), unit)
    assert_rule(found, "6.5.4.2.1", result=defence, inputs={"type": type})
    assert_rule(found, "6.5.4.2", result=defence)


@pytest.mark.rule("6.5.4.2.2")
@pytest.mark.parametrize(
    ("edition", "card", "woods"), [("2024", "italian_infantry_squad", "medium_grove"), ("2016", GERMAN, "woods")]
)
def test_6_5_4_2_2_the_defence_of_leg_units_by_cover_full_cover_and_movement(
    edition: Edition, card: str, woods: str
) -> None:
    """L2771-2775, 2016:L2846: 2S in the clear; medium 6S moving 4S; improved position 8S in full cover 10S."""
    data = advanced_data(ground(D4=woods), edition=edition)
    side = {"side": "german"}
    open_ground = a_leg("g1", "C3", card, command=Command.FIRE, **side)
    moving = a_leg("g2", "D4", card, command=Command.MOVE, **side)
    dug_in = a_leg("g3", "E5", card, command=Command.FIRE, full_cover=True, position="f1", **side)
    position = Feature(id="f1", type="improved_position", hex=a_hex("E5"), holder="g3")
    state = an_advanced_state(open_ground, moving, dug_in, features={"f1": position})

    assert_rule(gp_defence(data, state, open_ground), "6.5.4.2.2", result=2, inputs={"type": "S", "cover": "none"})
    assert_rule(gp_defence(data, state, moving), "6.5.4.2.2", result=4, inputs={"cover": "medium", "printed": 6})
    assert_rule(gp_defence(data, state, dug_in), "6.5.4.2.2", result=10, inputs={"cover": "heavy", "printed": 8})


@pytest.mark.rule("6.5.4.2.2/full-cover", "6.5.4.2.2/moving", "6.5.4.2.2/several-terrains", editions=("2024",))
def test_6_5_4_2_2_the_net_defence_stays_within_1_and_10() -> None:
    """L2761-2763: full cover +2 for leg and +1 for towed units, moving -2; the best of several terrain types."""
    data = advanced_data(ground(C3="scrub medium_grove"))
    gun = a_gun("g2", "E5", "pak38", command=Command.MOVE, full_cover=True)
    squad = a_leg("g1", "C3", GERMAN, command=Command.MOVE)
    crawling = a_leg("g3", "C3", GERMAN, command=Command.MOVE, crawling=True)
    state = an_advanced_state(gun, squad, crawling)

    assert_rule(gp_defence(data, state, squad), "6.5.4.2.2/several-terrains", result="medium")
    assert_rule(gp_defence(data, state, squad), "6.5.4.2.2/moving", result=-2)
    assert gp_defence(data, state, squad).result == 4
    assert gp_defence(data, state, crawling).result == 6  # 6.6.4.3
    assert_rule(gp_defence(data, state, gun), "6.5.4.2.2/full-cover", result=1)
    printed = data.book.towed["pak38"].defence.none.value
    assert gp_defence(data, state, gun).result == max(1, printed + 1 - 2)


@pytest.mark.parametrize(
    ("edition", "terrain", "spotting", "combat"),
    [
        pytest.param(
            "2024", "wood_building", "heavy", "light",
            marks=pytest.mark.rule("6.5.4.2.2/cover-exceptions", editions=("2024",)),
        ),
        pytest.param("2024", "brick_building", "heavy", "medium"),
        pytest.param("2024", "stone_building", "heavy", "heavy"),
        pytest.param("2024", "brush", "light", "none"),
        pytest.param("2024", "sand", "light", "none"),
        pytest.param(
            "2016", "crops", "medium", "light",
            marks=pytest.mark.rule("6.5.4.2.2/special-cover", editions=("2016",)),
        ),
        pytest.param("2016", "brush", "light", "none"),
        pytest.param("2016", "wood_building", "heavy", "light"),
    ],
)  # fmt: skip
def test_6_5_4_2_2_cover_for_defence_need_not_be_that_of_spotting(
    edition: Edition, terrain: str, spotting: str, combat: str
) -> None:
    """L2765-2767, 2016:L2842."""
    data = advanced_data(ground(C3=terrain), edition=edition)
    squad = a_leg("g1", "C3", GERMAN)
    found = gp_defence(data, an_advanced_state(squad), squad)
    assert_rule(found, numbered(edition, "6.5.4.2.2/cover-exceptions"), result=combat)
    assert found.result == {"none": 2, "light": 4, "medium": 6, "heavy": 8}[combat]


def test_6_5_4_2_2_on_the_roof_of_a_desert_building_cover_is_light() -> None:
    """L2769: even on stone."""
    data = advanced_data(ground(C3="stone_building"), desert_buildings=True)
    squad = a_leg("g1", "C3", GERMAN, inside=Inside.UP)
    assert gp_defence(data, an_advanced_state(squad), squad).result == 4


@pytest.mark.rule("6.5.4.2.3/values", "6.5.4.2.3", editions=("2024",))
def test_6_5_4_2_3_passengers_have_3_under_cover_and_1_otherwise() -> None:
    """L2759, L2785: SPW 251/1 gives cover; terrain and movement change nothing. Each passenger has its own roll."""
    half_track = a_tank("g1", "C3", CARRIER, command=Command.MOVE)
    truck = a_tank("g2", "C3", TRUCK)
    riders = a_leg("g3", "C3", GERMAN, aboard="g1"), a_leg("g4", "C3", GERMAN, aboard="g2")
    state = an_advanced_state(half_track, truck, *riders)
    data = advanced_data(ground(C3="medium_grove"))
    assert_rule(gp_defence(data, state, state.vehicles["g3"]), "6.5.4.2.3/values", result=3, inputs={"type": "S"})
    assert gp_defence(data, state, state.vehicles["g4"]).result == 1

    table = an_advanced_table(state=state, data=data, dice=[10, 10])
    assert_rule(fire(table, target="g2", asked=True).result, "6.5.4.2.3", inputs={"unit": "g4", "carrier": "g2"})


@pytest.mark.rule("6.5.4.2.3", editions=("2016",))
def test_6_5_4_2_3_passengers_in_the_2016_book() -> None:
    """2016: 3S under cover, 1S otherwise."""
    truck, rider = a_tank("g2", "C3", TRUCK), a_leg("g4", "C3", GERMAN, aboard="g2")
    table = an_advanced_table(truck, rider, edition="2016")
    assert_rule(gp_defence(table.data, table.state, rider), "6.5.4.2.3", result=1)


@pytest.mark.rule("6.5.4.2.4")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_5_4_2_4_aircraft_are_soft_and_have_a_printed_defence(edition: Edition) -> None:
    data = advanced_data(edition=edition)
    card = next(iter(data.book.aircraft))
    plane = AircraftState(id="ga", name="ga", side="german", card=card)
    printed = data.book.aircraft[card].defence.value
    assert_rule(aircraft_defence(data, plane), "6.5.4.2.4", result=printed, inputs={"type": "S"})


# --- 6.5.4.3 modifiers -----------------------------------------------------------------------------------------


def a_scene(edition: Edition, **more: Any) -> Table[PanzerState]:
    """A German squad, gun and tank against a Soviet squad, a T-34 and a truck, six hexes apart in the open."""
    soviet: dict[str, Any] = {"command": Command.FIRE, "revealed": True}
    return an_advanced_table(
        a_leg("g1", "C8", GERMAN, command=Command.FIRE),
        a_tank("g2", "C8", "pz3j", command=Command.FIRE),
        a_leg("s1", "C5", SOVIET, **soviet),
        a_tank("s2", "C5", "t34_76", **soviet),
        a_tank("s3", "C5", "su76m", **soviet),
        edition=edition,
        **more,
    )


@pytest.mark.rule("6.5.4.3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_5_4_3_modifiers_are_cumulative(edition: Edition) -> None:
    """L2811, 2016:L2884: A-type target -20 and damaged shooter -10 give -30."""
    table = a_scene(edition)
    table.state.vehicles["g2"].damage = Damage.TURRET
    assert_rule(net(table, "s2", firer="g2"), "6.5.4.3", result=-30)


def change(table: Table[PanzerState], unit: str, **values: Any) -> None:
    for name, value in values.items():
        setattr(table.state.vehicles[unit], name, value)


MOVES, HALTS = {"command": Command.MOVE}, {"command": Command.SHORT_HALT}
ROWS: list[tuple[str, str, dict[str, dict[str, Any]], str, dict[str, Any], int]] = [
    # when, paragraph of 2024, changes, target, attack, value
    ("target_vehicle_moving", "target-vehicle-moving", {"s2": MOVES}, "s2", {}, -10),
    ("target_vehicle_moving", "target-vehicle-moving", {"s2": HALTS}, "s2", {"kind": "if", "firer": "x"}, -20),
    ("target_vehicle_moving", "target-vehicle-moving", {"s2": MOVES}, "s2", {"kind": "air", "firer": "x"}, -10),
    ("target_protected", "p-or-a-type", {}, "s3", {}, -10),
    ("target_armoured", "p-or-a-type", {}, "s2", {}, -20),
    ("target_crawling", "leg-crawling", {"s1": {"crawling": True}}, "s1", {}, 10),
    ("short_halt", "short-halt", {"g1": {"command": Command.SHORT_HALT}}, "s1", {}, -15),
    ("firer_damaged", "shooter-damaged", {"g2": {"damage": Damage.TURRET}}, "s1", {"firer": "g2"}, -10),
    ("firer_hesitating", "shooter-hesitating", {"g1": {"flags": ("hesitating-off",)}}, "s1", {}, -10),
    ("firer_suppressed", "shooter-suppressed", {"g1": {"suppression": Marker.OFF}}, "s1", {}, -20),
    ("firer_broken", "shooter-broken", {"g1": {"flags": ("broken-on",)}}, "s1", {}, -20),
    ("open_sheaf", "if-open-sheaf", {}, "s1", {"kind": "if", "firer": "gb1", "open_sheaf": True}, -20),
    ("overwatch", "overwatch", {"g1": {"command": Command.OVERWATCH}}, "s1", {"kind": "ow"}, -5),
    ("overwatch", "overwatch", {"g2": {"command": Command.OVERWATCH}}, "s1", {"kind": "ow", "firer": "g2"}, -5),
    ("overwatch_adjust", "overwatch-adjust", {}, "s1", {"kind": "ow", "firer": "g2", "adjust": True}, -10),
    ("ammo_limit", "ammo-limit", {}, "s1", {"limited": True}, -10),
    ("transported_fire", "transported-fire", {"g1": {"aboard": "g2"}}, "s1", {}, -10),
    ("overrun", "overrun", {}, "s1", {"kind": "overrun", "firer": "g2"}, 20),
    ("dual_fire_same_target", "dual-fire", {}, "s1", {"dual": "same"}, -5),
    ("dual_fire_other_target", "dual-fire", {}, "s1", {"dual": "other"}, -10),
    ("pinning_fire", "pinning-fire", {}, "s1", {"pinning": True, "small_arms": True}, 20),
    ("hollow_charge", "ce-ammo", {}, "s1", {"hollow_charge": True}, -10),
    ("coaxial_machine_gun", "coax-mg", {}, "s1", {"firer": "g2", "column": "P"}, 10),
    ("unit_grade", "unit-grade", {"g1": {"grade": "veteran"}}, "s1", {"column": "L"}, 5),
]  # fmt: skip


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("when", "paragraph", "changes", "target", "attack", "value"), ROWS)
def test_6_5_4_3_each_row_alone(
    edition: Edition, when: str, paragraph: str, changes: Any, target: str, attack: Any, value: int
) -> None:
    """L2815-2967: the row of the chart is in the finding, under its paragraph, with only the type's row."""
    table = a_scene(edition)
    for unit, values in changes.items():
        change(table, unit, **values)
    found = net(table, target, **{"firer": "g1", **attack})
    rule = numbered(edition, f"6.5.4.3/{paragraph}")
    row = assert_rule(found, rule, result=value)
    assert isinstance(row, Finding) and row.modifiers[0]["when"] == when
    others = {child.modifiers[0]["when"] for child in found.children if child.modifiers} - {when}
    assert others <= {"target_armoured", "target_protected"}


@pytest.mark.rule(
    "6.5.4.3/target-vehicle-moving", "6.5.4.3/p-or-a-type", "6.5.4.3/leg-crawling", "6.5.4.3/shooter-damaged",
    "6.5.4.3/shooter-hesitating", "6.5.4.3/shooter-suppressed", "6.5.4.3/shooter-broken", "6.5.4.3/if-open-sheaf",
    "6.5.4.3/overwatch", "6.5.4.3/overwatch-adjust", "6.5.4.3/ammo-limit", "6.5.4.3/transported-fire",
    "6.5.4.3/dual-fire", "6.5.4.3/pinning-fire", "6.5.4.3/ce-ammo", "6.5.4.3/coax-mg", "6.5.4.3/unit-grade",
)  # fmt: skip
@pytest.mark.parametrize(
    ("edition", "named"),
    [
        pytest.param("2024", {}, marks=pytest.mark.rule("6.5.4.3/short-halt", "6.5.4.3/overrun", editions=("2024",))),
        pytest.param(
            "2016",
            {"short-halt": "shooter-short-halt", "overrun": "overrun-attack"},
            marks=pytest.mark.rule("6.5.4.3/shooter-short-halt", "6.5.4.3/overrun-attack", editions=("2016",)),
        ),
    ],
)
def test_6_5_4_3_the_chart_has_each_row_with_its_value(edition: Edition, named: dict[str, str]) -> None:
    """L2815-2967: all rows once more, under the current book's numbers."""
    for _, paragraph, changes, target, attack, value in ROWS:
        table = a_scene(edition)
        for unit, values in changes.items():
            change(table, unit, **values)
        found = net(table, target, **{"firer": "g1", **attack})
        assert_rule(found, f"6.5.4.3/{named.get(paragraph, paragraph)}", result=value)


@pytest.mark.parametrize(
    ("unit", "attack"),
    [
        ("s2", {"kind": "if", "planned": True, "firer": "gb1"}),  # L2821
        ("s2", {"kind": "barrage", "voluntary": True, "firer": "gb1"}),
        ("s1", {}),
    ],
)
def test_6_5_4_3_no_moving_modifier_for_planned_fire_voluntary_moves_and_leg_units(unit: str, attack: Any) -> None:
    table = a_scene("2024")
    change(table, unit, command=Command.MOVE)
    whens = {row["when"] for row in net(table, unit, **{"firer": "g1", **attack}).modifiers}
    assert "target_vehicle_moving" not in whens


def test_6_5_4_3_what_does_not_count() -> None:
    """L2899-2903: guns and leg units have no adjust; L2895: on-map fire has no open sheaf.

    L2955: no coax against armour or beyond point blank; 5.8.3: indirect fire has no grade; L2985: vehicle rows do not
    apply to passengers.
    """
    table = a_scene("2024")
    change(table, "g1", grade="veteran")

    def whens(target: str, **attack: Any) -> set[str]:
        return {row["when"] for row in net(table, target, **{"firer": "g1", **attack}).modifiers}

    assert whens("s1", kind="ow", adjust=True) == {"overwatch"}
    assert whens("s1", kind="if", open_sheaf=True, column="L") == set()
    assert whens("s2", firer="g2", column="P") == {"target_armoured"}
    assert whens("s1", firer="g2", column="S") == set()
    assert whens("s1", pinning=True, small_arms=False) == set()
    change(table, "s1", aboard="s2", crawling=True)
    change(table, "s2", command=Command.MOVE)
    assert whens("s1", firer="g2", column="P") == {"coaxial_machine_gun"}


VEHICLE_COVER = [
    # terrain, inside, improved position, kind, value
    ("medium_grove", Inside.NO, False, "df", -10),
    ("medium_grove", Inside.NO, False, "if", 0),
    ("brick_building", Inside.BUILDING, False, "if", -10),
    ("stone_building", Inside.BUILDING, False, "df", -20),
    ("stone_building", Inside.BUILDING, False, "air", -20),
    ("wood_building", Inside.BUILDING, False, "if", 0),
    ("clear", Inside.NO, True, "df", -20),
    ("clear", Inside.NO, True, "if", -20),
]


@pytest.mark.rule("6.5.4.3/vehicle-cover")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_5_4_3_cover_of_vehicles_counts_from_above_only_if_overhead(edition: Edition) -> None:
    """L2829-2831."""
    for terrain, inside, dug_in, kind, value in VEHICLE_COVER:
        terrain = "woods" if edition == "2016" and terrain == "medium_grove" else terrain
        tank = a_tank("s2", "C5", "t34_76", inside=inside, position="f1" if dug_in else "")
        board = ground(C5=terrain)
        features = {"f1": Feature(id="f1", type="improved_position", hex=a_hex("C5"), holder="s2")} if dug_in else {}
        table = an_advanced_table(tank, a_leg("g1", "C8", GERMAN), board=board, edition=edition, features=features)
        found = net(table, "s2", kind=kind, firer="g1" if kind == "df" else "")
        assert int(found.result) + 20 == value, (terrain, kind)  # A-type: -20
        if value:
            assert_rule(found, "6.5.4.3/vehicle-cover", result=value)


def test_6_5_4_3_an_overstacked_hex_gives_no_cover() -> None:
    """L2829, 3.8."""
    crowd = [a_tank(f"s{number}", "C5", "t34_76") for number in range(1, 7)]
    table = an_advanced_table(*crowd, a_leg("g1", "C8", GERMAN), board=ground(C5="medium_grove"))
    assert net(table, "s1", firer="g1").result == -20


@pytest.mark.parametrize(
    ("edition", "side", "rule"),
    [
        pytest.param(
            "2024", "wall", "6.5.4.3/defilade-wall",
            marks=pytest.mark.rule("6.5.4.3/defilade-wall", editions=("2024",)),
        ),
        pytest.param("2024", "defilade", "6.5.4.3/defilade-wall"),
        pytest.param(
            "2016", "wall", "6.5.4.3/wall-hexside",
            marks=pytest.mark.rule("6.5.4.3/wall-hexside", editions=("2016",)),
        ),
    ],
)  # fmt: skip
def test_6_5_4_3_a_wall_before_a_leg_target_counts_once_and_only_for_direct_fire(
    edition: Edition, side: str, rule: str
) -> None:
    """L2839."""
    board = a_board(hexsides={side: ["C5:4"]})
    table = an_advanced_table(
        a_leg("g1", "C8", GERMAN),
        a_leg("s1", "C5", SOVIET),
        a_tank("s2", "C5", "t34_76"),
        board=board,
        edition=edition,
    )
    assert_rule(net(table, "s1", firer="g1"), rule, result=-10)
    assert net(table, "s1", firer="g1", kind="if").result == 0
    assert net(table, "s2", firer="g1").result == -20  # vehicles are hull down instead
    table.state.vehicles["g1"].hex = a_hex("C2")
    assert net(table, "s1", firer="g1").result == 0


@pytest.mark.rule("6.5.4.3/target-cavalry", "6.5.4.3/railroad-track", editions=("2016",))
def test_6_5_4_3_cavalry_and_railroads_in_the_2016_book() -> None:
    """2016:L2878-3036: cavalry +10, on a railroad -5 against direct fire."""
    data = advanced_data(ground(C5="railroad"), edition="2016")
    horse = next(id for id, card in data.book.legs.items() if card.mount == "cavalry" and card.size == "squad")
    state = an_advanced_state(a_leg("g1", "C8", GERMAN), a_leg("s1", "C5", horse), a_leg("s2", "D5", horse))
    table = an_advanced_table(state=state, data=data)
    assert_rule(net(table, "s2", firer="g1"), "6.5.4.3/target-cavalry", result=10)
    assert_rule(net(table, "s1", firer="g1"), "6.5.4.3/railroad-track", result=-5)
    assert net(table, "s1", firer="g1", kind="if").result == 10


@pytest.mark.rule("6.5.4.3/hasty-entrenchment")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_5_4_3_a_finished_entrenchment_counts_for_every_fire(edition: Edition) -> None:
    """L2947."""
    table = a_scene(edition)
    table.state.features["f1"] = Feature(id="f1", type="hasty_entrenchment", hex=a_hex("C5"), holder="s1", stage=4)
    change(table, "s1", position="f1")
    assert_rule(net(table, "s1", firer="g1"), "6.5.4.3/hasty-entrenchment", result=-10)
    assert net(table, "s1", firer="gb1", kind="if").result == -10
    table.state.features["f1"].stage = 3
    assert net(table, "s1", firer="g1").result == 0


CLOUDS = [
    ("smoke", True, -10),
    ("smoke", False, -20),
    ("barrage", True, -5),
    ("barrage", False, -10),
]


@pytest.mark.rule("6.5.4.3/on-fire", "6.5.4.3/brew-up-smoke")
@pytest.mark.parametrize(
    ("edition", "smoke", "barrage"),
    [
        pytest.param(
            "2024", "6.5.4.3/smoke", "6.5.4.3/barrage",
            marks=pytest.mark.rule("6.5.4.3/smoke", "6.5.4.3/barrage", editions=("2024",)),
        ),
        pytest.param(
            "2016", "6.5.4.3/smoke-sheaf", "6.5.4.3/barrage-sheaf",
            marks=pytest.mark.rule("6.5.4.3/smoke-sheaf", "6.5.4.3/barrage-sheaf", editions=("2016",)),
        ),
    ],
)  # fmt: skip
def test_6_5_4_3_what_lies_on_the_line_hinders_direct_fire_alone(edition: Edition, smoke: str, barrage: str) -> None:
    """L2863-2883: per occurrence, not per hex, in the firer's hex, on the line, in the target's hex."""
    for type, open, value in CLOUDS:
        cloud = Cloud(id="c1", type=type, hexes=(a_hex("C6"), a_hex("C7")), open=open, fresh=False)  # type: ignore[arg-type]
        table = a_scene(edition, clouds={"c1": cloud})
        assert_rule(net(table, "s1", firer="g1"), smoke if type == "smoke" else barrage, result=value)
        assert net(table, "s1", firer="g1", kind="if").result == 0
        assert net(table, "s1", firer="g2", kind="overrun").result == 20  # not in the target's hex
    table = a_scene(edition, wrecks={"C8": brewed_up(), "C6": brewed_up()})
    assert_rule(net(table, "s1", firer="g1"), "6.5.4.3/brew-up-smoke", result=-20)
    burning = {name: Feature(id=name, type="on_fire", hex=a_hex(name)) for name in ("C5", "C7")}
    table = a_scene(edition, features=burning)
    assert_rule(net(table, "s1", firer="g1"), "6.5.4.3/on-fire", result=-40)


@pytest.mark.rule("6.5.4.3/dust", "6.5.4.3/sun-blinding", editions=("2024",))
def test_6_5_4_3_dust_and_sun_by_scenario() -> None:
    """L2887-2891, L2925: every dusty hex applies; the sun's modifier is the scenario's."""
    dust = Cloud(id="c1", type="dust", hexes=(a_hex("C6"), a_hex("C7")), fresh=False)
    table = a_scene("2024", clouds={"c1": dust}, scenario={"dust": True, "sun": Sun("north", -2, -15)})
    found = net(table, "s1", firer="g1")
    assert_rule(found, "6.5.4.3/dust", result=-10)
    assert_rule(found, "6.5.4.3/sun-blinding", result=-15)
    assert net(table, "s1", firer="g1", kind="if").result == 0


@pytest.mark.rule("6.5.4.3/heat-haze")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_5_4_3_heat_haze_by_the_size_of_the_target(edition: Edition) -> None:
    """L2911-2921: from 3 hexes for small, 5 for large targets, 8 for vehicles and their passengers."""
    large = next(id for id, card in advanced_data(edition=edition).book.towed.items() if card.size.value == "L")
    targets = (a_leg("s1", "C3", SOVIET), 3), (a_gun("s1", "C3", large), 5), (a_tank("s1", "C3", "zis5"), 8)
    for target, limit in targets:
        for range, value in ((limit - 1, 0), (limit, -10)):
            firer = a_leg("g1", f"C{3 + range}", GERMAN)
            table = an_advanced_table(firer, target, edition=edition, scenario={"heat_haze": True})
            found = net(table, "s1", firer="g1")
            assert found.result == value, (target.card, range)
        assert_rule(found, "6.5.4.3/heat-haze", result=-10)


def test_6_5_4_3_every_row_of_the_chart_has_a_condition() -> None:
    for edition in EDITIONS:
        assert {row.when for row in advanced_charts(edition).modifiers["gp"]} <= set(CONDITIONS)


@pytest.mark.rule("6.5.4.3")
def test_6_5_4_3_the_owner_of_a_hidden_command_may_show_that_it_moves() -> None:
    """L2817-2819: every face-down vehicle's owner is asked, whatever its command, and may decline.

    Once shown it stays shown.
    """
    for command, answer, moving in (
        (Command.MOVE, True, -10),
        (Command.MOVE, False, 0),
        (Command.FIRE, False, 0),
    ):
        table = an_advanced_table(
            a_leg("g1", "C8", GERMAN, command=Command.FIRE, revealed=True),
            a_tank("s2", "C5", "t34_76", command=command),
            dice=[1, 1],
        )
        played = fire(table, {"show": [answer]}, firer="g1", target="s2", **small_arms("S"))
        assert played.sequence == [("soviet", "show")]
        assert_rule(played.result, "6.5.4.3", result=moving - 20)
        assert table.state.vehicles["s2"].face_down  # it is turned down again
        again = fire(table, {"show": [False]}, firer="g1", target="s2", **small_arms("S"))
        assert len(again.asks) == (0 if answer else 1)


# --- 6.5.4.4 the table -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("factor", "defence", "total", "result"),
    [
        (7, 5, 60, "suppressed"),
        (2, 9, 109, "effective"),
        (15, 2, -1, "none"),
        (5, 3, 43, "none"),
        (5, 3, 73, "effective"),
    ],
)
def test_6_5_4_4_quoted_results(factor: int, defence: int, total: int, result: str) -> None:
    """L3031, L3033, L3035, L2973; 2016:L3054, L3056."""
    for edition in EDITIONS:
        assert advanced_charts(edition).gp_result(factor, defence, total) == result


@given(factor=st.integers(1, 20), defence=st.integers(1, 10), total=st.integers(-60, 160))
@settings(max_examples=60)
def test_6_5_4_4_more_fire_and_less_defence_never_do_less(factor: int, defence: int, total: int) -> None:
    order = ("none", "suppressed", "effective")
    charts = advanced_charts("2024")
    result = order.index(charts.gp_result(factor, defence, total))
    assert order.index(charts.gp_result(factor + 1, defence, total)) >= result
    assert order.index(charts.gp_result(factor, min(10, defence + 1), total)) <= result
    assert order.index(charts.gp_result(factor, defence, total + 1)) >= result


@pytest.mark.rule("6.5.4", "6.5.4.4", "6.5.4.4.1", "6.5.4.4.2")
@pytest.mark.parametrize(
    ("edition", "squad", "gun", "cell", "answer"),
    [
        ("2024", a_leg("b1", "C5", BRITISH), a_tank("g1", "C8", "pzjgr1"), (6, 1, 30, 60), (3, 4, 56, 83)),
        ("2016", a_leg("g1", "C5", GERMAN), a_tank("s1", "C8", "su76m"), (7, 2, 31, 62), (5, 4, 48, 77)),
    ],
)
def test_6_5_4_situation(
    edition: Edition, squad: Unit, gun: Unit, cell: tuple[int, ...], answer: tuple[int, ...]
) -> None:
    """L3117-3145, 2016:L3198-3232: small arms suppress the gun at short range; its answer has no effect."""
    data = advanced_data(ground(C5="scrub"), edition=edition, sides=(squad.side, gun.side))
    squad.grade, gun.grade = "veteran", "regulars"
    squad.command = gun.command = Command.FIRE
    squad.revealed = gun.revealed = True
    table = an_advanced_table(squad, gun, data=data, dice=[81, 64])

    attack = direct_attack(data, table.state, squad, weapons_of(data, squad)[0], gun)
    assert attack is not None and attack.column == "S"
    first = run_step(table, resolve_gp(table, attack)).result
    roll = assert_rule(first, "6.5.4.4", result="effective", dice=(81,), cell=list(cell[:2]))
    assert isinstance(roll, Finding)
    assert (roll.inputs["no_effect"], roll.inputs["suppressed"], roll.inputs["total"]) == (*cell[2:], 71)
    assert_rule(first, "6.5.4.4.2", result="suppressed")
    assert_rule(first, "6.5.4", result="suppressed")
    assert gun.suppression is Marker.ON and gun.under_fire

    attack = direct_attack(data, table.state, gun, weapons_of(data, gun)[0], squad)
    assert attack is not None and attack.column == "P"
    second = run_step(table, resolve_gp(table, attack)).result
    roll = assert_rule(second, "6.5.4.4", result="none", inputs={"net": -20, "total": 44}, cell=list(answer[:2]))
    assert isinstance(roll, Finding)
    assert (roll.inputs["no_effect"], roll.inputs["suppressed"]) == answer[2:]
    assert_rule(second, "6.5.4.4.1", result="none")
    assert squad.suppression is Marker.NONE


@pytest.mark.rule("6.5.4.4")
@pytest.mark.parametrize(
    ("edition", "card", "defence", "roll", "cell"),
    [("2024", "sherman3", 3, 71, (39, 69)), ("2016", "is2m", 8, 83, (62, 92))],
)
def test_6_6_10_overwatch_of_the_overrun_situation(
    edition: Edition, card: str, defence: int, roll: int, cell: tuple[int, int]
) -> None:
    """L3778-3802, 2016:L3831-3847: moving -10, A-type -20, overwatch -5; no effect."""
    half = a_leg("g1", "C5", "german_rifle_half_squad", command=Command.OVERWATCH, revealed=True)
    tank = a_tank("s1", "C6", card, command=Command.MOVE, revealed=True)
    table = an_advanced_table(half, tank, edition=edition, dice=[roll])
    attack = direct_attack(
        table.data, table.state, half, weapons_of(table.data, half)[0], tank, kind="ow", rule="6.5.3"
    )
    assert attack is not None
    found = run_step(table, resolve_gp(table, attack)).result
    made = assert_rule(found, "6.5.4.4", result="none", inputs={"net": -35, "total": roll - 35, "defence": defence})
    assert isinstance(made, Finding) and (made.inputs["no_effect"], made.inputs["suppressed"]) == cell


# --- 6.5.4.4.2 vehicles ----------------------------------------------------------------------------------------

SUPPRESSED, EFFECTIVE = "suppressed", "effective"


def at_vehicle(
    edition: Edition, card: str, total: str | int, *dice: int, target: dict[str, Any] | None = None, **attack: Any
) -> tuple[Finding, Unit]:
    """GP fire at a vehicle in the open with a result of suppressed or effective (or with this total)."""
    unit = a_tank("s1", "C5", card, **(target or {}))
    table = an_advanced_table(unit, a_leg("g1", "C8", GERMAN), edition=edition)
    given: dict[str, Any] = {"firer": "g1", "factor": 8, **attack}
    modifiers = int(net(table, "s1", **{"column": "S", **given}).result)
    cell = table.data.advanced.gp_limits(given["factor"], table.data.vehicle(unit).defence)
    wanted = {SUPPRESSED: cell.no_effect + 1, EFFECTIVE: cell.suppressed + 1}.get(str(total), total)
    if total == EFFECTIVE:
        wanted = next(number for number in range(int(wanted), int(wanted) + 10) if number % 5)
    roll = int(wanted) - modifiers
    if roll > 100:  # a row of another chart helps
        given["more"] = ((_a_row(30), 1),)
        roll -= 30
    table = an_advanced_table(unit, a_leg("g1", "C8", GERMAN), edition=edition, dice=[roll, *dice])
    return fire(table, target="s1", **{"column": "S", **given}).result, unit


def _a_row(value: int) -> AdvancedModifier:
    """6.7.3.5 A row of another chart."""
    return AdvancedModifier(when="low", value=value, rule="6.7.3.5", source="test", text="test")


A_TYPE, P_TYPE, S_TYPE = "t34_76", "su76m", "zis5"  # defence 4, 2, 1
NEAR = ("P", "S", "M", "L", "E")


@pytest.mark.rule("6.5.4.4.2/small-arms", "6.5.4.4.2/target-type")
@pytest.mark.parametrize(
    ("edition", "rules"),
    [
        pytest.param(
            "2024",
            ("suppressed-sa-a", "suppressed-sa-p", "suppressed-sa-s", "effective-sa-a", "effective-sa-p",
             "effective-sa-s"),
            marks=pytest.mark.rule(
                "6.5.4.4.2/suppressed-sa-a", "6.5.4.4.2/suppressed-sa-p", "6.5.4.4.2/suppressed-sa-s",
                "6.5.4.4.2/effective-sa-a", "6.5.4.4.2/effective-sa-p", "6.5.4.4.2/effective-sa-s",
                editions=("2024",),
            ),
        ),
        pytest.param(
            "2016",
            ("sup-small-a", "sup-small-p", "sup-small-s", "eff-small-a", "eff-small-p", "eff-small-s"),
            marks=pytest.mark.rule(
                "6.5.4.4.2/sup-small-a", "6.5.4.4.2/sup-small-p", "6.5.4.4.2/sup-small-s",
                "6.5.4.4.2/eff-small-a", "6.5.4.4.2/eff-small-p", "6.5.4.4.2/eff-small-s", editions=("2016",),
            ),
        ),
    ],
)  # fmt: skip
def test_6_5_4_4_2_small_arms_by_type_and_range(edition: Edition, rules: tuple[str, ...]) -> None:
    """L2997-3071."""
    yes, no = "suppressed", "none"
    expected = [
        (A_TYPE, SUPPRESSED, [yes, no, no, no, no]),
        (P_TYPE, SUPPRESSED, [yes, yes, no, no, no]),
        (S_TYPE, SUPPRESSED, [yes] * 5),
        (A_TYPE, EFFECTIVE, [yes, yes, no, no, no]),
        (P_TYPE, EFFECTIVE, ["damaged", yes, no, no, no]),
        (S_TYPE, EFFECTIVE, ["ko"] * 5),
    ]
    for rule, (card, result, outcomes) in zip(rules, expected, strict=True):
        for column, outcome in zip(NEAR, outcomes, strict=True):
            found, unit = at_vehicle(edition, card, result, 10, 100, **small_arms(column))
            assert_rule(found, f"6.5.4.4.2/{rule}", result=outcome)
            assert unit.suppressed == (outcome == yes) and unit.alive == (outcome != "ko")
            assert (unit.damage is Damage.NONE) == (outcome != "damaged")
    assert_rule(found, "6.5.4.4.2/small-arms", result=True)
    assert_rule(found, "6.5.4.4.2/target-type", result="S")


@pytest.mark.parametrize(
    ("edition", "rules"),
    [
        pytest.param(
            "2024",
            ("suppressed-non-sa", "effective-non-sa-a-p", "effective-non-sa-s"),
            marks=pytest.mark.rule(
                "6.5.4.4.2/suppressed-non-sa", "6.5.4.4.2/effective-non-sa-a-p", "6.5.4.4.2/effective-non-sa-s",
                editions=("2024",),
            ),
        ),
        pytest.param(
            "2016",
            ("sup-nonsmall-aps", "eff-nonsmall-ap", "eff-nonsmall-s"),
            marks=pytest.mark.rule(
                "6.5.4.4.2/sup-nonsmall-aps", "6.5.4.4.2/eff-nonsmall-ap", "6.5.4.4.2/eff-nonsmall-s",
                editions=("2016",),
            ),
        ),
    ],
)  # fmt: skip
def test_6_5_4_4_2_other_weapons_test_their_effectiveness(edition: Edition, rules: tuple[str, ...]) -> None:
    """L3015-3043: suppressed at any range; effective only if the highest effectiveness reaches the defence of A and
    P types. Up to it a roll of 10 brews up."""
    for card in (A_TYPE, P_TYPE, S_TYPE):
        for column in NEAR:
            found, unit = at_vehicle(edition, card, SUPPRESSED, column=column, effectiveness=1)
            assert_rule(found, f"6.5.4.4.2/{rules[0]}", result="suppressed")
            assert unit.suppression is Marker.ON
    found, unit = at_vehicle(edition, A_TYPE, EFFECTIVE, effectiveness=3)
    assert_rule(found, f"6.5.4.4.2/{rules[1]}", result="suppressed")
    assert unit.alive and unit.suppressed
    found, unit = at_vehicle(edition, A_TYPE, EFFECTIVE, 5, effectiveness=4)
    assert_rule(found, f"6.5.4.4.2/{rules[1]}", result="ko")
    found, unit = at_vehicle(edition, P_TYPE, EFFECTIVE, 4, effectiveness=4)
    assert_rule(found, f"6.5.4.4.2/{rules[1]}", result="bu")
    found, unit = at_vehicle(edition, S_TYPE, EFFECTIVE, 1, effectiveness=0)
    assert_rule(found, f"6.5.4.4.2/{rules[2]}", result="ko")
    assert unit.status is Status.ELIMINATED


@pytest.mark.rule("5.12")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("factor", "roll", "outcome"), [(1, 1, "bu"), (1, 2, "ko"), (9, 4, "bu"), (9, 5, "ko")])
def test_6_5_4_4_2_small_arms_brew_up_to_half_their_factor(
    factor: int, roll: int, outcome: str, edition: Edition
) -> None:
    """L3069-3071, L1476-1484: rounded down, but half of 1 is 1."""
    found, _ = at_vehicle(edition, S_TYPE, EFFECTIVE, roll, factor=factor, **small_arms("M"))
    assert_rule(found, "5.12", inputs={"factor": factor}, result=max(1, factor // 2))
    assert found.result == outcome


def test_6_5_4_5_nobody_bails_out_of_a_vehicle_on_which_a_building_has_come_down() -> None:
    tank = a_tank("s1", "C5", P_TYPE, inside=Inside.BUILDING)
    board = ground(C5="wood_building")
    table = an_advanced_table(tank, a_leg("g1", "C8", GERMAN), board=board, dice=[85, 3, 100, 100])
    found = fire(table, firer="g1", target="s1", factor=12, effectiveness=6).result
    assert found.result == "damaged" and not tank.alive


@pytest.mark.parametrize(
    ("edition", "rule"),
    [
        pytest.param(
            "2024", "6.5.4.4.2/rule-of-5-and-10",
            marks=pytest.mark.rule("6.5.4.4.2/rule-of-5-and-10", editions=("2024",)),
        ),
        pytest.param(
            "2016", "6.5.4.4.2/rule-5-10", marks=pytest.mark.rule("6.5.4.4.2/rule-5-10", editions=("2016",))
        ),
    ],
)  # fmt: skip
def test_6_5_4_4_2_the_rule_of_5s_and_10s(edition: Edition, rule: str) -> None:
    """L3005-3013, 2016:L3086-3090: totals that end in 5 damage, in 0 hit the track; only effective ones."""
    split = edition == "2024"
    for total, outcome in ((75, "damaged"), (95, "damaged"), (80, "track"), (100, "track"), (110, "track")):
        dice = [3, 100] if outcome == "damaged" and split else [100]
        found, unit = at_vehicle(edition, P_TYPE, total, *dice, factor=4, effectiveness=2)
        assert_rule(found, rule, result=outcome)
        assert unit.track_hit == (outcome == "track") and not unit.suppressed
    assert unit.damage is Damage.NONE
    found, unit = at_vehicle(edition, P_TYPE, 70, factor=4, effectiveness=2)  # 43/71: suppressed only
    assert found.result == "suppressed" and not unit.track_hit


@pytest.mark.parametrize(
    ("edition", "card", "dice", "damage"),
    [
        ("2024", P_TYPE, [4], Damage.TURRET),
        ("2024", P_TYPE, [5], Damage.HULL),
        ("2024", S_TYPE, [], Damage.HULL),  # unarmed
        ("2016", P_TYPE, [], Damage.WHOLE),
    ],
)
def test_6_5_4_4_2_what_is_damaged(edition: Edition, card: str, dice: list[int], damage: Damage) -> None:
    """L3021-3043: a roll of 10, 1 to 4 turret; the 2016 book has one damage."""
    _, unit = at_vehicle(edition, card, 95, *dice, 100, factor=4, effectiveness=2)
    assert unit.damage is damage


@pytest.mark.rule("6.5.4.4.2/hull-down-track", editions=("2024",))
def test_6_5_4_4_2_direct_fire_hits_no_track_of_a_hull_down_vehicle() -> None:
    """L3029: indirect fire does."""
    for position in (HullDown.HD, HullDown.PHD):
        for kind, outcome in (("df", "none"), ("if", "track")):
            tank = a_tank("s1", "C5", P_TYPE, facing=4, hull_down=position)
            modifiers = -10
            table = an_advanced_table(tank, a_leg("g1", "C8", GERMAN), dice=[90 - modifiers, 100])
            more = {"target": "s1"} if kind == "df" else {"hexes": (a_hex("C5"),), "point": a_hex("C5")}
            found = fire(table, firer="g1", kind=kind, factor=4, **more).result
            assert found.result == outcome and tank.track_hit == (outcome == "track")
            if outcome == "none":
                assert_rule(found, "6.5.4.4.2/hull-down-track", result="none", inputs={"position": position.value})


@pytest.mark.parametrize(("total", "outcome", "alive"), [(90, "none", True), (95, "ko", False)])
def test_6_5_2_2_1_a_second_track_hit_is_ignored_and_a_second_damage_knocks_out(
    total: int, outcome: str, alive: bool
) -> None:
    """L2479, L2523: neither suppresses, and the crew does not check for them."""
    damaged = {"track_hit": True, "damage": Damage.HULL}
    found, unit = at_vehicle("2024", P_TYPE, total, 2, target=damaged, factor=4, effectiveness=2)
    assert found.result == outcome and unit.alive == alive and not unit.suppressed


@pytest.mark.rule("6.5.4.4.2/bu-suppresses-hex", editions=("2024",))
def test_6_5_4_4_2_a_brew_up_suppresses_all_friends_in_the_hex_but_those_under_cover() -> None:
    """L3041, L2679-2681: passengers of an SPW 251/1 are under cover; enemies and other hexes are not concerned."""
    table = an_advanced_table(
        a_tank("s1", "C5", S_TYPE),
        a_leg("s2", "C5", SOVIET),
        a_tank("s3", "C5", "t34_76"),
        a_tank("s4", "C5", CARRIER),
        a_leg("s5", "C5", SOVIET, aboard="s4"),
        a_leg("s6", "C5", SOVIET, aboard="s3"),
        a_leg("s7", "C6", SOVIET),
        a_leg("g1", "C8", GERMAN),
        dice=[94, 1],
    )
    found = fire(table, firer="g1", target="s1").result
    assert found.result == "bu"
    assert_rule(found, "6.5.4.4.2/bu-suppresses-hex", inputs={"unit": "s2"}, result="suppressed")
    shocked = [unit.id for unit in table.state.vehicles.values() if unit.suppressed]
    assert shocked == ["s2", "s3", "s4", "s6"]
    assert table.state.wrecks["C5"].brewed_up


# --- 6.5.4.4.3 leg and towed units -----------------------------------------------------------------------------


@pytest.mark.rule("6.5.4.4.3")
@pytest.mark.parametrize(
    ("edition", "suppressed", "effective"),
    [
        pytest.param(
            "2024", "6.5.4.4.3/suppressed", "6.5.4.4.3/effective-units",
            marks=pytest.mark.rule("6.5.4.4.3/suppressed", "6.5.4.4.3/effective-units", editions=("2024",)),
        ),
        pytest.param(
            "2016", "6.5.4.4.3/leg-towed-suppressed", "6.5.4.4.3/leg-towed-effective",
            marks=pytest.mark.rule(
                "6.5.4.4.3/leg-towed-suppressed", "6.5.4.4.3/leg-towed-effective", editions=("2016",)
            ),
        ),
    ],
)  # fmt: skip
def test_6_5_4_4_3_leg_and_towed_units(edition: Edition, suppressed: str, effective: str) -> None:
    """L3077-3081: a squad becomes a suppressed half-squad and keeps its weapons; the others are eliminated."""
    weapon = next(iter(advanced_data(edition=edition).book.attached))
    squad = a_leg("s1", "C5", GERMAN, weapons=(weapon,))
    gun = a_gun("s2", "D5", "pak38")
    table = an_advanced_table(squad, gun, a_leg("g1", "C8", SOVIET), edition=edition, dice=[50, 100, 90, 100])

    assert_rule(fire(table, firer="g1", target="s1").result, suppressed, result="suppressed")
    assert squad.suppression is Marker.ON and squad.card == GERMAN
    assert_rule(fire(table, firer="g1", target="s1").result, effective, result="reduced")
    assert (squad.card, squad.weapons, squad.suppression) == ("german_rifle_half_squad", (weapon,), Marker.ON)
    assert_rule(fire(table, firer="g1", target="s1", **small_arms("E")).result, effective, result="eliminated")
    found = fire(table, firer="g1", target="s2").result
    assert_rule(found, "6.5.4.4.3", result="eliminated")
    assert not squad.alive and not gun.alive and not table.state.wrecks


@pytest.mark.rule("6.5.4.4/separate-rolls", editions=("2024",))
def test_6_5_4_4_a_pattern_attacks_friend_and_foe_hex_by_hex_units_before_terrain() -> None:
    """L2729, L2983-2987: from the point outwards, vehicles with their passengers first."""
    board = ground(C5="brick_building")
    table = an_advanced_table(
        a_leg("g1", "D5", GERMAN),
        a_tank("s1", "C5", TRUCK),
        a_leg("s2", "C5", SOVIET, aboard="s1"),
        a_leg("s0", "C5", SOVIET),
        a_leg("s3", "C4", SOVIET),
        board=board,
        dice=[1] * 6,
    )
    hexes = tuple(a_hex(name) for name in ("C4", "D5", "C5"))
    attack = GpAttack(kind="if", factor=2, firer="gb1", point=a_hex("C5"), hexes=hexes, effectiveness=3)
    assert pattern_of(table.state, attack)[0] == a_hex("C5")
    found = run_step(table, resolve_gp(table, attack)).result
    rolled = [subjects for _, subjects in table.chance.rolled]  # type: ignore[attr-defined]
    assert rolled == [("s1",), ("s2",), ("s0",), ("brick_building C5",), ("s3",), ("g1",)]
    assert_rule(found, "6.5.4.4/separate-rolls", inputs={"unit": "s1"})


# --- 6.5.4.2.5 terrain -----------------------------------------------------------------------------------------


def a_feature(type: str, hex: str = "C5", **more: Any) -> dict[str, Feature]:
    return {"f1": Feature(id="f1", type=type, hex=a_hex(hex), **more)}


@pytest.mark.rule("6.5.4.2.5", "6.5.4.4.3/building")
@pytest.mark.parametrize(
    ("edition", "attacked", "effective"),
    [
        pytest.param(
            "2024", "6.5.4.2.5/when-attacked", "6.5.4.4.3/effective-terrain",
            marks=pytest.mark.rule("6.5.4.2.5/when-attacked", "6.5.4.4.3/effective-terrain", editions=("2024",)),
        ),
        pytest.param(
            "2016", "6.5.4.2.5", "6.5.4.4.3/terrain-effective",
            marks=pytest.mark.rule("6.5.4.4.3/terrain-effective", editions=("2016",)),
        ),
    ],
)  # fmt: skip
def test_6_5_4_4_3_a_building_falls_after_two_effective_results(
    edition: Edition, attacked: str, effective: str
) -> None:
    """L2795-2803, L3085-3093: direct fire at a unit inside also attacks the building; all in the hex are lost."""

    def scene(*dice: int) -> Table[PanzerState]:
        return an_advanced_table(
            a_leg("s1", "C5", SOVIET),
            a_tank("s2", "C5", "t34_76"),
            a_leg("s3", "C5", SOVIET, aboard="s2"),
            a_leg("g1", "C8", GERMAN),
            board=ground(C5="brick_building"),
            edition=edition,
            dice=dice,
        )

    table = scene(1, 100, 50)  # defence 8: 54/86
    found = fire(table, firer="g1", target="s1").result
    assert_rule(found, effective, result="none")
    assert table.state.vehicles["s1"].alive

    table = scene(1, 100, 100)
    found = fire(table, firer="g1", target="s1").result
    assert_rule(found, attacked, result="destroyed", inputs={"feature": "brick_building"})
    assert_rule(found, effective, result="destroyed")
    assert_rule(found, "6.5.4.2.5", result=8)
    assert_rule(found, "6.5.4.4.3/building", result="brick_rubble")
    assert [unit.id for unit in table.state.of("soviet")] == [] and not table.state.wrecks
    assert [feature.type for feature in table.state.features.values()] == ["brick_rubble"]
    assert vulnerable_terrain(table.data, table.state, a_hex("C5")) == []  # it is rubble now


def test_6_5_4_2_5_small_arms_and_fire_at_units_in_the_alley_attack_no_building() -> None:
    """L2795-2801."""
    table = an_advanced_table(
        a_leg("s1", "C5", SOVIET), a_tank("s2", "C5", "t34_76"), a_leg("g1", "C8", GERMAN),
        board=ground(C5="brick_building"), dice=[1, 1],
    )  # fmt: skip
    fire(table, firer="g1", target="s1", **small_arms("S"))
    fire(table, firer="g1", target="s2")


@pytest.mark.rule("6.5.4.4.3/bridge", "6.5.4.4.3/improved-position", "6.5.4.4.3/block-mines-wire")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_5_4_4_3_bridges_positions_blocks_mines_and_wire(edition: Edition) -> None:
    """L3097-3109: bridge and position take their units with them; mines need one effective result."""

    def destroy(type: str, dice: list[int], **more: Any) -> tuple[Finding, PanzerState]:
        table = an_advanced_table(
            a_leg("s1", "C5", SOVIET, position="f1" if type == "improved_position" else ""),
            a_leg("s2", "C5", SOVIET),
            features=a_feature(type, **more),
            edition=edition,
            dice=[1, 1, *dice],
        )
        hexes = (a_hex("C5"),)
        found = fire(table, kind="if", firer="gb1", hexes=hexes, point=hexes[0], factor=6, effectiveness=6).result
        return found, table.state

    found, state = destroy("bridge", [100, 100], defence=5)
    assert_rule(found, "6.5.4.4.3/bridge", result="bridge_rubble")
    assert not list(state.of("soviet"))
    found, state = destroy("improved_position", [100, 100])
    assert_rule(found, "6.5.4.4.3/improved-position", result="position_rubble")
    assert [unit.id for unit in state.of("soviet")] == ["s2"]
    for type, dice, more in (
        ("block", [100, 100], {"defence": 3}),
        ("wire", [100, 100], {"defence": 3}),
        ("hasty_mines", [100], {}),
        ("deliberate_mines", [100], {}),
    ):
        found, state = destroy(type, dice, **more)
        assert_rule(found, "6.5.4.4.3/block-mines-wire", result="removed")
        assert len(list(state.of("soviet"))) == 2 and not state.features
    found, state = destroy("block", [])  # L2799: no value, no target
    assert state.features


def test_6_5_4_2_5_what_befalls_hidden_mines_only_their_owner_learns() -> None:
    table = an_advanced_table(
        features=a_feature("hasty_mines", side="german", known=("german",)), dice=[100], sides=("german", "soviet")
    )
    found = fire(table, kind="if", firer="gb1", hexes=(a_hex("C5"),), point=a_hex("C5")).result
    assert [child.to for child in found.children] == [("german",)]


# --- 6.5.4.5 bail out ------------------------------------------------------------------------------------------


@pytest.mark.rule("6.5.4.5")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_5_4_5_the_checks_follow_all_rolls_carrier_first(edition: Edition) -> None:
    """L1532, L2781-2783: the truck is knocked out, its suppressed passenger checks the KO row, not Suppressed."""
    truck, rider = a_tank("s1", "C5", S_TYPE), a_leg("s2", "C5", SOVIET, aboard="s1")
    table = an_advanced_table(truck, rider, a_leg("g1", "C8", GERMAN), edition=edition, dice=[92, 10, 30, 21])
    found = fire(table, firer="g1", target="s1").result
    assert_rule(found, "6.5.4.5", inputs={"carrier": "s1"}, result=["s2"])
    assert not truck.alive and rider.alive and not rider.aboard and rider.suppression is Marker.ON


@pytest.mark.rule("6.5.4.5/suppressed-passengers", editions=("2024",))
def test_6_5_4_5_only_newly_suppressed_passengers_check_and_never_the_crew() -> None:
    """L3113-3115: On stays aboard unchecked, Off to On checks."""
    for before, checks in ((Marker.NONE, 1), (Marker.OFF, 1), (Marker.ON, 0)):
        rider = a_leg("s2", "C5", SOVIET, aboard="s1", suppression=before)
        table = an_advanced_table(
            a_tank("s1", "C5", S_TYPE), rider, a_leg("g1", "C8", GERMAN), dice=[30, 30, *[20] * checks]
        )
        found = fire(table, firer="g1", target="s1").result
        assert not table.chance.left  # type: ignore[attr-defined]
        assert bool(rider.aboard) == (not checks)
        if checks:
            assert_rule(found, "6.5.4.5/suppressed-passengers", result="bails-out", inputs={"unit": "s2"})


def test_5_15_the_crew_bails_out_and_the_passengers_follow() -> None:
    """L1534: indirect fire damages the carrier and its crew leaves: the suppressed passenger leaves unrolled."""
    rider = a_leg("s2", "C5", SOVIET, aboard="s1")
    truck = a_tank("s1", "C5", S_TYPE)
    table = an_advanced_table(truck, rider, dice=[95, 40, 30])
    fire(table, kind="if", firer="gb1", hexes=(a_hex("C5"),), point=a_hex("C5"))
    assert truck.bailed_out and not rider.aboard and rider.suppressed


# --- 5.1.3.4, 6.7 other kinds of fire --------------------------------------------------------------------------


def test_5_1_3_4_a_hand_held_weapon_attacks_only_the_passengers_by_gp_fire() -> None:
    truck, rider = a_tank("s1", "C5", S_TYPE), a_leg("s2", "C5", SOVIET, aboard="s1")
    table = an_advanced_table(truck, rider, a_leg("g1", "C6", GERMAN), dice=[1])
    fire(table, firer="g1", target="s1", passengers_only=True)
    assert rider.under_fire and not truck.under_fire


def test_6_7_4_2_1_a_crash_is_effective_against_every_vehicle_and_brews_up_to_7() -> None:
    """L4077, A50."""
    for roll, outcome in ((7, "bu"), (8, "ko")):
        tank = a_tank("s1", "C5", "is2m")
        table = an_advanced_table(tank, dice=[97, roll])
        found = fire(
            table, kind="crash", factor=15, hexes=(a_hex("C5"),), point=a_hex("C5"), sure=True, effectiveness=0
        )
        assert found.result.result == outcome


# --- 6.1.4.3.10 direct smoke -----------------------------------------------------------------------------------


@pytest.mark.rule("6.1.4.3.10")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_1_4_3_10_direct_smoke(edition: Edition) -> None:
    """L1818-1841: into a hex in sight and GP range without friends; it takes effect when the step is over."""
    data = advanced_data(edition=edition)
    card, arm = next(
        (id, arm)
        for id, card in data.book.vehicles.items()
        for arm in weapons_of(data, a_tank("g1", "C8", id))
        if arm.smoke
    )
    tank = a_tank("g1", "C8", card)
    bare = next(arm for arm in weapons_of(data, a_leg("g2", "C5", GERMAN)) if not arm.smoke)
    table = an_advanced_table(tank, a_leg("g2", "C5", GERMAN), a_leg("s1", "C2", SOVIET), edition=edition)

    def objections(hex: Hex, weapon: Any = arm) -> list[Any]:
        return list(smoke_objections(data, table.state, tank, weapon, hex))

    assert objections(a_hex("C6")) == []
    assert_rule(objections(a_hex("C5")), "6.1.4.3.10", why="there are friendly units in C5")
    assert objections(a_hex("C6"), bare) and objections(Hex(500, 500))

    assert_rule(lay_smoke(table, tank, a_hex("C6")), "6.1.4.3.10", result="smoke")
    assert net(table, "s1", firer="g2").result == 0
    assert net(table, "s1", firer="g1").result == 0  # fresh: not in this step
    settle(table.state)
    assert net(table, "s1", firer="g1").result == -20


def test_6_1_4_3_10_engineers_lay_smoke_in_an_adjacent_hex() -> None:
    data = advanced_data()
    sapper = a_leg("g1", "C5", SAPPER, labels=("engineer",))
    state = an_advanced_state(sapper)
    arm = weapons_of(data, sapper)[0]
    assert list(smoke_objections(data, state, sapper, arm, a_hex("C4"))) == []
    assert list(smoke_objections(data, state, sapper, arm, a_hex("C3")))
    rifle = a_leg("g2", "C5", GERMAN)
    assert list(smoke_objections(data, state, rifle, arm, a_hex("C4")))


# --- what the rulings say --------------------------------------------------------------------------------------


def test_6_5_4_2_2_an_overstacked_hex_covers_leg_units_but_not_guns_and_an_entrenchment_only_hinders() -> None:
    """RULING: guns count for stacking and lose their cover; in an entrenchment the terrain gives the defence."""
    crowd = [a_tank(f"g{number}", "C5") for number in range(3, 8)]
    squad, gun = a_leg("g1", "C5", GERMAN), a_gun("g2", "C5", "pak38")
    hole = Feature(id="f1", type="hasty_entrenchment", hex=a_hex("D5"), holder="g9", stage=4)
    dug_in = a_leg("g9", "D5", GERMAN, position="f1")
    data = advanced_data(ground(C5="medium_grove"))
    state = an_advanced_state(squad, gun, *crowd, dug_in, features={"f1": hole})
    assert gp_defence(data, state, squad).result == 6
    assert gp_defence(data, state, gun).result == data.book.towed["pak38"].defence.none.value
    assert gp_defence(data, state, dug_in).result == 2


@pytest.mark.rule("6.5.4.4")
def test_6_5_4_4_a_factor_above_15_uses_the_last_column() -> None:
    table = an_advanced_table(a_leg("s1", "C5", SOVIET), a_leg("g1", "C8", GERMAN), dice=[1])
    found = fire(table, firer="g1", target="s1", factor=19).result
    assert_rule(found, "6.5.4.4", cell=[15, 2], inputs={"no_effect": -1, "suppressed": 38})


@pytest.mark.rule("6.5.4.3")
def test_6_2_1_1_3_a_shared_counter_is_shown_once_for_all_who_share_it() -> None:
    """The owner shows the counter, whichever unit it is on."""
    holder = a_tank("s1", "C5", "t34_76", command=Command.MOVE)
    mate = a_tank("s2", "C6", "t34_76", command=Command.MOVE, shares="s1")
    table = an_advanced_table(holder, mate, a_leg("g1", "C8", GERMAN, command=Command.FIRE), dice=[1, 1])
    played = fire(table, {"show": [True]}, firer="g1", target="s2", **small_arms("S"))
    assert played.asks[0].subject == "s1" and holder.shown and mate.shown
    assert_rule(played.result, "6.5.4.3", result=-30)
    assert fire(table, firer="g1", target="s1", **small_arms("S")).asks == []


def test_6_5_4_4_2_a_track_hit_does_not_end_the_moving_of_a_vehicle() -> None:
    """L2487-2491: it still counts as moving this turn."""
    table = a_scene("2024")
    change(table, "s2", command=Command.MOVE, track_hit=True)
    assert net(table, "s2", firer="g1").result == -30


@pytest.mark.rule("6.5.4.3/leg-crawling", "6.5.4.2.2")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_6_4_3_who_is_in_full_cover_with_a_move_counts_as_crawling_all_turn(edition: Edition) -> None:
    """A36: both before and after it crawls, and also if it does something else with its Move."""
    table = a_scene(edition)
    open_ground = gp_defence(table.data, table.state, table.state.vehicles["s1"]).result
    change(table, "s1", command=Command.MOVE, full_cover=True)
    squad = table.state.vehicles["s1"]
    assert not squad.crawling
    found = gp_defence(table.data, table.state, squad)
    assert_rule(found, "6.5.4.2.2", result=open_ground + 2)  # full cover, and nothing for moving
    assert_rule(net(table, "s1", firer="g1"), "6.5.4.3/leg-crawling", result=10)
    assert_rule(net(table, "s1", firer="gb1", kind="if"), "6.5.4.3/leg-crawling", result=10)
    for other in ({"command": Command.OVERWATCH}, {"full_cover": False}):
        change(table, "s1", **{"command": Command.MOVE, "full_cover": True, **other})
        assert net(table, "s1", firer="g1").result == 0
