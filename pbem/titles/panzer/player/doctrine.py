"""Answers given beforehand in the advanced game: what the plan of a turn says about its asks, and standing orders.

    4.4.1       fire: wished shots gathered into groups, one for each target (R-09)
    4.4.2       overwatch: conditions of range, chance and target; who shares a counter fires together
    6.5.1       mission: calls as ordered, then what can be kept up
    6.6.1       assault
    6.6         move: unit by unit, to the goal as things stand then
    6.7         flight, anti-aircraft
    6.8         adjust
    clauses     read_clause, check_doctrine, STOCK

The plan comes first, then the standing orders clause by clause, then the default of the rules. Everything is worked
out from the seat's view. Where the orders of a turn set conditions for overwatch, or adjust units, they alone decide
about that in this turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, Final

import msgspec

from pbem.engine.geometry.hexes import Hex, distance, hex_name, parse_hex, within_30
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Objection, Refusal, Unreadable
from pbem.engine.rules.title import Reply
from pbem.engine.text.grammar import Line, readable, tokens
from pbem.titles.panzer.air.air import flight_options
from pbem.titles.panzer.air.anti_aircraft import aa_factor, able, over_the_map
from pbem.titles.panzer.ap.ap_damage import basic_effect
from pbem.titles.panzer.ap.shots import aspect_of, stronger_aspect
from pbem.titles.panzer.artillery.calls import sheaf_hexes
from pbem.titles.panzer.artillery.indirect_fire import default_mission
from pbem.titles.panzer.artillery.mission_answers import check_mission, legal_calls
from pbem.titles.panzer.artillery.response import friends_in_danger
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.close_combat.close_combat import assault_objections, legal_attacks
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.end_of_turn.adjustment import cover_objections, objections_to, pivot_objections
from pbem.titles.panzer.fire.aiming import (
    Entry,
    Occasion,
    aimed_by,
    basic_preference,
    best_first,
    is_shared,
    last_chances,
    legal_shots,
    still_obliged,
)
from pbem.titles.panzer.fire.declarations import agreed, declaration_of, default_fire, occasion_of
from pbem.titles.panzer.fire.gp_modifiers import counter_of
from pbem.titles.panzer.fire.overwatch import Watch, watch_of
from pbem.titles.panzer.fire.turrets import has_turret, offset_to
from pbem.titles.panzer.player.clauses import FIRED_AT, Preference, check_clauses, in_order, meant, shared_clause
from pbem.titles.panzer.player.clauses import HELP as BASIC_HELP
from pbem.titles.panzer.player.clauses import Clause as BasicClause
from pbem.titles.panzer.player.language import parse
from pbem.titles.panzer.player.orders import hiding_of
from pbem.titles.panzer.player.plan import (
    ALL,
    STAY,
    AdvancedPlan,
    Aspect,
    Declaration,
    MarchWish,
    Show,
    WatchWish,
    usual_order,
)
from pbem.titles.panzer.player.prospects import chance_of, watch_shots, wished_entries
from pbem.titles.panzer.routes.itineraries import marches
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.state import Command, PanzerState, Unit

STOCK: Final = (
    "initiative: first",
    "fire: best",
    "overwatch: hit >= 30",
    "show: matters",
    "aspect: stronger",
    "move: go on",
    "missions: keep",
    "aircraft: never",
    "anti-aircraft: best",
    "assault: never",
    "advance: never",
    "spread: best",
    "pivot: nearest",
    "cover: under fire",
    "danger: worst",
    "face: nearest",
    "dischargers: never",
)
"""The standing orders of a seat that has none of its own."""

HELP: Final = (
    BASIC_HELP
    + """\
when fired at: cover
cover: under fire     or hold, always
missions: keep     or call, never
aircraft: never     or best
anti-aircraft: best     or always
assault: never     or odds 3
advance: never     or always
spread: best     or never
pivot: nearest     or never
danger: worst     or weakest
face: nearest     or keep
dischargers: never     or always
"""
)
"""Standing orders on one screen."""

MOVING: Final = (Command.MOVE, Command.SHORT_HALT)
CLOSE: Final = ("P", "S", "M")
"""6.7.4.2 The range factors at which guns fire at aircraft unless they are told to fire at once."""
FACED: Final = 20
"""6.8.1 Enemies further away than this do not make a unit turn."""
LOOKED_AT: Final = 40
"""How many calls or flights are compared."""


# --- clauses -------------------------------------------------------------------------------------------------


class Clause(BasicClause, frozen=True):
    """One standing order: those of the basic game, and `word` for an ask of the advanced game."""

    kind: str = ""
    word: str = ""
    number: int = 0


KINDS: Final[Mapping[str, tuple[str, str]]] = {
    "mission_clause": ("mission", "missions"),
    "aircraft_clause": ("flight", "aircraft"),
    "anti_aircraft_clause": ("anti-aircraft", "anti-aircraft"),
    "assault_clause": ("assault", "assault"),
    "advance_clause": ("advance", "advance"),
    "spread_clause": ("spread", "spread"),
    "pivot_clause": ("pivot", "pivot"),
    "cover_clause": ("cover", "cover"),
    "danger_clause": ("danger", "danger"),
    "facing_clause": ("facing", "face"),
    "discharger_clause": ("dischargers", "dischargers"),
}
WORDS: Final[Mapping[str, str]] = {
    "KEEP": "keep", "CALL": "call", "NEVER": "never", "ALWAYS": "always", "HOLD": "hold", "UNDER_FIRE": "under fire",
    "HIT": "odds", "WORST": "worst",
}  # fmt: skip


MEANT: Final[Mapping[str, tuple[str, ...]]] = {
    "flight": ("never", "best"),
    "anti-aircraft": ("best", "always", "never"),
    "spread": ("best", "never"),
    "pivot": ("nearest", "never"),
    "danger": ("worst", "weakest"),
    "facing": ("nearest", "keep"),
}
"""The words that mean something to a clause; any other would be read and change nothing."""


def check_doctrine(doctrine: Any) -> list[str]:
    """Standing orders in canonical form; a refusal names every clause that cannot be read."""
    return check_clauses(doctrine, new_clause, STOCK)


def new_clause(text: str) -> Clause:
    """A clause that a player sends: every word of it means something."""
    clause = read_clause(text)
    if clause.kind in MEANT and clause.word not in MEANT[clause.kind]:
        name = clause.text.partition(":")[0]
        legal = [f"{name}: {word}" for word in MEANT[clause.kind]]
        why = Objection("4.4.2", f"{clause.word} means nothing for {name}")
        raise Unreadable(text, [why], legal)
    return clause


@lru_cache(maxsize=1024)
def read_clause(text: str) -> Clause:
    """One standing order and its canonical text."""
    words = parse(Line(1, text, readable(text)), "full_clause")
    if words.data == "take_cover":
        return Clause(text=f"{FIRED_AT} cover", kind="cover", word=WORDS["UNDER_FIRE"])
    if words.data not in KINDS:
        return Clause(**msgspec.structs.asdict(shared_clause(words)))
    kind, name = KINDS[words.data]
    said = [WORDS[token] for token in WORDS if tokens(words, token)] or tokens(words, "PREFERENCE")
    number = int("".join(tokens(words, "NUMBER")) or 0)
    return Clause(text=f"{name}: {said[0]}{f' {number}' if number else ''}", kind=kind, word=said[0], number=number)


# --- what the plan says --------------------------------------------------------------------------------------


def planned(data: PanzerData, view: PanzerState, ask: Ask, plan: AdvancedPlan) -> Iterator[Reply]:
    """What the orders of this turn say about an ask, best first."""
    match ask.kind:
        case "initiative" if plan.initiative:
            yield Reply(plan.initiative, f"initiative {plan.initiative}")
        case "fire" if plan.fire:
            yield from planned_fire(data, view, ask, plan)
        case "overwatch" if plan.overwatch:
            yield from planned_overwatch(data, view, ask, plan)
        case "show":
            if show := plan.show.get(ask.subject) or plan.show.get(ALL):
                yield Reply(claims(view, ask, show), f"show {ask.subject} {show}")
        case "angle":
            if aspect := plan.aspect.get(ask.subject) or plan.aspect.get(ALL):
                yield Reply(chosen_angle(ask, aspect), f"aspect {ask.subject} {aspect}")
        case "move" if plan.move:
            yield from planned_move(data, view, ask, plan)
        case "reroute":
            wish = plan.move.get(ask.subject)
            if wish is not None and wish.stop:
                yield Reply({"steps": []}, f"{ask.subject} stop when hit")
        case "mission":
            yield from planned_missions(data, view, ask, plan)
        case "flight":
            yield from planned_flights(ask, plan)
        case "assault" if plan.assault:
            yield from planned_assault(data, view, ask, plan)
        case "adjust":
            yield from planned_adjustments(data, view, ask, plan)
        case "demolish":
            yield from planned_demolition(view, plan)
        case "dischargers" if plan.discharge:
            fired = [id for id in plan.discharge if id in ask.about["units"]]
            yield Reply(fired, f"{' '.join(plan.discharge)} discharge")  # 7.9
        case "formation":
            left = [id for id in plan.formations if id in ask.about["formations"]]
            yield from (Reply(id, f"formations {' '.join(plan.formations)}") for id in left[:1])
        case "sneak" | "hide":
            if said := hiding_of(ask.kind, plan):
                yield Reply(said, f"{ask.kind} as ordered")


def planned_fire(data: PanzerData, view: PanzerState, ask: Ask, plan: AdvancedPlan) -> Iterator[Reply]:
    """4.4.1 The first unit in order whose wish can be fulfilled, with all others that wish for the same target.

    Units without a wish join if that target is their best: it cannot be fired at again in this step (R-09).
    """
    occasion = occasion_of(data, view, ask)
    wished = {}
    for id in in_order(sorted(plan.fire), plan.order.fire):
        unit = view.vehicles.get(id)
        if unit is None or not unit.alive or any(occasion.firer_objections(unit)):
            continue  # 5.2.1: a portee gun may be on its truck again
        if entries := wished_entries(occasion, unit, plan.fire[id]):
            wished[id] = entries
    obliged = still_obliged(occasion) if wished else {}
    for carrier in {view.vehicles[id].aboard: id for id in wished if view.vehicles[id].aboard in obliged}:
        wished.setdefault(carrier, best_first(occasion, obliged[carrier])[:1])
    for id, entries in wished.items():
        target = entries[0].target
        if view.vehicles[id].aboard in wished:
            continue  # 6.6.7.2: with its carrier
        said = f"{id} fire {target}"
        if entries[0].how == "smoke":
            yield Reply(declaration_of(target, entries), said)
            continue
        members = declared_together(view, wished, target)
        others = {unit: best_first(occasion, shots)[0] for unit, shots in obliged.items() if unit not in wished}
        members += [shot for shot in others.values() if shot.target == target]
        yield Reply(declaration_of(target, with_passengers(occasion, members)), said)
        yield Reply(declaration_of(target, entries), said)


def declared_together(view: PanzerState, wished: Mapping[str, Sequence[Entry]], target: str) -> list[Entry]:
    """4.4.1, 6.6.7.2 All who wish for a target, passengers with targets of their own, and who wishes for those."""
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
    """6.6.7.2 These shots, and those of passengers who have none, at the same target."""
    named = [entry.unit for entry in members]
    return [*members, *(shot for shot in agreed(occasion, members) if shot.unit not in named)]


def planned_overwatch(data: PanzerData, view: PanzerState, ask: Ask, plan: AdvancedPlan) -> Iterator[Reply]:
    """4.4.2 Whoever's conditions hold fires; nobody else does, whatever the standing orders say."""
    watch = watch_of(data, view, ask)
    shots = [
        shot
        for unit, legal in watch_shots(data, view, ask).items()
        for shot in fitting_shots(watch, legal, plan.overwatch.get(unit, WatchWish()))
    ]
    yield from watch_groups(watch, shots, "overwatch as ordered")
    yield Reply(None, "the conditions ordered for overwatch do not hold")


def fitting_shots(watch: Watch, shots: Iterable[Entry], wish: WatchWish) -> list[Entry]:
    """4.4.2 The shots that meet the conditions; `hit` is the hit number, or the chance of an effect of GP fire."""
    return [
        shot
        for shot in shots
        if (not wish.range or range_of(watch, shot) <= wish.range)
        and (not wish.only or shot.target in wish.only)
        and shot.target not in wish.but_not
        and chance_of(watch, shot) >= wish.hit
    ]


def range_of(occasion: Occasion, shot: Entry) -> int:
    """3.5.1 From firer to target."""
    units = occasion.view.vehicles
    return distance(place_of(units[shot.unit]), place_of(units[shot.target]))


def watch_groups(watch: Watch, shots: Sequence[Entry], clause: str) -> Iterator[Reply]:
    """4.4.2, 6.2.1.1.4 A declaration for each target, the best first; who shares the counter of one fires with it."""
    best = best_first(watch, shots)
    for target in dict.fromkeys(shot.target for shot in best):
        firers: dict[str, Entry] = {}
        for shot in best:
            if shot.target == target:
                firers.setdefault(shot.unit, shot)
        yield Reply(declaration_of(target, [*firers.values(), *mates(watch, firers, target)]), clause)


def mates(watch: Watch, firers: Mapping[str, Entry], target: str) -> list[Entry]:
    """6.2.1.1.4 The Overwatch of a group is used up by the first of them, so all who can fire do."""
    view = watch.view
    counters = {counter_of(view, view.vehicles[unit]).id for unit in firers}
    found = []
    for unit in view.of(watch.side):
        counter = counter_of(view, unit)
        if unit.id not in firers and counter.id in counters and is_shared(view, counter):
            at = [shot for shot in legal_shots(watch, unit) if shot.target == target]
            found += best_first(watch, at)[:1]
    return found


def claims(view: PanzerState, ask: Ask, show: Show) -> bool:
    """4.4.3.2.2 Whether to show the counter; it matters if the default says so (R-05)."""
    if view.vehicles[ask.subject].command not in MOVING:
        return False
    return show == "always" or (show == "matters" and bool(ask.default))


def chosen_angle(ask: Ask, aspect: Aspect) -> str:
    """6.5.2.2 The more frontal or the more rearward of two angles, or the stronger (R-05)."""
    angles: list[str] = ask.about["angles"]
    return {"front": angles[0], "rear": angles[-1]}.get(aspect, str(ask.default))


def planned_move(data: PanzerData, view: PanzerState, ask: Ask, plan: AdvancedPlan) -> Iterator[Reply]:
    """6.6 The next unit in order, as near to what was wished as it can come now; then nobody else moves."""
    following = ask.about.get("next", [])
    named = dict.fromkeys((*usual_order(plan.move), *plan.order.move))
    for id in following or in_order(named, plan.order.move):
        wish = plan.move.get(id) or (MarchWish() if id in plan.order.move else None)
        unit = view.vehicles.get(id)
        if wish is None or unit is None or (wish.mode == STAY and not waits(view, unit, wish.acts)):
            continue
        for answer in marches(data, view, unit, wish):
            yield Reply(answer, f"{id} move")
    yield Reply(None, "all moves as ordered")


def waits(view: PanzerState, carrier: Unit, acts: Sequence[str]) -> bool:
    """6.6.7.1.1 Whether somebody is still to get on or off a vehicle that stays."""
    for act in acts:
        word, *parts = act.split(":")
        unit = view.vehicles.get(parts[0]) if parts else None
        if word == "unload" or (unit is not None and unit.alive and (unit.aboard == carrier.id) != (word == "mount")):
            return True
    return False


def planned_missions(data: PanzerData, view: PanzerState, ask: Ask, plan: AdvancedPlan) -> Iterator[Reply]:
    """6.5.1.1 The declarations in their order, those that are still to be made and can be."""
    for call in plan.missions:
        answer = declared(call)
        try:
            check_mission(data, view, ask, answer)
        except Refusal:
            continue
        yield Reply(answer, f"{call.observer or call.mission or call.plan} {call.do}")


def declared(call: Declaration) -> dict[str, Any]:
    answer: dict[str, Any] = msgspec.to_builtins(call)
    return answer


def planned_flights(ask: Ask, plan: AdvancedPlan) -> Iterator[Reply]:
    """6.4, 6.7 The flights in their order, in the first air phase unless they are meant for the second."""
    for plot in plan.flights:
        late = plot.aircraft in plan.late
        if plot.aircraft in ask.about["aircraft"] and late == (ask.about["phase"] == 2):
            yield Reply(msgspec.to_builtins(plot), f"{plot.aircraft} fly")


def planned_assault(data: PanzerData, view: PanzerState, ask: Ask, plan: AdvancedPlan) -> Iterator[Reply]:
    """6.6.1.1 All who were told to attack a unit and can, together."""
    engaged = ask.about.get("engaged", ())
    for target in dict.fromkeys(wish.target for wish in plan.assault.values()):
        enemy = view.vehicles.get(target)
        if target in engaged or enemy is None or not enemy.alive:
            continue
        attackers = [
            [id, wish.hex]
            for id, wish in plan.assault.items()
            if wish.target == target and not against_assault(data, view, view.vehicles[id], enemy, wish.hex, engaged)
        ]
        if attackers:
            yield Reply({"target": target, "attackers": attackers}, f"assault {target}")


def planned_demolition(view: PanzerState, plan: AdvancedPlan) -> Iterator[Reply]:
    """7.19 The engineers of one hex that were told to attack the same work, together."""
    together: dict[tuple[str, str], list[str]] = {}
    for id, feature in plan.demolish.items():
        unit = view.vehicles[id]
        if unit.alive and not unit.assaulted:
            together.setdefault((feature, plan.demolish_from.get(id) or hex_name(place_of(unit))), []).append(id)
    for (feature, _), units in together.items():
        advance = {id: plan.demolish_from[id] for id in units if id in plan.demolish_from}
        answer = {"feature": feature, "attackers": units} | ({"advance": advance} if advance else {})
        yield Reply(answer, f"demolish {feature}")


def against_assault(
    data: PanzerData, view: PanzerState, unit: Unit, target: Unit, hex: str, engaged: Sequence[str]
) -> bool:
    """6.6.1.1 Whether an attack that was ordered cannot be made any more."""
    place = parse_hex(hex) if hex else None
    return not unit.alive or any(assault_objections(data, view, unit, target, place, engaged))


def planned_adjustments(data: PanzerData, view: PanzerState, ask: Ask, plan: AdvancedPlan) -> Iterator[Reply]:
    """6.8 What can be done of it; nothing else is adjusted, whatever the standing orders say."""
    wished = msgspec.to_builtins(plan.adjust)
    found: dict[str, dict[str, Any]] = {}
    for part, units in wished.items():
        for id, value in units.items():
            unit = view.vehicles.get(id)
            if unit is not None and unit.alive and not any(objections_to(data, view, part, unit, value)):
                found.setdefault(part, {})[id] = value
    if wished:
        yield Reply(found, "adjustments as ordered")


# --- what standing orders say ----------------------------------------------------------------------------------


def instructed(data: PanzerData, view: PanzerState, ask: Ask, doctrine: Sequence[str]) -> Iterator[Reply]:
    """What the standing orders say about an ask, clause by clause; without any the stock ones hold."""
    clauses = doctrine or STOCK
    if ask.kind == "adjust":
        found = usual_adjustments(data, view, ask.seat, clauses)
        if found:
            yield Reply(found, "pivot and cover")
        return
    for text in clauses:
        clause = read_clause(text)
        for answer in answers_of(data, view, ask, clause):
            yield Reply(answer, clause.text)


def answers_of(data: PanzerData, view: PanzerState, ask: Ask, clause: Clause) -> Iterator[Any]:
    """The answers that one clause gives."""
    match ask.kind:
        case "initiative" if clause.initiative:
            yield clause.initiative
        case "fire" if clause.fire:
            yield from preferred_fire(occasion_of(data, view, ask), clause.fire)
        case "overwatch" if clause.never_watch:
            yield None
        case "overwatch" if clause.overwatch:
            yield from watched(data, view, ask, clause, clause.overwatch)
        case "show" if clause.show:
            yield claims(view, ask, clause.show)
        case "angle" if clause.aspect:
            yield chosen_angle(ask, clause.aspect)
        case "reroute" if clause.stop:
            yield {"steps": []}
        case kind if kind == clause.kind and kind in BY_WORD:
            yield from BY_WORD[kind](data, view, ask, clause)


def watched(data: PanzerData, view: PanzerState, ask: Ask, clause: Clause, wish: WatchWish) -> Iterator[Any]:
    """4.4.2 The fire that an overwatch clause calls for; names in it may be ids or names of units."""
    units = meant(view, clause.units)
    watch = watch_of(data, view, ask)
    named = msgspec.structs.replace(wish, only=meant(view, wish.only), but_not=meant(view, wish.but_not))
    if len(units) == len(clause.units) and len(named.only) == len(wish.only):
        shots = [
            shot
            for unit, own in watch_shots(data, view, ask).items()
            if not units or unit in units
            for shot in fitting_shots(watch, own, named)
        ]
        yield from (reply.answer for reply in watch_groups(watch, shots, clause.text))


def preferred_fire(occasion: Occasion, preference: Preference) -> Iterator[Any]:
    """4.4.1 Everybody still obliged fires as preferred: the most promising shot, the nearest enemy, the weakest."""
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
            yield declaration_of(target, agreed(occasion, members.values()))
    yield default_fire(occasion)


def basic_fire(occasion: Occasion, preference: Preference) -> Iterator[Any]:
    """4.4.1 In the basic game: for each target those who prefer it, the target of the best shot first."""
    obliged = still_obliged(occasion)
    chosen = [min(shots, key=lambda shot: basic_rank(occasion, shot, preference)) for shots in obliged.values()]
    best = best_first(occasion, chosen)
    for target in dict.fromkeys(shot.target for shot in best):
        yield declaration_of(target, [shot for shot in best if shot.target == target])


def basic_rank(occasion: Occasion, shot: Entry, preference: Preference) -> tuple[Any, ...]:
    """What is preferred comes first; among equals the shot that R-05 prefers."""
    target, equal = occasion.view.vehicles[shot.target], basic_preference(occasion, shot)
    if preference == "nearest":
        return range_of(occasion, shot), *equal
    if preference == "weakest":
        return not target.damaged, occasion.data.cards[target.card].front, *equal
    aimed = aimed_by(occasion, shot)
    return -aimed.hit_number * GAIN[basic_effect(aimed, aspect_of(aimed) or stronger_aspect(aimed))], *equal


GAIN: Final = {"no-effect": 0, "damaged": 3, "ko": 8, "bu": 8}
"""4.4.3.2.6 How much an effect is worth to the firer; a matter of taste, no rule."""


def rank(occasion: Occasion, preference: Preference) -> Callable[[Entry], tuple[Any, ...]]:
    """What is preferred comes first; among equals the most promising."""
    view = occasion.view

    def of(shot: Entry) -> tuple[Any, ...]:
        target = view.vehicles[shot.target]
        if preference == "nearest":
            return (range_of(occasion, shot),)
        return (not (target.suppressed or target.damage), armour_of(occasion.data, target))

    return of


def standing_missions(data: PanzerData, view: PanzerState, ask: Ask, clause: Clause) -> Iterator[Any]:
    """6.5.1 Keep up what can be kept up, let planned fire arrive; `call` also calls on the best spotted target."""
    if clause.word == "never":
        yield None
        return
    kept = default_mission(data, view, ask.seat)
    if kept is not None:
        yield kept
    elif clause.word == "call":
        calls = list(islice(legal_calls(data, view, ask.seat), LOOKED_AT))
        shells = (call for call in calls if call["type"] == "gp")
        yield from sorted(shells, key=lambda call: -promise(data, view, ask.seat, call))[:1]


def promise(data: PanzerData, view: PanzerState, side: str, call: Mapping[str, Any]) -> int:
    """6.5.1.5, 6.5.1.10 What a call could hit: soft targets count double, friends near the point count against it."""
    point = parse_hex(call["point"])
    covered = sheaf_hexes(data, point, call["sheaf"], call["direction"])
    hit = [unit for hex in covered for unit in view.on_the_ground(hex)]
    gain = sum(1 if unit.kind == "vehicle" else 2 for unit in hit if unit.side != side)
    return gain - 3 * len(friends_in_danger(data, view, side, point))


def standing_flights(data: PanzerData, view: PanzerState, ask: Ask, clause: Clause) -> Iterator[Any]:
    """6.7 Nobody flies, or the first aircraft at the first target that it can attack with its heaviest weapon."""
    if clause.word == "never":
        yield None
    else:
        yield from best_flights(data, view, ask)


def best_flights(data: PanzerData, view: PanzerState, ask: Ask) -> list[Any]:
    """6.7.3 One flight, with the heaviest weapon, if any can be made."""
    heavy = ("dive", "bombs", "rockets", "strafing")
    flights = [flight for flight in islice(flight_options(data, view, ask), 1, LOOKED_AT) if flight]
    return sorted(flights, key=lambda flight: heavy.index(flight["attacks"][0]["weapon"]))[:1]


def standing_guns(data: PanzerData, view: PanzerState, ask: Ask, clause: Clause) -> Iterator[Any]:
    """6.7.4 At once, never, or when the aircraft is near or attacks."""
    ready = able(data, view, ask)
    if clause.word == "never" or not ready:
        yield None
    elif clause.word == "always" or ask.about["answering"]:
        yield ready
    else:
        flight = over_the_map(view.aircraft[ask.subject])
        near = []
        for id, weapon in ready:
            unit = view.vehicles[id]
            found = aa_factor(weapons_of(data, unit)[weapon], unit, flight)
            near += [[id, weapon]] if found and found[0] in CLOSE else []
        yield near or None


def standing_assault(data: PanzerData, view: PanzerState, ask: Ask, clause: Clause) -> Iterator[Any]:
    """6.6.1 Never, or when so many can attack a unit from where they are."""
    if clause.word == "never":
        yield None
        return
    together: dict[str, list[list[str]]] = {}
    for unit, target, hex in legal_attacks(data, view, ask):
        if hex is None:
            together.setdefault(target.id, []).append([unit.id, ""])
    for target_id, attackers in sorted(together.items(), key=lambda pair: -len(pair[1])):
        if len(attackers) >= clause.number:
            yield {"target": target_id, "attackers": attackers}
    yield None


def standing_advance(data: PanzerData, view: PanzerState, ask: Ask, clause: Clause) -> Iterator[Any]:
    """6.6.1.1.3 All who fought go in, or nobody."""
    yield list(ask.about["units"]) if clause.word == "always" else []


def standing_spread(data: PanzerData, view: PanzerState, ask: Ask, clause: Clause) -> Iterator[Any]:
    """6.5.2.1 Every extra hit on another vehicle while there are any, or all on the first."""
    others = [] if clause.word == "never" else list(ask.about["targets"])
    yield others[: ask.about["extra"]]


def standing_danger(data: PanzerData, view: PanzerState, ask: Ask, clause: Clause) -> Iterator[Any]:
    """6.5.1.12 The enemy's fire goes onto those of his units that stand closest together, or onto the weakest."""
    friends: list[str] = ask.about["friends"]
    here = {id: view.vehicles[id].hex for id in friends if id in view.vehicles}
    hexes = list(here.values())
    if clause.word == "weakest":
        yield from sorted(here, key=lambda id: armour_of(data, view.vehicles[id]))[:1]
    else:
        yield from sorted(here, key=lambda id: -hexes.count(here[id]))[:1]


def armour_of(data: PanzerData, unit: Unit) -> int:
    """3.5 The armour at the front of a vehicle; leg units and guns have none."""
    return data.cards[unit.card].front if unit.kind == "vehicle" else 0


def standing_facing(data: PanzerData, view: PanzerState, ask: Ask, clause: Clause) -> Iterator[Any]:
    """6.5.2.6.1 Those who got out of a vehicle face the nearest enemy, or as it did."""
    if clause.word == "nearest":
        enemies = enemies_of(view, ask.seat)
        ways = {id: facing_to(view.vehicles[id], enemies) or way for id, way in ask.about["units"].items()}
        yield ways


def standing_dischargers(data: PanzerData, view: PanzerState, ask: Ask, clause: Clause) -> Iterator[Any]:
    """7.9 Nobody, or every vehicle that an enemy has spotted."""
    spotted = {target for targets in view.spotted.values() for target in targets}
    yield [] if clause.word == "never" else [unit for unit in ask.about["units"] if unit in spotted]


BY_WORD: Final[Mapping[str, Callable[[PanzerData, PanzerState, Ask, Clause], Iterator[Any]]]] = {
    "mission": standing_missions,
    "flight": standing_flights,
    "anti-aircraft": standing_guns,
    "assault": standing_assault,
    "advance": standing_advance,
    "spread": standing_spread,
    "danger": standing_danger,
    "facing": standing_facing,
    "dischargers": standing_dischargers,
}
"""How a clause answers the asks that only the advanced game has."""


def usual_adjustments(
    data: PanzerData, view: PanzerState, seat: str, clauses: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """6.8 Leg units and guns turn to the nearest enemy and take cover, as the first clause of each kind says."""
    read = [read_clause(text) for text in clauses]
    pivot = next((clause.word for clause in read if clause.kind == "pivot"), "never")
    cover = next((clause.word for clause in read if clause.kind == "cover"), "never")
    units = [unit for unit in view.of(seat) if unit.kind != "vehicle" and not unit.aboard]
    enemies = enemies_of(view, seat)
    turned = {
        unit.id: facing
        for unit in (units if pivot == "nearest" else ())
        if not unit.faced
        and not any(pivot_objections(unit))
        and (facing := facing_to(unit, enemies)) not in (0, unit.facing)
    }
    covered = {
        unit.id: True
        for unit in units
        if wants_cover(view, unit, cover)
        and not unit.full_cover
        and not any(cover_objections(data, view, unit, True))
    }
    swung = turrets_to(data, view, seat, enemies) if pivot == "nearest" else {}  # 7.8.1
    return {part: found for part, found in (("pivot", turned), ("cover", covered), ("turret", swung)) if found}


def turrets_to(data: PanzerData, view: PanzerState, seat: str, enemies: Sequence[Hex]) -> dict[str, int]:
    """7.8.1 Turrets turn towards the nearest enemy, as far as they can."""
    found: dict[str, int] = {}
    for unit in view.of(seat) if enemies else ():
        if has_turret(data, unit):
            here = place_of(unit)
            offset = offset_to(data, view, unit, min(enemies, key=lambda hex: (distance(here, hex), hex)))
            if offset is not None and offset != unit.turret:
                found[unit.id] = offset
    return found


def enemies_of(view: PanzerState, seat: str) -> list[Hex]:
    """6.1 Where the enemies are that the side has spotted in this turn."""
    return [place_of(unit) for unit in view.of(view.enemy(seat)) if not unit.aboard and seen(view, seat, unit)]


def seen(view: PanzerState, seat: str, enemy: Unit) -> bool:
    """6.1 Whether anybody of the side has spotted it in this turn."""
    return any(enemy.id in view.spotted.get(unit.id, ()) for unit in view.of(seat))


def facing_to(unit: Unit, enemies: Sequence[Hex]) -> int:
    """5.5 The hexside towards the nearest enemy; 0 if there is none near."""
    here = place_of(unit)
    near = sorted((distance(here, hex), hex) for hex in enemies)
    if not near or not 0 < near[0][0] <= FACED:
        return 0
    if within_30(here, near[0][1], unit.facing):
        return unit.facing
    return next(way for way in range(1, 7) if within_30(here, near[0][1], way))


def wants_cover(view: PanzerState, unit: Unit, clause: str) -> bool:
    """6.8.2 Whether a unit that did not move goes into full cover."""
    if unit.moved or unit.assaulted or counter_of(view, unit).command in MOVING:
        return False
    match clause:
        case "always":
            return True
        case "hold":
            return counter_of(view, unit).command is Command.NO_COMMAND
        case "under fire":
            return unit.under_fire or unit.suppressed
    return False
