"""3.8/sequence-infantry Leaders in stacks: with which unit each leader attacks and defends in close combat.

3.8/sequence-infantry    arrange, stack_objections, usual_stacks
3.8/attacks              stacked, groups
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.failing import report_failure
from pbem.titles.aslsk.orders import Attempt
from pbem.titles.aslsk.player.wording import stack_line
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit, orders_of, units_at
from pbem.titles.aslsk.tabletop import AslskTable

RULE = "3.8/sequence-infantry"


def unbroken_at(situation: Situation, hex: str, seat: str) -> list[Unit]:
    return [unit for unit in units_at(situation.state, hex, seat) if not unit.broken]


def stacked(situation: Situation, hex: str, seat: str) -> dict[str, str]:
    """3.8/attacks Return the leaders who attack and defend with another unit, each with the unit directly below.

    A leader who is not in this mapping is alone. If a unit is lost or breaks, the leader above it is alone too.
    """
    units = unbroken_at(situation, hex, seat)
    here = {unit.id for unit in units}
    below = usual_stacks(situation, units, {unit.id: unit.below for unit in units if unit.below is not None})
    return {leader: other for leader, other in below.items() if other in here}


def usual_stacks(situation: Situation, units: Sequence[Unit], settled: Mapping[str, str]) -> dict[str, str]:
    """3.8/sequence-infantry Stack the leaders who are not `settled`: the best leader joins the strongest MMC, and so
    on.

    If there is no MMC, the leaders stay together. A leader who fights alone is mapped to an empty string.
    """
    squads = [unit for unit in units if situation.is_mmc(unit)]
    return dict(settled) | spread_leaders(
        situation,
        [unit for unit in units if situation.is_leader(unit) and unit.id not in settled],
        squads,
        [*settled.values()],
    )


def spread_leaders(
    situation: Situation, leaders: Sequence[Unit], squads: Sequence[Unit], taken: Sequence[str]
) -> dict[str, str]:
    """3.8/attacks Put each leader on the MMC with the fewest leaders; without an MMC, put the others on the first
    leader.
    """
    ordered = sorted(leaders, key=lambda one: (situation.leadership(one), one.id))
    if not squads:
        return {leader.id: ordered[0].id if leader is not ordered[0] else "" for leader in ordered}
    found: dict[str, str] = {}
    for leader in ordered:
        places = [*taken, *found.values()]
        best = min(squads, key=lambda one: (places.count(one.id), -situation.card(one).fp, one.id))
        found[leader.id] = best.id
    return found


def groups(units: Sequence[Unit], below: Mapping[str, str]) -> list[list[Unit]]:
    """3.8/attacks The units that attack or defend together: each unit with the leaders stacked on it."""
    found: dict[str, list[Unit]] = {}
    for unit in sorted(units, key=lambda one: one.id in below):
        found.setdefault(bottom(unit.id, below), []).append(unit)
    return [*found.values()]


def bottom(id: str, below: Mapping[str, str]) -> str:
    """3.8/attacks The lowest unit of the stack to which a unit belongs."""
    while below.get(id):
        id = below[id]
    return id


def stack_objections(
    situation: Situation, seat: str, order: Attempt, below: Mapping[str, str]
) -> Iterator[Objection]:
    """3.8/sequence-infantry Object unless an unbroken leader is put on an unbroken unit in the same hex."""
    units = situation.state.units
    leader, other = units.get(order.unit), units.get(order.other)
    if leader is None or leader.seat != seat or not situation.is_leader(leader):
        yield Objection(RULE, say("{id} is not one of your leaders", id=order.unit))
    elif leader.broken:
        yield Objection(RULE, say("{leader} is broken and cannot attack together with other units", leader=leader.id))
    elif order.other and (other is None or other.seat != seat or other.at != leader.at):
        yield Objection(RULE, say("{id} is not one of your units in {hex}", id=order.other, hex=leader.at))
    elif other is not None and other.broken:
        yield Objection(RULE, say("{id} is broken and cannot attack together with a leader", id=other.id))
    elif bottom(order.other, below) == leader.id:
        yield Objection(RULE, say("{id} is already stacked with {leader}", id=order.other, leader=leader.id))


def arrange(table: AslskTable, hex: str) -> None:
    """3.8/sequence-infantry Let both sides arrange their leaders before the fight in a hex, as ordered or as
    usual.
    """
    situation = table.situation
    for seat in situation.data.seats:
        units = unbroken_at(situation, hex, seat)
        usual = usual_stacks(situation, units, {})
        settled: dict[str, str] = {}
        for order in orders_of(table.state, seat).stacks:
            if order.unit in usual or (order.unit in table.state.units and table.state.units[order.unit].at == hex):
                against = [*stack_objections(situation, seat, order, settled)]
                if against:
                    report_failure(table, seat, stack_line(order), against, units=[order.unit])
                else:
                    settled[order.unit] = order.other
        settled = ordered_by_attacks(situation, hex, seat, units, settled)
        for leader, other in usual_stacks(situation, units, settled).items():
            table.state.units[leader].below = other
            if other != usual[leader]:
                inputs = {"unit": leader, "with": other, "at": hex}
                table.find(RULE, inputs=inputs, result="stacked" if other else "alone")


def ordered_by_attacks(
    situation: Situation, hex: str, seat: str, units: Sequence[Unit], settled: Mapping[str, str]
) -> dict[str, str]:
    """3.8/attacks Stack leaders as the sealed attacks imply: with an MMC named in the same attack, or apart from
    all others.
    """
    found = dict(settled)
    usual = usual_stacks(situation, units, settled)
    for order in orders_of(situation.state, seat).combats:
        for attack in order.attacks if order.hex == hex else ():
            named = [unit for unit in units if unit.id in attack.units]
            leaders = [unit for unit in named if situation.is_leader(unit) and unit.id not in found]
            fixed = {leader.id: usual[leader.id] for leader in leaders if usual[leader.id] in attack.units}
            free = [leader for leader in leaders if leader.id not in fixed]
            squads = [unit for unit in named if situation.is_mmc(unit)]
            found |= fixed | spread_leaders(situation, free, squads, [*fixed.values()])
    return found
