"""3.2.4/vtt A shot at a vehicle: To Hit, the aspect, To Kill, and the exposed crew.

3.2.4/vtt-checklist    shoot_vehicle
4.2                    flame: there is no To Hit roll; the TK DR is the attack
7.12                   collateral attack on the crew
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Shot
from pbem.titles.aslsk.chance import Dice, roll_two
from pbem.titles.aslsk.close_combat.melee import end_melees
from pbem.titles.aslsk.fire.components import Attack, Component
from pbem.titles.aslsk.fire.drm import Modifier, rows, total
from pbem.titles.aslsk.fire.firepower import shares
from pbem.titles.aslsk.fire.firepower import total as total_fp
from pbem.titles.aslsk.ordnance.arcs import spines_to
from pbem.titles.aslsk.ordnance.shot import (
    aim_reasons,
    backblast,
    breakdown_numbers,
    breaks_down,
    fail,
    finish,
    has_shell,
    keeps_fire,
    leave_residual,
    mark_target,
    tell_empty,
    tell_rate,
    turn,
)
from pbem.titles.aslsk.ordnance.to_hit import SMALL, effect_column, firer_hit_modifiers, hit_number, ordnance_card
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Vehicle
from pbem.titles.aslsk.tabletop import AslskTable, gather_findings
from pbem.titles.aslsk.vehicles.crews import collateral
from pbem.titles.aslsk.vehicles.hitting import (
    is_on_the_move,
    leader_modifiers,
    rolled_on_the_move,
    target_modifiers,
)
from pbem.titles.aslsk.vehicles.kill import Aspect, apply, aspect_of, attempt, effect_kind, kill_number
from pbem.titles.aslsk.weapons.breakdown import breakdown_number, wreck

FLAME_FP = 24


def usual_shell(situation: Situation, one: Component) -> str:
    """6.2 The usual ammunition against vehicles: AP, or HE if the gun has no AP; "" for other weapons."""
    if one.weapon is None or ordnance_card(situation, one).kind not in ("gun", "ma"):
        return ""
    _, ap = shells_of(situation, one)
    return "AP" if ap else "HE"


def infantry_shell(situation: Situation, one: Component) -> str:
    """6.2 The usual ammunition of a Gun against Infantry: HE, or AP if the Gun has no HE."""
    if one.weapon is None or one.ife or situation.weapon_card(one.weapon).kind not in ("gun", "ma"):
        return ""
    he, ap = shells_of(situation, one)
    return "AP" if not he and ap else ""


def shells_of(situation: Situation, one: Component) -> tuple[bool, bool]:
    """6.0 Whether a Gun or main armament has HE, and whether it has AP, in unlimited supply."""
    assert one.weapon is not None
    gun = situation.gun_card(one.weapon)
    if gun is not None:
        return gun.he, gun.ap
    vehicle = situation.vehicle_of(one.weapon)
    assert vehicle is not None
    card = situation.vehicle_card(vehicle)
    return card.he, card.ap


def vehicle_hit_modifiers(situation: Situation, one: Component, attack: Attack, vehicle: Vehicle) -> list[Modifier]:
    """3.2.4/known-th-drm All modifiers to a shot at a vehicle."""
    return [
        *leader_modifiers(situation, one, attack),
        *firer_hit_modifiers(situation, one, attack),
        *target_modifiers(situation, one, vehicle),
    ]


def shoot_vehicle(table: AslskTable, one: Component, attack: Attack) -> list[str]:
    """3.2.4/vtt-checklist Resolve a declared shot at a vehicle; return the weapon if it kept its rate of fire."""
    situation, vehicle = table.situation, table.state.vehicles[attack.target]
    assert one.weapon is not None
    if ordnance_card(situation, one).kind == "ft":
        return flame(table, one, attack, vehicle)
    attack = msgspec.structs.replace(attack, how=attack.how or usual_shell(situation, one))
    seen = situation.sees(one.hex, attack.at)
    modifiers = vehicle_hit_modifiers(situation, one, attack, vehicle) if seen else []
    number = hit_number(situation, one, attack)
    dice = roll_two(table, "3.2.4", one.id)
    numbers = breakdown_numbers(situation, one, attack)
    broken = breaks_down(table, one, attack, dice)
    supplied = not seen or has_shell(table, one, attack, dice)
    turns = spines_to(situation, one.weapon, one.hex, attack.at) > 0
    turn(table, one, attack, turns=turns)
    if not supplied and dice.total < numbers[0]:
        tell_empty(table, one, attack)
        return []  # 6.2 it did not fire, but it has turned
    kept = keeps_fire(table, one, attack, dice, turns=turns) and not broken
    hit = seen and supplied and rolled_on_the_move(one, dice) + total(modifiers) <= number
    with gather_findings(table) as children:
        if hit:
            land(table, one, attack, vehicle, dice, modifiers, spent=not kept and not broken)
        tell_rate(table, one, dice, turns=turns, kept=kept)
        backblast(table, one, attack, dice)
        if seen and not broken:
            mark_target(table, one, attack, [vehicle])
        if broken and one.id in table.state.weapons:
            fail(table, one, broken, dice, numbers)
        end_melees(table)
        finish(table, one, attack, [vehicle], kept=kept, turns=turns)
    told = {"empty": not supplied, "moves": is_on_the_move(one)}
    report(table, one, attack, dice, number, modifiers, told, seen=seen, hit=hit, children=children)
    return [one.id] if kept else []


def report(
    table: AslskTable,
    one: Component,
    attack: Attack,
    dice: Dice,
    number: int,
    modifiers: Sequence[Modifier],
    told: Mapping[str, object],
    *,
    seen: bool,
    hit: bool,
    children: list[Finding],
) -> None:
    """Report the shot and everything that followed from it."""
    shown = Shot(
        one.unit.id,
        attack.target,
        one.hex,
        attack.at,
        number,
        tuple(dice.pair),
        "hit" if hit else "miss",
        arms=(one.id,),
    )
    table.find(
        "3.2.4/vtt",
        inputs={
            "weapon": one.id,
            "kind": ordnance_card(table.situation, one).kind,
            "unit": one.unit.id,
            "vehicle": attack.target,
            "at": attack.at,
            "number": number,
            "how": attack.how,
            "intensive": attack.intensive,
            "leaders": list(attack.leaders),
            "no_sight": not seen,
            **told,
        },
        modifiers=rows(modifiers),
        dice=dice.pair,
        result="hit" if hit else "miss",
        children=[*aim_reasons(table.situation, one, attack, number), *children],
        shows=[shown],
    )


def land(
    table: AslskTable,
    one: Component,
    attack: Attack,
    vehicle: Vehicle,
    dice: Dice,
    hits: Sequence[Modifier],
    *,
    spent: bool,
) -> None:
    """7.9, 7.12 Make the To Kill attempt, then attack the exposed crew and leave Residual FP.

    3.3.5 A weapon that broke down or kept its rate of fire (not `spent`) leaves no Residual FP.
    """
    situation = table.situation
    card = ordnance_card(situation, one)
    critical = dice.total == 2 and card.kind not in SMALL  # 6.1
    aspect = aspect_of(situation, one.hex, vehicle, dice)
    found = kill_number(situation, one, attack.how, vehicle, aspect, critical=critical)
    if critical:
        table.find("6.1", inputs={"weapon": one.id, "vehicle": vehicle.id}, result="critical hit")
    if found is None:
        table.find("7.9", inputs={"vehicle": vehicle.id, "weapon": one.id}, result="no effect")
        return
    effect = effect_kind(situation, one, attack.how)
    killed, result = attempt(table, one.id, effect, vehicle, aspect, found)
    apply(table, vehicle, result)
    column = effect_column(situation, one, attack)
    if result != "dud":
        collateral(table, vehicle, column, killed.total)
    solid = attack.how in ("AP", "A", "D") or card.kind == "atr"
    if defends(table, one) and spent and not solid and result != "dud":
        if card.kind.endswith("mg"):  # 3.3.5 its modified FP
            column = situation.data.fire_table.column_of(total_fp(shares(situation, attack, [one])))
        leave_residual(table, one, attack.at, column, hits)


def defends(table: AslskTable, one: Component) -> bool:
    """3.3.5 Whether the shot leaves Residual FP: only Defensive First Fire does."""
    return table.state.phase == "movement" and one.unit.seat != table.state.attacker


def flame(table: AslskTable, one: Component, attack: Attack, vehicle: Vehicle) -> list[str]:
    """4.2 Attack an AFV with a flamethrower: the TK DR decides, armour does not count, and the X# applies to that
    DR.
    """
    situation = table.situation
    assert one.weapon is not None
    limit = breakdown_number(situation, one.weapon, one.unit)
    if not situation.sees(one.hex, attack.at):
        dice = roll_two(table, "7.9", one.id, vehicle.id)
        table.find("3.2.1/declaration", inputs={"firers": [one.id], "at": attack.at}, result="wasted")
    else:
        aspect = aspect_by_sight(situation, one.hex, vehicle)
        found = kill_number(situation, one, "", vehicle, aspect)
        assert found is not None
        with gather_findings(table) as children:
            dice, result = attempt(table, one.id, "flame", vehicle, aspect, found)
            apply(table, vehicle, result)
        inputs = {"weapon": one.id, "unit": one.unit.id, "vehicle": vehicle.id, "number": found.final}
        shown = Shot(
            one.unit.id, vehicle.id, one.hex, attack.at, found.final, tuple(dice.pair), result, arms=(one.id,)
        )
        table.find("4.2/vs-afv", inputs=inputs, result=result, children=children, shows=[shown])
        if result != "dud":
            near = situation.ground.distance(one.hex, attack.at) <= 1
            column = FLAME_FP if near else situation.data.fire_table.column_of(FLAME_FP // 2)
            collateral(table, vehicle, column, dice.total)
            if defends(table, one) and dice.total < limit:
                leave_residual(table, one, attack.at, column, ())
    if dice.total >= limit:
        wreck(table, one.weapon, "4.2", removed=True, dice=dice.pair, number=limit, removed_on=limit)
    end_melees(table)
    finish(table, one, attack, [vehicle], kept=False, turns=False)
    return []


def aspect_by_sight(situation: Situation, start: str, vehicle: Vehicle) -> Aspect:
    """4.2 The aspect that flame hits, without a location: the facing by line of sight, or the rear from the same
    hex.
    """
    return aspect_of(situation, start, vehicle, Dice(1, 1), flame=True)
