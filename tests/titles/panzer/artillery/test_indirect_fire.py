"""6.5.1 Indirect fire: patterns, observers, responses and danger close."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import (
    a_gun,
    a_leg,
    a_tank,
    advanced_data,
)
from titles.panzer.artillery.missions import a_call, a_table, both, legal, objections, step
from titles.panzer.artillery.test_observers import a_battery, mortar, section
from titles.panzer.builders import a_board

from pbem.engine.geometry.hexes import distance, hex_name, parse_hex
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal
from pbem.engine.rules.table import Table
from pbem.titles.panzer.artillery import calls, response
from pbem.titles.panzer.artillery.calls import sheaf_hexes
from pbem.titles.panzer.artillery.observers import firer_of, observer_of
from pbem.titles.panzer.artillery.response import Responding, check_danger, friends_in_danger, response_modifiers
from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.state import (
    Cloud,
    Command,
    Marker,
    Mission,
    PanzerState,
    Sheaf,
    Wreck,
)

# --- 6.5.1.5 --------------------------------------------------------------------------------------


@pytest.mark.rule("6.5.1.5")
@both
def test_6_5_1_5_the_patterns_have_1_7_19_and_7_hexes(edition: Edition) -> None:
    data = advanced_data(edition=edition)
    point = parse_hex("K10")
    counts: dict[Sheaf, int] = {"on_map": 1, "closed": 7, "open": 19, "closed_linear": 7}
    for sheaf, count in counts.items():
        assert len(sheaf_hexes(data, point, sheaf, 2)) == count
    row = sheaf_hexes(data, point, "closed_linear", 1)
    assert [distance(point, hex) for hex in row] == list(range(7))
    table = a_table(dice=[9, 1], edition=edition)
    step(table, a_call("C10", "gb1", sheaf="open"))
    assert_rule(table.findings, "6.5.1.5", inputs={"sheaf": "open", "point": "C10"})


@pytest.mark.rule("6.5.1.6.2", effect=True)
@pytest.mark.rule("6.5.1.5")
def test_6_5_1_5_a_battery_chooses_a_pattern_and_a_unit_on_the_map_has_its_own() -> None:
    table = a_table()
    assert_rule(objections(table, a_call("C10", "gb1", sheaf="on_map")), "6.5.1.5")
    assert_rule(objections(table, a_call("C10", "gb1", sheaf="closed_linear")), "6.5.1.5")
    assert_rule(objections(table, a_call("C10", "gb1", direction=3)), "6.5.1.5")
    assert legal(table, a_call("C10", "gb1", sheaf="closed_linear", direction=3))


@given(st.sampled_from(calls.SHEAFS), st.integers(1, 6), st.integers(0, 19), st.integers(1, 19))
def test_6_5_1_5_no_pattern_leaves_the_map(sheaf: Sheaf, direction: int, column: int, row: int) -> None:
    data = advanced_data()
    point = parse_hex(f"{chr(ord('A') + column)}{row}")
    hexes = sheaf_hexes(data, point, sheaf, direction)
    assert hexes[0] == point
    assert all(data.board.is_on_map(hex) for hex in hexes)
    assert len(set(hexes)) == len(hexes)


# --- 6.5.1.13 the worked example ------------------------------------------------------------------


def the_example(edition: Edition, dice: list[int]) -> Table[PanzerState]:
    """L2365-2402: a Seasoned German FO, attached medium and organic heavy batteries, and a gun in a medium grove."""
    grove = "m" if edition == "2024" else "W"  # woods in the other book
    board = a_board(signs={"C15": grove, "C16": grove})
    return a_table(
        a_gun("b1", "C15", "atg_2pdr"),
        a_tank("b2", "C16", "matilda2", command=Command.MOVE, revealed=True),
        dice=dice, edition=edition, board=board, spotted={"g1": ["b1"]}, sides=("german", "british"),
        batteries=[
            a_battery("gb1", "german_medium"),
            a_battery("gb2", "german_heavy", attachment="organic", registered=("C15",)),
        ],
    )  # fmt: skip


@pytest.mark.rule("6.5.1", "6.5.1.4", "6.5.1.7", "6.5.1.7/response", "6.5.1.10", "6.5.4.4")
@pytest.mark.rule("6.5.1.12", "6.5.1.12.1", "6.5.1.13")
@both
def test_6_5_1_13_an_fo_calls_two_batteries(edition: Edition) -> None:
    """The medium battery responds and suppresses both units; the registered heavy one rolls a 1 and does not."""
    table = the_example(edition, [5, 1, 59, 88])
    played = step(table, a_call("C15", "gb1", "gb2"))
    assert_rule(played.findings, "6.5.1", inputs={"side": "german"})
    assert_rule(played.findings, "6.5.1.7", inputs={"observer": "g1", "point": "C15"}, result=["gb1"])
    assert_rule(
        played.findings, "6.5.1.12", inputs={"firer": "gb1", "factor": 2, "net": 0}, dice=(5,), result="responds"
    )
    assert_rule(
        played.findings, "6.5.1.12", inputs={"firer": "gb2", "factor": 4, "net": 2}, dice=(1,), result="no-response"
    )
    assert_rule(played.findings, "6.5.1.12.1", result=2)
    assert_rule(played.findings, "6.5.1.4", inputs={"firer": "gb2", "point": "C15"}, result=True)
    assert_rule(played.findings, "6.5.1.10", inputs={"firer": "gb2", "friends": []}, result="no-response")
    assert_rule(played.findings, "6.5.1.7/response", inputs={"firer": "gb2"}, result="used-up")
    column = "S" if edition == "2024" else "M"
    assert_rule(played.findings, "6.5.1.13", inputs={"firer": "gb1", "range": 12, "column": column, "factor": 8})
    gun, tank = (table.state.vehicles[id] for id in ("b1", "b2"))
    assert_rule(played.findings, "6.5.4.4", inputs={"factor": 8, "defence": 5, "net": 0}, dice=(59,))
    assert_rule(played.findings, "6.5.4.4", inputs={"factor": 8, "defence": 4, "net": -40}, dice=(88,))
    assert (gun.suppression, tank.suppression) == (Marker.ON, Marker.ON)


# --- 6.5.1.1 spotters and targets -----------------------------------------------------------------


@pytest.mark.rule("6.5.1.1", "6.5.1.7", "6.5.1.2", "1.2")
@both
def test_6_5_1_7_only_observers_call_and_only_onto_what_they_spotted(edition: Edition) -> None:
    table = a_table(edition=edition)
    assert legal(table, a_call("C10", "gb1")) == a_call("C10", "gb1")
    assert_rule(objections(table, a_call("C10", "gb1", observer="s1")), "6.5.1.1")
    assert_rule(objections(table, a_call("C10")), "6.5.1.1")
    assert_rule(objections(table, a_call("C11", "gb1")), "6.5.1.7")
    assert_rule(objections(table, a_call("C10", "g1")), "6.5.1.2")
    assert_rule(objections(table, {"do": "shoot"}), "6.5.1.1")
    assert_rule(objections(table, a_call("nowhere", "gb1")), "1.2")


@pytest.mark.rule("6.5.1.1.4", "6.5.1.1.2")
@both
def test_6_5_1_1_4_two_mortars_together_are_one_source_for_a_commander(edition: Edition) -> None:
    data = advanced_data(edition=edition)
    near, far = mortar(data, "g3", "D4"), mortar(data, "g4", "H4")
    table = a_table(
        mortar(data, "g2", "C4"), near, far, a_tank("s1", "C10", "t34_76"), edition=edition, labels=("chq",),
        batteries=[], spotted={"g1": ["s1"]},
    )  # fmt: skip
    assert legal(table, a_call("C10", "g2", "g3", sheaf="on_map"))
    refused = objections(table, a_call("C10", "g2", "g4", sheaf="on_map"))
    assert_rule(refused, "6.5.1.1.2")
    played = step(a_table_again(table, dice=[9, 9, 1, 1]), a_call("C10", "g2", "g3", sheaf="on_map"))
    assert_rule(played.findings, "6.5.1.1.4", inputs={"firers": ["g2", "g3"]}, result=1)


def a_table_again(table: Table[PanzerState], dice: Iterable[int]) -> Table[PanzerState]:
    from titles.panzer.builders import Scripted

    return Table(table.state, Scripted(dice), table.data)


@pytest.mark.rule("5.6", "6.5.1.13")
def test_6_5_1_7_the_point_is_in_range_of_every_firer() -> None:
    data = advanced_data()
    table = a_table(
        mortar(data, "g2", "C4"), a_tank("s1", "C6", "t34_76"), a_tank("s2", "T20", "t34_76"), batteries=[],
        spotted={"g1": ["s1", "s2"]},
    )  # fmt: skip
    assert_rule(objections(table, a_call("T20", "g2", sheaf="on_map")), "6.5.1.13")
    table.state.vehicles["g1"].hex = parse_hex("C5")
    table.state.vehicles["g2"].hex = parse_hex("C5")
    assert_rule(objections(table, a_call("C6", "g2", sheaf="on_map")), "5.6")


@pytest.mark.rule("5.3", "5.16.2.5")
@both
def test_5_3_a_battery_is_off_the_map_and_only_its_smoke_is_limited(edition: Edition) -> None:
    played = step(a_table(dice=[9, 1], edition=edition), a_call("C10", "gb1"))
    assert_rule(played.findings, "5.3", inputs={"battery": "gb1"}, result="medium")
    assert "5.16.2.5" not in [finding.rule for finding in every(played.findings)]
    table = a_table(dice=[9, 6], edition=edition)
    played = step(table, a_call("C10", "gb1", type="smoke"))
    assert_rule(played.findings, "5.16.2.5", inputs={"limit": 5}, dice=(6,), result="limited")
    assert not table.state.clouds


@pytest.mark.rule("6.5.1.6", "6.5.1.6.1", "6.5.1.6.2")
@both
def test_6_5_1_6_types_of_fire_and_their_patterns(edition: Edition) -> None:
    lit = {"rules": (*ADVANCED_RULES, "illumination")}
    table = a_table(edition=edition, scenario=lit)
    assert_rule(objections(table, a_call("C10", "gb1", type="illumination", sheaf="open")), "6.5.1.6.2")
    assert_rule(objections(a_table(edition=edition), a_call("C10", "gb1", type="illumination")), "6.5.1.6.2")
    data = advanced_data(edition=edition)
    weapon = next(name for name, row in data.book.attached.items() if row.indirect and not row.smoke.value)
    nation = data.book.attached[weapon].nation
    id = {"german": "g2", "soviet": "s2"}.get(nation, "g2")
    unit = a_leg(id, "C4", section(data, "german"), side="german", weapons=(weapon,), command=Command.FIRE)
    unit.formation = "german"
    table = a_table(unit, a_tank("s1", "C6", "t34_76"), batteries=[], edition=edition, spotted={"g1": ["s1"]})
    assert_rule(objections(table, a_call("C6", id, type="smoke", sheaf="on_map")), "6.5.1.6")
    table = a_table(dice=[9, 3], edition=edition)
    played = step(table, a_call("C10", "gb1", type="smoke"))
    assert_rule(played.findings, "6.5.1.6.1")
    assert_rule(played.findings, "6.5.1.6", result="smoke")
    [cloud] = table.state.clouds.values()
    assert (cloud.type, cloud.marker, len(cloud.hexes)) == ("smoke", Marker.ON, 7)
    played = step(a_table(dice=[9, 3], edition=edition, scenario=lit), a_call("C10", "gb1", type="illumination"))
    assert_rule(played.findings, "6.5.1.6", result="illumination")


# --- 6.5.1.12.1 modifiers -------------------------------------------------------------------------


def modifiers(table: Table[PanzerState], *, firer: str = "gb1", point: str = "C10", again: bool = False) -> Any:
    found = firer_of(table, firer)
    observer = observer_of(table.data, table.state.vehicles["g1"])
    assert found is not None and observer is not None
    mission = Mission(id="m9", side="german", point=parse_hex(point))
    one = Responding(table, mission, observer, found, parse_hex(point), again)
    rows = response_modifiers(one)
    return response.modifiers_finding(table.data, rows, sum(row.value * times for row, times in rows))


NAMES = {
    "2024": ("preregistered-point", "command-recon-observer", "adjusted-fire", "observer-suppressed",
             "observer-damaged", "observer-hindered", "heat-haze", "observer-hesitating", "observer-broken",
             "observer-grade"),
    "2016": ("pre-registered", "command-recon", "adjusted", "suppressed", "damaged", "hindered", "heat-haze",
             "hesitating", "broken", "grade"),
}  # fmt: skip


@pytest.mark.rule("6.5.1.12.1", effect=True)
@pytest.mark.rule(
    "6.5.1.12.1/preregistered-point", "6.5.1.12.1/command-recon-observer", "6.5.1.12.1/adjusted-fire",
    "6.5.1.12.1/observer-suppressed", "6.5.1.12.1/observer-damaged", "6.5.1.12.1/observer-hindered",
    "6.5.1.12.1/heat-haze", "6.5.1.12.1/observer-hesitating", "6.5.1.12.1/observer-broken",
    "6.5.1.12.1/observer-grade", editions=("2024",),
)  # fmt: skip
def test_6_5_1_12_1_every_modifier_of_the_response() -> None:
    every_modifier("2024")


@pytest.mark.rule("6.5.1.12.1", effect=True)
@pytest.mark.rule(
    "6.5.1.12.1/pre-registered", "6.5.1.12.1/command-recon", "6.5.1.12.1/adjusted", "6.5.1.12.1/suppressed",
    "6.5.1.12.1/damaged", "6.5.1.12.1/hindered", "6.5.1.12.1/heat-haze", "6.5.1.12.1/hesitating",
    "6.5.1.12.1/broken", "6.5.1.12.1/grade", editions=("2016",),
)  # fmt: skip
def test_6_5_1_12_1_every_modifier_of_the_response_in_2016() -> None:
    every_modifier("2016")


def every_modifier(edition: Edition) -> None:
    rules = [f"6.5.1.12.1/{name}" for name in NAMES[edition]]
    registered = a_table(edition=edition, batteries=[a_battery(registered=("C10",))])
    assert_rule(modifiers(registered), rules[0], result=2)
    assert_rule(modifiers(a_table(edition=edition, labels=("bhq", "recon"))), rules[1], result=1)
    assert_rule(modifiers(a_table(edition=edition), again=True), rules[2], result=1)
    assert_rule(modifiers(a_table(edition=edition, observer={"suppression": Marker.OFF})), rules[3], result=-2)
    assert_rule(modifiers(a_table(edition=edition, observer={"damage": "turret"})), rules[4], result=-2)
    smoke = Cloud(id="c1", type="smoke", hexes=(parse_hex("C5"), parse_hex("C6")), fresh=False)
    barrage = Cloud(id="c2", type="barrage", hexes=(parse_hex("C8"),), open=True, fresh=False)
    hindered = a_table(
        edition=edition, clouds={"c1": smoke, "c2": barrage}, wrecks={"C7": Wreck(brewed_up=True, fresh=False)}
    )
    assert_rule(modifiers(hindered), rules[5], inputs={"times": 3}, result=-3)
    haze = {"heat_haze": True}
    assert_rule(modifiers(a_table(a_tank("s1", "C11", "t34_76"), edition=edition, scenario=haze), point="C11"),
                rules[6], result=-1)  # fmt: skip
    near = modifiers(a_table(a_tank("s1", "C10", "t34_76"), edition=edition, scenario=haze))
    assert rules[6] not in [finding.rule for finding in every(near)]  # 7 hexes are too near for a vehicle
    assert_rule(modifiers(a_table(edition=edition, observer={"flags": ("hesitating-on",)})), rules[7], result=-1)
    assert_rule(modifiers(a_table(edition=edition, observer={"flags": ("broken-off",)})), rules[8], result=-2)
    for grade, value in (("elite", 2), ("veteran", 1), ("regulars", -1), ("green", -2)):
        assert_rule(modifiers(a_table(edition=edition, observer={"grade": grade})), rules[9], result=value)
    assert modifiers(a_table(edition=edition)).result == 0  # Seasoned, nothing special
    assert "7.5" not in [finding.rule for finding in every(modifiers(registered))]


@pytest.mark.rule("6.5.1.12")
@pytest.mark.parametrize(("die", "answer"), [(3, "no-response"), (4, "responds")])
def test_6_5_1_12_the_modified_roll_must_reach_the_factor(die: int, answer: str) -> None:
    table = a_table(dice=[die, 1], batteries=[a_battery(attachment="organic")])
    played = step(table, a_call("C10", "gb1"))
    assert_rule(played.findings, "6.5.1.12", inputs={"factor": 4}, result=answer)
    assert bool(table.state.missions) == (answer == "responds")  # no firer responds: the counter is removed


# --- 6.5.1.10 danger close ------------------------------------------------------------------------


@pytest.mark.rule("6.5.1.10", "6.5.1.12", "6.5.1.9")
@both
def test_6_5_1_10_on_a_natural_1_the_opponent_puts_the_fire_onto_a_friend(edition: Edition) -> None:
    friends = [a_tank("g5", "C6"), a_tank("g6", "D7"), a_tank("g7", "R18")]
    table = a_table(
        *friends, a_tank("s1", "C10", "t34_76"), dice=[1, 1, 1], edition=edition,
        spotted={"g1": ["s1"], "s1": ["g5", "g6", "g7"]},
    )  # fmt: skip
    assert friends_in_danger(table, "german", parse_hex("C10")) == ["g5", "g6"]
    played = step(table, a_call("C10", "gb1"), danger="g6")
    [ask] = [ask for ask in played.asks if ask.kind == "danger"] or [None]
    assert_rule(played.findings, "6.5.1.10", inputs={"friends": ["g5", "g6"], "chosen_by": "soviet"}, result="g6")
    assert_rule(played.findings, "6.5.1.12", dice=(1,), result="responds")
    [mission] = table.state.missions.values()
    assert mission.danger_close
    assert hex_name(mission.landed[0].point) == "D7"
    assert table.state.vehicles["g6"].under_fire
    table.state.turn += 1
    played = step(table)
    assert_rule(played.findings, "6.5.1.9", inputs={"why": "danger-close"}, result="checked")
    assert table.state.missions == {}
    assert ask is None or ask.seat == "soviet"


@pytest.mark.rule("6.5.1.12")
def test_6_5_1_12_the_opponent_chooses_among_those_in_danger() -> None:
    table = a_table()
    ask = Ask("soviet", "danger", "6.5.1.12", about={"friends": ["g5", "g6"]})
    assert check_danger(table, ask, "g5") == "g5"
    with pytest.raises(Illegal) as caught:
        check_danger(table, ask, "g7")
    assert_rule(caught.value, "6.5.1.12")
    assert list(response.danger_options(table, ask)) == ["g5", "g6"]


@pytest.mark.rule("6.5.1.10", effect=True)
def test_6_5_1_10_friends_that_the_enemy_has_not_spotted_are_in_no_danger() -> None:
    table = a_table(a_tank("g5", "C8"), a_tank("s1", "C10", "t34_76"), spotted={"g1": ["s1"]})
    assert friends_in_danger(table, "german", parse_hex("C10")) == []
