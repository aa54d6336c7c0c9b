"""5.11, 5.13, 6.1.4 Terrain of the advanced game: cover, heights, hull-down positions, smoke on the line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.builders import a_board, a_hex, brewed_up

from pbem.engine.geometry.hexes import Hex, hex_name, ring
from pbem.titles.panzer.cards.basic_rows import EDITIONS, Cover
from pbem.titles.panzer.obstacles.buildings import entry_objections
from pbem.titles.panzer.setup.plotting import feature_objections
from pbem.titles.panzer.setup.scenario import FeatureRow, Sun
from pbem.titles.panzer.setup.scenario_file import Area
from pbem.titles.panzer.sighting.sight import line_of_sight, sees
from pbem.titles.panzer.sighting.terrain import (
    board_now,
    cover_of,
    edges_beyond,
    explain_cover,
    explain_hindrances,
    full_cover_objections,
    height_of,
    hindrances,
    hull_down_against,
    interior_of,
    is_entrenched,
    overhead_cover,
    settle,
    sun_blinds,
)
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Cloud, Feature, HullDown, Inside, Marker

both_editions = pytest.mark.parametrize("edition", EDITIONS)
SQUAD = "german_rifle_squad"


def a_feature(type: str, hex: str, **more) -> Feature:
    return Feature(id=f"f-{type}-{hex}", type=type, hex=a_hex(hex), known=("german", "soviet"), **more)


def a_cloud(type: str, *hexes: str, id: str = "c1", **more) -> Cloud:
    given = {"fresh": False, **more}
    return Cloud(id=id, type=type, hexes=tuple(map(a_hex, hexes)), **given)


def with_things(*things, units=(), **more):
    """Build a state with clouds and features."""
    clouds = {thing.id: thing for thing in things if isinstance(thing, Cloud)}
    features = {thing.id: thing for thing in things if isinstance(thing, Feature)}
    return an_advanced_state(*units, clouds=clouds, features=features, **more)


def kinds(data, state, start: str, end: str) -> list[str]:
    return [hindrance.kind for hindrance in hindrances(Situation(data, state), a_hex(start), a_hex(end))]


# --- 5.11 coexisting smoke -------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("5.11", "6.1.4.3.5")
def test_5_11_of_fire_and_barrage_in_one_hex_only_the_fire_counts(edition):
    """L1474: fire and a closed barrage give AP -5 and GP -20, and not another -3 and -10."""
    data = advanced_data(edition=edition)
    state = with_things(a_feature("on_fire", "A3"), a_cloud("barrage", "A3"))

    finding = explain_hindrances(Situation(data, state), a_hex("A1"), a_hex("A5"))

    assert_rule(finding, "5.11", result=["on_fire"])
    assert_rule(finding, "6.1.4.3.5", inputs={"where": "A3"}, result={"ap": -5, "gp": -20})


@both_editions
@pytest.mark.rule("6.1.4.3.10")
def test_6_1_4_3_10_smoke_counts_once_however_many_hexes_and_from_end_to_end(edition):
    """L2575-2577: smoke counts once per occurrence; a line may start in, pass through or end in it.

    L2587: a barrage does not count in addition.
    """
    data = advanced_data(edition=edition)
    state = with_things(a_cloud("smoke", "A1", "A2", "A3", open=True))

    assert kinds(data, state, "A1", "A5") == ["smoke_open"]
    assert kinds(data, state, "A3", "A6") == ["smoke_open"]
    assert kinds(data, state, "A4", "A6") == []
    assert kinds(data, state, "A2", "A2") == ["smoke_open"]
    finding = explain_hindrances(Situation(data, state), a_hex("A1"), a_hex("A5"))
    assert_rule(finding, "6.1.4.3.10", result={"ap": -3, "gp": -10})


@pytest.mark.rule("5.11", effect=True)
def test_5_11_distinct_sources_add_up_and_the_same_from_both_ends():
    data = advanced_data()
    state = with_things(
        a_cloud("smoke", "A2", id="c1"),
        a_cloud("barrage", "A3", id="c2", open=True),
        a_cloud("smoke", "A2", "A4", id="c3"),
        wrecks={"A5": brewed_up()},
    )

    assert kinds(data, state, "A1", "A6") == ["smoke_closed", "barrage_open", "smoke_closed", "brew_up_smoke"]
    assert sorted(kinds(data, state, "A6", "A1")) == sorted(kinds(data, state, "A1", "A6"))


@both_editions
@pytest.mark.rule("6.1.4.3.10")
def test_6_1_4_3_10_smoke_counts_from_the_end_of_the_step_that_made_it(edition):
    """L1839, 2016:L2000: smoke counts from the step after the one in which it was made."""
    data = advanced_data(edition=edition)
    state = with_things(a_cloud("smoke", "A3", fresh=True), a_feature("on_fire", "A4", fresh=True))

    assert kinds(data, state, "A1", "A5") == []
    settle(state)
    assert kinds(data, state, "A1", "A5") == ["smoke_closed", "on_fire"]
    assert_rule(
        explain_hindrances(Situation(data, state), a_hex("A1"), a_hex("A5")),
        "6.1.4.3.10",
        result={"ap": -5, "gp": -20},
    )


@pytest.mark.rule("6.1.4.3.12", editions=("2024",))
def test_6_1_4_3_12_every_dusty_hex_is_one_occurrence():
    """L1849-1871, A5: each dusty hex is AP -1 and GP -5; with smoke in the same hex only the smoke applies (R-19)."""
    data = advanced_data(dust=True)
    state = with_things(a_cloud("dust", "A2", "A3", id="c1"), a_cloud("smoke", "A3", id="c2"))

    assert kinds(data, state, "A1", "A4") == ["dust", "smoke_closed"]
    assert_rule(
        explain_hindrances(Situation(data, state), a_hex("A1"), a_hex("A4")),
        "6.1.4.3.12",
        result={"ap": -1, "gp": -5},
    )


@both_editions
@pytest.mark.rule("6.1.4")
def test_6_1_4_smoke_and_fire_never_block_a_line(edition):
    data = advanced_data(edition=edition)
    state = with_things(a_cloud("smoke", "A3"), a_feature("on_fire", "A2"))

    finding = line_of_sight(Situation(data, state), a_hex("A1"), a_hex("A4"))

    assert_rule(finding, "6.1.4", result="open")
    assert sees(Situation(data, state), a_hex("A1"), a_hex("A4"))


# --- 5.13 stacking ---------------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("5.13")
def test_5_13_six_vehicles_and_guns_lose_their_cover_and_leg_units_keep_it(edition):
    """L1488-1492: leg units and passengers neither count for stacking nor lose their cover."""
    wood = "m" if edition == "2024" else "W"
    data = advanced_data(a_board(signs={"C3": wood}), edition=edition)
    tanks = [a_tank(f"g{number}", "C3") for number in range(1, 6)]
    others = [a_leg("g8", "C3", SQUAD), a_gun("g9", "C3", "pak38", aboard="g1")]
    state = an_advanced_state(*tanks, *others)
    assert cover_of(Situation(data, state), tanks[0], "spotting") is Cover.MEDIUM

    crowded = an_advanced_state(*tanks, *others, a_gun("g6", "C3", "pak38"))
    finding = explain_cover(Situation(data, crowded), tanks[0], "gp")

    assert_rule(finding, "5.13", inputs={"cover": "medium"}, result=Cover.NONE)
    assert_rule(finding, "5.13", inputs={"units": 6}, result=True)
    assert cover_of(Situation(data, crowded), crowded.vehicles["g6"], "gp") is Cover.NONE
    assert cover_of(Situation(data, crowded), others[0], "gp") is Cover.MEDIUM


# --- 6.1.4.1 hull down -----------------------------------------------------------------------------------------


def a_hill(height: int = 3):
    """A hill of this height in C3, with flat ground around it."""
    levels = "\n".join("".join(str(height) if (c, r) == (3, 3) else "." for c in range(1, 10)) for r in range(1, 10))
    return a_board("\n".join(["." * 9] * 9), levels=levels)


@both_editions
@pytest.mark.rule("6.1.4.1", "6.1.4.1.3")
def test_6_1_4_1_3_a_higher_target_is_partial_hull_down_at_close_range(edition):
    """L1686, 2016:L1836: a target at height 3 is partially hull down for a firer at 0 at range 3, but not at 4."""
    data = advanced_data(a_hill(3), edition=edition)
    target = a_tank("g1", "C3")
    state = an_advanced_state(target)

    near, why = hull_down_against(Situation(data, state), target, a_hex("C6"))
    far, _ = hull_down_against(Situation(data, state), target, a_hex("C7"))

    assert (near, far) == (HullDown.PHD, HullDown.NONE)
    assert_rule(why, "6.1.4.1", result="phd")
    assert_rule(why, "6.1.4.1.3", inputs={"above": 3, "range": 3}, result="phd")
    assert hull_down_against(Situation(data, state), target, a_hex("C6"), up=1)[0] is HullDown.NONE


@both_editions
@pytest.mark.rule("6.1.4.3.2")
def test_6_1_4_3_2_both_vehicles_at_a_wall_are_hull_down_against_each_other(edition):
    """L1742-1746, 2016:L1904-1908: a wall between two vehicles' hexes makes both hull down to each other."""
    data = advanced_data(a_board(hexsides={"wall": ["C3:4"]}), edition=edition)
    one, other = a_tank("g1", "C3"), a_tank("s1", "C4", "t34_76")
    state = an_advanced_state(one, other)

    for target, from_hex in ((one, "C4"), (other, "C3")):
        status, why = hull_down_against(Situation(data, state), target, a_hex(from_hex))
        assert status is HullDown.HD
        assert_rule(why, "6.1.4.3.2", inputs={"hexside": "wall"}, result="hd")
    assert hull_down_against(Situation(data, state), one, a_hex("C1"))[0] is HullDown.NONE
    assert "6.1.4.1.1" not in [
        found.rule for found in every(hull_down_against(Situation(data, state), one, a_hex("C1"))[1])
    ]
    assert "6.1.4.1.2" not in [
        found.rule for found in every(hull_down_against(Situation(data, state), one, a_hex("C1"))[1])
    ]
    assert hull_down_against(Situation(data, state), other, a_hex("C2"))[0] is HullDown.HD
    assert (
        hull_down_against(Situation(data, state), a_tank("s2", "C5"), a_hex("C2"))[0] is HullDown.NONE
    )  # not its own side


@pytest.mark.rule("6.1.4.3.2", editions=("2024",))
def test_6_1_4_3_2_a_defilade_works_like_a_wall_and_no_hedgerow_does():
    """A-52: a defilade protects across a defilade hexside of the target's hex."""
    data = advanced_data(a_board(hexsides={"defilade": ["C3:4"], "hedgerow": ["E3:4"]}))
    state = an_advanced_state(a_tank("g1", "C3"), a_tank("g2", "E3"))

    status, why = hull_down_against(Situation(data, state), state.vehicles["g1"], a_hex("C5"))
    assert status is HullDown.HD
    assert_rule(why, "6.1.4.3.2", inputs={"hexside": "defilade"})
    assert hull_down_against(Situation(data, state), state.vehicles["g2"], a_hex("E5"))[0] is HullDown.NONE


@both_editions
@pytest.mark.rule("6.1.4.1.1")
@pytest.mark.parametrize(("facing", "open_angle"), [(1, 0), (1, 1), (4, 1)])
def test_6_1_4_1_1_a_searched_position_protects_all_angles_but_the_two_behind(edition, facing, open_angle):
    """L3726: the position protects all angles but Rear and Rear/Side, or Front and Front/Side if backed in."""
    data = advanced_data(edition=edition)
    target = a_tank("g1", "H8", facing=facing, hull_down=HullDown.HD, open_angle=open_angle)
    state = an_advanced_state(target)
    open_to = open_angle or 4

    ahead, behind = ("H12", "H4") if open_to == 1 else ("H4", "H12")
    assert hull_down_against(Situation(data, state), target, a_hex(behind))[0] is HullDown.NONE
    status, why = hull_down_against(Situation(data, state), target, a_hex(ahead))
    assert status is HullDown.HD
    assert_rule(why, "6.1.4.1.1", result="hd")
    assert (
        hull_down_against(Situation(data, state), target, a_hex("L8"))[0] is HullDown.HD
    )  # abeam: on the dividing line


@both_editions
@pytest.mark.rule("6.1.4.1.2")
def test_6_1_4_1_2_a_searched_position_may_be_a_partial_one(edition):
    data = advanced_data(edition=edition)
    target = a_tank("g1", "H8", facing=1, hull_down=HullDown.PHD)
    status, why = hull_down_against(Situation(data, an_advanced_state(target)), target, a_hex("H4"))

    assert status is HullDown.PHD
    assert_rule(why, "6.1.4.1.2", result="phd")


@pytest.mark.rule("6.1.4.1.2", effect=True)
@pytest.mark.rule("6.1.4.1.2/railroad-track", editions=("2016",))
def test_6_1_4_1_2_a_vehicle_on_a_railroad_is_partial_hull_down_from_everywhere():
    """2016:L1824: a railroad makes a vehicle partially hull down from every side."""
    data = advanced_data(a_board(signs={"H8": "%"}), edition="2016")
    target = a_tank("g1", "H8")
    state = an_advanced_state(target)

    for hex in ring(a_hex("H8"), 3):
        status, why = hull_down_against(Situation(data, state), target, hex)
        assert status is HullDown.PHD
    assert_rule(why, "6.1.4.1.2/railroad-track", result="phd")


@pytest.mark.rule("6.1.4.1", effect=True)
def test_6_1_4_1_only_vehicles_are_hull_down_and_the_rule_can_be_left_out():
    board = a_board(hexsides={"wall": ["C3:4"]})
    gun, tank = a_gun("g1", "C3", "pak38"), a_tank("g2", "C3")
    state = an_advanced_state(gun, tank)

    assert hull_down_against(Situation(advanced_data(board), state), gun, a_hex("C4"))[0] is HullDown.NONE
    assert hull_down_against(Situation(advanced_data(board), state), tank, a_hex("C4"))[0] is HullDown.HD
    assert hull_down_against(Situation(advanced_data(board, rules=()), state), tank, a_hex("C4"))[0] is HullDown.NONE


# --- 6.1.4.2 full cover ----------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("6.1.4.2")
def test_6_1_4_2_full_cover_is_for_dismounted_leg_and_towed_units_off_bridges(edition):
    """L1688-1704: neither vehicles nor units in bridge, ford and stream hexes can take full cover."""
    board = a_board("....\n.=..\n....", legend={"=": ["gully", "bridge"]}, links={"road": ["B1-B2-B3"]}, signs=None)
    data = advanced_data(board, edition=edition)
    squad, gun = a_leg("g1", "A1", SQUAD), a_gun("g2", "A1", "pak38")
    on_bridge, tank, aboard = a_leg("g3", "B2", SQUAD), a_tank("g4", "A1"), a_leg("g5", "A1", SQUAD, aboard="g4")
    state = an_advanced_state(squad, gun, on_bridge, tank, aboard)

    for unit in (squad, gun):
        assert not list(full_cover_objections(Situation(data, state), unit))
    for unit in (on_bridge, tank, aboard):
        assert_rule(list(full_cover_objections(Situation(data, state), unit)), "6.1.4.2")


def test_6_1_4_2_no_full_cover_in_fords_and_streams():
    data = advanced_data(a_board("f~."), edition="2016")
    wet = [a_leg("g1", "A1", SQUAD), a_leg("g2", "B1", SQUAD)]
    state = an_advanced_state(*wet, a_leg("g3", "C1", SQUAD))

    assert [bool(list(full_cover_objections(Situation(data, state), unit))) for unit in state.vehicles.values()] == [
        1,
        1,
        0,
    ]


# --- 6.1.4.3.1 buildings ---------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("6.1.4.3.1")
def test_6_1_4_3_1_cover_inside_a_building_and_in_its_alley(edition):
    """L2765: inside a wooden building, cover is Heavy for spotting and Light in combat; a tank is in the alley until
    it enters the building."""
    data = advanced_data(a_board("b.B.#"), edition=edition)
    legs = [a_leg(f"g{number}", hex, SQUAD) for number, hex in enumerate(("A1", "C1", "E1"), start=1)]
    alley, inside = a_tank("g4", "C1"), a_tank("g5", "C1", inside=Inside.BUILDING)
    gun = a_gun("g6", "C1", "pak38", inside=Inside.BUILDING)
    state = an_advanced_state(*legs, alley, inside, gun)

    assert [cover_of(Situation(data, state), leg, "spotting") for leg in legs] == [Cover.HEAVY] * 3
    assert [cover_of(Situation(data, state), leg, "gp") for leg in legs] == [Cover.LIGHT, Cover.MEDIUM, Cover.HEAVY]
    assert cover_of(Situation(data, state), alley, "spotting") is Cover.MEDIUM
    assert_rule(explain_cover(Situation(data, state), inside, "spotting"), "6.1.4.3.1", result=Cover.HEAVY)
    assert cover_of(Situation(data, state), inside, "ap") is Cover.MEDIUM
    assert cover_of(Situation(data, state), gun, "gp") is Cover.MEDIUM


@both_editions
@pytest.mark.rule("6.1.4.3.1")
def test_6_1_4_3_1_a_vehicle_inside_brick_or_stone_is_hull_down_from_all_sides(edition):
    data = advanced_data(a_board("bB#"), edition=edition)
    tanks = [a_tank(f"g{number}", hex, inside=Inside.BUILDING) for number, hex in enumerate(("A1", "B1", "C1"), 1)]
    state = an_advanced_state(*tanks, a_tank("g4", "B1"))

    found = [
        hull_down_against(Situation(data, state), tank, a_hex("B1" if tank.id == "g1" else "A1")) for tank in tanks
    ]
    assert [status for status, _ in found] == [HullDown.NONE, HullDown.HD, HullDown.HD]
    assert_rule(found[1][1], "6.1.4.3.1", result="hd")
    assert hull_down_against(Situation(data, state), state.vehicles["g4"], a_hex("A1"))[0] is HullDown.NONE
    assert [overhead_cover(Situation(data, state), tank) for tank in tanks] == [Cover.NONE, Cover.MEDIUM, Cover.HEAVY]


@pytest.mark.rule("6.1.4.3.1", effect=True)
@pytest.mark.parametrize(
    ("edition", "rule"),
    [
        pytest.param("2024", "6.1.4.3.1", marks=pytest.mark.rule("6.1.4.3.1", editions=("2024",))),
        pytest.param(
            "2016", "6.1.4.3.1/upper-floor", marks=pytest.mark.rule("6.1.4.3.1/upper-floor", editions=("2016",))
        ),
    ],
)
def test_6_1_4_3_1_on_the_top_floor_of_three_a_unit_is_at_height_two(edition, rule):
    """L1712-1738: the top floor of a three-storey building is at height 2, also for the line of sight."""
    data = advanced_data(a_board("B.B....", storeys={"A1": 3}), edition=edition)
    up, down = a_leg("g1", "A1", SQUAD, inside=Inside.UP), a_leg("g2", "A1", SQUAD)
    target = a_tank("s1", "G1", "t34_76")
    state = an_advanced_state(up, down, target)

    assert (height_of(Situation(data, state), up), height_of(Situation(data, state), down)) == (2, 0)
    assert not sees(Situation(data, state), down, target)
    assert sees(Situation(data, state), up, target)
    assert_rule(line_of_sight(Situation(data, state), up, target), rule, result=2)


@pytest.mark.rule("6.1.4.3.1", effect=True)
@pytest.mark.parametrize(
    ("edition", "card", "enters"),
    [("2024", "pzjgr1", False), ("2024", "pz1b", True), ("2016", "su76m", False), ("2016", "pz3m", True)],
)
def test_6_1_4_3_1_open_topped_vehicles_do_not_go_into_buildings(edition, card, enters):
    """L1716 (A-51), 2016:L1872-1874: an open-topped vehicle cannot enter a building."""
    data = advanced_data(a_board("B"), edition=edition)
    assert (not any(entry_objections(data, a_tank("g1", "A1", card), passengers=False))) is enters


def test_6_1_4_3_1_one_storey_has_no_upper_floor():
    data = advanced_data(a_board("B."))
    unit = a_leg("g1", "A1", SQUAD, inside=Inside.UP)
    assert height_of(Situation(data, an_advanced_state(unit)), unit) == 0


@pytest.mark.rule("6.1.4.3.1", editions=("2024",))
def test_6_1_4_3_1_on_the_roof_of_a_desert_building_it_is_high_and_lightly_covered():
    """L1712-1738, L2769: a unit on a desert roof is at the height of the building, with Light cover even on brick."""
    data = advanced_data(a_board("B.", storeys={"A1": 2}), desert_buildings=True)
    unit = a_leg("g1", "A1", SQUAD, inside=Inside.UP)
    state = an_advanced_state(unit)

    assert height_of(Situation(data, state), unit) == 2
    assert_rule(explain_cover(Situation(data, state), unit, "gp"), "6.1.4.3.1", result=Cover.LIGHT)
    assert cover_of(Situation(data, state), unit, "spotting") is Cover.LIGHT
    assert overhead_cover(Situation(data, state), unit) is Cover.NONE


# --- 6.1.4.3 features ---------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("6.1.4.3")
@pytest.mark.parametrize("sign", ["b", "B", "#", "o"])
def test_6_1_4_3_no_obstacles_in_water_and_building_hexes(edition, sign):
    """L1706-1710, edition switches: obstacles cannot be placed in water or building hexes."""
    hex = a_hex("C3")
    area = Area("wood", "german", (hex,))
    data = advanced_data(a_board(signs={"C3": sign}), edition=edition, areas={"wood": area})

    objections = list(feature_objections(data, FeatureRow("w1", "wire", hex, "german", area="wood"), hex))

    assert_rule(objections, "6.1.4.3")


@pytest.mark.rule("6.1.4.3", effect=True)
def test_6_1_4_3_obstacles_lie_anywhere_else():
    hex = a_hex("C3")
    row = FeatureRow("w1", "wire", hex, "german", area="wood")
    for sign in ".;m":
        data = advanced_data(a_board(signs={"C3": sign}), areas={"wood": Area("wood", "german", (hex,))})
        assert not list(feature_objections(data, row, hex))


@both_editions
@pytest.mark.rule("6.1.4.3.3")
def test_6_1_4_3_3_a_block_covers_leg_units_lightly(edition):
    """L1754-1758: a road block gives leg units light cover."""
    data = advanced_data(edition=edition)
    squad, tank = a_leg("g1", "C3", SQUAD), a_tank("g2", "C3")
    state = with_things(a_feature("block", "C3"), units=(squad, tank))

    assert_rule(explain_cover(Situation(data, state), squad, "gp"), "6.1.4.3.3", result=Cover.LIGHT)
    assert cover_of(Situation(data, state), squad, "spotting") is Cover.LIGHT
    assert cover_of(Situation(data, state), tank, "spotting") is Cover.NONE


@both_editions
@pytest.mark.rule("6.1.4.3.4")
def test_6_1_4_3_4_a_ditch_is_a_gully_with_light_cover(edition):
    """L1760-1766: a ditch has height -1 and the line-of-sight rules of a gully."""
    data = advanced_data(edition=edition)
    squad, other = a_leg("g1", "C3", SQUAD), a_leg("g2", "C5", SQUAD)
    state = with_things(a_feature("ditch", "C3"), units=(squad, other))

    assert board_now(Situation(data, state)).is_sunken(a_hex("C3"))
    assert height_of(Situation(data, state), squad) == -1
    assert not sees(Situation(data, state), squad, other)
    assert sees(Situation(data, state), a_hex("C3"), a_hex("C4"))
    assert_rule(explain_cover(Situation(data, state), squad, "gp"), "6.1.4.3.4", result=Cover.LIGHT)
    assert sees(Situation(data, an_advanced_state()), a_hex("C3"), a_hex("C5"))


@both_editions
@pytest.mark.rule("6.1.4.3.9")
@pytest.mark.parametrize(
    ("sign", "rubble", "cover"),
    [("b", "wood_rubble", Cover.LIGHT), ("B", "brick_rubble", Cover.MEDIUM), ("#", "stone_rubble", Cover.HEAVY)],
)
def test_6_1_4_3_9_rubble_gives_the_cover_of_its_building_and_no_height(edition, sign, rubble, cover):
    """L1816: wood rubble is Light, brick Medium and, by ruling, stone Heavy cover; no unit is inside any longer."""
    data = advanced_data(a_board(f".{sign}."), edition=edition)
    squad = a_leg("g1", "B1", SQUAD)
    state = with_things(a_feature(rubble, "B1"), units=(squad,))

    assert_rule(explain_cover(Situation(data, state), squad, "spotting"), "6.1.4.3.9", result=cover)
    assert cover_of(Situation(data, state), squad, "gp") is cover
    assert interior_of(Situation(data, state), a_hex("B1")) is None
    assert sees(Situation(data, state), a_hex("A1"), a_hex("C1"))
    assert not sees(Situation(data, an_advanced_state()), a_hex("A1"), a_hex("C1"))


@both_editions
@pytest.mark.rule("6.1.4.3.7")
def test_6_1_4_3_7_an_improved_position_covers_heavily_and_hides_all_but_one_angle(edition):
    """L1786-1796: an improved position is Heavy cover, and hull down except from the rear as it was placed."""
    data = advanced_data(edition=edition)
    position = a_feature("improved_position", "H8", holder="g1")
    tank = a_tank("g1", "H8", facing=1, position=position.id, open_angle=4)
    squad = a_leg("g2", "H8", SQUAD, position=position.id)
    state = with_things(position, units=(tank, squad))

    for purpose in ("spotting", "ap", "gp"):
        assert_rule(explain_cover(Situation(data, state), tank, purpose), "6.1.4.3.7", result=Cover.HEAVY)
    assert cover_of(Situation(data, state), squad, "gp") is Cover.HEAVY
    assert overhead_cover(Situation(data, state), squad) is Cover.HEAVY
    status, why = hull_down_against(Situation(data, state), tank, a_hex("H4"))
    assert status is HullDown.HD
    assert_rule(why, "6.1.4.3.7", inputs={"open": 4}, result="hd")
    tank.facing = 4  # it turns inside: the open angle stays
    assert hull_down_against(Situation(data, state), tank, a_hex("H12"))[0] is HullDown.NONE
    assert hull_down_against(Situation(data, state), tank, a_hex("H4"))[0] is HullDown.HD


@pytest.mark.rule("6.1.4.1.2", effect=True)
@both_editions
@pytest.mark.rule("6.1.4.3.7")
def test_6_1_4_1_2_in_an_improved_position_a_vehicle_may_be_partial_hull_down(edition):
    """A-49: a vehicle declared partially hull down can fire limited weapons but is less protected."""
    data = advanced_data(edition=edition)
    position = a_feature("improved_position", "H8", holder="g1")
    tank = a_tank("g1", "H8", position=position.id, open_angle=4, hull_down=HullDown.PHD)
    status, why = hull_down_against(Situation(data, with_things(position, units=(tank,))), tank, a_hex("H4"))

    assert status is HullDown.PHD
    assert_rule(why, "6.1.4.3.7", result="phd")


@pytest.mark.rule("6.1.4.3.6", effect=True)
def test_6_1_4_3_6_an_entrenchment_counts_when_it_is_finished_and_adds_no_cover():
    data = advanced_data()
    work = a_feature("hasty_entrenchment", "C3", stage=3)
    squad = a_leg("g1", "C3", SQUAD, position=work.id)
    state = with_things(work, units=(squad,))

    assert not is_entrenched(Situation(data, state), squad)
    work.stage = 4
    assert is_entrenched(Situation(data, state), squad)
    assert cover_of(Situation(data, state), squad, "gp") is Cover.NONE
    squad.hex = a_hex("C4")  # out of it as soon as it is elsewhere
    assert not is_entrenched(Situation(data, state), squad)


# --- 6.1.4.3.13 sun blinding -----------------------------------------------------------------------------------


@pytest.mark.rule("6.1.4.3.13", editions=("2024",))
def test_6_1_4_3_13_the_edge_beyond_the_target_decides():
    """L1873-1881, A-86: the line is extended beyond the target to the map edge; a corner counts as two edges."""
    data = advanced_data(a_board(columns=9, rows=9), sun=Sun("west", -2, -10))
    finding = explain_hindrances(Situation(data, an_advanced_state()), a_hex("H5"), a_hex("E5"))
    assert_rule(finding, "6.1.4.3.13", inputs={"edges": ["west"]}, result=True)

    assert sun_blinds(data, a_hex("H5"), a_hex("E5"))
    assert not sun_blinds(data, a_hex("E5"), a_hex("H5"))
    assert not sun_blinds(data, a_hex("E5"), a_hex("E3"))
    assert not sun_blinds(advanced_data(a_board(columns=9, rows=9)), a_hex("H5"), a_hex("E5"))


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 9), st.integers(1, 9))
def test_6_1_4_3_13_looking_back_one_leaves_by_another_edge(c1, r1, c2, r2):
    board = a_board(columns=9, rows=9)
    start, end = a_hex(f"{'ABCDEFGHI'[c1 - 1]}{r1}"), a_hex(f"{'ABCDEFGHI'[c2 - 1]}{r2}")
    if start != end:
        there, back = edges_beyond(board, start, end), edges_beyond(board, end, start)
        assert 1 <= len(there) <= 2
        assert not set(there) & set(back), (hex_name(start), hex_name(end))


@pytest.mark.rule("6.1.4.3", effect=True)
def test_6_1_4_3_what_counters_change_is_worked_out_once_for_a_map():
    data = advanced_data()
    states = [with_things(a_feature("ditch", "C3"), a_cloud("smoke", "D4", marker=Marker.OFF)) for _ in range(2)]

    assert board_now(Situation(data, states[0])) is board_now(Situation(data, states[1]))
    assert board_now(Situation(data, an_advanced_state())) is data.board
    assert isinstance(board_now(Situation(data, states[0])).hexes[0], Hex)
