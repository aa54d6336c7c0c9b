"""1.1, 1.2 The map in words: hexes, stacks and counters, for tooltips and for readers who do not see the picture.

1.1   hex_words
1.2   token_words, printed_values
----  describe: the picture as text
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from pbem.engine.text.ground import ground_lines
from pbem.titles.aslsk.cards.units import Card
from pbem.titles.aslsk.cards.vehicles import VehicleCard
from pbem.titles.aslsk.cards.weapons import GunCard, WeaponCard
from pbem.titles.aslsk.ground.lattice import SPINES

if TYPE_CHECKING:
    from pbem.titles.aslsk.cards.deck import Deck
    from pbem.titles.aslsk.ground.terrain import Ground

KINDS: Final = {"squad": "squad", "half": "half-squad", "crew": "crew", "leader": "leader"}

GRADES: Final = {"first": "first-line", "second": "second-line"}


class Token(msgspec.Struct, frozen=True):
    """1.2 One counter on the map, as a viewer may see it."""

    id: str
    card: str
    hex: str
    side: str
    own: bool = False
    broken: bool = False
    """Personnel: broken. Weapons and Guns: malfunctioned. Vehicles: a wreck."""
    facing: int = -1
    """3.2.4 The hexspine that a Gun or vehicle faces; -1 for everything else."""
    turret: int = -1
    """3.2.4 The hexspine that the turret faces, if it differs."""
    holder: str = ""
    """1.2.4 The unit that possesses a weapon."""
    markers: tuple[str, ...] = ()
    """The text of small markers: DM, Pin, CX, Prep Fire, First Fire, Final Fire, Motion, CE and so on."""
    hidden: bool = False
    """6.4 Whether the counter is hidden, and shown only to its owner."""


class Sign(msgspec.Struct, frozen=True):
    """1.2 A marker on a hex, such as Smoke, Residual FP, Melee, control or an objective."""

    hex: str
    kind: str
    """One of smoke, residual, melee, control, goal, charge and acquired."""
    text: str = ""
    side: str = ""


def hex_words(ground: Ground, hex: str) -> str:
    """1.1 Describe a hex, as in `K5: stone building (church), level 1, paved road`."""
    place = ground[hex]
    kind = ground.chart.rows[ground.row_of(hex)].name
    told = [f"{kind} ({place.building})" if place.building and place.building != hex else kind]
    if place.printed != place.terrain:
        told = [f"{place.printed} out of season"]
    if place.level:
        told.append("level 1")
    if place.road:
        told.append("paved road" if place.paved else "dirt road")
    other = f" (also {', '.join(place.names[1:])})" if len(place.names) > 1 else ""
    return f"{hex}{other}: {', '.join(told)}"


def printed_values(deck: Deck, card_id: str) -> str:
    """1.2 Describe the printed numbers of a counter."""
    card = deck.find(card_id)
    nation = deck.nations[card.nation].name if card else ""
    match card:
        case Card():
            kind = f"{GRADES.get(card.class_, card.class_)} " if card.class_ and card.kind != "crew" else ""
            return f"{nation} {kind}{KINDS[card.kind]} {card.name}"
        case WeaponCard():
            strength = f"{card.fp}-{card.range}" if card.fp else f"{card.calibre}{card.length}"
            return f"{nation} {card.name} {strength}"
        case GunCard():
            return f"{nation} {card.name} ({card.calibre}{card.length} {card.type.upper()})"
        case VehicleCard():
            return f"{nation} {card.name}"
    return card_id


def token_words(deck: Deck, token: Token) -> str:
    """1.2 Describe one counter."""
    told = [printed_values(deck, token.card)]
    card = deck.find(token.card)
    if token.broken:
        told.append(
            "broken" if isinstance(card, Card) else "wreck" if isinstance(card, VehicleCard) else "malfunctioned"
        )
    if token.holder:
        told.append(f"with {token.holder}")
    if token.facing >= 0:
        told.append(f"facing {SPINES[token.facing]}")
    if token.turret >= 0 and token.turret != token.facing:
        told.append(f"turret {SPINES[token.turret]}")
    if token.hidden:
        told.append("hidden")
    return f"{token.id}: {', '.join([*told, *token.markers])}"


def sign_words(sign: Sign) -> str:
    """1.2 Describe a marker on a hex."""
    words = {
        "smoke": "smoke",
        "residual": "Residual FP",
        "melee": "Melee",
        "control": "controlled by",
        "goal": "objective",
    }
    return " ".join(part for part in (words.get(sign.kind, sign.kind), sign.text or sign.side) if part)


def describe(
    ground: Ground,
    deck: Deck,
    tokens: Iterable[Token],
    signs: Iterable[Sign] = (),
    names: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Describe the picture hex by hex, every stack from the top down with its markers."""
    stacks: dict[str, list[Token]] = {}
    for token in tokens:
        if token.hex:
            stacks.setdefault(token.hex, []).append(token)
    marked: dict[str, list[Sign]] = {}
    for sign in signs:
        marked.setdefault(sign.hex, []).append(sign)
    for hex in ground.hexes:
        if hex not in stacks and hex not in marked:
            continue
        told = [hex_words(ground, hex)]
        if hex in marked:
            told.append("; ".join(sign_words(sign) for sign in marked[hex]))
        yield " | ".join(told)
        for token in reversed(stacks.get(hex, [])):
            side = (names or {}).get(token.side, token.side)
            yield f"  {token_words(deck, token)} [{side}]"
    yield from ground_lines({hex: hex_words(ground, hex).partition(": ")[2] for hex in ground.hexes})
