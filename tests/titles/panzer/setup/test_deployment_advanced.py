"""2.0 Preparation for an advanced match: the state before the first turn, secret plots, and placing units."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest
from support.rules import assert_rule
from titles.panzer.playing import Match, begin

from pbem.engine.geometry.hexes import hex_name, parse_hex
from pbem.engine.play.run import Run
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import seen_by
from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.binding import PanzerRules
from pbem.titles.panzer.cards.files import packaged
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.setup.deployment import initial_state, to_place
from pbem.titles.panzer.setup.plotting import plot_options, plots
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Damage, Inside, PanzerState, Status
from pbem.titles.panzer.title import Panzer


@cache
def rules_of(scenario: str, *changes: tuple[str, str], edition: str = "") -> PanzerRules:
    """Read the rules of a packaged scenario with some words replaced."""
    blobs = Panzer().freeze(scenario, {"edition": edition} if edition else {})
    setup = blobs["scenario"].decode()
    for before, after in changes:
        assert before in setup
        setup = setup.replace(before, after, 1)
    rules = Panzer().rules(blobs | {"scenario": setup.encode()})
    assert isinstance(rules, PanzerRules)
    return rules


def data_of(scenario: str, *changes: tuple[str, str], edition: str = "") -> PanzerData:
    return rules_of(scenario, *changes, edition=edition).data


def started(scenario: str, *changes: tuple[str, str]) -> Match:
    rules = rules_of(scenario, *changes)
    match = Match(rules, "1", Run(rules, rules.setup(())))
    match.go_on()
    return match


def answer(match: Match, **answers: Any) -> None:
    checked = {}
    for seat, given in answers.items():
        ask = match.run.ask_of(seat)
        assert ask is not None
        checked[seat] = match.rules.check(match.run.view(seat), ask, given)
    match.go_on(checked)


def refused(match: Match, seat: str, given: Any) -> Refusal:
    ask = match.run.ask_of(seat)
    assert ask is not None
    with pytest.raises(Refusal) as refusal:
        match.rules.check(match.run.view(seat), ask, given)
    return refusal.value


# --- 2.0 the state before the first turn ---------------------------------------------------------------------


def test_2_0_units_with_a_choice_wait_and_all_others_stand_where_the_scenario_says() -> None:
    data = data_of("breach")
    state = initial_state(data)
    waiting = {unit.id for unit in data.scenario.units if unit.area}
    assert {unit.id for unit in state.vehicles.values() if unit.status is Status.RESERVE} >= waiting
    gun = state.vehicles["fl1"]
    assert gun.status is Status.ON_MAP and gun.kind == "towed" and gun.hex == parse_hex("P10")
    assert (gun.position, state.features["po1"].holder, gun.dump) == ("po1", "fl1", gun.hex)  # 6.1.4.3.7, 5.16.2.4
    assert state.features["mi1"].known == ("axis",) and state.features["wi1"].known == ("axis", "british")


def test_2_0_passengers_wait_with_their_carriers_and_aircraft_have_their_usual_load() -> None:
    state = initial_state(data_of("collision"))
    late = state.vehicles["ms9"]
    assert (late.aboard, late.status, late.entry_turn, late.kind) == ("ms10", Status.RESERVE, 2, "towed")
    assert state.vehicles["ms2"].status is Status.RESERVE  # its tank is yet to be placed
    assert initial_state(data_of("combined")).aircraft["ju1"].load == "bombs"  # 6.7.1


@pytest.mark.parametrize(("edition", "damage"), [("2024", Damage.HULL), ("2016", Damage.WHOLE)])
def test_6_5_2_2_4_a_vehicle_that_begins_damaged(edition: str, damage: Damage) -> None:
    damaged = ('{id = "ih1", name = "M13-HQ"', '{id = "ih1", damaged = true, name = "M13-HQ"')
    assert initial_state(data_of("desert", damaged, edition=edition)).vehicles["ih1"].damage is damage


# --- 6.5.1.4, 6.5.1.11, 6.7.1 plots ----------------------------------------------------------------------------

PLOT: dict[str, Any] = {
    "registered": {"bg1": ["O8"]},
    "planned": [
        {"battery": "bg1", "turn": 1, "legs": [["O8", "smoke", "closed", 0], ["P8", "gp", "closed_linear", 2]]},
        {"battery": "bg2", "turn": 2, "legs": [["O6", "gp", "open", 0]]},
    ],
}


@pytest.mark.rule("6.5.1.4", effect=True)
def test_6_5_1_4_both_sides_plot_sealed_and_before_any_unit_is_placed() -> None:
    match = started("breach")
    assert [ask.kind for ask in match.run.asks] == ["plot", "plot"]
    assert all(ask.grade == "order" for ask in match.run.asks)
    assert match.run.ask_of("axis").about == {"registered": {"ab1": 2}}
    answer(match, axis={}, british=PLOT)
    state = match.run.state
    assert state.batteries["bg1"].registered == ("O8",)
    planned = [(plan.battery, plan.turn, len(plan.legs)) for plan in state.planned.values()]
    assert planned == [("bg1", 1, 2), ("bg2", 2, 1)]
    assert [ask.kind for ask in match.run.asks] == ["deploy"]


@pytest.mark.rule("6.5.1.4", "6.5.1.11.1")
def test_6_5_1_11_1_what_is_plotted_is_told_to_its_owner_alone() -> None:
    match = started("breach")
    answer(match, axis={"registered": {"ab1": ["H10"]}}, british=PLOT)
    assert_rule(match.findings, "6.5.1.4", inputs={"battery": "bg1"}, result=["O8"])
    assert_rule(match.findings, "6.5.1.11.1", inputs={"battery": "bg2", "turn": 2})
    told = [(finding.rule, finding.inputs.get("battery")) for finding in seen_by(match.findings, "axis")]
    assert ("6.5.1.4", "ab1") in told and ("6.5.1.4", "bg1") not in told
    assert all(rule != "6.5.1.11.1" for rule, _ in told)


@pytest.mark.rule("6.5.1.11.1", effect=True)
@pytest.mark.parametrize(
    ("plot", "rule"),
    [
        ({"registered": {"bg1": ["O8", "O9"]}}, "6.5.1.4"),
        ({"registered": {"bg2": ["O8"]}}, "6.5.1.4"),
        ({"registered": {"bg1": ["Z99"]}}, "1.2"),
        ({"planned": [{"battery": "ab1", "turn": 1, "legs": [["O8", "gp", "open", 0]]}]}, "6.5.1.11"),
        ({"planned": [{"battery": "bg1", "turn": 1, "legs": [["O8", "gp", "open", 0]] * 5}]}, "6.5.1.11"),
        (
            {"planned": [{"battery": "bg1", "turn": 1, "legs": [[hex, "gp", "open", 0] for hex in ("O8", "A1")]}]},
            "6.5.1.11.3",
        ),
        ({"planned": [{"battery": "bg1", "turn": 1, "legs": [["O8", "gas", "open", 0]]}]}, "2.0"),
        (
            {"planned": [{"battery": "bg1", "turn": turn, "legs": [["O8", "gp", "open", 0]]} for turn in (1, 2)]},
            "6.5.1.11.1",
        ),
        ({"planned": [{"battery": "bg1", "turn": 1, "legs": [["O8", "illumination", "closed", 0]]}]}, "6.5.1.6.2"),
        ({"loads": {"ju1": "bombs"}}, "6.7.1"),
        ({"features": {"wi1": ["M8", 1]}}, "6.1.4.3"),
        ({"sabotage": True}, "2.0"),
    ],
)
def test_6_5_1_11_1_a_plot_that_the_scenario_does_not_allow_is_refused(plot: dict[str, Any], rule: str) -> None:
    assert_rule(refused(started("breach"), "british", plot), rule)


@pytest.mark.rule("6.7.1")
def test_6_7_1_who_has_bombs_and_rockets_chooses_one() -> None:
    match = started("desert", ('card = "cr42"', 'card = "typhoon"'))
    answer(match, italian={"loads": {"cr1": "rockets"}}, british={})
    assert match.run.state.aircraft["cr1"].load == "rockets"
    assert_rule(match.findings, "6.7.1", inputs={"aircraft": "cr1"}, result="rockets")
    assert match.run.view("british").aircraft["cr1"].load == ""
    assert "loads" not in plots(data_of("desert"), "italian")  # a Falco has bombs only


@pytest.mark.rule("2.0", "6.1.4.3")
def test_6_1_4_3_features_can_be_placed_by_their_owner() -> None:
    changed = ('side = "axis"\nof = "both"', 'side = "axis"\narea = "ridge"\nof = "both"')
    match = started("breach", changed, ('"M6", "L8", "L9", "L13"', '"M6", "N8", "N9", "N13"'))
    assert_rule(refused(match, "axis", {"features": {"mi1": ["H8", 1]}}), "2.0")
    assert_rule(refused(match, "axis", {"features": {"mi1": ["Q7", 1]}}), "6.1.4.3")
    answer(match, axis={"features": {"mi1": ["M7", 1]}}, british={})
    assert match.run.state.features["mi1"].hex == parse_hex("M7")
    assert "mi1" not in match.run.view("british").features


@pytest.mark.rule("6.5.1.4", effect=True)
def test_6_5_1_4_no_random_plot_registers_a_point_twice() -> None:
    """The random bot once registered K3 twice for one battery, which is refused."""
    match = started("breach")
    ask = msgspec.structs.replace(match.run.ask_of("axis"), about={"registered": {"ab1": 40}})
    offered = [
        plot["registered"]["ab1"] for plot in plot_options(Situation(match.rules.data, match.run.state), ask) if plot
    ]
    assert offered and all(len(set(points)) == len(points) for points in offered)


@pytest.mark.rule("6.5.1.4", effect=True)
def test_6_5_1_4_without_anything_to_plot_nobody_is_asked() -> None:
    assert [ask.kind for ask in started("collision").run.asks] == ["deploy"]


# --- 2.0 placing units -----------------------------------------------------------------------------------------


@pytest.mark.rule("6.6.7")
def test_2_0_units_stand_where_they_are_put_and_passengers_with_their_carriers() -> None:
    match = started("collision")
    answer(match, german={"pz1": ["g10", 2], "ge2": ["F10", 3], "gp1": ["F11", 4]})
    units = match.run.state.vehicles
    assert (hex_name(units["pz1"].hex), units["pz1"].facing) == ("G10", 2)
    assert (units["ge1"].aboard, hex_name(units["ge1"].hex)) == ("ge2", "F10")
    assert (units["gp1"].aboard, hex_name(units["gp1"].hex), units["gp1"].dump) == ("", "F11", units["gp1"].hex)
    assert_rule(match.findings, "6.6.7", inputs={"unit": "ge1"}, result="ge2")
    answer(match, soviet={})
    state = match.run.state
    assert (state.turn, state.phase, [ask.kind for ask in match.run.asks]) == (1, "command", ["commands", "commands"])
    assert list(match.rules.flaws(state)) == []


def test_6_6_7_1_a_unit_can_be_put_aboard_if_there_is_room() -> None:
    match = started("collision")
    answer(match, german={"gp1": ["F11", 4], "gp3": ["aboard", "gp4"], "gp2": ["F12", 1]})
    assert match.run.state.vehicles["gp3"].aboard == "gp4"


@pytest.mark.parametrize(
    ("places", "rule"),
    [
        ({"pz1": ["Z9", 2]}, "2.0"),
        ({"pz1": ["nowhere", 2]}, "1.2"),
        ({"pz1": ["G10", 7]}, "3.3"),
        ({"pz1": ["E2", 2]}, "2.0"),
        ({"tk1": ["G10", 2]}, "2.0"),
        ({"ge1": ["aboard", "gp4"], "ge3": ["aboard", "gp4"]}, "6.6.7.1"),
        ({"pz2": ["aboard", "pz1"]}, "6.6.7.1"),
        ({"ge1": ["aboard", "ms10"]}, "6.6.7"),
        ({"pz1": "G10"}, "2.0"),
    ],
)
def test_2_0_a_place_that_is_not_legal_is_refused_with_its_rule(places: dict[str, Any], rule: str) -> None:
    assert_rule(refused(started("collision"), "german", places), rule)


@pytest.mark.rule("4.5.1.1.2")
def test_4_5_1_1_2_closed_terrain_takes_no_vehicle_but_walkers() -> None:
    """Heavy woods of the 2016 book are closed to vehicles; wire is closed to leg units (6.1.4.3.11)."""
    match = started("delay")
    answer(match, german={}, soviet={})
    assert_rule(refused(match, "german", {"ag1": ["L12", 2]}), "4.5.1.1.2")
    match.rules.check(match.run.view("german"), match.run.ask_of("german"), {"ri1": ["L12", 2]})


@pytest.mark.rule("6.1.4.3.7", "6.1.4.3", effect=True)
def test_6_1_4_3_7_whoever_is_placed_in_a_position_holds_it() -> None:
    match = started("delay")
    answer(match, german={}, soviet={})
    answer(match, german={"ri5": ["K12", 2], "ri6": ["K12", 2], "dg6": ["F9", 2], "dg1": ["C8", 2]})
    units = match.run.state.vehicles
    assert units["ri5"].position == "en4" and units["ri6"].position == ""  # it holds one
    assert match.run.state.features["en4"].holder == "ri5"
    assert units["dg6"].inside is Inside.NO  # only at home was it upstairs
    assert units["dg1"].full_cover and units["dg1"].dump == parse_hex("C8")


@pytest.mark.parametrize("scenario", ["breach", "collision", "combined", "darkness", "delay", "desert"])
def test_r_02_defaults_and_options_of_set_up_are_legal_and_leave_no_flaw(scenario: str) -> None:
    rules = rules_of(scenario)
    state = rules.setup(())
    for side in state.sides:
        for kind in ("plot", "deploy"):
            ask = Ask(side, kind, "2.0", about=plots(rules.data, side) if kind == "plot" else {}, default={})
            for _, option in zip(range(4), rules.options(rules.view(state, side), ask), strict=False):
                rules.check(rules.view(state, side), ask, option)
        assert to_place(rules.data, side)
    match = begin(scenario, rules.data.edition)
    while match.run.asks and match.run.asks[0].kind != "commands":
        match.go_on()
    assert isinstance(match.run.state, PanzerState)
    assert list(rules.flaws(match.run.state)) == []


def test_1_0_a_match_of_the_basic_game_freezes_what_it_always_did() -> None:
    blobs = Panzer().freeze("duel", {})
    assert not any(name.startswith("cards/") for name in blobs)
    assert set(Panzer().freeze("desert", {})) > set(blobs)
    assert blobs["scenario"] == packaged("scenarios/duel.toml") and blobs["options"] == b"{}"


def test_2_0_done_leaves_everybody_where_the_scenario_has_him() -> None:
    """R-02: a side may send `done` instead of the whole form."""
    for scenario in ("crossroads", "desert"):
        match = begin(scenario)
        while (ask := match.run.asks[0]).kind != "deploy":
            match.order(**{ask.seat: "done" for ask in match.run.asks})
        assert match.rules.read(match.run.view(ask.seat), ask, "done").answer == {}
