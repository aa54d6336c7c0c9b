"""4.2.1 The fate of a turn's orders: those that an answer does not fulfil, each with the reason.

    4.4.1     fire_fates        targets that cannot be fired at, units without any target
    6.6       move_fates        goals now out of reach, moves that cannot be made, stragglers (6.2.1.1.4)
    6.6.1     assault_fates
    6.5.1     mission_fates
    6.7       flight_fates
    6.8       adjustment_fates
    7.9       discharge_fates
    7.19      demolition_fates

The reasons come from the checks that would refuse the same order when it is sent. Failures while an answer is carried
out are reported by the rules that carry it out. These rules also report commands that cannot be carried out at all,
because a seat may answer every ask itself: the commands of abandoned vehicles (5.15), and of units off the map or
under a hidden counter (4.5.1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from pbem.engine.geometry.hexes import parse_hex
from pbem.engine.rules.ask import Answer, Ask
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Objection, Refusal, each
from pbem.engine.text.messages import say
from pbem.titles.panzer.air.air import check_flight
from pbem.titles.panzer.artillery.mission_answers import check_mission
from pbem.titles.panzer.close_combat.close_combat import check_assault
from pbem.titles.panzer.command.commands import root_of
from pbem.titles.panzer.command.dischargers import objections as discharger_objections
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.end_of_turn.adjustment import objections_to
from pbem.titles.panzer.fire.aiming import Occasion, bound_to_fire, has_turn, no_target
from pbem.titles.panzer.fire.declarations import occasion_of, read_entries
from pbem.titles.panzer.movement.movement_step import check_move, move_objections, stay_objections, waiting_objections
from pbem.titles.panzer.movement.shared_moves import command_of
from pbem.titles.panzer.movement.steps.acts import Dismount, Mount, To, order_for, read_act
from pbem.titles.panzer.movement.steps.unit_steps import halvings, mover_of, start
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.obstacles.demolition import check_demolish
from pbem.titles.panzer.player.plan import STAY, Adjustments, AdvancedPlan, Aim, FireWish, MarchWish
from pbem.titles.panzer.player.prospects import check_fire_wish, fits, too_many_weapons
from pbem.titles.panzer.player.restating import (
    write_adjustments,
    write_aim,
    write_assault,
    write_flight,
    write_mission,
)
from pbem.titles.panzer.routes.itineraries import check_march, itinerary, write_march
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import MOVING, WORD_OF, Command, PanzerState, Status, Unit


def units_to_move(answer: Mapping[str, str]) -> frozenset[str]:
    """4.2, 6.2.1.1.3 The units with a Move or Short Halt of their own or shared with their group."""
    given = {unit: answer.get(root_of(answer, unit) or unit, "") for unit in answer}
    return frozenset(unit for unit, word in given.items() if word in [command.value for command in MOVING])


def failure(unit: str, order: str, against: Iterable[Objection]) -> Fail:
    """An order that failed, for the first of these reasons."""
    first = next(iter(against), Objection("4.2.1", say("the situation has changed since the order was given")))
    return Fail(unit, order, first.why, first.rule)


def objections_of(check: Callable[..., object], *given: Any) -> list[Objection]:
    """The objections a check raises to an order; empty if it would be accepted."""
    try:
        check(*given)
    except Refusal as refusal:
        return [objection for one in each(refusal) for objection in one.objections]
    return []


def loss_objections(unit: Unit | None) -> list[Objection]:
    """4.4.3.2.6 The objection that a unit has left play before its turn came."""
    if unit is None or unit.status is Status.ELIMINATED:
        return [Objection("4.4.3.2.6", say("the unit was lost before its turn came"))]
    if unit.bailed_out:
        return [Objection("5.15", say("the vehicle's crew has left it for good"))]
    if unit.status is Status.EXITED:
        return [Objection("4.5.1.1.9", say("the unit has left the map"))]
    return []


# --- 4.4.1 fire --------------------------------------------------------------------------------------------------


def fire_fates(
    situation: Situation, ask: Ask, answer: Answer, plan: AdvancedPlan, used: Mapping[str, int]
) -> Iterator[Fail]:
    """4.4.1 Units that do not fire as ordered; when all fire is over, units that have not fired at all."""
    view = situation.state
    occasion = occasion_of(situation, ask)
    if answer is not None:
        for id in dict.fromkeys(entry[0] for entry in answer["firers"]):
            yield from missed_aims(occasion, plan, id, answer)
        return
    bound = [unit.id for unit in bound_to_fire(view, ask.seat)]
    for id in dict.fromkeys((*plan.fire, *bound)):
        unit, aims = view.vehicles.get(id), plan.fire[id].aims if id in plan.fire else [Aim()]
        if unit is not None and (mission := fired_indirectly(view, unit)):
            why = [
                Objection(
                    "6.5.1",
                    say("the unit fired in {mission} instead, and can fire only once a turn", mission=mission),
                )
            ]
            aimed = [aim for aim in aims if aim.targets or aim.hex]
            yield from (failure(id, write_fire(view, unit, aim), why) for aim in aimed)
            continue
        if unit is not None and (unit.fired or unit.bailed_out or not is_in_turn(view, unit)):
            continue  # the finding of 5.15 already reports a vehicle whose crew has left it
        for aim in aims:
            yield failure(id, write_fire(view, unit, aim), loss_objections(unit) or against_aim(occasion, unit, aim))


def fired_indirectly(view: PanzerState, unit: Unit) -> str:
    """6.5.1 The mission in which a unit on the map has fired this turn, or nothing."""
    done = (one for one in view.missions.values() if unit.id in one.firers and one.done_in == view.turn)
    return next((one.id for one in done if unit.fired), "")


def missed_aims(occasion: Occasion, plan: AdvancedPlan, id: str, answer: Answer) -> Iterator[Fail]:
    """5.14 A unit's aims that none of its shots fulfil, with the weapon and the type of fire that they name."""
    unit = occasion.state.vehicles[id]
    shots = [shot for shot in read_entries(answer) if shot.unit == id]
    for aim in plan.fire[id].aims if id in plan.fire else ():
        wanted = [aim.hex] if aim.hex else aim.targets
        as_ordered = (shot for shot in shots if shot.target in wanted and (aim.hex or fits(shot, aim)))
        if (shot := next(as_ordered, None)) is not None:
            shots.remove(shot)
        elif wanted:
            why = too_many_weapons(occasion, unit, plan.fire[id]) or against_aim(occasion, unit, aim)
            yield failure(id, write_fire(occasion.state, unit, aim), why)


def write_fire(view: PanzerState, unit: Unit | None, aim: Aim) -> str:
    """4.4.1 A fire order in the order language."""
    command = view.order_of(unit) if unit is not None else None
    word = WORD_OF[command] if command in (Command.FIRE, Command.SHORT_HALT) else WORD_OF[Command.FIRE]
    return f"{word} {write_aim(aim)}".strip()


def against_aim(occasion: Occasion, unit: Unit | None, aim: Aim) -> list[Objection]:
    """4.4.1 Why a unit does not carry out an aim; without an aim, why it has no target."""
    view = occasion.state
    if unit is None:
        return []
    lost = [id for id in aim.targets if id not in view.vehicles or not view.vehicles[id].alive]
    if aim.targets and len(lost) == len(aim.targets):
        return [Objection("4.4.1", say("{lost} had already left play", lost=" and ".join(lost)))]
    left = msgspec.structs.replace(aim, targets=[id for id in aim.targets if id not in lost])
    wish = FireWish([left])
    if found := list(occasion.firer_objections(unit)) or objections_of(check_fire_wish, occasion, unit, wish):
        return found
    return [no_target(occasion, unit)]


# --- 6.6 movement ------------------------------------------------------------------------------------------------


def move_fates(
    situation: Situation, ask: Ask, answer: Answer, plan: AdvancedPlan, used: Mapping[str, int]
) -> Iterator[Fail]:
    """6.6 A move that differs from its order; when all have moved, ordered moves that were not made."""
    view = situation.state
    if answer is not None:
        unit = view.vehicles[answer["unit"]]
        wish = plan.move.get(unit.id)
        if wish is None:
            yield failure(unit.id, "move", [straggler_objection(situation.data)])
        elif wish.mode != STAY:
            yield from changed_move(situation, ask, unit, wish, answer)
        return
    for id, wish in plan.move.items():
        mover = view.vehicles.get(id)
        if mover is not None and (mover.moved or mover.assaulted or not is_in_turn(view, mover)):
            continue
        if mover is not None and wish.mode != STAY and is_told(view, mover):
            continue
        found = loss_objections(mover) or against_move(situation, mover, wish)
        if found and wish.mode == STAY:
            yield from passenger_fates(view, id, wish, found)
        elif found:
            yield failure(id, write_march(wish), found)


def is_told(view: PanzerState, unit: Unit) -> bool:
    """5.15, 4.5.1 Whether a finding of the rules already says why a unit that was ordered to move cannot."""
    waits = any(waiting_objections(view, unit)) and command_of(view, unit) in MOVING
    return unit.bailed_out or (waits and any(move_objections(view, unit)))


def is_in_turn(view: PanzerState, unit: Unit) -> bool:
    """7.42 Whether a unit acts now, or would if it were still in play."""
    return not view.acting or has_turn(view, unit)


def passenger_fates(view: PanzerState, carrier: str, wish: MarchWish, against: Iterable[Objection]) -> Iterator[Fail]:
    """6.6.7.1.1 The units that have not got on or off a stationary vehicle, each with its own order."""
    for act in map(read_act, wish.acts):
        if not isinstance(act, Mount | Dismount):
            continue
        unit = view.vehicles.get(act.unit)
        if unit is None or (unit.moved and unit.alive):
            continue  # it has got on or off, or has tried to
        order = f"mount {carrier}" if isinstance(act, Mount) else order_for(act)
        first = next(iter(against))
        gone = view.vehicles.get(carrier)
        if gone is None or loss_objections(gone):
            first = Objection(first.rule, say("its vehicle {carrier} was lost first", carrier=carrier))
        yield failure(unit.id, order, loss_objections(unit) or [first])


def straggler_objection(data: PanzerData) -> Objection:
    """6.2.1.1.4 Why a unit moves where it was not ordered to."""
    why = say("the unit shares its command with units that have moved away, and had to follow them")
    return Objection(ledger_row(data.edition, "6.2.1.1.4/movement"), why)


def changed_move(situation: Situation, ask: Ask, unit: Unit, wish: MarchWish, answer: Answer) -> Iterator[Fail]:
    """6.6 The failure to report if a unit's move differs from its order: it goes elsewhere, or nowhere."""
    found = itinerary(situation, unit, wish)
    if not found.missed and list(found.steps) == answer["steps"]:
        return
    if not found.missed:
        full = {"unit": unit.id, "mode": found.mode, "steps": list(found.steps)}
        against = objections_of(check_move, situation, ask, full) or [straggler_objection(situation.data)]
        yield failure(unit.id, write_march(wish), against)
    elif wish.mode != "road" or not reaches_across(situation, unit, wish, answer):
        yield failure(unit.id, write_march(wish), out_of_reach_now(situation, unit, wish))


def out_of_reach_now(situation: Situation, unit: Unit, wish: MarchWish) -> list[Objection]:
    """4.5.1.1.10, 6.6.2 Why a goal that was within reach when ordered no longer is."""
    found = itinerary(situation, unit, wish)
    missed = read_act(found.missed)
    if not isinstance(missed, To) or found.objections:
        return objections_of(check_march, situation, unit, wish)
    goal = missed.hex
    here = [other.id for other in situation.state.on_the_ground(parse_hex(goal)) if other.side != unit.side]
    if here:
        return [
            Objection(
                "4.5.1.1.10", say("the enemy unit {here} reached {goal} first", here=" and ".join(here), goal=goal)
            )
        ]
    mover = mover_of(situation, unit, found.mode == "quick")
    there = msgspec.structs.replace(start(mover, found.mode), hex=parse_hex(goal), entered=1)
    if against := list(mover.finish_objections(there)):
        return against
    if slowed := halvings(situation.state, unit):
        return [
            Objection(
                "6.6.2",
                say(
                    "{goal} is now out of reach: the unit's movement was reduced ({lower})",
                    goal=goal,
                    lower=" and ".join(slowed).lower(),
                ),
            )
        ]
    return [Objection("4.5.1.1.1", say("the unit can no longer reach {goal} with its movement", goal=goal))]


def reaches_across(situation: Situation, unit: Unit, wish: MarchWish, answer: Answer) -> bool:
    """4.5.1.1.5 Whether the unit reaches its goal cross-country, now that the road is closed."""
    across = itinerary(situation, unit, msgspec.structs.replace(wish, mode="cross"))
    return not across.missed and list(across.steps) == answer["steps"]


def against_move(situation: Situation, unit: Unit | None, wish: MarchWish) -> list[Objection]:
    """4.5.1 Why a unit ordered to move has not moved; empty if it had nothing left to do."""
    if unit is None:
        return []
    if wish.mode == STAY:
        return list(stay_objections(situation.state, unit)) or objections_of(check_march, situation, unit, wish)
    if found := list(move_objections(situation.state, unit)):
        return found
    return out_of_reach_now(situation, unit, wish) if wish.acts else []


# --- 6.5.1, 6.6.1, 6.7, 6.8, 7.19 ----------------------------------------------------------------------------------


def assault_fates(
    situation: Situation, ask: Ask, answer: Answer, plan: AdvancedPlan, used: Mapping[str, int]
) -> Iterator[Fail]:
    """6.6.1.1 Units that do not attack although ordered to."""
    view = situation.state
    engaged = ask.about.get("engaged", ())
    named = [attacker[0] for attacker in answer["attackers"]] if answer else []
    for id, wish in plan.assault.items():
        unit, target = view.vehicles.get(id), view.vehicles.get(wish.target)
        due = wish.target == answer["target"] if answer else wish.target not in engaged
        if not due or id in named:
            continue
        against = loss_objections(unit)
        if unit is not None and not against:
            attack = {"target": wish.target, "attackers": [[id, wish.hex]]}
            missing = [Objection("6.6.1", say("{target} has left play", target=wish.target))]
            alive = target if target is not None and target.alive else None
            against = objections_of(check_assault, situation, ask, attack) if alive else missing
        yield failure(id, write_assault(wish), against)


def mission_fates(
    situation: Situation, ask: Ask, answer: Answer, plan: AdvancedPlan, used: Mapping[str, int]
) -> Iterator[Fail]:
    """6.5.1.1 The ordered missions that were not possible, once all missions are declared."""
    view = situation.state
    for call in plan.missions if answer is None else ():
        who = call.observer or call.mission or call.plan
        ended = call.do == "check" and call.mission not in view.missions  # 6.5.1.9: it ended before it was checked
        if not used.get(f"{who} {call.do}") and not ended:
            said = write_mission(call).removeprefix(who).strip()
            against = loss_objections(view.vehicles.get(call.observer)) if call.observer else []
            against = against or objections_of(check_mission, situation, ask, msgspec.to_builtins(call))
            yield failure(who, said, against)


def flight_fates(
    situation: Situation, ask: Ask, answer: Answer, plan: AdvancedPlan, used: Mapping[str, int]
) -> Iterator[Fail]:
    """6.7 The flights ordered for this phase that were not flown, once all flights are over."""
    for plot in plan.flights if answer is None else ():
        late = plot.aircraft in plan.late
        if late == (ask.about["phase"] == 2) and not used.get(f"{plot.aircraft} fly"):
            said = write_flight(plot).removeprefix(plot.aircraft).strip()
            against = objections_of(check_flight, situation, ask, msgspec.to_builtins(plot))
            yield failure(plot.aircraft, said, against)


def adjustment_fates(
    situation: Situation, ask: Ask, answer: Answer, plan: AdvancedPlan, used: Mapping[str, int]
) -> Iterator[Fail]:
    """6.8 Ordered adjustments that are not made."""
    view = situation.state
    done: Mapping[str, Mapping[str, Any]] = answer or {}
    for part, units in msgspec.to_builtins(plan.adjust).items():
        for id, value in units.items():
            unit = view.vehicles.get(id)
            if done.get(part, {}).get(id) != value:
                against = loss_objections(unit) or (list(objections_to(situation, part, unit, value)) if unit else [])
                [said] = write_adjustments(Adjustments(**{part: {id: value}}))
                yield failure(id, said.removeprefix(f"{id} "), against)


def discharge_fates(situation: Situation, answer: Answer, plan: AdvancedPlan) -> Iterator[Fail]:
    """7.9 Vehicles that do not fire their dischargers although ordered to."""
    data, view = situation.data, situation.state
    for id in plan.discharge:
        unit = view.vehicles.get(id)
        if id not in (answer or ()):
            against = loss_objections(unit) or (list(discharger_objections(data, unit)) if unit else [])
            yield failure(id, "discharge", against)


def demolition_fates(
    situation: Situation, ask: Ask, answer: Answer, plan: AdvancedPlan, used: Mapping[str, int]
) -> Iterator[Fail]:
    """7.19 The ordered attacks on terrain that were not possible, once all attacks are declared."""
    view = situation.state
    for id, feature in plan.demolish.items() if answer is None else ():
        unit = view.vehicles.get(id)
        if unit is not None and unit.assaulted:
            continue
        wish = {"feature": feature, "attackers": [id]}
        against = loss_objections(unit) or objections_of(check_demolish, situation, ask, wish)
        yield failure(id, f"demolish {feature}", against)
