"""Pair a large field by matching on a sparse graph: above 256 players, or where `py4swiss` cannot be installed.

Each player is linked to the nearest candidates around the ideal opponent (the one half a score group below), with
whole numbers as weights: the square of the score difference, repeated floats, sides, the square of the distance. If
no perfect matching exists the number of candidates is doubled until it covers the whole field.
"""

from __future__ import annotations

from importlib import metadata

import rustworkx

from pbem.tournaments.model import Bye
from pbem.tournaments.pairing.explaining import explain, reasons
from pbem.tournaments.pairing.field import Draw, Field, Impossible, Player, absentees, forbidden_pairs
from pbem.tournaments.pairing.sides import ABSOLUTE, Preference, allot, preference

CANDIDATES = 24
SCORE, FLOAT, SIDE, STRONG_SIDE, DISTANCE_CAP = 1_000_000, 60_000, 3_000, 15_000, 50
"""The costs of a score difference, a repeated float, a denied side and a denied strong claim; the distance cap."""

Edge = tuple[int, int, int]


class Large:
    """The pairer for large fields."""

    name = "large"

    @property
    def version(self) -> str:
        return f"rustworkx {metadata.version('rustworkx')}"

    def pair(self, field: Field) -> Draw:
        """Pair a round with the cheapest perfect matching among likely opponents."""
        players = field.active()
        if len(players) < 2:
            return self._alone(field, players)
        matched = self._match(field, players)
        if matched is None:
            raise Impossible(*explain(field))
        pairs, odd = matched
        byes = [Bye(players[i].number, "pairing", "odd number of players") for i in odd]
        chosen = [self._sided(field, players[i], players[j]) for i, j in pairs]
        draw = Draw(tuple(chosen), (*byes, *absentees(field)), self.name, self.version)
        return Draw(draw.pairs, draw.byes, draw.engine, draw.version, reasons(field, draw))

    def _alone(self, field: Field, players: list[Player]) -> Draw:
        byes = [
            Bye(player.number, "zero" if player.had_bye else "pairing", "no other player is available")
            for player in players
        ]
        return Draw((), (*byes, *absentees(field)), self.name, self.version)

    def _sided(self, field: Field, one: Player, other: Player) -> tuple[int, int]:
        return allot(field, one, other) if field.sided else (one.number, other.number)

    def _match(self, field: Field, players: list[Player]) -> tuple[list[tuple[int, int]], list[int]] | None:
        candidates = CANDIDATES
        while True:
            edges = likely_edges(field, players, candidates)
            found = perfect_matching(edges, len(players))
            if found is not None:
                return found
            if candidates >= 2 * len(players):
                return None
            candidates *= 2


def perfect_matching(edges: list[Edge], count: int) -> tuple[list[tuple[int, int]], list[int]] | None:
    """Return pairs in pairing order and the player with the bye, or None if not everybody can be paired."""
    total = count + count % 2
    most = max((weight for _, _, weight in edges), default=0) + 1
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(list(range(total)))
    graph.add_edges_from([(i, j, most - cost) for i, j, cost in edges])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) != total:
        return None
    pairs = sorted((min(pair), max(pair)) for pair in found)
    return [(i, j) for i, j in pairs if j < count], [i for i, j in pairs if j >= count]


def likely_edges(field: Field, players: list[Player], candidates: int) -> list[Edge]:
    """Return the pairs that may meet, each with its cost; the bye is the vertex after the last player."""
    wishes = [preference(player) for player in players]
    met = [player.met for player in players]
    before = {p.number: p.points - (p.games[-1].points if p.games else 0) for p in field.players}
    floats = [_last_float(player, before) for player in players]
    barred = forbidden_pairs(field)
    ideal = _ideal_opponents(players)
    edges: dict[tuple[int, int], int] = {}
    for i, player in enumerate(players):
        for j in _nearest(ideal[i], i, len(players), candidates):
            pair = (min(i, j), max(i, j))
            if pair in edges or players[j].number in met[i]:
                continue
            if barred and frozenset((player.number, players[j].number)) in barred:
                continue
            cost = _cost(field, players, pair, wishes, floats, ideal)
            if cost is not None:
                edges[pair] = cost
    found = [(i, j, cost) for (i, j), cost in edges.items()]
    return found + (_bye_edges(players) if len(players) % 2 else [])


def _ideal_opponents(players: list[Player]) -> list[int]:
    """Return each player's ideal opponent: the upper half of each score group meets the lower half."""
    ideal, start = [0] * len(players), 0
    while start < len(players):
        end = start
        while end < len(players) and players[end].pairing_points == players[start].pairing_points:
            end += 1
        half = (end - start) // 2
        for i in range(start, end):
            ideal[i] = i + half if i < start + half else i - half
        start = end
    return ideal


def _nearest(middle: int, own: int, count: int, candidates: int) -> list[int]:
    low = max(0, min(middle - candidates // 2, count - candidates - 1))
    return [j for j in range(low, min(count, low + candidates + 1)) if j != own]


def _cost(
    field: Field,
    players: list[Player],
    pair: tuple[int, int],
    wishes: list[Preference],
    floats: list[int],
    ideal: list[int],
) -> int | None:
    """Return the cost of pairing these two, or None if both must have the same side."""
    i, j = pair
    cost = 0
    if field.sided and wishes[i].side is not None and wishes[i].side == wishes[j].side:
        weaker = min(wishes[i].strength, wishes[j].strength)
        if weaker == ABSOLUTE:
            return None
        cost += STRONG_SIDE if weaker > 1 else SIDE
    difference = players[i].pairing_points - players[j].pairing_points
    cost += SCORE * difference * difference // 100
    if difference:
        cost += FLOAT * ((floats[i] == 1) + (floats[j] == -1))
    return cost + min(abs(ideal[i] - j), DISTANCE_CAP) ** 2 + min(abs(ideal[j] - i), DISTANCE_CAP) ** 2


def _last_float(player: Player, before: dict[int, int]) -> int:
    """Return 1 after a float down (or an unplayed round), -1 after a float up, 0 otherwise."""
    if not player.games:
        return 0
    last = player.games[-1]
    if not last.played or not last.opponents:
        return 1
    mine, theirs = before[player.number], before.get(last.opponents[0], 0)
    return (mine > theirs) - (mine < theirs)


def _bye_edges(players: list[Player]) -> list[Edge]:
    """Return the edges to the bye, which goes to the lowest player who has not had one."""
    bye, low = len(players), players[-1].pairing_points
    return [
        (i, bye, SCORE * ((player.pairing_points - low) ** 2) // 100 + (len(players) - i))
        for i, player in enumerate(players)
        if not player.had_bye
    ]
