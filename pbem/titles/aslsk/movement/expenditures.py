"""3.3.1 One expenditure of MF by a moving stack: entering a hex, smoke, recovery, dropping, placing a charge.

3.3.1                    enter
3.3.1/smoke-grenades     throw_smoke
3.3.1/recovery           recover
4.0/drop-recover         drop
4.3/placement            charge_objections
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Appear, Happening, Move, Vanish
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.chance import roll_one
from pbem.titles.aslsk.failing import report_attempt
from pbem.titles.aslsk.fire.modifiers import Modifier, rows
from pbem.titles.aslsk.movement.allowance import MF, keeps_to_road, weigh_again
from pbem.titles.aslsk.movement.eligibility import (
    OFF_MAP,
    action_objections,
    entry_objections,
    mf_in_words,
    step_cost,
)
from pbem.titles.aslsk.orders import Leg
from pbem.titles.aslsk.ordnance.acquisition import follow
from pbem.titles.aslsk.ordnance.hidden import turned_back
from pbem.titles.aslsk.ordnance.manhandling import push, push_objections
from pbem.titles.aslsk.rally.phase import recovery_attempt
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Smoke, Unit
from pbem.titles.aslsk.tabletop import AslskTable
from pbem.titles.aslsk.weapons.possession import drop, too_heavy


def moving(table: AslskTable) -> list[Unit]:
    """3.3.1 The units of the stack that are still moving together."""
    mover = table.state.mover
    assert mover is not None
    return [table.state.units[id] for id in mover.units if id in table.state.units]


def leg_objections(situation: Situation, units: Sequence[Unit], leg: Leg) -> list[Objection]:
    """3.3.1 All objections to the next leg of a stack."""
    if leg.do == "enter":
        return [*entry_objections(situation, units, leg.hex, cover=leg.cover), *load_objections(situation, units)]
    at = units[0].at
    if not at:
        return [Objection("3.3/entry-exit", say("a unit off the map can only enter the map"))]
    if leg.do == "smoke":
        return smoke_objections(situation, units, leg)
    if leg.do == "push":
        return [*push_objections(situation, units, leg)]
    weapon = situation.state.weapons.get(leg.weapon)
    if leg.do == "recover":
        lies = weapon is not None and not weapon.holder and weapon.at == at
        lying = (
            [] if lies else [Objection("3.3.1/recovery", say("{weapon} is not in {at}", weapon=leg.weapon, at=at))]
        )
        able = [unit for unit in units if not leg.by or unit.id in leg.by]
        if weapon is not None and able and all(too_heavy(situation, unit, weapon) for unit in able):
            lying.append(Objection("4.0/portage", say("{able} cannot carry that much", able=able[0].id)))
        return [*lying, *action_objections(units, MF, "3.3.1/recovery")]
    held = weapon is not None and weapon.holder in {unit.id for unit in units}
    holding = [] if held else [Objection("4.0", say("no unit of the stack possesses {weapon}", weapon=leg.weapon))]
    if leg.do == "drop" or holding:
        return holding
    return charge_objections(situation, units, leg)


def load_objections(situation: Situation, units: Sequence[Unit]) -> list[Objection]:
    """4.0/drop-recover Return the objections to carrying a weapon that another unit has already moved in this MPh."""
    return (
        [
            Objection(
                "4.0/drop-recover", say("{weapon} has been moved in this phase and must be dropped", weapon=weapon.id)
            )
            for unit in units
            for weapon in situation.weapons(unit)
            if weapon.laid_down
        ]
        + [
            Objection("6.5", say("{unit} has pushed a Gun and must stay with it", unit=unit.id))
            for unit in units
            if unit.hazard
        ]
        + [
            Objection("6.5", say("{unit} must drop {gun} first, or push it", unit=unit.id, gun=gun.id))
            for unit in units
            if (gun := situation.gun_of(unit)) is not None
        ]
    )


def smoke_objections(situation: Situation, units: Sequence[Unit], leg: Leg) -> list[Objection]:
    """3.3.1/smoke-grenades Object to smoke unless a unit of the stack can throw it now, into its own or an
    adjacent hex.
    """
    rule, at = "3.3.1/smoke-grenades", units[0].at
    if leg.hex not in situation.ground or situation.ground.distance(at, leg.hex) > 1:
        return [Objection(rule, say("smoke can be thrown only at {at} or an adjacent hex", at=at))]
    if not throwers(situation, units, leg):
        return [Objection(rule, say("no unit in the stack can throw smoke now"))]
    cost = MF if leg.hex == at else 2 * MF
    return [*action_objections(units, cost, rule)]


def throwers(situation: Situation, units: Sequence[Unit], leg: Leg) -> list[Unit]:
    """3.3.1/smoke-grenades Return the units that may still try to throw smoke, in the order named."""
    able = [
        unit
        for unit in units
        if situation.card(unit).smoke and unit.going is not None and not unit.going.smoke_tried and not unit.pinned
    ]
    named = [unit for id in leg.by for unit in able if unit.id == id]
    return named if leg.by else able


def charge_objections(situation: Situation, units: Sequence[Unit], leg: Leg) -> list[Objection]:
    """4.3/placement Object to placing a charge unless it is in an adjacent hex, for the MF that entering that hex
    would cost.
    """
    weapon = situation.state.weapons[leg.weapon]
    if situation.weapon_card(weapon).kind != "dc":
        return [Objection("4.3/placement", say("{weapon} is not a demolition charge", weapon=leg.weapon))]
    if leg.hex not in situation.ground or not situation.ground.adjacent(units[0].at, leg.hex):
        return [Objection("4.3/placement", say("{hex} is not adjacent", hex=leg.hex))]
    cost = step_cost(situation, units[0], leg.hex)
    return [*action_objections(units, cost, "4.3/placement")]


def spend(units: Sequence[Unit], cost: int) -> None:
    """3.3.1/declaration Make every unit in the stack spend these MF in its present hex."""
    for unit in units:
        if unit.going is not None:
            unit.going.spent += cost
            unit.going.here += cost
            unit.going.trail.append((unit.at, cost))


def enter(table: AslskTable, units: Sequence[Unit], leg: Leg) -> None:
    """3.3.1 Move the stack into a hex, or off the map (3.3/entry-exit)."""
    situation, state = table.situation, table.state
    start, cost = units[0].at, step_cost(situation, units[0], leg.hex, cover=leg.cover)
    if turned_back(table, units, leg.hex, cost):
        return
    table.find(
        "3.3.1",
        inputs={"units": [unit.id for unit in units], "from": start, "to": leg.hex, "mf": mf_in_words(cost)},
        result=leg.hex,
        children=[*cost_reasons(situation, start, leg)],
        shows=steps_shown(units, start, leg.hex),
    )
    for unit in units:
        going = unit.going
        assert going is not None
        on_map = bool(start) and leg.hex != OFF_MAP
        kept = on_map and keeps_to_road(situation, start, leg.hex, cover=leg.cover)
        enters_by_road = not start and leg.hex != OFF_MAP and situation.ground[leg.hex].road and not leg.cover
        going.by_road = going.by_road and (kept or enters_by_road)
        going.road_rate = kept or enters_by_road
        going.climbed = on_map and situation.ground.uphill(start, leg.hex)
        going.came_from = start
        going.spent += cost
        going.here, going.hexes = cost, going.hexes + 1
        going.trail.append((leg.hex, cost))
        unit.at = leg.hex
        for weapon in situation.weapons(unit):
            weapon.carried = True
            weapon.lose_target()
    if leg.hex == OFF_MAP:
        for unit in units:
            leave(table, unit)
    else:
        follow(table, units, start)
        assert state.mover is not None
        state.mover.at = leg.hex


def cost_reasons(situation: Situation, start: str, leg: Leg) -> Iterator[Finding]:
    """1.1.1 The reasons why a hex costs more or less than its terrain."""
    if not start or leg.hex == OFF_MAP:
        return
    if situation.ground.uphill(start, leg.hex):
        yield Finding("1.1.1.10/crest-cost", inputs={"to": leg.hex}, result="doubled")
    if situation.ground.road_between(start, leg.hex):
        rate = "terrain cost elected" if leg.cover else "road rate"
        yield Finding("1.1.1.5" if leg.cover else "1.1.1.3", inputs={"to": leg.hex}, result=rate)


def steps_shown(units: Sequence[Unit], start: str, end: str) -> list[Happening]:
    """Return one step of each unit, or its appearance on the map, as a happening."""
    if end == OFF_MAP:
        return []
    if not start:
        return [shown for unit in units for shown in (Appear(unit.id, end), Move(unit.id, ((end, None),)))]
    return [Move(unit.id, ((start, None), (end, None))) for unit in units]


def leave(table: AslskTable, unit: Unit) -> None:
    """3.3/entry-exit Take a unit off the map with its weapons to meet the victory conditions."""
    for weapon in table.situation.weapons(unit):
        del table.state.weapons[weapon.id]
    table.state.exited.append(f"{unit.card}@{unit.seat}")
    table.find("3.3/entry-exit", inputs={"unit": unit.id}, result="left the map", shows=[Vanish(unit.id)])
    del table.state.units[unit.id]


def throw_smoke(table: AslskTable, units: Sequence[Unit], leg: Leg) -> None:
    """3.3.1/smoke-grenades Throw smoke: a dr up to the exponent places the smoke, and an Original 6 ends the
    thrower's MPh.
    """
    unit = throwers(table.situation, units, leg)[0]
    spend(units, MF if leg.hex == unit.at else 2 * MF)
    assert unit.going is not None
    unit.going.smoke_tried = True
    exponent = table.situation.card(unit).smoke
    die = roll_one(table, "3.3.1/smoke-grenades", unit.id)
    placed = die + unit.cx <= exponent
    table.find(
        "3.3.1/smoke-grenades",
        inputs={"unit": unit.id, "at": leg.hex, "exponent": exponent},
        modifiers=rows([Modifier("3.3.1/cx", "CX", 1)] if unit.cx else []),
        dice=[die],
        result="placed" if placed else "move ends" if die == 6 else "not placed",
    )
    if placed:
        table.state.smoke.setdefault(leg.hex, []).append(Smoke("grenade", unit.seat))
    else:
        why = Objection("3.3.1/smoke-grenades", say("no smoke was placed (rolled {die})", die=die))
        report_attempt(table, unit, f"smoke {leg.hex}", why)
    if die == 6:
        unit.going.done = True


def recover(table: AslskTable, units: Sequence[Unit], leg: Leg) -> None:
    """3.3.1/recovery Try, for 1 MF, to recover an unpossessed weapon in the hex, with a dr below 6."""
    spend(units, MF)
    weapon = table.state.weapons[leg.weapon]
    able = [unit for unit in units if not leg.by or unit.id in leg.by]
    fit = [unit for unit in able if not too_heavy(table.situation, unit, weapon)]
    moved = weapon.carried
    if recovery_attempt(table, (fit or able or list(units))[0], weapon, "3.3.1/recovery"):
        weapon.laid_down = moved  # 4.0/drop-recover
        weigh_again(table.situation, units)


def expend(table: AslskTable, units: Sequence[Unit], leg: Leg) -> bool:
    """3.3.1/declaration Make one legal expenditure; return whether it opens a window (dropping does not)."""
    if leg.do == "drop":
        drop(table, table.state.weapons[leg.weapon])
        weigh_again(table.situation, units)
        return False
    if leg.do == "enter":
        enter(table, units, leg)
    elif leg.do == "push":
        push(table, units, leg)
    elif leg.do == "smoke":
        throw_smoke(table, units, leg)
    elif leg.do == "recover":
        recover(table, units, leg)
    else:
        spend(units, step_cost(table.situation, units[0], leg.hex))
        table.find("4.3/placement", inputs={"weapon": leg.weapon, "at": leg.hex}, result="announced")
    return True
