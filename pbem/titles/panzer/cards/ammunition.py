"""5.16 Ammunition: which special types are available, and whether a limit affects a shot.

    5.16.1      is_available, ammo_objections
    5.16.2      check_ammo, Loaded; limit_roll
    5.16.2.1    basic limits: rate of fire N and a modifier
    5.16.2.2    special limits: basic AP ammunition instead, with the same effects
    5.16.2.3    check_smoke: no smoke, no illumination
    5.16.2.4    basic_limit, supply: guns and crew-served weapons near their transport or dump
    5.16.2.7    shortage, tungsten: the tungsten shortage: a modifier to the roll, or no APCR at all

Only aircraft count their attacks (5.16.2.6); that is part of 6.7.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple

from pbem.engine.geometry.hexes import distance, hex_name
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.card_rows import Ammo, Letter
from pbem.titles.panzer.cards.chart_rows import RateOfFire
from pbem.titles.panzer.cards.weapons import Armament, How
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import PanzerState, Unit

SEASONS: Final = {"early": "01", "mid": "05", "late": "09"}
"""5.16.1 The first month of each part of a year."""
BASIC: Final[Letter] = "basic"
Shortage = Literal["off", "+1", "+2", "banned"]
TUNGSTEN_FROM: Final = "1943-09"
"""5.16.2.7 The tungsten shortage begins in late 1943."""


# --- 5.16.1 availability ---------------------------------------------------------------------------------------


def is_available(data: PanzerData, ammo: Ammo) -> bool:
    """5.16.1 Whether the date in the card's notes has come; always true without a date or in an undated action."""
    if not ammo.available or not data.scenario.date:
        return True
    part, _, year = ammo.available.partition(" ")
    return data.scenario.date >= f"{year}-{SEASONS[part]}"


def ammo_objections(data: PanzerData, unit: Unit, arm: Armament, how: How) -> Iterator[Objection]:
    """5.16.1, 5.16.2.7 Reasons why a unit's weapon cannot fire its special ammunition."""
    ammo = arm.ammo_of(how)
    if ammo is not None and not data.plays("special_ammunition"):
        yield Objection("5.16.1", say("special ammunition is not in use in this match"))
    elif ammo is not None and not is_available(data, ammo):
        yield Objection(
            "5.16.1",
            say(
                "{type} for the unit's {arm} is available only from {available} onwards",
                type=ammo.type,
                arm=arm.name,
                available=ammo.available,
            ),
        )
    if ammo is not None and shortage(data, unit, ammo) == "banned":
        yield Objection("5.16.2.7", say("no tungsten is left for the unit's {type}", type=ammo.type))


# --- 5.16.2 the check ------------------------------------------------------------------------------------------


class Loaded(NamedTuple):
    """5.16.2 How a shot is fired: way of firing, rate of fire, number of limits in effect, and why."""

    how: How
    rate: RateOfFire
    short: int = 0
    findings: tuple[Finding, ...] = ()


def check_ammo(table: Table[PanzerState], unit: Unit, arm: Armament, how: How) -> Loaded:
    """5.16.2 Before the shot is resolved, roll a d10; a roll above the limit puts the limit into effect."""
    data: PanzerData = table.data
    if not data.plays("ammo_limits"):
        return Loaded(how, arm.rate)
    ammo = arm.ammo_of(how)
    if ammo is not None and arm.weapon.has_ap:
        loaded = _special(table, unit, arm, ammo)
    else:
        loaded = _basic(table, unit, arm, how, ammo)
    if not loaded.findings:
        return loaded
    inputs = {"unit": unit.id, "weapon": arm.name, "declared": how}
    why = Finding("5.16", inputs=inputs, result=loaded.how, children=loaded.findings)
    return loaded._replace(findings=(why,))


def limit_roll(
    table: Table[PanzerState], subject: str, letter: Letter, limit: int, added: int = 0
) -> tuple[bool, Finding]:
    """5.16.2 Whether the limit on a type of ammunition takes effect for this shot."""
    roll = table.roll(10, "5.16.2", subject, letter)
    short = roll + added > limit
    inputs = {"subject": subject, "ammunition": letter, "limit": limit} | ({"added": added} if added else {})
    shortage = (Finding("5.16.2.7", inputs={"subject": subject}, result=added),) if added else ()
    result = "short" if short else "enough"
    return short, Finding("5.16.2", inputs=inputs, dice=(roll,), result=result, children=shortage)


def _special(table: Table[PanzerState], unit: Unit, arm: Armament, ammo: Ammo) -> Loaded:
    """5.16.2.2 If special ammunition is short, fire basic AP under one limit, or two if basic is short too."""
    how = f"ap:{ammo.type}"
    limit = arm.limits.get(ammo.letter)
    if limit is None:
        return Loaded(how, arm.rate)
    short, roll = limit_roll(table, unit.id, ammo.letter, limit, tungsten(table.data, unit, ammo))
    if not short:
        return Loaded(how, arm.rate, 0, (roll,))
    basic = _basic(table, unit, arm, "ap", None)
    instead = Finding("5.16.2.2", inputs={"unit": unit.id, "instead_of": ammo.type}, result="ap")
    return Loaded("ap", "N", 1 + basic.short, (roll, instead, *basic.findings, _reduced_fire(unit, 1 + basic.short)))


def _basic(table: Table[PanzerState], unit: Unit, arm: Armament, how: How, ammo: Ammo | None) -> Loaded:
    """5.16.2.1 Check basic AP and GP ammunition, or hollow charges if the weapon has no other AP ammunition."""
    supplied: tuple[Finding, ...] = ()
    letter: Letter = ammo.letter if ammo is not None and ammo.letter in arm.limits else BASIC
    limit = arm.limits.get(letter)
    if letter == BASIC and limit is not None and (unit.kind == "towed" or arm.attached):
        supplied = (supply(table, unit),)  # 5.16.2.4
        limit = None if supplied[0].result else limit
    if limit is None:
        return Loaded(how, arm.rate, 0, supplied)
    short, roll = limit_roll(table, unit.id, letter, limit)
    if not short:
        return Loaded(how, arm.rate, 0, (*supplied, roll))
    return Loaded(how, "N", 1, (*supplied, roll, _reduced_fire(unit, 1)))


def _reduced_fire(unit: Unit, short: int) -> Finding:
    """5.16.2.1 The shot is still made, but at rate of fire N and with the modifier once per limit in effect."""
    return Finding("5.16.2.1", inputs={"unit": unit.id, "rate": "N"}, result=short)


def check_smoke(
    table: Table[PanzerState], subject: str, limits: Mapping[Letter, int], letter: Letter = "S"
) -> tuple[bool, list[Finding]]:
    """5.16.2.3 Whether smoke or illumination is fired; it is not if its limit takes effect."""
    limit = limits.get(letter)
    if limit is None or not table.data.plays("ammo_limits"):
        return True, []
    short, roll = limit_roll(table, subject, letter, limit)
    return not short, [Finding("5.16.2.3", inputs={"subject": subject}, result=not short, children=(roll,))]


# --- 5.16.2.4 supply -------------------------------------------------------------------------------------------


def supply(situation: Situation, unit: Unit) -> Finding:
    """5.16.2.4 Basic ammo has no limit near the unit's own transport, or in the hex where it started deployed.

    The vehicle in which it began is its transport, unless the scenario names another.
    An abandoned transport supplies no one (A-46).
    """
    assert unit.hex is not None
    row = situation.data.rows.get(unit.id)
    own = unit.transport or (row.aboard if row is not None else "")
    transport = situation.state.vehicles.get(own)
    near = (
        transport is not None
        and transport.alive
        and not transport.bailed_out
        and transport.hex is not None
        and distance(transport.hex, unit.hex) <= situation.data.advanced.number("supply_distance")
    )
    inputs = {"unit": unit.id, "hex": hex_name(unit.hex), "transport": own, "near": near}
    return Finding("5.16.2.4", inputs=inputs, result=near or unit.dump == unit.hex)


# --- 5.16.2.7 tungsten -----------------------------------------------------------------------------------------


def shortage(data: PanzerData, unit: Unit, ammo: Ammo) -> Shortage:
    """5.16.2.7 The agreed shortage of German APCR from late 1943; the switch on its own means +1."""
    german = ammo.type == "APCR" and data.scenario.formations[unit.formation].nation == "german"
    if not german or (data.scenario.date and data.scenario.date < TUNGSTEN_FROM):
        return "off"
    agreed = data.scenario.conditions.tungsten
    return "+1" if agreed == "off" and data.charts.switch("tungsten_shortage") else agreed


def tungsten(data: PanzerData, unit: Unit, ammo: Ammo) -> int:
    """5.16.2.7 The shortage's modifier to the roll, not to the limit (A20)."""
    return {"+1": 1, "+2": 2}.get(shortage(data, unit, ammo), 0)
