"""Helpers for tests of the advanced Movement Step."""

from pbem.titles.panzer.movement.movement_step import (
    movement_step,
    no_move_step,
)
from pbem.titles.panzer.sequence import SEQUENCE

RIFLES = "soviet_rifle_half_squad"
STEPS = {"movement_step": movement_step, "no_move_step": no_move_step}
MOVEMENT = next(number for number, stage in enumerate(SEQUENCE) if stage.step == "movement_step")
