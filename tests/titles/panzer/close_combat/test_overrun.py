"""6.6.10 Overrun combat, in both editions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state, an_advanced_table
from titles.panzer.builders import a_board, a_hex, brewed_up, run_step

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.titles.panzer.cards.basic_rows import EDITIONS, Edition
from pbem.titles.panzer.cards.charts import with_switches
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.close_combat import overrun as overruns
from pbem.titles.panzer.close_combat.overrun import (
    contributing,
    enemies_left,
    overrun_factor,
    overrun_objections,
    put_back,
    resolve_overrun,
)
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import BOUND, Cloud, Command, Damage, Feature, Marker, PanzerState, Spot, Unit

SQUAD, HALF = "german_rifle_squad", "german_rifle_half_squad"
MOVE: dict[str, Any] = {"command": Command.MOVE}


def tank(id: str = "s1", hex: str = "C5", card: str = "t34_76", **more: Any) -> Unit:
    return a_tank(id, hex, card, **{**MOVE, "revealed": True, **more})


def target(card: str = SQUAD, hex: str = "C5", **more: Any) -> Unit:
    return a_leg("g1", hex, card, **{"command": Command.OVERWATCH, **more})


def overrun(table: Table[PanzerState], vehicle: str = "s1", of: str = "g1") -> Finding:
    units = table.state.vehicles
    found: Finding = run_step(table, resolve_overrun(table, units[vehicle], units[of])).result
    return found


# --- 6.6.10 who may overrun whom -------------------------------------------------------------------------------


def objections(vehicle: Unit, quarry: Unit, *others: Unit, edition: Edition = "2024", **more: Any) -> list[Objection]:
    state = an_advanced_state(vehicle, quarry, *others, **more)
    return list(overrun_objections(Situation(advanced_data(edition=edition), state), vehicle, quarry))


@pytest.mark.rule("6.6.10")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_6_10_a_combat_vehicle_with_a_move_overruns_a_unit_on_the_ground(edition: Edition) -> None:
    """L3738-3744: a vehicle that overruns may be suppressed and damaged, but never on Short Halt."""
    near = tank(hex="C8", suppression=Marker.ON, damage=Damage.HULL, facing=1)
    assert objections(near, target(), edition=edition) == []
    assert objections(tank(hex="C8"), a_gun("g1", "C5", "pak38", command=Command.FIRE), edition=edition) == []
    wrong = {
        "the unit has no Move command": (tank(hex="C8", command=Command.SHORT_HALT), target()),
        "only vehicles with a GP weapon can overrun": (tank(hex="C8", card="zis5"), target()),
        "the unit is hesitating": (tank(hex="C8", flags=("hesitating-on",)), target()),
        "the unit is broken": (tank(hex="C8", flags=("broken-off",)), target()),
        "the vehicle cannot move": (tank(hex="C8", track_hit=True), target()),
        "vehicles cannot be overrun": (tank(hex="C8"), a_tank("g1", "C5", **MOVE)),
        "g1 was not on the ground when the turn began": (tank(hex="C8"), target(command=None)),
    }
    for why, (vehicle, quarry) in wrong.items():
        assert_rule(objections(vehicle, quarry, edition=edition), "6.6.10", why=why)


def test_6_6_10_an_overrun_can_be_planned_before_commands_are_placed():
    """When commands are placed no unit has a counter yet, but all have been on the ground since the turn began."""
    assert objections(tank(hex="C8"), target(command=None), phase="command") == []


@pytest.mark.rule("6.6.10/declaration", "6.1.4.3.7", "6.6.11", editions=("2024",))
def test_6_6_10_spotted_before_the_move_not_in_a_position_and_one_target_for_all_who_share() -> None:
    """L3742, A-53, L3821: a unit in a position cannot be overrun, and only one overrun is allowed in a turn."""
    far = target(hex="T20", full_cover=True)
    assert_rule(
        objections(tank(hex="C8"), far), "6.6.10/declaration", why="the vehicle does not spot g1 before it moves"
    )
    again = tank(hex="C8", attacking="g7")
    assert_rule(
        objections(again, target()), "6.6.10/declaration", why="the vehicle has already been declared to overrun g7"
    )
    position = Feature(id="f1", type="improved_position", hex=a_hex("C5"), holder="g1")
    dug_in = objections(tank(hex="C8"), target(position="f1"), features={"f1": position})
    assert_rule(dug_in, "6.1.4.3.7")
    mate = tank("s2", "C8", attacking="g7")
    notes = {BOUND: {"s2 g7": 1}}
    assert_rule(objections(tank(hex="C8", shares="s2"), target(), mate, notes=notes), "6.6.11")


# --- 6.6.10.1 resolution ---------------------------------------------------------------------------------------


@pytest.mark.rule("6.6.10", "6.6.10.1", "6.6.10.2", "6.6.10.2/effective", "6.5.4.4")
@pytest.mark.parametrize(("edition", "card", "dice"), [("2024", "sherman3", [49]), ("2016", "is2m", [1, 49])])
def test_6_6_10_situation(edition: Edition, card: str, dice: list[int]) -> None:
    """L3806-3817: coax +10, overrun +20; the half-squad in scrub (4S) is eliminated. In 2016 an IS-2m overruns it."""
    board = a_board(signs={"C5": "x"}, legend={"x": ["scrub"]})
    vehicle, half = tank(card=card, grade="veteran"), target(HALF)
    table = an_advanced_table(vehicle, half, board=board, edition=edition, dice=dice)
    found = overrun(table)

    factor = {"2024": 5, "2016": 8}[edition]
    assert_rule(found, "6.6.10.1", result=factor)
    cell = assert_rule(found, "6.5.4.4", result="effective", inputs={"net": 30, "total": 79, "defence": 4})
    assert isinstance(cell, Finding)
    if edition == "2024":
        assert (cell.inputs["no_effect"], cell.inputs["suppressed"]) == (48, 77)
    assert_rule(found, "6.6.10.2/effective", result="eliminated")
    assert_rule(found, "6.6.10.2", result="eliminated")
    assert_rule(found, "6.6.10", result="eliminated", inputs={"vehicle": "s1", "target": "g1"})
    assert not half.alive and vehicle.pending is Spot.MOVE and vehicle.hex == a_hex("C5")
    assert enemies_left(table.state, vehicle) == []


def test_6_6_10_1_all_weapons_at_one_hex_and_the_small_arms_of_those_aboard() -> None:
    """L3756: attached weapons do not count in an overrun; the total factor is at most 15."""
    data = advanced_data()
    vehicle = tank()
    weapon = next(iter(data.book.attached))
    riders = [a_leg(f"s{number}", "C5", "soviet_smg_squad", aboard="s1", weapons=(weapon,)) for number in (2, 3)]
    alone = overrun_factor(Situation(data, an_advanced_state(vehicle)), vehicle)
    own = sum(found[1] for arm in weapons_of(data, vehicle) if (found := arm.gp_at(1)))
    assert alone.result == min(15, own)
    full = overrun_factor(Situation(data, an_advanced_state(vehicle, *riders)), vehicle)
    each = data.book.legs["soviet_smg_squad"].gp.factors.value[0]
    assert full.inputs["passengers"] == {"s2": each, "s3": each} and full.inputs["sum"] == own + 2 * each
    assert full.result == 15


@pytest.mark.rule("6.6.10.1/aa-weapons", editions=("2016",))
def test_6_6_10_1_the_2016_book_leaves_anti_aircraft_weapons_out() -> None:
    """2016:L3809: anti-aircraft weapons, such as the machine gun of the IS-2m, do not count in an overrun."""
    vehicle = tank(card="is2m")
    for edition in EDITIONS:
        data = advanced_data(edition=edition)
        guarded = [arm.name for arm in weapons_of(data, vehicle) if arm.aa and arm.gp_at(1)]
        counted = [arm.name for arm in contributing(Situation(data, an_advanced_state(vehicle)), vehicle)]
        assert guarded and set(guarded) <= set(counted) if edition == "2024" else not set(guarded) & set(counted)
    found = overrun_factor(Situation(data, an_advanced_state(vehicle)), vehicle)
    assert_rule(found, "6.6.10.1/aa-weapons", inputs={"weapons": guarded})
    assert found.result == 8


def test_6_6_10_1_modifiers_of_gp_fire_that_count_and_that_do_not() -> None:
    """L3760, RULING: in an overrun only hindrances in the target's hex count, not walls, heat haze or dual fire."""
    vehicle = tank(suppression=Marker.OFF, damage=Damage.TURRET)
    rider = a_leg("s2", "C5", "soviet_smg_squad", aboard="s1")
    hole = Feature(id="f1", type="hasty_entrenchment", hex=a_hex("C5"), holder="g1", stage=4)
    table = an_advanced_table(
        vehicle,
        rider,
        target(position="f1"),
        features={"f1": hole},
        clouds={"c1": Cloud(id="c1", type="smoke", hexes=(a_hex("C5"),), fresh=False)},
        wrecks={"C6": brewed_up()},
        board=a_board(hexsides={"wall": ["C5:4"]}),
        scenario={"heat_haze": True},
        dice=[1],
    )
    found = overrun(table)
    rows = next(child for child in found.children if child.rule == "6.5.4.4").modifiers
    assert {row["when"]: row["value"] for row in rows} == {
        "firer_suppressed": -20,
        "firer_damaged": -10,
        "smoke_closed": -20,
        "overrun": 20,
        "target_entrenched": -10,
        "coaxial_machine_gun": 10,
    }


def test_6_6_10_1_an_ammo_limit_of_any_weapon_counts_once() -> None:
    """A42: each limited weapon rolls, and still adds its factor if it fails."""
    data = advanced_data()
    card = next(
        id
        for id, vehicle in data.book.vehicles.items()
        if any("basic" in mount.limits and mount.gun.gp for mount in vehicle.mounts) and vehicle.nation == "british"
    )
    vehicle = a_tank("b1", "C5", card, revealed=True, **MOVE)
    limited = sum("basic" in arm.limits for arm in contributing(Situation(data, an_advanced_state(vehicle)), vehicle))
    table = an_advanced_table(vehicle, target(), dice=[*[10] * limited, 1])
    found = overrun(table, "b1")
    rows = next(child for child in found.children if child.rule == "6.5.4.4").modifiers
    assert [row["times"] for row in rows if row["when"] == "ammo_limit"] == [1]


# --- 6.6.10.2 results ------------------------------------------------------------------------------------------


@pytest.mark.rule("6.6.10.2/suppressed", "6.6.10.2/effective")
@pytest.mark.parametrize(
    ("edition", "turned"),
    [
        pytest.param("2024", "6.6.10.2/off-to-on", marks=pytest.mark.rule("6.6.10.2/off-to-on", editions=("2024",))),
        pytest.param("2016", "6.6.10.2"),
    ],
)
def test_6_6_10_2_results(edition: Edition, turned: str) -> None:
    """L3766-3776: a marker that shows Off is always turned to On; a new suppression is ignored if it shows On."""

    def after(roll: int, card: str = SQUAD, **more: Any) -> tuple[Finding, Unit]:
        quarry = target(card, **more)
        table = an_advanced_table(tank(), quarry, edition=edition, dice=[roll])
        return overrun(table), quarry

    found, quarry = after(1, suppression=Marker.OFF)
    assert_rule(found, turned, result="suppressed" if edition == "2024" else "none")
    assert quarry.suppression is Marker.ON and quarry.card == SQUAD and quarry.under_fire
    assert quarry.command is Command.OVERWATCH  # it may still be carried out
    found, quarry = after(20)
    assert_rule(found, "6.6.10.2/suppressed", result="suppressed")
    found, quarry = after(20, suppression=Marker.ON)
    assert_rule(found, "6.6.10.2/suppressed", result="ignored")
    found, quarry = after(100)
    assert_rule(found, "6.6.10.2/effective", result="reduced")
    assert quarry.card == HALF and quarry.suppression is Marker.ON
    found, quarry = after(100, HALF)
    assert not quarry.alive


# --- 6.6.10.1 after the combat ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "rule"),
    [
        pytest.param("2024", "6.6.10.1/put-back", marks=pytest.mark.rule("6.6.10.1/put-back", editions=("2024",))),
        pytest.param("2016", "6.6.10.1"),
    ],
)
def test_6_6_10_1_a_vehicle_that_cannot_go_on_is_put_back(edition: Edition, rule: str) -> None:
    """L3762: a vehicle put back keeps its facing and passengers, and draws neither overwatch nor barrage fire."""
    vehicle, rider = tank(facing=5), a_leg("s2", "C5", "soviet_smg_squad", aboard="s1")
    table = an_advanced_table(vehicle, rider, target(), edition=edition)
    assert [unit.id for unit in enemies_left(table.state, vehicle)] == ["g1"]
    assert_rule(put_back(table, vehicle, a_hex("C6")), rule, result="C6", inputs={"from": "C5"})
    assert vehicle.hex == rider.hex == a_hex("C6") and vehicle.facing == 5


@pytest.mark.parametrize("edition", EDITIONS)
def test_6_6_10_1_a_scenario_may_choose_whether_anti_aircraft_weapons_count(edition: Edition) -> None:
    """Row 33: a scenario may choose whether anti-aircraft weapons count in an overrun."""
    vehicle, data = tank(card="is2m"), advanced_data(edition=edition)
    for without in (True, False):
        chosen = replace(data, charts=with_switches(data.charts, {"overrun_without_aa": without}))
        assert (
            any(arm.aa for arm in contributing(Situation(chosen, an_advanced_state(vehicle)), vehicle)) is not without
        )


def test_6_6_10_1_two_weapons_of_one_name_both_count(monkeypatch: pytest.MonkeyPatch) -> None:
    data, vehicle = advanced_data(), tank()
    [gun, *_] = weapons_of(data, vehicle)
    monkeypatch.setattr(overruns, "weapons_of", lambda *_: (gun, msgspec.structs.replace(gun, index=1)))
    found = gun.gp_at(1)
    assert found is not None
    assert overrun_factor(Situation(data, an_advanced_state(vehicle)), vehicle).inputs["sum"] == 2 * found[1]
