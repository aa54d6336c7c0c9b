"""6.6.3 Vehicles entering and leaving buildings, at some risk.

    6.6.3         steps: in (from the alley), f-in (from the adjacent hex), out (to the alley); f and b leave it too
    6.6.3/who     entry_objections
    6.6.3         attempt: the two rolls and their effects
    6.6.3/stop    where a vehicle that does not get through stops

A route is planned as if every attempt succeeded; the dice are rolled when it is carried out. No bail-out check
follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import msgspec

from pbem.engine.geometry.hexes import Hex, hex_name, neighbour
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.chart_rows import Building, Interior
from pbem.titles.panzer.cards.weapons import is_armed
from pbem.titles.panzer.damage.attacks import damage_by_die
from pbem.titles.panzer.damage.effects import damage_vehicle, hit_track
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.movement.steps.costs import Price
from pbem.titles.panzer.movement.steps.driving import FORWARD, NOT_YET_HERE, Objections, Stride, is_first
from pbem.titles.panzer.movement.steps.unit_steps import (
    March,
    UnitMover,
    a_plain_step,
    driving_objections,
    in_new_hex,
)
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.state import Damage, Inside, PanzerState, Unit

INTO: str = "f-in"


# --- 6.6.3 eligibility -----------------------------------------------------------------------------------------


def entry_objections(data: PanzerData, unit: Unit, passengers: bool) -> Iterator[Objection]:
    """6.6.3, 6.1.4.3.1 Object unless this is a roofed, fully tracked vehicle without passengers (2016: not AA)."""
    who = ledger_row(data.edition, "6.6.3/who")
    if unit.kind != "vehicle":
        yield Objection("6.1.4.3.1", say("leg units are inside automatically, and guns stay outside"))
        return
    card = data.vehicle(unit)
    if card.card.traction != "T":
        yield Objection(who, say("only fully tracked vehicles can enter buildings"))
    if card.card.open_topped:
        yield Objection(who, say("an open-topped vehicle cannot enter a building"))
    if passengers:
        yield Objection(who, say("a vehicle with passengers cannot enter a building"))
    if data.charts.switch("anti_aircraft_barred") and is_anti_aircraft(data, unit):
        yield Objection("6.6.3/aa-vehicles", say("an anti-aircraft vehicle cannot enter a building"))


def is_anti_aircraft(data: PanzerData, unit: Unit) -> bool:
    """6.6.3 Whether the vehicle's main weapon is anti-aircraft; a machine gun on the roof does not count."""
    mounts = data.vehicle(unit).mounts
    return bool(mounts) and mounts[0].gun.aa is not None


# --- 6.6.3 the steps -------------------------------------------------------------------------------------------


@a_plain_step("in", "6.6.3")
def go_in(mover: UnitMover, progress: March) -> Stride | Objections:
    """6.6.3 Move from the alley into the building in the same hex."""
    interior = None if progress.hex is None else mover.land.interior(progress.hex)
    if interior is None:
        return [Objection("6.6.3", say("there is no building in the vehicle's hex"))]
    if progress.inside is not Inside.NO:
        return [Objection("6.6.3", say("the vehicle is already inside a building"))]
    due = Price((mover.land.inside(interior),), mover.land.inside(interior).cost)
    return _change(mover, progress, "in", Inside.BUILDING, due)


@a_plain_step("out", "6.6.3")
def go_out(mover: UnitMover, progress: March) -> Stride | Objections:
    """6.6.3 Move from the building into the alley of the same hex, at the alley's cost."""
    if mover.unit.kind != "vehicle" or progress.inside is Inside.NO or progress.hex is None:
        return [Objection("6.6.3", say("the vehicle is not inside a building"))]
    return _change(mover, progress, "out", Inside.NO, mover.land.out_to_alley(progress.hex))


@a_plain_step(INTO, "6.6.3")
def drive_in(mover: UnitMover, progress: March) -> Stride | Objections:
    """6.6.3 Drive straight ahead into the building in the next hex, paying only the building's cost."""
    if progress.hex is None:
        return [NOT_YET_HERE]
    target = neighbour(progress.hex, progress.facing)
    interior = mover.land.interior(target) if mover.land.board.is_on_map(target) else None
    if interior is None:
        return [Objection("6.6.3", say("there is no building in the hex ahead"))]
    if progress.mode == "road":
        return [Objection(mover.rule("4.5.1.1.5/mixed"), say("no road leads into a building; move across country"))]
    due = mover.land.into_building(progress.hex, progress.facing, interior)
    objections = [
        *driving_objections(mover, progress, FORWARD),
        *_against(mover, progress, due),
        *entry_objections(mover.data, mover.unit, bool(progress.aboard)),
    ]
    if objections:
        return list(dict.fromkeys(objections))
    after = msgspec.structs.replace(
        progress,
        hex=target,
        spent=progress.spent + _points(due),
        entered=progress.entered + 1,
        turned=0,
        turn_paid=False,
        link=None,
        owed=0,
        arrival=progress.facing,
        way=progress.facing,
        ended=progress.spent + _points(due) > progress.limit,
        trail=(*progress.trail, progress.hex),
        steps=(*progress.steps, INTO),
    )
    inside = msgspec.structs.replace(in_new_hex(mover, progress, after), inside=Inside.BUILDING)
    return Stride(INTO, inside, due)


def _change(mover: UnitMover, progress: March, step: str, place: Inside, due: Price) -> Stride | Objections:
    """6.6.3 Enter or leave the building within the hex."""
    who = entry_objections(mover.data, mover.unit, bool(progress.aboard)) if step == "in" else ()
    objections = [*_against(mover, progress, due), *who]
    if objections:
        return objections
    spent = progress.spent + _points(due)
    after = msgspec.structs.replace(
        progress, inside=place, spent=spent, ended=spent > progress.limit, steps=(*progress.steps, step)
    )
    return Stride(step, after, due)


def _against(mover: UnitMover, progress: March, due: Price) -> Iterator[Objection]:
    """6.6.3 Objections to a step that the vehicle cannot take or pay for."""
    if mover.unit.track_hit:
        yield Objection("6.5.2.2.1", say("the unit's track is hit, so it cannot move or turn"))
    if not isinstance(due.total, int):
        yield from (Objection(item.rule, item.what) for item in due.items if not isinstance(item.cost, int))
    elif progress.ended:
        yield Objection("4.5.1.1.3", say("a move that exceeds the allowance ends after one hex"))
    elif due.total > progress.left and not is_first(progress):
        yield Objection(
            "4.5.1.1.3",
            say(
                "the building costs {total}, but only {left} of {limit} movement points are left",
                total=due.total,
                left=progress.left,
                limit=progress.limit,
            ),
        )


def _points(due: Price) -> int:
    assert isinstance(due.total, int)
    return due.total


# --- 6.6.3 the attempt -----------------------------------------------------------------------------------------

Outcome = Literal["through", "track", "damaged", "destroyed"]


class Attempt(NamedTuple):
    """6.6.3 One attempt to enter or leave a building, and its outcome."""

    outcome: Outcome
    finding: Finding


def building_row(data: PanzerData, interior: Interior) -> Building:
    """6.6.3 The row of the Building Effects Table: wood, brick or stone."""
    return data.advanced.buildings[interior.id.removesuffix("_building")]


def attempt(table: Table[PanzerState], unit: Unit, interior: Interior, way: Literal["in", "out"]) -> Attempt:
    """6.6.3 Roll d100 plus five times the GP defence; within the range, a second roll gives the effect."""
    data: PanzerData = table.data
    row = building_row(data, interior)
    added = data.advanced.number("building_defence") * data.vehicle(unit).defence
    roll = table.roll(100, "6.6.3", unit.id)
    inputs = {"unit": unit.id, "building": row.id, "way": way, "total": roll + added, "added": added}
    if roll + added > row.hit.value:
        return Attempt("through", Finding("6.6.3", inputs=inputs, cell=row.hit.value, dice=(roll,), result="through"))
    second = table.roll(100, "6.6.3", unit.id)
    outcome: Outcome = "track" if second <= row.track.value else "damaged"
    cell = [row.hit.value, row.track.value]
    return Attempt(outcome, Finding("6.6.3", inputs=inputs, cell=cell, dice=(roll, second), result=outcome))


def suffer(table: Table[PanzerState], unit: Unit, outcome: Outcome) -> Finding:
    """6.6.3 Apply a track hit or damage: turret or hull by a d10 roll, the hull if unarmed (2024)."""
    if outcome == "track":
        return hit_track(table, unit)
    data: PanzerData = table.data
    if not data.charts.switch("split_damage"):
        return damage_vehicle(table, unit, Damage.WHOLE)
    if not is_armed(data, unit):
        return damage_vehicle(table, unit, Damage.HULL)
    return damage_by_die(table, unit, "6.6.3")


def stop(data: PanzerData, before: March, after: March, way: Literal["in", "out"]) -> tuple[Hex, Inside]:
    """6.6.3 The place where a vehicle stops if it does not get through: inside, or in the alley of the building hex.

    In the 2016 book a vehicle coming from an adjacent hex stays in that hex.
    """
    assert before.hex is not None and after.hex is not None
    if way == "out" or before.hex == after.hex or data.charts.switch("anti_aircraft_barred"):
        return before.hex, before.inside
    return after.hex, Inside.NO


def stop_finding(data: PanzerData, unit: Unit, hex: Hex, inside: Inside) -> Finding:
    """6.6.3 Report where the vehicle has stopped."""
    rule = ledger_row(data.edition, "6.6.3/stop")
    return Finding(rule, inputs={"unit": unit.id, "hex": hex_name(hex)}, result=inside.value or "alley")
