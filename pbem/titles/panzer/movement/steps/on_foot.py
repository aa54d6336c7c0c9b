"""6.6.4, 6.6.5 Movement on foot: leg units, quickmarch, crawling, cavalry, manhandled guns.

    6.6.4.1    walk (steps 1 to 6), face, exit; up and down in buildings
    6.6.4.2    quickmarch_objections, quickmarch_roll
    6.6.4.3    crawl_objections
    6.6.4.4    riders move as wheeled vehicles: `unit_steps`; in full cover they crawl like other leg units
    6.6.4.5    cavalry: the same steps, other limits in `terrain_costs`
    6.6.5      manhandling: one hex

On foot a unit moves in any direction and keeps its facing; it may change facing at any time for free.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from pbem.engine.geometry.hexes import Hex, hex_name, neighbour, neighbours
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.basic_rows import PROHIBITED, WHOLE, Cost, LinkKind
from pbem.titles.panzer.damage.effects import suppress
from pbem.titles.panzer.movement.shared_moves import command_of
from pbem.titles.panzer.movement.steps.acts import Exit, Face
from pbem.titles.panzer.movement.steps.costs import Item, Price, price, saving
from pbem.titles.panzer.movement.steps.driving import FORWARD, Objections, Stride, with_debt
from pbem.titles.panzer.movement.steps.terrain_costs import gait_of, movement_of
from pbem.titles.panzer.movement.steps.unit_steps import (
    March,
    UnitMover,
    a_plain_step,
    a_step,
    drive,
    driving_objections,
    edge_objections,
    hostile_objection,
    in_new_hex,
    narrow_objections,
)
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.sighting.limited_spotting import enemies_that_noticed
from pbem.titles.panzer.sighting.terrain import allows_full_cover, highest_floor
from pbem.titles.panzer.state import Command, Inside, PanzerState, Unit

DIRECTIONS: Final = ("1", "2", "3", "4", "5", "6")


# --- 6.6.4.1 walking -------------------------------------------------------------------------------------------


def walk(mover: UnitMover, progress: March, direction: int) -> Stride | Objections:
    """6.6.4.1 Walk into the next hex in a direction."""
    hex = progress.hex
    if hex is None:
        return [Objection("2.0", say("the unit is not on the map yet: begin with enter:HEX"))]
    target = neighbour(hex, direction)
    if not mover.land.board.is_on_map(target):
        return [
            Objection(
                "4.5.1.1.9",
                say("that leads off the map; use exit:{direction} to leave for good", direction=direction),
            )
        ]
    link, paid = mover.land.board.link(hex, target), mover.land.entering(hex, direction)
    due = with_debt(progress, paid, link)
    objections = [
        *_against_walking(mover, progress),
        *crossing_objections(mover, progress, direction),
        *_against_quickmarch(mover, progress, hex, target),
        *_against_crawling(mover, progress, hex, target),
        *_against_price(mover, progress, due, hex_name(target)),
    ]
    if objections:
        return objections
    after = msgspec.structs.replace(
        progress,
        hex=target,
        spent=progress.spent + _points(progress, due),
        entered=progress.entered + 1,
        link=link,
        owed=_track_debt(mover, hex, direction, link, paid),
        way=direction,
        ended=_exceeds(progress, due),
        trail=(*progress.trail, hex),
        steps=(*progress.steps, str(direction)),
    )
    return Stride(str(direction), in_new_hex(mover, progress, after), due)


def _track_debt(mover: UnitMover, hex: Hex, direction: int, link: LinkKind | None, paid: Price) -> Cost:
    """4.5.1.1.11 The saving from a track, to be paid if the unit leaves the track there (A-34)."""
    return saving(mover.land.off_the_link(hex, direction).total, paid.total) if link == "track" else 0


def _against_walking(mover: UnitMover, progress: March) -> Iterator[Objection]:
    """6.6.4.1, 6.6.4.3, 6.6.5 Reasons why a unit cannot walk at all."""
    unit = mover.unit
    if not mover.on_foot:
        yield Objection(
            "6.6.4.1", say("only leg units and guns move in any direction: use f or b to drive, l or r to turn")
        )
    if unit.kind == "towed":
        yield from _against_manhandling(mover, progress)
    elif unit.full_cover and progress.gait != "crawl":
        yield Objection("6.6.4.3", say("a unit in full cover can only crawl, mount in its hex, or attack"))


def crossing_objections(mover: UnitMover, progress: March, direction: int) -> Iterator[Objection]:
    """6.6.4.1 Reasons why a unit cannot enter the next hex, however it moves and whatever allowance remains.

    They are floors, closed hexes and hexsides, enemy leg and towed units, and narrow roads. Both moves and advances
    use this.
    """
    assert progress.hex is not None
    yield from floor_objections(mover, progress)
    target = neighbour(progress.hex, direction)
    if target in mover.hostile:
        yield hostile_objection(target)
    yield from narrow_objections(mover, progress.hex, target, progress.way, progress.overran)
    due = mover.land.entering(progress.hex, direction)
    if due.total == PROHIBITED:
        yield from (Objection(item.rule, item.what) for item in due.items if item.cost == PROHIBITED)


def passing_objections(mover: UnitMover, progress: March, direction: int) -> Iterator[Objection]:
    """6.6, 7.2.2.2 Reasons why a unit of any kind cannot go on to the next hex, whatever its facing and allowance."""
    assert progress.hex is not None
    if mover.on_foot:
        yield from _against_walking(mover, progress)
        yield from crossing_objections(mover, progress, direction)
        yield from _against_crawling(mover, progress, progress.hex, neighbour(progress.hex, direction))
    else:
        yield from driving_objections(mover, msgspec.structs.replace(progress, facing=direction), FORWARD)


def floor_objections(mover: UnitMover, progress: March) -> Iterator[Objection]:
    """6.6.4.1 Object if a unit on an upper floor leaves the hex without going down first."""
    if progress.inside is Inside.UP:
        yield Objection(
            mover.rule("6.6.4.1/floors"), say("the unit is on an upper floor: give the step `down` first")
        )


def _against_manhandling(mover: UnitMover, progress: March) -> Iterator[Objection]:
    """6.6.5 Object to manhandling a second hex, the largest guns, and guns inside a building (6.1.4.3.1)."""
    if movement_of(mover.data, mover.unit).cross_country == 0:
        yield Objection("6.6.5", say("the unit is too large to be manhandled"))
    if progress.entered >= mover.data.advanced.number("towed_hexes"):
        yield Objection("6.6.5", say("a gun can be manhandled only one hex"))
    if progress.inside is not Inside.NO:
        yield Objection("6.1.4.3.1", say("a gun inside a building cannot move"))


def _against_price(mover: UnitMover, progress: March, due: Price, where: str) -> Iterator[Objection]:
    """6.6.4.1, 6.6.5 Reasons why a unit cannot pay for a hex, unless it is the one hex that is always possible."""
    rule = "6.6.5" if mover.unit.kind == "towed" else "6.6.4.1"
    if due.total == PROHIBITED:
        return  # covered by `crossing_objections`
    if progress.ended:
        yield Objection(rule, say("the one hex that may exceed the allowance must be the last of its move"))
    elif _is_first(progress):
        return
    elif due.total == WHOLE or (isinstance(due.total, int) and due.total > progress.left):
        yield Objection(
            rule,
            say(
                "{where} costs {total}, but only {left} of {limit} movement points are left",
                where=where,
                total=due.total,
                left=progress.left,
                limit=progress.limit,
            ),
        )


def _is_first(progress: March) -> bool:
    """6.6.4.1 Whether the next hex is the one that is always possible; there is none at a quickmarch."""
    return progress.spent == 0 and progress.entered == 0 and progress.gait != "quick"


def _points(progress: March, due: Price) -> int:
    return due.total if isinstance(due.total, int) else progress.allowances.cross


def _exceeds(progress: March, due: Price) -> bool:
    return due.total == WHOLE or progress.spent + _points(progress, due) > progress.limit


def _walking_step(number: str) -> None:
    """6.6.4.1 Register the step in one direction, reported under the rule for walking units."""

    @a_plain_step(number, "6.6.4.1")
    def step(mover: UnitMover, progress: March) -> Stride | Objections:
        return walk(mover, progress, int(number))


for _number in DIRECTIONS:
    _walking_step(_number)


@a_step(Face, "6.6.4.1", Objection("5.5", say("give a facing from 1 to 6, e.g. face:3")))
def face(mover: UnitMover, progress: March, act: Face) -> Stride | Objections:
    """6.6.4.1, 6.6.5 Face in any direction at no cost."""
    if not mover.on_foot:
        return [Objection("4.5.1.1.4", say("use l and r to turn the vehicle"))]
    after = msgspec.structs.replace(progress, facing=act.facing, steps=(*progress.steps, str(act)))
    return Stride(str(act), after, price(Item("6.6.4.1", "no turning cost", 0)))


WAY_OUT: Final = Objection(
    "4.5.1.1.9", say("on foot, give the direction in which the unit leaves the map, e.g. exit:3")
)


@a_step(Exit, "4.5.1.1.9", WAY_OUT)
def leave(mover: UnitMover, progress: March, act: Exit) -> Stride | Objections:
    """4.5.1.1.9 Leave the map: vehicles straight ahead, units on foot in a direction, e.g. exit:3."""
    if not mover.on_foot:
        return drive(mover, progress, "exit")
    if progress.hex is None or not act.way:
        return [WAY_OUT]
    edge = mover.land.board.edge(progress.hex, act.way)
    if edge is None:
        return [Objection("4.5.1.1.9", say("the hex in direction {parts} is still on the map", parts=str(act.way)))]
    due = mover.land.leaving(progress.hex, act.way)
    objections = [
        *_against_walking(mover, progress),
        *floor_objections(mover, progress),
        *edge_objections(mover, progress, str(act)),
        *_against_price(mover, progress, due, "leaving the map"),
        *([Objection("6.6.4.3", say("a unit cannot crawl off the map"))] if progress.gait == "crawl" else ()),
    ]
    if objections:
        return objections
    step, spent = str(act), progress.spent + _points(progress, due)
    return Stride(step, msgspec.structs.replace(progress, spent=spent, exit=edge, steps=(*progress.steps, step)), due)


# --- 6.6.4.1 floors --------------------------------------------------------------------------------------------


@a_plain_step("up", "6.6.4.1/floors")
def go_up(mover: UnitMover, progress: March) -> Stride | Objections:
    """6.6.4.1, 6.1.4.3.1 Go up to the top floor, or to the roof of a desert building."""
    if progress.inside is Inside.UP:
        return [Objection(mover.rule("6.6.4.1/floors"), say("the unit is already on the upper floor"))]
    if progress.hex is None or highest_floor(mover.situation, progress.hex) < 1:
        return [Objection("6.1.4.3.1", say("there is no upper floor here"))]
    return _change_floor(mover, progress, "up", Inside.UP)


@a_plain_step("down", "6.6.4.1/floors")
def go_down(mover: UnitMover, progress: March) -> Stride | Objections:
    """6.6.4.1 Go down to the ground floor."""
    if progress.inside is not Inside.UP:
        return [Objection(mover.rule("6.6.4.1/floors"), say("the unit is already on the ground floor"))]
    return _change_floor(mover, progress, "down", Inside.NO)


def _change_floor(mover: UnitMover, progress: March, step: str, floor: Inside) -> Stride | Objections:
    rule = mover.rule("6.6.4.1/floors")
    cost = mover.data.advanced.number("floor_cost")
    if mover.unit.kind != "leg":
        return [Objection("6.1.4.3.1", say("only leg units can change floors in buildings"))]
    if progress.gait == "crawl" or mover.unit.full_cover:
        return [Objection("6.6.4.3", say("units cannot crawl between floors"))]
    if progress.gait == "quick":
        return [Objection("6.6.4.2", say("a quickmarch can only use open ground and roads"))]
    if progress.ended or cost > progress.left:
        return [
            Objection(
                rule,
                say(
                    "that costs {cost}, but only {left} of {limit} movement points are left",
                    cost=cost,
                    left=progress.left,
                    limit=progress.limit,
                ),
            )
        ]
    after = msgspec.structs.replace(
        progress, inside=floor, spent=progress.spent + cost, steps=(*progress.steps, step)
    )
    return Stride(step, after, price(Item(rule, step, cost)))


# --- 6.6.4.2 quickmarch ----------------------------------------------------------------------------------------


def quickmarch_objections(mover: UnitMover) -> Iterator[Objection]:
    """6.6.4.2 Reasons why a unit cannot quickmarch."""
    unit, view = mover.unit, mover.state
    if unit.kind != "leg" or movement_of(mover.data, unit).quickmarch == 0:
        yield Objection("6.6.4.2", say("the unit's card has no quickmarch"))
        return
    if unit.suppressed:
        yield Objection("6.6.4.2", say("a suppressed unit cannot quickmarch"))
    if any(flag.startswith(("hesitating", "broken")) for flag in unit.flags):
        yield Objection("6.6.4.2", say("a hesitating or broken unit cannot quickmarch"))
    if command_of(view, unit) is not Command.MOVE:
        yield Objection("6.6.4.2", say("a quickmarch needs a Move command"))
    if unit.full_cover:
        yield Objection("6.6.4.3", say("a unit in full cover can only crawl, mount in its hex, or attack"))


def _against_quickmarch(mover: UnitMover, progress: March, origin: Hex, target: Hex) -> Iterator[Objection]:
    """6.6.4.2 Object to a quickmarch off open ground, paths and roads, or with a second change of level."""
    if progress.gait != "quick":
        return
    if not opens_quickmarch(mover, target, mover.land.board.link(origin, target)):
        yield Objection("6.6.4.2", say("a quickmarch cannot go through {target}", target=hex_name(target)))
    levels = progress.levels + abs(mover.land.board.level(origin) - mover.land.board.level(target))
    most = mover.data.advanced.number("quickmarch_levels")
    if levels > most:
        yield Objection(
            "6.6.4.2",
            say(
                "a quickmarch may change its level by at most {most} in total; this move changes it by {levels}",
                most=most,
                levels=levels,
            ),
        )


def opens_quickmarch(mover: UnitMover, hex: Hex, link: LinkKind | None) -> bool:
    """6.6.4.2 Whether a hex allows quickmarch: clear ground, path or road; in the 2016 book also brush and crops.

    Blocks, rubble and other counters that change the terrain close a road too (6.1.4.3).
    """
    if mover.land.lying.get(hex):
        return False
    if link in ("path", "road"):
        return True
    rows = (mover.data.advanced.terrains[name] for name in mover.land.board.terrain(hex))
    return all(mover.data.edition in row.quickmarch.value for row in rows)


def quickmarch_roll(table: Table[PanzerState], unit: Unit) -> Finding:
    """6.6.4.2 After the last hex, a roll within the range for its grade suppresses the unit."""
    data = table.data
    rule = ledger_row(data.edition, "6.6.4.2/suppression-roll")
    modifiers = list(_quickmarch_modifiers(table, unit))
    roll = table.roll(100, rule, unit.id)
    total = roll + sum(row["value"] for row in modifiers)
    limit = data.advanced.grades[unit.grade].quickmarch.value
    tired = total <= limit
    return table.find(
        rule,
        inputs={"unit": unit.id, "grade": unit.grade, "total": total},
        modifiers=modifiers,
        cell=limit,
        dice=[roll],
        result="suppressed" if tired else "fresh",
        children=[suppress(table.state, unit, "5.10")] if tired else [],
    )


def _quickmarch_modifiers(table: Table[PanzerState], unit: Unit) -> Iterator[dict[str, Any]]:
    """6.6.4.5 The modifiers to the quickmarch roll; horses tire less."""
    for row in table.data.advanced.modifiers["quickmarch"]:
        if row.when == gait_of(table.data, unit):
            yield msgspec.to_builtins(row)


# --- 6.6.4.3 crawling ------------------------------------------------------------------------------------------


def crawl_objections(mover: UnitMover) -> Iterator[Objection]:
    """6.6.4.3 Reasons why a unit cannot crawl."""
    unit = mover.unit
    if unit.kind != "leg":
        yield Objection("6.6.4.3", say("only leg units can crawl"))
        return
    if not unit.full_cover:
        yield Objection("6.6.4.3", say("only units in full cover can crawl"))
    if unit.suppressed:
        yield Objection("6.6.4.3", say("a suppressed unit cannot crawl"))
    if mover.data.leg(unit).size == "section" and unit.attached:
        yield Objection("6.6.4.3", say("a section with an attached weapon cannot crawl"))
    if command_of(mover.state, unit) is not Command.MOVE:
        yield Objection("6.6.4.3", say("crawling needs a Move command, not a Short Halt"))


def _against_crawling(mover: UnitMover, progress: March, origin: Hex, target: Hex) -> Iterator[Objection]:
    """6.6.4.3 Object to crawling a second hex, to another level, or next to an enemy spotted by friends."""
    if progress.gait != "crawl":
        return
    if progress.entered:
        yield Objection("6.6.4.3", say("the unit can crawl only one hex"))
    if mover.land.board.level(origin) != mover.land.board.level(target):
        yield Objection("6.6.4.3", say("units cannot crawl up or down a slope"))
    if not allows_full_cover(mover.situation, target):
        yield Objection("6.1.4.2", say("there is no full cover in {target}", target=hex_name(target)))
    if near := spotted_beside(mover, target):
        yield Objection(
            "6.6.4.3",
            say("{target} is next to {near}, which has been spotted", target=hex_name(target), near=near.id),
        )


def spotted_beside(mover: UnitMover, hex: Hex) -> Unit | None:
    """6.6.4.3 An enemy in or next to a hex that any friendly unit spots at this moment."""
    near = (hex, *neighbours(hex))
    side = mover.unit.side
    enemies = (
        unit
        for unit in mover.state.vehicles.values()
        if unit.alive and unit.side != side and unit.hex in near and not unit.aboard
    )
    return next((enemy for enemy in enemies if enemies_that_noticed(mover.situation, enemy)), None)
