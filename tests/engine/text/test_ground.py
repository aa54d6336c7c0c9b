"""The ground in words: each kind once, with its hexes."""

from __future__ import annotations

from pbem.engine.text.ground import ground_lines
from pbem.engine.text.messages import Name


def test_each_kind_of_ground_is_told_once_and_the_most_common_one_without_its_hexes() -> None:
    hexes = {"A1": "clear", "A2": "woods", "A3": "clear", "B1": "clear", "B2": "woods", "B3": "woods, road"}
    assert list(map(str, ground_lines({hex: Name(ground) for hex, ground in hexes.items()}))) == [
        "The ground, hex by hex. Hexes that are not listed: clear.",
        "woods: A2 B2",
        "woods, road: B3",
    ]
    assert list(ground_lines({})) == []
