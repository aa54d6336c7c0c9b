"""4.5.1.1 The progress of a vehicle's move, and the effect of its next step.

    2.0 R-02     entering the map
    3.3          steps: forward, reverse, one hexside left or right
    4.5.1.1.1    after_damage (A-36)
    4.5.1.1.2    advance: the price of a hex, prohibited hexes and hexsides
    4.5.1.1.3    advance: the one hex that may exceed the allowance (A-37)
    4.5.1.1.4    advance: turning (R-16, A-84)
    4.5.1.1.5    advance, finish_objections: links, facing, obstructions, path or road rate (R-17, A-80)
    4.5.1.1.9    advance: leaving the map (A-32)
    4.5.1.1.10   advance: through wrecks, friends and enemies; finish_objections: not ending with an enemy;
                 steps_back (A-33)
    4.5.1.1.11   advance: a track must be left by a track (A-34)

None of this changes the state: `Progress` is a value, so a route can be tried out, checked, searched and executed
with the same code. Steps are short words: `f` forward, `b` reverse, `l` and `r` one hexside left or right, `exit` and
`exit-b` off the map, and for a reinforcement first `enter:A5:2` (hex, facing into the map).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias

import msgspec

from pbem.engine.geometry.hexes import Hex, hex_name, neighbour, opposite, turn, turns_between
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.basic_rows import PROHIBITED, WHOLE, Cost, LinkKind
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.movement.steps.acts import Act, Enter, read_act
from pbem.titles.panzer.movement.steps.costs import (
    Allowances,
    Ground,
    Item,
    Mode,
    Price,
    halve,
    in_reverse,
    price,
    saving,
)
from pbem.titles.panzer.state import Unit

FORWARD: Final = "f"
REVERSE: Final = "b"
LEFT: Final = "l"
RIGHT: Final = "r"
EXIT: Final = "exit"
EXIT_REVERSE: Final = "exit-b"
NOT_YET_HERE: Final = Objection("2.0", say("the unit is not on the map yet: begin with enter:HEX"))


@dataclass(frozen=True)
class Mover:
    """A vehicle about to move, and everything its steps depend on, all of it public.

    The methods are those that a kind of movement may override.
    """

    vehicle: Unit
    allowances: Allowances
    ground: Ground
    enemies: Collection[Hex]
    wrecks: Collection[Hex]
    others: Mapping[Hex, int]
    """3.8 The number of other vehicles in each hex."""
    entry: tuple[Hex, ...]
    """R-02 The hexes where a reinforcement may enter the map."""

    @property
    def reverse_times(self) -> int:
        """4.5.1.1.7 The multiple of a hex's cost paid in reverse; 0 if the unit cannot reverse."""
        return 2

    @property
    def hindered(self) -> bool:
        """Whether rules other than terrain costs close hexes to the unit."""
        return False

    def may_pass(self, hex: Hex, direction: int, way: int) -> bool:
        """Whether the unit may leave a hex in a direction, having entered it by `way`, or started there (0)."""
        return True

    def backwards(self, forward: Price) -> Price:
        """4.5.1.1.7 The cost of a hex in reverse."""
        return in_reverse(forward)

    def with_free_roads(self) -> Mover:
        """4.5.1.1.5 The same vehicle without any obstacle to the path and road rate."""
        return replace(self, enemies=(), wrecks=(), others={})

    def advance(self, progress: Progress, step: str) -> Stride | Objections:
        """4.5.1.1 The move after one more step, or every objection to that step."""
        return advance(self, progress, step)

    def obstructions(self, hex: Hex) -> Iterator[Objection]:
        """4.5.1.1.5 Yield the obstacles to the path and road rate in a hex."""
        return obstructions(self, hex)

    def finish_objections(self, progress: Progress) -> Iterator[Objection]:
        """4.5.1.1 Every reason why a move cannot end here."""
        return finish_objections(self, progress)


class Progress(msgspec.Struct, frozen=True, omit_defaults=True):
    """4.5.1.1 A move so far. It is plain data, so that an ask can carry it."""

    mode: Mode
    allowances: Allowances
    hex: Hex | None
    """None for a reinforcement that has not entered yet."""
    facing: int
    spent: int = 0
    entered: int = 0
    """The number of hexes entered."""
    roads: int = 0
    paths: int = 0
    """A-80 Hexes entered by road and by path."""
    turned: int = 0
    """R-16 Hexsides turned, left or right, since the vehicle entered this hex."""
    turn_paid: bool = False
    link: LinkKind | None = None
    """4.5.1.1.5 The link by which the vehicle entered this hex."""
    arrival: int = 0
    """4.5.1.1.5 The vehicle's facing when it entered this hex."""
    way: int = 0
    """The direction of travel into this hex; 0 in the start hex."""
    owed: Cost = 0
    """A-34 The additional cost of the present hex if it is left off the track."""
    ended: bool = False
    """4.5.1.1.3 Whether the vehicle has used the one hex that may exceed the allowance."""
    exit: str = ""
    """4.5.1.1.9 The edge by which the vehicle has left the map."""
    trail: tuple[Hex, ...] = ()
    """A-33 The hexes the vehicle was in before, oldest first."""
    steps: tuple[str, ...] = ()

    @property
    def rate(self) -> int:
        """4.5.1.1.5 The allowance for the move so far: the path rate unless most hexes are road."""
        if self.mode == "cross" or (self.entered == 0 and not self.exit):
            return self.allowances.cross  # it has not left its hex
        return self.allowances.road if self.roads > self.paths else self.allowances.path

    @property
    def limit(self) -> int:
        """The most points that may have been spent so far; more road hexes may still follow."""
        if self.mode == "cross":
            return self.allowances.cross
        return max(self.allowances.path, self.allowances.road)

    @property
    def left(self) -> int:
        return max(0, self.limit - self.spent)


class Stride(NamedTuple):
    """One step taken: the result and its cost."""

    step: str
    progress: Progress
    price: Price


Objections: TypeAlias = list[Objection]


def advance(mover: Mover, progress: Progress, step: str) -> Stride | Objections:
    """4.5.1.1 The move after one more step, or every objection to that step."""
    if progress.exit:
        return [Objection("4.5.1.1.9", say("the unit has left the map for good"))]
    act = read_act(step)
    if act.code == Enter.CODE:
        return _enter(mover, progress, act)
    if progress.hex is None:
        return [NOT_YET_HERE]
    if step in (LEFT, RIGHT):
        return _turn(mover, progress, progress.hex, step)
    if step in (FORWARD, REVERSE):
        return _drive(mover, progress, progress.hex, step)
    if step in (EXIT, EXIT_REVERSE):
        return _leave(mover, progress, progress.hex, step)
    return [
        Objection(
            "3.3",
            say(
                "'{step}' is not a step: use f or b to drive, l or r to turn, exit or exit-b to leave the map",
                step=step,
            ),
        )
    ]


# --- 4.5.1.1.2 driving ---------------------------------------------------------------------------------------


def _drive(mover: Mover, progress: Progress, hex: Hex, step: str) -> Stride | Objections:
    """3.3 Drive into the hex in front, or in reverse into the one behind."""
    direction = travel(progress.facing, step)
    target = neighbour(hex, direction)
    if not mover.ground.board.is_on_map(target):
        word = EXIT_REVERSE if step == REVERSE else EXIT
        return [Objection("4.5.1.1.9", say("that leads off the map; use {word} to leave for good", word=word))]
    link = mover.ground.board.link(hex, target)
    forward = mover.ground.entering(hex, direction, progress.mode)
    paid = mover.backwards(forward) if step == REVERSE else forward
    full = with_debt(progress, paid, link)
    objections = [
        *_facing_objections(mover, progress, link),
        *_rate_objections(mover, progress, link, f"to {hex_name(target)}"),
        *(mover.obstructions(target) if progress.mode == "road" else ()),
        *_price_objections(progress, full, hex_name(target)),
    ]
    if objections:
        return objections
    owed: Cost = 0
    if link == "track":
        plain = mover.ground.off_the_link(hex, direction)
        owed = saving((mover.backwards(plain) if step == REVERSE else plain).total, paid.total)
    full = _with_company(mover, full, target)
    after = _in_hex(mover, progress, target, direction, link, full)
    return Stride(step, msgspec.structs.replace(after, owed=owed, steps=(*progress.steps, step)), full)


def _with_company(mover: Mover, paid: Price, hex: Hex) -> Price:
    """4.5.1.1.10 Wrecks and vehicles of both sides are passed at the cost of the terrain only."""
    met = mover.others.get(hex, 0) + (hex in mover.wrecks)
    return paid._replace(items=(*paid.items, Item("4.5.1.1.10", "company", 0))) if met else paid


def travel(facing: int, step: str) -> int:
    """3.3 The direction of a step."""
    return opposite(facing) if step in (REVERSE, EXIT_REVERSE) else facing


def _in_hex(mover: Mover, progress: Progress, hex: Hex, way: int, link: LinkKind | None, paid: Price) -> Progress:
    """The progress in the hex just entered."""
    kind = _counted_as(mover, hex, link)
    spent = progress.spent + _points(progress, paid.total)
    return msgspec.structs.replace(
        progress,
        hex=hex,
        spent=spent,
        entered=progress.entered + 1,
        roads=progress.roads + (kind == "road"),
        paths=progress.paths + (kind == "path"),
        turned=0,
        turn_paid=False,
        link=link,
        arrival=progress.facing,
        way=way,
        ended=paid.total == WHOLE or spent > progress.limit,
        trail=progress.trail if progress.hex is None else (*progress.trail, progress.hex),
    )


def _points(progress: Progress, cost: Cost) -> int:
    """R-14 A cost in points, even if it is the whole allowance."""
    return cost if isinstance(cost, int) else progress.allowances.cross


def _counted_as(mover: Mover, hex: Hex, link: LinkKind | None) -> LinkKind | None:
    """A-80 A hex counts as the link used; 4.5.1.1.6 a bridge between path and road counts as road."""
    if link == "path" and mover.ground.board.is_bridge(hex):
        return "road" if any(kind == "road" for _, kind in mover.ground.board.links(hex)) else link
    return link


def _price_objections(progress: Progress, due: Price, what: str) -> Iterator[Objection]:
    """4.5.1.1.2 Object to a prohibited hex and, unless it is the first of the move, to a hex that costs too much
    (4.5.1.1.3).
    """
    if due.total == PROHIBITED:
        yield from (Objection(item.rule, item.what) for item in due.items if item.cost == PROHIBITED)
    elif progress.ended:
        yield Objection("4.5.1.1.3", say("a move that exceeds the allowance ends after one hex"))
    elif is_first(progress):
        return
    elif due.total == WHOLE:
        item = next(item for item in due.items if item.cost == WHOLE)
        yield Objection(
            item.rule,
            say(
                "{hex} takes the whole movement allowance ({what}), so it must be the only hex of the move",
                hex=what,
                what=item.what.lower(),
            ),
        )
    elif isinstance(due.total, int) and due.total > progress.left:
        yield Objection(
            "4.5.1.1.3",
            say(
                "{what} costs {total}, but only {left} of {limit} movement points are left",
                what=what,
                total=due.total,
                left=progress.left,
                limit=progress.limit,
            ),
        )


def is_first(progress: Progress) -> bool:
    """4.5.1.1.3 Whether nothing is spent and no hex entered yet; never true at the path or road rate (A-37)."""
    return progress.mode == "cross" and progress.spent == 0 and progress.entered == 0


# --- 4.5.1.1.5 following a path, road or track ---------------------------------------------------------------


def _facing_objections(mover: Mover, progress: Progress, link: LinkKind | None) -> Iterator[Objection]:
    """4.5.1.1.5 Object if a vehicle turns other than to follow the links by which it enters and leaves (A-29)."""
    if link and progress.link and not _turned_directly(progress):
        bound = "4.5.1.1.5/facing" if progress.mode == "road" else "4.5.1.1.5/cross-country-on-road"
        yield Objection(mover.ground.rule(bound), say("along a path or road, a unit can only turn to follow it"))


def _turned_directly(progress: Progress) -> bool:
    return progress.turned == turns_between(progress.arrival, progress.facing)


def _rate_objections(mover: Mover, progress: Progress, link: LinkKind | None, where: str) -> Iterator[Objection]:
    """4.5.1.1.5 Object unless a path or road leads all the way, as its rate requires."""
    if progress.mode == "cross":
        return
    if link is None:
        rule = mover.ground.rule("4.5.1.1.5/mixed")
        yield Objection(rule, say("no path or road leads {where}; move across country", where=where))
    elif link == "track":
        yield Objection("4.5.1.1.11", say("a track has no movement rate of its own; move across country"))


def obstructions(mover: Mover, hex: Hex) -> Iterator[Objection]:
    """4.5.1.1.5 Yield obstacles to the path and road rate in an entered hex; the start hex does not matter (R-17)."""
    rule = mover.ground.rule("4.5.1.1.5/obstructed")
    if hex in mover.wrecks:
        yield Objection(
            rule, say("a wreck in {hex} rules out the path and road rate; move across country", hex=hex_name(hex))
        )
    if hex in mover.enemies:
        yield Objection(
            rule, say("an enemy in {hex} rules out the path and road rate; move across country", hex=hex_name(hex))
        )
    if mover.others.get(hex, 0) + 1 >= mover.ground.charts.overstacked_from:
        yield Objection(
            rule,
            say(
                "{hex} would be overstacked, which rules out the path and road rate; move across country",
                hex=hex_name(hex),
            ),
        )


def with_debt(progress: Progress, due: Price, link: LinkKind | None) -> Price:
    """4.5.1.1.11 A step off the track also pays for the hex it leaves, at the normal cost."""
    if link is not None or progress.owed == 0:
        return due
    if progress.owed == PROHIBITED:
        closed = Item("4.5.1.1.11", "what the track passes through here is closed without it", PROHIBITED)
        return price(*due.items, closed)
    item = Item("4.5.1.1.11", "leaving the track", progress.owed)
    total = due.total + progress.owed if isinstance(due.total, int) and isinstance(progress.owed, int) else due.total
    return Price((*due.items, item), total, due.times)


# --- 4.5.1.1.4 turning ---------------------------------------------------------------------------------------


def _turn(mover: Mover, progress: Progress, hex: Hex, step: str) -> Stride | Objections:
    """4.5.1.1.4 Turning one hexside is free in each hex; the second costs the Turn value, any more nothing (R-16)."""
    if progress.turned == 0 or progress.turn_paid:
        due = price(Item("4.5.1.1.4", "free", 0))
    else:
        due = mover.ground.turning(hex, turning_link(mover, progress, hex))
    if not isinstance(due.total, int):
        return [Objection(item.rule, item.what) for item in due.items if item.cost == PROHIBITED]
    if due.total > progress.left:
        why = say(
            "turning a second hexside costs {total} here, but only {left} of {limit} movement points are left",
            total=due.total,
            left=progress.left,
            limit=progress.limit,
        )
        return [Objection("4.5.1.1.4", why)]
    after = msgspec.structs.replace(
        progress,
        facing=turn(progress.facing, 1 if step == RIGHT else -1),
        spent=progress.spent + due.total,
        turned=progress.turned + 1,
        turn_paid=progress.turned > 0,
        owed=_turn_debt(mover, progress, hex, due),
        steps=(*progress.steps, step),
    )
    return Stride(step, after, due)


def turning_link(mover: Mover, progress: Progress, hex: Hex) -> LinkKind | None:
    """R-16 The link that gives the Turn value: that of entry, or of the start hex at path or road rate (A-84)."""
    if progress.entered or progress.mode == "cross":
        return progress.link
    return next((kind for _, kind in mover.ground.board.links(hex) if kind != "track"), None)


def _turn_debt(mover: Mover, progress: Progress, hex: Hex, paid: Price) -> Cost:
    """4.5.1.1.11 The saving from a track includes a paid turn (A-34)."""
    if progress.link != "track" or paid.total == 0:
        return progress.owed
    saved = saving(mover.ground.turning(hex, None).total, paid.total)
    if isinstance(saved, int) and isinstance(progress.owed, int):
        return progress.owed + saved
    return PROHIBITED


# --- 4.5.1.1.9 leaving the map, 2.0 entering it --------------------------------------------------------------


def _leave(mover: Mover, progress: Progress, hex: Hex, step: str) -> Stride | Objections:
    """4.5.1.1.9 Leave the map through the front hexside, or in reverse through the rear one (A-32)."""
    direction = travel(progress.facing, step)
    edge = mover.ground.board.edge(hex, direction)
    if edge is None:
        return [
            Objection(
                "4.5.1.1.9",
                say("the hex behind the unit is still on the map")
                if step == EXIT_REVERSE
                else say("the hex in front of the unit is still on the map"),
            )
        ]
    link = mover.ground.board.link(hex, neighbour(hex, direction))
    forward = mover.ground.leaving(hex, direction, progress.mode)
    full = with_debt(progress, mover.backwards(forward) if step == EXIT_REVERSE else forward, link)
    objections = [
        *_facing_objections(mover, progress, link),
        *_rate_objections(mover, progress, link, "off the map here"),
        *_price_objections(progress, full, "leaving the map"),
    ]
    if objections:
        return objections
    spent = progress.spent + _points(progress, full.total)
    after = msgspec.structs.replace(progress, spent=spent, exit=edge, steps=(*progress.steps, step))
    return Stride(step, after, full)


def entry_facings(board: Board, hex: Hex) -> list[int]:
    """R-02 The facings with which a unit can enter the map at an edge hex, along a link first."""
    facings = [way for way in range(1, 7) if not board.is_on_map(neighbour(hex, opposite(way)))]
    inward = [way for way in facings if board.is_on_map(neighbour(hex, way))]
    return sorted(inward, key=lambda way: not board.link(hex, neighbour(hex, opposite(way))))


def spelled_out(mover: Mover, step: str) -> str:
    """R-02 An entry with its facing: `enter:A5` becomes `enter:A5:2`. Other steps are unchanged."""
    act = read_act(step)
    return str(with_facing(mover, act)) if isinstance(act, Enter) else step


def with_facing(mover: Mover, entry: Enter) -> Enter:
    """R-02 An entry with its facing, the first possible one unless it is given."""
    hex = entry_hex(mover, entry)
    facings = entry_facings(mover.ground.board, hex) if hex and not entry.facing else []
    return Enter(entry.hex, facings[0]) if facings else entry


def entry_hex(mover: Mover, entry: Enter) -> Hex | None:
    """R-02 The hex where a reinforcement enters, if it may enter there."""
    return next((hex for hex in mover.entry if hex_name(hex) == entry.hex), None)


def _enter(mover: Mover, progress: Progress, act: Act) -> Stride | Objections:
    """2.0 A reinforcement enters as if from an outside hex at the same level (R-02)."""
    if progress.hex is not None:
        return [Objection("2.0", say("the unit is already on the map"))]
    if not isinstance(act, Enter):
        return [NOT_YET_HERE]
    hex, name = entry_hex(mover, act), act.hex
    if hex is None:
        legal = " or ".join(map(hex_name, mover.entry)) or "no hex"
        return [Objection("2.0", say("the unit can enter at {legal}, not at {name}", legal=legal, name=name))]
    way, facings = with_facing(mover, act).facing, entry_facings(mover.ground.board, hex)
    if way not in facings:
        wanted = " or ".join(map(str, facings))
        return [Objection("2.0", say("to enter at {name} the unit must face {facings}", facings=wanted, name=name))]
    link = mover.ground.board.link(hex, neighbour(hex, opposite(way)))
    due = mover.ground.coming_in(hex, way, progress.mode)
    objections = [
        *_rate_objections(mover, progress, link, f"into {name} here"),
        *(mover.obstructions(hex) if progress.mode == "road" else ()),
        *_price_objections(progress, due, name),
    ]
    if objections:
        return objections
    after = _in_hex(mover, msgspec.structs.replace(progress, facing=way), hex, way, link, due)
    owed = saving(mover.ground.coming_in_off_the_link(hex).total, due.total) if link == "track" else 0
    full = str(Enter(name, way))
    return Stride(full, msgspec.structs.replace(after, owed=owed, steps=(*progress.steps, full)), due)


# --- where a move may end ------------------------------------------------------------------------------------


def finish_objections(mover: Mover, progress: Progress) -> Iterator[Objection]:
    """4.5.1.1 Every reason why this move cannot end here."""
    if progress.hex is None:
        yield NOT_YET_HERE
        return
    if not progress.exit and progress.hex in mover.enemies:
        rule = mover.ground.rule("4.5.1.1.10/end")
        yield Objection(
            rule,
            say("a move cannot end in a hex with an enemy, and there is one in {hex}", hex=hex_name(progress.hex)),
        )
    if progress.mode == "road":
        yield from _rate_exceeded(mover, progress)
        if progress.entered and not progress.exit:
            yield from _final_facing(mover, progress, progress.hex)


def _rate_exceeded(mover: Mover, progress: Progress) -> Iterator[Objection]:
    """4.5.1.1.5 Object to the road rate without more road than path hexes; the path rate then applies (A-80)."""
    if progress.spent > progress.rate:
        why = say(
            "road hexes ({roads}) and path hexes ({paths}) allow {rate} movement points, but the move spends {spent}",
            roads=progress.roads,
            paths=progress.paths,
            rate=progress.rate,
            spent=progress.spent,
        )
        yield Objection(mover.ground.rule("4.5.1.1.5/mixed"), why)


def _final_facing(mover: Mover, progress: Progress, hex: Hex) -> Iterator[Objection]:
    """4.5.1.1.5 Object unless a vehicle ends facing along the road, or as it came where the road ends (R-17)."""
    ways = onward(mover, progress, hex)
    facings = [way if progress.way == progress.arrival else opposite(way) for way in ways]
    if progress.facing in facings and _turned_directly(progress):
        return
    if progress.turned == 0 and not any(_can_turn(mover, progress, hex, facing) for facing in facings):
        return
    wanted = " or ".join(map(str, facings or [progress.arrival]))
    yield Objection(
        mover.ground.rule("4.5.1.1.5/facing"), say("the unit must end facing along the road: {wanted}", wanted=wanted)
    )


def onward(mover: Mover, progress: Progress, hex: Hex) -> list[int]:
    """R-17 The directions in which path and road continue from a hex, other than the one the vehicle came from."""
    links = mover.ground.board.links(hex)
    return [way for way, kind in links if kind != "track" and way != opposite(progress.way)]


def _can_turn(mover: Mover, progress: Progress, hex: Hex, facing: int) -> bool:
    """4.5.1.1.4 Whether the vehicle can pay for the turn from its facing on arrival to another."""
    if turns_between(progress.arrival, facing) <= 1:
        return True
    cost = mover.ground.turning(hex, turning_link(mover, progress, hex)).total
    return isinstance(cost, int) and progress.spent + cost <= progress.rate


# --- whole moves ---------------------------------------------------------------------------------------------


def after_damage(progress: Progress) -> Progress:
    """4.5.1.1.1 Damage halves the remaining points, perhaps to 0, or the allowance if none are spent yet (A-36)."""

    def reduced(allowance: int) -> int:
        if progress.spent == 0:
            return halve(allowance, 1)
        return min(allowance, progress.spent + max(0, allowance - progress.spent) // 2)

    now = progress.allowances
    return msgspec.structs.replace(
        progress, allowances=Allowances(reduced(now.cross), reduced(now.path), reduced(now.road))
    )


def steps_back(mover: Mover, progress: Progress) -> Hex | None:
    """4.5.1.1.10 Where a vehicle stopped with an enemy returns: the last hex without one (A-33), or off the map."""
    return next((hex for hex in reversed(progress.trail) if hex not in mover.enemies), None)
