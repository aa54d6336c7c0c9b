"""Mistakes in sealed orders that can be found as soon as the orders are sent.

Mistakes that only the course of the turn can reveal (an enemy gone, MF lost to Smoke) are accepted here; such an
order fails when it is carried out, and its owner is told why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from pbem.engine.rules.refusals import Objection, locate_objections
from pbem.engine.text.messages import say
from pbem.titles.aslsk.fire.components import Component, component, components, is_second_man
from pbem.titles.aslsk.fire.declaration import group_objections
from pbem.titles.aslsk.fire.firepower import kind_of, range_of
from pbem.titles.aslsk.movement.allowance import ROAD_BONUS, allowance_of, may_double
from pbem.titles.aslsk.movement.eligibility import OFF_MAP, mf_in_words
from pbem.titles.aslsk.orders import AdvanceOrder, Assault, Attempt, FireOrder, Leg, MoveOrder, Orders, RoutOrder
from pbem.titles.aslsk.ordnance.arcs import facing_of
from pbem.titles.aslsk.ordnance.to_hit import is_ordnance
from pbem.titles.aslsk.player.idle_words import fire_word_objections, leg_objections, watch_word_objections
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit, piece_of

FIRES_NOW = {"orders": "prep", "rally_prep": "prep", "final_fire": "final", "advancing_fire": "advancing"}
ADVANCES_NOW = ("close",)


def section_objections(situation: Situation, seat: str, kind: str, orders: Orders) -> Iterator[Objection]:
    """All objections to the orders of one exchange, each with its position in the orders."""
    yield from locate_objections(("rally",), rally_objections(situation, seat, orders))
    for name in ("prep", "final", "advancing"):
        for number, order in enumerate(getattr(orders, name)):
            now = FIRES_NOW.get(kind) == name
            yield from locate_objections((name, number), fire_objections(situation, seat, order, now=now))
    moved: list[str] = []
    fired_at = {hex for order in orders.prep for hex in order.at}
    for number, move in enumerate(orders.moves):
        yield from locate_objections(("moves", number), move_objections(situation, seat, move, fired_at))
        for id in move.units:
            if id in moved:
                yield Objection("3.3.1/declaration", say("{id} can move only once", id=id), ("moves", number))
        moved += move.units
    for number, clause in enumerate(orders.plan):
        yield from locate_objections(("plan", number), watch_word_objections(situation, seat, clause))
    for number, rout in enumerate(orders.routs):
        yield from locate_objections(("routs", number), rout_order_objections(situation, seat, rout))
    for number, hatch in enumerate(orders.hatches):
        vehicle = situation.state.vehicles.get(hatch.unit)
        if vehicle is None or vehicle.seat != seat:
            yield Objection("7.7", say("you have no vehicle {unit}", unit=hatch.unit), ("hatches", number))
    for id in orders.spared:
        if id in situation.state.weapons and not holds(situation, seat, id):
            yield Objection("3.6/interdiction", say("none of your units possesses {id}", id=id))
    for id in (*orders.spared, *(gift.other for gift in orders.gifts)):
        if id not in situation.state.weapons:
            yield Objection("4.0", say("no weapon {id} is in play", id=id))
    yield from mounted_objections(situation, [gift.other for gift in orders.gifts])
    for number, advance in enumerate(orders.advances):
        now = kind in ADVANCES_NOW
        yield from locate_objections(
            ("advances", number), advance_order_objections(situation, seat, advance, now=now)
        )
    for number, stack in enumerate(orders.stacks):
        twice = stack.unit in [one.unit for one in orders.stacks[:number]]
        yield from locate_objections(("stacks", number), stack_order_objections(situation, seat, stack, twice=twice))
    for number, combat in enumerate(orders.combats):
        for attack in combat.attacks:
            yield from locate_objections(("combats", number), attack_order_objections(situation, seat, attack))


def holds(situation: Situation, seat: str, id: str) -> bool:
    """1.2.4 Whether a unit or vehicle of the seat has a weapon."""
    weapon = situation.state.weapons.get(id)
    holder = piece_of(situation.state, weapon.holder) if weapon is not None else None
    return holder is not None and holder.seat == seat


def rout_order_objections(situation: Situation, seat: str, order: RoutOrder) -> Iterator[Objection]:
    """3.6 Object unless a rout order names the seat's own Infantry and, if any, the seat's own leader."""
    yield from own_objections(situation, seat, (order.unit,), "3.6")
    yield from on_foot_objections(situation, (order.unit,), "3.6")
    leader = situation.state.units.get(order.leader)
    if leader is not None and (leader.seat != seat or not situation.is_leader(leader)):
        yield Objection("3.6/leader-rout", say("{id} is not one of your leaders", id=order.leader))


def on_foot_objections(situation: Situation, ids: Sequence[str], rule: str) -> Iterator[Objection]:
    """3.1, 3.6 Object to vehicles, which neither break nor rout nor handle support weapons."""
    for id in ids:
        if id in situation.state.vehicles:
            yield Objection(rule, say("{id} is a vehicle, but this order is for Infantry", id=id))


def attack_order_objections(situation: Situation, seat: str, attack: Assault) -> Iterator[Objection]:
    """3.8/attacks Object unless an attack names the seat's own units, each once, and enemy units."""
    arms = [
        id for id in attack.units if holds(situation, seat, id) and situation.vehicle_of(situation.state.weapons[id])
    ]
    yield from own_objections(situation, seat, [id for id in attack.units if id not in arms], "3.8/attacks")
    for id in attack.targets:
        piece = piece_of(situation.state, id)
        if piece is not None and piece.seat == seat:
            yield Objection("3.8/attacks", say("{id} is one of your own units", id=id))
    if len(set(attack.units)) < len(attack.units):
        yield Objection("3.8/attacks", say("an attack names each unit only once"))
    if attack.how == "sn" and any(id not in situation.state.vehicles for id in attack.units):
        yield Objection("3.8/close-defence", say("only a vehicle has a close defence weapon"))


def own_objections(situation: Situation, seat: str, ids: Sequence[str], rule: str) -> Iterator[Objection]:
    for id in ids:
        unit = piece_of(situation.state, id)
        if unit is None or unit.seat != seat:
            yield Objection(rule, say("you have no unit {id}", id=id))


def stack_order_objections(situation: Situation, seat: str, order: Attempt, *, twice: bool) -> Iterator[Objection]:
    """3.8/sequence-infantry Object unless an order stacks a leader of the seat, once, with another of its units.

    Units that have been lost since are reported when the order is carried out.
    """
    rule, leader = "3.8/sequence-infantry", piece_of(situation.state, order.unit)
    other = piece_of(situation.state, order.other)
    if leader is not None and not (leader.seat == seat and isinstance(leader, Unit) and situation.is_leader(leader)):
        yield Objection(rule, say("{id} is not one of your leaders", id=order.unit))
    elif other is not None and (other.seat != seat or other is leader or not isinstance(other, Unit)):
        yield Objection(rule, say("{leader} cannot be stacked with {id}", leader=order.unit, id=order.other))
    if twice:
        yield Objection(rule, say("{leader} can be stacked only once", leader=order.unit))


def rally_objections(situation: Situation, seat: str, orders: Orders) -> Iterator[Objection]:
    """3.1 Object unless rally choices name the seat's own units and leaders, and weapons in play."""
    rally = orders.rally
    named = [*(one.unit for one in (*rally.recover, *rally.transfer, *rally.rally)), *rally.no_rally, *rally.keep_dm]
    yield from own_objections(
        situation, seat, [*named, *rally.shed_dm, *([rally.extra] if rally.extra else [])], "3.1"
    )
    movers = [one.unit for one in (*rally.recover, *rally.transfer)]
    broken = [*(one.unit for one in rally.rally), *rally.no_rally, *rally.keep_dm, *rally.shed_dm, rally.extra]
    yield from on_foot_objections(situation, [*movers, *broken], "3.1")
    for id in (*(one.other for one in (*rally.recover, *rally.transfer)), *rally.repair, *rally.no_repair):
        if id not in situation.state.weapons:
            yield Objection("4.0", say("no weapon {id} is in play", id=id))
    yield from mounted_objections(situation, [one.other for one in (*rally.recover, *rally.transfer)])
    yield from extra_objections(situation, seat, rally.extra)
    for attempt in rally.rally:
        leader = situation.state.units.get(attempt.other)
        if attempt.other and (leader is None or leader.seat != seat or not situation.is_leader(leader)):
            yield Objection("3.1/f-rally", say("{other} is not one of your leaders", other=attempt.other))


def mounted_objections(situation: Situation, ids: Sequence[str]) -> Iterator[Objection]:
    """4.0 Object to orders that recover, drop or hand over a weapon that is part of a vehicle."""
    for id in ids:
        weapon = situation.state.weapons.get(id)
        if weapon is not None and situation.vehicle_of(weapon) is not None:
            yield Objection("4.0", say("{id} is part of a vehicle: name a support weapon", id=id))


def extra_objections(situation: Situation, seat: str, id: str) -> Iterator[Objection]:
    """3.1/e-self-rally Object to `self rally` unless the ATTACKER names an MMC that needs the order."""
    unit, rule = situation.state.units.get(id), "3.1/e-self-rally"
    if unit is None or unit.seat != seat:
        return
    if situation.card(unit).self_rally:
        yield Objection(rule, say("{unit} can rally itself without this order: name another MMC", unit=id))
    elif seat != situation.state.attacker:
        yield Objection(rule, say("only the ATTACKER may let an MMC without self-rally attempt to rally itself"))


def fire_objections(situation: Situation, seat: str, order: FireOrder, *, now: bool) -> Iterator[Objection]:
    """3.2.2 Object unless a fire order names the seat's components and hexes in range and, if `now` is set, a
    target.
    """
    if not order.components:
        yield Objection("3.2.2", say("an attack must name at least one unit that fires"))
        return
    if order.destroy or order.detonate or order.face:
        yield from handling_objections(situation, seat, order)
        return
    yield from prey_objections(situation, seat, order)
    for hex in order.at:
        if hex not in situation.ground:
            yield Objection("1.1", say("{hex} is not on the map", hex=hex))
            return
    for id in order.components:
        one = component(situation, id)
        if one is None or one.unit.seat != seat:
            yield Objection("3.2.2", say("you have no {id} on the board", id=id))
        elif now and one.unit.broken and situation.state.phase not in ("setup", "close_combat", "rally"):
            yield Objection("3.2.3/nmc", say("{unit} is broken", unit=one.unit.id))
        elif now and order.at and all(too_far(situation, one, hex) for hex in order.at):
            yield Objection("3.2.2/fp-modification", say("{id} cannot fire that far", id=id))
    yield from fire_word_objections(situation, order)
    yield from company_objections(situation, order, now=now)
    for id in order.leaders:
        leader = situation.state.units.get(id)
        if leader is None or leader.seat != seat or not situation.is_leader(leader):
            yield Objection("3.2.2/leader-direction", say("{id} is not one of your leaders", id=id))
    if now and not order.how and not order.anyway and order.at:
        yield from target_objections(situation, seat, order)


def target_objections(situation: Situation, seat: str, order: FireOrder) -> Iterator[Objection]:
    """3.2, 7.12 Object if the hexes hold neither Infantry nor an exposed crew nor, for a mortar, an AFV."""
    firers = components(situation, order.components)
    shells = any(kind_of(situation, one) == "mortar" for one in firers)
    crews = [one for hex in order.at for one in situation.enemy_vehicles(hex, seat) if one.ce or shells]
    if not crews and not any(situation.enemies_at(hex, seat) for hex in order.at):
        yield why_no_target(situation, seat, order.at, firers)


def why_no_target(situation: Situation, seat: str, hexes: Sequence[str], firers: Sequence[Component]) -> Objection:
    """3.2, 7.12 The reason why the hexes hold no target: they are empty, or hold only AFV with BU crews."""
    vehicles = [one for hex in hexes for one in situation.enemy_vehicles(hex, seat)]
    if not vehicles:
        return Objection("3.2", say("no enemy is in {at}", at=" or ".join(hexes)))
    vehicle, armed = vehicles[0], all(one.weapon is not None for one in firers)
    if armed:
        line = f"{' '.join(one.id for one in firers)} fire against {vehicle.id}"
        return Objection("3.2.4/vtt", say("to fire at {vehicle}, name it: {line}", vehicle=vehicle.id, line=line))
    return Objection(
        "7.12",
        say("the crew of {vehicle} is buttoned up, and small arms cannot harm it", vehicle=vehicle.id),
    )


def handling_objections(situation: Situation, seat: str, order: FireOrder) -> Iterator[Objection]:
    """4.0/weapon-destruction, 4.3/detonation, 3.2.4/covered-arc Yield the objections to destroying weapons,
    detonating charges and turning.
    """
    if order.destroy:
        weapon = situation.state.weapons.get(order.components[0])
        holder = situation.state.units.get(weapon.holder) if weapon is not None else None
        if holder is None or holder.seat != seat:
            yield Objection(
                "4.0/weapon-destruction",
                say("none of your units possesses {components}", components=order.components[0]),
            )
    elif order.detonate:
        weapon = situation.state.weapons.get(order.components[0])
        if weapon is None or situation.weapon_card(weapon).kind != "dc":
            yield Objection(
                "4.3/detonation", say("{components} is not a demolition charge", components=order.components[0])
            )
    else:
        weapon = situation.state.weapons.get(order.components[0])
        if weapon is None or not holds(situation, seat, weapon.id) or facing_of(situation, weapon) < 0:
            yield Objection(
                "3.2.4/covered-arc",
                say("{components} is not one of your Guns or vehicle weapons", components=order.components[0]),
            )
        elif order.face not in situation.ground:
            yield Objection("1.1", say("{hex} is not on the map", hex=order.face))


def company_objections(situation: Situation, order: FireOrder, *, now: bool) -> Iterator[Objection]:
    """3.2.2/fire-groups, 4.2 Object if ordnance or flamethrowers do not fire alone or, if `now`, other firers are
    not linked.
    """
    firers = [one for one in components(situation, order.components) if not is_second_man(situation, one)]
    prey = next(iter(order.against), "")
    alone = [one for one in firers if is_ordnance(situation, one, prey) or kind_of(situation, one) == "ft"]
    if alone and len(firers) > 1:
        yield Objection("3.2.2/fire-groups", say("{one_} must fire alone", one_=alone[0].id))
    elif now:
        yield from group_objections(situation, firers)


def prey_objections(situation: Situation, seat: str, order: FireOrder) -> Iterator[Objection]:
    """3.2.4/vtt, 4.4.2 Object unless targets are enemy vehicles or, for a Panzerfaust, units that man a weapon."""
    men = situation.state.units if order.how == "pf" else {}
    for id in order.against:
        prey = situation.state.vehicles.get(id) or men.get(id)
        if prey is None or prey.seat == seat:
            yield Objection("3.2.4/vtt", say("{id} is not an enemy vehicle in play", id=id))


def too_far(situation: Situation, one: Component, hex: str) -> bool:
    """Whether a hex is beyond the longest range of a component."""
    most = range_of(situation, one) * (1 if is_ordnance(situation, one) else 2)
    return situation.ground.distance(one.hex, hex) > most


def move_objections(situation: Situation, seat: str, order: MoveOrder, fired_at: set[str]) -> Iterator[Objection]:
    """3.3.1 Object to a stack's move unless it has one start hex, adjacent hexes free of enemies, and enough MF."""
    if any(id in situation.state.vehicles for id in order.units):
        yield from drive_objections(situation, seat, order)
        return
    units = [situation.state.units.get(id) for id in order.units]
    stack = [unit for unit in units if unit is not None and unit.seat == seat]
    if len(stack) < len(order.units) or not stack:
        yield Objection("3.3", say("name only your own units that are in play"))
        return
    for unit in stack:
        if unit.moved and situation.state.phase == "movement":
            yield Objection("3.3.1/declaration", say("{unit} has already moved", unit=unit.id))
    if len(set(order.units)) < len(order.units):
        yield Objection("3.3.1/declaration", say("a move names each unit only once"))
    if not order.legs:
        yield Objection("3.3.1", say("a move must say where to go"))
    if len({unit.at for unit in stack}) > 1:
        yield Objection("3.3.1/declaration", say("units that move together must start in the same hex"))
        return
    if order.assault and order.double:
        yield Objection("3.3.1/double-time", say("a move cannot use both Assault Movement and Double Time"))
    if order.assault and sum(leg.do == "enter" for leg in order.legs) > 1:
        yield Objection("3.3.1/assault-movement", say("Assault Movement can enter only one hex"))
    if order.double and not any(may_double(unit) for unit in stack):
        yield Objection("3.3.1/double-time", say("{stack} cannot use Double Time", stack=stack[0].id))
    wrong = [*path_objections(situation, stack, order.legs, fired_at)]
    yield from wrong
    yield from leg_objections(order.legs, vehicle=False)
    for branch in order.branches:
        yield from leg_objections(branch.path, vehicle=False)
        for leg in branch.path:
            if leg.do == "enter" and leg.hex != OFF_MAP and leg.hex not in situation.ground:
                yield Objection("1.1", say("{hex} is not on the map", hex=leg.hex))
    if not any(one.rule in ("1.1", "3.3.1") for one in wrong):
        yield from cost_objections(situation, stack, order)


def drive_objections(situation: Situation, seat: str, order: MoveOrder) -> Iterator[Objection]:
    """3.3.2 Object to a vehicle's move unless the seat's own vehicle moves along adjacent hexes that its type may
    enter.
    """
    vehicle = situation.state.vehicles.get(order.units[0])
    if len(order.units) > 1 or vehicle is None or vehicle.seat != seat:
        yield Objection("3.3.2", say("name one of your own vehicles: vehicles move one at a time"))
        return
    if order.assault or order.double:
        yield Objection("3.3.2", say("vehicles cannot use Assault Movement or Double Time"))
    if vehicle.moved and situation.state.phase == "movement":
        yield Objection("3.3.1/declaration", say("{vehicle} has already moved", vehicle=vehicle.id))
    if not vehicle.at and not situation.data.may_enter(vehicle, situation.state.turn):
        yield Objection("3.3/entry-exit", say("{vehicle} does not enter this turn", vehicle=vehicle.id))
    yield from leg_objections([*order.legs, *(leg for one in order.branches for leg in one.path)], vehicle=True)
    at = vehicle.at
    for leg in order.legs:
        if leg.do == "fire":
            shot = FireOrder(leg.by, (leg.hex,) if leg.hex else (), how=leg.how)
            yield from fire_word_objections(situation, shot)
            for id in leg.by:
                if (one := component(situation, id)) is None or one.unit.id != vehicle.id:
                    yield Objection("3.3.2.2", say("{id} is not a weapon of {vehicle}", id=id, vehicle=vehicle.id))
        if leg.do in ("smoke", "recover", "drop", "place", "push"):
            yield Objection("3.3.2", say("a vehicle cannot carry out the order “{do}”", do=leg.do))
        if leg.do != "enter" or leg.hex == OFF_MAP:
            continue
        if leg.hex not in situation.ground:
            yield Objection("1.1", say("{hex} is not on the map", hex=leg.hex))
            return
        if at and not situation.ground.adjacent(at, leg.hex):
            yield Objection("3.3.2/vca", say("{hex} is not adjacent to {at}", hex=leg.hex, at=at))
            return
        if not at and leg.hex not in situation.data.entry_hexes(vehicle):
            yield Objection("3.3/entry-exit", say("{hex} is not in the entry area", hex=leg.hex))
        at = leg.hex


def path_objections(
    situation: Situation, stack: Sequence[Unit], legs: Sequence[Leg], fired_at: set[str]
) -> Iterator[Objection]:
    """3.3.1 Object to hexes that are off the map or not adjacent, and to enemy-held hexes not under Prep Fire."""
    at = stack[0].at
    if not at and not situation.data.may_enter(stack[0], situation.state.turn):
        yield Objection("3.3/entry-exit", say("{stack} does not enter this turn", stack=stack[0].id))
    for leg in legs:
        if leg.do == "smoke" and not any(
            situation.card(one).smoke for one in stack if not leg.by or one.id in leg.by
        ):
            names = " ".join(leg.by or [one.id for one in stack])
            yield Objection("3.3.1/smoke-grenades", say("{names} cannot throw smoke", names=names))
        if leg.do not in ("enter", "push") or leg.hex == OFF_MAP:
            continue
        if leg.hex not in situation.ground:
            yield Objection("1.1", say("{hex} is not on the map", hex=leg.hex))
            return
        if at and not situation.ground.adjacent(at, leg.hex):
            yield Objection("3.3.1", say("{hex} is not adjacent to {at}", hex=leg.hex, at=at))
            return
        if not at and any(leg.hex not in situation.data.entry_hexes(unit) for unit in stack):
            yield Objection("3.3/entry-exit", say("{hex} is not in the entry area", hex=leg.hex))
        foes = situation.enemies_at(leg.hex, stack[0].seat) or situation.enemy_vehicles(leg.hex, stack[0].seat)
        if foes and leg.hex not in fired_at:
            yield Objection("3.3", say("an enemy is in {hex}", hex=leg.hex))
        at = leg.hex


def path_cost(situation: Situation, start: str, legs: Sequence[Leg]) -> tuple[int, bool]:
    """3.3.1 The cost of a path in half MF, without Smoke, and whether it follows a road throughout."""
    at, cost, by_road = start, 0, True
    for leg in legs:
        if leg.do == "push":
            cost += 2 * situation.ground.infantry_cost(at, leg.hex, situation.ground.road_between(at, leg.hex))
            at, by_road = leg.hex, False
        elif leg.do == "place":  # 4.3/placement
            cost += situation.ground.infantry_cost(at, leg.hex, situation.ground.road_between(at, leg.hex))
        elif leg.do == "recover":
            cost += 2
        elif leg.do == "smoke":
            cost += 2 if leg.hex == at else 4
        if leg.do != "enter":
            continue
        if leg.hex == OFF_MAP:
            cost += 2
            continue
        before = at or leg.hex
        road = situation.ground.road_between(before, leg.hex) if at else situation.ground[leg.hex].road
        road = road and not leg.cover
        cost += 2 if road and not at else situation.ground.infantry_cost(before, leg.hex, road)
        by_road = by_road and road
        at = leg.hex
    return cost, by_road


def laid_down(legs: Sequence[Leg]) -> list[str]:
    """4.0/drop-recover The weapons that a stack drops before its first step and therefore does not carry."""
    return [leg.weapon for leg in takewhile(lambda leg: leg.do == "drop", legs)]


def cost_objections(situation: Situation, stack: Sequence[Unit], order: MoveOrder) -> Iterator[Objection]:
    """3.3.1/mf-bonus Yield an objection for each unit ordered to move farther than its MF allow."""
    cost, by_road = path_cost(situation, stack[0].at, order.legs)
    for unit in stack:
        allowance = allowance_of(situation, unit, stack, double=order.double, dropped=laid_down(order.legs))
        allowance += ROAD_BONUS if by_road else 0
        if cost > allowance:
            yield Objection(
                "3.3.1/mf-bonus",
                say(
                    "{unit} has {allowance} MF and needs {cost}",
                    unit=unit.id,
                    allowance=mf_in_words(allowance),
                    cost=mf_in_words(cost),
                ),
            )


def advance_order_objections(
    situation: Situation, seat: str, order: AdvanceOrder, *, now: bool
) -> Iterator[Objection]:
    """3.7 Object unless the seat's own Infantry advances into a hex on the map, and if `now`, an adjacent one."""
    if order.to not in situation.ground:
        yield Objection("1.1", say("{to} is not on the map", to=order.to))
        return
    yield from own_objections(situation, seat, order.units, "3.7")
    for id in order.units:
        unit = situation.state.units.get(id)
        if id in situation.state.vehicles:
            yield Objection("3.7", say("{id} is a vehicle, but only Infantry can advance", id=id))
        if now and unit is not None and unit.at and not situation.ground.adjacent(unit.at, order.to):
            yield Objection("3.7", say("{to} is not adjacent to {at}", to=order.to, at=unit.at))
