"""6.1.4 One function decides every line of sight, taking account of floors, heights and the current map."""

from __future__ import annotations

import ast
from importlib.resources import files
from pathlib import Path

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_leg, a_tank, advanced_data, an_advanced_state, an_advanced_table
from titles.panzer.artillery.test_observers import a_battery, section
from titles.panzer.builders import a_board, a_hex, run_step

from pbem.titles.panzer.artillery.indirect_fire import indirect_fire_step
from pbem.titles.panzer.player.sheets import range_bands
from pbem.titles.panzer.sighting.sight import sees
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Feature, Inside, Mission, Unit

PACKAGE = Path(str(files("pbem.titles.panzer")))
ROUTINE = "pbem.titles.panzer.sighting.line_of_sight"
HARMLESS = {"OPEN", "BLOCKED", "smoke_hexes"}
"""Names in the line-of-sight module that decide no line."""


def imports(module: Path) -> set[str]:
    """Return the names a module imports from the line-of-sight routine."""
    found: set[str] = set()
    text = module.read_text()
    if "line_of_sight" not in text:
        return found
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module == ROUTINE:
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == ROUTINE.rpartition(".")[0]:
            found |= {name.name for name in node.names if name.name == "line_of_sight"}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names if name.name == ROUTINE}
    return found


@pytest.mark.rule("6.1.4", effect=True)
def test_6_1_4_nobody_but_sight_asks_the_routine_of_the_line_of_sight():
    others = [module for module in PACKAGE.rglob("*.py") if module.name not in ("sight.py", "line_of_sight.py")]
    doors = {str(module.relative_to(PACKAGE)): imports(module) - HARMLESS for module in others}
    assert {name: found for name, found in doors.items() if found} == {}


def an_observer(data, **more) -> Unit:
    return a_leg("g1", "A1", section(data, "german"), labels=("fo",), command=Command.OVERWATCH, **more)


def keep_up(board, observer: dict[str, object], features=(), turn: int = 2):
    """The turn after a call by an observer in A1 at G1: the mission continues if its target is still observed."""
    data = advanced_data(board)
    units = an_observer(data, **observer), a_tank("s1", "G1", "t34_76")
    mission = Mission(id="m1", side="german", observer="g1", firers=("gb1",), point=a_hex("G1"), sheaf="closed",
                      started=1, done_in=1)  # fmt: skip
    table = an_advanced_table(
        *units, data=data, dice=[10] * 9, turn=turn, missions={"m1": mission}, batteries={"gb1": a_battery()},
        features={feature.id: feature for feature in features}, sides=("german", "soviet"),
    )  # fmt: skip
    return run_step(table, indirect_fire_step(table, "german"), {"mission": [None]})


@pytest.mark.rule("6.5.1.9")
def test_6_5_1_9_an_observer_upstairs_keeps_the_mission_that_he_observes():
    played = keep_up(a_board("B.B....", storeys={"A1": 3}), {"inside": Inside.UP})
    assert [ask.silence for ask in played.asked("mission")] == [
        {"do": "continue", "mission": "m1", "type": "gp"},
    ]
    played = keep_up(a_board("B.B....", storeys={"A1": 3}), {})
    assert_rule(played.findings, "6.5.1.9", inputs={"mission": "m1", "why": "not-observed"}, result="checked")


@pytest.mark.rule("6.5.1.9", effect=True)
def test_6_5_1_9_a_house_that_was_shot_to_rubble_hides_no_target_point():
    rubble = Feature(id="f1", type="brick_rubble", hex=a_hex("C1"), known=("german", "soviet"))
    played = keep_up(a_board("B.B...."), {}, [rubble])
    assert [ask.silence for ask in played.asked("mission")] == [{"do": "continue", "mission": "m1", "type": "gp"}]


@pytest.mark.rule("6.1.4.3.1", effect=True)
def test_6_1_4_3_1_a_unit_sees_from_its_floor_and_a_hex_is_its_ground():
    data = advanced_data(a_board("B.B....", storeys={"A1": 3}))
    up, down = an_observer(data, inside=Inside.UP), an_observer(data)
    far = a_hex("G1")
    assert sees(Situation(data, an_advanced_state(up)), up, far) and sees(
        Situation(data, an_advanced_state(up)), far, up
    )
    assert not sees(Situation(data, an_advanced_state(down)), down, far)
    assert not sees(Situation(data, an_advanced_state(up)), a_hex("A1"), far)
    assert sees(Situation(data, an_advanced_state(up)), up, a_hex("A1"))


@pytest.mark.rule("3.5.2", effect=True)
def test_3_5_2_range_bands_reach_as_far_as_a_unit_sees_from_its_floor():
    data = advanced_data(a_board("B.B....", storeys={"A1": 3}))
    squad = a_leg("g1", "A1", "german_rifle_squad")
    on_ground = range_bands(Situation(data, an_advanced_state(squad)), squad)
    squad.inside = Inside.UP
    assert set(range_bands(Situation(data, an_advanced_state(squad)), squad)) > set(on_ground)
