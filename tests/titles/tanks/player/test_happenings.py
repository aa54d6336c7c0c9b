"""Events on the table, and the fate of each order."""

from __future__ import annotations

from titles.tanks.builders import a_piece, a_table, a_tank, run_phase

from pbem.engine.rules.findings import happenings_in, seen_by
from pbem.engine.rules.happenings import Fail, Move, Shot
from pbem.titles.tanks.movement.phase import move_next, movement_phase
from pbem.titles.tanks.shooting.phase import shoot_next, shooting_phase

MOVING = {"move_next": move_next}
SHOOTING = {"shoot_next": shoot_next}


def fails(findings, seat="alpha"):
    return [happening for happening in happenings_in(seen_by(findings, seat)) if isinstance(happening, Fail)]


def test_a_move_that_is_stopped_tells_its_owner_by_what():
    table = a_table(a_tank("a1", 1000, 5000, 90), pieces=[a_piece("building-1", 2500, 5000)])
    form = {"orders": {"a1": [{"moves": [{"way": 90}]}]}}
    played = run_phase(table, movement_phase, MOVING, {"movement alpha": [form]})
    (fail,) = fails(played.findings)
    assert (fail.who, fail.order) == ("a1", "a1: move 90") and "building-1" in str(fail.why)
    assert [type(happening) for happening in happenings_in(seen_by(played.findings, "bravo"))].count(Fail) == 0
    assert any(isinstance(happening, Move) for happening in happenings_in(seen_by(played.findings, "public")))


def test_a_condition_that_does_not_hold_is_a_reason():
    table = a_table(a_tank("a1", 1000, 5000, 90), a_tank("b1", 8000, 5000, 270))
    form = {"orders": {"a1": [{"moves": [{"way": 90}], "when": [{"what": "out", "units": ["b1"]}]}]}}
    played = run_phase(table, movement_phase, MOVING, {"movement alpha": [form]})
    assert [str(fail.why) for fail in fails(played.findings)] == ["the tank's condition was not met, so it stayed"]


def test_a_target_that_is_out_already_is_not_needed_any_more():
    table = a_table(a_tank("a1", 1000, 5000, 90), a_tank("b1", 8000, 5000, 270, damage=9))
    form = {"orders": {"a1": [{"targets": ["b1"]}]}}
    played = run_phase(table, shooting_phase, SHOOTING, {"shooting alpha": [form]})
    assert [(str(fail.why), fail.needless) for fail in fails(played.findings)] == [
        ("b1 was already out of play", True)
    ]
    assert not [happening for happening in happenings_in(played.findings) if isinstance(happening, Shot)]
