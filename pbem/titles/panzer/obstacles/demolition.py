"""7.19 Engineer attacks on terrain: blocks, wire, positions, mines and bridges, like a close assault.

7.19     demolition: the ask `demolish`, demolition_objections, advance_all, resolve_demolition
answers  check_demolish, demolish_options
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import msgspec

from pbem.engine.geometry.hexes import Hex, distance, hex_name, neighbours, parse_hex
from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Battle
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.data_files import close_to
from pbem.titles.panzer.cards.chart_rows import AdvancedModifier
from pbem.titles.panzer.cards.units import is_engineer, is_trained
from pbem.titles.panzer.close_combat.advances import (
    advance,
    entry_objections,
    is_fit,
    parting_objections,
    readiness_objections,
    settle_in,
)
from pbem.titles.panzer.close_combat.close_assault import has_flamethrower, size_of
from pbem.titles.panzer.command import morale
from pbem.titles.panzer.command.command_control import reveal
from pbem.titles.panzer.command.failed_orders import failed_order
from pbem.titles.panzer.damage.effects import destroy_feature, give_up_positions
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.actions import mark_move
from pbem.titles.panzer.fire.gp_defence import Ground, vulnerable_terrain
from pbem.titles.panzer.fire.gp_fire import table_roll
from pbem.titles.panzer.fire.gp_modifiers import is_broken, is_hesitating
from pbem.titles.panzer.movement.shared_moves import bind, same_target_objections
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.setup.mine_laying import MINES
from pbem.titles.panzer.sighting import hidden_units
from pbem.titles.panzer.sighting.camouflage import lose_camouflage
from pbem.titles.panzer.sighting.terrain import board_now, place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, PanzerState, Unit

TERRAIN: Final = "engineers_and_terrain"


class _Demolish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    feature: str
    attackers: tuple[str, ...]
    advance: dict[str, str] = {}
    """6.6.1.1 The hexes that the attackers advance to first."""


def engineers(situation: Situation, side: str) -> list[Unit]:
    """7.19 A side's units that may attack terrain now."""
    data = situation.data
    return [unit for unit in situation.state.of(side) if not any(engineer_objections(data, unit))]


def engineer_objections(data: PanzerData, unit: Unit) -> Iterator[Objection]:
    """7.19, 6.6.1.1 Object unless the attackers are steady, dismounted engineers with a Move that have not fought."""
    if not is_engineer(data, unit):
        yield Objection("7.19", say("only dismounted engineers can attack terrain"))
    if unit.command is not Command.MOVE:
        yield Objection("7.19", say("the unit needs a Move command"))
    if unit.suppressed or is_hesitating(unit) or is_broken(unit):
        yield Objection("7.19", say("the unit is suppressed, hesitates or is broken"))
    if unit.assaulted or unit.moved or unit.attacking:
        yield Objection("7.19", say("the unit has already attacked"))


def grounds(situation: Situation, unit: Unit, start: Hex | None = None) -> dict[str, Ground]:
    """7.19 The destructible counters in or next to the unit's hex; never buildings, and only mines its side knows of.

    `start` is the hex it advances to first.
    """
    data = situation.data
    found: dict[str, Ground] = {}
    for feature in situation.state.features.values():
        if distance(feature.hex, start or place_of(unit)) <= 1:
            for ground in vulnerable_terrain(situation, feature.hex):
                own = ground.feature is not None and ground.feature.id == feature.id
                if own and is_open_to_engineers(data, ground):
                    found[feature.id] = ground
    return found


def plays_demolition(data: PanzerData) -> bool:
    """7.19, 7.31.3.3 Whether engineers can attack anything: terrain or mines."""
    return data.plays(TERRAIN) or data.plays("minefields")


def is_open_to_engineers(data: PanzerData, ground: Ground) -> bool:
    """7.31.3.3 Whether a rule in use lets engineers attack this: for mines their own rule or 7.19, otherwise 7.19."""
    return data.plays("minefields" if ground.type in MINES else TERRAIN) or data.plays(TERRAIN)


def demolition_objections(
    situation: Situation,
    side: str,
    feature: str,
    attackers: tuple[str, ...],
    advances: Mapping[str, Hex] = MappingProxyType({}),
) -> Iterator[Objection]:
    """7.19 Every reason why these engineers cannot make this attack; all must attack from one hex."""
    data, view = situation.data, situation.state
    if not attackers:
        yield Objection("7.19", say("name the attackers"))
    present = [id for id in attackers if id in view.vehicles and view.vehicles[id].alive]
    for id in attackers:
        unit = view.vehicles.get(id)
        if unit is None or unit.side != side or not unit.alive:
            yield Objection("7.19", say("you have no {id} on the map", id=id))
            continue
        yield from engineer_objections(data, unit)
        yield from same_target_objections(view, unit, feature)  # 6.6.11
        start = advances.get(id) if unit.kind == "leg" else None
        if start is not None:
            yield from advance_objections(situation, unit, feature, start)
            fighting = {other: advances.get(other, place_of(view.vehicles[other])) for other in present}
            yield from parting_objections(situation, unit, start, fighting)  # 6.6.11
        if feature not in grounds(situation, unit, start):
            yield Objection("7.19", say("{id} is not next to destructible terrain with that name", id=id))
        elif height_to(situation, start or place_of(unit), feature) > data.advanced.number("close_combat_levels"):
            yield Objection(
                ledger_row(data.edition, "6.6.1.1/height"),
                say("{feature} is two or more levels higher or lower", feature=feature),
            )
    hexes = {advances.get(id, view.vehicles[id].hex) for id in attackers if id in view.vehicles}
    if len(hexes) > 1 or len(set(attackers)) < len(attackers):
        yield Objection("7.19", say("engineers in the same hex attack together, and each attacks only once"))


def height_to(situation: Situation, start: Hex, feature: str) -> int:
    """6.6.1.1 The difference in ground level between a counter's hex and another hex."""
    board = board_now(situation)
    return abs(board.ground(situation.state.features[feature].hex) - board.ground(start))


def demolition(table: Table[PanzerState], side: str) -> Step:
    """7.19 Resolve one attack after another until the player is done.

    A side with engineers is always asked, because not asking would reveal mines, hidden units or Move commands.
    """
    data, state = table.data, table.state
    while plays_demolition(data) and any(is_trained(data, unit) for unit in state.of(side)):
        answer = yield Ask(side, "demolish", "7.19")
        if answer is None:
            return
        advances = {id: parse_hex(hex) for id, hex in answer.get("advance", {}).items()}
        units = [state.vehicles[id] for id in answer["attackers"]]
        yield from hidden_units.reveal_fighters(table, units)  # 7.2.2.3
        for unit in units:
            bind(state, unit, answer["feature"])  # 6.6.11
        yield from advance_all(table, units, advances)
        able = [unit for unit in units if is_fit(unit)]
        if not able or answer["feature"] not in grounds(table, able[0]):
            able = []
        event = morale.begin(table)
        if able:
            resolve_demolition(table, answer["feature"], able, advanced=any(unit.id in advances for unit in able))
        morale.finish(table, event)  # 7.1.2, 7.1.3: units on a bridge are lost with it
        kept = Objection(
            "7.19", say("the engineers were hit, or could no longer reach the terrain, before they could attack")
        )
        unable = [unit for unit in units if unit.alive and unit not in able]
        table.findings += [failed_order(unit, f"demolish {answer['feature']}", kept) for unit in unable]
        settle_in(table, (unit for unit in units if unit.id in advances))  # 6.6.8
        for unit in units:
            if unit.id in advances:
                morale.move_over(table, unit)  # 7.1.2


def advance_all(table: Table[PanzerState], units: Sequence[Unit], advances: Mapping[str, Hex]) -> Step:
    """7.19, 6.6.1.1 Reveal the engineers' Move; those not next to the terrain advance under overwatch."""
    for unit in units:
        table.findings += give_up_positions(table.data, reveal(table.state, unit))  # 6.6.9
        unit.assaulted = True
        if lost := lose_camouflage(table.data, unit, "moved"):  # 7.24
            table.findings.append(lost)
    for unit in units:
        if unit.id in advances:
            yield from advance(table, unit, advances[unit.id], "7.19", "6.6.1.1")


def advance_objections(situation: Situation, unit: Unit, feature: str, hex: Hex) -> Iterator[Objection]:
    """7.19, 6.6.1.1 Reasons why engineers cannot advance before they attack."""
    yield from readiness_objections(situation.data, unit, "7.19")
    if feature in grounds(situation, unit):
        yield Objection("7.19", say("{unit} is already next to that terrain", unit=unit.id))
    yield from entry_objections(situation, unit, hex, "7.19")


def resolve_demolition(table: Table[PanzerState], feature: str, units: list[Unit], *, advanced: bool = False) -> None:
    """7.19 Resolve an attack: two consecutive effective results destroy the terrain; mines need only one."""
    data, state = table.data, table.state
    ground = grounds(table, units[0])[feature]
    for unit in units:
        reveal(state, unit)
        unit.assaulted = True
        mark_move(unit)
    primary = units[0]
    factor = data.advanced.number(f"close_assault_{size_of(data, primary)}")
    modifiers = modifiers_of(table, ground, units, advanced=advanced)
    mines = ground.type in MINES
    children: list[Finding] = []
    result = "none"
    for _ in range(1 if mines else 2):
        roll = table_roll(table, "7.19", factor, ground.defence, modifiers, feature)
        children.append(roll.finding)
        if roll.result != "effective":
            break
    else:
        assert ground.feature is not None
        children.append(destroy_feature(table, ground.feature))
        result = "destroyed"
    inputs = {"engineers": [unit.id for unit in units], "terrain": ground.type, "hex": hex_name(ground.hex)}
    rule = "7.31.3.3" if mines else "7.19"
    shown = Battle(
        tuple(unit.id for unit in units),
        hex_name(ground.hex),
        rolled=tuple(die for child in children for die in child.dice),
        result="destroyed" if result == "destroyed" else "no effect",
    )
    table.find(rule, inputs=inputs, result=result, children=children, shows=[shown])


def modifiers_of(situation: Situation, ground: Ground, units: list[Unit], *, advanced: bool = False) -> Finding:
    """7.19 The modifiers for advancing, uphill, extra attackers, a flamethrower and the primary attacker's grade."""
    data = situation.data
    primary, others = units[0], units[1:]
    board = board_now(situation)
    times = {
        "advance": int(advanced),
        "uphill": int(board.ground(ground.hex) > board.ground(place_of(primary))),
        "more_sections": sum(size_of(data, unit) == "section" for unit in others),
        "more_half_squads": sum(size_of(data, unit) == "half_squad" for unit in others),
        "more_squads": sum(size_of(data, unit) == "squad" for unit in others),
        "flamethrower": int(any(has_flamethrower(data, unit) for unit in units)),
        "unit_grade": data.advanced.grades[primary.grade].close_combat.value,
    }
    rows: list[tuple[AdvancedModifier, int]] = [
        (row, times[row.when]) for row in data.advanced.modifiers["close_assault"] if times.get(row.when)
    ]
    told = tuple(
        {"when": row.when, "text": row.text, "value": row.value * count, "rule": "7.19"} for row, count in rows
    )
    return Finding("7.19", modifiers=told, result=sum(row.value * count for row, count in rows))


def check_demolish(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """7.19 Return the attack in canonical form, or refuse it; None means no more attacks."""
    if answer is None:
        return None
    try:
        read = msgspec.convert(answer, _Demolish)
    except msgspec.ValidationError as error:
        why = Objection("7.19", say("this attack on terrain could not be read: {error}", error=error))
        raise Unreadable("demolish", [why], ['{"feature": "f1", "attackers": ["g4"]}']) from error
    try:
        advances = {id: parse_hex(hex) for id, hex in sorted(read.advance.items()) if id in read.attackers}
    except ValueError as error:
        raise Unreadable("demolish", [Objection("1.2", str(error))]) from error
    if found := list(demolition_objections(situation, ask.seat, read.feature, read.attackers, advances)):
        raise Illegal(read.feature, found, close_to(read.feature, list(situation.state.features)))
    plain: dict[str, Any] = {"feature": read.feature, "attackers": list(read.attackers)}
    if advances:
        plain["advance"] = {id: hex_name(hex) for id, hex in advances.items()}
    return plain


def demolish_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """7.19 Offer no attack, then each engineer alone against every target within reach."""
    yield None
    for unit in engineers(situation, ask.seat):
        for feature in grounds(situation, unit):
            yield {"feature": feature, "attackers": [unit.id]}
        for hex in neighbours(place_of(unit)):
            for feature in grounds(situation, unit, hex):
                if not any(demolition_objections(situation, ask.seat, feature, (unit.id,), {unit.id: hex})):
                    yield {"feature": feature, "attackers": [unit.id], "advance": {unit.id: hex_name(hex)}}
