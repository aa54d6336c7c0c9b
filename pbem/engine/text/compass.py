"""The points of the compass as words of a message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.engine.text.messages import Message, term

COMPASS: Final[Mapping[str, Message]] = {
    "north": term("compass", "north"),
    "north-east": term("compass", "north-east"),
    "east": term("compass", "east"),
    "south-east": term("compass", "south-east"),
    "south": term("compass", "south"),
    "south-west": term("compass", "south-west"),
    "west": term("compass", "west"),
    "north-west": term("compass", "north-west"),
}
