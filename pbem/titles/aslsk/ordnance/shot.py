"""3.2.4 One ordnance shot, from the covered arc to the markers.

3.2.4      shoot: turn, To Hit, then the effect on the fire table
6.1        a critical hit on one of the units hit
6.2        smoke, WP and depletion
6.7        direct hits on Guns
6.10       acquisition
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Area, Change, Shot
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.chance import Dice, draw, roll_two
from pbem.titles.aslsk.close_combat.melee import end_melees
from pbem.titles.aslsk.failing import report_failure
from pbem.titles.aslsk.fire.components import Attack, Component, seconds, targets_in
from pbem.titles.aslsk.fire.declaration import shot_key
from pbem.titles.aslsk.fire.effects import place_dm_by_hit
from pbem.titles.aslsk.fire.modifiers import Modifier, crew_cover, rows, total
from pbem.titles.aslsk.fire.morale import (
    Aftermath,
    eliminate,
    in_check_order,
    leader_losses,
    morale_check,
    note_leaders,
)
from pbem.titles.aslsk.fire.table import residual_of, step_residual
from pbem.titles.aslsk.ordnance.acquisition import acquire, level_of
from pbem.titles.aslsk.ordnance.arcs import (
    is_qualified,
    mount_of,
    rate_of,
    spines_to,
    turn_inputs,
    turn_to_fire,
)
from pbem.titles.aslsk.ordnance.bystanders import Aside, asides, exposed_asides, spill
from pbem.titles.aslsk.ordnance.declaration import has_second_man
from pbem.titles.aslsk.ordnance.direct_hits import aim, blast, report_effect
from pbem.titles.aslsk.ordnance.hidden import HIT, reveal
from pbem.titles.aslsk.ordnance.to_hit import (
    SHAPED,
    SMALL,
    SMOKE,
    effect_column,
    hit_modifiers,
    hit_number,
    is_gun,
    ordnance_card,
    target_tem,
    target_type,
    uses_red,
)
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Marker, Piece, Smoke, Unit, Vehicle, Weapon, open_units_at
from pbem.titles.aslsk.tabletop import AslskTable, gather_findings
from pbem.titles.aslsk.vehicles.hitting import is_on_the_move, rolled_on_the_move
from pbem.titles.aslsk.vehicles.marking import note_vehicle_fire
from pbem.titles.aslsk.vehicles.status import crew_check
from pbem.titles.aslsk.weapons.breakdown import NEVER, breakdown_number, wreck

LEAST_BREAKDOWN = 2
MISS = 99
"""A roll that hits nothing: the weapon broke down, or lacked the ammunition (6.2)."""


def shoot(table: AslskTable, one: Component, attack: Attack) -> list[str]:
    """3.2.4 Resolve a declared shot; return the weapon if it kept its rate of fire."""
    situation = table.situation
    assert one.weapon is not None
    seen = situation.sees(one.hex, attack.at)
    targets = units_hit(table, one, attack) if seen else []
    hits = {unit.id: hit_modifiers(situation, one, attack, unit) for unit in targets}
    beside = asides(situation, one, attack) if seen else []
    bare = seen and not targets and (attack.how in SMOKE or not any_open(beside))
    empty = hit_modifiers(situation, one, attack, None) if bare else []
    lead = next((found.thing for found in beside if isinstance(found.thing, Vehicle)), None) if not targets else None
    number = hit_number(situation, one, attack, lead)
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
    rolled = rolled_on_the_move(one, dice) if supplied else MISS
    hit = [unit for unit in targets if rolled + total(hits[unit.id]) <= number]  # def/hit
    aside = [
        found
        for found in beside
        if rolled + total(found.hits) <= number_against(situation, one, attack, found.thing, number)
    ]
    struck = bool(hit) or (bare and rolled + total(empty) <= number) or any_open(aside)
    with gather_findings(table) as children:
        if struck:
            land_hit(table, one, attack, hit, aside, hits, dice, number, spent=not kept and not broken)
        tell_rate(table, one, dice, turns=turns, kept=kept)
        backblast(table, one, attack, dice)
        end_melees(table)
        if seen and not broken:
            mark_target(table, one, attack, [*targets, *exposed_asides(beside)])
        if broken:
            fail(table, one, broken, dice, numbers)
        finish(table, one, attack, [*targets, *exposed_asides(beside)], kept=kept, turns=turns)
    met = next(iter([*hits.values(), *(found.hits for found in beside if is_open(found))]), empty)
    against = {id: total(found) for id, found in hits.items()}
    against |= {found.thing.id: total(found.hits) for found in beside if is_open(found)}
    told = {"against": against or {attack.at: total(empty)}, "empty": not supplied, "hit": [unit.id for unit in hit]}
    report(table, one, attack, dice, number, met, told, seen=seen, struck=struck, children=children)
    return [one.id] if kept else []


def number_against(situation: Situation, one: Component, attack: Attack, thing: Piece | Weapon, number: int) -> int:
    """3.2.4/th-numbers The To Hit number against one target, without point-blank bonus for a vehicle in motion."""
    return hit_number(situation, one, attack, thing) if isinstance(thing, Vehicle) else number


def any_open(aside: Sequence[Aside]) -> bool:
    """6.4 Whether the shot hits anything that all players can see."""
    return any(is_open(found) for found in aside)


def is_open(found: Aside) -> bool:
    return not (isinstance(found.thing, Unit) and found.thing.hidden)


def aim_reasons(situation: Situation, one: Component, attack: Attack, number: int) -> Iterator[Finding]:
    """3.2.4/procedure The reasons for a To Hit number: the target type, the colour, and the number itself."""
    kind = target_type(situation, one, attack)
    about = {"weapon": one.id, "range": situation.ground.distance(one.hex, attack.at)}
    if kind in ("infantry", "area"):
        yield Finding("3.2.4/itt" if kind == "infantry" else "3.2.4/att", inputs=about, result=kind)
        yield Finding("def/itt" if kind == "infantry" else "def/att", inputs=about, result=kind)
    if kind != "own":
        red = kind == "area" or (ordnance_card(situation, one).kind not in SMALL and uses_red(situation, one))
        yield Finding("3.2.4/red-black", inputs=about, result="red" if red else "black")
    yield Finding("3.2.4/th-numbers", inputs=about, result=number)


def tell_rate(table: AslskTable, one: Component, dice: Dice, *, turns: bool, kept: bool) -> None:
    """1.2.4.1, 3.2.4/rof-reduction Report a reduced rate of fire, or a rate of fire that was kept."""
    assert one.weapon is not None
    printed = ordnance_card(table.situation, one).rof
    rate = rate_of(table.situation, one.weapon, one.unit, turns=turns)
    if rate < printed:
        table.find("3.2.4/rof-reduction", inputs={"weapon": one.id, "printed": printed}, result=rate)
    if kept:
        about = {"weapon": one.id, "rate": rate}
        table.find("1.2.4.1", inputs=about, dice=[dice.coloured], result="may fire again")


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
    struck: bool,
    children: list[Finding],
) -> None:
    """Report the shot and everything that followed from it."""
    table.find(
        "3.2.4",
        inputs={
            "weapon": one.id,
            "kind": ordnance_card(table.situation, one).kind,
            "unit": one.unit.id,
            "at": attack.at,
            "number": number,
            "how": attack.how,
            "intensive": attack.intensive,
            "leaders": list(attack.leaders),
            "no_sight": not seen,
            "moves": is_on_the_move(one),
            **told,
        },
        modifiers=rows(modifiers),
        dice=dice.pair,
        result="hit" if struck else "miss",
        children=[*aim_reasons(table.situation, one, attack, number), *children],
        shows=[
            Shot(
                one.unit.id,
                origin=one.hex,
                goal=attack.at,
                needed=number,
                rolled=tuple(dice.pair),
                result="hit" if struck else "miss",
                arms=(one.id,),
            )
        ],
    )


def backblast(table: AslskTable, one: Component, attack: Attack, dice: Dice) -> None:
    """4.4.3 Resolve the backblast in a building, in place of +2 To Hit, against all in the firer's hex; the coloured
    die is read on column 1.
    """
    kind = ordnance_card(table.situation, one).kind
    if not attack.blast or kind not in ("baz", "psk") or table.situation.ground[one.hex].terrain != "building":
        return
    with gather_findings(table) as children:
        cells = blast(table, one.hex, dice.coloured)
    table.find(
        "4.4.3",
        inputs={"unit": one.unit.id, "at": one.hex},
        dice=[dice.coloured],
        result={id: str(cell) for id, cell in cells.items()},
        children=children,
    )


def breaks_down(table: AslskTable, one: Component, attack: Attack, dice: Dice) -> str:
    """6.12, 3.2.4/intensive-fire The way in which the weapon breaks down: it malfunctions or is removed; "" if it
    keeps working.
    """
    situation = table.situation
    assert one.weapon is not None
    printed = ordnance_card(situation, one).breakdown
    if isinstance(one.unit, Vehicle) and situation.vehicle_card(one.unit).low_ammo:
        return runs_low(table, one, one.unit, dice, printed, intensive=attack.intensive)
    number, limit = breakdown_numbers(situation, one, attack)
    if dice.total < number:
        return ""
    return "removed" if dice.total >= limit else "malfunctions"


def fail(table: AslskTable, one: Component, broken: str, dice: Dice, numbers: tuple[int, int]) -> None:
    """6.12 Make the weapon malfunction, or remove it, after its shot."""
    assert one.weapon is not None
    number, limit = numbers
    gone = broken == "removed"
    wreck(table, one.weapon, "6.12", removed=gone, dice=dice.pair, number=number, removed_on=limit)


def breakdown_numbers(situation: Situation, one: Component, attack: Attack) -> tuple[int, int]:
    """6.12, 7.2.1 The lowest roll on which a weapon breaks down, and the lowest on which it is removed."""
    assert one.weapon is not None
    card = ordnance_card(situation, one)
    if isinstance(one.unit, Vehicle) and situation.vehicle_card(one.unit).low_ammo:
        return low_numbers(card.breakdown, low=one.unit.low_ammo, intensive=attack.intensive)
    number = breakdown_number(situation, one.weapon, one.unit) - (2 if attack.intensive else 0)
    number -= 2 if is_gun(situation, one) and not is_qualified(situation, one.unit) else 0
    number = max(LEAST_BREAKDOWN, number)
    if card.number == "X":
        return number, number
    return number, card.breakdown if number < card.breakdown else NEVER


def low_numbers(printed: int, *, low: bool, intensive: bool) -> tuple[int, int]:
    """7.2.1 The breakdown numbers for a circled B#: Low Ammo lowers the number by 1, Intensive Fire by 2."""
    number = printed - (2 if intensive else 0) - (1 if low else 0)
    return number, printed if low or intensive else NEVER


def runs_low(
    table: AslskTable, one: Component, vehicle: Vehicle, dice: Dice, printed: int, *, intensive: bool
) -> str:
    """7.2.1 Apply a circled B#: at first it causes Low Ammo; after that the armament breaks down sooner, and for good
    on the B#.

    Intensive Fire lowers the number by 2, and on the printed number disables the armament (3.2.4/intensive-fire).
    """
    number, limit = low_numbers(printed, low=vehicle.low_ammo, intensive=intensive)
    if dice.total < number:
        return ""
    if dice.total >= limit:
        return "removed"
    if vehicle.low_ammo or dice.total == 12:
        return "malfunctions"
    vehicle.low_ammo = True
    about = {"vehicle": vehicle.id, "weapon": one.id, "number": number}
    shown = [Change(vehicle.id, "low_ammo")]
    table.find("7.2.1", inputs=about, dice=dice.pair, result="low", shows=shown)
    return ""


def has_shell(table: AslskTable, one: Component, attack: Attack, dice: Dice) -> bool:
    """6.2 Whether special ammunition is available: the roll must not exceed the depletion number, on which the
    last of it is fired.
    """
    kind = {"smoke": "s", "": "HE"}.get(attack.how, attack.how)
    if kind in ("area", "pf"):
        kind = "HE"
    assert one.weapon is not None
    number = ordnance_card(table.situation, one).depletion(kind, table.situation.data.scenario.date)
    if number is None or dice.total < number:
        return True
    one.weapon.depleted.append(kind)
    result = "the last" if dice.total == number else "none"
    about = {"weapon": one.id, "ammunition": kind, "number": number}
    table.find("6.2", inputs=about, dice=dice.pair, result=result)
    return dice.total == number


def tell_empty(table: AslskTable, one: Component, attack: Attack) -> None:
    """6.2 Tell the owner that a weapon did not fire because it has no such ammunition."""
    why = Objection("6.2", say("{one_} has no such ammunition and does not fire", one_=one.id))
    report_failure(table, one.unit.seat, f"{one.id} fire {attack.at}", [why], units=[one.id])


def units_hit(table: AslskTable, one: Component, attack: Attack) -> list[Unit]:
    """3.2.4/att The units that a shot hits.

    Area fire hits all units in the hex, including friends, but in the MPh only those that are moving.
    """
    targets = targets_in(table.situation, one.unit.seat, attack.at)
    if attack.how == "smoke":
        return []
    kind = ordnance_card(table.situation, one).kind
    if kind in SHAPED and table.situation.ground[attack.at].terrain != "building":
        return [unit for unit in targets if table.situation.gun_of(unit) is not None]
    if table.state.phase == "movement" or target_type(table.situation, one, attack) != "area":
        return targets
    return open_units_at(table.state, attack.at)


def keeps_fire(table: AslskTable, one: Component, attack: Attack, dice: Dice, *, turns: bool) -> bool:
    """1.2.4.1, 3.2.4/rof-reduction Whether the weapon may fire again."""
    situation = table.situation
    assert one.weapon is not None
    lone = situation.is_leader(one.unit) and not has_second_man(situation, one, attack)  # 4.5
    if table.state.phase == "advancing" or lone or attack.intensive or attack.once or one.unit.pinned:
        return False
    if target_type(situation, one, attack) == "area" and ordnance_card(situation, one).kind != "mortar":
        return False  # 3.2.4/att
    return dice.coloured <= rate_of(situation, one.weapon, one.unit, turns=turns)


def turn(table: AslskTable, one: Component, attack: Attack, *, turns: bool) -> None:
    """3.2.4/covered-arc Turn the Gun as far as the shot needs."""
    assert one.weapon is not None
    if turns:
        facing = turn_to_fire(table.situation, one.weapon, one.hex, attack.at)
        table.find("3.2.4/covered-arc", inputs=turn_inputs(table.situation, one.weapon), result=facing)


def land_hit(
    table: AslskTable,
    one: Component,
    attack: Attack,
    hit: Sequence[Unit],
    aside: Sequence[Aside],
    hits: dict[str, list[Modifier]],
    dice: Dice,
    number: int,
    *,
    spent: bool,
) -> None:
    """3.2.4/effects, 6.2/smoke Apply a hit: smoke, WP, or the fire table, and Residual FP if the shot is `spent`
    (3.3.5).
    """
    if attack.how in SMOKE:
        place_smoke(table, one, attack)
    if attack.how == "WP":
        white_phosphorus(table, one, hit, aside, critical=dice.total == 2)
    elif attack.how != "smoke":
        candidates = critically_hit(table, one, attack, hit, aside, hits, dice, number)
        chosen = draw(table, "6.1", candidates, 1, one.id)
        rolled = effect(table, one, attack, hit, hits | {found.thing.id: [*found.hits] for found in aside}, chosen)
        against = [*hits.values(), *(found.hits for found in aside if isinstance(found.thing, Vehicle))]
        defends = table.state.phase == "movement" and one.unit.seat != table.state.attacker
        if defends and spent and against and attack.how not in ("AP", "A", "D"):
            column = effect_column(table.situation, one, attack, critical=bool(chosen))
            leave_residual(table, one, attack.at, column, against[0])
        vehicle = next((piece.id for piece in chosen if isinstance(piece, Vehicle)), "")
        spill(table, one, attack, aside, rolled, dice, critical=vehicle)


def critically_hit(
    table: AslskTable,
    one: Component,
    attack: Attack,
    hit: Sequence[Unit],
    aside: Sequence[Aside],
    hits: dict[str, list[Modifier]],
    dice: Dice,
    number: int,
) -> list[Piece]:
    """6.1 The units and vehicles that may take the critical hit: by the CH number, or on an Original 2.

    They include hidden and exposed crews and, with area fire, every vehicle.
    """
    others = [(found.thing, total(found.hits)) for found in aside if isinstance(found.thing, Unit | Vehicle)]
    candidates: list[tuple[Piece, int]] = [*((unit, total(hits[unit.id])) for unit in hit), *others]
    if target_type(table.situation, one, attack) != "infantry":
        return [piece for piece, _ in candidates] if dice.total == 2 else []
    critical, rolled = table.situation.data.charts.critical, rolled_on_the_move(one, dice)
    numbers = {piece.id: number_against(table.situation, one, attack, piece, number) for piece, _ in candidates}
    return [piece for piece, drm in candidates if rolled + drm <= critical(numbers[piece.id])]


def place_smoke(table: AslskTable, one: Component, attack: Attack) -> None:
    """6.2/smoke, 1.2.5 Place a full Smoke counter in the PFPh, a dispersed one otherwise."""
    full = table.state.phase == "prep"
    kinds = {"smoke": ("dispersed", "full"), "WP": ("wp_dispersed", "wp")}
    counter = Smoke(kinds[attack.how][full], one.unit.seat)  # type: ignore[arg-type]
    table.state.smoke.setdefault(attack.at, []).append(counter)
    shown = [Area("smoke", (attack.at,), one.unit.id)]
    table.find("6.2/smoke", inputs={"weapon": one.id, "at": attack.at}, result=counter.kind, shows=shown)


def white_phosphorus(
    table: AslskTable, one: Component, hit: Sequence[Unit], aside: Sequence[Aside], *, critical: bool
) -> None:
    """6.2/wp Make every unit and exposed crew hit take an NMC with its TEM subtracted; a CH adds the TEM instead."""
    situation = table.situation
    found = [other.thing for other in aside if isinstance(other.thing, Unit)]
    for unit in found:
        reveal(table, unit, HIT)  # 6.4 the check is an effect
    hit = [*hit, *found]
    aftermath = Aftermath(waiting=[unit.id for unit in hit], before=note_leaders(situation, hit))
    for unit in in_check_order(situation, hit):
        morale_check(table, unit, [*burning(situation, one, unit, critical=critical)], aftermath, "6.2/wp")
    leader_losses(table, aftermath)
    place_dm_by_hit(table, hit)  # 3.2.3/dm-placement a WP hit always counts
    for vehicle in exposed_asides(aside):
        cover = crew_cover(situation, vehicle)
        drm = [Modifier("6.2/wp", cover.text, cover.value if critical else -cover.value)]
        if bursts_above(situation, one, vehicle.at):
            drm.append(Modifier("6.2/wp", "air burst", 1))
        crew_check(table, vehicle, drm, "6.2/wp")


def burning(situation: Situation, one: Component, unit: Unit, *, critical: bool) -> Iterator[Modifier]:
    """6.2/wp The DRM of the NMC: minus the TEM (plus the TEM for a CH); +1 instead for a mortar shell in woods.

    An emplaced crew keeps its emplacement under an air burst (6.3).
    """
    tem, bursts = target_tem(situation, one, unit), bursts_above(situation, one, unit.at)
    if bursts:
        yield Modifier("6.2/wp", "air burst", 1)
    if tem is not None and (not bursts or tem.rule == "6.3"):  # 6.3 emplacement and an air burst add up
        yield Modifier("6.2/wp", tem.text, tem.value if critical else -tem.value)


def bursts_above(situation: Situation, one: Component, hex: str) -> bool:
    """1.1.1.4 Whether a mortar shell bursts in the trees."""
    return ordnance_card(situation, one).kind == "mortar" and situation.ground[hex].terrain == "woods"


def effect(
    table: AslskTable,
    one: Component,
    attack: Attack,
    hit: Sequence[Unit],
    hits: dict[str, list[Modifier]],
    critical: Sequence[Piece],
) -> Dice:
    """3.2.4/effects, 6.1 Make one DR on the fire table for all units hit, one of which may take the critical hit."""
    situation = table.situation
    chosen = [unit for unit in critical if isinstance(unit, Unit)]
    dice = roll_two(table, "3.2.4/effects", one.id)
    column = effect_column(situation, one, attack)
    largest = effect_column(situation, one, attack, critical=True) if critical else column
    for unit in chosen:
        reveal(table, unit, HIT)
        if (gun := situation.gun_of(unit)) is not None:  # 6.7
            table.find("6.7", inputs={"unit": unit.id, "weapon": gun.id}, result="destroyed by a critical hit")
            del table.state.weapons[gun.id]
            eliminate(table, unit, "6.7", Aftermath())
    left = [unit for unit in chosen if unit.id in table.state.units]
    plain = [unit for unit in hit if unit not in chosen]
    for units, used, is_critical in ((left, largest, True), (plain, column, False)):
        aimed = [aim(table, one, attack, unit, hits[unit.id], used, dice, critical=is_critical) for unit in units]
        if aimed:
            report_effect(table, aimed, used, dice, critical=is_critical)
    return dice


def leave_residual(table: AslskTable, one: Component, at: str, column: int, hits: Sequence[Modifier]) -> None:
    """3.3.5 Leave half the column of a hit as Residual FP; an air burst raises it, and DRM from outside the hex lower
    it.
    """
    found = [modifier for modifier in hits if modifier.outside and modifier.value > 0]
    if bursts_above(table.situation, one, at):
        found.append(Modifier("def/air-burst", "air burst", -1))
    if is_on_the_move(one):
        found.append(Modifier("def/motion-fire", "lower die doubled", 1))  # No. 16 counts as +1
    strength = step_residual(residual_of(column), -total(found))
    if strength > table.state.residual.get(at, 0):
        table.state.residual[at] = strength
        table.find("3.3.5", inputs={"at": at, "column": column}, modifiers=rows(found), result=strength)


def mark_target(table: AslskTable, one: Component, attack: Attack, units: Sequence[Piece]) -> None:
    """6.10, 6.11 Mark the acquired target of a Gun or mortar; smoke, or a new target on the move, removes the
    acquisition.
    """
    weapon, kind = one.weapon, ordnance_card(table.situation, one).kind
    assert weapon is not None
    if kind not in ("gun", "mortar") and not table.situation.is_main(weapon):
        return
    vehicle = one.unit if isinstance(one.unit, Vehicle) else None
    bounds = vehicle is not None and (
        not vehicle.stopped or (table.state.attacker == vehicle.seat and vehicle.going is not None)
    )
    if attack.how in SMOKE:
        weapon.lose_target()
    elif bounds or attack.unmarked:  # 3.3.2.2; 6.10 the owner places no marker
        if not level_of(table.situation, weapon, attack):
            weapon.lose_target()
    else:
        acquire(table, one, attack, units, area=target_type(table.situation, one, attack) == "area")


def marker_after(table: AslskTable, one: Component, attack: Attack, *, turns: bool) -> Marker:
    """3.2.4/intensive-fire The weapon's fire marker after a shot; a Gun without rate of fire that has turned
    cannot fire again either.
    """
    assert one.weapon is not None
    card = ordnance_card(table.situation, one)
    fixed = mount_of(table.situation, one.weapon) == "NT" and card.kind in ("gun", "ma")
    stuck = fixed and not card.rof and turns
    if attack.intensive or stuck:
        return "intensive"
    found: dict[str, Marker] = {"prep": "prep", "movement": "first"}
    return found.get(table.state.phase, "final")


def finish(
    table: AslskTable, one: Component, attack: Attack, targets: Sequence[Piece], *, kept: bool, turns: bool
) -> None:
    """3.2.4 Count the shot and mark the weapon unless it kept its rate of fire."""
    state = table.state
    assert one.weapon is not None
    marker = marker_after(table, one, attack, turns=turns)
    one.weapon.area = True
    one.weapon.swept = one.weapon.swept or target_type(table.situation, one, attack) == "area"
    if attack.how not in SMOKE:
        state.fired_in_phase.append(f"{one.hex}>{attack.at}#ordnance:{one.id}")
    if state.phase == "movement":
        for unit in targets:
            key = shot_key(one.id, unit.id, attack.at)
            state.shots[key] = state.shots.get(key, 0) + 1
    if one.id not in one.unit.used:
        one.unit.used.append(one.id)
    one.unit.gave_up = one.unit.gave_up or len(one.unit.used) > 1
    note_vehicle_fire(table, one)
    if not kept and one.id in state.weapons:
        one.weapon.fired = marker
    if attack.intensive and state.phase == "movement" and isinstance(one.unit, Unit):
        for weapon in table.situation.weapons(one.unit):
            weapon.fired = weapon.fired if weapon is one.weapon else "final"
        one.unit.fired = "final"  # 3.3.3/sff
    elif table.situation.is_leader(one.unit):
        one.unit.fired = marker if marker != "intensive" else "final"
    for second in seconds(table.situation, attack):
        second.fired, second.used = ("final" if marker == "intensive" else marker), [one.id]
    for id in attack.leaders:
        if id in state.units:
            leader = state.units[id]
            leader.fired = "final" if marker == "intensive" else marker
            leader.directed = leader.directed or [one.id]
