"""Automatic answers in the advanced game: first the turn's plan, then the standing orders, clause by clause."""

from __future__ import annotations

from typing import Any

import pytest
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state, changed
from titles.panzer.air.flights import a_table as an_air_table
from titles.panzer.air.flights import over
from titles.panzer.artillery.test_observers import a_battery
from titles.panzer.asking import CHECKS, answers_of, usual_adjustments
from titles.panzer.fire.test_direct_fire_advanced import a_lorry
from titles.panzer.player.test_orders_advanced import SECTION, SQUAD, a_field, read
from titles.panzer.playing import begin

from pbem.engine.geometry.hexes import parse_hex
from pbem.engine.play.resolve import Mind
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal, each
from pbem.titles.panzer.close_combat.close_combat import check_assault
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.decisions.all_kinds import from_plan, from_standing_orders
from pbem.titles.panzer.fire.declarations import check_fire
from pbem.titles.panzer.player.plan import AdvancedPlan, AssaultWish, MarchWish, read_plan
from pbem.titles.panzer.player.prospects import as_ordered
from pbem.titles.panzer.player.standing_orders import STOCK, read_clause
from pbem.titles.panzer.player.standing_orders import check_standing_orders as check_doctrine
from pbem.titles.panzer.player.towards import facing_to, wants_cover
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Marker, PanzerState

FIRE = Ask("german", "fire", "4.4.1", about={"engaged": [], "aimed": {}})
ADJUST = Ask("german", "adjust", "6.8", default={})


def said(clause: str, data: PanzerData, view: PanzerState, ask: Ask) -> list[Any]:
    return list(answers_of(data, view, ask, read_clause(clause)))


def ordered(text: str) -> tuple[PanzerData, PanzerState, AdvancedPlan]:
    """Build the small battlefield with these orders placed."""
    data, view = a_field()
    orders = read(text)
    return data, as_ordered(view, "german", orders.answer), read_plan(orders.plan)


def test_6_6_7_2_riders_fire_with_their_carrier_at_the_target_that_they_were_given() -> None:
    data, state = a_lorry(command=Command.FIRE)
    ask = Ask("german", "fire", "4.4.1", about={"engaged": [], "aimed": {}})
    for fire in ({"g1": "b1", "g2": "b2"}, {"g2": "b2"}):
        plan = read_plan({"fire": {unit: {"aims": [{"targets": [target]}]} for unit, target in fire.items()}})
        answer = next(reply.answer for reply in from_plan(Situation(data, state), ask, plan))
        assert check_fire(Situation(data, state), ask, answer) == answer
        fired = {entry[0]: (entry[3] if len(entry) > 3 else answer["target"]) for entry in answer["firers"]}
        assert fired.items() >= fire.items() and "g1" in fired


def test_6_8_1_who_was_told_where_to_face_is_not_turned_by_standing_orders() -> None:
    data, view = a_field()
    turned = usual_adjustments(data, view, "german", ["pivot: nearest"])["pivot"]
    for unit in turned:
        view.vehicles[unit].faced = True
    assert "pivot" not in usual_adjustments(data, view, "german", ["pivot: nearest"])


# --- clauses ---------------------------------------------------------------------------------------------------


def test_standing_orders_have_one_form_and_the_stock_ones_are_in_it() -> None:
    assert check_doctrine(list(STOCK)) == list(STOCK)
    assert check_doctrine(["when fired at take cover"]) == check_doctrine(["When fired at: cover"])
    assert check_doctrine(["when fired at: cover"]) == ["when fired at: cover"]
    assert read_clause("when fired at: cover").word == read_clause("cover: under fire").word
    assert check_doctrine(["Assault: odds 3", "AA always", "cover under-fire", "g5 ow range<=6"]) == [
        "assault: odds 3", "anti-aircraft: always", "cover: under fire", "g5 overwatch: range <= 6 hit >= 30",
    ]  # fmt: skip


def test_every_clause_that_cannot_be_read_is_named() -> None:
    with pytest.raises(Refusal) as refused:
        check_doctrine(["missions: perhaps", "fire: best", "nonsense"])
    assert len(each(refused.value)) == 2


@pytest.mark.parametrize("clause", ["danger: best", "pivot: weakest", "aircraft: nearest", "spread: nearest"])
def test_a_word_that_would_change_nothing_is_refused_and_clauses_that_mean_something_proposed(clause: str) -> None:
    with pytest.raises(Refusal) as refused:
        check_doctrine([clause])
    assert refused.value.instead and check_doctrine(list(refused.value.instead)) == list(refused.value.instead)


# --- 4.4 fire ----------------------------------------------------------------------------------------------------


def test_4_4_1_planned_fire_goes_to_the_target_named_with_the_weapon_named() -> None:
    data, view, plan = ordered("g1 fire s2 with 1 gp\ng2 fire s1")
    replies = [reply.answer for reply in from_plan(Situation(data, view), FIRE, plan)]
    assert replies[0] == {"target": "s2", "firers": [["g1", 0, "gp"]]}
    assert {reply["target"] for reply in replies} == {"s1", "s2"}
    for reply in replies:
        CHECKS["fire"](data, view, FIRE, reply)


def test_4_4_1_units_that_wish_for_the_same_target_fire_together() -> None:
    data, view, plan = ordered("together g1 g2: fire s1")
    first = next(from_plan(Situation(data, view), FIRE, plan)).answer
    assert first["target"] == "s1" and [firer[0] for firer in first["firers"]] == ["g1", "g2"]


@pytest.mark.parametrize(("clause", "target"), [("fire: nearest", "s3"), ("fire: weakest", "s4")])
def test_4_4_1_standing_orders_choose_the_nearest_or_the_weakest(clause: str, target: str) -> None:
    """Standing orders choose between a T-34 three hexes away and a suppressed one farther off."""
    data = advanced_data()
    state = an_advanced_state(
        a_tank("g1", "C3", facing=3, command=Command.FIRE),
        a_tank("s3", "F5", "t34_76"),
        a_tank("s4", "J7", "t34_76", suppression=Marker.ON),
    )
    assert said(clause, data, state, FIRE)[0]["target"] == target


def test_4_4_2_overwatch_fires_only_under_its_conditions() -> None:
    ask = Ask("german", "overwatch", "4.4.2", subject="s1", about={"phase": "movement", "targets": ["s1"]})
    data, view, plan = ordered("g1 overwatch range<=2\ng2 overwatch hit>=1 only s1")
    first = next(from_plan(Situation(data, view), ask, plan)).answer
    assert [firer[0] for firer in first["firers"]] == ["g2"]
    data, view, plan = ordered("g1 overwatch range<=2\ng2 overwatch not s1")
    assert [reply.answer for reply in from_plan(Situation(data, view), ask, plan)] == [None]
    assert said("overwatch: never", data, view, ask) == [None]


def test_6_2_1_1_4_who_shares_an_overwatch_fires_with_the_one_whose_conditions_hold() -> None:
    ask = Ask("german", "overwatch", "4.4.2", subject="s1", about={"phase": "movement", "targets": ["s1"]})
    data, view, plan = ordered("g1 overwatch hit>=1\ng2 with g1 overwatch range<=1")
    first = next(from_plan(Situation(data, view), ask, plan)).answer
    assert [firer[0] for firer in first["firers"]] == ["g1", "g2"]
    CHECKS["overwatch"](data, view, ask, first)


# --- 6.5.1 missions ------------------------------------------------------------------------------------------------


def test_6_5_1_calls_are_made_as_ordered_or_by_standing_order_if_told() -> None:
    ask = Ask("german", "mission", "6.5.1.1")
    data, view, plan = ordered("g6 call gb1 at H5 open")
    call = next(from_plan(Situation(data, view), ask, plan)).answer
    assert CHECKS["mission"](data, view, ask, call)["point"] == "H5"
    assert said("missions: keep", data, view, ask) == []
    assert said("missions: never", data, view, ask) == [None]
    best = said("missions: call", data, view, ask)
    assert best and best[0]["observer"] == "g6"
    CHECKS["mission"](data, view, ask, best[0])


def test_6_5_1_a_call_that_would_endanger_friends_is_the_last_choice() -> None:
    """Of two targets, the one next to a friendly unit is chosen last."""
    data = advanced_data()
    state = an_advanced_state(
        a_leg("g1", "C3", SECTION, labels=("fo",), command=Command.OVERWATCH),
        a_leg("g2", "F5", SQUAD),
        a_leg("s1", "F6", "soviet_rifle_squad"),
        a_leg("s2", "L9", "soviet_rifle_squad"),
        batteries={"gb1": a_battery()},
        turn=1,
    )
    calls = said("missions: call", data, state, Ask("german", "mission", "6.5.1.1"))
    assert [call["point"] for call in calls] == ["L9"]


# --- 6.6 movement ------------------------------------------------------------------------------------------------


def test_6_6_a_move_goes_as_near_to_its_goal_as_it_can() -> None:
    """An enemy has moved into the goal in the meantime, so the unit ends next to it."""
    data, view, plan = ordered("g1 move E4")
    view.vehicles["s1"] = changed(view.vehicles["s1"], hex=place_of(a_tank("s1", "E4")))
    ask = Ask("german", "move", "6.6")
    legal = []
    for reply in from_plan(Situation(data, view), ask, plan):
        try:
            legal.append(CHECKS["move"](data, view, ask, reply.answer))
        except Refusal:
            continue
    assert legal[0]["unit"] == "g1" and legal[0]["steps"]
    assert legal[-1] is None


def test_6_6_7_1_1_passengers_get_off_a_vehicle_that_stays_once() -> None:
    data, view, plan = ordered("g5 dismount B6 face 2")
    ask = Ask("german", "move", "6.6")
    first = next(from_plan(Situation(data, view), ask, plan)).answer
    assert first == {"unit": "g4", "mode": "stay", "steps": ["dismount:g5:B6:2"]}
    view.vehicles["g5"] = changed(view.vehicles["g5"], aboard="")
    assert [reply.answer for reply in from_plan(Situation(data, view), ask, plan)] == [None]


def test_r_17_a_move_stops_once_fired_at_if_told_so() -> None:
    ask = Ask("german", "reroute", "4.5.1.1.5", subject="g1")
    data, view = a_field()
    plan = AdvancedPlan(move={"g1": MarchWish(acts=["f"], stop=True)})
    assert next(from_plan(Situation(data, view), ask, plan)).answer == {"steps": []}
    assert said("move: go on", data, view, ask) == []
    assert said("move: stop when hit", data, view, ask) == [{"steps": []}]
    assert said("when fired at: stop", data, view, ask) == [{"steps": []}]


def test_6_6_1_assaults_are_made_as_ordered_together() -> None:
    data, view, plan = ordered("g3 assault s2")
    ask = Ask("german", "assault", "6.6.1", about={"engaged": []})
    first = next(from_plan(Situation(data, view), ask, plan)).answer
    assert check_assault(Situation(data, view), ask, first) == {"target": "s2", "attackers": [["g3", ""]]}
    assert said("assault: never", data, view, ask) == [None]
    assert said("assault: odds 2", data, view, ask) == [None]
    assert said("assault: odds 1", data, view, ask)[0] == first
    gone = AdvancedPlan(assault={"g3": AssaultWish("s1")})
    assert list(from_plan(Situation(data, view), ask, gone)) == []


# --- 6.7 aircraft ------------------------------------------------------------


def test_6_7_4_guns_fire_at_once_when_near_or_never() -> None:
    gun = a_gun("g1", "C12", "flak36", facing=1, command=Command.OVERWATCH)
    table = an_air_table(gun)
    flight = over(table, "C9", tracked={"g1": 20}, altitude="low", speed="slow")
    near = Ask("german", "anti-aircraft", "6.7.4", subject="a1", about={"aircraft": "a1", "answering": False})
    always = said("anti-aircraft: always", table.data, table.state, near)
    assert always == [[["g1", 0]]]
    assert said("anti-aircraft: never", table.data, table.state, near) == [None]
    assert said("anti-aircraft: best", table.data, table.state, near) == always
    flight.hex = place_of(a_tank("g9", "C1"))
    answering = Ask("german", "anti-aircraft", "6.7.4", subject="a1", about={"aircraft": "a1", "answering": True})
    assert said("anti-aircraft: best", table.data, table.state, answering) in ([None], always)


def test_6_7_aircraft_fly_by_standing_order_only_if_told() -> None:
    table = an_air_table()
    ask = Ask("soviet", "flight", "6.4", about={"phase": 1, "aircraft": ["a1"]})
    assert said("aircraft: never", table.data, table.state, ask) == [None]
    flights = said("aircraft: best", table.data, table.state, ask)
    assert flights and CHECKS["flight"](table.data, table.state, ask, flights[0])


# --- small asks ------------------------------------------------------------


def test_4_4_3_2_2_a_counter_is_shown_when_it_matters() -> None:
    data, view, _ = ordered("g1 move")
    for default in (True, False):
        ask = Ask("german", "show", "4.4.3.2.2", subject="g1", default=default)
        assert said("show: matters", data, view, ask) == [default]
        assert said("show: always", data, view, ask) == [True]
        assert said("show: never", data, view, ask) == [False]
    hold = Ask("german", "show", "4.4.3.2.2", subject="g2", default=False)
    assert said("show: always", data, view, hold) == [False]


def test_6_5_2_angles_and_extra_hits() -> None:
    data, view = a_field()
    about = {"angles": ["front", "front_side"]}
    angle = Ask("german", "angle", "6.5.2.2", subject="g1", about=about, default="front")
    assert said("aspect: stronger", data, view, angle) == ["front"]
    assert said("aspect: rear", data, view, angle) == ["front_side"]
    plan = AdvancedPlan(aspect={"*": "rear"})
    assert next(from_plan(Situation(data, view), angle, plan)).answer == "front_side"
    spread = Ask("german", "spread", "6.5.2.1", about={"extra": 1, "targets": ["s1", "s2"]}, default=[])
    assert said("spread: best", data, view, spread) == [["s1"]]
    assert said("spread: never", data, view, spread) == [[]]


def test_6_5_1_12_fire_that_goes_astray_falls_where_the_enemy_stands_together() -> None:
    data, view = a_field()
    view.vehicles["s3"] = a_leg("s3", "G8", "soviet_rifle_squad")
    ask = Ask("german", "danger", "6.5.1.12", about={"friends": ["s1", "s2", "s3"]}, default="s1")
    assert said("danger: worst", data, view, ask) == ["s2"]
    view.vehicles["s3"].hex = view.vehicles["s1"].hex
    view.vehicles["s2"].hex = parse_hex("A1")
    assert said("danger: worst", data, view, ask) == ["s1"]
    assert said("danger: weakest", data, view, ask) == ["s2"]  # on foot


def test_6_5_2_6_1_those_who_bail_out_face_the_enemy() -> None:
    data, view = a_field()
    ask = Ask("german", "facing", "6.5.2.6.1", subject="g3", about={"units": {"g3": 5}}, default={"g3": 5})
    towards = facing_to(view.vehicles["g3"], [place_of(view.vehicles["s2"])])
    assert said("face: nearest", data, view, ask) == [{"g3": towards}]
    assert said("face: keep", data, view, ask) == []


def test_6_6_1_1_3_advance_after_combat() -> None:
    data, view = a_field()
    ask = Ask("german", "advance", "6.6.1.1.3", about={"units": ["g3"], "hex": "G8"}, default=[])
    assert said("advance: never", data, view, ask) == [[]]
    assert said("advance: always", data, view, ask) == [["g3"]]


# --- 6.8 adjustment ------------------------------------------------------------


def test_6_8_1_leg_units_and_guns_turn_to_the_nearest_enemy() -> None:
    data, view = a_field()
    turned = usual_adjustments(data, view, "german", ["pivot: nearest"])["pivot"]
    assert "g1" not in turned  # a tank does not pivot
    assert turned["g3"] == facing_to(view.vehicles["g3"], [place_of(view.vehicles["s2"])])
    assert usual_adjustments(data, view, "german", ["pivot: never"]) == {}
    CHECKS["adjust"](data, view, ADJUST, {"pivot": turned})


def test_6_8_2_cover_is_taken_under_fire_by_those_who_do_not_move() -> None:
    _, view, _ = ordered("g3 move\ng7 hold")
    for unit in ("g3", "g7"):
        view.vehicles[unit] = changed(view.vehicles[unit], under_fire=True)
    assert not wants_cover(view, view.vehicles["g3"], "under fire")
    assert wants_cover(view, view.vehicles["g7"], "under fire")
    assert not wants_cover(view, view.vehicles["g6"], "under fire")
    assert wants_cover(view, view.vehicles["g6"], "hold")
    assert not wants_cover(view, view.vehicles["g6"], "never")


@pytest.mark.rule("4.6", effect=True)
def test_6_8_what_the_orders_adjust_they_alone_decide() -> None:
    data, view, plan = ordered("g3 pivot 6")
    assert next(from_plan(Situation(data, view), ADJUST, plan)).answer == {"pivot": {"g3": 6}}
    assert list(from_plan(Situation(data, view), ADJUST, AdvancedPlan())) == []
    assert next(from_standing_orders(Situation(data, view), ADJUST, [])).answer["pivot"]


# --- a whole turn ------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["breach", "combined"])
def test_one_mail_a_turn_is_enough_and_every_answer_names_its_clause(scenario: str) -> None:
    """Both sides have only standing orders, so the players are asked for nothing but commands."""
    match = begin(scenario, "2024", "3")
    eager = ["missions: call", "aircraft: best", "assault: odds 1", "advance: always", "aa: always", *STOCK]
    while match.run.asks and match.run.state.turn <= 1:
        assert {ask.kind for ask in match.run.asks} <= {"plot", "deploy", "commands"}
        answers = {}
        for ask in match.run.asks:
            view = match.run.view(ask.seat)
            watch = "rest overwatch" if ask.kind == "commands" and scenario == "breach" else ""
            try:
                orders = match.rules.read(view, ask, watch)
            except Refusal:
                orders = match.rules.read(view, ask, "")
            answers[ask.seat] = match.rules.check(view, ask, orders.answer)
            match.minds[ask.seat] = Mind(orders.plan, eager)
        resolution = match.go_on(answers)
        for replies in resolution.autos[1:]:
            assert all(reply.source == "default" or reply.clause for reply in replies.values())
