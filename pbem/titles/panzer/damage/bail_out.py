"""5.15 Bailing out: crews leave their vehicle, passengers leave it or go down with it.

    5.15          bail_out_checks: every unit that must check after fire, carrier first
    6.5.2.6.1     crew_checks, abandon
    6.5.2.6.2     passenger_checks, survivors
    6.5.4.5       suppressed passengers
    facing        face_outward (ask `facing`): the facing of the units that got out

Called once all combat of a fire at a vehicle and its passengers is resolved. `causes` are rows of the Bail Out Table
in the order in which they happened: no_damage, damaged, track (track_again if its track was hit before), ko, bu.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.command.failed_orders import failed_command, is_left_to_do
from pbem.titles.panzer.damage.effects import eliminate, is_under_cover, pass_on_counter, suppress
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.movement.steps.terrain_costs import may_stand
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.obstacles.minefields import step_on_mines
from pbem.titles.panzer.obstacles.narrow_roads import unlimber
from pbem.titles.panzer.rulings import ruling_finding
from pbem.titles.panzer.sighting.camouflage import lose_camouflage
from pbem.titles.panzer.sighting.terrain import ON_FIRE, board_now, features_in
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import PanzerState, Spot, Unit

TRACK_AGAIN: Final = "track_again"
"""6.5.2.6.1 A track hit on a vehicle that already has one: passengers check, the crew does not."""
TRACK_READING: Final = "track_again_asks_nobody"
DESTROYED: Final = ("ko", "bu")


def bail_out_checks(
    table: Table[PanzerState],
    carrier: Unit,
    causes: str | Sequence[str] = (),
    *,
    suppressed: Sequence[str] = (),
    indirect: bool = False,
) -> list[Finding]:
    """5.15 All checks after fire, the crew's first, because they may settle the passengers' checks.

    `suppressed` are the passengers newly suppressed by GP fire (6.5.4.5); `indirect` gives its kind.
    """
    given = [causes] if isinstance(causes, str) else list(causes)
    destroyed = next((cause for cause in given if cause in DESTROYED), "")
    if destroyed:
        return _together(carrier, given, (), survivors(table, carrier, destroyed))
    if not table.data.plays("bail_out") or not carrier.alive or not (given or suppressed):
        return []
    crew = crew_checks(table, carrier, given)
    if carrier.bailed_out:
        return _together(carrier, given, crew, ())
    shaken = passenger_checks(table, carrier, given)
    row = "suppressed_indirect" if indirect else "suppressed_direct"
    shocked = suppressed_checks(table, carrier, suppressed, row)
    return _together(carrier, given, crew, [*shaken, *shocked])


def _together(
    carrier: Unit, causes: Iterable[str], crew: Sequence[Finding], passengers: Sequence[Finding]
) -> list[Finding]:
    """5.15 The checks of a vehicle and its passengers; the result lists the units that have left it."""
    checks = [*crew, *passengers]
    if not checks:
        return []
    inputs = {"carrier": carrier.id, "causes": list(causes)}
    out = [str(check.inputs["unit"]) for check in checks if check.result in ("bails-out", "survives", "follows")]
    riders = [Finding("6.5.2.6.2", inputs={"carrier": carrier.id}, children=tuple(passengers))] if passengers else []
    return [Finding("5.15", inputs=inputs, result=out, children=(*crew, *riders))]


# --- the roll --------------------------------------------------------------------------------------------------


def _roll(table: Table[PanzerState], rule: str, unit: Unit) -> tuple[int, int, list[dict[str, Any]]]:
    """6.5.2.6.1 Roll a d100 with modifiers. Return the roll, the total and the rows."""
    roll = table.roll(100, rule, unit.id)
    rows = list(_modifiers(table.data, unit))
    return roll, roll + sum(row["value"] * row["times"] for row in rows), rows


def _modifiers(data: PanzerData, unit: Unit) -> Iterator[dict[str, Any]]:
    """6.5.2.6.1 The unit grade and, for a crew only, its morale (7.1.5.1, 7.1.5.2)."""
    for row in data.advanced.modifiers["bail_out"]:
        if row.when == "unit_grade":
            times = data.advanced.grades[unit.grade].bail_out.value
        else:
            times = int(unit.kind == "vehicle" and any(flag.startswith(row.when) for flag in unit.flags))
        if times:
            yield msgspec.to_builtins(row) | {"times": times}


def _check(
    table: Table[PanzerState], rule: str, unit: Unit, row: str, number: int, *, survives: bool = False
) -> Finding:
    """6.5.2.6 Roll once on the Bail Out Table: a unit leaves on this number or less, or survives on it or more."""
    roll, total, modifiers = _roll(table, rule, unit)
    if survives:
        result = "survives" if total >= number else "eliminated"
    else:
        result = "bails-out" if total <= number else "stays"
    test = "survival" if survives else "bail-out"
    inputs = {"unit": unit.id, "test": test, "number": number, "total": total}
    return Finding(rule, inputs=inputs, modifiers=tuple(modifiers), cell=row, dice=(roll,), result=result)


# --- 6.5.2.6.1 the crew ----------------------------------------------------------------------------------------


def crew_checks(table: Table[PanzerState], carrier: Unit, causes: Iterable[str]) -> list[Finding]:
    """6.5.2.6.1 The crew checks for every damage, no-damage and first track hit, until it has left."""
    checks: list[Finding] = []
    for cause in causes:
        number = None if cause == TRACK_AGAIN else table.data.advanced.bail_out[cause].crew
        if number is None or carrier.bailed_out:
            continue
        check = _check(table, "6.5.2.6.1", carrier, cause, number.value)
        if check.result == "bails-out":
            checks += [check, *abandon(table, carrier)]
        else:
            checks.append(check)
    return checks


def abandon(table: Table[PanzerState], carrier: Unit) -> list[Finding]:
    """5.15 Abandon the vehicle for good; it loses its command. All passengers leave without a roll."""
    pass_on_counter(table.state, carrier)
    carrier.bailed_out = True
    told = []
    if carrier.command is not None and is_left_to_do(carrier, carrier.command):
        told.append(
            failed_command(
                carrier, carrier.command, Objection("5.15", say("the vehicle's crew has left it for good"))
            )
        )
    carrier.command, carrier.revealed, carrier.shown, carrier.shares = None, False, False, ""
    rule = ledger_row(table.data.edition, "6.5.2.6.1/passengers-follow")
    return told + [get_out(table, passenger, rule, "follows") for passenger in table.state.passengers(carrier)]


# --- 6.5.2.6.2 the passengers ----------------------------------------------------------------------------------


def passenger_checks(table: Table[PanzerState], carrier: Unit, causes: Sequence[str]) -> list[Finding]:
    """6.5.2.6.2 If the crew stays, each exposed passenger checks for each result until it is out."""
    edition, checks = table.data.edition, list[Finding]()
    rule = ledger_row(edition, "6.5.2.6.2/nd-dm-tk")
    asked = [cause for cause in causes if cause != TRACK_AGAIN or not table.data.charts.switch(TRACK_READING)]
    rows = [("track" if cause == TRACK_AGAIN else cause) for cause in asked]  # house/A9
    if TRACK_AGAIN in causes and table.state.passengers(carrier):
        checks.append(ruling_finding(table.data, TRACK_READING))
    for passenger in table.state.passengers(carrier):
        if rows and is_under_cover(table, passenger):
            sheltered = ledger_row(edition, "6.5.2.6.2/under-cover")
            checks.append(Finding(sheltered, inputs={"unit": passenger.id}, result="no-check"))
            continue
        for row in rows:
            number = table.data.advanced.bail_out[row].passengers
            if number is not None and passenger.aboard:
                checks.append(_leave_or_stay(table, rule, passenger, row, number.value))
    return checks


def suppressed_checks(table: Table[PanzerState], carrier: Unit, suppressed: Sequence[str], row: str) -> list[Finding]:
    """6.5.4.5 Passengers newly suppressed by GP fire check for that, even under cover; the crew never does."""
    number = table.data.advanced.bail_out[row].passengers
    assert number is not None  # the table has this cell
    rule = ledger_row(table.data.edition, "6.5.4.5/suppressed-passengers")
    return [
        _leave_or_stay(table, rule, passenger, row, number.value)
        for passenger in table.state.passengers(carrier)
        if passenger.id in suppressed
    ]


def _leave_or_stay(table: Table[PanzerState], rule: str, passenger: Unit, row: str, number: int) -> Finding:
    check = _check(table, rule, passenger, row, number)
    if check.result == "stays":
        return check
    return msgspec.structs.replace(check, children=(get_out(table, passenger, rule, "out"),))


def survivors(table: Table[PanzerState], carrier: Unit, destroyed: str) -> list[Finding]:
    """6.5.2.6.2 When the vehicle is knocked out or brewed up, each passenger gets out or is lost with it."""
    rule = ledger_row(table.data.edition, "6.5.2.6.2/ko-bu")
    return [_survive(table, rule, passenger, destroyed) for passenger in table.state.passengers(carrier)]


def _survive(table: Table[PanzerState], rule: str, passenger: Unit, destroyed: str) -> Finding:
    row = table.data.advanced.bail_out[destroyed]
    number = row.towed if passenger.kind == "towed" else row.leg
    assert number is not None  # the table has these cells
    if not table.data.plays("bail_out"):  # 5.15 is not in use: no one gets out
        return eliminate(table.state, passenger, rule)
    check = _check(table, rule, passenger, destroyed, number.value, survives=True)
    if check.result == "survives":
        after = get_out(table, passenger, rule, "out")
    else:
        after = eliminate(table.state, passenger, rule)
        passenger.aboard = ""
    return msgspec.structs.replace(check, children=(after,))


def get_out(table: Table[PanzerState], passenger: Unit, rule: str, result: str) -> Finding:
    """6.5.2.6.1 Put the passenger on the ground in the vehicle's hex, same facing, suppressed, with Spot/Move.

    In a hex that is prohibited to it the passenger is lost.
    """
    state, carrier = table.state, table.state.vehicles[passenger.aboard]
    assert carrier.hex is not None
    passenger.aboard, passenger.facing = "", carrier.facing
    burning = any(
        feature.type == ON_FIRE for feature in features_in(state, carrier.hex)
    )  # the hex was entered before
    if not burning and not may_stand(table, passenger, carrier.hex):
        return eliminate(state, passenger, rule)
    passenger.pending = passenger.pending if passenger.pending is Spot.FIRE else Spot.MOVE
    inputs = {"unit": passenger.id, "hex": hex_name(carrier.hex)}
    shock = suppress(state, passenger, rule)
    lost = lose_camouflage(table.data, passenger, "dismounted")  # 7.24
    unlimber(table.data, board_now(table), state, passenger, carrier)  # 7.30
    mines = step_on_mines(table, passenger)  # 7.31.2
    children = tuple(found for found in (shock, lost, mines) if found is not None)
    return Finding(rule, inputs=inputs, result=result, children=children)


# --- facing ----------------------------------------------------------------------------------------------------


def who_got_out(checks: Iterable[Finding], state: PanzerState) -> list[Unit]:
    """The units that these checks have put on the ground."""
    ids = [id for check in checks if check.rule == "5.15" for id in check.result]
    return [state.vehicles[id] for id in ids if id in state.vehicles and _is_on_foot(state.vehicles[id])]


def _is_on_foot(unit: Unit) -> bool:
    return unit.alive and unit.kind != "vehicle"


def face_outward(table: Table[PanzerState], checks: Iterable[Finding]) -> Step:
    """6.5.2.6.1 Ask the owner which way the units that got out face; the default is the vehicle's facing."""
    units = who_got_out(checks, table.state)
    if not units:
        return
    named = {unit.id: unit.facing for unit in units}
    facings = yield Ask(
        units[0].side, "facing", "6.5.2.6.1", subject=units[0].id, about={"units": named}, default=named
    )
    for unit in units:
        unit.facing = facings[unit.id]
    table.find("6.5.2.6.1", inputs={"units": [unit.id for unit in units]}, result=facings)


def facing_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """6.5.2.6.1 Offer each direction for all units, or their facings unchanged."""
    yield dict(ask.about["units"])
    for facing in range(1, 7):
        yield dict.fromkeys(ask.about["units"], facing)


def check_facing(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """6.5.2.6.1 Accept a direction from 1 to 6 for the units that got out; units not named keep theirs."""
    try:
        named = msgspec.convert(answer, dict[str, int])
    except msgspec.ValidationError as error:
        why = Objection("6.5.2.6.1", say("name a direction for each unit: {error}", error=error))
        raise Unreadable("facing", [why], [str(dict(ask.about["units"]))]) from error
    for unit, facing in named.items():
        if unit not in ask.about["units"]:
            raise Illegal(
                unit,
                [Objection("6.5.2.6.1", say("that unit is not one of those that just bailed out"))],
                list(ask.about["units"]),
            )
        if not 1 <= facing <= 6:
            raise Illegal(unit, [Objection("5.5", say("give a facing from 1 to 6"))], ["1"])
    return {**ask.about["units"], **named}
