"""Orders as data: the contents of the three exchanges of a player turn, and a plan's orders for battles.

12     Move, MoveOrders: the Movement Phase
23.2   AirStrike: an Air Strike marker
24.1   Gun: an artillery strike
25.1   Commit: a battle
25.7   Retreat
25.8   Advance
----   FightOrders, Plan
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.nato.map.grid import HexId

AIRFIELD, VISTULA = "airfield", "vistula"
"""21.3, 21.4, 22.4 Targets of strikes that are not hexes."""

OVER = Objection("21.2", say("the match is over"))
"""21.2 Why orders that come after Armageddon are not carried out."""


class Move(msgspec.Struct, frozen=True, omit_defaults=True):
    """12, 28.1 One unit's move: the hexes on its path, the mode, and whether it is placed in reserve."""

    unit: str
    path: tuple[HexId, ...] = ()
    mode: str = ""
    reserve: bool = False


class Gift(msgspec.Struct, frozen=True):
    """35.8.4 Points or Lift Commands given to another seat of the side."""

    seat: str
    kind: str
    number: int


class Lending(msgspec.Struct, frozen=True, omit_defaults=True):
    """35.8.4 A unit lent to another seat of the side, until the end of a turn or until it is recalled."""

    unit: str
    seat: str
    until: int = 0


class Dispositions(msgspec.Struct, frozen=True, omit_defaults=True):
    """35.8 Orders about the commands of a side; they take effect after the exchange."""

    give: tuple[Gift, ...] = ()
    lend: tuple[Lending, ...] = ()
    recall: tuple[str, ...] = ()
    deputies: dict[str, str] = {}
    """Each seat with the deputy that answers for it if it sends nothing."""
    priority: tuple[str, ...] = ()
    """Seats whose orders come first."""
    ceasefire: str = ""
    """35.1.2 The terms of a ceasefire that the side proposes or accepts."""


class MoveOrders(msgspec.Struct, frozen=True, omit_defaults=True):
    """7.2 The orders for the Movement Phase: the resupply operation and all moves, in order."""

    moves: tuple[Move, ...] = ()
    resupply: HexId = ""
    command: Dispositions = Dispositions()
    present: bool = False
    """35.8 Whether one of several seats has sent orders; if so, no other seat moves its units, even if they hold."""


class AirStrike(msgspec.Struct, frozen=True, omit_defaults=True):
    """23.2.4 One air point spent on a hex; the targets may be left open."""

    hex: HexId
    operational: bool = False
    targets: tuple[str, ...] = ()


def write_strike(verb: str, strike: AirStrike) -> str:
    """An air strike or an interdiction in order notation."""
    kind = " operational" if strike.operational else ""
    at = f" at {', '.join(strike.targets)}" if strike.targets else ""
    return f"{verb} {strike.hex}{kind}{at}"


class Gun(msgspec.Struct, frozen=True, omit_defaults=True):
    """24.1 An artillery unit and the hex that it strikes."""

    unit: str
    hex: HexId
    targets: tuple[str, ...] = ()


def write_gun_strike(gun: Gun) -> str:
    """An artillery strike in order notation."""
    at = f" at {', '.join(gun.targets)}" if gun.targets else ""
    return f"fire {gun.unit} at {gun.hex}{at}"


class Commit(msgspec.Struct, frozen=True, omit_defaults=True):
    """25.1.1 A battle: the objective, the units, the supporting HQ and the HQ that sends helicopters."""

    objective: HexId
    units: tuple[str, ...]
    support: str = ""
    helicopters: str = ""
    when: str = ""
    """The condition under which the battle is fought: `3018 taken`, `3018 held`, `odds 3:1`."""


def write_battle(commit: Commit) -> str:
    """A battle in order notation."""
    words = [f"attack {commit.objective} with {', '.join(commit.units)}"]
    if commit.support:
        words.append(f"support {commit.support}")
    if commit.helicopters:
        words.append(f"helicopters {commit.helicopters}")
    if commit.when:
        words.append(f"if {commit.when}")
    return " ".join(words)


class Retreat(msgspec.Struct, frozen=True, omit_defaults=True):
    """25.7 The steps given up instead of retreating hexes, and the path of each unit."""

    trade: tuple[str, ...] = ()
    paths: dict[str, tuple[HexId, ...]] = {}


class Advance(msgspec.Struct, frozen=True, omit_defaults=True):
    """25.8 The path of each unit that advances."""

    paths: dict[str, tuple[HexId, ...]] = {}


class Chemical(msgspec.Struct, frozen=True, omit_defaults=True):
    """22.2 A chemical strike: the hex or `airfield`, how it is delivered, and whether the agent is persistent."""

    hex: str
    delivery: str = "tactical"
    persistent: bool = False


def write_chemical_strike(order: Chemical) -> str:
    """A chemical strike in order notation."""
    delivery = "" if order.delivery == "tactical" or order.hex == AIRFIELD else f" {order.delivery}"
    return f"chemical {order.hex}{delivery}{' persistent' if order.persistent else ''}"


class FightOrders(msgspec.Struct, frozen=True, omit_defaults=True):
    """7.2 II.D, II.E Everything declared before the first die roll: Battle markers, air strikes and interdiction."""

    marks: tuple[HexId, ...] = ()
    air: tuple[AirStrike, ...] = ()
    interdict: tuple[AirStrike, ...] = ()
    nuclear: tuple[str, ...] = ()
    """21 Hexes, `airfield` or `vistula`, one after the other."""
    chemical: tuple[Chemical, ...] = ()
    deep: int = 0
    """23.7 Operational points spent on the deep interdiction strike."""
    command: Dispositions = Dispositions()
    present: bool = False
    """35.8 Whether one of several seats has sent orders; if so, no other seat fights with its units."""


def write_strikes(orders: FightOrders) -> Iterator[str]:
    """The strikes in order notation."""
    yield from (write_strike("air", strike) for strike in orders.air)
    yield from (write_strike("interdict", strike) for strike in orders.interdict)
    yield from (f"nuke {target}" for target in orders.nuclear)
    yield from map(write_chemical_strike, orders.chemical)
    if orders.deep:
        yield f"deep {orders.deep}"


class Plan(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answers a player has planned for the windows of this exchange."""

    guns: tuple[Gun, ...] = ()
    battles: tuple[Commit, ...] = ()
    clauses: tuple[str, ...] = ()


def plan_lines(plan: Plan) -> list[str]:
    """A plan in order notation."""
    return [*map(write_gun_strike, plan.guns), *map(write_battle, plan.battles), *plan.clauses]


def read_plan(plan: Any) -> Plan:
    """Read a plan from its plain form."""
    return msgspec.convert(dict(plan), Plan)
