"""6.5 Aiming: which shots are legal, and which is the most promising.

    4.4.1        Occasion, firer_objections, legal_shots, still_obliged, last_chances (R-09), willing_passengers
    6.2.1.1.4    sharing_objections: targets of units that share a command; is_shared
    6.5          Entry; aim_objections: kind_objections, reach_objections, place_objections
    R-05         worth, best_first

Everything is computed from a state or a seat's view, without rolling or asking. The cheapest checks come first, and
lines of sight are not computed again: `spotted` holds the results of the Spotting Phase.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

import msgspec

from pbem.engine.geometry.hexes import distance, dot
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say, say_n
from pbem.titles.panzer.ap.ap_modifiers import ApShot, an_ap_shot
from pbem.titles.panzer.cards.ammunition import ammo_objections
from pbem.titles.panzer.cards.basic_rows import RANGE_FACTORS
from pbem.titles.panzer.cards.chart_rows import WeaponKind
from pbem.titles.panzer.cards.weapons import (
    Armament,
    How,
    transported_objections,
    upstairs_objections,
    weapons_of,
)
from pbem.titles.panzer.command.command_control import bears, group_of, range_among
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.gp_modifiers import counter_of, is_known_to_move
from pbem.titles.panzer.fire.special_fire import (
    AIMED,
    PIN,
    is_out_of_order,
    note_fire,
    pin_objections,
    priority_objections,
)
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.sighting.terrain import cover_of, in_improved_position, interior_of, is_inside, place_of
from pbem.titles.panzer.situation import Situated, Situation
from pbem.titles.panzer.state import FIRING, Command, HullDown, PanzerState, Unit

SMOKE: Final = "smoke"


class Entry(NamedTuple):
    """4.4.1 One weapon of a unit, the way it is fired, and the target."""

    unit: str
    weapon: int
    how: How
    target: str

    def as_answer(self, target: str) -> list[Any]:
        """The entry in the form used in answers."""
        own = [] if self.target == target else [self.target]
        return [self.unit, self.weapon, self.how, *own]


# --- 6.5 legal targets -----------------------------------------------------------------------------------------


def aim_objections(
    situation: Situation,
    firer: Unit,
    arm: Armament,
    how: How,
    target: Unit,
    command: Command | None = None,
) -> Iterator[Objection]:
    """6.5.2, 6.5.4 Reasons why a weapon cannot fire at a unit under any command, cheapest checks first."""
    if not target.alive or target.side == firer.side:
        yield Objection("4.4.3", say("{target} is not an enemy on the map", target=target.id))
        return
    if not firer.alive:
        yield Objection("4.4.3", say("the unit is not on the map"))
        return
    unfit = list(kind_objections(situation.data, arm, how, target))
    yield from unfit
    if unfit:
        return
    beyond = list(reach_objections(situation, firer, arm, how, target, command))
    yield from beyond
    yield from place_objections(situation, firer, arm)
    yield from ammo_objections(situation.data, firer, arm, how)
    if not beyond:
        yield from chance_objections(situation, firer, arm, how, target, command)


def chance_objections(
    situation: Situation,
    firer: Unit,
    arm: Armament,
    how: How,
    target: Unit,
    command: Command | None,
) -> Iterator[Objection]:
    """4.4.3.2.3 Yield an objection at extreme range if a low net modifier rules out an attack."""
    if not how.startswith("ap") or distance(place_of(firer), place_of(target)) <= arm.ap_ranges(how)[-2]:
        return
    shot = an_ap_shot(situation, firer, arm, how, target, command=command)
    if shot.hopeless:
        yield Objection(
            "4.4.3.2.3", say("no attack is possible at extreme range with a net modifier of {net}", net=shot.net)
        )


def kind_objections(data: PanzerData, arm: Armament, how: How, target: Unit) -> Iterator[Objection]:
    """6.5.2, 6.5.4 Object to AP fire at anything but vehicles, and to any fire at passengers (6.5.4.2.3)."""
    if how == PIN:
        yield from pin_objections(data, arm, target)  # 7.18
    if how not in (*arm.hows, PIN):
        rule = "5.1.3.5" if arm.kind == "flamethrower" else "6.5.2" if how.startswith("ap") else "6.5.4"
        if data.basic or how == "ap":
            yield Objection(
                "4.4.3" if data.basic else rule, say("the unit's {arm} has no AP row", arm=arm.name)
            )
        else:
            yield Objection(rule, say("the unit's {arm} cannot fire {how}", arm=arm.name, how=how))
    elif target.aboard:
        yield Objection("6.5.4.2.3", say("{target} is a passenger; attack its vehicle instead", target=target.id))
    elif how.startswith("ap"):
        if target.kind != "vehicle":
            yield Objection(
                "6.5.2", say("AP fire can only be directed at vehicles, and {target} is not one", target=target.id)
            )
    elif not data.plays("gp_fire"):
        yield Objection("AG", say("GP fire is not in use in this match"))
    elif arm.fixed and target.kind == "vehicle":
        yield Objection(
            "5.1.3.4", say("the GP factor of the unit's {arm} only applies to leg and towed units", arm=arm.name)
        )


def reach_objections(
    situation: Situation,
    firer: Unit,
    arm: Armament,
    how: How,
    target: Unit,
    command: Command | None = None,
) -> Iterator[Objection]:
    """3.5, 4.4.3.1, 5.6 Object unless the target is in range and in the field of fire."""
    assert firer.hex is not None and target.hex is not None
    away = distance(firer.hex, target.hex)
    if away == 0 and situation.data.basic:
        yield Objection(
            "3.5.1", say("{target} is in the same hex, and guns cannot fire at range 0", target=target.id)
        )
    elif away < arm.minimum:
        yield Objection(
            "5.6",
            say(
                "{target} is {away} hexes away; the unit's {arm} needs at least {minimum}",
                target=target.id,
                away=away,
                arm=arm.name,
                minimum=arm.minimum,
            ),
        )
    elif away > arm.reach(how):
        yield Objection(
            "3.5.2",
            say(
                "{target} is {away} hexes away; the unit's {arm} reaches only {reach}",
                target=target.id,
                away=away,
                arm=arm.name,
                reach=arm.reach(how),
            ),
        )
    elif not bears(situation, firer, arm, target.hex, turning=command is Command.OVERWATCH):
        yield Objection(
            field_rule(situation.data, firer, arm),
            say("{target} is outside the unit's field of fire", target=target.id)
            if arm.weapon.field == "all"  # a turret that is turned away (7.8)
            else say("{target} is outside the {field} field of fire", target=target.id, field=arm.weapon.field),
        )


def field_rule(data: PanzerData, firer: Unit, arm: Armament) -> str:
    """The paragraph for a field of fire: 5.1.1 suppressed leg units, 5.2 towed guns, 4.4.3.1 vehicles."""
    if firer.kind != "vehicle":
        return "5.1.1" if firer.kind == "leg" else "5.2"
    if arm.weapon.turreted and data.plays("turrets"):
        return "7.8"
    return "4.4.3.1.5" if arm.weapon.field == "rear" else "4.4.3.1.4"


def place_objections(situation: Situation, firer: Unit, arm: Armament) -> Iterator[Objection]:
    """5.1.3, 5.15, 6.1.4.1.2, 6.6.7.2 Object to fire that the firer's state rules out, e.g. aboard or upstairs."""
    data = situation.data
    if firer.bailed_out:
        yield Objection("5.15", say("the unit's crew has bailed out"))
    if is_out_of_order(situation.state, firer, arm):
        yield Objection("7.25", say("the unit's {arm} is out of order", arm=arm.name))
    if firer.aboard:
        yield from transported_objections(arm)
    yield from upstairs_objections(data, firer, arm)
    if arm.limited and is_hull_down(situation, firer):
        rule = ledger_row(data.edition, "6.1.4.1.2/limited-weapon")
        yield Objection(rule, say("the unit's {arm} cannot be fired from a hull-down position", arm=arm.name))
    outside = data.charts.switch("mounted_mortars_outside")
    if arm.kind == "mortar" and firer.kind == "vehicle" and outside and is_inside(situation, firer):
        yield Objection("5.1.3.1/vehicle-mortar-building", say("a mounted mortar cannot fire inside a building"))


def is_hull_down(situation: Situation, unit: Unit) -> bool:
    """6.1.4.1.2 Whether a vehicle is in a full hull-down position: found, dug or built."""
    if in_improved_position(situation.state, unit) or unit.hull_down is not HullDown.NONE:
        return unit.hull_down is not HullDown.PHD
    interior = interior_of(situation, place_of(unit))
    return interior is not None and interior.hull_down.value and is_inside(situation, unit)


# --- 4.4.1 optional and obligatory fire ------------------------------------------------------------------------


@dataclass(frozen=True)
class Occasion(Situated):
    """4.4.1 The situation in which fire is declared: targets engaged, and targets of shared counters.

    Overwatch fire has its own kind of occasion (`overwatch`). `known` and `ways` are caches.
    """

    situation: Situation
    side: str
    engaged: tuple[str, ...] = ()
    aimed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    known: dict[str, int] = field(default_factory=dict, compare=False, repr=False)
    ways: dict[str, dict[tuple[int, How], Way]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def command(self) -> Command | None:
        """The command under which all fire is made; None for each counter's own."""
        return None

    def targets(self, firer: Unit) -> Sequence[str]:
        """4.4.1 The enemies the unit itself spotted in the Spotting Phase."""
        return self.state.spotted.get(firer.id, ())

    def firer_objections(self, firer: Unit) -> Iterator[Objection]:
        """Reasons why a unit cannot fire at all."""
        return firer_objections(self.situation, firer)

    def target_objections(self, firer: Unit, target: Unit) -> Iterator[Objection]:
        """4.4.1 Reasons why a unit cannot fire at this target with any weapon."""
        data, view = self.data, self.state
        if target.alive and target.id not in view.spotted.get(firer.id, ()):
            why = say("the unit did not spot {target} itself in the Spotting Phase", target=target.id)
            yield Objection(ledger_row(data.edition, "4.4.1/spotted-before"), why)
        if target.id in self.engaged:
            why = say("all fire at {target} was declared together and has been resolved", target=target.id)
            yield Objection(ledger_row(data.edition, "4.4.1/declare-per-target"), why)
        aimed = self.aimed.get(counter_of(view, firer).id, ())
        yield from sharing_objections(self.situation, firer, target, aimed)
        yield from priority_objections(self.situation, firer, target, lambda prey: self.reaches(firer, prey))  # 7.14

    def reaches(self, firer: Unit, target: Unit) -> bool:
        """7.14 Whether the unit has any weapon for a target that has not been fired at."""
        return target.id not in self.engaged and any(
            way.nearest <= distance(place_of(firer), place_of(target)) <= way.reach
            and _reaches(self, firer, way, target, distance(place_of(firer), place_of(target)))
            for way in ways_of(self, firer).values()
        )

    def objections(self, firer: Unit, arm: Armament, how: How, target: Unit) -> Iterator[Objection]:
        """Every reason why a unit cannot make this shot."""
        yield from self.firer_objections(firer)
        yield from self.target_objections(firer, target)
        yield from aim_objections(self.situation, firer, arm, how, target, self.command)


def firer_objections(situation: Situation, firer: Unit) -> Iterator[Objection]:
    """4.4.1, 6.6.7.2 Object unless the unit has not fired and has Fire or Short Halt, its own or its carrier's."""
    view = situation.state
    if firer.fired:
        yield Objection(
            ledger_row(situation.data.edition, "4.4.1/one-shot"), say("the unit has already fired this turn")
        )
    elif is_used_up(view, firer):
        yield Objection("6.5.1", say("the unit has already used its command"))
    elif not has_turn(view, firer):
        yield Objection("7.42.1.1", say("it is not the turn of the unit's formation"))
    elif counter_of(view, firer).command not in FIRING:
        rule = "6.6.7.2" if firer.aboard else "4.4.1"
        yield Objection(rule, say("only units with a Fire or Short Halt command can fire in the Direct Fire Step"))
    elif firer.aboard and view.vehicles[firer.aboard].fired:
        yield Objection("6.6.7.2", say("passengers fire together with their carrier, which has already fired"))


def sharing_objections(situation: Situation, firer: Unit, target: Unit, aimed: Iterable[str]) -> Iterator[Objection]:
    """6.2.1.1.4 Object if targets of units that share a command are beyond command range of each other (A-61)."""
    view = situation.state
    reach = range_among(
        situation.data, (firer, *group_of(view, counter_of(view, firer)))
    )  # it may not have entered yet
    for other in (view.vehicles[id] for id in aimed):
        if distance(place_of(other), place_of(target)) > reach:
            why = say_n(
                "{target} is more than {n} hex from {other}, which its group is firing at",
                "{target} is more than {n} hexes from {other}, which its group is firing at",
                n=reach,
                target=target.id,
                other=other.id,
            )
            yield Objection("6.2.1.1.4/fire", why)
            return


def is_used_up(view: PanzerState, unit: Unit) -> bool:
    """6.5.1, 6.5.1.7 Whether observing or indirect fire has ended the unit's turn."""
    return unit.used_up == view.turn and view.turn > 0


def bound_to_fire(view: PanzerState, side: str) -> list[Unit]:
    """4.4.1 A side's units with a Fire or Short Halt not carried out yet; passengers have no command."""
    return [
        unit
        for unit in view.of(side)
        if not (unit.fired or unit.aboard or is_used_up(view, unit))
        and counter_of(view, unit).command in FIRING
        and has_turn(view, unit)
    ]


def no_target(occasion: Occasion, unit: Unit) -> Objection:
    """4.4.1 Why a unit that may fire has no target: it has spotted no enemy, or may not fire at those it has."""
    spotted = [occasion.state.vehicles[id] for id in occasion.state.spotted.get(unit.id, ())]
    barred = (why for target in spotted if target.alive for why in occasion.target_objections(unit, target))
    return next(barred, Objection("4.4.1", say("the unit has not spotted an enemy it can fire at")))


def has_turn(view: PanzerState, unit: Unit) -> bool:
    """7.42 Whether the unit's formation acts now; always true without staggered initiative."""
    return not view.acting or (unit.aboard or unit.id) in view.acting


class Way(NamedTuple):
    """6.5 A weapon and a way of firing it, with the numbers of its row; `ranges` is empty except for AP fire."""

    arm: Armament
    how: How
    nearest: int
    reach: int
    ranges: tuple[int, ...]
    penetration: tuple[int, ...]
    limit: int
    """5.16.2 The number of rolls out of ten at which its special ammunition is available."""


def ways_of(occasion: Occasion, firer: Unit) -> dict[tuple[int, How], Way]:
    """5.16.1, 6.5 The ways a unit can fire from its position with ammunition available now, other than smoke."""
    if firer.id not in occasion.ways:
        data = occasion.data
        occasion.ways[firer.id] = {
            (arm.index, how): _way(arm, how)
            for arm in weapons_of(data, firer)
            if not any(place_objections(occasion.situation, firer, arm))
            for how in arm.hows
            if how != SMOKE and not any(ammo_objections(data, firer, arm, how))
        }
    return occasion.ways[firer.id]


def _way(arm: Armament, how: How) -> Way:
    ammo, ap = arm.ammo_of(how), how.startswith("ap")
    penetration = (ammo.penetration.value if ammo else arm.weapon.penetration) if ap else ()
    limit = arm.limits.get(ammo.letter, 10) if ammo else 10
    ranges = arm.ap_ranges(how) if ap else ()
    return Way(arm, how, arm.minimum, arm.reach(how), ranges, penetration, limit)


def legal_shots(occasion: Occasion, firer: Unit) -> list[Entry]:
    """4.4.1, 4.4.2 One unit's legal shots, target by target.

    Checks on the firer, a weapon or a target alone are made once, because this runs for every unit whenever fire is
    declared; only the rest of `aim_objections` is left here.
    """
    if not firer.alive or any(occasion.firer_objections(firer)):
        return []
    view, ways = occasion.state, ways_of(occasion, firer).values()
    found: list[Entry] = []
    for target in (view.vehicles[id] for id in occasion.targets(firer)) if ways else ():
        if target.alive and not any(occasion.target_objections(firer, target)):
            away = distance(place_of(firer), place_of(target))
            found += [
                Entry(firer.id, way.arm.index, way.how, target.id)
                for way in ways
                if way.nearest <= away <= way.reach and _reaches(occasion, firer, way, target, away)
            ]
    return found


def _reaches(occasion: Occasion, firer: Unit, way: Way, target: Unit, away: int) -> bool:
    """6.5 Whether this way of firing bears on a target in range, suits its kind, and has a chance."""
    data = occasion.data
    if any(kind_objections(data, way.arm, way.how, target)):
        return False
    turning = occasion.command is Command.OVERWATCH
    if not bears(occasion.situation, firer, way.arm, place_of(target), turning=turning):
        return False
    extreme = bool(way.ranges) and away > way.ranges[-2]
    return not extreme or not any(
        chance_objections(occasion.situation, firer, way.arm, way.how, target, occasion.command)
    )


def still_obliged(occasion: Occasion) -> dict[str, list[Entry]]:
    """4.4.1 The units that must still fire, each with its legal shots."""
    shots = {unit.id: legal_shots(occasion, unit) for unit in bound_to_fire(occasion.state, occasion.side)}
    return {firer: legal for firer, legal in shots.items() if legal}


def willing_passengers(occasion: Occasion) -> dict[str, list[Entry]]:
    """6.6.7.2 Passengers that may fire with their carrier, but need not."""
    carried = [unit for unit in occasion.state.of(occasion.side) if unit.aboard and not unit.fired]
    shots = {unit.id: legal_shots(occasion, unit) for unit in carried}
    return {firer: legal for firer, legal in shots.items() if legal}


def after_fire(occasion: Occasion, shots: Iterable[tuple[str, str]]) -> Occasion:
    """7.14 The occasion once units have declared fire at targets, which frees other vehicles of their formations."""
    if not occasion.data.plays("fire_priority"):
        return occasion
    before = occasion.state
    notes = {**before.notes, AIMED: dict(before.notes.get(AIMED, {}))}
    then = Situation(occasion.data, msgspec.structs.replace(before, notes=notes))
    for unit, target in shots:
        note_fire(then, then.state.vehicles[unit], target)
    return replace(occasion, situation=then, known={}, ways={})


def last_chances(obliged: Mapping[str, list[Entry]], targets: Iterable[str]) -> dict[str, list[Entry]]:
    """R-09 Units with no legal targets other than these, so that they must be in the group."""
    declared_at = set(targets)
    return {unit: shots for unit, shots in obliged.items() if {shot.target for shot in shots} <= declared_at}


# --- 6.2.1.1.3 shared counters -----------------------------------------------------------------------------------


def is_shared(view: PanzerState, counter: Unit) -> bool:
    """6.2.1.1.3 Whether several units on the map use this counter."""
    return len(group_of(view, counter)) > 1


# --- R-05 the best shot ----------------------------------------------------------------------------------------


def worth(occasion: Occasion, shot: Entry, away: int) -> int:
    """R-05 A shot's estimated chance, in tenths of a percent, to damage (AP fire) or at least suppress (GP fire).

    This is an estimate from the target's properties, for comparing shots: the firer's hindrances affect all of them
    alike.
    """
    firer, target = occasion.state.vehicles[shot.unit], occasion.state.vehicles[shot.target]
    way = ways_of(occasion, firer)[shot.weapon, shot.how]
    return ap_worth(occasion, firer, way, target, away) if way.ranges else gp_worth(occasion, way.arm, target, away)


def ap_worth(occasion: Occasion, firer: Unit, way: Way, target: Unit, away: int) -> int:
    """4.4.3.2.3 The hit number, reduced if the front armour is not penetrated or special ammunition may be short."""
    data = occasion.data
    column = next(number for number, limit in enumerate(way.ranges) if away <= limit)
    factor, card = RANGE_FACTORS[column], data.cards[target.card]
    net = target_net(occasion, target) + data.advanced.grades[firer.grade].ap.at(factor)
    ahead = dot(place_of(target), place_of(firer), target.facing) >= 0
    pierced = way.penetration[column] >= (card.front if ahead else card.rear)
    return data.charts.hit_number(factor, net) * (FULLY if pierced else WEAK_SPOTS) * way.limit // 10


FULLY: Final = 10
WEAK_SPOTS: Final = 2
"""R-05 Hits out of ten that damage armour a gun cannot penetrate: tracks and thin plates."""


def target_net(occasion: Occasion, target: Unit) -> int:
    """4.4.3.2.2 The AP modifiers of the target: size, known movement, cover."""
    key = f"ap {target.id}"
    if key not in occasion.known:
        data, view = occasion.data, occasion.state
        cover = {"light": -1, "medium": -3, "heavy": -5}.get(cover_of(occasion.situation, target, "ap").value, 0)
        moving = -2 if is_known_to_move(view, target) else 0
        occasion.known[key] = data.cards[target.card].size + cover + moving
    return occasion.known[key]


def gp_worth(occasion: Occasion, arm: Armament, target: Unit, away: int) -> int:
    """6.5.4.4 An estimate from factor and defence only: an effective result counts fully, suppression half."""
    data, found = occasion.data, arm.gp_at(away)
    if found is None or arm.gp is None:
        return 0
    column, factor = found
    limits, against = data.advanced.gp_limits(factor, target_defence(occasion, target)), 0
    if target.kind == "vehicle":
        type = data.vehicle(target).type
        against = {"A": -20, "P": -10, "S": 0}[type]
        weapon: WeaponKind = "small_arms" if arm.gp.small_arms else "other"
        if data.advanced.gp_effect(weapon, "suppressed", type, column) == "none":
            return 0
    effective = _percent(100 - limits.suppressed + against)
    return FULLY * (effective + (_percent(100 - limits.no_effect + against) - effective) // 2)


def target_defence(occasion: Occasion, target: Unit) -> int:
    """6.5.4.2 The target's printed GP defence at its position."""
    key = f"gp {target.id}"
    if key not in occasion.known:
        data = occasion.data
        if target.kind == "vehicle":
            occasion.known[key] = data.vehicle(target).defence
        else:
            printed = data.leg(target).defence if target.kind == "leg" else data.towed(target).defence
            occasion.known[key] = printed.at(cover_of(occasion.situation, target, "gp"))
    return occasion.known[key]


def _percent(number: int) -> int:
    return max(0, min(100, number))


def best_first(occasion: Occasion, shots: Iterable[Entry]) -> list[Entry]:
    """R-05 Sort by promise, then distance, then id, then weapon number."""
    view, shots = occasion.state, list(shots)
    if len(shots) < 2:
        return shots
    if occasion.data.basic:
        return sorted(shots, key=lambda shot: basic_preference(occasion, shot))

    def preference(shot: Entry) -> tuple[int, int, str, int, str]:
        away = distance(place_of(view.vehicles[shot.unit]), place_of(view.vehicles[shot.target]))
        return -worth(occasion, shot, away), away, shot.target, shot.weapon, shot.how

    return sorted(shots, key=preference)


def basic_preference(occasion: Occasion, shot: Entry) -> tuple[int, int, str, int, int]:
    """R-05 The sort key of the basic game: highest hit number, nearest target, lowest id, then the stronger gun."""
    aimed = aimed_by(occasion, shot)
    return -aimed.hit_number, aimed.range, shot.target, -aimed.penetration, shot.weapon


def aimed_by(occasion: Occasion, shot: Entry) -> ApShot:
    """4.4.3 The shot that an entry represents."""
    firer, target = occasion.state.vehicles[shot.unit], occasion.state.vehicles[shot.target]
    arm = weapons_of(occasion.data, firer)[shot.weapon]
    return an_ap_shot(occasion.situation, firer, arm, shot.how, target, command=occasion.command)
