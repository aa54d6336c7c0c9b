"""7.1 Morale: cohesion, checks, hesitating and broken units, recovery. The 2024 book only names the rule."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import (
    a_gun,
    a_leg,
    a_tank,
    advanced_data,
    an_advanced_state,
    an_advanced_table,
)
from titles.panzer.builders import a_board, run_step

from pbem.engine.rules.findings import seen_by
from pbem.engine.rules.table import Table
from pbem.titles.panzer.close_combat.close_combat import close_combat_step, fitness_objections
from pbem.titles.panzer.close_combat.overrun import resolve_overrun, vehicle_objections
from pbem.titles.panzer.command.command_control import active_units, own_command_range
from pbem.titles.panzer.command.morale import (
    COHESION,
    Check,
    begin,
    check_morale,
    command_unit_near,
    commands,
    determine_cohesion,
    finish,
    is_breaking,
    limit_level,
    losses,
    move_over,
    prepare_cohesion,
    take_effect,
)
from pbem.titles.panzer.damage.attacks import come_under_attack
from pbem.titles.panzer.damage.bail_out import _modifiers
from pbem.titles.panzer.damage.effects import brew_up
from pbem.titles.panzer.end_of_turn.adjustment import adjustment_phase
from pbem.titles.panzer.fire.direct_fire import direct_fire_step
from pbem.titles.panzer.movement.movement_step import movement_step
from pbem.titles.panzer.movement.steps.unit_steps import halvings, unit_allowances
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.scenario import FormationRow
from pbem.titles.panzer.sighting.spotting import spotting_phase, spotting_range
from pbem.titles.panzer.state import Command, Damage, Marker, PanzerState, Status

SQUAD, SOVIET = "german_rifle_squad", "soviet_rifle_squad"
WITH_MORALE = (*ADVANCED_RULES, "morale")


def a_formation(id: str = "german", nation: str = "german", grade: str = "seasoned", **more: Any) -> FormationRow:
    return FormationRow(id, id, more.pop("side", nation), nation, grade, **more)  # type: ignore[arg-type]


GERMAN, RUSSIAN = a_formation(), a_formation("soviet", "soviet")


def a_fight(
    *units: Any,
    dice: Any = (),
    formations: tuple[FormationRow, ...] = (GERMAN, RUSSIAN),
    points: Any = None,
    rules: tuple[str, ...] = WITH_MORALE,
    edition: str = "2016",
    board: Any = None,
    **more: Any,
) -> Table[PanzerState]:
    """A table with the morale rules in play; `points` are the Cohesion Points of the formations."""
    notes = {COHESION: {"german": 9, "soviet": 9} if points is None else points}
    scenario = {"formations": {row.id: row for row in formations}, "rules": rules}
    return an_advanced_table(
        *units,
        dice=dice,
        edition=edition,
        board=board,
        scenario=scenario,
        sides=("german", "soviet"),
        notes=notes,
        **more,
    )


def squads(number: int, hex: str = "C3", letter: str = "s", card: str = SOVIET) -> list[Any]:
    return [a_leg(f"{letter}{count:02}", hex, card) for count in range(number)]


# --- 7.0 -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.0", editions=("2016",))
@pytest.mark.parametrize("rules", [("morale",), ("morale", "tank_fright")])
def test_7_0_the_optional_rules_in_use_are_said_in_the_first_turn(rules):
    table = a_fight(a_leg("g1", "C3", SQUAD), rules=(*ADVANCED_RULES, *rules))
    run_step(table, spotting_phase(table))
    assert_rule(table.findings, "7.0", result=list(rules))

    table.findings.clear()
    table.state.turn = 2
    run_step(table, spotting_phase(table))
    assert not [finding for finding in every(table.findings) if finding.rule == "7.0"]


# --- 7.1.1 cohesion --------------------------------------------------------------------------------------------


@pytest.mark.rule("7.1", "7.1.1", "7.1.1.1", editions=("2016",))
@pytest.mark.parametrize(("units", "points"), [(17, 9), (24, 13)])
def test_7_1_1_1_veterans_of_early_1942_are_good(units, points):
    """L4220-4226: 63 - 20 + 10 = 53 is Good; 17 units have 5.5 + 4 = 9.5, which makes 9 points; 24
    units have 11 + 2 = 13."""
    formations = (a_formation("soviet", "soviet", "veteran"), GERMAN)
    table = a_fight(*squads(units), dice=[63], formations=formations, points={})

    determine_cohesion(table, "soviet")

    rolled = assert_rule(table.findings, "7.1.1.1", dice=(63,), result=points, cell=["Good", units])
    assert sum(row["value"] for row in rolled.modifiers) == -10
    assert_rule(table.findings, "7.1.1", inputs={"level": "Good"}, result=points)
    assert_rule(table.findings, "7.1", result=points)
    assert table.state.notes[COHESION]["soviet"] == points


@pytest.mark.rule("7.1.1.1/limits", editions=("2016",))
@pytest.mark.parametrize(
    ("nation", "best", "worst"),
    [("german", "Outstanding", "Adequate"), ("us", "Outstanding", "Adequate"), ("soviet", "Superior", "Poor")],
)
def test_7_1_1_1_a_level_stays_near_the_printed_one(nation, best, worst):
    """L4230-4234: a printed Excellent may go two levels up and two down, or one up and as far down as Poor."""
    row = a_formation("x", nation, level="Excellent")
    data = advanced_data(edition="2016", formations={"x": row})
    levels = {level.name: level for level in data.advanced.optional.cohesion}

    for rolled, wanted in (("Superb", best), ("Poor", worst)):
        level, why = limit_level(data, "x", levels[rolled])
        assert level.name == wanted
        assert_rule(why, "7.1.1.1/limits", inputs={"rolled": rolled, "printed": "Excellent"}, result=wanted)


def test_7_1_1_printed_points_and_printed_levels_need_no_roll():
    formations = (a_formation(cohesion=7, level="Excellent"), a_formation("soviet", "soviet", level="Poor"))
    table = a_fight(*squads(10), a_leg("g1", "E5", SQUAD), formations=formations, points={}, edition="2024")

    prepare_cohesion(table)

    assert table.state.notes[COHESION] == {"german": 7, "soviet": 3}
    table = a_fight(
        *squads(10), formations=formations, points={}, dice=[50], rules=(*WITH_MORALE, "determined_cohesion")
    )
    prepare_cohesion(table)  # 50 - 20 = 30 is Level 3: 10 x 0.45 = 4.5
    assert table.state.notes[COHESION] == {"soviet": 4}


@pytest.mark.rule("7.1.1.1/delayed", "7.1.1.2", editions=("2016",))
def test_7_1_1_1_cohesion_may_wait_for_the_first_loss():
    """L4236: until the first loss there are no Cohesion Points, and only forced checks are made."""
    table = a_fight(
        *squads(10, "C3"), a_leg("g1", "H8", SQUAD), dice=[70], points={}, rules=(*WITH_MORALE, "delayed_cohesion")
    )
    prepare_cohesion(table)
    assert table.state.notes[COHESION] == {} and not is_breaking(table, "soviet")

    event = begin(table)
    table.state.vehicles["s00"].status = Status.ELIMINATED
    finish(table, event)

    assert_rule(table.findings, "7.1.1.1/delayed")
    assert_rule(table.findings, "7.1.1.2", inputs={"losses": 1, "points": 5}, result="holds")


@pytest.mark.rule("7.1.1.2", editions=("2016",))
def test_7_1_1_2_losses_are_counted_once_and_break_the_formation():
    """L4238: abandoned vehicles count as losses; damage, step losses and unarmed units do not."""
    table = a_fight(
        a_tank("g1", "C3", bailed_out=True),
        a_tank("g2", "C4", damage=Damage.WHOLE, track_hit=True),
        a_leg("g3", "C5", "german_rifle_half_squad"),
        a_leg("g4", "C6", SQUAD),
        a_tank("g5", "C7", "opel"),
        a_leg("g6", "C8", SQUAD, status=Status.EXITED),
        points={"german": 2},
    )
    state = table.state
    assert losses(table, "german") == 1 and not is_breaking(table, "german")
    state.vehicles["g1"].status = state.vehicles["g5"].status = Status.ELIMINATED
    assert losses(table, "german") == 1

    event = begin(table)
    state.vehicles["g4"].status = Status.ELIMINATED
    finish(table, event)

    assert_rule(
        table.findings, "7.1.1.2", inputs={"formation": "german", "losses": 2, "points": 2}, result="breaking"
    )


# --- 7.1.2, 7.1.3 what makes units check ------------------------------------------------------------------------


def after(
    table: Table[PanzerState], *, attacked: str = "", lost: str = "", attack: Any = "fire", flame: bool = False
):
    """Return an event in which a unit is attacked or destroyed."""
    event = begin(table)
    if attacked:
        come_under_attack(table.state, table.state.vehicles[attacked])
    if lost:
        table.state.vehicles[lost].status = Status.ELIMINATED
    finish(table, event, attack, flame=flame)


def checked(table: Table[PanzerState], rule: str) -> list[str]:
    return [str(finding.inputs["unit"]) for finding in table.findings if finding.rule == rule]


@pytest.mark.rule("7.1.2", editions=("2016",))
@pytest.mark.parametrize("edition", ["2016", "2024"])
def test_7_1_2_in_a_breaking_formation_fire_makes_its_target_check(edition):
    """L4244: the target checks once, however many shots are fired; in a formation that holds it does not check."""
    units = [a_tank("g1", "C3", command=Command.FIRE), a_leg("s01", "C6", SOVIET), a_leg("s02", "C6", SOVIET)]
    fire = [{"target": "s01", "firers": [["g1", 0, "gp"]]}, None]
    dice = [3, 99, 99]  # no effect; both checks are passed
    table = a_fight(*units, a_leg("s03", "C6", SOVIET, status=Status.ELIMINATED), points={"soviet": 1, "german": 9},
                    dice=dice, edition=edition)  # fmt: skip
    run_step(table, direct_fire_step(table, side="german"), {"fire": fire})
    assert_rule(table.findings, "7.1.2", inputs={"reasons": ["attacked"]}, result="none")
    assert table.state.vehicles["s01"].under_fire

    table = a_fight(*units, dice=[3])
    run_step(table, direct_fire_step(table, side="german"), {"fire": fire})
    assert checked(table, "7.1.2") == []


@pytest.mark.rule("7.1.2", editions=("2016",))
def test_7_1_2_a_unit_that_moves_checks_after_its_move():
    """L4246: a unit checks after a move out of its hex; a unit that turns on the spot does not check."""
    gone = a_leg("g9", "B2", SQUAD, status=Status.ELIMINATED)
    walker = a_leg("g1", "C3", SQUAD, command=Command.MOVE)
    for steps, wanted in ((["3"], ["g1"]), (["face:2"], [])):
        table = a_fight(walker, gone, a_leg("s1", "K9", SOVIET), points={"german": 1, "soviet": 9}, dice=[99],
                        spotted={})  # fmt: skip
        walker.moved, walker.hex = False, table.state.vehicles["g1"].hex
        run_step(
            table, movement_step(table, side="german"), {"move": [{"unit": "g1", "mode": "cross", "steps": steps}]}
        )
        assert checked(table, "7.1.2") == wanted
        if wanted:
            assert_rule(table.findings, "7.1.2", inputs={"unit": "g1", "reasons": ["moved"]})
        walker = a_leg("g1", "C3", SQUAD, command=Command.MOVE)


@pytest.mark.rule("6.5.2.5/bu", effect=True)
@pytest.mark.rule("7.1.2", editions=("2016",))
def test_7_1_2_a_brew_up_in_the_hex_shakes_its_own_formation_only():
    other = a_formation("other", side="german")
    table = a_fight(
        a_tank("g1", "C3"),
        a_leg("g2", "C3", SQUAD),
        a_leg("g3", "C3", SQUAD, formation="other"),
        a_leg("g4", "C4", SQUAD),
        a_leg("s1", "K9", SOVIET),
        formations=(GERMAN, RUSSIAN, other),
        points={"german": 1, "soviet": 9, "other": 1},
        dice=[99],
    )
    event = begin(table)
    table.findings.append(brew_up(table, table.state.vehicles["g1"]))
    finish(table, event)

    assert checked(table, "7.1.2") == ["g2"]
    assert_rule(table.findings, "7.1.2", inputs={"unit": "g2", "reasons": ["brew-up"]})


def a_battalion(**more: Any) -> Table[PanzerState]:
    """Companies A and B of one battalion, each with its headquarters, all in one hex."""
    rows = (
        a_formation("bn", "german"),
        a_formation("a", "german", parent="bn", side="german"),
        a_formation("b", "german", parent="bn", side="german"),
        RUSSIAN,
    )
    return a_fight(
        a_leg("g1", "C3", SQUAD, formation="a"),
        a_leg("ga", "C3", SQUAD, formation="a", labels=("chq",)),
        a_leg("gb", "C3", SQUAD, formation="b", labels=("chq",)),
        a_leg("gx", "C3", SQUAD, formation="bn", labels=("bhq",)),
        a_leg("s1", "K9", SOVIET),
        formations=rows,
        points={"a": 9, "b": 9, "bn": 9, "soviet": 9},
        **more,
    )


@pytest.mark.parametrize(
    ("lost", "who"),
    [
        ("gb", []),
        pytest.param("ga", ["g1"], marks=pytest.mark.rule("7.1.3", editions=("2016",))),
        pytest.param("gx", ["g1", "ga", "gb"], marks=pytest.mark.rule("7.1.3", editions=("2016",))),
    ],
)
def test_7_1_3_a_lost_command_unit_forces_those_whom_it_commanded(lost, who):
    """L4253: a unit of A Company ignores the loss of B Company's headquarters, but not of the battalion's."""
    table = a_battalion(dice=[99, 99, 99])
    units = table.state.vehicles
    assert commands(table.data, units["gx"], units["g1"]) and not commands(table.data, units["gb"], units["g1"])

    after(table, lost=lost)

    assert checked(table, "7.1.3") == who
    if who:
        assert_rule(table.findings, "7.1.3", inputs={"unit": who[0], "reasons": ["command-unit-lost"]})
        assert_rule(table.findings, "7.1.4", inputs={"forced": True})


@pytest.mark.rule("7.1.3", editions=("2016",))
def test_7_1_3_what_forces_a_check_and_what_does_not():
    """L4258-4267: an overrun in the open, a loss in the hex or a flamethrower forces a check; fire does not."""

    def table(**more: Any) -> Table[PanzerState]:
        units = [
            a_leg("g1", "C3", SQUAD),
            a_leg("g2", "C3", SQUAD),
            a_tank("g3", "C3"),
            a_leg("s1", "K9", SOVIET),
        ]
        return a_fight(*units, dice=[99, 99], **more)

    open_ground = table()
    after(open_ground, attacked="g1", attack="overrun")
    assert_rule(open_ground.findings, "7.1.3", inputs={"unit": "g1", "reasons": ["overrun"]})
    inside = table(board=a_board(signs={"C3": "B"}))  # leg units are inside without a marker
    after(inside, attacked="g1", attack="overrun")
    assert checked(inside, "7.1.3") == []
    beside = table()
    after(beside, lost="g1", attack="hand-to-hand")
    assert checked(beside, "7.1.3") == ["g2"]
    shot = table()
    after(shot, attacked="g2", lost="g1")
    assert checked(shot, "7.1.3") == []
    burnt = table()
    after(burnt, attacked="g3", attack="close-assault", flame=True)
    assert_rule(burnt.findings, "7.1.3", inputs={"unit": "g3", "reasons": ["flamethrower"]})


@pytest.mark.rule("7.1.4")
def test_7_1_3_in_a_breaking_formation_forced_checks_are_normal_ones():
    table = a_battalion(dice=[99, 99, 99])
    table.state.notes[COHESION]["a"] = 1
    after(table, lost="ga")
    assert checked(table, "7.1.2") == ["g1"] and checked(table, "7.1.3") == []
    assert_rule(table.findings, "7.1.4", inputs={"forced": False})


# --- 7.1.4 the check -------------------------------------------------------------------------------------------


@pytest.mark.rule(
    "7.1.3", "7.1.4", "7.1.4/veteran", "7.1.4/command-unit", "7.1.4/suppressed-damaged", "7.1.4/forced", "7.1.5",
    "7.1.5.1", editions=("2016",),
)  # fmt: skip
def test_7_1_4_an_overrun_squad_hesitates():
    """L4372-4390: modifiers of +30 and a roll of 36 make 66: Hesitation/On. The T-34 behind the squad is not seen."""
    board = a_board()
    squad = a_leg("g1", "E5", SQUAD, grade="veteran", facing=1, command=Command.NO_COMMAND)
    tank = a_tank("s1", "E6", "t34_76", facing=4, command=Command.MOVE)
    hq = a_leg("g2", "E4", SQUAD, labels=("chq",))
    table = a_fight(squad, hq, tank, dice=[36], board=board)
    event = begin(table)
    come_under_attack(table.state, squad, "overrun")
    squad.suppression = Marker.ON
    finish(table, event, "overrun")

    check = assert_rule(table.findings, "7.1.4", inputs={"net": 30, "total": 66}, dice=(36,), result="hesitating")
    assert check.to == ("german",)
    for row, value in (("veteran", 10), ("command-unit", 20), ("suppressed-damaged", -20), ("forced", 20)):
        assert_rule(check, f"7.1.4/{row}", result=value)
    assert len(check.children) == 4
    assert_rule(table.findings, "7.1.3", result="hesitating")
    assert_rule(table.findings, "7.1.5", result="hesitating")
    assert_rule(table.findings, "7.1.5.1", result="hesitating-on")
    assert squad.flags == ("hesitating-on",)
    seen = seen_by(table.findings, "soviet")
    assert not [finding for finding in every(seen) if finding.rule.startswith("7.1.4")]
    assert_rule(seen, "7.1.3", result="hesitating")


ROWS: list[tuple[str, int, dict[str, Any], tuple[Any, ...]]] = [
    ("elite", 20, {"grade": "elite"}, ()),
    ("veteran", 10, {"grade": "veteran"}, ()),
    ("regulars", -10, {"grade": "regulars"}, ()),
    ("green", -20, {"grade": "green"}, ()),
    ("command-not-nc", -20, {"command": Command.OVERWATCH}, ()),
    ("suppressed-damaged", -20, {"suppression": Marker.OFF}, ()),
    ("command-unit", 20, {}, (("g2", "C4", SQUAD, {"labels": ("chq",), "suppression": Marker.ON}),)),
    ("broken-in-range", -10, {}, (("g2", "C4", SQUAD, {"flags": ("broken-off",)}),)),
    ("spotted-2", -20, {}, (("s2", "C5", SOVIET, {}), ("s3", "C4", SOVIET, {}))),
    ("spotted-5", -10, {}, (("s2", "C6", SOVIET, {}),)),
]


@pytest.mark.rule(
    "7.1.4/elite", "7.1.4/veteran", "7.1.4/regulars", "7.1.4/green", "7.1.4/command-not-nc",
    "7.1.4/suppressed-damaged", "7.1.4/command-unit", "7.1.4/broken-in-range", "7.1.4/spotted-2", "7.1.4/spotted-5",
    editions=("2016",),
)  # fmt: skip
def test_7_1_4_each_row_of_the_chart_counts_once():
    """L4269-4333: no row of the morale chart is applied twice."""
    for row, value, unit, more in ROWS:
        squad = a_leg("g1", "C3", SQUAD, **unit)
        others = [a_leg(id, hex, card, **changes) for id, hex, card, changes in more]
        table = a_fight(squad, *others, a_leg("s1", "K9", SOVIET), dice=[100])

        found = check_morale(table, squad, forced=False)

        assert found.inputs["net"] == value and found.result == "none"
        assert_rule(found, f"7.1.4/{row}", result=value)
        assert len(found.children) == 1


@pytest.mark.rule("7.1.4/medium-cover", "7.1.4/heavy-cover", "7.1.4/forced", editions=("2016",))
def test_7_1_4_cover_helps_but_not_passengers_nor_crowds():
    for terrain, row, value in (("W", "medium-cover", 10), ("X", "heavy-cover", 20)):
        squad = a_leg("g1", "C3", SQUAD)
        table = a_fight(squad, a_leg("s1", "K9", SOVIET), dice=[100], board=a_board(signs={"C3": terrain}))
        assert_rule(check_morale(table, squad, forced=False), f"7.1.4/{row}", result=value)
    truck = a_tank("g2", "C3", "opel")
    squad = a_leg("g1", "C3", SQUAD, aboard="g2")
    table = a_fight(squad, truck, dice=[100], board=a_board(signs={"C3": "X"}))
    found = check_morale(table, squad, forced=True)
    assert found.inputs["net"] == 20
    assert_rule(found, "7.1.4/forced", result=20)


@pytest.mark.rule("7.1.4", editions=("2016",))
@pytest.mark.parametrize(
    ("nation", "die", "result"),
    [("german", 50, "broken"), ("german", 51, "hesitating"), ("german", 70, "hesitating"), ("german", 71, "none"),
     ("soviet", 55, "broken"), ("italian", 80, "hesitating"), ("italian", 81, "none")],
)  # fmt: skip
def test_7_1_4_each_nation_has_its_break_point(nation, die, result):
    squad = a_leg("g1", "C3", SQUAD)
    table = a_fight(squad, dice=[die], formations=(a_formation("german", nation, side="german"), RUSSIAN))
    assert_rule(check_morale(table, squad, forced=False), "7.1.4", result=result)


def test_7_1_4_who_is_broken_sees_no_help_around_it_and_a_broken_headquarters_gives_none():
    squad, hq = a_leg("g1", "C3", SQUAD, flags=("broken-on",)), a_leg("g2", "C4", SQUAD, labels=("chq",))
    table = a_fight(squad, hq)
    assert not command_unit_near(Check(table, squad, forced=False))
    squad.flags = ()
    assert command_unit_near(Check(table, squad, forced=False))
    hq.flags = ("broken-off",)
    assert not command_unit_near(Check(table, squad, forced=False))
    assert not command_unit_near(Check(table, hq, forced=False))


# --- 7.1.5 results ---------------------------------------------------------------------------------------------


@pytest.mark.rule("7.1.5", "7.1.5.1", "7.1.5.2", editions=("2016",))
def test_7_1_5_broken_is_worse_than_hesitating():
    unit = a_leg("g1", "C3", SQUAD, flags=("hesitating-off", "camouflaged"))
    assert_rule(take_effect(unit, "none"), "7.1.5", result="none")
    assert_rule(take_effect(unit, "hesitating"), "7.1.5.1", result="hesitating-on")
    assert unit.flags == ("camouflaged", "hesitating-on")
    assert_rule(take_effect(unit, "broken"), "7.1.5.2", result="broken-on")
    unit.flags = ("broken-off",)
    assert_rule(take_effect(unit, "hesitating"), "7.1.5", result="none")
    assert unit.flags == ("broken-off",)
    take_effect(unit, "broken")
    assert unit.flags == ("broken-on",)


@pytest.mark.parametrize(
    ("word", "rule"),
    [
        pytest.param("hesitating", "7.1.5.1", marks=pytest.mark.rule("7.1.5.1", editions=("2016",))),
        pytest.param("broken", "7.1.5.2", marks=pytest.mark.rule("7.1.5.2", editions=("2016",))),
    ],
)
def test_7_1_5_moving_turns_the_marker_on(word, rule):
    unit = a_leg("g1", "C3", SQUAD, flags=(f"{word}-off",))
    table = a_fight(unit)
    move_over(table, unit)
    assert_rule(table.findings, rule, inputs={"before": f"{word}-off"}, result=f"{word}-on")
    assert unit.flags == (f"{word}-on",)


@pytest.mark.parametrize("flag", ["hesitating-on", "hesitating-off", "broken-on", "broken-off"])
def test_7_1_5_what_hesitating_and_broken_units_may_not_do_and_what_it_costs(flag):
    """L4341-4371: hesitating and broken units may not do some things, and do others with a modifier."""
    broken = flag.startswith("broken")
    squad, tank = a_leg("g1", "C3", SQUAD, flags=(flag,)), a_tank("g2", "C3", flags=(flag,), command=Command.MOVE)
    table = a_fight(squad, tank, a_leg("g3", "C3", SQUAD), a_leg("s1", "C6", SOVIET))
    data, state = table.data, table.state
    fresh = a_tank("g4", "C3", command=Command.MOVE)
    assert any(fitness_objections("6.6.1.1", squad)) and any(vehicle_objections(table, tank))
    assert active_units(table, "german") == (["g3"] if broken else ["g1", "g2", "g3"])
    assert own_command_range(data, squad) == (0 if broken else 1)
    assert ("Broken" in halvings(state, tank)) is broken
    full, now = (unit_allowances(table, unit).cross for unit in (fresh, tank))
    assert now == (full // 2 if broken else full)
    rows = {row["when"]: row["value"] for row in _modifiers(data, tank)}
    assert rows == ({"broken": -20} if broken else {"hesitating": -10})
    seen = [spotting_range(table, unit, state.vehicles["s1"]) for unit in (squad, state.vehicles["g3"])]
    assert (seen[0] < seen[1]) is broken


# --- 7.1.6 recovery --------------------------------------------------------------------------------------------


@pytest.mark.rule("7.1.6", "7.1.6.1", editions=("2016",))
def test_7_1_6_1_hesitation_passes_at_the_end_of_the_next_turn():
    unit = a_leg("g1", "C3", SQUAD, flags=("hesitating-on",))
    table = a_fight(unit, a_leg("s1", "K9", SOVIET))
    run_step(table, adjustment_phase(table))
    assert unit.flags == ("hesitating-off",)
    table.state.first = "german"
    run_step(table, adjustment_phase(table))
    assert unit.flags == ()
    assert_rule(table.findings, "7.1.6", inputs={"unit": "g1"}, result="recovered")
    assert_rule(table.findings, "7.1.6.1", result="recovered")


@pytest.mark.rule("7.1.6", "7.1.6.2", editions=("2016",))
@pytest.mark.parametrize(
    ("die", "command", "fired_at", "result"),
    [(50, None, False, "recovered"), (51, None, False, "still-broken"), (30, Command.FIRE, False, "recovered"),
     (31, Command.FIRE, False, "still-broken"), (20, Command.FIRE, True, "recovered"),
     (41, None, True, "still-broken")],
)  # fmt: skip
def test_7_1_6_2_broken_units_roll_within_the_range_of_their_grade(die, command, fired_at, result):
    unit = a_leg("g1", "C3", SQUAD, grade="regulars", flags=("broken-off",), command=command, under_fire=fired_at)
    table = a_fight(unit, a_leg("s1", "K9", SOVIET), dice=[die])
    run_step(table, adjustment_phase(table))
    assert_rule(table.findings, "7.1.6.2", dice=(die,), cell=["regulars", 50], result=result)
    assert_rule(table.findings, "7.1.6", result=result)
    assert unit.flags == (() if result == "recovered" else ("broken-off",))


# --- in play ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", ["2016", "2024"])
def test_7_1_2_close_combat_and_overruns_are_events_and_without_the_rule_nothing_changes(edition):
    for rules, rolls in ((WITH_MORALE, ["7.1.4"]), (ADVANCED_RULES, [])):
        attacker = a_leg("g1", "C3", SQUAD, command=Command.MOVE, weapons=("german_flamethrower",))
        defender = a_gun("s1", "C4", "gun_76mm", command=Command.NO_COMMAND)
        mate = a_leg("s2", "C4", SOVIET, command=Command.NO_COMMAND)
        table = a_fight(attacker, defender, mate, dice=[90, 5, 60], rules=rules, edition=edition)
        answers = {"assault": [{"target": "s1", "attackers": [["g1", ""]]}, None]}
        run_step(table, close_combat_step(table, side="german"), answers)
        assert not defender.alive
        assert [rule for rule, _ in table.chance.rolled if rule.startswith("7")] == rolls
    tank = a_tank("s3", "E5", "t34_76", command=Command.MOVE)
    squad = a_leg("g3", "E5", SQUAD, command=Command.NO_COMMAND)
    table = a_fight(tank, squad, dice=[1, 99], edition=edition)
    run_step(table, resolve_overrun(table, tank, squad))
    assert checked(table, "7.1.3") == ["g3"]


def test_the_state_of_a_match_with_morale_goes_on_without_it_being_asked_for():
    state = an_advanced_state(a_leg("g1", "C3", SQUAD))
    assert state.notes == {}
