"""Several seats on a side that are asked within a turn; each acts only with its own units."""

from __future__ import annotations

import pytest
from support.rules import failures
from titles.panzer.playing import Match

from pbem.engine.play.resolve import always_asked
from pbem.engine.play.run import Run
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import PUBLIC
from pbem.engine.rules.refusals import Refusal, each
from pbem.engine.rules.title import Plan, Reply, Submission
from pbem.titles.panzer.seats.acting import Acting, join_answers, only_of, units_in
from pbem.titles.panzer.seats.asking import settle
from pbem.titles.panzer.seats.rules import SeatedRules
from pbem.titles.panzer.title import Panzer
from pbem.titles.panzer.view import view_of
from pbem.tools.film_checks import fates

PZ, GE = "2nd-panzer-company", "5th-panzergrenadier-company"


@pytest.fixture(scope="module")
def rules() -> SeatedRules:
    title = Panzer()
    found = title.rules(title.freeze("collision", {"table": "formations"}))
    assert isinstance(found, SeatedRules)
    return found


@pytest.fixture
def match(rules: SeatedRules) -> Match:
    """A match in its first Movement Step of the German side, with a tank and a halftrack under Move."""
    match = Match(rules, "seats", Run(rules, rules.setup(())), always_asked)
    for _ in range(3):
        match.go_on()
    match.order(**{PZ: "pz1 move G8\npz2 move H8", GE: "ge2 move F10"})
    while {"move"} != {ask.kind for ask in match.run.asks if ask.seat in (PZ, GE)}:
        match.order(**{ask.seat: "second" if ask.kind == "initiative" else "done" for ask in match.run.asks})
    return match


def asked(match: Match) -> dict[str, str]:
    return {ask.seat: ask.kind for ask in match.run.asks}


def hold_fire(match: Match) -> None:
    """Hold fire with every unit that could fire at a mover."""
    while "overwatch" in asked(match).values():
        match.order(**dict.fromkeys(asked(match), "done"))


def at(match: Match, unit: str) -> str:
    return str(match.run.state.vehicles[unit].hex)


def test_every_seat_of_the_side_is_asked_for_its_own_units(match: Match, rules: SeatedRules) -> None:
    assert asked(match) == {PZ: "move", GE: "move"}
    ask = match.run.ask_of(GE)
    assert ask is not None
    form = rules.form(match.run.view(GE), ask)
    assert "ge2 move HEX" in form and "pz1" not in form
    assert "pz1" not in rules.roll_call(match.run.view(GE), ask)


def test_a_seat_cannot_move_units_of_another_and_learns_whose_they_are(match: Match, rules: SeatedRules) -> None:
    ask = match.run.ask_of(GE)
    assert ask is not None
    with pytest.raises(Refusal) as caught:
        rules.read(match.run.view(GE), ask, "pz1 move G8")
    said = [str(objection) for one in each(caught.value) for objection in one.objections]
    assert any("pz1 is ordered by 2nd Panzer Company" in line for line in said)


def test_both_seats_move_and_nobody_is_asked_twice_for_one_order(match: Match) -> None:
    start = {unit: at(match, unit) for unit in ("pz1", "ge2")}
    match.order(**{PZ: "pz1 move G8", GE: "ge2 move F10"})
    hold_fire(match)
    moved = fates(match.findings)
    assert {"pz1", "ge2"} <= moved
    assert asked(match) == {PZ: "move", GE: "move"}  # both have acted, and may go on
    assert all(at(match, unit) != start[unit] for unit in start)


def test_a_seat_that_is_done_is_not_asked_again_in_the_step(match: Match) -> None:
    match.order(**{PZ: "pz1 move G8", GE: "done"})
    hold_fire(match)
    assert asked(match) == {PZ: "move"}


def test_a_silent_seat_moves_by_its_orders_and_costs_the_side_nothing(match: Match) -> None:
    """One seat misses the deadline: its orders for this turn are carried out, and so is the chief's move."""
    match.order(**{PZ: "pz1 move G8"})
    hold_fire(match)
    assert asked(match) == {PZ: "move"}
    match.order(**{PZ: "done"})
    hold_fire(match)
    moved = fates(match.findings)
    assert {"pz1", "ge2"} <= moved


def test_a_chief_who_was_silent_in_the_step_stays_so_when_the_other_seats_are_silent_too(match: Match) -> None:
    """First the chief misses the deadline, and then every seat does, but the orders of the turn are carried out."""
    match.order(**{GE: "ge2 move F10"})
    hold_fire(match)
    assert asked(match) == {GE: "move"}
    match.order()
    hold_fire(match)
    moved = fates(match.findings)
    assert {"pz1", "ge2"} <= moved


def test_the_chief_may_act_for_a_silent_seat_and_not_for_one_that_answers(match: Match, rules: SeatedRules) -> None:
    state = match.run.state
    [ask] = [one for one in match.run.asks if one.seat == PZ]
    side = rules.side_ask(ask)
    move = rules.read(match.run.view(PZ), ask, "ge2 move F10").answer
    silent = Acting(rules.seating, rules.data, view_of(state, "german"), side, {PZ: move, GE: None})
    assert silent.answer()["unit"] == "ge2"
    present = Acting(rules.seating, rules.data, view_of(state, "german"), side, {PZ: move, GE: {"own": None}})
    assert present.answer() is None


def test_4_2_1_a_seat_reads_of_each_unit_why_its_answer_was_not_carried_out(match: Match, rules: SeatedRules) -> None:
    side = rules.side_ask(match.run.asks[0])
    too_far = {"own": {"unit": "ge2", "mode": "cross", "steps": ["f"] * 30}}
    acting = Acting(
        rules.seating, rules.data, view_of(match.run.state, "german"), side, {PZ: {"own": None}, GE: too_far}
    )
    settle(match.run.table, acting, acting.answer())
    told = match.run.table.findings[-1]
    assert told.to == (GE,) and [(who, order[:12]) for who, order, _ in failures([told])] == [("ge2", "ge2 move f f")]


def test_4_4_2_overwatch_at_another_target_is_not_dropped_without_a_word(match: Match, rules: SeatedRules) -> None:
    one = {"own": {"target": "tk1", "firers": [["pz1", 0, "ap:AP"]]}}
    other = {"own": {"target": "tk2", "firers": [["ge2", 0, "gp"]]}}
    ask = Ask("german", "overwatch", "4.4.2", about={"targets": ["tk1", "tk2"], "phase": "combat"})
    acting = Acting(rules.seating, rules.data, view_of(match.run.state, "german"), ask, {GE: other, PZ: one})
    acting.check = lambda answer: answer  # type: ignore[method-assign]
    assert acting.choose()["target"] == "tk2" and acting.dropped.keys() == {PZ}
    settle(match.run.table, acting, acting.choose())
    assert failures(match.run.table.findings[-1:])[0][:2] == ("pz1", "pz1 fire tk1 with 1 ap")


def test_what_stands_is_a_secret_of_the_side(match: Match, rules: SeatedRules) -> None:
    match.order(**{PZ: "pz1 move G8", GE: "done"})
    assert set(rules.view(match.run.state, GE).standing) <= {"german"}
    assert rules.view(match.run.state, PUBLIC).standing == {}
    assert "german" not in rules.view(match.run.state, "1st-tank-company").standing


@pytest.mark.rule("5.14", effect=True)
def test_fire_at_one_target_is_joined_and_at_another_waits(match: Match) -> None:
    one = {"target": "tk1", "firers": [["pz1", 0, "ap:AP"]]}
    other = {"target": "tk1", "firers": [["ge2", 0, "gp"]]}
    assert join_answers("fire", one, other) == {"target": "tk1", "firers": [["pz1", 0, "ap:AP"], ["ge2", 0, "gp"]]}
    assert join_answers("fire", one, {"target": "tk2", "firers": []}) is None
    both = {"target": "tk1", "firers": [["pz1", 0, "ap:AP"], ["ge2", 0, "gp", "tk3"]]}
    view = match.run.view(PZ)
    assert only_of("fire", view, both, {"ge2"}, chief=False) == {"target": "tk3", "firers": [["ge2", 0, "gp"]]}
    assert units_in("fire", view, both) == ["pz1", "ge2"]


def test_parts_of_answers_for_many_units_are_put_together() -> None:
    assert join_answers("adjust", {"pivot": {"a": 1}}, {"pivot": {"b": 2}, "cover": {"b": True}}) == {
        "pivot": {"a": 1, "b": 2},
        "cover": {"b": True},
    }
    assert join_answers("dischargers", ["a"], ["b"]) == ["a", "b"]
    assert join_answers("anti-aircraft", [["a", 0]], [["b", 1]]) == [["a", 0], ["b", 1]]


@pytest.mark.parametrize("kind", ["adjust", "dischargers", "hide", "sneak"])
def test_silence_is_said_as_nothing_and_every_seat_gets_a_form(match: Match, rules: SeatedRules, kind: str) -> None:
    nothing = [] if kind == "dischargers" else {}
    about = {"own": rules.seating.own(match.run.state, GE), "units": [], "start": False}
    ask = Ask(GE, kind, "6.8", about=about, default=nothing)
    view = match.run.view(GE)
    assert rules.restate(ask, Submission(None)).strip() == "done"
    assert "pz1" not in rules.form(view, ask)
    assert rules.read(view, ask, "done").answer == {"own": nothing}


# --- each seat's own standing orders -------------------------------------------------------------------------------


def watching(rules: SeatedRules, seat: str, own: list[str]) -> Ask:
    about = {"targets": ["tk1"], "movement": True, "own": own}
    return Ask(seat, "overwatch", "4.4.2", about=about)


def test_4_4_2_each_seat_s_standing_orders_govern_the_overwatch_of_its_own_units(rules: SeatedRules) -> None:
    """One seat never fires on overwatch, and the other fires at any target; neither decides for the other."""
    state = rules.setup(())
    state.turn = 1
    fires = {PZ: "pz1", GE: "ge2"}
    whole = {"target": "tk1", "firers": [["pz1", 0, "ap:AP"], ["ge2", 0, "gp"]]}
    for seat, unit in fires.items():
        ask = watching(rules, seat, [unit])
        assert rules.by_seat(ask)
        [reply] = rules.own_replies(state, ask, [Reply(whole, "overwatch: hit >= 1")])
        assert reply.answer == {"own": {**whole, "firers": [row for row in whole["firers"] if row[0] == unit]}}
        [passed] = rules.own_replies(state, ask, [Reply(None, "overwatch: never")])
        assert passed.answer is None, "a seat that passes by itself leaves the chief free to act for it"
        never = rules.compile_standing_orders(["overwatch: never"])
        assert [one.answer for one in rules.from_standing_orders(state, ask, never)] == [None]


def test_4_2_1_the_overwatch_conditions_of_one_seat_do_not_bind_another(rules: SeatedRules) -> None:
    state = rules.setup(())
    state.turn = state.joint_turn = 1
    state.joint = {"german": {"overwatch": {"pz1": {"hit": 80}}}}
    assert rules.own_plan(state, watching(rules, PZ, []), Plan()) == {"overwatch": {"pz1": {"hit": 80}}}
    assert rules.own_plan(state, watching(rules, GE, []), Plan()) == {}


def test_7_9_the_seats_orders_of_the_turn_before_fire_their_dischargers(rules: SeatedRules) -> None:
    state = rules.setup(())
    state.turn, state.joint_turn = 2, 1
    state.joint = {"german": {"discharge": ["pz1", "ge2"]}}
    ask = Ask(GE, "dischargers", "7.9", about={"units": ["pz1", "ge2"]}, default=[])
    assert rules.own_plan(state, ask, Plan()) == {"discharge": ["ge2"]}
    assert [one.answer for one in rules.from_plan(state, ask, Plan())] == [{"own": ["ge2"]}]
