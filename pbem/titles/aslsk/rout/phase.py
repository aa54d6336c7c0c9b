"""3.6 The Rout Phase: the ATTACKER's broken units, then the DEFENDER's, one at a time.

3.6                 rout_phase, rout_next
3.6/interdiction    the NMC on entering an interdicted hex
3.6/must-rout       elimination of units that should have routed
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.rules.ask import Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Change, Move
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.aslsk.failing import report_failure
from pbem.titles.aslsk.fire.effects import place_dm_beside_enemies
from pbem.titles.aslsk.fire.morale import Aftermath, eliminate, leader_losses, lose_unit, morale_check
from pbem.titles.aslsk.fire.phases import begin
from pbem.titles.aslsk.movement.allowance import cost_of
from pbem.titles.aslsk.orders import RoutOrder
from pbem.titles.aslsk.ordnance.acquisition import follow
from pbem.titles.aslsk.ordnance.hidden import reveal_in, reveal_seen
from pbem.titles.aslsk.player.wording import rout_line
from pbem.titles.aslsk.rout.decision import Rout
from pbem.titles.aslsk.rout.interdiction import interdictors, must_rout
from pbem.titles.aslsk.rout.paths import Search
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import AslskState, Piece, Unit, of_seat, orders_of
from pbem.titles.aslsk.tabletop import AslskTable, as_aslsk_table
from pbem.titles.aslsk.view import view_of
from pbem.titles.aslsk.weapons.possession import drop, keeps_when_routing


def rout_phase(table: Table[AslskState]) -> Step:
    """3.6/must-rout Run the Rout Phase: units that must rout get DM, then both sides rout."""
    own = as_aslsk_table(table)
    begin(own, "rout")
    for unit in own.state.units.values():
        unit.routed = unit.acted = False
        unit.rout_spent, unit.rout_from, unit.rout_seen = 0, "", []
        place_forced_dm(own, unit)
    table.then("rout_next", seat=own.state.attacker)
    return
    yield


def place_forced_dm(table: AslskTable, unit: Unit) -> None:
    """3.6/must-rout, 3.2.3/dm-placement Give DM to a unit that must rout or is adjacent to a Known enemy."""
    if not unit.broken or unit.dm or not unit.at:
        return
    why = must_rout(table.situation, unit)
    if why or table.situation.near_known_enemy(unit, unbroken=False):
        unit.dm = True
        about = {"unit": unit.id, "why": why or "an enemy is adjacent"}
        table.find("3.2.3/dm-placement", inputs=about, result="DM", shows=[Change(unit.id, "dm")])


def due(table: AslskTable, seat: str) -> list[Unit]:
    """3.6/may-rout A side's units that must or may still rout; those that must come first, and the units with the
    best morale lead each group.
    """
    situation = table.situation
    broken = [
        unit
        for unit in of_seat(table.state, seat)
        if unit.broken and unit.at and not unit.routed and not situation.in_melee(unit)
    ]
    forced = {unit.id: bool(must_rout(situation, unit)) for unit in broken}
    able = [unit for unit in broken if forced[unit.id] or (unit.dm and not unit.acted)]
    return sorted(able, key=lambda unit: (not forced[unit.id], -situation.card(unit).morale))


def rout_next(table: Table[AslskState], seat: str) -> Step:
    """3.6 Let the next unit of a side rout or stay; when none is left, go on to the other side."""
    own = as_aslsk_table(table)
    waiting = due(own, seat)
    if not waiting:
        if seat == own.state.attacker:
            table.then("rout_next", seat=own.situation.other(seat))
        else:
            table.then("rout_end")
        return
    unit = waiting[0]
    place_forced_dm(own, unit)
    forced = must_rout(own.situation, unit)
    ask = Rout.make_ask(seat, subject=unit.id, about={"at": unit.at, "must": bool(forced)})
    order = yield ask
    tell_other_way(own, seat, Rout(own.data, view_of(own.state, seat), ask), order)
    unit.acted = True
    if order is None or not order.path:
        result = "eliminated" if forced else "stays"
        own.find(
            "3.6/must-rout" if forced else "3.6/may-rout", inputs={"unit": unit.id, "at": unit.at}, result=result
        )
        if forced:
            lose_unit(own, unit, "3.6/must-rout")
    else:
        rout(own, unit, order)
    table.then("rout_next", seat=seat)


def tell_other_way(table: AslskTable, seat: str, decision: Rout, given: RoutOrder | None) -> None:
    """3.6 Report a rout that was ordered in advance and has become impossible."""
    for order in orders_of(table.state, seat).routs:
        changed = order.unit == decision.unit.id and order.path and order != given
        if changed and (against := [*decision.objections(order)]):
            report_failure(table, seat, rout_line(order), against, units=[order.unit])


def tell_unused(table: AslskTable, seat: str) -> None:
    """3.6 Report the routs that were ordered in advance for units that had no reason to rout."""
    for order in orders_of(table.state, seat).routs:
        unit = table.state.units.get(order.unit)
        if order.path and unit is not None and not unit.acted and not unit.routed:
            why = [Objection("3.6/may-rout", say("{unit} had no reason to rout", unit=unit.id))]
            report_failure(table, seat, rout_line(order), why, needless=True, units=[unit.id])


def rout(table: AslskTable, unit: Unit, order: RoutOrder) -> None:
    """3.6/rout-movement Rout a unit: it drops weapons that are too heavy, then moves hex by hex, interdicted
    unless it crawls.
    """
    state, unit.routed = table.state, True
    leader = state.units.get(order.leader) if order.leader else None
    if leader is not None:
        leader.routed = True
    for one in (unit, leader):
        if one is not None:
            lighten(table, one)
    start = unit.at
    search = Search(table.situation, unit, leader)
    seen = {*search.known}
    for hex in order.path:
        unit.rout_spent += cost_of(table.situation, unit.at, hex)
        if reveal_in(table, hex, unit.seat, "enemy infantry entered its hex"):  # 6.4
            table.find("6.4", inputs={"units": [unit.id], "at": hex}, result="goes back")
            unit.routed = unit.acted = False
            unit.rout_from, unit.rout_seen = search.began, sorted(seen)
            if leader is not None:
                leader.routed = False
            break
        came_from, unit.at = unit.at, hex
        seen |= search.seen_from(hex)
        if leader is not None:
            leader.at = hex
        follow(table, [unit] if leader is None else [unit, leader], came_from)
        table.find(
            "3.6/low-crawl" if order.crawl else "3.6/rout-movement",
            inputs={"unit": unit.id, "from": came_from, "to": hex, "start": start},
            result=hex,
            shows=[Move(one.id, ((came_from, None), (hex, None))) for one in (unit, leader) if one is not None],
        )
        if not order.crawl and not interdict(table, unit, leader, came_from):
            break
        leader = leader if leader is not None and leader.id in state.units else None
    reveal_seen(table)
    if not unit.routed:
        return
    if unit.id in state.units and table.situation.near_known_enemy(unit, unbroken=True):
        lose_unit(table, unit, "3.6/must-rout")
    place_dm_beside_enemies(table)


def lighten(table: AslskTable, unit: Unit) -> None:
    """3.6/rout-portage Make a unit that routs, or a leader who routs with one, drop the weapons that are too
    heavy.
    """
    kept = {weapon.id for weapon in keeps_when_routing(table.situation, unit)}
    for weapon in table.situation.weapons(unit):
        if weapon.id not in kept:
            drop(table, weapon, "3.6/rout-portage")


def interdict(table: AslskTable, unit: Unit, leader: Unit | None, came_from: str) -> bool:
    """3.6/interdiction Make the unit take an NMC in an interdicted hex; return whether it may continue."""
    spared = orders_of(table.state, table.situation.other(unit.seat)).spared
    able = [*interdictors(table.situation, unit, unit.at, came_from)]
    free = [enemy for enemy in able if not keeps_target(table.situation, enemy)]
    willing = [enemy for enemy in able if not keeps_target(table.situation, enemy, spared)]
    if not willing:
        return True
    for enemy in [] if free else willing[:1]:  # 6.10 only if no other enemy can
        for weapon in table.situation.weapons(enemy):
            weapon.lose_target()
    firers = [enemy.id for enemy in free or willing[:1]]
    meaning = Finding("def/interdiction", inputs={"unit": unit.id}, result="in the open, in sight and in range")
    about = {"unit": unit.id, "at": unit.at, "by": firers}
    table.find("3.6/interdiction", inputs=about, result="NMC", children=[meaning])
    along = leader.id if leader is not None else ""
    others = [one.id for one in table.situation.leaders_with(unit) if one.id != along]
    aftermath = Aftermath(waiting=[unit.id, *others])  # only a leader who routs along helps
    verdict = morale_check(table, unit, (), aftermath, "3.6/interdiction")
    if verdict in ("failed", "disaster") and leader is not None:
        eliminate(table, leader, "3.6/leader-rout", aftermath)
    leader_losses(table, aftermath)
    if unit.id not in table.state.units:
        return False
    if verdict == "pinned" and not unit.was_pinned:
        unit.was_pinned = True
        table.find("3.2.3/pin", inputs={"unit": unit.id}, result="pinned")
        return False
    return True


def keeps_target(situation: Situation, enemy: Piece, spared: Sequence[str] | None = None) -> bool:
    """6.10 Whether a unit has an acquired target to lose (on a weapon in `spared`, if that list is given)."""
    arms = [weapon.id for weapon in situation.weapons(enemy) if weapon.acquisition]
    return bool(arms) if spared is None else any(id in spared for id in arms)


def rout_end(table: Table[AslskState]) -> Step:
    """3.6/must-rout Eliminate units that should have routed; units that have become exposed in the meantime rout
    now.
    """
    own = as_aslsk_table(table)
    for seat in (own.state.attacker, own.situation.other(own.state.attacker)):
        if any(must_rout(own.situation, unit) for unit in due(own, seat)):
            table.then("rout_next", seat=seat)
            return
    for unit in list(own.state.units.values()):
        lost = unit.broken and unit.at and not own.situation.in_melee(unit)
        if lost and own.situation.near_known_enemy(unit, unbroken=True):
            lose_unit(own, unit, "3.6/must-rout")
    for seat in own.situation.data.seats:
        tell_unused(own, seat)
    table.then("advance_phase")
    return
    yield
