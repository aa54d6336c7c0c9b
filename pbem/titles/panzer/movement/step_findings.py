"""4.5.1.1 The steps of a move as findings.

4.5.1.1 stride_finding: one step, its cost and the reasons
"""

from __future__ import annotations

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.rules.findings import Finding
from pbem.titles.panzer.movement.movement_costs import Mode
from pbem.titles.panzer.movement.movement_progress import ENTER, LEFT, RIGHT, Progress, Stride


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
    if stride.step.startswith(ENTER):
        return "2.0"
    return "4.5.1.1.5" if mode == "road" else "4.5.1.1.2"
