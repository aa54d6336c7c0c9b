"""1.3 Replacing a scenario's counters with others of the same nations, to test as many combinations as possible.

vary    replaces vehicles, Guns, squads and the date at random, and adds weapons, vehicles and Guns; a change
        that makes the scenario invalid is undone
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from pbem.engine.play.choice import Choice
from pbem.titles.aslsk.cards.deck import Deck
from pbem.titles.data_files import DataError

EXTRA: Final = ("ft", "dc", "atr")
"""The kinds of weapons that may be added to a list of weapons."""
DATES: Final = ("1941-07", "1942-09", "1943-12", "1944-08", "1945-03")
"""The months in which a scenario may be played instead of its own: other ammunition, weapons and seasons."""


def vary(scenario: bytes, deck: Deck, choice: Choice, check: Callable[[bytes], object]) -> bytes:
    """1.3 Replace counters, one kind at a time, and undo any change that makes the scenario invalid."""
    vehicles, guns = list(deck.vehicles), list(deck.guns)
    squads = [id for id, card in deck.units.items() if card.kind == "squad"]
    if choice.below(2):
        scenario = keep_if_valid(scenario, another_date(scenario, choice), check)
    for key, cards in (("vehicles", vehicles), ("guns", guns), ("units", squads)):
        scenario = keep_if_valid(scenario, exchange(scenario, key, cards, deck, choice), check)
    for add in (add_weapons, add_vehicles, add_guns):
        scenario = keep_if_valid(scenario, add(scenario, deck, choice), check)
    return scenario


def keep_if_valid(before: bytes, after: bytes, check: Callable[[bytes], object]) -> bytes:
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


def another_date(scenario: bytes, choice: Choice) -> bytes:
    """Play the scenario in another month and year."""
    return re.sub(rb'^date = "[^"]*"', f'date = "{choice.one_of(DATES)}"'.encode(), scenario, flags=re.MULTILINE)


def add_vehicles(scenario: bytes, deck: Deck, choice: Choice) -> bytes:
    """Give about half of the groups without vehicles one of their nation."""
    return add_list(scenario, deck, choice, "vehicles", {id: card.nation for id, card in deck.vehicles.items()})


def add_guns(scenario: bytes, deck: Deck, choice: Choice) -> bytes:
    """Give about half of the groups without Guns one of their nation, with a crew."""
    return add_list(scenario, deck, choice, "guns", {id: card.nation for id, card in deck.guns.items()})


def add_list(scenario: bytes, deck: Deck, choice: Choice, key: str, nations: Mapping[str, str]) -> bytes:
    """Add one counter of this kind to about half of the groups that have none."""
    head, *groups = scenario.decode().split("[[group]]")
    for place, group in enumerate(groups):
        own = group.partition("[[")[0]
        first = re.search(r'^units = \[\s*"([a-z0-9-]+)', own, flags=re.MULTILINE)
        fits = [id for id, nation in nations.items() if first is not None and nation == nation_of(deck, first[1])]
        if fits and not re.search(rf"^{key} = ", own, flags=re.MULTILINE) and choice.below(2):
            rest = group.removeprefix(own)
            if key == "guns":
                own = own.replace("units = [", f'units = ["{nations[fits[0]]}-crew", ', 1)
            groups[place] = f'{own.rstrip()}\n{key} = ["{choice.one_of(fits)}"]\n\n{rest}'
    return "[[group]]".join([head, *groups]).encode()
