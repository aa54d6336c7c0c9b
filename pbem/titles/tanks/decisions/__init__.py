"""Every decision that TANKS asks players for, one class for each kind of question (ask)."""

from pbem.engine.rules.decision import by_kind
from pbem.titles.tanks.decisions import cards, command, dice, movement, setup, shooting

DECISIONS = by_kind(
    setup.Platoon,
    setup.Terrain,
    setup.Role,
    setup.Deploy,
    movement.Movement,
    movement.OneMove,
    cards.Initiative,
    shooting.Shooting,
    shooting.OneShot,
    cards.Aim,
    cards.Ward,
    dice.Reroll,
    dice.Save,
    dice.Cancel,
    cards.Convert,
    cards.Stop,
    cards.Sharpen,
    dice.Pick,
    cards.Cure,
    shooting.SecondAttack,
    command.Command,
    cards.Mend,
    cards.HoldOut,
    command.Unused,
)
