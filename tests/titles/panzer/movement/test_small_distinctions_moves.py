"""4.5, 6.6 Fine distinctions of costs, allowances, routes and shared moves that a faulty rule would miss."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state, both_editions
from titles.panzer.advanced.marching import a_field, refused
from titles.panzer.builders import a_board, a_hex, knocked_out
from titles.panzer.moving import a_mover, driven, start

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.cards.board import sides_of_chain
from pbem.titles.panzer.movement.shared_moves import group_findings, group_objections, range_among, reach
from pbem.titles.panzer.movement.steps.costs import PROHIBITED
from pbem.titles.panzer.movement.steps.driving import obstructions
from pbem.titles.panzer.movement.steps.terrain_costs import movement_of
from pbem.titles.panzer.movement.steps.unit_steps import mover_of, unit_allowances
from pbem.titles.panzer.movement.steps.unit_steps import start as begin
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.player.fates import changed_move
from pbem.titles.panzer.player.plan import MarchWish
from pbem.titles.panzer.player.towards import facing_to
from pbem.titles.panzer.routes.itineraries import check_march, way_out
from pbem.titles.panzer.routes.route_search import reachable
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.scenario import Conditions
from pbem.titles.panzer.setup.scenario_file import Exit
from pbem.titles.panzer.sighting.weather import WEATHER
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Marker

both = pytest.mark.parametrize("edition", EDITIONS)
ROAD = {"links": {"road": ["C12-C11-C10-C9-C8-C7"]}}


@pytest.mark.rule("4.5.1.1.1", effect=True)
@both
def test_4_5_1_1_1_the_largest_guns_do_not_move_at_all(edition: Any):
    data = advanced_data(edition=edition)
    for card in data.book.towed:
        gun = a_gun("g1", "C9", card, command=Command.MOVE)
        allowed = unit_allowances(Situation(data, an_advanced_state(gun)), gun)
        assert (allowed.cross > 0) is bool(movement_of(data, gun).cross_country), card


@both
def test_7_36_2_without_a_road_rate_there_is_none_at_all(edition: Any):
    rules = (*ADVANCED_RULES, WEATHER)
    data = advanced_data(edition=edition, rules=rules, conditions=Conditions(caution="extreme"))
    tank = a_tank("g1", "C9", command=Command.MOVE)
    allowed = unit_allowances(Situation(data, an_advanced_state(tank)), tank)
    assert allowed.cross > 0 and (allowed.path, allowed.road) == (0, 0)


@pytest.mark.rule("6.6.7.1/no-reverse", editions=("2024",))
def test_6_6_7_1_a_vehicle_that_tows_a_gun_does_not_reverse():
    truck, gun = a_tank("g1", "C9", "opel"), a_gun("g2", "C9", "pak38", aboard="g1")
    table = a_field(truck, gun)
    assert mover_of(table, truck).reverse_times == 0
    assert_rule(refused(table, "g1", "b"), "6.6.7.1/no-reverse")


@pytest.mark.rule("5.13", effect=True)
def test_5_13_an_overstacked_hex_denies_the_road_rate_by_its_own_rule():
    """Six vehicles and guns overstack the hex under 5.13; in the basic game 4.5.1.1.5 has its own rule."""
    others = [a_tank(f"g{number}", "C8") for number in range(2, 7)]
    table = a_field(a_tank("g1", "C9"), *others, board=ROAD)
    assert_rule(refused(table, "g1", "f f", mode="road"), "5.13")
    table = a_field(a_tank("g1", "C9"), *others[1:], board=ROAD)
    assert not list(mover_of(table, table.state.vehicles["g1"]).obstructions(a_hex("C8")))


# --- 4.5.1.1.2 costs ----------------------------------------------------------------------------------------------


def entering(board: Any, origin: str, direction: int, card: str = "pz3j", **more: Any) -> Any:
    return a_mover(origin, card, board=board, **more).land.entering(a_hex(origin), direction)


@pytest.mark.rule("4.5.1.1.2", "4.5.1.1.2/wall", "4.5.1.1.2/defilade", effect=True)
def test_4_5_1_1_2_a_wall_costs_as_much_up_a_slope_and_a_crest_does_not():
    """Between different levels a wall still costs extra, but a crest does not (A-82)."""
    flat: dict[str, Any] = {"terrain": "\n".join(["....."] * 12)}
    hill = {**flat, "levels": "\n".join(["11111"] * 8 + ["....."] * 4), "hill_edges": "slope"}
    walls = {"hexsides": {"wall": ["C9:1"]}}
    plain, up = entering(a_board(**flat), "C9", 1).total, entering(a_board(**hill), "C9", 1).total
    wall = entering(a_board(**flat, **walls), "C9", 1)
    steep = entering(a_board(**hill, **walls), "C9", 1)
    assert wall.total - plain == steep.total - up > 0
    crest, above = ({**base, "hexsides": {"crest": ["C9:1"]}} for base in (flat, hill))
    assert entering(a_board(**crest), "C9", 1).total > plain and entering(a_board(**above), "C9", 1).total == up


@pytest.mark.rule("4.5.1.1.5", "4.5.1.1.5/height", effect=True)
@pytest.mark.parametrize(
    ("levels", "hexsides", "extra"), [("..", {}, 0), ("1.", {}, 1), ("..", {"crest": ["C9:1"]}, 1)]
)
def test_4_5_1_1_5_height_and_crests_are_paid_along_a_road_too_and_flat_roads_cost_nothing_more(
    levels: str, hexsides: Any, extra: int
):
    board: dict[str, Any] = {"terrain": "\n".join(["....."] * 12), **ROAD, "hexsides": hexsides}
    if levels == "1.":
        board |= {"levels": "\n".join(["11111"] * 8 + ["....."] * 4), "hill_edges": "slope"}
    mover = a_mover("C9", board=a_board(**board))
    land = mover.land
    items = [item for item in driven(mover, "f", "road").strides[0].price.items if "along the road" in item.what]
    assert len(items) == extra
    full = land.crossing("crest") if hexsides else land.level_cost(extra)
    assert [item.cost for item in items] == [max(0, int(full) - land.charts.links["road"].less)] * extra


@pytest.mark.rule("4.5.1.1.6", effect=True)
def test_4_5_1_1_6_a_bridge_is_left_along_its_road_even_off_the_map():
    board = a_board(
        columns=5, rows=12, signs={"C1": "g"}, links={"road": ["C3-C2-C1-off1"]}, legend={"g": ["bridge"]}
    )
    mover = a_mover("C1", board=board)
    aside, along = mover.land.leaving(a_hex("C1"), 2), mover.land.leaving(a_hex("C1"), 1)
    assert (aside.items[0].rule, aside.total) == ("4.5.1.1.6", PROHIBITED) and along.total != PROHIBITED
    assert mover.land.leaving(a_hex("B1"), 1).total == 1


@pytest.mark.rule("4.5.1.1.5", effect=True)
@both_editions("4.5.1.1.5/obstructed")
def test_4_5_1_1_5_a_wreck_denies_the_road_rate_and_an_empty_hex_does_not(edition: Any):
    board = a_board(columns=5, rows=12, **ROAD)
    free, blocked = (a_mover("C9", board=board, edition=edition, wrecks=w) for w in ({}, {"C8": knocked_out()}))
    assert not list(obstructions(free, a_hex("C8")))
    assert_rule(list(obstructions(blocked, a_hex("C8"))), ledger_row(edition, "4.5.1.1.5/obstructed"))


# --- routes -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("4.5.1.1.2", effect=True)
def test_4_5_1_1_2_a_route_pays_for_its_turns_and_hexes():
    mover = a_mover("C9", facing=1)
    routes = reachable(mover, start(mover))
    ahead, behind = routes[a_hex("C8"), 1], routes[a_hex("C10"), 4]
    assert ahead.cost == 1 < behind.cost


@pytest.mark.rule("4.5.1.1.3", effect=True)
def test_4_5_1_1_3_the_first_hex_may_be_too_dear_but_not_after_a_turn_of_more_than_one_hexside():
    """A-37: the first hex may be too expensive, with free turns before and after it, but not after a paid turn."""
    board = a_board(columns=6, rows=12, signs=dict.fromkeys(("C8", "C10", "B9", "B10", "D9", "D10"), "w"))
    mover = a_mover("C9", "opel", board=board, command=Command.SHORT_HALT)
    routes = reachable(mover, start(mover))
    ahead = {facing: route for (hex, facing), route in routes.items() if hex == a_hex("C8")}
    assert set(ahead) == {6, 1, 2} and ahead[1].cost > mover.allowances.cross
    for facing, route in ahead.items():
        tried = driven(mover, " ".join(route.steps))
        assert tried.legal and tried.progress.facing == facing
    assert (a_hex("C10"), 4) not in routes, "that would be a turn of three hexsides"


@pytest.mark.rule("4.5.1.1.4", effect=True)
def test_4_5_1_1_4_where_only_a_road_leads_vehicles_turn_on_the_road():
    """In heavy woods, where the road ends, there is no room to turn off the road."""
    board = a_board(columns=5, rows=12, signs={"C8": "h"}, legend={"h": ["heavy_woods"]}, links={"road": ["C9-C8"]})
    land = a_mover("C8", board=board).land
    assert land.turning(a_hex("C8"), None).total == land.charts.links["road"].turn


@pytest.mark.rule("4.5.1.1.2", "4.5.1.1.2/level-limit", "4.5.1.1.2/wall", effect=True)
def test_4_5_1_1_2_slopes_are_not_told_apart_from_the_levels_they_climb():
    hill = {"terrain": "\n".join(["....."] * 12), "levels": "\n".join(["11111"] * 8 + ["....."] * 4)}
    price = entering(a_board(**hill, hill_edges="slope"), "C9", 1)
    assert "Slope" not in [item.what for item in price.items]


@pytest.mark.rule("4.5.1.1.9", effect=True)
@pytest.mark.parametrize(
    ("edge", "steps"), [("west", {"exit:5", "exit:6"}), ("north", {"exit:1"}), ("any", {"exit:5", "exit:6"})]
)
def test_4_5_1_1_9_whoever_leaves_goes_where_it_earns_points_or_where_it_is_told(edge: str, steps: set[str]):
    table = a_field(a_leg("g1", "A1", "german_rifle_squad"), scenario={"exits": (Exit("german", "west", 5),)})
    mover = mover_of(table, table.state.vehicles["g1"])
    found = way_out(mover, begin(mover, "cross"), edge)
    assert found is not None and found[-1] in steps


@pytest.mark.rule("4.5.1.1.11", effect=True)
def test_4_5_1_1_11_a_route_off_a_track_costs_what_driving_it_costs():
    """A-34: a unit that leaves a track must pay what it saved in that hex, including on a turn made there."""
    wood = {f"{column}{row}": "m" for column in "ABCDE" for row in range(5, 12)}
    plain = a_board(columns=5, rows=12, signs=wood)
    mover = a_mover("C9", "pz3j", board=plain.with_tracks(sides_of_chain("C9-C8-B9-A9", plain.level_map)))
    routes = reachable(mover, start(mover))
    spent = {place: driven(mover, " ".join(route.steps)).progress.spent for place, route in routes.items()}
    dear = [place for place, route in routes.items() if route.cost > mover.allowances.cross]
    assert {place: route.cost for place, route in routes.items() if place not in dear} == {
        place: points for place, points in spent.items() if place not in dear
    }


# --- 6.2.1.1.4 shared moves ---------------------------------------------------------------------------------------


@pytest.mark.rule("6.2.1.1.4", "6.2.1.1.4/movement", effect=True)
def test_6_2_1_1_4_a_companion_that_has_not_moved_yet_may_still_follow():
    data = advanced_data()
    a = a_tank("g1", "C10", command=Command.MOVE)
    b = a_tank("g2", "C11", command=Command.MOVE, shares="g1")
    near = a_hex("C4")
    assert not list(group_objections(data, [b], a, near)), "g2 can still follow"
    b.moved = True
    assert_rule(list(group_objections(data, [b], a, near)), "6.2.1.1.4/movement")


@pytest.mark.rule("6.2.1.1.4", effect=True)
def test_6_2_1_1_4_a_group_that_was_too_far_apart_from_the_start_is_not_held_up():
    data = advanced_data()
    a = a_tank("g1", "A1", command=Command.MOVE)
    b = a_tank("g2", "T20", command=Command.MOVE, shares="g1", moved=True)
    assert not list(group_objections(data, [b], a, a_hex("A2")))
    c = a_tank("g3", "C12", command=Command.MOVE, shares="g1")
    assert reach(data, c) > 3
    far = a_tank("g4", f"C{2}", command=Command.MOVE)
    assert list(group_objections(data, [c], far, a_hex("N1"))), "it could have stayed near"


@pytest.mark.rule("6.2.1.1.4", "6.2.1.1.4/movement", effect=True)
def test_6_2_1_1_4_what_both_can_still_do_counts_when_they_are_far_apart():
    """The other unit has not moved and could not close the distance alone, so the first may not move away."""
    data = advanced_data()
    a, b = a_tank("g1", "A1", command=Command.MOVE), a_tank("g2", "A2", command=Command.MOVE, shares="g1")
    apart = range_among(data, (a, b)) + reach(data, a) + 1
    b.hex = a_hex(f"A{1 + apart}")
    assert_rule(list(group_objections(data, [b], a, a_hex("A1"))), "6.2.1.1.4/movement")


@pytest.mark.rule("6.2.1.1.4", "6.2.1.1.4/movement", effect=True)
def test_6_2_1_1_4_units_that_cannot_move_are_not_apart():
    state = an_advanced_state(
        a_tank("g1", "C10", command=Command.MOVE, track_hit=True),
        a_tank("g2", "C18", command=Command.MOVE, shares="g1", track_hit=True),
    )
    [found] = group_findings(Situation(advanced_data(), state), "german")
    assert_rule(found, "6.2.1.1.4/movement", inputs={"apart": 0}, result=True)


# --- orders and fates ---------------------------------------------------------------------------------------------


@pytest.mark.rule("4.5.1.1.1", effect=True)
def test_4_5_1_1_1_a_move_that_does_not_reach_its_goal_has_a_fate_with_its_reason():
    tank = a_tank("g1", "C18", command=Command.MOVE, suppression=Marker.ON)
    table = a_field(tank)
    wish, answer = MarchWish(acts=["to:C2"]), {"unit": "g1", "mode": "cross", "steps": []}
    fails = list(changed_move(table, Ask("german", "move", "6.6"), tank, wish, answer))
    assert fails, "the player hears of it"
    assert "suppress" in str(fails)


@pytest.mark.rule("4.5", effect=True)
def test_4_5_an_act_that_fails_after_a_move_is_not_taken_for_a_facing():
    """g2 is not aboard, so it cannot dismount in C8, and the refusal says so."""
    table = a_field(a_tank("g1", "C9", "spw251"), a_leg("g2", "C3", "german_rifle_squad"))
    with pytest.raises(Refusal) as refusal:
        check_march(table, table.state.vehicles["g1"], MarchWish(acts=["to:C8", "dismount:g2:C8:1"]))
    assert "face" not in str(refusal.value) and "g2" in str(refusal.value)


@pytest.mark.rule("5.5", effect=True)
@pytest.mark.parametrize(
    ("enemies", "facing"),
    [(["C9"], 1), (["C11"], 4), (["C10"], 0), ([], 0), (["C7", "C11"], 4)],
)
def test_5_5_units_turn_to_the_nearest_enemy_and_stay_if_they_face_it(enemies: list[str], facing: int):
    unit = a_leg("g1", "C10", "german_rifle_squad", facing=1)
    found = facing_to(unit, [a_hex(hex) for hex in enemies])
    assert found == facing
