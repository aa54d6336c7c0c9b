"""6.2 Orders for many units: formations, lines for a selection of units, and a preview of a line.

    6.2.1       formations    a seat's units by formation, with the commands each formation has
    6.2.1.1.3   propose       one order for many: units near each other share a counter, and keep their places
    4.2.1       preview       where a move would lead and its cost; the targets of fire, and the chances

Every proposed line has been checked against the view, together with the others. Refused lines are left out, with the
reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from pbem.engine.geometry.hexes import Hex, distance, hex_name, parse_hex
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Objection, Refusal, each
from pbem.engine.rules.title import Formation, Proposal, Submission, Wish
from pbem.engine.text.messages import Message, say, say_n, several
from pbem.titles.panzer.cards.units import is_recon
from pbem.titles.panzer.command.command_control import UNIQUE, commandable, in_play, range_among
from pbem.titles.panzer.command.commands import command_objections
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.aiming import Occasion
from pbem.titles.panzer.movement.steps.route_following import follow
from pbem.titles.panzer.movement.steps.terrain_costs import crawls
from pbem.titles.panzer.movement.steps.unit_steps import March, MoveMode, mover_of, start
from pbem.titles.panzer.player.plan import AdvancedPlan, MarchWish, read_plan
from pbem.titles.panzer.player.prospects import as_ordered, chance_of, suggested_groups, wished_entries
from pbem.titles.panzer.routes.itineraries import ends_of, itinerary, march_of
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import FIRING, WORD_OF, Command, PanzerState, Unit
from pbem.titles.panzer.telling.words.sides import display_name

Read = Callable[[str], Submission]
"""A function that reads and checks a text as if it had been sent."""

NO_COUNTER: Final = Objection(
    "4.2.1", say("the unit is being carried or out of action, so it has no command of its own")
)

COMMANDS: Final[Mapping[str, Command]] = {word: command for command, word in WORD_OF.items()}


# --- 6.2.1 formations ----------------------------------------------------------------------------------------------


def formations(situation: Situation, seat: str) -> tuple[Formation, ...]:
    """6.2.1.1 A seat's units by formation; without command control there is no limit on commands."""
    data, view = situation.data, situation.state
    found: dict[str, list[str]] = {}
    for unit in view.vehicles.values():
        if unit.side == seat and (in_play(view, unit) or not view.turn):
            found.setdefault(unit.formation, []).append(unit.id)
    return tuple(
        Formation(id or seat, name_of(data, id) or display_name(seat), tuple(units), limit_of(situation, id))
        for id, units in found.items()
    )


def name_of(data: PanzerData, formation: str) -> str:
    """5.8.2 A formation's name in the scenario."""
    found = data.scenario.formations.get(formation)
    return found.name if found is not None else formation


def limit_of(situation: Situation, formation: str) -> int | None:
    """6.2.1 The number of unique commands that a formation may be given this turn; None without command control."""
    return situation.state.available.get(formation) if situation.data.plays("command_control") else None


def commands_spent(situation: Situation, ask: Ask, submission: Submission) -> dict[str, int]:
    """6.2.1.1.3 The unique commands a submission places, by formation; units sharing a counter place only one."""
    if ask.kind != "commands" or not situation.data.plays("command_control"):
        return {}
    found = dict.fromkeys(situation.state.available, 0)
    for unit in as_ordered(situation.state, ask.seat, submission.answer).vehicles.values():
        alone = unit.side == ask.seat and not unit.shares and not is_recon(unit)
        if alone and unit.command in UNIQUE and unit.formation in found:
            found[unit.formation] += 1
    return found


# --- 6.2.1.1.3 one order for many units ----------------------------------------------------------------------------


def propose(situation: Situation, ask: Ask, wish: Wish, read: Read) -> Proposal:
    """4.2.1 Lines that order many units to do one thing; empty outside the Command Phase."""
    data, view = situation.data, situation.state
    command = COMMANDS.get(wish.verb)
    if ask.kind != "commands" or command is None:
        return Proposal(left_out=wish.units)
    able = [unit for unit in commandable(view, ask.seat) if unit.id in wish.units]
    against = {unit.id: list(command_objections(situation, unit, command)) for unit in able}
    able = [unit for unit in able if not against[unit.id]]
    goal = parse_hex(wish.goal) if wish.goal else None
    spent = spent_by_others(situation, ask, wish, read)
    kept = wish.kept if spent is not None else ()
    left_of = {id: limit - (spent or {}).get(id, 0) for id, limit in view.available.items()}
    ordered = as_ordered(view, ask.seat, {unit.id: command.value for unit in able})
    first = foremost(able, goal)

    def lines_for(groups: Iterable[Sequence[Unit]]) -> dict[str, str]:
        found: dict[str, str] = {}
        for group in groups:
            moves = command is Command.MOVE
            ends = (
                goals_of(Situation(data, ordered), group, goal, wish.shape, first) if moves and goal and first else {}
            )
            found.update(group_lines(group, wish, command, ends))
        return found

    accept = partial(accepted_lines, lambda text: read("\n".join([*kept, text])))
    lines, objections = accept(lines_for(groups_for(situation, left_of, able, command)))
    if spare := lines_for([unit] for unit in with_spare_commands(situation, left_of, able, lines)):
        lines, objections = accept({**lines, **spare})
    left = tuple(id for id in wish.units if id not in lines)
    unable = {id: reasons[0] for id, reasons in against.items() if reasons}
    unable |= {id: NO_COUNTER for id in left if id in view.vehicles and id not in against}
    limited = [view.vehicles[id] for id in left if id in view.vehicles and id not in unable]
    remarks = (*reasons_for(unable), *remarks_on(situation, limited, lines, left_of))
    return Proposal(tuple(lines.values()), left, remarks, objections)


def spent_by_others(situation: Situation, ask: Ask, wish: Wish, read: Read) -> dict[str, int] | None:
    """6.2.1.1.3 The commands that the lines of other units use, by formation; None if these are refused already."""
    try:
        return commands_spent(situation, ask, read("\n".join(wish.kept)))
    except Refusal:
        return None


def groups_for(
    situation: Situation, left_of: Mapping[str, int], units: Sequence[Unit], command: Command
) -> Iterator[Sequence[Unit]]:
    """6.2.1.1.3 Each unit alone if the commands suffice for its formation; otherwise nearby units share one."""
    data = situation.data
    for formation in dict.fromkeys(unit.formation for unit in units):
        own = [unit for unit in units if unit.formation == formation]
        free = [unit for unit in own if is_recon(unit) or not data.plays("command_control")]
        bound = [unit for unit in own if unit not in free]
        left = max(left_of.get(formation, 0), 0)
        yield from ([unit] for unit in free)
        if command not in UNIQUE or len(bound) <= left:
            yield from ([unit] for unit in bound)
        else:
            yield from sorted(suggested_groups(situation, bound), key=len, reverse=True)[:left]


def with_spare_commands(
    situation: Situation,
    left_of: Mapping[str, int],
    able: Sequence[Unit],
    lines: Mapping[str, str],
) -> Iterator[Unit]:
    """6.2.1 Units left out of shared commands that their formation still has spare commands for."""
    view = situation.state
    for formation in dict.fromkeys(unit.formation for unit in able):
        used = commands_in(view, lines, formation)
        left = [unit for unit in able if unit.formation == formation and unit.id not in lines]
        limited = limit_of(situation, formation) is not None
        yield from left[: max(left_of[formation] - used, 0)] if limited else left


def commands_in(view: PanzerState, lines: Mapping[str, str], formation: str) -> int:
    """6.2.1.1.3 How many unique commands of a formation these lines use; units sharing a counter use one."""
    units = [view.vehicles[id] for id in lines if f" {id} with " not in f" {lines[id]}"]
    return len([unit for unit in units if unit.formation == formation and not is_recon(unit)])


def foremost(units: Sequence[Unit], goal: Hex | None) -> Unit | None:
    """6.6 The unit nearest to a goal: it goes there, and the others keep their positions relative to it."""
    placed = [unit for unit in units if unit.hex is not None]
    if goal is None or not placed:
        return None
    return min(placed, key=lambda unit: (distance(place_of(unit), goal), unit.id))


def goals_of(situation: Situation, group: Sequence[Unit], goal: Hex, shape: str, first: Unit) -> dict[str, Hex]:
    """6.2.1.1.4 Where each unit of a group ends: in its position relative to the foremost unit, or at the goal.

    A unit that cannot reach its place comes as close to it as possible, within command range of the others' ends. One
    that cannot do that is left out of the group.
    """
    view = situation.state
    reach = range_among(situation.data, group)
    enemies = {other.hex for other in view.vehicles.values() if other.side != first.side and in_play(view, other)}
    found: dict[str, Hex] = {}
    for unit in group:
        mover = mover_of(situation, view.vehicles[unit.id])
        ends = list(dict.fromkeys(hex for hex, _ in ends_of(mover, start(mover, mover_mode(unit)))))
        together = [hex for hex in ends if all(distance(hex, other) <= reach for other in found.values())]
        ends = [hex for hex in together if hex not in enemies]  # 6.6.4.1
        wanted = place_in(unit, first, goal, shape)
        if ends:
            found[unit.id] = min(ends, key=lambda hex: (distance(hex, wanted), hex))
    return found


def mover_mode(unit: Unit) -> MoveMode:
    """6.6.4.3 The unit's movement mode: a leg unit in full cover crawls."""
    return "crawl" if crawls(unit) else "cross"


def group_lines(
    group: Sequence[Unit], wish: Wish, command: Command, ends: Mapping[str, Hex]
) -> Iterator[tuple[str, str]]:
    """6.2.1.1.3 A line for each unit of a group; the first unit owns the counter and leads."""
    for unit in group:
        shared = f"with {group[0].id} " if unit is not group[0] else ""
        if unit.id in ends:
            yield unit.id, f"{unit.id} {shared}move {hex_name(ends[unit.id])}"
        elif command is not Command.MOVE or not wish.goal:
            target = f" {wish.target}" if wish.target and command in FIRING else ""
            yield unit.id, f"{unit.id} {shared}{WORD_OF[command]}{target}"


def place_in(unit: Unit, first: Unit, goal: Hex, shape: str) -> Hex:
    """6.2.1.1.4 A unit's own goal: the group's goal, or its present position relative to the foremost unit."""
    if shape != "formation" or unit.hex is None or first.hex is None:
        return goal
    return Hex(goal.x + unit.hex.x - first.hex.x, goal.y + unit.hex.y - first.hex.y)


def accepted_lines(read: Read, lines: dict[str, str]) -> tuple[dict[str, str], tuple[Objection, ...]]:
    """4.2.1 The lines that are accepted together, and the objections to the others."""
    objections: list[Objection] = []
    while lines:
        refused = attempt(read, list(lines.values()))
        if not refused:
            break
        owner = {line: id for id, line in lines.items()}
        for refusal in refused:
            objections += refusal.objections
            lines = lines_without(lines, owner.get(refusal.line, refusal.part.partition(" ")[0]))
    return lines, tuple(dict.fromkeys(objections))


def lines_without(lines: dict[str, str], id: str) -> dict[str, str]:
    """Remove the lines of a unit and of those that share its counter; the last line if no unit is at fault."""
    culprit = id if id in lines else next(reversed(lines), "")
    return {other: line for other, line in lines.items() if other != culprit and f" with {culprit} " not in line}


def attempt(read: Read, lines: Sequence[str]) -> tuple[Refusal, ...]:
    """The refusals of these lines when sent together."""
    try:
        read("\n".join(lines))
    except Refusal as refusal:
        return each(refusal)
    return ()


def reasons_for(unable: Mapping[str, Objection]) -> Iterator[Message]:
    """4.2.1 The units that cannot be given a command, grouped by reason."""
    for objection in dict.fromkeys(unable.values()):
        unit, *others = (id for id, other in unable.items() if other == objection)
        reason = say("{unit}: {why}", unit=unit, why=objection.why)
        more = several(others, "unit")
        yield say("{reason} (likewise {more})", reason=reason, more=more) if others else reason


def remarks_on(
    situation: Situation, left: Sequence[Unit], lines: Mapping[str, str], left_of: Mapping[str, int]
) -> Iterator[Message]:
    """6.2.1 The units of each formation that got no line, and whether its commands are used up."""
    data, view = situation.data, situation.state
    for formation in dict.fromkeys(unit.formation for unit in left):
        units = several([unit.id for unit in left if unit.formation == formation], "unit")
        limit = limit_of(situation, formation)
        if limit is not None and commands_in(view, lines, formation) >= left_of[formation]:
            yield say_n(
                "{name} has only {n} command this turn, and it is used; without an order: {units}",
                "{name} has only {n} commands this turn, and all are used; without an order: {units}",
                n=limit,
                name=name_of(data, formation),
                units=units,
            )
        else:
            yield say("without an order: {units}", units=units)


# --- 4.2.1 preview of a line ---------------------------------------------------------------------------------------


def preview(situation: Situation, ask: Ask, line: str, read: Read) -> dict[str, Any]:
    """4.2.1 Where each unit in a line would go and what it would fire at, or why the line is refused."""
    data = situation.data
    try:
        said = read(line)
    except Refusal as refusal:
        against = [objection for one in each(refusal) for objection in one.objections]
        instead = [line for one in each(refusal) for line in one.instead]
        return {"accepted": False, "objections": [str(objection) for objection in against], "instead": instead}
    if ask.kind != "commands":
        return {"accepted": True}
    plan = read_plan(said.plan)
    ordered = as_ordered(situation.state, ask.seat, said.answer)
    then = Situation(data, ordered)
    moves = {id: way_ahead(then, id, wish) for id, wish in plan.move.items()}
    return {"accepted": True, "moves": moves, "fire": fire_ahead(then, ask.seat, plan)}


def way_ahead(situation: Situation, id: str, wish: MarchWish) -> dict[str, Any]:
    """6.6 The hexes and facings of a move, its cost, and the first thing that stops it."""
    unit = situation.state.vehicles[id]
    found = itinerary(situation, unit, wish)
    mover = mover_of(situation, unit, found.mode == "quick")
    march = start(mover, found.mode, ())
    marches = [march, *(march_of(stride) for stride in follow(mover, march, found.steps).strides)]
    stops = [str(objection) for objection in found.objections]
    return {"path": list(places_of(marches)), "spent": marches[-1].spent, "stops": stops}


def places_of(marches: Sequence[March]) -> Iterator[list[Any]]:
    """6.6 The hexes and facings of a move in order, without repetitions."""
    before: list[Any] = []
    for march in marches:
        here = [hex_name(march.hex), march.facing] if march.hex is not None else []
        if here and here != before:
            yield here
        before = here


def fire_ahead(situation: Situation, seat: str, plan: AdvancedPlan) -> dict[str, list[dict[str, Any]]]:
    """4.4.3.2.3 The shots that the fire orders would produce in the present situation, with their chances."""
    view = situation.state
    occasion = Occasion(situation, seat)
    found: dict[str, list[dict[str, Any]]] = {}
    for id, wish in plan.fire.items():
        shots = [shot for shot in wished_entries(occasion, view.vehicles[id], wish) if shot.target in view.vehicles]
        found[id] = [
            {
                "target": shot.target,
                "range": distance(place_of(view.vehicles[id]), place_of(view.vehicles[shot.target])),
                "chance": chance_of(occasion, shot),
            }
            for shot in shots
        ]
    return found
