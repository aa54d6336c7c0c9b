"""6.5 Aiming: which shots are legal, and which promises most.

    4.4.1        Occasion, shot_objections, firer_objections, still_obliged, last_chances (R-09), willing
    6.2.1.1.4    sharing_objections: targets of units that share a command; is_shared
    6.5          Entry; aim_objections: kind_objections, reach_objections, place_objections
    R-05         worth, best_first, best_shot

All of it is computed from a state or from a seat's view, without rolling or asking. The questions are put cheapest
first, and nobody looks at a line of sight again: `spotted` holds what the Spotting Phase has found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from pbem.engine.hexes import distance
from pbem.engine.refusals import Objection
from pbem.titles.panzer.advanced.ammunition import ammo_objections
from pbem.titles.panzer.advanced.ap_fire import an_ap_shot, chance_to_damage
from pbem.titles.panzer.advanced.command_control import bears, command_range, group_of
from pbem.titles.panzer.advanced.data_set import AdvancedData
from pbem.titles.panzer.advanced.gp_modifiers import counter_of
from pbem.titles.panzer.advanced.state import AdvancedState, HullDown, Unit
from pbem.titles.panzer.advanced.terrain import cover_of, in_improved_position, interior_of, is_inside, place_of
from pbem.titles.panzer.advanced.weapons import (
    Armament,
    How,
    minimum_range,
    transported_objections,
    upstairs_objections,
    weapons_of,
)
from pbem.titles.panzer.direct_fire import FIRING
from pbem.titles.panzer.numbering import numbered
from pbem.titles.panzer.state import Command

SMOKE: Final = "smoke"


class Entry(NamedTuple):
    """4.4.1 One weapon of one unit, how it is fired, and at what."""

    unit: str
    weapon: int
    how: How
    target: str

    def written(self, target: str) -> list[Any]:
        """The entry as an answer has it."""
        own = [] if self.target == target else [self.target]
        return [self.unit, self.weapon, self.how, *own]


# --- 6.5 what a weapon can be fired at -------------------------------------------------------------------------


def aim_objections(
    data: AdvancedData,
    view: AdvancedState,
    firer: Unit,
    arm: Armament,
    how: How,
    target: Unit,
    command: Command | None = None,
) -> Iterator[Objection]:
    """6.5.2, 6.5.4 What keeps a weapon from firing at a unit under any command; the cheapest questions first."""
    if not target.alive or target.side == firer.side:
        yield Objection("4.4.3", f"{target.id} is no enemy on the map")
        return
    if not firer.alive:
        yield Objection("4.4.3", "it is not on the map")
        return
    unfit = list(kind_objections(data, arm, how, target))
    yield from unfit
    if unfit:
        return
    beyond = list(reach_objections(view, firer, arm, how, target))
    yield from beyond
    yield from place_objections(data, view, firer, arm)
    yield from ammo_objections(data, arm, how)
    if not beyond and how.startswith("ap"):
        shot = an_ap_shot(data, view, firer, arm, how, target, command=command)
        if shot.hopeless:
            yield Objection("4.4.3.2.3", f"at extreme range with a net modifier of {shot.net} there is no attack")


def kind_objections(data: AdvancedData, arm: Armament, how: How, target: Unit) -> Iterator[Objection]:
    """6.5.2, 6.5.4 AP fire is for vehicles only, GP fire for all; passengers are no targets (6.5.4.2.3)."""
    if how not in arm.hows:
        rule = "5.1.3.5" if arm.kind == "flamethrower" else "6.5.2" if how.startswith("ap") else "6.5.4"
        yield Objection(rule, f"its {arm.name} does not fire {how}")
    elif target.aboard:
        yield Objection("6.5.4.2.3", f"{target.id} is a passenger and is attacked with its vehicle")
    elif how.startswith("ap"):
        if target.kind != "vehicle":
            yield Objection("6.5.2", f"AP fire is directed at vehicles only, and {target.id} is none")
    elif not data.plays("gp_fire"):
        yield Objection("AG", "GP fire is not in use in this match")
    elif arm.fixed and target.kind == "vehicle":
        yield Objection("5.1.3.4", f"the GP factor of its {arm.name} is for leg and towed units only")


def reach_objections(
    view: AdvancedState, firer: Unit, arm: Armament, how: How, target: Unit
) -> Iterator[Objection]:
    """3.5, 4.4.3.1, 5.6 The target must be in range and in the field of fire."""
    assert firer.hex is not None and target.hex is not None
    away = distance(firer.hex, target.hex)
    if away < minimum_range(arm, how):                                 # at least 1: nothing is fired at range 0
        yield Objection("5.6", f"{target.id} is {away} hexes away, its {arm.name} needs {minimum_range(arm, how)}")
    elif away > arm.reach(how):
        yield Objection("3.5.2", f"{target.id} is {away} hexes away, its {arm.name} reaches {arm.reach(how)}")
    elif not bears(view, firer, arm, target.hex):
        yield Objection(field_rule(firer, arm), f"{target.id} is outside the {arm.weapon.field} field of fire")


def field_rule(firer: Unit, arm: Armament) -> str:
    """The paragraph of a field of fire: 5.1.1 of suppressed leg units, 5.2 of towed guns, 4.4.3.1 of vehicles."""
    if firer.kind != "vehicle":
        return "5.1.1" if firer.kind == "leg" else "5.2"
    return "4.4.3.1.5" if arm.weapon.field == "rear" else "4.4.3.1.4"


def place_objections(data: AdvancedData, view: AdvancedState, firer: Unit, arm: Armament) -> Iterator[Objection]:
    """5.1.3, 5.15, 6.1.4.1.2, 6.6.7.2 What the firer's place forbids: aboard, upstairs, hull down, abandoned."""
    if firer.bailed_out:
        yield Objection("5.15", "its crew has bailed out")
    if firer.aboard:
        yield from transported_objections(arm)
    yield from upstairs_objections(data, firer, arm)
    if arm.limited and is_hull_down(data, view, firer):
        rule = numbered(data.edition, "6.1.4.1.2/limited-weapon")
        yield Objection(rule, f"its {arm.name} cannot be fired from a hull-down position")
    if arm.kind == "mortar" and firer.kind == "vehicle" and data.edition == "2016" and is_inside(data, view, firer):
        yield Objection("5.1.3.1/vehicle-mortar-building", "a mounted mortar does not fire inside a building")


def is_hull_down(data: AdvancedData, view: AdvancedState, unit: Unit) -> bool:
    """6.1.4.1.2 Whether a vehicle is in a hull-down position, not a partial one: found, dug or built."""
    if in_improved_position(view, unit) or unit.hull_down is not HullDown.NONE:
        return unit.hull_down is not HullDown.PHD
    interior = interior_of(data, view, place_of(unit))
    return interior is not None and interior.hull_down.value and is_inside(data, view, unit)


# --- 4.4.1 who may, and who must -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Occasion:
    """When fire is declared: what has been engaged, and what shared counters have aimed at.

    Overwatch fire has occasions of its own kind (`overwatch`).
    """

    data: AdvancedData
    view: AdvancedState
    side: str
    engaged: tuple[str, ...] = ()
    aimed: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def objections(self, firer: Unit, arm: Armament, how: How, target: Unit) -> Iterator[Objection]:
        """4.4.1 Everything that keeps a unit from this shot in its Direct Fire Step."""
        return shot_objections(self, firer, arm, how, target)

    def targets(self, firer: Unit) -> Sequence[str]:
        """4.4.1 The enemies that it spotted itself in the Spotting Phase."""
        return self.view.spotted.get(firer.id, ())

    @property
    def command(self) -> Command | None:
        """The command under which all fire is made; None: that of each counter."""
        return None


def shot_objections(
    occasion: Occasion, firer: Unit, arm: Armament, how: How, target: Unit
) -> Iterator[Objection]:
    """4.4.1 Everything that keeps a unit from this shot in its Direct Fire Step."""
    data, view = occasion.data, occasion.view
    yield from firer_objections(data, view, firer)
    if target.id not in view.spotted.get(firer.id, ()):
        why = f"it did not itself spot {target.id} in the Spotting Phase"
        yield Objection(numbered(data.edition, "4.4.1/spotted-before"), why)
    if target.id in occasion.engaged:
        why = f"all fire at {target.id} was declared together and is resolved"
        yield Objection(numbered(data.edition, "4.4.1/declare-per-target"), why)
    aimed = occasion.aimed.get(counter_of(view, firer).id, ())
    yield from sharing_objections(data, view, firer, target, aimed)
    yield from aim_objections(data, view, firer, arm, how, target)


def firer_objections(data: AdvancedData, view: AdvancedState, firer: Unit) -> Iterator[Objection]:
    """4.4.1, 6.6.7.2 A unit fires once, under Fire or Short Halt; a passenger under its carrier's, and with it."""
    if firer.fired:
        yield Objection(numbered(data.edition, "4.4.1/one-shot"), "it has already fired this turn")
    elif is_used_up(view, firer):
        yield Objection("6.5.1", "its command is used up by indirect fire")
    elif counter_of(view, firer).command not in FIRING:
        rule = "6.6.7.2" if firer.aboard else "4.4.1"
        yield Objection(rule, "only a Fire or Short Halt command fires in the Direct Fire Step")
    elif firer.aboard and view.vehicles[firer.aboard].fired:
        yield Objection("6.6.7.2", "passengers fire together with their carrier, and that has fired")


def sharing_objections(
    data: AdvancedData, view: AdvancedState, firer: Unit, target: Unit, aimed: Iterable[str]
) -> Iterator[Objection]:
    """6.2.1.1.4 The targets of units that share a command lie within command range of each other (A-61)."""
    reach = command_range(data, firer.formation)
    for other in (view.vehicles[id] for id in aimed):
        if distance(place_of(other), place_of(target)) > reach:
            why = f"{target.id} is more than {reach} hexes from {other.id}, at which its group fires"
            yield Objection("6.2.1.1.4/fire", why)
            return


def is_used_up(view: AdvancedState, unit: Unit) -> bool:
    """6.5.1, 6.5.1.7 Whether observing, or indirect fire, was all that it does in this turn."""
    return unit.used_up == view.turn and view.turn > 0


def bound_to_fire(view: AdvancedState, side: str) -> list[Unit]:
    """4.4.1 The side's units whose Fire or Short Halt has not been carried out; passengers have no command."""
    return [
        unit
        for unit in view.of(side)
        if not (unit.fired or unit.aboard or is_used_up(view, unit)) and counter_of(view, unit).command in FIRING
    ]


def possible_shots(occasion: Occasion, firer: Unit) -> list[Entry]:
    """The legal shots of one unit, target by target."""
    view, found = occasion.view, list[Entry]()
    arms = [arm for arm in weapons_of(occasion.data, firer) if arm.fires]
    assert firer.hex is not None
    for target in (view.vehicles[id] for id in occasion.targets(firer)):
        if not target.alive or target.hex is None:
            continue
        away = distance(firer.hex, target.hex)
        for arm in arms:
            for how in arm.hows:
                if away <= arm.reach(how) and not any(occasion.objections(firer, arm, how, target)):
                    found.append(Entry(firer.id, arm.index, how, target.id))
    return found


def legal_shots(occasion: Occasion, firer: Unit) -> list[Entry]:
    """4.4.1 The legal shots of a unit in its Direct Fire Step; none at once if it may not fire at all."""
    if any(firer_objections(occasion.data, occasion.view, firer)):
        return []
    return possible_shots(occasion, firer)


def still_obliged(occasion: Occasion) -> dict[str, list[Entry]]:
    """4.4.1 The units that must still fire, each with its legal shots."""
    shots = {unit.id: legal_shots(occasion, unit) for unit in bound_to_fire(occasion.view, occasion.side)}
    return {firer: legal for firer, legal in shots.items() if legal}


def willing(occasion: Occasion) -> dict[str, list[Entry]]:
    """6.6.7.2 Passengers that may fire with their carrier; they need not."""
    carried = [unit for unit in occasion.view.of(occasion.side) if unit.aboard and not unit.fired]
    shots = {unit.id: legal_shots(occasion, unit) for unit in carried}
    return {firer: legal for firer, legal in shots.items() if legal}


def last_chances(obliged: Mapping[str, list[Entry]], targets: Iterable[str]) -> dict[str, list[Entry]]:
    """R-09 Those for whom these targets are the last legal ones: they must be in the group."""
    declared_at = set(targets)
    return {unit: shots for unit, shots in obliged.items() if {shot.target for shot in shots} <= declared_at}


# --- 6.2.1.1.3 shared counters -----------------------------------------------------------------------------------


def is_shared(view: AdvancedState, counter: Unit) -> bool:
    """6.2.1.1.3 Whether several units on the map use this counter."""
    return len(group_of(view, counter)) > 1


# --- R-05 the best shot ----------------------------------------------------------------------------------------


def worth(occasion: Occasion, shot: Entry) -> int:
    """R-05 What a shot promises, in tenths of a percent: to damage by AP fire, to suppress or more by GP fire."""
    data, view = occasion.data, occasion.view
    firer, target = view.vehicles[shot.unit], view.vehicles[shot.target]
    arm = weapons_of(data, firer)[shot.weapon]
    if not shot.how.startswith("ap"):
        return gp_worth(data, view, firer, arm, target)
    ap = an_ap_shot(data, view, firer, arm, shot.how, target, command=occasion.command)
    promise = ap.hit_number * chance_to_damage(ap)
    ammo = arm.ammo_of(shot.how)
    limit = arm.limits.get(ammo.letter, 10) if ammo else 10            # special ammunition may not be there
    return promise * limit // 10


def gp_worth(data: AdvancedData, view: AdvancedState, firer: Unit, arm: Armament, target: Unit) -> int:
    """6.5.4.4 From factor and defence alone: an effective result counts fully, suppression by half."""
    found = arm.gp_at(distance(place_of(firer), place_of(target)))
    if found is None:
        return 0
    column, factor = found
    if target.kind == "vehicle":
        card = data.vehicle(target)
        kind = "small_arms" if arm.gp and arm.gp.small_arms else "other"
        if data.advanced.gp_effect(kind, "suppressed", card.type, column) == "none":       # type: ignore[arg-type]
            return 0
        limits, against = data.advanced.gp_limits(factor, card.defence), {"A": -20, "P": -10, "S": 0}[card.type]
    else:
        printed = data.leg(target).defence if target.kind == "leg" else data.towed(target).defence
        limits, against = data.advanced.gp_limits(factor, printed.at(cover_of(data, view, target, "gp"))), 0
    effective = _percent(100 - limits.suppressed + against)
    return 10 * (effective + (_percent(100 - limits.no_effect + against) - effective) // 2)


def _percent(number: int) -> int:
    return max(0, min(100, number))


def best_first(occasion: Occasion, shots: Iterable[Entry]) -> list[Entry]:
    """R-05 The most promising, then the nearest, then the lowest id, then the first weapon."""
    view = occasion.view

    def preference(shot: Entry) -> tuple[int, int, str, int, str]:
        away = distance(place_of(view.vehicles[shot.unit]), place_of(view.vehicles[shot.target]))
        return -worth(occasion, shot), away, shot.target, shot.weapon, shot.how

    return sorted(shots, key=preference)


def best_shot(occasion: Occasion, firer: Unit) -> Entry | None:
    """R-05 The shot of a unit whose owner says nothing."""
    return next(iter(best_first(occasion, legal_shots(occasion, firer))), None)
