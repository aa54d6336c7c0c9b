"""The ground in words: every hex of a map, listed by what is in it, for readers without the picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping


def ground_lines(hexes: Mapping[str, str]) -> Iterator[str]:
    """Yield one line for each kind of ground with its hexes; the most common kind is told without them.

    `hexes` are the names of all hexes, each with its ground in words.
    """
    kinds: dict[str, list[str]] = {}
    for hex, words in hexes.items():
        kinds.setdefault(words, []).append(hex)
    if not kinds:
        return
    common = max(kinds, key=lambda words: len(kinds[words]))
    yield f"The ground, hex by hex. Hexes that are not listed: {common}."
    yield from (f"{words}: {' '.join(found)}" for words, found in sorted(kinds.items()) if words != common)
