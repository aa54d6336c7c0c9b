"""Films and summaries: which side controls which places, and the fate of every order line."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import GERMAN, RUSSIAN, a_table, driving, enter

from pbem.engine.rules.findings import happenings_in
from pbem.engine.rules.happenings import Control, Fail, Move
from pbem.engine.rules.watching import watch_step
from pbem.titles.aslsk.cards.scenario import Goal
from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.advance import advance
from pbem.titles.aslsk.movement.phase import amend_on_the_way, expenditure, next_mover, start_mover
from pbem.titles.aslsk.movement.waves import GoOn
from pbem.titles.aslsk.orders import AdvanceOrder, Leg, MoveOrder, Orders
from pbem.titles.aslsk.telling.sentences import TELLING
from pbem.titles.aslsk.victory import ControlWatch, take

T34, PZ4 = "russian-t34-85", "german-pz4h"


def shown(table, kind):
    return [one for one in happenings_in(table.findings) if isinstance(one, kind)]


def watched(table, change):
    """Play a step that makes one change, and return the changes of control that its findings show."""

    def step(_):
        change()
        return
        yield

    table.findings.clear()
    assert not list(watch_step(step, ControlWatch)(table))
    return shown(table, Control)


def a_contested_crossroads():
    table = a_table(
        {"g1": ("467", "A1"), "r1": ("447", "A9")},
        vehicles={"r2": (T34, "K6", 1)},
        goals=(Goal(GERMAN, "control", 1, hexes=("K5",)),),
    )
    table.state.control["K5"] = GERMAN
    return table


@pytest.mark.rule("def/control")
def test_2_a_tank_holds_a_place_only_while_it_is_alone_there_and_films_show_both():
    table = a_contested_crossroads()
    tank, squad = table.state.vehicles["r2"], table.state.units["g1"]
    assert watched(table, lambda: setattr(tank, "at", "K5")) == [Control("K5", RUSSIAN, GERMAN)]
    assert_rule(table.findings, "def/control", inputs={"place": "K5", "temporary": True}, result=RUSSIAN)
    assert watched(table, lambda: setattr(squad, "at", "K5")) == [Control("K5", GERMAN, RUSSIAN)]
    assert watched(table, lambda: setattr(squad, "at", "K4")) == [Control("K5", RUSSIAN, GERMAN)]
    assert watched(table, lambda: setattr(tank, "at", "K6")) == [Control("K5", GERMAN, RUSSIAN)]
    assert "reverts to the German side" in str(TELLING.tell(table.findings[-1]))
    assert watched(table, lambda: None) == []


@pytest.mark.rule("def/control")
def test_2_a_place_that_nobody_held_before_is_free_again_when_the_tank_has_left():
    table = a_contested_crossroads()
    table.state.control.clear()
    tank = table.state.vehicles["r2"]
    assert watched(table, lambda: setattr(tank, "at", "K5")) == [Control("K5", RUSSIAN, "")]
    assert watched(table, lambda: table.state.vehicles.pop("r2")) == [Control("K5", "", RUSSIAN)]
    assert_rule(table.findings, "def/control", inputs={"place": "K5"}, result="nobody")
    assert str(TELLING.tell(table.findings[-1])) == "2 No side controls K5 any longer."


@pytest.mark.rule("def/control")
def test_2_control_that_is_reported_where_it_changes_is_shown_once():
    table = a_contested_crossroads()
    assert watched(table, lambda: take(table, "K5", RUSSIAN)) == [Control("K5", RUSSIAN, GERMAN)]
    table.state.vehicles["r2"].at = "K5"
    table.state.control["K5"] = GERMAN
    assert watched(table, lambda: take(table, "K5", RUSSIAN)) == []  # the tank held it already
    assert_rule(table.findings, "def/control", inputs={"place": "K5"}, result=RUSSIAN)


def played(table, *moves):
    """Play a list of moves to its end, passing in every window."""
    table.state.sealed = {GERMAN: Orders(moves=moves), RUSSIAN: Orders()}
    table.then("next_mover", number=0)
    run(table)
    return table


def run(table):
    """Continue the Movement Phase, passing in every window."""
    while table.state.next is not None and table.state.next.name in ("next_mover", "expenditure"):
        step = {"next_mover": next_mover, "expenditure": expenditure}[table.state.next.name]
        going, answer = step(table, **table.state.next.args), None
        while True:
            try:
                asked = going.send(answer)
            except StopIteration:
                break
            answer = (None,) * len(getattr(asked, "asks", ())) or None


@pytest.mark.rule("4.0/drop-recover")
def test_4_0_a_move_that_only_drops_a_weapon_has_a_fate():
    table = a_table(
        {"g1": ("467", "E4"), "r1": ("447", "E9")}, weapons={"gw": ("german-lmg", "g1")}, phase="movement"
    )
    played(table, MoveOrder(("g1",), (Leg("drop", weapon="gw"),)))
    assert_rule(table.findings, "4.0/drop-recover", inputs={"unit": "g1", "weapon": "gw"}, result="dropped")
    assert shown(table, Move) == [Move("g1", (("E4", None),))]


@pytest.mark.rule("3.3.1/declaration")
def test_3_3_1_a_move_that_enters_hexes_is_not_shown_again_at_its_end():
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E9")}, phase="movement")
    played(table, MoveOrder(("g1",), enter("E5", "E6")))
    assert [one.path[-1][0] for one in shown(table, Move)] == ["E5", "E6"]
    assert_rule(table.findings, "3.3.1/declaration", inputs={"units": ["g1"], "at": "E6"}, result="ends its move")
    assert not shown(table, Fail)


def on_the_way():
    """Build a table on which two squads have moved to E5 together, where g1 was pinned and g2 continues."""
    table = a_table({"g1": ("467", "E4"), "g2": ("467", "E4"), "r1": ("447", "E12")}, phase="movement")
    order = MoveOrder(("g1", "g2"), enter("E5", "E6", "E7"))
    table.state.sealed = {GERMAN: Orders(moves=(order,)), RUSSIAN: Orders()}
    assert start_mover(table, order, 0)
    for unit in table.state.units.values():
        unit.at = "E5" if unit.seat == GERMAN else unit.at
    table.state.mover.units, table.state.mover.at = ["g2"], "E5"
    table.state.units["g1"].pinned = True
    return table


@pytest.mark.rule("3.3.1/declaration")
def test_by_mail_a_unit_that_has_ended_its_move_is_not_ordered_on_while_its_stack_goes_on():
    table = on_the_way()
    ask = GoOn.make_ask(GERMAN, subject="1.1")
    decision = GoOn(table.data, table.state, ask)
    wrong = Orders(moves=(MoveOrder(("g1",), enter("E6")),))
    assert_rule(list(decision.objections(wrong)), "3.3.1/declaration", why="g1 can no longer move in this phase")
    assert not list(decision.objections(Orders(moves=(MoveOrder(("g2",), enter("F5")),))))


@pytest.mark.rule("3.3.1/declaration")
def test_by_mail_whoever_a_rewritten_move_leaves_out_stays_and_reads_of_it():
    table = on_the_way()
    table.state.mover.units, table.state.units["g1"].pinned = ["g1", "g2"], False
    amend_on_the_way(table, Orders(moves=(MoveOrder(("g2",), enter("F5")),)))
    assert table.state.mover.units == ["g2"]
    assert [one.who for one in shown(table, Fail)] == ["g1"]
    assert_rule(table.findings, "3.3.1/declaration", result="carried out in part")


@pytest.mark.rule("4.4.2")
def test_4_4_2_a_unit_that_has_no_panzerfaust_tells_its_owner():
    table = a_table({"g1": ("467", "E7")}, vehicles={"r1": (T34, "E8", 1)}, date="1944-08", dice={"4.4.2": [5]})
    table.state.pf_left = {GERMAN: 3}
    fire(table, Attack(("g1",), "E8", how="pf", target="r1"))
    assert_rule(table.findings, "4.4.2", result="none")
    (fail,) = shown(table, Fail)
    assert (fail.order, str(fail.why), fail.rule) == (
        "g1 fire against r1 pf",
        "g1 has no Panzerfaust (rolled 5)",
        "4.4.2",
    )
    assert table.findings[-1].to == (GERMAN,)


@pytest.mark.rule("3.3.1/declaration")
def test_3_3_2_a_tank_that_only_opens_its_hatches_has_a_fate():
    table = a_table({"r9": ("447", "A1")}, vehicles={"g1": (PZ4, "E8", 1)}, phase="movement")
    played(table, MoveOrder(("g1",), (Leg("open"),)))
    assert table.state.vehicles["g1"].ce
    told = assert_rule(table.findings, "3.3.1/declaration", inputs={"units": ["g1"]}, result="ends its move")
    assert told.shows == (Move("g1", (("E8", 1),)),)


@pytest.mark.rule("3.3.2")
def test_3_3_2_a_rewritten_order_for_a_tank_that_is_out_of_action_fails_whatever_its_first_word_is():
    for leg in (Leg("open"), Leg("stop")):
        table = a_table({"r9": ("447", "A1")}, vehicles={"g1": (PZ4, "E8", 1)}, phase="movement")
        table.state.sealed = {GERMAN: Orders(moves=(MoveOrder(("g1",), (leg,)),)), RUSSIAN: Orders()}
        driving(table, "g1", ("E9", 2), ("E8", 2), over=True)
        table.then("expenditure")
        run(table)
        assert_rule(table.findings, "3.3.2", inputs={"why": ["g1 has already ended its Movement Phase"]})
        assert [one.who for one in shown(table, Fail)] == ["g1"]


@pytest.mark.rule("3.7/paatc")
def test_3_7_a_unit_that_does_not_dare_to_go_for_a_tank_tells_its_owner():
    table = a_table({"g1": ("467", "E7")}, vehicles={"r1": (T34, "E8", 1)}, phase="advance",
                    dice={"3.7/paatc": [4, 4]})  # fmt: skip
    advance(table, GERMAN, AdvanceOrder(("g1",), "E8"))
    assert_rule(table.findings, "3.7/paatc", inputs={"unit": "g1"}, result="pinned")
    (fail,) = shown(table, Fail)
    assert (fail.order, str(fail.why), fail.rule) == ("g1 advance E8", "g1 failed its task check", "3.7/paatc")


@pytest.mark.rule("4.4.2")
def test_4_4_2_a_leader_alone_tries_a_panzerfaust_with_2_more():
    table = a_table({"gl": ("g 9-1", "E7")}, vehicles={"r1": (T34, "E8", 1)}, date="1944-08",
                    dice={"4.4.2": [1], "3.2.4": [5, 6]})  # fmt: skip
    table.state.pf_left = {GERMAN: 3}
    fire(table, Attack(("gl",), "E8", how="pf", target="r1"))
    told = assert_rule(table.findings, "4.4.2", inputs={"unit": "gl"}, result="has one")
    assert [row["value"] for row in told.modifiers] == [2] and table.state.pf_left == {GERMAN: 2}
