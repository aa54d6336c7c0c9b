"""Sheets: everything offered is accepted, everything closed is refused for the same reason, and nothing leaks."""

from __future__ import annotations

from itertools import product

import pytest
from titles.tanks.builders import a_data, a_piece, a_state, a_tank, check, opened, read

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal, each
from pbem.titles.tanks.player import sheets
from pbem.titles.tanks.shooting.shots import shot_at
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Status
from pbem.titles.tanks.view import view_of

DATA = a_data()
RULES = {"deploy": "T3.3", "movement": "T1.1", "shooting": "T1.2", "command": "T1.4", "move": "T5.1", "shoot": "T7.1"}


def ask(kind: str, subject: str = "") -> Ask:
    return Ask("alpha", kind, RULES[kind], subject=subject, default=None)


def facing_each_other(**more):
    return a_state(a_tank("a1", 4000, 6000, **more), a_tank("b1", 4000, 3000, 180), a_tank("b2", 6000, 3000, 180))


def offered(sheet):
    """Return every line that a sheet offers, with each unit filled in."""
    colon = ":" if sheet.at else ""
    for choice in sheet.choices:
        for unit in () if choice.against else choice.units or ("",):
            line = choice.line.format(unit=unit, x=450, y=820)
            yield f"{sheet.unit}{colon} {line}"


@pytest.mark.parametrize("kind", ["movement", "shooting", "command", "move", "shoot"])
def test_T1_1_every_order_on_a_sheet_is_accepted(kind):
    state = facing_each_other(criticals=["busted-track"] if kind == "command" else [], model="panzer-iv")
    asked = ask(kind, "a1" if kind in ("move", "shoot") else "")
    lines = list(offered(sheets.tank_sheet(Situation(DATA, state), "alpha", asked, "a1")))
    for line in lines:
        submission = read(DATA, state, asked, line)
        check(DATA, state, asked, submission.answer)
        assert submission.answer or "hold" in line or "stay" in line, line
    assert len(lines) >= 2


def test_T3_3_a_tank_that_is_not_on_the_table_is_given_a_place():
    state = a_state(a_tank("a1", 0, 0, status=Status.RESERVE), phase="set-up")
    (line,) = offered(sheets.tank_sheet(Situation(DATA, state), "alpha", ask("deploy"), "a1"))
    assert line == "a1 at 450 820 face 0"
    check(DATA, state, ask("deploy"), read(DATA, state, ask("deploy"), line).answer)


def test_T7_1_a_target_that_is_closed_is_refused_for_the_same_reason():
    state = a_state(a_tank("a1", 3000, 6000), a_tank("b1", 3000, 2000), pieces=[a_piece("building-1", 3000, 4000)])
    shoot = sheets.tank_sheet(Situation(DATA, state), "alpha", ask("shooting"), "a1").choices[0]
    with pytest.raises(Refusal) as refused:
        submission = read(DATA, state, ask("shoot", "a1"), "a1: shoot b1")
        check(DATA, state, ask("shoot", "a1"), submission.answer)
    said = [(one.rule, one.english) for one in each(refused.value)[0].objections]
    assert [(one.rule, one.english.removeprefix("b1: ")) for one in shoot.against] == said
    assert "T7.2" in dict(said)


def test_T2_3_a_tank_that_cannot_move_is_told_why():
    stuck = facing_each_other(criticals=["busted-track"])
    ahead = next(
        c for c in sheets.tank_sheet(Situation(DATA, stuck), "alpha", ask("movement"), "a1").choices if c.against
    )
    assert (ahead.name, ahead.against[0].rule) == ("move ahead", "T2.3")


@pytest.mark.parametrize("heading", [180, 270])
def test_T7_10_the_odds_are_those_of_all_rolls_counted_out(heading):
    """Every roll of attack and defence dice is tried, and those that leave an uncancelled hit are counted."""
    state = a_state(a_tank("a1", 4000, 4000, 0), a_tank("b1", 4000, 3000, heading, speed=1))
    shot = shot_at(Situation(DATA, state), state.tanks["a1"], state.tanks["b1"])
    attack, defence = sheets.attack_strength(Situation(DATA, state), shot), sheets.defence_dice(DATA, shot)
    coins = list(product((0, 1), repeat=attack + defence))  # 4 to 6 is half of the faces
    through = sum(sum(roll[:attack]) > sum(roll[attack:]) for roll in coins)

    assert sheets.chance(Situation(DATA, state), shot) == 100 * through // len(coins)
    words = sheets.tank_sheet(Situation(DATA, state), "alpha", ask("shooting"), "a1").choices[0].units["b1"]
    assert words.startswith(f"hit {100 * through // len(coins)} % · {attack} dice against {defence}")
    gap = 1000 - 290 - (295 if heading == 180 else 145)  # between the hulls, in tenths of a millimetre
    assert f", {gap // 10 / 10:g} cm" in words


def test_T2_4_a_sheet_shows_the_backs_of_another_seats_cards():
    hidden, shown = a_tank("b1", 4000, 3000, cards=["tungsten"]), opened(a_tank("b2", 6000, 3000, cards=["tungsten"]))
    view = view_of(a_state(a_tank("a1", 4000, 6000), hidden, shown), "alpha")
    back, face = ("\n".join(sheets.tank_sheet(Situation(DATA, view), "alpha", None, id).facts) for id in ("b1", "b2"))
    assert "Tungsten" not in back and "a card of" in back and "face down" in back
    assert "Tungsten Rounds: " in face
    own = sheets.tank_sheet(Situation(DATA, view_of(a_state(hidden), "bravo")), "bravo", None, "b1")
    assert "Tungsten Rounds, face down" in "\n".join(own.facts)


def test_T7_1_threats_and_shots_are_the_same_seen_from_both_sides():
    state = facing_each_other()
    shots = sheets.tank_sheet(Situation(DATA, state), "alpha", ask("shooting"), "a1").choices[0].units
    for target, words in shots.items():
        assert sheets.tank_sheet(Situation(DATA, state), "alpha", None, target).threats["a1"] == words


def test_nobody_gives_orders_to_the_tanks_of_another():
    state = facing_each_other()
    assert sheets.tank_sheet(Situation(DATA, state), "alpha", ask("movement"), "b1").choices == ()
    assert sheets.tank_sheet(Situation(DATA, state), "public", None, "a1").choices == ()
    assert sheets.tank_sheet(Situation(DATA, state), "alpha", None, "b9") is None
    assert sheets.roll_call(Situation(DATA, state), ask("movement")) == {"a1": "Sherman 75"}


def test_T1_1_where_every_tank_is_asked_in_its_turn_nobody_is_called_before():
    asked_each = a_data(pace="tank")
    assert sheets.roll_call(Situation(asked_each, facing_each_other()), ask("movement")) == {}
    assert sheets.roll_call(Situation(asked_each, facing_each_other()), ask("move", "a1")) == {"a1": "Sherman 75"}


def test_T7_2_sight_says_whom_a_tank_can_shoot_at_and_why_not_another():
    state = a_state(
        a_tank("a1", 3000, 6000),
        a_tank("b1", 3000, 2000),
        a_tank("b2", 6000, 3000),
        pieces=[a_piece("building-1", 3000, 4000)],
    )
    found = sheets.sight(Situation(DATA, state), "A1", "b1")
    assert (found.start, found.seen, found.end, found.clear) == ("a1", ("b2",), "b1", False)
    assert any("building-1" in line for line in found.why)
    assert (
        sheets.sight(Situation(DATA, state), "a1", "b2").clear and sheets.sight(Situation(DATA, state), "z9") is None
    )
