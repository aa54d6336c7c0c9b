"""Random legal orders, for bots that know nothing and for tests: each about as likely as the next."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.play.choice import Choice
from pbem.titles.aslsk.fire.components import components
from pbem.titles.aslsk.fire.firepower import range_of
from pbem.titles.aslsk.movement.allowance import allowance_of
from pbem.titles.aslsk.movement.eligibility import may_double
from pbem.titles.aslsk.orders import AdvanceOrder, Branch, Clause, FireOrder, Leg, MoveOrder, Orders
from pbem.titles.aslsk.player.checks import move_objections, path_cost
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit, of_seat


def sample_orders(situation: Situation, seat: str, kind: str, sections: Sequence[str], choice: Choice) -> Orders:
    """Draw orders for the sections that belong to this exchange."""
    now = {"orders": ("prep", "moves"), "rally_prep": ("prep",), "defence": ("plan",), "final_fire": ("final",)}
    wanted = now.get(
        kind,
        {
            "advancing_fire": ("advancing",),
            "close": ("advances",),
            "wave": ("moves",),
            "go_on": ("moves",),
            "wave_defence": ("plan",),
        }.get(kind, ()),
    )
    found: dict[str, object] = {}
    fired: set[str] = set()
    for name in wanted:
        if name in ("prep", "final", "advancing"):
            orders = sample_fire(situation, seat, choice)
            fired = {
                situation.state.weapons[id].holder if id in situation.state.weapons else id
                for order in orders
                for id in order.components
            }
            fired |= {id for order in orders for id in order.leaders}
            found[name] = orders
        elif name == "moves":
            found[name] = sample_moves(situation, seat, choice, fired)
        elif name == "plan":
            found[name] = sample_plan(situation, seat, choice)
        elif name == "advances":
            found[name] = sample_advances(situation, seat, choice)
    return Orders(**found)  # type: ignore[arg-type]


def stacks(situation: Situation, seat: str) -> dict[str, list[Unit]]:
    """Unbroken units by hex."""
    found: dict[str, list[Unit]] = {}
    for unit in of_seat(situation.state, seat):
        if not unit.broken and not situation.in_melee(unit):
            found.setdefault(unit.at, []).append(unit)
    return found


def sample_fire(situation: Situation, seat: str, choice: Choice) -> tuple[FireOrder, ...]:
    """About half of the stacks that have somebody in range fire at one of them."""
    enemies = sorted({unit.at for unit in situation.state.units.values() if unit.seat != seat and unit.at})
    orders: list[FireOrder] = []
    for hex, units in stacks(situation, seat).items():
        if not hex or not enemies or choice.below(2):
            continue
        for unit in units:
            if (gun := situation.gun_of(unit)) is not None and not choice.below(2):
                how = choice.one_of(["", "", "area", "smoke"])
                orders.append(FireOrder((gun.id,), (choice.one_of(enemies),), how=how, intensive=not choice.below(2)))
        ids = [unit.id for unit in units if situation.is_mmc(unit) and situation.gun_of(unit) is None]
        ids += [weapon.id for unit in units for weapon in situation.weapons(unit) if situation.is_machine_gun(weapon)]
        near = [
            at
            for at in enemies
            if all(
                situation.ground.distance(hex, at) <= 2 * range_of(situation, one)
                for one in components(situation, ids)
            )
        ]
        if ids and near:
            leaders = tuple(unit.id for unit in units if situation.is_leader(unit) and choice.below(2))[:1]
            orders.append(FireOrder(tuple(ids), (choice.one_of(near),), leaders))
    return tuple(orders)


def sample_moves(situation: Situation, seat: str, choice: Choice, fired: set[str]) -> tuple[MoveOrder, ...]:
    """Some stacks walk at random as far as their MF go, sometimes in Assault Movement or at Double Time."""
    orders: list[MoveOrder] = []
    for hex, units in stacks(situation, seat).items():
        able = [unit for unit in units if unit.id not in fired and not unit.moved]
        crews = [unit for unit in able if situation.gun_of(unit) is not None]
        able = [unit for unit in able if unit not in crews]
        orders += [random_push(situation, unit, choice) for unit in crews if hex and not choice.below(3)]
        if not hex:
            able = [unit for unit in able if situation.data.may_enter(unit, situation.state.turn)]
        if not able or (hex and not choice.below(3)):
            continue
        if not hex:
            orders += [random_walk(situation, able[place : place + 3], choice) for place in range(0, len(able), 3)]
            continue
        if len(able) > 1 and choice.below(2):
            able = able[: 1 + choice.below(len(able))]
        orders.append(random_walk(situation, able, choice))
    return tuple(order for order in orders if order.legs and not any(move_objections(situation, seat, order, set())))


def random_push(situation: Situation, unit: Unit, choice: Choice) -> MoveOrder:
    """A crew tries to push its Gun one hex."""
    gun = situation.gun_of(unit)
    assert gun is not None
    near = [hex for hex in situation.ground.neighbours(unit.at) if not situation.enemies_at(hex, unit.seat)]
    legs = (Leg("push", choice.one_of(near), weapon=gun.id),) if near else ()
    return MoveOrder((unit.id,), legs)


def random_walk(situation: Situation, units: list[Unit], choice: Choice) -> MoveOrder:
    """A path of free hexes; sometimes smoke first, sometimes a branch."""
    assault = bool(units[0].at) and not choice.below(4)
    double = not assault and not choice.below(4) and all(may_double(unit) for unit in units)
    allowance = min(allowance_of(situation, unit, units, double=double) for unit in units)
    legs: list[Leg] = []
    at = units[0].at
    if at and any(situation.card(unit).smoke for unit in units) and not choice.below(3):
        legs.append(Leg("smoke", choice.one_of([at, *situation.ground.neighbours(at)])))
    for _ in range(1 if assault else 1 + choice.below(6)):
        near = situation.ground.neighbours(at) if at else situation.data.entry_hexes(units[0])
        free = [hex for hex in near if not situation.enemies_at(hex, units[0].seat)]
        if not free:
            break
        leg = Leg("enter", choice.one_of(list(free)))
        cost, _ = path_cost(situation, units[0].at, [*legs, leg])
        if cost + assault > allowance:
            break
        legs.append(leg)
        at = leg.hex
    branches = (Branch("hurt", then="stop"),) if not choice.below(3) else ()
    return MoveOrder(tuple(unit.id for unit in units), tuple(legs), assault=assault, double=double, branches=branches)


def sample_plan(situation: Situation, seat: str, choice: Choice) -> tuple[Clause, ...]:
    """Fire at anything near, with or without second fire."""
    clauses = [Clause("fire", within=choice.one_of([2, 4, 6, 8]), column=choice.one_of([0, 2, 4]))]
    if choice.below(2):
        clauses.append(Clause("sff"))
    if choice.below(2):
        clauses.append(Clause("fpf"))
    if not choice.below(4):
        clauses.append(Clause("hold", within=choice.one_of([1, 3, 5])))
    return tuple(clauses)


def sample_advances(situation: Situation, seat: str, choice: Choice) -> tuple[AdvanceOrder, ...]:
    """Some units step into a neighbouring hex, enemies or not."""
    orders: list[AdvanceOrder] = []
    for unit in of_seat(situation.state, seat):
        if unit.broken or unit.pinned or situation.in_melee(unit) or choice.below(2):
            continue
        near = situation.ground.neighbours(unit.at) if unit.at else situation.data.entry_hexes(unit)
        foes = [hex for hex in near if situation.enemies_at(hex, seat)]
        if unit.at or situation.data.may_enter(unit, situation.state.turn):
            orders.append(AdvanceOrder((unit.id,), choice.one_of(list(foes or near))))
    return tuple(orders)
