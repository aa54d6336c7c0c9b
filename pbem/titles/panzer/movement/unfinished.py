"""4.5.1.1 Moves that do not end as declared.

4.5.1.1       halt: in front of an obstacle that was unknown; report_unfinished: the reasons, for the owner
4.5.1.1.10    make_room: a unit that stopped with an enemy goes back (6.6.10.1/put-back)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.close_combat.overrun import enemies_left, put_back
from pbem.titles.panzer.movement.advanced_steps import March, mover_of
from pbem.titles.panzer.movement.basic_steps import Objections, Stride, steps_back
from pbem.titles.panzer.movement.placing import put, send_back
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
    against = why_ended(unit, march)
    inputs = {"unit": unit.id, "order": order, "why": against.why, "by": against.rule}
    shows = [Fail(unit.id, order, against.why, against.rule)]
    table.find("4.5.1.1", to=(unit.side,), inputs=inputs, result="unfinished", shows=shows)


def is_out(unit: Unit) -> bool:
    """4.4.3.2.6, 5.15 Whether a unit was lost during its move."""
    return unit.status is Status.ELIMINATED or unit.bailed_out


def why_ended(unit: Unit, march: March) -> Objection:
    """4.5.1.1 The reason why a move ended before its last step."""
    if unit.status is Status.ELIMINATED:
        return Objection("4.4.3.2.6", say("the unit was lost on the way"))
    if unit.bailed_out:
        return Objection("5.15", say("the unit's crew bailed out during the move"))
    if unit.track_hit:
        return Objection("6.5.2.2.1", say("the unit's track was hit"))
    if march.over:
        return Objection(march.over, ENDED.get(march.over, say("the unit's move was over")))
    if march.slowed:
        return Objection("6.6.2", say("the unit was slowed down: {slowed}", slowed=" and ".join(march.slowed)))
    return Objection("4.5.1.1.5", say("the unit stopped after it was fired at"))


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
