"""6.1.4.3, 6.6.3, 6.6.9 Hull-down positions, counters on the map, buildings and dust."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, both_editions
from titles.panzer.advanced.marching import (
    SQUAD,
    a_feature,
    a_field,
    moves,
    refused,
    rule,
    tried,
    where,
)
from titles.panzer.builders import a_hex, brewed_up
from titles.panzer.obstacles.test_transport import a_barrage

from pbem.engine.geometry.hexes import hex_name
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.cards.chart_rows import GRADES
from pbem.titles.panzer.obstacles.buildings import entry_objections, suffer
from pbem.titles.panzer.obstacles.positions import search_modifiers, search_range
from pbem.titles.panzer.setup.scenario import Conditions
from pbem.titles.panzer.sighting.terrain import hull_down_against, settle
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Cloud, Command, Damage, HullDown, Inside, Marker, Spot, Status

ROUGH = {"C9": "^"}  # a search succeeds up to 40
BRICK = {"C8": "B"}


# --- 6.6.9 searching for a hull-down position --------------------------------------------------------------------


@both_editions("6.6.9", "6.6.9/modifiers", "6.6.9/protected-angles")
def test_6_6_9_a_search_finds_a_position_or_not(edition):
    """L3700-3726: a search takes the whole movement and a d100 roll; the position may face any way."""
    for roll, found in ((40, HullDown.HD), (41, HullDown.NONE)):
        table = a_field(a_tank("g1", "C9", "pz4h"), signs=ROUGH, dice=[roll], edition=edition)

        played = moves(table, "g1", "search:hd:3")

        unit = table.state.vehicles["g1"]
        assert (unit.hull_down, unit.facing, unit.pending) == (found, 3, Spot.MOVE)
        result = assert_rule(played.findings, "6.6.9", dice=(roll,), inputs={"total": roll}, cell=40)
        assert result.result == found.value
        assert_rule(played.findings, rule(table, "6.6.9/modifiers"))
        if found is HullDown.HD:
            assert_rule(played.findings, rule(table, "6.6.9/protected-angles"), result=6)
            front, rear = a_hex("F10"), a_hex("A8")
            assert hull_down_against(table, unit, front)[0] is HullDown.HD
            assert hull_down_against(table, unit, rear)[0] is HullDown.NONE


@both_editions("6.6.9", "6.6.9/protected-angles")
def test_6_6_9_a_position_taken_in_reverse_leaves_the_front_open(edition):
    """L3726: a vehicle that backs into its position is exposed at the front."""
    table = a_field(a_tank("g1", "C9", "pz4h"), signs=ROUGH, dice=[60], edition=edition)

    played = moves(table, "g1", "search:phd:1:b")  # 60 - 20 for partial

    unit = table.state.vehicles["g1"]
    assert (unit.hull_down, unit.facing, unit.open_angle) == (HullDown.PHD, 1, 1)
    assert_rule(played.findings, "6.6.9", inputs={"total": 40}, result="phd")
    assert_rule(played.findings, rule(table, "6.6.9/protected-angles"), inputs={"backed": True}, result=1)
    assert hull_down_against(table, unit, a_hex("C5"))[0] is HullDown.NONE
    assert hull_down_against(table, unit, a_hex("C13"))[0] is HullDown.PHD


@both_editions("6.6.9/modifiers")
def test_6_6_9_modifiers_of_size_and_grade(edition):
    """L3706-3724: partial hull down is -20, each step of size is 5, and the grades are -10, -5, 0, +5 and +10."""
    table = a_field(edition=edition)

    def net(card="pz4h", grade="seasoned", sought=HullDown.HD):
        unit = a_tank("g1", "C9", card, grade=grade)
        return sum(row["value"] * row["times"] for row in search_modifiers(table.data, unit, sought))

    assert [net(grade=grade) for grade in GRADES] == [-10, -5, 0, 5, 10]
    assert (net("panther_d"), net("pz4h"), net("stug3g")) == (5, 0, -5)
    assert net(sought=HullDown.PHD) == -20
    searching = a_field(a_tank("g1", "C9", "panther_d", grade="elite"), signs=ROUGH, dice=[45], edition=edition)
    played = moves(searching, "g1", "search:hd:1")
    assert_rule(played.findings, rule(searching, "6.6.9/modifiers"))
    assert searching.state.vehicles["g1"].hull_down is HullDown.HD  # 45 + 5 - 10


@pytest.mark.rule("6.5.2.2.1")
@both_editions("6.6.9")
def test_6_6_9_who_may_search_and_where(edition):
    """L3700-3734: a vehicle on Move that has spent no points may search, in terrain that has a number range."""
    here = {"signs": ROUGH, "edition": edition}
    assert_rule(refused(a_field(a_tank("g1", "C9", "pz4h"), edition=edition), "g1", "search:hd:1"), "6.6.9")
    assert_rule(refused(a_field(a_leg("g1", "C9", SQUAD), **here), "g1", "search:hd:1"), "6.6.9")
    halting = a_tank("g1", "C9", "pz4h", command=Command.SHORT_HALT)
    assert_rule(refused(a_field(halting, **here), "g1", "search:hd:1"), "6.6.9")
    fit = a_field(a_tank("g1", "C9", "pz4h"), a_leg("g2", "C9", SQUAD, aboard="g1"), **here)
    for steps in ("l search:hd:1", "f search:hd:1", "search:hd:1 f", "search:hd:1 dismount:g2:C9:1", "search:xx:1"):
        assert_rule(refused(fit, "g1", steps), "6.6.9")
    assert_rule(refused(a_field(a_tank("g1", "C9", "pz4h", flags=("bogged",)), **here), "g1", "search:hd:1"), "6.6.9")
    tracked = a_field(a_tank("g1", "C9", "pz4h", track_hit=True), **here)
    assert_rule(refused(tracked, "g1", "search:hd:1"), "6.5.2.2.1")
    assert search_range(Situation(fit.data, fit.state), a_hex("C9")) == 40


@pytest.mark.rule("6.6.9")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_6_9_a_scenario_may_let_vehicles_search_where_the_table_does_not(edition):
    """L3700: the terrain needs a number range, or the scenario allows it; the best range in the hex applies."""
    conditions = Conditions(hull_down={"clear": 30})
    for roll, found in ((30, HullDown.HD), (31, HullDown.NONE)):
        table = a_field(a_tank("g1", "C9", "pz4h"), dice=[roll], edition=edition, scenario={"conditions": conditions})
        moves(table, "g1", "search:hd:1")
        assert table.state.vehicles["g1"].hull_down is found
    table = a_field(a_tank("g1", "C9", "pz4h"), edition=edition)
    assert_rule(refused(table, "g1", "search:hd:1"), "6.6.9")


def test_6_6_9_passengers_may_bail_out_of_a_searching_vehicle():
    """L3732: passengers may bail out although the vehicle uses its whole movement to search."""
    table = a_field(a_tank("g1", "C9", "pz4h"), a_leg("g2", "C9", SQUAD, aboard="g1"), signs=ROUGH, dice=[99])

    moves(table, "g1", "search:hd:1 bail:g2:1")

    assert table.state.vehicles["g2"].suppression is Marker.ON


@both_editions("6.6.9/loss")
def test_6_6_9_the_position_is_lost_when_a_move_is_revealed(edition):
    """L3728-3730: the position is lost even if the vehicle stays; units that share its counter lose theirs too."""
    table = a_field(
        a_tank("g1", "C9", "pz4h", hull_down=HullDown.HD, open_angle=4),
        a_tank("g2", "C9", "pz4h", hull_down=HullDown.PHD, shares="g1"),
        signs=ROUGH,
        edition=edition,
    )

    played = moves(table, "g1")

    assert_rule(played.findings, rule(table, "6.6.9/loss"), inputs={"unit": "g1", "was": "hd"}, result="lost")
    assert [table.state.vehicles[id].hull_down for id in ("g1", "g2")] == [HullDown.NONE] * 2


def test_6_6_6_a_search_in_a_barrage_is_attacked_in_2024_alone():
    """L3612: only the 2024 book says that a search in a barrage is attacked; 2016:L3677-3685 does not."""
    for edition, attacked in (("2024", True), ("2016", False)):
        table = a_field(
            a_tank("g1", "C9", "pz4h"), signs=ROUGH, dice=[1] * 6, edition=edition, missions={"m1": a_barrage("C9")}
        )
        played = moves(table, "g1", "search:hd:1")
        assert any(finding.rule == "6.6.6" for finding in played.findings) is attacked
        assert table.state.vehicles["g1"].hull_down is HullDown.HD


# --- 6.1.4.3.6, 6.1.4.3.7 positions ------------------------------------------------------------------------------


@both_editions("6.1.4.3.6")
def test_6_1_4_3_6_a_finished_entrenchment_is_taken_by_ending_there_and_left_by_moving_out(edition):
    """L1778-1784: an entrenchment holds one leg or towed unit at a time; an unfinished one is useless."""
    done = a_feature("hasty_entrenchment", "C8", stage=4)
    table = a_field(a_leg("g1", "C9", SQUAD), a_leg("g2", "C9", SQUAD), features=[done], edition=edition)

    played = moves(table, "g1", "1")
    assert table.state.vehicles["g1"].position == done.id
    assert table.state.features[done.id].holder == "g1"
    assert_rule(played.findings, "6.1.4.3.6", inputs={"unit": "g1"}, result="occupied")
    moves(table, "g2", "1")
    assert table.state.vehicles["g2"].position == ""  # it holds one unit
    table.state.vehicles["g1"].moved, table.state.vehicles["g1"].spent = False, 0
    played = moves(table, "g1", "1")
    assert_rule(played.findings, "6.1.4.3.6", inputs={"unit": "g1"}, result="left")
    assert (table.state.vehicles["g1"].position, table.state.features[done.id].holder) == ("", "")
    raw = a_field(
        a_leg("g1", "C9", SQUAD), features=[a_feature("hasty_entrenchment", "C8", stage=3)], edition=edition
    )
    moves(raw, "g1", "1")
    assert raw.state.vehicles["g1"].position == ""
    tank = a_field(a_tank("g1", "C9", "pz4h"), features=[done], edition=edition)
    moves(tank, "g1", "f")
    assert tank.state.vehicles["g1"].position == ""


@both_editions("6.1.4.3.7")
def test_6_1_4_3_7_a_vehicle_leaves_open_the_angle_by_which_it_came(edition):
    """L1786-1796: the open angle is the rear, or the front if the vehicle backed in."""
    dug_in = a_feature("improved_position", "C8")
    for facing, step, open_angle in ((1, "f", 4), (4, "b", 4)):
        table = a_field(a_tank("g1", "C9", "pz4h", facing=facing), features=[dug_in], edition=edition)

        played = moves(table, "g1", step)

        unit = table.state.vehicles["g1"]
        assert (unit.position, unit.open_angle) == (dug_in.id, open_angle)
        assert_rule(played.findings, "6.1.4.3.7", inputs={"unit": "g1", "open": open_angle}, result="occupied")
        assert hull_down_against(table, unit, a_hex("C4"))[0] is HullDown.HD
        assert hull_down_against(table, unit, a_hex("C12"))[0] is HullDown.NONE


# --- 6.1.4.3.3-11 counters that close a hex ----------------------------------------------------------------------


@pytest.mark.rule("6.1.4.3", effect=True)
@both_editions("6.1.4.3.3", "6.1.4.3.4", "6.1.4.3.5", "6.1.4.3.9", "6.1.4.3.11")
def test_6_1_4_3_what_counters_close(edition):
    """L1754-1847: blocks and ditches stop vehicles and guns, and fires stop all units; wire is tested too.

    Rubble stops all units except tracked vehicles and leg units.
    """
    units = {
        "T": a_tank("g1", "C9", "pz4h"),
        "H": a_tank("g1", "C9", "sdkfz10"),
        "W": a_tank("g1", "C9", "opel"),
        "leg": a_leg("g1", "C9", SQUAD),
        "towed": a_gun("g1", "C9", "pak38"),
    }
    open_to = {
        "block": ["leg"],
        "ditch": ["leg"],
        "on_fire": [],
        "brick_rubble": ["T", "leg"],
        "bridge_rubble": [],
        "wire": ["T"],
    }
    numbers = {"block": "6.1.4.3.3", "ditch": "6.1.4.3.4", "on_fire": "6.1.4.3.5", "wire": "6.1.4.3.11"}
    for type, allowed in open_to.items():
        for kind, unit in units.items():
            table = a_field(unit, features=[a_feature(type, "C8")], edition=edition)
            step = "1" if kind in ("leg", "towed") else "f"
            if kind in allowed:
                assert tried(table, "g1", step).entered == 1
            else:
                assert_rule(refused(table, "g1", step), numbers.get(type, "6.1.4.3.9"))


@pytest.mark.rule("6.1.4.3", effect=True)
@pytest.mark.rule("6.1.4.3.3")
def test_6_1_4_3_a_road_does_not_lead_through_a_block():
    """R-14: a road leads through prohibited printed terrain, but not through a prohibiting counter."""
    road = {"links": {"road": ["C9-C8-C7"]}}
    table = a_field(a_tank("g1", "C9", "pz4h"), features=[a_feature("block", "C8")], board=road)

    assert_rule(refused(table, "g1", "f", "road"), "6.1.4.3.3")
    assert_rule(refused(table, "g1", "f"), "6.1.4.3.3")


@both_editions("6.1.4.3.11")
def test_6_1_4_3_11_a_tracked_vehicle_crushes_wire(edition):
    """L1847: a tracked vehicle that enters a hex with wire removes it."""
    table = a_field(a_tank("g1", "C9", "pz4h"), features=[a_feature("wire", "C8")], edition=edition)

    played = moves(table, "g1", "f f")

    assert not table.state.features
    assert_rule(played.findings, "6.1.4.3.11", inputs={"unit": "g1", "hex": "C8"}, result="removed")


@pytest.mark.rule("6.1.4.3", effect=True)
def test_6_1_4_3_a_counter_is_known_or_not():
    """6.1.4.3.8: a counter that a side does not know of does not change that side's movement costs."""
    table = a_field(a_tank("g1", "C9", "opel"), features=[a_feature("wire", "C8")])
    table.state.features["f-wire-C8"].known = ("soviet",)

    assert tried(table, "g1", "f").entered == 1


# --- 6.6.3 buildings ---------------------------------------------------------------------------------------------


@both_editions("6.6.3/who", "6.1.4.3.1")
def test_6_6_3_who_may_go_into_a_building(edition):
    """L1716, L3501: only tracked, roofed vehicles without passengers enter a building, and not in reverse."""
    data = advanced_data(edition=edition)
    who = rule(a_field(edition=edition), "6.6.3/who")

    assert any(entry_objections(data, a_tank("g1", "C9", "pzjgr1"), passengers=False))
    assert not any(entry_objections(data, a_tank("g1", "C9", "pz1b"), passengers=False))
    for card in ("su76m", "spw251", "daimler"):
        assert_rule(list(entry_objections(data, a_tank("g1", "C9", card), passengers=False)), who)
    assert_rule(list(entry_objections(data, a_tank("g1", "C9", "pz4h"), passengers=True)), who)
    assert_rule(list(entry_objections(data, a_gun("g1", "C9", "pak38"), passengers=False)), "6.1.4.3.1")
    laden = a_field(
        a_tank("g1", "C9", "pz4h"), a_leg("g2", "C9", SQUAD, aboard="g1"), signs={"C9": "B"}, edition=edition
    )
    assert_rule(refused(laden, "g1", "in"), who)


@pytest.mark.rule("6.1.4.3.1", effect=True)
def test_6_1_4_3_1_vehicles_of_2016_that_may_and_may_not_enter():
    """2016:L1872-1874: an SU-76M is open-topped and may not enter a building; but a PzKpfw IIIM may enter."""
    data = advanced_data(edition="2016")

    assert any(entry_objections(data, a_tank("s1", "C9", "su76m"), passengers=False))
    assert not any(entry_objections(data, a_tank("g1", "C9", "pz3m"), passengers=False))


@pytest.mark.rule("6.6.3/aa-vehicles", editions=("2016",))
def test_6_6_3_anti_aircraft_vehicles_stay_outside_in_2016(monkeypatch):
    """2016:L3558-3580, edition switch 28: in 2016, anti-aircraft vehicles may not enter buildings."""
    unit = a_tank("g1", "C9", "pz4h")
    monkeypatch.setattr("pbem.titles.panzer.obstacles.buildings.is_anti_aircraft", lambda data, unit: True)

    assert_rule(list(entry_objections(advanced_data(edition="2016"), unit, passengers=False)), "6.6.3/aa-vehicles")
    assert not any(entry_objections(advanced_data(edition="2024"), unit, passengers=False))


@both_editions("6.6.3")
def test_6_6_3_five_for_each_point_of_gp_defence(edition):
    """L3507: the Semovente (2AC) has +10; a brick wall hits its track on up to 65."""
    for roll, inside in ((55, False), (56, True)):
        table = a_field(
            a_tank("g1", "C9", "semovente", side="german"), signs={"C9": "B"}, dice=[roll, 1], edition=edition
        )
        played = moves(table, "g1", "in")
        assert_rule(played.findings, "6.6.3", inputs={"added": 10, "total": roll + 10})
        unit = table.state.vehicles["g1"]
        assert (unit.inside is Inside.BUILDING, unit.track_hit) == (inside, not inside)


@both_editions("6.6.3", "6.6.3/stop")
def test_6_6_3_a_track_hit_leaves_it_in_the_alley_or_inside(edition):
    """L3517: a vehicle with a track hit at the wall stays in the alley if it was entering, and inside
    if it was leaving."""
    table = a_field(a_tank("g1", "C9", "pz4h"), signs={"C9": "b"}, dice=[1, 65], edition=edition)
    played = moves(table, "g1", "in f")
    assert_rule(played.findings, "6.6.3", dice=(1, 65), result="track")
    unit = table.state.vehicles["g1"]
    assert (unit.track_hit, unit.inside, where(table, "g1")) == (True, Inside.NO, "C9")
    assert_rule(played.findings, rule(table, "6.6.3/stop"), result="alley")

    out = a_field(
        a_tank("g1", "C9", "pz4h", inside=Inside.BUILDING), signs={"C9": "B"}, dice=[1, 65], edition=edition
    )
    played = moves(out, "g1", "f")
    unit = out.state.vehicles["g1"]
    assert (unit.track_hit, unit.inside, where(out, "g1")) == (True, Inside.BUILDING, "C9")
    assert_rule(played.findings, rule(out, "6.6.3/stop"), result="building")


def test_6_6_3_a_track_hit_from_the_next_hex_by_edition():
    """Switch 28: in 2024 the vehicle stops in the alley of the building hex, in 2016 in the hex it came from."""
    for edition, hex in (("2024", "C8"), ("2016", "C9")):
        table = a_field(a_tank("g1", "C9", "pz4h"), signs=BRICK, dice=[1, 1], edition=edition)
        moves(table, "g1", "f-in")
        assert (where(table, "g1"), table.state.vehicles["g1"].inside) == (hex, Inside.NO)


@both_editions("6.6.3")
def test_6_6_3_straight_in_costs_the_building_alone(edition):
    """L3501: the vehicle does not pay for the alley, but pays for the hexside and smoke as usual."""
    table = a_field(a_tank("g1", "C9", "pz4h"), signs=BRICK, dice=[99], edition=edition)

    played = moves(table, "g1", "f-in")

    unit = table.state.vehicles["g1"]
    assert (where(table, "g1"), unit.inside) == ("C8", Inside.BUILDING)
    assert_rule(played.findings, "6.6.3", inputs={"unit": "g1", "spent": 4}, result=4)
    assert_rule(refused(a_field(a_tank("g1", "C9", "pz4h"), edition=edition), "g1", "f-in"), "6.6.3")


@both_editions("6.6.3")
def test_6_6_3_damaged_it_goes_on_if_it_can_still_pay(edition):
    """L3519: the vehicle goes on if it can pay after halving; a vehicle that has spent no points may move one hex."""
    hull = [5] if edition == "2024" else []
    first = a_field(a_tank("g1", "C9", "pz4h"), signs=BRICK, dice=[1, 66, *hull], edition=edition)
    played = moves(first, "g1", "f-in")
    assert first.state.vehicles["g1"].inside is Inside.BUILDING
    assert first.state.vehicles["g1"].damage is (Damage.HULL if edition == "2024" else Damage.WHOLE)
    assert_rule(played.findings, "6.6.3", result="damaged")
    # t34: 5 points, one spent; hull damage leaves 2 of 4, the building costs 4
    late = a_field(a_tank("g1", "C10", "t34_76", side="german"), signs=BRICK, dice=[1, 66, *hull], edition=edition)
    moves(late, "g1", "f f-in")
    assert late.state.vehicles["g1"].inside is Inside.NO
    assert where(late, "g1") == ("C8" if edition == "2024" else "C9")


def test_6_6_3_turret_or_hull_by_a_roll_of_ten():
    """L3503-3511: a d10 of 1-4 damages the turret, and 5-10 damages the hull."""
    for roll, damage in ((4, Damage.TURRET), (5, Damage.HULL)):
        table = a_field(a_tank("g1", "C9", "pz4h"), signs={"C9": "B"}, dice=[1, 100, roll])
        moves(table, "g1", "in")
        assert table.state.vehicles["g1"].damage is damage


def test_6_6_3_a_second_damage_is_a_wreck_where_it_would_have_stopped():
    """Ruling: a second damage at the wall knocks the vehicle out, and the wreck stays in the alley."""
    table = a_field(a_tank("g1", "C9", "pz4h", damage=Damage.TURRET), signs=BRICK, dice=[1, 100, 1])

    moves(table, "g1", "f-in")

    assert table.state.vehicles["g1"].status is Status.ELIMINATED
    assert list(table.state.wrecks) == ["C8"]


def test_6_6_3_the_attempt_can_be_fired_at_before_and_after():
    """Ruling: before its attempt at a wall, the vehicle can be fired at in its current hex."""
    watcher = a_tank("s1", "C4", "t34_76", facing=4, command=Command.OVERWATCH)
    table = a_field(a_tank("g1", "C9", "pz4h"), watcher, signs={"C9": "B"}, dice=[99])

    played = moves(table, "g1", "in")

    assert len(played.asked("overwatch")) == 3  # revealed, before, after


def test_6_6_3_out_by_the_alley_or_straight_on():
    """Ruling: a vehicle that leaves a building pays for the alley, or for the next hex, even in reverse."""

    def inside(*dice):
        return a_field(a_tank("g1", "C9", "pz4h", inside=Inside.BUILDING), signs={"C9": "B"}, dice=dice)

    assert tried(inside(), "g1", "out").spent == 2
    assert tried(inside(), "g1", "f").spent == 1
    table = inside(99)
    moves(table, "g1", "b")
    assert (where(table, "g1"), table.state.vehicles["g1"].inside) == ("C10", Inside.NO)


@pytest.mark.rule("4.5.1.1.4")
def test_6_6_3_nobody_backs_into_a_building_and_turning_inside_is_dear():
    """L3501: a vehicle in reverse gets only to the alley; 4.5.1.1.2: the Turn value inside is 3."""
    back = a_field(a_tank("g1", "C9", "pz4h", facing=4), signs=BRICK)
    assert tried(back, "g1", "b").inside is Inside.NO
    inside = a_field(a_tank("g1", "C9", "pz4h", inside=Inside.BUILDING), signs={"C9": "B"}, dice=[99])
    assert tried(inside, "g1", "l").spent == 0
    assert tried(inside, "g1", "l l").spent == 3
    weak = a_field(
        a_tank("g1", "C9", "pz4h", inside=Inside.BUILDING, suppression=Marker.ON), signs={"C9": "B"}, dice=[99]
    )
    assert_rule(refused(weak, "g1", "l l"), "4.5.1.1.4")
    out = a_field(a_tank("g1", "C1", "pz4h", inside=Inside.BUILDING), signs={"C1": "B"}, dice=[99])
    moves(out, "g1", "exit")
    assert out.state.vehicles["g1"].status is Status.EXITED


@pytest.mark.rule("6.1.4.3.5", effect=True)
@both_editions("6.1.4.3.5")
def test_6_1_4_3_5_nobody_drives_straight_into_a_burning_building(edition):
    """L1768-1776: no unit may enter a burning building by alley or wall, but one in the hex may go inside."""
    burning = a_feature("on_fire", "C8")
    for step in ("f", "f-in"):
        table = a_field(a_tank("g1", "C9", "pz4h"), signs=BRICK, features=[burning], edition=edition)
        assert_rule(refused(table, "g1", step), "6.1.4.3.5")
    caught = a_field(a_tank("g1", "C8", "pz4h"), signs=BRICK, features=[burning], edition=edition)
    assert tried(caught, "g1", "in").spent == 4


@both_editions("4.5.1.1.6")
def test_4_5_1_1_6_no_bridge_is_left_through_a_wall(edition):
    """L1220-1222: a bridge is left only along its road, and no road leads into a building."""
    bridge = {"legend": {"H": ["gully", "bridge"]}, "links": {"road": ["B9-C9-D9"]}}
    table = a_field(a_tank("g1", "C9", "pz4h"), signs={**BRICK, "C9": "H"}, board=bridge, edition=edition)

    assert_rule(refused(table, "g1", "f-in"), "4.5.1.1.6")


def test_4_5_1_1_2_going_in_and_out_within_a_hex_enters_no_smoke():
    """L1176: brew-up smoke is paid for on entering the hex; going through a wall inside it costs only the wall."""
    inside = a_tank("g1", "C9", "pz4h", inside=Inside.BUILDING)
    smoke = {"wrecks": {"C9": brewed_up()}, "signs": {"C9": "B"}}

    assert tried(a_field(inside, **smoke), "g1", "out").spent == 2
    assert tried(a_field(a_tank("g1", "C9", "pz4h"), **smoke), "g1", "in").spent == 4
    from_beside = a_field(a_tank("g1", "C10", "pz4h"), **smoke)
    assert tried(from_beside, "g1", "f-in").spent == 5


@pytest.mark.rule("6.1.4.3.9", effect=True)
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_1_4_3_9_a_paid_turn_in_rubble_costs_what_rubble_says(edition):
    """4.5.1.1.2, R-16: the turn costs 2, the highest value in the hex; along a road it costs 1."""
    rubble = a_feature("brick_rubble", "C9", of="brick_building")
    table = a_field(a_tank("g1", "C9", "pz4h"), signs={"C9": "B"}, features=[rubble], edition=edition)

    assert tried(table, "g1", "r").spent == 0
    assert tried(table, "g1", "r r").spent == 2
    burning = a_field(a_tank("g1", "C9", "pz4h"), features=[a_feature("on_fire", "C9")], edition=edition)
    assert tried(burning, "g1", "r r").spent == 1


def test_6_6_3_an_unarmed_vehicle_is_damaged_in_the_hull():
    """L3027: a vehicle without a turret weapon needs no roll."""
    table = a_field(a_tank("g1", "C9", "opel"))

    found = suffer(table, table.state.vehicles["g1"], "damaged")

    assert table.state.vehicles["g1"].damage is Damage.HULL
    assert not found.dice


@pytest.mark.rule("6.1.4.3.7")
def test_6_6_9_no_search_in_an_improved_position():
    """6.1.4.3.7: in an improved position a vehicle is hull down without a marker."""
    dug_in = a_feature("improved_position", "C9", holder="g1")
    table = a_field(a_tank("g1", "C9", "pz4h", position=dug_in.id), features=[dug_in], signs=ROUGH)

    assert_rule(refused(table, "g1", "search:hd:1"), "6.1.4.3.7")


# --- 6.1.4.3.12 dust ---------------------------------------------------------------------------------------------

DUST = {"scenario": {"dust": True}}


@pytest.mark.rule("6.1.4.3.12", editions=("2024",))
def test_6_1_4_3_12_dust_lies_where_the_vehicle_was():
    """L1861-1867: two road hexes raise no dust; two clear hexes raise dust in the hexes that were left."""
    road = {"links": {"road": ["C9-C8-C7"]}}
    table = a_field(a_tank("g1", "C9", "pz3j_lang"), board=road, **DUST)

    played = moves(table, "g1", "f f f f")

    assert sorted(hex_name(cloud.hexes[0]) for cloud in table.state.clouds.values()) == ["C6", "C7"]
    assert_rule(played.findings, "6.1.4.3.12", inputs={"spent": 4, "allowance": 4}, result=["C7", "C6"])
    cloud = next(iter(table.state.clouds.values()))
    assert (cloud.marker, cloud.fresh) == (Marker.ON, True)
    settle(table.state)
    assert not cloud.fresh


@pytest.mark.rule("6.1.4.3.12", effect=True)
def test_6_1_4_3_12_less_than_half_raises_none_nor_do_legs():
    """L1849-1871: only a vehicle that uses half of its movement raises dust, and only if the scenario says so."""
    slow = a_field(a_tank("g1", "C9", "t34_76", side="german"), **DUST)
    moves(slow, "g1", "f")
    legs = a_field(a_leg("g1", "C9", SQUAD), **DUST)
    moves(legs, "g1", "1 1")
    halved = a_field(a_tank("g1", "C9", "pz4h", command=Command.SHORT_HALT), **DUST)
    moves(halved, "g1", "f")
    rough = a_field(a_tank("g1", "C9", "pz4h"), signs={"C8": "^"}, **DUST)
    moves(rough, "g1", "f")
    calm = a_field(a_tank("g1", "C9", "pz4h"))
    moves(calm, "g1", "f f f f")

    clouds = [len(table.state.clouds) for table in (slow, legs, halved, rough, calm)]
    assert clouds == [0, 0, 1, 0, 0]


@pytest.mark.rule("6.1.4.3.12", effect=True)
def test_6_1_4_3_12_a_vehicle_leaves_the_map_in_its_dust():
    """A-56: dust is checked at the end of the move, even if the vehicle has left the map."""
    table = a_field(a_tank("g1", "C3", "pz4h"), **DUST)

    moves(table, "g1", "f f exit")

    assert sorted(hex_name(cloud.hexes[0]) for cloud in table.state.clouds.values()) == ["C2", "C3"]


@pytest.mark.rule("6.1.4.3.12", effect=True)
def test_6_1_4_3_12_dust_on_dust_shows_its_on_side_again():
    table = a_field(a_tank("g1", "C9", "pz4h"), **DUST)
    table.state.clouds["c9"] = Cloud(id="c9", type="dust", hexes=(a_hex("C9"),), marker=Marker.OFF, fresh=False)

    moves(table, "g1", "f f")

    assert table.state.clouds["c9"].marker is Marker.ON
    assert len(table.state.clouds) == 2


# --- properties --------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(first=st.integers(1, 100), second=st.integers(1, 100), part=st.integers(1, 10), wall=st.sampled_from("bB#"))
def test_6_6_3_whatever_the_dice_say_the_vehicle_is_inside_or_in_the_alley(first, second, part, wall):
    """6.6.3: a track hit keeps the vehicle in the alley; a higher first roll never has a worse result."""
    table = a_field(a_tank("g1", "C9", "pz4h"), signs={"C8": wall}, dice=[first, second, part])

    moves(table, "g1", "f-in")

    unit = table.state.vehicles["g1"]
    hit = first + 15 <= {"b": 45, "B": 65, "#": 85}[wall]
    assert where(table, "g1") == "C8"
    assert unit.track_hit == (hit and second <= 65)
    assert (unit.damage is not Damage.NONE) == (hit and second > 65)
    assert (unit.inside is Inside.BUILDING) == (not unit.track_hit)
