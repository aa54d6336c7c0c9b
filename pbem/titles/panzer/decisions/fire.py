"""4.4, 6.7.4 Decisions about fire: direct fire, overwatch, anti-aircraft fire.

4.4.1    DirectFire      ordered shots in groups, one for each target (R-09)
4.4.2    Overwatch       conditions on range, chance and target; units sharing a counter fire together
6.7.4    AntiAircraft
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

import msgspec

from pbem.engine.geometry.hexes import distance
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.title import Submission
from pbem.engine.text.forms import FormLine
from pbem.engine.text.messages import say, several
from pbem.titles.panzer.air.anti_aircraft import (
    aa_factor,
    anti_aircraft_options,
    check_anti_aircraft,
    guns_able_to_fire,
    over_the_map,
)
from pbem.titles.panzer.ap.ap_damage import basic_effect
from pbem.titles.panzer.ap.shot_basics import aspect_of, stronger_aspect
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.decisions.base import ActionAsk
from pbem.titles.panzer.fire.aiming import (
    Entry,
    Occasion,
    after_fire,
    aimed_by,
    basic_preference,
    best_first,
    is_shared,
    kind_objections,
    last_chances,
    legal_shots,
    still_obliged,
)
from pbem.titles.panzer.fire.declarations import (
    check_fire,
    declaration_of,
    default_fire,
    fire_options,
    occasion_of,
    read_entries,
    with_passenger_shots,
)
from pbem.titles.panzer.fire.gp_modifiers import counter_of
from pbem.titles.panzer.fire.overwatch import Watch, check_overwatch, overwatch_options, watch_of
from pbem.titles.panzer.fire.special_fire import PIN
from pbem.titles.panzer.player.clauses import Preference, in_order, units_meant
from pbem.titles.panzer.player.fates import fire_fates
from pbem.titles.panzer.player.plan import AdvancedPlan, Aim, FireWish, WatchWish
from pbem.titles.panzer.player.prospects import chance_of, watch_shots, wished_entries
from pbem.titles.panzer.player.restating import write_aim
from pbem.titles.panzer.player.shot_texts import SHOWN, best_by_target, describe_shot
from pbem.titles.panzer.player.standing_orders import Clause
from pbem.titles.panzer.player.towards import armour_of
from pbem.titles.panzer.reading.reader import Reader
from pbem.titles.panzer.reading.remarks import remark
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.state import PanzerState, Unit

CLOSE: Final = ("P", "S", "M")
"""6.7.4.2 The range factors at which guns fire at aircraft unless ordered to fire at once."""


class Declared(ActionAsk):
    """4.4.1, 4.4.2 Fire at one target by the named units."""

    def occasion(self) -> Occasion:
        """The targets that may be fired at now."""
        return occasion_of(self.situation, self.ask)

    def take_orders(self, reader: Reader, plan: AdvancedPlan) -> Submission:
        """4.4.1, 4.4.2 All units that fire at the first target named."""
        occasion = self.occasion()
        wished = {id: ordered_entries(occasion, self.view.vehicles[id], wish) for id, wish in plan.fire.items()}
        target = next((entries[0].target for entries in wished.values() if entries), None)
        if target is None:
            return Submission(None)
        named = [entries for entries in wished.values() if entries and entries[0].target == target]
        return Submission(declaration_of(target, [entry for entries in named for entry in entries]))

    def sentence(self, answer: Any) -> Iterator[str]:
        """4.4.1, 5.14 Fire at one target, unit by unit."""
        if answer is None:
            yield "done"
            return
        for unit, entries in groupby(answer["firers"], key=lambda entry: entry[0]):
            aims = []
            for _, weapon, how, *other in entries:
                aims.append(write_aim(Aim([other[0] if other else answer["target"]], weapon=weapon, how=how)))
            yield f"{unit} fire {' and '.join(aims)}"


def ordered_entries(occasion: Occasion, unit: Unit, wish: FireWish) -> list[Entry]:
    """5.14 The shots as ordered. If any cannot be fired, return all as the player worded them, for the refusal."""
    found = wished_entries(occasion, unit, wish)
    if len(found) == len(wish.aims):
        return found
    return [Entry(unit.id, aim.weapon or 0, aim.how, aim.hex or (aim.targets or [""])[0]) for aim in wish.aims]


class DirectFire(Declared, kind="fire", rule="4.4.1"):
    """4.4.1 One target, and all units that fire at it."""

    def options(self) -> Iterator[Any]:
        return fire_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_fire(self.situation, self.ask, given)

    def may_say(self) -> Iterator[FormLine]:
        """4.4.1 Each unit that must fire, with its targets; the default is ready to send."""
        occasion = self.occasion()
        for unit, shots in still_obliged(occasion).items():
            best = best_by_target(best_first(occasion, shots))[:SHOWN]
            yield from remark(
                say(
                    "{unit} at {shots}",
                    unit=unit,
                    shots=several((describe_shot(occasion, shot) for shot in best), "unit"),
                )
            )
        yield from self.sentence(self.ask.silence)

    def by_plan(self, plan: AdvancedPlan) -> Iterator[tuple[Any, str]]:
        if plan.fire:
            yield from planned_fire(self.occasion(), plan)

    def by_clause(self, clause: Clause) -> Iterator[Any]:
        if clause.fire:
            yield from preferred_fire(self.occasion(), clause.fire)

    def failing(self, answer: Any, plan: AdvancedPlan, used: Mapping[str, int]) -> Iterator[Fail]:
        return fire_fates(self.situation, self.ask, answer, plan, used)


def planned_fire(occasion: Occasion, plan: AdvancedPlan) -> Iterator[tuple[Any, str]]:
    """4.4.1 The first unit in order that can fire as ordered, with all others that have the same target.

    Units without orders join if that target is their best: it cannot be fired at again in this step (R-09).
    """
    view = occasion.state
    wished = wishes_now(occasion, plan)
    obliged = still_obliged(occasion) if wished else {}
    for carrier in {view.vehicles[id].aboard: id for id in wished if view.vehicles[id].aboard in obliged}:
        wished.setdefault(carrier, best_first(occasion, obliged[carrier])[:1])
    for id, entries in wished.items():
        target = entries[0].target
        if view.vehicles[id].aboard in wished:
            continue  # 6.6.7.2: with its carrier
        said = f"{id} fire {target}"
        if entries[0].how == "smoke":
            yield declaration_of(target, entries), said
            continue
        members = declared_together(view, wished, target)
        then = after_fire(occasion, ((shot.unit, shot.target) for shot in members))  # 7.14
        later = wishes_now(then, plan) if then is not occasion else wished
        others = {unit: best_first(occasion, shots)[0] for unit, shots in obliged.items() if unit not in later}
        members += [shot for shot in others.values() if shot.target == target]
        yield declaration_of(target, with_passengers(occasion, members)), said
        yield declaration_of(target, entries), said


def wishes_now(occasion: Occasion, plan: AdvancedPlan) -> dict[str, list[Entry]]:
    """4.4.1 The shots that can be fired as ordered, in plan order."""
    wished = {}
    for id in in_order(sorted(plan.fire), plan.order.fire):
        unit = occasion.state.vehicles.get(id)
        if unit is None or not unit.alive or any(occasion.firer_objections(unit)):
            continue  # 5.2.1: a portee gun may be on its truck again
        if entries := wished_entries(occasion, unit, plan.fire[id]):
            wished[id] = entries
    return wished


def declared_together(view: PanzerState, wished: Mapping[str, Sequence[Entry]], target: str) -> list[Entry]:
    """4.4.1, 6.6.7.2 The shots at a target, those of the firers' passengers, and those at the passengers' targets."""
    units: list[str] = []
    targets = [target]
    while True:
        joining = [
            id
            for id, own in wished.items()
            if id not in units and own[0].how != "smoke"
            and (own[0].target in targets or view.vehicles[id].aboard in units)
        ]  # fmt: skip
        if not joining:
            return [entry for id, own in wished.items() if id in units for entry in own]
        units += joining
        targets += [entry.target for id in joining for entry in wished[id]]


def with_passengers(occasion: Occasion, members: Sequence[Entry]) -> list[Entry]:
    """6.6.7.2 These shots, and those of passengers without orders, at the same target."""
    named = [entry.unit for entry in members]
    return [*members, *(shot for shot in with_passenger_shots(occasion, members) if shot.unit not in named)]


def preferred_fire(occasion: Occasion, preference: Preference) -> Iterator[Any]:
    """4.4.1 Each unit that must still fire follows the preference: most promising shot, nearest or weakest enemy."""
    if occasion.data.basic:
        yield from basic_fire(occasion, preference)
        return
    if preference != "best":
        obliged = still_obliged(occasion)
        by = rank(occasion, preference)
        best = {unit: min(best_first(occasion, shots), key=by) for unit, shots in obliged.items()}
        for target in dict.fromkeys(shot.target for shot in best.values()):
            needed = {unit: best_first(occasion, shots)[0] for unit, shots in last_chances(obliged, [target]).items()}
            members = {unit: shot for unit, shot in best.items() if shot.target == target} | needed
            yield declaration_of(target, with_passenger_shots(occasion, members.values()))
    yield default_fire(occasion)


def basic_fire(occasion: Occasion, preference: Preference) -> Iterator[Any]:
    """4.4.1 In the basic game: for each target, the units that prefer it; the target of the best shot comes first."""
    obliged = still_obliged(occasion)
    chosen = [min(shots, key=lambda shot: basic_rank(occasion, shot, preference)) for shots in obliged.values()]
    best = best_first(occasion, chosen)
    for target in dict.fromkeys(shot.target for shot in best):
        yield declaration_of(target, [shot for shot in best if shot.target == target])


def basic_rank(occasion: Occasion, shot: Entry, preference: Preference) -> tuple[Any, ...]:
    """Sort by the preference, then by R-05."""
    target, equal = occasion.state.vehicles[shot.target], basic_preference(occasion, shot)
    if preference == "nearest":
        return range_of(occasion, shot), *equal
    if preference == "weakest":
        return not target.damaged, occasion.data.cards[target.card].front, *equal
    aimed = aimed_by(occasion, shot)
    return -aimed.hit_number * GAIN[basic_effect(aimed, aspect_of(aimed) or stronger_aspect(aimed))], *equal


GAIN: Final = {"no-effect": 0, "damaged": 3, "ko": 8, "bu": 8}
"""4.4.3.2.6 The value of an effect to the firer; a matter of taste, not a rule."""


def rank(occasion: Occasion, preference: Preference) -> Callable[[Entry], tuple[Any, ...]]:
    """Return the sort key for the preference; equal shots keep their order."""
    view = occasion.state

    def of(shot: Entry) -> tuple[Any, ...]:
        target = view.vehicles[shot.target]
        if preference == "nearest":
            return (range_of(occasion, shot),)
        return (not (target.suppressed or target.damage), armour_of(occasion.data, target))

    return of


def range_of(occasion: Occasion, shot: Entry) -> int:
    """3.5.1 The range from firer to target."""
    units = occasion.state.vehicles
    return distance(place_of(units[shot.unit]), place_of(units[shot.target]))


# --- 4.4.2 overwatch -----------------------------------------------------------------------------------------------


class Overwatch(Declared, kind="overwatch", rule="4.4.2"):
    """4.4.2 Fire at a unit that has just moved or fired."""

    def occasion(self) -> Watch:
        return watch_of(self.situation, self.ask)

    def options(self) -> Iterator[Any]:
        return overwatch_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_overwatch(self.situation, self.ask, given)

    def may_say(self) -> Iterator[str]:
        """4.4.2 The possible shots; no unit fires unless ordered to."""
        for unit, shots in watch_shots(self.situation, self.ask).items():
            for shot in best_by_target(shots)[:SHOWN]:
                yield f"# {unit} fire {shot.target} with {shot.weapon + 1}"
        yield "done"

    def by_plan(self, plan: AdvancedPlan) -> Iterator[tuple[Any, str]]:
        """4.4.2 Units whose conditions are met fire; no others do, even by standing orders."""
        if not plan.overwatch:
            return
        watch = self.occasion()
        shots = [
            shot
            for unit, legal in watch_shots(self.situation, self.ask).items()
            for shot in fitting_shots(watch, legal, self.conditions_of(plan, unit))
        ]
        pinning = [shot.unit for shot in shots if self.conditions_of(plan, shot.unit).pin]
        groups = watch_groups(watch, shots, plan.overwatch)
        yield from ((pin_only(watch, answer, pinning), "overwatch as ordered") for answer in groups)
        yield None, "the conditions ordered for overwatch do not hold"

    def conditions_of(self, plan: AdvancedPlan, unit: str) -> WatchWish:
        """4.4.2 The conditions of a unit's Overwatch: its own, its carrier's (6.6.7.2), or the shared counter's."""
        holder = self.holder(unit)
        given = (plan.overwatch.get(id) for id in (unit, holder, self.view.vehicles[holder].shares))
        return next((wish for wish in given if wish is not None), WatchWish())

    def holder(self, unit: str) -> str:
        """6.6.7.2 The unit under whose counter this one fires: its carrier, if it is aboard."""
        return self.view.vehicles[unit].aboard or unit

    def by_clause(self, clause: Clause) -> Iterator[Any]:
        if clause.never_watch:
            yield None
        elif clause.overwatch:
            yield from self.watch_fire(clause, clause.overwatch)

    def watch_fire(self, clause: Clause, wish: WatchWish) -> Iterator[Any]:
        """4.4.2 The fire that an overwatch clause calls for; the clause may give units by id or name."""
        units, watch = units_meant(self.view, clause.units), self.occasion()
        only, but_not = units_meant(self.view, wish.only), units_meant(self.view, wish.but_not)
        named = msgspec.structs.replace(wish, only=only, but_not=but_not)
        if len(units) == len(clause.units) and len(only) == len(wish.only):
            shots = [
                shot
                for unit, own in watch_shots(self.situation, self.ask).items()
                if not units or unit in units or self.holder(unit) in units
                for shot in fitting_shots(watch, own, named)
            ]
            yield from watch_groups(watch, shots)


def fitting_shots(watch: Watch, shots: Iterable[Entry], wish: WatchWish) -> list[Entry]:
    """4.4.2 The shots that meet the conditions; `hit` is the hit number, or the chance of an effect for GP fire."""
    return [
        shot
        for shot in shots
        if (not wish.range or range_of(watch, shot) <= wish.range)
        and is_wanted(shot.target, wish)
        and chance_of(watch, shot) >= wish.hit
    ]


def is_wanted(target: str, wish: WatchWish) -> bool:
    """4.4.2 Whether conditions name the target, or name none, and do not say to spare it."""
    return (not wish.only or target in wish.only) and target not in wish.but_not


def pin_only(watch: Watch, answer: Any, pinning: Sequence[str]) -> Any:
    """7.18 The declaration, in which GP fire of these units only pins its target, if it can be pinned."""
    entries = read_entries(answer)
    units = watch.state.vehicles

    def how(shot: Entry) -> Entry:
        arm = weapons_of(watch.data, units[shot.unit])[shot.weapon]
        able = shot.unit in pinning and shot.how == "gp"
        able = able and not any(kind_objections(watch.data, arm, PIN, units[shot.target]))
        return shot._replace(how=PIN) if able else shot

    return declaration_of(answer["target"], [how(shot) for shot in entries]) if pinning else answer


def watch_groups(
    watch: Watch, shots: Sequence[Entry], conditions: Mapping[str, WatchWish] | None = None
) -> Iterator[Any]:
    """4.4.2, 6.2.1.1.4 A declaration for each target, best first; units that share a firer's counter fire with it.

    `conditions` are those that units have been given for themselves.
    """
    best = best_first(watch, shots)
    for target in dict.fromkeys(shot.target for shot in best):
        firers: dict[str, Entry] = {}
        for shot in best:
            if shot.target == target:
                firers.setdefault(shot.unit, shot)
        yield declaration_of(target, [*firers.values(), *shots_of_group(watch, firers, target, conditions or {})])


def shots_of_group(
    watch: Watch, firers: Mapping[str, Entry], target: str, conditions: Mapping[str, WatchWish]
) -> list[Entry]:
    """6.2.1.1.4 Shots by units that share a firer's Overwatch, unless they were told to spare the target.

    Their own range and hit number no longer count, because the counter is used up for them too.
    """
    view = watch.state
    counters = {counter_of(view, view.vehicles[unit]).id for unit in firers}
    found = []
    for unit in view.of(watch.side):
        counter = counter_of(view, unit)
        if unit.id not in firers and counter.id in counters and is_shared(view, counter):
            at = [shot for shot in legal_shots(watch, unit) if shot.target == target]
            found += best_first(watch, at)[:1] if is_wanted(target, conditions.get(unit.id, WatchWish())) else []
    return found


# --- 6.7.4 anti-aircraft fire -----------------------------------------------------------------------------------


class AntiAircraft(ActionAsk, kind="anti-aircraft", rule="6.7.4"):
    """6.7.4 The guns that fire at an aircraft."""

    def options(self) -> Iterator[Any]:
        return anti_aircraft_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_anti_aircraft(self.situation, self.ask, given)

    def take_orders(self, reader: Reader, plan: AdvancedPlan) -> Submission:
        """6.7.4 `g5 fire a1`: the guns that fire at an aircraft now, by default with the first weapon that can."""
        guns = []
        for id in dict.fromkeys((*plan.fire, *reader.commands)):
            arms = weapons_of(self.data, self.view.vehicles[id])
            first = next((arm.index for arm in arms if arm.aa), 0)
            weapon = plan.fire[id].aims[0].weapon if id in plan.fire else None
            guns.append([id, first if weapon is None else weapon])
        return Submission(guns or None)

    def sentence(self, answer: Any) -> Iterator[str]:
        if answer is None:
            yield "done"
        for unit, weapon in answer or ():
            yield f"{unit} fire {self.ask.subject} with {weapon + 1}"

    def may_say(self) -> Iterator[str]:
        """6.7.4 The guns that can fire."""
        for unit, weapon in guns_able_to_fire(self.situation, self.ask):
            yield f"# {unit} fire {self.ask.subject} with {weapon + 1}"
        yield "done"

    def by_plan(self, plan: AdvancedPlan) -> Iterator[tuple[Any, str]]:
        """4.4.2 Guns that watch only for named units hold their fire; other guns follow the standing orders."""
        ready = [unit for unit, _ in guns_able_to_fire(self.situation, self.ask)]
        bound = [unit for unit in ready if unit in plan.overwatch and plan.overwatch[unit].only]
        if ready and ready == bound:
            yield None, "overwatch only at the units named"

    def by_clause(self, clause: Clause) -> Iterator[Any]:
        """6.7.4 Fire at once, never, or when the aircraft is near or attacks."""
        if clause.kind != self.kind:
            return
        ready = guns_able_to_fire(self.situation, self.ask)
        if clause.word == "never" or not ready:
            yield None
        elif clause.word == "always" or self.ask.about["answering"]:
            yield ready
        else:
            yield [gun for gun in ready if self.is_near(*gun)] or None

    def is_near(self, id: str, weapon: int) -> bool:
        """6.7.4.2 Whether an aircraft is at a range at which a gun hits well."""
        unit, flight = self.view.vehicles[id], over_the_map(self.view.aircraft[self.ask.subject])
        found = aa_factor(weapons_of(self.data, unit)[weapon], unit, flight)
        return found is not None and found[0] in CLOSE
