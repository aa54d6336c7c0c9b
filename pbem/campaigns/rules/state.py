"""C1, C2 The state of a campaign: rosters, battles that are being fought, the map.

A roster holds only the units that a side still has, so the state does not grow with the campaign's age. Findings
record the fates of lost units.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from pbem.engine.rules.state import State

Status = Literal["ready", "battle", "repair", "missing"]
FATES: Final = ("fit", "damaged", "withdrawn", "missing", "captured", "lost")


class Unit(msgspec.Struct, omit_defaults=True):
    """C2.1 A unit of a roster. Its id is the same in every battle, and it is in only one place at a time."""

    id: str
    card: str
    name: str
    experience: int = 0
    status: Status = "ready"
    damage: int = 0
    until: int = 0
    """C5.2 The stage in which the unit returns from repair."""
    group: str = ""
    battle: str = ""
    battles: int = 0
    kills: int = 0
    since: int = 1


class Coming(msgspec.Struct, omit_defaults=True):
    """C5.3 A unit that has been bought but has not arrived."""

    card: str
    stage: int


class SideState(msgspec.Struct, omit_defaults=True):
    """C1.2 A side's points, units and campaign points."""

    points: int = 0
    units: dict[str, Unit] = msgspec.field(default_factory=dict)
    coming: list[Coming] = msgspec.field(default_factory=list)
    score: int = 0
    won: int = 0
    lost: int = 0
    """How many units the side has lost so far."""
    ground: dict[str, list[str]] = msgspec.field(default_factory=dict)
    """C3.7 The side's perimeter after the last battle at each place."""
    numbers: int = 0
    """C2.2 The secret that decides the numbers of the side's new units; rolled when the first one arrives."""
    enlisted: int = 0
    """C2.2 How many new units have arrived so far."""
    leader: str = ""
    """C1.3 The seat that the chief has appointed to lead the battles of a tree."""


class Call(msgspec.Struct, omit_defaults=True):
    """C3.1 A battle that has been called: a match is created for it, and its report is awaited."""

    name: str
    scenario: str
    stage: int
    units: dict[str, list[str]]
    commanders: dict[str, str]
    place: str = ""
    decisive: int = 20
    attacker: str = ""
    ground: dict[str, list[str]] = msgspec.field(default_factory=dict)
    """C3.7 The perimeter of each side, if there was a battle at this place before."""
    handicap: str = ""
    """C3.8 A provision of the scenario's balance, such as `german 1`."""


class GroupState(msgspec.Struct, omit_defaults=True):
    """C7.1 A battlegroup: where it is, where it came from, and which seat commands it."""

    side: str
    province: str
    seat: str
    came: str = ""
    battle: str = ""


class CampaignState(State, kw_only=True):
    """C1 The state of a campaign. `turn` is the stage. `battles` are the battles that have not been reported."""

    sides: dict[str, SideState]
    battles: dict[str, Call] = msgspec.field(default_factory=dict)
    called: int = 0
    node: str = ""
    control: dict[str, str] = msgspec.field(default_factory=dict)
    groups: dict[str, GroupState] = msgspec.field(default_factory=dict)


class Report(msgspec.Struct, omit_defaults=True):
    """C4.1 The report of a match: winner, score, and one fate for every unit."""

    winner: str | None = None
    score: dict[str, int] = {}
    fates: dict[str, dict[str, dict[str, int | str]]] = {}
    kills: dict[str, int] = {}
    how: str = ""
    ground: dict[str, list[str]] = {}
    """C3.7 The hexes that each side holds at the end, if the title reports them."""


def awaited_name(battle: str) -> str:
    """The name under which an exchange awaits a battle."""
    return f"battle {battle}"
