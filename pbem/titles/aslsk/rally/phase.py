"""3.1 The Rally Phase in its strict order: recovery, repair, transfer, self-rally, rally, and removal of DM."""

from __future__ import annotations

from pbem.engine.rules.ask import Step
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.aslsk.chance import roll_one
from pbem.titles.aslsk.failing import report_attempt, report_failure
from pbem.titles.aslsk.fire.modifiers import Modifier, rows
from pbem.titles.aslsk.fire.phases import begin
from pbem.titles.aslsk.orders import RallyOrders
from pbem.titles.aslsk.ordnance.hidden import HANDLES, reveal, reveal_seen
from pbem.titles.aslsk.rally.rally import rally_by_leaders, remove_dm, self_rally, tell_unrallied
from pbem.titles.aslsk.state import AslskState, Unit, Weapon, of_seat, orders_of, pieces
from pbem.titles.aslsk.tabletop import AslskTable, as_aslsk_table
from pbem.titles.aslsk.vehicles.status import recover_shock
from pbem.titles.aslsk.weapons.breakdown import wreck
from pbem.titles.aslsk.weapons.possession import take, too_heavy


def rally_phase(table: Table[AslskState]) -> Step:
    """3.1 Carry out each step for the ATTACKER first, then for the DEFENDER."""
    own = as_aslsk_table(table)
    begin(own, "rally")
    state = own.state
    for unit in state.units.values():
        unit.acted = unit.busy = False
    for vehicle in state.vehicles.values():
        vehicle.acted = False
    for weapon in state.weapons.values():
        weapon.frozen = False
    note_sights(own)
    announce_reinforcements(own)
    seats = (state.attacker, own.situation.other(state.attacker))
    for action in (
        recover_all, repair_all, repair_vehicles, transfer_all, self_rally, rally_by_leaders, tell_unrallied,
        shake_off, remove_dm,
    ):  # fmt: skip
        for seat in seats:
            action(own, seat, orders_of(state, seat).rally)
        if action is transfer_all:
            note_busy(own)
    reveal_seen(own)  # 6.4 a unit that has rallied may see a Gun in the open
    table.then("prep_fire_phase")
    return
    yield


def announce_reinforcements(table: AslskTable) -> None:
    """3.1/a-reinforcements Announce the ATTACKER's forces that may enter in this player turn."""
    state = table.state
    coming = [
        piece.id
        for piece in pieces(state)
        if piece.seat == state.attacker and not piece.at and table.situation.data.may_enter(piece, state.turn)
    ]
    if coming:
        table.find("3.1/a-reinforcements", inputs={"seat": state.attacker, "units": coming}, result="may enter")


def note_busy(table: AslskTable) -> None:
    """3.1 Mark leaders who tried to recover or repair a weapon: they cannot rally units in this phase."""
    for unit in table.state.units.values():
        unit.busy = unit.acted


def note_sights(table: AslskTable) -> None:
    """3.3.2.1 Record which enemies each of the DEFENDER's vehicles sees at the start of the player turn."""
    state, situation = table.state, table.situation
    state.seen_at_start = {
        vehicle.id: [enemy.id for enemy in situation.known_pieces(vehicle)]
        for vehicle in state.vehicles.values()
        if vehicle.seat != state.attacker and vehicle.at
    }


def shake_off(table: AslskTable, seat: str, orders: RallyOrders) -> None:
    """3.1/g-shock-recovery Let Shocked crews try to recover."""
    recover_shock(table, seat)


def repair_vehicles(table: AslskTable, seat: str, orders: RallyOrders) -> None:
    """3.1/c-repair Let each Good Order vehicle try to repair one weapon: a 1 repairs the weapon, and a 6 disables it.
    Disabled main armament also means Recall.

    While another weapon works, the main armament is repaired only if its owner orders it (11 G2).
    """
    situation = table.situation
    for vehicle in [one for one in table.state.vehicles.values() if one.seat == seat]:
        arms = situation.weapons(vehicle)
        broken = [one for one in arms if one.malfunctioned and one.id not in orders.no_repair]
        broken = [one for one in broken if vehicle.ce or not one.card.endswith(":aamg")]  # 7.8
        if any(not one.malfunctioned for one in arms):
            broken = [one for one in broken if one.id in orders.repair or not situation.is_main(one)]
        able = broken if situation.good_order(vehicle) and vehicle.at else []
        for one in arms:
            if one.id in orders.repair and one not in able[:1]:
                tell_untried(table, seat, one)
        if not able:
            continue
        weapon = able[0]
        die = roll_one(table, "3.1/c-repair", weapon.id)
        result = "repaired" if die == 1 else "removed" if die == 6 else "not repaired"
        inputs = {"unit": vehicle.id, "weapon": weapon.id, "number": 1}
        table.find("3.1/c-repair", inputs=inputs, dice=[die], result=result)
        if die == 1:
            weapon.malfunctioned = False
        elif die == 6:
            wreck(table, weapon, "3.1/c-repair", removed=True)
        if die != 1 and weapon.id in orders.repair:
            tell_unrepaired(table, seat, weapon, die)


def tell_untried(table: AslskTable, seat: str, weapon: Weapon) -> None:
    """3.1/c-repair Tell the owner that an ordered repair was not attempted."""
    works, rule = not weapon.malfunctioned, "3.1/c-repair"
    unable = Objection(rule, say("the crew could not try to repair {weapon} in this phase", weapon=weapon.id))
    why = Objection(rule, say("{weapon} needs no repair", weapon=weapon.id)) if works else unable
    report_failure(table, seat, f"repair {weapon.id}", [why], needless=works, units=[weapon.holder])


def tell_unrepaired(table: AslskTable, seat: str, weapon: Weapon, die: int) -> None:
    """3.1/c-repair Tell the owner that an ordered repair has failed."""
    why = Objection("3.1/c-repair", say("{weapon} was not repaired (rolled {die})", weapon=weapon.id, die=die))
    report_failure(table, seat, f"repair {weapon.id}", [why], units=[weapon.holder])


def recovery_attempt(table: AslskTable, unit: Unit, weapon: Weapon, rule: str) -> bool:
    """3.1/b-recovery, 3.3.1/recovery Try to recover a weapon, with a dr (+1 if CX) below 6; return whether it was
    recovered.
    """
    die = roll_one(table, rule, unit.id, weapon.id)
    modifiers = [Modifier("3.3.1/cx", "CX", 1)] if unit.cx else []
    found = die + unit.cx < 6
    table.find(
        rule,
        inputs={"unit": unit.id, "weapon": weapon.id},
        modifiers=rows(modifiers),
        dice=[die],
        result="recovered" if found else "not recovered",
    )
    if found:
        take(table, unit, weapon)
    else:
        why = Objection(rule, say("{weapon} was not recovered (rolled {die})", weapon=weapon.id, die=die))
        report_attempt(table, unit, f"recover {weapon.id}", why)
    return found


def recover_all(table: AslskTable, seat: str, orders: RallyOrders) -> None:
    """3.1/b-recovery Let Good Order units try to pick up unpossessed weapons in their hexes."""
    for attempt in orders.recover:
        unit, weapon = table.state.units.get(attempt.unit), table.state.weapons.get(attempt.other)
        if unit is None or weapon is None or unit.seat != seat or weapon.holder or weapon.at != unit.at:
            against = Objection("3.1/b-recovery", say("the weapon is not in the unit's hex"))
            report_failure(table, seat, f"{attempt.unit} recover {attempt.other}", [against], units=[attempt.unit])
        elif too_heavy(table.situation, unit, weapon):
            against = Objection("4.0/portage", say("{unit} cannot carry that much", unit=unit.id))
            report_failure(table, seat, f"{attempt.unit} recover {attempt.other}", [against], units=[attempt.unit])
        elif unit.acted or not table.situation.good_order(unit):
            against = Objection("3.1/b-recovery", say("{unit} cannot act now", unit=unit.id))
            report_failure(table, seat, f"{attempt.unit} recover {attempt.other}", [against], units=[attempt.unit])
        else:
            unit.acted = True
            reveal(table, unit, HANDLES)
            recovery_attempt(table, unit, weapon, "3.1/b-recovery")


def repair_all(table: AslskTable, seat: str, orders: RallyOrders) -> None:
    """3.1/c-repair Try repairs: a dr up to the repair number repairs a weapon of the unit's nation; a 6 removes
    it.
    """
    situation = table.situation
    for unit in of_seat(table.state, seat):
        for weapon in situation.weapons(unit):
            number = situation.weapon_card(weapon).repair
            able = situation.good_order(unit) and not unit.acted and bool(unit.at)
            if not weapon.malfunctioned or not number or not able or weapon.id in orders.no_repair:
                continue
            if situation.is_captured(weapon):  # 5.5
                continue
            unit.acted = True
            die = roll_one(table, "3.1/c-repair", weapon.id)
            result = "repaired" if die <= number else "removed" if die == 6 else "not repaired"
            table.find(
                "3.1/c-repair",
                inputs={"unit": unit.id, "weapon": weapon.id, "number": number},
                dice=[die],
                result=result,
            )
            if die <= number:
                weapon.malfunctioned = False
            elif die == 6:
                wreck(table, weapon, "3.1/c-repair", removed=True)


def transfer_all(table: AslskTable, seat: str, orders: RallyOrders) -> None:
    """3.1/d-transfer Transfer weapons between Good Order units in the same hex that have not acted."""
    for attempt in orders.transfer:
        transfer(table, seat, attempt.unit, attempt.other)


def transfer(table: AslskTable, seat: str, taker_id: str, weapon_id: str, rule: str = "3.1/d-transfer") -> None:
    """3.1/d-transfer Transfer one weapon to another unit in the stack."""
    situation, state = table.situation, table.state
    weapon, taker = state.weapons.get(weapon_id), state.units.get(taker_id)
    giver = state.units.get(weapon.holder) if weapon is not None else None
    against = ""
    if (
        weapon is None
        or taker is None
        or giver is None
        or seat not in (taker.seat, giver.seat)
        or taker.seat != giver.seat
    ):
        against = "both units must be yours"
    elif taker.at != giver.at:
        against = f"{giver.id} and {taker.id} are not in one hex"
    elif not (situation.good_order(giver) and situation.good_order(taker)):
        against = "both units must be in Good Order"
    elif too_heavy(situation, taker, weapon):
        against = f"{taker.id} cannot carry that much"
    elif rule == "3.1/d-transfer" and (weapon.frozen or giver.acted or taker.acted):
        against = "a unit that has acted in this phase takes no part in a transfer"
    if against or weapon is None or taker is None:
        words = f"give {weapon_id} to {taker_id}"
        report_failure(table, seat, words, [Objection(rule, against)], units=[taker_id])
        return
    for unit in (giver, taker):
        if unit is not None:
            reveal(table, unit, HANDLES)
    weapon.holder = taker.id
    weapon.lose_target()  # 6.10
    table.find(rule, inputs={"weapon": weapon.id, "unit": taker.id}, result="transferred")
