"""7.52 Command span: headquarters command units within their span.

    7.52/chq    company_span: Move and Short Halt are limited while a unit is out of span
    7.52/bhq    battalion_span: fewer commands for a company with its headquarters out of span
    7.52/rhq    regiment_span: fewer commands for all companies of a battalion out of span
    7.52        grade_in_span, most_moves, explain_span

Span is measured from hex to hex when the available commands are determined. Headquarters that are not in play are off
the map and reach every unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pbem.engine.geometry.hexes import distance
from pbem.engine.rules.findings import Finding
from pbem.titles.panzer.cards.card_rows import Label
from pbem.titles.panzer.cards.chart_rows import Grade
from pbem.titles.panzer.cards.units import formation_grade, formations_above, is_recon
from pbem.titles.panzer.command.radios import RADIO_LOST, has_radio
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Unit

RULE: Final = "command_span"
GRADES: Final[tuple[Grade, ...]] = ("elite", "veteran", "seasoned", "regulars", "green")
"""5.8 The grades, best first: the rows of the Available Commands Table."""
IN_SPAN, OUT, LOST = "in-span", "out-of-span", "lost"


# --- 7.52 distances --------------------------------------------------------------------------------------------


def span_of(data: PanzerData, side: str, label: Label) -> int:
    """7.52 The span in hexes, for all grades; a scenario may change it."""
    given = data.scenario.conditions.command_span.get(side, {}).get(label)
    printed = next(row.hexes.value for row in data.advanced.optional.command_span if row.level == label)
    return printed if given is None else given


def is_in_span(data: PanzerData, headquarters: Unit, unit: Unit, label: Label) -> bool:
    """7.52 Whether a unit is within a headquarters' span; without radios the span is 0."""
    if headquarters is unit or headquarters.hex is None or unit.hex is None:
        return True
    talking = has_radio(data, headquarters) and has_radio(data, unit)
    return distance(headquarters.hex, unit.hex) <= (span_of(data, unit.side, label) if talking else 0)


def headquarters_of(situation: Situation, formations: Iterable[str], label: Label) -> list[Unit]:
    """7.52 All headquarters of a level that these formations have ever had."""
    data = situation.data
    named = set(formations)
    units = (unit for unit in situation.state.vehicles.values() if unit.formation in named)
    return [unit for unit in units if label in unit.labels or lost_its_radio(data, unit, label)]


def lost_its_radio(data: PanzerData, unit: Unit, label: Label) -> bool:
    """7.23.2 Whether the unit was a headquarters until its radio was hit."""
    row = data.rows.get(unit.id)
    return RADIO_LOST in unit.flags and row is not None and label in row.labels


def is_lost(unit: Unit) -> bool:
    """7.52 Whether the unit is eliminated, abandoned or destroyed, or no longer commands (7.23.2)."""
    return unit.lost or RADIO_LOST in unit.flags


def on_map(units: Iterable[Unit]) -> list[Unit]:
    """7.52 The units on the map; others are ignored."""
    return [unit for unit in units if unit.alive and not unit.bailed_out]


def commanding_headquarters(units: Iterable[Unit]) -> list[Unit]:
    """7.52 The headquarters on the map that can command."""
    return [unit for unit in on_map(units) if not is_lost(unit)]


def span_status(data: PanzerData, above: Sequence[Unit], below: Sequence[Unit], label: Label) -> str:
    """7.52 Whether an upper headquarters remains and has one of the lower ones within its span."""
    if not above:
        return IN_SPAN  # off the map: they reach every unit
    if all(is_lost(unit) for unit in above):
        return LOST
    here = commanding_headquarters(above)
    if not here or not below:
        return IN_SPAN
    return IN_SPAN if any(is_in_span(data, one, unit, label) for one in here for unit in below) else OUT


# --- 7.52 the three levels -------------------------------------------------------------------------------------


def company_span(situation: Situation, formation: str) -> Finding:
    """7.52/chq Whether every unit except recon is within span of a headquarters of its own formation."""
    data = situation.data
    headquarters = headquarters_of(situation, [formation], "chq")
    units = on_map(
        unit for unit in situation.state.vehicles.values() if unit.formation == formation and not is_recon(unit)
    )
    here = commanding_headquarters(headquarters)
    out = [unit.id for unit in units if here and not any(is_in_span(data, one, unit, "chq") for one in here)]
    lost = bool(headquarters) and all(is_lost(unit) for unit in headquarters)
    result = LOST if lost else OUT if out else IN_SPAN
    inputs = {"formation": formation, "headquarters": [unit.id for unit in here], "out": out}
    return Finding("7.52/chq", inputs=inputs, result=result)


def battalion_span(situation: Situation, formation: str) -> Finding:
    """7.52/bhq Whether a company headquarters is within span of a battalion headquarters above it."""
    above = headquarters_of(situation, formations_above(situation.data, formation), "bhq")
    below = commanding_headquarters(headquarters_of(situation, [formation], "chq"))
    return Finding(
        "7.52/bhq", inputs={"formation": formation}, result=span_status(situation.data, above, below, "bhq")
    )


def regiment_span(situation: Situation, formation: str) -> Finding:
    """7.52/rhq Whether a company's battalion headquarters is within span of a regimental one above it."""
    chain = formations_above(situation.data, formation)
    above = headquarters_of(situation, chain, "rhq")
    below = commanding_headquarters(headquarters_of(situation, chain, "bhq"))
    return Finding(
        "7.52/rhq", inputs={"formation": formation}, result=span_status(situation.data, above, below, "rhq")
    )


# --- 7.52 the cost ---------------------------------------------------------------------------------------------


def rows_lower(situation: Situation, formation: str) -> int:
    """7.52 How many rows lower to look: two each for the battalion and the regiment, if out of span or lost."""
    spans = (battalion_span(situation, formation), regiment_span(situation, formation))
    wanting = [found for found in spans if found.result != IN_SPAN]
    return len(wanting) * situation.data.advanced.number("span_rows")


def grade_in_span(situation: Situation, formation: str) -> Grade:
    """7.52 The row of the Available Commands Table, never below Green; command range uses the true grade."""
    true = formation_grade(situation.data, formation)
    if not situation.data.plays(RULE):
        return true
    return GRADES[min(len(GRADES) - 1, GRADES.index(true) + rows_lower(situation, formation))]


def most_moves(situation: Situation, formation: str, commands: int) -> int | None:
    """7.52/chq The limit on Move and Short Halt commands: half of all, at least one; None for no limit."""
    if not situation.data.plays(RULE) or company_span(situation, formation).result == IN_SPAN:
        return None
    return max(1, commands // 2)


def explain_span(situation: Situation, formation: str, commands: int) -> list[Finding]:
    """7.52 A formation's spans, and their effect on its commands."""
    if not situation.data.plays(RULE):
        return []
    children = (
        company_span(situation, formation),
        battalion_span(situation, formation),
        regiment_span(situation, formation),
    )
    inputs = {"formation": formation, "grade": grade_in_span(situation, formation)}
    return [Finding("7.52", inputs=inputs, result=most_moves(situation, formation, commands), children=children)]
