"""T1 The sequence of play: set-up (T3, T4), then movement, shooting and command, turn after turn.

Each step says which step comes next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pbem.engine.rules.ask import Step
from pbem.titles.tanks.command.phase import command_phase
from pbem.titles.tanks.movement.phase import move_next, movement_phase
from pbem.titles.tanks.setup.steps import deployment_step, platoon_step, role_step, terrain_step
from pbem.titles.tanks.shooting.phase import shoot_next, shooting_phase

STEPS: Final[Mapping[str, Callable[..., Step]]] = {
    step.__name__: step
    for step in (
        platoon_step,  # T4
        terrain_step,  # T3.1
        role_step,  # T3.2
        deployment_step,  # T3.3
        movement_phase,  # T1.1
        move_next,
        shooting_phase,  # T1.2
        shoot_next,
        command_phase,  # T1.4
    )
}
"""T1 The sequence of play."""
