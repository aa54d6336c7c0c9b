"""6.5.4.1-6.5.4.3 GP fire: factor, defence and modifiers, in both editions."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state, an_advanced_table
from titles.panzer.builders import a_board, a_hex, brewed_up
from titles.panzer.fire.gp_attacks import (
    BRITISH,
    CARRIER,
    GERMAN,
    SOVIET,
    TRUCK,
    a_scene,
    change,
    fire,
    ground,
    net,
    small_arms,
)

from pbem.engine.rules.findings import Finding
from pbem.titles.panzer.cards.advanced_charts import advanced_charts
from pbem.titles.panzer.cards.basic_rows import EDITIONS, Edition
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.fire.gp_defence import aircraft_defence, gp_defence
from pbem.titles.panzer.fire.gp_fire import gp_factor
from pbem.titles.panzer.fire.gp_modifiers import CONDITIONS
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.setup.scenario import Sun
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import (
    AircraftState,
    Cloud,
    Command,
    Damage,
    Feature,
    Inside,
    Marker,
    Unit,
)

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
    """L2739-2741, L3121, L3137; 2016:L2820, L3208, L3222: the first range that covers the distance counts."""
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
    """L2751, 2016:L2830: a vehicle's card prints its GP defence and its type."""
    unit = a_tank("g1", "C3", card, command=Command.MOVE)
    found = gp_defence(Situation(advanced_data(edition=edition), an_advanced_state(unit)), unit)
    assert_rule(found, "6.5.4.2.1", result=defence, inputs={"type": type})
    assert_rule(found, "6.5.4.2", result=defence)


@pytest.mark.rule("6.5.4.2.2")
@pytest.mark.parametrize(
    ("edition", "card", "woods"), [("2024", "italian_infantry_squad", "medium_grove"), ("2016", GERMAN, "woods")]
)
def test_6_5_4_2_2_the_defence_of_leg_units_by_cover_full_cover_and_movement(
    edition: Edition, card: str, woods: str
) -> None:
    """L2771-2775, 2016:L2846: leg units have 2S in the clear, 6S in medium cover (moving 4S), 8S in a position."""
    data = advanced_data(ground(D4=woods), edition=edition)
    side = {"side": "german"}
    open_ground = a_leg("g1", "C3", card, command=Command.FIRE, **side)
    moving = a_leg("g2", "D4", card, command=Command.MOVE, **side)
    dug_in = a_leg("g3", "E5", card, command=Command.FIRE, full_cover=True, position="f1", **side)
    position = Feature(id="f1", type="improved_position", hex=a_hex("E5"), holder="g3")
    state = an_advanced_state(open_ground, moving, dug_in, features={"f1": position})

    assert_rule(
        gp_defence(Situation(data, state), open_ground), "6.5.4.2.2", result=2, inputs={"type": "S", "cover": "none"}
    )
    assert_rule(
        gp_defence(Situation(data, state), moving), "6.5.4.2.2", result=4, inputs={"cover": "medium", "printed": 6}
    )
    assert_rule(
        gp_defence(Situation(data, state), dug_in), "6.5.4.2.2", result=10, inputs={"cover": "heavy", "printed": 8}
    )


@pytest.mark.rule("6.5.4.2.2/full-cover", "6.5.4.2.2/moving", "6.5.4.2.2/several-terrains", editions=("2024",))
def test_6_5_4_2_2_the_net_defence_stays_within_1_and_10() -> None:
    """L2761-2763: full cover is +2 for leg units and +1 for towed units, moving is -2; the best terrain counts."""
    data = advanced_data(ground(C3="scrub medium_grove"))
    gun = a_gun("g2", "E5", "pak38", command=Command.MOVE, full_cover=True)
    squad = a_leg("g1", "C3", GERMAN, command=Command.MOVE)
    crawling = a_leg("g3", "C3", GERMAN, command=Command.MOVE, crawling=True)
    state = an_advanced_state(gun, squad, crawling)

    assert_rule(gp_defence(Situation(data, state), squad), "6.5.4.2.2/several-terrains", result="medium")
    assert_rule(gp_defence(Situation(data, state), squad), "6.5.4.2.2/moving", result=-2)
    assert gp_defence(Situation(data, state), squad).result == 4
    assert gp_defence(Situation(data, state), crawling).result == 6  # 6.6.4.3
    assert_rule(gp_defence(Situation(data, state), gun), "6.5.4.2.2/full-cover", result=1)
    printed = data.book.towed["pak38"].defence.none.value
    assert gp_defence(Situation(data, state), gun).result == max(1, printed + 1 - 2)


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
    """L2765-2767, 2016:L2842: some terrain gives one cover against fire and another against spotting."""
    data = advanced_data(ground(C3=terrain), edition=edition)
    squad = a_leg("g1", "C3", GERMAN)
    found = gp_defence(Situation(data, an_advanced_state(squad)), squad)
    assert_rule(found, ledger_row(edition, "6.5.4.2.2/cover-exceptions"), result=combat)
    assert found.result == {"none": 2, "light": 4, "medium": 6, "heavy": 8}[combat]


def test_6_5_4_2_2_on_the_roof_of_a_desert_building_cover_is_light() -> None:
    """L2769: on the roof of a desert building, cover is light even on stone."""
    data = advanced_data(ground(C3="stone_building"), desert_buildings=True)
    squad = a_leg("g1", "C3", GERMAN, inside=Inside.UP)
    assert gp_defence(Situation(data, an_advanced_state(squad)), squad).result == 4


@pytest.mark.rule("6.5.4.2.3/values", "6.5.4.2.3", editions=("2024",))
def test_6_5_4_2_3_passengers_have_3_under_cover_and_1_otherwise() -> None:
    """L2759, L2785: the vehicle alone gives cover, not terrain or movement; each passenger rolls separately."""
    half_track = a_tank("g1", "C3", CARRIER, command=Command.MOVE)
    truck = a_tank("g2", "C3", TRUCK)
    riders = a_leg("g3", "C3", GERMAN, aboard="g1"), a_leg("g4", "C3", GERMAN, aboard="g2")
    state = an_advanced_state(half_track, truck, *riders)
    data = advanced_data(ground(C3="medium_grove"))
    assert_rule(
        gp_defence(Situation(data, state), state.vehicles["g3"]), "6.5.4.2.3/values", result=3, inputs={"type": "S"}
    )
    assert gp_defence(Situation(data, state), state.vehicles["g4"]).result == 1

    table = an_advanced_table(state=state, data=data, dice=[10, 10])
    assert_rule(fire(table, target="g2", asked=True).result, "6.5.4.2.3", inputs={"unit": "g4", "carrier": "g2"})


@pytest.mark.rule("6.5.4.2.3", editions=("2016",))
def test_6_5_4_2_3_passengers_in_the_2016_book() -> None:
    """2016: passengers have a defence of 3S under cover and 1S otherwise."""
    truck, rider = a_tank("g2", "C3", TRUCK), a_leg("g4", "C3", GERMAN, aboard="g2")
    table = an_advanced_table(truck, rider, edition="2016")
    assert_rule(gp_defence(table, rider), "6.5.4.2.3", result=1)


@pytest.mark.rule("6.5.4.2.4")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_5_4_2_4_aircraft_are_soft_and_have_a_printed_defence(edition: Edition) -> None:
    data = advanced_data(edition=edition)
    card = next(iter(data.book.aircraft))
    plane = AircraftState(id="ga", name="ga", side="german", card=card)
    printed = data.book.aircraft[card].defence.value
    assert_rule(aircraft_defence(data, plane), "6.5.4.2.4", result=printed, inputs={"type": "S"})


@pytest.mark.rule("6.5.4.3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_5_4_3_modifiers_are_cumulative(edition: Edition) -> None:
    """L2811, 2016:L2884: A-type target -20 and damaged shooter -10 give -30."""
    table = a_scene(edition)
    table.state.vehicles["g2"].damage = Damage.TURRET
    assert_rule(net(table, "s2", firer="g2"), "6.5.4.3", result=-30)


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


@pytest.mark.rule("5.12", effect=True)
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("when", "paragraph", "changes", "target", "attack", "value"), ROWS)
def test_6_5_4_3_each_row_alone(
    edition: Edition, when: str, paragraph: str, changes: Any, target: str, attack: Any, value: int
) -> None:
    """L2815-2967: the finding contains the row under its paragraph, and no other but that for the target's type."""
    table = a_scene(edition)
    for unit, values in changes.items():
        change(table, unit, **values)
    found = net(table, target, **{"firer": "g1", **attack})
    rule = ledger_row(edition, f"6.5.4.3/{paragraph}")
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
    """L2815-2967: every row of GP modifiers has its value under the numbers of either book."""
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
    """L2899-2903: guns and leg units never adjust; L2895: on-map fire has no open sheaf.

    L2955: coax does not count against armour or beyond point-blank range; 5.8.3: grade does not affect indirect fire;
    L2985: vehicle rows do not apply to passengers.
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
    """L2829-2831: against fire from above, a vehicle's cover counts only if it is overhead."""
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
    """L2829, 3.8: in an overstacked hex, terrain gives no cover."""
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
    """L2839: a wall protects a leg target once, however often it is crossed, and only from direct fire."""
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
    """2016:L2878-3036: cavalry is +10; a target on a railroad is -5 against direct fire."""
    data = advanced_data(ground(C5="railroad"), edition="2016")
    horse = next(id for id, card in data.book.legs.items() if card.mount == "cavalry" and card.size == "squad")
    state = an_advanced_state(a_leg("g1", "C8", GERMAN), a_leg("s1", "C5", horse), a_leg("s2", "D5", horse))
    table = an_advanced_table(state=state, data=data)
    assert_rule(net(table, "s2", firer="g1"), "6.5.4.3/target-cavalry", result=10)
    assert_rule(net(table, "s1", firer="g1"), "6.5.4.3/railroad-track", result=-5)
    assert net(table, "s1", firer="g1", kind="if").result == 10


@pytest.mark.rule("6.1.4.3.5", effect=True)
@pytest.mark.rule("6.5.4.3/hasty-entrenchment")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_5_4_3_a_finished_entrenchment_counts_for_every_fire(edition: Edition) -> None:
    """L2947: a finished entrenchment protects from every kind of fire."""
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
    """L2863-2883: each source counts once, not once per hex, whether it is in the firer's hex, on the
    line or in the target's hex."""
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


@pytest.mark.rule("5.11", effect=True)
@pytest.mark.rule("6.5.4.3/dust", "6.5.4.3/sun-blinding", editions=("2024",))
def test_6_5_4_3_dust_and_sun_by_scenario() -> None:
    """L2887-2891, L2925: every dusty hex counts; the scenario sets the modifier for the sun."""
    dust = Cloud(id="c1", type="dust", hexes=(a_hex("C6"), a_hex("C7")), fresh=False)
    table = a_scene("2024", clouds={"c1": dust}, scenario={"dust": True, "sun": Sun("north", -2, -15)})
    found = net(table, "s1", firer="g1")
    assert_rule(found, "6.5.4.3/dust", result=-10)
    assert_rule(found, "6.5.4.3/sun-blinding", result=-15)
    assert net(table, "s1", firer="g1", kind="if").result == 0


@pytest.mark.rule("6.1.3", effect=True)
@pytest.mark.rule("6.5.4.3/heat-haze")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_5_4_3_heat_haze_by_the_size_of_the_target(edition: Edition) -> None:
    """L2911-2921: haze applies from 3 hexes for small targets, 5 for large ones and 8 for vehicles."""
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
    """L2817-2819: the owner of every face-down vehicle is asked, whatever its command, and may decline.

    A command that was shown stays shown.
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
