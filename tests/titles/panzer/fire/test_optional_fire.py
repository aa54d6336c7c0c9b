"""7.14-7.16, 7.18, 7.22, 7.25 Optional rules of direct fire."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, an_advanced_table
from titles.panzer.asking import restate
from titles.panzer.builders import a_board, run_step

from pbem.engine.geometry.hexes import parse_hex
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.air import anti_aircraft
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.fire.aiming import Occasion, legal_shots
from pbem.titles.panzer.fire.declarations import check_fire
from pbem.titles.panzer.fire.direct_fire import direct_fire_step
from pbem.titles.panzer.fire.special_fire import repair_weapons, smoke_limit
from pbem.titles.panzer.player.plan import FireWish, read_plan
from pbem.titles.panzer.player.prospects import as_ordered, wished_entries
from pbem.titles.panzer.reading.reader import read_orders
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Flight, Marker, Spot, Unit


def a_table(*units: Unit, rules: tuple[str, ...] = (), dice: Any = (), edition: Any = "2016", **more: Any) -> Any:
    scenario = {"rules": (*ADVANCED_RULES, *rules)}
    return an_advanced_table(*units, dice=dice, edition=edition, scenario=scenario, **{"turn": 1, **more})


def refused(table: Any, target: str, *firers: list[Any], seat: str = "german") -> Refusal:
    ask = Ask(seat, "fire", "4.4.1", about={"engaged": [], "aimed": {}})
    with pytest.raises(Refusal) as caught:
        check_fire(table, ask, {"target": target, "firers": list(firers)})
    return caught.value


def fire(table: Any, target: str, *firers: list[Any], side: str = "german") -> Any:
    declaration = {"target": target, "firers": list(firers)}
    return run_step(table, direct_fire_step(table, side), {"fire": [declaration]})


def shooter(id: str, hex: str, card: str = "pz4h", **more: Any) -> Unit:
    return a_tank(id, hex, card, **{"command": Command.FIRE, **more})


@pytest.mark.rule("7.14", editions=("2016",))
def test_7_14_a_vehicle_fires_at_the_nearest_combat_vehicle() -> None:
    units = shooter("g1", "C3"), a_tank("s1", "C6", "t34_76"), a_tank("s2", "C9", "t34_76")
    table = a_table(*units, rules=("fire_priority",))
    assert_rule(refused(table, "s2", ["g1", 0, "ap"]), "7.14")
    assert targets_of(table, units[0]) == {"s1"}
    table.state.notes["fired-at"] = {"german s1": 1}  # another of the formation has fired at it
    assert targets_of(table, units[0]) == {"s1", "s2"}
    free = a_table(*units)
    assert targets_of(free, units[0]) == {"s1", "s2"}


def targets_of(table: Any, unit: Unit) -> set[str]:
    return {shot.target for shot in legal_shots(Occasion(table, "german"), unit)}


def test_7_14_fire_of_a_vehicle_releases_its_formation() -> None:
    units = shooter("g1", "C3"), a_tank("s1", "C6", "t34_76")
    table = a_table(*units, rules=("fire_priority",), dice=[100])
    fire(table, "s1", ["g1", 0, "ap"])
    assert table.state.notes["fired-at"] == {"german s1": 1}


def hand_held(table: Any) -> str:
    return next(name for name, row in table.data.book.attached.items() if row.fixed_gp and row.nation == "german")


@pytest.mark.rule("7.15", editions=("2016",))
def test_7_15_hollow_charges_do_less_in_the_open() -> None:
    squad = a_leg("g1", "C3", "german_rifle_squad", command=Command.FIRE)
    enemy = a_leg("s1", "C4", "soviet_rifle_squad")
    for rules, board, expected in (
        (("hollow_charge_gp",), a_board(), True),
        (("hollow_charge_gp",), a_board(signs={"C4": "b"}), False),
        ((), a_board(), False),
    ):
        table = a_table(squad, enemy, rules=rules, dice=[50, 50, 50], board=board)
        squad.weapons, squad.fired, squad.revealed = (hand_held(table),), False, False
        played = fire(table, "s1", ["g1", 1, "gp"])
        rows = [row["when"] for finding in every(played.findings) for row in getattr(finding, "modifiers", ())]
        assert ("hollow_charge" in rows) == expected
        if expected:
            assert_rule(played.findings, "7.15", result=-10)


@pytest.mark.rule("5.2", "6.7.4.1.2/towed", editions=("2016",))
@pytest.mark.rule("7.16", editions=("2016",))
def test_7_16_guns_on_platforms_fire_all_round_and_turn() -> None:
    gun = a_gun("g1", "C10", "flak36", facing=4, command=Command.FIRE)
    table = a_table(gun, a_tank("s1", "C5", "t34_76"), rules=("platform_mounts",), dice=[100])
    played = fire(table, "s1", ["g1", 0, "ap"])
    assert_rule(played.findings, "7.16", inputs={"unit": "g1"}, result=1)
    assert gun.facing == 1
    behind = a_gun("g1", "C10", "flak36", facing=4, command=Command.FIRE)
    assert_rule(refused(a_table(behind, a_tank("s1", "C5", "t34_76")), "s1", ["g1", 0, "ap"]), "5.2")
    flight = Flight(hex=parse_hex("C5"), facing=4, altitude="low", speed="slow", tracked={"g1": 99})
    arm = weapons_of(table.data, behind)[0]
    assert not list(anti_aircraft.field_objections(table, behind, arm, flight))
    plain = a_table(behind)
    assert_rule(anti_aircraft.field_objections(plain, behind, arm, flight), "6.7.4.1.2/towed")


@pytest.mark.rule("7.18", editions=("2016",))
def test_7_18_pinning_fire_suppresses_and_never_more() -> None:
    squad = a_leg("g1", "C3", "german_rifle_squad", command=Command.FIRE)
    enemy, tank = a_leg("s1", "C4", "soviet_rifle_squad"), a_tank("s2", "C5", "t34_76")
    table = a_table(squad, enemy, tank, rules=("pinning_fire",), dice=[99])
    played = fire(table, "s1", ["g1", 0, "pin"])
    assert_rule(played.findings, "7.18", result="suppressed")
    assert (enemy.card, enemy.suppression) == ("soviet_rifle_squad", Marker.ON)
    rows = [row["when"] for finding in every(played.findings) for row in getattr(finding, "modifiers", ())]
    assert "pinning_fire" in rows
    squad.fired = False
    assert_rule(refused(table, "s2", ["g1", 0, "pin"]), "7.18")
    assert_rule(refused(a_table(squad, enemy), "s1", ["g1", 0, "pin"]), "7.18")


@pytest.mark.rule("7.22", "7.22.1", "7.22.2", editions=("2016",))
def test_7_22_infantry_lays_smoke_in_its_own_hex() -> None:
    squad = a_leg("g1", "C3", "german_rifle_squad", command=Command.FIRE)
    table = a_table(squad, a_tank("s1", "C9", "t34_76"), rules=("infantry_smoke",), dice=[5])
    played = fire(table, "C3", ["g1", 0, "smoke"])
    assert_rule(played.findings, "7.22", result="smoke")
    assert_rule(played.findings, "7.22.1", inputs={"hex": "C3"}, result="smoke")
    assert_rule(played.findings, "7.22.2", inputs={"limit": 5}, dice=(5,), result=True)
    [cloud] = table.state.clouds.values()
    assert (cloud.open, cloud.fresh, squad.pending) == (True, True, Spot.FIRE)
    squad.fired = squad.revealed = False
    assert_rule(refused(a_table(squad), "C3", ["g1", 0, "smoke"]), "7.22")
    crowded = a_table(squad, a_leg("g2", "C3", "german_rifle_squad"), rules=("infantry_smoke",))
    assert_rule(refused(crowded, "C3", ["g1", 0, "smoke"]), "7.22")
    squad.suppression = Marker.OFF
    assert_rule(refused(a_table(squad, rules=("infantry_smoke",)), "C3", ["g1", 0, "smoke"]), "7.22")


def test_7_22_2_limits_by_nation_grade_and_engineers() -> None:
    data = a_table(a_tank("g1", "C3")).data
    for card, grade, limit in (
        ("german_rifle_squad", "seasoned", 5),
        ("german_rifle_squad", "elite", 7),
        ("soviet_rifle_squad", "green", 1),
        ("german_pioneer_squad", "elite", 10),
    ):
        assert smoke_limit(data, a_leg("g1", "C3", card, grade=grade)) == limit


@pytest.mark.rule("7.25", "7.25/repair", editions=("2016",))
def test_7_25_weapons_break_and_are_repaired() -> None:
    tank = shooter("g1", "C3")
    table = a_table(tank, a_tank("s1", "C6", "t34_76"), rules=("malfunction",), dice=[100, 9, 2, 10])
    played = fire(table, "s1", ["g1", 0, "ap"])
    assert_rule(played.findings, "7.25", inputs={"unit": "g1", "die": 100}, result="malfunction")
    assert tank.flags == ("jammed-0",)
    tank.fired = tank.revealed = False
    assert_rule(refused(table, "s1", ["g1", 0, "ap"]), "7.25")
    repair_weapons(table)  # a 9: still out of order
    assert_rule(table.findings, "7.25/repair", result="malfunction")
    assert tank.flags == ("jammed-0",)
    tank.command = Command.FIRE
    repair_weapons(table)  # a 2
    assert_rule(table.findings, "7.25/repair", result="repaired")
    assert tank.flags == ()
    tank.flags, tank.command = ("jammed-0",), Command.MOVE
    repair_weapons(table)  # a 10: for good
    assert_rule(table.findings, "7.25/repair", result="lost")
    assert tank.flags == ("ruined-0",)


def test_7_25_the_roll_is_the_owners_secret_and_no_command_helps() -> None:
    tank = shooter("g1", "C3", command=Command.NO_COMMAND, flags=("jammed-0",))
    table = a_table(tank, rules=("malfunction",), dice=[4])
    repair_weapons(table)
    [public] = table.findings
    assert public.result == "repaired" and public.dice == () and public.to is None
    assert [child.to for child in public.children] == [("german",)]


def test_7_25_a_counter_that_others_share_stays_what_it_is() -> None:
    """The owner's gun has failed, but the other units that share the counter may still fire."""
    leader, other = shooter("g1", "C3", flags=("ruined-0", "ruined-1", "ruined-2")), shooter("g2", "C3", shares="g1")
    table = a_table(leader, other, a_tank("s1", "C9", "t34_76"), rules=("malfunction",))
    repair_weapons(table)
    assert (leader.command, other.command) == (Command.FIRE, Command.FIRE)
    alone = shooter("g1", "C3", flags=("ruined-0", "ruined-1", "ruined-2"))
    repair_weapons(a_table(alone, a_tank("s1", "C9", "t34_76"), rules=("malfunction",)))
    assert alone.command is Command.NO_COMMAND


@pytest.mark.rule("7.18", editions=("2016",))
def test_7_18_pinning_fire_is_ordered_in_words() -> None:
    """`g1 fire s1 pin` is restated in words; the order is refused for a gun, at a vehicle, and without the rule."""
    squad = a_leg("g1", "C3", "german_rifle_squad", facing=4, command=None)
    units = squad, a_tank("g2", "C3", facing=4, command=None), a_leg("s1", "C5", "soviet_rifle_squad")
    more = {"spotted": {"g1": ["s1", "s2"], "g2": ["s1"]}, "available": {"german": 6, "soviet": 6}}
    enemy = a_tank("s2", "C6", "t34_76")
    table = a_table(*units, enemy, rules=("pinning_fire",), **more)
    ask = Ask("german", "commands", "4.2.1", default={}, grade="order")
    read = read_orders(table, ask, "g1 fire s1 pin")
    aims = read_plan(read.plan).fire["g1"].aims
    assert [(aim.targets, aim.how) for aim in aims] == [(["s1"], "pin")]
    again = read_orders(table, ask, restate("commands", read))
    assert read_plan(again.plan).fire == read_plan(read.plan).fire
    firing = as_ordered(table.state, "german", {"g1": "fire"})
    entries = wished_entries(Occasion(Situation(table.data, firing), "german"), firing.vehicles["g1"], FireWish(aims))
    assert [(entry.how, entry.target) for entry in entries] == [("pin", "s1")]
    for line in ("g1 fire s2 pin", "g2 fire s1 with 1 pin"):
        with pytest.raises(Refusal) as caught:
            read_orders(table, ask, line)
        assert_rule(caught.value, "7.18")
    without = a_table(*units, enemy, **more)
    with pytest.raises(Refusal) as caught:
        read_orders(Situation(without.data, without.state), ask, "g1 fire s1 pin")
    assert_rule(caught.value, "7.18")
