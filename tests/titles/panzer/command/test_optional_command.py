"""7.3-7.6 Platoon command, radios, Soviet communications and tank fright."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_leg, a_tank, an_advanced_table
from titles.panzer.builders import a_hex, run_step

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.table import Table
from pbem.titles.panzer.air.air_attacks import observer_for
from pbem.titles.panzer.artillery.calls import Call, call_objections
from pbem.titles.panzer.artillery.observers import firer_of, observer_of
from pbem.titles.panzer.artillery.response import CONDITIONS, Responding, modifiers_finding, response_modifiers
from pbem.titles.panzer.close_combat.close_combat import close_combat_step
from pbem.titles.panzer.command.command_control import explain_available, in_command_range, own_command_range
from pbem.titles.panzer.command.commands import check_commands, command_options
from pbem.titles.panzer.command.morale import Check, check_morale, command_unit_near
from pbem.titles.panzer.command.platoons import platoon_of
from pbem.titles.panzer.command.radios import can_hand_over, has_radio, platoon_objections, silent_platoons
from pbem.titles.panzer.damage.effects import eliminate
from pbem.titles.panzer.invariants import counter_flaws
from pbem.titles.panzer.movement.move_execution import let_off
from pbem.titles.panzer.movement.steps.acts import Dismount
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.scenario import AdvancedUnit, FormationRow
from pbem.titles.panzer.state import Battery, Command, Marker, Mission, PanzerState, Spot

SQUAD, SOVIET = "german_rifle_squad", "soviet_rifle_squad"


def formations() -> dict[str, FormationRow]:
    """A Soviet regiment of two companies, and a German company."""
    rows = [
        FormationRow("rgt", "rgt", "soviet", "soviet", "veteran"),
        FormationRow("a", "a", "soviet", "soviet", "veteran", "rgt"),
        FormationRow("b", "b", "soviet", "soviet", "veteran", "rgt"),
        FormationRow("german", "german", "german", "german", "seasoned"),
    ]
    return {row.id: row for row in rows}


def a_row(id: str, platoon: str) -> AdvancedUnit:
    """Return a unit's row in the scenario."""
    given = {"side": "soviet", "seat": "soviet", "card": "t70", "vp": 1, "formation": "a", "grade": "veteran"}
    return AdvancedUnit(id=id, name=id, platoon=platoon, **given)  # type: ignore[arg-type]


def a_fight(
    *units: Any, rules: tuple[str, ...], platoons: dict[str, str] | None = None, edition: str = "2016", **more: Any
) -> Table[PanzerState]:
    listed = tuple(a_row(id, platoon) for id, platoon in (platoons or {}).items())
    scenario = {"rules": (*ADVANCED_RULES, *rules), "formations": formations(), "units": listed}
    scenario |= more.pop("scenario", {})
    given = {"available": {"a": 5, "b": 5, "rgt": 5, "german": 5}, "spotted": {}, **more}
    return an_advanced_table(*units, edition=edition, scenario=scenario, sides=("soviet", "german"), **given)


def commanded(table: Table[PanzerState], answer: dict[str, str]) -> Refusal | None:
    try:
        check_commands(table, Ask("soviet", "commands", "4.2.1"), answer)
    except Refusal as refusal:
        return refusal
    return None


# --- 7.3 -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("6.2.1.1.2", effect=True)
@pytest.mark.rule("7.3", editions=("2016",))
@pytest.mark.parametrize("edition", ["2016", "2024"])
def test_7_3_only_a_platoon_shares_a_counter_and_its_own_headquarters(edition):
    """L4450-4452: the regiment's headquarters may share with any platoon, a company's only with its own platoons."""
    units = [
        a_leg("s1", "C3", SOVIET, formation="a"),
        a_leg("s2", "C3", SOVIET, formation="a"),
        a_leg("s3", "C3", SOVIET, formation="a"),
        a_leg("sb", "C3", SOVIET, formation="b", labels=("chq",)),
        a_leg("sr", "C3", SOVIET, formation="rgt", labels=("rhq",)),
        a_leg("sa", "C3", SOVIET, formation="a", labels=("chq",)),
        a_tank("g1", "P9"),
    ]
    of = {"s1": "1st", "s2": "1st", "s3": "2nd"}
    table = a_fight(*units, rules=("platoon_command",), platoons=of, edition=edition)
    assert platoon_of(table.data, units[0]) == ("a", "1st")
    assert commanded(table, {"s1": "move", "s2": "with s1"}) is None
    assert_rule(commanded(table, {"s1": "move", "s3": "with s1"}), "7.3")
    assert commanded(table, {"s1": "move", "sa": "with s1"}) is None
    assert commanded(table, {"s1": "move", "sr": "with s1"}) is None
    assert_rule(commanded(table, {"sa": "move", "s1": "with sa", "s3": "with sa"}), "7.3")  # two platoons at once
    refused = commanded(table, {"s1": "move", "sb": "with s1"})
    assert_rule(refused, "7.3")
    without = a_fight(*units, rules=(), platoons=of, edition=edition)
    assert commanded(without, {"s1": "move", "s3": "with s1"}) is None
    assert commanded(without, {"s1": "move", "sr": "with s1"}) is not None


def test_7_3_a_counter_shared_with_a_lost_headquarters_stays_with_its_company():
    """6.2.1.1.3: a counter shared with a lost headquarters stays, but the side does not exceed its total."""
    units = [
        a_leg("s1", "C3", SOVIET, formation="a", command=Command.MOVE),
        a_leg("s2", "C3", SOVIET, formation="a", command=Command.MOVE, shares="sr"),
        a_leg("sr", "C3", SOVIET, formation="rgt", labels=("rhq",), command=Command.MOVE),
        a_tank("g1", "P9", command=Command.NO_COMMAND),
    ]
    for rules, flaw in ((("platoon_command",), []), ((), ["6.2.1.1.3 a has 2 counters for 1 commands"])):
        table = a_fight(*deepcopy(units), rules=rules, available={"a": 1, "rgt": 1}, phase="combat")
        assert list(counter_flaws(table)) == []
        eliminate(table.state, table.state.vehicles["sr"], "4.4.3.2.6")
        assert list(counter_flaws(table)) == flaw


# --- 7.4 -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("6.2.1.1.3/recon", editions=("2016",))
@pytest.mark.rule("7.4", "7.4.2", "7.4.2/recon", editions=("2016",))
@pytest.mark.parametrize("edition", ["2016", "2024"])
def test_7_4_2_vehicles_without_radios_share_one_command(edition):
    """L4468-4474: vehicles without radios share a command at any distance, or none of them has a command.

    Track-hit vehicles and recon units are exempt.
    """
    units = [a_tank(f"s{number}", f"C{number}", "t70", formation="a") for number in (1, 2, 5)]
    table = a_fight(*units, a_tank("g1", "P9"), rules=("radios",), edition=edition)
    data = table.data
    assert own_command_range(data, units[0]) == 0 and not in_command_range(table, units[0], units[1])
    assert commanded(table, {"s1": "move", "s2": "with s1", "s5": "with s1"}) is None
    assert commanded(table, {}) is None
    assert_rule(commanded(table, {"s1": "move", "s2": "with s1"}), "7.4.2")
    assert_rule(commanded(table, {"s1": "move", "s2": "overwatch", "s5": "with s1"}), "7.4.2")
    for option in command_options(table, Ask("soviet", "commands", "4.2.1")):
        assert commanded(table, option) is None
    units[2].track_hit = True
    assert commanded(table, {"s1": "move", "s2": "with s1", "s5": "overwatch"}) is None
    units[1].labels = ("recon",)
    assert commanded(table, {"s1": "move", "s2": "overwatch"}) is None
    assert_rule(commanded(table, {"s1": "move", "s2": "with s1"}), "6.2.1.1.3/recon")
    found = list(platoon_objections(data, [units[0], units[1]], {"s1": "s1"}))
    assert [len(platoon) for platoon in silent_platoons(data, units)] == [1] and not found
    told = explain_available(table, "a")
    assert_rule(told, "7.4", result=["s1", "s2", "s5"])
    assert_rule(told, "7.4.2/recon", inputs={"units": ["s2"]}, result="commands of their own")


@pytest.mark.rule("7.4.3", editions=("2016",))
def test_7_4_3_nobody_calls_fire_or_aircraft_without_a_radio():
    """L4460: the T-70 M42 has no radio; L4476-4478: without one a unit cannot call for fire or aircraft."""
    scout = a_tank("s1", "C3", "t70", formation="a", labels=("fo",), command=Command.OVERWATCH)
    squad = a_leg("s2", "C3", SOVIET, formation="a", labels=("fo",), command=Command.OVERWATCH)
    batteries = {"sb1": Battery(id="sb1", name="sb1", side="soviet", card="soviet_medium", formation="a")}
    table = a_fight(
        scout, squad, a_tank("g1", "C6"), rules=("radios",), batteries=batteries, spotted={"s1": ["g1"], "s2": ["g1"]}
    )
    assert not has_radio(table.data, scout) and has_radio(table.data, squad)
    call = Call(a_hex("C6"), ("sb1",), "closed", 0, "gp", "s1")
    objections = list(call_objections(table, "soviet", call))
    assert_rule(objections, "7.4.3")
    assert observer_for(table, "soviet", table.state.vehicles["g1"]) is squad
    assert has_radio(a_fight(scout, rules=()).data, scout)


@pytest.mark.rule("7.4.4", editions=("2016",))
def test_7_4_4_a_headquarters_steadies_a_vehicle_without_radio_in_its_own_hex_only():
    """L4480-4484: the headquarters' morale bonus needs a radio to reach other hexes."""
    tank, hq = a_tank("s1", "C3", "t70", formation="a"), a_leg("s2", "C4", SOVIET, formation="a", labels=("chq",))
    table = a_fight(tank, hq, a_leg("g1", "P9", SQUAD), rules=("radios", "morale"), dice=[100])
    check = Check(table, tank, forced=False)
    assert not command_unit_near(check)
    hq.hex = tank.hex
    assert command_unit_near(check)
    assert_rule(check_morale(table, tank, forced=False), "7.4.4", result="same hex")


# --- 7.5 -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("date", "value"),
    [
        pytest.param("1941-10", -2, marks=pytest.mark.rule("7.5", editions=("2016",))),
        pytest.param("1942-06", -1, marks=pytest.mark.rule("7.5", editions=("2016",))),
        ("1943-07", 0),
    ],
)
def test_7_5_soviet_observers_of_the_early_war_get_through_less_easily(date, value):
    """L4486-4492: batteries respond less often to Soviet observers of the early war."""
    observer = a_leg("s1", "C3", SOVIET, formation="a", labels=("fo",), command=Command.OVERWATCH)
    batteries = {"sb1": Battery(id="sb1", name="sb1", side="soviet", card="soviet_medium", formation="a")}
    table = a_fight(
        observer, a_tank("g1", "C6"), rules=("soviet_communications",), batteries=batteries, scenario={"date": date}
    )
    seen, firer = observer_of(table.data, observer), firer_of(table, "sb1")
    assert seen and firer
    mission = Mission(id="m1", side="soviet", point=a_hex("C6"))
    one = Responding(table, mission, seen, firer, a_hex("C6"), again=False)
    rows = response_modifiers(one)
    net = sum(row.value * times for row, times in rows if row.rule == "7.5")
    assert net == value and CONDITIONS["soviet_1941"](one) == (value == -2)
    found = modifiers_finding(table.data, rows, net)
    if value:
        assert_rule(found, "7.5", result=value)


# --- 7.6 -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.1.4", editions=("2016",))
@pytest.mark.rule("7.6", editions=("2016",))
@pytest.mark.parametrize("edition", ["2016", "2024"])
@pytest.mark.parametrize(("die", "marker"), [(50, Marker.ON), (80, Marker.OFF), (95, Marker.NONE)])
def test_7_6_green_units_check_before_they_assault_a_vehicle(edition, die, marker):
    """L4494-4502: forced +20, Green -20, command -20; nearby enemies are ignored; Broken means Suppressed/On."""
    green = a_leg("g1", "C3", SQUAD, grade="green", command=Command.MOVE)
    tank = a_tank("s1", "C4", "t34_76", formation="a", command=Command.NO_COMMAND)
    dice = [die, *([1] if marker is Marker.NONE else [])]
    table = a_fight(
        green, tank, rules=("tank_fright",), dice=dice, edition=edition, first="german", spotted={"g1": ["s1"]}
    )
    answers = {"assault": [{"target": "s1", "attackers": [["g1", ""]]}, None]}
    run_step(table, close_combat_step(table, side="german"), answers)

    assert_rule(table.findings, "7.1.4", inputs={"net": -20})
    result = "attacks" if marker is Marker.NONE else "suppressed"
    assert_rule(table.findings, "7.6", inputs={"unit": "g1", "target": "s1"}, result=result)
    assert green.suppression is marker and green.flags == () and green.moved
    assert (green.pending is Spot.MOVE) is (marker is Marker.NONE)


@pytest.mark.rule("7.6", editions=("2016",))
def test_7_6_who_takes_fright_stays_aboard():
    truck = a_tank("g1", "C3", "opel", command=Command.MOVE)
    squad = a_leg("g2", "C3", SQUAD, grade="green", aboard="g1")
    table = a_fight(truck, squad, a_tank("s1", "C4", "t34_76", formation="a"), rules=("tank_fright",), dice=[1])
    run_step(table, let_off(table, truck, squad, Dismount("g2", "C3", 4, "s1")))
    assert_rule(table.findings, "7.6", result="suppressed")
    assert squad.aboard == "g1" and squad.suppression is Marker.ON


def test_7_4_1_without_a_radio_only_the_platoon_hears_what_was_spotted():
    tanks = [a_tank(f"s{number}", "C3", "t70", formation="a") for number in (1, 2, 3)]
    radio = a_leg("s4", "C3", SOVIET, formation="a")
    table = a_fight(*tanks, radio, rules=("radios",), platoons={"s1": "1st", "s2": "1st", "s3": "2nd"})
    assert can_hand_over(table.data, tanks[0], tanks[1])
    assert not can_hand_over(table.data, tanks[0], tanks[2]) and not can_hand_over(table.data, radio, tanks[0])
