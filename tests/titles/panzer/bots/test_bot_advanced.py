"""Bots of the advanced game play legally from a view, the same way for the same seed; the steady one wins."""

from __future__ import annotations

from typing import Any

import pytest
from titles.panzer.advanced.builders import a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.builders import a_hex
from titles.panzer.playing import Match, begin, turns

from pbem.engine.play.bots import Bot, Choice
from pbem.engine.play.resolve import always_asked
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.rules.state import copy
from pbem.titles.panzer.bots.allotting import orders_of
from pbem.titles.panzer.bots.bot import curious_bot, in_platoons, questions, reckless_bot, steady_bot, without_refused
from pbem.titles.panzer.bots.curious import dismount_attacks, first_legal, mission_whims
from pbem.titles.panzer.bots.judgement import Judgement
from pbem.titles.panzer.command.radios import silent_platoons
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.scenario_file import Objective
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Marker, Mission, PanzerState, Unit
from pbem.titles.panzer.state import Objective as Held

DATA = advanced_data()


def state(*units: Unit, **more: Any) -> PanzerState:
    given = {"available": {"german": 1, "soviet": 9}, "turn": 1, **more}
    return an_advanced_state(*units, sides=("german", "soviet"), **given)


def ordered(*units: Unit, **more: Any) -> Any:
    return orders_of(Judgement(Situation(DATA, state(*units, **more)), "german", Choice("test")))


def to_commands(scenario: str, edition: str = "2024") -> Match:
    match = begin(scenario, edition)
    while match.run.asks[0].kind != "commands":
        match.go_on({ask.seat: ask.silence for ask in match.run.asks})
    return match


# --- orders ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", [steady_bot, reckless_bot, curious_bot])
@pytest.mark.parametrize(("scenario", "edition"), [("breach", "2024"), ("collision", "2016")])
def test_4_2_1_orders_are_legal_and_the_same_from_the_same_seed(bot: Any, scenario: str, edition: str) -> None:
    match = to_commands(scenario, edition)
    for ask in match.run.asks:
        view = match.run.view(ask.seat)
        said = bot("seed")(match.rules, view, ask)
        assert said == bot("seed")(match.rules, view, ask)
        assert match.rules.check(view, ask, said.answer) == said.answer
        assert match.rules.check_plan(view, ask, said.plan) == said.plan


def test_4_2_1_a_bot_does_not_see_what_the_enemy_hides() -> None:
    match = to_commands("delay", "2016")
    ask = match.run.asks[0]
    before = steady_bot("x")(match.rules, match.run.view(ask.seat), ask)
    other = copy(match.run.state)
    for battery in other.batteries.values():
        battery.registered = ("A1",) if battery.side != ask.seat else battery.registered
    after = steady_bot("x")(match.rules, match.rules.view(other, ask.seat), ask)
    assert before == after


def test_6_2_1_1_3_units_with_the_same_target_share_a_counter_when_commands_are_short() -> None:
    tanks = [a_tank(f"g{number}", "E5", facing=2) for number in (1, 2, 3)]
    said = ordered(*tanks, a_tank("s1", "H4", "t34_76", facing=3))
    assert said.answer == {"g1": "fire", "g2": "with g1", "g3": "with g1"}
    assert said.plan["fire"]["g2"]["aims"] == [{"targets": ["s1"]}]


def test_6_2_1_with_enough_commands_everybody_has_his_own() -> None:
    tanks = [a_tank(f"g{number}", "E5", facing=2) for number in (1, 2)]
    said = ordered(*tanks, a_tank("s1", "H4", "t34_76"), available={"german": 4})
    assert said.answer == {"g1": "fire", "g2": "fire"}


def test_6_6_1_a_squad_attacks_suppressed_infantry_beside_it() -> None:
    enemy = a_leg("s1", "E4", "soviet_rifle_squad", suppression=Marker.ON)
    said = ordered(a_leg("g1", "E5", "german_rifle_squad"), enemy)
    assert said.answer == {"g1": "move"} and said.plan["assault"]["g1"]["target"] == "s1"


def test_6_6_7_infantry_gets_off_near_the_enemy() -> None:
    carrier, squad = a_tank("g1", "E5", "opel"), a_leg("g2", "E5", "german_rifle_squad", aboard="g1")
    said = ordered(carrier, squad, a_tank("s1", "E9", "t34_76"), spotted={})
    assert said.plan["move"]["g1"]["mode"] == "stay"
    assert said.plan["move"]["g1"]["acts"][0].startswith("dismount:g2:")


def test_6_8_2_who_waits_on_foot_goes_into_full_cover() -> None:
    said = ordered(a_leg("g1", "E5", "german_rifle_squad"), a_tank("s1", "P9", "t34_76"), spotted={})
    assert said.plan["adjust"]["cover"] == {"g1": True}


def attacker(turn: int, ours: int = 3) -> Judgement:
    """German squads stand three hexes from their goal, with an enemy in sight, in any of ten turns."""
    farm = Objective("o", "The farm", (a_hex("E8"),), {"german": 50}, "end_of_turn", "soviet")
    data = advanced_data(objectives=(farm,), turns=10)
    squads = [a_leg(f"g{number}", "E5", "german_rifle_squad") for number in range(1, ours + 1)]
    held = {"o": Held(controller="soviet")}
    view = state(*squads, a_leg("s1", "G7", "soviet_rifle_squad"), turn=turn, objectives=held)
    return Judgement(Situation(data, view), "german", Choice("x"))


def test_3_6_who_is_behind_goes_when_time_runs_out_but_for_some_who_fire() -> None:
    early, late = attacker(1), attacker(8)
    assert early.behind and late.behind
    units = late.view.vehicles
    assert [early.must_go(units[id]) for id in ("g1", "g2", "g3")] == [False, False, False]
    assert [late.must_go(units[id]) for id in ("g1", "g2", "g3")] == [True, True, False], "the third fires for them"
    assert not attacker(8, ours=1).behind, "who is no stronger does not attack"


# --- what optional rules refuse, and whims ------------------------------------------------------------------------


def test_7_4_2_a_platoon_without_radios_gets_the_command_of_the_first_who_is_told_anything() -> None:
    """A unit that would have shared with a member of the platoon shares the platoon's command."""
    tanks = [a_tank(f"s{number}", "E5", "t70", side="soviet") for number in (1, 2, 3)]
    view = state(*tanks, a_tank("s4", "E5", "t34_85"), a_tank("g1", "K9"))
    data = advanced_data(rules=(*ADVANCED_RULES, "radios"))
    given = {"s2": "fire", "s3": "move", "s4": "with s3"}
    assert in_platoons(Situation(data, view), "soviet", given) == {
        "s1": "with s2", "s2": "fire", "s3": "with s2", "s4": "with s2",
    }  # fmt: skip
    assert in_platoons(Situation(DATA, view), "soviet", given) == given, "with radios everybody does as he was told"
    tanks[2].flags = ("hidden",)
    apart = silent_platoons(data, tanks)
    assert [[unit.id for unit in platoon] for platoon in apart] == [["s1", "s2"]], "7.2.2.2 who is hidden shares none"


def test_4_2_1_only_what_was_refused_is_left_out() -> None:
    view = state(a_tank("g1", "E5"), a_tank("g2", "E5"), a_tank("g3", "E5"), a_tank("g4", "E5"))
    given = {"g1": "fire", "g2": "with g1", "g3": "move", "g4": "move"}
    why = [Objection("6.2.1.1.3", "too many")]
    assert set(without_refused(view, given, Illegal("g1 fire", why))) == {"g3", "g4"}
    assert set(without_refused(view, given, Illegal("g2 with g1", why))) == {"g1", "g3", "g4"}
    assert set(without_refused(view, given, Illegal("german", why))) == {"g1", "g2", "g3"}, "the last who moves"


def test_a_whim_is_the_first_proposal_that_is_legal() -> None:
    def check(answer: Any) -> Any:
        if answer < 3:
            raise Illegal(str(answer), [Objection("0", "too small")])
        return answer

    assert first_legal([1, 2, 3, 4], check) == 3
    assert first_legal([1, 2], check) is None


def test_6_5_1_8_2_a_whim_adjusts_a_mission() -> None:
    observer = a_leg("g1", "E5", "german_section", command=Command.OVERWATCH, labels=("fo",))
    enemy = a_tank("s1", "H5", "t34_76")
    point = enemy.hex
    assert point is not None
    mission = Mission(id="m1", side="german", observer="g1", firers=("b1",), point=point, sheaf="closed")
    view = state(observer, enemy, missions={"m1": mission})
    ask = Ask("german", "mission", "6.5.1")
    first = next(mission_whims(Situation(DATA, view), ask, Choice("x")))
    assert (first["do"], first["mission"], first["firers"]) == ("adjust", "m1", ["b1"])


def test_6_6_1_1_passengers_may_attack_as_they_get_off() -> None:
    carrier, squad = a_tank("g1", "E5", "spw251"), a_leg("g2", "E5", "german_rifle_squad", aboard="g1")
    steps = set(dismount_attacks(Situation(DATA, state(carrier, squad, a_tank("s1", "E4", "t34_76"))), carrier))
    assert (f"dismount:g2:E5:{carrier.facing}:s1",) in steps


# --- whole matches ---------------------------------------------------------------------------------------------


def play(scenario: str, edition: str, bots: dict[str, Bot], most_turns: int, **more: Any) -> Match:
    match = begin(scenario, edition, "bots", **more)
    for _ in turns(match, bots):
        assert list(match.rules.flaws(match.run.state)) == []
        if match.run.state.turn > most_turns:
            break
    return match


def test_a_steady_bot_beats_one_that_does_anything() -> None:
    match = play("desert", "2024", {"italian": steady_bot("a"), "british": reckless_bot("b")}, 99)
    outcome = match.run.state.outcome
    assert outcome is not None and outcome.winner == "italian"


def test_bots_answer_every_ask_of_a_turn_when_they_are_asked() -> None:
    play("darkness", "2024", {"german": steady_bot("a"), "us": curious_bot("b")}, 1, waits=always_asked)


def test_6_5_1_a_steady_bot_calls_fire_and_a_turn_is_one_exchange() -> None:
    match = play("delay", "2016", {"german": steady_bot("a"), "soviet": steady_bot("b")}, 3)
    rules = {finding.rule for finding in match.findings}
    assert {"6.5.1.7", "4.4.1"} <= rules
    assert match.exchange <= 9


def test_a_steady_bot_without_its_plan_still_moves() -> None:
    """After a restart of the server, a bot has lost its plan and must give orders without it."""
    match = to_commands("desert")
    view = copy(match.run.view("italian"))
    for own in view.of("italian"):
        own.command = Command.MOVE if not own.aboard else None
    answer = steady_bot("new")(match.rules, view, Ask("italian", "move", "6.6", default=None)).answer
    assert answer["unit"] in view.vehicles


def test_questions_are_answered_from_a_view() -> None:
    match = to_commands("breach")
    found = [
        finding
        for number in range(6)
        for finding in questions(Situation(match.rules.data, match.run.view("axis")), "axis", Choice(number))
    ]
    assert {"6.1"} <= {finding.rule for finding in found}
