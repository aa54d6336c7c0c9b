"""6.6.10 Overruns as part of a move: the declaration, the entry, and the position afterwards.

    6.6.10                step overrun:UNIT, into the hex ahead
    6.6.10/declaration    declared_by, declaration_objections: all vehicles that overrun a unit are named together
    6.6.1.1, 6.6.11       attack_objections, landing_objections: a vehicle and its passengers attack one unit
    6.6.10/building       a target inside a building: its attacker goes in first (6.6.3)
    6.6.10.1/put-back     at the end of the move, in `unfinished`

Eligibility, the combat and its results are in `overrun`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from pbem.engine.geometry.hexes import neighbour, parse_hex
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say, several
from pbem.titles.panzer.cards.basic_rows import WHOLE
from pbem.titles.panzer.close_combat.close_combat import dismount_objections, place_objections
from pbem.titles.panzer.close_combat.overrun import nerve_objections, overrun_objections
from pbem.titles.panzer.movement.steps.acts import Dismount, Overrun, acts_of, attack_by, read_act
from pbem.titles.panzer.movement.steps.driving import FORWARD, Objections, Stride
from pbem.titles.panzer.movement.steps.unit_steps import March, UnitMover, a_step, drive
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.obstacles.buildings import drive_in
from pbem.titles.panzer.sighting.terrain import is_inside
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Unit

NAME_TARGET: Final = Objection("6.6.10", say("name the unit to overrun, e.g. overrun:b1"))


@a_step(Overrun, "6.6.10", NAME_TARGET)
def overrun(mover: UnitMover, progress: March, act: Overrun) -> Stride | Objections:
    """6.6.10 Move straight ahead into the hex of the declared unit; the one-hex exception does not apply."""
    target = mover.state.vehicles.get(act.target)
    if target is None:
        return [NAME_TARGET]
    if objections := list(_against(mover, progress, target)):
        return objections
    inside = is_inside(mover.situation, target)
    attacking = msgspec.structs.replace(progress, overran=target.id)
    stride = drive_in(mover, attacking) if inside else drive(mover, attacking, FORWARD)
    if isinstance(stride, list):
        return [_too_dear(objection) for objection in stride]
    due = progress.limit if stride.price.total == WHOLE else stride.price.total
    if not isinstance(due, int) or due > progress.left:
        return [
            Objection(
                "6.6.10",
                say(
                    "entering the target's hex costs {due}, but only {left} of {limit} movement points are left",
                    due=due,
                    left=progress.left,
                    limit=progress.limit,
                ),
            )
        ]
    step = str(act)
    after = msgspec.structs.replace(stride.progress, overran=target.id, ended=False, steps=(*progress.steps, step))
    return Stride(step, after, stride.price)


def _too_dear(objection: Objection) -> Objection:
    """6.6.10 Object if the vehicle does not have enough movement to enter its target's hex."""
    return msgspec.structs.replace(objection, rule="6.6.10") if objection.rule == "4.5.1.1.3" else objection


def _against(mover: UnitMover, progress: March, target: Unit) -> Iterator[Objection]:
    """6.6.10 Object unless the overrun was declared before moving, once per turn, into the hex ahead."""
    if not target.alive:
        yield Objection("6.6.10", say("{target} has left play", target=target.id))
        return
    if progress.overran:
        yield Objection("6.6.10", say("a vehicle can make only one overrun a turn"))
    if str(Overrun(target.id)) not in progress.declared:
        rule = ledger_row(mover.data.edition, "6.6.10/declaration")
        yield Objection(rule, say("an overrun must be declared before the vehicle moves"))
    if progress.hex is None or target.hex != neighbour(progress.hex, progress.facing):
        yield Objection("6.6.10", say("{target} is not in the hex ahead", target=target.id))
    yield from nerve_objections(mover.unit)


# --- 6.6.10 declarations ---------------------------------------------------------------------------------------


def declared_by(steps: Iterable[str]) -> tuple[str, ...]:
    """6.6.10, 6.6.1.1 The attacks a move declares: `overrun:b1`, and `g5:b1` for a passenger's attack."""
    found = []
    for step in steps:
        match read_act(step):
            case Overrun():
                found.append(step)
            case Dismount(unit=unit, target=target) if target:
                found.append(attack_by(unit, target))
    return tuple(dict.fromkeys(found))


def target_of(declared: Iterable[str]) -> str:
    """6.6.10 The unit a move is to overrun, or an empty string."""
    return next((act.target for act in acts_of(Overrun, declared)), "")


def declaration_objections(
    situation: Situation, vehicle: Unit, target: Unit, named: Sequence[str] = ()
) -> Iterator[Objection]:
    """6.6.10 Every objection to declaring an overrun now; `named` vehicles were declared together with the first."""
    rule = ledger_row(situation.data.edition, "6.6.10/declaration")
    if vehicle.attacking == target.id:
        fresh = msgspec.structs.replace(vehicle, attacking="")
        yield from overrun_objections(situation, fresh, target)
        return
    others = (other for other in situation.state.of(vehicle.side) if other.kind == "vehicle")
    if any(other.attacking == target.id for other in others) and vehicle.id not in named:
        yield Objection(rule, say("all overruns of {target} were declared together", target=target.id))
    yield from overrun_objections(situation, vehicle, target)


def targets_of(steps: Iterable[str]) -> list[str]:
    """6.6.11 The units that a move's overrun and its passengers are to attack."""
    acts = map(read_act, steps)
    return list(dict.fromkeys(act.target for act in acts if isinstance(act, Overrun | Dismount) and act.target))


def landing_objections(situation: Situation, steps: Iterable[str]) -> Iterator[Objection]:
    """6.6.1.1 Object to an attack from a hex from which its target is out of reach, also on a new route (R-17)."""
    for act in acts_of(Dismount, steps):
        if act.target in situation.state.vehicles:
            yield from place_objections(situation, situation.state.vehicles[act.target], parse_hex(act.hex))


def attack_objections(situation: Situation, carrier: Unit, steps: Sequence[str]) -> Iterator[Objection]:
    """6.6.10, 6.6.1.1 Every objection to the attacks a move declares, checked before it begins."""
    view = situation.state
    if len(targets := targets_of(steps)) > 1:
        yield Objection(
            "6.6.11",
            say(
                "a vehicle and its passengers must attack the same unit; this order names {targets}",
                targets=several(targets),
            ),
        )
    for act in map(read_act, steps):
        if not isinstance(act, Overrun | Dismount) or not act.target:
            continue
        enemy = view.vehicles.get(act.target)
        if isinstance(act, Overrun):
            if enemy is not None:
                yield from declaration_objections(situation, carrier, enemy)
            continue
        passenger = view.vehicles.get(act.unit)
        if enemy is None or passenger is None:
            yield Objection("6.6.1.1", say("no enemy is called {parts}", parts=act.target))
        else:
            yield from dismount_objections(situation, passenger, enemy, parse_hex(act.hex))
