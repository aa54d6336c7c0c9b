"""T2.3, T7.11 Critical cards: the deck, the effects of a card, and the cards that stay with a tank.

    T2.3     new_deck, lasting
    T7.11    draw, lay_down
    T7.11    hurt: damage on a tank
    T7.12    full: no damage capacity left

The deck is not shuffled in advance: each draw is a roll among the cards that are left.
"""

from __future__ import annotations

from itertools import groupby

from pbem.engine.rules.happenings import Change
from pbem.engine.rules.table import Table
from pbem.titles.tanks.cards.crew_and_upgrades import held_cards, lose, open_effects
from pbem.titles.tanks.data_set import Critical, Lasting, TanksData
from pbem.titles.tanks.state import Tank, TanksState, explaining_numbers


def new_deck(data: TanksData) -> list[str]:
    """T2.3 A complete deck of critical cards."""
    return [card.id for card in data.criticals.values() for _ in range(card.count)]


def lasting(data: TanksData, tank: Tank) -> list[Lasting]:
    """T2.3 The special effects of the cards that stay with a tank."""
    return [data.criticals[card].effect for card in tank.criticals]


def cannot_move(data: TanksData, tank: Tank) -> Critical | None:
    return next((data.criticals[card] for card in tank.criticals if data.criticals[card].effect.no_move), None)


def cannot_shoot(data: TanksData, tank: Tank) -> Critical | None:
    return next((data.criticals[card] for card in tank.criticals if data.criticals[card].effect.no_shot), None)


def front_only(data: TanksData, tank: Tank) -> bool:
    return any(effect.front_only for effect in lasting(data, tank))


def capacity(data: TanksData, tank: Tank) -> int:
    """T2.1 The damage a tank can take, including the effects of its open cards."""
    return data.models[tank.model].hull + sum(effect.hull for _, effect in open_effects(data, tank))


def full(data: TanksData, tank: Tank) -> bool:
    """T7.12, T8.1 Whether a tank has no damage capacity left."""
    return tank.damage >= capacity(data, tank)


# --- T7.11 ---------------------------------------------------------------------------------------------------


def draw(table: Table[TanksState], tank: Tank) -> str:
    """T7.11 Draw one card from the deck; if the deck is empty, the discards are returned to it first."""
    state = table.state
    if not state.deck:
        state.deck, state.discards = sorted(state.discards), []
    if not state.deck:
        return ""
    deck = [[card, len(list(alike))] for card, alike in groupby(state.deck)]
    number = table.roll(len(state.deck), "T7.11", tank.id)
    card = state.deck.pop(number - 1)
    state.drawn.append(card)
    if table.shows_happenings:
        table.find("T7.11", inputs={"tank": tank.id, "deck": deck}, dice=[number], result=card)
    return card


def lay_down(state: TanksState, card: str, pile: list[str]) -> None:
    """T7.11 Put a drawn card with the tank or in the discard pile."""
    state.drawn.remove(card)
    pile.append(card)


def hurt(table: Table[TanksState], tank: Tank, damage: int) -> None:
    """T7.11 Add damage tokens; the first one removes the tank's camouflage."""
    if damage <= 0:
        return
    token = {"tank": tank.id, "token": "damage", "of": capacity(table.data, tank)}
    token |= explaining_numbers(table, before=tank.damage, more=damage)
    tank.damage += damage
    table.find("T2.5", inputs=token, result=tank.damage, shows=[Change(tank.id, "damage", tank.damage)])
    for held, card in list(held_cards(table.data, tank)):
        if card.effect.lost_when_damaged:
            lose(table, tank, held)
