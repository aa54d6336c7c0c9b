"""3.6 Objectives and victory points."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.panzer.builders import a_board, a_table, a_vehicle

from pbem.engine.geometry.hexes import parse_hex
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.end_of_turn.victory import (
    BOTH,
    Score,
    end_match,
    is_over,
    note_occupants,
    score,
    taken_by,
    update_control,
    verdict,
)
from pbem.titles.panzer.setup.scenario_file import Exit, Level, Objective, Unit
from pbem.titles.panzer.state import Objective as Control
from pbem.titles.panzer.state import Status
from pbem.titles.panzer.telling.basic_moves import victory_points

both_editions = pytest.mark.parametrize("edition", EDITIONS)


def an_objective(*hexes: str, taken: Any = "complete_turn", vp: int = 5) -> Objective:
    places = tuple(map(parse_hex, hexes or ("C9",)))
    return Objective("hill", "The hill", places, {"german": vp, "soviet": vp}, taken, "")


def a_match(*vehicles: Any, objective: Objective | None = None, controller: str = "", **more: Any) -> Any:
    """Return a table with one objective, whose occupants at the start of the turn are recorded."""
    scenario = {"objectives": (objective or an_objective(),), **more.pop("scenario", {})}
    control = {"hill": Control(controller=controller)}
    table = a_table(*vehicles, sides=("german", "soviet"), objectives=control, scenario=scenario, **more)
    note_occupants(table)
    return table


def move(table: Any, unit: str, hex: str | None) -> None:
    table.state.vehicles[unit].hex = hex and parse_hex(hex)


def controller(table: Any) -> str:
    return table.state.objectives["hill"].controller


# --- control -------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.6/contested", effect=True)
@pytest.mark.rule("3.6", "3.6/occupation", editions=("2024",))
def test_3_6_an_objective_is_taken_by_a_complete_turn_of_occupation():
    """L436-450, A-03: an armed vehicle is in the objective at the start of the turn, and another at its end."""
    table = a_match(a_vehicle("g1", "C9"), a_vehicle("g2", "C8"))
    move(table, "g1", "C10")
    move(table, "g2", "C9")

    update_control(table)

    assert controller(table) == "german"
    assert_rule(table.findings, "3.6", inputs={"objective": "hill", "before": ""}, result="german")
    inputs = {"held_at_start": "german", "held_at_end": ["german"]}
    assert_rule(table.findings, "3.6/occupation", inputs=inputs, result="german")


@pytest.mark.rule("3.6", editions=("2016",))
def test_3_6_occupation_in_2016():
    """2016: a side has a vehicle in the objective hex at the start of the turn, and one at its end."""
    table = a_match(a_vehicle("g1", "C9"), edition="2016")

    update_control(table)

    assert_rule(table.findings, "3.6", inputs={"held_at_start": "german"}, result="german")


def test_3_6_entered_during_the_turn_it_is_not_yet_taken():
    """L450: an objective first entered on the last turn cannot be taken on that turn."""
    table = a_match(a_vehicle("g1", "C8"))
    move(table, "g1", "C9")

    update_control(table)

    assert controller(table) == ""
    note_occupants(table)
    update_control(table)
    assert controller(table) == "german"


def test_3_6_control_lasts_without_occupation():
    """L444: control lasts until the other side takes the objective."""
    table = a_match(a_vehicle("g1", "C2"), controller="german")

    update_control(table)

    assert controller(table) == "german"


def test_3_6_unarmed_vehicles_take_nothing():
    """L446: unarmed vehicles cannot take an objective."""
    table = a_match(a_vehicle("g1", "C9", "opel"))

    update_control(table)

    assert controller(table) == ""


@pytest.mark.rule("3.6/contested", editions=("2024",))
def test_3_6_a_contested_objective_belongs_to_nobody():
    """L448: the hex cannot be entered and both sides are next to it, so neither controls it."""
    table = a_match(
        a_vehicle("g1", "C8"), a_vehicle("s1", "C10"), board=a_board(signs={"C9": "o"}), controller="german"
    )

    update_control(table)

    assert controller(table) == ""
    assert_rule(table.findings, "3.6/contested", inputs={"objective": "hill"}, result="")


@pytest.mark.rule("3.6/contested", effect=True)
@pytest.mark.rule("3.6", editions=("2016",))
def test_3_6_contested_in_2016():
    """2016:L599: vehicles of both sides are next to an objective that cannot be entered, so neither controls it."""
    table = a_match(
        a_vehicle("g1", "C8"),
        a_vehicle("s1", "C10"),
        board=a_board(signs={"C9": "X"}),
        controller="soviet",
        edition="2016",
    )

    update_control(table)

    assert_rule(table.findings, "3.6", inputs={"before": "soviet"}, result="")


@pytest.mark.rule("3.6/contested", effect=True)
@pytest.mark.parametrize("beside", [["g1"], ["g1", "s2"]])
def test_3_6_one_side_alone_or_an_open_hex_is_not_contested(beside):
    """R-03: an objective is contested only if no vehicle may enter it and armed units of both sides are adjacent."""
    vehicles = {"g1": a_vehicle("g1", "C8"), "s2": a_vehicle("s2", "C10", "zis5")}
    closed = a_match(*(vehicles[id] for id in beside), board=a_board(signs={"C9": "o"}), controller="soviet")
    opened = a_match(a_vehicle("g1", "C8"), a_vehicle("s1", "C10"), controller="soviet")

    for table in (closed, opened):
        update_control(table)
        assert controller(table) == "soviet"


def test_3_6_a_road_into_closed_terrain_keeps_it_open():
    board = a_board(signs={"C9": "o"}, links={"road": ["C8-C9-C10"]})
    table = a_match(a_vehicle("g1", "C8"), a_vehicle("s1", "C10"), board=board, controller="soviet")

    update_control(table)

    assert controller(table) == "soviet"


def test_3_6_several_hexes_are_taken_by_whoever_is_left_there_alone():
    """R-03: a side takes several hexes if it is in one at start and end, and no armed enemy is there at the end."""
    village = an_objective("C9", "C8", "D9")
    table = a_match(a_vehicle("g1", "C9"), a_vehicle("s1", "D9"), objective=village)

    assert table.state.objectives["hill"].held_at_start == BOTH
    update_control(table)
    assert controller(table) == ""
    move(table, "s1", "K9")
    update_control(table)
    assert controller(table) == "german"


def test_3_6_a_scenario_may_ask_for_less():
    """L442: the scenario states how an objective is taken; here holding it at the end of a turn is enough."""
    table = a_match(a_vehicle("g1", "C8"), objective=an_objective(taken="end_of_turn"))
    move(table, "g1", "C9")

    update_control(table)

    assert controller(table) == "german"


@given(
    start=st.sampled_from(["", "german", "soviet", BOTH]),
    end=st.lists(st.sampled_from(["german", "soviet"]), unique=True, max_size=2),
)
def test_3_6_only_a_side_there_at_both_ends_of_the_turn_takes_an_objective(start, end):
    taker = taken_by(an_objective(), start, end)

    assert taker == "" or (end == [taker] and start in (taker, BOTH))


# --- victory -------------------------------------------------------------------------------------------------


def a_unit(id: str, side: str, vp: int) -> Unit:
    return Unit(id, id, side, side, "pz4h", vp)


def a_finished_match(
    edition: Any = "2024", levels: tuple[Level, ...] = (), soviet_loss: int = 3, start: dict[str, int] | None = None
) -> Any:
    units = (a_unit("g1", "german", 2), a_unit("g2", "german", 2), a_unit("s1", "soviet", soviet_loss))
    return a_match(
        a_vehicle("g1", None, status=Status.EXITED, exit_edge="east"),
        a_vehicle("g2", None, status=Status.ELIMINATED),
        a_vehicle("s1", None, status=Status.ELIMINATED),
        a_vehicle("s2", "C9", damaged=True),
        controller="soviet",
        edition=edition,
        turn=3,
        scenario={
            "units": units,
            "exits": (Exit("german", "east", 4), Exit("soviet", "west", 9)),
            "levels": levels,
            "start": start or {},
        },
    )


@pytest.mark.rule("3.6/victory-points", editions=("2024",))
def test_3_6_victory_points_for_objectives_eliminated_enemies_and_exits():
    """R-04: the Germans get 3 for a T-34 and 4 for an exit, the Soviets 5 for the hill and 2 for a tank: 7 to 7."""
    table = a_finished_match()

    end_match(table)

    for inputs in (
        {"side": "german", "objectives": 0, "eliminated": 3, "exited": 4},
        {"side": "soviet", "objectives": 5, "eliminated": 2, "exited": 0},
    ):
        assert_rule(table.findings, "3.6/victory-points", inputs=inputs, result=7)
    assert table.state.outcome.winner is None
    assert table.state.next is None


@pytest.mark.rule("3.6/victory-points", editions=("2024",))
def test_3_6_points_at_the_start_count_and_are_told():
    """R-04: each side gets seven points in play, so the side that starts with two points wins."""
    table = a_finished_match(start={"german": 0, "soviet": 2})

    end_match(table)

    assert_rule(table.findings, "3.6/victory-points", inputs={"side": "soviet", "start": 2}, result=9)
    assert table.state.outcome.winner == "soviet"
    told = [str(victory_points(row)) for row in table.findings[-1].children]
    assert ["starting points" in text for text in told] == [False, True]


@pytest.mark.rule("3.6/victory-points", effect=True)
@pytest.mark.rule("3.6", "4.6.2", editions=("2016",))
def test_3_6_the_higher_total_wins_and_has_a_name():
    """R-04: nine to seven is a lead of two, which the scenario calls a narrow victory."""
    table = a_finished_match("2016", (Level(5, "a clear victory"), Level(1, "a narrow victory")), soviet_loss=5)

    end_match(table)

    assert_rule(table.findings, "3.6", inputs={"side": "german"}, result=9)
    assert_rule(table.findings, "4.6.2", inputs={"level": "a narrow victory"}, result="german")
    assert table.state.outcome.winner == "german"
    assert table.state.outcome.why == "german 9, soviet 7: a narrow victory"


@pytest.mark.rule("4.5.1.1.9", effect=True)
def test_4_5_1_1_9_an_exited_vehicle_is_not_eliminated():
    """L1234: the enemy gets no points for an exited vehicle, and its owner only if the scenario names that edge."""
    table = a_finished_match()
    table.state.vehicles["g1"].exit_edge = "north"

    assert score(table, "soviet").eliminated == 2
    assert score(table, "german").exited == 0


@given(german=st.integers(0, 20), soviet=st.integers(0, 20))
def test_3_6_equal_totals_are_a_draw(german, soviet):
    winner = verdict({"german": Score(german, 0, 0), "soviet": Score(0, soviet, 0)})

    assert winner == (None if german == soviet else "german" if german > soviet else "soviet")


@pytest.mark.parametrize(("early_end", "over"), [("never", False), ("side_gone", True)])
def test_4_6_2_a_scenario_ends_early_only_if_it_says_so(early_end, over):
    """R-18: a side without units has no decisions left, but the other side may play on."""
    vehicles = [a_vehicle("g1", "C9"), a_vehicle("s1", None, status=Status.ELIMINATED)]
    table = a_match(*vehicles, scenario={"early_end": early_end})

    assert is_over(table) is over
    table.state.vehicles["s1"].status = Status.RESERVE
    assert not is_over(table)
    table.state.turn = 3
    assert is_over(table)
