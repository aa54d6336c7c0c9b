"""T6 Terrain: obstacles to moves and to sight.

T6.1    building: blocks sight and movement
T6.2    wood: blocks sight through it, does not slow movement
T6.3    impassable ground: stops moves, hides nothing
T6.4    wreck: blocks sight and movement
T6.5    piece_corners: the whole card counts
T5.4, T5.5    obstacles
T7.2    Screen, screens: obstacles between a shooter and its target
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from pbem.engine.geometry.plane import Point
from pbem.titles.tanks.data_set import Kind, TanksData
from pbem.titles.tanks.ground.arrow import Obstacle
from pbem.titles.tanks.ground.geometry import Body, Corners, Stance, corners
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Piece, Status, Tank


class Screen(NamedTuple):
    """Something that blocks sight: its name, the rule, its outline, and whether it is a wood."""

    name: str
    rule: str
    corners: Corners
    wood: bool = False


def hull(data: TanksData, tank: Tank) -> Corners:
    """The outline of a tank's hull on the table; the barrel is not counted."""
    return corners(data.bodies[tank.model], tank.at, tank.heading)


def stance(data: TanksData, tank: Tank) -> Stance:
    """A tank's exact position and bearing, for lines drawn across the table."""
    return Stance(data.bodies[tank.model], tank.at, tank.heading)


def piece_corners(data: TanksData, piece: Piece) -> Corners:
    """T6.5 The outline of a terrain piece, which is that of its whole card."""
    return card_corners(data, piece.kind, piece.at, piece.heading)


def card_corners(data: TanksData, kind: str, at: Point, heading: int) -> Corners:
    return kind_corners(data.kinds[kind], at, heading)


def kind_corners(kind: Kind, at: Point, heading: int) -> Corners:
    return corners(Body(5 * kind.length, 5 * kind.width), at, heading)


def next_piece(pieces: Sequence[Piece], kind: str, at: Point, heading: int) -> Piece:
    """T3.1 A piece to be added to others; pieces of a kind are numbered."""
    number = sum(piece.kind == kind for piece in pieces) + 1
    return Piece(f"{kind}-{number}", kind, at, heading)


def given_pieces(data: TanksData) -> list[Piece]:
    """T3.1 The terrain that the scenario places."""
    found: list[Piece] = []
    for fixed in data.scenario.piece:
        found.append(next_piece(found, fixed.kind, Point(10 * fixed.at[0], 10 * fixed.at[1]), fixed.heading))
    return found


Lie = tuple[Piece, Kind]
"""A piece and its kind."""


def lies(situation: Situation) -> tuple[Lie, ...]:
    data = situation.data
    return tuple((piece, data.kinds[piece.kind]) for piece in situation.state.pieces)


@lru_cache(maxsize=256)
def hindrances(pieces: tuple[Lie, ...]) -> tuple[Obstacle, ...]:
    """T5.4, T5.5 The terrain that stops a move."""
    return tuple(
        Obstacle(piece.id, kind.rule, kind_corners(kind, piece.at, piece.heading))
        for piece, kind in pieces
        if kind.blocks_movement  # T6.2 a wood hinders no tank
    )


@lru_cache(maxsize=256)
def curtains(pieces: tuple[Lie, ...]) -> tuple[Screen, ...]:
    """T7.2 The terrain that may block sight."""
    return tuple(
        Screen(piece.id, kind.rule, kind_corners(kind, piece.at, piece.heading), piece.kind == "wood")
        for piece, kind in pieces
        if kind.blocks_sight  # T6.3 hides nothing
    )


def obstacles(situation: Situation, mover: str) -> list[Obstacle]:
    """T5.4, T5.5 Everything that can stop a tank's move: terrain, wrecks, and every other tank."""
    data = situation.data
    found = [*hindrances(lies(situation))]
    for tank in situation.state.tanks.values():
        if tank.id != mover and tank.status is not Status.RESERVE:
            rule = "T6.4" if tank.status is Status.WRECK else "T5.4"
            found.append(Obstacle(tank.id, rule, hull(data, tank)))
    return found


def screens(situation: Situation, *without: str) -> list[Screen]:
    """T7.2 Everything that may block sight: buildings, woods, wrecks and other tanks."""
    data = situation.data
    found = [*curtains(lies(situation))]
    for tank in situation.state.tanks.values():
        if tank.id not in without and tank.status is not Status.RESERVE:
            rule = "T6.4" if tank.status is Status.WRECK else "T7.2"
            found.append(Screen(tank.id, rule, hull(data, tank)))
    return found
