"""How a bot fights: battles at good odds, with air points and artillery where they help most.

battles      the attacks worth making, each with its units
fight        the orders of the second exchange
next_battle  the same choice for a bot that is asked before every battle
next_gun     the same for artillery, before every strike
"""

from __future__ import annotations

from collections.abc import Mapping, Set

import msgspec

from pbem.titles.nato.air.helicopters import possible_brigades
from pbem.titles.nato.air.strikes import STEPS, target_sets
from pbem.titles.nato.artillery.fire import targets_near
from pbem.titles.nato.artillery.strike_decision import NextGun
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.bots.goals import least_column
from pbem.titles.nato.cards.charts import ODDS
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.eligibility import possible_attackers, possible_support
from pbem.titles.nato.combat.odds import odds_of
from pbem.titles.nato.combat.orders import Fight, NextBattle
from pbem.titles.nato.combat.prospects import battle_of
from pbem.titles.nato.commands.powers import commands
from pbem.titles.nato.map.grid import HexId, distance
from pbem.titles.nato.player.orders import AirStrike, Chemical, Commit, FightOrders, Gun, Plan
from pbem.titles.nato.state import ENEMY
from pbem.titles.nato.supply.headquarters import headquarters
from pbem.titles.nato.victory import city_value
from pbem.titles.nato.zones.airspace import airspace
from pbem.titles.nato.zones.coordination import attack_objections

MOST_ATTACKERS = 8
LATE = 3
"""22.0 The number of final turns in which chemical warfare is worth its cost in points."""
EXPLOIT = ("advance: exploit", "advance: consolidate")
"""25.8.2 The Warsaw Pact's advance policy after a battle has opened a hex."""
STAY = ("advance: never",)
"""25.8 NATO's advance policy if no city is to be taken back."""
WITH_AIR = "2:1"
"""Odds that are good enough if air strikes hit every unit in the hex first."""
ENOUGH = "7:1"
"""Odds at which no more units and no attack helicopters are sent."""


def battles(board: Board, side: Side, waiting: Mapping[HexId, list[Unit]], least: str, points: int) -> list[Commit]:
    """Return the attacks worth making, most valuable first, with the units available; no unit attacks twice.

    Lower odds are accepted where there are enough air points to strike every unit in the hex first. Each brigade of
    attack helicopters joins only one attack (18.4.4.2).
    """
    used: set[str] = set()
    supported: set[str] = set()
    flown: set[str] = set()
    found: list[Commit] = []
    best = {hex: best_attack(board, side, hex, able, WITH_AIR, supported) for hex, able in waiting.items()}
    while able := [commit for commit, _ in best.values() if commit is not None]:
        commit = max(able, key=lambda one: (value(board, one.objective) + 2 * best[one.objective][1], one.objective))
        column = best.pop(commit.objective)[1]
        needed = points_for(board, side, commit.objective)
        if column < least_column(board, side, commit.objective, least) and (
            side is Side.NATO or not needed or needed > points
        ):
            continue
        points -= min(needed, points)
        if column < ODDS.index(ENOUGH) and (hq := brigade(board, side, commit, flown)):
            commit = msgspec.structs.replace(commit, helicopters=hq)
            flown.add(hq)
        found.append(commit)
        used |= set(commit.units)
        supported |= {commit.support} - {""}
        for hex, (other, _) in best.items():
            if other is not None and (set(other.units) & used or other.support in supported):
                units = [unit for unit in waiting[hex] if unit.id not in used]
                best[hex] = best_attack(board, side, hex, units, WITH_AIR, supported)
    return found


def points_for(board: Board, side: Side, hex: HexId) -> int:
    """23.1.5 Return the air points needed to strike all units in a hex, or 0 if tactical points cannot reach it."""
    steps = sum(unit.steps for unit in board.at(hex, ENEMY[side]) if not unit.card.hq)
    if not steps or airspace(board, hex, side) == "enemy":
        return 0
    return 1 if steps <= STEPS else 2


def value(board: Board, hex: HexId) -> int:
    """Return the value of taking a hex: its city, and the steps in it."""
    return 4 * city_value(board, hex) + sum(unit.steps for unit in board.at(hex))


def best_attack(
    board: Board, side: Side, objective: HexId, able: list[Unit], least: str, supported: set[str]
) -> tuple[Commit | None, int]:
    """Return the smallest group that reaches very good odds, or all units if their odds are acceptable, together with
    the odds column.
    """
    strongest = sorted(able, key=lambda unit: (-unit.attack, unit.id))[:MOST_ATTACKERS]
    together: list[Unit] = []
    for unit in strongest:
        if unit.attack and not any(attack_objections(board, side, [*together, unit])):
            together.append(unit)
    best: tuple[Commit | None, int] = (None, 0)
    for number in range(1, len(together) + 1):
        units = together[:number]
        hqs = [hq.id for hq in possible_support(board, side, units) if hq.id not in supported]
        support = hqs[0] if hqs else ""
        odds = odds_of(board, battle_of(board, side, objective, [unit.id for unit in units], support))
        if ODDS.index(odds.final) >= ODDS.index(least):
            best = Commit(objective, tuple(unit.id for unit in units), support), ODDS.index(odds.final)
        if ODDS.index(odds.final) >= ODDS.index(ENOUGH):
            break
    return best


def brigade(board: Board, side: Side, commit: Commit, flown: Set[str]) -> str:
    """18.4.4.2 Return an HQ whose brigade could join the attack and is not needed elsewhere, or an empty string."""
    able = possible_brigades(board, battle_of(board, side, commit.objective, commit.units), side)
    return next((hq for hq in able if hq not in flown), "")


def strikes(decision: Fight, objectives: list[HexId], points: int) -> tuple[AirStrike, ...]:
    """23.1.5 Spend on each objective in turn as many tactical points as it can take, until none are left."""
    board, side = decision.board, decision.side
    found: list[AirStrike] = []
    for hex in objectives:
        if target_sets(board, hex, side, ()) and airspace(board, hex, side) != "enemy":
            found += [AirStrike(hex)] * min(points_for(board, side, hex), points - len(found))
    return tuple(found)


def guns(decision: Fight, objectives: list[HexId]) -> tuple[Gun, ...]:
    """24.1 Fire every artillery unit at an objective if possible, otherwise at any target."""
    board, found = decision.board, list[Gun]()
    for unit in board.on_map(decision.side):
        own = commands(board, decision.seat, unit.card)
        if own and unit.card.artillery and (near := targets_near(board, unit)):
            found.append(Gun(unit.id, min(near, key=lambda hex: (hex not in objectives, hex))))
    return tuple(found)


def next_battle(decision: NextBattle, least: str) -> Commit | None:
    """25.1.1 Return the most valuable battle on the board as it is now; marked hexes must be attacked at any odds."""
    board, side = decision.board, decision.side
    waiting = {
        hex: [unit for unit in possible_attackers(board, hex, side) if decision.may_commit(unit, hex)]
        for hex in decision.open
    }
    found = battles(board, side, waiting, WITH_AIR if board.state.battles else least, 0)
    if not found and board.state.battles:
        found = unavoidable(board, side, waiting)
    return next((commit for commit in found if not any(decision.objections(commit))), decision.default())


def unavoidable(board: Board, side: Side, waiting: Mapping[HexId, list[Unit]]) -> list[Commit]:
    """25.1.1.1 Return attacks on the marked hexes at any odds, the best odds first."""
    tried = [best_attack(board, side, hex, able, ODDS[0], set()) for hex, able in waiting.items()]
    ranked = sorted(((column, commit.objective, commit) for commit, column in tried if commit), reverse=True)
    return [commit for _, _, commit in ranked]


def next_gun(decision: NextGun) -> Gun | None:
    """24.1 Return the next artillery strike of the Warsaw Pact, at a marked hex if possible."""
    able = [gun for gun in decision.options() if gun is not None] if decision.side is Side.WP else []
    return min(able, key=lambda gun: (gun.hex not in decision.view.battles, gun.unit, gun.hex), default=None)


def fight(decision: Fight, least: str, *, ruthless: bool = False) -> tuple[FightOrders, Plan]:
    """7.2 Return a side's battles at these odds or better, with its air strikes, artillery fire and special
    weapons.
    """
    side = decision.side
    waiting = {hex: decision.able(hex) for hex in decision.targets}
    planned = battles(decision.board, side, waiting, least, decision.view.tactical.get(side, 0))
    objectives = [commit.objective for commit in planned]
    marks = tuple(objectives) if side is Side.WP else ()
    artillery = guns(decision, objectives) if side is Side.WP else ()
    plan = Plan(
        guns=artillery,
        battles=tuple(planned),
        clauses=EXPLOIT if side is Side.WP else afterwards(decision, objectives),
    )
    if decision.seat != decision.data.seat_of(side):
        return FightOrders(marks=marks), plan
    gas = chemicals(decision, objectives or decision.targets)
    spent = sum(order.delivery == "tactical" for order in gas) if side is Side.NATO else 0
    air = strikes(decision, objectives or decision.targets, decision.view.tactical.get(side, 0) - spent)
    deep = decision.view.operational.get(side, 0)
    if side is Side.NATO and decision.data.plays("supply_points"):
        return without_objections(decision, FightOrders(marks=marks, air=air, chemical=gas, deep=min(3, deep))), plan
    air += strikes_on_headquarters(decision, deep)
    atoms = nuclear(decision, objectives) if ruthless else ()
    return without_objections(decision, FightOrders(marks=marks, air=air, chemical=gas, nuclear=atoms)), plan


def afterwards(decision: Fight, objectives: list[HexId]) -> tuple[str, ...]:
    """25.8 Return NATO's advance policy: its brigades stay where they defend, unless a city can be taken back."""
    board = decision.board
    return () if any(board.is_city(hex) and board.owner(hex) is decision.side for hex in objectives) else STAY


def without_objections(decision: Fight, orders: FightOrders) -> FightOrders:
    """Return the orders without those special weapons that would be refused."""
    if not any(decision.objections(orders)):
        return orders
    plain = msgspec.structs.replace(orders, chemical=(), nuclear=(), deep=0)
    return plain if not any(decision.objections(plain)) else FightOrders(marks=orders.marks)


def chemicals(decision: Fight, hexes: list[HexId]) -> tuple[Chemical, ...]:
    """22 Use gas on the objectives in the last turns of a match, when first use costs few victory points."""
    data, view, side = decision.data, decision.view, decision.side
    late = view.turn > data.scenario.turns - LATE
    if not data.plays("chemical") or not (view.first_use or (side is Side.WP and late)):
        return ()
    limit = min(data.scenario.chemical[side].tactical, view.chemical_points.get(side, 0))
    if side is Side.NATO:
        limit = min(limit, view.tactical.get(side, 0))
    held = [hex for hex in hexes if decision.board.holds(hex, ENEMY[side]) and not decision.board.is_city(hex)]
    return tuple(Chemical(hex) for hex in held if airspace(decision.board, hex, side) != "enemy")[: max(0, limit)]


def strikes_on_headquarters(decision: Fight, points: int) -> tuple[AirStrike, ...]:
    """23.5 Spend operational points on the enemy headquarters nearest to the side's troops, to suppress their
    support.
    """
    board, enemy = decision.board, ENEMY[decision.side]
    own = [unit.at for unit in board.on_map(decision.side) if unit.maneuver]
    hqs = [hq for hq in headquarters(board, enemy) if not hq.piece.disrupted]
    near = sorted(hqs, key=lambda hq: (min((distance(hq.at, at) for at in own), default=0), hq.id))
    return tuple(AirStrike(hq.at, True, (hq.id,)) for hq in near[: max(0, points)])


def nuclear(decision: Fight, hexes: list[HexId]) -> tuple[str, ...]:
    """21 Return a nuclear strike on the strongest stack, once per match and not before the third turn."""
    board, enemy = decision.board, ENEMY[decision.side]
    if not decision.data.plays("nuclear") or decision.view.turn < 3 or decision.view.nuclear_count.get(decision.side):
        return ()
    stacks = [hex for hex in hexes if board.holds(hex, enemy) and not board.is_city(hex)]
    best = max(stacks, key=lambda hex: (sum(unit.steps for unit in board.at(hex, enemy)), hex), default="")
    return (best,) if best else ()
