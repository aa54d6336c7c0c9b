"""7.2 Actions with hidden unit counters: placing them, moving them, and hiding units again.

    7.2.2       hiding_step: before the first turn (ask `hide`); hide_options, check_hide
    7.2.2.2     sneak: counters move, or are revealed by their owner (ask `sneak`); sneak_options, check_sneak
    7.2.3       hide_again: at the end of a turn (ask `hide`)

An answer to `hide` is `{"counters": [["C4", ["g1", "g2"]]], "dummies": ["D5"]}`, one to `sneak`
`{"reveal": ["h1"], "move": {"h2": ["C5", "C6"]}}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from pbem.engine.geometry.hexes import Hex, direction_to, distance, hex_name, neighbour, parse_hex
from pbem.engine.play.bots import Choice
from pbem.engine.rules.ask import Answer, Ask, Step, Together
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Refusals, Unreadable
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.artillery.barrage import barrage_attacks, barrages_in, reset_barrage_attacks
from pbem.titles.panzer.cards.basic_rows import PROHIBITED, WHOLE
from pbem.titles.panzer.command import morale
from pbem.titles.panzer.command.command_control import command_range
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.aiming import has_turn
from pbem.titles.panzer.fire.overwatch import overwatch_window
from pbem.titles.panzer.movement.placing import crush_wire
from pbem.titles.panzer.movement.shared_moves import command_of
from pbem.titles.panzer.movement.steps.on_foot import crawl_objections, passing_objections
from pbem.titles.panzer.movement.steps.terrain_costs import crawls, ground_of
from pbem.titles.panzer.movement.steps.unit_steps import mover_of, start, unit_allowances
from pbem.titles.panzer.obstacles.minefield_combat import enter_mines
from pbem.titles.panzer.obstacles.minefields import mines_against
from pbem.titles.panzer.obstacles.narrow_roads import stands_aside
from pbem.titles.panzer.sequence import begin
from pbem.titles.panzer.sighting.camouflage import lose_camouflage
from pbem.titles.panzer.sighting.hidden_units import (
    RULE,
    carry_to,
    counters_of,
    is_immobile,
    look_around,
    make_counter,
    seen_by_enemies,
    stand_in,
    units_under,
    unveil,
)
from pbem.titles.panzer.sighting.limited_spotting import enemies_that_noticed
from pbem.titles.panzer.sighting.terrain import features_in, place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, HiddenCounter, Inside, PanzerState, Unit

MINES: Final = ("hasty_mines", "deliberate_mines")
HIDE_EXAMPLE: Final = '{"counters": [["C4", ["g1", "g2"]]], "dummies": ["D5"]}'
SNEAK_EXAMPLE: Final = '{"reveal": ["h1"], "move": {"h2": ["C5", "C6"]}}'
CHOICES: Final = 6
LOTS: Final = 1000
"""The number of sides of the die that is rolled to shuffle the counters in a hex."""


class Hiding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """7.2.2 An answer to `hide`."""

    counters: list[tuple[str, list[str]]] = []
    dummies: list[str] = []


class Sneaking(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """7.2.2.2 An answer to `sneak`."""

    reveal: list[str] = []
    move: dict[str, list[str]] = {}


# --- 7.2.2 before the first turn -------------------------------------------------------------------------------


def hiding_step(table: Table[PanzerState]) -> Step:
    """7.2.2 Both sides put their hidden units under counters and add dummies, sealed from each other."""
    sides = [side for side in table.state.sides if may_hide(table.data, side)]
    asks = tuple(Ask(side, "hide", "7.2.2", about={"start": True}, default={}, grade="order") for side in sides)
    answers = (yield Together(asks)) if asks else ()
    for side, answer in zip(sides, answers, strict=True):
        place_counters(table, side, answer, start=True)
    begin(table)


def may_hide(data: PanzerData, side: str) -> bool:
    """7.2.1 Whether the side starts with hidden units, or has counters to place."""
    return limit_of(data, side) > 0 or any(row.hidden and row.side == side for row in data.scenario.units)


def limit_of(data: PanzerData, side: str) -> int:
    """7.2.2 The maximum number of counters on the map, real ones and dummies."""
    return data.scenario.conditions.hidden_counters.get(side, 0)


def to_hide(view: PanzerState, side: str) -> list[Unit]:
    """7.2.2 The units that start hidden; passengers are under their carriers' counters."""
    return [unit for unit in view.of(side) if unit.hidden and not unit.aboard]


def by_hex(units: Iterable[Unit]) -> list[tuple[Hex, list[str]]]:
    """7.2.2 The units by present position: one counter for each hex and formation."""
    groups: dict[tuple[Hex, str], list[str]] = {}
    for unit in units:
        groups.setdefault((place_of(unit), unit.formation), []).append(unit.id)
    return [(hex, ids) for (hex, _), ids in groups.items()]


def place_counters(table: Table[PanzerState], side: str, answer: Answer, *, start: bool) -> None:
    """7.2.2, 7.2.3 Place the chosen counters; a unit that starts hidden without one gets one in its hex."""
    state = table.state
    wish = msgspec.convert(answer, Hiding)
    chosen = [(parse_hex(hex), ids) for hex, ids in wish.counters]
    named = {id for _, ids in chosen for id in ids}
    if start:
        chosen += by_hex(unit for unit in to_hide(state, side) if unit.id not in named)
    chosen += [(parse_hex(hex), []) for hex in wish.dummies]
    made = [make_counter(state, side, hex, ids) for hex, ids in shuffle_counters(table, side, chosen)]
    if not made:
        return
    boxes = [Finding("7.2.2", to=(side,), inputs={"counter": one.id}, result=list(one.units)) for one in made]
    shown = Finding("7.2.1", inputs={"counters": {one.id: hex_name(one.hex) for one in made}}, result=len(made))
    rule = "7.2" if start else "7.2.3"
    table.find(rule, inputs={"side": side}, result=len(made), children=[shown, *boxes])


def shuffle_counters(
    table: Table[PanzerState], side: str, chosen: Sequence[tuple[Hex, list[str]]]
) -> list[tuple[Hex, list[str]]]:
    """7.2.2 Sort counters by hex; several in one hex are shuffled, so that the real ones do not come first."""
    hexes = [hex for hex, _ in chosen]
    lots = [table.roll(LOTS, "7.2.2", side, secret=True) if hexes.count(hex) > 1 else 0 for hex in hexes]
    order = sorted(range(len(chosen)), key=lambda number: (hex_name(hexes[number]), lots[number]))
    return [chosen[number] for number in order]


# --- 7.2.3 at the end of a turn --------------------------------------------------------------------------------


def hide_again(table: Table[PanzerState]) -> Step:
    """7.2.3 Units not spotted by any enemy go under counters again, and dummies are added, up to the limit."""
    sides = [side for side in table.state.sides if table.data.plays(RULE) and limit_of(table.data, side)]
    if not sides:
        return
    answers = yield Together(tuple(Ask(side, "hide", "7.2.3", about={"start": False}, default={}) for side in sides))
    for side, answer in zip(sides, answers, strict=True):
        place_counters(table, side, answer, start=False)


# --- 7.2.2 answers to `hide` -----------------------------------------------------------------------------------


def check_hide(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """7.2.2, 7.2.3 Accept counters and dummies, or refuse them with every reason."""
    rule, start = ask.rule, bool(ask.about["start"])
    try:
        wish = msgspec.convert(answer, Hiding)
        counters = [(parse_hex(hex), ids) for hex, ids in wish.counters]
        dummies = [parse_hex(hex) for hex in wish.dummies]
    except (msgspec.ValidationError, ValueError) as error:
        why = Objection(
            rule, say("name the hex and units of each counter, and the hexes of dummies: {error}", error=error)
        )
        raise Unreadable("hide", [why], [HIDE_EXAMPLE]) from error
    refusals = []
    for hex, ids in counters:
        if objections := list(counter_objections(situation, ask.seat, hex, ids, rule, start=start)):
            refusals.append(Illegal(f"{hex_name(hex)} {' '.join(ids)}", objections))
    for hex in dummies:
        if objections := list(dummy_objections(situation, ask.seat, hex, rule, start=start)):
            refusals.append(Illegal(hex_name(hex), objections))
    if objections := list(number_objections(situation, ask.seat, counters, dummies, rule, start=start)):
        refusals.append(Illegal("hide", objections))
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)
    placed = [[hex_name(hex), sorted(ids)] for hex, ids in counters]
    found = {"counters": placed, "dummies": [hex_name(hex) for hex in dummies]}
    return {key: value for key, value in found.items() if value}


def counter_objections(
    situation: Situation, side: str, hex: Hex, ids: Sequence[str], rule: str, *, start: bool
) -> Iterator[Objection]:
    """7.2.2, 7.2.3 Object unless a counter's units are one formation in command range, with a unit in its hex."""
    view = situation.state
    units = [view.vehicles[id] for id in ids if id in view.vehicles and view.vehicles[id].side == side]
    if not ids:
        yield Objection(rule, say("this counter covers no unit; place it as a dummy instead"))
        return
    if len(units) < len(ids):
        foreign = next(id for id in ids if id not in {unit.id for unit in units})
        yield Objection(rule, say("{id} is not one of your units", id=foreign))
        return
    if len({unit.formation for unit in units}) > 1:
        yield Objection("7.2.1", say("a counter cannot cover units of different formations"))
    if all(unit.hex != hex for unit in units):
        yield Objection("7.2.2", say("none of the counter's units is in {hex}", hex=hex_name(hex)))
    for unit in units:
        yield from hiding_objections(situation, unit, hex, rule, start=start)


def hiding_objections(situation: Situation, unit: Unit, hex: Hex, rule: str, *, start: bool) -> Iterator[Objection]:
    """7.2.1, 7.2.3 Object unless a unit starts hidden, or is on the ground and unspotted, in a hex open to it."""
    if not unit.alive or unit.aboard:
        yield Objection(rule, say("{unit} is aboard; passengers are under their carrier's counter", unit=unit.id))
    elif start and not unit.hidden:
        yield Objection("7.2.1", say("{unit} does not start hidden", unit=unit.id))
    elif not start and unit.hidden:
        yield Objection("7.2.3", say("{unit} is already under a counter", unit=unit.id))
    elif not start and enemies_that_noticed(situation, unit):
        yield Objection("7.2.3", say("{unit} is spotted", unit=unit.id))
    elif distance(place_of(unit), hex) > command_range(situation.data, unit.formation):
        yield Objection(rule, say("{unit} is not within command range of {hex}", unit=unit.id, hex=hex_name(hex)))
    elif unit.hex != hex and is_immobile(situation.data, unit):
        yield Objection(rule, say("{unit} cannot move to {hex}", unit=unit.id, hex=hex_name(hex)))
    elif ground_of(situation, unit).standing(hex).total == PROHIBITED:
        yield Objection(rule, say("{unit} cannot be in {hex}", unit=unit.id, hex=hex_name(hex)))


def dummy_objections(situation: Situation, side: str, hex: Hex, rule: str, *, start: bool) -> Iterator[Objection]:
    """7.2.2, 7.2.3 Object to a dummy off the map, or during play where an enemy would see it at once."""
    if not situation.data.board.is_on_map(hex):
        yield Objection(rule, say("{hex} is not on the map", hex=hex_name(hex)))
    elif any(unit.side != side for unit in situation.state.at(hex)):
        yield Objection(rule, say("there is an enemy in {hex}", hex=hex_name(hex)))
    elif not start and seen_by_enemies(situation, HiddenCounter(id="", side=side, hex=hex))[0]:
        yield Objection("7.2.3", say("an enemy would see the unit in {hex}", hex=hex_name(hex)))


def number_objections(
    situation: Situation,
    side: str,
    counters: Sequence[tuple[Hex, list[str]]],
    dummies: Sequence[Hex],
    rule: str,
    *,
    start: bool,
) -> Iterator[Objection]:
    """7.2.2 Object to a second counter for a unit, to too many counters, and to a hidden unit without one."""
    view = situation.state
    named = [id for _, ids in counters for id in ids]
    if len(named) > len(set(named)):
        yield Objection(rule, say("a unit can be under only one counter"))
    rest = by_hex(unit for unit in to_hide(view, side) if unit.id not in named) if start else []
    there = len(counters_of(view, side))
    total = there + len(counters) + len(rest) + len(dummies)
    most = max(limit_of(situation.data, side), there, len(by_hex(to_hide(view, side))) if start else 0)
    if total > most:
        yield Objection(
            "7.2.2", say("there are only {most} counters, but {total} would be on the map", most=most, total=total)
        )


def hide_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """7.2.2, 7.2.3 Only required counters; then options with a dummy, or with a unit back under a counter."""
    data, view = situation.data, situation.state
    yield {}
    start = bool(ask.about["start"])
    due = by_hex(to_hide(view, ask.seat)) if start else []
    if len(counters_of(view, ask.seat)) + len(due) >= limit_of(data, ask.seat):
        return
    hexes = sorted(data.board.hexes)
    for number in range(CHOICES):
        hex = Choice("hide", ask.seat, view.turn, number).one_of(hexes)
        if not any(dummy_objections(situation, ask.seat, hex, ask.rule, start=start)):
            yield {"dummies": [hex_name(hex)]}
    for unit in [] if start else view.of(ask.seat):
        if not unit.aboard and not any(hiding_objections(situation, unit, place_of(unit), ask.rule, start=False)):
            yield {"counters": [[hex_name(place_of(unit)), [unit.id]]]}


# --- 7.2.2.2 moving --------------------------------------------------------------------------------------------


def sneak(table: Table[PanzerState], side: str) -> Step:
    """7.2.2.2 At the start of the owner's Movement Step, counters are revealed or moved, one by one."""
    state = table.state
    if not counters_of(state, side):
        return
    wish = msgspec.convert((yield Ask(side, "sneak", "7.2.2.2", default={})), Sneaking)
    for id in wish.reveal:
        if counter := state.hidden_counters.get(id):
            why = Finding("7.2.2.3", inputs={"counter": id}, result="by its owner")
            yield from unveil(table, counter, why)
    for id, hexes in sorted(wish.move.items()):
        if counter := state.hidden_counters.get(id):
            yield from move_counter(table, counter, [parse_hex(hex) for hex in hexes])


def move_counter(table: Table[PanzerState], counter: HiddenCounter, path: Sequence[Hex]) -> Step:
    """7.2.2.2 Move a counter hex by hex as one unit; an enemy that sees it reveals it and may fire at its units."""
    state, data = table.state, table.data
    start, units = counter.hex, units_under(state, counter)
    counter.fast = counter.fast or is_fast(table, counter, [start, *path])
    counter.marker = True
    for unit in units:
        unit.moved = unit.revealed = True
        unit.crawling = crawls(unit)  # 6.6.4.3: it keeps its full cover
        lose_camouflage(data, unit, "moved")  # 7.24
    went = [hex_name(start)]
    if units and mined(table, counter):  # 7.31.2: a move that begins in a field
        yield from reveal_and_attack(table, counter, units, "mines")
        path = ()
    for hex in path:
        counter.hex = hex
        went.append(hex_name(hex))
        for unit in units:
            carry_to(state, unit, hex)
            for found in crush_wire(state, unit):  # 6.1.4.3.11
                table.find(found.rule, inputs={**found.inputs, "unit": counter.id}, result=found.result)
        if danger := danger_in(table, counter):
            yield from reveal_and_attack(table, counter, units, danger)
        else:
            yield from look_around(table)
        if counter.id not in state.hidden_counters:
            break
    marked = Finding("7.2.2.2", inputs={"counter": counter.id, "fast": counter.fast}, result="spot-move")
    table.find("7.2.2.2", inputs={"counter": counter.id, "path": went}, result=went[-1], children=[marked])
    if counter.id not in state.hidden_counters:
        for unit in units:
            if unit.alive:
                yield from overwatch_window(table, unit)
    for unit in units if len(went) > 1 else ():
        morale.move_over(table, unit)  # 7.1.2, 7.1.5


def reveal_and_attack(table: Table[PanzerState], counter: HiddenCounter, units: Sequence[Unit], danger: str) -> Step:
    """7.2.2.3 Reveal a counter that mines or a barrage attack; then they attack its units."""
    why = Finding("7.2.2.3", inputs={"counter": counter.id, "hex": hex_name(counter.hex)}, result=danger)
    yield from unveil(table, counter, why)
    yield from walk_into(table, units)


def danger_in(situation: Situation, counter: HiddenCounter) -> str:
    """7.2.2.3, 7.31.2 The attack that a counter faces in its new hex: enemy mines, or a barrage; empty if none."""
    if mined(situation, counter):
        return "mines"
    return "barrage" if any(barrages_in(situation.state, counter.hex)) else ""


def mined(situation: Situation, counter: HiddenCounter) -> bool:
    """7.31.2 Whether mines attack a counter's units; a field that attacks none of them stays undeclared.

    A dummy counts as any kind of unit.
    """
    data, state = situation.data, situation.state
    if counter.units:
        return any(mines_against(situation, unit) for unit in units_under(state, counter))
    own = data.scenario.conditions.own_mines
    here = (feature for feature in features_in(state, counter.hex) if feature.type in MINES)
    return data.plays("minefields") and any(field.side != counter.side or own for field in here)


def walk_into(table: Table[PanzerState], units: Sequence[Unit]) -> Step:
    """7.2.2.3 Attack the revealed units that are in the minefield or pattern (6.6.6)."""
    for unit in units:
        if unit.alive:
            yield from enter_mines(table, unit)
        if unit.alive:
            yield from barrage_attacks(table, unit)
            reset_barrage_attacks(table.state, unit)


def cost_of(situation: Situation, units: Sequence[Unit], path: Sequence[Hex]) -> int | None:
    """7.2.2.2 The cost of a path, in each hex the highest for any of the units; None if one of them cannot go.

    A hex that takes the whole allowance can only be the first and last of the path (R-14).
    """
    total = 0
    for origin, hex in pairwise(path):
        way = direction_to(origin, hex)
        if way is None:
            return None
        prices = [ground_of(situation, unit).entering(origin, way).total for unit in units]
        if PROHIBITED in prices or (WHOLE in prices and len(path) > 2):
            return None
        total += max(allowance_of(situation, units) if price == WHOLE else int(price) for price in prices)
    return total


def allowance_of(situation: Situation, units: Sequence[Unit]) -> int:
    """7.2.2.2 A counter's movement allowance: that of its slowest unit."""
    return min(unit_allowances(situation, unit).cross for unit in units)


def movers_of(situation: Situation, counter: HiddenCounter) -> list[list[Unit]]:
    """7.2.2.2 A counter's units; for a dummy, each kind of unit it could be, slowest first."""
    data = situation.data
    if counter.units:
        return [units_under(situation.state, counter)]
    cards = sorted(data.book.vehicles, key=lambda card: -data.book.vehicles[card].card.cross_country)
    best = {data.book.vehicles[card].card.traction: card for card in reversed(cards)}
    on_foot = stand_in(data, HiddenCounter(id=counter.id, side=counter.side, hex=counter.hex))
    driving = [msgspec.structs.replace(on_foot, kind="vehicle", card=card) for _, card in sorted(best.items())]
    return [[on_foot], *([unit] for unit in driving)]


def is_fast(situation: Situation, counter: HiddenCounter, path: Sequence[Hex]) -> bool:
    """7.2.2.2 Whether the path is longer or more expensive than a quickmarch on foot allows."""
    on_foot = stand_in(situation.data, HiddenCounter(id=counter.id, side=counter.side, hex=counter.hex))
    cost = cost_of(situation, [on_foot], path)
    most = situation.data.advanced.number("dummy_on_foot")
    return len(path) - 1 > most or cost is None or cost > most


def sneak_objections(situation: Situation, counter: HiddenCounter, path: Sequence[Hex]) -> Iterator[Objection]:
    """7.2.2.2 All the counter's units need a Move and open hexes, and the slowest must be able to afford the path."""
    data, view = situation.data, situation.state
    for unit in units_under(view, counter):
        if command_of(view, unit) is not Command.MOVE:
            yield Objection("7.2.2.2", say("{unit} has no Move command", unit=unit.id))
        elif unit.track_hit or unit.moved or unit.bailed_out or stands_aside(unit):
            yield Objection("7.2.2.2", say("{unit} cannot move now", unit=unit.id))
        elif not has_turn(view, unit):
            yield Objection("7.42.2", say("it is not the turn of {unit}'s formation", unit=unit.id))
    if counter.marker:
        yield Objection("7.2.2.2", say("the counter has already moved"))
    if not all(data.board.is_on_map(hex) for hex in path):
        yield Objection("7.2.2.2", say("the counter must stay on the map"))
        return
    if any(other.side != counter.side for hex in path for other in view.at(hex)):
        yield Objection("7.2.2.2", say("there is an enemy in the counter's way"))
    for unit in units_under(view, counter):
        yield from way_objections(situation, unit, path)
    ways = [(cost_of(situation, units, [counter.hex, *path]), units) for units in movers_of(situation, counter)]
    one_hex = len(path) == 1  # 4.5.1.1.3, 6.6.4.1: always possible
    if not any(cost is not None and (one_hex or cost <= allowance_of(situation, units)) for cost, units in ways):
        yield Objection(
            "7.2.2.2", say("the counter cannot go as far as {path}", path=hex_name(path[-1]) if path else "that")
        )


def way_objections(situation: Situation, unit: Unit, path: Sequence[Hex]) -> Iterator[Objection]:
    """7.2.2.2 Object where the counter's units could not go: from upper floors, or beyond one hex in full cover."""
    mover = mover_of(situation, unit)
    march = start(mover, "crawl" if crawls(unit) else "cross")
    if crawls(unit):
        yield from crawl_objections(mover)
    if unit.inside is not Inside.NO:
        rule = mover.rule("6.6.4.1/floors") if unit.kind == "leg" else "6.6.3"
        yield Objection(rule, say("{unit} has to come out of its building: reveal the counter first", unit=unit.id))
        march = msgspec.structs.replace(march, inside=Inside.NO)
    for hex in path:
        way = direction_to(march.hex, hex) if march.hex is not None else None
        if way is None:
            return  # it has no price either
        yield from passing_objections(mover, march, way)
        march = msgspec.structs.replace(march, hex=hex, inside=Inside.NO, entered=march.entered + 1, way=way)


def check_sneak(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """7.2.2.2 Accept counters to reveal and move, or refuse each that is not possible."""
    try:
        wish = msgspec.convert(answer, Sneaking)
        paths = {id: [parse_hex(hex) for hex in hexes] for id, hexes in wish.move.items()}
    except (msgspec.ValidationError, ValueError) as error:
        why = Objection(
            "7.2.2.2",
            say("name the counters to reveal, and the hexes through which the others move: {error}", error=error),
        )
        raise Unreadable("sneak", [why], [SNEAK_EXAMPLE]) from error
    own = {counter.id: counter for counter in counters_of(situation.state, ask.seat)}
    refusals = []
    for id in [*wish.reveal, *sorted(paths)]:
        if id not in own or (id in wish.reveal and (id in paths or wish.reveal.count(id) > 1)):
            refusals.append(Illegal(id, [Objection("7.2.2.2", say("name your own counters, each once"))], list(own)))
        elif id in paths and (objections := list(sneak_objections(situation, own[id], paths[id]))):
            refusals.append(Illegal(f"{id} {' '.join(wish.move[id])}", objections, [f"{id} reveal"]))
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)
    moves = {id: [hex_name(hex) for hex in path] for id, path in sorted(paths.items()) if path}
    found = {"reveal": sorted(wish.reveal), "move": moves}
    return {key: value for key, value in found.items() if value}


def sneak_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """7.2.2.2 Stay put; then, for each counter, one step in each direction, or revealing it."""
    yield {}
    for counter in counters_of(situation.state, ask.seat):
        for direction in range(1, 7):
            hex = neighbour(counter.hex, direction)
            if not any(sneak_objections(situation, counter, [hex])):
                yield {"move": {counter.id: [hex_name(hex)]}}
    for counter in counters_of(situation.state, ask.seat):
        yield {"reveal": [counter.id]}
