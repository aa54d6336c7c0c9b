"""T5.1, T5.4 Previews agree with the Movement Phase."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from titles.tanks.builders import a_data, a_piece, a_state, a_table, a_tank

from pbem.engine.rules.ask import Ask
from pbem.matches.players.foresight import ahead
from pbem.titles.tanks.movement.moves import carry_out
from pbem.titles.tanks.player.orders import Move, MoveOrder
from pbem.titles.tanks.player.words import write_leg
from pbem.titles.tanks.state import TanksState
from pbem.titles.tanks.title import TanksRules

ASK = Ask("alpha", "movement", "T1.1")
RULES = TanksRules(a_data())


def a_scene(*more) -> TanksState:
    return a_state(a_tank("a1", 2000, 2000), a_tank("b1", 8000, 2000, 270), pieces=more, phase="movement", turn=1)


def test_T5_1_a_move_is_foreseen_with_its_arrow_and_its_outline():
    """A Sherman at 200/200 mm moves east: its arrow goes from 213 to 363, and its centre to 392, heading east.

    Gung Ho makes its own move free (T9.5): b1 defends with 1 die, a1 with 1 + 1 for its speed.
    """
    found = RULES.preview(a_scene(), ASK, "a1: move 90")
    (leg,) = found["tanks"]["a1"]
    assert (leg["tail"], leg["tip"], leg["at"], leg["heading"]) == (
        ["213", "200"],
        ["363", "200"],
        ["392", "200"],
        90,
    )
    assert leg["outline"] == [["421", "187"], ["421", "213"], ["363", "213"], ["363", "187"]]
    assert (leg["stopped"], leg["off"], found["refused"]) == ("", False, [])
    assert list(map(str, found["said"])) == [
        "a1 ends at 39/20 cm facing east (90°).",
        "From there a1 could shoot at b1 (4 dice against 1).",
        "There a1 could be shot at by b1 (4 dice against 2).",
    ]


def test_T5_4_what_stops_a_move_is_named():
    """A preview names what stops a move: the building at x 3250, 290 short of which the tank's centre stops."""
    found = RULES.preview(a_scene(a_piece("building-1", 3500, 2000)), ASK, "a1: move 90 then move 180")
    first, second = found["tanks"]["a1"]
    assert (first["stopped"], first["rule"], first["at"]) == ("building-1", "T6.1", ["296", "200"])
    last = RULES.preview(a_scene(a_piece("building-1", 3500, 2000)), ASK, "a1: move 90")["said"]
    assert str(last[0]) == "a1 ends at 30/20 cm facing east (90°), stopped by building-1 (T6.1)."
    assert second["stopped"] == "" and str(found["said"][0]) == "building-1 stops move 1 of a1 at 30/20 cm (T6.1)."


def test_T5_4_a_move_off_the_table_is_shown_with_the_reason_against_it():
    found = RULES.preview(a_scene(), ASK, "a1: move 0")
    assert found["tanks"]["a1"][0]["off"] and list(map(str, found["refused"])) == ["a1: move 1 would leave the table"]
    assert found["tanks"]["a1"][0]["at"] == ["200", "-8"] and found["said"] == []


def test_T1_1_tactics_and_slips_are_foreseen_as_what_they_are():
    (own_way,) = RULES.preview(a_scene(), ASK, "a1: hunt")["said"]
    assert str(own_way) == "a1 finds its own way when its turn comes."
    (on_condition,) = RULES.preview(a_scene(), ASK, "a1: if b1 moved: hunt")["said"]
    assert str(on_condition) == "If b1 moved: a1 finds its own way when its turn comes."
    assert RULES.preview(a_scene(), ASK, "a1: moove 90")["refused"]
    assert RULES.preview(a_scene(), ASK, "a1: stay")["tanks"] == {"a1": []}


@given(
    way=st.integers(0, 359),
    face=st.sampled_from((0, 90, 180, 270)),
    leave=st.sampled_from(("left", "right", 0, 50)),
    wall=st.tuples(st.integers(1500, 7500), st.integers(1500, 7500)),
)
@settings(max_examples=40)
def test_T5_1_what_is_foreseen_comes_true_while_nothing_changes(way, face, leave, wall):
    pieces = [a_piece("building-1", *wall)] if abs(wall[0] - 4500) + abs(wall[1] - 4500) > 1200 else []
    table = a_table(a_tank("a1", 4500, 4500), pieces=pieces)
    move = Move(way, face, leave=leave)
    leg = RULES.preview(table.state, ASK, f"a1: move {write_leg(move)}")["tanks"]["a1"][0]
    carry_out(table, table.state.tanks["a1"], MoveOrder([move]))
    tank = table.state.tanks["a1"]
    assert [float(part) * 10 for part in leg["at"]] == [tank.at.x, tank.at.y] and leg["heading"] == tank.heading


def test_T5_1_receipts_say_where_orders_lead():
    said = ahead(RULES, a_scene(), ASK, "a1: move 90\n")
    assert str(said[0]) == "a1 ends at 39/20 cm facing east (90°)."
    assert ahead(RULES, a_scene(), None, "a1: move 90") == []
