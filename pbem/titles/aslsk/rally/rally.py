"""3.1 Rallying: self-rally, rally by leaders, and the removal of DM.

3.1/e-self-rally    self_rally_candidates, self_rally
3.1/f-rally         rally_by_leaders
3.1/h-dm-removal    remove_dm
5.3                 field promotion on an Original 2
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.rules.happenings import Change
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.chance import roll_two
from pbem.titles.aslsk.failing import report_failure
from pbem.titles.aslsk.fire.modifiers import Modifier, rows, total
from pbem.titles.aslsk.fire.morale import Aftermath, leader_losses, reduce_casualties
from pbem.titles.aslsk.orders import RallyOrders
from pbem.titles.aslsk.rally.promotion import promote
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit, of_seat, units_at
from pbem.titles.aslsk.tabletop import AslskTable


def rally_modifiers(situation: Situation, unit: Unit, leader: Unit | None) -> Iterator[Modifier]:
    """3.1/f-rally The DRM of a rally: DM +4, woods or building -1, leadership, self-rally +1."""
    if unit.dm:
        yield Modifier("3.1/f-rally", "DM", 4)
    if situation.ground.cover(unit.at):
        yield Modifier("3.1/f-rally", "woods or building", -1)
    if leader is None:
        yield Modifier("3.1/e-self-rally", "self-rally", 1)
    elif situation.leadership(leader):
        yield Modifier("3.1/f-rally", "leadership", situation.leadership(leader))


def may_rally(situation: Situation, unit: Unit) -> bool:
    """3.1 Whether a unit may rally: it is broken, on the board, not in Melee, and has not acted in this phase."""
    return unit.broken and bool(unit.at) and not unit.acted and not situation.in_melee(unit)


def chance_of(situation: Situation, unit: Unit, leader: Unit | None = None) -> int:
    """The highest Original DR with which the unit rallies."""
    return situation.morale(unit) - total([*rally_modifiers(situation, unit, leader)])


def self_rally_candidates(situation: Situation, seat: str, orders: RallyOrders) -> list[Unit]:
    """3.1/e-self-rally The units that may self-rally: all with a squared broken morale and, for the ATTACKER, one
    more MMC.
    """
    able = [
        unit
        for unit in of_seat(situation.state, seat)
        if may_rally(situation, unit) and unit.id not in orders.no_rally and not awaits(situation, unit, orders)
    ]
    squared = [unit for unit in able if situation.card(unit).self_rally]
    if seat != situation.state.attacker:
        return squared
    others = [unit for unit in able if unit not in squared and situation.is_mmc(unit)]
    return squared + extra_candidate(situation, others, orders)


def awaits(situation: Situation, unit: Unit, orders: RallyOrders) -> bool:
    """3.1/e-self-rally Whether a unit does not self-rally because its owner has named a leader who can rally it."""
    named = {attempt.other for attempt in orders.rally if attempt.unit == unit.id}
    return any(leader.id in named for leader in leaders_for(situation, unit))


def extra_candidate(situation: Situation, others: Sequence[Unit], orders: RallyOrders) -> list[Unit]:
    """3.1/e-self-rally The one extra MMC: the MMC that is ordered or, among those without a leader, the most likely
    to rally.
    """
    named = [unit for unit in others if unit.id == orders.extra]
    alone = [unit for unit in others if not leaders_for(situation, unit)]
    alone.sort(key=lambda unit: (-chance_of(situation, unit), -situation.card(unit).fp))
    return (named or alone)[:1]


def leaders_for(situation: Situation, unit: Unit) -> list[Unit]:
    """3.1/f-rally The Good Order leaders in a unit's hex, best first."""
    found = [one for one in units_at(situation.state, unit.at, unit.seat) if one.id != unit.id]
    able = [one for one in found if situation.leads(one) and not one.busy]
    return sorted(able, key=situation.leadership)


def rally_lines(orders: RallyOrders) -> dict[str, str]:
    """11 G2 The units that were ordered to rally, each with its order."""
    alone = {orders.extra: f"self rally {orders.extra}"} if orders.extra else {}
    by_leaders = {
        attempt.unit: f"rally {attempt.unit}{f' by {attempt.other}' if attempt.other else ''}"
        for attempt in orders.rally
    }
    return {**alone, **by_leaders}


def tell_unrallied(table: AslskTable, seat: str, orders: RallyOrders) -> None:
    """3.1 Report the units that were ordered to rally but made no attempt."""
    for id, line in rally_lines(orders).items():
        unit = table.state.units.get(id)
        if unit is None or unit.acted:
            continue
        against = why_untried(table.situation, unit, alone=line.startswith("self"))
        report_failure(table, seat, line, [against], needless=not unit.broken, units=[id])


def why_untried(situation: Situation, unit: Unit, *, alone: bool) -> Objection:
    """3.1 The reason why a unit that was ordered to rally, alone or by a leader, made no attempt."""
    rule = "3.1/e-self-rally" if alone else "3.1/f-rally"
    if not unit.broken:
        return Objection(rule, say("{unit} is not broken", unit=unit.id))
    if situation.in_melee(unit):
        return Objection(rule, say("{unit} is in Melee", unit=unit.id))
    if alone:
        return Objection(rule, say("{unit} could not try to rally by itself", unit=unit.id))
    return Objection(rule, say("no leader in Good Order was there to rally {unit}", unit=unit.id))


def rally_attempt(table: AslskTable, unit: Unit, leader: Unit | None, line: str = "") -> bool:
    """3.1/e-self-rally, 3.1/f-rally Make one attempt: a roll up to the broken morale rallies the unit, and an
    Original 12 costs casualties. `line` is the order for the attempt, if there is one.
    """
    situation = table.situation
    rule = "3.1/e-self-rally" if leader is None else "3.1/f-rally"
    modifiers = [*rally_modifiers(situation, unit, leader)]
    dice = roll_two(table, rule, unit.id)
    rallied = dice.total + total(modifiers) <= situation.morale(unit) and dice.total != 12
    unit.acted = True
    table.find(
        rule,
        inputs={
            "unit": unit.id,
            "name": situation.name(unit),
            "morale": situation.morale(unit),
            "leader": leader.id if leader is not None else "",
        },
        modifiers=rows(modifiers),
        dice=dice.pair,
        result="rallied" if rallied else "casualties" if dice.total == 12 else "still broken",
        shows=[Change(unit.id, "broken", False), Change(unit.id, "dm", False)] if rallied else [],
    )
    if line and not rallied:
        why = Objection(rule, say("{unit} did not rally (rolled {dice})", unit=unit.id, dice=dice.total))
        report_failure(table, unit.seat, line, [why], units=[unit.id])
    if leader is None and dice.total == 2 and situation.is_mmc(unit):
        promote(table, [unit], broken=not rallied)
    if rallied:
        unit.broken = unit.dm = False
    elif dice.total == 12:
        aftermath = Aftermath()
        reduce_casualties(table, unit, aftermath)
        leader_losses(table, aftermath)
    return rallied


def self_rally(table: AslskTable, seat: str, orders: RallyOrders) -> None:
    """3.1/e-self-rally Carry out all self-rally attempts of a side."""
    for unit in self_rally_candidates(table.situation, seat, orders):
        if unit.id in table.state.units:
            rally_attempt(table, unit, None, rally_lines(orders).get(unit.id, ""))


def rally_by_leaders(table: AslskTable, seat: str, orders: RallyOrders) -> None:
    """3.1/f-rally Let units with a Good Order leader rally. Those named in the orders go first, then those with the
    best chance.

    A leader who rallies may rally others at once, so the list is made anew after every attempt.
    """
    situation, state = table.situation, table.state
    named = {attempt.unit: attempt.other for attempt in orders.rally}
    sequence = [*named, *(unit.id for unit in of_seat(state, seat))]
    while True:
        able = [
            unit
            for id in sequence
            if (unit := state.units.get(id)) is not None
            and unit.seat == seat
            and may_rally(situation, unit)
            and id not in orders.no_rally
            and leaders_for(situation, unit)
        ]
        if not able:
            return
        first = next((unit for unit in able if unit.id in named), None)
        unit = first or max(able, key=lambda one: (situation.is_leader(one), chance_of(situation, one)))
        leaders = leaders_for(situation, unit)
        wished = named.get(unit.id, "")
        chosen = next((leader for leader in leaders if leader.id == wished), leaders[0])
        rally_attempt(table, unit, chosen, rally_lines(orders).get(unit.id, ""))


def remove_dm(table: AslskTable, seat: str, orders: RallyOrders) -> None:
    """3.1/h-dm-removal Remove DM unless a Known enemy is adjacent; outside cover the owner may choose to keep it."""
    situation = table.situation
    for unit in of_seat(table.state, seat):
        if not unit.dm:
            continue
        if situation.near_known_enemy(unit, unbroken=False):
            result = "kept: enemy adjacent"
        elif not situation.ground.cover(unit.at) and keeps_dm(unit, orders):
            result = "kept by its owner"
        else:
            unit.dm, result = False, "removed"
        shown = [] if unit.dm else [Change(unit.id, "dm", False)]
        table.find("3.1/h-dm-removal", inputs={"unit": unit.id}, result=result, shows=shown)
        tell_dm(table, unit, orders)


def tell_dm(table: AslskTable, unit: Unit, orders: RallyOrders) -> None:
    """3.1/h-dm-removal Report an order to keep or remove DM that the rules overrode."""
    rule = "3.1/h-dm-removal"
    if unit.dm and unit.id in orders.shed_dm:
        beside = Objection(rule, say("an enemy is adjacent to {unit}", unit=unit.id))
        report_failure(table, unit.seat, f"drop dm {unit.id}", [beside], units=[unit.id])
    elif not unit.dm and unit.id in orders.keep_dm:
        covered = Objection(rule, say("{unit} is in woods or a building", unit=unit.id))
        report_failure(table, unit.seat, f"keep dm {unit.id}", [covered], units=[unit.id])


def keeps_dm(unit: Unit, orders: RallyOrders) -> bool:
    """11 G2 Whether a unit keeps its DM, and with it the right to rout; it does unless its owner orders otherwise."""
    return unit.id in orders.keep_dm or unit.id not in orders.shed_dm
