"""3.2.1 Judgement by eye: whether a line of sight is probably clear.

With `los = printed` no player can look up a line of sight before the shot. Players judge by the hexes in between, and
so do bots and standing orders with `if clear`.
"""

from __future__ import annotations

from functools import lru_cache

from pbem.titles.aslsk.ground.terrain import Ground


@lru_cache(maxsize=1 << 17)
def looks_clear(ground: Ground, start: str, end: str) -> bool:
    """3.2.1 Whether no hex in between shows woods, a building or a hill above both ends; results are cached."""
    low, top = sorted((ground[start].level, ground[end].level))
    higher = start if ground[start].level > ground[end].level else end
    for group in ground.smoke_hexes(start, end):
        if all(ground.cover(hex) or ground[hex].level > top for hex in group):
            return False
        if low < top and any(ground[hex].level == top and not ground.adjacent(hex, higher) for hex in group):
            return False
    return True
