"""3.3.2, 7.5, 7.6, 7.7 The movement of vehicles: costs, turns, Motion, bog, smoke devices, hatches."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import a_table, carried, driving
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.orders import Leg
from pbem.titles.aslsk.state import Smoke
from pbem.titles.aslsk.vehicles.costs import entry_cost, turn_cost
from pbem.titles.aslsk.vehicles.devices import device_objections, use_device
from pbem.titles.aslsk.vehicles.driving import way_home
from pbem.titles.aslsk.vehicles.reactions import other_objections, react
from pbem.titles.aslsk.vehicles.status import (
    crew_morale,
    immobilize,
    possible_shock,
    recover_shock,
    shock,
)
from pbem.titles.aslsk.vehicles.steps import (
    bog_check,
    break_up_stacks,
    change_hatches,
    enter,
    first_needed_step,
    free_itself,
    start_engine,
    step_objections,
    stop,
    turn,
)

IIIN, T34 = "german-pz3n", "russian-t34-85"


def a_tank(card=T34, at="E8", facing=1, ground=None, spent=(), **more):
    id = "r1" if card.startswith("russian") else "g1"
    side = "russian" if id == "r1" else "german"
    ground = a_ground(ground or {})
    table = a_table({}, vehicles={id: (card, at, facing)}, ground=ground, phase="movement", attacker=side, **more)
    driving(table, id, *(spent or ((at, 0),)))
    return table, table.state.vehicles[id]


def refused(table, vehicle, leg):
    return list(step_objections(table.situation, vehicle, leg))


@pytest.mark.rule("7.6", "7.6/unbog")
def test_7_6_the_bog_example():
    """bog-1, bog-3, bog-4, bog-5: woods cost 8 MP, and a 9 with +1 and +3 mires the tank.

    It is then freed for 18 or 9 MP; a tank that enters for all its MP does not have the +3.
    """
    table, tank = a_tank(ground={"woods": "E7"}, dice={"7.6": [4, 5]})
    cost = entry_cost(table.situation, tank, "E7")
    assert (cost.halves, cost.bog) == (16, True)
    enter(table, tank, Leg("enter", "E7"))
    found = assert_rule(table.findings, "7.6", inputs={"vehicle": "r1"}, result="bogged")
    assert sum(row["value"] for row in found.modifiers) == 4
    assert tank.bogged and tank.going.over and tank.stopped
    assert_rule(refused(table, tank, Leg("enter", "E6")), "7.6")
    for dice, mp_left, result in (([6, 3], 0, "freed"), ([3, 3], 14, "freed")):
        again, mired = a_tank(dice={"7.6/unbog": dice}, armour={"r1": {"bogged": "mired"}})
        mired.going.stopped = True
        free_itself(again, mired)
        assert_rule(again.findings, "7.6/unbog", inputs={"vehicle": "r1"}, result=result)
        assert mired.going.allowance - mired.going.spent == mp_left and not mired.bogged and not mired.stopped
    slow, careful = a_tank(ground={"woods": "E7"}, dice={"7.6": [4, 5]})
    assert entry_cost(slow.situation, careful, "E7", whole=True).whole
    enter(slow, careful, Leg("enter", "E7", whole=True))
    assert not careful.bogged and sum(row["value"] for row in assert_rule(slow.findings, "7.6").modifiers) == 1
    for dice, marker in (([1, 5], "mired"), ([1, 6], "")):
        stuck, tank = a_tank(dice={"7.6/unbog": dice}, armour={"r1": {"bogged": "bogged"}})
        free_itself(stuck, tank)
        assert tank.bogged == marker and (tank.immobilized or marker)
        assert_rule(refused(stuck, tank, Leg("delay", number=1)), "7.6/unbog")


@pytest.mark.rule("3.3.2", "3.3.2/mp-costs", "3.3.2/vca")
def test_3_3_2_start_turn_enter_and_stop():
    table, tank = a_tank()
    tank.going.stopped = True
    assert first_needed_step(table.situation, tank, Leg("enter", "E9")).do == "start"
    start_engine(table, tank)
    assert_rule(table.findings, "3.3.2/mp-costs", inputs={"vehicle": "r1", "mp": "1"}, result="starts")
    step = first_needed_step(table.situation, tank, Leg("enter", "E9"))
    assert step.do == "turn" and turn_cost(table.situation, tank, step.number) in (4, 6)
    assert_rule(refused(table, tank, Leg("enter", "E9")), "3.3.2/vca")
    turn(table, tank, step.number)
    assert_rule(table.findings, "3.3.2/vca", inputs={"vehicle": "r1"}, result="turns")
    enter(table, tank, Leg("enter", "E9"))
    assert_rule(table.findings, "3.3.2", inputs={"to": "E9", "mp": "1"}, result="E9")
    assert tank.moving and tank.new_hex
    stop(table, tank)
    assert tank.stopped and tank.going.here == 4
    assert first_needed_step(table.situation, tank, Leg("delay", number=2)).do == "delay"
    tank.going.spent = tank.going.allowance
    assert_rule(refused(table, tank, Leg("delay", number=2)), "3.3.2/mp-costs")


@pytest.mark.rule("1.1.1.2", "7.7", "3.3.2/mp-costs")
def test_3_3_2_costs_of_hexes_for_vehicles():
    """Vehicles pay for roads, crests, brush, buildings, Smoke, other vehicles and wrecks as the chart says."""
    table, tank = a_tank(ground={"stone": "E7", "brush": "D7"})
    situation = table.situation
    assert entry_cost(situation, tank, "E7").halves == 16 and entry_cost(situation, tank, "E7").buttoned
    assert entry_cost(situation, tank, "D7").halves == 4 or situation.ground[("D7")].terrain != "brush"
    table.state.smoke["F7"] = [Smoke("dispersed", "german")]
    assert entry_cost(situation, tank, "F7").halves == 4
    tank.ce = True
    assert_rule(refused(table, tank, Leg("enter", "E7")), "7.7")
    car, wheels = a_tank("british-daimler".replace("british", "german") if False else "russian-ba-64b",
                         ground={"stone": "E7"})  # fmt: skip
    assert_rule(refused(car, wheels, Leg("enter", "E7")), "1.1.1.2")
    assert entry_cost(car.situation, wheels, "F7").halves == 6
    tank.going.spent = tank.going.allowance - 1
    tank.going.hexes = 1
    tank.ce = False
    assert_rule(refused(table, tank, Leg("enter", "F7")), "3.3.2/mp-costs")


@pytest.mark.rule("3.3.2/minimum-move")
def test_3_3_2_a_vehicle_can_always_move_one_hex():
    table, tank = a_tank("russian-kv-2", ground={"woods": "E7"}, dice={"7.6": [1, 1]})
    tank.going.allowance = 8
    assert not refused(table, tank, Leg("enter", "E7"))
    enter(table, tank, Leg("enter", "E7"))
    assert tank.going.over and not tank.stopped
    assert_rule([*refused(table, tank, Leg("enter", "E6"))], "3.3.2/mp-costs")
    assert_rule(table.findings, "3.3.2/minimum-move", inputs={"to": "E7"}, result="for all its MP")


@pytest.mark.rule("3.3.2/mechanical-reliability", "7.10/immobilized")
def test_3_3_2_red_mp_can_break_down():
    table, tank = a_tank("russian-kv-2", dice={"3.3.2/mechanical-reliability": [6, 6]})
    start_engine(table, tank)
    assert_rule(table.findings, "3.3.2/mechanical-reliability", inputs={"vehicle": "r1"}, result="breaks down")
    assert tank.immobilized and tank.stopped
    assert_rule(refused(table, tank, Leg("enter", "E7")), "7.10/immobilized")


@pytest.mark.rule("3.3.2/stacking")
def test_3_3_2_two_vehicles_in_a_hex_cost_one_of_them():
    table = a_table({}, vehicles={"r1": (T34, "E8", 1), "r2": ("russian-kv-2", "E8", 1)}, attacker="russian")
    break_up_stacks(table, "russian")
    assert_rule(table.findings, "3.3.2/stacking", inputs={"vehicle": "r2"}, result="destroyed")
    assert list(table.state.vehicles) == ["r1"]


@pytest.mark.rule("3.3.2/enemy-afv-hex")
def test_3_3_2_a_vehicle_may_not_stop_with_an_afv_that_it_cannot_hurt():
    table = a_table({}, vehicles={"r1": ("russian-t-60", "E8", 1), "g1": ("german-pz6e", "E7", 4)}, phase="movement",
                    attacker="russian")  # fmt: skip
    driving(table, "r1", ("E8", 2))
    tank = table.state.vehicles["r1"]
    enter(table, tank, Leg("enter", "E7"))
    assert tank.going.must_leave
    assert_rule(refused(table, tank, Leg("stop")), "3.3.2/enemy-afv-hex")
    strong = a_table({}, vehicles={"r1": ("russian-is-2", "E8", 1), "g1": (IIIN, "E7", 4)}, phase="movement",
                     attacker="russian")  # fmt: skip
    driving(strong, "r1", ("E8", 2))
    enter(strong, strong.state.vehicles["r1"], Leg("enter", "E7"))
    assert not strong.state.vehicles["r1"].going.must_leave


@pytest.mark.rule("3.3.2.1")
def test_3_3_2_1_motion_against_a_mover_that_was_out_of_sight():
    table = a_table({}, vehicles={"r1": (T34, "E8", 1), "g1": (IIIN, "E4", 4)}, phase="movement", attacker="russian",
                    dice={"3.3.2.1": [2]})  # fmt: skip
    driving(table, "r1", ("E9", 2), ("E8", 4))
    attempt = Attack(("g1",), "E8", how="motion")
    assert not list(other_objections(table.situation, "german", attempt))
    react(table, attempt)
    assert_rule(table.findings, "3.3.2.1", inputs={"vehicle": "g1", "number": 3}, result="in Motion")
    assert table.state.vehicles["g1"].motion
    assert_rule(list(other_objections(table.situation, "german", attempt)), "3.3.2.1")
    table.state.vehicles["g1"].motion_tried = False
    table.state.seen_at_start = {"g1": ["r1"]}
    assert_rule(list(other_objections(table.situation, "german", attempt)), "3.3.2.1")


@pytest.mark.rule("7.5")
def test_7_5_smoke_devices():
    table, tank = a_tank(IIIN, dice={"7.5": [3, 3]})
    assert not list(device_objections(table.situation, tank, ""))
    assert use_device(table, tank)
    assert_rule(table.findings, "7.5", inputs={"vehicle": "g1", "number": 7}, result="placed")
    assert table.situation.smoke_in("E8") == 2
    assert_rule(list(device_objections(table.situation, tank, "")), "7.5")
    none, plain = a_tank("russian-kv-2")
    assert_rule(list(device_objections(none.situation, plain, "")), "7.5")


@pytest.mark.rule("7.7")
def test_7_7_hatches_change_once_in_a_phase():
    table, tank = a_tank(IIIN)
    assert not refused(table, tank, Leg("open"))
    change_hatches(table, tank, exposed=True)
    assert_rule(table.findings, "7.7", inputs={"vehicle": "g1"}, result="crew exposed")
    assert_rule(refused(table, tank, Leg("close")), "7.7/change")


@pytest.mark.rule("7.10/shock", "7.10/shock-recovery", "7.10/immobilized")
def test_7_10_shock_and_recovery():
    table, tank = a_tank(IIIN, dice={"7.10/shock": [6, 5], "7.10/shock-recovery": [4, 6]})
    assert crew_morale(table.situation, tank) == 8
    tank.ce = True
    possible_shock(table, tank)
    assert_rule(table.findings, "7.10/shock", inputs={"vehicle": "g1"}, result="Shock")
    assert tank.shock == "shock" and not tank.ce and tank.stopped
    recover_shock(table, "german")
    assert tank.shock == "uk"
    recover_shock(table, "german")
    assert_rule(table.findings, "7.10/shock-recovery", inputs={"vehicle": "g1"}, result="lost")
    assert not table.state.vehicles and table.state.wrecks
    other, tank = a_tank(IIIN, dice={"7.10/shock-recovery": [2]})
    shock(other, tank)
    recover_shock(other, "german")
    assert not tank.shock
    immobilize(other, tank)
    assert_rule(other.findings, "7.10/immobilized", inputs={"vehicle": "g1"}, result="immobilized")


@pytest.mark.rule("3.3.2/motion", "3.2.4/continuous-los")
def test_3_2_4_the_moving_target_bands_by_mp_in_sight():
    """No. 24: more than 3 MP is +2, up to 3 MP +3, up to 1 MP +4; a target in sight from the start counts as +2."""
    for spent, rule, value in (
        ((("E9", 2),), "3.3.2/motion", 2),
        ((("", 0), ("E9", 2)), "3.2.4/continuous-los", 4),
        ((("", 0), ("E9", 6)), "3.2.4/continuous-los", 3),
        ((("", 0), ("E9", 8)), "3.3.2/motion", 2),
    ):
        table = a_table(
            {"r2": ("r228", "E12")},
            weapons={"rw": ("russian-45l-at", "r2")},
            facings={"rw": 1},
            vehicles={"g1": (IIIN, "E9", 4)},
            armour={"g1": {"moving": True}},
            phase="movement",
        )
        driving(table, "g1", *spent)
        fire(table, Attack(("rw",), "E9", target="g1"))
        assert_rule(carried(table.findings), rule, inputs={"text": "moving target"}, result=value)


def test_7_10_a_recalled_vehicle_goes_home():
    table, tank = a_tank(IIIN)
    path = way_home(table.situation, tank)
    assert path[-1] == "off" and table.situation.ground.adjacent(tank.at, path[0])
    assert bog_check(table, tank, "E8", []) in (True, False)


@pytest.mark.rule("1.1.1/half-and-all-mp", "3.3.2/bog-entry", "7.7/change")
def test_1_1_1_woods_cost_a_share_of_the_mp():
    table, tank = a_tank(ground={"woods": "E7"}, dice={"7.6": [1, 1]})
    enter(table, tank, Leg("enter", "E7"))
    assert_rule(table.findings, "1.1.1/half-and-all-mp", inputs={"to": "E7"}, result="half of its MP")
    assert_rule(table.findings, "3.3.2/bog-entry", inputs={"to": "E7"}, result="woods")
    change_hatches(table, tank, exposed=True)
    assert_rule(refused(table, tank, Leg("close")), "7.7/change")


@pytest.mark.rule("7.10/crew-morale", "3.1/g-shock-recovery")
def test_7_10_crews_have_the_morale_of_their_elite():
    table, tank = a_tank(IIIN, dice={"7.10/shock": [6, 6], "7.10/shock-recovery": [1]})
    possible_shock(table, tank)
    assert_rule(table.findings, "7.10/crew-morale", inputs={"vehicle": "g1"}, result=8)
    recover_shock(table, "german")
    assert_rule(table.findings, "3.1/g-shock-recovery", inputs={"vehicles": ["g1"]})


@pytest.mark.rule("7.5")
def test_7_5_a_smoke_mortar_turns_its_turret_as_if_it_fired():
    """A smoke mortar's T turret turns for +1 per hexspine, and BU is +1; afterwards it faces the smoke."""
    table, tank = a_tank("american-m4a1", dice={"7.5": [1, 1, 1, 1]})
    tank.tca = tank.vca = 0
    tank.going = None
    gun = table.state.weapons["g1ma"]
    gun.acquired, gun.acquisition = "E5", 1
    covering = table.situation.ground.arcs_to("E8", "E6")
    spines = min(min((facing - 0) % 6, (0 - facing) % 6) for facing in covering)
    assert spines, "the hex is outside the arc"
    assert use_device(table, tank, "E6") and tank.tca in covering and tank.vca == 0
    found = assert_rule(table.findings, "7.5", inputs={"at": "E6"}, result="placed")
    assert {row["text"]: row["value"] for row in found.modifiers} == {"BU": 1, "turns": spines}
    assert tank.turret_turned == spines and not gun.acquired, "7.8 other weapons share the turn; 6.10 acquisition"
    before = len(table.findings)
    tank.device_tried = False
    assert use_device(table, tank, "E6")
    (again,) = table.findings[before:]
    assert "turns" not in {row["text"] for row in again.modifiers}, "it faces the hex already"
