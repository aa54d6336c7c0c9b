"""11 G The orders of a player turn as data: a seat's sealed orders, and the parts of fire plans and standing orders.

G2    RallyOrders
G3    FireOrder: one attack of a fire phase
G4    MoveOrder, Leg, Branch, Waiting: a stack, its path and its branches
G5    Clause: one line of a fire plan or of standing orders
G6    RoutOrder
G7    AdvanceOrder, CombatOrder
----  Orders: everything a seat may seal for a player turn
"""

from __future__ import annotations

from typing import Literal

import msgspec


class Part(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The base of all parts of orders: unknown fields are mistakes, and empty fields are omitted."""


class Attempt(Part, frozen=True):
    """A unit that attempts to rally, recover, repair and so on, and the leader or weapon involved."""

    unit: str
    other: str = ""


class RallyOrders(Part, frozen=True):
    """3.1 The choices for a Rally Phase; without any, every unit that can rally attempts to do so."""

    recover: tuple[Attempt, ...] = ()
    no_repair: tuple[str, ...] = ()
    repair: tuple[str, ...] = ()  # main armaments that risk Recall
    transfer: tuple[Attempt, ...] = ()  # unit: the new holder, other: the weapon
    extra: str = ""  # 3.1/e-self-rally the one MMC without self-rally
    rally: tuple[Attempt, ...] = ()  # by which leader, in this order; the rest follows
    no_rally: tuple[str, ...] = ()
    keep_dm: tuple[str, ...] = ()
    shed_dm: tuple[str, ...] = ()


class FireOrder(Part, frozen=True):
    """3.2.2 One attack on the first of these hexes that holds an enemy (an unbroken one, if `unbroken`)."""

    components: tuple[str, ...]
    at: tuple[str, ...]
    leaders: tuple[str, ...] = ()
    unbroken: bool = False
    once: bool = False  # do not fire again with a rate of fire that was kept
    how: str = ""  # ordnance: area, smoke, WP, AP or H
    intensive: bool = False  # 3.2.4/intensive-fire once the rate of fire is lost
    face: str = ""  # 3.2.4/covered-arc turn a Gun towards a hex without firing
    against: tuple[str, ...] = ()  # 3.2.4/vtt vehicles, the first that can be fired at
    anyway: bool = False  # 6.4 also at a hex without a Known enemy
    blast: bool = False  # 4.4.3 backblast instead of the DRM
    unmarked: bool = False  # 6.10 no acquisition marker is placed
    destroy: bool = False  # 4.0/weapon-destruction the unit destroys its own weapon
    detonate: bool = False  # 4.3/detonation a placed charge goes off at this point of the AFPh


class Leg(Part, frozen=True):
    """3.3.1 One action of a moving stack, such as entering a hex, throwing smoke, or recovering or dropping a
    weapon.
    """

    do: Literal[
        "enter", "smoke", "recover", "drop", "place", "push",
        "start", "stop", "turn", "turret", "delay", "motion", "open", "close", "device", "unbog", "fire",
    ]  # fmt: skip
    hex: str = ""
    by: tuple[str, ...] = ()
    weapon: str = ""
    cover: bool = False  # 1.1.1.5 pay the cost of woods or orchard on a road hex
    number: int = -1  # 3.3.2, 6.5 the hexspine to face, or the MP to wait
    whole: bool = False  # 1.1.1.4 woods for all MP
    extra: int = 0  # 3.3.2 half MP beyond the cost of the hex
    target: str = ""  # 3.3.2.2 the vehicle that is fired at; 4.3/vs-afv the one that a charge is set against
    how: str = ""


class Branch(Part, frozen=True):
    """11 G4 A branch in a stack's orders: if a condition is true, the stack stops or takes another path."""

    when: Literal["hurt", "broken", "pinned", "lost", "residual", "no_smoke", "enemy_within"]
    unit: str = ""
    hex: str = ""
    number: int = 0
    then: Literal["stop", "via", "go"] = "stop"
    path: tuple[Leg, ...] = ()


class Waiting(Part, frozen=True):
    """11 G4 The condition that a stack moves only after another unit has arrived somewhere, unhurt if so ordered."""

    unit: str
    hex: str = ""
    unhurt: bool = False


class MoveOrder(Part, frozen=True):
    """3.3.1 A stack, its actions in order, and its branches."""

    units: tuple[str, ...]
    legs: tuple[Leg, ...] = ()
    assault: bool = False
    double: bool = False
    branches: tuple[Branch, ...] = ()
    after: Waiting | None = None


class RoutOrder(Part, frozen=True):
    """3.6 How a unit routs: along a path, by Low Crawl into the first hex of its path, or not at all; possibly
    with a leader.
    """

    unit: str
    path: tuple[str, ...] = ()
    crawl: bool = False
    leader: str = ""


class Hatch(Part, frozen=True):
    """7.7 A vehicle whose crew becomes exposed or buttons up in the Advance Phase."""

    unit: str
    open: bool = False


class AdvanceOrder(Part, frozen=True):
    """3.7 Units that advance into a hex; `only` limits this to a hex without enemies, or to one with enemies."""

    units: tuple[str, ...]
    to: str
    only: Literal["", "empty", "enemy"] = ""


class Assault(Part, frozen=True):
    """3.8/attacks One close combat attack: the attacking units and their targets."""

    units: tuple[str, ...]
    targets: tuple[str, ...] = ()
    how: str = ""  # 3.8/close-defence sN


class CombatOrder(Part, frozen=True):
    """3.8 The attacks in one hex."""

    hex: str
    attacks: tuple[Assault, ...] = ()


class Clause(Part, frozen=True):
    """11 G0 One line of a fire plan or of standing orders, with the text that its owner wrote.

    `fire` lets the named components (or all, if none is named) fire; `hold` keeps them from firing until a mover is
    within this many hexes; `keep` holds back this many of them; `sff` and `fpf` allow second fire; `rout`, `cc` and
    `extra` answer the asks of the same names.
    """

    do: Literal["fire", "hold", "keep", "sff", "fpf", "motion", "device", "reaction", "rout", "cc", "extra"]
    text: str = ""
    units: tuple[str, ...] = ()
    leaders: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    within: int = 0
    column: int = 0
    drm: int | None = None
    number: int = 0
    squads: int = 0
    leader: bool = False  # only if a leader moves with the stack
    seen: bool = False  # only with `los = open`
    clear: bool = False  # only if the line of sight looks clear on the map
    intensive: bool = False  # Guns may use Intensive Fire
    how: str = ""  # the ammunition or target type of ordnance (6.2); how to rout or fight
    chance: int = 0  # the minimum chance of a morale check or worse, in percent
    hit: int = 0  # the minimum chance to hit, in percent
    kill: int = 0  # the minimum chance to hit and destroy, in percent
    vehicles: bool = False  # only at vehicles
    infantry: bool = False  # only at Infantry
    pf: bool = False  # 4.4.2 Panzerfausts may be tried
    once: bool = False  # 1.2.4.1 do not fire again with a rate of fire that was kept
    unmarked: bool = False  # 6.10 no acquisition marker is placed
    facing: int = -1  # 3.3.2.1 the hexspine that a vehicle faces if it gets into Motion


class Orders(Part, frozen=True):
    """All orders that a seat seals in a player turn, by section."""

    rally: RallyOrders = RallyOrders()
    prep: tuple[FireOrder, ...] = ()
    moves: tuple[MoveOrder, ...] = ()
    plan: tuple[Clause, ...] = ()
    final: tuple[FireOrder, ...] = ()
    advancing: tuple[FireOrder, ...] = ()
    routs: tuple[RoutOrder, ...] = ()
    advances: tuple[AdvanceOrder, ...] = ()
    hatches: tuple[Hatch, ...] = ()
    combats: tuple[CombatOrder, ...] = ()
    stacks: tuple[Attempt, ...] = ()  # 3.8/sequence-infantry a leader, and the unit that the leader fights with
    gifts: tuple[Attempt, ...] = ()  # 3.7 weapons handed over in the Advance Phase; without a taker they are dropped
    spared: tuple[str, ...] = ()  # 6.10 weapons that do not interdict, to keep their acquired target


NO_ORDERS = Orders()


def merge_orders(before: Orders, after: Orders) -> Orders:
    """Return the earlier orders, with every section that the later orders contain replaced."""
    given = {
        name: getattr(after, name)
        for name in after.__struct_fields__
        if getattr(after, name) != getattr(NO_ORDERS, name)
    }
    return msgspec.structs.replace(before, **given)
