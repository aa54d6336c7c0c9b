"""Tables of several players: fewest repeated opponents and sides, then equal points.

The search starts from tables in order of points and exchanges players while that helps. It is deterministic: the same
field gives the same tables.
"""

from __future__ import annotations

from itertools import combinations, permutations

from pbem.tournaments.model import Bye
from pbem.tournaments.pairing.field import Draw, Field, Impossible, Player, absentees, forbidden_pairs

NAME, VERSION = "several", "1"
REPEAT, FORBIDDEN, SPREAD = 1_000, 1_000_000, 1
PASSES = 30


def pair(field: Field, size: int) -> Draw:
    """Seat all players at tables of this size; those left over have a bye."""
    players = field.active()
    byes, seated = _byes(players, len(players) % size)
    meetings = _meetings(field)
    barred = forbidden_pairs(field)
    tables = _exchange(_start(seated, size), meetings, barred)
    for table in tables:
        for one, other in combinations(table, 2):
            if frozenset((one.number, other.number)) in barred:
                clash = f"{one.name or one.number} and {other.name or other.number} may not meet"
                raise Impossible([clash], ["lift one of the forbidden pairings", "change the size of the tables"])
    chosen = tuple(_seats(table) for table in tables)
    return Draw(chosen, (*byes, *absentees(field)), NAME, VERSION)


def _byes(players: list[Player], count: int) -> tuple[list[Bye], list[Player]]:
    """Give byes to the lowest players who have not had one; return the byes and the remaining players."""
    without = [player for player in reversed(players) if not player.had_bye]
    if len(without) < count:
        raise Impossible([f"{count} players must sit out and only {len(without)} have had no bye"], ["add players"])
    out = {player.number for player in without[:count]}
    byes = [Bye(number, "pairing", "does not fill a table") for number in sorted(out)]
    return byes, [player for player in players if player.number not in out]


def _start(players: list[Player], size: int) -> list[list[Player]]:
    """Deal each score group across its tables, so that the first round mixes seeds."""
    tables = len(players) // size
    dealt: list[list[Player]] = [[] for _ in range(tables)]
    if players and all(not player.games for player in players):
        for place, player in enumerate(players):
            row, column = divmod(place, tables)
            dealt[column if row % 2 == 0 else tables - 1 - column].append(player)
        return dealt
    return [players[at * size : (at + 1) * size] for at in range(tables)]


def _meetings(field: Field) -> dict[frozenset[int], int]:
    counted: dict[frozenset[int], int] = {}
    for player in field.players:
        for game in player.games:
            for other in game.opponents if game.played else ():
                if player.number < other:
                    pair = frozenset((player.number, other))
                    counted[pair] = counted.get(pair, 0) + 1
    return counted


def _cost(table: list[Player], meetings: dict[frozenset[int], int], barred: set[frozenset[int]]) -> int:
    cost = 0
    for one, other in combinations(table, 2):
        pair = frozenset((one.number, other.number))
        cost += REPEAT * meetings.get(pair, 0) ** 2 + (FORBIDDEN if pair in barred else 0)
        cost += SPREAD * abs(one.points - other.points)
    return cost


def _exchange(
    tables: list[list[Player]], meetings: dict[frozenset[int], int], barred: set[frozenset[int]]
) -> list[list[Player]]:
    """Swap players between tables wherever that lowers the cost, until no swap does."""
    costs = [_cost(table, meetings, barred) for table in tables]
    for _ in range(PASSES):
        if not any(_improve(tables, costs, a, b, meetings, barred) for a, b in combinations(range(len(tables)), 2)):
            break
    return tables


def _improve(
    tables: list[list[Player]],
    costs: list[int],
    a: int,
    b: int,
    meetings: dict[frozenset[int], int],
    barred: set[frozenset[int]],
) -> bool:
    if costs[a] + costs[b] == 0:
        return False
    better = False
    for i in range(len(tables[a])):
        for j in range(len(tables[b])):
            one, other = list(tables[a]), list(tables[b])
            one[i], other[j] = other[j], one[i]
            now = _cost(one, meetings, barred), _cost(other, meetings, barred)
            if sum(now) < costs[a] + costs[b]:
                tables[a], tables[b] = one, other
                costs[a], costs[b] = now
                better = True
    return better


def _seats(table: list[Player]) -> tuple[int, ...]:
    """Seat the players of a table so that sides repeat as little as possible; large tables one player at a time."""
    if len(table) <= 6:
        best = min(permutations(table), key=lambda seats: (_repeats(seats), [p.seed for p in seats]))
        return tuple(player.number for player in best)
    left, seats = list(table), []
    for side in range(len(table)):
        left.sort(key=lambda player: (player.sides.count(side), player.seed))
        seats.append(left.pop(0))
    return tuple(player.number for player in seats)


def _repeats(seats: tuple[Player, ...]) -> int:
    return sum(player.sides.count(side) ** 2 for side, player in enumerate(seats))
