"""4.5.1.1 One step of a move as a finding: its cost, the reasons, and the paragraph that covers it."""

from __future__ import annotations

import msgspec

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.rules.findings import Finding
from pbem.titles.panzer.movement.steps.acts import Enter, acts_of, read_act
from pbem.titles.panzer.movement.steps.costs import Mode
from pbem.titles.panzer.movement.steps.driving import LEFT, RIGHT, Progress, Stride
from pbem.titles.panzer.movement.steps.unit_steps import STEPS, March, UnitMover


def step_finding(mover: UnitMover, before: March, stride: Stride) -> Finding:
    """6.6 One step, its cost and the reasons."""
    found = stride_finding(before, stride)
    code = read_act(stride.step).code
    if code in STEPS:
        return msgspec.structs.replace(found, rule=mover.rule(STEPS[code].rule))
    if mover.rides and found.rule == "4.5.1.1.2":
        return msgspec.structs.replace(found, rule="6.6.4.4")
    return found


def stride_finding(before: Progress, stride: Stride) -> Finding:
    """4.5.1.1 One step, its cost and the reasons."""
    after = stride.progress
    return stride.price.finding(
        _rule_of(stride, after.mode),
        step=stride.step,
        origin="" if before.hex is None else hex_name(before.hex),
        hex="" if after.hex is None else hex_name(after.hex),
        facing=after.facing,
        spent=after.spent,
        allowance=after.limit,
        **({"edge": after.exit} if after.exit else {}),
    )


def _rule_of(stride: Stride, mode: Mode) -> str:
    """The paragraph under which a step is reported."""
    if stride.progress.exit:
        return "4.5.1.1.9"
    if stride.progress.ended:
        return "4.5.1.1.3"
    if stride.step in (LEFT, RIGHT):
        return "4.5.1.1.4"
    if any(acts_of(Enter, [stride.step])):
        return "2.0"
    return "4.5.1.1.5" if mode == "road" else "4.5.1.1.2"
