"""The Dutch system agrees with the recorded pairings of an endorsed program.

Such a program also paired every past round of the recorded tournament, so each round is paired again here from the
rounds before it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.tournaments.pairing.dutch import Dutch
from pbem.tournaments.pairing.field import Field, Game, Player

RECORDED = (Path(__file__).parent / "data" / "sixty_players.txt").read_text().splitlines()[2:]
POINTS = {"1": 10, "=": 5, "0": 0, "+": 10, "-": 0}
ROUNDS = 15


def the_players(rounds: int) -> tuple[Player, ...]:
    found = []
    for line in RECORDED[:-1]:
        number, _rating, *cells = line.split()
        games = tuple(a_game(at, cell) for at, cell in enumerate(cells[:rounds], 1))
        found.append(Player(int(number), int(number), games))
    return tuple(found)


def a_game(round: int, cell: str) -> Game:
    opponent, colour, result = int(cell[:-2]), cell[-2], cell[-1]
    kind = "forfeit" if result in "+-" else "played"
    return Game(round, (opponent,), "wb".index(colour), POINTS[result], kind)


def recorded_pairs(round: int) -> set[tuple[int, int]]:
    """Return the recorded pairs of a round, white first."""
    if round == ROUNDS:
        pairs = (pair.split("-") for pair in RECORDED[-1].split()[1:])
        return {(int(white), int(black)) for white, black in pairs}
    return {
        (player.number, player.games[round - 1].opponents[0])
        for player in the_players(round)
        if player.games[round - 1].side == 0
    }


@pytest.mark.parametrize("round", range(1, ROUNDS + 1))
def test_every_round_is_paired_as_the_endorsed_program_paired_it(round: int) -> None:
    field = Field(round, ROUNDS, the_players(round - 1), first_side=1, top_scorers=True)

    assert set(Dutch().pair(field).pairs) == recorded_pairs(round)
