"""Knock-out: folded seeds, byes to the top seeds, and a pairing for third place.

The bracket follows from the seeds and the entrants who are out; nothing else is stored. A block of 2ⁿ places of the
folded order sends one survivor into round n + 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.tournaments.model import Bye
from pbem.tournaments.pairing.field import Draw

NAME, VERSION = "knock_out", "1"


def rounds_needed(entrants: int) -> int:
    """Return how many rounds it takes until one of this many entrants is left."""
    return max(0, (entrants - 1).bit_length())


def bracket_seeds(entrants: int) -> list[int]:
    """Return the places of the bracket from top to bottom as seeds; seeds beyond the entrants are byes.

    Every fold pairs the best seed left with the worst: 1, then 1 2, then 1 4 3 2, then 1 8 5 4 3 6 7 2.
    """
    places = [1]
    while len(places) < entrants:
        size = 2 * len(places)
        pairs = [(seed, size + 1 - seed) for seed in places]
        places = [s for at, pair in enumerate(pairs) for s in (pair if at % 2 == 0 else pair[::-1])]
    return places


def pair(round: int, seeds: Sequence[int], out: Mapping[int, int], third_place: bool = False) -> Draw:
    """Pair a round. `seeds` are entrants in seed order; `out` gives the round in which each entrant went out."""
    last = rounds_needed(len(seeds))
    order = [seeds[place - 1] if place <= len(seeds) else None for place in bracket_seeds(len(seeds))]
    block, half = 2**round, 2 ** (round - 1)
    pairs: list[tuple[int, ...]] = []
    byes: list[Bye] = []
    for start in range(0, len(order), block):
        upper = _survivor(order[start : start + half], out, round)
        lower = _survivor(order[start + half : start + block], out, round)
        if upper is not None and lower is not None:
            pairs.append((upper, lower))
        elif upper is not None or lower is not None:
            alone = upper if upper is not None else lower
            assert alone is not None
            byes.append(Bye(alone, "pairing", "free place in the bracket" if round == 1 else "no opponent is left"))
    groups = ["final" if round == last else f"round of {len(order) // half}"] * len(pairs)
    losers = [entrant for entrant in seeds if out.get(entrant) == last - 1]
    if third_place and round == last and len(losers) == 2:
        pairs.append((losers[0], losers[1]))
        groups.append("third place")
    return Draw(tuple(pairs), tuple(byes), NAME, VERSION, groups=tuple(groups))


def _survivor(places: Sequence[int | None], out: Mapping[int, int], round: int) -> int | None:
    left = [entrant for entrant in places if entrant is not None and not out.get(entrant, round) < round]
    return left[0] if len(left) == 1 else None
