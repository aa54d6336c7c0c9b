"""The contents of a picture as plain values, made only from a view."""

import msgspec

from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.map.ground import Side


class Shown(msgspec.Struct, frozen=True):
    """3.2 A unit as everybody sees it."""

    unit: str
    at: str
    """A hex, `srb` or the box of a sector."""
    own: bool = False
    """Whether the viewer orders it."""
    reduced: bool = False
    disrupted: bool = False
    """4.2.1, 4.2.2 Disrupted; for an HQ or an artillery unit, Suppressed."""
    ms_out: bool = False
    cs_out: bool = False
    supplied: bool = True
    """4.2.4 Whether an HQ is supplied."""
    train: bool = False
    reserve: bool = False
    engaged: bool = False
    active: bool = True
    reforger: bool = False
    """33.3 A Reforger site that is not yet activated."""


class Track(msgspec.Struct, frozen=True):
    """A movement of this turn: the hexes from start to end."""

    unit: str
    side: Side
    path: tuple[HexId, ...]
    mode: str = ""


class Clash(msgspec.Struct, frozen=True):
    """A battle of this turn."""

    objective: HexId
    attacker: Side
    origins: tuple[HexId, ...]
    result: str = ""


class Situation(msgspec.Struct, frozen=True):
    """Everything that a picture shows besides the ground."""

    title: str
    turn: int
    pieces: tuple[Shown, ...] = ()
    conquered: dict[HexId, Side] = {}
    battles: tuple[HexId, ...] = ()
    breakthrough: tuple[HexId, ...] = ()
    nuclear: tuple[HexId, ...] = ()
    chemical: tuple[HexId, ...] = ()
    interdiction: dict[Side, tuple[HexId, ...]] = {}
    tracks: tuple[Track, ...] = ()
    clashes: tuple[Clash, ...] = ()
    verbs: str = ""
    """Orders that a pointer can give."""
