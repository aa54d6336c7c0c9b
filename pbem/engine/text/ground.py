"""The ground in words: every hex of a map, listed by what is in it, for readers without the picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.engine.text.messages import Message, Value, say


def ground_lines(hexes: Mapping[str, Value]) -> Iterator[Message]:
    """Yield one line for each kind of ground with its hexes, which are left out for the most common kind.

    `hexes` are the names of all hexes, each with its ground in words.
    """
    kinds: dict[Value, list[str]] = {}
    for hex, ground in hexes.items():
        kinds.setdefault(ground, []).append(hex)
    if not kinds:
        return
    common = max(kinds, key=lambda ground: len(kinds[ground]))
    yield say("The ground, hex by hex. Hexes that are not listed: {ground}.", ground=common)
    for ground, found in sorted(kinds.items(), key=lambda one: str(one[0])):
        if ground != common:
            yield say("{ground}: {hexes}", ground=ground, hexes=" ".join(found))
