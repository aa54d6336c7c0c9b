"""T7 A shot: the relative position of shooter and target, attack dice, hits and defence dice.

    T7.4     attack_changes, count_hits
    T7.6     defence_modifiers, defence_dice
    T7.10    usual_cancel

Sight, arc and cover are in `sighting` and `line_of_sight`; the rows of T7.6 are in `data/defence_modifiers.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from pbem.titles.tanks.cards.crew_and_upgrades import open_effects
from pbem.titles.tanks.cards.criticals import lasting
from pbem.titles.tanks.cards.keywords import BIG_GUN, HEAVY, coordinating, counted_speed, has
from pbem.titles.tanks.data_set import Card, Effect, TanksData
from pbem.titles.tanks.ground.line_of_sight import close_range, hidden_corners, in_wood, side_shot
from pbem.titles.tanks.ground.sighting import eye_of
from pbem.titles.tanks.ground.terrain import Screen, hull, screens, stance
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Tank

MOST_DEFENCE: Final = 6


COVER_CORNERS: Final = 3


class Shot(msgspec.Struct):
    """The situation of an attack, with the effects of open cards and of cards declared for the attack."""

    shooter: Tank
    target: Tank
    close: bool
    side: bool
    hidden: list[int] = []
    wood: bool = False
    aim: list[Card] = []
    ward: list[Card] = []
    rounds: list[str] = []
    """T2.2 Special rounds that this attack has used."""

    @property
    def cover(self) -> bool:
        """T7.7, T6.2 Whether the target has cover: three of its corners are hidden, or it is in a wood."""
        return len(self.hidden) >= COVER_CORNERS or self.wood


def shot_at(situation: Situation, shooter: Tank, target: Tank) -> Shot:
    """T7.7 to T7.9 The relative position of shooter and target, with the screens between them."""
    return shot_through(situation.data, shooter, target, screens(situation, shooter.id, target.id))


def shot_through(data: TanksData, shooter: Tank, target: Tank, between: Sequence[Screen]) -> Shot:
    """T7.7, T6.2 The relative position of shooter and target with the given screens: hidden corners and cover."""
    own, other = hull(data, shooter), hull(data, target)
    shot = open_shot(data, shooter, target)
    shot.hidden = hidden_corners(eye_of(data, shooter), own, other, between)
    shot.wood = in_wood(other, between)
    return shot


def open_shot(data: TanksData, shooter: Tank, target: Tank) -> Shot:
    """T7.8, T7.9 The positions of shooter and target relative to each other, with nothing between them."""
    own, other = hull(data, shooter), hull(data, target)
    return Shot(
        shooter=shooter,
        target=target,
        close=close_range(own, other, data.scenario.arrow),
        side=side_shot(stance(data, shooter), stance(data, target)) and not has(data, target, HEAVY),
        aim=[card for card, _ in open_effects(data, shooter)],
        ward=[card for card, _ in open_effects(data, target)],
    )


def attack_changes(situation: Situation, shot: Shot) -> Iterator[dict[str, Any]]:
    """T7.4 Yield the modifiers of the attack dice."""
    for card in shot.aim:
        gain = card.effect.attack + (card.effect.attack_close if shot.close else 0)
        if gain:
            yield {"rule": "T7.4", "text": card.name, "value": gain}
    hurt_by = sum(effect.attack for effect in lasting(situation.data, shot.shooter))
    if hurt_by:
        yield {"rule": "T2.3", "text": "criticals", "value": hurt_by}
    friend = coordinating(situation, shot.shooter, shot.target)
    if friend is not None:
        yield {"rule": "T9.3", "text": f"coordinated with {friend.id}", "value": 1}


def misses_below(shot: Shot) -> int:
    """T7.4 The lowest die roll that hits."""
    return 5 if any(card.effect.fours_miss for card in shot.aim) else 4


def ones_that_spoil(shot: Shot) -> int:
    """T2.2 How many dice showing 1 spoil the attack; 0 for ordinary rounds."""
    return max((card.effect.ones_spoil for card in shot.aim), default=0)


def count_hits(shot: Shot, dice: Sequence[int]) -> tuple[int, int]:
    """T7.4 Count hits (each 4 or 5) and criticals (each 6)."""
    spoil = ones_that_spoil(shot)
    if spoil and list(dice).count(1) >= spoil:
        return 0, 0
    return sum(misses_below(shot) <= die <= 5 for die in dice), sum(die == 6 for die in dice)


def hits_after(data: TanksData, use: str, hits: int, criticals: int) -> tuple[int, int]:
    """T2.2 The hits and criticals after a card or a Big Gun has converted some of them."""
    effect = Effect(hits_to_criticals=1) if use == BIG_GUN else data.cards[use].effect
    better, split = min(effect.hits_to_criticals, hits), min(effect.criticals_to_hits, criticals)
    return hits - better + 2 * split, criticals + better - split


Count = Callable[[TanksData, Shot], int]


COUNTS: Final[Mapping[str, Count]] = {
    "shooter_moved": lambda data, shot: counted_speed(data, shot.shooter),
    "target_moved": lambda data, shot: shot.target.speed,
    "in_cover": lambda data, shot: int(shot.cover),
    "close_range": lambda data, shot: int(shot.close),
    "side_shot": lambda data, shot: int(shot.side),
}
"""T7.6 How many times each row of the table counts."""


def defence_modifiers(data: TanksData, shot: Shot) -> list[dict[str, Any]]:
    """T7.6 Every row of the table that applies, in printed order, followed by cards."""
    rows = []
    for modifier in data.modifiers:
        times = COUNTS[modifier.when](data, shot)
        if times:
            rows.append({"rule": modifier.rule, "text": modifier.text, "value": modifier.value * times})
    for card in shot.ward:
        gain = card.effect.defence if shot.target.stationary or not card.effect.only_stationary else 0
        gain += card.effect.defence_close if shot.close else 0
        if gain:
            rows.append({"rule": "T7.6", "text": card.name, "value": gain})
    for card in shot.aim:
        if card.effect.target_defence:
            rows.append({"rule": "T7.6", "text": card.name, "value": card.effect.target_defence})
    if hurt_by := sum(effect.defence for effect in lasting(data, shot.target)):
        rows.append({"rule": "T2.3", "text": "criticals", "value": hurt_by})
    return rows


def base_defence(data: TanksData, shot: Shot) -> int:
    """T7.6 The defence value; some drivers raise it while the tank is moving."""
    value = data.models[shot.target.model].defence
    moving = [] if shot.target.stationary else [card.effect.defence_value for card in shot.ward]
    return max([value, *moving])


def defence_dice(data: TanksData, shot: Shot) -> int:
    """T7.6 The number of defence dice, from none to six."""
    total: int = base_defence(data, shot) + sum(row["value"] for row in defence_modifiers(data, shot))
    return max(0, min(MOST_DEFENCE, total))


def usual_cancel(count: int, hits: int, criticals: int, first: str) -> dict[str, int]:
    """T7.10 The usual cancellation: the shooter gives up plain hits first; the target cancels criticals first."""
    if first == "hits":
        plain_ones = min(count, hits)
        return {"hits": plain_ones, "criticals": count - plain_ones}
    worst = min(count, criticals)
    return {"hits": count - worst, "criticals": worst}


def save_number(data: TanksData, tank: Tank, card: str, dice: int) -> int:
    effect = data.cards[card].effect
    if effect.reroll_defence_all:
        return dice
    return min(dice, effect.reroll_defence or (tank.moves if effect.reroll_defence_per_move else 0))
