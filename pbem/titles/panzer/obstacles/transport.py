"""6.6.7 Transport: capacity, mounting and dismounting, emergency bail-out, portee guns.

    5.2.1         unload, portee_parts, set_down_gun, take_up_gun
    6.6.7.1       capacity, space, room_objections
    6.6.7.1.1     steps mount:UNIT and dismount:UNIT:HEX:FACING; mount_objections, dismount_objections, handling_price
    6.6.7.1.2     step bail:UNIT:FACING; bail_objections
    state         get_on, get_off

All of it is part of the carrier's move. A vehicle without Move or Short Halt does it in the mode `stay`, for free and
without revealing its counter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import msgspec

from pbem.engine.geometry.hexes import Hex, direction_to, distance, hex_name, parse_hex
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.panzer.damage.effects import leave_position, pass_on_counter
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.special_fire import Malfunction, flag_of
from pbem.titles.panzer.movement.placing import carry, put
from pbem.titles.panzer.movement.shared_moves import command_of, has_moved
from pbem.titles.panzer.movement.steps.acts import Bail, Dismount, Mount, Unload, acts_of, attack_by
from pbem.titles.panzer.movement.steps.costs import Item, Price, halve, price
from pbem.titles.panzer.movement.steps.driving import Objections, Stride
from pbem.titles.panzer.movement.steps.on_foot import crossing_objections
from pbem.titles.panzer.movement.steps.terrain_costs import may_stand
from pbem.titles.panzer.movement.steps.unit_steps import March, UnitMover, a_step, mover_of, start
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.obstacles.narrow_roads import stacking_objections, unlimber
from pbem.titles.panzer.sighting.camouflage import lose_camouflage
from pbem.titles.panzer.sighting.terrain import board_now
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, HullDown, Inside, Marker, Spot, Status, Unit

PORTEE: Final = "portee"
NERVES: Final = ("broken-on", "broken-off", "hesitating-on", "hesitating-off")
"""7.1.5 The morale states that a crew takes along between truck and gun, worst first."""
OF_THE_GUN: Final = tuple(flag_of(malfunction, 0) for malfunction in Malfunction)
"""7.25 The gun's malfunctions, which stay with it on and off the truck."""


# --- 6.6.7.1 capacity ------------------------------------------------------------------------------------------


class Space(NamedTuple):
    """6.6.7.1 The towed and leg parts of a capacity."""

    towed: int
    leg: int


def capacity(data: PanzerData, carrier: Unit) -> Space:
    """6.6.7.1 The capacity (TR) on a vehicle's card; other units cannot carry passengers."""
    return Space(*data.vehicle(carrier).transport) if carrier.kind == "vehicle" else Space(0, 0)


def space(data: PanzerData, unit: Unit) -> Space | None:
    """6.6.7.1 The room a unit needs; cavalry and riders never mount a vehicle."""
    if unit.kind == "towed":
        return Space(*data.towed(unit).passenger.value)
    cell = data.leg(unit).passenger if unit.kind == "leg" else None
    return Space(*cell.value) if cell else None


def room_objections(data: PanzerData, carrier: Unit, aboard: Iterable[Unit], unit: Unit) -> Iterator[Objection]:
    """6.6.7.1 Objections to a load: either one gun, or leg units up to the capacity, never both."""
    needed, room, present = space(data, unit), capacity(data, carrier), list(aboard)
    if needed is None:
        yield Objection("6.6.7.1", say("{unit} has its own mounts and cannot board a vehicle", unit=unit.id))
        return
    if room == (0, 0):
        yield Objection("6.6.7.1", say("the vehicle cannot carry units"))
        return
    if any(other.kind == "towed" for other in present):
        yield Objection("6.6.7.1", say("with a gun and its crew aboard, there is no room for other units"))
        return
    if unit.kind == "towed" and present:
        yield Objection("6.6.7.1", say("the vehicle can carry a gun or leg units, not both"))
    taken = sum(other.leg for other in (space(data, one) for one in present) if other)
    if needed.towed > room.towed or taken + needed.leg > room.leg:
        wanted = f"{needed.towed}-{needed.leg}"
        has = f"{room.towed}-{room.leg}" + (f", of which {taken} are taken" if taken else "")
        yield Objection(
            "6.6.7.1",
            say(
                "{unit} needs a capacity of {wanted}, but the carrier has {has}", unit=unit.id, wanted=wanted, has=has
            ),
        )


def room_finding(data: PanzerData, carrier: Unit, aboard: Iterable[Unit], unit: Unit) -> Finding:
    """6.6.7.1 A vehicle's capacity and the room a unit needs."""
    why = list(room_objections(data, carrier, aboard, unit))
    needed = space(data, unit)
    inputs = {"carrier": carrier.id, "capacity": list(capacity(data, carrier)), "unit": unit.id}
    inputs |= {"needs": list(needed) if needed else []}
    return Finding("6.6.7.1", inputs=inputs, result=not why)


def is_nimble(data: PanzerData, unit: Unit) -> bool:
    """6.6.7.1.1 Whether a leg unit can mount across a hexside: not if suppressed, or a section with a weapon."""
    loaded = unit.kind == "leg" and data.leg(unit).size == "section" and bool(unit.attached)
    return unit.kind == "leg" and not unit.suppressed and not loaded


# --- 6.6.7.1.1 the cost for the vehicle ------------------------------------------------------------------------


def handling_price(mover: UnitMover, progress: March) -> Price:
    """6.6.7.1.1 Half the vehicle's movement, once in each hex; free if it does not move (A39)."""
    rule = mover.rule("6.6.7.1.1/vehicle")
    if progress.gait == "stay":
        return price(Item(rule, "it stays where it is", 0))
    if progress.handled:
        return price(Item(rule, "paid in this hex", 0))
    return price(Item(rule, "half of its movement", halve(moving_rate(mover, progress), 1)))


def moving_rate(mover: UnitMover, progress: March) -> int:
    """6.6.7.1.1 The vehicle's movement allowance: in road mode, that of the road or path it has used or is on."""
    if progress.mode == "cross" or progress.hex is None:
        return progress.limit
    if progress.entered:
        return progress.rate
    road = any(kind == "road" for _, kind in mover.land.board.links(progress.hex))
    return progress.allowances.road if road else progress.allowances.path


def _against_handling(mover: UnitMover, progress: March, due: Price) -> Iterator[Objection]:
    """6.6.7.1.1 Reasons why a vehicle cannot load or unload."""
    rule = mover.rule("6.6.7.1.1/vehicle")
    if mover.unit.kind != "vehicle":
        yield Objection("6.6.7", say("only vehicles can carry units"))
    if mover.unit.bailed_out:
        yield Objection("5.15", say("the vehicle's crew has left it for good"))
    if progress.hex is None:
        yield Objection("2.0", say("the unit is not on the map yet: begin with enter:HEX"))
    if isinstance(due.total, int) and (due.total > progress.left or (progress.ended and due.total)):
        yield Objection(
            rule,
            say(
                "this costs {total}, but only {left} of {limit} movement points are left",
                total=due.total,
                left=progress.left,
                limit=progress.limit,
            ),
        )


def _after(progress: March, step: str, due: Price) -> March:
    assert isinstance(due.total, int)
    return msgspec.structs.replace(
        progress, spent=progress.spent + due.total, handled=True, steps=(*progress.steps, step)
    )


# --- 6.6.7.1.1 mounting ----------------------------------------------------------------------------------------


NAME_BOARDER: Final = Objection("6.6.7.1.1", say("name the unit to pick up, e.g. mount:g5"))


@a_step(Mount, "6.6.7.1.1/vehicle", NAME_BOARDER)
def mount(mover: UnitMover, progress: March, act: Mount) -> Stride | Objections:
    """6.6.7.1.1 A unit mounts."""
    unit = mover.state.vehicles.get(act.unit)
    if unit is None or unit.side != mover.unit.side:
        return [NAME_BOARDER]
    portee = is_portee_gun(mover.unit, unit)
    due = _whole(mover, progress) if portee else handling_price(mover, progress)
    objections = [*_against_handling(mover, progress, due), *mount_objections(mover, progress, unit)]
    if portee and due.total and progress.spent:
        objections.append(Objection("5.2.1", say("loading a portee gun takes the truck's whole movement")))
    if objections:
        return objections
    step = str(act)
    after = _after(progress, step, due)
    done = {} if portee else {"aboard": (*progress.aboard, unit.id), "mounted": (*progress.mounted, unit.id)}
    over = "5.2.1" if portee and due.total else ""
    return Stride(step, msgspec.structs.replace(after, over=over, **done), due)


def mount_objections(mover: UnitMover, progress: March, unit: Unit) -> Iterator[Objection]:
    """6.6.7.1.1 Reasons why a unit cannot mount here."""
    data, view = mover.data, mover.state
    rule = mover.rule("6.6.7.1.1/passengers-mounting")
    if unit.kind == "vehicle" or not unit.alive or unit.aboard or unit.id in progress.aboard:
        yield Objection(rule, say("{unit} is not on the ground", unit=unit.id))
        return
    if unit.hidden and not mover.unit.hidden:
        yield Objection("7.2.2.2", say("{unit} is under a hidden counter", unit=unit.id))
    if command_of(view, unit) is not Command.MOVE:
        yield Objection(rule, say("{unit} needs a Move command to mount", unit=unit.id))
    if has_moved(unit) or unit.spent:  # 6.6.1.1: also an advance on a target that is lost
        yield Objection(
            rule, say("{unit} has already moved or fought, and mounting takes its whole movement", unit=unit.id)
        )
    if not is_portee_gun(mover.unit, unit):
        yield from room_objections(data, mover.unit, (view.vehicles[id] for id in progress.aboard), unit)
    if unit.inside is not Inside.NO:
        yield Objection(rule, say("{unit} is inside a building or on an upper floor", unit=unit.id))
    if progress.inside is not Inside.NO:
        yield Objection("6.6.3", say("a vehicle inside a building cannot carry units"))
    yield from _against_distance(mover, progress, unit, rule)


def _against_distance(mover: UnitMover, progress: March, unit: Unit, rule: str) -> Iterator[Objection]:
    """6.6.7.1.1 Object unless a unit mounts from the same hex, or a nimble one from a hex it could walk from."""
    if progress.hex is None or unit.hex is None or unit.hex == progress.hex:
        return
    apart = distance(unit.hex, progress.hex)
    if apart > 1 or not is_nimble(mover.data, unit) or unit.full_cover:
        near = "the same hex" if apart == 1 else "the same or the next hex"
        yield Objection(rule, say("{unit} can only mount from {near}", unit=unit.id, near=near))
    elif not may_step(mover.situation, unit, unit.hex, progress.hex):
        yield Objection(rule, say("{unit} cannot walk to {hex}", unit=unit.id, hex=hex_name(progress.hex)))


def may_step(situation: Situation, unit: Unit, origin: Hex, target: Hex) -> bool:
    """6.6.4.1 Whether terrain, hexside and levels let the unit walk from a hex to the next."""
    way = direction_to(origin, target)
    if way is None:
        return False
    mover = mover_of(situation, unit)
    there = msgspec.structs.replace(start(mover, "cross"), hex=origin, inside=Inside.NO)
    return not any(crossing_objections(mover, there, way))


# --- 6.6.7.1.1 dismounting -------------------------------------------------------------------------------------


NAME_RIDER: Final = Objection(
    "6.6.7.1.1", say("name the unit that dismounts, its hex and facing, e.g. dismount:g5:C4:3")
)


@a_step(Dismount, "6.6.7.1.1/vehicle", NAME_RIDER)
def dismount(mover: UnitMover, progress: March, act: Dismount) -> Stride | Objections:
    """6.6.7.1.1 A passenger dismounts, optionally with an enemy to attack at once."""
    order = get_off_order(mover, progress, act)
    if isinstance(order, list):
        return order
    due = handling_price(mover, progress)
    objections = [*_against_handling(mover, progress, due), *dismount_objections(mover, progress, order)]
    if objections:
        return objections
    after = _after(progress, order.step, due)
    left = tuple(id for id in progress.aboard if id != order.unit.id)
    return Stride(order.step, msgspec.structs.replace(after, aboard=left), due)


class GetOff(NamedTuple):
    """6.6.7.1.1 The dismounting unit, its hex and facing, and the enemy it attacks at once."""

    unit: Unit
    hex: Hex
    facing: int
    target: str = ""

    @property
    def step(self) -> str:
        return str(Dismount(self.unit.id, hex_name(self.hex), self.facing, self.target))


def get_off_order(mover: UnitMover, progress: March, act: Dismount) -> GetOff | Objections:
    """6.6.7.1.1 A dismount step spelled out; hex and facing default to the vehicle's."""
    unit = mover.state.vehicles.get(act.unit)
    if unit is None or progress.hex is None:
        return [NAME_RIDER]
    try:
        hex = parse_hex(act.hex) if act.hex else progress.hex
    except ValueError as error:
        return [Objection("6.6.7.1.1", say("{error}", error=error))]
    return GetOff(unit, hex, act.facing or progress.facing, act.target)


def dismount_objections(mover: UnitMover, progress: March, order: GetOff) -> Iterator[Objection]:
    """6.6.7.1.1 Reasons why a passenger cannot dismount there."""
    rule = mover.rule("6.6.7.1.1/passengers-dismounting")
    unit, name = order.unit, hex_name(order.hex)
    if unit.id not in progress.aboard:
        yield Objection(rule, say("{unit} is not aboard", unit=unit.id))
        return
    if unit.id in progress.mounted or unit.moved:
        yield Objection(rule, say("{unit} boarded this turn, which took its whole movement", unit=unit.id))
    if not mover.land.board.is_on_map(order.hex):
        yield Objection(rule, say("{name} is not on the map", name=name))
        return
    assert progress.hex is not None
    apart = distance(progress.hex, order.hex)
    if apart > 1 or (apart == 1 and not is_nimble(mover.data, unit)):
        near = "the vehicle's hex" if not is_nimble(mover.data, unit) else "the vehicle's hex or the next one"
        yield Objection(rule, say("{unit} can only dismount in {near}", unit=unit.id, near=near))
    elif apart and not may_step(mover.situation, unit, progress.hex, order.hex):
        yield Objection(rule, say("{unit} cannot get to {name}", unit=unit.id, name=name))
    elif not may_stand(mover.situation, unit, order.hex):
        yield Objection(rule, say("{unit} cannot be in {name}", unit=unit.id, name=name))
    yield from stacking_objections(mover.data, mover.land.board, mover.state, unit, order.hex)  # 7.30
    if order.hex in mover.enemies:
        yield Objection(rule, say("there is an enemy in {name}", name=name))
    if order.target and attack_by(unit.id, order.target) not in progress.declared:
        yield Objection(
            "6.6.1.1/dismount-attack", say("declare an attack on dismounting before the unit's vehicle moves")
        )


# --- 6.6.7.1.2 emergency bail out ------------------------------------------------------------------------------


NAME_JUMPER: Final = Objection("6.6.7.1.2", say("name the unit that bails out and its facing, e.g. bail:g5:3"))


@a_step(Bail, "6.6.7.1.2", NAME_JUMPER)
def bail(mover: UnitMover, progress: March, act: Bail) -> Stride | Objections:
    """6.6.7.1.2 A passenger jumps off at any point of the move, for free."""
    unit = mover.state.vehicles.get(act.unit)
    if unit is None:
        return [NAME_JUMPER]
    if objections := list(bail_objections(mover, progress, unit)):
        return objections
    step = str(Bail(unit.id, act.facing or progress.facing))
    left = tuple(id for id in progress.aboard if id != unit.id)
    after = msgspec.structs.replace(progress, aboard=left, steps=(*progress.steps, step))
    return Stride(step, after, price(Item("6.6.7.1.2", "no cost", 0)))


def bail_objections(mover: UnitMover, progress: March, unit: Unit) -> Iterator[Objection]:
    """6.6.7.1.2 Object to bailing by suppressed passengers, from a stationary vehicle, or in a hex closed to them."""
    if unit.id not in progress.aboard:
        yield Objection("6.6.7.1.2", say("{unit} is not aboard", unit=unit.id))
        return
    if unit.suppressed:
        yield Objection("6.6.7.1.2", say("a suppressed passenger cannot bail out"))
    if progress.hex is None or not may_stand(mover.situation, unit, progress.hex):
        yield Objection("6.6.7.1.2", say("{unit} cannot be in this hex", unit=unit.id))
    elif progress.hex in mover.enemies:
        yield Objection("6.6.7.1.2", say("there is an enemy in {hex}", hex=hex_name(progress.hex)))


# --- 5.2.1 portee ----------------------------------------------------------------------------------------------


def portee_parts(data: PanzerData, card: str) -> tuple[str, str]:
    """5.2.1 The truck and the gun that a portee counter represents.

    The gun is the towed one of the same nation; the truck is the one that moves like the portee and can carry it.
    """
    portee = data.book.vehicles[card]
    gun = next(
        row for row in data.book.towed.values() if row.nation == portee.nation and row.gun == portee.mounts[0].gun.id
    )
    truck = next(
        other
        for other in data.book.vehicles.values()
        if other.nation == portee.nation
        and not other.mounts
        and other.card.traction == portee.card.traction
        and other.transport[0] >= gun.passenger.value[0]
    )
    return truck.card.id, gun.id


def is_portee(data: PanzerData, unit: Unit) -> bool:
    """5.2.1 Whether this is a truck carrying its gun; only the 2024 book has portees."""
    return unit.kind == "vehicle" and data.vehicle(unit).has(PORTEE) and data.charts.switch(PORTEE)


def is_portee_gun(carrier: Unit, unit: Unit) -> bool:
    """5.2.1 Whether this is the gun that came off this truck."""
    return unit.kind == "towed" and unit.transport == carrier.id and unloaded_flag(unit.card) in carrier.flags


def unloaded_flag(gun: str) -> str:
    """5.2.1 The flag of a truck whose portee gun was unloaded, with the gun's card."""
    return f"{PORTEE}:{gun}"


def portee_before(data: PanzerData, truck: Unit) -> str:
    """5.2.1 The card of the portee from which a truck and its gun came."""
    vehicles = data.book.vehicles
    return next(card for card in truck.loads if card in vehicles and vehicles[card].has(PORTEE))


@a_step(
    Unload,
    "5.2.1",
    Objection("5.5", say("give a facing from 1 to 6, e.g. unload:3, or unload:3:4 to give the truck's facing too")),
)
def unload(mover: UnitMover, progress: March, act: Unload) -> Stride | Objections:
    """5.2.1 Unload the gun by the rules for towed guns."""
    due = handling_price(mover, progress)
    objections = list(_against_handling(mover, progress, due))
    if not is_portee(mover.data, mover.unit) or any(acts_of(Unload, progress.steps)):
        objections.append(Objection("5.2.1", say("the vehicle does not carry a portee gun")))
    elif progress.hex is not None:
        objections += unload_objections(mover, progress.hex)
    if objections:
        return objections
    step = str(Unload(act.facing or progress.facing, act.truck))
    after = msgspec.structs.replace(_after(progress, step, due), facing=act.truck or progress.facing)
    return Stride(step, after, due)


def unload_objections(mover: UnitMover, hex: Hex) -> Iterator[Objection]:
    """5.2.1, 6.6.7.1.1 Objections to unloading the gun: as for a towed gun, in a hex open to it, without enemies."""
    gun = a_portee_gun(mover.data, mover.unit, mover.unit.facing)
    if not may_stand(mover.situation, gun, hex):
        yield Objection("5.2.1", say("the truck's gun cannot be in {hex}", hex=hex_name(hex)))
    yield from stacking_objections(mover.data, mover.land.board, mover.state, gun, hex)  # 7.30
    if hex in mover.enemies:
        yield Objection("5.2.1", say("there is an enemy in {hex}", hex=hex_name(hex)))


def a_portee_gun(data: PanzerData, truck: Unit, facing: int) -> Unit:
    """5.2.1 A portee counter's gun as a separate unit, at its truck."""
    card = portee_parts(data, truck.card)[1]
    return Unit(
        id=f"{truck.id}-gun",
        side=truck.side,
        card=card,
        name=data.book.towed[card].name,
        kind="towed",
        hex=truck.hex,
        facing=facing,
        formation=truck.formation,
        grade=truck.grade,
        transport=truck.id,
        moved=True,
        pending=Spot.MOVE,
        suppression=truck.suppression,
        flags=tuple(flag for flag in truck.flags if flag in (*NERVES, *OF_THE_GUN)),
    )


def set_down_gun(situation: Situation, truck: Unit, facing: int) -> Unit:
    """5.2.1 Replace the portee counter with truck and gun in its hex."""
    data, state = situation.data, situation.state
    portee, gun = truck.card, a_portee_gun(data, truck, facing)
    truck.card = portee_parts(data, portee)[0]
    kept = tuple(flag for flag in truck.flags if flag not in OF_THE_GUN)
    truck.flags = (*kept, unloaded_flag(gun.card))
    truck.loads = {**truck.loads, portee: 1}
    state.vehicles = dict(sorted({**state.vehicles, gun.id: gun}.items()))
    unlimber(data, board_now(situation), state, gun, truck)  # 7.30
    return gun


def take_up_gun(situation: Situation, truck: Unit, gun: Unit) -> None:
    """5.2.1 Replace truck and gun with the portee counter; the gun is no longer a separate unit."""
    state = situation.state
    pass_on_counter(state, gun)
    truck.card = portee_before(situation.data, truck)
    truck.loads = {card: count for card, count in truck.loads.items() if card != truck.card}
    kept = tuple(flag for flag in truck.flags if flag not in (unloaded_flag(gun.card), *NERVES))
    truck.flags = (*kept, *worst_nerves(truck, gun), *(flag for flag in gun.flags if flag in OF_THE_GUN))
    both = truck.suppression, gun.suppression
    truck.suppression = next((marker for marker in (Marker.ON, Marker.OFF) if marker in both), Marker.NONE)
    leave_position(state, gun)
    state.vehicles = {id: unit for id, unit in state.vehicles.items() if id != gun.id}
    state.spotted = {
        id: [other for other in seen if other != gun.id] for id, seen in state.spotted.items() if id != gun.id
    }


def worst_nerves(*units: Unit) -> tuple[str, ...]:
    """5.2.1, 7.1.5 The worst morale state among units that become one."""
    found = {flag for unit in units for flag in unit.flags}
    return next(((flag,) for flag in NERVES if flag in found), ())


def _whole(mover: UnitMover, progress: March) -> Price:
    """5.2.1 Loading a portee gun costs a moving truck its whole movement."""
    return price(Item("5.2.1", "the truck's whole movement", 0 if progress.gait == "stay" else progress.limit))


# --- 6.6.7 the state -------------------------------------------------------------------------------------------


def get_on(situation: Situation, carrier: Unit, unit: Unit) -> Finding:
    """6.6.7.1.1 The unit becomes a passenger, without a command, marker or cover of its own."""
    data, state = situation.data, situation.state
    before = state.passengers(carrier)
    room = room_finding(data, carrier, before, unit)
    pass_on_counter(state, unit)
    leave_position(state, unit)
    carry(unit, carrier)
    unit.command, unit.shares, unit.revealed, unit.shown = None, "", False, False
    unit.moved = True
    unit.full_cover = unit.crawling = False
    unit.hull_down, unit.inside = HullDown.NONE, Inside.NO
    unit.spot = unit.pending = Spot.NONE
    unit.small_arms = unit.pending_small_arms = False
    rule = ledger_row(data.edition, "6.6.7.1.1/passengers-mounting")
    aboard = Finding("6.6.7", inputs={"unit": unit.id, "carrier": carrier.id}, result="passenger")
    return Finding(rule, inputs={"unit": unit.id, "carrier": carrier.id}, result="aboard", children=(room, aboard))


def get_off(situation: Situation, unit: Unit, hex: Hex, facing: int, rule: str) -> Finding:
    """6.6.7.1.1 Put the unit on the ground with Spot/Move (6.1.3); its whole movement is spent."""
    data, state = situation.data, situation.state
    carrier = unit.aboard
    unit.aboard, unit.status = "", Status.ON_MAP
    put(state, unit, hex, facing=facing)
    unit.moved, unit.pending, unit.pending_small_arms = True, Spot.MOVE, False
    unlimber(data, board_now(situation), state, unit, state.vehicles[carrier])  # 7.30
    inputs = {"unit": unit.id, "carrier": carrier, "hex": hex_name(hex), "facing": facing}
    dismounted = Finding("6.6.7", inputs={"unit": unit.id}, result="dismounted")
    lost = lose_camouflage(data, unit, "dismounted")  # 7.24
    children = (dismounted, *([lost] if lost else []))
    return Finding(ledger_row(data.edition, rule), inputs=inputs, result=Spot.MOVE.value, children=children)
