"""T2.2, T2.4 Crew and upgrade cards: face down until they are used, then open for the rest of the game.

    T2.2    held_cards, open_effects, carries
    T2.4    turn_up, spend
    T2.4    usable, WINDOWS: the cards that can be used in a window
    T2.4    idle_objections, lend_objections, again_objections, late_objections, reroll_objections: idle

Every window is opened for both seats, regardless of their cards, and makes no player wait: a window that opened only
for the holder of a card would give the card away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Reveal
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.tanks.data_set import Card, Effect, TanksData
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Held, Tank, TanksState

About = Mapping[str, Any]
Fits = Callable[[Effect, Tank, About], bool]


def held_cards(data: TanksData, tank: Tank) -> Iterator[tuple[Held, Card]]:
    """T2.2 The cards that a tank still has, as far as the viewer knows them."""
    return ((held, data.cards[held.id]) for held in tank.cards if held.id and not held.gone)


def open_effects(data: TanksData, tank: Tank) -> Iterator[tuple[Card, Effect]]:
    """T2.4 The lasting effects of a tank's open cards."""
    return ((card, card.effect) for held, card in held_cards(data, tank) if held.up and not card.discard)


def carries(data: TanksData, tank: Tank, name: str) -> Held | None:
    """The tank's card with this effect, face up or face down, or None; an enemy's face-down cards are unknown."""
    return next((held for held, card in held_cards(data, tank) if getattr(card.effect, name)), None)


# --- T2.4 turning up -----------------------------------------------------------------------------------------


def turn_up(table: Table[TanksState], tank: Tank, held: Held) -> Card:
    """T2.4 Turn a card face up the first time it is used; it stays face up."""
    card: Card = table.data.cards[held.id]
    if not held.up:
        held.up = True
        read = Finding("T2.2", inputs={"name": card.name, "type": card.type, "text": card.text}, result=card.points)
        shows = [Reveal(tank.id, "card", card.name)]
        table.find("T2.4", inputs={"tank": tank.id, "card": card.id}, result="face-up", children=[read], shows=shows)
    return card


def spend(table: Table[TanksState], tank: Tank, card_id: str, *, limited: bool = False) -> Card:
    """T2.4 Use a card: turn it face up, and discard it if it says so. A `limited` card cannot be reused this turn."""
    held = next(held for held, card in held_cards(table.data, tank) if card.id == card_id)
    card = turn_up(table, tank, held)
    if limited or card.type == AMMO:
        held.used = table.state.turn
    if card.discard:
        held.gone = True
        table.find("T2.2", inputs={"tank": tank.id, "card": card.id, "name": card.name}, result="discarded")
    return card


def lose(table: Table[TanksState], tank: Tank, held: Held) -> None:
    """T2.4 Take a card from a tank for good; all players see which card it was."""
    turn_up(table, tank, held)
    held.gone = True
    table.find("T2.2", inputs={"tank": tank.id, "card": held.id}, result="lost")


# --- windows -------------------------------------------------------------------------------------------------


def _aims(effect: Effect, tank: Tank, about: About) -> bool:
    more_dice = effect.attack or (effect.attack_close and about["close"])
    return bool((more_dice and not about.get("dice")) or effect.target_defence)  # a card may set the number of dice


def _wards(effect: Effect, tank: Tank, about: About) -> bool:
    steady = effect.defence and (tank.stationary or not effect.only_stationary)
    return bool(steady or (effect.defence_close and about["close"]) or (effect.defence_value and not tank.stationary))


def _rerolls(effect: Effect, tank: Tank, about: About) -> bool:
    return bool(effect.reroll_attack or effect.reroll_attack_all)


def _saves(effect: Effect, tank: Tank, about: About) -> bool:
    return bool(effect.reroll_defence or effect.reroll_defence_all or (effect.reroll_defence_per_move and tank.moves))


def _converts(effect: Effect, tank: Tank, about: About) -> bool:
    better = effect.hits_to_criticals and about["hits"] and (tank.stationary or not effect.only_stationary)
    return bool(better or (effect.criticals_to_hits and about["criticals"]))


def _sharpens(effect: Effect, tank: Tank, about: About) -> bool:
    return effect.extra_critical and bool(about["criticals"])


def _stops(effect: Effect, tank: Tank, about: About) -> bool:
    return effect.cancel_critical and bool(about["criticals"])


def _cures(effect: Effect, tank: Tank, about: About) -> bool:
    return about["critical"] in effect.cures


def _repairs(effect: Effect, tank: Tank, about: About) -> bool:
    return about["critical"] in effect.repairs_again or "*" in effect.repairs_again


def _holds_out(effect: Effect, tank: Tank, about: About) -> bool:
    return bool(effect.hull)


def _goes_on(effect: Effect, tank: Tank, about: About) -> bool:
    return effect.second_attack == ("hit" if about["hit"] else "miss")


WINDOWS: Final[Mapping[str, Fits]] = {
    "aim": _aims,
    "ward": _wards,
    "reroll": _rerolls,
    "save": _saves,
    "convert": _converts,
    "sharpen": _sharpens,
    "stop": _stops,
    "cure": _cures,
    "mend": _repairs,
    "hold-out": _holds_out,
    "again": _goes_on,
}
"""T2.4 The effects that can be used in each window."""

COUNT_ALWAYS: Final = ("aim", "ward", "hold-out")
"""Windows for cards that always count once they are face up, without asking the player."""
AMMO: Final = "ammo"


def usable(situation: Situation, tank: Tank, window: str, about: About) -> list[str]:
    """T2.4 The cards of a tank that may be used in a window now."""
    fitting = (
        card.id for held, card in held_cards(situation.data, tank) if WINDOWS[window](card.effect, tank, about)
    )
    return [card for card in dict.fromkeys(fitting) if not any(use_objections(situation, tank, card, window))]


def use_objections(situation: Situation, tank: Tank, card_id: str, window: str) -> Iterator[Objection]:
    """T2.2 The reasons why a card that fits this window cannot be used now."""
    data, view = situation.data, situation.state
    card = data.cards[card_id]
    aboard = [held for held, other in held_cards(data, tank) if other.id == card_id]
    if window in COUNT_ALWAYS and aboard[0].up and not card.discard:
        yield Objection("T2.4", say("that card is face up and always applies"))
    if window == "reroll" and any(held.used == view.turn for held in aboard):
        yield Objection("T2.2", say("that card has already been used this turn"))
    if window == "cure" and aboard[0].used and not card.discard:
        yield Objection("T2.2", say("that card can be used only once"))
    rounds = [held for held in tank.cards if held.id and data.cards[held.id].type == AMMO]
    if card.type == AMMO and any(held.used == view.turn for held in rounds):
        yield Objection("T2.2", say("a tank can fire only one special round per turn"))


# --- possible orders -----------------------------------------------------------------------------------------

COUNTS: Final = ("attack", "attack_close", "target_defence", "defence", "defence_close", "defence_value", "hull")
"""T2.4 Effects that always count once their card is face up."""
CHOSEN: Final = (
    "reroll_attack",
    "reroll_attack_all",
    "reroll_defence",
    "reroll_defence_all",
    "reroll_defence_per_move",
    "hits_to_criticals",
    "criticals_to_hits",
    "extra_critical",
    "cancel_critical",
    "cures",
    "repairs_again",
    "second_attack",
)
"""T2.2 Effects that the player chooses to use each time."""


def idle_objections(data: TanksData, tank: Tank, card_id: str, phases: Sequence[str]) -> Iterator[Objection]:
    """T2.4 The reasons why an order to use a card would have no effect in the remaining phases of the turn."""
    card = data.cards[card_id]
    effect, is_open = card.effect, all(held.up for held, other in held_cards(data, tank) if other.id == card_id)
    steady = any(getattr(effect, name) for name in COUNTS) or any(getattr(effect, phase) > 0 for phase in phases)
    if any(getattr(effect, name) for name in CHOSEN) or (steady and (not is_open or card.discard)):
        return
    if effect.fast:
        yield Objection(
            "T2.2", say("give the moves on the same line: {line}", line=f"{tank.id}: use {card_id} then move 0")
        )
    elif effect.extra_move or effect.early_move:
        yield Objection("T2.2", say("give the move itself as an order: {line}", line=f"{tank.id}: first move 0"))
    elif effect.shares_shot:
        yield Objection("T2.2", say("name the tank that the card helps"))
    elif steady:
        yield Objection("T2.4", say("that card is face up and always applies"))
    elif effect.moving > 0 or effect.shooting > 0:
        yield Objection("T2.4", say("the phase in which that card applies is over"))
    else:
        yield Objection("T2.4", say("that card needs no order"))


def lend_objections(data: TanksData, tank: Tank, card_id: str) -> Iterator[Objection]:
    """T2.2 The reasons why a card cannot be used for a friend."""
    effect = data.cards[card_id].effect
    if not effect.lends and not effect.shares_shot:
        yield Objection("T2.2", say("that card helps only its own tank"))


def late_objections(data: TanksData, tank: Tank, card_id: str) -> Iterator[Objection]:
    """T2.2 Object in the Shooting Phase to a card that helps only tanks that have not moved, if this one has."""
    effect = data.cards[card_id].effect
    if effect.only_stationary and not tank.stationary and effect.shooting <= 0:
        yield Objection("T2.2", say("that card helps only a tank that has not moved"))


def reroll_objections(tank: Tank) -> Iterator[Objection]:
    """T7.5 Object to an order about rerolls for a tank that has moved, because it may not reroll."""
    if not tank.stationary:
        yield Objection("T7.5", say("{tank} has moved, and rolls all its dice only once", tank=tank.id))


def again_objections(data: TanksData, tank: Tank) -> Iterator[Objection]:
    """T2.2 The reasons why a tank cannot be ordered to attack a second time."""
    if carries(data, tank, "second_attack") is None:
        yield Objection("T2.2", say("no card gives {tank} a second attack", tank=tank.id))
