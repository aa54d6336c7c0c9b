"""7.10 The states of a vehicle: destroyed, Shocked, Stunned, immobilized, recalled, buttoned up.

7.4                 destroy: the wreck
7.7                 button_up
7.10/shock          shock, recover_shock
7.10/stun           stun, settle_stuns
7.10/recall         recall
7.10/immobilized    immobilize
"""

from __future__ import annotations

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Change, Happening, Lose
from pbem.titles.aslsk.chance import Dice, roll_one, roll_two
from pbem.titles.aslsk.fire.drm import Modifier, rows, total
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Vehicle, Wreck
from pbem.titles.aslsk.tabletop import AslskTable

SHOCK_GONE, UK_GONE = 2, 3
ONE_MAN = "1MT"
UNTIL_COVER = ("movement", "defensive", "advancing")
"""7.4 The phases in which a wreck that moved in this player turn gives no cover."""


def crew_morale(situation: Situation, vehicle: Vehicle) -> int:
    """7.10/crew-morale The unbroken morale of the best elite MMC of the nation."""
    nation = situation.vehicle_card(vehicle).nation
    elite = [
        card.morale
        for card in situation.data.deck.units.values()
        if card.nation == nation and card.kind in ("squad", "half") and card.class_ == "elite"
    ]
    return max(elite, default=7)


def stop_dead(vehicle: Vehicle) -> list[Happening]:
    """7.10 Stop the vehicle at once, without a stop MP, and end its Movement Phase; return the changes to show."""
    if vehicle.going is not None:
        vehicle.going.stopped = vehicle.going.over = True
    shown: list[Happening] = [Change(vehicle.id, "motion", False)] if vehicle.motion else []
    vehicle.motion = False
    return shown


def destroy(table: AslskTable, vehicle: Vehicle, rule: str, why: str = "destroyed") -> None:
    """7.4 Turn the vehicle into a wreck; everything else in the hex is unharmed."""
    state = table.state
    for weapon in table.situation.weapons(vehicle):
        del state.weapons[weapon.id]
    moved = table.situation.is_moving(vehicle) and state.phase in UNTIL_COVER
    state.wrecks.append(Wreck(vehicle.id, vehicle.card, vehicle.seat, vehicle.at, moved))
    state.lost.append(f"{vehicle.card}@{vehicle.seat}")
    del state.vehicles[vehicle.id]
    name = table.situation.vehicle_card(vehicle).name
    table.find(
        rule,
        inputs={"vehicle": vehicle.id, "name": name, "at": vehicle.at, "why": why},
        result="destroyed",
        shows=[Lose(vehicle.id, vehicle.at, rule)],
    )


def lose(table: AslskTable, vehicle: Vehicle, rule: str) -> None:
    """3.3/entry-exit Remove a vehicle that did not enter in time; it leaves no wreck."""
    for weapon in table.situation.weapons(vehicle):
        del table.state.weapons[weapon.id]
    table.state.lost.append(f"{vehicle.card}@{vehicle.seat}")
    del table.state.vehicles[vehicle.id]
    table.find(rule, inputs={"unit": vehicle.id}, result="eliminated")


def button_up(table: AslskTable, vehicle: Vehicle, rule: str = "7.7") -> None:
    """7.7, 3.2.3/pin Make the crew close its hatches for the rest of the player turn."""
    vehicle.buttoned = True
    if vehicle.ce:
        vehicle.ce = False
        shown = [Change(vehicle.id, "ce", False)]
        table.find(rule, inputs={"vehicle": vehicle.id}, result="buttoned up", shows=shown)


def shock(table: AslskTable, vehicle: Vehicle) -> None:
    """7.10/shock Shock the crew, which does nothing until it recovers; a new Shock flips a UK marker back."""
    vehicle.shock = "shock"
    shown = [*stop_dead(vehicle), Change(vehicle.id, "shock", vehicle.shock)]
    button_up(table, vehicle)
    table.find("7.10/shock", inputs={"vehicle": vehicle.id}, result="Shock", shows=shown)


def possible_shock(table: AslskTable, vehicle: Vehicle) -> None:
    """7.10/shock Make the crew take an NMC; if it fails, it is Shocked."""
    dice, modifiers = roll_two(table, "7.10/shock", vehicle.id), crew_drm(vehicle)
    morale = crew_morale(table.situation, vehicle)
    failed = dice.total + total(modifiers) > morale
    table.find(
        "7.10/shock",
        inputs={"vehicle": vehicle.id, "morale": morale},
        modifiers=rows(modifiers),
        dice=dice.pair,
        result="failed" if failed else "passed",
        children=[Finding("7.10/crew-morale", inputs={"vehicle": vehicle.id}, result=morale)],
    )
    if failed:
        shock(table, vehicle)


def crew_drm(vehicle: Vehicle) -> list[Modifier]:
    """7.10/stun The +1 DRM that applies to a crew that has been Stunned before."""
    return [Modifier("7.10/stun", "shaken crew", 1)] if vehicle.shaken else []


def stun(table: AslskTable, vehicle: Vehicle, *, hard: bool = False) -> None:
    """7.10/stun, 7.10/recall Stun the crew; a second Stun, or any Stun in a one-man turret, is a STUN, which ends
    in Recall.
    """
    one_man = table.situation.vehicle_card(vehicle).turret == ONE_MAN
    worse = hard or one_man or vehicle.shaken or bool(vehicle.stun)
    vehicle.stun = "STUN" if worse else "stun"
    vehicle.no_ce = vehicle.no_ce or one_man
    shown = [*stop_dead(vehicle), Change(vehicle.id, "stun", vehicle.stun)]
    button_up(table, vehicle)
    rule = "7.10/recall" if worse else "7.10/stun"
    table.find(rule, inputs={"vehicle": vehicle.id}, result=vehicle.stun, shows=shown)


def settle_stuns(table: AslskTable) -> None:
    """3.8/end-of-phase Flip Stun to +1, and STUN to Recall +1."""
    for vehicle in table.state.vehicles.values():
        if not vehicle.stun:
            continue
        gone = vehicle.stun == "STUN"
        vehicle.stun, vehicle.shaken = "", True
        shown = [Change(vehicle.id, "stun", False)]
        table.find("7.10/stun", inputs={"vehicle": vehicle.id}, result="+1", shows=shown)
        if gone:
            recall(table, vehicle)


def recall(table: AslskTable, vehicle: Vehicle) -> None:
    """7.10/recall Recall the vehicle, which must leave the map by its friendly edge as fast as it can."""
    if vehicle.recalled:
        return
    vehicle.recalled = True
    shown = [Change(vehicle.id, "recalled")]
    table.find("7.10/recall", inputs={"vehicle": vehicle.id}, result="recalled", shows=shown)


def immobilize(table: AslskTable, vehicle: Vehicle, rule: str = "7.10/immobilized") -> None:
    """7.10/immobilized Immobilize the vehicle for good; it may still fire and turn its turret."""
    if vehicle.immobilized:
        return
    vehicle.immobilized = True
    shown = [*stop_dead(vehicle), Change(vehicle.id, "immobilized")]
    table.find(rule, inputs={"vehicle": vehicle.id}, result="immobilized", shows=shown)


def recover_shock(table: AslskTable, seat: str) -> None:
    """7.10/shock-recovery, 3.1/g-shock-recovery Roll for recovery: Shock ends on 1-2 or becomes UK; UK ends on 1-3
    or leaves a wreck.
    """
    shocked = [one for one in table.state.vehicles.values() if one.seat == seat and one.shock]
    if shocked:
        table.find("3.1/g-shock-recovery", inputs={"vehicles": [one.id for one in shocked]}, result="roll")
    for vehicle in shocked:
        die = roll_one(table, "7.10/shock-recovery", vehicle.id)
        gone = die <= (SHOCK_GONE if vehicle.shock == "shock" else UK_GONE)
        marker, lost = vehicle.shock, vehicle.shock == "uk" and not gone
        vehicle.shock = "" if gone or lost else "uk"
        result = "recovers" if gone else "lost" if lost else "UK"
        shown = [Change(vehicle.id, "shock", vehicle.shock or False)]
        about = {"vehicle": vehicle.id, "marker": marker}
        table.find("7.10/shock-recovery", inputs=about, dice=[die], result=result, shows=shown)
        if lost:
            destroy(table, vehicle, "7.10/shock-recovery", "the crew is gone")


def crew_check(
    table: AslskTable, vehicle: Vehicle, modifiers: list[Modifier], rule: str, rolled: Dice | None = None
) -> Dice:
    """3.2.3/nmc Check an exposed crew's morale: a failure is Stun, an Original 12 is STUN, and an exact pass buttons
    the crew up.

    For FPF, the DR of the attack (`rolled`) is also the DR of the check.
    """
    drm = [*modifiers, *crew_drm(vehicle)]
    dice, morale = rolled or roll_two(table, rule, vehicle.id), crew_morale(table.situation, vehicle)
    final = dice.total + total(drm)
    result = "disaster" if dice.total == 12 else "failed" if final > morale else "passed"
    result = "pinned" if result == "passed" and final == morale else result
    table.find(
        rule, inputs={"unit": vehicle.id, "morale": morale}, modifiers=rows(drm), dice=dice.pair, result=result
    )
    if result in ("failed", "disaster"):
        stun(table, vehicle, hard=result == "disaster")
    elif result == "pinned":
        button_up(table, vehicle, "3.2.3/pin")
    return dice
