"""T1.4 Lines about cards, dice and repairs that were not needed in a turn, each with the reason.

A line that was followed is recorded as the clause behind some automatic answer. The others are reported at the end of
the turn, before the reset, while the shots of the turn are still known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pbem.engine.rules.happenings import Fail, Reason
from pbem.engine.text.messages import Message, named, say, several
from pbem.titles.tanks.data_set import Effect, TanksData
from pbem.titles.tanks.player.orders import ALL, Plan, loans
from pbem.titles.tanks.player.words import (
    lines_followed,
    write_keep,
    write_repair,
    write_reroll,
    write_second_attack,
    write_use,
)
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Tank, TanksState

SHOOTING: Final = (
    "attack",
    "attack_close",
    "target_defence",
    "reroll_attack",
    "reroll_attack_all",
    "hits_to_criticals",
    "criticals_to_hits",
    "extra_critical",
    "second_attack",
)
"""T2.2 Card effects that help the shooter."""
UNDER_FIRE: Final = (
    "defence",
    "defence_close",
    "defence_value",
    "reroll_defence",
    "reroll_defence_all",
    "reroll_defence_per_move",
    "cancel_critical",
    "cures",
)
"""T2.2 Card effects that help the target."""
ASKED: Final = say("the card could not be used at that point, or the decision was left to you")


def fails(situation: Situation, plan: Plan, used: Mapping[str, int]) -> Iterator[Fail]:
    """T1.4 Yield each line that was not followed, with the reason."""
    done = lines_followed(used)
    for tank, order, why, rule in left_over(situation, plan):
        if order not in done and why is not None:
            yield Fail(tank, order, why, rule, needless=True)


def left_over(situation: Situation, plan: Plan) -> Iterator[tuple[str, str, Reason | None, str]]:
    """Yield the tank, line, reason and rule for everything in a plan, as if none of it had been followed."""
    data, view = situation.data, situation.state
    for id, cards in plan.use.items():
        for card in cards:
            yield id, write_use([id, card]), why_not_used(situation, view.tanks[id], card), "T2.4"
    for id, cards in plan.keep.items():
        for card in cards:
            yield id, write_keep(id, card), why_not_kept(data, card), "T2.4"
    for id, card, friend in loans(plan):
        yield id, write_use([id, card, friend]), why_not_lent(view, card, friend), "T2.2"
    for id, wish in plan.reroll.items():
        yield id, write_reroll(id, wish), why_no_dice(view, id), "T7.5"
    for id, targets in plan.again.items():
        yield id, write_second_attack(id, targets), why_not_again(view, id), "T2.2"
    for id, critical in plan.repair.items():
        yield id, write_repair(id, critical), why_not_repaired(situation, view.tanks[id], critical), "T8.3"


def why_not_used(situation: Situation, tank: Tank, card: str) -> Reason | None:
    """T2.4 The reason why a card in the plan was not used; None if it was used, but not because of the plan."""
    view = situation.state
    effect = situation.data.cards[card].effect
    if any(held.id == card and (held.used == view.turn or held.gone) for held in tank.cards):
        return say("the card was lost") if effect.lost_when_damaged else None
    reasons = [*occasions(view, tank.id, effect)]
    return several(reasons) if reasons else ASKED


def occasions(view: TanksState, tank: str, effect: Effect) -> Iterator[Message]:
    """T2.2 Yield, for each kind of occasion on which a card can be used, the reason why there was none."""
    if any(getattr(effect, name) for name in SHOOTING):
        yield (
            say("the tank shot, but had no opportunity to use the card")
            if shot(view, tank)
            else say("the tank did not shoot")
        )
    if any(getattr(effect, name) for name in UNDER_FIRE):
        yield (
            say("the tank was shot at, but had no opportunity to use the card")
            if shot_at(view, tank)
            else say("no enemy shot at the tank")
        )
    if effect.repairs_again:
        yield say("none of the tank's repairs failed")
    if effect.hull:
        yield say("the tank's damage did not reach its hull points")


def why_not_kept(data: TanksData, card: str) -> Message:
    """T2.4 The reason why an order to keep a card made no difference."""
    effect = data.cards[card].effect
    return (
        say("the card's drawback applies whether the card is kept or not")
        if min(effect.moving, effect.shooting) < 0
        else say("there was no opportunity to use the card")
    )


def why_not_lent(view: TanksState, card: str, friend: str) -> Message:
    """T2.2 The reason why a card did not help a friend."""
    if not view.tanks[friend].live:
        return say("{friend} is out of play", friend=friend)
    return say("{card} could not be used for {friend} this turn", card=card, friend=friend)


def why_no_dice(view: TanksState, tank: str) -> Message:
    """T7.5 The reason why no dice were rerolled. An order for all tanks matters only if some tank shot."""
    if tank == ALL:
        return say("none of your tanks shot") if not view.shots else ASKED
    return ASKED if shot(view, tank) else say("the tank did not shoot")


def why_not_again(view: TanksState, tank: str) -> Message:
    """T2.2 The reason why there was no second attack."""
    return (
        say("the tank's first attack did not allow a second attack on these targets")
        if shot(view, tank)
        else say("the tank did not shoot")
    )


def why_not_repaired(situation: Situation, tank: Tank, critical: str) -> Message:
    """T8.3 The reason why nothing was repaired."""
    if not tank.live:
        return say("the tank was destroyed")
    if situation.state.outcome is not None:
        return say("the match ended before the repairs")
    if critical in tank.criticals:
        return say("you gave the tank another order in the Command Phase")
    if not critical:
        return say("the tank has no critical card")
    return say(
        "the tank has no {critical}", critical=named("tanks critical", situation.data.criticals[critical].name)
    )


def shot(view: TanksState, tank: str) -> bool:
    """T1.2 Whether a tank has shot this turn."""
    return any(shooter == tank for shooter, _ in view.shots)


def shot_at(view: TanksState, tank: str) -> bool:
    """T1.2 Whether a tank was shot at this turn."""
    return any(target == tank for _, target in view.shots)
