"""Reasons: why a pairing has floats and byes, and why a field cannot be paired."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import rustworkx

from pbem.tournaments.pairing.field import Draw, Field, Player, forbidden_pairs, met_before
from pbem.tournaments.pairing.sides import clash

Allowed = Callable[[Player, Player], bool]


def reasons(field: Field, draw: Draw) -> tuple[str, ...]:
    """Return a sentence for every pair with unequal points and for every bye."""
    players = {player.number: player for player in field.players}
    return tuple(_float_reasons(draw, players)) + tuple(
        f"{players[bye.entrant].name or bye.entrant} has a {bye.kind} bye: {bye.why}" for bye in draw.byes
    )


def _float_reasons(draw: Draw, players: dict[int, Player]) -> Iterator[str]:
    for pair in draw.pairs:
        high, low = sorted((players[n] for n in pair[:2]), key=lambda p: (-p.pairing_points, p.seed))
        if high.pairing_points != low.pairing_points:
            yield (
                f"{high.name or high.number} ({points_in_words(high.pairing_points)}) floats down to "
                f"{low.name or low.number} ({points_in_words(low.pairing_points)})"
            )


def points_in_words(tenths: int) -> str:
    """Return points in words: 25 is 2½."""
    whole, rest = divmod(abs(tenths), 10)
    sign = "-" if tenths < 0 else ""
    half = {0: "", 5: "½"}.get(rest, f".{rest}")
    return sign + (half if half == "½" and whole == 0 else f"{whole}{half}")


def explain(field: Field) -> tuple[list[str], list[str]]:
    """Return the conflicts in a field that cannot be paired, and what would resolve them."""
    players = field.active()
    met, barred = met_before(field), forbidden_pairs(field)
    name = {player.number: player.name or str(player.number) for player in field.players}

    def allowed(*, rematch: bool = False, barred_too: bool = False, sides_too: bool = False) -> Allowed:
        def may_meet(one: Player, other: Player) -> bool:
            pair = frozenset((one.number, other.number))
            return (
                (rematch or pair not in met)
                and (barred_too or pair not in barred)
                and (sides_too or not field.sided or not clash(one, other))
            )

        return may_meet

    clashes = list(_clashes(field, players, allowed(), name))
    remedies: list[str] = []
    for pair in sorted(tuple(sorted(pair)) for pair in barred):
        without = barred - {frozenset(pair)}
        freed = Field(field.round, field.rounds, field.players, tuple(_pairs(without)), field.sided)
        if perfect(players, _strict(freed)):
            remedies.append(f"allow {name.get(pair[0], pair[0])} to meet {name.get(pair[1], pair[1])}")
    if not remedies and barred and perfect(players, allowed(barred_too=True)):
        remedies.append("lift the forbidden pairings of this round")
    if field.sided and perfect(players, allowed(sides_too=True)):
        remedies.append("let one player play the same side a third time")
    if len(players) % 2 and perfect(players, allowed(), second_bye=True):
        remedies.append("give one player a second bye")
    if perfect(players, allowed(rematch=True)):
        remedies.append("allow one rematch")
    return clashes, remedies or ["close the tournament after the last round"]


def _pairs(pairs: set[frozenset[int]]) -> Iterator[tuple[int, int]]:
    for pair in sorted(tuple(sorted(pair)) for pair in pairs):
        yield pair[0], pair[1]


def _strict(field: Field) -> Allowed:
    met, barred = met_before(field), forbidden_pairs(field)

    def may_meet(one: Player, other: Player) -> bool:
        pair = frozenset((one.number, other.number))
        return pair not in met and pair not in barred and not (field.sided and clash(one, other))

    return may_meet


def _clashes(field: Field, players: list[Player], allowed: Allowed, name: dict[int, str]) -> Iterator[str]:
    """Name the players with no opponent left; if everybody has one, say that they cannot all be paired."""
    stuck = [p for p in players if not any(allowed(p, q) for q in players if q is not p)]
    for player in stuck:
        met = [name[q.number] for q in players if q.number in player.met]
        why = f"has met {', '.join(met)}" if met else "may not meet any of the others"
        yield f"{name[player.number]} has no opponent left: {why}"
    if len(players) % 2 and all(player.had_bye for player in players):
        yield "the number of players is odd and every one has had a bye"
    elif not stuck:
        yield f"the {len(players)} players of round {field.round} cannot all be paired without a rematch"


def perfect(players: list[Player], allowed: Allowed, *, second_bye: bool = False) -> bool:
    """Whether all players can be paired at once; with an odd number, one has a bye."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    nodes = graph.add_nodes_from(list(range(len(players))))
    edges = [
        (nodes[i], nodes[j], 1)
        for i, one in enumerate(players)
        for j in range(i + 1, len(players))
        if allowed(one, players[j])
    ]
    total = len(players)
    if total % 2:
        bye = graph.add_node(-1)
        edges += [(nodes[i], bye, 1) for i, player in enumerate(players) if second_bye or not player.had_bye]
        total += 1
    graph.add_edges_from(edges)
    return 2 * len(rustworkx.max_weight_matching(graph, max_cardinality=True)) == total
