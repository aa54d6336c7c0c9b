"""4.2.1, 6.2 The order language of the advanced game: forgiving about form, strict about meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources
from itertools import islice
from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.artillery.test_observers import a_battery
from titles.panzer.asking import read_answer, restate
from titles.panzer.builders import a_board
from titles.panzer.playing import Match, begin

from pbem.engine.geometry.hexes import hex_name, parse_hex
from pbem.engine.play.bots import Choice, random_bot
from pbem.engine.play.resolve import Mind, always_asked
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Ambiguous, Illegal, Refusal, Unreadable, each
from pbem.engine.rules.title import Submission
from pbem.engine.text.grammar import lines
from pbem.titles.panzer.air.air import flight_options
from pbem.titles.panzer.artillery.mission_answers import legal_calls
from pbem.titles.panzer.close_combat.close_combat import legal_attacks
from pbem.titles.panzer.command.command_control import commandable
from pbem.titles.panzer.command.commands import WITH, choose_commands, legal_commands
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.decisions.all_kinds import from_plan
from pbem.titles.panzer.fire.aiming import Occasion, legal_shots
from pbem.titles.panzer.movement.movement_step import mode_objections
from pbem.titles.panzer.movement.steps.unit_steps import MODES, mover_of
from pbem.titles.panzer.player.forms import HELP
from pbem.titles.panzer.player.plan import Declaration, MarchWish, read_plan
from pbem.titles.panzer.player.prospects import as_ordered
from pbem.titles.panzer.player.restating import write_mission, write_moves
from pbem.titles.panzer.player.standing_orders import check_standing_orders as check_doctrine
from pbem.titles.panzer.reading.language import parse
from pbem.titles.panzer.reading.reader import read_orders
from pbem.titles.panzer.routes.itineraries import write_act
from pbem.titles.panzer.routes.move_options import move_choices
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.scenario import Conditions
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Feature, HiddenCounter, Mission, PanzerState, Unit

ASK = Ask("german", "commands", "4.2.1", default={}, grade="order")
SQUAD, SECTION = "german_rifle_squad", "german_section"

# --- a small battlefield -------------------------------------------------------------------------------------


def a_field(**more: Any) -> tuple[PanzerData, PanzerState]:
    """Two tanks, a squad, a half-track with a squad aboard and an observer with a battery; Soviets to the east."""
    board = a_board(columns=20, rows=12, links={"road": ["off5-A5-B5-C5-D5-E5-F5-G5-H5"]})
    rules, counters = (*ADVANCED_RULES, *more.pop("rules", ())), Conditions(hidden_counters={"german": 4})
    data = advanced_data(board, rules=rules, conditions=counters)
    units: list[Unit] = [
        a_tank("g1", "C3", "pz4h", facing=3, name="PzIVH-1"),
        a_tank("g2", "C4", "pz4h", facing=3, name="PzIVH-2"),
        a_leg("g3", "F8", SQUAD, facing=2, name="Rifle-1"),
        a_tank("g4", "B5", "spw251", facing=3, name="SPW-1"),
        a_leg("g5", "B5", SQUAD, aboard="g4", name="Rifle-2"),
        a_leg("g6", "B6", SECTION, labels=("fo",), facing=2, name="Observers"),
        a_tank("g8", "B7", "spw251", facing=3, name="SPW-2"),
        a_gun("g7", "D7", "pak38", facing=2, name="Gun"),
        a_tank("s1", "H5", "t34_76", facing=6, name="T34-1"),
        a_leg("s2", "G8", "soviet_rifle_squad", facing=6, name="Ivan-1"),
    ]
    given: dict[str, Any] = {"turn": 1, "available": {"german": 6, "soviet": 6}, "batteries": {"gb1": a_battery()}}
    return data, an_advanced_state(*units, **given | more)


def read(text: str, **more: Any) -> Submission:
    return read_orders(Situation(*a_field(**more)), ASK, text)


def refusals(text: str, **more: Any) -> list[Refusal]:
    with pytest.raises(Refusal) as refused:
        read(text, **more)
    return list(each(refused.value))


def refusal(text: str, **more: Any) -> Refusal:
    found = refusals(text, **more)
    assert len(found) == 1, found
    return found[0]


# --- meanings of lines ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "commands", "plan"),
    [
        ("g1 fire s1", {"g1": "fire"}, {"fire": {"g1": {"aims": [{"targets": ["s1"]}]}}}),
        ("PzIVH-1: shoot s1 with 1", {"g1": "fire"}, {"fire": {"g1": {"aims": [{"targets": ["s1"], "weapon": 0}]}}}),
        ("g1 fire s1 gp", {"g1": "fire"}, {"fire": {"g1": {"aims": [{"targets": ["s1"], "how": "gp"}]}}}),
        ("G1  HOLD # nothing", {"g1": "no-command"}, {}),
        ("g1 move E4", {"g1": "move"}, {"move": {"g1": {"acts": ["to:E4"]}}}),
        ("g1 move E4 face 2", {"g1": "move"}, {"move": {"g1": {"acts": ["to:E4", "turn:2"]}}}),
        ("g3 quick F7", {"g3": "move"}, {"move": {"g3": {"mode": "quick", "acts": ["to:F7"]}}}),
        ("g3 move 1 1 face 4", {"g3": "move"}, {"move": {"g3": {"acts": ["1", "1", "turn:4"]}}}),
        ("g1 sh s1, move f", {"g1": "short-halt"},
         {"fire": {"g1": {"aims": [{"targets": ["s1"]}]}}, "move": {"g1": {"acts": ["f"]}}}),
        ("g1 ow range<=8 hit>40 only s1", {"g1": "overwatch"},
         {"overwatch": {"g1": {"range": 8, "hit": 41, "only": ["s1"]}}}),
        ("together g1 g2: fire s1", {"g1": "fire", "g2": "with g1"},
         {"fire": {"g1": {"aims": [{"targets": ["s1"]}]}, "g2": {"aims": [{"targets": ["s1"]}]}}}),
        ("g1 move\ng2 with g1", {"g1": "move", "g2": "with g1"}, {}),
        ("g4 move D5 dismount g5 D5 face 2", {"g4": "move"},
         {"move": {"g4": {"acts": ["to:D5", "dismount:g5:D5:2"]}}}),
        ("g5 dismount B6 face 2", {}, {"move": {"g4": {"mode": "stay", "acts": ["dismount:g5:B6:2"]}}}),
        ("g4 hold dismount g5 B6", {"g4": "no-command"},
         {"move": {"g4": {"mode": "stay", "acts": ["dismount:g5:B6"]}}}),
        ("g3 assault s2", {"g3": "move"}, {"assault": {"g3": {"target": "s2"}}}),
        ("g6 call gb1 at H5 open smoke", {"g6": "overwatch"},
         {"missions": [{"do": "call", "observer": "g6", "point": "H5", "firers": ["gb1"], "sheaf": "open",
                        "type": "smoke"}]}),
        ("g3 pivot 5\ng7 cover", {}, {"adjust": {"pivot": {"g3": 5}, "cover": {"g7": True}}}),
        ("g1 turret 2\ng2 shut\nformations german", {},
         {"adjust": {"turret": {"g1": 2}, "hatch": {"g2": True}}, "formations": ["german"]}),
        ("first\nshow never\naspect g1 rear", {},
         {"initiative": "first", "show": {"*": "never"}, "aspect": {"g1": "rear"}}),
    ],
)  # fmt: skip
def test_6_2_lines_become_commands_and_a_plan(text: str, commands: dict[str, str], plan: dict[str, Any]) -> None:
    found = read(text, rules=("turrets", "staggered_initiative"))
    assert found.answer == commands
    assert {name: said for name, said in found.plan.items() if name != "order"} == plan


def test_5_14_one_weapon_is_not_given_two_targets() -> None:
    """The case of two weapons with a target each is tested in `combinations/test_lawyer.py`."""
    with pytest.raises(Refusal, match="each weapon can be fired only once"):
        read("g1 fire s1 with 1 ap and s2 with 1 gp")


def test_4_2_1_a_line_for_the_rest_is_for_those_without_one() -> None:
    found = read("g1 fire s1\nrest hold")
    assert found.answer == {"g1": "fire", **dict.fromkeys(["g2", "g3", "g4", "g6", "g7", "g8"], "no-command")}


def test_4_2_1_a_line_for_the_rest_that_orders_nobody_is_refused_while_units_hold_by_their_form() -> None:
    holding = "\n".join(f"{unit} hold" for unit in ("g1", "g2", "g3", "g4", "g6", "g7", "g8"))
    with pytest.raises(Refusal, match="delete the lines of g1, g2"):
        read(f"{holding}\nrest overwatch")
    assert set(read(f"{holding}\nrest hold").answer.values()) == {"no-command"}


def test_6_2_1_1_3_the_rest_share_where_commands_are_short_and_hold_where_they_cannot() -> None:
    """One command is left, and the largest group on overwatch gets it; an unarmed truck could not use it."""
    found = read("g3 move\nrest overwatch", available={"german": 2, "soviet": 6}).answer
    assert found["g3"] == "move"
    assert (found["g1"], found["g2"]) == ("overwatch", "with g1")
    assert {found[unit] for unit in found if unit not in ("g1", "g2", "g3")} <= {"no-command", "with g1"}
    assert set(found) == {"g1", "g2", "g3", "g4", "g6", "g7", "g8"}


def test_6_5_1_7_a_call_may_name_the_enemy_instead_of_his_hex() -> None:
    assert read("g6 call gb1 at T34-1").plan["missions"][0]["point"] == "H5"


@pytest.mark.parametrize(
    ("line", "proposed"),
    [
        ("g6 call gb1 at s1", ("g6 call gb1 at H5", "g6 call gb1 at S1")),
        ("g1 move s1 face 2", ("g1 move H5 face 2", "g1 move S1 face 2")),
        ("g3 quick g7", ("g3 quick D7", "g3 quick G7")),
    ],
)
def test_1_2_a_word_that_is_a_unit_elsewhere_and_a_hex_is_asked_about(line: str, proposed: tuple[str, ...]) -> None:
    """Capital letters mean the hex; a name spelled like the id could mean either the hex or the unit,
    so the player is asked."""
    refused = refusal(line)
    assert isinstance(refused, Ambiguous) and refused.line == line
    assert refused.instead == proposed and "also a hex" in str(refused)


def test_1_2_capital_letters_mean_the_hex_and_passengers_are_named_as_ever() -> None:
    assert read("g6 call gb1 at H5").plan["missions"][0]["point"] == "H5"
    assert read("g3 quick G7").plan["move"]["g3"]["acts"] == ["to:G7"]
    assert read("g4 dismount g5").plan["move"]["g4"]["acts"] == ["dismount:g5"]


def test_6_6_7_1_1_getting_on_is_part_of_the_carriers_move() -> None:
    """A unit that mounts has its own Move, and the carrier picks it up before driving on."""
    found = read("g6 mount g8\ng8 move C7")
    assert found.answer == {"g8": "move", "g6": "move"}
    assert found.plan["move"] == {"g8": {"acts": ["mount:g6", "to:C7"]}}
    assert read("g6 mount g8").plan["move"] == {"g8": {"mode": "stay", "acts": ["mount:g6"]}}


def test_5_2_1_a_portee_is_unloaded_with_the_facings_of_gun_and_truck() -> None:
    """L1372-1380: a portee may be unloaded with any facings, and the order is restated in the same words."""
    data, view = a_field()
    view.vehicles["g8"].card = "portee_2pdr"
    for said, act in (("unload face 5 truck face 4", "unload:5:4"), ("unload face 5", "unload:5")):
        found = read_orders(Situation(data, view), ASK, f"g8 {said}")
        assert found.plan["move"] == {"g8": {"acts": [act]}}
        assert write_act(act) == said


@pytest.mark.parametrize("command", ["hold", "overwatch"])
def test_5_2_1_a_portee_that_does_not_move_is_unloaded_whatever_its_command(command: str) -> None:
    """6.6.7.1.1: a vehicle with Fire, Overwatch or No Command stays, and its gun comes off in the Movement Step."""
    data, view = a_field()
    view.vehicles["g8"].card = "portee_2pdr"
    found = read_orders(Situation(data, view), ASK, f"g8 {command} unload face 5")
    assert found.plan["move"] == {"g8": {"mode": "stay", "acts": ["unload:5"]}}
    assert f"g8 {command} unload face 5" in restate("commands", found)


def test_6_5_1_a_mission_is_kept_up_adjusted_or_checked() -> None:
    mission = Mission(id="m1", side="german", observer="g6", firers=("gb1",), point=parse_hex("H5"), sheaf="closed")
    seen = {"missions": {"m1": mission}}
    assert read("m1 continue", **seen).plan["missions"] == [{"do": "continue", "mission": "m1"}]
    assert read("m1 check", **seen).plan["missions"] == [{"do": "check", "mission": "m1"}]
    assert read("m1 continue", **seen).answer == {"g6": "overwatch"}


@pytest.mark.parametrize("line", lines(str(HELP).replace("\u2026", "")), ids=lambda line: line.written)
def test_every_line_of_the_help_can_be_read(line: Any) -> None:
    """Of several ways to write an order, the first is read, up to the comment in the right column."""
    for way in line.written.split("     ")[0].split(" / "):
        unit = "" if way.split()[0] in ("first", "second", "show", "order") or way[0] in "gtma" else "g1 "
        if way.split()[0] in ("crawl", "move", "road", "f", "cover", "uncover", "partial", "adjust", "check"):
            continue
        parse(lines(f"{unit}{way}")[0])


def test_every_line_in_the_notes_can_be_read() -> None:
    """The tables of orders and of standing orders use only orders that the server accepts."""
    notes = (resources.files("pbem.titles.panzer") / "NOTES.md").read_text(encoding="utf-8")
    rows = [row for row in notes.splitlines() if row.startswith("|`")]
    said = [words for row in rows for words in re.findall("`([^`]+)`", row.split("|")[1])]
    assert len(said) > 40
    for words in said:
        if ": " in words and not words.startswith("together"):
            check_doctrine([words])
        else:
            parse(lines(words)[0])


# --- refusals --------------------------------------------------------------------------------------------------


def test_6_2_every_bad_line_is_named_with_its_rule_and_the_nearest_legal() -> None:
    found = refusals("g1 fire s9\ng2 mvoe E7\ng3 move Z9\ng1 hold extra")
    assert {refusal.line for refusal in found} == {"g1 fire s9", "g2 mvoe E7", "g3 move Z9", "g1 hold extra"}
    assert all(refusal.objections for refusal in found)
    slip = next(refusal for refusal in found if refusal.line == "g2 mvoe E7")
    assert slip.instead == ("g2 move E7",)
    assert "position" in slip.objections[0].english


def test_a_name_that_fits_two_units_is_ambiguous() -> None:
    assert isinstance(refusal("PzIVH hold"), Ambiguous)
    assert isinstance(refusal("g9 hold"), Unreadable)


@pytest.mark.rule("4.5.1.1.1")
def test_4_5_1_1_a_hex_out_of_reach_is_refused_with_the_nearest() -> None:
    found = refusal("g1 move K10")
    assert_rule(found, "4.5.1.1.1")
    assert found.instead and all(line.startswith("g1 move ") for line in found.instead)
    for line in found.instead:
        assert read(line).answer == {"g1": "move"}


@pytest.mark.rule("6.6.7")
def test_6_6_7_passengers_have_no_command() -> None:
    assert_rule(refusal("g5 move E5"), "6.6.7")


@pytest.mark.rule("1.7.2")
def test_1_7_2_one_order_for_each_unit() -> None:
    assert_rule(refusal("g1 hold\ng1 move"), "1.7.2")


@pytest.mark.rule("6.2.1.1.3/formation-limits")
def test_6_2_1_1_3_too_many_commands_are_refused_and_sharing_is_proposed() -> None:
    found = refusal("g1 overwatch\ng2 overwatch\ng3 overwatch", available={"german": 2, "soviet": 6})
    assert_rule(found, "6.2.1.1.3/formation-limits")
    assert "together g1 g2: overwatch" in found.instead
    read("together g1 g2: overwatch\ng3 overwatch", available={"german": 2, "soviet": 6})


@pytest.mark.rule("6.2.1.1.3")
def test_6_2_1_1_3_a_shared_counter_says_one_thing() -> None:
    assert_rule(refusal("g1 fire s1\ng2 with g1 move E5"), "6.2.1.1.3")


@pytest.mark.rule("4.4.3", "5.16.1")
def test_5_16_1_ammunition_and_weapons_that_a_unit_does_not_have() -> None:
    assert_rule(refusal("g1 fire s1 with hvap"), "5.16.1")
    assert_rule(refusal("g1 fire s1 with 7"), "4.4.3")


def test_6_6_1_1_an_assault_needs_somebody_near() -> None:
    assert isinstance(refusal("g6 assault s1"), Illegal)


@pytest.mark.rule("6.5.1.7")
def test_6_5_1_7_a_call_goes_onto_what_the_observer_spotted() -> None:
    assert_rule(refusal("g6 call gb1 at K10"), "6.5.1.7")


# --- orders of all kinds, in real scenarios ---------------------------------------------------------------------


def any_orders(data: PanzerData, view: PanzerState, seat: str, choice: Choice) -> Iterator[str]:
    """Write lines that a player might send: legal commands, shared if they run out, with any targets and goals."""
    units = commandable(view, seat)
    commands = choose_commands(
        Situation(data, view), units, {unit.id: legal_commands(Situation(data, view), unit) for unit in units}, choice
    )
    ordered = as_ordered(view, seat, commands)
    occasion = Occasion(Situation(data, ordered), seat)
    possible = legal_attacks(Situation(data, ordered), ask_of(seat, "assault"))
    attacks = {unit.id: (target.id, hex) for unit, target, hex in possible}
    for unit in units:
        shared = f"{commands[unit.id]} " if commands[unit.id].startswith(WITH) else ""
        said = any_order(data, occasion, ordered.vehicles[unit.id], attacks, choice)
        yield f"{unit.id} {shared}{said}"
    yield from any_support(data, ordered, seat, choice)


def ask_of(seat: str, kind: str, **about: Any) -> Ask:
    return Ask(seat, kind, "6.0", about=about)


def any_order(data: PanzerData, occasion: Occasion, unit: Unit, attacks: dict[str, Any], choice: Choice) -> str:
    command = unit.command
    shots = legal_shots(occasion, unit) if command in (Command.FIRE, Command.SHORT_HALT) else []
    shot = choice.one_of(shots) if shots and choice.below(4) else None
    fire = f"{shot.target} with {shot.weapon + 1} {shot.how.removeprefix('ap:')} " if shot else ""
    match command:
        case Command.NO_COMMAND:
            return "hold"
        case Command.FIRE:
            return f"fire {fire}"
        case Command.OVERWATCH:
            return f"overwatch{choice.one_of(['', ' range<=6', ' hit >= 20'])}"
    halt = f"short-halt {fire}" if command is Command.SHORT_HALT else ""
    if unit.id in attacks and not halt and choice.below(2):
        target, hex = attacks[unit.id]
        return f"assault {target}{f' from {hex_name(hex)}' if hex else ''}"
    mover = mover_of(Situation(data, occasion.state), unit)
    closed = [mode for mode in MODES if any(mode_objections(mover, mode))]
    moves = list(islice(move_choices(mover, closed), 60))
    if not moves or not choice.below(5):
        return f"{halt}move"
    mode, steps = choice.one_of(moves)
    return halt + write_moves(unit.id, MarchWish(mode, list(steps)))[0].partition(" ")[2]


def any_support(data: PanzerData, view: PanzerState, seat: str, choice: Choice) -> Iterator[str]:
    busy: list[str] = []
    for call in islice(legal_calls(Situation(data, view), seat), 30):
        named = [call["observer"], *call["firers"]]
        if choice.below(2) and not any(one in busy for one in named):
            busy += named
            yield write_mission(Declaration(**call))
    for craft in view.aircraft.values():
        flights = islice(
            flight_options(Situation(data, view), ask_of(seat, "flight", phase=1, aircraft=[craft.id])), 1, 20
        )
        if craft.side == seat and not craft.shot_down and (made := list(flights)):
            yield restate("flight", Submission(choice.one_of(made))).strip()
    for unit in view.of(seat):
        if unit.kind != "vehicle" and not unit.aboard and not choice.below(6):
            yield f"{unit.id} {choice.one_of(['pivot 3', 'cover', 'no digging'])}"


def readable(match: Match, ask: Ask, text: list[str]) -> tuple[list[str], Submission]:
    """Return the lines that can be carried out together, leaving out those that are refused."""
    view = match.run.view(ask.seat)
    while True:
        try:
            return text, match.rules.read(view, ask, "\n".join(text))
        except Refusal as refused:
            bad = [refusal.line for refusal in each(refused)]
            left = [line for line in text if line not in bad]
            assert len(left) < len(text), refused
            text = left


@pytest.mark.parametrize(("scenario", "seed"), [("collision", 1), ("breach", 2), ("desert", 3), ("darkness", 4)])
def test_6_2_restated_orders_are_the_same_orders_and_a_turn_is_played_by_them(scenario: str, seed: int) -> None:
    """Random orders are tried; one email per turn is enough, because plan and standing orders answer
    every other ask."""
    match = begin(scenario, edition_of(scenario), str(seed))
    taken = written = 0
    while match.run.asks and match.run.state.turn <= 3:
        answers = {}
        for ask in match.run.asks:
            view = match.run.view(ask.seat)
            if ask.kind != "commands":
                answers[ask.seat] = ask.silence
                continue
            text = list(any_orders(match.rules.data, view, ask.seat, Choice(seed, ask.seat, view.turn)))
            kept, said = readable(match, ask, text)
            written, taken = written + len(text), taken + len(kept)
            restated = match.rules.restate(ask, said)
            again = match.rules.read(view, ask, restated)
            assert again == said
            assert match.rules.restate(ask, again) == restated
            answers[ask.seat] = match.rules.check(view, ask, said.answer)
            match.minds[ask.seat] = Mind(match.rules.check_plan(view, ask, said.plan), [])
        match.go_on(answers)
    assert taken * 10 >= written * 9


def edition_of(scenario: str) -> str:
    return {"collision": "2016", "delay": "2016", "darkness": "2024"}.get(scenario, "2024")


@pytest.mark.parametrize("scenario", ["collision", "delay", "combined"])
def test_every_form_is_a_legal_answer_and_every_answer_can_be_written_and_read(scenario: str) -> None:
    """At every window, the unedited form is a legal answer, and a bot's answer is the same after restating."""
    match = begin(scenario, edition_of(scenario), "7", waits=always_asked)
    bot = random_bot("7", most=40)
    for _ in range(40 if scenario == "combined" else 90):
        answers = {}
        for ask in match.run.asks:
            view = match.run.view(ask.seat)
            unedited = match.rules.read(view, ask, match.rules.form(view, ask))
            match.rules.check(view, ask, unedited.answer)
            answer = match.rules.check(view, ask, bot(match.rules, view, ask).answer)
            text = match.rules.restate(ask, Submission(answer))
            assert match.rules.check(view, ask, match.rules.read(view, ask, text).answer) == answer, text
            answers[ask.seat] = answer
        match.go_on(answers)


@pytest.mark.parametrize(
    ("ask", "answers"),
    [
        (Ask("german", "angle", "6.5.2.2", about={"angles": ["front", "front_side"]}, default="front"),
         ["front", "front_side"]),
        (Ask("german", "spread", "6.5.2.1", about={"extra": 2, "targets": ["s1", "s2"]}, default=[]),
         [[], ["s1"], ["s1", "s2"]]),
        (Ask("german", "facing", "6.5.2.6.1", about={"units": {"g3": 2}}, default={"g3": 2}), [{"g3": 5}]),
        (Ask("german", "danger", "6.5.1.12", about={"friends": ["s1", "s2"]}, default="s1"), ["s2"]),
        (Ask("german", "primary", "6.6.1.2.3", about={"units": ["g3", "g6"]}, default="g3"), ["g6"]),
        (Ask("german", "advance", "6.6.1.1.3", about={"units": ["g3"], "hex": "G8"}, default=[]), [[], ["g3"]]),
        (Ask("german", "air-attack", "6.7.3", default=True), [True, False]),
        (Ask("german", "counter-battery", "7.28.1", about={"targets": ["gb1"]}, default="gb1"), ["gb1", None]),
        (Ask("german", "dischargers", "7.9", about={"units": ["g1", "g2"]}, default=[]), [[], ["g1", "g2"]]),
        (Ask("german", "formation", "7.42", about={"formations": ["german"]}, default="german"), ["german"]),
        (Ask("german", "show", "4.4.3.2.2", subject="g1", default=False), [False, True]),
        (Ask("german", "initiative", "6.3.1", default="first"), ["first", "second"]),
    ],
    ids=lambda value: value.kind if isinstance(value, Ask) else "",
)  # fmt: skip
def test_small_asks_are_answered_in_a_word(ask: Ask, answers: list[Any]) -> None:
    for answer in answers:
        said = restate(ask.kind, Submission(answer))
        assert read_answer(*a_field(), ask, said).answer == answer
    with pytest.raises(Unreadable):
        read_answer(*a_field(), ask, "g1 hold")


@pytest.mark.parametrize(
    ("kind", "answer", "said"),
    [
        ("hide", {"counters": [["C3", ["g1", "g2"]]], "dummies": ["D5", "D6"]}, ["hide g1 g2 at C3", "dummy D5 D6"]),
        ("hide", {}, ["done"]),
        ("sneak", {"reveal": ["h1"], "move": {"h2": ["C5", "C6"]}}, ["h1 reveal", "h2 sneak C5 C6"]),
        ("unveil", {"g1": ["C4", 3]}, ["g1 C4 face 3"]),
        ("keep", {"g1": ["s1", "s2"]}, ["g1 keep s1 s2"]),
        ("adjust", {"turret": {"g1": 2}, "hatch": {"g2": True}}, ["g1 turret 2", "g2 shut"]),
        ("demolish", {"feature": "f1", "attackers": ["g3"]}, ["g3 demolish f1"]),
    ],
)
def test_7_2_hidden_counters_have_words_and_asks_without_words_are_answered_all_the_same(
    kind: str, answer: Any, said: list[str]
) -> None:
    counters = {id: HiddenCounter(id=id, side="german", hex=parse_hex("C3")) for id in ("h1", "h2")}
    ask = Ask("german", kind, "7.2")
    assert restate(kind, Submission(answer)).splitlines() == said
    wall = Feature(id="f1", type="block", hex=parse_hex("F9"))
    if kind != "adjust":  # turrets are not in use here
        data, view = a_field(hidden_counters=counters, features={"f1": wall})
        assert read_answer(data, view, ask, "\n".join(said)).answer == answer


def test_7_2_2_2_counters_sneak_as_the_orders_of_the_turn_say() -> None:
    counters = {"h2": HiddenCounter(id="h2", side="german", hex=parse_hex("C4"))}
    with_counters: dict[str, Any] = {"hidden_counters": counters, "rules": ("hidden_units",)}
    orders = read("h2 sneak C5 C6\nhide g3 at F8", **with_counters)
    data, view = a_field(**with_counters)
    view.vehicles = {id: unit for id, unit in view.vehicles.items() if unit.side == "german"}
    asks = [Ask("german", kind, "7.2", about={"start": False}) for kind in ("sneak", "hide")]
    replies = [reply for ask in asks for reply in from_plan(Situation(data, view), ask, read_plan(orders.plan))]
    assert [reply.answer for reply in replies] == [
        {"move": {"h2": ["C5", "C6"]}}, {"counters": [["F8", ["g3"]]]},
    ]  # fmt: skip
    restated = restate("commands", orders)
    assert read(restated, **with_counters) == orders


def test_any_text_is_read_or_refused() -> None:
    for text in ("", "\x00", "g1", "move", "g1 move to", "((((", "together", "g1 fire fire", "1 2 3", "m1 check"):
        try:
            read(text)
        except Refusal as refused:
            assert str(refused)


def test_6_1_4_1_2_a_vehicle_in_a_position_is_told_how_to_stand() -> None:
    """house/A-49: in the Adjustment Phase a vehicle in a position may change between partial and full hull down."""
    assert read("g1 hold\ng1 partial hull-down").plan["adjust"] == {"partial": {"g1": True}}
    assert read("g1 hold\ng1 hull-down").plan["adjust"] == {"partial": {"g1": False}}


def test_6_5_1_a_call_gives_its_observer_overwatch_though_the_form_has_him_on_hold() -> None:
    """The form has a `hold` line for every unit, but a call that the player uncomments takes precedence."""
    call = "g6 call gb1 at G8 closed"
    for text in (call, f"g6 hold\n{call}", f"{call}\nrest hold"):
        assert read(text).answer["g6"] == "overwatch"
    with pytest.raises(Refusal):
        read(f"g6 move C6\n{call}")


def test_7_2_2_2_a_counter_that_sneaks_gives_its_units_a_move() -> None:
    counters = {"h1": HiddenCounter(id="h1", side="german", hex=parse_hex("C3"), units=("g2",))}
    orders = read("g2 hold\nh1 sneak C4", hidden_counters=counters, rules=("hidden_units",))
    assert orders.answer["g2"] == "move" and orders.plan["sneak"] == {"h1": ["C4"]}


@pytest.mark.rule("6.5.1.9", effect=True)
def test_6_5_1_9_a_second_call_of_an_observer_is_answered_with_what_he_can_do_with_his_first() -> None:
    mission = Mission(id="m1", side="german", observer="g6", firers=("gb1",), point=parse_hex("G8"), started=0)
    (refused,) = refusals("g6 call gb1 at G8 closed", missions={"m1": mission})
    assert list(refused.instead) == ["m1 adjust G8 closed", "m1 continue", "m1 check"]
    assert read("g6 overwatch\nm1 adjust G8 closed", missions={"m1": mission}).plan["missions"]
    (far,) = refusals("g6 call gb1 at H5 closed", missions={"m1": mission})
    assert list(far.instead) == ["m1 continue", "m1 check"]
