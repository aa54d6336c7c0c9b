"""C2, C4, C5 Rosters: how battles change them, and how they are refitted afterwards.

C4.1  carry_over   every unit that was sent must have exactly one fate, otherwise the campaign halts
C4.3  learn        experience, and the grade that comes with it
C4.4  capture      points for units that were captured
C4.5  return_missing    missing units return or are given up
C5.1  earn         income, which is lower for a side that leads
C5.2  repair, end_repairs
C5.3  buy, arrive
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any, Final

from pbem.campaigns.rules.book import Book
from pbem.campaigns.rules.state import FATES, Call, CampaignState, Coming, Report, SideState, Unit
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table

FIRST: Final = 101
"""C2.1 The number of a side's first unit."""


class Broken(Exception):
    """C4.1 A report that does not account for every unit exactly once; the campaign halts until it is corrected."""


# --- C4 carry-over -------------------------------------------------------------------------------------------


def check_report(call: Call, report: Report) -> None:
    """C4.1 Check that exactly the mustered units have fates, each in its own side's list and nowhere else."""
    wrong = []
    for side, sent in call.units.items():
        told = report.fates.get(side, {})
        wrong += [f"{unit} has no fate" for unit in sent if unit not in told]
        wrong += [f"{unit} was not sent" for unit in told if unit not in sent]
        wrong += [
            f"{unit} has the fate '{row.get('fate')}'" for unit, row in told.items() if row["fate"] not in FATES
        ]
    seen: dict[str, str] = {}
    for side, told in report.fates.items():
        for unit in told:
            if seen.setdefault(unit, side) != side:
                wrong.append(f"{unit} has two fates")
    wrong += [f"{side} did not fight" for side in report.fates if side not in call.units]
    if wrong:
        raise Broken("; ".join(wrong))


def carry_over(table: Table[CampaignState], battle: str, call: Call, report: Report) -> None:
    """C4.1 Update the rosters after a battle, unit by unit; only the units' own side sees this."""
    check_report(call, report)
    book: Book = table.data
    for side, sent in call.units.items():
        has = table.state.sides[side]
        for id in sent:
            unit = has.units[id]
            if unit.battle != battle:
                raise Broken(f"{id} is not in battle {battle}")
            found = _apply_fate(table, side, unit, report, report.fates[side][id])
            table.find(
                "C4.1",
                to=book.seats_of(side),
                inputs={"unit": id, "name": unit.name, "card": unit.card, "battle": battle, "place": call.name},
                result=report.fates[side][id]["fate"],
                children=found,
            )


def _apply_fate(
    table: Table[CampaignState], side: str, unit: Unit, report: Report, told: dict[str, Any]
) -> list[Finding]:
    has: SideState = table.state.sides[side]
    unit.battle, unit.battles = "", unit.battles + 1
    fate = told["fate"]
    kills = report.kills.get(unit.id, 0)
    if fate in ("lost", "captured"):
        has.lost += 1
        del has.units[unit.id]
        found = (
            [Finding("C4.2", inputs={"unit": unit.id, "kills": kills}, result=unit.kills + kills)] if kills else []
        )
        return [*found, *([capture(table, side)] if fate == "captured" else [])]
    unit.status = "missing" if fate == "missing" else "ready"
    found = learn(table.data, side, unit, kills, won=report.winner == side)
    if damage := int(told.get("damage", 1 if fate == "damaged" else 0)):
        unit.damage = min(3, unit.damage + damage)
        found.append(Finding("C4.2", inputs={"unit": unit.id, "by": damage}, result=f"damage {unit.damage}"))
    if damage >= 2:
        found.append(new_crew(table.data, unit))
    return found


def learn(book: Book, side: str, unit: Unit, kills: int, *, won: bool) -> list[Finding]:
    """C4.3 Give a unit experience for surviving, for kills and for a victory; experience decides its grade."""
    rates, before = book.campaign.experience, book.campaign.grade_of(unit.experience)
    parts = {"battle": rates.battle, "kills": kills * rates.kill, "victory": rates.victory if won else 0}
    unit.kills += kills
    unit.experience += sum(parts.values())
    now = book.campaign.grade_of(unit.experience)
    inputs = {"unit": unit.id, **parts, "number": kills, "before": before, "grade": now}
    return [Finding("C4.3", inputs=inputs, result=unit.experience)]


def new_crew(book: Book, unit: Unit) -> Finding:
    """C4.6 Give a new crew with beginners' experience to a vehicle whose crew has left it."""
    before, unit.experience = unit.experience, min(unit.experience, book.campaign.experience.new_crew)
    grade = book.campaign.grade_of(unit.experience)
    return Finding("C4.6", inputs={"unit": unit.id, "before": before, "grade": grade}, result=unit.experience)


def capture(table: Table[CampaignState], side: str) -> Finding:
    """C4.4 Give the enemy points for a captured unit, without telling its owner."""
    book: Book = table.data
    captor, points = book.other(side), book.campaign.salvage.captured
    table.state.sides[captor].points += points
    return table.find("C4.4", to=book.seats_of(captor), inputs={"points": points}, result=points)


# --- C5 refit ------------------------------------------------------------------------------------------------


def earn(table: Table[CampaignState], side: str) -> None:
    """C5.1 Give a side its income: the base, less for each campaign point of lead, and never below the floor."""
    book: Book = table.data
    rates, state = book.campaign.income, table.state
    lead = max(0, state.sides[side].score - state.sides[book.other(side)].score)
    income = max(rates.least, rates.base - rates.lead * lead)
    state.sides[side].points += income
    inputs = {"side": side, "base": rates.base, "lead": lead, "each": rates.lead, "least": rates.least}
    inputs |= {"income": income}
    table.find("C5.1", to=book.seats_of(side), inputs=inputs, result=state.sides[side].points)


def repair(table: Table[CampaignState], side: str, id: str) -> None:
    """C5.2 Put a unit into repair; this costs a share of the unit's price for each step of damage."""
    book: Book = table.data
    has, unit = table.state.sides[side], table.state.sides[side].units[id]
    cost = book.repair_cost(side, unit)
    has.points -= cost
    unit.status, unit.until = "repair", table.state.turn + book.campaign.repair.stages
    inputs = {"unit": id, "name": unit.name, "damage": unit.damage, "cost": cost, "left": has.points}
    table.find("C5.2", to=book.seats_of(side), inputs=inputs, result=unit.until)


def end_repairs_in_refit(table: Table[CampaignState], side: str) -> None:
    """C5.2 If the file lists repairs among the steps of the refit, end those that are due in the next stage."""
    end_repairs(table, side, table.state.turn + 1)


def end_repairs(table: Table[CampaignState], side: str, stage: int = 0) -> None:
    """C5.2 Make units whose repair is done ready for the next stage."""
    for unit in table.state.sides[side].units.values():
        if unit.status == "repair" and unit.until <= (stage or table.state.turn):
            unit.status, unit.damage, unit.until = "ready", 0, 0
            inputs = {"unit": unit.id, "name": unit.name}
            table.find("C5.2", to=table.data.seats_of(side), inputs=inputs, result="ready")


def return_missing(table: Table[CampaignState], side: str) -> None:
    """C4.5 Return each missing unit, damaged, on a high die roll; the others are lost."""
    book: Book = table.data
    has, needed = table.state.sides[side], book.campaign.salvage.returns
    for unit in [unit for unit in has.units.values() if unit.status == "missing"]:
        die = table.roll(6, "C4.5", unit.id, secret=True)
        back = die >= needed
        if back:
            unit.status, unit.damage = "ready", max(1, unit.damage)
        else:
            has.lost += 1
            del has.units[unit.id]
        inputs = {"unit": unit.id, "name": unit.name, "needed": needed}
        table.find("C4.5", to=book.seats_of(side), inputs=inputs, dice=[die], result="back" if back else "lost")


def buy(table: Table[CampaignState], side: str, card: str, count: int) -> None:
    """C5.3 Pay for units at once; die rolls decide when they arrive."""
    book: Book = table.data
    has, cost = table.state.sides[side], book.campaign.cost_of(side, card) * count
    has.points -= cost
    has.coming += [Coming(card, table.state.turn) for _ in range(count)]
    inputs = {"card": card, "name": book.card_name(card), "count": count, "cost": cost}
    table.find("C5.3", to=book.seats_of(side), inputs=inputs, result=has.points)


def arrive(table: Table[CampaignState], side: str) -> None:
    """C5.3 Bring in each unit under way on a die roll of at least the number in the table; only its side sees it."""
    book: Book = table.data
    has, waiting = table.state.sides[side], list[Coming]()
    for number, row in enumerate(has.coming):
        price = next(p for p in book.campaign.purchase if (p.side, p.card) == (side, row.card))
        die = table.roll(6, "C5.3", side, row.card, str(number), secret=True)
        if die >= price.arrives:
            unit = enlist(table, side, row.card)
            inputs = {"card": row.card, "unit": unit.id, "name": unit.name, "needed": price.arrives}
        else:
            waiting.append(row)
            inputs = {"card": row.card, "name": book.card_name(row.card), "needed": price.arrives}
        table.find("C5.3", to=book.seats_of(side), inputs=inputs, dice=[die], result=die >= price.arrives)
    has.coming = waiting


def enlist(table: Table[CampaignState], side: str, card: str) -> Unit:
    """C2.2 Add a new unit to a roster; its number hides how many units were bought before."""
    book: Book = table.data
    has, own = table.state.sides[side], book.sides[side]
    has.numbers = has.numbers or table.roll(1_000_000, "C2.2", side, secret=True)
    number = number_for(has.numbers, has.enlisted, FIRST + sum(row.count for row in own.units))
    has.enlisted += 1
    id = f"{own.letter}{number}"
    crew = book.campaign.experience.new_crew
    has.units[id] = Unit(id, card, f"{book.card_name(card)} {number}", crew, since=table.state.turn)
    return has.units[id]


def number_for(key: int, count: int, first: int) -> int:
    """C2.2 The number of a side's next new unit. No number is used twice, and a secret key decides their order.

    The key is rolled once for a side and known only to it. Numbers have three digits until these are used up.
    """
    low, high = first, 1000
    while count >= max(0, high - low):
        count -= max(0, high - low)
        low, high = max(low, high), 10 * high
    return _draw_order(key, low, high)[count]


@lru_cache(maxsize=16)
def _draw_order(key: int, low: int, high: int) -> tuple[int, ...]:
    """The numbers of a range in the order that the key decides."""
    return tuple(sorted(range(low, high), key=lambda number: hashlib.sha256(f"{key}/{number}".encode()).digest()))
