"""Lines that a player could send: examples for a form, and a refused move with the gaps in its path closed.

Examples     one line for each section, with the player's own units and hexes on the map
connect_path  closes the gaps in a path that jumps from hex to hex
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

import msgspec

from pbem.titles.aslsk.movement.eligibility import OFF_MAP
from pbem.titles.aslsk.orders import Leg, MoveOrder
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit, enemies_at, of_seat, piece_of, units_at

LONGEST_GAP = 4
"""The longest gap in a path that is filled in; a longer jump is probably a different mistake."""


class Examples:
    """Example lines, one for each section of the orders that is useful now."""

    def __init__(self, situation: Situation, seat: str) -> None:
        self.situation, self.seat, self.state = situation, seat, situation.state
        own = of_seat(self.state, seat)
        self.broken = next((unit for unit in own if unit.broken), None)
        squads = [unit for unit in own if situation.is_mmc(unit) and not unit.broken]
        squads.sort(key=lambda unit: (not unit.at, situation.gun_of(unit) is not None))
        self.squad = squads[0] if squads else None
        leaders = [unit for unit in own if situation.is_leader(unit) and not unit.broken]
        self.leader = next((unit for unit in leaders if self.squad is not None and unit.at == self.squad.at), None)

    def lines(self, sections: Sequence[str]) -> Iterator[str]:
        makers: dict[str, Callable[[], str]] = {
            "rally": self.rally,
            "prep": self.prep,
            "moves": self.move,
            "plan": lambda: "all watch within 6 column 4",
            "final": self.fire,
            "advancing": lambda: self.later() if "prep" in sections else self.fire(),
            "routs": self.rout,
            "advances": self.advance,
            "hatches": self.hatch,
            "combats": self.combat,
            "stacks": self.stack,
            "gifts": self.gift,
            "spared": self.spared,
        }
        yield from (line for name in sections if (line := makers[name]()))

    def near(self, unit: Unit) -> list[str]:
        """A short path for a unit; if it is off the map, the path begins with an entry hex."""
        ground, data = self.situation.ground, self.situation.data
        first = next(iter(ground.neighbours(unit.at) if unit.at else data.entry_hexes(unit)), "")
        further = [hex for hex in ground.neighbours(first) if hex != unit.at] if first else []
        return [first, *further[:1]] if first else []

    def enemy_hex(self) -> str:
        """The hex of the enemy unit nearest to the squad of the examples; empty if there is none."""
        if self.squad is None or not self.squad.at:
            return ""
        found = {unit.at for unit in self.state.units.values() if unit.seat != self.seat and unit.at}
        at = self.squad.at
        return min(found, key=lambda hex: (self.situation.ground.distance(at, hex), hex), default="")

    def prep(self) -> str:
        foe = self.enemy_hex()
        if not foe or self.squad is None:
            return ""
        guns = [weapon.id for weapon in self.situation.weapons(self.squad) if self.situation.is_machine_gun(weapon)]
        led = f" with {self.leader.id}" if self.leader is not None else ""
        return f"{' '.join([self.squad.id, *guns[:1]])} fire {foe}{led}"

    def fire(self) -> str:
        foe = self.enemy_hex()
        return f"{self.squad.id} fire {foe}" if foe and self.squad is not None else ""

    def later(self) -> str:
        """An example of Advancing Fire that is sent in advance, with the orders for Prep Fire and movement."""
        return f"later {self.fire()}" if self.fire() else ""

    def move(self) -> str:
        path = self.near(self.squad) if self.squad is not None else []
        if not path or self.squad is None:
            return ""
        if self.leader is None:
            return f"{self.squad.id} move {' '.join(path)}"
        return f"{self.leader.id} {self.squad.id} move {' '.join(path)}; if {self.leader.id} hurt stop"

    def rally(self) -> str:
        if self.broken is None:
            return ""
        by = next((unit.id for unit in self.situation.leaders_with(self.broken)), "") if self.broken.at else ""
        return f"rally {self.broken.id} by {by}" if by else f"self rally {self.broken.id}"

    def rout(self) -> str:
        path = self.near(self.broken)[:1] if self.broken is not None and self.broken.at else []
        return f"{self.broken.id} rout {path[0]}" if path and self.broken is not None else ""

    def advance(self) -> str:
        path = self.near(self.squad)[:1] if self.squad is not None else []
        return f"{self.squad.id} advance {path[0]}" if path and self.squad is not None else ""

    def hatch(self) -> str:
        vehicles = [one for one in self.state.vehicles.values() if one.seat == self.seat and one.at]
        return f"{vehicles[0].id} {'close' if vehicles[0].ce else 'open'}" if vehicles else ""

    def combat(self) -> str:
        for unit in of_seat(self.state, self.seat):
            foes = enemies_at(self.state, unit.at, self.seat) if unit.at and not unit.broken else []
            if foes:
                return f"combat {unit.at} {unit.id} against {foes[0].id}"
        return ""

    def stack(self) -> str:
        squad, leader = self.squad, self.leader
        near = squad is not None and leader is not None and bool(enemies_at(self.state, leader.at, self.seat))
        return f"stack {leader.id} with {squad.id}" if near and squad is not None and leader is not None else ""

    def gift(self) -> str:
        for weapon in self.state.weapons.values():
            holder = self.state.units.get(weapon.holder)
            if holder is None or holder.seat != self.seat or not holder.at:
                continue
            others = [unit for unit in units_at(self.state, holder.at, self.seat) if unit.id != holder.id]
            others = [unit for unit in others if self.situation.is_mmc(unit)]
            if others:
                return f"give {weapon.id} to {others[0].id}"
        return ""

    def spared(self) -> str:
        for unit in of_seat(self.state, self.seat):
            gun = self.situation.gun_of(unit)
            if gun is not None:
                return f"no interdiction {gun.id}"
        return ""


def connect_path(situation: Situation, order: MoveOrder) -> MoveOrder | None:
    """3.3.1 The same move with the missing hexes of its path filled in, or None if that is impossible."""
    first = piece_of(situation.state, order.units[0]) if order.units else None
    if first is None:
        return None
    legs, at = list[Leg](), first.at
    for leg in order.legs:
        if leg.do == "enter" and leg.hex != OFF_MAP:
            starts = (at,) if at else situation.data.entry_hexes(first)
            way = between(situation, starts, leg.hex, first.seat)
            if not way:
                return None
            legs += [Leg("enter", hex) for hex in (way[1:-1] if at else way[:-1])]
            at = leg.hex
        legs.append(leg)
    return msgspec.structs.replace(order, legs=tuple(legs))


def between(situation: Situation, starts: Sequence[str], goal: str, seat: str) -> tuple[str, ...]:
    """The shortest path free of enemies from any of the start hexes to the goal; empty if there is none."""
    found: deque[tuple[str, ...]] = deque((hex,) for hex in starts if hex in situation.ground)
    seen = set(starts)
    while found:
        way = found.popleft()
        if way[-1] == goal:
            return way
        for near in situation.ground.neighbours(way[-1]) if len(way) <= LONGEST_GAP else ():
            taken = situation.enemies_at(near, seat) or situation.enemy_vehicles(near, seat)
            if near not in seen and not taken:
                seen.add(near)
                found.append((*way, near))
    return ()
