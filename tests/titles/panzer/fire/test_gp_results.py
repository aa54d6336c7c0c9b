"""6.5.4.4 GP fire: the table, and results against vehicles."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_leg, a_tank, advanced_data, an_advanced_table
from titles.panzer.builders import a_hex, run_step
from titles.panzer.fire.gp_attacks import (
    A_TYPE,
    BRITISH,
    CARRIER,
    GERMAN,
    P_TYPE,
    S_TYPE,
    SOVIET,
    fire,
    ground,
    net,
    small_arms,
)

from pbem.engine.rules.findings import Finding
from pbem.titles.panzer.cards.advanced_charts import advanced_charts
from pbem.titles.panzer.cards.basic_rows import EDITIONS, Edition
from pbem.titles.panzer.cards.chart_rows import AdvancedModifier
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.fire.gp_fire import direct_attack, resolve_gp
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import (
    Command,
    Damage,
    HullDown,
    Inside,
    Marker,
    Status,
    Unit,
)

# --- 6.5.4.4 the table -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("factor", "defence", "total", "result"),
    [
        (7, 5, 60, "suppressed"),
        (2, 9, 109, "effective"),
        (15, 2, -1, "none"),
        (5, 3, 43, "none"),
        (5, 3, 73, "effective"),
    ],
)
def test_6_5_4_4_quoted_results(factor: int, defence: int, total: int, result: str) -> None:
    """Results quoted in L3031, L3033, L3035, L2973; 2016:L3054, L3056."""
    for edition in EDITIONS:
        assert advanced_charts(edition).gp_result(factor, defence, total) == result


@given(factor=st.integers(1, 20), defence=st.integers(1, 10), total=st.integers(-60, 160))
@settings(max_examples=60)
def test_6_5_4_4_more_fire_and_less_defence_never_do_less(factor: int, defence: int, total: int) -> None:
    order = ("none", "suppressed", "effective")
    charts = advanced_charts("2024")
    result = order.index(charts.gp_result(factor, defence, total))
    assert order.index(charts.gp_result(factor + 1, defence, total)) >= result
    assert order.index(charts.gp_result(factor, min(10, defence + 1), total)) <= result
    assert order.index(charts.gp_result(factor, defence, total + 1)) >= result


@pytest.mark.rule("6.5.4", "6.5.4.4", "6.5.4.4.1", "6.5.4.4.2")
@pytest.mark.parametrize(
    ("edition", "squad", "gun", "cell", "answer"),
    [
        ("2024", a_leg("b1", "C5", BRITISH), a_tank("g1", "C8", "pzjgr1"), (6, 1, 30, 60), (3, 4, 56, 83)),
        ("2016", a_leg("g1", "C5", GERMAN), a_tank("s1", "C8", "su76m"), (7, 2, 31, 62), (5, 4, 48, 77)),
    ],
)
def test_6_5_4_situation(
    edition: Edition, squad: Unit, gun: Unit, cell: tuple[int, ...], answer: tuple[int, ...]
) -> None:
    """L3117-3145, 2016:L3198-3232: small arms suppress the gun at short range; its return fire has no effect."""
    data = advanced_data(ground(C5="scrub"), edition=edition, sides=(squad.side, gun.side))
    squad.grade, gun.grade = "veteran", "regulars"
    squad.command = gun.command = Command.FIRE
    squad.revealed = gun.revealed = True
    table = an_advanced_table(squad, gun, data=data, dice=[81, 64])

    attack = direct_attack(Situation(data, table.state), squad, weapons_of(data, squad)[0], gun)
    assert attack is not None and attack.column == "S"
    first = run_step(table, resolve_gp(table, attack)).result
    roll = assert_rule(first, "6.5.4.4", result="effective", dice=(81,), cell=list(cell[:2]))
    assert isinstance(roll, Finding)
    assert (roll.inputs["no_effect"], roll.inputs["suppressed"], roll.inputs["total"]) == (*cell[2:], 71)
    assert_rule(first, "6.5.4.4.2", result="suppressed")
    assert_rule(first, "6.5.4", result="suppressed")
    assert gun.suppression is Marker.ON and gun.under_fire

    attack = direct_attack(Situation(data, table.state), gun, weapons_of(data, gun)[0], squad)
    assert attack is not None and attack.column == "P"
    second = run_step(table, resolve_gp(table, attack)).result
    roll = assert_rule(second, "6.5.4.4", result="none", inputs={"net": -20, "total": 44}, cell=list(answer[:2]))
    assert isinstance(roll, Finding)
    assert (roll.inputs["no_effect"], roll.inputs["suppressed"]) == answer[2:]
    assert_rule(second, "6.5.4.4.1", result="none")
    assert squad.suppression is Marker.NONE


@pytest.mark.rule("6.5.4.4")
@pytest.mark.parametrize(
    ("edition", "card", "defence", "roll", "cell"),
    [("2024", "sherman3", 3, 71, (39, 69)), ("2016", "is2m", 8, 83, (62, 92))],
)
def test_6_6_10_overwatch_of_the_overrun_situation(
    edition: Edition, card: str, defence: int, roll: int, cell: tuple[int, int]
) -> None:
    """L3778-3802, 2016:L3831-3847: moving is -10, A-type is -20 and overwatch is -5, so the fire has no effect."""
    half = a_leg("g1", "C5", "german_rifle_half_squad", command=Command.OVERWATCH, revealed=True)
    tank = a_tank("s1", "C6", card, command=Command.MOVE, revealed=True)
    table = an_advanced_table(half, tank, edition=edition, dice=[roll])
    attack = direct_attack(table, half, weapons_of(table.data, half)[0], tank, kind="ow", rule="6.5.3")
    assert attack is not None
    found = run_step(table, resolve_gp(table, attack)).result
    made = assert_rule(found, "6.5.4.4", result="none", inputs={"net": -35, "total": roll - 35, "defence": defence})
    assert isinstance(made, Finding) and (made.inputs["no_effect"], made.inputs["suppressed"]) == cell


# --- 6.5.4.4.2 vehicles ----------------------------------------------------------------------------------------

SUPPRESSED, EFFECTIVE = "suppressed", "effective"


def at_vehicle(
    edition: Edition, card: str, total: str | int, *dice: int, target: dict[str, Any] | None = None, **attack: Any
) -> tuple[Finding, Unit]:
    """Fire GP at a vehicle in the open so that the result is suppressed or effective, or has this total."""
    unit = a_tank("s1", "C5", card, **(target or {}))
    table = an_advanced_table(unit, a_leg("g1", "C8", GERMAN), edition=edition)
    given: dict[str, Any] = {"firer": "g1", "factor": 8, **attack}
    modifiers = int(net(table, "s1", **{"column": "S", **given}).result)
    cell = table.data.advanced.gp_limits(given["factor"], table.data.vehicle(unit).defence)
    wanted = {SUPPRESSED: cell.no_effect + 1, EFFECTIVE: cell.suppressed + 1}.get(str(total), total)
    if total == EFFECTIVE:
        wanted = next(number for number in range(int(wanted), int(wanted) + 10) if number % 5)
    roll = int(wanted) - modifiers
    if roll > 100:  # a row of another chart helps
        given["more"] = ((_a_row(30), 1),)
        roll -= 30
    table = an_advanced_table(unit, a_leg("g1", "C8", GERMAN), edition=edition, dice=[roll, *dice])
    return fire(table, target="s1", **{"column": "S", **given}).result, unit


def _a_row(value: int) -> AdvancedModifier:
    """6.7.3.5 Build a modifier that belongs to another chart."""
    return AdvancedModifier(when="low", value=value, rule="6.7.3.5", source="test", text="test")


NEAR = ("P", "S", "M", "L", "E")


@pytest.mark.rule("6.5.4.4.2/small-arms", "6.5.4.4.2/target-type")
@pytest.mark.parametrize(
    ("edition", "rules"),
    [
        pytest.param(
            "2024",
            ("suppressed-sa-a", "suppressed-sa-p", "suppressed-sa-s", "effective-sa-a", "effective-sa-p",
             "effective-sa-s"),
            marks=pytest.mark.rule(
                "6.5.4.4.2/suppressed-sa-a", "6.5.4.4.2/suppressed-sa-p", "6.5.4.4.2/suppressed-sa-s",
                "6.5.4.4.2/effective-sa-a", "6.5.4.4.2/effective-sa-p", "6.5.4.4.2/effective-sa-s",
                editions=("2024",),
            ),
        ),
        pytest.param(
            "2016",
            ("sup-small-a", "sup-small-p", "sup-small-s", "eff-small-a", "eff-small-p", "eff-small-s"),
            marks=pytest.mark.rule(
                "6.5.4.4.2/sup-small-a", "6.5.4.4.2/sup-small-p", "6.5.4.4.2/sup-small-s",
                "6.5.4.4.2/eff-small-a", "6.5.4.4.2/eff-small-p", "6.5.4.4.2/eff-small-s", editions=("2016",),
            ),
        ),
    ],
)  # fmt: skip
def test_6_5_4_4_2_small_arms_by_type_and_range(edition: Edition, rules: tuple[str, ...]) -> None:
    """L2997-3071: the result of small arms depends on the target's type and the range."""
    yes, no = "suppressed", "none"
    expected = [
        (A_TYPE, SUPPRESSED, [yes, no, no, no, no]),
        (P_TYPE, SUPPRESSED, [yes, yes, no, no, no]),
        (S_TYPE, SUPPRESSED, [yes] * 5),
        (A_TYPE, EFFECTIVE, [yes, yes, no, no, no]),
        (P_TYPE, EFFECTIVE, ["damaged", yes, no, no, no]),
        (S_TYPE, EFFECTIVE, ["ko"] * 5),
    ]
    for rule, (card, result, outcomes) in zip(rules, expected, strict=True):
        for column, outcome in zip(NEAR, outcomes, strict=True):
            found, unit = at_vehicle(edition, card, result, 10, 100, **small_arms(column))
            assert_rule(found, f"6.5.4.4.2/{rule}", result=outcome)
            assert unit.suppressed == (outcome == yes) and unit.alive == (outcome != "ko")
            assert (unit.damage is Damage.NONE) == (outcome != "damaged")
    assert_rule(found, "6.5.4.4.2/small-arms", result=True)
    assert_rule(found, "6.5.4.4.2/target-type", result="S")


@pytest.mark.parametrize(
    ("edition", "rules"),
    [
        pytest.param(
            "2024",
            ("suppressed-non-sa", "effective-non-sa-a-p", "effective-non-sa-s"),
            marks=pytest.mark.rule(
                "6.5.4.4.2/suppressed-non-sa", "6.5.4.4.2/effective-non-sa-a-p", "6.5.4.4.2/effective-non-sa-s",
                editions=("2024",),
            ),
        ),
        pytest.param(
            "2016",
            ("sup-nonsmall-aps", "eff-nonsmall-ap", "eff-nonsmall-s"),
            marks=pytest.mark.rule(
                "6.5.4.4.2/sup-nonsmall-aps", "6.5.4.4.2/eff-nonsmall-ap", "6.5.4.4.2/eff-nonsmall-s",
                editions=("2016",),
            ),
        ),
    ],
)  # fmt: skip
def test_6_5_4_4_2_other_weapons_test_their_effectiveness(edition: Edition, rules: tuple[str, ...]) -> None:
    """L3015-3043: a result is effective only if the highest effectiveness reaches the defence of A and P types."""
    for card in (A_TYPE, P_TYPE, S_TYPE):
        for column in NEAR:
            found, unit = at_vehicle(edition, card, SUPPRESSED, column=column, effectiveness=1)
            assert_rule(found, f"6.5.4.4.2/{rules[0]}", result="suppressed")
            assert unit.suppression is Marker.ON
    found, unit = at_vehicle(edition, A_TYPE, EFFECTIVE, effectiveness=3)
    assert_rule(found, f"6.5.4.4.2/{rules[1]}", result="suppressed")
    assert unit.alive and unit.suppressed
    found, unit = at_vehicle(edition, A_TYPE, EFFECTIVE, 5, effectiveness=4)
    assert_rule(found, f"6.5.4.4.2/{rules[1]}", result="ko")
    found, unit = at_vehicle(edition, P_TYPE, EFFECTIVE, 4, effectiveness=4)
    assert_rule(found, f"6.5.4.4.2/{rules[1]}", result="bu")
    found, unit = at_vehicle(edition, S_TYPE, EFFECTIVE, 1, effectiveness=0)
    assert_rule(found, f"6.5.4.4.2/{rules[2]}", result="ko")
    assert unit.status is Status.ELIMINATED


@pytest.mark.rule("5.12")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("factor", "roll", "outcome"), [(1, 1, "bu"), (1, 2, "ko"), (9, 4, "bu"), (9, 5, "ko")])
def test_6_5_4_4_2_small_arms_brew_up_to_half_their_factor(
    factor: int, roll: int, outcome: str, edition: Edition
) -> None:
    """L3069-3071, L1476-1484: small arms brew up on at most half their factor, rounded down, but half of 1 is 1."""
    found, _ = at_vehicle(edition, S_TYPE, EFFECTIVE, roll, factor=factor, **small_arms("M"))
    assert_rule(found, "5.12", inputs={"factor": factor}, result=max(1, factor // 2))
    assert found.result == outcome


def test_6_5_4_5_nobody_bails_out_of_a_vehicle_on_which_a_building_has_come_down() -> None:
    tank = a_tank("s1", "C5", P_TYPE, inside=Inside.BUILDING)
    board = ground(C5="wood_building")
    table = an_advanced_table(tank, a_leg("g1", "C8", GERMAN), board=board, dice=[85, 3, 100, 100])
    found = fire(table, firer="g1", target="s1", factor=12, effectiveness=6).result
    assert found.result == "damaged" and not tank.alive


@pytest.mark.parametrize(
    ("edition", "rule"),
    [
        pytest.param(
            "2024", "6.5.4.4.2/rule-of-5-and-10",
            marks=pytest.mark.rule("6.5.4.4.2/rule-of-5-and-10", editions=("2024",)),
        ),
        pytest.param(
            "2016", "6.5.4.4.2/rule-5-10", marks=pytest.mark.rule("6.5.4.4.2/rule-5-10", editions=("2016",))
        ),
    ],
)  # fmt: skip
def test_6_5_4_4_2_the_rule_of_5s_and_10s(edition: Edition, rule: str) -> None:
    """L3005-3013, 2016:L3086-3090: an effective total that ends in 5 damages, and a total that ends in
    0 hits the track."""
    split = edition == "2024"
    for total, outcome in ((75, "damaged"), (95, "damaged"), (80, "track"), (100, "track"), (110, "track")):
        dice = [3, 100] if outcome == "damaged" and split else [100]
        found, unit = at_vehicle(edition, P_TYPE, total, *dice, factor=4, effectiveness=2)
        assert_rule(found, rule, result=outcome)
        assert unit.track_hit == (outcome == "track") and not unit.suppressed
    assert unit.damage is Damage.NONE
    found, unit = at_vehicle(edition, P_TYPE, 70, factor=4, effectiveness=2)  # 43/71: suppressed only
    assert found.result == "suppressed" and not unit.track_hit


@pytest.mark.parametrize(
    ("edition", "card", "dice", "damage"),
    [
        ("2024", P_TYPE, [4], Damage.TURRET),
        ("2024", P_TYPE, [5], Damage.HULL),
        ("2024", S_TYPE, [], Damage.HULL),  # unarmed
        ("2016", P_TYPE, [], Damage.WHOLE),
    ],
)
def test_6_5_4_4_2_what_is_damaged(edition: Edition, card: str, dice: list[int], damage: Damage) -> None:
    """L3021-3043: 1 to 4 on a d10 is the turret; the 2016 book has only one kind of damage."""
    _, unit = at_vehicle(edition, card, 95, *dice, 100, factor=4, effectiveness=2)
    assert unit.damage is damage


@pytest.mark.rule("6.5.4.4.2/hull-down-track", editions=("2024",))
def test_6_5_4_4_2_direct_fire_hits_no_track_of_a_hull_down_vehicle() -> None:
    """L3029: only indirect fire hits the track of a hull-down vehicle."""
    for position in (HullDown.HD, HullDown.PHD):
        for kind, outcome in (("df", "none"), ("if", "track")):
            tank = a_tank("s1", "C5", P_TYPE, facing=4, hull_down=position)
            modifiers = -10
            table = an_advanced_table(tank, a_leg("g1", "C8", GERMAN), dice=[90 - modifiers, 100])
            more = {"target": "s1"} if kind == "df" else {"hexes": (a_hex("C5"),), "point": a_hex("C5")}
            found = fire(table, firer="g1", kind=kind, factor=4, **more).result
            assert found.result == outcome and tank.track_hit == (outcome == "track")
            if outcome == "none":
                assert_rule(found, "6.5.4.4.2/hull-down-track", result="none", inputs={"position": position.value})


@pytest.mark.parametrize(("total", "outcome", "alive"), [(90, "none", True), (95, "ko", False)])
def test_6_5_2_2_1_a_second_track_hit_is_ignored_and_a_second_damage_knocks_out(
    total: int, outcome: str, alive: bool
) -> None:
    """L2479, L2523: neither result suppresses the vehicle, and the crew checks for neither."""
    damaged = {"track_hit": True, "damage": Damage.HULL}
    found, unit = at_vehicle("2024", P_TYPE, total, 2, target=damaged, factor=4, effectiveness=2)
    assert found.result == outcome and unit.alive == alive and not unit.suppressed


@pytest.mark.rule("6.5.4.4.2/bu-suppresses-hex", editions=("2024",))
def test_6_5_4_4_2_a_brew_up_suppresses_all_friends_in_the_hex_but_those_under_cover() -> None:
    """L3041, L2679-2681: passengers of an SPW 251/1 are under cover; enemies and other hexes are unaffected."""
    table = an_advanced_table(
        a_tank("s1", "C5", S_TYPE),
        a_leg("s2", "C5", SOVIET),
        a_tank("s3", "C5", "t34_76"),
        a_tank("s4", "C5", CARRIER),
        a_leg("s5", "C5", SOVIET, aboard="s4"),
        a_leg("s6", "C5", SOVIET, aboard="s3"),
        a_leg("s7", "C6", SOVIET),
        a_leg("g1", "C8", GERMAN),
        dice=[94, 1],
    )
    found = fire(table, firer="g1", target="s1").result
    assert found.result == "bu"
    assert_rule(found, "6.5.4.4.2/bu-suppresses-hex", inputs={"unit": "s2"}, result="suppressed")
    shocked = [unit.id for unit in table.state.vehicles.values() if unit.suppressed]
    assert shocked == ["s2", "s3", "s4", "s6"]
    assert table.state.wrecks["C5"].brewed_up
