"""Round robin by Berger tables, single or double; and pools, which are small round robins."""

from __future__ import annotations

import msgspec

from pbem.tournaments.model import Bye
from pbem.tournaments.pairing.field import Draw, Field, Player, absentees

NAME, VERSION = "berger", "1"


def rounds_needed(entrants: int, double: bool = False) -> int:
    """Return how many rounds a round robin of this size has."""
    if entrants < 2:
        return 0
    return (entrants - 1 + entrants % 2) * (2 if double else 1)


def table(count: int, round: int) -> list[tuple[int, int]]:
    """Return the pairs of one round by the Berger table for places 1 to count; place `count` + 1 is a bye.

    The last place stays where it is and changes sides from round to round; the others move by half the table.
    """
    size = count + count % 2
    turn = (round - 1) * (size // 2) % (size - 1)
    places = [(turn + step) % (size - 1) + 1 for step in range(size - 1)]
    top = (places[0], size) if round % 2 else (size, places[0])
    pairs = [(places[step], places[-step]) for step in range(1, size // 2)]
    return [top, *pairs]


def pair(field: Field, double: bool = False, group: str = "") -> Draw:
    """Pair a round of a round robin over all players by seed; the opponent of an absent player has a bye."""
    players = sorted(field.players, key=lambda player: player.seed)
    single = rounds_needed(len(players))
    number = field.round if field.round <= single else field.round - single
    pairs: list[tuple[int, ...]] = []
    byes: list[Bye] = []
    for one, other in table(len(players), number) if len(players) > 1 else []:
        if field.round > single:
            one, other = other, one
        if max(one, other) > len(players):
            byes.append(Bye(players[min(one, other) - 1].number, "zero", "odd number of players"))
            continue
        first, second = players[one - 1], players[other - 1]
        if first.absent is not None or second.absent is not None:
            byes += [_left_over(p.number) for p in (first, second) if p.absent is None]
            continue
        pairs.append((first.number, second.number))
    return Draw(tuple(pairs), (*byes, *absentees(field)), NAME, VERSION, groups=(group,) * len(pairs))


def _left_over(number: int) -> Bye:
    return Bye(number, "full", "the opponent of this round is absent")


# Pools -------------------------------------------------------------------------------------------------------


def snake(seeds: list[int], pools: int) -> list[list[int]]:
    """Deal entrants into pools by seed, alternately forwards and backwards."""
    dealt: list[list[int]] = [[] for _ in range(pools)]
    for place, number in enumerate(seeds):
        row, column = divmod(place, pools)
        dealt[column if row % 2 == 0 else pools - 1 - column].append(number)
    return dealt


def pair_pools(field: Field, pools: int, double: bool = False) -> Draw:
    """Pair one round of all pools at once; a smaller pool may have finished earlier."""
    seeded = [player.number for player in sorted(field.players, key=lambda player: player.seed)]
    pairs: list[tuple[int, ...]] = []
    groups: list[str] = []
    byes: list[Bye] = []
    for place, members in enumerate(snake(seeded, pools)):
        name = f"pool {chr(ord('A') + place)}"
        own = [player for player in field.players if player.number in set(members)]
        if field.round > rounds_needed(len(own), double):
            byes += [Bye(player.number, "zero", f"{name} has finished") for player in own]
            continue
        seated = sorted(own, key=lambda player: members.index(player.number))
        renumbered = tuple(_with_seed(player, seed) for seed, player in enumerate(seated, 1))
        draw = pair(Field(field.round, field.rounds, renumbered), double, name)
        pairs += draw.pairs
        byes += draw.byes
        groups += draw.groups
    return Draw(tuple(pairs), tuple(byes), "pools", VERSION, groups=tuple(groups))


def _with_seed(player: Player, seed: int) -> Player:
    return msgspec.structs.replace(player, seed=seed)
