"""3.2.2 One fire attack, from the line of sight to the markers: steps 3 to 10 of the procedure.

3.2.2            fire: resolves a declared attack, whole or in the parts that have a line of sight
3.2.2/cowering   cowering_of
3.3.3/fpf        protective_checks
3.3.5            leave_residual
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import msgspec

from pbem.engine.rules.happenings import Shot
from pbem.titles.aslsk.chance import Dice, roll_two
from pbem.titles.aslsk.close_combat.melee import end_melees
from pbem.titles.aslsk.fire.components import Attack, Component, Manner, firing, manner_of, seconds, targets_in
from pbem.titles.aslsk.fire.declaration import linked_parts, shot_key, shot_record
from pbem.titles.aslsk.fire.effects import Aimed, place_dm, strike
from pbem.titles.aslsk.fire.firepower import Share, kind_of, shares, total
from pbem.titles.aslsk.fire.modifiers import crew_modifiers, fire_modifiers, is_directed, rows
from pbem.titles.aslsk.fire.morale import check_firers
from pbem.titles.aslsk.fire.table import RANK, Cell, residual_of, step_residual
from pbem.titles.aslsk.ordnance.acquisition import lose_by_machine_gun
from pbem.titles.aslsk.ordnance.arcs import is_in_turret, spines_to, turn_inputs, turn_to_fire
from pbem.titles.aslsk.ordnance.hidden import reveal
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Marker, Unit, Vehicle, hidden_at
from pbem.titles.aslsk.tabletop import AslskTable, gather_findings
from pbem.titles.aslsk.vehicles.crews import Exposed, exposed_in, strike_crews
from pbem.titles.aslsk.vehicles.marking import note_vehicle_fire
from pbem.titles.aslsk.vehicles.status import crew_check
from pbem.titles.aslsk.weapons.breakdown import break_down, keeps_rate, rate_now
from pbem.titles.aslsk.weapons.possession import lose_acquisition


class Volley(msgspec.Struct):
    """An attack that is being resolved: its firers, how each of them fires, and what the dice did to them."""

    attack: Attack
    firers: list[tuple[Component, Manner]]
    shares: list[Share]
    column: int = 0
    cowering: int = 0
    used: int = 0
    broken_down: list[str] = []
    kept: list[str] = []

    @property
    def components(self) -> list[Component]:
        return [one for one, _ in self.firers]


def fire(table: AslskTable, attack: Attack) -> list[str]:
    """3.2.2 Resolve a legally declared attack; return the weapons that kept their rate of fire."""
    situation = table.situation
    firers = firing(situation, attack)
    manners = {one.id: manner_of(situation, one) for one in firers}
    seeing = [one for one in firers if situation.sees(one.hex, attack.at)]
    blind = [one for one in firers if one not in seeing]
    parts = linked_parts(situation, seeing) or [[]]
    kept: list[str] = []
    for number, part in enumerate(parts):
        own = part + (blind if number == 0 else [])
        kept += volley(table, attack, [(one, manners[one.id]) for one in own], blind if number == 0 else [])
    return kept


def volley(
    table: AslskTable, attack: Attack, firers: list[tuple[Component, Manner]], blind: Sequence[Component]
) -> list[str]:
    """3.2.2 Carry out steps 4 to 10 of an attack; components without a line of sight have fired without effect."""
    situation = table.situation
    seeing = [(one, manner) for one, manner in firers if one not in blind]
    shot = Volley(attack, seeing, shares(situation, attack, [one for one, _ in seeing]))
    shot.column = situation.data.fire_table.column_of(total(shot.shares))
    seat = firers[0][0].unit.seat
    targets = [
        Aimed(unit, tuple(fire_modifiers(situation, attack, shot.components, unit)))
        for unit in targets_in(situation, seat, attack.at)
    ]
    crews = [
        Exposed(vehicle, tuple(crew_modifiers(situation, attack, shot.components, vehicle)))
        for vehicle in exposed_in(situation, seat, attack.at)
    ]
    dice = roll_two(table, rule_of(seeing or firers), *(one.id for one, _ in firers))
    shot.cowering = cowering_of(situation, attack, firers) if dice.doubles else 0
    shot.used = situation.data.fire_table.shift_left(shot.column, shot.cowering)
    with gather_findings(table) as children:
        tell_mishaps(table, shot, firers, blind)
        shot.broken_down = break_down(table, firers, dice)
        second = {one.unit.id for one, manner in firers if manner in ("subsequent", "protective")}
        shot.kept = [
            one.id
            for one, manner in firers
            if one.id not in shot.broken_down
            and one.unit.id not in second  # 3.3.3/sff all its weapons flip
            and not attack.once
            and keeps_rate(situation, one, manner, dice, cowered=bool(shot.cowering), at=attack.at)
        ]
        tell_rates(table, shot, firers, dice)
        turn_weapons(table, attack, shot.components)
        cells = strike(table, shot.used, dice.total, targets)
        cells |= strike_crews(table, shot.used, dice.total, crews)
        strike_hidden(table, shot, dice, seat)
        place_dm(table, shot.column, targets, cowering_of(situation, attack, firers))
        end_melees(table)
        after(table, shot, firers, targets, crews, dice)
    table.find(
        rule_of(seeing or firers),
        inputs={**volley_inputs(shot, firers, blind), "against": drms(targets, crews)},
        modifiers=rows(targets[0].modifiers) if targets else rows(crews[0].modifiers) if crews else (),
        cell={"column": shot.column, "used": shot.used, "cowered": bool(shot.cowering)},
        dice=dice.pair,
        result={id: str(cell) for id, cell in cells.items()},
        children=children,
        shows=[*shots_shown(attack, [one for one, _ in firers], dice, worst(cells))],
    )
    return shot.kept


def shots_shown(attack: Attack, firers: Sequence[Component], dice: Dice, result: str) -> Iterator[Shot]:
    """Return one shot, to be shown on the map, for each unit that fired with its weapons."""
    for unit in {one.unit.id: one.unit for one in firers}.values():
        arms = tuple(one.id for one in firers if one.unit.id == unit.id and one.weapon is not None)
        yield Shot(unit.id, origin=unit.at, goal=attack.at, rolled=tuple(dice.pair), result=result, arms=arms)


def tell_rates(table: AslskTable, shot: Volley, firers: Sequence[tuple[Component, Manner]], dice: Dice) -> None:
    """1.2.4.1 Report the weapons that keep their rate of fire."""
    for one in [one for one, _ in firers if one.id in shot.kept]:
        about = {"weapon": one.id, "rate": rate_now(table.situation, one, shot.attack.at)}
        table.find("1.2.4.1", inputs=about, dice=[dice.coloured], result="may fire again")


def drms(targets: Sequence[Aimed], crews: Sequence[Exposed]) -> dict[str, int]:
    """3.2.2 The total DRM against each target."""
    return {**{aimed.unit.id: aimed.drm for aimed in targets}, **{crew.vehicle.id: crew.drm for crew in crews}}


def turn_weapons(table: AslskTable, attack: Attack, firers: Sequence[Component]) -> None:
    """6.8, 7.8 Turn Guns and vehicles that fire outside their arc; fire by IFE loses the acquired target (6.10)."""
    situation = table.situation
    bow_first = sorted(firers, key=lambda one: one.weapon is not None and is_in_turret(situation, one.weapon))
    for one in bow_first:  # a vehicle that turns takes its turret along
        if one.weapon is None or not (one.ife or isinstance(one.unit, Vehicle)):
            continue
        turns = spines_to(situation, one.weapon, one.hex, attack.at) > 0
        lose_by_machine_gun(situation, one, attack.at, turns=turns)
        if turns:
            facing = turn_to_fire(situation, one.weapon, one.hex, attack.at)
            table.find("3.2.4/covered-arc", inputs=turn_inputs(situation, one.weapon), result=facing)
        if one.ife:
            one.weapon.lose_target()


def strike_hidden(table: AslskTable, shot: Volley, dice: Dice, seat: str) -> None:
    """6.4 Apply fire at the hex of a hidden Gun at half strength; the Gun is found only if there is a result."""
    situation = table.situation
    if table.state.phase == "movement" and seat != table.state.attacker:
        return  # 3.3.3 only movers
    fire_table = situation.data.fire_table
    column = fire_table.shift_left(fire_table.column_of(total(shot.shares) / 2), shot.cowering)
    for unit in hidden_at(table.state, shot.attack.at, seat):
        aimed = Aimed(unit, tuple(fire_modifiers(situation, shot.attack, shot.components, unit)))
        if fire_table.cell(column, dice.total + aimed.drm).kind != "none":
            reveal(table, unit, "it is hit")
            strike(table, column, dice.total, [aimed])


def tell_mishaps(
    table: AslskTable, shot: Volley, firers: Sequence[tuple[Component, Manner]], blind: Sequence[Component]
) -> None:
    """3.2.1/declaration, 3.2.2/cowering Report fire without a line of sight, and firers that cower."""
    if blind:
        wasted = {"firers": [one.id for one in blind], "at": shot.attack.at}
        table.find("3.2.1/declaration", inputs=wasted, result="wasted")
    if shot.cowering:
        table.find("3.2.2/cowering", inputs={"firers": [one.id for one, _ in firers]}, result=shot.cowering)
        green = [one.unit.id for one, _ in firers if table.situation.is_inexperienced(one.unit)]
        if green:
            table.find("5.4", inputs={"units": green}, result="inexperienced")


def worst(cells: Mapping[str, Cell]) -> str:
    """The worst result among the targets, for drawing the shot."""
    return str(max(cells.values(), key=lambda cell: (RANK[cell.kind], cell.number), default="no effect"))


def rule_of(firers: Sequence[tuple[Component, Manner]]) -> str:
    """The rule under which an attack is reported: the one for the rarest kind of fire among its firers."""
    rules = {"protective": "3.3.3/fpf", "subsequent": "3.3.3/sff"}
    return next((rules[manner] for manner in rules if any(own == manner for _, own in firers)), "3.2.2")


def volley_inputs(
    shot: Volley, firers: Sequence[tuple[Component, Manner]], blind: Sequence[Component]
) -> dict[str, object]:
    inputs: dict[str, object] = {
        "firers": [one.id for one, _ in firers],
        "from": list(dict.fromkeys(one.hex for one, _ in firers)),
        "at": shot.attack.at,
        "leaders": list(shot.attack.leaders),
        "fp": firepower_in_words(total(shot.shares)),
        "shares": {
            share.component: {
                "fp": firepower_in_words(share.fp),
                "factors": [factor.why for factor in share.factors],
                "rules": [factor.rule for factor in share.factors],
            }
            for share in shot.shares
        },
    }
    if blind:
        inputs["no_sight"] = [one.id for one in blind]
    if shot.kept:
        inputs["kept_rate"] = shot.kept
    return inputs


def firepower_in_words(fp: Fraction) -> str:
    """Firepower as players write it: 4 or 4.5."""
    whole, rest = divmod(fp.numerator * 100 // fp.denominator, 100)
    return f"{whole}.{rest:02d}".rstrip("0") if rest else str(whole)


def cowering_of(situation: Situation, attack: Attack, firers: Sequence[tuple[Component, Manner]]) -> int:
    """3.2.2/cowering How many columns doubles cost: none if the fire is directed or no MMC fires, 2 with an
    inexperienced MMC, otherwise 1.
    """
    mmc = [one.unit for one, _ in firers if situation.is_mmc(one.unit) and not one.ife]
    if not mmc or is_directed(situation, attack, [one for one, _ in firers]):
        return 0
    return 2 if any(situation.is_inexperienced(unit) for unit in mmc) else 1


def after(
    table: AslskTable,
    shot: Volley,
    firers: Sequence[tuple[Component, Manner]],
    targets: Sequence[Aimed],
    crews: Sequence[Exposed],
    dice: Dice,
) -> None:
    """3.2.2 Carry out step 10: leave Residual FP, make the FPF checks, then place the markers."""
    state = table.state
    if state.phase == "movement" and firers[0][0].unit.seat != state.attacker:
        for one, _ in firers:
            for id in (*(aimed.unit.id for aimed in targets), *(crew.vehicle.id for crew in crews)):
                key = shot_key(one.arm, id, shot.attack.at)
                state.shots[key] = state.shots.get(key, 0) + 1
        leave_residual(table, shot, [*targets, *crews])
    for one, _ in firers:
        state.fired_in_phase.append(f"{shot_record(table.situation, one, shot.attack.at)}:{one.id}")
    protective_checks(table, shot, firers, dice)
    mark(table, shot, firers)


def protective_checks(
    table: AslskTable, shot: Volley, firers: Sequence[tuple[Component, Manner]], dice: Dice
) -> None:
    """3.3.3/fpf Apply the attack's Original DR as an NMC to every unit that used FPF, leaders first.

    A vehicle that used IFE (7.8) checks only if its crew is exposed; a BU crew takes no morale checks (7.10/stun).
    """
    for firer, manner in firers:
        if manner == "protective" and isinstance(firer.unit, Vehicle) and firer.unit.ce:
            crew_check(table, firer.unit, [], "3.2.3/nmc", dice)
    units = {
        one.unit.id: one.unit
        for one, manner in firers
        if isinstance(one.unit, Unit)
        and table.state.phase == "movement"
        and (one.unit.fired == "final" or manner == "protective")
    }
    if not units:
        return
    hexes = {unit.at for unit in units.values()}
    leaders = [one for id in shot.attack.leaders if (one := table.state.units[id]).at in hexes]
    check_firers(table, {**{leader.id: leader for leader in leaders}, **units}, shot.attack.leaders, dice)


def mark(table: AslskTable, shot: Volley, firers: Sequence[tuple[Component, Manner]]) -> None:
    """3.2.5, 3.3.3, 3.4 Mark everything that has fired; a weapon that kept its rate of fire stays unmarked."""
    situation, state = table.situation, table.state
    flipped: Marker = "first" if state.phase == "movement" and not shot.cowering else "final"
    marker: Marker = "prep" if state.phase == "prep" else flipped
    for one, manner in firers:
        unit = state.units.get(one.unit.id)
        note_use(situation, one)
        note_vehicle_fire(table, one)
        if one.weapon is not None and one.id not in shot.kept and one.weapon.id in state.weapons:
            again = manner in ("subsequent", "protective")
            one.weapon.fired = worse(one.weapon.fired, "final" if again else marker)
        if unit is None:
            continue
        if one.weapon is None:
            lose_acquisition(situation, unit)  # 6.10
        if one.weapon is None or shot.cowering or situation.is_leader(unit):
            unit.fired = worse(unit.fired, marker)
        if manner in ("subsequent", "protective"):  # 3.3.3/sff
            flip_all(situation, unit)
    for id in (*shot.attack.leaders, *(one.id for one in seconds(situation, shot.attack))):
        if id in state.units:
            leader = state.units[id]
            if id in shot.attack.components:
                leader.used = leader.used or [
                    helped_gun(situation, leader, firers)
                ]  # 4.1 the second leader of this MG
            second = any(one.hex == leader.at and manner in ("subsequent", "protective") for one, manner in firers)
            leader.fired = "final" if second else worse(leader.fired, marker)
            if id in shot.attack.leaders and not leader.directed:
                leader.directed = [one.id for one, _ in firers if one.hex == leader.at]


def helped_gun(situation: Situation, second: Unit, firers: Sequence[tuple[Component, Manner]]) -> str:
    """4.1 The MG of another leader that a second leader helps to fire."""
    others = [one for one, _ in firers if one.hex == second.at and situation.is_leader(one.unit)]
    return next(one.weapon.id for one in others if one.weapon is not None)


def worse(marker: Marker, new: Marker) -> Marker:
    """Combine an old and a new fire marker; a later shot never removes a Final Fire marker."""
    return "final" if "final" in (marker, new) else new


def flip_all(situation: Situation, unit: Unit) -> None:
    """3.3.3/sff Mark a unit that used SFF, and all its weapons, Final Fire."""
    unit.fired = "final"
    for weapon in situation.weapons(unit):
        weapon.fired = "final"


def note_use(situation: Situation, one: Component) -> None:
    """4.0/weapon-usage Record the weapons that a unit has used; using a second one costs a squad its inherent FP."""
    if one.weapon is None:
        return
    if one.weapon.id not in one.unit.used:
        one.unit.used.append(one.weapon.id)
    if len(one.unit.used) > 1:
        one.unit.gave_up = True


def leave_residual(table: AslskTable, shot: Volley, targets: Sequence[Aimed | Exposed]) -> None:
    """3.3.5 Leave Residual FP: half the column of the weapons that neither broke down nor kept their rate of fire,
    reduced by each +1 DRM from outside the hex.
    """
    situation, at = table.situation, shot.attack.at
    rifles = [one.id for one in shot.components if kind_of(situation, one) == "atr"]  # 4.4.4
    left = [share for share in shot.shares if share.component not in (*shot.broken_down, *shot.kept, *rifles)]
    fire_table = situation.data.fire_table
    column = fire_table.shift_left(fire_table.column_of(total(left)), shot.cowering)
    outside = [one for one in (targets[0].modifiers if targets else ()) if one.outside and one.value > 0]
    strength = step_residual(residual_of(column), -sum(one.value for one in outside))
    if strength > table.state.residual.get(at, 0):
        table.state.residual[at] = strength
        table.find("3.3.5", inputs={"at": at, "column": column}, modifiers=rows(outside), result=strength)


def has_flamethrower(situation: Situation, attack: Attack) -> bool:
    return any(kind_of(situation, one) == "ft" for one in firing(situation, attack))
