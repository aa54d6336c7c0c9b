"""6.0 The advanced game as a whole: its sequence, legal answers, and whole matches without violated invariants."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from titles.panzer.advanced.builders import a_leg, a_tank, advanced_data, an_advanced_state, changed
from titles.panzer.asking import CHECKS, OPTIONS
from titles.panzer.basic import basic_scenarios
from titles.panzer.playing import Match, begin

from pbem.engine.play.bots import random_bot
from pbem.engine.play.resolve import always_asked
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.state import copy, from_bytes, to_bytes
from pbem.titles import panzer
from pbem.titles.panzer.binding import STEPS, PanzerRules
from pbem.titles.panzer.invariants import flaws, invariants
from pbem.titles.panzer.sequence import SEQUENCE
from pbem.titles.panzer.setup.scenario_file import packaged_scenarios
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Battery, Command, Feature, HiddenCounter, Marker, Mission, PanzerState, Status
from pbem.titles.panzer.view import view_of

ADVANCED = tuple(name for name in packaged_scenarios() if name not in basic_scenarios())


# --- sequence of play ----------------------------------------------------------------------------------------


def test_6_0_every_stage_of_a_turn_is_a_step_and_every_ask_can_be_checked() -> None:
    assert {stage.step for stage in SEQUENCE} <= set(STEPS)
    assert set(OPTIONS) == set(CHECKS) == set(PanzerRules.kinds)


def test_6_0_every_ask_and_every_step_that_the_rules_name_is_known() -> None:
    """The code is read for this check, because some windows are rarely reached in play."""
    asks, steps = set(), set()
    for file in Path(str(panzer.__file__)).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            match node:
                case ast.Call(func=ast.Name(id="Ask"), args=[_, ast.Constant(value=kind), *_]):
                    asks.add(kind)
                case ast.Call(func=ast.Attribute(attr="then"), args=[ast.Constant(value=step), *_]):
                    steps.add(step)
    assert asks == set(OPTIONS)
    assert steps <= set(STEPS)


# --- whole matches -------------------------------------------------------------------------------------------


def play(scenario: str, edition: str, seed: str, turns: int) -> tuple[Match, Counter[str]]:
    """Ask bots with any legal answers at every window; every default is legal, and no invariant is violated."""
    match = begin(scenario, edition, seed, waits=always_asked)
    bot = random_bot(seed, most=6)
    kinds: Counter[str] = Counter()
    while match.run.asks and match.run.state.turn <= turns:
        answers: dict[str, Any] = {}
        for ask in match.run.asks:
            kinds[ask.kind] += 1
            view = match.run.view(ask.seat)
            match.rules.check(view, ask, match.rules.default(lambda view=view: view, ask))
            answers[ask.seat] = match.rules.check(view, ask, bot(match.rules, view, ask).answer)
        match.go_on(answers)
        assert list(match.rules.flaws(match.run.state)) == []
    return match, kinds


@pytest.mark.parametrize("scenario", [name for name in ADVANCED if name != "combined"])
def test_two_turns_of_every_scenario_are_played_without_a_flaw(scenario: str) -> None:
    edition = "2016" if scenario in ("collision", "delay") else "2024"
    match, kinds = play(scenario, edition, "short", 2)
    assert match.run.state.turn == 3
    assert {"commands", "initiative", "fire", "move", "adjust"} <= set(kinds)


def test_a_turn_of_battalion_size_is_played_without_a_flaw() -> None:
    match, _ = play("combined", "2024", "big", 1)
    assert match.run.state.turn == 2


def test_a_whole_match_ends_with_points() -> None:
    match, kinds = play("desert", "2024", "whole", 99)
    outcome = match.run.state.outcome
    assert outcome is not None and outcome.rule == "4.6.2" and "italian" in outcome.why
    assert {"flight", "mission", "overwatch", "assault"} <= set(kinds)


def test_2_0_a_state_goes_to_bytes_and_back() -> None:
    match, _ = play("collision", "2024", "bytes", 1)
    for state in match.states:
        assert from_bytes(to_bytes(state), PanzerState) == state


def test_4_2_1_within_a_turn_no_side_sees_what_the_other_hides() -> None:
    """At the start of every step, the view stays the same if the other side's hidden commands are swapped."""
    match, _ = play("desert", "2024", "secrets", 1)
    hidden = 0
    for state in match.states:
        assert isinstance(state, PanzerState)
        for side in state.sides:
            other = copy(state)
            for unit in other.vehicles.values():
                if unit.side != side and unit.face_down and not unit.shown:
                    unit.command = Command.OVERWATCH
                    hidden += 1
            assert view_of(other, side) == view_of(state, side)
    assert hidden > 20


def test_answers_are_read_as_they_are_restated() -> None:
    match = begin("desert")
    ask = match.run.asks[0]
    view = match.run.view(ask.seat)
    read = match.rules.read(view, ask, match.rules.form(view, ask))
    assert read.answer == match.rules.check(view, ask, match.rules.default(lambda view=view: view, ask))
    with pytest.raises(Refusal):
        match.rules.read(view, ask, "{not json")


def test_an_ask_of_a_kind_without_meaning_is_no_ask() -> None:
    match = begin("desert")
    with pytest.raises(KeyError):
        match.rules.check(match.run.view("italian"), Ask("italian", "surrender", "0"), None)


# --- invariants ----------------------------------------------------------------------------------------------


def sound() -> PanzerState:
    tank = a_tank("g1", "C3", command=Command.FIRE)
    squad = a_leg("g2", "C3", "german_rifle_squad", aboard="g1")
    section = a_leg("g3", "C4", "german_section", command=Command.FIRE, shares="g1")
    enemy = a_tank("s1", "H5", "t34_76", command=Command.MOVE)
    given: dict[str, Any] = {"phase": "initiative", "available": {"german": 1, "soviet": 1}}
    return an_advanced_state(tank, squad, section, enemy, sides=("german", "soviet"), **given)


def flaws_of(state: PanzerState) -> list[str]:
    return list(flaws(Situation(advanced_data(air_superiority="german"), state)))


def test_a_sound_state_has_no_flaw() -> None:
    assert flaws_of(sound()) == []
    assert len(invariants()) == len(set(invariants())) >= 12


@pytest.mark.parametrize(
    ("id", "changes", "said"),
    [
        ("g2", {"hex": a_tank("g9", "D9").hex}, "6.6.7 g2 is not with its carrier g1"),
        ("g2", {"command": Command.FIRE}, "6.6.7 g2 is a passenger, but has a command"),
        ("g2", {"aboard": "g3"}, "cannot carry it"),
        ("g2", {"full_cover": True}, "6.1.4.2 g2 is in full cover"),
        ("g1", {"status": Status.ELIMINATED, "suppression": Marker.ON}, "5.10 g1 is out of play, but suppressed"),
        ("g1", {"status": Status.ELIMINATED}, "4.4.3.2.6 g1 is out of play, but has a command"),
        ("g1", {"bailed_out": True, "command": None}, "5.15 g2 is aboard g1, which is abandoned"),
        ("g1", {"position": "e1"}, "6.1.4.3.7 g1 hold e1, which is not there"),
        ("g1", {"facing": 7}, "3.3 g1 faces 7"),
        ("g1", {"fired": True}, "4.4.1 g1 has fired without"),
        ("g3", {"command": Command.MOVE}, "share a counter, but not its command"),
        ("g3", {"shares": "s1"}, "6.2.1.1.3 g3 shares the counter of s1"),
        ("g3", {"track_hit": True}, "6.5.2.2 g3 is not a vehicle"),
        ("g3", {"command": None, "shares": ""}, "R-08 g3 has no counter"),
        ("s1", {"hex": a_tank("g9", "C3").hex}, "4.5.1.1.10"),
        ("s1", {"card": "pak38"}, "1.6 s1 is a vehicle unit"),
        ("g1", {"flags": ("bogged", "bogged")}, "7.0 g1 has a marker twice"),
        ("g1", {"flags": ("hesitating-on", "broken-off")}, "7.1.4 g1 is hesitating-on and broken-off"),
        ("g1", {"turret": 2}, "7.8 g1 has turned a turret by 2"),
        ("g3", {"flags": ("bogged",)}, "7.29 g3 is bogged"),
        ("g1", {"loads": {"A": -1}}, "5.16 g1 has a negative count"),
        ("g3", {"shares": ""}, "6.2.1.1.3 german has 2 counters for 1 commands"),
        ("s1", {"hull_down": "hd", "kind": "leg", "card": "soviet_section"}, "6.1.4.1 s1 is hull down"),
    ],
)
def test_a_flaw_is_found_and_named(id: str, changes: dict[str, Any], said: str) -> None:
    state = sound()
    state.vehicles[id] = changed(state.vehicles[id], **changes)
    assert any(said in flaw for flaw in flaws_of(state)), flaws_of(state)


def test_7_2_flaws_of_hidden_units() -> None:
    state = sound()
    hex = state.vehicles["g3"].hex
    assert hex is not None
    state.vehicles["g3"].flags, state.spotted = ("hidden",), {}
    state.hidden_counters["h1"] = HiddenCounter(id="h1", side="german", hex=hex, units=("g3",))
    assert flaws_of(state) == []
    state.hidden_counters["h2"] = HiddenCounter(id="h2", side="nobody", hex=hex, units=("g3", "g1"))
    state.spotted = {"s1": ["g3"]}
    state.vehicles["g1"].flags = ()
    said = "\n".join(flaws_of(state))
    assert "7.2.1 h2 is off the map or without a side" in said and "7.2.1 g3 is under h1 and h2" in said
    assert "7.2.1 g1 is under h2, but not hidden there" in said
    assert "7.2.3 s1 has spotted g3, which is hidden" in said


def test_6_5_1_flaws_of_batteries() -> None:
    state = sound()
    point = state.vehicles["s1"].hex
    assert point is not None
    state.batteries["b1"] = Battery(id="b1", name="Guns", side="german", card="german_light", registered=("H5",))
    given: dict[str, Any] = {"side": "german", "observer": "g3", "firers": ("b1",), "point": point, "done_in": 1}
    state.missions["m1"] = Mission(id="m1", **given)
    assert flaws_of(state) == []
    state.missions["m2"] = Mission(id="m2", **given)
    battery = state.batteries["b1"]
    battery.registered, battery.knocked_out, battery.landed_in = ("ZZ99",), True, 1
    said = "\n".join(flaws_of(state))
    assert "6.5.1.3 b1 fires m1 and m2" in said and "6.5.1.4 b1 is registered off the map" in said
    assert "7.28.2 b1 is knocked out, but fires m1" in said


def test_flaws_of_features_and_missions() -> None:
    state = sound()
    far = a_tank("g9", "ZZ99").hex
    assert far is not None
    state.features["w1"] = Feature(id="w1", type="wire", hex=far, known=("nobody",))
    said = "\n".join(flaws_of(state))
    assert "6.1.4.3 w1 is off the map" in said and "6.1.4.3.8 w1 is known to an unknown side" in said
