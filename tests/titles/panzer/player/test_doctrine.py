"""Automatic answers from plans and standing orders."""

from __future__ import annotations

from typing import Any

import pytest
from titles.panzer.builders import a_board, a_data_set, a_state, a_vehicle
from titles.panzer.playing import Match, begin

from pbem.engine.geometry.hexes import parse_hex
from pbem.engine.play.resolve import ANSWERED, Mind
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Refusal, Refusals, Unreadable
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.decisions.all_kinds import from_plan, from_standing_orders
from pbem.titles.panzer.movement.movement_step import check_move
from pbem.titles.panzer.player.plan import AdvancedPlan as Plan
from pbem.titles.panzer.player.plan import Aim, FireWish, MarchWish, Sequence, WatchWish
from pbem.titles.panzer.player.standing_orders import STOCK
from pbem.titles.panzer.player.standing_orders import check_standing_orders as check_doctrine
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Damage, PanzerState, Spot, Unit

BOARD = a_board(columns=16, rows=10, links={"road": ["off5-A5-B5-C5-D5-E5-F5-G5-H5"]})
DATA: PanzerData = a_data_set(BOARD)


def a_view(*vehicles: Unit, **more: Any) -> PanzerState:
    return a_state(*vehicles, sides=("german", "soviet"), **more)


def firing(id: str, hex: str, command: Command = Command.FIRE) -> Unit:
    return a_vehicle(id, hex, "pz4h", facing=3, command=command)


def enemies() -> list[Unit]:
    return [a_vehicle("s1", "F5", "t34_76", facing=6), a_vehicle("s2", "H7", "t34_76", facing=6)]


def fire_ask(*engaged: str) -> Ask:
    return Ask("german", "fire", "4.4.1", about={"engaged": list(engaged)})


def answers(view: PanzerState, ask: Ask, plan: Plan) -> list[Any]:
    return [reply.answer for reply in from_plan(Situation(DATA, view), ask, plan)]


def told(view: PanzerState, ask: Ask, *clauses: str) -> list[Any]:
    return [reply.answer for reply in from_standing_orders(Situation(DATA, view), ask, clauses)]


# --- 4.4.1 fire ----------------------------------------------------------------------------------------------


def test_4_4_1_all_who_wish_for_a_target_fire_at_it_together() -> None:
    view = a_view(firing("g1", "B4"), firing("g2", "B5"), firing("g3", "B6"), *enemies())
    plan = Plan(fire={"g1": FireWish([Aim(["s2"])]), "g2": FireWish([Aim(["s1"])]), "g3": FireWish([Aim(["s2"])])})
    groups = answers(view, fire_ask(), plan)
    assert groups[0] == {"target": "s2", "firers": [["g1", 0, "ap"], ["g3", 0, "ap"]]}
    assert {"target": "s1", "firers": [["g2", 0, "ap"]]} in groups


def test_4_4_1_the_order_of_fire_is_the_players() -> None:
    view = a_view(firing("g1", "B4"), firing("g2", "B5"), *enemies())
    fire = {"g1": FireWish([Aim(["s1"])]), "g2": FireWish([Aim(["s2"])])}
    assert answers(view, fire_ask(), Plan(fire=fire))[0]["target"] == "s1"
    assert answers(view, fire_ask(), Plan(fire=fire, order=Sequence(fire=["g2", "g1"])))[0]["target"] == "s2"


def test_4_4_1_the_next_wish_counts_once_a_target_is_engaged_or_gone() -> None:
    view = a_view(firing("g1", "B4"), *enemies())
    plan = Plan(fire={"g1": FireWish([Aim(["s1", "s2"])])})
    assert answers(view, fire_ask("s1"), plan)[0] == {"target": "s2", "firers": [["g1", 0, "ap"]]}
    assert answers(view, fire_ask("s1", "s2"), plan) == []


def test_r_09_units_without_a_wish_join_if_the_target_is_their_best() -> None:
    view = a_view(firing("g1", "B4"), firing("g2", "B5"), *enemies())
    plan = Plan(fire={"g1": FireWish([Aim(["s1"])])})
    assert answers(view, fire_ask(), plan)[0] == {"target": "s1", "firers": [["g1", 0, "ap"], ["g2", 0, "ap"]]}


def test_4_4_1_a_weapon_wished_for_is_used_or_the_wish_passes() -> None:
    view = a_view(firing("g1", "B4"), *enemies())
    assert answers(view, fire_ask(), Plan(fire={"g1": FireWish([Aim(["s1"], weapon=7)])})) == []


@pytest.mark.parametrize(("preference", "target"), [("nearest", "s1"), ("weakest", "s2"), ("best", "s1")])
def test_4_4_1_standing_orders_choose_targets(preference: str, target: str) -> None:
    near, far = enemies()
    far.damage = Damage.WHOLE
    view = a_view(firing("g1", "B4"), near, far)
    assert told(view, fire_ask(), f"fire: {preference}")[0]["target"] == target


def test_4_4_3_2_the_best_shot_is_the_one_that_does_most() -> None:
    """A near target that the gun cannot penetrate is not the best one, although it is the easiest to hit."""
    weak = a_vehicle("g1", "C5", "pz4f1", facing=3, command=Command.FIRE)
    heavy = a_vehicle("s1", "E6", "t34_76", facing=6)
    light = a_vehicle("s2", "F4", "t70", facing=3)
    view = a_view(weak, heavy, light)
    assert told(view, fire_ask(), "fire: nearest")[0]["target"] == "s1"
    assert told(view, fire_ask(), "fire: best")[0]["target"] == "s2"


# --- 4.4.2 overwatch -----------------------------------------------------------------------------------------


def watch_ask(*targets: str) -> Ask:
    return Ask("german", "overwatch", "4.4.2", subject="s1", about={"targets": list(targets), "phase": "movement"})


def watching() -> PanzerState:
    """g1 and g2 are on overwatch; s1 moves at ranges 4 and 5, and s2 has fired at range 7."""
    mover, firer = enemies()
    mover.pending, firer.pending = Spot.MOVE, Spot.FIRE
    mover.command, mover.revealed = Command.MOVE, True
    return a_view(firing("g1", "B5", Command.OVERWATCH), firing("g2", "A4", Command.OVERWATCH), mover, firer)


def test_4_4_2_everybody_whose_conditions_hold_fires() -> None:
    plan = Plan(overwatch={"g1": WatchWish(hit=1), "g2": WatchWish(hit=1)})
    assert answers(watching(), watch_ask("s1"), plan)[0] == {
        "target": "s1",
        "firers": [["g1", 0, "ap"], ["g2", 0, "ap"]],
    }


@pytest.mark.parametrize(
    "wish",
    [WatchWish(range=3, hit=1), WatchWish(hit=95), WatchWish(hit=1, only=["s2"]), WatchWish(hit=1, but_not=["s1"])],
)
def test_4_4_2_nobody_fires_if_a_condition_fails(wish: WatchWish) -> None:
    """The plan decides to hold fire, so the standing orders are not used either."""
    assert answers(watching(), watch_ask("s1"), Plan(overwatch={"g1": wish, "g2": wish})) == [None]


def test_4_4_2_each_unit_has_its_own_conditions() -> None:
    plan = Plan(overwatch={"g1": WatchWish(hit=1, only=["s2"]), "g2": WatchWish(hit=1, range=5)})
    assert answers(watching(), watch_ask("s1"), plan)[0] == {"target": "s1", "firers": [["g2", 0, "ap"]]}


def test_4_4_2_standing_orders_for_overwatch() -> None:
    view = watching()
    near = told(view, watch_ask("s1"), "overwatch: range <= 4 and hit >= 1")
    assert near == [{"target": "s1", "firers": [["g1", 0, "ap"]]}]
    assert told(view, watch_ask("s1"), "overwatch: hit >= 99") == []
    assert told(view, watch_ask("s1"), "g2 overwatch: hit >= 1") == [{"target": "s1", "firers": [["g2", 0, "ap"]]}]
    assert told(view, watch_ask("s1"), "overwatch: never", "overwatch: hit >= 1")[0] is None


def test_4_4_2_standing_orders_may_use_names() -> None:
    view = watching()
    view.vehicles["g2"].name, view.vehicles["s1"].name = "PzIVH-2", "T34-1"
    fire = [{"target": "s1", "firers": [["g2", 0, "ap"]]}]
    assert told(view, watch_ask("s1"), "PzIVH-2 overwatch: hit >= 1") == fire
    assert told(view, watch_ask("s1"), "g2 overwatch: hit >= 1 only T34-1") == fire
    assert told(view, watch_ask("s1"), "overwatch: hit >= 1 not t34-1") == []
    assert told(view, watch_ask("s1"), "nobody overwatch: hit >= 1") == []
    assert told(view, watch_ask("s1"), "overwatch: hit >= 1 only nobody") == []


def test_4_4_2_the_first_clause_that_fits_is_used() -> None:
    firers = told(watching(), watch_ask("s1"), "overwatch: range <= 2 hit >= 1", "g1 overwatch hit >= 1")
    assert firers == [{"target": "s1", "firers": [["g1", 0, "ap"]]}]


# --- 4.4.3.2.2 show, 4.4.3.2.4 aspect, 4.3.1 initiative --------------------------------------------------------


def show_ask(now: int, then: int) -> Ask:
    return Ask(
        "german",
        "show",
        "4.4.3.2.2",
        subject="g1",
        about={"hit_numbers": [[now, then]], "firers": ["s1"]},
        default=then < now,
    )


@pytest.mark.parametrize(
    ("command", "show", "then", "claimed"),
    [
        (Command.MOVE, "always", 50, True),
        (Command.MOVE, "never", 40, False),
        (Command.MOVE, "matters", 40, True),
        (Command.SHORT_HALT, "matters", 50, False),
        (Command.OVERWATCH, "always", 40, False),
    ],
)
def test_4_4_3_2_2_when_a_counter_is_shown(command: Command, show: Any, then: int, claimed: bool) -> None:
    view = a_view(a_vehicle("g1", "B4", command=command), *enemies())
    assert answers(view, show_ask(50, then), Plan(show={"g1": show})) == [claimed]
    assert answers(view, show_ask(50, then), Plan(show={"*": show})) == [claimed]
    assert told(view, show_ask(50, then), f"show: {show}") == [claimed]


def test_4_4_3_2_2_what_is_said_of_one_unit_beats_what_is_said_of_all() -> None:
    view = a_view(a_vehicle("g1", "B4", command=Command.MOVE), *enemies())
    assert answers(view, show_ask(50, 40), Plan(show={"*": "always", "g1": "never"})) == [False]


def test_4_4_3_2_4_which_armour() -> None:
    ask = Ask("german", "angle", "4.4.3.2.4", subject="g1", about={"angles": ["front", "rear"]}, default="front")
    view = a_view(a_vehicle("g1", "B4"))
    assert answers(view, ask, Plan(aspect={"g1": "rear"})) == ["rear"]
    assert told(view, ask, "aspect: stronger") == ["front"]


def test_4_3_1_initiative() -> None:
    ask = Ask("german", "initiative", "4.3.1", default="first")
    assert answers(a_view(), ask, Plan(initiative="second")) == ["second"]
    assert answers(a_view(), ask, Plan()) == []
    assert told(a_view(), ask, "initiative: second") == ["second"]


# --- 4.5 movement --------------------------------------------------------------------------------------------


def moving(id: str, hex: str, command: Command = Command.MOVE, **more: Any) -> Unit:
    return a_vehicle(id, hex, "pz4h", facing=3, command=command, **more)


MOVE = Ask("german", "move", "4.5.1.1")


def first_move(view: PanzerState, wish: MarchWish) -> dict[str, Any]:
    answer = answers(view, MOVE, Plan(move={"g1": wish}))[0]
    checked: dict[str, Any] = check_move(Situation(DATA, view), MOVE, answer)
    return checked


def test_4_5_1_units_move_in_the_order_wished_and_then_the_side_is_done() -> None:
    view = a_view(moving("g1", "B2"), moving("g2", "B8"))
    plan = Plan(
        move={"g1": MarchWish(acts=["to:C2"]), "g2": MarchWish(acts=["to:C8"])}, order=Sequence(move=["g2", "g1"])
    )
    replies = answers(view, MOVE, plan)
    assert [reply["unit"] for reply in replies if reply] == sorted((r["unit"] for r in replies if r), reverse=True)
    assert replies[-1] is None
    view.vehicles["g2"].moved = True
    assert answers(view, MOVE, plan)[0]["unit"] == "g1"


def test_4_5_1_1_the_way_to_a_goal_is_found_when_the_move_is_made() -> None:
    """Although damaged since the order was given, the vehicle gets as close to its goal as it still can."""
    wish = MarchWish(acts=["to:E5", "turn:3"])
    assert first_move(a_view(moving("g1", "B4")), wish)["steps"] == ["f", "f", "f"]
    assert first_move(a_view(moving("g1", "B4", damaged=True)), wish)["steps"] == ["f", "f"]


def test_4_5_1_1_10_a_goal_taken_by_an_enemy_is_approached() -> None:
    view = a_view(moving("g1", "B4"), a_vehicle("s1", "D5", "t34_76"))
    move = first_move(view, MarchWish(acts=["to:D5"]))
    assert move["steps"] == ["f"]


def test_4_5_1_1_4_the_goal_matters_more_than_the_facing() -> None:
    view = a_view(moving("g1", "B4", Command.SHORT_HALT))
    move = first_move(view, MarchWish(acts=["to:D5", "turn:6"]))
    assert move["steps"].count("f") == 2


def test_4_5_1_1_5_a_road_that_was_closed_is_left_for_open_country() -> None:
    view = a_view(moving("g1", "B5"), a_vehicle("g2", "A9"))
    assert first_move(view, MarchWish(mode="road", acts=["to:D5"]))["mode"] == "road"
    closed = a_view(moving("g1", "B5"), a_vehicle("s1", "C5", "t34_76"))
    assert first_move(closed, MarchWish(mode="road", acts=["to:D5"]))["mode"] == "cross"


def test_4_5_1_1_steps_that_became_illegal_are_done_as_far_as_possible() -> None:
    view = a_view(moving("g1", "B4"), a_vehicle("s1", "D5", "t34_76"))
    replies = answers(view, MOVE, Plan(move={"g1": MarchWish(acts=["f", "f"])}))
    assert [reply["steps"] for reply in replies if reply] == [["f"], ["f"], []]


def test_4_5_1_1_9_exit_prefers_an_edge_that_earns_points() -> None:
    view = a_view(moving("g1", "A1"))
    assert answers(view, MOVE, Plan(move={"g1": MarchWish(acts=["leave:west"])}))[0]["steps"][-1].startswith("exit")
    assert answers(view, MOVE, Plan(move={"g1": MarchWish(acts=["leave:east"])}))[0]["steps"] == []


def test_4_5_1_units_without_a_move_command_are_passed_over() -> None:
    view = a_view(moving("g1", "B4", Command.FIRE))
    assert answers(view, MOVE, Plan(move={"g1": MarchWish(acts=["to:C4"])})) == [None]


def test_r_17_stop_when_hit() -> None:
    ask = Ask("german", "reroute", "4.5.1.1.5", subject="g1")
    view = a_view(moving("g1", "B4"))
    assert answers(view, ask, Plan(move={"g1": MarchWish(acts=["to:D5"], stop=True)})) == [{"steps": []}]
    assert answers(view, ask, Plan(move={"g1": MarchWish(acts=["to:D5"])})) == []
    assert told(view, ask, "move: stop when hit") == [{"steps": []}]
    assert told(view, ask, "move: go on") == []


def test_r_17_when_fired_at() -> None:
    """A unit told to go on is not asked again; the clauses are read and kept in a standard form."""
    ask = Ask("german", "reroute", "4.5.1.1.5", subject="g1")
    view = a_view(moving("g1", "B4"))
    assert told(view, ask, "When fired at: stop") == [{"steps": []}]
    assert told(view, ask, "when fired at, go on") == []
    said = ["when fired upon: stop.", "if shot at go on", "when fired at show never", "When fired at - aspect: front"]
    assert check_doctrine(said) == [
        "when fired at: stop",
        "when fired at: go on",
        "when fired at: show never",
        "when fired at: aspect front",
    ]
    assert check_doctrine(check_doctrine(said)) == check_doctrine(said)
    with pytest.raises(Refusal, match=r"unexpected “hide” after “when fired at:” \(position 16\); expected"):
        check_doctrine(["when fired at: hide"])


# --- clauses -------------------------------------------------------------------------------------------------


def test_standing_orders_have_a_canonical_form() -> None:
    written = ["Overwatch: hit>=40, range 8", "FIRE  nearest", "show if it matters"]
    written += ["Go first", "move: press on", "ow never"]
    assert check_doctrine(written) == [
        "overwatch: range <= 8 hit >= 40",
        "fire: nearest",
        "show: matters",
        "initiative: first",
        "move: go on",
        "overwatch: never",
    ]
    assert check_doctrine(check_doctrine(written)) == check_doctrine(written)


def test_the_stock_orders_are_canonical() -> None:
    assert check_doctrine(list(STOCK)) == list(STOCK)


def test_standing_orders_that_cannot_be_read_are_refused_together() -> None:
    with pytest.raises(Refusals) as refused:
        check_doctrine(["fire: farthest", "show: matters", "dance"])
    assert [bad.line for bad in refused.value.refusals] == ["fire: farthest", "dance"]
    for wrong in ("fire: best", {"fire": "best"}, [3]):
        with pytest.raises(Unreadable):
            check_doctrine(wrong)


def test_a_seat_without_standing_orders_has_the_stock_ones() -> None:
    view = a_view(firing("g1", "B4"), *enemies())
    assert told(view, fire_ask()) == told(view, fire_ask(), *STOCK)


# --- in play -------------------------------------------------------------------------------------------------


def test_a_plan_is_carried_out_in_a_whole_turn() -> None:
    match = begin("duel", seed="plan")
    match.order(
        german="ge1 fire br1\nge2 short-halt br3, reverse\nge3 move G8\nge4 overwatch hit >= 1\nsecond",
        british="rest move",
    )
    state = match.run.state
    assert state.turn == 2
    sources = {finding.inputs["kind"]: finding.inputs["source"] for finding in answered(match, "german")}
    assert sources["fire"] == sources["move"] == "plan"
    if state.vehicles["ge3"].alive:
        assert state.vehicles["ge3"].hex == parse_hex("G8")


def test_doctrine_answers_where_the_plan_is_silent() -> None:
    match = begin("duel", seed="doctrine")
    match.minds["german"] = Mind({}, ["fire: nearest", "initiative: second"])
    match.order(german="rest fire", british="rest hold")
    assert "fire: nearest" in [finding.inputs["clause"] for finding in answered(match, "german")]


def answered(match: Match, seat: str) -> list[Finding]:
    return [finding for finding in match.findings if finding.rule == ANSWERED and finding.to == (seat,)]


def test_4_2_1_a_silent_seat_holds_and_the_turn_goes_on() -> None:
    match = begin("duel", seed="silent")
    match.order(british="rest hold")
    assert match.run.state.turn == 2
    assert all(vehicle.spot is Spot.NONE for vehicle in match.run.state.of("german"))
