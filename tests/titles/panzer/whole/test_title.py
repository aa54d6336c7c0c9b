"""4.0 The title as a whole: the sequence of play, legal answers, invariants and whole matches."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.basic import basic_scenarios
from titles.panzer.playing import Match, begin, play, rules_of, turns

from pbem.engine.geometry.hexes import Hex, parse_hex
from pbem.engine.play.resolve import always_asked
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import MASTER, PUBLIC
from pbem.engine.rules.refusals import Refusal, Refusals, Unreadable
from pbem.engine.rules.state import copy, from_bytes, to_bytes
from pbem.engine.rules.title import Rules, Title
from pbem.titles import panzer
from pbem.titles.panzer.binding import STEPS
from pbem.titles.panzer.bots.bot import reckless_bot, steady_bot
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.data_set import basic_data_set as data_set
from pbem.titles.panzer.freezing import freeze
from pbem.titles.panzer.sequence import BASIC_STEPS
from pbem.titles.panzer.sighting.spotting import PHASES
from pbem.titles.panzer.state import Command, PanzerState, Spot, Status, Wreck
from pbem.titles.registry import TITLES

# --- the title -----------------------------------------------------------------------------------------------


def test_the_registry_has_panzer_as_a_title() -> None:
    title: Title = TITLES["panzer"]
    rules: Rules = title.rules(title.freeze("duel", {}))
    assert title.name == "panzer"
    assert basic_scenarios() == ("battalion", "crossroads", "duel")
    assert set(basic_scenarios()) < set(title.scenarios)
    assert rules.seats == ("german", "british")


def test_the_package_lists_its_modules() -> None:
    """The index lists all modules and nothing else, so that a newcomer can find the right file."""
    files = [file for file in Path(str(panzer.__file__)).parent.rglob("*.py") if file.name != "__init__.py"]
    listed = re.findall(r"^ {4}.{13} ([a-z_]+) +\S", panzer.__doc__ or "", re.MULTILINE)
    assert sorted(listed) == sorted(file.stem for file in files)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("scenario", basic_scenarios())
def test_2_0_every_scenario_can_be_played_by_both_books(scenario: str, edition: str) -> None:
    rules = rules_of(scenario, edition)
    assert rules.data.edition == rules.data.charts.edition == edition
    assert list(rules.flaws(rules.setup(()))) == []


def test_2_0_matches_with_the_same_blobs_share_their_data() -> None:
    assert data_set(freeze("duel", {})) is data_set(freeze("duel", {}))
    assert data_set(freeze("duel", {})) is not data_set(freeze("duel", {"edition": "2016"}))


def test_2_0_without_the_option_a_scenario_keeps_its_own_edition() -> None:
    assert data_set(freeze("duel", {})).edition == "2024"
    assert data_set(freeze("crossroads", {})).edition == "2016"


def test_2_0_unknown_scenarios_and_options_are_refused_together() -> None:
    with pytest.raises(Refusals) as refused:
        freeze("dual", {"edition": "1979", "weather": "mud"})
    assert [refusal.part for refusal in refused.value.refusals] == ["dual", "weather", "1979"]
    assert refused.value.refusals[0].instead == ("duel",)


def test_2_0_a_data_set_reads_its_own_charts() -> None:
    """An owner's charts that are frozen with a match replace the packaged charts of the same names."""
    blobs = freeze("duel", {})
    own = blobs["charts/general.toml"].replace(b"overstacked_from = [6", b"overstacked_from = [5")
    assert own != blobs["charts/general.toml"]
    assert data_set(blobs | {"charts/general.toml": own}).charts.overstacked_from == 5


# --- sequence of play ----------------------------------------------------------------------------------------


@pytest.mark.rule("4.0")
@pytest.mark.parametrize("edition", EDITIONS)
def test_4_0_the_phases_of_a_turn_come_in_the_printed_order(edition: str) -> None:
    match = begin("duel", edition)
    match.order(german="rest hold", british="rest hold")
    assert_rule(match.findings, "4.0", inputs={"turn": 1, "of": 4}, result=list(PHASES))
    phases = [state.phase for state in match.states if state.turn == 1]
    assert list(dict.fromkeys(phases)) == ["deployment", *PHASES[:-1]]  # the Adjustment Phase leads to turn 2
    assert match.run.state.turn == 2


def test_4_0_fire_goes_first_to_second_player_and_movement_the_other_way() -> None:
    match = begin("duel", seed="order")
    match.order(german="rest move", british="rest move")
    told = [(finding.rule, finding.inputs["player"]) for finding in match.findings if finding.rule in ("4.4", "4.5")]
    assert told == [("4.4", "first"), ("4.4", "second"), ("4.5", "second"), ("4.5", "first")]


def test_every_step_that_a_step_names_is_known() -> None:
    match = play("crossroads", "2016", "steps", reckless_bot)
    named = {state.next.name for state in match.states if state.next is not None}
    assert {*BASIC_STEPS, "deployment_step", "no_move_step"} <= named <= set(STEPS)
    assert not named & {"air_phase", "indirect_fire_step", "close_combat_step"}


# --- whole matches -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", ["1", "2", "3"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_whole_duels_end_without_a_flaw(edition: str, seed: str) -> None:
    match = play("duel", edition, seed, steady_bot)
    assert match.run.state.outcome is not None
    assert match.run.state.outcome.rule == "4.6.2"
    assert flaws_of(match) == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_duel_in_which_every_window_waits_ends_without_a_flaw(edition: str) -> None:
    """With `reactions = "ask"`, every ask goes to a bot that gives random legal answers."""
    match = play("duel", edition, "windows", reckless_bot, waits=always_asked)
    assert match.exchange > 30
    assert flaws_of(match) == []


def test_a_match_with_set_up_and_reinforcements_ends_without_a_flaw() -> None:
    match = play("crossroads", "2016", "entry", reckless_bot)
    assert flaws_of(match) == []
    late = [unit.id for unit in match.rules.data.scenario.units if unit.turn]
    assert any(match.run.state.vehicles[unit].status is not Status.RESERVE for unit in late)


def flaws_of(match: Match) -> list[str]:
    return [flaw for state in (*match.states, match.run.state) for flaw in match.rules.flaws(state)]


def test_the_same_match_gives_the_same_bytes() -> None:
    first, second = (play("duel", "2024", "same", steady_bot) for _ in range(2))
    assert to_bytes(first.run.state) == to_bytes(second.run.state)
    assert first.findings == second.findings


def test_states_and_views_survive_the_way_through_json() -> None:
    match = begin("duel")
    for viewer in (*match.rules.seats, PUBLIC, MASTER):
        view = match.run.view(viewer)
        assert from_bytes(to_bytes(view), PanzerState) == view


# --- answers -------------------------------------------------------------------------------------------------


def test_defaults_and_options_are_legal() -> None:
    """For every ask of a match, the default and the first options pass the check, which changes nothing."""
    match = begin("duel", "2024", "options", waits=always_asked)
    kinds = set()
    bots = {seat: reckless_bot(seat) for seat in match.rules.seats}
    for _ in turns(match, bots):
        for ask in match.run.asks:
            kinds.add(ask.kind)
            check_answers(match.rules, match.run.view(ask.seat), ask)
    assert {"commands", "initiative", "fire", "show", "overwatch", "move"} <= kinds


def check_answers(rules: Any, view: PanzerState, ask: Ask) -> None:
    rules.check(view, ask, rules.default(lambda: view, ask))
    for option, _ in zip(rules.options(view, ask), range(12), strict=False):
        checked = rules.check(view, ask, option)
        assert rules.check(view, ask, checked) == checked


@pytest.mark.parametrize(
    "kind", ["deploy", "commands", "initiative", "fire", "show", "angle", "overwatch", "move", "reroute"]
)
def test_nonsense_is_refused_whatever_is_asked(kind: str) -> None:
    match = begin("duel")
    view = match.run.view("german")
    progress = {"mode": "cross", "allowances": {"cross": 4, "path": 6, "road": 9}, "hex": [6, 12], "facing": 3}
    about = {"targets": ["br1"], "angles": ["front", "rear"], "progress": progress, "engaged": [], "rest": []}
    with pytest.raises(Refusal):
        match.rules.check(view, Ask("german", kind, "4.0", subject="ge1", about=about), {"nonsense": ["br9"]})


def test_4_2_1_a_plan_that_names_strangers_is_refused() -> None:
    match = begin("duel")
    ask = match.run.asks[0]
    view = match.run.view(ask.seat)
    with pytest.raises(Refusals) as refused:
        match.rules.check_plan(view, ask, {"move": {"br1": {}}, "fire": {"ge1": {"aims": [{"targets": ["ge2"]}]}}})
    assert [refusal.part for refusal in refused.value.refusals] == ["br1", "ge2"]
    for wrong in ([], {"dance": {}}, {"fire": {"ge1": 3}}, {"move": {"ge1": {"mode": "air"}}}):
        with pytest.raises(Unreadable):
            match.rules.check_plan(view, ask, wrong)


# --- invariants ----------------------------------------------------------------------------------------------

Break = Callable[[PanzerState], object]


def put(state: PanzerState, unit: str, **values: Any) -> None:
    for name, value in values.items():
        setattr(state.vehicles[unit], name, value)


FLAWS: dict[str, Break] = {
    "not in one of its hexes": lambda state: put(state, "ge1", hex=Hex(99, 1)),
    "is reserve, but in": lambda state: put(state, "ge1", status=Status.RESERVE),
    "faces 7": lambda state: put(state, "ge1", facing=7),
    "before its turn of entry": lambda state: put(state, "ge1", entry_turn=9),
    "has fired without": lambda state: put(state, "ge1", fired=True, command=Command.MOVE, revealed=True),
    "has shown a command": lambda state: put(state, "ge1", shown=True, command=Command.FIRE),
    "has left the map, but not by an edge": lambda state: put(state, "ge1", status=Status.EXITED, hex=None),
    "share F6": lambda state: put(state, "br1", hex=parse_hex("F6")),
    "has spotted its friend": lambda state: state.spotted.update(ge1=["ge2"]),
    "has a wreck, but no vehicle was lost there": lambda state: state.wrecks.update(C3=Wreck(brewed_up=True)),
    "there is no turn 5": lambda state: setattr(state, "turn", 5),
    "italian is not a side": lambda state: setattr(state, "first", "italian"),
    "controls well but is not a side": lambda state: setattr(state.objectives["well"], "controller", "italian"),
}


@pytest.mark.parametrize("told", FLAWS)
def test_every_invariant_can_be_broken(told: str) -> None:
    match = begin("duel")
    state = copy(match.run.state)
    assert list(match.rules.flaws(state)) == []
    FLAWS[told](state)
    assert any(told in flaw for flaw in match.rules.flaws(state))


def test_4_6_1_markers_and_counters_are_taken_in_between_turns() -> None:
    match = begin("duel", seed="taken in")
    match.order(german="rest move", british="rest hold")
    for vehicle in match.run.state.of("german"):
        assert vehicle.spot is Spot.MOVE
        assert vehicle.command is None
        assert not vehicle.moved
