"""The contents of a map picture as plain values, taken only from a view."""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Protocol

import msgspec

from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.map.ground import Side


class Shown(msgspec.Struct, frozen=True):
    """3.2 A unit as everyone sees it."""

    unit: str
    at: str
    """A hex, `srb` or the box of a sector."""
    own: bool = False
    """Whether the viewer commands the unit."""
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
    """A battle fought this turn."""

    objective: HexId
    attacker: Side
    origins: tuple[HexId, ...]
    result: str = ""


class SupplyLine(msgspec.Struct, frozen=True):
    """10.1.2 A line of supply: the hexes from a unit or an HQ to its source."""

    side: Side
    path: tuple[HexId, ...]


class Situation(msgspec.Struct, frozen=True):
    """Everything that the map picture shows apart from the terrain."""

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
    zones: dict[Side, tuple[HexId, ...]] = {}
    """8.0 Hexes in a zone of control of each side."""
    supply: tuple[SupplyLine, ...] = ()
    verbs: str = ""
    """Orders that can be given with the pointer."""


class PieceView(Protocol):
    """3.2.10 A unit in play, as stored in the state."""

    @property
    def id(self) -> str: ...
    @property
    def at(self) -> str: ...
    @property
    def reduced(self) -> bool: ...
    @property
    def disrupted(self) -> bool: ...
    @property
    def ms_out(self) -> bool: ...
    @property
    def cs_out(self) -> bool: ...
    @property
    def supplied(self) -> bool: ...
    @property
    def engaged(self) -> bool: ...
    @property
    def reserve(self) -> bool: ...
    @property
    def train(self) -> str: ...
    @property
    def active(self) -> bool: ...


class TableView(Protocol):
    """7.2 The part of a state that the picture shows."""

    @property
    def turn(self) -> int: ...
    @property
    def pieces(self) -> Mapping[str, PieceView]: ...
    @property
    def conquered(self) -> Mapping[HexId, Side]: ...
    @property
    def battles(self) -> Sequence[HexId]: ...
    @property
    def breakthrough(self) -> Sequence[HexId]: ...
    @property
    def nuclear(self) -> Sequence[HexId]: ...
    @property
    def chemical(self) -> Mapping[HexId, object]: ...
    @property
    def interdiction(self) -> Mapping[Side, Sequence[HexId]]: ...


def situation_of(
    view: TableView,
    title: str,
    *,
    own: Container[str] = (),
    sites: Container[str] = (),
    tracks: Iterable[Track] = (),
    clashes: Iterable[Clash] = (),
    zones: Mapping[Side, Iterable[HexId]] | None = None,
    supply: Iterable[SupplyLine] = (),
    verbs: str = "",
) -> Situation:
    """The contents of a picture of this state; `own` lists the viewer's units and `sites` the Reforger sites."""
    pieces = (
        Shown(
            unit=id,
            at=piece.at,
            own=id in own,
            reduced=piece.reduced,
            disrupted=piece.disrupted,
            ms_out=piece.ms_out,
            cs_out=piece.cs_out,
            supplied=piece.supplied,
            train=bool(piece.train),
            reserve=piece.reserve,
            engaged=piece.engaged,
            active=piece.active,
            reforger=id in sites,
        )
        for id, piece in sorted(view.pieces.items())
    )
    return Situation(
        title=title,
        turn=view.turn,
        pieces=tuple(pieces),
        conquered={hex: view.conquered[hex] for hex in sorted(view.conquered)},
        battles=tuple(view.battles),
        breakthrough=tuple(view.breakthrough),
        nuclear=tuple(view.nuclear),
        chemical=tuple(sorted(view.chemical)),
        interdiction={side: tuple(view.interdiction[side]) for side in Side if view.interdiction.get(side)},
        tracks=tuple(tracks),
        clashes=tuple(clashes),
        zones={side: tuple(sorted(hexes)) for side, hexes in (zones or {}).items()},
        supply=tuple(supply),
        verbs=verbs,
    )
