"""Reference sheets: a unit with its possible orders, and a hex with its properties.

roll_call    the units that an ask is about
unit_sheet   3.2 the unit's values, markers and supply, and the orders it may be given
outlook      8.0, 10, 11 zones of control, airspace and ground of a hex
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.engine.rules.decision import Decision
from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import Message, say, say_n, term
from pbem.engine.text.sheets import Choice, Sheet, Sight
from pbem.titles.nato.board import Board, Unit, board_of
from pbem.titles.nato.cards.units import Side, UnitType
from pbem.titles.nato.combat.orders import Fight
from pbem.titles.nato.commands.powers import commands
from pbem.titles.nato.data_set import NatoData
from pbem.titles.nato.explain.hexes import hex_reasons, hexside_reason, unit_zone_reason
from pbem.titles.nato.explain.strikes import battery_reasons, target_reasons
from pbem.titles.nato.explain.supply import link_reason, supply_reasons
from pbem.titles.nato.explain.tracks import command_reason, match_reasons
from pbem.titles.nato.explain.units import unit_reasons
from pbem.titles.nato.explain.wording import sentences, source
from pbem.titles.nato.map.grid import distance, neighbours
from pbem.titles.nato.movement.costs import MARCH, TACTICAL
from pbem.titles.nato.movement.orders import Moving
from pbem.titles.nato.movement.rehearsal import move_objections
from pbem.titles.nato.player.orders import Move
from pbem.titles.nato.state import NatoState
from pbem.titles.nato.supply.headquarters import hq_traces
from pbem.titles.nato.supply.units import combat_source, movement_source


def roll_call(decision: Decision[Any]) -> dict[str, str]:
    """The units that can be ordered in answer to an ask, with their names."""
    if isinstance(decision, Moving):
        return {unit.id: short_title(unit.card) for unit in decision.movable()}
    if isinstance(decision, Fight):
        return {unit.id: short_title(unit.card) for unit in decision.attackers()}
    return {}


def short_title(card: UnitType) -> str:
    """3.2.10 Return a unit's title without its parent formation, such as British 22nd Armoured Brigade."""
    return card.title.partition(",")[0] or card.name


def unit_sheet(data: NatoData, view: NatoState, viewer: str, decision: Decision[Any] | None, id: str) -> Sheet | None:
    """3.2 The sheet of one unit as everyone may see it, with the orders that the viewer may give it."""
    board = board_of(data, view)
    unit = board.units.get(id)
    if unit is None:
        return None
    asked = decision is not None and id in roll_call(decision)
    return Sheet(
        unit=id,
        name=short_title(unit.card),
        side=str(unit.side),
        at=unit.at,
        own=viewer in data.sides and commands(board, viewer, unit.card),
        facts=tuple(facts(board, unit)),
        choices=tuple(choices(decision, unit)) if decision is not None and asked else (),
        reasons=tuple(sentences(unit_findings(board, unit))),
    )


def facts(board: Board, unit: Unit) -> Iterator[str | Message]:
    """3.2, 4.2, 10 The values, markers and supply of a unit."""
    card = unit.card
    if card.hq:
        values = {"range": card.support_range, "movement": unit.allowance}
        yield say("headquarters, support range {range}, movement {movement}", **values)
        yield say("can trace supply") if hq_traces(board, unit) else say("cannot trace supply")
        if not unit.piece.supplied:
            yield say("unsupplied, so it supplies no unit")
    else:
        yield say(
            "attack {attack}, defense {defense}, movement {movement}, {steps}, {kind}",
            attack=unit.attack,
            defense=unit.defense,
            movement=unit.allowance,
            steps=say_n("{n} step", "{n} steps", n=unit.steps),
            kind=HARD if card.hard else SOFT if card.soft else GUNS,
        )
        yield say("movement supply: {source}", source=source(movement_source(board, unit)))
        yield say("combat supply: {source}", source=source(combat_source(board, unit)))
    yield from markers(unit)
    if unit.at in board.atlas.places and board.ezoc(unit.at, unit.side):
        yield say("in an enemy zone of control")


HARD, SOFT, GUNS = term("nato kind", "hard"), term("nato kind", "soft"), term("nato kind", "artillery")


def markers(unit: Unit) -> Iterator[Message]:
    """4.2 The markers of a unit."""
    piece = unit.piece
    said = (
        (say("disrupted") if unit.maneuver else say("suppressed"), piece.disrupted),
        (say("marked out of movement supply"), piece.ms_out),
        (say("marked out of combat supply"), piece.cs_out),
        (say("engaged"), piece.engaged),
        (say("in reserve"), piece.reserve),
        (say("not activated"), not piece.active),
    )
    yield from (words for words, so in said if so)


def unit_findings(board: Board, unit: Unit) -> Iterator[Finding]:
    """3, 8.0, 10, 24.1, 35.8 Yield the rules behind a unit's values, supply and command, and what it can do."""
    yield from unit_reasons(board, unit)
    yield from supply_reasons(board, unit)
    yield command_reason(board.data, unit.card)
    if unit.at in board.atlas.places:
        yield unit_zone_reason(board, unit.id)
        if unit.card.artillery:
            yield from battery_reasons(board, unit)


def choices(decision: Decision[Any], unit: Unit) -> Iterator[Choice]:
    """12, 25 Yield the possible orders for a unit."""
    if isinstance(decision, Moving):
        yield from move_choices(decision, unit)
    elif isinstance(decision, Fight):
        yield from (Choice(say("attack {hex}", hex=hex), f"attack {hex}") for hex in decision.attackable(unit))


def move_choices(decision: Moving, unit: Unit) -> Iterator[Choice]:
    """12.2, 12.4, 28.1 Yield the hexes that a unit can reach in each mode, then the reserve and hold orders."""
    for mode, name, line in ((TACTICAL, say("move"), "{hex}"), (MARCH, say("march"), "{hex} march")):
        if ends := decision.ends(unit, mode):
            yield Choice(name, line, hexes=dict.fromkeys(ends, ()))
    if not decision.reserve:
        against = tuple(move_objections(decision.board, unit, Move(unit.id, (), TACTICAL, reserve=True)))
        yield Choice(say("reserve"), "" if against else "reserve", against=against)
    yield Choice(say("hold"), "hold")


def outlook(data: NatoData, view: NatoState, start: str, end: str = "") -> Sight | None:
    """8.0, 11 Describe a hex for both sides, and give its distance to another hex if one is named."""
    board = board_of(data, view)
    if start == "match":
        return Sight(start, (), "", False, tuple(sentences(match_reasons(board))))
    hex, other = data.atlas.find(start) or "", data.atlas.find(end) or "" if end else ""
    if hex not in data.atlas.places:
        return None
    why: tuple[Message, ...] = (say("{hex}.", hex=board.atlas.name(hex)), *sentences(hex_findings(board, hex)))
    if other:
        far = distance(hex, other)
        apart = say_n(
            "{n} hex from {hex} to {other}.", "{n} hexes from {hex} to {other}.", n=far, hex=hex, other=other
        )
        why = (*why, apart, *sentences(pair_reasons(board, hex, other)))
    return Sight(hex, tuple(neighbours(hex)), other, bool(other), why)


def pair_reasons(board: Board, hex: str, other: str) -> Iterator[Finding]:
    """2.2.1, 10.2 Yield the hexside between neighbours, and each side's supply link from one hex to the other."""
    if other in neighbours(hex):
        yield hexside_reason(board, hex, other)
    yield from (link_reason(board, side, hex, other) for side in Side)


def hex_findings(board: Board, hex: str) -> Iterator[Finding]:
    """2.2, 8.0, 9, 11, 23, 30 Yield the features of a hex, and what can strike it."""
    yield from hex_reasons(board, hex)
    for side in Side:
        yield from target_reasons(board, side, hex)
