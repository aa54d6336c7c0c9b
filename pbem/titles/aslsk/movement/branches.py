"""11 G4 The next leg of a moving stack: its path, and the branches written for it beforehand.

Conditions name only public facts: friendly units hurt, Residual FP, enemies nearby, smoke placed or not.
"""

from __future__ import annotations

from pbem.titles.aslsk.orders import Branch, Leg, MoveOrder, Waiting
from pbem.titles.aslsk.player.wording import branch_words
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Mover, Piece, Vehicle, piece_of


def is_hurt(unit: Piece | None) -> bool:
    """Whether a unit is gone, broken, pinned or wounded, or a vehicle can no longer move."""
    if isinstance(unit, Vehicle):
        return unit.immobile
    return unit is None or unit.broken or unit.pinned or unit.wounded


def holds(situation: Situation, mover: Mover, branch: Branch) -> bool:
    """Whether a branch's condition is true now."""
    state = situation.state
    named = [branch.unit] if branch.unit else mover.stack
    units = [piece_of(state, id) for id in named]
    if branch.when == "hurt":
        return any(is_hurt(unit) for unit in units)
    if branch.when == "broken":
        return any(unit is None or unit.broken for unit in units)
    if branch.when == "pinned":
        return any(unit is not None and unit.pinned for unit in units)
    if branch.when == "lost":
        return bool(mover.leader) and leader_is_lost(situation, mover)
    if branch.when == "residual":
        return state.residual.get(branch.hex, 0) >= max(1, branch.number)
    if branch.when == "no_smoke":
        return not state.smoke.get(branch.hex)
    enemies = [
        unit
        for unit in state.units.values()
        if unit.seat != state.attacker and unit.at and not (unit.broken or unit.hidden)
    ]
    return any(situation.ground.distance(mover.at, enemy.at) <= branch.number for enemy in enemies if mover.at)


def leader_is_lost(situation: Situation, mover: Mover) -> bool:
    leader = situation.state.units.get(mover.leader)
    return leader is None or leader.broken or leader.pinned


def next_leg(situation: Situation, mover: Mover, order: MoveOrder) -> tuple[Leg | None, str]:
    """11 G4 The next leg of a stack, or the reason why it stops.

    A branch with `via` whose condition is true replaces the rest of the path, once. Unless ordered otherwise, a stack
    stops when it loses its leader.
    """
    legs = path_of(mover, order)
    for number, branch in enumerate(order.branches, start=1):
        if mover.branch == number or (not mover.expenditures and branch.when not in ("residual", "enemy_within")):
            continue
        if holds(situation, mover, branch):
            if branch.then == "stop":
                return None, f"its order says: {branch_words(branch)}"
            if branch.then == "via" and not mover.branch:
                mover.branch, mover.leg = number, 0
                legs = path_of(mover, order)
            break
    goes_on = any(branch.when == "lost" and branch.then != "stop" for branch in order.branches)
    if len(mover.stack) > 1 and mover.leader and leader_is_lost(situation, mover) and not goes_on:
        return None, "its leader is lost"
    if mover.leg >= len(legs):
        return None, ""
    return legs[mover.leg], ""


def path_of(mover: Mover, order: MoveOrder) -> tuple[Leg, ...]:
    """11 G4 The path that a stack follows now; delay is announced MP by MP (3.3.2.2)."""
    legs = order.branches[mover.branch - 1].path if mover.branch else order.legs
    if not any(leg.do == "delay" for leg in legs):
        return legs
    return tuple(one for leg in legs for one in one_by_one(leg))


def one_by_one(leg: Leg) -> tuple[Leg, ...]:
    """3.3.2.2 A leg of delay split into one leg for each MP."""
    return (Leg("delay", number=1),) * max(1, leg.number) if leg.do == "delay" else (leg,)


def waits_in_vain(situation: Situation, waiting: Waiting) -> bool:
    """11 G4 Whether a stack waits in vain: the other unit has not arrived where it should, or was hurt on the way."""
    unit = piece_of(situation.state, waiting.unit)
    if unit is None or (waiting.hex and unit.at != waiting.hex):
        return True
    return waiting.unhurt and is_hurt(unit)
