"""6.5 Moving a Gun: its crew pushes it hex by hex.

6.5    push_objections, push_cost, push_modifiers, push
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.rules.happenings import Move
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.cards.weapons import GunCard
from pbem.titles.aslsk.chance import roll_two
from pbem.titles.aslsk.failing import report_failure
from pbem.titles.aslsk.fire.modifiers import Modifier, rows, total
from pbem.titles.aslsk.movement.allowance import MF, cost_of
from pbem.titles.aslsk.movement.eligibility import action_objections
from pbem.titles.aslsk.orders import Leg
from pbem.titles.aslsk.ordnance.acquisition import follow
from pbem.titles.aslsk.ordnance.hidden import turned_back
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit, Weapon, hidden_at
from pbem.titles.aslsk.tabletop import AslskTable


def push_cost(situation: Situation, start: str, end: str) -> int:
    """6.5 The cost of pushing a Gun into a hex: twice the normal cost, in half MF."""
    return 2 * cost_of(situation, start, end)


def push_objections(situation: Situation, units: Sequence[Unit], leg: Leg) -> Iterator[Objection]:
    """6.5 Object to pushing a Gun unless MMC push a QSU Gun into a free adjacent hex without Assault Movement."""
    weapon = situation.state.weapons.get(leg.weapon)
    gun = situation.gun_card(weapon) if weapon is not None else None
    at = units[0].at
    if weapon is None or gun is None or weapon.holder not in {unit.id for unit in units}:
        yield Objection("6.5", say("no unit of the stack mans {weapon}", weapon=leg.weapon))
        return
    if not gun.qsu:
        yield Objection("6.5", say("{weapon} cannot be moved", weapon=leg.weapon))
    if leg.hex not in situation.ground or not situation.ground.adjacent(at, leg.hex):
        yield Objection("6.5", say("{hex} is not adjacent to {at}", hex=leg.hex, at=at))
        return
    if situation.enemies_at(leg.hex, units[0].seat) or situation.enemy_vehicles(leg.hex, units[0].seat):
        yield Objection("3.3", say("an enemy is in {hex}", hex=leg.hex))
    yield from situation.room_objections(leg.hex, units[0].seat, list(units))
    if any(unit.going is not None and unit.going.assault for unit in units):
        yield Objection("6.5", say("a Gun cannot be pushed in Assault Movement"))
    if any(unit.pinned or unit.broken for unit in units):
        yield Objection("6.5", say("only Good Order units can push a Gun"))
    loaded = [one.id for unit in units for one in situation.weapons(unit) if situation.weapon_card(one).pp]
    if loaded:
        yield Objection(
            "6.5", say("units that push a Gun cannot carry anything: drop {loaded}", loaded=", ".join(loaded))
        )
    if not fits_in(situation, gun, leg.hex):
        yield Objection("1.2.6", say("{weapon} does not fit into a building", weapon=leg.weapon))
    yield from action_objections(units, push_cost(situation, at, leg.hex), "6.5")


def fits_in(situation: Situation, gun: GunCard, hex: str) -> bool:
    """1.2.6 Whether a Gun fits in a hex: a building holds only small Guns, and AT and INF Guns that are not large."""
    fits = gun.size > 0 or (gun.type in ("at", "inf") and gun.size >= 0)
    return fits or situation.ground[hex].terrain != "building"


def push_modifiers(situation: Situation, units: Sequence[Unit], weapon: Weapon, end: str) -> list[Modifier]:
    """6.5 The DRM for pushing: MF cost, positive TEM, leadership, road hexside, and the units that push."""
    charts, start = situation.data.charts, units[0].at
    found = [Modifier("6.5", "MF cost", push_cost(situation, start, end) // MF)]
    tem = situation.ground.tem(end)
    found += [Modifier("6.5", "TEM of the hex entered", tem)] if tem > 0 else []
    leaders = [unit for unit in units if situation.leads(unit)]
    best = min((situation.leadership(leader) for leader in leaders), default=0)
    found += [Modifier("6.5", "leadership", best)] if best else []
    if situation.ground.road_between(start, end):
        found.append(Modifier("6.5", "road hexside", charts.manhandling("road hexside")))
    mmc = [unit for unit in units if situation.is_mmc(unit)]
    manning = next(unit for unit in mmc if unit.id == weapon.holder)
    if situation.is_squad(manning):
        found.append(Modifier("6.5", "squad instead of crew", charts.manhandling("squad instead of crew")))
    helping = 0
    for unit in mmc:
        if unit is not manning:
            kind = "another squad" if situation.is_squad(unit) else "another half-squad or crew"
            helping += charts.manhandling(kind)
    helping = max(helping, charts.manhandling("least for all others together"))
    return [*found, Modifier("6.5", "others who push", helping)] if helping else found


def push(table: AslskTable, units: Sequence[Unit], leg: Leg) -> None:
    """6.5 Push a Gun: below M# it moves and may continue, on M# it moves and stops, above M# nothing moves."""
    situation = table.situation
    weapon = table.state.weapons[leg.weapon]
    gun = situation.gun_card(weapon)
    assert gun is not None
    start, modifiers = units[0].at, push_modifiers(situation, units, weapon, leg.hex)
    dice = roll_two(table, "6.5", leg.weapon)
    final = dice.total + total(modifiers)
    rolled, cost = final <= gun.manhandling, push_cost(situation, start, leg.hex)
    moved = rolled and not hidden_at(table.state, leg.hex, units[0].seat)
    result = "moves on" if final < gun.manhandling else "moves and stops" if rolled else "does not move"
    table.find(
        "6.5",
        inputs={"weapon": leg.weapon, "units": [unit.id for unit in units], "to": leg.hex, "number": gun.manhandling},
        modifiers=rows(modifiers),
        dice=dice.pair,
        result=result,
        shows=[Move(unit.id, ((start, None), (leg.hex, None))) for unit in units] if moved else [],
    )
    if not rolled:
        pushers = [unit.id for unit in units]
        why = Objection("6.5", say("{weapon} did not move (rolled {dice})", weapon=leg.weapon, dice=dice.total))
        words = f"{' '.join(pushers)} push {leg.weapon} to {leg.hex}"
        report_failure(table, units[0].seat, words, [why], partly=True, units=pushers)
    elif not moved:
        turned_back(table, units, leg.hex, cost)  # 6.4
    for unit in units:
        going = unit.going
        unit.hazard = True
        if going is None:
            continue
        going.done = going.done or final >= gun.manhandling
        if moved:
            going.spent, going.here, going.hexes = going.spent + cost, cost, going.hexes + 1
            going.by_road, going.road_rate, going.came_from = False, False, start
            going.climbed = situation.ground.uphill(start, leg.hex)
            going.trail.append((leg.hex, cost))
            unit.at = leg.hex
    if moved:
        weapon.emplaced, weapon.carried = False, True
        weapon.facing = leg.number % 6 if leg.number >= 0 else weapon.facing
        follow(table, units, start)
        weapon.lose_target()
        assert table.state.mover is not None
        table.state.mover.at = leg.hex
