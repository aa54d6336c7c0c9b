"""7.30 Pushing: a tracked vehicle uses its whole movement to clear a narrow road.

    7.30/pushing    step push:wreck or push:UNIT, in its own hex; push:wreck:f in the hex ahead, which it enters
    7.30/pushing    push_objections, push_modifier, push; push_choices

Wrecks, abandoned vehicles, friendly vehicles with a track hit and guns on the ground can be pushed. The step is
checked as if the push succeeded; the roll is made when it is carried out (`move_execution.push_off`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from pbem.engine.geometry.hexes import Hex, hex_name, neighbour
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.movement.shared_moves import command_of
from pbem.titles.panzer.movement.steps.acts import Push, read_act
from pbem.titles.panzer.movement.steps.costs import Item, price
from pbem.titles.panzer.movement.steps.driving import FORWARD, Objections, Stride
from pbem.titles.panzer.movement.steps.unit_steps import PUSHING, March, UnitMover, a_step, drive, mover_of, towing
from pbem.titles.panzer.obstacles.narrow_roads import (
    ASIDE,
    PUSHED,
    WEIGHTS,
    ahead_of,
    is_narrow,
    is_pushed,
    push_aside,
    stands_aside,
)
from pbem.titles.panzer.obstacles.weight_limits import TENTHS, weight_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, PanzerState, Unit

WRECK: Final = "wreck"
RULE: Final = PUSHING
TRACKED: Final = "T"


@a_step(
    Push,
    RULE,
    Objection(RULE, say("say what to push, e.g. push:wreck or push:g5, with :f for the hex ahead")),
)
def push_step(mover: UnitMover, progress: March, act: Push) -> Stride | Objections:
    """7.30 A vehicle spends its whole movement clearing the road here or ahead."""
    if objections := list(push_objections(mover, progress, act.what, bool(act.ahead))):
        return objections
    after = progress
    if act.ahead:
        driven = drive(mover_after_clearing(mover, progress, act.what), progress, FORWARD)
        if isinstance(driven, list):
            return driven
        assert isinstance(driven.progress, March)
        after = driven.progress
    step = str(act)
    after = msgspec.structs.replace(after, spent=progress.limit, over=RULE, steps=(*progress.steps, step))
    return Stride(step, after, price(Item(RULE, "its whole movement", progress.limit)))


def mover_after_clearing(mover: UnitMover, progress: March, what: str) -> UnitMover:
    """7.30 The mover once the hex ahead has been cleared."""
    assert progress.hex is not None
    view, name = mover.state, hex_name(neighbour(progress.hex, progress.facing))
    if what == WRECK:
        notes = {**view.notes, ASIDE: {**view.notes.get(ASIDE, {}), name: 1}}
        return mover_of(Situation(mover.data, msgspec.structs.replace(view, notes=notes)), mover.unit)
    pushed = view.vehicles[what]
    pushed = msgspec.structs.replace(pushed, flags=(*pushed.flags, PUSHED))
    vehicles = {**view.vehicles, what: pushed}
    return mover_of(Situation(mover.data, msgspec.structs.replace(view, vehicles=vehicles)), mover.unit)


def push_objections(mover: UnitMover, progress: March, what: str, ahead: bool) -> Iterator[Objection]:
    """7.30 Yield the objections to pushing: which vehicles may push, and what."""
    unit, data = mover.unit, mover.data
    if progress.hex is None or not data.plays("narrow_roads"):
        yield Objection(RULE, say("there is no narrow road to clear"))
        return
    if unit.kind != "vehicle" or data.vehicle(unit).card.traction != TRACKED or unit.track_hit or unit.bailed_out:
        yield Objection(RULE, say("only a tracked vehicle that can move can push"))
        return
    if command_of(mover.state, unit) is not Command.MOVE:
        yield Objection(RULE, say("pushing needs a Move command"))
    if progress.spent or progress.entered:
        yield Objection(RULE, say("pushing takes the whole movement"))
    if towing(mover.state, progress):
        yield Objection(RULE, say("the vehicle cannot push with a gun in tow"))
    hex = neighbour(progress.hex, progress.facing) if ahead else progress.hex
    if not data.board.is_on_map(hex):
        yield Objection(RULE, say("the hex ahead is off the map"))
        return
    if not is_narrow(data, mover.land.board, hex):
        yield Objection(RULE, say("the road in {hex} is not narrow", hex=hex_name(hex)))
    yield from target_objections(mover, what, hex)


def target_objections(mover: UnitMover, what: str, hex: Hex) -> Iterator[Objection]:
    """7.30 Objections to a target: it must not be heavier, nor a unit that could move away by itself."""
    view, unit, name = mover.state, mover.unit, hex_name(hex)
    other = view.vehicles.get(what)
    if what == WRECK:
        if name not in view.wrecks or is_pushed(view, hex):
            yield Objection(RULE, say("there is no wreck on the road in {name}", name=name))
    elif other is None or other.hex != hex or other.id == unit.id or not can_be_pushed(unit, other):
        yield Objection(RULE, say("{what} cannot be pushed aside in {name}", what=what, name=name))
        return
    if pushed_weight(mover.situation, what, hex) > weight_of(mover.data, unit):
        yield Objection(RULE, say("the wreck or unit on the road is heavier than the pushing vehicle"))


def can_be_pushed(pusher: Unit, other: Unit) -> bool:
    """7.30 Whether this is an abandoned vehicle, or a friendly unit with a track hit or an unlimbered gun."""
    if not other.alive or other.aboard or stands_aside(other):
        return False
    friend = other.side == pusher.side and (other.track_hit or other.kind == "towed")
    return friend or (other.kind == "vehicle" and other.bailed_out)


def pushed_weight(situation: Situation, what: str, hex: Hex) -> int:
    """7.30 The weight in tenths of a ton; a wreck weighs the same as the vehicle."""
    if what == WRECK:
        return situation.state.notes.get(WEIGHTS, {}).get(hex_name(hex), 0)
    return weight_of(situation.data, situation.state.vehicles[what])


def push_modifier(data: PanzerData, pusher: int, pushed: int) -> int:
    """7.30 The modifier: five for each full five tons by which the pusher is heavier."""
    per = data.advanced.number("push_weight")
    return per * ((pusher - pushed) // (per * TENTHS))


def push(table: Table[PanzerState], mover: UnitMover, march: March, stride: Stride) -> bool:
    """7.30 Roll d100: 51 or more clears the road, otherwise all movement is spent; return whether it is clear."""
    data, state, unit = table.data, table.state, mover.unit
    act = read_act(stride.step)
    assert isinstance(act, Push) and march.hex is not None
    what, hex = act.what, neighbour(march.hex, march.facing) if act.ahead else march.hex
    weights = weight_of(data, unit), pushed_weight(table, what, hex)
    added, roll = push_modifier(data, *weights), table.roll(100, RULE, unit.id)
    total = roll + added
    cleared = bool(total >= data.advanced.number("push"))
    if cleared:
        push_aside(state, hex, None if what == WRECK else state.vehicles[what])
    pushed = "the wreck" if what == WRECK else what
    table.find(
        RULE,
        inputs={"unit": unit.id, "pushed": pushed, "hex": hex_name(hex), "weights": list(weights), "total": total},
        modifiers=[{"when": "heavier", "value": added, "rule": RULE}] if added else [],
        cell=data.advanced.number("push"),
        dice=[roll],
        result="cleared" if cleared else "stuck",
        children=[Finding("7.30", inputs={"hex": hex_name(hex)}, result=ahead_of(state, unit, hex, True))],
    )
    return cleared


def push_choices(mover: UnitMover, march: March) -> Iterator[tuple[str, ...]]:
    """7.30 Everything the vehicle could push, in its own hex and in the one ahead."""
    if march.hex is None or not mover.data.plays("narrow_roads"):
        return
    for hex, ahead in ((march.hex, False), (neighbour(march.hex, march.facing), True)):
        others = [other.id for other in mover.state.on_the_ground(hex) if can_be_pushed(mover.unit, other)]
        yield from ((str(Push(what, "f" if ahead else "")),) for what in (WRECK, *others))
