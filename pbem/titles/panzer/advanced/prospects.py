"""What a seat can order and expect in the advanced game, from what it knows.

    4.2.1       as_ordered: the view with commands placed; own_units
    4.4.1       wished_entries: the shots that fulfil a wish; check_fire_wish
    4.4.2       watch_shots, chance_of
    6.6         Itinerary, itinerary: a wish for a move turned into steps; check_march, marches
    6.2.1.1.3   suggested_groups: who could share a counter

Orders are checked against the positions of the moment. While the turn is carried out others move and shoot, so a
move is worked out anew when it is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from pbem.engine.geometry.hexes import Hex, distance, hex_name, neighbour, parse_hex
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals
from pbem.titles.panzer.advanced.aiming import Entry, Occasion, best_first, kind_objections, legal_shots, worth
from pbem.titles.panzer.advanced.ap_fire import an_ap_shot
from pbem.titles.panzer.advanced.command_control import commandable, hidden_under, in_command_range
from pbem.titles.panzer.advanced.commands import leader_of, legal_commands, resolved
from pbem.titles.panzer.advanced.data_set import AdvancedData
from pbem.titles.panzer.advanced.declarations import smoke_refusals
from pbem.titles.panzer.advanced.march import March, MoveMode, UnitMover, mover_of, start, take
from pbem.titles.panzer.advanced.move_options import is_legal, walked
from pbem.titles.panzer.advanced.movement import mode_objections, move_objections, stay_objections
from pbem.titles.panzer.advanced.movement_leg import DIRECTIONS, crawls
from pbem.titles.panzer.advanced.overrun_moves import attack_objections, declared_by
from pbem.titles.panzer.advanced.overwatch import watch_of
from pbem.titles.panzer.advanced.plan import STAY, Aim, FireWish, MarchWish
from pbem.titles.panzer.advanced.special_fire import PIN
from pbem.titles.panzer.advanced.state import AdvancedState, Unit
from pbem.titles.panzer.advanced.terrain import place_of
from pbem.titles.panzer.advanced.units import is_recon
from pbem.titles.panzer.advanced.weapons import weapons_of
from pbem.titles.panzer.commands import in_play
from pbem.titles.panzer.movement_progress import Stride, as_far_as_legal, follow, spelled_out
from pbem.titles.panzer.movement_routes import reachable, turning_steps, ways_out
from pbem.titles.panzer.plan import LEAVE_ANYWHERE
from pbem.titles.panzer.prospects import WORD_OF
from pbem.titles.panzer.state import Command

SMOKE: Final = "smoke"
COMMANDS: Final = {command.value: command for command in Command}

# --- 4.2.1 commands ------------------------------------------------------------------------------------------


def own_units(view: AdvancedState, seat: str) -> list[Unit]:
    """4.2.1 The units of a seat that are in play, passengers too, in the order of their ids."""
    return [unit for unit in view.vehicles.values() if unit.side == seat and in_play(view, unit)]


def as_ordered(view: AdvancedState, seat: str, commands: Mapping[str, str]) -> AdvancedState:
    """4.2.1 The view as it would be with these commands placed; who is not named holds."""
    units = dict(view.vehicles)
    for unit in commandable(view, seat):
        word = resolved(commands, unit.id) if unit.id in commands else ""
        shares = leader_of(commands, unit.id) and word.removeprefix("with ")
        given = commands.get(shares or unit.id, Command.NO_COMMAND.value)
        command = COMMANDS.get(given, Command.NO_COMMAND)
        units[unit.id] = msgspec.structs.replace(unit, command=command, shares=shares, revealed=False, shown=False)
    return msgspec.structs.replace(view, vehicles=units)


def suggested_groups(data: AdvancedData, view: AdvancedState, units: Sequence[Unit]) -> list[list[Unit]]:
    """6.2.1.1.3 Units of one formation that stand within command range of each other, gathered one by one."""
    groups: list[list[Unit]] = []
    for unit in units:
        alone = is_recon(unit) or not data.plays("command_control")
        near = (
            group
            for group in groups
            if not alone
            and not is_recon(group[0])
            and group[0].kind == unit.kind
            and hidden_under(view, group[0]) == hidden_under(view, unit)  # 7.2.2.2
            and all(in_command_range(data, view, unit, mate) for mate in group)
        )
        group = next(near, None)
        if group is None:
            groups.append([unit])
        else:
            group.append(unit)
    return groups


# --- 4.4 fire ------------------------------------------------------------------------------------------------


def fits(shot: Entry, aim: Aim) -> bool:
    """Whether a shot is made with the weapon and in the way that an aim names."""
    return aim.weapon in (None, shot.weapon) and (not aim.how or shot.how == aim.how or shot.how == f"ap:{aim.how}")


def wished_shot(occasion: Occasion, shots: Iterable[Entry], aim: Aim) -> Entry | None:
    """4.4.1 The best shot at the first target in order of preference that can be fired at."""
    if aim.how == PIN:
        return pinning_shot(occasion, shots, aim)
    fitting = [shot for shot in shots if fits(shot, aim)]
    for target in aim.targets:
        if at := [shot for shot in fitting if shot.target == target]:
            return best_first(occasion, at)[0]
    return best_first(occasion, fitting)[0] if fitting and not aim.targets else None


def pinning_shot(occasion: Occasion, shots: Iterable[Entry], aim: Aim) -> Entry | None:
    """7.18 The best GP shot that may be fired to pin."""
    data, view = occasion.data, occasion.view

    def pins(shot: Entry) -> bool:
        arm = weapons_of(data, view.vehicles[shot.unit])[shot.weapon]
        return shot.how == "gp" and not any(kind_objections(data, arm, PIN, view.vehicles[shot.target]))

    best = wished_shot(occasion, filter(pins, shots), msgspec.structs.replace(aim, how="gp"))
    return None if best is None else Entry(best.unit, best.weapon, PIN, best.target)


def wished_entries(occasion: Occasion, unit: Unit, wish: FireWish) -> list[Entry]:
    """5.14 What a unit fires by its wish as things stand; a weapon taken by one aim is not used by the next."""
    shots = legal_shots(occasion, unit)
    found: list[Entry] = []
    for aim in wish.aims:
        if aim.hex:
            entry = smoke_entry(occasion, unit, aim)
            found += [entry] if entry is not None and not any(smoke_refusals(occasion, unit, entry)) else []
            continue
        used = [entry.weapon for entry in found]
        shot = wished_shot(occasion, (shot for shot in shots if shot.weapon not in used), aim)
        found += [shot] if shot is not None else []
    return found


def smoke_entry(occasion: Occasion, unit: Unit, aim: Aim) -> Entry | None:
    """6.1.4.3.10 Smoke with the weapon named, or the first that has any; by hand with the first of all."""
    arms = weapons_of(occasion.data, unit)
    able = [arm.index for arm in arms if SMOKE in arm.hows] or [arm.index for arm in arms[:1]]
    weapon = aim.weapon if aim.weapon is not None else next(iter(able), None)
    return None if weapon is None else Entry(unit.id, weapon, SMOKE, aim.hex)


def check_fire_wish(occasion: Occasion, unit: Unit, wish: FireWish) -> None:
    """4.4.1 Every aim must be one that the unit can take as things stand."""
    refusals: list[Refusal] = []
    for aim in wish.aims:
        if aim.weapon is not None and aim.weapon >= len(weapons_of(occasion.data, unit)):
            refusals.append(no_such_weapon(occasion, unit, aim.weapon))
        elif aim.hex:
            entry = smoke_entry(occasion, unit, aim)
            why = Objection("6.1.4.3.10", "it has no weapon for smoke")
            refusals += smoke_refusals(occasion, unit, entry) if entry else [Illegal(f"{unit.id} smoke", [why])]
        else:
            refusals += [refusal for target in aim.targets for refusal in against_aim(occasion, unit, aim, target)]
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)


def no_such_weapon(occasion: Occasion, unit: Unit, weapon: int) -> Refusal:
    """3.5 The weapons that it has, counted from 1."""
    legal = [f"with {arm.index + 1} ({arm.name})" for arm in weapons_of(occasion.data, unit)]
    return Illegal(f"{unit.id} with {weapon + 1}", [Objection("4.4.3", f"it has {len(legal)} weapons")], legal)


def against_aim(occasion: Occasion, unit: Unit, aim: Aim, target: str) -> Iterator[Refusal]:
    """4.4.1 What is against a shot with the weapon named; without a name, against what comes nearest."""
    enemy = occasion.view.vehicles[target]
    ways = [
        list(occasion.objections(unit, arm, how, enemy))
        for arm in weapons_of(occasion.data, unit)
        for how in (*arm.hows, *([PIN] if aim.how == PIN else []))  # 7.18
        if how != SMOKE and fits(Entry(unit.id, arm.index, how, target), aim)
    ]
    found = min(ways, key=len, default=[Objection("4.4.3", "it has no weapon that is fired so")])
    if found:
        legal = dict.fromkeys(shot.target for shot in best_first(occasion, legal_shots(occasion, unit)))
        word = WORD_OF[occasion.view.order_of(unit) or Command.FIRE]
        instead = [f"{unit.id} {word} {' '.join(legal)}"] if legal else [f"{unit.id} hold"]
        yield Illegal(f"{unit.id} at {target}", found, instead)


def chance_of(occasion: Occasion, shot: Entry) -> int:
    """4.4.3.2.3, 6.5.4.4 The hit number of AP fire; of GP fire the chance of an effect, suppression by half."""
    view = occasion.view
    firer, target = view.vehicles[shot.unit], view.vehicles[shot.target]
    if not shot.how.startswith("ap"):
        return worth(occasion, shot, distance(place_of(firer), place_of(target))) // 10
    arm = weapons_of(occasion.data, firer)[shot.weapon]
    return int(an_ap_shot(occasion.data, view, firer, arm, shot.how, target, command=occasion.command).hit_number)


def watch_shots(data: AdvancedData, view: AdvancedState, ask: Ask) -> dict[str, list[Entry]]:
    """4.4.2 The overwatch shots of own units in a window, by unit, best first."""
    watch = watch_of(data, view, ask)
    shots = {unit.id: best_first(watch, legal_shots(watch, unit)) for unit in view.of(ask.seat)}
    return {unit: legal for unit, legal in shots.items() if legal}


# --- 6.6 a wish for a move turned into steps -------------------------------------------------------------------


class Itinerary(NamedTuple):
    """6.6 How far a wish can be fulfilled: the steps, and the first act that cannot be done, with the reasons."""

    mode: MoveMode
    steps: tuple[str, ...]
    missed: str = ""
    objections: tuple[Objection, ...] = ()


def mode_of(unit: Unit, wish: MarchWish) -> MoveMode:
    """6.6.4.3 A leg unit in full cover crawls, if it goes anywhere."""
    return "crawl" if crawls(unit) and wish.mode == "cross" and wish.acts else wish.mode


def itinerary(data: AdvancedData, view: AdvancedState, unit: Unit, wish: MarchWish) -> Itinerary:
    """6.6 The acts of a wish one after another, each by the cheapest way."""
    mode = mode_of(unit, wish)
    mover = mover_of(data, view, unit, mode == "quick")
    if against := tuple(mode_objections(mover, mode)):
        return Itinerary(mode, (), mode, against)
    march = start(mover, mode, declared_by(wish.acts))
    for act in wish.acts:
        found = steps_of(mover, march, act)
        if found is None:
            return Itinerary(mode, march.steps, act, ())
        for step in found:
            stride = take(mover, march, spelled_out(mover, step))
            if not isinstance(stride, Stride):
                return Itinerary(mode, march.steps, act, tuple(stride))
            march = march_of(stride)
    against = (*mover.finish_objections(march), *attack_objections(data, view, unit, march.steps))
    return Itinerary(mode, march.steps, "its end" if against else "", against)


def march_of(stride: Stride) -> March:
    assert isinstance(stride.progress, March)
    return stride.progress


def steps_of(mover: UnitMover, march: March, act: str) -> Sequence[str] | None:
    """6.6 The steps of one act from here on; None if there is no way."""
    word, _, rest = act.partition(":")
    match word:
        case "to":
            return way_to(mover, march, parse_hex(rest))
        case "turn":
            return (f"face:{rest}",) if mover.on_foot else turning_steps(march.facing, int(rest))
        case "leave":
            return way_out(mover, march, rest)
        case "overrun":
            return (*(way_at(mover, march, rest) or ()), act)
    return (act,)


def way_to(mover: UnitMover, march: March, goal: Hex) -> Sequence[str] | None:
    """6.6 The cheapest way to a hex; nothing to do for one that is there."""
    if march.hex == goal:
        return ()
    if not mover.on_foot:
        places = places_from(mover, march)
        return next((steps for (hex, _), steps in places.items() if hex == goal), None)
    return next((steps for hex, steps in walks(mover, march) if hex == goal), None)


def places_from(mover: UnitMover, march: March) -> dict[tuple[Hex, int], tuple[str, ...]]:
    """4.5.1.1 Where a vehicle can end its move, with the steps, in the order of their cost."""
    if mover.unit.track_hit or march.over:
        return {}
    return {place: route.steps for place, route in reachable(mover, march.mode, march).items()}


def walks(mover: UnitMover, march: March) -> Iterator[tuple[Hex, tuple[str, ...]]]:
    """6.6.4.1 Where a unit on foot can come, with the steps, nearest first."""
    for there in () if march.over else walked(mover, march):
        if there.hex is not None:
            yield there.hex, there.steps[len(march.steps) :]


def way_out(mover: UnitMover, march: March, edge: str) -> Sequence[str] | None:
    """4.5.1.1.9 Off the map by the edge named; by any, first where it earns points (R-04), then where it is near."""
    points: dict[str, int] = {row.edge: row.vp for row in mover.data.scenario.exits if row.side == mover.unit.side}
    ways: list[tuple[str, tuple[str, ...]]]
    if mover.on_foot:
        board = mover.land.board
        ends = [
            (name, (*steps, f"exit:{way}"))
            for hex, steps in walks(mover, march)
            for way in DIRECTIONS
            if (name := board.edge(hex, int(way)))
        ]
        ways = [(name, steps) for name, steps in ends if is_legal(mover, march, steps)]
    else:
        ways = [(name, route.steps) for name, route in ways_out(mover, march.mode, march).items()]
    wanted = [(name, steps) for name, steps in ways if edge in (LEAVE_ANYWHERE, name)]
    best = sorted(enumerate(wanted), key=lambda way: (-points.get(way[1][0], 0), way[0]))
    return best[0][1][1] if best else None


def way_at(mover: UnitMover, march: March, target: str) -> Sequence[str] | None:
    """6.6.10 The cheapest way to a place from which a vehicle drives straight at a unit."""
    enemy = mover.view.vehicles.get(target)
    if enemy is None or enemy.hex is None or march.hex is None or neighbour(march.hex, march.facing) == enemy.hex:
        return ()
    places = places_from(mover, march)
    return next((steps for (hex, facing), steps in places.items() if neighbour(hex, facing) == enemy.hex), None)


def marches(data: AdvancedData, view: AdvancedState, unit: Unit, wish: MarchWish) -> Iterator[dict[str, Any]]:
    """6.6 One unit's move: as wished, or as near to it as things allow now; at last a no-move."""
    who = stay_objections(view, unit) if wish.mode == STAY else move_objections(view, unit)
    if any(who):
        return
    found = itinerary(data, view, unit, wish)
    if not found.missed:
        yield answer_of(unit, found.mode, found.steps, wish.others)
        if wish.others:
            yield answer_of(unit, found.mode, found.steps)
    if wish.mode == STAY:
        return
    mode = found.mode if found.missed != found.mode else mode_of(unit, MarchWish())
    mover = mover_of(data, view, unit, mode == "quick")
    begun = start(mover, mode, declared_by(found.steps))
    if found.missed:
        yield answer_of(unit, mode, nearest_way(mover, begun, found))
    yield answer_of(unit, mode, as_far_as_legal(mover, begun, found.steps))
    if unit.alive:  # a reinforcement may wait outside
        yield answer_of(unit, mode_of(unit, MarchWish()), ())


def answer_of(unit: Unit, mode: MoveMode, steps: Iterable[str], others: Sequence[str] = ()) -> dict[str, Any]:
    """6.6 An answer to `move`."""
    return {"unit": unit.id, "mode": mode, "steps": list(steps), **({"with": list(others)} if others else {})}


def nearest_way(mover: UnitMover, begun: March, found: Itinerary) -> Sequence[str]:
    """6.6 The way that brings a unit nearest to a hex that is out of reach by now, or where it may not end.

    It must be nearer than where it stands, unless its group makes it follow (6.2.1.1.4).
    """
    word, _, rest = found.missed.partition(":")
    strides = follow(mover, begun, found.steps).strides
    march = march_of(strides[-1]) if strides else begun
    goal = parse_hex(rest) if word == "to" else march.hex
    if word != "to":
        march = begun
    if goal is None:
        return found.steps
    stays = march.hex is not None and not any(mover.finish_objections(march))
    here = distance(march.hex, goal) if march.hex is not None and stays else 999
    ends = ends_of(mover, march)
    better = [(distance(hex, goal), number) for number, (hex, _) in enumerate(ends) if distance(hex, goal) < here]
    for _, number in sorted(better)[:TRIED]:
        steps = (*march.steps, *ends[number][1])
        if is_legal(mover, begun, steps):
            return steps
    return march.steps


TRIED: Final = 12
"""How many ends of a move are tried before a unit goes only as far as its way was legal."""


def ends_of(mover: UnitMover, march: March) -> list[tuple[Hex, tuple[str, ...]]]:
    """6.6 Where a unit can come from here, with the steps."""
    if mover.on_foot:
        return list(walks(mover, march))
    return [(hex, steps) for (hex, _), steps in places_from(mover, march).items()]


# --- 6.6 a move that is ordered ----------------------------------------------------------------------------------


def check_march(data: AdvancedData, view: AdvancedState, unit: Unit, wish: MarchWish) -> None:
    """6.6 Refuse a move that cannot be made as things stand, and name the nearest that could."""
    found = itinerary(data, view, unit, wish)
    if not found.missed:
        return
    word, _, rest = found.missed.partition(":")
    if word == "to" and not found.objections:
        raise out_of_reach(data, view, unit, found, parse_hex(rest))
    if word == "leave" and not found.objections:
        where = "the map" if rest == LEAVE_ANYWHERE else f"the map by the {rest}"
        why = Objection("4.5.1.1.9", f"it cannot leave {where} this turn")
        raise Illegal(f"{unit.id} exit", [why], [f"{unit.id} move"])
    near = marches(data, view, unit, wish)
    legal: list[str] = next((answer["steps"] for answer in near if answer["steps"]), [])
    instead = [f"{unit.id} move {acts_said(legal)}"] if legal else [f"{unit.id} move"]
    objections = list(found.objections) or [Objection("6.6", "there is no way to do that")]
    raise Illegal(f"{unit.id} {found.missed.replace(':', ' ')}", objections, instead)


def out_of_reach(data: AdvancedData, view: AdvancedState, unit: Unit, found: Itinerary, goal: Hex) -> Refusal:
    """4.5.1.1.1 The hexes within reach that are nearest to the goal."""
    mover = mover_of(data, view, unit, found.mode == "quick")
    strides = follow(mover, start(mover, found.mode), found.steps).strides
    march = march_of(strides[-1]) if strides else start(mover, found.mode)
    ends = dict.fromkeys(hex for hex, _ in ends_of(mover, march))
    closest = sorted(ends, key=lambda hex: (distance(hex, goal), hex))[:3]
    verb = {"road": "road", "quick": "quick", "crawl": "crawl"}.get(found.mode, "move")
    rule = "4.5.1.1.5" if found.mode == "road" else "6.6.4.1" if mover.on_foot else "4.5.1.1.1"
    why = Objection(rule, f"it cannot end its move in {hex_name(goal)} this turn")
    near = [f"{unit.id} {verb} {hex_name(hex)}" for hex in closest] or [f"{unit.id} move"]
    return Illegal(f"{unit.id} {verb} {hex_name(goal)}", [why], near)


def legal_words(data: AdvancedData, view: AdvancedState, unit: Unit) -> list[str]:
    """4.2 The commands that a unit may be given, in the order language."""
    return [WORD_OF[command] for command in legal_commands(data, view, unit)]


# --- acts as they are written -------------------------------------------------------------------------------------


def acts_said(acts: Sequence[str]) -> str:
    """6.6 The acts of a move in the order language, after its verb."""
    return " ".join(act_said(act, acts[number - 1] if number else "") for number, act in enumerate(acts))


def act_said(act: str, before: str = "") -> str:
    """6.6 One act; `before` is the one before it, after which a step on foot needs no verb."""
    word, *parts = act.split(":")
    match word:
        case "to":
            return f"move {parts[0]}" if before else parts[0]
        case "turn" | "face":
            return f"face {parts[0]}"
        case "leave":
            return "exit" if parts[0] == LEAVE_ANYWHERE else f"exit {parts[0]}"
        case "exit":
            return f"exit {parts[0]}" if parts else "exit ahead"
        case "dismount":
            place = [*parts[1:2], *(["face", parts[2]] if len(parts) > 2 else [])]
            attack = ["assault", parts[3]] if len(parts) > 3 else []
            return " ".join([word, parts[0], *place, *attack])
        case "bail" | "unload":
            named = parts[:1] if word == "bail" else []
            rest = parts[1:] if word == "bail" else parts
            truck = ["truck", "face", rest[1]] if word == "unload" and rest[1:] else []
            return " ".join([word, *named, *(["face", rest[0]] if rest else []), *truck])
        case "search":
            kind = "partial" if parts[0] == "phd" else "hull-down"
            facing = ["face", parts[1]] if len(parts) > 1 else []
            return " ".join([word, kind, *facing, *(["reverse"] if parts[2:] else [])])
        case "turret":
            return f"swing {parts[0]}"
        case "push":
            return " ".join([word, parts[0], *(["ahead"] if parts[1:] else [])])
        case "enter":
            return " ".join([word, parts[0], *(["face", parts[1]] if parts[1:] else [])])
    if act in DIRECTIONS:
        return act if before in ("", *DIRECTIONS) else f"walk {act}"
    return " ".join([word, *parts])
