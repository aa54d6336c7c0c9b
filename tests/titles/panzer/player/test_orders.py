"""4.2.1 The order language: forgiving about form, strict about meaning, and clear when it refuses."""

from __future__ import annotations

import re
from importlib import resources
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.panzer.asking import read_answer, restate
from titles.panzer.builders import a_board, a_data_set, a_state, a_vehicle
from titles.panzer.playing import begin, turns

from pbem.engine.play.resolve import always_asked
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Ambiguous, Illegal, Refusal, Unreadable, each
from pbem.engine.rules.title import Submission
from pbem.engine.text.grammar import lines
from pbem.titles.panzer.bots.bot import reckless_bot, steady_bot
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.player.forms import BASIC_HELP
from pbem.titles.panzer.player.plan import read_plan
from pbem.titles.panzer.player.restating import write_commands as restated
from pbem.titles.panzer.player.standing_orders import check_standing_orders as check_doctrine
from pbem.titles.panzer.reading.language import parse
from pbem.titles.panzer.reading.reader import read_orders
from pbem.titles.panzer.reading.remarks import WIDTH
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, PanzerState, Status

ORDERS = Ask("german", "commands", "4.2.1", default={})

# --- a small battlefield -------------------------------------------------------------------------------------


def a_field() -> tuple[PanzerData, PanzerState]:
    """Two Germans and a lorry in the west, two Soviets in the east, one of them out of sight, and a road on row 5."""
    board = a_board(columns=16, rows=10, links={"road": ["off5-A5-B5-C5-D5-E5-F5-G5-H5"]})
    state = a_state(
        a_vehicle("g1", "C3", "pz4h", facing=3, name="PzIVH-1"),
        a_vehicle("g2", "B5", "pz4h", facing=2, name="PzIVH-2"),
        a_vehicle("g3", "A8", "opel", facing=2, name="Opel-1"),
        a_vehicle("s1", "H5", "t34_76", facing=6, name="T34-1"),
        a_vehicle("s2", "J8", "t34_76", facing=6, name="T34-2"),
        spotted={"g1": ["s1"], "g2": ["s1", "s2"], "g3": [], "s1": [], "s2": []},
    )
    return a_data_set(board), state


def read(text: str) -> Submission:
    return read_orders(Situation(*a_field()), ORDERS, text)


def refusals(text: str) -> list[Refusal]:
    with pytest.raises(Refusal) as refused:
        read(text)
    return list(each(refused.value))


def refusal(text: str) -> Refusal:
    found = refusals(text)
    assert len(found) == 1, found
    return found[0]


# --- the grammar ---------------------------------------------------------------------------------------------

SAID = {
    "g1 fire s1": ({"g1": "fire"}, {"fire": {"g1": {"aims": [{"targets": ["s1"]}]}}}),
    "g2 fire s2 s1": ({"g2": "fire"}, {"fire": {"g2": {"aims": [{"targets": ["s2", "s1"]}]}}}),
    "g2 fire s2 with 1": ({"g2": "fire"}, {"fire": {"g2": {"aims": [{"targets": ["s2"], "weapon": 0}]}}}),
    "g1 fire": ({"g1": "fire"}, {}),
    "g1 short-halt s1, move D3 face 3": (
        {"g1": "short-halt"},
        {"fire": {"g1": {"aims": [{"targets": ["s1"]}]}}, "move": {"g1": {"acts": ["to:D3", "turn:3"]}}},
    ),
    "g1 short-halt s1": ({"g1": "short-halt"}, {"fire": {"g1": {"aims": [{"targets": ["s1"]}]}}}),
    "g1 move E4 face 2": ({"g1": "move"}, {"move": {"g1": {"acts": ["to:E4", "turn:2"]}}}),
    "g1 move f f r": ({"g1": "move"}, {"move": {"g1": {"acts": ["f", "f", "r"]}}}),
    "g1 move 2f lb": ({"g1": "move"}, {"move": {"g1": {"acts": ["f", "f", "l", "b"]}}}),
    "g1 move": ({"g1": "move"}, {}),
    "g1 move face 4": ({"g1": "move"}, {"move": {"g1": {"acts": ["turn:4"]}}}),
    "g1 move E4, stop when hit": ({"g1": "move"}, {"move": {"g1": {"acts": ["to:E4"], "stop": True}}}),
    "g2 road to G5": ({"g2": "move"}, {"move": {"g2": {"mode": "road", "acts": ["to:G5"]}}}),
    "g1 reverse": ({"g1": "move"}, {"move": {"g1": {"acts": ["b"]}}}),
    "g1 reverse 2": ({"g1": "move"}, {"move": {"g1": {"acts": ["b", "b"]}}}),
    "g2 exit": ({"g2": "move"}, {"move": {"g2": {"acts": ["leave:any"]}}}),
    "g2 exit west": ({"g2": "move"}, {"move": {"g2": {"acts": ["leave:west"]}}}),
    "g1 overwatch": ({"g1": "overwatch"}, {}),
    "g1 ow range<=8 hit>=40 only s1 s2": (
        {"g1": "overwatch"},
        {"overwatch": {"g1": {"range": 8, "hit": 40, "only": ["s1", "s2"]}}},
    ),
    "g1 overwatch range < 9 hit > 39 not s2": (
        {"g1": "overwatch"},
        {"overwatch": {"g1": {"range": 8, "hit": 40, "but_not": ["s2"]}}},
    ),
    "g1 hold": ({"g1": "no-command"}, {}),
    "g1 g2 g3 hold": ({"g1": "no-command", "g2": "no-command", "g3": "no-command"}, {}),
    "second": ({}, {"initiative": "second"}),
    "initiative: first": ({}, {"initiative": "first"}),
    "g1 move\ng2 move\nshow g1 g2 always": (
        {"g1": "move", "g2": "move"},
        {"show": {"g1": "always", "g2": "always"}},
    ),
    "show never": ({}, {"show": {"*": "never"}}),
    "aspect g1 rear": ({}, {"aspect": {"g1": "rear"}}),
    "g1 move\ng2 move\norder of moves: g2, g1": (
        {"g1": "move", "g2": "move"},
        {"order": {"move": ["g2", "g1"]}},
    ),
    "g1 fire\ng2 fire\norder of fire: g2, g1": (
        {"g1": "fire", "g2": "fire"},
        {"order": {"fire": ["g2", "g1"]}},
    ),
}


@pytest.mark.rule("4.5.1.1", effect=True)
@pytest.mark.parametrize("text", SAID)
def test_4_2_1_what_a_line_says(text: str) -> None:
    answer, plan = SAID[text]
    submission = read(text)
    assert submission.answer == answer
    assert without_default_order(submission.plan) == plan


def without_default_order(plan: dict[str, Any]) -> dict[str, Any]:
    """Return the plan without the order of its lines, in which units fire and move by default."""
    acting = {"fire": list(plan.get("fire", {})), "move": list(plan.get("move", {}))}
    order = {what: units for what, units in plan.get("order", {}).items() if units != acting[what]}
    rest = {name: said for name, said in plan.items() if name != "order"}
    return rest | ({"order": order} if order else {})


@pytest.mark.parametrize(
    "written",
    [
        "G1 FIRE S1",
        "  g1   fire   at   s1.",
        "g1: fire, s1",
        "PzIVH-1 fire T34-1",
        "pzivh1 shoot t341",
        "- g1 fire s1      # the near one",
        "* g1 attack s1 // the near one",
        "PzIVH–1 fire T34—1",
    ],
)
def test_4_2_1_case_spaces_punctuation_and_names_do_not_matter(written: str) -> None:
    assert read(written) == read("g1 fire s1")


def test_4_2_1_words_have_synonyms() -> None:
    assert read("g1 sh s1, go to D3") == read("g1 short halt, fire at s1, then move to D3")
    assert read("g1 nc") == read("g1 no command") == read("g1 hold")
    assert read("g1 watch within 8 odds 40%") == read("g1 overwatch range <= 8 hit >= 40")
    assert read("g1 ow range ≤ 8") == read("g1 over-watch range 8")
    assert read("g1 move to E4 facing NE") == read("g1 move e4 face 2")
    assert read("g2 move G5 by road") == read("g2 road G5")
    assert read("go second") == read("second")
    assert read("g1 move\nshow g1 if it matters") == read("g1 move\nshow g1 matters")


def test_4_2_1_rest_means_all_units_without_a_line_of_their_own() -> None:
    submission = read("rest hold\ng1 fire s1")
    assert submission.answer == {"g1": "fire", "g2": "no-command", "g3": "no-command"}


def test_4_2_1_comments_blank_lines_and_quoted_lines_say_nothing() -> None:
    assert read("\n# g1 fire s1\n\n   // nothing\n> g2 fire s1\n").answer == {}


def test_4_4_1_units_fire_and_move_in_the_order_of_their_lines() -> None:
    plan = read_plan(read("g2 short-halt s1, move C4\ng1 short-halt s1, move f").plan)
    assert plan.order.fire == ["g2", "g1"]
    assert plan.order.move == ["g2", "g1"]


def test_r_02_a_reinforcement_enters_by_its_hex() -> None:
    match = begin("crossroads", "2016")
    match.order(german="ge1 G9 face 3")
    match.order(soviet="so1 at T8 face NW")
    match.order(german="rest hold", soviet="rest hold")
    view = match.run.view("german")

    def plan_of(text: str) -> dict[str, Any]:
        submission = read_orders(Situation(match.rules.data, view), ORDERS, text)
        return dict(submission.plan["move"]["ge10"])

    assert plan_of("ge10 enter A9 move C9") == {"acts": ["enter:A9", "to:C9"]}
    assert plan_of("ge10 enter A9") == plan_of("ge10 move") == {"acts": ["enter:A9"]}
    assert plan_of("ge10 enter A9 move f f") == {"acts": ["enter:A9", "f", "f"]}
    for wrong, rule in (("ge10 enter A4", "2.0"), ("ge12 enter A9", "2.0"), ("ge1 enter A9", "2.0")):
        with pytest.raises(Illegal) as refused:
            plan_of(wrong)
        assert refused.value.objections[0].rule == rule


# --- refusals ------------------------------------------------------------------------------------------------

UNREADABLE = {
    "g1 frie s1": ("frie", "g1 fire s1"),
    "g1 move E4 fase 2": ("fase", "g1 move E4 face 2"),
    "g1 overwacht": ("overwacht", "g1 overwatch"),
    "g1 ow rage <= 8": ("rage", "g1 ow range <= 8"),
    "fire s1": ("fire s1", "ge1 fire s1"),
    "g1": ("g1", "g1 hold"),
}


@pytest.mark.parametrize("text", UNREADABLE)
def test_an_unreadable_line_says_where_and_offers_the_nearest(text: str) -> None:
    part, instead = UNREADABLE[text]
    found = refusal(text)
    assert isinstance(found, Unreadable)
    assert (found.part, found.line, found.instead) == (part, text, (instead,))
    assert found.objections[0].rule == "panzer/orders"


def test_an_unreadable_line_names_position_and_expectation() -> None:
    why = refusal("g1 move E4 fase 2").objections[0].english
    assert "position 12" in why
    assert "after “g1 move E4”" in why
    assert "face" in why
    missing = refusal("show g1").objections[0].english
    assert "missing word after “show g1”" in missing
    assert "always, never, matters" in missing


def test_a_range_has_an_upper_and_a_hit_number_a_lower_limit() -> None:
    assert refusal("g1 ow range >= 8").instead == ("range <= 8",)
    assert refusal("g1 ow hit < 40").instead == ("hit >= 40",)


def test_names_may_be_short_but_not_ambiguous() -> None:
    assert read("opel hold").answer == {"g3": "no-command"}
    found = refusal("pz hold")
    assert isinstance(found, Ambiguous)
    assert found.instead == ("g1", "g2")


def test_unknown_units_are_refused_with_the_nearest_name() -> None:
    assert refusal("g1 fire t35-1").instead == ("s1",)
    assert refusal("x9 hold").instead == ("g1", "g2", "g3")
    assert "belongs to the Soviet side" in refusal("s1 hold").objections[0].english


def test_4_2_1_impossible_commands_are_refused_with_their_rule() -> None:
    found = refusal("g3 fire s1")
    assert isinstance(found, Illegal)
    assert found.objections[0].rule == "4.2/fire"
    assert found.instead == ("g3 move", "g3 hold")


def test_4_4_1_a_target_must_be_spotted_by_the_unit_itself() -> None:
    found = refusal("g1 fire s2")
    assert found.objections[0].rule == "4.4.1/spotted-before"
    assert found.instead == ("g1 fire s1",)


def test_4_4_3_a_weapon_must_be_on_the_card() -> None:
    assert refusal("g1 fire s1 with 4").objections[0].rule == "4.4.3"


def test_4_5_1_1_a_goal_out_of_reach_is_refused_with_the_nearest_hexes() -> None:
    found = refusal("g1 move P9")
    assert found.objections[0].rule == "4.5.1.1.1"
    assert all(line.startswith("g1 move ") for line in found.instead)
    assert read(found.instead[0]).answer == {"g1": "move"}


def test_4_5_1_1_4_a_facing_out_of_reach_is_refused_with_those_in_reach() -> None:
    found = refusal("g1 short-halt s1 move E4 face 6")
    assert found.objections[0].rule == "4.5.1.1.4"
    assert "face" in found.instead[0]


def test_4_5_1_1_5_the_road_must_lead_there() -> None:
    assert refusal("g1 road H5").objections[0].rule == "4.5.1.1.5"


def test_4_5_1_1_3_steps_beyond_the_allowance_are_refused_with_what_can_be_done() -> None:
    found = refusal("g1 move 9f")
    assert found.objections[0].rule == "4.5.1.1.3"
    assert read(found.instead[0]).answer == {"g1": "move"}


@pytest.mark.rule("4.5.1.1.9", effect=True)
def test_4_5_1_1_9_leaving_the_map_must_be_possible() -> None:
    found = refusal("g2 exit east")
    assert found.objections[0].rule == "4.5.1.1.9"
    assert "g2 exit west" in found.instead


@pytest.mark.rule("1.2")
def test_1_2_hexes_off_the_map_are_refused() -> None:
    assert_rule(refusal("g1 move Z40"), "1.2")


@pytest.mark.rule("1.7.2")
def test_1_7_2_a_vehicle_has_one_counter_and_one_order() -> None:
    found = refusal("g1 hold\ng1 move")
    assert found.line == "g1 move"
    assert_rule(found, "1.7.2")


def test_all_bad_lines_are_refused_together_each_with_its_line() -> None:
    found = refusals("g1 frie s1\ng2 fire s1\ng3 overwatch\nx hold")
    assert [bad.line for bad in found] == ["g1 frie s1", "g3 overwatch", "x hold"]


def test_only_units_in_play_can_be_ordered() -> None:
    data, state = a_field()
    state.vehicles["g1"].status = Status.ELIMINATED
    with pytest.raises(Illegal) as refused:
        read_orders(Situation(data, state), ORDERS, "g1 hold")
    assert refused.value.objections[0].english == "the unit is eliminated"


# --- restating -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", SAID)
def test_what_is_restated_reads_the_same(text: str) -> None:
    submission = read(text)
    assert read("\n".join(restated(submission))) == submission


def test_orders_are_restated_in_plain_lines() -> None:
    text = "second; \nG2 SH s1 s2 go c4\npzivh-1 ow range 8\nshow always\norder of moves g2"
    assert restated(read(text)) == [
        "g1 overwatch range <= 8 hit >= 30",
        "g2 short-halt s1 s2 move C4",
        "initiative second",
        "show always",
    ]


@pytest.mark.parametrize(("bot", "scenario"), [(steady_bot, "duel"), (reckless_bot, "crossroads")])
def test_the_orders_of_bots_can_be_written_and_read(bot: Any, scenario: str) -> None:
    """In whole matches, every submission is the same after it is restated and read again."""
    match = begin(scenario, "2016", "written")
    seen = 0
    bots = {seat: bot(seat) for seat in match.rules.seats}
    for _ in turns(match, bots):
        for ask in match.run.asks:
            view = match.run.view(ask.seat)
            given = bots[ask.seat](match.rules, view, ask)
            again = match.rules.read(view, ask, match.rules.restate(ask, given))
            assert again.answer == given.answer
            assert said_in(again) == said_in(given)
            seen += 1
    assert seen > 5


def said_in(submission: Submission) -> dict[str, Any]:
    plan = dict(submission.plan)
    plan.pop("order", None)
    moves = plan.pop("move", {})
    moves = {unit: wish for unit, wish in moves.items() if not all("enter:" in act for act in wish.get("acts", ()))}
    return plan | moves


# --- forms ---------------------------------------------------------------------------------------------------


def test_4_2_1_a_form_sent_back_as_it_is_holds_all_units() -> None:
    match = begin("duel")
    form = match.rules.form(match.run.view("german"), match.run.asks[0])
    submission = match.rules.read(match.run.view("german"), match.run.asks[0], form)
    assert submission == Submission({f"ge{number}": "no-command" for number in (1, 2, 3, 4)})


def test_4_2_1_a_form_shows_commands_targets_and_chances_on_a_narrow_screen() -> None:
    match = begin("duel")
    form = match.rules.form(match.run.view("german"), match.run.asks[0])
    assert all(len(line) <= WIDTH for line in form.splitlines())
    assert "# ge1 PzIVF2-1 F6 facing 3" in form
    assert "br1 range 9 hit 50 damages" in " ".join(form.replace("#", " ").split())


def test_every_form_can_be_sent_back_as_it_is() -> None:
    """The unedited form of every ask is a legal answer."""
    kinds: set[str] = set()
    for seed in ("c", "e"):
        match = begin("duel", "2024", seed, waits=always_asked)
        for _ in turns(match, {seat: reckless_bot(f"{seed}{seat}") for seat in match.rules.seats}):
            for ask in match.run.asks:
                kinds.add(ask.kind)
                view = match.run.view(ask.seat)
                submission = match.rules.read(view, ask, match.rules.form(view, ask))
                match.rules.check(view, ask, submission.answer)
    assert {"commands", "initiative", "fire", "show", "overwatch", "move", "reroute"} <= kinds


def test_r_02_a_set_up_form_places_units_where_the_scenario_has_them() -> None:
    match = begin("crossroads")
    ask = match.run.asks[0]
    view = match.run.view(ask.seat)
    submission = match.rules.read(view, ask, match.rules.form(view, ask))
    assert match.rules.check(view, ask, submission.answer)["ge1"] == ["G9", 3]


def test_the_help_is_narrow_and_every_line_in_it_can_be_read() -> None:
    """A line of the help has an order, several spaces, and its purpose."""
    for row in str(BASIC_HELP).splitlines():
        order = row.split("     ")[0]
        assert len(order) <= WIDTH
        for said in order.removeprefix("... ").split(" / "):
            if said not in ("never", "matters", "stop when hit"):
                parse(lines(said)[0])


# --- the asks within a turn ----------------------------------------------------------------------------------


def an_ask(kind: str, **more: Any) -> Ask:
    return Ask("german", kind, "4.0", **more)


def answer_to(ask: Ask, text: str, **commands: Command) -> Any:
    data, state = a_field()
    for unit, command in commands.items():
        state.vehicles[unit].command = command
    return read_answer(data, state, ask, text).answer


def test_small_asks_are_answered_in_a_word() -> None:
    assert answer_to(an_ask("initiative"), "Second") == "second"
    assert answer_to(an_ask("show"), "yes") is True
    assert answer_to(an_ask("show"), "no") is False
    assert answer_to(an_ask("angle", about={"angles": ["front", "rear"]}, default="front"), "rear") == "rear"
    assert answer_to(an_ask("angle", about={"angles": ["front", "rear"]}, default="front"), "stronger") == "front"
    assert answer_to(an_ask("reroute", subject="g1"), "go on") is None
    assert answer_to(an_ask("reroute", subject="g1"), "stop") == {"steps": []}
    assert answer_to(an_ask("reroute", subject="g1"), "move f r") == {"steps": ["f", "r"]}
    for kind, text in (("show", "first"), ("initiative", "yes"), ("angle", "g1 hold"), ("show", "yes\nno")):
        with pytest.raises(Unreadable):
            answer_to(an_ask(kind), text)


def test_4_4_1_fire_and_movement_are_answered_with_the_same_lines() -> None:
    fire = answer_to(an_ask("fire"), "g1 fire s1\ng2 fire s1", g1=Command.FIRE, g2=Command.FIRE)
    assert fire == {"target": "s1", "firers": [["g1", 0, "ap"], ["g2", 0, "ap"]]}
    move = answer_to(an_ask("move"), "g1 move f", g1=Command.MOVE)
    assert move == {"unit": "g1", "mode": "cross", "steps": ["f"]}
    assert answer_to(an_ask("move"), "done") is None
    watch = an_ask("overwatch", about={"targets": ["s1"], "phase": "combat"})
    assert answer_to(watch, "g1 fire s1", g1=Command.OVERWATCH) == {"target": "s1", "firers": [["g1", 0, "ap"]]}
    assert answer_to(watch, "done") is None


def test_answers_are_restated_as_lines() -> None:
    assert restate("fire", Submission({"target": "s1", "firers": [["g1", 0, "ap"]]})) == "g1 fire s1 with 1 ap\n"
    assert restate("move", Submission({"unit": "g1", "mode": "cross", "steps": ["f", "r"]})) == "g1 move f r\n"
    assert restate("deploy", Submission({"g1": ["C4", 3]})) == "g1 C4 face 3\n"
    assert restate("show", Submission(False)) == "no\n"
    assert restate("overwatch", Submission(None)) == "done\n"
    assert restate("reroute", Submission({"steps": []})) == "stop\n"


# --- the notes -----------------------------------------------------------------------------------------------


def notes() -> str:
    return (resources.files("pbem.titles.panzer") / "NOTES.md").read_text(encoding="utf-8")


def test_every_line_in_the_notes_can_be_read() -> None:
    """The table of orders and the list of standing orders use only orders that the server accepts."""
    cells = [row.split("|")[1] for row in notes().splitlines() if row.startswith("| `")]
    orders = [said for cell in cells for said in re.findall("`([^`]+)`", cell)]
    assert len(orders) > 15
    for said in orders:
        if said not in ("never", "matters", "… stop when hit"):
            parse(lines(said)[0])
    clauses = [row.split("     ")[0] for row in notes().splitlines() if row.startswith("    ") and ":" in row]
    assert len(check_doctrine([clause.strip().split("   ")[0] for clause in clauses])) == 9


def test_every_kind_of_ask_is_in_the_notes() -> None:
    for word in ("fire", "overwatch", "show", "aspect", "move", "initiative", "Set-up", "stop when hit"):
        assert word in notes()


# --- anything at all -----------------------------------------------------------------------------------------

WORDS = """
    g1 g2 g3 s1 s2 pz t34-1 rest hold fire short-halt move overwatch road reverse enter exit exit-b face stop
    with range hit only not first show always aspect rear order of moves done C4 E5 ZZ99 2f f r b 0 1 7 999 -1
    9999999999 <= >= % , : ; # // > « é ² İ
"""


@settings(max_examples=150)
@given(st.lists(st.lists(st.sampled_from(WORDS.split()), max_size=7).map(" ".join), max_size=3).map("\n".join))
def test_whatever_is_sent_is_read_or_refused(text: str) -> None:
    try:
        submission = read(text)
    except Refusal as refused:
        assert str(refused)
    else:
        assert read("\n".join(restated(submission))) == submission


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read(text)
    except Refusal as refused:
        assert all(bad.line for bad in each(refused))
