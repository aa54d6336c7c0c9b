"""Asks and answers: for each kind of ask what can be answered, and what is accepted.

OPTIONS    legal answers by kind of ask, lazily
CHECKS     the canonical answer by kind of ask, or a refusal
choices    the choices of a small ask, numbered in its form
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final

from pbem.engine.rules.ask import Answer, Ask
from pbem.titles.tanks.command_phase import check_command, command_options
from pbem.titles.tanks.crew_and_upgrades import card_options, check_cards
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.initiative import check_initiative, initiative_options
from pbem.titles.tanks.movement import check_move, check_movement, move_options, movement_options
from pbem.titles.tanks.platoon import check_platoon, platoon_options
from pbem.titles.tanks.setup import (
    check_deploy,
    check_role,
    check_terrain,
    deploy_options,
    role_options,
    terrain_options,
)
from pbem.titles.tanks.shooting import (
    again_targets,
    cancel_options,
    check_again,
    check_cancel,
    check_convert,
    check_pick,
    check_reroll,
    check_save,
    check_shoot,
    check_shooting,
    convert_uses,
    reroll_options,
    save_options,
    shoot_options,
    shooting_options,
)
from pbem.titles.tanks.state import TanksState

Options = Callable[[TanksData, TanksState, Ask], Iterator[Answer]]
Check = Callable[[TanksData, TanksState, Ask, Answer], Answer]

OPTIONS: Final[Mapping[str, Options]] = {
    "platoon": platoon_options,
    "terrain": terrain_options,
    "role": lambda data, view, ask: role_options(),
    "deploy": deploy_options,
    "movement": movement_options,
    "move": move_options,
    "initiative": initiative_options,
    "shooting": shooting_options,
    "shoot": shoot_options,
    "reroll": reroll_options,
    "save": save_options,
    "cancel": lambda data, view, ask: cancel_options(ask),
    "convert": lambda data, view, ask: iter(([], *([use] for use in convert_uses(data, view, ask)))),
    "pick": lambda data, view, ask: iter(ask.about["cards"]),
    "again": lambda data, view, ask: iter((None, *again_targets(data, view, ask))),
    "command": command_options,
}
"""Legal answers by kind of ask; windows for cards share theirs."""

CHECKS: Final[Mapping[str, Check]] = {
    "platoon": check_platoon,
    "terrain": check_terrain,
    "role": lambda data, view, ask, answer: check_role(answer),
    "deploy": check_deploy,
    "movement": check_movement,
    "move": check_move,
    "initiative": check_initiative,
    "shooting": check_shooting,
    "shoot": check_shoot,
    "reroll": check_reroll,
    "save": check_save,
    "cancel": lambda data, view, ask, answer: check_cancel(ask, answer),
    "convert": check_convert,
    "pick": lambda data, view, ask, answer: check_pick(ask, answer),
    "again": check_again,
    "command": check_command,
}
"""The canonical answer by kind of ask, or a refusal."""

MOST_CHOICES: Final = 20


def options(data: TanksData, view: TanksState, ask: Ask) -> Iterator[Answer]:
    """Legal answers, lazily."""
    return OPTIONS.get(ask.kind, card_options)(data, view, ask)


def check(data: TanksData, view: TanksState, ask: Ask, answer: Answer) -> Answer:
    """The canonical answer, or a refusal with every objection."""
    return CHECKS.get(ask.kind, check_cards)(data, view, ask, answer)


def choices(data: TanksData, view: TanksState, ask: Ask) -> list[Answer]:
    """The choices of a small ask beside its default."""
    return [option for option in islice(options(data, view, ask), MOST_CHOICES) if option != ask.default]
