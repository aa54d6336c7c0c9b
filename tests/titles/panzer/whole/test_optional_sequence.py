"""7.0 The points of the turn at which optional rules act: a ruling replaces the lost Sequence of Play card."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_leg, a_tank
from titles.panzer.advanced.marching import SQUAD, a_field
from titles.panzer.builders import run_step

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.close_combat.close_combat import close_combat_step
from pbem.titles.panzer.command.commands import place_commands
from pbem.titles.panzer.end_of_turn.adjustment import adjustment_phase
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES, optional_rules, words
from pbem.titles.panzer.sequence import OPTIONAL
from pbem.titles.panzer.sighting.spotting import spotting_phase
from pbem.titles.panzer.state import Command, Marker, PanzerState, Unit
from pbem.titles.panzer.telling.sentences import tell
from pbem.titles.panzer.telling.words.phrases import PHRASES


def playing(*units: Unit, rules: Any, **more: Any) -> Table[PanzerState]:
    return a_field(*units, edition="2016", scenario={"rules": (*ADVANCED_RULES, *rules)}, **more)


def in_this_order(findings: Any, *rules: str) -> list[str]:
    """Return the first finding of each of these rules, in order."""
    found = [item.rule for item in every(findings)]
    return sorted((rule for rule in rules if rule in found), key=found.index)


@pytest.mark.rule("7.0/sequence", editions=("2016",))
def test_7_0_the_first_turn_says_where_the_rules_in_use_act() -> None:
    """A finding in the first turn lists the rules in use, in turn order, and no others."""
    table = playing(a_leg("g1", "C3", SQUAD), rules=("fires", "smoke_dischargers"))
    run_step(table, spotting_phase(table))
    found = assert_rule(
        table.findings,
        "7.0/sequence",
        result=[
            ["before commands", "smoke dischargers"],
            ["after morale", "shelled buildings may catch fire"],
            ["End Turn Step", "units in old fires are lost"],
        ],
    )
    assert "before commands: smoke dischargers" in str(tell(found))  # type: ignore[arg-type]
    assert {action.rule for action in OPTIONAL} <= set(optional_rules())


@pytest.mark.rule("7.0/sequence", editions=("2016",))
def test_7_0_the_adjustment_phase_in_the_order_of_the_ruling() -> None:
    """The order is pivots, turrets, full cover, suppression, morale, fires, counters, then the end of the turn."""
    squad = a_leg("g1", "C3", SQUAD, command=Command.NO_COMMAND, suppression=Marker.OFF)
    shaken = a_leg("g2", "C8", SQUAD, command=Command.NO_COMMAND, flags=("hesitating-off",))
    tank = a_tank("g3", "D9", command=Command.NO_COMMAND)
    rules = ("turrets", "morale", "fires")
    table = playing(squad, shaken, tank, rules=rules, signs={"C8": "B"}, dice=[50, 1, *[50] * 9], turn=1)
    table.state.notes = {"7.35.1": {"C8": 15}}
    given = {"pivot": {"g1": 4}, "cover": {"g1": True}, "turret": {"g3": 1}}
    answers = {"adjust": [given if side == "german" else {} for side in table.state.sides]}
    run_step(table, adjustment_phase(table), answers)

    order = ("6.8.1", "7.8.1", "6.8.2", "6.8.3", "7.1.6", "7.35.1", "6.8.4", "4.6.2")
    assert in_this_order(table.findings, *order) == list(order)
    table = playing(a_leg("g1", "C3", SQUAD), rules=rules)
    run_step(table, spotting_phase(table))
    assert_rule(table.findings, "7.0/sequence")


@pytest.mark.rule("7.0/sequence", editions=("2016",))
def test_7_0_dischargers_come_before_the_commands_and_repairs_after_them() -> None:
    """Dischargers (7.9) come before 6.2.1, repairs (7.25) after 4.2.1, leaks (7.23.4) before close combat."""
    tank = a_tank("g1", "C3", "tiger1", command=None, flags=("jammed-0", "fuel-leak"))
    table = playing(tank, rules=("smoke_dischargers", "malfunction", "collateral_damage"), dice=[1] * 9)
    run_step(table, spotting_phase(table))
    assert_rule(table.findings, "7.0/sequence")
    asked = {"dischargers": [["g1"], []], "commands": [{}, {"g1": "no-command"}]}
    run_step(table, place_commands(table), asked)
    assert in_this_order(table.findings, "7.9", "6.2.1", "6.2", "7.25/repair") == [
        "7.9",
        "6.2.1",
        "6.2",
        "7.25/repair",
    ]
    run_step(table, close_combat_step(table, side="soviet"), {})
    assert in_this_order(table.findings, "6.6.1", "7.23.4") == ["7.23.4", "6.6.1"]


# --- in words ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("finding", "said"),
    [
        (
            Finding("7.29", inputs={"unit": "g1", "hex": "C9", "total": 35}, cell=35, dice=(40,), result="bogged"),
            "7.29 g1 bogs down in C9 (rolled 40, total 35; it bogs down on 35 or less).",
        ),
        (
            Finding("7.35.2", inputs={"unit": "g1", "hex": "C9"}, result="eliminated"),
            "7.35.2 g1 is lost in the fire in C9.",
        ),
        (
            Finding("7.1.1.2", inputs={"formation": "p", "losses": 4, "points": 4}, result="breaking"),
            "7.1.1.2 Losses of formation p: 4, against 4 Cohesion Points; it is breaking.",
        ),
        (
            Finding("7.0", inputs={"rules": {"morale": "7.1 Morale", "fires": "7.35 Fires"}}, result=["morale"]),
            "7.0 In use: 7.1 Morale; 7.35 Fires.",
        ),
    ],
)
def test_7_0_findings_of_optional_rules_are_told_in_sentences(finding: Finding, said: str) -> None:
    assert str(tell(finding)) == said


def test_7_0_every_optional_rule_that_finds_something_has_a_sentence() -> None:
    """The exceptions are rules that only forbid something, change a number, or are reported with another rule."""
    told = {rule.partition("/")[0] for rule in PHRASES if rule.startswith("7.")}
    silent = {"7.3", "7.5", "7.14", "7.15", "7.18", "7.32", "7.33", "7.34", "7.37", "7.39"}
    numbers = {".".join(row.rule.split(".")[:2]) for row in optional_rules().values()}
    assert sorted(number for number in numbers - silent if not any(rule.startswith(number) for rule in told)) == []


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("bail_out", "5.15 Bailing out"),
        ("morale", "7.1 Morale"),
        ("delayed_cohesion", "7.1.1.1 Cohesion rolled at the first loss (together with morale)"),
    ],
)
def test_a_rule_in_use_is_named_with_its_number_and_with_what_it_needs(rule: str, said: str) -> None:
    assert words(rule) == said
