"""1.3 Other counters of the same nations in the place of those of a scenario, for matches that try everything.

vary    vehicles, Guns, squads and weapons are exchanged at random, each kind as far as the scenario can be read then
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from pbem.engine.play.choice import Choice
from pbem.titles.aslsk.cards.deck import Deck
from pbem.titles.aslsk.cards.files import DataError

EXTRA: Final = ("ft", "dc", "atr")
"""The kinds of weapons that may be added to a list of weapons."""


def vary(scenario: bytes, deck: Deck, choice: Choice, check: Callable[[bytes], object]) -> bytes:
    """1.3 Exchange the counters kind by kind, undoing any change that makes the scenario invalid."""
    vehicles, guns = list(deck.vehicles), list(deck.guns)
    squads = [id for id, card in deck.units.items() if card.kind == "squad"]
    for key, cards in (("vehicles", vehicles), ("guns", guns), ("units", squads)):
        scenario = kept(scenario, exchange(scenario, key, cards, deck, choice), check)
    return kept(scenario, add_weapons(scenario, deck, choice), check)


def kept(before: bytes, after: bytes, check: Callable[[bytes], object]) -> bytes:
    """The changed scenario if it is valid, otherwise the earlier one."""
    try:
        check(after)
    except (DataError, ValueError):
        return before
    return after


def nation_of(deck: Deck, id: str) -> str:
    found = deck.units.get(id) or deck.vehicles.get(id) or deck.guns.get(id) or deck.weapons.get(id)
    return found.nation if found is not None else ""


def exchange(scenario: bytes, key: str, cards: Sequence[str], deck: Deck, choice: Choice) -> bytes:
    """Replace about half of the counters of a kind with others of the same nation."""

    def other(found: re.Match[str]) -> str:
        same = [id for id in cards if nation_of(deck, id) == nation_of(deck, found[1])]
        return f'"{choice.one_of(same)}' if found[1] in cards and choice.below(2) else found[0]

    def line(found: re.Match[str]) -> str:
        return re.sub(r'"([a-z0-9-]+)', other, found[0])

    return re.sub(rf"^{key} = \[.*?\]", line, scenario.decode(), flags=re.MULTILINE | re.DOTALL).encode()


def add_weapons(scenario: bytes, deck: Deck, choice: Choice) -> bytes:
    """Add one rarely used weapon to every list of weapons."""

    def line(found: re.Match[str]) -> str:
        first = re.search(r'"([a-z0-9-]+)', found[0])
        nation = nation_of(deck, first[1]) if first is not None else ""
        rare = [id for id, card in deck.weapons.items() if card.nation == nation and card.kind in EXTRA]
        return f'{found[0][:-1].rstrip().rstrip(",")}, "{choice.one_of(rare)}"]' if rare else found[0]

    return re.sub(r"^weapons = \[.*?\]", line, scenario.decode(), flags=re.MULTILINE | re.DOTALL).encode()
