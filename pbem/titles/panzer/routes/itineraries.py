"""6.6 Turning an ordered move into steps, from a seat's knowledge.

    6.6           Itinerary, itinerary: the acts of a move in order; marches; check_march
    6.6.10        with_the_others, without_the_lost: overruns of one unit by several vehicles
    4.5.1.1.1     out_of_reach: the hexes nearest to a goal that cannot be reached
    4.5.1.1.4     wrong_facing: the facings possible at the goal
    write_acts     the acts of a move in the order language; write_march

Orders are checked against present positions. While the turn is carried out other units move and shoot, so a move is
recomputed when it is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

import msgspec

from pbem.engine.geometry.hexes import Hex, direction_to, distance, hex_name, neighbour, parse_hex
from pbem.engine.rules.refusals import Illegal, Objection, Refusal
from pbem.engine.rules.situation import Outlook
from pbem.engine.text.messages import say
from pbem.titles.panzer.close_combat.overrun_moves import (
    attack_objections,
    declaration_objections,
    declared_by,
    target_of,
)
from pbem.titles.panzer.movement.movement_step import mode_objections, move_objections, stay_objections
from pbem.titles.panzer.movement.steps.acts import (
    Bail,
    Dismount,
    Enter,
    Exit,
    Face,
    Leave,
    Overrun,
    Push,
    Search,
    Swing,
    To,
    Turn,
    Unload,
    acts_of,
    read_act,
)
from pbem.titles.panzer.movement.steps.driving import FORWARD, Stride, spelled_out
from pbem.titles.panzer.movement.steps.on_foot import DIRECTIONS
from pbem.titles.panzer.movement.steps.route_following import as_far_as_legal, follow
from pbem.titles.panzer.movement.steps.terrain_costs import crawls
from pbem.titles.panzer.movement.steps.unit_steps import March, MoveMode, UnitMover, mover_of, start, take
from pbem.titles.panzer.player.plan import LEAVE_ANYWHERE, STAY, MarchWish
from pbem.titles.panzer.routes.move_options import is_legal, walking_ends
from pbem.titles.panzer.routes.route_search import is_far_from_the_edge, reachable, turning_steps, ways_out
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Unit

# --- 6.6 turning an ordered move into steps --------------------------------------------------------------------


class Itinerary(NamedTuple):
    """6.6 How much of a move can be carried out: the steps, and the first impossible act with the reasons."""

    mode: MoveMode
    steps: tuple[str, ...]
    missed: str = ""
    objections: tuple[Objection, ...] = ()


def mode_of(unit: Unit, wish: MarchWish) -> MoveMode:
    """6.6.4.3 A leg unit in full cover crawls if it moves at all."""
    return "crawl" if crawls(unit) and wish.mode == "cross" and wish.acts else wish.mode


def itinerary(situation: Situation, unit: Unit, wish: MarchWish) -> Itinerary:
    """6.6 The acts of a move in order, each by the cheapest route that leaves movement for the later ones.

    A decision asks for it twice: to find the answer, and to report an order that the answer does not fulfil.
    """
    if not isinstance(situation, Outlook) or situation.state.vehicles.get(unit.id) is not unit:
        return find_itinerary(situation, unit, wish)
    known, key = situation.worked_out, ("itinerary", unit.id, wish.mode, tuple(wish.acts))
    if key not in known:
        known[key] = find_itinerary(situation, unit, wish)
    found: Itinerary = known[key]
    return found


def find_itinerary(situation: Situation, unit: Unit, wish: MarchWish) -> Itinerary:
    """6.6 The itinerary, worked out anew."""
    mode = mode_of(unit, wish)
    mover = mover_of(situation, unit, mode == "quick")
    if against := tuple(mode_objections(mover, mode)):
        return Itinerary(mode, (), mode, against)
    march = start(mover, mode, declared_by(wish.acts))
    furthest: Attempt | None = None
    for attempt in islice(attempts(mover, march, wish.acts), MOST_ATTEMPTS):
        if not attempt.missed:
            return Itinerary(mode, attempt.march.steps)
        if furthest is None or attempt.left < furthest.left:
            furthest = attempt
    assert furthest is not None
    return Itinerary(mode, furthest.march.steps, furthest.missed, furthest.objections)


MOST_ATTEMPTS: Final = 72
"""How many ways of carrying out a move are tried before it is refused."""


class Attempt(NamedTuple):
    """6.6 One attempt to carry out the acts: how far it got, how many acts are left, and why."""

    march: March
    left: int = 0
    missed: str = ""
    objections: tuple[Objection, ...] = ()


def attempts(mover: UnitMover, march: March, acts: Sequence[str]) -> Iterator[Attempt]:
    """6.6 Every way to carry out these acts from here, cheapest first; at least one, even if it fails."""
    if not acts:
        against = (
            *mover.finish_objections(march),
            *attack_objections(mover.situation, mover.unit, march.steps),
        )
        yield Attempt(march, 0, "its end" if against else "", against)
        return
    found = False
    for steps in ways_of(mover, march, acts):
        found = True
        after = walk_on(mover, march, steps)
        if isinstance(after, March):
            yield from attempts(mover, after, acts[1:])
        else:
            yield Attempt(after[0], len(acts), acts[0], after[1])
    if not found:
        yield Attempt(march, len(acts), acts[0])


def walk_on(mover: UnitMover, march: March, steps: Iterable[str]) -> March | tuple[March, tuple[Objection, ...]]:
    """6.6 The move after these steps or, if one is not allowed, the move before it with the objections."""
    for step in steps:
        stride = take(mover, march, spelled_out(mover, step))
        if not isinstance(stride, Stride):
            return march, tuple(stride)
        march = march_of(stride)
    return march


def march_of(stride: Stride) -> March:
    assert isinstance(stride.progress, March)
    return stride.progress


def ways_of(mover: UnitMover, march: March, acts: Sequence[str]) -> Iterator[Sequence[str]]:
    """6.6 The steps that could carry out the first of these acts; the cheapest may not suit the later ones."""
    match read_act(acts[0]):
        case To(hex=goal):
            facing = next((act.facing for act in acts_of(Turn, acts[1:2])), 0)
            yield from ways_to(mover, march, parse_hex(goal), facing)
        case Turn(facing=facing):
            yield (str(Face(facing)),) if mover.on_foot else turning_steps(march.facing, facing)
        case Leave(edge=edge):
            out = way_out(mover, march, edge)
            yield from () if out is None else (out,)
        case Overrun(target=target):
            yield from ((*steps, acts[0]) for steps in ways_at(mover, march, target))
        case _:
            yield (acts[0],)


def ways_to(mover: UnitMover, march: March, goal: Hex, facing: int = 0) -> Iterator[Sequence[str]]:
    """4.5.1.1, 6.6 The routes to a hex: those with the requested facing first, then the cheapest.

    A unit that is already there needs no steps.
    """
    if march.hex == goal and (mover.on_foot or facing in (0, march.facing)):
        yield ()
    if mover.on_foot:
        yield from (steps for hex, steps in walks(mover, march) if hex == goal != march.hex)
        return
    there = [(way, steps) for (_, way), steps in places_from(mover, march, goal).items()]
    yield from (steps for _, steps in sorted(there, key=lambda place: place[0] != facing and facing != 0))


def places_from(mover: UnitMover, march: March, goal: Hex | None = None) -> dict[tuple[Hex, int], tuple[str, ...]]:
    """4.5.1.1 Where a vehicle can end its move, optionally in one hex only, with the steps, cheapest first."""
    if mover.unit.track_hit or march.over:
        return {}
    return {place: route.steps for place, route in reachable(mover.loaded(march), march, goal).items()}


def walks(mover: UnitMover, march: March) -> Iterator[tuple[Hex, tuple[str, ...]]]:
    """6.6.4.1 Where a unit on foot can go, with the steps, nearest first."""
    for there in () if march.over else walking_ends(mover, march):
        if there.hex is not None:
            yield there.hex, there.steps[len(march.steps) :]


def way_out(mover: UnitMover, march: March, edge: str) -> Sequence[str] | None:
    """4.5.1.1.9 The route off the map by the named edge, or any: most points first (R-04), then the nearest."""
    points: dict[str, int] = {row.edge: row.vp for row in mover.data.scenario.exits if row.side == mover.unit.side}
    ways: list[tuple[str, tuple[str, ...]]]
    if mover.on_foot:
        if is_far_from_the_edge(mover, march):
            return None
        board = mover.land.board
        ends = [
            (name, (*steps, str(Exit(int(way)))))
            for hex, steps in walks(mover, march)
            for way in DIRECTIONS
            if (name := board.edge(hex, int(way)))
        ]
        ways = [(name, steps) for name, steps in ends if is_legal(mover, march, steps)]
    else:
        ways = [(name, route.steps) for name, route in ways_out(mover.loaded(march), march).items()]
    wanted = [(name, steps) for name, steps in ways if edge in (LEAVE_ANYWHERE, name)]
    best = sorted(enumerate(wanted), key=lambda way: (-points.get(way[1][0], 0), way[0]))
    return best[0][1][1] if best else None


def ways_at(mover: UnitMover, march: March, target: str) -> Iterator[Sequence[str]]:
    """6.6.10 The routes to hexes from which a vehicle can drive straight at a unit, cheapest first."""
    enemy = mover.state.vehicles.get(target)
    if enemy is None or enemy.hex is None or march.hex is None or neighbour(march.hex, march.facing) == enemy.hex:
        yield ()
        return
    places = [steps for (hex, way), steps in places_from(mover, march).items() if neighbour(hex, way) == enemy.hex]
    yield from places or [()]


def marches(situation: Situation, unit: Unit, wish: MarchWish) -> Iterator[dict[str, Any]]:
    """6.6 A unit's move as ordered, then the closest to it that is possible now, and finally a no-move."""
    who = stay_objections(situation.state, unit) if wish.mode == STAY else move_objections(situation.state, unit)
    if any(who):
        return
    found = itinerary(situation, unit, wish)
    if not found.missed:
        yield answer_of(unit, found.mode, found.steps, wish.others)
        if wish.others:
            yield answer_of(unit, found.mode, found.steps)
    elif wish.mode == "road":  # cross-country if the road is closed by now
        across = itinerary(situation, unit, msgspec.structs.replace(wish, mode="cross"))
        if not across.missed:
            yield answer_of(unit, across.mode, across.steps)
    elif (rest := without_the_lost(situation, wish)).acts != wish.acts:  # 6.6.10: it moves on as it would have
        onward = itinerary(situation, unit, rest)
        if rest.acts and not onward.missed:
            yield answer_of(unit, onward.mode, onward.steps)
    if wish.mode == STAY:
        return
    mode = found.mode if found.missed != found.mode else mode_of(unit, MarchWish())
    mover = mover_of(situation, unit, mode == "quick")
    begun = start(mover, mode, declared_by(found.steps))
    if found.missed:
        yield answer_of(unit, mode, nearest_way(mover, begun, found))
    yield answer_of(unit, mode, as_far_as_legal(mover, begun, found.steps))
    if unit.alive:  # a reinforcement may wait outside
        yield answer_of(unit, mode_of(unit, MarchWish()), ())


def without_the_lost(situation: Situation, wish: MarchWish) -> MarchWish:
    """6.6.10 A move without the overrun of a unit that was lost before its turn came."""
    units = situation.state.vehicles
    lost = [str(act) for act in acts_of(Overrun, wish.acts) if act.target in units and not units[act.target].alive]
    return msgspec.structs.replace(wish, acts=[act for act in wish.acts if act not in lost], others=[])


def with_the_others(situation: Situation, unit: Unit, wishes: Mapping[str, MarchWish]) -> MarchWish:
    """6.6.10 A unit's move, naming all units ordered to overrun its target that can still do so."""
    view, wish = situation.state, wishes[unit.id]
    target = target_of(wish.acts)
    enemy = view.vehicles.get(target)
    if enemy is None or unit.attacking == target:
        return wish
    same = [id for id, other in wishes.items() if id != unit.id and target_of(other.acts) == target]
    same = list(dict.fromkeys(id for id in (*wish.others, *same) if id != unit.id))
    units = [view.vehicles[id] for id in same if id in view.vehicles]
    able = [
        other.id
        for other in units
        if not any(move_objections(view, other)) and not any(declaration_objections(situation, other, enemy, same))
    ]
    return msgspec.structs.replace(wish, others=able)


def answer_of(unit: Unit, mode: MoveMode, steps: Iterable[str], others: Sequence[str] = ()) -> dict[str, Any]:
    """6.6 An answer to the ask `move`."""
    return {"unit": unit.id, "mode": mode, "steps": list(steps), **({"with": list(others)} if others else {})}


def nearest_way(mover: UnitMover, begun: March, found: Itinerary) -> Sequence[str]:
    """6.6 The route that ends nearest to a hex that is now out of reach, or where the unit may not end.

    It must end nearer to that hex than the unit is now, unless the unit has to follow its group (6.2.1.1.4).
    """
    missed = read_act(found.missed)
    strides = follow(mover, begun, found.steps).strides
    march = march_of(strides[-1]) if strides else begun
    goal = parse_hex(missed.hex) if isinstance(missed, To) else march.hex
    if not isinstance(missed, To):
        march = begun
    if goal is None:
        return found.steps
    stays = march.hex is not None and not any(mover.finish_objections(march))
    here = distance(march.hex, goal) if march.hex is not None and stays else 999
    ends = ends_of(mover, march)
    better = [(distance(hex, goal), number) for number, (hex, _) in enumerate(ends) if distance(hex, goal) < here]
    with_group = None if march.overran else mover.loaded(march).with_group(march.mode)
    for _, number in sorted(better)[:TRIED]:
        hex, onward = ends[number]
        steps = (*march.steps, *onward)
        if (with_group is None or with_group(hex)) and is_legal(mover, begun, steps):
            return steps
    return march.steps


TRIED: Final = 12
"""How many possible ends of a move are tried before the unit follows just the legal part of its route."""


def ends_of(mover: UnitMover, march: March) -> list[tuple[Hex, tuple[str, ...]]]:
    """6.6 Where a unit can go from here, with the steps."""
    if mover.on_foot:
        return list(walks(mover, march))
    return [(hex, steps) for (hex, _), steps in places_from(mover, march).items()]


# --- 6.6 checking an ordered move --------------------------------------------------------------------------------


def check_march(situation: Situation, unit: Unit, wish: MarchWish) -> None:
    """6.6 Refuse a move that is impossible in the present situation, and name the nearest possible one."""
    found = itinerary(situation, unit, wish)
    if not found.missed:
        return
    missed, before = read_act(found.missed), next(acts_of(To, wish.acts[-2:-1]), None)
    if isinstance(missed, To) and not found.objections:
        raise out_of_reach(situation, unit, wish, found)
    if isinstance(missed, Turn) and before is not None:
        raise wrong_facing(situation, unit, wish, before.hex, missed.facing)
    if isinstance(missed, Leave) and not found.objections:
        where = "the map" if missed.edge == LEAVE_ANYWHERE else f"the map by the {missed.edge}"
        why = Objection("4.5.1.1.9", say("the unit cannot leave {where} this turn", where=where))
        raise Illegal(f"{unit.id} exit", [why], ways_off(situation, unit, found.mode))
    objections = list(found.objections) or [Objection("6.6", say("the unit cannot do that"))]
    raise Illegal(f"{unit.id} {found.missed.replace(':', ' ')}", objections, nearest_lines(situation, unit, wish))


def nearest_lines(situation: Situation, unit: Unit, wish: MarchWish) -> list[str]:
    """6.6 The nearest possible moves, as lines to send."""
    moves = (MarchWish(answer["mode"], answer["steps"]) for answer in marches(situation, unit, wish))
    lines = dict.fromkeys(f"{unit.id} {write_march(move)}" for move in moves if move.mode != STAY and move.acts)
    return list(lines)[:1] or [f"{unit.id} move"]


def ways_off(situation: Situation, unit: Unit, mode: MoveMode) -> list[str]:
    """4.5.1.1.9 The edges by which a unit can leave the map this turn, as lines to send."""
    mover = mover_of(situation, unit, mode == "quick")
    begun = start(mover, mode)
    if mover.on_foot:
        return [f"{unit.id} move"]
    return [f"{unit.id} exit {edge}" for edge in ways_out(mover, begun)] or [f"{unit.id} move"]


def out_of_reach(situation: Situation, unit: Unit, wish: MarchWish, found: Itinerary) -> Refusal:
    """4.5.1.1.1 The refusal of a goal out of reach; it names the nearest hexes within reach."""
    mover = mover_of(situation, unit, found.mode == "quick")
    strides = follow(mover, start(mover, found.mode), found.steps).strides
    march = march_of(strides[-1]) if strides else start(mover, found.mode)
    before = wish.acts[: wish.acts.index(found.missed)]
    goal = next(parse_hex(missed.hex) for missed in acts_of(To, [found.missed]))
    ends = dict.fromkeys(hex for hex, _ in ends_of(mover, march) if not before or hex != march.hex)
    closest = sorted(ends, key=lambda hex: (distance(hex, goal), hex))[:3]
    verb = VERBS.get(found.mode, "move")
    rule = "4.5.1.1.5" if found.mode == "road" else "6.6.4.1" if mover.on_foot else "4.5.1.1.1"
    why = Objection(rule, say("the unit cannot end its move in {goal} this turn", goal=hex_name(goal)))
    against = against_goal(mover, march, goal) or [why]
    begun = f"{unit.id} {write_march(MarchWish(found.mode, before))}" if before else f"{unit.id} move"
    moves = [MarchWish(found.mode, [*before, str(To(hex_name(hex)))]) for hex in closest]
    near = [f"{unit.id} {write_march(move)}" for move in moves] or [begun]
    return Illegal(f"{unit.id} {verb} {hex_name(goal)}", against, near)


def against_goal(mover: UnitMover, march: March, goal: Hex) -> list[Objection]:
    """6.6 The objections to ending in a hex: the units there, the unit's group, or the way from the next hex."""
    there = msgspec.structs.replace(march, hex=goal, entered=1)
    if march.hex is None or march.over or march.mode == "road":
        return []
    if against := list(mover.finish_objections(there)):
        return against
    way = direction_to(march.hex, goal) if distance(march.hex, goal) == 1 else None
    if way is None:
        return []
    step = str(way) if mover.on_foot else FORWARD
    stride = take(mover, msgspec.structs.replace(march, facing=way), step)
    return [] if isinstance(stride, Stride) else stride


def wrong_facing(situation: Situation, unit: Unit, wish: MarchWish, goal: str, facing: int) -> Refusal:
    """4.5.1.1.4 The refusal of a final facing; it names the facings the unit can have in that hex."""
    facings = [way for way in range(1, 7) if can_face(situation, unit, wish, way)]
    verb = VERBS.get(wish.mode, "move")
    before = write_acts(wish.acts[:-2])
    begun = f"{unit.id} {before} {verb}" if before else f"{unit.id} {verb}"
    why = (
        say("in {goal} the unit can only face {map}", goal=goal, map=" or ".join(map(str, facings)))
        if facings
        else say("the unit cannot end its move that way")
    )
    near = [f"{begun} {goal} face {way}" for way in facings] or nearest_lines(situation, unit, wish)
    return Illegal(f"{unit.id} {verb} {goal} face {facing}", [Objection("4.5.1.1.4", why)], near)


def can_face(situation: Situation, unit: Unit, wish: MarchWish, facing: int) -> bool:
    """4.5.1.1.4 Whether the ordered move can end with another facing."""
    turned = MarchWish(wish.mode, [*wish.acts[:-1], str(Turn(facing))], wish.others)
    return not itinerary(situation, unit, turned).missed


# --- acts in the order language -----------------------------------------------------------------------------------


def write_acts(acts: Sequence[str]) -> str:
    """6.6 The acts of a move in the order language, without its verb."""
    return " ".join(write_act(act, acts[number - 1] if number else "") for number, act in enumerate(acts))


def write_act(act: str, before: str = "") -> str:
    """6.6 One act in the order language; `before` is the previous act, after which a step on foot needs no verb."""
    match read_act(act):
        case To(hex=hex):
            return f"move {hex}" if before else hex
        case Turn(facing=facing) | Face(facing=facing):
            return f"face {facing}"
        case Leave(edge=edge):
            return "exit" if edge == LEAVE_ANYWHERE else f"exit {edge}"
        case Exit(way=way):
            return f"exit {way}" if way else "exit ahead"
        case Dismount(unit=unit, hex=hex, facing=facing, target=target):
            place = [hex] if hex else []
            return " ".join(
                ["dismount", unit, *place, *facing_words(facing), *(["assault", target] if target else [])]
            )
        case Bail(unit=unit, facing=facing):
            return " ".join(["bail", unit, *facing_words(facing)])
        case Unload(facing=facing, truck=truck):
            return " ".join(["unload", *facing_words(facing), *(["truck", *facing_words(truck)] if truck else [])])
        case Search(sought=sought, facing=facing, back=back):
            kind = "partial" if sought == "phd" else "hull-down"
            return " ".join(["search", kind, *facing_words(facing), *(["reverse"] if back else [])])
        case Swing(offset=offset):
            return f"swing {offset}"
        case Push(what=what, ahead=ahead):
            return " ".join(["push", what, *(["ahead"] if ahead else [])])
        case Enter(hex=hex, facing=facing):
            return " ".join(["enter", hex, *facing_words(facing)])
    if act in DIRECTIONS:
        return act if before in ("", *DIRECTIONS) else f"walk {act}"
    return act.replace(":", " ")


def facing_words(facing: int) -> list[str]:
    """5.5 A facing in the order language, if one is given."""
    return ["face", str(facing)] if facing else []


VERBS: Final = {"road": "road", "quick": "quick", "crawl": "crawl"}
"""6.6 The verb of the order language for each mode of movement, if it is not simply `move`."""


def write_march(wish: MarchWish) -> str:
    """6.6 A move in the order language."""
    verb = VERBS.get(wish.mode, "move")
    acts = list(wish.acts)
    words = []
    while any(acts_of(Enter, acts[:1])):  # it enters before anything else
        words.append(write_acts([acts.pop(0)]))
    words += [verb, write_acts(acts)] if acts or not words or verb != "move" else []
    words += [f"with {' '.join(wish.others)}"] if wish.others else []
    words += ["stop when hit"] if wish.stop else []
    return " ".join(word for word in words if word)
