"""7.10-7.13, 7.17, 7.21, 7.23 Detailed damage."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_leg, a_tank, an_advanced_table
from titles.panzer.builders import a_board, run_step

from pbem.engine.geometry.hexes import parse_hex
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.ap.ap_damage import armour_of, damage_of, hull_down_of, resolve_hit
from pbem.titles.panzer.ap.ap_modifiers import ApShot, an_ap_shot
from pbem.titles.panzer.cards.chart_rows import Angle, Location
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.close_combat.close_combat import close_combat_step
from pbem.titles.panzer.command.radios import has_radio
from pbem.titles.panzer.damage.damage_detail import (
    CROSSING,
    collateral_damage,
    comes_up,
    from_below,
    lose_step_and_weapons,
    track_stands,
    vary_penetration,
)
from pbem.titles.panzer.fire.direct_fire import direct_fire_step
from pbem.titles.panzer.fire.gp_fire import brew_up_limit, track_by_gp
from pbem.titles.panzer.fire.gp_modifiers import Case, GpAttack
from pbem.titles.panzer.movement.steps.unit_steps import unit_allowances
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, HullDown, PanzerState, Unit


def a_table(*units: Unit, rules: tuple[str, ...] = (), dice: Any = (), edition: Any = "2016", **more: Any) -> Any:
    scenario = {"rules": (*ADVANCED_RULES, *rules)}
    return an_advanced_table(*units, dice=dice, edition=edition, scenario=scenario, **more)


def a_shot(table: Table[PanzerState], firer: str, target: str, how: str = "ap", arm: int = 0) -> ApShot:
    state: PanzerState = table.state
    weapon = weapons_of(table.data, state.vehicles[firer])[arm]
    return an_ap_shot(table, state.vehicles[firer], weapon, how, state.vehicles[target])


def hollow(shot: ApShot) -> ApShot:
    """Return the same shot fired with hollow-charge ammunition."""
    arm = msgspec.structs.replace(shot.arm, energy="CE")
    return replace(shot, arm=arm, how="ap")


@pytest.mark.rule("6.5.2.3.4", effect=True)
@pytest.mark.rule("7.10.1", editions=("2016",))
def test_7_10_1_skirts_count_three_times_against_hollow_charges() -> None:
    """2016:L4595-4603: the hull side of a PzKpfw IIIM is 8 against a level shot, but 24 against HEAT."""
    table = a_table(a_tank("g1", "C3", "pz3m"), a_tank("s1", "C5", "t34_76"), rules=("hollow_charge_armour",))
    shot = hollow(a_shot(table, "s1", "g1"))
    found = armour_of(shot, Angle.FRONT_SIDE, Location.HS)
    assert_rule(found, "7.10.1", inputs={"armour": 8, "times": 3}, result=24)
    assert found.result == 24
    assert armour_of(a_shot(table, "s1", "g1"), Angle.FRONT_SIDE, Location.HS).result == 8
    front = armour_of(shot, Angle.FRONT, Location.HF)
    assert "7.10.1" not in [finding.rule for finding in every(front)]
    without = a_table(a_tank("g1", "C3", "pz3m"), a_tank("s1", "C5", "t34_76"))
    assert armour_of(hollow(a_shot(without, "s1", "g1")), Angle.FRONT_SIDE, Location.HS).result == 8


@pytest.mark.rule("6.5.2.5/nd", effect=True)
@pytest.mark.rule("7.10.2", editions=("2016",))
def test_7_10_2_hollow_charges_keep_their_effect_on_soft_vehicles() -> None:
    soft = next_soft()
    table = a_table(a_tank("g1", "C3", soft), a_tank("s1", "C5", "t34_76"), rules=("hollow_charge_armour",))
    found = damage_of(table, hollow(a_shot(table, "s1", "g1")), Location.HF, 4)
    assert_rule(found, "7.10.2")
    assert found.cell == 4
    again = a_table(a_tank("g1", "C3", soft), a_tank("s1", "C5", "t34_76"), rules=("hollow_charge_armour",))
    assert damage_of(again, a_shot(again, "s1", "g1"), Location.HF, 4).cell == 2


def next_soft() -> str:
    table = a_table(a_tank("g1", "C3"))
    return next(id for id, card in table.data.book.vehicles.items() if card.type == "S" and card.nation == "german")


@pytest.mark.rule("7.11", editions=("2016",))
def test_7_11_vehicles_that_burn_easily() -> None:
    """2016:L4609-4617: a 7 brews up an SU-76M instead of knocking it out; it is not destroyed more often."""
    table = a_table(a_tank("g1", "C3", "stug3g"), a_tank("s1", "C5", "su76m"), rules=("brew_up_modifier",))
    found = damage_of(table, a_shot(table, "g1", "s1"), Location.HF, 7)
    assert_rule(found, "7.11", inputs={"die": 7}, result="bu")
    assert found.result == "bu"
    plain = a_table(a_tank("g1", "C3", "stug3g"), a_tank("s1", "C5", "su76m"))
    assert damage_of(plain, a_shot(plain, "g1", "s1"), Location.HF, 7).result == "ko"
    for die in range(1, 11):
        destroyed = []
        for rules in ((), ("brew_up_modifier",)):
            one = a_table(a_tank("g1", "C3", "stug3g"), a_tank("s1", "C5", "su76m"), rules=rules)
            destroyed.append(damage_of(one, a_shot(one, "g1", "s1"), Location.HF, die).result in ("ko", "bu"))
        assert destroyed[0] == destroyed[1]
    attack = GpAttack(kind="df", factor=4, effectiveness=3, firer="g1", target="s1")
    for one, limit in ((table, 5), (plain, 3)):
        case = Case(Situation(one.data, one.state), attack, parse_hex("C5"), one.state.vehicles["s1"])
        assert brew_up_limit(case) == limit


@pytest.mark.rule("7.12", "7.12/soviet-variant", editions=("2016",))
def test_7_12_every_hit_varies_in_strength() -> None:
    """2016:L4619-4631: at penetration 18 a die of 1 or 2 takes off 2, but both dice together never more than 3."""
    guns = a_tank("g1", "C3", "pz4h"), a_tank("s1", "C5", "t34_76")
    table = a_table(*guns, rules=("variable_penetration",), dice=[1, 2])
    shot = a_shot(table, "g1", "s1")
    found = vary_penetration(table, shot)
    assert found is not None and found.dice == (1, 2)
    assert_rule(found, "7.12", result=shot.penetration + table.data.advanced.variation(shot.penetration, [1, 2]))
    assert table.data.advanced.variation(18, [1, 2]) == -3
    assert table.data.advanced.variation(27, [10, 4]) == 2
    table = a_table(*guns, rules=("variable_penetration", "soviet_penetration"), dice=[1, 8])
    found = vary_penetration(table, a_shot(table, "s1", "g1"))
    assert_rule(found, "7.12/soviet-variant", inputs={"dice": [1, 8]}, result=[1, 7])
    assert vary_penetration(a_table(*guns), a_shot(a_table(*guns), "g1", "s1")) is None


@pytest.mark.rule("7.13", "7.13.1", "7.13.2", editions=("2016",))
def test_7_13_the_lower_hull() -> None:
    """2016:L4643-4645: a target at level 3 can be hit from level 0 at ranges 4 to 6; nearer, it is hull down."""
    levels = "\n".join("3" + "." * 19 for _ in range(20))
    board = a_board(levels=levels, hill_edges="slope")
    target = a_tank("s1", "A10", "t34_76")
    for column, expected in (("E", True), ("G", True), ("H", False)):
        table = a_table(a_tank("g1", f"{column}10", "pz4h"), target, rules=("lower_hull",), board=board)
        found = armour_of(a_shot(table, "g1", "s1"), Angle.FRONT, Location.HF)
        assert ("7.13.2" in [finding.rule for finding in every(found)]) == expected
        if expected:
            assert_rule(found, "7.13.2", inputs={"levels": 3})
            slope = a_shot(table, "g1", "s1").slope
            full = table.data.book.vehicles["t34_76"].armour_at(Angle.FRONT, slope, Location.HF)
            assert_rule(found, "7.13", result=max(1, full // 2))
            assert from_below(a_shot(table, "g1", "s1"), HullDown.PHD) is None
    rising = a_tank("s1", "C5", "t34_76", flags=(CROSSING,))
    watcher = a_tank("g1", "C3", "pz4h", command=Command.OVERWATCH)
    table = a_table(watcher, rising, rules=("lower_hull",))
    assert_rule(armour_of(a_shot(table, "g1", "s1"), Angle.FRONT, Location.HF), "7.13.1", result=True)
    watcher.command = Command.FIRE
    again = armour_of(a_shot(table, "g1", "s1"), Angle.FRONT, Location.HF)
    assert "7.13.1" not in [finding.rule for finding in every(again)]


@pytest.mark.rule("7.17", editions=("2016",))
def test_7_17_a_reduced_squad_may_lose_its_weapons() -> None:
    table = a_table(a_leg("g1", "C3", "german_rifle_squad"), rules=("weapon_loss",), dice=[2, 7, 6])
    names = tuple(name for name, row in table.data.book.attached.items() if row.nation == "german")[:2]
    unit = table.state.vehicles["g1"]
    unit.weapons = names
    found = lose_step_and_weapons(table, unit, "6.5.4.4.3")
    assert found.result == "reduced"
    # the second weapon is drawn first: 7 - 2 loses it, a 6 keeps the other
    assert_rule(found, "7.17", inputs={"weapon": names[1], "modifier": -2}, dice=(7,), result="lost")
    assert_rule(found, "7.17", inputs={"weapon": names[0], "modifier": 0}, dice=(6,), result="kept")
    assert unit.attached == names[:1]


@pytest.mark.rule("7.21", editions=("2016",))
def test_7_21_weak_guns_do_not_break_tracks() -> None:
    """2016:L4695-4703: a T-70 cannot break a Tiger's track: twice its effectiveness of 2 is below a defence of 5."""
    table = a_table(
        a_tank("s1", "C3", "t70"), a_tank("g1", "C5", "tiger1", facing=1), rules=("variable_track_damage",), dice=[1]
    )
    tiger = table.state.vehicles["g1"]
    shot = a_shot(table, "s1", "g1")
    found = track_stands(table.data, tiger, shot.effectiveness)
    assert_rule(found, "7.21", inputs={"doubled": 4, "defence": 5}, result=False)
    assert track_stands(table.data, tiger, 3).result  # type: ignore[union-attr]
    assert track_stands(table.data, tiger, 0, always=True).result  # type: ignore[union-attr]
    table.chance.left = [5]
    struck = run_step(table, resolve_hit(table, shot, shot_roll())).result
    assert_rule(struck.finding, "7.21", result=False)
    assert not tiger.track_hit
    attack = GpAttack(kind="df", factor=2, effectiveness=2, firer="s1", target="g1")
    case = Case(table, attack, parse_hex("C5"), tiger)
    assert_rule(track_by_gp(table, case), "7.21", result="none")


def shot_roll() -> Any:
    return Finding("4.4.3.2.3", dice=(1,), result="hit")


@pytest.mark.rule("7.23", "7.23.1", "7.23.2", "7.23.3", "7.23.4", editions=("2016",))
def test_7_23_what_a_piercing_hit_without_damage_breaks() -> None:
    table_of_effects = [
        (Location.TF, 1, "7.23.1", "optics", "optics-damaged"),
        (Location.TF, 2, "7.23.1", "coaxial_machine_gun", "coax-damaged"),
        (Location.TS, 1, "7.23.2", "turret_locked", "turret-locked"),
        (Location.TR, 2, "7.23.2", "radio", "radio-lost"),
        (Location.HF, 1, "7.23.3", "drive", "drive-damaged"),
        (Location.HR, 1, "7.23.4", "fuel", "fuel-leak"),
    ]
    for location, die, rule, effect, flag in table_of_effects:
        tank = a_tank("g1", "C3", "pz4h", labels=("chq",))
        table = a_table(tank, rules=("collateral_damage",), dice=[die, die])
        found = collateral_damage(table, tank, location)
        assert_rule(found, "7.23", result=effect)
        assert_rule(found, rule, inputs={"effect": effect}, result=effect)
        assert tank.flags == (flag,)
        assert_rule(collateral_damage(table, tank, location), rule, result="none")  # each kind once
    assert tank.labels == ("chq",)
    none = a_table(a_tank("g1", "C3", "pz4h"), rules=("collateral_damage",), dice=[9])
    assert collateral_damage(none, none.state.vehicles["g1"], Location.TF).result == "none"  # type: ignore[union-attr]


def test_7_23_2_a_locked_turret_points_ahead_and_a_lost_radio_commands_nobody() -> None:
    tank = a_tank("g1", "C3", "pz4h", labels=("chq", "fo"), flags=("turret-locked",))
    table = a_table(tank, rules=("collateral_damage",), dice=[2])
    arm = weapons_of(table.data, tank)[0]
    assert (arm.weapon.turret, arm.weapon.field) == (0, "front")
    collateral_damage(table, tank, Location.TS)
    assert tank.labels == ("fo",)
    assert has_radio(table.data, tank)
    assert not has_radio(a_table(tank, rules=("collateral_damage", "radios")).data, tank)  # for full realism: 7.4


def test_7_23_2_a_vehicle_without_a_turret_is_suppressed_instead() -> None:
    gun = a_tank("g1", "C3", "stug3g")
    table = a_table(gun, rules=("collateral_damage",), dice=[1])
    assert collateral_damage(table, gun, Location.TS).result == "suppressed"  # type: ignore[union-attr]
    assert gun.suppressed


@pytest.mark.rule("7.23.4", editions=("2016",))
@pytest.mark.parametrize(("die", "result"), [(1, "track"), (2, "bu"), (3, "none")])
def test_7_23_4_a_leak_is_rolled_for_at_the_start_of_every_movement_phase(die: int, result: str) -> None:
    tank = a_tank("g1", "C3", "pz4h", flags=("fuel-leak",))
    table = a_table(tank, a_tank("s1", "C9", "t34_76"), rules=("collateral_damage",), dice=[die, 1, 1], stage=9)
    run_step(table, close_combat_step(table, table.state.first))
    assert_rule(table.findings, "7.23.4", dice=(die,), result=result)
    assert (tank.track_hit, tank.alive) == (result == "track", result != "bu")
    assert ("fuel-leak" in tank.flags) == (result == "none")


def test_7_13_1_a_vehicle_that_comes_up_out_of_a_gully_shows_its_lower_hull() -> None:
    tank = a_tank("g1", "C3", "pz4h")
    table = a_table(tank, rules=("lower_hull",), board=a_board(signs={"C3": "u"}))
    comes_up(table, tank, parse_hex("C4"))
    assert tank.flags == (CROSSING,)
    tank.hex = parse_hex("C4")
    comes_up(table, tank, parse_hex("C5"))
    assert tank.flags == ()


@pytest.mark.parametrize(("edition", "side"), [("2016", "wall"), ("2024", "wall"), ("2024", "defilade")])
def test_7_13_1_so_does_one_that_crosses_a_wall_or_defilade(edition: str, side: str) -> None:
    """L4639, edition switch 3: a vehicle that crosses a wall or, in 2024, a defilade exposes its lower hull."""
    tank = a_tank("g1", "C3", "pz4h")
    board = a_board(hexsides={side: ["C3:4"]})
    table = a_table(tank, rules=("lower_hull",), board=board, edition=edition)
    comes_up(table, tank, parse_hex("C4"))
    assert tank.flags == (CROSSING,)


@pytest.mark.rule("7.13.1", editions=("2016",))
def test_7_13_1_only_for_overwatch_at_the_same_height_and_hull_down_does_not_help() -> None:
    """L4639-4641: only overwatch fire at the same height hits the lower hull, even if it is hull down."""
    board = a_board(hexsides={"wall": ["C4:4"]})
    rising = a_tank("s1", "C5", "t34_76", facing=1, flags=(CROSSING,))
    watcher = a_tank("g1", "C2", "pz4h", facing=4, command=Command.OVERWATCH)
    table = a_table(watcher, rising, rules=("lower_hull",), board=board, dice=[55])
    shot = a_shot(table, "g1", "s1")
    assert hull_down_of(shot)[0] is HullDown.NONE
    assert_rule(armour_of(shot, Angle.FRONT, Location.HF), "7.13.1", result=True)
    watcher.command = Command.FIRE
    assert hull_down_of(a_shot(table, "g1", "s1"))[0] is not HullDown.NONE
    levels = "\n".join("1" + "." * 19 for _ in range(20))
    hill = a_board(levels=levels, hill_edges="slope")
    watcher = a_tank("g1", "A10", "pz4h", command=Command.OVERWATCH)
    above = a_table(watcher, a_tank("s1", "M10", "t34_76", flags=(CROSSING,)), rules=("lower_hull",), board=hill)
    found = armour_of(a_shot(above, "g1", "s1"), Angle.FRONT, Location.HF)
    assert "7.13.1" not in [finding.rule for finding in every(found)]


@pytest.mark.rule("7.23.3", editions=("2016",))
def test_7_23_3_a_damaged_drive_costs_two_movement_points() -> None:
    tank = a_tank("g1", "C3", "pz4h", command=Command.MOVE)
    table = a_table(tank, rules=("collateral_damage",), dice=[1])
    before = unit_allowances(table, tank)
    assert_rule(collateral_damage(table, tank, Location.HF), "7.23.3", result="drive")
    after = unit_allowances(table, tank)
    assert (after.cross, after.road) == (before.cross - 2, before.road - 2)


@pytest.mark.rule("4.4.3.2.2/target-moving", effect=True)
@pytest.mark.rule("6.6.9/loss", editions=("2024",))
def test_6_6_9_a_position_is_lost_as_soon_as_a_move_is_shown() -> None:
    for how in ("fire", "show"):
        tank = a_tank("g1", "C3", "pz4h", hull_down=HullDown.HD, command=Command.SHORT_HALT)
        enemy = a_tank("s1", "C6", "t34_76", command=Command.FIRE)
        table = a_table(tank, enemy, dice=[100, 100], edition="2024", first="german" if how == "fire" else "soviet")
        if how == "fire":
            answers = {"fire": [{"target": "s1", "firers": [["g1", 0, "ap"]]}]}
            run_step(table, direct_fire_step(table, "german"), answers)
        else:
            answers = {"fire": [{"target": "g1", "firers": [["s1", 0, "ap"]]}], "show": True}
            run_step(table, direct_fire_step(table, "soviet"), answers)
        assert_rule(table.findings, "6.6.9/loss", inputs={"unit": "g1"}, result="lost")
        assert tank.hull_down is HullDown.NONE
