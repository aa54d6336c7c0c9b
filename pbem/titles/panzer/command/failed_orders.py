"""4.2.1 Commands that the rules cancel: their owner is told, even if the asks were answered automatically."""

from __future__ import annotations

from pbem.engine.play.resolve import FAILED
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Objection
from pbem.titles.panzer.state import MOVING, WORD_OF, AircraftState, Command, Unit


def failed_command(unit: Unit, command: Command, why: Objection) -> Finding:
    """4.2.1 A command that is not carried out, for the unit's side only."""
    return failed_order(unit, WORD_OF[command], why)


def failed_order(unit: Unit | AircraftState, order: str, why: Objection) -> Finding:
    """4.2.1 An order that is not carried out, for the unit's side only."""
    inputs = {"unit": unit.id, "order": order, "rule": why.rule}
    shows = (Fail(unit.id, order, why.why, why.rule),)
    return Finding(FAILED, to=(unit.side,), inputs=inputs, result=why.why, shows=shows)


def is_left_to_do(unit: Unit, command: Command | None) -> bool:
    """4.2 Whether a unit has yet to carry out this command."""
    if command in MOVING:
        return not unit.moved and not unit.assaulted
    return command in (Command.FIRE, Command.OVERWATCH) and not unit.fired
