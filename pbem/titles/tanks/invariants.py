"""Invariants: checks for states that must never occur, whatever the players do and the dice show."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from pbem.titles.tanks.data_set import OTHER, SEATS
from pbem.titles.tanks.ground.geometry import on_table, shares_ground
from pbem.titles.tanks.ground.terrain import hull, piece_corners
from pbem.titles.tanks.movement.moves import FAST_MOVES
from pbem.titles.tanks.setup.placing import OPPOSITE
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Status, Tank


def flaws(situation: Situation) -> Iterator[str]:
    """All the ways in which a state breaks the invariants."""
    for tank in situation.state.tanks.values():
        yield from tank_flaws(situation, tank)
    yield from place_flaws(situation)
    yield from deck_flaws(situation)
    yield from turn_flaws(situation)


def tank_flaws(situation: Situation, tank: Tank) -> Iterator[str]:
    """T2.5 Report flaws in the tokens and cards of one tank."""
    data = situation.data
    if not 0 <= tank.speed <= FAST_MOVES or tank.damage < 0:
        yield f"T2.5 {tank.id} has speed {tank.speed} and damage {tank.damage}"
    if not 0 <= tank.heading < 360:
        yield f"T5.1 {tank.id} heads {tank.heading}"
    if tank.status is Status.WRECK and (tank.criticals or tank.speed):
        yield f"T8.1 {tank.id} is a wreck with tokens or cards"
    if any(not data.criticals[card].repairable for card in tank.criticals):
        yield f"T7.11 {tank.id} keeps a card that cannot be repaired"
    if any(held.gone and not held.up for held in tank.cards):
        yield f"T2.4 {tank.id} has lost a card that was never shown"
    if tank.seat not in SEATS:
        yield f"{tank.id} has an unknown seat"


def place_flaws(situation: Situation) -> Iterator[str]:
    """T5.4, T5.5 Report tanks that are off the table or overlap something."""
    data, state = situation.data, situation.state
    placed = [(tank.id, hull(data, tank)) for tank in state.tanks.values() if tank.status is not Status.RESERVE]
    for id, corners in placed:
        if not on_table(corners, data.scenario.table):
            yield f"T5.4 {id} is off the table"
        for piece in state.pieces:
            if data.kinds[piece.kind].blocks_movement and shares_ground(corners, piece_corners(data, piece)):
                yield f"T5.5 {id} stands in {piece.id}"
    for (first, own), (second, other) in combinations(placed, 2):
        if shares_ground(own, other):
            yield f"T5.4 {first} stands in {second}"


def deck_flaws(situation: Situation) -> Iterator[str]:
    """T8.4 Report critical cards that are missing from the deck or duplicated."""
    state = situation.state
    aboard = [card for tank in state.tanks.values() for card in tank.criticals]
    everywhere = [*state.deck, *state.drawn, *state.discards, *aboard]
    for card in situation.data.criticals.values():
        if everywhere.count(card.id) != card.count:
            yield f"T8.4 there are {everywhere.count(card.id)} of {card.id}, not {card.count}"


def turn_flaws(situation: Situation) -> Iterator[str]:
    """T3.2, T8.2 Report flaws in the roles, the edges and the turn count."""
    state = situation.state
    if state.attacker not in ("", *SEATS):
        yield f"T3.2 {state.attacker} attacks"
    if state.edges and state.edges[SEATS[0]] != OPPOSITE[state.edges[OTHER[SEATS[0]]]]:
        yield "T3.2 the edges are not opposite"
    if not 0 <= state.turn <= situation.data.scenario.turns:
        yield f"T8.2 there is no turn {state.turn}"
