"""7.9, 7.19 Smoke dischargers, and engineers against terrain."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, every, failures
from titles.panzer.advanced.builders import a_leg, a_tank, an_advanced_table
from titles.panzer.asking import restate
from titles.panzer.builders import a_board, run_step

from pbem.engine.geometry.hexes import parse_hex
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import happenings_in
from pbem.engine.rules.happenings import Battle
from pbem.engine.rules.refusals import Illegal, Refusal
from pbem.engine.rules.title import Submission
from pbem.titles.panzer.ap.ap_modifiers import an_ap_shot
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.command.dischargers import (
    SMOKED,
    SPENT,
    blow_away,
    check_dischargers,
    discharger_options,
    dischargers_step,
    fade,
    objections,
)
from pbem.titles.panzer.decisions.all_kinds import from_plan
from pbem.titles.panzer.movement.move_execution import move_unit
from pbem.titles.panzer.obstacles import demolition as demolition_module
from pbem.titles.panzer.obstacles.demolition import check_demolish, demolish_options, demolition
from pbem.titles.panzer.player.plan import read_plan
from pbem.titles.panzer.reading.reader import read_orders
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Feature, Marker, Unit


def a_table(*units: Unit, rules: tuple[str, ...] = (), dice: Any = (), edition: Any = "2016", **more: Any) -> Any:
    scenario = {"rules": (*ADVANCED_RULES, *rules)}
    return an_advanced_table(*units, dice=dice, edition=edition, scenario=scenario, **more)


# --- 7.9 ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.9", editions=("2016",))
def test_7_9_a_vehicle_hides_in_its_own_smoke() -> None:
    tank, enemy = a_tank("g1", "C3", "pz3m"), a_tank("s1", "C6", "t34_76")
    table = a_table(tank, enemy, rules=("smoke_dischargers",), dice=[6])
    played = run_step(table, dischargers_step(table), {"dischargers": [["g1"]]})
    assert_rule(played.findings, "7.9", inputs={"unit": "g1", "limit": 6}, dice=(6,), result="smoke")
    assert SMOKED in tank.flags
    for firer, target in ((tank, enemy), (enemy, tank)):
        shot = an_ap_shot(table, firer, weapons_of(table.data, firer)[0], "ap", target)
        assert ("dischargers", -3) in [(row.when, row.value * times) for row, times in shot.modifiers]
    fade(tank)
    assert tank.flags == (SPENT,)
    with pytest.raises(Illegal) as caught:
        ask = Ask("german", "dischargers", "7.9", about={"units": []})
        check_dischargers(table, ask, ["g1"])
    assert_rule(caught.value, "7.9")
    fade(tank)
    assert tank.flags == ()


@pytest.mark.rule("7.9")
def test_7_9_a_failure_costs_nothing_and_moving_leaves_the_smoke_behind() -> None:
    tank = a_tank("g1", "C3", "pz3m")
    table = a_table(tank, rules=("smoke_dischargers",), dice=[7])
    run_step(table, dischargers_step(table), {"dischargers": [["g1"]]})
    assert_rule(table.findings, "7.9", result="no-smoke")
    assert tank.flags == ()
    tank.flags = (SMOKED,)
    blow_away(tank)
    assert SMOKED not in tank.flags and any(objections(table.data, tank))
    fade(tank)
    assert any(objections(table.data, tank))  # the following turn too
    fade(tank)
    assert tank.flags == ()


@pytest.mark.rule("7.9", editions=("2016",))
@pytest.mark.parametrize(("steps", "stays"), [((), True), (("r",), False), (("search:hd:1",), False)])
def test_7_9_acting_in_its_hex_leaves_the_smoke_behind_too(steps: tuple[str, ...], stays: bool) -> None:
    """A vehicle keeps the smoke of its dischargers if it does not move; turning or searching loses it."""
    tank = a_tank("g1", "C3", "pz3m", facing=1, command=Command.MOVE, flags=(SMOKED,))
    table = a_table(tank, rules=("smoke_dischargers",), dice=[50], board=a_board(signs={"C3": "^"}))
    run_step(table, move_unit(table, "g1", "cross", list(steps)))
    assert (SMOKED in tank.flags) is stays
    assert_rule(list(objections(table.data, tank)), "7.9")


@pytest.mark.rule("7.9", editions=("2016",))
def test_7_9_in_the_first_turn_both_sides_fire_at_once() -> None:
    """The first turn has no First Player yet, so both sides fire dischargers without seeing the other's smoke."""
    tanks = a_tank("g1", "C3", "pz3m"), a_tank("s1", "C6", "pz3m", side="soviet")
    table = a_table(*tanks, rules=("smoke_dischargers",), dice=[1, 1])
    played = run_step(table, dischargers_step(table), {"dischargers": [["g1"], ["s1"]]})
    assert all(SMOKED in tank.flags for tank in tanks)
    assert_rule(played.findings, "7.9", result="at once")


def test_7_9_the_first_player_of_the_last_turn_comes_first() -> None:
    tanks = a_tank("g1", "C3", "pz3m"), a_tank("g2", "C4", "pz3m"), a_tank("s1", "C6", "pz3m", side="soviet")
    table = a_table(*tanks, rules=("smoke_dischargers",), previous_first="soviet")
    played = run_step(table, dischargers_step(table))
    assert [ask.seat for ask in played.asks] == ["soviet", "german"]
    assert run_step(a_table(*tanks), dischargers_step(a_table(*tanks))).asks == []
    ask = played.asks[1]
    for option in discharger_options(table, ask):
        assert check_dischargers(table, ask, option) == option


@pytest.mark.rule("5.16.2", effect=True)
@pytest.mark.rule("7.9", editions=("2016",))
def test_7_9_dischargers_are_ordered_with_the_turn_before() -> None:
    """Dischargers fire before the next commands, so this turn's orders include them, and receipts restate them."""
    tank = a_tank("g1", "C3", "pz3m", command=None)
    units = tank, a_tank("g2", "C4", "opel", command=None), a_tank("s1", "C9", "t34_76")
    table = a_table(*units, rules=("smoke_dischargers",), available={"german": 6, "soviet": 6}, spotted={})
    commands = Ask("german", "commands", "4.2.1", default={}, grade="order")
    read = read_orders(table, commands, "g1 hold\ng1 discharge")
    assert read_plan(read.plan).discharge == ["g1"]
    again = read_orders(table, commands, restate("commands", read))
    assert read_plan(again.plan).discharge == ["g1"]
    ask = Ask("german", "dischargers", "7.9", about={"units": ["g1"]}, default=[])
    assert [reply.answer for reply in from_plan(table, ask, read_plan(read.plan))] == [["g1"]]
    with pytest.raises(Refusal) as refused:
        read_orders(table, commands, "g2 discharge")
    assert_rule(refused.value, "7.9")


# --- 7.19 ---------------------------------------------------------------------------------------------------------


def pioneers(**more: Any) -> Unit:
    return a_leg("g1", "C3", "german_pioneer_squad", **{"command": Command.MOVE, **more})


def a_block(type: str = "block", hex: str = "C4", **more: Any) -> dict[str, Feature]:
    return {"f1": Feature(id="f1", type=type, hex=parse_hex(hex), defence=2, known=("german", "soviet"), **more)}


@pytest.mark.rule("7.19", editions=("2016",))
def test_7_19_two_effective_results_destroy_terrain() -> None:
    for dice, result in (([99, 99], "destroyed"), ([99, 1], "none"), ([1], "none")):
        table = a_table(pioneers(), rules=("engineers_and_terrain",), dice=dice, features=a_block())
        played = run_step(table, demolition(table, "german"), {"demolish": [{"feature": "f1", "attackers": ["g1"]}]})
        assert_rule(played.findings, "7.19", inputs={"engineers": ["g1"], "terrain": "block"}, result=result)
        assert ("f1" in table.state.features) == (result == "none")
        unit = table.state.vehicles["g1"]
        assert unit.assaulted and unit.revealed
        shown = Battle(
            ("g1",), "C4", rolled=tuple(dice), result="destroyed" if result == "destroyed" else "no effect"
        )
        assert [*happenings_in(played.findings)] == [shown]
    assert_rule(played.findings, "7.19", inputs={"factor": 8})


def test_7_19_engineers_that_cannot_attack_after_their_advance_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demolition_module, "is_fit", lambda unit: False)
    table = a_table(pioneers(), rules=("engineers_and_terrain",), features=a_block())
    played = run_step(table, demolition(table, "german"), {"demolish": [{"feature": "f1", "attackers": ["g1"]}]})
    assert failures(played.findings) == [("g1", "demolish f1", "7.19")]


@pytest.mark.rule("7.19")
def test_7_19_who_may_attack_what() -> None:
    ask = Ask("german", "demolish", "7.19")

    def refused(unit: Unit, feature: str = "f1", **features: Any) -> Refusal:
        table = a_table(unit, rules=("engineers_and_terrain",), features=features.get("features", a_block()))
        with pytest.raises(Refusal) as caught:
            check_demolish(table, ask, {"feature": feature, "attackers": ["g1"]})
        return caught.value

    for unit in (
        pioneers(command=Command.FIRE),
        pioneers(suppression=Marker.OFF),
        pioneers(assaulted=True),
        a_leg("g1", "C3", "german_rifle_squad", command=Command.MOVE),
    ):
        assert_rule(refused(unit), "7.19")
    assert_rule(refused(pioneers(), features=a_block(hex="C9")), "7.19")
    assert_rule(refused(pioneers(), "f2"), "7.19")
    table = a_table(pioneers(), rules=("engineers_and_terrain",), features=a_block())
    options = list(demolish_options(table, ask))
    assert options == [None, {"feature": "f1", "attackers": ["g1"]}]
    for option in options:
        assert check_demolish(table, ask, option) == option
    assert run_step(a_table(pioneers(), features=a_block()), demolition(a_table(pioneers()), "german")).asks == []


def test_7_19_more_attackers_and_grades_count() -> None:
    first, second = pioneers(grade="veteran"), a_leg("g2", "C3", "german_pioneer_squad", command=Command.MOVE)
    table = a_table(first, second, rules=("engineers_and_terrain",), dice=[1], features=a_block())
    order = {"feature": "f1", "attackers": ["g1", "g2"]}
    played = run_step(table, demolition(table, "german"), {"demolish": [order]})
    shown = [row for finding in every(played.findings) for row in getattr(finding, "modifiers", ())]
    rows = {row["when"]: row["value"] for row in shown}
    assert rows == {"more_squads": 20, "unit_grade": 10}


@pytest.mark.rule("6.1.4.2", editions=("2016",))
@pytest.mark.rule("7.19", editions=("2016",))
def test_7_19_engineers_may_advance_before_they_attack() -> None:
    """Engineers advance one hex with -10, under overwatch fire, as in a close assault; they never
    advance from full cover."""
    unit = pioneers()
    enemy = a_tank("s1", "H9", "t34_76", command=Command.NO_COMMAND)
    table = a_table(unit, enemy, rules=("engineers_and_terrain",), features=a_block(hex="C5"), dice=[99, 99], turn=1)
    ask = Ask("german", "demolish", "7.19")
    order = {"feature": "f1", "attackers": ["g1"], "advance": {"g1": "C4"}}
    assert check_demolish(table, ask, order) == order
    assert order in list(demolish_options(table, ask))
    with pytest.raises(Refusal) as refused:
        check_demolish(table, ask, {"feature": "f1", "attackers": ["g1"]})
    assert_rule(refused.value, "7.19")
    played = run_step(table, demolition(table, "german"), {"demolish": [order, None]})
    found = assert_rule(played.findings, "7.19", inputs={"engineers": ["g1"]}, result="destroyed")
    assert ("advance", -10) in [
        (row["when"], row["value"]) for item in every(found) for row in getattr(item, "modifiers", ())
    ]
    assert unit.hex == parse_hex("C4") and unit.moved
    covered = a_table(pioneers(full_cover=True), enemy, rules=("engineers_and_terrain",), features=a_block(hex="C5"))
    with pytest.raises(Refusal) as refused:
        check_demolish(Situation(covered.data, covered.state), ask, order)
    assert_rule(refused.value, "6.1.4.2")
    near = a_table(pioneers(), enemy, rules=("engineers_and_terrain",), features=a_block())
    with pytest.raises(Refusal) as refused:
        check_demolish(Situation(near.data, near.state), ask, {**order, "advance": {"g1": "D3"}})
    assert_rule(refused.value, "7.19")


def test_7_19_an_advance_is_written_and_said_back() -> None:
    """`g1 demolish f1 from C4` is restated, and the plan makes the same declaration."""
    unit, enemy = pioneers(command=None), a_tank("s1", "H9", "t34_76")
    more = {"available": {"german": 6, "soviet": 6}, "spotted": {}, "turn": 1}
    table = a_table(unit, enemy, rules=("engineers_and_terrain",), features=a_block(hex="C5"), **more)
    commands = Ask("german", "commands", "4.2.1", default={}, grade="order")
    read = read_orders(table, commands, "g1 demolish f1 from C4")
    again = read_orders(table, commands, restate("commands", read))
    assert again.plan == read.plan
    unit.command = Command.MOVE
    ask = Ask("german", "demolish", "7.19")
    answers = [reply.answer for reply in from_plan(table, ask, read_plan(read.plan))]
    assert answers == [{"feature": "f1", "attackers": ["g1"], "advance": {"g1": "C4"}}]
    submission = Submission(check_demolish(table, ask, answers[0]))
    assert restate("demolish", submission).strip() == "g1 demolish f1 from C4"
