"""More single conditions of rules, each with the case on either side of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from titles.panzer.advanced.builders import (
    a_gun,
    a_leg,
    a_tank,
    advanced_data,
    an_advanced_state,
    an_advanced_table,
    changed,
)
from titles.panzer.advanced.marching import a_field, tried
from titles.panzer.ap.advanced_shots import a_shot, duel
from titles.panzer.artillery.test_observers import a_battery
from titles.panzer.basic import a_shot as a_basic_shot
from titles.panzer.builders import a_board, a_data_set, a_hex, a_state, a_vehicle, brewed_up, run_step
from titles.panzer.moving import a_mover, start

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.ap.ap_damage import Angle, Location, armour_of, hull_down_of
from pbem.titles.panzer.ap.ap_modifiers import hit_modifiers, overwatch_adjust
from pbem.titles.panzer.artillery.observers import firer_of
from pbem.titles.panzer.artillery.response import natural_one
from pbem.titles.panzer.command.command_control import Group, group_objections, in_command_range
from pbem.titles.panzer.command.commands import overwatch_objections
from pbem.titles.panzer.damage.bail_out import TRACK_AGAIN, passenger_checks
from pbem.titles.panzer.decisions.support import Missions
from pbem.titles.panzer.movement.movement_step import check_reroute, reroute_options
from pbem.titles.panzer.movement.shared_moves import stragglers
from pbem.titles.panzer.movement.steps.costs import WHOLE, Item, Price
from pbem.titles.panzer.movement.steps.driving import _price_objections
from pbem.titles.panzer.player.many import groups_for, remarks_on
from pbem.titles.panzer.player.plan import AdvancedPlan, Aim, Declaration, FireWish
from pbem.titles.panzer.routes.route_search import _AlongLinks
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES, words
from pbem.titles.panzer.sequence import SEQUENCE, go_on
from pbem.titles.panzer.setup.deployment import settle
from pbem.titles.panzer.setup.unit_checks import UnitChecks
from pbem.titles.panzer.sighting.sight import Sight, Station, sees
from pbem.titles.panzer.sighting.spotting import in_line
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, HullDown, Inside, Mission, Unit

SQUAD = "german_rifle_squad"
FREE = tuple(rule for rule in ADVANCED_RULES if rule != "command_control")


@pytest.mark.rule("4.1.4", effect=True)
def test_4_1_4_a_blocked_line_from_the_ground_blocks_no_line_from_upstairs():
    """A house of one storey in C1 hides G1 from the ground of A1, but not from its third floor."""
    upstairs, below, near = (
        a_leg("g1", "A1", SQUAD, inside=Inside.UP),
        a_leg("g2", "A1", SQUAD),
        a_leg("g3", "F1", SQUAD),
    )
    data = advanced_data(a_board("B.B....", storeys={"A1": 3}))
    situation = Situation(data, an_advanced_state(upstairs, below, near))
    there = Station(a_hex("G1"))
    assert not sees(situation, below, there.hex)  # from now on this line is known
    units = [upstairs, below, near]
    assert list(Sight(situation).perhaps_in_line(there, units)) == [upstairs, near]
    assert list(in_line(situation, Sight(situation), there, units)) == [upstairs, near]


@pytest.mark.rule("4.2", "6.2", effect=True)
@pytest.mark.parametrize(("rules", "told"), [(ADVANCED_RULES, []), (FREE, ["6.2"])])
def test_4_2_units_share_a_counter_only_with_command_control(rules: Any, told: list[str]):
    units = a_tank("g1", "C5"), a_tank("g2", "C5")
    situation = Situation(advanced_data(rules=rules), an_advanced_state(*units))
    assert [one.rule for one in group_objections(situation, Group(Command.MOVE, units))] == told


@pytest.mark.rule("4.2/overwatch", effect=True)
@pytest.mark.parametrize(("bailed_out", "told"), [(False, []), (True, ["4.2/overwatch"])])
def test_4_2_overwatch_with_weapons_that_nobody_can_fire_is_refused(bailed_out: bool, told: list[str]):
    """For an armed vehicle the basic game would cite 4.4.3, since there it can lack only an AP row."""
    tank = a_tank("g1", "C5", bailed_out=bailed_out)
    situation = Situation(advanced_data(), an_advanced_state(tank))
    assert [one.rule for one in overwatch_objections(situation, tank)] == told


@pytest.mark.rule("4.4.3.2.2/overwatch-adjust", effect=True)
@pytest.mark.parametrize(
    ("command", "facing", "adjusts"),
    [(Command.OVERWATCH, 1, True), (Command.OVERWATCH, 4, False), (Command.FIRE, 1, False)],
)
def test_4_4_3_2_2_only_overwatch_adjusts_to_a_target_behind_the_firer(command: Command, facing: int, adjusts: bool):
    data, state = duel(firer={"command": command, "facing": facing})
    assert bool(overwatch_adjust(a_shot(data, state))) is adjusts


@pytest.mark.rule("4.4.3.2.5", effect=True)
def test_4_4_3_2_5_a_shot_out_of_range_penetrates_nothing():
    state = an_advanced_state(a_tank("b1", "C3", "crusader1"), a_tank("g1", "C70", "pz3j"))
    data = advanced_data(a_board(columns=3, rows=70), sides=state.sides)
    assert (a_shot(data, state).factor, a_shot(data, state).penetration) == (None, 0)


@pytest.mark.rule("4.5.1.1.1", effect=True)
def test_4_5_1_1_1_a_route_is_given_up_once_the_goal_is_farther_than_the_points_left():
    mover = a_mover("C9", board=a_board(links={"road": ["C9-C8-C7-C6"]}))
    begun = start(mover, "road")
    for goal, leads in ((a_hex("C6"), True), (a_hex("T20"), False)):
        links = _AlongLinks(mover, begun, goal)
        assert links.may_lead_on(links.start) is leads
        assert any(reached.hex == goal for reached in links.reached) is leads


@pytest.mark.rule("4.5.1.1.2", effect=True)
def test_4_5_1_1_2_the_refusal_names_what_takes_the_whole_allowance():
    price = Price((Item("4.5.1.1.2", "Clear", 1), Item("4.5.1.1.2/wall", "Wall", WHOLE)), WHOLE)
    progress: Any = SimpleNamespace(mode="cross", spent=1, entered=1, ended=False)
    assert [one.rule for one in _price_objections(progress, price, "C8")] == ["4.5.1.1.2/wall"]


@pytest.mark.rule("6.0", effect=True)
def test_6_0_the_advanced_game_leaves_no_step_of_the_turn_out():
    table = an_advanced_table(a_tank("g1", "C5"), a_tank("s1", "T20", "t34_76"))
    stages = []
    for _ in SEQUENCE:
        go_on(table)
        stages.append(table.state.stage)
    assert stages == [*range(1, len(SEQUENCE)), 0]


@pytest.mark.rule("6.1.4", effect=True)
@pytest.mark.parametrize(("aboard", "dump"), [("", a_hex("C5")), ("g2", None)])
def test_6_1_4_a_unit_set_up_as_a_passenger_leaves_no_ammunition_on_the_ground(aboard: str, dump: Any):
    squad = a_leg("g1", "C5", SQUAD, aboard=aboard)
    row: Any = SimpleNamespace(hex=squad.hex, full_cover=False, hull_down="", inside="", position="")
    data = SimpleNamespace(rows={"g1": row}, board=a_board(), advanced=advanced_data().advanced)
    situation: Any = SimpleNamespace(data=data, state=an_advanced_state(squad, a_tank("g2", "C5", "opel")))
    settle(situation, squad)
    assert squad.dump == dump


@pytest.mark.rule("6.1.4.1", effect=True)
def test_6_1_4_1_a_vehicle_that_is_not_rising_is_hull_down_with_lower_hulls_too():
    state = an_advanced_state(a_tank("g1", "C3"), a_tank("s1", "C6", "t34_76", hull_down=HullDown.HD, facing=1))
    data = advanced_data(a_board(signs={"C6": "^"}), edition="2016", rules=(*ADVANCED_RULES, "lower_hull"))
    assert hull_down_of(a_shot(data, state))[0] is HullDown.HD


@pytest.mark.rule("6.1.4.3.1", effect=True)
@pytest.mark.parametrize(("storeys", "desert", "fits"), [(1, False, False), (2, False, True), (1, True, True)])
def test_6_1_4_3_1_a_unit_is_set_up_upstairs_from_two_storeys_on(storeys: int, desert: bool, fits: bool):
    """The buildings of the desert have a roof above their only storey."""
    mistakes: list[str] = []
    checks: Any = SimpleNamespace(
        board=a_board("B....", storeys={"A1": storeys}),
        book=advanced_data().book,
        table={"desert_buildings": desert},
        mistake=lambda where, what, *more, **rule: mistakes.append(what),
    )
    unit: Any = SimpleNamespace(inside="up", hex=a_hex("A1"), card=SQUAD)
    UnitChecks.check_inside(checks, "g1", unit)
    assert mistakes == ([] if fits else ["the building in A1 has only one storey."])


@pytest.mark.rule("6.1.4.3.6", effect=True)
@pytest.mark.parametrize(
    ("hex", "card", "told"),
    [
        ("C5", SQUAD, []),
        ("C6", SQUAD, ["f1 is in C5."]),
        ("", SQUAD, []),
        ("C5", "pz4h", ["an entrenchment cannot hold a vehicle."]),
    ],
)
def test_6_1_4_3_6_an_entrenchment_is_in_the_hex_of_its_unit_and_holds_no_vehicle(hex: str, card: str, told: Any):
    """A unit whose owner is to choose its hex has no hex yet, so nothing is checked."""
    mistakes: list[str] = []
    checks: Any = SimpleNamespace(
        features=[SimpleNamespace(id="f1", type="hasty_entrenchment", hex=a_hex("C5"))],
        book=advanced_data().book,
        is_known=lambda *named: True,
        mistake=lambda where, what, *more, **rule: mistakes.append(what),
    )
    unit: Any = SimpleNamespace(position="f1", hex=a_hex(hex) if hex else None, card=card)
    UnitChecks.check_position(checks, "g1", unit)
    assert mistakes == told


@pytest.mark.rule("6.2", effect=True)
def test_6_2_a_rule_in_use_is_told_by_its_number_and_title():
    assert words("hull_down") == "6.1.4.1 Hull down"
    assert words("lower_hull").startswith("7.13 ")


@pytest.mark.rule("6.2.1.1.2", effect=True)
def test_6_2_1_1_2_units_of_different_formations_are_not_in_command_range():
    one, other = a_tank("g1", "C5"), a_tank("g2", "C5")
    situation = Situation(advanced_data(), an_advanced_state(one, other))
    assert in_command_range(situation, one, other)
    assert not in_command_range(situation, one, changed(other, formation="other"))


@pytest.mark.rule("6.2.1", effect=True)
@pytest.mark.parametrize(("left", "used_up"), [(1, True), (2, False)])
def test_6_2_1_commands_are_called_used_up_only_when_they_are(left: int, used_up: bool):
    units = a_tank("g1", "C5"), a_tank("g2", "C5")
    situation = Situation(advanced_data(), an_advanced_state(*units, available={"german": left}))
    (said,) = remarks_on(situation, units[1:], {"g1": "g1 overwatch"}, {"german": left})
    assert "without an order: g2" in str(said) and (" used; " in str(said)) is used_up


@pytest.mark.rule("6.2.1.1.3", effect=True)
@pytest.mark.parametrize(
    ("command", "left", "sizes"),
    [(Command.OVERWATCH, 2, [1, 1]), (Command.OVERWATCH, 1, [2]), (Command.NO_COMMAND, 0, [1, 1])],
)
def test_6_2_1_1_3_units_share_a_command_only_if_there_are_too_few(command: Command, left: int, sizes: list[int]):
    units = a_tank("g1", "C5"), a_tank("g2", "C5")
    situation = Situation(advanced_data(), an_advanced_state(*units))
    assert [len(group) for group in groups_for(situation, {"german": left}, units, command)] == sizes


@pytest.mark.rule("6.2.1.1.3/roads-and-paths", effect=True)
@pytest.mark.parametrize(
    ("second", "told"),
    [(a_tank("g2", "C15"), True), (a_leg("g2", "C15", SQUAD), False)],
    ids=["two tanks", "a tank and a squad"],
)
def test_6_2_1_1_3_only_vehicles_could_be_in_column(second: Unit, told: bool):
    units = a_tank("g1", "C5"), second
    situation = Situation(advanced_data(edition="2024"), an_advanced_state(*units))
    found = [one.rule for one in group_objections(situation, Group(Command.MOVE, units))]
    assert found[0] == "6.2.1.1.3" and (found[1:] == ["6.2.1.1.3/roads-and-paths"]) is told


@pytest.mark.rule("6.2.1.1.4", effect=True)
@pytest.mark.parametrize(("command", "behind"), [(Command.MOVE, ["g2"]), (Command.OVERWATCH, [])])
def test_6_2_1_1_4_nobody_must_follow_a_companion_without_a_command_to_move(command: Command, behind: list[str]):
    units = a_tank("g1", "C5", command=command, moved=True), a_tank("g2", "C9", shares="g1")
    situation = Situation(advanced_data(), an_advanced_state(*units))
    assert [unit.id for unit in stragglers(situation, "german")] == behind


@pytest.mark.rule("6.5.1.9", effect=True)
@pytest.mark.parametrize(("ordered", "left"), [([], ["m1"]), (["m1"], [])])
def test_6_5_1_9_a_mission_with_an_order_of_its_own_is_not_continued_again(ordered: list[str], left: list[str]):
    mission = Mission(id="m1", side="german", observer="g1", firers=("g2",), point=a_hex("C9"), started=1)
    state = an_advanced_state(
        a_leg("g1", "C5", "german_section"), a_gun("g2", "C6", "pak40"), missions={"m1": mission}
    )
    asked: Any = SimpleNamespace(view=state, seat="german")
    plan = AdvancedPlan(
        fire={"g2": FireWish([Aim(targets=["s1"])])},
        missions=[Declaration(do="continue", mission=id) for id in ordered],
    )
    assert [one.mission for one in Missions.left_over(asked, plan)] == left


@pytest.mark.rule("6.5.1.10", effect=True)
@pytest.mark.parametrize(("reached", "strays"), [(True, True), (False, False)])
def test_6_5_1_10_in_the_other_reading_fire_that_reached_its_factor_still_strays(reached: bool, strays: bool):
    data = advanced_data(switches={"stray_needs_response": True})
    mission = Mission(id="m1", side="german", point=a_hex("C9"))
    units = a_tank("g2", "C8"), a_tank("s1", "C12", "t34_76")
    table = an_advanced_table(*units, data=data, batteries={"gb1": a_battery()})
    firer = firer_of(table, "gb1")
    assert firer is not None
    point, _ = run_step(table, natural_one(table, mission, firer, a_hex("C9"), reached), {"danger": ["g2"]}).result
    assert (point == a_hex("C8")) is strays


@pytest.mark.rule("6.5.2.3.1", effect=True)
def test_6_5_2_3_1_armour_is_explained_by_slope_face_and_energy_alone():
    data, state = duel()
    found = armour_of(a_shot(data, state), Angle.FRONT, Location.HF)
    assert [one.rule for one in found.children] == ["6.5.2.3.1", "6.5.2.3.2", "6.5.2.3.4"]


@pytest.mark.rule("6.5.2.4", effect=True)
@pytest.mark.parametrize("smoke", [0, 2])
def test_6_5_2_4_smoke_is_told_only_where_there_is_some(smoke: int):
    wrecks = {"C5": brewed_up()} if smoke else {}
    firer, target = a_vehicle("b1", "C3", command=Command.FIRE), a_vehicle("g1", "C7")
    shot = a_basic_shot(a_data_set(), a_state(firer, target, wrecks=wrecks), firer, 0, target)
    assert ("smoke" in hit_modifiers(shot).inputs) is bool(smoke)


@pytest.mark.rule("6.5.2.6.2", effect=True)
@pytest.mark.parametrize(
    ("cause", "riders", "ruled"), [(TRACK_AGAIN, 1, True), (TRACK_AGAIN, 0, False), ("no_damage", 1, False)]
)
def test_6_5_2_6_2_the_ruling_on_a_second_track_hit_is_told_where_it_matters(cause: str, riders: int, ruled: bool):
    tank, squad = a_tank("g1", "C5"), a_leg("g2", "C5", SQUAD, aboard="g1")
    table = an_advanced_table(tank, *[squad] * riders, dice=[50])
    assert any(one.rule == "house/A9" for one in passenger_checks(table, tank, [cause])) is ruled


@pytest.mark.rule("6.6.4.2", "4.5.1.1.5", effect=True)
def test_6_6_4_2_a_quickmarch_that_goes_on_another_way_keeps_its_allowance():
    """A squad moves two hexes across country and three on a quickmarch; after two it may still turn aside."""
    table = a_field(a_leg("g1", "C9", SQUAD))
    for mode, further in (("quick", True), ("cross", False)):
        march = tried(table, "g1", "1 1", mode)
        ask = Ask("german", "reroute", "4.5.1.1.5", subject="g1", about={"progress": msgspec.to_builtins(march)})
        options = [option["steps"] for option in reroute_options(table, ask) if option]
        assert any(options) is further
        if further:
            assert check_reroute(table, ask, {"steps": ["2"]}) == {"steps": ["2"]}
        else:
            with pytest.raises(Refusal):
                check_reroute(table, ask, {"steps": ["2"]})
