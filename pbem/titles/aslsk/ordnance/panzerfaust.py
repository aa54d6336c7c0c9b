"""4.4.2 Panzerfausts, which have no counters: a check whether a German unit has one, and then a shot.

4.4.2    stock, reach, panzerfaust_objections, fire_panzerfaust
4.4.3    backblast
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Shot
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.chance import Dice, draw, roll_one, roll_two
from pbem.titles.aslsk.close_combat.melee import end_melees
from pbem.titles.aslsk.data_set import AslskData
from pbem.titles.aslsk.failing import report_failure
from pbem.titles.aslsk.fire.components import Attack, Component, manner_of
from pbem.titles.aslsk.fire.drm import Modifier, rows, total
from pbem.titles.aslsk.fire.effects import Aimed, place_dm, strike
from pbem.titles.aslsk.fire.modifiers import bearer_modifiers, fire_modifiers, firer_modifiers, gunshield
from pbem.titles.aslsk.fire.morale import Aftermath, break_unit, eliminate, leader_losses, pin, reduce_casualties
from pbem.titles.aslsk.ordnance.direct_hits import blast, direct_hit
from pbem.titles.aslsk.ordnance.to_hit import TERRAIN, missing_terrain, size_modifier
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Marker, Unit, Vehicle
from pbem.titles.aslsk.tabletop import AslskTable, gather_findings
from pbem.titles.aslsk.vehicles.crews import collateral
from pbem.titles.aslsk.vehicles.hitting import target_modifiers
from pbem.titles.aslsk.vehicles.kill import REAR, KillNumber, apply, aspect_of, attempt

SINCE: Final = "1943-10"
FP, KILL, BEST, AVAILABLE = 16, 31, 10, 3
NATION: Final = "german"


def stock(data: AslskData, seat: str) -> int:
    """4.4.2 How many Panzerfausts a side may fire in the scenario, by its number of squads and the year."""
    scenario = data.scenario
    if scenario.side(seat).nation != NATION or scenario.date < SINCE or "no panzerfaust" in scenario.rules:
        return 0
    armour = any(group.vehicles for group in scenario.groups if group.side != seat)
    if not armour and "panzerfaust" not in scenario.rules:
        return 0
    squads = sum(
        data.deck.units[piece.card].kind == "squad"
        for group in scenario.groups
        if group.side == seat
        for piece in group.units
    )
    halves = 2 if scenario.year < 1944 else 3 if scenario.year == 1944 else 4
    return squads * halves // 2


def reach(data: AslskData) -> int:
    """4.4.2 The range of a Panzerfaust: 1 hex, 2 from June 1944, 3 from 1945."""
    date = data.scenario.date
    return 3 if date >= "1945-01" else 2 if date >= "1944-06" else 1


def uses(unit: Unit) -> int:
    return sum(id.startswith("pf") for id in unit.used)


def panzerfaust_objections(situation: Situation, seat: str, attack: Attack) -> Iterator[Objection]:
    """4.4.2 Object to a Panzerfaust shot unless the firer is a Good Order German unit with its target in range."""
    rule, units = "4.4.2", situation.state.units
    unit = units.get(attack.components[0]) if len(attack.components) == 1 else None
    if unit is None or unit.seat != seat or not unit.at:
        yield Objection(rule, say("a Panzerfaust must be fired by one of your units"))
        return
    if situation.card(unit).nation != NATION or seat not in situation.state.pf_left:
        yield Objection(rule, say("you have no Panzerfausts"))
    elif not situation.state.pf_left[seat]:
        yield Objection("4.4.2/shot-limit", say("your Panzerfausts are used up"))
    if not situation.good_order(unit):
        yield Objection("def/good-order", say("{unit} is not in Good Order", unit=unit.id))
        return
    yield from use_objections(situation, unit)
    distance = situation.ground.distance(unit.at, attack.at) if attack.at in situation.ground else 99
    if distance > reach(situation.data):
        yield Objection(rule, say("a Panzerfaust has a range of {reach} hexes", reach=reach(situation.data)))
    beside = situation.enemies_at(unit.at, seat) or situation.enemy_vehicles(unit.at, seat)
    if distance and beside:
        yield Objection(
            "3.2.2/target-choice", say("{unit} cannot fire out of its hex while an enemy is in it", unit=unit.id)
        )
    yield from aim_objections(situation, seat, attack)


def use_objections(situation: Situation, unit: Unit) -> Iterator[Objection]:
    """4.4.2 Object if the unit cannot use a support weapon now: a Panzerfaust counts as one, and is never second
    fire.
    """
    rule = "4.4.2"
    manner = manner_of(situation, Component(unit.id, unit))
    squad = situation.is_squad(unit)
    fresh = not unit.fired or (squad and unit.fired == "first" and situation.state.phase != "prep")
    if manner in ("", "protective") or not fresh:
        yield Objection(rule, say("{unit} cannot fire now", unit=unit.id))
    elif not squad and (unit.fired or unit.used):
        yield Objection(rule, say("{unit} has already fired", unit=unit.id))
    elif squad and (len(unit.used) > 1 or (len(unit.used) == 1 and unit.fired)):
        yield Objection("4.0/weapon-usage", say("{unit} cannot use another weapon", unit=unit.id))
    if manner == "advancing" and unit.fired == "prep":
        yield Objection("3.5", say("{unit} fired in the Prep Fire Phase", unit=unit.id))


def aim_objections(situation: Situation, seat: str, attack: Attack) -> Iterator[Objection]:
    """4.4, 4.4.2 Object unless the target is a vehicle, Infantry in a building, or a unit manning a Gun or SW."""
    state = situation.state
    vehicle = state.vehicles.get(attack.target)
    if attack.target in state.units:
        chosen = [unit.id for unit in targets(situation, seat, attack.at) if situation.weapons(unit)]
        if attack.target not in chosen:
            yield Objection(
                "4.4.2",
                say(
                    "a Panzerfaust can be aimed at a unit only if it mans a Gun or a weapon, and {id} does not",
                    id=attack.target,
                ),
            )
    elif attack.target:
        moves = state.mover is not None and attack.target in state.mover.stack
        if vehicle is None or vehicle.seat == seat or vehicle.at != attack.at:
            yield Objection(
                "4.4.2", say("{target} is not an enemy vehicle in {at}", target=attack.target, at=attack.at)
            )
        elif state.phase == "movement" and not moves:
            yield Objection("3.3.3", say("{target} is not moving", target=attack.target))
    elif not targets(situation, seat, attack.at):
        yield Objection("4.4.2", say("a Panzerfaust can be fired only at vehicles, Guns, and Infantry in buildings"))


def targets(situation: Situation, seat: str, hex: str) -> list[Unit]:
    """4.4 The units that a shaped charge can hurt in a hex."""
    state = situation.state
    found = situation.enemies_at(hex, seat) if hex in situation.ground else []
    if state.phase == "movement":
        found = [unit for unit in found if state.mover is not None and unit.id in state.mover.stack]
    if hex in situation.ground and situation.ground[hex].terrain == "building":
        return found
    return [unit for unit in found if situation.gun_of(unit) is not None]


def check_modifiers(situation: Situation, unit: Unit, *, armour: bool) -> list[Modifier]:
    """4.4.2 The drm of the Panzerfaust check: other targets, CX, half-squads and crews, leaders, and the year
    1945.
    """
    kind = situation.card(unit).kind
    rows_ = (
        ("target is not an AFV", 0 if armour else 1),
        ("CX", 1 if unit.cx else 0),
        ("half-squad or crew", 1 if kind in ("half", "crew") else 0),
        ("leader", 2 if kind == "leader" else 0),
        ("1945", -1 if situation.data.scenario.year >= 1945 else 0),
    )
    return [Modifier("4.4.2", text, value) for text, value in rows_ if value]


def fire_panzerfaust(table: AslskTable, attack: Attack) -> list[str]:
    """4.4.2 Check whether the unit has a Panzerfaust, then fire it."""
    situation, state = table.situation, table.state
    unit = state.units[attack.components[0]]
    vehicle = attack.target if attack.target in state.vehicles else ""  # the shot may destroy it
    modifiers = check_modifiers(situation, unit, armour=bool(vehicle))
    die = roll_one(table, "4.4.2", unit.id)
    has_one = die + total(modifiers) <= AVAILABLE and die != 6
    with gather_findings(table) as children:
        if die == 6:
            fright(table, unit)
        if has_one:
            state.pf_left[unit.seat] -= 1
            shoot(table, unit, attack)
        mark(table, unit, attack)
    table.find(
        "4.4.2",
        inputs={"unit": unit.id, "at": attack.at, "vehicle": vehicle},
        modifiers=rows(modifiers),
        dice=[die],
        result="has one" if has_one else "none",
        children=[
            Finding(
                "4.4.2/check",
                inputs={"unit": unit.id},
                modifiers=tuple(rows(modifiers)),
                dice=(die,),
                result=die + total(modifiers),
            ),
            *children,
        ],
    )
    if not has_one:  # told to its owner, in addition to the finding that both sides see
        goal = f"against {attack.target}" if attack.target else f"at {attack.at}"
        why = Objection("4.4.2", say("{unit} has no Panzerfaust (rolled {die})", unit=unit.id, die=die))
        report_failure(table, unit.seat, f"{unit.id} fire {goal} pf", [why], units=[unit.id])
    return []


def fright(table: AslskTable, unit: Unit) -> None:
    """4.4.2 Apply an Original 6 in the check: it pins the unit, or breaks one that is already pinned."""
    aftermath = Aftermath()
    if unit.pinned:
        break_unit(table, unit, aftermath)
        leader_losses(table, aftermath)
    else:
        pin(table, unit)


def hit_modifiers(situation: Situation, unit: Unit, attack: Attack, target: Unit | Vehicle) -> list[Modifier]:
    """4.4.2 The To Hit DRM: leadership, CX, AFPh, Pin, own hex, backblast protection, and the target's modifiers."""
    one = Component(unit.id, unit)
    found = [*firer_modifiers(situation, attack, [one])]
    if isinstance(target, Vehicle):
        found += target_modifiers(situation, one, target)
    else:
        found += [
            row
            for row in fire_modifiers(situation, attack, [one], target)
            if row not in found and row.rule not in ("4.2", "6.6")
        ]
        found += [*missing_terrain(situation, one, attack, target, found), *size_modifier(situation, target)]
    if unit.at == attack.at:
        found.append(Modifier("3.2.4/own-hex", "own hex", 2))
    if situation.state.phase == "advancing":
        found.append(Modifier("3.5", "Advancing Fire", 2))
    if unit.pinned:
        found.append(Modifier("3.2.3/pin", "pinned firer", 2))
    if situation.ground[unit.at].terrain == "building" and not attack.blast:
        found.append(Modifier("4.4.3", "no backblast", 2))
    return found


def shoot(table: AslskTable, unit: Unit, attack: Attack) -> None:
    """4.4.2 Roll To Hit with the number 10, less 2 for each hex of range; a hit affects one unit."""
    situation, state = table.situation, table.state
    vehicle = state.vehicles.get(attack.target)
    men = [one for one in targets(situation, unit.seat, attack.at) if attack.target in ("", one.id)]
    pool: Sequence[Unit | Vehicle] = [vehicle] if vehicle is not None else men
    target = draw(table, "4.4.2", pool, 1, unit.id, "target")[0]
    number = BEST - 2 * situation.ground.distance(unit.at, attack.at)
    seen = situation.sees(unit.at, attack.at)
    modifiers = hit_modifiers(situation, unit, attack, target) if seen else []
    dice = roll_two(table, "3.2.4", unit.id, "pf")
    limit = 11 if situation.is_inexperienced(unit) else 12
    backfires = dice.total >= limit
    hit = seen and not backfires and dice.total + total(modifiers) <= number
    result = "hit" if hit else "miss"
    with gather_findings(table) as children:
        if hit and isinstance(target, Vehicle):
            kill(table, unit, target, dice)
        elif hit and isinstance(target, Unit):
            burst(table, unit, target, modifiers, critical=dice.total == 2)
        if attack.blast and situation.ground[unit.at].terrain == "building":
            backblast(table, unit, dice)
        end_melees(table)
        if backfires and unit.id in state.units:
            aftermath = Aftermath()
            told = {"unit": unit.id, "number": limit}
            table.find("4.4.2", inputs=told, dice=dice.pair, result="backfires")
            reduce_casualties(table, unit, aftermath)
            leader_losses(table, aftermath)
    shown = Shot(unit.id, target.id, unit.at, attack.at, number, tuple(dice.pair), result)
    table.find(
        "3.2.4",
        inputs={
            "weapon": "Panzerfaust",
            "kind": "pf",
            "unit": unit.id,
            "at": attack.at,
            "number": number,
            "leaders": list(attack.leaders),
            "hit": [target.id] if hit else [],
            "no_sight": not seen,
            "backfires": limit,
        },
        modifiers=rows(modifiers),
        dice=dice.pair,
        result=result,
        children=children,
        shows=[shown],
    )


def kill(table: AslskTable, unit: Unit, vehicle: Vehicle, dice: Dice) -> None:
    """7.9 Roll To Kill with a TK# of 31, doubled by a critical hit."""
    situation = table.situation
    aspect = aspect_of(situation, unit.at, vehicle, dice)
    found = [Modifier("6.1", "critical hit", KILL)] if dice.total == 2 else []
    found += [Modifier("7.9", "rear facing", REAR)] if aspect.facing == "rear" else []
    armour = situation.vehicle_card(vehicle).armour(aspect.location, aspect.facing)
    rolled, result = attempt(table, unit.id, "solid", vehicle, aspect, KillNumber(KILL, tuple(found), armour))
    apply(table, vehicle, result)
    if result != "dud":
        collateral(table, vehicle, FP, rolled.total)


def burst(table: AslskTable, unit: Unit, target: Unit, hits: Sequence[Modifier], *, critical: bool) -> None:
    """4.4.2 Attack the one unit hit with 16 FP, doubled by a critical hit; an Original 12 is a dud."""
    gun = table.situation.gun_of(target)
    if critical and gun is not None:  # 6.7
        table.find("6.7", inputs={"unit": target.id, "weapon": gun.id}, result="destroyed by a critical hit")
        del table.state.weapons[gun.id]
        eliminate(table, target, "6.7", Aftermath())
        return
    dice = roll_two(table, "3.2.4/effects", unit.id, "pf")
    if dice.total == 12:
        table.find("4.4.2", inputs={"unit": target.id, "number": 12}, dice=dice.pair, result="dud")
        return
    fire_table = table.situation.data.fire_table
    column = fire_table.column_of(2 * FP) if critical else FP
    found = [*bearer_modifiers(table.situation, target)]
    shield = gunshield(table.situation, target, [unit.at])
    if shield is not None and fire_table.cell(column, dice.total + total(found)).kind not in ("kia", "k"):
        found.append(shield)  # 6.7 a near miss
    if critical:
        covered = [row for row in hits if row.rule in TERRAIN and row.value > 0]
        found += [Modifier("6.1", f"{row.text}, reversed", -row.value) for row in covered]
    aimed = [Aimed(target, tuple(found))]
    with gather_findings(table) as children:
        cells = strike(table, column, dice.total, aimed, spare=(gun.id,) if gun is not None else ())
        if gun is not None:
            direct_hit(table, gun.id, cells[target.id].kind)
        place_dm(table, column, aimed)
    table.find(
        "6.1" if critical else "3.2.4/effects",
        inputs={"units": [target.id], "against": {target.id: total(found)}},
        modifiers=rows(found),
        cell={"column": column, "used": column},
        dice=dice.pair,
        result={id: str(cell) for id, cell in cells.items()},
        children=children,
    )


def backblast(table: AslskTable, unit: Unit, dice: Dice) -> None:
    """4.4.3 Attack everyone in the firer's hex on column 1, with the coloured die as the Final DR."""
    with gather_findings(table) as children:
        cells = blast(table, unit.at, dice.coloured)
    table.find(
        "4.4.3",
        inputs={"unit": unit.id, "at": unit.at},
        dice=[dice.coloured],
        result={id: str(cell) for id, cell in cells.items()},
        children=children,
    )


def mark(table: AslskTable, unit: Unit, attack: Attack) -> None:
    """4.4.2 Count a Panzerfaust as a used support weapon: a second one costs a squad its inherent FP; other units
    are marked as having fired.
    """
    marker: Marker = {"prep": "prep", "movement": "first"}.get(table.state.phase, "final")  # type: ignore[assignment]
    unit.used.append(f"pf{uses(unit) + 1}")
    table.state.fired_in_phase.append(f"{unit.at}>{attack.at}#ordnance:{unit.used[-1]}")  # 6.2/smoke
    unit.gave_up = unit.gave_up or len(unit.used) > 1
    if not table.situation.is_squad(unit):
        unit.fired = marker
    for id in attack.leaders:
        if id in table.state.units:
            table.state.units[id].fired = marker
            table.state.units[id].directed = table.state.units[id].directed or [unit.id]
