"""3.2.4 One shot of a light mortar or light anti-tank weapon, from the line of sight to the markers.

3.2.4    shoot: To Hit, then the effect on the fire table
6.1      a critical hit on one of the units hit
6.10     acquisition by mortars
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.rules.happenings import Shot
from pbem.titles.aslsk.chance import Dice, draw, roll_two
from pbem.titles.aslsk.close_combat.melee import end_melees
from pbem.titles.aslsk.fire.components import Attack, Component
from pbem.titles.aslsk.fire.declaration import shot_key, targets_in
from pbem.titles.aslsk.fire.effects import Aimed, place_dm, strike
from pbem.titles.aslsk.fire.modifiers import Modifier, rows, total
from pbem.titles.aslsk.fire.table import residual_of, stepped
from pbem.titles.aslsk.ordnance.to_hit import (
    effect_column,
    effect_modifiers,
    has_second_man,
    hit_modifiers,
    hit_number,
    ordnance_card,
)
from pbem.titles.aslsk.state import Marker, Unit, units_at
from pbem.titles.aslsk.tabletop import AslskTable, gathered
from pbem.titles.aslsk.weapons.breakdown import breakdown_number, keeps_rate, wreck

MOST_ACQUISITION = 2


def shoot(table: AslskTable, one: Component, attack: Attack) -> list[str]:
    """3.2.4 Resolve a declared shot; return the weapon if it kept its rate of fire."""
    situation = table.situation
    assert one.weapon is not None
    seen = situation.sees(one.hex, attack.at)
    targets = affected(table, one, attack) if seen else []
    hits = {unit.id: hit_modifiers(situation, one, attack, unit) for unit in targets}
    number = hit_number(situation, one, attack.at)
    dice = roll_two(table, "3.2.4", one.id)
    hit = [unit for unit in targets if dice.total + total(hits[unit.id]) <= number]
    kept = keeps_rate(situation, one, "normal", dice, cowered=False) and may_keep_rate(table, one, attack)
    with gathered(table) as children:
        broken = dice.total >= breakdown_number(situation, one.weapon, one.unit)
        if hit:
            effect(table, one, attack, hit, hits, critical=dice.total == 2)
        end_melees(table)
        if seen and not broken:
            acquire(table, one, attack.at)
        if broken:
            wreck(table, one.weapon, "6.12", removed=ordnance_card(situation, one).number == "X", dice=dice.pair)
        finish(table, one, attack, targets, kept=kept and not broken)
    table.find(
        "3.2.4",
        inputs={
            "weapon": one.id,
            "unit": one.unit.id,
            "at": attack.at,
            "number": number,
            "leaders": list(attack.leaders),
            "hit": [unit.id for unit in hit],
            "no_sight": not seen,
        },
        modifiers=rows(next(iter(hits.values()), [])),
        dice=dice.pair,
        result="hit" if hit else "miss",
        children=children,
        shows=[Shot(one.unit.id, origin=one.hex, goal=attack.at, needed=number, rolled=tuple(dice.pair))],
    )
    return [one.id] if kept and not broken else []


def affected(table: AslskTable, one: Component, attack: Attack) -> list[Unit]:
    """3.2.4/att A mortar hits every unit in the hex, friends too; in the MPh only those that move."""
    targets = targets_in(table.situation, one.unit.seat, attack.at)
    if table.state.phase == "movement" or ordnance_card(table.situation, one).kind != "mortar":
        return targets
    return units_at(table.state, attack.at)


def may_keep_rate(table: AslskTable, one: Component, attack: Attack) -> bool:
    """4.5, 3.5 Not in the AFPh; a lone leader's mortar has no rate of fire."""
    lone = table.situation.is_leader(one.unit) and not has_second_man(table.situation, one, attack)
    return table.state.phase != "advancing" and not lone


def effect(
    table: AslskTable,
    one: Component,
    attack: Attack,
    hit: Sequence[Unit],
    hits: dict[str, list[Modifier]],
    *,
    critical: bool,
) -> None:
    """3.2.4/effects, 6.1 One DR on the fire table for all units hit; one of them may take the critical hit."""
    situation = table.situation
    chosen = draw(table, "6.1", hit, 1, one.id) if critical else []
    dice = roll_two(table, "3.2.4/effects", one.id)
    column = effect_column(situation, one)
    plain = [unit for unit in hit if unit not in chosen]
    for units, used, is_critical in (
        (chosen, effect_column(situation, one, critical=True), True),
        (plain, column, False),
    ):
        aimed = [
            Aimed(unit, tuple(effect_modifiers(situation, one, attack, unit, hits[unit.id], critical=is_critical)))
            for unit in units
        ]
        if aimed:
            report_effect(table, aimed, used, dice, critical=is_critical)
    if table.state.phase == "movement":
        largest = effect_column(situation, one, critical=True) if chosen else column
        leave_residual(table, one, attack.at, largest, next(iter(hits.values())))


def report_effect(table: AslskTable, aimed: Sequence[Aimed], column: int, dice: Dice, *, critical: bool) -> None:
    with gathered(table) as children:
        cells = strike(table, column, dice.total, aimed)
        place_dm(table, column, aimed)
    table.find(
        "6.1" if critical else "3.2.4/effects",
        inputs={"units": [one.unit.id for one in aimed]},
        modifiers=rows(aimed[0].modifiers),
        cell={"column": column, "used": column},
        dice=dice.pair,
        result={id: str(cell) for id, cell in cells.items()},
        children=children,
    )


def leave_residual(table: AslskTable, one: Component, at: str, column: int, hits: Sequence[Modifier]) -> None:
    """3.3.5 A hit leaves half its column; an air burst raises it, DRM from outside the hex lower it."""
    outside = sum(modifier.value for modifier in hits if modifier.outside and modifier.value > 0)
    place = table.situation.ground[at]
    mortar = ordnance_card(table.situation, one).kind == "mortar"
    burst = 1 if mortar and place.terrain == "woods" else 0
    strength = stepped(residual_of(column), burst - outside)
    if strength > table.state.residual.get(at, 0):
        table.state.residual[at] = strength
        table.find("3.3.5", inputs={"at": at, "column": column}, result=strength)


def acquire(table: AslskTable, one: Component, at: str) -> None:
    """6.10, 6.11 A mortar acquires the hex that it fires at, up to -2."""
    assert one.weapon is not None
    if ordnance_card(table.situation, one).kind != "mortar":
        return
    level = one.weapon.acquisition if one.weapon.acquired == at else 0
    one.weapon.acquired, one.weapon.acquisition = at, min(MOST_ACQUISITION, level + 1)
    table.find("6.11", inputs={"weapon": one.id, "at": at}, result=-one.weapon.acquisition)


def finish(table: AslskTable, one: Component, attack: Attack, targets: Sequence[Unit], *, kept: bool) -> None:
    """3.2.4 Count the shot and mark the weapon unless it kept its rate of fire."""
    state = table.state
    assert one.weapon is not None
    marker: Marker = {"prep": "prep", "movement": "first"}.get(state.phase, "final")  # type: ignore[assignment]
    if state.phase == "movement":
        for unit in targets:
            key = shot_key(one.id, unit.id, attack.at)
            state.shots[key] = state.shots.get(key, 0) + 1
    if one.id not in one.unit.used:
        one.unit.used.append(one.id)
    one.unit.gave_up = one.unit.gave_up or len(one.unit.used) > 1
    if not kept and one.id in state.weapons:
        one.weapon.fired = marker
    if table.situation.is_leader(one.unit):
        one.unit.fired = marker
    for id in attack.leaders:
        if id in state.units:
            leader = state.units[id]
            leader.fired = marker
            leader.directed = leader.directed or [one.id]
