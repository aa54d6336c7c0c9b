"""8 to 12, 25 Combinations of supply, zones of control, terrain, kinds of units, markers and modes of movement.

Positions are generated and checked for general properties; a few answers were worked out by hand.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from titles.nato.builders import a_battle, a_board, unit

from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.charts import ODDS
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.odds import odds_of
from pbem.titles.nato.combat.retreat import legal_ways
from pbem.titles.nato.combat.strength import attack_rows, defense_rows
from pbem.titles.nato.explain.supply import combat_reason, movement_reason
from pbem.titles.nato.map.grid import adjacent, distance, neighbours
from pbem.titles.nato.movement.costs import cost_parts
from pbem.titles.nato.movement.moves import allowance, hexside_of, reachable_hexes, reserve_objections, walk
from pbem.titles.nato.movement.rail import train_objections
from pbem.titles.nato.supply.units import combat_source, movement_source
from pbem.titles.nato.zones.airspace import airspace

KINDS = ("16GT", "97", "336G", "34N", "NEGF", "Gr20")
"""Armor, airborne mechanized, marines, artillery, a headquarters and a border regiment without an attack strength."""
MARKERS = ("", "disrupted", "ms_out", "cs_out", "train", "nuclear", "chemical")
GROUND = {"clear": "3319", "rough": "3218", "small city": "3120", "major city": "3117", "forest": "3320"}
MODES = ("tactical", "march", "minimum")


def position(kind: str, marker: str, start: str, enemies: dict[str, str]) -> Board:
    """Put a Warsaw Pact unit with a marker on West German ground, and enemies around it."""
    fields: dict[str, object] = {"conquered": dict.fromkeys(("3117", "3120", "3115"), Side.WP)}
    if marker == "nuclear":
        fields["nuclear"] = [start]
    if marker == "chemical":
        fields["chemical"] = {start: {Side.NATO: True}}
    board = a_board({start: kind, **enemies}, None, **fields)
    piece = unit(board, kind).piece
    if marker in ("disrupted", "ms_out", "cs_out"):
        setattr(piece, marker, True)
    if marker == "train":
        piece.train = "entrained"
        board.refresh(unit(board, kind))
    return board


def zones(start: str, end: str, where: str) -> dict[str, str]:
    """Return enemies whose zones of control cover the start, the end, both or neither."""
    only_start = [hex for hex in neighbours(start) if hex != end and not adjacent(hex, end)]
    only_end = [hex for hex in neighbours(end) if hex != start and not adjacent(hex, start)]
    found = {"start": only_start[:1], "end": only_end[:1], "both": [*only_start[:1], *only_end[:1]], "none": []}[
        where
    ]
    return dict(zip(found, ("7/1A", "12/1A"), strict=False))


CASES = list(product(KINDS, MARKERS, ("none", "start", "end", "both"), GROUND.values()))


@pytest.mark.parametrize("mode", MODES)
def test_12_every_way_of_moving_keeps_its_limits(mode: str) -> None:
    """For all kinds of units, markers, zones and terrain, a legal move of one hex must satisfy these conditions."""
    for kind, marker, where, start in CASES:
        board = a_board({})
        end = next(hex for hex, _ in board.atlas.ground[start] if not board.is_city(hex))
        board = position(kind, marker, start, zones(start, end, where))
        mover = unit(board, kind)
        found = walk(board, mover, [end], mode)
        legal = not found.objections
        told = f"{kind} {marker} {where} {start}-{end} {mode}: {[str(one) for one in found.objections]}"
        enters, leaves = board.ezoc(end, Side.WP), board.ezoc(start, Side.WP)
        if marker == "train" or mover.card.home_bound:
            assert not legal, told  # 12.0, 12.7
            continue
        if mode == "march" and legal:
            assert not (enters or leaves or mover.card.hq) and marker in ("", "cs_out"), told
            assert airspace(board, end, Side.WP) == airspace(board, start, Side.WP) == "friendly", told
        if mode == "minimum":
            blocked = not mover.card.hard and enters and leaves and not board.is_negated(end, Side.WP)
            assert legal is not blocked, told  # 12.5
        if mode == "tactical" and legal:
            assert marker not in ("disrupted", "nuclear", "chemical"), told  # 12.5.1
            assert found.spent <= allowance(mover, mode), told
            assert mover.card.hard or not (enters and leaves), told  # 12.3.2
        hexside = hexside_of(board, start, end)
        assert hexside is not None
        parts = dict(cost_parts(board, mover, start, end, hexside))
        assert ("entering an enemy zone of control" in parts) is enters, told
        assert ("leaving an enemy zone of control" in parts) is leaves, told


def test_12_6_reserve_and_trains_keep_their_limits() -> None:
    for kind, marker, where, start in CASES:
        board = a_board({})
        end = next(hex for hex, _ in board.atlas.ground[start] if not board.is_city(hex))
        board = position(kind, marker, start, zones(start, end, where))
        mover = unit(board, kind)
        if not list(reserve_objections(board, mover, start, "tactical", 0)):
            assert mover.maneuver and marker == "" and not board.ezoc(start, Side.WP)
            assert not board.adjacent_enemy(start, Side.WP)
        if not list(train_objections(board, mover)):
            assert not board.ezoc(start, Side.WP) and airspace(board, start, Side.WP) == "friendly"
            assert marker not in ("disrupted", "ms_out", "nuclear", "chemical")


def test_25_3_markers_multiply_and_never_help() -> None:
    """Attack and defense are tested with every set of markers: each marker halves exactly, and the odds
    never improve."""
    for objective, bits in product(GROUND.values(), range(8)):
        cs, tired, gas = bool(bits & 1), bool(bits & 2), bool(bits & 4)
        board = a_board({})
        start = next(hex for hex, _ in board.atlas.ground[objective] if not board.is_city(hex))
        fields = {"chemical": {start: {Side.NATO: True}}} if gas else {}
        board = a_board({start: "16GT", objective: "1/1PZ"}, None, **fields)
        plain = a_board({start: "16GT", objective: "1/1PZ"})
        unit(board, "16GT").piece.cs_out, unit(board, "16GT").piece.disrupted = cs, tired
        marked, clean = (attack_rows(one, a_battle(one, objective, "16GT"))[0].value for one in (board, plain))
        assert marked == clean * Fraction(1, 2) ** (cs + tired + gas)
        worse = odds_of(board, a_battle(board, objective, "16GT")).final
        better = odds_of(plain, a_battle(plain, objective, "16GT")).final
        assert ODDS.index(worse) <= ODDS.index(better)
        unit(plain, "1/1PZ").piece.cs_out = cs
        rows = defense_rows(plain, a_battle(plain, objective, "16GT"))
        assert rows[0].value == Fraction(unit(plain, "1/1PZ").defense) * (Fraction(1, 2) if cs else 1)


HEXES = [f"{row}{column}" for row in range(28, 36) for column in range(13, 27)]


@given(
    st.lists(st.sampled_from(HEXES), min_size=8, max_size=8, unique=True),
    st.lists(st.sampled_from(["3117", "3120", "3115", "2621", "2720"]), max_size=3, unique=True),
)
def test_10_supply_zones_and_retreats_agree_in_any_position(hexes: list[str], taken: list[str]) -> None:
    ids = ("16GT", "21", "97", "NEGF", "7/1A", "1/1PZ", "27LL", "BR-I")
    placed = dict(zip(hexes, ids, strict=True))
    board = a_board(placed, None, conquered={hex: Side.WP for hex in taken if hex not in hexes[4:]})
    for one in board.units.values():
        if one.at not in board.atlas.places or one.card.hq:
            continue
        if board.is_city(one.at) and board.controller(one.at) is not one.side:
            continue
        assert movement_reason(board, one).result == movement_source(board, one)
        assert combat_reason(board, one).result == combat_source(board, one)
        if combat_source(board, one):
            assert movement_source(board, one)  # 10.3.1: what gives combat supply gives movement supply
        for way in legal_ways(board, [one], 2):
            assert way.price >= sum(board.closed(hex, one.side) for hex in way.path)
            assert all(not board.holds(hex, one.side.enemy) for hex in way.path)
            assert len(way.path) == len(set(way.path)) and one.at not in way.path
            assert distance(one.at, way.path[-1]) == len(way.path) or len(way.path) > 2
        reached = reachable_hexes(board, one, "tactical").cost
        assert all(cost <= allowance(one, "tactical") for cost in reached.values())
        assert all(not board.holds(hex, one.side.enemy) for hex in reached)


def test_10_answers_by_hand() -> None:
    """A division beyond the Leine, with its headquarters behind it, is cut off by one brigade and
    supplied by a city.
    """
    fed = a_board({"3118": "16GT", "3114": "NEGF"}, conquered={"3117": Side.WP, "3115": Side.WP})
    assert movement_source(fed, unit(fed, "16GT")) == "NEGF"
    cut = a_board({"3118": "16GT", "3114": "NEGF", "3116": "7/1A", "3016": "12/1A", "3217": "22/1A"})
    assert movement_source(cut, unit(cut, "16GT")) == ""
    assert combat_source(cut, unit(cut, "16GT")) == ""
    home = a_board({"3118": "1/1PZ", "3116": "16GT"})
    assert (movement_source(home, unit(home, "1/1PZ")), combat_source(home, unit(home, "1/1PZ"))) == ("home", "home")
    abroad = a_board({"3118": "7/1A", "3116": "16GT"})
    assert (movement_source(abroad, unit(abroad, "7/1A")), combat_source(abroad, unit(abroad, "7/1A"))) == (
        "friendly",
        "",
    )
