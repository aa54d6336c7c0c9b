"""7.42, 7.52 Staggered initiative and command span."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_leg, a_tank, an_advanced_table
from titles.panzer.asking import answer_form, read_answer
from titles.panzer.builders import run_step, run_steps
from titles.panzer.command.test_optional_command import a_row

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal, Refusal
from pbem.engine.rules.table import Table
from pbem.titles.panzer.command.command_control import explain_available
from pbem.titles.panzer.command.command_span import grade_in_span, most_moves
from pbem.titles.panzer.command.commands import check_commands, command_options
from pbem.titles.panzer.command.staggered_initiative import (
    check_formation,
    formation_options,
    formations_of,
    staggered_fire_step,
    staggered_initiative_phase,
    staggered_move_step,
)
from pbem.titles.panzer.fire.aiming import firer_objections
from pbem.titles.panzer.fire.direct_fire import direct_fire_step
from pbem.titles.panzer.movement.movement_step import move_objections, movement_step, no_move_step
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.sequence import SEQUENCE, begin
from pbem.titles.panzer.setup.scenario import Conditions, FormationRow
from pbem.titles.panzer.state import Command, PanzerState, Status

SQUAD, SOVIET = "german_rifle_squad", "soviet_rifle_squad"
FIRE = {"staggered_fire_step": staggered_fire_step, "direct_fire_step": direct_fire_step}
MOVE = {
    "staggered_move_step": staggered_move_step,
    "movement_step": movement_step,
    "no_move_step": no_move_step,
}
STAGES = {step: max(number for number, stage in enumerate(SEQUENCE) if stage.step == step) for step in (
    "initiative_phase", "direct_fire_step", "overwatch_step", "close_combat_step", "movement_step")}  # fmt: skip


def a_fight(
    *units: Any,
    rules: tuple[str, ...],
    formations: tuple[tuple[str, str, str], ...] = (),
    edition: str = "2016",
    scenario: Any = None,
    **more: Any,
) -> Table[PanzerState]:
    """A position with these `formations`, each given as (id, side, parent); all are Seasoned."""
    rows = {id: FormationRow(id, id, side, side, "seasoned", parent) for id, side, parent in formations}  # type: ignore[arg-type]
    given = {"rules": (*ADVANCED_RULES, *rules), "formations": rows, **(scenario or {})}
    return an_advanced_table(*units, edition=edition, scenario=given, sides=("german", "soviet"), **more)


COMPANIES = (("1st", "german", ""), ("2nd", "german", ""), ("a", "soviet", ""))


def companies(command: Command, **more: Any) -> list[Any]:
    return [
        a_tank("g1", "C3", formation="1st", facing=4, command=command, **more),
        a_tank("g2", "D3", formation="2nd", facing=4, command=command, **more),
        a_tank("s1", "C8", "t34_76", formation="a", facing=1, command=command, **more),
    ]


# --- 7.42 ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.42", "7.42.1", editions=("2016",))
@pytest.mark.parametrize("edition", ["2016", "2024"])
def test_7_42_1_the_winner_is_the_first_player(edition):
    """L5080-5088: the force grade modifies the roll; the winner is not asked to choose."""
    units = companies(Command.FIRE)
    scenario = {"force_grades": {"german": "green", "soviet": "elite"}}
    table = a_fight(*units, rules=("staggered_initiative",), formations=COMPANIES, dice=[90, 20], scenario=scenario,
                    edition=edition)  # fmt: skip
    table.state.stage = STAGES["initiative_phase"]
    begin(table)
    assert table.state.next and table.state.next.name == "staggered_initiative_phase"
    played = run_step(table, staggered_initiative_phase(table))
    assert not played.asks and table.state.first == "soviet"  # 90 - 40 against 20 + 40
    assert table.state.previous_first == "soviet"  # the first to use dischargers next turn (7.9)
    assert_rule(table.findings, "7.42.1", result="soviet")
    assert_rule(table.findings, "7.42", inputs={"formations": {"german": ["1st", "2nd"], "soviet": ["a"]}})


@pytest.mark.rule("6.0", effect=True)
@pytest.mark.rule("7.42.1.1", "7.42.1.2", "7.42.1.3", editions=("2016",))
def test_7_42_1_1_formations_fire_one_after_the_other():
    """L5090-5106: the First Player names the first formation, then both roll; targets may be shared."""
    g1, g2, s1 = companies(Command.FIRE)
    s1.command = Command.NO_COMMAND
    table = a_fight(g1, g2, s1, rules=("staggered_initiative",), formations=COMPANIES, dice=[100, 60, 40, 100])
    state = table.state
    state.stage = STAGES["direct_fire_step"] - 1
    begin(table)
    answers = {
        "formation": ["2nd", "1st", "a"],
        "fire": [
            {"target": "s1", "firers": [["g2", 0, "ap"]]},
            None,
            {"target": "s1", "firers": [["g1", 0, "ap"]]},
            None,
        ],
    }
    run_steps(table, FIRE, answers)

    named = [finding for finding in table.findings if finding.rule == "7.42.1.1"]
    assert [finding.result for finding in named] == ["2nd", "1st", "a"]
    assert named[1].inputs["picks"] == {"german": "1st", "soviet": "a"}
    assert_rule(table.findings, "7.42.1.1", inputs={"number": 1}, result="2nd")
    assert_rule(table.findings, "7.42.1.2", inputs={"formation": "1st"})
    assert_rule(table.findings, "7.42.1.3", inputs={"order": ["german", "soviet"]})
    assert g1.fired and g2.fired and state.notes["fire_order"] == {"2nd": 1, "1st": 2, "a": 3}
    assert state.next and state.next.name == "overwatch_step" and state.acting == ()


@pytest.mark.rule("7.42.1.1", editions=("2016",))
def test_7_42_1_1_only_the_formation_whose_turn_it_is_acts():
    g1, g2, s1 = companies(Command.MOVE)
    table = a_fight(g1, g2, s1, rules=("staggered_initiative",), formations=COMPANIES, acting=("g1",))
    assert_rule(firer_objections(table, g2), "7.42.1.1")
    assert not any(objection.rule == "7.42.1.1" for objection in firer_objections(table, g1))
    assert not list(move_objections(table.state, g1))
    assert [objection.rule for objection in move_objections(table.state, g2)] == ["7.42.2"]
    ask = Ask("german", "formation", "7.42.1.1", about={"formations": ["1st"]})
    with pytest.raises(Illegal) as refused:
        check_formation(table, ask, "2nd")
    assert_rule(refused.value, "7.42.1.1")
    assert [check_formation(table, ask, one) for one in formation_options(table, ask)]


@pytest.mark.rule("7.42.1.2", editions=("2016",))
def test_7_42_1_2_a_unit_checks_its_morale_once_after_all_have_fired():
    """L5100: a unit checks morale once after all fire, or before its own fire if its formation fires later."""
    for order, wanted in ((["2nd", "1st", "a"], 1), (["2nd", "a", "1st"], 2)):
        g1, g2, s1 = companies(Command.FIRE)
        s1.command = Command.NO_COMMAND
        gone = a_leg("s2", "K9", SOVIET, formation="a", status=Status.ELIMINATED)
        rolls = [60, 40] if order[1] == "1st" else [40, 60]
        dice = {1: [100, *rolls, 100, 100], 2: [100, *rolls, 100, 100, 100]}[wanted]
        notes = {"cohesion": {"a": 1, "1st": 9, "2nd": 9}}
        table = a_fight(g1, g2, s1, gone, rules=("staggered_initiative", "morale"), formations=COMPANIES, dice=dice,
                        notes=notes)  # fmt: skip
        table.state.stage = STAGES["direct_fire_step"] - 1
        begin(table)
        picks = {"german": [name for name in order if name != "a"], "soviet": ["a", "a", "a"]}
        chosen = [picks["german"][0], picks["german"][1], "a"] + ([picks["german"][1]] if wanted == 2 else [])
        fires = [{"target": "s1", "firers": [["g2", 0, "ap"]]}, None]
        second = [{"target": "s1", "firers": [["g1", 0, "ap"]]}, None]
        answers = {"formation": chosen, "fire": [*fires, *second] if wanted == 1 else [*fires, None, *second]}
        run_steps(table, FIRE, answers)
        checks = [finding for finding in table.findings if finding.rule == "7.1.2"]
        assert len(checks) == wanted and s1.flags == ()
        assert_rule(table.findings, "7.42.1.2")


@pytest.mark.rule("7.42.2", editions=("2016",))
@pytest.mark.parametrize("edition", ["2016", "2024"])
def test_7_42_2_formations_move_in_the_reverse_order_of_their_fire(edition):
    """L5108-5118: the formation that fired first moves last."""
    units = companies(Command.MOVE)
    notes = {"fire_order": {"2nd": 1, "a": 2, "1st": 3}}
    table = a_fight(*units, rules=("staggered_initiative",), formations=COMPANIES, notes=notes, edition=edition,
                    spotted={})  # fmt: skip
    table.state.stage = STAGES["movement_step"] - 1
    begin(table)
    played = run_steps(table, MOVE)
    assert [finding.result for finding in table.findings if finding.rule == "7.42.2"] == ["1st", "a", "2nd"]
    assert_rule(table.findings, "7.42.2", inputs={"fired": 3}, result="1st")
    assert [ask.seat for ask in played.asks if ask.kind == "move"] == ["german", "soviet", "german"]
    assert table.state.next and table.state.next.name == "air_phase" and table.state.acting == ()
    assert all(unit.moved for unit in units)


@pytest.mark.rule("7.42.3", editions=("2016",))
def test_7_42_3_movement_may_go_by_sides_all_the_same():
    """L5120-5122: the Second Player moves everything, then the First."""
    rules = ("staggered_initiative", "streamlined_movement")
    table = a_fight(*companies(Command.MOVE), rules=rules, formations=COMPANIES, spotted={})
    table.state.stage = STAGES["movement_step"] - 1
    begin(table)
    played = run_steps(table, MOVE)
    assert_rule(table.findings, "7.42.3", inputs={"order": ["soviet", "german"]})
    assert [ask.seat for ask in played.asks if ask.kind == "move"] == ["soviet", "german"]


def test_7_42_a_side_with_one_formation_goes_by_platoons():
    units = [a_tank("s1", "C3", "t70", formation="a"), a_tank("s2", "C3", "t70", formation="a"), a_tank("g1", "K9")]
    rows = (a_row("s1", "1st"), a_row("s2", "2nd"))
    formations = (("a", "soviet", ""), ("german", "german", ""))
    table = a_fight(*units, rules=("staggered_initiative",), formations=formations, scenario={"units": rows})
    assert list(formations_of(table, "soviet")) == ["a 1st", "a 2nd"]
    assert list(formations_of(table, "german")) == ["german"]


def test_7_42_a_platoon_that_is_to_act_is_named_in_words():
    """A platoon is named by its formation, which may have its own name, followed by the platoon's name."""
    table = a_fight(*companies(Command.FIRE), rules=("staggered_initiative",), formations=COMPANIES)
    ask = Ask("soviet", "formation", "7.42.1.1", about={"formations": ["a 1st", "a 2nd"]}, default="a 1st")
    for said in ("a 2nd", "A 2nd"):
        assert read_answer(table.data, table.state, ask, said).answer == "a 2nd"
    assert read_answer(table.data, table.state, ask, answer_form(table.data, table.state, ask)).answer == "a 1st"


def test_7_42_a_side_that_is_left_with_one_formation_does_not_begin_anew_by_platoons():
    """If a formation is lost while the others fire, those that have acted do not act again."""
    g1, g2, s1 = companies(Command.FIRE)
    g2.status = Status.ELIMINATED
    rows = tuple(a_row(unit.id, "1st") for unit in (g1, g2, s1))
    table = a_fight(g1, g2, s1, rules=("staggered_initiative",), formations=COMPANIES, scenario={"units": rows})
    assert list(formations_of(table, "german")) == ["1st"]


# --- 7.52 ------------------------------------------------------------------------------------------------------

REGIMENT = (("r", "soviet", ""), ("bn", "soviet", "r"), ("co", "soviet", "bn"), ("german", "german", ""))


def a_company(*more: Any, number: int = 16, span: int = 8, **others: Any) -> Table[PanzerState]:
    """A Soviet company of 17 units with its headquarters in C3 and the others next to it."""
    units = [a_tank("s00", "C3", "t34_85", formation="co", labels=("chq",))]
    units += [a_leg(f"s{one + 1:02}", "C4", SOVIET, formation="co") for one in range(number)]
    scenario = {"conditions": Conditions(command_span={"soviet": {"chq": span}})}
    given = {"rules": ("command_span",), "formations": REGIMENT, "scenario": scenario, "spotted": {}, **others}
    return a_fight(*units, *more, a_tank("g1", "T19"), **given)


@pytest.mark.rule("7.52", "7.52/chq", editions=("2016",))
@pytest.mark.parametrize("edition", ["2016", "2024"])
def test_7_52_a_company_with_a_unit_out_of_span_moves_with_half_of_its_commands(edition):
    """L5146-5152: 17 Seasoned units have 10 commands; with one unit beyond 8 hexes, at most 5 of them
    may be Moves."""
    table = a_company(edition=edition)
    state = table.state
    assert explain_available(table, "co").result == 10 and most_moves(table, "co", 10) is None
    far = state.vehicles["s16"]
    far.hex = a_leg("s99", "C11", SOVIET).hex
    assert most_moves(table, "co", 10) is None
    far.hex = a_leg("s99", "C12", SOVIET).hex
    found = explain_available(table, "co")
    assert found.result == 10
    assert_rule(found, "7.52", result=5)
    assert_rule(found, "7.52/chq", inputs={"out": ["s16"]}, result="out-of-span")

    state.available = {"co": 10}
    ask = Ask("soviet", "commands", "4.2.1")
    moves = {f"s{number:02}": "move" for number in range(1, 6)}
    assert check_commands(table, ask, {**moves, "s06": "overwatch"})
    with pytest.raises(Refusal) as refused:
        check_commands(table, ask, {**moves, "s06": "move"})
    assert_rule(refused.value, "7.52/chq")
    for option in command_options(table, ask):
        assert check_commands(table, ask, option) is not None
    far.labels = ("recon",)
    assert most_moves(table, "co", 10) is None  # recon units are exempt


@pytest.mark.rule("7.52/chq", editions=("2016",))
def test_7_52_a_company_that_has_lost_its_headquarters_is_limited_for_good_one_that_never_had_any_is_not():
    table = a_company()
    table.state.vehicles["s00"].status = Status.ELIMINATED
    found = explain_available(table, "co")
    assert_rule(found, "7.52/chq", result="lost")
    assert most_moves(table, "co", 10) == 5 and most_moves(table, "co", 1) == 1
    table.state.vehicles["s00"].labels = ()
    assert most_moves(table, "co", 10) is None


@pytest.mark.rule("7.52/chq", editions=("2016",))
def test_7_52_a_headquarters_whose_radio_was_hit_commands_nobody():
    """7.23.2: the headquarters has lost all its command abilities, so the company counts as having lost it."""
    table = a_company(scenario={"units": (msgspec.structs.replace(a_row("s00", ""), labels=("chq",)),)})
    headquarters = table.state.vehicles["s00"]
    headquarters.labels, headquarters.flags = (), ("radio-lost",)
    assert_rule(explain_available(table, "co"), "7.52/chq", result="lost")
    assert most_moves(table, "co", 10) == 5


@pytest.mark.rule("7.52/bhq", "7.52/rhq", editions=("2016",))
def test_7_52_battalion_and_regiment_cost_two_rows_each():
    """L5154-5182: a battalion or regiment lost or over 20 hexes away costs two rows, though never below Green."""
    battalion = a_tank("sx", "C18", "t34_85", formation="bn", labels=("bhq",))
    regiment = a_tank("sy", "C19", "t34_85", formation="r", labels=("rhq",))
    table = a_company(battalion, regiment)
    state = table.state
    assert grade_in_span(table, "co") == "seasoned"
    battalion.hex = a_tank("s9", "T19").hex
    state.vehicles["s00"].hex = a_tank("s9", "A1").hex
    found = explain_available(table, "co")
    assert_rule(found, "7.52/bhq", result="out-of-span")
    assert_rule(found, "7.52/rhq", result="in-span")
    assert grade_in_span(table, "co") == "green"
    state.vehicles["s00"].hex, battalion.status = battalion.hex, Status.ELIMINATED
    assert_rule(explain_available(table, "co"), "7.52/bhq", result="lost")
    regiment.bailed_out = True
    assert_rule(explain_available(table, "co"), "7.52/rhq", result="lost")
    assert grade_in_span(table, "co") == "green"
    del state.vehicles["sx"], state.vehicles["sy"]
    assert grade_in_span(table, "co") == "seasoned"
