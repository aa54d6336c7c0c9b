"""3, 4.2 A unit: its values and their meaning, and its markers, each with its rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.engine.rules.findings import Finding
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Nation, Side, UnitType
from pbem.titles.nato.movement.moves import allowance
from pbem.titles.nato.supply.headquarters import headquarters, independent, superior

AIRBORNE_REGIMENTS = ("97", "108", "119", "104", "234", "237")
"""3.10 The regiments of the 7th and 76th Guards Airborne Divisions, printed as brigades."""


def unit_reasons(board: Board, unit: Unit) -> Iterator[Finding]:
    """3, 4.2 Yield everything there is to know about a unit."""
    yield from kind_reasons(unit.card)
    yield from value_reasons(unit)
    yield from formation_reasons(board, unit)
    yield from marker_reasons(unit)
    yield from helicopter_reasons(board, unit)


def about(unit: UnitType, rule: str, result: Any) -> Finding:
    return Finding(rule, inputs={"unit": unit.id}, result=result)


def kind_reasons(card: UnitType) -> Iterator[Finding]:
    """3.1 Yield the place of a unit in the tree of unit types."""
    kind = "hq" if card.hq else "artillery" if card.artillery else "hard" if card.hard else "soft"
    yield about(card, "3.0", {"side": str(card.side), "nation": str(card.nation), "id": card.id})
    yield about(card, "3.1", ["ground", "hq"] if card.hq else ["ground", "combat", kind])
    yield about(card, "3.2.8", str(card.symbol))
    yield about(card, "3.2.8.1", {"airborne": card.airborne, "airmobile": card.airmobile, "marine": card.marine})
    yield about(card, "3.2.7", str(card.size))
    yield about(card, "3.7", card.pool)
    yield about(card, "3.2.4", card.name)
    yield about(card, "6.0/ground-unit", True)
    yield about(card, "6.0/combat-unit", not card.hq)
    yield about(card, "6.0/maneuver-unit", card.maneuver)
    if card.artillery:
        yield about(card, "3.3", "makes strikes")
        yield about(card, "6.0/artillery-unit", True)
    elif card.hq:
        yield about(card, "3.4", "supplies combat units")
    else:
        yield about(card, "3.2", "makes ground attacks")
    if card.hard:
        yield about(card, "3.5.1", "armor" if card.armor else "mechanized")
        yield about(card, "6.0/hard-unit", True)
    elif card.soft:
        yield about(card, "3.5.2", "doubled in cover")
        yield about(card, "6.0/soft-unit", True)
    else:
        yield about(card, "3.5.3", "neither hard nor soft")
    yield about(card, "3.1.2", functions(card))
    if card.side is Side.WP:
        yield about(card, "6.0/wp-minor-ally", card.nation is not Nation.SU)
    if card.id in AIRBORNE_REGIMENTS:
        yield about(card, "3.10", str(card.size))
    if card.canadian:
        yield about(card, "3.9.1.1", str(card.nation))


def functions(card: UnitType) -> list[str]:
    """3.1.2 Return the functions of a unit."""
    found = {
        "ground attack": card.maneuver,
        "strikes": card.artillery,
        "supply": card.hq,
        "passes zones of control": card.hard,
        "halved against cities and mountains": card.armor,
        "flies": card.a_unit,
        "drops": card.airborne,
        "sails": card.marine,
    }
    return [name for name, so in found.items() if so]


def value_reasons(unit: Unit) -> Iterator[Finding]:
    """3.2.1 to 3.2.3, 3.2.10 Yield the strengths, allowance and steps on the side that is face up."""
    card = unit.card
    if card.artillery:
        yield about(card, "3.3.1", {"points": card.full.attack, "provisional defense": card.full.defense})
    elif card.hq:
        yield about(card, "3.4.1", {"range": card.support_range, "provisional defense": card.full.defense})
        yield about(card, "3.4.2", card.support_range)
    else:
        yield about(card, "3.2.1", unit.attack)
        yield about(card, "3.2.2", f"[{unit.defense}]" if card.hard else str(unit.defense))
    yield about(card, "3.2.3", f"{unit.allowance}A" if card.a_unit else str(unit.allowance))
    yield about(card, "3.2.10", unit.steps)
    yield about(card, "6.0/step", unit.steps)
    rule = "3.2.10.3" if card.hq else "3.2.10.1" if card.side is Side.WP else "3.2.10.2"
    yield about(card, rule, card.steps)
    if card.reduced is not None:
        yield about(card, "3.2/counter-formats", {"front": str(card.full), "back": str(card.reduced)})
        yield about(card, "3.2.10.4", str(unit.card.strength(1)))


def formation_reasons(board: Board, unit: Unit) -> Iterator[Finding]:
    """3.2.5, 3.2.6 Yield the formation of a unit and the headquarters that it may trace to."""
    card = unit.card
    yield about(card, "3.2.5", card.formation)
    if card.hq:
        return
    hqs = [hq.id for hq in headquarters(board, unit.side) if not card.hq and superior(board, unit, hq.card)]
    yield about(card, "10.4.4", hqs)
    if card.side is Side.NATO:
        yield about(card, "3.2.5.2", hqs)
        yield about(card, "10.4.4.6" if card.formation in ("LJ", "LZ") else "10.4.4.5", hqs)
    else:
        yield from front_reasons(board, card, hqs)
    if card.home_bound:
        yield about(card, "3.2.5.1", str(card.home))


def front_reasons(board: Board, card: UnitType, hqs: list[str]) -> Iterator[Finding]:
    """3.2.6, 10.4.4.1 to 10.4.4.3 Yield the front of a Warsaw Pact unit."""
    if independent(board, card):
        yield about(card, "3.2.6.1", "independent")
        yield about(card, "10.4.4.3", hqs)
    elif card.baltic:
        yield about(card, "3.2.6.2", hqs)
        yield about(card, "10.4.4.2", hqs)
    else:
        yield about(card, "3.2.6", card.formation)
        yield about(card, "10.4.4.1", hqs)
    if card.army:
        yield about(card, "3.2.8.2.1", card.army)


def marker_reasons(unit: Unit) -> Iterator[Finding]:
    """4.2 Yield the markers of a unit, and how they restrict its movement."""
    piece, card = unit.piece, unit.card
    markers = {
        "4.2.1": piece.disrupted and unit.maneuver and "disrupted",
        "4.2.2": piece.disrupted and not unit.maneuver and "suppressed",
        "4.2.3": piece.train,
        "4.2.4": card.hq and ("supplied" if piece.supplied else "unsupplied"),
        "4.2.5": ", ".join(word for word, so in (("MS-out", piece.ms_out), ("CS-out", piece.cs_out)) if so),
        "4.2.6": piece.engaged and "engaged",
        "4.2.7": piece.reserve and ("OMG" if unit.side is Side.WP else "Reserve"),
    }
    yield from (about(card, rule, found) for rule, found in markers.items() if found)
    if piece.ms_out:
        yield about(card, "10.5.3", {"tactical": allowance(unit, "tactical"), "march": 0})
    if card.hq:
        yield from hq_marker_reasons(unit)
    if piece.cs_out:
        yield about(card, "10.6.1", "no strikes" if card.artillery else "halved, no response")
    if piece.train:
        yield about(card, "13.4", ["no zone of control", "no attack", "no defense strength"])
    if not piece.active:
        yield about(card, "35.2", "not activated")


def hq_marker_reasons(unit: Unit) -> Iterator[Finding]:
    """10.4.2.2, 10.4.3, 29.2.3 Explain what the markers of a headquarters allow it to do."""
    piece, card = unit.piece, unit.card
    moves = allowance(unit, "tactical")
    if piece.supplied:
        able = ["rail", "sea ferry", "attack helicopters"] + ([] if piece.disrupted else ["Offensive Support"])
        yield about(card, "10.4.2.2", {"tactical": moves, "may": able})
    else:
        yield about(card, "10.4.3", {"tactical": moves, "may": []})
        yield about(card, "10.4.3/half-allowance", moves)
    if piece.disrupted:
        yield about(card, "29.2.3", "one hex, supplies, no Offensive Support")
        yield about(card, "10.4.2.1", "supplies" if piece.supplied and not piece.train else "does not supply")


def helicopter_reasons(board: Board, unit: Unit) -> Iterator[Finding]:
    """3.6 Yield the attack helicopter brigade of a headquarters."""
    state = board.state.brigades.get(unit.id)
    if state is not None:
        yield about(unit.card, "3.6", state)
        yield about(unit.card, "3.6.1", unit.id)
        yield about(unit.card, "18.4.6", unit.id)
        yield about(unit.card, "3.6.2", 1)
        yield about(unit.card, "3.6.3", board.data.scenario.ahb_defense[unit.side])
        if unit.side is Side.NATO:
            yield about(unit.card, "18.4.7", board.data.scenario.ahb_defense[unit.side])
            yield about(unit.card, "3.6.4", board.data.scenario.year)
