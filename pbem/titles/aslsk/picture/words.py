"""1.1, 1.2 The map in words: hexes, stacks and counters, for tooltips and for readers who do not see the picture.

1.1   hex_words
1.2   token_words, printed_values
----  describe: the picture as text
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from pbem.engine.text.compass import COMPASS
from pbem.engine.text.ground import ground_lines
from pbem.engine.text.messages import (
    Message,
    Name,
    Several,
    Value,
    as_message,
    fill,
    named,
    pattern,
    say,
    several,
    term,
)
from pbem.titles.aslsk.cards.units import Card
from pbem.titles.aslsk.cards.vehicles import VehicleCard
from pbem.titles.aslsk.cards.weapons import GunCard, WeaponCard
from pbem.titles.aslsk.ground.lattice import SPINES
from pbem.titles.aslsk.telling.words import SIDES

if TYPE_CHECKING:
    from pbem.titles.aslsk.cards.deck import Deck
    from pbem.titles.aslsk.ground.terrain import Ground

KINDS: Final = {
    "squad": term("aslsk unit", "squad"),
    "half": term("aslsk unit", "half-squad"),
    "crew": term("aslsk unit", "crew"),
    "leader": term("aslsk unit", "leader"),
}
GRADES: Final = {
    "elite": term("aslsk unit class", "elite"),
    "first": term("aslsk unit class", "first-line"),
    "second": term("aslsk unit class", "second-line"),
    "green": term("aslsk unit class", "green"),
    "conscript": term("aslsk unit class", "conscript"),
}
MARKERS: Final = {
    message.text: message
    for message in (
        term("aslsk marker", "DM"),
        term("aslsk marker", "Pin"),
        term("aslsk marker", "CX"),
        term("aslsk marker", "Wounded"),
        term("aslsk marker", "Prep Fire"),
        term("aslsk marker", "First Fire"),
        term("aslsk marker", "Final Fire"),
        term("aslsk marker", "Intensive Fire"),
        term("aslsk marker", "CE"),
        term("aslsk marker", "Motion"),
        term("aslsk marker", "Bogged"),
        term("aslsk marker", "Mired"),
        term("aslsk marker", "Immobilized"),
        term("aslsk marker", "Shock"),
        term("aslsk marker", "UK"),
        term("aslsk marker", "Stun"),
        term("aslsk marker", "STUN"),
        term("aslsk marker", "Recall"),
        term("aslsk marker", "Low Ammo"),
        term("aslsk marker", "Moving"),
    )
}
"""11 C The printed text of markers on counters."""
SIGNS: Final = {
    "smoke": pattern("smoke {text}"),
    "residual": pattern("Residual FP {text}"),
    "melee": pattern("Melee"),
    "control": pattern("controlled by the {side} side"),
    "goal": pattern("objective {text}"),
    "charge": pattern("demolition charge"),
    "acquired": pattern("acquired target {text}"),
}


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


def hex_words(ground: Ground, hex: str) -> Message:
    """1.1 Describe a hex, as in `K5: stone building (church), level 1, paved road`."""
    others, what = ground[hex].names[1:], ground_words(ground, hex)
    if others:
        return say("{hex} (also {others}): {ground}", hex=hex, others=several(others, "unit"), ground=what)
    return say("{hex}: {ground}", hex=hex, ground=what)


def ground_words(ground: Ground, hex: str) -> Several:
    """1.1 The terrain, level and road of a hex."""
    place = ground[hex]
    kind = named("aslsk terrain", ground.chart.rows[ground.row_of(hex)].name)
    if place.printed != place.terrain:
        told = [say("{terrain} out of season", terrain=named("aslsk terrain", place.printed))]
    elif place.building and place.building != hex:
        told = [say("{terrain} ({name})", terrain=kind, name=place.building)]
    else:
        told = [kind]
    if place.level:
        told.append(say("level {level}", level=1))
    if place.road:
        told.append(say("paved road") if place.paved else say("dirt road"))
    return several(told, "unit")


def printed_values(deck: Deck, card_id: str) -> Message:
    """1.2 Describe the printed numbers of a counter."""
    card = deck.find(card_id)
    nation = named("aslsk nation", deck.nations[card.nation].name) if card else Name("")
    match card:
        case Card(kind=kind) if card.class_ and kind != "crew":
            grade = GRADES.get(card.class_, Name(card.class_))
            return say(
                "{nation} {grade} {unit} {values}", nation=nation, grade=grade, unit=KINDS[kind], values=card.name
            )
        case Card():
            return say("{nation} {unit} {values}", nation=nation, unit=KINDS[card.kind], values=card.name)
        case WeaponCard():
            strength = f"{card.fp}-{card.range}" if card.fp else f"{card.calibre}{card.length}"
            return say("{nation} {weapon} {values}", nation=nation, weapon=card.name, values=strength)
        case GunCard():
            values = f"{card.calibre}{card.length} {card.type.upper()}"
            return say("{nation} {weapon} ({values})", nation=nation, weapon=card.name, values=values)
        case VehicleCard():
            return say("{nation} {vehicle}", nation=nation, vehicle=card.name)
    return as_message(card_id)


def token_words(deck: Deck, token: Token) -> Message:
    """1.2 Describe one counter."""
    told: list[Value] = [printed_values(deck, token.card)]
    card = deck.find(token.card)
    if token.broken and isinstance(card, Card):
        told.append(say("broken"))
    elif token.broken:
        told.append(say("wreck") if isinstance(card, VehicleCard) else say("malfunctioned"))
    if token.holder:
        told.append(say("with {unit}", unit=token.holder))
    if token.facing >= 0:
        told.append(say("facing {direction}", direction=COMPASS[SPINES[token.facing]]))
    if token.turret >= 0 and token.turret != token.facing:
        told.append(say("turret {direction}", direction=COMPASS[SPINES[token.turret]]))
    if token.hidden:
        told.append(say("hidden"))
    told += [MARKERS.get(text, Name(text)) for text in token.markers]
    return say("{unit}: {facts}", unit=token.id, facts=several(told, "unit"))


def sign_words(sign: Sign) -> Message:
    """1.2 Describe a marker on a hex."""
    return fill(SIGNS[sign.kind], {"text": sign.text, "side": SIDES.get(sign.side, Name(sign.side))})


def describe(
    ground: Ground,
    deck: Deck,
    tokens: Iterable[Token],
    signs: Iterable[Sign] = (),
    names: Mapping[str, str] | None = None,
) -> Iterator[Message]:
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
        if hex in marked:
            signs_here = several((sign_words(sign) for sign in marked[hex]), "clauses")
            yield say("{hex} | {signs}", hex=hex_words(ground, hex), signs=signs_here)
        else:
            yield hex_words(ground, hex)
        for token in reversed(stacks.get(hex, [])):
            side = (names or {}).get(token.side, token.side)
            yield say("  {counter} [{side}]", counter=token_words(deck, token), side=side)
    yield from ground_lines({hex: ground_words(ground, hex) for hex in ground.hexes})
