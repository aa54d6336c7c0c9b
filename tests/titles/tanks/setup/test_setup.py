"""T3 Set-up: terrain, roles and edges, and deployment."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.tanks.builders import a_data, a_piece, a_state, a_table, a_tank, check, run_step

from pbem.engine.play.choice import Choice
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.titles.tanks.data_set import FixedPiece, Objective
from pbem.titles.tanks.setup.placing import place_objections
from pbem.titles.tanks.setup.steps import deployment_step, role_step, terrain_step
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Status
from pbem.titles.tanks.title import TanksRules


@pytest.mark.rule("T3.1")
def test_T3_1_a_tie_is_rolled_again_and_players_alternate_woods_first():
    """The rolls are 3 and 3, then 2 and 5: bravo places the first wood, alpha the second, and bravo the building."""
    table = a_table(dice=[3, 3, 2, 5], scenario={"woods": 2, "buildings": 1})
    played = run_step(
        table,
        terrain_step(table),
        {
            "terrain alpha": [{"wood": [[6000, 6000, 0]]}],
            "terrain bravo": [{"wood": [[3000, 3000, 0]], "building": []}],
        },
    )
    assert_rule(played.findings, "T3.1", dice=(3, 3, 2, 5), result="bravo")
    laid = [(piece.id, tuple(piece.at)) for piece in table.state.pieces]
    assert laid[:2] == [("wood-1", (3000, 3000)), ("wood-2", (6000, 6000))] and laid[2][0] == "building-1"
    by = [finding.inputs["by"] for finding in played.findings if "by" in finding.inputs]
    assert by == ["bravo", "alpha", "bravo"]


@pytest.mark.rule("T3.1")
@pytest.mark.parametrize("x, fits", [(1900, False), (1901, True)])
def test_T3_1_more_than_one_arrow_from_the_edge(x, fits):
    """A wood heading 0 extends 400 to each side: at x 1900 its west side is exactly one arrow from the edge."""
    objections = list(place_objections(Situation(a_data(), a_state()), "wood", (x, 4500, 0)))
    assert (not objections) is fits
    if objections:
        assert_rule(objections, "T3.1")
    else:
        with pytest.raises(Refusal) as refused:
            check(a_data(), a_state(), Ask("alpha", "terrain", "T3.1"), {"wood": [[1000, 1000, 0]]})
        assert_rule(refused.value, "T3.1")


@pytest.mark.rule("T3.1")
@pytest.mark.parametrize("y, fits", [(5100, False), (5101, True)])
def test_T3_1_more_than_one_arrow_from_every_other_piece(y, fits):
    """Buildings extend 300 from their centre: the gap from 3000 + 300 to y - 300 is 1500 at y 5100."""
    state = a_state(pieces=[a_piece("building-1", 4500, 3000)])
    objections = list(place_objections(Situation(a_data(), state), "building", (4500, y, 0)))
    assert (not objections) is fits
    assert_rule(list(place_objections(Situation(a_data(), state), "building", (4500, 5100, 0))), "T3.1")


@pytest.mark.rule("T6.5")
def test_T6_5_the_whole_card_counts():
    """A wood at 4500/4500 heading 0 covers 4100 to 4900 by 4000 to 5000, whatever is drawn on it."""
    table = a_table(dice=[6, 1], scenario={"woods": 1})
    played = run_step(table, terrain_step(table), {"terrain alpha": [{"wood": [[4500, 4500, 0]]}]})
    corners = [[4100, 4000], [4900, 4000], [4900, 5000], [4100, 5000]]
    assert_rule(played.findings, "T6.5", inputs={"piece": "wood-1"}, result=corners)


@pytest.mark.rule("T3.2")
@pytest.mark.parametrize("role, attacker, edge", [("attacker", "alpha", "west"), ("defender", "bravo", "east")])
def test_T3_2_the_higher_roll_chooses_and_the_defender_takes_his_edge(role, attacker, edge):
    """Alpha rolls 5 against 2 and chooses; the defender's choice of an edge counts, the attacker's does not."""
    table = a_table(dice=[5, 2])
    played = run_step(
        table,
        role_step(table),
        {"role alpha": [{"role": role, "edge": "east"}], "role bravo": [{"role": "attacker", "edge": "west"}]},
    )
    assert_rule(played.findings, "T3.2", dice=(5, 2), result="alpha")
    assert_rule(played.findings, "T3.2", result={"attacker": attacker})
    defender = "bravo" if attacker == "alpha" else "alpha"
    opposite = {"east": "west", "west": "east"}[edge]
    assert table.state.edges == {defender: edge, attacker: opposite}


@pytest.mark.rule("T3.3")
def test_T3_3_the_lowest_initiative_is_deployed_first():
    """The Panzer IV (5) comes before the Sherman (6); by default it starts mid-edge with its front one arrow in."""
    reserve = {"status": Status.RESERVE}
    table = a_table(a_tank("a1", 0, 0, **reserve), a_tank("b1", 0, 0, **reserve))
    played = run_step(table, deployment_step(table), {"deploy alpha": [{"places": {"a1": [2000, 8000, 45]}}]})
    assert [finding.inputs["tank"] for finding in played.findings] == ["b1", "a1"]
    assert_rule(played.findings, "T3.3", inputs={"tank": "b1", "edge": "north", "heading": 180}, result=[4500, 1205])
    assert_rule(played.findings, "T3.3", inputs={"tank": "a1", "heading": 45}, result=[2000, 8000])
    assert table.state.turn == 1


@pytest.mark.rule("T3.3")
def test_T3_3_within_one_arrow_of_ones_own_edge():
    """A Sherman heading 0 is 580 long: at y 7790 its front is 1500 from the south edge, but at 7789 it
    is too far out."""
    ask = Ask("alpha", "deploy", "T3.3")
    state = a_state(a_tank("a1", 0, 0, status=Status.RESERVE), a_tank("a2", 0, 0, status=Status.RESERVE))
    assert check(a_data(), state, ask, {"places": {"a1": [4500, 7790, 0]}})
    with pytest.raises(Refusal) as refused:
        check(a_data(), state, ask, {"places": {"a1": [4500, 7789, 0], "a2": [4600, 8000, 0]}})
    assert_rule(refused.value, "T3.3", why="the tank must be within one arrow of the south edge")
    assert_rule(refused.value, "T3.3", why="the tank would overlap a1")


def test_T3_3_a_card_moves_a_tank_before_the_first_turn():
    """After deployment Bäke gets a free move, from x 4500 east by 165 + 1500 + 345, without a speed token."""
    panther = a_tank("b1", 0, 0, 0, "panther", cards=["baeke"], status=Status.RESERVE)
    table = a_table(panther)
    run_step(
        table,
        deployment_step(table),
        {"deploy bravo": [{"places": {"b1": [4500, 1000, 180]}, "early": {"b1": {"way": 90}}}]},
    )
    assert (tuple(panther.at), panther.heading, panther.speed) == ((6510, 1000), 90, 0)
    assert panther.cards[0].up


@pytest.mark.rule("T3.1")
def test_T3_1_without_a_wish_a_piece_goes_to_the_first_legal_place():
    """A wood extends 500 by 400 from its centre, a building 300 by 250; places are tried in rows.

    The pieces are placed a millimetre more than an arrow from the edge or from the next piece, across first where
    that is nearer to the edge: x 1510 + 500, y 1510 + 400. The next wood begins 1510 east of x 2510: at 4020 + 500.
    Then come the buildings: at 5020 + 1510 + 300.
    """
    table = a_table(dice=[6, 1], scenario={"woods": 2, "buildings": 2})
    played = run_step(table, terrain_step(table))
    laid = [(piece.id, *piece.at, piece.heading) for piece in table.state.pieces]
    assert laid[:3] == [("wood-1", 2010, 1910, 90), ("wood-2", 4520, 1910, 90), ("building-1", 6830, 1760, 90)]
    inputs = {"piece": "wood-2", "by": "bravo", "heading": 90}
    assert_rule(played.findings, "T3.1", inputs=inputs, result=[4520, 1910])
    pieces = table.state.pieces
    assert all(
        not any(
            place_objections(
                Situation(table.data, a_state(pieces=[other for other in pieces if other is not piece])),
                piece.kind,
                (*piece.at, piece.heading),
            )
        )
        for piece in pieces
    )


@pytest.mark.rule("T3.1")
def test_T3_1_where_no_room_is_left_a_piece_is_not_placed():
    """On a table of 330 by 330 mm only the very middle is more than an arrow from the edges, so there
    is no room for a wood."""
    table = a_table(dice=[6, 1], scenario={"woods": 1, "table_mm": 330})
    played = run_step(table, terrain_step(table))
    assert_rule(played.findings, "T3.1", inputs={"kind": "wood", "seat": "alpha"}, result="no room is left")
    assert table.state.pieces == []


def test_T3_1_pieces_and_objectives_of_a_scenario_lie_where_it_says():
    """The scenario gives millimetres and the table uses tenths of a millimetre; no player is asked."""
    objective = Objective(id="crossing", at=(450, 400))
    fixed = {"piece": (FixedPiece(kind="wood", at=(301, 405), heading=30),), "objective": (objective,)}
    table = a_table(scenario=fixed)
    played = run_step(table, terrain_step(table))
    assert [(piece.id, *piece.at, piece.heading) for piece in table.state.pieces] == [("wood-1", 3010, 4050, 30)]
    assert played.asks == [] and played.findings[-1].inputs == {"token": "objective", "at": [450, 400]}


@pytest.mark.rule("T3.2")
def test_T3_2_what_the_scenario_gives_is_not_rolled_for():
    table = a_table(scenario={"attacker": "bravo", "edge": "west"})
    played = run_step(table, role_step(table))
    assert_rule(played.findings, "T3.2", inputs={"chooser": "the scenario"}, result={"attacker": "bravo"})
    assert table.state.edges == {"alpha": "west", "bravo": "east"} and played.asks == []


@pytest.mark.rule("T3.3")
@pytest.mark.parametrize(
    "edge, places",
    [
        ("north", [(4500, 1205, 180), (5500, 1205, 180), (3500, 1205, 180), (6500, 1205, 180)]),
        ("south", [(4500, 7795, 0), (5500, 7795, 0), (3500, 7795, 0), (6500, 7795, 0)]),
        ("west", [(1205, 4500, 90), (1205, 5500, 90), (1205, 3500, 90), (1205, 6500, 90)]),
        ("east", [(7795, 4500, 270), (7795, 5500, 270), (7795, 3500, 270), (7795, 6500, 270)]),
    ],
)
def test_T3_3_without_a_word_from_the_middle_of_the_edge_outwards(edge, places):
    """Panzer IVs (295 from their centre) start 1500 - 295 = 1205 from the edge, 1000 apart, facing the enemy."""
    tanks = [a_tank(f"b{number}", 0, 0, status=Status.RESERVE) for number in (1, 2, 3, 4)]
    opposite = {"north": "south", "south": "north", "west": "east", "east": "west"}[edge]
    table = a_table(*tanks, edges={"bravo": edge, "alpha": opposite})
    played = run_step(table, deployment_step(table))
    assert [(*tank.at, tank.heading) for tank in tanks] == places
    assert_rule(played.findings, "T3.3", inputs={"tank": "b1", "edge": edge}, result=list(places[0][:2]))


@pytest.mark.rule("T3.3")
def test_T3_3_places_kept_for_others_are_left_free():
    """b2 is ordered to the middle; b1, which has no order and comes first, is placed 1000 to the side."""
    tanks = [a_tank(f"b{number}", 0, 0, status=Status.RESERVE) for number in (1, 2)]
    table = a_table(*tanks)
    played = run_step(table, deployment_step(table), {"deploy bravo": [{"places": {"b2": [4500, 1000, 180]}}]})
    assert [tuple(tank.at) for tank in tanks] == [(5500, 1205), (4500, 1000)]
    assert_rule(played.findings, "T3.3", inputs={"tank": "b1"}, result=[5500, 1205])


@pytest.mark.rule("T3.3")
@pytest.mark.parametrize(
    "edge, good, bad",
    [
        ("north", (4500, 1205, 0), (4500, 1206, 0)),
        ("south", (4500, 7795, 0), (4500, 7794, 0)),
        ("west", (1355, 4500, 0), (1356, 4500, 0)),
        ("east", (7645, 4500, 0), (7644, 4500, 0)),
    ],
)
def test_T3_3_the_whole_hull_within_an_arrow_of_each_edge(edge, good, bad):
    """A Panzer IV heading north (295 by 145 from its centre) must be wholly within an arrow of its edge."""
    state = a_state(a_tank("b1", 0, 0, status=Status.RESERVE), edges={"bravo": edge})
    ask = Ask("bravo", "deploy", "T3.3")
    assert check(a_data(), state, ask, {"places": {"b1": list(good)}})
    with pytest.raises(Refusal) as refused:
        check(a_data(), state, ask, {"places": {"b1": list(bad)}})
    assert_rule(refused.value, "T3.3", why=f"the tank must be within one arrow of the {edge} edge")


@pytest.mark.rule("T3.3")
def test_T3_3_at_the_pace_of_tanks_each_is_placed_in_its_turn():
    """The Panzer (5) is placed first, then the Shermans (6) by their tokens; early moves come last."""
    reserve = {"status": Status.RESERVE}
    table = a_table(
        a_tank("a1", 0, 0, 0, "t-34-85", cards=["kolobanov"], **reserve),
        a_tank("b1", 0, 0, **reserve),
        scenario={"pace": "tank"},
    )
    answers = {"deploy a1": [{"places": {"a1": [3000, 8000, 0]}, "early": {"a1": {"way": 0}}}]}
    played = run_step(table, deployment_step(table), answers)
    assert [ask.subject for ask in played.asked("deploy")] == ["b1", "a1"]
    assert_rule(played.findings, "T3.3", inputs={"tank": "a1"}, result=[3000, 8000])
    assert table.state.tanks["a1"].at.y < 8000 and table.state.tanks["a1"].speed == 0


# --- T3.1 all pieces are placed ----------------------------------------------------------------------------------


def random_wishes(table, seed):
    """T3.1 Return the wishes of two players who leave no room for the remaining pieces."""
    rules = TanksRules(table.data)
    decisions = {seat: rules.decide(table.state, Ask(seat, "terrain", "T3.1")) for seat in ("alpha", "bravo")}
    return {f"terrain {seat}": [decision.sample(Choice(seed, seat))] for seat, decision in decisions.items()}


@pytest.mark.rule("T3.1")
@pytest.mark.parametrize("seed", range(10))
def test_T3_1_an_open_battle_gets_all_its_pieces_whatever_is_wished(seed):
    """Two woods and six buildings are placed legally: more than one arrow from the edge and from each other.

    At least one wish is granted; a player whose wish leaves no room is told why.
    """
    table = a_table(dice=[1, 6], scenario={"woods": 2, "buildings": 6})
    wishes = random_wishes(table, seed)
    played = run_step(table, terrain_step(table), wishes)
    pieces = table.state.pieces
    assert [piece.id for piece in pieces] == [f"wood-{n}" for n in (1, 2)] + [f"building-{n}" for n in range(1, 7)]
    for piece in pieces:
        others = a_state(pieces=[other for other in pieces if other is not piece])
        assert not any(place_objections(Situation(table.data, others), piece.kind, (*piece.at, piece.heading)))
    wished = {tuple(spot) for given in wishes.values() for spots in given[0].values() for spot in spots}
    granted = [piece for piece in pieces if (*piece.at, piece.heading) in wished]
    assert_rule(played.findings, "T3.1", inputs={"piece": granted[0].id}, result=list(granted[0].at))


@pytest.mark.rule("T3.1")
def test_T3_1_a_wish_that_leaves_no_room_for_the_rest_is_passed_over_and_its_owner_told():
    """A table of 560 mm has 260 mm between its margins, which is room for two buildings (50 + 150 + 50).

    A building in the middle leaves 105 mm on each side, which is no room for the second.
    """
    table = a_table(dice=[6, 1], scenario={"buildings": 2, "table_mm": 560})
    played = run_step(table, terrain_step(table), {"terrain alpha": [{"building": [[2800, 2800, 0]]}]})
    told = assert_rule(played.findings, "T3.1", inputs={"at": [2800, 2800]}, result="no room for the rest")
    assert told.to == ("alpha",) and len(table.state.pieces) == 2
    said = str(TanksRules(table.data).tell(told))
    assert said.endswith("Your building at 28/28 cm would leave no room for the piece that is still to be placed.")
