"""Judgement by eye: whether a line of sight is probably clear, and how far it is to a goal.

A bot never looks up lines of sight, because players may not do so with `los = printed`. It judges by the hexes in
between.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping

from pbem.titles.aslsk.ground import by_eye
from pbem.titles.aslsk.movement.allowance import cost_of
from pbem.titles.aslsk.situation import Situation


def looks_clear(situation: Situation, start: str, end: str) -> bool:
    """3.2.1 Whether a line of sight is probably clear."""
    return by_eye.looks_clear(situation.ground, start, end)


def costs_to(situation: Situation, goals: Iterable[str]) -> Mapping[str, int]:
    """3.3.1 The cost in half MF from every hex to the nearest goal."""
    found: dict[str, int] = {}
    heap = [(0, hex) for hex in sorted(set(goals))]
    heapq.heapify(heap)
    while heap:
        cost, hex = heapq.heappop(heap)
        if hex in found:
            continue
        found[hex] = cost
        for near in situation.ground.neighbours(hex):
            if near not in found:
                heapq.heappush(heap, (cost + cost_of(situation, near, hex, smoke=False), near))
    return found
