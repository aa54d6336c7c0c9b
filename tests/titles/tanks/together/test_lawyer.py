"""Attempts of a rules lawyer: arrows without length, lines without effect, forbidden cards, and full platoons.

Each answer was worked out from the rules before the test was run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from support.rules import assert_rule
from titles.tanks.builders import (
    MOVEMENT,
    SHOOTING,
    Scripted,
    a_piece,
    a_table,
    a_tank,
    check,
    form,
    lines_refused,
    opened,
    read,
    restate,
    run_movement,
    run_step,
    shoot,
)

from pbem.engine.geometry.plane import Point
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import Finding, happenings_in, seen_by
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.table import Table
from pbem.engine.rules.title import Plan
from pbem.engine.text.messages import in_words
from pbem.matches.players.foresight import ahead
from pbem.titles.tanks.command.phase import command_phase
from pbem.titles.tanks.data_set import Fielded, Platoon, TanksData, data_set, freeze
from pbem.titles.tanks.invariants import place_flaws
from pbem.titles.tanks.player.orders import plain
from pbem.titles.tanks.player.standing_orders import compile_orders
from pbem.titles.tanks.setup.platoon import platoon_objections
from pbem.titles.tanks.setup.steps import deployment_step
from pbem.titles.tanks.state import Status, Tank, TanksState
from pbem.titles.tanks.title import Tanks, TanksRules

COMMAND = Ask("alpha", "command", "T8.3", default={}, grade="order")


def moved(table: Table[TanksState], text: str) -> list[Finding]:
    """Carry out alpha's form for the Movement Phase."""
    form = plain(read(table.data, table.state, MOVEMENT, text).answer)
    return run_movement(table, {"movement alpha": [form]}).findings


def fates(findings: Sequence[Finding]) -> list[tuple[str, str]]:
    told = happenings_in(seen_by(list(findings), "alpha"))
    return [(one.order, str(one.why)) for one in told if isinstance(one, Fail)]


# --- T5.1, T5.4 arrows without length -----------------------------------------------------------------------------


@pytest.mark.parametrize("turn", ["ahead", "right", "back", "left"])
def test_T5_3_a_tank_whose_nose_touches_a_house_does_not_turn_there_for_a_speed_token(turn: str):
    """The Sherman's front is at 5000 - 290 = 4710, where the house begins, so the arrow has no length."""
    a1 = a_tank("a1", 5000, 5000, 0)
    table = a_table(a1, pieces=[a_piece("building-1", 5000, 4410)])
    findings = moved(table, f"a1: move 0 face {turn}")
    assert (a1.at, a1.heading, a1.speed, a1.stationary) == (Point(5000, 5000), 0, 0, True)
    assert fates(findings)[0][1] == "building-1 is in the way, so the tank did not move"


def test_T5_3_one_millimetre_of_room_is_a_move():
    """The house is 1 mm away; when the tank is turned to the right, its half width of 130 counts, so it stops at 5000
    - (290 + 10 - 130) = 4830."""
    a1 = a_tank("a1", 5000, 5000, 0)
    table = a_table(a1, pieces=[a_piece("building-1", 5000, 4400)])
    moved(table, "a1: move 0 face right")
    assert (a1.at, a1.heading, a1.speed) == (Point(5000, 4830), 90, 1)


def test_T5_4_a_house_beside_the_arrow_that_leaves_no_room_to_turn_keeps_the_tank_where_it_is():
    """One house stops the arrow 20 in front of the tank; the other reaches from 200 to 700 right of the middle.

    It extends to 10 behind the front, so the hull, which reaches 290 to either side when turned, would end behind the
    start of the arrow.
    """
    a1 = a_tank("a1", 5000, 5000, 0)
    table = a_table(a1, pieces=[a_piece("building-1", 5000, 4390), a_piece("building-2", 5450, 4420)])
    moved(table, "a1: move 0 face right")
    assert (a1.at, a1.heading, a1.stationary) == (Point(5000, 5000), 0, True)


def test_T9_2_a_blitzkrieg_move_that_goes_nowhere_is_none_and_the_tank_repairs():
    b1 = a_tank("b1", 5000, 5000, 0, criticals=["stunned-crew"])
    table = a_table(a_tank("a1", 1000, 8000), b1, pieces=[a_piece("building-1", 5000, 4405)], dice=[4])
    run_step(table, command_phase(table), {"command bravo": [{"b1": {"move": {"way": 0}}}]})
    assert (b1.at, b1.criticals) == (Point(5000, 5000), [])


# --- T1.1 fates ---------------------------------------------------------------------------------------------------


def test_T1_1_a_line_with_two_moves_that_were_stopped_has_one_fate_with_both_reasons():
    a1 = a_tank("a1", 5000, 5000, 0)
    table = a_table(a1, a_tank("a2", 6000, 4400), pieces=[a_piece("building-1", 5000, 4000)])
    findings = moved(table, "a1: move 0 then move 90")
    stopped = [fate for fate in fates(findings) if fate[0].startswith("a1")]
    assert stopped == [
        (
            "a1: move 0 then move 90",
            "move 1: building-1 is in the way, so the tank stopped there; "
            "move 2: a2 is in the way, so the tank stopped there",
        )
    ]


# --- T1.1, T1.2 lines that nothing can come of --------------------------------------------------------------------


def four() -> Table[TanksState]:
    return a_table(
        a_tank("a1", 2000, 7000, 0, "t-34-85", cards=["storozhenko", "coordinator"]),
        a_tank("a2", 2700, 7000, 0, "t-34"),
        a_tank("a3", 3400, 7000, 0, "t-34"),
        a_tank("b1", 2000, 1000, 180),
        a_tank("b2", 4000, 1000, 180),
    )


@pytest.mark.parametrize(
    "ask, text",
    [
        (MOVEMENT, "a1: stay\na1: move 0"),
        (MOVEMENT, "a1: hunt\na1: if b1 moved: hide"),
        (MOVEMENT, "a1: if b1 moved: rush\na1: if b1 moved and b2 moved: move 0"),
        (MOVEMENT, "a1: move 0\na1: move 0"),
        (MOVEMENT, "a1 a1: move 0"),
        (SHOOTING, "a1: shoot b1\na1: shoot b2"),
        (SHOOTING, "a1: hold\na1: if b1 moved: shoot b1"),
    ],
)
def test_T1_1_a_line_that_an_earlier_one_always_comes_before_is_refused(ask: Ask, text: str):
    assert "never" in lines_refused(four(), ask, text)


@pytest.mark.parametrize(
    "ask, text",
    [
        (MOVEMENT, "a1: move 0\na1: hunt"),  # the move may become illegal (T5.4)
        (MOVEMENT, "a1: if b1 moved and b2 moved: stay\na1: if b1 moved: move 0"),
        (SHOOTING, "a1: if b1 moved: shoot b1\na1: if b2 moved: shoot b2\na1: hold"),
    ],
)
def test_T1_1_alternatives_that_may_be_needed_are_taken(ask: Ask, text: str):
    table = four()
    assert restate(table.data, ask, read(table.data, table.state, ask, text)).split("\n")[:-1] == text.split("\n")


@pytest.mark.parametrize(
    "ask, text",
    [
        (MOVEMENT, "order of a2, a3, a2"),
        (MOVEMENT, "a1: use storozhenko\na1: use storozhenko"),
        (MOVEMENT, "a1: keep storozhenko\na1: keep storozhenko"),
        (SHOOTING, "a1: keep coordinator\na1: use coordinator for a2"),
        (SHOOTING, "a1: use coordinator for a2\na1: keep coordinator"),
        (SHOOTING, "a1: use coordinator for a2\na1: use coordinator for a3"),
    ],
)
def test_T2_4_words_that_say_something_twice_or_the_opposite_are_refused(ask: Ask, text: str):
    lines_refused(four(), ask, text)


def test_T5_1_a_point_off_the_table_is_no_goal():
    """4500 is ten times the middle of a 900 mm table, so the player has mixed up the units."""
    assert "not on the table" in lines_refused(four(), MOVEMENT, "a1: move toward 4500 3000")
    assert read(four().data, four().state, MOVEMENT, "a1: move toward 450 300")


@pytest.mark.parametrize(
    "goal", ["45/60 cm", "45 60 cm", "45 cm 60 cm", "450 600", "450/600 mm", "450, 600 mm", "45,60cm"]
)
def test_T5_1_a_point_may_be_copied_from_a_report(goal: str):
    """`45 60 cm` had been read as 45 mm and 60 cm, and `45/60 cm`, as reports write it, could not be read."""
    orders = read(four().data, four().state, MOVEMENT, f"a1: move toward {goal}")
    assert orders == read(four().data, four().state, MOVEMENT, "a1: move toward 450 600")


def test_T5_1_a_point_with_the_unit_behind_its_first_number_only_is_refused():
    assert "after the second number" in lines_refused(four(), MOVEMENT, "a1: move toward 45 cm 60")


def test_T3_3_a_tank_may_be_placed_in_centimetres():
    table = a_table(a_tank("a1", 0, 0, status=Status.RESERVE), a_tank("b1", 4500, 500))
    deploy = Ask("alpha", "deploy", "T3.3", default={})
    placed = read(table.data, table.state, deploy, "a1 at 45/85 cm")
    assert placed == read(table.data, table.state, deploy, "a1 at 450 850")


@pytest.mark.parametrize(
    "move",
    [{"way": 400}, {"way": -90}, {"way": 0, "face": "bearing 999"}, {"way": "toward 45000,3000"}],
)
def test_T5_1_an_answer_by_program_has_the_bearings_that_a_line_could_say(move: dict[str, Any]):
    with pytest.raises(Refusal):
        check(four().data, four().state, MOVEMENT, {"orders": {"a1": [{"moves": [move]}]}})


def test_T3_3_a_heading_by_program_is_a_bearing_too():
    table = a_table(a_tank("a1", 0, 0, status=Status.RESERVE), a_tank("b1", 4500, 500))
    for kind, answer in (
        ("deploy", {"places": {"a1": [4500, 8500, 400]}}),
        ("terrain", {"wood": [[4500, 4500, -1]]}),
    ):
        with pytest.raises(Refusal):
            check(table.data, table.state, Ask("alpha", kind, "T3.3", default={}), answer)


# --- T8.3 nobody is made to repair --------------------------------------------------------------------------------


def test_T8_3_a_tank_told_to_hold_tries_no_repair_and_one_without_a_word_does():
    """a1, told to hold, tries no repair, and Oktyabrskaya stays face down; a2, which has no order, tries a repair."""
    a1 = a_tank("a1", 1000, 5000, 90, "t-34", cards=["oktyabrskaya"], criticals=["busted-track"])
    a2 = a_tank("a2", 1000, 7000, 90, "t-34", criticals=["busted-track"])
    table = a_table(a1, a2, a_tank("b1", 8000, 5000), dice=[4])
    answer = plain(read(table.data, table.state, COMMAND, "a1: hold").answer)
    run_step(table, command_phase(table), {"command alpha": [answer]})
    assert (a1.criticals, a1.cards[0].up, a2.criticals) == (["busted-track"], False, [])


# --- T1.2 two cards that lend -------------------------------------------------------------------------------------


def test_T1_2_one_tank_lends_with_two_cards_in_one_phase():
    """A T-34/85 has initiative 6 + 2 = 8; it lends 1 to a2, which then has 4 + 1 = 5, and lends its 8 to a3."""
    table = four()
    said = read(table.data, table.state, SHOOTING, "a1: use storozhenko for a2\na1: use coordinator for a3")
    assert restate(table.data, SHOOTING, said) == "a1: use storozhenko for a2\na1: use coordinator for a3\n"
    ask = Ask("alpha", "initiative", "T1.2", about={"phase": "shooting"}, default=[])
    reply = next(iter(TanksRules(table.data).from_plan(table.state, ask, Plan(said.plan))))
    assert sorted(reply.answer) == [["a1", "coordinator", "a3"], ["a1", "storozhenko", "a2"]]


# --- T2.4 cards that were not to be used --------------------------------------------------------------------------


def by_plan(table: Table[TanksState], ask: Ask, plan: dict[str, Any], *standing: str) -> Any:
    """Return the answer given by a plan together with standing orders."""
    given = Plan(plan, standing=compile_orders(standing))
    return next((reply.answer for reply in TanksRules(table.data).from_plan(table.state, ask, given)), "nothing")


@pytest.mark.parametrize(
    "standing, turned",
    [(("cards: never",), []), (("cards: sparingly",), [["a2", "superb-commander"]]), (("reroll: never",), [])],
)
def test_T2_4_a_line_about_one_card_leaves_the_others_to_the_standing_orders(standing: Any, turned: Any):
    a1, a2 = a_tank("a1", 1000, 5000, cards=["sandbags"]), a_tank("a2", 2000, 5000, cards=["superb-commander"])
    table = a_table(a1, a2, a_tank("b1", 8000, 5000))
    ask = Ask("alpha", "initiative", "T1.1", about={"phase": "moving"}, default=[])
    assert by_plan(table, ask, {"use": {"a1": ["sandbags"]}}, *standing) == turned


@pytest.mark.parametrize(
    "standing, used",
    [
        (("cards: never",), ["tungsten"]),
        (("cards: always",), ["tungsten", "wittmann"]),
        ((), ["tungsten", "wittmann"]),
    ],
)
def test_T2_4_a_round_that_was_ordered_does_not_bring_the_hero_along(standing: Any, used: Any):
    a1 = a_tank("a1", 1000, 5000, 90, "panther", cards=["tungsten", "wittmann"])
    table = a_table(a1, a_tank("b1", 8000, 5000))
    ask = Ask("alpha", "aim", "T2.4", "a1", about={"shooter": "a1", "target": "b1", "close": False}, default=[])
    assert by_plan(table, ask, {"use": {"a1": ["tungsten"]}}, *standing) == used


def test_T7_5_a_card_that_is_kept_does_not_make_a_stationary_tank_roll_again():
    a1 = a_tank("a1", 1000, 5000, 90, cards=["precise-loader"])
    table = a_table(a1, a_tank("b1", 8000, 5000))
    about = {"target": "b1", "dice": [1, 1, 1, 4], "again": False, "fours": 4}
    ask, kept = Ask("alpha", "reroll", "T7.5", "a1", about=about), {"keep": {"a1": ["precise-loader"]}}
    assert by_plan(table, ask, kept, "reroll: never", "cards: always") is None
    assert by_plan(table, ask, kept)["dice"] == [0, 1, 2, 3]


def test_T2_4_a_second_card_for_a_hit_that_is_gone_stays_face_down():
    """Pool makes the only hit a critical, so nothing is left for the Dead-Eye Gunner."""
    a1 = a_tank("a1", 1000, 5000, 90, cards=["pool", "dead-eye-gunner"])
    table = a_table(a1, a_tank("b1", 8000, 5000, 270))
    ask = Ask("alpha", "convert", "T2.4", "a1", about={"target": "b1", "hits": 1, "criticals": 0}, default=[])
    assert by_plan(table, ask, {"use": {"a1": ["dead-eye-gunner", "pool"]}}) == ["pool"]
    with pytest.raises(Refusal):
        check(table.data, table.state, ask, ["pool", "dead-eye-gunner"])


def test_T2_2_a_critical_that_a_card_has_made_of_a_hit_can_be_split_by_another():
    """Radley-Walters makes the hit a critical, and the Deadly Gunner turns that into two hits."""
    a1 = a_tank("a1", 1000, 5000, 90, "comet", cards=["radley-walters", "deadly-gunner"])
    b1 = a_tank("b1", 8000, 5000, 270)
    table = a_table(a1, b1, dice=[4, 1, 1, 1, 1, 1])
    shoot(table, "a1", "b1", {"convert": [["radley-walters", "deadly-gunner"]]})
    assert b1.damage == 2


@pytest.mark.parametrize("damage, after, shown", [(0, 2, True), (4, 5, False)])
def test_T2_2_a_hit_that_finishes_the_tank_is_not_made_a_critical_by_its_extra_ammunition(
    damage: int, after: int, shown: bool
):
    """A hit that is enough to finish the tank is not made a critical."""
    b1 = a_tank("b1", 8000, 5000, 270, cards=["extra-ammunition"], damage=damage)
    table = a_table(a_tank("a1", 1000, 5000, 90, moved=True), b1, dice=[4, 1, 1, 1, 1, *([22] if shown else [])])
    shoot(table, "a1", "b1")
    assert (b1.cards[0].up, b1.damage) == (shown, after)


def test_T2_2_a_second_attack_goes_at_no_other_target_than_those_named():
    """Woll may attack b2 or b3, both within an arrow of b1; `again b4` names a tank that is too far away."""
    a1 = a_tank("a1", 1000, 5000, 90, "panther", cards=["woll"])
    foes = [a_tank("b1", 6000, 5000), a_tank("b2", 6000, 6000), a_tank("b3", 6000, 4000), a_tank("b4", 6000, 8000)]
    table = a_table(a1, *foes)
    ask = Ask("alpha", "again", "T2.4", "a1", about={"target": "b1", "hit": True}, default=None)
    replies = list(TanksRules(table.data).from_plan(table.state, ask, Plan({"again": {"a1": ["b4"]}})))
    assert [reply.answer for reply in replies] == ["b4", None]
    assert by_plan(table, ask, {"again": {"a1": ["b3"]}}) == "b3"


# --- T3.3 platoons that hardly fit --------------------------------------------------------------------------------


def deployed(models: Sequence[str], **options: Any) -> Table[TanksState]:
    """Deploy the same tanks for both sides, without orders."""
    data: TanksData = data_set(freeze("village", options))
    state = TanksState(edges={"alpha": "south", "bravo": "north"}, attacker="alpha", switches=Tanks.switches)
    for seat in ("alpha", "bravo"):
        for number, model in enumerate(models, start=1):
            id = f"{seat[0]}{number}"
            state.tanks[id] = Tank(id=id, seat=seat, model=model)
    ask = Ask("alpha", "deploy", "T3.3", default={}, grade="order")
    assert read(data, state, ask, form(data, state, ask))
    table = Table(state, Scripted([]), data)
    run_step(table, deployment_step(table))
    return table


@pytest.mark.parametrize(
    "models, options",
    [
        (["sherman-v"] * 33, {"points": 500}),
        (["super-pershing"] * 2, {"arrow_mm": 50}),
        (["panther"], {"arrow_mm": 60}),
    ],
)
def test_T3_3_behind_a_full_row_stands_another_and_under_a_short_arrow_tanks_stand_along_the_edge(models, options):
    table = deployed(models, **options)
    assert all(tank.live for tank in table.state.tanks.values())
    assert list(place_flaws(table)) == []


def test_T3_3_a_platoon_that_finds_no_room_along_the_edge_is_refused():
    """With an arrow of 50 mm, Shermans 61 mm long are placed along the edge, one every 10 cm, in one row."""
    data = data_set(freeze("village", {"points": 500, "arrow_mm": 50}))
    for number, legal in ((9, True), (10, False)):
        platoon = Platoon(country="uk", tanks=(Fielded(tank="sherman-v"),) * number)
        assert [one.rule for one in platoon_objections(data, platoon)] == ([] if legal else ["T3.3"])
    assert len(deployed(["sherman-v"] * 9, points=500, arrow_mm=50).state.live) == 18


def test_T2_2_baeke_is_for_his_own_tank_and_the_move_of_another_is_refused():
    """Kolobanov's card is for two tanks, so a friend's move may be carried out."""
    for hero, model, legal in (("baeke", "panther", False), ("kolobanov", "t-34", True)):
        a1 = a_tank("a1", 0, 0, 0, model, cards=[hero], status=Status.RESERVE)
        a2 = a_tank("a2", 0, 0, 0, model, status=Status.RESERVE)
        table = a_table(a1, a2, a_tank("b1", 4500, 500))
        ask = Ask("alpha", "deploy", "T3.3", default={}, grade="order")
        assert read(table.data, table.state, ask, "a1 first move 0")
        if legal:
            assert read(table.data, table.state, ask, "a2 first move 0")
        else:
            assert "no card" in lines_refused(table, ask, "a2 first move 0")


def test_T2_2_an_open_card_is_used_without_a_word_about_it():
    """Wittmann is face up, so the extra die counts in spite of `cards: never`."""
    a1 = opened(a_tank("a1", 1000, 5000, 90, "panther", cards=["wittmann"]))
    table = a_table(a1, a_tank("b1", 8000, 5000), dice=[1] * 8)
    played = shoot(table, "a1", "b1")
    assert_rule(played.findings, "T7.4", result=6)


# --- T2.2 moves before all others ---------------------------------------------------------------------------------


def test_T2_2_moves_after_richards_first_move_are_judged_from_where_it_ends():
    """The Sherman is at the south edge, so north first (8700 to 6620), then south (to 8700 again) is legal.

    North first and south twice is not legal, nor is south alone.
    """
    a1 = a_tank("a1", 4500, 8700, 0, cards=["richards"])
    table = a_table(a1, a_tank("b1", 4500, 500, 180))
    moved(table, "a1: first move 0\na1: move 180 face back")
    assert (a1.at, a1.heading, a1.speed) == (Point(4500, 8700), 0, 1)
    assert "leave the table" in lines_refused(table, MOVEMENT, "a1: first move 0\na1: move 180 then move 180")
    assert "leave the table" in lines_refused(table, MOVEMENT, "a1: move 180")


# --- T5.1 previews ------------------------------------------------------------------------------------------------


def foreseen(table: Table[TanksState], ask: Ask, line: str) -> dict[str, Any]:
    found: dict[str, Any] = in_words(TanksRules(table.data).preview(table.state, ask, line))
    return found


def test_T5_3_a_preview_counts_only_moves_that_go_somewhere():
    """The second move is stopped at once, so the speed is 1 and the Panzer IV meets 1 + 1 - 1 (side shot) dice."""
    table = a_table(
        a_tank("a1", 2000, 5000, 90), a_tank("b1", 2600, 1000, 180), pieces=[a_piece("building-1", 3900, 5000)]
    )
    said = foreseen(table, MOVEMENT, "a1: move 90 then move 90")["said"]
    assert "building-1 stops move 1" in said[0] and "(4 dice against 1, side)" in said[-1]


def test_T9_2_a_preview_of_blitzkrieg_has_no_speed_and_the_objections_of_the_phase():
    panther, sherman = a_tank("b1", 5000, 5000, 0, "panther"), a_tank("a1", 5000, 1000, 180)
    table = a_table(panther, sherman)
    bravo = Ask("bravo", "command", "T8.3", default={}, grade="order")
    assert foreseen(table, bravo, "b1: blitz move 90")["said"][-1] == (
        "There b1 could be shot at by a1 (4 dice against 1, side)."
    )
    assert foreseen(table, COMMAND, "a1: blitz move 90")["refused"] == [
        "a1: only a tank with Blitzkrieg can move in the Command Phase"
    ]


def test_T2_2_a_preview_shows_a_first_move_and_the_moves_after_it():
    """The first move ends at 8700 - (290 + 1500 + 290) = 6620; then the tank moves south again, and only that move
    counts, so it rolls 1 + 1."""
    table = a_table(a_tank("a1", 4500, 8700, 0, cards=["richards"]), a_tank("b1", 4500, 500, 180))
    found = foreseen(table, MOVEMENT, "a1: first move 0\na1: move 180 face back")
    assert [leg["at"] for leg in found["tanks"]["a1"]] == [["450", "662"], ["450", "870"]] and not found["refused"]
    assert found["said"][0] == "a1 ends at 45/87 cm facing north (0°)."
    assert "(4 dice against 2)" in found["said"][-1]


def test_T1_1_a_receipt_foresees_every_alternative_with_its_condition():
    table = a_table(a_tank("a1", 4500, 5000, 0), a_tank("b1", 4500, 500, 180))
    text = "rest stay\na1: if b1 moved: move 0\na1: move 90"
    said = list(map(str, ahead(TanksRules(table.data), table.state, MOVEMENT, text)))
    assert [line for line in said if "ends" in line] == [
        "If b1 moved: a1 ends at 45/29 cm facing north (0°).",
        "a1 ends at 64/50 cm facing east (90°).",
    ]
