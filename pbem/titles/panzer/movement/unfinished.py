"""4.5.1.1 Moves that do not end as declared.

4.5.1.1       halt: in front of an obstacle that was unknown; report_unfinished: the reasons, for the owner
6.6.7.1.1     report_passengers: units that could not get on or off
4.5.1.1.10    make_room: a unit that stopped with an enemy goes back (6.6.10.1/put-back)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.close_combat.overrun import enemies_left, nerve_objections, put_back
from pbem.titles.panzer.movement.placing import put, send_back
from pbem.titles.panzer.movement.steps.acts import Bail, Dismount, Mount, Overrun, acts_of, order_for, read_act
from pbem.titles.panzer.movement.steps.driving import Objections, Stride, steps_back
from pbem.titles.panzer.movement.steps.unit_steps import March, mover_of
from pbem.titles.panzer.state import PanzerState, Status, Unit

ENDED: Final = {
    "4.5.1.1": say("an obstacle stopped the unit"),
    "6.6.3": say("the unit did not get through the walls of a building"),
    "7.29": say("the unit is bogged down"),
    "7.30": say("the unit could not push its way free"),
}
"""The reason a move ended before its last step, by rule."""


def declared_end(begun: March, strides: Sequence[Stride]) -> str:
    """Return the hex a declared move leads to, as far as can be told before it is made."""
    last = strides[-1].progress if strides else begun
    if isinstance(last, March) and last.exit:
        return f"exit {last.exit}"
    return f"move {hex_name(last.hex)}" if last.hex is not None else "move"


def report_unfinished(table: Table[PanzerState], unit: Unit, march: March, steps: Sequence[str], order: str) -> None:
    """4.5.1.1 Tell the owner that a move was not completed, and why."""
    if len(march.steps) >= len(steps) and not is_out(unit):
        return
    if tuple(march.steps) == tuple(steps) and march.exit:
        return
    left = [step for step in steps if step not in march.steps]
    attack = next(map(order_for, acts_of(Overrun, left)), "")
    report_undone(table, unit, attack or order, why_ended(unit, march))
    report_passengers(table, unit, left)


def report_undone(table: Table[PanzerState], unit: Unit, order: str, against: Objection) -> None:
    """4.5.1.1 Tell the owner that an order was not carried out in the course of a move, and why."""
    inputs = {"unit": unit.id, "order": order, "why": against.why, "by": against.rule}
    shows = [Fail(unit.id, order, against.why, against.rule)]
    table.find("4.5.1.1", to=(unit.side,), inputs=inputs, result="unfinished", shows=shows)


def report_passengers(table: Table[PanzerState], carrier: Unit, steps: Sequence[str]) -> None:
    """6.6.7.1.1 Tell the owner which units have not got on or off because the vehicle's move ended first."""
    for act in map(read_act, steps):
        if not isinstance(act, Mount | Dismount | Bail):
            continue
        unit = table.state.vehicles.get(act.unit)
        if unit is None or unit.status is Status.ELIMINATED:
            continue
        order = f"mount {carrier.id}" if isinstance(act, Mount) else order_for(act)
        rule = "6.6.7.1.2" if isinstance(act, Bail) else "6.6.7.1.1"
        against = Objection(
            rule, say("the move of {carrier} ended before the unit could get on or off", carrier=carrier.id)
        )
        report_undone(table, unit, order, against)


def is_out(unit: Unit) -> bool:
    """4.4.3.2.6, 5.15 Whether a unit was lost during its move."""
    return unit.status is Status.ELIMINATED or unit.bailed_out


def why_ended(unit: Unit, march: March) -> Objection:
    """4.5.1.1 The reason why a move ended before its last step."""
    if unit.status is Status.ELIMINATED:
        return Objection("4.4.3.2.6", say("the unit was lost on the way"))
    if unit.bailed_out:
        return Objection("5.15", say("the unit's crew bailed out during the move"))
    if stuck := next(track_objections(unit), None):
        return stuck
    if march.over:
        return Objection(march.over, ENDED.get(march.over, say("the unit's move was over")))
    if march.slowed:
        return Objection("6.6.2", say("the unit was slowed down: {slowed}", slowed=" and ".join(march.slowed)))
    return Objection("4.5.1.1.5", say("the unit stopped after it was attacked"))


def track_objections(unit: Unit) -> Iterator[Objection]:
    """6.5.2.2.1 Object if a track hit has ended the unit's move."""
    if unit.track_hit:
        yield Objection("6.5.2.2.1", say("the unit's track was hit"))


def arrival_objections(unit: Unit) -> Iterator[Objection]:
    """6.6.9, 6.6.10 Object to the end of a search or an overrun by a unit that a barrage or mines have stopped."""
    yield from track_objections(unit)
    yield from nerve_objections(unit)  # 7.1.5


def halt(table: Table[PanzerState], unit: Unit, march: March, objections: Objections) -> March:
    """4.5.1.1 End the move in front of an obstacle that was unknown to the unit's side."""
    reasons = [Finding(rule=objection.rule, result=objection.english) for objection in objections]
    table.find("4.5.1.1", inputs={"unit": unit.id, "hex": name_of_hex(march.hex)}, result="halted", children=reasons)
    return msgspec.structs.replace(march, over="4.5.1.1")


def make_room(table: Table[PanzerState], unit: Unit, march: March) -> None:
    """4.5.1.1.10, 6.6.10.1 A unit cannot stay with an enemy: it returns the way it came, facing unchanged (A-33)."""
    if unit.hex is None or not enemies_left(table.state, unit):
        return
    back = steps_back(mover_of(table, unit), march)
    if back is not None and march.overran:
        put_back(table, unit, back)
        return
    left = hex_name(unit.hex)
    if back is None:  # it had only just come in
        send_back(table.state, unit)
    else:
        put(table.state, unit, back)
    table.find("4.5.1.1.10", inputs={"unit": unit.id, "hex": left}, result=name_of_hex(back))


def name_of_hex(hex: Hex | None) -> str:
    """The name of a hex, or nothing off the map."""
    return "" if hex is None else hex_name(hex)
