"""T5 Movement: worked examples with their arithmetic. Lengths are tenths of a millimetre, the arrow is 1500."""

from __future__ import annotations

import pytest
from support.rules import assert_rule, every
from titles.tanks.builders import (
    a_data,
    a_piece,
    a_state,
    a_table,
    a_tank,
    check,
    from_plan,
    read,
    restate,
    run_movement,
    run_phase,
    run_step,
)

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.titles.tanks.ground.sighting import can_see
from pbem.titles.tanks.movement.moves import STANDSTILL, allowance, carry_out, journey
from pbem.titles.tanks.movement.phase import move_next, movement_phase, order_for
from pbem.titles.tanks.player.orders import Move, MovementForm, MoveOrder, plain, read_as
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Status

ASK = Ask("alpha", "movement", "T1.1")


def moved(table, tank_id: str, *moves: Move, use: list[str] | None = None):
    carry_out(table, table.state.tanks[tank_id], MoveOrder(list(moves), [], use or []))
    return table.state.tanks[tank_id]


@pytest.mark.rule("T5.1")
@pytest.mark.parametrize(
    "way, face, place, heading",
    [
        (90, 0, (3920, 2000), 90),
        (90, 90, (3760, 2000), 180),
        (0, 180, (2000, -80), 180),
        (45, 0, (3396, 604), 45),
        (45, 270, (3283, 717), 315),
    ],
)
def test_T5_1_one_arrow_from_edge_to_edge(way, face, place, heading):
    """A Sherman (290 by 130 from its centre) is at 2000/2000, heading north.

    A move east is 130 from its side + 1500 + its half length 290 = 1920. The same turned right: 130 + 1500 + 130 =
    1760. North: 290 + 1500 + 290 = 2080. North-east: the arrow leaves its side 130 / 0.707107 = 183.8 from the
    centre; 183.8 + 1500 + 290 = 1973.8, times 0.707107 = 1395.7, rounded 1396; with 130 for the half width 1282.6, so
    1283.
    """
    table = a_table(a_tank("a1", 2000, 2000))
    tank = moved(table, "a1", Move(way, face))
    assert (tuple(tank.at), tank.heading) == (place, heading)
    assert_rule(table.findings, "T5.1", inputs={"tank": "a1", "way": way, "heading": heading}, result=list(place))


@pytest.mark.rule("T5.1")
def test_T5_1_a_facing_is_square_to_the_arrow():
    with pytest.raises(Refusal) as refused:
        check(
            a_data(),
            a_state(a_tank("a1", 4500, 4500)),
            ASK,
            {"orders": {"a1": [{"moves": [{"way": 10, "face": 45}]}]}},
        )
    assert_rule(refused.value, "T5.1")


def test_T5_1_towards_a_tank_and_the_nearest_square_facing():
    """b1 is due east of a1, so `toward b1` is 90; on a move north, the square facing nearest to east is right."""
    state = a_state(a_tank("a1", 2000, 4500), a_tank("b1", 8000, 4500, 270))
    (first,) = journey(Situation(a_data(), state), state.tanks["a1"], [Move("toward b1", "toward b1")])
    assert (tuple(first.at), first.heading) == ((3920, 4500), 90)
    (second,) = journey(Situation(a_data(), state), state.tanks["a1"], [Move(0, "bearing 80")])
    assert second.heading == 90


@pytest.mark.rule("T5.2")
def test_T5_2_two_moves_a_turn():
    state = a_state(a_tank("a1", 4500, 8000))
    two = {"orders": {"a1": [{"moves": [{"way": 0}, {"way": 90}]}]}}
    assert check(a_data(), state, ASK, two) == two
    with pytest.raises(Refusal) as refused:
        check(a_data(), state, ASK, {"orders": {"a1": [{"moves": [{"way": 0}] * 3}]}})
    assert_rule(refused.value, "T5.2", why="the order has 3 moves; the tank can make 2")


@pytest.mark.rule("T5.3", "T2.5")
def test_T5_3_the_speed_token_counts_the_moves():
    table = a_table(a_tank("a1", 4500, 8000), a_tank("a2", 2000, 8000))
    assert moved(table, "a1", Move(0), Move(0)).speed == 2
    assert_rule(table.findings, "T5.3", inputs={"tank": "a1", "stationary": False}, result=2)
    assert_rule(table.findings, "T2.5", inputs={"tank": "a1", "token": "speed"}, result=2)
    assert moved(table, "a2").stationary
    assert_rule(table.findings, "T5.3", inputs={"tank": "a2", "stationary": True}, result=0)


@pytest.mark.rule("T5.3")
@pytest.mark.parametrize(("switches", "speed"), [((STANDSTILL,), 0), ((), 1)])
def test_T5_3_a_move_that_goes_nowhere_is_none_unless_the_match_began_before_the_correction(switches, speed):
    """The tank's front touches the building's west side at x 3250, so a move towards it goes nowhere."""
    table = a_table(a_tank("a1", 2960, 2000, heading=90), pieces=[a_piece("building-1", 3500, 2000)])
    table.state.switches = switches
    assert moved(table, "a1", Move(90)).speed == speed
    assert_rule(table.findings, "T5.3", inputs={"tank": "a1"}, result=speed)


@pytest.mark.rule("T5.4", "T6.3")
def test_T5_4_a_move_stops_where_the_arrow_reaches_impassable_ground():
    """The ground at 4000/2000 extends 300 to the west, so its west side is at x 3700.

    From 2000 the Sherman's front gets to 3700 and its centre to 3700 - 290 = 3410. The shortened move gives speed 1.
    """
    table = a_table(a_tank("a1", 2000, 2000), pieces=[a_piece("impassable-1", 4000, 2000)])
    tank = moved(table, "a1", Move(90))
    assert (tuple(tank.at), tank.heading, tank.speed) == ((3410, 2000), 90, 1)
    assert_rule(table.findings, "T5.4", inputs={"by": "impassable-1"}, result=[3410, 2000])
    assert_rule(table.findings, "T6.3", inputs={"by": "impassable-1"}, result="impassable")


@pytest.mark.rule("T5.4")
def test_T5_4_a_move_may_not_end_in_impassable_ground():
    """The arrow east from 2000/2000 ends at x 3630 and passes north of the ground, whose north side is at y 2100.

    At 3920 the hull (y 1870 to 2130, x 3630 to 4210) would overlap the ground from x 3700 onwards. So it is set down
    short of it, with its front at 3700 and its centre at 3410.
    """
    table = a_table(a_tank("a1", 2000, 2000), pieces=[a_piece("impassable-1", 4000, 2550)])
    tank = moved(table, "a1", Move(90))
    assert tuple(tank.at) == (3410, 2000)
    assert_rule(table.findings, "T5.4", result=[3410, 2000])


@pytest.mark.rule("T5.4")
def test_T5_4_nobody_leaves_the_table():
    """A move north from y 2000 would end at 2000 - 2080 = -80, with the hull off the table, so it is refused."""
    with pytest.raises(Refusal) as refused:
        check(a_data(), a_state(a_tank("a1", 2000, 2000)), ASK, {"orders": {"a1": [{"moves": [{"way": 0}]}]}})
    assert_rule(refused.value, "T5.4", why="move 1 would leave the table")
    assert refused.value.instead


@pytest.mark.rule("T5.5", "T6.1")
def test_T5_5_a_building_stops_a_move():
    """A building at 3500/2000 has its west side at x 3250, so the centre stops at 3250 - 290 = 2960."""
    table = a_table(a_tank("a1", 2000, 2000), pieces=[a_piece("building-1", 3500, 2000)])
    assert tuple(moved(table, "a1", Move(90)).at) == (2960, 2000)
    assert_rule(table.findings, "T5.5", inputs={"by": "building-1"}, result=[2960, 2000])
    assert_rule(table.findings, "T6.1", result="impassable")


@pytest.mark.rule("T5.5", "T6.4")
def test_T5_5_a_wreck_stops_a_move():
    """A wrecked Panzer IV heading north at 3500/2000 has its west side at x 3355; the centre stops at 3065."""
    table = a_table(a_tank("a1", 2000, 2000), a_tank("b1", 3500, 2000, status=Status.WRECK))
    assert tuple(moved(table, "a1", Move(90)).at) == (3065, 2000)
    assert_rule(table.findings, "T5.5", inputs={"by": "b1"})
    assert_rule(table.findings, "T6.4", inputs={"by": "b1"}, result="impassable")


@pytest.mark.rule("T5.4")
def test_T5_4_a_live_tank_stops_a_move_too():
    """By the ruling on tanks in the way, the centre stops at the same 3065, and the finding cites T5.4."""
    table = a_table(a_tank("a1", 2000, 2000), a_tank("b1", 3500, 2000))
    assert tuple(moved(table, "a1", Move(90)).at) == (3065, 2000)
    assert_rule(table.findings, "T5.4", inputs={"by": "b1"})


@pytest.mark.rule("T5.5", "T6.2")
def test_T5_5_a_wood_hinders_nobody():
    """The tank drives straight through a wood at 3000/2000 and into another, to 3920 as on open ground."""
    woods = [a_piece("wood-1", 3000, 2000), a_piece("wood-2", 4100, 2000)]
    table = a_table(
        a_tank("a1", 2000, 2000), a_tank("a2", 2000, 6000), pieces=[*woods, a_piece("building-1", 3500, 6000)]
    )
    assert tuple(moved(table, "a1", Move(90)).at) == (3920, 2000)
    assert_rule(table.findings, "T6.2", inputs={"wood": "wood-2"}, result="free to move")
    assert [each.inputs["wood"] for each in every(table.findings) if each.rule == "T6.2"] == ["wood-2"]
    moved(table, "a2", Move(90))
    assert_rule(table.findings, "T5.5", inputs={"by": "building-1"})


def test_T5_3_a_tank_without_room_stays_as_it_is_and_has_not_moved():
    """The tank's front touches the wall: both its front (1990 - 290) and the building's south side are at y 1700."""
    table = a_table(a_tank("a1", 2000, 1990), pieces=[a_piece("building-1", 2000, 1400)])
    tank = moved(table, "a1", Move(0))
    assert (tuple(tank.at), tank.heading, tank.speed) == ((2000, 1990), 0, 0) and tank.stationary


def test_T5_2_criticals_take_moves():
    data = a_data()
    assert allowance(data, a_tank("a1", 0, 0, criticals=["damaged-engine"])) == 1
    assert allowance(data, a_tank("a1", 0, 0, criticals=["busted-track"])) == 0
    ask = Ask("alpha", "move", "T1.1", subject="a1")
    with pytest.raises(Refusal) as refused:
        check(data, a_state(a_tank("a1", 4500, 4500, criticals=["busted-track"])), ask, {"moves": [{"way": 0}]})
    assert [objection.rule for objection in refused.value.objections] == ["T2.3"]


def test_T5_2_a_supercharger_is_spent_on_a_third_move():
    table = a_table(a_tank("a1", 4500, 8000, cards=["supercharger"]))
    tank = moved(table, "a1", Move(0), Move(0), Move(0), use=["supercharger"])
    assert tank.speed == 3 and tank.cards[0].gone


@pytest.mark.rule("T2.4")
@pytest.mark.parametrize("card", ["sandbags", "arrowhead", "nonsense"])
def test_T2_4_only_a_card_of_its_own_that_helps_it_to_move_is_used_for_a_move(card):
    """a1 holds Sandbags, which do not help it to move, and it holds no Arrowhead Rounds."""
    ask = Ask("alpha", "move", "T1.1", subject="a1")
    state = a_state(a_tank("a1", 4500, 8000, cards=["sandbags", "supercharger"]))
    with pytest.raises(Refusal) as refused:
        check(a_data(), state, ask, {"moves": [{"way": 0}], "use": [card]})
    assert_rule(refused.value, "T2.4", why=f"{card} is not a card that helps a1 to move")
    assert check(a_data(), state, ask, {"moves": [{"way": 0}], "use": ["supercharger"]})


def test_T2_2_richards_moves_before_all_others_without_a_token():
    """The move by Richards' card comes before the StuG's turn and does not add to speed."""
    table = a_table(a_tank("a1", 4500, 8000, cards=["richards"]), a_tank("b1", 4500, 1000, 180, "stug-g"))
    played = run_phase(
        table, movement_phase, {"move_next": move_next}, {"movement alpha": [{"early": {"a1": {"way": 0}}}]}
    )
    assert next(finding.rule for finding in played.findings if finding.rule in ("T5.1", "T5.3")) == "T5.1"
    assert (tuple(table.state.tanks["a1"].at), table.state.tanks["a1"].speed) == ((4500, 5920), 0)


# --- forms and conditions ------------------------------------------------------------------------------------


def order(*moves: int, **when):
    return {"moves": [{"way": way} for way in moves], **({"when": [when]} if when else {})}


def test_T1_1_the_first_alternative_that_holds_is_carried_out():
    """The StuG (3) moves before the Sherman (6), so the Sherman's condition `b1 moved` holds when its turn comes."""
    form = {"orders": {"a1": [order(90, what="moved", units=["b1"]), order(270)]}}
    for enemy, x in (({"orders": {"b1": [order(90)]}}, 4500 + 1920), ({}, 4500 - 1920)):
        table = a_table(a_tank("a1", 4500, 8000), a_tank("b1", 4500, 1000, 180, "stug-g"))
        run_phase(
            table, movement_phase, {"move_next": move_next}, {"movement alpha": [form], "movement bravo": [enemy]}
        )
        assert table.state.tanks["a1"].at.x == x


def test_T1_1_orders_are_asked_for_once_and_together():
    table = a_table(a_tank("a1", 4500, 8000), a_tank("b1", 4500, 1000, 180))
    played = run_movement(table)
    assert [(ask.kind, ask.seat, ask.grade == "order") for ask in played.asks] == [
        ("movement", "alpha", True),
        ("movement", "bravo", True),
        ("initiative", "alpha", False),
        ("initiative", "bravo", False),
        ("move", "bravo", False),  # a window that makes no player wait
        ("move", "alpha", False),
    ]


@pytest.mark.rule("T1.1")
def test_T1_1_an_order_that_has_become_impossible_is_announced_and_asked_again():
    """Two moves west from x 2500 would end at 2500 - 2 x 2080, off the table.

    Orders are checked when given; this order became impossible because a1 should have been elsewhere by then.
    """
    table = a_table(
        a_tank("a1", 2500, 8000, 270), orders={"alpha": {"orders": {"a1": [order(270, 270)]}}, "bravo": {}}
    )
    played = run_step(table, order_for(table, table.state.tanks["a1"]), {"move": [{"moves": []}]})
    assert_rule(played.findings, "T1.1", inputs={"tank": "a1"}, result="not possible")
    everybody, owner = (finding for finding in played.findings if finding.result == "not possible")
    assert everybody.to is None and everybody.inputs == {"tank": "a1"} and not everybody.children
    assert owner.to == ("alpha",) and owner.inputs["order"] and [why.rule for why in owner.children] == ["T5.4"]
    assert [(ask.kind, ask.subject, ask.grade == "order") for ask in played.asks] == [("move", "a1", True)]
    assert plain(played.result) == [{}, False]


def test_T1_1_at_the_pace_of_tanks_every_tank_is_asked_in_its_turn():
    table = a_table(a_tank("a1", 4500, 8000), a_tank("b1", 4500, 1000, 180), scenario={"pace": "tank"})
    played = run_movement(table, {"move b1": [order(180)]})
    assert [ask.subject for ask in played.asked("move")] == ["b1", "a1"]
    assert table.state.tanks["b1"].speed == 1


@pytest.mark.rule("T1.3")
def test_T1_3_at_the_pace_of_tanks_the_owner_still_chooses_among_equals():
    """Two Shermans have initiative 6; the form before the phase gives their sequence, but no orders for the tanks."""
    shermans = a_tank("a1", 3000, 8000), a_tank("a2", 6000, 8000), a_tank("b1", 4500, 1000, 180)
    table = a_table(*shermans, scenario={"pace": "tank"})
    form = {"movement alpha": [{"sequence": ["a2", "a1"]}]}
    played = run_movement(table, form)
    assert [ask.subject for ask in played.asked("move")] == ["b1", "a2", "a1"]
    assert_rule(played.findings, "T1.3", inputs={"tanks": ["a2", "a1"]}, result="the owner chooses")
    with pytest.raises(Refusal) as refused:
        check(table.data, table.state, ASK, {"orders": {"a1": [order(0)]}})
    assert_rule(refused.value, "T1.1")


@pytest.mark.parametrize("cards, friend, waits", [([], False, False), (["sandbags"], False, True), ([], True, True)])
def test_T2_4_the_form_at_the_pace_of_tanks_waits_by_what_everybody_sees(cards, friend, waits):
    """Two lone tanks without cards have no decisions; a face-down card or a tie may give them one."""
    tanks = [a_tank("a1", 3000, 8000), a_tank("b1", 4500, 1000, 180, cards=cards)]
    table = a_table(*tanks, *([a_tank("a2", 6000, 8000)] if friend else []), scenario={"pace": "tank"})
    played = run_step(table, movement_phase(table))
    assert {ask.grade == "order" for ask in played.asked("movement")} == {waits}


# --- tactics -------------------------------------------------------------------------------------------------


def worked_out(table, tank_id: str):
    """Return the answer to the window of a tank's turn."""
    (ask,) = run_step(table, order_for(table, table.state.tanks[tank_id])).asked("move")
    assert ask.grade != "order"
    return [reply.answer for reply in from_plan(table.data, table.state, ask)]


def test_T1_1_a_tactic_is_worked_out_when_the_turn_comes():
    """A wall of two buildings is between the tanks.

    While b1 is behind it, a1 drives round it; when b1 is in the open to the west, a1 stays and shoots with a reroll.
    """
    walls = [a_piece("building-1", 4500, 5000), a_piece("building-2", 5000, 5000)]
    sealed = {"alpha": {"orders": {"a1": [{"tactic": "hunt"}]}}}
    answers = {}
    for x in (4750, 1500):
        tanks = a_tank("a1", 4750, 7500), a_tank("b1", x, 2500, 180)
        answers[x] = worked_out(a_table(*tanks, pieces=walls, orders=sealed), "a1")
    assert answers[4750][0].get("moves") and answers[1500] == [{}]


def test_T1_1_who_hides_is_seen_by_nobody_who_rushes_comes_nearer():
    """Three buildings in a row hide x 3350 to 4850 from b1, so a1 is hidden after one arrow east, at 4120."""
    wall = [a_piece(f"building-{number}", 3100 + 500 * number, 6000) for number in (1, 2, 3)]
    for tactic in ("hide", "rush"):
        sealed = {"alpha": {"orders": {"a1": [{"tactic": tactic}]}}}
        table = a_table(a_tank("a1", 2200, 7000), a_tank("b1", 4100, 2000, 180), pieces=wall, orders=sealed)
        (answer,) = worked_out(table, "a1")
        tank, moves = table.state.tanks["a1"], read_as(answer, MoveOrder, "move").moves
        at, heading, _ = journey(table, tank, moves)[-1]
        tank.at, tank.heading = at, heading
        seen = can_see(table, table.state.tanks["b1"], tank)
        assert seen is (tactic == "rush")


def test_T1_1_a_hurt_tank_falls_back():
    """The order to fall back has an alternative that holds only for a tank with damage."""
    form = {"orders": {"a1": [{"tactic": "hide", "when": [{"what": "hurt", "units": ["a1"]}]}, order(90)]}}
    for damage, sealed, default in ((0, {}, order(90)), (1, {"tactic": "hide"}, {})):
        tanks = a_tank("a1", 4500, 8000, damage=damage), a_tank("b1", 4500, 1000, 180)
        table = a_table(*tanks, orders={"alpha": form})
        (ask,) = run_step(table, order_for(table, table.state.tanks["a1"])).asked("move")
        assert (ask.about["sealed"], ask.default) == (sealed, default)


@pytest.mark.parametrize(
    "wish, why",
    [
        ({"tactic": "hunt", "moves": [{"way": 0}]}, "an order to hunt cannot also name moves"),
        ({"tactic": "hunt", "prey": "a1"}, "'a1' is not an enemy"),
    ],
)
def test_T1_1_a_tactic_stands_alone_and_is_after_an_enemy(wish, why):
    with pytest.raises(Refusal) as refused:
        check(a_data(), a_state(a_tank("a1", 4500, 4500)), ASK, {"orders": {"a1": [wish]}})
    assert_rule(refused.value, "T1.1", why=why)


# --- T5.1 where the arrow touches ------------------------------------------------------------------------------


@pytest.mark.rule("T5.1")
@pytest.mark.parametrize(
    "line, place",
    [
        ("a1: move 90", (5420, 4500)),
        ("a1: move 90 from right", (5420, 4790)),
        ("a1: move 90 from 29 mm left", (5420, 4210)),
        ("a1: move e from 2.9 cm left set down left", (5420, 4080)),
        ("a1: move 90 from left face right set 29 right", (5260, 4500)),
    ],
)
def test_T5_1_the_arrow_may_touch_any_point_of_the_hull(line, place):
    """A Sherman (290 by 130 from its centre) at 3500/4500 heads north and moves east: 1920 ahead, or 1760 to the
    right.

    Its side extends 290 to either hand of its middle; set down ahead it is 130 to either side of the arrow, set down
    to the right 290.
    """
    table = a_table(a_tank("a1", 3500, 4500))
    said = read(table.data, table.state, ASK, line)
    again = read(table.data, table.state, ASK, restate(table.data, ASK, said))
    assert again.answer == said.answer
    carry_out(table, table.state.tanks["a1"], read_as(said.answer, MovementForm, "movement").orders["a1"][0])
    assert_rule(table.findings, "T5.1", inputs={"tank": "a1"}, result=list(place))


@pytest.mark.rule("T5.1")
@pytest.mark.parametrize(
    "line, why",
    [
        (
            "a1: move 0 from 13.1 mm left",
            "move 1: the arrow would not touch the hull; give at most `from 13 mm left`",
        ),
        (
            "a1: move 90 face right set 30 right",
            "move 1: the arrow would not touch the hull; give at most `set 29 mm right`",
        ),
        (
            "a1: move 90 face left then move 0 from 14 mm right",
            "move 2: the arrow would not touch the hull; give at most `from 13 mm right`",
        ),
    ],
)
def test_T5_1_an_arrow_beside_the_hull_is_refused(line, why):
    """A Sherman's front reaches 130 to either side of its middle and its flank 290; the arrow is beyond that."""
    state = a_state(a_tank("a1", 3500, 4500))
    with pytest.raises(Refusal) as refused:
        read(a_data(), state, ASK, line)
    assert_rule(refused.value, "T5.1", why=why)
    assert refused.value.instead


def test_T5_1_arrows_are_no_measure_for_where_the_arrow_touches():
    with pytest.raises(Refusal) as refused:
        read(a_data(), a_state(a_tank("a1", 3500, 4500)), ASK, "a1: move 0 from 1 arrow left")
    assert "give millimetres or centimetres here" in str(refused.value.objections[0].english)


def test_T5_1_beside_a_wall_the_owner_finds_room_by_laying_the_arrow_elsewhere():
    """The building's south side is at y 4250 (3950 + 300), so due east the Sherman would overlap it from y 4300.

    An arrow from its rear right corner leads past the building, 29 mm farther south.
    """
    pieces = [a_piece("building-1", 5400, 3950)]
    ends = {}
    for leave in (0, "right"):
        table = a_table(a_tank("a1", 3500, 4300), pieces=pieces)
        ends[leave] = tuple(moved(table, "a1", Move(90, leave=leave)).at)
    assert ends["right"] == (5420, 4590) and ends[0][0] < 5000
