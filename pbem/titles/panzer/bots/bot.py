"""Bots for the advanced game. They see only a seat's view, and the same seed gives the same play.

    steady_bot     plays to win: fires where it pays, goes from cover to cover, calls fire, shares commands
    reckless_bot   any legal orders: to try out the rules
    curious_bot    the same, but with a preference for rare actions
    questions      the questions a curious player could ask

A bot answers the commands of a turn with orders and a plan. It answers the asks within the turn from that plan if it
remembers it, then from its standing orders, then by the rules' default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any, Final, TypeAlias

import msgspec

from pbem.engine.geometry.hexes import distance, hex_name
from pbem.engine.play.bots import Bot, Choice
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Refusal, each
from pbem.engine.rules.title import Reply, Rules, Submission
from pbem.titles.panzer.air.air import check_flight, flight_options
from pbem.titles.panzer.air.air_attacks import Plot
from pbem.titles.panzer.ap.ap_fire import preview_ap
from pbem.titles.panzer.ap.ap_modifiers import an_ap_shot
from pbem.titles.panzer.artillery.mission_answers import check_mission, legal_calls
from pbem.titles.panzer.bots.allotting import orders_of
from pbem.titles.panzer.bots.curious import dismount_attacks, pinning, smoke_hexes, ways_of, whim
from pbem.titles.panzer.bots.judgement import Judgement
from pbem.titles.panzer.cards.units import describe
from pbem.titles.panzer.cards.weapons import attached_weapons, weapons_of
from pbem.titles.panzer.close_combat.close_combat import legal_attacks
from pbem.titles.panzer.command.command_control import commandable
from pbem.titles.panzer.command.commands import leader_of, usable_weapons
from pbem.titles.panzer.command.radios import silent_platoons
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.decisions.all_kinds import from_plan, from_standing_orders
from pbem.titles.panzer.end_of_turn.adjustment import adjust_options, check_adjust
from pbem.titles.panzer.fire.aiming import Occasion, legal_shots
from pbem.titles.panzer.fire.declarations import smoke_refusals
from pbem.titles.panzer.fire.gp_fire import gp_factor
from pbem.titles.panzer.movement.movement_step import mode_objections
from pbem.titles.panzer.movement.steps.unit_steps import MODES, mover_of
from pbem.titles.panzer.obstacles.demolition import demolish_options
from pbem.titles.panzer.player.plan import (
    Adjustments,
    AdvancedPlan,
    Aim,
    AssaultWish,
    Declaration,
    FireWish,
    MarchWish,
    WatchWish,
    plain,
    read_plan,
)
from pbem.titles.panzer.player.prospects import as_ordered, smoke_entry, targets_apart
from pbem.titles.panzer.player.standing_orders import STOCK
from pbem.titles.panzer.routes.move_options import Steps, move_choices, stay_choices
from pbem.titles.panzer.routes.moves_together import kept_together
from pbem.titles.panzer.sighting.spotting import spots
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, PanzerState, Unit

STANDING_ORDERS: Final = (
    "overwatch: hit >= 20",
    "missions: call",
    "aircraft: best",
    "assault: odds 2",
    "advance: always",
    *STOCK,
)
"""The standing orders with which a steady bot answers anything its plan leaves open."""
OPTIONS: Final = 40
"""How many legal answers a reckless bot chooses from."""
MOVERS: Final = 24
"""How many units of a side a reckless bot moves by choice; the others stay."""

Taste: TypeAlias = Callable[[Sequence[tuple[Any, Steps]]], Sequence[tuple[Any, Steps]]]
"""Chooses the moves a bot prefers among those a unit can make."""


# --- steady ----------------------------------------------------------------------------------------------------


def steady_bot(seed: object) -> Bot:
    """A bot that plays to win."""
    remembered: dict[tuple[str, int], AdvancedPlan] = {}

    def answer(rules: Rules, view: PanzerState, ask: Ask) -> Submission:
        choice = Choice(seed, ask.seat, view.turn)
        if ask.kind == "commands":
            said = orders(rules, view, ask, choice)
            remembered.clear()
            remembered[ask.seat, view.turn] = read_plan(said.plan)
            return said
        if ask.kind == "plot":
            return Submission(first_legal(rules, view, ask, iter([Reply(plot(rules.data, ask), "plot")])))
        plan = remembered.get((ask.seat, view.turn))
        return Submission(first_legal(rules, view, ask, replies(Situation(rules.data, view), ask, choice, plan)))

    return answer


def orders(rules: Rules, view: PanzerState, ask: Ask, choice: Choice) -> Submission:
    """4.2.1 The bot's orders, leaving out those that an optional rule forbids."""
    situation = Situation(rules.data, view)
    said = orders_of(Judgement(situation, ask.seat, choice))
    commands = in_platoons(situation, ask.seat, said.answer)
    while commands:
        try:
            given = rules.check(view, ask, commands)
            then = Situation(rules.data, as_ordered(view, ask.seat, given))
            return Submission(given, plain(in_groups(then, read_plan(said.plan))))
        except Refusal as refusal:
            left = without_refused(view, commands, refusal)
            commands = left if len(left) < len(commands) else {}
    return Submission(ask.silence, said.plan)


def in_groups(then: Situation, plan: AdvancedPlan) -> AdvancedPlan:
    """6.2.1.1.4 The plan without moves and targets that are too far from those of others under the same command."""
    ordered = {id: plan.fire[id] for id in (*plan.order.fire, *plan.fire) if id in plan.fire}
    apart = {id for id, _ in targets_apart(then, ordered)}
    return msgspec.structs.replace(
        plan,
        fire={id: wish for id, wish in plan.fire.items() if id not in apart},
        move=kept_together(then, plan.move, plan.assault, plan.order.move),
    )


def in_platoons(situation: Situation, side: str, given: dict[str, str]) -> dict[str, str]:
    """7.4.2 Vehicles of a platoon without radios follow the first of them that has a command."""
    commands = dict(given)
    for platoon in silent_platoons(situation.data, commandable(situation.state, side)):
        leader = next((leader_of(given, unit.id) or unit.id for unit in platoon if unit.id in given), "")
        if leader:
            ids = [unit.id for unit in platoon if unit.id != leader]
            commands |= dict.fromkeys(ids, f"with {leader}")
            mates = [id for id in commands if leader_of(commands, id) in ids]
            commands |= dict.fromkeys(mates, f"with {leader}")
    return commands


def without_refused(view: PanzerState, commands: dict[str, str], refusal: Refusal) -> dict[str, str]:
    """4.2.1 Drop the refused commands; for a formation with too many, drop its last one."""
    refused: set[str] = set()
    for one in each(refusal):
        named = one.part.split(" with ")[0].split()
        units = [id for id in named if id in commands]
        led = [id for id in commands if not leader_of(commands, id) and view.vehicles[id].formation in named]
        moving = [id for id in led if commands[id] == Command.MOVE.value]
        refused.update(units or (moving or led)[-1:])
    return {id: word for id, word in commands.items() if not {id, leader_of(commands, id)} & refused}


def first_legal(rules: Rules, view: PanzerState, ask: Ask, wished: Iterator[Reply]) -> Any:
    """The first answer that the rules accept, or the default."""
    for reply in wished:
        try:
            return rules.check(view, ask, reply.answer)
        except Refusal:
            continue
    return rules.default(lambda: view, ask)


def replies(situation: Situation, ask: Ask, choice: Choice, plan: AdvancedPlan | None) -> Iterator[Reply]:
    """The bot's answers to an ask, best first: from its plan, from the situation, from its standing orders."""
    by_plan = from_plan(situation, ask, plan) if plan is not None else iter(())
    if ask.kind == "move" and plan is None:
        by_plan = moves_now(Judgement(situation, ask.seat, choice), ask)
    return chain(by_plan, from_standing_orders(situation, ask, STANDING_ORDERS))


def moves_now(judgement: Judgement, ask: Ask) -> Iterator[Reply]:
    """6.6 A move without a plan: the next unit that can move goes where it is best off."""
    view = judgement.view
    for unit in view.of(ask.seat):
        if unit.command in (Command.MOVE, Command.SHORT_HALT) and not unit.moved and not unit.aboard:
            wish = judgement.march(unit, unit.command, judgement.goal(unit), None)
            plan = AdvancedPlan(move={unit.id: wish})
            yield from (reply for reply in from_plan(judgement.situation, ask, plan) if reply.answer is not None)


def plot(data: PanzerData, ask: Ask) -> dict[str, Any]:
    """6.5.1.4, 6.7.1 Register batteries on objectives and otherwise keep them for calls; aircraft take bombs."""
    hexes = list(dict.fromkeys(hex_name(hex) for row in data.scenario.objectives for hex in row.hexes)) or ["A1"]
    points = {id: hexes[:most] for id, most in ask.about.get("registered", {}).items()}
    loads = dict.fromkeys(ask.about.get("loads", ()), "bombs")
    return {key: value for key, value in (("registered", points), ("loads", loads)) if value}


# --- reckless --------------------------------------------------------------------------------------------------


def reckless_bot(seed: object) -> Bot:
    """A bot that picks any legal orders at random."""
    return wilful_bot(seed, taste_for_any_move)


def curious_bot(seed: object) -> Bot:
    """A bot that prefers rare legal orders: passengers, floors, overruns, hull-down positions, smoke."""
    return wilful_bot(seed, taste_for_rare_moves)


def taste_for_any_move(moves: Sequence[tuple[Any, Steps]]) -> Sequence[tuple[Any, Steps]]:
    """6.6 The taste of a reckless bot: all moves are equally good."""
    return moves


def taste_for_rare_moves(moves: Sequence[tuple[Any, Steps]]) -> Sequence[tuple[Any, Steps]]:
    """6.6 The taste of a curious bot: moves that include an unusual step, if there are any."""
    return [move for move in moves if any(not step.isdigit() and len(step) > 1 for step in move[1])] or moves


def wilful_bot(seed: object, taste: Taste) -> Bot:
    """A bot that gives random legal orders, choosing moves by its `taste`."""

    def answer(rules: Rules, view: PanzerState, ask: Ask) -> Submission:
        choice = Choice(seed, ask.seat, view.turn, ask.kind, ask.subject, sorted(ask.about))
        if taste is taste_for_rare_moves and choice.below(2):
            said = whim(Situation(rules.data, view), ask, choice, lambda answer: rules.check(view, ask, answer))
            if said is not None:
                return Submission(said)
        options = [option for option, _ in zip(rules.options(view, ask), range(OPTIONS), strict=False)]
        said = choice.one_of(options) if options else rules.default(lambda: view, ask)
        if ask.kind != "commands":
            return Submission(said)
        return Submission(said, plain(any_plan(Situation(rules.data, view), ask, said, choice, taste)))

    return answer


def any_plan(situation: Situation, ask: Ask, commands: dict[str, str], choice: Choice, taste: Taste) -> AdvancedPlan:
    """4.2.1 A random plan for given commands: targets, moves, attacks, calls, flights, adjustments."""
    ordered = as_ordered(situation.state, ask.seat, commands)
    then = Situation(situation.data, ordered)
    units = commandable(ordered, ask.seat)
    curious = taste is taste_for_rare_moves
    plan = AdvancedPlan(
        fire=dict(any_fire(then, ask.seat, units, choice, curious)),
        move=dict(any_moves(then, units, choice, taste)),
        overwatch={
            unit.id: WatchWish(hit=choice.below(40), range=choice.below(12))
            for unit in units
            if unit.command is Command.OVERWATCH
        },
        assault=dict(any_assaults(then, ask.seat, choice)),
        missions=list(any_calls(then, ask.seat, choice, curious)),
        flights=list(any_flights(then, ask.seat, choice, curious)),
        adjust=any_adjustments(then, ask.seat, choice, curious),
        demolish=dict(any_demolitions(then, ask.seat, choice)),
        initiative=choice.one_of(("first", "second")),
        show={"*": choice.one_of(("always", "never", "matters"))},
        aspect={"*": choice.one_of(("front", "rear", "stronger"))},
    )
    return in_groups(then, plan)


def any_fire(
    situation: Situation, side: str, units: Sequence[Unit], choice: Choice, curious: bool
) -> Iterator[tuple[str, FireWish]]:
    """4.4.1 Any legal shot of any weapon; sometimes two weapons at once (5.14), sometimes smoke."""
    occasion = Occasion(situation, side)
    for unit in units:
        if unit.command not in (Command.FIRE, Command.SHORT_HALT) or choice.below(3) == 0:
            continue
        if (curious or choice.below(8) == 0) and (smoke := any_smoke(occasion, unit, choice)):
            yield unit.id, FireWish([smoke])
            continue
        shots = legal_shots(occasion, unit)
        if shots:
            aims = ways_of(shots, choice)
            aims = pinning(aims) if curious and choice.below(4) == 0 else aims
            yield unit.id, FireWish([Aim([shot.target], weapon=shot.weapon, how=shot.how) for shot in aims])


def any_smoke(occasion: Occasion, unit: Unit, choice: Choice) -> Aim | None:
    """6.1.4.3.10 Smoke fired into a random hex where that is legal, or None."""
    if not usable_weapons(occasion.situation, unit):
        return None
    hexes = smoke_hexes(occasion.situation, unit)
    for _ in range(4):
        aim = Aim(hex=hex_name(choice.one_of(hexes)))
        entry = smoke_entry(occasion, unit, aim)
        if entry is not None and not any(smoke_refusals(occasion, unit, entry)):
            return aim
    return None


def any_moves(
    situation: Situation, units: Sequence[Unit], choice: Choice, taste: Taste
) -> Iterator[tuple[str, MarchWish]]:
    """6.6 Any moves for some units; vehicles that stay in place load and unload passengers."""
    ways: list[tuple[Any, Steps]]
    for unit in units[choice.below(len(units) or 1) :][:MOVERS]:
        mover = mover_of(situation, unit)
        if unit.command in (Command.MOVE, Command.SHORT_HALT):
            closed = [mode for mode in MODES if any(mode_objections(mover, mode))]
            ways = list(islice(move_choices(mover, closed), OPTIONS))
        elif unit.kind == "vehicle" and unit.alive:
            ways = [("stay", steps) for steps in islice(stay_choices(mover), OPTIONS)]
        else:
            continue
        mode = "cross" if unit.command in (Command.MOVE, Command.SHORT_HALT) else "stay"
        ways += [(mode, steps) for steps in dismount_attacks(situation, unit) if choice.below(2)]
        if ways and choice.below(6):
            mode, steps = choice.one_of(taste(ways))
            yield unit.id, MarchWish(mode=mode, acts=list(steps), stop=choice.below(4) == 0)


def any_assaults(situation: Situation, side: str, choice: Choice) -> Iterator[tuple[str, AssaultWish]]:
    """6.6.1 Any attack in close combat."""
    for unit, target, hex in islice(legal_attacks(situation, Ask(side, "assault", "6.6.1")), OPTIONS):
        if choice.below(2):
            yield unit.id, AssaultWish(target.id, hex_name(hex) if hex is not None else "")


def any_calls(situation: Situation, side: str, choice: Choice, curious: bool) -> Iterator[Declaration]:
    """6.5.1.7 Any call for indirect fire."""
    ask = Ask(side, "mission", "6.5.1")
    if curious and (odd := whim(situation, ask, choice, partial(check_mission, situation, ask))):
        yield Declaration(**odd)
    calls = list(islice(legal_calls(situation, side), OPTIONS))
    if calls and choice.below(3):
        yield Declaration(**choice.one_of(calls))
    for mission in situation.state.missions.values():
        if mission.side == side and not mission.planned and choice.below(3):
            again = Declaration(do="continue", mission=mission.id, type=mission.type)
            yield choice.one_of((again, Declaration(do="check", mission=mission.id)))


def any_flights(situation: Situation, side: str, choice: Choice, curious: bool) -> Iterator[Plot]:
    """6.7.2 Any flight of some aircraft."""
    for craft in situation.state.aircraft.values():
        if craft.side == side and not craft.shot_down:
            ask = Ask(side, "flight", "6.7", about={"phase": 1, "aircraft": [craft.id]})
            if curious and (odd := whim(situation, ask, choice, partial(check_flight, situation, ask))):
                yield msgspec.convert(odd, Plot)
                continue
            flights = [flight for flight in islice(flight_options(situation, ask), OPTIONS) if flight]
            if flights:
                yield msgspec.convert(choice.one_of(flights), Plot)


def any_adjustments(situation: Situation, side: str, choice: Choice, curious: bool) -> Adjustments:
    """6.8 Any adjustments that could be made now."""
    ask = Ask(side, "adjust", "6.8")
    if curious and (odd := whim(situation, ask, choice, partial(check_adjust, situation, ask))):
        return msgspec.convert(odd, Adjustments)
    options = list(islice(adjust_options(situation, ask), OPTIONS))
    return msgspec.convert(choice.one_of(options), Adjustments) if options else Adjustments()


def any_demolitions(situation: Situation, side: str, choice: Choice) -> Iterator[tuple[str, str]]:
    """7.19, 7.31.3.3 Any demolition of terrain or mines within reach of engineers."""
    for option in islice(demolish_options(situation, Ask(side, "demolish", "7.19")), OPTIONS):
        if option is not None and not option.get("advance") and choice.below(2):
            yield option["attackers"][0], option["feature"]


# --- questions ---------------------------------------------------------------------------------------------------


def questions(situation: Situation, side: str, choice: Choice) -> Iterator[Finding]:
    """5.1, 6.1, 6.5 A unit's card and weapons, whether it spots another unit, and a preview of a shot at it."""
    data, view = situation.data, situation.state
    own = [unit for unit in view.of(side) if unit.hex is not None]
    enemies = [unit for unit in view.of(view.enemy(side)) if unit.dismounted and unit.hex is not None]
    if not own or not enemies:
        return
    one, other = choice.one_of(own), choice.one_of(enemies)
    yield describe(data, one)
    yield spots(situation, one, other)
    if one.attached:
        yield attached_weapons(data, one)
    for arm in weapons_of(data, one):
        if arm.gp is not None:
            yield gp_factor(arm.gp, distance(place_of(one), place_of(other)))
        if arm.fires_ap and other.kind == "vehicle" and one.hex != other.hex and arm.weapon.has_ap:
            yield preview_ap(an_ap_shot(situation, one, arm, "ap", other, command=Command.FIRE))
