"""2.0 Preparation for play: the scenario's placements, set-up areas and reserves."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.panzer.basic import basic_scenarios
from titles.panzer.builders import a_board, a_data_set, packaged_scenario, run_steps

from pbem.engine.geometry.hexes import hex_name, parse_hex
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal, Refusals, Unreadable
from pbem.engine.rules.state import copy
from pbem.engine.rules.table import Table
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.cards.cards import cards
from pbem.titles.panzer.cards.charts import charts
from pbem.titles.panzer.data_set import basic_data
from pbem.titles.panzer.fire.turrets import turrets_step
from pbem.titles.panzer.setup.deployment import check_deploy, deploy_options, deployment_step, initial_state
from pbem.titles.panzer.setup.plotting import plot_step
from pbem.titles.panzer.setup.scenario import as_advanced
from pbem.titles.panzer.setup.scenario_file import Area, Objective, Unit
from pbem.titles.panzer.sighting.hidden_orders import hiding_step
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Spot, Status

both_editions = pytest.mark.parametrize("edition", EDITIONS)
STEPS = {step.__name__: step for step in (plot_step, deployment_step, turrets_step, hiding_step)}
DEPLOY = Ask("german", "deploy", "2.0", default={}, grade="order")


def a_unit(id: str, hex: str = "", area: str = "", **more: Any) -> Unit:
    side, card = {"g": ("german", "pz4h"), "s": ("soviet", "t34_76")}[id[0]]
    place = parse_hex(hex) if hex else None
    return Unit(id, id, side, side, more.pop("card", card), 1, hex=place, facing=3 if hex else 0, area=area, **more)


def area(id: str, side: str, *hexes: str) -> Area:
    return Area(id, side, tuple(map(parse_hex, hexes)))


def a_setup(*units: Unit, edition: Any = "2024", board: Any = None, **more: Any) -> Any:
    """Return a scenario's data with a German and a Soviet area that share C5."""
    areas = {
        "west": area("west", "german", "A1", "B1", "C5", "C6"),
        "east": area("east", "soviet", "C5", "D5", "E5"),
    }
    return a_data_set(board, edition=edition, units=units, areas=areas, **more)


def deployed(data: Any, **answers: Any) -> tuple[Any, Any]:
    table: Any = Table(initial_state(data), None, data)  # type: ignore[arg-type]
    return table, run_steps(table, STEPS, {(side, "deploy"): [answer] for side, answer in answers.items()})


# --- the state before the first turn -------------------------------------------------------------------------


def test_2_0_units_begin_where_the_scenario_has_them():
    """R-02: units have no marker or damage unless the scenario says so.

    Units with areas are still to be placed, and reinforcements are in reserve.
    """
    hill = Objective("hill", "Hill", (parse_hex("C5"),), {}, "complete_turn", "soviet")
    data = a_setup(
        a_unit("g2", "A1", "west"),
        a_unit("g1", "B1", damaged=True),
        a_unit("g3", turn=2, entry=(parse_hex("A1"),)),
        objectives=(hill,),
    )

    state = initial_state(data, ("a switch",))

    first, second, third = state.vehicles.values()
    assert [first.id, second.id, third.id] == ["g1", "g2", "g3"]
    assert (first.status, hex_name(first.hex), first.facing, first.damaged) == (Status.ON_MAP, "B1", 3, True)
    assert (second.status, second.hex, second.damaged) == (Status.RESERVE, None, False)
    assert (third.status, third.hex, third.entry_turn) == (Status.RESERVE, None, 2)
    assert all(vehicle.marker is Spot.NONE and vehicle.command is None for vehicle in state.vehicles.values())
    assert state.objectives["hill"].controller == "soviet"
    assert (state.sides, state.switches, state.turn) == (("german", "soviet"), ("a switch",), 1)
    assert copy(state) == state


@pytest.mark.parametrize("name", basic_scenarios())
def test_2_0_every_packaged_scenario_can_be_set_up_by_default(name):
    """If no side makes a choice, every unit is where the scenario puts it."""
    scenario = packaged_scenario(name)
    table, _ = deployed(basic_data(as_advanced(scenario), charts(scenario.edition), cards()))

    for unit in scenario.units:
        vehicle = table.state.vehicles[unit.id]
        assert vehicle.hex == unit.hex
        assert vehicle.status is (Status.RESERVE if unit.turn else Status.ON_MAP)
    assert table.state.next.name == "spotting_phase"


# --- set-up --------------------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("2.0")
def test_2_0_sides_place_their_units_in_the_order_of_the_scenario(edition):
    """R-02: a side may use any hex and facing in its area and sees earlier placements, so the next side waits."""
    data = a_setup(a_unit("g1", "A1", "west"), a_unit("s1", "D5", "east"), edition=edition)

    table, played = deployed(data, german={"g1": ["C6", 5]}, soviet={"s1": ["C5", 6]})

    assert played.sequence == [("german", "deploy"), ("soviet", "deploy")]
    assert all(ask.grade == "order" for ask in played.asks)
    placed = {unit: (hex_name(vehicle.hex), vehicle.facing) for unit, vehicle in table.state.vehicles.items()}
    assert placed == {"g1": ("C6", 5), "s1": ("C5", 6)}
    assert_rule(played.findings, "2.0", inputs={"unit": "g1", "area": "west", "facing": 5}, result="C6")


def test_2_0_a_side_without_areas_is_not_asked():
    table, played = deployed(a_setup(a_unit("g1", "A1"), a_unit("s1", "D5")))

    assert not played.asks
    assert table.state.next.name == "spotting_phase"


def test_2_0_a_place_that_an_enemy_took_is_left_for_the_nearest_free_one():
    """R-02: the Germans took C5 first, so by default s1 goes to another hex of its area."""
    data = a_setup(a_unit("g1", "A1", "west"), a_unit("s1", "C5", "east"))

    table, _ = deployed(data, german={"g1": ["C5", 1]})

    assert hex_name(table.state.vehicles["s1"].hex) == "D5"


def test_3_6_units_set_up_in_an_objective_hold_it_at_the_start_of_turn_one():
    """R-03: a unit set up in an objective hex counts as being there when turn one starts."""
    hill = Objective("hill", "Hill", (parse_hex("C5"),), {}, "complete_turn", "")

    table, _ = deployed(a_setup(a_unit("g1", "A1", "west"), objectives=(hill,)), german={"g1": ["C5", 1]})

    assert table.state.objectives["hill"].held_at_start == "german"


# --- answers -------------------------------------------------------------------------------------------------


def refusal_of(data: Any, answer: Any, view: Any = None) -> Any:
    with pytest.raises((Illegal, Refusals, Unreadable)) as refusal:
        check_deploy(Situation(data, view or initial_state(data)), DEPLOY, answer)
    return refusal.value


@both_editions
@pytest.mark.rule("2.0", "3.3")
def test_2_0_only_in_its_area_and_facing_a_hexside(edition):
    """R-02, 3.3: the refusal names every mistake, and a legal place."""
    data = a_setup(a_unit("g1", "A1", "west"), a_unit("g2", "B1", "west"), a_unit("g3", "C6"), edition=edition)

    refusal = refusal_of(data, {"g1": ["E5", 7], "g2": ["C5", 2], "g3": ["C5", 1], "s1": ["C5", 1]})

    assert_rule(refusal, "2.0")
    assert_rule(refusal, "3.3")
    assert [single.part for single in refusal.refusals] == ["g1 E5", "g3", "s1"]
    assert refusal.refusals[0].instead == ("A1",)


@pytest.mark.rule("4.5.1.1.2")
def test_2_0_not_in_closed_terrain():
    """R-02: a unit may be placed in any legal hex, such as a road through water, but not in closed terrain."""
    wet = a_setup(a_unit("g1", "A1", "west"), board=a_board(signs={"C5": "o"}))
    road = a_setup(a_unit("g1", "A1", "west"), board=a_board(signs={"C5": "o"}, links={"road": ["C4-C5-C6"]}))

    assert_rule(refusal_of(wet, {"g1": ["C5", 1]}), "4.5.1.1.2")
    assert check_deploy(Situation(road, initial_state(road)), DEPLOY, {"g1": ["c5", 1]}) == {"g1": ["C5", 1]}


@pytest.mark.rule("4.5.1.1.10")
def test_2_0_not_with_an_enemy():
    data = a_setup(a_unit("g1", "A1", "west"), a_unit("s1", "C5"))

    assert_rule(refusal_of(data, {"g1": ["C5", 1]}), "4.5.1.1.10")


@pytest.mark.parametrize("answer", [None, [], {"g1": "C5"}, {"g1": ["C5"]}, {"g1": ["Nowhere", 1]}])
def test_2_0_answers_of_the_wrong_shape_are_unreadable(answer):
    assert isinstance(refusal_of(a_setup(a_unit("g1", "A1", "west")), answer), Unreadable)


@settings(max_examples=5)
@given(edition=st.sampled_from(EDITIONS))
def test_2_0_every_option_is_legal_and_so_is_the_default(edition):
    data = a_setup(a_unit("g1", "A1", "west"), a_unit("g2", "B1", "west"), a_unit("s1", "C5"), edition=edition)
    view = initial_state(data)

    options = list(deploy_options(Situation(data, view), DEPLOY))

    assert options[0] == DEPLOY.default == {}
    for option in options:
        assert check_deploy(Situation(data, view), DEPLOY, option) == option
