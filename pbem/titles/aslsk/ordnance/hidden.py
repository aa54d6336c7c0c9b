"""6.4 Hidden initial placement: Guns and crews that only their owner sees, and how they are revealed.

6.4    hiding_objections, reveal, reveal_in, reveal_seen, turned_back
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Appear, Happening, Reveal
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit, hidden_at, pieces
from pbem.titles.aslsk.tabletop import AslskTable

HIT: Final = "it is hit"
HANDLES: Final = "it handles a weapon"
SIGHT: Final = 16
"""6.4 The range within which any enemy that sees a Gun in the open finds it."""


def hiding_objections(situation: Situation, unit: Unit, hex: str) -> Iterator[Objection]:
    """6.4 Object to hiding a unit unless it is a Gun's crew, not on a paved road and not where the scenario
    forbids it.
    """
    if "no hidden guns" in situation.data.scenario.rules:
        yield Objection("6.4", say("Guns cannot set up hidden in this scenario"))
    if situation.card(unit).kind != "crew":
        yield Objection("6.4", say("{unit} is not a crew with a Gun", unit=unit.id))
    elif hex not in situation.ground or situation.ground[hex].paved:
        yield Objection("6.4", say("{unit} cannot hide on a paved road", unit=unit.id))


def reveal(table: AslskTable, unit: Unit, why: str) -> None:
    """6.4 Place a hidden Gun and its crew on the map; whatever reveals them calls this function."""
    if not unit.hidden:
        return
    unit.hidden = False
    gun = table.situation.gun_of(unit)
    shown: list[Happening] = [Appear(unit.id, unit.at), Reveal(unit.id, "hidden", why)]
    facing = gun.facing if gun is not None else -1
    inputs = {"unit": unit.id, "weapon": gun.id if gun is not None else "", "at": unit.at, "facing": facing}
    rule = "6.4/attack-on-hidden" if why == HIT else "6.4/loss"
    reason = Finding(rule, inputs={"unit": unit.id}, result=why)
    table.find("6.4", inputs={**inputs, "why": why}, result="revealed", shows=shown, children=[reason])


def reveal_in(table: AslskTable, hex: str, seat: str, why: str) -> bool:
    """6.4 Reveal the hidden enemies of a seat in a hex; return whether there were any."""
    found = hidden_at(table.state, hex, seat)
    for unit in found:
        reveal(table, unit, why)
    return bool(found)


def reveal_seen(table: AslskTable) -> None:
    """6.4 Reveal each Gun in Open Ground or on a dirt road that a Good Order enemy sees."""
    situation = table.situation
    for unit in [one for one in table.state.units.values() if one.hidden]:
        if situation.ground.is_open(unit.at) and is_watched(situation, unit):
            reveal(table, unit, "in sight in the open")


def is_watched(situation: Situation, unit: Unit) -> bool:
    """6.4 Whether a Good Order enemy within 16 hexes has a line of sight to the unit."""
    return any(
        enemy.seat != unit.seat
        and bool(enemy.at)
        and situation.sees(enemy.at, unit.at)
        and situation.ground.distance(enemy.at, unit.at) <= SIGHT
        and situation.good_order(enemy)
        for enemy in pieces(situation.state)
    )


def turned_back(table: AslskTable, units: Sequence[Unit], hex: str, cost: int) -> bool:
    """6.4 Turn back Infantry that would enter a hidden Gun's hex; its MF are spent. Return whether that happened."""
    if not reveal_in(table, hex, units[0].seat, "enemy infantry entered its hex"):
        return False
    for unit in units:
        if unit.going is not None:
            unit.going.spent += cost
            unit.going.here += cost
            unit.going.trail.append((unit.at, cost))
            unit.going.done = True
    table.find("6.4", inputs={"units": [unit.id for unit in units], "at": hex}, result="goes back")
    return True
