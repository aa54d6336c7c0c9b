"""T1.1 to T1.3 Initiative: the order in which tanks move and shoot.

    T1.1, T1.2    initiative, in_sequence, next_to_act
    T1.3          ties: the attacker's tank counts as higher; within a side the owner chooses
    T2.4          initiative_uses: cards count from the moment they are turned up

Only open cards matter, so the sequence is public. A card that makes initiative worse is turned up as soon as it would
have an effect.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.tanks.cards.crew_and_upgrades import held_cards, open_effects
from pbem.titles.tanks.data_set import Card, TanksData
from pbem.titles.tanks.ground.geometry import near
from pbem.titles.tanks.ground.terrain import hull
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Tank, TanksState, explaining_numbers

Phase = Literal["moving", "shooting"]
RULE_OF = {"moving": "T1.1", "shooting": "T1.2"}


def own_initiative(data: TanksData, tank: Tank, phase: Phase) -> int:
    """T1.1, T1.2 The number on the tank card, modified by open cards."""
    changes = sum(getattr(effect, phase) for _, effect in open_effects(data, tank))
    return data.models[tank.model].initiative + int(changes)


def initiative(situation: Situation, tank: Tank, phase: Phase) -> int:
    """T1.1, T1.2 The initiative of a tank in a phase, including loans from other tanks."""
    return own_initiative(situation.data, tank, phase) + situation.state.lent.get(tank.id, 0)


def in_sequence(situation: Situation, phase: Phase, tanks: Sequence[Tank]) -> list[Tank]:
    """T1.1 Tanks in order: lowest initiative first when moving, T1.2 highest when shooting, T1.3 ties resolved."""
    state = situation.state

    def height(tank: Tank) -> tuple[int, bool]:
        return initiative(situation, tank, phase), tank.seat == state.attacker

    def by_owner(tank: Tank) -> tuple[int, str]:
        wished = state.orders.get(tank.seat, {}).get("sequence", [])
        return (wished.index(tank.id) if tank.id in wished else len(wished)), tank.id

    chosen = sorted(tanks, key=by_owner)
    return sorted(chosen, key=height, reverse=phase == "shooting")  # the sort is stable, so the owner's order is kept


def next_to_act(situation: Situation, phase: Phase) -> Tank | None:
    waiting = [tank for tank in situation.state.live if not tank.acted]
    return next(iter(in_sequence(situation, phase, waiting)), None)


def announce(table: Table[TanksState], phase: Phase) -> None:
    """T1.1, T1.2 Announce the sequence of tanks in the phase, and T1.3 how ties were resolved."""
    state = table.state
    order = in_sequence(table, phase, state.live)
    heights = {tank.id: initiative(table, tank, phase) for tank in order}
    table.find(
        RULE_OF[phase],
        inputs={"turn": state.turn, "initiative": heights, **explaining_numbers(table, attacker=state.attacker)},
        result=list(heights),
        children=list(ties(state, order, heights)),
    )


def ties(state: TanksState, order: Sequence[Tank], heights: dict[str, int]) -> Iterator[Finding]:
    """T1.3 Report how ties in initiative were resolved."""
    for height in sorted(set(heights.values())):
        level = [tank for tank in order if heights[tank.id] == height]
        if len({tank.seat for tank in level}) > 1:
            yield tie(state, height, level, "attacker counts as the higher")
        elif len(level) > 1:
            yield tie(state, height, level, "the owner chooses")


def tie(state: TanksState, height: int, level: Sequence[Tank], result: str) -> Finding:
    tanks = [tank.id for tank in level]
    return Finding("T1.3", inputs={"initiative": height, "attacker": state.attacker, "tanks": tanks}, result=result)


# --- T2.4 cards that change initiative -------------------------------------------------------------------------


def initiative_uses(situation: Situation, seat: str, phase: Phase) -> Iterator[list[str]]:
    """T2.4 Every card of the seat that could be used now for initiative."""
    data = situation.data
    for tank in situation.state.of(seat):
        for held, card in held_cards(data, tank):
            if getattr(card.effect, phase) > 0 and not held.up:
                yield [tank.id, card.id]
            if lends(card, phase):
                yield from ([tank.id, card.id, friend.id] for friend in friends_to_help(situation, tank, card))


def lends(card: Card, phase: Phase) -> bool:
    return bool(card.effect.lends) or (card.effect.shares_shot and phase == "shooting")


def friends_to_help(situation: Situation, tank: Tank, card: Card) -> Iterator[Tank]:
    """The friends a card can help: Storozhenko helps within one arrow, a Coordinator anywhere."""
    data = situation.data
    for friend in situation.state.of(tank.seat):
        reach = data.scenario.arrow
        if friend.id != tank.id and (card.effect.shares_shot or near(hull(data, tank), hull(data, friend), reach)):
            yield friend
