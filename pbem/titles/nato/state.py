"""The state of a match between two steps: units, markers and tracks.

    3.2.10   Piece: a unit on the map, in a box or in the Strategic Reserve Box, with its markers (4.2)
    4.1      NatoState: markers on hexes
    4.3      NatoState: game points and tracks
    25.1     Battle: the battle cycle in progress

Nothing is hidden in this game (7.2), so every seat's view is the state itself. Facts computed from a state
(positions, zones of control, lines of supply) are kept on a `Board` beside it and never stored.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Final

import msgspec

from pbem.engine.rules.state import State
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.grid import HexId

ENEMY: Final[dict[Side, Side]] = {Side.WP: Side.NATO, Side.NATO: Side.WP}

SRB: Final = "srb"
"""33.6 The Strategic Reserve Box; a reinforcement box is `sector1` to `sector5`."""


class Piece(msgspec.Struct, kw_only=True, omit_defaults=True):
    """3.2.10 One unit in play. Its printed values are on its card, under the same id."""

    id: str
    at: str
    """A hex, `srb`, or the box of a sector."""
    reduced: bool = False
    disrupted: bool = False
    """4.2.1 Disrupted, or 4.2.2 Suppressed for an artillery unit or an HQ."""
    ms_out: bool = False
    cs_out: bool = False
    supplied: bool = True
    """4.2.4 Whether the marker of an HQ shows its supplied side."""
    unpaid: bool = False
    """10.4.3.1 Whether an HQ is unsupplied only because no Supply Point was spent for it."""
    engaged: bool = False
    reserve: bool = False
    """4.2.7 OMG or Reserve."""
    train: str = ""
    """4.2.3 `entraining` or `entrained`."""
    active: bool = True
    moved: bool = False
    """7.2 Whether the unit has moved in this Movement Phase, or on the ground in this Reserve Phase."""
    flown: bool = False
    """28.2.2 Whether helicopters have moved the unit in this Reserve Phase."""
    fought: bool = False
    """25.2 Whether the unit was committed to a battle in this Combat Phase."""
    freed: bool = False
    """25.7.8 Whether a retreat has freed the unit from the limits of its area."""

    @property
    def unsupplied(self) -> bool:
        """4.2.4 Whether an HQ's supply marker shows its unsupplied side."""
        return not self.supplied


MARKERS: Final = ("reduced", "disrupted", "ms_out", "cs_out", "unsupplied", "reserve", "train")
"""4.2 The unit markers that films show."""

markers_of: Final = attrgetter(*MARKERS)


class Battle(msgspec.Struct, kw_only=True, omit_defaults=True):
    """25.1 The battle cycle in progress: its objective, its units and their support."""

    objective: HexId
    side: Side
    attackers: list[str] = []
    support: str = ""
    """25.4 The HQ that gives Offensive Support."""
    responded: str = ""
    wanted: str = ""
    """25.1.4 The HQ whose brigade the attacker intends to send."""
    helicopters: dict[Side, str] = {}
    """25.1.4 The HQs whose brigades have arrived."""
    flown: dict[str, str] = {}
    """25.1.8 The hex of each brigade that must fly home, by HQ."""
    defenders: list[str] = []
    """25.3.2 The maneuver units that add their strength to the defense."""
    defended: bool = False
    """35.2.1 Whether a unit was in the objective when the battle was declared, or has responded into it."""
    origins: list[HexId] = []
    """The hexes that the attackers came from."""
    lone_city: bool = False
    stood: bool = False
    """25.7.1 Whether the defender gave up steps instead of retreating: They Shall Not Pass!"""


class Loan(msgspec.Struct, frozen=True, omit_defaults=True):
    """35.8.4 A unit that one seat has lent to another of its side."""

    seat: str
    until: int = 0
    """The last turn of the loan; 0 if it lasts until recalled."""


class Proposal(msgspec.Struct, frozen=True):
    """35.1.2 A side's proposed ceasefire terms, and the player turn in which they were proposed."""

    terms: str
    player_turn: int


class NatoState(State, kw_only=True, dict=True):
    """The complete state of a match. `dict` allows a board to be attached to it; the board is never stored."""

    side: Side = Side.WP
    """7.1.2 The phasing player."""
    phase: str = ""
    pieces: dict[str, Piece] = msgspec.field(default_factory=dict)
    lost: dict[str, int] = msgspec.field(default_factory=dict)
    """Eliminated units, with the turn of their elimination."""
    conquered: dict[HexId, Side] = msgspec.field(default_factory=dict)
    """4.1.1 Conquest markers on cities."""
    surrendered: list[str] = msgspec.field(default_factory=list)
    """32.0 Countries that have surrendered."""
    invaded: list[str] = msgspec.field(default_factory=list)
    """35.2.1 Countries that an enemy has entered since their side's last player turn."""
    forts_lost: list[HexId] = msgspec.field(default_factory=list)
    """38.4.3.4 Fortified hexes with a Conquest marker."""
    sites_lost: list[HexId] = msgspec.field(default_factory=list)
    """33.2.1.2 Reserve sites that the enemy has entered."""
    ports: dict[HexId, Side] = msgspec.field(default_factory=dict)
    """10.1.4 Ports without a city that the enemy has entered."""
    nuclear: list[HexId] = msgspec.field(default_factory=list)
    """4.1.2 Nuclear Strike markers."""
    chemical: dict[HexId, dict[Side, bool]] = msgspec.field(default_factory=dict)
    """4.1.3 Chemical Strike markers by side, and whether they are persistent."""
    gassed: list[HexId] = msgspec.field(default_factory=list)
    """22.3.2 Hexes struck with chemicals in this player turn."""
    first_use: int = 0
    """4.4.3 The turn in which chemical warfare began; 0 before."""
    chemical_points: dict[Side, int] = msgspec.field(default_factory=dict)
    nuclear_count: dict[Side, int] = msgspec.field(default_factory=dict)
    """21.2 Nuclear strikes made so far."""
    first_nuclear: int = 0
    """21.3, 21.5 The turn of the first nuclear strike; 0 before."""
    airfields: dict[Side, int] = msgspec.field(default_factory=dict)
    """21.3 Tactical air points deducted from what a side receives each turn."""
    surrendering: list[str] = msgspec.field(default_factory=list)
    """32.2.1 Countries whose surrender takes effect in the next Joint Status Phase."""
    sites: dict[str, HexId] = msgspec.field(default_factory=dict)
    """33.3 Reforger sites that are waiting for their crews."""
    damaged: list[str] = msgspec.field(default_factory=list)
    """4.2.8 Reforger sites with a Damage marker."""
    reduced_sites: list[str] = msgspec.field(default_factory=list)
    """33.3.5 Reforger sites that have lost a step."""
    supply_points: int = 0
    gdp_army: str = ""
    """35.3.5 The army that is now moving to its positions."""
    gdp_limit: int = 0
    gdp_dice: dict[str, int] = msgspec.field(default_factory=dict)
    ferried: list[HexId] = msgspec.field(default_factory=list)
    """12.8 The ends of the Danish ferry from which a unit has crossed in this segment."""
    vistula: bool = False
    deep: int = 0
    """23.7 Supply Points to be deducted from the Warsaw Pact's next income."""
    surrendered_ever: list[str] = msgspec.field(default_factory=list)
    """32.2.3 Countries that have surrendered at any time."""
    crimes: list[HexId] = msgspec.field(default_factory=list)
    """34.4 City hexes that have been struck by nuclear or chemical weapons."""
    battles: list[HexId] = msgspec.field(default_factory=list)
    """4.2.6 Hexes with a Battle marker whose battle is still to be fought."""
    fought: list[HexId] = msgspec.field(default_factory=list)
    """25.2 Objectives of this Combat Phase."""
    breakthrough: list[HexId] = msgspec.field(default_factory=list)
    cleared: list[HexId] = msgspec.field(default_factory=list)
    """25.9.1 Hexes with a Breakthrough marker from the Offensive Strike Phase whose battle may still be run."""
    interdiction: dict[Side, list[HexId]] = msgspec.field(default_factory=dict)
    resupply: HexId = ""
    battle: Battle | None = None
    support_used: list[str] = msgspec.field(default_factory=list)
    """25.4 HQs that have given Offensive Support in this Combat Phase."""
    multinational: list[str] = msgspec.field(default_factory=list)
    """26.2.2 Nations that have taken part in a multinational attack this turn."""
    tactical: dict[Side, int] = msgspec.field(default_factory=dict)
    operational: dict[Side, int] = msgspec.field(default_factory=dict)
    air_bonus: dict[Side, int] = msgspec.field(default_factory=dict)
    """36 Tactical points that a scenario gives once for the whole game."""
    brigades: dict[str, str] = msgspec.field(default_factory=dict)
    """18.4 Attack helicopter brigades by HQ: `ready`, `recovery` or `lost`."""
    assaults: list[str] = msgspec.field(default_factory=list)
    """27.1 Units inside an enemy-occupied hex whose battle is still to be fought."""
    lift_ready: dict[Side, dict[str, int]] = msgspec.field(default_factory=dict)
    """15.1 Lift Commands in the Ready box by kind: `air`, `helicopter`, `sea`."""
    lift_used: dict[Side, dict[str, int]] = msgspec.field(default_factory=dict)
    """15.1 Lift Commands in the Recovery box."""
    points: dict[Side, int] = msgspec.field(default_factory=dict)
    """4.3.4 Victory points scored so far."""
    returning: dict[str, int] = msgspec.field(default_factory=dict)
    """29.8 Eliminated HQs, with the turn in which they come back."""
    tracks: list[tuple[str, str, tuple[str, ...]]] = msgspec.field(default_factory=list)
    """Moves of this player turn, for the map: unit, mode and path."""
    clashes: list[tuple[HexId, Side, str, tuple[HexId, ...]]] = msgspec.field(default_factory=list)
    """25.1 Battles of this player turn, for the map: objective, attacker, result, and the attackers' hexes."""
    peace: int = 0
    """39 The current peace turn of War of Nerves; after the outbreak of war, the last one."""
    tension: int = 0
    """4.5.2 The tension level."""
    alert: int = 0
    """4.5.5 The alert level of NATO; 0 in other scenarios."""
    measures: dict[str, int] = msgspec.field(default_factory=dict)
    """4.5.1 War preparations taken by the Warsaw Pact, with the peace turn of each."""
    clocks: dict[str, int] = msgspec.field(default_factory=dict)
    """4.5.3 Running mobilization clocks: `soviet`, `allies`, `nato`."""
    deployed: bool = False
    """35.3 Whether NATO has moved to its battle positions."""
    lent: dict[str, Loan] = msgspec.field(default_factory=dict)
    """35.8.4 Units on loan to another seat of their side."""
    pools: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    """35.8.1 Points and Lift Commands that each seat except the theatre command may still use this turn."""
    shares: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    """35.8.4 Shares set by the theatre command; without any, shares are equal."""
    deputies: dict[str, str] = msgspec.field(default_factory=dict)
    """35.8 The deputy that answers for each seat; by default the theatre command."""
    precedence: list[str] = msgspec.field(default_factory=list)
    """35.8 Seats whose orders come first, as set by the theatre command."""
    silent: list[str] | msgspec.UnsetType = msgspec.UNSET
    """35.8 Of several seats of the phasing side, those without orders for their battles: their deputies fight."""
    ceasefire: dict[Side, Proposal] | msgspec.UnsetType = msgspec.UNSET
    """35.1.2 Proposals of a ceasefire, by side."""
    awaited: list[str] = msgspec.field(default_factory=list)
    """Scheduled units that have not arrived yet."""
