"""Cached results equal recomputed ones: sight, costs, routes and spotting, after any change."""

from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.builders import a_board

from pbem.engine.geometry.hexes import hex_name, neighbour
from pbem.engine.rules.state import copy
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.overwatch import can_hit, could_be_fired_at, could_watch
from pbem.titles.panzer.movement.steps.terrain_costs import LegGround, VehicleGround, ground_of
from pbem.titles.panzer.movement.steps.unit_steps import mover_of, start
from pbem.titles.panzer.routes.route_search import reachable, ways_out
from pbem.titles.panzer.sighting.line_of_sight import Relief, is_open
from pbem.titles.panzer.sighting.sight import Sight
from pbem.titles.panzer.sighting.spotting import all_spotters, matrix, spots_now, spotters_of
from pbem.titles.panzer.sighting.terrain import board_now
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Cloud, Command, Feature, Marker, PanzerState, Spot, Wreck

seeds = st.integers(0, 10**6)


def a_map(chance: Random, size: int = 11) -> Board:
    """A map of hills, woods, gullies and a village, with a road and a path through them."""

    def drawn(signs: str) -> str:
        return "\n".join("".join(chance.choice(signs) for _ in range(size)) for _ in range(size))

    road = ["off4-C11-C10-C9-C8-C7-C6-C5"]
    return a_board(drawn("......,;^mou"), levels=drawn(".....12"), hill_edges="slope", links={"road": road})


def a_battle(chance: Random, board: Board) -> PanzerState:
    """A state with units of both sides all over the map."""
    hexes = list(board.hexes)
    units: list[Any] = []
    for number in range(6):
        for letter, tank, squad, gun in (
            ("g", "pz4h", "german_rifle_squad", "pak40"),
            ("s", "t34_76", "soviet_rifle_squad", "atg_45mm"),
        ):
            kind = (a_tank, a_leg, a_gun)[number % 3]
            card = (tank, squad, gun)[number % 3]
            units.append(kind(f"{letter}{number}", chance.choice(hexes), card, facing=chance.randint(1, 6)))
    state = an_advanced_state(*units, spotted={})
    for unit in state.vehicles.values():
        unit.command = Command.MOVE if unit.side == "german" else Command.OVERWATCH
    return state


def change(chance: Random, board: Board, state: PanzerState) -> None:
    """Make one change: a move, a shot, a wreck, smoke, a fire, a ditch, rubble or a loss."""
    unit = chance.choice(list(state.vehicles.values()))
    hex = chance.choice(list(board.hexes))
    match chance.randrange(9):
        case 0 | 1 | 2:
            unit.hex, unit.facing, unit.pending = hex, chance.randint(1, 6), Spot.MOVE
        case 3:
            unit.pending, unit.pending_small_arms = Spot.FIRE, unit.kind == "leg"
        case 4:
            unit.suppression = chance.choice(list(Marker))
        case 5:
            state.wrecks[hex_name(hex)] = Wreck(brewed_up=chance.random() < 0.7, fresh=False)
        case 6:
            id = state.new_id("c")
            state.clouds[id] = Cloud(id=id, type="smoke", hexes=(hex,), fresh=False)
        case 7:
            id = state.new_id("f")
            type = chance.choice(["ditch", "on_fire", "wire", "block", "stone_rubble"])
            state.features[id] = Feature(id=id, type=type, hex=hex)
        case _:
            unit.full_cover = unit.kind == "leg" and not unit.full_cover


def changes(seed: int) -> Any:
    """Yield a random battle as it begins, then five more times, each time after three more changes."""
    chance = Random(seed)
    board = a_map(chance)
    data, state = advanced_data(board), a_battle(chance, board)
    for _ in range(6):
        yield chance, data, state
        for _ in range(3):
            change(chance, board, state)


# --- 6.1.4 line of sight ---------------------------------------------------------------------------------------


@settings(max_examples=4)
@given(seed=seeds)
def test_6_1_4_lines_remembered_from_the_map_before_are_those_of_the_map_as_it_stands(seed):
    for chance, data, state in changes(seed):
        sight, board = Sight(Situation(data, state)).table, board_now(Situation(data, state))
        afresh = Relief(board, data.charts)
        hexes = list(board.hexes)
        for _ in range(100):
            a, b = chance.choice(hexes), chance.choice(hexes)
            assert sight.sees(a, b) == is_open(afresh, a, b), (hex_name(a), hex_name(b))
            up = (chance.randint(0, 2), chance.randint(0, 2))
            assert sight.sees_from_above(a, b, up) == is_open(afresh, a, b, up)


@settings(max_examples=4)
@given(seed=seeds)
def test_6_1_4_a_changed_map_has_the_relief_of_one_surveyed_anew(seed):
    for _, data, state in changes(seed):
        known, afresh = (
            Sight(Situation(data, state)).table.relief,
            Relief(board_now(Situation(data, state)), data.charts),
        )
        assert known.grounds == afresh.grounds
        assert known.raised == afresh.raised
        assert known.out_of_gully == afresh.out_of_gully
        assert (known.barriers, known.slopes) == (afresh.barriers, afresh.slopes)


# --- 4.5.1.1.2 prices and routes -------------------------------------------------------------------------------


def afresh(data: PanzerData, known: VehicleGround) -> VehicleGround:
    """Return the same terrain with an empty cache."""
    kind = LegGround if isinstance(known, LegGround) else VehicleGround

    class Map:
        board = known.board

    return kind(data, Map(), known.gait, known.smoke, known.lying, known.water)  # type: ignore[arg-type]


@settings(max_examples=4)
@given(seed=seeds)
def test_4_5_1_1_2_prices_shared_with_the_bare_ground_are_those_of_the_ground_as_it_is(seed):
    for chance, data, state in changes(seed):
        unit = chance.choice(list(state.vehicles.values()))
        known = ground_of(Situation(data, state), unit)
        fresh = afresh(data, known)
        for hex in chance.sample(list(data.board.hexes), 25):
            assert known.ways(hex) == fresh.ways(hex)
            for direction in range(1, 7):
                if data.board.is_on_map(neighbour(hex, direction)):
                    assert known.entering(hex, direction) == fresh.entering(hex, direction)
            for link in (None, "road", "path"):
                assert known.turning(hex, link) == fresh.turning(hex, link)


@settings(max_examples=4)
@given(seed=seeds)
def test_4_5_1_1_routes_on_ground_searched_before_are_those_of_a_first_search(seed):
    for _, data, state in changes(seed):
        for unit in [unit for unit in state.vehicles.values() if unit.kind == "vehicle"][:2]:
            mover = mover_of(Situation(data, state), unit)
            ground = afresh(data, mover.land)
            lone = replace(mover, ground=ground, land=ground)
            for mode in ("cross", "road"):
                found, again = (reachable(one, start(one, mode)) for one in (mover, lone))
                assert list(found.items()) == list(again.items())
                assert ways_out(mover, start(mover, mode)) == ways_out(lone, start(lone, mode))


# --- 6.1 spotting ----------------------------------------------------------------------------------------------


@settings(max_examples=4)
@given(seed=seeds)
def test_6_1_whoever_is_looked_at_alone_is_spotted_by_the_same_as_in_the_whole_matrix(seed):
    """A move or a shot looks only at pairs with the acting unit, but the Spotting Phase looks at all
    pairs; both must agree."""
    for _, data, state in changes(seed):
        spotters = all_spotters(Situation(data, state))
        for unit in state.vehicles.values():
            alone = [enemy.id for enemy in spotters_of(Situation(data, state), unit, "earlier")]
            one_by_one = [
                enemy.id
                for enemy in state.of(state.enemy(unit.side))
                if spots_now(Situation(data, state), enemy, unit, "earlier")
            ]
            assert alone == one_by_one == spotters[unit.id]
        seen = matrix(state, spotters)
        assert {(by, id) for id, all_by in spotters.items() for by in all_by} == {
            (by, id) for by, ids in seen.items() for id in ids
        }


@settings(max_examples=4)
@given(seed=seeds)
def test_4_4_2_a_window_opens_for_the_same_whether_or_not_the_far_are_left_out(seed):
    for _, data, state in changes(seed):
        for target in state.vehicles.values():
            watchers = [unit for unit in state.of(state.enemy(target.side)) if could_watch(state, unit)]
            one_by_one = any(
                spots_now(Situation(data, state), unit, target) and can_hit(Situation(data, state), unit, target)
                for unit in watchers
            )
            assert could_be_fired_at(Situation(data, state), target, state.enemy(target.side)) == one_by_one


@settings(max_examples=3)
@given(seed=seeds)
def test_what_was_asked_before_does_not_change_an_answer_nor_the_state(seed):
    """No cache is part of a state: a copy of the state gives the same answers in another order."""
    for chance, data, state in changes(seed):
        before, twin = copy(state), copy(state)
        ids = list(state.vehicles)
        first = {id: [by.id for by in spotters_of(Situation(data, state), state.vehicles[id])] for id in ids}
        chance.shuffle(ids)
        again = {id: [by.id for by in spotters_of(Situation(data, twin), twin.vehicles[id])] for id in ids}
        assert first == again
        assert state == before
