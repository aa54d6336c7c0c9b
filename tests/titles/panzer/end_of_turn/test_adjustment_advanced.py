"""6.8 Adjustment Phase of the advanced game, with the hasty entrenchments of 6.6.8."""

import msgspec
import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import (
    a_gun,
    a_leg,
    a_tank,
    advanced_data,
    an_advanced_state,
    an_advanced_table,
)
from titles.panzer.builders import a_board, a_hex, run_step

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import seen_by
from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.command.commands import place_commands
from pbem.titles.panzer.command.initiative import initiative_phase
from pbem.titles.panzer.end_of_turn.adjustment import adjust_options, adjustment_phase, check_adjust
from pbem.titles.panzer.sequence import SEQUENCE
from pbem.titles.panzer.setup.scenario_file import Objective as ObjectiveRow
from pbem.titles.panzer.sighting.spotting import spotting_phase
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import AircraftState, Cloud, Command, Feature, Inside, Marker, Objective, Spot, Status

both_editions = pytest.mark.parametrize("edition", EDITIONS)
SQUAD, RUSSIANS = "german_rifle_squad", "soviet_rifle_squad"
ASK = Ask("german", "adjust", "6.8")
LAST = len(SEQUENCE) - 1


def adjust(*units, german=None, soviet=None, **more):
    """Play the Adjustment Phase, in the middle of a match, with these answers."""
    table = an_advanced_table(*units, stage=LAST, **more)
    answers = {("german", "adjust"): german or {}, ("soviet", "adjust"): soviet or {}}
    return table, run_step(table, adjustment_phase(table), answers)


def refusal_of(data, view, answer) -> Refusal:
    with pytest.raises(Refusal) as refused:
        check_adjust(Situation(data, view), ASK, answer)
    return refused.value


# --- 6.8, 6.8.1, 6.8.2 -----------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("6.8", "6.8.1", "6.8.2")
def test_6_8_both_sides_pivot_and_take_cover_at_once(edition):
    """L4083-4093: units may pivot and take cover under any command, suppressed or not, and get no marker for it."""
    squad = a_leg("g1", "C3", SQUAD, facing=1, command=Command.NO_COMMAND, suppression=Marker.ON)
    gun = a_gun("s1", "C9", "atg_45mm", facing=1, command=Command.NO_COMMAND, full_cover=True)
    table, played = adjust(
        squad,
        gun,
        german={"pivot": {"g1": 4}, "cover": {"g1": True}},
        soviet={"pivot": {"s1": 2}, "cover": {"s1": False}},
        edition=edition,
    )

    assert_rule(played.findings, "6.8", inputs={"turn": 1})
    assert_rule(played.findings, "6.8.1", inputs={"unit": "g1", "from": 1}, result=4)
    assert_rule(played.findings, "6.8.2", inputs={"unit": "g1"}, result="full-cover")
    assert (squad.facing, squad.full_cover, squad.spot) == (4, True, Spot.NONE)
    assert (gun.facing, gun.full_cover) == (2, False)
    assert [(ask.seat, ask.kind, ask.grade == "order") for ask in played.asks] == [
        ("german", "adjust", False),
        ("soviet", "adjust", False),
    ]
    assert table.state.turn == 2
    assert table.state.next.name == SEQUENCE[0].step == "spotting_phase"


@both_editions
@pytest.mark.rule("6.8.1", "6.1.4.2", "6.8.2")
def test_6_8_1_neither_vehicles_nor_passengers_pivot_or_take_cover(edition):
    """L4087, L4091: only leg and towed units pivot or take cover; a gun in a building may turn (6.1.4.3.1)."""
    data = advanced_data(a_board(signs={"C3": "B"}), edition=edition)
    tank, passenger = a_tank("g1", "D3"), a_leg("g2", "D3", SQUAD, aboard="g1")
    gun = a_gun("g3", "C3", "pak38", inside=Inside.BUILDING)
    view = an_advanced_state(tank, passenger, gun)

    for id in ("g1", "g2"):
        assert_rule(refusal_of(data, view, {"pivot": {id: 3}}), "6.8.1")
        assert_rule(refusal_of(data, view, {"cover": {id: True}}), "6.1.4.2")
    assert check_adjust(Situation(data, view), ASK, {"pivot": {"g3": 3}}) == {"pivot": {"g3": 3}}
    assert_rule(refusal_of(data, view, {"cover": {"g3": False}}), "6.8.2")


@pytest.mark.rule("3.1", "6.1.4.3.6", "6.8", "6.8.1", "6.8.2")
def test_6_8_answers_are_read_or_refused_with_what_is_wrong():
    data = advanced_data()
    view = an_advanced_state(a_leg("g1", "C3", SQUAD), a_leg("s1", "C9", RUSSIANS))

    for answer, rule in (
        ([], "6.8"),
        ({"pivot": 3}, "6.8"),
        ({"pivots": {"g1": 3}}, "6.8"),
        ({"pivot": {"g1": 7}}, "6.8.1"),
        ({"pivot": {"g1": True}}, "6.8.1"),
        ({"cover": {"g1": 1}}, "6.8.2"),
        ({"cover": {"s1": True}}, "3.1"),
        ({"occupy": {"g1": "f9"}}, "6.1.4.3.6"),
    ):
        assert_rule(refusal_of(data, view, answer), rule)
    options = list(adjust_options(Situation(data, view), ASK))
    assert options[0] == {}
    assert {"cover": {"g1": True}} in options
    assert all(check_adjust(Situation(data, view), ASK, option) == option for option in options)


# --- 6.6.8 hasty entrenchments ---------------------------------------------------------------------------------


def a_digger(id: str = "g1", card: str = SQUAD, **more):
    given = {"full_cover": True, "command": Command.NO_COMMAND, **more}
    return a_leg(id, "C3", card, **given)


@pytest.mark.rule("6.1.4.3.6", "6.6.8")
@pytest.mark.parametrize(
    ("edition", "rule"),
    [
        pytest.param("2024", "6.6.8/progress", marks=pytest.mark.rule("6.6.8/progress", editions=("2024",))),
        pytest.param("2016", "6.6.8", marks=pytest.mark.rule("6.6.8", editions=("2016",))),
    ],
)
def test_6_6_8_four_turns_of_digging_make_an_entrenchment(edition, rule):
    """L3686-3690: an entrenchment passes through stages 1, 2 and 3; then it is complete and occupied."""
    squad = a_digger()
    table = an_advanced_table(squad, edition=edition, stage=LAST, scenario={"turns": 9})
    results = []
    for _ in range(4):
        squad.command = Command.NO_COMMAND
        table.state.first = "german"
        played = run_step(table, adjustment_phase(table))
        results.append(assert_rule(played.findings, "6.6.8", inputs={"unit": "g1"}).result)
        assert_rule(played.findings, rule)
        table.state.stage = LAST

    assert results == ["digging", "digging", "digging", "complete"]
    (work,) = table.state.features.values()
    assert (work.type, work.stage, work.holder) == ("hasty_entrenchment", 4, "g1")
    assert squad.position == work.id
    assert_rule(played.findings, "6.1.4.3.6", result="entrenched")
    table.state.first = "german"
    run_step(table, adjustment_phase(table))
    assert len(table.state.features) == 1  # a unit in a position does not dig


@pytest.mark.parametrize(
    ("edition", "rule"),
    [
        pytest.param("2024", "6.6.8/engineers", marks=pytest.mark.rule("6.6.8/engineers", editions=("2024",))),
        pytest.param("2016", "6.6.8", marks=pytest.mark.rule("6.6.8", editions=("2016",))),
    ],
)
@pytest.mark.parametrize(("before", "after"), [(0, 2), (1, 4), (2, 4), (3, 4)])
def test_6_6_8_engineers_need_two_turns_and_finish_what_others_left_in_one(edition, rule, before, after):
    """L3696: engineers dig twice as fast, and complete in one turn what other units left unfinished."""
    engineers = a_digger("g1", "german_pioneer_squad", labels=("engineer",))
    features = {}
    if before:
        features["f9"] = Feature(id="f9", type="hasty_entrenchment", hex=a_hex("C3"), stage=before)
    table, played = adjust(engineers, edition=edition, features=features)

    (work,) = table.state.features.values()
    assert work.stage == after
    assert_rule(played.findings, rule)


@both_editions
@pytest.mark.rule("6.6.8")
@pytest.mark.parametrize(
    "unfit",
    [
        {"suppression": Marker.OFF},
        {"full_cover": False},
        {"command": Command.OVERWATCH},
        {"aboard": "g9"},
    ],
)
def test_6_6_8_only_unsuppressed_units_in_full_cover_without_a_command_dig(edition, unfit):
    """L3686: digging depends on the unit's state in the turn that ends, before the changes of this step."""
    squad = a_digger(**unfit)
    view = an_advanced_state(squad, a_tank("g9", "C3"))
    assert_rule(refusal_of(advanced_data(edition=edition), view, {"dig": {"g1": True}}), "6.6.8")
    table, _ = adjust(squad, a_tank("g9", "C3"), edition=edition, dice=[99])
    assert table.state.features == {}


@pytest.mark.parametrize("sign", ["B", "o"])
def test_6_6_8_nobody_digs_in_buildings_or_water(sign):
    table, _ = adjust(a_digger(), board=a_board(signs={"C3": sign}))
    assert table.state.features == {}


def test_6_6_8_the_owner_may_forbid_digging_and_another_may_go_on_with_the_work():
    """L3688, L3692: an abandoned entrenchment keeps its stage, and another unit may go on with it."""
    table, _ = adjust(a_digger(), german={"dig": {"g1": False}})
    assert table.state.features == {}

    left = Feature(id="f9", type="hasty_entrenchment", hex=a_hex("C3"), stage=2, holder="g2")
    gone = a_leg("g2", "C8", SQUAD)
    table, _ = adjust(a_digger(), gone, features={"f9": left})
    assert [(work.stage, work.holder) for work in table.state.features.values()] == [(3, "g1")]

    # while its digger is there, others dig for themselves
    table, _ = adjust(a_digger("g1"), a_digger("g2"), features={})
    assert sorted(work.holder for work in table.state.features.values()) == ["g1", "g2"]


@both_editions
@pytest.mark.rule("6.1.4.3.6")
def test_6_1_4_3_6_a_finished_entrenchment_of_either_side_can_be_occupied_by_one(edition):
    """L1778-1784: one unit, either a leg unit or a gun, may occupy a finished entrenchment."""
    place = Feature(id="f9", type="hasty_entrenchment", hex=a_hex("C3"), stage=4, side="soviet")
    units = [a_leg("g1", "C3", SQUAD), a_gun("g2", "C3", "pak38"), a_tank("g3", "C3"), a_leg("g4", "D9", SQUAD)]
    wanted = {"occupy": {"g1": "f9", "g2": "f9"}}
    table, played = adjust(*units, german=wanted, edition=edition, features={"f9": place})

    assert_rule(played.findings, "6.1.4.3.6", inputs={"unit": "g1"}, result="occupied")
    assert (units[0].position, units[1].position, place.holder) == ("f9", "", "g1")
    data, view = table.data, table.state
    for id in ("g2", "g3", "g4"):
        assert_rule(refusal_of(data, view, {"occupy": {id: "f9"}}), "6.1.4.3.6")
    assert check_adjust(table, ASK, {"occupy": {"g1": ""}})
    assert_rule(refusal_of(data, view, {"occupy": {"g4": ""}}), "6.1.4.3.6")


@both_editions
@pytest.mark.rule("6.1.4.3.7")
def test_6_1_4_3_7_leg_units_occupy_an_improved_position_here_and_vehicles_by_moving(edition):
    place = Feature(id="f9", type="improved_position", hex=a_hex("C3"))
    units = [a_leg("g1", "C3", SQUAD), a_tank("g2", "C3")]
    table, played = adjust(*units, german={"occupy": {"g1": "f9"}}, edition=edition, features={"f9": place})

    assert_rule(played.findings, "6.1.4.3.7", inputs={"unit": "g1"}, result="occupied")
    assert_rule(refusal_of(table.data, table.state, {"occupy": {"g2": "f9"}}), "6.1.4.3.7")


# --- 6.8.3 suppression -----------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("6.8.3", "6.8.3.1", "6.8.3.1.1", "6.8.3.1.2", "6.8.3.2")
def test_6_8_3_a_regulars_squad_that_fired_under_fire_does_not_recover_with_29(edition):
    """L4121-4130, 2016:L4165-4174: 29 + 20 + 10 = 59 is outside 01-50, so the marker stays Off."""
    squad = a_leg(
        "g1", "C3", SQUAD, grade="regulars", command=Command.FIRE, fired=True, under_fire=True, suppression=Marker.OFF
    )
    _, played = adjust(squad, edition=edition, dice=[29])

    found = assert_rule(played.findings, "6.8.3", cell=["regulars", 50], dice=[29], result="still-suppressed")
    assert [row["value"] for row in found.modifiers] == [20, 10]
    assert_rule(found, "6.8.3.1", result=30)
    assert_rule(found, "6.8.3.1.1", result=20)
    assert_rule(found, "6.8.3.1.2", result=10)
    assert_rule(found, "6.8.3.2", inputs={"total": 59, "upto": 50}, result="still-suppressed")
    assert squad.suppression is Marker.OFF


@both_editions
@pytest.mark.rule("6.8.3.2", "5.10")
def test_6_8_3_only_off_markers_are_rolled_for_and_on_markers_turn_over(edition):
    """L4097-4119: suppression from turn n can be removed at the end of turn n + 1 at the earliest."""
    fresh = a_leg("g1", "C3", SQUAD, command=Command.NO_COMMAND, suppression=Marker.ON)
    old = a_leg("g2", "C4", SQUAD, command=Command.NO_COMMAND, suppression=Marker.OFF, grade="regulars")
    table, played = adjust(fresh, old, edition=edition, dice=[50])

    assert (fresh.suppression, old.suppression) == (Marker.OFF, Marker.NONE)
    assert_rule(played.findings, "6.8.3.2", result="recovered")
    assert_rule(played.findings, "5.10", inputs={"unit": "g1"}, result="off")
    assert table.chance.rolled == [("6.8.3", ("g2",))]


@pytest.mark.parametrize(("grade", "limit"), [("elite", 80), ("veteran", 70), ("seasoned", 60), ("green", 40)])
def test_6_8_3_the_range_goes_by_the_grade_of_the_unit(grade, limit):
    for die, left in ((limit, Marker.NONE), (limit + 1, Marker.OFF)):
        tank = a_tank("g1", "C3", grade=grade, suppression=Marker.OFF)
        adjust(tank, dice=[die])
        assert tank.suppression is left


@pytest.mark.rule("6.8.3.2")
def test_6_8_3_1_1_a_passenger_has_the_command_of_its_carrier():
    truck = a_tank("g1", "C3", "opel", command=Command.MOVE, moved=True)
    squad = a_leg("g2", "C3", SQUAD, aboard="g1", suppression=Marker.OFF)
    _, played = adjust(truck, squad, dice=[50])
    assert_rule(played.findings, "6.8.3.2", inputs={"total": 70})


@pytest.mark.rule("6.8.3")
def test_6_8_3_1_aircraft_recover_by_the_plain_range():
    """L4105: aircraft recover without modifiers."""
    plane = AircraftState(id="a1", name="Stuka", side="german", card="ju87", grade="seasoned", suppression=Marker.OFF)
    shaken = AircraftState(id="a2", name="Stuka", side="german", card="ju87", suppression=Marker.ON)
    _, played = adjust(a_leg("g1", "C3", SQUAD), aircraft={"a1": plane, "a2": shaken}, dice=[60])
    assert (plane.suppression, shaken.suppression) == (Marker.NONE, Marker.OFF)
    assert_rule(played.findings, "6.8.3", inputs={"unit": "a1"}, result="recovered")


# --- 6.8.4 counters --------------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("6.8.4", "6.1.4.3.10")
def test_6_8_4_smoke_lasts_through_the_turn_after_the_one_that_made_it(edition):
    """L4134: smoke marked Off is removed, and then smoke marked On is turned to Off; barrages do not change."""
    hexes = (a_hex("C3"),)
    clouds = {
        "c1": Cloud(id="c1", type="smoke", hexes=hexes, marker=Marker.ON),
        "c2": Cloud(id="c2", type="smoke", hexes=hexes, marker=Marker.OFF),
        "c3": Cloud(id="c3", type="barrage", hexes=hexes, marker=Marker.ON),
    }
    squad = a_leg("g1", "C3", SQUAD, under_fire=True, flags=("hesitating-on",))
    table, played = adjust(squad, clouds=clouds, edition=edition)

    assert_rule(played.findings, "6.8.4", inputs={"turn": 1})
    assert_rule(played.findings, "6.1.4.3.10", inputs={"cloud": "c2"}, result="gone")
    left = {cloud.id: cloud.marker for cloud in table.state.clouds.values()}
    assert left == {"c1": Marker.OFF, "c3": Marker.ON}
    assert not any(cloud.fresh for cloud in table.state.clouds.values())
    assert (squad.under_fire, squad.flags) == (False, ("hesitating-off",))


@pytest.mark.rule("6.1.4.3.12", editions=("2024",))
def test_6_1_4_3_12_dust_goes_as_smoke_does():
    """L1849-1871, step 3: dust is removed in the same way as smoke."""
    cloud = Cloud(id="c1", type="dust", hexes=(a_hex("C3"),), marker=Marker.OFF)
    table, played = adjust(a_leg("g1", "C3", SQUAD), clouds={"c1": cloud})
    assert_rule(played.findings, "6.1.4.3.12", result="gone")
    assert table.state.clouds == {}


@pytest.mark.rule("4.6.1")
def test_6_8_4_unused_commands_leave_a_marker_and_all_counters_are_taken_in():
    """4.6.1: crawling, an unsuccessful call for fire and an assault leave no marker here."""
    units = [
        a_tank("g1", "C3", command=Command.FIRE),
        a_tank("g2", "C3", command=Command.MOVE),
        a_leg("g3", "C3", SQUAD, command=Command.MOVE, full_cover=True),
        a_leg("g4", "C3", SQUAD, command=Command.FIRE, used_up=1),
        a_leg("g5", "C3", SQUAD, command=Command.MOVE, assaulted=True, pending=Spot.MOVE, revealed=True),
        a_leg("g6", "C3", SQUAD, command=Command.OVERWATCH, shares="g7"),
        a_leg("g7", "C3", SQUAD, command=Command.OVERWATCH, pending=Spot.FIRE, pending_small_arms=True, spent=2),
    ]
    _, played = adjust(*units)

    assert [unit.spot for unit in units] == [Spot.FIRE, Spot.MOVE, *[Spot.NONE] * 2, Spot.MOVE, Spot.NONE, Spot.FIRE]
    assert [unit.small_arms for unit in units] == [False] * 6 + [True]
    assert all(unit.command is None and not unit.shares and not unit.spent for unit in units)
    assert_rule(played.findings, "4.6.1", inputs={"unit": "g6"}, result="overwatch")


# --- 4.6.2 the end of the turn ---------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("6.1.4.3.5")
@pytest.mark.parametrize(("ignited", "status"), [(2, Status.ON_MAP), (1, Status.ELIMINATED)])
def test_6_1_4_3_5_who_stays_in_a_fire_until_the_end_of_the_next_turn_is_eliminated(edition, ignited, status):
    """L1768-1776, A-54: a fire that starts in turn n eliminates the unit at the end of turn n + 1."""
    fires = {"f1": Feature(id="f1", type="on_fire", hex=a_hex("C3"), turn=ignited)}
    squad, tank = a_leg("g1", "C3", SQUAD), a_tank("s1", "C3", "t34_76")
    scenario = {"turns": 9}
    _, played = adjust(squad, tank, edition=edition, features=fires, turn=2, scenario=scenario)

    assert (squad.status, tank.status) == (status, status)
    if status is Status.ELIMINATED:
        assert_rule(played.findings, "6.1.4.3.5", inputs={"unit": "g1"}, result="eliminated")
    else:
        later = an_advanced_table(squad, tank, edition=edition, features=fires, turn=3, scenario=scenario)
        played = run_step(later, adjustment_phase(later))
        assert_rule(played.findings, "6.1.4.3.5", inputs={"unit": "s1"}, result="eliminated")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("sign", "feature", "controller"),
    [("B", "on_fire", ""), ("B", "", "german"), ("X", "", "german"), ("o", "", ""), ("=", "bridge_rubble", "")],
)
def test_3_6_a_burning_building_between_both_sides_belongs_to_nobody(edition, sign, feature, controller):
    """L448: the book's own example is a burning building; a hex closed only to vehicles can still be entered."""
    row = ObjectiveRow("hill", "hill", (a_hex("C9"),), vp={"german": 1}, taken="complete_turn", controller="")
    held = {"hill": Objective(controller="german")}
    links = {"links": {"road": ["B9-C9-D9"]}, "legend": {"=": ["water", "bridge"]}} if sign == "=" else {}
    features = {"f1": Feature(id="f1", type=feature, hex=a_hex("C9"))} if feature else {}
    table, _ = adjust(
        a_leg("g1", "C8", SQUAD),
        a_leg("s1", "C10", "soviet_rifle_squad"),
        board=a_board(signs={"C9": sign}, **links),
        scenario={"objectives": (row,)},
        objectives=held,
        features=features,
        edition=edition,
    )

    assert table.state.objectives["hill"].controller == controller


@pytest.mark.parametrize(("by", "controller"), [("units", "german"), ("vehicles", "")])
def test_3_6_a_scenario_may_want_a_vehicle_to_take_an_objective(by, controller):
    """A-03: any armed ground unit can take an objective, unless the scenario asks for a vehicle."""
    row = ObjectiveRow("hill", "hill", (a_hex("C3"),), vp={}, taken="end_of_turn", controller="", by=by)
    for unit, taken in ((a_leg("g1", "C3", SQUAD), controller), (a_tank("g1", "C3"), "german")):
        table, _ = adjust(unit, scenario={"objectives": (row,)}, objectives={"hill": Objective()})
        assert table.state.objectives["hill"].controller == taken


def test_6_8_1_every_other_facing_is_offered():
    """L4087: a unit may turn to face any hexside."""
    table = an_advanced_table(a_leg("g1", "C3", SQUAD, facing=4), a_tank("s1", "T20", "t34_76"))

    offered = [answer["pivot"]["g1"] for answer in adjust_options(table, ASK) if "pivot" in answer]
    assert offered == [1, 2, 3, 5, 6]


@pytest.mark.rule("3.6")
def test_3_6_leg_units_take_objectives_and_abandoned_vehicles_do_not():
    """A-03: any armed ground unit can take an objective; an abandoned vehicle is not armed."""
    vp = {"german": 3, "soviet": 3}
    row = ObjectiveRow("hill", "hill", (a_hex("C3"),), vp=vp, taken="complete_turn", controller="")
    held = {"hill": Objective(held_at_start="german")}
    squad = a_leg("g1", "C3", SQUAD)
    table, played = adjust(squad, scenario={"objectives": (row,)}, objectives=held)
    assert table.state.objectives["hill"].controller == "german"
    assert_rule(played.findings, "3.6", result="german")

    held = {"hill": Objective(held_at_start="german")}
    table, _ = adjust(a_tank("g1", "C3", bailed_out=True), scenario={"objectives": (row,)}, objectives=held)
    assert table.state.objectives["hill"].controller == ""


def test_7_2_of_a_hidden_unit_the_enemy_hears_nothing_in_these_phases():
    """A hidden unit's commands, spotting, digging and recovery are known only to its own side."""
    hidden = {"side": "german", "flags": ("hidden",), "full_cover": True, "facing": 4}
    ambush = a_leg("ghost", "C3", SQUAD, suppression=Marker.OFF, **hidden)
    digger = a_leg("spook", "C4", SQUAD, **hidden)
    units = [ambush, digger, a_leg("g1", "H9", SQUAD), a_leg("s1", "C6", RUSSIANS, spot=Spot.FIRE)]
    table = an_advanced_table(*units, dice=[20, 60, 10], spotted={}, scenario={"turns": 9})
    answers = {
        ("german", "commands"): {"ghost": "overwatch"},
        ("german", "adjust"): {"pivot": {"ghost": 3}, "cover": {"ghost": False}},
    }
    for step in (spotting_phase, place_commands, initiative_phase, adjustment_phase):
        run_step(table, step(table), answers)

    assert table.state.spotted["ghost"] == ["s1"]
    assert table.state.spotted["s1"] == ["g1"]
    own = msgspec.json.encode(seen_by(table.findings, "german")).decode()
    enemy = msgspec.json.encode(seen_by(table.findings, "soviet")).decode()
    for name in ("ghost", "spook"):
        assert name in own
        assert name not in enemy


def test_4_6_2_after_the_last_turn_the_match_is_over():
    table, _ = adjust(a_leg("g1", "C3", SQUAD), turn=3)
    assert table.state.next is None
    assert table.state.outcome.rule == "4.6.2"
